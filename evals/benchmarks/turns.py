"""Tools that take turns in one process, so that what slows the machine down for a while slows all of them."""

import gc
import random
import time
from collections.abc import Callable, Mapping
from statistics import median

from tqdm import tqdm


def in_turn(
    tools: Mapping[str, Callable[[], object]],
    rounds: int,
    label: str,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[dict[str, dict], dict[str, object]]:
    """For each tool the first call and median, fastest and slowest of the rounds after it, in seconds; and
    what it found last.

    In every round the tools come in another order. On a machine with other work `time.process_time`, CPU
    seconds, is the better `clock`.
    """
    seconds: dict[str, list[float]] = {name: [] for name in tools}
    found = {}
    for number in tqdm(range(rounds + 1), desc=label, unit="round", disable=None):
        order = list(tools)
        random.Random(number).shuffle(order)
        for name in order:
            gc.collect()
            started = clock()
            found[name] = tools[name]()
            seconds[name].append(clock() - started)
    return {name: _summary(taken) for name, taken in seconds.items()}, found


def _summary(taken: list[float]) -> dict[str, float]:
    return {
        "seconds": median(taken[1:]),
        "fastest": min(taken[1:]),
        "slowest": max(taken[1:]),
        "first call": taken[0],
    }
