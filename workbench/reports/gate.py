"""The regression gate: did a search get worse, by more than is allowed and more than chance explains?

What may not be compared is refused before a number is looked at.

>>> from tempfile import mkdtemp
>>> from workbench import CorpusFolder, EvaluationDataset, QueryBudget, SourceDocument
>>> from workbench import build_snapshot, evaluate_run
>>> corpus = CorpusFolder.init(mkdtemp(), "pets")
>>> _ = corpus.add([SourceDocument("d1", "Cats", "They meow.", "cats.md")])
>>> row = {"query_id": "q1", "query_text": "meowing", "expected_item_id": "d1", "kind": "gold"}
>>> dataset = EvaluationDataset(schema_version=1, name="pets", description="A toy.", queries=(row,))
>>> snapshots = [build_snapshot(corpus, backend) for backend in ("csr-bm25", "substring-scan")]
>>> reports = [evaluate_run(corpus, one, dataset, QueryBudget(max_total_items=3)) for one in snapshots]
>>> found = gate(*reports, {"MRR": 0.02})
>>> found.rows[0].drop, found.rows[0].verdict, found.regressions[0].query_id
(1.0, 'not supported by the queries', 'q1')
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Real

import numpy as np
import pandas as pd
from tabulate import tabulate

from helpers.base import counted, first_few
from helpers.stats import holm, randomisation_tests
from workbench.reports.models import (
    ROW_METRICS,
    EvaluationReport,
    PerQuery,
    QueryEvidence,
    common_metrics,
    row_score,
)
from workbench.reports.summary import shortened
from workbench.snapshots import changed_versions

RESAMPLES = 100_000
LIMIT_DECIMALS = 9
"""To which a drop is compared with its limit: rounding errors put no drop above a limit that it equals."""
_SHOWN, CAUSES_SHOWN = 20, 4
"""So many queries that got worse are printed, and so many causes of each; `GateResult.regressions` has all.
"""


@dataclass(frozen=True)
class GateRow:
    """One limit: both means, the drop (above 0: the candidate is worse), Holm's p, and the verdict."""

    metric: str
    baseline: float
    candidate: float
    drop: float
    limit: float
    p: float
    verdict: str


@dataclass(frozen=True)
class Regression:
    """A query that got worse: the metric in which it fell furthest, and a cause for each row that fell."""

    query_id: str
    text: str
    metric: str
    before: float
    after: float
    causes: list[str]


@dataclass(frozen=True)
class GateResult:
    """What `gate` found. `ok` is False where a limit failed; `regressions` are worst first.

    >>> row = GateRow("MRR", 0.5, 0.75, -0.25, 0.02, 1.0, "no drop")
    >>> print(GateResult(True, "new against old", rows=[row], regressions=[], notes=[]).text())
    gate passed: new against old
    metric  baseline  candidate    drop  limit       p  verdict
    MRR        0.500      0.750  -0.250  0.020  1.0000  no drop
    """

    ok: bool
    title: str
    rows: list[GateRow]
    regressions: list[Regression]
    notes: list[str]

    def text(self) -> str:
        """For a terminal: title, table, notes, what got worse and why. No query's text can begin a line."""
        lines = [f"gate {'passed' if self.ok else 'FAILED'}: {_line(self.title)}", _table(self.rows)]
        lines += [f"note: {_line(note)}" for note in self.notes]
        if self.regressions:
            lines.append(f"queries that got worse, worst first: {len(self.regressions):,}")
        for query in self.regressions[:_SHOWN]:
            moved = f"{query.metric} {query.before:.3f} to {query.after:.3f}"
            lines.append(f"- {_line(query.query_id)}  {moved}  {_line(query.text, 90)}")
            lines += [f"  - {_line(cause)}" for cause in query.causes[:CAUSES_SHOWN]]
            if len(query.causes) > CAUSES_SHOWN:
                lines.append(f"  - and {len(query.causes) - CAUSES_SHOWN:,} more")
        if len(self.regressions) > _SHOWN:
            lines.append(f"- and {len(self.regressions) - _SHOWN:,} more")
        return "\n".join(lines)


