"""One file to documents, by its ending: texts and their markups, PDF and DOCX, and JSONL in BEIR layout.

Bytes become text here, titles are told from bodies, ids are made.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from helpers.base import counted, first_few, is_binary, json_object, needed_id, other_format, text_field
from workbench.corpus.converting import CONVERTED, from_office
from workbench.corpus.html import read_html
from workbench.corpus.markup import (
    as_seen,
    from_asciidoc,
    from_markdown,
    from_mdx,
    from_rst,
    has_include,
    unread_fields,
    without_pictures,
)
from workbench.corpus.odd_documents import Odd

MAX_BYTES = 5_000_000
"""Of a text file, or of one line of a JSONL file, which may be of any size itself."""

_MARKDOWN, _HTML, _RST, _ADOC = (".md", ".markdown"), (".html", ".htm"), (".rst",), (".adoc", ".asciidoc")
_MARKUP = dict.fromkeys(_RST, "reStructuredText") | dict.fromkeys(_ADOC, "AsciiDoc")
_MARKUP |= dict.fromkeys((*_MARKDOWN, ".mdx"), "Markdown")
ENDINGS = (*_MARKDOWN, ".mdx", *_RST, *_ADOC, ".txt", *_HTML, *CONVERTED, ".jsonl")
_AS_IT_IS = (".txt", ".jsonl", "")
"""What is written in no markup, so that a tag in it is a mistake."""
NAMES = frozenset(
    "about authors changelog changes contributing contributors copying copyright credits faq history "
    "howto install installation license licence maintainers manual news notice readme release releases "
    "security support thanks todo troubleshooting upgrading usage".split()
)
"""Files of these names are texts, though their names have no ending."""
_BOMS = [  # UTF-32 first: in little-endian order its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
_MERGE = re.compile(r"^<{7} .*^>{7} ", re.M | re.S)
_LFS = b"version https://git-lfs.github.com/spec/"
_HTML_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html)\b", re.I)
_META = re.compile(r"<meta\b[^>]*>", re.I)
_REFRESH = re.compile(r"http-equiv\s*=\s*[\"']?refresh\b", re.I)
_LEADS_TO = re.compile(r"\burl\s*=|content\s*=\s*[\"']?[\s\d.]+[;,]\s*[^\s\"'>]", re.I)
_NO_SCRIPT = re.compile(r"<noscript\b.*?</noscript", re.I | re.S)
_MHTML = re.compile(r"\s*(?:[\w-]+:.*\n(?:[ \t]+.*\n)*)*?content-type:\s*multipart/related", re.I)
_LITTLE = 200
"""Fewer characters than a page has that says more than where it leads."""
_CHARSET = re.compile(r"<meta[^>]+charset\s*=\s*[\"']?\s*([\w:.-]+)", re.I)
_AS_LATIN_1 = ("iso8859-1", "ascii")
"""Names of encodings that mean Windows-1252 on the web (WHATWG, Encoding)."""
_ON_THE_WEB = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
}
"""Encodings that mean a larger one on the web (WHATWG, Encoding), by Python's names."""
_NO_WAY = ("utf-16", "utf-32", "utf-7")
"""Names of encodings that a page cannot have that says so in letters."""
_BEYOND_LATIN_1 = re.compile("[\udc80-\udc9f]")
_HALF = re.compile("[\ud800-\udfff]")
_CONTROLS = "\x00-\x1f\x7f-\x9f\ud800-\udfff"


@dataclass(frozen=True)
class SourceDocument:
    """A document: `text` is the body without the title, `source_uri` the file it stood in."""

    doc_id: str
    title: str
    text: str
    source_uri: str


def documents_of(
    path: Path, name: str, notes: list[str], odd: Odd | None = None
) -> Iterator[tuple[str, SourceDocument | str]]:
    """`(where, document)` for each document of a file; `(where, reason)` for a line of JSONL that is none.

    `name` is the file's path as the reader knows it: `where` and `source_uri` begin with it, and it is the
    document's id where the file gives no other. `notes` gets what the reader should look at, and `odd` what
    is said of many files at once. Raises ValueError for a file that is no text, OSError for one that cannot
    be read.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a page.md"
    >>> _ = path.write_text("# Cats\\n\\nThey sleep.")
    >>> list(documents_of(path, "pets/a page.md", []))[0][1]
    SourceDocument(doc_id='pets/a%20page.md', title='Cats', text='They sleep.', source_uri='pets/a%20page.md')
    """
    with open(path, "rb") as file:
        if file.read(len(_LFS)) == _LFS:
            raise ValueError("a pointer of Git LFS and not the file itself; fetch it: git lfs pull")
    odd = Odd() if odd is None else odd
    ending = path.suffix.lower()
    is_jsonl = ending == ".jsonl"
    found = _records(path, name, notes) if is_jsonl else [(name, _page(path, name, notes, odd))]
    for where, document in found:
        if isinstance(document, SourceDocument):
            odd.look_at(document.doc_id, f"{document.title} {document.text}", ending in _AS_IT_IS)
        yield where, document


