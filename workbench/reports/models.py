"""The report of one evaluation as plain data: what it holds, how it is written and how it is read back.

Everything is checked on reading and on making, so that a page or a gate need not.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isclose, nan
from pathlib import Path
from statistics import fmean
from typing import Literal, get_args

from pydantic import Field, FiniteFloat, ValidationError, model_validator
from pydantic_core import PydanticSerializationError

from helpers.base import Strict, check_option, check_type, refuse, write_text
from workbench.budget import QueryBudget
from workbench.dataset_files import RowKind, in_words, read_json
from workbench.snapshots import CorpusFacts, Manifest, id_of

MissCause = Literal["not in the corpus", "no text", "not retrieved", "cut by the budget", "ranked too low"]
MISS_CAUSES: tuple[str, ...] = get_args(MissCause)
"""At which step a row was lost, in the order of the steps; the first that holds. Where, not why."""

Reason = Literal["offset", "max_items_per_source", "maximum_total_characters", "max_total_items"]


@dataclass(frozen=True)
class RowMetric:
    """A mean over the rows of a dataset: what a hit adds to it (a miss adds 0), and what it says."""

    of_hit: Callable[[int, QueryBudget], float]
    meaning: str


ROW_METRICS = {
    "hit_rate": RowMetric(lambda rank, budget: 1.0, "share of rows whose expected item is within the budget"),
    "precision_at_max_total_items": RowMetric(
        lambda rank, budget: 1 / budget.max_total_items, "hits divided by max_total_items, mean over rows"
    ),
    "mean_reciprocal_rank": RowMetric(
        lambda rank, budget: 1 / rank, "1 / rank of the expected item, a miss counts 0, mean over rows"
    ),
}
"""By name. All other metrics of a report are means over its queries, see `helpers.evaluation.METRICS`."""


class _Candidate(Strict):
    rank: int = Field(ge=1)
    item_id: str
    doc_id: str
    source_uri: str
    score: FiniteFloat


class ItemEvidence(_Candidate):
    """An item that the budget let through: its rank in the evidence, and how `document[start:end]` begins."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    text: str
    expected: bool


class CutEvidence(_Candidate):
    """An item that the budget kept out: its rank among all candidates, from 1, and by which rule."""

    reason: Reason
    expected: bool


class QueryEvidence(Strict):
    """One row of the dataset: what came back, what was cut, and where the expected item was lost.

    `rank` is that of the first expected item within the budget, `candidate_rank` that of the best expected
    item among all candidates, both from 1 and None where there is none. `cause` is the step at
    which it was lost, one of `MISS_CAUSES`, None for a hit.
    """

    query_id: str
    query_text: str
    kind: RowKind
    expected_item_id: str | None
    expected_source_uri: str | None
    rank: int | None = Field(ge=1)
    candidate_rank: int | None = Field(ge=1)
    cause: MissCause | None
    explanation: str
    items: list[ItemEvidence]
    cut: list[CutEvidence]

    @model_validator(mode="after")
    def _is_a_hit_or_has_a_cause(self):
        first = next((item.rank for item in self.items if item.expected), None)
        if self.rank != first:
            raise ValueError(f"rank is {self.rank}, and the first expected of the items has {first}")
        if (self.rank is None) != (self.cause is not None):
            said = f"rank is {self.rank} and cause is {self.cause!r}"
            raise ValueError(f"{said}; a hit has a rank, a miss has a cause")
        return self


class PerQuery(Strict):
    """A query: the query_ids of its `rows` in the dataset, and its metrics by name."""

    kind: RowKind
    query_text: str
    rows: list[str] = Field(min_length=1)
    metrics: dict[str, FiniteFloat]


class SystemFacts(Strict):
    """What the backend cost: time per row for search and budget, and the size of its index."""

    average_latency_milliseconds: FiniteFloat = Field(ge=0)
    percentile_95_latency_milliseconds: FiniteFloat = Field(ge=0)
    index_bytes: int = Field(ge=0)


