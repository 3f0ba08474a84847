"""Exercise: how many queries it takes to see a difference, by the normal approximation."""

from functools import wraps

import numpy as np

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def queries_needed(differences, effect):
    n = len(differences)
    if n < 2 or effect == 0:
        raise ValueError("needed: at least two differences, and an effect that is not 0")
    mean = sum(differences) / n
    variance = sum((difference - mean) ** 2 for difference in differences) / (n - 1)
    return int(np.ceil(2.8**2 * variance / effect**2))


QUERIES_NEEDED = Exercise(
    name="QUERIES_NEEDED",
    task="""\
Write `queries_needed(differences, effect)`: how many queries a test set must have to show a true mean \
difference of `effect`.

`differences` are observed differences per query, a list of numbers; only their spread is used. \
**Convention** (two-sided 5 %, power 80 %, paired, normal approximation): n = (2.8 · s / effect)², rounded \
up to a whole number, with s the standard deviation of the m observed differences (divisor m − 1). (2.8 is \
1.96 + 0.84: the test's border, and 80 % of samples beyond it.) The sign of `effect` does not matter. Fewer \
than two differences, or an effect of 0, raise a ValueError.""",
    reference=queries_needed,
    cases=(
        Case(
            ([0.1, -0.1, 0.2, -0.2], 0.1),
            "s² is 0.1 / 3; 7.84 × 0.0333 / 0.01 is 26.1, and that takes 27 queries",
        ),
        Case(([0.1, -0.1, 0.2, -0.2], 0.05), "half the effect takes four times the queries: 104.5, so 105"),
        Case(([0.1, -0.1, 0.2, -0.2], -0.05), "B worse by 0.05 takes as many queries as B better by 0.05"),
        Case(
            ([0.2, -0.2, 0.4, -0.4], 0.1), "twice the spread takes four times the queries too: 104.5, so 105"
        ),
        Case(
            ([0.6, 0.4, 0.7, 0.3], 0.1),
            "all have moved up by 0.5: the spread is the same as in the first case, and so is n",
        ),
        Case(
            ([0.3, -0.1], 0.25),
            "two differences are just enough to know a spread: s² is 0.08, and 10.04 takes 11",
        ),
        Case(
            ([0.0, 0.0, 0.0, 0.0, 0.5], 0.025),
            "one query that moved is spread as well; s² is 0.05, and 627.2 takes 628",
        ),
        Case(([0.5, -0.5, 0.5, -0.5, 0.0], 2.0), "a huge effect would show in a single query"),
        Case(([0.2], 0.1), "one difference has no spread that could be known"),
        Case(([], 0.1), "no difference, no spread"),
        Case(([0.1, -0.1, 0.2], 0), "no number of queries shows an effect of 0"),
        Case(([0.0, 0.0, 0.0], 0.1), "no spread, no query: 0 is a whole number already"),
        Case(
            ([0.0] * 10 + [0.5, -0.5, 0.7], 0.005),
            "with 2.8 it is 24,887; more decimals of 1.96 and 0.84 would make it 24,916",
        ),
    ),
    hints=(
        "The mean over n queries wobbles by s / √n. It has to wobble so little that 2.8 of it fit into the "
        "effect: 2.8 · s / √n = effect. Solve for n.",
        "s²: each difference minus their mean, squared, added up, divided by len(differences) - 1 "
        "(np.var(differences, ddof=1)). Check for fewer than two and for an effect of 0 first.",
        "n = 2.8**2 * variance / effect**2, and int(np.ceil(n)) rounds up. Before it: if len(differences) "
        "< 2 or effect == 0: raise ValueError(…).",
    ),
)


def _checked(differences, effect):
    if len(differences) < 2 or effect == 0:
        raise ValueError("needed: at least two differences, and an effect that is not 0")


def _rounded_up(squared):
    """The rule with something else in the place of (2.8 · s / effect)²."""

    @wraps(squared)
    def function(differences, effect):
        _checked(differences, effect)
        return int(np.ceil(squared(differences, effect)))

    return function


def _variance(differences):
    return np.var(differences, ddof=1)


_SIGN = (
    "You do not square, and a rule that keeps 2.8 · s / effect as it is gives far too few queries. The "
    "standard error of a mean falls with the root of n: to see half as much takes four times the queries, "
    "not twice."
)


@QUERIES_NEEDED.mistake("not squared", _SIGN)
@_rounded_up
def not_squared(differences, effect):
    return 2.8 * _variance(differences) ** 0.5 / abs(effect)


