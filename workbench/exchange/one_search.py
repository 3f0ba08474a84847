"""Several rows of one search: what was typed so far at each keystroke, and each of its results that was
opened. They would be counted as so many searches, and half words as queries."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from helpers.base import counted, first_few, warn

_SECONDS = 5
_TYPED = 3
"""So many texts or more, of one client and at most so many seconds apart, each the beginning of the next, are
keystrokes: nobody asks so often so fast."""

_USERS = "anonid user userid uid usertoken userpseudoid visitor visitorid session sessionid client clientid "
_USERS += "clientip remoteaddr ip"
_TIMES = "querytime time timestamp datetime date ts createdat eventtimestamp"
"""Names of columns, in small letters and without what is neither a letter nor a digit."""
_CLICKS = "itemrank item_rank clickurl click_url rank url position clicked click clicked_url clicked_id"


def warn_of_keystrokes(path: Path, asked: Iterable[tuple[str, float, str]], cure: str) -> None:
    """Says where the searches of a log, `(client, second, text)` in their order, are keystrokes of fewer.

    >>> warn_of_keystrokes(Path("access.log"), [("::1", 0, "key"), ("::1", 2, "key lost")], "")
    """
    typed: dict[str, tuple[list[str], float]] = {}
    searches: list[list[str]] = []
    for client, second, text in _by_time(list(asked)):
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


def _by_time(asked: list[tuple[str, float, str]]) -> list[tuple[str, float, str]]:
    """The searches in the order of their times, also where the file has the newest first."""
    falls = sum((a[1] > b[1]) - (a[1] < b[1]) for a, b in pairwise(asked))
    return sorted(asked[::-1] if falls > 0 else asked, key=lambda one: one[1])


def warn_of_rows(path: Path, rows: Sequence[Mapping], texts: Sequence[str]) -> None:
    """Says where rows of a table, or records, are clicks on the results of a search, or its keystrokes;
    `texts` are their queries. Without a column of users nothing can be told."""
    user, time, clicks = _columns(name for row in rows[:1] for name in row)
    if user is None:
        return
    keys = [(str(row.get(user)), str(row.get(time)), text) for row, text in zip(rows, texts, strict=True)]
    times = [_second(key[1]) for key in keys]
    again = Counter(key for key, second in zip(keys, times, strict=True) if second is not None)
    cure = "keep one row a search"
    if n := again.total() - len(again):
        what = counted(n, "row agrees", "rows agree")
        said = f"{what} with another in {user}, {time} and query, as the clicks of one search do"
        warn(f"{path}: {said}, and each counts as a search of its own; {cure}")
    elif clicks:
        said = f"{first_few(map(repr, clicks))} may say what was clicked"
        warn(f"{path}: {said}; where each click has a row, {cure}, for each row is counted as one")
    asked = [(key[0], second, key[2]) for key, second in zip(keys, times, strict=True) if second is not None]
    warn_of_keystrokes(path, asked, "keep the last row of each only")


def looked_at(names: Iterable[str]) -> set[str]:
    """The columns of a table that `warn_of_rows` reads.

    >>> sorted(looked_at(["client", "query", "time", "page"])), looked_at(["query", "time"])
    (['client', 'time'], set())
    """
    user, time, clicks = _columns(names)
    return set() if user is None else {user, *clicks} | ({time} - {None})


def _columns(names: Iterable[str]) -> tuple[str | None, str | None, list[str]]:
    """Which column says who asked and when, None where none does, and which may say what was clicked."""
    names = {str(name).casefold(): name for name in names}
    plain = {re.sub(r"[\W_]", "", folded): name for folded, name in names.items()}
    user, time = (next((plain[one] for one in of.split() if one in plain), None) for of in (_USERS, _TIMES))
    return user, time, [name for folded, name in names.items() if folded in _CLICKS.split()]


_TIME = re.compile(
    r"(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})[T ,]+(\d{1,2}):(\d\d)(?::(\d\d(?:[.,]\d+)?))?"
    r"\s*([AP]M)?\s*(?:Z|UTC|GMT|[-+]\d\d(?::?\d\d)?)?",
    re.I,
)


def _second(text: str) -> float | None:
    """A date with a time of day, or the seconds, milliseconds or microseconds since 1970, in seconds from
    some beginning; None for all else, as a date alone."""
    text = text.strip()
    if re.fullmatch(r"[0-9]{9,10}(\.[0-9]+)?|[0-9]{12,13}|[0-9]{15,16}", text):
        digits = len(text.partition(".")[0])
        return float(text) / (1 if digits < 11 else 10**3 if digits < 14 else 10**6)
    if not (found := _TIME.fullmatch(text)):
        return None
    one, two, three, hour, minute = map(int, found.group(1, 2, 3, 4, 5))
    # Whether 11/03 is in March or November does not matter to what was asked on one day.
    year, month, day = (one, two, three) if one > 31 else (three, one, two)
    hour = hour % 12 + 12 * (found[7].upper() == "PM") if found[7] else hour
    days = (year * 12 + month) * 31 + day
    return ((days * 24 + hour) * 60 + minute) * 60 + float((found[6] or "0").replace(",", "."))


_TIME_OF_LOG = re.compile(r"\[(\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d)|(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)")


_CLIENT = re.compile(r"(\S+) \S+ \S+ \[\d\d/\w{3}/\d{4}:")
"""Who asked, in the common form of a log, whatever a program or a virtual host writes before it."""
_NUMBER = r"\d{1,3}(?:\.\d{1,3}){3}"


def client_and_second(before: str, behind: str = "") -> tuple[str, float]:
    """Whose request a line of an access log is, and when, by what stands before and behind its address; the
    client is the first word that is no time where nothing better is known, and the time 0 where none is said.

    >>> client_and_second('::1 - - [01/Jan/1970:00:01:00 +0000] "')[0]
    '::1'
    >>> client_and_second("Started ", '" for 10.0.0.1 at 1970-01-01 00:01:00 +0000')[0]
    '10.0.0.1'
    """
    found = _TIME_OF_LOG.search(before) or _TIME_OF_LOG.search(behind)
    client = _client(before, behind)
    try:
        if found and found[1]:
            return client, datetime.strptime(found[1], "%d/%b/%Y:%H:%M:%S").timestamp()
        return client, datetime.fromisoformat(found[2]).timestamp() if found else 0
    except (ValueError, OverflowError, OSError):
        return client, 0


def _client(before: str, behind: str) -> str:
    forms = (_CLIENT, before), (rf"\b({_NUMBER})\b", before), (rf'(?:\bfor |\bfwd=")({_NUMBER})', behind)
    found = next((found for form, text in forms if (found := re.search(form, text))), None)
    return found[1] if found else next((word for word in before.split() if not _TIME_OF_LOG.match(word)), "")
