"""What intervals, tests, corrections and the three answers to a limit keep of what they promise, simulated on
the course's own differences.

    BEIR_DATA_DIR=… .venv/bin/python evals/benchmarks/statistics_tables.py

writes `statistics.json` and `statistics.md` beside this file, in about four minutes. (The script is not
called `statistics.py`, since Python has a module of that name.) The truth is known: the observed differences
of two systems are taken for all the queries that there are, and test sets are drawn from them. With other
differences than these it may go otherwise.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
import scipy.stats
from stored import machine, store
from tqdm import tqdm

from helpers import stats
from helpers.datasets import load_beir, load_runbooks
from helpers.evaluation import evaluate_retrieval
from helpers.records import Dataset
from helpers.retrieval import CsrBM25, LatentRetriever, RankBM25, to_documents
from helpers.stats.power_analysis import noise_ratios
from helpers.text import (
    chunk_corpus,
    chunk_fixed,
    encoding_or_stand_in,
    plain,
    plain_stemmed,
    plain_stopped,
    to_corpus,
)

WORLDS, FAMILIES, RESAMPLES = 4000, 2000, 1000
METHODS = ("t", "plain t", "percentile", "bca")
TESTS = ("t", "randomisation", "Wilcoxon")
LEVEL = 0.05
LIMITS, DROPS = (0.02, 0.05), (0.0, 0.02, 0.05, 0.1)
ANSWERS = (stats.WORSE, stats.CANNOT_TELL, stats.NOT_WORSE)
GAIN = 0.05
SIZES, NULLS, ENDS = (30, 100, 300), ("symmetric", "not symmetric"), ("single t", "max-T")


def scored(dataset: Dataset, systems: dict[str, Callable], metrics: list[str]) -> dict[str, pd.DataFrame]:
    """For each system its scores: a row per query, a column per metric."""
    runs = {name: search(dataset.queries, k=1000) for name, search in systems.items()}
    return {
        name: evaluate_retrieval(run, dataset.qrels, metrics=metrics).per_query for name, run in runs.items()
    }


def pairs() -> dict[str, np.ndarray]:
    """Differences per query of six pairs: lesson 06's on its 30 queries, and five with more queries."""
    runbooks, scifact = load_runbooks(queries="all"), load_beir("scifact")
    on_runbooks = two_engines(runbooks, ["nDCG@10", "MRR"])
    on_scifact = two_engines(scifact, ["nDCG@10", "P@1"])
    core = on_runbooks["nDCG@10"].loc[list(load_runbooks().queries)]
    anserini = partial(CsrBM25, scifact.corpus, k1=0.9, b=0.4)
    step = {"stopwords": anserini(analyzer=plain_stopped), "stems": anserini(analyzer=plain_stemmed)}
    before, after = scored(scifact, {name: one.search for name, one in step.items()}, ["nDCG@10"]).values()
    return {
        "runbooks' core, nDCG@10": core.to_numpy(),
        "runbooks, nDCG@10": on_runbooks["nDCG@10"].to_numpy(),
        "runbooks, MRR": on_runbooks["MRR"].to_numpy(),
        "SciFact, nDCG@10": on_scifact["nDCG@10"].to_numpy(),
        "SciFact, P@1": on_scifact["P@1"].to_numpy(),
        "SciFact, nDCG@10, stems": stats.paired(before["nDCG@10"], after["nDCG@10"])["difference"].to_numpy(),
    }


def two_engines(dataset: Dataset, metrics: list[str]) -> dict[str, pd.Series]:
    """Lucene's BM25 less the plain one: differences per query, for each metric."""
    engines = {
        "plain": RankBM25(dataset.corpus, plain),
        "Lucene": CsrBM25(dataset.corpus, lucene_lengths=True),
    }
    both = scored(dataset, {name: engine.search for name, engine in engines.items()}, metrics).values()
    return {metric: stats.paired(*(table[metric] for table in both))["difference"] for metric in metrics}


