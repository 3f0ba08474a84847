"""What brings a missed page back, on collections so small that it is evident, and what is left out."""

from functools import partial
from math import inf

import pytest

from helpers.datasets.labels import LabelledQuery
from helpers.failures.changes import stems, usual_changes, without_function_words
from helpers.failures.misses import nearest, unjudged_with_quote
from helpers.failures.report import analyze
from helpers.failures.system import System
from helpers.records import Dataset
from helpers.retrieval.retrievers import CsrBM25, RankBM25
from helpers.text.chunking import chunk_paragraphs

STEMMING, PLAIN = System("BM25", CsrBM25), System("plain", lambda corpus: CsrBM25(corpus, str.split))
CUT = System("BM25 over paragraphs", CsrBM25, chunk_paragraphs)


def label(quotes, outdated=()):
    judgments = [{"doc_id": doc_id, "grade": 2, "quote": quote} for doc_id, quote in quotes.items()]
    judgments += [{"doc_id": d, "grade": 0, "quote": "Stop", "superseded": True} for d in outdated]
    about = {"query_id": "q1", "query": "stop relay", "kind": "question", "relevant_doc_ids": list(quotes)}
    return LabelledQuery.model_validate({**about, "judgments": judgments})


def report(corpus, query, system, grades=None, labels=None, **settings):
    grades = grades or {"d1": 2}
    dataset = Dataset("toy", "test", corpus, {"q1": query}, {"q1": grades}, "written by hand")
    return analyze(dataset, system, labels, **settings)


def back_by(*arguments, **settings):
    found = report(*arguments, **settings).misses
    return dict(zip(found["doc_id"], found["back by"], strict=True))


def test_a_page_with_another_ending_is_back_with_stems():
    found = report({"d1": "renewing", "d2": "renew renew now", "d3": "cat"}, "renew", PLAIN, k=2)
    assert found.misses[["rank", "back by"]].values.tolist() == [[inf, "stems"]]
    assert found.after["stems"].between(1, 2).all()


def test_a_system_is_not_asked_to_do_what_it_does_already():
    def names(system):
        return list(usual_changes(system, system.index({"d1": "a cat", "d2": "the dog"})))

    assert names(PLAIN) == ["stems", "no function words", "paragraphs", "tf-idf"]
    assert names(STEMMING) == ["no function words", "paragraphs", "tf-idf"]
    assert names(CUT) == ["no function words", "whole documents", "tf-idf"]


def test_a_retriever_that_says_nothing_of_its_words_has_only_its_cut_changed():
    class Opaque:
        def __init__(self, corpus):
            self.inner = CsrBM25(corpus)

        def search(self, queries, k):
            return self.inner.search(queries, k)

    system = System("opaque", Opaque, chunk_paragraphs)
    assert list(usual_changes(system, system.index({"d1": "cat"}))) == ["whole documents"]


def test_stems_and_function_words_are_changed_in_the_text_so_that_any_engine_can_read_it():
    assert stems("Renewing the Brokers' keys") == "renew the broker' kei"
    assert without_function_words("What is in the cache?").split() == ["cache?"]


def test_a_page_that_lost_to_function_words_is_back_without_them():
    corpus = {"d1": "renewal", "d2": "which when and how to", "d3": "cat", "d4": "dog", "d5": "cow"}
    assert "no function words" in back_by(corpus, "which when and how to renewal", PLAIN, k=1)["d1"]


def test_words_that_the_cut_parts_find_the_whole_document():
    corpus = {"d1": "The relay.\n\nTo restart it, stop both pods.", "d2": "restart pods", "d3": "disk"}
    assert "whole documents" in back_by(corpus, "restart relay pods", CUT, k=1)["d1"].split(" + ")


def test_words_that_share_a_paragraph_find_it_where_the_whole_page_is_too_long():
    long = "stop relay\n\n" + " ".join(f"word{n}" for n in range(300))
    corpus = {"d1": long, "d2": "stop stop relay", "d3": "stop relay now", "d4": "disk"}
    found = report(corpus, "stop relay", STEMMING, k=2)
    assert found.misses["rank"].tolist() == [3] and found.after["paragraphs"].tolist() == [2]


def test_several_changes_may_bring_a_page_back_and_all_are_named():
    corpus = {"d1": "renewing", "d2": "renew renew now", "d3": "cat"}
    ways = {"stems": System("stems", CsrBM25), "by doc_id": System("no words", DocIdUp)}
    assert back_by(corpus, "renew", PLAIN, k=2, changes=ways) == {"d1": "stems + by doc_id"}


class DocIdUp:
    """Finds all, the lower doc_id first."""

    def __init__(self, corpus):
        self.corpus = corpus

    def search(self, queries, k):
        return {q: [(d, -float(n)) for n, d in enumerate(sorted(self.corpus))][:k] for q in queries}


