"""Evaluates a snapshot on a dataset under a budget: metrics, and for each row its evidence."""

import time
from collections.abc import Sequence
from datetime import datetime, timezone

import numpy as np

from helpers.base import check_type, first_few, progress
from helpers.evaluation import TREC, evaluate_retrieval
from workbench.budget import Cut, Item, QueryBudget, within_budget
from workbench.corpus import CorpusFolder
from workbench.dataset_files import EvaluationDataset, rows_by_query
from workbench.reports.expectations import Expectation, expectations, miss_cause
from workbench.reports.models import (
    CutEvidence,
    DatasetFacts,
    EvaluationReport,
    ItemEvidence,
    PerQuery,
    QueryEvidence,
    SystemFacts,
    means,
)
from workbench.snapshots import Manifest, Snapshot, changed_versions, versions_here

QUERY_METRICS = ("nDCG@10", "nDCG@{k}", "Recall@{k}", "P@{k}", "Hit@{k}", "MAP", "MRR", "Rprec")
"""Lesson 03's metrics, measured per query on the evidence; k is the budget's `max_total_items`.

Judged and bpref are left out: they ask for documents judged not relevant, and a dataset file names none.
"""

TEXT_KEPT = 2_000
"""Characters of an item's text that a report keeps: it is mailed and committed; the corpus has all."""

CONVENTIONS = (
    "hit_rate, precision_at_max_total_items and mean_reciprocal_rank: per row of the dataset, over the items "
    "of the evidence; a hit counts once, precision divides it by max_total_items. "
    "All others: per query (rows of one text and kind), over the documents of the evidence in its order; "
    "of a document's chunks the best one counts, and an expected chunk counts as its document; "
    f"{TREC}"
)
"""How the numbers of a report were measured; two reports can be compared where this is the same."""


def evaluate_run(
    corpus: CorpusFolder, run: Snapshot, dataset: EvaluationDataset, budget: QueryBudget
) -> EvaluationReport:
    """Searches every row of the dataset in a snapshot, under a budget, and reports what was found.

    Per row: `ROW_METRICS`. Per query, rows of one text and kind taken together: `QUERY_METRICS`. Gold and
    synthetic rows are measured apart. An expected item that is not in the corpus is a miss and stands in
    `warnings`; programs that changed since the snapshot was built stand there too. Latency is search and
    budget of a row, its 95th percentile interpolated. The same corpus, snapshot, dataset and budget give the
    same report apart from its times (`without_times`).

    Raises ValueError for a snapshot of another corpus, with both fingerprints, and where nothing that the
    dataset expects is in the corpus.

    >>> import tempfile
    >>> from workbench import SourceDocument, build_snapshot
    >>> corpus = CorpusFolder.init(tempfile.mkdtemp(), "toy")
    >>> texts = {"d0": "a full disk", "d1": "a slow net"}
    >>> _ = corpus.add([SourceDocument(name, "", text, f"{name}.md") for name, text in texts.items()])
    >>> row = {"query_id": "q1", "query_text": "disk", "expected_item_id": "d0", "kind": "gold"}
    >>> dataset = EvaluationDataset(schema_version=1, name="toy", description="", queries=(row,))
    >>> report = evaluate_run(corpus, build_snapshot(corpus), dataset, QueryBudget(max_total_items=2))
    >>> report.metrics["hit_rate"], report.metrics["precision_at_max_total_items"], report.metrics["MRR"]
    (1.0, 0.5, 1.0)
    """
    _check_types(corpus, run, dataset, budget)
    _check_same_corpus(corpus, run)
    document_of = {item.item_id: item.doc_id for item in run.items.values()}
    expected = expectations(dataset, corpus.corpus, corpus.sources, document_of)
    warnings = [*_unknown(expected, dataset, corpus), *_other_programs(run.manifest)]
    rows = progress(expected, desc="evaluating", unit="row")
    evidence, milliseconds = zip(*(_timed(one, run, budget) for one in rows), strict=True)
    per_query = _per_query(dataset, expected, evidence, budget)
    return EvaluationReport(
        dataset=_facts(dataset),
        corpus=run.manifest.corpus,
        backend_id=run.manifest.backend,
        snapshot_id=run.snapshot_id,
        snapshot=run.manifest,
        budget=budget,
        evaluated_at=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        conventions=CONVENTIONS,
        metrics=means("gold", evidence, per_query, budget) or None,
        synthetic_metrics=means("synthetic", evidence, per_query, budget) or None,
        per_query=per_query,
        system=_system(milliseconds, run.index_bytes),
        evidence=list(evidence),
        warnings=warnings,
    )


def _check_types(*given: object) -> None:
    """Raises ValueError for an argument of another class, as where two have changed places."""
    cures = {
        "corpus": (CorpusFolder, "CorpusFolder.open(path) gives one"),
        "run": (Snapshot, "build_snapshot and load_snapshot give one"),
        "dataset": (EvaluationDataset, "load_dataset(path) gives one"),
        "budget": (QueryBudget, "e.g. QueryBudget(max_total_items=5)"),
    }
    for (name, (needed, cure)), value in zip(cures.items(), given, strict=True):
        check_type(name, value, needed, cure)


def _check_same_corpus(corpus: CorpusFolder, run: Snapshot) -> None:
    built_on = run.manifest.corpus
    if built_on.fingerprint != corpus.fingerprint:
        raise ValueError(
            f"snapshot {run.snapshot_id} was built on corpus {built_on.name!r} ({built_on.fingerprint}), "
            f"and corpus {corpus.name!r} is another, or has changed since ({corpus.fingerprint}); "
            "build a snapshot of it"
        )


