"""What is known of a query that was asked, and under which names a file says it."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from unicodedata import is_normalized

from helpers.base import folded

TEXTS = ("query", "query_text", "text", "search_term", "search", "keyword", "q", "question")
IDS = ("query_id", "qid", "_id", "id")
COUNTS = ("frequency", "count", "searches", "hits", "n")
SEGMENTS = ("segment", "category")
BESIDE = (*IDS, *COUNTS, "kind")


@dataclass(frozen=True)
class AskedQuery:
    """A query as it was asked: text, id, kind and segment where it has them, how often asked, how often
    drawn, and the file and line that it was first read from; in how many `forms` it was typed, capitals and
    blanks apart, and how many of its searches were made `by_programs`."""

    text: str
    query_id: str | None = None
    frequency: int = 1
    drawn: int | None = None
    kind: str | None = None
    segment: str | None = None
    where: str = field(default="", repr=False, compare=False)
    forms: int = field(default=1, repr=False, compare=False)
    by_programs: int = field(default=0, repr=False, compare=False)


def key_of(text: str) -> str:
    """A text as it is compared with others; empty where nothing in it can be seen."""
    return folded(text) if any(map(_is_seen, text)) else ""


def _is_seen(char: str) -> bool:
    return char.isprintable() and not char.isspace()


def each_once(
    queries: Iterable[AskedQuery], by: Callable[[AskedQuery], Hashable] = lambda query: key_of(query.text)
) -> list[AskedQuery]:
    """Each text once, in the order in which they are first met and in its most frequent form, with all its
    searches together, and what else the first one has.

    Of equally frequent forms the one in small letters is taken, and of several the first by the alphabet, so
    that the order of the searches does not matter.

    >>> each_once([AskedQuery("VPN"), AskedQuery("vpn", frequency=2), AskedQuery("Vpn")])[0].text
    'vpn'
    """
    groups: dict[Hashable, list[AskedQuery]] = {}
    for query in queries:
        groups.setdefault(by(query), []).append(query)
    return [_as_one(group) for group in groups.values()]


def _as_one(group: Sequence[AskedQuery]) -> AskedQuery:
    """Queries of one text as one."""
    times: Counter[str] = Counter()
    for query in group:
        times[" ".join(query.text.split())] += query.frequency
    form = min(times, key=lambda one: (-times[one], one != one.lower(), not is_normalized("NFC", one), one))
    return replace(
        group[0],
        text=form,
        frequency=times.total(),
        drawn=sum(query.drawn or 0 for query in group) or None,
        segment=next((query.segment for query in group if query.segment), None),
        forms=len({query.text for query in group}) + sum(query.forms - 1 for query in group),
        by_programs=sum(query.by_programs for query in group),
    )
