"""Which judgments hold no longer, and which were made of another text of the query or of the page.

Plain data in: judgments by `(query_id, doc_id)`, questions by query_id, texts by doc_id.
"""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from helpers.base import as_typed, counted, first_few, folded
from helpers.datasets import LabelledQuery
from workbench.labelling.judgment_files import Question, SavedJudgment, judged_of

NO_QUERY, NO_DOCUMENT = "the query is gone", "the document is gone"
NO_QUOTE = "the document does not have the quote: it has changed, or the quote is mistyped"
"""Why a judgment no longer holds."""
OTHER_QUERY, OTHER_PAGE = "wording of the query", "text of the page"
"""What read otherwise when a judgment was made."""


def stale_of(
    verdicts: Mapping[tuple[str, str], SavedJudgment],
    questions: Mapping[str, Question],
    texts: Mapping[str, str],
) -> dict[tuple[str, str], str]:
    """`{(query_id, doc_id): reason}` of the judgments that no longer hold.

    >>> stale_of({("q01", "a.md"): SavedJudgment(query_id="q01", doc_id="a.md", grade=0)}, {}, {})
    {('q01', 'a.md'): 'the query is gone'}
    """
    found = {}
    ids = {folded(one.query): one.query_id for one in questions.values()}
    for (query_id, doc_id), verdict in verdicts.items():
        meant = folded(verdict.query or "")
        if query_id not in questions:
            found[query_id, doc_id] = NO_QUERY
        elif meant in ids and meant != folded(questions[query_id].query):
            found[query_id, doc_id] = f"made for {verdict.query!r:.60}, which is {ids[meant]} now"
        elif doc_id not in texts:
            found[query_id, doc_id] = NO_DOCUMENT
        elif not _has(texts[doc_id], verdict.quote):
            found[query_id, doc_id] = NO_QUOTE
    return found


def _has(text: str, quote: str) -> bool:
    return quote in text or quoted_in(quote, text) is not None


def of_other_texts(
    verdicts: Mapping[tuple[str, str], SavedJudgment],
    questions: Mapping[str, Question],
    texts: Mapping[str, str],
) -> dict[tuple[str, str], list[str]]:
    """What of the judgments that hold read otherwise when they were made: the query, the page, both."""
    stale, found = stale_of(verdicts, questions, texts), {}
    held = {pair: one for pair, one in verdicts.items() if pair not in stale}
    checksums = {one.doc_id: text_checksum(texts[one.doc_id]) for one in held.values() if one.checksum}
    for (query_id, doc_id), one in held.items():
        now = folded(questions[query_id].query)
        others = [OTHER_QUERY] * bool(one.query and folded(one.query) != now)
        others += [OTHER_PAGE] * bool(one.checksum and one.checksum != checksums[doc_id])
        if others:
            found[query_id, doc_id] = others
    return found


def of_two_texts(
    own: Mapping[tuple[str, str], SavedJudgment], other: Mapping[tuple[str, str], SavedJudgment]
) -> set[tuple[str, str]]:
    """The pairs that two judges have both judged, but of different texts of the query or the document, as far
    as is saved of them."""

    def read(one: SavedJudgment) -> tuple[str | None, str | None]:
        return one.query and folded(one.query), one.checksum

    pairs = {pair: (read(own[pair]), read(other[pair])) for pair in own.keys() & other.keys()}
    return {
        pair
        for pair, both in pairs.items()
        if any(one and two and one != two for one, two in zip(*both, strict=True))
    }


def stale_in_words(stale: Mapping[tuple[str, str], str]) -> str:
    """The first few judgments that no longer hold, each with the reason.

    >>> stale_in_words({("q01", "a.md"): "the document is gone"})
    'q01 a.md (the document is gone)'
    """
    which = (f"{query_id} {doc_id} ({why})" for (query_id, doc_id), why in stale.items())
    return first_few(which, 3, between="; ")


def changed_in_words(pairs: Sequence[tuple[str, str]]) -> str:
    """What to say of judgments whose documents have changed, "" where there is none.

    >>> changed_in_words([])
    ''
    """
    if not pairs:
        return ""
    one, several = "judgment without a quote still counts", "judgments without a quote still count"
    said = counted(len(pairs), one, several)
    cure = "read it again (workbench pool --out FILE.csv has it), and give the grade that holds now, be it "
    cure += "the same (lab.judge, or import judgments)"
    which = first_few((f"{query_id} {doc_id}" for query_id, doc_id in pairs), 3, between="; ")
    return f"{said}, made before the document changed: {which}; {cure}"


def reworded(before: Mapping[str, str], labels: list[LabelledQuery], again: Collection[str]) -> list[str]:
    """What to say of queries whose text is another one than it was before; `again` are those of which it is
    known which judgments are of the old text."""
    pairs = [(label, before[label.query_id]) for label in labels if label.query_id in before]
    offered = dict.fromkeys(again, " (workbench pool offers it)")
    cure = "if it asks for something else now, judge it again{} or give the new text an id of its own"
    return [
        f"{label.query_id} is {label.query[:60]!r} in queries.jsonl, and was {old[:60]!r} when it was judged "
        f"or last measured; its judgments still count: {cure.format(offered.get(label.query_id, ''))}"
        for label, old in pairs
        if folded(old) != folded(label.query)
    ]


def judged_before_change(folder: str | Path, before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """What to say of anybody's judgments of documents that read otherwise now, texts by doc_id, "" where
    there is none; one whose quote is still there is none. Raises ValueError for spoilt judgments.

    >>> judged_before_change(Path("no such folder"), {"a.md": "Use the key."}, {"a.md": "Use the card."})
    ''
    """
    other = {one for one in before if text_checksum(before[one]) != text_checksum(after[one])}
    judged = [
        f"{one.query_id} {one.doc_id}" + (f" (judge {judge})" if judge else "")
        for judge, one in judged_of(folder, other)
        if not one.quote or quoted_in(one.quote, after[one.doc_id]) is None
    ]
    if not judged:
        return ""
    said = counted(len(judged), "judgment is of a document", "judgments are of documents")
    reads = "that reads otherwise now" if len(judged) == 1 else "that read otherwise now"
    cure = "read them again, and judge anew what no longer holds"
    return f"{said} {reads}: {first_few(judged)}; {cure}"


def text_checksum(text: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a text, blanks and line breaks aside.

    >>> text_checksum("Use the key.") == text_checksum(" Use  the\\nkey. ")
    True
    """
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def quoted_in(quote: str, text: str) -> str | None:
    """The words of a quote with the blanks and line breaks that a text has there; None where it has not the
    words.

    >>> quoted_in("and semicolons. It", "commas and semicolons.\\nIt has"), quoted_in("soup", "bread")
    ('and semicolons.\\nIt', None)
    """
    found = re.search(r"\s+".join(map(re.escape, quote.split())), text)
    return found.group() if found else None


def as_it_stands(quote: str, doc_id: str, text: str) -> str:
    """A quote with the blanks and line breaks that the document has there."""
    found = quoted_in(quote, text)
    if found is None:
        cure = "copy the words from the document"
        if as_typed(quote) in as_typed(text):
            cure = f"it does with other quotes, dashes or blanks; {cure}"
        raise ValueError(f"the quote {quote[:60]!r} does not stand in {doc_id!r}; {cure}")
    return found
