"""Title and body of a page of HTML, as a browser shows them: its main content, and what it folds away."""

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from workbench.corpus.markup import as_seen

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_NOT_TEXT = ["script", "style", "template", "noscript", "svg", "nav", "dialog", "select"]
_IN_A_LINE = frozenset(["svg", "select"])
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
_HIDDEN = frozenset(["hidden", "aria-hidden"])
_OPENS = frozenset(["aria-expanded", "aria-controls"])
_UNFOLDS = re.compile(r"\b(?:accordion|faq|question)", re.I)
"""In the class of a button: it says a question, and its answer is below."""
_SENTENCE = re.compile(r"^\S+\s+\S+\s+\S.*[.?!…]$|^\S{6,}[？。！]$")
_OF_THE_SITE = frozenset(
    "accept all as back change clipboard close code collapse contents cookies copied copy dark download edit "
    "expand feedback hide in item language less light link log login main markdown menu mobile mode more nav "
    "navigation next of on open out page path previous print raw reject reply search share show sidebar sign "
    "site source subscribe table the theme this to toc toggle top up url drucken kopieren menü schließen "
    "suche teilen".split()
)
"""Words of buttons that are of the site and not of its text, where a button says no other."""
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
    questions. Of buttons those are read that unfold something, or are part of a sentence. The title is
    `<title>`, without the name of the site where the first `<h1>` says so, else the first `<h1>`, which then
    is no part of the body, else empty. It is little else than links where it has twenty or more, and more
    than nine in ten of its words stand in one.

    >>> read_html("<title>Cats - The Book of Pets</title><h1>Cats</h1><p>They sleep.")
    HtmlPage(title='Cats', body='Cats\\nThey sleep.', title_element='Cats - The Book of Pets', is_links=False)
    """
    from bs4 import BeautifulSoup  # here and below: it takes long to load, and most documents are no HTML

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the text looks like XML, or like a file's name
        soup = BeautifulSoup(_closed(text), "html.parser")
    if len(re.findall(r"<nav\b", text, re.I)) > len(re.findall(r"</nav\b", text, re.I)):
        _close_menus(soup)
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


def _closed(text: str) -> str:
    """A page with the ends that browsers know and the parser does not: of comments, and before a button."""
    return re.sub(r"(<button\b)", r"</button>\1", text.replace("--!>", "-->"), flags=re.I)


def _close_menus(soup: "BeautifulSoup") -> None:
    """Shows what a menu that is never closed took in: the page, to its end."""
    if begins := soup.find("main") or soup.find("h1"):
        for menu in begins.find_parents("nav"):
            menu.unwrap()


def _take_away(soup: "BeautifulSoup") -> None:
    """Takes away what is no text, buttons of the site, and the signs of links from headings to themselves."""
    for tag in soup.find_all(_NOT_TEXT):
        if tag.name in _IN_A_LINE:
            tag.replace_with(" ")
        else:
            tag.extract()
    _unfold(soup)
    for button in soup.find_all("button"):
        _keep_or_take(button)
    for sign in soup.find_all(string=_LINK_MARK.fullmatch):
        if sign.parent.name == "a" and sign.find_parent(_HEADINGS):
            sign.extract()


def _unfold(soup: "BeautifulSoup") -> None:
    """Shows what is hidden until a question or a tab is clicked; menus and lists of links stay hidden."""
    panels = {tag["id"]: tag for tag in soup.find_all(id=True)}
    for opener in soup.find_all(attrs={"aria-controls": True}):
        if opener.name in ("input", "select", "textarea") or _is_of_the_site(opener):
            continue
        for panel in map(panels.get, str(opener["aria-controls"]).split()):
            if panel is not None and not _is_of_links(panel):
                panel.attrs = {name: of for name, of in panel.attrs.items() if name not in _HIDDEN}


def _is_of_links(tag: "Tag") -> bool:
    """Whether all words of a tag stand in links, as in a menu."""
    n_words = sum(len(link.get_text(" ").split()) for link in tag.find_all("a"))
    return n_words == len(tag.get_text(" ").split())


def _keep_or_take(button: "Tag") -> None:
    """Takes a button away, or keeps what it says: a question that unfolds, a tab, a word of a sentence."""
    label, heading = _label(button), button.find_parent([*_HEADINGS, "dt", "summary"])
    is_said = heading or _OPENS.intersection(button.attrs) or button.get("role") == "tab"
    is_said = (
        is_said
        or _SENTENCE.search(label)
        or _UNFOLDS.search(" ".join(button.get_attribute_list("class", "")))
    )
    is_all = heading is not None and _label(heading) == label
    if not label or _is_hidden(button):
        button.replace_with(" ")
    elif _is_in_a_sentence(button):
        button.unwrap()
    elif not is_all and (not is_said or _is_of_the_site(button)):
        button.replace_with(" ")
    else:
        button.name = "div" if heading is None else "span"
        button.insert_before(" ")
        button.insert_after(" ")


def _label(tag: "Tag") -> str:
    return " ".join(tag.get_text(" ").split())


def _is_of_the_site(tag: "Tag") -> bool:
    """Whether it opens a menu, copies, shares and the like, or stands at the head or foot of every page."""
    words = re.findall(r"\w+", _label(tag) or f"{tag.get('aria-label', '')} {tag.get('title', '')}")
    if tag.has_attr("aria-haspopup") or (words and _OF_THE_SITE.issuperset(map(str.casefold, words))):
        return True
    ends = tag.find_parent(["header", "footer"])
    return ends is not None and ends.find_parent(["main", "article", "section"]) is None


def _is_in_a_sentence(button: "Tag") -> bool:
    """Whether words stand before a button and after it, as in "press Save to finish"; at the end of a
    paragraph or of a step it must be no button of the site."""
    before, after = button.previous_sibling, button.next_sibling
    if not isinstance(before, str) or not re.search(r"[\w,]\s+[\"'“„(]?$", before):
        return False
    if isinstance(after, str) and after.strip():
        return True
    return after is None and button.parent.name in ("p", "li", "dd", "td") and not _is_of_the_site(button)


def _main_content(soup: "BeautifulSoup") -> "Tag":
    """The part of a page that is not on every page."""
    behind = _behind_a_dialog(soup)
    for tag in soup.find_all(_is_no_content):
        if id(tag) not in behind or tag.has_attr("hidden") or _is_of_every_page(tag):
            tag.extract()
    mains = soup.find_all("main") or soup.find_all(attrs={"role": "main"})
    mains = [main for main in mains if not main.find_parent(main.name) and main.get_text(strip=True)]
    if len(mains) < 2:
        return mains[0] if mains else soup
    together = soup.new_tag("main")
    together.extend(mains)
    return together


def _is_no_content(tag: "Tag") -> bool:
    return _is_hidden(tag) or _is_of_every_page(tag)


def _is_of_every_page(tag: "Tag") -> bool:
    return not _NOT_CONTENT.isdisjoint(_roles(tag))


def _behind_a_dialog(soup: "BeautifulSoup") -> set[int]:
    """The `id()` of what is the page itself, which `aria-hidden` takes from screen readers while a dialog is
    open: what the main content is in, or else the first heading with more than half of the text."""
    if mains := soup.find_all("main") or soup.find_all(role="main"):
        return {id(one) for main in mains for one in (main, *main.parents)}
    hidden = heading.find_parents(attrs={"aria-hidden": "true"}) if (heading := soup.find("h1")) else []
    half = len(soup.get_text()) / 2 if hidden else 0
    return {id(one) for one in hidden if len(one.get_text()) > half}


def _roles(tag: "Tag") -> list[str]:
    return str(tag.get("role", "")).lower().split()


def _is_hidden(tag: "Tag") -> bool:
    if tag.get("hidden") == "until-found" or not _FOLDED.isdisjoint(_roles(tag)):
        return False
    return tag.has_attr("hidden") or tag.get("aria-hidden") == "true"


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
