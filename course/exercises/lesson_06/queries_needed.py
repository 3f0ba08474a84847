"""Exercise: how many queries it takes to see a difference, by the normal approximation."""

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
Write `queries_needed(differences, effect)`: how many queries must a test set have to show a true mean \
difference of `effect`?

`differences` are observed differences per query, a list of numbers; only their spread is used. \
**Convention** (two-sided 5 %, power 80 %, paired, normal approximation): n = (2.8 · s / effect)², rounded \
up to a whole number. s is the standard deviation of the m observed differences (divisor m − 1), and 2.8 \
is 1.96 for the test's border plus 0.84 for the power. The sign of `effect` does not matter. Raise a \
ValueError for fewer than two differences, or for an effect of 0.""",
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
        Case(
            ([0.12, -0.05, 0.31, 0.0, 0.08, -0.22, 0.17], 0.007),
            "seven differences whose mean is not 0: s² is 0.028781, and 4604.95 takes 4605",
        ),
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
        "The standard error of the mean over n queries is s / √n. It has to be so small that 2.8 of them "
        "fit into the effect: 2.8 · s / √n = effect. Solve for n.",
        "s²: subtract the mean from each difference, square, add up, divide by len(differences) - 1 "
        "(np.var(differences, ddof=1)). Check for fewer than two and for an effect of 0 first.",
        "n = 2.8**2 * variance / effect**2, and int(np.ceil(n)) rounds up. Before that: if len(differences) "
        "< 2 or effect == 0: raise ValueError(…).",
    ),
)


def _checked(differences, effect):
    if len(differences) < 2 or effect == 0:
        raise ValueError("needed: at least two differences, and an effect that is not 0")


def _variance(differences):
    return np.var(differences, ddof=1)


def _up(number):
    return int(np.ceil(number))


def _planned(
    differences, effect, factor=2.8**2, spread=_variance, by=lambda effect: effect**2, times=1, ends=_up
):
    """The reference with one part exchanged."""
    _checked(differences, effect)
    return ends(times * factor * spread(differences) / by(effect))


_SIGN = (
    "You do not square: 2.8 · s / effect by itself gives far too few queries. The "
    "standard error of a mean falls with the root of n: to see half as much takes four times the queries, "
    "not twice."
)


@QUERIES_NEEDED.mistake("not squared", _SIGN)
def not_squared(differences, effect):
    _checked(differences, effect)
    return _up(2.8 * _variance(differences) ** 0.5 / abs(effect))


@QUERIES_NEEDED.mistake("not squared, with sign", _SIGN)
def not_squared_with_sign(differences, effect):
    _checked(differences, effect)
    return _up(2.8 * _variance(differences) ** 0.5 / effect)


_ONE_SQUARE = (
    "You square only a part. The root of n is on one side, 2.8 · s / effect on the other. To get n, "
    "square all of it: the 2.8, the deviation and the effect."
)


@QUERIES_NEEDED.mistake("deviation not squared", _ONE_SQUARE)
def deviation_not_squared(differences, effect):
    return _planned(differences, effect, spread=lambda differences: _variance(differences) ** 0.5)


@QUERIES_NEEDED.mistake("effect not squared", _ONE_SQUARE)
def effect_not_squared(differences, effect):
    return _planned(differences, effect, by=lambda effect: effect)


@QUERIES_NEEDED.mistake("effect not squared, without its sign", _ONE_SQUARE)
def size_of_effect_not_squared(differences, effect):
    return _planned(differences, effect, by=abs)


@QUERIES_NEEDED.mistake("2.8 not squared", _ONE_SQUARE)
def factor_not_squared(differences, effect):
    return _planned(differences, effect, factor=2.8)


@QUERIES_NEEDED.mistake("divided by n")
def by_n(differences, effect):
    """You divide the squares by n: np.std and np.var do so unless told ddof=1. That is the spread of these
    queries; the spread of the queries they were drawn from is estimated with n − 1, and is larger."""
    return _planned(differences, effect, spread=np.var)


@QUERIES_NEEDED.mistake("power left out")
def no_power(differences, effect):
    """You use 1.96 alone. Then a true effect of that size lands exactly on the test's border, and every
    second experiment misses it. The 0.84 in 2.8 moves it far enough for 80 %."""
    return _planned(differences, effect, factor=1.96**2)


