"""What lesson 04, second half, asks of its reader: questions only, in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_04b.questions import QUESTIONS

LESSON_04B = Lesson(
    name="LESSON_04B",
    notebook="04_which_bm25_pitfalls_speed",
    exercises=(),
    questions=QUESTIONS,
    can_do_list=(
        CanDo("say which BM25 is meant, and tell a formula's gain from a parameter's", (1,)),
        CanDo("look for the fault in a figure that is surprisingly good", (2,)),
        CanDo("recognise a fault by its symptom, and say where to look to tell it from another", (3,)),
        CanDo("say what a cache of encoded documents must know to be trusted", (4,)),
        CanDo("read a benchmark of retrievers, and say how a query's time grows with the collection", (5,)),
        CanDo("put a figure beside a published one under the published one's conventions", (6,)),
    ),
)
