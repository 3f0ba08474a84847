"""Why a relevant document was missed: seven causes, each a small question, asked in this order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

import pandas as pd

from helpers.records import Corpus
from helpers.text import (
    FUNCTION_WORDS,
    Analyzer,
    content_words,
    plain,
    plain_stemmed,
    query_word,
    quoted,
    shared_words,
    stem,
)

CAUSES = (
    "not in the corpus",
    "cut by the budget",
    "possible label error",
    "outdated page above",
    "lost in chunking",
    "vocabulary gap",
    "outweighed",
)
"""In the order in which they are asked; the first that holds is the cause."""
MISSING, BUDGET, LABEL, OUTDATED, CUT, WORDS, OUTWEIGHED = CAUSES
HALF = 0.5
"""A passage with a smaller share of a query's content words, as the system reads them, says it otherwise.

A lone "people" or "search" is not common language. And a system that knows no stems reads "renewing" as
another word than "renew".
"""

Compare = Callable[[str, str, str], pd.DataFrame | None]
"""From a query, a document and one that it outranks to the table of `why_above`; None without a ledger."""


@dataclass(frozen=True)
class Case:
    """One relevant document that a query missed, with what is known of both.

    `rank` is its rank among all documents, inf where it was not retrieved; `above` the documents before it,
    best first. `text` is its text ("" where the corpus lacks it), `quote` what answers in it, `span` the
    quote's (start, end), `passage` the paragraph around it; without quotes "", None and the text. Of a system
    that cuts documents `piece` is the text of its best chunk ("" where none was retrieved), `whole_rank` its
    rank with whole documents, `lost` whether quote or document is in no chunk. With a token budget `tokens`
    are how many it takes until the context holds it, `room` how many the pieces of the first k documents
    have. `swaps` are the words of the page for those of the query. `superseded` are the documents above that
    answer with what is out of date.
    """

    query_id: str
    kind: str
    query: str
    doc_id: str
    grade: int
    grades: Mapping[str, int] = field(repr=False)
    rank: float
    above: Sequence[str] = field(repr=False)
    k: int
    text: str = field(repr=False)
    passage: str = field(repr=False)
    quote: str = ""
    span: tuple[int, int] | None = None
    piece: str = field(default="", repr=False)
    whole_rank: float | None = None
    lost: bool = False
    tokens: float | None = None
    room: float | None = None
    budget: int | None = None
    swaps: Mapping[str, str] = field(default_factory=dict)
    superseded: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """What `passage` is, in a sentence."""
        return "the paragraph that answers" if self.quote else "the document"


@dataclass(frozen=True)
class Cause:
    """One of `CAUSES`, a sentence that shows it, the document to blame (or ""), terms by which it leads."""

    name: str
    evidence: str
    by: str = ""
    terms: tuple[str, ...] | None = None


def cause_of(case: Case, corpus: Corpus, compare: Compare, analyzer: Analyzer | None = None) -> Cause:
    """The cause of one miss, the first of `CAUSES` that holds; exactly one always does.

    `analyzer` is that of the system, by which words are the same or not; without one, as for dense vectors,
    stems are compared.

    >>> case = Case("q1", "", "site outage", "d1", 1, {"d1": 1}, inf, [], 10, "Downtime.", "Downtime.")
    >>> cause_of(case, {"d1": "Downtime."}, compare=lambda query, by, doc_id: None).name
    'vocabulary gap'
    """
    # What is not there no other words and no other cut can find.
    if not case.text.strip():
        state = "has no text" if case.doc_id in corpus else "is not in the corpus"
        return Cause(MISSING, f"{case.doc_id} {state}")
    # The ranking may be in order: above it are only relevant documents, and a limit cut it off ...
    if is_cut_off(case):
        return Cause(BUDGET, _cut_off(case))
    # ... or one that answers just as well, and that nobody has judged.
    if other := unjudged_with_quote(case.quote, case.above[: case.k], case.grades, corpus):
        rank = case.above.index(other) + 1
        return Cause(LABEL, f"{other}, at rank {rank} and not judged, holds the quoted words too", other)
    # ... or documents that answered once: without them it would be found.
    if case.superseded and case.k < case.rank <= case.k + len(case.superseded):
        return Cause(OUTDATED, _outdated(case), case.superseded[0])
    # The cut comes before the words: it settles which of them stand together in what is ranked.
    analyzer = analyzer or plain_stemmed
    if is_lost_in_chunking(case, analyzer):
        return Cause(CUT, _lost(case, analyzer))
    # Where the words are others no weighing of words helps; where enough are shared, their weights decided.
    if case.rank == inf or is_said_otherwise(case.query, case.passage, analyzer):
        return Cause(WORDS, _said_otherwise(case, analyzer))
    return _outweighed(case, compare, analyzer)


def is_cut_off(case: Case) -> bool:
    """Whether a limit alone is to blame: only relevant documents are above, and k or the tokens ran out."""
    if case.rank <= case.k:
        return case.tokens <= case.room
    return case.rank < inf and all(case.grades.get(doc_id, 0) > 0 for doc_id in case.above)


def unjudged_with_quote(
    quote: str, above: Sequence[str], grades: Mapping[str, int], corpus: Corpus
) -> str | None:
    """The first document above that nobody judged and that holds the quoted words, whatever the punctuation.

    >>> corpus = {"d1": "", "d2": "To undo, run slip rollback!"}
    >>> unjudged_with_quote("Run `slip rollback`.", ["d1", "d2"], {"d1": 0}, corpus)
    'd2'
    """
    # Whole words: "roll" is not held by "slip rollback".
    words = f" {' '.join(plain(quote))} "
    holding = (d for d in above if d not in grades and words in f" {' '.join(plain(corpus[d]))} ")
    return next(holding, None) if words.strip() else None


def is_lost_in_chunking(case: Case, analyzer: Analyzer = plain_stemmed) -> bool:
    """Whether the cut is to blame: it lost what was to be found, or parted words from the chunk found.

    Parted words count where the whole document is within k and has enough of the query's content words, more
    than its best chunk. Found whole by words without content, or by no other words than the chunk has, it was
    not lost by being cut.
    """
    # Within k and not cut off by the budget: it was found by another chunk than the one that answers.
    if case.lost or case.rank <= case.k:
        return True
    found_whole = case.whole_rank is not None and case.whole_rank <= case.k
    in_its_words = not is_said_otherwise(case.query, case.text, analyzer)
    return found_whole and in_its_words and bool(_parted(case, analyzer))


def is_said_otherwise(query: str, passage: str, analyzer: Analyzer = plain_stemmed) -> bool:
    """Whether a passage has fewer than half of the query's content words, the same or not by the analyzer.

    >>> is_said_otherwise("why the outage?", "Downtime"), is_said_otherwise("why the outage?", "Outages")
    (True, False)
    >>> is_said_otherwise("why the outage?", "Outages", plain)
    True
    """
    n_words = len(content_words(query))
    return not n_words or len(shared_words(query, passage, analyzer)) < HALF * n_words


def why_outweighed(difference: pd.DataFrame) -> tuple[str, str]:
    """Which way the other document wins, and the term that decides, from `why_above(other, this)`.

    "off-topic": it has a word that this one lacks. "longer": it has the word more often, being longer; "more
    repetitive": at no greater length. "shorter": no more often, but a word counts for more in a shorter text.
    "tied": no term favours it.
    """
    term, row = difference.index[0], difference.iloc[0]
    if row["difference"] <= 0:
        return "tied", term
    if row["tf b"] == 0:
        return "off-topic", term
    if row["tf a"] <= row["tf b"]:
        return "shorter", term
    length, other_length = difference.attrs["dl"]
    return ("longer" if length > other_length else "more repetitive"), term


def _cut_off(case: Case) -> str:
    if case.rank > case.k:
        return f"all {len(case.above)} documents above it are relevant, and k is {case.k}"
    needed = f"it takes {case.tokens:,} tokens of context, and {case.budget:,} are allowed"
    return f"at rank {case.rank:.0f}, but {needed}"


def _outdated(case: Case) -> str:
    ranks = [f"{doc_id}, at rank {case.above.index(doc_id) + 1}" for doc_id in case.superseded]
    without = f"without what is out of date {case.doc_id} would be at rank"
    return f"{' and '.join(ranks)}, out of date; {without} {case.rank - len(case.superseded):.0f}"


def _lost(case: Case, analyzer: Analyzer) -> str:
    if case.lost:
        return f"{'the quote' if case.quote else 'the document'} is not in the chunks of {case.doc_id}"
    if case.rank <= case.k:
        reached = "is not found" if case.tokens == inf else f"comes after {case.tokens:,} tokens"
        return f"at rank {case.rank:.0f} by another chunk; the one that answers {reached}"
    found = "no chunk of it is found"
    if case.piece:
        found = f"its best chunk lacks {quoted(_parted(case, analyzer))}, found in its other chunks"
    return f"{found}; whole, {case.doc_id} is at rank {case.whole_rank:.0f}"


def _parted(case: Case, analyzer: Analyzer) -> list[str]:
    """The query's content words that the document has and its best chunk lacks."""
    in_piece = shared_words(case.query, case.piece, analyzer)
    return [word for word in shared_words(case.query, case.text, analyzer) if word not in in_piece]


