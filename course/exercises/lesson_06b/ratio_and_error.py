"""Exercise: a ratio of two sums over people, and its standard error by the delta method."""

import math

import numpy as np

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def ratio_and_error(clicks, queries):
    n = len(queries)
    if n < 2 or sum(queries) == 0:
        raise ValueError("needed: two people or more, and a query")
    ratio, per_person = sum(clicks) / sum(queries), sum(queries) / n
    parts = [(c - ratio * q) / per_person for c, q in zip(clicks, queries, strict=True)]
    variance = sum(part**2 for part in parts) / (n - 1)
    return ratio, (variance / n) ** 0.5


RATIO_AND_ERROR = Exercise(
    name="RATIO_AND_ERROR",
    task="""\
Section 3 measured clicks per query, where people ask different numbers of queries. The people were \
assigned, so the people are the units.

Write `ratio_and_error(clicks, queries)`. It returns all clicks divided by all queries, and the standard \
error of that ratio. `clicks` and `queries` are lists with one number for each person of one side, in the \
same order.

**Convention** (delta method): R is the sum of the clicks divided by the sum of the queries. Person i \
contributes (clicksᵢ − R · queriesᵢ) / (mean queries per person); these n numbers have the mean 0. The \
standard error is s / √n, where s is their standard deviation (divisor n − 1). Return (R, standard error). \
Raise a ValueError for fewer than two people, for lists of different lengths, and if there is no query at \
all.""",
    reference=ratio_and_error,
    cases=(
        Case(([1, 0, 1, 0], [1, 1, 1, 1]), "one query each: R is the mean, and its error is that of a mean"),
        Case(([1, 4], [2, 8]), "both click on half of their queries: people do not differ, the error is 0"),
        Case(([2, 0], [2, 8]), "2 of 10 queries; the mean of the two rates, 0.5, is another number"),
        Case(([2, 1, 0], [2, 2, 2]), "three people with two queries each"),
        Case(([0, 0, 0], [1, 2, 3]), "nobody clicked: R is 0, and people do not differ"),
        Case(([3, 1, 0, 5], [4, 1, 2, 9]), "9 of 16 queries, by four people who ask very differently"),
        Case(([1, 0, 2], [1, 0, 3]), "a person who asked nothing is one of the three; R is 3/4"),
        Case(
            ([2, 0, 5, 1, 3, 0, 4], [3, 1, 9, 4, 3, 0, 7]),
            "15 of 27 queries, by seven people, one of whom asked nothing",
        ),
        Case(([3, 0], [1, 1]), "several clicks on one query: a ratio above 1 is possible"),
        Case(([1], [2]), "one person has no spread"),
        Case(([0, 0], [0, 0]), "no query at all"),
        Case(([1, 2, 1], [2, 4]), "three people in one list and two in the other: something is missing"),
        Case(([10, 0, 0, 0, 0], [10, 10, 10, 10, 10]), "50 queries, and all clicks by one person"),
    ),
    hints=(
        "Compute R first. Then one number for each person: by how much do their clicks differ from what R "
        "would give for their queries? Then the standard error of the mean of these numbers.",
        "parts = [(c - R * q) / mean_queries for c, q in zip(clicks, queries)]. Their mean is 0, so the "
        "variance is the sum of their squares divided by n - 1.",
        "R = sum(clicks) / sum(queries); mean_queries = sum(queries) / n; the error is (sum(part**2 for part "
        "in parts) / (n - 1) / n) ** 0.5. Before that, raise ValueError for n < 2, for lists that differ in "
        "length, and if nobody asked.",
    ),
    difficulty=2,
    minutes=12,
    further="If you counted each query as one observation, when would the error be too small, and when "
    "right?",
)


def _checked(clicks, queries):
    if len(queries) < 2 or len(clicks) != len(queries) or sum(queries) == 0:
        raise ValueError
    return len(queries), sum(clicks) / sum(queries)


def _answer(clicks, queries, ratio=None, parts=None, less=1, root=True, checked=_checked):
    """The reference with one part exchanged."""
    n, true_ratio = checked(clicks, queries)
    per_person = sum(queries) / n
    usual = [(c - true_ratio * q) / per_person for c, q in zip(clicks, queries, strict=False)]
    values = usual if parts is None else parts(clicks, queries, true_ratio)
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - less)
    error = (variance / (n if root else 1)) ** 0.5
    return (true_ratio if ratio is None else ratio(clicks, queries)), error


def _mean_rate(clicks, queries):
    rates = [c / q for c, q in zip(clicks, queries, strict=True) if q]
    return sum(rates) / len(rates)


