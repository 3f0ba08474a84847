"""From retrieval to answers, measured: does nDCG@10 foretell what a context holds, how far are judges right,
what does their correction keep of its promise, and do queries written by a model order systems?

    .venv/bin/python evals/benchmarks/answers_tables.py

Writes answers.json and answers.md beside this file. Takes some ten minutes of one core; every token is of the
bundled encoding, so that the figures are the same wherever it runs.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd
from encode_vectors import drafted_queries, drafted_sources
from judge_pairs import CUT, collection
from scipy.stats import kendalltau
from stored import machine, store

from course.chunk_lab import lab_chunkers
from helpers.answers import (
    STAGES,
    ExtractiveAnswerer,
    context_scores,
    fill_context,
    passage_grade,
    redundancy,
    stages,
)
from helpers.datasets import load_model_queries, load_nuggets, load_runbooks, runbook_labels
from helpers.encoders import bundled_model
from helpers.evaluation import evaluate_retrieval
from helpers.judgments import load_verdicts
from helpers.records import Chunk, Corpus, Qrels, Queries, Run
from helpers.retrieval import (
    CsrBM25,
    DenseRetriever,
    LatentRetriever,
    RankBM25,
    SqliteFTS5,
    fuse,
    to_documents,
)
from helpers.stats import best_power, prediction_powered, t_interval
from helpers.text import chunk_corpus, load_stand_in, plain, to_corpus

ENCODING = load_stand_in()
BUDGET, ANSWER, DEPTH = 2000, 200, 1000
LEXICAL: dict[str, Callable[[Corpus], object]] = {
    "rank-bm25": partial(RankBM25, analyzer=plain),
    "BM25": partial(CsrBM25, lucene_lengths=True),
    "SQLite": SqliteFTS5,
    "latent semantic": LatentRetriever,
}
CUTS = lab_chunkers(ENCODING) | {"fixed 200/50": CUT}
WITH_VECTORS = ("whole documents", "fixed 200/50")
"""Cuts whose pieces have bundled vectors."""
CONTEXT = ("vital strict", "vital", "all strict", "all", "sufficient", "precision", "ranked precision")
RESAMPLES, TRIALS = 2000, 4000
JUDGES = {
    "language model": lambda found: found["language model"] > 0,
    "cosine": lambda found: found["cosine"] >= 0.5,
    "word overlap": lambda found: found["word overlap"] >= 0.5,
}
"""Every judge as yes or no; the limits of the computed ones were not tuned."""


def runs_of(queries: Queries, corpus: Corpus) -> dict[str, tuple[dict[str, Chunk], Run]]:
    """What each system retrieves, as chunks: `{name: (chunks by id, run)}`."""
    found = {}
    for cut, chunker in CUTS.items():
        chunks = {chunk.chunk_id: chunk for chunk in chunk_corpus(corpus, chunker)}
        texts = to_corpus(chunks.values())
        for engine, make in LEXICAL.items():
            found[f"{engine}; {cut}"] = chunks, make(texts).search(queries, k=DEPTH)
        if cut in WITH_VECTORS:
            dense = DenseRetriever(texts, bundled_model("runbooks")).search(queries, k=DEPTH)
            found[f"MiniLM; {cut}"] = chunks, dense
            found[f"hybrid; {cut}"] = chunks, fuse([found[f"BM25; {cut}"][1], dense], "z")
    return found


def ndcg(run: Run, qrels: Qrels) -> pd.Series:
    """nDCG@10 of documents, a query each."""
    return evaluate_retrieval(to_documents(run), qrels).per_query["nDCG@10"].sort_index()


def measured_systems(runs: Mapping) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """For each system the means, and per query nDCG@10 and what a context of `BUDGET` tokens holds."""
    dataset = load_runbooks(queries="all")
    answers = load_nuggets(runbook_labels("all", dataset.corpus), dataset.corpus)
    per_query = {}
    for name, (chunks, run) in runs.items():
        rows = {}
        for query_id, answer in answers.items():
            ranked = [chunks[chunk_id] for chunk_id, _ in run.get(query_id, [])]
            context = fill_context(ranked, ENCODING, BUDGET)
            scores = context_scores(answer, context, dataset.corpus)
            rows[query_id] = {key: scores[key] for key in CONTEXT}
            rows[query_id] |= {"redundancy": redundancy(context), "pieces": len(context)}
        table = pd.DataFrame.from_dict(rows, orient="index").sort_index()
        per_query[name] = table.assign(**{"nDCG@10": ndcg(run, dataset.qrels)[table.index]})
    means = pd.DataFrame({name: table.mean() for name, table in per_query.items()}).T
    return means, per_query


def tau_between(one: pd.DataFrame, other: pd.DataFrame, rng: np.random.Generator, paired: bool) -> dict:
    """Kendall's tau of two orders of the same systems (columns), and its interval when queries (rows) are
    drawn again: together where both tables are of the same queries, else each by itself."""
    a, b = one.to_numpy(), other[one.columns].to_numpy()
    taus = []
    for _ in range(RESAMPLES):
        rows = rng.integers(len(a), size=len(a))
        others = rows if paired else rng.integers(len(b), size=len(b))
        taus.append(kendalltau(a[rows].mean(axis=0), b[others].mean(axis=0))[0])
    low, high = np.quantile(taus, [0.025, 0.975])
    tau = kendalltau(a.mean(axis=0), b.mean(axis=0))[0]
    return {"tau": float(tau), "low": float(low), "high": float(high)}


def foretold(per_query: Mapping[str, pd.DataFrame], rng: np.random.Generator) -> dict:
    """Does nDCG@10 foretell nugget recall: over systems, and over queries within each system?"""
    tables = {
        key: pd.DataFrame({name: table[key] for name, table in per_query.items()})
        for key in ("nDCG@10", "vital strict", "all strict")
    }
    over_systems = {key: tau_between(tables["nDCG@10"], tables[key], rng, True) for key in list(tables)[1:]}
    for cut in CUTS:
        names = [name for name in per_query if name.endswith(f"; {cut}")]
        over_systems[f"vital strict, {cut}"] = tau_between(
            tables["nDCG@10"][names], tables["vital strict"][names], rng, True
        )
    within = {
        name: float(kendalltau(table["nDCG@10"], table["vital strict"])[0])
        for name, table in per_query.items()
    }
    return {"over systems": over_systems, "over queries": within}


def losses(runs: Mapping) -> dict:
    """How many vital nuggets get how far, with the extractive answerer, for a few systems."""
    dataset = load_runbooks(queries="all")
    answers = load_nuggets(runbook_labels("all", dataset.corpus), dataset.corpus)
    answerer = ExtractiveAnswerer(dataset.corpus, ENCODING)
    found = {}
    for name in (
        "BM25; whole documents",
        "BM25; fixed 200/50",
        "MiniLM; fixed 200/50",
        "hybrid; fixed 200/50",
    ):
        chunks, run = runs[name]
        counts: Counter[str] = Counter()
        for query_id, answer in answers.items():
            ranked = [chunks[chunk_id] for chunk_id, _ in run.get(query_id, [])]
            context = fill_context(ranked, ENCODING, BUDGET)
            said = answerer.answer(dataset.queries[query_id], context, ANSWER)
            vital = [nugget for nugget in answer.nuggets if nugget.importance == "vital"]
            counts += stages(vital, context, said, dataset.corpus)
        found[name] = {stage: counts[stage] for stage in STAGES}
    return found


def judged_pairs() -> pd.DataFrame:
    """The recorded verdicts with the gold grade of each passage, by quotes."""
    corpus, queries = collection()
    labels = {one.query_id: one for one in runbook_labels("all", corpus)}
    labels |= {one.query_id: one for one in runbook_labels("unanswered", corpus)}
    answers = load_nuggets(list(labels.values()), corpus)
    _, found = load_verdicts(corpus, queries)
    found["gold"] = [
        passage_grade(labels[q], answers.get(q), [(d, start, end)], corpus)
        for q, d, start, end in zip(
            found["query_id"], found["doc_id"], found["start"], found["end"], strict=True
        )
    ]
    return found


def coverage(found: pd.DataFrame, rng: np.random.Generator) -> dict:
    """How often four intervals hold the share of relevant passages, and how wide they are.

    The recorded pairs are the world: m of them are drawn with their labels and, as many as are then left,
    others with verdicts alone, all with replacement.
    """
    truth = (found["gold"] > 0).to_numpy(float)
    table: dict = {"truth": float(truth.mean()), "pairs": len(found)}
    for judge, says in JUDGES.items():
        verdicts = says(found).to_numpy(float)
        r = float(np.corrcoef(truth, verdicts)[0, 1])
        table[judge] = {"correlation": r, "says": float(verdicts.mean()), "by m": {}}
        for m in (25, 50, 100, 200, 400):
            rows = [_interval_trial(truth, verdicts, m, rng) for _ in range(TRIALS)]
            table[judge]["by m"][str(m)] = pd.DataFrame(rows).mean().round(4).to_dict()
    return table


def _interval_trial(truth: np.ndarray, verdicts: np.ndarray, m: int, rng: np.random.Generator) -> dict:
    labelled = rng.integers(len(truth), size=m)
    rest = rng.integers(len(truth), size=len(truth) - m)
    given = truth[labelled], verdicts[labelled], verdicts[rest]
    row: dict = {}
    for name, power in {"labels": 0.0, "ppi": 1.0, "tuned": None}.items():
        one = prediction_powered(*given, power=power)
        row |= _kept(name, one["low"], one["high"], truth.mean())
        if name == "tuned":
            row |= {"power": one["power"], "worth": min(one["worth"], len(truth))}
    # As the papers have it: the normal distribution, divisor n, nothing added.
    p = best_power(*given)
    parts = given[0] - p * given[1], p * given[2]
    half = 1.959964 * sum(part.var() / len(part) for part in parts) ** 0.5
    middle = sum(part.mean() for part in parts)
    row |= _kept("papers", middle - half, middle + half, truth.mean())
    everything = np.concatenate(given[1:])
    half = 1.959964 * everything.std() / len(everything) ** 0.5
    return row | _kept("judge alone", everything.mean() - half, everything.mean() + half, truth.mean())


def _kept(name: str, low: float, high: float, truth: float) -> dict:
    return {name: float(low <= truth <= high), f"{name} width": high - low}


def written_queries(rng: np.random.Generator, judged: Mapping[str, pd.DataFrame]) -> dict:
    """Do queries that nobody asked order the systems as the judged ones do?"""
    corpus, _ = collection()
    _, written, _ = load_model_queries(corpus)
    drafts, sources = drafted_queries(), drafted_sources()
    drafted_qrels = {query_id: {doc_id: 1} for query_id, doc_id in sources.items()}
    by_judged = pd.DataFrame({name: table["nDCG@10"] for name, table in judged.items()})
    on_written = runs_of(written.queries, corpus)
    tables = {"written by a model": _ndcg_table(on_written, written.qrels)}
    # Round trip: kept where the page that a query was written from comes back among the first three.
    back = {
        engine: _back(to_documents(on_written[f"{engine}; fixed 200/50"][1]), written.qrels, 3)
        for engine in ("BM25", "MiniLM")
    }
    for engine, kept in back.items():
        tables[f"filtered by {engine}"] = tables["written by a model"].loc[kept]
    both = [query_id for query_id in back["BM25"] if query_id in set(back["MiniLM"])]
    tables["filtered by both"] = tables["written by a model"].loc[both]
    tables["drafted by templates"] = _ndcg_table(runs_of(drafts, corpus), drafted_qrels)
    found = {
        name: {"queries": len(table), "mean": float(table.mean().mean())}
        | tau_between(by_judged, table, rng, False)
        for name, table in tables.items()
    }
    half = [query_id in load_runbooks(queries="dev").queries for query_id in by_judged.index]
    halves = by_judged[half], by_judged[[not one for one in half]]
    found["judged, dev against test"] = {"queries": len(halves[0]), "mean": float(halves[0].mean().mean())}
    found["judged, dev against test"] |= tau_between(*halves, rng, False)
    for name, table in {"judged": by_judged, **tables}.items():
        best = table[["BM25; fixed 200/50", "MiniLM; fixed 200/50"]].mean()
        found.setdefault(name, {"queries": len(table), "mean": float(table.mean().mean())})
        gap = table["MiniLM; fixed 200/50"] - table["BM25; fixed 200/50"]
        low, high = t_interval(gap)
        found[name] |= {"BM25": float(best.iloc[0]), "MiniLM": float(best.iloc[1])}
        found[name] |= {"gap": float(gap.mean()), "gap ±": (high - low) / 2}
    return found


def _ndcg_table(runs: Mapping, qrels: Qrels) -> pd.DataFrame:
    return pd.DataFrame({name: ndcg(run, qrels) for name, (_, run) in runs.items()})


def _back(run: Run, qrels: Qrels, k: int) -> list[str]:
    return [q for q in qrels if set(qrels[q]) & {doc_id for doc_id, _ in run.get(q, [])[:k]}]


def main() -> None:
    rng = np.random.default_rng(22)
    corpus, _ = collection()
    runs = runs_of(load_runbooks(queries="all").queries, corpus)
    means, per_query = measured_systems(runs)
    found = {
        "machine": machine(["numpy", "scipy"]),
        "budget": BUDGET,
        "answer": ANSWER,
        "queries": len(next(iter(per_query.values()))),
        "systems": means.round(4).to_dict(orient="index"),
        "foretold": foretold(per_query, rng),
        "losses": losses(runs),
        "coverage": coverage(judged_pairs(), rng),
        "written queries": written_queries(rng, per_query),
    }
    store("answers", found, table(found))


def table(found: dict) -> str:
    """The page that is stored beside the figures."""
    return "\n".join([_head(found), *_systems(found), *_judges(found), *_written(found)]) + "\n"


def _head(found: dict) -> str:
    answered, systems = found["queries"], len(found["systems"])
    return f"""\
