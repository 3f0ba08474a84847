"""Looking every day raises false alarms, a boundary prevents them, and what that costs depends on which."""

import importlib.util
import json

import nbformat
import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm, ttest_ind_from_stats

from helpers.base import files
from helpers.stats import sequential

FOLDER = files.ROOT / "evals" / "benchmarks"
UNEQUAL = (0.08, 0.1, 0.37, 0.6, 1.0)
every_boundary = pytest.mark.parametrize("boundary", sequential.BOUNDARIES)


def exact_false_alarms(looks, levels, effect: float = 0.0) -> float:
    """By integrating the normal distribution of all z; looks at s <= t are correlated by sqrt(s / t)."""
    shares = np.asarray(looks)
    correlation = np.sqrt(np.minimum.outer(shares, shares) / np.maximum.outer(shares, shares))
    z, mean = norm.isf(np.asarray(levels) / 2), effect * np.sqrt(shares)
    inside = multivariate_normal.cdf(z - mean, cov=correlation, lower_limit=-z - mean, abseps=1e-6, rng=0)
    return 1 - float(inside)


def p_values_of_growing_experiments(n_experiments: int, shares, difference: float = 0.0, users: int = 700):
    """Welch's p at each look; at the last one there are `users` a side, who click with chance 0.4 (B: 0.4 +
    difference)."""
    rng, sizes = np.random.default_rng(3), np.rint(users * np.asarray(shares)).astype(int)
    clicks = [
        rng.binomial(np.diff(sizes, prepend=0), chance, (n_experiments, len(sizes))).cumsum(axis=1)
        for chance in (0.4, 0.4 + difference)
    ]
    means = [clicked / sizes for clicked in clicks]
    deviations = [np.sqrt(mean * (1 - mean) * sizes / (sizes - 1)) for mean in means]
    return ttest_ind_from_stats(
        means[0], deviations[0], sizes, means[1], deviations[1], sizes, equal_var=False
    ).pvalue


@pytest.mark.parametrize(("n_looks", "level"), [(2, 0.05), (3, 0.01), (5, 0.05)])
def test_false_alarms_of_peeking_are_those_of_the_integral_in_all_dimensions(n_looks, level):
    shares = np.arange(1, n_looks + 1) / n_looks
    assert sequential.peeking_false_alarms(n_looks, level)[-1] == pytest.approx(
        exact_false_alarms(shares, [level] * n_looks), abs=1e-5
    )


# Armitage, McPherson and Rowe (1969), table 2.
def test_false_alarms_of_looking_again_and_again_at_5_percent_are_the_published_ones():
    published = {1: 0.050, 2: 0.083, 3: 0.107, 4: 0.126, 5: 0.142, 10: 0.193, 20: 0.248, 50: 0.320}
    found = sequential.peeking_false_alarms(50)
    assert {look: round(found[look - 1], 3) for look in published} == published
    assert (np.diff(found) > 0).all()


def test_peeking_inflates_the_false_alarms_of_welchs_test_on_clicks_as_computed():
    shares = np.arange(1, 15) / 14
    stopped = (p_values_of_growing_experiments(4000, shares) < 0.05).any(axis=1).mean()
    assert stopped == pytest.approx(sequential.peeking_false_alarms(14)[-1], abs=0.02)
    assert stopped > 0.2


