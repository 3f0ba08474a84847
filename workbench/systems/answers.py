"""What a search of somebody's own gives back, as one ranking of documents that the corpus holds."""

import ctypes
import inspect
import json
import math
import os
import re
import sys
import warnings
from collections.abc import (
    Callable,
    Container,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
    Set,
    Sized,
)
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from functools import cache
from itertools import islice
from numbers import Integral, Real
from pathlib import Path, PurePath
from threading import RLock
from traceback import extract_tb
from types import TracebackType
from unicodedata import normalize
from urllib.parse import unquote

from helpers.base import first_few, warn

Hits = list[tuple[str, float]]

DISTANCES = "Distances are best when small: give minus the distance, or ids alone"
NEEDED = "needed a list of (id, score) pairs, or of ids, best first"


class own_code:
    """Code of the user's own runs in this block: whatever it raises becomes a RuntimeError that names it.

    An exit of its own, or a task that was cancelled, is no verdict of ours; only Ctrl-C passes. The place is
    the first line of theirs that was run; a `cure` follows it. What it prints goes to stderr, as in `aside`.

    >>> with own_code("mine, query 'q1'"):  # doctest: +ELLIPSIS
    ...     {}["key"]
    Traceback (most recent call last):
    RuntimeError: mine, query 'q1': your search raised KeyError: 'key' (..., line 2)
    """

    def __init__(self, where: str, what: str = "your search", cure: str = ""):
        self.where, self.what, self.cure, self._aside = where, what, cure, aside()

    def __enter__(self) -> None:
        self._aside.__enter__()

    # A class: `contextmanager` lets a StopIteration pass that became another error.
    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._aside.__exit__(None, None, None)
        if error is None or isinstance(error, KeyboardInterrupt):
            return
        theirs = [one for one in extract_tb(trace) if _HERE not in Path(one.filename).parents]
        at = f" ({Path(theirs[0].filename).name}, line {theirs[0].lineno})" if theirs else ""
        cure = f"; {self.cure}" if self.cure else ""
        if isinstance(error, json.JSONDecodeError):
            cure = f"; what it read begins {error.doc[:60]!r}{cure}"
        raise RuntimeError(f"{self.where}: {self.what} raised {in_short(error, at)}{cure}") from error


@contextmanager
def aside() -> Iterator[None]:
    """What is printed in this block, by a child or a library in C too, goes to stderr, for stdout is our
    answer's; the folder and the filters of warnings are as before after it.

    All of this belongs to the process and not to a thread: where several are in such blocks at a time, the
    first of them puts it aside and the last puts it back.
    """
    with _turn:
        if not _within:
            _put_back.enter_context(_process_aside())
        _within.append(None)
    try:
        yield
    finally:
        with _turn:
            _within.pop()
            if not _within:
                _put_back.close()


_turn, _within, _put_back = RLock(), [], ExitStack()
"""Who may change the two others; an element for each block that runs; what the last of them puts back."""


@contextmanager
def _process_aside() -> Iterator[None]:
    try:
        before = os.getcwd()
    except OSError:  # it was deleted meanwhile
        before = None
    end = os._exit
    with redirect_stdout(_Stderr()), _descriptor_aside(), _their_filters():
        os._exit = _exit_of(os.getpid(), end)
        try:
            yield
        finally:
            os._exit = end
            if before is not None:
                os.chdir(before)


_THEIRS: list[tuple] = []
"""Filters of warnings that code of the user's own has set."""


@contextmanager
def _their_filters() -> Iterator[None]:
    """Filters of warnings that are set in such a block hold in this and in later ones, and nowhere else."""
    before = list(warnings.filters)
    if _THEIRS:
        _set_filters([*_THEIRS, *before])
    try:
        yield
    finally:
        _THEIRS[:] = [one for one in warnings.filters if one not in before]
        if warnings.filters != before:
            _set_filters(before)


def _set_filters(filters: list[tuple]) -> None:
    warnings.filters[:] = filters
    with warnings.catch_warnings():  # only so that Python forgets what it decided by the old ones
        pass


