"""Looking at an experiment while it runs: the false alarms that brings, and the boundary against them.

All is simulated for a difference of two means that is looked at after equal portions of data, each large
enough for its mean to be normal. Then z at look i is the sum of i independent portions over sqrt(i).
"""

from collections.abc import Iterator, Sequence

import numpy as np
import scipy  # loads `scipy.special` when it is first used

from helpers.base import check_whole
from helpers.stats.resampling import Rng, blocks, check_share


def peeking_false_alarms(
    n_looks: int, level: float = 0.05, n_simulations: int = 200_000, rng: Rng = 0
) -> np.ndarray:
    """The share of experiments without any difference in which p was below the level, up to each look.

    An array of n_looks shares: entry i - 1 belongs to look i. The first is the level itself, what comes after
    it is the price of stopping at the first "significant" day. Two-sided. Raises ValueError for a level
    outside (0, 1) and for less than one look or simulation.

    Source: Armitage, McPherson and Rowe, Repeated significance tests on accumulating data, 1969.

    >>> peeking_false_alarms(10).round(2)[[0, 1, 4, 9]]
    array([0.05, 0.08, 0.14, 0.19])
    """
    return _stopped_by_look(n_looks, level, 0.0, n_simulations, rng)


def pocock_level(n_looks: int, alpha: float = 0.05, n_simulations: int = 500_000, rng: Rng = 0) -> float:
    """The level for each of n_looks planned looks with which all together raise alpha false alarms.

    The boundary is constant, found by simulation, and given as a two-sided p-value. The number of looks is
    fixed before the first one; who looks once more has no guarantee. Raises as `peeking_false_alarms`.

    Source: Pocock, Group sequential methods in the design and analysis of clinical trials, 1977.

    >>> round(pocock_level(5), 3)  # Pocock's table: 0.0158
    0.016
    """
    _check(n_looks, alpha, n_simulations)
    # The boundary is what the largest |z| of all looks passes in a share alpha of the null experiments.
    highest = [np.abs(z).max(axis=1) for z in _z_scores(n_looks, 0.0, n_simulations, rng)]
    return float(2 * scipy.special.ndtr(-np.quantile(np.concatenate(highest), 1 - alpha)))


def sequential_power(
    n_looks: int, fixed_power: float = 0.8, alpha: float = 0.05, n_simulations: int = 100_000, rng: Rng = 0
) -> dict[str, float]:
    """What Pocock's boundary costs and saves where one look at the end has the power `fixed_power`.

    Keys: `level` (of each look), `power` (found at any look), `data used` (mean share of the planned data
    when the experiment stops, at the end for those that find nothing), `data for fixed power` (how many times
    the data must be planned for the boundary to find as much as the single look). Raises ValueError as
    `peeking_false_alarms`, and for a `fixed_power` that is not above alpha and below 1.

    >>> {name: round(value, 2) for name, value in sequential_power(5).items()}
    {'level': 0.02, 'power': 0.71, 'data used': 0.71, 'data for fixed power': 1.23}
    """
    if not alpha < fixed_power < 1:
        raise ValueError(f"fixed_power is {fixed_power!r}; needed a power above alpha ({alpha}) and below 1")
    rng = np.random.default_rng(rng)
    level = pocock_level(n_looks, alpha, rng=rng)
    # The mean z of the single look: beyond its boundary by what a share fixed_power of experiments passes.
    effect = _boundary(alpha) + scipy.special.ndtri(fixed_power)
    stopped = _stopped_by_look(n_looks, level, effect, n_simulations, rng)
    seed = int(rng.integers(2**32))
    return {
        "level": level,
        "power": float(stopped[-1]),
        # Look i + 1 is reached by those who have not stopped at look i.
        "data used": float(1 - stopped[:-1].sum() / n_looks),
        "data for fixed power": _data_needed(n_looks, level, effect, fixed_power, n_simulations, seed),
    }


def sequential_decision(p_values: Sequence[float], n_looks: int, alpha: float = 0.05, rng: Rng = 0) -> dict:
    """Whether an experiment may stop, by the p-values of the looks so far, in order, of n_looks planned.

    Keys: `significant`, `look` (the first at which p was below the level, None where none was), `level`,
    `statement`. Raises ValueError for more p-values than looks were planned, and for one outside [0, 1].

    >>> found = sequential_decision([0.04, 0.03, 0.009], n_looks=5)
    >>> found["significant"], found["look"]
    (True, 3)
    """
    taken = len(p_values)
    if taken > n_looks:
        raise ValueError(
            f"{taken} p-values for {n_looks} planned looks; the boundary holds only for the looks planned"
        )
    for look, p_value in enumerate(p_values, start=1):
        if not 0 <= p_value <= 1:
            raise ValueError(f"look {look}: p is {p_value!r}; needed a p-value from 0 to 1")
    level = pocock_level(n_looks, alpha, rng=rng)
    look = next((look for look, p_value in enumerate(p_values, start=1) if p_value < level), None)
    if look is not None:
        p = f"{p_values[look - 1]:.4f}"
        statement = f"Significant at look {look} of {n_looks}: p = {p} is below {level:.4f}."
    elif taken == n_looks:
        statement = f"No difference shown: none of {n_looks} looks had p below {level:.4f}."
    else:
        statement = f"Go on: {taken} of {n_looks} looks taken, none had p below {level:.4f}."
    return {"significant": look is not None, "look": look, "level": level, "statement": statement}


def _data_needed(
    n_looks: int, level: float, effect: float, power: float, n_simulations: int, seed: int
) -> float:
    """By bisection, with one seed for all sizes, so that power grows with the size without jumps."""
    low, high = 1.0, 4.0
    while high - low > 0.002:
        size = (low + high) / 2
        found = _stopped_by_look(n_looks, level, effect * np.sqrt(size), n_simulations, seed)[-1]
        low, high = (low, size) if found >= power else (size, high)
    return high


def _stopped_by_look(n_looks: int, level: float, effect: float, n_simulations: int, rng) -> np.ndarray:
    """The share with |z| beyond the boundary up to each look; `effect` is the mean z at the end."""
    _check(n_looks, level, n_simulations)
    boundary, stopped = _boundary(level), np.zeros(n_looks)
    for z in _z_scores(n_looks, effect, n_simulations, rng):
        stopped += np.logical_or.accumulate(np.abs(z) > boundary, axis=1).sum(axis=0)
    return stopped / n_simulations


def _z_scores(n_looks: int, effect: float, n_simulations: int, rng) -> Iterator[np.ndarray]:
    """Blocks of (experiments, n_looks) z scores: a million experiments would not fit into memory."""
    rng, looks = np.random.default_rng(rng), np.arange(1, n_looks + 1)
    for rows in blocks(n_simulations, n_looks):
        # Each look adds one portion of data; z is the sum of the portions so far over its standard deviation.
        portions = rng.standard_normal((rows, n_looks)) + effect / np.sqrt(n_looks)
        yield portions.cumsum(axis=1) / np.sqrt(looks)


def _boundary(level: float) -> float:
    """The |z| beyond which the two-sided p-value is below the level."""
    return -scipy.special.ndtri(level / 2)


def _check(n_looks: int, level: float, n_simulations: int) -> None:
    check_whole("n_looks", n_looks)
    check_whole("n_simulations", n_simulations)
    check_share("the level", level)
