"""What the second half of lesson 08 asks of its reader. One module an exercise; questions in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_08b.min_max_fusion import MIN_MAX_FUSION
from course.exercises.lesson_08b.questions import QUESTIONS
from course.exercises.lesson_08b.reciprocal_rank_fusion import RECIPROCAL_RANK_FUSION
from course.exercises.lesson_08b.tune_then_confirm import TUNE_THEN_CONFIRM

LESSON_08B = Lesson(
    name="LESSON_08B",
    notebook="08_hybrid_and_reranking",
    exercises=(RECIPROCAL_RANK_FUSION, MIN_MAX_FUSION, TUNE_THEN_CONFIRM),
    questions=QUESTIONS,
    can_do_list=(
        CanDo("fuse rankings by their ranks alone, whatever their scores", ("reciprocal_rank_fusion", 1)),
        CanDo(
            "bring two kinds of score to one scale, and say what an absent document is worth",
            ("min_max_fusion", 2),
        ),
        CanDo("tune on some queries and confirm once on others", ("tune_then_confirm", 3)),
        CanDo("say how much a reranker could gain before it is run", (4,)),
        CanDo("tell proof that a loss is small from no proof of a loss", (5,)),
        CanDo("notice when yesterday's labels decide about a new kind of engine", (6,)),
    ),
)
