"""The figures that compare systems: differences per query, intervals, power, bounds, budgets."""

from collections.abc import Mapping
from numbers import Real

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter, StrMethodFormatter

from helpers.base import check_option, counted, first_few
from helpers.encoders import as_numbers
from helpers.show.style import (
    BLUE,
    DASHED,
    GREEN,
    GREY,
    LINES,
    ORANGE,
    WHITE,
    check_intervals,
    check_shares,
    draw_lines,
    finished,
    n_of,
    note,
    panels,
)
from helpers.stats import check_level

MOST_NAMES = 60
"""More query ids than this cannot be read below one axis."""


def differences_figure(
    differences: Mapping[str, float] | pd.Series, baseline: str, system: str, metric: str
) -> Figure:
    """One bar per query, best difference first: what the system wins upwards, what it loses downwards.

    `differences` is {query_id: system - baseline}, as `Comparison.differences` gives it. A query without a
    difference is a gap. The dashed line is the mean of the others.
    """
    ordered = pd.Series(differences, dtype=float).sort_values(ascending=False, kind="stable")
    values, positions = ordered.to_numpy(dtype=float), np.arange(len(ordered))
    figure, axes = plt.subplots(figsize=(9, 3.8), layout="constrained")
    axes.bar(positions, values, color=np.where(values > 0, BLUE, ORANGE), width=0.8)
    axes.axhline(0, color=GREY, linewidth=0.8)
    mean = ordered.mean()
    axes.axhline(mean, color=GREEN, **DASHED, label=f"mean {mean:+.3f}")
    named = len(ordered) <= MOST_NAMES
    axes.set_xticks(positions if named else [], ordered.index if named else [], rotation=90, fontsize=8)
    axes.set(xlabel="queries, sorted by difference", ylabel=f"difference in {metric}")
    axes.set_xlim(-0.8, len(ordered) - 0.2)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, loc="upper right", fontsize=9)
    wins, losses = counted((values > 0).sum(), "win"), counted((values < 0).sum(), "loss", "losses")
    ties = counted((values == 0).sum(), "tie")
    return finished(
        axes,
        f"{system} against {baseline}: {wins}, {losses}, {ties} ({n_of(ordered.count(), len(values))})",
    )


def scatter_figure(
    per_query: pd.DataFrame, baseline: str, system: str, metric: str, n_labels: int = 6
) -> Figure:
    """One dot per query, the baseline's value to the right, the system's upwards; what moved most is named.

    `per_query` has one row per query (index: query_id) and a column per system. Equal ones make a larger dot.
    A query without a value is not drawn, as n says.
    """
    for name, column in (("baseline", baseline), ("system", system)):
        check_option(name, column, per_query)
    pairs = per_query[[baseline, system]].round(6).dropna()
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
    axes.set(xlim=limits, ylim=limits, aspect="equal")
    axes.set(xlabel=f"{metric} of {baseline}", ylabel=f"{metric} of {system}")
    axes.grid(alpha=0.3)
    wins, losses = (pairs[system] > pairs[baseline]).sum(), (pairs[system] < pairs[baseline]).sum()
    above, below = f"Above the line {system} is better: {wins} queries", f"below it worse: {losses}"
    return finished(axes, f"{above},\n{below} ({n_of(len(pairs), len(per_query))})")


def _name_dots(axes: Axes, pairs: pd.DataFrame) -> None:
    """Names beside dots, away from the diagonal; a name beside an earlier one goes a line higher."""
    placed: list[tuple[float, float]] = []
    for (x, y), group in pairs.groupby(list(pairs)):
        lines = sum(abs(x - other) < 0.12 and abs(y - height) < 0.04 for other, height in placed)
        # Into the picture where the dot stands at its left edge.
        side, across = ("right", -6) if y > x > 0.1 else ("left", 6)
        up = (4 if y > x else -10) + 13 * lines
        note(axes, ", ".join(map(str, group.index)), (x, y), (across, up), ha=side, fontsize=8)
        placed.append((x, y))