def _said_otherwise(case: Case, analyzer: Analyzer) -> str:
    words, shared = content_words(case.query).values(), shared_words(case.query, case.passage, analyzer)
    if not words:
        return "the query has no content word"
    names = quoted(shared, case.passage)
    if len(shared) >= HALF * len(words):  # and yet not retrieved
        return f"{case.answer} shares {names}, but the system gives that no weight"
    if shared:
        has = f"only {names} of the query's {len(words)} content words"
    else:
        has = f"none of the query's content words {quoted(words)}"
    by_stem = [word for word in shared_words(case.query, case.passage) if word not in shared]
    endings = f"; it has {quoted(by_stem, case.passage)}, to the system another word" if by_stem else ""
    return f"{case.answer} has {has}{endings}"


def _outweighed(case: Case, compare: Compare, analyzer: Analyzer) -> Cause:
    """The first document above that is not relevant, and by which term it leads."""
    by = next(doc_id for doc_id in case.above if case.grades.get(doc_id, 0) < 1)
    judged = "judged not relevant" if by in case.grades else "not judged"
    shared = quoted(shared_words(case.query, case.passage, analyzer), case.passage)
    start = f"{case.answer} shares {shared}, but {by}, at rank {case.above.index(by) + 1} and {judged},"
    difference = compare(case.query, by, case.doc_id)
    if difference is None:
        return Cause(OUTWEIGHED, f"{start} stands above it", by)
    kind, term = why_outweighed(difference)
    word, (length, other_length) = query_word(term, case.query), difference.attrs["dl"]
    tf, other_tf = difference.loc[term, ["tf a", "tf b"]]
    counts = f"has {word!r} {tf:.0f} times in {length} terms, {case.doc_id} {other_tf:.0f} in {other_length}"
    reason = {
        "off-topic": _which_lacks(case, word, term, analyzer),
        "longer": f"is longer: it {counts}",
        "more repetitive": f"is more repetitive: it {counts}",
        "shorter": f"is shorter: in {length} terms {word!r} counts for more than in {other_length}",
        "tied": "has the same score, and of equal ones the higher doc_id goes first",
    }[kind]
    return Cause(OUTWEIGHED, f"{start} {reason}", by, tuple(difference.index[difference["difference"] > 0]))


def _which_lacks(case: Case, word: str, term: str, analyzer: Analyzer) -> str:
    """How a document lacks a word by which another leads: by the cut, by the ending, or altogether."""
    if term in analyzer(case.text):
        return f"has {word!r}, which {case.doc_id} has only in other chunks"
    forms = content_words(case.text)
    if stem(word) in forms:
        return f"has {word!r} itself, which {case.doc_id} has in another form ({forms[stem(word)]!r})"
    what = f"{word!r}, a word without content," if word in FUNCTION_WORDS else f"{word!r},"
    return f"leads by {what} which {case.doc_id} lacks"
