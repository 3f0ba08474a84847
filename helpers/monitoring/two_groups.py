"""Two groups that are not pairs, such as the users of A and B: do they differ, or can nobody tell?"""

from collections.abc import Sequence
from math import comb, copysign, fsum, inf

import numpy as np

from helpers.stats import DECIMALS, as_values, check_level, in_one_order, welch

FEWEST = 8
"""With fewer values on a side there is no verdict: by chance no click of a few varies, and then t is infinite
and p is 0. At level 0.01 Welch's t finds a difference between fair coins in 12.5 % of the comparisons of 2
with 2, and in 3.1 % of 3 with 3. From 8 to 20 a side it is 0.75 to 1.79 %, more than promised at some sizes
and less at others. Where to draw the line is a convention."""


def compare_groups(a: Sequence[float], b: Sequence[float], alpha: float) -> dict:
    """`{"mean_a", "mean_b", "difference", "low", "high", "t_statistic", "p_value", "differs", "how"}`, b - a.

    `differs` is p < alpha, by Welch's t-test; low and high are the 95 % interval of the difference, None
    where the test is not Welch's; `how` says it in words. Values are rounded to 12 decimals first, so that
    rounding error is no difference. With fewer than 8 values on a side t and p are None and nothing differs;
    the means of a side without any value are None too. Where no value varies on either side, t has nothing to
    divide by: equal sides have p = 1; else p is the chance that a random division of all the values separates
    them like that, at most 2 / C(n_a + n_b, n_a). Raises ValueError for an alpha outside (0, 1),
    and for values that are a table, a dict, or no finite numbers.

    Source: Welch, 1947 (see `stats.welch`); Fisher, The design of experiments, 1935 (random divisions).

    >>> compare_groups([0.0] * 8, [1.0] * 8, alpha=0.05)["how"]  # 2 / 12,870
    'no value varies within a side, random division, p = 0.00016, below 0.05'
    >>> compare_groups([0.0] * 2, [1.0] * 2, alpha=0.05)["p_value"] is None
    True
    """
    check_level("alpha", alpha)
    first, second = (
        [round(value, DECIMALS) for value in as_values(values, f"the values of {name}", 0).tolist()]
        for name, values in (("a", a), ("b", b))
    )
    found = {"mean_a": _mean(first), "mean_b": _mean(second)}
    means = found.values()
    found["difference"] = None if None in means else round(found["mean_b"] - found["mean_a"], DECIMALS) + 0.0
    found |= {"low": None, "high": None, "t_statistic": None, "p_value": None}
    found |= {"differs": False, "how": f"needed {FEWEST} of each"}
    if min(len(first), len(second)) < FEWEST:
        return found
    if len(set(first)) == len(set(second)) == 1:
        test = "no value varies within a side, random division"
        t_statistic, p_value = _without_variance(found["difference"], len(first), len(second))
    else:
        test, tested = "Welch", welch(first, second)
        t_statistic, p_value = tested["t_statistic"], tested["p_value"]
        found |= {"low": tested["low"], "high": tested["high"]}
    how = f"{test}, p = {p_value:.2g}, {'below' if p_value < alpha else 'not below'} {alpha}"
    return found | {"t_statistic": t_statistic, "p_value": p_value, "differs": p_value < alpha, "how": how}


def cuped(
    a: Sequence[float], b: Sequence[float], before_a: Sequence[float], before_b: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """What was measured of each user, less what the same user's past predicts: the adjusted a and b.

    Adjusted is value - theta · (before - mean of before over all users), with theta = the covariance of
    before and value over the variance of before, both within the sides and pooled over them. A test of the
    adjusted values asks about the same difference, since the sides had the same past but for chance; their
    variance within the sides is 1 - rho² of what it was, rho being the correlation that theta was taken from.
    `before` must have been measured before anybody was assigned. For a user without a past give the mean of
    the others. Values and pasts that are Series are paired by their index. Raises ValueError where that is
    not the same, where values and pasts are not as many, or not finite, for fewer than two users on a side,
    and for a table or a dict, of which it needs the one column of values.

    Source: Deng, Xu, Kohavi and Walker, Improving the sensitivity of online controlled experiments by
    utilizing pre-experiment data, WSDM 2013 (CUPED).

    >>> adjusted_a, adjusted_b = cuped([1, 2, 3], [3, 4, 5], [0, 1, 2], [0, 1, 2])
    >>> adjusted_a.tolist(), adjusted_b.tolist()  # the past explains all that differs within a side
    ([2.0, 2.0, 2.0], [4.0, 4.0, 4.0])
    """
    before_a = in_one_order(a, before_a, "a", "before_a")
    before_b = in_one_order(b, before_b, "b", "before_b")
    sides = [as_values(side, f"the values of {name}", 0) for name, side in (("a", a), ("b", b))]
    named = (("before_a", before_a), ("before_b", before_b))
    pasts = [as_values(past, f"the values of {name}", 0) for name, past in named]
    for name, side, past in zip("ab", sides, pasts, strict=True):
        if len(side) != len(past) or len(side) < 2:
            given = f"{name} has {len(side)} values and before_{name} {len(past)}"
            raise ValueError(f"{given}; needed one of each for every user, of two users or more")
    # Within the sides, so that a difference between the systems is not taken for a habit.
    within = [past - past.mean() for past in pasts]
    variance = sum(past @ past for past in within)
    covariance = sum(past @ side for past, side in zip(within, sides, strict=True))
    theta = covariance / variance if variance else 0.0
    mean = np.concatenate(pasts).mean()
    return tuple(side - theta * (past - mean) for side, past in zip(sides, pasts, strict=True))


def in_one_sentence(found: dict, higher: str, lower: str, equal: str) -> str:
    """What `compare_groups` found, in the words given for each case, and how."""
    words = equal if not found["differs"] else higher if found["difference"] > 0 else lower
    return f"{words} ({found['how']})"


def _mean(values: list[float]) -> float | None:
    """Exactly the value where all are equal: a sum divided by its length may miss it by a rounding error."""
    if len(set(values)) == 1:
        return values[0]
    return fsum(values) / len(values) if values else None


def _without_variance(difference: float, n_a: int, n_b: int) -> tuple[float, float]:
    return (copysign(inf, difference), 2 / comb(n_a + n_b, n_a)) if difference else (0.0, 1.0)
