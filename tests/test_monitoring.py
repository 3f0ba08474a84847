"""The monitor says what the window holds and no more; clicks say position until it is divided out."""

import json
import threading
import tracemalloc
from itertools import count

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from course.simulated_users import Users, simulate_clicks, simulate_visits
from helpers import metrics
from helpers.monitoring import preference_power, split_power
from helpers.monitoring.feedback import clicks_by_document, clicks_by_rank
from helpers.monitoring.monitor import AccuracyMonitor
from helpers.monitoring.two_groups import compare_groups
from helpers.retrieval.retrievers import CsrBM25

DOCS = ["d1", "d2", "d3", "d4"]


def monitor_of(*feedback, **options) -> AccuracyMonitor:
    monitor = AccuracyMonitor(**options)
    for clicked in feedback:
        monitor.log_query_result("restart search", DOCS, clicked)
    return monitor


def figures(monitor: AccuracyMonitor) -> dict:
    return monitor.calculate_online_metrics()


def test_the_published_example():
    monitor = AccuracyMonitor()
    monitor.log_query_result("How to implement RAG?", ["doc1", "doc2", "doc3"], {"doc1", "doc3"})
    assert figures(monitor)["avg_precision"] == pytest.approx(2 / 3)
    assert figures(monitor)["num_queries_with_feedback"] == 1


def test_nothing_logged_is_no_figure_at_all():
    assert figures(AccuracyMonitor()) == {}


def test_no_feedback_is_skipped_and_counted_and_feedback_of_none_relevant_is_a_zero():
    found = figures(monitor_of({"d1", "d2"}, None, None, set()))
    assert found["avg_precision"] == (2 / 4 + 0) / 2
    assert (found["num_queries_with_feedback"], found["num_queries_without_feedback"]) == (2, 2)
    assert found["feedback_coverage"] == 0.5


def test_the_first_click_is_met_at_its_rank():
    assert (
        figures(monitor_of({"d2", "d4"}, {"d1"}, set(), None))["avg_reciprocal_rank"] == (1 / 2 + 1 + 0) / 3
    )


def test_precision_divides_by_what_was_shown_or_by_k():
    assert figures(monitor_of({"d1", "d4"}))["avg_precision"] == 2 / 4
    assert figures(monitor_of({"d1", "d4"}, k=2))["avg_precision"] == 1 / 2
    assert figures(monitor_of({"d1", "d4"}, k=10))["avg_precision"] == 2 / 10


def test_ratings_count_from_grade_one_up():
    assert figures(monitor_of({"d1": 0, "d2": 2, "d3": 1}))["avg_precision"] == 2 / 4


def test_a_page_without_results_has_no_precision_but_zero():
    monitor = AccuracyMonitor()
    monitor.log_query_result("restart search", [], set())
    assert figures(monitor)["avg_precision"] == 0


@given(st.sets(st.sampled_from(DOCS), min_size=1))
def test_recall_against_clicks_is_one_by_construction_and_therefore_not_given(clicked):
    assert metrics.recall_at_k(DOCS, clicked, len(DOCS)) == 1
    found = figures(monitor_of(clicked))
    assert found["avg_recall"] is None
    assert "1.0 by construction" in found["reasons"]["avg_recall"]


def test_recall_is_given_against_independent_labels_only():
    monitor = monitor_of({"d1"})
    monitor.log_query_result("restart search", DOCS, {"d1"}, relevant={"d1", "d8", "d9"})
    monitor.log_query_result("restart search", DOCS, None, relevant={"d1": 1, "d2": 2, "d3": 0})
    monitor.log_query_result(
        "restart search", DOCS, set(), relevant=set()
    )  # nothing is relevant: no recall to speak of
    found = figures(monitor)
    assert found["avg_recall"] == pytest.approx((1 / 3 + 1) / 2)
    assert found["labelled_precision"] == (1 / 4 + 2 / 4) / 2
    assert (found["num_queries_labelled"], found["num_queries"]) == (2, 4)
    assert "avg_recall" not in found["reasons"]


