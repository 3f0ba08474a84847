"""What the first half of lesson 08 asks of its reader. One module an exercise; questions in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_08.masked_mean import MASKED_MEAN
from course.exercises.lesson_08.questions import QUESTIONS
from course.exercises.lesson_08.rank_by_cosine import RANK_BY_COSINE

LESSON_08 = Lesson(
    name="LESSON_08",
    notebook="08_dense_and_learned_sparse",
    exercises=(MASKED_MEAN, RANK_BY_COSINE),
    questions=QUESTIONS,
    can_do_list=(
        CanDo(
            "make one vector of many without the padding's, and notice when somebody has not",
            ("masked_mean", 1),
        ),
        CanDo(
            "rank documents by the cosine, and say what it costs to look at all of them",
            ("rank_by_cosine", 2, 6),
        ),
        CanDo("say what a model does not see of a document, and compare it as it would be used", (3,)),
        CanDo("put a dense model beside BM25, and read the interval from both ends", (4,)),
        CanDo("say who weighs the words of a learned sparse model, and what IDF does to it", (5,)),
        CanDo("say what a model has read before, and what a figure is then worth", (7,)),
    ),
)