@RATIO_AND_ERROR.mistake("mean of the rates")
def mean_of_the_rates(clicks, queries):
    """Your ratio is the mean of the people's own rates, the rate of the average user. The task asks
    for clicks per query, where a person who asks more counts for more: divide the sums."""
    return _answer(clicks, queries, ratio=_mean_rate)


@RATIO_AND_ERROR.mistake("queries as observations")
def queries_as_observations(clicks, queries):
    """You count each query as an observation of its own. The queries of one person are alike, so the error
    comes out too small; people were assigned, and people are the units."""
    _, ratio = _checked(clicks, queries)
    return ratio, (ratio * (1 - ratio) / sum(queries)) ** 0.5 if 0 <= ratio <= 1 else 0.0


@RATIO_AND_ERROR.mistake("spread of the rates")
def spread_of_the_rates(clicks, queries):
    """You take the spread of the people's own rates. That is the error of their mean. In the ratio, a
    person who asks more counts for more, and (clicks − R · queries) / mean queries says how much."""
    return _answer(
        clicks,
        queries,
        parts=lambda clicks, queries, ratio: [
            c / q if q else 0.0 for c, q in zip(clicks, queries, strict=True)
        ],
    )


@RATIO_AND_ERROR.mistake("queries taken as fixed")
def queries_fixed(clicks, queries):
    """You take the spread of the clicks and divide by the mean of the queries. The queries differ between
    people too: subtract R · queries from each person's clicks first."""
    return _answer(
        clicks,
        queries,
        parts=lambda clicks, queries, ratio: [c * len(queries) / sum(queries) for c in clicks],
    )


@RATIO_AND_ERROR.mistake("not divided by the mean queries")
def not_divided(clicks, queries):
    """You leave out the division by the mean number of queries. Then the error is in clicks per person, and
    the ratio in clicks per query."""
    return _answer(
        clicks,
        queries,
        parts=lambda clicks, queries, ratio: [c - ratio * q for c, q in zip(clicks, queries, strict=True)],
    )


@RATIO_AND_ERROR.mistake("divided by the person's own queries")
def by_own_queries(clicks, queries):
    """You divide by each person's own number of queries. Divide by the mean of all: otherwise a person who
    asks a lot counts no more than one who asks once."""
    return _answer(
        clicks,
        queries,
        parts=lambda clicks, queries, ratio: [
            (c - ratio * q) / q for c, q in zip(clicks, queries, strict=True)
        ],
    )


@RATIO_AND_ERROR.mistake("divisor n")
def divisor_n(clicks, queries):
    """Your s divides by n. The numbers spread less around their own mean than around the true one; n − 1
    makes up for that."""
    return _answer(clicks, queries, less=0)


@RATIO_AND_ERROR.mistake("without the root of n")
def standard_deviation(clicks, queries):
    """You return the standard deviation between people. The error of the ratio is that divided by √n: more
    people make it smaller."""
    return _answer(clicks, queries, root=False)


@RATIO_AND_ERROR.mistake("the variance")
def the_variance(clicks, queries):
    """Your second number is the squared error. Take the root: it has the unit of the ratio then."""
    ratio, error = ratio_and_error(clicks, queries)
    return ratio, error**2


@RATIO_AND_ERROR.mistake("nobody who asked nothing")
def askers_only(clicks, queries):
    """You leave out people without a query. They were assigned, and count in n and in the mean number of
    queries."""
    _checked(clicks, queries)
    asked = [(c, q) for c, q in zip(clicks, queries, strict=True) if q]
    return ratio_and_error([c for c, _ in asked], [q for _, q in asked])


@RATIO_AND_ERROR.mistake("different lengths cut")
def lengths_not_compared(clicks, queries):
    """You let zip cut the longer list. Where the lists differ, clicks and queries of different people may be
    put together: raise ValueError."""
    return _answer(clicks, queries, checked=lambda clicks, queries: _checked(clicks[: len(queries)], queries))


@RATIO_AND_ERROR.mistake("0 for one person")
def zero_for_one(clicks, queries):
    """You give an error of 0 for one person. The spread cannot be known from one person, and 0 would read as
    certain: raise ValueError."""
    if len(queries) == 1 and sum(queries):
        return sum(clicks) / sum(queries), 0.0
    return ratio_and_error(clicks, queries)


@RATIO_AND_ERROR.mistake("0 without a query")
def zero_without_queries(clicks, queries):
    """You give 0 where nobody asked. Nothing was measured: raise ValueError."""
    return ratio_and_error(clicks, queries) if sum(queries) else (0.0, 0.0)