class DatasetFacts(Strict):
    """Which dataset file was evaluated: `queries` counts its rows, `gold` and `synthetic` how many are so."""

    name: str
    description: str
    schema_version: Literal[1]
    fingerprint: str
    queries: int = Field(ge=1)
    gold: int = Field(ge=0)
    synthetic: int = Field(ge=0)


class EvaluationReport(Strict):
    """What `evaluate_run` found. Gold and synthetic rows stand apart and are never averaged together.

    `metrics` are the means over gold rows (None where there are none), `synthetic_metrics` those over
    synthetic ones. `per_query` has an entry for each query, rows of one text and kind taken together;
    `evidence` has one for each row, in the order of the dataset. `evaluated_at`, `snapshot.created` and the
    two latencies are the only times.
    """

    schema_version: Literal[1] = 1
    dataset: DatasetFacts
    corpus: CorpusFacts
    backend_id: str
    snapshot_id: str
    snapshot: Manifest
    budget: QueryBudget
    evaluated_at: str
    conventions: str
    metrics: dict[str, FiniteFloat] | None
    synthetic_metrics: dict[str, FiniteFloat] | None
    per_query: dict[str, PerQuery]
    system: SystemFacts
    evidence: list[QueryEvidence]
    warnings: list[str]

    @model_validator(mode="after")
    def _counts_its_rows_once(self):
        kinds = {row.query_id: row.kind for row in self.evidence}
        of_queries = [(row, query.kind) for query in self.per_query.values() for row in query.rows]
        if len(kinds) != len(self.evidence) or sorted(of_queries) != sorted(kinds.items()):
            raise ValueError("the rows of per_query are not those of evidence, each once")
        for kind, n_rows, metrics in self._by_kind():
            found = sum(row.kind == kind for row in self.evidence)
            if found != n_rows or (metrics is None) != (found == 0):
                measured = "missing" if metrics is None else "there"
                given = f"the dataset counts {n_rows}, their metrics are {measured}"
                raise ValueError(f"{found} rows of evidence are {kind}, {given}")
        return self

    @model_validator(mode="after")
    def _agrees_with_itself(self):
        ids = {self.snapshot_id, self.snapshot.snapshot_id, id_of(self.snapshot.model_dump())}
        if len(ids) > 1 or (self.backend_id, self.corpus) != (self.snapshot.backend, self.snapshot.corpus):
            what = "snapshot_id, backend_id and corpus"
            raise ValueError(f"{what} are not those of the snapshot; was the report edited?")
        for kind, _, metrics in self._by_kind():
            found, given = means(kind, self.evidence, self.per_query, self.budget), (metrics or {}).items()
            wrong = [name for name, value in given if not isclose(value, found.get(name, nan), abs_tol=1e-9)]
            if wrong:
                means_of = f"the means of the {kind} rows or queries"
                raise ValueError(f"the {kind} metrics {', '.join(wrong)} are not {means_of}")
        return self

    def _by_kind(self) -> list[tuple[str, int, dict[str, float] | None]]:
        rows = self.dataset
        return [("gold", rows.gold, self.metrics), ("synthetic", rows.synthetic, self.synthetic_metrics)]


def means(
    kind: str, evidence: Iterable[QueryEvidence], per_query: Mapping[str, PerQuery], budget: QueryBudget
) -> dict[str, float]:
    """The means over the rows and the queries of one kind, of what all queries have; empty without rows.

    >>> rows = [QueryEvidence.model_construct(kind="gold", rank=rank) for rank in (2, None)]
    >>> means("gold", rows, {}, QueryBudget(max_total_items=5))
    {'hit_rate': 0.5, 'precision_at_max_total_items': 0.1, 'mean_reciprocal_rank': 0.25}
    """
    rows = [row for row in evidence if row.kind == kind]
    queries = [query for query in per_query.values() if query.kind == kind]
    of_rows = {name: fmean(row_score(name, row, budget) for row in rows) for name in ROW_METRICS if rows}
    of_queries = [name for name in common_metrics(queries) if name not in ROW_METRICS]
    return of_rows | {name: fmean(query.metrics[name] for query in queries) for name in of_queries}


