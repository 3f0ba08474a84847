"""The query budget: which of a backend's ranked candidates a reader, or a language model, is given.

A backend ranks everything that it finds. A budget says how many items, how many characters and how many items of one source
are let through. Nothing here ranks or scores; what a budget does to the metrics is measured in `reports.evaluate`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

REASONS = ("offset", "max_items_per_source", "maximum_total_characters", "max_total_items")


@dataclass(frozen=True)
class Item:
    """What a backend ranks: a whole document or a chunk of one, with its score.

    `text == document[start:end]`; `start` and `end` count characters from 0. `source_uri` says where the document came from.

    >>> Item("a.md#0", "a.md", "a.md", 1.5, "Restart it.", 40, 51).end
    51
    """

    item_id: str
    doc_id: str
    source_uri: str
    score: float
    text: str
    start: int
    end: int


class QueryBudget(BaseModel):
    """What one query may cost. Where a limit is None there is none. `offset` is the number of first candidates to leave out.

    Characters are those of `Item.text`, as `len` counts them. Raises pydantic's ValidationError, a ValueError, for a limit
    that is no whole number or below 1 (`offset`: below 0), and for a limit that there is not.

    >>> QueryBudget(max_total_items=5, max_items_per_source=1)
    QueryBudget(max_total_items=5, maximum_total_characters=None, max_items_per_source=1, offset=0)
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    max_total_items: int = Field(ge=1)
    maximum_total_characters: int | None = Field(default=None, ge=1)
    max_items_per_source: int | None = Field(default=None, ge=1)
    offset: int = Field(default=0, ge=0)


@dataclass(frozen=True)
class Cut:
    """An item that the budget left out: its rank among the candidates, from 1, and which of `REASONS` kept it out.

    >>> Cut(Item("a.md", "a.md", "a.md", 1.5, "Restart it.", 0, 11), 3, "offset").rank
    3
    """

    item: Item
    rank: int
    reason: str


def within_budget(candidates: Sequence[Item], budget: QueryBudget) -> tuple[list[Item], list[Cut]]:
    """The evidence, and what was cut from it, both in the order of the candidates.

    From the best candidate down: the first `offset` are skipped; when `max_total_items` are kept, everything after is cut;
    an item whose source has `max_items_per_source` kept items is skipped; an item that would bring the kept characters above
    `maximum_total_characters` is skipped, whole, and a shorter one after it may still fit. Only kept items count towards
    the limits. The first item kept has rank 1. No candidates give no evidence.

    Raises ValueError where an item stands twice among the candidates: it would be paid for, and counted, twice.

    >>> long, short = (Item(name, name, name, 1.0, "x" * size, 0, size) for name, size in [("long", 90), ("short", 20)])
    >>> kept, cut = within_budget([long, short], QueryBudget(max_total_items=2, maximum_total_characters=50))
    >>> [item.item_id for item in kept], [(one.item.item_id, one.rank, one.reason) for one in cut]
    (['short'], [('long', 1, 'maximum_total_characters')])
    """
    _check_distinct(candidates)
    kept: list[Item] = []
    cut: list[Cut] = []
    of_source: Counter[str] = Counter()
    characters = 0
    for rank, item in enumerate(candidates, start=1):
        reason = _why_not(item, rank, budget, len(kept), of_source[item.source_uri], characters)
        if reason:
            cut.append(Cut(item, rank, reason))
            continue
        kept.append(item)
        of_source[item.source_uri] += 1
        characters += len(item.text)
    return kept, cut


def _why_not(
    item: Item, rank: int, budget: QueryBudget, items: int, of_source: int, characters: int
) -> str | None:
    """The first rule that keeps an item out, given what is kept before it; None where it is let through."""
    if rank <= budget.offset:
        return "offset"
    if items == budget.max_total_items:
        return "max_total_items"
    if budget.max_items_per_source is not None and of_source == budget.max_items_per_source:
        return "max_items_per_source"
    limit = budget.maximum_total_characters
    if limit is not None and characters + len(item.text) > limit:
        return "maximum_total_characters"
    return None


def _check_distinct(candidates: Sequence[Item]) -> None:
    for item_id, times in Counter(item.item_id for item in candidates).items():
        if times > 1:
            raise ValueError(
                f"item {item_id!r} stands {times} times among the candidates; keep its best rank only"
            )
