"""Retrieval with IDF: one query, all queries and a batch agree; a model is evaluated as its vectors
deserve."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_matrix

from helpers.retrieval import sparse

N_TERMS = 5
DENSE = hnp.arrays(
    np.float32,
    st.tuples(st.integers(1, 12), st.just(N_TERMS)),
    elements=st.sampled_from([0.0, 0.0, 0.5, 1.0, 0.3]).map(np.float32),
)
VECTORS = st.lists(
    st.dictionaries(st.integers(0, N_TERMS - 1), st.sampled_from([0.0, 0.7, 1.0, -1.0]), max_size=4),
    max_size=5,
)
IDF = hnp.arrays(np.float32, N_TERMS, elements=st.sampled_from([0.0, 0.1, 1.0, 2.5]).map(np.float32))


@settings(max_examples=60)
@given(DENSE, VECTORS, IDF, st.integers(0, 15), st.randoms())
def test_one_query_a_batch_and_all_queries_agree(dense, query_vecs, idf, k, random):
    matrix = csr_matrix(dense)
    single = [sparse.retrieve_top_k(vector, matrix, idf, k) for vector in query_vecs]
    assert sparse.retrieve_batch(query_vecs, matrix, idf, k) == single
    doc_ids = [f"{row:02}" for row in range(len(dense))]
    run = sparse.retrieve_all_queries(
        {f"q{i}": vector for i, vector in enumerate(query_vecs)}, matrix, idf, doc_ids, k
    )
    assert list(run.values()) == [[(doc_ids[row], score) for row, score in results] for results in single]
    # Rows in another order are other rows under the same names: the run stays what it is.
    order = random.sample(range(len(dense)), len(dense))
    shuffled = (
        {f"q{i}": vector for i, vector in enumerate(query_vecs)},
        matrix[order],
        idf,
        [doc_ids[row] for row in order],
        k,
    )
    assert sparse.retrieve_all_queries(*shuffled) == run


def test_a_score_is_query_weight_times_document_weight_times_idf():
    found = sparse.retrieve_top_k(
        {0: 2.0, 2: 1.0}, csr_matrix([[3.0, 0.0, 1.0], [1.0, 9.0, 0.0]]), np.array([1.0, 5.0, 4.0])
    )
    assert found == [(0, 2 * 3 * 1 + 1 * 1 * 4), (1, 2 * 1 * 1)]


def test_an_empty_query_retrieves_nothing():
    matrix, idf = csr_matrix([[1.0]]), np.ones(1)
    assert sparse.retrieve_top_k({}, matrix, idf, k=10) == []
    assert sparse.retrieve_batch([{}, {0: 1.0}], matrix, idf, k=10) == [[], [(0, 1.0)]]
    assert sparse.retrieve_all_queries({"q": {}}, matrix, idf, ["d"]) == {"q": []}


def test_idf_of_another_matrix_is_refused():
    with pytest.raises(ValueError, match="1 IDF values for 2 terms"):
        sparse.retrieve_top_k({0: 1.0}, csr_matrix([[1.0, 2.0]]), np.ones(1))


@pytest.mark.parametrize("doc_ids", [["d1"], ["d1", "d1"], ["d1", 2]])
def test_each_row_needs_a_doc_id_of_its_own(doc_ids):
    with pytest.raises(ValueError, match="doc_ids"):
        sparse.retrieve_all_queries({"q": {0: 1.0}}, csr_matrix([[1.0], [2.0]]), np.ones(1), doc_ids)


class Letters:
    """A model whose vectors can be checked by eye: one dimension a letter."""

    name = "letters"

    def __init__(self):
        self.encoded = 0

    def encode_documents(self, texts):
        self.encoded += len(texts)
        return self.encode_queries(texts)

    def encode_queries(self, texts):
        return [{ord(letter) - ord("a"): 1.0 for letter in text if letter.isalpha()} for text in texts]


CORPUS = {"d2": "abc", "d1": "ab", "d3": "xyz", "d4": "xa", "d5": "xb", "d6": "xc"}
QUERIES, QRELS = (
    {"q1": "xyz", "q2": "ab", "unjudged": "c"},
    {"q1": {"d3": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}},
)


def test_a_model_is_evaluated_on_all_judged_queries_and_says_how_many_it_could_search(capsys):
    found = sparse.evaluate_sparse_model(Letters(), CORPUS, QUERIES, QRELS, sparse_dim=26)
    assert capsys.readouterr().out == "Evaluating 2 / 3 queries\n"
    # q1: d3 first. q2: d2 and d1 score the same, d2 goes first. q3 has no text and counts 0.
    assert found["MRR"] == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert found.missing == ["q3"]
    assert {"nDCG@1", "nDCG@5", "nDCG@10", "nDCG@100", "Recall@100", "MAP"} <= found.keys()


def test_idf_can_be_left_out_for_weights_that_are_learnt():
    corpus = {"d1": "ab", "d2": "ac", "d3": "ad"} | {f"x{i}": "b" for i in range(9)}
    model, queries, qrels = Letters(), {"q": "ab"}, {"q": {"d1": 1, "x0": 1}}
    with_idf = sparse.evaluate_sparse_model(model, corpus, queries, qrels, 26)
    without = sparse.evaluate_sparse_model(model, corpus, queries, qrels, 26, use_idf=False)
    # "a" is in 3 of 12 documents and "b" in 10: with IDF d2 and d3 go before all x, without it x8 is first.
    assert with_idf["MAP"] == pytest.approx((1 / 1 + 2 / 12) / 2)
    assert without["MAP"] == pytest.approx((1 / 1 + 2 / 10) / 2)


def test_a_corpus_is_encoded_once_and_again_when_it_or_the_model_changes(tmp_path, capsys):
    model = Letters()

    def evaluate(corpus=CORPUS, model=model):
        found = sparse.evaluate_sparse_model(
            model, corpus, QUERIES, QRELS, 26, cache_dir=tmp_path / "letters" / "toy"
        )
        return found, capsys.readouterr().out

    first, _ = evaluate()
    assert model.encoded >= len(CORPUS)
    before = model.encoded
    again, said = evaluate()
    assert again == first
    assert "read from cache" in said
    assert model.encoded - before <= sparse.PROBES  # only the few that are compared

    changed, said = evaluate(CORPUS | {"d1": "ba", "d3": "q"})
    assert "encoded again" in said
    assert changed["MRR"] < first["MRR"]

    class Doubled(Letters):
        def encode_documents(self, texts):
            return [
                {dim: 2 * weight for dim, weight in vector.items()}
                for vector in super().encode_documents(texts)
            ]

    evaluate()
    _, said = evaluate(model=Doubled())
    assert "encoded again" in said


def test_no_judged_query_with_a_text_is_an_error_and_not_a_zero():
    with pytest.raises(ValueError, match="none of the 3 judged queries .* wrong split"):
        sparse.evaluate_sparse_model(Letters(), CORPUS, {"other": "ab"}, QRELS, 26)


@pytest.mark.parametrize(
    ("vector", "matrix", "idf", "k", "message"),
    [
        ({0: 1.0}, [[1.0]], [np.nan], 1, "query_vecs × idf, row 0"),
        ({0: 3e38}, [[1.0]], [100.0], 1, "query_vecs × idf, row 0"),
        ({0: 1.0}, [[np.nan]], [1.0], 1, "matrix, row 0"),
        ({0: 1.0}, [[1.0]], [1.0], -1, "k is -1"),
        ({0: 1.0}, [[1.0]], [1.0], 1.5, "k is 1.5"),
    ],
)
def test_one_query_and_a_batch_refuse_the_same(vector, matrix, idf, k, message):
    for retrieve in (sparse.retrieve_top_k, lambda vector, *rest: sparse.retrieve_batch([vector], *rest)):
        with pytest.raises(ValueError, match=message):
            retrieve(vector, csr_matrix(matrix), np.array(idf), k)


def test_asking_for_more_than_there_is_costs_nothing():
    assert sparse.retrieve_batch([{0: 1.0}], csr_matrix([[1.0]]), np.ones(1), k=10**15) == [[(0, 1.0)]]


def test_a_model_that_loses_a_query_is_noticed():
    class Forgetful(Letters):
        def encode_documents(self, texts):
            return Letters().encode_queries(texts)

        def encode_queries(self, texts):
            return super().encode_queries(texts)[1:]

    with pytest.raises(ValueError, match="encode_queries gave 1 vectors for 2 queries"):
        sparse.evaluate_sparse_model(Forgetful(), CORPUS, QUERIES, QRELS, 26)


def test_an_empty_cache_folder_is_refused():
    with pytest.raises(ValueError, match="cache_dir is an empty path"):
        sparse.evaluate_sparse_model(Letters(), CORPUS, QUERIES, QRELS, 26, cache_dir="")


class SomeLetters:
    def encode_documents(self, texts):
        return [{ord(letter) - 97: 1.0 for letter in text} for text in texts]

    encode_queries = encode_documents


MATRIX = csr_matrix(np.ones((2, 3)))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"corpus": {}}, "the corpus holds no document"),
        ({"corpus": None}, "corpus is a NoneType"),
        ({"corpus": {"d1": None}}, "document 'd1' is of type NoneType"),
        ({"queries": ["ab"]}, "queries is a list; needed a dict"),
        ({"model": None}, "evaluate_sparse_model: model is None; needed SparseModel"),
    ],
)
def test_what_is_no_model_corpus_or_query_is_not_evaluated(changed, words):
    right = {
        "model": SomeLetters(),
        "corpus": {"d1": "ab"},
        "queries": {"q": "ab"},
        "qrels": {"q": {"d1": 1}},
    }
    assert sparse.evaluate_sparse_model(**right, sparse_dim=26)["MRR"] == 1
    with pytest.raises(ValueError, match=words):
        sparse.evaluate_sparse_model(**{**right, **changed}, sparse_dim=26)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sparse.retrieve_top_k([1, 0], MATRIX, np.ones(3)), "retrieve_top_k: query_vec is .1, 0."),
        (lambda: sparse.retrieve_batch([{0: 1.0}], MATRIX, None), "retrieve_batch: idf is None"),
        (lambda: sparse.retrieve_all_queries([{0: 1.0}], MATRIX, np.ones(3), ["a", "b"]), "query_vecs is"),
        (lambda: sparse.retrieve_all_queries({}, MATRIX, np.ones(3), {"a": 0, "b": 1}), "doc_ids is"),
        (lambda: sparse.encode_to_csr({0: 1.0}, 3), "encode_to_csr: sparse_vecs.* is"),
        (lambda: sparse.count_terms(["a"], str.split, 5), "count_terms: vocabulary is 5"),
    ],
)
def test_an_argument_of_a_wrong_type_is_named_behind_the_door_too(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("value", ["x", "1.5", None])
def test_a_weight_that_is_no_number_is_named_with_its_vector(value):
    with pytest.raises(ValueError, match="vector 1: dimension 2 has the value .*; needed a number"):
        sparse.encode_to_csr([{0: 1.0}, {2: value}], 3)