def test_labels_alone_leave_precision_from_feedback_unknown():
    monitor = AccuracyMonitor()
    monitor.log_query_result("restart search", DOCS, None, relevant={"d1"})
    assert figures(monitor)["avg_precision"] is None
    assert "feedback" in figures(monitor)["reasons"]["avg_precision"]


def test_latency_percentiles_are_those_of_the_queries_that_have_one():
    monitor = monitor_of(None)
    for latency in range(101):
        monitor.log_query_result("restart search", DOCS, None, latency_ms=latency)
    assert figures(monitor)["latency_ms"] == {"p50": 50, "p95": 95, "p99": 99, "n": 101}
    assert figures(monitor_of(None))["latency_ms"] is None


def test_the_window_forgets_the_oldest_query():
    monitor = monitor_of({"d1"}, set(), set(), window_size=2)
    assert (figures(monitor)["num_queries"], figures(monitor)["avg_precision"], monitor.num_logged) == (
        2,
        0,
        3,
    )


def test_memory_does_not_grow_beyond_the_window():
    monitor, numbers = AccuracyMonitor(window_size=100), count()

    def log(n: int) -> int:
        for number in (next(numbers) for _ in range(n)):
            monitor.log_query_result(
                f"query {number}", [f"doc {number} {rank}" for rank in range(5)], {f"doc {number} 0"}, 1.5
            )
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        full, later = log(200), log(2000)
    finally:
        tracemalloc.stop()
    assert full > 50_000  # what 100 events need
    assert later < 1.1 * full


def drifting(n: int, before: float, after: float, seed: int = 0, **options) -> AccuracyMonitor:
    chances = np.repeat([before, after], n)
    clicks = np.random.default_rng(seed).random((2 * n, len(DOCS))) < chances[:, None]
    return monitor_of(
        *({doc for doc, yes in zip(DOCS, row, strict=True) if yes} for row in clicks), **options
    )


def test_a_decline_between_the_halves_of_the_window_is_seen_and_stated():
    monitor = drifting(100, 0.5, 0.3)
    found = monitor.drift()
    precisions = [len(event.feedback) / 4 for event in monitor.recent_queries]
    assert found["p_value"] == pytest.approx(
        stats.ttest_ind(precisions[:100], precisions[100:], equal_var=False).pvalue
    )
    assert found["drifted"] and found["difference"] < 0 and "has fallen" in found["statement"]


def test_without_drift_the_alarm_is_as_rare_as_its_level():
    clicks = np.random.default_rng(0).random((250, 50, len(DOCS))) < 0.4
    alarms = [compare_groups(window[:25], window[25:], 0.05)["differs"] for window in clicks.mean(axis=2)]
    assert np.mean(alarms) == pytest.approx(0.05, abs=0.025)
    assert "no drift shown" in drifting(25, 0.4, 0.4).drift()["statement"]


def test_a_reference_window_sees_a_decline_that_is_older_than_the_window():
    good_week, now = drifting(100, 0.5, 0.5), drifting(100, 0.3, 0.3, seed=1)
    assert not now.drift()["drifted"]
    assert now.drift(reference=good_week)["drifted"]


def test_drift_of_latency_and_too_few_values():
    monitor = AccuracyMonitor()
    for latency in [10, 11, 12, 11, 10, 12, 11, 10, 30, 31, 33, 30, 31, 32, 30, 31]:
        monitor.log_query_result("restart search", DOCS, None, latency_ms=latency)
    assert "has risen" in monitor.drift("latency_ms")["statement"]
    unknown = monitor.drift("precision")
    assert (unknown["p_value"], unknown["drifted"], unknown["n_newer"]) == (None, False, 0)
    assert "Too few" in unknown["statement"]
    assert AccuracyMonitor().drift()["p_value"] is None


def test_fair_coins_on_a_small_window_raise_no_more_alarms_than_the_level_allows():
    # Welch's t alone is wrong in one window of eight with 2 queries a side: often neither side varies.
    for n in (2, 3, 8):
        coins = np.random.default_rng(n).random((300, 2 * n)) < 0.5
        assert np.mean([compare_groups(flips[:n], flips[n:], 0.01)["differs"] for flips in coins]) <= 0.03


