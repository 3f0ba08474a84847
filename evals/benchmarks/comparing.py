"""How long it takes to compare five systems on 6,980 queries with 10,000 resamples, and how much memory it
needs.

    .venv/bin/pip install -r evals/benchmarks/requirements.txt .venv/bin/python evals/benchmarks/comparing.py

writes `comparing.json` and the table `comparing.md` beside this file. Every tool starts from the same NumPy
array of scores. What each computes is in its function below. All tools take turns in one process; memory is
measured in a process of its own for each. The times are those of one machine: compare within a table. This is
a measurement, no test: nothing fails for being slow.
"""

import argparse
import gc
import multiprocessing
from collections.abc import Callable
from functools import partial

import numpy as np
import peak
import psutil
from stored import machine, store
from tqdm import tqdm
from turns import in_turn

SYSTEMS, QUERIES, RESAMPLES = 5, 6980, 10_000
BATCH = {"bootstrap": 50, "permutation_test": 500}
"""How many resamples scipy makes at a time: of those tried, from 5 to 1,000, the quickest."""


def made_up(queries: int = QUERIES) -> np.ndarray:
    """Reciprocal ranks at 10 (queries × systems): queries differ a lot, systems a little."""
    rng = np.random.default_rng(0)
    ease = rng.normal(size=(queries, 1)) + np.linspace(0, 0.04, SYSTEMS)
    ease = ease + rng.normal(scale=0.7, size=(queries, SYSTEMS))
    ranks = np.ceil(np.exp(1.5 - ease))
    return np.where(ranks <= 10, 1 / ranks, 0.0)


def differences(scores: np.ndarray) -> np.ndarray:
    """Of each other system to the first (queries × systems - 1)."""
    return scores[:, 1:] - scores[:, :1]


def measure_first_intervals(scores: np.ndarray, resamples: int) -> np.ndarray:
    """`bootstrap_intervals`: the same resamples for all nine."""
    from helpers.stats import bootstrap_intervals

    return bootstrap_intervals(np.hstack([scores, differences(scores)]), n_resamples=resamples)[
        ["low", "high"]
    ].to_numpy()


def scipy_intervals(scores: np.ndarray, resamples: int) -> np.ndarray:
    """`scipy.stats.bootstrap`, one vectorised call: the same resamples for all nine."""
    from scipy.stats import bootstrap

    data = (np.hstack([scores, differences(scores)]).T.copy(),)
    given = {"n_resamples": resamples, "batch": BATCH["bootstrap"], "method": "percentile", "random_state": 1}
    found = bootstrap(data, np.mean, axis=-1, **given)
    return np.column_stack(found.confidence_interval)


def measure_first_p_values(scores: np.ndarray, resamples: int) -> np.ndarray:
    """`randomisation_tests`: the same sign flips for all four, (count + 1) / (resamples + 1)."""
    from helpers.stats import randomisation_tests

    return randomisation_tests(differences(scores), n_resamples=resamples)["p_value"].to_numpy()


def scipy_p_values(scores: np.ndarray, resamples: int) -> np.ndarray:
    """`scipy.stats.permutation_test`, which flips signs of one sample: one call for all, with the + 1."""
    from scipy.stats import permutation_test

    data = (differences(scores).T.copy(),)
    given = {
        "n_resamples": resamples,
        "batch": BATCH["permutation_test"],
        "permutation_type": "samples",
        "vectorized": True,
        "axis": -1,
    }
    return permutation_test(data, np.mean, random_state=1, **given).pvalue


def ranx_p_values(scores: np.ndarray, resamples: int) -> np.ndarray:
    """The Fisher test of `ranx.compare`, one pair after the other, compiled, both cores; without the + 1."""
    from ranx.statistical_tests import fisher_randomization_test

    columns = [column.copy() for column in scores.T]
    p = partial(fisher_randomization_test, columns[0], n_permutations=resamples)
    return np.array([p(other)[0] for other in columns[1:]])


