"""Lesson 03: mutants of the references that no case can refuse, because they compute the same, each with the reason."""

NOT_RELEVANT_EITHER = "a document without a grade is not relevant with -1 either: only what is above 0 counts"

DEFAULT = "every case gives its k; the default is for the cells of the notebook that leave it out"

EQUIVALENT: dict[str, dict[str, str]] = {
    "PRECISION": {
        "found = {doc_id for doc_id in ranking[:k] if grades.get(doc_id, 0) > 0}  ->  "
        "found = {doc_id for doc_id in ranking[:k] if grades.get(doc_id, -1) > 0}": NOT_RELEVANT_EITHER,
    },
    "DCG": {
        "def dcg_at_k(ranking, grades, k=10):  ->  def dcg_at_k(ranking, grades, k=11):": DEFAULT,
        "def dcg_at_k(ranking, grades, k=10):  ->  def dcg_at_k(ranking, grades, k=9):": DEFAULT,
    },
    "NDCG": {
        "def ndcg_at_k(ranking, grades, k=10):  ->  def ndcg_at_k(ranking, grades, k=11):": DEFAULT,
        "def ndcg_at_k(ranking, grades, k=10):  ->  def ndcg_at_k(ranking, grades, k=9):": DEFAULT,
    },
    "RECIPROCAL_RANK": {
        "if grades.get(doc_id, 0) > 0:  ->  if grades.get(doc_id, -1) > 0:": NOT_RELEVANT_EITHER
    },
    "AVERAGE_PRECISION": {
        "if grades.get(doc_id, 0) > 0:  ->  if grades.get(doc_id, -1) > 0:": NOT_RELEVANT_EITHER
    },
}
