"""Why a relevant document was missed: six causes, each a small question, asked in an order that has its reasons.

All that the questions need is in a `case.Case`. Nothing here searches; causes are tried out in `counterfactuals`, counted in `report`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

import pandas as pd

from helpers.failures.case import Case
from helpers.records import Corpus
from helpers.text import (
    FUNCTION_WORDS,
    Analyzer,
    as_there,
    content_words,
    listed,
    plain,
    plain_stemmed,
    shared_words,
    stem,
    word_of,
)

CAUSES = (
    "not in the corpus",
    "cut by the budget",
    "possible label error",
    "lost in chunking",
    "vocabulary gap",
    "outweighed",
)
"""In the order in which they are asked; the first that holds is the cause.

What is not there no change of words or cuts can find. Then what says that the ranking is in order: only relevant documents above,
or one that nobody judged and that answers too. Then the cut, which settles what words stand together; about words it is asked
only where the whole document would not have been found. Where the words are others no weighing helps; "outweighed" remains.
"""
MISSING, BUDGET, LABEL, CUT, WORDS, OUTWEIGHED = CAUSES
HALF = 0.5
"""A passage with a smaller share of a query's content words, as the system reads them, says most of it in other words.

A lone "people" or "search" is not common language. And a system that knows no stems reads "renewing" as another word than "renew".
"""

Compare = Callable[[str, str, str], pd.DataFrame | None]
"""From a query, a document and one that it outranks to the table of `ledger.why_above`; None where scores cannot be explained."""


@dataclass(frozen=True)
class Cause:
    """One of `CAUSES`, a sentence that shows it, the document to blame (or ""), and terms by which that one leads."""

    name: str
    evidence: str
    by: str = ""
    terms: tuple[str, ...] | None = None


def cause_of(case: Case, corpus: Corpus, compare: Compare, analyzer: Analyzer | None = None) -> Cause:
    """The cause of one miss, the first of `CAUSES` that holds; exactly one always does.

    `analyzer` is that of the system, by which words are the same or not; without one, as for dense vectors, stems are compared.

    >>> case = Case("q1", "", "site outage", "d1", 1, {"d1": 1}, inf, [], 10, "Downtime.", "Downtime.")
    >>> cause_of(case, {"d1": "Downtime."}, compare=lambda query, by, doc_id: None).name
    'vocabulary gap'
    """
    if not case.text.strip():
        return Cause(
            MISSING, f"{case.doc_id} {'has no text' if case.doc_id in corpus else 'is not in the corpus'}"
        )
    if is_cut_off(case):
        return Cause(BUDGET, _cut_off(case))
    if other := unjudged_with_quote(case.quote, case.above[: case.k], case.grades, corpus):
        rank = case.above.index(other) + 1
        return Cause(LABEL, f"{other}, at rank {rank} and not judged, holds the quoted words too", other)
    analyzer = analyzer or plain_stemmed
    if is_lost_in_chunking(case, analyzer):
        return Cause(CUT, _lost(case, analyzer))
    if case.rank == inf or is_said_otherwise(case.query, case.passage, analyzer):
        return Cause(WORDS, _said_otherwise(case, analyzer))
    return _outweighed(case, compare, analyzer)


def only_relevant(above: Sequence[str], grades: Mapping[str, int]) -> bool:
    """Whether every document above is relevant itself.

    >>> only_relevant(["d1", "d2"], {"d1": 2, "d2": 1}), only_relevant(["d1", "d9"], {"d1": 2})
    (True, False)
    """
    return all(grades.get(doc_id, 0) > 0 for doc_id in above)


def is_cut_off(case: Case) -> bool:
    """Whether a limit alone is to blame: it was ranked as well as can be asked, and k or the tokens ran out."""
    if case.rank <= case.k:
        return case.tokens <= case.room
    return case.rank < inf and only_relevant(case.above, case.grades)


def unjudged_with_quote(
    quote: str, above: Sequence[str], grades: Mapping[str, int], corpus: Corpus
) -> str | None:
    """The first document above that nobody judged and that holds the quoted words, in any case and punctuation.

    >>> unjudged_with_quote("Run `slip rollback`.", ["d1", "d2"], {"d1": 0}, {"d1": "", "d2": "To undo, run slip rollback!"})
    'd2'
    """
    wanted = f" {' '.join(plain(quote))} "
    unjudged = [doc_id for doc_id in above if doc_id not in grades]
    return next(
        (
            doc_id
            for doc_id in unjudged
            if wanted.strip() and wanted in f" {' '.join(plain(corpus[doc_id]))} "
        ),
        None,
    )


def is_lost_in_chunking(case: Case, analyzer: Analyzer = plain_stemmed) -> bool:
    """Whether the cut is to blame: it lost what was to be found, or parted it or the query's words from the chunk that was found.

    Parted words count where the whole document is within k and has enough of the query's content words, more than its best chunk.
    Found whole by words without content, or by no other words than the chunk has, it was not lost by being cut.
    """
    if (
        case.lost or case.rank <= case.k
    ):  # found, and not cut off by the budget: found by another chunk than the one that answers
        return True
    within = case.whole_rank is not None and case.whole_rank <= case.k
    return within and not is_said_otherwise(case.query, case.text, analyzer) and bool(_parted(case, analyzer))


def is_said_otherwise(query: str, passage: str, analyzer: Analyzer = plain_stemmed) -> bool:
    """Whether the passage has fewer than half of the query's content words; function words are none, the analyzer says which are one.

    >>> is_said_otherwise("why the outage?", "The downtime of May"), is_said_otherwise("why the outage?", "Outages of May")
    (True, False)
    >>> is_said_otherwise("why the outage?", "Outages of May", plain)
    True
    """
    asked = content_words(query)
    return not asked or len(shared_words(query, passage, analyzer)) < HALF * len(asked)


def why_outweighed(difference: pd.DataFrame) -> tuple[str, str]:
    """Which way the other document wins, and the term that decides, from `why_above(other, this)`.

    "off-topic": it has a word that this one lacks. "longer": it has the word more often, being longer; "more repetitive": at no
    greater length. "shorter": no more often, but a word counts for more in a shorter text. "tied": no term favours it.
    """
    term, row = difference.index[0], difference.iloc[0]
    longer = difference.attrs["dl"][0] > difference.attrs["dl"][1]
    if row["difference"] <= 0:
        return "tied", term
    if row["tf b"] == 0:
        return "off-topic", term
    if row["tf a"] > row["tf b"]:
        return ("longer" if longer else "more repetitive"), term
    return "shorter", term


def _cut_off(case: Case) -> str:
    if case.rank <= case.k:
        return f"at rank {case.rank:.0f}, but it takes {case.tokens:,} tokens of context, and {case.budget:,} are allowed"
    return f"all {len(case.above)} documents above it are relevant, and k is {case.k}"


def _lost(case: Case, analyzer: Analyzer) -> str:
    if case.lost:
        return f"{'the quote' if case.quote else 'the document'} is not in the chunks of {case.doc_id}"
    if case.rank <= case.k:
        reached = "is not found" if case.tokens == inf else f"comes after {case.tokens:,} tokens"
        return f"at rank {case.rank:.0f} by another chunk; the one that answers {reached}"
    parted = (
        f"its best chunk lacks {listed(_parted(case, analyzer))}, found in its other chunks"
        if case.piece
        else "no chunk of it is found"
    )
    return f"{parted}; whole, {case.doc_id} is at rank {case.whole_rank:.0f}"


def _parted(case: Case, analyzer: Analyzer) -> list[str]:
    """The query's content words that the document has and its best chunk lacks."""
    there = shared_words(case.query, case.piece, analyzer)
    return [word for word in shared_words(case.query, case.text, analyzer) if word not in there]


