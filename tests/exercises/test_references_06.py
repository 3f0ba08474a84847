"""Lesson 06: the references beside scipy, `helpers.stats` and hand arithmetic; the questions' numbers."""

from itertools import chain, combinations
from math import ceil, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from course.exercises import contents as ex
from course.exercises.questions import RIGHT, Numeric
from helpers import stats
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.retrieval.retrievers import CsrBM25, RankBM25

QUERY_IDS = ["q1", "q2", "q3", "q4", "q5"]
SCORES = st.dictionaries(st.sampled_from(QUERY_IDS), st.integers(0, 8).map(lambda eighths: eighths / 8))
DIFFERENCES = st.lists(st.integers(-8, 8).map(lambda eighths: eighths / 8), min_size=2, max_size=8)
P_VALUES = st.dictionaries(st.sampled_from("ABCDE"), st.floats(0, 1), min_size=1)


def reference(name):
    return ex.EXERCISES[name].reference


def question(words):
    (found,) = [question for question in ex.LESSON_06.questions if words in question.text]
    return found


@pytest.fixture(scope="module")
def both(runbooks):
    """The scores per query of the two engines that the last cells of the exercises compare."""
    engines = RankBM25(runbooks.corpus), CsrBM25(runbooks.corpus, lucene_lengths=True)
    return [evaluate_retrieval(engine.search(runbooks.queries), runbooks.qrels) for engine in engines]


@pytest.fixture(scope="module")
def ndcg_differences(both):
    plain, lucene = both
    return reference("PAIRED_DIFFERENCES")(
        dict(plain.per_query["nDCG@10"]), dict(lucene.per_query["nDCG@10"])
    )


@given(a=SCORES, b=SCORES)
def test_differences_are_those_of_two_columns_in_which_gaps_are_zero(a, b):
    table = pd.DataFrame({"a": pd.Series(a, dtype=float), "b": pd.Series(b, dtype=float)}).fillna(0.0)
    assert reference("PAIRED_DIFFERENCES")(a, b) == (table["b"] - table["a"]).to_dict()


@given(differences=DIFFERENCES)
@settings(max_examples=50)
def test_the_exact_p_agrees_with_scipys_permutations_of_pairs(differences):
    theirs = scipy_stats.permutation_test(
        (differences, [0.0] * len(differences)),
        lambda b, a: np.mean(b - a),
        permutation_type="samples",
        vectorized=False,
        n_resamples=2 ** len(differences),
    )
    # scipy doubles the smaller tail. The distribution is symmetric, so that is the two-sided share, but for a
    # sum of 0.
    assert reference("SIGN_FLIP_P")(differences) == pytest.approx(min(1.0, theirs.pvalue), abs=1e-12)


@given(differences=DIFFERENCES)
def test_queries_that_did_not_move_change_no_p(differences):
    p = reference("SIGN_FLIP_P")
    assert p([*differences, 0.0, 0.0]) == p(differences)


def test_the_interval_is_scipys_percentile_interval_of_the_same_samples():
    values = np.random.default_rng(1).normal(0.02, 0.2, size=30)
    theirs = scipy_stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=999,
        confidence_level=0.9,
        method="percentile",
        random_state=np.random.default_rng(0),
    ).confidence_interval
    samples = np.random.default_rng(0).integers(0, 30, size=(999, 30)).tolist()
    assert reference("BOOTSTRAP_INTERVAL")(values.tolist(), samples, 0.9) == pytest.approx(
        tuple(theirs), abs=1e-12
    )


@given(p_values=P_VALUES)
def test_holm_is_bonferroni_in_every_family_that_a_comparison_belongs_to(p_values):
    """The closed test: a comparison stands only if no set of comparisons around it could be all chance."""
    families = list(chain.from_iterable(combinations(p_values, size) for size in range(1, len(p_values) + 1)))

    def closed(name):
        return max(min(1.0, len(f) * min(p_values[member] for member in f)) for f in families if name in f)

    assert reference("HOLM")(p_values) == pytest.approx({name: closed(name) for name in p_values}, abs=1e-12)


@pytest.mark.parametrize("effect", [0.01, 0.02, 0.05])
def test_a_t_test_on_as_many_queries_as_needed_has_a_power_of_80_percent(effect, ndcg_differences):
    differences = list(ndcg_differences.values())
    n = reference("QUERIES_NEEDED")(differences, effect)
    shift = effect * sqrt(n) / np.std(differences, ddof=1)
    border = scipy_stats.t.ppf(0.975, n - 1)
    power = scipy_stats.nct.sf(border, n - 1, shift) + scipy_stats.nct.cdf(-border, n - 1, shift)
    assert power == pytest.approx(0.8, abs=0.03)


def test_28_tenths_are_the_border_of_the_test_and_four_fifths_beyond_it():
    assert round(scipy_stats.norm.ppf(0.975), 2) == 1.96 and round(scipy_stats.norm.ppf(0.8), 2) == 0.84
    assert reference("QUERIES_NEEDED")([0.1, -0.1, 0.2, -0.2], 0.1) == ceil(7.84 * 0.1 / 3 / 0.01) == 27


