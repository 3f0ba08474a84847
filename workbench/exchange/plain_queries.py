"""Queries in plain text, one a line; and what looks like it, and holds none."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from helpers.base import ending, odd_separator, warn
from workbench.exchange.access_logs import check_no_log_lines
from workbench.exchange.asked_queries import BESIDE, TEXTS


def plain_queries(path: Path, lines: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """The lines of a text that are its queries, without a heading and without the quotes that stand around
    all of them. Raises ValueError where they are plainly something else.

    >>> plain_queries(Path("a.txt"), [("a.txt, line 1", "lost key")])
    [('a.txt, line 1', 'lost key')]
    """
    _check_plain(path, lines)
    return _without_quotes(path, _without_heading(path, lines))


def _is_heading(line: str) -> bool:
    """Whether a line names a column of queries and nothing else."""
    return line.strip().strip('"').casefold() in TEXTS


def _without_heading(path: Path, lines: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """The lines of a plain text, but for a first one that only names a column, as `query`."""
    first = lines[0][1].strip().strip('"').casefold()
    if (
        len(lines) > 1
        and _is_heading(first)
        and first not in (line.strip().casefold() for _, line in lines[1:])
    ):
        warn(f"{path}: its first line, {first!r}, is taken for a heading and not for a query")
        return lines[1:]
    return lines


_QUOTED = re.compile(r'\s*(?:"((?:[^"\\]|\\.|"")*)"|\'([^\']*)\'),?\s*')


def _without_quotes(path: Path, lines: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """The lines without quotes around each, as jq and tables write them; of one query they may be meant."""
    found = [_QUOTED.fullmatch(line) for _, line in lines]
    if len(lines) < 2 or not all(found):
        return lines
    warn(f"{path}: each line is in quotes, which are left out")
    texts = [_unescaped(one[1]) if one[1] is not None else one[2] for one in found]
    return [(where, text) for (where, _), text in zip(lines, texts, strict=True)]


def _unescaped(text: str) -> str:
    try:
        return json.loads(f'"{text}"')
    except ValueError:
        return text.replace('""', '"')


def topics(path: Path, lines: Sequence[tuple[str, str]]) -> list[tuple[str, str, str]]:
    """Place, id and text of the queries of a table without a heading, id, tab, text, as the tools of TREC
    have topics. Nothing where it may be anything else, as where the first line may name columns.

    >>> topics(Path("a.tsv"), [("line 1", "q01\\tlost key"), ("line 2", "q02\\tnoon")])
    [('line 1', 'q01', 'lost key'), ('line 2', 'q02', 'noon')]
    >>> topics(Path("a.tsv"), [("line 1", "nr\\tsuchtext"), ("line 2", "q02\\tlost key")])
    []
    """
    rows = [(where, *line.split("\t")) for where, line in lines]
    if ending(path) != ".tsv" or any(len(row) != 3 for row in rows):
        return []
    ids, texts = [row[1] for row in rows], [row[2] for row in rows]
    first = {cell.strip().strip('"').casefold() for cell in rows[0][1:]}
    if first & {*TEXTS, *BESIDE} or len({*ids}) < len(ids) or not (_are_named(ids) or _are_numbers(ids)):
        return []
    words = sorted(len(text.split()) for text in texts)
    is_text = any(map(str.isalpha, texts[0]))  # the heading of pandas may be 0 and 1
    is_text &= not all(text.startswith('"') for text in texts)  # whose quotes would be a table's
    return rows if is_text and 2 <= words[len(words) // 2] <= _MOST_WORDS else []


_MOST_WORDS = 40
"""Of a query in the middle of a table; documents have more."""


def _are_named(ids: Sequence[str]) -> bool:
    """Whether all are ids with numbers, like `s001`, and the first is like most, so no name of a column."""
    shapes = [re.sub("[0-9]+", "0", one) for one in ids]
    are_ids = all(
        re.fullmatch(r"[A-Za-z][\w.:/-]*", one) and "0" in shape
        for one, shape in zip(ids, shapes, strict=True)
    )
    return are_ids and len(ids) > 1 and 2 * shapes[1:].count(shapes[0]) >= len(shapes[1:])


def _are_numbers(ids: Sequence[str]) -> bool:
    """Whether all are numbers that count up by one; others may be counts, or times."""
    if len(ids) < 3 or not all(re.fullmatch("[0-9]{1,9}", one) for one in ids):
        return False
    return [int(one) for one in ids] == list(range(int(ids[0]), int(ids[0]) + len(ids)))


_TABLE = "a table without a heading"
_NO_QUERIES = {
    re.compile(r"\S+\s+(Q?\d+)\s+\S+\s+-?\d+\s*"): (
        "TREC qrels",
        "they hold no query's text: workbench import judgments",
    ),
    re.compile(r"\S+\s+Q0\s+\S+\s+\d+\s.*"): ("a TREC run", "it holds no query's text"),
    re.compile(
        r"\s*(?:\W?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?)\W*[\]:>-].*|\[(?:trace|debug|info|notice|warn)\].*"
        r'|[A-Za-z_][\w.]*=(?:"[^"]*"|[^\s"]*)(?:\s+[A-Za-z_][\w.]*=(?:"[^"]*"|[^\s"]*)){2,})\s*'
    ): (
        "the log of a program",
        "take the text of each query out of its lines, one a line",
    ),
    re.compile(r"\s*(?:\+[-=+]+\+|[|\u2502].*[|\u2502]|[\u250c\u251c\u2514].*[\u2510\u2524\u2518])\s*"): (
        "a table as a console draws it",
        "export it as CSV or TSV (mysql --batch, psql --csv)",
    ),
    re.compile(r".*\S\s*\|\s*\d+\s*|\s*\d+\s*\|\s*\S.*"): (
        "a table with bars",
        "save it as CSV or TSV (sqlite3 -csv, psql --csv), with a heading, e.g. query and frequency",
    ),
    re.compile(r".*\bsource\[\{.*"): (
        "a slow log of Elasticsearch or OpenSearch",
        "take the text of each query out of its source[...], and make a table with the column query",
    ),
    re.compile(
        r"\s*\W?(?:\d+>)?(?:[A-Z][a-z]{2}\W{1,2}){0,2}"
        r"(?:\d{1,4}[-/. ](?:\d\d?|[A-Z][a-z]{2})[-/. ]\d{1,4}|\d{1,2})?[T: ]{0,2}\d\d:\d\d\b.*"
    ): (
        "lines that begin with a time",
        "take it away, or make a table with the columns time and query",
    ),
    re.compile(
        r"\s*(?:(?:[-*+>\u2013\u2014\u00b7]|\d+[.)])\s+|[\u2022\u2023\u25e6\u25aa\u25cf\u25cb]\s*)\S.*"
    ): (
        "a list, with marks or numbers before its lines",
        "take them away, for they would be part of the queries",
    ),
    re.compile(r"\s*(?:\w+\s*=\s*)?[\[(]\s*([\"']).*\1,?\s*[\])]\s*"): (
        "a list in one line, as a program writes it",
        "write a query a line, without brackets and quotes",
    ),
    re.compile(r".*\S[;,]\s*\"?\d+\"?\s*|\s*\S[^\t]*\t.*\S.*"): (
        _TABLE,
        "name its columns in a first line, e.g. query and frequency",
    ),
}
"""What looks like plain text and holds no query a line: how a line begins, what it is, what to do."""
_AS_THEY_STAND = "if these are queries as they stand, write a first line `query`"


def _check_plain(path: Path, lines: Sequence[tuple[str, str]]) -> None:
    """Raises ValueError where more than half of the lines, the first too, are no queries, and for a table
    whose heading names no column that is known."""
    where, first = lines[0]
    if not _is_heading(first):  # which says that these are queries as they stand
        check_no_log_lines(lines)
    if _RECORD.fullmatch(first) or (len(lines) > 2 and _RULE.fullmatch(lines[1][1])):
        cure = "export it as CSV or TSV (mysql --batch, psql --csv, sqlite3 -csv)"
        raise ValueError(f"{where}: this looks like a table as a console draws it; {cure}")
    only_names = set(re.findall(r"[\w-]+", first.casefold())) <= {*TEXTS, *BESIDE}
    if only_names and (between := odd_separator(first, TEXTS, BESIDE)):
        said = f"this looks like a heading, with {between} between the columns"
        raise ValueError(f"{where}: {said}; needed tabs or commas")
    for form, (what, cure) in _NO_QUERIES.items():
        if form.match(first) and 2 * sum(bool(form.fullmatch(line)) for _, line in lines) > len(lines):
            raise ValueError(f"{where}: this looks like {what}; {cure}; {_AS_THEY_STAND}")
        if what == _TABLE and _has_other_heading(form, [line for _, line in lines]):
            cure = "name the column that holds the query with --column"
            said = f"this looks like the heading of a table, {first[:60]!r}, and no column is called query"
            raise ValueError(f"{where}: {said}; {cure}; {_AS_THEY_STAND}")
    if _count_up([line for _, line in lines]):
        said = f"each line begins with an id that counts up, as in {first[:60]!r}"
        cure = "make it a table with the columns query_id and query"
        raise ValueError(f"{path}: {said}, which would be part of the query; {cure}; {_AS_THEY_STAND}")
    counts = all(re.match(r"\s*\d+\s+\S", line) for _, line in lines)
    if counts and (len(lines) > 2 or lines[0][1].startswith("  ")):
        what = "each line begins with a number, as of `uniq -c`, which would be part of the query"
        raise ValueError(f"{path}: {what}; make it a table with the columns count and query")


_RECORD = re.compile(r"-\[ RECORD \d+ \][-+]*\s*|\*{3,} \d+\. row \*{3,}\s*")
_RULE = re.compile(r"\s*-{3,}(?:[-+ ]*-)?\s*")
"""The first line of a record of psql and MySQL, and the line below a heading."""


def _count_up(lines: Sequence[str]) -> bool:
    """Whether each of three lines or more begins with an id, as `1:` or `q01 `, of a higher number."""
    found = [re.match(r"\s*([A-Za-z_-]{0,5})(\d+)(:|\s)\s*\S", line) for line in lines]
    if len(found) < 3 or not all(found) or len({one.group(1, 3) for one in found}) > 1:
        return False
    numbers = [int(one[2]) for one in found]
    named = bool(found[0][1]) or found[0][3] == ":"
    return named and all(a < b for a, b in zip(numbers, numbers[1:], strict=False))


def _has_other_heading(form: re.Pattern, lines: Sequence[str]) -> bool:
    """Whether all lines but the first are rows of a table, and the first has its separators, or names it."""
    first, *rows = lines
    if _is_heading(first) or form.fullmatch(first):
        return False
    signs = re.findall("[\t,;]", first)
    alike = bool(signs) and all(re.findall("[\t,;]", row) == signs for row in rows)
    return bool(rows) and all(map(form.fullmatch, rows)) and (alike or len(rows) > 2)