@contextmanager
def _descriptor_aside() -> Iterator[None]:
    """File descriptor 1 leads in this block where 2 leads."""
    kept = None
    with suppress(OSError):  # one of them is closed
        _flush()
        kept = os.dup(1)
        os.dup2(2, 1)
    try:
        yield
    finally:
        if kept is not None:
            _flush()
            os.dup2(kept, 1)
            os.close(kept)


def _flush() -> None:
    """Writes out what Python and C still hold for file descriptor 1, to where it leads now."""
    with suppress(AttributeError, OSError, ValueError):  # there is no stdout, or it is closed
        sys.__stdout__.flush()
    _flush_of_c()(None)


@cache
def _flush_of_c() -> Callable[[None], object]:
    try:
        return ctypes.CDLL(None).fflush
    except (AttributeError, OSError, TypeError):  # not so on Windows
        return lambda _: None


def _exit_of(process: int, end: Callable[[int], None]) -> Callable[[int], None]:
    """`os._exit` as it is for the children of this process, which itself would end without a word by it."""

    def leave(status: int) -> None:
        if os.getpid() != process:
            end(status)
        raise SystemExit(f"os._exit({status}), which ends the whole program; leave it out")

    return leave


class _Stderr:
    """stderr in the place of stdout; to close it closes nothing."""

    def __getattr__(self, name: str) -> object:
        return getattr(sys.stderr, name)

    def close(self) -> None:
        pass


def in_short(error: BaseException, at: str = "") -> str:
    """What code of the user's own raised, in a line, and where a file, or a database of SQLite, with a
    relative path was looked for."""
    try:
        text = " ".join(str(error).split())
        text = text if len(text) <= 1000 else f"{text[:800]} … {text[-200:]}"
        said = f"{type(error).__name__}: {text}{at}"
    except Exception:  # of an error of the user's own even its text may raise
        said = f"{type(error).__name__}{at}"
    name = getattr(error, "filename", None)
    named = isinstance(error, FileNotFoundError) and isinstance(name, str) and not os.path.isabs(name)
    if not named and not _of_another_database(error):
        return said
    return f"{said}; a relative path is looked for in {os.getcwd()}: run it in its folder, or write it whole"


def _of_another_database(error: BaseException) -> bool:
    """Whether SQLite found none, or an empty one, which it makes where there is no file of the name."""
    sqlite = type(error).__module__ == "sqlite3" and type(error).__name__ == "OperationalError"
    return sqlite and str(error).startswith(("no such table", "unable to open database file"))


_HERE = Path(__file__).resolve().parents[1]


def check_takes(function: Callable, arguments: Sequence[str], where: str) -> None:
    """Raises ValueError unless a function can be called with so many arguments, and gives back an answer; and
    where the argument k would go to a parameter that by its name, type or default takes no number of hits,
    or the first argument to another one than the parameter of its name.

    >>> check_takes(lambda text: [], ["query", "k"], "mine")
    Traceback (most recent call last):
    ValueError: mine takes (text); needed a function f(query, k)
    """
    needed = f"needed a function f({', '.join(arguments)})"
    if inspect.iscoroutinefunction(function):
        raise ValueError(
            f"{where} is async, so it gives no answer when it is called; {needed} that waits for it"
        )
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of some functions written in C nobody knows
        return
    try:
        signature.bind(*arguments)
    except TypeError:
        raise ValueError(f"{where} takes {signature}; {needed}") from None
    names = list(signature.parameters)[: len(arguments)]
    other_way = arguments[0] in names[1:] or (names[1:2] == ["question"] and names[0] != arguments[0])
    if other_way or (names != list(arguments) and sorted(names) == sorted(arguments)):
        called = f"it is called with {', '.join(arguments)} in this order"
        raise ValueError(f"{where} takes {signature}, and {called}; {needed}")
    if list(arguments[1:2]) == ["text"] and _IDS & {name.casefold() for name in names[1:]}:
        warn(f"{where} takes {signature}, and {names[1]!r} is given the text of the document, not its id")
    if list(arguments[1:2]) == ["k"] and (second := _no_number_of_hits(signature)):
        said = f"{where} takes {signature}, so {second!r} would be given the number of hits"
        raise ValueError(f"{said}; {needed}, e.g. one around yours that gives its first k")


