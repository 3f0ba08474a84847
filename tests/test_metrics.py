"""Each metric is its definition: expectations are written as arithmetic."""

import re
import uuid
from decimal import Decimal
from math import log2
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import metrics
from helpers.evaluation import evaluate_retrieval

RANKING = ["a", "b", "c", "d", "e"]
GRADES = {"a": 0, "b": 1, "d": 3, "x": 2}  # c and e are unjudged, x was not retrieved


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (metrics.precision_at_k(RANKING, GRADES, 5), 2 / 5),
        (metrics.precision_at_k(RANKING, GRADES, 10), 2 / 10),
        (metrics.recall_at_k(RANKING, GRADES, 3), 1 / 3),
        (metrics.recall_at_k(RANKING, GRADES, 100), 2 / 3),
        (metrics.reciprocal_rank(RANKING, GRADES), 1 / 2),
        (metrics.average_precision(RANKING, GRADES), (1 / 2 + 2 / 4) / 3),
        (metrics.dcg_at_k(RANKING, GRADES, 5), 1 / log2(3) + 3 / log2(5)),
        (
            metrics.ndcg_at_k(RANKING, GRADES, 5),
            (1 / log2(3) + 3 / log2(5)) / (3 / log2(2) + 2 / log2(3) + 1 / log2(4)),
        ),
        (metrics.ndcg_at_k(RANKING, GRADES, 2), (1 / log2(3)) / (3 / log2(2) + 2 / log2(3))),
        (metrics.precision_at_k(RANKING, GRADES, 10, divisor="retrieved"), 2 / 5),
        (metrics.hit_at_k(RANKING, GRADES, 1), 0),
        (metrics.hit_at_k(RANKING, GRADES, 2), 1),
        (metrics.r_precision(RANKING, GRADES), 1 / 3),
        (metrics.bpref(RANKING, GRADES), ((1 - 1 / 1) + (1 - 1 / 1)) / 3),
        (metrics.bpref(["b", "c", "a", "d"], GRADES | {"y": 0}), (1 + (1 - 1 / 2)) / 3),
        (metrics.dcg_at_k(RANKING, GRADES, 5, gain="exponential"), 1 / log2(3) + 7 / log2(5)),
        (
            metrics.ndcg_at_k(RANKING, GRADES, 2, gain="exponential"),
            (1 / log2(3)) / (7 / log2(2) + 3 / log2(3)),
        ),
        (metrics.judged_at_k(RANKING, GRADES, 5), 3 / 5),
        (metrics.judged_at_k(RANKING[:2], GRADES, 5), 2 / 2),
    ],
)
def test_a_metric_is_its_definition(value, expected):
    assert value == pytest.approx(expected, abs=1e-15)


def test_means_are_over_the_queries_that_are_given():
    results = [{"retrieved": RANKING, "relevant": GRADES}, {"retrieved": [], "relevant": {"z"}}]
    assert metrics.mrr(results) == (1 / 2 + 0) / 2
    assert metrics.mean_ndcg_at_k(results, k=5) == metrics.ndcg_at_k(RANKING, GRADES, 5) / 2
    with pytest.raises(ValueError, match="no query at all"):
        metrics.mrr([])


def test_gain_makes_no_difference_where_grades_are_0_and_1():
    assert metrics.ndcg_at_k(RANKING, {"b", "x"}, gain="exponential") == metrics.ndcg_at_k(
        RANKING, {"b", "x"}
    )


def test_a_document_judged_not_relevant_above_lowers_bpref_and_an_unjudged_one_does_not():
    assert metrics.bpref(["new", "b"], {"b": 1, "a": 0}) == 1 > metrics.bpref(["a", "b"], {"b": 1, "a": 0})


def test_relevant_documents_may_be_given_without_grades():
    assert metrics.ndcg_at_k(RANKING, {"b", "d"}) == metrics.ndcg_at_k(RANKING, {"b": 1, "d": 1})
    assert metrics.average_precision(RANKING, ["b", "d"]) == metrics.average_precision(
        RANKING, {"b": 1, "d": 1, "c": 0}
    )


def test_a_negative_grade_is_judged_and_not_relevant():
    assert metrics.dcg_at_k(["a", "b"], {"a": -2, "b": 1}) == 1 / log2(3)
    assert metrics.recall_at_k(["b"], {"a": -2, "b": 1}, 1) == 1
    assert metrics.judged_at_k(["a"], {"a": -2}, 1) == 1


@pytest.mark.parametrize("relevant", [{}, {"a": 0}, set()])
def test_a_query_with_nothing_relevant_scores_zero(relevant):
    assert metrics.ndcg_at_k(RANKING, relevant) == metrics.recall_at_k(RANKING, relevant, 5) == 0
    assert metrics.average_precision(RANKING, relevant) == metrics.reciprocal_rank(RANKING, relevant) == 0


