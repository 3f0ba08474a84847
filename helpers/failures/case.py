"""One relevant document that a query missed, as plain data. What it was missed for is asked in `causes`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """One relevant document that a query missed, with what is known of both.

    `rank` is its rank among all documents, inf where it was not retrieved; `above` the documents before it, best first. `text` is
    its text ("" where the corpus lacks it), `quote` what answers in it, `span` where that stands, `passage` the paragraph around
    it; without quotes "", None and the text. Of a system that cuts documents `piece` is the text of its best chunk ("" where none
    was retrieved), `whole_rank` its rank with whole documents, `lost` whether quote or document is in no chunk. With a token
    budget `tokens` are how many it takes until the context holds it, `room` how many the pieces of the first k documents have.
    """

    query_id: str
    kind: str
    query: str
    doc_id: str
    grade: int
    grades: Mapping[str, int] = field(repr=False)
    rank: float
    above: Sequence[str] = field(repr=False)
    k: int
    text: str = field(repr=False)
    passage: str = field(repr=False)
    quote: str = ""
    span: tuple[int, int] | None = None
    piece: str = field(default="", repr=False)
    whole_rank: float | None = None
    lost: bool = False
    tokens: float | None = None
    room: float | None = None
    budget: int | None = None
    swaps: Mapping[str, str] = field(default_factory=dict)
