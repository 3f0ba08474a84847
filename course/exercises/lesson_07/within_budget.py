"""Exercise: which items of a ranking a budget lets through."""

from collections import Counter

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, characters, of_source = [], 0, Counter()
    for item_id, source, n_characters in items[offset:]:
        if max_items is not None and len(kept) == max_items:
            break
        if max_per_source is not None and of_source[source] == max_per_source:
            continue
        if max_characters is not None and characters + n_characters > max_characters:
            continue
        kept.append(item_id)
        of_source[source] += 1
        characters += n_characters
    return kept


TWO_OF_A = [("a1", "A", 10), ("a2", "A", 10), ("b1", "B", 10)]
MANY = [
    ("a1", "A", 40),
    ("a2", "A", 30),
    ("b1", "B", 90),
    ("a3", "A", 20),
    ("a4", "A", 10),
    ("c1", "C", 60),
    ("b2", "B", 30),
]
MANY += [("d1", "D", 10), ("e1", "E", 5), ("f1", "F", 3), ("g1", "G", 2)]

WITHIN_BUDGET = Exercise(
    name="WITHIN_BUDGET",
    task="""\
Write `within_budget(items, max_items, max_characters, max_per_source, offset)`: which items of a ranking \
reach the reader?

`items` is ranked, best first: a list of `(item_id, source, n_characters)`. Return the ids of the items that \
are let through, in their order. **Convention**: the first `offset` items are left out, and \
count for nothing. Then go down the list. Stop when `max_items` are kept. Skip an item whose source \
already has `max_per_source` kept items, or whose length would bring the kept characters above \
`max_characters`, and go on. Only kept items count. A limit of `None` is no limit; `offset` is a number.""",
    reference=within_budget,
    cases=(
        Case(
            ([("a1", "A", 90), ("b1", "B", 30)], None, 60, None, 0),
            "the first is too long and is skipped; the second fits",
        ),
        Case(
            ([("a1", "A", 60), ("b1", "B", 40)], None, 100, None, 0),
            "together they are 100 characters, which is not above 100",
        ),
        Case(
            ([("a1", "A", 60), ("b1", "B", 41), ("c1", "C", 40)], None, 100, None, 0),
            "b1 would make 101; c1 makes 100",
        ),
        Case((TWO_OF_A, 2, None, None, 0), "when two are kept, it is over"),
        Case((TWO_OF_A, None, None, 1, 0), "A has had its one item; B has had none"),
        Case((TWO_OF_A, 2, None, 1, 0), "a2 is skipped, so it takes none of the two places"),
        Case(
            (
                [("a1", "A", 9), ("b1", "B", 9), ("a2", "A", 9), ("a3", "A", 9), ("b2", "B", 9)],
                None,
                None,
                2,
                0,
            ),
            "two of each source, wherever they stand",
        ),
        Case(
            ([("a1", "A", 90), ("a2", "A", 30)], None, 60, 1, 0),
            "a1 was skipped for its length; A still has its one item to give",
        ),
        Case(
            ([("a1", "A", 40), ("a2", "A", 40), ("b1", "B", 40)], None, 80, 1, 0),
            "a2 was skipped for its source; it costs nothing",
        ),
        Case(
            (TWO_OF_A, 2, None, None, 1),
            "an offset of 1 leaves out a1; two places are filled from what comes after",
        ),
        Case(
            (MANY, 4, 100, 2, 1),
            "all rules together: b1 is too long, a4 the third of A, c1 too long; b2 and d1 fill up",
        ),
        Case((TWO_OF_A, None, None, 1, 1), "a1 is left out by the offset and does not count for A"),
        Case((TWO_OF_A, None, 20, None, 1), "a1 is left out by the offset, and so are its characters"),
        Case(
            ([("a1", "A", 90), ("b1", "B", 30), ("c1", "C", 30)], None, 60, None, 1),
            "the offset counts ranks: it is a1 that goes, whether or not it would have fitted",
        ),
        Case((TWO_OF_A, None, None, None, 5), "an offset beyond the end leaves nothing"),
        Case((TWO_OF_A, None, None, None, 0), "without limits everything comes through"),
        Case((TWO_OF_A, 0, None, None, 0), "a limit of 0 is a limit: nothing is let through"),
        Case((TWO_OF_A, None, 0, None, 0), "no characters may be kept, so no item is"),
    ),
    hints=(
        "Walk down the ranking once. For each item ask the rules in their order; only when it passes all "
        "of them is it kept, and only then do your counters move.",
        "Keep three things while you walk: the list of kept ids, the sum of their characters, and how many "
        "were kept of each source (a Counter). The offset is a slice: items[offset:].",
        "Full: break. Source at its cap, or characters + n_characters > max_characters: continue. Ask `is "
        "not None` before each comparison. Then append, and add to both counters.",
    ),
)


