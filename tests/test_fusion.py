"""Several runs as one: the arithmetic of each method by hand, what fusion may never do, and what tuning its
weight on few queries costs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.evaluation.rankings import ranking
from helpers.retrieval import CsrBM25, LatentRetriever, SubstringScan
from helpers.retrieval.fusion import (
    METHODS,
    HybridRetriever,
    fuse,
    min_max,
    normalise,
    reciprocal_rank_fusion,
    theoretical_minimum,
    weighted_sum,
    z_scores,
)
from helpers.retrieval.tuning import best_alpha, tune_alpha, tuning_curve

BM25 = {"q1": [("d1", 12.0), ("d2", 6.0), ("d3", 4.0)]}
DENSE = {"q1": [("d3", 0.9), ("d4", 0.6), ("d1", 0.3)]}
LOWEST = {"tmm": [0.0, -1.0]}
"""What `fuse` needs besides, by method: BM25 never scores below 0, a cosine never below −1."""


def fused(runs, method, **more):
    return fuse(runs, method, lowest=LOWEST.get(method), **more)


LISTS = st.dictionaries(
    st.sampled_from([f"d{number}" for number in range(8)]), st.integers(-8, 24).map(lambda n: n / 8)
)
"""Scores in eighths from −1 to 3, so that sums are exact and ties are common."""


def run_of(scores):
    return {"q": sorted(scores.items(), key=lambda pair: pair[::-1], reverse=True)}


RUNS = LISTS.map(run_of)
NOT_NEGATIVE = LISTS.map(lambda scores: run_of({doc_id: abs(score) for doc_id, score in scores.items()}))
"""As BM25 scores."""


# Each method by hand


def test_reciprocal_ranks_are_added_and_scores_do_not_count():
    found = dict(reciprocal_rank_fusion([BM25, DENSE], k=60)["q1"])
    expected = {"d3": 1 / 63 + 1 / 61, "d1": 1 / 61 + 1 / 63, "d2": 1 / 62, "d4": 1 / 62}
    assert found == {doc_id: float(np.float32(score)) for doc_id, score in expected.items()}
    louder = {"q1": [(doc_id, 1000 * score) for doc_id, score in BM25["q1"]]}
    assert reciprocal_rank_fusion([louder, DENSE]) == reciprocal_rank_fusion([BM25, DENSE])


def test_equal_sums_stand_by_doc_id_down():
    found = [doc_id for doc_id, _ in reciprocal_rank_fusion([BM25, DENSE])["q1"]]
    assert found == ["d3", "d1", "d4", "d2"]


def test_a_larger_k_lets_two_middling_ranks_beat_one_first():
    one, two = {"q": [("a", 3.0), ("x", 2.0), ("b", 1.0)]}, {"q": [("y", 3.0), ("z", 2.0), ("b", 1.0)]}
    first = {k: reciprocal_rank_fusion([one, two], k=k)["q"][0][0] for k in (0, 60)}
    assert first == {0: "y", 60: "b"}  # 1 against 2/3; 1/61 against 2/63


def test_min_max_takes_the_ends_of_the_list_for_zero_and_one():
    assert min_max(BM25)["q1"] == [("d1", 1.0), ("d2", 0.25), ("d3", 0.0)]
    found = dict(fuse([BM25, DENSE], "min-max", weights=[0.5, 0.5])["q1"])
    assert found == pytest.approx({"d1": 0.5 + 0.0, "d3": 0.0 + 0.5, "d2": 0.125, "d4": 0.25})


def test_z_scores_have_mean_zero_and_deviation_one_and_an_absent_document_the_lists_lowest():
    bm25 = dict(z_scores(BM25)["q1"])
    # mean 22/3, deviations 14/3, −4/3, −10/3
    spread = ((14**2 + 4**2 + 10**2) / 9 / 3) ** 0.5
    assert bm25 == pytest.approx({"d1": 14 / 3 / spread, "d2": -4 / 3 / spread, "d3": -10 / 3 / spread})
    dense = dict(z_scores(DENSE)["q1"])
    assert dense == pytest.approx({"d3": 1.5**0.5, "d4": 0.0, "d1": -(1.5**0.5)})
    found = dict(fuse([BM25, DENSE], "z")["q1"])
    assert found["d4"] == pytest.approx((bm25["d3"] + dense["d4"]) / 2)
    assert found["d2"] == pytest.approx((bm25["d2"] + dense["d1"]) / 2)


def test_the_theoretical_minimum_is_that_of_the_system_and_not_of_the_list():
    assert dict(theoretical_minimum(BM25, 0.0)["q1"]) == pytest.approx({"d1": 1.0, "d2": 0.5, "d3": 1 / 3})
    found = dict(theoretical_minimum(DENSE, -1.0)["q1"])
    assert found == pytest.approx({"d3": 1.0, "d4": 1.6 / 1.9, "d1": 1.3 / 1.9})


@pytest.mark.parametrize(("method", "expected"), [("rrf", 1 / 61), ("min-max", 1), ("z", 0), ("tmm", 1)])
def test_the_only_result_of_a_list(method, expected):
    one = {"q": [("d1", 7.0)]}
    assert normalise([one], method, lowest=[0.0])[0] == {"q": [("d1", expected)]}


def test_where_all_scores_are_the_lowest_possible_they_are_worth_nothing():
    assert theoretical_minimum({"q": [("d2", 0.0), ("d1", 0.0)]}, 0.0) == {"q": [("d2", 0.0), ("d1", 0.0)]}


def test_a_list_ten_documents_longer_moves_min_max_and_not_the_theoretical_minimum():
    longer = {"q1": [*BM25["q1"], ("d9", 1.0)]}
    assert dict(min_max(longer)["q1"])["d2"] != dict(min_max(BM25)["q1"])["d2"]
    assert theoretical_minimum(longer, 0)["q1"][:3] == theoretical_minimum(BM25, 0)["q1"]


def test_raw_scores_in_a_sum_are_those_of_the_louder_system():
    bm25 = [doc_id for doc_id, _ in BM25["q1"]]
    found = [doc_id for doc_id, _ in weighted_sum([BM25, DENSE])["q1"]]
    assert [doc_id for doc_id in found if doc_id in bm25] == bm25


# What fusion may never do


@given(NOT_NEGATIVE, RUNS, st.sampled_from(METHODS))
def test_a_fused_run_is_a_run_of_all_documents_of_its_parts(one, two, method):
    found = fused([one, two], method)["q"]
    assert {doc_id for doc_id, _ in found} == {doc_id for run in (one, two) for doc_id, _ in run["q"]}
    assert ranking("q", found) == [doc_id for doc_id, _ in found]
    assert all(score == float(np.float32(score)) for _, score in found)


@given(NOT_NEGATIVE, RUNS, st.sampled_from(METHODS))
def test_the_order_of_the_runs_does_not_matter(one, two, method):
    lowest = LOWEST.get(method)
    swapped = fuse([two, one], method, lowest=lowest and lowest[::-1])
    assert fuse([one, two], method, lowest=lowest) == swapped


@given(NOT_NEGATIVE, st.sampled_from(METHODS))
def test_a_run_fused_with_itself_keeps_its_order(run, method):
    found = fuse([run, run], method, lowest=[0.0, 0.0])["q"]
    assert [doc_id for doc_id, _ in found] == [doc_id for doc_id, _ in run["q"]]


@given(NOT_NEGATIVE, RUNS, st.sampled_from(METHODS))
def test_a_run_of_weight_zero_leaves_the_other_as_it_was(one, two, method):
    found = fused([one, two], method, weights=[1.0, 0.0])["q"]
    assert [doc_id for doc_id, _ in found] == [doc_id for doc_id, _ in one["q"]]


@given(NOT_NEGATIVE, RUNS, st.sampled_from(METHODS))
def test_what_stands_higher_in_both_lists_stands_higher_in_the_sum(one, two, method):
    place = {doc_id: rank for rank, (doc_id, _) in enumerate(fused([one, two], method)["q"])}
    ranks = [{doc_id: rank for rank, (doc_id, _) in enumerate(run["q"])} for run in (one, two)]
    for a in place:
        for b in place:
            if all(a in rank and rank[a] < rank.get(b, 99) for rank in ranks):
                # Only equal sums may stand by doc_id: the order of a tie says nothing.
                scores = dict(fused([one, two], method)["q"])
                assert place[a] < place[b] or scores[a] == scores[b]


@given(NOT_NEGATIVE, RUNS)
def test_scores_may_be_given_as_dicts(one, two):
    as_dicts = [{"q": dict(run["q"])} for run in (one, two)]
    for method in METHODS:
        assert fused([one, two], method) == fused(as_dicts, method)


def test_scale_and_shift_of_a_systems_scores_change_neither_min_max_nor_z():
    other = {"q1": [(doc_id, 3 * score + 7) for doc_id, score in BM25["q1"]]}
    for method in ("min-max", "z"):
        assert fuse([BM25, DENSE], method) == fuse([other, DENSE], method)


@pytest.mark.parametrize("method", ["min-max", "z", "tmm"])
def test_scores_that_are_equal_in_32_bits_are_ties_after_normalisation_too(method):
    """As trec_eval compares them: what only 64 bits tell apart must not become a difference."""
    apart = {"q": {"a": 0.3, "b": 0.1 + 0.2, "c": 0.1}}
    (found,) = normalise([apart], method, lowest=[-1.0])
    scores = dict(found["q"])
    assert scores["a"] == scores["b"] > scores["c"]
    (alone,) = normalise([{"q": {"a": 0.3, "b": 0.1 + 0.2}}], method, lowest=[-1.0])
    assert len(set(dict(alone["q"]).values())) == 1
    assert [doc_id for doc_id, _ in fuse([apart, apart], method, lowest=[-1, -1])["q"]] == ["b", "a", "c"]


def test_sums_beyond_32_bits_are_refused_with_their_query():
    with pytest.raises(ValueError, match="query 'q1', the weighted sums: document 'd1' scores"):
        weighted_sum([BM25, DENSE], [1e300, 1.0])


@pytest.mark.parametrize("scores", [{"d1": "9"}, {"d1": float("nan")}, {"d1": 1e39}])
def test_raw_scores_are_numbers_before_they_are_added(scores):
    with pytest.raises(ValueError, match="run, query 'q1'"):
        weighted_sum([{"q1": scores}, DENSE])


def test_an_empty_list_leaves_the_other_alone():
    for method in METHODS:
        found = fused([{"q1": []}, DENSE], method)["q1"]
        assert [doc_id for doc_id, _ in found] == ["d3", "d4", "d1"]
        assert fused([{"q1": []}, {"q1": []}], method) == {"q1": []}


def test_three_runs_can_be_fused():
    found = reciprocal_rank_fusion([BM25, DENSE, {"q1": [("d4", 1.0)]}])["q1"]
    assert found[0] == ("d4", float(np.float32(1 / 62 + 1 / 61)))


# What is refused


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([BM25], "1 run given; a fusion needs at least two"),
        (BM25, "runs is a dict; give a list of runs"),
        ([BM25, [("d1", 1.0)]], "run 2 is a list"),
        ([BM25, {"q2": []}], "run 2 lacks 'q1' of run 1"),
        ([BM25, DENSE, {**BM25, "q7": []}], "run 3 has 'q7', which run 1 lacks"),
        ([BM25, {"q1": [("d1", float("nan"))]}], "NaN"),
        ([BM25, {"q1": [("d1", float("inf"))]}], "'d1' scores inf; what is not finite"),
        ([BM25, {"q1": {"d1": 1e39}}], r"'d1' scores 1e\+39; what is not finite in 32 bits"),
        ([BM25, {"q1": {"d1": "0.5"}}], "score '0.5' is not a number"),
        ([{1: []}, {"1": []}], "run 1: query_id 1 is of type int; ids are text"),
        (iter([BM25, DENSE]), "runs is a list_iterator; give a list of runs"),
        ([BM25, {"q1": [("d1", 0.1), ("d2", 0.2)]}], "not sorted"),
        ([BM25, {"q1": [("d1", 0.2), ("d1", 0.1)]}], "'d1' stands at rank 1 and again"),
    ],
)
def test_what_is_no_set_of_runs_over_the_same_queries_is_refused(runs, message):
    with pytest.raises(ValueError, match=message):
        fuse(runs, "z")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"method": "borda"}, "method is 'borda'; it can be 'rrf'"),
        ({"method": "z", "weights": [1.0]}, "1 weight for 2 runs"),
        ({"method": "z", "weights": [0.0, 0.0]}, "at least one above"),
        ({"method": "z", "weights": [1.5, -0.5]}, "from 0 up"),
        ({"method": "z", "weights": ["much", "little"]}, "needed numbers"),
        ({"method": "z", "weights": 0.5}, "weights is 0.5; needed numbers from 0 up"),
        ({"method": "z", "weights": {"BM25": 0.3, "dense": 0.7}}, "weights is {'BM25'.* needed numbers"),
        ({"method": "z", "weights": ["0.5", "0.5"]}, "weights is .'0.5', '0.5'.; needed numbers"),
        ({"method": "z", "weights": [float("nan"), 1]}, "weights is .nan, 1.; needed numbers"),
        ({"method": "z", "weights": [10**400, 1]}, "needed numbers"),
        ({"method": "rrf", "k": -1}, "k is -1"),
        ({"method": "rrf", "k": 10**9}, "k is 1000000000; needed a number from 0 to 1,000,000"),
        ({"method": "tmm"}, "needed the lowest score that each of the 2 systems"),
        ({"method": "tmm", "lowest": [float("nan"), 0]}, "lowest is .nan, 0.; needed the lowest score"),
        ({"method": "tmm", "lowest": [float("-inf"), 0]}, "lowest is .-inf, 0.; needed the lowest score"),
        ({"method": "tmm", "lowest": ["0", "-1"]}, "lowest is .'0', '-1'.; needed the lowest score"),
        ({"method": "tmm", "lowest": 0}, "lowest is 0; needed the lowest score"),
        ({"method": "tmm", "lowest": [5.0, -1.0]}, "'q1': a score of 4 lies below the lowest possible"),
    ],
)
def test_settings_that_would_give_a_wrong_number_are_refused(more, message):
    with pytest.raises(ValueError, match=message):
        fuse([BM25, DENSE], **more)


# As a retriever


@pytest.fixture(scope="module")
def parts(runbooks):
    return {"BM25": CsrBM25(runbooks.corpus), "latent": LatentRetriever(runbooks.corpus)}


@pytest.mark.parametrize("method", METHODS)
def test_a_hybrid_is_its_parts_runs_fused(runbooks, parts, method):
    hybrid = HybridRetriever(parts, method, depth=50, lowest=LOWEST.get(method))
    runs = [part.search(runbooks.queries, 50) for part in parts.values()]
    expected = fused(runs, method)
    assert hybrid.search(runbooks.queries, k=100) == {q: found[:100] for q, found in expected.items()}


@pytest.mark.parametrize("method", METHODS)
def test_the_first_ten_do_not_depend_on_how_many_are_asked_for(runbooks, parts, method):
    hybrid = HybridRetriever(parts, method, depth=20, lowest=LOWEST.get(method))
    ten, hundred = (hybrid.search(runbooks.queries, k) for k in (10, 100))
    assert ten == {query_id: results[:10] for query_id, results in hundred.items()}


@pytest.mark.parametrize("method", METHODS)
def test_the_shares_of_the_parts_sum_to_the_score(runbooks, parts, method):
    hybrid = HybridRetriever(parts, method, [0.3, 0.7], depth=20, lowest=LOWEST.get(method))
    for query_id, query in list(runbooks.queries.items())[:3]:
        results = hybrid.search({query_id: query}, k=40)[query_id]
        for rank, (doc_id, score) in enumerate(results, start=1):
            frame = hybrid.explain(query, doc_id)
            assert frame["share"].sum() == pytest.approx(score, abs=1e-6)
            assert frame["share"].to_list() == pytest.approx(
                (frame["weight"] * frame["normalised"]).to_list()
            )
            assert frame.attrs["rank"] == rank


def test_an_explanation_says_where_each_part_has_the_document():
    corpus = {"d1": "pod killed", "d2": "podium", "d3": "disk full"}
    hybrid = HybridRetriever({"BM25": CsrBM25(corpus), "scan": SubstringScan(corpus)})
    frame = hybrid.explain("pod", "d2")
    assert np.isnan(frame.loc["BM25", "rank"]) and frame.loc["scan", "rank"] == 1
    nowhere = hybrid.explain("pod", "d3")
    assert nowhere.attrs["rank"] is None and nowhere.attrs["score"] is None


def test_a_document_that_only_a_part_without_weight_has_found_has_no_score():
    corpus = {"d1": "pod killed", "d2": "podium", "d3": "disk full"}
    hybrid = HybridRetriever({"BM25": CsrBM25(corpus), "scan": SubstringScan(corpus)}, "z", weights=[1, 0])
    assert [doc_id for doc_id, _ in hybrid.search({"q": "pod"})["q"]] == ["d1"]
    frame = hybrid.explain("pod", "d2")
    assert (frame.attrs["score"], frame.attrs["rank"]) == (None, None)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (None, "other gave a NoneType; needed {query_id: results}"),
        ({}, "other gave nothing for 1 query, e.g. 'q'; needed a list for each"),
    ],
)
def test_a_part_that_leaves_a_query_out_is_named(found, message):
    class Other:
        def search(self, queries, k):
            return found

    corpus = {"d1": "a pod"}
    with pytest.raises(ValueError, match=message):
        HybridRetriever({"BM25": CsrBM25(corpus), "other": Other()}).search({"q": "pod"})


def test_equal_names_of_parts_and_one_part_alone_are_refused():
    bm25 = CsrBM25({"d1": "a pod"})
    with pytest.raises(ValueError, match="each with a name of its own"):
        HybridRetriever([bm25, bm25])
    with pytest.raises(ValueError, match="at least two"):
        HybridRetriever({"BM25": bm25})
    with pytest.raises(ValueError, match="needed a retriever with search"):
        HybridRetriever({"BM25": bm25, "words": "latent"})
    with pytest.raises(ValueError, match="needed the lowest score"):
        HybridRetriever({"a": bm25, "b": bm25}, "tmm")
    with pytest.raises(ValueError, match="'d9' is not among the 1 documents"):
        HybridRetriever({"a": bm25, "b": bm25}).explain("pod", "d9")


def test_a_hybrid_of_bm25_and_latent_semantics_on_the_runbooks_is_no_worse_than_its_worse_half(
    runbooks, parts
):
    hybrid = HybridRetriever(parts, "z")
    scores = [
        evaluate_retrieval(retriever.search(runbooks.queries, 100), runbooks.qrels)["nDCG@10"]
        for retriever in (*parts.values(), hybrid)
    ]
    assert scores[2] >= min(scores[:2])


# Choosing the weight


QRELS = {"q1": {"d3": 1}, "q2": {"d1": 1}}
TWO = [
    {"q1": BM25["q1"], "q2": BM25["q1"]},
    {"q1": DENSE["q1"], "q2": DENSE["q1"]},
]


def test_the_curve_ends_in_the_two_runs_themselves():
    table = tune_alpha(TWO, QRELS, "z", metric="MRR")
    alone = [evaluate_retrieval(run, QRELS, metrics=["MRR"])["MRR"] for run in TWO]
    assert table.mean()[[0.0, 1.0]].to_list() == alone
    assert table.shape == (2, 21)


@pytest.mark.parametrize("metric", ["nDCG@2", "MAP"])
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=25)  # eight settings of it; each example fuses and measures six times
@given(NOT_NEGATIVE, RUNS, st.sets(st.sampled_from([f"d{number}" for number in range(8)]), min_size=1))
def test_every_cell_is_the_metric_of_that_fusion(method, metric, one, two, relevant):
    qrels, lowest = {"q": dict.fromkeys(relevant, 1)}, LOWEST.get(method)
    table = tune_alpha([one, two], qrels, method, [0, 0.3, 1], metric=metric, lowest=lowest)
    for alpha in (0.0, 0.3, 1.0):
        run = fuse([one, two], method, [1 - alpha, alpha], lowest=lowest)
        expected = evaluate_retrieval(run, qrels, metrics=[metric]).per_query[metric]
        pd.testing.assert_series_equal(table[alpha], expected, check_names=False)


def test_only_the_queries_to_tune_on_are_looked_at():
    both, first = (tune_alpha(TWO, QRELS, "z", query_ids=chosen) for chosen in (None, ["q1"]))
    pd.testing.assert_frame_equal(first, both.loc[["q1"]])
    assert (best_alpha(first), best_alpha(both.loc[["q2"]])) == (0.5, 0.45)


def test_of_equally_good_alphas_the_one_nearest_to_one_half_is_chosen_then_the_lower():
    assert best_alpha(pd.DataFrame({0.0: [1.0], 0.4: [1.0], 0.6: [1.0], 1.0: [0.5]})) == 0.4
    assert best_alpha(pd.DataFrame({0.0: [1.0], 0.4: [0.9], 1.0: [1.0]})) == 0.0


def test_where_the_queries_do_not_decide_what_was_believed_before_does():
    dev = pd.DataFrame({0.0: [0.5] * 9, 0.5: [0.5] * 9, 1.0: [0.5] * 9})
    test = pd.DataFrame({0.0: [0.1], 0.5: [0.2], 1.0: [0.3]})
    found = {p: tuning_curve(dev, test, [3], 10, prefer=p).loc[3, "mean"] for p in (0, 0.5, 1)}
    assert found == pytest.approx({0: 0.1, 0.5: 0.2, 1: 0.3})


def test_tuning_on_all_queries_has_no_spread_and_gives_what_the_best_alpha_gives():
    rng = np.random.default_rng(1)
    dev, test = (pd.DataFrame(rng.random((40, 3)), columns=[0.0, 0.5, 1.0]) for _ in range(2))
    row = tuning_curve(dev, test, sizes=[40], n_draws=20).loc[40]
    assert row["low"] == row["high"] == pytest.approx(test.mean()[best_alpha(dev)])
    assert row["lowest alpha"] == row["highest alpha"] == best_alpha(dev)


def test_more_queries_to_tune_on_are_better_where_dev_and_test_are_alike():
    rng = np.random.default_rng(2)
    means = np.array([0.5, 0.55, 0.6])
    dev, test = (pd.DataFrame(means + rng.normal(0, 0.3, (400, 3)), columns=[0, 0.5, 1]) for _ in range(2))
    curve = tuning_curve(dev, test, sizes=[5, 50, 300])
    assert curve["mean"].is_monotonic_increasing
    assert (curve["high"] - curve["low"]).is_monotonic_decreasing


def test_the_same_seed_draws_the_same_queries():
    rng = np.random.default_rng(3)
    dev, test = (pd.DataFrame(rng.random((40, 3)), columns=[0.0, 0.5, 1.0]) for _ in range(2))
    first, second, other = (tuning_curve(dev, test, [10], 20, rng=seed) for seed in (0, 0, 1))
    assert first.equals(second) and not first.equals(other)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"runs": [BM25]}, "1 run given"),
        ({"grid": [0.5, 1.5]}, "from 0 to 1"),
        ({"grid": []}, "from 0 to 1"),
        ({"query_ids": ["q9"]}, "'q9' has no judgments"),
        ({"query_ids": "q1"}, "query_ids is 'q1'; needed a list of the ids"),
        ({"grid": 0.5}, "grid is 0.5; needed a list of shares"),
        ({"grid": ["0.5"]}, "grid is .'0.5'.; needed a list of shares"),
        ({"qrels": None}, "qrels is a NoneType"),
        ({"runs": [*TWO, TWO[0]]}, "3 runs given; alpha is the share of the second of two"),
    ],
)
def test_tuning_refuses_what_has_no_answer(more, message):
    with pytest.raises(ValueError, match=message):
        tune_alpha(**{"runs": TWO, "qrels": QRELS, **more})


CELLS = {0.0: [0.1, 0.2], 1.0: [0.3, 0.1]}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (None, "is a NoneType; needed the table of tune_alpha"),
        (pd.DataFrame(), "is a DataFrame without cells"),
        (pd.DataFrame(CELLS | {0.5: [np.nan, 0.2]}), "has a cell that is no finite number"),
        (pd.DataFrame(CELLS).astype(str), "has a cell that is no finite number"),
        (pd.DataFrame(CELLS).rename(columns=str), "the columns of .* needed alphas from 0 to 1"),
        (pd.DataFrame(CELLS | {7.0: [0.1, 0.1]}), "is 7.0; it is an alpha, from 0 to 1"),
    ],
)
def test_a_weight_is_chosen_from_a_whole_table_only(table, message):
    good = pd.DataFrame(CELLS)
    for choose in (
        best_alpha,
        lambda table: tuning_curve(table, good),
        lambda table: tuning_curve(good, table),
    ):
        with pytest.raises(ValueError, match=message):
            choose(table)


@pytest.mark.parametrize("sizes", [None, "10", 5])
def test_the_sizes_of_samples_are_a_list(sizes):
    good = pd.DataFrame(CELLS)
    with pytest.raises(ValueError, match="sizes is .*; needed a list of numbers of queries"):
        tuning_curve(good, good, sizes)
    with pytest.raises(
        ValueError, match="prefer is 2; it is the alpha that was believed before, from 0 to 1"
    ):
        best_alpha(good, prefer=2)


def test_a_sample_cannot_be_larger_than_what_it_is_drawn_from():
    table = tune_alpha(TWO, QRELS, "z")
    with pytest.raises(ValueError, match="a sample of 3 queries was asked for; dev has 2"):
        tuning_curve(table, table, sizes=[3])
    with pytest.raises(ValueError, match="different alphas"):
        tuning_curve(table, table[[0.0, 1.0]], sizes=[1])


def test_an_alpha_is_tuned_on_a_list_of_runs_and_on_queries_that_they_have():
    with pytest.raises(ValueError, match="give a list of runs"):
        tune_alpha({"a": BM25, "b": DENSE}, {"q1": {"d3": 1}})
    with pytest.raises(ValueError, match="belong to another split"):
        tune_alpha([BM25, DENSE], {"q9": {"d3": 1}})


class Gives:
    """A retriever that gives one run, whatever it is asked for."""

    def __init__(self, name, results, corpus=None):
        self.name, self.results = name, results
        if corpus is not None:
            self.corpus = corpus

    def search(self, queries, k):
        return dict.fromkeys(queries, self.results)


def test_a_part_that_gives_more_than_it_is_asked_for_counts_to_the_depth():
    many = [(f"d{rank:03}", 1 / (1 + rank)) for rank in range(500)]
    for results in (many, dict(reversed(many))):
        parts = {"a": Gives("a", results), "b": Gives("b", many[:1])}
        cut = HybridRetriever({**parts, "a": Gives("a", many[:10])}, "z", depth=10).search({"q": "x"}, 1000)
        assert HybridRetriever(parts, "z", depth=10).search({"q": "x"}, 1000) == cut
        assert len(cut["q"]) == 10


@pytest.mark.parametrize("other", ["d1#0", "d1.md"])
def test_lists_that_call_a_document_otherwise_are_told_that_they_never_meet(other):
    runs = [{"q": [("d1", 2.0)], "r": []}, {"q": [(other, 1.0)], "r": []}]
    with pytest.warns(
        UserWarning, match=f"run 1 and run 2 have no document in common, e.g. 'd1' and '{other}'"
    ):
        fuse(runs)


def test_parts_without_a_common_document_are_told_so_when_they_are_put_together():
    with pytest.warns(UserWarning, match="a and b have no document in common, e.g. 'd1' and 'x1'"):
        HybridRetriever([Gives("a", [], {"d1": "x"}), Gives("b", [], {"x1": "x"})])


def test_lists_that_only_happen_not_to_meet_are_fused_without_a_word(recwarn):
    fuse([{"q": [("d1", 2.0)]}, {"q": [("d2", 1.0)]}])
    fuse([{"q": [("d1", 2.0)], "r": [("d2", 1.0)]}, {"q": [("d1#0", 1.0)], "r": [("d2", 1.0)]}])
    assert not recwarn.list


def test_the_lowest_scores_of_a_generator_last_for_every_search():
    hybrid = HybridRetriever([Gives("a", []), Gives("b", [("d1", 1.0)])], "tmm", lowest=iter([0, 0]))
    assert hybrid.search({"q": "x"}) == hybrid.search({"q": "x"}) == {"q": [("d1", 0.5)]}


@pytest.mark.parametrize("make", [min_max, z_scores])
def test_a_query_whose_id_is_a_number_is_refused_in_one_run_as_in_several(make):
    with pytest.raises(ValueError, match="run: query_id 1 is of type int"):
        make({1: [("d1", 2.0)]})
