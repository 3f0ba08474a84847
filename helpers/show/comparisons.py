"""The figures of lesson 06: differences per query, intervals, power, and what unjudged documents leave open."""

from collections.abc import Mapping
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, ScalarFormatter

from helpers.show.style import BLUE, GREEN, GREY, ORANGE, finished

MOST_NAMES = 60
"""More query ids than this cannot be read below one axis."""


def differences_figure(differences: pd.Series, baseline: str, system: str, metric: str) -> Figure:
    """One bar per query, best difference first: what the system wins upwards, what it loses downwards.

    `differences` is {query_id: system - baseline}, as `Comparison.differences` gives it. A query without a difference is a gap. The dashed line is the mean.
    """
    ordered = differences.sort_values(ascending=False, kind="stable")
    values, places = ordered.to_numpy(dtype=float), np.arange(len(ordered))
    figure, axes = plt.subplots(figsize=(9, 3.8), layout="constrained")
    axes.bar(places, values, color=np.where(values > 0, BLUE, ORANGE), width=0.8)
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.axhline(
        values.mean(), color=GREEN, linestyle="--", linewidth=1.4, label=f"mean {values.mean():+.3f}"
    )
    named = len(ordered) <= MOST_NAMES
    axes.set_xticks(places if named else [], ordered.index if named else [], rotation=90, fontsize=8)
    axes.set(
        xlabel="queries, sorted by difference",
        ylabel=f"difference in {metric}",
        xlim=(-0.8, len(ordered) - 0.2),
    )
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, loc="upper right", fontsize=9)
    counts = f"{_count((values > 0).sum(), 'win', 'wins')}, {_count((values < 0).sum(), 'loss', 'losses')}, "
    counts += _count((values == 0).sum(), "tie", "ties")
    axes.set_title(f"{system} against {baseline}: {counts} (n = {len(values)} queries)", fontsize=11)
    return finished(figure)


def scatter_figure(
    per_query: pd.DataFrame, baseline: str, system: str, metric: str, n_labels: int = 6
) -> Figure:
    """One dot per query, the baseline's value to the right, the system's upwards; the most moved queries are named.

    `per_query` has one row per query (index: query_id) and a column per system. Dots that fall together are one larger dot.
    """
    pairs = per_query[[baseline, system]].round(6)
    figure, axes = plt.subplots(figsize=(5.8, 5.6), layout="constrained")
    axes.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1.2, zorder=1, transform=axes.transAxes)
    for (x, y), group in pairs.groupby([baseline, system]):
        colour = BLUE if y > x else ORANGE if y < x else GREY
        axes.scatter(x, y, s=40 * len(group), color=colour, alpha=0.8, edgecolor="white", zorder=2)
    moved = (pairs[system] - pairs[baseline]).abs()
    _name_dots(axes, pairs.loc[moved[moved > 0].nlargest(n_labels).index])
    low, high = min(0.0, pairs.to_numpy().min()), max(1.0, pairs.to_numpy().max())
    margin = 0.05 * (high - low)
    limits = (low - margin, high + margin)
    axes.set(
        xlim=limits,
        ylim=limits,
        xlabel=f"{metric} of {baseline}",
        ylabel=f"{metric} of {system}",
        aspect="equal",
    )
    axes.grid(alpha=0.3)
    wins, losses = (pairs[system] > pairs[baseline]).sum(), (pairs[system] < pairs[baseline]).sum()
    title = f"Above the line {system} is better: {wins} queries,\nbelow it worse: {losses} (n = {len(pairs)} queries)"
    axes.set_title(title, fontsize=11)
    return finished(figure)


def intervals_figure(
    table: pd.DataFrame, baseline: str, metric: str, n_queries: int, confidence: float = 0.95
) -> Figure:
    """The difference of each system to the baseline with its interval; grey where the interval holds 0.

    `table` has one row per system (index: its name) with the columns `difference`, `diff low` and `diff high`; a row of the
    baseline is not drawn.
    """
    table = table.drop(index=baseline, errors="ignore")
    rows = np.arange(len(table))
    figure, axes = plt.subplots(figsize=(8, 0.5 * len(table) + 1.8), layout="constrained")
    axes.axvline(0, color=ORANGE, linestyle="--", linewidth=1.4)
    for row, (middle, low, high) in zip(
        rows, table[["difference", "diff low", "diff high"]].to_numpy(dtype=float), strict=True
    ):
        colour = GREY if low <= 0 <= high else BLUE
        axes.plot([low, high], [row, row], color=colour, linewidth=2.4, solid_capstyle="butt")
        axes.plot(middle, row, "o", color=colour, markersize=8)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
        axes.annotate(
            f"{middle:+.3f}",
            (middle, row),
            (0, 8),
            textcoords="offset points",
            ha="center",
            fontsize=9,
            bbox=box,
        )
    axes.set_yticks(rows, table.index)
    axes.set(
        ylim=(len(table) - 0.4, -0.6),
        xlabel=f"{metric}, difference to {baseline} ({100 * confidence:g} % interval)",
    )
    axes.grid(axis="x", alpha=0.3)
    title = f"Single {100 * confidence:g} % intervals, not corrected; grey where they hold 0 (n = {n_queries} queries)"
    figure.suptitle(title, fontsize=11)
    return finished(figure)


