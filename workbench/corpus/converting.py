"""PDF and DOCX to text, by one library (`kreuzberg`), which is an optional extra.

It was taken because the words of a PDF come out apart: of two manuals here other readers gave the same words,
and one that makes Markdown ran two of three words together, which no query finds.
"""

import io
import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

from helpers.base import counted, other_format

if TYPE_CHECKING:
    from kreuzberg import ExtractionConfig, ExtractionResult

CONVERTED = (".pdf", ".docx")
WITH_EXTRA = "pip install 'measure-first[documents]'"
MOST_BYTES = 100_000_000
_SECONDS = 120
_HEADING = re.compile(r"\s*#{1,6}[ \t]+(.+)\n?")
_NO_TITLE = re.compile(
    r"untitled[-\s\d]*|\(anonymous\)|Microsoft \w+ - .*|\S+\.(?:docx?|odt|pptx?|xlsx?|indd|tex|dvi|pdf)", re.I
)
"""What programs write where nobody gave a title."""
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SIGNS = {b"<w:tab/>": b'<w:t xml:space="preserve"> </w:t>', b"<w:noBreakHyphen/>": b"<w:t>-</w:t>"}
"""Signs that Word keeps as elements and the library passes by: words would run together."""
_MARK = r"\*{1,3}|~{1,2}|\^"
_IN_A_WORD = re.compile(rf"(?<=\w)({_MARK})(\w+)\1|(?<![\\*~^])({_MARK})(\w+)\3(?=\w)")
"""Marks of Markdown around a part of a word. A sign that is no mark has a backslash before it."""
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
"""A word without marks; each sign is one in a script without blanks, whose lines end within words."""
_HYPHEN = re.compile(r"(?<=\w)[-\u00ad\u2010\x02]\s*(?=\w)")
_AT_A_LINE_END = re.compile(r"(\w+)\x02\s*(\w+)")
"""The library writes U+0002 for a hyphen at the end of a line."""
_MAY_LACK, _FEW = 0.03, 4
"""The share of the words of a PDF that its Markdown may lack, and a number that tells nothing.

Of 300 pages of prose 7 lacked from 48 to 82 %, and the others no word. Of 100 runbooks, reports and manuals,
in one column or two, 18 lacked from 3 to 48 %, sentences among them, and most of the others less than 1 %.
"""
_BEGIN = 500
"""Within so many characters a heading is at the beginning of a text."""
_MARGIN = 2
"""So many lines above and below a single page may be its header and footer, which Markdown leaves out."""


def from_office(path: Path) -> tuple[str, str, str]:
    """Title and body of a PDF or DOCX file, and what to look at, empty where there is nothing.

    The body is Markdown, with its headings and tables; no picture is read. Where the Markdown of a PDF lacks
    words that its pages hold, as where prose was taken for a table, the body is their plain text, and that is
    said. The title is the document's own, else its first heading where it begins with one. Raises ValueError
    where the library is not installed, for a file that it cannot read, and for one without text, such as a
    scan.
    """
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise ValueError(f"{size / 1e6:,.0f} MB; files of more than {MOST_BYTES / 1e6:g} MB are not read")
    try:
        import kreuzberg
    except ImportError:
        needs = f"files ending in {path.suffix.lower()} are read with an extra"
        cure = f"{needs}: {WITH_EXTRA}"
        raise ValueError(_another_format(path) or cure) from None
    settings = kreuzberg.ExtractionConfig(
        output_format="markdown",
        use_cache=False,
        disable_ocr=True,
        extraction_timeout_secs=_SECONDS,
        pages=kreuzberg.PageConfig(extract_pages=True),
    )
    found = _extracted(path, settings)
    text = found.content.replace("\r\n", "\n").strip()
    if path.suffix.lower() == ".docx":
        text = _IN_A_WORD.sub(lambda part: part[2] or part[4], text)
    heading, problem = _HEADING.match(text), ""
    first, after = (heading[1].replace("\\", ""), text[heading.end() :]) if heading else ("", text)
    if path.suffix.lower() == ".pdf":
        pages = [page["content"].replace("\r\n", "\n").strip() for page in found.pages or []]
        lost = _lost(pages, text)
        if lost:
            text = after = _plain(pages)
            first = first if " ".join(first.split()) in " ".join(text[:_BEGIN].split()) else ""
        problem = "; ".join(filter(None, (lost, _bare_pages(pages))))
    if not text:
        raise ValueError("no text in it, only pictures? Recognise its text (OCR) first")
    title = str(found.metadata.get("title") or "").strip()
    if _NO_TITLE.fullmatch(title):
        title = ""
    return (title, text, problem) if title or not first else (first, after, problem)


