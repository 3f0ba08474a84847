"""The figures that compare systems draw the numbers that they are given, name their axes and say n."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from helpers import show
from helpers.show.comparisons import (
    bounds_figure,
    budget_figure,
    differences_figure,
    gains_figure,
    intervals_figure,
    power_figure,
    scatter_figure,
    tradeoff_figure,
)
from helpers.show.style import BLUE, GREY, ORANGE

DIFFERENCES = pd.Series({"q1": -0.2, "q2": 0.3, "q3": 0.0, "q4": 0.1})


def words(figure):
    """Every word of a figure: its own title, its axes' titles and labels, ticks, notes and legends."""
    found = [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))]
    return " | ".join(text for text in found if text)


def test_differences_stand_best_first_wins_up_and_losses_down():
    figure = differences_figure(DIFFERENCES, "A", "B", "nDCG@10")
    bars = figure.axes[0].patches
    assert [bar.get_height() for bar in bars] == [0.3, 0.1, 0.0, -0.2]
    assert [to_hex(bar.get_facecolor()).upper() for bar in bars][::3] == [BLUE, ORANGE]
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["q2", "q4", "q3", "q1"]
    assert "B against A: 2 wins, 1 loss, 1 tie (n = 4 queries)" in words(figure)
    assert figure.axes[0].get_ylabel() == "difference in nDCG@10"
    assert "mean +0.050" in words(figure)


def test_the_names_of_hundreds_of_queries_are_not_drawn():
    many = pd.Series(np.linspace(-1, 1, 300), index=[f"q{number}" for number in range(300)])
    assert "q299" not in words(differences_figure(many, "A", "B", "MRR"))


def test_the_scatter_names_the_queries_that_moved_most_and_no_tie():
    per_query = pd.DataFrame(
        {"A": [0.5, 0.2, 1.0, 0.0], "B": [0.3, 0.5, 1.0, 0.1]}, index=["q1", "q2", "q3", "q4"]
    )
    figure = scatter_figure(per_query, "A", "B", "MRR", n_labels=2)
    assert {text.get_text() for text in figure.axes[0].texts} == {"q1", "q2"}
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("MRR of A", "MRR of B")
    assert "B is better: 2 queries,\nbelow it worse: 1 (n = 4 queries)" in words(figure)
    assert len(scatter_figure(per_query, "A", "B", "MRR", n_labels=10).axes[0].texts) == 3


def test_queries_with_the_same_scores_are_one_larger_dot_with_all_names():
    per_query = pd.DataFrame({"A": [0.5, 0.5, 0.0], "B": [1.0, 1.0, 0.1]}, index=["q1", "q2", "q3"])
    figure = scatter_figure(per_query, "A", "B", "MRR")
    sizes = {tuple(dots.get_offsets()[0]): dots.get_sizes()[0] for dots in figure.axes[0].collections}
    assert sizes[(0.5, 1.0)] == 2 * sizes[(0.0, 0.1)]
    assert "q1, q2" in words(figure)


def test_a_gain_is_drawn_for_each_collection_with_its_interval_and_grey_where_that_holds_zero():
    table = pd.DataFrame(
        {"difference": [0.1, 0.05], "diff low": [0.05, -0.1], "diff high": [0.2, 0.2]},
        index=["wiki, n = 30", "news, n = 40"],
    )
    figure = gains_figure(table, "BM25", "nDCG@10", "Two collections")
    lines = [
        line for line in figure.axes[0].lines if len(line.get_xdata()) == 2 and line.get_marker() == "None"
    ]
    drawn = {tuple(line.get_xdata()): to_hex(line.get_color()).upper() for line in lines}
    assert (drawn[0.05, 0.2], drawn[-0.1, 0.2]) == (BLUE, GREY)
    assert "wiki, n = 30" in words(figure) and "+0.050 [-0.100, +0.200]" in words(figure)
    assert "nDCG@10, difference to BM25 (95 % interval)" in words(figure)


def test_an_interval_that_holds_zero_is_grey_and_the_baseline_has_none():
    table = pd.DataFrame(
        {
            "difference": [np.nan, 0.1, 0.05],
            "diff low": [np.nan, 0.05, -0.1],
            "diff high": [np.nan, 0.2, 0.2],
        },
        index=["A", "B", "C"],
    )
    figure = intervals_figure(table, "A", "MRR", n_queries=30, confidence=0.9)
    ends = {
        tuple(line.get_xdata()): line.get_color()
        for line in figure.axes[0].lines
        if len(line.get_xdata()) == 2
    }
    assert (ends[(0.05, 0.2)], ends[(-0.1, 0.2)]) == (BLUE, GREY)
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == ["B", "C"]
    assert "MRR, difference to A (90 % interval)" in words(figure)
    assert "90 % intervals, each for itself: 1 of 2 leaves out 0 (n = 30 queries)" in words(figure)
    joint = intervals_figure(table.drop(index="B"), "A", "MRR", n_queries=30, together=True)
    assert "95 % intervals that hold together: all include 0 (n = 30 queries)" in words(joint)


