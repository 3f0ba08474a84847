"""What every rendering of a report says: what to record, ranks, steps at which rows were lost, metrics."""

from collections import Counter
from dataclasses import dataclass
from itertools import chain

import numpy as np

from helpers.base import check_option, counted
from helpers.evaluation import METRICS
from helpers.stats import t_interval
from workbench.reports.models import (
    JUDGED,
    MISS_CAUSES,
    ROW_KINDS,
    ROW_METRICS,
    CutEvidence,
    EvaluationReport,
    ItemEvidence,
    QueryEvidence,
    found_nothing,
)
from workbench.reports.scores import over_searches

NOTES = {
    "gold": "Rows that were labelled, and not drafted. These numbers say how good the system is.",
    "synthetic": "Rows that were made and not judged. Their numbers are never mixed with the gold ones, "
    "and no gate looks at them.",
}
RANKS_ALONE = 10
"""Ranks up to here are counted one by one, those beyond in bins that double."""


def five_things(report: EvaluationReport) -> dict[str, dict[str, str]]:
    """What to record so that two results can be compared, as texts.

    Two reports that agree in all but the snapshot and the backend compare two systems.

    >>> from tempfile import mkdtemp
    >>> from workbench import CorpusFolder, EvaluationDataset, QueryBudget, SourceDocument
    >>> from workbench import build_snapshot, evaluate_run
    >>> corpus = CorpusFolder.init(mkdtemp(), "pets")
    >>> _ = corpus.add([SourceDocument("d1", "Cats", "They purr.", "cats.md")])
    >>> row = {"query_id": "q1", "query_text": "who purrs?", "expected_item_id": "d1", "kind": "gold"}
    >>> dataset = EvaluationDataset(schema_version=1, name="pets", description="A toy.", queries=(row,))
    >>> report = evaluate_run(corpus, build_snapshot(corpus), dataset, QueryBudget(max_total_items=5))
    >>> five_things(report)["Budget"]["max_total_items"], five_things(report)["Dataset"]["rows"]
    ('5', '1 gold, 0 synthetic; schema version 1')
    """
    corpus, dataset = report.corpus, report.dataset
    kinds = f"{dataset.gold:,} gold, {dataset.synthetic:,} synthetic"
    return {
        "Corpus": {
            "name": corpus.name,
            "documents": f"{corpus.documents:,}",
            "fingerprint": corpus.fingerprint,
        },
        **_of_the_search(report),
        "Dataset": {
            "name": dataset.name,
            "description": dataset.description,
            "rows": f"{kinds}; schema version {dataset.schema_version}",
            "grades": _grades(report),
            "fingerprint": dataset.fingerprint,
        },
        "Budget": {
            name: "no limit" if value is None else f"{value:,}"
            for name, value in report.budget.model_dump(mode="json").items()
        },
    }


def _of_the_search(report: EvaluationReport) -> dict[str, dict[str, str]]:
    snapshot, search = report.snapshot, report.search
    if snapshot is None:
        return {
            "Snapshot": {"id": report.snapshot_id, "of": "all that the search answered"},
            "Backend": {"name": report.backend_id, "kind": search.kind, "fingerprint": search.fingerprint},
        }
    return {
        "Snapshot": {
            "id": report.snapshot_id,
            "chunker": _settings(snapshot.chunker),
            "items": f"{snapshot.items:,}",
            "created": snapshot.created,
        },
        "Backend": {
            "name": report.backend_id,
            "analyzer": snapshot.analyzer or "the backend's own",
            "parameters": _settings(snapshot.parameters) or "none",
            "versions": _settings(snapshot.versions) or "none",
        },
    }


def _grades(report: EvaluationReport) -> str:
    """How many judgments of each grade the gold metrics were counted with, or that none are known."""
    judged = [query.grades for query in report.per_query.values() if query.judged]
    counts = Counter(grade for grades in judged for grade in grades.values())
    known = ", ".join(f"{counts[grade]:,} of grade {grade}" for grade in sorted(counts, reverse=True))
    return known or "not known: every expected document counts as grade 1"


