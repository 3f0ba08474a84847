"""A lesson's exercises, questions and can-do list, and where a reader stands in them."""

import textwrap
from dataclasses import dataclass

from course.exercises import panel, questions, session
from course.exercises.exercise import Exercise
from course.exercises.questions import Question
from course.exercises.verdict import WIDTH


@dataclass(frozen=True)
class CanDo:
    """What a reader can do, and what proves it: names of functions to be written, numbers of questions."""

    statement: str
    proofs: tuple[str | int, ...]


@dataclass(frozen=True)
class Lesson:
    """What one notebook asks of its reader.

    `name` is the name in notebooks, `ex.LESSON_03`; `notebook` is the file's stem.
    """

    name: str
    notebook: str
    exercises: tuple[Exercise, ...]
    questions: tuple[Question, ...]
    can_do_list: tuple[CanDo, ...]

    def answer(self, number: int, given: object) -> None:
        """Checks the answer to question `number`, from 1 on, and prints what it gives away."""
        if number not in range(1, len(self.questions) + 1):
            print(f"{self.name} has the questions 1 to {len(self.questions)}; this is {number!r}.")
            return
        number = int(number)
        status, feedback = self.questions[number - 1].verdict(given)
        session.record(self.key(number), status == questions.RIGHT)
        print(questions.said(number, status, feedback))

    def unreadable(self, number: int, problem: str) -> None:
        """What a kernel does in the place of an answer that is no Python."""
        session.record(self.key(number), False)
        print(f"{questions.said(number, questions.WRONG, 'Python cannot read this cell.')}\n{problem}")

    def key(self, proof: str | int) -> str:
        """The name under which an exercise or a question is remembered."""
        return proof if isinstance(proof, str) else f"{self.name} question {proof}"

    def proofs(self) -> list[str | int]:
        """All that can be done here: the functions by name, then the questions by number."""
        functions = [exercise.reference.__name__ for exercise in self.exercises]
        return [*functions, *range(1, len(self.questions) + 1)]

    def can_do(self) -> None:
        """Prints what the reader can do, ticked where this notebook's checks have proved it, and `whose`."""
        for item in self.can_do_list:
            tick = "x" if all(session.is_right(self.key(proof)) for proof in item.proofs) else " "
            print(f"[{tick}] {item.statement} ({', '.join(map(proof_in_words, item.proofs))})")
        self.whose()

    def progress(self) -> None:
        """Shows what is right in this notebook so far. Where the table stands, it follows the checks."""
        panel.follow(self.name, self._panel)

    def _panel(self) -> panel.Panel:
        rows = []
        for proof in self.proofs():
            right, seen = session.is_right(self.key(proof)), session.was_checked(self.key(proof))
            said = panel.RIGHT if right else panel.OPEN if seen else panel.UNSEEN
            rows.append(panel.Row(proof_in_words(proof), int(right), 1, said))
        return panel.Panel(self.notebook, rows)

    def whose(self) -> None:
        """Prints which functions at work in this notebook are the reader's, and which the course's own."""
        names = [exercise.reference.__name__ for exercise in self.exercises]
        lent = [name for name in names if session.is_lent(name)]
        own = [name for name in names if session.is_right(name) and name not in lent]
        for whose, listed in (("Yours", own), ("Still the course's version", lent)):
            if listed:
                print(textwrap.fill(f"{whose}: {', '.join(listed)}.", WIDTH))


def proof_in_words(proof: str | int) -> str:
    """A function's name, or a question's number, as a reader is told it.

    >>> proof_in_words("ndcg_at_k"), proof_in_words(3)
    ('ndcg_at_k', 'question 3')
    """
    return f"question {proof}" if isinstance(proof, int) else proof
