"""The files of a project that people write, one record a line: queries, judgments, and other judges' ones."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError, ValidationInfo, field_validator

from helpers.base import (
    Strict,
    as_utf8,
    check_json_lines,
    first_few,
    folded,
    in_a_merge,
    invalid_fields,
    is_binary,
    json_value,
    not_json,
    refuse,
    write_text,
)
from helpers.datasets import Id, QueryKind
from workbench.corpus import as_id

QUERIES_FILE, JUDGMENTS_FILE = "queries.jsonl", "judgments.jsonl"
JUDGES, RESOLVED_FILE = "judges", "resolved.jsonl"
"""The folder with a file for each other judge, and what became of the differences between two."""
NOTHING_FOUND_FILE = "datasets/nothing_found.json"


class Question(Strict):
    """A query as somebody asked it, its kind, one of `QUERY_KINDS`, and its segment.

    `segment` is a name of the project's own, as "how-to" or "error codes", by which figures are told apart;
    None for a query without one.
    `frequency` is how often it stands in the log that it comes from, `drawn` how many of the searches of a
    sample were this one, at most as many; None for a query that comes from no log.
    """

    query_id: Id
    query: str = Field(pattern=r"\S")
    kind: QueryKind = "question"
    segment: str | None = None
    frequency: int | None = Field(default=None, ge=1)
    drawn: int | None = Field(default=None, ge=1)

    @field_validator("segment", mode="before")
    @classmethod
    def _is_a_name(cls, segment: object) -> str | None:
        return None if segment is None else as_segment(segment)

    @field_validator("drawn")
    @classmethod
    def _are_among_its_searches(cls, drawn: int | None, info: ValidationInfo) -> int | None:
        frequency = info.data.get("frequency")
        if drawn and frequency and drawn > frequency:
            each = "each search of a log is drawn once at most"
            raise ValueError(f"{drawn} searches of {frequency} (frequency) cannot be drawn; {each}")
        return drawn


_LONGEST_SEGMENT = 80


def as_segment(given: object) -> str | None:
    """The name of a segment with single blanks; None for one that is empty. A whole number is a name too.

    Raises ValueError for what is neither, for a name of more than 80 characters, and for one that holds what
    nobody sees.

    >>> as_segment(" error  codes "), as_segment("")
    ('error codes', None)
    """
    is_name = isinstance(given, str | int) and not isinstance(given, bool)
    segment = " ".join(str(given).split()) if is_name else ""
    if not is_name or len(segment) > _LONGEST_SEGMENT or not segment.isprintable():
        needed = f"needed a name of at most {_LONGEST_SEGMENT} characters, as how-to"
        raise ValueError(f"the segment is {given!r:.60}; {needed}")
    return segment or None


def alike_segments(segments: Iterable[str]) -> list[str]:
    """What to say of segments that differ only in capitals, blanks or hyphens: each group is one, probably.

    >>> alike_segments(["how-to", "How to", "error codes"])
    ["segments that differ only in capitals, blanks or hyphens, and are probably one: 'How to', 'how-to'"]
    """
    groups: dict[str, set[str]] = {}
    for segment in segments:
        groups.setdefault(_BETWEEN.sub("", folded(segment)), set()).add(segment)
    alike = [", ".join(map(repr, sorted(group))) for group in groups.values() if len(group) > 1]
    said = "segments that differ only in capitals, blanks or hyphens, and are probably one"
    return [f"{said}: {first_few(alike, between='; ')}"] if alike else []


_BETWEEN = re.compile(r"(?<![0-9])[\s_-]+|[\s_-]+(?![0-9])")
"""What stands between the words of a name; between two digits it tells 1-1 from 11."""


class SavedJudgment(Strict):
    """What one judge said about one document for one query: 2 answers it, 1 helps, 0 does neither.

    `query` is the text of the query as it was then, `checksum` that of the document's text, where no quote
    says what the grade rests on; None in files from before these were kept. In the project's own judgments
    `by` is the other judge from whom one was taken over (`Labelling.take_over`), None for one's own.
    """

    query_id: Id
    query: str | None = None
    doc_id: Id
    grade: int = Field(ge=0, le=2)
    quote: str = ""
    checksum: str | None = None
    by: str | None = None


class Resolved(Strict):
    """A pair that two judges graded differently, and the grade on which it was settled, with a reason."""

    query_id: Id
    doc_id: Id
    judge: str
    first: int = Field(ge=0, le=2)
    second: int = Field(ge=0, le=2)
    final: int = Field(ge=0, le=2)
    why: str = ""


Record = TypeVar("Record", Question, SavedJudgment, Resolved)


def read_questions(folder: str | Path) -> dict[str, Question]:
    """`{query_id: question}` in the order of the file; empty where the file is not there yet.

    Raises ValueError with **all** that is wrong, one problem a line, each with its line in the file.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = write_records(folder / QUERIES_FILE, [Question(query_id="q01", query="how do I get in?")])
    >>> read_questions(folder)["q01"].query
    'how do I get in?'
    """
    return {key[0]: found for key, found in _read(Path(folder) / QUERIES_FILE, Question, "query_id").items()}


def read_verdicts(folder: str | Path, judge: str | None = None) -> dict[tuple[str, str], SavedJudgment]:
    """`{(query_id, doc_id): verdict}` in the order of the file: the project's own, or those of another judge.

    Empty, and raises, as `read_questions`.

    >>> read_verdicts(Path("no such folder"))
    {}
    """
    return _read(verdicts_path(folder, judge), SavedJudgment, "query_id", "doc_id")


def verdicts_path(folder: str | Path, judge: str | None = None) -> Path:
    """Where the judgments of the project stand, or those of another judge.

    >>> verdicts_path(Path("my-eval"), "anna").as_posix()
    'my-eval/judges/anna.jsonl'
    """
    folder = Path(folder)
    return folder / JUDGMENTS_FILE if judge is None else folder / JUDGES / f"{judge}.jsonl"


def read_resolved(folder: Path) -> dict[tuple[str, str, str], Resolved]:
    """`{(query_id, doc_id, judge): resolved}` in the file's order. Empty, and raises, as `read_questions`."""
    return _read(folder / JUDGES / RESOLVED_FILE, Resolved, "query_id", "doc_id", "judge")


