"""The verbs for numbers: `evaluate`, `report`, `compare`, `gate`, `lab`. Words and exit codes only."""

import argparse
import dataclasses
import math
import os
import re
import textwrap
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands.arguments import (
    ALLOW_UNKNOWN,
    REPORT,
    RUN,
    add_budget,
    add_corpus,
    add_system,
    budget,
    budget_name,
    check_output,
    chosen_system,
    existing_file,
    named_system,
    of_its_project,
    pasted,
    path_type,
    shown,
    system_type,
    table_records,
    table_text,
)
from workbench.commands.command_line import Answer, Verb, one_line, refuse_options

if TYPE_CHECKING:
    from helpers.evaluation import Comparison
    from workbench.budget import QueryBudget
    from workbench.dataset_files import EvaluationDataset
    from workbench.reports import EvaluationReport

LAB_METRICS = ("hit_rate", "mean_reciprocal_rank", "nDCG@10", "Recall@5", "MRR")


def _evaluate_arguments(parser: argparse.ArgumentParser) -> None:
    add_corpus(parser)
    add_system(parser)
    again = "measure as that report was: under its budget, and its search as it is now, or the one given"
    parser.add_argument("--as-in", type=existing_file, metavar="REPORT", help=again)
    queries = "the queries: a dataset file in JSON"
    parser.add_argument("--dataset", type=existing_file, required=True, metavar="FILE", help=queries)
    add_budget(parser)
    run = (
        "write what was ranked for gold queries as a TREC run too, for trec_eval and its like; its "
        "scores are 1 / rank, which keep the order"
    )
    parser.add_argument("--run-out", type=path_type, metavar="FILE", help=run)
    facts = (
        "facts that answers need, with quotes: also says which of them the evidence holds; a line each of "
    )
    facts += 'the form {"query_id": …, "answer": …, "nuggets": [{"text": …, "importance": "vital" or "okay", '
    facts += '"support": [{"doc_id": …, "quote": …}]}]}'
    parser.add_argument("--nuggets", type=existing_file, metavar="FILE", help=facts)
    out = "the report (default: DIR/reports/<name of the dataset>-<snapshot>.json)"
    parser.add_argument("--out", type=path_type, metavar="FILE", help=out)


def _evaluate(chosen: argparse.Namespace) -> Answer:
    from helpers.datasets import read_nuggets
    from workbench.corpus import CorpusFolder
    from workbench.dataset_files import load_dataset
    from workbench.reports import (
        evaluate_run,
        load_report,
        nugget_section,
        save_report,
        score_nuggets,
        write_ranking,
    )

    corpus, dataset = CorpusFolder.open(chosen.corpus), load_dataset(chosen.dataset)
    again = load_report(chosen.as_in) if chosen.as_in else None
    limits = budget(chosen, again)
    sample, older = of_its_project(corpus.path.parent, chosen.dataset)
    answers = read_nuggets(chosen.nuggets, corpus.corpus) if chosen.nuggets else None
    with closing(chosen_system(chosen, corpus, again)) as system:
        words = dataset.name, system.snapshot.snapshot_id if system.snapshot else system.name
        names = [re.sub(r"[^\w.-]+", "-", word).strip(".-")[:80] or "any" for word in words]
        file_name = f"{'-'.join(names)}-{budget_name(limits)}.json"
        out = chosen.out or _of_its_own(chosen.corpus / "reports" / file_name, words)
        for read in filter(None, (chosen.dataset, chosen.as_in)):
            check_output(out, ".json", reads=read, holds=REPORT)
        if run_out := chosen.run_out:
            read = [chosen.dataset, chosen.nuggets, chosen.as_in, Path(chosen.system or "")]
            for path in (one for one in read if one and one.is_file()):
                check_output(run_out, run_out.suffix, reads=path, option="--run-out")
            check_output(run_out, run_out.suffix, option="--run-out", holds=RUN)
            _check_no_system(run_out, corpus.path.parent)
            if run_out.resolve() == out.resolve():
                raise ValueError(f"--run-out {run_out} is the report's own file; give another path")
            if not dataset.kinds()["gold"]:
                raise ValueError(
                    f"{chosen.dataset} has no gold query, and --run-out writes no others; leave it out"
                )
            _check_ids_of_run(dataset)
        report = evaluate_run(corpus, system, dataset, limits, *sample)
    report = report.model_copy(update={"warnings": [*older, *report.warnings]})
    wrote = "replaced" if out.exists() else "wrote"
    save_report(out, report)
    held = score_nuggets(report, answers, corpus.corpus) if answers else None
    written = [f"{wrote} {shown(out)}"]
    if run_out:
        write_ranking(run_out, report)
        written.append(f"wrote {shown(run_out)}{_not_in_run(report)}")
    facts = [] if held is None else nugget_section(held)
    text = "\n".join([*_summary(report), *facts, *written, f"next: workbench report {pasted(out)}"])
    found = report.model_dump(mode="json", exclude={"evidence"})
    return Answer(text, {"report": out} | found | ({} if held is None else {"nuggets": held.reset_index()}))


