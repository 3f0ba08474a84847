"""A report in Markdown, for a pull request, a wiki or a terminal. The same as a page with all the evidence is in `page`."""

import re
from collections.abc import Iterable, Sequence

from helpers.base import escape_markdown
from workbench.reports.models import EvaluationReport
from workbench.reports.summary import (
    NOTES,
    ROW_KINDS,
    Asked,
    asked_of,
    cause_counts,
    expected_of,
    five_things,
    meaning,
    metrics_of,
    plural,
    rows_of,
)

EXCERPT = 160
"""Characters of an item's text; the page and the JSON file have more."""


def as_markdown(report: EvaluationReport) -> str:
    """The report as Markdown text that ends with a line break; the same report gives the same text.

    The five things to record, warnings, then gold and synthetic results apart: metrics, causes of misses, every row with its
    rank or cause, and what the queries with a miss found, its text cut to 160 characters. All text is escaped.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from workbench.budget import QueryBudget
    >>> from workbench.dataset_files import EvaluationDataset, EvaluationQuery
    >>> from workbench.reports import evaluate_run
    >>> from workbench.corpus import CorpusFolder
    >>> from workbench.snapshots import build_snapshot
    >>> from workbench.corpus import SourceDocument
    >>> corpus = CorpusFolder.init(Path(mkdtemp()) / "pets")
    >>> _ = corpus.add([SourceDocument("d_1", "Cats", "They purr.", "cats.md")])
    >>> row = EvaluationQuery(query_id="q1", query_text="who purrs?", expected_item_id="d_1", kind="gold")
    >>> dataset = EvaluationDataset(schema_version=1, name="pets", description="A toy.", queries=(row,))
    >>> report = evaluate_run(corpus, build_snapshot(corpus), dataset, QueryBudget(max_total_items=3))
    >>> [line for line in as_markdown(report).splitlines() if "q1" in line]
    ['| q1 | who purrs? | d\\\\_1 | rank 1 |']
    """
    title = f"# Retrieval report: {_text(report.dataset.name)}"
    about = f"{_text(report.backend_id)}, snapshot {_text(report.snapshot_id)}, evaluated {_text(report.evaluated_at)}"
    blocks = [title, about, *_warnings(report), "## What to record", _things(report)]
    if report.metrics is None:
        blocks += [
            "## No gold rows",
            "The dataset has no labelled row, only drafted ones: nothing here says how good the system is.",
        ]
    for kind in ROW_KINDS:
        if rows_of(report, kind):
            blocks += _group(report, kind)
    return "\n\n".join([*blocks, *_system(report)]) + "\n"


def _warnings(report: EvaluationReport) -> list[str]:
    """A quotation, which every reader of Markdown sets apart."""
    return (
        ["\n".join(f"> **Warning:** {_text(warning)}  " for warning in report.warnings)]
        if report.warnings
        else []
    )


def _things(report: EvaluationReport) -> str:
    rows = [
        (thing, name, value) for thing, facts in five_things(report).items() for name, value in facts.items()
    ]
    first = {thing: name for thing, name, _ in reversed(rows)}
    return _table(
        ["", "", ""], [(thing if first[thing] == name else "", name, value) for thing, name, value in rows]
    )


def _group(report: EvaluationReport, kind: str) -> list[str]:
    """Title, metrics, causes, rows and misses of one kind."""
    rows, misses = rows_of(report, kind), rows_of(report, kind, hits=False)
    metrics = [(name, f"{value:.3f}", meaning(name)) for name, value in metrics_of(report, kind).items()]
    blocks = [
        f"## {kind.capitalize()}: {len(rows) - len(misses)} of {plural(len(rows), 'row', 'rows')} found",
        NOTES[kind],
        _table(["metric", "mean", "what it says"], metrics),
    ]
    if misses:
        blocks += [f"### Causes of {kind} misses", _table(["cause", "rows"], cause_counts(rows).items())]
    outcomes = [
        (row.query_id, row.query_text, expected_of(row), row.cause or f"rank {row.rank}") for row in rows
    ]
    blocks += [f"### {kind.capitalize()} rows", _table(["row", "query", "expected", "outcome"], outcomes)]
    missed = [asked for asked in asked_of(report, kind) if asked.found < len(asked.rows)]
    if missed:
        blocks += [
            f"### What {kind} queries with a miss found",
            *(block for asked in missed for block in _misses(asked)),
        ]
    return blocks


def _misses(asked: Asked) -> list[str]:
    """A query, why its rows missed, and the items that came back."""
    causes = [
        f"- {_text(expected_of(row))}: {row.cause}. {_text(row.explanation)}"
        for row in asked.rows
        if row.cause
    ]
    blocks = [f"#### {_text(asked.query_id)}: {_text(asked.text)}", "\n".join(causes)]
    items = [
        (item.rank, item.item_id, "yes" if item.expected else "", f"{item.score:.4g}", _excerpt(item.text))
        for item in asked.items
    ]
    return [*blocks, _table(["rank", "item", "expected", "score", "text"], items)] if items else blocks


def _system(report: EvaluationReport) -> list[str]:
    system = report.system
    rows = [
        ("average latency", f"{system.average_latency_milliseconds:.2f} ms"),
        ("95th percentile of latency", f"{system.percentile_95_latency_milliseconds:.2f} ms"),
        ("index", f"{system.index_bytes:,} bytes"),
    ]
    return ["## System", _table(["", ""], rows), f"Conventions: {_text(report.conventions)}."]


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *([_text(str(cell)) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _excerpt(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= EXCERPT else text[: EXCERPT - 2] + " …"


def _text(text: str) -> str:
    """Text as Markdown prints it; what would be read as an entity, as `&lt;`, stays as it is written."""
    return re.sub(r"&(?=#?\w+;)", "&amp;", escape_markdown(text))
