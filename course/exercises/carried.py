"""A reader's right functions, carried from one lesson to the next: `ex.mine("ndcg_at_k")`.

When a check is right, the function's code is kept in a small file beside the results, with the imports and
the reader's own functions that it needs. It is run again only to pass its check again, and only if this
computer wrote it: the file carries a seal, made with a key that lies among the downloads. So a file that came
with somebody else's folder is not run.
"""

import ast
import difflib
import hmac
import importlib
import re
import secrets
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType

from course.exercises import reading

_ALLOWED = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Assign)


def mine(name: str) -> Callable:
    """The reader's own function of an earlier lesson if it passes its check, else the course's; says which.

    Raises ValueError where no exercise asks for a function of this name.
    """
    lessons = importlib.import_module(
        "course.exercises.contents"
    ).LESSONS  # by name: they have `mine` from here
    by_function = {
        exercise.reference.__name__: exercise for lesson in lessons for exercise in lesson.exercises
    }
    if name not in by_function:
        near = difflib.get_close_matches(name, by_function, n=1) or list(by_function)[:3]
        raise ValueError(f"no exercise asks for {name!r}; there is {', '.join(near)}")
    exercise = by_function[name]
    (lesson,) = [lesson.notebook for lesson in lessons if exercise in lesson.exercises]
    function, why = _checked(name, lambda function: exercise.verdict(function).status == "right")
    if function is None:
        print(f"{name}: the course's own. {why.format(lesson=lesson)}")
        return exercise.reference
    print(f"{name}: yours, from {lesson}; it has passed its check again.")
    return function


def _checked(name: str, is_right: Callable[[Callable], bool]) -> tuple[Callable | None, str]:
    """The function that was kept, if it is right; else None, and why."""
    try:
        text = _file(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None, "Yours will be used once its check in {lesson} is right on this computer."
    seal, _, code = text.partition("\n")
    if not hmac.compare_digest(seal.encode(), _seal(name, code).encode()):
        return (
            None,
            "The one that is kept was not written by this computer, or was changed, so it is not run.",
        )
    function = _made(name, code)
    if function is None or not is_right(function):
        return None, "The one that is kept does not pass its check any more."
    return function, ""


def _made(name: str, code: str) -> Callable | None:
    try:
        allowed = all(isinstance(node, _ALLOWED) for node in ast.parse(code).body)
        names = {"__name__": "mine"}
        if allowed:
            # One line lower, as it stands in the file, so that its text can be shown.
            exec(compile(f"\n{code}", str(_file(name)), "exec"), names)
    except Exception:
        return None
    return names.get(name)


def keep(name: str, function: Callable) -> None:
    """Keeps a right function for later lessons, where it can stand on its own and the disk can be written."""
    from helpers.base import write_text

    code = _on_its_own(name, function)
    if code:
        try:
            file, text = _file(name), f"{_seal(name, code)}\n{code}"
            if not file.is_file() or file.read_bytes() != text.encode():
                file.parent.mkdir(parents=True, exist_ok=True)
                write_text(file, text)
        except OSError:
            pass


def _file(name: str) -> Path:
    from helpers.base import files  # here: it takes a second, and only a right answer needs it

    return files.results_dir() / "mine" / f"{name}.py"


def _seal(name: str, code: str) -> str:
    from helpers.base import files, write_text

    path = files.cache_dir() / "mine.key"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, secrets.token_hex(32) + "\n")
    key = path.read_text(encoding="utf-8").strip()
    return (
        f"# kept by a check, sealed: {hmac.new(key.encode(), f'{name} {code}'.encode(), sha256).hexdigest()}"
    )


# --- A function with all that it needs, as one text ------------------------------------------------------


def _on_its_own(name: str, function: Callable) -> str:
    """The code of a function and of what it uses, "" where something cannot be written down."""
    if not isinstance(function, FunctionType):
        return ""
    written: dict[str, str] = {}
    if not _write(function, function.__name__, written):
        return ""
    given = "" if function.__name__ == name else f"{name} = {function.__name__}\n"
    return "\n".join(written.values()) + given


def _write(function: FunctionType, name: str, written: dict[str, str]) -> bool:
    source = reading.source_of(function)
    if function.__closure__ or not re.match(rf"(@.*\n)*(def {name}\b|{name} = lambda\b)", source):
        return False
    try:
        used = reading.names_in(source)[1] & function.__globals__.keys()
    except (SyntaxError, ValueError):
        return False
    written[name] = ""  # noted before it is written, since functions may call one another
    for other in sorted(used - {name} - written.keys()):
        value = function.__globals__[other]
        if isinstance(value, FunctionType) and value.__module__ == function.__module__:
            if not _write(value, other, written):
                return False
        elif line := _line(other, value):
            written[other] = line
        else:
            return False
    del written[name]
    written[name] = f"{source}\n"  # below all that it needs
    return True


def _line(name: str, value: object) -> str:
    """A line that gives a module, an imported name or a constant its name again; "" for anything else."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__}{f' as {name}' if name != value.__name__ else ''}\n"
    module = getattr(value, "__module__", None) or ("numpy" if isinstance(value, _ufunc()) else "")
    own = getattr(value, "__name__", "")
    if module and module != "__main__" and getattr(sys.modules.get(module), own, None) is value:
        return f"from {module} import {own}{f' as {name}' if name != own else ''}\n"
    try:
        return f"{name} = {value!r}\n" if ast.literal_eval(repr(value)) == value else ""
    except Exception:
        return ""


def _ufunc() -> type:
    return getattr(sys.modules.get("numpy"), "ufunc", type(None))
