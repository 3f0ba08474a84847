"""Lesson 05: its solutions beside the package, other tools and hand arithmetic, its answers beside data."""

from collections import Counter
from math import inf, log
from statistics import fmean, median

import bm25s
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.exercises.lesson_05 import LESSON_05
from course.exercises.lesson_05.back_with_control import back_with_control
from course.exercises.lesson_05.median_first_rank import median_first_rank
from course.exercises.lesson_05.term_scores import TERM_SCORES, term_scores
from course.exercises.lesson_05.why_above import why_above
from course.exercises.questions import RIGHT, Numeric
from helpers.base import files
from helpers.datasets.labels import load_labels
from helpers.retrieval import ledger
from helpers.retrieval.retrievers import CsrBM25
from helpers.text.analyzers import lucene_english

DOCUMENTS = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8), min_size=2, max_size=6)
QUERIES = st.lists(st.sampled_from("abcdx"), min_size=1, max_size=5)  # no document has x; terms come twice
K1, B = st.floats(0.1, 3), st.floats(0, 1)
LEDGERS = st.dictionaries(st.sampled_from("abcde"), st.floats(-5, 5), max_size=5)
RANKS = st.none() | st.integers(1, 20)
PAGES = st.lists(st.tuples(st.sampled_from(["q1", "q2", "q3"]), RANKS, RANKS), min_size=1, max_size=12)


def collection(documents):
    """idf by Lucene's formula, and the mean length."""
    df, n = Counter(term for document in documents for term in set(document)), len(documents)
    return {term: log(1 + (n - of + 0.5) / (of + 0.5)) for term, of in df.items()}, fmean(map(len, documents))


def retriever_over(documents, k1, b):
    return CsrBM25(
        {f"d{i}": " ".join(document) for i, document in enumerate(documents)}, str.split, k1=k1, b=b
    )


@given(DOCUMENTS, QUERIES, K1, B)
def test_a_ledger_is_that_of_explain_but_for_words_that_bring_nothing(documents, query, k1, b):
    explained = ledger.explain(retriever_over(documents, k1, b), " ".join(query), "d0")["score"]
    ours = term_scores(query, documents[0], *collection(documents), k1, b)
    assert ours == pytest.approx({term: score for term, score in explained.items() if score}, abs=1e-5)


@given(DOCUMENTS, QUERIES, K1, B)
def test_a_ledger_adds_up_to_the_score_of_bm25s(documents, query, k1, b):
    peer = bm25s.BM25(method="lucene", k1=k1, b=b)
    peer.index(documents, show_progress=False)
    idf, avgdl = collection(documents)
    ours = [sum(term_scores(query, document, idf, avgdl, k1, b).values()) for document in documents]
    assert ours == pytest.approx(peer.get_scores(query).tolist(), abs=1e-4)


@given(DOCUMENTS, QUERIES, K1, B)
def test_why_above_has_the_differences_of_the_package_for_all_words_that_score(documents, query, k1, b):
    theirs = ledger.why_above(retriever_over(documents, k1, b), " ".join(query), "d0", "d1")["difference"]
    idf, avgdl = collection(documents)
    ours = why_above(*(term_scores(query, document, idf, avgdl, k1, b) for document in documents[:2]))
    scoring = {term for term in query if term in {*documents[0], *documents[1]}}
    assert dict(ours) == pytest.approx({term: theirs[term] for term in scoring}, abs=1e-5)


@given(LEDGERS, LEDGERS)
def test_the_differences_add_up_to_the_difference_of_the_scores_and_fall(first, second):
    found = why_above(first, second)
    assert sum(value for _, value in found) == pytest.approx(
        sum(first.values()) - sum(second.values()), abs=1e-9
    )
    assert {term for term, _ in found} == first.keys() | second.keys()
    values = [value for _, value in found]
    assert values == sorted(values, reverse=True)


@given(PAGES, st.integers(1, 15))
def test_shares_and_leads_are_those_of_a_table(pairs, k):
    table = pd.DataFrame(pairs, columns=["query", "missed", "useless"]).fillna(np.inf)
    back = table[["missed", "useless"]].le(k)
    leads = (back["missed"].astype(int) - back["useless"]).groupby(table["query"]).sum()
    missed, useless = ({q: [row[i] for row in pairs if row[0] == q] for q in table["query"]} for i in (1, 2))
    assert back_with_control(missed, useless, k) == (
        pytest.approx(back["missed"].mean()),
        pytest.approx(back["useless"].mean()),
        (leads > 0).sum(),
        (leads < 0).sum(),
    )


@given(PAGES, st.integers(1, 15))
def test_exchanging_missed_and_useless_pages_exchanges_what_is_found(pairs, k):
    missed, useless = ({q: [row[i] for row in pairs if row[0] == q] for q, _, _ in pairs} for i in (1, 2))
    share, control, ahead, behind = back_with_control(missed, useless, k)
    assert back_with_control(useless, missed, k) == (control, share, behind, ahead)


@given(st.lists(st.none() | st.integers(1, 1000), min_size=1, max_size=9))
def test_the_median_is_that_of_statistics_numpy_and_pandas_with_misses_at_infinity(ranks):
    at_infinity = [inf if rank is None else rank for rank in ranks]
    assert median_first_rank(ranks) == median(at_infinity) == pd.Series(at_infinity, dtype=float).median()
    with np.errstate(invalid="ignore"):
        assert median_first_rank(ranks) == np.median(at_infinity)


def test_a_median_without_queries_is_refused():
    with pytest.raises(ValueError):
        median_first_rank([])


