"""From lesson to lesson: the links, where a reader stands, an import that fails, and a lesson put back."""

import json
import re
import subprocess

import nbformat
import pytest

from course import links, reset
from course.__main__ import main
from course.exercises import contents, kernel, notebooks, panel, readers, session
from helpers.base import files

ORDER = links.course_order()
NOTEBOOKS = {path.stem: nbformat.read(path, 4) for path in ORDER}
LESSON = contents.LESSONS[2]


# The links


@pytest.mark.parametrize("number", range(len(ORDER)), ids=[path.stem for path in ORDER])
def test_both_ends_of_a_notebook_link_to_the_one_before_and_the_one_after(number):
    cells = NOTEBOOKS[ORDER[number].stem].cells
    assert [cell.id for cell in cells].count(links.TOP) == 1 and cells[1].id == links.TOP
    assert [cell.id for cell in cells].count(links.END) == 1 and cells[-1].id == links.END
    for cell in (cells[1], cells[-1]):
        ways = dict(re.findall(r"(Before|Next): \[[^]]+\]\(([^)]+)\)", cell.source))
        around = {"Before": ORDER[number - 1].name} if number else {}
        around |= {"Next": ORDER[number + 1].name} if number + 1 < len(ORDER) else {}
        assert ways == around
        assert all((ORDER[0].parent / path).exists() for path in re.findall(r"\]\(([^)]+)\)", cell.source))


@pytest.mark.parametrize("stem", NOTEBOOKS)
def test_the_first_code_cell_says_above_its_imports_what_to_do_if_they_fail(stem):
    first = next(cell for cell in NOTEBOOKS[stem].cells if cell.cell_type == "code")
    assert first.source.startswith(links.IF_IMPORTS_FAIL + "\n")
    assert "**`ModuleNotFoundError` in the first cell.**" in (files.ROOT / "INSTALL.md").read_text()
    assert "\n## In JupyterLab\n" in (files.ROOT / "INSTALL.md").read_text()


def test_writing_the_links_again_changes_nothing_and_moves_no_other_cell():
    before = nbformat.writes(NOTEBOOKS["03_metrics"])
    again = nbformat.reads(before, 4)
    others = [cell for cell in again.cells if cell.id not in (links.TOP, links.END)]
    around = [(path, links.title(NOTEBOOKS[path.stem])) for path in (ORDER[2], ORDER[4])]
    again.cells = others[::]
    links.put_links(again, "03_metrics", *around)
    links.put_links(again, "03_metrics", *around)
    assert nbformat.writes(again) == before


def test_the_page_where_to_start_shows_the_lessons_that_there_are():
    (cell,) = [cell for cell in NOTEBOOKS["start"].cells if "readers.overview()" in cell.source]
    stored = "".join(cell.outputs[0].data["text/plain"])
    assert stored == repr(readers.overview(ORDER[0].parent)), "python -m course links"


# Where a reader stands


@pytest.fixture
def nothing_checked(monkeypatch):
    monkeypatch.setattr(session, "_right", {})
    monkeypatch.setattr(session, "_watching", {})


def test_the_table_of_a_lesson_tells_right_from_wrong_and_from_not_checked(nothing_checked, capsys):
    session.record(LESSON.proofs()[0], True)
    session.record(LESSON.key(1), False)
    LESSON.progress()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{LESSON.notebook}: 1 of {len(LESSON.proofs())} right"
    said = dict(re.split(r"  +", line.strip()) for line in lines[1:])
    assert said[LESSON.proofs()[0]] == panel.RIGHT and said["question 1"] == panel.OPEN
    assert list(said.values()).count(panel.UNSEEN) == len(LESSON.proofs()) - 2


def test_the_table_in_a_notebook_follows_each_check(nothing_checked):
    shown = []
    session.watch("LESSON_03", lambda: shown.append(LESSON._panel().heading))
    session.record(LESSON.proofs()[0], False)
    session.record(LESSON.proofs()[0], True)
    session.watch("LESSON_03", lambda: None)  # the cell run again: the table that it showed before is gone
    session.record(LESSON.proofs()[1], True)
    assert [line.split(": ")[1][:4] for line in shown] == ["0 of", "1 of"]


def test_the_table_of_the_course_reads_the_notebooks_and_links_to_them(tmp_path):
    (tmp_path / f"{LESSON.notebook}.ipynb").write_bytes((ORDER[3]).read_bytes())
    found = readers.overview(tmp_path)
    by_name = {row.name: row for row in found.rows}
    assert by_name[LESSON.notebook].link == f"{LESSON.notebook}.ipynb"
    assert by_name[contents.LESSONS[0].notebook].said == "not here"
    assert f'<a href="{LESSON.notebook}.ipynb">' in found._repr_html_()


