"""Prediction-powered inference: a few labels by people and many verdicts of a judge give one interval.

The judge says how things stand on everything, the people how far the judge is off. Beside it the choice of
what to label next, where a judge's verdicts are strata.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import inf, isfinite
from numbers import Real

import numpy as np
import scipy  # loads `scipy.special` when it is first used

from helpers.base import check_whole, warn
from helpers.stats.kappa import check_in_order
from helpers.stats.paired_tests import DECIMALS, in_one_order
from helpers.stats.resampling import check_level

Values = Sequence[float] | np.ndarray
"""Numbers, one for each item: labels or verdicts, paired by position, two Series by their index."""


def prediction_powered(
    labels: Values,
    verdicts: Values,
    more_verdicts: Values,
    power: float | None = None,
    confidence: float = 0.95,
) -> dict[str, float]:
    """The mean of what people would say of all items, from a judge's verdicts and some labels.

    `labels[i]` and `verdicts[i]` are of the same item, one drawn at random from all; `more_verdicts` are of
    the items that nobody labelled. With p for `power` the estimate is

        p · mean(more_verdicts) + mean(labels - p · verdicts)

    What the judge says of everything, moved by how far it was off where it could be checked. A judge's
    constant bias falls out, whatever p is. 0 leaves the judge out (labels alone), 1 is prediction-powered
    inference, and None, the default, takes the p in [0, 1] that makes the interval narrowest (PPI++):
    cov(labels, verdicts) / ((1 + n / N) · var(verdicts)), from the data; so a useless judge costs next to
    nothing.

    Returns `estimate`, `low`, `high`, `power`, the two standard errors `se_labels` (of labels - p · verdicts)
    and `se_verdicts` (of p · more_verdicts), and `worth`: how many labels alone would give such errors. The
    interval goes t standard errors to either side, t with one degree of freedom less than there are labels.
    Where every label is 0 or 1, one yes and one no, each with the mean verdict, are added to the labels for
    the interval alone, which moves its middle a little: few labels that happen to agree, or to equal their
    verdicts, are then not taken for certain. The papers, and the package
    `ppi-python`, add nothing, use the normal distribution and standard deviations with divisor n. Simulated
    on pairs of a query and a passage (evals/benchmarks/answers.md), tuned intervals of 95 % hold the truth in
    94 to 97 % of cases with 25 to 400 labels (those with power 1 in 92 to 96 %), and those of the papers in
    88 to 89 % with 25 labels.

    Raises ValueError for unequal numbers of labels and verdicts, Series of different items, fewer than two of
    either kind, a dict or set, a value that is no finite number, a power outside [0, 1] and a confidence
    outside (0, 1). Warns of a verdict that is frequent on one side and never comes on the other.

    Source: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Prediction-powered inference, Science 382, 2023;
    the tuning: Angelopoulos, Duchi and Zrnic, PPI++: efficient prediction-powered inference, 2023.

    >>> labels, verdicts = [1, 0, 0, 1, 0, 0], [1, 1, 0, 1, 0, 0]  # the judge is too kind once
    >>> found = prediction_powered(labels, verdicts, [1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0], power=1)
    >>> print(f"{found['estimate']:.3f}")  # 4/12 - 1/6
    0.167
    """
    labels, verdicts, more = _three(labels, verdicts, more_verdicts, least=2)
    check_level("confidence", confidence)
    _warn_of_two_scales(verdicts, more)
    n = len(labels)
    power = best_power(labels, verdicts, more) if power is None else _checked_power(power)
    rest = labels - power * verdicts
    se_labels = float(rest.std(ddof=1) / n**0.5)
    se_verdicts = float(power * more.std(ddof=1) / len(more) ** 0.5)
    estimate = float(power * more.mean() + rest.mean())
    ends = _ends(rest, labels, power * verdicts.mean(), power * more.mean(), se_verdicts, confidence)
    low, high = (round(float(end), DECIMALS) + 0.0 for end in ends)  # no -0.0
    se = (se_labels**2 + se_verdicts**2) ** 0.5
    worth = float(labels.var(ddof=1) / se**2) if se else float("inf")
    return {
        "estimate": estimate,
        "low": low,
        "high": high,
        "power": float(power),
        "se_labels": se_labels,
        "se_verdicts": se_verdicts,
        "worth": worth,
    }


def _warn_of_two_scales(verdicts: np.ndarray, more: np.ndarray) -> None:
    """Warns of a value that one side alone has, and so often that of a million random draws of the items to
    label less than one would part them so."""
    sides = {"verdicts": verdicts, "more_verdicts": more}
    for (name, here), (other, elsewhere) in permutations(sides.items()):
        values, counts = np.unique(here, return_counts=True)
        alone = np.where(np.isin(values, elsewhere), 0, counts)
        value, times = values[alone.argmax()], int(alone.max())
        if (len(here) / (len(here) + len(elsewhere))) ** times < 1e-6:
            said = f"{times:,} of {len(here):,} {name} are {value:g}, and none of {len(elsewhere):,} {other}"
            warn(f"{said}; give both on one scale, and labels of items that were drawn at random")
            return


def best_power(labels: Values, verdicts: Values, more_verdicts: Values) -> float:
    """The power with the narrowest interval, clipped to [0, 1]; 0 for a judge that always says the same.

    cov(labels, verdicts) / ((1 + n / N) · var(all verdicts)), divisors n and n + N - 1, as in `ppi-python`.
    Raises the errors of `prediction_powered`, but one of each is enough.

    >>> best_power([0, 1, 0, 1], [1, 0, 1, 0], [0, 1])  # a judge that says the reverse is left out
    0.0
    """
    labels, verdicts, more = _three(labels, verdicts, more_verdicts, least=1)
    spread = np.concatenate([verdicts, more]).var(ddof=1)
    if spread == 0:
        return 0.0
    together = np.mean((labels - labels.mean()) * (verdicts - verdicts.mean()))
    return float(np.clip(together / ((1 + len(labels) / len(more)) * spread), 0, 1))


def stratified_mean(
    labels: Mapping[str, Values], sizes: Mapping[str, int], confidence: float = 0.95
) -> dict[str, float]:
    """The mean over all items, from labels drawn at random within strata: `estimate`, `low`, `high`, `se`.

    `labels` are `{stratum: labels}`, `sizes` how many items each stratum has in all. Each stratum counts by
    its size, however many of it were labelled. Labels must be 0 or 1: the variance of a stratum with x ones
    among n labels is that of (x + 1) / (n + 2), so that one in which all labels agree is not taken for
    certain. The interval is estimate ± t · se, with Satterthwaite's degrees of freedom, cut at 0 and 1; a
    stratum that is labelled whole adds nothing to it. Where all of several are, it has no width, and a
    warning says so: the sizes may be the numbers of labels.

    Raises ValueError for labels of a stratum without a size, a size that is no whole number from 1 up, fewer
    labels than two (or all that a stratum has), more labels than items, and labels other than 0 and 1.

    Source: Cochran, Sampling techniques, 1977, chapter 5; x + 1 of n + 2: Agresti and Coull, Approximate is
    better than "exact" for interval estimation of binomial proportions, 1998.

    >>> found = stratified_mean({"yes": [1, 1, 1, 0], "no": [0, 0, 0, 0]}, {"yes": 100, "no": 300})
    >>> print(f"{found['estimate']:.4f}")  # 100/400 · 3/4
    0.1875
    """
    check_level("confidence", confidence)
    _check_strata(sizes, labels, "labels")
    total, estimate, parts = sum(sizes.values()), 0.0, []
    for name, size in sizes.items():
        values = as_values(labels.get(name, []), f"labels of stratum {name!r}", least=min(2, size))
        n, ones = len(values), float(values.sum())
        if n > size:
            raise ValueError(f"stratum {name!r}: {n} labels and {size} items; is it labelled twice?")
        if not set(values.tolist()) <= {0.0, 1.0}:
            raise ValueError(f"labels of stratum {name!r}: needed 0 and 1 alone; make grades yes or no first")
        estimate += size / total * ones / n
        share = (ones + 1) / (n + 2)
        error = (size / total) ** 2 * share * (1 - share) / n * (1 - n / size)
        parts.append((error, n - 1))
    if len(parts) > 1 and sum(map(len, labels.values())) == total and 0 < estimate < 1:
        said = "the size of every stratum is the number of its labels, so the interval has no width"
        warn(f"{said}; if not all items were labelled, give how many each stratum has in all")
    variance = sum(error for error, _ in parts)
    df = variance**2 / sum(error**2 / max(n, 1) for error, n in parts) if variance else 1.0
    half = float(scipy.special.stdtrit(df, (1 + confidence) / 2) * variance**0.5)
    ends = max(0.0, estimate - half), min(1.0, estimate + half)
    low, high = (round(end, DECIMALS) for end in ends)
    return {"estimate": float(estimate), "low": low, "high": high, "se": float(variance**0.5)}


def neyman_allocation(sizes: Mapping[str, int], spreads: Mapping[str, float], n: int) -> dict[str, int]:
    """How many of `n` labels each stratum gets, so that the interval of the mean is narrowest.

    In proportion to size · spread, `spreads` being standard deviations of what is labelled (guessed, or from
    a pilot); at least two each, and never more than a stratum has. Whole numbers by largest remainders, ties
    to the earlier stratum. Raises ValueError where n is too small for two each or larger than all strata, for
    a stratum with a size and no spread or the reverse, a size that is no whole number from 1 up, and a spread
    that is no number from 0 up.

    Source: Neyman, On the two different aspects of the representative method, 1934.

    >>> neyman_allocation({"yes": 100, "no": 300}, {"yes": 0.5, "no": 0.1}, 40)  # 50 : 30
    {'yes': 25, 'no': 15}
    """
    check_whole("n", n, of="labels")
    _check_strata(sizes, spreads, "a spread")
    if missing := [name for name in sizes if name not in spreads]:
        raise ValueError(f"no spread for stratum {missing[0]!r}; needed one for each of {list(sizes)}")
    for name, spread in spreads.items():
        if not isinstance(spread, Real) or not 0 <= spread < inf:
            raise ValueError(f"the spread of stratum {name!r} is {spread!r}; needed a number from 0 up")
    least = {name: min(2, size) for name, size in sizes.items()}
    if not sum(least.values()) <= n <= sum(sizes.values()):
        needed = f"needed from {sum(least.values())} to {sum(sizes.values())}"
        raise ValueError(f"n is {n} labels for {len(sizes)} strata; {needed}")
    weights = {name: size * max(spreads[name], 1e-12) for name, size in sizes.items()}
    fixed: dict[str, int] = {}
    while True:
        # A share above what a stratum has, or below the least, is moved there. Which of the two take part of
        # what is left to share more exactly is settled first; the other strata share again.
        free = [name for name in sizes if name not in fixed]
        left, whole = n - sum(fixed.values()), sum(weights[name] for name in free)
        share = {name: left * weights[name] / whole for name in free}
        over = {name: sizes[name] for name in free if share[name] > sizes[name]}
        under = {name: least[name] for name in free if share[name] < least[name]}
        too_much = sum(share[name] - most for name, most in over.items())
        too_little = sum(fewest - share[name] for name, fewest in under.items())
        settled = over if too_much >= too_little else under
        if not settled:
            break
        fixed |= settled
    given = fixed | {name: int(share[name]) for name in free}
    by_remainder = sorted(free, key=lambda name: share[name] - int(share[name]), reverse=True)
    for name in by_remainder[: n - sum(given.values())]:
        given[name] += 1
    return {name: given[name] for name in sizes}


def _ends(
    rest: np.ndarray, labels: np.ndarray, level: float, said: float, se_verdicts: float, confidence: float
) -> tuple[float, float]:
    """The interval; for labels of 0 and 1 with a yes and a no more, of which the judge said its mean."""
    if set(labels.tolist()) <= {0.0, 1.0}:
        rest = np.append(rest, [1 - level, -level])
    n = len(rest)
    t = scipy.special.stdtrit(n - 1, (1 + confidence) / 2)
    middle, half = said + rest.mean(), t * (se_verdicts**2 + rest.var(ddof=1) / n) ** 0.5
    return float(middle - half), float(middle + half)


def _three(labels: Values, verdicts: Values, more: Values, least: int) -> tuple[np.ndarray, ...]:
    """All three as numbers, the verdicts in the order of the labels."""
    verdicts = in_one_order(labels, verdicts, "labels", "verdicts")
    named = (("labels", labels), ("verdicts", verdicts), ("more_verdicts", more))
    three = tuple(as_values(values, name, least) for name, values in named)
    if len(three[0]) != len(three[1]):
        found = f"{len(three[0])} labels and {len(three[1])} verdicts"
        raise ValueError(f"{found}; needed a label and a verdict of each of the same items")
    return three


def as_values(values: Values, name: str, least: int = 2) -> np.ndarray:
    """One number for each item, as 64-bit floats; `name` is for errors, a plural.

    Raises ValueError for a dict or set, a table, fewer than `least`, and what is no finite number, with its
    place: text is not read as a number.

    >>> as_values([1, "0"], "labels")
    Traceback (most recent call last):
    ValueError: labels, item 1: '0' is no finite number
    """
    if isinstance(values, Mapping):
        raise ValueError(f"{name} are a dict; give its values as a list, in one order with the others")
    check_in_order(values, name)
    listed = values if isinstance(values, np.ndarray) else list(values)
    found = np.asarray(listed)
    if found.ndim != 1 or found.dtype.kind not in "buif" or not np.isfinite(found).all():
        for number, value in enumerate(listed):
            if not isinstance(value, (Real, np.bool_)) or not isfinite(value):
                raise ValueError(f"{name}, item {number}: {value!r} is no finite number")
    if len(listed) < least:
        raise ValueError(f"{name}: {len(listed)} values; needed {least} or more")
    return np.asarray(listed, dtype=float)


def _check_strata(sizes: Mapping[str, int], given: Mapping, what: str) -> None:
    """Raises ValueError where something is given of a stratum without a size, and for sizes that are none."""
    if not sizes:
        raise ValueError("no strata: sizes is empty; needed {stratum: number of items}")
    for name, size in sizes.items():
        check_whole(f"the size of stratum {name!r}", size, of="items")
    if strays := [name for name in given if name not in sizes]:
        raise ValueError(f"{what} of stratum {strays[0]!r}, which has no size; needed one of {list(sizes)}")


def _checked_power(power: float) -> float:
    if isinstance(power, bool) or not isinstance(power, Real) or not 0 <= power <= 1:
        raise ValueError(f"power is {power!r}; needed a share from 0 to 1, or None to have it tuned")
    return float(power)
