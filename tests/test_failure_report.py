"""The report: every miss once, what brings it back beside its control, ranks, and what is refused."""

import statistics
from dataclasses import replace
from functools import partial
from math import inf, isnan

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.base import files
from helpers.datasets.labels import load_labels
from helpers.failures.misses import ANY_KIND, MISSES
from helpers.failures.report import ABSENT, SUMMARY, analyze, difference_interval
from helpers.failures.rewordings import load_rewordings
from helpers.failures.system import System
from helpers.failures.trials import NOTHING
from helpers.records import Dataset
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


@given(datasets(), SYSTEMS, st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_every_relevant_document_is_found_or_missed_once_and_never_both(dataset, system, k):
    report = analyze(dataset, system, k=k)
    relevant = {(q, d) for q, grades in dataset.qrels.items() for d, grade in grades.items() if grade > 0}
    missed = list(zip(report.misses["query_id"], report.misses["doc_id"], strict=True))
    found = {(q, d) for q, results in report.run.items() for d, _ in results[:k]}
    assert len(set(missed)) == len(missed) and set(missed) == relevant - found
    assert list(report.misses) == [*MISSES, "back by"]
    for row in report.misses.itertuples():
        judged = dataset.qrels[row.query_id]
        assert judged.get(row.neighbour, 0) < 1 and not row[7] <= k, "a neighbour is useless, and beyond k"
    assert report.misses.groupby("query_id")["neighbour"].apply(lambda n: n[n != ""].is_unique).all()


@given(datasets(), SYSTEMS, st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_the_summary_counts_what_the_tables_hold(dataset, system, k):
    report = analyze(dataset, system, k=k)
    summary = report.summary()
    assert list(summary) == SUMMARY and list(summary.index) == [*report.after, NOTHING]
    there = report.misses["back by"] != ABSENT
    assert (summary["tested"] == there.sum()).all()
    for name in report.after:
        named = (
            report.misses["back by"]
            .str.split(" + ", regex=False)
            .apply(lambda names, name=name: name in names)
        )
        assert named.sum() == summary.loc[name, "back"] == report.back[name].sum()
    assert summary.loc[NOTHING, "back"] == (report.misses["back by"] == NOTHING).sum()
    shares = summary[["share", "control"]].stack()
    assert shares.dropna().between(0, 1).all()
    assert summary["only"].dropna().sum() <= len(report.misses)


def test_where_nothing_failed_the_tables_are_empty_and_nothing_is_divided_by_zero():
    report = analyze(replace(TOY, queries={"q1": "relay"}, qrels={"q1": {"d2": 1, "d1": 1}}), WHOLE)
    assert report.misses.empty and list(report.misses) == [*MISSES, "back by"]
    summary = report.summary()
    assert (summary[["tested", "back"]] == 0).all(axis=None) and summary["share"].isna().all()
    assert (report.failed, report.median_first_rank) == ([], 1)


def test_the_columns_have_the_same_types_with_misses_and_without():
    found, empty = (
        analyze(TOY, WHOLE, k=1),
        analyze(replace(TOY, queries={"q3": "disk"}, qrels={"q3": {"d4": 1}}), WHOLE),
    )
    for column in ("grade", "rank", "neighbour rank"):
        assert found.misses[column].dtype == empty.misses[column].dtype
    assert found.after.dtypes.eq(float).all() and empty.after.dtypes.eq(float).all()


def test_a_query_without_a_relevant_document_misses_nothing():
    report = analyze(TOY, WHOLE)
    assert "q3" not in {*report.misses["query_id"], *report.failed, *report.first_ranks.index}


def test_a_miss_counts_in_the_median_of_first_ranks():
    report = analyze(TOY, WHOLE)
    assert report.first_ranks.to_dict() == {"q1": 2, "q2": inf}
    assert report.median_first_rank == statistics.median([2, inf]) == inf
    assert report.failed == ["q2"]


def test_a_query_failed_only_if_none_of_its_relevant_documents_is_within_k():
    report = analyze(replace(TOY, qrels={"q1": {"d1": 1, "d2": 1}}), WHOLE, k=1)
    assert list(report.misses["doc_id"]) == ["d1"] and report.failed == []


def test_misses_are_in_the_order_of_the_judgments_and_repr_counts_them():
    report = analyze(TOY, WHOLE, k=1)
    assert list(zip(report.misses["query_id"], report.misses["doc_id"], strict=True)) == [
        ("q1", "d1"),
        ("q2", "d3"),
    ]
    counts = "2 of 2 relevant documents are not within the first 1; 2 of 2 queries found nothing"
    assert repr(report) == f"BM25 on toy: {counts}"
    assert {"nDCG@10", "MRR", "Recall@1", "Judged@1"} <= report.evaluation.keys()


def test_without_labels_all_queries_are_of_one_kind():
    assert set(analyze(TOY, WHOLE).misses["kind"]) == {ANY_KIND}


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
    pieces = index.piece("relay", "d2"), index.piece("relay", "d4"), index.piece("disk", "d4")
    assert pieces == ("d2#0", None, "d4#0")
    assert WHOLE.index(corpus).piece("relay", "d9") is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 2.5}, "k is 2.5; a cut-off is a rank"),
        ({"k": 0}, "k is 0"),
        (
            {"dataset": replace(TOY, qrels={**QRELS, "q9": {"d1": 1}})},
            "toy: 1 judged query without a text, e.g. 'q9'",
        ),
        ({"dataset": replace(TOY, qrels={})}, "toy has no judged query"),
        ({"dataset": replace(TOY, corpus={**CORPUS, "d2": None})}, "document 'd2' is of type NoneType"),
        ({"labels": []}, "the labels are not those of the queries of 'toy'"),
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