def as_id(name: str) -> str:
    """A name as an id: white space (TREC files split there), controls and broken UTF-8 percent-encoded.

    >>> as_id("on call/Grüße.md")
    'on%20call/Grüße.md'
    """
    return re.sub(rf"[\s{_CONTROLS}]", _percent, name)


def as_shown(name: str) -> str:
    """A file's name as it can be printed: `as_id` with its white space, except what moves the cursor.

    >>> as_shown("on call/a\\tb.md")
    'on call/a%09b.md'
    """
    return re.sub(f"[{_CONTROLS}]", _percent, name)


def _percent(found: re.Match) -> str:
    """The bytes of a character as %XX; those of names that are not UTF-8 are U+DC80 to U+DCFF in Python."""
    errors = "surrogateescape" if "\udc80" <= found[0] <= "\udcff" else "surrogatepass"
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", errors))


def _page(path: Path, name: str, notes: list[str], odd: Odd) -> SourceDocument:
    """The one document of a file of text."""
    ending, written = path.suffix.lower(), ""
    if ending in CONVERTED:
        doc_id, (title, text, problem) = "", from_office(path)
    else:
        written = _text(path, name, notes)
        if ending not in _HTML and _HTML_PAGE.match(written):
            ending = _HTML[0]
            notes.append(f"{name}: a page of HTML by its content, and read as one")
        if _MHTML.match(written[:4096]):
            raise ValueError("MHTML, a page with its pictures in one file; save it as a page of HTML alone")
        if ending in _HTML:
            page = read_html(written)
            odd.look_at_page(as_id(name), page)
            doc_id, title, text, problem = "", page.title, page.body, ""
            tag, taken_in = _never_closed(written)
            if _TEXT_BEGINS.search(taken_in):
                problem = f"a <{tag}> is never closed, so what follows is not read: close it with </{tag}>"
        else:
            doc_id, title, text, problem = _parts(ending, written)
    fields = unread_fields(written) if ending in (*_MARKDOWN, ".mdx") else []
    for one in fields:
        odd.unread.setdefault(one, []).append(name)
    if (markup := _MARKUP.get(ending)) and has_include(markup, written):
        odd.includes.append(name)
    if problem:
        notes.append(f"{name}: {problem}")
    if _MERGE.search(written):
        said = "an unfinished merge (lines that begin with <<<<<<< and >>>>>>>), and both sides were read"
        notes.append(f"{name}: {said}; choose one, and delete such lines")
    if as_id(doc_id) != doc_id:
        notes.append(_spaced(name, doc_id))
    text = without_pictures(text).strip()
    title, text = (_whole(as_seen(part)) for part in (" ".join(title.split()), text))
    is_heading = ending in CONVERTED or re.search("^ *#", written, re.M)  # which is the page's own text
    if not text and (title and not is_heading or fields):
        raise ValueError(_why_empty(ending, written, title, fields))
    if ending in _HTML and len(text) < _LITTLE and _leads_on(written):
        raise ValueError("it leads on to another page and says little itself; read that one")
    return SourceDocument(as_id(doc_id or name), title, text, as_id(name))


def _why_empty(ending: str, written: str, title: str, fields: list[str]) -> str:
    """Why a page of which something was read has no text."""
    if fields:
        return f"it has no text but in fields that are not read ({first_few(fields)}); move it below the ---"
    if ending not in _HTML:
        return "it has a title and no text; is it not written yet?"
    if _leads_on(written):
        return "it has no text and leads on to another page; read that one"
    if tag := _never_closed(written)[0]:
        return f"it has a title and no text; a <{tag}> in it is never closed: close it with </{tag}>"
    return "it has a title and no text; is it filled in by a script, or not written yet?"


def _never_closed(page: str) -> tuple[str, str]:
    """The name of a script or style that takes in the page to its end, and what it takes in; "" of none."""
    page = re.sub("<!--.*?-->", "", page, flags=re.S)
    begin = _RAW.search(page)
    while begin:
        end = re.compile(f"</{begin[1]}\\b", re.I).search(page, begin.end())
        if end is None:
            return begin[1].lower(), page[begin.end() :]
        begin = _RAW.search(page, end.end())
    return "", ""


