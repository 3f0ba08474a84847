"""The t interval of a mean, and what it says of a candidate that must not be worse by more than a limit."""

from math import isfinite
from numbers import Real

import numpy as np
import pandas as pd
import scipy  # loads `scipy.special` when it is first used

from helpers.stats.paired_tests import DECIMALS, Scores, as_series, at_least_two, check_scale, paired
from helpers.stats.resampling import Table, as_matrix, ask_about_scores, check_level

FEW = 10
"""Where fewer queries than this move, and not half of all, they show too little of the noise."""

WORSE, NOT_WORSE, CANNOT_TELL = (
    "worse by more than the limit",
    "not worse by more than the limit",
    "cannot tell",
)


def t_interval(
    a: Scores, b: Scores | None = None, confidence: float = 0.95, missing: str = "error"
) -> tuple[float, float]:
    """The t interval `(low, high)` of the mean over all such queries: mean ± t · standard error.

    With `b` it is the mean difference b - a, paired; `a` alone may be scores or differences. The standard
    error is the standard deviation (divisor n - 1) over sqrt(n), and t belongs to n - 1 degrees of freedom.
    The interval of a difference includes 0 exactly where the paired t-test has p of at least 1 - confidence,
    unless few queries move. If fewer than ten, and fewer than half of all, differ from the value that the
    others have (for a difference: 0), the standard error is that of two queries more, one above and one below
    that value by the root mean square of those that moved. For P@1 these are one win and one loss, as Bonett
    and Price add them (who also move the middle). Where no query differs from another there is no noise to
    see, and both ends are the mean: then the interval says nothing about queries that have not been asked.

    Simulated on five pairs of the course's engines (evals/benchmarks/statistics.md), intervals of 95 % hold
    the true mean difference in 95 to 96 % of cases at 30 queries and at 100; where one query lost more than
    all others together, in 94 and 95 %. Where few move, most of them one way and by very different amounts,
    it is less.

    Raises the errors of `paired`, and ValueError for fewer than two queries and a confidence outside (0, 1).

    Source: Student, The probable error of a mean, 1908; for retrieval: Sakai, Statistical reform in
    information retrieval?, SIGIR Forum 2014; for few that move: Bonett and Price, Adjusted Wald confidence
    interval for a difference of binomial proportions based on paired data, JEBS 2012.

    >>> low, high = t_interval([0.0, 0.0, 0.0], [0.1, 0.2, 0.3])  # 0.2 ± 4.303 · 0.1 / sqrt(3)
    >>> print(round(low, 4), round(high, 4))
    -0.0484 0.4484
    >>> low, high = t_interval([1, 1] + [0] * 28)  # P@1: two wins among thirty queries
    >>> print(round(low, 3), round(high, 3))  # 0.067 ± 2.045 · 0.062; without two more ± 2.045 · 0.046
    -0.061 0.194
    """
    values = as_series(a, "a") if b is None else paired(a, b, missing)["difference"]
    found = t_intervals(values.to_frame(), confidence).iloc[0]
    return float(found["low"]), float(found["high"])


def t_intervals(scores: Table, confidence: float = 0.95) -> pd.DataFrame:
    """`t_interval` for many systems, or many columns of differences: a row each, `mean`, `low`, `high`.

    Each interval is for itself; `max_t` has those that hold together. Raises ValueError for a score that is
    not a finite number, with its query and system, for a query that stands twice, for fewer than two queries,
    and for a confidence outside (0, 1).

    >>> print(t_intervals(pd.DataFrame({"x": [0.1, 0.2, 0.3], "y": [0.5, 0.5, 0.5]})).round(4))
       mean     low    high
    x   0.2 -0.0484  0.4484
    y   0.5  0.5000  0.5000
    """
    check_level("confidence", confidence)
    values, names = as_matrix(scores)
    n, means = len(at_least_two(values)), values.mean(axis=0)
    half = scipy.special.stdtrit(n - 1, (1 + confidence) / 2) * _standard_errors(values)
    low, high = (ends.round(DECIMALS) + 0.0 for ends in (means - half, means + half))  # no -0.0
    return pd.DataFrame({"mean": means, "low": low, "high": high}, index=names)


