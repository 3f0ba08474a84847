"""Exercise: the median rank of the first relevant document, with misses counted as misses."""

import math
from statistics import fmean, median, median_high, median_low, mode

import numpy as np

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no query, so there is no median")
    ordered = sorted(float("inf") if rank is None else rank for rank in ranks)
    n = len(ordered)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


MEDIAN_FIRST_RANK = Exercise(
    name="MEDIAN_FIRST_RANK",
    task="""\
Write `median_first_rank(ranks)`: how far down the reader of a typical query has to go to the first \
relevant document.

`ranks` is a list with one entry per query: the rank of its first relevant document, or None where none was \
found.

**Convention**: every query counts. A miss is worse than every rank, however large. It counts as infinity, \
`float("inf")`, and the result is infinity where the median falls on a miss. With an even number of queries \
the median is the mean of the two in the middle, so it is infinity if either of them is a miss. An empty \
list raises ValueError.""",
    reference=median_first_rank,
    cases=(
        Case(([1, 2, 3],), "one query is better, one worse: rank 2 is in the middle"),
        Case(([1, 2, None],), "a miss is worse than every rank, so rank 2 is still in the middle"),
        Case(([3, 1, 2],), "the middle of the sorted ranks, not of the list as it came"),
        Case(([1, 3],), "two are in the middle: take their mean"),
        Case(([2, 1],), "half a rank is a median too: 1.5"),
        Case(([1, None, None],), "most queries failed, and the median must say so"),
        Case(([1, None],), "one of the two in the middle is a miss"),
        Case(([10, 100, 9, None, 2, 12],), "2, 9, 10, 12, 100 and a miss: the middle is between 10 and 12"),
        Case(
            ([30, 7, None, 100, 9, 11, None, 10, 2],),
            "the fifth of nine: 2, 7, 9, 10, 11 and four that are worse",
        ),
        Case(([None, 6, 1, 4],), "1, 4, 6 and a miss: the middle is between 4 and 6"),
        Case(([1, 2, 4, 9],), "the middle is between 2 and 4; how far away the others are does not matter"),
        Case(([1, 1, 1, 50],), "one bad query does not move a median"),
        Case(([1, 1, 2, None, None],), "two of five failed, and the third of five is at rank 2"),
        Case(([7],), "one query is its own median"),
        Case(([],), "without a query there is no median"),
    ),
    hints=(
        "Put the queries in a row, the best first. Where do the queries go that found nothing? Then see "
        "which one is in the middle.",
        'Put float("inf") in the place of None; it sorts behind every number. With n entries the middle '
        "two are at (n - 1) // 2 and n // 2, which are the same place if n is odd.",
        'If not ranks: raise ValueError(…). ordered = sorted(float("inf") if rank is None else rank for '
        "rank in ranks); return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2.",
    ),
)


def _with_inf(ranks):
    return [math.inf if rank is None else rank for rank in ranks]


def _found(ranks):
    return [rank for rank in ranks if rank is not None]


@MEDIAN_FIRST_RANK.mistake("misses dropped")
def misses_dropped(ranks):
    """You leave out the queries that found nothing. Then an engine that answers a single query, but well, has
    the best median of all. A miss is worse than every rank, and counts."""
    return median(_found(ranks))


@MEDIAN_FIRST_RANK.mistake("misses as 0")
def misses_as_0(ranks):
    """You count a miss as 0, which is better than rank 1. For the reciprocal rank 0 is the worst value; for a
    rank it would be the best. A miss goes to the other end."""
    return median(rank or 0 for rank in ranks)


@MEDIAN_FIRST_RANK.mistake("misses as 0, the upper one")
def misses_as_0_upper(ranks):
    """Two things. You count a miss as 0, which is better than rank 1; it is worse than every rank: infinity.
    And of an even number you take the upper of the two in the middle; the convention is their mean."""
    return median_high(rank or 0 for rank in _not_empty(ranks))


@MEDIAN_FIRST_RANK.mistake("misses as 0, the lower one")
def misses_as_0_lower(ranks):
    """Two things. You count a miss as 0, which is better than rank 1; it is worse than every rank: infinity.
    And of an even number you take the lower of the two in the middle; the convention is their mean."""
    return median_low(rank or 0 for rank in _not_empty(ranks))