def read_nothing_found(folder: str | Path, corpus: str, systems: Collection[str]) -> dict[str, str]:
    """`{query_id: text}` of the queries for which no search found anything when they were last asked; empty
    where that is not known of these documents, `corpus` being their fingerprint, and of all these systems.

    >>> read_nothing_found(Path("no such folder"), "sha256:0", ["csr-bm25"])
    {}
    """
    try:
        said = json.loads((Path(folder) / NOTHING_FOUND_FILE).read_text(encoding="utf-8"))
        holds = said["corpus"] == corpus and {*systems} <= {*said["systems"]}
        return dict(said["queries"]) if holds else {}
    except (OSError, ValueError, KeyError, TypeError):  # it is made again, and until then they are not read
        return {}


def write_nothing_found(
    folder: str | Path, corpus: str, systems: Collection[str], queries: Mapping[str, str]
) -> None:
    """Keeps what `read_nothing_found` reads; where there is no such query, there is no file."""
    path = Path(folder) / NOTHING_FOUND_FILE
    if not queries:
        path.unlink(missing_ok=True)
        return
    said = {"corpus": corpus, "systems": sorted(systems), "queries": dict(queries)}
    write_text(path, json.dumps(said, ensure_ascii=False, indent=2) + "\n")


def judged_queries(folder: str | Path) -> set[str]:
    """The ids of all queries that anybody judged, whichever judge, or that were settled; those of queries
    that were deleted too. Raises as `read_questions`.

    >>> judged_queries(Path("no such folder"))
    set()
    """
    folder = Path(folder)
    pairs = [pair for judge in _with_a_file(folder) for pair in read_verdicts(folder, judge)]
    return {query_id for query_id, *_ in (*pairs, *read_resolved(folder))}


def _with_a_file(folder: Path) -> list[str | None]:
    """The judges of a project that may have judged something: its own, None, and all with a file."""
    others = {path.stem for path in (folder / JUDGES).glob("*.jsonl")} - {Path(RESOLVED_FILE).stem}
    return [None, *sorted(others)]


def judged_of(folder: str | Path, doc_ids: Collection[str]) -> list[tuple[str | None, SavedJudgment]]:
    """`(judge, judgment)` of these documents, the project's own judge, None, first. Raises as
    `read_questions`.

    >>> judged_of(Path("no such folder"), ["a.md"])
    []
    """
    folder = Path(folder)
    verdicts = [
        (judge, one) for judge in _with_a_file(folder) for one in read_verdicts(folder, judge).values()
    ]
    return [(judge, one) for judge, one in verdicts if one.doc_id in doc_ids]


