"""What must hold for each exercise of the course by itself, whatever it asks for."""

import ast
import builtins
import doctest
import functools
import inspect
import math
from functools import partial
from types import FunctionType

import numpy as np
import pytest
from equivalents import EQUIVALENT
from mutants import mutants
from scipy.sparse import csr_array

from course.exercises import attempt, beyond, contents, diagnosis, verdict
from course.exercises.cases import TODO

EXERCISES = list(contents.EXERCISES.values())
by_name = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
ONE_PER_SIGNATURE = {len(inspect.signature(one.reference).parameters): one for one in EXERCISES}
by_signature = pytest.mark.parametrize("exercise", ONE_PER_SIGNATURE.values(), ids=ONE_PER_SIGNATURE.keys())


def retyped(function):
    """The same function as somebody would have it who copied its text: not the course's own object."""
    code = function.__code__.replace(co_filename="<cell>")
    parts = function.__name__, function.__defaults__, function.__closure__
    return FunctionType(code, function.__globals__ | {"__name__": "__main__"}, *parts)


@by_name
def test_the_reference_passes(exercise):
    found = exercise.verdict(retyped(exercise.reference))
    assert found.status == verdict.RIGHT, found.text


@by_name
def test_the_courses_own_function_is_not_taken_for_the_readers(exercise):
    own = exercise.reference

    @functools.wraps(own)
    def decorated(*arguments, **named):
        return own(*arguments, **named)

    for disguised in (own, decorated, partial(own), lambda *arguments, **named: own(*arguments, **named)):
        assert exercise.verdict(disguised).status == verdict.GIVEN


@by_name
def test_the_stub_counts_as_not_attempted(exercise):
    assert exercise.verdict(lambda *arguments: TODO).status == verdict.UNTOUCHED
    assert exercise.verdict(TODO).status == verdict.UNTOUCHED


def is_called_by_its_name(exercise, mistake) -> bool:
    found = exercise.verdict(mistake.function)
    named = (found.status, found.mistakes) == (verdict.WRONG, (mistake.name,))
    said = mistake.message in " ".join(found.text.split()) and "Among other things" not in found.text
    return named and said


@by_name
def test_each_known_mistake_is_refused_by_its_own_name(exercise):
    assert [one.name for one in exercise.mistakes if not is_called_by_its_name(exercise, one)] == []


@by_name
def test_known_mistakes_can_be_told_apart(exercise):
    made = [diagnosis.known_outcomes(mistake.function, exercise.cases) for mistake in exercise.mistakes]
    for position, one in enumerate(made):
        assert not one[-1].cut_off, "a mistake that never ends makes every check wait"
        for other in made[:position]:
            assert not all(map(attempt.Outcome.equals, one, other)), "two mistakes with the same outcomes"


def _spoils_its_arguments(reference):
    def function(*arguments):
        result = reference(*arguments)
        for argument in arguments:
            if isinstance(argument, (list, dict, set)):
                argument.clear()
        return result

    return function


def _exits(*arguments):
    raise SystemExit("out of here")


HOSTILE = {
    "raises": lambda *arguments: 1 / 0,
    "exits": _exits,
    "returns text": lambda *arguments: "0.5",
    "returns NaN": lambda *arguments: math.nan,
    "returns nothing": lambda *arguments: None,
    "returns its arguments": lambda *arguments: arguments,
    "returns an object": lambda *arguments: object(),
    "takes nothing": lambda: 1.0,
    "takes too much": lambda a, b, c, d, e, f, g, h: 1.0,
    "is a number": 0.5,
    "is None": None,
    "is a class": dict,
    "is a built-in": len,
}


@by_signature
@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_no_answer_never_passes_and_never_raises(exercise, kind):
    assert exercise.verdict(HOSTILE[kind]).status == verdict.WRONG


@by_name
def test_nobody_passes_who_gives_the_same_in_all_cases_or_gives_back_what_came(exercise):
    expected = diagnosis.known_outcomes(exercise.reference, exercise.cases)
    given_back = attempt.attempts(lambda *arguments: arguments, [case.arguments for case in exercise.cases])
    for constant in expected:
        assert not all(map(constant.equals, expected))
    assert not all(map(attempt.Outcome.equals, given_back, expected))


@by_signature
def test_a_function_that_calls_itself_for_ever_never_passes_and_never_raises(exercise):
    def never_returns(*arguments):
        return never_returns(*arguments)

    assert exercise.verdict(never_returns).status == verdict.WRONG


