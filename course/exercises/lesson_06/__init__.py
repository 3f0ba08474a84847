"""What lesson 06 asks of its reader. One module an exercise; the questions are in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_06.bootstrap_interval import BOOTSTRAP_INTERVAL
from course.exercises.lesson_06.holm import HOLM
from course.exercises.lesson_06.paired_differences import PAIRED_DIFFERENCES
from course.exercises.lesson_06.queries_needed import QUERIES_NEEDED
from course.exercises.lesson_06.questions import QUESTIONS
from course.exercises.lesson_06.sign_flip_p import SIGN_FLIP_P
from course.exercises.lesson_06.simulated_power import SIMULATED_POWER

LESSON_06 = Lesson(
    name="LESSON_06",
    notebook="06_comparing_systems",
    exercises=(PAIRED_DIFFERENCES, SIGN_FLIP_P, BOOTSTRAP_INTERVAL, HOLM, QUERIES_NEEDED, SIMULATED_POWER),
    questions=QUESTIONS,
    can_do_list=(
        CanDo(
            "pair two systems by query without losing one, and choose the test that fits",
            ("paired_differences", 1),
        ),
        CanDo(
            "write the exact randomisation test from memory, and say how small its p can get",
            ("sign_flip_p", 2),
        ),
        CanDo(
            "put an interval around a mean difference, and look for the query behind it",
            ("bootstrap_interval", 6),
        ),
        CanDo("correct p-values for the number of comparisons", ("holm", 4)),
        CanDo(
            "say which difference a test set can see, and what a large p does not say",
            ("queries_needed", "simulated_power", 3),
        ),
        CanDo("say when unjudged results leave a comparison open, whatever its p", (5,)),
    ),
)
