"""The query budget: which of a backend's ranked candidates a reader, or a language model, is given.

A backend ranks everything that it finds. A budget says how many items, how many characters and how many items
of one source are let through. Nothing here ranks or scores.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isnan
from numbers import Real

from pydantic import Field

from helpers.base import Strict, check_type, warn
from helpers.stats import check_in_order

RULES = (
    "offset",
    "max_total_items",
    "max_items_per_source",
    "max_items_per_document",
    "maximum_total_characters",
)
"""What can keep an item out, in the order in which they are asked."""


@dataclass(frozen=True)
class Item:
    """What a backend ranks: a whole document or a chunk of one, with its score.

    `text == document[start:end]`, counted in characters from 0. `source_uri` is where the document came from.

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


class QueryBudget(Strict):
    """What one query may cost; a limit of None is none. `offset` first candidates are left out.

    Characters are those of `Item.text`, as `len` counts them. One item per document is a budget of
    documents: of a search over pieces the best piece of each counts, and it is read on until there are
    `max_total_items` of them. Raises pydantic's ValidationError, a
    ValueError, for a limit that is no whole number, below 1 (`offset`: below 0), or unknown.

    >>> QueryBudget(max_total_items=5, max_items_per_source=1)
    QueryBudget(max_total_items=5, maximum_total_characters=None, max_items_per_source=1, \
max_items_per_document=None, offset=0)
    """

    max_total_items: int = Field(ge=1)
    maximum_total_characters: int | None = Field(default=None, ge=1)
    max_items_per_source: int | None = Field(default=None, ge=1)
    max_items_per_document: int | None = Field(default=None, ge=1)
    offset: int = Field(default=0, ge=0)


@dataclass(frozen=True)
class Cut:
    """An item that was left out: its rank among the candidates, from 1, and which of `RULES` kept it out.

    >>> Cut(Item("a.md", "a.md", "a.md", 1.5, "Restart it.", 0, 11), 3, "offset").rank
    3
    """

    item: Item
    rank: int
    reason: str


def within_budget(candidates: Iterable[Item], budget: QueryBudget) -> tuple[list[Item], list[Cut]]:
    """The evidence, and what was cut from it, both in the order of the candidates, which come best first.

    From the best candidate down: the first `offset` are skipped; when `max_total_items` are kept, everything
    after is cut; an item whose source has `max_items_per_source` kept items, or whose document has
    `max_items_per_document`, is skipped; an item that would bring the kept characters above
    `maximum_total_characters` is skipped, whole, and a shorter one after it may still fit.
    Only kept items count towards the limits.

    Raises ValueError where an item stands twice among the candidates, for it would be counted twice, and for
    a score that is NaN. Warns of scores that rise: the order of the candidates is what counts.

    >>> long, short = Item("a", "a", "a", 2.0, 90 * "x", 0, 90), Item("b", "b", "b", 1.0, 20 * "x", 0, 20)
    >>> kept, cut = within_budget([long, short], QueryBudget(max_total_items=2, maximum_total_characters=50))
    >>> [item.item_id for item in kept], [(one.item.item_id, one.rank, one.reason) for one in cut]
    (['b'], [('a', 1, 'maximum_total_characters')])
    """
    check_type("budget", budget, QueryBudget, "e.g. QueryBudget(max_total_items=5)")
    check_type("candidates", candidates, Iterable, "a list of Item, best first")
    check_in_order(candidates, "candidates")
    candidates = list(candidates)  # one that comes bit by bit could be gone through once only
    for number, item in enumerate(candidates, start=1):
        check_type(f"candidate {number}", item, Item)
        for name in ("item_id", "doc_id", "source_uri"):
            check_type(f"candidate {number}: {name}", getattr(item, name), str)
        what = f"the score of candidate {number} ({item.item_id!r:.60})"
        check_type(what, item.score, Real)
        if isnan(item.score):
            raise ValueError(f"{what} is NaN; needed a number: mend what scored it, or leave the item out")
    item_ids = [item.item_id for item in candidates]
    if len(set(item_ids)) < len(item_ids):
        item_id, times = next(pair for pair in Counter(item_ids).items() if pair[1] > 1)
        raise ValueError(
            f"item {item_id!r} stands {times} times among the candidates; keep its best rank only"
        )
    _warn_of_rising(candidates)
    kept: list[Item] = []
    cut: list[Cut] = []
    of_source: Counter[str] = Counter()
    of_document: Counter[str] = Counter()
    characters = 0
    for rank, item in enumerate(candidates, start=1):
        check_type(f"the text of candidate {rank} ({item.item_id!r:.60})", item.text, str)
        # All places are taken: everything after is cut.
        if len(kept) == budget.max_total_items:
            cut += [Cut(one, at, "max_total_items") for at, one in enumerate(candidates[rank - 1 :], rank)]
            break
        # Which other rules the item breaks depends on what was kept before it, and on nothing after it.
        broken = (
            ("offset", rank <= budget.offset),
            ("max_items_per_source", of_source[item.source_uri] == budget.max_items_per_source),
            ("max_items_per_document", of_document[item.doc_id] == budget.max_items_per_document),
            (
                "maximum_total_characters",
                characters + len(item.text) > (budget.maximum_total_characters or inf),
            ),
        )
        # The first of them is the reason; an item that breaks none is kept, and only it uses up the budget.
        if reason := next((rule for rule, is_broken in broken if is_broken), None):
            cut.append(Cut(item, rank, reason))
            continue
        kept.append(item)
        of_source[item.source_uri] += 1
        of_document[item.doc_id] += 1
        characters += len(item.text)
    return kept, cut


def _warn_of_rising(candidates: Sequence[Item]) -> None:
    """Warns where a candidate has a higher score than the one before it: they may not come best first."""
    for rank, (item, after) in enumerate(zip(candidates, candidates[1:], strict=False), start=1):
        if after.score > item.score:
            said = f"candidate {rank} has the score {item.score:g}, and candidate {rank + 1} {after.score:g}"
            cure = "they are taken as they stand, so give them best first"
            warn(f"{said}; {cure}: sorted(candidates, key=lambda item: -item.score)")
            return
