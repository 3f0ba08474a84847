"""Sparse retrieval from vectors to measured numbers: for one query, a batch, all queries, and for a model."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix

from helpers.base import cache_path, check_ids, check_whole, corpus_fingerprint
from helpers.encoders import as_texts, model_name
from helpers.evaluation import Evaluation, evaluate_retrieval
from helpers.records import Corpus, Qrels, Queries, Run
from helpers.retrieval.bm25 import bm25_weights, compute_idf, round_length
from helpers.retrieval.corpus_cache import cached_corpus
from helpers.retrieval.sparse_index import SparseIndex, as_weights, top_k
from helpers.retrieval.vectors import (
    SparseVector,
    SparseVectors,
    as_vectors,
    check_corpus,
    check_queries,
    count_terms,
    count_vectors,
    document_frequency,
    encode_corpus_batched,
    encode_to_csr,
)

__all__ = [
    "SparseModel",
    "bm25_weights",
    "cache_path",
    "compute_idf",
    "count_terms",
    "document_frequency",
    "encode_to_csr",
    "evaluate_sparse_model",
    "retrieve_all_queries",
    "retrieve_batch",
    "retrieve_top_k",
    "round_length",
    "top_k",
]

PROBES = 8
"""How many documents, spread over the corpus, are encoded again to see whether a cache still fits."""


class SparseModel(Protocol):
    """Anything that turns texts into sparse vectors: one `{dimension: weight}` for each text, in their order,
    or a sparse matrix with a row for each.

    A `name` that tells one model and its settings from another keeps their caches apart.
    """

    def encode_documents(self, texts: list[str]) -> SparseVectors: ...

    def encode_queries(self, texts: list[str]) -> SparseVectors: ...


def retrieve_top_k(
    query_vec: SparseVector, corpus_matrix: csr_matrix, idf: np.ndarray, k: int = 100
) -> list[tuple[int, float]]:
    """The k best documents for one query, `[(row, score), ...]`, best first, of equal scores the higher row.

    The score is the sum over shared terms of query weight · document weight · IDF; only scores above zero are
    results. This looks at every stored value of the matrix. For many queries `retrieve_batch` gives the same
    and reads each term's postings only.

    >>> corpus_matrix = csr_matrix([[2.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    >>> retrieve_top_k({0: 1.0, 2: 1.0}, corpus_matrix, np.array([1.0, 1.0, 3.0]))
    [(0, 5.0), (1, 1.0)]
    """
    check_whole("k", k, least=0, of="documents")
    query = weighted_queries([query_vec], corpus_matrix, idf)
    shared = as_weights(corpus_matrix, "corpus_matrix")[:, query.indices].astype(np.float64)
    with np.errstate(over="ignore"):
        scores = (shared @ query.data.astype(np.float64)).astype(np.float32)
    return [(int(row), float(scores[row])) for row in top_k(scores, k)]


def retrieve_batch(
    query_vecs: SparseVectors, corpus_matrix: csr_matrix, idf: np.ndarray, k: int = 100
) -> list[list[tuple[int, float]]]:
    """`retrieve_top_k` for many queries at once, through one `SparseIndex`: the same lists, in the order of
    the queries.

    >>> retrieve_batch([{0: 1.0}, {}], csr_matrix([[2.0, 0.0], [1.0, 0.0]]), np.array([1.0, 1.0]))
    [[(0, 2.0), (1, 1.0)], []]
    """
    check_whole("k", k, least=0, of="documents")
    queries = weighted_queries(query_vecs, corpus_matrix, idf)
    found = SparseIndex(corpus_matrix).search(queries, min(k, corpus_matrix.shape[0]))
    return [
        [(row, score) for row, score in zip(rows, scores, strict=True) if row >= 0]
        for rows, scores in zip(*(part.tolist() for part in found), strict=True)
    ]


def retrieve_all_queries(
    query_vecs: Mapping[str, SparseVector],
    corpus_matrix: csr_matrix,
    idf: np.ndarray,
    doc_ids: Sequence[str],
    k: int = 100,
) -> Run:
    """A run, `{query_id: [(doc_id, score), ...]}`, of k documents a query; of equal scores the higher doc_id
    first.

    `doc_ids` names the rows of the matrix. Raises ValueError where their number is another, or an id is not
    text or stands there twice.

    >>> retrieve_all_queries({"q1": {0: 1.0}}, csr_matrix([[1.0], [1.0]]), np.array([2.0]), ["d9", "d10"])
    {'q1': [('d9', 2.0), ('d10', 2.0)]}
    """
    return _retrieved(list(query_vecs), list(query_vecs.values()), corpus_matrix, idf, doc_ids, k)


def _retrieved(
    query_ids: Sequence[str],
    query_vecs: SparseVectors,
    corpus_matrix: csr_matrix,
    idf: np.ndarray,
    doc_ids: Sequence[str],
    k: int,
) -> Run:
    check_ids(doc_ids, "doc_ids:")
    doc_ids = as_texts(doc_ids, "doc_ids")  # a column of a table is looked up by its index, not by place
    if len(doc_ids) != corpus_matrix.shape[0] or len(set(doc_ids)) != len(doc_ids):
        raise ValueError(
            f"{len(doc_ids)} doc_ids, {len(set(doc_ids))} of them different, for {corpus_matrix.shape[0]} "
            "rows; each row needs an id of its own"
        )
    # Rows in the order of their ids, so that "higher row first" among equal scores is "doc_id down".
    order = sorted(range(len(doc_ids)), key=doc_ids.__getitem__)
    if order != list(range(len(doc_ids))):
        corpus_matrix, doc_ids = corpus_matrix.tocsr()[order], [doc_ids[row] for row in order]
    found = retrieve_batch(query_vecs, corpus_matrix, idf, k)
    return {
        query_id: [(doc_ids[row], score) for row, score in results]
        for query_id, results in zip(query_ids, found, strict=True)
    }


def weighted_queries(query_vecs: SparseVectors, corpus_matrix: csr_matrix, idf: np.ndarray) -> csr_matrix:
    """Query vectors times IDF (csr, queries × terms, float32). Raises ValueError for another length."""
    if np.shape(idf) != (corpus_matrix.shape[1],):
        raise ValueError(
            f"{len(idf)} IDF values for {corpus_matrix.shape[1]} terms; compute them from this matrix"
        )
    queries = encode_to_csr(query_vecs, corpus_matrix.shape[1])
    with np.errstate(over="ignore"):
        queries.data = queries.data * np.asarray(idf, dtype=np.float32)[queries.indices]
    return as_weights(queries, "query_vecs × idf")


def evaluate_sparse_model(
    model: SparseModel,
    corpus: Corpus,
    queries: Queries,
    qrels: Qrels,
    sparse_dim: int,
    cache_dir: str | Path | None = None,
    batch_size: int = 512,
    k: int = 100,
    use_idf: bool = True,
) -> Evaluation:
    """nDCG, Recall, P and Judged at 1, 5, 10 and 100, MAP and MRR of a model of sparse vectors.

    Encodes the corpus in batches (or takes it from `cache_dir`, if that holds this corpus encoded by this
    model: a few documents are encoded again to see), multiplies the query weights by the IDF of the corpus,
    keeps the k best, evaluates. `use_idf=False` leaves IDF out, for models like SPLADE that have learnt their
    own weights. Only judged queries are encoded; prints how many.

    Raises ValueError for an empty corpus, where no judged query has a text, and for vectors that
    `encode_to_csr` refuses.

    >>> class Letters:
    ...     def encode_documents(self, texts):
    ...         return [{ord(letter) - 97: 1.0 for letter in text} for text in texts]
    ...     encode_queries = encode_documents
    >>> corpus, qrels = {"d1": "ab", "d2": "bc", "d3": "cd"}, {"q1": {"d2": 1}, "q2": {"d9": 1}}
    >>> evaluate_sparse_model(Letters(), corpus, {"q1": "bc"}, qrels, sparse_dim=26)["MRR"]
    Evaluating 1 / 2 queries
    0.5
    """
    check_corpus(corpus)
    check_queries(queries)
    check_whole("k", k, least=0, of="documents")
    query_ids = [query_id for query_id in qrels if query_id in queries]
    print(f"Evaluating {len(query_ids)} / {len(qrels)} queries")
    if not query_ids:
        raise ValueError(
            f"none of the {len(qrels)} judged queries has a text among the {len(queries)} given: wrong split?"
        )
    if cache_dir is not None and not str(cache_dir):
        raise ValueError("cache_dir is an empty path; give a folder, e.g. sparse.cache_path(model, dataset)")
    matrix, idf, doc_ids = _encoded(model, corpus, sparse_dim, cache_dir, batch_size)
    vectors = as_vectors(model.encode_queries([queries[query_id] for query_id in query_ids]))
    if count_vectors(vectors) != len(query_ids):
        raise ValueError(f"encode_queries gave {count_vectors(vectors)} vectors for {len(query_ids)} queries")
    weights = idf if use_idf else np.ones(sparse_dim, dtype=np.float32)
    run = _retrieved(query_ids, vectors, matrix, weights, doc_ids, k)
    return evaluate_retrieval(run, qrels)


def _encoded(
    model: SparseModel, corpus: Corpus, sparse_dim: int, cache_dir: str | Path | None, batch_size: int
) -> tuple[csr_matrix, np.ndarray, list[str]]:
    """Matrix, IDF and doc_ids of a corpus, rows in the order of the ids; from the cache where that fits."""
    doc_ids = sorted(corpus)
    texts = [corpus[doc_id] for doc_id in doc_ids]

    def encode() -> tuple[csr_matrix, np.ndarray]:
        matrix = encode_corpus_batched(texts, model.encode_documents, sparse_dim, batch_size)
        return matrix, compute_idf(matrix)

    if cache_dir is None:
        return *encode(), doc_ids
    rows = sorted({len(texts) * i // PROBES for i in range(PROBES)}) if texts else []
    again = as_vectors(model.encode_documents([texts[row] for row in rows]))
    probe = rows, encode_to_csr(again, sparse_dim)
    made_by = {
        "model": model_name(model),
        "sparse_dim": sparse_dim,
        "corpus": corpus_fingerprint(dict(zip(doc_ids, texts, strict=True))),
    }
    return cached_corpus(cache_dir, doc_ids, made_by, encode, probe)
