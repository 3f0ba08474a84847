"""Whether a finished site is as it must be: every link leads somewhere, nothing is asked of another host,
every picture is described, no page is heavy."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import unquote

HEAVIEST = 1_500_000
"""Bytes of a page with its own pictures, without what all pages share."""

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "object": "data"}
"""Tags whose address a browser asks for when it opens the page, and the attribute that holds it."""


@dataclass
class Found:
    """What the check saw: counts, the heaviest page, and each fault in a line."""

    pages: int = 0
    links: int = 0
    pictures: int = 0
    heaviest: tuple[int, str] = (0, "")
    faults: list[str] = field(default_factory=list)

    @property
    def summary(self) -> str:
        size, name = self.heaviest
        counts = f"{self.pages} pages, {self.links:,} links between them, {self.pictures} pictures"
        return f"{counts}; the heaviest page is {name} with {size / 1e6:.2f} MB; {len(self.faults)} faults"


class Page:
    """The tags of a page that name an address, and the ids that a link can lead to."""

    def __init__(self, text: str):
        self.ids = {unescape(found) for found in re.findall(r'\s(?:id|name)="([^"]+)"', text)}
        # A `<` that is no tag is written as `&lt;` in every page that Sphinx writes.
        tags = re.findall(rf"<({'|'.join([*LOADED, 'a'])})\s([^>]*)>", text)
        self.tags = [(tag, dict(_attributes(attributes))) for tag, attributes in tags]


def _attributes(text: str) -> Iterator[tuple[str, str]]:
    for name, value in re.findall(r'([\w-]+)="([^"]*)"', text):
        yield name, unescape(value)


def check(site: Path) -> Found:
    """Reads every page of the site once, then follows every link."""
    site, found = site.resolve(), Found()
    paths = (path for path in sorted(site.rglob("*.html")) if path.relative_to(site).parts[0] != "_static")
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in paths}
    for path, page in pages.items():
        found.pages += 1
        name = path.relative_to(site).as_posix()
        found.faults += [f"{name}: {fault}" for fault in _faults(path, page, pages, found)]
        own = {path, *(file for file in _own_pictures(path, page))}
        size = sum(file.stat().st_size for file in own if file.exists())
        found.heaviest = max(found.heaviest, (size, name))
        if size > HEAVIEST:
            found.faults.append(f"{name}: {size:,} bytes with its pictures; at most {HEAVIEST:,}")
    for path in site.rglob("*.css"):
        for address in re.findall(r"url\(['\"]?(?!data:)([^)'\"]+)", path.read_text(encoding="utf-8")):
            if _elsewhere(address):
                found.faults.append(f"{path.relative_to(site)}: asks for {address}")
    return found


def _faults(path: Path, page: Page, pages: dict[Path, Page], found: Found) -> Iterator[str]:
    for tag, attrs in page.tags:
        address = attrs.get(LOADED.get(tag, "href"))
        if tag == "img":
            found.pictures += 1
            if not (attrs.get("alt") or "").strip() or attrs["alt"].endswith((".png", ".svg")):
                yield f"a picture is not described: {(address or '')[:80]}"
        if not address or address.startswith(("data:", "mailto:", "javascript:")):
            continue
        if _elsewhere(address):
            if tag != "a" and attrs.get("rel") != "canonical":
                yield f"asks another host for {address}"
            continue
        found.links += 1
        wrong = _leads_nowhere(path, address, pages)
        if wrong:
            yield f"{address} leads nowhere: {wrong}"


def _leads_nowhere(path: Path, address: str, pages: dict[Path, Page]) -> str:
    place, _, anchor = address.partition("#")
    place, anchor = unquote(place.partition("?")[0]), unquote(anchor)
    target = (path.parent / place).resolve() if place else path
    if not target.is_file():
        return "there is no such file"
    if anchor and target in pages and anchor not in pages[target].ids:
        return f"{target.name} has no {anchor!r}"
    return ""


def _own_pictures(path: Path, page: Page) -> Iterator[Path]:
    for tag, attrs in page.tags:
        address = attrs.get("src") or ""
        if tag == "img" and not address.startswith("data:") and not _elsewhere(address):
            yield (path.parent / unquote(address)).resolve()


def _elsewhere(address: str) -> bool:
    return bool(re.match(r"(?:[a-z]+:)?//", address))


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print(found.summary, *found.faults, sep="\n")
    sys.exit(bool(found.faults))
