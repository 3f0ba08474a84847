"""How many feedback events a second the monitor takes and what it holds after 10,000, 100,000 and 1,000,000
of them; and how often a test that is looked at while it runs, and a monitor that is asked every day, raise a
false alarm.

    .venv/bin/pip install -r evals/benchmarks/requirements.txt
    .venv/bin/python evals/benchmarks/monitoring.py

writes `monitoring.json` and the table `monitoring.md` beside this file. Beside ours stands the list without
an end that a log becomes where nobody limits it. Time and memory are measured in runs of their own, since
counting memory slows what is counted. The times are those of one machine: compare within a row. This is a
measurement, no test: nothing fails for being slow. The false alarms are simulated with fixed seeds, the same
everywhere.
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
from scipy.stats import ttest_ind_from_stats
from tqdm import tqdm

from helpers.monitoring import AccuracyMonitor, feedback_event
from helpers.stats import BOUNDARIES, sequential_levels, sequential_power

HERE = Path(__file__).parent
WINDOW = 1000
SIZES = (10_000, 100_000, 1_000_000)
LOOKS = {"2": 2, "5": 5, "14": 14, "5 unequal": (0.04, 0.1, 0.3, 0.6, 1.0)}
"""When an experiment is looked at: after so many equal portions, or at these shares of the planned data."""
EXPERIMENTS, USERS, CHANCE = 20_000, 1400, 1 / 3
"""How many experiments, with how many users a side at the end, who click with which chance."""
MONTHS, DAYS, CLICKS, WINDOW_DAYS = 20_000, 25, 700, (5, 2, 1)
"""How many months; days on which the monitor is asked; queries with feedback in its window, and in how many
days they come in."""


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


def welch_p(clicks_a: np.ndarray, clicks_b: np.ndarray, sizes_a: np.ndarray, sizes_b: np.ndarray):
    """The p-values of Welch's t-test of clicked or not, from how many clicked."""
    moments = []
    for clicks, sizes in ((clicks_a, sizes_a), (clicks_b, sizes_b)):
        mean = clicks / sizes
        moments += [mean, np.sqrt(mean * (1 - mean) * sizes / (sizes - 1)), sizes]
    return ttest_ind_from_stats(*moments, equal_var=False).pvalue


def looking() -> list[dict]:
    """False alarms between equal systems that are looked at, and what each boundary costs and saves."""
    rows = []
    for name, looks in LOOKS.items():
        shares = np.arange(1, looks + 1) / looks if isinstance(looks, int) else np.array(looks)
        sizes, rng = np.rint(USERS * shares).astype(int), np.random.default_rng(0)
        new = np.diff(sizes, prepend=0)
        a, b = (rng.binomial(new, CHANCE, (EXPERIMENTS, len(new))).cumsum(axis=1) for _ in range(2))
        p_values = welch_p(a, b, sizes, sizes)
        for boundary in ("none: p < 0.05", *BOUNDARIES):
            none = boundary not in BOUNDARIES
            levels = np.full(len(shares), 0.05) if none else sequential_levels(looks, boundary)
            row = {"looks": name, "boundary": boundary, "levels": levels.tolist()}
            row["false alarms"] = float((p_values < levels).any(axis=1).mean())
            rows.append(row | ({} if none else sequential_power(looks, boundary)))
    return rows


def asking_daily() -> list[dict]:
    """The share of months without any change in which a window that slides is called different from a saved
    one on at least one day, by the level of the test."""
    rows = []
    for days in WINDOW_DAYS:
        rng = np.random.default_rng(0)
        clicks = rng.binomial(CLICKS // days, 0.5, (MONTHS, 2 * days + DAYS - 1))
        saved, sums = clicks[:, :days].sum(axis=1, keepdims=True), clicks.cumsum(axis=1)
        # Asked for the first time when the window shares no day with the saved one.
        window = sums[:, 2 * days - 1 :] - sums[:, days - 1 : -days]
        p_values = welch_p(saved, window, *[np.array(CLICKS)] * 2)
        alarms = {f"{level:g}": float((p_values < level).any(axis=1).mean()) for level in (0.01, 0.001)}
        rows.append({"days in the window": days, "false alarms": alarms})
    return rows


def alarms_table(found: dict) -> list[str]:
    """What was simulated, as lines of Markdown."""
    lines = [
        "## Looking while a test runs",
        "",
        f"{EXPERIMENTS:,} experiments without any difference, {USERS:,} users a side at the end, who click "
        "with chance 1/3; Welch's test at each look, alpha 0.05. Simulated are the false alarms; the rest is "
        "computed by `stats.sequential_power` for a plan whose one look at the end has the power 0.80. Data "
        "is counted in units of what that one look needs; the last two columns are for a plan enlarged until "
        "its power is 0.80 too.",
        "",
        "| looks | boundary | level, first look | level, last look | false alarms | power | data used | "
        "data to plan for 0.80 | data used of it |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    keys = ("power", "data used", "longer plan", "used of longer plan")
    for row in found["looking"]:
        costs = " | ".join(f"{row[key]:.3f}" if key in row else "–" for key in keys)
        first, last = (f"{row['levels'][look]:.2g}" for look in (0, -1))
        name = f"| {row['looks']} | {row['boundary']} | {first} | {last}"
        lines.append(f"{name} | {row['false alarms']:.3f} | {costs} |")
    unequal = ", ".join(f"{share:.0%}" for share in LOOKS["5 unequal"])
    asked = [
        f"| {row['days in the window']} | "
        + " | ".join(f"{share:.3f}" for share in row["false alarms"].values())
        + " |"
        for row in found["asking daily"]
    ]
    return [
        *lines,
        "",
        f"Unequal looks are taken at {unequal} of the planned data.",
        "",
        "## Asking a monitor every day",
        "",
        f"{MONTHS:,} months in which nothing changes. A window of {CLICKS} queries, clicked or not with "
        f"chance 1/2, is compared by Welch's test with one saved before, on {DAYS} days. The share of months "
        "with a false alarm on at least one day:",
        "",
        "| days that fill the window | tested at 0.01 | tested at 0.001 |",
        "|--:|--:|--:|",
        *asked,
        "",
    ]


def table(found: dict) -> str:
    """The Markdown page of one measurement."""
    lines = [
        "# Monitoring: events a second, memory, false alarms",
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
    return "\n".join([*lines, *alarms_table(found)])


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
        "looking": looking(),
        "asking daily": asking_daily(),
    }
    (HERE / "monitoring.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (HERE / "monitoring.md").write_text(table(found), encoding="utf-8")
    print(table(found))


if __name__ == "__main__":
    main()