_RAW = re.compile(r"<(script|style)\b", re.I)
_TEXT_BEGINS = re.compile(r"<(?:p|h[1-6]|li|div|td|article|section)\b", re.I)


def _leads_on(page: str) -> bool:
    """Whether a page of HTML leads to another by itself; one that is only read again does not."""
    metas = _META.findall(_NO_SCRIPT.sub("", page))
    return any(_REFRESH.search(meta) and _LEADS_TO.search(meta) for meta in metas)


def _text(path: Path, name: str, notes: list[str]) -> str:
    """The text of a file, and a note where its encoding had to be guessed."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        limit = f"text files of more than {MAX_BYTES / 1e6:g} MB are not read"
        raise ValueError(f"{size / 1e6:,.1f} MB; {limit}: split it, or make it a .jsonl")
    with _opened(path) as file:
        raw = file.read()
    text, is_utf8 = _mended(raw)
    if is_utf8:
        return text
    if is_broken_utf8(raw):
        notes.append(_broken(name, raw))
        return _NO_UTF8.sub("\ufffd", raw)
    if (declared := _as_declared(raw)) is not None:
        return declared
    notes.append(_not_utf8(name))
    return text


def _as_declared(raw: str) -> str | None:
    """The text in the encoding that a page of HTML says it has; None where it says none, or is not in it."""
    found = _CHARSET.search(raw[:4096])
    try:
        encoding = codecs.lookup(found[1]).name if found else _AS_LATIN_1[0]
        encoding = _ON_THE_WEB.get(encoding, encoding)
        if encoding.startswith(_NO_WAY):
            return None
        if found and encoding == _AS_LATIN_1[0] and not _BEYOND_LATIN_1.search(raw):
            return _mended(raw)[0]
        return None if encoding in _AS_LATIN_1 else raw.encode("utf-8", "surrogateescape").decode(encoding)
    except (LookupError, UnicodeError):
        return None


def _parts(ending: str, text: str) -> tuple[str, str, str, str]:
    """Id, title and body, and what is wrong with the front matter; empty where there is none."""
    if ending in _MARKDOWN:
        return from_markdown(text)
    if ending == ".mdx":
        return from_mdx(text)
    for endings, read in ((_RST, from_rst), (_ADOC, from_asciidoc)):
        if ending in endings:
            return "", *read(text), ""
    return "", "", text, ""


def _records(path: Path, name: str, notes: list[str]) -> Iterator[tuple[str, SourceDocument | str]]:
    all_utf8, spaced, halves, others = True, None, 0, {}
    with _opened(path) as file:
        for number, line in _lines(file):
            where = f"{name}, line {number}"
            line, is_utf8 = _mended(line)
            try:
                raw_id, document = _record(line, where, as_id(name), others)
            except ValueError as error:
                yield where, str(error).removeprefix(f"{where}: ")
                continue
            all_utf8 &= is_utf8
            halves += bool(_HALF.search(document.title + document.text))
            title, text = (_whole(as_seen(part)) for part in (document.title, document.text))
            document = replace(document, title=title, text=without_pictures(text))
            spaced = raw_id if spaced is None and raw_id != document.doc_id else spaced
            yield where, document
    if not all_utf8:
        notes.append(_not_utf8(name))
    if spaced is not None:
        notes.append(_spaced(name, spaced))
    if others:
        notes.append(f"{name}: fields that are not read: {first_few(map(repr, sorted(others)))}")
    if halves:
        lines = counted(halves, "line")
        notes.append(f"{name}: halves of surrogate pairs, which are no text, became U+FFFD in {lines}")


def _record(line: str, where: str, source_uri: str, others: dict) -> tuple[str, SourceDocument]:
    """The id as it stands there, and the document; `others` gets the fields that are not read."""
    if len(line) > MAX_BYTES:
        cure = "split the document"
        if line.lstrip().startswith("["):
            cure = "it begins as a list of JSON; write a record a line (pandas: orient='records', lines=True)"
        raise ValueError(f"a line of more than {MAX_BYTES / 1e6:g} MB; {cure}")
    record = json_object(line, where, "_id and text")
    raw_id = record.get("_id")
    metadata = record.get("metadata")
    if isinstance(metadata, dict):
        others |= dict.fromkeys(f"metadata.{key}" for key in metadata.keys() - {"source_uri"})
        given = metadata.get("source_uri")
        source_uri = as_id(given) if isinstance(given, str) and given else source_uri
    others |= dict.fromkeys(record.keys() - {"_id", "title", "text", "metadata"})
    if isinstance(raw_id, bool) or not isinstance(raw_id, str | int) or raw_id == "":
        raise ValueError(needed_id(record))
    title, text = text_field(record, "title", where, ""), text_field(record, "text", where)
    return str(raw_id), SourceDocument(as_id(str(raw_id)), title, text, source_uri)


def _lines(file: TextIO) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers; one that is too long is never held whole."""
    number = 0
    while line := file.readline(MAX_BYTES + 1):
        number += 1
        rest = line
        while len(rest) > MAX_BYTES and not rest.endswith("\n"):
            rest = file.readline(MAX_BYTES + 1)
        if line.strip():
            yield number, line