@pytest.mark.parametrize("sizes", [[10, 30, 1000], [10, 20, 30]])
def test_power_has_a_line_per_difference_and_one_at_eighty_percent(sizes):
    curve = pd.DataFrame({0.02: [0.1, 0.2, 0.7], 0.1: [0.3, 0.8, 0.9]}, index=sizes)
    figure = power_figure(curve, "nDCG@10", n_queries=30)
    lines = [line.get_ydata().tolist() for line in figure.axes[0].lines if len(line.get_ydata()) == 3]
    assert lines == [[0.1, 0.2, 0.7], [0.3, 0.8, 0.9]]
    assert [0.8, 0.8] in [list(line.get_ydata()) for line in figure.axes[0].lines]
    assert all(
        text in words(figure)
        for text in ("n = 30", "0.02", "queries in the test set", "true difference\nin nDCG@10")
    )


def test_bounds_are_a_bar_with_a_dot_and_a_diamond_where_more_was_judged():
    bounds = pd.DataFrame(
        {"worst": [0.5, 0.3], "as judged": [0.5, 0.4], "best": [0.5, 0.8]}, index=["A", "B"]
    )
    figure = bounds_figure(bounds, "P@10", n_queries=30, rescored={"B": 0.6, "A": 0.5})
    assert [(bar.get_x(), bar.get_width()) for bar in figure.axes[0].patches] == [(0.5, 0.0), (0.3, 0.5)]
    judged, rescored = (line.get_xdata().tolist() for line in figure.axes[0].lines)
    assert (judged, rescored) == ([0.5, 0.4], [0.5, 0.6])
    assert "after judging" in words(figure)
    assert "P@10, mean over 30 queries" in words(figure)
    assert "after judging" not in words(bounds_figure(bounds, "P@10", n_queries=30))


FOUND = pd.DataFrame({"pages": [0.1, 0.3], "paragraphs": [0.4, 0.5]}, index=[1000, 32000])
ANSWERED = pd.DataFrame({"pages": [0.2, 0.6], "paragraphs": [0.3, 0.4]}, index=[1000, 32000])


def test_each_measure_has_a_panel_and_each_way_of_cutting_a_line_in_it():
    figure = budget_figure({"pages found": FOUND, "answered": ANSWERED}, n_queries=30)
    assert [axes.get_title() for axes in figure.axes] == ["pages found", "answered"]
    drawn = [[line.get_ydata().tolist() for line in axes.lines] for axes in figure.axes]
    assert drawn == [[[0.1, 0.3], [0.4, 0.5]], [[0.2, 0.6], [0.3, 0.4]]]


def test_a_way_of_cutting_looks_the_same_in_both_panels_and_is_told_from_the_others_without_colour():
    first, second = budget_figure({"pages found": FOUND, "answered": ANSWERED}, n_queries=30).axes
    looks = [
        [(line.get_color(), line.get_linestyle(), line.get_marker()) for line in axes.lines]
        for axes in (first, second)
    ]
    assert looks[0] == looks[1]
    assert len({look[1:] for look in looks[0]}) == 2


