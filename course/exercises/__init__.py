"""The exercises, as a notebook imports them: `from course.exercises import TODO, lesson_03 as ex`.

An exercise checks a function, `ex.NDCG.check(ndcg_at_k)`; a lesson checks answers,
`ex.LESSON_03.answer(1, "b")`; `ex.LESSON_03.can_do()` says what is done, and `ex.mine("ndcg_at_k")` gives a
function of an earlier lesson.
"""

from course.exercises import kernel
from course.exercises.cases import TODO

kernel.listen()
