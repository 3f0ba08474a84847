"""Counting, weighting and the exact top k: by hand, against dense arithmetic, and for any matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_matrix

from helpers import sparse

WEIGHTS = st.sampled_from([0.0, 0.0, 0.5, 1.0, 2.0])
MATRICES = hnp.arrays(np.float32, st.tuples(st.integers(1, 12), st.integers(1, 6)), elements=WEIGHTS)


def test_counts_by_hand():
    counts, vocabulary = sparse.count_terms(["b a b", "", "c"], str.split)
    assert list(vocabulary) == ["b", "a", "c"]
    assert counts.toarray().tolist() == [[2, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert (counts.data.tolist(), counts.indices.tolist(), counts.indptr.tolist()) == ([2, 1, 1], [0, 1, 2], [0, 2, 2, 3])


def test_a_query_is_counted_in_the_documents_columns_and_unknown_terms_are_dropped():
    _, vocabulary = sparse.count_terms(["b a", "c"], str.split)
    counts, _ = sparse.count_terms(["c x c", "x"], str.split, vocabulary)
    assert counts.toarray().tolist() == [[0, 0, 2], [0, 0, 0]]
    assert len(vocabulary) == 3


def test_an_empty_vocabulary_takes_queries_too():
    counts, vocabulary = sparse.count_terms(["", ""], str.split)
    assert counts.shape == (2, 0)
    assert sparse.count_terms(["x"], str.split, vocabulary)[0].shape == (1, 0)


def test_vectors_become_rows_and_an_empty_last_row_and_column_stay():
    matrix = sparse.encode_to_csr([{3: 1.5, 0: 2.0}, {}], sparse_dim=6)
    assert matrix.shape == (2, 6)
    assert matrix.toarray().tolist() == [[2.0, 0, 0, 1.5, 0, 0], [0] * 6]
    assert (matrix.indices.dtype, matrix.data.dtype) == (np.int32, np.float32)
    assert sparse.encode_to_csr([], sparse_dim=6).shape == (0, 6)


@pytest.mark.parametrize("vector", [{6: 1.0}, {-1: 1.0}, {0: float("nan")}, {0: float("inf")}])
def test_a_vector_that_does_not_fit_is_refused_with_its_place(vector):
    with pytest.raises(ValueError, match=r"vector 2: dimension .* 0 to 5"):
        sparse.encode_to_csr([{0: 1.0}, {}, vector], sparse_dim=6)


def test_document_frequency_counts_documents_and_no_stored_zero():
    matrix = csr_matrix((np.array([5.0, 0.0, 1.0]), [0, 1, 0], [0, 2, 3]), shape=(2, 3))
    assert sparse.document_frequency(matrix).tolist() == [2, 0, 0]


@given(MATRICES)
def test_idf_is_above_zero_and_falls_with_document_frequency(dense):
    matrix = csr_matrix(dense)
    df, idf = sparse.document_frequency(matrix), sparse.compute_idf(matrix)
    assert df.tolist() == (dense != 0).sum(axis=0).tolist()
    assert (idf > 0).all()
    assert (np.diff(idf[np.argsort(df, kind="stable")]) <= 0).all()


def test_bm25_weights_by_hand():
    # Lengths 4 and 2, mean 3; k1 = 1, b = 0.5.
    weights = sparse.bm25_weights(csr_matrix([[3, 1, 0], [0, 1, 1]]), k1=1, b=0.5).toarray()
    long, short = 1 - 0.5 + 0.5 * 4 / 3, 1 - 0.5 + 0.5 * 2 / 3
    assert weights == pytest.approx(np.array([[3 / (3 + long), 1 / (1 + long), 0], [0, 1 / (1 + short), 1 / (1 + short)]]))


def test_documents_without_terms_weigh_nothing():
    assert sparse.bm25_weights(csr_matrix((3, 2), dtype=np.int32)).nnz == 0


def lucene_round_trip(length: int) -> int:
    """One length through Lucene's SmallFloat, bit by bit, as an independent statement of `round_length`."""
    if length < 24:
        return length
    bits = (length - 24).bit_length()
    shift = max(bits - 4, 0)
    return 24 + ((length - 24) >> shift << shift)


@given(st.integers(0, 2**31 - 1))
def test_a_length_in_one_byte_is_lucenes(length):
    assert sparse.round_length(np.array([length]))[0] == lucene_round_trip(length)


def test_one_byte_has_256_lengths_exact_below_40():
    assert len(sparse.LUCENE_LENGTHS) == len(set(sparse.LUCENE_LENGTHS.tolist())) == 256
    assert sparse.LUCENE_LENGTHS[:41].tolist() == list(range(41))
    assert (np.diff(sparse.LUCENE_LENGTHS) > 0).all()


@given(hnp.arrays(np.float64, st.integers(0, 30), elements=st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0])), st.integers(0, 40))
def test_top_k_is_the_head_of_a_full_sort(scores, k):
    everything = sorted((i for i in range(len(scores)) if scores[i] > 0), key=lambda i: (scores[i], i), reverse=True)
    assert sparse.top_k(scores, k).tolist() == everything[:k]


@given(MATRICES, st.data(), st.integers(0, 15), st.integers(1, 3))
def test_one_query_a_batch_and_dense_arithmetic_agree(dense, data, k, batch_size):
    queries = data.draw(hnp.arrays(np.float32, st.tuples(st.integers(1, 5), st.just(dense.shape[1])), elements=WEIGHTS))
    idf = np.ones(dense.shape[1], dtype=np.float32)
    batches = list(sparse.search(csr_matrix(queries), csr_matrix(dense).T.tocsr(), k, batch_size))
    for query, (documents, scores) in zip(queries, batches, strict=True):
        expected = sparse.top_k(dense @ query, k)
        assert documents.tolist() == expected.tolist()
        assert scores.tolist() == (dense @ query)[expected].tolist()
        vector = {int(dim): float(query[dim]) for dim in np.flatnonzero(query)}
        assert sparse.retrieve_top_k(vector, csr_matrix(dense), idf, k) == list(zip(documents, scores, strict=True))


def test_what_would_be_cut_or_spread_in_silence_is_refused():
    with pytest.raises(ValueError, match="k is -1"):
        sparse.top_k(np.ones(3), -1)
    with pytest.raises(ValueError, match="dimension 1.2 is not a whole number"):
        sparse.encode_to_csr([{1.2: 1.0}], sparse_dim=3)
    with pytest.raises(ValueError, match="1 IDF values for 2 terms"):
        sparse.retrieve_top_k({0: 1.0}, csr_matrix([[1.0, 2.0]]), np.ones(1))


def test_an_entry_stored_in_two_parts_counts_as_one_document():
    matrix = csr_matrix((np.array([1.0, 1.0]), [0, 0], [0, 2]), shape=(1, 1))
    assert sparse.document_frequency(matrix).tolist() == [1]


def test_an_empty_query_retrieves_nothing():
    assert sparse.retrieve_top_k({}, csr_matrix([[1.0]]), np.ones(1), k=10) == []
