"""What the comparison of a project's searches would be by another judge's grades, beside its own.

Kappa says how often two judges agree. A judge with few errors may make them all on the page that one search
ranks first, and another with many may spread them evenly: which of the two would choose the same search shows
only when the searches are measured by both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from tabulate import tabulate

from helpers.base import counted, first_few, folded
from helpers.datasets import LabelledQuery, to_qrels
from helpers.metrics import ndcg_at_k
from helpers.records import Qrels
from helpers.stats import t_interval
from workbench.labelling import Labelling, check_judge, corrected_mean, read_systems
from workbench.projects.measuring import LIMIT, report_stem
from workbench.reports import EvaluationReport, load_report
from workbench.systems import DEPTH

Lists = Mapping[str, Mapping[str, Sequence[str]]]
"""`{system: {query_id: doc_ids}}`, the best first."""
_METRIC = "nDCG@10"
_MEASURE_FIRST = "workbench measure first, then this also says what the judge's grades would change"


@dataclass(frozen=True)
class ByJudges:
    """What another judge's grades would say of a project's searches, each against `first`.

    `table` is that of `leanings`, `corrected` that of `corrections`; `kind` is the judge's, "person" or
    "model"; `notes` say what could not be counted.
    """

    judge: str
    first: str = ""
    kind: str = "model"
    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    corrected: pd.DataFrame = field(default_factory=pd.DataFrame)
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """The table, a sentence for each search, the corrected differences, and the notes."""
        return "\n".join([*self._leanings(), *self._corrections(), *self.notes])

    def data(self) -> dict:
        """The same as plain data, for `--json`."""
        tables = {"leanings": self.table, "corrected": self.corrected}
        records = {name: one.rename_axis("system").reset_index() for name, one in tables.items()}
        return {"against": self.first, "notes": list(self.notes)} | {
            name: one.astype(object).where(one.notna(), None).to_dict("records") if len(one) else []
            for name, one in records.items()
        }

    def _leanings(self) -> list[str]:
        if not len(self.table):
            return []
        over = counted(int(self.table["queries"].iloc[0]), "query", "queries") + ", each counted once,"
        lines = [
            f"What {self.judge}'s grades would make of the searches: {_METRIC} minus that of {self.first},"
        ]
        lines += [f"by the lists of the last measure, over {over} with documents that both judged", ""]
        heads = ["system", "by yours", f"by {self.judge}", "apart", "95 % interval"]
        cells = [
            [
                one.Index,
                *(f"{value:+.3f}" for value in (one.own, one.other, one.apart)),
                _between(one.low, one.high),
            ]
            for one in self.table.itertuples()
        ]
        lines += [tabulate(cells, heads, tablefmt="plain", disable_numparse=True), ""]
        return lines + [self._sentence(one) for one in self.table.itertuples()]

    def _sentence(self, one) -> str:
        between = f"{one.Index} − {self.first} is {one.other:+.3f}, by yours {one.own:+.3f}"
        said = f"by {self.judge}'s grades {between}, over {counted(one.queries, 'query', 'queries')}"
        limit, errors, whose = LIMIT[_METRIC], "its errors", "its"
        if self.kind == "person":
            errors, whose = f"{self.judge}'s differences from you", f"{self.judge}'s"
        if np.isnan(one.low):
            return f"{said}: whether {errors} lean takes two queries or more"
        if one.low == one.high == 0:
            return f"{said}: in none of these queries do {errors} change the result"
        if -limit <= one.low and one.high <= limit:
            return f"{said}: {errors} do not lean by more than {limit:g}"
        if one.low <= 0 <= one.high:
            return f"{said}: whether {errors} lean toward one of them these queries cannot tell"
        toward = one.Index if one.apart > 0 else self.first
        return f"{said}: {errors} lean toward {toward}, so {whose} grades do not decide between them"

    def _corrections(self) -> list[str]:
        if not len(self.corrected):
            return []
        whole, mine = (int(self.corrected[name].iloc[0]) for name in ("queries", "yours"))
        lines = [
            "",
            f"{self.judge} judged {whole:,} queries, you {mine:,} of them. For all {whole:,}, corrected ",
        ]
        lines[-1] += "by how far it is off where you judged:"
        for one in self.corrected.itertuples():
            mean = (
                f"  {one.Index} − {self.first}: {one.mean:+.3f} (95 % interval {_between(one.low, one.high)})"
            )
            alone = f"by yours alone {one.alone:+.3f} ({_between(one.alone_low, one.alone_high)})"
            lines.append(f"{mean}; {alone}, by {self.judge}'s alone {one.by_judge:+.3f}")
        lines.append(
            f"  That holds where the queries that you judged were drawn at random from all that {self.judge} "
            "judged; where you chose them, or took the first ones, it does not."
        )
        return lines


def _between(low: float, high: float) -> str:
    if low == high:
        return "none, as all queries are alike"
    return "none" if np.isnan(low) else f"{low:+.3f} to {high:+.3f}"


def by_judges(lab: Labelling, judge: str) -> ByJudges:
    """What another judge's grades would say of the searches that a project measured, beside its own.

    The lists are those of `reports/gold-NAME.json`; searches are asked only for queries that the judge alone
    judged, or in which nothing is relevant by the project's own grades. Each search is held to the first of
    one's own, or to the first of all. What was taken over from this judge counts as the judge's alone. Raises
    ValueError for a judge that there is not.
    """
    kind = check_judge(lab.folder, judge)[judge].kind
    reports, why = _reports(lab)
    if why:
        return ByJudges(judge, notes=(why,))
    first = next((name for name, one in reports.items() if one.snapshot is None), next(iter(reports)))
    now = {query_id: folded(one.query) for query_id, one in lab.questions().items()}
    measured = {name: _found(report) for name, report in reports.items()}
    lists = {name: _of_now(found, now) for name, found in measured.items()}
    own, other = (_judged(of.labels()) for of in (lab, Labelling(lab.folder, lab.k, judge)))
    apart, notes = lab.uncounted(judge), []
    table = leanings(lists, _without(own, apart), _without(other, apart), first)
    both = own.keys() & other.keys()
    if changed := sorted(both & {q for name in lists for q in measured[name].keys() - lists[name].keys()}):
        those = "1 query reads" if len(changed) == 1 else f"{len(changed):,} queries read"
        said = f"{those} otherwise than when it was measured ({first_few(changed)})"
        notes.append(f"left out here: {said}; workbench measure takes the new text")
    if not len(table):
        notes.append(f"no query that was measured has documents that {judge} judged too")
    corrected = pd.DataFrame()
    not_mine = {query_id for query_id, _ in lab.taken_over(judge)}
    mine = {query_id: grades for query_id, grades in own.items() if query_id not in not_mine}
    if len(other.keys() - mine.keys()) > 1:
        lists, why = _asked_too(lab, lists, other)
        corrected, too_few = corrections(lists, mine, other, first)
        notes += [why or too_few] if why or too_few else []
    return ByJudges(judge, first, kind, table, corrected, tuple(notes))


def _reports(lab: Labelling) -> tuple[dict[str, EvaluationReport], str]:
    """The report of each search of a project, and "" or why they cannot be compared."""
    names, files, reports = read_systems(lab.folder), [], {}
    for name in names:
        files.append(Path(f"{report_stem(lab.folder / 'reports', name, files)}.json"))
        try:
            reports[name] = load_report(files[-1])
        except FileNotFoundError:
            continue
        except ValueError as error:
            return {}, f"{' '.join(str(error).splitlines()[:2])}; {_MEASURE_FIRST}"
    if missing := [name for name in names if name not in reports]:
        told = f" (not measured yet: {first_few(missing)})" if reports else ""
        return reports, f"{_MEASURE_FIRST}{told}"
    if len(reports) < 2:
        return reports, "one search is measured, so there are no two to compare by each judge"
    return reports, ""


def _judged(labels: list[LabelledQuery]) -> Qrels:
    return {query_id: grades for query_id, grades in to_qrels(labels).items() if grades}


def leanings(lists: Lists, own: Qrels, other: Qrels, first: str) -> pd.DataFrame:
    """By how much nDCG@10 of each system differs from that of `first`, by one's own grades and by another
    judge's, over the queries of the lists that both judged, where only documents that both judged count.

    A row for each other system: `queries`, `own`, `other`, `apart` (other - own) with its 95 % t interval by
    query from `low` to `high`, nan for fewer than two queries. A judge whose errors fall alike on both has an
    `apart` of about 0, whatever their number. Empty where no query was judged by both.

    >>> lists = {"mine": {"q1": ["a", "b"], "q2": ["c"]}, "better": {"q1": ["b", "a"], "q2": ["c"]}}
    >>> own = {"q1": {"a": 0, "b": 2}, "q2": {"c": 1}}
    >>> table = leanings(lists, own, {"q1": {"a": 2, "b": 0}, "q2": {"c": 2}}, "mine")
    >>> table[["queries", "own", "other", "apart"]].round(3).values.tolist()
    [[2.0, 0.185, -0.185, -0.369]]
    """
    shared = {q: own[q].keys() & other[q].keys() for q in own if q in other}
    both = [q for q, of in shared.items() if of and all(q in found for found in lists.values())]
    sides = [{q: {d: qrels[q][d] for d in shared[q]} for q in both} for qrels in (own, other)]
    rows = {}
    for system in (name for name in lists if name != first and both):
        mine, theirs = (_differences(lists, side, system, first) for side in sides)
        apart = {q: theirs[q] - mine[q] for q in both}
        low, high = t_interval(apart) if len(both) > 1 else (np.nan, np.nan)
        means = [float(np.mean(list(one.values()))) for one in (mine, theirs, apart)]
        rows[system] = [len(both), *means, low, high]
    columns = ["queries", "own", "other", "apart", "low", "high"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def corrections(lists: Lists, own: Qrels, other: Qrels, first: str) -> tuple[pd.DataFrame, str]:
    """By how much nDCG@10 of each system differs from that of `first` over all queries that another judge
    judged, corrected by those that one judged oneself (`helpers.stats.prediction_powered`), and "" or why
    that cannot be counted.

    A row for each other system: `queries`, `yours` of them judged by oneself, `by_judge` alone, `mean` with
    its 95 % interval from `low` to `high`, and what one's own grades alone give, `alone` with `alone_low` to
    `alone_high`. A query in which nothing is relevant makes no difference between two systems. The interval
    holds where one's own queries are a random part of all.

    >>> corrections({"mine": {}, "better": {}}, {"q1": {"a": 1}}, {"q1": {"a": 1}, "q2": {"a": 0}}, "mine")[1]
    'no corrected difference: 0 queries were judged by people and model; needed two or more'
    """
    judged = [q for q in other if all(q in found for found in lists.values())]
    mine = [q for q in judged if q in own]
    rows = {}
    for system in (name for name in lists if name != first):
        theirs = _differences(lists, {q: other[q] for q in judged}, system, first)
        yours = _differences(lists, {q: own[q] for q in mine}, system, first)
        try:
            found = corrected_mean(theirs, yours)
        except ValueError as error:
            return pd.DataFrame(), f"no corrected difference: {error}"
        alone = float(np.mean(list(yours.values()))), *t_interval(yours)
        rows[system] = [found.n, found.both, found.model, found.mean, found.low, found.high, *alone]
    columns = ["queries", "yours", "by_judge", "mean", "low", "high", "alone", "alone_low", "alone_high"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns), ""


def _differences(lists: Lists, qrels: Qrels, system: str, first: str) -> dict[str, float]:
    return {
        q: _ndcg(lists[system][q], grades) - _ndcg(lists[first][q], grades) for q, grades in qrels.items()
    }


def _ndcg(doc_ids: Sequence[str], grades: Mapping[str, int]) -> float:
    return ndcg_at_k(doc_ids, grades, 10)


def _without(qrels: Qrels, gone: set[tuple[str, str]]) -> Qrels:
    return {q: {d: grade for d, grade in of.items() if (q, d) not in gone} for q, of in qrels.items()}


def _found(report: EvaluationReport) -> dict[str, tuple[str, list[str]]]:
    """`{query_id: (text, doc_ids)}` of a report's gold queries, the best first."""
    items = {row.query_id: row.items for row in report.evidence}
    return {
        query_id: (one.query_text, list(dict.fromkeys(item.doc_id for item in items[one.rows[0]])))
        for query_id, one in report.per_query.items()
        if one.kind == "gold"
    }


def _of_now(found: Mapping[str, tuple[str, list[str]]], now: Mapping[str, str]) -> dict[str, list[str]]:
    """The lists of the queries that still read as they were measured."""
    return {q: doc_ids for q, (text, doc_ids) in found.items() if folded(text) == now.get(q)}


def _asked_too(lab: Labelling, lists: Lists, other: Qrels) -> tuple[Lists, str]:
    """The lists with those of the queries that another judge judged and that were not measured, and "" or why
    they could not be had. A query that a file of results does not answer stays out."""
    texts = {q: one.query for q, one in lab.questions().items()}
    asked = {q: texts[q] for q in other if q in texts and any(q not in found for found in lists.values())}
    try:
        systems = lab.systems.measured
        asked = {q: t for q, t in asked.items() if not any(one.missing({q: t}) for one in systems.values())}
        found = {name: one.search(asked, DEPTH, least=10) for name, one in systems.items()}
    except (ValueError, RuntimeError, OSError) as error:
        return lists, f"the searches could not be asked for queries that were not measured: {error}"
    more = {
        name: {q: [doc_id for doc_id, _ in ranked] for q, ranked in of.items()} for name, of in found.items()
    }
    return {name: more[name] | dict(lists[name]) for name in lists}, ""