@QUERIES_NEEDED.mistake("not squared, with sign", _SIGN)
@_rounded_up
def not_squared_with_sign(differences, effect):
    return 2.8 * _variance(differences) ** 0.5 / effect


_ONE_SQUARE = (
    "You square only a part. The root of n is on one side, 2.8 · s / effect on the other; to free n, "
    "all of it is squared: the 2.8, the deviation and the effect."
)


@QUERIES_NEEDED.mistake("deviation not squared", _ONE_SQUARE)
@_rounded_up
def deviation_not_squared(differences, effect):
    return 7.84 * _variance(differences) ** 0.5 / effect**2


@QUERIES_NEEDED.mistake("effect not squared", _ONE_SQUARE)
@_rounded_up
def effect_not_squared(differences, effect):
    return 7.84 * _variance(differences) / effect


@QUERIES_NEEDED.mistake("2.8 not squared", _ONE_SQUARE)
@_rounded_up
def factor_not_squared(differences, effect):
    return 2.8 * _variance(differences) / effect**2


@QUERIES_NEEDED.mistake("divided by n")
@_rounded_up
def by_n(differences, effect):
    """You divide the squares by n: np.std and np.var do so unless told ddof=1. That is the spread of these
    queries; the spread of the queries they were drawn from is estimated with n − 1, and is larger."""
    return 7.84 * np.var(differences) / effect**2


@QUERIES_NEEDED.mistake("power left out")
@_rounded_up
def no_power(differences, effect):
    """You use 1.96 alone. Then a true effect of that size lands exactly on the test's border, and every
    second experiment misses it. The 0.84 in 2.8 moves it far enough for 80 %."""
    return 1.96**2 * _variance(differences) / effect**2


@QUERIES_NEEDED.mistake("standard error")
@_rounded_up
def standard_error(differences, effect):
    """You divide the variance by the number of differences that you have: that is the standard error of their
    mean. How many queries are needed would then depend on how many you have. The formula asks for the spread
    of single queries."""
    return 7.84 * _variance(differences) / len(differences) / effect**2


@QUERIES_NEEDED.mistake("squares about zero")
@_rounded_up
def squares_about_zero(differences, effect):
    """You square the differences themselves. If B is better by 0.5 everywhere, that counts as spread, though
    nothing varies. Subtract their mean first."""
    return 7.84 * sum(d * d for d in differences) / (len(differences) - 1) / effect**2


@QUERIES_NEEDED.mistake("two groups")
@_rounded_up
def two_groups(differences, effect):
    """You double the number: that is for two separate groups of queries, as in split traffic. Here both
    systems answer the same queries, and the differences are paired already."""
    return 2 * 7.84 * _variance(differences) / effect**2


@QUERIES_NEEDED.mistake("observed mean as effect")
@_rounded_up
def observed_mean(differences, effect):
    """You divide by the mean that was observed, not by `effect`. Power for the observed mean only repeats
    p. Ask for the smallest difference that would matter to you."""
    return 7.84 * _variance(differences) / max(np.mean(differences) ** 2, 1e-9)


@QUERIES_NEEDED.mistake("those at hand taken off")
def still_missing(differences, effect):
    """You subtract the queries that you have. The result is the size of the whole test set, of which these
    may be a part."""
    return max(0, queries_needed(differences, effect) - len(differences))


_DOWN = (
    "You round to the nearest whole number, or down. With fewer queries than the formula gives, power "
    "stays below 80 %. What is needed is the next whole number up."
)


@QUERIES_NEEDED.mistake("rounded", _DOWN)
def rounded(differences, effect):
    return round(not_rounded(differences, effect))


@QUERIES_NEEDED.mistake("rounded down", _DOWN)
def rounded_down(differences, effect):
    return int(not_rounded(differences, effect))


@QUERIES_NEEDED.mistake("one more where the number is whole")
def one_more(differences, effect):
    """You cut the decimals off and add 1. That is rounding up, but for a number that is whole already: it
    becomes one too many. `math.ceil` and `np.ceil` leave it as it is."""
    return int(not_rounded(differences, effect)) + 1


@QUERIES_NEEDED.mistake("2.8 with more decimals")
@_rounded_up
def more_decimals(differences, effect):
    """You take 1.96 and 0.84 with more decimals. That is no error, but another convention, and it gives other
    numbers of queries: the task says 2.8, so that all get the same."""
    return (1.959964 + 0.841621) ** 2 * _variance(differences) / effect**2


@QUERIES_NEEDED.mistake("not rounded")
def not_rounded(differences, effect):
    """You return the formula's value as it is. There is no tenth of a query: round up, since with fewer the
    power stays below 80 %."""
    _checked(differences, effect)
    return 7.84 * _variance(differences) / effect**2


