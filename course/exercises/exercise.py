"""An exercise as a notebook uses it: check, hint, solution, use. How a function is judged is in `verdict`."""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from course.exercises import session
from course.exercises.cases import Case, Mistake
from course.exercises.verdict import RIGHT, UNTOUCHED, WIDTH, Verdict, judge


@dataclass(frozen=True)
class Exercise:
    """A function to be written: task, reference, about ten cases, three hints, and mistakes to recognise.

    `task` is Markdown and states the convention; the notebook shows it above the stub. `reference` is shown
    as the solution and put into the stub of the solved notebook, so it uses only what that notebook imports,
    and has no docstring: `task` is it. The mistakes are added below the exercise, with `mistake`.
    """

    name: str
    task: str
    reference: Callable
    cases: tuple[Case, ...]
    hints: tuple[str, str, str]
    _mistakes: list[Mistake] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The typical wrong answers, in the order in which a check tries them."""
        return tuple(self._mistakes)

    def mistake(self, name: str, message: str = "") -> Callable[[Callable], Callable]:
        """Decorates a typical wrong answer. Its docstring is what a check says to whoever gives it.

        `message` replaces the docstring where several mistakes are told the same. Raises ValueError where
        there is neither.
        """

        def add(function: Callable) -> Callable:
            said = " ".join((message or function.__doc__ or "").split())
            if not said:
                raise ValueError(f"{self.name}: the mistake {name!r} has no docstring, and no message")
            self._mistakes.append(Mistake(name, function, said))
            return function

        return add

    def verdict(self, function: object) -> Verdict:
        """What `check` prints, as data."""
        return judge(function, self.reference, self.cases, self.mistakes)

    def check(self, function: object) -> None:
        """Says whether a function is right, else what was misunderstood or the first case that differs.

        Never raises.
        """
        verdict = self.verdict(function)
        session.record(self.reference.__name__, verdict.status == RIGHT)
        print(verdict.text)
        if verdict.status == UNTOUCHED:
            ask = f"ex.{self.name}"
            print(f"Stuck? {ask}.hint(1), later hint(2) and hint(3), at last {ask}.solution()")

    def hint(self, number: int = 1) -> None:
        """Prints one of three hints; each says more than the one before."""
        if number not in (1, 2, 3):
            print(f"There are three hints: ex.{self.name}.hint(1), hint(2), hint(3)")
            return
        print(textwrap.fill(f"Hint {number} of 3: {self.hints[int(number) - 1]}", WIDTH))

    def solution(self) -> None:
        """Prints the reference."""
        print(self.source())

    def source(self) -> str:
        """The reference's code, as it stands in a solved notebook."""
        return textwrap.dedent(inspect.getsource(self.reference)).strip()

    def use(self, function: Callable) -> Callable:
        """The reader's function if it is right, else the reference: what comes below works either way."""
        return function if self.verdict(function).status == RIGHT else self.reference