@QUERIES_NEEDED.mistake("power of 90 %")
def power_of_90(differences, effect):
    """You take 1.28 instead of 0.84: that is for a power of 90 %. The convention is 80 %, and 2.8 in all."""
    return _planned(differences, effect, factor=(1.96 + 1.28) ** 2)


@QUERIES_NEEDED.mistake("squares added")
def squares_added(differences, effect):
    """You square 1.96 and 0.84 and add the squares. They are added first, to 2.8, and that is squared: the
    border and the part beyond it lie one after the other."""
    return _planned(differences, effect, factor=1.96**2 + 0.84**2)


@QUERIES_NEEDED.mistake("standard error")
def standard_error(differences, effect):
    """You divide the variance by the number of differences that you have: that is the standard error of their
    mean. How many queries are needed would then depend on how many you have. The formula asks for the spread
    of single queries."""
    return _planned(differences, effect, spread=lambda differences: _variance(differences) / len(differences))


@QUERIES_NEEDED.mistake("squares about zero")
def squares_about_zero(differences, effect):
    """You square the differences themselves. If B is better by 0.5 everywhere, that counts as spread, though
    nothing varies. Subtract their mean first."""
    return _planned(
        differences,
        effect,
        spread=lambda differences: sum(d * d for d in differences) / (len(differences) - 1),
    )


@QUERIES_NEEDED.mistake("squares about the effect")
def squares_about_the_effect(differences, effect):
    """You subtract the effect from the differences before you square. Their spread is about their own
    mean."""
    _checked(differences, effect)
    return _up(2.8**2 * sum((d - effect) ** 2 for d in differences) / (len(differences) - 1) / effect**2)


@QUERIES_NEEDED.mistake("squares not divided")
def squares_not_divided(differences, effect):
    """You add up the squares and do not divide the sum. The more queries are at hand, the larger it gets; the
    variance is the sum divided by m − 1."""
    return _planned(differences, effect, spread=lambda differences: np.var(differences) * len(differences))


@QUERIES_NEEDED.mistake("spread left out")
def spread_left_out(differences, effect):
    """The spread of the differences is not in your result. The more they vary, the more queries it takes:
    2.8 · s / effect."""
    return _planned(differences, effect, spread=lambda differences: 1)


@QUERIES_NEEDED.mistake("two groups")
def two_groups(differences, effect):
    """You double the number: that is for two separate groups of queries, as in split traffic. Here both
    systems answer the same queries, and the differences are paired already."""
    return _planned(differences, effect, times=2)


@QUERIES_NEEDED.mistake("observed mean as effect")
def observed_mean(differences, effect):
    """You divide by the mean that was observed, not by `effect`. Power for the observed mean only repeats
    p. Ask for the smallest difference that would matter to you."""
    _checked(differences, effect)
    return _up(7.84 * _variance(differences) / max(np.mean(differences) ** 2, 1e-9))


@QUERIES_NEEDED.mistake("those at hand taken off")
def still_missing(differences, effect):
    """You subtract the queries that you have. The result is the size of the whole test set, of which these
    may be a part."""
    return max(0, queries_needed(differences, effect) - len(differences))


_DOWN = (
    "You round to the nearest whole number, or down. With fewer queries than the formula gives, power "
    "stays below 80 %. Take the next whole number up."
)


@QUERIES_NEEDED.mistake("rounded", _DOWN)
def rounded(differences, effect):
    return _planned(differences, effect, ends=round)


@QUERIES_NEEDED.mistake("rounded down", _DOWN)
def rounded_down(differences, effect):
    return _planned(differences, effect, ends=int)


@QUERIES_NEEDED.mistake("one more where the number is whole")
def one_more(differences, effect):
    """Your result is 1 where the formula gives exactly 0. That happens if you cut off the decimals and add 1,
    or if you allow no result below 1. `math.ceil` and `np.ceil` leave a whole number as it is."""
    return _planned(differences, effect, ends=lambda number: int(number) + 1)


