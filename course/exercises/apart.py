"""Keeps a call apart from its notebook: prints are caught, nobody is asked anything, settings come back."""

import builtins
import io
import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

CALL = "a call of a check"
"""The name of the thread in which a reader's function is called."""
_one_at_a_time = threading.Lock()


class Printed(io.StringIO):
    """The beginning of what is printed: an endless loop prints gigabytes. Those who print cannot close it."""

    def write(self, text: str) -> int:
        if self.tell() < 10_000:
            super().write(text[:10_000])
        return len(text)

    def close(self) -> None:
        pass

    def text(self) -> str:
        """What was printed, with characters that no terminal can show written out."""
        return printable(self.getvalue())

    def taken(self) -> str:
        """The same, and what is printed from now on begins anew."""
        text = self.text() if self.tell() else ""
        if text:
            self.seek(0)
            self.truncate()
        return text


def inside_a_call() -> bool:
    """Whether whoever asks is itself being called by a check."""
    return threading.current_thread().name == CALL


def printable(text: str) -> str:
    """The text with lone surrogates written out, so that it can be printed anywhere."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@contextmanager
def apart() -> Iterator[Printed]:
    """Catches prints and lets `input` fail; afterwards warnings and log handlers are as they were."""
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked, handlers, printed = builtins.input, logging.root.handlers[:], Printed()
        builtins.input = _nobody_answers
        try:
            with redirect_stdout(printed), redirect_stderr(printed):
                yield printed
        finally:
            builtins.input, logging.root.handlers[:] = asked, handlers


def _nobody_answers(*prompt: object) -> str:
    raise EOFError("a check calls the function with arguments of its own; nobody is there to answer input()")
