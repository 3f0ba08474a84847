"""The report of one evaluation as plain data: what it holds, how it is written and how it is read back.

Everything is checked on reading and on making, so that a page or a gate need not.
"""

import hashlib
import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isclose, nan
from pathlib import Path
from statistics import fmean
from typing import Annotated, Literal, get_args

from pydantic import Field, FiniteFloat, ValidationError, model_serializer, model_validator
from pydantic_core import PydanticSerializationError

from helpers.base import Strict, check_option, check_path, check_type, first_few, refuse, write_text
from helpers.datasets import trec
from helpers.evaluation import TREC, evaluate_retrieval
from helpers.records import Qrels
from workbench.budget import QueryBudget
from workbench.dataset_files import RowKind, check_version, in_words, read_json
from workbench.snapshots import CorpusFacts, Fingerprint, Manifest, id_of

MissCause = Literal["not in the corpus", "no text", "not retrieved", "cut by the budget", "ranked too low"]
MISS_CAUSES: tuple[str, ...] = get_args(MissCause)
"""At which step a row was lost, in the order of the steps; the first that holds. Where, not why."""
ROW_KINDS: tuple[str, ...] = get_args(RowKind)

Reason = Literal[
    "offset",
    "max_items_per_source",
    "max_items_per_document",
    "maximum_total_characters",
    "max_total_items",
]
SCHEMA_VERSION = 2


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
    """A query: the query_ids of its `rows` in the dataset, its judgments, and its metrics by name.

    `grades` are all that the metrics were counted with, `{doc_id: grade}`; `judged` says whether they are
    everything that was judged, the zeros included, or only what the rows expect, each of grade 1.
    """

    kind: RowKind
    query_text: str
    rows: list[str] = Field(min_length=1)
    judged: bool
    grades: dict[str, int] = Field(min_length=1)
    metrics: dict[str, FiniteFloat]


class SearchFacts(Strict):
    """A search that is no snapshot of ours: what it is, its name, and a hash of all that it answered."""

    kind: Literal["run file", "function"]
    name: str
    fingerprint: Fingerprint


