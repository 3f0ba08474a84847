"""Runs the course: every notebook from its first cell to its last in a kernel of its own, then one table of results.

What the notebooks teach is in the notebooks; the words of the command line are in `__main__`.
"""

import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from tqdm import tqdm

from helpers import datasets, fetch, files, report

CELL_SECONDS = 600
"""A cell that takes longer than this has gone wrong on any laptop."""


class LessonFailed(Exception):
    """A cell of a notebook failed; the message names notebook, cell and error."""


def find_lessons(names: list[str] | None = None) -> list[Path]:
    """The notebooks of the course in their order, or those whose file name starts with one of `names`.

    Raises ValueError for a name that fits no notebook.

    >>> [path.name for path in find_lessons(["04"])]
    ['04_sparse_retrieval.ipynb']
    """
    lessons = sorted((files.ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")) + sorted((files.ROOT / "evals").glob("*.ipynb"))
    for name in names or []:
        if not any(path.name.startswith(name) for path in lessons):
            raise ValueError(f"no notebook starts with {name!r}; there are {', '.join(path.stem for path in lessons)}")
    return [path for path in lessons if not names or path.name.startswith(tuple(names))]


def wanted_datasets(lesson: Path) -> list[str]:
    """The datasets that a notebook asks for and can do without: its calls of `load_or_stand_in`."""
    return sorted(set(re.findall(r"load_or_stand_in\(\\?[\"']([\w-]+)", lesson.read_text(encoding="utf-8"))))


def prepare_datasets(names: list[str], say: Callable[[str], None] = print) -> list[str]:
    """Finds or downloads datasets before any notebook needs them; returns those that cannot be had.

    Asked once here, so that a network that hangs is waited for once: afterwards the kernels are told to stay offline.
    """
    missing = []
    for name in names:
        try:
            found = datasets.find_beir(name) or (datasets.download_beir(name), "downloaded, MD5 verified")
            say(f"{name}: {found[1]}")
        except fetch.Unavailable as reason:
            say(
                f"{name}: cannot be had ({reason}). Lessons that want it use the bundled {datasets.STAND_IN!r} collection instead."
            )
            missing.append(name)
            os.environ["MEASURE_FIRST_OFFLINE"] = str(reason)
    return missing


def run_lessons(lessons: list[Path], out: Path, inplace: bool, say: Callable[[str], None] = print) -> list[dict]:
    """Executes notebooks into `out/notebooks/` and returns the result rows that they saved, also in `out/results/`.

    With `inplace`, each notebook that passes also replaces the tracked one, and the results those in `evals/results/`.
    Raises LessonFailed at the first failing cell; the notebook as far as it came is kept in `out`.
    """
    results = out / "results"
    shutil.rmtree(results, ignore_errors=True)
    os.environ["MEASURE_FIRST_RESULTS"] = str(results.resolve())
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # else every kernel warns about frozen modules
    for lesson in lessons:
        started = time.monotonic()
        notebook = execute(lesson, out / "notebooks" / lesson.name)
        if inplace:
            write_notebook(notebook, lesson)
        n_cells = sum(cell.cell_type == "code" for cell in notebook.cells)
        say(f"{lesson.stem}: {n_cells} code cells, {time.monotonic() - started:.0f} s")
    if inplace and results.is_dir():
        for path in results.glob("*.json"):
            report.save_results(path.stem, report.load_results_file(path), files.STORED_RESULTS)
    return report.load_results(results)


def execute(lesson: Path, target: Path) -> NotebookNode:
    """Runs one notebook, writes what it gave to `target`, and returns it. Raises LessonFailed with a readable report."""
    notebook = nbformat.read(lesson, as_version=4)
    code_cells = [index for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    bar = tqdm(total=len(code_cells), desc=lesson.stem, unit="cell", disable=None)
    current = 0

    def starts(cell, cell_index):
        nonlocal current
        current = cell_index

    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],  # else it warns about an unencrypted local connection
        resources={"metadata": {"path": str(lesson.parent)}},
        on_cell_start=starts,
        on_cell_executed=lambda cell, cell_index, execute_reply: bar.update(),
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        where = f"code cell {code_cells.index(current) + 1} of {len(code_cells)}"
        raise LessonFailed(_failure(lesson, notebook, current, where, error, target)) from None
    finally:
        bar.close()
        write_notebook(notebook, target)
    return notebook


def write_notebook(notebook: NotebookNode, path: Path) -> None:
    """Writes a notebook beside its place and renames it, without what differs between machines."""
    notebook.metadata.get("language_info", {}).pop("version", None)
    with files.replaced(path) as beside:
        nbformat.write(notebook, beside)


def _failure(lesson: Path, notebook: NotebookNode, index: int, where: str, error: Exception, target: Path) -> str:
    headings = [
        line
        for cell in notebook.cells[:index]
        if cell.cell_type == "markdown"
        for line in cell.source.splitlines()
        if line.startswith("#")
    ]
    source = "\n".join(f"    | {line}" for line in notebook.cells[index].source.splitlines())
    if isinstance(error, CellExecutionError):
        what = f"{error.ename}: {re.sub(chr(27) + '[^m]*m', '', error.evalue)}"
    elif isinstance(error, CellTimeoutError):
        what = f"the cell took longer than {CELL_SECONDS} seconds"
    else:
        what = "the kernel died (out of memory?)"
    return (
        f"{lesson.name}, {where}" + (f", under {headings[-1].lstrip('# ')!r}" if headings else "") + f":\n{source}\n"
        f"  {what}\n  The notebook as far as it came, with the full traceback: {target}"
    )