def six_systems() -> np.ndarray:
    """Lesson 06's six systems: nDCG@10 less that of plain BM25, on all 135 queries (queries × systems)."""
    dataset = load_runbooks(queries="all")
    corpus = dataset.corpus
    openings = {doc_id: text.split("\n")[0] for doc_id, text in corpus.items()}
    cut = partial(chunk_fixed, chunk_size=512, overlap=50, encoding=encoding_or_stand_in())
    chunks = RankBM25(to_corpus(chunk_corpus(corpus, cut)), plain)
    systems = {
        "plain": RankBM25(corpus, plain).search,
        "Lucene": CsrBM25(corpus, lucene_lengths=True).search,
        "BM25+": CsrBM25(corpus, variant="bm25+").search,
        "tf-idf": CsrBM25(corpus, variant="tf-idf").search,
        "latent semantic": LatentRetriever(corpus).search,
        "opening only": CsrBM25(openings, lucene_lengths=True).search,
        "chunks": lambda queries, k: to_documents(chunks.search(queries, k=k)),
    }
    columns = [table["nDCG@10"].to_numpy() for table in scored(dataset, systems, ["nDCG@10"]).values()]
    return (np.column_stack(columns[1:]) - columns[0][:, None]).round(stats.DECIMALS)


def drawn(differences: np.ndarray, n: int, worlds: int, seed: int) -> np.ndarray:
    """Test sets of n queries, one a column."""
    return differences[np.random.default_rng(seed).integers(len(differences), size=(n, worlds))]


def coverage(differences: np.ndarray, n: int) -> dict[str, float]:
    """The share of intervals of 95 % that hold the true mean, by each method."""
    sets, truth, found = drawn(differences, n, WORLDS, seed=1), differences.mean(), {}
    for method in METHODS:
        bootstrap = partial(stats.bootstrap_intervals, n_resamples=RESAMPLES, method=method)
        ends = {"t": stats.t_intervals, "plain t": plain_t}.get(method, bootstrap)(sets)
        found[method] = float(((ends["low"] <= truth) & (truth <= ends["high"])).mean())
    low, high = noise_ratios(sets[:, sets.std(axis=0) > 0], n_resamples=500)
    ratio = differences.std() / sets[:, sets.std(axis=0) > 0].std(axis=0, ddof=1)
    return found | {"pilot": float(((low <= ratio) & (ratio <= high)).sum() / WORLDS)}


def plain_t(sets: np.ndarray) -> pd.DataFrame:
    """The t interval as it stands in textbooks, also where few queries move."""
    ends = scipy.stats.ttest_1samp(sets, 0).confidence_interval()
    return pd.DataFrame({"low": ends.low, "high": ends.high})


def balanced(differences: np.ndarray) -> np.ndarray:
    """Mean 0 and not symmetric: ties stay ties, and all losses are scaled until they balance the gains."""
    gains, losses = differences.clip(min=0), differences.clip(max=0)
    return (gains - losses * gains.sum() / losses.sum()).round(stats.DECIMALS)


def levels(differences: np.ndarray, n: int, symmetric: bool) -> dict[str, float]:
    """The share of test sets with p below 0.05 where the mean difference is 0, by each test."""
    sets = drawn(differences if symmetric else balanced(differences), n, WORLDS, seed=2)
    if symmetric:
        sets = sets * np.random.default_rng(3).choice((-1.0, 1.0), size=sets.shape)
    with np.errstate(invalid="ignore"):  # a set in which nothing varies has no t, and no finding
        p_values = {
            "t": scipy.stats.ttest_1samp(sets, 0).pvalue,
            "randomisation": stats.randomisation_tests(sets, RESAMPLES)["p_value"].to_numpy(),
            "Wilcoxon": scipy.stats.wilcoxon(sets[:, sets.any(axis=0)]).pvalue,
        }
    return {test: float((p_values[test] < LEVEL).sum() / WORLDS) for test in TESTS}


def family(sets: Iterator[np.ndarray], truth: np.ndarray | float) -> dict[str, float]:
    """Of families of comparisons: how often anything is found, and what share, by each correction.

    And how often all intervals hold the true means at once: single t intervals, and those of `max_t`.
    """
    rows = []
    for seed, differences in enumerate(sets):
        single = stats.randomisation_tests(differences, RESAMPLES, seed)["p_value"].to_numpy()
        joint = stats.max_t(differences, n_resamples=RESAMPLES, rng=seed)
        corrected = {"none": single, "Holm": np.array(stats.holm(single.tolist()))}
        row = {}
        for name, p in (corrected | {"max-T": joint["p_value"].to_numpy()}).items():
            row |= {f"any, {name}": bool((p < LEVEL).any()), f"share, {name}": float((p < LEVEL).mean())}
        for name, ends in zip(ENDS, (stats.t_intervals(differences), joint), strict=True):
            row[f"all hold, {name}"] = bool(((ends["low"] <= truth) & (truth <= ends["high"])).all())
        rows.append(row)
    return pd.DataFrame(rows).mean().to_dict()


