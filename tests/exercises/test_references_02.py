"""Lesson 02: its solutions beside the package and independent tools, its answers beside the lesson's data."""

import json
from functools import partial
from math import log

import bm25s
import pytest
import rank_bm25
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from course.exercises.lesson_02 import LESSON_02
from course.exercises.lesson_02.bm25_score import bm25_score
from course.exercises.lesson_02.chunk_fixed import chunk_fixed
from course.exercises.lesson_02.idf import idf
from course.exercises.lesson_02.top_documents import top_documents
from helpers.base import files
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.retrieval.bm25 import compute_idf, weigh
from helpers.retrieval.folding import to_documents
from helpers.retrieval.retrievers import RankBM25
from helpers.retrieval.vectors import count_terms
from helpers.text import chunking, tokens
from helpers.text.analyzers import plain

STAND_IN = tokens.load_stand_in()
DOCUMENTS = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8), min_size=1, max_size=8)
QUERIES = st.lists(st.sampled_from("abcdx"), max_size=4)  # no document has x; terms come twice
K1, B = st.floats(0.01, 3), st.floats(0, 1)
HITS = st.dictionaries(
    st.tuples(st.sampled_from(["d1", "d2", "d9", "d10"]), st.integers(0, 12)),
    st.sampled_from([-1.0, 0.5, 2.0, 3.0]),
    max_size=12,
)


@given(text=st.text(alphabet="ab .\n", max_size=60), size=st.integers(1, 12), overlap=st.integers(0, 12))
def test_tokens_are_cut_where_the_package_cuts_a_text(text, size, overlap):
    try:
        expected = [chunk.text for chunk in chunking.chunk_fixed(text, size, overlap, STAND_IN)]
    except ValueError:
        with pytest.raises(ValueError):
            chunk_fixed(STAND_IN.encode(text), size, overlap)
    else:
        assert [
            STAND_IN.decode(chunk) for chunk in chunk_fixed(STAND_IN.encode(text), size, overlap)
        ] == expected


@given(DOCUMENTS)
def test_idf_is_that_of_the_package_for_every_word(documents):
    counts, vocabulary = count_terms(map(" ".join, documents), str.split)
    assert [idf(term, documents) for term in vocabulary] == pytest.approx(
        compute_idf(counts).tolist(), rel=1e-6
    )


def test_idf_of_a_word_that_no_document_has_is_that_of_an_empty_column():
    assert idf("zebra", [["cat"], ["dog"]]) == pytest.approx(
        compute_idf(csr_matrix([[1, 0], [1, 0]]))[1], rel=1e-6
    )


@given(DOCUMENTS, QUERIES, K1, B)
def test_a_score_is_k1_plus_1_times_that_of_the_package(documents, query, k1, b):
    counts, vocabulary = count_terms(map(" ".join, documents), str.split)
    weighting = weigh(counts, "lucene", k1, b)
    asked = count_terms([" ".join(query)], str.split, vocabulary)[0].toarray().ravel()
    expected = (k1 + 1) * (weighting.documents @ (asked * weighting.query))
    assert [bm25_score(query, document, documents, k1, b) for document in documents] == pytest.approx(
        expected, abs=1e-5
    )


@given(DOCUMENTS, QUERIES.filter(bool), K1, B)
def test_a_score_is_k1_plus_1_times_that_of_bm25s(documents, query, k1, b):
    peer = bm25s.BM25(method="lucene", k1=k1, b=b)
    peer.index(documents, show_progress=False)
    expected = (k1 + 1) * peer.get_scores(query)
    assert [bm25_score(query, document, documents, k1, b) for document in documents] == pytest.approx(
        expected, abs=1e-4
    )


@given(DOCUMENTS, st.sampled_from("abcdef"), K1, B)
def test_from_rank_bm25_only_the_idf_differs(documents, term, k1, b):
    peer = rank_bm25.BM25Okapi(documents, k1=k1, b=b)
    factor = peer.idf.get(term, 0.0) / idf(term, documents)
    ours = [factor * bm25_score([term], document, documents, k1, b) for document in documents]
    assert ours == pytest.approx(peer.get_scores([term]).tolist(), abs=1e-9)


@given(HITS, st.integers(1, 5), st.randoms())
def test_documents_are_those_of_the_package_in_whatever_order_the_hits_come(scores, k, random):
    hits = sorted(
        ((f"{doc_id}#{number}", score) for (doc_id, number), score in scores.items()), key=lambda hit: -hit[1]
    )
    expected = to_documents({"q": hits})["q"][:k]
    assert top_documents(random.sample(hits, len(hits)), k) == expected


def answers(number: int):
    return LESSON_02.questions[number - 1]


def test_question_1_six_chunks_are_needed_the_usual_loop_makes_seven_and_without_overlap_five_would_do():
    made = [chunk_fixed(list(range(490)), 100, overlap) for overlap in (20, 0)]
    assert (len(made[0]), len(made[1]), len(range(0, 490, 80))) == (answers(1).answer, 5, 7)
    assert {5, 7} == answers(1).wrong.keys()


def test_question_2_more_than_half_is_negative_half_is_zero_and_lucene_is_above_both():
    assert log(100.5 / 200.5) < 0 == log(150.5 / 150.5)
    assert 0 < idf("the", [["the"]] * 200 + [[]] * 100) < idf("the", [["the"]] * 150 + [[]] * 150)


