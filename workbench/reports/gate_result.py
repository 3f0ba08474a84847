"""What a regression gate found, and how it says so on a terminal. How it is found is in `gate`."""

from dataclasses import dataclass

SHOWN, CAUSES_SHOWN = 20, 4
"""So many queries that got worse are printed, and so many causes of each; `GateResult.broke` has all."""


@dataclass(frozen=True)
class GateRow:
    """One limit: both means, the drop (above 0: the candidate is worse), p as corrected by Holm, and what follows from it."""

    metric: str
    baseline: float
    candidate: float
    drop: float
    limit: float
    p: float
    verdict: str


@dataclass(frozen=True)
class Broken:
    """A query that got worse: the limited metric in which it fell furthest, before and after, and a cause for each row that fell."""

    query_id: str
    text: str
    metric: str
    before: float
    after: float
    causes: list[str]


@dataclass(frozen=True)
class GateResult:
    """What `gate` found. `ok` is False where a limit failed, `broke` is worst first, `text()` is for a terminal."""

    ok: bool
    title: str
    rows: list[GateRow]
    broke: list[Broken]
    notes: list[str]

    def text(self) -> str:
        """Title, table, notes, and the queries that got worse with their causes. No text of a query can begin a line."""
        lines = [f"gate {'passed' if self.ok else 'FAILED'}: {_line(self.title)}", *_table(self.rows)]
        lines += [f"note: {_line(note)}" for note in self.notes]
        if self.broke:
            lines.append(f"queries that got worse, worst first: {len(self.broke):,}")
        for query in self.broke[:SHOWN]:
            moved = f"{query.metric} {query.before:.3f} to {query.after:.3f}"
            lines.append(f"- {_line(query.query_id)}  {moved}  {_line(query.text, 90)}")
            lines += [f"  - {_line(cause)}" for cause in query.causes[:CAUSES_SHOWN]]
            if len(query.causes) > CAUSES_SHOWN:
                lines.append(f"  - and {len(query.causes) - CAUSES_SHOWN:,} more")
        if len(self.broke) > SHOWN:
            lines.append(f"- and {len(self.broke) - SHOWN:,} more")
        return "\n".join(lines)


def _table(rows: list[GateRow]) -> list[str]:
    """A line for the heads and one for each limit: names to the left, numbers to the right."""
    lines = [["metric", "baseline", "candidate", "drop", "limit", "p", "verdict"]]
    for row in rows:
        numbers = [f"{value:.3f}" for value in (row.baseline, row.candidate, row.drop, row.limit)]
        lines.append([_line(row.metric), *numbers, f"{row.p:.4f}", row.verdict])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = [
        [
            cells[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(cells[1:-1], widths[1:-1], strict=True)),
            cells[-1],
        ]
        for cells in lines
    ]
    return ["  ".join(cells) for cells in padded]


def _line(text: str, width: int | None = None) -> str:
    """A text on one line, cut to a width; what a terminal would obey and not show is replaced."""
    text = "".join(
        char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in " ".join(text.split())
    )
    return text if width is None or len(text) <= width else text[: width - 2] + " …"
