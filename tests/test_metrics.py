"""Each metric is its definition: expectations are written as arithmetic."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import metrics

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
        (metrics.ndcg_at_k(RANKING, GRADES, 5), (1 / log2(3) + 3 / log2(5)) / (3 / log2(2) + 2 / log2(3) + 1 / log2(4))),
        (metrics.ndcg_at_k(RANKING, GRADES, 2), (1 / log2(3)) / (3 / log2(2) + 2 / log2(3))),
        (metrics.judged_at_k(RANKING, GRADES, 5), 3 / 5),
        (metrics.judged_at_k(RANKING[:2], GRADES, 5), 2 / 2),
    ],
)
def test_a_metric_is_its_definition(value, expected):
    assert value == pytest.approx(expected, abs=1e-15)


def test_relevant_documents_may_be_given_without_grades():
    assert metrics.ndcg_at_k(RANKING, {"b", "d"}) == metrics.ndcg_at_k(RANKING, {"b": 1, "d": 1})
    assert metrics.average_precision(RANKING, ["b", "d"]) == metrics.average_precision(RANKING, {"b": 1, "d": 1, "c": 0})


def test_a_negative_grade_is_judged_and_not_relevant():
    assert metrics.dcg_at_k(["a", "b"], {"a": -2, "b": 1}) == 1 / log2(3)
    assert metrics.recall_at_k(["b"], {"a": -2, "b": 1}, 1) == 1
    assert metrics.judged_at_k(["a"], {"a": -2}, 1) == 1


@pytest.mark.parametrize("relevant", [{}, {"a": 0}, set()])
def test_a_query_with_nothing_relevant_scores_zero(relevant):
    assert metrics.ndcg_at_k(RANKING, relevant) == metrics.recall_at_k(RANKING, relevant, 5) == 0
    assert metrics.average_precision(RANKING, relevant) == metrics.reciprocal_rank(RANKING, relevant) == 0


def test_an_empty_ranking_scores_zero():
    assert metrics.ndcg_at_k([], GRADES) == metrics.judged_at_k([], GRADES, 10) == metrics.precision_at_k([], GRADES, 1) == 0


def test_a_document_that_stands_twice_is_refused_because_ndcg_would_pass_1():
    with pytest.raises(ValueError, match="'d1' stands twice.*folded"):
        metrics.ndcg_at_k(["d1", "d1", "d2"], {"d1"})


@pytest.mark.parametrize("k", [0, -3, 2.0, "10", True])
@pytest.mark.parametrize("metric", [metrics.precision_at_k, metrics.recall_at_k, metrics.ndcg_at_k, metrics.judged_at_k])
def test_a_cut_off_that_is_no_rank_is_refused(metric, k):
    with pytest.raises(ValueError, match=f"k is {k!r}"):
        metric(RANKING, GRADES, k)


def test_relevant_documents_that_can_be_read_only_once_are_refused():
    with pytest.raises(ValueError, match="relevant is a generator"):
        metrics.reciprocal_rank(RANKING, (doc_id for doc_id in ["b"]))


@given(st.permutations(range(8)), st.lists(st.integers(-1, 3), min_size=8, max_size=8), st.integers(1, 10))
def test_every_metric_lies_between_0_and_1_and_the_ideal_ranking_has_ndcg_1(order, grades, k):
    relevant = {f"d{i}": grade for i, grade in enumerate(grades)}
    ranking = [f"d{i}" for i in order]
    values = [
        metrics.ndcg_at_k(ranking, relevant, k),
        metrics.recall_at_k(ranking, relevant, k),
        metrics.precision_at_k(ranking, relevant, k),
        metrics.average_precision(ranking, relevant),
        metrics.reciprocal_rank(ranking, relevant),
    ]
    assert all(0 <= value <= 1 + 1e-12 for value in values)
    ideal = sorted(relevant, key=relevant.get, reverse=True)
    assert metrics.ndcg_at_k(ideal, relevant, k) == pytest.approx(1 if max(grades) > 0 else 0)


@given(st.permutations(range(8)), st.lists(st.integers(0, 3), min_size=8, max_size=8), st.integers(1, 7))
def test_moving_a_better_document_up_never_lowers_a_metric(order, grades, rank):
    relevant = {f"d{i}": grade for i, grade in enumerate(grades)}
    ranking = [f"d{i}" for i in order]
    swapped = ranking[: rank - 1] + [ranking[rank], ranking[rank - 1]] + ranking[rank + 1 :]
    if relevant[ranking[rank]] < relevant[ranking[rank - 1]]:
        ranking, swapped = swapped, ranking
    for metric in (metrics.ndcg_at_k, metrics.average_precision, metrics.reciprocal_rank):
        assert metric(swapped, relevant) >= metric(ranking, relevant) - 1e-12