def test_question_3_three_occurrences_at_mean_length():
    documents = [["cat"] * 3, ["dog"] * 3]
    parts = {
        n: bm25_score(["cat"], ["cat"] * n + ["x"] * (3 - n), documents, 1.5, 0.75) / idf("cat", documents)
        for n in (1, 3)
    }
    assert parts[3] == pytest.approx(answers(3).answer) and parts[3] < 2 * parts[1]
    assert answers(3).verdict(round(parts[3], 2))[0] == "right"
    assert sorted(answers(3).wrong) == pytest.approx([parts[3] / 2.5, parts[1], 1.5 + 1, 3], abs=0.005)


def test_question_4_the_lower_b_is_the_more_a_long_chunk_gets_and_the_factor_moves_no_rank():
    documents = [["cat", "sat", "on", "a", "mat"], ["cat"], ["dog"]]
    at_b = [bm25_score(["cat"], documents[0], documents, 1.5, b) for b in (0, 0.75, 1)]
    assert at_b == sorted(at_b, reverse=True) and len(set(at_b)) == 3

    def long_to_short(k1, b):
        long, short = (bm25_score(["cat"], document, documents, k1, b) for document in documents[:2])
        return long / short

    # a lower k1 helps the long chunk too, and less
    assert long_to_short(1.5, 0.75) < long_to_short(0.5, 0.75) < long_to_short(1.5, 0)


def test_question_5_holes_in_the_stored_run_when_it_is_cut_before_it_is_folded():
    rows = [json.loads(line) for line in files.BM25_TOP10.read_text(encoding="utf-8").splitlines()]
    left = [
        len(top_documents([(chunk_id, 1.0) for chunk_id in row["retrieved_chunk_ids"]], 10)) for row in rows
    ]
    assert [len(row["retrieved_chunk_ids"]) for row in rows] == [10] * 30
    assert 300 - sum(left) == answers(5).answer
    holes = {row["query_id"]: 10 - len(row["retrieved_doc_ids"]) for row in rows}
    assert not any(holes.values()), "folded first, as the answer's praise says"
    assert answers(5).wrong.keys() == {
        sum(n < 10 for n in left),
        sum(left),
        sum(holes.values()),
        300 - len(rows),
    }
    assert sum(n == 10 for n in left) < 10, "seldom of ten different documents"
    assert sum(n < 9 for n in left) > 11, "most of those with a hole have more than one"


def lesson(runbooks, encoding):
    """The chunks of the lesson, their words by chunk_id, and its run over chunks."""
    fixed = chunking.chunk_corpus(runbooks.corpus, partial(chunking.chunk_fixed, encoding=encoding))
    run = RankBM25(chunking.to_corpus(fixed), plain).search(runbooks.queries, k=10_000)
    return {chunk.chunk_id: plain(chunk.text) for chunk in fixed}, run


def at_work(runbooks, encoding):
    """What the cell after the exercises prints."""
    words, chunk_run = lesson(runbooks, encoding)
    n_chunks = sum(len(chunk_fixed(encoding.encode(text), 512, 50)) for text in runbooks.corpus.values())
    found = evaluate_retrieval({q: top_documents(hits, 10) for q, hits in chunk_run.items()}, runbooks.qrels)
    query, texts = plain(runbooks.queries["q01"]), list(words.values())
    again = [
        (chunk_id, bm25_score(query, words[chunk_id], texts, 1.5, 0.75))
        for chunk_id, _ in chunk_run["q01"][:10]
    ]
    return n_chunks, found["nDCG@10"], top_documents(again, 3)


def test_the_solutions_give_the_lessons_own_numbers(runbooks, cl100k):
    n_chunks, ndcg, best = at_work(runbooks, cl100k)
    assert (n_chunks, round(ndcg, 4)) == (379, 0.5384)
    assert best[0][0] == "doc_056" and "doc_131" not in dict(best)
    assert runbooks.qrels["q01"]["doc_056"] == runbooks.qrels["q01"]["doc_131"] == 2


def test_the_solutions_give_the_lessons_own_numbers_with_the_stand_in_too(runbooks):
    n_chunks, ndcg, best = at_work(runbooks, STAND_IN)
    words, chunk_run = lesson(runbooks, STAND_IN)
    assert n_chunks == len(words)
    assert ndcg == evaluate_retrieval(to_documents(chunk_run), runbooks.qrels)["nDCG@10"]
    assert best[0][0] == "doc_056" and runbooks.qrels["q01"]["doc_056"] == 2


@pytest.mark.parametrize("name", ["wrenfield_4k", "cl100k_base"])
def test_most_of_what_the_right_page_of_q01_gains_by_1_plus_comes_from_do_and_when(name, runbooks, request):
    words, _ = lesson(runbooks, STAND_IN if name == STAND_IN.name else request.getfixturevalue("cl100k"))
    texts, document = list(words.values()), words["doc_056#0"]
    peer = rank_bm25.BM25Okapi(texts)
    gains = {
        term: bm25_score([term], document, texts, 1.5, 0.75) * (1 - peer.idf[term] / idf(term, texts))
        for term in plain(runbooks.queries["q01"])
        if term in document
    }
    assert gains["do"] + gains["when"] > 0.5 * sum(gains.values()) > 0


def test_most_queries_have_a_document_twice_in_their_first_ten_chunks(runbooks):
    _, chunk_run = lesson(runbooks, STAND_IN)
    assert sum(len(top_documents(hits[:10], 10)) < 10 for hits in chunk_run.values()) > 15