def families(differences: np.ndarray) -> dict[str, dict[str, float]]:
    """`family` where nothing differs, drawn in two ways, and where one system or all are better by `GAIN`."""
    centred = differences - differences.mean(axis=0)

    def found(n: int, symmetric: bool, gain: np.ndarray | float = 0.0) -> dict[str, float]:
        rng = np.random.default_rng(4)

        def sets() -> Iterator[np.ndarray]:
            for _ in tqdm(range(FAMILIES), desc="families", disable=None):
                rows = rng.integers(len(differences), size=n)
                # One sign for all differences of a query, so that they hang together as before.
                signs = rng.choice((-1.0, 1.0), size=(n, 1))
                yield (differences[rows] * signs if symmetric else centred[rows]) + gain

        return family(sets(), gain)

    fourth = np.eye(differences.shape[1])[3] * GAIN
    return {
        "none, symmetric, n = 30": found(30, symmetric=True),
        "none, symmetric, n = 100": found(100, symmetric=True),
        "none, not symmetric, n = 30": found(30, symmetric=False),
        "none, not symmetric, n = 100": found(100, symmetric=False),
        "latent semantic, n = 100": found(100, symmetric=True, gain=fourth),
        "all six, n = 100": found(100, symmetric=True, gain=GAIN),
    }


def answers(differences: np.ndarray, n: int, limit: float, drop: float) -> dict[str, float]:
    """The share of each answer that `non_inferiority` gives where the true mean difference is -drop."""
    sets = drawn(differences - differences.mean() - drop, n, WORLDS, seed=5)
    ends = stats.t_intervals(sets, confidence=1 - 2 * LEVEL)
    found = {stats.WORSE: ends["high"] < -limit, stats.NOT_WORSE: ends["low"] >= -limit}
    found[stats.CANNOT_TELL] = ~found[stats.WORSE] & ~found[stats.NOT_WORSE]
    return {answer: float(found[answer].mean()) for answer in ANSWERS}


def about(differences: np.ndarray) -> dict[str, float]:
    moved, deviation = np.count_nonzero(differences), differences.std(ddof=1)
    return {
        "queries": len(differences),
        "moved": int(moved),
        "mean": float(differences.mean()),
        "deviation": float(deviation),
    }


def measured() -> dict:
    found = pairs()
    noise = found["runbooks, nDCG@10"]
    return {
        "worlds": WORLDS,
        "families": FAMILIES,
        "resamples": RESAMPLES,
        "gain": GAIN,
        "pairs": {name: about(d) for name, d in found.items()},
        "coverage": {name: {n: coverage(d, n) for n in SIZES[:2]} for name, d in found.items()},
        "levels": {
            name: {null: {n: levels(d, n, null == NULLS[0]) for n in SIZES} for null in NULLS}
            for name, d in found.items()
        },
        "families of six": families(six_systems()),
        "answers": {
            n: {limit: {drop: answers(noise, n, limit, drop) for drop in DROPS} for limit in LIMITS}
            for n in (30, 135, 300)
        },
    }


# The page


def lines_of(head: list[str], rows: list[list[str]], names: int) -> list[str]:
    """A Markdown table, with `names` columns to the left and numbers to the right."""
    rule = ["---"] * names + ["--:"] * (len(head) - names)
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)] + [""]


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def coverage_lines(found: dict) -> list[str]:
    rows = [
        [name, n, *(percent(row[method]) for method in (*METHODS, "pilot"))]
        for name, by_size in found["coverage"].items()
        for n, row in by_size.items()
    ]
    return [
        "## Does an interval of 95 % hold the true mean difference?",
        "",
        f"Shares of {found['worlds']:,} test sets, in percent; bootstraps with {found['resamples']:,} "
        'resamples. "t" is `t_interval`, which counts two queries more where fewer than ten move; "plain t" '
        "does not. The last column is the interval of the differences' standard deviation, on which "
        "`pilot_interval` rests.",
        "",
        *lines_of(["differences", "queries", "t", "plain t", "percentile", "BCa", "pilot"], rows, 1),
    ]


