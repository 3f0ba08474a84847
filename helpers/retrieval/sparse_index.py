"""Exact search over sparse vectors: the postings of each term, and the k best documents of each query.

Queries go through in batches, on all cores, and two paths give the same results to the last bit: SciPy's
sparse product, which always works, and the loop of `compiled`, where numba is installed.
"""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.sparse import csr_matrix, issparse

from helpers.base import check_option, check_whole, progress

ENGINES = ("auto", "scipy", "compiled")
POSTINGS_AT_A_TIME = 1_000_000
"""How many postings the queries of one batch read, or four times as many as there are documents if that is
more: so some hundred thousand of each block of documents, which are worth a call of SciPy. Its path holds
about 50 bytes for each of those, on each core."""
DOCUMENTS_IN_A_BLOCK = 1 << 17
"""So many sums are kept at a time by SciPy's path; the sums of millions would not stay in fast memory."""
WORTH_COMPILING = 20_000_000
"""From so many postings on numba is loaded. That takes half a second, and some more the first time ever."""


class SparseIndex:
    """The transposed matrix, terms × documents: a query reads the postings of its own terms and no others.

    `matrix` is documents × terms, CSR. The index takes eight bytes for each value that is not zero: document
    number and weight. `engine` is chosen by itself ("auto"); "scipy" and "compiled" ask for one of the two.

    Scores are sums in double precision, terms in the order of their columns, rounded once to 32 bits.
    (Products of two 32-bit numbers are exact in double precision, so no processor's way of adding changes a
    digit.) Raises ValueError for a matrix that is not two-dimensional and sparse, or holds a value that is
    not finite.

    >>> index = SparseIndex(csr_matrix([[2.0, 0.0, 1.0], [1.0, 0.0, 0.0]]))
    >>> documents, scores = index.search(csr_matrix([[1.0, 0.0, 3.0]]), k=3)
    >>> documents.tolist(), scores.tolist()
    ([[0, 1, -1]], [[5.0, 1.0, 0.0]])
    """

    def __init__(self, matrix: csr_matrix, engine: str = "auto"):
        check_option("engine", engine, ENGINES)
        self.engine = engine
        if engine == "compiled" and not self._compile(0):
            cure = "run: pip install numba, or leave the choice to engine='auto'"
            raise ValueError(f"engine 'compiled' needs numba; {cure}")
        # Column by column: the documents of term t, and their weights, lie at starts[t] to starts[t + 1].
        postings = as_weights(matrix, "the matrix").tocsc()
        self.n_documents, self.n_terms = postings.shape
        self.starts = postings.indptr.astype(np.int64)
        self.documents = postings.indices.astype(np.int32, copy=False)
        self.weights = postings.data

    @classmethod
    def of_postings(
        cls, starts: np.ndarray, documents: np.ndarray, weights: np.ndarray, n_documents: int
    ) -> "SparseIndex":
        """An index of postings that lie term after term already, as those of another index that was stored.

        Term t has the documents (int32, ascending) and weights (float32) from starts[t] (int64) to
        starts[t + 1]. The arrays are used as they are, and may be mapped from a file.
        """
        index = cls(csr_matrix((0, len(starts) - 1), dtype=np.float32))
        index.n_documents, index.starts = n_documents, starts
        index.documents, index.weights = documents, weights
        return index

    def search(
        self, query_matrix: csr_matrix, k: int, n_postings: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """For each row of weighted queries (queries × terms) the k best documents, best first, with scores.

        Two arrays, queries × k: document numbers (int32) and scores (float32). Only documents that score
        above zero are results; of equal scores the higher number goes first; a row with fewer than k (k may
        exceed the number of documents) is padded with −1 and 0. Where this is one of many indexes that the
        same queries go through, `n_postings` says how many postings they read in all of them. Raises
        ValueError for another number of terms than the index has, a weight that is not finite, a k below 0.
        """
        check_whole("k", k, least=0, of="documents")
        queries = as_weights(query_matrix, "the query matrix")
        if queries.shape[1] != self.n_terms:
            found = f"queries over {queries.shape[1]} terms, an index of {self.n_terms}"
            cure = "count them in its columns"
            if queries.shape[1] == self.n_documents:
                given = f"{self.n_documents} × {self.n_terms}"
                cure = f"is its matrix ({given}) on its side? Needed documents × terms"
            raise ValueError(f"{found}; {cure}")
        if k > self.n_documents and k * queries.shape[0] >= 2**31:
            found = f"k is {k}, for {queries.shape[0]} queries of {self.n_documents} documents"
            raise ValueError(f"{found}: places for so many do not fit into memory; give {self.n_documents}")
        documents = np.full((queries.shape[0], k), -1, dtype=np.int32)
        scores = np.zeros((queries.shape[0], k), dtype=np.float32)
        if k == 0:
            return documents, scores
        # The work of a query is the number of postings that it reads; it decides path and batches.
        read = self.starts[queries.indices + 1] - self.starts[queries.indices]
        worth_it = self._compile(n_postings or int(read.sum()))
        search_batch = self._compiled_batch if worth_it else self._scipy_batch
        read_before = np.concatenate([[0], np.cumsum(read)])[queries.indptr]
        batches = _batches(read_before, max(POSTINGS_AT_A_TIME, 4 * self.n_documents))

        def run(rows: slice) -> int:
            search_batch(queries[rows], documents[rows], scores[rows])
            return rows.stop - rows.start

        # Each batch fills its own rows of the results.
        with progress(total=queries.shape[0], desc="searching", unit="query") as bar:
            for done in _on_all_cores(run, list(batches)):
                bar.update(done)
        return documents, scores

    def weight_of(self, term: int, document: int) -> float:
        """What the index holds for a term and a document, by their numbers; 0 where it holds nothing."""
        first, last = self.starts[term], self.starts[term + 1]
        position = first + np.searchsorted(self.documents[first:last], document)
        held = position < last and self.documents[position] == document
        return float(self.weights[position]) if held else 0.0

    def _compile(self, n_postings: int) -> bool:
        if self.engine == "scipy":
            return False
        if self.engine == "auto" and n_postings < WORTH_COMPILING and not _ready():
            return False
        # Here and below, not above: loading numba takes longer than a small search.
        from helpers.retrieval import compiled

        return compiled.COMPILED

    def _compiled_batch(self, queries: csr_matrix, documents: np.ndarray, scores: np.ndarray) -> None:
        from helpers.retrieval.compiled import search_queries

        # One set of types, so that numba compiles once.
        rows = queries.indptr.astype(np.int64), queries.indices.astype(np.int32), queries.data
        postings = self.starts, self.documents, self.weights, self.n_documents
        search_queries(*rows, *postings, documents.shape[1], documents, scores)

    def _scipy_batch(self, queries: csr_matrix, documents: np.ndarray, scores: np.ndarray) -> None:
        """The product of the queries with the postings of their terms, one block of documents after the
        other: SciPy keeps a sum for each document, and those of a block stay in fast memory."""
        # Only the terms of these queries, numbered anew, in 64 bits; and where their blocks begin.
        terms, columns = np.unique(queries.indices, return_inverse=True)
        asked = csr_matrix(
            (queries.data.astype(np.float64), columns, queries.indptr), (queries.shape[0], len(terms))
        )
        edges = np.append(np.arange(0, self.n_documents, DOCUMENTS_IN_A_BLOCK), self.n_documents)
        cuts = np.stack([self.starts[terms], self.starts[terms + 1]], axis=1)
        if len(edges) > 2:
            inside = [a + np.searchsorted(self.documents[a:b], edges[1:-1]) for a, b in cuts]
            cuts = np.hstack([cuts[:, :1], np.reshape(inside, (len(terms), len(edges) - 2)), cuts[:, 1:]])
        best = _Best(*documents.shape)
        for block, low in enumerate(edges[:-1] if len(terms) else []):
            pieces = [slice(a, b) for a, b in cuts[:, block : block + 2].tolist()]
            starts = np.cumsum([0] + [piece.stop - piece.start for piece in pieces])
            held = np.concatenate([self.documents[piece] for piece in pieces]) - np.int32(low)
            weights = np.concatenate([self.weights[piece] for piece in pieces]).astype(np.float64)
            width = int(edges[block + 1] - low)
            product = asked @ csr_matrix((weights, held, starts), (len(terms), width))
            # Rounded once, infinite and zero as in compiled code.
            with np.errstate(over="ignore", under="ignore"):
                rounded = product.data.astype(np.float32)
            best.add(product.indptr, product.indices.astype(np.int32, copy=False) + np.int32(low), rounded)
        documents[:], scores[:] = unpacked(best.in_order())


class _Best:
    """The k best documents of each query so far, while blocks of documents come in."""

    def __init__(self, n_queries: int, k: int):
        self._k = k
        # What is no longer out of the running: blocks of rows that begin at `indptr`, and of packed hits.
        self._pending: list[tuple[np.ndarray, np.ndarray]] = []
        self._n_pending, self._most = 0, 2 * n_queries * k
        self._kth_best = np.full(n_queries, NO_HIT)

    def add(self, indptr: np.ndarray, documents: np.ndarray, scores: np.ndarray) -> None:
        """The hits of one block, query after query; what scores zero or below is none."""
        hits = packed(documents, scores)
        first = len(self._pending) == 0  # nothing has to be beaten yet
        kept = np.flatnonzero(hits > (NO_HIT if first else np.repeat(self._kth_best, np.diff(indptr))))
        if len(kept) < len(hits):
            indptr, hits = np.searchsorted(kept, indptr), hits[kept]
        self._pending.append((indptr, hits))
        self._n_pending += len(hits)
        if self._n_pending > self._most:
            best = self.in_order()
            self._pending = [(np.arange(len(best) + 1) * self._k, best.ravel())]
            self._n_pending, self._kth_best = best.size, best[:, -1].copy()

    def in_order(self) -> np.ndarray:
        """The k best of each query, packed, best first, queries × k; NO_HIT where there are fewer."""
        best = np.full((len(self._kth_best), self._k), NO_HIT)
        for row in range(len(best)):
            found = [hits[indptr[row] : indptr[row + 1]] for indptr, hits in self._pending]
            hits = found[0] if len(found) == 1 else np.concatenate([best[row, :0], *found])
            if len(hits) > self._k:
                hits = np.partition(hits, len(hits) - self._k)[len(hits) - self._k :]
            best[row, : len(hits)] = np.sort(hits)[::-1]
        return best


NO_HIT = np.int64(0xFFFFFFFF)
"""What `packed` makes of document −1 with a score of 0."""


def packed(documents: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Document numbers (int32) and scores (float32) as one number each (int64), for one sort.

    The bits of positive floating-point numbers are in the order of the numbers. So with those of the document
    below them the greater is the better hit, and of equal scores the higher document. What scores zero or
    below comes before NO_HIT, in no order. Raises ValueError for numbers of other types.

    >>> hits = packed(np.array([4, 7, 2, -1], np.int32), np.array([1, 1, 2, 0], np.float32))
    >>> documents, scores = unpacked(np.sort(hits)[::-1])
    >>> documents.tolist(), scores.tolist()
    ([2, 7, 4, -1], [2.0, 1.0, 1.0, 0.0])
    """
    if documents.dtype != np.int32 or scores.dtype != np.float32:
        found = f"documents of type {documents.dtype}, scores of type {scores.dtype}"
        raise ValueError(f"{found}; needed int32 and float32, as SparseIndex.search gives them")
    return scores.view(np.int32).astype(np.int64) << np.int64(32) | documents.view(np.uint32)


def unpacked(hits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The document numbers and scores of what `packed` made, in arrays of the same shape."""
    scores = (hits >> np.int64(32)).astype(np.int32).view(np.float32)
    return hits.astype(np.uint32).view(np.int32), scores


def best_k(
    documents: np.ndarray, scores: np.ndarray, k: int, above: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """The k best of some documents (numbers in any order) and their scores: `top_k` for what a query touched.

    >>> found, scores = best_k(np.array([7, 3, 5]), np.array([1.0, 0.0, 1.0]), k=5)
    >>> found.tolist(), scores.tolist()
    ([7, 5], [1.0, 1.0])
    """
    check_whole("k", k, least=0, of="documents")
    kept = np.flatnonzero(scores > above)
    # What does not reach the k-th best score goes first, in linear time; only the rest is sorted.
    if 0 < k < len(kept):
        kth_best = np.partition(scores[kept], len(kept) - k)[len(kept) - k]
        kept = kept[scores[kept] >= kth_best]
    best_first = np.lexsort((documents[kept], scores[kept]))[::-1][:k]
    return documents[kept][best_first], scores[kept][best_first]


def top_k(scores: np.ndarray, k: int, above: float = 0.0) -> np.ndarray:
    """The numbers of the k best documents, best first, of equal scores the higher number.

    `scores` has one entry for every document. Fewer than k come back when fewer score above zero (or
    `above`). Raises ValueError for a score that is NaN, which is neither above nor below another.

    >>> top_k(np.array([0.5, 0.0, 2.0, 0.5, 0.5]), k=3).tolist()
    [2, 4, 3]
    """
    if np.ndim(scores) != 1:
        raise ValueError(f"scores has the shape {np.shape(scores)}; needed one number for every document")
    # A NaN makes the least of all scores NaN: one pass, and no array of answers.
    if len(scores) and np.isnan(np.min(scores)):
        number = int(np.argmax(np.isnan(scores)))
        raise ValueError(f"the score of document {number} is NaN; needed a number for every document")
    return best_k(np.arange(len(scores)), scores, k, above)[0]


def as_weights(matrix: csr_matrix, what: str) -> csr_matrix:
    """CSR of 32-bit floats, ascending columns, each once, no stored zeros; the given matrix stays as it is.

    Raises ValueError for what is no two-dimensional sparse matrix of numbers, for a column outside of it, and
    for a value that is not finite in 32 bits.
    """
    if not issparse(matrix) or matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
        found = type(matrix).__name__
        raise ValueError(f"{what} is a {found}; needed a SciPy CSR matrix of numbers, rows × terms")
    matrix = matrix.tocsr()
    if matrix.nnz and not 0 <= matrix.indices.min() <= matrix.indices.max() < matrix.shape[1]:
        found = f"column {matrix.indices.max()} (or one below 0) of {matrix.shape[1]}"
        raise ValueError(f"{what} holds {found}; it was put together wrongly")
    if not matrix.has_canonical_format or not matrix.data.all():
        matrix = matrix.copy()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    with np.errstate(over="ignore"):
        weights = matrix.data.astype(np.float32, copy=False)
    finite = np.isfinite(weights)
    if not finite.all():
        row = int(np.searchsorted(matrix.indptr, np.argmin(finite), side="right")) - 1
        raise ValueError(
            f"{what}, row {row}: a value is not a finite 32-bit number; where does it come from?"
        )
    return csr_matrix((weights, matrix.indices, matrix.indptr), shape=matrix.shape)


def _ready() -> bool:
    """Whether this process has the machine code already: after its first search with it, not before."""
    loaded = sys.modules.get("helpers.retrieval.compiled")
    return loaded is not None and bool(getattr(loaded.search_queries, "signatures", ()))


def _batches(read_before: np.ndarray, at_a_time: int) -> Iterator[slice]:
    """Rows that together read at most so many postings, at least one; `read_before`: by all rows before."""
    row, n_rows = 0, len(read_before) - 1
    while row < n_rows:
        fits = int(np.searchsorted(read_before, read_before[row] + at_a_time, side="right")) - 1
        stop = max(fits, row + 1)
        yield slice(row, stop)
        row = stop


def _on_all_cores(run, batches: list[slice]) -> Iterator[int]:
    """In threads: both paths let go of Python's lock while they work."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if min(cores, len(batches)) < 2:
        yield from map(run, batches)
        return
    with ThreadPoolExecutor(min(cores, len(batches))) as pool:
        yield from pool.map(run, batches)