def test_seven_queries_a_side_give_no_verdict_and_say_so():
    found = monitor_of(*[{"d1"}] * 7, *[set()] * 7).drift()
    assert (found["p_value"], found["drifted"], found["difference"]) == (None, False, -0.25)
    assert found["statement"] == "Too few queries with precision to tell: 7 older, 7 newer; needed 8 of each."


def test_a_collapse_from_all_to_nothing_is_seen_though_nothing_varies():
    found = monitor_of(*[{"d1"}] * 8, *[set()] * 8).drift()
    assert found["p_value"] == pytest.approx(2 / 12_870)
    assert found["drifted"] and "it has fallen (no value varies within a side" in found["statement"]
    same = monitor_of(*[{"d1"}] * 16).drift()
    assert (same["p_value"], same["drifted"], same["difference"]) == (1, False, 0)


def test_rounding_error_in_a_latency_is_no_drift():
    monitor = AccuracyMonitor()
    for latency in [0.3] * 10 + [0.1 + 0.2] * 10:
        monitor.log_query_result("restart search", DOCS, None, latency_ms=latency)
    assert monitor.drift("latency_ms")["p_value"] == 1


EVENTS = st.lists(
    st.tuples(
        st.text(max_size=8),
        st.none() | st.sets(st.sampled_from(DOCS)),
        st.none() | st.floats(0, 1e6),
        st.none() | st.sets(st.text(max_size=3)),
    ),
    max_size=8,
)


@settings(max_examples=30)
@given(EVENTS, st.integers(1, 5), st.none() | st.integers(1, 9))
def test_a_monitor_is_restored_exactly(tmp_path_factory, events, window_size, k):
    monitor = AccuracyMonitor(window_size, k)
    for query, clicked, latency, labels in events:
        monitor.log_query_result(query, DOCS, clicked, latency, labels)
    path = tmp_path_factory.mktemp("monitor") / "state.json"
    monitor.save(path)
    restored = AccuracyMonitor.load(path)
    assert restored.recent_queries == monitor.recent_queries
    assert figures(restored) == figures(monitor)
    assert (restored.window_size, restored.k, restored.num_logged) == (window_size, k, len(events))
    for one in (monitor, restored):
        one.log_query_result("later", DOCS, {"d1"}, timestamp=0)
    assert restored.recent_queries == monitor.recent_queries
    assert [file.name for file in path.parent.iterdir()] == ["state.json"]


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "state.json"
    monitor_of({"d1"}, None).save(path)
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "another"}, "does not hold the state of a monitor"),
        ({"window_size": 0}, "is broken: .*window_size is 0"),
        ({"window_size": 1}, "not the last 1 of 2"),
        ({"num_logged": 1}, "not the last 1000 of 1 logged"),
        ({"num_logged": "2"}, "not the last 1000 of '2' logged"),
        ({"k": -1}, "k is -1"),
        ({"events": None}, "is broken"),
        ({"events": [{}, {}]}, "event 1 of 2: .* needed the keys"),
    ],
)
def test_a_broken_file_is_refused_in_words(saved, change, message):
    saved.write_text(json.dumps(json.loads(saved.read_text()) | change))
    with pytest.raises(ValueError, match=message):
        AccuracyMonitor.load(saved)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"user_feedback": ["d9"]}, "event 2 of 2: .*'d9', which was not shown"),
        ({"latency_ms": float("nan")}, "event 2 of 2: .*latency_ms is nan"),
        ({"timestamp": None}, "event 2 of 2: timestamp is missing"),
        ({"retrieved_docs": "d1"}, "event 2 of 2: retrieved is a str"),
        ({"more": 1}, "event 2 of 2: .*needed the keys"),
    ],
)
def test_a_broken_event_is_named(saved, change, message):
    state = json.loads(saved.read_text())
    state["events"][1] |= change
    saved.write_text(json.dumps(state))
    with pytest.raises(ValueError, match=message):
        AccuracyMonitor.load(saved)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'"text"', b"[" * 200_000])
