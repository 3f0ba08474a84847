"""From texts and encodings to a matrix: counting, packing, document frequency and IDF, by hand and for any
matrix."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_matrix

from helpers.retrieval import LatentSemantic, bm25, vectors

MATRICES = hnp.arrays(
    np.float32,
    st.tuples(st.integers(1, 12), st.integers(1, 6)),
    elements=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
)
VECTORS = st.lists(st.dictionaries(st.integers(0, 7), st.floats(-4, 4, width=32), max_size=5), max_size=7)


def test_counts_by_hand():
    counts, vocabulary = vectors.count_terms(["b a b", "", "c"], str.split)
    assert list(vocabulary) == ["b", "a", "c"]
    assert counts.toarray().tolist() == [[2, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert (counts.data.tolist(), counts.indices.tolist(), counts.indptr.tolist()) == (
        [2, 1, 1],
        [0, 1, 2],
        [0, 2, 2, 3],
    )


def test_a_query_is_counted_in_the_documents_columns_and_unknown_terms_are_dropped():
    _, vocabulary = vectors.count_terms(["b a", "c"], str.split)
    counts, _ = vectors.count_terms(["c x c", "x"], str.split, vocabulary)
    assert counts.toarray().tolist() == [[0, 0, 2], [0, 0, 0]]
    assert vocabulary == {"b": 0, "a": 1, "c": 2}


def test_the_vocabulary_does_not_grow_when_somebody_asks_for_a_term_that_it_lacks():
    _, vocabulary = vectors.count_terms(["a"], str.split)
    with pytest.raises(KeyError):
        vocabulary["b"]


def test_an_empty_vocabulary_takes_queries_too():
    counts, vocabulary = vectors.count_terms(["", ""], str.split)
    assert counts.shape == (2, 0)
    assert vectors.count_terms(["x"], str.split, vocabulary)[0].shape == (1, 0)


def test_texts_may_come_from_a_stream():
    stream = (text for text in ["a a", "b"])
    assert vectors.count_terms(stream, str.split)[0].toarray().tolist() == [[2, 0], [0, 1]]


@given(VECTORS)
def test_vectors_become_rows_whatever_their_order(sparse_vecs):
    matrix = vectors.encode_to_csr(sparse_vecs, sparse_dim=8)
    assert matrix.toarray().tolist() == [[vector.get(dim, 0.0) for dim in range(8)] for vector in sparse_vecs]
    assert (matrix.indices.dtype, matrix.data.dtype) == (np.int32, np.float32)
    assert matrix.has_sorted_indices


def test_an_empty_last_row_and_column_stay():
    assert vectors.encode_to_csr([{3: 1.5, 0: 2.0}, {}], sparse_dim=6).shape == (2, 6)
    assert vectors.encode_to_csr([], sparse_dim=6).shape == (0, 6)


def test_dimensions_beyond_32_bits_get_64():
    matrix = vectors.encode_to_csr([{2**31: 1.0}], sparse_dim=2**31 + 1)
    assert (matrix.indices.dtype, matrix.indices.tolist()) == (np.int64, [2**31])


@pytest.mark.parametrize("vector", [{6: 1.0}, {-1: 1.0}, {0: float("nan")}, {0: float("inf")}, {0: 1e39}])
def test_a_vector_that_does_not_fit_is_refused_with_its_place(vector):
    with pytest.raises(ValueError, match=r"vector 2: dimension .* 0 to 5"):
        vectors.encode_to_csr([{0: 1.0}, {}, vector], sparse_dim=6)


def test_a_dimension_that_is_no_whole_number_is_refused():
    with pytest.raises(ValueError, match="dimension 1.2 is not a whole number"):
        vectors.encode_to_csr([{1.2: 1.0}], sparse_dim=3)


@given(VECTORS, st.integers(1, 9))
def test_batches_give_what_one_call_gives(sparse_vecs, batch_size):
    texts = [str(number) for number in range(len(sparse_vecs))]
    matrix = vectors.encode_corpus_batched(
        texts, lambda batch: [sparse_vecs[int(text)] for text in batch], 8, batch_size
    )
    whole = vectors.encode_to_csr(sparse_vecs, 8)
    assert matrix.shape == whole.shape
    assert (matrix != whole).nnz == 0
    assert (matrix.indices.dtype, matrix.data.dtype) == (np.int32, np.float32)


def test_an_encoder_gets_at_most_a_batch_of_texts_and_each_once():
    seen = []
    vectors.encode_corpus_batched(
        (str(i) for i in range(5)), lambda texts: seen.append(texts) or [{}] * len(texts), 3, 2
    )
    assert seen == [["0", "1"], ["2", "3"], ["4"]]


def test_an_encoder_that_loses_a_text_is_noticed():
    with pytest.raises(ValueError, match="texts 2 to 3: encode_fn gave 1 vectors for 2"):
        vectors.encode_corpus_batched(
            list("abcd"), lambda texts: [{}] * (1 if "c" in texts else 2), 3, batch_size=2
        )
    with pytest.raises(ValueError, match="in the batch that starts at text 2: vector 1: dimension 3"):
        vectors.encode_corpus_batched(
            list("abcd"), lambda texts: [{3: 1.0} if text == "d" else {} for text in texts], 3, 2
        )
    with pytest.raises(ValueError, match="batch_size is 0"):
        vectors.encode_corpus_batched(["a"], lambda texts: [{}], 3, batch_size=0)


def test_document_frequency_counts_documents_and_no_stored_zero():
    matrix = csr_matrix((np.array([5.0, 0.0, 1.0]), [0, 1, 0], [0, 2, 3]), shape=(2, 3))
    assert vectors.document_frequency(matrix).tolist() == [2, 0, 0]


def test_an_entry_stored_in_two_parts_counts_as_one_document():
    matrix = csr_matrix((np.array([1.0, 1.0]), [0, 0], [0, 2]), shape=(1, 1))
    assert vectors.document_frequency(matrix).tolist() == [1]


@given(MATRICES)
def test_idf_is_above_zero_and_falls_with_document_frequency(dense):
    matrix = csr_matrix(dense)
    df, idf = vectors.document_frequency(matrix), bm25.compute_idf(matrix)
    assert df.tolist() == (dense != 0).sum(axis=0).tolist()
    assert (idf > 0).all()
    assert (np.diff(idf[np.argsort(df, kind="stable")]) <= 0).all()


@pytest.mark.parametrize("vocabulary", [{"a": 0, "h": 7}, {"a": -1, "h": 0}])
def test_a_vocabulary_with_gaps_is_refused_with_its_cure(vocabulary):
    with pytest.raises(ValueError, match="number its terms 0, 1, 2 .* number them anew"):
        vectors.count_terms(["a b h"], str.split, vocabulary)


def test_document_frequency_is_of_columns_in_every_layout():
    matrix = csr_matrix([[1, 1], [1, 0], [1, 0]])
    assert (
        vectors.document_frequency(matrix.tocsc()).tolist()
        == vectors.document_frequency(matrix.tocoo()).tolist()
        == [3, 1]
    )


@pytest.mark.parametrize("texts", [{"d1": "a b"}, "a b"])
def test_a_corpus_is_not_counted_by_its_ids_nor_a_text_by_its_letters(texts):
    with pytest.raises(ValueError, match="corpus.values()"):
        vectors.count_terms(texts, str.split)
    with pytest.raises(ValueError, match="corpus.values()"):
        vectors.encode_corpus_batched(texts, lambda batch: [{}] * len(batch), 3)


def test_an_encoder_may_give_a_generator():
    matrix = vectors.encode_corpus_batched(["a", "b"], lambda texts: ({0: 1.0} for _ in texts), 1)
    assert matrix.toarray().tolist() == [[1.0], [1.0]]
    assert vectors.encode_to_csr(({0: 1.0} for _ in range(2)), 1).toarray().tolist() == [[1.0], [1.0]]


@pytest.mark.parametrize("sparse_dim", [None, 26.0, "26", -1])
def test_a_number_of_dimensions_is_a_whole_number(sparse_dim):
    with pytest.raises(ValueError, match="sparse_dim is"):
        vectors.encode_to_csr([{}], sparse_dim)


def test_a_dimension_beyond_every_matrix_is_refused_like_any_other():
    with pytest.raises(ValueError, match="beyond every matrix"):
        vectors.encode_to_csr([{2**70: 1.0}], 10)


def test_a_table_is_no_list_of_texts():
    table = pd.DataFrame({"text": ["a cat", "a dog"]})
    for call in (lambda: vectors.count_terms(table, str.split), lambda: LatentSemantic(table)):
        with pytest.raises(ValueError, match="texts is a table .DataFrame.; give the column"):
            call()
    assert LatentSemantic(table["text"]).encode(["cat"]).any()
