"""Evaluates a snapshot on a dataset under a budget: metrics, evidence for each row, and the cause of each miss.

What a budget lets through is decided in `budget`, the arithmetic of the metrics in `evaluation`; the report itself is in
`models`, and how it is shown in `markdown` and `page`.
"""

import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone

import numpy as np
from tqdm import tqdm

from helpers.evaluation import TREC, evaluate_retrieval
from workbench.budget import Cut, Item, QueryBudget, within_budget
from workbench.corpus import CorpusFolder
from workbench.dataset_files import EvaluationDataset, rows_by_query
from workbench.reports.causes import Expectation, expectations, why
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

METRICS = ("nDCG@10", "nDCG@{k}", "Recall@{k}", "P@{k}", "Hit@{k}", "MAP", "MRR", "Rprec")
"""Lesson 03's metrics, measured per query on the evidence; k is the budget's `max_total_items`.

Judged and bpref are left out: they ask for documents that were judged and are not relevant, and a dataset file names none.
"""

TEXT_KEPT = 2_000
"""Characters of an item's text that a report keeps: it is read, mailed and committed, and the corpus has all of it."""

CONVENTIONS = (
    "hit_rate, precision_at_max_total_items and mean_reciprocal_rank: per row of the dataset, over the items of the evidence; "
    "a hit counts once, precision divides it by max_total_items. "
    "All others: per query (rows of one text and kind), over the documents of the evidence in its order; of a document's chunks "
    "the best one counts, and an expected chunk counts as its document; " + str(TREC)
)
"""How the numbers of a report were measured; two reports can be compared where this is the same."""


def evaluate_run(
    corpus: CorpusFolder, run: Snapshot, dataset: EvaluationDataset, budget: QueryBudget
) -> EvaluationReport:
    """Searches every row of the dataset in a snapshot, under a budget, and reports metrics, evidence and causes of misses.

    Per row: `hit_rate`, `precision_at_max_total_items` (a hit divided by the places there are) and `mean_reciprocal_rank`. Per
    query, rows of one text and kind taken together: `METRICS`. Gold and synthetic rows are measured apart. An expected item
    that is not in the corpus is a miss and stands in `warnings`; programs that changed since the snapshot was built stand there
    too. Latency is search and budget of a row, its 95th percentile interpolated. The same corpus, snapshot, dataset and budget
    give the same report apart from its times (`without_times`).

    Raises ValueError for a snapshot of another corpus, with both fingerprints, and where nothing that the dataset expects is
    in the corpus.

    >>> import tempfile
    >>> from workbench.dataset_files import EvaluationQuery
    >>> from workbench.corpus import SourceDocument
    >>> from workbench.snapshots import build_snapshot
    >>> corpus = CorpusFolder.init(tempfile.mkdtemp(), "toy")
    >>> added = corpus.add([SourceDocument(f"d{i}", "", text, f"d{i}.md") for i, text in enumerate(["a full disk", "a slow net"])])
    >>> row = EvaluationQuery(query_id="q1", query_text="disk", expected_item_id="d0", kind="gold")
    >>> dataset = EvaluationDataset(schema_version=1, name="toy", description="", queries=(row,))
    >>> report = evaluate_run(corpus, build_snapshot(corpus), dataset, QueryBudget(max_total_items=2))
    >>> report.metrics["hit_rate"], report.metrics["precision_at_max_total_items"], report.metrics["MRR"]
    (1.0, 0.5, 1.0)
    """
    _check_same_corpus(corpus, run)
    document_of = {item.item_id: item.doc_id for item in run.items.values()}
    expected = expectations(dataset, corpus.corpus, corpus.sources, document_of)
    warnings = [*_unknown(expected, dataset, corpus), *_other_programs(run.manifest)]
    timed = [
        _timed(one, run, budget)
        for one in tqdm(expected, desc="evaluating", unit="row", disable=None, leave=False)
    ]
    evidence = [row for row, _ in timed]
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
        system=_system([milliseconds for _, milliseconds in timed], run.index_bytes),
        evidence=evidence,
        warnings=warnings,
    )


def _check_same_corpus(corpus: CorpusFolder, run: Snapshot) -> None:
    built_on = run.manifest.corpus
    if built_on.fingerprint != corpus.fingerprint:
        raise ValueError(
            f"snapshot {run.snapshot_id} was built on corpus {built_on.name!r} ({built_on.fingerprint}), and corpus "
            f"{corpus.name!r} is another, or has changed since ({corpus.fingerprint}); build a snapshot of it"
        )


