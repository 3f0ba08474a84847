"""Exercise: which items of a ranking a budget lets through."""

from collections import Counter

from course.exercises.cases import Case, Mistake
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


def _walk(
    items,
    limits,
    stop_at_length=False,
    stop_at_source=False,
    count_source=False,
    count_characters="kept",
    **other,
):
    """The walk with one thing wrong; `places`, `shares`, `room` change a limit, `before` what was counted at the start."""
    places, room, share = (float("inf") if limit is None else limit for limit in limits)
    places, room, share = (
        places + other.get("places", 0),
        room - other.get("room", 0),
        share + other.get("shares", 0),
    )
    of_source, characters = other.get("before", (Counter(), 0))
    kept = []
    for item_id, source, n_characters in items:
        if len(kept) >= places:
            break
        characters += n_characters * (count_characters == "all")
        if of_source[source] >= share:
            if stop_at_source:
                break
            continue
        of_source[source] += count_source
        needed = 0 if count_characters == "all" or other.get("overshoot") else n_characters
        if characters + needed > room - (1 if other.get("overshoot") else 0):
            if stop_at_length:
                break
            continue
        characters += n_characters * (count_characters == "kept")
        of_source[source] += not count_source
        kept.append(item_id)
    return kept


def _mistaken(**wrong):
    def function(items, max_items, max_characters, max_per_source, offset):
        return _walk(items[offset:], (max_items, max_characters, max_per_source), **wrong)

    return function


def _offset_counts(of_source, of_characters):
    def function(items, max_items, max_characters, max_per_source, offset):
        limits, above = (max_items, max_characters, max_per_source), Counter()
        taken = within_budget(items[:offset], None, max_characters, max_per_source, 0)
        above.update(source for item_id, source, _ in items[:offset] if item_id in taken and of_source)
        characters = sum(n for item_id, _, n in items[:offset] if item_id in taken and of_characters)
        return _walk(items[offset:], limits, before=(above, characters))

    return function


def _offset_at_the_end(items, max_items, max_characters, max_per_source, offset):
    return within_budget(items, max_items, max_characters, max_per_source, 0)[offset:]


def _offset_at_the_end_with_more_places(items, max_items, max_characters, max_per_source, offset):
    places = None if max_items is None else max_items + offset
    return within_budget(items, places, max_characters, max_per_source, 0)[offset:]


def _offset_takes_places(items, max_items, max_characters, max_per_source, offset):
    places = None if max_items is None else max(0, max_items - offset)
    return within_budget(items, places, max_characters, max_per_source, offset)


def _window_first(items, max_items, max_characters, max_per_source, offset):
    window = items[offset:] if max_items is None else items[offset : offset + max_items]
    return within_budget(window, None, max_characters, max_per_source, 0)


def _none_compared(items, max_items, max_characters, max_per_source, offset):
    if items[offset:] and None in (max_items, max_characters, max_per_source):
        raise TypeError("'>=' not supported between instances of 'int' and 'NoneType'")
    return within_budget(items, max_items, max_characters, max_per_source, offset)


def _shortest_first(items, max_items, max_characters, max_per_source, offset):
    ordered = sorted(items[offset:], key=lambda item: item[2])
    return within_budget(ordered, max_items, max_characters, max_per_source, 0)


def _whole_items(items, max_items, max_characters, max_per_source, offset):
    kept = within_budget(items, max_items, max_characters, max_per_source, offset)
    return [item for item in items if item[0] in kept]


_STOPS = (
    "After the first item that is too long you let nothing else through: the loop ends there, or the length of what was skipped stays "
    "in the sum. One long page would then empty the whole answer. It is skipped, costs nothing, and a shorter one after it may fit."
)
_OFFSET_AT_THE_END = (
    "You fill the budget first and take the offset from what was kept. The first items then use up places, characters and the shares of "
    "their sources, and are thrown away. The offset comes first: it leaves out candidates, and the rest is filled without them."
)
_OFFSET_COUNTS = (
    "The items above the offset still count for their source or in the characters. Nobody gets to read them on this page, so they cost "
    "nothing: begin counting after the offset."
)

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
MANY += [("d1", "D", 10), ("e1", "E", 5)]

