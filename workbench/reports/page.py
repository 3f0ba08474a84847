"""A report as one HTML page that stands by itself: no script, no file beside it, no network. Its frame is `page.html.jinja`.

Here is prepared what the frame shows; it escapes all that is text. What a report holds is in `models`, the same in plain words
in `markdown`.
"""

from functools import cache, lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from helpers.failures import highlight
from helpers.text import lucene_english
from workbench.reports.models import EvaluationReport, ItemEvidence
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
    rank_counts,
    rows_of,
)

EXCERPT = 320
"""Characters of an item's text that are shown at once; the rest of what the report keeps is behind a click."""
CUT_SHOWN = 10
HEADLINES = ("hit_rate", "mean_reciprocal_rank", "nDCG", "Recall")
"""The metrics that are set large, the first of each name before the @."""


def as_html(report: EvaluationReport) -> str:
    """The page as text, to be written to a file; the same report gives the same text.

    It has the five things to record, warnings, gold and synthetic results apart (metrics, ranks, causes of misses, the evidence
    of every query, the worst first), latency, and how the numbers are counted. Words of the query are marked by their English stems,
    whatever the backend's own analyzer is. Of a long item only what the report keeps is shown.

    >>> from tempfile import mkdtemp
    >>> from workbench.budget import QueryBudget
    >>> from workbench.dataset_files import EvaluationDataset, EvaluationQuery
    >>> from workbench.reports import evaluate_run
    >>> from workbench.corpus import CorpusFolder
    >>> from workbench.snapshots import build_snapshot
    >>> from workbench.corpus import SourceDocument
    >>> corpus = CorpusFolder.init(Path(mkdtemp()) / "pets")
    >>> _ = corpus.add([SourceDocument("d1", "Cats", "They purr & sleep.", "cats.md")])
    >>> row = EvaluationQuery(query_id="q1", query_text="who purrs?", expected_item_id="d1", kind="gold")
    >>> dataset = EvaluationDataset(schema_version=1, name="pets", description="A toy.", queries=(row,))
    >>> report = evaluate_run(corpus, build_snapshot(corpus), dataset, QueryBudget(max_total_items=3))
    >>> "Cats They <mark>purr</mark> &amp; sleep." in as_html(report)
    True
    """
    return _template().render(
        report=report,
        things=five_things(report),
        groups=[_group(report, kind) for kind in ROW_KINDS if rows_of(report, kind)],
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals["plural"] = plural
    return environment.get_template("page.html.jinja")


def _group(report: EvaluationReport, kind: str) -> dict:
    """What the page says of the rows of one kind."""
    rows, metrics = rows_of(report, kind), metrics_of(report, kind)
    return {
        "kind": kind,
        "note": NOTES[kind],
        "hits": len(rows_of(report, kind, hits=True)),
        "rows": len(rows),
        "headlines": [name for name in (_first(metrics, base) for base in HEADLINES) if name],
        "metrics": {name: (f"{value:.3f}", meaning(name)) for name, value in metrics.items()},
        "ranks": _bars(rank_counts(rows, report.budget.max_total_items)),
        "causes": _bars(cause_counts(rows)),
        "lists": _lists(report, kind),
    }


def _first(metrics: dict[str, float], base: str) -> str | None:
    """The first metric of this name, at whatever rank."""
    return next((name for name in metrics if name.partition("@")[0] == base), None)


def _lists(report: EvaluationReport, kind: str) -> list[tuple[str, list[dict]]]:
    """The queries by how much of what they expect was found, the worst first."""
    lists = {"Nothing found": [], "Part found": [], "All found": []}
    for asked in asked_of(report, kind):
        name = (
            "Nothing found"
            if not asked.found
            else "All found"
            if asked.found == len(asked.rows)
            else "Part found"
        )
        lists[name].append(_query(asked, report.budget.max_total_items))
    return list(lists.items())


def _bars(counts: dict[str, int]) -> list[tuple[str, int, str]]:
    """A name, its count, and the length of its bar in per cent of the longest."""
    longest = max(counts.values(), default=0) or 1
    return [(name, count, f"{100 * count / longest:.1f}") for name, count in counts.items()]


def _query(asked: Asked, most: int) -> dict:
    """One query with the outcome of its rows and its evidence."""
    cut = [one for place, one in enumerate(asked.cut) if place < CUT_SHOWN or one.expected]
    return {
        "asked": asked,
        "rows": [(row, expected_of(row)) for row in asked.rows],
        "places": [
            f"{100 * (row.rank - 1) / max(most - 1, 1):.1f}" for row in asked.rows if row.rank is not None
        ],
        "ranks": ", ".join(str(row.rank) for row in asked.rows if row.rank is not None),
        "scores": ", ".join(f"{name} {value:.3f}" for name, value in asked.metrics.items()),
        "evidence": [_item(item, asked.text) for item in asked.items],
        "cut": cut,
        "not_shown": len(asked.cut) - len(cut),
    }


def _item(item: ItemEvidence, query: str) -> dict:
    """An item with its text cut in two, the excerpt and the rest, words of the query marked in both."""
    end = _end_of_excerpt(item.text)
    excerpt, rest = item.text[:end], item.text[end:]
    return {
        "item": item,
        "score": f"{item.score:.4g}",
        "excerpt": _marked(excerpt, query),
        "rest": _marked(rest, query),
        "more": len(item.text) - end,
        "not_shown": item.end - item.start - len(item.text),
    }


def _end_of_excerpt(text: str) -> int:
    """Where the excerpt ends: behind a word, or within one that is very long; a text that is hardly longer is all shown."""
    if len(text) <= EXCERPT + 80:
        return len(text)
    space = text.rfind(" ", EXCERPT // 2, EXCERPT)
    return EXCERPT if space < 0 else space


def _marked(text: str, query: str) -> Markup:
    return Markup(highlight(text, query, _terms))  # escapes what it does not mark


@lru_cache(maxsize=1 << 14)
def _terms(text: str) -> tuple[str, ...]:
    """The terms of a piece of text, remembered: the same words stand in most documents."""
    return tuple(lucene_english(text))