def _walk(
    items,
    max_items,
    max_characters,
    max_per_source,
    offset,
    stop_at_length=False,
    stop_at_source=False,
    count_source=False,
    count_skipped=False,
    overshoot=False,
    counted=(),
):
    """The walk with one thing wrong; `counted` are items whose source or characters count from the start."""
    of_source, characters = Counter(source for _, source, _ in counted), sum(n for _, _, n in counted)
    slots, room, share = (
        float("inf") if limit is None else limit for limit in (max_items, max_characters, max_per_source)
    )
    kept = []
    for item_id, source, n_characters in items[offset:]:
        if len(kept) >= slots:
            break
        characters += n_characters * count_skipped
        if of_source[source] >= share:
            if stop_at_source:
                break
            continue
        of_source[source] += count_source
        needed = 0 if count_skipped else 1 if overshoot else n_characters
        if characters + needed > room:
            if stop_at_length:
                break
            continue
        characters += n_characters * (not count_skipped)
        of_source[source] += not count_source
        kept.append(item_id)
    return kept


def _more(limit, by=1):
    return None if limit is None else limit + by


def _kept_above(items, max_characters, max_per_source, offset):
    """The items above the offset that the budget would have let through."""
    kept = within_budget(items[:offset], None, max_characters, max_per_source, 0)
    return [item for item in items[:offset] if item[0] in kept]


@WITHIN_BUDGET.mistake("stops at what is too long")
def stops_at_what_is_too_long(items, max_items, max_characters, max_per_source, offset):
    """After the first item that is too long you let nothing else through: the loop ends there, or the length
    of what was skipped stays in the sum. One long page would then empty the whole answer. It is skipped,
    costs nothing, and a shorter one after it may fit."""
    return _walk(items, max_items, max_characters, max_per_source, offset, stop_at_length=True)


@WITHIN_BUDGET.mistake("stops at a full source")
def stops_at_a_full_source(items, max_items, max_characters, max_per_source, offset):
    """You stop at the first item whose source has had its share. The cap is there so that others get a place:
    skip the item, and look further down."""
    return _walk(items, max_items, max_characters, max_per_source, offset, stop_at_source=True)


@WITHIN_BUDGET.mistake("stops at whatever is skipped")
def stops_at_whatever_is_skipped(items, max_items, max_characters, max_per_source, offset):
    """You stop at the first item that breaks any rule. Only `max_items` ends the walk. An item of a full
    source, or one that is too long, is skipped, and what is below it may still be let through."""
    return _walk(
        items, max_items, max_characters, max_per_source, offset, stop_at_length=True, stop_at_source=True
    )


@WITHIN_BUDGET.mistake("skipped items count for their source")
def skipped_items_count_for_their_source(items, max_items, max_characters, max_per_source, offset):
    """You count an item for its source before you know that it is kept. A long page that is skipped then
    takes the share of a shorter page of the same source. Count when it is appended."""
    return _walk(items, max_items, max_characters, max_per_source, offset, count_source=True)


@WITHIN_BUDGET.mistake("all characters counted")
def all_characters_counted(items, max_items, max_characters, max_per_source, offset):
    """You add up the characters of every item on the way, also of those that are skipped. Nobody reads a
    skipped item; only what is kept costs characters."""
    return _walk(items, max_items, max_characters, max_per_source, offset, count_skipped=True)


@WITHIN_BUDGET.mistake("characters one too few")
def characters_one_too_few(items, max_items, max_characters, max_per_source, offset):
    """You refuse an item that fills the characters exactly. `max_characters` is the largest sum that is
    allowed: skip only what would go above it, with >."""
    return within_budget(items, max_items, _more(max_characters, by=-1), max_per_source, offset)