_IDS = {"id", "doc_id", "docid", "document_id", "docno", "path", "url", "filename"}
"""Names of parameters that take no text of a document."""
_OTHER_NUMBERS = {"page", "offset", "start", "skip", "from", "seed", "timeout", "threshold", "min_score"}
"""Names of parameters that take a number, and never how many hits are wanted."""
_NO_NUMBERS = set(
    "filter filters where lang language locale index index_name collection namespace tenant user user_id "
    "session session_id client connection db model fields sort sort_by mode method options params config "
    "context history rerank hybrid explain debug verbose cache metadata tags category categories".split()
)
"""Names of parameters that take no number."""


def _no_number_of_hits(signature: inspect.Signature) -> str:
    """The name of the second positional parameter where it plainly takes something else; else ""."""
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    second = [one for one in signature.parameters.values() if one.kind in places][1:2]
    if not second:
        return ""
    name, default, hint = second[0].name, second[0].default, second[0].annotation
    whole = isinstance(default, Integral) and not isinstance(default, bool)
    no_default = default is inspect.Parameter.empty or default is None
    other = not (whole or no_default or (isinstance(default, float) and math.isinf(default)))
    hinted = getattr(hint, "__name__", hint) in ("bool", "str")
    return name if other or hinted or name.lower().rstrip("_") in _OTHER_NUMBERS | _NO_NUMBERS else ""


def taken(given: object, k: int) -> object:
    """An answer as it was given, and one that is made while it is read as a list or a dict: all of it where
    it has a length, and of one that comes bit by bit, and may have no end, the first k.

    >>> from itertools import count
    >>> taken((f"d{n}.md" for n in count()), 2)
    ['d0.md', 'd1.md']
    """
    if isinstance(given, Mapping):
        return dict(given)
    plain = str | bytes | list | tuple | Set
    if not isinstance(given, Iterable) or isinstance(given, plain) or _is_table(given) or _is_series(given):
        return given
    return list(given if isinstance(given, Sized) else islice(given, k))


def as_hits(given: object, where: str) -> Hits:
    """One answer as `[(id, score), ...]`, best first; ids without scores get minus their rank.

    Taken are pairs, ids, and `{id: score}` of different scores, which is sorted. Raises ValueError, with
    `where`, for anything else, as a set, which has no order, for a score that is no finite number, and for a
    list, or a dict of four and more, whose scores rise: then either it is not sorted or the scores are
    distances.

    >>> as_hits(["b.md", "a.md"], "mine")
    [('b.md', -1.0), ('a.md', -2.0)]
    >>> as_hits([("a.md", 0.1), ("b.md", 0.4)], "mine")
    Traceback (most recent call last):
    ValueError: mine, rank 2: 'b.md' has score 0.4 and the one above it only 0.1; give the best first. \
Distances are best when small: give minus the distance, or ids alone
    """
    if isinstance(given, Mapping):
        given = _by_score(given, where)
    if _is_series(given) and (values := list(given)) and isinstance(values[0], Real):
        raise ValueError(f"{where}: gave {_kind(given)}; {NEEDED}: list(found.items()) makes pairs")
    if isinstance(given, Set) and not isinstance(given, KeysView | ItemsView):
        raise ValueError(f"{where}: gave {_kind(given)}, which has no order; {NEEDED}")
    if given is None or isinstance(given, str | bytes) or not isinstance(given, Iterable) or _is_table(given):
        nothing = "; has the function a `return`? Where nothing is found, give []" if given is None else ""
        raise ValueError(f"{where}: gave {_kind(given)}; {NEEDED}{nothing}")
    hits: Hits = []
    had_score = False
    for rank, one in enumerate(given, start=1):
        place = f"{where}, rank {rank}"
        paired = isinstance(one, tuple | list) and len(one) == 2
        if rank > 1 and paired != had_score and isinstance(one, str | tuple | list):
            raise ValueError(f"{place}: some hits have a score and some have none; {NEEDED}")
        name, score = one if paired else (one, -float(rank))
        had_score = paired
        if not isinstance(name, str) or not name.strip() or not _is_text(name):
            number = isinstance(name, Integral) and not isinstance(name, bool)
            cure = f"; ids are text: give {str(name)!r}" if number or isinstance(name, PurePath) else ""
            cure += ", or the id of the document at that place" if number else ""
            raise ValueError(f"{place}: {_shown(name)} is no id; {NEEDED}{cure}")
        if hits and _score(score, place) > hits[-1][1]:
            rises = (
                f"{name!r} has score {score} and the one above it only {hits[-1][1]:g}; give the best first"
            )
            raise ValueError(f"{place}: {rises}. {DISTANCES}")
        hits.append((name, _score(score, place)))
    return hits


