"""Nearest neighbours among many vectors: all of them looked at, or only those that a search gets to see.

An index has `nearest(queries, k)`, which gives row numbers and scores, and `bytes_a_document`. `VectorSearch`
makes a retriever of it. Scores are inner products of rows; of vectors of length 1 these are cosines.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import nan
from typing import Protocol

import numpy as np

from helpers.base import check_whole, counted, warn
from helpers.encoders import as_numbers, as_texts, model_name, model_similarity
from helpers.records import Queries, Run
from helpers.retrieval import check_queries, top_k, unit_vectors
from helpers.scale.engines.base import package

Found = tuple[np.ndarray, np.ndarray]
"""Row numbers and scores (queries × k), best first, -1 and -inf where fewer than k were found."""
QUERIES_AT_ONCE = 256
USUAL_PROBES = 8


class VectorIndex(Protocol):
    """What finds the nearest of its rows."""

    bytes_a_document: float

    def nearest(self, queries: np.ndarray, k: int, allowed: np.ndarray | None = None) -> Found: ...


class Exact:
    """Every vector is scored, so the k best are the k best: what all others are measured against.

    `vectors` is n × d, in 32 bits; an array that has these already is kept, not copied (by `InvertedFile`
    too): do not fill it with others. `nearest` takes queries (m × d) and gives the rows with the highest
    inner products, rounded to six decimals, of equal scores the later row. `allowed` (n truth values) is a
    filter before the search: only these rows are scored.

    >>> index = Exact([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    >>> rows, scores = index.nearest([[0.8, 0.6]], k=2)
    >>> print(rows, scores)
    [[1 0]] [[0.96 0.8 ]]
    """

    name = "exact"
    rows_at_once = 2**31
    """So many rows are decoded and multiplied together."""

    def __init__(self, vectors: np.ndarray):
        self.vectors = as_vectors(vectors)
        self.n, self.width = self.vectors.shape
        self.bytes_a_document = float(self.vectors.itemsize * self.width)

    def nearest(self, queries: np.ndarray, k: int, allowed: np.ndarray | None = None) -> Found:
        queries, k = as_queries(queries, k, self.width, self.n)
        rows = np.arange(self.n) if allowed is None else np.flatnonzero(as_mask(allowed, self.n))
        found = []
        for asked in in_blocks(self.prepared(queries), QUERIES_AT_ONCE):
            parts = in_blocks(rows, self.rows_at_once)
            scores = np.concatenate([asked @ self.decoded(part).T for part in parts or [rows]], axis=1)
            found += [best(own, rows, k) for own in scores]
        return side_by_side(found, k)

    def prepared(self, queries: np.ndarray) -> np.ndarray:
        """The queries as they are multiplied with `decoded` rows."""
        return queries

    def decoded(self, rows: np.ndarray) -> np.ndarray:
        """These rows as 32-bit numbers."""
        return self.vectors if len(rows) == self.n else self.vectors[rows]


class InvertedFile:
    """Vectors in cells around the centres of k-means; a query looks into the `probes` nearest cells (IVF).

    What lies in another cell is not found, however near it is. Without a number of `cells` there are those of
    `usual_cells`, without one of `probes` 8, or all cells where there are fewer. The same seed gives the same
    cells.

    Source: Jégou, Douze and Schmid, Product quantization for nearest neighbor search, 2011, section IV (its
    inverted file, without the codes).

    >>> points = np.array([[1.0, 0.0], [0.98, 0.2], [0.0, 1.0], [0.2, 0.98]])
    >>> index = InvertedFile(points, cells=2, probes=1)
    >>> index.nearest([[1.0, 0.1]], k=3)[0].tolist()  # the two of the other cell are not seen
    [[1, 0, -1]]
    """

    def __init__(
        self,
        vectors: np.ndarray,
        cells: int | None = None,
        probes: int | None = None,
        rounds: int = 10,
        seed: int = 0,
    ):
        self.vectors = as_vectors(vectors)
        self.n, self.width = self.vectors.shape
        self.centres = k_means(self.vectors, usual_cells(self.n) if cells is None else cells, rounds, seed)
        cell_of = (self.vectors @ self.centres.T).argmax(axis=1)
        # The rows sorted by their cells: cell c has those from starts[c] to starts[c + 1].
        self.rows = np.argsort(cell_of, kind="stable")
        self.starts = np.searchsorted(cell_of[self.rows], np.arange(len(self.centres) + 1))
        self.probes = min(USUAL_PROBES, len(self.centres)) if probes is None else probes
        own = self.vectors.nbytes + self.centres.nbytes + self.rows.nbytes + self.starts.nbytes
        self.bytes_a_document = own / self.n

    @property
    def name(self) -> str:
        return f"inverted file, {self.probes} of {len(self.centres)} cells"

    def nearest(self, queries: np.ndarray, k: int, allowed: np.ndarray | None = None) -> Found:
        queries, k = as_queries(queries, k, self.width, self.n)
        check_at_most("probes", self.probes, len(self.centres), "cells")
        mask = None if allowed is None else as_mask(allowed, self.n)
        found = []
        for query, to_centres in zip(queries, queries @ self.centres.T, strict=True):
            near = top_k(to_centres, self.probes, -np.inf)
            rows = np.sort(np.concatenate([self.rows[self.starts[c] : self.starts[c + 1]] for c in near]))
            rows = rows if mask is None else rows[mask[rows]]
            found.append(best(self.vectors[rows] @ query, rows, k))
        return side_by_side(found, k)


class Hnsw:
    """A graph of near neighbours in layers, walked from one neighbour to a nearer one (HNSW), by faiss.

    `m` is the links of a vector (twice as many in the lowest layer), `ef_construction` how widely each one's
    neighbours were looked for, `ef_search` how many candidates a query keeps while it walks; it can be set
    later. Built by one thread, so that it is the same each time. `allowed` filters while walking: every node
    is passed through, only these are results. Raises ModuleNotFoundError where faiss is not installed.

    Source: Malkov and Yashunin, Efficient and robust approximate nearest neighbor search using hierarchical
    navigable small world graphs, 2018.
    """

    def __init__(self, vectors: np.ndarray, m: int = 16, ef_construction: int = 80, ef_search: int = 40):
        vectors, faiss = as_vectors(vectors), package("faiss", "ann")
        self.n, self.width = vectors.shape
        self.ef_search, self._faiss = ef_search, faiss
        self.index = faiss.IndexHNSWFlat(self.width, check_whole("m", m, least=2), faiss.METRIC_INNER_PRODUCT)
        self.index.hnsw.efConstruction = check_whole("ef_construction", ef_construction)
        threads = faiss.omp_get_max_threads()
        try:
            faiss.omp_set_num_threads(1)
            self.index.add(vectors)
        finally:
            faiss.omp_set_num_threads(threads)
        self.bytes_a_document = len(faiss.serialize_index(self.index)) / self.n

    @property
    def name(self) -> str:
        return f"HNSW, ef {self.ef_search}"

    def nearest(self, queries: np.ndarray, k: int, allowed: np.ndarray | None = None) -> Found:
        queries, k = as_queries(queries, k, self.width, self.n)
        check_whole("ef_search", self.ef_search)
        asked = {"efSearch": self.ef_search}
        if allowed is not None:
            asked["sel"] = self._faiss.IDSelectorBatch(np.flatnonzero(as_mask(allowed, self.n)))
        if not len(queries) or not k:
            return nothing_found(len(queries), k)
        scores, rows = self.index.search(queries, k, params=self._faiss.SearchParametersHNSW(**asked))
        scores[rows < 0] = -np.inf
        return rows, np.round(scores, 6)


class VectorSearch:
    """An index of vectors as a retriever: queries are encoded by `model`, rows named by `doc_ids`.

    `doc_ids` are in the order of the index's rows; sorted, so that of equal scores the higher doc_id comes
    first, as everywhere. Queries are brought to length 1, unless the model says `similarity = "dot"`; of the
    index's own vectors that is for you to do. A query whose vector is zero finds nothing. `bytes_a_document`
    is the index's. Raises ValueError for ids that are no text or come twice, and another number of them than
    of rows.

    >>> class Letters:
    ...     def encode(self, texts):
    ...         return [[text.count("a"), text.count("b")] for text in texts]
    >>> VectorSearch(Exact([[0.8, 0.6], [0.0, 1.0]]), ["d1", "d2"], Letters()).search({"q": "aab"}, k=1)
    {'q': [('d1', 0.9838700294494629)]}
    """

    def __init__(self, index: VectorIndex, doc_ids: Sequence[str] | np.ndarray, model: object):
        check_index("index", index)
        doc_ids = as_texts(doc_ids, "doc_ids")
        if (n := getattr(index, "n", len(doc_ids))) != len(doc_ids):
            raise ValueError(f"{len(doc_ids)} doc_ids for an index of {n} rows; give each row its id")
        if len(set(doc_ids)) < len(doc_ids):
            twice = Counter(doc_ids).most_common(1)[0][0]
            raise ValueError(f"doc_ids has {twice!r} twice; each row needs an id of its own")
        self.index, self.doc_ids, self.model = index, doc_ids, model
        self.name = f"{model_name(model)}, {getattr(index, 'name', type(index).__name__)}"
        self.bytes_a_document = getattr(index, "bytes_a_document", nan)

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query: the k nearest that the index finds."""
        check_queries(queries)
        if not queries:
            return {}
        cosine = model_similarity(self.model) == "cosine"
        vectors = unit_vectors(self.model, list(queries.values()), "query", None if cosine else np.asarray)
        run = self.as_run(queries, self.index.nearest(vectors, k))
        return run | {query_id: [] for query_id, vector in zip(run, vectors, strict=True) if not vector.any()}

    def as_run(self, query_ids: Iterable[str], found: Found) -> Run:
        """What an index found, as a run. Raises ValueError for what are no rows of the index and scores."""
        if not isinstance(found, tuple) or len(found) != 2:
            raise ValueError(f"the index gave a {type(found).__name__}; needed two arrays, rows and scores")
        rows = _as_row_numbers("the first that the index gave", found[0])
        if rows.size and rows.max() >= len(self.doc_ids):
            raise ValueError(f"the index gave row {rows.max()}; there are {len(self.doc_ids)}, from 0 on")
        found = rows, np.asarray(found[1])
        return {
            query_id: [
                (self.doc_ids[row], score) for row, score in zip(rows, scores, strict=True) if row >= 0
            ]
            for query_id, rows, scores in zip(query_ids, *(part.tolist() for part in found), strict=True)
        }


def k_means(vectors: np.ndarray, cells: int, rounds: int = 10, seed: int = 0) -> np.ndarray:
    """Centres (cells × d) of length 1: each the direction of the mean of the vectors that are nearest to it.

    They start at vectors drawn at random; an empty cell keeps its centre. Raises ValueError for more cells
    than vectors.

    >>> print(k_means([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]], cells=1).round(3))
    [[0.747 0.664]]
    """
    vectors = as_vectors(vectors)
    check_at_most("cells", cells, len(vectors), "vectors")
    check_whole("rounds", rounds, least=0)
    check_whole("seed", seed, least=0)
    centres = vectors[np.random.default_rng(seed).choice(len(vectors), cells, replace=False)]
    for _ in range(rounds):
        cell_of = (vectors @ centres.T).argmax(axis=1)
        # Rows sorted by cell, so that each cell's sum is that of one stretch.
        order = np.argsort(cell_of, kind="stable")
        filled, starts = np.unique(cell_of[order], return_index=True)
        centres = centres.copy()
        centres[filled] = np.add.reduceat(vectors[order], starts)
        centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), 1e-12)
    return centres


