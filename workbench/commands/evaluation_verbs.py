"""The verbs for numbers: `eval`, `compare`, `report`, `lab`. Words and exit codes only."""

import argparse
import math
import re
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands.arguments import (
    add_budget,
    add_corpus,
    budget,
    budget_name,
    check_output,
    existing_file,
    one_line,
    path_type,
    shown,
    table_text,
)

if TYPE_CHECKING:
    from workbench.reports import EvaluationReport

LAB_METRICS = ("hit_rate", "mean_reciprocal_rank", "nDCG@10", "Recall@5", "MRR")

EXAMPLES = {
    "eval": "eval --corpus build/wiki --dataset build/wiki.json --max-total-items 5 "
    "--maximum-total-characters 20000",
    "report": "report build/report.json --out build/report.html",
    "compare": "compare baseline.json candidate.json --fail-if-worse nDCG@10:0.02",
    "lab": "lab",
}
"""One command of each verb, shown at the end of its help."""


def add(verbs: argparse._SubParsersAction) -> None:
    """Adds the four verbs to the parser of the command line."""
    _add_eval(verbs)
    _add_compare(verbs)
    _add_report(verbs)
    _add_lab(verbs)


def _add_eval(verbs: argparse._SubParsersAction) -> None:
    parser = verbs.add_parser(
        "eval",
        help="evaluate a snapshot of a corpus on a dataset file, under a budget",
        description="Searches every query of a dataset file, keeps what the budget lets through, and writes "
        "a report in JSON: metrics, evidence for each query, and where each miss was lost. Prints a summary, "
        "with what to record beside the numbers.",
    )
    add_corpus(parser)
    queries = "the queries: a dataset file in JSON"
    parser.add_argument("--dataset", type=existing_file, required=True, metavar="FILE", help=queries)
    add_budget(parser)
    facts = "facts that answers need, with quotes: also says which of them the evidence holds"
    parser.add_argument("--nuggets", type=existing_file, metavar="FILE", help=facts)
    out = "the report (default: DIR/reports/<name of the dataset>-<snapshot>.json)"
    parser.add_argument("--out", type=path_type, metavar="FILE", help=out)
    parser.set_defaults(command=_eval)


def _eval(chosen: argparse.Namespace) -> int:
    from helpers.datasets import read_nuggets
    from workbench.corpus import CorpusFolder
    from workbench.dataset_files import load_dataset
    from workbench.reports import evaluate_run, nugget_section, save_report, score_nuggets
    from workbench.snapshots import load_snapshot

    corpus, dataset, limits = CorpusFolder.open(chosen.corpus), load_dataset(chosen.dataset), budget(chosen)
    nuggets = read_nuggets(chosen.nuggets, corpus.corpus) if chosen.nuggets else None
    with closing(load_snapshot(corpus, chosen.snapshot)) as snapshot:
        name = re.sub(r"[^\w.-]+", "-", dataset.name).strip(".-")[:80] or "dataset"
        file_name = f"{name}-{snapshot.snapshot_id}-{budget_name(limits)}.json"
        out = check_output(chosen.out or chosen.corpus / "reports" / file_name, ".json", reads=chosen.dataset)
        report = evaluate_run(corpus, snapshot, dataset, limits)
    wrote = "replaced" if out.exists() else "wrote"
    save_report(out, report)
    print("\n".join(_summary(report)))
    if nuggets:
        print("\n".join(nugget_section(score_nuggets(report, nuggets, corpus.corpus))))
    print(f"{wrote} {shown(out)}\nnext: python -m workbench report {shown(out)}")
    return 0


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
    from workbench.reports import ROW_METRICS, cause_counts, metrics_of, rows_of

    rows, missed = rows_of(report, kind), rows_of(report, kind, hits=False)
    metrics = metrics_of(report, kind)
    yield f"\n{kind}: {counted(len(rows), 'row')}, {counted(len(missed), 'miss', 'misses')}"
    of_queries = [name for name in metrics if name not in ROW_METRICS]
    for over, names in {"rows": ROW_METRICS, "queries": of_queries}.items():
        yield f"  means over {over}"
        yield from (f"    {name:<28} {metrics[name]:.4f}" for name in names)
    for cause, number in cause_counts(missed).items():
        yield f"  missed, {cause + ':':<22} {number}"


def _times(report: "EvaluationReport") -> str:
    system = report.system
    mean, late = system.average_latency_milliseconds, system.percentile_95_latency_milliseconds
    return f"latency: {mean:.2f} ms a query in the mean, {late:.2f} ms at the 95th percentile"


def _add_compare(verbs: argparse._SubParsersAction) -> None:
    parser = verbs.add_parser(
        "compare",
        help="set reports side by side, and fail where one is worse than the first",
        description="Compares the reports of several systems with the first, on gold queries of the same "
        "dataset under the same budget: a table of means, differences and p-values. With --fail-if-worse "
        "each candidate gets one of three answers by the interval of its drop. RED: worse by more than DROP, "
        "exit code 1. GREEN: not worse by more than DROP. YELLOW: these queries cannot tell, exit code 0, or "
        "3 with --fail-if-unsure. Queries that got worse are named.",
    )
    which = "the baseline, then one or more candidates"
    parser.add_argument("reports", nargs="+", type=existing_file, metavar="REPORT.json", help=which)
    table = "what the table shows (default: nDCG@10)"
    parser.add_argument("--metric", default="nDCG@10", metavar="NAME", help=table)
    limit = {"action": "append", "default": [], "type": _limit, "metavar": "METRIC:DROP"}
    drop = "the largest drop that is allowed, e.g. nDCG@10:0.02; may be given several times"
    parser.add_argument("--fail-if-worse", **limit, help=drop)
    unsure = "end with exit code 3 where the queries cannot tell, and none of the candidates is worse"
    parser.add_argument("--fail-if-unsure", action="store_true", help=unsure)
    other = "allow reports of different corpora: the documents changed"
    parser.add_argument("--other-corpus", action="store_true", help=other)
    parser.set_defaults(command=_compare)


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


