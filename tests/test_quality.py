"""Measurements of a labelled collection, on cases small enough to check by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import stats
from helpers.datasets.labels import LabelledQuery
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.judgments import quality
from helpers.judgments.quality import flips_to_reverse, quote_paragraphs
from helpers.text.words import content_terms, word_overlap


def test_kappa_is_the_agreement_beyond_what_chance_gives():
    # 20 pairs: both yes 8, both no 6, only the first 4, only the second 2; yes-rates 12/20 and 10/20.
    first = ["yes"] * 8 + ["no"] * 6 + ["yes"] * 4 + ["no"] * 2
    second = ["yes"] * 8 + ["no"] * 6 + ["no"] * 4 + ["yes"] * 2
    expected = (12 * 10 + 8 * 10) / 400
    assert stats.cohen_kappa(first, second) == pytest.approx((14 / 20 - expected) / (1 - expected))


def test_who_says_the_same_to_everything_agrees_no_more_than_chance():
    assert stats.cohen_kappa([0] * 9 + [1], [0] * 10) == 0


def test_perfect_and_opposite_agreement():
    assert stats.cohen_kappa([0, 1, 2], [0, 1, 2]) == 1
    assert stats.cohen_kappa([0, 1], [1, 0]) == -1
    assert stats.cohen_kappa([1, 1], [1, 1]) == 1


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40))
def test_kappa_is_the_same_whoever_is_called_first_and_whatever_the_grades_are_called(pairs):
    first, second = zip(*pairs, strict=True)
    kappa = stats.cohen_kappa(first, second)
    assert stats.cohen_kappa(second, first) == pytest.approx(kappa)
    assert stats.cohen_kappa(["abc"[g] for g in first], ["abc"[g] for g in second]) == pytest.approx(kappa)
    assert -1 <= kappa <= 1


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40))
def test_kappa_is_that_of_scikit_learn(pairs):
    sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    first, second = zip(*pairs, strict=True)
    if len({*first, *second}) > 1:  # with one label only theirs is 0/0
        assert stats.cohen_kappa(first, second) == pytest.approx(
            sklearn_metrics.cohen_kappa_score(first, second)
        )


@pytest.mark.parametrize(("first", "second"), [([], []), ([1], [1, 2])])
def test_lists_that_do_not_fit_have_no_kappa(first, second):
    with pytest.raises(ValueError, match="same length, not empty"):
        stats.cohen_kappa(first, second)


def test_content_words_are_what_is_left_without_grammar():
    assert content_terms("How do we recover from the crashes we've had?") == {"recov", "crash"}
    assert word_overlap("what is it", "anything") == 0


def test_the_paragraph_of_a_quote_may_be_two():
    corpus = {"d1": "Title First paragraph here.\n\nSecond one.\n\nThird."}
    judgment = {"doc_id": "d1", "grade": 2, "quote": "here.\n\nSecond"}
    label = LabelledQuery(
        query_id="q", query="?", relevant_doc_ids=["d1"], kind="question", judgments=[judgment]
    )
    assert quote_paragraphs(label, corpus)["d1"].strip().endswith("Second one.")


def test_one_label_can_decide_between_two_systems_and_it_is_found():
    qrels = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d2": 1}}
    same = [("d1", 2.0), ("d2", 1.0)]
    better, worse = (
        {"q1": [("d1", 2.0), ("d2", 1.0)], "q2": same},
        {"q1": [("d2", 2.0), ("d1", 1.0)], "q2": same},
    )
    flips = flips_to_reverse(better, worse, qrels)
    flipped = {query_id: dict(grades) for query_id, grades in qrels.items()}
    for query_id, doc_id, was, becomes in flips:
        assert qrels[query_id][doc_id] == was
        flipped[query_id][doc_id] = becomes
    ndcg = [evaluate_retrieval(run, flipped, (10,))["nDCG@10"] for run in (better, worse)]
    assert len(flips) <= 2 and ndcg[0] <= ndcg[1]


def test_flips_ask_for_a_run_that_is_ahead():
    run = {"q1": [("d1", 1.0)]}
    with pytest.raises(ValueError, match="not ahead"):
        flips_to_reverse(run, run, {"q1": {"d1": 1}})


def test_relevant_documents_are_counted_once():
    assert quality.relevant_documents({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1, "d3": 1}}) == {"d1", "d3"}


def test_a_judged_document_outside_of_the_corpus_is_named():
    judged = [{"doc_id": "d1", "grade": 1, "quote": "a cat"}, {"doc_id": "d9", "grade": 0}]
    said = {"query_id": "q1", "query": "cats", "relevant_doc_ids": ["d1"], "kind": "question"}
    label = LabelledQuery.model_validate(said | {"judgments": judged})
    with pytest.raises(ValueError, match="query 'q1': document 'd9' is judged and not in the corpus"):
        quality.overlap_frame({"d1": "a cat"}, [label])


def test_runs_of_the_same_mean_have_no_lead_to_reverse():
    run = {"q1": [("d1", 1.0)]}
    with pytest.raises(ValueError, match="both have the same mean, so no lead can be reversed"):
        flips_to_reverse(run, run, {"q1": {"d1": 1, "d2": 0}})