def level_lines(found: dict) -> list[str]:
    rows = [
        [name, null, n, *(percent(row[test]) for test in TESTS)]
        for name, by_null in found["levels"].items()
        for null, by_size in by_null.items()
        for n, row in by_size.items()
    ]
    return [
        "## How often does a test find a difference where the mean difference is 0?",
        "",
        f"Shares of {found['worlds']:,} test sets with p < 0.05, in percent. Symmetric: names exchanged by "
        "the toss of a coin. Not symmetric: ties stay ties, and losses are scaled until they balance the "
        "gains.",
        "",
        *lines_of(["differences", "drawn", "queries", *TESTS], rows, 2),
    ]


def family_lines(found: dict) -> list[str]:
    corrections = ("none", "Holm", "max-T")
    any_head, share_head = ([f"{what}, {name}" for name in corrections] for what in ("any", "share"))
    rows = [
        [name, *(percent(row[cell]) for cell in (*any_head, *share_head))]
        + [percent(row[f"all hold, {ends}"]) for ends in ENDS]
        for name, row in found["families of six"].items()
    ]
    return [
        "## Six systems against one baseline",
        "",
        f"Lesson 06's six on the 135 queries, nDCG@10: {found['families']:,} families, randomisation tests "
        f"with {found['resamples']:,} flips, in percent. Any: families in which at least one p is below "
        "0.05. Share: comparisons with p below 0.05. Where systems are better, it is by "
        f"{found['gain']}. The last columns: families in which all six intervals of 95 % hold the truth.",
        "",
        *lines_of(
            ["better than the baseline", *any_head, *share_head, *(f"all hold, {e}" for e in ENDS)], rows, 1
        ),
    ]


def answer_lines(found: dict) -> list[str]:
    rows = [
        [n, limit, drop, *(percent(row[answer]) for answer in ANSWERS)]
        for n, by_limit in found["answers"].items()
        for limit, by_drop in by_limit.items()
        for drop, row in by_drop.items()
    ]
    return [
        "## Worse than a limit allows? Three answers",
        "",
        f"`non_inferiority` at its one-sided level of 0.05: shares of {found['worlds']:,} test sets, in "
        "percent, with the noise of the second pair. A claim that is false should be made in at most 5 % of "
        "cases.",
        "",
        *lines_of(["queries", "limit", "true drop", *ANSWERS], rows, 0),
    ]


def table(found: dict) -> str:
    """The Markdown page of one measurement."""
    made_of = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    rows = [
        [
            name,
            *(str(row[key]) for key in ("queries", "moved")),
            f"{row['mean']:+.4f}",
            f"{row['deviation']:.4f}",
        ]
        for name, row in found["pairs"].items()
    ]
    head = ["differences", "queries", "moved", "mean", "standard deviation"]
    lines = [
        "# How well intervals, tests and answers keep their promises",
        "",
        "Simulated on differences of the course's own systems, which are taken for all the queries that "
        "there are; test sets are drawn from them. The pairs are plain BM25 and Lucene's, the last one "
        f"stopwords and stems; the runbooks have 30 core queries and 135 in all. A share of 5 % of "
        f"{found['worlds']:,} has a standard error of {100 * (0.05 * 0.95 / found['worlds']) ** 0.5:.1f} "
        "points.",
        "",
        f"Measured with Python {found['python']}: {made_of}. Written by `statistics_tables.py`, which says "
        "how.",
        "",
        *lines_of(head, rows, 1),
        *coverage_lines(found),
        *level_lines(found),
        *family_lines(found),
        *answer_lines(found),
        "What looking early costs is in [monitoring.md](monitoring.md).",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    found = machine(("numpy", "scipy", "pandas")) | measured()
    found = json.loads(json.dumps(found))  # as it is read back: all keys are texts
    store("statistics", found, table(found))


if __name__ == "__main__":
    main()
