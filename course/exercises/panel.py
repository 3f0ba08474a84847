"""Where a reader stands, as a table: in a notebook one that follows the checks, elsewhere as lines."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from course.exercises import session

RIGHT, OPEN, UNSEEN = "right", "open", "not checked yet"


@dataclass(frozen=True)
class Row:
    """One line of a panel: what it is about, how many are right of how many, and what to say of the rest."""

    name: str
    right: int
    of: int
    said: str
    link: str = ""


@dataclass(frozen=True)
class Panel:
    """Rows under a title. A notebook shows them as a table, a terminal as lines.

    >>> Panel("Lesson", [Row("recall_at_k", 1, 1, RIGHT), Row("question 1", 0, 1, UNSEEN)])
    Lesson: 1 of 2 right
      recall_at_k  right
      question 1   not checked yet
    """

    title: str
    rows: Sequence[Row]

    @property
    def heading(self) -> str:
        """The title with how much is right in all."""
        return f"{self.title}: {sum(r.right for r in self.rows)} of {sum(r.of for r in self.rows)} right"

    def __repr__(self) -> str:
        wide = max((len(row.name) for row in self.rows), default=0)
        return "\n".join([self.heading, *(f"  {row.name:<{wide}}  {row.said}" for row in self.rows)])

    def _repr_html_(self) -> str:
        rows = "".join(map(_html, self.rows))
        left = "text-align: left"
        return (
            f'<table><caption style="{left}; color: inherit">{escape(self.heading)}</caption>'
            f'<thead><tr><th scope="col" style="{left}">what</th><th scope="col" style="{left}">done</th>'
            f'<th scope="col" style="{left}">state</th></tr></thead><tbody>{rows}</tbody></table>'
        )


def _html(row: Row) -> str:
    name, left = escape(row.name), "text-align: left"
    what = f'<a href="{escape(row.link)}">{name}</a>' if row.link else name
    bar = f'<progress value="{row.right}" max="{row.of}" aria-label="{name}">{row.right}/{row.of}</progress>'
    cells = f'<td style="{left}">{bar}</td><td style="{left}">{escape(row.said)}</td>'
    return f'<tr><th scope="row" style="{left}; font-weight: normal">{what}</th>{cells}</tr>'


def follow(name: str, panel: Callable[[], Panel]) -> None:
    """Shows a panel. In a notebook it is made anew after each check, in its place; elsewhere it is printed.

    `name` tells it from others: of the same name only the latest follows.
    """
    ipython = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        print(panel())
        return
    from IPython.display import display

    handle = display(panel(), display_id=True)
    session.watch(name, lambda: handle.update(panel()))
