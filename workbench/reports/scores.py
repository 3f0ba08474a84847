"""The scores of gold queries: of two reports in pairs, by searches of a log, and as they would be if what
nobody judged were relevant."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from helpers.base import check_option, counted
from helpers.stats import t_interval
from workbench.reports.models import (
    ROW_METRICS,
    EvaluationReport,
    PerQuery,
    common_metrics,
    means,
    query_metrics,
    row_score,
)


def gold_of(report: EvaluationReport) -> dict[str, PerQuery]:
    """The gold queries of a report, by id."""
    return {query_id: query for query_id, query in report.per_query.items() if query.kind == "gold"}


def paired_scores(baseline: EvaluationReport, candidate: EvaluationReport, metric: str) -> pd.DataFrame:
    """Each gold query's score `before` and `after`, `weight` (1 in the mean) and weighted `difference`.

    A query weighs as much as it has rows where the metric is a mean over rows: rows of one query are not
    independent, so they must not be tested as if they were.
    """
    gold = gold_of(baseline)
    sizes = np.array([len(query.rows) if metric in ROW_METRICS else 1 for query in gold.values()])
    table = pd.DataFrame({"before": _scores(baseline, metric), "after": _scores(candidate, metric)})
    return _weighted(table.loc[list(gold)].assign(weight=sizes))


def over_queries_of(baseline: EvaluationReport, candidate: EvaluationReport) -> EvaluationReport:
    """The candidate over the queries that the baseline has, where it has more; else the candidate as it is.

    The queries of both must be the same in text, rows and grades: then those that came in since the baseline
    was measured are left out, for nobody knows what it would have found for them. Of a sample of a log those
    of them that were drawn by then count as unread.
    """
    more = candidate.per_query.keys() - baseline.per_query.keys()
    if not more or _asked(baseline) != _asked(candidate, baseline.per_query):
        return candidate
    per_query = {query_id: candidate.per_query[query_id] for query_id in baseline.per_query}
    rows = {row for query in per_query.values() for row in query.rows}
    evidence = [row for row in candidate.evidence if row.query_id in rows]
    drawn, unread = baseline.drawn or {}, more.union(candidate.unread or baseline.unread)
    of_kind = {
        name: means(kind, evidence, per_query, candidate.budget) or None
        for name, kind in (("metrics", "gold"), ("synthetic_metrics", "synthetic"))
    }
    facts = {"dataset": baseline.dataset, "drawn": drawn, "unread": [one for one in drawn if one in unread]}
    return candidate.model_copy(update={"per_query": per_query, "evidence": evidence, **of_kind, **facts})


def _asked(report: EvaluationReport, queries: Iterable[str] = ()) -> dict[str, tuple]:
    """What these queries of a report ask, and what is known to answer them; of all, where none are named."""
    of_row = {row.query_id: (row.expected_item_id, row.expected_source_uri) for row in report.evidence}
    return {
        query_id: (one.kind, one.query_text, {row: of_row[row] for row in one.rows}, one.judged, one.grades)
        for query_id, one in report.per_query.items()
        if not queries or query_id in queries
    }


@dataclass(frozen=True)
class Sample:
    """The searches that were drawn from a log: how often each query was `drawn`, and which of them nobody has
    read yet. False where the queries are no sample of a log: then each counts once.

    >>> bool(Sample()), Sample({"q1": 3, "q2": 1}, ("q2",)).unread_share(["q1"])
    (False, 0.25)
    """

    drawn: Mapping[str, int] = field(default_factory=dict)
    unread: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.drawn)

    def by_search(self, scores: pd.DataFrame) -> pd.DataFrame:
        """Paired scores with a row for each search: each query's as often as it was drawn.

        Searches are drawn independently of each other, so their differences may be tested, though those of
        one query are equal: an interval is then about the log that they were drawn from.

        >>> scores = {"before": [1.0, 0.0], "after": [0.5, 1.0], "weight": 1.0}
        >>> once = pd.DataFrame(scores, index=["q1", "q2"])
        >>> Sample({"q1": 3, "q2": 1}).by_search(once)["difference"].tolist()
        [-0.5, -0.5, -0.5, 1.0]
        """
        ids = [one for one in scores.index for _ in range(self.drawn.get(one, 0) if self else 1)]
        return _weighted(scores.loc[ids].reset_index(names="query_id"))

    def searches_beside(self, queries: Iterable[str]) -> int:
        """How many of the searches are of other queries than these."""
        here = set(queries)
        return sum(times for query_id, times in self.drawn.items() if query_id not in here)

    def unread_share(self, queries: Iterable[str]) -> float:
        """Which share of the searches is of queries that nobody has read, beside those of these queries."""
        unread, here = sum(self.drawn[one] for one in self.unread), set(queries)
        read = sum(times for one, times in self.drawn.items() if one in here)
        return unread / (unread + read) if unread else 0.0


def sample_of(baseline: EvaluationReport, candidate: EvaluationReport) -> Sample:
    """The sample of which the queries of two reports are, as the later one that knows it has it."""
    of = candidate if candidate.drawn else baseline
    return Sample(of.drawn, of.unread) if (of.drawn or {}).keys() & gold_of(of).keys() else Sample()


def _weighted(scores: pd.DataFrame) -> pd.DataFrame:
    weight = scores["weight"] / scores["weight"].mean()
    return scores.assign(weight=weight, difference=(scores["after"] - scores["before"]) * weight)


def _scores(report: EvaluationReport, metric: str) -> dict[str, float]:
    gold = gold_of(report).items()
    if metric not in ROW_METRICS:
        return {query_id: query.metrics[metric] for query_id, query in gold}
    of_row = {row.query_id: row_score(metric, row, report.budget) for row in report.evidence}
    return {query_id: float(np.mean([of_row[row] for row in query.rows])) for query_id, query in gold}


def over_searches(report: EvaluationReport, metric: str = "nDCG@10") -> tuple[float, float, float] | None:
    """The mean of a metric over the searches that were drawn from a log, with its 95 % t interval for all
    searches of that log for which something relevant is known.

    A gold query counts as often as it was drawn. None where no query of the report was, only one search, or
    where drawn queries were not read: those that were are no sample. Raises ValueError for a metric that the
    queries do not have.
    """
    drawn = report.drawn or {}
    asked = {query_id: query for query_id, query in gold_of(report).items() if query_id in drawn}
    check_option("metric", metric, common_metrics(asked.values() or report.per_query.values()))
    scores = [query.metrics[metric] for query_id, query in asked.items() for _ in range(drawn[query_id])]
    if len(scores) < 2 or report.unread:
        return None
    low, high = t_interval(np.array(scores))[:2] if np.ptp(scores) else (scores[0], scores[0])
    return float(np.mean(scores)), max(float(low), 0.0), min(float(high), 1.0)


def by_searches_in_words(
    name: str, baseline: EvaluationReport, candidate: EvaluationReport, metric: str = "nDCG@10"
) -> str:
    """By what a candidate's mean over the searches drawn from a log differs from the baseline's, with the
    95 % t interval; "" where the queries are no such sample."""
    if not (sample := sample_of(baseline, candidate)):
        return ""
    if sample.unread:
        n = f"{len(sample.unread)} of {counted(len(sample.drawn), 'drawn query', 'drawn queries')}"
        return f"{name}: no difference over the searches of the log, for {n} were not read yet"
    scores = sample.by_search(paired_scores(baseline, candidate, metric))
    low, high = t_interval(scores["difference"])
    means = f"{scores['before'].mean():.3f} and {scores['after'].mean():.3f}"
    difference = f"difference {scores['difference'].mean():+.3f} [{low:+.3f}, {high:+.3f}]"
    counted_so = "each query counted as often as it was drawn from the log"
    return f"{name}, {counted_so}: {metric} {means}, {difference}; the table counts each once"


def if_relevant(
    baseline: EvaluationReport, candidate: EvaluationReport, metric: str
) -> tuple[int, list[tuple[EvaluationReport, EvaluationReport]]]:
    """How many documents of two evidences nobody judged, and both reports as they would be if these were as
    relevant as anything is: those that the candidate found, those that either found, and for each query what
    is best for the candidate by this metric.

    Queries without judgments of what is not relevant stay as they are.
    """
    lists = [{row.query_id: row.items for row in side.evidence} for side in (candidate, baseline)]
    of_candidate, of_either, unjudged = {}, {}, 0
    for query_id, query in gold_of(candidate).items():
        found = ({item.doc_id for item in items[query.rows[0]]} for items in lists)
        own, other = (doc_ids - query.grades.keys() for doc_ids in found)
        if query.judged and own | other:
            most = max(query.grades.values())
            of_candidate[query_id] = query.grades | dict.fromkeys(own, most)
            of_either[query_id] = query.grades | dict.fromkeys(own | other, most)
            unjudged += len(own | other)
    if not unjudged:
        return 0, []
    graded = (of_candidate, of_either)
    cases = [(_with_grades(baseline, grades), _with_grades(candidate, grades)) for grades in graded]
    return unjudged, [*cases, _best_of([(baseline, candidate), *cases], metric)]


def _best_of(
    cases: Sequence[tuple[EvaluationReport, EvaluationReport]], metric: str
) -> tuple[EvaluationReport, EvaluationReport]:
    """Both reports, with each query as in the case in which the candidate is furthest ahead."""
    ahead = pd.DataFrame({n: paired_scores(*case, metric)["difference"] for n, case in enumerate(cases)})
    best = ahead.idxmax(axis=1)
    chosen = (
        {q: cases[best[q]][side].per_query[q] if q in best.index else one for q, one in of.per_query.items()}
        for side, of in enumerate(cases[0])
    )
    return tuple(of.model_copy(update={"per_query": own}) for of, own in zip(cases[0], chosen, strict=True))


def _with_grades(report: EvaluationReport, grades: Mapping[str, Mapping[str, int]]) -> EvaluationReport:
    """A report with other grades for some queries, and the metrics by these; rows stay as they are."""
    found = {row.query_id: row.items for row in report.evidence}
    items = {query_id: found[report.per_query[query_id].rows[0]] for query_id in grades}
    metrics = query_metrics(items, grades, report.budget, judged=True)
    changed = {
        query_id: query.model_copy(update={"metrics": metrics[query_id]}) if query_id in grades else query
        for query_id, query in report.per_query.items()
    }
    return report.model_copy(update={"per_query": changed})
