"""A report as one HTML page that needs nothing beside it, and as Markdown; the templates are in this folder.

>>> from tempfile import mkdtemp
>>> from workbench import CorpusFolder, EvaluationDataset, QueryBudget, SourceDocument
>>> from workbench import build_snapshot, evaluate_run
>>> corpus = CorpusFolder.init(mkdtemp(), "pets")
>>> _ = corpus.add([SourceDocument("d_1", "Cats", "They purr & sleep.", "cats.md")])
>>> row = {"query_id": "q1", "query_text": "who purrs?", "expected_item_id": "d_1", "kind": "gold"}
>>> dataset = EvaluationDataset(schema_version=1, name="pets", description="A toy.", queries=(row,))
>>> report = evaluate_run(corpus, build_snapshot(corpus), dataset, QueryBudget(max_total_items=3))
>>> "Cats They <mark>purr</mark> &amp; sleep." in as_html(report)
True
>>> [line for line in as_markdown(report).splitlines() if "q1" in line]
['| q1 | who purrs? | d\\\\_1 | rank 1 |']
"""

import re
from functools import cache, lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from helpers.base import check_type, counted, escape_markdown
from helpers.failures import highlight
from helpers.text import lucene_english
from workbench.reports import summary
from workbench.reports.models import CutEvidence, EvaluationReport
from workbench.reports.summary import ReportedQuery

_EXCERPT = 320
"""Characters of an item's text that the page shows at once; what else the report keeps is behind a click."""
CUT_SHOWN = 10
HEADLINES = ("hit_rate", "mean_reciprocal_rank", "nDCG", "Recall")
"""The metrics that the page sets large, the first of each name before the @."""


def as_html(report: EvaluationReport) -> str:
    """The page as text, to be written to a file; the same report gives the same text.

    It has the five things to record, warnings, gold and synthetic results apart (metrics, ranks, where misses
    were lost, the evidence of every query, the worst first), latency, and how the numbers are counted. Words
    of the query are marked by their English stems, whatever the backend's own analyzer is. Of a long item
    only what the report keeps is shown.
    """
    check_type("report", report, EvaluationReport, "load_report(path) gives one")
    return _environment("html").get_template("report.html.jinja").render(report=report)


def as_markdown(report: EvaluationReport) -> str:
    """The report as Markdown text that ends with a line break; the same report gives the same text.

    The five things to record, warnings, then gold and synthetic results apart: metrics, where misses were
    lost, every row with its rank or that step, and what the queries with a miss found, its text cut to 160
    characters.
    """
    check_type("report", report, EvaluationReport, "load_report(path) gives one")
    return _environment("md").get_template("report.md.jinja").render(report=report)


@cache
def _environment(ending: str) -> Environment:
    """What the templates of one format may use. Everything that they put in is escaped for that format."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        autoescape=ending == "html",
        finalize=_escaped_for_markdown if ending == "md" else None,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    own = (counted, end_of_excerpt, headlines, marked, shown_cut)
    environment.globals |= {"summary": summary} | {function.__name__: function for function in own}
    return environment


def _escaped_for_markdown(value: object) -> str:
    """Text as Markdown prints it; what would be read as an entity, as `&lt;`, stays as it is written."""
    if isinstance(value, Markup):
        return value
    return re.sub(r"&(?=#?\w+;)", "&amp;", escape_markdown(str(value)))


def headlines(metrics: dict[str, float]) -> list[str]:
    """The metrics to set large, in the order of `HEADLINES`.

    >>> headlines({"MRR": 0.5, "nDCG@10": 0.4, "nDCG@5": 0.3, "hit_rate": 0.9})
    ['hit_rate', 'nDCG@10']
    """
    first: dict[str, str] = {}
    for name in metrics:
        first.setdefault(name.partition("@")[0], name)
    return [first[base] for base in HEADLINES if base in first]


def shown_cut(query: ReportedQuery) -> list[CutEvidence]:
    """Of what the budget cut the first few candidates, and all that were expected."""
    return [one for number, one in enumerate(query.cut) if number < CUT_SHOWN or one.expected]


def end_of_excerpt(text: str) -> int:
    """Where the excerpt ends: behind a word, or within a very long one; a text hardly longer is all shown."""
    if len(text) <= _EXCERPT + 80:
        return len(text)
    space = text.rfind(" ", _EXCERPT // 2, _EXCERPT)
    return _EXCERPT if space < 0 else space


def marked(text: str, query: str) -> Markup:
    """A text as HTML, words of the query marked, all else escaped."""
    return Markup(highlight(text, query, _terms))


@lru_cache(maxsize=1 << 14)
def _terms(text: str) -> tuple[str, ...]:
    """The terms of a piece of text, remembered: the same words stand in most documents."""
    return tuple(lucene_english(text))