def as_documents(hits: Hits, documents: Container[str]) -> tuple[Hits, list[str]]:
    """The documents of a ranking, each once at its best rank, and the ids that are none.

    An id `doc_id#number` of a document of the corpus is a piece of it, as our own chunks are.

    >>> as_documents([("a.md#4", 3.0), ("b.md", 2.0), ("a.md#0", 1.0), ("c.md", 0.5)], {"a.md", "b.md"})
    ([('a.md', 3.0), ('b.md', 2.0), ('c.md', 0.5)], ['c.md'])
    """
    best: dict[str, float] = {}
    unknown = []
    for name, score in hits:
        doc_id = name
        if name not in documents:
            whole, _, number = name.rpartition("#")
            if whole in documents and number.isascii() and number.isdigit():
                doc_id = whole
            else:
                unknown.append(name)
        best.setdefault(doc_id, score)
    return list(best.items()), unknown


def unknown_ids(
    name: str, unknown: Sequence[str], n_ids: int, documents: Sequence[str], where: str, allowed: bool = False
) -> str:
    """What to say of ids that no document has: how many, examples of both sides, and what to do.

    With `allowed` such ids are allowed, and are all that there are.

    >>> print(unknown_ids("my.run", ["idx/a.md"], 9, ["a.md", "b.md"], "it").partition("; ")[0])
    my.run: 1 of 9 ids is no document of it, e.g. 'idx/a.md'
    """
    distinct = list(dict.fromkeys(unknown))
    examples = first_few((f"{one!r:.80}" for one in distinct), 3)
    are = "is no document" if len(distinct) == 1 else "are no documents"
    what = f"{len(distinct):,} of {n_ids:,} ids {are} of {where}, e.g. {examples}"
    has = f"{where} has e.g. {', '.join(map(repr, documents[:3]))}"
    alike = written_otherwise(distinct[0], documents)
    cure = f"{alike}give the ids of the corpus (_id in corpus.jsonl)"
    if allowed:
        return (
            f"{name}: {what}; {has}. {cure}: where no id is known, --allow-unknown leaves nothing to measure"
        )
    gone = "Of documents that are gone, ask your search anew, or leave their lines out of its results"
    stay = "To let documents stand that only your search has, workbench evaluate takes --allow-unknown"
    stay += " (in Python open_system(…, allow_unknown=True))"
    so = "they keep their ranks, and nobody judged them; pool and measure need each document in the corpus"
    return f"{name}: {what}; {has}. {cure}. {gone}. {stay}: {so}"


def written_otherwise(unknown: str, documents: Sequence[str]) -> str:
    """In which way an id differs from the one of the corpus that is most like it, or ends or begins like it.

    >>> written_otherwise("two words.md", ["two%20words.md"])
    "'two words.md' would be 'two%20words.md', written otherwise (%20 is a blank, and case, accents and \
blanks at the ends count): "
    """
    if unknown in documents:
        return ""
    for doc_id in documents:
        if unknown != doc_id and _decoded(unknown) == _decoded(doc_id):
            return f"{ascii(unknown)} would be {ascii(doc_id)}, written otherwise ({_way(unknown)}): "
    if re.fullmatch("[0-9]+", unknown):
        for doc_id in documents:
            if unknown != doc_id and unknown.lstrip("0") == doc_id.lstrip("0"):
                return f"{unknown!r} would be {doc_id!r}, with its zeros, which a spreadsheet takes away: "
    nearest = sorted(documents, key=lambda doc_id: abs(len(doc_id) - len(unknown)))
    for doc_id in nearest:
        for long, short, verb in ((unknown, doc_id, "without"), (doc_id, unknown, "with")):
            if short and long != short and long.endswith(short) and _seam(long, -len(short)):
                return f"{unknown!r} would be {doc_id!r} {verb} {long.removesuffix(short)!r}: "
            if short and long != short and long.startswith(short) and _seam(long, len(short)):
                return f"{unknown!r} would be {doc_id!r} {verb} {long.removeprefix(short)!r}: "
    whole, mark, number = unknown.rpartition("#")
    if mark and number.isdigit():
        return written_otherwise(whole, documents)
    bare = f"/{_without_ending(unknown)}"
    for doc_id in nearest:
        if bare.endswith(f"/{_without_ending(doc_id)}"):
            return f"{unknown!r} would be {doc_id!r}, the path in the folder of documents with its ending: "
    return ""


