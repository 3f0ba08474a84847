"""Queries that look as if nobody typed them: refused where most are requests, left out, or told."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from helpers.base import check_type, counted, first_few, is_mojibake, warn
from workbench.exchange.access_logs import has_form_of_log
from workbench.exchange.asked_queries import AskedQuery

PERSONAL = {
    "an e-mail address": re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+"),
    "a telephone or other long number": re.compile(r"(?:\d[ ()/.-]{0,2}){8,}"),
    "an internet address": re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"),
    "an account number": re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,}"),
}
"""What can be recognised; a name cannot, and a person may be known by a question alone."""


_ADDRESS = re.compile(r"(?:GET|POST|HEAD) /\S*.*|(?:https?://\S+|/\S*)\?\S+=\S*")


def is_request(text: str) -> bool:
    """Whether a text is an address that was asked of a web server, or a line of its log.

    >>> is_request("/search?q=key"), is_request("GET or POST")
    (True, False)
    """
    return bool(_ADDRESS.fullmatch(text.strip())) or has_form_of_log(text)


def check_requests(path: Path, found: Sequence[AskedQuery], how: str = "") -> None:
    """Raises ValueError where most queries are requests of a web server, with the query inside; `how` they
    are taken out of the file, if it is known."""
    requests = [query.text for query in found if is_request(query.text)]
    if 2 * len(requests) > len(found):
        said = f"{len(requests)} of {len(found)} queries are requests, e.g. {requests[0]!r:.60}"
        cure = "save them alone, one a line with GET first, and they are read as the log of a web server"
        cure += how
        raise ValueError(f"{path}: {said}; {cure}")


def without_placeholders(path: Path, found: Iterable[AskedQuery]) -> list[AskedQuery]:
    """The queries without what programs write where there is no text, which is warned of."""
    found, times = list(found), Counter()
    for query in found:
        if query.text.strip() in _PLACEHOLDERS:
            times[query.text.strip()] += query.frequency
    if times:
        shown = ", ".join(f"{text} ({n:,})" for text, n in times.most_common())
        said = f"{counted(times.total(), 'search', 'searches')} left out that stand for a missing text"
        warn(f"{path}: {said}: {shown}")
    return [query for query in found if query.text.strip() not in _PLACEHOLDERS]


_PLACEHOLDERS = frozenset(
    ("NULL", "(null)", "<null>", "\\N", "(not provided)", "(not set)", "(other)", "(blank)", "#N/A", "#REF!")
    + ("#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#N/V", "#NV", "#WERT!", "#BEZUG!", "#VALEUR!")
    + ("(empty)", "(leer)", "(vide)", "(data not available)", "<empty>")
)
"""Of databases, spreadsheets and web analytics. As they are written there: people may ask for `null`."""


def warn_of_odd(path: Path, texts: Sequence[str]) -> None:
    """Says which queries hold what nobody sees, and which look like what a program wrote."""
    if odd := [text for text in texts if not text.isprintable()]:
        warn(f"{path}: {counted(len(odd), 'query')} with characters that cannot be seen, e.g. {odd[0]!r:.60}")
    for (said, question), is_so in _ODD.items():
        if odd := [text for text in texts if is_so(text)]:
            warn(f"{path}: {counted(len(odd), 'query')} {said}, e.g. {odd[0]!r:.60}; {question}")


_DECODE = "taken as they stand: decode them first where nobody typed them so"
_ODD: Mapping[tuple[str, str], Callable[[str], object]] = {
    ("with # first", "is it a comment?"): re.compile(r"#\s").match,
    ("with // first", "is it a comment?"): re.compile(r"//").match,
    (
        "with the mark or the number of a list first",
        "take them away, for they are part of the query",
    ): re.compile(
        r"(?:[-*+>\u2013\u2014\u00b7]|\d{1,3}[.)])\s+\S|[\u2022\u2023\u25e6\u25aa\u25cf\u25cb]"
    ).match,
    ("encoded as in an address (%20, +)", _DECODE): re.compile(
        r".*%(?:[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})|\w+(?:\+\w+)+$"
    ).match,
    ("in the form of a request or an address", "take them out where nobody typed them"): is_request,
    ("with marks of HTML (&amp;)", _DECODE): re.compile(
        r".*&(?:#\d+|#x[0-9A-Fa-f]+|amp|lt|gt|quot|apos|nbsp|[AEIOUaeiou](?:uml|acute|grave|circ)|szlig);"
    ).match,
    ("written in JSON", "write out the text that was searched for"): re.compile(
        r"\s*(?:\{\s*[\"}]|\[\s*[\"{\[]).*[\]}]\s*$", re.S
    ).match,
    ("with tags of HTML (<em>)", "take the tags away where nobody typed them"): re.compile(
        r".*</?(?:em|b|i|strong|mark|span|br|p|u)\b[^<>]*>", re.I
    ).match,
    ('as a spreadsheet writes a text that is no number (="0042", \'0042)', "take the marks away"): re.compile(
        r'=".*"$|\'[-+=@]?\d'
    ).match,
    ("that may be cut off, with ... at the end", "export them whole where nobody typed them so"): re.compile(
        r".*\w.*(?:\.\.\.|\u2026)$"
    ).match,
    ("as a console writes below a table", "take it out"): re.compile(
        r"\(\d+ rows?(?: affected)?\)$|\d+ rows? (?:in set|selected)"
    ).match,
    (r"with escapes of a program (\u00fc)", _DECODE): re.compile(
        r".*\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})"
    ).match,
    ("whose accents were read in a wrong encoding", _DECODE): is_mojibake,
    (
        "with \ufffd where an earlier conversion lost a letter",
        "no document has such a word: export them again, as UTF-8",
    ): re.compile(".*\ufffd", re.S).match,
    (
        "in the form to which a spreadsheet shortens a number (4.01E+12)",
        "several numbers may have become one: export the column as text",
    ): re.compile(r"\d(?:[.,]\d+)?E\+\d+$").match,
    ("that a program may have written for a missing text", "if so, take it out"): re.compile(
        r"(?:nan|none|null|nil|undefined|n/a|-+|\(none\)|\[object object\]"
        r"|\{+\s*[\w.-]+\s*\}+|\$\{\w+\}|%s|%\(\w+\)s)$",
        re.I,
    ).match,
    ("without a letter or a digit", "take them out where nobody typed them"): re.compile(
        r"(?!-+$)[\W_]+$"
    ).match,
    ("as programs type them that try out a server", "take them out where nobody typed them"): re.compile(
        r".*(?:['\"]\s*(?:or|and)\s+\S+\s*=|\bunion\s+(?:all\s+)?select\b|<script\b|(?:\.\./){2}|\$\{jndi:)",
        re.I,
    ).match,
}
"""What is taken as it stands, and warned of: how it looks and what to do, and by what it is known."""


def warn_of_total(path: Path, found: Sequence[AskedQuery]) -> None:
    """Says which queries may be rows of totals, by what they say and by what they or their place count."""
    *others, last = found
    total = sum(query.frequency for query in found)
    by_count = [query for query in others if 2 * query.frequency == total] + [last] * (len(others) > 1)
    rows = [
        query.text.strip()
        for query in found
        if re.match(r"Totals?: \S", query.text)
        or (query in by_count and _TOTAL.fullmatch(query.text.strip()))
    ]
    if rows:
        said = f"{counted(len(rows), 'query')} may be a row of totals, e.g. {rows[0]!r:.60}"
        warn(f"{path}: {said}; take it out where nobody typed it")
    elif len(others) > 1 and 2 * last.frequency == total:
        said = f"the last query, {last.text!r:.60}, was asked as often as all others together"
        warn(f"{path}: {said} ({last.frequency:,}); if this is their total, take its row out")


_TOTAL = re.compile(
    r"(?:grand |sub-?)?totals?|sum|summe|gesamt(?:summe)?|insgesamt|total g[eé]n[eé]ral|totale", re.I
)


def warn_of_line_breaks(path: Path, found: Sequence[AskedQuery]) -> None:
    """Says which cells of queries hold line breaks: a quote too many makes one cell of several rows."""
    if odd := [query.text for query in found if re.search(r"[\r\n]", query.text.strip())]:
        said = f"{counted(len(odd), 'query goes', 'queries go')} over several lines, e.g. {odd[0]!r:.60}"
        warn(f"{path}: {said}; is a quote before it one too many?")


def personal_data(texts: Iterable[str]) -> dict[str, list[str]]:
    """`{what: texts}` of texts that look as if they held something about a person.

    Raises ValueError for what would be looked at in vain: one text, the ids of a dict, the names of a table's
    columns, and what is no text.

    >>> personal_data(["reset password", "mail from jo@example.com"])
    {'an e-mail address': ['mail from jo@example.com']}
    """
    if isinstance(texts, str):
        raise ValueError(f"texts is the text {texts!r:.60}; give a list of texts")
    if isinstance(texts, Mapping) or getattr(texts, "ndim", 1) != 1:
        cure = "give a list of texts, of {query_id: text} its values()"
        raise ValueError(f"texts is a {type(texts).__name__}; {cure}")
    texts = list(texts)
    for number, text in enumerate(texts, start=1):
        check_type(f"text {number}", text, str)
    found = {what: [text for text in texts if form.search(text)] for what, form in PERSONAL.items()}
    return {what: matching for what, matching in found.items() if matching}


def warn_of_personal_data(texts: Mapping[str, str]) -> list[str]:
    """A sentence for each kind of personal data in `{query_id: text}`, with the queries that have it.

    >>> warn_of_personal_data({"q1": "mail from jo@example.com"})
    ['1 query looks as if it held an e-mail address: q1']
    """
    ids = {text: query_id for query_id, text in texts.items()}
    said = []
    for what, found in personal_data(texts.values()).items():
        n = len(found)
        looks = "query looks as if it" if n == 1 else "queries look as if they"
        said.append(f"{n} {looks} held {what}: {first_few(ids[text] for text in found)}")
    return said