def test_a_file_that_is_no_monitor_is_refused(tmp_path, content):
    path = tmp_path / "state.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="state.json"):
        AccuracyMonitor.load(path)


def test_a_dictionary_without_a_window_is_broken_too(saved):
    state = json.loads(saved.read_text())
    del state["window_size"]
    saved.write_text(json.dumps(state))
    with pytest.raises(ValueError, match="broken: KeyError"):
        AccuracyMonitor.load(saved)


def test_threads_may_log_and_read_at_the_same_time(tmp_path):
    monitor, errors = AccuracyMonitor(window_size=300), []

    def work(read: bool) -> None:
        try:
            for _ in range(5 if read else 500):
                if read:
                    figures(monitor), monitor.drift(), monitor.save(tmp_path / "state.json")
                else:
                    monitor.log_query_result("restart search", DOCS, {"d1"})
        except Exception as error:  # a thread's exception would be lost
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number % 2 == 0,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert (monitor.num_logged, figures(monitor)["num_queries"]) == (1000, 300)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: AccuracyMonitor(window_size=0), "window_size is 0"),
        (lambda: AccuracyMonitor(k=0), "k is 0"),
        (lambda: monitor_of({"d9"}), "feedback on 'd9', which was not shown; .* belongs into relevant="),
        (lambda: monitor_of("d1"), "user_feedback is a str"),
        (lambda: AccuracyMonitor().log_query_result(7, DOCS, None), "query is a int"),
        (lambda: AccuracyMonitor().log_query_result("q", ["d1", "d1"], None), "'d1' stands twice"),
        (lambda: AccuracyMonitor().log_query_result("q", DOCS, None, latency_ms=-1), "latency_ms is -1"),
        (lambda: monitor_of(None).drift("clicks"), "metric is 'clicks'; it can be 'precision'"),
        (lambda: monitor_of(None).drift(reference="good week"), "reference is a str; give a monitor"),
    ],
)
def test_what_cannot_be_an_event_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_an_event_that_is_refused_leaves_the_monitor_as_it_was():
    monitor = monitor_of({"d1"})
    with pytest.raises(ValueError):
        monitor.log_query_result("restart search", DOCS, {"d9"})
    assert (monitor.num_logged, figures(monitor)["num_queries"]) == (1, 1)


@pytest.fixture(scope="module")
def bm25_run(runbooks):
    return CsrBM25(runbooks.corpus).search(runbooks.queries, 10)


def relevant(table: pd.DataFrame, qrels) -> np.ndarray:
    return np.array([qrels[query_id].get(doc_id, 0) > 0 for query_id, doc_id in table.index])


def ordered_pairs(scores: pd.Series, is_relevant: np.ndarray) -> float:
    """The share of pairs in which the relevant document scores higher than the other, ties half."""
    greater = stats.mannwhitneyu(scores[is_relevant], scores[~is_relevant]).statistic
    return greater / (is_relevant.sum() * (~is_relevant).sum())


def test_users_look_less_the_lower_a_document_stands():
    assert Users(eta=1).examined(3).tolist() == [1, 1 / 2, 1 / 3]
    assert Users(eta=0).examined(3).tolist() == [1, 1, 1]


def test_clicks_fall_as_the_model_says():
    run = {"q1": [("d1", 3.0), ("d2", 2.0), ("d3", 1.0)]}
    log = simulate_clicks(run, {"q1": {"d2": 1, "d3": 0}}, 40_000, Users(eta=1, p_relevant=0.8, p_noise=0.1))
    rates = clicks_by_rank(log)["click rate"]
    assert rates.tolist() == pytest.approx([1 * 0.1, 0.8 / 2, 0.1 / 3], abs=0.01)


