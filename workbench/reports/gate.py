"""The regression gate: is a search worse by more than is allowed, is it not, or can the queries not tell?

What may not be compared is refused before a number is looked at.
For one limit the answer is that of `non_inferiority`, in `helpers/stats/intervals.py`.

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
>>> found.rows[0].drop, found.answer, found.regressions[0].query_id
(1.0, 'cannot tell', 'q1')
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, isfinite, log, log1p
from numbers import Real

import numpy as np
import pandas as pd
from tabulate import tabulate

from helpers.base import check_flag, check_type, counted, first_few
from helpers.stats import (
    CANNOT_TELL,
    NOT_WORSE,
    WORSE,
    detectable_difference,
    non_inferiority,
    pilot_interval,
    queries_needed,
)
from workbench.reports.models import (
    ROW_METRICS,
    EvaluationReport,
    QueryEvidence,
    common_metrics,
)
from workbench.reports.scores import Sample, gold_of, if_relevant, over_queries_of, paired_scores, sample_of
from workbench.reports.summary import shortened
from workbench.snapshots import changed_versions

LIGHTS = {WORSE: "RED", CANNOT_TELL: "YELLOW", NOT_WORSE: "GREEN"}
"""How each answer is shown; of several limits the first of these that any has is the gate's."""
LIMIT_DECIMALS = 9
"""To which a drop is compared with its limit: rounding errors put no drop above a limit that it equals."""
_SHOWN, CAUSES_SHOWN = 20, 4
"""So many queries that got worse are printed, and so many causes of each; `GateResult.regressions` has all.
"""


@dataclass(frozen=True)
class GateRow:
    """One limit: both means, the drop (above 0: the candidate is worse), its interval, and the answer, and
    whether that is so because both gave the `same` answers to every query."""

    metric: str
    baseline: float
    candidate: float
    drop: float
    low: float
    high: float
    limit: float
    answer: str
    same: bool = False

    @property
    def better(self) -> bool:
        """Whether the whole interval of the drop lies below 0: the candidate gains."""
        return self.answer == NOT_WORSE and self.high < 0

    @property
    def said(self) -> str:
        """The answer in words; of a candidate that is better, by how much."""
        if self.same:
            return "the same answers"
        return f"better, by {-self.high:.3f} to {-self.low:.3f}" if self.better else self.answer


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
    """What `gate` found: a row for each limit, and the `regressions`, worst first.

    `confidence` is that of the intervals; `unless` is what would make a red light another one.

    >>> row = GateRow("MRR", 0.5, 0.75, -0.25, -0.3, -0.2, 0.02, NOT_WORSE)
    >>> print(GateResult("new against old", 0.9, rows=[row], regressions=[], notes=[]).text())
    GREEN, better: new against old
    metric  baseline  candidate    drop     90 % interval  limit  answer
    MRR        0.500      0.750  -0.250  [-0.300, -0.200]  0.020  better, by 0.200 to 0.300
    """

    title: str
    confidence: float
    rows: list[GateRow]
    regressions: list[Regression]
    notes: list[str]
    unless: str = ""

    def __bool__(self) -> bool:
        """Refused: three answers are neither true nor false."""
        raise ValueError(f"a gate has three answers, and this one is {self.said!r}; ask .answer")

    @property
    def answer(self) -> str:
        """Worse where any limit is broken; else "cannot tell" where that is so of any; else not worse."""
        answers = {row.answer for row in self.rows}
        return next(answer for answer in LIGHTS if answer in answers)

    @property
    def said(self) -> str:
        """The answer with its light, in words: "better" where that is so by every limit."""
        words = "better" if self.rows and all(row.better for row in self.rows) else self.answer
        words = "the same answers" if all(row.same for row in self.rows) else words
        return f"{LIGHTS[self.answer]}, {words}{f', unless {self.unless}' if self.unless else ''}"

    def text(self, worse: int = _SHOWN) -> str:
        """For a terminal: title, table, notes, what got worse and why, of `worse` queries at most. No query's
        text can begin a line."""
        lines = [f"{self.said}: {_line(self.title)}"]
        lines += [_table(self.rows, self.confidence), *(f"note: {_line(note)}" for note in self.notes)]
        if self.regressions:
            lines.append(f"queries that got worse, worst first: {len(self.regressions):,}")
        for query in self.regressions[:worse]:
            moved = f"{query.metric} {query.before:.3f} to {query.after:.3f}"
            lines.append(f"- {_line(query.query_id)}  {moved}  {_line(query.text, 90)}")
            lines += [f"  - {_line(cause)}" for cause in query.causes[:CAUSES_SHOWN]]
            if len(query.causes) > CAUSES_SHOWN:
                lines.append(f"  - and {len(query.causes) - CAUSES_SHOWN:,} more")
        if len(self.regressions) > worse:
            lines.append(f"- and {len(self.regressions) - worse:,} more")
        return "\n".join(lines)


