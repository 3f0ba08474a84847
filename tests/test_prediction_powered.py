"""Few labels and many verdicts: against the published formulas, and what the interval promises."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from helpers.base import files
from helpers.stats import best_power, neyman_allocation, prediction_powered, stratified_mean

CASES = json.loads((files.ROOT / "tests" / "data" / "answers" / "references.json").read_text())["ppi"]
GIVEN = ("labels", "verdicts", "more")


def as_published(case, power):
    """The interval of the papers from what the function returns: normal, divisor n, nothing added."""
    found = prediction_powered(*(case[name] for name in GIVEN), power=power)
    n, more = len(case["labels"]), len(case["more"])
    variance = found["se_labels"] ** 2 * (n - 1) / n + found["se_verdicts"] ** 2 * (more - 1) / more
    half = norm.ppf(0.975) * variance**0.5
    return found["estimate"], [found["estimate"] - half, found["estimate"] + half]


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_estimate_and_errors_are_those_of_ppi_python_and_ares(case):
    estimate, interval = as_published(case, 1)
    assert estimate == pytest.approx(case["ppi"], abs=1e-9)
    assert interval == pytest.approx(case["ppi interval"], abs=1e-9)
    assert interval == pytest.approx(case["ares interval"], abs=1e-9)


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_the_tuned_power_is_that_of_ppi_python(case):
    estimate, interval = as_published(case, None)
    assert estimate == pytest.approx(case["tuned"], abs=1e-9)
    assert interval == pytest.approx(case["tuned interval"], abs=1e-9)


def test_power_0_is_the_labels_alone_and_a_constant_bias_falls_out():
    labels, verdicts, more = [0.1, 0.5, 0.3], [0.2, 0.6, 0.1], [0.4, 0.3, 0.2, 0.9]
    assert prediction_powered(labels, verdicts, more, power=0)["estimate"] == pytest.approx(0.3)
    kinder = [[value + 7 for value in values] for values in (verdicts, more)]
    for power in (1, None):
        one, other = (
            prediction_powered(labels, *said, power=power)["estimate"] for said in ((verdicts, more), kinder)
        )
        assert one == pytest.approx(other)


def test_the_tuned_power_has_the_narrowest_errors():
    rng = np.random.default_rng(4)
    truth = rng.normal(size=2000)
    judge = truth * 0.5 + rng.normal(size=2000)
    given = truth[:200], judge[:200], judge[200:]

    def error(power):
        found = prediction_powered(*given, power=power)
        return found["se_labels"] ** 2 + found["se_verdicts"] ** 2

    best = min(error(power) for power in np.linspace(0, 1, 101))
    assert error(None) == pytest.approx(best, rel=0.01) and error(None) < min(error(0), error(1))


def test_a_judge_that_always_says_the_same_or_the_reverse_is_left_out():
    assert best_power([0, 1, 1], [1, 1, 1], [1, 1]) == 0
    assert best_power([0, 1, 1], [1, 0, 0], [1, 0]) == 0


def test_labels_that_agree_with_every_verdict_are_not_taken_for_certain():
    labels = [1, 0] * 15
    found = prediction_powered(labels, labels, [1, 0] * 100, power=1)
    assert found["se_labels"] == 0 and found["high"] - found["low"] > 0.1
    grades = [2.0, 0.0] * 15  # grades are taken as they are
    plain = prediction_powered(grades, grades, [2, 0] * 10_000, power=1)
    assert plain["high"] - plain["low"] < 0.06


def test_verdicts_on_two_scales_are_told(recwarn):
    verdicts, more = [0, 1] * 20, [0, 1, 0, 1, 1] * 50
    prediction_powered([0, 1, 1, 1] * 10, verdicts, more)
    prediction_powered([0, 1, 1, 1] * 10, verdicts, [*more, 2, 2, 3])  # rare grades, which no label met
    prediction_powered([0, 1, 1, 1] * 10, [n / 7 for n in range(40)], [n / 11 for n in range(250)])
    assert not recwarn.list
    for sides in ((verdicts, [2 * one for one in more]), (verdicts, [*more, *[2] * 200])):
        with pytest.warns(UserWarning, match="of 40 verdicts are 1, and none|are 2, and none of 40 verdicts"):
            prediction_powered([0, 1, 1, 1] * 10, *sides)


def test_labels_are_worth_what_they_save():
    rng = np.random.default_rng(1)
    truth = (rng.random(4000) < 0.3).astype(float)
    good = np.where(rng.random(4000) < 0.95, truth, 1 - truth)
    useless = (rng.random(4000) < 0.3).astype(float)
    worth = [prediction_powered(truth[:100], j[:100], j[100:])["worth"] for j in (good, useless)]
    assert worth[0] > 200 and worth[1] == pytest.approx(100, abs=10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 0], [1], [1, 0]), "verdicts: 1 values; needed 2 or more"),
        (([1, 0], [1, 0, 1], [1, 0]), "2 labels and 3 verdicts"),
        (([1, float("nan")], [1, 0], [1, 0]), "labels, item 1: nan is no finite number"),
        (([1, "0"], [1, 0], [1, 0]), "labels, item 1: '0' is no finite number"),
        (([1, 0], [1, 0], [1, 0], 2), "power is 2"),
        (([1, 0], [1, 0], [1, 0], None, 1), "confidence is 1"),
    ],
)
def test_what_would_give_a_wrong_interval_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        prediction_powered(*arguments)


def test_each_stratum_counts_by_its_size_and_one_labelled_whole_adds_no_doubt():
    labels = {"yes": [1, 1, 0, 1], "no": [0, 0, 1, 0]}
    found = stratified_mean(labels, {"yes": 100, "no": 300})
    assert found["estimate"] == pytest.approx(100 / 400 * 3 / 4 + 300 / 400 * 1 / 4)
    with pytest.warns(
        UserWarning, match="size of every stratum is the number of its labels, so the interval"
    ):
        whole = stratified_mean(labels, {"yes": 4, "no": 4})
    assert whole["low"] == whole["high"] == whole["estimate"] == 0.5


@pytest.mark.filterwarnings("error")
def test_one_stratum_that_is_labelled_whole_is_no_reason_to_ask_about_sizes():
    assert stratified_mean({"yes": [1, 1, 0, 1], "no": [0, 0, 1, 0]}, {"yes": 4, "no": 40})["se"] > 0
    stratified_mean({"all": [1, 0, 1]}, {"all": 3})


def test_a_stratum_in_which_all_agree_is_not_certain():
    found = stratified_mean({"a": [0, 0, 0, 0]}, {"a": 1000})
    assert found["estimate"] == found["low"] == 0 and found["high"] > 0.2


def test_strata_without_labels_or_with_too_many_are_refused():
    with pytest.raises(ValueError, match="labels of stratum 'b': 0 values; needed 2"):
        stratified_mean({"a": [0, 1]}, {"a": 10, "b": 10})
    with pytest.raises(ValueError, match="3 labels and 2 items"):
        stratified_mean({"a": [0, 1, 1]}, {"a": 2})
    with pytest.raises(ValueError, match="needed 0 and 1 alone"):
        stratified_mean({"a": [0, 2]}, {"a": 10})
    with pytest.raises(ValueError, match="labels of stratum 'unsure', which has no size"):
        stratified_mean({"a": [0, 1], "unsure": [1, 1]}, {"a": 10})
    with pytest.raises(ValueError, match="no spread for stratum 'b'"):
        neyman_allocation({"a": 10, "b": 10}, {"a": 0.5}, 6)


def test_labels_go_where_many_items_differ_much():
    sizes, spreads = {"0": 758, "1": 166, "2": 185}, {"0": 0.19, "1": 0.49, "2": 0.45}
    shared = neyman_allocation(sizes, spreads, 40)
    shares = {name: sizes[name] * spreads[name] for name in sizes}
    assert sum(shared.values()) == 40
    for name in sizes:
        assert shared[name] == pytest.approx(40 * shares[name] / sum(shares.values()), abs=1)


STRATA = st.lists(
    st.tuples(st.integers(1, 30), st.sampled_from([0, 0.001, 0.05, 0.5])), min_size=1, max_size=4
)


@given(STRATA, st.data())
def test_every_label_is_given_out_once_and_none_that_is_not_there(strata, data):
    sizes = {str(name): size for name, (size, _) in enumerate(strata)}
    spreads = {str(name): spread for name, (_, spread) in enumerate(strata)}
    n = data.draw(st.integers(sum(min(2, size) for size in sizes.values()), sum(sizes.values())))
    given_out = neyman_allocation(sizes, spreads, n)
    assert sum(given_out.values()) == n
    assert all(min(2, size) <= given_out[name] <= size for name, size in sizes.items())


def test_a_stratum_gets_two_labels_at_least_and_never_more_than_it_has():
    assert neyman_allocation({"a": 3, "b": 1000}, {"a": 100.0, "b": 0.1}, 20) == {"a": 3, "b": 17}
    assert neyman_allocation({"a": 500, "b": 500}, {"a": 0.5, "b": 0.0}, 20) == {"a": 18, "b": 2}
    with pytest.raises(ValueError, match="n is 3 labels for 2 strata; needed from 4 to 20"):
        neyman_allocation({"a": 10, "b": 10}, {"a": 1, "b": 1}, 3)


def test_labels_and_verdicts_are_paired_by_index_where_both_have_one():
    labels, verdicts, more = [1, 0, 0, 1], [1, 0, 1, 1], [1, 0, 0]
    one, other = pd.Series(labels, index=list("abcd")), pd.Series(verdicts, index=list("abcd"))[::-1]
    assert prediction_powered(one, other, more) == prediction_powered(labels, verdicts, more)
    assert best_power(one, other, more) == best_power(labels, verdicts, more)
    with pytest.raises(ValueError, match="labels and verdicts are Series that cannot be paired by index"):
        prediction_powered(one, other.rename({"a": "e"}), more)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: prediction_powered({1: 0, 2: 1}, [0, 1], [0, 1]), "labels are a dict; give its values"),
        (lambda: prediction_powered([0, 1], [0, 1], {0, 1}), "more_verdicts are a set; give a list"),
        (lambda: stratified_mean({"yes": {1: 0, 0: 0}}, {"yes": 10}), "stratum 'yes' are a dict"),
        (lambda: best_power([0, 1, np.nan], [0, 1, 1], [0, 1]), "labels, item 2: nan is no finite number"),
        (lambda: best_power([0, 1], [0, 1, 1], [0, 1]), "2 labels and 3 verdicts"),
        (lambda: best_power([0, 1], [0, 1], []), "more_verdicts: 0 values; needed 1 or more"),
    ],
)
def test_labels_that_have_no_order_or_no_number_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
