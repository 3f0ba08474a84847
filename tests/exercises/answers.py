"""What learners write, from `learners/lesson_NN.txt`: a heading over each answer, then its code."""

import itertools
import linecache
import re
from typing import NamedTuple

from course.exercises.contents import EXERCISES
from course.exercises.exercise import Exercise
from helpers.base import files

FOLDER = files.ROOT / "tests" / "exercises" / "learners"
NO_NAME = "no name"


class Answer(NamedTuple):
    """A learner's code, and what its check should say: "right", a mistake's name, "" where it knows none."""

    exercise: Exercise
    expected: str
    source: str


def answers_in(text: str) -> list[Answer]:
    """The answers, each below a heading `## EXERCISE: what the check shall say`.

    Raises ValueError for a heading without a known exercise, or without what the check shall say.
    """
    answers = []
    for block in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading, _, source = block.partition("\n")
        name, colon, expected = heading.partition(": ")
        if name not in EXERCISES or not colon:
            raise ValueError(f"'## {heading}' names no exercise, or nothing that its check shall say")
        expected = "" if expected == NO_NAME else expected
        answers.append(Answer(EXERCISES[name], expected, source.rstrip("\n") + "\n"))
    return answers


def answers_of(lesson: str) -> list[Answer]:
    """The answers to the exercises of one lesson, such as "03", in the order of the file."""
    return answers_in((FOLDER / f"lesson_{lesson}.txt").read_text(encoding="utf-8"))


_numbers = itertools.count(1)


def in_a_cell(source: str, names: dict) -> dict:
    """Runs a cell as a kernel does, which remembers its text, and returns the names."""
    file = f"<cell {next(_numbers)}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec"), names)
    return names