def write_records(path: str | Path, records: Iterable[Question | SavedJudgment | Resolved]) -> Path:
    """Writes the records one a line. The old file stays until the new one is complete.

    Raises ValueError, and writes nothing, for a file that is read-only.

    >>> import tempfile
    >>> judged = SavedJudgment(query_id="q01", doc_id="a.md", grade=0)
    >>> write_records(Path(tempfile.mkdtemp()) / JUDGMENTS_FILE, [judged]).read_text(encoding="utf-8")
    '{"query_id": "q01", "doc_id": "a.md", "grade": 0, "quote": ""}\\n'
    """
    path = Path(path)
    if path.is_file() and not path.stat().st_mode & 0o222:
        raise ValueError(f"{path} is read-only, and stays as it is; allow it to be written: chmod u+w")
    dumped = (record.model_dump(exclude_none=True) for record in records)
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in dumped)
    return write_text(path, "".join(lines))


def check_link(path: Path) -> None:
    """Raises ValueError for a link that leads nowhere: what it stood for is lost, and not missing.

    >>> check_link(Path("no such file"))
    """
    if path.is_symlink() and not path.exists():
        raise ValueError(f"{path} is a link to a file that is gone; put the file back, or delete the link")


def _read(path: Path, model: type[Record], *key: str) -> dict[tuple[str, ...], Record]:
    """The records of a file by the fields of `key`, which together stand in one line only."""
    found: dict[tuple[str, ...], Record] = {}
    problems: list[str] = []
    check_link(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        raise ValueError(
            f"{path} is a pipe or a device, which may have no end; needed a file, a record a line"
        )
    raw = path.read_bytes() if path.exists() else b""
    if is_binary(raw):
        raise ValueError(f"{path} is no text but something else; needed a record of JSON a line")
    lines, seen = raw.splitlines(), {}
    first = next((line for line in lines if line.strip()), b"").decode("utf-8", "replace")
    if first.lstrip().startswith("[") or first.strip() == "{":  # else each line would be a problem of its own
        check_json_lines(path, first, '{"query_id": "q01", ...}')
    if re.match('\ufeff?"?(query_id|query-id|doc_id)"?[,;\t]', first):
        kind = "queries" if path.name == QUERIES_FILE else "judgments"
        cure = f"rename it to {path.stem}.csv, put the {path.name} of before, or an empty one, in its place,"
        cure += f" and bring it back: workbench import {kind} {path.stem}.csv"
        raise ValueError(f"{path} is a table now, and no JSON lines; {cure}")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = model.model_validate(json_value(line))
        except ValidationError as error:
            problems += [f"line {number}, {finding}" for finding in map(_as_in_corpus, invalid_fields(error))]
        except UnicodeDecodeError:
            problems.append(f"line {number}: not valid UTF-8; {as_utf8(line)}")
        except (ValueError, RecursionError) as error:
            text = line.decode("utf-8", "replace")
            why = in_a_merge(text, by_line=True) or not_json(text, error) or "each record is one line"
            if number == len(lines) and why.startswith("is the file cut off"):
                why += " If so, delete this line, and say again what it said"
            problems.append(f"line {number}: not valid JSON ({error}); {why.removesuffix(';')}")
        else:
            values = tuple(getattr(record, name) for name in key)
            if values in found:
                problems.append(f"line {number}: {_twice(values, found[values], record, seen[values])}")
            found[values], seen[values] = record, number
    refuse(problems, path)
    return found


def _as_in_corpus(finding: str) -> str:
    """What was found, with the form that ids of documents with blanks have in a corpus."""
    if not (found := re.fullmatch(r"doc_id: needed text without a blank, found '(.+)'", finding)):
        return finding
    return f"{finding}; in the corpus a blank is written %20: {as_id(found[1])!r}"


def _twice(key: tuple[str, ...], first: Record, second: Record, line: int) -> str:
    """What to say of a record whose key stands in an earlier line, and of where the two differ."""
    said = f"{' and '.join(map(repr, key))} stands in line {line} already"
    mine = second.model_dump()
    differ = [(name, old, mine[name]) for name, old in first.model_dump().items() if mine[name] != old]
    if not differ:
        return f"{said}, with the same values; delete one of the two"
    name, old, new = differ[0]
    cure = "give one another id" if isinstance(first, Question) else "keep the one that is right"
    return f"{said}, with {name} {old!r:.60}, and {new!r:.60} here; {cure}"
