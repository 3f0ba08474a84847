"""A program of one's own, found by its name `package.module:name`, and why it is not."""

import ast
import importlib
import os
import pkgutil
import re
import shlex
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from traceback import extract_tb

from helpers.base import first_few, warn
from workbench.systems.answers import aside, in_short

PROGRAM = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def imported(spec: str, home: str | Path) -> object:
    """The object that `package.module:name` names, looked for in `home` after the installed packages and
    before the working folder.

    Raises ValueError where there is none, and where a module of another place was imported that has the name
    of one in `home`. Warns of files of `home` that have changed since they were imported.

    >>> imported("math:sqrt", Path())(9)
    3.0
    """
    home = Path(home)
    if not PROGRAM.fullmatch(spec):
        raise ValueError(f"{spec!r} names no program; needed package.module:name, e.g. my_search:search")
    module_name, _, path = spec.partition(":")
    if (folder := str(home.resolve())) not in sys.path:
        sys.path.append(folder)  # last, so that no module of the reader's takes the place of one of ours
    try:
        with aside(), _working_folder_last(folder):
            found: object = importlib.import_module(module_name)
        _warn_of_edits(home)
    except ModuleNotFoundError as error:
        if not error.name or not f"{module_name}.".startswith(f"{error.name}."):  # not the one that was named
            raise ValueError(f"{spec}: {_not_there(error, home)}{_name_taken(error, home)}") from None
        cure = f"run it in the folder of {module_name.split('.')[0]}.py, or install the package"
        cure = _elsewhere(home, module_name) or _where_below(home, module_name, path) or cure
        if module_name.endswith(".py"):
            cure = f"name the module and not the file: {module_name.removesuffix('.py')}:{path}"
        raise ValueError(f"{spec}: there is no module {error.name!r}; {cure}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        at = f" ({where})" if (where := _imported_at(error)) else ""
        said = f"{module_name} cannot be imported, {in_short(error, at)}{_name_taken(error, home)}"
        if isinstance(error, SystemExit) and not isinstance(error.code, str):  # a text says what is missing
            said += '; put what starts the program below `if __name__ == "__main__":`'
        raise ValueError(f"{spec}: {said}") from error
    if taken_for := _taken_for(module_name, home):
        raise ValueError(f"{spec}: {taken_for}; rename your file")
    of_another = (_of_another_home(one, home) for one in _imports(module_name, home))
    if said := next(filter(None, of_another), ""):
        raise ValueError(f"{spec}: {said}; start Python anew, or give one of the two another name")
    for name in path.split("."):
        if not hasattr(found, name):
            has = [one for one in vars(found) if one[0] != "_"] if hasattr(found, "__dict__") else []
            near = get_close_matches(name, has, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {first_few(has) or 'none'}"
            twice = _file_and_folder(module_name, home)
            raise ValueError(f"{spec}: {module_name} has no {name!r}; {twice or hint}")
        found = getattr(found, name)
    return found


_READ: dict[str, tuple[object, int]] = {}
"""Of modules in a folder that was looked in: the specification, which `reload` replaces, and when the file
was last written."""


def _warn_of_edits(home: Path) -> None:
    """Warns of modules below this folder whose files were written after they were imported here."""
    folder = home.resolve()
    for name, module in list(sys.modules.items()):
        facts = getattr(module, "__dict__", {})  # to ask a module itself may import what it stands for
        file, spec = facts.get("__file__"), facts.get("__spec__")
        if not isinstance(file, str) or folder not in Path(file).parents or not os.path.isfile(file):
            continue
        written = os.stat(file).st_mtime_ns
        known, before = _READ.setdefault(name, (spec, written))
        if known is not spec:
            _READ[name] = (spec, written)
        elif before != written:
            when = datetime.fromtimestamp(written / 1e9).strftime("%H:%M:%S")
            said = f"{Path(file).name} was changed at {when}, after it was imported here, and runs as it was"
            warn(f"{said}; restart the kernel, or importlib.reload({name}) first")


@contextmanager
def _working_folder_last(folder: str) -> Iterator[None]:
    """Modules are looked for in the working folder after this one, for both may have one of the same name."""
    before, here = list(sys.path), {""}
    with suppress(OSError):  # it was deleted meanwhile
        here.add(os.getcwd())
    if folder not in here:
        sys.path[:] = [one for one in before if one not in here] + [one for one in before if one in here]
    try:
        yield
    finally:
        added = [one for one in sys.path if one not in before]  # by the module itself
        sys.path[:] = before + added


def _of_home(module_name: str, home: Path) -> Path | None:
    """The file of a module in a folder; None where there is none."""
    place = home.joinpath(*module_name.split("."))
    return next(
        (one for one in (place.with_name(f"{place.name}.py"), place / "__init__.py") if one.is_file()), None
    )


def _taken_for(module_name: str, home: Path) -> str:
    """What to say of a module that was imported in place of one in `home`; "" where it is that one."""
    module, theirs = sys.modules.get(module_name), _of_home(module_name, home)
    if module is None or theirs is None:
        return ""
    file = getattr(module, "__file__", None)
    if file and (home.resolve() in Path(file).parents or Path(file).resolve() == theirs.resolve()):
        return ""
    own = (
        "a module of Python's own, which"
        if module_name in sys.stdlib_module_names
        else f"that of {file}, which"
    )
    return f"{module_name} is {own} was imported in place of your {theirs.relative_to(home)}"


def _imports(module_name: str, home: Path) -> list[str]:
    """The modules that a file of `home` imports by name."""
    if (file := _of_home(module_name, home)) is None:
        return []
    try:
        found = list(ast.walk(ast.parse(file.read_bytes())))
    except (SyntaxError, ValueError, OSError):  # it was changed since it was imported
        return []
    whole = [alias.name for one in found if isinstance(one, ast.Import) for alias in one.names]
    parts = [one.module for one in found if isinstance(one, ast.ImportFrom) and not one.level]
    return [*whole, *filter(None, parts)]


def _of_another_home(module_name: str, home: Path) -> str:
    """What to say of a module that was imported earlier from another folder of programs, and has the name of
    one in `home`; "" for every other, installed ones too."""
    file = getattr(sys.modules.get(module_name), "__file__", None)
    if not file or module_name in sys.stdlib_module_names or file.startswith(_INSTALLED):
        return ""
    return _taken_for(module_name, home)


def _name_taken(error: BaseException, home: Path) -> str:
    """What to say of a module of the user's own that was not what another of theirs imported."""
    module_name = (error.name if isinstance(error, ImportError) else None) or ""
    tops = (module_name, module_name.partition(".")[0])
    taken_for = next(filter(None, (_taken_for(one, home) for one in tops if one)), "")
    return f"; {taken_for}; rename your file" if taken_for else ""


def _file_and_folder(module_name: str, home: Path) -> str:
    """What to say of a folder that is imported in place of the file beside it."""
    place = home.joinpath(*module_name.split("."))
    if not place.is_dir() or not place.with_name(f"{place.name}.py").is_file():
        return ""
    return f"the folder {place.name}/ is imported in place of {place.name}.py; rename one of them"


def _not_there(error: ModuleNotFoundError, home: Path) -> str:
    """What is said of a module that one of the user's own imports, and that this Python does not have."""
    where = _imported_at(error) or "it"
    if not str(error).startswith("No module named"):  # whoever raised it knows what to do
        return f"{where}: {error}"
    if below := _below(home, error.name):
        dotted = ".".join(below.relative_to(home).with_suffix("").parts)
        looked = f"modules are looked for in {home.resolve()} and in what is installed"
        cure = f"import {dotted} in place of {error.name}, or move the file"
        return f"{where} imports {error.name!r}, which is {below.relative_to(home)} here; {looked}: {cure}"
    said = f"{where} imports {error.name!r}, which is not installed for this Python"
    if near := get_close_matches(error.name, [one.name for one in pkgutil.iter_modules()], n=1, cutoff=0.8):
        return f"{said}; did you mean {near[0]!r}?"
    if error.name.startswith("my_"):
        return f"{said}; it is a name of the recipes: write your own program in its place"
    cure = "if the name is right, install the package that has it (its name may be another)"
    return f"{said}; {cure}: {sys.executable} -m pip install NAME"


def _below(home: Path, module_name: str) -> Path | None:
    """The file or folder of a module that lies one or two folders below this one; None where none does."""
    top = module_name.partition(".")[0]
    found = [
        one
        for depth in ("*", "*/*")
        for form in (f"{top}.py", f"{top}/")
        for one in home.glob(f"{depth}/{form}")
    ]
    seen = (one for one in found if not any(part[0] in "._" for part in one.relative_to(home).parts))
    return next((one for one in seen if one.suffix == ".py" or any(one.glob("*.py"))), None)


def _elsewhere(home: Path, module_name: str) -> str:
    """What to do with a module that lies in the working folder, where another one is looked in."""
    file = Path(module_name.partition(".")[0] + ".py")
    if not file.is_file() or home.resolve() == Path.cwd():
        return ""
    return f"it is looked for in {home}, and {file} is in the working folder: move it into {home}"


def _where_below(home: Path, module_name: str, name: str) -> str:
    """Where a module lies one or two folders below this one, and what to write; "" where none does."""
    below = _below(home, module_name)
    file = _of_home(module_name, below.parent) if below else None
    if file is None:
        return ""
    folders = below.parent.relative_to(home).parts
    can = all(map(str.isidentifier, folders))
    write = f"write {'.'.join((*folders, module_name))}:{name}, or " if can else ""
    return f"{file.relative_to(home)} is there: {write}set PYTHONPATH={shlex.quote(str(below.parent))}"


def _imported_at(error: BaseException) -> str:
    """File and line that raised it while a module was imported; "" where no line of the module was run."""
    lines = extract_tb(error.__traceback__)
    ours = (__file__, importlib.__file__)
    frames = [one for one in lines if one.filename not in ours and not one.filename.startswith("<frozen")]
    theirs = [one for one in frames if not one.filename.startswith(_INSTALLED)] or frames
    return f"{Path(theirs[-1].filename).name}, line {theirs[-1].lineno}" if theirs else ""
