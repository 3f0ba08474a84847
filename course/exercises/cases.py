"""What an exercise is made of: TODO, which marks what a reader has not written yet, cases, and mistakes that have a name."""

from collections.abc import Callable
from dataclasses import dataclass


class _Todo:
    def __repr__(self) -> str:
        return "TODO"

    def __copy__(self) -> "_Todo":
        return self

    def __deepcopy__(self, memo: dict) -> "_Todo":
        return self


_Todo.__name__ = "TODO"  # as Python's own messages call it: "unsupported operand … 'int' and 'TODO'"
TODO = _Todo()
"""Stands where the reader's own code or answer goes. A stub returns it, so an untouched notebook runs to its end."""


@dataclass(frozen=True)
class Case:
    """One call of the reader's function: its arguments in order, and what this case asks, said when the answer is wrong."""

    arguments: tuple
    reason: str


@dataclass(frozen=True)
class Mistake:
    """A typical wrong answer: its name, a function that makes it, and what whoever makes it has misunderstood."""

    name: str
    function: Callable
    message: str
