"""What lesson 04 asks of its reader. One module an exercise; the questions are in `questions`."""

from course.exercises.carried import mine
from course.exercises.lesson import CanDo, Lesson
from course.exercises.lesson_04.idf_from_matrix import IDF_FROM_MATRIX
from course.exercises.lesson_04.questions import QUESTIONS
from course.exercises.lesson_04.read_qrels import READ_QRELS
from course.exercises.lesson_04.to_csr import TO_CSR
from course.exercises.lesson_04.top_k import TOP_K

LESSON_04 = Lesson(
    name="LESSON_04",
    notebook="04_sparse_retrieval",
    exercises=(READ_QRELS, TO_CSR, IDF_FROM_MATRIX, TOP_K),
    questions=QUESTIONS,
    can_do_list=(
        CanDo(
            "read a file of judgments and keep what it says: ids as text, zeros as judgments",
            ("read_qrels", 5),
        ),
        CanDo(
            "write weights as a CSR matrix, empty documents included, and read its three lists", ("to_csr", 1)
        ),
        CanDo(
            "compute the IDF of every term, and say what the classic form spoils", ("idf_from_matrix", 2, 3)
        ),
        CanDo(
            "find the exact k best of a collection in batches, and recognise a list that was not sorted",
            ("top_k", 4),
        ),
        CanDo("read a results table: which BM25 is in it, and what high recall with low nDCG means", (6, 7)),
    ),
)