def _of_its_own(path: Path, words: tuple[str, str]) -> Path:
    """A report's default path; another where the report there is of another dataset or system, for a name
    without its blanks, or cut short, may be that of several."""
    from hashlib import sha256

    from workbench.reports import load_report

    try:
        there = load_report(path)
    except (ValueError, OSError):
        return path
    if there.dataset.name == words[0] and words[1] in (there.backend_id, there.snapshot_id):
        return path
    return path.with_stem(f"{path.stem}-{sha256(repr(words).encode()).hexdigest()[:8]}")


def _not_in_run(report: "EvaluationReport") -> str:
    """What is said of a run that does not hold all that was asked."""
    from helpers.base import counted
    from workbench.reports import found_nothing

    if found_nothing(report):
        return ", which is empty: no gold query found anything"
    synthetic = sum(query.kind == "synthetic" for query in report.per_query.values())
    return f", without its {counted(synthetic, 'synthetic query')}" if synthetic else ""


def _check_ids_of_run(dataset: "EvaluationDataset") -> None:
    """Raises ValueError for a gold query's id that a TREC run, whose columns end at blanks, cannot hold."""
    from workbench.dataset_files import rows_by_query

    gold = [query_id for query_id, rows in rows_by_query(dataset).items() if rows[0].kind == "gold"]
    if odd := [query_id for query_id in gold if re.search(r"\s", query_id)]:
        said = f"--run-out: the query id {odd[0]!r} holds white space, which ends a column of a TREC run"
        raise ValueError(f"{said}; give the query another id, or leave --run-out out")


def _check_no_system(run_out: Path, project: Path) -> None:
    """Raises ValueError where a file is what the project of a corpus measures as one of its systems."""
    from workbench.labelling import SYSTEMS_FILE, read_systems

    if not (run_out.is_file() and (project / SYSTEMS_FILE).is_file()):
        return
    for name, spec in read_systems(project).items():
        path = project / Path(spec).expanduser()
        if path.is_file() and path.samefile(run_out):
            said = f"--run-out {run_out} is the system {name!r} of {SYSTEMS_FILE}, and would be lost"
            raise ValueError(f"{said}; give another name")


def _summary(report: "EvaluationReport") -> Iterator[str]:
    """What to record, metrics of gold and synthetic rows apart, where misses were lost, warnings, times."""
    from workbench.reports import ROW_KINDS, five_things, rows_of

    for thing, facts in five_things(report).items():
        said = (f"{name} {one_line(value)}" for name, value in facts.items() if name != "versions")
        yield f"{thing.lower():<9} {', '.join(said)}"
    for kind in ROW_KINDS:
        if rows_of(report, kind):
            yield from _kind_summary(report, kind)
    yield ""
    yield from (f"warning: {one_line(warning)}" for warning in report.warnings)
    yield _times(report)


