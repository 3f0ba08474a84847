"""The figures of failures: which queries score low, their first relevant rank, what brings a miss back."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from helpers.base import counted, first_few
from helpers.show.style import BLUE, DASHED, GREEN, GREY, ORANGE, WHITE, check_shares, finished, note


def sorted_scores_figure(scores: pd.Series, first_ranks: Mapping[str, float], k: int, title: str) -> Figure:
    """One bar per query, best on top, coloured by the rank of its first relevant document.

    `scores` is one metric per query (index: query_id; its name is the axis label), 0 to 1; `first_ranks` is
    `{query_id: rank}`, `inf` where none was retrieved, as `evaluation.first_relevant_ranks` gives it. Raises
    ValueError for a query that is not in it, or has no score, for a rank below 1, and for scores at k and
    ranks of different runs, as where some find nothing within k and score, and others score 0 and do.
    """
    if unknown := [query_id for query_id in scores.index if query_id not in first_ranks]:
        said = f"first_ranks has no rank of {counted(len(unknown), 'query')}: {first_few(map(repr, unknown))}"
        raise ValueError(f"{said}; needed one of each, inf for a query that finds nothing")
    if gaps := list(scores.index[scores.isna()]):
        raise ValueError(f"no score of {first_few(map(repr, gaps))}; leave such queries out")
    check_shares("scores", scores)
    ranks = {query_id: first_ranks[query_id] for query_id in scores.index}
    _check_ranks("first_ranks", ranks)
    _check_one_run(scores, ranks, k)
    order = sorted(ranks, key=lambda query_id: (-scores[query_id], ranks[query_id], query_id))
    names = ["at rank 1", f"at rank 2 to {k}", f"below rank {k}, or not found"]
    colours = [BLUE, GREEN, ORANGE]
    groups = [int(ranks[query_id] > 1) + int(ranks[query_id] > k) for query_id in order]
    rows = np.arange(len(order))
    figure, axes = plt.subplots(figsize=(8, 0.21 * len(rows) + 1.6), layout="constrained")
    axes.barh(rows, scores[order], color=[colours[group] for group in groups], height=0.8)
    for row, query_id, group in zip(rows, order, groups, strict=True):
        words, end = _rank(ranks[query_id]) if group else "", (scores[query_id], row)
        note(axes, words, end, (5, 0), va="center", fontsize=8, color=colours[group])
    mean = scores.mean()
    axes.axvline(mean, color=GREY, **DASHED, zorder=0)
    axes.set(xlim=(0, 1.02), xlabel=f"{scores.name} (dashed: mean {mean:.2f}, n = {len(rows)} queries)")
    axes.set_yticks(rows, order, fontsize=8)
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    keys = [Line2D([], [], color=c, linewidth=6, label=name) for c, name in zip(colours, names, strict=True)]
    axes.legend(handles=keys, title="first relevant document", frameon=False, loc="lower right", fontsize=9)
    return finished(axes, title)


def first_rank_figure(first_ranks: Mapping[str, Mapping[str, float]], title: str) -> Figure:
    """How many queries have their first relevant document at which rank, a panel per system.

    `first_ranks` is `{system: {query_id: rank}}`, `inf` for a miss, drawn at the right edge. Dashed: the
    median, misses included. Raises ValueError for a rank below 1.
    """
    for name, by_query in first_ranks.items():
        _check_ranks(f"first_ranks[{name!r}]", dict(by_query))
    ranks = {
        name: np.array([*dict(by_query).values()], dtype=float) for name, by_query in first_ranks.items()
    }
    edge = 2.2 * max(10.0, *(values[np.isfinite(values)].max(initial=0) for values in ranks.values()))
    tallest = max(np.unique(values, return_counts=True)[1].max() for values in ranks.values())
    shape = {"nrows": len(ranks), "figsize": (8, 0.9 + 1.5 * len(ranks)), "sharex": True, "sharey": True}
    figure, panels = plt.subplots(**shape, layout="constrained", squeeze=False)
    for axes, (name, values) in zip(panels[:, 0], ranks.items(), strict=True):
        _rank_counts(axes, np.minimum(values, edge), edge)
        median, missed = float(np.median(values)), int(np.isinf(values).sum())
        axes.axvline(min(median, edge), color=GREY, **DASHED, zorder=0)
        words = f"{name}: median {_rank(median)}; {missed} of {len(values)} queries not found"
        axes.set_title(words, fontsize=10, loc="left")
        axes.set(ylabel="queries", ylim=(0, 1.4 * tallest))
        axes.yaxis.set_major_locator(plt.MaxNLocator(3, integer=True))
    ticks = [rank for rank in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000) if rank < 0.7 * edge]
    axes.set(xscale="log", xlim=(0.85, 1.25 * edge))
    axes.set_xlabel("rank of the first relevant document (log scale; dashed: median)")
    axes.set_xticks([*ticks, edge], [*map(str, ticks), "not\nfound"])
    axes.set_xticks([], minor=True)
    return finished(figure, title)


def _check_ranks(name: str, ranks: Mapping[str, float]) -> None:
    """Raises ValueError, with the query, for what is no rank: 0 and nan would be drawn nowhere."""
    for query_id, rank in ranks.items():
        if not rank >= 1:
            cure = "add 1 to ranks from 0" if rank == 0 else "inf for a query that finds nothing"
            raise ValueError(f"{name}[{query_id!r}] is {rank:g}; needed ranks from 1 up: {cure}")


def _check_one_run(scores: pd.Series, ranks: Mapping[str, float], k: int) -> None:
    """Raises ValueError where scores at k and first ranks contradict each other in both directions. In one
    they do where one of them counts only documents of a higher grade."""
    above = [query_id for query_id, score in scores.items() if score > 0 and ranks[query_id] > k]
    below = [query_id for query_id, score in scores.items() if score == 0 and ranks[query_id] <= k]
    if str(scores.name).endswith(f"@{k}") and above and below:
        one, other = above[0], below[0]
        said = f"{scores.name} of {one!r} is {scores[one]:.3g} with a first rank of {ranks[one]:g}"
        said += f", and that of {other!r} is 0 with one of {ranks[other]:g}"
        raise ValueError(f"{said}; give scores and first_ranks of one run")


def _rank_counts(axes: Axes, ranks: np.ndarray, edge: float) -> None:
    """A stick for each rank, as high as there are queries; a cross tops that of the queries not found."""
    for rank, count in zip(*np.unique(ranks, return_counts=True), strict=True):
        colour, marker = (ORANGE, "X") if rank == edge else (BLUE, "o")
        head = {"marker": marker, "markevery": [1], "markersize": 7}
        axes.plot([rank, rank], [0, count], color=colour, linewidth=2, **head)
        note(axes, str(count), (rank, count), (0, 6), ha="center", fontsize=8, bbox={**WHITE, "pad": 0.3})


def changes_figure(summary: pd.DataFrame, title: str) -> Figure:
    """For each change (rows) the share of misses that come back, and that of useless documents beside them.

    `summary` is a table like `FailureReport.summary()`. At the right is the difference in points with its
    interval. A row is blue where the interval leaves out 0, else grey.
    """
    check_shares("summary", summary[["share", "control"]])
    rows = np.arange(len(summary))
    figure, axes = plt.subplots(figsize=(8, 0.4 * len(rows) + 1.8), layout="constrained")
    for row, (_, one) in zip(rows, summary.iterrows(), strict=True):
        colour = BLUE if one["low"] * one["high"] > 0 else GREY
        axes.plot([one["control"], one["share"]], [row, row], color=colour, linewidth=2, zorder=1)
        axes.scatter(one["control"], row, s=55, facecolor="white", edgecolor=colour, zorder=2)
        axes.scatter(one["share"], row, s=60, color=colour, zorder=3)
        low, difference, high = (f"{100 * one[name]:+.1f}" for name in ("low", "difference", "high"))
        interval = f"({low} to {high})" if np.isfinite(one["low"]) else "(no interval)"
        axes.text(
            1.03, row, f"{difference} {interval}".replace("-", "−"), va="center", fontsize=9, color=colour
        )
    axes.text(1.03, -1, "difference in points (95 %)", va="center", fontsize=9)
    axes.set_yticks(rows, [f"{name}  (n = {n:,})" for name, n in summary["tested"].items()])
    axes.set(xlim=(-0.02, 1.5), ylim=(len(rows) - 0.5, -1.5), xlabel="share that comes back")
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    axes.grid(axis="x", alpha=0.3)
    keys = {"missed": BLUE, "useless, of nearly the same rank": "white"}
    handles = [
        Line2D([], [], color=BLUE, marker="o", linestyle="", markerfacecolor=fill, label=name)
        for name, fill in keys.items()
    ]
    axes.legend(handles=handles, frameon=False, loc="upper left", bbox_to_anchor=(0.1, 1), fontsize=9)
    return finished(axes, title)


def sets_figure(back: pd.DataFrame, title: str) -> Figure:
    """Which misses (a stroke each) are back after which changes (rows), misses of one set side by side.

    `back` is a table like `FailureReport.back`. Misses that nothing brings back are the empty right end.
    """
    order = back.sum().sort_values(ascending=False, kind="stable").index
    table = back[order].sort_values(list(order), ascending=False, kind="stable").to_numpy()
    n_misses, n_rows = table.shape
    figure, axes = plt.subplots(figsize=(8, 0.34 * n_rows + 1.3), layout="constrained")
    for row, column in zip(range(n_rows), table.T, strict=True):
        axes.vlines(
            np.flatnonzero(column) + 0.5, row - 0.36, row + 0.36, color=BLUE, linewidth=420 / n_misses
        )
    axes.set_yticks(range(n_rows), [f"{name}  ({back[name].sum()})" for name in order])
    axes.set(xlim=(0, n_misses), ylim=(n_rows - 0.5, -0.5))
    nothing = int((~back.any(axis=1)).sum())
    axes.set_xlabel(f"{n_misses} misses, one stroke each; the last {nothing} come back after no change")
    axes.axvline(n_misses - nothing, color=GREY, **DASHED)
    return finished(axes, title)


def _rank(rank: float) -> str:
    return f"rank {rank:g}" if np.isfinite(rank) else "not found"
