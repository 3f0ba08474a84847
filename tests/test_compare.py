"""A comparison says who wins by how much, on which queries, on what that rests, or refuses to compare."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import stats
from helpers.base.tables import escape_markdown, latex_table, markdown_table
from helpers.evaluation.compare import compare
from helpers.evaluation.conventions import Conventions
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.retrieval.retrievers import CsrBM25, RankBM25

A = {"q1": 0.2, "q2": 0.4, "q3": 0.6, "q4": 0.5}
B = {"q1": 0.5, "q2": 0.4, "q3": 0.9, "q4": 0.3}
C = {"q1": 0.1, "q2": 0.1, "q3": 0.1, "q4": 0.1}
SCORES = st.lists(st.integers(0, 10).map(lambda tenths: tenths / 10), min_size=6, max_size=6)


def scores(values):
    return {f"q{number}": value for number, value in enumerate(values)}


@pytest.fixture(scope="module")
def evaluations(runbooks):
    systems = {
        "rank-bm25": RankBM25(runbooks.corpus),
        "Lucene": CsrBM25(runbooks.corpus),
        "tf_idf": CsrBM25(runbooks.corpus, variant="tf-idf"),
    }
    runs = {name: system.search(runbooks.queries, k=160) for name, system in systems.items()}
    return {name: evaluate_retrieval(run, runbooks.qrels) for name, run in runs.items()}


def test_means_differences_wins_ties_and_losses_are_those_of_the_queries():
    row = compare({"A": A, "B": B}).table.loc["B"]
    assert row["mean"] == pytest.approx((0.5 + 0.4 + 0.9 + 0.3) / 4)
    assert row["difference"] == pytest.approx((0.3 + 0 + 0.3 - 0.2) / 4)
    assert (row["win"], row["tie"], row["loss"]) == (2, 1, 1)
    assert row["low"] < row["mean"] < row["high"]
    assert row["diff low"] < row["difference"] < row["diff high"]


def test_scores_are_paired_by_query_and_not_by_position():
    shuffled = dict(reversed(B.items()))
    assert compare({"A": A, "B": shuffled}).table.equals(compare({"A": A, "B": B}).table)


def test_the_baseline_is_not_compared_with_itself():
    table = compare({"A": A, "B": B}).table
    assert table.loc["A", "difference":].isna().all()
    assert table.loc["A", ["mean", "low", "high"]].notna().all()


def test_all_systems_see_the_same_resamples():
    table = compare({"A": A, "B": B, "same": dict(B)}).table
    assert table.loc["B"].equals(table.loc["same"])


def test_the_seed_makes_a_comparison_repeatable():
    first, again = (compare({"A": A, "B": B}, n_resamples=200, rng=np.random.default_rng(7)) for _ in "12")
    assert first.table.equals(again.table)


def test_p_values_are_scipys(evaluations):
    def p(test):
        return compare(evaluations, test=test).table.loc["Lucene", "p"]

    a, b = (evaluations[name].per_query["nDCG@10"] for name in ("rank-bm25", "Lucene"))
    assert p("t") == pytest.approx(scipy.stats.ttest_rel(b, a).pvalue)
    assert p("wilcoxon") == pytest.approx(scipy.stats.wilcoxon((b - a).round(12)).pvalue)
    drawn = {"n_resamples": 20_000, "vectorized": True, "random_state": np.random.default_rng(0)}
    permuted = scipy.stats.permutation_test((b - a,), np.mean, permutation_type="samples", **drawn)
    assert p("randomisation") == pytest.approx(permuted.pvalue, abs=0.02)


def test_holm_corrects_over_every_system_that_is_compared():
    table = compare({"A": A, "B": B, "C": C}, test="t").table
    small, large = sorted(table["p"].dropna())
    assert sorted(table["corrected p"].dropna()) == pytest.approx([2 * small, max(2 * small, large)])


def test_holm_corrects_over_all_metrics_together(evaluations):
    metrics = ["nDCG@10", "MRR", "Recall@100"]
    table = compare(evaluations, metrics, test="t").table
    assert table["p"].notna().sum() == 6
    smallest = table["p"].idxmin()
    assert table.loc[smallest, "corrected p"] == pytest.approx(min(1, 6 * table.loc[smallest, "p"]))


def test_without_a_correction_there_is_no_corrected_p():
    found = compare({"A": A, "B": B, "C": C}, correction=None)
    assert "corrected p" not in found.table
    assert "not corrected for 2 comparisons; † where p < 0.05" in str(found)


def test_max_t_gives_p_values_and_intervals_that_hold_together(evaluations):
    single, joint = (
        compare(evaluations, correction=c).table.drop(index="rank-bm25") for c in (None, "max-t")
    )
    assert joint["p"].equals(single["p"])
    assert (joint["corrected p"] >= joint["p"]).all()
    assert (joint["corrected p"] <= np.minimum(1, 2 * joint["p"]) + 0.005).all()  # Bonferroni's, near enough
    assert (joint["diff high"] - joint["diff low"] > single["diff high"] - single["diff low"]).all()
    assert joint[["mean", "low", "high"]].equals(single[["mean", "low", "high"]])
    assert "their intervals hold together" in str(compare(evaluations, correction="max-t"))
    assert "their intervals are each for itself" in str(compare(evaluations))


def test_max_t_is_joined_to_the_flips_and_errors_that_it_rests_on():
    for other in ({"test": "t"}, {"interval": "bca"}):
        with pytest.raises(ValueError, match="needed test='randomisation' and interval='t'"):
            compare({"A": A, "B": B}, correction="max-t", **other)


def test_several_metrics_give_what_one_after_the_other_gives(evaluations):
    both = compare(evaluations, ["MRR", "nDCG@10"], test="t", correction=None)
    alone = compare(evaluations, "nDCG@10", test="t", correction=None)
    pd.testing.assert_frame_equal(both.table.loc["nDCG@10"], alone.table)
    pd.testing.assert_frame_equal(both.per_query["nDCG@10"], alone.per_query)
    assert both.differences("Lucene", metric="nDCG@10").equals(alone.differences("Lucene"))


def test_an_interval_is_by_t_or_by_the_bootstrap_as_asked():
    pair, ends = {"A": A, "B": B}, ["diff low", "diff high"]
    differences = compare(pair).differences("B")
    assert compare(pair).table.loc["B", ends].tolist() == pytest.approx(stats.t_interval(differences))
    assert "with 95 % t intervals." in str(compare(pair))
    for method, words in (("percentile", "percentile bootstrap"), ("bca", "BCa bootstrap")):
        found = compare(pair, interval=method, n_resamples=500)
        drawn = stats.bootstrap_interval(differences, n_resamples=500, method=method)
        assert found.table.loc["B", ends].tolist() == pytest.approx(drawn)
        assert f"95 % {words} intervals (500 resamples)" in str(found)


@settings(max_examples=15, deadline=None)
@given(SCORES, SCORES)
def test_the_default_interval_holds_0_exactly_where_the_t_test_finds_nothing(a, b):
    row = compare({"A": scores(a), "B": scores(b)}, test="t").table.loc["B"]
    if row["diff low"] < row["diff high"]:
        assert (row["diff low"] <= 0 <= row["diff high"]) == (row["p"] >= 0.05)


@settings(max_examples=15, deadline=None)
@given(SCORES, SCORES)
def test_seen_from_the_other_side_every_win_is_a_loss(a, b):
    systems = {"A": scores(a), "B": scores(b)}
    a_first, b_first = (compare(systems, baseline=name, n_resamples=100).table for name in "AB")
    gain, loss = a_first.loc["B"], b_first.loc["A"]
    assert gain["difference"] == -loss["difference"]
    assert (gain["win"], gain["tie"], gain["loss"]) == (loss["loss"], loss["tie"], loss["win"])
    assert gain["p"] == loss["p"] <= gain["corrected p"] <= 1


@pytest.mark.parametrize("test", ["randomisation", "t", "wilcoxon"])
def test_systems_without_a_difference_are_not_told_apart(test):
    row = compare({"A": A, "B": dict(A)}, test=test).table.loc["B"]
    assert (row["difference"], row["diff low"], row["diff high"], row["p"], row["tie"]) == (0, 0, 0, 1, 4)


def test_rounding_error_is_a_tie():
    row = compare({"A": {"q1": 0.3, "q2": 0.5}, "B": {"q1": 0.1 + 0.2, "q2": 0.5}}).table.loc["B"]
    assert (row["win"], row["tie"]) == (0, 2)


def test_judged_at_k_stands_at_the_metrics_own_k(evaluations):
    table = compare(evaluations, ["nDCG@10", "Recall@100", "MRR"]).table
    for metric, name in (("nDCG@10", "Judged@10"), ("Recall@100", "Judged@100"), ("MRR", "Judged@10")):
        assert table.loc[(metric, "tf_idf"), "judged@k"] == evaluations["tf_idf"][name]
    assert "judged@k" not in compare({"A": A, "B": B}).table


def test_scores_may_come_in_any_form(evaluations):
    forms = {
        "evaluation": evaluations["Lucene"],
        "report": SimpleNamespace(evaluation=evaluations["Lucene"]),
        "frame": evaluations["Lucene"].per_query,
        "series": evaluations["Lucene"].per_query["nDCG@10"],
        "dict": evaluations["Lucene"].per_query["nDCG@10"].to_dict(),
    }
    found = compare(forms, n_resamples=100)
    assert found.table["mean"].nunique() == 1
    assert found.table.loc["dict", "tie"] == 30


def test_a_column_of_query_ids_pairs_as_an_index_does():
    frames = {name: pd.DataFrame({"nDCG@10": scores}) for name, scores in (("A", A), ("B", B))}
    expected = compare(frames)
    read = {name: frame.rename_axis("query_id").reset_index() for name, frame in frames.items()}
    read["B"] = read["B"].iloc[::-1]
    for frame in (read["B"], read["B"].reset_index(drop=True)):
        found = compare(read | {"B": frame})
        assert found.table.equals(expected.table) and found.per_query.equals(expected.per_query)
    with pytest.raises(ValueError, match="system 'B': query_id 7 is of type int"):
        compare(read | {"B": read["B"].assign(query_id=7)})


def test_scores_without_query_ids_are_paired_by_position_in_every_test():
    for test in ("randomisation", "t", "wilcoxon"):
        listed = compare({"A": list(A.values()), "B": pd.Series(list(B.values()))}, test=test)
        assert listed.table.equals(compare({"A": A, "B": B}, test=test).table)


@pytest.mark.parametrize("missing", ["error", "zero"])
def test_scores_without_query_ids_are_not_padded(missing):
    with pytest.raises(ValueError, match="'A' has query_ids and system 'B' has none; give both with ids"):
        compare({"A": A, "B": list(B.values())}, missing=missing)
    with pytest.raises(ValueError, match="3 scores in system 'A' and 2 in system 'C' without query_ids"):
        compare({"A": [0.1, 0.2, 0.3], "B": [0.1, 0.2, 0.4], "C": [0.1, 0.2]}, missing=missing)


# What a comparison rests on


def test_the_conventions_are_those_of_the_evaluations_and_unknown_for_plain_scores(evaluations):
    assert compare(evaluations).conventions == Conventions()
    lucene = evaluations["Lucene"]
    mixed = compare({"Lucene": lucene, "own": lucene.per_query["nDCG@10"].to_dict()})
    assert mixed.conventions is None
    assert "Conventions: not known" in str(mixed)


def evaluated(qrels, run=None, **conventions):
    run = {query_id: [("d1", 1.0)] for query_id in qrels} if run is None else run
    return evaluate_retrieval(run, qrels, metrics=["nDCG@10"], conventions=Conventions(**conventions))


QRELS = {"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d1": 2, "d2": 1}}


def test_different_conventions_are_an_error_that_names_them():
    message = "'A' and 'B' were evaluated under different conventions: gain is 'linear' and 'exponential'"
    with pytest.raises(ValueError, match=message):
        compare({"A": evaluated(QRELS), "B": evaluated(QRELS, gain="exponential")})


def test_different_judged_queries_are_an_error_even_where_missing_ones_count_zero():
    fewer = {query_id: QRELS[query_id] for query_id in ("q1", "q2")}
    message = r"differ in their judged queries: only 'A' has 1 \('q3'\), only 'B' has none"
    with pytest.raises(ValueError, match=message):
        compare({"A": evaluated(QRELS), "B": evaluated(fewer)}, missing="zero")


def test_evaluations_by_different_labels_are_not_paired_and_the_pairs_that_differ_are_named():
    other = QRELS | {"q2": {"d2": 0}, "q3": {"d1": 2}}
    message = (
        "'A' and 'B' were judged by different labels, which differ in 2 grades: query 'q2', document 'd2': "
        "1 and 0; query 'q3', document 'd2': 1 and None; evaluate both with the same qrels"
    )
    with pytest.raises(ValueError, match=message):
        compare({"A": evaluated(QRELS), "B": evaluated(other)})


def test_the_same_labels_in_another_order_are_the_same():
    turned = {query_id: dict(reversed(grades.items())) for query_id, grades in reversed(QRELS.items())}
    assert evaluated(turned).fingerprint == evaluated(QRELS).fingerprint
    assert compare({"A": evaluated(QRELS), "B": evaluated(turned)}).table.loc["B", "tie"] == 3


def test_labels_that_were_changed_between_two_evaluations_are_seen():
    qrels = {query_id: dict(grades) for query_id, grades in QRELS.items()}
    before = evaluated(qrels)
    qrels["q1"]["d9"] = 2
    with pytest.raises(ValueError, match="differ in 1 grade: query 'q1', document 'd9': None and 2"):
        compare({"A": before, "B": evaluated(qrels)})


def test_a_query_that_one_system_lacks_is_an_error_or_counts_zero_and_is_named():
    partial = evaluated(QRELS, {"q1": [("d1", 1.0)], "q3": [("d1", 1.0)]}, missing_query="left out")
    whole = evaluated(QRELS, missing_query="left out")
    message = r"'B' lacks 1 \('q2'\); run all systems on the same queries, or count"
    with pytest.raises(ValueError, match=message):
        compare({"A": whole, "B": partial})
    found = compare({"A": whole, "B": partial}, missing="zero")
    assert len(found.per_query) == 3
    assert found.per_query.loc["q2", "B"] == 0
    assert found.counted_zero == {"B": ["q2"]}
    assert "B lacks 1 query, which counts 0." in found.to_markdown()


@pytest.mark.parametrize(
    ("reports", "arguments", "message"),
    [
        ({"A": A}, {}, "reports is 1 system; needed"),
        ([A, B], {}, "reports is a list; needed"),
        ({1: A, "B": B}, {}, "reports: system 1 is of type int"),
        (
            {"bm25": A, "B": B},
            {"baseline": "bm-25"},
            "baseline is 'bm-25', which is none of the systems 'bm25', 'B'; did you mean 'bm25'",
        ),
        ({"A": A, "B": B | {"q2": float("nan")}}, {}, "system 'B', query 'q2': the score is nan"),
        ({"A": A, "B": B | {"q2": None}}, {}, "system 'B', query 'q2': the score is None"),
        ({"A": A, "B": pd.Series([1.0, 0.5], index=["q1", "q1"])}, {}, "system 'B': query 'q1' stands twice"),
        ({"A": A, "B": {}}, {}, "system 'B' holds no score"),
        (
            {"A": A, "B": {"q1": [("d1", 1.0)]}},
            {},
            "system 'B' is a run, not scores: .* give evaluate_retrieval",
        ),
        ({"A": A, "B": 0.5}, {}, "system 'B' is a float"),
        ({"A": {"q1": 0.5}, "B": {"q1": 1.0}}, {}, "1 query; needed two or more"),
        ({"A": A, "B": {7: 1.0}}, {}, "system 'B': query_id 7 is of type int"),
        (
            {"A": A, "B": pd.DataFrame({"MRR": B})},
            {},
            "system 'B' was not measured in 'nDCG@10', only in MRR; evaluate it with",
        ),
        ({"A": A, "B": B}, {"metric": ["MRR", "MAP"]}, "system 'A': plain scores are of one metric"),
        ({"A": A, "B": B}, {"metric": []}, r"metric is \[\]"),
        ({"A": A, "B": B}, {"metric": ["MRR", "MRR"]}, "list of names without repeats"),
        ({"A": A, "B": B}, {"metric": 10}, "metric is 10; needed a name"),
        ({"A": A, "B": B}, {"test": "chi2"}, "test is 'chi2'; it can be 'randomisation'"),
        ({"A": A, "B": B}, {"correction": "bonferroni"}, "correction is 'bonferroni'; it can be 'holm'"),
        ({"A": A, "B": B}, {"missing": "drop"}, "missing is 'drop'"),
        ({"A": A, "B": B}, {"confidence": 95}, "confidence is 95"),
        ({"A": A, "B": B}, {"n_resamples": 0}, "n_resamples is 0"),
        ({"A": A, "B": B}, {"interval": "BCa"}, "interval is 'BCa'; it can be 't' or 'percentile' or 'bca'"),
    ],
)
def test_what_cannot_be_compared_is_refused_by_name(reports, arguments, message):
    with pytest.raises(ValueError, match=message):
        compare(reports, **arguments)


# Which queries moved


def test_the_queries_that_moved_most_come_first_and_ties_never():
    moved = compare({"A": A, "B": B}).moved("B")
    assert list(moved.index) == ["q1", "q3", "q4"]
    assert moved["difference"].tolist() == [0.3, 0.3, -0.2]
    assert moved.loc["q4", ["A", "B"]].tolist() == [0.5, 0.3]
    assert list(compare({"A": A, "B": B}).moved("B", n=1).index) == ["q1"]


def test_the_baseline_and_a_stranger_have_not_moved():
    for name in ("A", "Z"):
        with pytest.raises(ValueError, match=f"system is '{name}'; it can be 'B'"):
            compare({"A": A, "B": B}).moved(name)


# Tables for others


def test_every_exported_table_says_what_it_rests_on(evaluations):
    found = compare(evaluations, test="t")
    for text in (str(found), found.to_markdown(), found.to_latex(), found._repr_html_()):
        assert all(
            words in text
            for words in ("nDCG@10", "30 queries", "paired t-test", "Holm", "2 comparisons", "linear gain")
        )


def test_names_are_escaped_for_where_they_go():
    name = "a_b & 50% #1 |x| <i> {$^~\\"
    found = compare({"base": A, name: B})
    latex = r"a\_b \& 50\% \#1 |x| $<$i$>$ \{\$\textasciicircum{}\textasciitilde{}\textbackslash{} &"
    assert latex in found.to_latex()
    assert "| a\\_b & 50% #1 \\|x\\| \\<i\\> {\\$^~\\\\ " in found.to_markdown()
    assert "<td>a_b &amp; 50% #1 |x| &lt;i&gt; {$^~\\</td>" in found._repr_html_()


def test_a_latex_table_has_as_many_cells_in_every_row_and_closes_what_it_opens(evaluations):
    for found in (compare(evaluations), compare(evaluations, ["nDCG@10", "MRR"])):
        latex = found.to_latex()
        rows = [line for line in latex.splitlines() if line.endswith("\\\\")]
        columns = len(re.search(r"\\begin\{tabular\}\{([lr]+)\}", latex)[1])
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {columns}
        assert not re.search(r"(?<!\\)%", latex.partition("\n")[2])  # it would comment out the rest of a row
        assert len(re.findall(r"(?<!\\)\{", latex)) == len(re.findall(r"(?<!\\)\}", latex))
        assert [latex.count(f"\\{rule}rule") for rule in ("top", "mid", "bottom")] == [1, 1, 1]


def test_the_best_mean_of_each_metric_is_bold_and_so_are_its_equals():
    assert re.findall(r"\*\*(.*?)\*\*", compare({"A": A, "B": B, "C": C}).to_markdown()) == ["0.525"]
    assert compare({"A": A, "B": dict(A)}).to_latex().count("\\textbf{0.425}") == 2
    frames = {"A": pd.DataFrame({"x": A, "y": C}), "B": pd.DataFrame({"x": C, "y": B})}
    assert re.findall(r"\*\*(.*?)\*\*", compare(frames, ["x", "y"]).to_markdown()) == ["0.425", "0.525"]


def test_a_mark_stands_where_the_corrected_p_is_below_alpha_and_nowhere_else():
    better = {
        "A": scores(np.arange(20) / 40),
        "B": scores(np.arange(20) / 40 + 0.3),
        "C": scores(np.arange(20) / 40 + 0.001 * (-1) ** np.arange(20)),
    }
    found = compare(better)
    assert found.table["corrected p"].lt(0.05).tolist() == [False, True, False]
    for text, mark in ((found.to_markdown(), "†"), (found.to_latex(), "$^\\dagger$")):
        rows = [line for line in text.splitlines() if re.match(r"(\| )?[ABC] ", line)]
        assert [mark in row for row in rows] == [False, True, False]


def test_a_row_that_begins_with_a_bracket_is_not_an_argument_of_the_row_above():
    cells = pd.DataFrame({"system": ["[x]"], "mean": ["-0.5"]})
    assert "\n{}[x] & $-$0.5 \\\\" in latex_table(cells, cells == "", [])


def test_a_link_in_a_name_is_no_link():
    assert escape_markdown("[bm25](x)") == "[bm25]\\(x)"


def test_dollars_in_a_name_are_no_formula():
    assert escape_markdown("$a$ b$") == "\\$a\\$ b\\$"


def test_notes_are_lines_of_their_own_in_markdown():
    cells = pd.DataFrame({"system": ["x"], "mean": ["0.5"]})
    assert markdown_table(cells, cells == "0.5", ["one", "two"]).endswith("| **0.5** |\n\none  \ntwo")


EVALUATED = evaluate_retrieval({"q1": [("d1", 1.0)], "q2": [("d2", 1.0)]}, {"q1": {"d1": 1}, "q2": {"d1": 1}})


@pytest.mark.parametrize(
    "means",
    [
        dict(EVALUATED),
        {"MAP": 0.3, "MRR": 0.6},
        {"metrics": {"nDCG@10": 0.5}},
        {"dataset": "toy", "system": "x", "metrics": {"nDCG@10": 0.5}, "published": {}},
    ],
)
def test_means_and_rows_of_results_are_not_compared_as_if_they_were_queries(means):
    with pytest.raises(
        ValueError, match="system 'A' holds the means of metrics .*; give the Evaluation, or its"
    ):
        compare({"A": means, "B": means})


def test_the_mean_of_trec_eval_is_not_compared_as_a_query():
    one, other = {"q1": 0.1, "q2": 0.5, "all": 0.3}, {"q1": 0.2, "q2": 0.6, "all": 0.4}
    with pytest.raises(
        ValueError, match="system 'A': row 'all' holds the mean of the 2 others; leave it out"
    ):
        compare({"A": one, "B": other})


def test_a_frame_whose_ids_have_another_name_is_not_compared_by_position():
    one = pd.DataFrame({"qid": ["q1", "q2", "q3"], "nDCG@10": [0.1, 0.2, 0.3]})
    with pytest.raises(ValueError, match="system 'A' has a column 'qid' of ids.*call it query_id"):
        compare({"A": one, "B": one[::-1].reset_index(drop=True)})
    named = one.rename(columns={"qid": "query_id"})
    assert compare({"A": named, "B": named[::-1]}).table.loc["B", "difference"] == 0


def test_series_that_are_named_after_another_metric_are_told(evaluations, recwarn):
    one, other = (found.per_query for found in list(evaluations.values())[:2])
    for metric, a, b in (("nDCG@10", "nDCG@10", "MRR"), ("nDCG@10", "MRR", "MRR"), ("MRR", "MRR", "nDCG@10")):
        with pytest.warns(
            UserWarning, match=f"named after metrics, 'A' {a}, 'B' {b}, and compared as {metric};"
        ):
            compare({"A": one[a], "B": other[b]}, metric)
    recwarn.clear()
    compare({"A": one["MRR"], "B": other["MRR"]}, "MRR")
    compare({"A": one["MRR"], "B": other["MRR"]}, "reciprocal rank")  # a name of one's own
    compare({"A": one["MRR"].rename("old"), "B": other["MRR"].rename("new")})
    assert not recwarn.list


def test_a_t_test_of_a_few_equal_differences_is_not_believed(recwarn):
    def shifted(n):
        scores = {f"q{q}": q / 32 for q in range(n)}
        return {"A": scores, "B": {query_id: score + 0.25 for query_id, score in scores.items()}}

    with pytest.warns(UserWarning, match="all 3 differences are 0.25; .* the randomisation test has 0.25"):
        compare(shifted(3), test="t")
    recwarn.clear()
    compare(shifted(3))
    compare(shifted(20), test="t")  # 20 queries show as much by flips of signs
    compare({"A": {"q1": 0.1, "q2": 0.2}, "B": {"q1": 0.1, "q2": 0.2}}, test="t")
    assert not recwarn.list


def test_several_metrics_in_one_text_are_told_to_be_a_list():
    with pytest.raises(ValueError, match=r"give a list of names: \['nDCG@10', 'MRR'\]"):
        compare({"A": A, "B": B}, "nDCG@10, MRR")


def test_queries_below_their_metric_are_not_called_means():
    with pytest.raises(ValueError, match="holds the queries below their metric .*such as scores.'ndcg@10'."):
        compare({"A": {"ndcg@10": A}, "B": {"ndcg@10": B}}, "ndcg@10")
