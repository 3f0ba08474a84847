"""`evaluate_retrieval` equals trec_eval (pytrec_eval is the same code) and refuses what would mislead."""

import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import metrics
from helpers.evaluation.conventions import CHOICES, Conventions
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.evaluation.fast_metrics import METRICS, find_metric
from helpers.evaluation.rankings import ranking
from helpers.evaluation.results import load_results, provenance, result_row, results_table, save_results
from helpers.records import Dataset, grade_of
from helpers.retrieval.retrievers import CsrBM25
from helpers.text import plain

K_VALUES = (1, 5, 10, 100)
TREC_NAMES = {
    **{f"nDCG@{k}": f"ndcg_cut_{k}" for k in K_VALUES},
    **{f"Recall@{k}": f"recall_{k}" for k in K_VALUES},
    **{f"P@{k}": f"P_{k}" for k in K_VALUES},
    **{f"Hit@{k}": f"success_{k}" for k in K_VALUES},
    **{f"MAP@{k}": f"map_cut_{k}" for k in K_VALUES},
    **{"nDCG": "ndcg", "MAP": "map", "MRR": "recip_rank", "Rprec": "Rprec", "bpref": "bpref"},
    "MRR@10": "MRR@10",
}
NAMES = list(TREC_NAMES)
LEFT_OUT = Conventions(missing_query="left out")


def trec_eval(run, qrels):
    """trec_eval's values for every query that run and qrels share: {query_id: [one for each of NAMES]}."""
    cut = {f"{m}.{','.join(map(str, K_VALUES))}" for m in ("ndcg_cut", "recall", "P", "success", "map_cut")}
    measures = cut | {"ndcg", "map", "recip_rank", "Rprec", "bpref"}
    # An empty ranking is unknown to trec_eval's files, and `success` crashes on one: all zeros.
    values = {q: [0.0] * len(NAMES) for q, results in run.items() if q in qrels and not results}
    run = {q: dict(results) for q, results in run.items() if results}
    found = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    # trec_eval has no MRR@k: its own whole MRR of the first k of its own ranking is that.
    first = {q: {d: -float(rank) for rank, d in enumerate(ranking(q, r)[:10])} for q, r in run.items()}
    cut_10 = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(first)
    for query_id, theirs in found.items():
        theirs["MRR@10"] = cut_10[query_id]["recip_rank"]
        values[query_id] = [theirs[TREC_NAMES[name]] for name in NAMES]
    return values


def assert_equals_trec_eval(run, qrels):
    theirs = trec_eval(run, qrels)
    nothing = [0.0] * len(NAMES)
    assert_is(evaluate_retrieval(run, qrels, metrics=NAMES), {q: theirs.get(q, nothing) for q in qrels})
    if theirs:
        found = evaluate_retrieval(run, qrels, metrics=NAMES, conventions=LEFT_OUT)
        assert_is(found, {q: theirs[q] for q in qrels if q in theirs})


def assert_is(found, values):
    """The same queries in the same order, the values of every metric for each, and the means of those."""
    assert list(found.per_query.index) == list(values)
    expected = np.array(list(values.values()))
    close = partial(np.testing.assert_allclose, rtol=0, atol=1e-9, err_msg=f"columns: {NAMES}")
    close(found.per_query.to_numpy(), expected)
    close(list(found.values()), expected.mean(axis=0))


# Ids that sort differently as numbers and as text; many ties, some scores apart by less than 32 bits tell.
DOC_IDS = [f"d{i}" for i in (1, 2, 9, 10, 11, 100)] + ["10", "9", "é", "Z", "a"]
SCORES = st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 1.0 + 1e-7, 2.5, -1.0, 1e-30, 3e38])
RUNS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q4"]),
    st.dictionaries(st.sampled_from(DOC_IDS), SCORES, max_size=11),
    min_size=1,
)
GRADES = st.dictionaries(st.sampled_from(DOC_IDS + ["unseen"]), st.integers(-3, 3), min_size=1)
# trec_eval itself hangs on a query with nothing but negative grades.
GRADES = GRADES.filter(lambda grades: max(grades.values()) >= 0)
QRELS = st.dictionaries(st.sampled_from(["q1", "q2", "q3", "q5"]), GRADES, min_size=1)


