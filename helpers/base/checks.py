"""Arguments that would give a wrong number without an error, refused in words."""

import inspect
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from math import isfinite
from numbers import Integral, Number, Real
from os import PathLike
from pathlib import Path, PurePath
from unicodedata import normalize
from uuid import UUID

import numpy as np

from helpers.base.wording import counted

GRADES_BELOW = {"linear": 10**9, "exponential": 1000}
"""By gain: 2^1024 is no floating-point number."""

Relevant = Mapping[str, int] | Set | Sequence[str]


def check_ids(ids: Iterable[object], what: str) -> None:
    """Raises ValueError unless every id is text: the number 1 and the text "1" never match each other.

    The error names the cure: str() for a number, .decode() for bytes, the id alone for a pair, a record or
    another object.

    >>> check_ids(["7", 31715818], "qrels, query '1': doc_id")
    Traceback (most recent call last):
    ValueError: qrels, query '1': doc_id 31715818 is of type int; ids are text, use str()
    """
    values = list(ids)
    try:
        "".join(values)  # fails at the first that is not text, and is much faster than asking each
        return
    except TypeError:
        pass
    for value in values:
        if not isinstance(value, str):
            given = f"{what} {value!r:.80} is of type {type(value).__name__}"
            raise ValueError(f"{given}; ids are text, {_id_cure(value)}")


def _id_cure(value: object) -> str:
    """How what was given becomes an id; of a pair, a record, an object or a gap str() would make an id that
    never matches."""
    is_gap = value is None or type(value).__name__ in ("NAType", "NaTType")  # of pandas
    if is_gap or isinstance(value, float) and value != value:
        return "and this is a gap; leave it out"
    if isinstance(value, bytes):
        return "use .decode()"
    if isinstance(value, tuple | list):
        return "give the id alone, without what is beside it"
    if isinstance(value, Mapping):
        return "give the id alone, a text of it"
    if isinstance(value, Number | UUID | PurePath):
        return "use str()"
    return "give the id of it, such as its .id, or a field of its metadata"


def check_blanks(
    judged: Iterable[str],
    retrieved: Mapping[str, object],
    what: str,
    sides: tuple[str, str] = ("the qrels", "the run"),
) -> None:
    """Raises ValueError where an id of one side and one of the other would be the same without blanks around
    them and what has no width, or in one form of Unicode: nobody means two, and the one is never found.

    >>> check_blanks({"d1 ": 1}, {"d1": 2.0}, "query 'q1': document")
    Traceback (most recent call last):
    ValueError: query 'q1': document 'd1 ' in the qrels is 'd1' in the run; take the blanks away: .strip()
    """
    wanted = {_plain(doc_id): doc_id for doc_id in judged if doc_id not in retrieved}
    together = "".join(retrieved)
    plain = together.isascii() and together.split(None, 1) == [together]
    if plain and list(wanted) == list(wanted.values()):
        return  # nothing of the kind anywhere: seen without asking each id, which takes several times as long
    known = set(judged)
    for doc_id in retrieved:
        if _plain(doc_id) in wanted and doc_id not in known:
            here = wanted[_plain(doc_id)]
            if here.strip() == doc_id.strip():
                cure = "take the blanks away: .strip()"
                raise ValueError(f"{what} {here!r} in {sides[0]} is {doc_id!r} in {sides[1]}; {cure}")
            # Both look the same on a screen, hence their codes.
            same = f"{what} {ascii(here)} in {sides[0]} is {ascii(doc_id)} in {sides[1]}"
            if {*here, *doc_id} & set(_UNSEEN):
                cure = "one has what cannot be seen: open the file with encoding='utf-8-sig', or strip it off"
                raise ValueError(f"{same}; {cure}")
            raise ValueError(
                f"{same}, in another Unicode form; write both alike: unicodedata.normalize('NFC', ...)"
            )


_UNSEEN = "\ufeff\u200b\u200e\u200f"
"""The mark at the beginning of a file, and others of no width."""


def _plain(doc_id: str) -> str:
    """An id without the blanks around it and what has no width, its accents composed."""
    return doc_id.strip() if doc_id.isascii() else normalize("NFC", doc_id).strip(_UNSEEN).strip()


