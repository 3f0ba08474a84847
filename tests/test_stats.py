"""Statistics on scores per query: pairs by id, parity with scipy, and what each test promises, simulated."""

import importlib
import json
import re
import tracemalloc
import warnings
from dataclasses import replace
from decimal import Decimal
from itertools import product
from math import comb, inf, sqrt
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import stats
from helpers.base import files
from helpers.evaluation import evaluate_retrieval
from helpers.stats import resampling

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def ndcg_like(rng: np.random.Generator, *shape: int, found: float = 0.8) -> np.ndarray:
    """nDCG@10 of queries with one relevant document: found in a share of them, at low ranks less often."""
    rank = rng.geometric(0.45, size=shape)
    return np.where((rng.random(shape) < found) & (rank <= 10), 1 / np.log2(rank + 1), 0.0)


@pytest.fixture(scope="module")
def two_systems():
    return ndcg_like(np.random.default_rng(7), 2, 30)


# Pairs


def test_queries_are_paired_by_id_and_not_by_position():
    table = stats.paired({"q1": 0.1, "q2": 0.9}, pd.Series({"q2": 0.9, "q1": 0.1}))
    assert (
        table["difference"].tolist() == [0, 0]
        and table.index.tolist() == ["q1", "q2"]
        and table.index.name == "query_id"
    )


def test_a_query_that_one_side_lacks_is_named():
    with pytest.raises(ValueError, match=r"b lacks 1 \('q2'\), a lacks 2 \('q3', 'q4'\).*missing='zero'"):
        stats.paired({"q1": 1.0, "q2": 1.0}, {"q1": 1.0, "q3": 1.0, "q4": 1.0})


def test_a_missing_query_may_count_0_and_is_never_dropped():
    table = stats.paired({"q1": 0.5, "q2": 0.3}, {"q1": 0.5, "q3": 0.4}, missing="zero")
    assert table["difference"].to_dict() == {"q1": 0, "q2": -0.3, "q3": 0.4}
    found = stats.paired_significance({"q1": 0.5, "q2": 0.3}, {"q1": 0.5, "q3": 0.4}, missing="zero")
    assert (found["n"], found["mean_a"], found["mean_b"]) == (3, 0.8 / 3, 0.9 / 3)


@pytest.mark.parametrize(
    "test", [stats.paired_significance, stats.wilcoxon, stats.effect_sizes, stats.randomisation_test]
)
def test_every_paired_test_refuses_what_cannot_be_paired(test):
    with pytest.raises(ValueError, match="b lacks 1 \\('q2'\\)"):
        test({"q1": 1.0, "q2": 0.5}, {"q1": 1.0})
    with pytest.raises(ValueError, match="missing is 'drop'"):
        test({"q1": 1.0, "q2": 0.5}, {"q1": 1.0}, missing="drop")


@pytest.mark.parametrize("bad", [float("nan"), inf, None, "0.5", pd.NA])
def test_a_score_that_is_no_number_is_refused_with_its_query(bad):
    for test in (
        stats.paired_significance,
        stats.wilcoxon,
        stats.randomisation_test,
        stats.bootstrap_interval,
        stats.t_interval,
    ):
        with pytest.raises(ValueError, match="b, query 'q2': the score is .*; needed a finite number"):
            test({"q1": 1.0, "q2": 0.5}, {"q1": 1.0, "q2": bad})
    with pytest.raises(ValueError, match="b, value 'u2': the score is"):
        stats.welch({"u1": 1.0, "u2": 0.5}, {"u1": 1.0, "u2": bad})


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([0.1, 0.2], [0.1, 0.2, 0.3], "2 scores in a and 3 in b"),
        ({"q1": 0.1}, [0.1], "a has query_ids and b has none"),
        ([0.1], {"q1": 0.1}, "b has query_ids and a has none"),
        ({}, {}, "a holds no score"),
        ({1: 0.5}, {1: 0.5}, "query_id 1 is of type int"),
        ({0.1, 0.2}, {0.1, 0.2}, "a is a set"),
        (pd.Series([1.0, 2.0], index=["q1", "q1"]), {"q1": 1.0}, "a: query 'q1' stands twice"),
    ],
)
def test_scores_that_do_not_make_pairs_are_refused(a, b, message):
    with pytest.raises(ValueError, match=message):
        stats.paired(a, b)


def test_one_query_has_no_variance():
    for test in (
        stats.paired_significance,
        stats.wilcoxon,
        stats.effect_sizes,
        stats.bootstrap_interval,
        stats.t_interval,
    ):
        with pytest.raises(ValueError, match="1 query; needed two or more"):
            test([0.5], [0.7])
    with pytest.raises(ValueError, match="1 value; needed two or more"):
        stats.welch([0.5], [0.7])


def test_rounding_error_neither_wins_nor_loses():
    found = stats.effect_sizes([0.3, 0.6, 0.5], [0.1 + 0.2, 0.1 * 6, 0.5])
    assert (found["win"], found["tie"], found["loss"]) == (0, 3, 0)


# Parity


def test_the_paired_t_test_is_scipys(two_systems):
    a, b = two_systems
    found, expected = stats.paired_significance(a, b), scipy.stats.ttest_rel(b, a)
    assert found["t_statistic"] == pytest.approx(expected.statistic, rel=1e-9)
    assert found["p_value"] == pytest.approx(expected.pvalue, rel=1e-9)
    assert found["difference"] == pytest.approx(b.mean() - a.mean(), abs=1e-12)


def test_wilcoxons_test_is_scipys_with_ties_and_without(two_systems):
    for a, b in (two_systems, np.random.default_rng(3).random((2, 25))):
        found, expected = stats.wilcoxon(a, b), scipy.stats.wilcoxon((b - a).round(12))
        assert (found["statistic"], found["p_value"]) == (expected.statistic, expected.pvalue)


