"""The two files of a project that a person writes: `queries.jsonl` and `judgments.jsonl`, one record a line.

How they are read, checked and replaced, and nothing else. What is asked and judged, and in which order, is in `labelling`.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from helpers.base import Strict, place, replaced
from helpers.datasets import Id, QueryKind

QUERIES, JUDGMENTS = "queries.jsonl", "judgments.jsonl"


class Question(Strict):
    """A query as somebody asked it. `kind` is one of `labels.QUERY_KINDS` and says what sort of query it is."""

    query_id: Id
    query: str = Field(pattern=r"\S")
    kind: QueryKind = "question"


class Verdict(Strict):
    """What one person said about one document for one query: 2 answers it, 1 helps, 0 does neither."""

    query_id: Id
    doc_id: Id
    grade: int = Field(ge=0, le=2)
    quote: str = ""


Record = TypeVar("Record", Question, Verdict)


def read_questions(folder: Path) -> dict[str, Question]:
    """`{query_id: question}` in the order of the file; empty where the file is not there yet.

    Raises ValueError with **all** that is wrong, one problem a line, each with its line in the file.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = write_records(folder / QUERIES, [Question(query_id="q01", query="how do I get in?")])
    >>> read_questions(folder)["q01"].query
    'how do I get in?'
    """
    return {found.query_id: found for found in _read(folder / QUERIES, Question, ("query_id",))}


def read_verdicts(folder: Path) -> dict[tuple[str, str], Verdict]:
    """`{(query_id, doc_id): verdict}` in the order of the file; empty where the file is not there. Raises as `read_questions`.

    >>> read_verdicts(Path("no such folder"))
    {}
    """
    return {
        (found.query_id, found.doc_id): found
        for found in _read(folder / JUDGMENTS, Verdict, ("query_id", "doc_id"))
    }


def write_records(path: Path, records: Iterable[Question | Verdict]) -> Path:
    """Writes the records one a line. The old file stays until the new one is complete, whatever happens meanwhile.

    >>> import tempfile
    >>> path = write_records(Path(tempfile.mkdtemp()) / JUDGMENTS, [Verdict(query_id="q01", doc_id="a.md", grade=0)])
    >>> path.read_text(encoding="utf-8")
    '{"query_id": "q01", "doc_id": "a.md", "grade": 0, "quote": ""}\\n'
    """
    text = "".join(json.dumps(record.model_dump(), ensure_ascii=False) + "\n" for record in records)
    with replaced(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
    return path


def _read(path: Path, model: type[Record], key: tuple[str, ...]) -> list[Record]:
    """The records of a file. `key` names the fields that together stand in one line only."""
    found: dict[tuple[str, ...], Record] = {}
    problems: list[str] = []
    for number, line in enumerate(path.read_bytes().splitlines() if path.exists() else [], start=1):
        if not line.strip():
            continue
        try:
            record = model.model_validate(json.loads(line))
        except ValidationError as error:
            problems += [f"line {number}, {place(part['loc'])}: {part['msg']}" for part in error.errors()]
        except (ValueError, RecursionError) as error:
            problems.append(f"line {number}: not valid JSON ({error}); each record is one line")
        else:
            values = tuple(getattr(record, name) for name in key)
            if values in found:
                problems.append(
                    f"line {number}: {' and '.join(map(repr, values))} stands in an earlier line already"
                )
            found[values] = record
    if problems:
        raise ValueError(
            f"{len(problems)} {'problem' if len(problems) == 1 else 'problems'} in {path.name}:\n"
            + "\n".join(problems)
        )
    return list(found.values())
