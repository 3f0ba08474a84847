"""Exercise: average precision."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def average_precision(ranking, grades):
    n_relevant = sum(grade > 0 for grade in grades.values())
    found, total = 0, 0.0
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            found += 1
            total += found / rank
    return total / n_relevant if n_relevant else 0.0


FIVE = {"d1": 1, "d2": 0, "d3": 2, "d5": 1, "d9": 2}

AVERAGE_PRECISION = Exercise(
    name="AVERAGE_PRECISION",
    task="""\
Write `average_precision(ranking, grades)`: the precision at the rank of each relevant document, averaged \
over all relevant documents.

```
>>> average_precision(["d1", "d2", "d3"], {"d1": 1, "d2": 0, "d3": 2})      # (1/1 + 2/3) / 2
0.8333333333333333
>>> average_precision(["d1"], {"d1": 1, "d9": 2})                           # (1/1 + 0) / 2
0.5
```

**Convention** (`trec_eval`): grade 1 or more is relevant; grade 0 or no grade is not. A relevant document \
that was not found contributes 0. The ranking is read to its end. A query with nothing relevant gets 0.""",
    reference=average_precision,
    cases=(
        Case(
            (["a", "x"], {"a": 1}),
            "precision is noted at rank 1, where a is; a useless result below it costs nothing",
        ),
        Case(
            (["a"], {"a": 1, "b": 1}),
            "b was not found: it contributes 0, and is one of the two that are averaged",
        ),
        Case((["x", "a"], {"a": 1}), "a is found at rank 2, where precision is one half; x has no grade"),
        Case(
            (["a", "x", "b"], {"a": 1, "b": 1}),
            "b is the second relevant document of three places: precision 2/3 there",
        ),
        Case((["b", "a"], {"a": 1, "b": 0}), "b was read and found useless: grade 0 is not relevant"),
        Case((["a"], {"a": 1, "b": 0}), "b has grade 0: it is not relevant, and was not missed"),
        Case(
            (list("xabycde"), {"d": 3, "a": 1, "z": 2, "b": 0, "e": 1, "c": 2}),
            "relevant are a, c, d and e, at ranks 2, 5, 6 and 7, and z: (1/2 + 2/5 + 3/6 + 4/7 + 0) / 5",
        ),
        Case(
            (["b", "a"], {"a": 1, "b": 2}),
            "average precision does not know grades: both are relevant, and in front",
        ),
        Case((["a", "b"], {"a": 0, "b": 0}), "nothing relevant exists: 0, by convention"),
        Case((["x", "y"], {"a": 1}), "nothing relevant was found"),
        Case(([], {"a": 1}), "an empty ranking found nothing"),
        Case((["d1", "d2", "d3", "d4", "d5"], FIVE), "the lesson's five: (1/1 + 2/3 + 3/5 + 0) / 4"),
        Case(
            (list("abcdefghijkz"), {"a": 1, "z": 1}),
            "there is no cut-off: z at rank 12 is the second of two, 2/12",
        ),
    ),
    hints=(
        "Walk down the ranking. At each relevant document write down the precision so far; a document "
        "between them only counts as a place. At the end divide by all relevant documents, found or not.",
        "Keep two numbers: how many relevant documents were found so far, and the sum. At a relevant "
        "document raise the first by 1, then add found / rank to the second.",
        "n_relevant = sum(grade > 0 for grade in grades.values()). After the loop: total / n_relevant, or "
        "0.0 where n_relevant is 0.",
    ),
)


def _ranks(ranking, grades):
    return [rank for rank, doc_id in enumerate(ranking, start=1) if grades.get(doc_id, 0) > 0]


def _total(ranking, grades):
    return sum(found / rank for found, rank in enumerate(_ranks(ranking, grades), start=1))


def _everywhere(ranking, grades):
    return sum(len(_ranks(ranking[:rank], grades)) / rank for rank in range(1, len(ranking) + 1))


def _n_relevant(grades):
    return sum(grade > 0 for grade in grades.values())


def _average(ranking, grades, total=None, n=None):
    """The reference with its sum, or the number by which it divides, exchanged."""
    total = _total(ranking, grades) if total is None else total
    n = _n_relevant(grades) if n is None else n
    return total / n if n else 0.0


@AVERAGE_PRECISION.mistake("divides by hits")
def by_found(ranking, grades):
    """You average over the relevant documents that were found. Then an engine that finds one of ten, in
    front, gets 1, and finding a second one further down lowers its score. The average is over all relevant
    documents."""
    return _average(ranking, grades, n=len(_ranks(ranking, grades)))


@AVERAGE_PRECISION.mistake("divides by hits, which may be 0")
def by_found_even_none(ranking, grades):
    """You average over the relevant documents that were found. Where none was, you divide by 0; where one of
    ten was, in front, the engine gets 1. The average is over all relevant documents."""
    return _total(ranking, grades) / len(_ranks(ranking, grades))


@AVERAGE_PRECISION.mistake("precision at every rank")
def mean_over_ranks(ranking, grades):
    """You average the precision over all ranks. So useless results below the last relevant one still lower
    the score. Precision is noted at the relevant documents only."""
    return _average(ranking, grades, total=_everywhere(ranking, grades), n=len(ranking))


@AVERAGE_PRECISION.mistake("precision at every rank, over the relevant")
def sum_over_ranks(ranking, grades):
    """You add the precision at every rank, even at useless documents, and the score can pass 1. Is the
    addition outside the `if`? It is made at relevant documents only."""
    return _average(ranking, grades, total=_everywhere(ranking, grades))


@AVERAGE_PRECISION.mistake("divides by the list's length")
def by_length(ranking, grades):
    """You divide by the length of the ranking (or by a k). Then a longer list has a lower score even when the
    relevant documents are all in front. What is averaged is one precision for each relevant document."""
    return _average(ranking, grades, n=len(ranking))


@AVERAGE_PRECISION.mistake("reciprocal ranks")
def reciprocal_ranks(ranking, grades):
    """You add 1 / rank for each relevant document, so three in front would get less than 1. At the third,
    three of the places so far are relevant: its precision is 3 / rank."""
    return _average(ranking, grades, total=sum(1 / rank for rank in _ranks(ranking, grades)))


@AVERAGE_PRECISION.mistake("grade 0 as relevant")
def judged_is_relevant(ranking, grades):
    """You treat every judged document as relevant. Grade 0 says that somebody read it and found it useless;
    it is neither a hit nor a loss."""
    return average_precision(ranking, dict.fromkeys(grades, 1))


@AVERAGE_PRECISION.mistake("grade 0 as a hit")
def judged_is_a_hit(ranking, grades):
    """You count each document that has a grade as found. Grade 0 is a grade too: somebody read it and found
    it useless. With such hits average precision can pass 1."""
    return _average(ranking, grades, total=_total(ranking, dict.fromkeys(grades, 1)))


@AVERAGE_PRECISION.mistake("divides by all judged")
def by_all_judged(ranking, grades):
    """You divide by the number of judged documents. Those of grade 0 should not be found, so a perfect engine
    could never reach 1. The average is over the relevant ones."""
    return _average(ranking, grades, n=len(grades))


@AVERAGE_PRECISION.mistake("adds up grades")
def adds_up_grades(ranking, grades):
    """You add the grade instead of counting one more document. Precision counts documents; with grades in it
    average precision passes 1. nDCG is the metric that uses grades."""
    found, total = 0, 0.0
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            found += grades[doc_id]
            total += found / rank
    return _average(ranking, grades, total=total)


@AVERAGE_PRECISION.mistake("0-based")
def from_zero(ranking, grades):
    """You count ranks from 0, as Python counts places in a list. Then the first place divides by zero, and
    further down precision comes out too high. The best place has rank 1."""
    total = sum(found / (rank - 1) for found, rank in enumerate(_ranks(ranking, grades), start=1))
    return _average(ranking, grades, total=total)


@AVERAGE_PRECISION.mistake("not averaged")
def not_averaged(ranking, grades):
    """You add up the precisions, and do not divide. A query with many relevant documents then weighs more
    than one with few. Divide by the number of relevant documents."""
    return _total(ranking, grades)


@AVERAGE_PRECISION.mistake("zero division")
def by_zero(ranking, grades):
    """You divide by 0 where a query has no relevant document. Such queries exist, for instance when only full
    answers count, and one of them would end the evaluation of the whole run. By convention it gets 0."""
    return _total(ranking, grades) / _n_relevant(grades)


@AVERAGE_PRECISION.mistake("unjudged document raises")
def needs_every_grade(ranking, grades):
    """You look up each document in `grades`, but an engine also returns documents that nobody judged. They
    have no entry, and count as not relevant."""
    return average_precision(ranking, {doc_id: grades[doc_id] for doc_id in ranking} | grades)


@AVERAGE_PRECISION.mistake("unjudged documents passed over")
def unjudged_passed_over(ranking, grades):
    """You pass over documents without a grade, and the rest moves up (condensed lists). The reader had to
    read past them: an unjudged document keeps its rank, and counts as not relevant."""
    return average_precision([doc_id for doc_id in ranking if doc_id in grades], grades)


@AVERAGE_PRECISION.mistake("weighted by the grade")
def weighted_by_the_grade(ranking, grades):
    """You multiply each precision by the document's grade. Average precision knows only relevant and not
    relevant, and would pass 1 with grades; nDCG is the metric that uses them."""
    ranked = [doc_id for doc_id in ranking if grades.get(doc_id, 0) > 0]
    ranks = [ranking.index(doc_id) + 1 for doc_id in ranked]
    weights = [grades[doc_id] for doc_id in ranked]
    total = sum(weight * n / rank for n, (weight, rank) in enumerate(zip(weights, ranks, strict=True), 1))
    return _average(ranking, grades, total=total)


@AVERAGE_PRECISION.mistake("no more than the list could hold")
def as_many_as_the_list_holds(ranking, grades):
    """You divide by the length of the ranking where that is less than the number of relevant documents. Then
    an engine is rewarded for returning little. What was not found contributes 0: divide by all relevant
    ones."""
    return _average(ranking, grades, n=min(_n_relevant(grades), len(ranking)))


@AVERAGE_PRECISION.mistake("stops at 10")
def stops_at_10(ranking, grades):
    """You read the first ten places only: that is AP@10. The convention here reads the ranking to its end."""
    return average_precision(ranking[:10], grades)


@AVERAGE_PRECISION.mistake("only grade 1")
def only_grade_1(ranking, grades):
    """You count only documents of grade 1. Grade 2 is even more relevant: test for 1 or more, not for equal
    to 1."""
    return average_precision(ranking, {doc_id: int(grade == 1) for doc_id, grade in grades.items()})


@AVERAGE_PRECISION.mistake("1 where nothing is relevant")
def one_where_nothing_is_relevant(ranking, grades):
    """You give 1 where nothing is relevant, as if all had been found. The convention is 0: a query that no
    engine can answer must not raise the mean."""
    return average_precision(ranking, grades) if _n_relevant(grades) else 1.0


@AVERAGE_PRECISION.mistake("relevant from grade 2 on")
def from_grade_2(ranking, grades):
    """You count documents as relevant only from grade 2 on. By the convention here grade 1 counts too."""
    return average_precision(ranking, {doc_id: grade - 1 for doc_id, grade in grades.items()})


@AVERAGE_PRECISION.mistake("precision at every rank, over those found")
def every_rank_over_found(ranking, grades):
    """You add the precision at every rank, even at useless documents, and divide by the relevant documents
    that were found. Add at relevant documents only, and divide by all of them, found or not."""
    return _average(ranking, grades, total=_everywhere(ranking, grades), n=len(_ranks(ranking, grades)))


@AVERAGE_PRECISION.mistake("the relevant document itself not counted")
def without_itself(ranking, grades):
    """Your precision at a rank leaves out the document at that rank: you count those before it. It is found
    there, so it counts."""
    total = sum((found - 1) / rank for found, rank in enumerate(_ranks(ranking, grades), start=1))
    return _average(ranking, grades, total=total)


@AVERAGE_PRECISION.mistake("rank over hits")
def rank_over_hits(ranking, grades):
    """You divide the rank by the hits. Precision is the hits so far, divided by the rank."""
    total = sum(rank / found for found, rank in enumerate(_ranks(ranking, grades), start=1))
    return _average(ranking, grades, total=total)


@AVERAGE_PRECISION.mistake("recall")
def recall_of_all(ranking, grades):
    """You return the share of the relevant documents that was found. Average precision also asks how early:
    add the precision at each of their ranks."""
    return _average(ranking, grades, total=len(_ranks(ranking, grades)))


@AVERAGE_PRECISION.mistake("only the last precision")
def only_the_last(ranking, grades):
    """You keep only the precision at the last relevant document: each replaces the one before. Add them
    up."""
    ranks = _ranks(ranking, grades)
    return _average(ranking, grades, total=len(ranks) / ranks[-1] if ranks else 0.0)