def _standard_errors(values: np.ndarray) -> np.ndarray:
    """The standard error of the mean of each column, where few queries move with two queries more."""
    n, deviations = len(values), values.std(axis=0, ddof=1)
    # Equal scores have no spread, though their mean may be a rounding error away from them.
    errors = np.where(np.ptp(values, axis=0).round(DECIMALS) > 0, deviations / n**0.5, 0.0)
    # What most queries have is the median; the others have moved.
    apart = (values - np.median(values, axis=0)).round(DECIMALS)
    moved = (apart != 0).sum(axis=0)
    few = (moved > 0) & (moved < FEW) & (2 * moved < n)
    # Two queries more, one above and one below: their sum is 0, their sum of squares twice the mean square.
    total, squares = apart[:, few].sum(axis=0), (apart[:, few] ** 2).sum(axis=0)
    variance = (squares * (1 + 2 / moved[few]) - total**2 / (n + 2)) / (n + 1)
    errors[few] = np.sqrt(variance / (n + 2))
    return errors


def non_inferiority(differences: Scores, limit: float, alpha: float = 0.05) -> dict[str, float | str]:
    """Is a candidate worse than a baseline by more than `limit`, is it not, or can these queries not tell?

    `{"n", "difference", "low", "high", "answer"}`. `differences` are candidate - baseline, one per query;
    `limit` is the largest drop that is accepted, 0 or more (the margin of a non-inferiority test). From `low`
    to `high` goes the t interval at confidence 1 - 2 · alpha, 90 % by default: each end is a bound at the
    one-sided level alpha. The answer compares it with a drop of `limit`: `WORSE` where the whole interval is
    below, `NOT_WORSE` where none of it is, `CANNOT_TELL` where the drop lies inside. So each claim, where it
    is false, is made in about alpha of cases; few or noisy queries usually end in no claim. With thirty
    differences of which one loss is large, "not worse" is said too often.

    Where no query moved, the ends are ± (1 - alpha^(1 / n)): such a share of all queries may move, by 1 each,
    and n of them show nothing in alpha of cases. With 30 queries that is 0.095; for "not worse" by no more
    than 0.02 it takes 149. Fewer than log2(1 / alpha) queries, 5 by default, cannot tell whatever they show:
    flipping signs has no one-sided p below 1 / 2^n. To ask of several limits whether *all* are kept needs no
    correction; to claim that *one* of m is broken takes alpha / m.

    Warns of ten differences or more of which none is below 0 and most are above: they may be scores. Raises
    ValueError for a limit that is no number, below 0, or above 1 where no difference is; for an alpha
    outside (0, 0.5), and for what `t_interval` refuses, except that a single query cannot tell (its ends are
    infinite).

    Source: Piaggio et al., Reporting of noninferiority and equivalence randomized trials, JAMA 2012; for no
    query that moved: Hanley and Lippman-Hand, If nothing goes wrong, is everything all right?, JAMA 1983.

    >>> lost = [-0.1, 0.0, -0.2, -0.1, 0.0, -0.1]
    >>> [non_inferiority(lost, limit)["answer"] for limit in (0.01, 0.05, 0.2)]
    ['worse by more than the limit', 'cannot tell', 'not worse by more than the limit']
    """
    if isinstance(limit, bool) or not isinstance(limit, Real) or not isfinite(limit) or limit < 0:
        raise ValueError(f"limit is {limit!r}; needed the largest drop that is accepted, a number from 0 up")
    if isinstance(alpha, bool) or not isinstance(alpha, Real) or not 0 < alpha < 0.5:
        raise ValueError(f"alpha is {alpha!r}; needed a one-sided level between 0 and 0.5, such as 0.05")
    values = as_series(differences, "differences").round(DECIMALS)
    check_scale("limit", limit, values)
    ask_about_scores(differences, values)
    low, high = (round(float(end), DECIMALS) + 0.0 for end in _ends(values.to_numpy(), alpha))
    found = {"n": len(values), "difference": round(float(values.mean()), DECIMALS) + 0.0}
    return found | {"low": low, "high": high, "answer": _answer(len(values), low, high, limit, alpha)}


def _ends(values: np.ndarray, alpha: float) -> tuple[float, float]:
    if len(values) < 2:
        return -np.inf, np.inf
    if not values.any():
        unseen = 1 - alpha ** (
            1 / len(values)
        )  # the share of all queries of which n show none in alpha of cases
        return -unseen, unseen
    return t_interval(values, confidence=1 - 2 * alpha)


def _answer(n: int, low: float, high: float, limit: float, alpha: float) -> str:
    if 0.5**n >= alpha or low < -limit <= high:
        return CANNOT_TELL
    return WORSE if high < -limit else NOT_WORSE
