"""Exercise: recall at k."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def recall_at_k(ranking, grades, k):
    relevant = {doc_id for doc_id, grade in grades.items() if grade > 0}
    return len(relevant & set(ranking[:k])) / len(relevant) if relevant else 0.0


FIVE = {"d1": 1, "d2": 0, "d3": 2, "d5": 1, "d9": 2}

RECALL = Exercise(
    name="RECALL",
    task="""\
Write `recall_at_k(ranking, grades, k)`: the share of all relevant documents that are in the first k places.

```
>>> recall_at_k(["d1", "d2", "d3"], {"d1": 2, "d2": 0, "d9": 1}, k=5)  # d1 of d1 and d9
0.5
```

**Convention** (`trec_eval`): grade 1 or more is relevant, found or not; grade 0 or no grade is not. A query \
with nothing relevant gets 0. One rule is our own: a document that is listed twice counts once, but takes \
up both of its places.""",
    reference=recall_at_k,
    cases=(
        Case(
            (["a"], {"a": 1, "b": 1}, 1),
            "one of the two relevant documents is there; that k = 1 holds no more does not matter",
        ),
        Case(
            (["a", "x"], {"a": 1}, 2),
            "all that is relevant was found; a useless second place costs no recall",
        ),
        Case((["a"], {"a": 1, "b": 0}, 1), "b has grade 0: it is not relevant, and was not missed"),
        Case((["b"], {"a": 1, "b": 0}, 1), "b has grade 0: finding it is worth nothing"),
        Case((["x", "a"], {"a": 1}, 1), "a document below k was not found in time"),
        Case((["b"], {"a": 2, "b": 1}, 1), "one of two; recall counts documents, not grades"),
        Case((["a", "a"], {"a": 1, "b": 1}, 2), "a twice is one relevant document, and b is still missing"),
        Case((["x", "x", "a"], {"a": 1}, 2), "x takes both of its places, so a is at rank 3"),
        Case((["a", "b"], {"a": 0, "b": 0}, 2), "nothing relevant exists: 0, by convention"),
        Case(
            (["d1", "d2", "d3", "d4", "d5"], FIVE, 3),
            "the first three of the lesson's five: d1 and d3, of four relevant documents",
        ),
        Case(
            (["d1", "d2", "d3", "d4", "d5"], FIVE, 5),
            "the lesson's five: three of the four relevant documents",
        ),
        Case((["d1", "d2", "d3", "d4", "d5"], FIVE, 10), "a ranking shorter than k is read to its end"),
        Case(
            (["x", "a", "b", "c"], {"a": 1, "b": 1, "c": 1}, 1),
            "the relevant documents come after the first place, so none was found in time",
        ),
        Case((["x", "y", "a"], {"a": 1}, 1), "nobody judged x, and it takes the one place all the same"),
        Case((["x", "y"], {"a": 1}, 2), "nothing relevant was found"),
        Case(([], {"a": 1}, 5), "an empty ranking found nothing"),
    ),
    hints=(
        "Recall starts from the other side: take all relevant documents, and ask how many of "
        "them are in the first k.",
        "The relevant documents are those in `grades` with a grade above 0. Make a set of them, and one of "
        "ranking[:k].",
        "relevant & set(ranking[:k]) is what was found. Divide its length by len(relevant), but give 0.0 "
        "where `relevant` is empty.",
    ),
)


def _relevant(grades):
    return {doc_id for doc_id, grade in grades.items() if grade > 0}


def _share(doc_ids, of):
    return len(set(doc_ids) & of) / len(of) if of else 0.0


@RECALL.mistake("divides by k")
def by_k(ranking, grades, k):
    """You divide by k: that is precision. Recall asks how much of what exists was found, so it divides by the
    number of relevant documents, however many places were read."""
    return len(_relevant(grades) & set(ranking[:k])) / k


_BY_LENGTH = (
    "You divide by the number of results returned: that is a kind of precision. Recall asks how much "
    "of what there is was found, so it divides by the number of relevant documents, however many places "
    "were read."
)


@RECALL.mistake("divides by the list's length", _BY_LENGTH)
def by_length(ranking, grades, k):
    return len(_relevant(grades) & set(ranking[:k])) / len(ranking[:k]) if ranking else 0.0


@RECALL.mistake("divides by the whole list's length", _BY_LENGTH)
def by_whole_length(ranking, grades, k):
    return len(_relevant(grades) & set(ranking[:k])) / len(ranking) if ranking else 0.0


@RECALL.mistake("grade 0 as relevant")
def judged_is_relevant(ranking, grades, k):
    """You treat every judged document as relevant. Grade 0 says that somebody read it and found it useless;
    finding it is no success, and missing it no loss."""
    return _share(ranking[:k], set(grades))


@RECALL.mistake("grade 0 as a hit")
def judged_is_a_hit(ranking, grades, k):
    """You count each document that has a grade as found. Grade 0 is a grade too: somebody read it and found
    it useless. Only documents of grade 1 or more are worth finding."""
    return len(set(grades) & set(ranking[:k])) / len(_relevant(grades)) if _relevant(grades) else 0.0


@RECALL.mistake("divides by all judged")
def by_all_judged(ranking, grades, k):
    """You divide by the number of judged documents. Those of grade 0 should not be found, so a perfect engine
    could never reach 1, and each useless page that is judged would lower its recall."""
    return len(_relevant(grades) & set(ranking[:k])) / len(grades)


@RECALL.mistake("not cut")
def not_cut(ranking, grades, k):
    """You look for relevant documents in the whole ranking. That is the recall of the whole list. Recall@k
    counts only what was found within the first k places."""
    return _share(ranking, _relevant(grades))


@RECALL.mistake("1 where nothing is relevant")
def one_where_nothing_is_relevant(ranking, grades, k):
    """You give 1 to a query without any relevant document: all of nothing was found. trec_eval gives 0; a
    free 1 would raise the mean of every engine, even of one that returns nothing."""
    return recall_at_k(ranking, grades, k) if _relevant(grades) else 1.0


@RECALL.mistake("capped at k")
def capped(ranking, grades, k):
    """You divide by k where more than k documents are relevant. That is a variant, capped recall, whose best
    value is always 1. Recall itself divides by all relevant documents; so its ceiling may be below 1."""
    most = min(k, len(_relevant(grades)))
    return len(_relevant(grades) & set(ranking[:k])) / most if most else 0.0


@RECALL.mistake("relevant among the retrieved")
def of_the_retrieved(ranking, grades, k):
    """You divide by the relevant documents that the engine returned. What it missed is then forgiven, and
    that is the one thing recall is there to count. Take the relevant documents from `grades`."""
    return _share(ranking[:k], _relevant(grades) & set(ranking))


@RECALL.mistake("shares of grades")
def shares_of_grades(ranking, grades, k):
    """You add up grades instead of counting documents. For recall a document of grade 2 is one relevant
    document, like one of grade 1."""
    total = sum(grades.values())
    return sum(grades.get(doc_id, 0) for doc_id in set(ranking[:k])) / total if total else 0.0


@RECALL.mistake("zero division")
def by_zero(ranking, grades, k):
    """You divide by 0 where a query has no relevant document. Such queries exist, for instance when only full
    answers count, and one of them would end the evaluation of the whole run. By convention it gets 0."""
    return len(_relevant(grades) & set(ranking[:k])) / len(_relevant(grades))


@RECALL.mistake("zero division, in NumPy")
def mean_of_nothing(ranking, grades, k):
    """Where a query has no relevant document, you divide 0 by 0 or average over nothing. NumPy makes nan of
    that and goes on, and every mean with a nan in it is nan too. By convention such a query gets 0."""
    return recall_at_k(ranking, grades, k) if _relevant(grades) else float("nan")


@RECALL.mistake("over 1 with duplicates")
def each_time_it_stands_there(ranking, grades, k):
    """You count a document each time it is listed. One relevant document, listed twice, would have recall
    2: more was found than exists. Count different documents."""
    relevant = _relevant(grades)
    return sum(doc_id in relevant for doc_id in ranking[:k]) / len(relevant) if relevant else 0.0


@RECALL.mistake("repeats removed before the cut")
def repeats_removed_first(ranking, grades, k):
    """You remove repeats and then take the first k. So what was below them moves up, and documents count as
    found that nobody saw at rank k. Cut first; a repeat has taken a place."""
    return recall_at_k(list(dict.fromkeys(ranking)), grades, k)


@RECALL.mistake("zero division, and duplicates")
def as_in_the_lesson(ranking, grades, k):
    """You wrote it as in section 2, where two cases did not occur. A document that is listed twice is counted
    twice, so recall can pass 1; and a query without a relevant document divides by 0."""
    n_relevant = sum(grade > 0 for grade in grades.values())
    return sum(grades.get(doc_id, 0) > 0 for doc_id in ranking[:k]) / n_relevant


@RECALL.mistake("hit rate")
def hit_rate(ranking, grades, k):
    """You ask whether any relevant document is there: the hit rate, 1 or 0. Recall asks which share of all
    relevant documents is there; a reader who needs three of them is not helped by one."""
    return 1.0 if any(grades.get(doc_id, 0) > 0 for doc_id in ranking[:k]) else 0.0


@RECALL.mistake("relevant from grade 2 on")
def from_grade_2(ranking, grades, k):
    """You count documents as relevant only from grade 2 on. By the convention here grade 1 counts too. (Some
    collections require 2 or more; a comparison has to say which.)"""
    return recall_at_k(ranking, {doc_id: grade - 1 for doc_id, grade in grades.items()}, k)


@RECALL.mistake("only grade 1")
def only_grade_1(ranking, grades, k):
    """You count only documents of grade 1. Grade 2 is even more relevant: test for 1 or more, not for equal
    to 1."""
    return recall_at_k(ranking, {doc_id: int(grade == 1) for doc_id, grade in grades.items()}, k)


@RECALL.mistake("unjudged documents passed over")
def unjudged_passed_over(ranking, grades, k):
    """You pass over documents without a grade before you cut, and the rest moves up (condensed lists). The
    reader had to read past them: cut first."""
    return recall_at_k([doc_id for doc_id in ranking if doc_id in grades], grades, k)


@RECALL.mistake("one place too few")
def one_place_too_few(ranking, grades, k):
    """You read k − 1 places. The first k are ranking[:k], the ranks 1 to k."""
    return recall_at_k(ranking, grades, k - 1)


@RECALL.mistake("one place too many")
def one_place_too_many(ranking, grades, k):
    """You read k + 1 places. The first k are ranking[:k], the ranks 1 to k."""
    return recall_at_k(ranking, grades, k + 1)


@RECALL.mistake("grades added up")
def grades_added_up(ranking, grades, k):
    """You add up grades. Recall counts documents: a grade of 2 is one relevant document."""
    relevant = {doc_id for doc_id, grade in grades.items() if grade > 0}
    return sum(grades[d] for d in relevant.intersection(ranking[:k])) / len(relevant) if relevant else 0.0
