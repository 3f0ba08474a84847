"""Exercise: reciprocal rank."""

from math import log2

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def reciprocal_rank(ranking, grades):
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            return 1 / rank
    return 0.0


RECIPROCAL_RANK = Exercise(
    name="RECIPROCAL_RANK",
    task="""\
Write `reciprocal_rank(ranking, grades)`: 1 divided by the rank of the first relevant document.

```
>>> reciprocal_rank(["d1", "d2", "d3"], {"d1": 0, "d3": 1})      # d3 is third
0.3333333333333333
```

**Convention** (`trec_eval`): ranks start at 1; grade 1 or more is relevant; a document with grade 0 or \
without a grade is not, but keeps its rank. The ranking is read to its end. If nothing relevant is found, \
the result is 0.""",
    reference=reciprocal_rank,
    cases=(
        Case((["a"], {"a": 1}), "the first place has rank 1: nothing could be better"),
        Case(
            (["x", "a"], {"a": 1}),
            "rank 2 is worth one half; x has no grade and takes the first place all the same",
        ),
        Case(
            (["a", "b"], {"a": 1, "b": 1}),
            "the first relevant document counts, and what comes after it does not",
        ),
        Case((["b", "a"], {"a": 1, "b": 0}), "b was read and found useless: grade 0 is not relevant"),
        Case((["x", "a"], {"a": 2}), "the rank counts, not the grade"),
        Case((["b", "a"], {"a": 2, "b": 1}), "b helps, grade 1, and that is enough"),
        Case((["b", "a"], {"a": 1, "b": 1}), "the order in which the grades are stored means nothing"),
        Case(
            (list("xbyzwvac"), {"c": 1, "a": 3, "b": 0, "d": 2}),
            "a at rank 7 is the first relevant one; b has grade 0, and the others of the first six have none",
        ),
        Case((["x", "y"], {"a": 1}), "nothing relevant was found"),
        Case((["x", "y", "a", "b"], {"a": 2, "b": 1}), "the first relevant document is at rank 3"),
        Case(
            (["d2", "d4", "d3"], {"d1": 1, "d2": 0, "d3": 2}),
            "d2 is useless, d4 unread, d3 the first one that is relevant",
        ),
        Case((list("klmnopqrstua"), {"a": 1}), "there is no cut-off: rank 12 is worth one twelfth"),
        Case((["b", "x"], {"a": 1, "b": 0}), "b is useless and x unread, so nothing relevant was found"),
        Case(([], {"a": 1}), "an empty ranking has no first relevant document"),
    ),
    hints=(
        "Go down the ranking as a reader would, and stop at the first document that helps.",
        "enumerate(ranking, start=1) gives rank and document. A `return` inside the loop ends the search.",
        "Inside the loop: if grades.get(doc_id, 0) > 0, return 1 / rank. After the loop, not inside it: "
        "return 0.0.",
    ),
)


def _ranks(ranking, grades):
    return [rank for rank, doc_id in enumerate(ranking, start=1) if grades.get(doc_id, 0) > 0]


@RECIPROCAL_RANK.mistake("0-based")
def from_zero(ranking, grades):
    """You count ranks from 0, as Python counts places in a list. The best place has rank 1 and is worth 1;
    counted from 0 it divides by zero, and the second place is worth as much as the first should be."""
    for rank, doc_id in enumerate(ranking):
        if grades.get(doc_id, 0) > 0:
            return 1 / rank
    return 0.0


@RECIPROCAL_RANK.mistake("0-based, in NumPy")
def from_zero_with_numpy(ranking, grades):
    """You count ranks from 0, as Python counts places in a list. The best place has rank 1 and is worth 1;
    counted from 0 it divides by zero, which NumPy turns into inf, and the second place is worth as much as
    the first should be."""
    ranks = _ranks(ranking, grades)
    return (1 / (ranks[0] - 1) if ranks[0] > 1 else float("inf")) if ranks else 0.0