def _kind_summary(report: "EvaluationReport", kind: str) -> Iterator[str]:
    from helpers.base import counted
    from workbench.reports import (
        JUDGED,
        ROW_METRICS,
        cause_counts,
        depth_in_words,
        found_nothing,
        metrics_of,
        rows_of,
    )

    rows, missed = rows_of(report, kind), rows_of(report, kind, hits=False)
    metrics = metrics_of(report, kind)
    yield f"\n{kind}: {counted(len(rows), 'row')}, {counted(len(missed), 'miss', 'misses')}"
    of_queries = [name for name in metrics if name not in ROW_METRICS]
    for over, names in {"rows": ROW_METRICS, "queries": of_queries}.items():
        yield f"  means over {over}{_OVER[over]}"
        for name in names:
            undefined = name == JUDGED and found_nothing(report, kind)
            yield f"    {name:<28} {'undefined' if undefined else f'{metrics[name]:.4f}'}"
    if kind == "gold":
        yield f"  {depth_in_words(report)}"
    for cause, number in cause_counts(missed).items():
        yield f"  missed, {cause + ':':<22} {number}"


_OVER = {"rows": ", each expected document by itself", "queries": ", all documents of a query together"}


def _times(report: "EvaluationReport") -> str:
    system = report.system
    mean, late = system.average_latency_milliseconds, system.percentile_95_latency_milliseconds
    return f"latency: {mean:.2f} ms a query in the mean, {late:.2f} ms at the 95th percentile"


def _compare_arguments(parser: argparse.ArgumentParser) -> None:
    _add_compared(parser)
    table = "what the table shows (default: nDCG@10)"
    parser.add_argument("--metric", default="nDCG@10", metavar="NAME", help=table)


def _add_compared(parser: argparse.ArgumentParser) -> None:
    """Adds the reports or systems that a verb compares, and what a system is measured on."""
    which = "the baseline, then one or more candidates: reports that evaluate wrote (.json), or systems"
    parser.add_argument("reports", nargs="+", type=_report_or_system, metavar="REPORT|SYSTEM", help=which)
    group = parser.add_argument_group("for systems", "a system is measured first, on this")
    where = "the folder of the corpus (default: corpus, as in a project)"
    group.add_argument("--corpus", type=path_type, metavar="DIR", help=where)
    queries = "the dataset file (default: datasets/gold.json, as in a project)"
    group.add_argument("--dataset", type=existing_file, metavar="FILE", help=queries)
    group.add_argument("--allow-unknown", action="store_true", help=ALLOW_UNKNOWN)
    _add_other_corpus(parser)


def _report_or_system(text: str) -> Path | str:
    named = text.endswith((".json", ".json.gz", ".html", ".md"))  # pages are refused as reports
    return existing_file(text) if named or _is_report(text) else system_type(text)


def _is_report(text: str) -> bool:
    """Whether it names a file that begins as `save_report` begins one, whatever its name."""
    if not text.strip() or "\0" in text or not os.path.isfile(text):
        return False
    with open(text, "rb") as file:
        return re.match(rb'\s*\{\s*"schema_version"', file.read(200)) is not None


def _add_other_corpus(parser: argparse.ArgumentParser) -> None:
    other = "allow reports of different corpora: the documents changed"
    parser.add_argument("--other-corpus", action="store_true", help=other)


