"""The regression gate: is a candidate worse than a baseline, by more than is allowed and by more than chance explains?

What may not be compared is refused before a number is looked at. Tables of several systems are in `compare`, the test is in
`stats`; what the gate says is in `gate_result`, exit codes are for the command line.
"""

from collections.abc import Mapping
from math import isfinite
from numbers import Real

import numpy as np
import pandas as pd

from helpers.stats import holm, randomisation_tests
from workbench.reports.gate_result import Broken, GateResult, GateRow
from workbench.reports.models import ROW_METRICS, EvaluationReport, PerQuery, QueryEvidence, row_score
from workbench.reports.summary import plural
from workbench.snapshots import changed_versions

RESAMPLES = 100_000
DECIMALS = 9
"""To which a drop is compared with its limit: a drop of 0.02 is within a limit of 0.02, whatever the rounding error."""


def gate(
    baseline: EvaluationReport,
    candidate: EvaluationReport,
    limits: Mapping[str, float],
    other_corpus: bool = False,
    alpha: float = 0.05,
    rng: np.random.Generator | int = 0,
) -> GateResult:
    """Fails where a mean over the gold queries drops by more than its limit, and the queries support the drop (p < alpha).

    `limits` is `{metric: largest drop that is allowed}`, as `{"nDCG@10": 0.02}`; a metric is one that every query of both
    reports has, or one of `ROW_METRICS`. p is that of the two-sided randomisation test over the queries (the rows of one query
    change sign together), corrected by Holm over all limits. The verdicts: "no drop", "within the limit", "not supported by
    the queries", "FAILED". Where two systems differ by chance only, a gate fails in at most alpha / 2 of cases, for half of what
    chance does is gain. What few queries cannot show is said in the notes.

    Raises ValueError, with all that differs, for reports of another dataset, budget, schema, conventions or corpus (the last is
    allowed with `other_corpus`), of another chunker where the dataset expects pieces of documents, and for reports without gold
    queries; for limits that are none, below 0 or no numbers, an unknown metric, an alpha that is not between 0 and 1.

    Source: the test is `stats.randomisation_test`, the correction `stats.holm`.

    >>> print(GateResult(True, "new against old", [GateRow("MRR", 0.5, 0.75, -0.25, 0.02, 1.0, "no drop")], [], []).text())
    gate passed: new against old
    metric  baseline  candidate    drop  limit       p  verdict
    MRR        0.500      0.750  -0.250  0.020  1.0000  no drop
    """
    check_comparable(baseline, candidate, other_corpus)
    _check_limits(limits, alpha, baseline, candidate)
    tables = {metric: _side_by_side(baseline, candidate, metric) for metric in limits}
    differences = pd.DataFrame(
        {metric: (table["after"] - table["before"]) * table["weight"] for metric, table in tables.items()}
    )
    p_values = holm(randomisation_tests(differences, RESAMPLES, rng)["p_value"])
    rows = [
        _row(metric, tables[metric], float(limit), p_values[metric], alpha)
        for metric, limit in limits.items()
    ]
    about = f"{plural(len(differences), 'gold query', 'gold queries')} of {baseline.dataset.name}"
    return GateResult(
        ok=all(row.verdict != "FAILED" for row in rows),
        title=f"{_system(candidate)} against {_system(baseline)}, {about}",
        rows=rows,
        broke=_broken(baseline, candidate, tables),
        notes=[*_notes(rows, tables, alpha), *_warnings(baseline, candidate, other_corpus)],
    )


def check_comparable(
    baseline: EvaluationReport, candidate: EvaluationReport, other_corpus: bool = False
) -> None:
    """Raises ValueError, with all that differs, unless the difference of two reports is one of two systems."""
    before, after = _must_agree(baseline), _must_agree(candidate)
    if other_corpus:
        del before["corpus"], after["corpus"]
    if _expects_pieces(baseline) or _expects_pieces(
        candidate
    ):  # "d1#3" is another text where documents are cut otherwise
        for report, facts in ((baseline, before), (candidate, after)):
            facts["chunker, whose pieces the dataset expects"] = str(
                dict(sorted(report.snapshot.chunker.items()))
            )
    wrong = [
        f"{name}: {_only(before[name], after[name])} in the baseline, {_only(after[name], before[name])} in the candidate"
        for name in before
        if before[name] != after[name]
    ]
    lacking = sorted(_gold(baseline).keys() ^ _gold(candidate).keys())
    if lacking:
        wrong.append(
            f"queries that only one of the two has: {', '.join(map(repr, lacking[:5]))}{', …' if lacking[5:] else ''}"
        )
    if wrong:
        cure = "evaluate both with the same dataset, budget and corpus; where the corpus was changed on purpose, allow another corpus (--other-corpus)"
        raise ValueError(f"the reports cannot be compared; {cure}\n  " + "\n  ".join(wrong))
    if not _gold(baseline):
        raise ValueError(
            f"dataset {baseline.dataset.name!r} has no gold query, and a gate looks at no others; label some queries"
        )


