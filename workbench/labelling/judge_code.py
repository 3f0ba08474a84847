"""What a function does, as a checksum: the same name may stand for another prompt tomorrow."""

import ast
import dis
import functools
import hashlib
import inspect
import os
import re
import sys
import sysconfig
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType, SimpleNamespace

from helpers.base import files


def code_checksum(function: Callable) -> str:
    """A checksum of a function's code, of the texts, numbers and settings that it names, in its own module or
    another of the user's, and of the functions and objects that it calls, if they are written in Python; ""
    where there is no such code.

    Comments and places count for nothing, what the code itself writes into neither, as a counter or a cache;
    and files that it reads are not seen. It begins with the version of Python, for another one compiles
    otherwise, and with that of this checksum.

    >>> code_checksum(lambda text: 2) == code_checksum(lambda text: 2) != code_checksum(lambda text: 0)
    True
    >>> code_checksum(len)
    ''
    """
    parts = list(_parts(function, set())) if callable(function) else []
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
    return f"{sys.version_info[0]}.{sys.version_info[1]}/3:{digest}" if parts else ""


def is_another(before: str, now: str) -> bool:
    """Whether two checksums are those of different functions; of two versions of Python nobody knows.

    >>> is_another("3.11:ab", "3.11:cd"), is_another("3.11:ab", "3.12:cd"), is_another("", "3.12:cd")
    (True, False, False)
    """
    return before.partition(":")[0] == now.partition(":")[0] and before != now


def has_text(function: Callable) -> bool:
    """Whether the text of a function, or of the class of an object that can be called, can be had and read:
    then it is seen what it only counts or keeps, which is no part of `code_checksum`.

    >>> has_text(len)
    False
    """
    while isinstance(function, functools.partial):
        function = function.func
    return _tree(function if inspect.isroutine(function) else type(function)) is not None


def _tree(what: object) -> ast.AST | None:
    """What Python reads in the text of a function or a class; None where that cannot be had."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(what)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None


def _parts(value: object, seen: set, names: Sequence[str] = ()) -> Iterator[str]:
    """What makes up a function, an object, a module of which code uses `names`, or a constant."""
    if isinstance(value, _CONSTANTS):
        yield _constant(value)
        return
    if inspect.ismethod(value):
        yield from _parts(value.__self__, seen)
        value = value.__func__
    value = getattr(value, "__wrapped__", value) if callable(value) else value  # as of functools.cache
    key = (id(value), *names) if isinstance(value, ModuleType) else id(value)
    if key in seen or _is_of_a_package(value):
        return
    seen.add(key)
    if isinstance(value, FunctionType):
        yield _constant(value.__code__)
        names = _names(value.__code__)
    for one in _inside(value, names):
        yield from _parts(one, seen, names)


def _inside(value: object, names: Sequence[str]) -> Iterator[object]:
    """What a function names and a module has of `names`; what a container or an object of the user's own
    holds, but for what it writes into itself while it judges, as the number of its calls."""
    if isinstance(value, FunctionType):
        yield from _named(value)
    elif isinstance(value, functools.partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, re.Pattern):
        yield from (value.pattern, value.flags)
    elif isinstance(value, dict):
        yield from (one for pair in value.items() for one in pair)
    elif isinstance(value, list | tuple):
        yield from value
    elif isinstance(value, set):
        yield frozenset(value)
    elif isinstance(value, ModuleType):
        yield from (vars(value)[name] for name in names if name in vars(value))
    else:
        yield from _of_an_object(value)


def _of_an_object(value: object) -> Iterator[object]:
    """The functions and the settings of an object, or of a class, of the user's own."""
    kind = value if isinstance(value, type) else type(value)
    own = [one for one in reversed(kind.__mro__) if not _is_of_a_package(one)]
    held = {name: one for of in own for name, one in vars(of).items()}
    slots = [name for name, one in held.items() if inspect.ismemberdescriptor(one)]
    functions = {name: one for name, one in held.items() if isinstance(_unbound(one), FunctionType)}
    yield from map(_unbound, functions.values())
    if value is not kind:
        held |= getattr(value, "__dict__", {}) | {one: getattr(value, one, None) for one in slots}
    methods = [_unbound(one) for name, one in functions.items() if name not in _MAKES]
    written = {name for one in methods for name in _written(one)[1]}
    yield from (
        one for name, one in held.items() if name not in functions.keys() | written and name[:2] != "__"
    )


