"""A ledger's rows sum to the score that the retriever reports, and say why one document stands above
another."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.retrieval.bm25 import VARIANTS
from helpers.retrieval.ledger import explain, why_above
from helpers.retrieval.retrievers import CsrBM25, RankBM25
from helpers.retrieval.vectors import count_terms, document_frequency
from helpers.text.analyzers import lucene_english, plain

TEXTS = st.lists(
    st.lists(st.sampled_from("a b c d e f".split()), max_size=60).map(" ".join), min_size=1, max_size=8
)
QUERIES = st.lists(st.sampled_from("a b c d x".split()), max_size=5).map(" ".join)
K1, B, DELTA = (
    st.sampled_from([0.0, 0.9, 1.2, 3.0]),
    st.sampled_from([0.0, 0.4, 0.75, 1.0]),
    st.sampled_from([0.0, 0.5, 1.0, 4.0]),
)
ROUNDED_TWICE = {"bm25l", "bm25+"}
"""Here `search` adds what absent terms give to a score that is rounded already."""


@st.composite
def retrievers(draw, kinds=("rank_bm25", "lucene_lengths", *VARIANTS)):
    """Any retriever that has a ledger, with any parameters, over a small collection."""
    texts, kind = draw(TEXTS.filter(any)), draw(st.sampled_from(kinds))
    corpus = {f"d{number}": text for number, text in enumerate(texts)}
    if kind == "rank_bm25":
        return RankBM25(corpus, plain)
    variant = VARIANTS["lucene" if kind == "lucene_lengths" else kind]
    parameters = {name: draw(values) for name, values in (("k1", K1), ("b", B), ("delta", DELTA))}
    parameters = {name: value for name, value in parameters.items() if getattr(variant, name) is not None}
    if kind == "lucene_lengths":
        return CsrBM25(corpus, plain, **parameters, lucene_lengths=True)
    return CsrBM25(corpus, plain, variant=kind, **parameters)


def within(score, variant=None):
    """A millionth, or the rounding of the score to 32 bits where that is coarser."""
    return max(1e-6, score * 2.0 ** (-23 if variant in ROUNDED_TWICE else -24))


@settings(max_examples=40)
@given(retrievers(), QUERIES)
def test_a_ledger_sums_to_the_score(retriever, query):
    for doc_id, score in retriever.search({"q": query}, k=100)["q"]:
        frame = explain(retriever, query, doc_id)
        assert frame["score"].sum() == pytest.approx(
            score, rel=0, abs=within(score, getattr(retriever, "variant", None))
        )
        assert frame["score"].sum() == pytest.approx(frame.attrs["score"], rel=1e-12)


@settings(max_examples=40)
@given(retrievers(), QUERIES)
def test_what_is_not_retrieved_has_a_ledger_that_earns_nothing(retriever, query):
    found = dict(retriever.search({"q": query}, k=100)["q"])
    for doc_id in set(retriever.doc_ids) - found.keys():
        frame = explain(retriever, query, doc_id)
        present = frame[frame["tf"] > 0]
        if getattr(retriever, "variant", None) in ROUNDED_TWICE:  # no more than a term gives that it lacks
            lacking = [
                explain(retriever, query, other)["score"] for other in retriever.doc_ids if other != doc_id
            ]
            assert all(frame["score"].sum() <= other.sum() + 1e-6 for other in lacking)
        else:
            assert np.float32(present["score"].sum()) <= 0
            assert not frame.loc[frame["tf"] == 0, "score"].any()


@settings(max_examples=40)
@given(retrievers(), QUERIES)
def test_a_row_is_its_formula(retriever, query):
    for doc_id in retriever.doc_ids:
        frame = explain(retriever, query, doc_id)
        assert list(frame["score"]) == pytest.approx(
            list(frame["in query"] * frame["idf"] * frame["weight"]), rel=1e-6, abs=1e-6
        )
        terms = plain(retriever.corpus[doc_id])
        assert dict(frame["tf"]) == {term: terms.count(term) for term in plain(query)}
        assert dict(frame["in query"]) == {term: plain(query).count(term) for term in plain(query)}
        having = {
            term: sum(term in plain(text) for text in retriever.corpus.values()) for term in plain(query)
        }
        assert dict(frame["df"]) == having
        assert frame.attrs["dl"] == len(terms)
        assert list(frame["score"]) == sorted(frame["score"], reverse=True)


@settings(max_examples=40)
@given(retrievers(["rank_bm25", "lucene", "lucene_lengths", "robertson", "atire", "rank-bm25"]), QUERIES)
def test_the_weight_follows_from_tf_and_length_norm(retriever, query):
    """tf / (tf + length norm), and k1 + 1 times that in the variants that keep the factor."""
    scaled = isinstance(retriever, RankBM25) or retriever.variant in ("atire", "rank-bm25")
    k1 = retriever.bm25.k1 if isinstance(retriever, RankBM25) else retriever.k1
    frame = explain(retriever, query, "d0")
    known = frame[frame["df"] > 0]
    expected = [
        tf and (k1 + 1 if scaled else 1) * tf / (tf + norm)
        for tf, norm in known[["tf", "length norm"]].to_numpy()
    ]
    assert list(known["weight"]) == pytest.approx(expected, rel=1e-6)


@settings(max_examples=40)
@given(retrievers(["tf-idf"]), QUERIES)
def test_a_tf_idf_weight_is_divided_by_the_length_of_the_vector(retriever, query):
    frame = explain(retriever, query, "d0")
    expected = [tf and tf * idf / norm for tf, idf, norm in frame[["tf", "idf", "length norm"]].to_numpy()]
    assert list(frame["weight"]) == pytest.approx(expected, rel=1e-6)


@settings(max_examples=40)
@given(retrievers(), QUERIES)
def test_differences_sum_to_the_difference_of_two_scores(retriever, query):
    a, b = retriever.doc_ids[0], retriever.doc_ids[-1]
    frame = why_above(retriever, query, a, b)
    scores = [explain(retriever, query, doc_id)["score"].sum() for doc_id in (a, b)]
    assert frame["difference"].sum() == pytest.approx(scores[0] - scores[1], abs=1e-9)
    assert frame.attrs["scores"] == pytest.approx(tuple(scores))
    assert list(frame["difference"]) == sorted(frame["difference"], reverse=True)
    mirrored = why_above(retriever, query, b, a)["difference"]
    assert dict(mirrored) == {term: -value for term, value in frame["difference"].items()}


SCIFACT_RETRIEVERS = {
    **{name: {"variant": name} for name in VARIANTS},
    "one-byte lengths": {"lucene_lengths": True},
    "other parameters": {"variant": "bm25+", "k1": 2.0, "b": 0.9, "delta": 3.0},
}


@pytest.fixture(scope="module")
def scifact_sample(scifact):
    """Twenty queries of SciFact and the documents it judges for them, with 1,500 others: avgdl and df of a
    real collection."""
    query_ids = sorted(scifact.qrels)[:20]
    kept = {doc_id for query_id in query_ids for doc_id in scifact.qrels[query_id]} | set(
        sorted(scifact.corpus)[:1500]
    )
    return {doc_id: scifact.corpus[doc_id] for doc_id in kept}, {
        query_id: scifact.queries[query_id] for query_id in query_ids
    }


@pytest.mark.parametrize("name", [*SCIFACT_RETRIEVERS, "rank_bm25"])
def test_a_ledger_rounds_to_the_score_of_real_documents(name, scifact_sample):
    corpus, queries = scifact_sample
    retriever = RankBM25(corpus) if name == "rank_bm25" else CsrBM25(corpus, **SCIFACT_RETRIEVERS[name])
    run = retriever.search(queries, k=300)
    pairs = [
        (query_id, *hits[rank])
        for query_id, hits in run.items()
        for rank in (0, len(hits) // 2, len(hits) - 1)
    ]
    assert len(pairs) == 60
    for query_id, doc_id, score in pairs:
        total = explain(retriever, queries[query_id], doc_id)["score"].sum()
        if getattr(retriever, "variant", None) in ROUNDED_TWICE:
            assert total == pytest.approx(score, rel=0, abs=within(score, retriever.variant))
        else:
            assert np.float32(total) == np.float32(score)


def test_a_ledger_by_hand():
    # "killed" is in 1 of 3 documents; d1 has 2 terms, all together have 7; k1 = 0.9, b = 0.4.
    retriever = CsrBM25({"d1": "pod killed", "d2": "a pod", "d3": "disk full now"}, plain)
    row = explain(retriever, "killed", "d1").loc["killed"]
    norm = 0.9 * (1 - 0.4 + 0.4 * 2 / (7 / 3))
    expected = {
        "in query": 1,
        "tf": 1,
        "df": 1,
        "idf": np.log(1 + 2.5 / 1.5),
        "length norm": norm,
        "weight": 1 / (1 + norm),
    }
    assert dict(row) == pytest.approx({**expected, "score": expected["idf"] * expected["weight"]}, rel=1e-6)


def test_one_byte_lengths_are_in_the_length_norm():
    # A document of 41 terms counts as one of 40; avgdl stays (41 + 1) / 2.
    corpus = {"d1": "word " * 41, "d2": "other"}
    exact, rounded = (CsrBM25(corpus, plain, k1=1, b=1, lucene_lengths=choice) for choice in (False, True))
    norms = [explain(retriever, "word", "d1")["length norm"].iloc[0] for retriever in (exact, rounded)]
    assert norms == pytest.approx([41 / 21, 40 / 21])
    assert explain(rounded, "word", "d1").attrs["dl"] == 41


def test_a_repeated_term_is_one_row_and_counts_each_time():
    retriever = CsrBM25({"d1": "cat", "d2": "dog"}, plain)
    once, thrice = (explain(retriever, query, "d1") for query in ("cat", "cat cat cat"))
    assert thrice["in query"].tolist() == [3]
    assert thrice["score"].sum() == pytest.approx(3 * once["score"].sum(), rel=1e-6)


def test_a_repeated_term_is_weighed_as_the_search_weighs_it():
    # `search` rounds 3 · idf to 32 bits before it multiplies; a ledger that did not would be a bit off.
    for others in range(2, 60):
        retriever = CsrBM25(
            {"d": "cat and dog"} | {f"x{i}": "dog" for i in range(others)}, plain, variant="atire"
        )
        score = retriever.search({"q": "cat cat cat"}, k=1)["q"][0][1]
        assert np.float32(explain(retriever, "cat cat cat", "d")["score"].sum()) == np.float32(score)


@pytest.mark.parametrize("kind", [CsrBM25, RankBM25])
def test_a_term_that_no_document_has_is_a_row_of_nothing(kind):
    frame = explain(kind({"d1": "a cat", "d2": "the dog", "d3": "some bird"}, plain), "zebra cat", "d1")
    assert frame.loc["zebra", ["tf", "df", "idf", "weight", "score"]].tolist() == [0, 0, 0, 0, 0]
    assert frame.loc["cat", "score"] > 0


@pytest.mark.parametrize("kind", [CsrBM25, RankBM25])
def test_a_query_without_terms_has_an_empty_ledger(kind):
    retriever = kind({"d1": "a cat", "d2": "the dog"}, plain)
    frame = explain(retriever, "!?", "d1")
    assert (len(frame), frame["score"].sum(), frame.attrs["score"]) == (0, 0, 0)
    assert len(why_above(retriever, "", "d1", "d2")) == 0


def test_a_document_without_terms_scores_nothing():
    retriever = CsrBM25({"d1": "", "d2": "cat"}, plain)
    assert explain(retriever, "cat", "d1")["score"].tolist() == [0.0]
    assert explain(CsrBM25({"d1": ""}, plain), "cat", "d1").attrs["avgdl"] == 0


def test_absent_terms_score_with_a_shift_and_favour_nobody():
    # BM25+ gives delta = 1 for every term that a document lacks: idf ln((2 + 1) / 1).
    retriever = CsrBM25({"d1": "cat", "d2": "dog"}, plain, variant="bm25+")
    assert explain(retriever, "cat", "d2").loc["cat", "score"] == pytest.approx(np.log(3))
    assert explain(retriever, "cat", "d2").loc["cat", "weight"] == 1
    frame = why_above(retriever, "cat bird", "d1", "d2")
    assert frame.loc["cat", "difference"] == pytest.approx(np.log(3) * (0.9 + 1) * 1 / (1 + 0.9))
    assert frame.loc["bird", "difference"] == 0


def test_a_floored_idf_is_what_the_ledger_shows():
    # "the" is in 3 of 4 documents, its idf below zero; "a" to "d" are in one each.
    corpus = {"d1": "the a", "d2": "the b", "d3": "the c", "d4": "d"}
    mean = (np.log(1.5 / 3.5) + 4 * np.log(3.5 / 1.5)) / 5
    for retriever in (RankBM25(corpus, plain), CsrBM25(corpus, plain, variant="rank-bm25")):
        assert explain(retriever, "the", "d1").loc["the", "idf"] == pytest.approx(mean / 4, rel=1e-6)


def test_df_is_right_where_weights_of_zero_have_left_the_index():
    corpus = {"d1": "cat", "d2": "cat dog", "d3": "bird"}
    retriever = CsrBM25(corpus, plain, variant="bm25l", k1=0)  # any tf weighs as much as none
    assert len(retriever.index.weights) == 0
    counts, vocabulary = count_terms((corpus[doc_id] for doc_id in sorted(corpus)), plain)
    assert retriever.df.tolist() == document_frequency(counts).tolist()
    assert explain(retriever, "cat", "d1").loc["cat", "df"] == 2


def test_why_above_names_both_documents():
    retriever = CsrBM25({"d1": "pod killed", "d2": "the pod of a pod", "d3": "disk full"}, lucene_english)
    frame = why_above(retriever, "Killed pods!", "d1", "d2")
    assert list(frame.columns) == ["tf a", "tf b", "score a", "score b", "difference"]
    assert frame.loc["kill", ["tf a", "tf b"]].tolist() == [1, 0]
    assert (frame.attrs["doc_ids"], frame.attrs["dl"]) == (("d1", "d2"), (2, 2))
    assert list(frame["score a"] - frame["score b"]) == list(frame["difference"])


def test_a_document_that_is_not_indexed_is_refused_with_those_near_it():
    retriever = CsrBM25({"doc_012#0": "cat", "doc_012#1": "dog", "other": "x"}, plain)
    with pytest.raises(
        ValueError, match="'doc_012' is not among the 3 documents .* 'doc_012#1', 'doc_012#0'.* chunks"
    ):
        explain(retriever, "cat", "doc_012")
    with pytest.raises(ValueError, match="'zzz' is not among"):
        why_above(retriever, "cat", "other", "zzz")
    with pytest.raises(ValueError, match="doc_id 7 is of type int"):
        explain(retriever, "cat", 7)


def test_a_retriever_without_terms_and_a_query_that_is_no_text_are_refused():
    with pytest.raises(ValueError, match="a Dense has no ledger"):
        explain(type("Dense", (), {})(), "cat", "d1")
    with pytest.raises(ValueError, match="query is a dict"):
        explain(CsrBM25({"d1": "cat"}), {"q1": "cat"}, "d1")


def test_a_ledger_is_a_frame_of_numbers_even_without_rows():
    frame = explain(CsrBM25({"d1": "cat"}, plain), "", "d1")
    assert all(pd.api.types.is_numeric_dtype(frame[name]) for name in frame)
