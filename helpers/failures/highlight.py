"""What the reader of a ledger looks at: a table with bars, and a text with the words that a query found in it.

Plain HTML with inline styles only, for stored outputs are shown by programs that drop style sheets. It stands on a light and
on a dark page. The numbers come from `failures.ledger`.
"""

import re
from collections.abc import Iterator
from html import escape
from textwrap import shorten

import pandas as pd

from helpers.text import Analyzer

BLUE, ORANGE = "#0072B2", "#D55E00"
"""For above and below zero; of the colours by Okabe and Ito, 2008, that readers who are colour-blind can tell apart."""
LOOK_AHEAD = 32
"""Characters behind a cut that decide whether it goes through a term."""
LONGEST = 255
"""What has grown to so many characters is cut there: Lucene has no longer word, and each step reads all of it again."""
LEFT, RIGHT = "text-align:left;padding:2px 8px", "text-align:right;padding:2px 8px"
Row = tuple[str, float, list[str]]
"""A term, the number that its bar shows, and its other cells."""
_SPACES = re.compile(r"(\s+)")


def highlight(text: str, query: str, analyzer: Analyzer) -> str:
    """The text as HTML, <mark> around each word whose terms the query has. All else is escaped; line breaks stay as they are.

    A word is what the analyzer makes a term of: "crashes" is marked for "crash" by an analyzer that stems, and for "6" only
    the 6 of "IL-6" where the analyzer cuts there. A term made of several words, as of n-grams over spaces, marks nothing. A word
    of more than 255 characters is marked in parts. Raises ValueError for a text or a query that is not text.

    >>> from helpers.text import lucene_english
    >>> highlight("<i>IL-6</i> rose; pods crashed.", "il crashes", lucene_english)
    '&lt;i&gt;<mark>IL</mark>-6&lt;/i&gt; rose; pods <mark>crashed</mark>.'
    """
    if not isinstance(text, str) or not isinstance(query, str):
        raise ValueError(
            f"the text is a {type(text).__name__}, the query a {type(query).__name__}; needed text and text"
        )
    asked = set(analyzer(query))
    pieces = _SPACES.split(text)
    html = {piece: _marked(piece, asked, analyzer) for piece in set(pieces)}
    return "".join(html[piece] for piece in pieces)


def _marked(piece: str, asked: set[str], analyzer: Analyzer) -> str:
    if asked.isdisjoint(analyzer(piece)):
        return escape(piece)
    words = ((escape(word), asked.isdisjoint(analyzer(word))) for word in _words(piece, analyzer))
    return "".join(word if unasked else f"<mark>{word}</mark>" for word, unasked in words)


