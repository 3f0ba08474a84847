"""`evaluate_retrieval` equals trec_eval (pytrec_eval is the same code) and refuses what would give a wrong number."""

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from helpers.evaluation import evaluate_retrieval
from helpers.metrics import ranking
from helpers.retrieval import CsrBM25

K_VALUES = (1, 5, 10, 100)
TREC_NAMES = {"nDCG@{}": "ndcg_cut_{}", "Recall@{}": "recall_{}", "P@{}": "P_{}"}


def trec_eval(run, qrels):
    """trec_eval's value for every query that run and qrels share: {query_id: {our metric name: value}}."""
    measures = {"map", "recip_rank"} | {f"{m}.{','.join(map(str, K_VALUES))}" for m in ("ndcg_cut", "recall", "P")}
    found = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate({q: dict(r) for q, r in run.items()})
    return {
        query_id: {ours.format(k): values[theirs.format(k)] for ours, theirs in TREC_NAMES.items() for k in K_VALUES}
        | {"MAP": values["map"], "MRR": values["recip_rank"]}
        for query_id, values in found.items()
    }


def assert_equals_trec_eval(run, qrels):
    ours = evaluate_retrieval(run, qrels, K_VALUES)
    theirs = trec_eval(run, qrels)
    for query_id, row in ours.per_query.iterrows():
        for name in [*theirs[next(iter(theirs))]] if theirs else []:
            assert row[name] == pytest.approx(theirs.get(query_id, {}).get(name, 0), abs=1e-9), (query_id, name)
    for name in ours:
        assert ours[name] == pytest.approx(ours.per_query[name].mean(), abs=1e-12)


# Ids that sort differently as numbers and as text; scores with many ties, some apart by less than 32 bits can tell.
DOC_IDS = [f"d{i}" for i in (1, 2, 9, 10, 11, 100)] + ["10", "9", "é", "Z", "a"]
SCORES = st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 1.0 + 1e-7, 2.5, -1.0, 1e-30, 3e38])
RUNS = st.dictionaries(st.sampled_from(["q1", "q2", "q3", "q4"]), st.dictionaries(st.sampled_from(DOC_IDS), SCORES, max_size=11))
QRELS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q5"]),
    st.dictionaries(st.sampled_from(DOC_IDS + ["unseen"]), st.integers(-1, 3), min_size=1),
    min_size=1,
)


@given(RUNS, QRELS)
def test_every_query_and_mean_equals_trec_eval_on_ties_gaps_and_negative_grades(run, qrels):
    if run and not run.keys() & qrels.keys():
        return
    assert_equals_trec_eval(run, qrels)


@pytest.mark.parametrize("collection", ["everyday_science", "scifact"])
def test_real_runs_equal_trec_eval(collection, request):
    dataset = request.getfixturevalue(collection)
    assert_equals_trec_eval(CsrBM25(dataset.corpus).search(dataset.queries, k=1000), dataset.qrels)


def test_the_keys_are_the_usual_names():
    found = evaluate_retrieval({"q": [("d", 1.0)]}, {"q": {"d": 1}}, k_values=[1, 5, 10, 100])
    assert {"nDCG@10", "Recall@100", "P@5", "Judged@10", "MAP", "MRR"} <= found.keys()
    assert list(found.per_query.columns) == list(found)
    assert found["nDCG@10"] == 1.0


def test_pairs_and_dicts_give_the_same():
    pairs = {"q": [("b", 2.0), ("a", 1.0)]}
    assert evaluate_retrieval(pairs, {"q": {"a": 1}}) == evaluate_retrieval({"q": dict(pairs["q"])}, {"q": {"a": 1}})


def test_a_missing_query_counts_zero_and_an_unjudged_one_is_left_out_and_both_are_said():
    found = evaluate_retrieval({"q1": [("d", 1.0)], "q9": [("d", 1.0)]}, {"q1": {"d": 1}, "q2": {"d": 1}})
    assert found["MRR"] == (1 + 0) / 2
    assert (found.missing, found.unjudged) == (["q2"], ["q9"])
    assert "evaluated 1 of 2" in found.summary
    assert "linear gain" in found.conventions


def test_an_empty_run_scores_zero():
    assert evaluate_retrieval({}, {"q": {"d": 1}})["nDCG@10"] == 0


def test_equal_scores_go_by_doc_id_down_as_text():
    assert ranking("q", {"d2": 1.0, "d10": 1.0, "d9": 1.0}) == ["d9", "d2", "d10"]


def test_scores_that_32_bits_cannot_tell_apart_are_equal():
    assert ranking("q", {"a": 1.0 + 1e-9, "b": 1.0}) == ["b", "a"]


@pytest.mark.parametrize(
    ("run", "qrels", "message"),
    [
        ({"x1": [("d", 1.0)]}, {"q1": {"d": 1}}, "none of the run's 1 queries .*'x1'.*'q1'.*wrong split"),
        ({"q": [("d", float("nan"))]}, {"q": {"d": 1}}, "'q', rank 1 .*NaN"),
        ({"q": [("d", "high")]}, {"q": {"d": 1}}, "'q', rank 1 .*'high' is not a number"),
        ({"q": [("a", np.float32(3)), ("b", "2")]}, {"q": {"d": 1}}, "'q', rank 2 .*'2' is not a number"),
        ({"q": [("a", None)]}, {"q": {"d": 1}}, "None is not a number"),
        ({"q": [("a", 1.0), ("b", 2.0)]}, {"q": {"d": 1}}, "'q'.*not sorted.*rank 2 .*'b'"),
        ({"q": [("a", 2.0), ("b", 1.0), ("a", 0.5)]}, {"q": {"d": 1}}, "'q'.*'a' stands at rank 1 and again at rank 3"),
        ({"q": [(7, 1.0)]}, {"q": {"7": 1}}, "'q', rank 1: doc_id 7 is of type int"),
        ({"q": [("7", 1.0)]}, {"q": {7: 1}}, "qrels, query 'q': doc_id 7 is of type int"),
        ({1: [("7", 1.0)]}, {"1": {"7": 1}}, "run: query_id 1 is of type int"),
        ({"q": [("d", 1.0)]}, {"q": {"d": 1.5}}, "'q', document 'd': grade 1.5"),
        ({"q": [("d", 1.0)]}, {}, "hold no query"),
        ({"q": [("d", 1.0)]}, {"q": {"d": 1}, "q2": {}}, "'q2': no judgment at all"),
    ],
)
def test_what_would_give_a_wrong_number_is_refused_by_name(run, qrels, message):
    with pytest.raises(ValueError, match=message):
        evaluate_retrieval(run, qrels)


def test_k_values_may_come_from_anywhere():
    found = evaluate_retrieval({"q": [("d", 1.0)]}, {"q": {"d": 1}}, k_values=(k for k in [1, 5]))
    assert {"nDCG@1", "nDCG@5", "P@1", "P@5", "Judged@5"} <= found.keys()


def test_numpy_scores_and_grades_are_taken():
    run = {"q": [("a", np.float32(2)), ("b", np.float64(1))]}
    assert evaluate_retrieval(run, {"q": {"b": np.int64(1)}})["MRR"] == 0.5
