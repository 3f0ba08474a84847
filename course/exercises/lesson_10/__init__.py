"""What lesson 10 asks of its reader. One module an exercise; questions in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_10.questions import QUESTIONS
from course.exercises.lesson_10.rescore_bits import RESCORE_BITS
from course.exercises.lesson_10.search_cells import SEARCH_CELLS

LESSON_10 = Lesson(
    name="LESSON_10",
    notebook="10_approximate_search",
    exercises=(SEARCH_CELLS, RESCORE_BITS),
    questions=QUESTIONS,
    can_do_list=(
        CanDo("search an inverted file by hand, and say what it cannot find", ("search_cells",)),
        CanDo("search by bits, rescore, and say what it saves", ("rescore_bits", 1)),
        CanDo("judge an index by nDCG beside recall, with an interval", (2,)),
        CanDo("refuse figures of made-up vectors, and of another number of documents", (3,)),
        CanDo("choose a search for a filter that keeps little", (4, 5)),
        CanDo("notice when recall and speed belong to two searches", (6,)),
    ),
)