def _way(unknown: str) -> str:
    if "\\" in unknown:
        return "/ stands between folders, also on Windows"
    return "%20 is a blank, and case, accents and blanks at the ends count"


def _seam(text: str, at: int) -> bool:
    """Whether a word or a number ends at a place of a text, so that what is left is a part by itself."""
    before, after = text[:at][-1], text[at:][0]
    return not ((before.isdigit() and after.isdigit()) or (before.isalpha() and after.isalpha()))


def _without_ending(doc_id: str) -> str:
    """An id as a path in plain letters, without an ending such as .md or .html."""
    return re.sub(r"\.[a-z][a-z0-9]{0,4}$", "", _decoded(doc_id))


def _decoded(doc_id: str) -> str:
    return normalize("NFC", unquote(doc_id)).replace("\\", "/").strip().casefold()


def _by_score(given: Mapping, where: str) -> list[tuple[str, object]]:
    if other := next((key for key, value in given.items() if isinstance(value, bool | Mapping | list)), None):
        has = first_few(map(repr, given))
        raise ValueError(f"{where}: gave a dict with {has}, of which {other!r} is no score; {NEEDED}")
    scores = [_score(score, where) for score in given.values()]
    if len(scores) > 3 and all(a < b for a, b in zip(scores, scores[1:], strict=False)):
        rises = f"gave {_kind(given)} whose scores rise from {scores[0]:g} to {scores[-1]:g}"
        raise ValueError(f"{where}: {rises}; write the best first. {DISTANCES}")
    falls = all(a > b for a, b in zip(scores, scores[1:], strict=False))
    if len(scores) > 3 and not falls and sorted(scores) == list(range(1, len(scores) + 1)):
        ranks = f"gave {_kind(given)} whose scores are 1 to {len(scores)}, as ranks are"
        raise ValueError(f"{where}: {ranks}; give a list of ids, best first, or minus the rank as the score")
    pairs = sorted(given.items(), key=lambda pair: -_score(pair[1], where))
    if len({_score(score, where) for _, score in pairs}) < len(pairs):
        equal = f"gave {_kind(given)} with equal scores, which say no order"
        raise ValueError(f"{where}: {equal}; {NEEDED}")
    return pairs


def _score(score: object, where: str) -> float:
    try:
        number = float(score)
    except Exception:  # of an object of the user's own anything may come
        number = math.nan
    if isinstance(score, str) and math.isfinite(number):
        raise ValueError(f"{where}: score {score!r:.60} is text; write the number: {number:g} without quotes")
    if not math.isfinite(number) or isinstance(score, str | bool):
        raise ValueError(f"{where}: score {score!r:.60} is no finite number; {NEEDED}")
    return number


def _is_text(name: str) -> bool:
    """Whether UTF-8 can hold it: half of a surrogate pair it cannot."""
    return name.isascii() or not re.search("[\ud800-\udfff]", name)


def _is_series(given: object) -> bool:
    """Whether it is a column with an index, as of pandas: of scores by id, or of ids."""
    return hasattr(given, "index") and hasattr(given, "items") and not isinstance(given, Mapping)


def _is_table(given: object) -> bool:
    """Whether it is a frame, which gives the names of its columns where ids are looked for."""
    return hasattr(given, "columns")


def _kind(value: object) -> str:
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _shown(value: object) -> str:
    return "None" if value is None else f"{_kind(value)}, {value!r:.60},"
