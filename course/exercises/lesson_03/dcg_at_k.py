"""Exercise: DCG at k."""

from itertools import takewhile
from math import log, log2, log10

import numpy as np

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def dcg_at_k(ranking, grades, k=10):
    total = 0.0
    for rank, doc_id in enumerate(ranking[:k], start=1):
        total += grades.get(doc_id, 0) / log2(rank + 1)
    return total


FIVE = {"d1": 1, "d2": 0, "d3": 2, "d5": 1, "d9": 2}

DCG = Exercise(
    name="DCG",
    task="""\
Write `dcg_at_k(ranking, grades, k=10)`, the discounted cumulative gain: over the first k places, the sum of \
what each document is worth at its rank.

```
>>> dcg_at_k(["d1", "d2", "d3"], {"d1": 1, "d3": 2}, k=3)        # 1 / log2(2) + 0 + 2 / log2(4)
2.0
```

**Convention** (as inside `trec_eval`'s nDCG): the gain is the grade itself, and the gain at rank r is \
divided by log₂(r + 1); a document without a grade has gain 0 and keeps its rank. If the call \
leaves k out, k is 10; the lesson's cells rely on that.""",
    reference=dcg_at_k,
    cases=(
        Case((["a"], {"a": 1}, 1), "rank 1 is paid in full: log2(2) is 1"),
        Case(
            (["x", "a"], {"a": 1}, 2),
            "rank 2 is worth 1 / log2(3), about 0.631; x has no grade, and takes rank 1",
        ),
        Case((["a"], {"a": 2}, 1), "the gain is the grade, so an answer of grade 2 earns 2"),
        Case((["x", "y", "a"], {"a": 1}, 3), "rank 3 is worth 1 / log2(4), one half"),
        Case((["x", "a"], {"a": 1}, 1), "a document below k earns nothing"),
        Case((["b", "a"], {"a": 1, "b": 0}, 2), "a useless document earns nothing, but takes its place"),
        Case(
            (list("bxcadefg"), {"h": 3, "c": 2, "a": 3, "d": 1, "b": 1, "g": 1, "e": 3, "f": 2}, 4),
            "four places are read: 1 / log2(2) + 0 + 2 / log2(4) + 3 / log2(5)",
        ),
        Case((["a", "b"], {"a": 3, "b": 1, "c": 2}, 10), "a ranking shorter than k is read to its end"),
        Case(
            (["d1", "d2", "d3", "d4", "d5"], FIVE, 3),
            "1 / log2(2) + 2 / log2(4): the first three of the lesson's five",
        ),
        Case((["d1", "d2", "d3", "d4", "d5"], FIVE, 5), "d5 at rank 5 adds 1 / log2(6)"),
        Case((["x", "y"], {"a": 1}, 2), "nothing relevant, nothing earned"),
        Case(([], {"a": 1}, 5), "an empty ranking earns nothing"),
        Case(
            ([f"d{rank}" for rank in range(1, 12)], {"d10": 1, "d11": 1}, 10),
            "rank 10 is paid and rank 11 is not, even if a call leaves k out",
        ),
    ),
    hints=(
        "Each place pays its grade, discounted by how far down it is. Only the first k places pay.",
        "enumerate(ranking[:k], start=1) gives rank and document; grades.get(doc_id, 0) is the gain. With "
        "start=1 the discount of rank 1 is log2(2), which is 1.",
        "Start with total = 0.0 and add grades.get(doc_id, 0) / log2(rank + 1) for each rank and document.",
    ),
)


def _gains(ranking, grades, k):
    return [grades.get(doc_id, 0) for doc_id in ranking[:k]]


@DCG.mistake("natural log")
def natural(ranking, grades, k):
    """You take the natural logarithm, under which rank 1 pays more than the grade. DCG uses base 2, so that
    log2(2) = 1. (In nDCG the base cancels, and nobody would notice.)"""
    return sum(gain / log(rank + 1) for rank, gain in enumerate(_gains(ranking, grades, k), start=1))


@DCG.mistake("log10")
def base_10(ranking, grades, k):
    """You take the logarithm to base 10, under which rank 1 pays more than three times the grade. DCG uses
    base 2, so that log2(2) = 1. (In nDCG the base cancels, and nobody would notice.)"""
    return sum(gain / log10(rank + 1) for rank, gain in enumerate(_gains(ranking, grades, k), start=1))


_FROM_ZERO = (
    "Your divisor at the first place is log2(1), which is 0. The formula's r + 1 is meant for ranks from "
    "1. If you count from 0, it is i + 2."
)