def test_welchs_test_is_scipys():
    a, b = np.random.default_rng(1).random(20), np.random.default_rng(2).random(50) * 2
    found, expected = stats.welch(a, b), scipy.stats.ttest_ind(b, a, equal_var=False)
    assert (found["t_statistic"], found["p_value"], found["df"]) == (
        expected.statistic,
        expected.pvalue,
        expected.df,
    )


def test_the_exact_randomisation_test_is_scipys():
    rng = np.random.default_rng(5)
    for _ in range(20):
        a, b = rng.integers(0, 5, size=(2, 8))
        found = stats.randomisation_test(
            a / 10, b / 10
        )  # with ties, and with sums that are equal but for rounding
        expected = scipy.stats.permutation_test(
            (b - a,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=True, axis=-1
        )
        assert found["exact"] and found["p_value"] == pytest.approx(expected.pvalue, abs=1e-12)


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_a_bootstrap_interval_is_scipys_where_the_resamples_are_the_same(method):
    scores = np.random.default_rng(6).exponential(size=30)
    theirs = scipy.stats.bootstrap((scores,), np.mean, n_resamples=10, method=method)
    ours = resampling.resampled_means(scores[:, None], n_resamples=2000, rng=3)[:, 0]
    same = replace(theirs, bootstrap_distribution=ours)
    expected = scipy.stats.bootstrap((scores,), np.mean, n_resamples=0, bootstrap_result=same, method=method)
    found = stats.bootstrap_interval(scores, n_resamples=2000, method=method.lower(), rng=3)
    assert found == pytest.approx(tuple(expected.confidence_interval), abs=1e-12)


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_a_bootstrap_interval_of_a_difference_is_scipys_within_what_resampling_leaves(two_systems, method):
    a, b = two_systems
    expected = scipy.stats.bootstrap(
        (b - a,), np.mean, n_resamples=10_000, method=method, random_state=1
    ).confidence_interval
    found = stats.bootstrap_interval(a, b, method=method.lower())
    noise = (expected.high - expected.low) / 50
    assert found == pytest.approx((expected.low, expected.high), abs=noise)


def test_the_t_interval_is_scipys_and_holds_0_exactly_where_the_t_test_has_no_finding(two_systems):
    a, b = two_systems
    for confidence in (0.5, 0.9, 0.95, 0.99):
        expected = scipy.stats.ttest_rel(b, a).confidence_interval(confidence)
        low, high = stats.t_interval(a, b, confidence)
        assert (low, high) == pytest.approx(tuple(expected), rel=1e-9)
        assert (low <= 0 <= high) == (stats.paired_significance(a, b)["p_value"] >= 1 - confidence)


# The same stream of chance, however it is drawn


@pytest.mark.parametrize("n", [12, 30, 211])
def test_drawing_in_blocks_takes_the_same_chances_as_one_resample_after_the_other(n, monkeypatch):
    scores = ndcg_like(np.random.default_rng(n), n, 3)
    differences = (scores[:, 1:] - scores[:, :1]).round(12)
    rng = np.random.default_rng(1)
    sums = np.array([rng.choice((-1.0, 1.0), size=n) @ differences for _ in range(103)])
    as_far = np.abs(sums) >= np.abs(differences.sum(axis=0)) - 1e-12 * np.abs(differences).sum(axis=0)
    rng = np.random.default_rng(2)
    draws = (np.bincount(rng.integers(n, size=n), minlength=n) for _ in range(103))
    means = np.array([times @ scores for times in draws]) / n
    drawn = []
    for block in (1, 7 * n, 2**16):  # 103 is not a multiple of 7
        monkeypatch.setattr(resampling, "BLOCK", block)
        drawn.append(resampling.resampled_means(scores, 103, rng=2))
        assert np.array_equal(drawn[-1], drawn[0])  # to the last bit
        assert drawn[-1] == pytest.approx(means, abs=1e-12)
        found = stats.randomisation_tests(differences, 103, rng=1)
        assert found["p_value"].tolist() == ((as_far.sum(axis=0) + 1) / 104).tolist()


# By hand


def test_three_wins_of_three_are_two_of_eight_sign_flips():
    found = stats.randomisation_test([0, 0, 0], [1, 2, 3])
    assert found == {"n": 3, "difference": 2.0, "p_value": 2 / 8, "exact": True, "resamples": 8}


def test_a_tie_needs_no_flip_and_changes_no_p_value():
    plain = stats.randomisation_test([0, 0, 0, 0], [1, 2, 3, -1])
    with_ties = stats.randomisation_test([0, 0, 0, 0, 5, 5], [1, 2, 3, -1, 5, 5])
    assert plain["p_value"] == with_ties["p_value"] and with_ties["resamples"] == 2**4 and with_ties["n"] == 6


def test_two_systems_that_never_differ_have_p_1_in_every_test():
    scores = {"q1": 0.1, "q2": 0.7, "q3": 0.7}
    for test in (stats.paired_significance, stats.wilcoxon, stats.randomisation_test):
        assert test(scores, scores)["p_value"] == 1
    assert (
        stats.bootstrap_interval(scores, scores)
        == stats.bootstrap_interval(scores, scores, method="bca")
        == (0, 0)
    )
    assert stats.t_interval(scores, scores) == (0, 0)
    expected = {"cohen_dz": 0, "hedges_gz": 0, "rank_biserial": 0, "win": 0, "tie": 3, "loss": 0}
    assert stats.effect_sizes(scores, scores) == expected
    assert stats.welch([0.5, 0.5], [0.5, 0.5, 0.5])["p_value"] == 1


def test_a_shift_without_noise_is_certain_to_t_and_not_to_randomisation():
    a, b = [0.1, 0.2, 0.3], [0.2, 0.3, 0.4]
    assert (
        stats.paired_significance(a, b)["t_statistic"],
        stats.paired_significance(b, a)["t_statistic"],
    ) == (inf, -inf)
    assert stats.paired_significance(a, b)["p_value"] == 0
    assert stats.randomisation_test(a, b)["p_value"] == 2 / 8


def test_a_shift_without_noise_has_an_interval_without_width():
    assert stats.t_interval([0.1, 0.2, 0.3], [0.2, 0.3, 0.4]) == pytest.approx((0.1, 0.1), abs=1e-12)
    assert stats.t_interval([0.1] * 30) == pytest.approx((0.1, 0.1), abs=1e-12)


def test_a_drawn_p_value_is_never_0():
    found = stats.randomisation_test(np.zeros(100), np.ones(100), n_resamples=500)
    assert not found["exact"] and found["resamples"] == 500 and found["p_value"] == 1 / 501


def test_drawn_flips_come_near_to_all_flips():
    a, b = ndcg_like(np.random.default_rng(11), 2, 15)
    b += 0.2
    exact, drawn = (
        stats.randomisation_test(a, b, n_resamples=2**15),
        stats.randomisation_test(a, b, n_resamples=2**11),
    )
    assert exact["exact"] and not drawn["exact"] and 0.01 < exact["p_value"] < 0.5
    error = sqrt(exact["p_value"] * (1 - exact["p_value"]) / 2**11)
    assert drawn["p_value"] == pytest.approx(exact["p_value"], abs=3 * error)


def test_effect_sizes_are_their_formulas(two_systems):
    a, b = two_systems
    found, difference = stats.effect_sizes(a, b), b - a
    assert found["cohen_dz"] == pytest.approx(difference.mean() / difference.std(ddof=1))
    assert found["cohen_dz"] * sqrt(30) == pytest.approx(stats.paired_significance(a, b)["t_statistic"])
    assert found["hedges_gz"] == pytest.approx(found["cohen_dz"] * (1 - 3 / (4 * 29 - 1)))
    assert found["win"] + found["tie"] + found["loss"] == 30
    assert stats.effect_sizes([0, 0, 0], [1, 2, -3])["rank_biserial"] == (1 + 2 - 3) / 6
    assert stats.effect_sizes([0, 0], [1, 3])["rank_biserial"] == 1


@settings(max_examples=20)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=8))
def test_who_is_called_a_changes_signs_and_no_p_value(pairs):
    a, b = zip(*pairs, strict=True)
    forth, back = stats.randomisation_test(a, b), stats.randomisation_test(b, a)
    assert forth["difference"] == -back["difference"] and forth["p_value"] == back["p_value"] >= 2 / 2**8
    assert stats.effect_sizes(a, b)["rank_biserial"] == -stats.effect_sizes(b, a)["rank_biserial"]
    forth, back = stats.paired_significance(a, b), stats.paired_significance(b, a)
    assert forth["t_statistic"] == -back["t_statistic"] and forth["p_value"] == back["p_value"]


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_an_interval_holds_its_mean_and_a_higher_confidence_is_wider(two_systems, method):
    narrow, wide = (
        stats.bootstrap_interval(two_systems[0], confidence=c, n_resamples=1000, method=method)
        for c in (0.8, 0.99)
    )
    assert wide[0] < narrow[0] < two_systems[0].mean() < narrow[1] < wide[1]


