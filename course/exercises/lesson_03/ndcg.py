"""Exercise: nDCG at k."""

from math import log2

from course.exercises.cases import Case
from course.exercises.exercise import Exercise
from course.exercises.lesson_03.dcg_at_k import dcg_at_k


def ndcg_at_k(ranking, grades, k=10):
    ideal = sorted(grades, key=grades.get, reverse=True)
    best = dcg_at_k(ideal, grades, k)
    return dcg_at_k(ranking, grades, k) / best if best > 0 else 0.0


FIVE = {"d1": 1, "d2": 0, "d3": 2, "d5": 1, "d9": 2}

NDCG = Exercise(
    name="NDCG",
    task="""\
Write `ndcg_at_k(ranking, grades, k=10)`: the DCG of the first k places, divided by the DCG of the ideal \
ranking. You may call `dcg_at_k`.

```
>>> round(ndcg_at_k(["d1", "d2", "d3"], {"d1": 1, "d3": 2}, k=3), 4)  # (1 + 2/2) / (2 + 1/log2(3))
0.7602
```

**Convention** (`trec_eval`): the gain is the grade, the gain at rank r is divided by log₂(r + 1), and a \
document without a grade counts as 0. The ideal ranking is made of all judged documents, best grade first, \
and is cut at k too. A query with nothing relevant gets 0. If the call leaves k out, k is 10.""",
    reference=ndcg_at_k,
    cases=(
        Case((["a"], {"a": 2}, 1), "nothing could be better than this, and the best there is has nDCG 1"),
        Case((["x", "a"], {"a": 1}, 2), "rank 2 is worth 1 / log2(3), about 0.631, and rank 1 was possible"),
        Case(
            (["a"], {"a": 1, "b": 1}, 2), "b was not found, but it exists, so it belongs in the ideal ranking"
        ),
        Case(
            (["a"], {"a": 1, "b": 1}, 1), "with k = 1 the ideal ranking has one place as well, and a fills it"
        ),
        Case(
            (["a", "b"], {"b": 1, "a": 2}, 2),
            "this is the best order; the order in which the grades are stored means nothing",
        ),
        Case((["b", "a"], {"a": 2, "b": 1}, 2), "the better document belongs in front"),
        Case(
            (["a", "b"], {"a": 0, "b": 0}, 2),
            "where nothing is relevant there is nothing to earn: 0, by convention",
        ),
        Case((["x", "a"], {"a": 1}, 1), "a document below k earns nothing"),
        Case((["x", "y", "a"], {"a": 1}, 3), "rank 3 is worth 1 / log2(4), one half"),
        Case((["a", "b"], {"a": 3, "b": 1, "c": 2}, 10), "a ranking shorter than k is read to its end"),
        Case((["d1", "d2", "d3", "d4", "d5"], FIVE, 5), "the ranking of five: DCG 2.3869, ideal DCG 4.1925"),
        Case(([], {"a": 1}, 5), "an empty ranking earns nothing"),
        Case(
            ([f"d{rank}" for rank in range(1, 12)], {"d10": 1, "d11": 1}, 10),
            "rank 10 is paid and rank 11 is not, even if a call leaves k out",
        ),
    ),
    hints=(
        "Two sums of the same form: the DCG of the ranking, and the DCG of the best order that the "
        "judgments allow. One function makes both.",
        "The best order is sorted(grades, key=grades.get, reverse=True): all judged documents, found or "
        "not. Both sums stop at k.",
        "best = dcg_at_k(ideal, grades, k). Then dcg_at_k(ranking, grades, k) / best, but 0.0 where best "
        "is 0.",
    ),
)


def _ratio(ranking, ideal, grades, k, k_ideal, dcg=dcg_at_k):
    best = dcg(ideal, grades, k_ideal)
    return dcg(ranking, grades, k) / best if best > 0 else 0.0


def _discounted(worth):
    """DCG in which rank r is worth worth(r)."""

    def dcg(doc_ids, grades, k):
        return sum(grades.get(doc_id, 0) * worth(rank) for rank, doc_id in enumerate(doc_ids[:k], start=1))

    return dcg


def _ideal(grades):
    return sorted(grades, key=grades.get, reverse=True)


@NDCG.mistake("ideal from the retrieved list")
def ideal_of_the_retrieved(ranking, grades, k):
    """Your ideal ranking is made of the documents that were retrieved. So whatever the engine missed is
    forgiven, and one relevant document of ten, in front, gets 1. The ideal is made of all judged
    documents."""
    ideal = sorted(ranking, key=lambda doc_id: grades.get(doc_id, 0), reverse=True)
    return _ratio(ranking, ideal, grades, k, k)


_OF_ONES = (
    "Your ideal ranking pays 1 a place, while the ranking itself is paid by grade. With an answer of grade 2 "
    "in front nDCG then passes 1. The ideal is paid by grade too: all judged documents, best grade first."
)


