"""What lesson 01 asks of its reader. One module an exercise; the questions are in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_01.cohen_kappa import COHEN_KAPPA
from course.exercises.lesson_01.coverage import COVERAGE
from course.exercises.lesson_01.label_problems import LABEL_PROBLEMS
from course.exercises.lesson_01.questions import QUESTIONS
from course.exercises.lesson_01.read_corpus import READ_CORPUS

LESSON_01 = Lesson(
    name="LESSON_01",
    notebook="01_corpus_and_labels",
    exercises=(READ_CORPUS, LABEL_PROBLEMS, COHEN_KAPPA, COVERAGE),
    questions=QUESTIONS,
    can_do_list=(
        CanDo(
            "read a corpus without losing a title or a document, and recognise when its ids do not match",
            ("read_corpus", 6),
        ),
        CanDo(
            "list everything that is wrong with a set of labels, and say why labels carry quotes",
            ("label_problems", 7),
        ),
        CanDo("see from queries and labels whether a test can show that a better engine is better", (1,)),
        CanDo("say when two engines may not be compared, because too few of the results were judged", (2,)),
        CanDo(
            "write Cohen's kappa from memory, compute it by hand, and say what it does not show",
            ("cohen_kappa", 3, 4),
        ),
        CanDo(
            "measure how much of a corpus the queries reach, counting pages and not labels", ("coverage", 5)
        ),
    ),
)
