"""The published analyzer: each miss in one of four categories, wrong documents apart, shares that add up."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.failures.analyzer import CATEGORIES, RetrievalErrorAnalyzer
from helpers.retrieval.retrievers import CsrBM25

CORPUS = {
    "pods": "The pods of the checkout restart when memory runs out.",
    "lunch": "Lunch is served at noon in the canteen.",
    "menu": "The menu of the canteen: soup, bread and the pod of a pea.",
    "empty": " \n",
}


class Says:
    """A model whose cosine of any two different texts is the one given."""

    def __init__(self, cosine):
        self.cosine = cosine

    def encode(self, texts):
        return [[1.0, 0.0], [self.cosine, (1 - self.cosine**2) ** 0.5]][: len(texts)]


def category_of(query, doc_id, model=None):
    analyzer = RetrievalErrorAnalyzer(CORPUS, model)
    (entry,) = analyzer.analyze_failures(query, [], [doc_id])
    (category,) = [name for name, entries in analyzer.error_categories.items() if entry in entries]
    return category, entry


@pytest.mark.parametrize(
    ("doc_id", "issue"), [("nowhere", "not in the corpus"), ("empty", "no text in the corpus")]
)
def test_what_was_never_indexed_is_missing_coverage(doc_id, issue):
    category, entry = category_of("pods", doc_id)
    assert (category, entry["issue"]) == ("index_coverage", issue)


def test_a_document_without_a_word_of_the_query_is_a_failure_to_understand_it():
    assert category_of("outage", "pods")[0] == "query_understanding"


def test_stopwords_are_no_overlap():
    assert category_of("what is the outage of the site?", "lunch")[0] == "query_understanding"


def test_a_query_of_stopwords_alone_shares_no_content_word():
    assert category_of("is it the", "pods")[0] == "query_understanding"


def test_punctuation_and_endings_do_not_hide_an_overlap():
    assert category_of("Restarting pod?", "pods", Says(0.9))[0] == "ranking_quality"


@pytest.mark.parametrize(
    ("cosine", "category"), [(0.29, "semantic_drift"), (0.3, "ranking_quality"), (0.9, "ranking_quality")]
)
def test_the_cosine_tells_drift_from_a_good_match_ranked_low(cosine, category):
    found, entry = category_of("pod", "menu", Says(cosine))
    assert found == category
    assert entry["similarity"] == pytest.approx(cosine, abs=1e-6)


def test_a_model_given_with_the_query_serves_that_query_only():
    analyzer = RetrievalErrorAnalyzer(CORPUS, Says(0.9))
    assert (
        analyzer.analyze_failures("pod", [], ["menu"], similarity_model=Says(0.1))[0]["issue"]
        == "low similarity"
    )
    assert analyzer.analyze_failures("pod", [], ["menu"])[0]["issue"] == "good match ranked too low"


def test_without_a_model_a_latent_one_is_fitted_once_and_only_when_needed():
    analyzer = RetrievalErrorAnalyzer(CORPUS)
    analyzer.analyze_failures("outage", [], ["pods"])
    assert analyzer.similarity_model is None
    analyzer.analyze_failures("pod memory", [], ["pods"])
    fitted = analyzer.similarity_model
    analyzer.analyze_failures("canteen", [], ["menu"])
    assert analyzer.similarity_model is fitted


def test_what_was_retrieved_is_no_miss_and_what_was_not_expected_stands_apart():
    analyzer = RetrievalErrorAnalyzer(CORPUS)
    assert analyzer.analyze_failures("pods", ["lunch", "pods", "menu"], {"pods"}) == []
    assert [(entry["doc_id"], entry["rank"]) for entry in analyzer.false_positives] == [
        ("lunch", 1),
        ("menu", 3),
    ]
    assert all(share == {"count": 0, "percentage": 0.0} for share in analyzer.get_error_summary().values())


@pytest.mark.parametrize(
    "retrieved", [["lunch"], [("lunch", 2.5)], [SimpleNamespace(id="lunch", score=2.5, rank=1)]]
)
def test_retrieved_documents_may_be_ids_pairs_or_objects(retrieved):
    analyzer = RetrievalErrorAnalyzer(CORPUS)
    assert [
        entry["doc_id"] for entry in analyzer.analyze_failures("outage", retrieved, ["pods", "lunch"])
    ] == ["pods"]


def test_nothing_failed_is_no_division_by_zero():
    assert RetrievalErrorAnalyzer(CORPUS).get_error_summary() == {
        name: {"count": 0, "percentage": 0.0} for name in CATEGORIES
    }


@given(
    st.lists(
        st.tuples(st.sampled_from(["pod", "outage", "canteen menu"]), st.sampled_from([*CORPUS, "x"])),
        max_size=8,
    )
)
def test_shares_sum_to_a_hundred_or_all_are_zero(misses):
    analyzer = RetrievalErrorAnalyzer(CORPUS, Says(0.2))
    for query, doc_id in misses:
        analyzer.analyze_failures(query, [], [doc_id])
    summary = analyzer.get_error_summary()
    assert sum(share["percentage"] for share in summary.values()) == pytest.approx(100 if misses else 0)
    assert sum(share["count"] for share in summary.values()) == len(set(misses))


def test_a_query_that_is_given_again_counts_its_misses_once():
    analyzer = RetrievalErrorAnalyzer(CORPUS, Says(0.9))
    for _ in range(2):
        assert len(analyzer.analyze_failures("pod", ["lunch"], ["menu"])) == 1
    assert analyzer.get_error_summary()["ranking_quality"]["count"] == len(analyzer.false_positives) == 1
    analyzer.analyze_failures("pod", ["lunch"], ["pods"])  # more of what was expected of the same query
    analyzer.analyze_failures("outage", ["lunch"], ["menu"])
    assert sum(share["count"] for share in analyzer.get_error_summary().values()) == 3
    analyzer.analyze_failures("pod", ["menu"], ["menu"])  # found by now
    assert sum(share["count"] for share in analyzer.get_error_summary().values()) == 2


def test_retrieved_documents_that_the_corpus_lacks_are_told(recwarn):
    analyzer = RetrievalErrorAnalyzer(CORPUS, Says(0.9))
    for retrieved in ([], ["lunch"], ["lunch", "a page that was taken away"]):
        analyzer.analyze_failures("pod", retrieved, ["menu"])
    assert not recwarn.list
    said = r"the corpus has none of the 2 documents retrieved, e.g. 'menu.md' was retrieved, and 'pods' is in"
    with pytest.warns(UserWarning, match=said):
        analyzer.analyze_failures("pod", ["menu.md", "lunch.md"], ["menu"])


def test_on_the_runbooks_every_miss_at_ten_gets_one_category(runbooks):
    run = CsrBM25(runbooks.corpus).search(runbooks.queries, k=10)
    analyzer = RetrievalErrorAnalyzer(runbooks.corpus)
    relevant = {
        query_id: [d for d, grade in grades.items() if grade > 0]
        for query_id, grades in runbooks.qrels.items()
    }
    for query_id, query in runbooks.queries.items():
        analyzer.analyze_failures(query, run[query_id], relevant[query_id])
    recall = evaluate_retrieval(run, runbooks.qrels, metrics=["Recall@10"]).per_query["Recall@10"]
    missed = sum(round((1 - recall[query_id]) * len(doc_ids)) for query_id, doc_ids in relevant.items())
    assert sum(share["count"] for share in analyzer.get_error_summary().values()) == missed > 0
    assert len(analyzer.false_positives) == sum(map(len, run.values())) - (
        sum(map(len, relevant.values())) - missed
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["pods"], [], []), "the query is a list"),
        (("pods", [], "d1"), "expected_docs is the text"),
        (("pods", ["d1", "d1"], []), "stands twice"),
        (("pods", [], [1]), "ids are text"),
    ],
)
def test_what_is_no_ranking_and_no_list_of_ids_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        RetrievalErrorAnalyzer(CORPUS).analyze_failures(*arguments)


def test_a_corpus_is_a_dict():
    with pytest.raises(ValueError, match="the corpus is a list"):
        RetrievalErrorAnalyzer(["a text"])


def test_a_document_judged_not_relevant_is_no_miss_and_retrieved_a_false_positive():
    analyzer = RetrievalErrorAnalyzer(CORPUS, Says(0.9))
    assert [
        entry["doc_id"] for entry in analyzer.analyze_failures("pod", ["lunch"], {"pods": 1, "menu": 0})
    ] == ["pods"]
    analyzer.analyze_failures("pod", ["menu"], {"pods": 1, "menu": 0})
    assert [entry["doc_id"] for entry in analyzer.false_positives] == ["lunch", "menu"]


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_a_document_that_is_no_text_counts_as_without_text_and_harms_no_other(nothing):
    analyzer = RetrievalErrorAnalyzer({**CORPUS, "gap": nothing})
    issues = {
        entry["doc_id"]: entry["issue"]
        for entry in analyzer.analyze_failures("pod memory", [], ["pods", "gap"])
    }
    assert (
        issues["gap"] == "no text in the corpus"
        and "similarity" in analyzer.error_categories["ranking_quality"][0]
    )
