"""What every rendering of a report says: the five things to record, counts by rank and by cause, what the metrics mean.

Texts and numbers only; how they are set is for `markdown` and `page`, and what they are compared with for `gate`.
"""

from collections import Counter
from dataclasses import dataclass

from workbench.reports.models import CAUSES, CutEvidence, EvaluationReport, ItemEvidence, QueryEvidence

ROW_KINDS = ("gold", "synthetic")
NOTES = {
    "gold": "Rows that were labelled, and not drafted. These numbers say how good the system is.",
    "synthetic": "Rows that were made and not judged. Their numbers are never mixed with the gold ones, and no gate looks at them.",
}
MEANINGS = {
    "hit_rate": "share of rows whose expected item is within the budget",
    "precision_at_max_total_items": "hits divided by max_total_items, mean over rows",
    "mean_reciprocal_rank": "1 / rank of the expected item, a miss counts 0, mean over rows",
    "nDCG": "gain of the ranking against the best possible one, mean over queries",
    "MRR": "1 / rank of the first relevant document, mean over queries",
    "MAP": "average precision, mean over queries",
    "Recall": "share of the relevant documents that were found, mean over queries",
    "P": "share of the places that hold a relevant document, mean over queries",
    "Hit": "share of queries with at least one relevant document",
    "Rprec": "precision at as many places as there are relevant documents, mean over queries",
}
"""By a metric's name, or the part of it before the @."""
RANKS_ALONE = 10
"""Ranks up to here are counted one by one, those beyond in bins that double."""


def five_things(report: EvaluationReport) -> dict[str, dict[str, str]]:
    """What to record so that two results can be compared: corpus, snapshot, backend, dataset, budget, as texts.

    Two reports that agree in all but the snapshot and the backend compare two systems.

    >>> from workbench.budget import QueryBudget
    >>> from workbench.reports import DatasetFacts
    >>> from workbench.snapshots import CorpusFacts, Manifest
    >>> corpus = CorpusFacts(name="pets", fingerprint="sha256:" + "0" * 64, documents=1200)
    >>> manifest = {"chunker": {"name": "none"}, "items": 1200, "created": "", "analyzer": None, "parameters": {}, "versions": {}}
    >>> dataset = {"name": "pets", "description": "", "gold": 3, "synthetic": 0, "schema_version": 1, "fingerprint": ""}
    >>> report = EvaluationReport.model_construct(
    ...     corpus=corpus,
    ...     snapshot=Manifest.model_construct(**manifest),
    ...     snapshot_id="f00",
    ...     backend_id="csr-bm25",
    ...     dataset=DatasetFacts.model_construct(**dataset),
    ...     budget=QueryBudget(max_total_items=5),
    ... )
    >>> five_things(report)["Budget"]["max_total_items"], five_things(report)["Corpus"]["documents"]
    ('5', '1,200')
    """
    corpus, snapshot, dataset = report.corpus, report.snapshot, report.dataset
    return {
        "Corpus": {
            "name": corpus.name,
            "documents": f"{corpus.documents:,}",
            "fingerprint": corpus.fingerprint,
        },
        "Snapshot": {
            "id": report.snapshot_id,
            "chunker": _named(snapshot.chunker),
            "items": f"{snapshot.items:,}",
            "created": snapshot.created,
        },
        "Backend": {
            "name": report.backend_id,
            "analyzer": snapshot.analyzer or "the backend's own",
            "parameters": _named(snapshot.parameters) or "none",
            "versions": _named(snapshot.versions) or "none",
        },
        "Dataset": {
            "name": dataset.name,
            "description": dataset.description,
            "rows": f"{dataset.gold:,} gold, {dataset.synthetic:,} synthetic; schema version {dataset.schema_version}",
            "fingerprint": dataset.fingerprint,
        },
        "Budget": {
            name: "no limit" if value is None else f"{value:,}"
            for name, value in report.budget.model_dump(mode="json").items()
        },
    }