TASKS: dict[str, dict[str, Callable]] = {
    "95 % bootstrap intervals of five means and four differences": {
        "Measure First": measure_first_intervals,
        "scipy": scipy_intervals,
    },
    "randomisation test of four differences": {
        "Measure First": measure_first_p_values,
        "scipy": scipy_p_values,
        "ranx": ranx_p_values,
    },
}


def times(task: str, rounds: int) -> dict[str, dict]:
    """For each tool what `in_turn` measures, that beside ours, and how far it is from what scipy finds."""
    scores = made_up()
    tools = {name: partial(tool, scores, RESAMPLES) for name, tool in TASKS[task].items()}
    seconds, found = in_turn(tools, rounds, task)
    for name, row in seconds.items():
        row["ratio"] = row["seconds"] / seconds["Measure First"]["seconds"]
        row["largest difference"] = float(np.abs(found[name] - found["scipy"]).max())
        row["found"] = found[name].tolist()
    return seconds


def peak_mebibytes(task: str, tool: str) -> float:
    """The most memory that a tool held at any time above what was held before it was called.

    That includes the scores. Called once on a tiny input before, so that imports and compiled code do not
    count.
    """
    TASKS[task][tool](made_up(queries=30), 200)
    scores = made_up()
    gc.collect()
    peak.give_back()
    peak.forget()
    before = psutil.Process().memory_info().rss
    TASKS[task][tool](scores, RESAMPLES)
    return max(peak.so_far() - before, 0) / 2**20


def table(found: dict) -> str:
    """The Markdown page of one measurement."""
    made_of = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    lines = [
        "# Comparing systems: time and memory",
        "",
        f"{found['systems']} systems on {found['queries']:,} queries with {found['resamples']:,} resamples, "
        f"from an array of made-up reciprocal ranks. Median of {found['rounds']} rounds after a first call "
        "that warms up; the tools take turns in one process. Peak memory is above what the scores hold, "
        "each tool in a process of its own.",
        "",
        f"Measured on {found['cpus']} cores with Python {found['python']}: {made_of}. Written by "
        "`comparing.py`, which says how.",
        "",
        "| task | tool | seconds | fastest–slowest | × Measure First | peak memory, MiB | first call, s | "
        "largest difference to scipy |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for task, tools in found["tasks"].items():
        for tool, row in tools.items():
            lines.append(
                f"| {task} | {tool} | {row['seconds']:.2f} | {row['fastest']:.2f}–{row['slowest']:.2f} | "
                f"{row['ratio']:.1f} | {row['peak MiB']:.1f} | {row['first call']:.2f} | "
                f"{row['largest difference']:.4f} |"
            )
    lines += [
        "",
        "The tools draw different resamples, so intervals and p-values agree as far as 10,000 of them "
        "allow: the p-values are, "
        + "; ".join(
            f"{tool}: " + ", ".join(f"{p:.4f}" for p in row["found"])
            for tool, row in found["tasks"]["randomisation test of four differences"].items()
        )
        + f". scipy is called once for all systems, {found['batch']['bootstrap']} bootstrap resamples or "
        f"{found['batch']['permutation_test']} permutations at a time.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds after the first one (default: 5)")
    rounds = parser.parse_args().rounds
    if rounds < 1:
        parser.error("--rounds must be 1 or more")
    tasks = {task: times(task, rounds) for task in TASKS}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as processes:
        for task, tools in TASKS.items():
            for tool in tqdm(tools, desc="memory", unit="tool", disable=None):
                tasks[task][tool]["peak MiB"] = processes.apply(peak_mebibytes, (task, tool))
    found = {
        "systems": SYSTEMS,
        "queries": QUERIES,
        "resamples": RESAMPLES,
        "batch": BATCH,
        "rounds": rounds,
        **machine(("scipy", "ranx", "numba", "numpy", "pandas")),
        "tasks": tasks,
    }
    store("comparing", found, table(found))


if __name__ == "__main__":
    main()