@RECIPROCAL_RANK.mistake("0-based, with an exception for the first")
def from_zero_but_for_the_first(ranking, grades):
    """You count ranks from 0, as Python counts places in a list, and make an exception where that would
    divide by zero. So the first two places are worth the same. The first has rank 1, the second rank 2."""
    return 1 / max(1, _ranks(ranking, grades)[0] - 1) if _ranks(ranking, grades) else 0.0


@RECIPROCAL_RANK.mistake("last relevant")
def last(ranking, grades):
    """You take the last relevant document. The loop goes on after the first, and each further one overwrites
    the result. The reader of this metric has stopped long before."""
    return 1 / max(_ranks(ranking, grades), default=float("inf"))


@RECIPROCAL_RANK.mistake("sums all")
def sums_all(ranking, grades):
    """You add up 1 / rank over all relevant documents, and the sum can pass 1. The reciprocal rank pays for
    the first one alone: its reader has what they need, and stops."""
    return sum(1 / rank for rank in _ranks(ranking, grades))


@RECIPROCAL_RANK.mistake("averages all")
def mean(ranking, grades):
    """You average 1 / rank over all relevant documents that were found, so a second good page lowers the
    value. The reciprocal rank looks at the first one alone; the mean in MRR is over queries."""
    ranks = _ranks(ranking, grades)
    return sum(1 / rank for rank in ranks) / len(ranks) if ranks else 0.0


@RECIPROCAL_RANK.mistake("grade 0 counts")
def judged_is_relevant(ranking, grades):
    """You treat grade 0 as relevant. Grade 0 is a grade too: somebody read the document and found it useless.
    The reader goes on."""
    return reciprocal_rank(ranking, dict.fromkeys(grades, 1))


@RECIPROCAL_RANK.mistake("only grade 1")
def only_grade_1(ranking, grades):
    """You stop only at a document of grade 1, and walk past the full answer, grade 2. Relevant means a grade
    of 1 or more."""
    return reciprocal_rank(ranking, {doc_id: grade for doc_id, grade in grades.items() if grade == 1})


@RECIPROCAL_RANK.mistake("only the best grade")
def only_the_best_grade(ranking, grades):
    """You wait for a document of the best grade. Whether a page that merely helps should count is a fair
    question, but the convention here draws the line at grade 1."""
    best = max(grades.values())
    return reciprocal_rank(ranking, {doc_id: grade for doc_id, grade in grades.items() if grade == best})


@RECIPROCAL_RANK.mistake("first of the judgments")
def first_of_the_judgments(ranking, grades):
    """You take the document that comes first in `grades`. The order in which judgments are stored means
    nothing: the reader goes down the ranking, and stops at the first page that helps."""
    ranks = [ranking.index(doc_id) + 1 for doc_id in grades if grades[doc_id] > 0 and doc_id in ranking]
    return 1 / ranks[0] if ranks else 0.0


@RECIPROCAL_RANK.mistake("grade over rank")
def grade_over_rank(ranking, grades):
    """You divide the grade by the rank, so a full answer at rank 2 seems as good as help at rank 1. The
    reciprocal rank knows only relevant and not relevant."""
    ranked = enumerate(ranking, start=1)
    return next((grades[doc_id] / rank for rank, doc_id in ranked if grades.get(doc_id, 0) > 0), 0.0)


@RECIPROCAL_RANK.mistake("the rank itself")
def rank_itself(ranking, grades):
    """That is the rank, where small is good and one query at rank 500 would rule the mean. Its reciprocal
    lies between 0 and 1, and large is good."""
    return min(_ranks(ranking, grades), default=0.0)


@RECIPROCAL_RANK.mistake("unjudged documents passed over")
def unjudged_passed_over(ranking, grades):
    """You pass over documents without a grade, and the rest moves up (condensed lists). The reader had to
    read past them: an unjudged document counts as not relevant, and keeps its rank."""
    return reciprocal_rank([doc_id for doc_id in ranking if doc_id in grades], grades)