# The interval, and what a control is for.


def test_pages_of_one_query_that_rise_together_are_one_piece_of_evidence():
    once = difference_interval(pd.Series([1.0, 0.0, 1.0, 0.0]), pd.Series(["q1", "q2", "q3", "q4"]))
    many = pd.Series(np.repeat([1.0, 0.0, 1.0, 0.0], 50))
    assert difference_interval(many, pd.Series(np.repeat(["q1", "q2", "q3", "q4"], 50))) == pytest.approx(
        once
    )
    apart = difference_interval(many, pd.Series(np.arange(200)))
    assert apart[2] - apart[1] < 0.3 * (once[2] - once[1])


def test_the_interval_of_single_pages_is_that_of_a_paired_t():
    differences = pd.Series([1.0, 0.0, 0.0, -1.0, 1.0, 1.0])
    half = 2.5706 * differences.std(ddof=1) / 6**0.5  # t with 5 degrees of freedom
    mean, low, high = difference_interval(differences, pd.Series(range(6)))
    assert (low, high) == pytest.approx((mean - half, mean + half), abs=1e-4)


def test_no_interval_is_made_of_nothing_or_of_one_query():
    assert all(isnan(value) for value in difference_interval(pd.Series(dtype=float), pd.Series(dtype=str)))
    mean, low, high = difference_interval(pd.Series([1.0, 0.0]), pd.Series(["q1", "q1"]))
    assert mean == 0.5 and isnan(low) and isnan(high)


def test_where_nothing_came_back_in_any_query_no_interval_says_that_nothing_ever_will():
    mean, low, high = difference_interval(pd.Series([0.0] * 75), pd.Series(range(75)))
    assert mean == 0 and isnan(low) and isnan(high)


def test_the_interval_covers_the_truth_where_queries_differ_in_size_and_in_what_helps_them():
    rng, covered, worlds = np.random.default_rng(3), 0, 300
    for _ in range(worlds):
        sizes = rng.integers(1, 24, size=24)
        of_query = np.repeat(np.arange(24), sizes)
        helped = np.repeat(np.clip(rng.normal(0.2, 0.15, size=24), 0, 1), sizes)
        back, control = rng.random(len(helped)) < helped, rng.random(len(helped)) < 0.05
        differences = pd.Series(back.astype(float) - control)
        truth = np.clip(rng.normal(0.2, 0.15, size=100_000), 0, 1).mean() - 0.05
        _, low, high = difference_interval(differences, pd.Series(of_query))
        covered += low <= truth <= high
    assert 0.92 <= covered / worlds <= 0.985


class Shuffled:
    """Knows nothing: every document, in an order drawn by lot."""

    seed = 0

    def __init__(self, corpus):
        self.doc_ids = sorted(corpus)

    def search(self, queries, k):
        rng = np.random.default_rng(self.seed)
        return {
            q: [(self.doc_ids[i], -float(n)) for n, i in enumerate(rng.permutation(len(self.doc_ids))[:k])]
            for q in queries
        }


