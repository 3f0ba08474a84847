"""The figures of lessons 01 to 04: lengths, overlaps, systems side by side, what a query costs."""

from collections.abc import Mapping, Sequence
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from helpers.base import check_k
from helpers.show.style import (
    BLUE,
    DASHED,
    GREEN,
    GREY,
    LINES,
    ORANGE,
    WHITE,
    check_shares,
    finished,
    n_of,
    note,
    panels,
)


def idf_figure(n_documents: int) -> Figure:
    """Lucene's and the classic IDF against the share of documents that hold the term."""
    df = np.arange(1, n_documents)
    odds = (n_documents - df + 0.5) / (df + 0.5)
    lucene, classic = np.log(1 + odds), np.log(odds)
    share = 100 * df / n_documents
    figure, axes = plt.subplots(figsize=(7.5, 3.8), layout="constrained")
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.plot(share, lucene, color=BLUE, linewidth=2.2, label="Lucene: ln(1 + (N − df + 0.5) / (df + 0.5))")
    axes.plot(
        share, classic, "--", color=ORANGE, linewidth=2, label="classic: ln((N − df + 0.5) / (df + 0.5))"
    )
    axes.fill_between(share, classic, 0, where=classic < 0, color=ORANGE, alpha=0.15)
    line = {"arrowstyle": "-", "color": ORANGE}
    axes.annotate("a match here lowers the score", (86, -1.0), (44, -4.2), color=ORANGE, arrowprops=line)
    axes.set(xlabel="documents that contain the term (%)", ylabel="IDF", xlim=(0, 100))
    axes.legend(frameon=False)
    negative = "Past half of the collection the classic IDF is negative; Lucene's never is"
    return finished(axes, f"{negative} (N = {n_documents:,})")


