"""Looking at an experiment while it runs: the false alarms that brings, and the boundaries against them.

All is computed for a difference of two means that is looked at several times while data comes in, each
portion large enough for its mean to be normal. Then the sum of the data is a Brownian motion, and the chance
of stopping at each look is an integral over the looks before it, one dimension a look, done numerically.
`looks` is everywhere the number of equal portions, or the share of the planned data that has come in at each
look, rising to 1.

Source: Armitage, McPherson and Rowe, Repeated significance tests on accumulating data, 1969 (the integral);
Jennison and Turnbull, Group sequential methods with applications to clinical trials, 2000, chapters 2, 7, 19.
"""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import scipy  # loads `scipy.special` and `scipy.optimize` when they are first used

from helpers.base import check_option, check_whole, counted
from helpers.stats.kappa import check_in_order
from helpers.stats.resampling import check_level

Looks = int | Sequence[float]
"""How many looks after equal portions of data, or the share of the planned data at each look."""

CLOSEST = 0.005
"""Looks may not lie closer together than this share of the plan: the integral would take minutes."""

SHAPES = {"pocock": lambda t: np.ones_like(t), "obrien-fleming": lambda t: 1 / np.sqrt(t)}
"""How the |z| to pass depends on the share t of the data; a constant factor is found for all looks."""

SPENDING = {
    "pocock-spending": lambda t, alpha: alpha * np.log(1 + (np.e - 1) * t),
    "obrien-fleming-spending": lambda t, alpha: (
        4 * scipy.special.ndtr(scipy.special.ndtri(alpha / 4) / np.sqrt(t))
    ),
}
"""How much of alpha may be spent until the share t of the data, both sides together."""

BOUNDARIES = (*SHAPES, *SPENDING)


def peeking_false_alarms(looks: Looks, level: float | Sequence[float] = 0.05) -> np.ndarray:
    """The share of experiments without any difference in which p was below the level, up to each look.

    An array with an entry a look. The first is the level itself; what comes after it is the price of stopping
    at the first "significant" day. `level` may also hold one level a look, as `sequential_levels` gives them.
    Two-sided. Raises ValueError for a level outside (0, 1), for levels that are not as many as the looks, for
    less than one look, and for shares of the data that do not rise, end above 1 or lie less than 0.005 apart.

    >>> peeking_false_alarms(10).round(3)[[0, 1, 4, 9]]
    array([0.05 , 0.083, 0.142, 0.193])
    """
    shares = _shares(looks)
    levels = np.asarray(level, dtype=float)
    if levels.size != 1 and levels.shape != shares.shape:
        given = f"{levels.size:,} levels for {counted(len(shares), 'look')}"
        raise ValueError(f"{given}; needed one level for all looks, or one a look")
    levels = np.broadcast_to(levels, shares.shape)
    for one in levels.tolist():
        check_level("the level", one)
    return _stopped_at(shares, _boundary(levels)).cumsum()


def sequential_levels(looks: Looks, boundary: str = "obrien-fleming", alpha: float = 0.05) -> np.ndarray:
    """The level at each look, as a two-sided p-value, with which all looks together raise alpha false alarms.

    `boundary` is one of:

    - "pocock": the same level at every look;
    - "obrien-fleming", the default: next to nothing at the first looks and, where they are few, nearly alpha
      at the last, so that looking costs hardly any power; |z| must pass a border that falls as 1 / sqrt(share
      of the data);
    - "pocock-spending" and "obrien-fleming-spending": how much of alpha may be spent until each share of the
      data is fixed before the start, and not when or how often somebody looks. So the shares may be those of
      the looks taken so far and need not end at 1. Each side of the test spends alpha / 2.

    Raises ValueError as `peeking_false_alarms`, for another boundary, and where the shares of one of the
    first two do not end at 1: their levels depend on all looks that were planned.

    Source: Pocock, Group sequential methods in the design and analysis of clinical trials, 1977; O'Brien and
    Fleming, A multiple testing procedure for clinical trials, 1979; Lan and DeMets, Discrete sequential
    boundaries for clinical trials, 1983.

    >>> sequential_levels(5, "pocock").round(4)  # Pocock's table: 0.0158
    array([0.0158, 0.0158, 0.0158, 0.0158, 0.0158])
    >>> sequential_levels(5).round(4)
    array([0.    , 0.0013, 0.0084, 0.0226, 0.0413])
    """
    check_option("boundary", boundary, BOUNDARIES)
    check_level("alpha", alpha)
    shares = _shares(looks)
    if boundary in SPENDING:
        return _spending_levels(shares, _steps(SPENDING[boundary](shares, alpha)))
    _check_whole_plan(shares, "a boundary ending in -spending needs only those taken so far")
    shape = SHAPES[boundary](shares)
    # Between no correction at all and Bonferroni's, which is always enough.
    between = _boundary(alpha) - 0.001, _boundary(alpha / len(shares)) + 0.001
    factor = scipy.optimize.brentq(
        lambda factor: _stopped_at(shares, factor * shape).sum() - alpha, *between, xtol=1e-9
    )
    return 2 * scipy.special.ndtr(-factor * shape)


