"""What lesson 03 asks of its reader. One module an exercise; the questions are in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_03.average_precision import AVERAGE_PRECISION
from course.exercises.lesson_03.dcg_at_k import DCG
from course.exercises.lesson_03.mean_over_queries import MEAN_OVER_QUERIES
from course.exercises.lesson_03.ndcg import NDCG
from course.exercises.lesson_03.ndcg_bounds import NDCG_BOUNDS
from course.exercises.lesson_03.precision_at_k import PRECISION
from course.exercises.lesson_03.questions import QUESTIONS
from course.exercises.lesson_03.recall_at_k import RECALL
from course.exercises.lesson_03.reciprocal_rank import RECIPROCAL_RANK
from course.exercises.lesson_03.wrong_ndcgs import WRONG_NDCGS

LESSON_03 = Lesson(
    name="LESSON_03",
    notebook="03_metrics",
    exercises=(
        PRECISION,
        RECALL,
        RECIPROCAL_RANK,
        AVERAGE_PRECISION,
        DCG,
        NDCG,
        MEAN_OVER_QUERIES,
        NDCG_BOUNDS,
        WRONG_NDCGS,
    ),
    questions=QUESTIONS,
    can_do_list=(
        CanDo(
            "write precision, recall and average precision from memory",
            ("precision_at_k", "recall_at_k", "average_precision", 1),
        ),
        CanDo(
            "write reciprocal rank, DCG and nDCG from memory", ("reciprocal_rank", "dcg_at_k", "ndcg_at_k", 2)
        ),
        CanDo(
            "average over all judged queries, and say what leaving some out would do",
            ("mean_over_queries", 5),
        ),
        CanDo("choose the metric that asks the reader's question, and compute its ceiling", (3, 7)),
        CanDo("find the convention by which two tools differ", (4,)),
        CanDo("say what unread results, once judged, do to a score and to a comparison", ("ndcg_bounds", 6)),
        CanDo("choose tests that a wrong metric fails", ("wrong_ndcgs",)),
    ),
)