def _table(rows: list[GateRow], confidence: float) -> str:
    """A line for the heads and one for each limit: names to the left, numbers to the right."""
    interval = f"{100 * confidence:.3g} % interval"
    lines = [["metric", "baseline", "candidate", "drop", interval, "limit", "answer"]]
    for row in rows:
        means = [f"{value:.3f}" for value in (row.baseline, row.candidate, row.drop)]
        ends = f"[{row.low:+.3f}, {row.high:+.3f}]"
        lines.append([_line(row.metric), *means, ends, f"{row.limit:.3f}", row.said])
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
    names: tuple[str, str] | None = None,
) -> GateResult:
    """Has a mean over the gold queries dropped by more than its limit: worse, not worse, or cannot tell?

    Where the queries are a sample of a log, each counts as often as it was drawn, for that is how often it is
    asked, and one that was not drawn does not count; what they say counted once each is in the notes. The
    interval is then about that log. For drawn queries that nobody has read it allows any difference from -1
    to 1. It is too wide, and so cautious, where a large part of the log was drawn.

    `limits` is `{metric: largest drop that is allowed}`, as `{"nDCG@10": 0.02}`; a metric is one that every
    query of both reports has, or one of `ROW_METRICS` (the rows of one query then count together). The answer
    is that of `helpers.stats.non_inferiority`: the t interval of the drop lies above the limit, or nowhere
    above it, or on both sides. Each end is one-sided at alpha, divided by the number of limits. So where the
    true drops are within their limits a gate is red in about alpha of cases at most, and where one is beyond,
    green in about alpha at most; with a few large losses among many small gains green in up to four times
    alpha at 100 queries, and three at 200, and the other way round red. `names` are what the reader calls the
    baseline and the candidate. What the queries could have seen, and how many it would take, is in the notes.

    Where both found the same for every gold query, in the same order, nothing was changed that could be seen,
    and a gate of five different queries or more is green, though others may have changed: the interval says
    how many, as `non_inferiority` gives it. Where the order changed and the metric did not, green takes as
    many queries as that says. `unless` says of a red answer that it hangs on documents that nobody judged,
    where other grades for those in the two lists turn it; relevant documents in neither list are not asked.

    Only the queries of the baseline are compared; a note names those that the candidate has besides.

    Raises ValueError, with all that differs, for reports of another dataset, budget, schema, conventions or
    corpus (the last is allowed with `other_corpus`), of another chunker where the dataset expects pieces of
    documents, and for reports without gold queries; for limits that are none, below 0 or no numbers, an
    unknown metric, an alpha that is not between 0 and 0.5.
    """
    check_comparable(baseline, candidate, other_corpus)
    later = sorted(gold_of(candidate).keys() - gold_of(baseline).keys())
    candidate = over_queries_of(baseline, candidate)
    _check_names(names)
    _check_limits(limits, alpha, baseline, candidate)
    # With several limits each end takes its share of alpha: so a red light of any is as rare as of one.
    each = alpha / len(limits)
    once = {metric: paired_scores(baseline, candidate, metric) for metric in limits}
    sample = sample_of(baseline, candidate)
    scores = {metric: sample.by_search(table) for metric, table in once.items()}
    same = _found_the_same(baseline, candidate)
    rows = [
        _row(metric, scores[metric], float(limit), each, same, sample) for metric, limit in limits.items()
    ]
    before, after = names or (called(None, one) for one in (baseline, candidate))
    of_what = counted(len(gold_of(baseline)), "gold query")
    if sample:
        of_what = f"{counted(len(scores[rows[0].metric]), 'search', 'searches')} with {of_what}"
    unit = "searches" if sample else "queries"
    notes = [note for row in rows for note in _what_it_takes(row, scores[row.metric], each, unit, sample)]
    notes += [note for row in rows for note in _never_worse(row)]
    notes += not_compared(later)
    notes += _of_the_sample(rows, once, sample, each, same, later) if sample else []
    if baseline.drawn and candidate.drawn and baseline.drawn != candidate.drawn:
        notes.append(
            "the baseline was measured with another sample of searches; both count by the candidate's"
        )
    if candidate.snapshot and baseline.snapshot_id == candidate.snapshot_id:
        rows = [replace(row, low=0.0, high=0.0) if row.same else row for row in rows]  # the same index
    elif any(row.same for row in rows):
        most = f"{100 * max(row.high for row in rows):.2g} %"
        notes.append(f"these {unit} show no change; of all others at most {most} may have changed")
    return GateResult(
        title=f"{after} against {before}, {of_what} of {baseline.dataset.name}",
        confidence=1 - 2 * each,
        rows=rows,
        regressions=_regressions(baseline, candidate, once),
        notes=[*dict.fromkeys(notes), *_warnings(baseline, candidate, other_corpus)],
        unless=_unless(rows, baseline, candidate, sample, each),
    )