class SystemFacts(Strict):
    """What the search cost: time per query for search and budget, and the size of its index (0: not ours)."""

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
    `evidence` has one for each row, in the order of the dataset. `snapshot` describes a search of ours,
    `search` any other; `snapshot_id` is then the beginning of its fingerprint. `evaluated_at`,
    `snapshot.created` and the two latencies are the only times.

    Where the queries are a sample of a log, `drawn` is how many of its searches each query stands for, also
    those that are not in the dataset, as nothing relevant is known of them; `unread` are those of them that
    nobody has read.

    Every figure follows from the evidence and the grades, and is counted again whenever a report is read.
    """

    schema_version: Literal[2] = SCHEMA_VERSION
    dataset: DatasetFacts
    corpus: CorpusFacts
    backend_id: str
    snapshot_id: str
    snapshot: Manifest | None
    search: SearchFacts | None = None
    budget: QueryBudget
    evaluated_at: str
    conventions: str
    metrics: dict[str, FiniteFloat] | None
    synthetic_metrics: dict[str, FiniteFloat] | None
    per_query: dict[str, PerQuery]
    system: SystemFacts
    evidence: list[QueryEvidence]
    warnings: list[str]
    drawn: dict[str, Annotated[int, Field(ge=1)]] | None = None
    unread: list[str] = []

    @model_serializer(mode="wrap")
    def _says_drawn_of_samples_only(self, write: Callable[["EvaluationReport"], dict]) -> dict:
        return {name: one for name, one in write(self).items() if one or name not in ("drawn", "unread")}

    @model_validator(mode="after")
    def _counts_its_rows_once(self):
        kinds = {row.query_id: row.kind for row in self.evidence}
        of_queries = [(row, query.kind) for query in self.per_query.values() for row in query.rows]
        if len(kinds) != len(self.evidence) or sorted(of_queries) != sorted(kinds.items()):
            listed = [(row.query_id, row.kind) for row in self.evidence]
            apart = (Counter(listed) - Counter(of_queries)) + (Counter(of_queries) - Counter(listed))
            rows = first_few(repr(row) for row, _ in apart)
            raise ValueError(f"the rows of per_query are not those of evidence, each once: {rows}")
        for kind, n_rows, metrics in self._by_kind():
            found = sum(row.kind == kind for row in self.evidence)
            if found != n_rows or (metrics is None) != (found == 0):
                measured = "missing" if metrics is None else "there"
                given = f"the dataset counts {n_rows}, their metrics are {measured}"
                raise ValueError(f"{found} rows of evidence are {kind}, {given}")
        return self

    @model_validator(mode="after")
    def _names_its_search(self):
        if (self.snapshot is None) == (self.search is None):
            raise ValueError("needed either snapshot or search, the description of what was measured")
        if self.search is not None:
            short = self.search.fingerprint.removeprefix("sha256:")[:16]
            if (self.snapshot_id, self.backend_id) != (short, self.search.name):
                raise ValueError("snapshot_id and backend_id are not those of search; was the report edited?")
            return self
        ids = {self.snapshot_id, self.snapshot.snapshot_id, id_of(self.snapshot.model_dump())}
        if len(ids) > 1 or (self.backend_id, self.corpus) != (self.snapshot.backend, self.snapshot.corpus):
            what = "snapshot_id, backend_id and corpus"
            raise ValueError(f"{what} are not those of the snapshot; was the report edited?")
        return self

    @model_validator(mode="after")
    def _agrees_with_itself(self):
        for kind, _, metrics in self._by_kind():
            found = means(kind, self.evidence, self.per_query, self.budget)
            if wrong := _other_values(metrics or {}, found):
                means_of = f"the means of the {kind} rows or queries"
                raise ValueError(f"the {kind} metrics {', '.join(wrong)} are not {means_of}")
        return self

    def _by_kind(self) -> list[tuple[str, int, dict[str, float] | None]]:
        rows = self.dataset
        return [("gold", rows.gold, self.metrics), ("synthetic", rows.synthetic, self.synthetic_metrics)]


QUERY_METRICS = ("nDCG@10", "nDCG@{k}", "Recall@{k}", "P@{k}", "Hit@{k}", "MAP", "MRR", "Rprec")
"""Lesson 03's metrics, measured per query on the evidence; k is the budget's `max_total_items`."""
JUDGED = "Judged@10"
"""The share of the first ten documents that anybody judged; measured where the judgments are known."""


def query_metrics(
    found: Mapping[str, Iterable[ItemEvidence]], qrels: Qrels, budget: QueryBudget, judged: bool
) -> dict[str, dict[str, float]]:
    """`QUERY_METRICS` of each query over the documents of its evidence, each at the rank of its best item.

    `found` is `{query_id: items}`. With `judged`, `JUDGED` too: then `qrels` hold all that was judged, and
    not only what is relevant.

    >>> items = [ItemEvidence.model_construct(doc_id="d1", rank=2)]
    >>> budget = QueryBudget(max_total_items=10)
    >>> query_metrics({"q1": items}, {"q1": {"d1": 1, "d2": 1}}, budget, judged=True)["q1"]["Recall@10"]
    0.5
    """
    if not qrels:
        return {}
    # The ranks are the scores: of equal scores items go by item_id, and by doc_id `a` and `a!` may come the
    # other way round.
    run: dict[str, dict[str, float]] = {query_id: {} for query_id in qrels}
    for query_id, scores in run.items():
        for item in found[query_id]:  # best first, and the best item of a document is the one that counts
            scores.setdefault(item.doc_id, -float(item.rank))
    names = [name.format(k=budget.max_total_items) for name in QUERY_METRICS]
    names = dict.fromkeys([*names, JUDGED] if judged else names)
    told = r"none of the run's|the run holds no document|the lists of the run end|all \d+ queries have"
    with warnings.catch_warnings():  # that is told elsewhere, by query or of the search; ids are known here
        warnings.filterwarnings("ignore", told)
        found = evaluate_retrieval(run, qrels, metrics=names, conventions=TREC)
    measured = found.per_query.to_dict("index")
    if judged:  # a query that shows nothing shows nothing that was not judged
        measured |= {q: metrics | {JUDGED: 1.0} for q, metrics in measured.items() if not run[q]}
    return measured


def _other_values(given: Mapping[str, float], found: Mapping[str, float]) -> list[str]:
    """The metrics that have another value than was found, or that nothing was found for."""
    return [name for name, value in given.items() if not isclose(value, found.get(name, nan), abs_tol=1e-9)]


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
    if isinstance(queries, EvaluationReport):
        raise ValueError("queries is a report; give its queries, report.per_query.values()")
    measured = [query.metrics for query in queries]
    return [
        name for name in (measured[0] if measured else ()) if all(name in metrics for metrics in measured)
    ]


def found_nothing(report: EvaluationReport, kind: str = "gold") -> bool:
    """Whether no query of a kind found anything: then judged@10 is not defined, and says nothing."""
    check_option("kind", kind, ROW_KINDS)
    return not any(row.items for row in report.evidence if row.kind == kind)


def row_score(metric: str, row: QueryEvidence, budget: QueryBudget) -> float:
    """What one row adds to the mean of a metric. Raises ValueError for one that is not in `ROW_METRICS`.

    >>> row = QueryEvidence.model_construct(rank=4)
    >>> row_score("mean_reciprocal_rank", row, QueryBudget(max_total_items=5))
    0.25
    """
    check_option("metric", metric, ROW_METRICS)
    return 0.0 if row.rank is None else ROW_METRICS[metric].of_hit(row.rank, budget)


def disagreements(report: EvaluationReport) -> list[str]:
    """What in a report does not follow from its evidence and grades, a sentence for each query; counted anew.

    The means are held to the queries whenever a report is made; here the queries are held to their evidence.

    >>> disagreements(EvaluationReport.model_construct(per_query={}, evidence=[], budget=None))
    []
    """
    strangers = [
        f"evidence of {row.query_id!r}: {item.item_id!r} is not what the row expects"
        for row in report.evidence
        for item in row.items
        if item.expected and not _may_be_expected(row, item)
    ]
    rows = {row.query_id: row.items for row in report.evidence}
    items = {query_id: rows[query.rows[0]] for query_id, query in report.per_query.items()}
    found = {}
    for judged in (True, False):
        qrels = {q: query.grades for q, query in report.per_query.items() if query.judged == judged}
        found |= query_metrics(items, qrels, report.budget, judged)
    wrong = {q: _other_values(query.metrics, found[q]) for q, query in report.per_query.items()}
    return strangers + [
        f"per_query[{query_id!r}]: {', '.join(names)} cannot be counted from its evidence and grades"
        for query_id, names in wrong.items()
        if names
    ]


def _may_be_expected(row: QueryEvidence, item: ItemEvidence) -> bool:
    if row.expected_item_id is None:
        return item.source_uri == row.expected_source_uri
    return row.expected_item_id in (item.item_id, item.doc_id)


_LATENCIES = {"average_latency_milliseconds", "percentile_95_latency_milliseconds"}
TIMES = {"evaluated_at": True, "snapshot": {"created"}, "system": _LATENCIES}
"""The fields of a report that are times, as pydantic's `exclude` takes them."""


