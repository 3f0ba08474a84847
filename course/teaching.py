"""The two pages of `instructor/` that are made from the exercises: typical wrong answers, and the answers."""

from course.exercises.contents import LESSONS
from course.exercises.diagnosis import known_outcomes
from course.exercises.exercise import Exercise
from course.exercises.lesson import Lesson
from course.exercises.questions import Choice, Question
from course.exercises.verdict import call_in_words, got_in_words, needed_in_words

GENERATED = "Made from the exercises themselves by `python -m course instructor`; do not edit it by hand.\n"


def typical_wrong_answers() -> str:
    """Per exercise a table of the known mistakes: the first call that gives each away, and what the check
    says."""
    parts = [
        "# Typical wrong answers\n",
        GENERATED,
        "What a check recognises by its name. Each line: the mistake, the first call in which it shows, "
        "what is needed there and what comes, and what the participant is told. Read it before the session: "
        "most of the questions that you will be asked are here.\n",
    ]
    for lesson in LESSONS:
        if lesson.exercises:
            parts += [f"## {lesson.notebook}\n", *map(_mistakes_table, lesson.exercises)]
    return "\n".join(parts)


def _mistakes_table(exercise: Exercise) -> str:
    name = exercise.reference.__name__
    lines = [
        f"### `{name}`\n",
        f"{exercise.effort}.\n",
        "| mistake | call | needed | got | what it says |",
        "|---|---|---|---|---|",
    ]
    expected = known_outcomes(exercise.reference, exercise.cases)
    for mistake in exercise.mistakes:
        made = known_outcomes(mistake.function, exercise.cases)
        place = next(index for index, outcome in enumerate(made) if not outcome.equals(expected[index]))
        call = call_in_words(exercise.reference, exercise.cases[place])
        needed, got = needed_in_words(expected[place]), got_in_words(made[place])
        cells = [mistake.name, _code(call), _code(needed), _code(got), mistake.message]
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    return f"`{text}`"


def answers() -> str:
    """Per lesson the solutions of the exercises with their hints, then the questions with what each answer
    is told."""
    parts = ["# Solutions and answers\n", GENERATED]
    for lesson in LESSONS:
        parts += [f"## {lesson.notebook}\n", *map(_solution, lesson.exercises), *_questions(lesson)]
    return "\n".join(parts)


def _solution(exercise: Exercise) -> str:
    hints = "\n".join(f"{number}. {hint}" for number, hint in enumerate(exercise.hints, start=1))
    further = f"\nOne question further: {exercise.further}\n" if exercise.further else ""
    return (
        f"### `{exercise.reference.__name__}`\n\n{exercise.effort}.\n\n"
        f"```python\n{exercise.source()}\n```\n\nHints:\n\n{hints}\n{further}"
    )


def _questions(lesson: Lesson) -> list[str]:
    return [
        f"### Question {number}\n\n{_answered(question)}\n"
        for number, question in enumerate(lesson.questions, start=1)
    ]


def _answered(question: Question) -> str:
    if isinstance(question, Choice):
        lines = [
            f"- **{letter}** {text} *{'Right. ' if letter == question.answer else ''}{feedback}*"
            for letter, (text, feedback) in question.options.items()
        ]
    else:
        wrong = [
            f"- {value:.{question.decimals}f}: *{feedback}*" for value, feedback in question.wrong.items()
        ]
        lines = [
            f"- **{question.answer:.{question.decimals}f}** *Right. {question.praise}*",
            *wrong,
            f"- else: *{question.otherwise}*",
        ]
    return "\n".join([question.text, "", *lines])
