"""Makes a reader's calls in a process of their own first, to see whether they come to an end.

A loop inside C code (a sum over range(10**10), a catastrophic regular expression, 10**10**8) keeps the whole
notebook from running, also from stopping it; only a process can be ended. So a helper process is kept, which
gets the function and what it uses, makes the calls, and is ended by its own clock. What the calls give is
thrown away: where all end, they are made once more in the notebook, where everything is as the reader has it.

A fresh process and no fork, so it is the same on Linux, macOS and Windows, and safe in a kernel with threads.
Only plain Python functions are sent, with the modules, functions and plain data that they name; what cannot
be sent is missing there, and the call ends early. So a call whose endlessness hangs on such a thing is not
seen; nor is any where no second process can be started (a browser's Python, a locked-down server).
"""

import atexit
import copy
import faulthandler
import importlib
import io
import marshal
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from types import CellType, FunctionType, ModuleType
from typing import NamedTuple

from course.exercises import reading
from course.exercises.apart import CALL, apart

LARGEST = 1_000_000
"""Bytes of a value that are sent along; cases take a few hundred."""
_OURS = ("course", "helpers", "workbench")
_INSIDE = "MEASURE_FIRST_CHILD"


class Stuck(NamedTuple):
    """The number, from 0, of the first call that did not come to an end, and whether it ended Python."""

    number: int
    died: bool


def first_stuck(function: Callable, calls: Sequence[tuple], seconds: float) -> Stuck | None:
    """The call at which all have computed for `seconds`; None if they end, or it cannot be found out here."""
    if _INSIDE in os.environ:
        return None
    try:
        known = sorted(reading.modules_imported(function) & sys.modules.keys())
        sent = _sent((known, function, list(calls), seconds))
    except Exception:  # of objects that cannot be sent, in any of many ways
        return None
    if len(sent) > LARGEST:
        return None
    with _lock:
        return _asked(sent, len(calls))


def start() -> bool:
    """Starts the helper process if there is none; returns whether there is one, ready or soon ready."""
    global _helper, _possible
    if _helper is not None and _helper.is_ours():
        return True
    try:
        _helper = _Helper() if _possible else None
    except (OSError, TypeError, ValueError):  # no such call, or no interpreter that could be named
        _helper, _possible = None, False
    return _helper is not None


def possible() -> bool:
    """Whether a second process could be started here, as far as is known."""
    return _possible


class _Helper:
    """A process that runs `serve`, and ends with the one that started it."""

    def __init__(self) -> None:
        self.parent = os.getpid()
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from course.exercises.elsewhere import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), _INSIDE: "1"},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        atexit.register(self.end)

    def is_ours(self) -> bool:
        """Whether it runs, and was not started by the process from which this one was forked."""
        return self.parent == os.getpid() and self.process.poll() is None

    def end(self) -> int:
        """Ends it, and returns what it ended with."""
        if self.parent == os.getpid():
            atexit.unregister(self.end)
            self.process.kill()
            self.process.stdout.close()
            with suppress(OSError):
                self.process.stdin.close()
        return self.process.wait()


_helper: _Helper | None = None
_possible = True
_lock = threading.Lock()
_RECEIVED, _ENDED, _ALL, _NOT_READ = b"r", b".", b"!", b"?"
_OVERTIME = (1, -getattr(signal, "SIGPROF", 0), -getattr(signal, "SIGALRM", 0))
"""What a process ends with whose time is up."""
_PATIENCE = 3
"""How many times longer than `seconds` calls may last that wait, or have to share the processor."""


def _asked(sent: bytes, n_calls: int) -> Stuck | None:
    """Sends the calls and counts those that end; the process ends itself at the first that does not."""
    global _possible
    if not start():
        return None
    told = b""
    try:
        with suppress(OSError):
            _helper.process.stdin.write(len(sent).to_bytes(8, "big") + sent)
            _helper.process.stdin.flush()
            while told[-1:] not in (_ALL, _NOT_READ) and (byte := _helper.process.stdout.read(1)):
                told += byte
    except BaseException:  # the reader's own interrupt
        _helper.end()
        raise
    if told[-1:] in (_ALL, _NOT_READ):
        return None
    died = _helper.process.wait() not in _OVERTIME
    _helper.end()
    if not told:  # it does not even begin: there is no such process here
        _possible = False
        return None
    start()
    return Stuck(told.count(_ENDED), died) if told.count(_ENDED) < n_calls else None


