"""Says where in its notebook a name is defined, for a reader who ran the cells in another order."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from course.exercises import session
from course.exercises.reading import names_in


def where_defined(name: str) -> str:
    """A sentence on the cell of this notebook that defines a name; "" where no other cell does.

    Reads the notebook's file, so it knows the cells as they were saved.
    """
    path = session.Cell.notebook
    if path is None or not path.is_file():
        return ""
    this, cells = session.Cell.source.strip(), _cells(path, path.stat().st_mtime)
    found = [cell for cell in cells if name in cell.bound and cell.source.strip() != this]
    if not found:
        return ""
    here = next((cell.number for cell in cells if cell.source.strip() == this), len(cells) + 1)
    under = f', under "{found[0].heading}"' if found[0].heading else ""
    where = f"`{name}` is defined in code cell {found[0].number}{under}"
    if found[0].number > here:
        return f"{where}: further down than this one."
    return f"{where}, which has not been run. Click into this cell, then Run, Run All Above Selected Cell."


class _Cell(NamedTuple):
    heading: str
    """The one above it, of whatever level."""
    number: int
    """Among the code cells, from 1 on."""
    source: str
    bound: frozenset[str]


@lru_cache(maxsize=4)
def _cells(path: Path, changed: float) -> list[_Cell]:
    """The code cells of a notebook; read again when the file has `changed`."""
    return list(_read(path))


def _read(path: Path) -> Iterator[_Cell]:
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    heading, number = "", 0
    for cell in cells:
        source = "".join(cell.get("source") or "")
        if cell.get("cell_type") == "code":
            number += 1
            yield _Cell(heading, number, source, frozenset(_bound(source)))
        else:
            heading = ([heading] + [line.strip("#` ") for line in re.findall(r"^#+ .*", source, re.M)])[-1]


def _bound(source: str) -> set[str]:
    lines = [line for line in source.splitlines() if not line.startswith(("%", "!"))]
    try:
        return names_in("\n".join(lines))[0]
    except (SyntaxError, ValueError):
        return set()