def _extracted(path: Path, settings: "ExtractionConfig") -> "ExtractionResult":
    import kreuzberg

    ending, timed_out = path.suffix[1:].upper(), getattr(kreuzberg, "ExtractionTimeoutError", ())
    try:
        if (mended := _mended_docx(path)) is not None:
            return kreuzberg.extract_bytes_sync(mended, _DOCX, config=settings)
        return kreuzberg.extract_file_sync(str(path), config=settings)
    except timed_out:
        raise ValueError(f"reading it took more than {_SECONDS} s; split it, or save it as text") from None
    except kreuzberg.KreuzbergError as error:
        if another := _another_format(path):
            raise ValueError(another) from None
        said = " ".join(str(error).split())[:150]
        raise ValueError(f"damaged, locked or no {ending} ({said})") from None


def _another_format(path: Path) -> str:
    """What a file is that is not of the format of its ending, and what to do; "" where it may be of it."""
    with open(path, "rb") as file:
        is_one = other_format(file.read(1024))
    ending = path.suffix[1:].upper()
    if not is_one or is_one.startswith({"PDF": "a PDF", "DOCX": "a packed"}[ending]):
        return ""
    what = is_one.partition(";")[0]
    is_old = "Excel or Word" in what
    cure = "open it there and save it as .docx, or as text" if is_old else "give it the ending of what it is"
    return f"no {ending} but {what}; {cure}"


def _mended_docx(path: Path) -> bytes | None:
    """The file with tabs and hyphens as text; None where it has none, is no DOCX, or is damaged."""
    if path.suffix.lower() != ".docx":
        return None
    mended, changed = io.BytesIO(), False
    try:
        with zipfile.ZipFile(path) as parts, zipfile.ZipFile(mended, "w") as written:
            if sum(part.file_size for part in parts.infolist()) > MOST_BYTES:
                return None
            for part in parts.infolist():
                content = parts.read(part)
                if part.filename.startswith("word/") and part.filename.endswith(".xml"):
                    before = content
                    for sign, as_text in _SIGNS.items():
                        content = content.replace(sign, as_text)
                    changed |= content != before
                written.writestr(part.filename, content)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, ValueError):
        return None  # the library says what is wrong
    return mended.getvalue() if changed else None


def _lost(pages: list[str], markdown: str) -> str:
    """What to say where Markdown lacks words that the pages of a PDF hold; empty where it has them.

    Lines that come on several pages, but for their numbers, are no part of it, nor are hyphens.
    """
    lines = [[line for line in page.split("\n") if line.strip()] for page in pages]
    on_pages = Counter(line for page in lines for line in {_without_numbers(line) for line in page})
    own = [line for page in lines for line in page if on_pages[_without_numbers(line)] == 1]
    inner = own if len(pages) > 1 else own[_MARGIN:-_MARGIN] or own
    there, of_them, held = (_words(text) for text in (markdown, "\n".join(inner), "\n".join(own)))
    if (of_them - there).total() <= max(_FEW, _MAY_LACK * of_them.total()):
        return ""
    of = f"{(held - there).total():,} of {held.total():,} words"
    return f"read as plain text, without headings and tables: as Markdown it lost {of}"


def _without_numbers(line: str) -> str:
    return re.sub(r"\d+", "0", " ".join(line.split()))


def _words(text: str) -> Counter[str]:
    """How often each word occurs, whether a line ends within it or not."""
    return Counter(_WORD.findall(_HYPHEN.sub("", normalize("NFKC", text))))


def _plain(pages: list[str]) -> str:
    """The text of the pages, a word that was parted at the end of a line in one piece: with its hyphen where
    it has it elsewhere too."""
    text = "\n\n".join(filter(None, pages))

    def whole(parted: re.Match) -> str:
        hyphened = f"{parted[1]}-{parted[2]}"
        return hyphened if hyphened in text else parted[1] + parted[2]

    return _AT_A_LINE_END.sub(whole, text).replace("\x02", "-")


def _bare_pages(pages: list[str]) -> str:
    """What to say of pages that hold no text; empty where all of them do."""
    bare = sum(not page for page in pages)
    said = f"{bare:,} of {counted(len(pages), 'page')} {'holds' if bare == 1 else 'hold'} no text"
    return f"{said}, only pictures? Recognise their text (OCR) first" if bare else ""
