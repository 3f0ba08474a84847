"""What the reader of a ledger looks at: a table with bars, and a text with the words of the query marked."""

import re
from collections.abc import Iterator
from textwrap import shorten

import pandas as pd

from helpers.failures.templates import escaped, macros
from helpers.retrieval import as_terms, check_analyzer
from helpers.text import Analyzer

BAR_BLUE, BAR_ORANGE = "#0072B2", "#D55E00"
"""For above and below zero; colours that colour-blind readers can tell apart, Okabe and Ito, 2008."""
LOOK_AHEAD = 32
"""Characters behind a cut that decide whether it goes through a term."""
_LONGEST = 255
"""What has grown to so many characters is cut: Lucene has no longer word, and each step reads it again."""


def highlight(text: str, query: str, analyzer: Analyzer) -> str:
    """The text as HTML, <mark> around each word whose terms the query has. All else is escaped.

    A word is what the analyzer makes a term of: "crashes" is marked for "crash" by an analyzer that stems,
    and for "6" only the 6 of "IL-6" where the analyzer cuts there. A term made of several words, as of
    n-grams over spaces, marks nothing. A word of more than 255 characters is marked in parts. Raises
    ValueError for a text or a query that is not text.

    >>> from helpers.text import lucene_english
    >>> highlight("<i>IL-6</i> rose; pods crashed.", "il crashes", lucene_english)
    '&lt;i&gt;<mark>IL</mark>-6&lt;/i&gt; rose; pods <mark>crashed</mark>.'
    """
    if not isinstance(text, str) or not isinstance(query, str):
        types = f"the text is a {type(text).__name__}, the query a {type(query).__name__}"
        raise ValueError(f"{types}; needed text and text")
    check_analyzer(analyzer)

    def terms(text: str) -> list[str]:
        return list(as_terms(analyzer(text), analyzer))

    query_terms = set(terms(query))
    pieces = re.split(r"(\s+)", text)
    # The same words stand in a text again and again, and an analyzer is slow: each is read once.
    html = {piece: _marked(piece, query_terms, terms) for piece in set(pieces)}
    return "".join(html[piece] for piece in pieces)


def _marked(piece: str, query_terms: set[str], analyzer: Analyzer) -> str:
    if query_terms.isdisjoint(analyzer(piece)):
        return str(escaped(piece))
    words = ((escaped(word), query_terms.isdisjoint(analyzer(word))) for word in _words(piece, analyzer))
    return "".join(word if is_other else f"<mark>{word}</mark>" for word, is_other in words)


def _words(piece: str, analyzer: Analyzer) -> Iterator[str]:
    """A text cut where both sides together have the terms of the whole: behind "IL", not in "3.7"."""
    # Cuts are tried between words and signs; a run of Chinese is many words, so between its characters too.
    parts: list[str] = []
    for part in re.findall(r"\w+|\W", piece):
        parts.extend([part] if len(analyzer(part)) < 2 else part)
    # A word grows until cutting behind it changes no term: "3" grows to "3.7", "IL" ends before "-".
    start = stop = 0
    for part in parts:
        stop += len(part)
        word, rest = piece[start:stop], piece[stop : stop + LOOK_AHEAD]
        if not rest or stop - start >= _LONGEST or analyzer(word + rest) == analyzer(word) + analyzer(rest):
            yield word
            start = stop


class LedgerTable:
    """A table that a notebook shows with bars and a terminal as text; `ledger_table` makes it."""

    def __init__(self, html: str, text: str):
        self.html, self.text = html, text

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