def test_the_click_rate_by_rank_falls_even_where_the_truth_rises(bm25_run, runbooks):
    worst_first = {query_id: results[::-1] for query_id, results in bm25_run.items() if len(results) == 10}
    log = simulate_clicks(worst_first, runbooks.qrels, 60_000)
    grades = [
        [runbooks.qrels[query_id].get(doc_id, 0) > 0 for doc_id, _ in results]
        for query_id, results in worst_first.items()
    ]
    truth = np.mean(grades, axis=0)
    rates = clicks_by_rank(log, Users().examined(10))
    assert truth[0] < 0.3 < 0.5 < truth[9]
    assert rates["click rate"][1] > 2 * rates["click rate"][10]
    assert rates["corrected rate"][10] > 1.5 * rates["corrected rate"][1]
    assert rates["corrected rate"].to_numpy() == pytest.approx(0.1 + 0.5 * truth, abs=0.05)


def test_dividing_by_the_chance_of_looking_recovers_the_true_order(bm25_run, runbooks):
    worst_first = {query_id: results[::-1] for query_id, results in bm25_run.items()}
    log = simulate_clicks(worst_first, runbooks.qrels, 80_000)
    table = clicks_by_document(log, Users().examined(10))
    is_relevant = relevant(table, runbooks.qrels)
    assert ordered_pairs(table["click rate"], is_relevant) < 0.95
    assert ordered_pairs(table["corrected rate"], is_relevant) > 0.999
    assert table["corrected rate"][is_relevant].mean() == pytest.approx(0.6, abs=0.01)
    assert table["corrected rate"][~is_relevant].mean() == pytest.approx(0.1, abs=0.01)


def test_clicks_of_people_who_stop_at_the_first_are_mended_by_no_chance_of_looking_at_a_rank(
    bm25_run, runbooks
):
    def first_click_only(log):
        return log.assign(clicked=log["clicked"] & (log.groupby("impression")["clicked"].cumsum() == 1))

    def down_to_the_first_click(run, n, **shown):  # a cascade: every rank is looked at until the first click
        return first_click_only(simulate_clicks(run, runbooks.qrels, n, Users(eta=0), **shown))

    rate = clicks_by_rank(down_to_the_first_click(bm25_run, 40_000, shuffled=True))["click rate"]
    learnt = (rate / rate[1]).to_numpy()
    worst_first = {query_id: results[::-1] for query_id, results in bm25_run.items()}
    table = clicks_by_document(down_to_the_first_click(worst_first, 80_000), learnt)
    is_relevant = relevant(table, runbooks.qrels)
    raw, corrected = (ordered_pairs(table[name], is_relevant) for name in ("click rate", "corrected rate"))
    assert raw < corrected < 0.999
    # Of those who look a relevant page would be clicked by 0.6 and any other by 0.1.
    assert abs(table["corrected rate"][is_relevant].mean() - 0.6) > 0.03


def test_shuffled_pages_tell_how_far_users_look():
    run = {f"q{n}": [(f"d{rank}", -rank) for rank in range(10)] for n in range(3)}
    log = simulate_clicks(
        run, {"q0": {"d1": 1, "d7": 1}, "q1": {"d3": 1}}, 50_000, Users(eta=0.7), shuffled=True
    )
    rates = clicks_by_rank(log)["click rate"]
    assert (rates / rates[1]).to_numpy() == pytest.approx(Users(eta=0.7).examined(10), abs=0.05)
    assert log.groupby("doc_id")["rank"].mean().to_numpy() == pytest.approx(5.5, abs=0.1)


@settings(max_examples=20)
@given(st.integers(0, 9), st.booleans())
def test_a_page_shows_the_first_k_documents_of_its_query_once_each(seed, shuffled):
    run = {"q1": [(f"d{rank}", -rank) for rank in range(9)], "q2": [("d1", 1.0)], "q3": []}
    log = simulate_clicks(run, {}, 20, k=4, shuffled=shuffled, rng=seed)
    for _, page in log.groupby("impression"):
        results = run[page["query_id"].iloc[0]][:4]
        assert sorted(page["doc_id"]) == sorted(doc_id for doc_id, _ in results)
        assert page["rank"].tolist() == list(range(1, len(results) + 1))


