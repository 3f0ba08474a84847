"""The figures of retrieval in front of users: clicks against truth, peeking, drift, and power."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from helpers.show.style import BLUE, GREEN, GREY, ORANGE, check_shares, draw_lines, finished, panels

WAYS = ((BLUE, "o-"), (ORANGE, "s--"), (GREEN, "^:"), (GREY, "D-."))
UNMARKED = tuple((colour, line[1:]) for colour, line in WAYS)
DOTTED = {"color": "black", "linestyle": (0, (1, 3)), "linewidth": 1.4}


def clicks_by_rank_figure(tables: Mapping[str, pd.DataFrame], title: str) -> Figure:
    """A panel per ranking: what was clicked at each rank, beside what is so.

    Each table has one row per rank (index) and a column per line, from 0 to 1. All are drawn to one scale.
    """
    for name, table in tables.items():
        check_shares(f"the table of {name!r}", table)
    figure, drawn = panels(len(tables), (4.6 * len(tables), 3.6))
    highest = max(table.max().max() for table in tables.values())
    for axes, (name, table) in zip(drawn, tables.items(), strict=True):
        draw_lines(axes, 100 * table, WAYS, size=5)
        axes.set(xlabel="rank", ylim=(0, 100 * highest * 1.08), xticks=table.index)
        axes.set_title(name, fontsize=10)
        axes.grid(axis="y", alpha=0.3)
    drawn[0].set_ylabel("share of pages (%)")
    drawn[0].legend(frameon=False, fontsize=9)
    return finished(figure, title)


def peeking_figure(curves: pd.DataFrame, alpha: float, title: str) -> Figure:
    """False alarms up to each look, a line per way of testing; dotted the level that was promised.

    `curves` has one row per look (index: its number) and a column per way, shares from 0 to 1.
    """
    check_shares("curves", curves)
    figure, axes = plt.subplots(figsize=(7.5, 3.6), layout="constrained")
    draw_lines(axes, 100 * curves, WAYS, size=5)
    axes.axhline(100 * alpha, **DOTTED)
    axes.text(curves.index[-1], 100 * alpha + 0.4, f"promised: {alpha:.0%}", ha="right", fontsize=9)
    axes.set_xlabel("looks so far")
    axes.set_ylabel("experiments without any difference\nthat were called significant (%)")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=9, loc="upper left")
    axes.grid(axis="y", alpha=0.3)
    return finished(axes, title)


def monitor_figure(history: pd.DataFrame, title: str, events: Mapping[Hashable, str] | None = None) -> Figure:
    """What the monitor said over time, a line per figure, and what had happened, a vertical line each.

    `history` has a row per reading (index: day, or number of queries; its name is the axis label) and a
    column per figure, from 0 to 1; None and NaN leave a gap. `events` is `{index value: words}`.
    """
    for name in history:
        if text := next((one for one in history[name] if isinstance(one, str)), None):
            cure = "read the table with its decimal mark, pd.read_csv(..., decimal=',')"
            raise ValueError(f"history, {name!r}: {text!r:.40} is no number; {cure}")
    history = history.astype(float)
    if history.isna().all(axis=None):
        raise ValueError("history holds no number, nothing but gaps; needed one reading or more")
    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    draw_lines(axes, history, WAYS if len(history) <= 40 else UNMARKED, size=5)
    top = 1.2 * float(np.nanmax(history.to_numpy()))
    for when, words in (events or {}).items():
        if isinstance(when, str) is not isinstance(history.index[0], str):
            kind = type(history.index[0]).__name__
            raise ValueError(f"events has {when!r}, and the index holds {kind}s, e.g. {history.index[0]!r}")
        axes.axvline(when, **DOTTED)
        axes.text(when, 0.98 * top, f" {words}", fontsize=9, va="top")
    axes.set(xlabel=history.index.name or "reading", ylabel="mean over the window", ylim=(0, top))
    figure.legend(frameon=False, fontsize=9, loc="outside lower center", ncols=min(len(history.columns), 4))
    axes.grid(axis="y", alpha=0.3)
    return finished(axes, title)


def online_power_figure(curves: Sequence[pd.Series], title: str, power: float = 0.8) -> Figure:
    """How often each way of comparing finds the difference, against the impressions that it needs.

    Each series is named for its way, its index the number of impressions, its values from 0 to 1.
    """
    for curve in curves:
        check_shares(f"the curve {curve.name!r}", curve)
    figure, axes = plt.subplots(figsize=(7.5, 3.8), layout="constrained")
    for curve, way in zip(curves, cycle(WAYS), strict=False):
        draw_lines(axes, 100 * curve.to_frame(), [way], size=5)
    axes.axhline(100 * power, **DOTTED)
    sizes = sorted({size for curve in curves for size in curve.index})
    axes.set(xscale="log", xlabel="impressions, both systems together", ylim=(0, 102))
    axes.set_xticks(sizes[:: max(1, len(sizes) // 7)])
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:,.0f}"))
    axes.yaxis.set_major_formatter(PercentFormatter())
    axes.set_ylabel(f"experiments that find it\n(dotted line: {power:.0%})")
    axes.legend(frameon=False, fontsize=9, loc="lower right")
    axes.grid(axis="y", alpha=0.3)
    return finished(axes, title)
