"""The report: every miss once, each with exactly one cause; counts, shares, ranks; and what is refused."""

import statistics
from dataclasses import replace
from functools import partial
from math import inf

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.chunk_lab import fill_context
from helpers.base import files
from helpers.datasets.labels import Judgment, LabelledQuery, load_labels
from helpers.failures.causes import CAUSES
from helpers.failures.misses import ANY_KIND
from helpers.failures.report import FALSE_POSITIVES, MISSES, analyze
from helpers.failures.search_setup import tokens_needed
from helpers.failures.system import System
from helpers.records import Chunk, Dataset
from helpers.retrieval.retrievers import CsrBM25, RankBM25
from helpers.text import tokens
from helpers.text.chunking import chunk_fixed, chunk_paragraphs

ENCODING = tokens.load_stand_in()
WHOLE, CUT = System("BM25", CsrBM25), System("BM25 over paragraphs", CsrBM25, chunk_paragraphs)
CORPUS = {"d1": "relay and outbox", "d2": "relay relay", "d3": "downtime of the shop", "d4": "disk"}
QUERIES = {"q1": "relay", "q2": "outage", "q3": "disk"}
QRELS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d3": 1}, "q3": {"d4": 0}}
TOY = Dataset("toy", "test", CORPUS, QUERIES, QRELS, "written by hand")


class Silent:
    """A retriever that finds nothing."""

    def __init__(self, corpus):
        pass

    def search(self, queries, k):
        return {}


WORDS = st.sampled_from(["relay", "relays", "outbox", "pod", "the", "disk 9", "\n\n", "x."])
TEXTS = st.lists(WORDS, max_size=9).map(" ".join)
SYSTEMS = st.sampled_from(
    [
        WHOLE,
        CUT,
        System("plain", RankBM25),
        System("plain, cut", RankBM25, chunk_paragraphs),
        System("silent", Silent),
    ]
)


@st.composite
def datasets(draw):
    corpus = {f"d{n}": text for n, text in enumerate(draw(st.lists(TEXTS, min_size=1, max_size=7)))} | {
        "d99": "anything"
    }
    queries = {f"q{n}": text for n, text in enumerate(draw(st.lists(TEXTS, min_size=1, max_size=3)))}
    judged = st.dictionaries(st.sampled_from([*corpus, "gone"]), st.integers(0, 2), min_size=1, max_size=5)
    return Dataset(
        "random", "test", corpus, queries, {query_id: draw(judged) for query_id in queries}, "hypothesis"
    )


def quoting(dataset):
    """Labels that quote the last word of each relevant document, as far as it has one."""
    labels = []
    for query_id, grades in dataset.qrels.items():
        words = {
            doc_id: (dataset.corpus.get(doc_id, "").split() or [""])[-1]
            for doc_id, grade in grades.items()
            if grade
        }
        judgments = [
            Judgment(doc_id=doc_id, grade=grades[doc_id], quote=word) for doc_id, word in words.items()
        ]
        about = {"query": dataset.queries[query_id], "kind": "question", "relevant_doc_ids": tuple(words)}
        labels.append(LabelledQuery.model_construct(query_id=query_id, judgments=tuple(judgments), **about))
    return labels


