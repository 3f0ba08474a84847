"""The questions of a self-assessment: one of several options, or a number.

Every wrong answer that is typical gets a reply of its own.
"""

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real

from course.exercises.cases import TODO
from course.exercises.values import in_words
from course.exercises.verdict import WIDTH

RIGHT, WRONG, UNANSWERED = "right", "no", "not answered yet"


@dataclass(frozen=True)
class Choice:
    """A question with options `{"a":

    (text, what whoever chooses it is told), …}`; `answer` is the right one.
    """

    text: str
    options: Mapping[str, tuple[str, str]]
    answer: str

    def verdict(self, given: object) -> tuple[str, str]:
        """RIGHT, WRONG or UNANSWERED, and a sentence."""
        if given is TODO:
            return UNANSWERED, ""
        letter = given.strip(" .()").lower() if isinstance(given, str) else given
        if not isinstance(letter, str) or letter not in self.options:
            *others, last = [f'"{option}"' for option in self.options]
            options = f"{', '.join(others)} or {last}"
            return WRONG, f"{in_words(given)} is not one of the options; answer {options}."
        return (RIGHT if letter == self.answer else WRONG), self.options[letter][1]

    def markdown(self) -> str:
        """The question as it stands in the notebook."""
        options = [f"- **{letter}** {text}" for letter, (text, _) in self.options.items()]
        return "\n".join([self.text, "", *options])

    def how_to_answer(self) -> str:
        """A comment for the cell of the answer."""
        return f"one of {', '.join(self.options)}, in quotes"


@dataclass(frozen=True)
class Numeric:
    """A question whose answer is a number, right within half a unit of the last of its `decimals`.

    `wrong` holds typical wrong numbers with what each gives away; any other number gets `otherwise`.
    """

    text: str
    answer: float
    decimals: int
    praise: str
    wrong: Mapping[float, str]
    otherwise: str

    def verdict(self, given: object) -> tuple[str, str]:
        """RIGHT, WRONG or UNANSWERED, and a sentence."""
        if given is TODO:
            return UNANSWERED, ""
        number = _finite(given)
        if number is None:
            return WRONG, f"{in_words(given)} is no number; write digits, without quotes."
        if self._is(number, self.answer):
            return RIGHT, self.praise
        known = [said for value, said in self.wrong.items() if self._is(number, value)]
        return WRONG, known[0] if known else self.otherwise

    def _is(self, number: float, value: float) -> bool:
        return abs(number - value) <= 0.5 * 10**-self.decimals + 1e-9

    def markdown(self) -> str:
        """The question as it stands in the notebook."""
        return f"{self.text} ({self.how_to_answer().capitalize()}.)"

    def how_to_answer(self) -> str:
        """A comment for the cell of the answer."""
        return (
            f"a number, to {self.decimals} decimal{'s' if self.decimals > 1 else ''}"
            if self.decimals
            else "a whole number"
        )


def _finite(given: object) -> float | None:
    """A number that was given as a number, and is not infinite or NaN; None for everything else."""
    if isinstance(given, bool) or not isinstance(given, Real):
        return None
    try:
        number = float(given)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


Question = Choice | Numeric


def said(number: int, status: str, feedback: str) -> str:
    """What the check of question `number` prints; its first words are what `progress` looks for.

    >>> said(2, UNANSWERED, "")
    'Question 2: not answered yet.'
    """
    return textwrap.fill(f"Question {number}: {status}. {feedback}".strip(), WIDTH)