def _said_otherwise(case: Case, analyzer: Analyzer) -> str:
    where = "the paragraph that answers" if case.quote else "the document"
    asked, shared = list(content_words(case.query).values()), shared_words(case.query, case.passage, analyzer)
    otherwise = [word for word in shared_words(case.query, case.passage) if word not in shared]
    if not asked:
        return "the query has no content word"
    if len(shared) >= HALF * len(asked):  # and yet not retrieved
        return f"{where} shares {as_there(shared, case.passage)}, but the system gives that no weight"
    has = f"only {as_there(shared, case.passage)}" if shared else "none"
    of = (
        f"of the query's {len(asked)} content words"
        if shared
        else f"of the query's content words {listed(asked)}"
    )
    endings = f"; it has {as_there(otherwise, case.passage)}, to the system another word" if otherwise else ""
    return f"{where} has {has} {of}{endings}"


def _outweighed(case: Case, compare: Compare, analyzer: Analyzer) -> Cause:
    by = next(doc_id for doc_id in case.above if case.grades.get(doc_id, 0) < 1)
    judged = "judged not relevant" if by in case.grades else "not judged"
    where = "the paragraph that answers" if case.quote else "the document"
    shared = as_there(shared_words(case.query, case.passage, analyzer), case.passage)
    start = f"{where} shares {shared}, but {by}, at rank {case.above.index(by) + 1} and {judged},"
    difference = compare(case.query, by, case.doc_id)
    if difference is None:
        return Cause(OUTWEIGHED, f"{start} stands above it", by)
    kind, term = why_outweighed(difference)
    row, lengths, word = difference.loc[term], difference.attrs["dl"], word_of(term, case.query)
    counts = f"has {word!r} {row['tf a']:.0f} times in {lengths[0]} terms, {case.doc_id} {row['tf b']:.0f} in {lengths[1]}"
    reason = {
        "off-topic": _which_lacks(case, word, term, analyzer),
        "longer": f"is longer: it {counts}",
        "more repetitive": f"is more repetitive: it {counts}",
        "shorter": f"is shorter: in {lengths[0]} terms {word!r} counts for more than in {lengths[1]}",
        "tied": "has the same score, and of equal ones the higher doc_id goes first",
    }[kind]
    return Cause(OUTWEIGHED, f"{start} {reason}", by, tuple(difference.index[difference["difference"] > 0]))


def _which_lacks(case: Case, word: str, term: str, analyzer: Analyzer) -> str:
    """In what way a document lacks a word by which another leads: by the cut, by the ending, or altogether."""
    if term in analyzer(case.text):
        return f"has {word!r}, which {case.doc_id} has only in other chunks"
    forms = content_words(case.text)
    if stem(word) in forms:
        return f"has {word!r} itself, which {case.doc_id} has in another form ({forms[stem(word)]!r})"
    what = f"{word!r}, a word without content," if word in FUNCTION_WORDS else f"{word!r},"
    return f"leads by {what} which {case.doc_id} lacks"
