"""Files of one record a line, or a row, read so that every error names its file and line."""

import codecs
import csv
import gzip
import io
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO

OTHER_FORMATS = {
    b"PK\x03\x04": "a packed file, as .xlsx, .docx and .zip are; save a sheet as CSV (UTF-8)",
    b"%PDF": "a PDF; needed text",
    b"\xd0\xcf\x11\xe0": "an old file of Excel or Word; save it as CSV (UTF-8), or as text",
    b"SQLite format 3": "a database of SQLite; export the table as CSV",
    b"\x89PNG": "a picture; needed text",
    b"\xff\xd8\xff": "a picture; needed text",
    b"PAR1": "a file of Parquet; save it as CSV or JSON lines",
    b"<!DOCTYPE": "a page of HTML; needed the data that it shows, as text",
    b"<html": "a page of HTML; needed the data that it shows, as text",
    b"version https://git-lfs": "a pointer of Git LFS; fetch the file itself: git lfs pull",
    b"{\\rtf": "a file of RTF; save it as text",
}
"""How files begin that are no text, and what to do with them."""


_MOST_BYTES = 2_000_000_000
"""Of a file that is read as a whole, unpacked: a small gzip may hold more than any memory."""
_BEGIN = 4096
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\v\f\r\x1a\x1b"))
"""Bytes that stand in no text, in UTF-8 or in an old code: what is left moves the cursor, or ends a file."""


def ending(path: Path) -> str:
    """How the name of a file ends, in small letters, and below `.gz`.

    >>> ending(Path("Searches.CSV.gz"))
    '.csv'
    """
    return (Path(path.stem) if path.suffix.lower() == ".gz" else path).suffix.lower()


def text_lines(path: Path) -> Iterator[tuple[str, str]]:
    r"""The lines of a UTF-8 file, gzip-compressed or not, that are not blank, with `file, line n`.

    A line ends at \n, at \r\n or, as on old Macs, at \r alone. Held at a time is what stands up to the next
    \n. Raises ValueError, with the line, for a byte that is not UTF-8 and a file that is cut off; for a file
    that is no text by its content, as a spreadsheet or a PDF, or that git could not merge, and for one
    that is not compressed though its name ends in .gz.
    """
    number = 0
    # Read as bytes: text mode would break off without a line number where a byte is not UTF-8.
    with _opened(path) as file:
        try:
            _check_text(path, file.peek(_BEGIN))
            for number, raw in enumerate(_raw_lines(file), start=1):
                line = _decoded(raw, number == 1, f"{path}, line {number}").rstrip("\r\n")
                _check_merged(f"{path}, line {number}", line)
                if line.strip():
                    yield f"{path}, line {number}", line
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise _damaged(path, number, error) from None


def _check_merged(where: str, line: str) -> None:
    if line.startswith(("<<<<<<< ", ">>>>>>> ")):
        said = f"git could not merge two versions here ({line[:30]!r})"
        raise ValueError(f"{where}: {said}; choose the lines to keep, and no marks")


def _raw_lines(file: BinaryIO) -> Iterator[bytes]:
    r"""The lines of a file, which itself would end them at \n only."""
    for raw in file:
        if b"\r" in raw:
            yield from raw.splitlines()
        else:
            yield raw