@RECIPROCAL_RANK.mistake("looks only at the first")
def looks_only_at_the_first(ranking, grades):
    """You decide at rank 1 and look no further. Is the `return` for "nothing found" inside the loop? It
    belongs after the loop, when all documents have been seen."""
    return 1.0 if ranking and grades.get(ranking[0], 0) > 0 else 0.0


@RECIPROCAL_RANK.mistake("stops at 10")
def stops_at_10(ranking, grades):
    """You stop at rank 10. Many reports do so, and write MRR@10. Without a cut-off in its name the metric
    reads the whole ranking."""
    return reciprocal_rank(ranking[:10], grades)


@RECIPROCAL_RANK.mistake("None where nothing is found")
def says_nothing(ranking, grades):
    """You return no number where nothing relevant is found; Python then returns None, which cannot be
    averaged. A search that fails is worth 0."""
    return reciprocal_rank(ranking, grades) or None


@RECIPROCAL_RANK.mistake("unjudged document raises")
def needs_every_grade(ranking, grades):
    """You look up each document in `grades`, but an engine also returns documents that nobody judged. They
    have no entry, and count as not relevant."""
    return next((1 / rank for rank, doc_id in enumerate(ranking, start=1) if grades[doc_id] > 0), 0.0)


@RECIPROCAL_RANK.mistake("infinity where nothing is found")
def infinity_where_nothing_is_found(ranking, grades):
    """Where nothing relevant is found you give infinity. That is the rank; its reciprocal is 0."""
    return reciprocal_rank(ranking, grades) or float("inf")


@RECIPROCAL_RANK.mistake("ranks from 2")
def from_two(ranking, grades):
    """Your first place is worth one half, so its rank is 2. Ranks begin at 1, and the first place is worth
    1."""
    return reciprocal_rank(["", *ranking], grades)


@RECIPROCAL_RANK.mistake("discounted by a logarithm")
def by_a_logarithm(ranking, grades):
    """You divide by log2(rank + 1). That is the discount of DCG; the reciprocal rank is 1 / rank, which falls
    faster."""
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            return 1 / log2(rank + 1)
    return 0.0


@RECIPROCAL_RANK.mistake("relevant from grade 2 on")
def from_grade_2(ranking, grades):
    """You count documents as relevant only from grade 2 on. By the convention here grade 1 counts too: a
    document that helps is enough."""
    return reciprocal_rank(ranking, {doc_id: grade - 1 for doc_id, grade in grades.items()})


@RECIPROCAL_RANK.mistake("divided by all that is relevant")
def over_all_relevant(ranking, grades):
    """You add up 1 / rank over the relevant documents and divide by how many there are. The reciprocal rank
    is that of the first one alone; the mean in MRR is over queries."""
    ranks = _ranks(ranking, grades)
    return sum(1 / rank for rank in ranks) / max(sum(grade > 0 for grade in grades.values()), 1)


@RECIPROCAL_RANK.mistake("useless documents passed over")
def useless_passed_over(ranking, grades):
    """You pass over documents of grade 0, and the rest moves up. The reader had to read them: a useless
    document keeps its rank."""
    return reciprocal_rank([doc_id for doc_id in ranking if grades.get(doc_id, 1) > 0], grades)


@RECIPROCAL_RANK.mistake("fails where nothing is found")
def fails_where_nothing_is_found(ranking, grades):
    """Where nothing relevant is found your function looks for a first one all the same, and ends in an
    IndexError. A search that fails is worth 0."""
    return 1 / _ranks(ranking, grades)[0]


@RECIPROCAL_RANK.mistake("1 where something is found")
def something_is_found(ranking, grades):
    """Your result is 1 wherever a relevant document was found, at whatever rank. The documents above it keep
    their ranks, so the first relevant one counts 1 / rank."""
    return float(reciprocal_rank(ranking, grades) > 0)
