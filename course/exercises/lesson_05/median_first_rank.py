"""Exercise: the median rank of the first relevant document, with misses counted as misses."""

import math
from statistics import fmean, median, median_high, median_low

from course.exercises.cases import Case, Mistake
from course.exercises.exercise import Exercise


def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no query, so there is no median")
    ordered = sorted(float("inf") if rank is None else rank for rank in ranks)
    n = len(ordered)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def _with_inf(ranks):
    return [math.inf if rank is None else rank for rank in ranks]


def _found(ranks):
    return [rank for rank in ranks if rank is not None]


def _misses_dropped(ranks):
    return median(_found(ranks))


def _misses_as_0(ranks):
    return median(rank or 0 for rank in ranks)


def _misses_as_the_worst_rank(ranks):
    worst = max(_found(ranks), default=0)
    return median(worst if rank is None else rank for rank in ranks)


def _misses_behind_the_worst_rank(ranks):
    worst = max(_found(ranks), default=0)
    return median(worst + 1 if rank is None else rank for rank in ranks)


def _misses_as_nan(ranks):
    return math.nan if None in ranks else median(ranks)


def _lower(ranks):
    return median_low(_with_inf(ranks))


def _upper(ranks):
    return median_high(_with_inf(ranks))


def _mean(ranks):
    return fmean(_with_inf(ranks))


def _mean_of_the_found(ranks):
    return fmean(_found(ranks))