def _expects_pieces(report: EvaluationReport) -> bool:
    """Whether a row was seen to expect a piece of a document by its id, and not the document."""
    return any(
        one.expected and row.expected_item_id == one.item_id != one.doc_id
        for row in report.evidence
        for one in (*row.items, *row.cut)
    )


def _only(words: str, other: str) -> str:
    """The parts of a long description, between semicolons, that another lacks."""
    return "; ".join(part for part in words.split("; ") if part not in other.split("; ")) or "nothing more"


def _must_agree(report: EvaluationReport) -> dict[str, str]:
    budget = report.budget.model_dump(mode="json")
    return {
        "schema version": str(report.schema_version),
        "dataset": report.dataset.fingerprint,
        "budget": ", ".join(
            f"{name} {'without limit' if value is None else value}" for name, value in budget.items()
        ),
        "conventions": report.conventions,
        "corpus": report.corpus.fingerprint,
    }


def _check_limits(
    limits: Mapping[str, float], alpha: float, baseline: EvaluationReport, candidate: EvaluationReport
) -> None:
    if not isinstance(alpha, Real) or not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha!r}; needed a number between 0 and 1, such as 0.05")
    if not isinstance(limits, Mapping) or not limits:
        raise ValueError(f"limits are {limits!r}; needed at least one, such as {{'nDCG@10': 0.02}}")
    if len(limits) / (RESAMPLES + 1) >= alpha:
        raise ValueError(
            f"alpha is {alpha!r}; with {len(limits)} limits {RESAMPLES:,} resamples cannot show so small a p"
        )
    known = _metrics(baseline)
    known = [metric for metric in known if metric in set(_metrics(candidate))]
    wrong = [f"there is no metric {metric!r} in both reports" for metric in limits if metric not in known]
    for metric, limit in limits.items():
        if not isinstance(limit, Real) or isinstance(limit, bool) or not isfinite(limit) or limit < 0:
            wrong.append(
                f"{metric}: the limit is {limit!r}; needed the largest drop that is allowed, a number from 0 up"
            )
    if wrong:
        raise ValueError("\n  ".join(["the limits cannot be used", *wrong, f"metrics: {', '.join(known)}"]))


def _metrics(report: EvaluationReport) -> list[str]:
    """What can be limited: the metrics that every gold query has, and those of the rows."""
    measured = [query.metrics for query in _gold(report).values()]
    common = [name for name in measured[0] if all(name in metrics for metrics in measured)]
    return [*common, *(name for name in ROW_METRICS if name not in common)]


def _side_by_side(baseline: EvaluationReport, candidate: EvaluationReport, metric: str) -> pd.DataFrame:
    """The score of each gold query `before` and `after`, and its `weight` in the mean; the weights have the mean 1.

    A query weighs as much as it has rows where the metric is a mean over rows: rows of one query are not independent, so they
    must not be tested as if they were.
    """
    frame = pd.DataFrame({"before": _scores(baseline, metric), "after": _scores(candidate, metric)})
    sizes = np.array([len(query.rows) if metric in ROW_METRICS else 1 for query in _gold(baseline).values()])
    return frame.loc[list(_gold(baseline))].assign(weight=sizes / sizes.mean())


def _scores(report: EvaluationReport, metric: str) -> dict[str, float]:
    if metric not in ROW_METRICS:
        return {query_id: query.metrics[metric] for query_id, query in _gold(report).items()}
    of_row = {row.query_id: row_score(metric, row, report.budget) for row in report.evidence}
    return {
        query_id: float(np.mean([of_row[row] for row in query.rows]))
        for query_id, query in _gold(report).items()
    }


def _gold(report: EvaluationReport) -> dict[str, PerQuery]:
    return {query_id: query for query_id, query in report.per_query.items() if query.kind == "gold"}