@given(RUNS, QRELS)
def test_every_query_and_mean_equals_trec_eval_on_ties_gaps_and_negative_grades(run, qrels):
    if run and not run.keys() & qrels.keys():
        return
    assert_equals_trec_eval(run, qrels)


@pytest.mark.parametrize("collection", ["everyday_science", "runbooks", "scifact"])
def test_real_runs_equal_trec_eval(collection, request):
    dataset = request.getfixturevalue(collection)
    run = CsrBM25(dataset.corpus, plain).search(dataset.queries, k=1000)
    assert_equals_trec_eval(run, dataset.qrels)
    rounded = {q: {d: float(round(score)) for d, score in run[q]} for n, q in enumerate(run) if n % 5}
    assert_equals_trec_eval(rounded, dataset.qrels)  # most scores tied, a fifth of the queries missing


@settings(max_examples=50)
@given(RUNS, QRELS)
def test_how_negative_a_grade_is_makes_no_difference(run, qrels):
    if not run.keys() & qrels.keys():
        return
    names = [*NAMES, "Judged@5"]
    lower = {q: {d: g if g >= 0 else -7 for d, g in grades.items()} for q, grades in qrels.items()}
    assert evaluate_retrieval(run, lower, metrics=names) == evaluate_retrieval(run, qrels, metrics=names)


def test_a_query_with_nothing_but_negative_grades_scores_zero():
    qrels = {"q": {"a": -1, "b": -3}}
    found = evaluate_retrieval({"q": [("a", 1.0)]}, qrels, metrics=[*NAMES, "Judged@1"])
    assert found.pop("Judged@1") == 1
    assert set(found.values()) == {0.0}


DEFINITIONS = {
    "nDCG@3": lambda ranked, grades, c: metrics.ndcg_at_k(ranked, grades, 3, c.gain),
    "P@3": lambda ranked, grades, c: metrics.precision_at_k(ranked, grades, 3, c.precision),
    "Recall@3": lambda ranked, grades, c: metrics.recall_at_k(ranked, grades, 3),
    "Hit@3": lambda ranked, grades, c: metrics.hit_at_k(ranked, grades, 3),
    "Judged@3": lambda ranked, grades, c: metrics.judged_at_k(ranked, grades, 3),
    "MAP": lambda ranked, grades, c: metrics.average_precision(ranked, grades),
    "MRR": lambda ranked, grades, c: metrics.reciprocal_rank(ranked, grades),
    "Rprec": lambda ranked, grades, c: metrics.r_precision(ranked, grades),
    "bpref": lambda ranked, grades, c: metrics.bpref(ranked, grades),
}
CONVENTIONS = st.builds(
    Conventions, **{choice: st.sampled_from(list(options)) for choice, options in CHOICES.items()}
)


def test_every_metric_has_a_definition_to_be_held_to():
    assert {name.partition("@")[0] for name in DEFINITIONS} == METRICS.keys()


@given(RUNS, QRELS, CONVENTIONS)
def test_all_queries_at_once_give_what_the_definitions_give_one_by_one(run, qrels, conventions):
    if not run.keys() & qrels.keys():
        return
    conventions = replace(conventions, missing_query="zero", no_relevant="zero")
    found = evaluate_retrieval(run, qrels, metrics=DEFINITIONS, conventions=conventions)
    for query_id, row in found.per_query.iterrows():
        ranked, grades = ranking(query_id, run.get(query_id, {}), conventions), qrels[query_id]
        if conventions.unjudged == "condensed":
            ranked = [doc_id for doc_id in ranked if doc_id in grades]
        expected = {name: definition(ranked, grades, conventions) for name, definition in DEFINITIONS.items()}
        assert row.to_dict() == pytest.approx(expected, abs=1e-12), query_id


def test_the_keys_are_the_usual_names():
    found = evaluate_retrieval({"q": [("d", 1.0)]}, {"q": {"d": 1}}, k_values=[1, 5, 10, 100])
    assert {"nDCG@10", "Recall@100", "P@5", "Judged@10", "MAP", "MRR"} <= found.keys()
    assert list(found.per_query.columns) == list(found)
    assert found["nDCG@10"] == 1.0


