"""What two judges differ on as a sheet to be filled in, and the filled sheet read back."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from helpers.base import check_path, first_few, refuse, table_rows, text_lines, write_text
from workbench.exchange.sheets import no_formula
from workbench.labelling import Labelling, SavedJudgment, read_resolved, read_verdicts

COLUMNS = (
    *("query_id", "query", "doc_id", "title", "yours", "theirs", "your_quote", "their_quote"),
    *("settled_with", "settled", "why"),
)
_NEEDED = {"query_id", "doc_id", "settled"}
_GRADES = {f"{grade}{end}": grade for grade in (0, 1, 2) for end in ("", ".0")}


def write_differences(path: str | Path, lab: Labelling, judge: str) -> int:
    """Writes the pairs on which another judge differs from the grade that counts as CSV, with empty columns
    for the grade that each is settled on and the reason; gives the number of pairs. Of none it writes
    nothing.

    `settled_with` names the judge with whom a pair was settled already. `settle_sheet` takes the filled
    sheet. Raises ValueError, and writes nothing, for a file that is no such sheet, and for one with a grade
    that has not been taken over yet.

    >>> COLUMNS[-2:]
    ('settled', 'why')
    """
    path, table = check_path(path, "the sheet, FILE.csv"), lab.differences(judge).table
    pairs = list(zip(table["query_id"], table["doc_id"], strict=True))
    filled = [f"{query_id} {doc_id}" for query_id, doc_id in _filled(path) if (query_id, doc_id) in pairs]
    if filled:
        cure = f"take it over first (workbench settle {judge} {path}), or name another file"
        raise ValueError(f"{path} has a grade that would be lost: {first_few(filled, 3)}; {cure}")
    own, theirs, questions = lab.verdicts(), read_verdicts(lab.folder, judge), lab.questions()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row, pair in zip(table.to_dict("records"), pairs, strict=True):
        about = pair[0], questions[pair[0]].query, pair[1], lab.documents[pair[1]].title
        said = str(row["own"]), str(row["other"]), own[pair].quote, theirs[pair].quote, row["settled_with"]
        writer.writerow([*map(no_formula, (*about, *said)), "", ""])
    if pairs:
        write_text(path, "\ufeff" + text.getvalue())
    return len(pairs)


def settle_sheet(lab: Labelling, judge: str, path: str | Path) -> dict[str, int]:
    """Settles what somebody filled into a sheet of `write_differences`; gives how many pairs were `settled`,
    how many were so already (`known`), and how many rows are `empty`, without a grade.

    A pair on which this judge agreed from the first, and that was settled otherwise with another, is settled
    anew with that one. Raises ValueError, with the line, and settles nothing, for a grade that is none of 2,
    1 and 0, for a pair with two grades, for one that both did not judge or on which they never differed, and
    for one of which either says another grade now than in the sheet.
    """
    path = check_path(path, "a sheet of workbench agreement --out")
    rows, found, before = list(_rows(path)), lab.differences(judge), read_resolved(lab.folder)
    own, theirs = lab.verdicts(), read_verdicts(lab.folder, judge)
    settled_with = {(row.query_id, row.doc_id): row.settled_with for row in found.elsewhere.itertuples()}
    chosen: dict[tuple[str, str], tuple[int, str, str]] = {}
    problems, known = [], 0
    for where, pair, given, why, shown in rows:
        grade, record = _GRADES.get(given), before.get((*pair, judge))
        if not given:
            continue
        if grade is None:
            problems.append(
                f"{where}: settled is {given!r:.40}; needed 2 (answers), 1 (helps) or 0, or nothing"
            )
        elif pair not in own or pair not in theirs:
            who = repr(judge) if pair in own else "the project"
            cure = f"; workbench settle {judge} --rest takes it over" * (pair in theirs)
            problems.append(f"{where}: {who} has not judged {pair[1]!r} for {pair[0]!r}{cure}")
        elif own[pair].grade != grade and (other := _other_grades(shown, own[pair], theirs[pair], judge)):
            problems.append(f"{where}: {' '.join(pair)}: {other}; write the sheet anew")
        elif pair in chosen and chosen[pair][0] != grade:
            problems.append(
                f"{where}: {' '.join(pair)} is settled on {chosen[pair][0]} above, and on {grade} here"
            )
        elif own[pair].grade == grade and (pair not in found.at_first or (record and record.final == grade)):
            known += 1
        elif pair not in found.at_first and pair not in settled_with:
            problems.append(f"{where}: {' '.join(pair)}: both say {own[pair].grade}, nothing to settle")
        else:
            chosen[pair] = grade, why, judge if pair in found.at_first else settled_with[pair]
    refuse(problems, path)
    for pair, (grade, why, whom) in chosen.items():
        lab.resolve(whom, *pair, grade, why=why)
    return {"settled": len(chosen), "known": known, "empty": sum(not row[2] for row in rows)}


def _other_grades(shown: tuple[str, str], own: SavedJudgment, theirs: SavedJudgment, judge: str) -> str:
    """Where a row shows other grades than the two judges say now; "" where it shows theirs, or none."""
    for cell, saved, who in zip(shown, (own, theirs), ("yours", judge), strict=True):
        if cell in _GRADES and _GRADES[cell] != saved.grade:
            cure = "was it judged anew since"
            cure += ", or is this another judge's sheet?" if who == judge else "?"
            return f"the sheet says {cell} for {who}, and it is {saved.grade}; {cure}"
    return ""


def _rows(path: Path) -> Iterator[tuple[str, tuple[str, str], str, str, tuple[str, str]]]:
    """`(where, pair, grade, why, (yours, theirs))` of each row of a sheet, as text, "" for an empty cell."""
    _, first = next(text_lines(path), ("", ""))
    separator = max(",;\t", key=first.count)  # a spreadsheet may have saved it otherwise
    names = {name.strip().strip('"').casefold() for name in first.split(separator)}
    if missing := sorted(_NEEDED - names):
        cure = "needed the sheet that workbench agreement JUDGE --out FILE.csv wrote, filled in"
        raise ValueError(f"{path}: no column {missing[0]!r}; {cure}")
    for where, row in table_rows(path, separator):
        cells = {name: row.get(name, "").strip() for name in (*_NEEDED, "why", "yours", "theirs")}
        pair, shown = (cells["query_id"], cells["doc_id"]), (cells["yours"], cells["theirs"])
        yield where, pair, cells["settled"], cells["why"], shown


def _filled(path: Path) -> list[tuple[str, str]]:
    """The pairs with a grade in a sheet that is there. Raises ValueError where it is no such sheet."""
    if not path.exists():
        return []
    try:
        return [pair for _, pair, given, *_ in _rows(path) if given]
    except ValueError as error:
        raise ValueError(f"{error}; {path} would be lost, name another file") from None