def _compare(chosen: argparse.Namespace) -> Answer:
    from workbench.reports import by_searches_in_words, check_comparable, not_compared, over_queries_of

    baseline, candidates = _loaded(chosen)
    for name, candidate in candidates.items():
        with _named(name):
            check_comparable(baseline, candidate, chosen.other_corpus)
    more = (one.per_query.keys() - baseline.per_query.keys() for one in candidates.values())
    later = sorted(set().union(*more))
    candidates = {name: over_queries_of(baseline, one) for name, one in candidates.items()}
    reports = dict(zip(_names(chosen.reports), [baseline, *candidates.values()], strict=True))
    found, notes = _compared(reports, chosen.metric)
    searched = [by_searches_in_words(name, baseline, one, chosen.metric) for name, one in candidates.items()]
    notes = [*filter(None, searched), *notes, *not_compared(later)]
    notes += [f"{name} {same}" for name, one in candidates.items() if (same := _same_answers(baseline, one))]
    others = [
        name for name, one in candidates.items() if one.corpus.fingerprint != baseline.corpus.fingerprint
    ]
    notes += [f"{name} searched other documents, so they may make the difference" for name in others]
    wrapped = (textwrap.fill(note, 120, subsequent_indent="  ") for note in notes)
    warned = {name: report.warnings for name, report in reports.items() if report.warnings}
    said = (f"warning, {name}: {one_line(text)}" for name, texts in warned.items() for text in texts)
    text = "\n".join([str(found).partition("\n\n")[0], "", *said, *wrapped])
    rows = table_records(found.table.reset_index())
    data = {"metric": chosen.metric, "baseline": found.baseline, "rows": rows, "notes": notes}
    return Answer(text, data | {"warnings": warned})


def _same_answers(baseline: "EvaluationReport", candidate: "EvaluationReport") -> str:
    """What to say where two reports have the same documents in the same order throughout."""
    one, other = (
        {(row.query_id, row.kind): [item.doc_id for item in row.items] for row in report.evidence}
        for report in (baseline, candidate)
    )
    same = "gave the same answers to every query as the baseline; are they two searches?"
    return same if one == other else ""


def _loaded(chosen: argparse.Namespace) -> tuple["EvaluationReport", dict[str, "EvaluationReport"]]:
    """The baseline, and the candidates by name; a system is measured under the budget of the first report.

    Raises ValueError where there is only one, and for a system without a corpus and a dataset.
    """
    from workbench.budget import QueryBudget
    from workbench.reports import load_report

    for folder in (one for one in map(Path, chosen.reports) if one.is_dir()):
        reports = [one for one in sorted(folder.glob("*.json")) if _is_report(str(one))]
        if (some := [shown(one) for one in reports[:3]]) and not (folder / "corpus.json").is_file():
            raise ValueError(f"{shown(folder)} is a folder; name reports: {' '.join(some)}")
    if len(chosen.reports) < 2:
        raise ValueError("one report is given; needed the baseline and one candidate or more")
    _check_different(chosen.reports)
    if all(isinstance(one, Path) for one in chosen.reports):
        refuse_options(
            chosen, ["corpus", "dataset", "allow_unknown"], "on reports, which are measured already"
        )
    loaded = {one: load_report(one) for one in chosen.reports if isinstance(one, Path)}
    limits = next((report.budget for report in loaded.values()), None)
    limits = limits or QueryBudget(max_total_items=10, max_items_per_document=1)
    baseline, *candidates = (
        loaded[one] if isinstance(one, Path) else _measured(one, chosen, limits) for one in chosen.reports
    )
    return baseline, dict(zip(_names(chosen.reports)[1:], candidates, strict=True))


def _check_different(given: list[Path | str]) -> None:
    """Raises ValueError where one report or system is given twice: compared with itself, nothing differs."""
    seen = [one.resolve() if isinstance(one, Path) else one for one in given]
    if twice := [one for one, what in zip(given, seen, strict=True) if seen.count(what) > 1]:
        name = shown(twice[0]) if isinstance(twice[0], Path) else one_line(twice[0])
        raise ValueError(
            f"{name} is given twice, and nothing can be learnt of it against itself; name another"
        )


