"""Title and body out of one text: of Markdown with its front matter, and of HTML."""

import re
import warnings
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_NOT_TEXT = ["script", "style", "template", "noscript", "svg", "nav"]
_BLOCKS = frozenset(
    "address article aside blockquote body caption dd details div dl dt figcaption figure footer form h1 h2 "
    "h3 h4 h5 h6 header html legend li main ol option p pre section summary table tbody tfoot thead tr "
    "ul".split()
)
_BREAKS = {"br": "\n", "hr": "\n", "td": " ", "th": " "}
# Of at most 20,000 characters: YAML is read slowly, and a rule at the top of a long text is no front matter.
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.{0,20000}?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"(?:[ \t]*\n)* {0,3}#[ \t]+(.+)\n?")


def from_markdown(text: str) -> tuple[str, str, str, str]:
    """Id, title and body, and what is wrong with the front matter; empty where there is none.

    Id and title are those of the front matter, as they are written there. Where it has no title, a first line
    `# Title` is the title and no part of the body. Front matter that is no YAML stays in the body.

    >>> from_markdown("---\\ndoc_id: 007\\n---\\n# Cats\\nThey sleep.")
    ('007', 'Cats', 'They sleep.', '')
    """
    found = _FRONT_MATTER.match(text)
    facts, problem = _facts(found[1]) if found else (None, "")
    if found and facts is not None:
        text = text[found.end() :]
    given = {key: value.strip() for key, value in (facts or {}).items() if isinstance(value, str)}
    doc_id, title, heading = given.get("doc_id", ""), given.get("title", ""), _HEADING.match(text)
    if not title and heading:
        title, text = _without_closing(heading[1]), text[heading.end() :]
    return doc_id, title, text, problem


def _without_closing(heading: str) -> str:
    """A heading without the `##` that may close it; a regular expression takes hours for a million blanks."""
    heading = heading.rstrip(" \t")
    bare = heading.rstrip("#")
    return bare.rstrip(" \t") if bare.endswith((" ", "\t")) else heading


def _facts(head: str) -> tuple[dict | None, str]:
    """The facts of the front matter, None for prose between two rules, and what is wrong with it."""
    try:
        facts = yaml.load(head, Loader=yaml.BaseLoader)  # the loader that leaves all as text, 007 and No too
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return None, f"the front matter is no YAML and stays in the text ({' '.join(str(error).split())})"
    return facts if isinstance(facts, dict) else None if head.strip() else {}, ""


def from_html(text: str) -> tuple[str, str]:
    """Title and body, each block on a line of its own, as a browser shows them; without navigation.

    The title is `<title>`, else the first `<h1>`, which then is no part of the body, else empty.

    >>> from_html("<h1>Cats</h1><script>count()</script><p>They <b>sleep</b>,<br>mostly.<ul><li>By day.")
    ('Cats', 'They sleep,\\nmostly.\\nBy day.')
    """
    from bs4 import BeautifulSoup  # here and below: it takes long to load, and most documents are no HTML

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the text looks like XML, or like a file's name
        soup = BeautifulSoup(text, "html.parser")
    for tag in soup.find_all(_NOT_TEXT):
        tag.extract()
    found = soup.find("title")
    found = found if found and found.get_text(strip=True) else soup.find("h1")
    title = found.extract().get_text(" ") if found else ""
    return " ".join(title.split()), "\n".join(_block_texts(soup))


def _block_texts(soup: "BeautifulSoup") -> Iterator[str]:
    """White space counts in `<pre>` only; a `<br>` breaks a line, a cell is set apart by a blank."""
    for _, parts in groupby(_strings(soup), key=lambda part: id(part[0])):
        blocks, strings = zip(*parts, strict=True)
        text = "".join(strings)
        if blocks[0].name != "pre":
            text = "\n".join(" ".join(line.split()) for line in text.split("\n"))
        if text.strip():
            yield text.strip("\n")


def _strings(soup: "BeautifulSoup") -> Iterator[tuple["Tag", str]]:
    """Each piece of text with the block that it stands in."""
    from bs4 import CData, NavigableString, Tag

    blocks: dict[int, Tag] = {id(soup): soup}
    for node in soup.descendants:  # a tag comes before what is in it
        if isinstance(node, Tag):
            block = blocks[id(node)] = node if node.name in _BLOCKS else blocks[id(node.parent)]
            if node.name in _BREAKS:
                yield block, _BREAKS[node.name]
        elif type(node) in (NavigableString, CData):  # and no subclass: a comment is one
            block = blocks[id(node.parent)]
            yield block, str(node) if block.name == "pre" else re.sub(r"\s+", " ", node)