@DCG.mistake("log2(i + 1) with i from 0", _FROM_ZERO)
def from_zero(ranking, grades, k):
    return sum(gain / log2(i + 1) for i, gain in enumerate(_gains(ranking, grades, k)))


@DCG.mistake("log2(i + 1) with i from 0, judged documents only", _FROM_ZERO)
def from_zero_judged_only(ranking, grades, k):
    return sum(grades[doc_id] / log2(i + 1) for i, doc_id in enumerate(ranking[:k]) if doc_id in grades)


@DCG.mistake("log2(i + 1) with i from 0, in NumPy")
def from_zero_with_numpy(ranking, grades, k):
    """Your divisor at the first place is log2(1), which is 0; NumPy turns that into inf or nan and goes on.
    The formula's r + 1 is meant for ranks from 1. If you count from 0, it is i + 2."""
    gains = np.array(_gains(ranking, grades, k), dtype=float)
    return (gains / np.log2(np.arange(len(gains)) + 1)).sum()


@DCG.mistake("ranks 1 and 2 undiscounted")
def first_two_undiscounted(ranking, grades, k):
    """You divide rank r by log2(r), and leave rank 1 alone, so ranks 1 and 2 are worth the same. (The paper
    of 2002 did so.) trec_eval divides by log2(r + 1), for every rank."""
    return sum(gain / max(1, log2(rank)) for rank, gain in enumerate(_gains(ranking, grades, k), start=1))


@DCG.mistake("no discount")
def no_discount(ranking, grades, k):
    """You add up grades whatever their rank. That is the cumulative gain, without the D: it cannot see the
    order of the results. Divide each by log2(rank + 1)."""
    return sum(_gains(ranking, grades, k))


@DCG.mistake("divides by the rank")
def by_rank(ranking, grades, k):
    """You divide by the rank itself, as the reciprocal rank does. Rank 9 would be worth a ninth, for a reader
    who hardly goes on. The logarithm falls more slowly: rank 9 is worth 0.301."""
    return sum(gain / rank for rank, gain in enumerate(_gains(ranking, grades, k), start=1))


@DCG.mistake("exponential gain")
def exponential(ranking, grades, k):
    """You pay 2^grade − 1. That is a known variant (Burges and others, 2005), in which an answer earns three
    times as much as help. The convention here is trec_eval's: the gain is the grade."""
    return dcg_at_k(ranking, {doc_id: 2**grade - 1 for doc_id, grade in grades.items()}, k)


@DCG.mistake("grades as yes or no")
def yes_or_no(ranking, grades, k):
    """You count every relevant document as 1. The point of DCG is to use grades: the gain is the grade
    itself, so a 2 earns twice as much as a 1."""
    return dcg_at_k(ranking, {doc_id: int(grade > 0) for doc_id, grade in grades.items()}, k)


@DCG.mistake("not cut")
def not_cut(ranking, grades, k):
    """You add up over the whole ranking. Then k plays no part, and an engine gains by returning a thousand
    results. The @k says that nothing below rank k is paid."""
    return dcg_at_k(ranking, grades, len(ranking))


@DCG.mistake("normalized already")
def normalized(ranking, grades, k):
    """That is nDCG already: you divide by the best possible value. DCG is the plain sum; the next exercise
    divides it."""
    best = dcg_at_k(sorted(grades, key=grades.get, reverse=True), grades, k)
    return dcg_at_k(ranking, grades, k) / best if best else 0.0


@DCG.mistake("unjudged documents passed over")
def unjudged_passed_over(ranking, grades, k):
    """You pass over documents without a grade, and the rest moves up (condensed lists). The reader had to
    read past them: an unjudged document earns 0, and keeps its rank."""
    return dcg_at_k([doc_id for doc_id in ranking if doc_id in grades], grades, k)


@DCG.mistake("unjudged document raises")
def needs_every_grade(ranking, grades, k):
    """You look up each document in `grades`, but an engine also returns documents that nobody judged. They
    have no entry, and earn 0."""
    return sum(grades[doc_id] / log2(rank + 1) for rank, doc_id in enumerate(ranking[:k], start=1))


@DCG.mistake("always cut at 10")
def always_10(ranking, grades, k):
    """You cut at 10, whatever k is. 10 is the value of k if a call leaves it out; a call may ask for 3, or
    for 100."""
    return dcg_at_k(ranking, grades, 10)


@DCG.mistake("ranks from 2")
def ranks_from_2(ranking, grades, k):
    """Your first place is divided by log2(3), so its rank is 2. Ranks begin at 1: log2(1 + 1) is 1, and the
    first place keeps its whole grade."""
    return dcg_at_k(["", *ranking], grades, k + 1)


