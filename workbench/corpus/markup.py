"""Title and body out of one text: of Markdown with its front matter, reStructuredText, AsciiDoc and HTML."""

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_NOT_TEXT = ["script", "style", "template", "noscript", "svg", "nav", "dialog", "button", "select"]
_IN_A_LINE = frozenset(["svg", "button", "select"])
"""Of those the ones that take room in a line, so that they part the words around them."""
_HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
_LINK_MARK = re.compile(r"\s*[¶#§🔗\u200b]\s*")
"""All that a link from a heading to itself says."""
_NOT_CONTENT = frozenset(
    "alertdialog banner complementary contentinfo dialog menu menubar navigation search tooltip".split()
)
"""What `role` says of the parts of a page that stand on every page (WAI-ARIA 1.2, landmark roles)."""
_FOLDED = frozenset(["region", "tabpanel"])
"""Roles of what a page folds away until somebody opens it, hidden or not: answers, and all tabs but one."""
_SEPARATOR = re.compile(r"\s+[-–—|·:»]+\s")
"""Between the title of a page and the name of its site."""
_MANY_LINKS = 20
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup html legend li main menu ol option p pre search "
    "section summary table tbody tfoot thead tr ul".split()
)
_BREAKS = {"br": "\n", "hr": "\n"} | dict.fromkeys(
    "iframe img input object td textarea th video".split(), " "
)
_UNSEEN = re.compile("[\u00ad\u2060\ufeff]|(?<![^\x00-\x7f])\u200b|\u200b(?![^\x00-\x7f])")
"""Soft hyphens and their like. Thai, Khmer and others part words by a space of no width: there it is kept."""
# Of at most 20,000 characters: YAML is read slowly, and a rule at the top of a long text is no front matter.
_FRONT_MATTER = re.compile(
    r"---[ \t]*\n(.{0,20000}?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_NOT_CLOSED = re.compile(r"---[ \t]*\n(?:[A-Za-z_][\w-]*:(?:[ \t].*)?\n)+")
_RULE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.M)
_TOML = re.compile(r"\+\+\+[ \t]*\n.{0,20000}?^\+\+\+[ \t]*$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"(?:[ \t]*\n)* {0,3}#[ \t]+(.+)\n?")
# Below a first line, or around it, a row of one mark that is as long: labels and comments may stand before.
_RST_TITLE = re.compile(
    r"(?:[ \t]*\n|\.\. .*\n|:\w[^:\n]*:.*\n)*"
    r"(?:([!-/:-@\[-`{-~])\1{2,}[ \t]*\n)?[ \t]*(\S.*?)[ \t]*\n([!-/:-@\[-`{-~])\3{2,}[ \t]*(?:\n|\Z)"
)
_ADOC_TITLE = re.compile(r"(?:[ \t]*\n|//.*\n|:[\w!-]+:.*\n|\[.*\][ \t]*\n)*=[ \t]+(\S.*?)[ \t]*(?:\n|\Z)")


def from_markdown(text: str) -> tuple[str, str, str, str]:
    """Id, title and body, and what is wrong with the front matter; empty where there is none.

    Id and title are those of the front matter, as they are written there; its keys may be in capitals. Where
    it has no title, a first line `# Title` is the title and no part of the body. Front matter that is no YAML
    stays in the body.

    >>> from_markdown("---\\ndoc_id: 007\\n---\\n# Cats\\nThey sleep.")
    ('007', 'Cats', 'They sleep.', '')
    """
    found = _FRONT_MATTER.match(text)
    facts, problem = _facts(found[1]) if found else (None, "")
    if found and facts is not None:
        text = text[found.end() :]
    elif _TOML.match(text):
        problem = "the front matter between +++ is TOML and stays in the text; needed YAML between ---"
    elif not found and _NOT_CLOSED.match(text) and not _RULE.search(text, 4):
        problem = (
            "the front matter is opened with --- and not closed, and stays in the text; write --- below it"
        )
    named = {str(key).casefold(): value for key, value in (facts or {}).items()} | (facts or {})
    given = {key: value.strip() for key, value in named.items() if isinstance(value, str)}
    if odd := [key for key in ("doc_id", "title") if key in named and key not in given]:
        problem = f"{' and '.join(odd)} of the front matter is no text, and not taken"
    doc_id, title, heading = given.get("doc_id", ""), given.get("title", ""), _HEADING.match(text)
    if not title and heading:
        title, text = _without_closing(heading[1]), text[heading.end() :]
    return doc_id, title, text, problem


_INCLUDES = {
    "AsciiDoc": re.compile(r"^include::\S.*\][ \t]*$", re.M),
    "reStructuredText": re.compile(r"^[ \t]*\.\. (?:include|literalinclude)::[ \t]*\S", re.M),
    "Markdown": re.compile(
        r"^[ \t]*(?:--8<--[ \t]+[\"']|\{%-?[ \t]*include\b.*%\})"
        r"|^[ \t]*\{\{[<%][ \t]*(?:include|readfile)\b.*[%>]\}\}"
        r"|^import \w+ from ['\"].*\.mdx?['\"]",
        re.M,
    ),
}
"""The lines with which a page takes in another file, by what the page is written in."""


def has_include(markup: str, text: str) -> bool:
    """Whether a page takes in another file, whose text it does not have itself.

    >>> has_include("AsciiDoc", "= Limits\\n\\ninclude::limits.adoc[]\\n")
    True
    """
    return bool(_INCLUDES[markup].search(text))


def unread_fields(text: str) -> list[str]:
    """The fields of the front matter that hold sentences, of three words or more, and are not read.

    >>> unread_fields("---\\ntitle: Cats at night\\nkind: pet\\nsummary: How long they sleep.\\n---\\nLong.")
    ['summary']
    """
    found = _FRONT_MATTER.match(text)
    facts = _facts(found[1])[0] if found else None
    others = {str(key): value for key, value in (facts or {}).items()}
    read = ("doc_id", "title")
    return [key for key, value in others.items() if key.casefold() not in read and _has_sentence(value)]


def _has_sentence(value: object) -> bool:
    rest = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, str) and len(one.split()) >= 3:
            return True
        rest += one.values() if isinstance(one, dict) else one if isinstance(one, list) else []
    return False


