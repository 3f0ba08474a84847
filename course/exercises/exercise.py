"""An exercise as a notebook uses it: check, hint, solution, use. How a function is judged is in `verdict`."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from course.exercises import afterwards, carried, elsewhere, reading, session
from course.exercises.beyond import BEYOND, Beyond
from course.exercises.cases import REFERENCES, Case, Mistake
from course.exercises.verdict import RIGHT, UNTOUCHED, WIDTH, WRONG, Verdict, judge


@dataclass(frozen=True)
class Exercise:
    """A function to be written: task, reference, about ten cases, three hints, and mistakes to recognise.

    `task` is Markdown and states the convention; the notebook shows it above the stub. `reference` is shown
    as the solution and put into the stub of the solved notebook, so it uses only what that notebook imports,
    and has no docstring: `task` is it. `difficulty` is 1 to 3, `minutes` what it takes most readers; a
    `second_way` is another right function, its docstring one sentence, and `further` a question to think
    about, both shown after a right answer. Where these four are left out, they are those of the table in
    `beyond`. The mistakes are added below the exercise, with `mistake`.
    """

    name: str
    task: str
    reference: Callable
    cases: tuple[Case, ...]
    hints: tuple[str, str, str]
    difficulty: int = 0
    minutes: int = 0
    second_way: Callable | None = None
    further: str = ""
    _mistakes: list[Mistake] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        REFERENCES.setdefault(self.reference.__name__, self.reference)
        for name, value in BEYOND.get(self.name, Beyond(1, 10))._asdict().items():
            if not getattr(self, name):
                object.__setattr__(self, name, value)

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The typical wrong answers, in the order in which a check tries them."""
        return tuple(self._mistakes)

    @property
    def effort(self) -> str:
        """How hard it is and how long it takes, in words."""
        return f"Difficulty {self.difficulty} of 3, about {self.minutes} minutes"

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

        After a right answer also what there is to compare it with. Never raises.
        """
        verdict, name = self.verdict(function), self.reference.__name__
        session.record(name, verdict.status == RIGHT)
        session.judged(function, verdict)
        print(verdict.text)
        if verdict.status == UNTOUCHED:
            help_is = f"Stuck? ex.{self.name}.hint(1) to hint(3), then solution()"
            print(textwrap.fill(f"{self.effort}. {help_is}", WIDTH))
        if verdict.status == RIGHT:
            print(self._afterwards(function), end="")
            carried.keep(name, function)
        if not elsewhere.possible():
            session.say_once(
                "(No second process can be started here. A call that never ends may freeze this notebook; "
                "then restart its kernel.)"
            )

    def _afterwards(self, function: Callable) -> str:
        name, solution = self.reference.__name__, f"ex.{self.name}.solution()"
        return (
            afterwards.beside(function, self.reference, solution)
            + afterwards.second_way(self.second_way, name)
            + afterwards.further(self.further)
        )

    def unreadable(self, problem: str) -> Callable:
        """What a kernel does in the place of a cell that is no Python: says so, and returns the reference."""
        name = self.reference.__name__
        session.record(name, False)
        session.record_use(name, True)
        print(f"{name}: {WRONG}. Python cannot read this cell, so nothing in it was run.\n{problem}")
        return self.reference

    def hint(self, number: int = 1) -> None:
        """Prints one of three hints; each says more than the one before."""
        if number not in (1, 2, 3):
            print(f"There are three hints: ex.{self.name}.hint(1), hint(2), hint(3)")
            return
        if number == 1:
            print(f"{self.effort}.")
        print(textwrap.fill(f"Hint {number} of 3: {self.hints[int(number) - 1]}", WIDTH))

    def solution(self) -> None:
        """Prints the reference."""
        print(self.source())

    def source(self) -> str:
        """The reference's code, as it stands in a solved notebook."""
        return reading.source_of(self.reference)

    def use(self, function: Callable) -> Callable:
        """The reader's function if it is right, else the reference: what comes below works either way."""
        verdict = session.last_verdict(function) or self.verdict(function)
        session.record_use(self.reference.__name__, verdict.status != RIGHT)
        return function if verdict.status == RIGHT else self.reference
