"""A query's pool as a page to read in a notebook: its documents, and the lines to copy for judging them.

Only what it looks like. Which documents are in a pool, and what is done with a judgment, is in `labelling`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from workbench.corpus import SourceDocument

SHOWN = 20_000
"""Characters of a document that the page holds; a notebook with more of them is slow to open."""
AROUND, MOST = 150, 10
"""Characters on either side of words that were looked for, and how many places are shown."""
GRADES = {2: "answers the query", 1: "helps", 0: "not relevant"}


@dataclass(frozen=True)
class ReadingPage:
    """One query with the documents of its pool, and the grades that were given so far, `{doc_id: grade}`.

    A notebook shows it as a page, a terminal as lines. With no query at all it says so.

    >>> page = ReadingPage("q01", "how do I get in?", [SourceDocument("a.md", "Doors", "Use the key.", "a.md")], {})
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
    grades: Mapping[str, int] | None = None
    nothing: str = ""

    def lines(self) -> str:
        """A line of code for each document that is not judged yet; dots stand where the grade goes.

        The quote goes into a raw text with three marks: what people copy has apostrophes, backslashes and line breaks.
        """
        left = (document.doc_id for document in self.documents if document.doc_id not in (self.grades or {}))
        return "\n".join(
            f'lab.judge({_literal(self.query_id)}, {_literal(doc_id)}, ..., r""" """)' for doc_id in left
        )

    def __repr__(self) -> str:
        if self.nothing:
            return self.nothing
        rows = [
            f"  {document.doc_id}  {document.title}{self._said(document.doc_id)}"
            for document in self.documents
        ]
        return "\n".join([f"{self.query_id}: {self.query}", self._counted(), *rows])

    def _repr_html_(self) -> str:
        if self.nothing:
            return f"<p>{escape(self.nothing)}</p>"
        parts = [
            f"<h3>{escape(self.query_id)}: {escape(self.query)}</h3>",
            f"<p>{escape(self._counted())}</p>",
        ]
        parts += [self._document(document) for document in self.documents]
        if self.lines():
            parts.append(
                '<p style="margin-top: 1em">Copy these lines into the next cell. Put 2, 1 or 0 where the dots are, and for 2 and 1 '
                "the words that say so into the gap between the quotation marks. Leave out the lines of documents that you have "
                "not read.</p>"
                f'<pre style="font-family: monospace">{escape(self.lines())}</pre>'
            )
        return "\n".join(parts)

    def _counted(self) -> str:
        n, judged = (
            len(self.documents),
            sum(document.doc_id in (self.grades or {}) for document in self.documents),
        )
        if not n:
            return "no system found a document; ask it in other words, or judge documents that you know of"
        return f"{n} {'document' if n == 1 else 'documents'} to read, {judged} judged so far"

    def _said(self, doc_id: str) -> str:
        grade = (self.grades or {}).get(doc_id)
        return "" if grade is None else f"  [{grade}, {GRADES[grade]}]"

    def _document(self, document: SourceDocument) -> str:
        more = len(document.text) - SHOWN
        look = f'print(lab.find({_literal(document.doc_id)}, "words to look for"))'
        rest = f"\n… {more:,} more characters. To look into them: {look}" if more > 0 else ""
        said = self._said(document.doc_id)
        return (
            f"<details><summary>{escape(document.title or opening(document.text, 60))} · <code>{escape(document.doc_id)}</code>"
            f" · {len(document.text):,} characters<b>{escape(said)}</b></summary>"
            '<pre style="font-family: monospace; white-space: pre-wrap; max-width: 50em">'
            f"{escape(document.text[:SHOWN] + rest)}</pre></details>"
        )


def opening(text: str, most: int) -> str:
    """The first words of a text, of at most so many characters.

    >>> opening("Use the key. Ask the porter for it.", 14)
    'Use the key. …'
    """
    words = " ".join(text[: 10 * most].split())
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0] + " …"


def passages(text: str, words: str) -> str:
    """The places of a text where these words stand one after the other, each on a line with what is around it.

    Case and white space may differ. Raises ValueError where there is no word to look for.

    >>> print(passages("Use the key.\\nAsk the porter for it.", "ask  THE"))
    Use the key. Ask the porter for it.
    """
    if not words.split():
        raise ValueError(f"the words to look for are {words!r}; needed at least one")
    lines, places, shown = [], 0, 0
    for found in re.finditer(r"\s+".join(map(re.escape, words.split())), text, re.IGNORECASE):
        places += 1
        if found.end() > shown and len(lines) < MOST:
            start, shown = max(found.start() - AROUND, 0), min(found.end() + AROUND, len(text))
            lines.append(
                f"{'… ' * (start > 0)}{' '.join(text[start:shown].split())}{' …' * (shown < len(text))}"
            )
    if len(lines) == MOST and places > MOST:
        lines.append(f"the words stand there {places:,} times; look for more of them to see fewer places")
    return "\n\n".join(lines) or f"{words!r} does not stand there"


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