_CHECK = (
    "From one difference no spread can be known, and no number of queries shows an effect of 0. Dividing "
    "by 0 gives an error about arithmetic, or inf and nan; the convention here is a ValueError that says "
    "what was needed."
)


@QUERIES_NEEDED.mistake("not checked", _CHECK)
def no_check(differences, effect):
    n = len(differences)
    mean = sum(differences) / n
    return int(np.ceil(7.84 * (sum((d - mean) ** 2 for d in differences) / (n - 1)) / effect**2))


@QUERIES_NEEDED.mistake("not checked, in NumPy", _CHECK)
def no_check_with_numpy(differences, effect):
    needed = 7.84 * _variance(differences) / np.float64(effect) ** 2
    return int(np.ceil(needed))


@QUERIES_NEEDED.mistake("rounded up before squaring")
def rounded_up_before_squaring(differences, effect):
    """You round up before you square, so your result is always a square number, and mostly too large. Round
    once, at the end."""
    _checked(differences, effect)
    return int(np.ceil(2.8 * _variance(differences) ** 0.5 / abs(effect))) ** 2


@QUERIES_NEEDED.mistake("a negative effect refused")
def negative_refused(differences, effect):
    """You refuse an effect below 0. Its sign says which system is better, and the formula squares it: only 0
    cannot be shown."""
    if effect < 0:
        raise ValueError("an effect above 0 is needed")
    return queries_needed(differences, effect)


@QUERIES_NEEDED.mistake("divided by n, rounded", _DOWN)
def by_n_rounded(differences, effect):
    _checked(differences, effect)
    return round(7.84 * np.var(differences) / effect**2)


@QUERIES_NEEDED.mistake("divided by n, rounded down")
def by_n_rounded_down(differences, effect):
    """Two things. You divide the squares by n, which is the spread of these queries only: np.std(…, ddof=1)
    divides by n − 1. And you round down, where the next whole number up is needed."""
    _checked(differences, effect)
    return int(7.84 * np.var(differences) / effect**2)


@QUERIES_NEEDED.mistake("one-sided")
@_rounded_up
def one_sided(differences, effect):
    """You take 1.64 in the place of 1.96: that is a one-sided test. The convention is two-sided 5 %, and 2.8
    in all."""
    return (1.64 + 0.84) ** 2 * _variance(differences) / effect**2


@QUERIES_NEEDED.mistake("mean absolute difference as spread")
@_rounded_up
def mean_absolute(differences, effect):
    """You take the mean of the distances as the spread. A standard deviation squares them before the mean,
    and takes the root after it."""
    return 7.84 * np.mean(np.abs(np.array(differences) - np.mean(differences))) ** 2 / effect**2


@QUERIES_NEEDED.mistake("0 where nothing can be computed")
def zero_unchecked(differences, effect):
    """You return 0 where there are too few differences, or no effect. No number of queries is needed then,
    would that say. The convention is a ValueError."""
    return queries_needed(differences, effect) if len(differences) > 1 and effect else 0


@QUERIES_NEEDED.mistake("at least two")
def at_least_two(differences, effect):
    """You never return fewer than two. The formula may give 0 or 1; it is asked for as it stands."""
    return max(2, queries_needed(differences, effect))


@QUERIES_NEEDED.mistake("the variance for s")
def variance_for_s(differences, effect):
    """You take the variance for s, and square it once more. s is the standard deviation."""
    _checked(differences, effect)
    return int(np.ceil((2.8 * _variance(differences) / effect) ** 2))


@QUERIES_NEEDED.mistake("the variance for s, rounded")
def variance_for_s_rounded(differences, effect):
    """Two things in one: you take the variance for s, and round to the nearest. s is the standard deviation;
    and of a part of a query the next whole one is needed."""
    _checked(differences, effect)
    return round(float((2.8 * _variance(differences) / effect) ** 2))


@QUERIES_NEEDED.mistake("effect over s")
def effect_over_s(differences, effect):
    """You divide the effect by s. The smaller the effect, the more queries it takes: 2.8 · s / effect."""
    _checked(differences, effect)
    spread = _variance(differences) ** 0.5
    return int(np.ceil((2.8 * effect / spread) ** 2)) if spread else 0


@QUERIES_NEEDED.mistake("no fewer than at hand")
def no_fewer_than_at_hand(differences, effect):
    """You never answer fewer queries than those at hand. A plan may well need fewer."""
    return max(len(differences), queries_needed(differences, effect))