def test_pairs_and_dicts_give_the_same():
    pairs = {"q": [("b", 2.0), ("a", 1.0)]}
    dicts = {"q": dict(pairs["q"])}
    assert evaluate_retrieval(pairs, {"q": {"a": 1}}) == evaluate_retrieval(dicts, {"q": {"a": 1}})


def test_a_missing_query_counts_zero_and_an_unjudged_one_is_left_out_and_both_are_said():
    found = evaluate_retrieval({"q1": [("d", 1.0)], "q9": [("d", 1.0)]}, {"q1": {"d": 1}, "q2": {"d": 1}})
    assert found["MRR"] == (1 + 0) / 2
    assert (found.missing, found.unjudged) == (["q2"], ["q9"])
    assert "evaluated 1 of 2" in found.summary
    assert "linear gain" in str(found.conventions)


def test_a_search_that_finds_nothing_scores_zero():
    assert evaluate_retrieval({"q": []}, {"q": {"d": 1}})["nDCG@10"] == 0


def test_ids_of_another_form_are_no_bad_search():
    qrels = {f"q{n}": {f"d{n}": 1} for n in range(10)}
    other = {f"q{n}": [(f"idx/d{n}", 1.0)] for n in range(10)}
    with pytest.raises(
        ValueError, match="none of the run's 10 document ids is judged, e.g. 'idx/d0' in the run"
    ):
        evaluate_retrieval(other, qrels)
    assert evaluate_retrieval(other | {"q0": [("d5", 1.0)]}, qrels)["MRR"] == 0  # the ids are alike
    with pytest.warns(
        UserWarning, match="1 document id is judged, e.g. 'x' in the run and 'd0' in the qrels"
    ):
        assert evaluate_retrieval({"q0": [("x", 1.0)]}, qrels)["MRR"] == 0  # a toy may find nothing


@pytest.mark.parametrize(
    ("run", "qrels", "message"),
    [
        ({"x1": [("d", 1.0)]}, {"q1": {"d": 1}}, "none of the run's 1 queries .*'x1'.*'q1'.*wrong split"),
        ({"q": [("d", float("nan"))]}, {"q": {"d": 1}}, "'q', entry 1 .*NaN"),
        ({"q": [("d", "high")]}, {"q": {"d": 1}}, "'q', entry 1 .*'high' is not a number"),
        ({"q": [("a", np.float32(3)), ("b", "2")]}, {"q": {"d": 1}}, "'q', entry 2 .*'2' is not a number"),
        ({"q": [("a", None)]}, {"q": {"d": 1}}, "None is not a number"),
        ({"q": [("a", 1.0), ("b", 2.0)]}, {"q": {"d": 1}}, "'q'.*not sorted.*rank 2 .*'b'"),
        (
            {"q": [("a", 2.0), ("b", 1.0), ("a", 0.5)]},
            {"q": {"d": 1}},
            "'q'.*'a' stands at rank 1 and again at rank 3",
        ),
        ({"q": [(7, 1.0)]}, {"q": {"7": 1}}, "'q': doc_id 7 is of type int"),
        ({"q": [("7", 1.0)]}, {"q": {7: 1}}, "qrels, query 'q': doc_id 7 is of type int"),
        ({"q": {"a": 2.0, 7: 1.0}}, {"q": {"7": 1}}, "run, query 'q': doc_id 7 is of type int"),
        ({1: [("7", 1.0)]}, {"1": {"7": 1}}, "run: query_id 1 is of type int"),
        ({"q": [("d", 1.0)]}, {"q": {"d": 1.5}}, "'q', document 'd': grade 1.5"),
        ({"q": [("d", 1.0)]}, {}, "hold no query"),
        ({}, {"q": {"d": 1}}, "the run holds no query: nothing was searched, or its file was empty"),
        ([("d", 1.0)], {"q": {"d": 1}}, "run is a list; give a dict"),
        (None, {"q": {"d": 1}}, "run is a NoneType"),
        ({"q": [("d", 1.0)]}, {"q": ["d"]}, "qrels, query 'q': list in place of a dict"),
        ({"q": [("d", 1.0)]}, {"d": 1}, "qrels, query 'd': int in place of a dict"),
        (
            {"q": [("d", 1.0)]},
            {"q": {"d": 10**19}},
            "'q', document 'd': grade 10000000000000000000 is out of range",
        ),
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


def test_arrays_of_ids_and_scores_are_taken():
    run = {"q": (np.array(["a", "b"]), np.array([2, 1], dtype=np.float32))}
    assert evaluate_retrieval(run, {"q": {"b": 1}}, metrics=["MRR"])["MRR"] == 0.5


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ndcg@10", "no metric 'ndcg@10'; did you mean 'nDCG@10'"),
        ("Recal@100", "did you mean 'Recall@100'"),
        ("Precision@5", "there is no metric 'Precision@5'; did you mean 'P@5'"),
        ("nDCG@0", "there is no metric 'nDCG@0'; did you mean 'nDCG@10'"),
        ("P@010", "there is no metric 'P@010'; did you mean 'P@10'"),
        ("P@99999999999999999999", "there is no metric"),
        ("success@5", "did you mean 'Hit@5'"),
        ("nDCG@ten", "there is no metric 'nDCG@ten'"),
        ("nDCG@", "there is no metric 'nDCG@'"),
        ("Recall", "there is no metric 'Recall'"),
        ("bpref@10", "there is no metric 'bpref@10'; did you mean 'bpref'"),
        ("Rprec@10", "there is no metric 'Rprec@10'; did you mean 'Rprec'"),
        (10, "there is no metric 10"),
    ],
)
def test_a_metric_that_there_is_not_is_refused_with_what_is_near(name, message):
    with pytest.raises(ValueError, match=message):
        evaluate_retrieval({"q": [("d", 1.0)]}, {"q": {"d": 1}}, metrics=[name])