WITHIN_BUDGET = Exercise(
    name="WITHIN_BUDGET",
    task="""\
Write `within_budget(items, max_items, max_characters, max_per_source, offset)`: what of a ranking reaches the reader?

`items` is ranked, best first: a list of `(item_id, source, n_characters)`. Returned is the list of the item_ids that are let \
through, in their order. **Convention**: the first `offset` items are left out, and count for nothing. Then, from the top: stop \
when `max_items` are kept; skip an item whose source has `max_per_source` kept items; skip an item with which the kept characters \
would be more than `max_characters`, and go on. Only kept items count. A limit of `None` is no limit; `offset` is a number.""",
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
        Case((TWO_OF_A, None, None, 1, 1), "a1 is left out by the offset and does not count for A"),
        Case((TWO_OF_A, None, 20, None, 1), "a1 is left out by the offset, and so are its characters"),
        Case(
            ([("a1", "A", 90), ("b1", "B", 30), ("c1", "C", 30)], None, 60, None, 1),
            "the offset counts ranks: it is a1 that goes, whether or not it would have fitted",
        ),
        Case((TWO_OF_A, None, None, None, 5), "an offset beyond the end leaves nothing"),
        Case((TWO_OF_A, None, None, None, 0), "without limits everything comes through"),
        Case(
            (MANY, 4, 100, 2, 1),
            "all rules together: b1 is too long, a4 the third of A, c1 too long; b2 and d1 fill up",
        ),
    ),
    hints=(
        "Walk down the ranking once. For each item ask the rules in their order; only when it passes all of them is it kept, and only "
        "then do your counters move.",
        "Keep three things while you walk: the list of kept ids, the sum of their characters, and how many were kept of each source (a "
        "Counter). The offset is a slice: items[offset:].",
        "Full: break. Source at its cap, or characters + n_characters > max_characters: continue. Ask `is not None` before each "
        "comparison. Then append, and add to both counters.",
    ),
    mistakes=(
        Mistake("stops at what is too long", _mistaken(stop_at_length=True), _STOPS),
        Mistake(
            "stops at a full source",
            _mistaken(stop_at_source=True),
            "You stop at the first item whose source has had its share. The cap is there so that others get a place: skip the item, and "
            "look further down.",
        ),
        Mistake(
            "stops at whatever is skipped",
            _mistaken(stop_at_length=True, stop_at_source=True),
            "You stop at the first item that breaks any rule. Only `max_items` ends the walk. An item of a full source, or one that is too "
            "long, is skipped, and what stands below it may still be let through.",
        ),
        Mistake(
            "skipped items count for their source",
            _mistaken(count_source=True),
            "You count an item for its source before you know that it is kept. A long page that is skipped then takes the share of a "
            "shorter page of the same source. Count when it is appended.",
        ),
        Mistake(
            "all characters counted",
            _mistaken(count_characters="all"),
            "You add up the characters of every item on the way, also of those that are skipped. Nobody reads a skipped item; only what is "
            "kept costs characters.",
        ),
        Mistake(
            "characters one too few",
            _mistaken(room=1),
            "You refuse an item that fills the characters exactly. `max_characters` is the largest sum that is allowed: skip only what "
            "would go above it, with >.",
        ),
        Mistake(
            "characters asked too late",
            _mistaken(overshoot=True),
            "You ask whether there is room left, and not whether this item fits into it. The last one then goes beyond the limit, "
            "however long it is. Add its characters before you compare.",
        ),
        Mistake(
            "one item too many",
            _mistaken(places=1),
            "You let through one item more than `max_items`: with > the walk ends only when there are too many already. Ask before "
            "appending whether the places are full, with ==.",
        ),
        Mistake(
            "one of a source too many",
            _mistaken(shares=1),
            "You let through one item of a source more than `max_per_source`: with > a source is full only after it has had too many. Ask "
            "before appending, with ==.",
        ),
        Mistake("offset at the end", _offset_at_the_end, _OFFSET_AT_THE_END),
        Mistake(
            "offset at the end, with more places", _offset_at_the_end_with_more_places, _OFFSET_AT_THE_END
        ),
        Mistake(
            "offset takes places",
            _offset_takes_places,
            "You end at rank `max_items` of the whole ranking, so what the offset leaves out is missing at the end. The second page of "
            "results has as many items as the first.",
        ),
        Mistake("offset counts for sources", _offset_counts(True, False), _OFFSET_COUNTS),
        Mistake("offset counts in characters", _offset_counts(False, True), _OFFSET_COUNTS),
        Mistake("offset counts for both", _offset_counts(True, True), _OFFSET_COUNTS),
        Mistake(
            "skipped items take places",
            _window_first,
            "You look at `max_items` ranks only, and skip among those. A skipped item then takes a place that nobody gets. "
            "`max_items` counts what is kept; the walk goes on until so many are kept, or the ranking ends.",
        ),
        Mistake(
            "None compared",
            _none_compared,
            "You compare with a limit that is None; Python refuses. Ask `is not None` first.",
        ),
        Mistake(
            "shortest first",
            _shortest_first,
            "You take the short items first, so that more fit. But the ranking says what is worth reading, and a budget does not rank "
            "again: go down in the given order.",
        ),
        Mistake(
            "whole items returned",
            _whole_items,
            "You return the items with source and length. Asked for are their ids alone.",
        ),
    ),
)
