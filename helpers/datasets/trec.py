"""TREC files: the run and qrels formats that trec_eval reads, gzip-compressed or not.

A qrels line is `query_id 0 doc_id grade`, a run line `query_id Q0 doc_id rank score tag`. A file is written compressed
where its name ends in .gz, and read as what it is, whatever its name. BEIR's own qrels files (three columns and a header)
are read by `beir`.
"""

import gzip
import math
import re
import zlib
from collections.abc import Iterator
from numbers import Integral
from pathlib import Path
from typing import BinaryIO

from helpers.base import check_ids, replaced
from helpers.evaluation import as_scores, ranking
from helpers.records import Qrels, Run, grade_of


def read_qrels(path: str | Path) -> Qrels:
    """`{query_id: {doc_id: grade}}`. Raises ValueError, with file and line, for anything but four columns and a whole grade."""
    qrels: Qrels = {}
    for where, (query_id, _, doc_id, grade) in _rows(path, "query_id 0 doc_id grade"):
        if doc_id in qrels.setdefault(query_id, {}):
            raise ValueError(
                f"{where}: query {query_id!r} has a second judgment for document {doc_id!r}; keep one"
            )
        qrels[query_id][doc_id] = grade_of(grade, where)
    return qrels


def read_run(path: str | Path) -> Run:
    """`{query_id: [(doc_id, score), ...]}`, best first. As in trec_eval the order comes from the scores alone, equal ones
    by doc_id down; the order of lines and the rank column are not kept.

    Raises ValueError, with file and line, for anything but six columns, a score that is not a number, and a repeated document.
    """
    scores: dict[str, dict[str, float]] = {}
    for where, (query_id, _, doc_id, _, score, _) in _rows(path, "query_id Q0 doc_id rank score tag"):
        if doc_id in scores.setdefault(query_id, {}):
            raise ValueError(
                f"{where}: query {query_id!r} has document {doc_id!r} a second time; keep the best one"
            )
        scores[query_id][doc_id] = _number(score, where)
    return {
        query_id: [(doc_id, results[doc_id]) for doc_id in ranking(query_id, results)]
        for query_id, results in scores.items()
    }


def write_qrels(qrels: Qrels, path: str | Path) -> None:
    """Writes `query_id 0 doc_id grade` lines; a file that was there is replaced when the new one is complete."""

    def lines() -> Iterator[str]:
        for query_id, grades in qrels.items():
            for doc_id, grade in grades.items():
                where = f"query {query_id!r}, document {doc_id!r}"
                if not isinstance(grade, Integral):
                    raise ValueError(f"{where}: grade {grade!r} is not a whole number")
                yield f"{_word(query_id)} 0 {_word(doc_id)} {grade_of(str(int(grade)), where)}\n"

    _write(lines(), path)


def write_run(run: Run, path: str | Path, tag: str = "measure-first") -> None:
    """Writes a run in trec_eval's own order, so that the rank column says what trec_eval will see.

    A query without results leaves no line: whoever reads the file will find it missing.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "run.txt"
    >>> write_run({"q1": [("d1", 1.5), ("d2", 1.5)]}, path)
    >>> print(path.read_text())
    q1 Q0 d2 1 1.5 measure-first
    q1 Q0 d1 2 1.5 measure-first
    <BLANKLINE>
    """

    def lines() -> Iterator[str]:
        for query_id, results in run.items():
            scores = as_scores(query_id, results)
            for rank, doc_id in enumerate(ranking(query_id, scores), start=1):
                yield f"{_word(query_id)} Q0 {_word(doc_id)} {rank} {float(scores[doc_id])!r} {_word(tag)}\n"

    _write(lines(), path)


def _rows(path: str | Path, form: str) -> Iterator[tuple[str, list[str]]]:
    """The columns of each line that is not blank, with `file, line n` for messages. Columns end at ASCII white space."""
    n_columns, number = len(form.split()), 0
    try:
        with _open_to_read(path) as lines:
            for number, line in enumerate(lines, start=1):
                # A byte-order mark, which some editors put at the start, is no part of the first id.
                columns = [
                    column.decode()
                    for column in line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").split()
                ]
                where = f"{path}, line {number}"
                if columns and len(columns) != n_columns:
                    raise ValueError(
                        f"{where}: {len(columns)} columns, needed {n_columns} ({form}): {line.strip()[:80]!r}"
                    )
                if columns and columns[0].startswith("\ufeff"):
                    raise ValueError(
                        f"{where}: a byte-order mark inside of the file; it would become part of an id. Remove it"
                    )
                if columns:
                    yield where, columns
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}, line {number}: not UTF-8 ({error}); save the file as UTF-8") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path}, after line {number}: the file is cut off or damaged ({error})") from None


def _open_to_read(path: str | Path) -> BinaryIO:
    with open(path, "rb") as file:
        compressed = file.read(2) == b"\x1f\x8b"
    if not compressed and str(path).endswith(".gz"):
        raise ValueError(
            f"{path}: the name says gzip and the content is not; the file is damaged or misnamed"
        )
    return gzip.open(path, "rb") if compressed else open(path, "rb")


def _number(text: str, where: str) -> float:
    try:
        number = float(text) if text.isascii() and "_" not in text else math.nan  # what C reads as a number
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise ValueError(f"{where}: score {text!r} is not a number")
    return number


def _word(text: str) -> str:
    check_ids([text], "TREC file: the id")
    if not text or text.split() != [text] or re.search("[\0\ufeff\ud800-\udfff]", text):
        raise ValueError(
            f"{text!r} cannot stand in a TREC file: no empty ids, white space, NUL, BOM or half characters"
        )
    return text


def _write(lines: Iterator[str], path: str | Path) -> None:
    with replaced(path) as beside, open(beside, "wb") as file:
        if str(path).endswith(".gz"):
            # Without name and time, so that the same run gives the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as compressed:
                compressed.writelines(line.encode() for line in lines)
        else:
            file.writelines(line.encode() for line in lines)