@RATIO_AND_ERROR.mistake("no query reaches the division")
def zero_division(clicks, queries):
    """If nobody asked, your function stops with a ZeroDivisionError, which does not say what is wrong: raise
    ValueError."""
    return ratio_and_error(clicks, queries) if sum(queries) else 1 / 0


@RATIO_AND_ERROR.mistake("error first")
def error_first(clicks, queries):
    """You return the error first. Return (R, standard error)."""
    return ratio_and_error(clicks, queries)[::-1]


@RATIO_AND_ERROR.mistake("mean of the rates, and in the error")
def mean_of_the_rates_throughout(clicks, queries):
    """You average each person's own rate, and take that for R in the error as well. A person with one query
    then counts as much as one with fifty. R is all clicks over all queries."""
    _checked(clicks, queries)
    rate, per_person = _mean_rate(clicks, queries), sum(queries) / len(queries)
    parts = [(c - rate * q) / per_person for c, q in zip(clicks, queries, strict=True)]
    return rate, (np.var(parts, ddof=1) / len(parts)) ** 0.5


@RATIO_AND_ERROR.mistake("mean of the rates, about R")
def mean_of_the_rates_about_it(clicks, queries):
    """You average each person's own rate, and measure the error from there. A person with one query then
    counts as much as one with fifty. R is all clicks over all queries."""
    _checked(clicks, queries)
    rate, n = _mean_rate(clicks, queries), len(queries)
    parts = [(c - rate * q) * n / sum(queries) for c, q in zip(clicks, queries, strict=True)]
    return rate, (sum(part**2 for part in parts) / (n - 1) / n) ** 0.5


@RATIO_AND_ERROR.mistake("n in place of its root")
def n_in_place_of_its_root(clicks, queries):
    """You divide s by n. The standard error of a mean is s / √n."""
    ratio, error = ratio_and_error(clicks, queries)
    return ratio, error / len(clicks) ** 0.5


@RATIO_AND_ERROR.mistake("root of n − 1")
def root_of_one_less(clicks, queries):
    """You divide by the root of n − 1. The n − 1 stands inside s; the standard error of a mean is s / √n."""
    ratio, error = ratio_and_error(clicks, queries)
    return ratio, error * (len(clicks) / (len(clicks) - 1)) ** 0.5


@RATIO_AND_ERROR.mistake("half the interval")
def half_the_interval(clicks, queries):
    """You return 1.96 standard errors, half the width of an interval. Return the standard error
    itself."""
    ratio, error = ratio_and_error(clicks, queries)
    return ratio, 1.96 * error


@RATIO_AND_ERROR.mistake("clicks per person")
def clicks_per_person(clicks, queries):
    """You return clicks per person. The ratio is clicks per query: all clicks over all queries."""
    return _answer(clicks, queries, ratio=lambda clicks, queries: sum(clicks) / len(clicks))


@RATIO_AND_ERROR.mistake("queries per click")
def queries_per_click(clicks, queries):
    """Your ratio is upside down: queries over clicks. The task asks for clicks per query."""
    return _answer(
        clicks, queries, ratio=lambda clicks, queries: sum(queries) / sum(clicks) if sum(clicks) else math.inf
    )


@RATIO_AND_ERROR.mistake("R not times the queries")
def ratio_not_times_queries(clicks, queries):
    """You subtract R from each person's clicks. A person who asked q times is expected to click R · q times,
    so subtract that."""
    _, ratio = _checked(clicks, queries)
    parts = [(c - ratio) * len(queries) / sum(queries) for c in clicks]
    return ratio, (sum(part**2 for part in parts) / (len(parts) - 1) / len(parts)) ** 0.5


def _mean_rate_of_all(clicks, queries):
    return sum(c / q if q else 0.0 for c, q in zip(clicks, queries, strict=True)) / len(queries)


_ZERO_RATES = (
    "You average each person's own rate, with 0 for those who asked nothing. A person with one query then "
    "counts as much as one with fifty. R is all clicks over all queries."
)


@RATIO_AND_ERROR.mistake("mean of the rates, 0 for who asked nothing", _ZERO_RATES)
def mean_of_all_rates(clicks, queries):
    return _answer(clicks, queries, ratio=_mean_rate_of_all)


@RATIO_AND_ERROR.mistake("mean of the rates, 0 for who asked nothing, and in the error", _ZERO_RATES)
def mean_of_all_rates_throughout(clicks, queries):
    return _answer(
        clicks, queries, ratio=_mean_rate_of_all,
        parts=lambda clicks, queries, ratio: [
            (c - _mean_rate_of_all(clicks, queries) * q) * len(queries) / sum(queries)
            for c, q in zip(clicks, queries, strict=True)
        ],
    )  # fmt: skip


