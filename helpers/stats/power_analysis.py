"""Can this test set see it? Power of the paired t-test, simulated from observed differences per query.

A test set of n queries is drawn, with replacement, from the observed differences, centred so that there is no
effect and widened by sqrt(N / (N - 1)), since the N observed spread a little less around their own mean than
queries do, and then shifted by the effect in question: every query gains the same. So the noise is that of
real queries, and nothing is assumed to be normal. It is also the noise of these two systems, guessed from N
queries (`pilot_interval` says how well), and without what an effect adds to it. Where most queries tie, a
real gain does not move all of them a little: if it turns ties into wins it takes more queries than said here,
if it turns losses into ties it may take fewer.
"""

from bisect import bisect_left
from collections.abc import Iterable
from math import inf, isfinite
from numbers import Real

import numpy as np
import pandas as pd
import scipy  # loads `scipy.special` when it is first used

from helpers.base import check_rng, check_whole
from helpers.stats.paired_tests import DECIMALS, Scores, as_series, check_scale
from helpers.stats.resampling import Rng, ask_about_scores, blocks, check_level, resampled_means, row_products

MOST_QUERIES = 2**20
"""A difference that needs more is called undetectable."""

MANY_QUERIES = 1000
"""From here on, equal differences are drawn together, which is faster. Smaller sets keep their draw."""


def power(
    differences: Scores, n: int, effect: float, alpha: float = 0.05, n_simulations: int = 2000, rng: Rng = 0
) -> float:
    """The share of test sets of n queries in which a true mean difference of `effect` has p < alpha.

    The paired t-test, two-sided. `differences` are one per query, as in `paired(a, b)["difference"]`. With an
    effect of 0 it is the false-alarm rate. A simulated set whose differences are all equal counts as not
    detected. Of 2,000 simulations a share of 0.8 has a standard error of 0.009.

    Raises ValueError for differences that do not differ, n below 2, and an effect that is no finite number,
    or above 1 where no difference is. Warns, as all of this page do, of ten differences or more of which none
    is below 0 and most are above: they may be scores.

    Source: Card et al., With little power comes great responsibility, EMNLP 2020; how many queries: Sakai,
    Topic set size design, Information Retrieval Journal 2016.

    >>> power([-0.2, -0.1, 0.0, 0.1, 0.2] * 6, n=30, effect=0.1)
    0.961
    """
    return float(power_curve(differences, [n], [effect], alpha, n_simulations, rng).iloc[0, 0])


def power_curve(
    differences: Scores,
    sizes: Iterable[int],
    effects: Iterable[float],
    alpha: float = 0.05,
    n_simulations: int = 2000,
    rng: Rng = 0,
) -> pd.DataFrame:
    """`power` for each number of queries (index `n`) and each effect (a column each), as for a figure.

    Raises the errors of `power`.

    >>> curve = power_curve([-0.2, -0.1, 0.0, 0.1, 0.2] * 6, sizes=[10, 30, 90], effects=[0.0, 0.05])
    >>> curve.round(2)[0.05].to_dict()
    {10: 0.14, 30: 0.44, 90: 0.9}
    """
    check_level("alpha", alpha)
    rng, effects, rows = check_rng(rng), list(effects), {}
    differences = _asked_about(differences)
    for effect in effects:
        if not isinstance(effect, Real) or not isfinite(effect):
            raise ValueError(f"effect is {effect!r}; needed a difference of means, such as 0.02")
        check_scale("effect", effect, differences)
    for n in sizes:
        means, errors = _test_sets(differences, n, n_simulations, rng)
        rows[n] = [float((_p_values(means + effect, errors, n) < alpha).mean()) for effect in effects]
    return pd.DataFrame.from_dict(rows, orient="index", columns=effects).rename_axis("n")


def detectable_difference(
    differences: Scores,
    n: int,
    power: float = 0.8,
    alpha: float = 0.05,
    n_simulations: int = 2000,
    rng: Rng = 0,
) -> float:
    """The smallest true mean gain that n queries detect with this power; infinite where none is enough.

    Of skewed differences a drop is seen at another size: give them with their signs turned. As precise as
    its simulation: with 2,000, about 2 %.

    Raises the errors of `power`, and ValueError for a power that is not between 0 and 1.

    >>> print(round(detectable_difference([-0.2, -0.1, 0.0, 0.1, 0.2] * 6, n=30), 3))
    0.078
    """
    check_level("power", power)
    check_level("alpha", alpha)
    means, errors = _test_sets(_asked_about(differences), n, n_simulations, check_rng(rng))
    # Each simulated set says which effect makes its t large enough; the power is a quantile of these.
    critical = scipy.special.stdtrit(n - 1, 1 - alpha / 2)
    return float(np.quantile(critical * errors - means, power, method="higher"))


