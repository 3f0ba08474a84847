"""The set-up in which causes are tried out: a system, its index, and the limits for what counts as found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf

import numpy as np
from tiktoken import Encoding

from helpers.failures.system import Index, System, in_order
from helpers.records import Chunk, Qrels, Queries, Run
from helpers.text import token_offsets, tokens

_DEPTH = 1000
"""To this rank a document is looked for at first; where it is not among so many, in the whole ranking."""
TOP = 10
"""So many documents a report's nDCG@10 needs, however small k is."""
AT_ONCE = 16
"""Of so many queries whole rankings are held at a time; they take memory."""
Ranked = list[tuple[str, float]]
Span = tuple[int, int]


@dataclass
class SearchSetup:
    """A system, its index, and the limits within which a document is found: a rank, and tokens of context."""

    system: System
    index: Index
    k: int
    budget: int | None = None
    encoding: Encoding | None = None

    @cached_property
    def whole(self) -> Index:
        """The same retriever over whole documents, built when first asked for."""
        return self.system.whole().index(self.index.corpus)

    def run(self, queries: Queries, qrels: Qrels, given: Run | None) -> Run:
        """The system's run over documents: searched for, or the given one, completed where it is too short.

        A query for which the given run lacks a relevant document, or some of the first k (or 10), is searched
        again, to `_DEPTH`. Raises ValueError for a run that is not the system's own among these, or not the
        beginning of what is found again.
        """
        depth = max(self.k, min(_DEPTH, len(self.index.corpus)))
        if given is None:
            return self.index.search(queries, depth)
        first = self.index.search(queries, max(self.k, TOP))
        run = {query_id: in_order(query_id, given[query_id]) for query_id in queries if query_id in given}
        short = {
            query_id: text
            for query_id, text in queries.items()
            if len(run.get(query_id, [])) < len(first.get(query_id, []))
            or self._lacks_relevant(run.get(query_id, []), qrels[query_id])
        }
        found = first | self.index.search(short, depth)
        for query_id, results in run.items():
            self._check_same(query_id, results, found.get(query_id, []))
        return {q: found.get(q, []) if q in short else run[q] for q in queries if q in found or q in run}

    def rankings(self, run: Run, queries: Queries, qrels: Qrels) -> dict[str, list[str]]:
        """The ranking of each judged query, whole where a relevant document is not in the run."""
        n, rankings = len(self.index.corpus), {}
        for query_id, grades in qrels.items():
            results = run.get(query_id, [])
            if len(results) < n and self._lacks_relevant(results, grades):
                results = self.index.search({query_id: queries[query_id]}, n).get(query_id, [])
            rankings[query_id] = [doc_id for doc_id, _ in results]
        return rankings

    def ranks(self, index: Index, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each pair of a query and a doc_id the rank, inf where the index does not retrieve it."""
        # Most are near the top; the few that are not are looked for in whole rankings, some at a time.
        found = _ranks(index, pairs, min(_DEPTH, len(index.corpus)))
        deeper = [i for i, rank in enumerate(found) if rank == inf]
        for start in range(0, len(deeper), AT_ONCE) if len(index.corpus) > _DEPTH else ():
            some = deeper[start : start + AT_ONCE]
            for i, rank in zip(some, _ranks(index, [pairs[i] for i in some], len(index.corpus)), strict=True):
                found[i] = rank
        return found

    def context(
        self, index: Index, wanted: Sequence[tuple[str, str, Span | None]]
    ) -> list[tuple[float | None, float | None]]:
        """For each (query, doc_id, span) `tokens_needed` and `tokens_of_first`; None without a budget."""
        if self.budget is None:
            return [(None, None)] * len(wanted)
        of_query: dict[str, list] = {}
        for one in wanted:
            of_query.setdefault(one[0], []).append(one)
        found, queries = {}, list(of_query)
        for start in range(0, len(queries), AT_ONCE):
            some = {query: query for query in queries[start : start + AT_ONCE]}
            for query, pieces in index.pieces(some).items():
                room = tokens_of_first(pieces, self.k, self.encoding)
                for one in of_query[query]:
                    found[one] = tokens_needed(pieces, *one[1:], self.encoding), room
        return [found[one] for one in wanted]

    def holds(self, rank: float, n_tokens: float | None) -> bool:
        """Whether a document of this rank, which takes so many tokens, is within the limits."""
        return rank <= self.k and (n_tokens is None or n_tokens <= self.budget)

    def _lacks_relevant(self, results: Ranked, grades: Mapping[str, int]) -> bool:
        """Whether a relevant document that could be found is not among the results."""
        relevant = {doc_id for doc_id, grade in grades.items() if grade > 0 and doc_id in self.index.corpus}
        return not relevant <= {doc_id for doc_id, _ in results}

    def _check_same(self, query_id: str, given: Ranked, found: Ranked) -> None:
        """Raises ValueError unless one begins the other; what ends before k is all that the system finds."""
        n = len(given) if len(found) < max(self.k, TOP) else min(len(given), len(found))
        if [doc_id for doc_id, _ in given[:n]] != [doc_id for doc_id, _ in found[:n]]:
            message = f"system {self.system.name!r} ranks otherwise; give its own run, or none"
            raise ValueError(f"run, query {query_id!r}: {message}")


def tokens_needed(ranked: Sequence[Chunk], doc_id: str, span: Span | None, encoding: Encoding) -> float:
    """How many tokens of context it takes, pieces in order, until all of a span of a document is in it.

    `span` is (start, end) in characters of the document, None for the first of its pieces. inf where the
    pieces do not hold it.

    >>> from helpers.text import load_stand_in
    >>> ranked = [Chunk("d1", 0, "one two", 0, 7), Chunk("d2", 0, " three four five", 0, 16)]
    >>> tokens_needed(ranked, "d2", (0, 6), load_stand_in())
    3
    """
    missing, before = np.arange(*(span or (0, 0))), 0
    for chunk in ranked:
        if chunk.doc_id == doc_id:
            if span is None:
                return before + _n_tokens(chunk.text, encoding)
            inside = (chunk.start <= missing) & (missing < chunk.end)
            # The piece that holds all that was still missing is read only up to the last of it.
            if inside.all():
                last = missing.max(initial=chunk.start) - chunk.start
                return before + int(np.searchsorted(token_offsets(chunk.text, encoding), last, side="right"))
            missing = missing[~inside]
        before += _n_tokens(chunk.text, encoding)
    return inf


def tokens_of_first(ranked: Sequence[Chunk], k: int, encoding: Encoding) -> int:
    """How many tokens the pieces have that come before those of document k + 1.

    >>> from helpers.text import load_stand_in
    >>> ranked = [Chunk("d1", 0, "one", 0, 3), Chunk("d1", 1, " two", 3, 7), Chunk("d2", 0, "one", 0, 3)]
    >>> tokens_of_first(ranked, 1, load_stand_in())
    2
    """
    seen, total = set(), 0
    for chunk in ranked:
        seen.add(chunk.doc_id)
        if len(seen) > k:
            break
        total += _n_tokens(chunk.text, encoding)
    return total


def has_lost(chunks: Sequence[Chunk], text: str, span: Span | None) -> bool:
    """Whether a document's chunks lack some of the span (blanks do not count); without a span, are none.

    >>> chunks = [Chunk("d1", 0, "One. ", 0, 5)]
    >>> has_lost(chunks, "One. Two.", (5, 9)), has_lost(chunks, "One. Two.", None)
    (True, False)
    """
    if span is None:
        return not chunks
    return any(not any(c.start <= i < c.end for c in chunks) for i in range(*span) if not text[i].isspace())


@lru_cache(maxsize=1 << 16)
def _n_tokens(text: str, encoding: Encoding) -> int:
    return len(tokens.encode(text, encoding))


def _ranks(index: Index, pairs: Sequence[tuple[str, str]], depth: int) -> list[float]:
    run = index.search({query: query for query, _ in pairs}, depth)
    ranks = {
        query: {doc_id: rank for rank, (doc_id, _) in enumerate(results, 1)} for query, results in run.items()
    }
    return [ranks.get(query, {}).get(doc_id, inf) for query, doc_id in pairs]
