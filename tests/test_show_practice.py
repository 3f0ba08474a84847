"""The figure of lesson 07 draws the numbers that it is given, names its axes and says n."""

import pandas as pd

from helpers.show.practice import budget_figure

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
