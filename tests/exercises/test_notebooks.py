"""The exercises in the notebooks, untouched and solved, and in what a teacher reads from them."""

import json
import re
import shutil

import nbformat
import pytest
from answers import answers_of

from course import runner, teaching
from course.__main__ import main
from course.exercises import contents as ex
from course.exercises import notebooks, questions, readers, reading, verdict
from helpers.base import files

by_lesson = pytest.mark.parametrize("lesson", ex.LESSONS, ids=lambda lesson: lesson.notebook)
FOLDER = files.ROOT / "notebooks"


def stored(lesson):
    return nbformat.read(FOLDER / f"{lesson.notebook}.ipynb", 4)


def prose(notebook) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


@by_lesson
def test_a_notebook_asks_what_its_exercises_and_questions_ask(lesson):
    text = prose(stored(lesson))
    for exercise in lesson.exercises:
        assert f"### `{exercise.reference.__name__}`" in text
        assert exercise.task in text
    for number, question in enumerate(lesson.questions, start=1):
        assert f"**{number}** {question.markdown()}" in text


@by_lesson
def test_in_the_untouched_notebook_every_check_was_run_and_nothing_is_attempted(lesson):
    found = notebooks.statuses(stored(lesson), lesson)
    assert found == {
        proof: verdict.UNTOUCHED if isinstance(proof, str) else questions.UNANSWERED
        for proof in lesson.proofs()
    }


def test_the_minutes_of_a_lessons_exercises_add_up_to_about_those_of_the_readme():
    readme = (files.ROOT / "README.md").read_text(encoding="utf-8")
    for row in re.findall(r"^\| \d\d .*$", readme, re.M):
        lessons = [lesson for lesson in ex.LESSONS if f"notebooks/{lesson.notebook}.ipynb" in row]
        minutes = sum(exercise.minutes for lesson in lessons for exercise in lesson.exercises)
        minutes += sum(len(lesson.questions) for lesson in lessons)  # a minute each
        assert int(re.search(r"\+ (\d+) \|$", row)[1]) == pytest.approx(minutes, abs=20), row


@by_lesson
def test_every_exercise_and_every_question_proves_something_that_a_reader_can_do(lesson):
    proofs = [proof for item in lesson.can_do_list for proof in item.proofs]
    assert set(proofs) == set(lesson.proofs())
    assert 5 <= len(lesson.questions) <= 7


@by_lesson
def test_every_wrong_option_has_an_answer_of_its_own(lesson):
    for question in lesson.questions:
        if isinstance(question, questions.Choice):
            feedback = [said for _, said in question.options.values()]
            assert question.answer in question.options and 3 <= len(question.options) <= 4
        else:
            feedback = [question.praise, question.otherwise, *question.wrong.values()]
            assert question.wrong
            assert not any(question.verdict(value)[0] == questions.RIGHT for value in question.wrong)
        assert all(feedback) and len(set(feedback)) == len(feedback)


def exercises_and_what_they_need(notebook):
    """Only the cells that ask, and those that bind a name which one of them uses, or uses through others."""
    kept, needed = [], set()
    for cell in reversed([cell for cell in notebook.cells if cell.cell_type == "code"]):
        bound, used = reading.names_in(cell.source)
        if "ex." in cell.source or bound & needed:
            kept, needed = [cell, *kept], needed - bound | used
    notebook.cells = kept
    return notebook


SOLVED_HERE = [lesson for lesson in ex.LESSONS if not runner.wanted(FOLDER / f"{lesson.notebook}.ipynb")]
"""Lessons that want nothing from outside: untouched they run whole, beside these tests. The others `.ci/run`
solves without data, by `course solved`."""
once_solved = pytest.mark.parametrize("lesson", SOLVED_HERE, ids=lambda lesson: lesson.notebook)


@pytest.fixture(scope="module")
def solved_folder(tmp_path_factory):
    """The solved notebooks of these lessons, run as far as their exercises need."""
    out = tmp_path_factory.mktemp("solved")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEASURE_FIRST_RESULTS", str(out))
        for lesson in SOLVED_HERE:
            path = FOLDER / f"{lesson.notebook}.ipynb"
            notebook = exercises_and_what_they_need(notebooks.solved(stored(lesson), lesson))
            runner.execute(path, notebook, out / "notebooks" / path.name)
    return out / "notebooks"


@once_solved
def test_in_the_solved_notebook_everything_is_right(lesson, solved_folder):
    assert readers.done_in(solved_folder, lesson) == set(lesson.proofs())


@once_solved
def test_solving_a_notebook_changes_no_other_number_in_it(lesson, solved_folder):
    def printed(folder):
        cells = nbformat.read(folder / f"{lesson.notebook}.ipynb", 4).cells
        code = [cell for cell in cells if cell.cell_type == "code" and "ex." not in cell.source]
        return {cell.source: [output.get("text") for output in cell.outputs] for cell in code}

    solved = printed(solved_folder)
    assert solved and solved.items() <= printed(FOLDER).items()


@once_solved
def test_the_can_do_list_of_a_solved_notebook_is_ticked_throughout(lesson, solved_folder):
    cells = nbformat.read(solved_folder / f"{lesson.notebook}.ipynb", 4).cells
    (cell,) = [cell for cell in cells if cell.source == f"ex.{lesson.name}.can_do()"]
    items, _, whose = cell.outputs[0].text.partition("Yours: ")
    assert items.count("[x] ") == len(lesson.can_do_list) and "[ ]" not in items
    names = ", ".join(exercise.reference.__name__ for exercise in lesson.exercises)
    assert " ".join(whose.split()) == (f"{names}." if names else "")


