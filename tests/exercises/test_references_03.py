"""Lesson 03: the references beside `helpers`, trec_eval and hand arithmetic; the questions' numbers."""

from math import log2

import pandas as pd
import pytest
import pytrec_eval
from hypothesis import assume, given
from hypothesis import strategies as st

from course.exercises import contents as ex
from course.exercises.questions import Numeric
from helpers import metrics
from helpers.base import files
from helpers.datasets import trec
from helpers.evaluation import rankings
from helpers.evaluation.evaluate import evaluate_retrieval

DOC_IDS = ["d1", "d2", "d3", "d4", "d5", "d9"]
FIVE = {"d1": 1, "d2": 0, "d3": 2, "d5": 1, "d9": 2}
RANKINGS = st.lists(st.sampled_from(DOC_IDS), unique=True)
GRADES = st.dictionaries(st.sampled_from([*DOC_IDS, "x"]), st.integers(0, 3), min_size=1)
AT_K = ["PRECISION", "RECALL", "DCG", "NDCG"]
WHOLE = {"RECIPROCAL_RANK": "MRR", "AVERAGE_PRECISION": "MAP"}


def reference(name):
    return ex.EXERCISES[name].reference


def question(number):
    return ex.LESSON_03.questions[number - 1]


@pytest.mark.parametrize("name", AT_K)
@given(ranking=RANKINGS, grades=GRADES, k=st.integers(1, 8))
def test_a_metric_at_k_agrees_with_helpers_on_rankings_without_duplicates(name, ranking, grades, k):
    function = reference(name)
    assert function(ranking, grades, k) == pytest.approx(
        getattr(metrics, function.__name__)(ranking, grades, k), abs=1e-12
    )


@pytest.mark.parametrize("name", WHOLE)
@given(ranking=RANKINGS, grades=GRADES)
def test_a_metric_of_the_whole_ranking_agrees_with_helpers(name, ranking, grades):
    function = reference(name)
    assert function(ranking, grades) == pytest.approx(
        getattr(metrics, function.__name__)(ranking, grades), abs=1e-12
    )


@given(ranking=RANKINGS, grades=GRADES)
def test_the_references_agree_with_trec_eval(ranking, grades):
    measures = {"P.5", "recall.5", "recip_rank", "map", "ndcg_cut.5"}
    scores = {doc_id: float(-rank) for rank, doc_id in enumerate(ranking)}
    found = pytrec_eval.RelevanceEvaluator({"q": grades}, measures).evaluate({"q": scores})
    theirs = found.get("q") or dict.fromkeys(["P_5", "recall_5", "recip_rank", "map", "ndcg_cut_5"], 0.0)
    ours = {
        "P_5": reference("PRECISION")(ranking, grades, 5),
        "recall_5": reference("RECALL")(ranking, grades, 5),
        "recip_rank": reference("RECIPROCAL_RANK")(ranking, grades),
        "map": reference("AVERAGE_PRECISION")(ranking, grades),
        "ndcg_cut_5": reference("NDCG")(ranking, grades, 5),
    }
    assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("name", ["DCG", "NDCG"])
def test_without_a_k_dcg_and_ndcg_read_ten_places_as_the_lessons_own_do(name):
    function, ranking = reference(name), [*"abcdefghi", "d3", "d1"]
    assert function(ranking, FIVE) == function(ranking, FIVE, 10) > 0
    assert len({function(ranking, FIVE, k) for k in (9, 10, 11)}) == 3


def test_the_lessons_five_get_the_values_that_the_lesson_prints():
    five = DOC_IDS[:5]
    assert reference("PRECISION")(five, FIVE, 5) == 3 / 5
    assert reference("RECALL")(five, FIVE, 5) == 3 / 4
    assert reference("RECIPROCAL_RANK")(five, FIVE) == 1
    assert reference("AVERAGE_PRECISION")(five, FIVE) == (1 / 1 + 2 / 3 + 3 / 5 + 0) / 4
    assert reference("DCG")(five, FIVE, 5) == 1 / log2(2) + 2 / log2(4) + 1 / log2(6)
    assert [round(reference("DCG")(five, FIVE, 5), 4), round(reference("NDCG")(five, FIVE, 5), 4)] == [
        2.3869,
        0.5693,
    ]
    assert round(reference("DCG")(["d3", "d9", "d1", "d5"], FIVE, 5), 4) == 4.1925


