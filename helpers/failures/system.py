"""A retrieval system as one value: how documents are cut and which retriever is built, so that it can be built once more.

Whoever asks why a document was missed must be able to change one thing and search again: another cut, one more document.
Cutting itself is done in `chunking`, retrieving in `retrieval`; why a document was missed is asked in `causes`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import inf
from typing import Protocol

import numpy as np
import pandas as pd
from tiktoken import Encoding

from helpers import tokens
from helpers.checks import check_k
from helpers.chunking import chunk_corpus, to_corpus, to_documents, token_offsets
from helpers.failures.ledger import why_above
from helpers.rankings import ranking
from helpers.records import Chunk, Corpus, Qrels, Queries, Run
from helpers.retrieval import CsrBM25, RankBM25

DEPTH = 1000
"""To this rank a document is looked for at once; where it is not among so many, the whole ranking is asked for."""


class Retriever(Protocol):
    """Anything that ranks the texts it was built on: `{query_id: [(id, score), ...]}`, best first, at most k for each."""

    def search(self, queries: Queries, k: int) -> Run: ...


@dataclass(frozen=True)
class System:
    r"""A name, a retriever for any corpus, and a way to cut documents (None: they are searched whole).

    `build` makes a retriever of `{id: text}`, `chunker` chunks of a text, as in `chunk_lab`. To fix settings of either, pass
    a `functools.partial` or a lambda.

    >>> from helpers.chunking import chunk_paragraphs
    >>> from helpers.retrieval import CsrBM25
    >>> index = System("BM25 over paragraphs", CsrBM25, chunk_paragraphs).index({"d1": "A cat.\n\nA dog.", "d2": "A bird."})
    >>> index.search({"q1": "dogs"}, k=10)["q1"][0][0], index.piece("dogs", "d1")
    ('d1', 'd1#1')
    """

    name: str
    build: Callable[[Corpus], Retriever]
    chunker: Callable[[str], list[Chunk]] | None = None

    def index(self, corpus: Corpus) -> "Index":
        """The system over these documents. Raises ValueError where none of them gives a chunk, and whatever `build` raises."""
        chunks = None if self.chunker is None else chunk_corpus(corpus, self.chunker)
        if chunks == [] and corpus:
            raise ValueError(f"system {self.name!r}: none of the {len(corpus)} documents gives a chunk; have they any text?")
        retriever = self.build(corpus if chunks is None else to_corpus(chunks))
        if not callable(getattr(retriever, "search", None)):
            raise ValueError(
                f"system {self.name!r}: build gave a {type(retriever).__name__}; needed a retriever with search(queries, k)"
            )
        return Index(self.name, corpus, retriever, chunks)

    def whole(self) -> "System":
        """The same retriever over whole documents."""
        return replace(self, name=f"{self.name}, whole documents", chunker=None)


@dataclass
class Index:
    """A system over one corpus. It answers with documents; a document that is cut stands where its best chunk stands."""

    name: str
    corpus: Corpus
    retriever: Retriever
    chunks: list[Chunk] | None
    _best: tuple[str, dict[str, str]] = field(default=("", {}), repr=False)

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}`, k documents at most for each query, however many chunks that takes."""
        check_k(k)
        if self.chunks is None:
            return self.retriever.search(queries, k)
        depth, run, short = 0, {}, dict(queries)
        while short and depth < len(self.chunks):
            depth = min(4 * max(depth, k), len(self.chunks))
            run |= self.retriever.search(short, depth)
            short = {query_id: short[query_id] for query_id in short if _wants_more(run.get(query_id, []), depth, k)}
        return {query_id: results[:k] for query_id, results in to_documents(run).items()}

    def pieces(self, queries: Queries) -> dict[str, list[Chunk]]:
        """For each query all that the retriever finds, best first, as chunks: what a context is filled with."""
        if self.chunks is None:
            known = {doc_id: Chunk(doc_id, 0, text, 0, len(text)) for doc_id, text in self.corpus.items()}
        else:
            known = {chunk.chunk_id: chunk for chunk in self.chunks}
        run = self.retriever.search(queries, len(known))
        return {query_id: [known[piece] for piece, _ in run.get(query_id, [])] for query_id in queries}

    def piece(self, query: str, doc_id: str) -> str | None:
        """The id under which the retriever knows the document: that of its chunk which is best for the query, or its own.

        None where the query finds none of its chunks, or the corpus lacks the document.
        """
        if self.chunks is None:
            return doc_id if doc_id in self.corpus else None
        if self._best[0] != query:  # questions about one query come one after another
            results = self.retriever.search({"": query}, len(self.chunks)).get("", [])
            best: dict[str, str] = {}
            for chunk_id, _ in results:
                best.setdefault(chunk_id.rpartition("#")[0], chunk_id)
            self._best = (query, best)
        return self._best[1].get(doc_id)


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
        return why_above(self.index.retriever, query, self.index.piece(query, by), self.index.piece(query, doc_id))

    def rankings(self, run: Run, queries: Queries, qrels: Qrels, checked: bool) -> dict[str, list[str]]:
        """The ranking of each judged query, whole where a relevant document is not in the run.

        Raises ValueError, where a run is to be checked, for one that is not the beginning of the system's own.
        """
        rankings = {}
        for query_id, grades in qrels.items():
            ranked, relevant = (
                ranking(query_id, run.get(query_id, [])),
                {d for d, grade in grades.items() if grade > 0 and d in self.index.corpus},
            )
            if len(ranked) < len(self.index.corpus) and not relevant <= set(ranked):
                found = self.index.search({query_id: queries[query_id]}, len(self.index.corpus))
                given, ranked = ranked, ranking(query_id, found.get(query_id, []))
                if checked and ranked[: len(given)] != given:
                    raise ValueError(
                        f"run, query {query_id!r}: system {self.system.name!r} ranks otherwise; give its own run, or none"
                    )
            rankings[query_id] = ranked
        return rankings

    def ranks(self, index: Index, asked: Sequence[tuple[str, str]]) -> list[float]:
        """For each pair of a query and a doc_id the document's rank, inf where the index does not retrieve it."""
        found = _ranks(index, asked, min(DEPTH, len(index.corpus)))
        deeper = [i for i, rank in enumerate(found) if rank == inf]
        for start in range(0, len(deeper), 16) if len(index.corpus) > DEPTH else ():  # whole rankings take room
            some = deeper[start : start + 16]
            for i, rank in zip(some, _ranks(index, [asked[i] for i in some], len(index.corpus)), strict=True):
                found[i] = rank
        return found

    def context(
        self, index: Index, asked: Sequence[tuple[str, str, tuple[int, int] | None]]
    ) -> list[tuple[float | None, float | None]]:
        """For each (query, doc_id, span) `tokens_needed` and `tokens_of_first`, in the order retrieved; None without a budget."""
        if self.budget is None:
            return [(None, None)] * len(asked)
        ranked = index.pieces({query: query for query, _, _ in asked})
        room = {query: tokens_of_first(pieces, self.k, self.encoding) for query, pieces in ranked.items()}
        return [(tokens_needed(ranked[query], doc_id, span, self.encoding), room[query]) for query, doc_id, span in asked]

    def holds(self, rank: float, n_tokens: float | None) -> bool:
        """Whether a document of this rank, which takes so many tokens, is within the limits."""
        return rank <= self.k and (n_tokens is None or n_tokens <= self.budget)


def tokens_needed(ranked: Sequence[Chunk], doc_id: str, span: tuple[int, int] | None, encoding: Encoding) -> float:
    """How many tokens of context it takes, pieces in the order given, until all of a span of a document is in it.

    `span` is (start, end) in characters of the document, None for the first of its pieces. inf where the pieces do not hold it.

    >>> from helpers.tokens import load_stand_in
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


def _wants_more(results: list[tuple[str, float]], depth: int, k: int) -> bool:
    return len(results) == depth and len({chunk_id.rpartition("#")[0] for chunk_id, _ in results}) < k


def tokens_of_first(ranked: Sequence[Chunk], k: int, encoding: Encoding) -> int:
    """How many tokens the pieces have that come before those of document k + 1.

    >>> from helpers.tokens import load_stand_in
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
    places = {query: {doc_id: rank for rank, doc_id in enumerate(ranking(query, results), 1)} for query, results in run.items()}
    return [places.get(query, {}).get(doc_id, inf) for query, doc_id in asked]
