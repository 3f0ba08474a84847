"""JSON files of one object, read so that every problem is named by its path: `queries[3].kind: ...`.

What may stand in the object is said by a pydantic model; here is what pydantic does not see (bytes that are not UTF-8, text that
is not JSON, keys that stand twice) and its findings in words. Files of one record a line are read in `lines`.
"""

import json
import reprlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path

from pydantic import ValidationError

_SHORT = reprlib.Repr()
_SHORT.maxstring, _SHORT.maxlevel = 60, 2


def read_json(path: str | Path, needed: str) -> tuple[object, list[str]]:
    """What a file holds, and the keys that stand twice in one object, one problem each with its path. A byte order mark is
    understood.

    Raises FileNotFoundError, with what was `needed`, where there is no file, and ValueError, with line and column, for bytes
    that are not UTF-8 and for text that is not JSON or goes too deep.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.json"
    >>> _ = path.write_text('{"a": [{"b": 1, "b": 2}]}')
    >>> read_json(path, "an object")
    ({'a': [{'b': 2}]}, ['a[0].b: the key stands there twice'])
    """
    path, repeated = Path(path), []
    if not path.is_file():
        raise FileNotFoundError(f"{path} is no file; needed {needed}")
    text = _text(path)
    try:
        data = json.loads(text, object_pairs_hook=lambda pairs: _noting_repeats(pairs, repeated))
    except json.JSONDecodeError as error:
        where = f"{path}, line {error.lineno}, column {error.colno}"
        raise ValueError(
            f"{where}: not valid JSON ({error.msg}); needed {needed}; is the file cut off?"
        ) from None
    except RecursionError:
        raise ValueError(
            f"{path}: lists or objects within one another, too deep to be read; needed {needed}"
        ) from None
    except ValueError:  # int() refuses what would take long
        raise ValueError(
            f"{path}: not valid here: a whole number with thousands of digits; needed {needed}"
        ) from None
    return data, list(_repeated_keys(data, repeated))


def in_words(error: ValidationError) -> list[str]:
    """What pydantic found, one line each: the path, what is wrong, what was found there."""
    return [f"{_path(found['loc'])}: {_words(found)}" for found in error.errors()]


def refuse(problems: Sequence[str], where: object) -> None:
    """Raises ValueError with all problems, one a line, if there are any.

    >>> refuse(["name: is missing"], "wiki.json")
    Traceback (most recent call last):
    ValueError: 1 problem in wiki.json:
    name: is missing
    """
    if problems:
        count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''}"
        raise ValueError(f"{count} in {where}:\n" + "\n".join(problems))


def short(value: object) -> str:
    """A value as it is shown in an error: on one line, not longer than a line.

    >>> short("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxxxxxxxxxxxx'"
    """
    text = _SHORT.repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."


def _text(path: Path) -> str:
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        raise ValueError(
            f"{path}, line {line}, column {column}: not valid UTF-8; save the file as UTF-8"
        ) from None


def _noting_repeats(pairs: list[tuple[str, object]], repeated: list[tuple[dict, list[str]]]) -> dict:
    record = dict(pairs)
    if len(record) < len(pairs):
        repeated.append(
            (record, [key for key, times in Counter(key for key, _ in pairs).items() if times > 1])
        )
    return record


def _repeated_keys(data: object, repeated: list[tuple[dict, list[str]]]) -> Iterator[str]:
    """The paths of keys that stand twice: the parser met the objects without knowing where they are."""
    keys = {id(record): found for record, found in repeated}
    stack: list[tuple[tuple, object]] = [((), data)] if keys else []
    while stack:
        place, value = stack.pop()
        if isinstance(value, dict):
            yield from (
                f"{_path((*place, key))}: the key stands there twice" for key in keys.get(id(value), ())
            )
        inner = (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        )
        stack += reversed([((*place, part), one) for part, one in inner])


def _path(place: Sequence[str | int]) -> str:
    return reduce(_inside, place, "") or "the whole file"


def _inside(path: str, part: str | int) -> str:
    if isinstance(part, int):
        return f"{path}[{part}]"
    if len(part) > 60 or not (part.isascii() and part.isidentifier()):
        return f"{path}[{short(part)}]"
    return f"{path}.{part}" if path else part


def _words(found: dict) -> str:
    if found["type"] == "missing":
        return "is missing"
    if found["type"] == "extra_forbidden":
        return "there is no such key"
    if found["type"] == "value_error":
        return str(found["ctx"]["error"])
    return f"{found['msg']}, found {short(found['input'])}"
