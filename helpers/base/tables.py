"""A finished table of texts, with notes below, as Markdown, LaTeX and HTML. What stands in it is made elsewhere.

`cells` is a frame of texts without an index that says anything; its first `n_labels` columns are names and stand to the left,
the others are numbers and stand to the right. `bold` is a frame of the same shape that says which cells are set in bold.
All text is escaped for where it goes.
"""

import html
import re
from collections.abc import Sequence

import pandas as pd

LATEX = {char: f"\\{char}" for char in "&%$#_{}"} | {"<": "$<$", ">": "$>$", "†": "$^\\dagger$"}
LATEX |= {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}
_LATEX = str.maketrans(LATEX)


def escape_latex(text: str) -> str:
    r"""Text as LaTeX prints it: none of its characters is a command.

    >>> escape_latex("BM25_a & b, 50 %")
    'BM25\\_a \\& b, 50 \\%'
    """
    return " ".join(text.split()).translate(_LATEX)


def escape_markdown(text: str) -> str:
    r"""Text as Markdown prints it, on one line; a bar does not end its cell, and what stands between dollars is no formula.

    >>> print(escape_markdown("a|b *c* doc_1"))
    a\|b \*c\* doc\_1
    """
    return re.sub(r"([\\|*_`<>$]|(?<=\])\()", r"\\\1", " ".join(text.split()))


def markdown_table(cells: pd.DataFrame, bold: pd.DataFrame, notes: Sequence[str], n_labels: int = 1) -> str:
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
    text = text.mask(bold.set_axis(text.columns, axis=1), "**" + text + "**")
    sides = ["left"] * n_labels + ["right"] * (cells.shape[1] - n_labels)
    table = text.to_markdown(index=False, disable_numparse=True, colalign=sides)
    return f"{table}\n\n" + "  \n".join(map(escape_markdown, notes))


def latex_table(cells: pd.DataFrame, bold: pd.DataFrame, notes: Sequence[str], n_labels: int = 1) -> str:
    """A floating table for the package booktabs; the notes are its caption. A minus is set as one.

    >>> cells = pd.DataFrame({"system": ["a_b", "c"], "mean": ["0.50", "-0.25"]})
    >>> print(latex_table(cells, cells == "0.50", ["n = 2"]))
    % needs \\usepackage{booktabs}
    \\begin{table}
    \\centering
    \\caption{n = 2}
    \\begin{tabular}{lr}
    \\toprule
    system & mean \\\\
    \\midrule
    a\\_b & \\textbf{0.50} \\\\
    c & $-$0.25 \\\\
    \\bottomrule
    \\end{tabular}
    \\end{table}
    """
    text = cells.map(escape_latex)
    numbers = text.columns[n_labels:]
    text[numbers] = text[numbers].replace(r"(?<![\w.])-(?=\d)", "$-$", regex=True)
    text = text.mask(bold, "\\textbf{" + text + "}")
    rows = [" & ".join(row) + " \\\\" for row in [map(escape_latex, text.columns), *text.to_numpy().tolist()]]
    rows = [
        f"{{}}{row}" if row[0] in "[*" else row for row in rows
    ]  # else they would belong to the \\\\ of the row above
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{' '.join(map(escape_latex, notes))}}}",
            f"\\begin{{tabular}}{{{'l' * n_labels}{'r' * len(numbers)}}}",
            "\\toprule",
            rows[0],
            "\\midrule",
            *rows[1:],
            "\\bottomrule",
            "\\end{tabular}",
            "\\end{table}",
        ]
    )


def html_table(cells: pd.DataFrame, bold: pd.DataFrame, notes: Sequence[str]) -> str:
    """A table as a notebook shows it, each note a line below.

    >>> cells = pd.DataFrame({"system": ["a<b"], "mean": ["0.50"]})
    >>> "<td>a&lt;b</td>" in html_table(cells, cells == "0.50", ["n = 1"])
    True
    """
    text = cells.map(html.escape)
    text = text.mask(bold, "<b>" + text + "</b>")
    with pd.option_context(
        "display.max_colwidth", None, "display.max_rows", None, "display.max_columns", None
    ):
        table = text.to_html(index=False, escape=False)
    return table + f"<p>{'<br>'.join(map(html.escape, notes))}</p>"