def test_one_seed_gives_one_answer(two_systems):
    assert stats.bootstrap_interval(*two_systems, rng=4) == stats.bootstrap_interval(
        *two_systems, rng=np.random.default_rng(4)
    )
    assert stats.bootstrap_interval(*two_systems, rng=4) != stats.bootstrap_interval(*two_systems, rng=5)


# Many systems


def test_many_systems_at_once_are_each_what_they_are_alone():
    scores = pd.DataFrame(ndcg_like(np.random.default_rng(2), 40, 4), columns=list("wxyz"))
    scores["z"] = scores["w"] + np.repeat([0.1, 0.0], [5, 35])
    together = stats.t_intervals(scores)
    for system in scores:
        alone = stats.t_interval(scores[system].to_numpy())
        assert together.loc[system, ["low", "high"]].tolist() == pytest.approx(alone, abs=1e-12)
    for method in ("percentile", "bca"):
        together = stats.bootstrap_intervals(scores, n_resamples=500, method=method)
        for system in scores:
            alone = stats.bootstrap_interval(scores[system].to_numpy(), n_resamples=500, method=method)
            assert together.loc[system, ["low", "high"]].tolist() == pytest.approx(alone, abs=1e-12)
    together = stats.randomisation_tests(scores[["x", "y", "z"]].sub(scores["w"], axis=0), n_resamples=500)
    assert together["exact"].to_dict() == {"x": False, "y": False, "z": True}
    for system in together.index:
        alone = stats.randomisation_test(scores["w"].to_numpy(), scores[system].to_numpy(), n_resamples=500)
        assert together.loc[system].to_dict() == pytest.approx(alone, abs=1e-12)


def test_systems_that_move_together_are_as_one_comparison_to_max_t(two_systems):
    a, b = two_systems
    differences = np.tile((b - a)[:, None], 5)
    single = stats.randomisation_test(a, b)["p_value"]
    assert stats.max_t(differences)["p_value"].tolist() == [single] * 5


def test_systems_that_move_apart_are_as_many_comparisons_to_max_t():
    normal = np.random.default_rng(9).normal(0.3, 1, size=(200, 4))
    single, joint = (
        f(normal, n_resamples=20_000)["p_value"].to_numpy() for f in (stats.randomisation_tests, stats.max_t)
    )
    steps = 1 - (1 - np.sort(single)) ** np.array([4, 3, 2, 1])
    assert np.sort(joint) == pytest.approx(np.maximum.accumulate(steps), abs=0.01)


