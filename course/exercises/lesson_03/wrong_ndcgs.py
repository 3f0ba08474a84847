"""Exercise: tests that tell a right nDCG from six wrong ones."""

from math import log, log2

from course.exercises.cases import Case
from course.exercises.exercise import Exercise
from course.exercises.lesson_03.ndcg import ndcg_at_k


def wrong_ndcgs(variants):
    tests = [
        (["x", "a", "b"], {"a": 1, "b": 2, "c": 1, "d": 2}, 2),
        (["a"], {"a": 0}, 1),
    ]

    def is_wrong(variant):
        return any(abs(variant(*test) - ndcg_at_k(*test)) > 1e-9 for test in tests)

    return [place for place, variant in enumerate(variants) if is_wrong(variant)]


def _gain(grades, doc_id):
    return grades.get(doc_id, 0)


def _ndcg(ranking, grades, k, gain=_gain, worth=lambda rank: 1 / log2(rank + 1), pool=None, cut=True):
    """nDCG with one part exchanged; `pool` holds the documents of the ideal ranking."""

    def dcg(places):
        return sum(gain(grades, doc_id) * worth(rank) for rank, doc_id in enumerate(places, start=1))

    ideal = sorted(grades if pool is None else pool, key=lambda doc_id: -_gain(grades, doc_id))
    best = dcg(ideal[:k] if cut else ideal)
    return dcg(ranking[:k]) / best if best else 0.0


def f(ranking, grades, k):
    return _ndcg(ranking, grades, k)


def g(ranking, grades, k):  # right, too, in another order of steps
    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k]
    found = [_gain(grades, doc_id) for doc_id in ranking[:k]]
    both = [sum(n * 0.3 / log2(r) for r, n in enumerate(gains, start=2)) for gains in (found, ideal)]
    return both[0] / both[1] if both[1] else 0.0


def h(ranking, grades, k):  # right, too: its logarithms have another base, which cancels out
    gains = [_gain(grades, doc_id) for doc_id in ranking[:k]]
    ideal = sorted((max(grade, 0) for grade in grades.values()), reverse=True)[:k]
    found, best = (sum(n / log(r) for r, n in enumerate(both, start=2)) for both in (gains, ideal))
    return found / best if best else 0.0


def exponential(ranking, grades, k):
    return _ndcg(ranking, grades, k, gain=lambda grades, doc_id: 2 ** _gain(grades, doc_id) - 1)


def old_discount(ranking, grades, k):
    return _ndcg(ranking, grades, k, worth=lambda rank: 1 / log2(rank) if rank > 1 else 1.0)


def ideal_of_the_retrieved(ranking, grades, k):
    return _ndcg(ranking, grades, k, pool=ranking)


def ideal_not_cut(ranking, grades, k):
    return _ndcg(ranking, grades, k, cut=False)


def unread_passed_over(ranking, grades, k):
    return _ndcg([doc_id for doc_id in ranking if doc_id in grades], grades, k)


def one_for_nothing(ranking, grades, k):
    return _ndcg(ranking, grades, k) if any(grade > 0 for grade in grades.values()) else 1.0


WRONG_NDCGS = Exercise(
    name="WRONG_NDCGS",
    task="""\
You write a metric once, and test it after every change. A test is good if a wrong function fails it.

Write `wrong_ndcgs(variants)`: which of these functions are not nDCG@k? `variants` is a list of functions. \
Each is called as `variant(ranking, grades, k)` and should give what your `ndcg_at_k` gives. The check \
brings right functions, and six that are wrong in one thing each: one in the gain, one in the discount, two \
in the ideal ranking, one in how it treats unjudged documents, and one where nothing is relevant. You do not \
see their code. So make up test queries, each a ranking with grades and k, such that every wrong function \
gives a wrong value for at least one of them.

**Convention**: return the places of the wrong functions in the list, counted from 0, in order. Treat values \
within 1e-9 as equal, because a right function may add in another order.

How few calls of each function are enough?""",
    reference=wrong_ndcgs,
    cases=(
        Case(([f],), "this one is right"),
        Case(([g],), "this one is right as well; its last digits differ, since it adds in another way"),
        Case(
            ([h, f, h],), "right, too, with another base of the logarithm, which cancels out: none is wrong"
        ),
        Case(([exponential],), "its gain is 2^grade − 1: at grades 0 and 1 that is the grade itself"),
        Case(([old_discount],), "it divides rank r by log2(r), and ranks 1 and 2 by 1"),
        Case(
            ([ideal_of_the_retrieved],),
            "its ideal is made of what was retrieved: it shows where a relevant document is missing",
        ),
        Case(
            ([g, f, exponential, h, f, g, h, f, g, old_discount, ideal_not_cut, h],),
            "places 2, 9 and 10, numbers in their order",
        ),
        Case(([ideal_not_cut],), "its ideal is not cut at k: it shows where more than k are relevant"),
        Case(
            ([unread_passed_over],),
            "it passes over unjudged documents: it shows where one is above a relevant one",
        ),
        Case(([one_for_nothing],), "it gives 1 to a query with nothing relevant"),
        Case(([exponential, f, old_discount],), "the first and the third are wrong: places 0 and 2"),
        Case(([],), "no function, none wrong"),
        Case(
            ([f, one_for_nothing, unread_passed_over, g, ideal_not_cut, ideal_of_the_retrieved],),
            "the places of all wrong ones, in order",
        ),
    ),
    hints=(
        "Take the faults one by one. The gain: at which grade do 2^grade − 1 and the grade differ? The "
        "ideal: when does it matter that it is cut at k, or made of what was retrieved?",
        "One query can show several: an unjudged document on top, grades 1 and 2, more relevant documents "
        "than k, and one of them not retrieved. A query with nothing relevant is a second test.",
        "tests = [(['x', 'a', 'b'], {'a': 1, 'b': 2, 'c': 1, 'd': 2}, 2), (['a'], {'a': 0}, 1)]. A variant "
        "is wrong if abs(variant(*test) - ndcg_at_k(*test)) > 1e-9 for any test.",
    ),
    difficulty=3,
    minutes=20,
    further="Two calls are enough for these six. Which wrong nDCG would pass both of yours?",
)