def ledger_table(frame: pd.DataFrame) -> LedgerTable:
    """The frame of `explain` or `why_above` as a table with bars, for a notebook and for a terminal.

    All bars have one scale; below zero they are orange and go to the left. The last row is the whole score,
    or difference; of `frame.head(5)` too, where the terms left out are one row. Raises ValueError for a frame
    of other columns, or one whose `attrs` are lost, as some operations of pandas lose them.

    >>> from helpers.retrieval import CsrBM25, explain
    >>> retriever = CsrBM25({"d1": "pod killed", "d2": "the pod of a pod", "d3": "disk full"})
    >>> ledger_table(explain(retriever, "killed pods", "d1"))
    d1 for "killed pods"
    BM25, Lucene idf, k1=0.9, b=0.4, lucene_english; dl 2, avgdl 2.0, length norm 0.900
    term   score                in query  tf  df    idf  weight
    kill   0.516  ████████████         1   1   1  0.981   0.526
    pod    0.247  ██████               1   1   2  0.470   0.526
    total  0.764
    """
    if "difference" in frame and "scores" in frame.attrs:
        lines, value, (score, other_score) = _about_two(frame), "difference", frame.attrs["scores"]
        total = score - other_score
    elif "weight" in frame and "score" in frame.attrs:
        lines, value, total = _about_one(frame), "score", frame.attrs["score"]
    else:
        lines = []
    if not lines or "term" in frame:
        found = f"columns {list(frame.columns)}, attrs {list(frame.attrs)}"
        raise ValueError(f"{found}; needed the frame as explain or why_above gave it")
    # The length norm is one for all terms and is in the heading.
    others = [name for name in frame.columns if name not in (value, "length norm")]
    cells = [
        (term, row[value], *(_shown(row[name]) for name in others))
        for term, row in frame.to_dict("index").items()
    ]
    if len(frame) < frame.attrs["terms"]:
        cells.append(("other terms", total - frame[value].sum(), *[""] * len(others)))
    head, rows = ["term", value, "", *others], _with_bars(cells)
    html = macros("ledger_table.html.jinja").table(lines, head, rows, _shown(total), BAR_BLUE, BAR_ORANGE)
    return LedgerTable(str(html), _text(lines, head, rows, _shown(total)))


def _about_one(frame: pd.DataFrame) -> list[str]:
    about = frame.attrs
    norm = f", length norm {frame['length norm'].iloc[0]:.3f}" if len(frame) else ""
    lengths = f"{about['retriever']}; dl {about['dl']}, avgdl {about['avgdl']:.1f}{norm}"
    return [f'{about["doc_id"]} for "{shorten(about["query"], 90)}"', lengths]


def _about_two(frame: pd.DataFrame) -> list[str]:
    about = frame.attrs
    documents = "; ".join(
        f"{name} = {doc_id} (score {score:.3f}, dl {dl})"
        for name, doc_id, score, dl in zip("ab", about["doc_ids"], about["scores"], about["dl"], strict=True)
    )
    query = f'for "{shorten(about["query"], 90)}"; bars to the right favour a'
    return [documents, query, f"{about['retriever']}; avgdl {about['avgdl']:.1f}"]


def _shown(value: float) -> str:
    # + 0.0: no minus before a zero
    return str(value) if isinstance(value, int) else f"{round(value, 3) + 0.0:.3f}"


def _with_bars(cells: list[tuple]) -> list[dict]:
    """Rows with the start and length of their bars, as shares of the width; zero is at one point in all."""
    values = [0.0, *(value for _, value, *_ in cells)]
    low, width = min(values), max(values) - min(values) or 1.0
    return [
        {
            "cells": [term, _shown(value), *others],
            "value": value,
            "start": (min(value, 0.0) - low) / width,
            "length": abs(value) / width,
        }
        for term, value, *others in cells
    ]


def _text(lines: list[str], head: list[str], rows: list[dict], total: str) -> str:
    width, table = 12, [head]
    for row in rows:
        term, shown, *others = row["cells"]
        sign = "█" if row["value"] > 0 else "░"
        table.append(
            [term, shown, " " * round(width * row["start"]) + sign * round(width * row["length"]), *others]
        )
    table.append(["total", total] + [""] * (len(head) - 2))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        # Terms and bars to the left, numbers to the right.
        aligned = [cell.rjust(size) for cell, size in zip(cells, widths, strict=True)]
        aligned[0], aligned[2] = cells[0].ljust(widths[0]), cells[2].ljust(widths[2])
        lines = [*lines, "  ".join(aligned).rstrip()]
    return "\n".join(lines)
