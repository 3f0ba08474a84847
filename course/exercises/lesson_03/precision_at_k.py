"""Exercise: precision at k."""

from itertools import takewhile

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def precision_at_k(ranking, grades, k):
    found = {doc_id for doc_id in ranking[:k] if grades.get(doc_id, 0) > 0}
    return len(found) / k


FIVE = {"d1": 1, "d2": 0, "d3": 2, "d5": 1, "d9": 2}

PRECISION = Exercise(
    name="PRECISION",
    task="""\
Write `precision_at_k(ranking, grades, k)`: the share of the first k places that hold a relevant document. \
`ranking` is a list of document ids, best first; `grades` is `{doc_id: grade}` for one query.

```
>>> precision_at_k(["d1", "d2", "d3"], {"d1": 2, "d2": 0}, k=5)  # one of five places; two are empty
0.2
```

**Convention** (`trec_eval`): grade 1 or more is relevant; grade 0 or no grade is not. Divide by k, however \
short the ranking is. One rule is our own: a document that is listed twice counts once, but takes up \
both of its places.""",
    reference=precision_at_k,
    cases=(
        Case(
            (["a", "x"], {"a": 1}, 2),
            "two places, one of them worth reading; x has no grade and counts as not relevant",
        ),
        Case((["a", "b"], {"a": 1, "b": 0}, 2), "b was read and found useless: grade 0 is not relevant"),
        Case(
            (["a", "x"], {"a": 2}, 2), "a document of grade 2 is one relevant document, like one of grade 1"
        ),
        Case(
            (["a", "b"], {"a": 2, "b": 2}, 2), "both places hold a relevant document, and that is all of them"
        ),
        Case((["x", "a"], {"a": 1}, 1), "a document below k is not looked at"),
        Case((["a", "x", "y"], {"a": 1}, 1), "the first place is relevant, and k = 1 asks for no other"),
        Case((["a"], {"a": 1}, 2), "a place that the engine left empty counts as well: one of two"),
        Case((["a", "a"], {"a": 1, "b": 1}, 2), "reading a twice gives one relevant document, not two"),
        Case((["x", "x", "a"], {"a": 1}, 2), "x takes both of its places, so a is at rank 3"),
        Case(
            (["d1", "d2", "d3", "d4", "d5"], FIVE, 3),
            "the first three of the lesson's five: d1 and d3 are relevant",
        ),
        Case(
            (["d1", "d2", "d3", "d4", "d5"], FIVE, 10),
            "five empty places are five places without a relevant document",
        ),
        Case(
            (["x", "a", "b", "c"], {"a": 1, "b": 1, "c": 1}, 1),
            "the relevant documents come after the first place, and nobody reads that far",
        ),
        Case((["x", "y", "a"], {"a": 1}, 1), "nobody judged x, and it takes the one place all the same"),
        Case((["x", "y"], {"a": 1}, 2), "nothing relevant among them"),
        Case(([], {"a": 1}, 5), "an engine that returns nothing leaves all five places empty"),
    ),
    hints=(
        "Two numbers: how many of the first k places hold a relevant document, and how many places there "
        "are. The second one does not depend on the engine.",
        "ranking[:k] is the part to look at; it may be shorter than k. grades.get(doc_id, 0) gives 0 for a "
        "document without a grade.",
        "Collect the doc_ids of ranking[:k] whose grade is above 0 in a set, so that each is in it once; "
        "its length divided by k.",
    ),
)


def _found(doc_ids, grades):
    return len({doc_id for doc_id in doc_ids if grades.get(doc_id, 0) > 0})


@PRECISION.mistake("divides by the list's length")
def by_the_places_there_are(ranking, grades, k):
    """You divide by the number of results returned. That rewards an engine for returning little: one relevant
    result and nothing else would be perfect at every k. Precision@k asks about k places, empty or not."""
    return _found(ranking[:k], grades) / len(ranking[:k]) if ranking else 0.0