# Jennison and Turnbull, Group sequential methods, 2000, tables 2.1 and 2.3, alpha = 0.05: the |z| of every
# look (Pocock) and of the last one (O'Brien and Fleming).
@pytest.mark.parametrize(
    ("n_looks", "pocock", "obrien_fleming"),
    [
        (1, 1.960, 1.960),
        (2, 2.178, 1.977),
        (3, 2.289, 2.004),
        (4, 2.361, 2.024),
        (5, 2.413, 2.040),
        (8, 2.512, 2.072),
        (10, 2.555, 2.087),
        (15, 2.626, 2.110),
        (20, 2.672, 2.126),
    ],
)
def test_the_boundaries_are_those_of_the_published_tables(n_looks, pocock, obrien_fleming):
    levels = sequential.sequential_levels(n_looks, "pocock")
    assert norm.isf(levels / 2) == pytest.approx([pocock] * n_looks, abs=0.0006)
    z = norm.isf(sequential.sequential_levels(n_looks) / 2)
    assert z[-1] == pytest.approx(obrien_fleming, abs=0.0006)
    assert z * np.sqrt(np.arange(1, n_looks + 1) / n_looks) == pytest.approx([z[-1]] * n_looks)


# What R's gsDesign and ldbounds print for five equal looks, 0.025 a side.
@pytest.mark.parametrize(
    ("boundary", "published"),
    [
        ("obrien-fleming-spending", [4.8769, 3.3570, 2.6803, 2.2898, 2.0310]),
        ("pocock-spending", [2.4380, 2.4268, 2.4102, 2.3966, 2.3860]),
    ],
)
def test_the_spending_boundaries_are_those_of_other_programs(boundary, published):
    z = norm.isf(sequential.sequential_levels(5, boundary) / 2)
    assert z == pytest.approx(published, abs=0.0003)


@every_boundary
@pytest.mark.parametrize("looks", [1, 5, 14, UNEQUAL])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_all_looks_together_raise_alpha_false_alarms(boundary, looks, alpha):
    levels = sequential.sequential_levels(looks, boundary, alpha)
    assert sequential.peeking_false_alarms(looks, levels)[-1] == pytest.approx(alpha, abs=1e-6)


@every_boundary
def test_and_so_they_do_by_the_integral_in_all_dimensions_for_unequal_looks(boundary):
    levels = sequential.sequential_levels(UNEQUAL, boundary)
    assert exact_false_alarms(UNEQUAL, levels) == pytest.approx(0.05, abs=1e-4)


@every_boundary
@pytest.mark.parametrize("shares", [tuple(np.arange(1, 15) / 14), UNEQUAL])
def test_welchs_test_on_clicks_keeps_its_level_under_every_boundary(boundary, shares):
    p_values = p_values_of_growing_experiments(20_000, shares)
    stopped = (p_values < sequential.sequential_levels(shares, boundary)).any(axis=1).mean()
    assert stopped == pytest.approx(0.05, abs=0.006)  # four standard errors, and clicks that are not normal


@pytest.mark.parametrize("boundary", sequential.SPENDING)
def test_what_is_spent_so_far_does_not_depend_on_looks_to_come(boundary):
    so_far = sequential.sequential_levels(UNEQUAL[:3], boundary)
    assert so_far == pytest.approx(sequential.sequential_levels(UNEQUAL, boundary)[:3])


# Jennison and Turnbull, 2000, tables 2.2 and 2.4, alpha = 0.05, power 0.8: how much more data is planned.
@pytest.mark.parametrize(
    ("n_looks", "pocock", "obrien_fleming"),
    [(2, 1.110, 1.008), (3, 1.166, 1.017), (5, 1.229, 1.028), (10, 1.301, 1.040)],
)
def test_the_price_of_looking_is_pococks_or_o_brien_and_flemings(n_looks, pocock, obrien_fleming):
    prices = [
        sequential.sequential_power(n_looks, boundary)["longer plan"]
        for boundary in ("pocock", "obrien-fleming")
    ]
    assert prices == pytest.approx([pocock, obrien_fleming], abs=0.001)


def test_at_equal_power_both_save_a_fifth_of_the_data_over_two_weeks():
    found = {name: sequential.sequential_power(14, name) for name in ("pocock", "obrien-fleming")}
    assert {name: round(of["used of longer plan"], 2) for name, of in found.items()} == {
        "pocock": 0.80,
        "obrien-fleming": 0.78,
    }
    assert found["obrien-fleming"]["power"] > 0.78 > 0.68 > found["pocock"]["power"]