@given(ranking=st.lists(st.sampled_from(DOC_IDS)), grades=GRADES, k=st.integers(1, 8))
def test_a_document_that_stands_twice_never_takes_precision_or_recall_above_1(ranking, grades, k):
    assert 0 <= reference("PRECISION")(ranking, grades, k) <= 1
    assert 0 <= reference("RECALL")(ranking, grades, k) <= 1


def test_the_base_of_the_logarithm_cancels_in_ndcg_as_the_message_of_the_mistake_says():
    natural = next(
        mistake.function for mistake in ex.EXERCISES["DCG"].mistakes if mistake.name == "natural log"
    )
    ideal = ["d3", "d9", "d1", "d5"]
    share = natural(DOC_IDS[:5], FIVE, 5) / natural(ideal, FIVE, 5)
    assert natural(DOC_IDS[:5], FIVE, 5) > reference("DCG")(DOC_IDS[:5], FIVE, 5)
    assert share == pytest.approx(reference("NDCG")(DOC_IDS[:5], FIVE, 5))


@given(
    run=st.dictionaries(st.sampled_from(["q1", "q2", "q3", "q9"]), RANKINGS),
    qrels=st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), GRADES, min_size=1),
)
def test_the_mean_over_queries_is_that_of_evaluate_retrieval(run, qrels):
    assume(run.keys() & qrels.keys())  # else evaluate_retrieval refuses: nothing searched, wrong split?
    scored = {
        query_id: [(doc_id, float(-rank)) for rank, doc_id in enumerate(found)]
        for query_id, found in run.items()
    }
    theirs = evaluate_retrieval(scored, qrels, metrics=list(WHOLE.values()))
    for name, metric in WHOLE.items():
        assert reference("MEAN_OVER_QUERIES")(reference(name), run, qrels) == pytest.approx(
            theirs[metric], abs=1e-12
        )


def test_on_the_stored_run_the_references_give_the_mean_that_the_lesson_prints(runbooks):
    stored = trec.read_run(files.ROOT / "evals" / "benchmarks" / "title_words.run")
    lists = {query_id: rankings.ranking(query_id, found) for query_id, found in stored.items()}

    def ndcg_at_10(ranking, grades):
        return reference("NDCG")(ranking, grades, 10)

    assert (len(lists), len(runbooks.qrels)) == (29, 30)
    mean = reference("MEAN_OVER_QUERIES")(ndcg_at_10, lists, runbooks.qrels)
    assert (round(mean, 4), round(mean * 30 / 29, 4)) == (0.3071, 0.3176)


def test_one_of_two_relevant_documents_at_rank_2_has_average_precision_one_quarter():
    ranking, grades = ["x", "a"], {"a": 1, "b": 1}
    assert question(1).answer == reference("AVERAGE_PRECISION")(ranking, grades) == (1 / 2 + 0) / 2
    assert {0.39, 0.50} < question(1).wrong.keys()
    assert round(reference("NDCG")(ranking, grades, 10), 2) == 0.39
    assert reference("PRECISION")(ranking, grades, 2) == 0.50
    assert (round(1 / log2(3), 3), round(1 + 1 / log2(3), 3)) == (0.631, 1.631)


def test_ninety_useless_results_at_the_end_change_none_of_the_four_metrics():
    ten, grades = [f"d{rank}" for rank in range(10)], {"d1": 1, "d7": 2, "d8": 0, "missed": 1}
    longer = ten + [f"x{rank}" for rank in range(90)]
    for name, k in (("NDCG", 10), ("RECALL", 100), ("PRECISION", 100)):
        assert reference(name)(longer, grades, k) == reference(name)(ten, grades, k) > 0
    assert reference("AVERAGE_PRECISION")(longer, grades) == reference("AVERAGE_PRECISION")(ten, grades) > 0
    assert question(2).answer == "b"


@pytest.fixture
def n_relevant(runbooks) -> pd.Series:
    return pd.Series({q: sum(grade > 0 for grade in judged.values()) for q, judged in runbooks.qrels.items()})