@by_name
def test_a_right_function_that_spoils_its_arguments_is_told_so(exercise):
    arguments = [argument for case in exercise.cases for argument in case.arguments]
    changeable = any(isinstance(argument, (list, dict, set)) for argument in arguments)
    found = exercise.verdict(_spoils_its_arguments(retyped(exercise.reference)))
    assert found.status == (verdict.WRONG if changeable else verdict.RIGHT)
    assert ("It changes" in found.text) == changeable


def is_right_in_all_cases(function, exercise) -> bool:
    """What makes a verdict right, asked case by case: most mutants fall at the first or second."""
    if not is_right_where_arguments_are_left_out(function, exercise):
        return False
    expected = diagnosis.known_outcomes(exercise.reference, exercise.cases)
    found = (attempt.attempt(function, case.arguments) for case in exercise.cases)
    return all(one.equals(other) and not one.changed for one, other in zip(found, expected, strict=True))


def is_right_where_arguments_are_left_out(function, exercise) -> bool:
    needed = inspect.signature(exercise.reference).parameters.values()
    n = sum(one.default is one.empty for one in needed)
    if n == len(needed):
        return True
    calls = [case.arguments[:n] for case in exercise.cases]
    both = zip(attempt.attempts(function, calls), attempt.attempts(exercise.reference, calls), strict=False)
    return all(one.equals(other) for one, other in both)


@by_name
def test_every_mechanical_mutant_is_refused_or_known_to_be_the_same(exercise, monkeypatch):
    monkeypatch.setattr(attempt, "SECONDS", 0.3)
    equivalent = EQUIVALENT.get(exercise.name, {})
    passed = {what for what, mutant in mutants(exercise.reference) if is_right_in_all_cases(mutant, exercise)}
    assert passed == equivalent.keys()
    assert all(equivalent.values()), "each with its reason"


def test_no_mutant_is_called_equivalent_for_an_exercise_that_is_gone():
    assert EQUIVALENT.keys() <= contents.EXERCISES.keys()


@by_name
def test_an_exercise_is_complete(exercise):
    assert 8 <= len(exercise.cases) <= 20
    assert len(exercise.hints) == 3 and len(set(exercise.hints)) == 3
    assert "Convention" in exercise.task and exercise.reference.__name__ in exercise.task
    assert all(case.reason for case in exercise.cases)
    assert all(len(mistake.message.split()) <= 60 for mistake in exercise.mistakes)
    assert len({mistake.name for mistake in exercise.mistakes}) == len(exercise.mistakes) >= 3


@by_name
def test_a_call_in_a_task_gives_the_value_that_is_shown_with_it(exercise):
    names = {other.reference.__name__: other.reference for other in EXERCISES}
    names |= {"np": np, "csr_array": csr_array}
    text = exercise.task.replace("```", "")
    example = doctest.DocTestParser().get_doctest(text, names, exercise.name, None, 0)
    assert doctest.DocTestRunner().run(example).failed == 0


@by_name
def test_a_reader_is_told_how_long_it_takes_and_has_something_to_think_about_afterwards(exercise):
    assert exercise.difficulty in (1, 2, 3) and 5 <= exercise.minutes <= 40
    assert exercise.further.endswith("?") and len(exercise.further.split()) <= 30


@pytest.mark.parametrize(
    "exercise", [one for one in EXERCISES if one.second_way], ids=lambda exercise: exercise.name
)
def test_the_second_way_is_right_too_and_short(exercise):
    second_way = retyped(exercise.second_way)
    found = exercise.verdict(second_way)
    assert found.status == verdict.RIGHT, found.text
    lines = inspect.getsource(exercise.second_way).splitlines()
    assert len(lines) <= 9 and max(map(len, lines[2:])) <= 96
    assert len(exercise.second_way.__doc__.splitlines()) == 1


def test_no_effort_is_listed_for_an_exercise_that_is_gone():
    assert beyond.BEYOND.keys() <= contents.EXERCISES.keys()


ALLOWED = {"json", "np", "csr_array", "log", "log2", "log10", "sqrt", "Counter", "defaultdict"}
"""What a solution may use without importing it: the notebooks import these."""


@by_name
def test_a_solution_stands_on_its_own(exercise):
    tree = ast.parse(exercise.source())
    inner = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    inner |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    inner |= {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    used = {node.id for node in names}
    built_on = {other.reference.__name__ for other in EXERCISES}
    assert used <= inner | ALLOWED | set(dir(builtins)) | built_on
    assert len(inspect.getsource(exercise.reference).splitlines()) <= 20
