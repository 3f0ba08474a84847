"""What lesson 02 asks of its reader. One module an exercise; the questions are in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_02.bm25_score import BM25_SCORE
from course.exercises.lesson_02.chunk_fixed import CHUNK_FIXED
from course.exercises.lesson_02.idf import IDF
from course.exercises.lesson_02.questions import QUESTIONS
from course.exercises.lesson_02.top_documents import TOP_DOCUMENTS

LESSON_02 = Lesson(
    name="LESSON_02",
    notebook="02_chunking_and_bm25",
    exercises=(CHUNK_FIXED, IDF, BM25_SCORE, TOP_DOCUMENTS),
    questions=QUESTIONS,
    can_do_list=(
        CanDo(
            "cut a list of tokens into chunks, with nothing lost and no copy at the end", ("chunk_fixed", 1)
        ),
        CanDo("write the idf of a word from memory, and say what its 1 + is for", ("idf", 2)),
        CanDo("compute a BM25 score, and say what k1 and b do to it", ("bm25_score", 3, 4)),
        CanDo(
            "fold hits on chunks into a ranking of documents, and cut it at the right moment",
            ("top_documents", 5),
        ),
        CanDo("see from a report that its chunks may not have been folded", (6,)),
        CanDo("choose a cut by the metric that fits its use", (7,)),
    ),
)
