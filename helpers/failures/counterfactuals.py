"""The test of a cause: change the one thing that it blames, search again, and see whether the document comes back.

Which cause a miss has is settled in `causes`; here nothing is decided, only tried. All misses of one cause are searched together,
and another index is built at most twice: over whole documents, and with the documents that the corpus lacks.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, log

from helpers.failures.bench import Bench
from helpers.failures.case import Case
from helpers.failures.causes import CAUSES, Cause
from helpers.failures.rewordings import reword
from helpers.failures.system import Index
from helpers.text import Analyzer, content_terms, content_words, listed, plain, stem, word_of

AT_MOST = 3
"""How many words are put into a query, or taken out of it, before they are no longer to blame."""


@dataclass(frozen=True)
class Trial:
    """What was changed, the document's rank after it (inf: not retrieved), and whether it is back within the limits."""

    change: str
    rank: float
    back: bool


def try_out(cases: Sequence[Case], causes: Sequence[Cause], bench: Bench) -> list[Trial]:
    """One trial for each miss, by its cause; what happened, whether or not the document came back."""
    trials: dict[int, Trial] = {}
    for name, trial in TRIALS.items():
        chosen = [i for i, cause in enumerate(causes) if cause.name == name]
        if chosen:
            tried = trial([cases[i] for i in chosen], [causes[i] for i in chosen], bench)
            trials |= dict(zip(chosen, tried, strict=True))
    return [trials[i] for i in range(len(cases))]


def telling_words(quote: str, text: str, query: str, df: Counter, n_documents: int) -> list[str]:
    """The words of a quote that a query lacks, those most telling of its document first: by tf in the document · ln(n / df).

    tf and df are those of stems. Words that no other document has come last: they would bring this one back whatever it says.
    Numbers and words of one or two letters are left out.

    >>> df = Counter(downtim=2, fridai=2, end=4, bai=1)
    >>> quote = "Friday's downtime in bay 7 ended"
    >>> telling_words(quote, f"Downtime: {quote}.", "outage", df, n_documents=4)
    ['downtime', 'friday', 'ended', 'bay']
    """
    tf, asked = Counter(stem(word) for word in plain(text)), set(plain(query))
    words = {
        word: term
        for term, word in content_words(quote).items()
        if word not in asked and word.isalpha() and len(word) > 2
    }
    return sorted(
        words,
        key=lambda word: (df[words[word]] < 2, -tf[words[word]] * log(n_documents / df[words[word]]), word),
    )


def without_term(query: str, term: str, analyzer: Analyzer) -> str:
    """The query without the words of which the analyzer makes this term.

    >>> without_term("Restart checkout-api, then the API", "api", plain)
    'Restart checkout-, then the'
    """
    kept = []
    for piece in query.split():
        if analyzer(piece) != [term] and term in analyzer(piece):
            piece = re.sub(r"\w+", lambda word: "" if analyzer(word[0]) == [term] else word[0], piece)
        if term not in analyzer(piece):
            kept.append(piece)
    return " ".join(kept)


def _index_what_is_missing(cases: Sequence[Case], causes: Sequence[Cause], bench: Bench) -> list[Trial]:
    """All missing documents at once, each of its quotes or, without any, of the queries' own words."""
    texts: dict[str, dict[str, None]] = {}
    for case in cases:
        texts.setdefault(case.doc_id, {})[case.quote or case.query] = None
    added = {doc_id: "\n\n".join(parts) for doc_id, parts in texts.items()}
    index = bench.system.index(bench.index.corpus | added)
    changes = [
        f"{case.doc_id} indexed, made of {'the quote' if case.quote else 'the words of the query'}"
        for case in cases
    ]
    return _tried(bench, index, cases, [case.query for case in cases], changes)


def _raise_the_limits(cases: Sequence[Case], causes: Sequence[Cause], bench: Bench) -> list[Trial]:
    """k, the budget or both, to what it takes and no further."""
    trials = []
    for case in cases:
        k, budget = max(case.k, int(case.rank)), case.budget
        if budget is not None and case.tokens < inf:
            budget = max(budget, int(case.tokens))
        changes = [f"k raised from {case.k} to {k}"] if k > case.k else []
        changes += (
            [f"the budget raised from {case.budget:,} to {budget:,} tokens"] if budget != case.budget else []
        )
        raised = replace(bench, k=k, budget=budget)
        trials += _tried(raised, bench.index, [case], [case.query], [" and ".join(changes)])
    return trials


def _count_the_unjudged(cases: Sequence[Case], causes: Sequence[Cause], bench: Bench) -> list[Trial]:
    """The document that holds the quoted words counts as relevant: is the answer within the limits after all?"""
    changes = [f"{cause.by} counted as relevant" for cause in causes]
    stand_ins = [replace(case, doc_id=cause.by, span=None) for case, cause in zip(cases, causes, strict=True)]
    return _tried(bench, bench.index, stand_ins, [case.query for case in cases], changes)


