"""The exercises of the course, as a notebook imports them: `from helpers import exercises as ex`.

An exercise checks a function (`ex.NDCG.check(ndcg_at_k)`), a lesson checks answers (`ex.LESSON_03.answer(1, "b")`), `progress`
says what is done. Each lesson's exercises are in a folder of their own, the words of a check in `verdict`.
"""

from helpers.exercises.cases import TODO
from helpers.exercises.contents import EXERCISES, LESSONS
from helpers.exercises.readers import progress

globals().update(EXERCISES)
globals().update({lesson.name: lesson for lesson in LESSONS})

__all__ = ["EXERCISES", "LESSONS", "TODO", "progress", *EXERCISES, *(lesson.name for lesson in LESSONS)]
