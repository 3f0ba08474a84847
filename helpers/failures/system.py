"""A retrieval system as one value: how documents are cut and which retriever is built.

To ask why a document was missed is to change one thing and search again: another cut, other words.
"""

import inspect
from array import array
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import pandas as pd

from helpers.base import check_k, check_search, check_type, counted, first_few, never_more, warn
from helpers.evaluation import Results, as_scores, ranking
from helpers.records import Chunk, Corpus, Queries, Retriever, Run
from helpers.retrieval import check_queries, has_terms, to_documents, why_above
from helpers.text import chunk_corpus, to_corpus


@dataclass(frozen=True)
class System:
    r"""A name, a retriever for any corpus, and a way to cut documents (None: they are searched whole).

    `build` makes a retriever of `{id: text}`, or is one that is there already, such as a client of an engine;
    `chunker` makes chunks of a text. To fix settings of either, pass a `functools.partial` or a lambda.

    >>> from helpers.text import chunk_paragraphs
    >>> from helpers.retrieval import CsrBM25
    >>> system = System("BM25 over paragraphs", CsrBM25, chunk_paragraphs)
    >>> index = system.index({"d1": "A cat.\n\nA dog.", "d2": "A bird."})
    >>> index.search({"q1": "dogs"}, k=10)["q1"][0][0], index.piece("dogs", "d1")
    ('d1', 'd1#1')
    """

    name: str
    build: Callable[[Corpus], Retriever]
    chunker: Callable[[str], list[Chunk]] | None = None

    def __post_init__(self):
        check_type("the name of a system", self.name, str, "the order is System(name, build, chunker)")
        if self.is_there and self.chunker is not None:
            what = "a retriever that is there already, and its documents cannot be cut any more"
            raise ValueError(f"system {self.name!r}: build is {what}; give what makes it, or no chunker")
        if not self.is_there and not callable(self.build):
            needed = "needed a retriever with search(queries, k), or what makes one of a corpus, e.g. CsrBM25"
            raise ValueError(f"system {self.name!r}: build is a {type(self.build).__name__}; {needed}")
        if self.chunker is not None and not callable(self.chunker):
            needed = "needed a function that cuts a text, e.g. helpers.text.chunk_paragraphs"
            raise ValueError(f"system {self.name!r}: chunker is {self.chunker!r:.60}; {needed}")

    @property
    def is_there(self) -> bool:
        """Whether `build` is a retriever already, over documents that are not ours to change."""
        return callable(getattr(self.build, "search", None)) and not isinstance(self.build, type)

    def index(self, corpus: Corpus) -> "Index":
        """The system over these documents. Raises ValueError where none gives a chunk, and for a retriever
        whose `search` takes no k."""
        if self.is_there:
            check_search(f"system {self.name!r}", self.build.search)
            return Index(self.name, corpus, self.build, None)
        chunks = None if self.chunker is None else chunk_corpus(corpus, self.chunker)
        if chunks == [] and corpus:
            what = f"none of the {len(corpus)} documents gives a chunk"
            raise ValueError(f"system {self.name!r}: {what}; have they any text?")
        self._check_build()
        retriever = self.build(corpus if chunks is None else to_corpus(chunks))
        if not callable(getattr(retriever, "search", None)):
            what = f"build gave a {type(retriever).__name__}"
            raise ValueError(f"system {self.name!r}: {what}; needed a retriever with search(queries, k)")
        check_search(f"system {self.name!r}", retriever.search)
        return Index(self.name, corpus, retriever, chunks)

    def _check_build(self) -> None:
        """Raises ValueError for a `build` that cannot be called with a corpus, as a search of one query."""
        try:
            signature = inspect.signature(self.build)
        except (TypeError, ValueError):  # of some functions written in C nobody knows
            return
        try:
            signature.bind({})
        except TypeError:
            needed = "needed what makes a retriever of {doc_id: text}, or an object with search(queries, k)"
            cure = "wrap a search of one query at a time in an object whose search asks it for each"
            given = f"system {self.name!r}: build takes {signature}"
            raise ValueError(f"{given}; {needed}; {cure}") from None

    def whole(self) -> "System":
        """The same retriever over whole documents."""
        return replace(self, name=f"{self.name}, whole documents", chunker=None)