def _settings(values: dict) -> str:
    """`k1 = 0.9, b = 0.4`; what is None says nothing."""
    return ", ".join(f"{name} = {value}" for name, value in values.items() if value is not None)


def rows_of(report: EvaluationReport, kind: str, hits: bool | None = None) -> list[QueryEvidence]:
    """The rows of one kind in the order of the dataset: all, or only the hits, or only the misses.

    >>> rows = [QueryEvidence.model_construct(kind="gold", rank=rank) for rank in (1, None, 2)]
    >>> [row.rank for row in rows_of(EvaluationReport.model_construct(evidence=rows), "gold", hits=True)]
    [1, 2]
    """
    check_option("kind", kind, ROW_KINDS)
    rows = [row for row in report.evidence if row.kind == kind]
    return [row for row in rows if hits is None or (row.rank is not None) == hits]


@dataclass(frozen=True)
class ReportedQuery:
    """A query as its reader sees it: all its rows, which have one text and so one ranking.

    An item of `items`, or of `cut`, is expected where any of the rows expects it.
    """

    query_id: str
    text: str
    metrics: dict[str, float]
    rows: list[QueryEvidence]
    items: list[ItemEvidence]
    cut: list[CutEvidence]

    @property
    def ranks(self) -> list[int]:
        """The ranks of the rows that are hits."""
        return [row.rank for row in self.rows if row.rank is not None]

    @property
    def outcome(self) -> str:
        """How much of what the rows expect was found."""
        if len(self.ranks) == len(self.rows):
            return "All found"
        return "Part found" if self.ranks else "Nothing found"


def queries_of(report: EvaluationReport, kind: str) -> list[ReportedQuery]:
    """The queries of one kind in the order of the report, with their rows and what came back.

    >>> from workbench.reports.models import PerQuery
    >>> facts = {"query_text": "cats", "items": [], "cut": []}
    >>> rows = [QueryEvidence.model_construct(query_id=f"q1-{rank}", rank=rank, **facts) for rank in (1, 2)]
    >>> judged = {"judged": True, "grades": {"d1": 1}, "metrics": {}}
    >>> query = PerQuery(kind="gold", query_text="cats", rows=["q1-1", "q1-2"], **judged)
    >>> report = EvaluationReport.model_construct(per_query={"q1": query}, evidence=rows)
    >>> (found,) = queries_of(report, "gold")
    >>> found.query_id, found.ranks, found.outcome
    ('q1', [1, 2], 'All found')
    """
    rows = {row.query_id: row for row in report.evidence}
    found = []
    for query_id, query in report.per_query.items():
        if query.kind == kind:
            own = [rows[row] for row in query.rows]
            items, cut = _merged([row.items for row in own]), _merged([row.cut for row in own])
            found.append(ReportedQuery(query_id, own[0].query_text, query.metrics, own, items, cut))
    return found


def _merged(lists: list[list]) -> list:
    """What stands in any of the lists, by rank, expected where it is so in one of them."""
    found = {}
    for one in (one for several in lists for one in several):
        if one.rank not in found or one.expected:
            found[one.rank] = one
    return [found[rank] for rank in sorted(found)]


def metrics_of(report: EvaluationReport, kind: str) -> dict[str, float]:
    """The means over the rows, or queries, of one kind; empty where there are none.

    >>> report = EvaluationReport.model_construct(metrics={"MRR": 0.5}, synthetic_metrics=None)
    >>> metrics_of(report, "synthetic")
    {}
    """
    check_option("kind", kind, ROW_KINDS)
    return (report.metrics if kind == "gold" else report.synthetic_metrics) or {}


def mean_of(report: EvaluationReport, kind: str, metric: str) -> str:
    """A mean as it is printed; judged@10 of a search that found nothing is not defined."""
    if metric == JUDGED and found_nothing(report, kind):
        return "undefined"
    return f"{metrics_of(report, kind)[metric]:.3f}"