def test_a_joint_interval_that_leaves_out_0_has_a_small_p_and_of_the_smallest_p_the_reverse_holds_too():
    for seed in range(40):
        differences = np.random.default_rng(seed).normal(0.1, 0.25, size=(25, 3))
        for confidence in (0.8, 0.95, 0.99):
            found = stats.max_t(differences, confidence, n_resamples=300, rng=seed)
            without_0 = (found["low"] > 0) | (found["high"] < 0)
            small = found["p_value"] < round(1 - confidence, 10)
            assert (small | ~without_0).all() and small.any() == without_0.any()


def test_a_system_without_a_difference_stays_out_of_the_way_of_max_t(two_systems):
    difference = (two_systems[1] - two_systems[0])[:, None]
    alone, beside = stats.max_t(difference), stats.max_t(np.hstack([difference, np.zeros((30, 1))]))
    assert beside.loc[0].equals(alone.loc[0])
    assert beside.loc[1, ["low", "high", "p_value"]].tolist() == [0, 0, 1]


def test_memory_is_far_below_resamples_times_queries():
    scores = np.random.default_rng(0).random((6980, 5))
    tracemalloc.start()
    stats.bootstrap_intervals(scores, n_resamples=1000)
    stats.randomisation_tests(scores[:, 1:] - scores[:, :1], n_resamples=1000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * 6980 * 1000 / 10


@pytest.mark.parametrize(
    "function",
    [stats.bootstrap_intervals, stats.randomisation_tests, stats.max_t, resampling.resampled_means],
)
def test_a_table_with_a_hole_is_refused_with_query_and_system(function):
    with pytest.raises(ValueError, match="system 'x', query 'q2': the score is nan"):
        function({"w": {"q1": 0.1, "q2": 0.2}, "x": {"q1": 0.1}})
    with pytest.raises(ValueError, match="0 queries and 0 systems"):
        function(pd.DataFrame())
    with pytest.raises(ValueError, match="n_resamples is 99; needed"):
        function(np.ones((3, 1)), n_resamples=99)


def test_an_interval_that_is_none_is_refused():
    with pytest.raises(ValueError, match="confidence is 95; needed a share"):
        stats.bootstrap_interval([0.1, 0.2], confidence=95)
    with pytest.raises(ValueError, match="method is 'BCa'; it can be 'percentile' or 'bca'"):
        stats.bootstrap_interval([0.1, 0.2], method="BCa")
    for function in (stats.t_interval, lambda scores, confidence: stats.max_t([scores], confidence)):
        with pytest.raises(ValueError, match="confidence is 1; needed a share"):
            function([0.1, 0.2], confidence=1)


# Not worse than is accepted


def test_the_answer_is_where_the_interval_lies_beside_the_limit():
    lost = [-0.1, 0.0, -0.2, -0.1, 0.0, -0.1]  # the mean -0.083, with 1.943... standard errors to each side
    low, high = stats.t_interval(lost, confidence=0.9)
    found = stats.non_inferiority(lost, 0.05)
    assert (found["low"], found["high"]) == pytest.approx((low, high), abs=1e-9)
    assert found["answer"] == stats.CANNOT_TELL and low < -0.05 < high < 0
    assert stats.non_inferiority(lost, -high - 0.001)["answer"] == stats.WORSE
    assert stats.non_inferiority(lost, -low + 0.001)["answer"] == stats.NOT_WORSE
    assert stats.non_inferiority([-d for d in lost], 0)["answer"] == stats.NOT_WORSE


def test_a_drop_may_be_real_and_still_be_accepted():
    found = stats.non_inferiority([-0.01, -0.02, -0.01, -0.02, -0.015] * 6, limit=0.05)
    assert found["high"] < 0 and found["answer"] == stats.NOT_WORSE


def test_too_few_queries_claim_nothing_however_far_they_fell():
    assert stats.non_inferiority([-1.0], 0.02)["answer"] == stats.CANNOT_TELL
    assert stats.non_inferiority([-1.0] * 4, 0.02)["answer"] == stats.CANNOT_TELL  # 1 / 2^4 is above 0.05
    assert stats.non_inferiority([-1.0] * 5, 0.02)["answer"] == stats.WORSE
    assert stats.non_inferiority([-1.0] * 5, 0.02, alpha=0.01)["answer"] == stats.CANNOT_TELL


def test_what_moved_for_no_query_is_not_worse_once_so_many_would_have_shown_a_drop_at_the_limit():
    answers = {n: stats.non_inferiority([0.0] * n, 0.02)["answer"] for n in (30, 148, 149)}
    assert answers == {30: stats.CANNOT_TELL, 148: stats.CANNOT_TELL, 149: stats.NOT_WORSE}
    assert 0.98**148 > 0.05 > 0.98**149  # so often do n queries show nothing where one in fifty loses all
    found = stats.non_inferiority([0.0] * 30, 0.02)
    assert (found["difference"], found["high"]) == (0, pytest.approx(0.095, abs=0.0005))


def test_few_queries_that_move_do_not_make_a_false_claim_of_no_drop():
    rng = np.random.default_rng(3)
    for n, loses, limit in ((30, 0.04, 0.02), (15, 0.1, 0.05), (100, 0.02, 0.01)):  # twice the limit is lost
        sets = -(rng.random((300, n)) < loses).astype(float)
        said = [stats.non_inferiority(one, limit)["answer"] for one in sets]
        assert said.count(stats.NOT_WORSE) <= 0.05 * len(said)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"limit": -0.02}, "limit is -0.02; needed the largest drop that is accepted"),
        ({"limit": inf}, "limit is inf"),
        ({"limit": True}, "limit is True"),
        ({"limit": 0.02, "alpha": 0.5}, "alpha is 0.5; needed a one-sided level"),
    ],
)
def test_a_limit_or_a_level_that_is_none_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        stats.non_inferiority([0.0] * 30, **given)


