"""Two groups that are not pairs, such as the users of A and B: do they differ, or can nobody tell?"""

from collections.abc import Sequence
from math import comb, copysign, fsum, inf

from helpers.stats import DECIMALS, welch

FEWEST = 8
"""With fewer values on a side there is no verdict: by chance no click of a few varies, and then t is infinite
and p is 0. At level 0.01 Welch's t finds a difference between fair coins in 12.5 % of the comparisons of 2
with 2, and in 3.1 % of 3 with 3. From 8 to 20 a side it is 0.75 to 1.79 %, more than promised at some sizes
and less at others. Where to draw the line is a convention."""


def compare_groups(a: Sequence[float], b: Sequence[float], alpha: float) -> dict:
    """`{"mean_a", "mean_b", "difference", "t_statistic", "p_value", "differs", "how"}`, b - a.

    `differs` is p < alpha, by Welch's t-test; `how` says it in words. Values are rounded to 12 decimals
    first, so that rounding error is no difference. With fewer than 8 values on a side t and p are None and
    nothing differs; the means of a side without any value are None too. Where no value varies on either side,
    t has nothing to divide by: equal sides have p = 1; else p is the chance that a random division of all the
    values separates them like that, at most 2 / C(n_a + n_b, n_a).

    Source: Welch, 1947 (see `stats.welch`); Fisher, The design of experiments, 1935 (random divisions).

    >>> compare_groups([0.0] * 8, [1.0] * 8, alpha=0.05)["how"]  # 2 / 12,870
    'no value varies within a side, random division, p = 0.00016, below 0.05'
    >>> compare_groups([0.0] * 2, [1.0] * 2, alpha=0.05)["p_value"] is None
    True
    """
    first, second = ([round(float(value), DECIMALS) for value in values] for values in (a, b))
    found = {"mean_a": _mean(first), "mean_b": _mean(second)}
    found["difference"] = None if None in found.values() else found["mean_b"] - found["mean_a"]
    found |= {"t_statistic": None, "p_value": None, "differs": False, "how": f"needed {FEWEST} of each"}
    if min(len(first), len(second)) < FEWEST:
        return found
    if len(set(first)) == len(set(second)) == 1:
        test = "no value varies within a side, random division"
        t_statistic, p_value = _without_variance(found["difference"], len(first), len(second))
    else:
        test, tested = "Welch", welch(first, second)
        t_statistic, p_value = tested["t_statistic"], tested["p_value"]
    how = f"{test}, p = {p_value:.2g}, {'below' if p_value < alpha else 'not below'} {alpha}"
    return found | {"t_statistic": t_statistic, "p_value": p_value, "differs": p_value < alpha, "how": how}


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
