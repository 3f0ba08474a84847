"""Lesson 04, second half: the numbers of its questions from the data that it shows."""

import json

import pytest

from course.exercises.lesson_04b import LESSON_04B
from course.exercises.questions import RIGHT, Numeric
from helpers.base import files
from helpers.retrieval.retrievers import CsrBM25
from helpers.text.analyzers import lucene_english


def question(words):
    (found,) = [question for question in LESSON_04B.questions if words in question.text]
    return found


def test_every_typical_wrong_number_gets_an_answer_of_its_own():
    numeric = [question for question in LESSON_04B.questions if isinstance(question, Numeric)]
    assert len(numeric) == 2
    for asked in numeric:
        assert asked.verdict(asked.answer)[0] == RIGHT
        assert [asked.verdict(value)[1] for value in asked.wrong] == list(asked.wrong.values())


def test_bm25l_ranks_as_lucene_does_with_k1_larger_by_a_half(everyday_science):
    asked = question("bm25l")
    assert "k₁ = 1.2" in asked.text and "k₁ = 1.7" in asked.options["c"][0]
    bm25l = CsrBM25(everyday_science.corpus, lucene_english, variant="bm25l", k1=1.2, b=0.75)
    lucene = CsrBM25(everyday_science.corpus, lucene_english, k1=1.7, b=0.75)
    one, other = (retriever.search(everyday_science.queries, k=10) for retriever in (bm25l, lucene))
    of = {query_id: [doc_id for doc_id, _ in results] for query_id, results in one.items()}
    assert of == {query_id: [doc_id for doc_id, _ in results] for query_id, results in other.items()}


def test_from_one_million_documents_to_8_8_a_query_takes_6_8_times_as_long():
    asked = question("By what factor")
    benchmark = json.loads(
        (files.ROOT / "evals" / "benchmarks" / "retrieval.json").read_text(encoding="utf-8")
    )
    hundred_thousand, million, largest = benchmark["sizes"][-3:]
    assert (million["documents"], round(largest["documents"] / 1e6, 1)) == (1_000_000, 8.8)

    def factor(system, smaller=million, larger=largest):
        before, after = (size["systems"][system]["queries per second"]["100"] for size in (smaller, larger))
        return before / after

    compiled = factor("Measure First, compiled")
    assert round(compiled, 1) == asked.answer
    typical = [
        largest["postings read a query"] / million["postings read a query"],
        1 / compiled,
        factor("Measure First, compiled", hundred_thousand, million),
        factor("Measure First, SciPy"),
        factor("matrix times dense query"),
    ]
    assert [round(value, 1) for value in typical] == list(asked.wrong)


def test_two_forums_count_the_same():
    asked = question("forum")
    assert (0.40 + 0.20) / 2 == pytest.approx(asked.answer)
    assert [(100 * 0.40 + 900 * 0.20) / 1000, (900 * 0.40 + 100 * 0.20) / 1000, 0.40 + 0.20] == pytest.approx(
        list(asked.wrong)
    )
