"""The searches in the log of a web server: the queries are in the addresses of its requests."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from helpers.base import counted, either, first_few, warn
from workbench.exchange.one_search import client_and_second, warn_of_keystrokes

PARAMETERS = ("q", "query", "search", "s")
_METHOD = r"(?<![A-Z])(GET|POST|HEAD|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|PROPFIND)"
_REQUEST = re.compile(_METHOD + r'\s+(?:\w+=)?"?((?:[/?*]|https?:)\S*?|\S+?(?= HTTP/\d))(?="?,?(?:\s|$))')
"""The method of a request and its address, which some programs put into quotes of its own."""
_CUT_REQUEST = re.compile(rf'"{_METHOD} [^"]*$')
_FORM = re.compile(
    rf'{_METHOD}\s+(?:\S+ HTTP/\d|\w+="?/|"/)|\[\d\d/[A-Z][a-z]{{2}}/\d{{4}}(?::\d\d){{3}} [-+]\d{{4}}\]'
)
"""What only the log of a server has in a line: `GET /s HTTP/1.1`, `GET "/s`, or the time of a request."""


_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
"""As a program paints the lines that it shows on a terminal."""


def is_log(lines: Sequence[tuple[str, str]]) -> bool:
    """Whether a text is the log of a web server whatever its name says: its first line is of one too."""
    return _is_of_log(lines[0][1]) and has_requests(lines)


def has_requests(lines: Sequence[tuple[str, str]]) -> bool:
    """Whether most lines are requests, or what a log has in their place, as of a broken connection."""
    return sum(_is_of_log(line) for _, line in lines) * 2 > len(lines)


def _is_of_log(line: str) -> bool:
    return bool(_REQUEST.search(line) or has_form_of_log(line))


def has_form_of_log(line: str) -> bool:
    """Whether nothing but the log of a server has such a line.

    >>> has_form_of_log('Started GET "/s?q=key" for ::1'), has_form_of_log("GET /users or POST /users")
    (True, False)
    """
    return bool(_FORM.search(line))


def check_no_log_lines(lines: Sequence[tuple[str, str]]) -> None:
    """Raises ValueError for a text with requests among other lines, as programs log both: no line of it is a
    query. One request in fifty lines may be something that somebody searched for."""
    found = [where for where, line in lines if has_form_of_log(line)]
    if found and (50 * len(found) >= len(lines) or has_form_of_log(lines[0][1])):
        said = (
            f"a request in the log of a server, and {len(lines) - len(found)} of {len(lines)} lines are none"
        )
        cure = "keep the lines of the requests alone; if these are queries as they stand, write a first line "
        raise ValueError(f"{found[0]}: this looks like {said}; {cure}`query`")


def has_fields(lines: Sequence[tuple[str, str]]) -> bool:
    """Whether a log names its fields, as those of IIS and CloudFront do."""
    return any(line.startswith("#Fields:") for _, line in lines[:20])


def searches_in(
    path: Path, lines: Iterable[tuple[str, str]], column: str | None, longest: int
) -> list[tuple[str, bool]]:
    """What was asked in the requests of a web server's log, in their order, each with whether a program asked
    it (`is_program`); `lines` are `(where, line)`.

    The query is the parameter `column` of an address, else the first of `PARAMETERS` that it has; one of more
    than `longest` characters is left out. Why lines are left out is warned of, and so is where a client asked
    at each keystroke. Raises ValueError where no line is a search, and for a log with named fields of which
    none holds what was asked.

    >>> line = '::1 - - [01/Jan/2026:00:00:00] "GET /find?q=lost+key HTTP/1.1" 200 512'
    >>> searches_in(Path("access.log"), [("access.log, line 1", line)], None, 1000)
    [('lost key', False)]
    """
    lines = [(where, _COLOUR.sub("", line)) for where, line in lines]
    parameters = (column.strip(),) if column else PARAMETERS
    if has_fields(lines):
        lines = list(_w3c(lines))
    left: Counter[str] = Counter()
    found = list(_searches(path, lines, parameters, longest, left))
    if not found:
        known = ("no request", "cut off", f"no parameter {either(parameters)}")
        if others := [f"{why} ({n:,})" for why, n in left.items() if why not in known]:
            raise ValueError(f"{path}: a web server's log, and every search is left out: {first_few(others)}")
        cure = "name the one that holds the query with --column, or, where the address itself does, as in "
        cure += "/search/lost+key/, write the queries one a line"
        none = f"no request has a parameter {either(parameters)}"
        if any('"POST ' in line for _, line in lines):
            none += " (what was sent by POST is in no such log: let your search write it)"
        raise ValueError(f"{path}: a web server's log, and {none}; {cure}")
    return found


_PAGES = ("page", "paged", "p", "pg", "pageno", "pagenum", "pagenumber", "pageindex", "currentpage")
_OFFSETS = ("start", "offset", "from", "skip")
_CURSORS = ("cursor", "pagetoken", "nextpagetoken")
"""The names of parameters, without their - and _, that say which part of the results is asked for."""


def _is_further_page(name: str, value: str) -> bool:
    """Whether a parameter asks for more than the first results; `from=2026` may be a year."""
    name = re.sub("[-_]", "", name.casefold())
    if name in _CURSORS:
        return value not in ("", "0", "1", "*")
    year = name in _OFFSETS and re.fullmatch("(?:19|20)[0-9]{2}", value)
    return (
        name in _PAGES + _OFFSETS and bool(re.fullmatch("[0-9]{1,4}", value)) and int(value) > 1 and not year
    )


_STATUS_BEHIND = re.compile(r'(?: HTTP/[\d.]+"?|") (\d{3})\b| (\d{3}) .*\bms\b|.*? status=(\d{3})\b')
_STATUS_BEFORE = re.compile(
    r'(?:\| (\d{3}) \|.*| (\d{3}) (?:\d{3}|-) \d+ \d+ "| -?\d+(?:/[-+]?\d+){3,4} (\d{3}) \+?\d+ .*")$'
)
"""How a request was answered: as web servers, Morgan and Heroku write it; as Gin, Amazon's and HAProxy."""


