"""[worst, best]: no grades for unjudged documents take a metric outside, and some take it to either end."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.evaluation.bounds import bounds
from helpers.evaluation.conventions import Conventions
from helpers.evaluation.evaluate import evaluate_retrieval

DOC_IDS = ["a", "b", "c", "d", "e"]
METRICS = st.sampled_from(["nDCG@3", "nDCG", "P@3", "Recall@3", "MRR", "MAP", "Rprec", "bpref", "Hit@1"])


@settings(max_examples=60, deadline=None)
@given(
    st.permutations(DOC_IDS),
    st.dictionaries(st.sampled_from([*DOC_IDS, "x"]), st.integers(0, 2), min_size=2),
    METRICS,
)
def test_the_ends_are_those_that_trying_every_grade_finds(order, grades, metric):
    run = {"q": [(doc_id, -float(rank)) for rank, doc_id in enumerate(order)]}
    depth = int(metric.partition("@")[2] or len(order))
    unjudged = [doc_id for doc_id in order[:depth] if doc_id not in grades]
    all_grades = product(range(3), repeat=len(unjudged))
    qrels = [{"q": grades | dict(zip(unjudged, given, strict=True))} for given in all_grades]
    values = [evaluate_retrieval(run, judged, metrics=[metric])[metric] for judged in qrels]
    (row,) = bounds(run, {"q": grades}, metric, max_grade=2).itertuples(index=False)
    assert (row[0], row[2]) == pytest.approx((min(values), max(values)), abs=1e-12)


def test_a_ranking_judged_to_the_last_has_one_value():
    (row,) = bounds({"q": [("a", 2.0), ("b", 1.0)]}, {"q": {"a": 0, "b": 1}}).itertuples(index=False)
    assert row[0] == row[1] == row[2]


def test_ndcg_can_be_lower_than_as_judged_because_the_ideal_grows():
    run = {"q": [("a", 2.0), ("b", 1.0)]}
    (row,) = bounds(run, {"q": {"a": 1}}, max_grade=3).itertuples(index=False)
    assert row[1] == row[2] == 1
    log3 = 1.584962500721156
    assert row[0] == pytest.approx((1 + 3 / log3) / (3 + 1 / log3))


def test_documents_below_k_do_not_widen_the_bounds_at_k():
    run = {"q": [("a", 2.0), ("b", 1.0)]}
    assert bounds(run, {"q": {"a": 1}}, "P@1").loc["q"].tolist() == [1, 1, 1]
    assert bounds(run, {"q": {"a": 1}}, "P@2").loc["q"].tolist() == [0.5, 0.5, 1]


def test_a_query_that_the_run_lacks_is_a_row_of_zeros():
    assert bounds({"q": {"a": 1.0}}, {"q": {"b": 1}, "p": {"a": 1}}, "MRR").loc["p"].tolist() == [0, 0, 0]


def test_results_that_can_be_read_only_once_are_read_once():
    pairs = [("new", 2.0), ("d", 1.0)]
    assert bounds({"q": iter(pairs)}, {"q": {"d": 1}}, "P@2").loc["q"].tolist() == [0.5, 0.5, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_grade": 0}, "max_grade is 0; needed a whole number, 1 or more"),
        ({"max_grade": 2.5}, "max_grade is 2.5"),
        ({"max_grade": True}, "max_grade is True"),
        ({"metric": "Judged@5"}, "Judged@5 has no bounds"),
        ({"conventions": Conventions(unjudged="condensed")}, "condensed lists take out the documents"),
        ({"conventions": "TREC"}, "conventions is 'TREC'"),
        ({"metric": "nDCG@ten"}, "there is no metric 'nDCG@ten'"),
    ],
)
def test_what_has_no_bounds_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        bounds({"q": {"a": 1.0}}, {"q": {"a": 1}}, **arguments)


def test_too_many_cases_are_refused_before_they_are_tried():
    run = {"q": {f"d{i}": float(i) for i in range(1000)}}
    with pytest.raises(ValueError, match="nDCG: 501,501 sets of grades.*'q' alone has 1000 unjudged"):
        bounds(run, {"q": {"z": 2}}, "nDCG")


def test_of_a_metric_that_ignores_grades_only_yes_and_no_are_tried():
    run = {"q": {f"d{i}": float(i) for i in range(150)}}
    assert bounds(run, {"q": {"z": 3}}, "P@150").loc["q"].tolist() == [0, 0, 1]
    with pytest.raises(ValueError, match="nDCG@150: 585,276 sets of grades"):
        bounds(run, {"q": {"z": 3}}, "nDCG@150")


def test_a_largest_grade_below_those_that_were_given_is_told():
    run, qrels = {"q1": [("x", 2.0), ("d1", 1.0)]}, {"q1": {"d1": 3}}
    with pytest.warns(UserWarning, match="1 query has a grade above max_grade=2, e.g. 'q1'"):
        bounds(run, qrels, "nDCG@10", max_grade=2)