def check_path(path: object, needed: str) -> Path:
    """The path as a Path, with `~` as the home. Raises ValueError, with what was `needed`, for what names no
    file.

    >>> check_path(None, "a run file")
    Traceback (most recent call last):
    ValueError: the path is None; needed a run file
    """
    if not isinstance(path, (str, PathLike)) or not str(path).strip():
        if hasattr(path, "read"):
            name = getattr(path, "name", None)
            cure = f"give its path, {name!r}" if isinstance(name, str) else "save it, and give its path"
            raise ValueError(f"the path is an open file; {cure}")
        raise ValueError(f"the path is {path!r:.60}; needed {needed}")
    if "\0" in str(path):
        raise ValueError(f"the path is {str(path)!r:.60}, which holds a character that no name can (NUL)")
    if re.match(r"(?:https?|ftp|s3|gs):/", str(path), re.I):
        said = f"{str(path)!r:.60} is an address, and nothing is fetched from one here"
        raise ValueError(f"{said}; needed {needed}: save it, and give its path")
    if any(len(part.encode("utf-8", "surrogatepass")) > _LONGEST_NAME for part in Path(path).parts):
        cure = "is it the text itself? Save it in a file, and give that one's path"
        raise ValueError(f"the path is {str(path)!r:.60}, longer than a name can be; needed {needed}; {cure}")
    try:
        return Path(path).expanduser()
    except RuntimeError:  # no such user, so it is a name that begins so
        return Path(path)


_LONGEST_NAME = 255
"""Bytes, on all usual file systems."""


def check_type(name: str, value: object, needed: type, cure: str = "") -> None:
    """Raises ValueError unless a value is of the class that is needed.

    >>> check_type("budget", {"max_total_items": 5}, int, "give a number")
    Traceback (most recent call last):
    ValueError: budget is a dict; needed an int; give a number
    """
    if not isinstance(value, needed):
        article = "an" if needed.__name__[0] in "AEIOUaeiou" else "a"
        found = f"{name} is a {type(value).__name__}; needed {article} {needed.__name__}"
        raise ValueError(f"{found}; {cure}" if cure else found)


def check_search(name: str, search: Callable) -> None:
    """Raises ValueError for a `search` that cannot be called with queries and how many documents are wanted.

    >>> check_search("my engine", lambda queries: {})
    Traceback (most recent call last):
    ValueError: my engine: search takes (queries); needed search(queries, k): give it k, how many are wanted
    """
    try:
        signature = inspect.signature(search)
    except (TypeError, ValueError):  # of some functions written in C nobody knows
        return
    try:
        signature.bind({}, 1)
    except TypeError:
        cure = "needed search(queries, k): give it k, how many are wanted"
        raise ValueError(f"{name}: search takes {signature}; {cure}") from None


def check_mapping(name: str, value: object, form: str) -> None:
    """Raises ValueError, with the `form` that is needed, for what is no dict, a table of pandas too.

    >>> check_mapping("corpus", ["a cat"], "{doc_id: text}")
    Traceback (most recent call last):
    ValueError: corpus is a list; needed a dict {doc_id: text}
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is {_kind(value)}; needed a dict {form}")


def check_whole(name: str, value: object, least: int = 1, of: str = "") -> int:
    """The value as an int. Raises ValueError unless it is a whole number (True is none) from `least` up.
    up.

    >>> check_whole("draws", 20)
    20
    >>> check_whole("n_resamples", 3.5, 100, of="resamples")
    Traceback (most recent call last):
    ValueError: n_resamples is 3.5; needed a whole number of resamples, 100 or more
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        of = f" of {of}" if of else ""
        raise ValueError(f"{name} is {value!r:.60}; needed a whole number{of}, {least} or more")
    return int(value)  # NumPy's own cannot be written as JSON, nor limit a deque


def check_flag(name: str, value: object) -> None:
    """Raises ValueError unless a value is True or False: the text "no" would count as True.

    >>> check_flag("graded", "no")
    Traceback (most recent call last):
    ValueError: graded is 'no'; needed True or False
    """
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} is {value!r:.60}; needed True or False")


