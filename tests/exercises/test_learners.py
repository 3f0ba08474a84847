"""What learners write: a right answer passes, a wrong one is given the name of its mistake, and no answer one that misleads."""

import importlib
import json
from collections import Counter, defaultdict
from math import log, log2

import numpy as np
import pytest
from scipy.sparse import csr_array

from course.exercises import contents as ex
from course.exercises import verdict

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

ANSWERS = [
    (ex.EXERCISES[name], expected, source)
    for number in ("01", "02", "03", "04", "05", "06", "07")
    for name, expected, source in importlib.import_module(f"learners.lesson_{number}").ANSWERS
]
IDS = [
    f"{place}-{exercise.name}-{expected.replace(' ', '-') or 'unnamed'}"
    for place, (exercise, expected, _) in enumerate(ANSWERS)
]


@pytest.fixture(autouse=True, scope="module")
def known_outcomes():
    """The mistakes and references are asked once and not for each answer."""
    ask, known = verdict.outcomes, {}
    theirs = {m.function for exercise in ex.EXERCISES.values() for m in exercise.mistakes}
    theirs |= {exercise.reference for exercise in ex.EXERCISES.values()}

    def outcomes(function, cases):
        if function not in theirs:
            return ask(function, cases)
        if (function, id(cases)) not in known:
            known[function, id(cases)] = ask(function, cases)
        return known[function, id(cases)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdict, "outcomes", outcomes)
        yield


def written(exercise, source):
    """The learner's function, in a notebook in which the exercises above this one are done."""
    (lesson,) = [lesson for lesson in ex.LESSONS if exercise in lesson.exercises]
    above = lesson.exercises[: lesson.exercises.index(exercise)]
    names = NOTEBOOK | {other.reference.__name__: other.reference for other in above}
    exec(source, names)
    return names[exercise.reference.__name__]


def names_in(expected, exercise):
    """The mistakes of which the check shall name one: two where an answer makes two, else the one. Some names hold a plus."""
    known = {mistake.name for mistake in exercise.mistakes}
    pairs = {(one, other) for one in known for other in known if f"{one} + {other}" == expected}
    return {name for pair in pairs for name in pair} or {expected}


@pytest.mark.parametrize(("exercise", "expected", "source"), ANSWERS, ids=IDS)
def test_a_learners_answer_gets_its_name_and_no_other(exercise, expected, source):
    found = exercise.verdict(written(exercise, source))
    if expected == "right":
        assert found.status == verdict.RIGHT, found.text
    else:
        assert found.status == verdict.WRONG
        assert found.mistake in names_in(expected, exercise), found.text


@pytest.mark.parametrize("exercise", ex.EXERCISES.values(), ids=lambda exercise: exercise.name)
def test_there_are_right_answers_in_several_styles_and_wrong_ones(exercise):
    expected = [name for other, name, _ in ANSWERS if other is exercise]
    assert expected.count("right") >= 3
    assert len(expected) - expected.count("right") >= 8
