"""What is known of a query that was asked, and under which names a file says it."""

from dataclasses import dataclass, field

TEXTS = ("query", "query_text", "text", "search_term", "search", "keyword", "q", "question")
IDS = ("query_id", "qid", "_id", "id")
COUNTS = ("frequency", "count", "searches", "hits", "n")
SEGMENTS = ("segment", "category")
BESIDE = (*IDS, *COUNTS, "kind")


@dataclass(frozen=True)
class AskedQuery:
    """A query as it was asked: text, id, kind and segment where it has them, how often asked, how often
    drawn, and the file and line that it was first read from."""

    text: str
    query_id: str | None = None
    frequency: int = 1
    drawn: int | None = None
    kind: str | None = None
    segment: str | None = None
    where: str = field(default="", repr=False, compare=False)
