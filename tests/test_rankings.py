"""Which order a query's results have, and which are refused because their order would be an accident."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.evaluation.conventions import TREC, Conventions
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.evaluation.rankings import as_scores, ranking, ranks_of, without_own_ids

AS_GIVEN = Conventions(ties="as given")
RESULTS = st.dictionaries(
    st.sampled_from(["1", "2", "9", "10", "11", "100", "é", "Z", "a"]),
    st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 1.0 + 1e-7, 2.5, -1.0, 1e-30, 3e38, 1e300, float("-inf")]),
)


def test_equal_scores_go_by_doc_id_down_as_text():
    assert ranking("q", {"d2": 1.0, "d10": 1.0, "d9": 1.0}) == ["d9", "d2", "d10"]


def test_equal_scores_can_be_left_as_they_were_given():
    assert ranking("q", {"d2": 1.0, "d10": 1.0, "d9": 2.0}, AS_GIVEN) == ["d9", "d2", "d10"]


def test_scores_that_32_bits_cannot_tell_apart_are_equal():
    assert ranking("q", {"a": 1.0 + 1e-9, "b": 1.0}) == ["b", "a"]
    assert ranking("q", {"a": 1.0, "b": 1.0 + 1e-9}, AS_GIVEN) == ["b", "a"]


def test_scores_beyond_32_bits_are_infinite_as_in_trec_eval():
    assert ranking("q", {"a": 1e300, "b": 1e39, "c": 1.0}) == ["b", "a", "c"]


@given(RESULTS, st.sampled_from([TREC, AS_GIVEN]))
def test_a_document_stands_at_the_rank_that_the_ranking_gives_it(results, conventions):
    wanted = [*results, "not retrieved"][::-1]
    found, ranks = ranks_of(wanted, "q", results, conventions)
    assert dict(zip(found, ranks.tolist(), strict=True)) == {
        doc_id: rank for rank, doc_id in enumerate(ranking("q", results, conventions), start=1)
    }


@given(RESULTS)
def test_pairs_dicts_and_arrays_are_the_same_ranking(results):
    pairs = sorted(results.items(), key=lambda pair: -pair[1])
    arrays = np.array([doc_id for doc_id, _ in pairs], dtype=str), np.array([score for _, score in pairs])
    assert (
        ranking("q", pairs) == ranking("q", dict(pairs)) == ranking("q", arrays) == ranking("q", iter(pairs))
    )


def test_columns_of_a_table_are_taken_as_arrays():
    table = pd.DataFrame({"id": ["d2", "d1"], "score": [2.0, 1.0]})
    assert (
        ranking("q", (table["id"], table["score"]))
        == ranking("q", (table["id"].values, table["score"].values))
        == ["d2", "d1"]
    )


def test_a_list_in_trec_evals_order_is_sorted_whatever_the_conventions():
    pairs = [("b", 1.0), ("a", 1.000000001)]  # equal as 32-bit floats
    assert ranking("q", pairs) == ["b", "a"]
    assert ranking("q", pairs, AS_GIVEN) == ["a", "b"]


def test_of_a_repeated_document_the_best_rank_can_be_kept():
    keep = Conventions(duplicates="keep best", ties="as given")
    assert list(as_scores("q", [("b", 2.0), ("a", 2.0), ("b", 1.0), ("c", 0.5)], keep).items()) == [
        ("b", 2.0),
        ("a", 2.0),
        ("c", 0.5),
    ]


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([("a", float("nan"))], r"'q', entry 1 \('a'\): the score is NaN"),
        ([("a", 1.0), ("b", "2")], r"'q', entry 2 \('b'\): score '2' is not a number"),
        ({"a": None}, r"'q', entry 1 \('a'\): score None is not a number"),
        ({"a": 10**400}, "is too large for a number"),
        ({("a", 2.0), ("b", 1.0)}, "'q': a set has no order; give a list of pairs"),
        ([("1", 3.0), (1, 2.0)], "'q': doc_id 1 is of type int"),
        ({"a": 2.0, 7: 2.0}, "'q': doc_id 7 is of type int"),
        (
            [("a", 1.0), ("b", 2.0)],
            r"'q': the list is not sorted, rank 2 \('b'\) scores 2.0 and rank 1 only 1.0",
        ),
        (
            [("a", 2.0), ("b", 1.0), ("a", 0.5)],
            "'q': document 'a' stands at rank 1 and again at rank 3; keep the best",
        ),
        ([(7, 1.0)], "'q': doc_id 7 is of type int; ids are text"),
        ([("b", 1.0), (7, 1.0)], "'q': doc_id 7 is of type int"),
        ([(["a"], 1.0)], r"'q': doc_id \['a'\] is of type list"),
        (["d1", "d2"], "'q', rank 1: 'd1' is no .doc_id, score. pair"),
        ([("d1",)], "'q', rank 1: .* is no .doc_id, score. pair"),
        ("d1", "'q': 'd1' is no list"),
        (None, "'q': None is no list"),
        (
            (np.array(["a", "b"]), np.array([1.0])),
            r"'q': doc_ids and scores have the shapes \(2,\) and \(1,\)",
        ),
        ((np.array([7]), np.array([1.0])), "'q': doc_id 7 is of type int"),
    ],
)
def test_results_without_a_meaningful_order_are_refused_by_name(results, message):
    with pytest.raises(ValueError, match=message):
        ranking("q", results)


def test_a_querys_own_document_is_left_out_and_the_others_move_up():
    run = {"q1": [("q1", 9.0), ("d2", 5.0), ("d1", 4.0)], "q2": [("d1", 2.0), ("q1", 1.0)]}
    assert without_own_ids(run) == {"q1": [("d2", 5.0), ("d1", 4.0)], "q2": [("d1", 2.0), ("q1", 1.0)]}
    assert without_own_ids(run, k=1) == {"q1": [("d2", 5.0)], "q2": [("d1", 2.0)]}


def test_results_of_any_form_keep_their_scores_without_the_own_document():
    right = {"q1": [("d2", 5.0), ("d1", 4.0)]}
    for results in (
        {"d1": 4.0, "q1": 9.0, "d2": 5.0},
        (np.array(["q1", "d2", "d1"]), np.array([9.0, 5.0, 4.0])),
        iter([("q1", 9.0), ("d2", 5.0), ("d1", 4.0)]),
    ):
        assert without_own_ids({"q1": results}, k=2) == right
    with pytest.raises(ValueError, match="query 'q1', rank 1: 'd1' is no .doc_id, score. pair"):
        without_own_ids({"q1": ["d1", "d2"]})


def test_a_list_of_ids_beside_a_list_of_scores_is_told_how_to_become_pairs():
    for results in ((["d1", "d2"], [2.0, 1.0]), [["d1", "d2", "d3"], (3, 2, 1)]):
        with pytest.raises(ValueError, match=r"give list\(zip\(doc_ids, scores\)\), or both as NumPy arrays"):
            ranking("q1", results)
    assert ranking("q1", (["d1", 2.0], ["d2", 1.0])) == ["d1", "d2"]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ({1: [("1", 2.0), ("2", 1.0)]}, "run: query_id 1 is of type int"),
        ({"1": [(1, 2.0), (2, 1.0)]}, "run, query '1': doc_id 1 is of type int"),
    ],
)
def test_numbers_are_no_ids_that_a_query_could_have_as_its_own(run, words):
    with pytest.raises(ValueError, match=words):
        without_own_ids(run, k=1)


COMPOSED, IN_PARTS = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(("judged", "found"), [(COMPOSED, IN_PARTS), (IN_PARTS, COMPOSED)])
def test_ids_that_differ_in_their_form_of_unicode_alone_are_refused(judged, found):
    words = re.escape(f"{ascii(judged)} in the qrels is {ascii(found)} in the run, in another Unicode form")
    with pytest.raises(ValueError, match=f"query 'q1': document {words}; .*normalize"):
        evaluate_retrieval({"q1": [(found, 2.0), ("d2", 1.0)]}, {"q1": {judged: 1, "d2": 1}})
    with pytest.raises(ValueError, match=f"query {words}"):
        evaluate_retrieval({found: [("d1", 1.0)]}, {judged: {"d1": 1}})


def test_ids_beyond_ascii_that_are_written_alike_are_as_good_as_any():
    run, qrels = {"q1": [(COMPOSED, 2.0), ("d2", 1.0)]}, {"q1": {COMPOSED: 1, "naïve": 1}}
    assert evaluate_retrieval(run, qrels, metrics=["Recall@10"]) == {"Recall@10": 0.5}
