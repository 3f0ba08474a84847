"""Numbers and lists in sentences, said in one way everywhere."""

from collections.abc import Collection, Iterable, Sequence
from unicodedata import normalize

_SEVERAL = 5
"""So many queries have as many results each by no accident."""


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun. Without `many` the plural goes by rule: a final y becomes ies, else an s is
    added.

    >>> counted(1, "document"), counted(1200, "query"), counted(2, "miss", "misses")
    ('1 document', '1,200 queries', '2 misses')
    """
    return f"{n:,} {one if n == 1 else many or plural(one)}"


def plural(one: str) -> str:
    """The plural of a noun, by rule.

    >>> plural("query"), plural("document")
    ('queries', 'documents')
    """
    return one[:-1] + "ies" if one.endswith("y") else one + "s"


def never_more(lengths: Collection[int], asked: int) -> str:
    """What to say of rankings of which half or more have the same length, none is longer, and more was asked
    for; "" of others, and of fewer than five.

    >>> never_more([4, 4, 3, 4, 4], asked=100)
    'never more than 4 hits, though 100 were asked for: does it pass k on?'
    """
    n = max(lengths, default=0)
    cut = sum(length == n for length in lengths)
    if len(lengths) < _SEVERAL or not 0 < n < asked or 2 * cut < len(lengths):
        return ""
    return f"never more than {counted(n, 'hit')}, though {asked:,} were asked for: does it pass k on?"


def first_few(values: Iterable[object], most: int = 5, between: str = ", ") -> str:
    """The first few of many values, and how many more there are.

    >>> first_few(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    values = [str(value) for value in values]
    more = f" and {len(values) - most:,} more" if len(values) > most else ""
    return between.join(values[:most]) + more


def either(names: Sequence[str]) -> str:
    """Names of which one is meant.

    >>> either(["q", "query", "s"])
    'q, query or s'
    """
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def as_typed(text: str) -> str:
    """A text with the quotes, dashes and blanks of a typewriter, in which editors put others.

    >>> as_typed("Don\\u2019t\\u00a0go \\u2013 wait")
    "Don't go - wait"
    """
    return " ".join(text.translate(_TYPED).split())


_TYPED = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u2033", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | {"\u2026": "..."}
)


def folded(text: str) -> str:
    """A text as it is compared with others, whatever its case, its blanks and the encoding of its accents.

    >>> folded("Tu\\u0308r  AUF") == folded("t\\u00fcr auf")
    True
    """
    return normalize("NFC", " ".join(text.casefold().split()))