def rows_of(report: EvaluationReport, kind: str, hits: bool | None = None) -> list[QueryEvidence]:
    """The rows of one kind in the order of the dataset: all, or only the hits, or only the misses.

    >>> rows = [QueryEvidence.model_construct(query_id=f"q{rank}", kind="gold", rank=rank) for rank in (1, None, 2)]
    >>> [row.query_id for row in rows_of(EvaluationReport.model_construct(evidence=rows), "gold", hits=True)]
    ['q1', 'q2']
    """
    rows = [row for row in report.evidence if row.kind == kind]
    return [row for row in rows if hits is None or (row.rank is not None) == hits]


@dataclass(frozen=True)
class Asked:
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
    def found(self) -> int:
        """How many of the rows are hits."""
        return sum(row.rank is not None for row in self.rows)


def asked_of(report: EvaluationReport, kind: str) -> list[Asked]:
    """The queries of one kind in the order of the report, with their rows and what came back.

    >>> from workbench.reports import PerQuery
    >>> rows = [QueryEvidence.model_construct(query_id=f"q1-{i}", query_text="cats", rank=i, items=[], cut=[]) for i in (1, 2)]
    >>> query = PerQuery(kind="gold", query_text="cats", rows=["q1-1", "q1-2"], metrics={})
    >>> (asked,) = asked_of(EvaluationReport.model_construct(per_query={"q1": query}, evidence=rows), "gold")
    >>> asked.query_id, asked.found
    ('q1', 2)
    """
    rows = {row.query_id: row for row in report.evidence}
    asked = []
    for query_id, query in report.per_query.items():
        if query.kind == kind:
            own = [rows[row] for row in query.rows]
            items, cut = _merged([row.items for row in own]), _merged([row.cut for row in own])
            asked.append(Asked(query_id, own[0].query_text, query.metrics, own, items, cut))
    return asked


def _merged(lists: list[list]) -> list:
    """What stands in any of the lists, by rank, expected where it is so in one of them."""
    found = {}
    for one in (one for several in lists for one in several):
        if one.rank not in found or one.expected:
            found[one.rank] = one
    return [found[rank] for rank in sorted(found)]


def metrics_of(report: EvaluationReport, kind: str) -> dict[str, float]:
    """The means over the rows, or queries, of one kind; empty where there are none.

    >>> metrics_of(EvaluationReport.model_construct(metrics={"MRR": 0.5}, synthetic_metrics=None), "synthetic")
    {}
    """
    return (report.metrics if kind == "gold" else report.synthetic_metrics) or {}


def meaning(metric: str) -> str:
    """What a metric says, in words; empty for one that has none here.

    >>> meaning("Recall@5")
    'share of the relevant documents that were found, mean over queries'
    """
    return MEANINGS.get(metric.partition("@")[0], "")


def cause_counts(rows: list[QueryEvidence]) -> dict[str, int]:
    """How many of the rows missed for each cause, in the order in which causes are asked; causes of none are left out.

    >>> causes = ["ranked too low", "not retrieved", None, "ranked too low"]
    >>> cause_counts([QueryEvidence.model_construct(cause=cause) for cause in causes])
    {'not retrieved': 1, 'ranked too low': 2}
    """
    found = Counter(row.cause for row in rows)
    return {cause: found[cause] for cause in CAUSES if found[cause]}


def rank_counts(rows: list[QueryEvidence], most: int) -> dict[str, int]:
    """How many rows have their expected item at each rank up to `most`, in the order of the ranks; "missed" is last.

    >>> rank_counts([QueryEvidence.model_construct(rank=rank) for rank in (1, 3, None, 1)], most=3)
    {'1': 2, '2': 0, '3': 1, 'missed': 1}
    """
    bins = rank_bins(most)
    counts = {
        name: sum(row.rank is not None and low <= row.rank <= high for row in rows)
        for name, low, high in bins
    }
    return counts | {"missed": sum(row.rank is None for row in rows)}


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
    return (
        row.expected_item_id if row.expected_item_id is not None else f"any item of {row.expected_source_uri}"
    )


def plural(n: int, one: str, many: str) -> str:
    """A number and what it counts.

    >>> plural(1, "query", "queries"), plural(1200, "query", "queries")
    ('1 query', '1,200 queries')
    """
    return f"{n:,} {one if n == 1 else many}"


def _named(values: dict) -> str:
    """`k1 = 0.9, b = 0.4`; what is None says nothing."""
    return ", ".join(f"{name} = {value}" for name, value in values.items() if value is not None)