def _status(before: str, behind: str) -> str:
    """What a line says of how its request was answered; "" where it says nothing that is known."""
    found = _STATUS_BEHIND.match(behind) or _STATUS_BEFORE.search(before)
    return next(filter(None, found.groups())) if found else ""


def _why_no_search(
    asked: Mapping[str, Sequence[str]], query: str, method: str, before: str, behind: str
) -> str:
    """Why a request with a query is no search of its own, "" where it is one. `before` and `behind` are what
    the log says around its address."""
    status = _status(before, behind)
    if method not in ("GET", "POST", "HEAD"):
        return f"{method}, which asks for no results"
    if re.fullmatch(r"3(?!04)\d\d|[45]\d\d", status):
        return f"answered with {status}, a redirection or an error"
    pages = (name for name, of in asked.items() if name != query and _is_further_page(name, of[0]))
    return next((f"a further page of results ({name})" for name in pages), "")


def _w3c(lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The lines of a log whose columns are named in `#Fields:`, of IIS or CloudFront, as those of other
    web servers. Raises ValueError where no column holds the query of a request."""
    names: list[str] = []
    for where, line in lines:
        if line.startswith("#Fields:"):
            names = line.partition(":")[2].split()
            if "cs-uri-query" not in names:
                cure = "let the server write cs-uri-query too"
                raise ValueError(f"{where}: no field of this log holds what was asked; {cure}")
        elif not line.startswith("#"):
            row = dict(zip(names, line.split(), strict=False))
            agent = row.get("cs(User-Agent)", "-")
            query = row.get("cs-uri-query", "-")  # which is - where there is none
            asked = row.get("cs-uri-stem", "/") + ("" if query == "-" else f"?{query}")
            said = f'{row.get("sc-status", "-")} "{agent}"'
            who = f"{row.get('c-ip', '-')} {row.get('date', '-')} {row.get('time', '-')}"
            yield where, f'{who} "GET {asked} HTTP/1.1" {said}' if "cs-uri-query" in row else line


def _searches(
    path: Path,
    lines: Iterable[tuple[str, str]],
    parameters: Sequence[str],
    longest: int,
    left: Counter[str],
) -> Iterator[tuple[str, bool]]:
    """The searches among the requests of a log, each with whether a program asked it; requests without a
    query are none. Counts in `left` why lines are left out."""
    others: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    by_client: list[tuple[str, float, str]] = []
    for where, line in lines:
        request = _REQUEST.search(line)
        if request is None:
            left["no request"] += 1
        elif _CUT_REQUEST.search(line):
            left["cut off"] += 1
        else:
            address = request[2] + '"' * (request[2].count('"') % 2)
            before, behind = line[: request.start()], line[request.end() :]
            asked = _asked(address, where)
            name = next((name for name in parameters if name in asked), None)
            if name is not None and len(asked[name]) > 1:
                left["two queries in one request"] += 1
            elif name is not None and (why := _why_no_search(asked, name, request[1], before, behind)):
                left[why] += 1
            elif name is not None and len(asked[name][0]) <= longest:
                address = f"{urlsplit(address).path}?{name}="
                client, second = client_and_second(before, behind)
                by_client.append((f"{client} {address}", second, asked[name][0]))
                taken[address] += 1
                yield asked[name][0], is_program(_agent(before, behind))
            elif name is not None:
                left[f"a query of more than {longest:,} characters"] += 1
            elif asked:
                left[f"no parameter {either(parameters)}"] += 1
                others.update(asked.keys())
    for why, n in left.items():
        warn(f"{path}: {counted(n, 'line')} left out: {why}")
    _warn_of_taken(path, taken)
    warn_of_keystrokes(path, by_client, "keep the last line of each only, or those of another address")
    if others:
        cure = "name the one that holds the query with --column"
        warn(f"the parameters of these are {first_few(others)}; {cure}")


def _warn_of_taken(path: Path, taken: Counter[str]) -> None:
    """Says from which addresses searches were read, where there are several."""
    if len(taken) > 1:
        said = ", ".join(f"{path} ({n:,})" for path, n in taken.most_common(5))
        cure = "take out the lines of those that are no page of your search"
        warn(f"searches were read from {len(taken)} addresses, {said}; {cure}")


_PROGRAM = re.compile(r"bot\b|crawl|spider|health.?check|monitor|uptime", re.I)
_WORDS = "bot, crawler, spider, monitor, uptime or health check"


def is_program(agent: str) -> bool:
    """Whether a user agent says that a program asked, and no person.

    >>> is_program("Googlebot/2.1"), is_program("Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
    (True, False)
    """
    return bool(_PROGRAM.search(agent))


def warn_of_programs(path: Path, n: int, n_searches: int) -> None:
    """Says how many of the searches of a file were made by programs, if any.

    >>> warn_of_programs(Path("access.log"), 0, 12)
    """
    if n:
        who = f"{n:,} of {counted(n_searches, 'search', 'searches')} by programs"
        warn(f"{path}: {who}, for their user agent says {_WORDS}; leave them out first where people count")


_IN_QUOTES = re.compile(r'"([^"]*)"')
_NO_AGENT = re.compile(r"-?$|(?:[\w+.-]+:)?//?\S*$")
"""What may stand in quotes before the agent: nothing, or the address from which one came."""


def _agent(before: str, behind: str) -> str:
    """The user agent of a request: the first in quotes behind it that is no address, for what people search
    for stands in addresses too; all that is behind it where nothing is in quotes."""
    is_quoted = before.rstrip().endswith('"') or behind.startswith('"')
    rest = behind.partition('"')[2] if is_quoted else behind
    quoted = _IN_QUOTES.findall(rest)
    return next((text for text in quoted if not _NO_AGENT.match(text)), "" if quoted else rest)


def _asked(address: str, where: str) -> dict[str, list[str]]:
    try:
        return _parameters(urlsplit(address).query)
    except ValueError as error:
        raise ValueError(f"{where}: {address[:60]!r} is no address ({error}); take the line away") from None


def _parameters(text: str) -> dict[str, list[str]]:
    """The parameters of a request, in UTF-8 or, where they are not, in Windows-1252."""
    try:
        return parse_qs(text, keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        return parse_qs(text, keep_blank_values=True, encoding="cp1252", errors="replace")
