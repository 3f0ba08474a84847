"""What the second half of lesson 10 asks of its reader. One module an exercise; questions in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_10b.global_idf import GLOBAL_IDF
from course.exercises.lesson_10b.merged_top import MERGED_TOP
from course.exercises.lesson_10b.questions import QUESTIONS

LESSON_10B = Lesson(
    name="LESSON_10B",
    notebook="10_shards_and_engines",
    exercises=(GLOBAL_IDF, MERGED_TOP),
    questions=QUESTIONS,
    can_do_list=(
        CanDo("weigh the terms of a collection that lies in shards", ("global_idf", 1)),
        CanDo("say what shards with statistics of their own do to rankings", (2,)),
        CanDo("merge the results of shards into those of one index", ("merged_top", 3)),
        CanDo("find out why two engines that say BM25 rank differently", (4,)),
        CanDo("say when more machines pay", (5,)),
    ),
)
