"""Who has done what: one reader's notebooks, or a folder with a sub-folder of notebooks for each participant."""

from pathlib import Path

from course.exercises import notebooks, session
from course.exercises.contents import LESSONS
from course.exercises.lesson import Lesson


def progress() -> None:
    """Prints what is done in the course: what was checked in this notebook, and what the notebooks beside it have stored.

    (A notebook stores its outputs when it is saved.)
    """
    for lesson in LESSONS:
        right = done_in(Path.cwd(), lesson)
        checked = [proof for proof in lesson.proofs() if session.is_checked(lesson.key(proof))]
        right = (right - set(checked)) | {proof for proof in checked if session.is_right(lesson.key(proof))}
        print(f"{lesson.notebook:31} {counted(right, lesson)}")


def done_in(folder: Path, lesson: Lesson) -> set[str | int]:
    """The exercises and questions of a lesson that are right in the notebook as it is stored in `folder`."""
    notebook = notebooks.read(folder / f"{lesson.notebook}.ipynb")
    return notebooks.done(notebook, lesson) if notebook else set()


def tally(right: set[str | int], lesson: Lesson) -> tuple[int, int]:
    """How many of a lesson's exercises, and how many of its questions, are right."""
    functions = sum(isinstance(proof, str) for proof in right)
    return functions, len(right) - functions


def counted(right: set[str | int], lesson: Lesson) -> str:
    """The same in words: '2 of 4 exercises, 0 of 6 questions'."""
    functions, answers = tally(right, lesson)
    exercises = f"{functions} of {len(lesson.exercises)} exercises, " if lesson.exercises else ""
    return f"{exercises}{answers} of {len(lesson.questions)} questions"


def readers(folder: Path) -> dict[str, Path]:
    """The folder of each reader's notebooks, by name: the folder itself, else all its sub-folders, or `notebooks` in one of these.

    A sub-folder without lessons is a reader too: whoever saved under another name must not vanish. Raises ValueError where no
    folder holds a lesson.
    """
    if not folder.is_dir():
        raise ValueError(
            f"{folder} is no folder; give the folder of your notebooks, or one with a sub-folder for each participant"
        )
    if place := _lessons_in(folder):
        return {folder.resolve().name: place}
    children = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    if not any(map(_lessons_in, children)):
        names = f"{LESSONS[0].notebook}.ipynb, {LESSONS[1].notebook}.ipynb …"
        raise ValueError(
            f"{folder} holds no lesson, nor does a folder in it; the notebooks must keep their names: {names}"
        )
    return {child.name: _lessons_in(child) or child for child in children}


def _lessons_in(folder: Path) -> Path | None:
    """The folder, or its `notebooks`, if a lesson is there."""
    places = (folder, folder / "notebooks")
    return next(
        (
            place
            for place in places
            if any((place / f"{lesson.notebook}.ipynb").is_file() for lesson in LESSONS)
        ),
        None,
    )


def table(folder: Path) -> list[dict[str, str]]:
    """A row per reader: name, then per lesson how many exercises and questions are right, "-" without the notebook."""
    rows = []
    for name, place in readers(folder).items():
        columns = {lesson.name.removeprefix("LESSON_").lower(): _entry(place, lesson) for lesson in LESSONS}
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
    """One line per lesson: how many readers have each exercise and each question right, to see what the room is stuck on."""
    places = list(readers(folder).values())
    lines = []
    for lesson in LESSONS:
        right = [done_in(place, lesson) for place in places]
        counts = [f"{_in_words(proof)}: {sum(proof in one for one in right)}" for proof in lesson.proofs()]
        lines.append(f"{lesson.notebook}, right by how many of {len(places)}: {', '.join(counts)}")
    return lines


def still_open(folder: Path) -> list[str]:
    """One line per lesson of a single reader: what is not right yet."""
    lines = []
    for lesson in LESSONS:
        entry, right = _entry(folder, lesson), done_in(folder, lesson)
        if entry in ("-", "unreadable"):
            lines.append(
                f"{lesson.notebook}: {'not here' if entry == '-' else 'cannot be read as a notebook'}"
            )
            continue
        left = [_in_words(proof) for proof in lesson.proofs() if proof not in right]
        lines.append(
            f"{lesson.notebook}: {counted(right, lesson)}" + (f"; open: {', '.join(left)}" if left else "")
        )
    return lines


def _in_words(proof: str | int) -> str:
    return f"question {proof}" if isinstance(proof, int) else proof
