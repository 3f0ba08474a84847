"""The figure of lesson 07: what a reader gets out of a ranking, against the room that there is."""

from collections.abc import Mapping
from itertools import cycle

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from helpers.show.style import BLUE, GREEN, GREY, ORANGE, finished


def budget_figure(measures: Mapping[str, pd.DataFrame], n_queries: int) -> Figure:
    """One panel per measure, side by side and to one scale: a line per way of cutting, against the characters of the budget.

    `measures` is `{name of the measure: table}`; a table has one row per budget (index: characters) and a column per way of
    cutting, with values from 0 to 1. The columns are the same in all of them and have the same line everywhere.
    """
    figure, panels = plt.subplots(
        1, len(measures), figsize=(4.6 * len(measures), 4.0), sharey=True, layout="constrained"
    )
    panels = [panels] if len(measures) == 1 else list(panels)
    for axes, (measure, table) in zip(panels, measures.items(), strict=True):
        _lines(axes, table)
        axes.set_title(measure, fontsize=11)
    panels[0].set(ylim=(0, 1), ylabel=f"mean over {n_queries} queries")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, frameon=False, loc="outside lower center", ncols=len(names), fontsize=9)
    figure.suptitle(f"What fits into the budget, by how pages are cut (n = {n_queries} queries)", fontsize=11)
    return finished(figure)


def _lines(axes: Axes, table: pd.DataFrame) -> None:
    styles = cycle(zip((BLUE, ORANGE, GREEN, "black", GREY), ("o-", "s--", "^-.", "d:", "v-"), strict=True))
    for name, (colour, line) in zip(table.columns, styles, strict=False):
        axes.plot(table.index, table[name], line, color=colour, linewidth=1.8, markersize=6, label=name)
    axes.set_xscale("log")
    axes.set_xticks(list(table.index), [f"{size:,}" for size in table.index], fontsize=8)
    axes.minorticks_off()
    axes.set_xlabel("maximum_total_characters")
    axes.grid(alpha=0.3)
