"""What is left to judge as a table for a spreadsheet, to be filled in and read back."""

import csv
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from helpers.base import counted, write_text

COLUMNS = ("query_id", "query", "doc_id", "title", "text", "grade", "quote")
_BEFORE = "before"
"""The column with the grade of another text, in a sheet that has a row of what is to be read again."""
_SHOWN = 2_000


def write_sheet(
    path: str | Path,
    rows: Sequence[tuple[str, str, str, str, str]],
    judged: Mapping[tuple[str, str], tuple[int, str]] | None = None,
    before: Mapping[tuple[str, str], str] | None = None,
) -> Path:
    """Writes `(query_id, query, doc_id, title, text)` as CSV with empty columns for the grade and a quote.

    Texts are cut to 2,000 characters, and say so. A cell that a spreadsheet would take for a formula gets a
    blank before it. `read_judgments` reads the sheet back; rows without a grade are left out. Raises
    ValueError where the file is a sheet in which somebody has filled in anything, under whatever heading, but
    for what is among `judged`, `{(query_id, doc_id): (grade, quote)}`: that has been imported. Where a row is
    among `before`, as `Labelling.before` gives it, a column says what its grade was.

    >>> import tempfile
    >>> path = write_sheet(Path(tempfile.mkdtemp()) / "a.csv", [("q1", "keys?", "a.md", "Doors", "=1+1")])
    >>> path.read_text(encoding="utf-8-sig").splitlines()[1]
    'q1,keys?,a.md,Doors, =1+1,,'
    """
    if hasattr(rows, "columns") or any(len(row) != len(COLUMNS) - 2 for row in rows):
        given = f"rows is a {type(rows).__name__}" if hasattr(rows, "columns") else "a row has another length"
        raise ValueError(f"{given}; needed (query_id, query, doc_id, title, text), as Labelling.unread gives")
    _check_is_sheet(Path(path))
    before = before or {}
    if filled := _filled_in(Path(path), judged or {}, before):
        cure = "import it first (workbench import judgments), or name another file, as FILE-2.csv, where it "
        cure += "cannot be imported any more"
        raise ValueError(f"{path} holds {filled} that would be lost; {cure}")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    has_before = any((row[0], row[2]) in before for row in rows)
    writer.writerow([*COLUMNS[:5], *[_BEFORE] * has_before, *COLUMNS[5:]])
    for row in rows:
        query_id, query, doc_id, title, body = row
        shown = (query_id, query, doc_id, _begun(title), _begun(body))
        said = [before.get((query_id, doc_id), "")] * has_before
        writer.writerow([*map(no_formula, (*shown, *said)), "", ""])
    return write_text(path, "\ufeff" + text.getvalue())


def no_formula(cell: str) -> str:
    """A cell with a blank before it where a spreadsheet would take it for a formula.

    >>> no_formula("=1+1"), no_formula("1+1")
    (' =1+1', '1+1')
    """
    return f" {cell}" if cell[:1] in tuple("=+-@\t\r") else cell


def _check_is_sheet(path: Path) -> None:
    """Raises ValueError for a file that holds something else than a sheet, which would be lost."""
    if not path.is_file():
        return
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        heading = file.readline(1000).casefold()
    if heading.strip() and not ("query_id" in heading and "doc_id" in heading):
        raise ValueError(f"{path} is no sheet of a pool and would be lost; name another file")


def _begun(text: str) -> str:
    """A text as a sheet shows it: where it is cut it says so, for a beginning is not the whole page."""
    if len(text) <= _SHOWN:
        return text
    return f"{text[:_SHOWN]}{_CUT} {_SHOWN:,} of {len(text):,} characters; the corpus has all"


_CUT = " […] cut here:"


def uncut(text: str) -> str:
    """A text of a sheet without what the sheet says of its being cut.

    >>> uncut("Open the door. […] cut here: 2,000 of 2,345 characters; the corpus has all")
    'Open the door.'
    """
    return text.partition(_CUT)[0]


def _filled_in(
    path: Path, judged: Mapping[tuple[str, str], tuple[int, str]], before: Mapping[tuple[str, str], str]
) -> str:
    """What somebody wrote into a sheet and is not judged so, in words; "" where there is no file, another
    one, or an empty one."""
    if not path.is_file():
        return ""
    csv.field_size_limit(sys.maxsize)
    with open(path, newline="", encoding="utf-8-sig", errors="replace") as file:
        heading = file.readline()
        file.seek(0)
        separator = next((one for one in "\t;" if one in heading), ",")  # a spreadsheet may have saved it so
        rows = csv.DictReader(file, delimiter=separator, restkey="")
        rows.fieldnames = [name.strip().casefold() for name in rows.fieldnames or ()]
        ours = {*COLUMNS[:5], _BEFORE}
        written = [
            {name for name, cell in row.items() if name not in ours and _has_text(cell)}
            - _imported(row, judged, before)
            for row in rows
        ]
    if grades := sum("grade" in names for names in written):
        return f"grades ({grades})"
    others = sum(map(bool, written))
    return f"entries ({counted(others, 'row')})" if others else ""


def _imported(
    row: Mapping[str, object],
    judged: Mapping[tuple[str, str], tuple[int, str]],
    before: Mapping[tuple[str, str], str],
) -> set[str]:
    """The columns of a row that say what a judgment says already; in a row of what is to be read again the
    same grade is a new judgment, as long as it is."""
    cells = {name: " ".join(str(row.get(name) or "").split()) for name in (*_PAIR, _BEFORE, *_FILLED)}
    grade, quote = judged.get((cells["query_id"], cells["doc_id"]), ("", ""))
    if cells[_BEFORE] and (cells["query_id"], cells["doc_id"]) in before:
        return set()
    same_quote = cells["quote"] in ("", " ".join(quote.split()))
    return set(_FILLED) if same_quote and cells["grade"].removesuffix(".0") == str(grade) else set()


_PAIR, _FILLED = ("query_id", "doc_id"), ("grade", "quote")


def _has_text(cell: str | list[str] | None) -> bool:
    """Whether there is something in a cell, or in those beyond the heading, which come as a list."""
    return bool("".join(cell or ()).strip())
