"""Lesson 09: what its exercises compute beside the package, and the numbers of its questions."""

import numpy as np
import pytest

from course.exercises.lesson_09 import LESSON_09
from course.exercises.lesson_09.nuggets_held import nuggets_held
from course.exercises.lesson_09b import LESSON_09B
from course.exercises.lesson_09b.corrected_mean import corrected_mean
from course.exercises.lesson_09b.labels_per_stratum import labels_per_stratum
from course.exercises.questions import RIGHT, Numeric
from helpers.answers import nugget_scores, nugget_shares
from helpers.datasets import Nugget
from helpers.stats import neyman_allocation, prediction_powered

TEXT = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def question(lesson, words):
    (found,) = [question for question in lesson.questions if words in question.text]
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_nuggets_held_are_those_of_the_package(seed):
    rng = np.random.default_rng(seed)

    def span(longest):
        start = int(rng.integers(0, 40))
        return f"d{rng.integers(2)}", start, start + int(rng.integers(1, longest))

    corpus = {"d0": TEXT, "d1": TEXT[::-1]}
    spans = [[span(8) for _ in range(rng.integers(1, 3))] for _ in range(5)]
    context = [span(25) for _ in range(rng.integers(0, 5))]
    nuggets = [
        Nugget(
            text="?",
            importance="vital",
            support=[{"doc_id": d, "quote": corpus[d][s:e]} for d, s, e in quotes],
        )
        for quotes in spans
    ]
    shares = nugget_shares(nuggets, context, corpus)
    assert nuggets_held(spans, context) == pytest.approx(np.mean([share == 1 for share in shares]))


@pytest.mark.parametrize("seed", range(10))
def test_the_corrected_mean_is_that_of_the_package(seed):
    rng = np.random.default_rng(seed)
    labels, verdicts, more = (rng.integers(3, size=n).tolist() for n in (8, 8, 20))
    found = prediction_powered(labels, verdicts, more, power=1)
    assert corrected_mean(labels, verdicts, more) == pytest.approx(found["estimate"])


@pytest.mark.parametrize("seed", range(10))
def test_the_labels_per_stratum_are_those_of_the_package_where_none_is_scarce(seed):
    rng = np.random.default_rng(seed)
    sizes = {name: int(rng.integers(200, 900)) for name in "abc"}
    spreads = {name: float(rng.choice([0.2, 0.3, 0.5])) for name in "abc"}
    assert labels_per_stratum(sizes, spreads, 60) == neyman_allocation(sizes, spreads, 60)


@pytest.mark.parametrize("lesson", [LESSON_09, LESSON_09B], ids=lambda lesson: lesson.name)
def test_every_typical_wrong_number_gets_an_answer_of_its_own(lesson):
    for asked in (one for one in lesson.questions if isinstance(one, Numeric)):
        assert asked.verdict(asked.answer)[0] == RIGHT
        assert [asked.verdict(value)[1] for value in asked.wrong] == list(asked.wrong.values())


def test_numbers_of_the_questions_are_what_comes_out():
    importances = ["vital"] * 3 + ["okay"] * 2
    held = ["support", "support", "partial_support", "support", "not_support"]
    scores = nugget_scores(importances, held)
    asked = question(LESSON_09, "three vital nuggets")
    assert asked.answer == round(scores["vital"], 2)
    expected = [scores["vital strict"], scores["all"], 1, scores["all strict"]]
    assert list(asked.wrong) == pytest.approx(expected, abs=0.005)
    asked = question(LESSON_09B, "2,000 passages")
    assert asked.answer == pytest.approx(0.40 + 0.30 - 0.42)
    asked = question(LESSON_09B, "600 pairs")
    given = labels_per_stratum({"no": 600, "yes": 200}, {"no": 0.2, "yes": 0.4}, 50)
    assert given == {"no": 30, "yes": asked.answer}
