"""Lesson 06, second half: the numbers of its questions, from the runbooks or by hand."""

import re

import nbformat
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from course.exercises.contents import EXERCISES
from course.exercises.lesson_06b import LESSON_06B
from course.exercises.questions import RIGHT, Numeric
from helpers.base import files
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.monitoring import clicks_by_document
from helpers.retrieval.retrievers import CsrBM25
from helpers.stats import peeking_false_alarms, sequential_levels


def reference(name):
    return EXERCISES[name].reference


def question(words):
    (found,) = [question for question in LESSON_06B.questions if words in question.text]
    return found


def test_every_typical_wrong_number_gets_an_answer_of_its_own():
    numeric = [question for question in LESSON_06B.questions if isinstance(question, Numeric)]
    assert len(numeric) == 3
    for asked in numeric:
        assert asked.verdict(asked.answer)[0] == RIGHT
        assert [asked.verdict(value)[1] for value in asked.wrong] == list(asked.wrong.values())


def test_of_those_who_saw_the_third_page_more_clicked():
    asked = question("Page X")
    assert 6 / (0.40 * 100) == asked.answer > 12 / 100
    assert [6 / 100, 0.06 * 0.40, 12 / 100, 0.06 * 3, 6 / 60, 15] == pytest.approx(
        list(asked.wrong), abs=0.005
    )


def test_recall_by_clicks_on_what_was_shown_is_always_1(runbooks):
    asked = question("A monitor takes")
    run = CsrBM25(runbooks.corpus, lucene_lengths=True).search(runbooks.queries)
    scores = evaluate_retrieval(run, runbooks.qrels, metrics=["Recall@5", "Recall@10"])
    reported, precision = [], []
    for query_id, grades in runbooks.qrels.items():
        shown = [doc_id for doc_id, _ in run[query_id][:5]]
        clicked = {doc_id for doc_id in shown if grades.get(doc_id, 0) > 0}
        precision.append(len(clicked) / 5)
        if clicked:
            reported.append(len(clicked & set(shown)) / len(clicked))
    assert len(reported) < 30 and set(reported) == {1.0}
    recall = scores.per_query["Recall@5"]
    assert round(1 - recall.mean(), 2) == asked.answer
    typical = [
        recall.mean(),
        1.0,
        1 - recall[recall > 0].mean(),
        1 - scores["Recall@10"],
        1 - sum(precision) / 30,
        0.0,
    ]
    assert [round(value, 2) for value in typical] == list(asked.wrong)


def test_5200_users_of_10000_are_too_many_for_a_fair_coin():
    asked = question("5,200")
    check = scipy_stats.chisquare([5200, 4800])
    assert check.statistic == pytest.approx(asked.answer)
    assert 15_000 < 1 / check.pvalue < 16_500 and "one of 16,000" in asked.praise
    assert round(scipy_stats.chi2.isf(0.05, 1), 2) == 3.84 and "3.84" in asked.praise
    typical = [200**2 / 5000, 16**0.5, 400**2 / 5000, 2 * 400**2 / 5000, 0, 2 * 200**2]
    assert typical == pytest.approx(list(asked.wrong))


def test_on_day_6_of_14_both_boundaries_ask_for_less_than_0_04():
    said = question("14 days").options["d"][1]
    for name, boundary in {"Pocock": "pocock", "O'Brien and Fleming": "obrien-fleming"}.items():
        assert f"{sequential_levels(14, boundary)[5]:.4f}" in said and name in said


def test_the_numbers_at_the_end_of_the_lesson_are_those_of_its_outputs():
    notebook = nbformat.read(files.ROOT / "notebooks" / f"{LESSON_06B.notebook}.ipynb", 4)
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    shown = " ".join(
        output.get("text", "") + output.get("data", {}).get("text/plain", "") for output in outputs
    )
    (findings,) = [cell.source for cell in notebook.cells if cell.source.startswith("## 9 What you have now")]
    numbers = re.findall(r"\d+\.\d+(?= %)|\d+\.\d+|\d+ of 27", findings)
    assert len(numbers) > 8
    assert [number for number in numbers if number not in shown] == []


def test_what_is_said_of_the_exercises_at_work_was_printed_there():
    notebook = nbformat.read(files.ROOT / "notebooks" / f"{LESSON_06B.notebook}.ipynb", 4)
    cells = {cell.id: cell for cell in notebook.cells}
    (output,) = cells["exercises-at-work-code"].outputs
    said = set(re.findall(r"\d\.\d+", cells["exercises-read"].source))
    assert len(said) == 5 and said <= set(re.findall(r"\d\.\d+", output.text))


@given(
    log=st.lists(
        st.tuples(st.sampled_from(["d1", "d2"]), st.sampled_from([1, 2, 3]), st.booleans()), min_size=1
    )
)
@settings(max_examples=30)
def test_corrected_rates_are_those_of_the_monitor(log):
    rows = pd.DataFrame(log, columns=["doc_id", "rank", "clicked"]).assign(query_id="q1")
    theirs = clicks_by_document(rows.assign(impression=rows.index), [1.0, 0.5, 0.2])["corrected rate"]
    ours = reference("CORRECTED_RATES")(log, {1: 1.0, 2: 0.5, 3: 0.2})
    assert ours == pytest.approx(theirs.loc["q1"].to_dict())


def test_the_error_of_a_ratio_is_that_of_repeated_experiments():
    rng = np.random.default_rng(0)
    queries = rng.choice([2, 8], size=(2000, 200))
    clicks = rng.binomial(queries, np.where(queries == 2, 0.6, 0.3))
    ratios = clicks.sum(axis=1) / queries.sum(axis=1)
    ratio, error = reference("RATIO_AND_ERROR")(clicks[0].tolist(), queries[0].tolist())
    assert ratio == ratios[0] and error == pytest.approx(ratios.std(), rel=0.1)


def test_looking_at_equal_systems_raises_as_many_false_alarms_as_were_computed():
    steps = np.random.default_rng(0).normal(size=(4000, 5)).cumsum(axis=1) / np.sqrt(np.arange(1, 6))
    p = 2 * scipy_stats.norm.sf(abs(steps))
    shares = reference("FALSE_ALARMS")(p.tolist(), [0.05] * 5)
    assert shares == pytest.approx(list(peeking_false_alarms(5)), abs=0.02)
