"""The way from lesson to lesson: links at both ends of each notebook, and what to do if its imports fail.

Written into the notebooks by `python -m course links`; doing it twice changes nothing.
"""

import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course.exercises import contents, readers
from helpers.base import files, replaced

TOP, END = "links-top", "links-end"
"""The ids of the two cells."""
IF_IMPORTS_FAIL = '# ModuleNotFoundError? The kernel runs in another environment: INSTALL.md, "In JupyterLab"'
_LESSON_OF = {lesson.notebook: lesson.name for lesson in contents.LESSONS}


def course_order() -> list[Path]:
    """The notebooks in the order of the course: where to start, the lessons, real work.

    >>> [path.stem for path in course_order()][:2], course_order()[-1].stem
    (['start', '01_corpus_and_labels'], 'real_work')
    """
    folder = files.course_folder() / "notebooks"
    return [folder / "start.ipynb", *sorted(folder.glob("[0-9][0-9]_*.ipynb")), folder / "real_work.ipynb"]


def write_links() -> list[Path]:
    """Puts links and the comment into every notebook, and the table of lessons into the first; returns those
    that were changed."""
    order = course_order()
    read = [nbformat.read(path, 4) for path in order]
    changed = []
    for number, (path, notebook) in enumerate(zip(order, read, strict=True)):
        before = (order[number - 1], title(read[number - 1])) if number else None
        after = (order[number + 1], title(read[number + 1])) if number + 1 < len(order) else None
        stored = nbformat.writes(notebook)
        put_links(notebook, path.stem, before, after)
        if path.stem == "start":
            _put_table(notebook, readers.overview(path.parent))
        if nbformat.writes(notebook) != stored:
            changed.append(path)
            with replaced(path) as beside:
                nbformat.write(notebook, beside)
    return changed


def put_links(
    notebook: NotebookNode, stem: str, before: tuple[Path, str] | None, after: tuple[Path, str] | None
) -> None:
    """Puts both cells of links into a notebook, and the comment into its first cell of code.

    `before` and `after` are path and title of the neighbours, None at the ends.
    """
    ways = [
        f"{way}: [{named}]({path.name})"
        for way, (path, named) in (("Before", before or ("", "")), ("Next", after or ("", "")))
        if path
    ]
    ways += ["[Where you stand](start.ipynb)"] if stem != "start" else []
    text = " | ".join([*ways, "[Overview of the course](../README.md)", "[Glossary](../GLOSSARY.md)"])
    lesson = _LESSON_OF.get(stem)
    asks = f"\n\nTo see which of your answers are right so far, run `ex.{lesson}.progress()` in a new cell."
    top, end = _cell(TOP, text + (asks if lesson else "")), _cell(END, text)
    cells = [cell for cell in notebook.cells if cell.id not in (TOP, END)]
    notebook.cells = [cells[0], top, *cells[1:], end]
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    first.source = "\n".join([IF_IMPORTS_FAIL, first.source.removeprefix(IF_IMPORTS_FAIL).lstrip("\n")])


def _put_table(notebook: NotebookNode, table: object) -> None:
    """Stores the table of the course as the cell gives it that asks for it."""
    (cell,) = [cell for cell in notebook.cells if "readers.overview()" in cell.source]
    data = {"text/html": table._repr_html_(), "text/plain": repr(table)}
    number = cell.execution_count
    cell.outputs = [nbformat.v4.new_output("execute_result", data, execution_count=number)]


def title(notebook: NotebookNode) -> str:
    """The heading of a notebook."""
    return re.search(r"^# (.+)$", notebook.cells[0].source, re.M)[1].strip()


def _cell(name: str, text: str) -> NotebookNode:
    # A page of a site has links of its own to its neighbours: this tag leaves the cell out there.
    return nbformat.v4.new_markdown_cell(text, id=name, metadata={"tags": ["remove-cell"]})