def _index_whole(cases: Sequence[Case], causes: Sequence[Cause], bench: Bench) -> list[Trial]:
    return _tried(
        bench, bench.whole, cases, [case.query for case in cases], ["whole documents indexed"] * len(cases)
    )


def _put_words_in(cases: Sequence[Case], causes: Sequence[Cause], bench: Bench) -> list[Trial]:
    """Words exchanged for the page's where somebody wrote down which; else its most telling words added, one more each time.

    Adding is the weakest of the tests: with three telling words of its own nearly any document comes back, relevant or not. It shows
    that words alone would do; only a reader can say whether somebody would have used these.
    """
    df = Counter(term for text in bench.index.corpus.values() for term in content_terms(text))
    ways = [[_exchanged(case)] if case.swaps else _added(case, df, len(bench.index.corpus)) for case in cases]
    return _step_by_step(cases, ways, "no word to put in: the query has all that are telling", bench)


def _exchanged(case: Case) -> tuple[str, str]:
    words = ", ".join(f"{old!r} exchanged for {new!r}" for old, new in case.swaps.items())
    return words, reword(case.query, case.swaps)


def _added(case: Case, df: Counter, n_documents: int) -> list[tuple[str, str]]:
    words = telling_words(case.quote or case.text, case.text, case.query, df, n_documents)
    if case.rank == inf:  # another form of a word that the query has is the first to try
        words.sort(key=lambda word: stem(word) not in content_terms(case.query))
    words = words[:AT_MOST]
    return [
        (f"{listed(words[:n])} put into the query", f"{case.query} {' '.join(words[:n])}")
        for n in _upto(words)
    ]


def _take_words_out(cases: Sequence[Case], causes: Sequence[Cause], bench: Bench) -> list[Trial]:
    """The terms by which the other document leads taken out of the query, one more each time, while a content word is left.

    A test of little power too: what is left of the query is another query, and pages that answer nothing rise with it.
    """
    if any(cause.terms is None for cause in causes):
        words = "no term to remove: this retriever does not explain its scores"
        return [Trial(words, case.rank, False) for case in cases]
    ways = [
        _shortened(case.query, cause.terms[:AT_MOST], bench.index.retriever.analyzer)
        for case, cause in zip(cases, causes, strict=True)
    ]
    return _step_by_step(cases, ways, "no term to remove: no content word would be left", bench)


def _shortened(query: str, terms: Sequence[str], analyzer: Analyzer) -> list[tuple[str, str]]:
    """The query without the first term, without the first two, and so on, each with words that say so."""
    way, left = [], query
    for n in _upto(terms):
        left = without_term(left, terms[n - 1], analyzer)
        if not content_terms(left):
            break
        way.append(
            (
                f"{listed(word_of(term, query) for term in terms[:n])} taken out of the query, which leaves {left!r}",
                left,
            )
        )
    return way


TRIALS: dict[str, Callable[[Sequence[Case], Sequence[Cause], Bench], list[Trial]]] = dict(
    zip(
        CAUSES,
        (
            _index_what_is_missing,
            _raise_the_limits,
            _count_the_unjudged,
            _index_whole,
            _put_words_in,
            _take_words_out,
        ),
        strict=True,
    )
)


def _tried(
    bench: Bench, index: Index, cases: Sequence[Case], queries: Sequence[str], changes: Sequence[str]
) -> list[Trial]:
    """The cases' documents asked for with these queries."""
    ranks = bench.ranks(index, [(query, case.doc_id) for query, case in zip(queries, cases, strict=True)])
    contexts = bench.context(
        index, [(query, case.doc_id, case.span) for query, case in zip(queries, cases, strict=True)]
    )
    return [
        Trial(change, rank, bench.holds(rank, n))
        for change, rank, (n, _) in zip(changes, ranks, contexts, strict=True)
    ]


def _step_by_step(
    cases: Sequence[Case], ways: list[list[tuple[str, str]]], nothing: str, bench: Bench
) -> list[Trial]:
    """Each case's changed queries in turn until it is back; the first of all cases are searched together, then the second."""
    trials = [Trial(nothing, case.rank, False) for case in cases]
    for step in range(max(map(len, ways), default=0)):
        left = [i for i, way in enumerate(ways) if step < len(way) and not trials[i].back]
        changes, queries = [ways[i][step][0] for i in left], [ways[i][step][1] for i in left]
        for i, trial in zip(
            left, _tried(bench, bench.index, [cases[i] for i in left], queries, changes), strict=True
        ):
            trials[i] = trial
    return trials


def _upto(words: Sequence[str]) -> range:
    return range(1, len(words) + 1)
