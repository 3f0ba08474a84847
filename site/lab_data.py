"""The data that the pages compute on, from the stored collection: lesson 03's run, its judgments, and
measured spreads of differences."""

import json
from itertools import combinations

from course.baselines import load_runs
from helpers.base import files
from helpers.datasets import load_runbooks, trec
from helpers.evaluation import evaluate_retrieval
from helpers.judgments import leave_out
from helpers.stats import paired


def script() -> str:
    """A script that gives `MeasureFirst` its `lab` and its `spreads`."""
    return (
        "var MeasureFirst = window.MeasureFirst || {};\n"
        f"MeasureFirst.lab = {json.dumps(lab(), separators=(',', ':'))};\n"
        f"MeasureFirst.spreads = {json.dumps(spreads())};\n"
        "window.MeasureFirst = MeasureFirst;\n"
    )


def lab() -> dict:
    """The run of lesson 03's conventions lab in the order in which its engine gave it, and the judgments.

    Of the pages that are not relevant only those are kept that the run has: no metric looks at the others.
    `pool` holds for each query the judged pages that one of the six stored systems has in its first ten.
    """
    qrels = load_runbooks().qrels
    stored = trec.read_run(files.ROOT / "evals" / "benchmarks" / "title_words.run")
    run = {
        q: sorted(map(list, dict(pairs).items()), key=lambda pair: (-pair[1], pair[0]))
        for q, pairs in stored.items()
    }
    kept = {
        q: {d: grade for d, grade in judged.items() if grade > 0 or d in dict(run.get(q, []))}
        for q, judged in qrels.items()
    }
    pooled = leave_out(qrels, load_runs(), k=10)
    pool = {q: [d for d in judged if d in pooled.get(q, {})] for q, judged in kept.items()}
    return {"run": run, "qrels": kept, "pool": pool}


def spreads(metric: str = "nDCG@10") -> list[list]:
    """For pairs of the six stored systems the standard deviation of their differences on thirty queries."""
    qrels = load_runbooks().qrels
    scores = {
        name: evaluate_retrieval(run, qrels, metrics=[metric]).per_query[metric]
        for name, run in load_runs().items()
    }
    found = [
        [
            f"{one} and {other}, {metric}",
            round(float(paired(scores[one], scores[other])["difference"].std(ddof=1)), 3),
        ]
        for one, other in combinations(scores, 2)
    ]
    return sorted(found, key=lambda row: row[1])