@dataclass
class Index:
    """A system over one corpus. It answers with documents; one that is cut has the rank of its best chunk.

    Ids that stand for nothing here keep their ranks, and a warning names some, once.
    """

    name: str
    corpus: Corpus
    retriever: Retriever
    chunks: list[Chunk] | None
    _best: tuple[str, dict[str, str]] = field(default=("", {}), repr=False)
    _has_warned: bool = field(default=False, repr=False)

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}`, k documents for each query, however many chunks that takes.

        Equal scores are in the order of `ranking`, doc_id down, whatever the retriever does with them; of
        those that share rank k too the first in that order are given.
        """
        check_k(k)
        check_queries(queries)
        # Asked on, deeper each time, until there are k documents and a score lower than that of the k-th.
        most, depth = len(self.corpus if self.chunks is None else self.chunks), 0
        run, short = {}, dict(queries)
        while short and depth < most:
            depth = min(4 * depth or (k + 1 if self.chunks is None else 4 * k), most)
            found = self._asked(short, depth)
            if self.chunks is None:
                run |= found
            else:
                folded = to_documents(found)
                run |= {query_id: in_order(query_id, results) for query_id, results in folded.items()}
            short = {
                q: text for q, text in short.items() if _is_short(found.get(q, []), run.get(q, []), depth, k)
            }
        return {query_id: run.get(query_id, [])[:k] for query_id in queries}

    def pieces(self, queries: Queries) -> dict[str, list[Chunk]]:
        """For each query all that the retriever finds, best first, as chunks: what fills a context."""
        check_queries(queries)
        run = self._asked(queries, len(self._chunks_by_id))
        known = self._chunks_by_id
        return {q: [known[piece] for piece, _ in run.get(q, []) if piece in known] for q in queries}

    def _asked(self, queries: Queries, depth: int) -> Run:
        """What the retriever answers, as pairs in the order of `ranking`. Raises ValueError for what is
        no run, and where no id is known here."""
        found = self.retriever.search(queries, depth)
        if not isinstance(found, Mapping):
            needed = "{query_id: [(doc_id, score), ...]}, best first"
            raise ValueError(f"system {self.name!r}: search gave a {type(found).__name__}; needed {needed}")
        found = {query_id: in_order(query_id, results) for query_id, results in found.items()}
        self._check_known(dict.fromkeys(one for results in found.values() for one, _ in results))
        self._warn_of_one_length(found, depth)
        return found

    def _warn_of_one_length(self, found: Run, depth: int) -> None:
        """Warns, once, of a search that gives each of several queries as many results, fewer than were asked
        for, unless it says so by its `depth`."""
        n = max(map(len, found.values()), default=0)
        same = len(set(map(len, found.values()))) == 1
        says_so = n in (0, len(self.corpus), getattr(self.retriever, "depth", None))
        said = never_more([len(results) for results in found.values()], depth)
        if same and said and not says_so and not self._has_warned:
            self._has_warned = True
            warn(f"system {self.name!r}: search gave {said} Where it ranks what is lower nobody can tell")

    def _check_known(self, given: Collection[str]) -> None:
        """Raises ValueError where no id is known here; where only some are, that is said in a warning."""
        known = self.corpus if self.chunks is None else self._chunks_by_id
        unknown = [doc_id for doc_id in given if doc_id not in known]
        if unknown and len(unknown) == len(given) and all(one in self.corpus for one in unknown):
            found = f"search gave ids of documents, e.g. {unknown[0]!r}, where build was given their chunks"
            cure = (
                "use the corpus that build is given; of a search that is there already give System(name, it)"
            )
            raise ValueError(f"system {self.name!r}: {found}; {cure}")
        if unknown and len(unknown) == len(given):
            what = f"no id that search gave is one of the {len(known):,} in the corpus"
            examples = f"e.g. {unknown[0]!r} and {next(iter(known), None)!r}"
            raise ValueError(f"system {self.name!r}: {what}, {examples}; write them alike on both sides")
        if unknown and not self._has_warned:
            self._has_warned = True
            what = f"{len(unknown):,} of {counted(len(given), 'id')} that search gave"
            what += " is no document" if len(unknown) == 1 else " are no documents"
            examples = (
                f"e.g. {first_few(map(repr, unknown), 3)}; the corpus has e.g. {next(iter(known), None)!r}"
            )
            cure = (
                "they keep their ranks, and nobody judged them: write ids alike, or search this corpus only"
            )
            warn(f"system {self.name!r}: {what} of the corpus, {examples}; {cure}")

    @cached_property
    def _chunks_by_id(self) -> dict[str, Chunk]:
        if self.chunks is None:
            return {doc_id: Chunk(doc_id, 0, text, 0, len(text)) for doc_id, text in self.corpus.items()}
        return {chunk.chunk_id: chunk for chunk in self.chunks}

    def piece(self, query: str, doc_id: str) -> str | None:
        """The id by which the retriever knows the document: that of its best chunk for the query, or its own.

        None where the query finds none of its chunks, or the corpus lacks the document.
        """
        if self.chunks is None:
            return doc_id if doc_id in self.corpus else None
        # Questions about one query come one after another: what was found for the last one is kept.
        if self._best[0] != query:
            worst_first = reversed(self.pieces({"": query})[""])
            self._best = (query, {chunk.doc_id: chunk.chunk_id for chunk in worst_first})
        return self._best[1].get(doc_id)

    def why_above(self, query: str, above: str, below: str) -> pd.DataFrame | None:
        """Why one document stands above another, on their best pieces (`helpers.retrieval.why_above`).

        None for a retriever that does not explain its scores by terms, and where one of the two has no piece.
        """
        pieces = self.piece(query, above), self.piece(query, below)
        if None in pieces or not has_terms(self.retriever):
            return None
        return why_above(self.retriever, query, *pieces)


def in_order(query_id: str, results: Results) -> list[tuple[str, float]]:
    """One query's results as pairs in the order of `ranking`, by which every rank of a report is counted.

    >>> in_order("q1", [("d1", 1.0), ("d2", 1.0)])
    [('d2', 1.0), ('d1', 1.0)]
    """
    scores = as_scores(query_id, results)
    return [(doc_id, scores[doc_id]) for doc_id in ranking(query_id, scores)]


def _is_short(
    results: list[tuple[str, float]], documents: list[tuple[str, float]], depth: int, k: int
) -> bool:
    """Whether another may be among the first k: they are too few, or the last ties with the k-th."""
    if len(results) < depth or len(documents) < k:
        return len(results) == depth
    kth, last = array("f", [documents[k - 1][1], results[-1][1]])  # as `ranking` compares
    return kth == last