@DCG.mistake("one place too few")
def one_place_too_few(ranking, grades, k):
    """You read k − 1 places. The first k are ranking[:k], the ranks 1 to k; range(1, k) ends before k."""
    return dcg_at_k(ranking, grades, min(k, len(ranking)) - 1) if ranking and k else 0.0


@DCG.mistake("one place too many")
def one_place_too_many(ranking, grades, k):
    """You read k + 1 places. The first k are ranking[:k], the ranks 1 to k."""
    return dcg_at_k(ranking, grades, k + 1)


@DCG.mistake("divided by k")
def divided_by_k(ranking, grades, k):
    """You divide by k. DCG is a sum, not a mean; what makes it comparable is the division by the ideal, in
    nDCG."""
    return dcg_at_k(ranking, grades, k) / k if k else 0.0


@DCG.mistake("grades sorted first")
def grades_sorted(ranking, grades, k):
    """You sort the gains before you discount them. That is the DCG of the ideal order; here the order is that
    of the ranking."""
    return sum(g / log2(i + 2) for i, g in enumerate(sorted(_gains(ranking, grades, k), reverse=True)))


@DCG.mistake("unjudged documents passed over behind the cut")
def unjudged_passed_over_behind_the_cut(ranking, grades, k):
    """You pass over documents without a grade, and those below them move up. The reader had to read past
    them: an unjudged document earns 0, and keeps its rank."""
    return dcg_at_k([doc_id for doc_id in ranking[:k] if doc_id in grades], grades, k)


@DCG.mistake("1 added to the logarithm")
def one_outside(ranking, grades, k):
    """You divide rank r by log2(r) + 1. The 1 belongs to the rank, inside the logarithm: log2(r + 1). At rank
    1 both are 1, so nothing shows there."""
    total = 0.0
    for rank, doc_id in enumerate(ranking[:k], start=1):
        total += grades.get(doc_id, 0) / (log2(rank) + 1)
    return total


@DCG.mistake("fails where the ranking is shorter than k")
def beyond_the_end(ranking, grades, k):
    """Where the ranking is shorter than k, your function ends in an IndexError: there is no place k. A slice,
    ranking[:k], takes what is there."""
    for place in range(k):
        ranking[place]
    return dcg_at_k(ranking, grades, k)


@DCG.mistake("multiplied by the logarithm")
def multiplied(ranking, grades, k):
    """You multiply by log2(rank + 1), so a document is worth more the further down it is. The discount is a
    division."""
    total = 0.0
    for rank, doc_id in enumerate(ranking[:k], start=1):
        total += grades.get(doc_id, 0) * log2(rank + 1)
    return total


@DCG.mistake("2^grade")
def power_of_two(ranking, grades, k):
    """You pay 2^grade, and a document of grade 0, or without a grade, earns 1. The gain here is the grade
    itself. (The known variant is 2^grade − 1, which gives 0 for grade 0.)"""
    total = 0.0
    for rank, doc_id in enumerate(ranking[:k], start=1):
        total += 2 ** grades.get(doc_id, 0) / log2(rank + 1)
    return total


@DCG.mistake("the square root of the rank")
def by_the_root(ranking, grades, k):
    """You divide by the square root of the rank. DCG divides rank r by log2(r + 1)."""
    total = 0.0
    for rank, doc_id in enumerate(ranking[:k], start=1):
        total += grades.get(doc_id, 0) / rank**0.5
    return total


@DCG.mistake("stops at the first that earns nothing")
def until_nothing(ranking, grades, k):
    """You stop at the first document that earns nothing. It takes its place, and those below it within the
    first k are paid all the same."""
    paid = takewhile(lambda doc_id: grades.get(doc_id, 0) > 0, ranking)
    return dcg_at_k(list(paid), grades, k)


@DCG.mistake("the best place alone")
def best_place(ranking, grades, k):
    """You return what a single document earns, the one that earns most. DCG is the sum over the first k
    places."""
    worth = [grades.get(doc_id, 0) / log2(rank + 1) for rank, doc_id in enumerate(ranking[:k], start=1)]
    return max(worth, default=0.0)


@DCG.mistake("divided by the number of places")
def mean_of_the_places(ranking, grades, k):
    """You divide by the number of results. DCG is a sum, not a mean; what makes it comparable is the division
    by the ideal, in nDCG."""
    return dcg_at_k(ranking, grades, k) / max(len(ranking[:k]), 1)