@WITHIN_BUDGET.mistake("characters asked too late")
def characters_asked_too_late(items, max_items, max_characters, max_per_source, offset):
    """You ask whether there is room left, and not whether this item fits into it. The last one then goes
    beyond the limit, however long it is. Add its characters before you compare."""
    return _walk(items, max_items, max_characters, max_per_source, offset, overshoot=True)


@WITHIN_BUDGET.mistake("one item too many")
def one_item_too_many(items, max_items, max_characters, max_per_source, offset):
    """You let through one item more than `max_items`: with > the walk ends only when there are too many
    already. Ask before appending whether the places are full, with ==."""
    return within_budget(items, _more(max_items), max_characters, max_per_source, offset)


@WITHIN_BUDGET.mistake("one of a source too many")
def one_of_a_source_too_many(items, max_items, max_characters, max_per_source, offset):
    """You let through one item of a source more than `max_per_source`: with > a source is full only after it
    has had too many. Ask before appending, with ==."""
    return within_budget(items, max_items, max_characters, _more(max_per_source), offset)


_OFFSET_AT_THE_END = (
    "You fill the budget first and take the offset from what was kept. The first items then use up places, "
    "characters and the shares of their sources, and are thrown away. The offset comes first: it leaves "
    "out candidates, and the rest is filled without them."
)


@WITHIN_BUDGET.mistake("offset at the end", _OFFSET_AT_THE_END)
def offset_at_the_end(items, max_items, max_characters, max_per_source, offset):
    return within_budget(items, max_items, max_characters, max_per_source, 0)[offset:]


@WITHIN_BUDGET.mistake("offset at the end, with more places", _OFFSET_AT_THE_END)
def offset_at_the_end_with_more_places(items, max_items, max_characters, max_per_source, offset):
    return within_budget(items, _more(max_items, by=offset), max_characters, max_per_source, 0)[offset:]


@WITHIN_BUDGET.mistake("offset takes places")
def offset_takes_places(items, max_items, max_characters, max_per_source, offset):
    """You end at rank `max_items` of the whole ranking, so what the offset leaves out is missing at the end.
    The second page of results has as many items as the first."""
    slots = None if max_items is None else max(0, max_items - offset)
    return within_budget(items, slots, max_characters, max_per_source, offset)


_OFFSET_COUNTS = (
    "The items above the offset still count for their source or in the characters. Nobody gets to read "
    "them on this page, so they cost nothing: begin counting after the offset."
)


@WITHIN_BUDGET.mistake("offset counts for sources", _OFFSET_COUNTS)
def offset_counts_for_sources(items, max_items, max_characters, max_per_source, offset):
    kept = _kept_above(items, max_characters, max_per_source, offset)
    counted = [(item_id, source, 0) for item_id, source, _ in kept]
    return _walk(items, max_items, max_characters, max_per_source, offset, counted=counted)


@WITHIN_BUDGET.mistake("offset counts in characters", _OFFSET_COUNTS)
def offset_counts_in_characters(items, max_items, max_characters, max_per_source, offset):
    kept = _kept_above(items, max_characters, max_per_source, offset)
    counted = [(item_id, None, n) for item_id, _, n in kept]
    return _walk(items, max_items, max_characters, max_per_source, offset, counted=counted)


@WITHIN_BUDGET.mistake("offset counts for both", _OFFSET_COUNTS)
def offset_counts_for_both(items, max_items, max_characters, max_per_source, offset):
    counted = _kept_above(items, max_characters, max_per_source, offset)
    return _walk(items, max_items, max_characters, max_per_source, offset, counted=counted)


@WITHIN_BUDGET.mistake("skipped items take places")
def window_first(items, max_items, max_characters, max_per_source, offset):
    """You look at `max_items` ranks only, and skip among those. A skipped item then takes a place that nobody
    gets. `max_items` counts what is kept; the walk goes on until so many are kept, or the ranking ends."""
    window = items[offset:] if max_items is None else items[offset : offset + max_items]
    return within_budget(window, None, max_characters, max_per_source, 0)