def serve() -> None:
    """What the helper process does: reads a function with its calls, makes them, says which have ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the notebook
    threading.current_thread().name = CALL
    asks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)  # what the function's C code prints or reads is not ours
    while length := asks.read(8):
        _clock(60)  # for what is imported now
        try:
            known, function, calls, seconds = pickle.loads(asks.read(int.from_bytes(length, "big")))
            for module in known:  # what the notebook has loaded costs its function nothing
                importlib.import_module(module)
        except Exception:
            answers.write(_NOT_READ)
            continue
        finally:
            _clock(0)
        answers.write(_RECEIVED)
        _clock(seconds)
        for arguments in calls:
            _called(function, arguments)
            answers.write(_ENDED)
        _clock(0)
        answers.write(_ALL)


def _clock(seconds: float) -> None:
    """Has this process ended once it has computed for `seconds`, or waited for longer; 0 for no limit.

    By clocks that no loop in C can hold up: signals that nobody handles, on Windows `faulthandler`.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE * seconds)
    elif seconds:
        faulthandler.dump_traceback_later(_PATIENCE * seconds, exit=True, file=sys.stderr)
    else:
        faulthandler.cancel_dump_traceback_later()


def _called(function: Callable, arguments: tuple) -> None:
    try:
        with apart():
            value = function(*copy.deepcopy(arguments))
            if isinstance(value, Iterator):
                deque(islice(value, 10_000), maxlen=0)
    except BaseException:  # sys.exit() as well: here it is only asked whether calls end
        pass


# How a function is sent: its code, by `marshal`, and the values of the names that it looks up.


def _sent(what: object) -> bytes:
    written = io.BytesIO()
    _Pickler(written, protocol=pickle.HIGHEST_PROTOCOL).dump(what)
    return written.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: object) -> object:
        if isinstance(value, ModuleType):
            return importlib.import_module, (value.__name__,)
        if isinstance(value, FunctionType) and not _importable(value):
            cells = len(value.__closure__ or ())
            return _bare, (marshal.dumps(value.__code__), cells), _contents(value), None, None, _fill
        return NotImplemented


def _importable(value: FunctionType | type) -> bool:
    """Whether the process can import it: from an installed package or one of ours, never from a script."""
    package = (value.__module__ or "").partition(".")[0]
    file = getattr(sys.modules.get(value.__module__), "__file__", None) or ""
    known = package in _OURS or package in sys.stdlib_module_names or "-packages" in file
    return known and package != "__main__" and "<" not in value.__qualname__


def _contents(function: FunctionType) -> dict:
    names = reading.globals_read(function)
    values = {name: function.__globals__[name] for name in names if name in function.__globals__}
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return {
        "globals": {name: value for name, value in values.items() if _can_be_sent(value)},
        "cells": cells,
        "defaults": function.__defaults__,
        "kwdefaults": function.__kwdefaults__,
    }


def _can_be_sent(value: object) -> bool:
    if isinstance(value, (ModuleType, FunctionType)):
        return True
    if isinstance(value, type):
        return _importable(value)
    try:
        return len(pickle.dumps(value)) < LARGEST
    except Exception:
        return False


def _bare(code: bytes, n_cells: int) -> FunctionType:
    cells = tuple(CellType() for _ in range(n_cells))
    return FunctionType(marshal.loads(code), {"__builtins__": __builtins__}, closure=cells or None)


def _fill(function: FunctionType, contents: dict) -> None:
    function.__globals__.update(contents["globals"])
    for cell, value in zip(function.__closure__ or (), contents["cells"], strict=True):
        cell.cell_contents = value
    function.__defaults__, function.__kwdefaults__ = contents["defaults"], contents["kwdefaults"]