def _measured(spec: str, chosen: argparse.Namespace, limits: "QueryBudget") -> "EvaluationReport":
    from workbench.corpus import CorpusFolder
    from workbench.dataset_files import load_dataset
    from workbench.reports import evaluate_run

    # In the folder of a project they are known.
    folder, dataset = chosen.corpus or Path("corpus"), chosen.dataset or Path("datasets/gold.json")
    if not (chosen.corpus or folder.is_dir()) or not (chosen.dataset or dataset.is_file()):
        needed = "to measure a system give --corpus and --dataset, or give the .json report of evaluate"
        lacking = folder if not (chosen.corpus or folder.is_dir()) else dataset
        raise ValueError(f"{spec!r} is no report (.json), and {lacking} is not there; {needed}")
    corpus = CorpusFolder.open(folder)
    sample, older = of_its_project(corpus.path.parent, dataset)
    with closing(named_system(spec, corpus, chosen.allow_unknown)) as system:
        report = evaluate_run(corpus, system, load_dataset(dataset), limits, *sample)
    return report.model_copy(update={"warnings": [*older, *report.warnings]})


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Puts the name of a candidate before what is wrong with it."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _gate_arguments(parser: argparse.ArgumentParser) -> None:
    _add_compared(parser)
    limit = {"action": "append", "required": True, "type": _limit, "metavar": "METRIC:DROP"}
    drop = "the largest drop that is allowed, e.g. nDCG@10:0.02; may be given several times"
    parser.add_argument("--limit", **limit, help=drop)
    unsure = "end with exit code 3 where the queries cannot tell, and none of the candidates is worse"
    parser.add_argument("--fail-if-unsure", action="store_true", help=unsure)
    for name, reader in (("markdown", "a summary in Markdown"), ("junit", "the same as JUnit XML")):
        parser.add_argument(f"--{name}", type=path_type, metavar="FILE", help=f"write {reader}, for CI")


def _gate(chosen: argparse.Namespace) -> Answer:
    from helpers.base import write_text
    from helpers.stats import CANNOT_TELL, WORSE
    from workbench.reports import called, gate, gate_junit, gate_markdown

    limits = dict(chosen.limit)
    if len(limits) < len(chosen.limit):
        raise ValueError("--limit names a metric twice; give one limit for each")
    if chosen.markdown and str(chosen.markdown) == os.environ.get("GITHUB_STEP_SUMMARY"):
        cure = 'write another file and add it: --markdown gate.md, then cat gate.md >> "$GITHUB_STEP_SUMMARY"'
        raise ValueError(f"--markdown: {chosen.markdown} holds what other steps say of the job too; {cure}")
    endings = {"markdown": (".md",), "junit": (".xml",)}
    for name in endings:
        if getattr(chosen, name):
            # An earlier answer is no answer to this question, which may prove impossible.
            check_output(getattr(chosen, name), *endings[name], option=f"--{name}").unlink(missing_ok=True)
    baseline, candidates = _loaded(chosen)
    results = {}
    for number, (name, candidate) in enumerate(candidates.items(), start=1):
        with _named(name):
            names = (called(chosen.reports[0], baseline), called(chosen.reports[number], candidate))
            found = gate(baseline, candidate, limits, chosen.other_corpus, names=names)
        if candidate.snapshot_id == baseline.snapshot_id:
            same = "gave the same answers to these queries"
            if candidate.snapshot:
                same = "are the same snapshot: nothing could differ"
            same = f"baseline and candidate {same}"
            found = dataclasses.replace(found, notes=[*found.notes, same])
        if said := _by_segment(chosen.corpus or Path("corpus"), baseline, candidate):
            found = dataclasses.replace(found, notes=[said, *found.notes])
        results[name] = found
    for path, render in ((chosen.markdown, gate_markdown), (chosen.junit, gate_junit)):
        if path:
            write_text(path, render(results, chosen.fail_if_unsure))
    answers = {result.answer for result in results.values()}
    code = 1 if WORSE in answers else 3 if CANNOT_TELL in answers and chosen.fail_if_unsure else 0
    text = "\n\n".join(result.text() for result in results.values())
    data = {name: {"answer": one.answer} | dataclasses.asdict(one) for name, one in results.items()}
    return Answer(text, {"exit_code": code, "candidates": data}, code)


