"""A retriever gives what the reference implementation gives, and nothing that does not match."""

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from helpers.retrieval.retrievers import CsrBM25, RankBM25, _shifted
from helpers.text.analyzers import lucene_english, plain

TEXTS = st.lists(
    st.lists(st.sampled_from("a b c d e f".split()), max_size=8).map(" ".join), min_size=1, max_size=8
)


def corpus_of(texts):
    return {f"d{number}": text for number, text in enumerate(texts)}


@given(TEXTS.filter(any), st.lists(st.sampled_from("a b c d x".split()), max_size=4))
def test_scores_equal_bm25s_lucene(texts, query):
    run = CsrBM25(corpus_of(texts), plain, k1=1.2, b=0.7).search({"q": " ".join(query)}, k=100)
    peer = bm25s.BM25(method="lucene", k1=1.2, b=0.7)
    peer.index([plain(text) for text in texts], show_progress=False)
    known = [term for term in query if any(term in plain(text) for text in texts)]
    expected = peer.get_scores(known) if known else np.zeros(len(texts))
    assert dict(run["q"]) == pytest.approx({f"d{i}": s for i, s in enumerate(expected) if s > 0}, abs=1e-5)


@given(TEXTS.filter(any), st.lists(st.sampled_from("a b c d x".split()), max_size=4))
def test_rank_bm25_keeps_its_own_scores(texts, query):
    run = RankBM25(corpus_of(texts)).search({"q": " ".join(query)}, k=100)
    expected = BM25Okapi([plain(text) for text in texts]).get_scores(query)
    assert dict(run["q"]) == pytest.approx({f"d{i}": s for i, s in enumerate(expected) if np.float32(s) > 0})


@pytest.mark.parametrize("retriever", [CsrBM25, RankBM25])
def test_equal_scores_go_by_doc_id_down(retriever):
    corpus = {"d2": "rare word", "d10": "rare word", "d9": "rare word"} | {
        f"x{i}": f"other {i}" for i in range(9)
    }
    found = retriever(corpus, plain).search({"q": "rare"}, k=2)["q"]
    assert [doc_id for doc_id, _ in found] == ["d9", "d2"]


@pytest.mark.parametrize("retriever", [CsrBM25, RankBM25])
def test_a_query_without_a_known_term_retrieves_nothing(retriever):
    run = retriever({"d1": "one cat", "d2": "a dog", "d3": "a bird"}, plain).search(
        {"q1": "zebra", "q2": "", "q3": "cat"}, k=10
    )
    assert (run["q1"], run["q2"]) == ([], [])
    assert [doc_id for doc_id, _ in run["q3"]] == ["d1"]


@pytest.mark.parametrize("retriever", [CsrBM25, RankBM25])
def test_an_empty_corpus_is_refused(retriever):
    with pytest.raises(ValueError, match="no document"):
        retriever({})


def test_documents_without_text_can_be_indexed():
    run = CsrBM25({"d1": "", "d2": "cat"}).search({"q": "cat"}, k=5)
    assert [doc_id for doc_id, _ in run["q"]] == ["d2"]
    assert CsrBM25({"d1": ""}).search({"q": "cat"}, k=5) == {"q": []}
    with pytest.raises(ValueError, match="finds no term"):
        RankBM25({"d1": "", "d2": "!"})


def test_repeated_query_terms_count_each_time():
    retriever = CsrBM25({"d1": "cat", "d2": "dog"})
    once, twice = (retriever.search({"q": query}, k=1)["q"][0][1] for query in ("cat", "cat cat"))
    assert twice == pytest.approx(2 * once)


def test_a_name_says_the_variant():
    assert CsrBM25({"d": "x"}, lucene_english, lucene_lengths=True).name == (
        "BM25, Lucene idf, k1=0.9, b=0.4, lucene_english, one-byte lengths"
    )


