"""What lesson 06, second half, asks of its reader: questions only, in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_06b.questions import QUESTIONS

LESSON_06B = Lesson(
    name="LESSON_06B",
    notebook="06_feedback_and_ab_tests",
    exercises=(),
    questions=QUESTIONS,
    can_do_list=(
        CanDo("read a click rate with the chance of having been looked at in mind", (1,)),
        CanDo("say what a monitor's number means when it is fed with clicks on what was shown", (2,)),
        CanDo("choose who is assigned to a variant, and check that the split came out as planned", (3, 4)),
        CanDo("say what looking every day does to a test, and what may be done about it", (5,)),
        CanDo("choose between interleaving and split traffic by the question they answer", (6,)),
        CanDo("find the circle when labels and results come from one model", (7,)),
    ),
)
