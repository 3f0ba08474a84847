"""JSON files of one object, read so that every problem is named by its path: `queries[3].kind: ...`.

What may stand in the object is said by a pydantic model; here is what pydantic does not see (bytes that are
not UTF-8, text that is not JSON, keys that stand twice) and its findings in words.
"""

import json
import re
import reprlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from helpers.base import check_path, finding_in_words, findings, in_a_merge, not_json, whole_text

_SHORT = reprlib.Repr()
_SHORT.maxstring, _SHORT.maxlevel = 60, 2


def read_json(path: str | Path, needed: str) -> tuple[object, list[str]]:
    """What a file holds, and a problem for each key that stands twice in one object. It may begin with a BOM.

    Raises FileNotFoundError, with what was `needed`, where there is no file, and ValueError, with line and
    column, for bytes that are not UTF-8 and for text that is not JSON or goes too deep.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.json"
    >>> _ = path.write_text('{"a": [{"b": 1, "b": 2}]}')
    >>> read_json(path, "an object")
    ({'a': [{'b': 2}]}, ['a[0].b: the key stands there twice'])
    """
    path, repeated = check_path(path, needed), {}

    def noting_repeats(pairs: list[tuple[str, object]]) -> dict:
        record = dict(pairs)
        if len(record) < len(pairs):
            times = Counter(key for key, _ in pairs)
            repeated[id(record)] = record, [key for key in times if times[key] > 1]
        return record

    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is no file"
        if (path / "qrels").is_dir():
            what += " of BEIR: of load_beir(path=...) workbench.dataset_files.from_qrels makes a dataset"
        raise FileNotFoundError(f"{path} {what}; needed {needed}")
    text = whole_text(path)
    try:
        data = json.loads(text, object_pairs_hook=noting_repeats)
    except json.JSONDecodeError as error:
        what = f"line {error.lineno}, column {error.colno}: not valid JSON ({error.msg})"
        if merge := in_a_merge(text):
            raise ValueError(f"{path}, {what}; {merge} needed {needed}") from None
        columns = len(re.split("[\r\n]", text, maxsplit=1)[0].split())
        looks = {6: "this looks like a TREC run", 4: "this looks like TREC qrels"}
        cure = not_json(text, error).removesuffix(";")
        if not text.lstrip().startswith(("{", "[")):
            cure = looks.get(columns, cure)
            if text.startswith("query-id\t"):
                cure = "this looks like judgments of BEIR, which load_beir reads in their folder"
        if error.msg == "Extra data" and text.lstrip().startswith("{"):
            in_a_line = "\n" not in text[: error.pos].strip()
            cure = "this looks like JSON lines" if in_a_line else "are there two files in one?"
            if in_a_line and text.lstrip().startswith('{"query_id"'):
                cure += ", perhaps the queries or judgments of a project, of which `workbench measure`"
                cure += " makes the dataset, datasets/gold.json"
        raise ValueError(f"{path}, {what}; needed {needed}{'; ' if cure else ''}{cure}") from None
    except (RecursionError, ValueError) as error:  # ValueError: int() refuses what would take long
        what = "not valid here: a whole number with thousands of digits"
        if isinstance(error, RecursionError):
            what = "lists or objects within one another, too deep to be read"
        raise ValueError(f"{path}: {what}; needed {needed}") from None
    return data, list(_repeated_keys(data, repeated))


def check_version(found: object, reads: int, path: Path) -> None:
    """Raises ValueError, with the cure, for a file that a later version of the course wrote.

    >>> check_version(3, 2, Path("a.json"))
    Traceback (most recent call last):
    ValueError: a.json: schema_version is 3, of a later version; this one reads 2: update measure-first
    """
    if type(found) is int and found > reads:
        said = f"schema_version is {short(found)}, of a later version; this one reads {reads}"
        raise ValueError(f"{path}: {said}: update measure-first")


def in_words(error: ValidationError) -> list[str]:
    """What pydantic found, one line each: the path, what is wrong, what was found there."""
    return [f"{_path(found['loc'])}: {finding_in_words(found, short)}" for found in findings(error)]


def short(value: object) -> str:
    """A value as it is shown in an error: on one line, not longer than a line.

    >>> short("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxxxxxxxxxxxx'"
    """
    text = _SHORT.repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."


def _repeated_keys(data: object, repeated: dict[int, tuple[dict, list[str]]]) -> Iterator[str]:
    """The paths of keys that stand twice: the parser met the objects without knowing where they are."""
    stack: list[tuple[tuple, object]] = [((), data)] if repeated else []
    while stack:
        path, value = stack.pop()
        inner = ()
        if isinstance(value, dict):
            for key in repeated.get(id(value), ({}, []))[1]:
                yield f"{_path((*path, key))}: the key stands there twice"
            inner = value.items()
        elif isinstance(value, list):
            inner = enumerate(value)
        stack += reversed([((*path, part), one) for part, one in inner])


def _path(parts: Sequence[str | int]) -> str:
    path = ""
    for part in parts:
        plain = isinstance(part, str) and len(part) <= 60 and part.isascii() and part.isidentifier()
        path += f".{part}" if plain else f"[{short(part)}]"
    return path.removeprefix(".") or "the whole file"
