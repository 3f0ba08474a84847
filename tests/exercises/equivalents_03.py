"""Lesson 03: mutants of the references that no case can refuse, because they compute the same, each with the reason."""

NOT_RELEVANT_EITHER = "a document without a grade is not relevant with -1 either: only what is above 0 counts"

EQUIVALENT: dict[str, dict[str, str]] = {
    "PRECISION": {
        "found = {doc_id for doc_id in ranking[:k] if grades.get(doc_id, 0) > 0}  ->  "
        "found = {doc_id for doc_id in ranking[:k] if grades.get(doc_id, -1) > 0}": NOT_RELEVANT_EITHER,
    },
    "RECIPROCAL_RANK": {"if grades.get(doc_id, 0) > 0:  ->  if grades.get(doc_id, -1) > 0:": NOT_RELEVANT_EITHER},
    "AVERAGE_PRECISION": {"if grades.get(doc_id, 0) > 0:  ->  if grades.get(doc_id, -1) > 0:": NOT_RELEVANT_EITHER},
}
