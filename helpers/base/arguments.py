"""Arguments of a wrong type, named where they were given and not where they happen to fail.

A room calls `name_wrong_types` at the end of its door. Nothing is checked before a call: only where a public
function fails with an error that nobody wrote, such as `'NoneType' object has no attribute 'items'`, its
arguments are held against the types in its signature.
"""

import inspect
import linecache
import re
import sys
import sysconfig
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from functools import reduce, wraps
from itertools import islice
from numbers import Integral, Real
from operator import or_
from traceback import walk_tb
from types import FunctionType, NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from helpers.base.wording import first_few

_LOOKED_AT = 1000
"""Elements of a list or table that are held against its type; the rest is taken to be like them."""
_OURS = ("helpers.", "workbench.", "course.")
_RAW = (AttributeError, IndexError, KeyError, TypeError, ValueError)


class WrongType(ValueError):
    """An argument is of another type than the signature says, or lacks a column or key that is needed."""


def warn(text: str) -> None:
    """A UserWarning that stands at the line which called us, however deep within our code it is found."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(_OURS):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, stacklevel=level)


def name_wrong_types(door: dict[str, object]) -> None:
    """Makes the functions and classes of a room say which argument is of a wrong type; `door` is its globals.

    >>> from helpers.text import stem
    >>> stem(None)
    Traceback (most recent call last):
    helpers.base.arguments.WrongType: stem: term is None; needed str
    """
    room = door["__name__"]
    for name, found in list(door.items()):
        module = getattr(found, "__module__", None) or ""
        if name.startswith("_") or not f"{module}.".startswith(f"{room}."):
            continue
        if isinstance(found, FunctionType):
            if not hasattr(found, "__wrapped__"):
                door[name] = named = _named(found)
                setattr(sys.modules[module], found.__name__, named)
        elif isinstance(found, type) and not issubclass(found, Exception):
            _name_methods(found)


def _name_methods(found: type) -> None:
    for name, method in list(vars(found).items()):
        public = not name.startswith("_") or name == "__init__"
        if isinstance(method, classmethod) and public and not hasattr(method.__func__, "__wrapped__"):
            setattr(found, name, classmethod(_named(method.__func__)))
        elif public and isinstance(method, FunctionType) and not hasattr(method, "__wrapped__"):
            setattr(found, name, _named(method))


def _named(function: Callable) -> Callable:
    """The function, with its raw errors told in words where an argument is of a wrong type."""

    @wraps(function)
    def named(*args: object, **kwargs: object) -> object:
        try:
            return function(*args, **kwargs)
        except _RAW as error:
            if isinstance(error, TypeError) and error.__traceback__.tb_next is None:
                raise TypeError(_unbound(function, str(error))) from None  # it was never entered
            said = _wrong_argument(function, args, kwargs, error) if _is_raw(error) else ""
            if not said:
                raise
            raise WrongType(said) from error

    return named


def _is_raw(error: Exception) -> bool:
    """Whether nobody wrote the error: the line that it comes from is no `raise` of ours."""
    if isinstance(error, WrongType):
        return True  # of a function further in; whoever called this one knows its own arguments better
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    frame = trace.tb_frame
    line = linecache.getline(frame.f_code.co_filename, trace.tb_lineno).strip()
    return not (frame.f_globals.get("__name__", "").startswith(_OURS) and line.startswith("raise"))


def _wrong_argument(function: Callable, args: tuple, kwargs: dict, error: Exception) -> str:
    """What to say of the first argument that is of a wrong type; "" where none is.

    One whose own code was running when the error came was taken, whatever the signature says, and so was a
    list where an array is needed, unless the error is about lists.
    """
    ran = _ran(error)
    try:
        given = inspect.signature(function).bind(*args, **kwargs).arguments
        hints = get_type_hints(function)
    except (TypeError, NameError):
        return ""
    for name, value in given.items():
        hint = _one_of(hints.get(name, Any))
        if not fits(value, hint) and id(value) not in ran and not _taken_as_array(value, hint, error):
            called = function.__qualname__.removesuffix(".__init__")
            more = _hint(name, value, hint) or _example(function)
            place, found, hint = _unfit(value, hint)
            needed = re.sub(r"\b(\w+)\.(?:\w+\.)*(?=\w)", _kept_root, inspect.formatannotation(hint))
            return f"{called}: {name}{place} is {_in_short(found)}; needed {needed}{more}"
    lacking = _lacking(error, given, function.__module__)
    return f"{function.__qualname__.removesuffix('.__init__')}: {lacking}" if lacking else ""


def _unbound(function: Callable, said: str) -> str:
    """What to say of a call that the function cannot take: what it takes, and which name was meant."""
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    wrong = re.search(r"unexpected keyword argument '(\w+)'", said)
    near = [one for one in names if wrong and wrong[1] in one.split("_")]
    near = near or (get_close_matches(wrong[1], names, n=1, cutoff=0.75) if wrong else [])
    guess = f"did you mean {near[0]}? " if near else ""
    return f"{said}; {guess}it takes {', '.join(names) or 'nothing'}{_example(function)}"


def _unfit(value: object, hint: object) -> tuple[str, object, object]:
    """Where in a dict or list the first thing of a wrong type is, as `['q20']`, that thing, and its type."""
    hint = _branch(value, hint)
    inner = get_args(hint)
    if not isinstance(value, Mapping | list | tuple) or len(inner) not in (1, 2) or fits(value, hint):
        return "", value, hint
    is_dict = isinstance(value, Mapping) and len(inner) == 2
    pairs = islice(value.items() if is_dict else enumerate(value), _LOOKED_AT)
    for key, one in pairs:
        if not fits(one, inner[-1]) and (is_dict or len(inner) == 1):
            place, found, needed = _unfit(one, inner[-1])
            return f"[{key!r:.40}]{place}", found, needed
    return "", value, hint


def _branch(value: object, hint: object) -> object:
    """Of `X | None` and the like the one type of the value's own kind, whatever it holds; else all of it."""
    if get_origin(hint) not in (Union, UnionType):
        return hint
    kinds = [(one, get_origin(one) or one) for one in get_args(hint)]
    of_kind = [one for one, kind in kinds if isinstance(kind, type) and isinstance(value, kind)]
    return of_kind[0] if len(of_kind) == 1 else hint


