"""PDF and DOCX to text, by one library (`kreuzberg`), which is an optional extra.

It was taken because the words of a PDF come out apart: of two manuals here other readers gave the same words,
and one that makes Markdown ran two of three words together, which no query finds.
"""

import io
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from helpers.base import counted, other_format

if TYPE_CHECKING:
    from kreuzberg import ExtractionConfig, ExtractionResult

CONVERTED = (".pdf", ".docx")
WITH_EXTRA = "pip install 'measure-first[documents]'"
MOST_BYTES = 100_000_000
_SECONDS = 120
_HEADING = re.compile(r"\s*#{1,6}[ \t]+(.+)\n?")
_NO_TITLE = re.compile(
    r"untitled[-\s\d]*|Microsoft \w+ - .*|\S+\.(?:docx?|odt|pptx?|xlsx?|indd|tex|dvi|pdf)", re.I
)
"""What programs write where nobody gave a title."""
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SIGNS = {b"<w:tab/>": b'<w:t xml:space="preserve"> </w:t>', b"<w:noBreakHyphen/>": b"<w:t>-</w:t>"}
"""Signs that Word keeps as elements and the library passes by: words would run together."""
_MARK = r"\*{1,3}|~{1,2}|\^"
_IN_A_WORD = re.compile(rf"(?<=\w)({_MARK})(\w+)\1|(?<![\\*~^])({_MARK})(\w+)\3(?=\w)")
"""Marks of Markdown around a part of a word. A sign that is no mark has a backslash before it."""


def from_office(path: Path) -> tuple[str, str, str]:
    """Title and body of a PDF or DOCX file, and what to look at, empty where there is nothing.

    The body is Markdown, with its headings and tables; no picture is read. The title is the document's own,
    else its first heading where it begins with one. Raises ValueError where the library is not installed, for
    a file that it cannot read, and for one without text, such as a scan.
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
    if not text:
        raise ValueError("no text in it, only pictures? Recognise its text (OCR) first")
    heading = _HEADING.match(text)
    title = str(found.metadata.get("title") or "").strip()
    if _NO_TITLE.fullmatch(title):
        title = ""
    if not title and heading:
        title, text = heading[1].replace("\\", ""), text[heading.end() :]
    return title, text, _bare_pages(found) if path.suffix.lower() == ".pdf" else ""


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


def _bare_pages(found: "ExtractionResult") -> str:
    """What to say of pages that hold no text; empty where all of them do."""
    pages = found.pages or []
    bare = sum(not page["content"].strip() for page in pages)
    said = f"{bare:,} of {counted(len(pages), 'page')} {'holds' if bare == 1 else 'hold'} no text"
    return f"{said}, only pictures? Recognise their text (OCR) first" if bare else ""