def without_times(report: EvaluationReport) -> dict:
    """The report as a dict without its four times: equal for the same corpus, snapshot, dataset and budget.

    >>> sorted(TIMES["system"])
    ['average_latency_milliseconds', 'percentile_95_latency_milliseconds']
    """
    check_type("report", report, EvaluationReport, "load_report and evaluate_run give one")
    return report.model_dump(mode="json", exclude=TIMES)


def save_report(path: str | Path, report: EvaluationReport) -> Path:
    """Writes a report as JSON (UTF-8, two spaces of indent), whole or not at all, and gives the path back.

    Its last key, `digest`, is a hash of all the others, by which `load_report` sees that a text, a date or a
    count was edited, which no figure follows from. Raises ValueError for a name that does not end in .json.

    >>> import tempfile
    >>> report = EvaluationReport.model_construct(schema_version=2)
    >>> save_report(Path(tempfile.mkdtemp()) / "report.json", report).read_text().splitlines()[:3]
    ['{', '  "schema_version": 2,', '  "search": null,']
    """
    check_type("report", report, EvaluationReport, "evaluate_run gives one, measured.reports[name] has them")
    if check_path(path, "a name for the report, which ends in .json").suffix.lower() != ".json":
        raise ValueError(f"{path} does not end in .json, and a report is JSON; name it so")
    begun = report.model_dump_json(indent=2).removesuffix("\n}")
    return write_text(path, f'{begun},\n  "digest": "{_digest(report)}"\n}}\n')


def _digest(report: EvaluationReport) -> str:
    """`sha256:` and the hash of all that a report says, in whatever order and form JSON has it."""
    canonical = json.dumps(json.loads(report.model_dump_json()), sort_keys=True, ensure_ascii=False)
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"