def power_figure(
    curve: pd.DataFrame, metric: str, n_queries: int | None = None, power: float = 0.8
) -> Figure:
    """The chance that a test finds a true difference, against the number of queries; a line per difference.

    `curve` has one row per number of queries (index) and one column per difference, with values from 0 to 1. The dashed line
    is at `power`; a dotted one stands at `n_queries`, the size of the test set that is spoken of.
    """
    figure, axes = plt.subplots(figsize=(8.5, 4.2), layout="constrained")
    axes.axhline(power, color=GREY, linestyle="--", linewidth=1.2)
    styles = cycle(zip((BLUE, ORANGE, GREEN, "black", GREY), ("o-", "s--", "^-.", "d:", "v-"), strict=True))
    for effect, (colour, line) in zip(curve.columns, styles, strict=False):
        axes.plot(
            curve.index, curve[effect], line, color=colour, linewidth=1.8, markersize=6, label=f"{effect:g}"
        )
    if n_queries is not None:
        axes.axvline(n_queries, color=GREY, linestyle=":", linewidth=1.4)
        axes.text(n_queries, 1.03, f" n = {n_queries}", color=GREY, fontsize=9)
    if max(curve.index) > 10 * min(curve.index):
        axes.set_xscale("log")
        axes.set_xticks(list(curve.index), [f"{size:,}" for size in curve.index])
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.set(xlabel="queries in the test set", ylabel="chance that the test finds it (power)", ylim=(0, 1.1))
    axes.grid(alpha=0.3)
    figure.legend(
        title=f"true difference\nin {metric}", frameon=False, loc="outside right center", fontsize=9
    )
    missed = f"1 in {1 / (1 - power):.0f}"
    axes.set_title(
        f"Small differences need many queries: below the dashed line more than {missed} are missed",
        fontsize=11,
    )
    return finished(figure)


def bounds_figure(
    bounds: pd.DataFrame, metric: str, n_queries: int, rescored: Mapping[str, float] | pd.Series | None = None
) -> Figure:
    """A bar from the worst to the best mean of each system, its dot where the judgments that there are put it.

    `bounds` has one row per system (index: its name) with the columns `worst`, `as judged` and `best`; `rescored` gives its
    mean after more was judged, drawn as a diamond.
    """
    rows = np.arange(len(bounds))
    figure, axes = plt.subplots(figsize=(8.5, 0.6 * len(bounds) + 1.9), layout="constrained")
    axes.barh(
        rows,
        bounds["best"] - bounds["worst"],
        left=bounds["worst"],
        height=0.4,
        color=BLUE,
        alpha=0.3,
        label="worst to best",
    )
    axes.plot(bounds["as judged"], rows, "o", color=BLUE, markersize=9, label="as judged")
    if rescored is not None:
        values = [rescored[system] for system in bounds.index]
        axes.plot(values, rows, "D", color=ORANGE, markersize=8, label="after judging")
    for row, value in zip(rows, bounds["as judged"], strict=True):
        axes.annotate(
            f"{value:.3f}", (value, row), (0, 14), textcoords="offset points", ha="center", fontsize=9
        )
    axes.set_yticks(rows, bounds.index)
    axes.use_sticky_edges = False  # else the longest bar would end in the frame
    axes.autoscale_view()
    axes.set(ylim=(len(bounds) - 0.4, -0.7), xlabel=f"{metric}, mean over {n_queries} queries")
    axes.grid(axis="x", alpha=0.3)
    figure.legend(frameon=False, loc="outside right center", fontsize=9)
    figure.suptitle(
        f"Unjudged documents leave the order open where the bars overlap (n = {n_queries} queries)",
        fontsize=11,
    )
    return finished(figure)


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


def _name_dots(axes: Axes, pairs: pd.DataFrame) -> None:
    """Names beside dots, away from the diagonal; a name beside an earlier one goes a line higher."""
    placed: list[tuple[float, float]] = []
    for (x, y), group in pairs.groupby(list(pairs)):
        lines = sum(abs(x - other) < 0.12 and abs(y - height) < 0.04 for other, height in placed)
        # Into the picture where the dot stands at its left edge.
        side, across = ("right", -6) if y > x > 0.1 else ("left", 6)
        up = (4 if y > x else -10) + 13 * lines
        axes.annotate(
            ", ".join(group.index), (x, y), (across, up), textcoords="offset points", ha=side, fontsize=8
        )
        placed.append((x, y))