@given(datasets(), st.booleans(), SYSTEMS, st.integers(1, 3), st.sampled_from([None, 1, 4]))
@settings(max_examples=70)
def test_every_miss_has_exactly_one_cause_and_nothing_is_missed_twice_or_not_at_all(
    dataset, labelled, system, k, budget
):
    report = analyze(
        dataset, system, quoting(dataset) if labelled else None, k=k, budget=budget, encoding=ENCODING
    )
    relevant = {
        (q, d): grade for q, grades in dataset.qrels.items() for d, grade in grades.items() if grade > 0
    }
    missed = list(zip(report.misses["query_id"], report.misses["doc_id"], strict=True))
    assert len(set(missed)) == len(missed) and set(missed) <= relevant.keys()
    found = {(q, d) for q, results in report.run.items() for d, _ in results[:k]}
    assert relevant.keys() - found <= set(missed)
    if budget is None:
        assert not found & set(missed)
    assert set(report.misses["cause"]) <= set(CAUSES)
    assert (report.misses["evidence"].str.len() > 0).all() and (
        report.misses["counterfactual"].str.len() > 0
    ).all()
    assert not report.misses.loc[report.misses["back"], "rank after"].isin([inf]).any()
    outweighed = report.misses[report.misses["cause"] == "outweighed"]
    assert all(
        dataset.qrels[q].get(by, 0) < 1
        for q, by in zip(outweighed["query_id"], outweighed["by"], strict=True)
    )
    summary = report.summary()
    assert list(summary.index) == list(CAUSES)
    assert summary["count"].sum() == len(missed) == report.by_kind().to_numpy().sum()
    assert summary["share"].sum() == pytest.approx(1 if missed else 0)
    assert (summary["came back"] <= summary["count"]).all()


@given(
    st.lists(st.tuples(st.sampled_from(["d1", "d2"]), st.integers(0, 9), st.integers(1, 9)), max_size=6),
    st.integers(1, 60),
)
def test_tokens_needed_is_where_filling_the_context_first_holds_the_span(pieces, budget):
    text = " one two-three four five"
    ranked = [
        Chunk(doc_id, n, text[start : start + size], start, start + size)
        for n, (doc_id, start, size) in enumerate(pieces)
    ]
    held = {
        i
        for doc_id, first, last in fill_context(ranked, ENCODING, budget)
        for i in range(first, last)
        if doc_id == "d1"
    }
    assert (tokens_needed(ranked, "d1", (2, 6), ENCODING) <= budget) == ({2, 3, 4, 5} <= held)


def test_where_nothing_failed_the_tables_are_empty_and_nothing_is_divided_by_zero():
    report = analyze(replace(TOY, queries={"q1": "relay"}, qrels={"q1": {"d2": 1, "d1": 1}}), WHOLE)
    assert list(report.misses) == MISSES and report.misses.empty
    assert list(report.false_positives) == FALSE_POSITIVES and report.false_positives.empty
    assert report.summary().to_numpy().sum() == 0 and report.by_kind().to_numpy().sum() == 0
    assert (report.failed, report.median_first_rank) == ([], 1)


def test_the_columns_have_the_same_types_with_misses_and_without():
    with_misses = analyze(TOY, WHOLE, k=1)
    without = analyze(replace(TOY, queries={"q3": "disk"}, qrels={"q3": {"d4": 1}}), WHOLE, k=1)
    for column in ("grade", "rank", "rank after", "back"):
        assert with_misses.misses[column].dtype == without.misses[column].dtype
    assert with_misses.false_positives["judged"].dtype == without.false_positives["judged"].dtype == bool


def test_a_query_without_a_relevant_document_misses_nothing():
    report = analyze(TOY, WHOLE)
    assert (
        "q3" not in set(report.misses["query_id"])
        and "q3" not in report.failed
        and "q3" not in report.first_ranks
    )


def test_false_positives_are_kept_apart_and_say_whether_anybody_judged_them():
    report = analyze(replace(TOY, qrels={**QRELS, "q1": {"d1": 2}, "q3": {"d4": 0}}), WHOLE)
    assert report.false_positives.to_numpy().tolist() == [["q1", "d2", 1, False], ["q3", "d4", 1, True]]
    assert list(report.misses["query_id"]) == ["q2"]


def test_a_miss_counts_in_the_median_of_first_ranks():
    report = analyze(TOY, WHOLE)
    assert report.first_ranks.to_dict() == {"q1": 2, "q2": inf}
    assert report.median_first_rank == statistics.median([2, inf]) == inf
    assert report.failed == ["q2"]