def test_the_same_seed_gives_the_same_log(bm25_run, runbooks):
    logs = [simulate_clicks(bm25_run, runbooks.qrels, 100, rng=seed) for seed in (1, 1, 2)]
    assert logs[0].equals(logs[1]) and not logs[0].equals(logs[2])


def test_a_user_with_a_habit_repeats_one_query_and_one_without_does_not(bm25_run, runbooks):
    for habit, queries in ((1.0, 1), (0.0, 8)):
        visits = simulate_visits(bm25_run, bm25_run, runbooks.qrels, [["A"] * 10] * 50, habit=habit)
        assert visits.groupby("user_id")["query_id"].nunique().mean() == pytest.approx(queries, abs=1)


def test_who_found_nothing_and_remembers_does_not_look_again():
    run, users = {"q1": [("d1", 1.0)]}, Users(p_relevant=0.5)
    visits = simulate_visits(run, run, {"q1": {"d1": 1}}, [["A"] * 4] * 200, users, memory=1.0)
    clicked = visits["clicked"].to_numpy().reshape(200, 4)
    assert not clicked[clicked[:, 0] == 0].any()
    assert clicked[clicked[:, 0] == 1][:, 1].mean() == pytest.approx(0.5, abs=0.12)


LOG = pd.DataFrame(
    {"impression": [0, 0], "query_id": "q1", "rank": [1, 2], "doc_id": ["d1", "d2"], "clicked": [True, False]}
)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Users(p_relevant=1.5), "p_relevant is 1.5"),
        (lambda: Users(eta=-1), "eta is -1"),
        (lambda: Users(eta="1"), "eta is '1'"),
        (lambda: Users(p_noise="0.1"), "p_noise is '0.1'"),
        (lambda: simulate_clicks({"q1": []}, {}, -1), "n_impressions is -1"),
        (lambda: simulate_clicks({}, {}, 10), "the run has no query"),
        (lambda: simulate_visits({"q1": []}, {"q2": []}, {}, [["A"]]), "do not have the same queries"),
        (lambda: simulate_visits({"q1": []}, {"q1": []}, {}, [["C"]]), "needed 'A' or 'B'"),
        (lambda: simulate_visits({"q1": []}, {"q1": []}, {}, ["A"]), "needed 'A' or 'B' for each user"),
        (lambda: simulate_visits({"q1": []}, {"q1": []}, {}, [["A"]], habit=2), "habit is 2"),
        (lambda: clicks_by_rank(LOG.drop(columns="rank")), "no column 'rank'"),
        (lambda: clicks_by_rank(LOG, [1.0]), "examined has 1 entries and the log shows rank 2"),
        (lambda: clicks_by_document(LOG, [1.0, 0.0]), r"a chance outside \(0, 1\]"),
        (
            lambda: clicks_by_rank(LOG.assign(rank=[0, 1]), [1.0, 0.5]),
            "row 0 .*: rank is .*0.*; needed a whole number from 1 up",
        ),
        (lambda: clicks_by_rank(LOG.assign(rank=[0, 1])), "row 0 .*: rank is"),
        (lambda: clicks_by_rank(LOG.assign(rank=[1, 1.5]), [1.0, 0.5]), "row 1 .*: rank is .*1.5"),
        (
            lambda: clicks_by_rank(LOG.assign(clicked=[1, float("nan")])),
            "row 1 .*: clicked is .*nan.*; needed True or False",
        ),
        (lambda: clicks_by_document(LOG.assign(clicked=[5, -1])), "row 0 .*: clicked is .*5"),
        (lambda: clicks_by_document(LOG.assign(clicked=["yes", "no"])), "row 0 .*: clicked is 'yes'"),
        (lambda: clicks_by_document(LOG.assign(doc_id=["d1", None])), "row 1 .*: doc_id is .*; needed an id"),
        (
            lambda: clicks_by_document(LOG.assign(query_id=["", "q1"])),
            "row 0 .*: query_id is ''; needed an id",
        ),
    ],
)
def test_what_no_user_could_do_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_whole_ranks_written_as_decimals_are_ranks_as_a_table_with_a_gap_has_them():
    rates = clicks_by_rank(LOG.assign(rank=[1.0, 2.0]), [1.0, 0.5])
    assert rates["corrected rate"].tolist() == [1, 0]


