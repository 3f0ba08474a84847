"""Puts a lesson back to what was shipped, with the reader's answers carried over; what was there is kept."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from course import start
from course.exercises import notebooks
from course.real_work import work_dir
from helpers.base import files, replaced


class Reset(NamedTuple):
    """What was done to a lesson: where the notebook as it was is kept, which cells were carried over, and
    which differ and could not be."""

    kept: Path | None
    carried: list[str]
    left: list[str]


def reset(lesson: Path) -> Reset:
    """Restores a notebook of the course as it was shipped.

    Cells that check an exercise or an answer stay as the reader has them, with their outputs; the whole
    notebook is kept in `work/before_reset/`, and nothing there is ever replaced. Raises ValueError where no
    shipped copy can be found; then nothing is changed.
    """
    notebook = nbformat.reads(shipped(lesson), as_version=4)
    mine, kept = notebooks.read(lesson), None
    if lesson.exists():
        kept = _free(work_dir() / "before_reset" / lesson.name)
        with replaced(kept) as beside:
            shutil.copyfile(lesson, beside)
    carried, left = carry_over(mine, notebook) if mine else ([], [])
    with replaced(lesson) as beside:
        nbformat.write(notebook, beside)
    return Reset(kept, carried, left)


def carry_over(mine: NotebookNode, into: NotebookNode) -> tuple[list[str], list[str]]:
    """Replaces the cells of exercises and answers by those of `mine` that differ.

    Gives the calls of these cells, and of those that were left: the reader's has other checks in it, or the
    function stands in another cell.
    """
    answers = {call: cell for cell in mine.cells for call in notebooks.calls_in(cell)}
    carried, left = [], []
    for cell in into.cells:
        calls = notebooks.calls_in(cell)
        own = answers.get(calls[0]) if calls else None
        if own is None or own.source == cell.source:
            continue
        if notebooks.calls_in(own) == calls and _defined(cell) <= _defined(own):
            cell.source, cell.outputs, cell.execution_count = own.source, own.outputs, own.execution_count
            carried += calls
        else:
            left += calls
    return carried, left


def _defined(cell: NotebookNode) -> set[str]:
    """The functions of a cell, by its text: it may be no Python."""
    return set(re.findall(r"^def (\w+)", cell.source, re.M))


def shipped(lesson: Path) -> str:
    """The text of a notebook as it was shipped: in the repository, as it was last committed."""
    source = start.shipped()
    name = lesson.relative_to(files.course_folder()).as_posix()
    if files.ROOT != source:
        return (source / name).read_text(encoding="utf-8")
    command = ["git", "show", f"HEAD:./{name}"]
    try:
        done = subprocess.run(command, cwd=source, capture_output=True, encoding="utf-8", check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        told = (getattr(error, "stderr", None) or str(error)).strip()
        cure = "download the notebook again; your answers are in the one that is there"
        raise ValueError(f"{name}: no shipped copy is found here ({told}); {cure}") from None
    return done.stdout


def _free(path: Path) -> Path:
    """A path like this one that is not taken: with a number before its ending."""
    number = 1
    while (found := path.with_suffix(f".{number}{path.suffix}")).exists():
        number += 1
    return found