def not_compared(later: Sequence[str]) -> list[str]:
    """What is to be said of the queries that only the candidate has."""
    if not later:
        return []
    which = f"{counted(len(later), 'query is', 'queries are')} not in the baseline"
    said = f"{which} and not compared, as nobody knows what it found for them: {first_few(later)}"
    return [f"{said}; to compare all, measure both searches now (workbench gate OLD NEW)"]


def _check_names(names: object) -> None:
    pair = isinstance(names, tuple | list) and len(names) == 2
    if names is not None and not (pair and all(isinstance(name, str) for name in names)):
        raise ValueError(f"names is {names!r:.60}; needed two texts, of the baseline and of the candidate")


def called(name: object, report: EvaluationReport) -> str:
    """A system as the reader named it, with what it is; a report's file adds no name.

    >>> called("bm", EvaluationReport.model_construct(backend_id="csr-bm25", snapshot_id="5d8cd02fd920ad6a"))
    'bm (csr-bm25 5d8cd02fd920ad6a)'
    """
    is_ = f"{report.backend_id} {report.snapshot_id}"
    return is_ if not isinstance(name, str) or name == report.backend_id else f"{name} ({is_})"


def check_comparable(
    baseline: EvaluationReport, candidate: EvaluationReport, other_corpus: bool = False
) -> None:
    """Raises ValueError, with all that differs, unless two reports differ as two systems do; the candidate
    may have more queries besides."""
    for name, report in (("baseline", baseline), ("candidate", candidate)):
        check_type(name, report, EvaluationReport, "load_report(path) gives one")
    check_flag("other_corpus", other_corpus)
    candidate = over_queries_of(baseline, candidate)
    _check_judged(baseline, candidate)
    before, after = _must_agree(baseline), _must_agree(candidate)
    if other_corpus:
        del before["corpus"], after["corpus"]
    if _expects_pieces(baseline) or _expects_pieces(candidate):
        # "d1#3" is another text where documents are cut otherwise.
        for report, facts in ((baseline, before), (candidate, after)):
            chunker = dict(sorted(report.snapshot.chunker.items())) if report.snapshot else "none of ours"
            facts["chunker, whose pieces the dataset expects"] = str(chunker)
    wrong = [
        f"{name}: {_only(before[name], after[name])} in the baseline, "
        f"{_only(after[name], before[name])} in the candidate"
        for name in before
        if before[name] != after[name]
    ]
    if lacking := sorted(gold_of(baseline).keys() ^ gold_of(candidate).keys()):
        wrong.append(f"queries that only one of the two has: {first_few(map(repr, lacking))}")
    if wrong:
        cure = "evaluate both with the same dataset, budget and corpus"
        if before["budget"] != after["budget"]:
            cure += f"; the budget of the baseline is {_as_options(baseline)}"
        if before.get("dataset") != after.get("dataset"):
            cure += "; where labels or queries were changed on purpose, evaluate the baseline's system anew"
        if before.get("corpus") != after.get("corpus"):
            cure += "; where the corpus was changed on purpose, allow another corpus (--other-corpus)"
        raise ValueError("\n  ".join([f"the reports cannot be compared; {cure}", *wrong]))
    if not gold_of(baseline):
        none = f"dataset {baseline.dataset.name!r} has no gold query"
        raise ValueError(f"{none}, and only those are compared; label some queries")