def test_an_engine_that_knows_nothing_brings_back_as_many_useless_pages(runbooks):
    def gain(seed):
        build = type("Seeded", (Shuffled,), {"seed": seed})
        report = analyze(runbooks, WHOLE, changes={"by lot": System("by lot", build)})
        return report.summary().loc["by lot", "difference"]

    gains = [gain(seed) for seed in range(12)]
    assert abs(np.mean(gains)) < 3 * np.std(gains, ddof=1) / 12**0.5 + 1e-9
    assert abs(np.mean(gains)) < 0.03


@pytest.fixture(scope="module")
def on_runbooks(runbooks):
    labels = load_labels(files.QUERIES, runbooks.corpus)
    system = System("rank-bm25 over 512/50", RankBM25, partial(chunk_fixed, encoding=ENCODING))
    return analyze(runbooks, system, labels, rewordings=load_rewordings())


def test_on_the_runbooks_a_larger_k_does_as_much_for_useless_pages(on_runbooks):
    near = on_runbooks.summary().loc["k = 15"]
    assert near["back"] >= 20 and near["low"] < 0 < near["high"]


def test_on_the_runbooks_a_page_s_own_words_bring_it_back_useful_or_not(on_runbooks):
    reworded = on_runbooks.summary().loc["reworded"]
    assert reworded["share"] > 0.7 and reworded["control"] > 0.5


def test_on_the_runbooks_neighbours_are_ranked_as_the_misses_are(on_runbooks):
    apart = on_runbooks.misses["neighbour rank"] - on_runbooks.misses["rank"]
    apart = apart[np.isfinite(on_runbooks.misses["rank"])]
    assert apart.abs().median() <= 1 and abs(apart.mean()) < 1 and apart.abs().max() <= 10


def test_on_the_runbooks_every_miss_is_there_and_every_page_was_judged(on_runbooks):
    assert (on_runbooks.misses["back by"] != ABSENT).all()
    assert (on_runbooks.misses["quote also in"] == "").all()


class DocIdUp:
    """Counts common words, of equal documents the lower doc_id first."""

    def __init__(self, corpus):
        self.corpus = corpus

    def search(self, queries, k):
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


def test_equal_scores_are_in_one_order_in_run_and_misses():
    report = analyze(alike(20, "d0001"), System("doc_id up", DocIdUp), k=5)
    assert [doc_id for doc_id, _ in report.run["q1"][:3]] == ["d0019", "d0018", "d0017"]
    assert report.misses["rank"].tolist() == [19] == report.first_ranks.tolist()


@pytest.mark.parametrize("chunker", [None, chunk_paragraphs])
def test_a_search_for_few_gives_the_first_of_a_search_for_all_however_many_are_equal(chunker):
    index = System("doc_id up", DocIdUp, chunker).index(alike(30, "d0001", "alpha\n\nbeta alpha").corpus)
    everything = index.search({"q1": "alpha"}, k=30)["q1"]
    assert [doc_id for doc_id, _ in everything] == sorted((doc_id for doc_id, _ in everything), reverse=True)
    assert index.search({"q1": "alpha"}, k=4)["q1"] == everything[:4]


def test_what_is_deeper_than_a_thousand_counts_as_not_retrieved():
    report = analyze(alike(1500, "d0001"), System("doc_id up", DocIdUp), k=5, changes={})
    assert report.misses["rank"].tolist() == [inf] == report.first_ranks.tolist()
    within = analyze(alike(1500, "d0600"), System("doc_id up", DocIdUp), k=5, changes={})
    assert within.misses["rank"].tolist() == [900]


def test_a_difference_without_a_number_or_a_cluster_is_refused_by_its_row():
    clusters = pd.Series(["q1", "q1", "q2", "q3"])
    with pytest.raises(
        ValueError, match="row 2: the difference is nan; needed a finite number, or leave the row"
    ):
        difference_interval(pd.Series([1.0, 0.0, np.nan, 0.0]), clusters)
    with pytest.raises(
        ValueError, match="row 1: the cluster is (None|nan); needed a label, or leave the row out"
    ):
        difference_interval(pd.Series([1.0, 0.0, 1.0, 0.0]), pd.Series(["q1", None, "q2", "q3"]))
