"""The exercises, as a notebook imports them: `from course.exercises import TODO, progress, lesson_03 as ex`.

An exercise checks a function (`ex.NDCG.check(ndcg_at_k)`), a lesson checks answers (`ex.LESSON_03.answer(1, "b")`), `progress`
says what is done. Each lesson's exercises are in a folder of their own, the words of a check in `verdict`.
"""

from course.exercises.cases import TODO
from course.exercises.readers import progress

__all__ = ["TODO", "progress"]