def check_rng(rng: object) -> np.random.Generator:
    """A generator of random numbers from itself, or from a whole number, the seed, 0 or more.

    >>> check_rng("x")
    Traceback (most recent call last):
    ValueError: rng is 'x'; needed a whole number from 0 up, or a numpy.random.Generator
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if not isinstance(rng, Integral) or isinstance(rng, bool) or rng < 0:
        raise ValueError(f"rng is {rng!r:.60}; needed a whole number from 0 up, or a numpy.random.Generator")
    return np.random.default_rng(rng)


def check_k(k: int) -> int:
    """The cut-off k as an int. Raises ValueError unless it is a whole number, 1 or more (and below 2^31).

    >>> check_k(0)
    Traceback (most recent call last):
    ValueError: k is 0; a cut-off is a rank, a whole number from 1 up
    """
    if not isinstance(k, Integral) or isinstance(k, bool) or not 1 <= k < 2**31:
        most = f" to {2**31 - 1:,}" if isinstance(k, Integral) and k >= 2**31 else " up"
        raise ValueError(f"k is {k!r:.60}; a cut-off is a rank, a whole number from 1{most}")
    return int(k)


def check_option(name: str, option: str, options: Iterable[str]) -> None:
    """Raises ValueError, with the options, for one that there is not.

    >>> check_option("gain", "exponetial", ["linear", "exponential"])
    Traceback (most recent call last):
    ValueError: gain is 'exponetial'; it can be 'linear' or 'exponential'
    """
    options = list(options)
    # What is unhashable is no option; an array or a table has no yes or no when it is compared with one.
    if not isinstance(option, Hashable) or option not in options:
        can = f"it can be {' or '.join(map(repr, options))}" if options else "there is none to choose from"
        raise ValueError(f"{name} is {option!r:.60}; {can}")


def refuse(problems: Sequence[str], where: object) -> None:
    """Raises ValueError with all problems, one a line, if there are any; of many with the first twenty.

    >>> refuse(["line 3: no grade", "line 7: no doc_id"], "queries.jsonl")
    Traceback (most recent call last):
    ValueError: 2 problems in queries.jsonl:
    line 3: no grade
    line 7: no doc_id
    """
    if problems:
        shown = [f"{counted(len(problems), 'problem')} in {where}:", *problems[:_MOST_PROBLEMS]]
        if len(problems) > _MOST_PROBLEMS:
            shown.append(f"and {len(problems) - _MOST_PROBLEMS:,} more")
        raise ValueError("\n".join(shown))


_MOST_PROBLEMS = 20
"""Thousands of lines have one cause, and hide how they begin."""


def as_ranking(retrieved: Sequence[str]) -> list[str]:
    """The doc_ids of one ranking. Raises ValueError for what has no order, and for a document that stands
    twice.

    >>> as_ranking(("d1", "d2"))
    ['d1', 'd2']
    """
    no_list = isinstance(retrieved, (str, Mapping, Set)) or not isinstance(retrieved, (Sequence, np.ndarray))
    if no_list or getattr(retrieved, "ndim", 1) != 1:
        needed = "give a list of doc_ids, best first, without their scores"
        raise ValueError(f"retrieved is {_kind(retrieved)}; {needed}")
    check_ids(retrieved, "retrieved:")
    doc_ids = list(retrieved)
    if doc_ids.count("") > 1:
        raise ValueError("retrieved has an empty id several times, a gap that was filled; leave it out")
    if len(set(doc_ids)) < len(doc_ids):
        doc_id = next(doc_id for i, doc_id in enumerate(doc_ids) if doc_id in doc_ids[:i])
        raise ValueError(
            f"document {doc_id!r} stands twice in one ranking; keep its best rank only "
            "(chunk hits must be folded to documents first)"
        )
    return doc_ids


def as_grades(relevant: Relevant, name: str = "relevant") -> dict[str, int]:
    """`{doc_id: grade}`, with grade 1 for documents that are only named as relevant; `name` is for errors.

    >>> as_grades({"d1"})
    {'d1': 1}
    """
    no_list = not isinstance(relevant, (Mapping, Set, list, tuple, np.ndarray))
    if no_list or getattr(relevant, "ndim", 1) != 1:
        needed = "give a set or list of doc_ids, or a dict of grades"
        raise ValueError(f"{name} is {_kind(relevant)}; {needed}")
    check_ids(relevant, f"{name}: doc_id")
    if not isinstance(relevant, Mapping):  # a set in one order, whatever process made it
        return dict.fromkeys(sorted(relevant) if isinstance(relevant, Set) else relevant, 1)
    if set(map(type, relevant.values())) == {int}:  # asking each grade takes twenty times as long
        return dict(relevant)
    for doc_id, grade in relevant.items():
        if not isinstance(grade, Integral):
            of = f"{name}, document {doc_id!r}: grade {grade!r}"
            raise ValueError(f"{of} is not a whole number{cure_of_grade(grade)}")
    return {doc_id: int(grade) for doc_id, grade in relevant.items()}


def cure_of_grade(grade: object) -> str:
    """What to add to an error of a grade that is no whole number: a file of text gives "2" for 2.

    >>> cure_of_grade("2"), cure_of_grade("relevant"), cure_of_grade(2.0)
    ("; it is text, use int('2')", '', '; use int(), where all grades are whole')
    """
    if isinstance(grade, str) and re.fullmatch(r"\s*[+-]?[0-9]+\s*", grade):
        return f"; it is text, use int({grade!r})"
    if isinstance(grade, float) and grade != grade:
        return "; leave out what nobody graded"
    if not isinstance(grade, Real) or not isfinite(grade):
        return ""
    whole = "; use int(), where all grades are whole"
    return whole if grade == int(grade) else "; multiply all grades by a number that makes them whole"


def _kind(value: object) -> str:
    dimensions = getattr(value, "ndim", 1)
    several = dimensions != 1 and not hasattr(value, "columns")  # a table always has two
    return f"a {type(value).__name__}" + (f" of {dimensions} dimensions" if several else "")
