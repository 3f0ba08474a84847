"""The exercises, as a notebook imports them: `from course.exercises import TODO, progress, lesson_03 as ex`.

An exercise checks a function, `ex.NDCG.check(ndcg_at_k)`; a lesson checks answers,
`ex.LESSON_03.answer(1, "b")`; `progress` says what is done.
"""

from course.exercises.cases import TODO


def progress() -> None:
    """Prints what is done: what was checked in this notebook, and what the others beside it have stored."""
    # Here: it loads all lessons, and SciPy with the fourth; a lesson needs only its own.
    from course.exercises import readers

    readers.progress()
