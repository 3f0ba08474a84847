"""What an exercise is made of: TODO for what is not written yet, cases, and mistakes that have a name."""

from collections.abc import Callable
from dataclasses import dataclass


class _Todo:
    def __repr__(self) -> str:
        return "TODO"

    def __copy__(self) -> "_Todo":
        return self

    def __deepcopy__(self, memo: dict) -> "_Todo":
        return self


# As Python's own messages call it: "unsupported operand … 'int' and 'TODO'".
_Todo.__name__ = "TODO"
TODO = _Todo()
"""Stands where the reader's code or answer goes.

A stub returns it, so an untouched notebook runs to its end.
"""


class _NotDefined:
    def __repr__(self) -> str:
        return "a name that is not defined"


NOT_DEFINED = _NotDefined()
"""Stands for a function that a cell checks and nobody has defined."""


@dataclass(frozen=True)
class Case:
    """One call of the reader's function: the arguments in order, and what a wrong answer is told."""

    arguments: tuple
    reason: str


@dataclass(frozen=True)
class Mistake:
    """A typical wrong answer: its name, a function that makes it, and what was misunderstood."""

    name: str
    function: Callable
    message: str


REFERENCES: dict[str, Callable] = {}
"""The course's own functions by name, of the exercises that have been loaded; each puts its own here."""
