"""What all figures share: colours that every reader can tell apart, panels, lines, notes."""

from collections.abc import Iterable
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe and Ito's palette: told apart with any kind of colour vision, and in grey by line styles.
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#666666"
LINES = ((BLUE, "o-"), (ORANGE, "s--"), (GREEN, "^-."), ("black", "d:"), (GREY, "v-"))
DASHED = {"linestyle": "--", "linewidth": 1.4}
WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
"""The box behind a note that stands on a line."""


def panels(n: int, size: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """A figure of that size in inches with n panels side by side, to one scale."""
    figure, axes = plt.subplots(1, n, figsize=size, sharey=True, layout="constrained", squeeze=False)
    return figure, list(axes[0])


def check_shares(name: str, values: object) -> None:
    """Raises ValueError for numbers outside 0 to 1, which an axis that ends there would not show.

    >>> check_shares("curve", [0.14, 44])
    Traceback (most recent call last):
    ValueError: curve holds 44; needed shares from 0 to 1: divide percentages by 100
    """
    numbers = np.asarray(values, dtype=float).ravel()
    beyond = numbers[(numbers < -1e-9) | (numbers > 1 + 1e-9)]
    if beyond.size:
        cure = ": divide percentages by 100" if beyond.min() > 1 else ""
        raise ValueError(f"{name} holds {beyond[0]:g}; needed shares from 0 to 1{cure}")


def check_intervals(table: pd.DataFrame) -> None:
    """Raises ValueError, with the row, for an interval that does not hold its difference, as half a width."""
    ends = [table[name].astype(float) for name in ("diff low", "difference", "diff high")]
    for row, low, middle, high in zip(table.index, *ends, strict=True):
        if not low - 1e-9 <= middle <= high + 1e-9:
            found = f"difference {middle:g}, diff low {low:g}, diff high {high:g}"
            raise ValueError(f"row {row!r}: {found}; needed the ends of an interval around the difference")


def draw_lines(axes: Axes, table: pd.DataFrame, styles: Iterable[tuple[str, str]] = LINES, size=6) -> None:
    """A line for each column of the table, told apart by colour, marker and stroke."""
    for (name, values), (colour, line) in zip(table.items(), cycle(styles), strict=False):
        axes.plot(table.index, values, line, color=colour, linewidth=1.8, markersize=size, label=name)


def note(axes: Axes, text: str, where: tuple[float, float], shift: tuple[float, float], **look) -> None:
    """Words beside a point of the figure, shifted by so many points of type."""
    axes.annotate(text, where, shift, textcoords="offset points", **{"fontsize": 9, **look})


def n_of(drawn: int, given: int) -> str:
    """How many queries a figure shows, and of how many, where some have no number.

    >>> n_of(6, 6), n_of(5, 6)
    ('n = 6 queries', 'n = 5 of 6 queries')
    """
    return f"n = {drawn} queries" if drawn == given else f"n = {drawn} of {given} queries"


def finished(titled: Axes | Figure, title: str) -> Figure:
    """The figure with a title above these axes or above all, without upper and right frame, and closed."""
    if isinstance(titled, Axes):
        titled.set_title(title, fontsize=11)
    else:
        titled.suptitle(title, fontsize=11)
    for axes in titled.figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    plt.close(
        titled.figure
    )  # else the inline backend would show it a second time, beside the value of the cell
    return titled.figure