def test_a_wrong_answer_is_explained_in_the_notebook_and_all_cells_below_still_run(tmp_path):
    lesson, answers = ex.LESSONS[2], {}
    for exercise, mistake, source in answers_of("03"):
        if mistake in {known.name for known in exercise.mistakes}:
            answers.setdefault(exercise.name, (mistake, source))
    notebook = stored(lesson)
    for name, (_, source) in answers.items():
        (cell,) = [cell for cell in notebook.cells if f"ex.{name}.check(" in cell.source]
        check = cell.source[cell.source.index("\nex.") :]
        cell.source = f"import numpy as np\nfrom math import log, log2\n{source}{check}"
    run = runner.execute(FOLDER / "03_metrics.ipynb", notebook, tmp_path / "wrong.ipynb")
    assert set(notebooks.statuses(run, lesson).values()) == {verdict.WRONG, questions.UNANSWERED}
    printed = "".join(output.get("text", "") for cell in run.cells for output in cell.get("outputs", []))
    for name, (mistake, _) in answers.items():
        (message,) = [known.message for known in ex.EXERCISES[name].mistakes if known.name == mistake]
        assert message in " ".join(printed.split()), name
    assert "baseline         nDCG@10 = " in printed and "Traceback" not in printed


def test_a_teacher_sees_who_has_done_what(tmp_path, solved_folder, capsys):
    for name, source in (("ada", solved_folder), ("bob", FOLDER)):
        shutil.copytree(source, tmp_path / name / "notebooks")
    (tmp_path / "bob" / "notebooks" / "07_evaluation_in_practice.ipynb").unlink()
    (tmp_path / "eve").mkdir()  # who saved under another name
    assert main(["progress", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    lines = {line.split()[0]: line for line in printed.splitlines() if line}
    assert "4/4" in lines["ada"] and "-" in lines["bob"].split() and "0/4" in lines["bob"]
    assert lines["eve"].split() == ["eve", *"-" * len(ex.LESSONS), "-"]
    assert "cohen_kappa: 1" in printed


def test_a_reader_sees_what_is_still_open(capsys):
    assert main(["progress"]) == 0
    assert f"0 of {len(ex.LESSONS[2].exercises)} exercises" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["nothing", "empty", "a file"])
def test_a_folder_without_lessons_is_refused_in_words(tmp_path, capsys, kind):
    folder = tmp_path / "given"
    if kind == "empty":
        folder.mkdir()
    elif kind == "a file":
        folder.write_text("")
    assert main(["progress", str(folder)]) == 2
    assert str(folder) in capsys.readouterr().err


def test_a_broken_notebook_is_called_so(tmp_path, capsys):
    (tmp_path / "03_metrics.ipynb").write_text('{"cells": 7}')
    (tmp_path / "02_chunking_and_bm25.ipynb").write_text("no notebook")
    assert main(["progress", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert (
        "03_metrics: cannot be read as a notebook" in printed and "01_corpus_and_labels: not here" in printed
    )


def test_a_notebook_that_lacks_parts_of_its_cells_is_read_as_far_as_it_goes(tmp_path, capsys):
    cells = [
        {"cell_type": "code"},
        {},
        {"cell_type": "code", "outputs": [{}, {"output_type": "stream"}], "source": "ex.NDCG.check(f)"},
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "03_metrics.ipynb").write_text(json.dumps(notebook))
    assert main(["progress", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert "03_metrics: " in captured.out and captured.err == ""


@pytest.mark.parametrize("given", ["TODO", "round(3 / 5, 3)", '"b)"', "(1 + 2)  /  3"])
def test_an_answer_of_the_readers_is_replaced_whatever_it_is(given):
    lesson = ex.LESSONS[2]
    notebook = stored(lesson)
    (cell,) = [cell for cell in notebook.cells if "ex.LESSON_03.answer(2, " in cell.source]
    cell.source = f"# é\nex.LESSON_03.answer(2, {given})  # mine"
    sources = [cell.source for cell in notebooks.solved(notebook, lesson).cells]
    assert f"# é\nex.LESSON_03.answer(2, {lesson.questions[1].answer!r})  # mine" in sources


def test_a_function_of_the_readers_is_replaced_with_its_decorators_and_nothing_else():
    lesson = ex.LESSONS[2]
    notebook = stored(lesson)
    (cell,) = [cell for cell in notebook.cells if "ex.DCG.check(" in cell.source]
    cell.source = "# mine\n@print\ndef dcg_at_k(*a):\n    return 7\nex.DCG.check(dcg_at_k)"
    sources = [cell.source for cell in notebooks.solved(notebook, lesson).cells]
    assert f"# mine\n{ex.EXERCISES['DCG'].source()}\nex.DCG.check(dcg_at_k)" in sources


def test_an_exercise_whose_cell_is_gone_cannot_be_solved():
    lesson = ex.LESSONS[2]
    notebook = stored(lesson)
    notebook.cells = [cell for cell in notebook.cells if "ex.NDCG.check" not in cell.source]
    with pytest.raises(ValueError, match=r"03_metrics.ipynb: 0 cells with 'ex.NDCG.check\('"):
        notebooks.solved(notebook, lesson)


def test_the_teachers_generated_pages_are_up_to_date():
    pages = {"typical_wrong_answers.md": teaching.typical_wrong_answers(), "answers.md": teaching.answers()}
    for name, page in pages.items():
        assert (files.ROOT / "course" / "instructor" / name).read_text(encoding="utf-8") == page, (
            "python -m course instructor"
        )


def test_no_two_exercises_ask_for_a_function_of_the_same_name():
    functions = [exercise.reference.__name__ for exercise in ex.EXERCISES.values()]
    assert len(set(functions)) == len(functions) >= 32