def queries_needed(
    differences: Scores,
    effect: float,
    power: float = 0.8,
    alpha: float = 0.05,
    n_simulations: int = 2000,
    rng: Rng = 0,
) -> int:
    """How many queries it takes to detect a true mean difference of `effect` (either sign) with this power.

    The smallest n whose `detectable_difference` is no larger. As that is simulated, take it to about 5 %.

    Raises the errors of `power`, and ValueError for an effect of 0 and one that a million queries miss.

    >>> queries_needed([-0.2, -0.1, 0.0, 0.1, 0.2] * 6, effect=0.05)
    67
    """
    if not isinstance(effect, Real) or not isfinite(effect) or effect == 0:
        raise ValueError(f"effect is {effect!r}; needed a difference of means that is not 0, such as 0.02")
    found = _asked_about(differences)
    check_scale("effect", effect, found)
    observed = found * (1 if effect > 0 else -1)

    def enough(n: int) -> bool:
        return detectable_difference(observed, n, power, alpha, n_simulations, rng) <= abs(effect)

    # Twice as many until it is enough, then halve the range in which the smallest lies.
    high = 2
    while not enough(high):
        if high >= MOST_QUERIES:
            raise ValueError(
                f"effect is {effect!r}; with this noise {high:,} queries do not detect it with power {power}"
            )
        high *= 2
    return bisect_left(range(high), True, lo=high // 2 + 1, key=enough)


def normal_power(n: int, effect: float, deviation: float, alpha: float = 0.05) -> float:
    """The power of the paired t-test on n queries whose differences are normal: a formula, no simulation.

    `effect` is the true mean difference, `deviation` the standard deviation of the differences. For planning
    before there is a pilot. Where there is one, `power` draws from it and assumes no shape. On thirty
    differences of two BM25s the two can be far apart: with 10 queries up to 0.14 for P@1 and 0.4 to 0.5 for
    Recall@10, with 30 up to 0.05 and about 0.2.

    Raises ValueError for n below 2, an effect that is no finite number, a deviation that is not above 0.

    Source: the noncentral t distribution; Sakai, Topic set size design, Information Retrieval Journal 2016.

    >>> round(normal_power(30, effect=0.1, deviation=0.2), 3)
    0.754
    """
    check_level("alpha", alpha)
    check_whole("n", n, 2)
    if not isinstance(effect, Real) or not isfinite(effect):
        raise ValueError(f"effect is {effect!r}; needed a difference of means, such as 0.02")
    if not isinstance(deviation, Real) or not 0 < deviation < inf:
        raise ValueError(f"deviation is {deviation!r}; needed a standard deviation above 0, such as 0.2")
    # The t of n queries lies around `shift`, where without an effect it lies around 0.
    shift, critical = abs(effect) / deviation * n**0.5, scipy.special.stdtrit(n - 1, 1 - alpha / 2)
    below, above = scipy.special.nctdtr(n - 1, -shift, [-critical, critical])
    return float(below + 1 - above)


def pilot_interval(
    differences: Scores,
    n: int | None = None,
    effect: float | None = None,
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    rng: Rng = 0,
) -> tuple[float, float]:
    """A range for `detectable_difference` of n queries, or for the `queries_needed` for an effect.

    Power is 0.8 and alpha 0.05. Both answers rest on the standard deviation of the pilot's differences, and
    that is a guess. So the pilot is drawn again: where the deviations of such draws go from 0.6 to 1.4 of the
    pilot's, that of all queries goes from 1 / 1.4 to 1 / 0.6 of it. The detectable difference grows with it,
    the number of queries with its square. Draws without noise make the upper end infinite.

    The ends are optimistic: a pilot that lacks the one query that moves far cannot know of it. Simulated on
    the course's differences, the interval of the standard deviation holds the truth in 87 to 91 % of cases
    where the pilot has 30 queries (67 % where one query makes for much of the noise), and in 88 to 94 % where
    it has 100 (evals/benchmarks/statistics.md). The ends given here are right at most as often.

    Raises the errors of `detectable_difference` and `queries_needed`, and ValueError unless one of n and
    effect is given.

    Source: Davison and Hinkley, Bootstrap methods and their application, 1997, chapter 5 (the basic
    bootstrap, of a logarithm).

    >>> pilot = [-0.2, -0.1, 0.0, 0.1, 0.2] * 6
    >>> [round(end, 3) for end in pilot_interval(pilot, n=30)]  # `detectable_difference` is 0.078
    [0.069, 0.096]
    >>> [round(end) for end in pilot_interval(pilot, effect=0.05)]  # `queries_needed` are 67
    [53, 101]
    """
    if (n is None) == (effect is None):
        raise ValueError(
            f"n is {n!r} and effect is {effect!r}; needed one of the two; the other is what you ask for"
        )
    check_level("confidence", confidence)
    differences = _asked_about(differences)
    found = detectable_difference(differences, n) if effect is None else queries_needed(differences, effect)
    observed = differences.to_numpy()[:, None]
    low, high = (float(end[0]) for end in noise_ratios(observed, confidence, n_resamples, rng))
    return (found * low, found * high) if effect is None else (found * low**2, found * high**2)


def noise_ratios(
    pilots: np.ndarray, confidence: float = 0.95, n_resamples: int = 10_000, rng: Rng = 0
) -> tuple[np.ndarray, np.ndarray]:
    """How many times a pilot's standard deviation that of all queries may be: low and high ends.

    Pilots are columns, of queries drawn together. A ratio is infinite where so many draws have no noise.
    """
    n_pilots = pilots.shape[1]
    moments = resampled_means(np.hstack([pilots, pilots**2]), n_resamples, rng)
    means, squares = moments[:, :n_pilots], moments[:, n_pilots:]
    deviations = np.sqrt(np.maximum(squares - means**2, 0)).round(DECIMALS) / pilots.std(axis=0)
    tails = np.quantile(deviations, [(1 + confidence) / 2, (1 - confidence) / 2], axis=0)
    low, high = np.divide(1, tails, out=np.full(tails.shape, inf), where=tails > 0)
    return low, high


def false_alarm_rate(
    differences: Scores,
    n_comparisons: int = 10,
    n: int | None = None,
    alpha: float = 0.05,
    n_simulations: int = 10_000,
    rng: Rng = 0,
) -> dict[str, float]:
    """How often comparisons of n queries find something where nothing is: `{"each", "any", "any, Holm"}`.

    "each" is the share of single comparisons with p < alpha, "any" that of families of `n_comparisons` with
    at least one, "any, Holm" the same after Holm's correction. The comparisons are independent, as those of
    several systems with one baseline are not (of six, "any" is lower by about a quarter), and several
    metrics of one pair even less so; Holm's promise holds for them too. n is that of the observed
    differences unless given.

    Raises the errors of `power`.

    >>> false_alarm_rate([-0.2, -0.1, 0.0, 0.1, 0.2] * 6, n_comparisons=10)  # 1 - 0.95^10 = 0.4013
    {'each': 0.05029, 'any': 0.3994, 'any, Holm': 0.0561}
    """
    check_level("alpha", alpha)
    check_whole("n_comparisons", n_comparisons)
    check_whole("n_simulations", n_simulations, 100)
    n = len(differences) if n is None else n
    means, errors = _test_sets(_asked_about(differences), n, n_simulations * n_comparisons, check_rng(rng))
    p_values = _p_values(means, errors, n).reshape(n_simulations, n_comparisons)
    # Holm finds something in a family exactly where its smallest p-value, times their number, is below alpha.
    smallest = p_values.min(axis=1)
    return {
        "each": float((p_values < alpha).mean()),
        "any": float((smallest < alpha).mean()),
        "any, Holm": float((smallest * n_comparisons < alpha).mean()),
    }


def _asked_about(differences: Scores) -> pd.Series:
    """The differences under the name that `paired` gives them; warns, once, where they may be scores."""
    values = as_series(differences, "differences")
    ask_about_scores(differences, values)
    return values.rename("difference")


def _test_sets(
    differences: pd.Series, n: int, n_simulations: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The mean of each simulated test set without an effect, and its standard error (inf: nothing varies)."""
    observed = differences.to_numpy()
    if np.ptp(observed) == 0:
        given = f"{len(observed)} differences, all {observed[0]}"
        raise ValueError(f"{given}; needed some that differ, to know how noisy queries are")
    check_whole("n", n, 2)
    check_whole("n_simulations", n_simulations, 100)
    # Queries of equal difference, most of them 0, are as one that is drawn more often.
    times = np.ones(len(observed))
    if len(observed) >= MANY_QUERIES:
        observed, times = np.unique(observed, return_counts=True)
    chances = times / times.sum()
    # Divided by N, the spread of a sample around its own mean is too small by this factor.
    centred = (observed - chances @ observed) * (times.sum() / (times.sum() - 1)) ** 0.5
    # How often each query is drawn is multinomial, which costs a million queries no more than thirty. These
    # counts times the differences and their squares are all that a mean and a variance need.
    powers = np.column_stack([centred, centred**2])
    drawn = (rng.multinomial(n, chances, size=rows) for rows in blocks(n_simulations, len(chances)))
    means, squares = np.concatenate([row_products(counts, powers) for counts in drawn]).T / n
    variances = squares - means**2
    errors = np.sqrt(np.where(variances > 1e-12 * (chances @ centred**2), variances / (n - 1), np.inf))
    return means, errors


def _p_values(means: np.ndarray, errors: np.ndarray, n: int) -> np.ndarray:
    """Of the t-test, two-sided, with n - 1 degrees of freedom."""
    return 2 * scipy.special.stdtr(n - 1, -np.abs(means) / errors)