def _row(metric: str, table: pd.DataFrame, limit: float, p: float, alpha: float) -> GateRow:
    before, after = (float((table[side] * table["weight"]).mean()) for side in ("before", "after"))
    drop = round(before - after, DECIMALS) + 0.0  # no -0.0
    if drop <= 0:
        verdict = "no drop"
    elif round(drop - limit, DECIMALS) <= 0:
        verdict = "within the limit"
    else:
        verdict = "FAILED" if p < alpha else "not supported by the queries"
    return GateRow(metric, before, after, drop, limit, float(p), verdict)


def _broken(
    baseline: EvaluationReport, candidate: EvaluationReport, tables: Mapping[str, pd.DataFrame]
) -> list[Broken]:
    """The gold queries that fell in any limited metric, by how far they fell; of equal falls in the order of the dataset."""
    falls = pd.DataFrame(
        {metric: (table["before"] - table["after"]).round(DECIMALS) for metric, table in tables.items()}
    )
    worst = falls.max(axis=1)
    order = worst[worst > 0].sort_values(ascending=False, kind="stable").index
    sides = [{row.query_id: row for row in report.evidence} for report in (baseline, candidate)]
    broken = []
    for query_id in order:
        metric, query = falls.loc[query_id].idxmax(), candidate.per_query[query_id]
        before, after = tables[metric].loc[query_id, ["before", "after"]]
        causes = _causes([(sides[0][row], sides[1][row]) for row in query.rows])
        broken.append(Broken(query_id, query.query_text, metric, float(before), float(after), causes))
    return broken


def _causes(rows: list[tuple[QueryEvidence, QueryEvidence]]) -> list[str]:
    """Why each row that fell did; where none did, what the candidate says of the rows that it misses."""
    fell = [
        after for before, after in rows if before.rank and (after.rank is None or after.rank > before.rank)
    ]
    ranks = {before.query_id: before.rank for before, _ in rows}
    missed = [after for _, after in rows if after.rank is None]
    return [
        f"{row.query_id}: found at rank {row.rank}, was at {ranks[row.query_id]}"
        if row.cause is None
        else f"{row.query_id}: {row.cause}. {row.explanation}"
        for row in fell or missed
    ]


def _notes(rows: list[GateRow], tables: Mapping[str, pd.DataFrame], alpha: float) -> list[str]:
    """What so few queries, or so few that changed, cannot show."""
    notes, n = [], len(tables[rows[0].metric])
    if len(rows) * _least_p(n) >= alpha:
        enough = next(size for size in range(n, 100) if len(rows) * _least_p(size) < alpha)
        notes.append(
            f"{plural(n, 'gold query is', 'gold queries are')} too few for p < {alpha:g}, so this gate cannot fail, whatever "
            f"drops; label {enough} or more"
        )
    for row in rows:
        if row.verdict == "not supported by the queries":
            changed = int(
                (tables[row.metric]["before"] - tables[row.metric]["after"])
                .round(DECIMALS)
                .astype(bool)
                .sum()
            )
            too_few = ", too few for any p below it" if len(rows) * _least_p(changed) >= alpha else ""
            notes.append(
                f"{row.metric} dropped by {row.drop:.3f}, more than {row.limit:.3f}, with p = {row.p:.3f}, not below {alpha:g}: "
                f"{changed} of {plural(n, 'query', 'queries')} changed{too_few}; read those below, and label more"
            )
    return notes


def _least_p(changed: int) -> float:
    """The smallest p that the test can give where so many queries changed: all by chance in one direction."""
    return min(1.0, 2 / 2**changed) if 2**changed <= RESAMPLES else 1 / (RESAMPLES + 1)


def _warnings(baseline: EvaluationReport, candidate: EvaluationReport, other_corpus: bool) -> list[str]:
    """What the reports themselves warn of, and what the gate did not look at."""
    notes = [
        f"{name}: {text}"
        for name, report in (("baseline", baseline), ("candidate", candidate))
        for text in report.warnings
    ]
    if other_corpus and baseline.corpus.fingerprint != candidate.corpus.fingerprint:
        notes.append("the corpora differ, so a drop may come from the documents and not from the system")
    if changed := changed_versions(baseline.snapshot.versions, candidate.snapshot.versions):
        notes.append(f"the indexes were built by other versions, so a drop may come from those: {changed}")
    if baseline.dataset.synthetic:
        notes.append(
            f"{plural(baseline.dataset.synthetic, 'synthetic row is', 'synthetic rows are')} not looked at"
        )
    return notes


def _system(report: EvaluationReport) -> str:
    return f"{report.backend_id} {report.snapshot_id}"
