"""Exercise: how many queries it takes to see a difference, by the normal approximation."""

import numpy as np

from course.exercises.cases import Case, Mistake
from course.exercises.exercise import Exercise


def queries_needed(differences, effect):
    n = len(differences)
    if n < 2 or effect == 0:
        raise ValueError("needed: at least two differences, and an effect that is not 0")
    mean = sum(differences) / n
    variance = sum((difference - mean) ** 2 for difference in differences) / (n - 1)
    return int(np.ceil(2.8**2 * variance / effect**2))


def _checked(differences, effect):
    if len(differences) < 2 or effect == 0:
        raise ValueError("needed: at least two differences, and an effect that is not 0")


def _rule(spread):
    """The rule with something else in the place of (2.8 · s / effect)²."""

    def function(differences, effect):
        _checked(differences, effect)
        return int(np.ceil(spread(differences, effect)))

    return function


def _variance(differences):
    return np.var(differences, ddof=1)


_by_n = _rule(lambda differences, effect: 7.84 * np.var(differences) / effect**2)
_not_squared = _rule(lambda differences, effect: 2.8 * _variance(differences) ** 0.5 / abs(effect))
_not_squared_with_sign = _rule(lambda differences, effect: 2.8 * _variance(differences) ** 0.5 / effect)
_deviation_not_squared = _rule(lambda differences, effect: 7.84 * _variance(differences) ** 0.5 / effect**2)
_effect_not_squared = _rule(lambda differences, effect: 7.84 * _variance(differences) / effect)
_factor_not_squared = _rule(lambda differences, effect: 2.8 * _variance(differences) / effect**2)
_no_power = _rule(lambda differences, effect: 1.96**2 * _variance(differences) / effect**2)
_standard_error = _rule(
    lambda differences, effect: 7.84 * _variance(differences) / len(differences) / effect**2
)
_squares_about_zero = _rule(
    lambda differences, effect: 7.84 * sum(d * d for d in differences) / (len(differences) - 1) / effect**2
)
_two_groups = _rule(lambda differences, effect: 2 * 7.84 * _variance(differences) / effect**2)
_observed_mean = _rule(
    lambda differences, effect: 7.84 * _variance(differences) / max(np.mean(differences) ** 2, 1e-9)
)


def _still_missing(differences, effect):
    return max(0, queries_needed(differences, effect) - len(differences))


def _not_rounded(differences, effect):
    _checked(differences, effect)
    return 7.84 * _variance(differences) / effect**2


def _rounded(differences, effect):
    return round(_not_rounded(differences, effect))


def _rounded_down(differences, effect):
    return int(_not_rounded(differences, effect))


def _no_check(differences, effect):
    n = len(differences)
    mean = sum(differences) / n
    return int(np.ceil(7.84 * (sum((d - mean) ** 2 for d in differences) / (n - 1)) / effect**2))


def _no_check_with_numpy(differences, effect):
    needed = 7.84 * _variance(differences) / np.float64(effect) ** 2
    return int(np.ceil(needed))


_SIGN = (
    "You do not square, and a rule that keeps 2.8 · s / effect as it is gives far too few queries. The standard error of a mean falls "
    "with the root of n: to see half as much takes four times the queries, not twice."
)
_ONE_SQUARE = (
    "You square only a part. The root of n stands on one side, 2.8 · s / effect on the other; to free n, all of it is squared: the 2.8, "
    "the deviation and the effect."
)
_CHECK = (
    "From one difference no spread can be known, and no number of queries shows an effect of 0. Dividing by 0 gives an error about "
    "arithmetic, or inf and nan; the convention here is a ValueError that says what was needed."
)
_DOWN = (
    "You round to the nearest whole number, or down. With fewer queries than the formula gives, power stays below 80 %. What is needed "
    "is the next whole number up."
)

QUERIES_NEEDED = Exercise(
    name="QUERIES_NEEDED",
    task="""\
Write `queries_needed(differences, effect)`: how many queries a test set must have to show a true mean difference of `effect`.

`differences` are observed differences per query, a list of numbers; only their spread is used. **Convention** (two-sided 5 %, power \
80 %, paired, normal approximation): n = (2.8 · s / effect)², rounded up to a whole number, with s the standard deviation of the \
differences, divided by n − 1. (2.8 is 1.96 + 0.84: the test's border, and 80 % of samples beyond it.) The sign of `effect` does not \
matter. Fewer than two differences, or an effect of 0, raise a ValueError.""",
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
    ),
    hints=(
        "The mean over n queries wobbles by s / √n. It has to wobble so little that 2.8 of it fit into the effect: 2.8 · s / √n = "
        "effect. Solve for n.",
        "s²: each difference minus their mean, squared, added up, divided by len(differences) - 1 (np.var(differences, ddof=1)). Check "
        "for fewer than two and for an effect of 0 first.",
        "n = 2.8**2 * variance / effect**2, and int(np.ceil(n)) rounds up. Before it: if len(differences) < 2 or effect == 0: "
        "raise ValueError(…).",
    ),
    mistakes=(
        Mistake("not squared", _not_squared, _SIGN),
        Mistake("not squared, with sign", _not_squared_with_sign, _SIGN),
        Mistake("deviation not squared", _deviation_not_squared, _ONE_SQUARE),
        Mistake("effect not squared", _effect_not_squared, _ONE_SQUARE),
        Mistake("2.8 not squared", _factor_not_squared, _ONE_SQUARE),
        Mistake(
            "divided by n",
            _by_n,
            "You divide the squares by n: np.std and np.var do so unless told ddof=1. That is the spread of these queries; the spread of "
            "the queries they were drawn from is estimated with n − 1, and is larger.",
        ),
        Mistake(
            "power left out",
            _no_power,
            "You use 1.96 alone. Then a true effect of that size lands exactly on the test's border, and every second experiment misses "
            "it. The 0.84 in 2.8 moves it far enough for 80 %.",
        ),
        Mistake(
            "standard error",
            _standard_error,
            "You divide the variance by the number of differences that you have: that is the standard error of their mean. How many "
            "queries are needed would then depend on how many you have. The formula asks for the spread of single queries.",
        ),
        Mistake(
            "squares about zero",
            _squares_about_zero,
            "You square the differences themselves. If B is better by 0.5 everywhere, that counts as spread, though nothing varies. "
            "Subtract their mean first.",
        ),
        Mistake(
            "two groups",
            _two_groups,
            "You double the number: that is for two separate groups of queries, as in split traffic. Here both systems answer the same "
            "queries, and the differences are paired already.",
        ),
        Mistake(
            "observed mean as effect",
            _observed_mean,
            "You divide by the mean that was observed, not by `effect`. Power for the observed mean only says p once more. Ask for the "
            "smallest difference that would matter to you.",
        ),
        Mistake(
            "those at hand taken off",
            _still_missing,
            "You subtract the queries that you have. The result is the size of the whole test set, of which these may be a part.",
        ),
        Mistake("rounded", _rounded, _DOWN),
        Mistake("rounded down", _rounded_down, _DOWN),
        Mistake(
            "not rounded",
            _not_rounded,
            "You return the formula's value as it is. There is no tenth of a query: round up, since with fewer the power stays below "
            "80 %.",
        ),
        Mistake("not checked", _no_check, _CHECK),
        Mistake("not checked, in NumPy", _no_check_with_numpy, _CHECK),
    ),
)