def _unknown(expected: Sequence[Expectation], dataset: EvaluationDataset, corpus: CorpusFolder) -> list[str]:
    """A warning for rows whose item is unknown, one for rows whose item has no text. Raises ValueError if all are unknown."""
    unknown = [one for one in expected if not one.documents]
    if len(unknown) == len(expected):
        raise ValueError(
            f"dataset {dataset.name!r} expects {_named(unknown)}, and corpus {corpus.name!r} holds none of what its {len(expected)} "
            f"rows expect, but e.g. {next(iter(corpus.corpus))!r}; is it a dataset of another corpus?"
        )
    empty = [one for one in expected if one.documents and not one.has_text]
    found = []
    for rows, so in ((unknown, "is not in this corpus and snapshot (stale ids?)"), (empty, "has no text")):
        if rows:
            found.append(
                f"{len(rows)} of {len(expected)} rows count as misses, since what they expect {so}: {_named(rows)}"
            )
    return found


def _other_programs(manifest: Manifest) -> list[str]:
    """A warning where the index was built by other versions than those that search it, or build it again in memory."""
    changed = changed_versions(manifest.versions, versions_here())
    return [f"the snapshot was built by other versions, so scores may differ: {changed}"] if changed else []


def _named(rows: Iterable[Expectation]) -> str:
    names = list(dict.fromkeys(one.name for one in rows))
    return ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if names[5:] else "")


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
    """All that was kept, and of what was cut what `_told` keeps of it."""
    cause, explanation = why(expected, candidates, kept, cut, budget)
    best = next((rank for rank, item in enumerate(candidates, start=1) if expected.met_by(item)), None)
    items = [
        ItemEvidence(
            rank=rank, expected=expected.met_by(item), **vars(item) | {"text": item.text[:TEXT_KEPT]}
        )
        for rank, item in enumerate(kept, start=1)
    ]
    return QueryEvidence(
        **expected.row.model_dump(),
        rank=next((item.rank for item in items if item.expected), None),
        candidate_rank=best,
        cause=cause,
        explanation=explanation,
        items=items,
        cut=[_cut(one, expected) for one in _told(candidates, kept, cut, best, budget)],
    )


def _told(
    candidates: Sequence[Item],
    kept: Sequence[Item],
    cut: Sequence[Cut],
    best: int | None,
    budget: QueryBudget,
) -> list[Cut]:
    """What was skipped above the last item kept, as many below it as there are places, and the best expected candidate.

    Of what comes after the stop nothing else is told. Where no stop is reached, since the characters ran out, all the rest of
    the ranking was skipped; kept whole it would make a report of some pages a file of 60 MB.
    """
    last = next(
        (rank for rank, item in enumerate(candidates, start=1) if kept and item.item_id == kept[-1].item_id),
        0,
    )
    end = last + budget.max_total_items
    return [one for one in cut if (one.reason != "max_total_items" and one.rank <= end) or one.rank == best]


def _cut(one: Cut, expected: Expectation) -> CutEvidence:
    item = one.item
    return CutEvidence(
        rank=one.rank,
        item_id=item.item_id,
        doc_id=item.doc_id,
        source_uri=item.source_uri,
        score=item.score,
        reason=one.reason,
        expected=expected.met_by(item),
    )


def _per_query(
    dataset: EvaluationDataset,
    expected: Sequence[Expectation],
    evidence: Sequence[QueryEvidence],
    budget: QueryBudget,
) -> dict[str, PerQuery]:
    """`METRICS` for each query, over the documents of its evidence, each at the place of its best item.

    The places are the scores: of equal scores items go by item_id, and by doc_id `a` and `a!` may come the other way round.
    """
    documents = {
        one.row.query_id: one.documents or (f"{one.name} (unknown)",) for one in expected
    }  # no doc_id holds a blank
    found = {row.query_id: row for row in evidence}
    queries = rows_by_query(dataset)
    run, qrels = {}, {}
    for query_id, rows in queries.items():
        items = found[rows[0].query_id].items  # the rows of a query have one text, and so the same evidence
        run[query_id] = {item.doc_id: -item.rank for item in reversed(items)}
        qrels[query_id] = {doc_id: 1 for row in rows for doc_id in documents[row.query_id]}
    names = dict.fromkeys(name.format(k=budget.max_total_items) for name in METRICS)
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
    return DatasetFacts(
        name=dataset.name,
        description=dataset.description,
        schema_version=dataset.schema_version,
        fingerprint=dataset.fingerprint,
        queries=len(dataset.queries),
        **dataset.kinds(),
    )


def _system(milliseconds: Sequence[float], index_bytes: int) -> SystemFacts:
    return SystemFacts(
        average_latency_milliseconds=float(np.mean(milliseconds)),
        percentile_95_latency_milliseconds=float(np.percentile(milliseconds, 95)),
        index_bytes=index_bytes,
    )