def intervals_figure(
    table: pd.DataFrame,
    baseline: str,
    metric: str,
    n_queries: int,
    confidence: float = 0.95,
    together: bool = False,
) -> Figure:
    """The difference of each system to the baseline with its interval; grey where the interval includes 0.

    `table` has one row per system (index: its name) with `difference`, `diff low` and `diff high`; the
    baseline's row is not drawn. `together` is for intervals that hold all at once, as those of max-T. Raises
    ValueError for another row without a difference.
    """
    check_level("confidence", confidence)
    table = table.drop(index=baseline, errors="ignore")
    if without := list(table.index[table["difference"].isna()]):
        said = f"{first_few(map(repr, without))} of the table has no difference"
        raise ValueError(f"{said}; is that the baseline? baseline is {baseline!r}")
    figure, axes = plt.subplots(figsize=(8, 0.5 * len(table) + 1.8), layout="constrained")
    share = f"{100 * confidence:g} %"
    _draw_differences(axes, table, f"{metric}, difference to {baseline} ({share} interval)", "{:+.3f}")
    axes.set_ylim(len(table) - 0.4, -0.6)
    without_0 = ((table["diff low"] > 0) | (table["diff high"] < 0)).sum()
    kind = "intervals that hold together" if together else "intervals, each for itself"
    verb = "leaves" if without_0 == 1 else "leave"
    count = f"{without_0} of {len(table)} {verb} out 0" if without_0 else "all include 0"
    return finished(figure, f"{share} {kind}: {count} (n = {n_queries} queries)")


def gains_figure(
    table: pd.DataFrame, baseline: str, metric: str, title: str, confidence: float = 0.95
) -> Figure:
    """A system's gain on the baseline in several collections, with its intervals; grey where they include 0.

    `table` has one row per collection (index: its name, and how many queries) with `difference`, `diff low`
    and `diff high`, drawn from top to bottom, to one scale.
    """
    check_level("confidence", confidence)
    figure, axes = plt.subplots(figsize=(8, 0.6 * len(table) + 1.5), layout="constrained")
    what = f"{metric}, difference to {baseline} ({100 * confidence:g} % interval)"
    _draw_differences(axes, table, what, "{:+.3f} [{:+.3f}, {:+.3f}]")
    axes.set_ylim(len(table) - 0.5, -0.7)
    axes.margins(x=0.15)
    return finished(figure, title)


def _draw_differences(axes: Axes, table: pd.DataFrame, what: str, words: str) -> None:
    """A line a row, `diff low` to `diff high`, grey if it includes 0; `words` formats the three numbers."""
    axes.axvline(0, color=ORANGE, **DASHED)
    ends = table[["difference", "diff low", "diff high"]].to_numpy(dtype=float)
    check_intervals(table)
    for row, (middle, low, high) in enumerate(ends):
        colour = GREY if low <= 0 <= high else BLUE
        axes.plot([low, high], [row, row], color=colour, linewidth=2.4, solid_capstyle="butt")
        axes.plot(middle, row, "o", color=colour, markersize=8)
        note(axes, words.format(middle, low, high), (middle, row), (0, 8), ha="center", bbox=WHITE)
    axes.set_yticks(range(len(table)), table.index)
    axes.set_xlabel(what)
    axes.grid(axis="x", alpha=0.3)


def kept_figure(kept: pd.DataFrame, n_queries: int, title: str) -> Figure:
    """Of the exact first, second, … neighbour: the share of queries for which a search finds it.

    `kept` has one row per exact rank (index, from 1) and one column per search, with values from 0 to 1.
    """
    check_shares("kept", kept)
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    draw_lines(axes, kept)
    axes.set_xticks(list(kept.index))
    axes.set(xlabel="rank in exact search", ylabel=f"found (share of {n_queries} queries)", ylim=(0, 1.04))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, loc="lower left")
    return finished(figure, title)


