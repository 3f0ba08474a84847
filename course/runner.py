"""Runs the course: every notebook from its first cell to its last in a kernel of its own, then one table of
results.

What the notebooks teach is in the notebooks; the words of the command line are in `verbs`.
"""

import asyncio
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.reader import NotJSONError
from tqdm import tqdm

from course.exercises import notebooks as exercises
from helpers import datasets
from helpers.base import fetch, files, replaced
from helpers.evaluation import load_results, save_results
from helpers.text import tokens

CELL_SECONDS = 600
"""A cell that takes longer than this has gone wrong on any laptop."""


class LessonFailed(Exception):
    """A cell of a notebook failed; the message names notebook, cell and error."""


def find_lessons(names: list[str] | None = None) -> list[Path]:
    """The notebooks of the course in their order, or those whose file name starts with one of `names`.

    Raises ValueError for a name that fits no notebook, and outside of a course.

    >>> [path.name for path in find_lessons(["04"])]
    ['04_sparse_retrieval.ipynb', '04_which_bm25_pitfalls_speed.ipynb']
    """
    folder = files.course_folder()
    lessons = sorted((folder / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    lessons += sorted((folder / "evals").glob("*.ipynb"))
    for name in names or []:
        if not any(path.name.startswith(name) for path in lessons):
            there_are = ", ".join(path.stem for path in lessons)
            raise ValueError(f"no notebook starts with {name!r}; there are {there_are}")
    return [path for path in lessons if not names or path.name.startswith(tuple(names))]


def wanted(lesson: Path) -> list[str]:
    """What a notebook asks for from outside and can do without: datasets, and the encoding `cl100k_base`.

    Read from the code cells: names in calls of `load_or_stand_in`, and any use of an encoding that may be the
    stand-in.
    """
    source = "\n".join(_code_cells(lesson))
    names = set(re.findall(r"load_or_stand_in\(\s*(?:name\s*=\s*)?[\"']([\w-]+)", source))
    uses_tokens = re.search(r"\b(encoding_or_stand_in|chunk_fixed|chunk_recursive|chunk_corpus)\b", source)
    return sorted(names | ({tokens.CL100K} if uses_tokens else set()))


def _code_cells(lesson: Path) -> list[str]:
    try:
        return [cell.source for cell in nbformat.read(lesson, as_version=4).cells if cell.cell_type == "code"]
    except NotJSONError:
        return []  # running it will say what is wrong


def find(name: str) -> bool:
    """Whether something that a notebook wants is on this computer already."""
    return (tokens.find_cl100k() if name == tokens.CL100K else datasets.find_beir(name)) is not None


def prepare(names: list[str], say: Callable[[str], None] = print) -> list[str]:
    """Finds or downloads what is wanted before any notebook needs it; returns the names that cannot be had.

    Asked once here, so that a network that hangs is waited for once: afterwards the kernels are told to stay
    offline.
    """
    files.settle_folders()
    missing, reasons = [], []
    for name in names:
        try:
            _, source = tokens.obtain_cl100k() if name == tokens.CL100K else datasets.obtain_beir(name)
            say(f"{name}: {source}")
        except fetch.Unavailable as reason:
            stand_in = tokens.STAND_IN_ENCODING if name == tokens.CL100K else datasets.STAND_IN
            say(
                f"{name}: cannot be had ({reason}). Lessons that want it use the bundled {stand_in!r} "
                "instead."
            )
            missing.append(name)
            reasons.append(str(reason.__cause__))  # a kernel adds the other way to it by itself
    if missing:
        os.environ["MEASURE_FIRST_OFFLINE"] = "; ".join(dict.fromkeys(reasons))
    return missing


def prepare_out(out: Path) -> Path:
    """The folder for executed notebooks and results, made and absolute.

    Raises ValueError where it would write over the tracked ones, OSError where it cannot be written.
    """
    out = out.expanduser().resolve()
    tracked = (files.ROOT / "notebooks", files.STORED_RESULTS)
    if out / "notebooks" in tracked or out / "results" in tracked:
        cure = "give another folder (--inplace refreshes the tracked ones)"
        raise ValueError(f"{out} holds the tracked notebooks or results; {cure}")
    for name in ("notebooks", "results"):
        (out / name).mkdir(parents=True, exist_ok=True)
    return out


def run_lessons(
    lessons: list[Path],
    out: Path,
    inplace: bool = False,
    say: Callable[[str], None] = print,
    rewrite: Callable[[Path, NotebookNode], NotebookNode] = lambda lesson, notebook: notebook,
) -> list[dict]:
    """Executes notebooks into `out/notebooks/` and returns the result rows that they saved into
    `out/results/`.

    With `inplace`, each notebook that passes also replaces the tracked one, and its results those in
    `evals/results/`. `rewrite(lesson, notebook)` may give another notebook to be run in the place of the
    stored one. An error in a reader's exercise is reported and stops nothing, unless the outputs are to be
    stored. Raises LessonFailed at the first other cell that fails; the notebook as far as it came is kept
    in `out`.
    """
    os.environ["MEASURE_FIRST_RESULTS"] = str(out / "results")
    os.environ["TQDM_DISABLE"] = "1"  # the bars of a notebook would be kept among its outputs
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # else every kernel warns about frozen modules
    all_rows = []
    for lesson in lessons:
        saved = out / "results" / f"{lesson.stem}.json"
        saved.unlink(missing_ok=True)
        started = time.monotonic()
        notebook = rewrite(lesson, read_lesson(lesson))
        execute(lesson, notebook, out / "notebooks" / lesson.name, exercises_may_fail=not inplace)
        rows = load_results(saved) if saved.exists() else []
        if inplace:
            _store(lesson, notebook, rows)
        n_cells = sum(cell.cell_type == "code" for cell in notebook.cells)
        say(f"{lesson.stem}: {n_cells} code cells, {time.monotonic() - started:.0f} s")
        for problem in exercises.errors_in(notebook):
            say(f"  an exercise ended with an error: {problem}")
        all_rows += rows
    return all_rows


def read_lesson(lesson: Path) -> NotebookNode:
    """The notebook as it is stored. Raises LessonFailed for a file that is none."""
    try:
        return nbformat.read(lesson, as_version=4)
    except NotJSONError as error:
        raise LessonFailed(f"{lesson.name} is no notebook: {str(error)[:200]}") from None


def execute(
    lesson: Path, notebook: NotebookNode, target: Path, exercises_may_fail: bool = False
) -> NotebookNode:
    """Runs a notebook in the folder of its lesson, writes what it gave to `target`, and returns it.

    With `exercises_may_fail` it goes on after an error in a cell that checks an exercise or an answer.
    Raises LessonFailed with a readable report.
    """
    allowed = [cell for cell in notebook.cells if exercises_may_fail and exercises.asks(cell)]
    code_cells = [index for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    bar = tqdm(total=len(code_cells), desc=lesson.stem, unit="cell", disable=None)
    started: list[int] = []
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        record_timing=False,
        extra_arguments=["--IPKernelApp.log_level=CRITICAL"],  # else it talks about encryption and Ctrl-C
        resources={"metadata": {"path": str(lesson.parent)}},
        on_cell_start=lambda cell, cell_index: started.append(cell_index),
        on_cell_executed=lambda cell, cell_index, execute_reply: bar.update(),
    )
    try:
        with _allowed_to_fail(allowed):
            client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        # After a Ctrl-C nbclient may see the kernel that it has shut down itself as one that died.
        if hasattr(client, "_async_cleanup_kernel_future"):
            raise KeyboardInterrupt from None
        started = started or code_cells[:1]
        where = f"code cell {code_cells.index(started[-1]) + 1} of {len(code_cells)}"
        raise LessonFailed(_failure(lesson, notebook, started[-1], where, error, target)) from None
    except RuntimeError as error:
        raise LessonFailed(f"{lesson.name}: the kernel did not start ({error})") from None
    except NoSuchKernel as error:
        cure = "; install it: python -m pip install ipykernel jupyterlab"
        lacking = f"{lesson.name} wants the kernel {error.name!r}, which is not installed"
        raise LessonFailed(lacking + (cure if error.name == "python3" else "")) from None
    except (AssertionError, asyncio.CancelledError):
        # nbclient takes a Ctrl-C for itself, shuts the kernel down, and then trips over its absence.
        raise KeyboardInterrupt from None
    finally:
        bar.close()
        write_notebook(notebook, target)
    return notebook


@contextmanager
def _allowed_to_fail(cells: list[NotebookNode]) -> Iterator[None]:
    """Tags cells as nbclient wants it, and takes the tags away again."""
    before = [cell.metadata.get("tags") for cell in cells]
    for cell, tags in zip(cells, before, strict=True):
        cell.metadata["tags"] = [*(tags or []), "raises-exception"]
    try:
        yield
    finally:
        for cell, tags in zip(cells, before, strict=True):
            cell.metadata.pop("tags")
            if tags is not None:
                cell.metadata["tags"] = tags


def _store(lesson: Path, notebook: NotebookNode, rows: list[dict]) -> None:
    """Replaces the tracked notebook and its stored results, unless they were computed on a stand-in.

    Results are stored per token encoding: those of the bundled one in a folder of their own, and without the
    notebook.
    """
    lacking = {name for name in wanted(lesson) if not find(name)}
    datasets_wanted = set(wanted(lesson)) - {tokens.CL100K}
    measured = {row["dataset"] for row in rows}  # a lesson may measure the stand-in for its own sake, too
    on_other_data = datasets.STAND_IN in measured and not datasets_wanted <= measured
    if lacking & datasets_wanted or (datasets_wanted and on_other_data):
        kept = "its stored outputs, of other data, were left as they are"
        raise LessonFailed(f"{lesson.name} ran on {datasets.STAND_IN!r}; {kept}")
    on_stand_in = bool(lacking) or any(row.get("encoding") == tokens.STAND_IN_ENCODING for row in rows)
    if not on_stand_in:
        write_notebook(notebook, lesson)
    if rows:
        folder = files.STORED_RESULTS / tokens.STAND_IN_ENCODING if on_stand_in else files.STORED_RESULTS
        save_results(lesson.stem, rows, folder)


def write_notebook(notebook: NotebookNode, path: Path) -> None:
    """Writes a notebook, whole or not at all, without what differs between machines and between runs."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = _joined_streams(cell.outputs)
    notebook.metadata.get("language_info", {}).pop("version", None)
    with replaced(path) as beside:
        nbformat.write(notebook, beside)


def _joined_streams(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Printed text arrives in pieces, cut by the clock; here the pieces of one stream become one output."""
    # nbclient's own coalesce_streams does this too, but takes minutes for a line of a megabyte.
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def _failure(
    lesson: Path, notebook: NotebookNode, index: int, where: str, error: Exception, target: Path
) -> str:
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
        f"{lesson.name}, {where}"
        + (f", under {headings[-1].lstrip('# ')!r}" if headings else "")
        + f":\n{source}\n"
        f"  {what}\n  The notebook as far as it came, with the full traceback: {target}"
    )
