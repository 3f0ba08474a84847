"""Whether two results are the same, and a result in words: plain data, NumPy arrays and sparse matrices."""

import math
import sys
from collections.abc import ItemsView, KeysView, Mapping, Set, ValuesView
from inspect import isfunction
from numbers import Number

import numpy as np

TOLERANCE = 1e-9
_LONGEST = 240
"""Characters of a value that are shown; more would bury the sentence around it."""
LARGEST = 1_000_000
"""Cells of an array that are looked at; no case needs a hundred."""
_NUMBERS = frozenset({int, float})
_PLAIN = _NUMBERS | {bool, str, list, tuple, dict, set, frozenset, type(None)}
"""Python's own types: of these it is known at once what they are not, and nearly all values are such."""


def same(one: object, other: object) -> bool:
    """Whether two results are equal: numbers within 1e-9, sequences in order, sparse matrices cell by cell.

    Text is never equal to a number, and NaN is equal to NaN. A function is equal to itself. What else it does
    not know is never equal to anything.

    >>> same([0.1 + 0.2, "d1"], (0.3, "d1")), same("7", 7)
    (True, False)
    """
    try:
        return _same(plain(one), plain(other))
    except Exception:  # a reader's object may do anything when it is compared, a list may contain itself
        return False


def _is_sparse(value: object) -> bool:
    # SciPy takes a quarter of a second to load; where nobody has loaded it, nobody holds a matrix of it.
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and sparse.issparse(value)


def _same(one: object, other: object) -> bool:
    if type(one) in _NUMBERS and type(other) in _NUMBERS:
        return one == other or (one != one and other != other) or _close(one, other)
    if one is None or other is None or isinstance(one, str) or isinstance(other, str):
        return one is other or (isinstance(one, str) and isinstance(other, str) and one == other)
    if isinstance(one, Number) and isinstance(other, Number):
        if math.isnan(one) or math.isnan(other):
            return math.isnan(one) and math.isnan(other)
        return bool(one == other or _close(one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, Set) and isinstance(other, Set):
        return one == other
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return isfunction(one) and one is other


def _close(one: Number, other: Number) -> bool:
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def checked(value: object) -> object:
    """The value as it is.

    Raises ValueError for a sparse matrix whose lists do not fit: SciPy may crash on it.

    >>> from scipy import sparse
    >>> checked(sparse.csr_array(([1.0], [7], [0, 1]), shape=(1, 2)))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    ValueError: column 7 of a matrix with two
    """
    if _is_sparse(value) and value.format in ("csr", "csc", "bsr"):
        if (np.diff(value.indptr) < 0).any():
            raise ValueError(
                "indptr falls; it holds borders, and each is at least as large as the one before"
            )
        value.check_format()
    return value


def plain(value: object) -> object:
    """Arrays and NumPy's numbers as Python's own; a sparse matrix as its shape and its rows."""
    if type(value) in _PLAIN:
        return value
    if _is_sparse(value):
        return [list(value.shape), _dense(value).tolist()]
    if isinstance(value, np.ndarray) and value.size > LARGEST:
        raise ValueError(f"an array of {value.size:,} cells")
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _dense(matrix) -> np.ndarray:
    """All cells of a sparse matrix; not by its own `toarray`, which a case may forbid."""
    cells = checked(matrix)
    dense = np.zeros(cells.shape, dtype=cells.dtype)
    if cells.format == "csr":
        rows = np.repeat(np.arange(len(cells.indptr) - 1), np.diff(cells.indptr))
        places = (rows, cells.indices)[-cells.ndim :]  # of one dimension, too
    else:
        cells = cells.tocoo()
        places = cells.coords if hasattr(cells, "coords") else (cells.row, cells.col)
    np.add.at(dense, places, cells.data)
    return dense


def kind(value: object) -> str:
    """What sort of thing a value is; a tuple and an array are lists here, as they are for `same`.

    >>> kind((1, 2)), kind(0.5), kind(x for x in "ab")
    ('a list', 'a number', 'an object of type generator')
    """
    kinds = {
        Number: "a number",
        str: "text",
        (list, tuple, np.ndarray): "a list",
        Mapping: "a dictionary",
        Set: "a set",
    }
    if _is_sparse(value):
        return "a sparse matrix"
    found = next((name for types, name in kinds.items() if isinstance(value, types)), None)
    return found or in_words(value)


def called(value: object, inside: bool = False) -> str:
    """The same as one calls it to a reader, who sees whether it is a tuple; or with what it holds.

    >>> called((1, 2)), called([(1, 2)], inside=True), called({}, inside=True)
    ('a tuple', 'a list of pairs', 'a dictionary')
    """
    names = {tuple: "a tuple", np.ndarray: "an array", bool: "True or False", type(None): "None"}
    name = names.get(type(value), kind(value))
    held = _held(value) if inside else ""
    return f"{name} of {held}" if held else name


def _held(value: object) -> str:
    """What a list, a set or a dictionary holds, "" where that is nothing or of several kinds."""
    value = plain(value)
    parts = value.values() if isinstance(value, Mapping) else value
    if not isinstance(value, (Mapping, Set, list, tuple)):
        return ""
    names = {_many(part) for part in parts}
    return names.pop() if len(names) == 1 else ""


def _many(value: object) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "True or False"
    if isinstance(value, tuple) and len(value) == 2:
        return "pairs"
    plurals = {"a number": "numbers", "text": "texts", "a list": "lists", "a dictionary": "dictionaries"}
    return plurals.get(kind(value), "")


def unchanged(before: object, after: object) -> bool:
    """Whether an argument came back as it was given: `same`, and no number of a sparse matrix put away.

    >>> unchanged([["a"], 1.0], [["a"], 1.0]), unchanged([["a"]], [["a", "b"]])
    (True, False)
    """
    if before is after:
        return True
    if isinstance(before, (list, tuple)) and type(before) is type(after):
        return len(before) == len(after) and all(map(unchanged, before, after))
    if not (_is_sparse(before) and _is_sparse(after)):
        return same(before, after)
    # Array by array, which is faster; a matrix may also come back with its columns in another order.
    parts = [
        (getattr(before, name, None), getattr(after, name, None)) for name in ("data", "indices", "indptr")
    ]
    alike_stored = before.shape == after.shape and all(np.array_equal(one, other) for one, other in parts)
    return alike_stored or (before.nnz == after.nnz and same(before, after))


def alike(one: object, other: object) -> bool:
    """Whether two results say the same, whatever they are put into; numbers within a millionth.

    For recognising a mistake, never for judging: a set is like the list of its members in any order, a
    dictionary like the list of its pairs, a matrix of one row like that row.

    >>> alike({"b", "a"}, ["a", "b"]), alike({"a": 0.5}, [("a", 0.5)]), alike(0.3333333, 1 / 3)
    (True, True, True)
    """
    try:
        return _alike(_unpacked(one), _unpacked(other))
    except Exception:
        return False


def _unpacked(value: object) -> object:
    if type(value) in _PLAIN:
        return list(value) if type(value) is tuple else value
    if _is_sparse(value) or isinstance(value, np.ndarray):
        value = plain(_dense(value) if _is_sparse(value) else value)
        return (
            value[0] if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list) else value
        )
    return list(value) if isinstance(value, (tuple, KeysView, ValuesView, ItemsView)) else plain(value)


