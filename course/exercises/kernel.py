"""What the exercises ask of the notebook's kernel, so that a slip in one of them does not stop the others.

- A cell with an exercise that is no Python is not run; in its place stands a call that says what is wrong
  with it. So "Run All" goes on, and what comes below uses the course's own function.
- A function that a cell checks and nobody has defined is judged as such, and raises no NameError.
- After a NameError elsewhere, one line says which section defines the name.

All this is done by IPython's own hooks. Outside of a kernel nothing happens.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from course.exercises import session
from course.exercises.cases import NOT_DEFINED

_ASKED = re.compile(r"\b(\w+)\.([A-Z][A-Z0-9_]*)\.(check|answer)\(\s*(\d*)")
"""`ex.NDCG.check(` or `ex.LESSON_03.answer(2`."""


def listen() -> None:
    """Registers the hooks in the kernel that imports the exercises, once; nothing where there is none."""
    shell = _shell()
    if shell is None or any(isinstance(hook, _ReadsCells) for hook in shell.input_transformers_cleanup):
        return
    shell.input_transformers_cleanup.append(_ReadsCells())
    shell.events.register("pre_run_cell", _before)
    shell.events.register("post_run_cell", _after)


def _shell() -> object | None:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


class Asked(NamedTuple):
    """An exercise or a question that a cell asks to be checked."""

    call: str
    """The exercise or the lesson, as the cell has it: `ex.NDCG`."""
    target: object
    number: int
    """Of the question; 0 for an exercise."""


def asked_in(source: str, names: dict) -> Iterator[Asked]:
    """The checks that stand in a cell, found by their text: the cell may be no Python."""
    for module, name, _, number in _ASKED.findall(source):
        target = getattr(names.get(module), name, None)
        if target is not None and hasattr(target, "unreadable"):
            yield Asked(f"{module}.{name}", target, int(number or 0))


class _ReadsCells:
    """Replaces a cell of the exercises that is no Python; all other cells stay as they are."""

    has_side_effects = True
    """So IPython does not ask it whether a cell is complete."""
    _busy = False

    def __call__(self, lines: list[str]) -> list[str]:
        source = "".join(lines)
        if self._busy or not _ASKED.search(source):
            return lines
        problem = self._problem(source)
        asked = list(asked_in(source, _shell().user_ns)) if problem else []
        return [_instead(one, problem) for one in asked] or lines

    def _problem(self, source: str) -> str:
        """What Python says about a cell once IPython has read its magic commands; "" where all is well."""
        self._busy = True  # the cell comes here again on the way
        try:
            code = _shell().input_transformer_manager.transform_cell(source)
            compile(code, "<cell>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except (SyntaxError, ValueError) as error:
            return _in_words(error)
        finally:
            self._busy = False
        return ""


def _instead(asked: Asked, problem: str) -> str:
    if asked.number:
        return f"{asked.call}.unreadable({asked.number}, {problem!r})\n"
    return f"{asked.target.reference.__name__} = {asked.call}.unreadable({problem!r})\n"


def _in_words(error: SyntaxError | ValueError) -> str:
    """The line and what Python says of it, in the form of the examples of a check."""
    line = (getattr(error, "text", None) or "").strip()
    where = f"  line {error.lineno:<4}{line}\n" if line else ""
    return f"{where}  Python   {getattr(error, 'msg', error)}"


def _before(info: object) -> None:
    """Notes the cell, and gives a value to what it checks and nobody has defined, as long as it runs.

    A function is NOT_DEFINED; the letter of an answer, written without its quotes, is that letter.
    """
    names = _shell().user_ns
    session.Cell.source = info.raw_cell or ""
    session.Cell.notebook = _notebook(names)
    for asked in asked_in(session.Cell.source, names):
        for name, value in _placeholders(asked).items():
            names.setdefault(name, value)


def _placeholders(asked: Asked) -> dict[str, object]:
    if asked.number:
        return {letter: _Letter(letter) for letter in "abcd"}
    return {asked.target.reference.__name__: NOT_DEFINED}


class _Letter(str):
    """An answer that lacks its quotes."""


def _notebook(names: dict) -> Path | None:
    """The file of the lesson that is open: where the kernel was started, else among the course's own."""
    stems = [name for module in names.values() if isinstance(module, ModuleType) for name in _stems(module)]
    here = [Path.cwd() / f"{stem}.ipynb" for stem in stems]
    ours = [Path(__file__).parents[2] / "notebooks" / path.name for path in here]
    return next((path for path in here + ours if path.is_file()), None)


def _stems(module: ModuleType) -> list[str]:
    if not module.__name__.startswith("course.exercises."):
        return []
    return [value.notebook for value in vars(module).values() if hasattr(value, "can_do_list")]


def _after(result: object) -> None:
    """Takes the placeholders away; after an error, says what the reader can do and lets the rest go on."""
    names = _shell().user_ns
    error = result.error_in_exec or result.error_before_exec
    for asked in asked_in(session.Cell.source, names):
        if error is not None and not asked.number:
            _go_on(asked, names)
        for name in _placeholders(asked):
            if isinstance(names.get(name), (_Letter, type(NOT_DEFINED))):
                del names[name]
    if isinstance(error, ImportError):
        print(import_help(error))
    if type(error) is NameError and (missing := getattr(error, "name", None)):
        from course.exercises.sections import where_defined

        if sentence := where_defined(missing):
            print(sentence)


def import_help(error: ImportError) -> str:
    """What to do when a notebook's import fails; the error names what is missing.

    >>> print(import_help(ImportError("cannot import name 'ndgc'", name="helpers.metrics")))
    This notebook and the installed course are of two editions. INSTALL.md, "In JupyterLab", says what to do.
    """
    top = (error.name or "").partition(".")[0]
    if top in ("helpers", "workbench", "course"):
        what = "This notebook and the installed course are of two editions."
        return f'{what} INSTALL.md, "In JupyterLab", says what to do.'
    install = f'"{sys.executable}" -m pip install -r requirements.txt'
    return (
        f"{top or 'A package'} is missing in the Python of this kernel, or broken. JupyterLab may have been "
        'started in another environment: see INSTALL.md, "In JupyterLab". Else run in a terminal:\n'
        f"{install}"
    )


def _go_on(asked: Asked, names: dict) -> None:
    """After an error in its cell: the course's function, unless the reader's is right."""
    name = asked.target.reference.__name__
    names[name] = asked.target.use(names.get(name, NOT_DEFINED))
    if names[name] is asked.target.reference:
        print(f"This cell ended with an error. What comes below uses the course's own {name}.")