def whole_text(path: Path) -> str:
    """All of a UTF-8 file, gzip-compressed or not, with its line ends. Raises as `text_lines`."""
    with _opened(path) as file:
        try:
            raw = file.read(_MOST_BYTES + 1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise _damaged(path, 0, error) from None
    if len(raw) > _MOST_BYTES:
        raise ValueError(
            f"{path} holds more than {_MOST_BYTES / 1e9:g} GB, too much to read at once; part it"
        )
    _check_text(path, raw)
    try:
        text = raw.decode("utf-8-sig")
        at = text.encode().find(0) if "\0" in text else -1
    except UnicodeDecodeError as error:
        at = error.start
    if at < 0:
        return text
    begin = max(raw.rfind(b"\n", 0, at), raw.rfind(b"\r", 0, at))
    line, column = _line_ends(raw[:at].decode("latin-1")) + 1, at - begin
    raise ValueError(f"{path}, line {line}, column {column}: not valid UTF-8; {as_utf8(raw)}")


def table_rows(path: Path, separator: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a table with a heading as `{column: cell}`, with `file, line n`; blank rows are left out.

    Columns are in small letters. A cell in quotes may hold line breaks, and may be of any length. Raises
    ValueError, with the line, for a row with more cells than the heading has (a comma that is not in quotes
    would move all that follows), for a column that stands twice, for a heading that comes again, for a quote
    that is never closed, or is closed within a cell; and as `text_lines`.
    """
    text = whole_text(path)
    csv.field_size_limit(sys.maxsize)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    first = next((cells for cells in rows if any(cell.strip() for cell in cells)), [])
    heading = [name.strip().casefold() for name in first]
    if twice := sorted({name for name in heading if name and heading.count(name) > 1}):
        raise ValueError(f"{path}, line 1: the column {twice[0]!r} stands there twice; keep one")
    _check_backslashes(path, text, separator)
    _check_quotes(path, text, separator)
    for cells in rows:
        where = f"{path}, line {rows.line_num - sum(map(_line_ends, cells))}"
        _check_merged(where, cells[0] if cells else "")
        if len(cells) > len(heading):
            raw = re.split("\r\n|\r|\n", text)[rows.line_num - 1]
            cure = _cure_of_cells(raw, separator)
            raise ValueError(f"{where}: {len(cells)} cells, and the heading has {len(heading)}; {cure}")
        if len(heading) > 1 and [cell.strip().casefold() for cell in cells] == heading:
            raise ValueError(f"{where}: this is the heading again; were two files joined? Delete the line")
        if any(cell.strip() for cell in cells):
            yield where, dict(zip(heading, cells, strict=False))


def _cure_of_cells(raw: str, separator: str) -> str:
    """What to do about a line with too many cells: its texts may be in quotes that are no quotes of CSV."""
    if '\\"' in raw:
        return _NO_BACKSLASH
    if re.search(rf"(?:^|{re.escape(separator)})\s*'[^']*{re.escape(separator)}[^']*'", raw):
        return "' is no quote here; put the text in double quotes"
    return f"is {_SIGNS.get(separator, separator)} too much? put a text that holds one in quotes"


def _line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def odd_separator(heading: str, *columns: Collection[str]) -> str:
    """What stands between the columns of a heading where that is no tab, comma or semicolon; "" where nothing
    gives a name of each of `columns`.

    >>> odd_separator("query-id corpus-id score", ["query-id"], ["corpus-id", "doc_id"])
    'blanks'
    """
    for sign, what in (("|", "bars"), (":", "colons"), (None, "blanks")):
        names = {name.strip().strip('"').casefold() for name in heading.split(sign)}
        if all(names & set(one) for one in columns):
            return what
    return ""


def check_no_mark(where: str, line: str) -> None:
    """Raises ValueError for a first line that only tells Excel what separates the columns.

    >>> check_no_mark("a.csv, line 1", "sep=,")
    Traceback (most recent call last):
    ValueError: a.csv, line 1: 'sep=,' is no heading but a mark for Excel; take this line away
    """
    if re.fullmatch(r'"?sep=.?"?', line.strip(), re.I):
        raise ValueError(f"{where}: {line.strip()!r} is no heading but a mark for Excel; take this line away")


_SIGNS = {",": "a comma", ";": "a semicolon", "\t": "a tab"}


def _check_quotes(path: Path, text: str, separator: str) -> None:
    """Raises ValueError for a quote that is never closed, or is closed within a cell: it would make one
    cell of what follows, up to the next quote."""
    # Blanks behind a closing quote do no harm.
    text = re.sub(rf'" +(?={re.escape(separator)}|[\r\n]|$)', '"', text)
    rows, begin = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True), 1
    try:
        for _ in rows:
            begin = rows.line_num + 1
    except csv.Error as error:
        if "end of data" in str(error):
            said = "a quote is opened and never closed; close it, or write it twice inside of quotes"
            raise ValueError(f"{path}, line {begin}: {said}") from None
        if "expected after" in str(error):
            last = re.split("\r\n|\r|\n", text)[rows.line_num - 1]
            said = f"a quote is opened, and closed within a text in line {rows.line_num}: {last[:60]!r}"
            cure = 'write a quote of the text twice, and put the whole text in quotes: """lost"" key"'
            raise ValueError(f"{path}, line {begin}: {said}; {cure}") from None


_NO_BACKSLASH = r'inside of a text in quotes write "" and not \"'


def _check_backslashes(path: Path, text: str, separator: str) -> None:
    r"""Raises ValueError for a text in quotes that holds \", as MySQL writes it: CSV ends the text there."""
    between = re.escape(separator)
    begins, ends = re.compile(rf'(?:^|{between})\s*"'), re.compile(rf'\\"(?!"|\s*(?:{between}|$))')
    for number, line in enumerate(re.split("\r\n|\r|\n", text) if '\\"' in text else (), start=1):
        if begins.search(line) and (found := ends.search(line)):
            shown = line[max(0, found.start() - 20) : found.end() + 20]
            raise ValueError(f"{path}, line {number}: {shown}: {_NO_BACKSLASH}")


def _opened(path: Path) -> BinaryIO:
    if path.is_dir():
        raise ValueError(f"{path} is a folder; needed a file")
    if path.exists() and not path.is_file():
        raise ValueError(
            f"{path} is a pipe or a device, which may have no end; save it in a file, and name that"
        )
    with open(path, "rb") as file:
        begin = file.read(32)
    compressed = begin[:2] == b"\x1f\x8b"
    if path.suffix.lower() == ".gz" and not compressed:
        raise ValueError(
            f"{path}: the name says gzip and the content is not; the file is damaged or misnamed"
        )
    if is_one := other_format(begin):
        raise ValueError(f"{path} is no text but {is_one}")
    return gzip.open(path, "rb") if compressed else open(path, "rb")


def other_format(begin: bytes) -> str:
    """What a file is that begins so, where that is no text, and what to do with it; "" where it may be text.

    >>> other_format(b"%PDF-1.7")
    'a PDF; needed text'
    """
    begin = begin.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    return next((is_one for mark, is_one in OTHER_FORMATS.items() if begin.startswith(mark.lower())), "")


def _decoded(raw: bytes, first: bool, where: str) -> str:
    try:
        text = raw.decode("utf-8-sig" if first else "utf-8")
    except UnicodeDecodeError as error:
        said = f"{where}: not valid UTF-8 (byte {error.start + 1} of the line)"
        raise ValueError(f"{said}; {as_utf8(raw)}") from None
    if "\0" in text:
        raise ValueError(f"{where}: it holds NUL bytes; {as_utf8(raw)}")
    return text


def as_utf8(raw: bytes) -> str:
    """What to do with bytes that are not UTF-8, and what they probably are.

    >>> as_utf8("é".encode("utf-16"))
    'save the file as UTF-8 (in Excel: CSV UTF-8); it looks like UTF-16, as Excel and PowerShell write it'
    """
    if _is_utf16(raw):
        looks = "UTF-16, as Excel and PowerShell write it"
    elif 0 in raw or is_binary(raw):
        return "it looks like no text at all; needed a file of text"
    else:
        looks = "Windows-1252, or another old code for accents"
    return f"save the file as UTF-8 (in Excel: CSV UTF-8); it looks like {looks}"


def is_binary(raw: bytes) -> bool:
    """Whether a file that begins so is no text: it is no UTF-8 and no UTF-16, and more than one byte in fifty
    is a control character, of which an old code for accents has none.

    >>> is_binary(bytes(range(256))), is_binary("Größe".encode("latin-1"))
    (True, False)
    """
    raw = raw[:_BEGIN]
    try:
        codecs.getincrementaldecoder("utf-8")().decode(raw)  # a character may be cut at the end
        return False
    except UnicodeDecodeError:
        return not _is_utf16(raw) and 50 * (len(raw) - len(raw.translate(None, _CONTROLS))) > len(raw)


def _is_utf16(raw: bytes) -> bool:
    """By its mark, or by the zeros: every other byte of most letters is one."""
    zeros = raw.count(0)
    one_side = max(raw[::2].count(0), raw[1::2].count(0))
    return raw[:2] in (b"\xff\xfe", b"\xfe\xff") or (zeros * 3 > len(raw) and one_side * 10 > zeros * 9)


def _check_text(path: Path, begin: bytes) -> None:
    if is_binary(begin):
        raise ValueError(f"{path} is no text: it is not UTF-8 and holds control characters; is it packed?")


def _damaged(path: Path, number: int, error: Exception) -> ValueError:
    return ValueError(f"{path}, after line {number}: the file is cut off or damaged ({error}); get it again")


def check_json_lines(path: Path, first_line: str, form: str) -> None:
    """Raises ValueError for a file that is one list or object of JSON, where each line must be a record."""
    kind, where = "a list", "on one line"
    try:
        found = json.loads(first_line)
        is_record = not (isinstance(found, list) and found and all(isinstance(one, dict) for one in found))
    except RecursionError:
        return  # too deep to be read, as its line will say
    except ValueError:
        try:
            found = json.loads(whole_text(path))
        except (ValueError, RecursionError):
            return  # not JSON as a whole either; its lines say where
        is_record, where = False, "over several lines"
        kind = "an object" if isinstance(found, dict) else "a list"
    if not is_record:
        needed = f"needed JSON lines, a whole record on each: {form}"
        raise ValueError(f"{path} is {kind} of JSON {where}; {needed}")


def json_records(path: Path, form: str) -> Iterator[tuple[str, str]]:
    """`(where, line)` of a file with a record of JSON on each line. Raises ValueError, with the `form` that
    is needed, for a line that is no object, and for a file that is one list or object."""
    for number, (where, line) in enumerate(text_lines(path)):
        if number == 0:
            check_json_lines(path, line, form)
        if not line.lstrip().startswith("{"):
            raise ValueError(f"{where}: {line.strip()[:60]!r} is no record; needed one a line: {form}")
        yield where, line


class RepeatedKey(ValueError):
    """A key of an object of JSON that stands there twice: nobody knows which was meant."""


def json_value(text: str | bytes) -> object:
    """What a text of JSON holds. Raises ValueError as `json.loads`, and RepeatedKey.

    >>> json_value('{"grade": 1, "grade": 2}')
    Traceback (most recent call last):
    helpers.base.lines.RepeatedKey: the key 'grade' stands there twice
    """
    return json.loads(text, object_pairs_hook=_without_repeats)


def _without_repeats(pairs: list[tuple[str, object]]) -> dict:
    found = dict(pairs)
    if len(found) < len(pairs):
        (key, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise RepeatedKey(f"the key {key!r} stands there twice")
    return found


def in_a_merge(text: str, by_line: bool = False) -> str:
    """What to say of a text with a line that version control wrote into it; "" where there is none. Of a file
    whose every line is a record of its own (`by_line`) both sides are kept.

    >>> in_a_merge("<<<<<<< HEAD")
    'an unfinished merge (a line begins with <<<<<<<): choose one side, and delete such lines;'
    """
    if (mark := re.search(r"^(<{7}|={7}|>{7})(?![<=>])", text, re.M)) is None:
        return ""
    cure = "keep the lines of both sides, and delete only the marks" if by_line else _ONE_SIDE
    return f"an unfinished merge (a line begins with {mark[1]}): {cure};"


_ONE_SIDE = "choose one side, and delete such lines"


_IN_A_TEXT = {
    "Invalid control character": r"a text holds a tab or a line break as it is: write \t or \n;",
    "Invalid \\": r"a backslash in a text is written twice, as in C:\\path;",
}
"""What makes a text no JSON, by how the parser's message begins."""


def not_json(text: str, error: Exception) -> str:
    """What is probably wrong with a text that is not JSON, where its parser stopped; with a mark at its end.

    >>> text = '{"a": 1,}'
    >>> try:
    ...     json.loads(text)
    ... except ValueError as error:
    ...     print(not_json(text, error))
    a comma stands before the closing bracket: delete it;
    """
    at, said = getattr(error, "pos", len(text)), getattr(error, "msg", "")
    before, after = text[:at].rstrip(), text[at:].lstrip()
    if not text.strip():
        return "the file is empty;"
    if before.endswith(",") and after.startswith(("]", "}")) or re.match(r",\s*[]}]", after):
        return "a comma stands before the closing bracket: delete it;"
    if after.startswith(("//", "/*", "#")):
        return "JSON has no comments: delete it;"
    if after.startswith(tuple("“”„«‘’")):
        return 'these quotes are typographic: write straight ones (");'
    if after.startswith("'"):
        return "JSON has double quotes, as json.dumps writes them (str of a dict has single ones);"
    if said == "Extra data" and after.startswith((",", "{")):
        of = "a comma stands behind it: delete it" if after[0] == "," else "a second record begins there"
        return f"{of}; each record has a line of its own;"
    if said.startswith("Expecting ',' delimiter") and before.endswith('"') and after:
        return "a comma is missing;" if after[0] == '"' else r"is there a quote within a text? Write it \";"
    causes = [cause for begin, cause in _IN_A_TEXT.items() if said.startswith(begin)]
    if causes and after:
        return causes[0]
    begun = text.lstrip().startswith(("{", "["))
    return "is the file cut off?" if begun and not text.rstrip().endswith(("}", "]")) else ""


def json_object(line: str, where: str, fields: str) -> dict:
    """The object on one line of a JSONL file. Raises ValueError, with `where` and the `fields` needed, for
    others.

    >>> json_object('{"_id": "d1", "text": "a cat"}', "corpus.jsonl, line 1", "_id and text")["text"]
    'a cat'
    """
    try:
        record = json_value(line)
    except RepeatedKey as error:
        raise ValueError(f"{where}: {error}; keep one") from None
    except (ValueError, RecursionError) as error:
        needed = f"needed an object with {fields}, whole on one line"
        begins = line.lstrip().startswith(("{", "["))
        if line.strip() == "{" or (line.lstrip().startswith("[") and not isinstance(error, RecursionError)):
            raise ValueError(
                f"{where}: not valid JSON by itself: a list, or an object over several lines? {needed}"
            ) from None
        why = in_a_merge(line, by_line=True) or (
            not_json(line, error) if begins else f"the line begins {line[:30]!r};"
        )
        raise ValueError(f"{where}: not valid JSON ({error}); {f'{why} ' if why else ''}{needed}") from None
    if not isinstance(record, dict):
        raise ValueError(f"{where}: needed a JSON object with {fields}, found {line[:80]!r}")
    return record


def needed_id(record: dict) -> str:
    """What to say of a record without an `_id`, which may have it under another name.

    >>> needed_id({"id": "d1", "text": "a cat"})
    "needed an _id (text or whole number), found None; rename 'id' to _id"
    """
    others = [name for name in ("id", "doc_id", "docid", "docno", "query_id", "qid") if name in record]
    cure = f"; rename {others[0]!r} to _id" if others and "_id" not in record else ""
    return f"needed an _id (text or whole number), found {record.get('_id')!r:.80}{cure}"


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