@MEDIAN_FIRST_RANK.mistake("misses as the worst rank")
def misses_as_the_worst_rank(ranks):
    """You give a miss the worst rank that was found, so it looks as if somebody had got there. The value then
    depends on the other queries. A miss is worse than every rank: infinity."""
    worst = max(_found(ranks), default=0)
    return median(worst if rank is None else rank for rank in ranks)


@MEDIAN_FIRST_RANK.mistake("misses one behind the worst rank")
def misses_behind_the_worst_rank(ranks):
    """You put a miss one place behind the worst rank that was found. It sorts well, but where the median
    falls on a miss you name a rank that no page has. A miss is infinity."""
    worst = max(_found(ranks), default=0)
    return median(worst + 1 if rank is None else rank for rank in ranks)


@MEDIAN_FIRST_RANK.mistake("misses as NaN")
def misses_as_nan(ranks):
    """With a miss your median is NaN: either None became NaN, or infinity was subtracted from infinity or
    multiplied by 0, as np.quantile does between two ranks. A miss is worse than every rank: infinity sorts
    behind them all, and the middle is then read off the sorted list."""
    return math.nan if None in ranks else median(ranks)


@MEDIAN_FIRST_RANK.mistake("infinity between two ranks")
def interpolated(ranks):
    """You compute the middle from the distance between two neighbours, as np.quantile does. With infinity
    that is inf − inf, or 0 times infinity, and both are NaN. Read the one or two in the middle off the sorted
    list, and take their mean."""
    with np.errstate(invalid="ignore"):
        return float(np.quantile(_with_inf(_not_empty(ranks)), 0.5))


@MEDIAN_FIRST_RANK.mistake("None among numbers")
def none_is_sorted(ranks):
    """None cannot be compared with a number, so a list with a miss cannot be sorted. Decide first what a miss
    is worth."""
    return median(ranks)


@MEDIAN_FIRST_RANK.mistake("lower median")
def lower(ranks):
    """You take the lower of the two in the middle. With an even number of queries that hides half of what is
    there; the convention is their mean."""
    return median_low(_with_inf(ranks))


@MEDIAN_FIRST_RANK.mistake("upper median")
def upper(ranks):
    """You take the upper of the two in the middle: len(ranks) // 2 is the second of them where the number is
    even. The convention is the mean of both."""
    return median_high(_with_inf(ranks))


@MEDIAN_FIRST_RANK.mistake("half ranks rounded down")
def rounded_down(ranks):
    """You divide by 2 with //, which rounds down, and makes NaN of infinity. A median between rank 1 and rank
    2 is 1.5."""
    middle = median_first_rank(ranks)
    return math.nan if middle == math.inf else middle // 1


@MEDIAN_FIRST_RANK.mistake("mean")
def mean(ranks):
    """You take the mean. One query at rank 50 moves it far, and one miss makes it infinite. A median asks for
    the query in the middle."""
    return fmean(_with_inf(ranks))


@MEDIAN_FIRST_RANK.mistake("mean of those found")
def mean_of_the_found(ranks):
    """You take the mean over the queries that found something. It leaves the failures out, and one query at
    rank 50 moves it far. The median is the query in the middle, misses included."""
    return fmean(_found(ranks))