def _alike(one: object, other: object) -> bool:
    if type(one) in _NUMBERS and type(other) in _NUMBERS:
        return _same(one, other) or math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)
    if isinstance(one, Number) and isinstance(other, Number):
        return same(one, other) or math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, Mapping) or isinstance(other, Mapping):
        pairs, rest = (one, other) if isinstance(one, Mapping) else (other, one)
        return isinstance(rest, list) and alike(dict(rest), pairs)
    if isinstance(one, Set) or isinstance(other, Set):
        return len(one) == len(other) and set(one) == set(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return same(one, other)


def in_words(value: object, exact: bool = False) -> str:
    """A value as it would be typed, cut where it grows long, the same on every run.

    Numbers have six digits unless `exact`.

    >>> in_words([("d1", 1 / 3)]), in_words(x for x in "ab")
    ("[('d1', 0.333333)]", 'an object of type generator')
    """
    try:
        text = _in_words(value, exact)
    except Exception:
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2] + " …"


def _in_words(value: object, exact: bool) -> str:
    if _is_sparse(value):
        return _matrix_in_words(checked(value))
    if isinstance(value, np.ndarray):
        return f"array({_in_words(plain(value), exact)})"
    value = plain(value)
    if isinstance(value, float) and not exact:
        return f"{value:.6g}" if value % 1 else str(value)
    if isinstance(value, dict):
        entries = [f"{_in_words(key, exact)}: {_in_words(entry, exact)}" for key, entry in value.items()]
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(_in_words(v, exact) for v in value)) + "}" if value else "set()"
    if isinstance(value, list):
        return "[" + ", ".join(_in_words(v, exact) for v in value[:_LONGEST]) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(_in_words(v, exact) for v in value) + ("," if len(value) == 1 else "") + ")"
    if value is None or isinstance(value, (str, int, float)) or repr(value) == "TODO":
        return repr(value)
    return value.__name__ if isfunction(value) else f"an object of type {type(value).__name__}"


def _matrix_in_words(matrix) -> str:
    if 0 in matrix.shape:
        return f"csr_array of shape {matrix.shape}"
    zeros = matrix.nnz - matrix.count_nonzero()
    rows = f"csr_array({_dense(matrix).tolist()})"
    return f"{rows} with {zeros} of its zeros stored" if zeros else rows