def _as_options(report: EvaluationReport) -> str:
    """The budget of a report as `workbench evaluate` is told it."""
    limits = report.budget.model_dump(exclude_none=True, exclude_defaults=True).items()
    return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in limits)


def _check_judged(baseline: EvaluationReport, candidate: EvaluationReport) -> None:
    """Raises ValueError where one report knows all that was judged, and the other one no grades."""
    judged = {
        name: any(query.judged for query in gold_of(report).values())
        for name, report in (("baseline", baseline), ("candidate", candidate))
    }
    if len(set(judged.values())) > 1 and baseline.dataset.name == candidate.dataset.name:
        without = min(judged, key=judged.get)
        said = f"the {without} was measured without the grades that the other one has"
        cure = (
            f"is {baseline.dataset.name}.qrels missing beside the dataset file? Put it back and evaluate anew"
        )
        raise ValueError(f"the reports cannot be compared: {said}; {cure}")


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
    if not isinstance(alpha, Real) or not 0 < alpha < 0.5:
        raise ValueError(f"alpha is {alpha!r}; needed a number between 0 and 0.5, such as 0.05")
    if not isinstance(limits, Mapping) or not limits:
        needed = "needed a dict of a metric and the largest drop that is allowed"
        raise ValueError(f"limits are {limits!r:.60}; {needed}, such as {{'nDCG@10': 0.02}}")
    # What can be limited: the metrics that every gold query of both has, and those of the rows.
    both = common_metrics([*gold_of(baseline).values(), *gold_of(candidate).values()])
    known = [*both, *(name for name in ROW_METRICS if name not in both)]
    wrong = [f"there is no metric {metric!r} in both reports" for metric in limits if metric not in known]
    if objects := [one for one in limits if not isinstance(one, str) and str(one) in known]:
        wrong = [f"{one!r} is a {type(one).__name__}; give its name, {str(one)!r}" for one in objects]
    for metric, limit in limits.items():
        if not isinstance(limit, Real) or isinstance(limit, bool) or not isfinite(limit) or limit < 0:
            needed = "the largest drop that is allowed, a number from 0 up"
            wrong.append(f"{metric}: the limit is {limit!r}; needed {needed}")
        elif limit > 1:
            why = "no metric can drop by more than 1, so no candidate would ever be worse"
            wrong.append(f"{metric}: the limit is {limit:g}, and {why}; needed e.g. 0.02")
    if wrong:
        raise ValueError("\n  ".join(["the limits cannot be used", *wrong, f"metrics: {', '.join(known)}"]))


def _found_the_same(baseline: EvaluationReport, candidate: EvaluationReport) -> bool:
    """Whether every gold query has the same results, in the same order."""
    gold = gold_of(baseline)
    rows = [{row.query_id: row for row in side.evidence} for side in (baseline, candidate)]
    return all(
        [one.item_id for one in rows[0][row].items] == [one.item_id for one in rows[1][row].items]
        for query in gold.values()
        for row in query.rows
    )


