"""All systems of a project, measured alike: reports, how much of each was judged, the baseline."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd
from tabulate import tabulate

from helpers import retrieval
from helpers.base import (
    check_option,
    counted,
    escape_markdown,
    first_few,
    folded,
    markdown_table,
    write_text,
)
from helpers.datasets import to_qrels, to_queries
from helpers.evaluation import ranking
from helpers.failures import FailureReport, System, analyze
from helpers.records import Dataset, Queries, Run
from workbench.backends import BACKENDS
from workbench.budget import QueryBudget
from workbench.dataset_files import load_dataset
from workbench.labelling import QUERIES_FILE, Labelling, read_judges
from workbench.projects.segments import HOW_TO_READ, by_segment, in_words, opposite, segments_of
from workbench.reports import (
    JUDGED,
    EvaluationReport,
    GateResult,
    as_html,
    called,
    evaluate_run,
    found_nothing,
    gate,
    gate_markdown,
    interval_of,
    over_searches,
    save_report,
)
from workbench.systems import DEPTH, SearchSystem

PROJECT_BUDGET = QueryBudget(max_total_items=10, max_items_per_document=1)
"""Ten documents, each by its best piece; `gate.sh` has the same."""
SHOWN = ("nDCG@10", JUDGED, "Recall@10", "MRR", "Hit@10")
LIMIT = {"nDCG@10": 0.02}
_WORSE = 5
"""So many queries that got worse are printed of each system; its page, `reports/measured.md`, has more."""


@dataclass(frozen=True)
class Measured:
    """What became of a project's systems: a report each, and the gate's answer on all but the first.

    `searches` are the intervals of the mean over searches, where the queries are a sample of a log;
    `left_out` are the queries without a relevant document, `unread` those that nobody has read.
    `by_segment` is the table of `workbench.projects.by_segment`, empty where there are no segments to
    compare, and `on_segments` what is to be said of them.
    """

    reports: dict[str, EvaluationReport]
    against_first: dict[str, GateResult]
    searches: dict[str, tuple[float, float, float]]
    left_out: list[str]
    files: list[Path]
    by_segment: pd.DataFrame = field(default_factory=pd.DataFrame)
    on_segments: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    @property
    def table(self) -> pd.DataFrame:
        """A row for each system, a column for each of `SHOWN`; nan for judged@10 where nothing was found."""
        rows = {name: [report.metrics[one] for one in SHOWN] for name, report in self.reports.items()}
        table = pd.DataFrame.from_dict(rows, orient="index", columns=SHOWN).rename_axis("system")
        table.loc[[name for name, report in self.reports.items() if found_nothing(report)], JUDGED] = np.nan
        return table

    def text(self) -> str:
        """The table, the means over searches, warnings by system, what the gate says of each, and the figures
        by segment."""
        first = next(iter(self.reports))
        queries = counted(len(self.reports[first].per_query), "query")
        lines = [f"{queries}; the mean over them:", _shown(self.table), ""]
        lines += self.by_searches()
        for name, report in self.reports.items():
            lines += [f"warning, {name}: {warning}" for warning in report.warnings]
        said = {
            f"{side}: {warning}"
            for report in self.reports.values()
            for warning in report.warnings
            for side in ("baseline", "candidate", "baseline and candidate")
        }
        for name, found in self.against_first.items():
            new = replace(found, notes=[note for note in found.notes if note not in said])
            lines += ["", *new.text(_WORSE).splitlines(), *self.segments_differ(name)]
        if len(self.by_segment):
            lines += ["", f"By segment, {SHOWN[0]}:", _aligned(self.segments, 2)]
            lines += [self.reading] if self.against_first else []
        return "\n".join([*lines, *(f"segments: {one}" for one in self.on_segments)])

    @property
    def segments(self) -> pd.DataFrame:
        """`by_segment` as text; empty where that is."""
        return in_words(self.by_segment, SHOWN[0]) if len(self.by_segment) else self.by_segment

    @property
    def reading(self) -> str:
        """How to read the figures by segment."""
        first = next(iter(self.reports.values()))
        times = "as often as it was drawn from the log" if _counts_searches(first) else "once"
        return f"{HOW_TO_READ} Each query counts {times}."

    def segments_differ(self, name: str) -> list[str]:
        """A line where a system is better in one segment and worse in another, whatever the whole says."""
        found = opposite(self.by_segment, name) if len(self.by_segment) else ""
        return [f"note: the segments differ: {found}; see By segment"] if found else []

    def by_searches(self) -> Iterator[str]:
        """The means over the searches of a log, where the queries are a sample of one, a line each."""
        first = next(iter(self.reports.values()))
        drawn = first.drawn or {}
        if first.unread:
            n = f"{len(first.unread)} of {counted(len(drawn), 'drawn query', 'drawn queries')}"
            said = f"{n} not read yet, and the others are no sample of the log"
            yield f"That counts each query once. There is no mean over searches: {said} (workbench pool)."
        if not self.searches:
            return
        yield "That counts each query once. Counted as often as it was drawn from the log:"
        n = sum(drawn.values())
        answered = n - sum(drawn.get(query_id, 0) for query_id in self.left_out)
        for name, (mean, low, high) in self.searches.items():
            what = f"{name}: nDCG@10 {mean:.3f} (95 % interval {low:.3f} to {high:.3f})"
            yield f"{what} for the searches of this log that have an answer here"
            if answered < n:
                rest = f"{n - answered:,} of {counted(n, 'search', 'searches')}"
                yield f"{name}: {mean * answered / n:.3f} if {rest} without a known answer count 0"
        said = "relevant pages that no pool held would lower them, and another month is another log"
        yield f"The intervals are about this log, by what was judged: {said}."

    def markdown(self) -> str:
        """The same as a page to pass on: all systems with their intervals, and what the gate says of each."""
        first, *others = self.reports
        report = self.reports[first]
        parts = [f"# {escape_markdown(report.corpus.name)}: what was measured"]
        parts.append(f"The mean over {counted(len(report.per_query), 'query')}, and how sure it is:")
        parts.append(markdown_table(self._with_intervals()))
        if self.left_out:
            n = counted(len(self.left_out), "query", "queries")
            which = first_few(self.left_out, 10)
            parts.append(f"Left out, without a relevant document among those judged: {n} ({which}).")
        if self.unread:
            which = first_few(self.unread, 10)
            parts.append(f"Not read yet, and in no mean: {counted(len(self.unread), 'query')} ({which}).")
        told, *means = [*map(escape_markdown, self.by_searches()), ""]
        parts += [told, "\n".join(f"- {one}" for one in means if one)]
        warned = [f"- {name}: {said}" for name, one in self.reports.items() for said in one.warnings]
        parts += ["## Warnings", "\n".join(map(escape_markdown, warned))] if warned else []
        if others:
            parts.append(f"Each of the others against {escape_markdown(first)}:")
            parts.append(gate_markdown(self.against_first))
            parts += [
                f"- {escape_markdown(f'{name}: {one}')}"
                for name in others
                for one in self.segments_differ(name)
            ]
        if len(self.by_segment):
            parts += [f"## By segment, {SHOWN[0]}", markdown_table(self.segments, n_labels=2)]
            parts += [self.reading] if others else []
        parts += [f"- segments: {escape_markdown(one)}" for one in self.on_segments]
        return "\n\n".join(filter(None, (part.strip() for part in parts))) + "\n"

    def _with_intervals(self) -> pd.DataFrame:
        """The table as text, with the interval of the first metric behind it."""
        table = self.table.map(lambda value: "undefined" if np.isnan(value) else f"{value:.3f}")
        spans = [interval_of(report, "gold", SHOWN[0]) or "none" for report in self.reports.values()]
        table.insert(1, "95 % interval", spans)
        return table.rename(columns={JUDGED: JUDGED.lower()}).reset_index()


def measure_project(lab: Labelling) -> Measured:
    """Writes the gold dataset, measures every system of the project on it, and writes reports and pages.

    The reports go to `reports/gold-NAME.json` and `.html`, all of them in one page to `reports/measured.md`.
    Raises ValueError where no query has a relevant
    document yet, and whatever a system raises, with its name.
    """
    judged_as = lab.judged_texts()  # before the dataset that was measured last is written anew
    path = lab.export()
    if path is None:
        raise ValueError(_why_nothing(lab))
    dataset, reports, files = load_dataset(path), {}, []
    for name, system in lab.systems.measured.items():
        try:
            reports[name] = evaluate_run(lab.corpus, system, dataset, PROJECT_BUDGET, *lab.sample())
        except ValueError as error:
            raise ValueError(f"system {name!r}: {error}") from None
    for name in reports:
        said = [_of_other_queries(name, reports), _of_old_words(lab, lab.systems.measured[name], judged_as)]
        warnings = [*filter(None, said), *reports[name].warnings]
        reports[name] = reports[name].model_copy(update={"warnings": warnings})
        stem = report_stem(lab.folder / "reports", name, files)
        files.append(save_report(f"{stem}.json", reports[name]))
        files.append(write_text(f"{stem}.html", as_html(reports[name])))
    first, *others = reports
    names = {name: called(name, report) for name, report in reports.items()}
    answers = {
        name: gate(reports[first], reports[name], LIMIT, names=(names[first], names[name])) for name in others
    }
    unread = lab.unread_queries()
    left_out = [
        one.query_id for one in lab.labels() if not one.relevant_doc_ids if one.query_id not in unread
    ]
    searches = {name: ends for name, one in reports.items() if (ends := over_searches(one))}
    segments = _by_segment(lab, reports)
    found = Measured(reports, answers, searches, left_out, files, *segments, unread)
    files.append(write_text(lab.folder / "reports" / "measured.md", found.markdown()))
    return found


def _of_old_words(lab: Labelling, system: SearchSystem, judged_as: Mapping[str, str]) -> str:
    """What to say of a file of results that names queries by their ids, where some were reworded since they
    were judged, `{query_id: text}`, or last measured; "" for others."""
    if system.kind != "run file":
        return ""
    now = {q: folded(one.query) for q, one in lab.questions().items()}
    reworded = [q for q, text in judged_as.items() if q in now and folded(text) != now[q]]
    answered = system.answered or ()
    by_id = [q for q in reworded if q in answered and folded(system.texts.get(q, "")) != now[q]]
    if not by_id:
        return ""
    who = counted(len(by_id), "query was", "queries were")
    said = f"{who} reworded since they were judged or measured ({first_few(by_id)}), and a file of results"
    return f"{said} names queries by their ids: is it older? Then write it anew, for the words of now"


def _of_other_queries(name: str, reports: Mapping[str, EvaluationReport]) -> str:
    """What to say of a file of results that for many queries has none of the documents that any other search
    found, and for the others has: a file names queries by their ids, and these may be those of other texts.
    "" for others."""
    if reports[name].search is None or reports[name].search.kind != "run file":
        return ""
    own, *others = (_first_ten(reports[one]) for one in (name, *(one for one in reports if one != name)))
    shared = {}
    for query_id, doc_ids in own.items():
        elsewhere = {one for found in others for one in found.get(query_id, ())}
        if len(doc_ids) >= _FEW and len(elsewhere) >= _FEW:
            shared[query_id] = len(doc_ids & elsewhere)
    none = [query_id for query_id, n in shared.items() if not n]
    if len(none) < max(_FEW, _MANY * len(shared)) or sum(shared.values()) < len(shared) - len(none):
        return ""
    mean = sum(shared.values()) / (len(shared) - len(none))
    said = (
        f"for {len(none)} of {counted(len(shared), 'query', 'queries')} its first ten have no document that"
    )
    said += f" any other search found, for the others {mean:.1f} in the mean ({first_few(none)})"
    return f"{said}; was the file written for these queries, as they are numbered here?"


_FEW, _MANY = 5, 0.15


def _first_ten(report: EvaluationReport) -> dict[str, set[str]]:
    items = {row.query_id: row.items[:10] for row in report.evidence}
    return {q: {item.doc_id for item in items[one.rows[0]]} for q, one in report.per_query.items()}


def _by_segment(lab: Labelling, reports: Mapping[str, EvaluationReport]) -> tuple[pd.DataFrame, list[str]]:
    """The figures by segment, empty where there are none to compare, and what is to be said of them."""
    scores = {
        name: {query_id: one.metrics[SHOWN[0]] for query_id, one in report.per_query.items()}
        for name, report in reports.items()
    }
    table = pd.DataFrame(scores)
    segments, said = segments_of(lab.questions(), list(table.index))
    first = next(iter(reports.values()))
    drawn = first.drawn if _counts_searches(first) else None
    return by_segment(table, segments, drawn) if segments else pd.DataFrame(), said


def _counts_searches(report: EvaluationReport) -> bool:
    """Whether the queries are a sample of a log that was read as a whole."""
    return over_searches(report) is not None


def _why_nothing(lab: Labelling) -> str:
    """Why no query has a relevant document: none was judged, or what was judged holds no longer."""
    nothing = "nothing can be measured yet, for no query has a relevant document"
    cure = "judge some: `workbench pool`, or 1_label.ipynb; or bring judgments in: `workbench import`"
    if drafted := [judge for judge in read_judges(lab.folder) if not lab.verdicts()]:
        cure += f"; those of {first_few(drafted)} stand apart (workbench agreement {drafted[0]}, then settle)"
    stale = lab.stale()
    reasons = "; ".join(f"{why}: {n:,}" for why, n in Counter(stale.values()).items())
    lost = f"{counted(len(stale), 'judgment')} in judgments.jsonl no longer count ({reasons})"
    back = "put back the file of queries or the documents that they were made for, or correct the quotes"
    if not lab.verdicts() and (lab.folder / "datasets" / "gold.json").is_file():
        back = "put judgments.jsonl back; datasets/gold.json is kept as it was"
        return f"{nothing}: judgments.jsonl is gone or empty; {back}; or {cure}"
    if not lab.questions():
        nothing = f"nothing can be measured yet, for {QUERIES_FILE} holds no query"
        cure = "bring some in: `workbench import queries`, or add them in 1_label.ipynb"
    return f"{nothing}; {f'{lost}: {_strangers(lab, stale)}{back}; or {cure}' if stale else cure}"


def _strangers(lab: Labelling, stale: Mapping[tuple[str, str], str]) -> str:
    """An id of judgments that the project does not have, beside one that it has, where no judgment holds."""
    here = {"query": list(lab.questions()), "document": list(lab.documents)}
    if len(stale) < len(lab.verdicts()):
        return ""
    for place, (what, known) in enumerate(here.items()):
        strange = next((pair[place] for pair in stale if pair[place] not in known), None)
        if strange is not None and known:
            said = f"there is no {what} {strange!r} here, but e.g. {known[0]!r}"
            return f"{said}. Is judgments.jsonl of another project? If not, "
    return ""


def report_stem(folder: Path, name: str, files: list[Path]) -> Path:
    """A file's name for a system, without its ending; two systems never share one, whatever their names."""
    plain = f"gold-{re.sub(r'[^A-Za-z0-9_.-]+', '-', name)[:80]}"
    taken = {path.stem.casefold() for path in files}
    numbered = (plain if n == 1 else f"{plain}-{n}" for n in range(1, len(files) + 2))
    return folder / next(stem for stem in numbered if stem.casefold() not in taken)


