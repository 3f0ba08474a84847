"""Slips in a notebook that a kernel makes harmless: no Python, no such function, cells in another order."""

import nbformat
import pytest

from course import runner
from course.exercises import contents, notebooks
from helpers.base import files

FOLDER = files.ROOT / "notebooks"


def exercise(name, definition):
    """The cell of an exercise, with its check and `use` below what a reader has written."""
    function = contents.EXERCISES[name].reference.__name__
    return f"{definition}\nex.{name}.check({function})\n{function} = ex.{name}.use({function})"


SLIP = exercise("RECIPROCAL_RANK", "def reciprocal_rnk(ranking, grades):\n    return 42")
ASSERTS = "def ndcg_at_k(ranking, grades, k=10):\n    return 0.0\nassert ndcg_at_k(['a'], {'a': 1})"
CELLS = {
    "imports": "from math import log2\nfrom course.exercises import TODO, lesson_03 as ex",
    "no colon": exercise("PRECISION", "def precision_at_k(ranking, grades, k)\n    return 1"),
    "below it": "precision_at_k(['a', 'b'], {'a': 1}, 2)",
    "indented": exercise("DCG", "%matplotlib inline\ndef dcg_at_k(r, g, k):\n   a = 1\n  b = 2"),
    "a magic": exercise("RECALL", f"x = !echo 1\n{contents.EXERCISES['RECALL'].source()}"),
    "a slip": SLIP,
    "the slip again": SLIP,
    "only a check": "ex.MEAN_OVER_QUERIES.check(mean_over_queries)",
    "what it left": "'mean_over_queries' in globals(), 'a' in globals()",
    "an answer": "ex.LESSON_03.answer(1, 0.25))",
    "a letter": "ex.LESSON_03.answer(2, b)",
    "a letter that is a variable": "b = 0.75\nex.LESSON_03.answer(3, b)",
    "the variable": "b",
    "fails before its check": exercise("NDCG", ASSERTS),
    "below that": "ndcg_at_k(['a'], {'a': 1})",
    "can do": "ex.LESSON_03.can_do()",
    "too early": "print(lists)",
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The cells, run in a kernel as `course run` does: what each printed, and its error, by name."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    target = tmp_path_factory.mktemp("kernel") / "ran.ipynb"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEASURE_FIRST_RESULTS", str(target.parent))
        patch.setenv("MEASURE_FIRST_CACHE", str(target.parent))
        with pytest.raises(runner.LessonFailed, match="name 'lists' is not defined"):
            runner.execute(FOLDER / "03_metrics.ipynb", notebook, target, exercises_may_fail=True)
    stored = nbformat.read(target, 4)
    assert not any("tags" in cell.metadata for cell in stored.cells)
    return {name: _outputs(cell) for name, cell in zip(CELLS, stored.cells, strict=True)} | {"all": stored}


def _outputs(cell) -> str:
    return "".join(
        output.get("text") or output.get("ename") or output["data"]["text/plain"] for output in cell.outputs
    )


def test_an_exercise_that_is_no_python_is_reported_and_what_is_below_runs(ran):
    assert ran["no colon"] == (
        "precision_at_k: not right yet. Python cannot read this cell, so nothing in it was run.\n"
        "  line 1   def precision_at_k(ranking, grades, k)\n"
        "  Python   expected ':'\n"
    )
    assert ran["below it"] == "0.5"
    assert "  line 4   b = 2\n  Python   unindent does not match" in ran["indented"]


def test_a_cell_with_a_magic_command_stays_as_it_is(ran):
    assert ran["a magic"] == "recall_at_k: right, in all 16 cases.\n" + ran["a magic"].partition("\n")[2]


def test_a_function_with_another_name_is_not_right_and_the_courses_own_not_praised(ran):
    assert "There is no function of this name. This cell defines `reciprocal_rnk`" in ran["a slip"]
    assert ran["the slip again"].startswith("reciprocal_rank: not yours, so it is not counted.")
    assert "is the name a slip?" in " ".join(ran["the slip again"].split())


def test_a_placeholder_is_gone_after_its_cell(ran):
    assert "There is no function of this name." in ran["only a check"]
    assert ran["what it left"] == "(False, False)"
    assert ran["the variable"] == "0.75"


def test_an_answer_without_quotes_or_with_a_bracket_too_much_stops_nothing(ran):
    assert ran["an answer"].startswith("Question 1: no. Python cannot read this cell.\n  line 1 ")
    assert ran["a letter"].startswith("Question 2: ")
    assert ran["a letter that is a variable"].startswith("Question 3: ")


def test_after_an_error_in_the_cell_of_an_exercise_the_courses_own_works(ran):
    assert "AssertionError" in ran["fails before its check"]
    assert ran["fails before its check"].endswith("What comes below uses the course's own ndcg_at_k.\n")
    assert ran["below that"] == "1.0"
    assert notebooks.errors_in(ran["all"]) == ["ex.NDCG.check: AssertionError: "]


def test_the_can_do_list_says_whose_functions_work(ran):
    *_, own, lent = ran["can do"].split("\n", len(contents.LESSONS[2].can_do_list) + 1)
    assert own == "Yours: recall_at_k."
    named = "precision_at_k, reciprocal_rank, dcg_at_k, ndcg_at_k"
    assert " ".join(lent.split()) == f"Still the course's version: {named}."


def test_progress_counts_what_the_reader_wrote(ran):
    said = notebooks.statuses(ran["all"], contents.LESSONS[2])
    assert said["recall_at_k"] == "right" and said["reciprocal_rank"] == "not yours"
    assert said["precision_at_k"] == "not right yet" and said[1] == "no"
    assert "recall_at_k" in notebooks.done(ran["all"], contents.LESSONS[2])
    assert "reciprocal_rank" not in notebooks.done(ran["all"], contents.LESSONS[2])


def test_a_name_from_a_cell_that_was_not_run_is_looked_up_for_the_reader(ran):
    assert "NameError" in ran["too early"]
    assert (
        "`lists` is defined in code cell" in ran["too early"] and "which has not been run" in ran["too early"]
    )