def _of_the_sample(
    rows: list[GateRow],
    once: Mapping[str, pd.DataFrame],
    sample: Sample,
    alpha: float,
    same: bool,
    later: Sequence[str],
) -> list[str]:
    """How the queries of a sample were counted, what they say counted once each, and which are not in it."""
    queries = next(iter(once.values())).index
    notes = ["each query counts as often as it was drawn from the log"]
    for row in rows:
        one = _row(row.metric, Sample().by_search(once[row.metric]), row.limit, alpha, same, Sample())
        ends = f"drop {one.drop:+.3f} [{one.low:+.3f}, {one.high:+.3f}], {one.said}"
        means = f"{one.baseline:.3f} and {one.candidate:.3f}"
        notes.append(f"{row.metric} if each query counted once: {means}, {ends}")
    if others := [query_id for query_id in queries if query_id not in sample.drawn]:
        own = next(iter(once.values())).loc[others]
        means = f"{rows[0].metric} {own['before'].mean():.3f} and {own['after'].mean():.3f}"
        who = counted(len(others), "query was", "queries were")
        notes.append(f"{who} not drawn and not counted ({means}): {first_few(others)}")
    n = counted(sum(sample.drawn.values()), "drawn search", "drawn searches")
    any_there = "the interval allows any difference there"
    unread, came = (
        sum(sample.drawn[one] for one in sample.unread if (one in later) == is_later)
        for is_later in (False, True)
    )
    if unread:
        notes.append(f"{unread:,} of {n} were not read yet; {any_there}; read them (workbench pool)")
    if came:
        notes.append(f"{came:,} of {n} are of queries that the baseline does not have; {any_there}")
    if lacking := sample.searches_beside(queries) - unread - came:
        notes.append(f"{lacking:,} of {n} are not counted: read, and nothing relevant is known for them")
    return notes


def _unless(
    rows: list[GateRow], baseline: EvaluationReport, candidate: EvaluationReport, sample: Sample, alpha: float
) -> str:
    """What would turn a red answer: documents that nobody judged, in the lists of either; "" where no grades
    that are tried here do."""
    red = [row for row in rows if row.answer == WORSE]
    if not red or any(row.metric in ROW_METRICS for row in red):
        return ""
    n_unjudged, cases = if_relevant(baseline, candidate, red[0].metric)
    for case in cases if n_unjudged else ():
        tables = {row.metric: sample.by_search(paired_scores(*case, row.metric)) for row in red}
        turned = [_row(row.metric, tables[row.metric], row.limit, alpha, False, sample) for row in red]
        if all(row.answer != WORSE for row in turned):
            return f"some of the {counted(n_unjudged, 'document')} are relevant that nobody judged"
    return ""


def _row(
    metric: str, scores: pd.DataFrame, limit: float, alpha: float, same: bool, sample: Sample
) -> GateRow:
    before, after = (float((scores[side] * scores["weight"]).mean()) for side in ("before", "after"))
    found = non_inferiority(scores["difference"], round(limit, LIMIT_DECIMALS), alpha)
    drop, low, high = (0.0 - found[end] for end in ("difference", "high", "low"))
    answer, enough = found["answer"], 0.5 ** scores["query_id"].nunique() < alpha
    same = bool(same and not scores["difference"].any() and enough)
    answer = NOT_WORSE if same else answer if enough else CANNOT_TELL
    if share := sample.unread_share(scores["query_id"]):
        low, high = (1 - share) * low - share, (1 - share) * high + share
        holds = (answer == WORSE and low > limit) or (answer == NOT_WORSE and high <= limit)
        answer, same = answer if holds else CANNOT_TELL, False
    return GateRow(metric, before, after, drop, low, high, limit, answer, same)


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
        f"{new.query_id}: {new.items[new.rank - 1].item_id!r} found at rank {new.rank}, was at {old.rank}"
        if new.cause is None
        else f"{new.query_id}: {new.cause}. {new.explanation}"
        for old, new in fell or missed
    ]