def tradeoff_figure(systems: Mapping[str, pd.DataFrame], baseline: str, metric: str, title: str) -> Figure:
    """What a faster search loses: speed to the right, gain or loss against the baseline upwards, intervals.

    `systems` is `{kind: table}`, up to three kinds; a table has a row per setting (index: its name, which is
    written beside it), with `per second`, `difference`, `diff low`, `diff high`. The settings of the first
    two are joined by a line, those of the third are no steps of one search and stand alone. Raises ValueError
    for more kinds.
    """
    if len(systems) > 3:
        raise ValueError(f"systems has {len(systems)} kinds ({first_few(systems)}); needed three at most")
    figure, axes = plt.subplots(figsize=(8.5, 4.8), layout="constrained")
    axes.axhline(0, color=GREY, linewidth=0.8)
    # Each kind has its names on another side, so that those of neighbours do not meet.
    sides = ({"ha": "right", "shift": (-5, -11)}, {"ha": "right", "shift": (-5, -11)},
             {"ha": "left", "shift": (-3, 3), "rotation": 40})  # fmt: skip
    for number, ((kind, table), (colour, line), side) in enumerate(
        zip(systems.items(), LINES, sides, strict=False)
    ):
        line, at = (line[0], "diff high") if number == 2 else (line, "difference")
        ends = table[["diff low", "diff high"]].sub(table["difference"], axis=0).abs().to_numpy(dtype=float)
        check_intervals(table)
        if as_numbers(table["per second"]) is None:
            first = table["per second"].iloc[0]
            raise ValueError(f"{kind!r}: 'per second' holds {first!r:.40}; needed numbers")
        look = {"color": colour, "linewidth": 1.6, "elinewidth": 1, "capsize": 3, "label": kind}
        axes.errorbar(table["per second"], table["difference"], yerr=ends.T, fmt=line, **look)
        for name, row in table.iterrows():
            note(
                axes,
                str(name),
                (row["per second"], row[at]),
                color=colour,
                **{**side, "fontsize": 8},
            )
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set(xlabel="queries per CPU-second", ylabel=f"{metric}, difference to {baseline} (95 % interval)")
    axes.margins(y=0.12)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, loc="lower left")
    return finished(figure, title)


def power_figure(
    curve: pd.DataFrame, metric: str, n_queries: int | None = None, power: float = 0.8
) -> Figure:
    """The chance that a test finds a true difference, against the number of queries; a line per difference.

    `curve` has one row per number of queries (index) and one column per difference, with values from 0 to 1.
    The dashed line is at `power`; a dotted one stands at `n_queries`, the size of the test set.
    """
    if not isinstance(power, Real) or not 0 < power < 1:
        raise ValueError(f"power is {power!r}; needed a share between 0 and 1, such as 0.8")
    check_shares("curve", curve)
    figure, axes = plt.subplots(figsize=(8.5, 4.2), layout="constrained")
    axes.axhline(power, color=GREY, linestyle="--", linewidth=1.2)
    draw_lines(axes, curve.rename(columns="{:g}".format))
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
    legend_title = f"true difference\nin {metric}"
    figure.legend(title=legend_title, frameon=False, loc="outside right center", fontsize=9)
    missed = f"below the dashed line more than 1 in {1 / (1 - power):.0f} are missed"
    return finished(axes, f"Small differences need many queries: {missed}")


def bounds_figure(
    bounds: pd.DataFrame, metric: str, n_queries: int, rescored: Mapping[str, float] | pd.Series | None = None
) -> Figure:
    """A bar from the worst to the best mean of each system, a dot at its mean as judged.

    `bounds` has one row per system (index: its name) with the columns `worst`, `as judged` and `best`;
    `rescored` gives its mean after more was judged, drawn as a diamond.
    """
    rows, worst, judged = np.arange(len(bounds)), bounds["worst"], bounds["as judged"]
    figure, axes = plt.subplots(figsize=(8.5, 0.6 * len(bounds) + 1.9), layout="constrained")
    spread = {"left": worst, "height": 0.4, "color": BLUE, "alpha": 0.3}
    axes.barh(rows, bounds["best"] - worst, **spread, label="worst to best")
    axes.plot(judged, rows, "o", color=BLUE, markersize=9, label="as judged")
    if rescored is not None:
        values = [rescored[system] for system in bounds.index]
        axes.plot(values, rows, "D", color=ORANGE, markersize=8, label="after judging")
    for row, value in zip(rows, judged, strict=True):
        note(axes, f"{value:.3f}", (value, row), (0, 14), ha="center")
    axes.set_yticks(rows, bounds.index)
    axes.use_sticky_edges = False  # else the longest bar would end in the frame
    axes.autoscale_view()
    axes.set(ylim=(len(bounds) - 0.4, -0.7), xlabel=f"{metric}, mean over {n_queries} queries")
    axes.grid(axis="x", alpha=0.3)
    figure.legend(frameon=False, loc="outside right center", fontsize=9)
    overlap = "Unjudged documents leave the order open where the bars overlap"
    return finished(figure, f"{overlap} (n = {n_queries} queries)")


def budget_figure(measures: Mapping[str, pd.DataFrame], n_queries: int) -> Figure:
    """One panel per measure, to one scale: a line per way of cutting, against the characters of the budget.

    `measures` is `{name of the measure: table}`; a table has one row per budget (index: characters) and a
    column per way of cutting, with values from 0 to 1. A column has the same line everywhere.
    """
    for measure, table in measures.items():
        check_shares(f"the table of {measure!r}", table)
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
