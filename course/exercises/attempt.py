"""Calls a reader's function so that it can do no harm; what it returns, raises, prints or changes is kept.

The calls are made in a thread of the notebook's own process, so that what the function needs is there. A
thread that is inside C code cannot be stopped: calls that do not come to an end are found before, in a
process of their own (`elsewhere`). Where no such process can be started, such a call is waited for.
"""

import copy
import ctypes
import re
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from course.exercises.apart import CALL, Printed, apart, printable
from course.exercises.values import checked, plain, same, unchanged

SECONDS = 2.0
"""After which a call is cut off; in a process of their own, all of them. Cases take microseconds."""


@dataclass(frozen=True)
class Outcome:
    """What one call gave: a value, or the error that it raised, or neither when it was cut off."""

    value: object = None
    error: BaseException | None = None
    line: str = ""
    """The line of the reader's code at which the error was raised."""
    cut_off: bool = False
    died: bool = False
    """Cut off because Python itself ended: a crash, no memory left, os._exit."""
    changed: tuple[int, ...] = ()
    """The positions of the arguments that the call changed."""
    printed: str = ""
    inside: list | None = None
    """What a generator that was returned would give, as far as it came without an error."""

    def equals(self, other: "Outcome") -> bool:
        """Whether both gave the same value, or both an error of one kind, or neither ended.

        Prints and changes do not count.
        """
        if self.error is not None and other.error is not None:
            return error_kind(self.error) is error_kind(other.error)
        if self.error is not None or other.error is not None or self.cut_off or other.cut_off:
            return self.cut_off and other.cut_off
        return same(self.plain, other.plain)

    @cached_property
    def plain(self) -> object:
        """The value as Python's own data, made once; the value itself where it cannot be made of it."""
        try:
            return plain(self.value)
        except Exception:  # too large, or a reader's object that cannot be looked at
            return self.value


def error_kind(error: BaseException) -> type:
    """The type of an error; ValueError for each of its sorts, such as the one that `json` raises."""
    return ValueError if isinstance(error, ValueError) else type(error)


class _CutOff(BaseException):
    """Raised inside a call that takes too long."""


@dataclass
class _Calls:
    """What the thread that makes the calls and the one that waits for it tell each other."""

    outcomes: list[Outcome] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)
    """When the call that is being made began."""
    ended: threading.Event = field(default_factory=threading.Event)
    stopped: bool = False


def attempt(function: Callable, arguments: tuple) -> Outcome:
    """Calls `function` with copies of `arguments`; raises nothing but the reader's own interrupt.

    >>> attempt(lambda ranking: ranking.sort(), (["b", "a"],)).changed
    (0,)
    """
    return attempts(function, [arguments])[0]


def attempts(function: Callable, calls: Sequence[tuple]) -> list[Outcome]:
    """The outcome of each call, up to the first that was cut off: waiting for the others helps nobody."""
    return _made([(function, arguments) for arguments in calls])


def attempts_of(functions: Sequence[Callable], arguments: tuple) -> list[Outcome]:
    """What each of several functions gives in one and the same call, up to the first that was cut off."""
    return _made([(function, arguments) for function in functions]) if functions else []


def _made(calls: Sequence[tuple[Callable, tuple]]) -> list[Outcome]:
    """The outcomes of calls of functions, up to the first that was cut off."""
    made = _Calls()
    # A thread, because it can be left alone if need be; a signal would need the main thread and Unix.
    with apart() as printed:
        thread = threading.Thread(target=_make, args=(calls, made, printed), daemon=True, name=CALL)
        thread.start()
        try:
            _wait(made)
        finally:
            made.stopped = not made.ended.is_set()
            _stop(thread, made.ended)
    if made.stopped and len(made.outcomes) < len(calls):
        made.outcomes.append(Outcome(cut_off=True, printed=printed.text()))
    return made.outcomes


def _make(calls: Sequence[tuple[Callable, tuple]], made: _Calls, printed: Printed) -> None:
    try:
        for function, arguments in calls:
            made.started = time.monotonic()
            outcome = _one_call(function, arguments, printed)
            if made.stopped:
                return
            made.outcomes.append(outcome)
    except _CutOff:
        pass
    finally:
        made.ended.set()


def _one_call(function: Callable, arguments: tuple, printed: Printed) -> Outcome:
    given, value, inside, error = copy.deepcopy(arguments), None, None, None
    try:
        value = _kept(checked(function(*given)))
        if isinstance(value, Iterator):
            inside = []
            inside.extend(islice(value, 10_000))
    except BaseException as raised:  # sys.exit() and the cut as well: a check never ends the notebook
        error = raised
    changed = tuple(
        position
        for position, (before, after) in enumerate(zip(arguments, given, strict=True))
        if before is not after and not unchanged(before, after)
    )
    return Outcome(
        value, error, _line(error, function), changed=changed, printed=printed.taken(), inside=inside
    )


def _wait(made: _Calls) -> None:
    """Returns when all calls are made, or one has taken too long."""
    # Not join: interrupted, it takes the thread for ended (Python before 3.13).
    while not made.ended.is_set():
        left = made.started + SECONDS - time.monotonic()
        if left <= 0:
            return
        made.ended.wait(left)


def _kept(value: object) -> object:
    """A copy, which later calls cannot change; the value itself where it cannot be copied."""
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def _stop(thread: threading.Thread, ended: threading.Event) -> None:
    """Raises inside the thread until it ends.

    One that does not (a loop inside C code) is left alone after a second.
    """
    for _ in range(10):
        if ended.is_set():
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_CutOff))
        ended.wait(0.1)


def _line(error: BaseException | None, function: Callable) -> str:
    """The last line of the reader's own code that an error came through."""
    if error is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)[1:]  # the first is our own call
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    own = [frame for frame in frames if frame.filename == file]
    return (own[-1].line or "") if own else ""


def error_in_words(outcome: Outcome) -> str:
    """An error as Python names it, without what differs from run to run."""
    try:
        message = " / ".join(printable(re.sub(r" at 0x[0-9a-fA-F]+", "", str(outcome.error))).splitlines())
    except Exception:  # an error of the reader's own that cannot even be printed
        message = ""
    return (f"{type(outcome.error).__name__}: {message}" if message else type(outcome.error).__name__)[:200]
