"""Every choice behind a metric can be switched by name, does what its words say, and is printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.evaluation.conventions import CHOICES, TREC, Conventions
from helpers.evaluation.evaluate import evaluate_retrieval

RUN = {"q1": [("b", 2.0), ("c", 1.0), ("d", 1.0)], "q3": [("a", 1.0)]}
QRELS = {"q1": {"c": 2, "x": 1}, "q2": {"a": 1}, "q3": {"a": 0}}


def mean(metric, run=RUN, qrels=QRELS, **choices):
    return evaluate_retrieval(run, qrels, metrics=[metric], conventions=Conventions(**choices))[metric]


def test_the_default_is_trec_evals():
    assert TREC == Conventions()
    assert TREC.differences == ""
    assert [next(iter(options)) for options in CHOICES.values()] == [
        "linear", "doc_id down", "k", "zero", "zero", "not relevant", "error",
    ]  # fmt: skip


@pytest.mark.parametrize(("choice", "option"), [(c, o) for c, options in CHOICES.items() for o in options])
def test_an_option_is_printed_in_words(choice, option):
    conventions = Conventions(**{choice: option})
    assert CHOICES[choice][option] in str(conventions)
    assert (conventions == TREC) == (conventions.differences == "")


@pytest.mark.parametrize("choice", CHOICES)
def test_an_option_that_there_is_not_is_refused_with_those_there_are(choice):
    first = next(iter(CHOICES[choice]))
    with pytest.raises(ValueError, match=f"{choice} is 'other'; it can be '{first}' or "):
        Conventions(**{choice: "other"})


def test_linear_or_exponential_gain():
    run, qrels = {"q": [("a", 2.0), ("b", 1.0)]}, {"q": {"a": 1, "b": 2}}
    log3 = 1.584962500721156
    assert mean("nDCG@10", run, qrels) == pytest.approx((1 + 2 / log3) / (2 + 1 / log3))
    assert mean("nDCG@10", run, qrels, gain="exponential") == pytest.approx((1 + 3 / log3) / (3 + 1 / log3))


def test_equal_scores_by_doc_id_down_or_as_given():
    assert mean("MRR") * 3 == 1 / 3  # d before c
    assert mean("MRR", ties="as given") * 3 == 1 / 2


def test_precision_divides_by_k_or_by_what_was_retrieved():
    assert mean("P@10") * 3 == pytest.approx(1 / 10)
    assert mean("P@10", precision="retrieved") * 3 == pytest.approx(1 / 3)


def test_a_missing_query_counts_zero_or_is_left_out_and_either_is_said():
    zero, left_out = (
        evaluate_retrieval(RUN, QRELS, metrics=["Recall@5"], conventions=Conventions(missing_query=option))
        for option in ("zero", "left out")
    )
    assert (zero["Recall@5"], left_out["Recall@5"]) == pytest.approx((0.5 / 3, 0.5 / 2))
    assert zero.missing == left_out.missing == ["q2"]
    assert list(left_out.per_query.index) == ["q1", "q3"]
    assert "1 missing from the run count 0" in zero.summary
    assert "1 missing from the run are left out" in left_out.summary


def test_a_query_with_nothing_relevant_counts_zero_or_is_left_out_and_either_is_said():
    found = evaluate_retrieval(
        RUN, QRELS, metrics=["Recall@5"], conventions=Conventions(no_relevant="left out")
    )
    assert found["Recall@5"] == 0.5 / 2
    assert found.no_relevant == ["q3"]
    assert "1 without a relevant document are left out" in found.summary
    assert "1 without a relevant document count 0" in evaluate_retrieval(RUN, QRELS).summary


def test_an_unjudged_document_is_not_relevant_or_taken_out():
    assert mean("MRR", unjudged="condensed") * 3 == 1  # b and d are unjudged
    assert mean("P@1", unjudged="condensed") * 3 == 1


def test_a_repeated_document_is_an_error_or_its_best_rank_is_kept():
    run = {"q1": [("x", 3.0), ("x", 2.0), ("c", 1.0)]}
    with pytest.raises(ValueError, match="'x' stands at rank 1 and again at rank 2"):
        mean("MAP", run)
    assert mean("MAP", run, duplicates="keep best") * 3 == (1 / 1 + 2 / 2) / 2


def test_a_mean_over_no_query_is_refused():
    with pytest.raises(ValueError, match="all 1 judged queries are left out"):
        mean("MRR", {"q": {"d": 1.0}}, {"q": {"d": 0}}, no_relevant="left out")


def test_the_summary_counts_queries_once():
    run, qrels = (
        {"q1": {"a": 1.0}, "q3": {"a": 1.0}},
        {"q1": {"a": 1}, "q2": {"a": 0}, "q3": {"a": 0}, "q4": {"a": 1}},
    )
    found = evaluate_retrieval(run, qrels, metrics=["MRR"], conventions=Conventions(no_relevant="left out"))
    assert found.summary.startswith("evaluated 2 of 4 judged queries; 2 missing from the run count 0;")
    assert found.summary.endswith("2 without a relevant document are left out; the mean is over 2 queries")


# Lesson 03 tells a convention by the queries that it moves, and in which direction.

DOC_IDS = "abcdef"
SCORES = st.dictionaries(st.sampled_from(DOC_IDS), st.integers(1, 3).map(float), min_size=1)
GRADES = st.dictionaries(st.sampled_from(DOC_IDS), st.integers(0, 2), min_size=1)


def ndcg(run, grades, **choices):
    return mean("nDCG@10", {"q": run}, {"q": grades}, **choices)


@given(run=SCORES, grades=GRADES, grade=st.sampled_from([1, 2]))
def test_a_query_with_one_grade_above_0_is_moved_neither_by_the_gain_nor_by_yes_or_no(run, grades, grade):
    grades = {doc_id: grade if found else 0 for doc_id, found in grades.items()}
    as_trec_eval_has_it = ndcg(run, grades)
    assert ndcg(run, grades, gain="exponential") == pytest.approx(as_trec_eval_has_it)
    assert ndcg(run, {doc_id: min(found, 1) for doc_id, found in grades.items()}) == pytest.approx(
        as_trec_eval_has_it
    )


@given(run=st.permutations(DOC_IDS), grades=GRADES)
def test_a_query_without_ties_is_not_moved_by_the_rule_for_ties(run, grades):
    run = [(doc_id, -float(rank)) for rank, doc_id in enumerate(run)]
    assert ndcg(run, grades, ties="as given") == ndcg(run, grades)


@given(run=SCORES, grades=GRADES)
def test_unread_documents_taken_out_move_a_query_up_and_only_where_one_was_in_the_first_ten(run, grades):
    condensed, as_trec_eval_has_it = ndcg(run, grades, unjudged="condensed"), ndcg(run, grades)
    assert condensed >= as_trec_eval_has_it - 1e-12
    if run.keys() <= grades.keys():
        assert condensed == as_trec_eval_has_it


def test_a_missing_query_left_out_moves_the_mean_and_no_query():
    zero, left_out = (
        evaluate_retrieval(RUN, QRELS, metrics=["nDCG@10"], conventions=Conventions(missing_query=option))
        for option in ("zero", "left out")
    )
    assert left_out["nDCG@10"] > zero["nDCG@10"]
    assert left_out.per_query.equals(zero.per_query.loc[left_out.per_query.index])