def test_the_highest_possible_mean_recall_at_3_is_that_of_the_ideal_rankings(runbooks, n_relevant):
    def recall_at_3(ranking, grades):
        return reference("RECALL")(ranking, grades, 3)

    ideal = {q: sorted(judged, key=judged.get, reverse=True) for q, judged in runbooks.qrels.items()}
    ceiling = reference("MEAN_OVER_QUERIES")(recall_at_3, ideal, runbooks.qrels)
    assert ceiling == pytest.approx((n_relevant.clip(upper=3) / n_relevant).mean())
    assert question(3).answer == round(ceiling, 2)
    assert (len(n_relevant), n_relevant.max()) == (30, 27), "as the question says"
    assert (n_relevant > 3).mean() > 0.5, "most have more than three, as the feedback says"
    assert 0.5 / ceiling > 0.99, "0.5 is as good as perfect, as the praise says"


def test_the_wrong_ceilings_are_what_their_feedback_says(n_relevant):
    at_3 = n_relevant.clip(upper=3)
    slips = [
        (n_relevant.clip(upper=5) / n_relevant).mean(),
        (at_3 / 3).mean(),
        at_3.sum() / n_relevant.sum(),
        3 / n_relevant.mean(),
        1,
    ]
    assert [round(slip, 2) for slip in slips] == list(question(3).wrong)


def test_an_ideal_made_of_the_retrieved_is_higher_only_where_something_was_missed():
    ideal_of_the_retrieved = ex.EXERCISES["NDCG"].mistakes[0].function
    ndcg = reference("NDCG")
    assert ex.EXERCISES["NDCG"].mistakes[0].name == "ideal from the retrieved list"
    assert ideal_of_the_retrieved(["d1", "d3"], FIVE, 10) > ndcg(["d1", "d3"], FIVE, 10)
    assert ideal_of_the_retrieved(DOC_IDS, FIVE, 10) == ndcg(DOC_IDS, FIVE, 10)
    assert question(4).answer == "d"


@given(ranking=RANKINGS, grades=GRADES)
def test_an_ideal_made_of_the_retrieved_never_lowers_ndcg(ranking, grades):
    assert (
        ex.EXERCISES["NDCG"].mistakes[0].function(ranking, grades, 10)
        >= reference("NDCG")(ranking, grades, 10) - 1e-12
    )


def test_another_gain_moves_rankings_that_missed_nothing_as_well():
    exponential = {doc_id: 2**grade - 1 for doc_id, grade in FIVE.items()}
    assert reference("NDCG")(DOC_IDS, exponential, 10) != pytest.approx(reference("NDCG")(DOC_IDS, FIVE, 10))


def test_six_timeouts_of_thirty_cost_a_fifth():
    qrels = {f"q{number}": {"a": 1} for number in range(30)}
    run = {f"q{number}": ["a"] for number in range(24)}
    mean = reference("MEAN_OVER_QUERIES")(lambda ranking, grades: 0.60 * len(ranking), run, qrels)
    assert question(5).answer == pytest.approx(mean) == pytest.approx(24 * 0.60 / 30)
    assert list(question(5).wrong) == pytest.approx(
        [0.60, 0.60 * 30 / 24, 24 * 0.60 / 29, 0.60 - mean], abs=0.005
    )


def test_for_a_reader_of_five_pages_at_once_only_recall_is_1_when_and_only_when_nothing_is_missing():
    all_that_is_needed, incomplete = ["x", "a", "b"], ["a", "x", "y"]
    grades = {"a": 1, "b": 1}
    assert (
        reference("RECALL")(all_that_is_needed, grades, 5) == 1 > reference("RECALL")(incomplete, grades, 5)
    )
    assert reference("RECIPROCAL_RANK")(incomplete, grades) == 1
    assert reference("PRECISION")(["a"], {"a": 1}, 5) == 0.2
    assert reference("NDCG")(all_that_is_needed, grades, 5) < 1
    assert question(7).answer == "c"


def test_every_question_and_exercise_of_the_lesson_is_on_the_can_do_list_once():
    proofs = [proof for item in ex.LESSON_03.can_do_list for proof in item.proofs]
    assert sorted(map(str, proofs)) == sorted(map(str, ex.LESSON_03.proofs()))
    assert sum(isinstance(question, Numeric) for question in ex.LESSON_03.questions) >= 2
