"""How many feedback events a second the monitor takes, and what it holds after 10,000, 100,000 and 1,000,000
of them.

    .venv/bin/pip install -r evals/benchmarks/requirements.txt
    .venv/bin/python evals/benchmarks/monitoring.py

writes `monitoring.json` and the table `monitoring.md` beside this file. Beside ours stands the list without
an end that a log becomes where nobody limits it. Time and memory are measured in runs of their own, since
counting memory slows what is counted. The times are those of one machine: compare within a row. This is a
measurement, no test: nothing fails for being slow.
"""

import argparse
import json
import os
import platform
import time
import tracemalloc
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np
from tqdm import tqdm

from helpers.monitoring import AccuracyMonitor, feedback_event

HERE = Path(__file__).parent
WINDOW = 1000
SIZES = (10_000, 100_000, 1_000_000)


def made_up(n: int) -> Iterator[dict]:
    """n events: ten documents shown, one page in three without feedback, one in ten labelled. Every text
    is a new object."""
    rng = np.random.default_rng(0)
    for start in range(0, n, 100):  # few at a time: what waits here would count as held
        documents = rng.integers(100_000, size=(100, 10)).tolist()
        for number, page in enumerate(documents[: n - start], start=start):
            shown = list(dict.fromkeys(f"doc_{document}" for document in page))
            yield {
                "query": f"how do I restart service {number}",
                "retrieved_docs": shown,
                "user_feedback": None if number % 3 == 0 else {shown[number % len(shown)]},
                "latency_ms": 20.0 + number % 50,
                "relevant": {shown[0], "doc_elsewhere"} if number % 10 == 0 else None,
            }


class EndlessLog:
    """The same events, checked in the same way, in a list that nobody limits."""

    def __init__(self):
        self.events = []

    def log_query_result(self, **event) -> None:
        self.events.append(feedback_event(**event))


LOGS: dict[str, Callable] = {
    "AccuracyMonitor": lambda: AccuracyMonitor(WINDOW),
    "list without an end": EndlessLog,
}


def seconds_of(make: Callable, events: list[dict]) -> float:
    """How long the log takes for these events, which were made before."""
    log = make()
    started = time.perf_counter()
    for event in events:
        log.log_query_result(**event)
    return time.perf_counter() - started


def seconds_of_reading() -> float:
    """How long `calculate_online_metrics` takes on a full window."""
    monitor = AccuracyMonitor(WINDOW)
    for event in made_up(WINDOW):
        monitor.log_query_result(**event)
    started = time.perf_counter()
    monitor.calculate_online_metrics()
    return time.perf_counter() - started


def bytes_held(make: Callable, sizes: tuple[int, ...]) -> list[int]:
    """What the log holds after each number of events, as tracemalloc counts it; events are made one by one
    and dropped."""
    tracemalloc.start()
    before, log, held = tracemalloc.get_traced_memory()[0], make(), []
    for number, event in enumerate(
        tqdm(made_up(sizes[-1]), total=sizes[-1], desc="memory", unit="event", disable=None), 1
    ):
        log.log_query_result(**event)
        if number in sizes:
            held.append(tracemalloc.get_traced_memory()[0] - before)
    tracemalloc.stop()
    return held


def table(found: dict) -> str:
    """The Markdown page of one measurement."""
    lines = [
        "# Monitor: events a second and memory",
        "",
        f"Made-up feedback events of ten documents each, logged one by one with all checks; the monitor "
        f"keeps {found['window']:,}. Median of {found['rounds']} rounds over {found['timed']:,} events. "
        "Memory is what is held after so many events.",
        "",
        f"Measured on {found['cpus']} cores with Python {found['python']}, numpy {found['numpy']}. Written "
        "by `monitoring.py`, which says how.",
        "",
        "| log | events a second | " + " | ".join(f"MiB after {size:,}" for size in found["sizes"]) + " |",
        "|---|--:|" + "--:|" * len(found["sizes"]),
    ]
    for name, row in found["logs"].items():
        held = " | ".join(f"{held / 2**20:.2f}" for held in row["bytes held"])
        lines.append(f"| {name} | {row['events a second']:,.0f} | {held} |")
    milliseconds = 1000 * found["seconds of reading"]
    lines += ["", f"`calculate_online_metrics()` on a full window takes {milliseconds:.1f} ms.", ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="timed rounds (default: 5)")
    rounds = parser.parse_args().rounds
    if rounds < 1:
        parser.error("--rounds must be 1 or more")
    events = list(made_up(SIZES[1]))
    taken: dict[str, list[float]] = {name: [] for name in LOGS}
    for _ in tqdm(range(rounds), desc="time", unit="round", disable=None):
        for name, make in LOGS.items():
            taken[name].append(seconds_of(make, events))
    found = {
        "rounds": rounds,
        "timed": len(events),
        "window": WINDOW,
        "sizes": list(SIZES),
        "cpus": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "seconds of reading": median(seconds_of_reading() for _ in range(rounds)),
        "logs": {
            name: {
                "events a second": len(events) / median(taken[name]),
                "bytes held": bytes_held(make, SIZES),
            }
            for name, make in LOGS.items()
        },
    }
    (HERE / "monitoring.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (HERE / "monitoring.md").write_text(table(found), encoding="utf-8")
    print(table(found))


if __name__ == "__main__":
    main()