# Promises, simulated


@pytest.fixture(scope="module")
def no_effect():
    """Differences of 3,000 pairs of systems (columns) that are equally good, on 30 queries."""
    a, b = ndcg_like(np.random.default_rng(21), 2, 30, 3000)
    return (b - a).round(12)


@pytest.mark.parametrize("test", [stats.paired_significance, stats.wilcoxon])
def test_a_paired_test_raises_false_alarms_as_often_as_it_says(no_effect, test):
    zeros = np.zeros(30)
    alarms = [test(zeros, difference)["p_value"] < 0.05 for difference in no_effect.T[:200]]
    assert np.mean(alarms) == pytest.approx(0.05, abs=0.03)  # one-sided: 0.1


def test_randomisation_raises_false_alarms_as_often_as_it_says(no_effect):
    found = stats.randomisation_tests(no_effect, n_resamples=500, rng=1)
    assert not found["exact"].any()
    assert (found["p_value"] < 0.05).mean() == pytest.approx(0.05, abs=0.012)


def test_exact_randomisation_raises_false_alarms_as_often_as_it_says():
    differences = np.random.default_rng(8).normal(size=(9, 2000))
    found = stats.randomisation_tests(differences, n_resamples=2**9)
    assert found["exact"].all()
    assert (found["p_value"] < 0.05).mean() == pytest.approx(0.05, abs=0.015)


def test_welch_raises_false_alarms_as_often_as_it_says_with_unequal_groups():
    rng = np.random.default_rng(13)
    users_a, users_b = ndcg_like(rng, 200, 60), ndcg_like(rng, 200, 200)
    alarms = [stats.welch(a, b)["p_value"] < 0.05 for a, b in zip(users_a, users_b, strict=True)]
    assert np.mean(alarms) == pytest.approx(0.05, abs=0.03)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_an_interval_without_0_at_100_queries_is_a_false_alarm_as_often_as_it_says(method):
    a, b = ndcg_like(np.random.default_rng(31), 2, 100, 1500)
    found = stats.bootstrap_intervals(b - a, n_resamples=500, method=method)
    assert ((found["low"] > 0) | (found["high"] < 0)).mean() == pytest.approx(0.05, abs=0.015)


def test_max_t_raises_a_false_alarm_in_a_family_as_often_as_it_says_and_misses_less_than_holm():
    rng, effect, families = np.random.default_rng(33), 0.05, {"null": [], "max-t": [], "holm": []}
    for _ in range(300):
        scores = ndcg_like(rng, 50, 1) + 0.1 * rng.normal(size=(50, 6))  # five systems and one baseline
        null = (scores[:, 1:] - scores[:, :1]).round(12)
        families["null"].append(stats.max_t(null, n_resamples=300, rng=rng)["p_value"].min() < 0.05)
        better = null + effect
        families["max-t"].append((stats.max_t(better, n_resamples=300, rng=1)["p_value"] < 0.05).mean())
        single = stats.randomisation_tests(better, n_resamples=300, rng=1)["p_value"]
        families["holm"].append((np.array(stats.holm(single.tolist())) < 0.05).mean())
    found = {name: float(np.mean(shares)) for name, shares in families.items()}
    assert found["null"] == pytest.approx(0.05, abs=0.025)
    assert found["max-t"] > found["holm"]


def coverage(draw, truth: float, n: int, method: str) -> float:
    """In what share of 1,500 test sets of n queries the interval holds the true mean."""
    test_sets = draw(np.random.default_rng(17), n, 1500)
    found = stats.bootstrap_intervals(test_sets, n_resamples=500, method=method)
    return float(((found["low"] <= truth) & (truth <= found["high"])).mean())


TRUE_NDCG = 0.8 * sum(0.45 * 0.55 ** (rank - 1) / np.log2(rank + 1) for rank in range(1, 11))


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_a_bootstrap_interval_at_100_queries_holds_the_truth_as_often_as_it_says(method):
    assert coverage(ndcg_like, TRUE_NDCG, 100, method) == pytest.approx(0.95, abs=0.02)


