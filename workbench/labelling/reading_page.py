"""A query's pool as a page to read in a notebook: its documents, and the lines to copy for judging them."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template

from helpers.base import counted
from workbench.corpus import SourceDocument

_SHOWN = 20_000
"""Characters of a document that the page holds; a notebook with more of them is slow to open."""
_AROUND, _MOST = 150, 10
"""Characters on either side of words that were looked for, and how many passages are shown."""
GRADES = {2: "answers the query", 1: "helps", 0: "not relevant"}


@dataclass(frozen=True)
class ReadingPage:
    """One query with the documents of its pool, and the grades that were given so far, `{doc_id: grade}`.
    `before` has those that were given when the query or the page read otherwise, in words.

    A notebook shows it as a page, a terminal as lines. Where there is `nothing` to read it says why.

    >>> doors = SourceDocument("a.md", "Doors", "Use the key.", "a.md")
    >>> page = ReadingPage("q01", "how do I get in?", [doors])
    >>> print(page)
    q01: how do I get in?
    1 document to read, 0 judged so far
      a.md  Doors
    >>> page.lines().partition(" r")[0]
    'lab.judge("q01", "a.md", ...,'
    """

    query_id: str = ""
    query: str = ""
    documents: Sequence[SourceDocument] = ()
    grades: Mapping[str, int] = field(default_factory=dict)
    nothing: str = ""
    before: Mapping[str, str] = field(default_factory=dict)

    def lines(self) -> str:
        """A line of code for each document that is not judged yet, and then for each to be judged again; dots
        stand where the grade goes.

        The quote goes into a raw text with three marks: people copy apostrophes, backslashes and line breaks.
        """
        left = [document.doc_id for document in self.documents if document.doc_id not in self.grades]
        left += [document.doc_id for document in self.documents if document.doc_id in self.before]
        query_id = _literal(self.query_id)
        return "\n".join(f'lab.judge({query_id}, {_literal(doc_id)}, ..., r""" """)' for doc_id in left)

    def count(self) -> str:
        """How many documents there are to read, how many were judged, and of these of another text."""
        if not self.documents:
            return "no system found a document; ask it in other words, or judge documents that you know of"
        judged = sum(document.doc_id in self.grades for document in self.documents)
        said = f"{counted(len(self.documents), 'document')} to read, {judged} judged so far"
        return f"{said}, {len(self.before)} of them of a text that has changed since" if self.before else said

    def verdict_on(self, document: SourceDocument) -> str:
        """The grade that a document was given, in words; "" where nobody judged it."""
        grade = self.grades.get(document.doc_id)
        if document.doc_id in self.before:
            return f"  [{self.before[document.doc_id]}: read it again]"
        return "" if grade is None else f"  [{grade}, {GRADES[grade]}]"

    def shown_of(self, document: SourceDocument) -> str:
        """The text of a document, cut to what a notebook can hold, with a way to look into the rest."""
        more = len(document.text) - _SHOWN
        if more <= 0:
            return document.text
        look = f'print(lab.find({_literal(document.doc_id)}, "words to look for"))'
        return f"{document.text[:_SHOWN]}\n… {more:,} more characters. To look into them: {look}"

    def __repr__(self) -> str:
        if self.nothing:
            return self.nothing
        rows = [f"  {one.doc_id}  {one.title}{self.verdict_on(one)}" for one in self.documents]
        return "\n".join([f"{self.query_id}: {self.query}", self.count(), *rows])

    def _repr_html_(self) -> str:
        return _template().render(page=self, opening=opening)


@cache
def _template() -> Template:
    text = Path(__file__).with_name("reading_page.html.jinja").read_text(encoding="utf-8")
    return Environment(autoescape=True, undefined=StrictUndefined).from_string(text)


def opening(text: str, most: int) -> str:
    """The first words of a text, of at most so many characters.

    >>> opening("Use the key. Ask the porter for it.", 14)
    'Use the key. …'
    """
    words = " ".join(text[: 10 * most].split())
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0] + " …"


def passages(text: str, words: str) -> str:
    """Each passage of a text where these words stand one after the other, on a line with what is around it.

    Case and white space may differ. Raises ValueError where there is no word to look for.

    >>> print(passages("Use the key.\\nAsk the porter for it.", "ask  THE"))
    Use the key. Ask the porter for it.
    """
    if not words.split():
        raise ValueError(f"the words to look for are {words!r}; needed at least one")
    lines, times, shown = [], 0, 0
    for found in re.finditer(r"\s+".join(map(re.escape, words.split())), text, re.IGNORECASE):
        times += 1
        if found.end() > shown and len(lines) < _MOST:
            start, shown = max(found.start() - _AROUND, 0), min(found.end() + _AROUND, len(text))
            before, after = "… " * (start > 0), " …" * (shown < len(text))
            lines.append(f"{before}{' '.join(text[start:shown].split())}{after}")
    if len(lines) == _MOST and times > _MOST:
        lines.append(f"the words stand there {times:,} times; look for more of them to see fewer passages")
    return "\n\n".join(lines) or f"{words!r} does not stand there"


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
