"""What the second half of lesson 09 asks of its reader. One module an exercise; questions in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_09b.corrected_mean import CORRECTED_MEAN
from course.exercises.lesson_09b.labels_per_stratum import LABELS_PER_STRATUM
from course.exercises.lesson_09b.questions import QUESTIONS
from course.exercises.lesson_09b.what_is_wrong import WHAT_IS_WRONG

LESSON_09B = Lesson(
    name="LESSON_09B",
    notebook="09_judges_measured",
    exercises=(WHAT_IS_WRONG, CORRECTED_MEAN, LABELS_PER_STRATUM),
    questions=QUESTIONS,
    can_do_list=(
        CanDo("find what is wrong with a judge", ("what_is_wrong", 2)),
        CanDo("notice when a judge is the relative of what it judges", (3,)),
        CanDo("correct a judge's verdicts by a few labels", ("corrected_mean", 1)),
        CanDo("tell when a judge saves labels, and when it does not", (4,)),
        CanDo("spend the next labels where they narrow the interval most", ("labels_per_stratum", 5)),
        CanDo("say what queries written by a model cannot decide", (6,)),
    ),
)