def test_an_empty_ranking_scores_zero():
    assert (
        metrics.ndcg_at_k([], GRADES)
        == metrics.judged_at_k([], GRADES, 10)
        == metrics.precision_at_k([], GRADES, 1)
        == 0
    )


def test_a_document_that_stands_twice_is_refused_because_ndcg_would_pass_1():
    with pytest.raises(ValueError, match="'d1' stands twice.*folded"):
        metrics.ndcg_at_k(["d1", "d1", "d2"], {"d1"})


@pytest.mark.parametrize("k", [0, -3, 2.0, "10", True])
@pytest.mark.parametrize(
    "metric", [metrics.precision_at_k, metrics.recall_at_k, metrics.ndcg_at_k, metrics.judged_at_k]
)
def test_a_cut_off_that_is_no_rank_is_refused(metric, k):
    with pytest.raises(ValueError, match=f"k is {k!r}"):
        metric(RANKING, GRADES, k)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: metrics.ndcg_at_k(RANKING, GRADES, gain="squared"),
            "gain is 'squared'; it can be 'linear' or 'exponential'",
        ),
        (
            lambda: metrics.dcg_at_k(RANKING, {"b": 1024}, gain="exponential"),
            "grade 1024 is out of range for exponential gain",
        ),
        (lambda: metrics.precision_at_k(RANKING, GRADES, 5, divisor="n"), "divisor is 'n'"),
        (lambda: metrics.bpref(RANKING, {"b"}), "bpref needs a dict of grades"),
        (lambda: metrics.reciprocal_rank(RANKING, "b"), "relevant is a str"),
        (lambda: metrics.reciprocal_rank("b", {"b"}), "retrieved is a str; give a list of doc_ids"),
        (
            lambda: metrics.ndcg_at_k([("b", 2.0), ("d", 1.0)], GRADES),
            r"retrieved: \('b', 2.0\) is of type tuple; ids are text",
        ),
        (lambda: metrics.ndcg_at_k({"b": 2.0}, GRADES), "retrieved is a dict; .* without their scores"),
        (lambda: metrics.recall_at_k(None, GRADES, 5), "retrieved is a NoneType"),
        (lambda: metrics.recall_at_k(RANKING, None, 5), "relevant is a NoneType"),
        (lambda: metrics.recall_at_k(RANKING, pd.Series(GRADES), 5), "relevant is a Series"),
        (lambda: metrics.average_precision([7], {"7": 1}), "retrieved: 7 is of type int"),
        (lambda: metrics.average_precision(["7"], {7}), "relevant: doc_id 7 is of type int"),
        (lambda: metrics.ndcg_at_k(RANKING, {"b": 0.5}), "document 'b': grade 0.5 is not a whole number"),
        (
            lambda: metrics.ndcg_at_k(RANKING, {"q1": GRADES}),
            "document 'q1': grade {.* is not a whole number",
        ),
        (lambda: metrics.judged_at_k(["a", "a"], GRADES, 2), "'a' stands twice"),
        (lambda: metrics.judged_at_k("ab", {"a"}, 2), "retrieved is a str"),
        (lambda: metrics.mrr([{"retrieved": ["a"]}]), "result 1 is .* needs 'retrieved' and 'relevant'"),
        (lambda: metrics.mrr({"retrieved": ["a"], "relevant": ["a"]}), "results is a dict; give a list"),
    ],
)
def test_an_argument_that_would_give_a_wrong_number_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_relevant_documents_that_can_be_read_only_once_are_refused():
    with pytest.raises(ValueError, match="relevant is a generator"):
        metrics.reciprocal_rank(RANKING, (doc_id for doc_id in ["b"]))


ORDERS = st.permutations(range(8))
GRADED = st.lists(st.integers(-1, 3), min_size=8, max_size=8)
GAINS = st.sampled_from(["linear", "exponential"])


@given(ORDERS, GRADED, st.integers(1, 10), GAINS)
def test_every_metric_lies_between_0_and_1_and_the_ideal_ranking_has_ndcg_1(order, grades, k, gain):
    relevant = {f"d{i}": grade for i, grade in enumerate(grades)}
    ranking = [f"d{i}" for i in order]
    values = [
        metrics.ndcg_at_k(ranking, relevant, k, gain),
        metrics.recall_at_k(ranking, relevant, k),
        metrics.precision_at_k(ranking, relevant, k),
        metrics.hit_at_k(ranking, relevant, k),
        metrics.judged_at_k(ranking, relevant, k),
        metrics.average_precision(ranking, relevant),
        metrics.reciprocal_rank(ranking, relevant),
        metrics.r_precision(ranking, relevant),
        metrics.bpref(ranking, relevant),
    ]
    assert all(0 <= value <= 1 + 1e-12 for value in values)
    ideal = sorted(relevant, key=relevant.get, reverse=True)
    assert metrics.ndcg_at_k(ideal, relevant, k, gain) == pytest.approx(1 if max(grades) > 0 else 0)
    assert (
        metrics.average_precision(ideal, relevant)
        == metrics.bpref(ideal, relevant)
        == (1 if max(grades) > 0 else 0)
    )