def sequential_power(
    looks: Looks, boundary: str = "obrien-fleming", fixed_power: float = 0.8, alpha: float = 0.05
) -> dict[str, float]:
    """What a boundary costs and saves where one look at the end has the power `fixed_power`.

    Keys: `power` (the difference is found at any look) and `data used` (mean share of the planned data when
    the experiment stops, at the end for those that find nothing), with the data that the one look needs;
    `longer plan` (how many times that must be planned for the boundary to find as much as the single look)
    and `used of longer plan` (mean, in the same unit: below 1 it saves data). All four assume that the
    difference is there; without one, a test runs for nearly its whole plan.

    Raises ValueError as `sequential_levels`, for looks that do not end at 1, and for a `fixed_power` that is
    not above alpha and below 1.

    >>> {name: round(value, 2) for name, value in sequential_power(5, "pocock").items()}
    {'power': 0.71, 'data used': 0.71, 'longer plan': 1.23, 'used of longer plan': 0.8}
    >>> {name: round(value, 2) for name, value in sequential_power(5).items()}
    {'power': 0.79, 'data used': 0.8, 'longer plan': 1.03, 'used of longer plan': 0.82}
    """
    if not alpha < fixed_power < 1:
        raise ValueError(f"fixed_power is {fixed_power!r}; needed a power above alpha ({alpha}) and below 1")
    shares, z = _shares(looks), _boundary(sequential_levels(looks, boundary, alpha))
    _check_whole_plan(shares, "power is that of the whole plan")
    # The mean z of the single look: beyond its boundary by what a share fixed_power of experiments passes.
    effect = _boundary(alpha) + scipy.special.ndtri(fixed_power)

    def power_and_data(size: float) -> tuple[float, float]:
        """With the planned data times `size`; the data in units of what the single look needs."""
        stopped = _stopped_at(shares, z, effect * np.sqrt(size))
        return stopped.sum(), size * (stopped @ shares + shares[-1] * (1 - stopped.sum()))

    power, used = power_and_data(1)
    size = scipy.optimize.brentq(lambda size: power_and_data(size)[0] - fixed_power, 0.5, 10)
    return {
        "power": float(power),
        "data used": float(used),
        "longer plan": float(size),
        "used of longer plan": float(power_and_data(size)[1]),
    }


def sequential_decision(
    p_values: Sequence[float], looks: Looks, boundary: str = "obrien-fleming", alpha: float = 0.05
) -> dict:
    """Whether an experiment may stop, by the p-values of the looks so far, in order, of those planned.

    Keys: `significant`, `look` (the first at which p was below its level, None where none was), `levels` (an
    array, one a look; see `sequential_levels`), `statement`. Raises ValueError for more p-values than looks
    were planned, for one outside [0, 1], for a table or a dict of them, and as `sequential_levels`.

    >>> found = sequential_decision([0.04, 0.001, 0.009], looks=5)
    >>> found["significant"], found["look"]
    (True, 2)
    """
    if isinstance(p_values, Mapping):
        raise ValueError("p-values are a dict; give its values as a list, in the order of the looks")
    check_in_order(p_values, "p-values")
    p_values = list(p_values)
    shares, taken = _shares(looks), len(p_values)
    if taken > len(shares):
        planned = f"{taken} p-values for {len(shares)} planned looks"
        raise ValueError(f"{planned}; the boundary holds only for the looks planned")
    for look, p_value in enumerate(p_values, start=1):
        if not 0 <= p_value <= 1:
            raise ValueError(f"look {look}: p is {p_value!r}; needed a p-value from 0 to 1")
    levels = sequential_levels(looks, boundary, alpha)
    below = np.flatnonzero(np.asarray(p_values) < levels[:taken])
    look, of_all = (int(below[0]) + 1 if below.size else None), f"of {len(shares)}"
    if look is not None:
        p, level = p_values[look - 1], levels[look - 1]
        statement = f"Significant at look {look} {of_all}: p = {p:.2g} is below {level:.2g}."
    elif taken == len(shares) and shares[-1] == 1:
        statement = f"No difference shown: at none {of_all} looks was p below its level."
    else:
        after = f", p at the last one not below {levels[taken - 1]:.2g}" if taken else ""
        statement = f"Go on: {taken} {of_all} looks taken{after}."
    return {"significant": look is not None, "look": look, "levels": levels, "statement": statement}