@every_boundary
def test_one_look_costs_nothing(boundary):
    found = sequential.sequential_power(1, boundary)
    assert list(found.values()) == pytest.approx([0.8, 1, 1, 1], abs=1e-5)


@every_boundary
def test_power_and_data_used_are_those_of_real_tests_on_clicks(boundary):
    # 700 users a side: 0.0735 gives a single look at the end a power of 0.8.
    p_values = p_values_of_growing_experiments(4000, UNEQUAL, difference=0.0735)
    fixed = (p_values[:, -1] < 0.05).mean()
    computed = sequential.sequential_power(UNEQUAL, boundary, fixed_power=fixed)
    stopped = p_values < sequential.sequential_levels(UNEQUAL, boundary)
    used = np.where(stopped.any(axis=1), np.array(UNEQUAL)[stopped.argmax(axis=1)], 1.0)
    assert stopped.any(axis=1).mean() == pytest.approx(computed["power"], abs=0.025)
    assert used.mean() == pytest.approx(computed["data used"], abs=0.02)


@pytest.fixture(scope="module")
def stored() -> dict:
    """The measurements on the page `evals/benchmarks/monitoring.md`."""
    return json.loads((FOLDER / "monitoring.json").read_text(encoding="utf-8"))


def test_the_stored_page_is_made_of_its_measurements(stored):
    spec = importlib.util.spec_from_file_location("monitoring", FOLDER / "monitoring.py")
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    assert (FOLDER / "monitoring.md").read_text(encoding="utf-8") == benchmark.table(stored)
    assert benchmark.asking_daily() == stored["asking daily"]
    for row in stored["looking"]:
        if row["boundary"] in sequential.BOUNDARIES:
            found = sequential.sequential_power(benchmark.LOOKS[row["looks"]], row["boundary"])
            assert {key: row[key] for key in found} == pytest.approx(found)
            assert row["levels"] == pytest.approx(
                sequential.sequential_levels(benchmark.LOOKS[row["looks"]], row["boundary"]).tolist()
            )


def test_in_the_stored_simulations_every_boundary_keeps_its_promise_and_looking_without_one_does_not(stored):
    alarms = {(row["looks"], row["boundary"]): row["false alarms"] for row in stored["looking"]}
    assert len(alarms) == 4 * (1 + len(sequential.BOUNDARIES))
    for (looks, boundary), share in alarms.items():
        if (
            boundary in sequential.BOUNDARIES
        ):  # three standard errors of 20,000; the first unequal look is at 56
            assert share == pytest.approx(0.05, abs=0.0055), (looks, boundary)
    unprotected = {looks: share for (looks, boundary), share in alarms.items() if "none" in boundary}
    assert unprotected["2"] > 0.08 and unprotected["14"] > 0.21


def test_a_monitor_that_is_asked_daily_raises_more_alarms_than_one_in_a_hundred(stored):
    alarms = {row["days in the window"]: row["false alarms"] for row in stored["asking daily"]}
    assert 0.08 < alarms[5]["0.01"] < alarms[2]["0.01"] < alarms[1]["0.01"] < 0.15
    assert alarms[1]["0.001"] < 0.025