def _found_by(variants, *tests, close=1e-9):
    """The places of the variants that fail one of these tests."""

    def is_wrong(variant):
        return any(abs(variant(*test) - ndcg_at_k(*test)) > close for test in tests)

    return [place for place, variant in enumerate(variants) if is_wrong(variant)]


def _without(places, variants, *passed):
    """Of the places those whose function does not pass the reader's tests."""
    return [place for place in places if variants[place] not in passed]


NOTHING = (["a"], {"a": 0}, 1)
FULL = ["x", "a", "b"], {"a": 1, "b": 2, "c": 1, "d": 2}, 2


@WRONG_NDCGS.mistake("no grade above 1")
def no_grade_above_one(variants):
    """The function with another gain passes your tests. Up to grade 1, 2^grade − 1 is the grade itself: use a
    higher grade. And a difference counts whether it is up or down."""
    return _without(wrong_ndcgs(variants), variants, exponential)


@WRONG_NDCGS.mistake("never more relevant than k")
def k_is_large(variants):
    """The function that does not cut the ideal ranking passes your tests. It differs where more documents are
    relevant than k, and gives too little there: a difference counts whether it is up or down."""
    return _without(wrong_ndcgs(variants), variants, ideal_not_cut)


@WRONG_NDCGS.mistake("all relevant ones retrieved")
def all_retrieved(variants):
    """The function whose ideal is made of the retrieved documents passes your tests. It differs where a good
    document was not retrieved: leave one out."""
    return _without(wrong_ndcgs(variants), variants, ideal_of_the_retrieved)


@WRONG_NDCGS.mistake("no unjudged document")
def none_unjudged(variants):
    """The function that passes over unjudged documents passes your tests. An engine also returns what nobody
    has judged: put such a document above a relevant one, within the first k."""
    return _without(wrong_ndcgs(variants), variants, unread_passed_over)


@WRONG_NDCGS.mistake("always something relevant")
def always_relevant(variants):
    """The function that gives 1 where nothing is relevant passes your tests. What it gives there is a
    convention, and moves the mean: add a query whose grades are all 0, or that has none."""
    return _without(wrong_ndcgs(variants), variants, one_for_nothing)


@WRONG_NDCGS.mistake("only relevance at rank 1")
def only_the_top(variants):
    """Your tests look at rank 1 alone, where each discount is 1. Put a relevant document below it, and within
    the first k."""
    return _found_by(variants, (["a", "b"], {"a": 1, "b": 2}, 1), NOTHING)


@WRONG_NDCGS.mistake("none is found")
def none_is_found(variants):
    """In this call you find no wrong function. Is your test a perfect ranking? There every function gives 1:
    use a ranking that has something to lose. Or do you call a function wrong only if it fails all tests? One
    failure is enough."""
    return _found_by(variants, (["a", "b"], {"a": 2, "b": 1}, 2))


@WRONG_NDCGS.mistake("the ideal ranking, and nothing relevant")
def perfect_ranking_and_nothing(variants):
    """Apart from the query with nothing relevant, your test is a perfect ranking, for which every function
    gives 1. Use one that has something to lose: a bad order, a missing document, an unjudged one on top."""
    return _found_by(variants, (["a", "b"], {"a": 2, "b": 1}, 2), NOTHING)


