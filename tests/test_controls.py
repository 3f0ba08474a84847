"""A counterfactual needs a control: copied words bring back the page they are from, synonyms others too."""

import math

import pytest

from helpers.base.files import QUERIES
from helpers.datasets.labels import load_labels
from helpers.failures.controls import control_rewordings
from helpers.failures.report import analyze
from helpers.failures.rewordings import load_rewordings
from helpers.failures.system import System
from helpers.records import Dataset
from helpers.retrieval.retrievers import CsrBM25


def report(corpus, qrels, query="outage in town", k=1):
    return analyze(
        Dataset("toy", "test", corpus, {"q1": query}, {"q1": qrels}, "written by hand"),
        System("BM25", CsrBM25),
        k=k,
    )


def test_a_synonym_brings_back_the_other_pages_too_and_a_copied_word_only_its_own():
    corpus = {
        "d1": "downtime Anna",
        "d2": "downtime Bert",
        "d3": "outage in town",
        "d4": "outage town",
        "d5": "town outage",
    }
    found = report(corpus, {"d1": 1, "d2": 1}, k=2)
    synonym = control_rewordings(found, {("q1", "d1"): {"outage in town": "downtime"}}).loc["as written"]
    copied = control_rewordings(found, {("q1", "d1"): {"outage in town": "Anna"}}).loc["as written"]
    assert synonym.tolist() == [1, 1] and copied.tolist() == [1, 0]


def test_without_the_words_nothing_is_found_and_without_other_pages_there_is_no_share():
    found = report({"d1": "downtime", "d2": "outage in town"}, {"d1": 1})
    table = control_rewordings(found, {("q1", "d1"): {"outage in town": "downtime"}})
    assert table.loc["nothing", "this page"] == 0
    assert math.isnan(table.loc["as written", "other pages"])


def test_random_words_are_drawn_from_the_page_itself():
    found = report({"d1": "downtime", "d2": "outage in town"}, {"d1": 1})  # one word: every draw is that word
    table = control_rewordings(found, {("q1", "d1"): {"outage in town": "never on the page"}}, draws=3)
    assert table["this page"].to_dict() == {
        "as written": 0,
        "telling words of the page": 1,
        "random words of the page": 1,
        "nothing": 0,
    }


def test_a_report_without_a_reworded_page_cannot_be_controlled():
    with pytest.raises(ValueError, match="none of the 1 missed documents has a rewording"):
        control_rewordings(report({"d1": "downtime", "d2": "outage"}, {"d1": 1}), {("q9", "d1"): {"a": "b"}})


def test_on_the_runbooks_random_words_of_a_page_find_it_nearly_as_well_and_its_fellows_far_less(runbooks):
    found = analyze(
        runbooks,
        System("BM25", lambda corpus: CsrBM25(corpus, lucene_lengths=True)),
        load_labels(QUERIES, runbooks.corpus),
    )
    table = control_rewordings(found, load_rewordings())
    written, drawn = table.loc["as written"], table.loc["random words of the page"]
    assert abs(written["this page"] - drawn["this page"]) < 0.1
    assert written["other pages"] > 1.5 * drawn["other pages"]


def test_a_missed_page_without_text_is_left_out_and_counted():
    swaps = {("q1", doc_id): {"outage in town": "downtime"} for doc_id in ("d1", "gone", "empty")}
    corpus = {"d1": "downtime", "empty": " ", "d2": "outage in town"}
    table = control_rewordings(report(corpus, {"d1": 1, "gone": 1, "empty": 1}), swaps)
    assert table.loc["as written", "this page"] == 1 and table.attrs["left out"] == 2
    assert math.isnan(table.loc["as written", "other pages"])
    with pytest.raises(ValueError, match="none of the 1 missed documents has a rewording and a text"):
        control_rewordings(report({"d2": "outage in town"}, {"gone": 1}), swaps)


@pytest.mark.parametrize("draws", [0, -1, 2.5, True])
def test_without_a_draw_there_is_no_control(draws):
    found = report({"d1": "downtime", "d2": "outage in town"}, {"d1": 1})
    with pytest.raises(ValueError, match=f"draws is {draws}; needed a whole number"):
        control_rewordings(found, {("q1", "d1"): {"outage in town": "downtime"}}, draws=draws)


class DocIdUp:
    """Finds what has a word of the query, all with one score, the lower doc_id first."""

    def __init__(self, corpus):
        self.corpus = corpus

    def search(self, queries, k):
        return {
            query_id: [
                (doc_id, 1.0)
                for doc_id, text in sorted(self.corpus.items())
                if {*text.split()} & {*query.split()}
            ][:k]
            for query_id, query in queries.items()
        }


def test_a_page_that_was_missed_among_equals_does_not_come_back_by_an_order_of_its_own():
    dataset = Dataset(
        "toy",
        "test",
        {f"d{n:02}": "alpha" for n in range(20)},
        {"q1": "outage alpha"},
        {"q1": {"d01": 1}},
        "by hand",
    )
    found = analyze(dataset, System("doc_id up", DocIdUp), k=5)
    assert found.misses["rank"].tolist() == [19]
    assert control_rewordings(found, {("q1", "d01"): {"outage": "alpha"}})["this page"].tolist() == [
        0,
        0,
        0,
        0,
    ]


def test_the_runbooks_telling_words_help_a_querys_other_pages_nearly_as_much_as_synonyms(runbooks):
    # Why the control cannot confirm a gap: topical words of one page find its neighbours, whatever they mean.
    found = analyze(runbooks, System("BM25", CsrBM25), load_labels(QUERIES, runbooks.corpus))
    other = control_rewordings(found, load_rewordings())["other pages"]
    assert other["telling words of the page"] > 1.5 * other["random words of the page"]
