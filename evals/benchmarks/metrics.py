"""How long four tools take for nDCG@10, Recall@100, MAP and MRR, from dicts to means, and how much memory
they need.

    .venv/bin/pip install -r evals/benchmarks/requirements.txt .venv/bin/python evals/benchmarks/metrics.py

writes `metrics.json` and the table `metrics.md` beside this file. Every tool starts from the same Python
dicts, so what it needs to convert them counts. All tools take turns in one process; memory is measured in a
process of its own for each. The times are those of one machine: compare within a row. This is a measurement,
no test: nothing fails for being slow.
"""

import argparse
import gc
import multiprocessing
import random
from collections.abc import Callable
from functools import partial

import peak
import psutil
from stored import machine, store
from tqdm import tqdm
from turns import in_turn

MEASURED = ("nDCG@10", "Recall@100", "MAP", "MRR")

MS_MARCO = {"queries": 6980, "depth": 1000, "relevant": 1.1}
SHAPES = {
    "300 × 100": {"queries": 300, "depth": 100, "relevant": 1.1},
    "6,980 × 1,000": MS_MARCO,
    "6,980 × 1,000, dicts not in score order": MS_MARCO | {"shuffled": True},
    "50 × 1,000": {"queries": 50, "depth": 1000, "relevant": 500},
}


def made_up(queries: int, depth: int, relevant: float, shuffled: bool = False) -> tuple[dict, dict]:
    """A run and qrels as dicts: ids of seven digits, no equal scores, nine of ten relevant retrieved.

    With 1.1 relevant documents a query every tenth query has two, as in MS MARCO's dev set.
    """
    rng = random.Random(0)
    collection = [str(number) for number in range(1_000_000, 9_841_823, 7)]
    run, qrels = {}, {}
    for number in range(queries):
        doc_ids = rng.sample(collection, depth)
        scores = sorted((rng.gauss(10, 3) for _ in range(depth)), reverse=True)
        results = list(zip(doc_ids, scores, strict=True))
        if shuffled:
            rng.shuffle(results)
        run[f"q{number}"] = dict(results)
        n_relevant = int(relevant) + (relevant % 1 > 0 and number % 10 == 0)
        found = rng.sample(doc_ids, n_relevant)
        judged = [doc_id if rng.random() < 0.9 else f"missed{i}" for i, doc_id in enumerate(found)]
        qrels[f"q{number}"] = dict.fromkeys(judged, 1)
    return run, qrels


def measure_first(run: dict, qrels: dict) -> dict[str, float]:
    from helpers.evaluation import evaluate_retrieval

    return dict(evaluate_retrieval(run, qrels, metrics=MEASURED))


def pytrec_eval(run: dict, qrels: dict) -> dict[str, float]:
    import pytrec_eval

    names = {"nDCG@10": "ndcg_cut_10", "Recall@100": "recall_100", "MAP": "map", "MRR": "recip_rank"}
    measures = {"ndcg_cut.10", "recall.100", "map", "recip_rank"}
    found = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    sums = {ours: sum(values[theirs] for values in found.values()) for ours, theirs in names.items()}
    return {ours: total / len(found) for ours, total in sums.items()}


def ir_measures(run: dict, qrels: dict) -> dict[str, float]:
    import ir_measures
    from ir_measures import AP, RR, R, nDCG

    names = {"nDCG@10": nDCG @ 10, "Recall@100": R @ 100, "MAP": AP, "MRR": RR}
    found = ir_measures.calc_aggregate(list(names.values()), qrels, run)
    return {ours: found[theirs] for ours, theirs in names.items()}


def ranx(run: dict, qrels: dict) -> dict[str, float]:
    from ranx import Qrels, Run, evaluate

    names = {"nDCG@10": "ndcg@10", "Recall@100": "recall@100", "MAP": "map", "MRR": "mrr"}
    found = evaluate(Qrels(qrels), Run(run), list(names.values()))
    return {ours: float(found[theirs]) for ours, theirs in names.items()}


TOOLS: dict[str, Callable] = {
    "Measure First": measure_first,
    "pytrec_eval": pytrec_eval,
    "ir_measures": ir_measures,
    "ranx": ranx,
}


def times(shape: str, rounds: int) -> dict[str, dict]:
    """For each tool what `in_turn` measures, that beside pytrec_eval, and how far its means are off."""
    run, qrels = made_up(**SHAPES[shape])
    seconds, means = in_turn({name: partial(tool, run, qrels) for name, tool in TOOLS.items()}, rounds, shape)
    for name, row in seconds.items():
        row["ratio to pytrec_eval"] = row["seconds"] / seconds["pytrec_eval"]["seconds"]
        differences = [abs(means[name][m] - means["pytrec_eval"][m]) for m in MEASURED]
        row["largest difference of a mean"] = max(differences)
    return seconds


def peak_mebibytes(shape: str, tool: str) -> float:
    """The most memory that a tool held at any time above what was held before it was called, inputs included.

    Called once on a tiny input before, so that imports and compiled code do not count.
    """
    TOOLS[tool](*made_up(queries=3, depth=10, relevant=2))
    inputs = made_up(**SHAPES[shape])
    gc.collect()
    peak.forget()
    before = psutil.Process().memory_info().rss
    TOOLS[tool](*inputs)
    return max(peak.so_far() - before, 0) / 2**20


def table(found: dict) -> str:
    """The Markdown page of one measurement."""
    made_of = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    lines = [
        "# Metrics: time and memory",
        "",
        "nDCG@10, Recall@100, MAP and MRR of one made-up run, from Python dicts to means, conversion "
        f"included. Shapes are queries × documents a query; the first three have 1.1 relevant documents a "
        f"query, the last 500. Median of {found['rounds']} rounds after a first call that warms up; the "
        "four tools take turns in one process. Peak memory is above what the inputs hold, each tool in a "
        "process of its own.",
        "",
        f"Measured on {found['cpus']} cores with Python {found['python']}: {made_of}. Written by "
        "`metrics.py`, which says how.",
        "",
        "| shape | tool | seconds | fastest–slowest | ratio to pytrec_eval | peak memory, MiB | first call, "
        "s |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for shape, tools in found["shapes"].items():
        for tool, row in tools.items():
            lines.append(
                f"| {shape} | {tool} | {row['seconds']:.4f} | {row['fastest']:.4f}–{row['slowest']:.4f} | "
                f"{row['ratio to pytrec_eval']:.2f} | {row['peak MiB']:.1f} | {row['first call']:.2f} |"
            )
    worst = max(
        row["largest difference of a mean"] for tools in found["shapes"].values() for row in tools.values()
    )
    lines += [
        "",
        f"All four give the same means: no mean differs from pytrec_eval's by more than {worst:.1e}.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7, help="rounds after the first one (default: 7)")
    rounds = parser.parse_args().rounds
    if rounds < 1:
        parser.error("--rounds must be 1 or more")
    shapes = {shape: times(shape, rounds) for shape in SHAPES}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as processes:
        for shape in tqdm(SHAPES, desc="memory", unit="shape", disable=None):
            for tool in TOOLS:
                shapes[shape][tool]["peak MiB"] = processes.apply(peak_mebibytes, (shape, tool))
    found = {
        "rounds": rounds,
        **machine(("pytrec-eval-terrier", "ir-measures", "ranx", "numpy", "pandas")),
        "shapes": shapes,
    }
    store("metrics", found, table(found))


if __name__ == "__main__":
    main()