@PRECISION.mistake("divides by the list's length, which may be 0")
def by_the_places_there_are_even_none(ranking, grades, k):
    """You divide by the number of results returned. An engine that returns little is rewarded for it, and one
    that returns nothing breaks the program. Precision@k asks about k places, empty or not."""
    return _found(ranking[:k], grades) / len(ranking[:k])


@PRECISION.mistake("divides by the whole list's length")
def by_the_whole_list(ranking, grades, k):
    """You count within the first k, but divide by the length of the whole ranking. Results below k, which
    nobody reads, then lower the value. The share is one of k places."""
    return _found(ranking[:k], grades) / len(ranking) if ranking else 0.0


@PRECISION.mistake("not cut")
def not_cut(ranking, grades, k):
    """You count relevant documents in the whole ranking. A reader of k places never sees those below,
    and with enough of them your precision passes 1."""
    return _found(ranking, grades) / k


@PRECISION.mistake("k is not used")
def without_k(ranking, grades, k):
    """That is the precision of the whole list; k plays no part in it. Engines return lists of very different
    length. Precision@k looks at the first k places of each."""
    return _found(ranking, grades) / len(ranking) if ranking else 0.0


@PRECISION.mistake("duplicate counted twice")
def each_time_it_stands_there(ranking, grades, k):
    """You count a document each time it is listed. An engine could repeat its best result ten times and
    have P@10 = 1. It happens by accident, when chunks are not folded to documents."""
    return sum(grades.get(doc_id, 0) > 0 for doc_id in ranking[:k]) / k


@PRECISION.mistake("repeats removed before the cut")
def repeats_removed_first(ranking, grades, k):
    """You remove repeats and then take the first k. So what was below them moves up, and the engine is paid
    for documents that nobody saw at rank k. Cut first; a repeat has taken a place."""
    return precision_at_k(list(dict.fromkeys(ranking)), grades, k)


@PRECISION.mistake("grade 0 as relevant")
def judged_is_relevant(ranking, grades, k):
    """You ask whether a document has a grade. Grade 0 is a grade too: somebody read it and found it useless.
    Relevant means a grade of 1 or more."""
    return len(set(ranking[:k]) & set(grades)) / k


@PRECISION.mistake("adds up grades")
def adds_up_grades(ranking, grades, k):
    """You add up grades, and a precision of 2 is possible. Precision counts documents, and treats grades 2
    and 1 alike; DCG is the metric that adds grades."""
    return sum(grades.get(doc_id, 0) for doc_id in set(ranking[:k])) / k


@PRECISION.mistake("only grade 1")
def only_grade_1(ranking, grades, k):
    """You count only documents of grade 1. Grade 2, the full answer, is even more relevant: test for 1 or
    more, not for equal to 1."""
    return len({doc_id for doc_id in ranking[:k] if grades.get(doc_id, 0) == 1}) / k


@PRECISION.mistake("recall")
def of_the_relevant(ranking, grades, k):
    """That is recall: how much of what exists was found. Precision asks the reader's question, how much of
    what I read was worth it, and so divides by the places."""
    return _found(ranking[:k], grades) / sum(grade > 0 for grade in grades.values())


@PRECISION.mistake("unjudged document raises")
def needs_every_grade(ranking, grades, k):
    """You look up each document in `grades`, but an engine also returns documents that nobody judged. They
    have no entry, and count as not relevant."""
    return len({doc_id for doc_id in ranking[:k] if grades[doc_id] > 0}) / k


@PRECISION.mistake("relevant from grade 2 on")
def from_grade_2(ranking, grades, k):
    """You count documents as relevant only from grade 2 on. By the convention here grade 1 counts too. (Some
    collections require 2 or more; a comparison has to say which.)"""
    return precision_at_k(ranking, {doc_id: grade - 1 for doc_id, grade in grades.items()}, k)


