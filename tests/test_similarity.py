"""Judging by similarity: what the published formulas say, where they mislead, and that who labels wins."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.judgments.similarity import (
    circularity,
    create_domain_benchmark,
    labels_by,
    semantic_accuracy_evaluation,
)
from helpers.records import Dataset
from helpers.retrieval.dense import LatentRetriever
from helpers.retrieval.latent import LatentSemantic
from helpers.retrieval.retrievers import CsrBM25


class Letters:
    """An embedding that can be checked by eye: how often a and b stand in a text."""

    def encode(self, texts):
        return np.array([[text.count("a"), text.count("b")] for text in texts], dtype=float)


def scores(queries, retrieved, relevant, model=None):
    return semantic_accuracy_evaluation(queries, retrieved, relevant, model or Letters())[
        "semantic_accuracy_scores"
    ]


def test_it_is_the_mean_over_the_retrieved_by_the_maximum_over_the_relevant():
    # cos(a, a) = 1, cos(a, b) = 0; cos(a, aaabbbb) = 3/5, the best of the relevant ones
    assert scores(["a"], [["b", "b", "a", "b"]], [["aaabbbb", "b"]]) == [pytest.approx((1 / 4) / (3 / 5))]


def test_the_mean_is_over_the_queries():
    found = semantic_accuracy_evaluation(["a", "b"], [["a"], ["a"]], [["a"], ["b"]], Letters())
    assert found == {"semantic_accuracy_mean": 0.5, "semantic_accuracy_scores": [1.0, 0.0]}


def test_a_wrong_document_that_repeats_the_question_scores_one():
    assert scores(["a"], [["a"]], [["abb"]]) == [1.0]


def test_exactly_the_relevant_documents_score_below_one():
    assert scores(["a"], [["a", "aaabbbb"]], [["a", "aaabbbb"]]) == [pytest.approx((1 + 3 / 5) / 2)]


def test_the_order_of_the_ranking_counts_for_nothing():
    assert scores(["a"], [["a", "b"]], [["a"]]) == scores(["a"], [["b", "a"]], [["a"]])


@pytest.mark.parametrize(("retrieved", "relevant"), [([], ["a"]), (["a"], []), (["a"], ["b"])])
def test_nothing_to_compare_counts_zero(retrieved, relevant):
    assert scores(["a"], [retrieved], [relevant]) == [0.0]


def test_without_a_model_a_latent_one_is_fitted_on_the_texts():
    texts = ["how to trace a parcel", "tracing parcels", "lunch menu", "where is the parcel"]
    lists = [[texts[1], texts[2]]], [[texts[1], texts[3]]]
    one = semantic_accuracy_evaluation([texts[0]], *lists)
    assert one == semantic_accuracy_evaluation([texts[0]], *lists, LatentSemantic(texts))
    assert 0 < one["semantic_accuracy_mean"] < 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], [], []), "queries is empty"),
        ((["a", "b"], [["a"]], [["a"], ["b"]]), "2 queries, 1 lists retrieved, 2 lists of ground truth"),
        (("a", [["a"]], [["a"]]), "queries is a str"),
        ((["a"], ["a"], [["a"]]), "retrieved_docs, entry 0: needed a list of texts"),
        ((["a"], [["a"]], [[1]]), "ground_truth, entry 0: needed a list of texts"),
        (([5], [["a"]], [["a"]]), "queries, entry 0: needed a text, found 5"),
    ],
)
def test_lists_that_do_not_belong_together_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        semantic_accuracy_evaluation(*arguments, Letters())


DOCUMENTS = {"d1": "aaa aaa aab aaa", "d2": "bbb bba bbb", "d3": "aaab aaa"}


def test_one_query_for_each_document_and_template():
    queries, _ = create_domain_benchmark(DOCUMENTS, ["{topic}?", "{concept}"], Letters())
    assert queries == {
        "d1-t1": "aaa?",
        "d1-t2": "aab",
        "d2-t1": "bbb?",
        "d2-t2": "bba",
        "d3-t1": "aaab?",
        "d3-t2": "aaa",
    }


def test_the_words_are_frequent_here_and_rare_elsewhere_and_stems_count_together():
    documents = {"d1": "Pods run. Pod shop Pods.", "d2": "A shop and a disk, a shop disk.", "d3": "shop run"}
    queries, _ = create_domain_benchmark(
        documents, ["{topic} {concept} {subject} {theme}|{doc}"], threshold=0
    )
    assert (
        queries["d1-t1"] == "Pods run shop shop|Pods run shop"
    )  # "shop" is everywhere; three words, so the last comes again
    assert queries["d2-t1"] == "disk shop shop shop|disk shop"


def test_relevant_is_what_lies_above_the_threshold():
    _, qrels = create_domain_benchmark(DOCUMENTS, ["{topic}"], Letters(), threshold=0.9)
    assert qrels == {"d1-t1": {"d1": 1, "d3": 1}, "d2-t1": {"d2": 1}, "d3-t1": {"d1": 1, "d3": 1}}


def test_a_cosine_that_equals_the_threshold_is_not_above_it():
    _, qrels = create_domain_benchmark({"d1": "aaa", "d2": "aaabbbb"}, ["{topic}"], Letters(), threshold=0.6)
    assert qrels["d1-t1"] == {"d1": 1}


def test_a_query_that_nothing_answers_stays_and_is_named():
    corpus = {
        "d1": "aaab bbba",
        "d2": "bbb",
    }  # cos(aaab, aaab bbba) = (3 * 4 + 1 * 4) / (sqrt(10) * sqrt(32)) = 0.894
    queries, qrels = create_domain_benchmark(corpus, ["{topic}?"], Letters(), threshold=0.9)
    assert qrels == {"d1-t1": {"d1": 0}, "d2-t1": {"d2": 1}}
    assert evaluate_retrieval(CsrBM25(corpus).search(queries), qrels, metrics=["MRR"]).no_relevant == [
        "d1-t1"
    ]


def test_documents_may_be_objects_with_id_and_content():
    objects = [SimpleNamespace(id=doc_id, content=text) for doc_id, text in DOCUMENTS.items()]
    assert create_domain_benchmark(objects, ["{topic}"], Letters()) == create_domain_benchmark(
        DOCUMENTS, ["{topic}"], Letters()
    )


def test_on_the_runbooks_every_document_gets_queries_with_ids_of_their_own(runbooks):
    templates = ["What does this document say about {topic}?", "How is {concept} explained in the text?"]
    queries, qrels = create_domain_benchmark(runbooks.corpus, templates)
    assert len(queries) == 2 * len(runbooks.corpus)
    assert queries.keys() == qrels.keys()
    assert all(set(grades.values()) <= {0, 1} for grades in qrels.values())


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("about {title}?", "{title} is unknown"),
        ("about {}?", "{} is unknown"),
        ("about {doc.content}?", "{doc.content} is unknown"),
        ("about it?", "asks the same of every document"),
        ("about {topic?", "a brace of its own is written twice"),
    ],
)
def test_a_template_that_cannot_be_filled_is_refused(template, message):
    with pytest.raises(ValueError, match=message):
        create_domain_benchmark(DOCUMENTS, ["{topic}", template], Letters())


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ({}, "no document"),
        ({"d1": "12 of 34"}, "no word"),
        ([SimpleNamespace(id="d1", content="aaa"), SimpleNamespace(id="d1", content="bbb")], "given 2 times"),
        (["a text"], "objects with id and content"),
        ({1: "aaa"}, "ids are text"),
        ({"d1": "aaa", "d2": None}, "document 'd2' is of type NoneType; needed its text"),
    ],
)
def test_documents_that_cannot_be_asked_about_are_refused(documents, message):
    with pytest.raises(ValueError, match=message):
        create_domain_benchmark(documents, ["{topic}"], Letters())


@pytest.mark.parametrize("threshold", [1, -2, "0.7", True])
def test_a_threshold_is_a_cosine(threshold):
    with pytest.raises(ValueError, match="threshold is"):
        create_domain_benchmark(DOCUMENTS, ["{topic}"], Letters(), threshold)


def test_templates_are_a_list():
    for templates in ("{topic}", []):
        with pytest.raises(ValueError, match="query_templates is"):
            create_domain_benchmark(DOCUMENTS, templates, Letters())


@pytest.fixture(scope="module")
def lab(runbooks):
    latent = {
        f"latent {n}": LatentRetriever(runbooks.corpus, LatentSemantic(runbooks.corpus.values(), n))
        for n in (25, 50, 200)
    }
    return circularity(runbooks, {"BM25": CsrBM25(runbooks.corpus), **latent})


def test_whoever_labels_wins(lab):
    labelled = lab.drop(index="judgments")
    assert (labelled.idxmax(axis=1) == labelled.index).all()
    assert np.diag(labelled).tolist() == [1.0] * 4


def test_a_labeller_favours_its_relatives_and_the_judgments_do_not(lab):
    lead = lab["latent 25"] - lab["BM25"]
    assert lead["latent 50"] > 0.1 > 0 > lead["judgments"]


def test_the_row_of_the_judgments_is_the_plain_evaluation(lab, runbooks):
    run = CsrBM25(runbooks.corpus).search(runbooks.queries, 1000)
    assert (
        lab.loc["judgments", "BM25"]
        == evaluate_retrieval(run, runbooks.qrels, metrics=["nDCG@10"])["nDCG@10"]
    )


def test_a_query_without_results_cannot_be_labelled():
    with pytest.raises(ValueError, match="query 'q2': nothing was retrieved"):
        labels_by({"q1": [("d1", 1.0)], "q2": []}, n_relevant=1)


@pytest.mark.parametrize("n_relevant", [0, 1.5, True])
def test_labels_need_a_number_of_documents(n_relevant):
    with pytest.raises(ValueError, match="n_relevant is"):
        labels_by({"q1": [("d1", 1.0)]}, n_relevant)


@pytest.mark.parametrize("retrievers", [{}, {"judgments": None}])
def test_the_lab_needs_retrievers_and_keeps_the_name_of_the_judgments(runbooks, retrievers):
    with pytest.raises(ValueError, match="retrievers are"):
        circularity(runbooks, retrievers)


def test_a_retriever_that_is_not_built_yet_is_named_and_so_is_what_gives_no_results():
    with pytest.raises(ValueError, match=r"CsrBM25 is a class; needed a retriever .*CsrBM25\(corpus\)"):
        circularity(TOY, {"a": CsrBM25})
    with pytest.raises(ValueError, match=r"entry 1 \('hits'\): score .* is not a number"):
        circularity(TOY, {"a": Searching({"hits": [{"id": "d1"}]})})
    with pytest.raises(ValueError, match="retrievers is a list; needed a dict {name: retriever}"):
        circularity(TOY, [CsrBM25])


def test_a_retriever_of_another_corpus_or_without_results_is_named():
    right = Searching([("d1", 1.0)])
    with pytest.raises(ValueError, match="retriever 'b' finds none of the documents of 'toy', e.g. 'x1'"):
        circularity(TOY, {"a": right, "b": Searching([("x1", 1.0)])}, n_relevant=1)
    with pytest.raises(ValueError, match="retriever 'b', query 'q1': nothing was retrieved"):
        circularity(TOY, {"a": right, "b": Searching([])}, n_relevant=1)
    of_chunks = Dataset("toy", "test", TOY.corpus, TOY.queries, {"q1": {"d1#0": 1}}, "by hand")
    chunks = Searching([("d1#0", 2.0), ("d1#1", 1.0)])
    assert circularity(of_chunks, {"a": chunks}, 1, "MRR").loc["judgments", "a"] == 1.0


def test_a_retriever_that_gives_scores_by_id_labels_as_one_that_gives_pairs():
    pairs, scores = Searching([("d2", 2.0), ("d1", 1.0)]), Searching({"d1": 1.0, "d2": 2.0})
    table = circularity(TOY, {"pairs": pairs, "scores": scores}, n_relevant=1, metric="MRR")
    assert table.loc["scores"].tolist() == table.loc["pairs"].tolist() == [1.0, 1.0]


TOY = Dataset("toy", "test", {"d1": "a cat", "d2": "a dog"}, {"q1": "cats"}, {"q1": {"d1": 1}}, "by hand")


class Searching:
    def __init__(self, given):
        self.given = given

    def search(self, queries, k):
        return dict.fromkeys(queries, self.given)


def test_templates_that_can_be_read_only_once_are_read_once():
    documents = {"d1": "Refunds: a refund takes nine days.", "d2": "Parcels: how a parcel is traced."}
    templates = ["What is said about {topic}?", "Where is {topic}?"]
    assert create_domain_benchmark(documents, iter(templates)) == create_domain_benchmark(
        documents, templates
    )


def test_a_table_of_documents_is_told_what_to_give():
    table = pd.DataFrame({"id": ["d1", "d2"], "text": ["Refunds take nine days.", "Parcels are traced."]})
    with pytest.raises(ValueError, match="domain_documents is a DataFrame; give dict"):
        create_domain_benchmark(table, ["What is {topic}?"])
    assert create_domain_benchmark(dict(zip(table["id"], table["text"], strict=True)), ["What is {topic}?"])


def test_ids_in_the_place_of_texts_are_asked_about():
    with pytest.warns(UserWarning, match="every text of .* is one word, as 'd1': are these ids"):
        semantic_accuracy_evaluation(["relay restart"], [["d1", "d2"]], [["d1"]])