def _table(rows: list[GateRow]) -> str:
    """A line for the heads and one for each limit: names to the left, numbers to the right."""
    lines = [["metric", "baseline", "candidate", "drop", "limit", "p", "verdict"]]
    for row in rows:
        numbers = [f"{value:.3f}" for value in (row.baseline, row.candidate, row.drop, row.limit)]
        lines.append([_line(row.metric), *numbers, f"{row.p:.4f}", row.verdict])
    sides = ["left", *["right"] * 5, "left"]
    return tabulate(lines, tablefmt="plain", colalign=sides, disable_numparse=True)


def _line(text: str, most: int | None = None) -> str:
    """A text on one line, cut to a width; what a terminal would obey and not show is replaced."""
    cut = shortened(text, most or len(text))
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in cut)


def gate(
    baseline: EvaluationReport,
    candidate: EvaluationReport,
    limits: Mapping[str, float],
    other_corpus: bool = False,
    alpha: float = 0.05,
    rng: np.random.Generator | int = 0,
) -> GateResult:
    """Fails where a mean over the gold queries drops by more than its limit, with p < alpha.

    `limits` is `{metric: largest drop that is allowed}`, as `{"nDCG@10": 0.02}`; a metric is one that every
    query of both reports has, or one of `ROW_METRICS`. p is that of the two-sided randomisation test over the
    queries (the rows of one query change sign together), corrected by Holm over all limits. The verdicts: "no
    drop", "within the limit", "not supported by the queries", "FAILED". Where two systems differ by chance
    only, a gate fails in at most alpha / 2 of cases, for half of what chance does is gain. What few queries
    cannot show is said in the notes.

    Raises ValueError, with all that differs, for reports of another dataset, budget, schema, conventions or
    corpus (the last is allowed with `other_corpus`), of another chunker where the dataset expects pieces of
    documents, and for reports without gold queries; for limits that are none, below 0 or no numbers, an
    unknown metric, an alpha that is not between 0 and 1.
    """
    check_comparable(baseline, candidate, other_corpus)
    _check_limits(limits, alpha, baseline, candidate)
    # One p for each limit, from the differences of the queries, weighted as the mean weights them.
    scores = {metric: _paired_scores(baseline, candidate, metric) for metric in limits}
    differences = pd.DataFrame({metric: table["difference"] for metric, table in scores.items()})
    p_values = holm(randomisation_tests(differences, RESAMPLES, rng)["p_value"])
    # A limit fails where the mean drops by more, and chance alone seldom does that.
    rows = [
        _row(metric, scores[metric], float(limit), p_values[metric], alpha)
        for metric, limit in limits.items()
    ]
    systems = " against ".join(f"{one.backend_id} {one.snapshot_id}" for one in (candidate, baseline))
    return GateResult(
        ok=all(row.verdict != "FAILED" for row in rows),
        title=f"{systems}, {counted(len(differences), 'gold query')} of {baseline.dataset.name}",
        rows=rows,
        regressions=_regressions(baseline, candidate, scores),
        notes=[*_notes(rows, scores, alpha), *_warnings(baseline, candidate, other_corpus)],
    )


def check_comparable(
    baseline: EvaluationReport, candidate: EvaluationReport, other_corpus: bool = False
) -> None:
    """Raises ValueError, with all that differs, unless two reports differ as two systems do."""
    before, after = _must_agree(baseline), _must_agree(candidate)
    if other_corpus:
        del before["corpus"], after["corpus"]
    if _expects_pieces(baseline) or _expects_pieces(candidate):
        # "d1#3" is another text where documents are cut otherwise.
        for report, facts in ((baseline, before), (candidate, after)):
            chunker = dict(sorted(report.snapshot.chunker.items()))
            facts["chunker, whose pieces the dataset expects"] = str(chunker)
    wrong = [
        f"{name}: {_only(before[name], after[name])} in the baseline, "
        f"{_only(after[name], before[name])} in the candidate"
        for name in before
        if before[name] != after[name]
    ]
    if lacking := sorted(_gold(baseline).keys() ^ _gold(candidate).keys()):
        wrong.append(f"queries that only one of the two has: {first_few(map(repr, lacking))}")
    if wrong:
        cure = "evaluate both with the same dataset, budget and corpus"
        cure += "; where the corpus was changed on purpose, allow another corpus (--other-corpus)"
        raise ValueError("\n  ".join([f"the reports cannot be compared; {cure}", *wrong]))
    if not _gold(baseline):
        none = f"dataset {baseline.dataset.name!r} has no gold query"
        raise ValueError(f"{none}, and a gate looks at no others; label some queries")


