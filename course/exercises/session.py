"""What this kernel knows of its reader: what was checked, whose functions work, and which cell is being run.

Exercises are remembered by their function's name, questions by lesson and number.
"""

from collections.abc import Callable
from pathlib import Path

_right: dict[str, bool] = {}
_lent: dict[str, bool] = {}
_last: tuple[Callable, object] | None = None
_said: set[str] = set()
_watching: dict[str, Callable[[], None]] = {}


class Cell:
    """The cell that is being run, and the file of its notebook, as far as that is known."""

    source: str = ""
    notebook: Path | None = None


def record(name: str, right: bool) -> None:
    """Remembers the latest check of an exercise or a question, and tells whoever watches."""
    _right[name] = right
    for told in _watching.values():
        told()


def watch(name: str, told: Callable[[], None]) -> None:
    """From now on calls `told` after each check; of the same `name` only the latest."""
    _watching[name] = told


def was_checked(name: str) -> bool:
    """Whether it was checked in this kernel, with whatever result."""
    return name in _right


def is_right(name: str) -> bool:
    """Whether its latest check in this kernel was right; False for one that was not checked."""
    return _right.get(name, False)


def record_use(name: str, lent: bool) -> None:
    """Remembers whether `use` gave the course's own function in the place of the reader's."""
    _lent[name] = lent


def is_lent(name: str) -> bool:
    """Whether the course's own function works in the place of the reader's."""
    return _lent.get(name, False)


def judged(function: Callable, verdict: object) -> None:
    """Remembers the latest verdict, so that `use`, one line below `check`, need not make all calls again."""
    global _last
    _last = function, verdict


def last_verdict(function: Callable) -> object | None:
    """The latest verdict, if it was on this very function; once."""
    global _last
    last, _last = _last, None
    return last[1] if last and last[0] is function else None


def say_once(sentence: str) -> None:
    """Prints a sentence unless it was printed before."""
    if sentence not in _said:
        _said.add(sentence)
        print(sentence)
