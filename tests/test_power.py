"""Power: against the closed form, against a simulation written another way, and by what must hold."""

from math import inf, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
from scipy.optimize import brentq

from helpers import stats
from helpers.stats import power_analysis

NORMAL = scipy.stats.norm.ppf((np.arange(300) + 0.5) / 300)
NORMAL = NORMAL / NORMAL.std()
"""Differences with a normal distribution, mean 0 and standard deviation 1."""

FEW_MOVE = np.array([0.0] * 18 + [0.37, 0.5, 0.13, 0.63, -0.37, 0.2, 0.06, -0.5, 0.11, 0.37, 0.02, -0.07])
"""Thirty differences as two BM25s have them: most queries tie, a few move far."""


def normal_power(n: int, effect: float, alpha: float = 0.05) -> float:
    """The closed form: t has a noncentral t distribution."""
    critical, shift = scipy.stats.t.isf(alpha / 2, n - 1), effect * sqrt(n)
    return float(scipy.stats.nct.sf(critical, n - 1, shift) + scipy.stats.nct.cdf(-critical, n - 1, shift))


@pytest.mark.parametrize("n", [2, 30, 5000])
@pytest.mark.parametrize("effect", [0.0, 0.02, -0.5, 3.0])
@pytest.mark.parametrize("alpha", [0.001, 0.05])
def test_the_formula_is_that_of_the_noncentral_t(n, effect, alpha):
    found = stats.normal_power(n, effect * 0.2, 0.2, alpha)
    if effect * sqrt(n) < 30:  # further out SciPy's distribution has no value
        assert found == pytest.approx(normal_power(n, effect, alpha), abs=1e-9)
    assert 0 < found <= 1


@pytest.mark.parametrize(("n", "apart"), [(10, 0.14), (30, 0.04)])
def test_where_most_queries_tie_the_formula_is_off_by_as_much_as_its_docstring_says(n, apart):
    effects, deviation = [0.03, 0.05, 0.1, -0.03, -0.05, -0.1], FEW_MOVE.std(ddof=1)
    drawn = stats.power_curve(FEW_MOVE, [n], effects, n_simulations=4000).iloc[0]
    formula = [stats.normal_power(n, effect, deviation) for effect in effects]
    assert abs(drawn - formula).max() == pytest.approx(apart, abs=0.015)


@pytest.mark.parametrize("n", [10, 30, 100])
@pytest.mark.parametrize("effect", [0.0, 0.2, -0.4])
def test_power_of_normal_differences_is_the_closed_form(n, effect):
    assert stats.power(NORMAL, n, effect, n_simulations=4000) == pytest.approx(
        normal_power(n, effect), abs=0.02
    )


def test_the_detectable_difference_of_normal_differences_is_the_closed_form():
    expected = brentq(lambda effect: normal_power(30, effect) - 0.8, 0.2, 1)
    assert stats.detectable_difference(NORMAL, 30, n_simulations=4000) == pytest.approx(expected, rel=0.03)


def test_the_queries_needed_for_normal_differences_are_the_closed_form():
    expected = next(n for n in range(2, 1000) if normal_power(n, 0.3) >= 0.8)
    assert stats.queries_needed(NORMAL, 0.3, n_simulations=1500) == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize(("n", "effect"), [(30, 0.1), (30, -0.15), (100, 0.05)])
def test_power_is_that_of_a_simulation_written_another_way(n, effect):
    rng = np.random.default_rng(99)
    noise = (FEW_MOVE - FEW_MOVE.mean()) * FEW_MOVE.std(ddof=1) / FEW_MOVE.std()
    sets = rng.choice(noise + effect, size=(4000, n))
    expected = (scipy.stats.ttest_1samp(sets, 0, axis=1).pvalue < 0.05).mean()
    assert stats.power(FEW_MOVE, n, effect, n_simulations=4000) == pytest.approx(expected, abs=0.03)


def test_the_randomisation_test_sees_about_as_much_as_t():
    sets = np.random.default_rng(5).choice(FEW_MOVE - FEW_MOVE.mean() + 0.1, size=(30, 2000))
    seen = (stats.randomisation_tests(sets, n_resamples=1000)["p_value"] < 0.05).mean()
    assert seen == pytest.approx(stats.power(FEW_MOVE, 30, 0.1), abs=0.03)


def test_without_an_effect_power_is_the_false_alarm_rate():
    assert stats.power(NORMAL, 30, 0.0, n_simulations=4000) == pytest.approx(0.05, abs=0.015)
    assert stats.power(NORMAL, 30, 0.0, alpha=0.2, n_simulations=4000) == pytest.approx(0.2, abs=0.02)


def test_more_queries_and_larger_effects_are_easier_to_see():
    curve = stats.power_curve(FEW_MOVE, sizes=[15, 30, 60, 240], effects=[0.0, 0.05, 0.1])
    assert (curve.index.name, curve.index.tolist(), curve.columns.tolist()) == (
        "n",
        [15, 30, 60, 240],
        [0.0, 0.05, 0.1],
    )
    assert (curve[[0.05, 0.1]].diff().dropna() > 0).all(axis=None)
    assert (curve.diff(axis=1)[[0.05, 0.1]] > 0).all(axis=None)


def test_only_the_noise_of_the_observed_differences_counts_not_their_mean():
    assert stats.power(FEW_MOVE + 0.3, 30, 0.1) == stats.power(FEW_MOVE, 30, 0.1)
    assert stats.power(FEW_MOVE * 2, 30, 0.2) == pytest.approx(stats.power(FEW_MOVE, 30, 0.1))