def test_a_metric_is_found_with_or_without_a_cut_off_as_the_table_of_metrics_says():
    for metric in METRICS.values():
        for name, k, refused_if in ((metric.name, None, "needed"), (f"{metric.name}@7", 7, "never")):
            if metric.cut_off == refused_if:
                with pytest.raises(ValueError, match=f"there is no metric '{name}'"):
                    find_metric(name)
            else:
                assert find_metric(name) == (metric, k)


def test_the_grade_of_a_relevant_document_matters_where_the_table_of_metrics_says_so():
    run, grades = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"a": 1, "b": 0, "c": 3, "x": 2}
    yes_no = {doc_id: min(grade, 1) for doc_id, grade in grades.items()}
    names = {f"{m.name}@3" if m.cut_off == "needed" else m.name: m for m in METRICS.values()}
    graded, binary = (evaluate_retrieval(run, {"q": found}, metrics=names) for found in (grades, yes_no))
    assert {name: graded[name] != binary[name] for name in names} == {n: m.graded for n, m in names.items()}


@pytest.mark.parametrize("names", ["nDCG@10", [], {"MRR", "MAP"}, 5])
def test_metrics_are_a_list_of_names(names):
    with pytest.raises(ValueError, match="^metrics is "):
        evaluate_retrieval({"q": [("d", 1.0)]}, {"q": {"d": 1}}, metrics=names)


def test_only_the_asked_metrics_come_back_in_the_asked_order():
    names = ["Hit@5", "bpref", "nDCG@3", "MRR@10", "MAP", "Rprec"]
    found = evaluate_retrieval({"q": [("d", 1.0)]}, {"q": {"d": 1}}, metrics=(name for name in names))
    assert list(found) == list(found.per_query.columns) == names
    assert set(found.values()) == {1.0}


def test_a_gain_that_no_number_can_hold_is_refused():
    run, exponential = {"q": {"a": 1.0}}, Conventions(gain="exponential")
    assert evaluate_retrieval(run, {"q": {"a": 999}}, conventions=exponential)["nDCG@1"] == 1
    message = "'q', document 'a': grade 1024 is out of range; needed one below 1,000"
    with pytest.raises(ValueError, match=message):
        evaluate_retrieval(run, {"q": {"a": 1024}}, conventions=exponential)


@pytest.mark.parametrize(
    "wrong", [{"k_values": 10}, {"k_values": []}, {"k_values": None}, {"conventions": "TREC"}]
)
def test_other_arguments_are_refused_by_name(wrong):
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))} is "):
        evaluate_retrieval({"q": [("d", 1.0)]}, {"q": {"d": 1}}, **wrong)


