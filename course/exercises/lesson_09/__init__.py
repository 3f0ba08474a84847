"""What lesson 09 asks of its reader. One module an exercise; questions in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_09.nuggets_held import NUGGETS_HELD
from course.exercises.lesson_09.questions import QUESTIONS

LESSON_09 = Lesson(
    name="LESSON_09",
    notebook="09_from_retrieval_to_answers",
    exercises=(NUGGETS_HELD,),
    questions=QUESTIONS,
    can_do_list=(
        CanDo("say exactly which facts a context holds", ("nuggets_held", 1)),
        CanDo("tell what is in a context from what it lacks, whatever a tool calls it", (2,)),
        CanDo("say what a ranking's score cannot see of the context", (3,)),
        CanDo("find the step at which facts are lost before changing another", (4,)),
        CanDo("report what a search does when there is no answer", (5,)),
    ),
)
