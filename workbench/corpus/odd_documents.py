"""What is to be said of many documents at once: signs that a text is not what its readers see."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from helpers.base import counted, first_few, has_html, is_escaped, is_mojibake
from workbench.corpus.html import HtmlPage

_LIGATURE = re.compile("[\ufb00-\ufb06]\\w|\\w[\ufb00-\ufb06]")


@dataclass
class Odd:
    """What is to be said of many files at once, with their names: fields of front matter that hold sentences
    and are not read, by field; pages that take in other files; texts that were read in a wrong encoding, have
    lost letters, or hold HTML, escapes of JSON or ligatures; pages of HTML that are lists of links; and, of
    each page of HTML, what its `<title>` says."""

    unread: dict[str, list[str]] = field(default_factory=dict)
    includes: list[str] = field(default_factory=list)
    garbled: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    escaped: list[str] = field(default_factory=list)
    ligatures: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)

    def notes(self) -> Iterator[str]:
        """One note for all files: a page may hold as much text above its --- as below."""
        if self.unread:
            fields = (f"{name!r} in {counted(len(files), 'file')}" for name, files in self.unread.items())
            example = next(iter(self.unread.values()))[0]
            cure = "where they say more than the text, move that below the ---"
            yield f"fields of front matter that are not read: {first_few(fields)}, such as {example}; {cure}"
        for name, (one, many, what, cure) in _SAID.items():
            if doc_ids := getattr(self, name):
                which = first_few(doc_ids, 3)
                yield f"{counted(len(doc_ids), one, many)}{what}: {which}; {cure}"

    def look_at_page(self, doc_id: str, page: HtmlPage) -> None:
        """Notes what a page of HTML is called, and whether it is a list of links."""
        self.titles[doc_id] = page.title_element
        if page.is_links:
            self.links.append(doc_id)

    def look_at(self, doc_id: str, text: str, as_it_is: bool) -> None:
        """Notes a document in which UTF-8 was read as Windows-1252, letters were lost, or are not what a
        query says; `as_it_is` for a text in no markup."""
        if "\ufffd" in text:
            self.lost.append(doc_id)
        if any(map(is_mojibake, set(text.split()))):
            self.garbled.append(doc_id)
        if _LIGATURE.search(text):
            self.ligatures.append(doc_id)
        if doc_id not in self.titles and has_html(text, as_it_is):
            self.html.append(doc_id)
        if as_it_is and is_escaped(text):
            self.escaped.append(doc_id)


_HOLDS = ("document holds", "documents hold")
_UNFOUND = "no query will find such words: "
_SAID = {
    "includes": (
        "page takes",
        "pages take",
        " in other files, whose text is not read",
        "give the pages as they are published, as HTML",
    ),
    "garbled": (
        *_HOLDS,
        " accents that were read in a wrong encoding (TÃ¼r for Tür)",
        f"{_UNFOUND}save the source as UTF-8 and read it again",
    ),
    "lost": (
        *_HOLDS,
        " \ufffd where an earlier conversion lost a letter",
        f"{_UNFOUND}take the document from its source",
    ),
    "html": (
        *_HOLDS,
        " HTML that is read as text (<p>, or &uuml; for ü)",
        "tags count as words, and words with such letters are not found: write it as plain text, or save "
        "each page as .html",
    ),
    "escaped": (
        *_HOLDS,
        r" \n or \u00e9 in letters",
        f"{_UNFOUND}the text was escaped twice; write each record with one json.dumps",
    ),
    "ligatures": (
        *_HOLDS,
        " ligatures, two letters in one sign (conﬁgure)",
        f"{_UNFOUND}replace them (Python: unicodedata.normalize('NFKC', text)) and read it again",
    ),
    "links": (
        "page is a list of links",
        "pages are lists of links",
        "",
        "a list may answer in place of the pages that it names; take out what nobody should find",
    ),
}
"""Of each list what it says of one document and of several, and the cure."""
