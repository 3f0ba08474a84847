"""The scores of gold queries: of two reports in pairs, by searches of a log, and as they would be if what
nobody judged were relevant."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers.base import check_option
from helpers.stats import t_interval
from workbench.reports.models import (
    ROW_METRICS,
    EvaluationReport,
    PerQuery,
    common_metrics,
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


def by_search(scores: pd.DataFrame, drawn: Mapping[str, int]) -> pd.DataFrame:
    """Paired scores with a row for each search of a sample: each query's as often as it was drawn, and once
    where it was not.

    Searches are drawn independently of each other, so their differences may be tested, though those of one
    query are equal: an interval is then about the log that they were drawn from.

    >>> once = pd.DataFrame({"before": [1.0, 0.0], "after": [0.5, 1.0], "weight": 1.0}, index=["q1", "q2"])
    >>> by_search(once, {"q1": 3})["difference"].tolist()
    [-0.5, -0.5, -0.5, 1.0]
    """
    searches = scores.loc[[one for one in scores.index for _ in range(drawn.get(one, 1))]]
    return _weighted(searches.reset_index(drop=True))


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
    """The mean of a metric over the searches that were drawn from a log, with its 95 % t interval.

    A gold query counts as often as it was drawn. None where no query of the report was, or only one search.
    Raises ValueError for a metric that the queries do not have.
    """
    drawn = report.drawn or {}
    asked = {query_id: query for query_id, query in gold_of(report).items() if query_id in drawn}
    check_option("metric", metric, common_metrics(asked.values() or report.per_query.values()))
    scores = [query.metrics[metric] for query_id, query in asked.items() for _ in range(drawn[query_id])]
    if len(scores) < 2:
        return None
    low, high = t_interval(np.array(scores))[:2] if np.ptp(scores) else (scores[0], scores[0])
    return float(np.mean(scores)), max(float(low), 0.0), min(float(high), 1.0)


def by_searches_in_words(
    name: str, baseline: EvaluationReport, candidate: EvaluationReport, metric: str = "nDCG@10"
) -> str:
    """By what a candidate's mean over the searches drawn from a log differs from the baseline's, with the
    95 % t interval; "" where the queries are no such sample."""
    if not (drawn := candidate.drawn or baseline.drawn):
        return ""
    scores = by_search(paired_scores(baseline, candidate, metric), drawn)
    low, high = t_interval(scores["difference"])
    means = f"{scores['before'].mean():.3f} and {scores['after'].mean():.3f}"
    difference = f"difference {scores['difference'].mean():+.3f} [{low:+.3f}, {high:+.3f}]"
    counted_so = "each query counted as often as it was drawn from the log"
    return f"{name}, {counted_so}: {metric} {means}, {difference}; the table counts each once"


def if_relevant(
    baseline: EvaluationReport, candidate: EvaluationReport
) -> tuple[int, tuple[EvaluationReport, EvaluationReport]]:
    """How many documents of a candidate's evidence nobody judged, and both reports as they would be if all of
    these were as relevant as anything is: the best case of the candidate.

    Queries without judgments of what is not relevant stay as they are.
    """
    found = {row.query_id: row.items for row in candidate.evidence}
    grades, n_unjudged = {}, 0
    for query_id, query in gold_of(candidate).items():
        unjudged = {item.doc_id for item in found[query.rows[0]]} - query.grades.keys()
        if query.judged and unjudged:
            grades[query_id] = query.grades | dict.fromkeys(unjudged, max(query.grades.values()))
            n_unjudged += len(unjudged)
    return n_unjudged, (_with_grades(baseline, grades), _with_grades(candidate, grades))


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
