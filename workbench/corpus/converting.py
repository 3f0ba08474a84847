"""PDF and DOCX to text, by one library (`kreuzberg`), which is an optional extra.

It was taken because the words of a PDF come out apart: of two manuals here other readers gave the same words,
and one that makes Markdown ran two of three words together, which no query finds.
"""

import re
from pathlib import Path

CONVERTED = (".pdf", ".docx")
MOST_BYTES = 100_000_000
_SECONDS = 120
_HEADING = re.compile(r"\s*#{1,6}[ \t]+(.+)\n?")


def from_office(path: Path) -> tuple[str, str]:
    """Title and body of a PDF or DOCX file: Markdown, with its headings and tables; no picture is read.

    The title is the document's own, else its first heading where it begins with one. Raises ValueError where
    the library is not installed, for a file that it cannot read, and for one without text, such as a scan.
    """
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise ValueError(f"{size / 1e6:,.0f} MB; files of more than {MOST_BYTES / 1e6:g} MB are not read")
    try:
        import kreuzberg
    except ImportError:
        needs = f"files ending in {path.suffix.lower()} are read with an extra"
        raise ValueError(f"{needs}: pip install 'measure-first[documents]'") from None
    settings = kreuzberg.ExtractionConfig(
        output_format="markdown", use_cache=False, disable_ocr=True, extraction_timeout_secs=_SECONDS
    )
    try:
        found = kreuzberg.extract_file_sync(str(path), config=settings)
    except kreuzberg.KreuzbergError as error:
        said = " ".join(str(error).split())[:150]
        raise ValueError(f"damaged, locked or no {path.suffix[1:].upper()} ({said})") from None
    text = found.content.replace("\r\n", "\n").strip()
    if not text:
        raise ValueError("no text in it, only pictures? Recognise its text (OCR) first")
    heading = _HEADING.match(text)
    title = str(found.metadata.get("title") or "").strip()
    if not title and heading:
        title, text = heading[1].replace("\\", ""), text[heading.end() :]
    return title, text