def _must_agree(report: EvaluationReport) -> dict[str, str]:
    budget = report.budget.model_dump(mode="json").items()
    limits = [f"{name} {'without limit' if value is None else value}" for name, value in budget]
    return {
        "schema version": str(report.schema_version),
        "dataset": report.dataset.fingerprint,
        "budget": ", ".join(limits),
        "conventions": report.conventions,
        "corpus": report.corpus.fingerprint,
    }


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


def _check_limits(
    limits: Mapping[str, float], alpha: float, baseline: EvaluationReport, candidate: EvaluationReport
) -> None:
    if not isinstance(alpha, Real) or not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha!r}; needed a number between 0 and 1, such as 0.05")
    if not isinstance(limits, Mapping) or not limits:
        raise ValueError(f"limits are {limits!r}; needed at least one, such as {{'nDCG@10': 0.02}}")
    if len(limits) / (RESAMPLES + 1) >= alpha:
        cannot = f"{RESAMPLES:,} resamples cannot show so small a p"
        raise ValueError(f"alpha is {alpha!r}; with {len(limits)} limits {cannot}")
    # What can be limited: the metrics that every gold query of both has, and those of the rows.
    both = common_metrics([*_gold(baseline).values(), *_gold(candidate).values()])
    known = [*both, *(name for name in ROW_METRICS if name not in both)]
    wrong = [f"there is no metric {metric!r} in both reports" for metric in limits if metric not in known]
    for metric, limit in limits.items():
        if not isinstance(limit, Real) or isinstance(limit, bool) or not isfinite(limit) or limit < 0:
            needed = "the largest drop that is allowed, a number from 0 up"
            wrong.append(f"{metric}: the limit is {limit!r}; needed {needed}")
    if wrong:
        raise ValueError("\n  ".join(["the limits cannot be used", *wrong, f"metrics: {', '.join(known)}"]))


def _paired_scores(baseline: EvaluationReport, candidate: EvaluationReport, metric: str) -> pd.DataFrame:
    """Each gold query's score `before` and `after`, `weight` (1 in the mean) and weighted `difference`.

    A query weighs as much as it has rows where the metric is a mean over rows: rows of one query are not
    independent, so they must not be tested as if they were.
    """
    gold = _gold(baseline)
    sizes = np.array([len(query.rows) if metric in ROW_METRICS else 1 for query in gold.values()])
    table = pd.DataFrame({"before": _scores(baseline, metric), "after": _scores(candidate, metric)})
    table = table.loc[list(gold)].assign(weight=sizes / sizes.mean())
    return table.assign(difference=(table["after"] - table["before"]) * table["weight"])


def _scores(report: EvaluationReport, metric: str) -> dict[str, float]:
    gold = _gold(report).items()
    if metric not in ROW_METRICS:
        return {query_id: query.metrics[metric] for query_id, query in gold}
    of_row = {row.query_id: row_score(metric, row, report.budget) for row in report.evidence}
    return {query_id: float(np.mean([of_row[row] for row in query.rows])) for query_id, query in gold}


def _gold(report: EvaluationReport) -> dict[str, PerQuery]:
    return {query_id: query for query_id, query in report.per_query.items() if query.kind == "gold"}


def _row(metric: str, scores: pd.DataFrame, limit: float, p: float, alpha: float) -> GateRow:
    before, after = (float((scores[side] * scores["weight"]).mean()) for side in ("before", "after"))
    drop = round(before - after, LIMIT_DECIMALS) + 0.0  # no -0.0
    if drop <= 0:
        verdict = "no drop"
    elif round(drop - limit, LIMIT_DECIMALS) <= 0:
        verdict = "within the limit"
    else:
        verdict = "FAILED" if p < alpha else "not supported by the queries"
    return GateRow(metric, before, after, drop, limit, float(p), verdict)


