"""Title and body out of one text: of Markdown with its front matter, reStructuredText and AsciiDoc."""

import re
from functools import lru_cache

import yaml

_UNSEEN = re.compile("[\u00ad\u2060\ufeff]|(?<![^\x00-\x7f])\u200b|\u200b(?![^\x00-\x7f])")
"""Soft hyphens and their like. Thai, Khmer and others part words by a space of no width: there it is kept."""
# Of at most 200,000 characters: YAML is read slowly, and a rule at the top of a long text is no front matter.
_FRONT_MATTER = re.compile(
    r"---[ \t]*\n(.{0,200000}?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_NOT_CLOSED = re.compile(r"---[ \t]*\n(?:[A-Za-z_][\w-]*:(?:[ \t].*)?\n)+")
_RULE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.M)
_TOML = re.compile(r"\+\+\+[ \t]*\n.{0,20000}?^\+\+\+[ \t]*$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r" {0,3}#[ \t]+(.+)\n?| {0,3}(\S.*)\n {0,3}={2,}[ \t]*(?:\n|\Z)")
_ANCHOR = re.compile(r"(?<=\S)[ \t]+\{:?[ \t]*[#.][\w.:# -]*\}$")
"""The name of a heading, for links."""
_TOP, _LONG = 60, 2000
"""Lines above a heading that are looked at, and from how many characters on one is prose."""
_CONTENTS = frozenset(["[toc]", "[[toc]]", "[[_toc_]]"])
_PICTURE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?")
_LINK_OF_NOTHING = re.compile(r"\[\s*\](?:\([^)]*\)|\[[^\]]*\])?")
_TAGS = re.compile(r" {0,3}</?(?:a|br|center|div|img|p|picture|source)\b", re.I)
_PICTURE_AS_TEXT = re.compile(
    r"^ {0,3}\[[^\]\n]+\]:[ \t]*<?data:[\w.+/-]+(?:;[\w=.-]+)*;base64,[\w+/=]{100,}>?[ \t]*$\n?"
    r"|data:[\w.+/-]+(?:;[\w=.-]+)*;base64,[\w+/=]{100,}",
    re.M,
)
# Below a first line, or around it, a row of one mark that is as long: labels and comments may stand before.
_RST_TITLE = re.compile(
    r"((?:[ \t]*\n|\.\.(?: .*)?\n(?:[ \t]+\S.*\n)*|:\w[^:\n]*:.*\n)*)"
    r"(?:([!-/:-@\[-`{-~])\2{2,}[ \t]*\n)?[ \t]*(\S.*?)[ \t]*\n([!-/:-@\[-`{-~])\4{2,}[ \t]*(?:\n|\Z)"
)
_ADOC_TITLE = re.compile(
    r"(?:[ \t]*\n|/{4,}[ \t]*\n(?:(?!/{4}).*\n)*/{4,}[ \t]*\n|//(?!//).*\n|:[\w!-]+:.*\n|\[.*\][ \t]*\n)*"
    r"=[ \t]+(\S.*?)[ \t]*(?:\n|\Z)"
)


def from_markdown(text: str) -> tuple[str, str, str, str]:
    """Id, title and body, and what is wrong with the front matter; empty where there is none.

    Id and title are those of the front matter, as they are written there; its keys may be in capitals. Where
    it has no title, a first line `# Title` is the title and no part of the body; badges, comments and tags
    may be above it, and stay in the body. So does front matter that is no YAML.

    >>> from_markdown("---\\ndoc_id: 007\\n---\\n# Cats\\nThey sleep.")
    ('007', 'Cats', 'They sleep.', '')
    """
    found = _FRONT_MATTER.match(text)
    facts, problem = _facts(found[1]) if found else (None, "")
    if found and facts is not None:
        text = text[found.end() :]
    elif _TOML.match(text):
        problem = "the front matter between +++ is TOML and stays in the text; needed YAML between ---"
    elif not found and _NOT_CLOSED.match(text):
        is_long = _RULE.search(text, 4)
        what = "has more than 200,000 characters" if is_long else "is opened with --- and not closed"
        cure = "make it shorter" if is_long else "write --- below it"
        problem = f"the front matter {what}, and stays in the text; {cure}"
    named = {str(key).casefold(): value for key, value in (facts or {}).items()} | (facts or {})
    given = {key: value.strip() for key, value in named.items() if isinstance(value, str)}
    if odd := [key for key in ("doc_id", "title") if key in named and key not in given]:
        problem = f"{' and '.join(odd)} of the front matter is no text, and not taken"
    doc_id, title, top = given.get("doc_id", ""), given.get("title", ""), _n_above_heading(text)
    heading = _HEADING.match(text, top)
    if not title and heading:
        title = _ANCHOR.sub("", _without_closing(heading[1] or heading[2]))
        text = text[:top] + text[heading.end() :]
    return doc_id, title, text, problem


def _n_above_heading(text: str) -> int:
    """How many characters stand above the first line of prose: blanks, badges, comments, tags with theirs."""
    n, until = 0, ""
    for line in text.split("\n", _TOP)[:_TOP]:
        bare = line.strip()
        if len(bare) > _LONG:
            break
        if until == "-->":
            until = "" if until in line else until
        elif bare.startswith("<!--"):
            until = "" if "-->" in bare else "-->"
        elif bare and not (until or _is_no_prose(bare)) or _HEADING.match(line):
            break
        else:
            until = "blank" if bare and (until or _TAGS.match(line)) else ""
        n += len(line) + 1
    return min(n, len(text))


def _is_no_prose(line: str) -> bool:
    """Whether it is a badge or several, the place of a table of contents, or begins with a tag."""
    if line.casefold() in _CONTENTS or _TAGS.match(line):
        return True
    return not _LINK_OF_NOTHING.sub("", _PICTURE.sub("", line)).strip()


def without_pictures(text: str) -> str:
    """A text without the pictures that are written into it as letters and digits.

    >>> without_pictures("Press ![the key](data:image/png;base64," + 100 * "iVBORw0K" + ").")
    'Press ![the key]().'
    """
    return _PICTURE_AS_TEXT.sub("", text) if ";base64," in text else text


_INCLUDES = {
    "AsciiDoc": re.compile(r"^[ \t]*include::\S.*\][ \t]*$", re.M),
    "reStructuredText": re.compile(
        r"^[ \t]*\.\. (?:include|literalinclude|auto(?:module|class|function|data|exception))::[ \t]*\S"
        r"|^[ \t]*\.\. csv-table::.*\n(?:[ \t]+:.*\n)*?[ \t]+:(?:file|url):",
        re.M,
    ),
    "Markdown": re.compile(
        r"^[ \t]*(?:--8<--[ \t]+[\"']|\{!.*\.\w+[ \t]*!\})"  # MkDocs
        r"|^[ \t]*\{%-?[ \t]*include\b.*%\}"  # Jekyll
        r"|^[ \t]*\{\{[<%][ \t]*(?:include|readfile)\b.*[%>]\}\}"  # Hugo
        r"|^[ \t]*\{\{#(?:rustdoc_)?include\b.*\}\}"  # mdBook
        r"|^import [\w{}, *]+ from ['\"].*\.mdx?['\"]"
        r"|^[ \t]*(?:`{3,}|:{3,})\{include\}"  # MyST
        r"|^[ \t>*+-]*\[!INCLUDE[ \t]*\["  # DocFX
        r"|^[ \t]*!\[\[[^\]|#.]+(?:\.md)?(?:[|#][^\]]*)?\]\]"  # Obsidian
        r"|^[ \t]*::include\{[ \t]*file="  # GitLab
        r"|^::: \w+(?:\.\w+)+[ \t]*$",  # mkdocstrings
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
    if not found or (found[2] and found[2] != found[4]):
        return "", text
    is_note = re.search(r"^[ \t]+\S", found[1], re.M)  # it may be one, and no comment
    above = found[1].strip("\n") + "\n\n" if is_note else ""
    return found[3], above + text[found.end() :].lstrip("\n")


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