def _in_short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


def _hint(name: str, value: object, hint: object) -> str:
    """Where to find what is needed in what was given: what has the name of the argument, a table of its own,
    or the texts of a corpus or a test collection."""
    of_name = getattr(value, name, None) if name != "corpus" else None
    if isinstance(of_name, Mapping) and not isinstance(value, Mapping) and fits(of_name, hint):
        return f": give its {name}, {type(value).__name__}.{name}"
    of_name = getattr(value, "table", None)
    if of_name is not None and not fits(value, hint) and fits(of_name, hint):
        return f": it is a {type(value).__name__}; give its table, {type(value).__name__}.table"
    held = getattr(value, "corpus", None)
    is_there = isinstance(held, Mapping) and not isinstance(value, Mapping) and fits(held, hint)
    return f": give its texts, {type(value).__name__}.corpus" if is_there else ""


def _lacking(error: Exception, given: Mapping[str, object], module: str) -> str:
    """Of the one table, or dict, among the arguments in which a column, or key, was looked up in vain: what
    it lacks and what it has; "" where another error is at hand, or none or several may be meant."""
    if type(error) is not KeyError or not error.args:
        return ""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    names = [frame.f_globals.get("__name__", "") for frame in frames]
    ours = max((i for i, name in enumerate(names) if name == module), default=len(names))
    below = frames[ours + 1].f_code.co_name if ours + 1 < len(names) else ""
    if below == "__getitem__" and names[ours + 1] == "pandas.core.frame":
        held = {name: table.columns for name, table in _tables(given)}
    elif ours + 1 == len(names):
        held = {name: one.keys() for name, one in given.items() if isinstance(one, Mapping)}
    else:
        return ""
    wanted = _looked_up(error.args[0])
    without = [name for name, has in held.items() if not any(one in has for one in wanted)]
    if len(without) != 1:
        return ""
    has = first_few(map(repr, held[without[0]])) or "nothing"
    return f"{without[0]} has no {first_few(map(repr, wanted))}; it has {has}"


