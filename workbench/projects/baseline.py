"""`baseline.json`: whose result the gate compares with, and when it gives way to a later one."""

from collections.abc import Collection, Mapping
from pathlib import Path

from helpers.base import check_path, check_type, counted, first_few
from helpers.stats import WORSE
from workbench.corpus import CorpusFolder
from workbench.dataset_files import EvaluationDataset, load_dataset, rows_by_query
from workbench.projects.measuring import LIMIT, SHOWN
from workbench.reports import (
    EvaluationReport,
    evaluate_run,
    gate,
    load_report,
    over_queries_of,
    over_searches,
    save_report,
)
from workbench.systems import SearchSystem


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

    Other judgments, another budget or way of counting make a new baseline. In every other case the old one
    stays: a baseline that moves with each run can never show a loss. Of a search of one's own that has
    changed since, the new one is what it found then, by the judgments of now; of queries that came in since
    nobody knows that, so they are not in it. Where the documents have changed too it could not find what is
    new, so that counts only where it was better even so, by more than the limit; else the new baseline is
    what it finds now.
    """
    folder = check_path(folder, "the folder of a project")
    path, before = folder / "baseline.json", None
    if path.exists():
        try:
            before = load_report(path)
        except ValueError as error:
            return _replaced_unreadable(path, report, error)
    if before is None:
        save_report(path, report)
        return "new: baseline.json"
    other_corpus = before.corpus.fingerprint != report.corpus.fingerprint
    if _measure_of(before) == _measure_of(report):
        return _kept(before, report, other_corpus)
    if _only_more_queries(before, report) and not other_corpus:
        cure = "to make it what this search finds now, delete it and measure"
        return f"kept: baseline.json, {_both(before, report)}{_later(before, report)}; {cure}"
    then = _as_it_was(folder, before, report)
    if then and (not other_corpus or gate(then, report, LIMIT).answer == WORSE):
        save_report(path, then)
        said = "counted baseline.json anew, by what this search found then"
        why = "for it finds other documents now"
        if other_corpus:
            why = "for it was better, even without the documents that are new"
        both = f"{_both(then, report)}{_later(then, report)}"
        return f"{said}, {why}: {both}; bash gate.sh compares the two"
    save_report(path, report)
    changed = (
        f"because of other queries, judgments, budget or way of counting ({_then_and_now(before, report)})"
    )
    if other_corpus:
        changed += "; the documents have changed too, so it is what this search finds now"
    was = _other_system(before, report)
    return f"replaced baseline.json, {f'which was of {was}, ' if was else ''}{changed}"


def _replaced_unreadable(path: Path, report: EvaluationReport, error: ValueError) -> str:
    """Keeps a baseline that cannot be read under a name that is free, and saves the report in its place."""
    names = (f"baseline.unreadable{more}.json" for more in ("", *(f"-{n}" for n in range(2, 10_000))))
    beside = next(path.parent / name for name in names if not (path.parent / name).exists())
    path.replace(beside)
    save_report(path, report)
    why = " ".join(str(error).splitlines()[:2])
    return f"replaced baseline.json, which could not be read ({why}) and is kept as {beside.name}"


def _kept(before: EvaluationReport, report: EvaluationReport, other_corpus: bool) -> str:
    kept = "kept: baseline.json is about the same queries, judgments and budget"
    if was := _other_system(before, report):
        kept = (
            f"kept: baseline.json is of {was}; to make it that of {report.backend_id}, delete it and measure"
        )
    return kept + ("; the documents have changed since: bash gate.sh --other-corpus" if other_corpus else "")


def _then_and_now(before: EvaluationReport, report: EvaluationReport) -> str:
    """A search then and now, each over its own queries where now there are more."""
    part = over_queries_of(before, report)
    if part is report:
        return _both(before, report)
    metric, n = SHOWN[0], counted(len(before.per_query), "query", "queries")
    of_all = f"now {report.metrics[metric]:.3f} over {len(report.per_query):,}"
    return f"{_both(before, report)} over the {n} of then; {of_all}"


def _both(before: EvaluationReport, report: EvaluationReport) -> str:
    """A search then and now, by the first metric: in the mean over queries, and over searches of a log. Where
    more queries came in since, over those of then."""
    metric, report = SHOWN[0], over_queries_of(before, report)
    if not (before.metrics and metric in before.metrics):
        return f"now {metric} {report.metrics[metric]:.3f}"
    both = f"{metric} {before.metrics[metric]:.3f}; now it has {report.metrics[metric]:.3f}"
    weighed = before.model_copy(update={"drawn": report.drawn})
    if report.drawn and (then := over_searches(weighed)) and (now := over_searches(report)):
        both += f"; counted as often as drawn from the log {then[0]:.3f}, now {now[0]:.3f}"
    return both


def _as_it_was(folder: Path, before: EvaluationReport, report: EvaluationReport) -> EvaluationReport | None:
    """What a search of one's own found in an earlier report, by the judgments of a later one, over the
    queries of both. None where it finds the same now, or is another search.

    Else new labels would make a search that has become worse its own baseline. Where the documents have
    changed, what is gone is left out of what it found, and what is new it could not find.
    """
    path = folder / "datasets" / "gold.json"
    if not (_has_changed(before, report) and before.budget == report.budget and path.is_file()):
        return None
    if (dataset := load_dataset(path)).fingerprint != report.dataset.fingerprint:
        return None
    then, corpus = _found(before), CorpusFolder.open(folder / "corpus")
    same = before.corpus.fingerprint == report.corpus.fingerprint
    dataset = _of_queries(dataset, then)

    def ask(query_id: str, query: str, k: int) -> list[tuple[str, float]]:
        found = [one for one in then[query_id, query] if same or one in corpus.corpus]
        return [(doc_id, 1 / rank) for rank, doc_id in enumerate(found[:k], start=1)]

    system = SearchSystem(before.backend_id, report.search.kind, corpus, ask, allow_unknown=True)
    later = report.per_query.keys() - rows_by_query(dataset).keys()
    drawn = (before if later else report).drawn or {}
    unread = [query_id for query_id in drawn if query_id in later.union(report.unread)]
    return evaluate_run(corpus, system, dataset, before.budget, drawn, unread)


def _has_changed(before: EvaluationReport, report: EvaluationReport) -> bool:
    """Whether two reports are of one search of one's own that found other documents for a query of both."""
    then, now = _found(before), _found(report)
    same_search = report.search is not None and _system_of(before) == _system_of(report)
    return same_search and any(then[query] != now[query] for query in then.keys() & now.keys())


def _of_queries(dataset: EvaluationDataset, queries: Collection[tuple[str, str]]) -> EvaluationDataset:
    """The part of a dataset that is of these queries, each an id and a text."""
    of_query = {q: rows for q, rows in rows_by_query(dataset).items() if (q, rows[0].query_text) in queries}
    judgments = dataset.judgments and {q: dataset.judgments[q] for q in of_query if q in dataset.judgments}
    rows = [row for row in dataset.queries if any(row in rows for rows in of_query.values())]
    return EvaluationDataset(**dict(dataset) | {"queries": rows, "judgments": judgments})


def _only_more_queries(before: EvaluationReport, report: EvaluationReport) -> bool:
    """Whether a search that has changed was measured on the queries of an earlier report and on more, by the
    same judgments and budget."""
    same = _measure_of(before) == _measure_of(over_queries_of(before, report))
    return same and _has_changed(before, report)


def _later(before: EvaluationReport, report: EvaluationReport) -> str:
    """What is to be said of the queries that came in since an earlier report."""
    later = sorted(report.per_query.keys() - before.per_query.keys())
    new = f"{counted(len(later), 'query is', 'queries are')} new, and not in it"
    return f"; {new}, as nobody knows what this search found then: {first_few(later)}" if later else ""


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
