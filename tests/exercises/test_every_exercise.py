"""What must hold for each exercise of the course by itself, whatever it asks for."""

import ast
import builtins
import importlib
import inspect
import math

import pytest
from mutants import mutants

from course.exercises import attempt, verdict
from course.exercises import contents as ex
from course.exercises.cases import TODO

EXERCISES = list(ex.EXERCISES.values())
PAIRS = [(exercise, mistake) for exercise in EXERCISES for mistake in exercise.mistakes]
by_name = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)


def equivalents(exercise) -> dict[str, str]:
    """The mutants that no case can refuse, and why; each lesson's are in a module of their own."""
    (lesson,) = [lesson for lesson in ex.LESSONS if exercise in lesson.exercises]
    return importlib.import_module(f"equivalents_{lesson.notebook[:2]}").EQUIVALENT.get(exercise.name, {})


@by_name
def test_the_reference_passes(exercise):
    found = exercise.verdict(exercise.reference)
    assert found.status == verdict.RIGHT, found.text


@by_name
def test_the_stub_counts_as_not_attempted(exercise):
    assert exercise.verdict(lambda *arguments: TODO).status == verdict.UNTOUCHED
    assert exercise.verdict(TODO).status == verdict.UNTOUCHED


@pytest.mark.parametrize(
    ("exercise", "mistake"), PAIRS, ids=[f"{e.name}-{m.name.replace(' ', '-')}" for e, m in PAIRS]
)
def test_a_known_mistake_is_refused_by_its_own_name(exercise, mistake):
    found = exercise.verdict(mistake.function)
    assert (found.status, found.mistake) == (verdict.WRONG, mistake.name), found.text
    assert mistake.message.split()[0] in found.text
    assert "Among other things" not in found.text


@by_name
def test_known_mistakes_can_be_told_apart(exercise):
    made = [verdict.outcomes(mistake.function, exercise.cases) for mistake in exercise.mistakes]
    for place, one in enumerate(made):
        assert not one[-1].cut_off, "a mistake that never ends makes every check wait"
        for other in made[:place]:
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
    "never returns from itself": lambda *arguments: HOSTILE["never returns from itself"](*arguments),
}


@by_name
@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_no_answer_never_passes_and_never_raises(exercise, kind):
    assert exercise.verdict(HOSTILE[kind]).status == verdict.WRONG


@by_name
def test_a_right_function_that_spoils_its_arguments_is_told_so(exercise):
    changeable = any(
        isinstance(argument, (list, dict, set)) for case in exercise.cases for argument in case.arguments
    )
    found = exercise.verdict(_spoils_its_arguments(exercise.reference))
    assert found.status == (verdict.WRONG if changeable else verdict.RIGHT)
    assert ("It changes" in found.text) == changeable


@by_name
def test_every_mechanical_mutant_is_refused_or_known_to_be_the_same(exercise, monkeypatch):
    monkeypatch.setattr(attempt, "SECONDS", 0.3)
    passed = {
        what
        for what, mutant in mutants(exercise.reference)
        if exercise.verdict(mutant).status == verdict.RIGHT
    }
    assert passed == equivalents(exercise).keys()
    assert all(equivalents(exercise).values()), "each with its reason"


@by_name
def test_an_exercise_is_complete(exercise):
    assert 8 <= len(exercise.cases) <= 16
    assert len(exercise.hints) == 3 and len(set(exercise.hints)) == 3
    assert "Convention" in exercise.task and exercise.reference.__name__ in exercise.task
    assert all(case.reason for case in exercise.cases)
    assert all(len(mistake.message.split()) <= 60 for mistake in exercise.mistakes)
    assert len({mistake.name for mistake in exercise.mistakes}) == len(exercise.mistakes) >= 3


ALLOWED = {"json", "np", "csr_array", "log", "log2", "log10", "sqrt", "Counter", "defaultdict"}
"""What a solution may use without importing it: the notebooks import these."""


@by_name
def test_a_solution_stands_on_its_own(exercise):
    tree = ast.parse(exercise.source())
    inner = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    inner |= {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    inner |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    built_on = {other.reference.__name__ for other in EXERCISES}
    assert used <= inner | ALLOWED | set(dir(builtins)) | built_on
    assert len(inspect.getsource(exercise.reference).splitlines()) <= 20