def _words(piece: str, analyzer: Analyzer) -> Iterator[str]:
    """A piece of text cut wherever both sides together have the terms of the whole: behind "IL", not within "3.7"."""
    parts: list[str] = []
    for part in re.findall(r"\w+|\W", piece):
        parts.extend([part] if len(analyzer(part)) < 2 else part)  # a run of Chinese is many words
    start = stop = 0
    for part in parts:
        stop += len(part)
        word, rest = piece[start:stop], piece[stop : stop + LOOK_AHEAD]
        if not rest or stop - start >= LONGEST or analyzer(word + rest) == analyzer(word) + analyzer(rest):
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
    """The frame of `explain` or `why_above` as a table with a bar in each row, for a notebook and for a terminal.

    All bars have one scale; below zero they are orange and go to the left. The last row is the whole score, or difference;
    of `frame.head(5)` too, where the terms left out are one row. Raises ValueError for a frame of other columns, or one
    whose `attrs` are lost, as some operations of pandas lose them.

    >>> from helpers.retrieval import explain
    >>> from helpers.retrieval import CsrBM25
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
        lines, value, total = (
            _about_two(frame),
            "difference",
            frame.attrs["scores"][0] - frame.attrs["scores"][1],
        )
    elif "weight" in frame and "score" in frame.attrs:
        lines, value, total = _about_one(frame), "score", frame.attrs["score"]
    else:
        raise ValueError(
            f"columns {list(frame.columns)}, attrs {list(frame.attrs)}; needed the frame as explain or why_above gave it"
        )
    others = [name for name in frame.columns if name not in (value, "length norm")]
    rows = [
        (term, row[value], [_shown(row[name]) for name in others])
        for term, row in frame.to_dict("index").items()
    ]
    if len(frame) < frame.attrs["terms"]:
        rows.append(("other terms", total - frame[value].sum(), [""] * len(others)))
    head = ["term", value, *others]
    return LedgerTable(_html(lines, head, rows, total), _text(lines, head, rows, total))


def _about_one(frame: pd.DataFrame) -> list[str]:
    about = frame.attrs
    norm = (
        f", length norm {frame['length norm'].iloc[0]:.3f}" if len(frame) else ""
    )  # one for all terms, so no column
    lengths = f"{about['retriever']}; dl {about['dl']}, avgdl {about['avgdl']:.1f}{norm}"
    return [f'{about["doc_id"]} for "{shorten(about["query"], 90)}"', lengths]


def _about_two(frame: pd.DataFrame) -> list[str]:
    about = frame.attrs
    names = zip("ab", about["doc_ids"], about["scores"], about["dl"], strict=True)
    documents = "; ".join(
        f"{name} = {doc_id} (score {score:.3f}, dl {dl})" for name, doc_id, score, dl in names
    )
    query = f'for "{shorten(about["query"], 90)}"; bars to the right favour a'
    return [documents, query, f"{about['retriever']}; avgdl {about['avgdl']:.1f}"]


def _shown(value: float) -> str:
    return (
        str(value) if isinstance(value, int) else f"{round(value, 3) + 0.0:.3f}"
    )  # + 0.0: no minus before a zero


def _bars(rows: list[Row]) -> list[tuple[float, float]]:
    """Where each row's bar begins and how long it is, as shares of the width; zero has the same place in all rows."""
    values = [value for _, value, _ in rows]
    low, high = min([0.0, *values]), max([0.0, *values])
    return [
        ((min(value, 0.0) - low) / (high - low or 1.0), abs(value) / (high - low or 1.0)) for value in values
    ]


def _html(lines: list[str], head: list[str], rows: list[Row], total: float) -> str:
    line = "border-top:1px solid currentColor"
    names = [f'<th style="{RIGHT}">{name}</th>' for name in (head[1], "", *head[2:])]
    body = [f'<tr><th style="{LEFT}">{head[0]}</th>{"".join(names)}</tr>']
    for (term, value, others), (start, length) in zip(rows, _bars(rows), strict=True):
        place = f"margin-left:{100 * start:.1f}%;width:{100 * length:.1f}%;height:0.8em"
        bar = f'<div style="{place};background-color:{BLUE if value > 0 else ORANGE}"></div>'
        cells = [f'<td style="{RIGHT}">{escape(cell)}</td>' for cell in others]
        body.append(
            f'<tr><th style="{LEFT}">{escape(term)}</th><td style="{RIGHT}">{_shown(value)}</td>'
            f'<td style="min-width:10em">{bar}</td>{"".join(cells)}</tr>'
        )
    body.append(
        f'<tr><th style="{LEFT};{line}">total</th><td style="{RIGHT};{line}"><b>{_shown(total)}</b></td>'
        f'<td colspan="{len(names) - 1}" style="{line}"></td></tr>'
    )
    about = "<br>".join(map(escape, lines))
    style = "border-collapse:collapse;color:inherit"
    return f'<div style="margin:4px 0">{about}</div><table style="{style}">{"".join(body)}</table>'


def _text(lines: list[str], head: list[str], rows: list[Row], total: float) -> str:
    width, table = 12, [[head[0], head[1], "", *head[2:]]]
    for (term, value, others), (start, length) in zip(rows, _bars(rows), strict=True):
        bar = " " * round(width * start) + ("█" if value > 0 else "░") * round(width * length)
        table.append([term, _shown(value), bar, *others])
    table.append(["total", _shown(total)] + [""] * (len(head) - 1))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = [cell.rjust(size) for cell, size in zip(row, widths, strict=True)]
        cells[0], cells[2] = row[0].ljust(widths[0]), row[2].ljust(widths[2])
        lines = [*lines, "  ".join(cells).rstrip()]
    return "\n".join(lines)
