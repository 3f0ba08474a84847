"""Split traffic: sticky users, a test with the right unit, a check of the split. And interleaving."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from course import simulated_users
from helpers.monitoring import ab_test, interleaving
from helpers.monitoring.ab_test import RetrievalABTest
from helpers.monitoring.two_groups import compare_groups, cuped
from helpers.retrieval.retrievers import CsrBM25

RANKING = st.permutations([f"d{i}" for i in range(8)]).flatmap(
    lambda ids: st.integers(0, 8).map(lambda n: ids[:n])
)


@dataclass
class Fixed:
    """A system that gives the same documents for every query."""

    results: list

    def retrieve(self, query):
        return self.results


def ab(**options) -> RetrievalABTest:
    return RetrievalABTest(Fixed(["d1", "d2", "d3"]), Fixed(["d3", "d2", "d1"]), **options)


@pytest.fixture(scope="module")
def two_runs(runbooks):
    """BM25 that counts neither repetition nor length, and BM25: the second is better."""
    return [
        CsrBM25(runbooks.corpus, **options).search(runbooks.queries, 10)
        for options in ({"k1": 0.0, "b": 0.0}, {})
    ]


def user_of(system: str, test: RetrievalABTest, n: int = 1) -> list[str]:
    return [user for user in (f"user {i}" for i in range(1000)) if test.assign(user) == system][:n]


def test_a_user_stays_with_one_system_in_every_object_and_process():
    # As `printf 'A/B test\0u0' | sha256sum` has it: u0 2a..., u3 e6...; what begins below 8 is in A's half.
    assert [ab().assign(f"u{i}") for i in range(8)] == list("AAABBBAA")
    assert {ab().route_query(query, user_id="u3")[1] for query in ("one", "two", "three")} == {"B"}


@pytest.mark.parametrize("split", [0.5, 0.2])
def test_the_share_of_users_on_a_is_the_traffic_split(split):
    share = np.mean([ab(traffic_split=split).assign(f"u{i}") == "A" for i in range(10_000)])
    assert share == pytest.approx(split, abs=0.015)


def test_another_experiment_splits_the_same_users_anew():
    first, second = ab(experiment="stemming"), ab(experiment="lengths")
    of_a = [second.assign(user) for user in (f"u{i}" for i in range(10_000)) if first.assign(user) == "A"]
    assert np.mean([system == "A" for system in of_a]) == pytest.approx(0.5, abs=0.025)


def test_calls_without_a_user_are_each_a_user_of_their_own():
    test = ab()
    systems = [test.route_query("restart search", {"d1"})[1] for _ in range(200)]
    assert 70 < systems.count("A") < 130
    assert test.sample_ratio_check()["users_a"] == systems.count("A")


def test_a_query_is_measured_with_the_metrics_of_the_course():
    test = ab()
    (user,) = user_of("B", test)
    assert test.route_query("restart search", {"d1", "d9"}, user) == (["d3", "d2", "d1"], "B")
    # d1 at rank 3 of 3, five ranks to fill, two relevant documents.
    expected = {
        "user_id": user,
        "precision_at_5": 1 / 5,
        "recall_at_5": 1 / 2,
        "average_precision": (1 / 3) / 2,
    }
    assert test.results_b == [expected] and test.results_a == []


def test_without_ground_truth_a_query_is_routed_and_not_measured():
    test = ab()
    assert test.route_query("restart search")[0]
    assert test.results_a == test.results_b == []


def test_a_query_for_which_nothing_is_relevant_counts_zero():
    test = ab()
    test.route_query("restart search", set(), "u0")
    assert test.results_a[0]["average_precision"] == 0


def test_retrievers_of_the_course_pairs_ids_and_objects_are_all_understood():
    @dataclass
    class Document:
        id: str

    class Retriever:
        def search(self, queries, k):
            return {query_id: [("d1", 2.0), ("d2", 1.0)][:k] for query_id in queries}

    for system in (Retriever(), Fixed(["d1"]), Fixed([("d1", 2.0)]), Fixed([Document("d1")])):
        test = RetrievalABTest(system, system)
        test.route_query("restart search", {"d1"}, "u0")
        assert test.results_a[0]["average_precision"] == 1


def test_the_published_keys_are_there_and_the_test_is_welchs_on_the_mean_of_each_user():
    test = ab()
    of_a, of_b = user_of("A", test, 9), user_of("B", test, 8)
    per_user = [[1, 0, 0], [1], [0, 1]] * 3 + [[1, 1, 1, 0], [1]] * 4
    for user, values in zip(of_a + of_b, per_user, strict=True):
        for value in values:
            test.record({"clicked": value}, user)
    found = test.get_statistical_significance("clicked")
    reference = stats.ttest_ind([0.75, 1] * 4, [1 / 3, 1, 0.5] * 3, equal_var=False)
    assert found["p_value"] == pytest.approx(reference.pvalue)
    assert found["t_statistic"] == pytest.approx(reference.statistic)
    assert found["system_a_mean"] == pytest.approx((1 / 3 + 1 + 1 / 2) / 3)
    assert found["system_b_mean"] == pytest.approx(0.875)
    assert (found["metric"], found["significant"], found["n_a"], found["n_b"]) == ("clicked", True, 9, 8)
    assert (
        "clicked per user is 0.611 for 9 users of A and 0.875 for 8 of B: B is higher (Welch, p = "
        in found["statement"]
    )
    by_query = test.get_statistical_significance("clicked", "per query")
    assert (by_query["n_a"], by_query["n_b"]) == (9, 8)  # users are what was assigned, whatever is counted
    assert by_query["system_a_mean"] == pytest.approx(9 / 18)
    assert by_query["system_b_mean"] == pytest.approx(16 / 20)


def test_with_fewer_than_two_users_on_a_side_there_is_nothing_to_say():
    test = ab()
    assert test.get_statistical_significance() is None
    for user in user_of("A", test, 5) + user_of("B", test, 1) * 3:
        test.route_query("restart search", {"d1"}, user)
    assert test.get_statistical_significance() is None


def recorded(of_a: list[list[float]], of_b: list[list[float]], metric: str = "clicked") -> RetrievalABTest:
    """A test in which each user, a list of values per user, has recorded them."""
    test = ab()
    for side, of_users in (("A", of_a), ("B", of_b)):
        for user, values in zip(user_of(side, test, len(of_users)), of_users, strict=True):
            for value in values:
                test.record({metric: value}, user)
    return test


def test_fewer_than_eight_users_on_a_side_give_no_verdict_and_say_so():
    found = recorded([[0]] * 30, [[1]] * 7).get_statistical_significance("clicked")
    assert (found["p_value"], found["t_statistic"], found["significant"]) == (None, None, False)
    assert (found["system_a_mean"], found["system_b_mean"], found["difference"]) == (0, 1, 1)
    assert (
        found["statement"]
        == "Too few users to tell about clicked per user: 30 of A, 7 of B; needed 8 of each."
    )


def test_two_sides_that_each_agree_differ_by_as_much_as_chance_could_divide_them():
    found = recorded([[0]] * 8, [[1]] * 8).get_statistical_significance("clicked")
    assert found["p_value"] == pytest.approx(2 / 12_870)  # 16 over 8, and the other way round
    assert found["significant"] and "no value varies" in found["statement"]


@pytest.mark.parametrize("value", [0.1, 0.2, 1 / 3])
@pytest.mark.parametrize("estimand", ["per user", "per query"])
def test_how_often_a_user_searched_makes_no_difference_where_every_search_went_alike(value, estimand):
    test = recorded([[value] * 10] * 24, [[value]] * 24, "precision")
    found = test.get_statistical_significance("precision", estimand)
    assert (found["p_value"], found["difference"], found["significant"]) == (1, 0, False)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_a_users_mean_does_not_depend_on_the_order_of_their_searches(values, random):
    shuffled = random.sample(values, len(values))
    first, second = ([{"user_id": "u", "m": value} for value in order] for order in (values, shuffled))
    for estimand in ("per user", "per query"):
        of_first, of_second = (ab_test._values_of_users(given, "m", estimand) for given in (first, second))
        assert of_first == of_second


def test_results_that_come_one_by_one_are_measured_and_still_shown():
    class Streaming:
        def retrieve(self, query):
            yield from ["d1", "d2"]

    test = RetrievalABTest(Streaming(), Streaming())
    results, _ = test.route_query("restart search", {"d1"}, "u0")
    assert list(results) == ["d1", "d2"]
    assert test.results_a[0]["average_precision"] == 1


def test_a_click_may_be_a_numpy_boolean():
    assert recorded([[np.True_]], [[np.False_]]).results_a[0]["clicked"] == 1


def aa_experiments(
    run, qrels, habit: float, n_experiments: int, n_users: int = 60, n_visits: int = 8
) -> np.ndarray:
    """Clicks (experiment, user, visit) of users who all see the same system."""
    systems = np.full((n_experiments * n_users, n_visits), "A")
    visits = simulated_users.simulate_visits(run, run, qrels, systems, habit=habit, rng=1)
    return visits["clicked"].to_numpy().reshape(n_experiments, n_users, n_visits)


def test_users_with_habits_make_the_test_by_query_raise_false_alarms_and_the_test_by_user_does_not(
    two_runs, runbooks
):
    clicks = aa_experiments(two_runs[1], runbooks.qrels, habit=0.8, n_experiments=3000)
    by_user = clicks.mean(axis=2)
    alarms_by_user = stats.ttest_ind(by_user[:, :30], by_user[:, 30:], axis=1, equal_var=False).pvalue < 0.05
    by_query = [half.reshape(len(half), -1) for half in (clicks[:, :30], clicks[:, 30:])]
    alarms_by_query = stats.ttest_ind(*by_query, axis=1, equal_var=False).pvalue < 0.05
    assert alarms_by_user.mean() == pytest.approx(0.05, abs=0.015)
    assert alarms_by_query.mean() > 0.1


def regulars(n_experiments: int, n_users: int = 120) -> tuple[np.ndarray, np.ndarray]:
    """Queries of each user and clicks on them, (experiment, user): some ask twenty times as much as others,
    and each has a taste of their own. Nobody sees another system than the others."""
    rng = np.random.default_rng(5)
    queries = 1 + rng.geometric(0.2, size=(n_experiments, n_users))
    return queries, rng.binomial(queries, rng.beta(1, 2, size=queries.shape))


def of_users(queries: np.ndarray, clicks: np.ndarray, estimand: str) -> np.ndarray:
    """What the test is made of, for many experiments at once: a value a user whose mean is the estimand."""
    if estimand == "per user":
        return clicks / queries
    ratio = clicks.sum(axis=-1, keepdims=True) / queries.sum(axis=-1, keepdims=True)
    return ratio + (clicks - ratio * queries) / queries.mean(axis=-1, keepdims=True)


@pytest.mark.parametrize("estimand", ["per user", "per query"])
def test_the_values_of_users_have_the_estimand_as_their_mean(estimand):
    queries, clicks = (drawn[0] for drawn in regulars(1))
    results = [
        {"user_id": user, "clicked": value}
        for user, (asked, clicked) in enumerate(zip(queries, clicks, strict=True))
        for value in [1] * clicked + [0] * (asked - clicked)
    ]
    found = ab_test._values_of_users(results, "clicked", estimand)
    assert found == pytest.approx(of_users(queries, clicks, estimand))
    expected = {"per user": (clicks / queries).mean(), "per query": clicks.sum() / queries.sum()}
    assert np.mean(found) == pytest.approx(expected[estimand])


def false_alarms(values: np.ndarray) -> float:
    """The share of experiments in which the first half of the users seems to differ from the second."""
    return (stats.ttest_ind(*np.split(values, 2, axis=1), axis=1, equal_var=False).pvalue < 0.05).mean()


@pytest.mark.parametrize("estimand", ["per user", "per query"])
def test_between_equal_systems_both_estimands_raise_as_many_false_alarms_as_promised(estimand):
    halves = zip(*(np.split(drawn, 2, axis=1) for drawn in regulars(10_000, 400)), strict=True)
    values = np.hstack([of_users(*half, estimand) for half in halves])
    assert false_alarms(values) == pytest.approx(0.05, abs=0.007)


def test_queries_taken_for_independent_raise_more_false_alarms_than_promised():
    sizes, totals = (np.array(np.split(drawn, 2, axis=1)).sum(axis=2) for drawn in regulars(3000))
    rates = totals / sizes
    errors = np.sqrt((rates * (1 - rates) / sizes).sum(axis=0))
    assert (abs(rates[1] - rates[0]) > 1.96 * errors).mean() > 0.2


def test_the_delta_method_gives_the_error_of_a_ratio_of_totals():
    queries, clicks = regulars(4000)
    ratios = clicks.sum(axis=1) / queries.sum(axis=1)
    errors = of_users(queries, clicks, "per query").std(axis=1, ddof=1) / np.sqrt(120)
    assert errors.mean() == pytest.approx(ratios.std(), rel=0.03)


def test_what_light_users_win_and_heavy_users_lose_is_nothing_per_user_and_a_loss_per_query():
    # Half ask 2 queries, half 8; with B the light ones click on 0.05 more of them, the heavy on 0.05 less.
    rng, sides = np.random.default_rng(0), []
    for light, heavy in ((0.40, 0.40), (0.45, 0.35)):
        sides.append(
            [
                [int(clicked) for clicked in rng.random(asked) < chance]
                for asked, chance in [(2, light), (8, heavy)] * 4000
            ]
        )
    test = ab()
    for side, of_users in zip("AB", sides, strict=True):
        results = test.results_a if side == "A" else test.results_b
        results += [
            {"user_id": f"{side}{i}", "clicked": v} for i, values in enumerate(of_users) for v in values
        ]
    per_user = test.get_statistical_significance("clicked", "per user")
    per_query = test.get_statistical_significance("clicked", "per query")
    assert per_user["difference"] == pytest.approx((0.05 - 0.05) / 2, abs=0.012)
    assert per_query["difference"] == pytest.approx((2 * 0.05 - 8 * 0.05) / 10, abs=0.012)
    assert per_query["significant"] and not per_user["significant"]


def pasts(n_experiments: int, n_users: int, n_visits: int = 8, gain: float = 0.0, seed: int = 2):
    """Click rates of users with habits, (experiment, user): before the test, and in it, where the second half
    of the users clicks with `gain` more."""
    rng = np.random.default_rng(seed)
    taste = rng.beta(2, 3, size=(n_experiments, n_users)) * (1 - gain)
    gains = np.where(np.arange(n_users) < n_users // 2, 0.0, gain)
    return [rng.binomial(n_visits, chance) / n_visits for chance in (taste, taste + gains)]


def test_the_past_takes_away_the_share_of_the_variance_that_it_explains():
    (before,), (after,) = pasts(1, 400)
    adjusted = adjusted_halves(after, before)
    within = [
        np.concatenate([side - side.mean() for side in np.split(values, 2)]) for values in (before, after)
    ]
    rho = np.corrcoef(*within)[0, 1]
    left = sum(side.var() for side in adjusted) / sum(side.var() for side in np.split(after, 2))
    assert left == pytest.approx(1 - rho**2) and 0.5 < rho < 0.8


def adjusted_halves(after: np.ndarray, before: np.ndarray):
    return cuped(*np.split(after, 2), *np.split(before, 2))


def test_between_equal_systems_adjusted_values_raise_as_many_false_alarms_as_promised():
    before, after = pasts(4000, 60)
    values = np.array([np.hstack(adjusted_halves(*drawn)) for drawn in zip(after, before, strict=True)])
    assert false_alarms(values) == pytest.approx(0.05, abs=0.012)
    a, b = np.split(values, 2, axis=1)
    assert (b.mean(axis=1) - a.mean(axis=1)).mean() == pytest.approx(0, abs=0.002)


def test_a_difference_keeps_its_size_and_is_found_more_often():
    before, after = pasts(1000, 200, gain=0.08)
    values = np.array([np.hstack(adjusted_halves(*drawn)) for drawn in zip(after, before, strict=True)])
    a, b = np.split(values, 2, axis=1)
    assert (b.mean(axis=1) - a.mean(axis=1)).mean() == pytest.approx(0.08, abs=0.003)
    assert false_alarms(values) > false_alarms(after) + 0.15


def test_a_past_without_any_variation_changes_nothing():
    adjusted = cuped([0.1, 0.5], [0.3, 0.7], [1, 1], [1, 1])
    assert [side.tolist() for side in adjusted] == [[0.1, 0.5], [0.3, 0.7]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], [1, 2], [1], [1, 2]), "a has 2 values and before_a 1"),
        (([1, 2], [1], [1, 2], [1]), "b has 1 values and before_b 1"),
        (([1, 2], [1, 2], [1, float("nan")], [1, 2]), "the values of before_a, item 1: nan"),
    ],
)
def test_a_past_that_does_not_belong_to_the_users_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        cuped(*arguments)


def test_a_system_drawn_anew_for_every_query_dilutes_the_difference_that_users_remember(two_runs, runbooks):
    rng, differences = np.random.default_rng(0), {}
    for unit, shape in {"user": (20_000, 1), "query": (20_000, 10)}.items():
        systems = np.broadcast_to(rng.choice(["A", "B"], size=shape), (20_000, 10))
        visits = simulated_users.simulate_visits(*two_runs, runbooks.qrels, systems, memory=0.9, rng=rng)
        clicked = visits.groupby("system")["clicked"].mean()
        differences[unit] = clicked["B"] - clicked["A"]
    assert differences["user"] > 0.02
    assert differences["query"] < 0.7 * differences["user"]


def test_lost_events_on_one_side_are_a_sample_ratio_mismatch():
    complete, lossy = ab(), ab()
    for user in (f"u{i}" for i in range(4000)):
        complete.record({"clicked": 1}, user)
        if lossy.assign(user) == "A" or int(user[1:]) % 8:  # of B's users one in eight is lost
            lossy.record({"clicked": 1}, user)
    found = lossy.sample_ratio_check()
    assert found["mismatch"] and found["p_value"] < 0.001 and "do not read" in found["statement"]
    assert not complete.sample_ratio_check()["mismatch"]


def test_an_uneven_split_that_was_planned_is_no_mismatch():
    test = ab(traffic_split=0.2)
    for user in (f"u{i}" for i in range(2000)):
        test.record({"clicked": 1}, user)
    found = test.sample_ratio_check()
    assert found["share_a"] == pytest.approx(0.2, abs=0.03) and not found["mismatch"]


def test_many_queries_of_few_users_are_no_mismatch():
    test = ab()
    for user in user_of("A", test, 3) + user_of("B", test, 3):
        for _ in range(500 if test.assign(user) == "A" else 5):
            test.record({"clicked": 1}, user)
    assert test.sample_ratio_check()["p_value"] == 1


def test_groups_without_any_variance_do_not_break_the_test():
    test = ab()
    for user in user_of("A", test, 8) + user_of("B", test, 8):
        test.record({"clicked": 1}, user)
    assert test.get_statistical_significance("clicked")["p_value"] == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RetrievalABTest(object(), Fixed([])), "system_a is a object without search"),
        (lambda: ab(traffic_split=0), "traffic_split is 0"),
        (lambda: ab(traffic_split=1), "traffic_split is 1"),
        (lambda: ab(traffic_split="0.5"), "traffic_split is '0.5'"),
        (lambda: ab().record([1], "u1"), r"values are \[1\]; needed {metric: value}"),
        (lambda: ab().record({"user_id": 7, "clicked": 1}, "u1"), "without a 'user_id'"),
        (
            lambda: ab_test.split_power([0, float("nan"), 1], [0, 1], [20]),
            "values_a, item 1: nan is no finite number",
        ),
        (lambda: ab_test.split_power([0, 1], [], [20]), "values_b: 0 values; needed 1 or more"),
        (lambda: ab().assign(7), "user_id: 7 is of type int"),
        (lambda: ab().record({"clicked": float("nan")}, "u1"), "user 'u1': clicked is nan"),
        (lambda: ab().record({"clicked": "yes"}, "u1"), "clicked is 'yes'"),
        (lambda: ab().sample_ratio_check(), "no user has been measured"),
        (lambda: ab().get_statistical_significance(estimand="session"), "estimand is 'session'; it can be"),
        (lambda: ab_test.split_power([0, 1], [0, 1], [2]), "size is 2"),
    ],
)
def test_what_would_give_a_wrong_answer_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_metric_that_nobody_recorded_is_an_error_that_names_the_others():
    test = ab()
    test.route_query("restart search", {"d1"}, "u1")
    with pytest.raises(
        ValueError, match="'precision_at_10' was never recorded; there are average_precision, precision_at_5"
    ):
        test.get_statistical_significance("precision_at_10")


def test_the_power_of_a_split_is_that_of_the_normal_approximation():
    # 600 a side, chances 0.4 and 0.48: z = 0.08 / sqrt((0.24 + 0.2496) / 600) = 2.80, power 0.8.
    found = ab_test.split_power([0] * 60 + [1] * 40, [0] * 52 + [1] * 48, [1200], n_simulations=10_000)
    assert found[1200] == pytest.approx(0.80, abs=0.02)


def test_a_difference_found_in_the_wrong_direction_is_not_found():
    # Hardly any difference: five in a hundred tests are significant, half of them the wrong way round.
    found = ab_test.split_power([0] * 500 + [1] * 500, [0] * 499 + [1] * 501, [400], n_simulations=10_000)
    assert found[400] == pytest.approx(0.027, abs=0.008)


def test_a_simulated_side_has_the_deviation_of_its_own_values():
    means, deviations = ab_test._drawn(np.array([0.0, 1.0]), 2, 100, np.random.default_rng(0))
    expected = {0.0: 0.0, 0.5: np.std([0, 1], ddof=1), 1.0: 0.0}  # both 0, one of each, both 1
    assert set(means) == expected.keys()
    assert deviations.tolist() == pytest.approx([expected[mean] for mean in means])


def test_values_without_variance_are_never_found():
    assert ab_test.split_power([1, 1], [1, 1], [10])[10] == 0


@given(RANKING, RANKING, st.integers(1, 10), st.integers(0, 99))
def test_a_page_holds_each_team_in_its_own_order_and_as_many_of_each(ranking_a, ranking_b, k, seed):
    page = interleaving.team_draft(ranking_a, ranking_b, k, np.random.default_rng(seed))
    shown = [doc_id for doc_id, _ in page]
    assert len(page) <= k and len(set(shown)) == len(shown)
    for team, ranking in {"A": ranking_a, "B": ranking_b}.items():
        picked = [ranking.index(doc_id) for doc_id, of in page if of == team]
        assert picked == sorted(picked)
        assert all(earlier in shown[: shown.index(doc_id)] for doc_id, of in page if of == team
                   for earlier in ranking[: ranking.index(doc_id)])  # fmt: skip
    teams = [of for _, of in page]
    assert abs(teams.count("A") - teams.count("B")) <= 1


def test_a_coin_decides_who_picks_first_in_every_round():
    rng = np.random.default_rng(0)
    pages = [interleaving.team_draft(["a1", "a2", "a3"], ["b1", "b2", "b3"], 6, rng) for _ in range(2000)]
    for rank in (0, 2, 4):
        assert np.mean([page[rank][1] == "A" for page in pages]) == pytest.approx(0.5, abs=0.04)
    assert all({page[rank][1], page[rank + 1][1]} == {"A", "B"} for page in pages for rank in (0, 2, 4))


def lengths(ranking_a, ranking_b, k: int) -> set[int]:
    """Of the pages that many coins give."""
    rng = np.random.default_rng(0)
    return {len(interleaving.team_draft(ranking_a, ranking_b, k, rng)) for _ in range(100)}


def test_the_page_ends_before_a_pick_that_other_coins_would_have_left_to_one_team():
    assert lengths(["d1"], ["d1", "d2", "d3"], 3) == {1}  # where B picks d1 first, A has nothing
    assert lengths(["d1"], ["d2", "d3", "d4"], 3) == {2}  # no document to lose to the other: one each
    assert lengths(["d1", "d2", "d3"], ["d1", "d4", "d5", "d6"], 9) == {4}  # one of A's three may go to B
    assert lengths([], ["d1"], 3) == {0}


@given(RANKING, RANKING, st.integers(1, 10))
def test_coins_change_the_teams_of_a_page_and_not_its_length(ranking_a, ranking_b, k):
    (length,) = lengths(ranking_a, ranking_b, k)
    assert min(k, len(ranking_a), len(ranking_b)) <= length <= k


@pytest.mark.parametrize(
    ("order", "eta"), [(range(3), 0), (range(3), 1), (range(5), 0), (range(9), 0), (range(6, -1, -1), 0)]
)
def test_a_longer_ranking_wins_no_more_pages_when_clicks_ignore_the_documents(order, eta):
    documents = [f"d{i}" for i in range(10)]
    run_a, run_b = (
        {"q": [(doc_id, -i) for i, doc_id in enumerate(ids)]}
        for ids in (documents, [documents[i] for i in order])
    )
    blind = simulated_users.Users(eta=eta, p_relevant=0.4, p_noise=0.4).clicks_on({})
    found = interleaving.preference(interleaving.interleave(run_a, run_b, blind, 5000))
    assert found["wins_a"] + found["wins_b"] > 1800
    assert found["share_b"] == pytest.approx(0.5, abs=0.035)


def test_clicks_are_credited_to_the_team_that_brought_the_document():
    page = [("d1", "A"), ("d2", "B"), ("d3", "A")]
    assert interleaving.credit(page, ["d3", "d1", "d3"]) == {"A": 2, "B": 0}
    with pytest.raises(ValueError, match="'d9', which this page does not show"):
        interleaving.credit(page, ["d9"])


def test_equal_systems_and_clicks_without_a_reason_give_no_preference(two_runs, runbooks):
    same = interleaving.interleave(
        two_runs[1], two_runs[1], simulated_users.Users().clicks_on(runbooks.qrels), 5000
    )
    anything = simulated_users.Users(
        p_relevant=0.5, p_noise=0.5
    )  # clicks by position only, whatever the document is
    blind = interleaving.interleave(*two_runs, anything.clicks_on(runbooks.qrels), 5000)
    for log in (same, blind):
        assert interleaving.preference(log)["share_b"] == pytest.approx(0.5, abs=0.03)


def test_the_sign_test_leaves_ties_out_and_is_scipys():
    credits = [{"A": 1, "B": 0}] * 20 + [{"A": 0, "B": 2}] * 38 + [{"A": 1, "B": 1}] * 50
    found = interleaving.preference(credits)
    assert (found["wins_a"], found["wins_b"], found["ties"]) == (20, 38, 50)
    assert found["p_value"] == pytest.approx(stats.binomtest(38, 58).pvalue)
    assert (found["significant"], found["preferred"]) == (True, "B")
    assert interleaving.preference([{"A": 0, "B": 0}])["preferred"] is None


def test_a_preference_shows_on_far_fewer_impressions_than_a_split_needs(two_runs, runbooks):
    users, sizes = simulated_users.Users(), [1500, 7500]
    pages = interleaving.interleave(*two_runs, users.clicks_on(runbooks.qrels), 20_000)
    clicked = [
        simulated_users.simulate_clicks(run, runbooks.qrels, 50_000, users)
        .groupby("impression")["clicked"]
        .any()
        .to_numpy()
        for run in two_runs
    ]
    interleaved, split = interleaving.preference_power(pages, sizes), ab_test.split_power(*clicked, sizes)
    assert (
        interleaved[1500] > 0.75 and 0.65 < split[7500] < 0.9
    )  # a fifth of the impressions for the same power
    assert split[1500] < 0.35


def test_the_power_of_a_preference_is_that_of_the_exact_sign_test():
    log = pd.DataFrame({"A": [1, 0, 0, 0, 0], "B": [0, 1, 1, 0, 0]})  # one loss, two wins, two ties
    n, alpha = 40, 0.05
    wins = np.arange(n + 1)
    expected = sum(
        stats.binom.pmf(decided, n, 3 / 5)
        * sum(
            stats.binom.pmf(won, decided, 2 / 3)
            for won in wins[: decided + 1]
            if 2 * won > decided and stats.binomtest(int(won), int(decided)).pvalue < alpha
        )
        for decided in wins[1:]
    )
    assert interleaving.preference_power(log, [n], n_simulations=20_000)[n] == pytest.approx(
        expected, abs=0.01
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: interleaving.team_draft(["d1"], ["d2"], 2, 7), "rng is 7; give one np.random.default_rng"),
        (
            lambda: interleaving.team_draft(["d1", "d1"], ["d2"], 2, np.random.default_rng(0)),
            "'d1' stands twice",
        ),
        (
            lambda: interleaving.interleave({"q1": []}, {"q2": []}, lambda *_: [], 1),
            "do not have the same queries",
        ),
        (lambda: interleaving.preference([{"a": 1, "b": 0}] * 10), "no 'A', but 'a', 'b'"),
        (
            lambda: interleaving.preference(pd.DataFrame({"A": [0, float("nan")], "B": [1, 1]})),
            "impression 1 .* {'A': nan",
        ),
        (lambda: interleaving.preference([{"A": 1, "B": 0}, {"A": 1}]), "impression 1 .* 'B': nan"),
        (lambda: interleaving.preference([{"A": 1, "B": -1}]), "impression 0 .* 0 or more"),
        (
            lambda: interleaving.preference_power(pd.DataFrame({"A": [np.inf], "B": [1]}), [10]),
            "impression 0 .* inf",
        ),
        (
            lambda: interleaving.preference_power(
                interleaving.interleave({"q1": []}, {"q1": []}, None, 0), [1]
            ),
            "no impression",
        ),
    ],
)
def test_an_interleaving_that_would_mislead_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: RetrievalABTest(Fixed, Fixed).get_statistical_significance(alpha=5),
        lambda: ab_test.split_power([0, 1], [0, 1], [20], alpha=5),
        lambda: interleaving.preference([{"A": 0, "B": 1}], alpha=5),
        lambda: interleaving.preference_power(pd.DataFrame({"A": [0], "B": [1]}), [20], alpha=5),
    ],
)
def test_a_level_that_is_none_is_refused_everywhere(call):
    with pytest.raises(ValueError, match="alpha is 5; needed a share between 0 and 1"):
        call()


@pytest.mark.parametrize("user_id", ["", "  "])
def test_users_without_an_id_are_not_one_user(user_id):
    test = RetrievalABTest(Fixed, Fixed)
    for call in (lambda: test.assign(user_id), lambda: test.record({"clicked": 1}, user_id)):
        with pytest.raises(ValueError, match="all users without an id would be one user"):
            call()


def test_a_users_past_is_found_by_the_index():
    value, past = pd.Series([1.0, 2, 3], index=list("abc")), pd.Series([3.0, 2, 1], index=list("cba"))
    adjusted = cuped(value, [1, 2, 4], past, [1, 2, 4])[0]
    assert adjusted.tolist() == cuped([1, 2, 3], [1, 2, 4], [1, 2, 3], [1, 2, 4])[0].tolist()
    with pytest.raises(ValueError, match="b and before_b are Series that cannot be paired by index"):
        cuped([1, 2, 3], value, [1, 2, 3], past.rename({"a": "d"}))


@pytest.mark.parametrize(
    "page, clicks, message",
    [
        (
            [("d1", "A"), ("d2", "B")],
            {"d1": 0, "d2": 1},
            "clicks is a dict, .*; give a list of the doc_ids that were clicked",
        ),
        ([("d1", "A"), ("d2", "B")], "d1", "clicks is a str, 'd1'; give a list"),
        ([("d1", "a"), ("d2", "b")], ["d1"], "document 'd1' is of team 'a'; needed 'A' or 'B'"),
        ([("d1", "A"), ("d1", "B")], ["d1"], "document 'd1' stands twice"),
    ],
)
def test_a_click_that_cannot_be_credited_is_refused(page, clicks, message):
    with pytest.raises(ValueError, match=message):
        interleaving.credit(page, clicks)


def test_a_dict_of_clicks_from_a_user_is_refused_too_and_so_are_fewer_than_no_impressions():
    run_a, run_b = {"q1": [("d1", 2.0), ("d2", 1.0)]}, {"q1": [("d2", 2.0), ("d1", 1.0)]}
    with pytest.raises(ValueError, match="clicks is a dict"):
        interleaving.interleave(run_a, run_b, lambda _, doc_ids: dict.fromkeys(doc_ids, 0), 5)
    with pytest.raises(ValueError, match="n_impressions is -1; needed a whole number, 0 or more"):
        interleaving.interleave(run_a, run_b, lambda _, doc_ids: doc_ids, -1)


@pytest.mark.parametrize("given", [None, "d1"])
def test_a_system_that_gives_no_list_is_named(given):
    test = RetrievalABTest(*[type("Fixed", (), {"retrieve": lambda self, query: given})()] * 2)
    with pytest.raises(ValueError, match=r"system [AB] gave .* for 'soup'; needed a list of results"):
        test.route_query("soup", {"d1"})


def test_pairs_from_json_are_measured_by_their_ids():
    test = RetrievalABTest(*[type("Fixed", (), {"retrieve": lambda self, query: [["d1", 0.5]]})()] * 2)
    test.route_query("soup", {"d1"}, "u1")
    assert (test.results_a + test.results_b)[0]["recall_at_5"] == 1


USERS = pd.DataFrame({"user": range(100, 120), "value": [0, 0, 0, 1] * 5})


@pytest.mark.parametrize("table", [USERS, USERS.to_numpy()])
def test_a_table_in_place_of_its_column_of_values_is_refused(table):
    column = USERS["value"]
    for call in (
        lambda: ab_test.split_power(column, table, [40]),
        lambda: cuped(table, column, column, column),
        lambda: cuped(column, column, column, table),
        lambda: compare_groups(column, table, 0.05),
    ):
        with pytest.raises(ValueError, match="are a .*; give a list, or one column of a table"):
            call()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((2.0, "d1"), r"retrieve gave \(2.0, 'd1'\), the score first; needed \(doc_id, score\)"),
        ({"id": "d1"}, "retrieve gave {'id': 'd1'}, a dict; needed a doc_id"),
    ],
)
def test_results_in_another_form_are_named_with_the_form_that_is_needed(given, message):
    system = type("Fixed", (), {"retrieve": lambda self, query: [given]})()
    with pytest.raises(ValueError, match=message):
        RetrievalABTest(system, system).route_query("soup", {"d1"}, "u1")


@pytest.mark.parametrize("given", [{"hits": [{"id": "d1"}]}, {"d1": 0.2, "d2": 0.9}, {"d1", "d2"}])
def test_results_without_an_order_are_not_taken_for_a_ranking(given):
    for system in (SimpleNamespace(retrieve=lambda query: given), Searching({"query": given})):
        test = RetrievalABTest(system, system)
        with pytest.raises(ValueError, match="gave {.*; needed a list of results, best first"):
            test.route_query("outage", {"d1"}, user_id="ada")
        assert not test.results_a and not test.results_b


@pytest.mark.parametrize("given", [[("d1", 1.0)], {"other": []}, None])
def test_a_search_that_gives_no_run_of_its_query_is_told(given):
    test = RetrievalABTest(Searching(given), Searching(given))
    with pytest.raises(ValueError, match=r"system [AB]: search gave .*; needed {query_id: results}"):
        test.route_query("outage", user_id="ada")


def test_a_system_that_is_not_built_yet_is_refused():
    with pytest.raises(ValueError, match=r"system [AB] is the class Searching; needed one that is built"):
        RetrievalABTest(Searching, Searching).route_query("outage")


class Searching:
    def __init__(self, given):
        self.given = given

    def search(self, queries, k):
        return self.given


def test_pages_of_queries_whose_ids_are_numbers_are_refused():
    run = {1: [("d1", 1.0)]}
    with pytest.raises(ValueError, match="run_a: query_id 1 is of type int"):
        interleaving.interleave(run, run, lambda _, doc_ids: doc_ids, 3)


@pytest.mark.parametrize("page", [["d1", "d2"], ["doc_1"], [("d1", "A", 1)]])
def test_a_page_of_ids_alone_is_told_to_lack_its_teams(page):
    with pytest.raises(
        ValueError, match=r"interleaved, entry 1 is .*d.*; needed \[\(doc_id, team\), \.\.\.\]"
    ):
        interleaving.credit(page, ["d1"])


def test_a_page_as_a_dict_has_no_order():
    with pytest.raises(ValueError, match=r"interleaved is {'d1': 'A'}; needed \[\(doc_id, team\)"):
        interleaving.credit({"d1": "A"}, ["d1"])
