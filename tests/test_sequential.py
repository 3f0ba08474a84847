"""Looking every day raises false alarms, a constant boundary prevents them, and that costs power."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm, ttest_ind_from_stats

from helpers.stats import sequential


def exact_false_alarms(n_looks: int, boundary: float) -> float:
    """By integrating the normal distribution of all z scores; looks i <= j are correlated by sqrt(i / j)."""
    looks = np.arange(1, n_looks + 1)
    correlation = np.sqrt(np.minimum.outer(looks, looks) / np.maximum.outer(looks, looks))
    inside = multivariate_normal.cdf(
        np.full(n_looks, boundary), cov=correlation, lower_limit=np.full(n_looks, -boundary)
    )
    return 1 - float(inside)


def p_values_of_growing_experiments(n_experiments: int, n_looks: int, difference: float = 0.0) -> np.ndarray:
    """Welch's p at each look, after 50 more users a side who click with chance 0.4 (B: 0.4 + difference)."""
    rng, users = np.random.default_rng(3), 50 * np.arange(1, n_looks + 1)
    clicks = [
        rng.binomial(50, chance, (n_experiments, n_looks)).cumsum(axis=1)
        for chance in (0.4, 0.4 + difference)
    ]
    means = [clicked / users for clicked in clicks]
    deviations = [np.sqrt(mean * (1 - mean) * users / (users - 1)) for mean in means]
    return ttest_ind_from_stats(
        means[0], deviations[0], users, means[1], deviations[1], users, equal_var=False
    ).pvalue


@pytest.mark.parametrize(("n_looks", "level"), [(2, 0.05), (3, 0.01), (5, 0.05)])
def test_false_alarms_of_peeking_are_those_of_the_exact_integral(n_looks, level):
    found = sequential.peeking_false_alarms(n_looks, level, n_simulations=100_000)[-1]
    assert found == pytest.approx(exact_false_alarms(n_looks, norm.isf(level / 2)), abs=0.003)


def test_the_first_look_has_the_level_it_says_and_every_further_look_adds_false_alarms():
    found = sequential.peeking_false_alarms(30, n_simulations=50_000)
    assert found[0] == pytest.approx(0.05, abs=0.003)
    assert (np.diff(found) > 0).all()
    assert found[-1] > 0.25  # a month of looking every day


def test_peeking_inflates_the_false_alarms_of_welchs_test_on_clicks_as_simulated():
    p_values = p_values_of_growing_experiments(4000, n_looks=14)
    stopped = (p_values < 0.05).any(axis=1).mean()
    assert stopped == pytest.approx(sequential.peeking_false_alarms(14, n_simulations=20_000)[-1], abs=0.02)
    assert stopped > 0.2


# Pocock (1977), table 1: the nominal level for alpha = 0.05.
@pytest.mark.parametrize(
    ("n_looks", "level"), [(1, 0.05), (2, 0.0294), (3, 0.0221), (4, 0.0182), (5, 0.0158), (10, 0.0106)]
)
def test_the_boundary_is_pococks(n_looks, level):
    found = sequential.pocock_level(n_looks, n_simulations=200_000)
    assert found == pytest.approx(level, abs=0.0008)


def test_with_the_boundary_all_looks_together_raise_alpha_false_alarms():
    p_values = p_values_of_growing_experiments(4000, n_looks=14)
    stopped = (p_values < sequential.pocock_level(14, n_simulations=50_000)).any(axis=1).mean()
    assert stopped <= 0.05 + 0.01  # three standard errors of 4,000 experiments
    assert exact_false_alarms(5, norm.isf(sequential.pocock_level(5) / 2)) == pytest.approx(0.05, abs=0.001)


def test_the_boundary_holds_for_another_alpha():
    assert exact_false_alarms(4, norm.isf(sequential.pocock_level(4, alpha=0.2) / 2)) == pytest.approx(
        0.2, abs=0.002
    )


# Jennison and Turnbull, Group Sequential Methods, 2000, table 2.2: alpha = 0.05, power 0.8.
@pytest.mark.parametrize(("n_looks", "inflation"), [(2, 1.110), (5, 1.229), (10, 1.301)])
def test_the_price_of_looking_is_more_data_planned_and_the_gain_is_less_used(n_looks, inflation):
    found = sequential.sequential_power(n_looks, n_simulations=20_000)
    assert found["data for fixed power"] == pytest.approx(inflation, abs=0.02)
    assert found["power"] < 0.79
    assert found["data used"] < 0.85


def test_one_look_costs_nothing():
    found = sequential.sequential_power(1, n_simulations=50_000)
    assert found["power"] == pytest.approx(0.8, abs=0.005)
    assert found["data used"] == 1


def test_power_is_that_of_real_tests_on_clicks():
    # 5 looks of 50 users a side: 250 at the last one, where 0.125 gives a single look a power of 0.8.
    p_values = p_values_of_growing_experiments(4000, n_looks=5, difference=0.125)
    fixed = (p_values[:, -1] < 0.05).mean()
    simulated = sequential.sequential_power(5, fixed_power=fixed, n_simulations=20_000)
    stopped = (p_values < simulated["level"]).any(axis=1).mean()
    assert stopped == pytest.approx(simulated["power"], abs=0.025)


def test_an_experiment_stops_at_the_first_look_below_the_level():
    assert sequential.sequential_decision([0.03, 0.001, 0.5], 5)["look"] == 2
    assert sequential.sequential_decision([0.03, 0.02], 5)["statement"].startswith("Go on: 2 of 5 looks")
    ended = sequential.sequential_decision([0.03] * 5, 5)
    assert (ended["significant"], ended["look"]) == (False, None)
    assert ended["statement"].startswith("No difference shown")


def test_the_same_seed_gives_the_same_figures():
    first, again, other = (sequential.pocock_level(4, n_simulations=20_000, rng=seed) for seed in (5, 5, 6))
    assert first == again != other
    same = [sequential.peeking_false_alarms(4, n_simulations=20_000, rng=5).tolist() for _ in range(2)]
    assert same[0] == same[1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sequential.peeking_false_alarms(0), "n_looks is 0"),
        (lambda: sequential.peeking_false_alarms(5, level=5), "the level is 5"),
        (lambda: sequential.peeking_false_alarms(5, n_simulations=0), "n_simulations is 0"),
        (lambda: sequential.pocock_level(2.5), "n_looks is 2.5"),
        (lambda: sequential.pocock_level(5, alpha=0), "the level is 0"),
        (lambda: sequential.sequential_power(5, fixed_power=1), "fixed_power is 1"),
        (lambda: sequential.sequential_decision([0.1] * 6, 5), "6 p-values for 5 planned looks"),
        (lambda: sequential.sequential_decision([0.1, float("nan")], 5), "look 2: p is nan"),
    ],
)
def test_what_cannot_be_simulated_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