@QUERIES_NEEDED.mistake("2.8 with more decimals")
def more_decimals(differences, effect):
    """You take 1.96 and 0.84 with more decimals. That is no error, but another convention, and it gives other
    numbers of queries: the task says 2.8, so that all get the same."""
    return _planned(differences, effect, factor=(1.959964 + 0.841621) ** 2)


@QUERIES_NEEDED.mistake("not rounded")
def not_rounded(differences, effect):
    """You return the formula's value as it is. There is no tenth of a query: round up, since with fewer the
    power stays below 80 %."""
    return _planned(differences, effect, ends=lambda number: number)


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
    """You round up before you square, so your result is always a square number, and usually too large. Round
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
    return _planned(differences, effect, spread=np.var, ends=round)


@QUERIES_NEEDED.mistake("divided by n, rounded down")
def by_n_rounded_down(differences, effect):
    """Two things. You divide the squares by n, which is the spread of these queries only: np.std(…, ddof=1)
    divides by n − 1. And you round down, where the next whole number up is needed."""
    return _planned(differences, effect, spread=np.var, ends=int)


_ONE_TAIL = (
    "You take 1.64 or 1.645 instead of 1.96: that is a one-sided test. The convention is two-sided 5 %, "
    "and 2.8 in all."
)


@QUERIES_NEEDED.mistake("one-sided", _ONE_TAIL)
def one_sided(differences, effect):
    return _planned(differences, effect, factor=(1.64 + 0.84) ** 2)


@QUERIES_NEEDED.mistake("one-sided, with 1.645", _ONE_TAIL)
def one_sided_with_three_decimals(differences, effect):
    return _planned(differences, effect, factor=(1.645 + 0.84) ** 2)


@QUERIES_NEEDED.mistake("mean absolute difference as spread")
def mean_absolute(differences, effect):
    """You take the mean of the distances as the spread. A standard deviation squares them before the mean,
    and takes the root after it."""
    return _planned(
        differences,
        effect,
        spread=lambda differences: np.mean(np.abs(np.array(differences) - np.mean(differences))) ** 2,
    )


@QUERIES_NEEDED.mistake("0 where nothing can be computed")
def zero_unchecked(differences, effect):
    """You return 0 where there are too few differences, or no effect. That would say that no queries are
    needed. The convention is a ValueError."""
    return queries_needed(differences, effect) if len(differences) > 1 and effect else 0


@QUERIES_NEEDED.mistake("0 for too few differences")
def zero_for_too_few(differences, effect):
    """You return 0 where there are fewer than two differences. That would say that no query is needed. The
    convention is a ValueError."""
    return queries_needed(differences, effect) if len(differences) > 1 else 0


@QUERIES_NEEDED.mistake("1 for too few differences")
def one_for_too_few(differences, effect):
    """You return 1 where there are fewer than two differences. That would say that one query is enough. The
    convention is a ValueError."""
    return queries_needed(differences, effect) if len(differences) > 1 else 1


@QUERIES_NEEDED.mistake("0 for an effect of 0")
def zero_for_no_effect(differences, effect):
    """You return 0 where the effect is 0. No number of queries shows it: the convention is a ValueError."""
    return queries_needed(differences, effect) if effect else 0


@QUERIES_NEEDED.mistake("at least two")
def at_least_two(differences, effect):
    """You never return fewer than two. The formula may give 0 or 1, and the task asks for the formula."""
    return max(2, queries_needed(differences, effect))


@QUERIES_NEEDED.mistake("no spread refused")
def no_spread_refused(differences, effect):
    """You refuse differences that are all the same. Their spread is known, and it is 0: the formula gives
    0."""
    if len(differences) > 1 and len(set(differences)) == 1:
        raise ValueError("no spread")
    return queries_needed(differences, effect)


@QUERIES_NEEDED.mistake("the variance for s")
def variance_for_s(differences, effect):
    """You take the variance for s, and square it once more. s is the standard deviation."""
    return _planned(differences, effect, spread=lambda differences: _variance(differences) ** 2)


@QUERIES_NEEDED.mistake("the variance for s, rounded")
def variance_for_s_rounded(differences, effect):
    """Two things in one: you take the variance for s, and round to the nearest. s is the standard deviation;
    and a fraction of a query takes one more whole query, so round up."""
    return _planned(differences, effect, spread=lambda differences: _variance(differences) ** 2, ends=round)


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
