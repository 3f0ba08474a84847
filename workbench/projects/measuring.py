"""All systems of a project, measured alike: reports, how much of each was judged, the baseline."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from tabulate import tabulate

from helpers import retrieval
from helpers.base import (
    check_option,
    check_path,
    check_type,
    counted,
    escape_markdown,
    first_few,
    markdown_table,
    write_text,
)
from helpers.datasets import to_qrels, to_queries
from helpers.evaluation import ranking
from helpers.failures import FailureReport, System, analyze
from helpers.records import Dataset, Queries, Run
from helpers.stats import WORSE
from workbench.backends import BACKENDS
from workbench.budget import QueryBudget
from workbench.corpus import CorpusFolder
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
    load_report,
    over_searches,
    save_report,
)
from workbench.systems import DEPTH, SearchSystem

PROJECT_BUDGET = QueryBudget(max_total_items=10, max_items_per_document=1)
"""Ten documents, each by its best piece; `gate.sh` has the same."""
SHOWN = ("nDCG@10", JUDGED, "Recall@10", "MRR", "Hit@10")
LIMIT = {"nDCG@10": 0.02}


@dataclass(frozen=True)
class Measured:
    """What became of a project's systems: a report each, and the gate's answer on all but the first.

    `searches` are the intervals of the mean over searches, where the queries are a sample of a log;
    `left_out` are the queries without a relevant document.
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
        for name, found in self.against_first.items():
            lines += ["", *found.text().splitlines(), *self.segments_differ(name)]
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
    path = lab.export()
    if path is None:
        raise ValueError(_why_nothing(lab))
    dataset, reports, files = load_dataset(path), {}, []
    for name, system in lab.systems.measured.items():
        try:
            reports[name] = evaluate_run(lab.corpus, system, dataset, PROJECT_BUDGET, *lab.sample())
        except ValueError as error:
            raise ValueError(f"system {name!r}: {error}") from None
        stem = report_stem(lab.folder / "reports", name, files)
        files.append(save_report(f"{stem}.json", reports[name]))
        files.append(write_text(f"{stem}.html", as_html(reports[name])))
    first, *others = reports
    names = {name: called(name, report) for name, report in reports.items()}
    answers = {
        name: gate(reports[first], reports[name], LIMIT, names=(names[first], names[name])) for name in others
    }
    left_out = [label.query_id for label in lab.labels() if not label.relevant_doc_ids]
    searches = {name: ends for name, one in reports.items() if (ends := over_searches(one))}
    segments = _by_segment(lab, reports)
    found = Measured(reports, answers, searches, left_out, files, *segments)
    files.append(write_text(lab.folder / "reports" / "measured.md", found.markdown()))
    return found


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


def baseline_system(folder: str | Path, reports: Mapping[str, EvaluationReport]) -> str:
    """The name of the system whose report is to be `baseline.json`, with which the gate compares.

    It is the first search of one's own among those measured, for that is what changes; where there is none,
    the first. A system that somebody made the baseline in place of these stays it.
    """
    check_type("reports", reports, Mapping, "{name: report}, as measure_project(lab).reports")
    if not reports:
        raise ValueError("there is no report, so none can be the baseline; measure a system first")
    first = next(iter(reports))
    guarded = next((name for name, report in reports.items() if report.snapshot is None), first)
    try:
        before = load_report(check_path(folder, "the folder of a project") / "baseline.json")
    except (ValueError, OSError):
        return guarded
    same = [name for name, report in reports.items() if _system_of(report) == _system_of(before)]
    return same[0] if same and first not in same else guarded


def _system_of(report: EvaluationReport) -> tuple:
    """What was measured, whatever documents it found: a search of one's own, or a backend as it was set."""
    built = report.snapshot
    return report.backend_id, *((built.analyzer, built.chunker, built.parameters) if built else ())


