"""What lesson 05 asks of its reader. One module an exercise; the questions are in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_05.back_with_control import BACK_WITH_CONTROL
from course.exercises.lesson_05.median_first_rank import MEDIAN_FIRST_RANK
from course.exercises.lesson_05.questions import QUESTIONS
from course.exercises.lesson_05.term_scores import TERM_SCORES
from course.exercises.lesson_05.why_above import WHY_ABOVE

LESSON_05 = Lesson(
    name="LESSON_05",
    notebook="05_error_analysis",
    exercises=(TERM_SCORES, WHY_ABOVE, BACK_WITH_CONTROL, MEDIAN_FIRST_RANK),
    questions=QUESTIONS,
    can_do_list=(
        CanDo("take a BM25 score apart into what each word contributes", ("term_scores", 1)),
        CanDo(
            "say word by word why one document is above another, and what follows from it",
            ("why_above", 2),
        ),
        CanDo("test a change on missed pages, with useless ones as a control", ("back_with_control", 3)),
        CanDo("say what it shows when a missed page comes back, and what it does not", (4,)),
        CanDo("count failed queries as failures in a median", ("median_first_rank", 5)),
        CanDo("treat a doubtful label without favouring an engine", (6,)),
    ),
)
