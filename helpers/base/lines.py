"""Files of one record a line, read so that every error names its file and line."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def text_lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines of a UTF-8 file, gzip-compressed or not, that are not blank, with `file, line n`.

    One line is held at a time. Raises ValueError, with the line, for a byte that is not UTF-8 and a file that
    is cut off, and for a file that is not compressed though its name ends in .gz.
    """
    number = 0
    if path.is_dir():
        raise ValueError(f"{path} is a folder; needed a file")
    try:
        # Read as bytes: text mode would break off without a line number where a byte is not UTF-8.
        with _opened(path) as file:
            for number, raw in enumerate(file, start=1):
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                if line.strip():
                    yield f"{path}, line {number}", line
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}, line {number}: not valid UTF-8 (byte {error.start + 1} of the line)"
        ) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(
            f"{path}, after line {number}: the file is cut off or damaged ({error}); get it again"
        ) from None


def _opened(path: Path) -> BinaryIO:
    with open(path, "rb") as file:
        compressed = file.read(2) == b"\x1f\x8b"
    if path.suffix == ".gz" and not compressed:
        raise ValueError(
            f"{path}: the name says gzip and the content is not; the file is damaged or misnamed"
        )
    return gzip.open(path, "rb") if compressed else open(path, "rb")


def json_object(line: str, where: str, fields: str) -> dict:
    """The object on one line of a JSONL file. Raises ValueError, with `where` and the `fields` needed, for
    others.

    >>> json_object('{"_id": "d1", "text": "a cat"}', "corpus.jsonl, line 1", "_id and text")["text"]
    'a cat'
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: not valid JSON ({error}); is the file cut off?") from None
    if not isinstance(record, dict):
        raise ValueError(f"{where}: needed a JSON object with {fields}, found {line[:80]!r}")
    return record


def text_field(record: dict, name: str, where: str, default: str | None = None) -> str:
    """A field that must be text; `default` where it is missing or null. Raises ValueError, with `where`, for
    others.

    >>> text_field({"title": None}, "title", "corpus.jsonl, line 1", "")
    ''
    """
    value = record.get(name)
    value = default if value is None else value
    if not isinstance(value, str):
        raise ValueError(f"{where}: needed {name!r} as text, found {value!r}")
    return value
