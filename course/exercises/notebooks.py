"""Exercises in notebook files: who has done what, by the stored outputs; and solutions put in.

Runs nothing.
"""

import ast
import copy
import re
from pathlib import Path
from typing import TYPE_CHECKING

from course.exercises import questions, verdict
from course.exercises.exercise import Exercise
from course.exercises.lesson import Lesson

if TYPE_CHECKING:
    from nbformat import NotebookNode

_OF_EXERCISES = (verdict.RIGHT, verdict.WRONG, verdict.UNTOUCHED, verdict.GIVEN)
_OF_QUESTIONS = (questions.RIGHT, questions.WRONG, questions.UNANSWERED)


def statuses(notebook: "NotebookNode", lesson: Lesson) -> dict[str | int, str]:
    """What each check of a notebook said when it was last run, by function name or number of question.

    A check that was not run, or whose cell is gone, is missing. Nothing is executed: the file of a stranger
    can be read.
    """
    calls: dict[str | int, str] = {}
    calls |= {exercise.reference.__name__: _check_call(exercise) for exercise in lesson.exercises}
    calls |= {number: _answer_call(lesson, number) for number in range(1, len(lesson.questions) + 1)}
    found: dict[str | int, str] = {}
    for cell in notebook.get("cells") or []:  # what others have saved may lack anything
        if cell.get("cell_type") == "code":
            outputs = cell.get("outputs") or []
            streams = [output for output in outputs if output.get("output_type") == "stream"]
            printed = "".join(output.get("text") or "" for output in streams)
            for proof, call in calls.items():
                if call in (cell.get("source") or "") and (said := _said(printed, proof)):
                    found[proof] = said
    return found


def _check_call(exercise: Exercise) -> str:
    return f"ex.{exercise.name}.check("


def _answer_call(lesson: Lesson, number: int) -> str:
    return f"ex.{lesson.name}.answer({number},"


def asks(cell: "NotebookNode") -> bool:
    """Whether a cell has the check of an exercise or of an answer, in whatever state its code is."""
    return cell.get("cell_type") == "code" and bool(_ASKS.search(cell.get("source") or ""))


_ASKS = re.compile(r"\bex\.[A-Z][A-Z0-9_]*\.(check|answer)\(")


def calls_in(cell: "NotebookNode") -> list[str]:
    """The checks of exercises and answers in a cell, in order: `ex.NDCG.check(`, `ex.LESSON_03.answer(2`."""
    return _CALLS.findall(cell.get("source") or "") if cell.get("cell_type") == "code" else []


_CALLS = re.compile(r"\bex\.[A-Z][A-Z0-9_]*\.(?:check\(|answer\(\s*\d+)")


def errors_in(notebook: "NotebookNode") -> list[str]:
    """What went wrong in the cells of exercises and answers, as one line each: the call, and the error."""
    found = []
    for cell in filter(asks, notebook.get("cells") or []):
        raised = [output for output in cell.get("outputs") or [] if output.get("output_type") == "error"]
        if raised:
            call = _ASKS.search(cell["source"])[0].rstrip("(")
            found.append(f"{call}: {raised[0].get('ename')}: {raised[0].get('evalue')}")
    return found


def _said(printed: str, proof: str | int) -> str | None:
    """The status in the words of the check of an exercise or a question, None where it printed nothing."""
    name = proof if isinstance(proof, str) else f"Question {proof}"
    words = _OF_EXERCISES if isinstance(proof, str) else _OF_QUESTIONS
    lines = re.findall(rf"^{name}: ({'|'.join(words)})\b", printed, re.M)
    return lines[-1] if lines else None


def done(notebook: "NotebookNode", lesson: Lesson) -> set[str | int]:
    """The exercises and questions of a notebook whose last check was right."""
    right = (verdict.RIGHT, questions.RIGHT)
    return {proof for proof, status in statuses(notebook, lesson).items() if status in right}


def read(path: Path) -> "NotebookNode | None":
    """A notebook file, or None for one that cannot be read."""
    try:
        # Here: it takes seconds, and a lesson that only checks answers needs none of it.
        import nbformat

        return nbformat.read(path, as_version=4, capture_validation_error={})
    except Exception:  # nbformat fails in many ways on what is no notebook
        return None


def solved(notebook: "NotebookNode", lesson: Lesson) -> "NotebookNode":
    """A copy with every function of the reader's replaced by the reference, and every question answered.

    The outputs stay as they were. Raises ValueError, with the name, for an exercise or a question that has no
    cell of its own.
    """
    notebook = copy.deepcopy(notebook)
    sources = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for exercise in lesson.exercises:
        cell = _only_cell(sources, _check_call(exercise), lesson)
        cell.source = _with_function(cell.source, exercise.reference.__name__, exercise.source())
    for number, question in enumerate(lesson.questions, start=1):
        cell = _only_cell(sources, _answer_call(lesson, number), lesson)
        cell.source = _with_answer(cell.source, number, repr(question.answer))
    return notebook


def _only_cell(cells: list["NotebookNode"], call: str, lesson: Lesson) -> "NotebookNode":
    found = [cell for cell in cells if call in cell.source]
    if len(found) != 1:
        raise ValueError(f"{lesson.notebook}.ipynb: {len(found)} cells with {call!r}; there must be one")
    return found[0]


def _with_function(source: str, name: str, code: str) -> str:
    """The cell with its definition of `name` replaced by `code`; the lines around it stay as they are."""
    functions = [node for node in _parsed(source, name).body if isinstance(node, ast.FunctionDef)]
    found = [node for node in functions if node.name == name]
    if len(found) != 1:
        raise ValueError(f"the cell of {name} has {len(found)} functions of this name; there must be one")
    first = min(node.lineno for node in [found[0], *found[0].decorator_list])
    lines = source.split("\n")
    return "\n".join([*lines[: first - 1], *code.split("\n"), *lines[found[0].end_lineno :]])


def _with_answer(source: str, number: int, answer: str) -> str:
    """The cell with the second argument of its call of `answer` replaced."""
    calls = [node for node in ast.walk(_parsed(source, f"question {number}")) if isinstance(node, ast.Call)]
    answers = [call for call in calls if getattr(call.func, "attr", "") == "answer" and len(call.args) == 2]
    given = answers[0].args[1]
    lines = source.split("\n")
    before = lines[given.lineno - 1].encode()[: given.col_offset].decode()
    after = lines[given.end_lineno - 1].encode()[given.end_col_offset :].decode()
    return "\n".join([*lines[: given.lineno - 1], f"{before}{answer}{after}", *lines[given.end_lineno :]])


def _parsed(source: str, name: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise ValueError(f"the cell of {name} is no Python: {error}") from None