def common_metrics(queries: Iterable[PerQuery]) -> list[str]:
    """The metrics that all of the queries have, in the order of the first query.

    >>> several = [{"nDCG@10": 0.5, "MRR": 1.0}, {"MRR": 0.25}]
    >>> common_metrics(PerQuery.model_construct(metrics=metrics) for metrics in several)
    ['MRR']
    """
    measured = [query.metrics for query in queries]
    return [
        name for name in (measured[0] if measured else ()) if all(name in metrics for metrics in measured)
    ]


def row_score(metric: str, row: QueryEvidence, budget: QueryBudget) -> float:
    """What one row adds to the mean of a metric. Raises ValueError for one that is not in `ROW_METRICS`.

    >>> row = QueryEvidence.model_construct(rank=4)
    >>> row_score("mean_reciprocal_rank", row, QueryBudget(max_total_items=5))
    0.25
    """
    check_option("metric", metric, ROW_METRICS)
    return 0.0 if row.rank is None else ROW_METRICS[metric].of_hit(row.rank, budget)


_LATENCIES = {"average_latency_milliseconds", "percentile_95_latency_milliseconds"}
TIMES = {"evaluated_at": True, "snapshot": {"created"}, "system": _LATENCIES}
"""The fields of a report that are times, as pydantic's `exclude` takes them."""


def without_times(report: EvaluationReport) -> dict:
    """The report as a dict without its four times: equal for the same corpus, snapshot, dataset and budget.

    >>> sorted(TIMES["system"])
    ['average_latency_milliseconds', 'percentile_95_latency_milliseconds']
    """
    return report.model_dump(mode="json", exclude=TIMES)


def save_report(path: str | Path, report: EvaluationReport) -> Path:
    """Writes a report as JSON (UTF-8, two spaces of indent), whole or not at all, and gives the path back.

    >>> import tempfile
    >>> report = EvaluationReport.model_construct(schema_version=1)
    >>> save_report(Path(tempfile.mkdtemp()) / "report.json", report).read_text()
    '{\\n  "schema_version": 1\\n}\\n'
    """
    check_type("report", report, EvaluationReport, "evaluate_run gives one")
    return write_text(path, report.model_dump_json(indent=2) + "\n")


def load_report(path: str | Path) -> EvaluationReport:
    """The report in a file of `save_report`, equal to the one that was written.

    Raises FileNotFoundError for a file that is not there, and ValueError for one that is no such report: all
    problems at once, a line each, with where in the file they are.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "report.json"
    >>> _ = path.write_text('{"schema_version": 2}')
    >>> try:
    ...     load_report(path)
    ... except ValueError as error:
    ...     print(str(error).splitlines()[1:3])
    ['schema_version: Input should be 1, found 2', 'dataset: is missing']
    """
    data, problems = read_json(path, "a report, the JSON file that `evaluate` writes")
    if isinstance(data, dict) and "queries" in data and "evidence" not in data:
        raise ValueError(f"{path}: a dataset file, which `evaluate` takes; needed the report that it writes")
    try:
        report = EvaluationReport.model_validate(data)
        report.model_dump_json()
    except PydanticSerializationError:
        refuse([*problems, "the whole file: it holds half of a surrogate pair, which is no text"], path)
    except ValidationError as error:
        refuse([*problems, *in_words(error)], path)
        raise
    for query_id, query in report.per_query.items():
        wrong = [name for name, value in query.metrics.items() if not -1e-9 <= value <= 1 + 1e-9]
        problems += [
            f"per_query.{query_id}.{name}: {query.metrics[name]:g} is not from 0 to 1" for name in wrong
        ]
    refuse(problems, path)
    return report
