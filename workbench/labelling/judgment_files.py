"""The two files of a project that a person writes, one record a line: the queries and the judgments."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from helpers.base import Strict, invalid_fields, refuse, write_text
from helpers.datasets import Id, QueryKind

QUERIES_FILE, JUDGMENTS_FILE = "queries.jsonl", "judgments.jsonl"


class Question(Strict):
    """A query as somebody asked it, and its kind, one of `QUERY_KINDS`."""

    query_id: Id
    query: str = Field(pattern=r"\S")
    kind: QueryKind = "question"


class SavedJudgment(Strict):
    """What one person said about one document for one query: 2 answers it, 1 helps, 0 does neither."""

    query_id: Id
    doc_id: Id
    grade: int = Field(ge=0, le=2)
    quote: str = ""


Record = TypeVar("Record", Question, SavedJudgment)


def read_questions(folder: Path) -> dict[str, Question]:
    """`{query_id: question}` in the order of the file; empty where the file is not there yet.

    Raises ValueError with **all** that is wrong, one problem a line, each with its line in the file.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = write_records(folder / QUERIES_FILE, [Question(query_id="q01", query="how do I get in?")])
    >>> read_questions(folder)["q01"].query
    'how do I get in?'
    """
    return {key[0]: found for key, found in _read(folder / QUERIES_FILE, Question, "query_id").items()}


def read_verdicts(folder: Path) -> dict[tuple[str, str], SavedJudgment]:
    """`{(query_id, doc_id): verdict}` in the order of the file. Empty, and raises, as `read_questions`.

    >>> read_verdicts(Path("no such folder"))
    {}
    """
    return _read(folder / JUDGMENTS_FILE, SavedJudgment, "query_id", "doc_id")


def write_records(path: Path, records: Iterable[Question | SavedJudgment]) -> Path:
    """Writes the records one a line. The old file stays until the new one is complete.

    >>> import tempfile
    >>> judged = SavedJudgment(query_id="q01", doc_id="a.md", grade=0)
    >>> write_records(Path(tempfile.mkdtemp()) / JUDGMENTS_FILE, [judged]).read_text(encoding="utf-8")
    '{"query_id": "q01", "doc_id": "a.md", "grade": 0, "quote": ""}\\n'
    """
    lines = (json.dumps(record.model_dump(), ensure_ascii=False) + "\n" for record in records)
    return write_text(path, "".join(lines))


def _read(path: Path, model: type[Record], *key: str) -> dict[tuple[str, ...], Record]:
    """The records of a file by the fields of `key`, which together stand in one line only."""
    found: dict[tuple[str, ...], Record] = {}
    problems: list[str] = []
    for number, line in enumerate(path.read_bytes().splitlines() if path.exists() else [], start=1):
        if not line.strip():
            continue
        try:
            record = model.model_validate(json.loads(line))
        except ValidationError as error:
            problems += [f"line {number}, {finding}" for finding in invalid_fields(error)]
        except (ValueError, RecursionError) as error:
            problems.append(f"line {number}: not valid JSON ({error}); each record is one line")
        else:
            values = tuple(getattr(record, name) for name in key)
            if values in found:
                twice = " and ".join(map(repr, values))
                problems.append(f"line {number}: {twice} stands in an earlier line already")
            found[values] = record
    refuse(problems, path.name)
    return found