def test_a_query_failed_only_if_none_of_its_relevant_documents_is_within_k():
    report = analyze(replace(TOY, qrels={"q1": {"d1": 1, "d2": 1}}), WHOLE, k=1)
    assert list(report.misses["doc_id"]) == ["d1"] and report.failed == []


def test_misses_stand_in_the_order_of_the_judgments_and_repr_counts_them():
    report = analyze(TOY, WHOLE, k=1)
    assert list(zip(report.misses["query_id"], report.misses["doc_id"], strict=True)) == [
        ("q1", "d1"),
        ("q2", "d3"),
    ]
    assert (
        repr(report)
        == "BM25 on toy: 2 of 2 relevant documents are not within the first 1; 2 of 2 queries found nothing"
    )
    assert {"nDCG@10", "MRR", "Recall@1", "Judged@1"} <= report.evaluation.keys()


def test_without_labels_all_queries_are_of_one_kind():
    assert list(analyze(TOY, WHOLE).by_kind()) == [ANY_KIND]


def test_a_run_that_is_at_hand_gives_the_same_report_however_short_it_is():
    fresh = analyze(TOY, WHOLE, k=1)
    short = {query_id: results[:1] for query_id, results in fresh.run.items()}
    pd.testing.assert_frame_equal(analyze(TOY, WHOLE, k=1, run=fresh.run).misses, fresh.misses)
    pd.testing.assert_frame_equal(analyze(TOY, WHOLE, k=1, run=short).misses, fresh.misses)


def test_a_system_answers_with_documents_however_many_chunks_that_takes():
    corpus = {
        "d1": "\n\n".join(["relay"] * 50),
        "d2": "relay and more",
        "d3": "relay and even more",
        "d4": "disk",
    }
    index = CUT.index(corpus)
    assert [doc_id for doc_id, _ in index.search({"q1": "relay"}, k=3)["q1"]] == ["d1", "d2", "d3"]
    assert [doc_id for doc_id, _ in index.search({"q1": "relay"}, k=1)["q1"]] == ["d1"]
    assert (index.piece("relay", "d2"), index.piece("relay", "d4"), index.piece("disk", "d4")) == (
        "d2#0",
        None,
        "d4#0",
    )
    assert WHOLE.index(corpus).piece("relay", "d9") is None


def test_the_other_indexes_are_built_once_however_much_is_missed():
    built = []

    def build(corpus):
        built.append(len(corpus))
        return CsrBM25(corpus)

    queries = {f"q{n}": word for n, word in enumerate(("relay", "outage", "disk", "nothing"))}
    qrels = {query_id: {"d3": 1, "gone": 1} for query_id in queries}
    report = analyze(
        Dataset("toy", "test", CORPUS, queries, qrels, "here"), System("counted", build, chunk_paragraphs)
    )
    assert len(report.misses) == 8
    assert sorted(built) == [
        4,
        4,
        4 + 4,
    ]  # over chunks, over whole documents, with the missing one's four paragraphs


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 2.5}, "k is 2.5; a cut-off is a rank"),
        ({"k": 0}, "k is 0"),
        ({"budget": 0}, "budget is 0; needed a whole number of tokens"),
        ({"budget": 10.0}, "budget is 10.0"),
        (
            {"dataset": replace(TOY, qrels={**QRELS, "q9": {"d1": 1}})},
            "toy: 1 judged query without a text, e.g. 'q9'",
        ),
        ({"dataset": replace(TOY, qrels={})}, "toy has no judged query"),
        ({"labels": []}, "the labels are not those of the queries of 'toy'"),
        (
            {"run": {"q1": [("d1#0", 1.0)]}},
            "query 'q1': 'd1#0' is not a document of 'toy'; if these are chunk ids, fold",
        ),
        ({"run": {"q2": [("d4", 1.0)]}}, "query 'q1'|query 'q2': system 'BM25' ranks otherwise"),
        ({"system": System("empty", dict)}, "system 'empty': build gave a dict; needed a retriever"),
        (
            {"system": System("none", CsrBM25, lambda text: [])},
            "system 'none': none of the 4 documents gives a chunk",
        ),
    ],
)
def test_what_would_give_a_wrong_report_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        analyze(**{"dataset": TOY, "system": WHOLE, **arguments})


