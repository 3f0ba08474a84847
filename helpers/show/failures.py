"""The figures of lesson 05: which queries score low, where their first relevant document stands, and why others were missed."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from helpers.show.style import BLUE, GREEN, GREY, ORANGE, finished


def sorted_scores_figure(scores: pd.Series, first_ranks: Mapping[str, float], k: int, title: str) -> Figure:
    """One bar per query, best on top, coloured by where its first relevant document stands; the rank is written beside it.

    `scores` is one metric per query (index: query_id; its name is the axis label), 0 to 1; `first_ranks` is
    `{query_id: rank}`, `inf` where none was retrieved, as `evaluation.first_relevant_ranks` gives it.
    """
    ranks = {query_id: first_ranks.get(query_id, np.inf) for query_id in scores.index}
    order = sorted(ranks, key=lambda query_id: (-scores[query_id], ranks[query_id], query_id))
    colours = {"at rank 1": BLUE, f"at rank 2 to {k}": GREEN, f"below rank {k}, or not found": ORANGE}
    groups = [int(ranks[query_id] > 1) + int(ranks[query_id] > k) for query_id in order]
    rows = np.arange(len(order))
    figure, axes = plt.subplots(figsize=(8, 0.21 * len(rows) + 1.6), layout="constrained")
    axes.barh(rows, scores[order], color=[list(colours.values())[group] for group in groups], height=0.8)
    for row, query_id, group in zip(rows, order, groups, strict=True):
        words, colour = _rank(ranks[query_id]) if group else "", list(colours.values())[group]
        axes.annotate(
            words,
            (scores[query_id], row),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=colour,
        )
    mean = scores.mean()
    axes.axvline(mean, color=GREY, linestyle="--", linewidth=1.4, zorder=0)
    axes.set(xlim=(0, 1.02), xlabel=f"{scores.name} (dashed: mean {mean:.2f}, n = {len(rows)} queries)")
    axes.set_yticks(rows, order, fontsize=8)
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    handles = [Line2D([], [], color=colour, linewidth=6, label=name) for name, colour in colours.items()]
    axes.legend(
        handles=handles, title="first relevant document", frameon=False, loc="lower right", fontsize=9
    )
    axes.set_title(title, fontsize=11)
    return finished(figure)


def first_rank_figure(first_ranks: Mapping[str, Mapping[str, float]], title: str) -> Figure:
    """How many queries have their first relevant document at which rank, a panel per system; misses at the right edge.

    `first_ranks` is `{system: {query_id: rank}}`, `inf` for a miss. The dashed line is the median, misses counted as such.
    """
    ranks = {
        name: np.array(list(dict(of_system).values()), dtype=float) for name, of_system in first_ranks.items()
    }
    edge = 2.2 * max(10.0, *(values[np.isfinite(values)].max(initial=0) for values in ranks.values()))
    tallest = max(np.unique(values, return_counts=True)[1].max() for values in ranks.values())
    figure, panels = plt.subplots(
        len(ranks),
        1,
        figsize=(8, 0.9 + 1.5 * len(ranks)),
        sharex=True,
        sharey=True,
        layout="constrained",
        squeeze=False,
    )
    for axes, (name, values) in zip(panels[:, 0], ranks.items(), strict=True):
        places, counts = np.unique(np.minimum(values, edge), return_counts=True)
        for place, count in zip(places, counts, strict=True):
            colour, marker = (ORANGE, "X") if place == edge else (BLUE, "o")
            axes.plot(
                [place, place],
                [0, count],
                color=colour,
                linewidth=2,
                marker=marker,
                markevery=[1],
                markersize=7,
            )
            above = {"xytext": (0, 6), "textcoords": "offset points", "ha": "center", "fontsize": 8}
            axes.annotate(
                str(count),
                (place, count),
                **above,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3},
            )
        median, missed = float(np.median(values)), int(np.isinf(values).sum())
        axes.axvline(min(median, edge), color=GREY, linestyle="--", linewidth=1.4, zorder=0)
        words = f"{name}: median {_rank(median)}; {missed} of {len(values)} queries not found"
        axes.set_title(words, fontsize=10, loc="left")
        axes.set(ylabel="queries", ylim=(0, 1.4 * tallest))
        axes.yaxis.set_major_locator(plt.MaxNLocator(3, integer=True))
    ticks = [rank for rank in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000) if rank < 0.7 * edge]
    axes.set(
        xscale="log",
        xlim=(0.85, 1.25 * edge),
        xlabel="rank of the first relevant document (log scale; dashed: median)",
    )
    axes.set_xticks([*ticks, edge], [*map(str, ticks), "not\nfound"])
    axes.set_xticks([], minor=True)
    figure.suptitle(title, fontsize=11)
    return finished(figure)


def causes_figure(counts: pd.DataFrame, title: str) -> Figure:
    """Causes (rows) by kind of query (columns) as dots whose area is the count, the count beside each; sums in the labels.

    `counts` is a table like `FailureReport.by_kind()`. A cause that never occurred keeps its row, without a dot.
    """
    figure, axes = plt.subplots(
        figsize=(2.6 + 1.05 * counts.shape[1], 1.5 + 0.5 * len(counts)), layout="constrained"
    )
    largest = max(int(counts.to_numpy().max(initial=0)), 1)
    for row, column in zip(*np.nonzero(counts.to_numpy()), strict=True):
        count = int(counts.iat[row, column])
        axes.scatter(column, row, s=520 * count / largest, color=BLUE, zorder=2)
        axes.annotate(str(count), (column, row), (15, 0), textcoords="offset points", va="center", fontsize=9)
    axes.set_xticks(range(counts.shape[1]), _labels(counts.columns, counts.sum(axis=0), "\n"), fontsize=9)
    axes.set_yticks(range(len(counts)), _labels(counts.index, counts.sum(axis=1), "  "))
    axes.set(xlim=(-0.5, counts.shape[1] - 0.4), ylim=(len(counts) - 0.5, -0.5), xlabel="kind of query")
    axes.grid(alpha=0.3, zorder=0)
    figure.suptitle(f"{title} (n = {int(counts.to_numpy().sum())} missed documents)", fontsize=11)
    return finished(figure)


def _labels(names: Sequence[str], sums: Sequence[int], between: str) -> list[str]:
    return [
        f"{str(name).replace('_', '-')}{between}({total})" for name, total in zip(names, sums, strict=True)
    ]


def _rank(rank: float) -> str:
    return f"rank {rank:g}" if np.isfinite(rank) else "not found"
