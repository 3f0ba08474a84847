"""Who has done what, by one reader's notebooks or a folder with a sub-folder for each participant."""

from collections.abc import Sequence
from pathlib import Path

from course.exercises import notebooks, panel, questions, verdict
from course.exercises.contents import LESSONS
from course.exercises.lesson import Lesson, proof_in_words


def done_in(folder: Path, lesson: Lesson) -> set[str | int]:
    """The exercises and questions of a lesson that are right in the notebook as it is stored in `folder`."""
    notebook = notebooks.read(folder / f"{lesson.notebook}.ipynb")
    return notebooks.done(notebook, lesson) if notebook else set()


def tally(right: set[str | int], lesson: Lesson) -> tuple[int, int]:
    """How many of a lesson's exercises, and how many of its questions, are right."""
    functions = sum(isinstance(proof, str) for proof in right)
    return functions, len(right) - functions


def done_in_words(right: set[str | int], lesson: Lesson) -> str:
    """The same in words: '2 of 4 exercises, 0 of 6 questions'."""
    functions, answers = tally(right, lesson)
    exercises = f"{functions} of {len(lesson.exercises)} exercises, " if lesson.exercises else ""
    return f"{exercises}{answers} of {len(lesson.questions)} questions"


def readers(folder: Path) -> dict[str, Path]:
    """The folder of each reader's notebooks, by the reader's name.

    It is the folder itself, else all its sub-folders, or `notebooks` in one of these. A sub-folder without
    lessons is a reader too: whoever saved under another name must not vanish. Raises ValueError where no
    folder holds a lesson.
    """
    if not folder.is_dir():
        needed = "give the folder of your notebooks, or one with a sub-folder for each participant"
        raise ValueError(f"{folder} is no folder; {needed}")
    if own := _lessons_in(folder):
        return {folder.resolve().name: own}
    children = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    if not any(map(_lessons_in, children)):
        names = f"{LESSONS[0].notebook}.ipynb, {LESSONS[1].notebook}.ipynb …"
        raise ValueError(
            f"{folder} holds no lesson, nor does a folder in it; the notebooks must keep their names: {names}"
        )
    return {child.name: _lessons_in(child) or child for child in children}


def _lessons_in(folder: Path) -> Path | None:
    """The folder, or its `notebooks`, if a lesson is there."""
    for candidate in (folder, folder / "notebooks"):
        if any((candidate / f"{lesson.notebook}.ipynb").is_file() for lesson in LESSONS):
            return candidate
    return None


def table(folder: Path) -> list[dict[str, str]]:
    """A row per reader: per lesson how many exercises and questions are right, "-" without the notebook."""
    rows = []
    for name, own in readers(folder).items():
        columns = {lesson.name.removeprefix("LESSON_").lower(): _entry(own, lesson) for lesson in LESSONS}
        rows.append({"": name, **columns})
    return rows


def _entry(folder: Path, lesson: Lesson) -> str:
    path = folder / f"{lesson.notebook}.ipynb"
    if not path.is_file():
        return "-"
    notebook = notebooks.read(path)
    if notebook is None:
        return "unreadable"
    functions, answers = tally(notebooks.done(notebook, lesson), lesson)
    exercises = f"{functions}/{len(lesson.exercises)} " if lesson.exercises else ""
    return f"{exercises}{answers}/{len(lesson.questions)}"


def how_many_are_right(folder: Path) -> list[str]:
    """One line per lesson: how many readers have each exercise and each question right."""
    folders = list(readers(folder).values())
    lines = []
    for lesson in LESSONS:
        right = [done_in(own, lesson) for own in folders]
        counts = [
            f"{proof_in_words(proof)}: {sum(proof in one for one in right)}" for proof in lesson.proofs()
        ]
        lines.append(f"{lesson.notebook}, right by how many of {len(folders)}: {', '.join(counts)}")
    return lines


def still_open(folder: Path, lessons: Sequence[Lesson] = LESSONS) -> list[str]:
    """One line per lesson of a single reader: what is not right yet, where something was tried."""
    lines = []
    for lesson in lessons:
        path = folder / f"{lesson.notebook}.ipynb"
        notebook = notebooks.read(path) if path.is_file() else None
        if notebook is None:
            problem = "cannot be read as a notebook" if path.is_file() else "not here"
            lines.append(f"{lesson.notebook}: {problem}")
            continue
        said, right = notebooks.statuses(notebook, lesson), notebooks.done(notebook, lesson)
        begun = set(said.values()) - {verdict.UNTOUCHED, questions.UNANSWERED}
        left = [_open_in_words(proof, said) for proof in lesson.proofs() if proof not in right]
        still = f"; open: {', '.join(left)}" if left and begun else ""
        lines.append(f"{lesson.notebook}: {done_in_words(right, lesson)} right{still}")
    return lines


def overview(folder: str | Path = ".") -> panel.Panel:
    """Where the reader of the notebooks in `folder` stands in the course, as they were last run and saved.

    A notebook shows it as a table with a link to each lesson.
    """
    rows = []
    for lesson in LESSONS:
        path = Path(folder) / f"{lesson.notebook}.ipynb"
        right = done_in(path.parent, lesson)
        said = done_in_words(right, lesson) if path.is_file() else "not here"
        rows.append(panel.Row(lesson.notebook, len(right), len(lesson.proofs()), said, path.name))
    return panel.Panel("The course", rows)


def _open_in_words(proof: str | int, said: dict[str | int, str]) -> str:
    given = " (checked was the course's own)" if said.get(proof) == verdict.GIVEN else ""
    return f"{proof_in_words(proof)}{given}"