@pytest.mark.parametrize("k_values", [np.array([1, 5]), pd.Series([1, 5]), pd.Index([1, 5]), range(1, 6, 4)])
def test_cut_offs_may_come_in_any_sequence(k_values):
    given = ({"q": [("d", 1.0)]}, {"q": {"d": 1}})
    assert evaluate_retrieval(*given, k_values=k_values) == evaluate_retrieval(*given, k_values=[1, 5])


def test_a_run_and_judgments_that_changed_places_are_suspected():
    qrels = {"q1": {"d1": 1, "d9": 1}}
    scores = {f"d{rank}": 9 - rank for rank in range(5)}
    with pytest.warns(UserWarning, match="have the two changed places. The run comes first, then the qrels"):
        evaluate_retrieval(qrels, {"q1": scores})
    for run in ({"q1": {"d1": 2.5}}, {"q1": [("d1", 2.0)]}):
        with pytest.raises(ValueError, match="have the two changed places"):
            evaluate_retrieval(qrels, run)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate_retrieval({"q1": scores}, qrels)
    with pytest.raises(ValueError, match="is not a whole number"):
        evaluate_retrieval({"q1": [("d1", 2.0)]}, {"q1": {"d1": 0.5}})


def test_a_table_of_results_says_which_row_is_none():
    evaluation = evaluate_retrieval({"q": [("d", 1.0)]}, {"q": {"d": 1}})
    for made in (results_table, provenance):
        with pytest.raises(
            ValueError, match="row 1, of type Evaluation, lacks 'dataset'.*make it with result_row"
        ):
            made([evaluation])
    with pytest.raises(ValueError, match="rows is of type Evaluation; give a list"):
        results_table(evaluation)


def test_a_grade_that_is_a_number_already_is_itself():
    assert grade_of(2, "line 7") == grade_of("2", "line 7") == 2
    for wrong in (2.0, None, True, 10**9):
        with pytest.raises(ValueError, match="line 7: grade .* is not a whole number of at most nine digits"):
            grade_of(wrong, "line 7")


@pytest.mark.parametrize("judged", ["d1 ", " d1", "d1\r", "\u00a0d1"])
def test_an_id_that_differs_by_blanks_around_it_is_named_on_either_side(judged):
    with pytest.raises(ValueError, match="query 'q1': document .* in the qrels is 'd1' in the run; take"):
        evaluate_retrieval({"q1": {"d1": 2.0}, "q2": {"d2": 1.0}}, {"q1": {judged: 1}, "q2": {"d2": 1}})
    with pytest.raises(ValueError, match="query 'q1': document 'd1' in the qrels is .* in the run; take"):
        evaluate_retrieval({"q1": {judged: 2.0}, "q2": {"d2": 1.0}}, {"q1": {"d1": 1}, "q2": {"d2": 1}})
    with pytest.raises(ValueError, match="query 'q1' in the qrels is .* in the run; take the blanks away"):
        evaluate_retrieval(
            {judged.replace("d", "q"): {"d1": 1.0}, "q2": {}}, {"q1": {"d1": 1}, "q2": {"d": 1}}
        )


def test_ids_with_blanks_that_are_the_same_on_both_sides_are_ids():
    assert evaluate_retrieval({"q1": {"d1 ": 2.0}}, {"q1": {"d1 ": 1, "d1": 1}}, metrics=["MRR"])["MRR"] == 1


@pytest.mark.parametrize("first", [1, 0])
def test_ranks_in_place_of_scores_are_warned_of(first):
    docs = [f"d{i}" for i in range(6)]
    run = {f"q{i}": {doc: rank for rank, doc in enumerate(docs, first)} for i in range(5)}
    qrels = {query_id: {"d0": 1} for query_id in run}
    with pytest.warns(UserWarning, match="as ranks are, but the highest score is the best; .* give .* -rank"):
        assert evaluate_retrieval(run, qrels)["MRR"] == pytest.approx(1 / 6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        best_first = {q: {doc: 6 - rank for rank, doc in enumerate(docs)} for q in run}
        evaluate_retrieval(best_first, qrels)  # scores that were made of ranks
        evaluate_retrieval(run | {"q1": {"d0": 2.5, "d1": 0.5}}, qrels)
        evaluate_retrieval({"q1": run["q1"]}, {"q1": {"d0": 1}})  # of one query nobody knows


def test_a_measure_of_another_package_is_named_by_what_it_prints():
    class Measure:
        def __repr__(self):
            return "nDCG@10"

    with pytest.raises(ValueError, match="nDCG@10: it is of type Measure; needed a name as text, 'nDCG@10'"):
        evaluate_retrieval({"q": [("d", 1.0)]}, {"q": {"d": 1}}, metrics=[Measure()])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"dataset": "toy"}\n{"dataset": "toy"}\n', r"records one after the other \(JSONL\)"),
        ('{"dataset": "toy"}', "a dict"),
        ('[{"dataset": "toy"}', "is no JSON"),
    ],
)
def test_a_file_of_other_rows_is_told_from_a_result_file_and_never_to_be_deleted(tmp_path, text, words):
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(
        ValueError, match=f"{words}.*; needed one list of rows in JSON, as save_results"
    ) as said:
        load_results(tmp_path / "r.json")
    assert "delete" not in str(said.value)