def _not_sorted(ranks):
    given, n = _with_inf(ranks), len(ranks)
    if not n:
        raise ValueError
    return (given[(n - 1) // 2] + given[n // 2]) / 2


def _none_is_sorted(ranks):
    return median(ranks)


def _none_for_a_miss(ranks):
    middle = median_first_rank(ranks)
    return None if middle == math.inf else middle


def _the_better_of_two_where_one_is_a_miss(ranks):
    middle = median_first_rank(ranks)
    return _lower(ranks) if middle == math.inf else middle


def _rounded_down(ranks):
    middle = median_first_rank(ranks)
    return math.nan if middle == math.inf else middle // 1


def _zero_without_queries(ranks):
    return median_first_rank(ranks) if ranks else 0.0


def _takes_any_list(ranks):
    return median_first_rank(ranks) if ranks else ranks[0]


MEDIAN_FIRST_RANK = Exercise(
    name="MEDIAN_FIRST_RANK",
    task="""\
Write `median_first_rank(ranks)`: how far down a typical query's reader has to go to the first relevant document.

`ranks` is a list with one entry a query: the rank of its first relevant document, or None where none was found.

**Convention**: every query counts. A miss is worse than every rank, however large: it counts as infinity, `float("inf")`, and the result \
is infinity where the median falls on misses. With an even number of queries the median is the mean of the two in the middle, so it is \
infinity if one of these is a miss. An empty list raises ValueError.""",
    reference=median_first_rank,
    cases=(
        Case(([1, 2, 3],), "one query is better, one worse: rank 2 lies in the middle"),
        Case(([1, 2, None],), "a miss is worse than every rank, so rank 2 still lies in the middle"),
        Case(([3, 1, 2],), "the middle of the ranks in their order, not of the list as it came"),
        Case(([1, 3],), "two lie in the middle: their mean"),
        Case(([2, 1],), "half a rank is a median too: 1.5"),
        Case(([1, None, None],), "most queries failed, and the median must say so"),
        Case(([1, None],), "one of the two in the middle is a miss"),
        Case(([None, 6, 1, 4],), "1, 4, 6 and a miss: the middle lies between 4 and 6"),
        Case(([1, 1, 1, 50],), "one bad query does not move a median"),
        Case(([1, 1, 2, None, None],), "two of five failed, and the third of five stands at rank 2"),
        Case(([7],), "one query is its own median"),
        Case(([],), "without a query there is nothing to be said"),
    ),
    hints=(
        "Stand the queries in a row, the best first. Where do those go that found nothing? Then look who stands in the middle.",
        'Put float("inf") in the place of None; it sorts behind every number. With n entries the middle two are at (n - 1) // 2 and n // 2, '
        "which is one and the same where n is odd.",
        'If not ranks: raise ValueError(…). ordered = sorted(float("inf") if rank is None else rank for rank in ranks); return '
        "(ordered[(n - 1) // 2] + ordered[n // 2]) / 2.",
    ),
    mistakes=(
        Mistake(
            "misses dropped",
            _misses_dropped,
            "You leave out the queries that found nothing. Then an engine that answers one query, and well, has the best median of all. A "
            "miss is worse than every rank, and counts.",
        ),
        Mistake(
            "misses as 0",
            _misses_as_0,
            "You count a miss as 0, which is better than rank 1. For the reciprocal rank 0 is the worst value; for a rank it would be the "
            "best. A miss goes to the other end.",
        ),
        Mistake(
            "misses as the worst rank",
            _misses_as_the_worst_rank,
            "You give a miss the worst rank that was found, so it looks as if somebody had got there. The value then depends on the other "
            "queries. A miss is worse than every rank: infinity.",
        ),
        Mistake(
            "misses one behind the worst rank",
            _misses_behind_the_worst_rank,
            "You put a miss one place behind the worst rank that was found. It sorts well, but where the median falls on a miss you name a "
            "rank at which nothing stands. A miss is infinity.",
        ),
        Mistake(
            "misses as NaN",
            _misses_as_nan,
            "None became NaN, and one miss makes the whole median NaN. A miss is not unknown: it is worse than every rank. Put infinity in "
            "its place before you compute.",
        ),
        Mistake(
            "None among numbers",
            _none_is_sorted,
            "None cannot be compared with a number, so a list with a miss cannot be sorted. Decide first what a miss is worth.",
        ),
        Mistake(
            "lower median",
            _lower,
            "You take the lower of the two in the middle. With an even number of queries that hides half of what is there; the convention "
            "is their mean.",
        ),
        Mistake(
            "upper median",
            _upper,
            "You take the upper of the two in the middle: len(ranks) // 2 is the second of them where the number is even. The convention is "
            "the mean of both.",
        ),
        Mistake(
            "half ranks rounded down",
            _rounded_down,
            "You divide by 2 with //, which rounds down, and makes NaN of infinity. A median between rank 1 and rank 2 is 1.5.",
        ),
        Mistake(
            "mean",
            _mean,
            "You take the mean. One query at rank 50 moves it far, and one miss makes it infinite. A median asks for the query in the middle.",
        ),
        Mistake(
            "mean of those found",
            _mean_of_the_found,
            "You take the mean over the queries that found something. It leaves the failures out, and one query at rank 50 moves it far. "
            "Asked is the query in the middle, misses included.",
        ),
        Mistake(
            "not sorted",
            _not_sorted,
            "You take the middle of the list as it came: the rank of whichever query stands there. Sort first.",
        ),
        Mistake(
            "None where the median is a miss",
            _none_for_a_miss,
            "Your order is right, but you return None where the median falls on a miss. Infinity can be compared and drawn: it is larger "
            "than every rank.",
        ),
        Mistake(
            "the better of two",
            _the_better_of_two_where_one_is_a_miss,
            "Where one of the two in the middle is a miss, you take the other. Half of the queries failed, and the value hides it: the mean "
            "with infinity is infinity.",
        ),
        Mistake(
            "0 without queries",
            _zero_without_queries,
            "You give 0 for no queries at all: better than rank 1, for an engine that was never asked. An empty list raises ValueError.",
        ),
        Mistake(
            "empty list reaches the index",
            _takes_any_list,
            "All ranks are right, but an empty list ends in an IndexError, which tells its reader nothing. Raise ValueError and say what is "
            "missing.",
        ),
    ),
)