def test_a_log_without_rows_has_no_rates():
    assert len(clicks_by_document(simulate_clicks({"q1": []}, {}, 5), [1.0])) == 0


TEN = pd.DataFrame(
    {"impression": 0, "query_id": "q1", "rank": range(1, 12), "doc_id": map(str, range(11)), "clicked": True}
)


def test_the_chances_of_a_series_are_looked_up_by_rank():
    chances = [1 / rank for rank in range(1, 12)]
    by_rank = pd.Series(chances, index=range(1, 12))
    right = clicks_by_rank(TEN, chances)
    as_text = by_rank.rename(index=str).sort_index()  # 1, 10, 11, 2, ...
    for examined in (by_rank, by_rank[::-1], as_text, pd.Series(chances)):
        pd.testing.assert_frame_equal(clicks_by_rank(TEN, examined), right)
    without = TEN[TEN["rank"] != 2]
    assert clicks_by_rank(without, by_rank.drop(2)).loc[3, "corrected rate"] == pytest.approx(3)
    with pytest.raises(
        ValueError, match="examined has no chance for rank 2; its index is 1, 3, 4 and 7 more"
    ):
        clicks_by_rank(TEN, by_rank.drop(2))
    with pytest.raises(ValueError, match="examined has 2 chances for rank 1"):
        clicks_by_rank(TEN, pd.concat([by_rank, by_rank]))
    with pytest.raises(ValueError, match="examined has 2 dimensions; needed a list"):
        clicks_by_rank(TEN, by_rank.to_frame())


def test_ranks_written_as_text_are_numbers():
    found = clicks_by_rank(TEN.assign(rank=TEN["rank"].astype(str)))
    assert found.index.tolist() == list(range(1, 12))
    twice = TEN.assign(rank=["1.0", "1", *map(str, range(3, 12))])
    with pytest.raises(ValueError, match="impression 0 has rank 1 twice"):
        clicks_by_rank(twice)


def test_a_blank_id_in_a_log_is_none():
    with pytest.raises(ValueError, match="doc_id is ' '; needed an id"):
        clicks_by_rank(TEN.assign(doc_id=[" ", *"abcdefghij"]))


@pytest.mark.parametrize("alpha", [5, 0, 1, "0.05"])
def test_no_drift_is_asked_for_at_a_level_that_is_none(alpha):
    with pytest.raises(ValueError, match="alpha is .*; needed a share between 0 and 1"):
        AccuracyMonitor().drift(alpha=alpha)


def test_feedback_that_is_wrong_is_called_feedback():
    with pytest.raises(ValueError, match="user_feedback: doc_id 101 is of type int; ids are text, use str"):
        AccuracyMonitor().log_query_result("q", ["101", "102"], user_feedback={101})


def test_a_window_of_a_size_from_numpy_is_kept_and_saved(tmp_path):
    monitor = monitor_of({"d1"}, window_size=np.int64(5), k=np.int64(2))
    monitor.save(tmp_path / "window.json")
    assert AccuracyMonitor.load(tmp_path / "window.json").calculate_online_metrics()["avg_precision"] == 0.5


@pytest.mark.parametrize("size", [0.2, 20.5, -20, "200"])
def test_the_size_of_an_experiment_is_a_whole_number(size):
    won = pd.DataFrame({"A": [0, 0, 0, 1], "B": [1, 1, 1, 0]})
    for power in (preference_power, lambda _, sizes: split_power([0, 0, 1], [0, 1, 1], sizes)):
        with pytest.raises(ValueError, match=f"size is {size!r}; needed a whole number of impressions"):
            power(won, [size])