def test_on_the_runbooks_every_failed_query_has_a_cause_and_its_test_was_run(runbooks):
    labels = load_labels(files.QUERIES, runbooks.corpus)
    system = System("rank-bm25 over 512/50", RankBM25, partial(chunk_fixed, encoding=ENCODING))
    report = analyze(runbooks, system, labels)
    n_relevant = sum(grade > 0 for grades in runbooks.qrels.values() for grade in grades.values())
    n_found = sum(
        runbooks.qrels[q].get(d, 0) > 0 for q, results in report.run.items() for d, _ in results[:10]
    )
    assert len(report.misses) == n_relevant - n_found
    assert set(report.failed) <= set(report.misses["query_id"])
    assert (report.misses["counterfactual"] != "").all()
    assert report.by_kind().to_numpy().sum() == len(report.misses)
    assert (
        not report.misses["cause"].isin(["not in the corpus", "possible label error"]).any()
    )  # all is there, and every page was judged
    assert "vocabulary gap" == report.misses.loc[report.misses["kind"] == "paraphrase", "cause"].mode()[0]


def test_words_that_a_page_says_otherwise_are_exchanged_where_somebody_wrote_them_down():
    corpus = {"d1": "Downtime of the site", "d2": "Outage insurance", "d3": "Other pages"}
    toy = Dataset("toy", "test", corpus, {"q1": "outage"}, {"q1": {"d1": 1}}, "written by hand")
    (told,) = analyze(
        toy, System("BM25", CsrBM25), k=1, rewordings={("q1", "d1"): {"outage": "downtime"}}
    ).misses.itertuples()
    assert (told.counterfactual, told.back) == ("'outage' exchanged for 'downtime'", True)
    (useless,) = analyze(
        toy, System("BM25", CsrBM25), k=1, rewordings={("q1", "d1"): {"outage": "mishap"}}
    ).misses.itertuples()
    assert not useless.back  # what was written down is tried, and nothing else


class DocIdUp:
    """Counts common words, of equal documents the lower doc_id first; notes how many queries it gets."""

    asked: list[tuple[int, int]] = []

    def __init__(self, corpus):
        self.corpus = corpus

    def search(self, queries, k):
        self.asked.append((len(queries), k))
        return {query_id: self._found(set(query.split()))[:k] for query_id, query in queries.items()}

    def _found(self, words):
        scores = {doc_id: float(len(words & set(text.split()))) for doc_id, text in self.corpus.items()}
        return sorted(
            ((d, score) for d, score in scores.items() if score), key=lambda pair: (-pair[1], pair[0])
        )


def alike(n, relevant, text="alpha"):
    """n documents of equal score for one query."""
    return Dataset(
        "toy", "test", {f"d{i:04}": text for i in range(n)}, {"q1": "alpha"}, {"q1": {relevant: 1}}, "by hand"
    )


def descending(n, relevant):
    """Document i has rank i + 1."""
    corpus = {f"d{i:02}": "alpha " * (n - i) + "beta " * i for i in range(n)}
    return Dataset("toy", "test", corpus, {"q1": "alpha"}, {"q1": {relevant: 1}}, "by hand")