@pytest.mark.parametrize("variant", ["robertson", "atire", "bm25l", "bm25+"])
@given(TEXTS.filter(any), st.lists(st.sampled_from("a b c d x".split()), max_size=4))
def test_scores_of_each_variant_equal_bm25s(variant, texts, query):
    run = CsrBM25(corpus_of(texts), plain, k1=1.2, b=0.7, variant=variant).search(
        {"q": " ".join(query)}, k=100
    )
    delta = {"delta": {"bm25l": 0.5, "bm25+": 1.0}[variant]} if variant in ("bm25l", "bm25+") else {}
    peer = bm25s.BM25(method=variant, k1=1.2, b=0.7, **delta)
    peer.index([plain(text) for text in texts], show_progress=False)
    known = [term for term in query if any(term in plain(text) for text in texts)]
    expected = peer.get_scores(known) if known else np.zeros(len(texts))
    found = dict(run["q"])
    assert found == pytest.approx({doc_id: expected[int(doc_id[1:])] for doc_id in found}, abs=1e-5)
    if (
        found
    ):  # what was not returned shares no term of weight with the query, and scores no more than what was
        assert (
            min(found.values())
            >= max([s for i, s in enumerate(expected) if f"d{i}" not in found] or [-1]) - 1e-5
        )


def test_a_name_says_every_parameter_of_a_variant():
    corpus = {"d": "x"}
    assert CsrBM25(corpus, plain, 1.2, 0.7, variant="bm25l").name == "bm25l, k1=1.2, b=0.7, delta=0.5, plain"
    assert CsrBM25(corpus, plain, variant="tf-idf").name == "tf-idf, plain"


def test_scores_that_a_constant_makes_equal_go_by_doc_id_down():
    # 1 + 1e-8 is 1 in 32 bits: two different scores become one.
    documents, scores = _shifted(
        np.array([[3, 8, -1]]), np.array([[2e-8, 1e-8, 0.0]], np.float32), np.array([1.0])
    )
    assert documents.tolist() == [[8, 3, -1]]
    assert scores.tolist() == [[1.0, 1.0, -np.inf]]


def test_asking_for_more_than_there_is_costs_nothing():
    retriever = CsrBM25({"d1": "cat", "d2": "dog"}, plain)
    assert len(retriever.search({"q": "cat"}, k=10**15)["q"]) == 1
    with pytest.raises(ValueError, match="k is -1"):
        retriever.search({"q": "cat"}, k=-1)


@pytest.mark.parametrize(
    ("corpus", "message"),
    [({1: "a"}, "doc_id 1 is of type int"), ({"d": None}, "document 'd' is of type NoneType; needed")],
)
def test_a_corpus_of_anything_but_text_is_refused(corpus, message):
    with pytest.raises(ValueError, match=message):
        CsrBM25(corpus, plain)


class Stopped:
    """An analyzer with a list of stopwords that may grow."""

    def __init__(self, *stopped):
        self.stopped = set(stopped)

    def __eq__(self, other):  # so that it has no hash, as a dataclass
        return self is other

    def __call__(self, text):
        return [term for term in plain(text) if term not in self.stopped]


def test_an_analyzer_that_has_changed_counts_anew():
    corpus, analyzer = {"d1": "please help", "d2": "please"}, Stopped()
    assert set(CsrBM25(corpus, analyzer).vocabulary) == {"please", "help"}
    analyzer.stopped.add("please")
    assert set(CsrBM25(corpus, analyzer).vocabulary) == {"help"}


@pytest.mark.parametrize("build", [CsrBM25, RankBM25])
def test_terms_may_come_from_a_generator_and_must_be_things_to_look_up(build):
    corpus = {"d1": "a b", "d2": "c", "d3": "d"}
    found = build(corpus, lambda text: iter(text.split())).search({"q": "c"}, 3)
    assert found == build(corpus, plain).search({"q": "c"}, 3)
    with pytest.raises(ValueError, match=r"<lambda> gave the term \['a', 'b'\]; needed a list of texts"):
        build(corpus, lambda text: [text.split()])