def _unknown(expected: Sequence[Expectation], dataset: EvaluationDataset, corpus: CorpusFolder) -> list[str]:
    """Warnings for rows whose item is unknown or has no text. Raises ValueError if all are unknown."""
    unknown = [one for one in expected if not one.documents]
    empty = [one for one in expected if one.documents and not one.has_text]
    n = len(expected)
    if len(unknown) == n:
        raise ValueError(
            f"dataset {dataset.name!r} expects {_names(unknown)}, and corpus {corpus.name!r} holds none "
            f"of what its {n} rows expect, but e.g. {next(iter(corpus.corpus))!r}; "
            "is it a dataset of another corpus?"
        )
    why = {"is not in this corpus and snapshot (stale ids?)": unknown, "has no text": empty}
    return [
        f"{len(rows)} of {n} rows count as misses, since what they expect {so}: {_names(rows)}"
        for so, rows in why.items()
        if rows
    ]


def _names(rows: Sequence[Expectation]) -> str:
    return first_few(dict.fromkeys(one.name for one in rows))


def _other_programs(manifest: Manifest) -> list[str]:
    """A warning where the index was built by other versions than those that are here."""
    changed = changed_versions(manifest.versions, versions_here())
    return [f"the snapshot was built by other versions, so scores may differ: {changed}"] if changed else []


def _timed(expected: Expectation, run: Snapshot, budget: QueryBudget) -> tuple[QueryEvidence, float]:
    """The evidence for one row, and how many milliseconds search and budget took."""
    begin = time.perf_counter()
    candidates = run.candidates(expected.row.query_text)
    kept, cut = within_budget(candidates, budget)
    milliseconds = 1000 * (time.perf_counter() - begin)
    return _evidence(expected, candidates, kept, cut, budget), milliseconds


def _evidence(
    expected: Expectation,
    candidates: Sequence[Item],
    kept: Sequence[Item],
    cut: Sequence[Cut],
    budget: QueryBudget,
) -> QueryEvidence:
    """All that was kept, and of what was cut what is worth reporting."""
    cause, explanation = miss_cause(expected, candidates, kept, cut, budget)
    best = next((rank for rank, item in enumerate(candidates, start=1) if expected.met_by(item)), None)
    begun = (vars(item) | {"text": item.text[:TEXT_KEPT], "expected": expected.met_by(item)} for item in kept)
    items = [ItemEvidence(rank=rank, **item) for rank, item in enumerate(begun, start=1)]
    # Of what was cut, as many candidates below the last item kept as the budget has slots.
    end = (candidates.index(kept[-1]) + 1 if kept else 0) + budget.max_total_items
    return QueryEvidence(
        **expected.row.model_dump(),
        rank=next((item.rank for item in items if item.expected), None),
        candidate_rank=best,
        cause=cause,
        explanation=explanation,
        items=items,
        cut=[_cut(one, expected) for one in _worth_reporting(cut, end, best)],
    )


def _worth_reporting(cut: Sequence[Cut], end: int, best: int | None) -> list[Cut]:
    """What a rule skipped down to candidate `end`, and the best expected one.

    Where the characters run out before the items do, all the rest of the ranking was skipped; kept whole it
    would make a report of some pages a file of 60 MB.
    """
    return [one for one in cut if (one.reason != "max_total_items" and one.rank <= end) or one.rank == best]


def _cut(one: Cut, expected: Expectation) -> CutEvidence:
    facts = {name: value for name, value in vars(one.item).items() if name in CutEvidence.model_fields}
    return CutEvidence(rank=one.rank, reason=one.reason, expected=expected.met_by(one.item), **facts)


def _per_query(
    dataset: EvaluationDataset,
    expected: Sequence[Expectation],
    evidence: Sequence[QueryEvidence],
    budget: QueryBudget,
) -> dict[str, PerQuery]:
    """`QUERY_METRICS` of each query over the documents of its evidence, each at the rank of its best item."""
    # What a row expects and nobody knows counts as a document that is never found; no doc_id holds a blank.
    documents = {one.row.query_id: one.documents or (f"{one.name} (unknown)",) for one in expected}
    found = {row.query_id: row for row in evidence}
    queries = rows_by_query(dataset)
    run, qrels = {}, {}
    for query_id, rows in queries.items():
        # The rows of a query have one text, and so the same evidence. Its ranks are the scores, for of equal
        # scores items go by item_id, and by doc_id `a` and `a!` may come the other way round.
        items = found[rows[0].query_id].items
        run[query_id] = {item.doc_id: -item.rank for item in reversed(items)}
        qrels[query_id] = {doc_id: 1 for row in rows for doc_id in documents[row.query_id]}
    names = dict.fromkeys(name.format(k=budget.max_total_items) for name in QUERY_METRICS)
    measured = evaluate_retrieval(run, qrels, metrics=names, conventions=TREC).per_query.to_dict("index")
    return {
        query_id: PerQuery(
            kind=rows[0].kind,
            query_text=rows[0].query_text,
            rows=[row.query_id for row in rows],
            metrics=measured[query_id],
        )
        for query_id, rows in queries.items()
    }


def _facts(dataset: EvaluationDataset) -> DatasetFacts:
    facts = dataset.model_dump(include={"name", "description", "schema_version"}) | dataset.kinds()
    return DatasetFacts(fingerprint=dataset.fingerprint, queries=len(dataset.queries), **facts)


def _system(milliseconds: Sequence[float], index_bytes: int) -> SystemFacts:
    return SystemFacts(
        average_latency_milliseconds=float(np.mean(milliseconds)),
        percentile_95_latency_milliseconds=float(np.percentile(milliseconds, 95)),
        index_bytes=index_bytes,
    )