@pytest.mark.parametrize("length", [0, 1, 5, 9, 12])
def test_a_run_cut_short_is_completed_so_that_metrics_and_misses_are_of_one_ranking(length):
    dataset = descending(20, "d06")
    fresh = analyze(dataset, WHOLE)
    assert fresh.first_ranks.to_dict() == {"q1": 7} and fresh.misses.empty
    short = {"q1": fresh.run["q1"][:length]}
    cut = analyze(dataset, WHOLE, run=short)
    assert cut.evaluation == fresh.evaluation == {**fresh.evaluation, "Recall@10": 1}
    assert cut.first_ranks.to_dict() == {"q1": 7}
    pd.testing.assert_frame_equal(cut.false_positives, fresh.false_positives)


def test_a_run_without_its_queries_is_searched_for():
    fresh, empty = analyze(TOY, WHOLE), analyze(TOY, WHOLE, run={})
    assert empty.evaluation == fresh.evaluation and empty.run == fresh.run
    assert empty.first_ranks.to_dict() == fresh.first_ranks.to_dict() == {"q1": 2, "q2": inf}


def test_a_miss_below_the_end_of_the_run_has_the_same_rank_in_both_tables():
    dataset = descending(20, "d15")
    found = analyze(dataset, WHOLE, k=3, run={"q1": analyze(dataset, WHOLE, k=3).run["q1"][:12]})
    assert found.misses["rank"].tolist() == [16] == found.first_ranks.tolist()


def test_another_system_s_run_is_refused_though_it_holds_every_relevant_document():
    dataset = descending(20, "d06")
    best_last = analyze(dataset, WHOLE).run["q1"][::-1]
    reverse = {"q1": [(doc_id, float(-rank)) for rank, (doc_id, _) in enumerate(best_last)]}
    with pytest.raises(ValueError, match="run, query 'q1': system 'BM25' ranks otherwise"):
        analyze(dataset, WHOLE, run=reverse)


def test_equal_scores_stand_in_one_order_in_run_misses_and_false_positives():
    report = analyze(alike(20, "d0001"), System("doc_id up", DocIdUp), k=5)
    assert [doc_id for doc_id, _ in report.run["q1"][:3]] == ["d0019", "d0018", "d0017"]
    assert report.misses["rank"].tolist() == [19] and "d0001" not in set(report.false_positives["doc_id"])


@pytest.mark.parametrize("chunker", [None, chunk_paragraphs])
def test_a_search_for_few_gives_the_first_of_a_search_for_all_however_many_are_equal(chunker):
    index = System("doc_id up", DocIdUp, chunker).index(alike(30, "d0001", "alpha\n\nbeta alpha").corpus)
    everything = index.search({"q1": "alpha"}, k=30)["q1"]
    assert [doc_id for doc_id, _ in everything] == sorted((doc_id for doc_id, _ in everything), reverse=True)
    assert index.search({"q1": "alpha"}, k=4)["q1"] == everything[:4]


def test_of_more_equal_documents_than_are_asked_for_at_once_each_has_its_rank():
    report = analyze(alike(1500, "d0001"), System("doc_id up", DocIdUp), k=5)
    assert report.misses["rank"].tolist() == [1499] == report.first_ranks.tolist()


def test_with_a_budget_only_some_whole_rankings_are_held_at_a_time(monkeypatch):
    monkeypatch.setattr(DocIdUp, "asked", [])
    corpus = {f"d{n:02}": f"alpha word{n}" for n in range(50)}
    queries = {f"q{n:02}": f"word{n} alpha" for n in range(40)}
    dataset = Dataset(
        "toy", "test", corpus, queries, {f"q{n:02}": {f"d{n:02}": 1} for n in range(40)}, "by hand"
    )
    report = analyze(dataset, System("doc_id up", DocIdUp), k=3, budget=100, encoding=ENCODING)
    assert report.misses.empty
    (first, _), *contexts = DocIdUp.asked
    assert first == 40 and [n for n, _ in contexts] == [16, 16, 8]


def test_a_document_that_is_no_text_is_named():
    with pytest.raises(ValueError, match="document 'd2' is of type NoneType; needed its text"):
        analyze(replace(TOY, corpus={**CORPUS, "d2": None}), WHOLE)
