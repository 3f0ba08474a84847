"""What learners write: a right answer passes, a wrong one gets the name of its mistake, none a wrong name."""

import json
from collections import Counter, defaultdict
from math import log, log2

import numpy as np
import pytest
from answers import FOLDER, answers_in, answers_of, in_a_cell
from scipy.sparse import csr_array

from course.exercises import verdict
from course.exercises.contents import EXERCISES, LESSONS

NOTEBOOK = {
    "json": json,
    "np": np,
    "log": log,
    "log2": log2,
    "Counter": Counter,
    "defaultdict": defaultdict,
    "csr_array": csr_array,
}
"""What the notebooks import."""

EVERYWHERE = {"another logarithm", "integer division", "in per cent", "rounded"}
"""Mistakes that are no exercise's own, and come together with one that is."""

EDGES = {"no error raised", "stops with an error"}
"""What is said besides, where nothing was given or something is divided by 0."""

ANSWERS = [
    answer
    for path in sorted(FOLDER.glob("lesson_*.txt"))
    for answer in answers_of(path.stem.removeprefix("lesson_"))
]
by_name = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda exercise: exercise.name)


def written(exercise, source):
    """The learner's function, in a notebook in which the exercises above this one are done."""
    (lesson,) = [lesson for lesson in LESSONS if exercise in lesson.exercises]
    above = lesson.exercises[: lesson.exercises.index(exercise)]
    names = (
        NOTEBOOK | {"__name__": "__main__"} | {other.reference.__name__: other.reference for other in above}
    )
    return in_a_cell(source, names)[exercise.reference.__name__]


def names_in(expected, exercise):
    """The mistakes of which the check shall name one at least: of an answer that makes two, these two.

    Some names hold a plus.
    """
    known = {mistake.name for mistake in exercise.mistakes} | EVERYWHERE
    pairs = {(one, other) for one in known for other in known if f"{one} + {other}" == expected}
    return {name for pair in pairs for name in pair} or {expected}


def said_wrongly(exercise, expected, source) -> str:
    """What its check says where it should say something else, "" where it says what is expected."""
    found = exercise.verdict(written(exercise, source))
    if expected == "right":
        return "" if found.status == verdict.RIGHT else f"{source}\n{found.text}"
    names = set(found.mistakes) - (EDGES if len(found.mistakes) > 1 else set())
    named = (names or {""}) <= names_in(expected, exercise)
    return "" if found.status == verdict.WRONG and named else f"{expected}:\n{source}\n{found.text}"


@by_name
def test_each_learners_answer_gets_its_name_and_no_other(exercise):
    misjudged = [said_wrongly(*answer) for answer in ANSWERS if answer.exercise is exercise]
    assert not any(misjudged), "\n".join(misjudged)


@by_name
def test_there_are_right_answers_in_several_styles_and_wrong_ones(exercise):
    expected = [name for other, name, _ in ANSWERS if other is exercise]
    assert expected.count("right") >= 3
    assert len(expected) - expected.count("right") >= 8


def test_no_answer_is_lost():
    assert len(ANSWERS) >= 833


@pytest.mark.parametrize("heading", ["## NDGC: right", "## NDCG", "## right"])
def test_a_heading_that_names_no_exercise_or_no_verdict_is_refused(heading):
    with pytest.raises(ValueError, match=f"'{heading}' names no exercise"):
        answers_in(f"{heading}\ndef ndcg_at_k(ranking, grades, k):\n    return 0.0\n")