def _what_it_takes(row: GateRow, scores: pd.DataFrame, alpha: float, unit: str, sample: Sample) -> list[str]:
    """Where the queries cannot tell: what they could have seen, and how many it would take."""
    if row.answer != CANNOT_TELL:
        return []
    n, differences = scores["query_id"].nunique(), scores["difference"]
    if 0.5**n >= alpha:
        enough = next(size for size in range(n, 100) if 0.5**size < alpha)
        few = "1 gold query is" if n == 1 else f"{n} gold {unit} are"
        return [f"{few} too few for any answer, whatever drops; label {enough} or more"]
    if sample.unread:
        return []  # what was not read has to be read first
    n = len(differences)
    if not differences.any():
        needed = ceil(log(alpha) / log1p(-row.limit)) if 0 < row.limit < 1 else inf
        takes = f"; to call that not worse takes {needed:,} {unit}" if isfinite(needed) else ""
        return [f"{row.metric}: it changed for none of {n} {unit}, though results did{takes}"]
    why = "a drop is shown, but it may be within its limit" if row.low > 0 else "the limit is in the interval"
    drops = -differences  # what is to be seen is a drop, and skewed differences see a gain at another size
    detected = detectable_difference(drops, n)
    if not isfinite(detected):  # drawn again, most sets of so many queries would show no change at all
        changed = f"{np.count_nonzero(differences)} of {n} {unit} changed"
        return [f"{row.metric}: {why}. {changed}, too few to say which drop such a set can show"]
    # The noise is that of these queries; that of all may be so many times as large.
    least, most = (end / detected for end in pilot_interval(drops, n))
    # A one-sided test at alpha is a two-sided one at twice that.
    seen = detectable_difference(drops, n, alpha=2 * alpha)
    red, *ends = (row.limit + seen * times for times in (1, least, most))
    can = f"{n} {unit} call a drop of {red:.2f} ({_up_to(row, *ends)}) worse in 4 of 5 cases"
    if red > row.baseline:
        can = f"{n} {unit} call no drop worse in 4 of 5 cases: the baseline has only {row.baseline:.2f}"
    try:
        needed = queries_needed(differences, row.limit, alpha=2 * alpha)
    except ValueError:  # a limit of 0, or so near to it that a million queries are too few
        return [f"{row.metric}: {why}. {can}"]
    ends = " to ".join(f"{needed * times**2:,.0f}" for times in (least, most))
    takes = f"to tell no drop from one of {row.limit:g} takes about {needed:,} {unit} ({ends})"
    return [f"{row.metric}: {why}. {can}; {takes}"]


def _up_to(row: GateRow, least: float, most: float) -> str:
    """Two drops as a range, of which none is larger than what there is."""
    return f"{least:.2f} to {most:.2f}" if most <= row.baseline else f"{least:.2f} or more"


def _never_worse(row: GateRow) -> list[str]:
    """Where the baseline is so low that it cannot fall by more than the limit."""
    if row.baseline > row.limit:
        return []
    low = (
        f"{row.metric}: the baseline has {row.baseline:.3f}, so no drop can be above the limit {row.limit:g}"
    )
    return [f"{low}, and no candidate can be called worse"]


def _warnings(baseline: EvaluationReport, candidate: EvaluationReport, other_corpus: bool) -> list[str]:
    """What the reports themselves warn of, and what the gate did not look at."""
    sides = {"baseline": baseline, "candidate": candidate}
    both = [text for text in baseline.warnings if text in candidate.warnings]
    notes = [f"baseline and candidate: {text}" for text in both]
    notes += [f"{name}: {text}" for name, one in sides.items() for text in one.warnings if text not in both]
    if other_corpus and baseline.corpus.fingerprint != candidate.corpus.fingerprint:
        notes.append("the corpora differ, so a drop may come from the documents and not from the system")
    built = [side.snapshot.versions for side in sides.values() if side.snapshot]
    if len(built) == 2 and (changed := changed_versions(*built)):
        notes.append(f"the indexes were built by other versions, so a drop may come from those: {changed}")
    if n := baseline.dataset.synthetic:
        notes.append(f"{counted(n, 'synthetic row is', 'synthetic rows are')} not looked at")
    return notes