def test_a_table_escapes_what_it_shows_and_names_each_bar_for_those_who_hear_it():
    html = panel.Panel("<b>", [panel.Row("a<b", 1, 2, "x & y", 'l"')])._repr_html_()
    assert "&lt;b&gt;: 1 of 2 right" in html and 'href="l&quot;"' in html and "x &amp; y" in html
    assert 'aria-label="a&lt;b"' in html and 'scope="row"' in html


# An import that fails


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModuleNotFoundError("No module named 'pandas'", name="pandas"), "pandas is missing in the Python"),
        (ImportError("cannot import name 'x'", name="helpers.metrics"), "are of two editions"),
        (ImportError("DLL load failed"), "A package is missing in the Python of this kernel, or broken"),
    ],
)
def test_an_import_that_fails_is_followed_by_what_to_do(error, words):
    assert words in kernel.import_help(error) and "INSTALL.md" in kernel.import_help(error)


# A lesson put back


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A course under git with lesson 03 in it, and the path of the lesson."""
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setattr(files, "PACKAGES", tmp_path)
    monkeypatch.setenv("MEASURE_FIRST_WORK", str(tmp_path / "work"))
    lesson = tmp_path / "notebooks" / "03_metrics.ipynb"
    lesson.parent.mkdir()
    lesson.write_bytes(ORDER[3].read_bytes())
    (tmp_path / "evals").mkdir()
    author = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "as shipped"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return lesson


def with_answers(lesson) -> dict[str, str]:
    """Writes a solution and an answer into a lesson, and spoils another cell; gives the two sources."""
    notebook = nbformat.read(lesson, 4)
    given = {}
    for cell in notebook.cells:
        calls = notebooks.calls_in(cell)
        if calls == ["ex.RECALL.check("]:
            cell.source = contents.EXERCISES["RECALL"].source() + "\nex.RECALL.check(recall_at_k)"
            cell.outputs = [nbformat.v4.new_output("stream", text="recall_at_k: right, in all 17 cases.\n")]
            given[calls[0]] = cell.source
        elif calls and calls[0].startswith("ex.LESSON_03.answer(2"):
            cell.source = cell.source.replace("TODO", '"b"')
            given[calls[0]] = cell.source
        elif calls == ["ex.DCG.check("]:
            cell.source = "ex.DCG.check(dcg_at_k)"  # its function stands somewhere else
        elif "dataset = load_runbooks()" in cell.source:
            cell.source = "1/0"
    nbformat.write(notebook, lesson)
    return given


def test_a_lesson_is_put_back_with_the_answers_carried_over_and_the_old_one_kept(repository, capsys):
    shipped = repository.read_bytes()
    given = with_answers(repository)
    old = repository.read_bytes()
    assert main(["reset", "03", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    found = nbformat.read(repository, 4)
    sources = {call: cell.source for cell in found.cells for call in notebooks.calls_in(cell)}
    assert {call: sources[call] for call in given} == given and set(told["carried"]) == set(given)
    assert told["left"] == ["ex.DCG.check("] and "def dcg_at_k" in sources["ex.DCG.check("]
    assert not any(cell.source == "1/0" for cell in found.cells)
    assert notebooks.statuses(found, LESSON)["recall_at_k"] == "right"  # progress is kept with the answer
    untouched = nbformat.reads(shipped.decode(), 4)
    assert [cell.id for cell in found.cells] == [cell.id for cell in untouched.cells]
    kept = repository.parents[1] / "work" / "before_reset" / "03_metrics.1.ipynb"
    assert told["kept"] == str(kept) and kept.read_bytes() == old


def test_two_resets_keep_two_notebooks_and_a_broken_one_is_kept_too(repository, capsys):
    assert main(["reset", "03"]) == 0
    repository.write_text("no notebook")
    assert main(["reset", "03"]) == 0
    kept = repository.parents[1] / "work" / "before_reset"
    assert sorted(path.name for path in kept.iterdir()) == ["03_metrics.1.ipynb", "03_metrics.2.ipynb"]
    assert (kept / "03_metrics.2.ipynb").read_text() == "no notebook"
    assert notebooks.read(repository) is not None


def test_where_no_shipped_copy_is_found_nothing_is_changed(repository, capsys):
    subprocess.run(["git", "rm", "-q", "--cached", "-r", "notebooks"], cwd=files.ROOT, check=True)
    author = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *author, "commit", "-qm", "gone"], cwd=files.ROOT, check=True)
    repository.write_text("mine")
    assert main(["reset", "03"]) == 2
    assert "no shipped copy is found here" in capsys.readouterr().err and repository.read_text() == "mine"


def test_in_a_course_that_was_laid_down_the_shipped_lesson_is_the_packages(repository, monkeypatch, tmp_path):
    mine = tmp_path / "my-course"
    (mine / "notebooks").mkdir(parents=True)
    (mine / "notebooks" / repository.name).write_text("broken")
    monkeypatch.setattr(files, "ROOT", mine)
    reset.reset(mine / "notebooks" / repository.name)
    assert (mine / "notebooks" / repository.name).read_bytes() == repository.read_bytes()