def as_seen(text: str) -> str:
    """A text without soft hyphens and other signs that nobody sees and that would part a word in two.

    >>> as_seen("Daten\\u00adschutz\\u200b")
    'Datenschutz'
    """
    return _UNSEEN.sub("", text)


def from_mdx(text: str) -> tuple[str, str, str, str]:
    """As `from_markdown`, without the statements at the top that import and export code.

    >>> from_mdx("import Tabs from '@theme/Tabs'\\n\\n# Cats\\n<Tabs>They sleep.</Tabs>")
    ('', 'Cats', '<Tabs>They sleep.</Tabs>', '')
    """
    found = _FRONT_MATTER.match(text)
    top = found.end() if found else 0
    return from_markdown(text[:top] + _without_imports(text[top:]))


def _without_imports(text: str) -> str:
    """A text without the imports and exports that it begins with; one goes on until its brackets close."""
    lines = text.splitlines(keepends=True)
    n = 0
    while n < len(lines) and (not lines[n].strip() or re.match(r"(?:import|export)\b", lines[n])):
        end, is_open = n + 1, _n_open(lines[n])
        while is_open > 0 and end < len(lines):
            is_open += _n_open(lines[end])
            end += 1
        n = end if is_open <= 0 else n + 1  # brackets that never close take no text with them
    return "".join(lines[n:])


def _n_open(line: str) -> int:
    """How many brackets a line opens, less those that it closes."""
    return sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))


def from_rst(text: str) -> tuple[str, str]:
    """Title and body of reStructuredText; the title is the first line with a row of marks below it.

    >>> from_rst(".. _cats:\\n\\n====\\nCats\\n====\\n\\nThey *sleep*.")
    ('Cats', 'They *sleep*.')
    """
    found = _RST_TITLE.match(text)
    if not found or (found[1] and found[1] != found[3]):
        return "", text
    return found[2], text[found.end() :].lstrip("\n")


def from_asciidoc(text: str) -> tuple[str, str]:
    """Title and body of AsciiDoc; the title is the first line that begins with one equals sign.

    >>> from_asciidoc(":toc:\\n= Cats\\n\\nThey _sleep_.")
    ('Cats', 'They _sleep_.')
    """
    found = _ADOC_TITLE.match(text)
    return (found[1], text[found.end() :].lstrip("\n")) if found else ("", text)


def _without_closing(heading: str) -> str:
    """A heading without the `##` that may close it; a regular expression takes hours for a million blanks."""
    heading = heading.rstrip(" \t")
    bare = heading.rstrip("#")
    return bare.rstrip(" \t") if bare.endswith((" ", "\t")) else heading


@lru_cache(maxsize=1)
def _facts(head: str) -> tuple[dict | None, str]:
    """The facts of the front matter, None for prose between two rules, and what is wrong with it."""
    try:
        facts = yaml.load(head, Loader=yaml.BaseLoader)  # the loader that leaves all as text, 007 and No too
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return None, f"the front matter is no YAML and stays in the text ({' '.join(str(error).split())})"
    return facts if isinstance(facts, dict) else None if head.strip() else {}, ""


@dataclass(frozen=True)
class HtmlPage:
    """Title and body, all that `<title>` says, and whether the body is little else than links."""

    title: str
    body: str
    title_element: str
    is_links: bool