def ladder_figure(table: pd.DataFrame, title: str, published: dict[str, float]) -> Figure:
    """One dot per step and metric, first step on top; a dashed line where a published figure exists.

    `table` has one row per step (index: its name) and one column per metric, values between 0 and 1.
    """
    steps = np.arange(len(table))
    figure, drawn = panels(table.shape[1], (9, 0.5 * len(table) + 1.7))
    for axes, metric, colour in zip(drawn, table, cycle((BLUE, GREEN)), strict=False):
        values = table[metric].to_numpy()
        axes.plot(values, steps, "o-", color=colour, markersize=8, linewidth=1.2)
        for value, step in zip(values, steps, strict=True):
            # On the side of the dot that is away from the dashed line.
            shift, ha = ((7, 0), "left") if value > published.get(metric, np.inf) else ((-7, 0), "right")
            note(axes, f"{value:.4f}", (value, step), shift, ha=ha, va="center", bbox=WHITE)
        if metric in published:
            target = published[metric]
            axes.axvline(target, color=ORANGE, **DASHED, zorder=0)
            axes.text(target, -0.95, f"published {target:.4f} ", color=ORANGE, ha="right", fontsize=9)
        low, high = min(values), max(values)
        margin = 0.35 * max(high - low, 0.01)
        axes.set(xlim=(low - margin, high + margin), xlabel=metric, ylim=(len(table) - 0.5, -1.1))
        axes.grid(axis="x", alpha=0.3)
        axes.xaxis.set_major_locator(plt.MaxNLocator(5, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter("{x:.2f}")
    drawn[0].set_yticks(steps, table.index)
    return finished(figure, title)


def lengths_figure(n_tokens: Sequence[int], limits: Sequence[int], encoding: str) -> Figure:
    """How many documents have which length in tokens, with a dashed line at each limit."""
    figure, axes = plt.subplots(figsize=(7.5, 3.2), layout="constrained")
    axes.hist(n_tokens, bins=range(0, max(n_tokens) + 128, 128), color=BLUE, edgecolor="white")
    beside = {"transform": axes.get_xaxis_transform(), "color": ORANGE, "fontsize": 9, "va": "top"}
    for limit in limits:
        longer = sum(n > limit for n in n_tokens)
        axes.axvline(limit, color=ORANGE, **DASHED)
        axes.text(limit + 15, 0.97, f"{longer} are longer\nthan {limit:,}", **beside)
    axes.set_ylim(0, 1.35 * axes.get_ylim()[1])  # room for the words above the bars
    axes.set(xlabel=f"tokens of {encoding} in a document", ylabel="documents", xlim=(0, None))
    longer = f"Most documents do not fit into one chunk of {limits[0]} tokens"
    return finished(axes, f"{longer} (n = {len(n_tokens)} documents)")


def overlap_figure(overlap: pd.DataFrame, kinds: Sequence[str], title: str) -> Figure:
    """One dot per query, a row per kind: the highest share of its content words in a quoted paragraph.

    `overlap` has one row per query with the columns `kind` and `paragraph` (0 to 1). Equal dots are stacked.
    What is of none of the `kinds`, or without a value, is not drawn, as n says.
    """
    n_given = len(overlap)
    overlap = overlap[overlap["kind"].isin(kinds)].dropna(subset="paragraph")
    check_shares("overlap, column 'paragraph',", overlap["paragraph"])
    figure, axes = plt.subplots(figsize=(7.5, 3.6), layout="constrained")
    for row, kind in enumerate(kinds):
        values = 100 * overlap.loc[overlap["kind"] == kind, "paragraph"].round(2).sort_values()
        heights = row - 0.16 * values.groupby(values).cumcount()
        axes.plot(values, heights, "o", color=BLUE, markersize=8, alpha=0.85, markeredgecolor="white")
    axes.axvline(25, color=ORANGE, **DASHED)
    axes.set_yticks(range(len(kinds)), [kind.replace("_", "-") for kind in kinds])
    axes.set(xlabel="highest share of the query's content words in a quoted paragraph (%)", xlim=(-4, 104))
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    return finished(axes, f"{title} ({n_of(len(overlap), n_given)})")


def lab_figure(differences: Mapping[str, pd.DataFrame], baseline: str, title: str) -> Figure:
    """One row per cut, one panel per metric: its difference from the baseline, ± two standard errors.

    `differences` is `{name of the queries: table}`, each with its own marker. A table has one row per cut
    (index: its name) and for each metric the columns `(metric, "difference")` and `(metric, "± 2 SE")`.
    """
    rows = np.arange(len(next(iter(differences.values()))))
    metrics = list(next(iter(differences.values())).columns.unique(0))
    figure, drawn = panels(len(metrics), (9.5, 0.5 * len(rows) + 1.7))
    shifts = 0.18 * (2 * np.arange(len(differences)) - len(differences) + 1)
    for axes, metric in zip(drawn, metrics, strict=True):
        axes.axvline(0, color=GREY, linewidth=1)
        for (name, table), shift, (colour, line) in zip(
            differences.items(), shifts, cycle(LINES), strict=False
        ):
            middle, half = table[metric]["difference"], table[metric]["± 2 SE"]
            look = {"fmt": line[0], "color": colour, "markersize": 7}
            axes.errorbar(middle, rows + shift, xerr=half, label=name, **look)
        what = f"{metric}, difference from {baseline} (± 2 SE)"
        axes.set(xlabel=what, ylim=(len(rows) - 0.5, -0.5))
        axes.grid(axis="x", alpha=0.3)
    drawn[0].set_yticks(rows, next(iter(differences.values())).index)
    handles, names = drawn[0].get_legend_handles_labels()
    figure.legend(handles, names, frameon=False, loc="outside lower center", ncols=len(names), fontsize=9)
    return finished(figure, title)


def discount_figure(k: int = 10) -> Figure:
    """What a relevant document earns at each rank, as three metrics have it, relative to rank 1."""
    check_k(k)
    ranks = np.arange(1, k + 6)
    within, below = ranks[ranks <= k], ranks[ranks > k]
    figure, axes = plt.subplots(figsize=(8, 3.4), layout="constrained")
    axes.plot(within, np.ones(k), "s--", color=GREY, label=f"P@{k}")
    axes.plot(within, 1 / np.log2(within + 1), "o-", color=BLUE, label=f"nDCG@{k}: 1 / log2(rank + 1)")
    axes.plot(ranks, 1 / ranks, "^:", color=ORANGE, label="reciprocal rank: 1 / rank")
    axes.plot(below, np.zeros(len(below)), "s--", color=GREY, markersize=8)
    axes.plot(below, np.zeros(len(below)), "o-", color=BLUE, markersize=4)
    axes.set(xlabel="rank of a relevant document", ylabel="worth, rank 1 = 1", ylim=(-0.04, 1.1))
    axes.set_xticks(ranks)
    axes.legend(frameon=False, loc="upper right", bbox_to_anchor=(1, 0.85), fontsize=9)
    axes.grid(axis="y", alpha=0.3)
    return finished(axes, "What rank 9 is worth depends on the metric")


def per_query_figure(
    per_query: pd.DataFrame, kinds: Mapping[str, str], texts: Mapping[str, str], title: str
) -> Figure:
    """One bar per query in a panel per column, grouped by kind of query, best first column on top.

    `per_query` has one row per query (index: query_id), values from 0 to 1; `kinds` is `{query_id: kind}`,
    its kinds in the order in which they are drawn, `texts` is `{query_id: text}`. The dashed line is the
    mean.
    """
    check_shares("per_query", per_query)
    order = list(dict.fromkeys(kinds.values()))
    best_first = per_query.iloc[:, 0].sort_values(ascending=False, kind="stable").index
    query_ids = sorted(best_first, key=lambda query_id: order.index(kinds[query_id]))
    groups = np.array([order.index(kinds[query_id]) for query_id in query_ids])
    rows = np.arange(len(query_ids)) + 0.7 * groups
    figure, drawn = panels(per_query.shape[1], (10.5, 0.21 * len(rows) + 2))
    for axes, column, colour in zip(drawn, per_query, cycle((BLUE, GREEN)), strict=False):
        axes.barh(rows, per_query.loc[query_ids, column], color=colour, height=0.8)
        mean = per_query[column].mean()
        axes.axvline(mean, color=ORANGE, **DASHED)
        axes.set(xlim=(0, 1.02), xlabel=f"{column} (dashed: mean {mean:.2f}, n = {len(rows)})")
        axes.grid(axis="x", alpha=0.3)
        axes.margins(y=0.01)
    beginnings = [f"{texts[query_id]:.38}" + "…" * (len(texts[query_id]) > 38) for query_id in query_ids]
    names = [f"{text}  {query_id}" for text, query_id in zip(beginnings, query_ids, strict=True)]
    drawn[0].set_yticks(rows, names, fontsize=8)
    drawn[0].invert_yaxis()
    for number, kind in enumerate(order):
        middle = rows[groups == number].mean()
        drawn[-1].text(1.05, middle, kind.replace("_", "-"), va="center", fontsize=9)
    return finished(figure, title)


def cost_figure(benchmark: dict) -> Figure:
    """Milliseconds per query against the size of the collection, one line per system.

    `benchmark` is `evals/benchmarks/retrieval.json`.
    """
    sizes = benchmark["sizes"]
    figure, axes = plt.subplots(figsize=(9, 4.8), layout="constrained")
    colours, lines = (BLUE, GREEN, ORANGE, ORANGE, GREY, "black"), ("-", "-", "-", "--", ":", "-.")
    names = max((size["systems"] for size in sizes), key=len)
    for name, colour, line in zip(names, cycle(colours), cycle(lines), strict=False):
        measured = [size for size in sizes if name in size["systems"]]
        documents = [size["documents"] for size in measured]
        cost = [1000 / size["systems"][name]["queries per second"]["100"] for size in measured]
        axes.plot(documents, cost, line, color=colour, marker="o", linewidth=2, label=name)
    axes.set(xscale="log", yscale="log", xlabel="documents", ylabel="milliseconds per query")
    figure.legend(loc="outside right center", frameon=False, fontsize=9)
    longer = "The larger the collection, the longer a query takes"
    return finished(axes, f"{longer}; systems differ by factors of hundreds or thousands (top 100)")