def test_the_references_agree_with_helpers(both):
    a, b = ({q: float(s) for q, s in evaluation.per_query["MRR"].items()} for evaluation in both)
    differences = reference("PAIRED_DIFFERENCES")(a, b)
    assert stats.paired(a, b)["difference"].to_dict() == pytest.approx(differences)
    fewer = {query_id: score for query_id, score in a.items() if query_id != "q08"}
    theirs = stats.paired(fewer, b, missing="zero")["difference"].to_dict()
    assert theirs == pytest.approx(reference("PAIRED_DIFFERENCES")(fewer, b))
    moved = [difference for difference in differences.values() if abs(difference) > 1e-12]
    exact = stats.randomisation_test(a, b)
    assert exact["exact"] and exact["p_value"] == pytest.approx(reference("SIGN_FLIP_P")(moved))
    p_values = {"B": 0.012, "C": 0.9, "D": 0.011, "E": 0.013, "F": 0.04}
    assert stats.holm(p_values) == pytest.approx(reference("HOLM")(p_values))


def test_the_simulated_number_of_queries_is_near_the_formulas(ndcg_differences):
    differences = np.array(list(ndcg_differences.values()))
    simulated = stats.queries_needed(differences, 0.05)
    # the simulation takes the 30 as the whole world (spread by n), and counts with some noise
    assert simulated == pytest.approx(reference("QUERIES_NEEDED")(differences.tolist(), 0.05), rel=0.15)


def test_every_typical_wrong_number_gets_an_answer_of_its_own():
    numeric = [question for question in ex.LESSON_06.questions if isinstance(question, Numeric)]
    assert len(numeric) == 3
    for asked in numeric:
        assert asked.verdict(asked.answer)[0] == RIGHT
        assert [asked.verdict(value)[1] for value in asked.wrong] == list(asked.wrong.values())


def test_five_wins_of_five_give_a_sixteenth_and_six_are_enough():
    asked, p = question("five of 30"), reference("SIGN_FLIP_P")
    assert p([0.4, 0.01, 0.2, 0.3, 0.5]) == asked.answer
    assert p([0.4, 0.01, 0.2, 0.3, 0.5, 0.1]) < 0.05
    typical = [1 / 32, 1 / 30, 2 / 30, 5 / 30, 3 / 33, 2 / 33, 2 / 2**30]
    for value in typical[:4] + typical[5:]:
        assert asked.verdict(round(value, 4))[1] in asked.wrong.values()


def test_the_third_of_three_is_raised_to_the_second():
    asked = question("by Holm")
    assert reference("HOLM")({"B": 0.010, "C": 0.020, "D": 0.030}) == pytest.approx(
        {"B": 0.03, "C": 0.04, "D": asked.answer}
    )
    assert [0.030, 3 * 0.030, 2 * 0.030] == pytest.approx(list(asked.wrong)[:3])


def test_an_interval_from_minus_2_to_8_hundredths_is_about_what_the_runbooks_give(ndcg_differences):
    asked, differences = question("no difference between A and B"), list(ndcg_differences.values())
    assert "ahead by 0.03" in asked.text and np.mean(differences) == pytest.approx(0.03, abs=0.01)
    samples = np.random.default_rng(0).integers(0, 30, size=(2000, 30)).tolist()
    interval = reference("BOOTSTRAP_INTERVAL")(differences, samples, 0.95)
    assert interval == pytest.approx((-0.02, 0.08), abs=0.01) and "−0.02 to 0.08" in asked.text
    p = scipy_stats.ttest_1samp(differences, 0).pvalue
    assert p == pytest.approx(0.25, abs=0.03) and "p = 0.25" in asked.text


def test_one_query_of_30_takes_more_than_a_third_of_the_lead(ndcg_differences):
    asked = question("`by_query")
    largest = max(ndcg_differences, key=lambda query_id: abs(ndcg_differences[query_id]))
    others = [difference for query_id, difference in ndcg_differences.items() if query_id != largest]
    assert len(others) == 29 and round(np.mean(others), 4) == asked.answer
    everything = list(ndcg_differences.values())
    highest = max(ndcg_differences, key=ndcg_differences.get)
    without_gain = [difference for query_id, difference in ndcg_differences.items() if query_id != highest]
    typical = [
        np.mean(everything),
        sum(others) / 30,
        -np.mean(others),
        sum(everything) / 29,
        np.mean(without_gain),
    ]
    assert [round(value, 4) for value in typical] == list(asked.wrong)
    assert 1 / 3 < 1 - np.mean(everything) / np.mean(others) < 2 / 5
    nothing = [0.0] * 30
    assert round(stats.randomisation_test(nothing, everything)["p_value"], 2) in (0.24, 0.25)
    assert round(stats.randomisation_test(nothing[:29], others)["p_value"], 2) == 0.01


def test_power_by_simulation_is_that_of_the_helpers(ndcg_differences):
    values = list(ndcg_differences.values())
    samples = np.random.default_rng(0).integers(0, 30, size=(1000, 30)).tolist()
    ours = reference("SIMULATED_POWER")(values, 0.05, samples, 2.05)
    assert ours == pytest.approx(stats.power(values, n=30, effect=0.05), abs=0.05)
