"""What lesson 07 asks of its reader. One module an exercise; the questions are in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_07.gate import GATE
from course.exercises.lesson_07.match_expression import MATCH_EXPRESSION
from course.exercises.lesson_07.questions import QUESTIONS
from course.exercises.lesson_07.retrieval_metrics import RETRIEVAL_METRICS
from course.exercises.lesson_07.within_budget import WITHIN_BUDGET

LESSON_07 = Lesson(
    name="LESSON_07",
    notebook="07_evaluation_in_practice",
    exercises=(WITHIN_BUDGET, MATCH_EXPRESSION, RETRIEVAL_METRICS, GATE),
    questions=QUESTIONS,
    can_do_list=(
        CanDo("say item by item what a budget lets through, and why it cuts the rest", ("within_budget", 7)),
        CanDo("pass whatever people type to a full-text engine without an error", ("match_expression", 4)),
        CanDo(
            "write the three numbers of a report from memory, and say how high they could be",
            ("retrieval_metrics", 6),
        ),
        CanDo("write a regression gate with three answers, and say how often its red is wrong", ("gate", 5)),
        CanDo("name the five things that make two results comparable, and tell which one changed", (1,)),
        CanDo("tell a worse engine from a stale dataset, and drafted numbers from labelled ones", (2, 3)),
    ),
)