def test_detectable_difference_and_queries_needed_are_powers_inverses():
    effect = stats.detectable_difference(FEW_MOVE, 30)
    assert stats.power(FEW_MOVE, 30, effect, rng=1) == pytest.approx(0.8, abs=0.03)
    for effect in (0.05, -0.05):
        n = stats.queries_needed(FEW_MOVE, effect)
        assert stats.power(FEW_MOVE, n, effect, rng=1) == pytest.approx(0.8, abs=0.03)


def test_a_small_pilot_is_not_taken_for_less_noisy_than_queries_are():
    for pilot in ([-1.0, 0.0, 1.0], [0.0, 0.1, 0.1, 0.3, 0.6]):
        effect = np.std(pilot, ddof=1) / 10  # by the formula (2.8 / 0.1)^2 queries
        assert stats.queries_needed(pilot, effect) == pytest.approx(2.8016**2 * 100, rel=0.05)


def test_what_a_pilot_says_has_an_interval_and_queries_go_with_its_square():
    low, high = stats.pilot_interval(FEW_MOVE, n=30)
    point = stats.detectable_difference(FEW_MOVE, 30)
    assert low < point < high
    fewest, most = stats.pilot_interval(FEW_MOVE, effect=0.05)
    needed = stats.queries_needed(FEW_MOVE, 0.05)
    assert (fewest / needed, most / needed) == pytest.approx(((low / point) ** 2, (high / point) ** 2))
    narrow = stats.pilot_interval(np.tile(FEW_MOVE, 10), n=30)
    assert narrow[1] - narrow[0] < (high - low) / 2


def test_a_pilot_that_often_lacks_all_its_noise_sets_no_upper_end():
    low, high = stats.pilot_interval([0.0] * 29 + [1.0], n=100)  # (29/30)^30 = 36 % of the draws lack it
    assert low > 0 and high == inf


def test_a_test_set_in_which_nothing_moves_detects_nothing():
    one_moves = [0.0] * 29 + [1.0]
    assert (
        stats.detectable_difference(one_moves, n=5) == inf
    )  # (29/30)^5 = 84 % of the sets hold it not even once
    assert stats.power(one_moves, n=5, effect=1.0) < 0.2


def test_ten_comparisons_find_something_in_forty_of_a_hundred_families_where_nothing_is():
    found = stats.false_alarm_rate(NORMAL, n_comparisons=10, n=30, n_simulations=2500)
    assert found["each"] == pytest.approx(0.05, abs=0.01)
    assert found["any"] == pytest.approx(1 - 0.95**10, abs=0.04)
    assert found["any, Holm"] == pytest.approx(1 - (1 - 0.05 / 10) ** 10, abs=0.015)


def test_many_queries_of_which_most_tie_are_drawn_fast_and_see_as_much(monkeypatch):
    many = np.tile(FEW_MOVE, 40)
    together = stats.power(many, 100, 0.05), stats.detectable_difference(many, 100)
    cells = []
    generator = SimpleNamespace(
        multinomial=lambda n, chances, size: cells.append(len(chances)) or np.ones((size, len(chances)))
    )
    monkeypatch.setattr(np.random, "default_rng", lambda seed: generator)
    stats.power(many, 100, 0.05, n_simulations=100)
    assert set(cells) == {len(set(FEW_MOVE))}
    monkeypatch.undo()
    monkeypatch.setattr(power_analysis, "MANY_QUERIES", inf)
    apart = stats.power(many, 100, 0.05), stats.detectable_difference(many, 100)
    assert together[0] == pytest.approx(apart[0], abs=0.04) and together[1] == pytest.approx(
        apart[1], rel=0.05
    )


def test_differences_may_come_by_query_id():
    named = {f"q{number}": value for number, value in enumerate(FEW_MOVE)}
    assert stats.power(named, 30, 0.1) == stats.power(FEW_MOVE, 30, 0.1)
    with pytest.raises(ValueError, match="differences, query 'q1': the score is nan"):
        stats.power(named | {"q1": float("nan")}, 30, 0.1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stats.power([0.1, 0.1, 0.1], 30, 0.1), "3 differences, all 0.1; needed some that differ"),
        (lambda: stats.power(NORMAL, 1, 0.1), "n is 1; needed a whole number, 2 or more"),
        (lambda: stats.power(NORMAL, 30, float("nan")), "effect is nan"),
        (lambda: stats.power(NORMAL, 30, 0.1, alpha=5), "alpha is 5; needed a share"),
        (lambda: stats.power(NORMAL, 30, 0.1, n_simulations=10), "n_simulations is 10"),
        (lambda: stats.detectable_difference(NORMAL, 30, power=80), "power is 80; needed a share"),
        (
            lambda: stats.queries_needed(NORMAL, 0.0),
            "effect is 0.0; needed a difference of means that is not 0",
        ),
        (lambda: stats.queries_needed(FEW_MOVE, 1e-6), "1,048,576 queries do not detect it with power 0.8"),
        (lambda: stats.pilot_interval(NORMAL), "n is None and effect is None; needed one of the two"),
        (lambda: stats.pilot_interval(NORMAL, 30, 0.1), "n is 30 and effect is 0.1; needed one"),
        (lambda: stats.false_alarm_rate(NORMAL, n_comparisons=0), "n_comparisons is 0"),
    ],
)
def test_a_question_without_an_answer_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