# From retrieval to answers

Made by `answers_tables.py`: {answered} queries of the runbooks that have nuggets, {systems} systems:
four engines of words over ten cuts, and two with vectors over two of them. A context holds
{found["budget"]:,} tokens of the bundled encoding. Intervals are of 95 %; those of Kendall's tau come from
queries drawn again, which adds noise to an order, so that they lie too low rather than too high.

## What a context holds

`vital strict`: the share of vital nuggets of which a quote lies whole in the context. `redundancy`: the
share of characters shown before."""


def _systems(found: dict) -> list[str]:
    columns = ["nDCG@10", "vital strict", "all strict", "sufficient", "precision", "redundancy", "pieces"]
    rows = sorted(found["systems"].items(), key=lambda item: -item[1]["vital strict"])
    lines = [f"\n| system | {' | '.join(columns)} |", f"|---|{'--:|' * len(columns)}"]
    lines += [f"| {name} | {' | '.join(f'{row[c]:.3f}' for c in columns)} |" for name, row in rows]
    lines += ["\n## Does nDCG@10 foretell it?\n", "| Kendall's tau with nDCG@10, over systems | | interval |"]
    lines += ["|---|--:|--:|"]
    for name, one in found["foretold"]["over systems"].items():
        lines.append(f"| {name} | {one['tau']:.2f} | {one['low']:.2f} to {one['high']:.2f} |")
    within = list(found["foretold"]["over queries"].values())
    lines += [f"\nOver queries, within one system: {min(within):.2f} to {max(within):.2f}."]
    lines += [f"\n## Where vital nuggets are lost\n\nAnswers of {found['answer']} tokens.\n"]
    lines += [f"| system | {' | '.join(STAGES)} |", f"|---|{'--:|' * len(STAGES)}"]
    for name, row in found["losses"].items():
        lines.append(f"| {name} | {' | '.join(str(row[stage]) for stage in STAGES)} |")
    return lines


def _judges(found: dict) -> list[str]:
    known = found["coverage"]
    lines = [
        "\n## What intervals keep of their promise",
        f"\n{known['pairs']:,} recorded pairs, of which {100 * known['truth']:.1f} % are relevant. "
        f"How often, in {TRIALS:,} draws, an interval of 95 % holds that share, in percent; behind it its "
        "mean width, in points. `judge alone`: all verdicts and no label. `labels`: no judge. "
        "`ppi`: power 1. "
        "`tuned`: the default. `papers`: tuned, as published. `worth`: so many labels alone would have the "
        "errors of `tuned`.",
    ]
    names = ("judge alone", "labels", "ppi", "tuned", "papers")
    lines += [
        f"\n| judge | labels m | {' | '.join(names)} | worth |",
        f"|---|--:|{'--:|' * (len(names) + 1)}",
    ]
    for judge in JUDGES:
        for m, row in known[judge]["by m"].items():
            cells = [f"{100 * row[name]:.1f} ({100 * row[f'{name} width']:.1f})" for name in names]
            lines.append(f"| {judge} | {m} | {' | '.join(cells)} | {row['worth']:.0f} |")
    return lines


def _written(found: dict) -> list[str]:
    lines = ["\n## Queries that nobody asked\n"]
    lines += ["Kendall's tau of the order of all systems by nDCG@10 with that by the judged queries.\n"]
    lines += ["| queries | n | mean | tau | interval | MiniLM - BM25 |", "|---|--:|--:|--:|--:|--:|"]
    for name, one in found["written queries"].items():
        tau = f"{one['tau']:.2f} | {one['low']:.2f} to {one['high']:.2f}" if "tau" in one else " | "
        gap = f"{one['gap']:+.3f} ± {one['gap ±']:.3f}" if "gap" in one else ""
        lines.append(f"| {name} | {one['queries']} | {one['mean']:.3f} | {tau} | {gap} |")
    return lines


if __name__ == "__main__":
    main()