def _over_ones(ranking, grades, k, n):
    best = sum(1 / log2(rank + 1) for rank in range(1, n + 1))
    return dcg_at_k(ranking, grades, k) / best if best else 0.0


@NDCG.mistake("ideal of 1s, one for each relevant document", _OF_ONES)
def ideal_of_ones(ranking, grades, k):
    return _over_ones(ranking, grades, k, min(k, sum(grade > 0 for grade in grades.values())))


@NDCG.mistake("ideal of 1s, one for each place", _OF_ONES)
def ideal_of_k_ones(ranking, grades, k):
    return _over_ones(ranking, grades, k, k)


@NDCG.mistake("ideal not cut")
def ideal_not_cut(ranking, grades, k):
    """Your ideal ranking is longer than k. Then a query with more than k relevant documents cannot reach 1,
    however good the engine. Cut the ideal at k too."""
    return _ratio(ranking, _ideal(grades), grades, k, len(grades))


@NDCG.mistake("k is not used")
def nothing_cut(ranking, grades, k):
    """That is the nDCG of whole rankings; k plays no part in it. nDCG@k pays for the first k places, and
    compares them with the first k places of the ideal."""
    return _ratio(ranking, _ideal(grades), grades, len(ranking), len(grades))


@NDCG.mistake("ideal as short as the ranking")
def ideal_as_short_as_the_ranking(ranking, grades, k):
    """Your ideal ranking is only as long as what was returned. An engine that returns a single good
    document then gets 1, however many it missed. The ideal has k places, if there are as many documents
    to fill them."""
    return _ratio(ranking, _ideal(grades), grades, k, len(ranking[:k]))


@NDCG.mistake("ideal not sorted")
def ideal_not_sorted(ranking, grades, k):
    """Your ideal takes the judged documents in the order in which they are stored, and that is no ranking. A
    good engine then gets more than 1. Sort by grade, best first."""
    return _ratio(ranking, list(grades), grades, k, k)


@NDCG.mistake("ideal upside down")
def ideal_upside_down(ranking, grades, k):
    """Your ideal ranking begins with the worst documents, since sorted puts small numbers first. A good
    engine then gets more than 1. Best grade first: reverse=True."""
    return _ratio(ranking, sorted(grades, key=grades.get), grades, k, k)


@NDCG.mistake("grades as yes or no")
def yes_or_no(ranking, grades, k):
    """You count every relevant document as 1. nDCG is the metric that uses grades: the gain is the grade
    itself, so a 2 earns twice as much as a 1."""
    return ndcg_at_k(ranking, {doc_id: int(grade > 0) for doc_id, grade in grades.items()}, k)


@NDCG.mistake("exponential gain")
def exponential(ranking, grades, k):
    """You pay 2^grade − 1. That is a known variant (Burges and others, 2005), in which an answer earns three
    times as much as help. The convention here is trec_eval's: the gain is the grade."""
    return ndcg_at_k(ranking, {doc_id: 2**grade - 1 for doc_id, grade in grades.items()}, k)


@NDCG.mistake("DCG not normalized")
def not_normalized(ranking, grades, k):
    """That is the DCG. The n is missing: divide by the DCG of the ideal ranking, so that queries with many
    and with few relevant documents can be averaged."""
    return dcg_at_k(ranking, grades, k)


@NDCG.mistake("DCG divided by k")
def by_k(ranking, grades, k):
    """You divide the DCG by k. The most that k places can earn depends on the query: on how many relevant
    documents it has, and of which grade. Divide by the DCG of the ideal ranking, which is exactly that
    most."""
    return dcg_at_k(ranking, grades, k) / k


@NDCG.mistake("1 where nothing is relevant")
def one_where_nothing_is_relevant(ranking, grades, k):
    """You give 1 to a query without any relevant document. trec_eval gives 0; a free 1 would raise the mean
    of every engine, even of one that returns nothing."""
    return ndcg_at_k(ranking, grades, k) if any(grade > 0 for grade in grades.values()) else 1.0


@NDCG.mistake("zero division")
def by_zero(ranking, grades, k):
    """You divide by 0 where a query has no relevant document: its ideal ranking earns nothing either. One
    such query would end the evaluation of the whole run. By convention it gets 0."""
    return dcg_at_k(ranking, grades, k) / dcg_at_k(_ideal(grades), grades, k)


@NDCG.mistake("ranks 1 and 2 undiscounted")
def first_two_undiscounted(ranking, grades, k):
    """You divide rank r by log2(r), and leave rank 1 alone, so ranks 1 and 2 are worth the same. (The paper
    of 2002 did so.) trec_eval divides by log2(r + 1), for every rank."""
    return _ratio(ranking, _ideal(grades), grades, k, k, _discounted(lambda rank: 1 / max(1, log2(rank))))