def _falls(scores: pd.DataFrame) -> pd.Series:
    """How far each query fell, free of rounding errors."""
    return (scores["before"] - scores["after"]).round(LIMIT_DECIMALS)


def _regressions(
    baseline: EvaluationReport, candidate: EvaluationReport, scores: Mapping[str, pd.DataFrame]
) -> list[Regression]:
    """The gold queries that fell in any limited metric, the furthest first, equals in the dataset's order."""
    falls = pd.DataFrame({metric: _falls(table) for metric, table in scores.items()})
    worst = falls.max(axis=1)
    rows_before, rows_after = ({row.query_id: row for row in side.evidence} for side in (baseline, candidate))
    found = []
    for query_id in worst[worst > 0].sort_values(ascending=False, kind="stable").index:
        metric, query = falls.loc[query_id].idxmax(), candidate.per_query[query_id]
        before, after = map(float, scores[metric].loc[query_id, ["before", "after"]])
        causes = _causes([(rows_before[row], rows_after[row]) for row in query.rows])
        found.append(Regression(query_id, query.query_text, metric, before, after, causes))
    return found


def _causes(rows: list[tuple[QueryEvidence, QueryEvidence]]) -> list[str]:
    """Why each row that fell did; where none did, what the candidate says of the rows that it misses."""
    fell = [(old, new) for old, new in rows if old.rank and (new.rank is None or new.rank > old.rank)]
    missed = [(old, new) for old, new in rows if new.rank is None]
    return [
        f"{new.query_id}: found at rank {new.rank}, was at {old.rank}"
        if new.cause is None
        else f"{new.query_id}: {new.cause}. {new.explanation}"
        for old, new in fell or missed
    ]


def _notes(rows: list[GateRow], scores: Mapping[str, pd.DataFrame], alpha: float) -> list[str]:
    """What so few queries, or so few that changed, cannot show."""
    notes, n = [], len(scores[rows[0].metric])
    if len(rows) * _least_p(n) >= alpha:
        enough = next(size for size in range(n, 100) if len(rows) * _least_p(size) < alpha)
        few = f"{counted(n, 'gold query is', 'gold queries are')} too few for p < {alpha:g}"
        notes.append(f"{few}, so this gate cannot fail, whatever drops; label {enough} or more")
    for row in rows:
        if row.verdict == "not supported by the queries":
            changed = int(_falls(scores[row.metric]).astype(bool).sum())
            too_few = ", too few for any p below it" if len(rows) * _least_p(changed) >= alpha else ""
            notes.append(
                f"{row.metric} dropped by {row.drop:.3f}, more than {row.limit:.3f}, with p = {row.p:.3f}, "
                f"not below {alpha:g}: {changed} of {counted(n, 'query')} changed{too_few}; "
                "read those below, and label more"
            )
    return notes


def _least_p(changed: int) -> float:
    """The smallest p that the test can give where so many queries changed: all by chance in one direction."""
    return min(1.0, 2 / 2**changed) if 2**changed <= RESAMPLES else 1 / (RESAMPLES + 1)


def _warnings(baseline: EvaluationReport, candidate: EvaluationReport, other_corpus: bool) -> list[str]:
    """What the reports themselves warn of, and what the gate did not look at."""
    sides = {"baseline": baseline, "candidate": candidate}
    notes = [f"{name}: {text}" for name, report in sides.items() for text in report.warnings]
    if other_corpus and baseline.corpus.fingerprint != candidate.corpus.fingerprint:
        notes.append("the corpora differ, so a drop may come from the documents and not from the system")
    if changed := changed_versions(baseline.snapshot.versions, candidate.snapshot.versions):
        notes.append(f"the indexes were built by other versions, so a drop may come from those: {changed}")
    if n := baseline.dataset.synthetic:
        notes.append(f"{counted(n, 'synthetic row is', 'synthetic rows are')} not looked at")
    return notes
