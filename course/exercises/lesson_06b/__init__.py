"""What lesson 06, second half, asks of its reader. Exercises, and questions in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_06b.corrected_rates import CORRECTED_RATES
from course.exercises.lesson_06b.false_alarms import FALSE_ALARMS
from course.exercises.lesson_06b.questions import QUESTIONS
from course.exercises.lesson_06b.ratio_and_error import RATIO_AND_ERROR

LESSON_06B = Lesson(
    name="LESSON_06B",
    notebook="06_feedback_and_ab_tests",
    exercises=(CORRECTED_RATES, RATIO_AND_ERROR, FALSE_ALARMS),
    questions=QUESTIONS,
    can_do_list=(
        CanDo(
            "read a click rate, allowing for the chance that the result was never looked at",
            ("corrected_rates", 1),
        ),
        CanDo("say what a monitor's number means when it is fed with clicks on what was shown", (2,)),
        CanDo("choose who is assigned to a variant, and check that the split came out as planned", (3, 4)),
        CanDo("give the error of clicks per query when people were assigned", ("ratio_and_error",)),
        CanDo(
            "say what looking every day does to a test, and what can be done about it", ("false_alarms", 5)
        ),
        CanDo("choose between interleaving and split traffic by the question they answer", (6,)),
        CanDo("recognise a circular test, in which labels and results come from one model", (7,)),
    ),
)