def usual_cells(n: int) -> int:
    """4 √n, and at most n/39, as faiss' guide advises for up to a million vectors; at least one.

    >>> usual_cells(5183), usual_cells(1_000_000), usual_cells(3)
    (132, 4000, 1)
    """
    check_whole("n", n, least=0, of="vectors")
    return max(1, min(round(4 * n**0.5), n // 39))


def filtered_after(
    index: VectorIndex, queries: np.ndarray, k: int, allowed: np.ndarray, fetched: int
) -> Found:
    """Search first, filter afterwards: of the `fetched` nearest those that are allowed, at most k.

    Raises ValueError for a filter of another length than the index has rows.

    >>> index, allowed = Exact([[1.0], [0.9], [0.8]]), np.array([False, False, True])
    >>> filtered_after(index, [[1.0]], 1, allowed, fetched=2)[0].tolist()
    [[-1]]
    >>> index.nearest([[1.0]], 1, allowed)[0].tolist()
    [[2]]
    """
    check_whole("k", k, least=0, of="documents")
    mask = as_mask(allowed, getattr(index, "n", len(allowed)))
    rows, scores = index.nearest(queries, fetched)
    allowed = np.append(mask, False)  # row -1 is nobody
    kept = allowed[rows]
    return side_by_side(
        [(own[keep][:k], score[keep][:k]) for own, score, keep in zip(rows, scores, kept, strict=True)],
        k,
    )


def neighbour_recall(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """For each query the share of the exact nearest rows that were found (queries × k each, -1 is no row).

    Both are the row numbers that `nearest` gives first. Raises ValueError for anything else, as the pair of
    rows and scores. Warns where `exact` ends before k, having found all there are, and `found` has more.

    >>> neighbour_recall(np.array([[4, 2], [1, -1]]), np.array([[2, 7], [1, 3]])).tolist()
    [0.5, 0.5]
    """
    found, exact = _as_row_numbers("found", found), _as_row_numbers("exact", exact)
    if len(found) != len(exact):
        raise ValueError(f"rows of {len(found)} queries and of {len(exact)}; needed the same queries")
    if more := int(((exact < 0).any(axis=1) & ((found >= 0).sum(axis=1) > (exact >= 0).sum(axis=1))).sum()):
        said = f"exact has fewer rows than found for {counted(more, 'query')}, and -1 in the place of others"
        warn(f"{said}; have the two changed places? What was found comes first, then the exact rows")
    shares = [
        np.isin(right[right >= 0], own).mean() if (right >= 0).any() else np.nan
        for own, right in zip(found, exact, strict=True)
    ]
    return np.array(shares)


def _as_row_numbers(name: str, rows: np.ndarray) -> np.ndarray:
    numbers = None if isinstance(rows, tuple) else as_numbers(rows)
    if numbers is None or numbers.ndim != 2 or numbers.dtype.kind not in "iu":
        kind = type(rows).__name__
        given = f"a {kind}" if numbers is None else f"{numbers.dtype} of shape {numbers.shape}"
        needed = "needed row numbers, queries × k: the first of the two that nearest gives, nearest(...)[0]"
        raise ValueError(f"{name} is {given}; {needed}")
    return numbers


# What all indexes share


def check_index(name: str, index: object) -> None:
    """Raises ValueError for what has no `nearest`, and for a class of indexes."""
    if isinstance(index, type):
        made = f"make one of your vectors first: {index.__name__}(vectors)"
        raise ValueError(f"{name} is the class {index.__name__}; needed an index of vectors: {made}")
    if not callable(getattr(index, "nearest", None)):
        found = f"{name} is a {type(index).__name__}"
        raise ValueError(f"{found}; needed an index with nearest(queries, k), e.g. Exact(vectors)")


def as_vectors(vectors: np.ndarray, what: str = "vectors") -> np.ndarray:
    """n × d numbers in 32 bits. Raises ValueError for anything else, and for a value that is not finite."""
    rows = as_numbers(vectors)
    if rows is None or rows.ndim != 2 or not rows.size:
        found = type(vectors).__name__ if rows is None else f"numpy array of shape {rows.shape}"
        raise ValueError(f"{what}: a {found}; needed numbers, rows × dimensions, at least one of each")
    with np.errstate(over="ignore"):
        rows = np.ascontiguousarray(rows, dtype=np.float32)
    if not np.isfinite(rows).all():
        row = int(np.argmin(np.isfinite(rows).all(axis=1)))
        raise ValueError(f"{what}, row {row}: a value is no finite 32-bit number; where does it come from?")
    return rows


def check_at_most(name: str, value: int, most: int, of: str) -> int:
    """The whole number. Raises ValueError unless it lies between 1 and `most`, of which there are no more."""
    if check_whole(name, value, of=of) > most:
        raise ValueError(f"{name} is {value}; there are {most} {of}, so at most that many")
    return value


def best(scores: np.ndarray, rows: np.ndarray, k: int) -> Found:
    """The k best of some rows, rounded to six decimals, of equal scores the later row.

    Raises ValueError for scores beyond 32 bits, which have no order.
    """
    if not np.isfinite(scores).all():
        raise ValueError("a score is beyond 32 bits; bring the vectors to length 1")
    scores = np.round(scores, 6)
    places = top_k(scores, k, -np.inf)
    return rows[places], scores[places]


def as_queries(queries: np.ndarray, k: int, width: int, n: int) -> tuple[np.ndarray, int]:
    """The queries (m × width, 32 bits), and k, which is at most n. Raises ValueError for another width."""
    check_whole("k", k, least=0, of="documents")
    if not len(queries):
        return np.zeros((0, width), np.float32), min(k, n)
    queries = as_vectors(queries, "queries")
    if queries.shape[1] != width:
        found = f"queries of {queries.shape[1]} numbers, documents of {width}"
        cure = "both must come from one model"
        if queries.shape[1] == n:
            cure = f"are the {n} vectors of documents on their side? Needed documents × numbers: vectors.T"
        raise ValueError(f"{found}; {cure}")
    return queries, min(k, n)


def as_mask(allowed: np.ndarray, n: int) -> np.ndarray:
    """A filter: n truth values. Raises ValueError for anything else."""
    mask = np.asarray(allowed)
    if mask.shape != (n,) or mask.dtype != bool:
        found = f"{mask.dtype} of shape {mask.shape}"
        raise ValueError(f"allowed is {found}; needed {n} truth values, one for each row")
    return mask


def in_blocks(rows: np.ndarray, size: int) -> list[np.ndarray]:
    """The rows in pieces of at most `size`, in order."""
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def side_by_side(found: Sequence[Found], k: int) -> Found:
    """Results of single queries as two arrays of k columns."""
    rows, scores = nothing_found(len(found), k)
    for place, (own, score) in enumerate(found):
        rows[place, : len(own)], scores[place, : len(own)] = own, score
    return rows, scores


def nothing_found(n: int, k: int) -> Found:
    """The results of n queries before anything is found: row -1 and score −∞ in each of k places."""
    return np.full((n, k), -1, dtype=np.int64), np.full((n, k), -np.inf, dtype=np.float32)
