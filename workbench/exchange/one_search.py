"""Several rows of one search: what was typed so far at each keystroke, and each of its results that was
opened. They would be counted as so many searches, and half words as queries."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from helpers.base import counted, first_few, warn

_SECONDS = 5
_TYPED = 3
"""So many texts or more, of one client and at most so many seconds apart, each the beginning of the next, are
keystrokes: nobody asks so often so fast."""

_USERS = "anonid user user_id userid uid visitor visitor_id session session_id sessionid client client_id "
_USERS += "client_ip clientip remote_addr ip"
_TIMES = "querytime query_time time timestamp @timestamp datetime date_time date ts created_at"
_CLICKS = "itemrank item_rank clickurl click_url rank url position clicked click clicked_url clicked_id"


def warn_of_keystrokes(path: Path, asked: Iterable[tuple[str, float, str]], cure: str) -> None:
    """Says where the searches of a log, `(client, second, text)` in their order, are keystrokes of fewer.

    >>> warn_of_keystrokes(Path("access.log"), [("::1", 0, "key"), ("::1", 2, "key lost")], "")
    """
    typed: dict[str, tuple[list[str], float]] = {}
    searches: list[list[str]] = []
    for client, second, text in asked:
        text = " ".join(text.casefold().split())
        texts, before = typed.get(client, ([], second))
        if not texts or not text.startswith(texts[-1]) or not 0 <= second - before <= _SECONDS:
            texts = []
            searches.append(texts)
        texts += [text] * (bool(text) and text not in texts[-1:])
        typed[client] = texts, second
    if grew := [texts for texts in searches if len(texts) >= _TYPED]:
        n, times = counted(sum(map(len, grew)), "search", "searches"), len(grew)
        shown = f"{', '.join(map(repr, grew[0][:2]))} … {grew[0][-1]!r:.60}"
        said = (
            f"{n} of one client, seconds apart, each the beginning of the next, are keystrokes of {times:,}"
        )
        warn(f"{path}: {said}, e.g. {shown}; {cure}")


def warn_of_rows(path: Path, rows: Sequence[Mapping], texts: Sequence[str]) -> None:
    """Says where rows of a table, or records, are clicks on the results of a search, or its keystrokes;
    `texts` are their queries. Without a column of users nothing can be told."""
    names = {str(name).casefold(): name for row in rows[:1] for name in row}
    user, time = (next((names[one] for one in of.split() if one in names), None) for of in (_USERS, _TIMES))
    clicks = [name for folded, name in names.items() if folded in _CLICKS.split()]
    if user is None:
        return
    keys = [(str(row.get(user)), str(row.get(time)), text) for row, text in zip(rows, texts, strict=True)]
    times = [_second(key[1]) for key in keys]
    again = Counter(key for key, second in zip(keys, times, strict=True) if second is not None)
    cure = "keep one row a search"
    if n := again.total() - len(again):
        what = counted(n, "row agrees", "rows agree")
        said = f"{what} with another in {user}, {time} and query, as the clicks of one search do"
        warn(f"{path}: {said}, and counts as a search of its own; {cure}")
    elif clicks:
        said = f"{first_few(map(repr, clicks))} may say what was clicked"
        warn(f"{path}: {said}; where each click has a row, {cure}, for each row is counted as one")
    asked = [(key[0], second, key[2]) for key, second in zip(keys, times, strict=True) if second is not None]
    warn_of_keystrokes(path, asked, "keep the last row of each only")


def _second(text: str) -> float | None:
    """A time of day, or the seconds or milliseconds since 1970, in seconds; None for all else, as a date."""
    text = text.strip()
    if re.fullmatch(r"[0-9]{9,10}(\.[0-9]+)?|[0-9]{12,13}", text):
        return float(text) / (1000 if len(text.partition(".")[0]) > 10 else 1)
    try:
        return datetime.fromisoformat(text).timestamp() if ":" in text else None
    except ValueError:
        return None


_TIME_OF_LOG = re.compile(r"\[(\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d)|(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)")


def client_and_second(line: str) -> tuple[str, float]:
    """Whose request a line of an access log is, by the first word that is no time, and when; 0 where
    no time is said.

    >>> client_and_second('::1 - - [01/Jan/1970:00:01:00 +0000] "GET / HTTP/1.1" 200 512')[0]
    '::1'
    """
    found = _TIME_OF_LOG.search(line)
    client = next((word for word in line.split() if not _TIME_OF_LOG.match(word)), "")
    try:
        if found and found[1]:
            return client, datetime.strptime(found[1], "%d/%b/%Y:%H:%M:%S").timestamp()
        return client, datetime.fromisoformat(found[2]).timestamp() if found else 0
    except (ValueError, OverflowError, OSError):
        return client, 0