def _compare(chosen: argparse.Namespace) -> int:
    from helpers.stats import CANNOT_TELL, WORSE
    from workbench.reports import check_comparable, gate, load_report

    limits = dict(chosen.fail_if_worse)
    if len(limits) < len(chosen.fail_if_worse):
        raise ValueError("--fail-if-worse names a metric twice; give one limit for each")
    if chosen.fail_if_unsure and not limits:
        raise ValueError("--fail-if-unsure asks about limits, and none is given with --fail-if-worse")
    if len(chosen.reports) < 2:
        raise ValueError("one report is given; needed the baseline and one candidate or more")
    reports = dict(zip(_names(chosen.reports), map(load_report, chosen.reports), strict=True))
    (_, baseline), *candidates = reports.items()
    results = []
    for name, candidate in candidates:
        try:
            check_comparable(baseline, candidate, chosen.other_corpus)
            results += [gate(baseline, candidate, limits, chosen.other_corpus)] if limits else []
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    print("\n".join(_comparison(reports, chosen.metric)))
    if results:
        print("", *(result.text() for result in results), sep="\n")
    answers = {result.answer for result in results}
    if WORSE in answers:
        return 1
    return 3 if CANNOT_TELL in answers and chosen.fail_if_unsure else 0


def _names(paths: list[Path]) -> list[str]:
    """What each report is called: its file's name, and where two have the same one, a number and its path."""
    names = [one_line(path.stem) for path in paths]
    if len(set(names)) == len(names):
        return names
    return [f"{number}: {shown(path)}" for number, path in enumerate(paths, start=1)]


def _comparison(reports: dict[str, "EvaluationReport"], metric: str) -> Iterator[str]:
    """A table of all reports, and notes on how they were compared."""
    import pandas as pd

    from helpers.evaluation import compare

    frames = {}
    for name, report in reports.items():
        gold = {query_id: query for query_id, query in report.per_query.items() if query.kind == "gold"}
        scores = {query_id: query.metrics for query_id, query in gold.items()}
        frames[name] = pd.DataFrame.from_dict(scores, orient="index")
        if metric not in frames[name]:
            has = ", ".join(frames[name])
            raise ValueError(f"--metric {metric} is not in {name}; its queries have {has}")
    found = compare(frames, metric)
    yield str(found).partition("\n\n")[0]
    yield ""
    # The last note says that the conventions are not known; the reports know them.
    conventions = one_line(next(iter(reports.values())).conventions)
    for note in [*found.notes[:-1], f"Conventions: {conventions}."]:
        yield textwrap.fill(note, 120, subsequent_indent="  ")


def _add_report(verbs: argparse._SubParsersAction) -> None:
    parser = verbs.add_parser(
        "report",
        help="turn a report into a page that opens offline, or into Markdown",
        description="Renders the JSON report of eval: one self-contained HTML page, or Markdown where --out "
        "ends in .md.",
    )
    parser.add_argument("report", type=existing_file, metavar="REPORT.json", help="what eval wrote")
    out = "page.html or page.md (default: beside the report, .html)"
    parser.add_argument("--out", type=path_type, metavar="FILE", help=out)
    parser.set_defaults(command=_report)


def _report(chosen: argparse.Namespace) -> int:
    from helpers.base import write_text
    from workbench.reports import as_html, as_markdown, load_report

    out = check_output(chosen.out or chosen.report.with_suffix(".html"), ".html", ".md")
    render = as_html if out.suffix == ".html" else as_markdown
    write_text(out, render(load_report(chosen.report)))
    print(f"wrote {shown(out)}")
    return 0


def _add_lab(verbs: argparse._SubParsersAction) -> None:
    parser = verbs.add_parser(
        "lab",
        help="the whole way on the bundled collection, offline: corpus, dataset, two snapshots, evaluation",
        description="Makes a corpus of the bundled runbooks, exports their labels as a dataset file, builds "
        "a snapshot with each of two backends, evaluates both under one budget and prints a summary. The "
        "same again gives the same, but for times.",
    )
    where = "where the lab is made (default: build/lab)"
    parser.add_argument("--corpus", type=path_type, metavar="DIR", help=where)
    force = "remove the lab that is there, with its reports, and make it anew"
    parser.add_argument("--force", action="store_true", help=force)
    parser.set_defaults(command=_lab)


def _lab(chosen: argparse.Namespace) -> int:
    from helpers.base import files
    from workbench.commands.lab import run_lab

    made = run_lab(chosen.corpus or files.BUILD / "lab", chosen.force)
    reports = {shown(path): report for path, report in made.reports.items()}
    print("\n".join(_lab_summary(shown(made.corpus.path), shown(made.dataset), reports)))
    print(f"\nnext: python -m workbench compare {' '.join(reports)}")
    print(f"      python -m workbench report {next(iter(reports))}")
    for report in reports.values():
        print(f"{_times(report)} ({report.backend_id})")
    return 0


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