@NDCG.mistake("ideal sorted by the ids")
def ideal_by_id(ranking, grades, k):
    """You sort the ids instead of the grades: sorted(grades) goes through a dictionary's keys. The ideal
    order is by grade, sorted(grades.values(), reverse=True)."""
    ideal = dcg_at_k(sorted(grades, reverse=True), grades, k)
    return dcg_at_k(ranking, grades, k) / ideal if ideal else 0.0


@NDCG.mistake("unjudged documents passed over")
def unjudged_passed_over(ranking, grades, k):
    """You pass over documents without a grade, and the rest moves up (condensed lists). The reader had to
    read past them: an unjudged document counts as 0, and keeps its rank."""
    return ndcg_at_k([doc_id for doc_id in ranking if doc_id in grades], grades, k)


@NDCG.mistake("the ranking not cut")
def ranking_not_cut(ranking, grades, k):
    """You cut the ideal at k, and not the ranking, so nDCG may pass 1. Both sides have the same k places."""
    ideal = dcg_at_k(sorted(grades, key=grades.get, reverse=True), grades, k)
    return dcg_at_k(ranking, grades, len(ranking)) / ideal if ideal else 0.0


@NDCG.mistake("always cut at 10")
def always_10(ranking, grades, k):
    """You cut at 10, whatever k is. 10 is the value of k if a call leaves it out; a call may ask for 3, or
    for 100. Hand k on."""
    return ndcg_at_k(ranking, grades, 10)


@NDCG.mistake("the ideal cut at 10")
def ideal_cut_at_ten(ranking, grades, k=10):
    """You do not hand k over to every DCG: one of them is cut at its default, 10. Both are cut at k."""
    return _ratio(ranking, _ideal(grades), grades, 10, k)


_OF_THE_HIGHEST = (
    "Your ideal ranking has the highest grade in every place, and a query seldom has so many of the best. "
    "The ideal is the best order of the documents that were judged: each with its own grade, best first."
)


def _over_the_highest(ranking, grades, k, n):
    return _over_ones(ranking, grades, k, n) / (max(grades.values()) or 1)


@NDCG.mistake("the highest grade for each judged document", _OF_THE_HIGHEST)
def highest_for_each_judged(ranking, grades, k):
    return _over_the_highest(ranking, grades, k, min(k, len(grades)))


@NDCG.mistake("the highest grade for each relevant document", _OF_THE_HIGHEST)
def highest_for_each_relevant(ranking, grades, k):
    return _over_the_highest(ranking, grades, k, min(k, sum(grade > 0 for grade in grades.values())))


@NDCG.mistake("the highest grade for each place", _OF_THE_HIGHEST)
def highest_for_each_place(ranking, grades, k):
    return _over_the_highest(ranking, grades, k, k)


@NDCG.mistake("unjudged documents passed over behind the cut")
def unjudged_passed_over_behind_the_cut(ranking, grades, k):
    """You pass over documents without a grade, and those below them move up. The reader had to read past
    them: an unjudged document counts as 0, and keeps its rank."""
    return ndcg_at_k([doc_id for doc_id in ranking[:k] if doc_id in grades], grades, k)


@NDCG.mistake("ideal from the first k")
def ideal_of_the_first_k(ranking, grades, k):
    """Your ideal ranking is made of the first k documents that were retrieved. So whatever the engine missed
    is forgiven: it only has to put in order what it found. The ideal is made of all judged documents."""
    ideal = sorted(ranking[:k], key=lambda doc_id: grades.get(doc_id, 0), reverse=True)
    return _ratio(ranking, ideal, grades, k, k)


@NDCG.mistake("divided by the rank")
def by_rank(ranking, grades, k):
    """You divide each gain by its rank. DCG divides by log2(rank + 1), which grows more slowly."""
    return _ratio(ranking, _ideal(grades), grades, k, k, _discounted(lambda rank: 1 / rank))


@NDCG.mistake("no discount")
def no_discount(ranking, grades, k):
    """You add up grades whatever their rank, so the order within the first k does not matter. Divide each
    gain by log2(rank + 1), in the ranking and in the ideal."""
    return _ratio(ranking, _ideal(grades), grades, k, k, _discounted(lambda rank: 1))


@NDCG.mistake("ranks from 2")
def ranks_from_two(ranking, grades, k):
    """You divide rank r by log2(r + 2), as if ranks began at 0. Counted from 1 it is log2(r + 1)."""
    return _ratio(ranking, _ideal(grades), grades, k, k, _discounted(lambda rank: 1 / log2(rank + 2)))


@NDCG.mistake("1 added to the logarithm")
def one_outside(ranking, grades, k):
    """You divide rank r by log2(r) + 1. The 1 belongs to the rank, inside the logarithm: log2(r + 1)."""
    return _ratio(ranking, _ideal(grades), grades, k, k, _discounted(lambda rank: 1 / (log2(rank) + 1)))