def rarely_better(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Differences of two systems that are alike on nine queries of ten: the others go up by about a half."""
    return np.where(rng.random(shape) < 0.1, rng.choice([0.25, 0.5, 0.75], size=shape), 0.0)


def test_at_30_queries_an_interval_is_a_little_too_narrow():
    assert 0.93 < coverage(ndcg_like, TRUE_NDCG, 30, "percentile") < 0.945
    assert 0.935 < coverage(ndcg_like, TRUE_NDCG, 30, "bca") < 0.955


def test_at_30_queries_an_interval_is_far_too_narrow_where_few_of_them_differ():
    assert 0.86 < coverage(rarely_better, 0.1 * 0.5, 30, "percentile") < 0.89
    assert 0.88 < coverage(rarely_better, 0.1 * 0.5, 30, "bca") < 0.91


# Corrections


def test_holm_by_hand():
    assert stats.holm([0.04, 0.01, 0.03]) == pytest.approx(
        [0.06, 0.03, 0.06]
    )  # 0.01 · 3, 0.03 · 2, then not less
    assert stats.holm({"x": 0.5, "y": 0.9}) == {"x": 1, "y": 1}
    assert stats.holm([]) == [] and stats.holm({}) == {}


def test_benjamini_hochberg_by_hand():
    assert stats.benjamini_hochberg([0.04, 0.01, 0.03, 0.005]) == pytest.approx([0.04, 0.02, 0.04, 0.02])
    assert stats.benjamini_hochberg(pd.Series({"x": 0.02, "y": 0.9})) == {"x": 0.04, "y": 0.9}


@given(P_VALUES)
def test_benjamini_hochberg_is_scipys(p_values):
    expected = scipy.stats.false_discovery_control(p_values)
    assert stats.benjamini_hochberg(p_values) == pytest.approx(expected.tolist(), abs=1e-12)


@given(P_VALUES, st.sampled_from([0.01, 0.05, 0.2]))
def test_holm_rejects_what_stepping_down_rejects(p_values, alpha):
    rejected = []
    for step, (p, position) in enumerate(sorted((p, position) for position, p in enumerate(p_values))):
        if p * (len(p_values) - step) > alpha:
            break
        rejected.append(position)
    assert [position for position, p in enumerate(stats.holm(p_values)) if p <= alpha] == sorted(rejected)


@settings(max_examples=50)
@given(P_VALUES, st.randoms())
def test_a_correction_keeps_order_and_lies_between_p_and_bonferroni(p_values, random):
    holm, bh = stats.holm(p_values), stats.benjamini_hochberg(p_values)
    for p, weak, strong in zip(p_values, bh, holm, strict=True):
        assert p <= weak + 1e-12 and weak <= strong + 1e-12 and strong <= min(1, p * len(p_values)) + 1e-12
    by_p = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [holm[i] for i in by_p] == sorted(holm) and [bh[i] for i in by_p] == sorted(bh)
    order = random.sample(range(len(p_values)), len(p_values))
    assert stats.holm([p_values[i] for i in order]) == [holm[i] for i in order]


@pytest.mark.parametrize("bad", [-0.1, 1.5, float("nan"), None, "0.05"])
@pytest.mark.parametrize("correction", [stats.holm, stats.benjamini_hochberg])
def test_a_p_value_that_is_none_is_refused_with_its_name(correction, bad):
    with pytest.raises(ValueError, match="comparison 'x': p is"):
        correction({"w": 0.5, "x": bad})


def test_holm_keeps_what_it_promises_where_ten_systems_share_a_baseline():
    scores = np.random.default_rng(19).normal(size=(1500, 30, 11))
    t = scipy.stats.ttest_1samp(scores[:, :, 1:] - scores[:, :, :1], 0, axis=1).pvalue
    assert (t.min(axis=1) < 0.05).mean() > 0.2
    assert np.mean([min(stats.holm(p)) < 0.05 for p in t.tolist()]) < 0.065


def test_an_exact_p_value_counts_flips_as_the_sign_test_does_where_all_differences_are_equal():
    found = stats.randomisation_test(np.zeros(10), [1.0] * 8 + [-1.0] * 2)
    assert found["p_value"] == 2 * sum(comb(10, wins) for wins in (8, 9, 10)) / 2**10


# The stored benchmark


def test_the_benchmarks_page_is_made_of_its_measurements_and_keeps_what_was_asked_of_it(monkeypatch):
    folder = files.ROOT / "evals" / "benchmarks"
    monkeypatch.syspath_prepend(folder)
    found = json.loads((folder / "comparing.json").read_text(encoding="utf-8"))
    assert (folder / "comparing.md").read_text(encoding="utf-8") == importlib.import_module(
        "comparing"
    ).table(found)
    assert (found["systems"], found["queries"], found["resamples"]) == (5, 6980, 10_000)
    ours = [
        row for tools in found["tasks"].values() for tool, row in tools.items() if tool == "Measure First"
    ]
    assert sum(row["seconds"] for row in ours) < 10 and max(row["peak MiB"] for row in ours) < 300
    for tools in found["tasks"].values():
        assert all(row["ratio"] >= 1 for row in tools.values())
        assert max(row["largest difference"] for row in tools.values()) < 0.02


def test_a_column_without_query_ids_is_paired_by_position_like_a_list():
    column = pd.Series([0.5, 1.0, 0.0])
    assert stats.paired(column, column + 0.25)["difference"].tolist() == [0.25] * 3
    assert stats.paired(column[:2], [0.5, 1.0])["difference"].tolist() == [0, 0]


@pytest.mark.parametrize("rows", [slice(None, None, -1), slice(1, 4), slice(None, None, 2)])
def test_a_column_whose_rows_were_cut_or_moved_is_not_paired_by_position(rows):
    column = pd.Series([0.1, 0.2, 0.3, 0.9])
    moved = column.iloc[rows]
    for index in (moved.index, pd.Index(moved.index.to_numpy()), moved.index.astype(float)):
        with pytest.raises(
            ValueError,
            match=r"b: query_id .* is of type .*cut or moved is not paired by position.*\.to_numpy\(\)",
        ):
            stats.paired(column.iloc[: len(moved)], moved.set_axis(index))
    assert len(stats.paired(column.iloc[: len(moved)], moved.to_numpy())) == len(moved)


# Rounding error and too little noise


def test_welch_does_not_take_rounding_error_for_a_difference():
    exact, rounded = [0.3] * 10, [0.1 + 0.2] * 10
    for a, b in (
        (exact, rounded),
        (exact[:5] + rounded[:5], rounded),
        (exact[:5] + rounded[:5], exact[:9] + rounded[:1]),
    ):
        found = stats.welch(a, b)
        assert (found["difference"], found["t_statistic"], found["p_value"]) == (0, 0, 1)


def test_two_groups_without_variance_that_differ_are_certain_to_welch_and_so_they_are_by_chance():
    assert stats.welch([0.0, 0.0], [1.0, 1.0])["p_value"] == 0
    throws = [np.array(throw, dtype=float) for throw in product((0, 1), repeat=4)]
    sides = [(throw[:2], throw[2:]) for throw in throws if not np.ptp(throw[:2]) and not np.ptp(throw[2:])]
    assert sum(stats.welch(a, b)["p_value"] == 0 for a, b in sides) / len(throws) == 1 / 8


def test_two_equal_differences_have_an_infinite_effect_and_no_nan():
    found = stats.effect_sizes([0.1, 0.2], [0.2, 0.3])
    assert found["cohen_dz"] == found["hedges_gz"] == inf
    assert stats.effect_sizes([0.2, 0.3], [0.1, 0.2])["hedges_gz"] == -inf
    assert stats.effect_sizes([0.1, 0.2], [0.1, 0.2])["hedges_gz"] == 0


# Names that stand twice


@pytest.mark.parametrize("correction", [stats.holm, stats.benjamini_hochberg])
def test_no_p_value_is_lost_where_two_comparisons_have_one_name(correction):
    p_values = pd.Series([0.02, 0.03, 0.04], index=["B", "B", "C"])
    with pytest.raises(ValueError, match="comparison 'B' stands twice"):
        correction(p_values)
    assert len(correction(p_values.tolist())) == 3


@pytest.mark.parametrize(
    "function", [stats.bootstrap_intervals, stats.randomisation_tests, resampling.resampled_means]
)
def test_a_table_is_looked_at_as_closely_as_a_pair(function):
    with pytest.raises(ValueError, match="query 'q1' stands twice; needed one row a query"):
        function(pd.DataFrame({"x": [0.1, 0.2]}, index=["q1", "q1"]))
    with pytest.raises(ValueError, match="system 'x', query 'q2': the score is '0.5'"):
        function(pd.DataFrame({"w": [0.1, 0.2], "x": [0.1, "0.5"]}, index=["q1", "q2"]))
    named = pd.DataFrame({"query_id": ["q1", "q2", "q3"], "x": [0.1, 0.2, 0.4]})
    assert np.array_equal(function(named), function(named.set_index("query_id")))


EVALUATED = evaluate_retrieval(
    {f"q{i}": [(f"d{rank}", -float(rank)) for rank in range(4)] for i in range(4)},
    {f"q{i}": {f"d{i}": 1} for i in range(4)},
    metrics=["MRR", "nDCG@10"],
)


@pytest.mark.parametrize("means", [EVALUATED, dict(EVALUATED), pd.Series(EVALUATED)])
@pytest.mark.parametrize(
    "ask",
    [
        lambda means: stats.paired_significance(means, means),
        lambda means: stats.randomisation_test(means, means),
        lambda means: stats.effect_sizes(means, means),
        lambda means: stats.t_interval(means),
        lambda means: stats.bootstrap_interval(means),
        lambda means: stats.t_intervals({"A": means, "B": means}),
    ],
)
def test_means_of_metrics_are_not_taken_for_queries(ask, means):
    with pytest.raises(
        ValueError, match=r"means of metrics \(MRR, nDCG@10\), and no query.*per_query\['nDCG@10'"
    ):
        ask(means)


def test_a_table_of_metrics_by_query_is_a_table_of_systems_and_metrics_may_name_its_columns():
    assert stats.t_intervals(EVALUATED.per_query).index.tolist() == ["MRR", "nDCG@10"]
    with pytest.raises(ValueError, match="the table holds the means of metrics"):
        stats.t_intervals(EVALUATED)


@pytest.mark.parametrize("row", ["all", "mean", "Mean", "avg", "amean", "overall", "macro_avg", "Total"])
def test_the_mean_below_the_queries_does_not_count_as_one(row):
    scores = {"q1": 0.1, "q2": 0.5, "q3": 0.2}
    with_mean = scores | {row: 0.2667}
    for ask in (stats.t_interval, lambda given: stats.t_intervals(pd.DataFrame({"x": given}))):
        with pytest.raises(ValueError, match=f"row '{row}' holds the mean of the 3 others; leave it out"):
            ask(with_mean)
    assert stats.paired(scores | {row: 0.9}, scores | {row: 0.8})["a"].tolist() == [0.1, 0.5, 0.2, 0.9]


def test_a_last_row_without_a_number_that_is_exactly_the_mean_is_asked_about(recwarn):
    scores = {"q1": 0.1, "q2": 0.5, "q3": 0.3}
    with pytest.warns(UserWarning, match="x: the last row, 'Gesamt', is exactly the mean of the 3 others"):
        stats.as_series(scores | {"Gesamt": 0.3}, "x")
    recwarn.clear()
    for others in ({"q4": 0.3}, {"Gesamt": 0.4}, {"fee": 0.3, "q4": 0.3}):
        stats.as_series(scores | others, "x")
    stats.as_series({"a": 0.0, "b": 1.0, "c": 0.5, "d": 0.5}, "x")
    stats.as_series({"q1": 1.0, "q2": 1.0, "q3": 1.0, "last": 1.0}, "x")
    assert not recwarn.list


def test_two_series_of_labels_are_paired_by_item_or_refused():
    one, other = pd.Series([0, 1, 2], index=list("abc")), pd.Series([2, 1, 0], index=list("cba"))
    assert stats.cohen_kappa(one, other) == 1
    assert stats.cohen_kappa(one.reset_index(drop=True), other.reset_index(drop=True)) < 1
    twice = pd.Series([0, 1, 2], index=list("aab"))
    assert stats.cohen_kappa(twice, twice) == 1  # two columns of one table
    with pytest.raises(
        ValueError, match="cannot be paired by index: only one has 'a', 'd'; give both the same"
    ):
        stats.cohen_kappa(one, pd.Series([0, 1, 2], index=list("bcd")))
    with pytest.raises(ValueError, match="cannot be paired by index: an id stands twice"):
        stats.cohen_kappa(twice, twice[::-1])


@pytest.mark.parametrize("labels", [{0, 1}, pd.DataFrame({"grade": [0, 1]}), np.array([[0], [1]]), "01"])
def test_what_is_no_list_of_labels_has_no_kappa(labels):
    with pytest.raises(ValueError, match="the first rater's labels are a .*; give a list, or one column"):
        stats.cohen_kappa(labels, labels)


def test_systems_are_paired_by_id_or_by_position_and_never_by_both():
    by_id = pd.Series([0.1, 0.2], index=["q1", "q2"])
    for bare in ([0.3, 0.4], pd.Series([0.3, 0.4])):
        with pytest.raises(
            ValueError, match="system 'x' has query_ids and system 'y' has none; give all with"
        ):
            stats.randomisation_tests({"x": by_id, "y": bare})
    with pytest.raises(ValueError, match="without query_ids: 'x' 2, 'y' 1; needed as many of each system"):
        stats.randomisation_tests({"x": [0.1, 0.2], "y": [0.1]})
    turned = stats.t_intervals({"x": by_id, "y": by_id[::-1].to_dict()})
    assert turned.loc["x"].equals(turned.loc["y"])


@pytest.mark.parametrize("name", ["qid", "query", "topic"])
def test_a_column_of_ids_is_no_system(name):
    table = pd.DataFrame({name: [301, 302, 303], "x": [0.1, 0.2, 0.3]})
    with pytest.raises(
        ValueError, match=f"column '{name}' of ids, which is no column of scores; call it query_id"
    ):
        stats.t_intervals(table)
    scores = pd.DataFrame({name: [0.0, 1.0, 1.0], "x": [0.1, 0.2, 0.3]})
    assert stats.t_intervals(scores).index.tolist() == [name, "x"]


def test_equal_p_values_in_a_set_are_not_taken_for_one():
    with pytest.raises(ValueError, match="p is a set, in which equal p-values are one comparison"):
        stats.holm({0.03})


@pytest.mark.parametrize(
    ("score", "cure"),
    [
        ("0.2", "float() makes one of it"),
        (Decimal("0.2"), "float() makes one of it"),
        ([1, 0], "needed one number for each query"),
        (SimpleNamespace(query_id="q1", measure="nDCG", value=0.5), "{one.query_id: one.value for one in"),
        (None, "count the query 0, or leave it out of every system"),
        (float("nan"), "count the query 0, or leave it out of every system"),
    ],
)
def test_the_cure_is_that_of_the_score_that_was_given(score, cure):
    with pytest.raises(ValueError, match="query 'q1': the score is .*" + re.escape(cure)):
        stats.t_interval({"q1": score, "q2": 0.5})


def test_one_column_is_asked_for_where_an_array_has_several():
    with pytest.raises(ValueError, match=r"a is an array of 3 × 2; needed one column, such as a\[:, 0\]"):
        stats.t_interval(np.zeros((3, 2)))


def test_of_groups_no_query_and_no_system_is_spoken():
    with pytest.raises(ValueError, match="a, value 'u1': .*; needed one number for each value, such as"):
        stats.welch({"u1": [1, 0], "u2": [1]}, {"u3": 0, "u4": 1})


def test_labels_that_differ_only_in_capitals_or_blanks_are_warned_of():
    with pytest.warns(UserWarning, match="'Relevant ' and 'relevant' differ only in capitals or blanks"):
        assert stats.cohen_kappa(["relevant", "Relevant ", "not"], ["relevant", "relevant", "not"]) < 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert stats.cohen_kappa(["yes", "no"], ["yes", "no"]) == 1


def test_an_end_that_is_zero_but_for_rounding_errors_is_zero():
    quarter = {"q1": 0.1, "q2": 0.2, "q3": 0.3, "q4": 0.2}
    found = stats.max_t({"x": quarter}).loc["x"]
    assert found["p_value"] > 0.05 and found["low"] <= 0
    values = np.array([0.1, 0.2, -0.3, 0.1, -0.1] * 2)
    for ends in (
        stats.max_t({"x": values}),
        stats.t_intervals({"x": values}),
        stats.bootstrap_intervals({"x": values}, n_resamples=200),
    ):
        ends = ends[["low", "high"]].to_numpy()
        assert (ends == ends.round(stats.DECIMALS)).all()
    for found in (
        stats.welch([0.1, 0.2, 0.4], [0.3, 0.1, 0.2]),
        stats.prediction_powered([0.1, 0.9, 0.3], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7, 0.4]),
        stats.stratified_mean({"a": [1, 0, 1], "b": [0, 0, 1]}, {"a": 70, "b": 30}),
    ):
        assert all(found[end] == round(found[end], stats.DECIMALS) for end in ("low", "high"))


@pytest.mark.parametrize(
    "ask",
    [
        lambda pilot: stats.queries_needed(pilot, 30),
        lambda pilot: stats.power(pilot, n=30, effect=5),
        lambda pilot: stats.power(pilot, n=30, effect=-5),
        lambda pilot: stats.power_curve(pilot, [30], [0.1, 5]),
        lambda pilot: stats.pilot_interval(pilot, effect=30),
        lambda pilot: stats.non_inferiority(pilot, limit=2),
    ],
)
def test_an_effect_or_a_limit_that_no_mean_can_reach_is_refused(ask):
    with pytest.raises(
        ValueError, match=r"(effect|limit) is -?\d+, and no difference is above 1 .*e\.g\. 0\.02"
    ):
        ask([0.1, -0.2, 0.3, 0.05])


def test_differences_of_another_scale_have_effects_and_limits_of_that_scale():
    milliseconds = [10.0, -20.0, 30.0, 5.0]
    assert stats.power(milliseconds, n=30, effect=15) > 0.5
    assert stats.non_inferiority(milliseconds * 5, limit=30)["answer"] == stats.NOT_WORSE
