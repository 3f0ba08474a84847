"""Latent semantic analysis: the textbook's decomposition, the same vectors each time, and a retriever like
the others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.evaluation.rankings import ranking
from helpers.retrieval import latent
from helpers.retrieval.bm25 import weigh
from helpers.retrieval.dense import LatentRetriever
from helpers.retrieval.latent import LatentSemantic, unit_vectors
from helpers.retrieval.retrievers import CsrBM25
from helpers.retrieval.vectors import count_terms

TEXTS = [
    "outage database north",
    "downtime database north",
    "outage downtime",
    "lunch menu soup",
    "soup menu north",
    "lunch soup",
]


def decomposed(texts):
    counts, _ = count_terms(texts, str.split)
    _, values, rows = np.linalg.svd(weigh(counts, "tf-idf").documents.toarray().astype(np.float64))
    return values, rows


@pytest.fixture(params=["whole", "by ARPACK"])
def either_way(request, monkeypatch):
    if request.param == "by ARPACK":
        monkeypatch.setattr(latent, "WHOLE", 0)


@pytest.mark.parametrize("dimensions", [1, 2, 4])
def test_singular_values_and_directions_are_those_of_numpy(either_way, dimensions):
    model = LatentSemantic(TEXTS, dimensions, str.split)
    values, rows = decomposed(TEXTS)
    np.testing.assert_allclose(model.singular_values, values[:dimensions], atol=1e-6)
    np.testing.assert_allclose(np.abs(model.directions.T), np.abs(rows[:dimensions]), atol=1e-5)


def test_more_texts_than_terms_make_no_difference_to_the_decomposition():
    texts = ["a b", "b c", "a c", "a", "b", "c c a", "a b c", "c", "b b a"]
    np.testing.assert_allclose(
        LatentSemantic(texts, 3, str.split).singular_values, decomposed(texts)[0][:3], atol=1e-6
    )


def test_the_largest_entry_of_each_dimension_is_positive(either_way):
    directions = LatentSemantic(TEXTS, 4, str.split).directions
    assert (directions.max(axis=0) >= -directions.min(axis=0) - 1e-6).all()


def test_the_same_texts_give_the_same_vectors_each_time(either_way):
    first, second = (LatentSemantic(TEXTS, 3, str.split) for _ in range(2))
    assert np.array_equal(first.encode(TEXTS), second.encode(TEXTS))


def test_more_dimensions_than_the_texts_have_are_clipped_and_the_name_says_so(either_way):
    model = LatentSemantic([*TEXTS, TEXTS[0]], 100, str.split)  # seven texts, of which two are one
    assert model.dimensions <= 6
    assert model.name == f"latent semantic, {model.dimensions} of 100 dimensions, split"
    assert LatentSemantic(TEXTS, 2, str.split).name == "latent semantic, 2 dimensions, split"


def test_with_all_dimensions_the_cosine_is_that_of_tf_idf():
    counts, _ = count_terms(TEXTS, str.split)
    weighted = weigh(counts, "tf-idf").documents
    vectors = LatentSemantic(TEXTS, 100, str.split).encode(TEXTS)
    np.testing.assert_allclose(vectors @ vectors.T, (weighted @ weighted.T).toarray(), atol=1e-5)


def test_synonyms_that_keep_the_same_company_become_alike():
    model = LatentSemantic(TEXTS, 2, str.split)
    outage, downtime, lunch = model.encode(["outage", "downtime", "lunch"])
    assert outage @ downtime > 0.9 > 0.3 > outage @ lunch


def test_a_text_without_a_known_word_is_a_row_of_zeros():
    assert not LatentSemantic(TEXTS, 3, str.split).encode(["", "never seen"]).any()


def test_a_word_that_no_kept_dimension_knows_is_a_row_of_zeros_too():
    model = LatentSemantic(["a b", "a b c", "b c", "z"], 1, str.split)
    assert not model.encode(["z"]).any()


@given(st.lists(st.text("abcd ", max_size=12), min_size=1, max_size=6), st.integers(1, 8))
def test_every_row_has_length_one_or_zero(texts, dimensions):
    if not any(text.split() for text in texts):
        with pytest.raises(ValueError, match="no term in any"):
            LatentSemantic(texts, dimensions, str.split)
        return
    vectors = LatentSemantic(texts, dimensions, str.split).encode([*texts, "unseen"])
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors, axis=1)
    assert (np.isclose(lengths, 1, atol=1e-5) | (lengths == 0)).all()


@pytest.mark.parametrize("dimensions", [0, -1, 2.5, True, "10"])
def test_dimensions_are_a_whole_number_from_one_up(dimensions):
    with pytest.raises(ValueError, match="dimensions is"):
        LatentSemantic(TEXTS, dimensions)


class Letters:
    """An embedding that can be checked by eye: how often a, b and c stand in a text."""

    def encode(self, texts):
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], dtype=float).reshape(
            -1, 3
        )


def test_a_retriever_searches_with_any_model_that_encodes():
    found = LatentRetriever({"d1": "aa", "d2": "ab", "d3": "c"}, Letters()).search({"q": "a"}, k=10)["q"]
    assert found == [("d1", 1.0), ("d2", float(np.float32(round(0.5**0.5, 6))))]


def test_equal_scores_go_by_doc_id_down_and_zero_is_no_result():
    found = LatentRetriever({"d1": "a", "d3": "aa", "d2": "a", "d4": "b", "d5": ""}, Letters()).search(
        {"q": "a"}, k=10
    )["q"]
    assert found == [("d3", 1.0), ("d2", 1.0), ("d1", 1.0)]


def test_a_query_without_a_known_word_finds_nothing():
    assert LatentRetriever({"d1": "a pod", "d2": "the disk"}).search({"q": "unheard", "e": ""}, k=10) == {
        "q": [],
        "e": [],
    }


def test_a_document_without_text_is_indexed_and_never_found():
    assert LatentRetriever({"d1": "a pod", "d2": ""}).search({"q": "pods"}, k=10) == {"q": [("d1", 1.0)]}


def test_no_queries_make_an_empty_run():
    assert LatentRetriever({"d1": "a pod"}).search({}, k=10) == {}


def test_a_query_scores_the_same_alone_and_among_others(runbooks):
    retriever = LatentRetriever(runbooks.corpus)
    run = retriever.search(runbooks.queries, k=100)
    query_id, query = next(iter(runbooks.queries.items()))
    assert retriever.search({query_id: query}, k=100) == {query_id: run[query_id]}
    assert all(
        ranking(query_id, results) == [doc_id for doc_id, _ in results] for query_id, results in run.items()
    )


def test_on_the_runbooks_it_is_another_system_than_bm25_and_about_as_good(runbooks):
    bm25, latent = (
        retriever(runbooks.corpus).search(runbooks.queries, 10) for retriever in (CsrBM25, LatentRetriever)
    )
    shared = [len(dict(bm25[query_id]).keys() & dict(latent[query_id]).keys()) for query_id in bm25]
    assert sum(shared) / len(shared) < 7  # of ten
    ndcg = [evaluate_retrieval(run, runbooks.qrels, metrics=["nDCG@10"])["nDCG@10"] for run in (bm25, latent)]
    assert ndcg[1] == pytest.approx(ndcg[0], abs=0.05)


@pytest.mark.parametrize("corpus", [{}, {1: "a"}])
def test_a_retriever_needs_documents_with_ids_of_text(corpus):
    with pytest.raises(ValueError, match="corpus"):
        LatentRetriever(corpus)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([1.0, 2.0], "needed one row for each"),
        ([[1.0]], "needed one row for each"),
        ([[1.0], [np.nan]], "'second' holds a value"),
    ],
)
def test_what_a_model_gives_is_checked(vectors, message):
    class Model:
        name = "broken"

        def encode(self, texts):
            return vectors

    with pytest.raises(ValueError, match=f"broken: .*{message}"):
        unit_vectors(Model(), ["first", "second"])


def test_a_model_needs_encode():
    with pytest.raises(ValueError, match="needed an object with encode"):
        unit_vectors(object(), ["text"])


def test_a_list_of_texts_is_not_one_text():
    with pytest.raises(ValueError, match="one text"):
        LatentSemantic(TEXTS).encode("outage")


@pytest.mark.parametrize("nothing", [None, float("nan"), 7])
def test_what_is_no_text_is_named_by_its_place_or_id(nothing):
    kind = type(nothing).__name__
    with pytest.raises(ValueError, match=f"text 2 is of type {kind}; needed its text"):
        LatentSemantic(["a cat", nothing])
    with pytest.raises(ValueError, match=f"document 'd2' is of type {kind}; needed its text"):
        LatentRetriever({"d1": "a cat", "d2": nothing})
