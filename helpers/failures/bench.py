"""What a document must reach to count as found: a rank, and room in a context of so many tokens.

A `Bench` is a system with its index and such limits, on which causes are tried out. The system itself is in `system`; which
relevant documents are not within the limits is asked in `misses`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf

import numpy as np
import pandas as pd
from tiktoken import Encoding

from helpers.failures.system import Index, System, in_order
from helpers.records import Chunk, Qrels, Queries, Run
from helpers.retrieval import CsrBM25, RankBM25, why_above
from helpers.text import token_offsets, tokens

DEPTH = 1000
"""To this rank a document is looked for at once; where it is not among so many, the whole ranking is asked for."""
TOP = 10
"""So many documents a report's nDCG@10 needs, however small k is."""
AT_ONCE = 16
"""Of so many queries whole rankings are held at a time; they take room."""
Ranked = list[tuple[str, float]]


@dataclass
class Bench:
    """A system, its index, and the limits within which a document counts as found; others are built when asked for."""

    system: System
    index: Index
    k: int
    budget: int | None = None
    encoding: Encoding | None = None

    @cached_property
    def whole(self) -> Index:
        """The same retriever over whole documents."""
        return self.system.whole().index(self.index.corpus)

    def compare(self, query: str, by: str, doc_id: str) -> pd.DataFrame | None:
        """Why one document stands above another, on their best pieces; None for a retriever that does not explain its scores."""
        if not isinstance(self.index.retriever, (CsrBM25, RankBM25)):
            return None
        return why_above(
            self.index.retriever, query, self.index.piece(query, by), self.index.piece(query, doc_id)
        )

    def run(self, queries: Queries, qrels: Qrels, given: Run | None) -> Run:
        """The system's run over documents: searched for, or the given one, completed where it is too short.

        A query for which the given run lacks a relevant document, or some of the first k (or 10), is searched again, to `DEPTH`.
        Raises ValueError for a run that is not the system's own among these, or not the beginning of what is found again.
        """
        depth = max(self.k, min(DEPTH, len(self.index.corpus)))
        if given is None:
            return self.index.search(queries, depth)
        first = self.index.search(queries, max(self.k, TOP))
        run = {query_id: in_order(query_id, given[query_id]) for query_id in queries if query_id in given}
        short = {
            q: text
            for q, text in queries.items()
            if self._is_short(run.get(q, []), first.get(q, []), qrels[q])
        }
        found = first | self.index.search(short, depth)
        for query_id, results in run.items():
            self._check_same(query_id, results, found.get(query_id, []))
        return {q: found.get(q, []) if q in short else run[q] for q in queries if q in found or q in run}

    def rankings(self, run: Run, queries: Queries, qrels: Qrels) -> dict[str, list[str]]:
        """The ranking of each judged query, whole where a relevant document is not in the run."""
        rankings = {}
        for query_id, grades in qrels.items():
            ranked = [
                doc_id for doc_id, _ in run.get(query_id, [])
            ]  # in order already, as `Index.search` gives it
            if len(ranked) < len(self.index.corpus) and not self._relevant(grades) <= set(ranked):
                found = self.index.search({query_id: queries[query_id]}, len(self.index.corpus))
                ranked = [doc_id for doc_id, _ in found.get(query_id, [])]
            rankings[query_id] = ranked
        return rankings

    def ranks(self, index: Index, asked: Sequence[tuple[str, str]]) -> list[float]:
        """For each pair of a query and a doc_id the document's rank, inf where the index does not retrieve it."""
        found = _ranks(index, asked, min(DEPTH, len(index.corpus)))
        deeper = [i for i, rank in enumerate(found) if rank == inf]
        for start in range(0, len(deeper), AT_ONCE) if len(index.corpus) > DEPTH else ():
            some = deeper[start : start + AT_ONCE]
            for i, rank in zip(some, _ranks(index, [asked[i] for i in some], len(index.corpus)), strict=True):
                found[i] = rank
        return found

    def context(
        self, index: Index, asked: Sequence[tuple[str, str, tuple[int, int] | None]]
    ) -> list[tuple[float | None, float | None]]:
        """For each (query, doc_id, span) `tokens_needed` and `tokens_of_first`, in the order retrieved; None without a budget."""
        if self.budget is None:
            return [(None, None)] * len(asked)
        wanted: dict[str, list[int]] = {}
        for i, (query, _, _) in enumerate(asked):
            wanted.setdefault(query, []).append(i)
        found, queries = [(None, None)] * len(asked), list(wanted)
        for start in range(0, len(queries), AT_ONCE):
            for query, pieces in index.pieces(
                {query: query for query in queries[start : start + AT_ONCE]}
            ).items():
                room = tokens_of_first(pieces, self.k, self.encoding)
                for i in wanted[query]:
                    found[i] = tokens_needed(pieces, *asked[i][1:], self.encoding), room
        return found

    def holds(self, rank: float, n_tokens: float | None) -> bool:
        """Whether a document of this rank, which takes so many tokens, is within the limits."""
        return rank <= self.k and (n_tokens is None or n_tokens <= self.budget)

    def _relevant(self, grades: Mapping[str, int]) -> set[str]:
        """The relevant documents that could be found."""
        return {doc_id for doc_id, grade in grades.items() if grade > 0 and doc_id in self.index.corpus}

    def _is_short(self, given: Ranked, first: Ranked, grades: Mapping[str, int]) -> bool:
        return len(given) < len(first) or not self._relevant(grades) <= {doc_id for doc_id, _ in given}

    def _check_same(self, query_id: str, given: Ranked, found: Ranked) -> None:
        """Raises ValueError unless one is the beginning of the other; what ends before rank k is all that the system finds."""
        short = len(found) < max(self.k, TOP)
        n = len(given) if short else min(len(given), len(found))
        if [doc_id for doc_id, _ in given[:n]] != [doc_id for doc_id, _ in found[:n]]:
            raise ValueError(
                f"run, query {query_id!r}: system {self.system.name!r} ranks otherwise; give its own run, or none"
            )


def tokens_needed(
    ranked: Sequence[Chunk], doc_id: str, span: tuple[int, int] | None, encoding: Encoding
) -> float:
    """How many tokens of context it takes, pieces in the order given, until all of a span of a document is in it.

    `span` is (start, end) in characters of the document, None for the first of its pieces. inf where the pieces do not hold it.

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


def has_lost(chunks: Sequence[Chunk], text: str, span: tuple[int, int] | None) -> bool:
    """Whether a document's chunks lack some of what is to be found: of the span, or without one all of it; blanks do not count.

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


def _ranks(index: Index, asked: Sequence[tuple[str, str]], depth: int) -> list[float]:
    run = index.search({query: query for query, _ in asked}, depth)
    places = {
        query: {doc_id: rank for rank, (doc_id, _) in enumerate(results, 1)} for query, results in run.items()
    }
    return [places.get(query, {}).get(doc_id, inf) for query, doc_id in asked]
