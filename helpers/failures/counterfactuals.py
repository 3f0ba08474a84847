"""The test of a cause: change the one thing it blames, search again, see whether the document is back.

All misses of one cause are searched together, and another index is built at most twice: over whole documents,
and with the documents that the corpus lacks.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, log

from helpers.failures.causes import BUDGET, CUT, LABEL, MISSING, OUTDATED, OUTWEIGHED, WORDS, Case, Cause
from helpers.failures.rewordings import reword
from helpers.failures.search_setup import SearchSetup
from helpers.failures.system import Index
from helpers.text import Analyzer, content_terms, content_words, plain, query_word, quoted, stem

AT_MOST = 3
"""How many words are put into a query, or taken out of it, before they are no longer to blame."""
Change = tuple[str, str]
"""What was done to a query, in words, and the query after it."""


@dataclass(frozen=True)
class Trial:
    """What was changed, the rank after it (inf: not retrieved), and whether that is within the limits."""

    change: str
    rank: float
    back: bool


def try_out(cases: Sequence[Case], causes: Sequence[Cause], setup: SearchSetup) -> list[Trial]:
    """One trial for each miss, by its cause; what happened, whether or not the document came back."""
    trials: dict[int, Trial] = {}
    for name, trial in TRIALS.items():
        chosen = [i for i, cause in enumerate(causes) if cause.name == name]
        if chosen:
            tried = trial([cases[i] for i in chosen], [causes[i] for i in chosen], setup)
            trials |= dict(zip(chosen, tried, strict=True))
    return [trials[i] for i in range(len(cases))]


def telling_words(quote: str, text: str, query: str, df: Counter, n_documents: int) -> list[str]:
    """The words of a quote that a query lacks, most telling of its document first: by tf in it · ln(n / df).

    tf and df are those of stems. Words that no other document has come last: they would bring this one back
    whatever it says. Numbers and words of one or two letters are left out.

    >>> df = Counter(downtim=2, fridai=2, end=4, bai=1)
    >>> quote = "Friday's downtime in bay 7 ended"
    >>> telling_words(quote, f"Downtime: {quote}.", "outage", df, n_documents=4)
    ['downtime', 'friday', 'ended', 'bay']
    """
    tf, in_query = Counter(stem(word) for word in plain(text)), set(plain(query))
    stems = {
        word: term
        for term, word in content_words(quote).items()
        if word not in in_query and word.isalpha() and len(word) > 2
    }

    def order(word: str) -> tuple[bool, float, str]:
        term = stems[word]
        return df[term] < 2, -tf[term] * log(n_documents / df[term]), word

    return sorted(stems, key=order)


def without_term(query: str, term: str, analyzer: Analyzer) -> str:
    """The query without the words of which the analyzer makes this term.

    >>> without_term("Restart checkout-api, then the API", "api", plain)
    'Restart checkout-, then the'
    """
    kept = []
    for piece in query.split():
        # Of several words joined by signs only the one in question goes.
        if analyzer(piece) != [term] and term in analyzer(piece):
            piece = re.sub(r"\w+", lambda word: "" if analyzer(word[0]) == [term] else word[0], piece)
        if term not in analyzer(piece):
            kept.append(piece)
    return " ".join(kept)


def _index_what_is_missing(cases: Sequence[Case], causes: Sequence[Cause], setup: SearchSetup) -> list[Trial]:
    """All missing documents at once, each of its quotes or, without any, of the queries' own words."""
    texts: dict[str, dict[str, None]] = {}
    for case in cases:
        texts.setdefault(case.doc_id, {})[case.quote or case.query] = None
    added = {doc_id: "\n\n".join(parts) for doc_id, parts in texts.items()}
    sources = ["the quote" if case.quote else "the words of the query" for case in cases]
    changes = [f"{case.doc_id} indexed, made of {of}" for case, of in zip(cases, sources, strict=True)]
    return _tried(setup, setup.system.index(setup.index.corpus | added), cases, changes)


def _raise_the_limits(cases: Sequence[Case], causes: Sequence[Cause], setup: SearchSetup) -> list[Trial]:
    """k, the budget or both, to what it takes and no further."""
    trials = []
    for case in cases:
        k, budget, changes = max(case.k, int(case.rank)), case.budget, []
        if k > case.k:
            changes.append(f"k raised from {case.k} to {k}")
        if budget is not None and budget < case.tokens < inf:
            budget = int(case.tokens)
            changes.append(f"the budget raised from {case.budget:,} to {budget:,} tokens")
        raised = replace(setup, k=k, budget=budget)
        trials += _tried(raised, setup.index, [case], [" and ".join(changes)])
    return trials


def _count_the_unjudged(cases: Sequence[Case], causes: Sequence[Cause], setup: SearchSetup) -> list[Trial]:
    """The document with the quoted words counts as relevant: is the answer within the limits after all?"""
    stand_ins = [replace(case, doc_id=cause.by, span=None) for case, cause in zip(cases, causes, strict=True)]
    return _tried(setup, setup.index, stand_ins, [f"{cause.by} counted as relevant" for cause in causes])


