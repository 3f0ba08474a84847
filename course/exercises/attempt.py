"""Calls a reader's function so that it can do no harm; what it returns, raises, prints or changes is kept.

The limits: a single call into C that never returns (a catastrophic regular expression, 10**10**8) cannot be
cut off. An endless loop that catches every error is given up and runs on until the kernel is restarted, on
Python 3.10.
"""

import copy
import ctypes
import re
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from course.exercises.apart import apart, printable
from course.exercises.values import checked, same

SECONDS = 2.0
"""After which a call is cut off. The cases of an exercise take microseconds."""


@dataclass(frozen=True)
class Outcome:
    """What one call gave: a value, or the error that it raised, or neither when it was cut off."""

    value: object = None
    error: BaseException | None = None
    line: str = ""
    """The line of the reader's code at which the error was raised."""
    cut_off: bool = False
    changed: tuple[int, ...] = ()
    """The positions of the arguments that the call changed."""
    printed: str = ""

    def equals(self, other: "Outcome") -> bool:
        """Whether both gave the same value, or both an error of one kind, or neither ended.

        Prints and changes do not count.
        """
        if self.error is not None and other.error is not None:
            return error_kind(self.error) is error_kind(other.error)
        if self.error is not None or other.error is not None or self.cut_off or other.cut_off:
            return self.cut_off and other.cut_off
        return same(self.value, other.value)


def error_kind(error: BaseException) -> type:
    """The type of an error; ValueError for each of its sorts, such as the one that `json` raises."""
    return ValueError if isinstance(error, ValueError) else type(error)


_THREAD = "a call of a check"


class _CutOff(BaseException):
    """Raised inside a call that takes too long."""


def attempt(function: Callable, arguments: tuple) -> Outcome:
    """Calls `function` with copies of `arguments`; raises nothing but the reader's own interrupt.

    >>> attempt(lambda ranking: ranking.sort(), (["b", "a"],)).changed
    (0,)
    """
    given, result, ended = copy.deepcopy(arguments), {}, threading.Event()

    def call() -> None:
        try:
            result["value"] = _kept(checked(function(*given)))
        except BaseException as error:  # sys.exit() and the cut as well: a check never ends the notebook
            result["error"] = error
        finally:
            ended.set()

    # A thread, because it can be left alone if need be; a signal would need the main thread and Unix.
    thread = threading.Thread(target=call, daemon=True, name=_THREAD)
    with apart() as printed:
        thread.start()
        try:
            # Not join: interrupted, it takes the thread for ended (Python before 3.13).
            ended.wait(SECONDS)
        finally:
            cut_off = not ended.is_set()
            _stop(thread, ended)
    if cut_off:
        return Outcome(cut_off=True, printed=printed.text())
    changed = tuple(
        position
        for position, (before, after) in enumerate(zip(arguments, given, strict=True))
        if before is not after and not same(before, after)
    )
    error = result.get("error")
    return Outcome(result.get("value"), error, _line(error, function), False, changed, printed.text())


def inside_a_call() -> bool:
    """Whether whoever asks is itself being called by a check."""
    return threading.current_thread().name == _THREAD


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
