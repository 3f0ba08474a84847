"""The exact top k: every path, every batch and dense arithmetic agree, for any matrix, to the last bit."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_matrix

from helpers.retrieval import compiled, sparse_index
from helpers.retrieval.sparse_index import SparseIndex, top_k

ENGINES = [
    "scipy",
    pytest.param(
        "compiled", marks=pytest.mark.skipif("not __import__('importlib.util').util.find_spec('numba')")
    ),
]
WEIGHTS = st.sampled_from(
    [0.0, 0.0, 0.0, 0.1, 0.5, 1.0, 2.0, -0.5, 1e-20]
)  # few values, so that scores are often equal
N_TERMS = 5


def stored(rows):
    """A CSR matrix as unkind as they come: columns in any order, some entries in two parts, zeros stored."""
    entries = [(column, value) for row in rows for column, value in row]
    indptr = np.cumsum([0] + [len(row) for row in rows])
    columns, values = (list(part) for part in zip(*entries, strict=True)) if entries else ([], [])
    return csr_matrix(
        (np.array(values, np.float32), np.array(columns, np.int32), indptr), shape=(len(rows), N_TERMS)
    )


ROWS = st.lists(st.tuples(st.integers(0, N_TERMS - 1), WEIGHTS), max_size=7)
MATRICES, QUERIES = st.lists(ROWS, max_size=14).map(stored), st.lists(ROWS, max_size=6).map(stored)


def by_hand(matrix, queries, k):
    """Dense arithmetic in the stated order: double precision, term after term, rounded once, then a full
    sort."""
    weights, documents, scores = matrix.toarray(), [], []
    for query in queries.toarray():
        sums = np.zeros(len(weights))
        for term in range(N_TERMS):
            sums += np.float64(query[term]) * weights[:, term].astype(np.float64)
        rounded = sums.astype(np.float32)
        best = sorted(
            (row for row in range(len(weights)) if rounded[row] > 0),
            key=lambda row: (rounded[row], row),
            reverse=True,
        )
        padding = [-1] * (k - len(best))
        documents.append(best[:k] + padding)
        scores.append([float(rounded[row]) for row in best[:k]] + [0.0] * len(padding))
    return documents, scores


@pytest.mark.parametrize("engine", ENGINES)
@given(MATRICES, QUERIES, st.integers(0, 20), st.integers(1, 30), st.integers(1, 15))
def test_every_path_batch_and_block_gives_what_dense_arithmetic_gives(
    engine, matrix, queries, k, postings_at_a_time, block
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sparse_index, "POSTINGS_AT_A_TIME", postings_at_a_time)
        patch.setattr(sparse_index, "DOCUMENTS_IN_A_BLOCK", block)
        documents, scores = SparseIndex(matrix, engine).search(queries, k)
    assert (documents.dtype, scores.dtype) == (np.int32, np.float32)
    assert documents.shape == scores.shape == (queries.shape[0], k)
    assert (documents.tolist(), scores.tolist()) == by_hand(matrix, queries, k)


def plain_loop(index, queries, k, block, spare):
    """The compiled loop as plain Python, where both sizes can be changed: compiled code has them built in."""
    documents, scores = (
        np.full((queries.shape[0], k), -1, np.int32),
        np.zeros((queries.shape[0], k), np.float32),
    )
    with pytest.MonkeyPatch.context() as patch:
        for name in ("search_queries", "add_up", "take_out", "keep_best", "packed", "unpack"):
            function = getattr(compiled, name)
            patch.setattr(compiled, name, getattr(function, "py_func", function))
        patch.setattr(compiled, "DOCUMENTS_AT_A_TIME", block)
        patch.setattr(compiled, "SPARE", spare)
        rows = queries.indptr, queries.indices, queries.data
        postings = index.starts, index.documents, index.weights, index.n_documents
        compiled.search_queries(*rows, *postings, k, documents, scores)
    return documents, scores


@given(MATRICES, QUERIES, st.integers(1, 20), st.integers(1, 9), st.integers(1, 3))
def test_the_compiled_loop_may_take_documents_in_blocks_and_keep_candidates_as_it_likes(
    matrix, queries, k, block, spare
):
    index, queries = SparseIndex(matrix, "scipy"), sparse_index.as_weights(queries, "queries")
    documents, scores = plain_loop(index, queries, k, block, spare)
    expected = index.search(queries, k)
    assert documents.tolist() == expected[0].tolist()
    assert scores.tobytes() == expected[1].tobytes()


@pytest.mark.parametrize("block", [2, 3, 5, 64])
def test_scores_at_both_ends_of_32_bits_are_ordered_like_others(block):
    # Documents 0 to 5 overflow to infinity, 6 to 8 are equal, and the least number above zero comes last.
    largest, least = np.finfo(np.float32).max, np.float32(1e-45)
    weights = np.array([largest] * 6 + [1, 1, 1, least, least], np.float32)[:, None]
    index, queries = SparseIndex(csr_matrix(weights), "scipy"), csr_matrix(np.array([[2]], np.float32))
    for k in range(1, 13):
        with np.errstate(over="ignore"):
            documents, scores = plain_loop(index, queries, k, block, spare=1)
        best_first = [5, 4, 3, 2, 1, 0, 8, 7, 6, 10, 9]
        assert documents[0].tolist() == best_first[:k] + [-1] * (k - len(best_first))
        assert scores.tobytes() == index.search(queries, k)[1].tobytes()
    # Half of the least number is rounded to zero and so no result, whether or not k have been found.
    halved = plain_loop(index, csr_matrix(np.array([[0.5]], np.float32)), 11, block, spare=1)
    assert halved[0][0].tolist() == [5, 4, 3, 2, 1, 0, 8, 7, 6, -1, -1]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_collection_of_several_blocks_is_searched_to_its_end(engine):
    # Two blocks and a half of the compiled loop; many equal scores, so the last documents must win.
    n = compiled.DOCUMENTS_AT_A_TIME * 5 // 2
    weights = np.where(np.arange(n) % 3 == 0, 2.0, 1.0).astype(np.float32)
    documents, scores = SparseIndex(csr_matrix(weights[:, None]), engine).search(
        csr_matrix([[1.0], [3.0]]), k=4
    )
    last = [row for row in range(n - 1, 0, -1) if row % 3 == 0][:4]
    assert documents.tolist() == [last, last]
    assert scores.tolist() == [[2.0] * 4, [6.0] * 4]


@pytest.mark.parametrize("engine", ENGINES)
def test_many_queries_on_all_cores_keep_their_rows(engine, monkeypatch):
    monkeypatch.setattr(sparse_index, "POSTINGS_AT_A_TIME", 50)
    rng = np.random.default_rng(0)
    dense = rng.integers(0, 3, (40, 8)) * rng.random((40, 8), dtype=np.float32)
    queries = csr_matrix(rng.integers(0, 2, (100, 8)).astype(np.float32))
    documents, _ = SparseIndex(csr_matrix(dense), engine).search(queries, k=3)
    alone = [
        SparseIndex(csr_matrix(dense), engine).search(queries[row], k=3)[0][0].tolist() for row in range(100)
    ]
    assert documents.tolist() == alone


def test_a_small_search_does_not_wait_for_numba_and_a_large_one_does(monkeypatch):
    index, small = SparseIndex(csr_matrix(np.ones((3, 1)))), sparse_index.WORTH_COMPILING - 1
    monkeypatch.setattr(compiled, "COMPILED", True)
    monkeypatch.setattr(compiled, "search_queries", SimpleNamespace(signatures=["one set of types"]))
    assert index._compile(0)  # its machine code is there already
    monkeypatch.setattr(compiled, "search_queries", SimpleNamespace(signatures=[]))
    assert not index._compile(small) and index._compile(small + 1)
    monkeypatch.delitem(sparse_index.sys.modules, "helpers.retrieval.compiled")
    assert not index._compile(small)
    assert SparseIndex(csr_matrix([[1.0]]), "scipy")._compile(10**12) is False


def test_without_numba_scipy_does_the_work_and_the_compiled_engine_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(compiled, "COMPILED", False)
    assert not SparseIndex(csr_matrix([[1.0]]))._compile(10**12)
    with pytest.raises(ValueError, match="'compiled' needs numba; run: pip install numba"):
        SparseIndex(csr_matrix([[1.0]]), "compiled")


def test_the_index_holds_eight_bytes_a_posting_and_leaves_the_matrix_alone():
    matrix = stored([[(1, 1.0), (0, 2.0), (0, 1.0), (2, 0.0)], [(2, 4.0)]])
    before = matrix.copy()
    index = SparseIndex(matrix)
    assert (
        index.documents.nbytes + index.weights.nbytes == 8 * 3
    )  # two entries are one posting, a stored zero is none
    assert (matrix.data.tolist(), matrix.indices.tolist()) == (before.data.tolist(), before.indices.tolist())


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones((2, 2)), "the matrix is a ndarray; needed a SciPy CSR matrix"),
        (csr_matrix([[1.0, 0.0], [0.0, np.nan]]), "the matrix, row 1: a value is not a finite 32-bit number"),
        (csr_matrix([[1e300]]), "the matrix, row 0"),
    ],
)
def test_a_matrix_that_would_give_wrong_scores_is_refused(matrix, message):
    with pytest.raises(ValueError, match=message):
        SparseIndex(matrix)


def test_queries_that_do_not_fit_the_index_are_refused():
    index = SparseIndex(csr_matrix([[1.0, 2.0]]))
    with pytest.raises(ValueError, match="queries over 3 terms, an index of 2"):
        index.search(csr_matrix([[1.0, 1.0, 1.0]]), k=1)
    with pytest.raises(ValueError, match="the query matrix, row 0"):
        index.search(csr_matrix([[np.inf, 1.0]]), k=1)
    for k in (-1, 1.5, True):
        with pytest.raises(ValueError, match="k is .*0 or more"):
            index.search(csr_matrix([[1.0, 1.0]]), k)
    with pytest.raises(ValueError, match="engine is 'gpu'; it can be 'auto'"):
        SparseIndex(csr_matrix([[1.0]]), "gpu")


@given(
    hnp.arrays(np.float64, st.integers(0, 30), elements=st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0])),
    st.integers(0, 40),
)
def test_top_k_is_the_head_of_a_full_sort(scores, k):
    everything = sorted(
        (i for i in range(len(scores)) if scores[i] > 0), key=lambda i: (scores[i], i), reverse=True
    )
    assert top_k(scores, k).tolist() == everything[:k]


def test_a_negative_k_is_refused():
    with pytest.raises(ValueError, match="k is -1"):
        top_k(np.ones(3), -1)


def test_queries_of_another_type_are_rounded_before_both_engines_see_them():
    # 16777217 = 2^24 + 1 is no 32-bit floating-point number.
    matrix, queries = csr_matrix(np.array([[3, 0], [0, 3]], np.float32)), csr_matrix([[16777217, 16777216]])
    documents, scores = SparseIndex(matrix, "scipy").search(queries, 2)
    assert (documents.tolist(), scores.tolist()) == ([[1, 0]], [[50331648.0, 50331648.0]])


@pytest.mark.parametrize("layout", ["tocsc", "tocoo", "tobsr", "tolil"])
def test_every_sparse_layout_gives_the_same_results(layout):
    matrix = csr_matrix([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    documents, scores = SparseIndex(getattr(matrix, layout)()).search(
        getattr(csr_matrix([[1.0, 1.0, 1.0]]), layout)(), 2
    )
    assert (documents.tolist(), scores.tolist()) == ([[1, 0]], [[3.0, 3.0]])


def test_parts_of_an_entry_that_overflow_together_are_refused():
    matrix = csr_matrix((np.array([3e38, 3e38], np.float32), [0, 0], [0, 2]), shape=(1, 1))
    with pytest.raises(ValueError, match="the matrix, row 0"):
        SparseIndex(matrix)


def test_a_column_outside_of_the_matrix_is_refused_before_it_is_read():
    matrix = csr_matrix((1, 2), dtype=np.float32)
    matrix.data, matrix.indices, matrix.indptr = (
        np.ones(1, np.float32),
        np.array([7], np.int32),
        np.array([0, 1], np.int32),
    )
    with pytest.raises(ValueError, match="column 7"):
        SparseIndex(matrix)


def test_document_numbers_without_a_sign_are_ordered_like_others():
    found, _ = sparse_index.best_k(np.array([1, 2, 0], np.uint32), np.ones(3, np.float32), 2)
    assert found.tolist() == [2, 1]


def test_a_k_far_beyond_the_documents_is_refused_before_its_places_are_made():
    index = SparseIndex(csr_matrix([[1.0]]))
    assert index.search(csr_matrix([[1.0]]), 5)[0].tolist() == [[0, -1, -1, -1, -1]]
    with pytest.raises(ValueError, match="places for so many do not fit into memory; give 1"):
        index.search(csr_matrix([[1.0]]), 10**12)


def test_a_score_that_is_no_number_does_not_make_its_document_vanish():
    with pytest.raises(
        ValueError, match="the score of document 1 is NaN; needed a number for every document"
    ):
        top_k(np.array([0.1, np.nan, 0.3]), 3)
