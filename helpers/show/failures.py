"""The figures of failures: which queries score low, their first relevant rank, why it was missed."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from helpers.show.style import BLUE, DASHED, GREEN, GREY, ORANGE, WHITE, finished, note


def sorted_scores_figure(scores: pd.Series, first_ranks: Mapping[str, float], k: int, title: str) -> Figure:
    """One bar per query, best on top, coloured by the rank of its first relevant document.

    `scores` is one metric per query (index: query_id; its name is the axis label), 0 to 1; `first_ranks` is
    `{query_id: rank}`, `inf` where none was retrieved, as `evaluation.first_relevant_ranks` gives it.
    """
    ranks = {query_id: first_ranks.get(query_id, np.inf) for query_id in scores.index}
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
    median, misses included.
    """
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


def _rank_counts(axes: Axes, ranks: np.ndarray, edge: float) -> None:
    """A stick for each rank, as high as there are queries; a cross tops that of the queries not found."""
    for rank, count in zip(*np.unique(ranks, return_counts=True), strict=True):
        colour, marker = (ORANGE, "X") if rank == edge else (BLUE, "o")
        head = {"marker": marker, "markevery": [1], "markersize": 7}
        axes.plot([rank, rank], [0, count], color=colour, linewidth=2, **head)
        note(axes, str(count), (rank, count), (0, 6), ha="center", fontsize=8, bbox={**WHITE, "pad": 0.3})


def causes_figure(counts: pd.DataFrame, title: str) -> Figure:
    """Causes (rows) by kind of query (columns) as dots whose area is the count; sums in the labels.

    `counts` is a table like `FailureReport.by_kind()`. A cause that never occurred keeps its row.
    """
    n_rows, n_columns = counts.shape
    figure, axes = plt.subplots(figsize=(2.6 + 1.05 * n_columns, 1.5 + 0.5 * n_rows), layout="constrained")
    largest = max(int(counts.to_numpy().max(initial=0)), 1)
    for row, column in zip(*np.nonzero(counts.to_numpy()), strict=True):
        count = int(counts.iat[row, column])
        axes.scatter(column, row, s=520 * count / largest, color=BLUE, zorder=2)
        note(axes, str(count), (column, row), (15, 0), va="center")
    axes.set_xticks(range(n_columns), _labels(counts.columns, counts.sum(axis=0), "\n"), fontsize=9)
    axes.set_yticks(range(n_rows), _labels(counts.index, counts.sum(axis=1), "  "))
    axes.set(xlim=(-0.5, n_columns - 0.4), ylim=(n_rows - 0.5, -0.5), xlabel="kind of query")
    axes.grid(alpha=0.3, zorder=0)
    return finished(figure, f"{title} (n = {int(counts.to_numpy().sum())} missed documents)")


def _labels(names: Sequence[str], sums: Sequence[int], between: str) -> list[str]:
    pairs = zip(names, sums, strict=True)
    return [f"{str(name).replace('_', '-')}{between}({total})" for name, total in pairs]


def _rank(rank: float) -> str:
    return f"rank {rank:g}" if np.isfinite(rank) else "not found"
