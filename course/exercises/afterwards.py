"""What a reader sees after a right answer: the course's own function beside it, a second way, a question."""

import textwrap
from collections.abc import Callable

from course.exercises import reading
from course.exercises.verdict import WIDTH

LONGEST = 10
"""Lines of code that are shown; a longer one is a call of `solution` away."""


def beside(function: Callable, reference: Callable, solution: str) -> str:
    """The course's own function, unless it is the reader's word for word; where it is long, how to see it."""
    if reading.same_code(function, reference):
        return ""
    code = reading.source_of(reference)
    if len(code.splitlines()) > LONGEST:
        return f"The course's own, to compare: {solution}\n"
    return f"The course's own, beside yours:\n{_indented(code)}\n"


def second_way(other: Callable | None, name: str) -> str:
    """Another right function under the name of the first, and what its docstring says of it."""
    if other is None:
        return ""
    first, _, *body = reading.source_of(other).splitlines()
    code = "\n".join([first.replace(other.__name__, name, 1), *body])
    return f"{textwrap.fill(f'Another way: {other.__doc__}', WIDTH)}\n{_indented(code)}\n"


def further(question: str) -> str:
    """The question, "" where there is none."""
    return f"{textwrap.fill(f'One question further: {question}', WIDTH)}\n" if question else ""


def _indented(code: str) -> str:
    return textwrap.indent(code, "    ")