@given(ORDERS, GRADED, st.integers(1, 7), GAINS)
def test_moving_a_better_document_up_never_lowers_a_metric(order, grades, rank, gain):
    relevant = {f"d{i}": grade for i, grade in enumerate(grades)}
    ranking = [f"d{i}" for i in order]
    swapped = ranking[: rank - 1] + [ranking[rank], ranking[rank - 1]] + ranking[rank + 1 :]
    if relevant[ranking[rank]] < relevant[ranking[rank - 1]]:
        ranking, swapped = swapped, ranking
    assert (
        metrics.ndcg_at_k(swapped, relevant, gain=gain)
        >= metrics.ndcg_at_k(ranking, relevant, gain=gain) - 1e-12
    )
    for metric in (metrics.average_precision, metrics.reciprocal_rank, metrics.r_precision):
        assert metric(swapped, relevant) >= metric(ranking, relevant) - 1e-12


@given(ORDERS, GRADED, st.integers(0, 8), st.integers(1, 10))
def test_a_document_that_is_not_relevant_changes_nothing_at_the_end(order, grades, depth, k):
    relevant = {f"d{i}": grade for i, grade in enumerate(grades)}
    ranking = [f"d{i}" for i in order][:depth]
    longer = [*ranking, "never judged"]
    assert metrics.recall_at_k(longer, relevant, k) == metrics.recall_at_k(ranking, relevant, k)
    assert metrics.ndcg_at_k(longer, relevant, k) == metrics.ndcg_at_k(ranking, relevant, k)
    assert metrics.average_precision(longer, relevant) == metrics.average_precision(ranking, relevant)


def test_small_numpy_grades_do_not_run_over():
    grades = {"a": np.int8(8), "b": np.uint8(3)}
    plain = {"a": 8, "b": 3}
    assert metrics.ndcg_at_k(["b", "a"], grades, gain="exponential") == metrics.ndcg_at_k(
        ["b", "a"], plain, gain="exponential"
    )


def test_metrics_that_ignore_grades_do():
    yes_no = {doc_id: min(grade, 1) for doc_id, grade in GRADES.items()}
    for metric in (metrics.average_precision, metrics.reciprocal_rank, metrics.r_precision, metrics.bpref):
        assert metric(RANKING, GRADES) == metric(RANKING, yes_no)


@pytest.mark.parametrize("ids", [np.array("d1"), np.array([["d1"]])])
def test_an_array_of_ids_has_one_dimension(ids):
    with pytest.raises(ValueError, match=f"retrieved is a ndarray of {ids.ndim} dimensions; give a list"):
        metrics.precision_at_k(ids, ["d1"], 1)
    with pytest.raises(
        ValueError, match=f"relevant is a ndarray of {ids.ndim} dimensions; give a set or list"
    ):
        metrics.precision_at_k(["d1"], ids, 1)


@pytest.mark.parametrize(
    ("given", "cure"),
    [
        (7, "use str()"),
        (b"d1", "use .decode()"),
        (("d1", 2.0), "give the id alone, without what is beside it"),
        ({"id": "d1"}, "give the id alone, a text of it"),
        (None, "this is a gap; leave it out"),
        (float("nan"), "this is a gap; leave it out"),
    ],
)
def test_the_cure_for_an_id_that_is_no_text_makes_one_that_can_match(given, cure):
    with pytest.raises(ValueError, match=f"ids are text, .*{re.escape(cure)}"):
        metrics.ndcg_at_k([given], {"d1": 1})


class Found:
    """A document as a search gives it, with its id inside."""

    id, page_content = "d1", "x"


@pytest.mark.parametrize(
    ("value", "cure"),
    [
        (Found(), r"give the id of it, such as its \.id, or a field of its metadata"),
        (np.int64(7), r"use str\(\)"),
        (uuid.UUID(int=7), r"use str\(\)"),
        (Decimal(7), r"use str\(\)"),
        (Path("d1.md"), r"use str\(\)"),
        (pd.NA, "this is a gap; leave it out"),
    ],
)
def test_only_what_is_an_id_in_another_type_is_to_be_made_text(value, cure):
    with pytest.raises(ValueError, match=f"ids are text, (and )?{cure}"):
        metrics.average_precision([value], {"d1"})
    with pytest.raises(ValueError, match=f"ids are text, (and )?{cure}"):
        evaluate_retrieval({"q1": [(value, 0.8)]}, {"q1": {"d1": 1}})


@pytest.mark.parametrize(
    "metric",
    [metrics.precision_at_k, metrics.recall_at_k, metrics.hit_at_k, metrics.dcg_at_k, metrics.ndcg_at_k],
)
def test_a_cut_off_that_is_none_is_refused_and_not_taken_for_the_whole_ranking(metric):
    with pytest.raises(ValueError, match="k is None; a cut-off is a rank"):
        metric(["d1", "d2"], {"d1"}, k=None)