def test_the_figure_says_how_many_queries_and_names_budgets_and_lines():
    figure = budget_figure({"pages found": FOUND}, n_queries=30)
    (axes,) = figure.axes
    assert "(n = 30 queries)" in figure.get_suptitle()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("maximum_total_characters", "mean over 30 queries")
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["1,000", "32,000"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["pages", "paragraphs"]


def test_what_a_figure_cannot_draw_is_said_in_its_n_and_no_mean_is_lost():
    differences = {"q1": 0.4, "q2": np.nan, "q3": 0.2}
    assert "(n = 2 of 3 queries)" in words(differences_figure(differences, "A", "B", "MRR"))
    assert "mean +0.300" in words(differences_figure(differences, "A", "B", "MRR"))
    per_query = pd.DataFrame({"A": [0.5, np.nan, 0.1], "B": [0.3, 0.5, 0.2]}, index=[1, 2, 3])
    assert "(n = 2 of 3 queries)" in words(scatter_figure(per_query, "A", "B", "MRR"))
    overlap = pd.DataFrame({"kind": ["a", "b", "a"], "paragraph": [0.5, 0.2, np.nan]})
    assert "(n = 1 of 3 queries)" in words(show.overlap_figure(overlap, ["a"], "Words in common"))


def test_every_set_of_a_figure_is_drawn_or_refused():
    table = pd.DataFrame([[0.1, 0.02]], index=["cut"], columns=[("MRR", "difference"), ("MRR", "± 2 SE")])
    table.columns = pd.MultiIndex.from_tuples(table.columns)
    figure = show.lab_figure({f"set {n}": table for n in range(7)}, "whole", "Seven sets")
    assert all(f"set {n}" in words(figure) for n in range(7))
    with pytest.raises(ValueError, match="systems has 4 kinds .*; needed three at most"):
        tradeoff_figure(dict.fromkeys("abcd", table), "exact", "MRR", "Four kinds")


def test_a_name_that_a_figure_does_not_know_is_refused():
    table = pd.DataFrame(
        {"difference": [np.nan, 0.1], "diff low": [np.nan, 0.0], "diff high": [np.nan, 0.2]}, index=["A", "B"]
    )
    with pytest.raises(ValueError, match="'A' of the table has no difference; .*baseline is 'a'"):
        intervals_figure(table, "a", "MRR", 30)
    with pytest.raises(ValueError, match="system is 'C'; it can be 'A' or 'B'"):
        scatter_figure(pd.DataFrame({"A": [0.1], "B": [0.2]}), "A", "C", "MRR")
    scores = pd.Series({"q1": 0.5, "q2": 0.1}, name="MRR")
    with pytest.raises(ValueError, match="first_ranks has no rank of 2 queries: 'q1', 'q2'"):
        show.sorted_scores_figure(scores, {"a": 1.0}, 10, "Scores")
    for rank, cure in ((0, "add 1 to ranks from 0"), (np.nan, "inf for a query that finds nothing")):
        with pytest.raises(ValueError, match=rf"first_ranks\['q1'\] is {rank:g}; needed ranks .*: {cure}"):
            show.sorted_scores_figure(scores, {"q1": rank, "q2": 1.0}, 10, "Scores")
        with pytest.raises(ValueError, match=rf"first_ranks\['A'\]\['q1'\] is {rank:g}; needed ranks from 1"):
            show.first_rank_figure({"A": {"q1": rank, "q2": 3.0, "q3": np.inf}}, "Ranks")
    with pytest.raises(ValueError, match="power is 1; needed a share between 0 and 1"):
        power_figure(pd.DataFrame({0.1: [0.5]}, index=[30]), "MRR", power=1)
    with pytest.raises(ValueError, match="history holds no number"):
        show.monitor_figure(pd.DataFrame({"hit rate": [None, None]}), "Nothing")


def test_scores_and_first_ranks_of_two_runs_are_refused():
    scores = pd.Series({"q1": 0.5, "q2": 0.0, "q3": 0.2}, name="nDCG@10")
    words = (
        "nDCG@10 of 'q1' is 0.5 with a first rank of 12, and that of 'q2' is 0 with one of 2; give .* one run"
    )
    with pytest.raises(ValueError, match=words):
        show.sorted_scores_figure(scores, {"q1": 12.0, "q2": 2.0, "q3": 1.0}, 10, "Scores")
    ranks = {"q1": 1.0, "q2": np.inf, "q3": 3.0}
    for good in (ranks, ranks | {"q1": 12.0}, ranks | {"q2": 4.0}):  # grades from 2 up in one of them
        show.sorted_scores_figure(scores, good, 10, "Scores")
    whole = scores.rename("MRR")  # counts deeper than 10
    show.sorted_scores_figure(whole, {"q1": 12.0, "q2": 2.0, "q3": 1.0}, 10, "Scores")


def test_an_argument_of_a_figure_that_is_of_a_wrong_type_is_named():
    with pytest.raises(ValueError, match=r"intervals_figure: table is \{\}; needed pandas.DataFrame"):
        show.intervals_figure({}, "A", "MRR", 30)
    with pytest.raises(ValueError, match="first_rank_figure: first_ranks.* is .*; needed Mapping"):
        show.first_rank_figure({"q1": 1.0}, "Ranks")


@pytest.mark.parametrize(
    "draw",
    [
        lambda table: show.power_figure(table, "nDCG@10"),
        lambda table: show.kept_figure(table, 30, "kept"),
        lambda table: show.budget_figure({"recall": table}, 30),
        lambda table: show.clicks_by_rank_figure({"a": table}, "clicks"),
        lambda table: show.peeking_figure(table, 0.05, "looks"),
        lambda table: show.online_power_figure([table[0.02]], "power"),
        lambda table: show.per_query_figure(table, {10: "a"}, {10: "b"}, "queries"),
        lambda table: show.sorted_scores_figure(table[0.02], dict.fromkeys(table.index, 1), 10, "scores"),
    ],
)
def test_percentages_are_not_drawn_beyond_the_end_of_an_axis_of_shares(draw):
    with pytest.raises(ValueError, match="holds 14; needed shares from 0 to 1: divide percentages by 100"):
        draw(pd.DataFrame({0.02: [14, 44, 90]}, index=[10, 30, 90]))
