"""A finished table of texts, with notes below, as Markdown, LaTeX and HTML.

`cells` is a frame of texts whose index says nothing; its first `n_labels` columns are names and stand to the
left, the others are numbers and stand to the right. `bold` is a frame of the same shape that says which cells
are set in bold. All text is escaped for where it goes.
"""

import html
import re
from collections.abc import Sequence

import pandas as pd

_LATEX = {char: f"\\{char}" for char in "&%$#_{}"} | {"<": "$<$", ">": "$>$", "†": "$^\\dagger$"}
_LATEX |= {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}


def escape_markdown(text: str) -> str:
    r"""Text as Markdown prints it, on one line: a bar does not end its cell, dollars make no formula.

    >>> print(escape_markdown("a|b *c* doc_1"))
    a\|b \*c\* doc\_1
    """
    return re.sub(r"([\\|*_`<>$]|(?<=\])\()", r"\\\1", " ".join(text.split()))


def markdown_table(
    cells: pd.DataFrame, bold: pd.DataFrame | None = None, notes: Sequence[str] = (), n_labels: int = 1
) -> str:
    """A pipe table; each note is a line below it.

    >>> cells = pd.DataFrame({"system": ["a_b", "c"], "mean": ["0.50", "0.25"]})
    >>> print(markdown_table(cells, cells == "0.50", ["n = 2"]))
    | system   |     mean |
    |:---------|---------:|
    | a\\_b     | **0.50** |
    | c        |     0.25 |
    <BLANKLINE>
    n = 2
    """
    text = cells.map(escape_markdown).rename(columns=escape_markdown)
    if bold is not None:
        text = text.mask(bold.to_numpy(), "**" + text + "**")
    sides = ["left"] * n_labels + ["right"] * (cells.shape[1] - n_labels)
    table = text.to_markdown(index=False, disable_numparse=True, colalign=sides)
    return table + ("\n\n" + "  \n".join(map(escape_markdown, notes)) if notes else "")


def latex_table(cells: pd.DataFrame, bold: pd.DataFrame, notes: list[str], n_labels: int = 1) -> str:
    """A floating table for the package booktabs; the notes are its caption. A minus is set as one.

    >>> cells = pd.DataFrame({"system": ["a_b"], "mean": ["-0.25"]})
    >>> print(latex_table(cells, cells == "-0.25", ["n = 2"]).splitlines()[8])
    a\\_b & \\textbf{$-$0.25} \\\\
    """
    text, numbers = cells.map(_latex), cells.columns[n_labels:]
    text[numbers] = text[numbers].replace(r"(?<![\w.])-(?=\d)", "$-$", regex=True)
    # A row that begins with [ or * would be read as an argument of the \\ above it.
    text.iloc[:, 0] = text.iloc[:, 0].replace(r"^(?=[\[*])", "{}", regex=True)
    style = text.style.hide(axis="index").format_index(_latex, axis="columns")
    style.apply(lambda _: bold.replace({True: "textbf:--rwrap", False: ""}), axis=None)
    sides, caption = "l" * n_labels + "r" * len(numbers), " ".join(map(_latex, notes))
    table = style.to_latex(hrules=True, position_float="centering", column_format=sides, caption=caption)
    return "% needs \\usepackage{booktabs}\n" + table.rstrip()


def html_table(cells: pd.DataFrame, bold: pd.DataFrame, notes: list[str]) -> str:
    """A table as a notebook shows it, each note a line below.

    >>> cells = pd.DataFrame({"system": ["a<b"], "mean": ["0.50"]})
    >>> "<td>a&lt;b</td>" in html_table(cells, cells == "0.50", ["n = 1"])
    True
    """
    text = cells.map(html.escape)
    with pd.option_context("display.max_colwidth", None):
        table = text.mask(bold, "<b>" + text + "</b>").to_html(index=False, escape=False)
    return table + f"<p>{'<br>'.join(map(html.escape, notes))}</p>"


def _latex(text: str) -> str:
    return " ".join(text.split()).translate(str.maketrans(_LATEX))