def _without_the_outdated(cases: Sequence[Case], causes: Sequence[Cause], setup: SearchSetup) -> list[Trial]:
    """The same search, without the documents that answer the query with what is out of date."""
    trials = []
    for case in cases:
        left = {doc_id: text for doc_id, text in setup.index.corpus.items() if doc_id not in case.superseded}
        change = f"without {', '.join(case.superseded)}"
        trials += _tried(setup, setup.system.index(left), [case], [change])
    return trials


def _index_whole(cases: Sequence[Case], causes: Sequence[Cause], setup: SearchSetup) -> list[Trial]:
    return _tried(setup, setup.whole, cases, ["whole documents indexed"] * len(cases))


def _put_words_in(cases: Sequence[Case], causes: Sequence[Cause], setup: SearchSetup) -> list[Trial]:
    """Words exchanged for the page's where they were written down; else its most telling words added.

    Adding is the weakest of the tests: with three telling words of its own nearly any document comes back,
    relevant or not. It shows that words alone would do; only a reader can say whether somebody would have
    used these.
    """
    corpus = setup.index.corpus
    df = Counter(term for text in corpus.values() for term in content_terms(text))
    ways = [[_exchanged(case)] if case.swaps else _added(case, df, len(corpus)) for case in cases]
    return _step_by_step(cases, ways, "no word to put in: the query has all that are telling", setup)


def _exchanged(case: Case) -> Change:
    words = ", ".join(f"{old!r} exchanged for {new!r}" for old, new in case.swaps.items())
    return words, reword(case.query, case.swaps)


def _added(case: Case, df: Counter, n_documents: int) -> list[Change]:
    words = telling_words(case.quote or case.text, case.text, case.query, df, n_documents)
    if case.rank == inf:  # another form of a word that the query has is the first to try
        words.sort(key=lambda word: stem(word) not in content_terms(case.query))
    firsts = [words[:n] for n in range(1, min(len(words), AT_MOST) + 1)]
    return [(f"{quoted(first)} put into the query", " ".join([case.query, *first])) for first in firsts]


def _take_words_out(cases: Sequence[Case], causes: Sequence[Cause], setup: SearchSetup) -> list[Trial]:
    """The terms by which the other document leads taken out one by one, while a content word is left.

    A test of little power too: what is left of the query is another query, and pages that answer nothing rise
    with it.
    """
    if any(cause.terms is None for cause in causes):
        words = "no term to remove: this retriever does not explain its scores"
        return [Trial(words, case.rank, False) for case in cases]
    analyzer = setup.index.retriever.analyzer
    ways = [
        _shortened(case.query, cause.terms[:AT_MOST], analyzer)
        for case, cause in zip(cases, causes, strict=True)
    ]
    return _step_by_step(cases, ways, "no term to remove: no content word would be left", setup)


def _shortened(query: str, terms: Sequence[str], analyzer: Analyzer) -> list[Change]:
    """The query without the first term, without the first two, and so on, each with words that say so."""
    changes, left, removed = [], query, []
    for term in terms:
        left = without_term(left, term, analyzer)
        if not content_terms(left):
            break
        removed.append(query_word(term, query))
        changes.append((f"{quoted(removed)} taken out of the query, which leaves {left!r}", left))
    return changes


TRIALS: dict[str, Callable[[Sequence[Case], Sequence[Cause], SearchSetup], list[Trial]]] = {
    MISSING: _index_what_is_missing,
    BUDGET: _raise_the_limits,
    LABEL: _count_the_unjudged,
    OUTDATED: _without_the_outdated,
    CUT: _index_whole,
    WORDS: _put_words_in,
    OUTWEIGHED: _take_words_out,
}


def _tried(
    setup: SearchSetup,
    index: Index,
    cases: Sequence[Case],
    changes: Sequence[str],
    queries: Sequence[str] = (),
) -> list[Trial]:
    """The cases' documents looked for in an index, with their own queries or with these."""
    queries = queries or [case.query for case in cases]
    wanted = [(query, case.doc_id, case.span) for query, case in zip(queries, cases, strict=True)]
    ranks = setup.ranks(index, [(query, doc_id) for query, doc_id, _ in wanted])
    needed = [n_tokens for n_tokens, _ in setup.context(index, wanted)]
    return [
        Trial(change, rank, setup.holds(rank, n_tokens))
        for change, rank, n_tokens in zip(changes, ranks, needed, strict=True)
    ]


def _step_by_step(
    cases: Sequence[Case], ways: list[list[Change]], nothing: str, setup: SearchSetup
) -> list[Trial]:
    """Each case's changed queries in turn until it is back; one step of all cases is searched at once."""
    trials = [Trial(nothing, case.rank, False) for case in cases]
    for step in range(max(map(len, ways), default=0)):
        left = [i for i, way in enumerate(ways) if step < len(way) and not trials[i].back]
        changes, queries = [ways[i][step][0] for i in left], [ways[i][step][1] for i in left]
        tried = _tried(setup, setup.index, [cases[i] for i in left], changes, queries)
        for i, trial in zip(left, tried, strict=True):
            trials[i] = trial
    return trials