def test_a_near_miss_is_within_half_as_many_results_more():
    corpus = {f"d{n:02}": "relay " + "and more " * n for n in range(1, 20)}
    found = report(corpus, "relay", STEMMING, grades={"d15": 1, "d16": 1}, changes={})
    assert found.misses["rank"].tolist() == [15, 16]
    assert found.misses["back by"].tolist() == ["k = 15", "nothing"]


def test_a_page_below_an_outdated_one_is_back_when_that_is_taken_away():
    corpus = {"d1": "stop the relay and ask first", "d2": "stop relay", "d3": "disk"}
    labels = [label({"d1": "stop the relay"}, outdated=["d2"])]
    found = report(corpus, "stop relay", STEMMING, {"d1": 2, "d2": 0}, labels, k=1, changes={})
    assert found.misses["back by"].tolist() == ["k = 2 + without outdated pages"]
    unmarked = report(corpus, "stop relay", STEMMING, {"d1": 2, "d2": 0}, k=1, changes={})
    assert "without outdated pages" not in unmarked.after


def test_an_outdated_page_is_no_neighbour():
    corpus = {"d1": "relay relay relay", "d2": "relay relay of it", "d3": "relay of it all", "d4": "cat"}
    labels = [label({"d3": "relay"}, outdated=["d2"])]
    found = report(corpus, "relay", STEMMING, {"d3": 2, "d2": 0}, labels, k=1, changes={})
    assert found.misses["neighbour"].tolist() == ["d4"]


def test_a_reworded_page_is_looked_for_with_its_own_query_and_others_are_not_tested():
    corpus = {"d1": "downtime of May", "d2": "outage insurance", "d3": "other things", "d4": "stoppage"}
    found = report(
        corpus,
        "outage",
        STEMMING,
        {"d1": 1, "d4": 1},
        changes={},
        rewordings={("q1", "d1"): {"outage": "downtime"}},
    )
    assert found.misses["back by"].tolist() == ["reworded", "nothing"]
    assert found.summary().loc["reworded", "tested"] == 1


def test_a_page_that_is_not_there_is_said_to_be_missing_and_not_tested():
    found = report({"d2": "disk", "d3": " "}, "relay", STEMMING, {"d1": 2, "d3": 1}, changes={})
    assert found.misses["back by"].tolist() == ["not in the corpus"] * 2
    assert found.after.isna().all(axis=None) and found.summary()["tested"].sum() == 0
    assert "(2 not in the corpus)" in repr(found)


def test_an_unjudged_page_above_with_the_quoted_words_is_named():
    corpus = {
        "d1": "stop the relay, and much more text about other things",
        "d2": "Stop the  RELAY!",
        "d3": "disk",
    }
    labels = [label({"d1": "stop the relay"})]
    found = report(corpus, "stop relay", STEMMING, {"d1": 2}, labels, k=1)
    assert found.misses["quote also in"].tolist() == ["d2"]
    judged = report(corpus, "stop relay", STEMMING, {"d1": 2, "d2": 0}, labels, k=1)
    assert judged.misses["quote also in"].tolist() == [""]


@pytest.mark.parametrize("quote", ["", "…", "no such words"])
def test_a_quote_that_no_page_above_has_names_none(quote):
    assert unjudged_with_quote(quote, ["d1"], {}, {"d1": "stop the relay"}) is None


def test_each_miss_has_a_neighbour_of_its_own_the_nearest_first():
    assert nearest([11, 12], [(13, "a"), (40, "b")]) == ["a", "b"]
    assert nearest([11, 12, 13], [(14, "a")]) == ["a", "", ""]
    assert nearest([inf], [(11, "a"), (inf, "b")]) == ["b"]
    assert nearest([], [(11, "a")]) == []


def test_what_was_found_and_is_lost_by_a_change_is_counted():
    gone = {"gone": System("silent", lambda corpus: Silent()), "same": PLAIN}
    found = report({"d1": "renew", "d2": "cat", "d3": "dog"}, "renew", PLAIN, k=1, changes=gone)
    assert found.misses.empty and found.lost[["gone", "same"]].tolist() == [1, 0]


class Silent:
    """Finds nothing."""

    def search(self, queries, k):
        return {}


@pytest.mark.parametrize("name", ["k = 15", "reworded", "nothing", "a + b", "without outdated pages"])
def test_a_change_has_a_name_of_its_own(name):
    with pytest.raises(ValueError, match="is taken, or holds"):
        report({"d1": "cat"}, "cat", STEMMING, changes={name: PLAIN})


def test_a_system_of_any_making_can_be_a_change():
    corpus = {"d1": "a cat", "d2": "a dog", "d3": "a bird"}
    found = report(corpus, "cat", System("rank-bm25", partial(RankBM25)), changes={"BM25": STEMMING})
    assert list(found.after) == ["k = 15", "BM25"]