def interval_of(report: EvaluationReport, kind: str, metric: str) -> str:
    """The 95 % t interval of the mean over the queries of a kind, within 0 to 1.

    "" for fewer than two queries, where none varies, and for a metric that is counted by row: rows of one
    query are no independent ones. Raises ValueError for a metric that the queries do not have.
    """
    check_option("kind", kind, ROW_KINDS)
    queries = [query.metrics for query in report.per_query.values() if query.kind == kind]
    if queries:
        check_option("metric", metric, dict.fromkeys([*chain.from_iterable(queries), *ROW_METRICS]))
    values = [metrics[metric] for metrics in queries if metric in metrics]
    if metric in ROW_METRICS or len(values) < max(2, len(queries)) or min(values) == max(values):
        return ""
    if metric == JUDGED and found_nothing(report, kind):
        return ""
    low, high = t_interval(np.array(values))[:2]
    return f"{max(low, 0):.3f} to {min(high, 1):.3f}"


def depth_in_words(report: EvaluationReport) -> str:
    """Where the rankings end, for the metrics whose names have no cut-off; and the mean over searches."""
    most = report.budget.max_total_items
    said = f"A ranking ends with the budget, after {counted(most, 'item')}, for MRR, MAP and Rprec too."
    if report.drawn and (ends := over_searches(report)):
        mean, low, high = ends
        said += " These means count each query once; counted as often as it was drawn from the log,"
        said += f" nDCG@10 is {mean:.3f} (95 % interval {low:.3f} to {high:.3f})."
    return said


def meaning(metric: str) -> str:
    """What a metric says, in words; empty for one that nobody knows.

    >>> meaning("Recall@5")
    'share of the relevant documents that were found, mean over queries'
    """
    known = (ROW_METRICS | METRICS).get(metric.partition("@")[0])
    return known.meaning if known else ""


def cause_counts(rows: list[QueryEvidence]) -> dict[str, int]:
    """How many rows were lost at each step at which any was, in the order of the steps.

    >>> causes = ["ranked too low", "not retrieved", None, "ranked too low"]
    >>> cause_counts([QueryEvidence.model_construct(cause=cause) for cause in causes])
    {'not retrieved': 1, 'ranked too low': 2}
    """
    found = Counter(row.cause for row in rows)
    return {cause: found[cause] for cause in MISS_CAUSES if found[cause]}


def rank_counts(rows: list[QueryEvidence], most: int) -> dict[str, int]:
    """How many rows have their expected item at each rank up to `most`, in the order of the ranks; "missed"
    is last.

    >>> rank_counts([QueryEvidence.model_construct(rank=rank) for rank in (1, 3, None, 1)], most=3)
    {'1': 2, '2': 0, '3': 1, 'missed': 1}
    """
    at_rank = Counter(row.rank for row in rows)
    counts = {
        name: sum(at_rank[rank] for rank in range(low, high + 1)) for name, low, high in rank_bins(most)
    }
    return counts | {"missed": at_rank[None]}


def rank_bins(most: int) -> list[tuple[str, int, int]]:
    """Ranks from 1 to `most` as (name, first, last): one by one up to ten, then in bins that double.

    >>> [name for name, _, _ in rank_bins(50)][8:]
    ['9', '10', '11-20', '21-40', '41-50']
    """
    bins = [(str(rank), rank, rank) for rank in range(1, min(most, RANKS_ALONE) + 1)]
    low = RANKS_ALONE + 1
    while low <= most:
        high = min(2 * (low - 1), most)
        bins.append((f"{low}-{high}" if low < high else str(low), low, high))
        low = high + 1
    return bins


def expected_of(row: QueryEvidence) -> str:
    """What a row expects, as a text: an item's id, or any item of a source.

    >>> expected_of(QueryEvidence.model_construct(expected_item_id=None, expected_source_uri="pets/cats.md"))
    'any item of pets/cats.md'
    """
    item_id = row.expected_item_id
    return f"any item of {row.expected_source_uri}" if item_id is None else item_id


def shortened(text: str, most: int) -> str:
    """A text on one line, white space squeezed, cut to `most` characters with a mark.

    >>> shortened("Restart  the pod", 9)
    'Restart …'
    """
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 2] + " …"