def _spending_levels(shares: np.ndarray, spent: np.ndarray) -> np.ndarray:
    """Look after look: the z that those who have not stopped before pass in the share that may be spent."""
    z, steps, going = np.full(len(shares), np.inf), _steps(shares), _START
    for look, may_spend in enumerate(spent):

        def too_much(bound: float, going: Going = going, look: int = look, spend: float = may_spend) -> float:
            return _stopping(going, bound * np.sqrt(shares[look]), steps[look], 0.0) - spend

        # Beyond 20 the normal distribution has run out of digits: so little is no level at all.
        z[look] = scipy.optimize.brentq(too_much, 0, 20, xtol=1e-9) if too_much(20) < 0 else np.inf
        going = _going_on(going, z[look] * np.sqrt(shares[look]), shares, look, 0.0)
    return 2 * scipy.special.ndtr(-z)


def _stopped_at(shares: np.ndarray, z: np.ndarray, effect: float = 0.0) -> np.ndarray:
    """The share of experiments that stop at each look, |z| beyond the boundary there and not before.

    `effect` is the mean z where all the data is in. The sum of the data, in units of its standard deviation
    at the end, is at the share t normal with mean effect · t and variance t; what comes in between two looks
    is independent of what was there.
    """
    stopped, bounds, steps, going = np.zeros(len(shares)), z * np.sqrt(shares), _steps(shares), _START
    for look, bound in enumerate(bounds):
        stopped[look] = _stopping(going, bound, steps[look], effect)
        going = _going_on(going, bound, shares, look, effect)
    return stopped


Going = tuple[np.ndarray, np.ndarray]
"""The experiments that have not stopped: where their sums may be, and how many are at each, as shares."""

_START: Going = (np.zeros(1), np.ones(1))


def _stopping(going: Going, bound: float, step: float, effect: float) -> float:
    """The share of all experiments whose sum is beyond the bound after one more step."""
    sums, shares = going
    ahead, spread = sums + effect * step, np.sqrt(step)
    beyond = scipy.special.ndtr((ahead - bound) / spread) + scipy.special.ndtr((-bound - ahead) / spread)
    return float(shares @ beyond)


def _going_on(going: Going, bound: float, shares: np.ndarray, look: int, effect: float) -> Going:
    """Where the others are: the density of their sum at nodes between the bounds, times the weights."""
    steps, middle, far = _steps(shares), effect * shares[look], 9 * np.sqrt(shares[look])
    low, high = max(-bound, middle - far), min(bound, middle + far)
    if low >= high:  # nobody is left who could go on
        return np.zeros(1), np.zeros(1)
    # Dense enough for the narrower of the steps before and after.
    n = 32 * int(2 + (high - low) / np.sqrt(min(steps[look : look + 2])) / 16)
    points, weights = _gauss_legendre(n)
    sums, weights = (low + high) / 2 + points * (high - low) / 2, weights * (high - low) / 2
    distance = (sums[:, None] - going[0] - effect * steps[look]) / np.sqrt(steps[look])
    arrive = np.exp(-(distance**2) / 2) / np.sqrt(2 * np.pi * steps[look])
    return sums, weights * (arrive @ going[1])


@cache
def _gauss_legendre(n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(n)


def _steps(shares: np.ndarray) -> np.ndarray:
    """The data that comes in before each look, since the one before."""
    return np.diff(shares, prepend=0)


def _boundary(levels: float | np.ndarray) -> float | np.ndarray:
    """The |z| beyond which the two-sided p-value is below the level."""
    return -scipy.special.ndtri(np.asarray(levels) / 2)


def _shares(looks: Looks) -> np.ndarray:
    """The share of the planned data at each look."""
    if np.ndim(looks) == 0:
        check_whole("looks", looks)
        looks = np.arange(1, looks + 1) / looks
    shares = np.asarray(looks, dtype=float)
    if (
        shares.ndim != 1
        or not shares.size
        or not _steps(shares).min() >= CLOSEST * (1 - 1e-9)
        or shares[-1] > 1
    ):
        needed = f"needed shares of the planned data that rise, by {CLOSEST} or more, to 1 at most"
        raise ValueError(f"looks are {looks!r:.60}; {needed}")
    return shares


def _check_whole_plan(shares: np.ndarray, why: str) -> None:
    if shares[-1] != 1:
        raise ValueError(f"the looks end at {shares[-1]:g} of the data; needed all to 1: {why}")
