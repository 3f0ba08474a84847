"""The figure of what a reader gets out of a ranking, against the room that there is."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from helpers.show.style import draw_lines, finished, panels


def budget_figure(measures: Mapping[str, pd.DataFrame], n_queries: int) -> Figure:
    """One panel per measure, to one scale: a line per way of cutting, against the characters of the budget.

    `measures` is `{name of the measure: table}`; a table has one row per budget (index: characters) and a
    column per way of cutting, with values from 0 to 1. The columns are the same in all of them and have the
    same line everywhere.
    """
    figure, drawn = panels(len(measures), (4.6 * len(measures), 4.0))
    for axes, (measure, table) in zip(drawn, measures.items(), strict=True):
        draw_lines(axes, table)
        axes.set_xscale("log")
        axes.set_xticks(list(table.index), [f"{size:,}" for size in table.index], fontsize=8)
        axes.minorticks_off()
        axes.set_xlabel("maximum_total_characters")
        axes.grid(alpha=0.3)
        axes.set_title(measure, fontsize=11)
    drawn[0].set(ylim=(0, 1), ylabel=f"mean over {n_queries} queries")
    handles, names = drawn[0].get_legend_handles_labels()
    figure.legend(handles, names, frameon=False, loc="outside lower center", ncols=len(names), fontsize=9)
    return finished(figure, f"What fits into the budget, by how pages are cut (n = {n_queries} queries)")