@dataclass(frozen=True)
class _AsItIs:
    """A search that cannot be built anew, as a retriever that ranks as `evaluate_run` does: it is asked for
    `DEPTH` documents, or for `k` where that is more, and the order is its own whatever its scores."""

    system: SearchSystem
    k: int

    def search(self, queries: Queries, k: int) -> Run:
        found = self.system.search(queries, max(DEPTH, self.k), self.k)
        return {query_id: _kept_in_order(query_id, results)[:k] for query_id, results in found.items()}


def _kept_in_order(query_id: str, results: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Results with scores that do not change their order, where equal ones would: 1 / rank."""
    if ranking(query_id, results) == [doc_id for doc_id, _ in results]:
        return results
    return [(doc_id, 1 / rank) for rank, (doc_id, _) in enumerate(results, start=1)]


def analyze_project(lab: Labelling, name: str, k: int = 10) -> FailureReport:
    """What a system of the project misses, and which changes would bring it back (`failures.analyze`).

    A backend of ours is built anew with each of the usual changes. A search of one's own cannot be: there the
    changes are the project's other systems. Raises ValueError where no query has a relevant document.
    """
    check_option("name", name, lab.systems.measured)
    labels = [label for label in lab.labels() if label.relevant_doc_ids]
    if not labels:
        raise ValueError("no query has a relevant document yet, so nothing could be missed")
    queries, qrels = to_queries(labels), to_qrels(labels)
    dataset = Dataset(lab.corpus.name, "gold", lab.texts, queries, qrels, "labelled in a project")
    spec = lab.systems.specs[name]
    if spec in BACKENDS:
        return analyze(dataset, System(name, getattr(retrieval, BACKENDS[spec].retriever)), labels, k)
    others = {
        other: System(other, lambda corpus, system=system: _AsItIs(system, k))
        for other, system in lab.systems.measured.items()
        if other != name
    }
    mine = System(name, lambda corpus: _AsItIs(lab.systems.measured[name], k))
    return analyze(dataset, mine, labels, k, others)


def _shown(table: pd.DataFrame) -> str:
    cells = [
        [name, *("undefined" if np.isnan(value) else f"{value:.3f}" for value in row)]
        for name, *row in table.itertuples()
    ]
    heads = ["system", *(name.lower() if name == JUDGED else name for name in table)]
    return _aligned(pd.DataFrame(cells, columns=heads))


def _aligned(table: pd.DataFrame, n_labels: int = 1) -> str:
    """A table of text for a terminal: names to the left, numbers to the right."""
    sides = ["left"] * n_labels + ["right"] * (len(table.columns) - n_labels)
    cells = [list(table), *table.to_numpy().tolist()]
    return tabulate(cells, tablefmt="plain", colalign=sides, disable_numparse=True)