def _calling_wrong(*right):
    """Finds the wrong ones, and of the right ones those that are named."""

    def all_the_digits(variants):
        wrong = wrong_ndcgs(variants)
        return [n for n, variant in enumerate(variants) if n in wrong or variant in right]

    return all_the_digits


# One right function passes and another fails, and their values differ in the last digits only.
for _name, _right in {
    "compared with ==": (g, h),
    "compared with ==, the second refused": (g,),
    "compared with ==, the third refused": (h,),
    "compared exactly with a function of one's own": (f,),
    "compared exactly with one like the second": (f, h),
    "compared exactly with one like the third": (f, g),
}.items():
    WRONG_NDCGS.mistake(
        _name,
        "You call a right function wrong. Two that are right may differ in the last digit, since they "
        "compute in another way: you compare with == or !=, or to more digits than a computer has. Let "
        "differences up to 1e-9 pass.",
    )(_calling_wrong(*_right))


@WRONG_NDCGS.mistake("too wide a tolerance")
def tolerance_too_wide(variants):
    """You let large differences pass. Two conventions may differ only in the second decimal: use 1e-9."""
    return _found_by(variants, FULL, NOTHING, close=0.2)


@WRONG_NDCGS.mistake("the right ones")
def the_right_ones(variants):
    """In this call you return the places of the right functions. The task asks for the wrong ones."""
    wrong = wrong_ndcgs(variants)
    return [place for place in range(len(variants)) if place not in wrong]


@WRONG_NDCGS.mistake("places from 1")
def places_from_one(variants):
    """You count places from 1. Places of a list are counted from 0, as in `variants[0]`."""
    return [place + 1 for place in wrong_ndcgs(variants)]


@WRONG_NDCGS.mistake("True and False")
def yes_or_no(variants):
    """You say of each function whether it is wrong. The task asks for the places of those that are."""
    wrong = wrong_ndcgs(variants)
    return [place in wrong for place in range(len(variants))]


@WRONG_NDCGS.mistake("only the first")
def only_the_first(variants):
    """You stop at the first wrong function. Go through all of them."""
    return wrong_ndcgs(variants)[:1]


@WRONG_NDCGS.mistake("a ranking of all that was judged")
def all_that_was_judged(variants):
    """Both functions with a wrong ideal pass your tests. Use more relevant documents than k, and leave a good
    one out of the ranking; a difference counts whether it is up or down."""
    return _without(wrong_ndcgs(variants), variants, ideal_of_the_retrieved, ideal_not_cut)


@WRONG_NDCGS.mistake("no unjudged document, all relevant ones retrieved")
def judged_and_retrieved(variants):
    """Two wrong ones pass your tests: the one that passes over unjudged documents, and the one whose ideal is
    made of the retrieved. Put an unjudged document above a relevant one, and leave a good one out."""
    return _without(wrong_ndcgs(variants), variants, unread_passed_over, ideal_of_the_retrieved)


@WRONG_NDCGS.mistake("no unjudged document, k not below what is relevant")
def judged_and_k_large(variants):
    """Two wrong ones pass your tests: the one that passes over unjudged documents, and the one that does not
    cut the ideal. Put an unjudged document above a relevant one, and use more relevant ones than k."""
    return _without(wrong_ndcgs(variants), variants, unread_passed_over, ideal_not_cut)


@WRONG_NDCGS.mistake("every document judged and ranked")
def judged_and_ranked(variants):
    """Three wrong ones pass your tests: both with a wrong ideal, and the one that passes over unjudged
    documents. Rank an unjudged one, leave a good one out, and use more relevant ones than k."""
    return _without(
        wrong_ndcgs(variants), variants, unread_passed_over, ideal_of_the_retrieved, ideal_not_cut
    )


@WRONG_NDCGS.mistake("how many are wrong")
def how_many(variants):
    """You return how many are wrong. The task asks for their places in the list."""
    return len(wrong_ndcgs(variants))


@WRONG_NDCGS.mistake("no test of the discount")
def no_test_of_the_discount(variants):
    """The function with another discount passes your tests. It pays more than yours from rank 2 on: put a
    relevant document below rank 1, and use an order that is not the best."""
    return _without(wrong_ndcgs(variants), variants, old_discount)


@WRONG_NDCGS.mistake("the functions themselves")
def functions_themselves(variants):
    """You return the wrong functions. The task asks for their places in the list, from 0."""
    return [variants[place] for place in wrong_ndcgs(variants)]


@WRONG_NDCGS.mistake("whether any is wrong")
def whether_any(variants):
    """You say whether any of them is wrong. The task asks for the places of those that are."""
    return bool(wrong_ndcgs(variants))
