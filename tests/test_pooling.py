"""What was never pooled counts as not relevant: which documents that concerns, how much it matters."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.datasets import load_runbooks
from helpers.evaluation.conventions import Conventions
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.judgments.pooling import judged_at_k, leave_out, pool, system_bounds, with_judgments
from helpers.retrieval.retrievers import CsrBM25, RankBM25

A = {"q1": [("d1", 3.0), ("d2", 2.0), ("d3", 1.0)], "q2": [("d1", 1.0)]}
B = {"q1": [("d4", 3.0), ("d2", 2.0), ("d5", 1.0)], "q2": [("d2", 1.0)]}
DOC_IDS = ["a", "b", "c", "d", "e", "f"]
RUNS = st.fixed_dictionaries(
    {
        q: st.permutations(DOC_IDS).map(lambda order: [(d, -float(i)) for i, d in enumerate(order)])
        for q in "pq"
    }
)
GRADES = st.dictionaries(st.sampled_from(DOC_IDS), st.integers(0, 2), min_size=1)


def test_the_pool_is_what_any_system_shows_and_nobody_judged():
    pooled = pool({"A": A, "B": B}, {"q1": {"d1": 1, "d5": 0}, "q2": {"d1": 0, "d2": 1}}, k=2)
    assert pooled.values.tolist() == [["q1", "d2", ("A", "B")], ["q1", "d4", ("B",)]]


def test_of_equal_scores_the_later_doc_id_is_pooled_first():
    one = {"q1": [("d1", 3.0), ("d2", 2.0), ("d3", 2.0)], "q2": []}
    assert pool({"A": one, "B": {"q1": [("d4", 1.0)]}}, {}, k=2)["doc_id"].tolist() == ["d1", "d3", "d4"]


def test_queries_without_any_judgment_are_pooled_after_the_judged_ones():
    assert pool({"A": A}, {"q2": {"d9": 1}}, k=1).values.tolist() == [
        ["q2", "d1", ("A",)],
        ["q1", "d1", ("A",)],
    ]


def test_nothing_to_judge_is_an_empty_table_with_its_columns():
    assert pool({"A": A}, {"q1": {"d1": 0}, "q2": {"d1": 1}}, k=1).to_dict("list") == {
        "query_id": [],
        "doc_id": [],
        "by": [],
    }


def test_equal_scores_are_cut_where_the_evaluation_cuts_them():
    tied = {"A": {"q": {"d1": 1.0, "d2": 1.0}}}
    assert pool(tied, {}, k=1)["doc_id"].tolist() == ["d2"]
    assert pool(tied, {}, k=1, conventions=Conventions(ties="as given"))["doc_id"].tolist() == ["d1"]


def test_judged_at_k_counts_shares_documents_and_queries():
    table = judged_at_k({"A": A, "B": B}, {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}, k=2)
    assert table.loc["A"].tolist() == [1, 0, 0]
    assert table.loc["B"].tolist() == [(1 / 2 + 0) / 2, 2, 2]


@given(RUNS, st.fixed_dictionaries({"p": GRADES, "q": GRADES}), st.integers(1, 6))
def test_when_the_pool_is_judged_everything_shown_is_judged(run, qrels, k):
    pooled = pool({"A": run}, qrels, k)
    pooled["grade"] = 1
    judged = with_judgments(qrels, pooled)
    assert judged_at_k({"A": run}, judged, k)[f"judged@{k}"].tolist() == [1]
    assert pool({"A": run}, judged, k).empty


@given(
    RUNS,
    st.fixed_dictionaries({"p": GRADES, "q": GRADES}),
    st.lists(st.integers(0, 2), min_size=6, max_size=6),
)
def test_however_its_own_pool_is_judged_a_system_stays_within_its_bounds(run, qrels, opinions):
    low, _, high = system_bounds({"A": run}, qrels, "nDCG@3", max_grade=2).loc["A"]
    pooled = pool({"A": run}, qrels, k=3)
    pooled["grade"] = [opinions[DOC_IDS.index(doc_id)] for doc_id in pooled["doc_id"]]
    score = evaluate_retrieval(run, with_judgments(qrels, pooled), metrics=["nDCG@3"])["nDCG@3"]
    assert low - 1e-12 <= score <= high + 1e-12


def test_what_another_system_finds_can_push_ndcg_below_worst_but_not_precision():
    run, qrels = {"q": [("d1", 1.0)]}, {"q": {"d1": 1}}
    more = with_judgments(qrels, {"q": {"d2": 1}})
    for metric, expected in (("P@1", 1), ("nDCG@10", 1 / (1 + 1 / 1.584962500721156))):
        assert system_bounds({"A": run}, qrels, metric).loc["A", "worst"] == 1
        assert evaluate_retrieval(run, more, metrics=[metric])[metric] == pytest.approx(expected)


def test_too_many_cases_are_refused_with_the_system_and_the_cure():
    run = {"q": [(f"d{i}", -float(i)) for i in range(1000)]}
    with pytest.raises(ValueError, match="system 'B': nDCG: 501,501 sets of grades.*Take a smaller k"):
        system_bounds({"B": run}, {"q": {"z": 2}}, "nDCG")


def test_new_judgments_join_the_old_ones_and_leave_them_as_they_were():
    qrels = {"q1": {"d1": 1}}
    assert with_judgments(qrels, {"q1": {"d2": 0}, "q2": {"d1": 2}}) == {
        "q1": {"d1": 1, "d2": 0},
        "q2": {"d1": 2},
    }
    assert qrels == {"q1": {"d1": 1}}


def test_the_same_opinion_twice_is_no_conflict_and_another_one_is():
    assert with_judgments({"q": {"d": 1}}, {"q": {"d": 1}}) == {"q": {"d": 1}}
    with pytest.raises(
        ValueError, match="1 of the new judgments contradict.*query 'q', document 'd': grade 1, now 2"
    ):
        with_judgments({"q": {"d": 1}}, {"q": {"d": 2}})
    twice = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["d", "d"], "grade": [0, 1]})
    with pytest.raises(ValueError, match="grade 0, now 1"):
        with_judgments({}, twice)


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ({"q": {"d": 1.5}}, "query 'q', document 'd': grade 1.5 is not a whole number"),
        ({"q": {"d": float("nan")}}, "document 'd': grade nan"),
        ({"q": {"d": "1"}}, "document 'd': grade '1'"),
        ({"q": {7: 1}}, "doc_id 7 is of type int"),
        (pd.DataFrame({"query_id": ["q"], "doc_id": ["d"]}), "lack the column 'grade'"),
    ],
)
def test_new_judgments_that_are_none_are_refused_by_name(new, message):
    with pytest.raises(ValueError, match=message):
        with_judgments({}, new)


def test_left_out_is_what_the_kept_systems_do_not_show():
    qrels = {"q1": {"d1": 1, "d2": 0, "d4": 2, "d9": 2}, "q2": {"d1": 0, "d2": 1}}
    assert leave_out(qrels, {"A": A}, k=2) == {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0}}
    assert leave_out(qrels, {"A": A, "B": B}, k=2) == {
        "q1": {"d1": 1, "d2": 0, "d4": 2},
        "q2": {"d1": 0, "d2": 1},
    }


def test_a_query_that_would_keep_no_judgment_is_named():
    with pytest.raises(ValueError, match="1 of 2 queries keep no judgment, e.g. 'q2'"):
        leave_out({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"A": A}, k=1)


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ({}, "runs is empty; needed {system: run}"),
        (A, "runs, 'q1': a list is no run"),
        ([A], "runs is list; needed"),
        ({1: A}, "runs: system 1 is of type int"),
        ({"A": {"q": [("a", 1.0), ("b", 2.0)]}}, "system 'A': run, query 'q': the list is not sorted"),
    ],
)
def test_what_are_no_runs_is_refused(runs, message):
    with pytest.raises(ValueError, match=message):
        pool(runs, {"q": {"d": 1}})


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        ({1: {"7": 1}}, "qrels: query_id 1 is of type int"),
        ({"1": {7: 1}}, "qrels, query '1': doc_id 7 is of type int"),
    ],
)
def test_judgments_whose_ids_match_nothing_are_refused_and_not_judged_again(qrels, message):
    run = {"A": {"1": [("7", 1.0)]}}
    for function in (
        lambda: pool(run, qrels),
        lambda: leave_out(qrels, run),
        lambda: with_judgments(qrels, {"1": {"7": 1}}),
    ):
        with pytest.raises(ValueError, match=message):
            function()


def test_pooled_from_one_system_alone_it_leads_and_judging_the_other_takes_the_lead_away():
    runbooks = load_runbooks(queries="all")
    runs = {
        "A": RankBM25(runbooks.corpus).search(runbooks.queries, k=160),
        "B": CsrBM25(runbooks.corpus).search(runbooks.queries, k=160),
    }

    def lead(qrels):
        scores = {
            name: evaluate_retrieval(run, qrels, metrics=["nDCG@10"])["nDCG@10"] for name, run in runs.items()
        }
        return scores["A"] - scores["B"]

    partial = leave_out(runbooks.qrels, {"A": runs["A"]}, k=10)
    table = judged_at_k(runs, partial)
    assert table.loc["A", "judged@10"] == 1 > table.loc["B", "judged@10"]
    pooled = pool(runs, partial)
    assert set(pooled["by"]) == {("B",)}
    pooled["grade"] = [
        runbooks.qrels[query_id][doc_id]
        for query_id, doc_id in zip(pooled["query_id"], pooled["doc_id"], strict=True)
    ]
    assert lead(partial) > 0.02
    assert lead(with_judgments(partial, pooled)) < -0.02
    assert lead(runbooks.qrels) < -0.01


def test_a_run_whose_queries_are_numbered_is_no_run_of_queries_that_nobody_judged():
    with pytest.raises(ValueError, match="system 'a': run: query_id 1 is of type int"):
        pool({"a": {1: [("d1", 2.0)]}}, {"1": {"d1": 1}})


@pytest.mark.parametrize(
    ("grades", "words"),
    [
        ({"d1", "d2"}, "query 'q1' is a set; needed a dict {doc_id: grade}"),
        (["d1"], "query 'q1' is a list; needed a dict {doc_id: grade}"),
        ("d1", "query 'q1' is a str; needed a dict {doc_id: grade}"),
        (None, "query 'q1' is a NoneType; needed a dict {doc_id: grade}"),
        (
            {"d1": "2"},
            r"query 'q1', document 'd1': grade '2' is not a whole number; it is text, use int\('2'\)",
        ),
        ({"d1": 0.5}, "query 'q1', document 'd1': grade 0.5 is not a whole number"),
    ],
)
def test_judgments_without_grades_are_no_judgments_of_a_pool(grades, words):
    for judge in (
        lambda qrels: pool({"A": A}, qrels),
        lambda qrels: leave_out(qrels, {"A": A}),
        lambda qrels: with_judgments(qrels, {"q1": {"d9": 1}}),
    ):
        with pytest.raises(ValueError, match=words):
            judge({"q1": grades})


def test_a_query_that_nobody_judged_yet_is_pooled():
    assert pool({"A": A}, {"q1": {}}, k=1)["doc_id"].tolist() == ["d1", "d1"]