def test_the_lesson_says_what_is_computed_and_stored(stored):
    cells = nbformat.read(files.ROOT / "notebooks" / "06_feedback_and_ab_tests.ipynb", 4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    pocock, obrien = (sequential.sequential_power(14, name) for name in ("pocock", "obrien-fleming"))
    longer = obrien["longer plan"]
    for words in (
        f"in {100 * pocock['power']:.0f} of 100 cases",
        f"O'Brien and Fleming's in {100 * obrien['power']:.0f}, instead of 80",
        f"a third longer with Pocock's ({pocock['longer plan']:.3f})",
        f"{100 * (longer - 1):.0f} % longer with O'Brien and Fleming's ({longer:.3f})",
        f"{100 * round(float(sequential.peeking_false_alarms(14)[-1]), 3):.0f} % by computation",
    ):
        assert words in prose
    alarms = stored["asking daily"][0]["false alarms"]
    often, seldom = (f"{100 * alarms[level]:.0f} of 100" for level in ("0.01", "0.001"))
    assert (
        f"a false alarm in {often} months" in prose
        and f"with an alpha a tenth as large, in {seldom}" in prose
    )


def test_an_experiment_stops_at_the_first_look_below_its_level():
    assert sequential.sequential_decision([0.03, 0.001, 0.5], 5, "pocock")["look"] == 2
    assert sequential.sequential_decision([0.003, 0.02], 5)["statement"] == (
        "Go on: 2 of 5 looks taken, p at the last one not below 0.0013."
    )
    ended = sequential.sequential_decision([0.03] * 4 + [0.05], 5)
    assert (ended["significant"], ended["look"]) == (False, None)
    assert ended["statement"].startswith("No difference shown")


def test_a_winner_of_the_first_days_is_one_by_pocock_and_not_by_obrien_and_fleming():
    p_values = [0.005, 0.2]
    assert sequential.sequential_decision(p_values, 14, "pocock")["look"] == 1
    assert sequential.sequential_decision(p_values, 14)["look"] is None


def test_who_spends_alpha_may_look_when_it_suits_and_goes_on_until_all_data_is_in():
    found = sequential.sequential_decision([0.2, 0.01], [0.1, 0.5], "obrien-fleming-spending")
    assert found["statement"] == "Go on: 2 of 2 looks taken, p at the last one not below 0.0031."
    assert sequential.sequential_decision([], [0.1], "pocock-spending")["statement"] == (
        "Go on: 0 of 1 looks taken."
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sequential.peeking_false_alarms(0), "looks is 0"),
        (lambda: sequential.peeking_false_alarms(5, level=5), "the level is 5"),
        (lambda: sequential.sequential_levels(2.5), "looks is 2.5"),
        (lambda: sequential.sequential_levels([0.5, 0.4, 1]), "needed shares of the planned data that rise"),
        (lambda: sequential.sequential_levels([0.5, 0.501, 1]), "rise, by 0.005 or more"),
        (lambda: sequential.sequential_levels([0.5, 1.2]), "to 1 at most"),
        (lambda: sequential.sequential_levels([]), "needed shares of the planned data"),
        (lambda: sequential.sequential_levels([0.1, 0.5]), "end at 0.5 of the data; needed all to 1"),
        (lambda: sequential.sequential_levels(5, "haybittle"), "boundary is 'haybittle'; it can be 'pocock'"),
        (lambda: sequential.sequential_levels(5, alpha=0), "alpha is 0"),
        (lambda: sequential.sequential_power(5, fixed_power=1), "fixed_power is 1"),
        (lambda: sequential.sequential_power([0.5], "pocock-spending"), "power is that of the whole plan"),
        (lambda: sequential.sequential_decision([0.1] * 6, 5), "6 p-values for 5 planned looks"),
        (lambda: sequential.sequential_decision([0.1, float("nan")], 5), "look 2: p is nan"),
    ],
)
def test_what_cannot_be_computed_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_levels_are_as_many_as_looks_or_one():
    with pytest.raises(
        ValueError, match="2 levels for 5 looks; needed one level for all looks, or one a look"
    ):
        sequential.peeking_false_alarms(5, [0.05, 0.05])
    assert len(sequential.peeking_false_alarms(5, [0.05])) == 5


@pytest.mark.parametrize("p_values", [{1: 0.04}, np.array([[0.04]]), {0.04}])
def test_p_values_are_in_the_order_of_their_looks(p_values):
    with pytest.raises(ValueError, match="p-values are a .*; give"):
        sequential.sequential_decision(p_values, looks=5)