def keep_baseline(folder: str | Path, report: EvaluationReport) -> str:
    """Keeps the report as `baseline.json`, unless one is there that later ones can be compared with.

    Other queries, judgments, another budget or way of counting make a new baseline. In every other case the
    old one stays: a baseline that moves with each run can never show a loss. Of a search of one's own that
    has changed since, the new one is what it found then, by the judgments of now. Where the documents have
    changed too it could not find what is new, so that counts only where it was better even so, by more than
    the limit; else the new baseline is what it finds now.
    """
    folder = check_path(folder, "the folder of a project")
    path, before = folder / "baseline.json", None
    if path.exists():
        try:
            before = load_report(path)
        except ValueError as error:
            before, why = None, " ".join(str(error).splitlines()[:2])
            names = (f"baseline.unreadable{more}.json" for more in ("", *(f"-{n}" for n in range(2, 10_000))))
            beside = next(folder / name for name in names if not (folder / name).exists())
            path.replace(beside)
            save_report(path, report)
            return f"replaced baseline.json, which could not be read ({why}) and is kept as {beside.name}"
    if before is not None and _measure_of(before) == _measure_of(report):
        kept = "kept: baseline.json is about the same queries, judgments and budget"
        if was := _other_system(before, report):
            cure = f"to make it that of {report.backend_id}, delete it and measure"
            kept = f"kept: baseline.json is of {was}; {cure}"
        changed = before.corpus.fingerprint != report.corpus.fingerprint
        return kept + ("; the documents have changed since: bash gate.sh --other-corpus" if changed else "")
    other_corpus = before is not None and before.corpus.fingerprint != report.corpus.fingerprint
    if before is not None and (then := _as_it_was(folder, before, report)):
        answer = gate(then, report, LIMIT).answer
        if not other_corpus or answer == WORSE:
            save_report(path, then)
            said = "counted baseline.json anew, by what this search found then"
            why = "for it finds other documents now"
            if other_corpus:
                why = "for it was better, even without the documents that are new"
            return f"{said}, {why}: {_both(then, report)}; bash gate.sh compares the two"
    save_report(path, report)
    if before is None:
        return "new: baseline.json"
    changed = f"because of other queries, judgments, budget or way of counting ({_both(before, report)})"
    if other_corpus:
        changed += "; the documents have changed too, so it is what this search finds now"
    was = _other_system(before, report)
    return f"replaced baseline.json, {f'which was of {was}, ' if was else ''}{changed}"


def _both(before: EvaluationReport, report: EvaluationReport) -> str:
    """A search then and now, by the first metric: in the mean over queries, and over searches of a log."""
    metric = SHOWN[0]
    if not (before.metrics and metric in before.metrics):
        return f"now {metric} {report.metrics[metric]:.3f}"
    both = f"{metric} {before.metrics[metric]:.3f}; now it has {report.metrics[metric]:.3f}"
    weighed = before.model_copy(update={"drawn": report.drawn})
    if report.drawn and (then := over_searches(weighed)) and (now := over_searches(report)):
        both += f"; counted as often as drawn from the log {then[0]:.3f}, now {now[0]:.3f}"
    return both


def _as_it_was(folder: Path, before: EvaluationReport, report: EvaluationReport) -> EvaluationReport | None:
    """What a search of one's own found in an earlier report, by the queries and judgments of a later one; for
    a query that is new since, what it finds now. None where it finds the same now, or is another search.

    Else new labels would make a search that has become worse its own baseline. Where the documents have
    changed, what is gone is left out of what it found, and what is new it could not find.
    """
    then, now = _found(before), _found(report)
    shared = then.keys() & now.keys()
    changed = any(then[query] != now[query] for query in shared)
    same_search = report.search is not None and _system_of(before) == _system_of(report)
    path = folder / "datasets" / "gold.json"
    if not (same_search and changed and before.budget == report.budget and path.is_file()):
        return None
    if (dataset := load_dataset(path)).fingerprint != report.dataset.fingerprint:
        return None
    corpus = CorpusFolder.open(folder / "corpus")
    same = before.corpus.fingerprint == report.corpus.fingerprint
    kept = {query: [one for one in then[query] if same or one in corpus.corpus] for query in shared}
    found = now | kept

    def ask(query_id: str, query: str, k: int) -> list[tuple[str, float]]:
        return [(doc_id, 1 / rank) for rank, doc_id in enumerate(found[query_id, query][:k], start=1)]

    system = SearchSystem(before.backend_id, report.search.kind, corpus, ask, allow_unknown=True)
    return evaluate_run(corpus, system, dataset, before.budget, report.drawn, report.unread)


def _found(report: EvaluationReport) -> dict[tuple[str, str], list[str]]:
    """`{(query_id, text): doc_ids}`: what a report's budget let through, best first."""
    items = {row.query_id: row.items for row in report.evidence}
    return {
        (query_id, query.query_text): [item.doc_id for item in items[query.rows[0]]]
        for query_id, query in report.per_query.items()
    }


def _other_system(before: EvaluationReport, report: EvaluationReport) -> str:
    """What an earlier report is of, where that is another system, or the same one with other settings."""
    if before.backend_id != report.backend_id:
        return before.backend_id
    other = _system_of(before) != _system_of(report)
    return f"{before.backend_id} {before.snapshot_id} with other settings" if other else ""


def _measure_of(report: EvaluationReport) -> tuple:
    return report.dataset.fingerprint, report.budget, report.conventions


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