def from_html(text: str) -> tuple[str, str]:
    """Title and body of a page of HTML, as `read_html` finds them.

    >>> from_html("<h1>Cats</h1><script>count()</script><p>They <b>sleep</b>,<br>mostly.<ul><li>By day.")
    ('Cats', 'They sleep,\\nmostly.\\nBy day.')
    """
    page = read_html(text)
    return page.title, page.body


def read_html(text: str) -> HtmlPage:
    """A page's main content, each block on a line of its own, as a browser shows them.

    The main content is what `<main>`, one or several, or `role="main"` says; where neither does, all but
    menus, dialogs, and what is hidden. What is only folded away is read: tabs, and the answers of a list of
    questions. The title is `<title>`, without the name of the site where the first `<h1>` says so, else the
    first `<h1>`, which then is no part of the body, else empty. It is little else than links where it has
    twenty or more, and more than nine in ten of its words stand in one.

    >>> read_html("<title>Cats - The Book of Pets</title><h1>Cats</h1><p>They sleep.")
    HtmlPage(title='Cats', body='Cats\\nThey sleep.', title_element='Cats - The Book of Pets', is_links=False)
    """
    from bs4 import BeautifulSoup  # here and below: it takes long to load, and most documents are no HTML

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the text looks like XML, or like a file's name
        soup = BeautifulSoup(text, "html.parser")
    _take_away(soup)
    found = soup.find("title")
    title = title_element = as_seen(" ".join(found.extract().get_text(" ").split())) if found else ""
    main = _main_content(soup)
    heading = main.find("h1")
    if not title and not heading:
        heading = soup.find("h1")  # above the main content
    if heading:
        own = as_seen(" ".join(heading.get_text(" ").split()))
        if not title:
            title = own
            heading.extract()
        elif own and _SEPARATOR.match(title.removeprefix(own)):
            title = own  # "Cats - The Book of Pets": that of the book is on every page
    body = "\n".join(_block_texts(main))
    return HtmlPage(title, body, title_element, _is_links(main, body))


def _is_links(main: "Tag", body: str) -> bool:
    links = [len(link.get_text(" ").split()) for link in main.find_all("a", href=True)]
    return len(links) >= _MANY_LINKS and sum(links) > 0.9 * len(body.split())


def site_name(title: str) -> str:
    """The last part of a title with the mark before it, which may be the name of the site; "" without one.

    >>> site_name("Cats - The Book of Pets")
    ' - The Book of Pets'
    """
    at = [found.start() for found in _SEPARATOR.finditer(title) if found.start()]
    return title[at[-1] :] if at else ""


def _take_away(soup: "BeautifulSoup") -> None:
    """Takes away what is no text, and the signs of links from headings to themselves."""
    for tag in soup.find_all(_NOT_TEXT):
        if tag.name in _IN_A_LINE and not _is_all_of_a_heading(tag):
            tag.replace_with(" ")
        elif tag.name not in _IN_A_LINE:
            tag.extract()
    for sign in soup.find_all(string=_LINK_MARK.fullmatch):
        if sign.parent.name == "a" and sign.find_parent(_HEADINGS):
            sign.extract()


def _is_all_of_a_heading(tag: "Tag") -> bool:
    """Whether a button is the heading itself, as in a list of questions that unfold."""
    heading = tag.find_parent(_HEADINGS) if tag.name == "button" else None
    return heading is not None and heading.get_text(strip=True) == tag.get_text(strip=True)


def _main_content(soup: "BeautifulSoup") -> "Tag":
    """The part of a page that is not on every page."""
    for tag in soup.find_all(_is_no_content):
        tag.extract()
    mains = soup.find_all("main") or soup.find_all(attrs={"role": "main"})
    mains = [main for main in mains if not main.find_parent(main.name) and main.get_text(strip=True)]
    if len(mains) < 2:
        return mains[0] if mains else soup
    together = soup.new_tag("main")
    together.extend(mains)
    return together


def _is_no_content(tag: "Tag") -> bool:
    roles = str(tag.get("role", "")).lower().split()
    hidden = tag.has_attr("hidden") or tag.get("aria-hidden") == "true"
    if tag.get("hidden") == "until-found" or not _FOLDED.isdisjoint(roles):
        hidden = False
    return hidden or not _NOT_CONTENT.isdisjoint(roles)


def _block_texts(soup: "BeautifulSoup") -> Iterator[str]:
    """White space counts in `<pre>` only; a `<br>` breaks a line, a cell is set apart by a blank."""
    for _, parts in groupby(_strings(soup), key=lambda part: id(part[0])):
        blocks, strings = zip(*parts, strict=True)
        text = as_seen("".join(strings))
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