def question(number):
    return LESSON_05.questions[number - 1]


def test_every_typical_wrong_number_gets_an_answer_of_its_own():
    for asked in LESSON_05.questions:
        if isinstance(asked, Numeric):
            assert (
                asked.verdict(asked.answer)[0]
                == asked.verdict(round(asked.answer, asked.decimals))[0]
                == RIGHT
            )
            assert [asked.verdict(value)[1] for value in asked.wrong] == list(asked.wrong.values())


def test_question_1_two_occurrences_in_a_document_of_twice_the_mean_length():
    arguments = ["a"], ["a", "a", "x", "x"], {"a": 3.0}, 2
    assert term_scores(*arguments) == {"a": pytest.approx(question(1).answer)}
    names = [
        "no length normalisation",
        "length ratio upside down",
        "k1 + 1",
        "k1 not on the length",
        "tf not saturated",
        "no idf",
    ]
    made = [
        mistake.function(*arguments)["a"]
        for name in names
        for mistake in TERM_SCORES.mistakes
        if mistake.name == name
    ]
    without_k1 = 3 * 2 / (2 + 0.6 + 0.4 * 2)
    assert sorted(question(1).wrong) == sorted(round(value, 2) for value in [*made, without_k1])
    assert 0.6 + 0.4 * 2 == pytest.approx(1.4) and 0.9 * 1.4 == pytest.approx(1.26)


def test_question_2_without_do_and_when_the_right_page_is_above():
    wrong = {"do": 0.9, "when": 0.7, "certificate": 3.0, "renew": 2.2}
    right = {"certificate": 3.0, "renew": 2.9}
    differences = dict(why_above(wrong, right))
    assert differences == pytest.approx({"do": 0.9, "when": 0.7, "certificate": 0, "renew": -0.7})
    assert [sum(wrong.values()), sum(right.values())] == pytest.approx([6.8, 5.9])
    assert differences["do"] + differences["when"] == pytest.approx(1.6) and sum(
        differences.values()
    ) == pytest.approx(0.9)
    assert sum(differences.values()) - 1.6 < 0
    assert all(number in question(2).text for number in ("6.8", "5.9", "+0.9", "+0.7", "−0.7"))


def test_question_3_useless_pages_come_back_as_often():
    missed = {f"q{n}": [15 if n < 25 else 30] for n in range(40)}
    useless = {f"q{n}": [15 if n < 24 else 30] for n in range(40)}
    share, control, *_ = back_with_control(missed, useless, 20)
    assert (share, control) == (25 / 40, 24 / 40)
    assert all(number in question(3).text for number in ("25", "24", "40", "10 to 20"))


def first_ranks(retriever, runbooks, k):
    run = retriever.search(runbooks.queries, k=k)
    grades = {
        query_id: [runbooks.qrels[query_id].get(doc_id, 0) for doc_id, _ in run[query_id]] for query_id in run
    }
    return {
        q: next((rank for rank, grade in enumerate(row, 1) if grade > 0), None) for q, row in grades.items()
    }


@pytest.fixture(scope="module")
def retriever(runbooks):
    return CsrBM25(runbooks.corpus)


def test_question_5_the_median_over_the_paraphrases(retriever, runbooks):
    kinds = {label.query_id: label.kind for label in load_labels(files.QUERIES, runbooks.corpus)}
    ten, deep = (first_ranks(retriever, runbooks, k) for k in (10, 1000))
    ranks = [ten[q] for q in ten if kinds[q] == "paraphrase"]
    found = [rank for rank in ranks if rank]
    assert (len(kinds), len(ranks), sorted(found)) == (30, 10, [1, 1, 1, 1, 2, 2, 2, 4])
    assert median_first_rank(ranks) == question(5).answer
    wrong = {
        "dropped": median(found),
        "mean of the found": fmean(found),
        "mean, with more documents": fmean(deep[q] for q in deep if kinds[q] == "paraphrase"),
        "all 30": median_first_rank(list(ten.values())),
    }
    assert list(wrong.values()) == pytest.approx(list(question(5).wrong))
    assert median(rank or 0 for rank in ranks) == wrong["all 30"], "one sentence is for both"
    assert (sum(rank == 1 for rank in ten.values()), ranks.count(1)) == (19, 4), "as the feedback says"


def test_what_the_cell_after_the_exercises_prints_and_its_text_says(retriever, runbooks):
    idf = {term: float(retriever.query_weights[column]) for term, column in retriever.vocabulary.items()}
    run, avgdl = retriever.search(runbooks.queries, k=1000), retriever.n_terms / len(runbooks.corpus)
    query, page, top = map(
        lucene_english, (runbooks.queries["q19"], runbooks.corpus["doc_034"], runbooks.corpus["doc_108"])
    )
    first = term_scores(query, top, idf, avgdl)
    assert sum(first.values()) == pytest.approx(run["q19"][0][1], abs=1e-5) and run["q19"][0][0] == "doc_108"
    assert runbooks.qrels["q19"]["doc_034"] == 2 and run["q19"][12][0] == "doc_034"
    assert not any(runbooks.qrels["q19"].get(doc_id) for doc_id, _ in run["q19"][:12]), (
        "nothing but useless pages above"
    )
    differences = why_above(first, term_scores(query, page, idf, avgdl))
    assert [term for term, _ in differences[:3]] == ["remov", "push", "enough"]
    assert [term for term, value in differences if value < -0.2] == ["credenti"]
    assert runbooks.corpus["doc_108"].startswith("Restoring a Postgres cluster")
    assert median_first_rank(list(first_ranks(retriever, runbooks, 1000).values())) == 1