def _by_segment(corpus: Path, baseline: "EvaluationReport", candidate: "EvaluationReport") -> str:
    """What the segments of the project's queries say beside the answer; "" outside of a project."""
    from workbench.labelling import QUERIES_FILE, Labelling
    from workbench.projects import segment_note

    project = corpus.resolve().parent
    if not (project / QUERIES_FILE).is_file() or not corpus.is_dir():
        return ""
    try:
        return segment_note(Labelling(project).questions(), baseline, candidate)
    except (ValueError, OSError):  # the reports can be compared all the same
        return ""


def _limit(text: str) -> tuple[str, float]:
    """`nDCG@10:0.02` as a metric and the largest drop that is allowed."""
    metric, _, drop = text.rpartition(":")
    try:
        allowed = float(drop)
    except ValueError:
        allowed = math.nan
    if not metric or not 0 <= allowed < math.inf:
        needed = "METRIC:DROP with a drop from 0 up, e.g. nDCG@10:0.02"
        raise argparse.ArgumentTypeError(f"{text!r} is no limit; needed {needed}")
    return metric, allowed


def _names(given: list[Path | str]) -> list[str]:
    """What each is called: a report's file name, a system's text; where two are the same, with a number."""
    names = [one_line(one.stem if isinstance(one, Path) else one) for one in given]
    if len(set(names)) == len(names):
        return names
    paths = (shown(one) if isinstance(one, Path) else one_line(one) for one in given)
    return [f"{number}: {path}" for number, path in enumerate(paths, start=1)]


def _compared(reports: dict[str, "EvaluationReport"], metric: str) -> tuple["Comparison", list[str]]:
    """A comparison of all reports, and notes on how they were compared."""
    import pandas as pd

    from helpers.evaluation import compare

    frames = {}
    for name, report in reports.items():
        gold = {query_id: query for query_id, query in report.per_query.items() if query.kind == "gold"}
        scores = {query_id: query.metrics for query_id, query in gold.items()}
        frames[name] = pd.DataFrame.from_dict(scores, orient="index")
        if metric not in frames[name]:
            has = ", ".join(frames[name])
            cure = (
                "; how deep a metric counts is the budget: evaluate --max-total-items"
                if "@" in metric
                else ""
            )
            raise ValueError(f"--metric {metric!r} is not in {name}; its queries have {has}{cure}")
    found = compare(frames, metric)
    # The last note says that the conventions are not known; the reports know them.
    conventions = one_line(next(iter(reports.values())).conventions)
    return found, [*found.notes[:-1], f"Conventions: {conventions}."]


def _report_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", type=existing_file, metavar="REPORT.json", help="what evaluate wrote")
    out = "page.html or page.md (default: beside the report, .html)"
    parser.add_argument("--out", type=path_type, metavar="FILE", help=out)


def _report(chosen: argparse.Namespace) -> Answer:
    from helpers.base import write_text
    from workbench.reports import as_html, as_markdown, load_report

    out = check_output(chosen.out or chosen.report.with_suffix(".html"), ".html", ".md")
    render = as_html if out.suffix == ".html" else as_markdown
    wrote = "replaced" if out.exists() else "wrote"
    write_text(out, render(load_report(chosen.report)))
    return Answer(f"{wrote} {shown(out)}", {"wrote": out})


def _lab_arguments(parser: argparse.ArgumentParser) -> None:
    where = "where the lab is made (default: build/lab)"
    parser.add_argument("--corpus", type=path_type, metavar="DIR", help=where)
    force = "remove the lab that is there, with its reports, and make it anew"
    parser.add_argument("--force", action="store_true", help=force)


def _lab(chosen: argparse.Namespace) -> Answer:
    from helpers.base import files
    from workbench.commands.lab import run_lab

    made = run_lab(chosen.corpus or files.BUILD / "lab", chosen.force)
    reports = {shown(path): report for path, report in made.reports.items()}
    lines = [*_lab_summary(shown(made.corpus.path), shown(made.dataset), reports)]
    lines.append(f"\nnext: workbench compare {' '.join(map(pasted, reports))}")
    lines.append(f"      workbench report {pasted(next(iter(reports)))}")
    lines += [f"{_times(report)} ({report.backend_id})" for report in reports.values()]
    metrics = {path: report.metrics for path, report in reports.items()}
    data = {"corpus": made.corpus.path, "dataset": made.dataset, "reports": metrics}
    return Answer("\n".join(lines), data)