@PRECISION.mistake("unjudged documents passed over")
def unjudged_passed_over(ranking, grades, k):
    """You pass over documents without a grade, and the rest moves up (condensed lists). The reader had to
    read past them: an unjudged document takes one of the k places."""
    return precision_at_k([doc_id for doc_id in ranking if doc_id in grades], grades, k)


@PRECISION.mistake("capped at the relevant")
def capped(ranking, grades, k):
    """You divide by the number of relevant documents where that is smaller than k. Then a perfect engine
    reaches 1, and the value is no longer the share of what was read. Divide by k."""
    n_relevant = sum(grade > 0 for grade in grades.values())
    return precision_at_k(ranking, grades, k) * k / min(k, n_relevant) if n_relevant else 0.0


@PRECISION.mistake("one place too many")
def one_place_too_many(ranking, grades, k):
    """You read k + 1 places. The first k are ranking[:k], the ranks 1 to k."""
    return _found(ranking[: k + 1], grades) / k


@PRECISION.mistake("one place too few")
def one_place_too_few(ranking, grades, k):
    """You read k − 1 places. The first k are ranking[:k], the ranks 1 to k."""
    return _found(ranking[: k - 1], grades) / k


@PRECISION.mistake("hit rate")
def hit_rate(ranking, grades, k):
    """You ask whether there is a relevant document among the first k. Precision asks how many there are, and
    divides by k."""
    return float(_found(ranking[:k], grades) > 0)


@PRECISION.mistake("the last k")
def the_last_k(ranking, grades, k):
    """You look at the last k. The ranking begins with the best: ranking[:k]."""
    return precision_at_k(ranking[-k:], grades, k)


@PRECISION.mistake("stops at the first that is not relevant")
def until_not_relevant(ranking, grades, k):
    """You count only down to the first document that is not relevant. Precision looks at all k places: a
    relevant one further down counts as much."""
    good = takewhile(lambda doc_id: grades.get(doc_id, 0) > 0, ranking)
    return precision_at_k(list(good), grades, k)


@PRECISION.mistake("divides by the judged ones")
def by_the_judged(ranking, grades, k):
    """You divide by the number of documents with a grade among the first k. Then a result that nobody judged
    costs nothing. Divide by k: an unjudged document takes a place, and counts as not relevant."""
    n_judged = len({doc_id for doc_id in ranking[:k] if doc_id in grades})
    return precision_at_k(ranking, grades, k) * k / n_judged if n_judged else 0.0


@PRECISION.mistake("divides by all grades")
def by_all_grades(ranking, grades, k):
    """You divide by the number of documents in `grades`. How many were judged has nothing to do with how many
    are read: divide by k."""
    return precision_at_k(ranking, grades, k) * k / len(grades)


@PRECISION.mistake("not divided")
def not_divided(ranking, grades, k):
    """You return how many relevant documents there are among the first k. Precision is a share of the k
    places: divide by k."""
    return precision_at_k(ranking, grades, k) * k


@PRECISION.mistake("only the place k")
def only_place_k(ranking, grades, k):
    """You look at one place, the k-th. Precision at k looks at all of the first k, and divides by k."""
    return float(_found(ranking[k - 1 : k], grades))


@PRECISION.mistake("average precision")
def precision_at_each_relevant(ranking, grades, k):
    """That is average precision: the mean of the precision at the rank of each relevant document. Precision
    at k is one share, that of the relevant among the first k."""
    places = [rank for rank, doc_id in enumerate(ranking[:k], start=1) if grades.get(doc_id, 0) > 0]
    n_relevant = sum(grade > 0 for grade in grades.values())
    return sum(_found(ranking[:rank], grades) / rank for rank in places) / max(n_relevant, 1)


@PRECISION.mistake("k is the number of the relevant")
def at_r(ranking, grades, k):
    """That is R-precision: you read as many places as there are relevant documents, whatever k is. Precision
    at k reads k."""
    n_relevant = sum(grade > 0 for grade in grades.values())
    return precision_at_k(ranking, grades, max(n_relevant, 1))