def write_ranking(path: str | Path, report: EvaluationReport) -> None:
    """Writes what a report ranked as a TREC run: the documents of the evidence of its gold queries. Raises
    ValueError where it has none, and for the file of a report, which would be lost.

    The score is 1 / rank, so that every tool ranks them as the report did, equal scores too; with the
    judgments of the dataset trec_eval then finds the report's nDCG, MAP, MRR, recall and precision.
    """
    if not report.dataset.gold:
        raise ValueError(f"{report.dataset.name} has no gold query, and a run has no others; write none")
    if Path(path).is_file() and not _is_page(Path(path)):
        raise ValueError(f"{path} holds JSON, as a report does, and would be lost; name another file")
    rows = {row.query_id: row.items for row in report.evidence}
    run = {}
    for query_id, query in report.per_query.items():
        if query.kind == "gold":
            doc_ids = dict.fromkeys(item.doc_id for item in rows[query.rows[0]])
            run[query_id] = [(doc_id, 1 / rank) for rank, doc_id in enumerate(doc_ids, start=1)]
    trec.write_run(run, path, re.sub(r"\s+", "-", report.backend_id) or "run")


_ITS_OWN = EvaluationReport.model_fields.keys() - {"metrics", "warnings", "dataset"}
"""What no other object of JSON of ours has: `measure --json` and its like have metrics too."""


def _is_page(path: Path) -> bool:
    return path.is_file() and not path.read_bytes().lstrip().startswith(b"{")


def load_report(path: str | Path) -> EvaluationReport:
    """The report in a file of `save_report`, equal to the one that was written.

    Raises FileNotFoundError for a file that is not there, and ValueError for one that is no such report,
    whose figures cannot be counted again from its evidence, or whose digest is that of another one: all
    problems at once, a line each, with where in the file they are. A report without a digest, of an earlier
    version, is read.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "report.json"
    >>> _ = path.write_text('{"schema_version": 2}')
    >>> try:
    ...     load_report(path)
    ... except ValueError as error:
    ...     print(str(error).splitlines()[1:3])
    ['dataset: is missing', 'corpus: is missing']
    """
    needed = "a report, the JSON file that `evaluate` writes"
    if (page := check_path(path, needed)).suffix.lower() in (".html", ".md") and _is_page(page):
        beside = page.with_suffix(".json")
        cure = f"; give {beside}" if beside.is_file() else ""
        raise ValueError(
            f"{path} is the page of a report; needed the report itself, which ends in .json{cure}"
        )
    data, problems = read_json(path, needed)
    if isinstance(data, dict) and "report" in data and "evidence" not in data:
        printed = f"{path} is what `evaluate --json` prints"
        raise ValueError(f"{printed}; needed the report, which it says is {data['report']!r:.200}")
    if isinstance(data, dict) and "queries" in data and "evidence" not in data:
        raise ValueError(f"{path}: a dataset file, which `evaluate` takes; needed the report that it writes")
    if isinstance(data, dict) and data and not data.keys() & _ITS_OWN:
        printed = "is it what a verb prints with --json? Needed the report that `evaluate` writes"
        wrote = data.get("wrote") if isinstance(data.get("wrote"), list) else []
        if reports := [str(one) for one in wrote if str(one).endswith(".json")]:
            printed += f", here {first_few(reports, 3)}"
        raise ValueError(f"{path} is no report but an object with {first_few(data)}; {printed}")
    if isinstance(data, dict) and data.get("schema_version") == 1 and "evidence" in data:
        why = "it lacks the judgments, from which its figures are counted again"
        raise ValueError(f"{path} is a report of an earlier version: {why}; evaluate again")
    if isinstance(data, dict):
        check_version(data.get("schema_version"), SCHEMA_VERSION, path)
        problems += [] if "schema_version" in data else ["schema_version: is missing"]
    digest = data.pop("digest", None) if isinstance(data, dict) else None
    where = f"{path}; was it edited? evaluate again"
    try:
        report = EvaluationReport.model_validate(data)
        report.model_dump_json()
    except PydanticSerializationError:
        refuse([*problems, "the whole file: it holds half of a surrogate pair, which is no text"], where)
    except ValidationError as error:
        refuse([*problems, *in_words(error)], where)
        raise
    problems = [*problems, *disagreements(report)]
    if digest not in (None, _digest(report)) and not problems:
        problems = ["digest: what the file says is not what was written"]
    refuse(problems, where)
    return report