def rows_of_two_systems():
    corpus, queries, qrels = {"d1": "a cat", "d2": "a dog"}, {"q1": "cat"}, {"q1": {"d1": 1}}
    toy = Dataset("toy", "test", corpus, queries, qrels, source="by hand")
    found = evaluate_retrieval({"q1": [("d1", 1.0)]}, qrels, metrics=["MAP", "nDCG@10"])
    return [result_row(toy, system, found) for system in ("A", "B")]


def test_rows_that_can_be_read_only_once_are_all_in_the_table():
    rows = rows_of_two_systems()
    assert results_table(iter(rows)).equals(results_table(rows))
    assert provenance(iter(rows)) == provenance(rows) != []


@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        ("MAP", r"metrics is 'MAP'; give a list of names, such as \['nDCG@10'\]"),
        (["map"], "no row has the metric 'map'; they have nDCG@10, MAP"),
        (["P@5"], "no row has the metric 'P@5'; they have nDCG@10, MAP"),
    ],
)
def test_a_metric_that_no_row_has_is_no_empty_column(metrics, words):
    with pytest.raises(ValueError, match=words):
        results_table(rows_of_two_systems(), metrics)


def test_a_row_of_results_has_a_name_and_published_figures_by_metric(tmp_path):
    toy = Dataset("toy", "test", {"d1": "a"}, {"q1": "a"}, {"q1": {"d1": 1}}, source="by hand")
    found = evaluate_retrieval({"q1": [("d1", 1.0)]}, toy.qrels)
    with pytest.raises(ValueError, match="system is a NoneType; needed a str; give its name"):
        result_row(toy, None, found)
    with pytest.raises(ValueError, match="published is a float; needed a dict {metric: value}"):
        result_row(toy, "A", found, published=0.68)
    with pytest.raises(ValueError, match="name is a list; needed a str; give the name of the file"):
        save_results(rows_of_two_systems(), "bm25", tmp_path)


@pytest.mark.parametrize(
    ("results", "taken"),
    [
        (
            pd.DataFrame({"doc_id": ["d1", "d2"], "score": [2.0, 1.0]}),
            lambda t: list(zip(t["doc_id"], t["score"], strict=True)),
        ),
        (pd.Series({"d1": 2.0, "d2": 1.0}), dict),
    ],
)
def test_results_in_a_table_are_told_how_they_become_pairs(results, taken):
    qrels = {"q1": {"d2": 1}}
    with pytest.raises(
        ValueError, match=f"run, query 'q1': a {type(results).__name__}, where pairs or a dict"
    ):
        evaluate_retrieval({"q1": results}, qrels)
    assert evaluate_retrieval({"q1": taken(results)}, qrels)["MRR"] == 0.5


@pytest.mark.parametrize(
    ("grade", "cure"),
    [
        (2.0, "; use int(), where all grades are whole"),
        (0.5, "; multiply all grades by a number that makes them whole"),
        (np.nan, "; leave out what nobody graded"),
    ],
)
def test_the_cure_of_a_grade_keeps_what_it_says(grade, cure):
    with pytest.raises(ValueError) as error:
        evaluate_retrieval({"q1": [("d1", 1.0)]}, {"q1": {"d1": grade}})
    assert str(error.value) == f"qrels, query 'q1', document 'd1': grade {grade} is not a whole number{cure}"