def _opened(path: Path) -> TextIO:
    """A file as text, in the encoding of its byte order mark; bytes that are not UTF-8 wait for `_mended`."""
    with open(path, "rb") as file:
        head = file.read(8192)
    encoding = next((encoding for mark, encoding in _BOMS if head.startswith(mark)), "utf-8-sig")
    if encoding == "utf-8-sig":
        start = head.removeprefix(codecs.BOM_UTF8).decode("latin-1")
        if (is_one := other_format(head)) and not _HTML_PAGE.match(start):
            if path.suffix.lower() in _HTML and start.lstrip().lower().startswith("<!doctype"):
                is_one = f"it begins {start.lstrip()[:30]!r}, as no page of HTML; write <!DOCTYPE html>"
            if is_one.startswith("a packed file"):
                is_one = "a packed file; name a Word document .docx, unpack a .zip, save a sheet as .jsonl"
            raise ValueError(is_one)
        n_nul = sorted((head[::2].count(0), head[1::2].count(0)))  # in one of two places, as of Latin letters
        if n_nul[0] == 0 and n_nul[1] > len(head) / 4:
            raise ValueError("it looks like UTF-16 without its byte order mark; save it as UTF-8")
        if b"\x1b$" in head and not is_binary(head):
            raise ValueError("it looks like ISO-2022-JP, an old code for Japanese; save it as UTF-8")
        if head.startswith(b"\x1f\x8b"):
            raise ValueError("compressed with gzip; unpack it")
        if b"\0" in head:
            raise ValueError("binary, it holds NUL bytes; convert it to text")
        if is_binary(head):
            raise ValueError("binary, it is not UTF-8 and holds control characters; convert it to text")
        return open(path, encoding=encoding, errors="surrogateescape")
    return open(path, encoding=encoding)


def _mended(text: str) -> tuple[str, bool]:
    """The text, read again as Windows-1252 where it was not UTF-8, and whether it was."""
    try:
        text.encode()
        return text, True
    except UnicodeEncodeError:
        raw = text.encode("utf-8", "surrogateescape")
    try:
        return raw.decode("cp1252"), False
    except UnicodeDecodeError:  # five of its bytes mean nothing; Latin-1 has a character for each
        return raw.decode("latin-1"), False


_NO_UTF8 = re.compile("[\udc80-\udcff]+")
"""Bytes that are no UTF-8, as a file that was opened with `surrogateescape` has them."""


def is_broken_utf8(raw: str) -> bool:
    r"""Whether a text with such bytes is UTF-8 for the rest: it has four letters of several bytes for each.

    >>> is_broken_utf8("Käufer und Händler für Öl\udcc3"), is_broken_utf8("K\udce4ufer")
    (True, False)
    """
    letters = sum(not char.isascii() and not "\udc80" <= char <= "\udcff" for char in raw)
    return letters >= 4 * len(_NO_UTF8.findall(raw))


def _broken(name: str, raw: str) -> str:
    """What to say of a file that is UTF-8 but for some bytes."""
    places = [found.start() for found in _NO_UTF8.finditer(raw)]
    line = raw.count("\n", 0, places[0]) + 1
    where = "at its end; is the file cut off?" if places[0] >= len(raw.rstrip()) - 1 else f"in line {line}"
    if len(places) > 1:
        where = f"in {len(places):,} places, the first in line {line}; was it put together of several files?"
    return f"{name}: UTF-8 but for bytes {where}; they are read as \ufffd: mend them and read it again"


def _not_utf8(name: str) -> str:
    cure = "see whether its accents are right, or save it as UTF-8"
    return f"{name}: not UTF-8, read as Windows-1252 (Western Europe); {cure}"


def _spaced(name: str, raw_id: str) -> str:
    changed = f"{raw_id!r} is {as_id(raw_id)!r} here"
    return f"{name}: ids hold no white space and no control characters, so {changed}"


def _whole(text: str) -> str:
    """A text that UTF-8 can hold: half of a surrogate pair, which JSON can escape, becomes U+FFFD."""
    return _HALF.sub("\ufffd", text)