def _tables(given: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The tables among the arguments, and among the values of a dict, each with its name."""
    for name, one in given.items():
        inside = islice(one.items(), _LOOKED_AT) if isinstance(one, Mapping) else ()
        for said, table in ((name, one), *((f"{name}[{key!r}]", value) for key, value in inside)):
            if getattr(table, "ndim", 0) == 2 and hasattr(table, "columns"):
                yield said, table


def _looked_up(said: object) -> list[object]:
    """What a KeyError names: the key, or of pandas the columns in its sentence."""
    if isinstance(said, str) and said.endswith(("not in index", "are in the [columns]")):
        return re.findall(r"'([^']*)'", said.partition("dtype=")[0])
    return [said]


def _kept_root(dotted: re.Match) -> str:
    """Of the module of a class the package, where that is not ours and none of Python's own."""
    root = dotted.group(1)
    own = f"{root}.".startswith(_OURS) or root in sys.stdlib_module_names
    return "" if own else f"{root}."


def _ran(error: BaseException | None) -> set[int]:
    """The ids of the objects of the user's own whose methods an error came through."""
    found: set[int] = set()
    while error is not None:
        trace, error = error.__traceback__, error.__cause__ or error.__context__
        while trace is not None:
            frame, trace = trace.tb_frame, trace.tb_next
            code, ours = frame.f_code, frame.f_globals.get("__name__", "").startswith(_OURS)
            if code.co_argcount and not ours and not code.co_filename.startswith(_INSTALLED):
                owner = frame.f_locals.get(code.co_varnames[0])
                if hasattr(type(owner), code.co_name):
                    found.add(id(owner))
    return found


_INSTALLED = ("<", *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")))


def _taken_as_array(value: object, hint: object, error: Exception) -> bool:
    """Whether numbers in a list, given for an array, were read as one: the error says nothing of lists."""
    if not isinstance(value, list | tuple) or np.ndarray not in (hint, *get_args(hint)):
        return False
    try:
        numbers = np.asarray(value).dtype.kind in "biuf"
    except (TypeError, ValueError):
        return False
    return numbers and not re.search(rf"\b{type(value).__name__}\b", str(error))


def _example(function: Callable) -> str:
    """The first line of the docstring's example that calls the function."""
    name = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
    lines = re.findall(rf"^ *>>> (?:[\w, ]+ = )?((?:\w+\.)*{name}\([^()]+\))", function.__doc__ or "", re.M)
    return f", as in {lines[0]}" if lines and len(lines[0]) <= 100 else ""


def _one_of(hint: object) -> object:
    """A type variable as the types that it may be; anything else as it is."""
    if not isinstance(hint, TypeVar):
        return hint
    return reduce(or_, hint.__constraints__) if hint.__constraints__ else hint.__bound__ or Any


def fits(value: object, hint: object) -> bool:
    """Whether a value is of a type, elements included; True wherever that cannot be told.

    >>> fits({"q1": 2}, dict[str, int]), fits({"q1": None}, dict[str, int]), fits("abc", list[str])
    (True, False, False)
    """
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any or isinstance(hint, TypeVar) and _one_of(hint) is Any:
        return True
    if isinstance(hint, TypeVar):
        return fits(value, _one_of(hint))
    if hint is None or hint is NoneType:
        return value is None
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in inner)
    if origin is Literal:
        return value in inner
    if origin is None:
        return _is_a(value, hint)
    if not isinstance(origin, type) or origin is type:
        return True
    if origin is Callable:
        return callable(value)
    if not isinstance(value, origin) or (isinstance(value, str | bytes) and issubclass(origin, Collection)):
        return False
    return _elements_fit(value, origin, inner)


def _elements_fit(value: object, origin: type, inner: tuple) -> bool:
    """Whether what is in a collection is of the types between its brackets."""
    if isinstance(value, np.ndarray) or not isinstance(value, Collection):
        return True  # to look into an iterator would use it up
    some = islice(value.items() if issubclass(origin, Mapping) else value, _LOOKED_AT)
    if issubclass(origin, Mapping):
        return all(fits(key, inner[0]) and fits(one, inner[1]) for key, one in some)
    if origin is tuple and Ellipsis not in inner:
        return len(value) == len(inner) and all(map(fits, value, inner))
    return all(fits(one, inner[0]) for one in some)


def _is_a(value: object, hint: object) -> bool:
    """Whether a value is of a class without brackets: numbers by kind, a protocol by what it asks for."""
    if hint in (int, float):
        return isinstance(value, Integral if hint is int else Real) and not isinstance(value, bool)
    if getattr(hint, "_is_protocol", False):
        return all(
            hasattr(value, name) for name in vars(hint) if not name.startswith("_") or name == "__call__"
        )
    return isinstance(value, hint) if isinstance(hint, type) else True