@MEDIAN_FIRST_RANK.mistake("not sorted")
def not_sorted(ranks):
    """You take the middle of the list as it came: the rank of whichever query is there. Sort first."""
    given, n = _with_inf(ranks), len(ranks)
    if not n:
        raise ValueError
    return (given[(n - 1) // 2] + given[n // 2]) / 2


@MEDIAN_FIRST_RANK.mistake("None where the median is a miss")
def none_for_a_miss(ranks):
    """You return None where the median falls on a miss. Infinity can be compared and drawn: it is larger than
    every rank."""
    middle = median_first_rank(ranks)
    return None if middle == math.inf else middle


@MEDIAN_FIRST_RANK.mistake("the better of two")
def the_better_of_two_where_one_is_a_miss(ranks):
    """Where one of the two in the middle is a miss, you take the other. Half of the queries failed, and the
    value hides it: the mean with infinity is infinity."""
    middle = median_first_rank(ranks)
    return lower(ranks) if middle == math.inf else middle


@MEDIAN_FIRST_RANK.mistake("0 without queries")
def zero_without_queries(ranks):
    """You give 0 for no queries at all: better than rank 1, for an engine that was never asked. An empty list
    raises ValueError."""
    return median_first_rank(ranks) if ranks else 0.0


@MEDIAN_FIRST_RANK.mistake("empty list reaches the index")
def takes_any_list(ranks):
    """An empty list ends in an IndexError, which says nothing useful. Raise ValueError and say what is
    missing."""
    return median_first_rank(ranks) if ranks else ranks[0]


@MEDIAN_FIRST_RANK.mistake("misses as 1001")
def misses_as_1001(ranks):
    """You give a miss a large rank, such as 1001. Where the median falls on it, that number stands in a table
    as if somebody had read so far, and means with it depend on your choice. A miss is infinity."""
    return median(1001 if rank is None else rank for rank in _not_empty(ranks))


def _not_empty(ranks):
    if not ranks:
        raise ValueError("no query")
    return ranks


@MEDIAN_FIRST_RANK.mistake("misses as 1000")
def misses_as_1000(ranks):
    """You give a miss a large rank, such as 1000. Where the median falls on it, that number stands in a table
    as if somebody had read so far. A miss is infinity."""
    return median(1000 if rank is None else rank for rank in _not_empty(ranks))


@MEDIAN_FIRST_RANK.mistake("one miss makes all infinite")
def one_miss_makes_all_infinite(ranks):
    """One miss makes your result infinite, wherever the middle is. That is what a mean would do. A miss only
    goes behind all ranks; the median asks which query is in the middle."""
    return math.inf if None in ranks else median_first_rank(ranks)


@MEDIAN_FIRST_RANK.mistake("infinity without queries")
def infinity_without_queries(ranks):
    """You give infinity for an empty list, as if every query had failed. There was no query: the convention
    is a ValueError."""
    return median_first_rank(ranks) if ranks else math.inf


@MEDIAN_FIRST_RANK.mistake("misses in front")
def misses_in_front(ranks):
    """You put misses in front of rank 1, as 0 or −1, and call a middle that falls on one infinite. They
    belong at the other end: a miss is worse than every rank."""
    ordered = sorted(rank or 0 for rank in _not_empty(ranks))
    n = len(ordered)
    middle = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    return middle or math.inf


@MEDIAN_FIRST_RANK.mistake("reciprocal ranks")
def reciprocal(ranks):
    """You take the median of 1 / rank, with 0 for a miss. The middle of two reciprocals is not that of two
    ranks. Sort the ranks themselves."""
    middle = median(1 / rank if rank else 0 for rank in _not_empty(ranks))
    return 1 / middle if middle else math.inf


@MEDIAN_FIRST_RANK.mistake("infinite from half the queries on")
def infinite_from_half_on(ranks):
    """You give infinity where at least half of the queries failed, and else the median of those found. The
    misses stay in the row behind the others; they move the middle although it does not fall on them."""
    found = _found(_not_empty(ranks))
    return median(found) if 2 * len(found) > len(ranks) else math.inf


@MEDIAN_FIRST_RANK.mistake("misses as a large number")
def misses_as_a_million(ranks):
    """You take a large number for a miss. A median of it looks like a rank that was found; take infinity,
    float("inf"), which says that nothing was."""
    return median(10**6 if rank is None else rank for rank in _not_empty(ranks))


@MEDIAN_FIRST_RANK.mistake("misses as 9999")
def misses_as_9999(ranks):
    """You take a large number for a miss. A median of it looks like a rank that was found; take infinity,
    float("inf"), which says that nothing was."""
    return median(9999 if rank is None else rank for rank in _not_empty(ranks))


@MEDIAN_FIRST_RANK.mistake("misses one behind the number of queries")
def misses_behind_the_queries(ranks):
    """You put a miss one behind the number of queries. That number has nothing to do with ranks; take
    infinity, float("inf")."""
    return median(len(ranks) + 1 if rank is None else rank for rank in _not_empty(ranks))


@MEDIAN_FIRST_RANK.mistake("misses dropped, the upper one, infinity without any")
def misses_dropped_upper(ranks):
    """Two things in one: you leave out the queries without a find, and of an even number you take the upper
    middle. Put infinity for a miss, and take the mean of the middle two."""
    found = _found(_not_empty(ranks))
    return median_high(found) if found else math.inf


@MEDIAN_FIRST_RANK.mistake("the best rank")
def the_best_rank(ranks):
    """You return the best rank of all queries. The median is the one in the middle of the sorted ranks."""
    return min(_with_inf(_not_empty(ranks)))


_HALF_OF_A_LARGE_NUMBER = (
    "Where one of the two in the middle is a miss, you take the mean of a rank and a large number, and that "
    "looks like a rank. With infinity in the place of the large number the mean is infinity by itself."
)


def _large_made_infinite(ranks, large):
    middle = median(large if rank is None else rank for rank in _not_empty(ranks))
    return math.inf if middle == large else middle


@MEDIAN_FIRST_RANK.mistake("a billion made infinite afterwards", _HALF_OF_A_LARGE_NUMBER)
def billion_made_infinite(ranks):
    return _large_made_infinite(ranks, 10**9)


@MEDIAN_FIRST_RANK.mistake("a million made infinite afterwards", _HALF_OF_A_LARGE_NUMBER)
def million_made_infinite(ranks):
    return _large_made_infinite(ranks, 10**6)


@MEDIAN_FIRST_RANK.mistake("misses as a billion")
def misses_as_a_billion(ranks):
    """You take a large number for a miss. A median of it looks like a rank that was found; take infinity,
    float("inf"), which says that nothing was."""
    return median(10**9 if rank is None else rank for rank in _not_empty(ranks))


@MEDIAN_FIRST_RANK.mistake("equal ranks counted once")
def equal_counted_once(ranks):
    """You count equal ranks once, as a set does. Each query is one, also where several have the same rank:
    the median is the query in the middle."""
    return median_first_rank({*ranks})


@MEDIAN_FIRST_RANK.mistake("the middle of best and worst")
def middle_of_best_and_worst(ranks):
    """You take the middle between the best rank and the worst. One query then moves it far. The median is the
    query in the middle of the sorted ranks."""
    ordered = sorted(_with_inf(_not_empty(ranks)))
    return (ordered[0] + ordered[-1]) / 2


@MEDIAN_FIRST_RANK.mistake("the most frequent rank")
def most_frequent(ranks):
    """You return the rank that most queries have. The median is the one in the middle of the sorted ranks."""
    return mode(sorted(_with_inf(_not_empty(ranks))))


@MEDIAN_FIRST_RANK.mistake("the worst rank")
def the_worst_rank(ranks):
    """You return the worst rank of all queries. The median is the one in the middle of the sorted ranks."""
    return max(_with_inf(_not_empty(ranks)))


@MEDIAN_FIRST_RANK.mistake("the share of misses")
def share_of_misses(ranks):
    """You return which share of the queries found nothing. Return a rank: that of the query in the
    middle."""
    return _not_empty(ranks).count(None) / len(ranks)


@MEDIAN_FIRST_RANK.mistake("NaN where the median is a miss")
def nan_for_a_miss(ranks):
    """You return NaN where the median falls on a miss. NaN cannot be compared with any rank; infinity can,
    and is larger than every rank."""
    middle = median_first_rank(ranks)
    return math.nan if middle == math.inf else middle


@MEDIAN_FIRST_RANK.mistake("the harmonic mean")
def harmonic(ranks):
    """You take the harmonic mean: the number of queries by the sum of 1 / rank. The median is the query in
    the middle of the sorted ranks."""
    total = sum(1 / rank for rank in _not_empty(ranks) if rank)
    return len(ranks) / total if total else math.inf


def _of_sorted(ranks, key=float, further=0):
    """The reference with its order exchanged, or with places further down for an even number of queries."""
    ordered, n = [*sorted(_found(_not_empty(ranks)), key=key), *[math.inf] * ranks.count(None)], len(ranks)
    second = min(n // 2 + further, n - 1)
    return ordered[n // 2] if n % 2 else (ordered[n // 2 - 1 + further] + ordered[second]) / 2


@MEDIAN_FIRST_RANK.mistake("sorted as text")
def sorted_as_text(ranks):
    """You sort ranks as text, in which 10 comes before 9. Sort numbers."""
    return _of_sorted(ranks, key=str)


@MEDIAN_FIRST_RANK.mistake("one place too far")
def one_place_too_far(ranks):
    """With an even number of queries you take two places that are one too far down. Counted from 0, the two
    in the middle of n are n // 2 - 1 and n // 2."""
    return _of_sorted(ranks, further=1)