@RATIO_AND_ERROR.mistake("spread of the rates, about their mean")
def rates_throughout(clicks, queries):
    """You take the mean of the people's own rates, and its standard error. That is the rate of the average
    user. Here a person who asks more counts for more: R is all clicks over all queries."""
    return _answer(
        clicks, queries, ratio=_mean_rate_of_all,
        parts=lambda clicks, queries, ratio: [
            c / q if q else 0.0 for c, q in zip(clicks, queries, strict=True)
        ],
    )  # fmt: skip


@RATIO_AND_ERROR.mistake("divided by all queries")
def by_all_queries(clicks, queries):
    """You divide each person's part by the sum of the queries. Divide by their mean per person: with the
    sum, the error comes out n times too small."""
    return _answer(
        clicks,
        queries,
        parts=lambda clicks, queries, ratio: [
            (c - ratio * q) / sum(queries) for c, q in zip(clicks, queries, strict=True)
        ],
    )


@RATIO_AND_ERROR.mistake("divided by the mean clicks")
def by_the_mean_clicks(clicks, queries):
    """You divide by the mean number of clicks. The ratio has the queries below the line: divide by their
    mean."""
    return _answer(
        clicks,
        queries,
        parts=lambda clicks, queries, ratio: [
            (c - ratio * q) * len(clicks) / (sum(clicks) or 1) for c, q in zip(clicks, queries, strict=True)
        ],
    )


@RATIO_AND_ERROR.mistake("counted as a Poisson number")
def poisson(clicks, queries):
    """Your error is √(all clicks) / all queries, as if clicks were independent events. They come from people,
    who were assigned, and the error must reflect how much people differ."""
    _, ratio = _checked(clicks, queries)
    return ratio, sum(clicks) ** 0.5 / sum(queries)


@RATIO_AND_ERROR.mistake("people as yes or no")
def people_as_yes_or_no(clicks, queries):
    """Your error is √(R · (1 − R) / n), that of a share of n yes or no answers. A person contributes several
    queries and clicks: take the spread of what each contributes."""
    n, ratio = _checked(clicks, queries)
    return ratio, (ratio * (1 - ratio) / n) ** 0.5 if ratio <= 1 else 0.0


@RATIO_AND_ERROR.mistake("covariance left out")
def covariance_left_out(clicks, queries):
    """You add the errors of clicks and queries as if the two were independent. A person who asks more clicks
    more, and each person's difference clicks − R · queries allows for that."""
    n, ratio = _checked(clicks, queries)
    variance = np.var(clicks, ddof=1) + ratio**2 * np.var(queries, ddof=1)
    return ratio, float((variance / n) ** 0.5 * n / sum(queries))


@RATIO_AND_ERROR.mistake("added, not taken away")
def added_not_taken_away(clicks, queries):
    """You add R · queries to each person's clicks. Subtract it: what is left is how much more or less they
    click than expected."""
    return _answer(
        clicks,
        queries,
        parts=lambda clicks, queries, ratio: [
            (c + ratio * q) * len(queries) / sum(queries) for c, q in zip(clicks, queries, strict=True)
        ],
    )


@RATIO_AND_ERROR.mistake("without queries refused")
def without_queries_refused(clicks, queries):
    """You refuse a person who asked nothing. Such people were assigned too; raise an error only if nobody
    asked."""
    if not all(queries):
        raise ValueError("everybody must have asked")
    return ratio_and_error(clicks, queries)


@RATIO_AND_ERROR.mistake("above 1 refused")
def above_1_refused(clicks, queries):
    """You refuse more clicks than queries. Several clicks on one query are possible, so the ratio may be
    above 1."""
    if any(c > q for c, q in zip(clicks, queries, strict=True)):
        raise ValueError("more clicks than queries")
    return ratio_and_error(clicks, queries)


@RATIO_AND_ERROR.mistake("cut off at 1")
def cut_off_at_1(clicks, queries):
    """You cut the ratio off at 1. Several clicks on one query are possible: it stays as it is."""
    ratio, error = ratio_and_error(clicks, queries)
    return min(ratio, 1.0), error


@RATIO_AND_ERROR.mistake("root of the queries")
def root_of_the_queries(clicks, queries):
    """You divide s by the root of the number of queries. There are n people, and each contributes one number:
    the error is s / √n."""
    ratio, error = ratio_and_error(clicks, queries)
    return ratio, error * (len(queries) / sum(queries)) ** 0.5