_MAKES = ("__init__", "__new__", "__post_init__")


def _unbound(value: object) -> object:
    """The function of a static or class method and of a property; anything else as it is."""
    return next(
        (getattr(value, name) for name in ("__func__", "fget", "func") if hasattr(value, name)), value
    )


def _named(function: FunctionType) -> Iterator[object]:
    """The values that a function names: globals, defaults, what it took from the function around it; without
    those into which it writes."""
    code, (written, _) = function.__code__, _written(function)
    around = zip(code.co_freevars, map(_content, function.__closure__ or ()), strict=True)
    named = {name: function.__globals__[name] for name in _globals(code) if name in function.__globals__}
    yield from (one for name, one in (named | dict(around)).items() if name not in written)
    yield from (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())


def _written(function: FunctionType) -> tuple[set[str], set[str]]:
    """The names around a function, and the attributes of its object, into which it writes: what it counts or
    keeps is no part of how it judges. Empty where its text cannot be had."""
    if (tree := _tree(function)) is None:
        return set(), set()
    targets = [one for one in ast.walk(tree) if isinstance(getattr(one, "ctx", None), ast.Store | ast.Del)]
    called = [one.func for one in ast.walk(tree) if isinstance(one, ast.Call)]
    targets += [one.value for one in called if isinstance(one, ast.Attribute) and one.attr in _CHANGE]
    names, attributes, local = set(), set(), function.__code__.co_varnames + function.__code__.co_cellvars
    for one in targets:
        while isinstance(one, ast.Subscript) or _is_deep(one):
            one = one.value
        if isinstance(one, ast.Name) and one.id not in local:
            names.add(one.id)
        elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in local[:1]:
            attributes.add(one.attr)
    return names, attributes


def _is_deep(target: ast.AST) -> bool:
    """Whether it is an attribute of an attribute, as in `self.usage.calls`."""
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Attribute | ast.Subscript)


_CHANGE = frozenset(
    "add append appendleft clear discard extend insert pop popitem popleft remove setdefault update".split()
)
_CONSTANTS = str | int | float | bytes | frozenset | None
_PACKAGES = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
_PACKAGES += tuple(
    f"{folder}{os.sep}" for folder in (Path(files.__file__).parents[1], Path(__file__).parents[1])
)
_OURS = frozenset({"helpers", "workbench", "course"}) | sys.stdlib_module_names
_PLAIN = dict | list | tuple | set | SimpleNamespace | functools.partial | re.Pattern
"""Of Python itself, and looked into: a setting may be among what they hold."""


def _is_of_a_package(value: object) -> bool:
    """Whether a function, a class, a module, or an object by its class is of Python or of an installed
    package, whose next version judges alike."""
    if isinstance(value, _PLAIN):
        return False
    if isinstance(value, ModuleType):
        name, file = value.__name__, getattr(value, "__file__", None)
    elif isinstance(value, FunctionType):
        name, file = "", value.__code__.co_filename
    else:
        name = (value if isinstance(value, type) else type(value)).__module__
        file = getattr(sys.modules.get(name), "__file__", None)
    return str(name).partition(".")[0] in _OURS or str(file or "").startswith(_PACKAGES)


def _content(cell: CellType) -> object:
    """What a function took from the one around it; None where that has not set it yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code and those of the functions in it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _names(code: CodeType) -> tuple[str, ...]:
    """The names that code uses, those of attributes too."""
    return tuple(dict.fromkeys(name for one in _codes(code) for name in one.co_names))


def _globals(code: CodeType) -> list[str]:
    """The names that code takes from its module."""
    steps = (step for one in _codes(code) for step in dis.get_instructions(one))
    return list(dict.fromkeys(step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")))


def _constant(value: object) -> str:
    """A constant in words that are the same in every process; of anything else its class."""
    if isinstance(value, CodeType):
        return f"{value.co_code.hex()} {value.co_names} {' '.join(map(_constant, value.co_consts))}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_constant, value)))}}}"
    return repr(value) if isinstance(value, str | int | float | bytes | None) else type(value).__name__