def _lab_summary(corpus: str, dataset: str, reports: dict[str, "EvaluationReport"]) -> Iterator[str]:
    import pandas as pd

    from helpers.base import counted
    from workbench.reports import cause_counts, rows_of

    first = next(iter(reports.values()))
    queries, rows = counted(len(first.per_query), "query"), counted(first.dataset.queries, "row")
    limits = first.budget
    yield f"corpus   {corpus}: {counted(first.corpus.documents, 'document')}, {first.corpus.fingerprint}"
    yield f"dataset  {dataset}: {queries} as {rows}, {first.dataset.fingerprint}"
    yield f"budget   {limits.max_total_items} items, {limits.maximum_total_characters:,} characters"
    named = (
        {"backend": one.backend_id, "snapshot": one.snapshot_id} | one.metrics for one in reports.values()
    )
    yield f"\n{table_text(pd.DataFrame(named, columns=['backend', 'snapshot', *LAB_METRICS]))}\n"
    for path, report in reports.items():
        missed = rows_of(report, "gold", hits=False)
        causes = ", ".join(f"{number} {cause}" for cause, number in cause_counts(missed).items())
        yield f"{report.backend_id} misses {len(missed)} of {rows} ({causes}); report: {path}"


VERBS = [
    Verb(
        "evaluate",
        "evaluate a snapshot, or your own search, on a dataset file, under a budget",
        "Asks a snapshot, or a search of your own (--system), every query of a dataset file, keeps what "
        "the budget lets through, and writes a report in "
        "JSON: metrics, evidence for each query, and where each miss was lost. Prints a summary, with "
        "what to record beside the numbers.",
        "evaluate --corpus build/wiki --dataset build/wiki.json --max-total-items 5 "
        "--maximum-total-characters 20000",
        _evaluate_arguments,
        _evaluate,
    ),
    Verb(
        "report",
        "turn a report into a page that opens offline, or into Markdown",
        "Renders the JSON report of evaluate: one self-contained HTML page, or Markdown where --out ends in "
        ".md.",
        "report build/report.json --out build/report.html",
        _report_arguments,
        _report,
    ),
    Verb(
        "compare",
        "set reports side by side, with intervals and p-values",
        "Compares the reports of several systems with the first, on gold queries of the same dataset under "
        "the same budget; a system that is named in place of a report is measured first. It prints a table "
        "of means, differences and p-values. It gives no verdict; `gate` does.",
        "compare baseline.json candidate.json",
        _compare_arguments,
        _compare,
        gone=dict.fromkeys(
            ("--fail-if-worse", "--fail-if-unsure"),
            "`gate` gives the verdict: gate BASELINE.json CANDIDATE.json --limit nDCG@10:0.02",
        ),
    ),
    Verb(
        "gate",
        "say of a candidate whether it is worse than a baseline, not worse, or cannot be told",
        "Each candidate gets one of three answers by the interval of its drop. RED: worse by more than DROP, "
        "exit code 1. GREEN: not worse by more than DROP. YELLOW: these queries cannot tell, exit code 0, or "
        "3 with --fail-if-unsure. Queries that got worse are named.",
        "gate baseline.json candidate.json --limit nDCG@10:0.02 --junit build/gate.xml",
        _gate_arguments,
        _gate,
        gone={"--fail-if-worse": "it is called --limit: --limit nDCG@10:0.02"},
    ),
]

LAB_VERBS = [
    Verb(
        "lab",
        "the whole way on the bundled collection, offline: corpus, dataset, two snapshots, evaluation",
        "Makes a corpus of the bundled runbooks, exports their labels as a dataset file, builds a snapshot "
        "with each of two backends, evaluates both under one budget and prints a summary. The same again "
        "gives the same, but for times.",
        "lab",
        _lab_arguments,
        _lab,
    ),
]
