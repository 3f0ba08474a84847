"""Sparse vectors: counting terms into a CSR matrix, document frequency, IDF, BM25 weights, the exact top k.

Rows are documents (or queries), columns are terms. A document's number is its row. Everything here works on numbers;
doc_ids and runs come in with `retrieval`, and the terms themselves come from an analyzer of `text`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import index

import numpy as np
from scipy.sparse import csr_matrix

Analyzer = Callable[[str], list[str]]


def count_terms(
    texts: Iterable[str], analyzer: Analyzer, vocabulary: dict[str, int] | None = None
) -> tuple[csr_matrix, dict[str, int]]:
    """Term counts, a CSR matrix (texts × terms, int32), and the vocabulary `{term: column}`.

    Without a vocabulary one is built in the order in which terms first occur. With one (count queries with that of the
    documents) a term outside it is dropped. A text without terms is a row of zeros.

    >>> counts, vocabulary = count_terms(["a rose is a rose", "is it"], str.split)
    >>> vocabulary, counts.toarray().tolist()
    ({'a': 0, 'rose': 1, 'is': 2, 'it': 3}, [[2, 2, 1, 0], [0, 0, 1, 1]])
    """
    known = {} if vocabulary is None else vocabulary
    indices: list[int] = []
    indptr = [0]
    for text in texts:
        terms = analyzer(text)
        if vocabulary is None:
            indices += [known.setdefault(term, len(known)) for term in terms]
        else:
            indices += [known[term] for term in terms if term in known]
        indptr.append(len(indices))
    ones = np.ones(len(indices), dtype=np.int32)
    counts = csr_matrix((ones, np.array(indices, dtype=np.int32), indptr), shape=(len(indptr) - 1, len(known)))
    counts.sum_duplicates()
    return counts, known


def encode_to_csr(sparse_vecs: Sequence[dict[int, float]], sparse_dim: int) -> csr_matrix:
    """Sparse vectors `{dimension: value}` as a CSR matrix (vectors × sparse_dim, int32 indices, float32 values).

    An empty vector is a row of zeros. Raises ValueError for a dimension outside 0 .. sparse_dim − 1 and for a value
    that is not finite.

    >>> encode_to_csr([{0: 2.0}, {}, {2: 1.0}], sparse_dim=3).toarray().tolist()
    [[2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    indptr = np.cumsum([0] + [len(vector) for vector in sparse_vecs])
    indices = np.fromiter((_whole(dim) for vector in sparse_vecs for dim in vector), dtype=np.int64, count=indptr[-1])
    values = np.fromiter((v for vector in sparse_vecs for v in vector.values()), dtype=np.float32, count=indptr[-1])
    bad = np.flatnonzero((indices < 0) | (indices >= sparse_dim) | ~np.isfinite(values))
    if len(bad):
        row = int(np.searchsorted(indptr, bad[0], side="right")) - 1
        raise ValueError(
            f"vector {row}: dimension {indices[bad[0]]} with value {values[bad[0]]}; dimensions run from 0 to "
            f"{sparse_dim - 1} (sparse_dim = {sparse_dim}) and values are finite"
        )
    matrix = csr_matrix((values, indices.astype(np.int32), indptr), shape=(len(sparse_vecs), sparse_dim))
    matrix.sort_indices()
    return matrix


def document_frequency(matrix: csr_matrix) -> np.ndarray:
    """In how many rows each column is not zero (int64, one per column). A stored zero does not count.

    >>> document_frequency(csr_matrix([[2, 0, 1], [1, 0, 0]])).tolist()
    [2, 0, 1]
    """
    if not matrix.has_canonical_format:  # an entry that is stored in two parts is still one document
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return np.bincount(matrix.indices[matrix.data != 0], minlength=matrix.shape[1])


def compute_idf(corpus_matrix: csr_matrix) -> np.ndarray:
    """Lucene's IDF of each column, ln(1 + (N − df + 0.5) / (df + 0.5)), float32; above zero for every df.

    N is the number of rows. Lucene and Qdrant use this form; Robertson and Spärck Jones's lacks the "1 +".

    >>> print(compute_idf(csr_matrix([[2, 0, 1], [1, 0, 0]])).round(3))
    [0.182 1.792 0.693]
    """
    df = document_frequency(corpus_matrix)
    return np.log(1 + (corpus_matrix.shape[0] - df + 0.5) / (df + 0.5)).astype(np.float32)


def bm25_weights(counts: csr_matrix, k1: float = 0.9, b: float = 0.4, lucene_lengths: bool = False) -> csr_matrix:
    """The document side of BM25, tf / (tf + k1·(1 − b + b·dl / avgdl)), in place of each count tf (float32).

    dl is the document's number of terms, avgdl its mean over the rows. With `lucene_lengths`, dl is first rounded as
    Lucene stores it (`round_length`); avgdl stays exact. Multiply by IDF and by the query's counts to get the score.

    Source: Robertson and Zaragoza, The probabilistic relevance framework, 2009, section 3.4; the factor k1 + 1, the
    same for every document, is left out as in Lucene since version 8.

    >>> print(bm25_weights(csr_matrix([[2, 0, 1], [1, 0, 0]]), k1=1, b=0).toarray().round(3))
    [[0.667 0.    0.5  ]
     [0.5   0.    0.   ]]
    """
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    avgdl = lengths.mean() if lengths.any() else 1.0
    dl = round_length(lengths) if lucene_lengths else lengths
    norm = np.repeat(k1 * (1 - b + b * dl / avgdl), np.diff(counts.indptr))
    weights = counts.data / (counts.data + norm)
    return csr_matrix((weights.astype(np.float32), counts.indices, counts.indptr), shape=counts.shape)


LUCENE_LENGTHS = np.array([*range(24), *(24 + m for m in range(8)), *(24 + (m << e) for e in range(28) for m in range(8, 16))])
"""The 256 document lengths that Lucene's one byte can tell apart: exact below 40, then 8 steps to each doubling."""


def round_length(lengths: np.ndarray) -> np.ndarray:
    """Document lengths as Lucene's one byte keeps them: rounded down to the nearest of `LUCENE_LENGTHS`.

    Source: Lucene's `SmallFloat.intToByte4`, since version 7.

    >>> round_length(np.array([39, 40, 41, 100, 1000])).tolist()
    [39, 40, 40, 96, 984]
    """
    return LUCENE_LENGTHS[np.searchsorted(LUCENE_LENGTHS, lengths, side="right") - 1]


def top_k(scores: np.ndarray, k: int) -> np.ndarray:
    """The numbers of the k best documents, best first; only scores above zero; equal scores: higher number first.

    A partition finds the k-th best score in linear time, then only what reaches it is sorted. Fewer than k come back
    when fewer score above zero.

    >>> top_k(np.array([0.5, 0.0, 2.0, 0.5, 0.5]), k=3).tolist()
    [2, 4, 3]
    """
    if k < 0:
        raise ValueError(f"k is {k}; ask for 0 documents or more")
    candidates = np.flatnonzero(scores > 0)
    if 0 < k < len(candidates):
        kth_best = np.partition(scores[candidates], -k)[-k]
        candidates = candidates[scores[candidates] >= kth_best]
    best_first = np.lexsort((-candidates, -scores[candidates]))
    return candidates[best_first[:k]]


def retrieve_top_k(
    query_vec: dict[int, float], corpus_matrix: csr_matrix, idf: np.ndarray, k: int = 100
) -> list[tuple[int, float]]:
    """The k best documents for one query, `[(row, score), ...]`, best first.

    The score is the sum over shared terms of query weight · document weight · IDF.

    >>> retrieve_top_k({0: 1.0, 2: 1.0}, csr_matrix([[2.0, 0.0, 1.0], [1.0, 0.0, 0.0]]), np.array([1.0, 1.0, 3.0]))
    [(0, 5.0), (1, 1.0)]
    """
    if len(idf) != corpus_matrix.shape[1]:
        raise ValueError(f"{len(idf)} IDF values for {corpus_matrix.shape[1]} terms; compute them from this matrix")
    query = encode_to_csr([query_vec], corpus_matrix.shape[1])
    weighted_query = query.toarray().ravel() * idf
    scores = corpus_matrix @ weighted_query
    return [(int(row), float(scores[row])) for row in top_k(scores, k)]


def search(
    query_matrix: csr_matrix, postings: csr_matrix, k: int, batch_size: int = 128
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each query its k best documents: their numbers, best first, and their scores.

    `query_matrix` (queries × terms) holds the weighted queries; `postings` (terms × documents) is the transposed
    document matrix, so that a query touches only the documents of its own terms. Queries are multiplied in batches;
    the product stays sparse.
    """
    for start in range(0, query_matrix.shape[0], batch_size):
        product = query_matrix[start : start + batch_size] @ postings
        product.sort_indices()
        for first, last in zip(product.indptr[:-1], product.indptr[1:], strict=True):
            documents, scores = product.indices[first:last], product.data[first:last]
            best = top_k(scores, k)
            yield documents[best], scores[best]


def _whole(dim: object) -> int:
    try:
        return index(dim)
    except TypeError:
        raise ValueError(f"dimension {dim!r} is not a whole number; a sparse vector is {{column: value}}") from None
