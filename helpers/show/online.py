"""The figures of retrieval in front of users: clicks against truth, peeking, drift, and what an A/B test needs."""

from collections.abc import Mapping, Sequence
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from helpers.show.style import BLUE, GREEN, GREY, ORANGE, finished

STYLES = ((BLUE, "o", "-"), (ORANGE, "s", "--"), (GREEN, "^", ":"), (GREY, "D", "-."))


def clicks_by_rank_figure(panels: Mapping[str, pd.DataFrame], title: str) -> Figure:
    """A panel per ranking: what was clicked at each rank, beside what is so.

    Each table has one row per rank (index: rank) and a column per line, shares from 0 to 1. All panels have the same
    columns and share one scale.
    """
    figure, axes = plt.subplots(
        1, len(panels), figsize=(4.6 * len(panels), 3.6), sharey=True, layout="constrained", squeeze=False
    )
    for one, (name, table) in zip(axes[0], panels.items(), strict=True):
        _lines(one, 100 * table)
        one.set(
            xlabel="rank",
            ylim=(0, 100 * max(panel.max().max() for panel in panels.values()) * 1.08),
            xticks=table.index,
        )
        one.set_title(name, fontsize=10)
        one.grid(axis="y", alpha=0.3)
    axes[0][0].set_ylabel("share of pages (%)")
    axes[0][0].legend(frameon=False, fontsize=9)
    figure.suptitle(title, fontsize=11)
    return finished(figure)


def peeking_figure(curves: pd.DataFrame, alpha: float, title: str) -> Figure:
    """False alarms up to each look, a line per way of testing; dashed the level that was promised.

    `curves` has one row per look (index: its number) and a column per way, shares from 0 to 1.
    """
    figure, axes = plt.subplots(figsize=(7.5, 3.6), layout="constrained")
    _lines(axes, 100 * curves)
    axes.axhline(100 * alpha, color="black", linestyle=(0, (1, 3)), linewidth=1.4)
    axes.text(curves.index[-1], 100 * alpha + 0.4, f"promised: {alpha:.0%}", ha="right", fontsize=9)
    axes.set(
        xlabel="looks so far", ylabel="experiments without any difference\nthat were called significant (%)"
    )
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=9, loc="upper left")
    axes.grid(axis="y", alpha=0.3)
    axes.set_title(title, fontsize=11)
    return finished(figure)


def monitor_figure(history: pd.DataFrame, title: str, events: Mapping[int, str] | None = None) -> Figure:
    """What the monitor said over time, a line per figure, and what had happened, a vertical line each.

    `history` has a row per reading (index: day, or number of queries; its name is the axis label) and a column per figure,
    from 0 to 1; None and NaN leave a gap. `events` is `{index value: words}`.
    """
    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    _lines(axes, history.astype(float), marked=len(history) <= 40)
    top = 1.2 * float(np.nanmax(history.astype(float).to_numpy()))
    for place, words in (events or {}).items():
        axes.axvline(place, color="black", linestyle=(0, (1, 3)), linewidth=1.4)
        axes.text(place, 0.98 * top, f" {words}", fontsize=9, va="top")
    axes.set(xlabel=history.index.name or "reading", ylabel="mean over the window", ylim=(0, top))
    figure.legend(frameon=False, fontsize=9, loc="outside lower center", ncols=min(len(history.columns), 4))
    axes.grid(axis="y", alpha=0.3)
    axes.set_title(title, fontsize=11)
    return finished(figure)


def online_power_figure(curves: Sequence[pd.Series], title: str, power: float = 0.8) -> Figure:
    """How often each way of comparing finds the difference, against the impressions that it needs (logarithmic).

    Each series is named for its way, its index the number of impressions, its values from 0 to 1.
    """
    figure, axes = plt.subplots(figsize=(7.5, 3.8), layout="constrained")
    for curve, style in zip(curves, cycle(STYLES), strict=False):
        _lines(axes, 100 * curve.to_frame(), styles=[style])
    axes.axhline(100 * power, color="black", linestyle=(0, (1, 3)), linewidth=1.4)
    sizes = sorted({size for curve in curves for size in curve.index})
    axes.set(xscale="log", xlabel="impressions, both systems together", ylim=(0, 102))
    axes.set_xticks(sizes[:: max(1, len(sizes) // 7)])
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:,.0f}"))
    axes.yaxis.set_major_formatter(PercentFormatter())
    axes.set_ylabel(f"experiments that find it\n(dotted line: {power:.0%})")
    axes.legend(frameon=False, fontsize=9, loc="lower right")
    axes.grid(axis="y", alpha=0.3)
    axes.set_title(title, fontsize=11)
    return finished(figure)


def _lines(
    axes: plt.Axes, table: pd.DataFrame, styles: Sequence[tuple] = STYLES, marked: bool = True
) -> None:
    """One line a column, told apart by colour, marker and stroke."""
    for column, (colour, marker, stroke) in zip(table, cycle(styles), strict=False):
        axes.plot(
            table.index,
            table[column],
            color=colour,
            linestyle=stroke,
            marker=marker if marked else None,
            markersize=5,
            linewidth=1.8,
            label=column,
        )
