"""What a function does, as a checksum: the same name may stand for another prompt tomorrow."""

import hashlib
import inspect
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import partial
from types import CellType, CodeType, FunctionType


def code_checksum(function: Callable) -> str:
    """A checksum of a function's code, of the texts and numbers that it names, and of the functions that it
    calls, if they are written in Python; "" where there is no such code.

    Comments and places count for nothing. It begins with the version of Python, for another one compiles
    otherwise.

    >>> code_checksum(lambda text: 2) == code_checksum(lambda text: 2) != code_checksum(lambda text: 0)
    True
    >>> code_checksum(len)
    ''
    """
    parts = list(_parts(function, set()))
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
    return f"{sys.version_info[0]}.{sys.version_info[1]}:{digest}" if parts else ""


def is_another(before: str, now: str) -> bool:
    """Whether two checksums are those of different functions; of two versions of Python nobody knows.

    >>> is_another("3.11:ab", "3.11:cd"), is_another("3.11:ab", "3.12:cd"), is_another("", "3.12:cd")
    (True, False, False)
    """
    return before.partition(":")[0] == now.partition(":")[0] and before != now


def _parts(value: object, seen: set[int]) -> Iterator[str]:
    """What makes up a function, an object that can be called, or a constant that a function names."""
    if isinstance(value, _CONSTANTS):
        yield _constant(value)
    if isinstance(value, partial):
        for one in (value.func, value.args, *value.keywords.values()):
            yield from _parts(one, seen)
    if inspect.ismethod(value):
        yield from _parts(value.__self__, seen)
        value = value.__func__
    call = value if isinstance(value, FunctionType) else type(value).__call__ if callable(value) else None
    if not isinstance(call, FunctionType) or id(value) in seen or _is_of_a_package(call):
        return
    seen.add(id(value))
    yield _constant(call.__code__)
    own = {} if value is call else vars(value)
    named = {name: call.__globals__.get(name) for name in _names(call.__code__)}
    defaults = [*(call.__defaults__ or ()), *(call.__kwdefaults__ or {}).values()]
    for one in (*own.values(), *named.values(), *defaults, *map(_content, call.__closure__ or ())):
        yield from _parts(one, seen)


_CONSTANTS = str | int | float | bytes | tuple | frozenset
_PACKAGES = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def _is_of_a_package(function: FunctionType) -> bool:
    """Whether a function is of Python or of an installed package, whose next version judges alike."""
    return function.__code__.co_filename.startswith(_PACKAGES)


def _content(cell: CellType) -> object:
    """What a function took from the one around it; None where that has not set it yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _names(code: CodeType) -> list[str]:
    """The names that code uses, those of the functions in it too."""
    inner = [name for one in code.co_consts if isinstance(one, CodeType) for name in _names(one)]
    return list(dict.fromkeys([*code.co_names, *inner]))


def _constant(value: object) -> str:
    """A constant in words that are the same in every process; of anything else its class."""
    if isinstance(value, CodeType):
        return f"{value.co_code.hex()} {value.co_names} {' '.join(map(_constant, value.co_consts))}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_constant, value)))}}}"
    return repr(value) if isinstance(value, str | int | float | bytes | None) else type(value).__name__