@WITHIN_BUDGET.mistake("0 is no limit")
def zero_is_no_limit(items, max_items, max_characters, max_per_source, offset):
    """You take a limit of 0 for no limit: `if max_items` is true only where it is above 0. None means no
    limit, and 0 lets nothing through. Ask `is not None`."""
    return within_budget(items, max_items or None, max_characters or None, max_per_source or None, offset)


@WITHIN_BUDGET.mistake("None compared")
def none_compared(items, max_items, max_characters, max_per_source, offset):
    """You compare with a limit that is None; Python refuses. Ask `is not None` first."""
    if items[offset:] and None in (max_items, max_characters, max_per_source):
        raise TypeError("'>=' not supported between instances of 'int' and 'NoneType'")
    return within_budget(items, max_items, max_characters, max_per_source, offset)


@WITHIN_BUDGET.mistake("shortest first")
def shortest_first(items, max_items, max_characters, max_per_source, offset):
    """You take the short items first, so that more fit. But the ranking says what is worth reading, and a
    budget does not rank again: go down in the given order."""
    ordered = sorted(items[offset:], key=lambda item: item[2])
    return within_budget(ordered, max_items, max_characters, max_per_source, 0)


@WITHIN_BUDGET.mistake("whole items returned")
def whole_items(items, max_items, max_characters, max_per_source, offset):
    """You return the items with source and length. Return their ids alone."""
    kept = within_budget(items, max_items, max_characters, max_per_source, offset)
    return [item for item in items if item[0] in kept]


_MOVES_UP = (
    "The item behind a skipped one is never looked at: a list from which something is removed while it is "
    "gone through moves up under the loop. Build a new list of what is kept."
)


@WITHIN_BUDGET.mistake("the item after a skipped one is not looked at, and stays", _MOVES_UP)
def next_not_looked_at_and_stays(items, max_items, max_characters, max_per_source, offset):
    return _moving_up(items[offset:], max_items, max_characters, max_per_source)[1]


@WITHIN_BUDGET.mistake("the item after a skipped one is not looked at", _MOVES_UP)
def next_not_looked_at(items, max_items, max_characters, max_per_source, offset):
    return _moving_up(items[offset:], max_items, max_characters, max_per_source)[0]


def _moving_up(items, max_items, max_characters, max_per_source):
    """What was let through, and as much of what is left of the list."""
    left, of_source, characters, kept = list(items), Counter(), 0, []
    for item in left:
        item_id, source, n_characters = item
        if max_items is not None and len(kept) == max_items:
            break
        full = max_per_source is not None and of_source[source] == max_per_source
        if full or (max_characters is not None and characters + n_characters > max_characters):
            left.remove(item)
            continue
        kept.append(item_id)
        of_source[source] += 1
        characters += n_characters
    return kept, [item_id for item_id, _, _ in left[: len(kept)]]


@WITHIN_BUDGET.mistake("each item's length for itself")
def each_length_for_itself(items, max_items, max_characters, max_per_source, offset):
    """You compare each item's own length with `max_characters`. The limit is one for all that is kept
    together: add up."""
    fits = [(i, s, 0 if max_characters is None or n <= max_characters else 1) for i, s, n in items]
    return within_budget(fits, max_items, 0, max_per_source, offset)


@WITHIN_BUDGET.mistake("each item's length for itself, offset counts for sources")
def each_length_offset_counts(items, max_items, max_characters, max_per_source, offset):
    """Two things. You compare each item's own length with `max_characters`, which is one limit for all that
    is kept together. And what the offset leaves out still counts for its source; it should count for
    nothing."""
    kept, of_source = [], Counter()
    for place, (item_id, source, n_characters) in enumerate(items):
        if max_items is not None and len(kept) >= max_items:
            break
        full = max_per_source is not None and of_source[source] >= max_per_source
        if full or (max_characters is not None and n_characters > max_characters):
            continue
        of_source[source] += 1
        kept += [item_id] if place >= offset else []
    return kept


@WITHIN_BUDGET.mistake("offset not used")
def offset_not_used(items, max_items, max_characters, max_per_source, offset):
    """You do not leave out the first `offset` items. They are what the reader has seen already."""
    return within_budget(items, max_items, max_characters, max_per_source, 0)
