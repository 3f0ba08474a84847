"""Queries from a table, JSON lines, or the log of a search: each once, with how often it was asked."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import numpy as np

from helpers.base import (
    check_json_lines,
    check_no_mark,
    check_option,
    check_path,
    check_rng,
    check_whole,
    counted,
    either,
    ending,
    first_few,
    json_object,
    odd_separator,
    table_rows,
    text_lines,
    warn,
)
from helpers.datasets import QUERY_KINDS
from helpers.stats import check_in_order
from workbench.exchange.access_logs import (
    has_fields,
    has_requests,
    is_log,
    is_program,
    searches_in,
    warn_of_programs,
)
from workbench.exchange.asked_queries import (
    BESIDE,
    COUNTS,
    IDS,
    SEGMENTS,
    TEXTS,
    AskedQuery,
    each_once,
    key_of,
)
from workbench.exchange.odd_queries import (
    check_requests,
    is_request,
    warn_of_line_breaks,
    warn_of_odd,
    warn_of_total,
    without_placeholders,
)
from workbench.exchange.one_search import looked_at, warn_of_rows
from workbench.exchange.plain_queries import plain_queries, topics
from workbench.labelling import as_segment

_LONGEST = 1000


def read_queries(path: str | Path, column: str | None = None) -> list[AskedQuery]:
    """The queries of a file, each once, in the order in which they are first met.

    Taken are JSON lines (BEIR's `_id` and `text`, ours, `query`), a table with a heading (.csv, .tsv, or any
    text whose first line names a column of `TEXTS`), a .tsv of ids and texts without one, as TREC has topics,
    the access log of a web server, of IIS too (the query is the `q`, `query`, `search` or `s` of a request),
    and plain text, a query a line. `column` names the column, field or parameter of the query where it has
    another name. A line that comes again, case, blanks and the encoding of accents aside, is the same query
    asked once more, and its most frequent form is the one that is asked (`each_once`); a column of `COUNTS`
    says how often a line was asked, `drawn` beside `frequency` how often a sample drew it, `kind` is one of
    `QUERY_KINDS`, and `segment`, or `category`, the name of a segment of the project's own, by which figures
    are told apart. What a project exports comes back with all of these, from BEIR's `metadata` too.
    What is not taken, as empty queries, other columns, requests without a known parameter, further pages of
    results, redirected requests and errors, is warned of; and so is what is taken as it stands and looks
    like no text that was typed, as `lost%20badge` or `nan`, a segment that is no short name, a column of
    `COUNTS` that may hold something else, rows that are no searches but keystrokes of one, or clicks on its
    results, and searches that were made by programs, where a column such as `user_agent` says so.

    Quotes that stand around every line of a plain text are left out.

    Raises ValueError, with file and line, for a file that is none of these and one without a query; for a
    column of which every cell is a number, or most are requests, which is hardly what people asked; and for
    a text with requests among other lines, as the logs of programs, and tables of a console.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "log.txt"
    >>> _ = path.write_text("reset password\\nlunch\\nReset  password\\n")
    >>> read_queries(path)
    [AskedQuery(text='reset password', query_id=None, frequency=2, drawn=None, kind=None, \
segment=None), AskedQuery(text='lunch', query_id=None, frequency=1, drawn=None, kind=None, segment=None)]
    """
    path = check_path(path, "a file of queries")
    _check_asked(path, column)
    lines = list(text_lines(path))
    if not lines:
        raise ValueError(f"{path} holds no query; needed one a line, a table, or JSON lines")
    _check_top(path, lines, column)
    if ending(path) in (".json", ".jsonl", ".ndjson") or _are_objects(lines):
        found = _of_json(path, lines, column)
    elif column is None and (rows := topics(path, lines)):
        warn(f"{path}: read as ids and texts without a heading, e.g. {rows[0][1]!r:.40}, {rows[0][2]!r:.60}")
        found = [_query({"query_id": row[1], "query": row[2]}, row[0], TEXTS[:1]) for row in rows]
        check_requests(path, found)
    elif not is_log(lines) and (separator := _separator(path, lines[0][1], column)) is not None:
        found = _of_table(path, separator, column)
    elif has_fields(lines) or has_requests(lines):
        found = [
            AskedQuery(text, by_programs=int(by_program))
            for text, by_program in searches_in(path, lines, column, _LONGEST)
        ]
    elif column is not None:
        needed = "needed a table whose first line names it, a web server's log, or JSON lines"
        raise ValueError(f"{path} has no column {column!r}: its first line is {lines[0][1][:60]!r}; {needed}")
    else:
        plain = plain_queries(path, lines)
        found = [_query({"query": line.strip()}, where, TEXTS[:1]) for where, line in plain]
        check_requests(path, found)
    warn_of_programs(path, sum(query.by_programs for query in found), sum(query.frequency for query in found))
    found = without_placeholders(path, found)
    together = each_once(query for query in found if key_of(query.text))
    if together:
        _warn_of_lost(path, found, together)
        warn_of_odd(path, [query.text for query in together])
    if not together:
        raise ValueError(f"{path} holds no query; needed one a line, a table, or JSON lines")
    return together


def _are_objects(lines: Sequence[tuple[str, str]]) -> bool:
    """Whether a text is JSON: its first line begins with a brace, and so do most, or it stands alone."""
    first = lines[0][1].strip()
    begin = sum(line.lstrip().startswith("{") for _, line in lines)
    return first == "{" or (first.startswith("{") and 2 * begin > len(lines))


def _check_asked(path: Path, column: str | None) -> None:
    if column is not None and not column.strip():
        raise ValueError(f"the column is {column!r}; needed the name of the one that holds the queries")
    needed = "needed queries, one a line, a table, or JSON lines"
    if ending(path) in _PROGRAMS:
        raise ValueError(f"{path} is a program by its name; {needed}")
    if ending(path) in _SETTINGS:
        cure = "as .txt, .csv or .jsonl, without the marks and names that each line has beside its query"
        raise ValueError(f"{path} is no list of queries by its name; {needed}, {cure}")
    if ending(path) in _PAGES:
        raise ValueError(f"{path} is a page by its name, a document; {needed}, as .txt, .csv or .jsonl")


_PAGES = (".md", ".mdx", ".markdown", ".rst", ".adoc")
_PROGRAMS = (".py", ".sh", ".js", ".ts", ".java", ".c", ".cpp", ".go", ".rs", ".rb", ".php", ".sql")
_SETTINGS = (".yaml", ".yml", ".toml", ".ini", ".properties")


def _warn_of_lost(path: Path, found: Sequence[AskedQuery], together: Sequence[AskedQuery]) -> None:
    """Says which queries were empty, and which lost an id, or a segment, to another of the same text."""
    if n := sum(not key_of(query.text) for query in found):
        warn(f"{path}: {counted(n, 'empty query')} left out")
    kept = {key_of(query.text): query.query_id for query in together}
    lost = {
        f"{query.query_id} (as {kept[key_of(query.text)]})": None
        for query in found
        if query.query_id and key_of(query.text) and query.query_id != kept[key_of(query.text)]
    }
    if lost:
        warn(f"{path}: ids whose text another query has are not kept: {first_few(lost)}")
    kept = {key_of(query.text): query.segment for query in together}
    several = {
        key_of(one.text): one.text for one in found if one.segment not in (None, kept.get(key_of(one.text)))
    }
    if texts := [repr(text)[:60] for key, text in several.items() if key]:
        who = counted(len(texts), "query comes", "queries come")
        warn(f"{path}: {who} in several segments, and the first is kept: {first_few(texts, 3)}")


_MOST_SEARCHES = 10**18
"""Numbers of 64 bits go little further."""


def sample_searches(
    queries: Sequence[AskedQuery], n: int, rng: np.random.Generator | int = 0
) -> list[AskedQuery]:
    """A random sample of n searches of a log: the queries that were drawn, and how often each was.

    Each search is drawn at most once, and each with the same chance, so a query that makes up a tenth of all
    searches makes up about a tenth of the sample; the mean over the sample, a query counted as often as it
    was drawn, estimates the mean over all searches without bias. All queries where there are no more than n
    searches. The searches are drawn one after another, and whatever their order: of one log, with one seed, a
    larger sample holds all of a smaller one. Texts that differ only in capitals, blanks or the encoding of
    accents are one query, in the form that is the most frequent in the whole log. Raises ValueError for a
    frequency that is no whole number from 1 up.

    >>> log = [AskedQuery("reset password", frequency=3), AskedQuery("lunch")]
    >>> [(query.text, query.drawn) for query in sample_searches(log, 4)]
    [('reset password', 3), ('lunch', 1)]
    """
    check_whole("n", n, of="searches")
    check_in_order(queries, "queries")  # those of a set would be drawn otherwise each time
    total = sum(check_whole(f"frequency of {query.text!r:.60}", query.frequency) for query in queries)
    if total > _MOST_SEARCHES:
        needed = f"a sample is drawn from {_MOST_SEARCHES:,} at most; take the searches of a shorter time"
        raise ValueError(f"the log has {total:,} searches; {needed}")
    if any(query.drawn for query in queries):
        cure = "take them as they are, or draw from the log itself"
        warn(f"the queries are a sample already, so a sample of them is none of the log: {cure}")
    queries = each_once(queries)
    counts = [query.frequency for query in queries]
    # By their texts, so that the log of a month is the same log when it is sorted otherwise.
    places = sorted(range(len(queries)), key=lambda i: (key_of(queries[i].text), queries[i].text))
    found = _how_often_drawn([counts[i] for i in places], n, check_rng(rng))
    drawn = {i: found[place] for place, i in enumerate(places)}
    return [replace(query, drawn=drawn[i]) for i, query in enumerate(queries) if drawn[i]]


def _how_often_drawn(counts: Sequence[int], n: int, rng: np.random.Generator) -> Mapping[int, int]:
    """How many searches of each query are among n, by its place. It is a shuffle of all searches of which
    only the first n are looked at, and only what it moved is kept: the log may be far longer."""
    total = sum(counts)
    if n >= total:
        return dict(enumerate(counts))
    ends, moved, drawn = list(accumulate(counts)), {}, Counter()
    for here, place in enumerate(rng.integers(np.arange(n), total).tolist()):
        drawn[bisect_right(ends, moved.get(place, place))] += 1
        moved[place] = moved.pop(here, here)
    return drawn


def _of_json(path: Path, lines: Sequence[tuple[str, str]], column: str | None) -> list[AskedQuery]:
    check_json_lines(path, lines[0][1], '{"query": "reset password"}')
    records = [(where, json_object(line, where, "a query, e.g. _id and text")) for where, line in lines]
    _check_no_documents(path, records, column)
    _check_no_judgments(path, list(records[0][1]), column)
    wanted = {column} if column is not None else set(TEXTS)
    if lacking := [one for one in records if not one[1].keys() & wanted]:
        where, record = lacking[0]
        raise ValueError(f"{where}: {_no_field(record, column)}")
    records = _without_numbers(path, _with_metadata(path, records), "field")
    found = [_query(record, where, (column,) if column else TEXTS) for where, record in records]
    found, is_read = _with_draws(records, found)
    names = {name: None for _, record in records for name in record if not (is_read and name == "drawn")}
    _warn_of_segments(path, records, (column,) if column else TEXTS)
    _warn_of_others(path, names, "fields", column)
    name = column or next(name for name in TEXTS if name in records[0][1])
    check_requests(path, found, f": {_jq_of_requests(name)} {path.name}")
    warn_of_total(path, found)
    warn_of_rows(path, [record for _, record in records], [query.text for query in found])
    return _with_agents([record for _, record in records], found)


def _with_metadata(path: Path, records: list[tuple[str, dict]]) -> list[tuple[str, dict]]:
    """The records, with what a project wrote of its queries into BEIR's `metadata`. That of others may hold
    anything, and is not read."""
    taken, left = [], []
    for where, record in records:
        held = record.get("metadata")
        ours = {name: held[name] for name in _OF_METADATA if name in held} if isinstance(held, dict) else {}
        good = {name: value for name, value in ours.items() if _OF_METADATA[name](value)}
        left += [f"{name} {value!r:.40}" for name, value in ours.items() if name not in good]
        taken.append((where, good | record))
    if left:
        warn(f"{path}: of the metadata not read: {first_few(dict.fromkeys(left))}")
    return taken


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


_OF_METADATA = {
    "kind": lambda value: value in QUERY_KINDS,
    "segment": lambda value: isinstance(value, str),
    "frequency": _is_count,
    "drawn": _is_count,
}
"""What a project writes there, and what each can be."""


def _with_draws(
    records: Sequence[tuple[str, Mapping]], found: Sequence[AskedQuery]
) -> tuple[list[AskedQuery], bool]:
    """The queries, with how often each was drawn as a project writes it, and whether the column `drawn` is
    that: beside `frequency`, numbers of its searches."""
    given = [str(_or_empty(record.get("drawn"))).strip().removesuffix(".0") for _, record in records]
    of = [
        query.frequency if "frequency" in record else 0
        for (_, record), query in zip(records, found, strict=True)
    ]
    are_draws = all(
        not one or (re.fullmatch("[1-9][0-9]{0,8}", one) and int(one) <= most)
        for one, most in zip(given, of, strict=True)
    )
    if not are_draws or not any(given):
        return list(found), False
    return [replace(one, drawn=int(n) if n else None) for one, n in zip(found, given, strict=True)], True


def _or_empty(cell: object) -> object:
    return "" if cell is None else cell


def _check_no_documents(path: Path, records: Iterable[tuple[str, Mapping]], column: str | None) -> None:
    """Raises ValueError where a record is a document, as BEIR has it. Its queries may have empty titles."""
    of_corpus = path.name.startswith("corpus.")
    for where, record in records:
        titled = "title" in record and (record["title"] or of_corpus)
        if column is None and titled and "text" in record and not record.keys() & set(TEXTS[:2]):
            said = "it has a title and a text, so it is a document and no query"
            cure = "name the file of queries, or the field that holds them with --column"
            raise ValueError(f"{where}: {said}; {cure}")


def _check_no_judgments(path: Path, names: Collection[str], column: str | None) -> None:
    """Raises ValueError for judgments, as BEIR and the hub have them, in the place of queries."""
    if {"query-id", "corpus-id"} <= set(names) and column in (None, "query-id", "corpus-id", "score"):
        said = "these are judgments, which hold no query's text: workbench import judgments"
        raise ValueError(f"{path}: {said}; the queries of BEIR are in queries.jsonl")


def _no_field(record: Mapping[str, object], column: str | None) -> str:
    """What to say of a record that has no field of a query."""
    said = f"there is no field {column!r}" if column else f"no field is called {', '.join(TEXTS[:4])}, …"
    cure = "" if column else "; name the one that holds the query with --column"
    held = {path: text for path, text in _texts_within(record) if re.search(r"[.\[]", path)}
    inside = [one for one in held if one.rpartition(".")[2].casefold() in TEXTS] or list(held)
    requests = [path for path, text in _texts_within(record) if is_request(text)]
    if requests and not column:
        return f"{said}; it has {first_few(record)}; {_REQUESTS_ALONE}: {_jq_of_requests(requests[0])}"
    if inside and (not column or "." in column):
        above, each, name = inside[0].rpartition("[]")
        said_of = f"jq -c '.{above}[]'" if each else f"jq -c '{{query: .{name}}}'"
        cure += f"; what is inside another is not read, so write it out: {said_of}"
    return f"{said}; it has {first_few(record)}{cure}"


_REQUESTS_ALONE = "save its requests alone, and they are read as the log of a web server"


def _jq_of_requests(field: str) -> str:
    """The command that writes the addresses in a field of JSON lines as lines of a log."""
    return f"""jq -r '.{field} | if startswith("/") then "GET " + . else . end'"""


def _texts_within(record: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    """Each text of a record and of the records within it, with its path, as `event.search.term`, or
    `searches[].term` in a list."""
    for name, held in record.items():
        first = held[0] if isinstance(held, list) and held else None
        if isinstance(held, str) and held.strip():
            yield f"{above}{name}", held
        elif isinstance(held, dict) and above.count(".") < 5:
            yield from _texts_within(held, f"{above}{name}.")
        elif isinstance(first, dict) and above.count(".") < 5:
            yield from _texts_within(first, f"{above}{name}[].")


_UNSURE = ("hits", "n")
"""Of `COUNTS` those that may hold something else: how many results there were, or the number of the row."""


def _without_numbers(path: Path, records: list[tuple[str, dict]], what: str) -> list[tuple[str, dict]]:
    """The records, without an `n` that numbers them where nothing else says how often each was asked."""
    names = {name for _, record in records for name in record}
    numbers = [str(record.get("n")).strip() for _, record in records]
    if names & {*COUNTS} != {"n"} or len(records) < 3 or numbers not in _numbered(len(records)):
        return records
    warn(f"{path}: the {what} 'n' numbers the rows, so each is taken as asked once")
    return [(where, {k: v for k, v in record.items() if k != "n"}) for where, record in records]


def _numbered(n: int) -> list[list[str]]:
    return [[str(number) for number in range(first, first + n)] for first in (0, 1)]


def _warn_of_others(path: Path, names: Iterable[str], what: str, column: str | None) -> None:
    """Says which columns, or fields, of queries are not read, and which may be no frequency."""
    names = list(names)
    known = {column, "metadata", *BESIDE, *SEGMENTS, *TEXTS, _agents_in(names), *looked_at(names)}
    for kinds in ((column,) if column else TEXTS, COUNTS, IDS, SEGMENTS):
        if len(several := [name for name in kinds if name in names]) > 1:
            warn(f"{path}: of the {what} {' and '.join(several)} the first is taken, {several[0]}")
    if {"doc_id", "grade"} <= set(names):
        cure = "read it with: workbench import judgments"
        raise ValueError(f"{path} is a sheet of judgments, with a line for each document; {cure}")
    if (taken := next((name for name in COUNTS if name in names), "")) in _UNSURE:
        cure = "where it holds something else, as how many results were found, give it another name"
        warn(f"{path}: how often a query was asked is read from {taken!r}; {cure}")
    if others := [name for name in names if name and name not in known]:
        numbers = f"how often a query was asked is read from {either(COUNTS)}"
        warn(f"{path}: {what} that are not read: {first_few(map(repr, others))}; {numbers}")


def _of_table(path: Path, separator: str, column: str | None) -> list[AskedQuery]:
    rows = list(table_rows(path, separator))
    if not rows:
        return []
    names = list(rows[0][1])
    _check_no_judgments(path, names, column)
    wanted = (column.strip().casefold(),) if column else TEXTS
    if not set(wanted) & set(names):
        if len(names) == 1 and (between := odd_separator(names[0], wanted, BESIDE)):
            raise ValueError(f"{path}: {between} stand between the columns; needed tabs or commas")
        no = f"there is no column {column!r}, " if column else ""
        cure = "name the one that holds the query with --column. Where these are no names of columns but a "
        cure += "row, write a first line that names them, e.g. query_id and query"
        raise ValueError(f"{path}: {no}the columns are {_shown(names)}; {cure}")
    rows = _without_numbers(path, rows, "column")
    names = list(rows[0][1])
    found, is_read = _with_draws(rows, [_query(row, where, wanted) for where, row in rows])
    _warn_of_segments(path, rows, wanted)
    check_requests(path, found)
    warn_of_line_breaks(path, found)
    warn_of_total(path, found)
    warn_of_rows(path, [row for _, row in rows], [query.text for query in found])
    found = _with_agents([row for _, row in rows], found)
    counts = [name for name in COUNTS if name in names]
    ours = {"query_id", "kind", "frequency", "drawn"} <= set(names)  # as a project writes them out
    empty = sum(all(row.get(name) in ("", None) for name in counts) for _, row in rows if counts)
    if empty and not ours:
        n = empty
        warn(f"{path}: {counted(n, 'row')} with an empty {counts[0]}, taken as asked once")
    undrawn = ours and all(row["drawn"] in ("", None) for _, row in rows)
    read = [name for name in names if not ((undrawn or is_read) and name == "drawn")]
    _warn_of_others(path, read, "columns", column.strip().casefold() if column else None)
    if len(names) > 1 and all(re.fullmatch(r"[-+]?[\d.,]+", query.text.strip()) for query in found):
        numbers = f"holds nothing but numbers, e.g. {found[0].text!r}"
        chosen = next(name for name in wanted if name in names)
        cure = f"name the column that holds the query with --column; there are {', '.join(names)}"
        raise ValueError(f"{path}: the column {chosen!r} {numbers}; {cure}")
    return found


_AGENTS = "useragent ua agent httpuseragent csuseragent useragentoriginal"
"""Names of columns, in small letters and without what is neither a letter nor a digit."""


def _agents_in(names: Iterable[str]) -> str | None:
    """The column, or field, that says which program asked."""
    plain = {re.sub(r"[\W_]", "", str(name).casefold()): name for name in names}
    return next((plain[one] for one in _AGENTS.split() if one in plain), None)


def _with_agents(rows: Sequence[Mapping], found: list[AskedQuery]) -> list[AskedQuery]:
    """The queries of a table, or of records, with how many of their searches were made by programs, where a
    column says so."""
    if (name := _agents_in(rows[0])) is None:
        return found
    return [
        replace(query, by_programs=query.frequency) if is_program(str(row.get(name))) else query
        for row, query in zip(rows, found, strict=True)
    ]


def _shown(names: Iterable[str]) -> str:
    """The names of columns, with what nobody sees in them."""
    return ", ".join(name if name.isprintable() else repr(name) for name in names)[:200]


def _query(record: Mapping, where: str, names: Sequence[str]) -> AskedQuery:
    text = next((record[name] for name in names if record.get(name) is not None), None)
    if not isinstance(text, str) or len(text) > _LONGEST:
        found = "none" if text is None else repr(text)[:60]
        field = names[0] if len(names) == 1 else f"query (or {', '.join(names[1:4])}, …)"
        long = f" of {len(text):,} characters" if isinstance(text, str) else ""
        needed = f"needed a text of at most {_LONGEST:,} characters as {field}"
        if isinstance(text, dict) and (path := next((path for path, _ in _texts_within(text)), "")):
            name = next(name for name in names if record.get(name) is not None)
            needed += f"; write out what is inside: jq -c '{{query: .{name}.{path}}}'"
        raise ValueError(f"{where}: the query is {found}{long}; {needed}")
    for name in IDS:
        if isinstance(record.get(name), bool | float | list | dict):
            raise ValueError(f"{where}: {name} is {record[name]!r:.60}; needed text, or a whole number")
    query_id = next((str(record[name]) for name in IDS if record.get(name) not in (None, "")), None)
    if re.search("[\ud800-\udfff]", f"{text}{query_id}"):
        raise ValueError(
            f"{where}: {text[:60]!r} holds half of a surrogate pair, which is no text; write it anew"
        )
    if query_id is not None and re.search(r"\s", query_id.strip()):
        raise ValueError(f"{where}: the id {query_id!r} holds a blank; needed one without")
    given, times = next(
        ((name, record[name]) for name in COUNTS if record.get(name) not in (None, "")), ("", 1)
    )
    digits = str(times).strip().removesuffix(".0")  # as a spreadsheet or pandas may write it
    if not re.fullmatch("[0-9]{1,9}", digits) or int(digits) < 1:
        needed = "needed a whole number from 1 to 999999999, in digits only"
        if given in _UNSURE:
            needed += f"; where {given!r} is no such number, give it another name"
        raise ValueError(f"{where}: {times!r:.40} is no number of searches; {needed}")
    kind = str(record.get("kind") or "").strip() or None
    if kind is not None:
        check_option(f"{where}: kind", kind, QUERY_KINDS)
    query_id = query_id.strip() if query_id else None
    return AskedQuery(text, query_id, int(digits), None, kind, _segment(record, names)[0], where)


def _segment(record: Mapping, names: Sequence[str]) -> tuple[str | None, str]:
    """The segment of a record, and what is wrong with it where it is left out: a column named so may hold
    something else."""
    given = (record[one] for one in SEGMENTS if one not in names and record.get(one) not in (None, ""))
    try:
        return as_segment(next(given, "")), ""
    except ValueError as error:
        return None, str(error)


def _warn_of_segments(path: Path, records: Iterable[tuple[str, Mapping]], names: Sequence[str]) -> None:
    wrong = {where: said for where, record in records if (said := _segment(record, names)[1])}
    for where, said in [*wrong.items()][:1]:
        who = counted(len(wrong), "query is", "queries are")
        warn(f"{path}: {who} taken without a segment, e.g. {where.removeprefix(f'{path}, ')}: {said}")


_MARKUP = re.compile(
    r"\s*<(?:(?:\?xml|top|topics?|doc)\b|(?:head|body|meta|style|div|table|thead|tbody|tr)\b[^>]*>\s*(?:<|$))",
    re.I,
)


def _check_top(path: Path, lines: Sequence[tuple[str, str]], column: str | None) -> None:
    """Raises ValueError for markup, and for a table whose heading has lines of another kind above it, as
    comments."""
    where, first = lines[0]
    check_no_mark(where, first)
    if _MARKUP.match(first):
        cure = "write a table with the columns query_id and query, as CSV"
        raise ValueError(f"{where}: this looks like markup, as of a page or of TREC topics; {cure}")
    if ending(path) not in (".csv", ".tsv") or first.startswith("#Fields:"):
        return
    wanted = {column.strip().casefold()} if column else set(TEXTS)
    below = [(at, line) for at, line in lines[1:20] if not line.startswith("#")]
    named = [
        at for at, line in below if _columns(line) & wanted and len(_columns(line)) > len(_columns(first))
    ]
    heading = below[0][0] if first.startswith("#") and below else named[0] if named else None
    if heading and not _columns(first) & wanted:
        cure = f"take away what stands above {heading.removeprefix(f'{path}, ')}"
        raise ValueError(f"{where}: {first[:60]!r} is no heading of a table; {cure}")


def _columns(line: str) -> set[str]:
    """The cells of a line that hold something, in small letters."""
    return {name.strip().strip('"').casefold() for name in re.split("[\t,;]", line)} - {""}


def _separator(path: Path, heading: str, column: str | None) -> str | None:
    """What separates the columns of a table; None for a text that is none."""
    wanted = {column.strip().casefold()} if column else set(TEXTS)
    kind = ending(path)
    for separator in ("\t", ",", ";"):
        names = {name.strip().strip('"').casefold() for name in heading.split(separator)}
        if names & wanted and (len(names) > 1 or kind in (".csv", ".tsv")):
            return separator
    if kind == ".csv" and "," not in heading and ";" in heading:
        return ";"  # as a spreadsheet saves it where the comma is the decimal sign
    return {".csv": ",", ".tsv": "\t"}.get(kind)
