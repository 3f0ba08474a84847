"""Exercise: so many labels, and where they make the interval narrowest."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def labels_per_stratum(sizes, spreads, n):
    weights = {name: sizes[name] * spreads[name] for name in sizes}
    if not any(weights.values()):
        weights = sizes
    shares = {name: n * weight / sum(weights.values()) for name, weight in weights.items()}
    given = {name: int(share) for name, share in shares.items()}
    by_remainder = sorted(shares, key=lambda name: given[name] - shares[name])
    for name in by_remainder[: n - sum(given.values())]:
        given[name] += 1
    return given


LABELS_PER_STRATUM = Exercise(
    name="LABELS_PER_STRATUM",
    task="""\
Write `labels_per_stratum(sizes, spreads, n)`: how many of the next n labels go to each stratum, so that \
the interval of the mean is narrowest?

`sizes` is `{stratum: number of items}`, `spreads` the standard deviation of the labels in each, guessed \
or from a pilot, with the same keys. Returned is `{stratum: whole number}`, n in all. **Convention** \
(Neyman 1934): in proportion to size · spread, every share rounded down, and what is left over goes, one \
each, to the strata with the largest remainders, of equal ones to the one that comes first in `sizes`. \
Where all spreads are 0, in proportion to the sizes.""",
    reference=labels_per_stratum,
    cases=(
        Case(({"no": 600, "yes": 200}, {"no": 0.25, "yes": 0.25}, 40), "equal spreads: by size, 30 and 10"),
        Case(({"no": 600, "yes": 200}, {"no": 0.125, "yes": 0.375}, 40), "75 to 75: 20 each"),
        Case(({"a": 100, "b": 100}, {"a": 0.5, "b": 0.25}, 30), "equal sizes: 2 to 1"),
        Case(({"0": 700, "1": 100, "2": 200}, {"0": 0.25, "1": 0.5, "2": 0.5}, 40), "175 : 50 : 100"),
        Case(({"a": 300, "b": 100}, {"a": 0.0, "b": 0.5}, 12), "a stratum in which all agree gets none"),
        Case(
            ({"a": 1, "b": 1, "c": 1}, {"a": 0.5, "b": 0.5, "c": 0.5}, 8),
            "8/3 each: the first two get one more",
        ),
        Case(
            ({"a": 5, "b": 2}, {"a": 0.5, "b": 0.5}, 9), "6.43 and 2.57: the larger remainder gets the label"
        ),
        Case(
            ({"c": 1, "a": 1, "b": 1}, {"c": 0.5, "a": 0.5, "b": 0.5}, 8),
            "8/3 each: the first two of `sizes` get one more, c and a",
        ),
        Case(
            (
                {"9": 130, "100": 245, "10": 420, "2": 105, "30": 60},
                {"10": 0.3, "2": 0.45, "30": 0.0, "9": 0.4, "100": 0.25},
                22,
            ),
            "3.99, 4.70, 9.68, 3.63 and 0: three labels are left over, for the first three strata",
        ),
        Case(
            ({"no": 600, "yes": 200}, {"yes": 0.375, "no": 0.125}, 20),
            "a spread belongs to its stratum by name",
        ),
        Case(({"x": 30, "y": 10}, {"x": 0.0, "y": 0.0}, 8), "no spread at all: by size"),
        Case(({"all": 50}, {"all": 0.4}, 7), "one stratum gets everything"),
        Case(
            ({"a": 130, "b": 245, "c": 420, "d": 105}, dict.fromkeys("abcd", 0.5), 9),
            "1.3, 2.45, 4.2 and 1.05: the label that is left over goes to b",
        ),
        Case(({"a": 10, "b": 70, "c": 40}, {"a": 0.5, "b": 0.25, "c": 0.25}, 10), "5 : 17.5 : 10 of 10"),
    ),
    hints=(
        "A stratum counts by its size, and learns more from a label where labels differ: weigh by the "
        "product.",
        "shares = n * weight / sum of weights. int() rounds down; n minus the sum of these is left over.",
        "sorted(shares, key=lambda name: given[name] - shares[name]) puts the largest remainder first and "
        "keeps the order of equals; the first n - sum(given.values()) of them get one more.",
    ),
)


def _allotted(weights, n):
    """Whole numbers in proportion to weights, by largest remainders."""
    return labels_per_stratum(weights, dict.fromkeys(weights, 1), n)


@LABELS_PER_STRATUM.mistake("by size alone")
def by_size_alone(sizes, spreads, n):
    """You go by size alone. A large stratum in which all labels agree needs few of them; weigh by
    size · spread."""
    return labels_per_stratum(sizes, dict.fromkeys(sizes, 1), n)


@LABELS_PER_STRATUM.mistake("by spread alone")
def by_spread_alone(sizes, spreads, n):
    """You go by spread alone. A small stratum counts little in the mean, however much its labels differ;
    weigh by size · spread."""
    return labels_per_stratum(sizes, {name: spreads[name] / sizes[name] for name in sizes}, n)


@LABELS_PER_STRATUM.mistake("the same for all")
def the_same_for_all(sizes, spreads, n):
    """You give each stratum the same number. That is best only where size · spread is the same."""
    return labels_per_stratum(dict.fromkeys(sizes, 1), dict.fromkeys(sizes, 1), n)


@LABELS_PER_STRATUM.mistake("by the variance")
def by_the_variance(sizes, spreads, n):
    """You weigh by size · spread². The optimum goes by the standard deviation itself, not its square."""
    return labels_per_stratum(sizes, {name: spread**2 for name, spread in spreads.items()}, n)


@LABELS_PER_STRATUM.mistake("size over spread")
def size_over_spread(sizes, spreads, n):
    """You divide by the spread. Labels are worth most where they differ most: multiply."""
    return labels_per_stratum(sizes, {name: 1 / (spreads[name] or 1) for name in sizes}, n)


@LABELS_PER_STRATUM.mistake("no whole numbers")
def no_whole_numbers(sizes, spreads, n):
    """You return shares. Nobody can label 6.43 pairs: round down, and give out what is left over."""
    weights = {name: sizes[name] * spreads[name] for name in sizes}
    weights = weights if any(weights.values()) else sizes
    return {name: n * weight / sum(weights.values()) for name, weight in weights.items()}


@LABELS_PER_STRATUM.mistake("rounded each")
def rounded_each(sizes, spreads, n):
    """You round every share by itself, so that the sum need not be n. Round down, and give the rest to the
    largest remainders."""
    return {name: round(share) for name, share in no_whole_numbers(sizes, spreads, n).items()}


@LABELS_PER_STRATUM.mistake("the rest is lost")
def the_rest_is_lost(sizes, spreads, n):
    """You round down and leave the rest. All n labels are paid for; give them to the largest remainders."""
    return {name: int(share) for name, share in no_whole_numbers(sizes, spreads, n).items()}


@LABELS_PER_STRATUM.mistake("the rest to the first")
def the_rest_to_the_first(sizes, spreads, n):
    """You give what is left over to the first strata. It goes to those with the largest remainders."""
    given = the_rest_is_lost(sizes, spreads, n)
    for name in list(given)[: n - sum(given.values())]:
        given[name] += 1
    return given


@LABELS_PER_STRATUM.mistake("all to the widest spread")
def all_to_the_widest_spread(sizes, spreads, n):
    """You give all labels to the stratum with the widest spread. About the others nothing would be known,
    and each of them counts by its size."""
    widest = max(sizes, key=lambda name: spreads[name])
    return {name: n * (name == widest) for name in sizes}


@LABELS_PER_STRATUM.mistake("no spread, no label")
def no_spread_no_label(sizes, spreads, n):
    """Where all spreads are 0 you give no label, or fail. Then nothing speaks for one stratum more than for
    another but its size."""
    return labels_per_stratum(sizes, spreads, n) if any(spreads.values()) else dict.fromkeys(sizes, 0)


def _handed_out(sizes, spreads, n, order, weights=None):
    """As the reference, what is left over given out in another order."""
    weights = weights or {name: sizes[name] * spreads[name] for name in sizes}
    weights = weights if any(weights.values()) else sizes
    shares = {name: n * weight / sum(weights.values()) for name, weight in weights.items()}
    given = {name: int(share) for name, share in shares.items()}
    remainders = {name: round(shares[name] - given[name], 9) for name in sizes}
    for name in order(remainders, shares)[: n - sum(given.values())]:
        given[name] += 1
    return given


@LABELS_PER_STRATUM.mistake("the rest to the largest strata")
def the_rest_to_the_largest(sizes, spreads, n):
    """You give what is left over to the largest strata. It goes to those with the largest
    remainders: they lost most when the shares were rounded down."""
    return _handed_out(sizes, spreads, n, lambda rest, shares: sorted(shares, key=lambda name: -shares[name]))


@LABELS_PER_STRATUM.mistake("the rest to the smallest")
def the_rest_to_the_smallest(sizes, spreads, n):
    """You give what is left over to the smallest strata. It goes to those with the largest remainders."""
    return _handed_out(sizes, spreads, n, lambda rest, shares: sorted(shares, key=lambda name: sizes[name]))


@LABELS_PER_STRATUM.mistake("the rest to the widest spread")
def the_rest_to_the_widest(sizes, spreads, n):
    """You give what is left over to the strata with the widest spread. It goes to those with the largest
    remainders: the spread is in the shares already."""
    return _handed_out(
        sizes, spreads, n, lambda rest, shares: sorted(shares, key=lambda name: -spreads[name])
    )


@LABELS_PER_STRATUM.mistake("the rest to the last")
def the_rest_to_the_last(sizes, spreads, n):
    """You give what is left over to the last strata. It goes to those with the largest remainders."""
    return _handed_out(sizes, spreads, n, lambda rest, shares: list(shares)[::-1])


@LABELS_PER_STRATUM.mistake("smallest remainders first")
def smallest_remainders_first(sizes, spreads, n):
    """You give what is left over to the smallest remainders. It goes to the largest: they lost most when the
    shares were rounded down."""
    return _handed_out(sizes, spreads, n, lambda rest, shares: sorted(shares, key=lambda name: rest[name]))


@LABELS_PER_STRATUM.mistake("equal remainders by name")
def equal_remainders_by_name(sizes, spreads, n):
    """Of equal remainders you take the first by its name. By this convention it is the one that comes first
    in `sizes`."""
    return _handed_out(
        sizes, spreads, n, lambda rest, shares: sorted(sorted(shares), key=lambda name: -rest[name])
    )


@LABELS_PER_STRATUM.mistake("of equal remainders the last")
def of_equal_remainders_the_last(sizes, spreads, n):
    """Of equal remainders you take the last. By this convention it is the one that comes first in `sizes`."""
    return _handed_out(
        sizes, spreads, n, lambda rest, shares: sorted(shares, key=lambda name: rest[name])[::-1]
    )


@LABELS_PER_STRATUM.mistake("the whole rest to one")
def the_whole_rest_to_one(sizes, spreads, n):
    """You give all that is left over to one stratum. Each gets one at most: the next one goes to the next
    largest remainder."""
    given = the_rest_is_lost(sizes, spreads, n)
    shares = no_whole_numbers(sizes, spreads, n)
    largest = max(sizes, key=lambda name: round(shares[name] - given[name], 9))
    return given | {largest: given[largest] + n - sum(given.values())}


@LABELS_PER_STRATUM.mistake("more than the rest")
def more_than_the_rest(sizes, spreads, n):
    """You give to several strata all that is left over. Each of them gets one more."""
    given = the_rest_is_lost(sizes, spreads, n)
    right, left = labels_per_stratum(sizes, spreads, n), n - sum(given.values())
    return {name: given[name] + left * (right[name] - given[name]) for name in sizes}


@LABELS_PER_STRATUM.mistake("no spread: the same for all")
def no_spread_the_same(sizes, spreads, n):
    """Where all spreads are 0 you give each stratum the same. By this convention it is in proportion to the
    sizes."""
    if any(spreads.values()):
        return labels_per_stratum(sizes, spreads, n)
    return _allotted(dict.fromkeys(sizes, 1), n)


@LABELS_PER_STRATUM.mistake("no spread: division by 0")
def no_spread_division(sizes, spreads, n):
    """Where all spreads are 0 you divide by 0. By this convention it is in proportion to the sizes then."""
    return labels_per_stratum(sizes, spreads, n) if any(spreads.values()) else 1 / 0


@LABELS_PER_STRATUM.mistake("spreads by their place")
def spreads_by_place(sizes, spreads, n):
    """You pair sizes and spreads by their place. Two dictionaries with the same keys may have them in another
    order: take the spread by the stratum's name."""
    return labels_per_stratum(sizes, dict(zip(sizes, spreads.values(), strict=True)), n)


@LABELS_PER_STRATUM.mistake("rounded up")
def rounded_up(sizes, spreads, n):
    """You round every share up, so that the sum may pass n. Round down, and give the rest to the largest
    remainders."""
    return {name: -int(-share // 1) for name, share in no_whole_numbers(sizes, spreads, n).items()}


@LABELS_PER_STRATUM.mistake("by the size squared")
def by_the_size_squared(sizes, spreads, n):
    """You weigh by size² · spread. The optimum goes by size · spread."""
    if not any(spreads.values()):
        return labels_per_stratum({name: size**2 for name, size in sizes.items()}, spreads, n)
    return labels_per_stratum(sizes, {name: sizes[name] * spreads[name] for name in sizes}, n)


@LABELS_PER_STRATUM.mistake("by the root of the size")
def by_the_root_of_the_size(sizes, spreads, n):
    """You weigh by √size · spread. The optimum goes by size · spread."""
    weights = {name: sizes[name] ** 0.5 * spreads[name] for name in sizes}
    return _allotted(weights if any(weights.values()) else sizes, n)


def _rounded(sizes, spreads, n, corrected):
    """Every share rounded by itself, and the sum then corrected in one stratum."""
    given = rounded_each(sizes, spreads, n)
    one = corrected(given)
    return given | {one: given[one] + n - sum(given.values())}


_ROUNDED_THEN = (
    "You round every share by itself, and correct the sum in one stratum. Round down, and give what is left "
    "over to the largest remainders, one each."
)


@LABELS_PER_STRATUM.mistake("rounded, the first corrected", _ROUNDED_THEN)
def rounded_first_corrected(sizes, spreads, n):
    return _rounded(sizes, spreads, n, lambda given: next(iter(given)))


@LABELS_PER_STRATUM.mistake("rounded, the last corrected", _ROUNDED_THEN)
def rounded_last_corrected(sizes, spreads, n):
    return _rounded(sizes, spreads, n, lambda given: list(given)[-1])


@LABELS_PER_STRATUM.mistake("rounded, the largest corrected", _ROUNDED_THEN)
def rounded_largest_corrected(sizes, spreads, n):
    return _rounded(sizes, spreads, n, lambda given: max(given, key=given.get))


@LABELS_PER_STRATUM.mistake("the whole rest to the first")
def the_whole_rest_to_the_first(sizes, spreads, n):
    """You give all that is left over to the first stratum. It goes to the largest remainders, one each."""
    given = the_rest_is_lost(sizes, spreads, n)
    first = next(iter(given))
    return given | {first: given[first] + n - sum(given.values())}


@LABELS_PER_STRATUM.mistake("the whole rest to the last")
def the_whole_rest_to_the_last(sizes, spreads, n):
    """You give all that is left over to the last stratum. It goes to the largest remainders, one each."""
    given = the_rest_is_lost(sizes, spreads, n)
    last = list(given)[-1]
    return given | {last: given[last] + n - sum(given.values())}


@LABELS_PER_STRATUM.mistake("the whole rest to the largest stratum")
def the_whole_rest_to_the_largest_stratum(sizes, spreads, n):
    """You give all that is left over to one stratum, a large one. It goes to the largest remainders, one
    each, wherever these are."""
    given = the_rest_is_lost(sizes, spreads, n)
    largest = max(sizes, key=sizes.get)
    return given | {largest: given[largest] + n - sum(given.values())}


@LABELS_PER_STRATUM.mistake("at least one")
def at_least_one(sizes, spreads, n):
    """You give each stratum one label at least. By this convention a stratum in which all agree may get
    none."""
    return {name: max(1, labels) for name, labels in labels_per_stratum(sizes, spreads, n).items()}


@LABELS_PER_STRATUM.mistake("strata without labels left out")
def without_labels_left_out(sizes, spreads, n):
    """You leave out a stratum that gets no label. It is in the result, with 0."""
    return {name: labels for name, labels in labels_per_stratum(sizes, spreads, n).items() if labels}


@LABELS_PER_STRATUM.mistake("no more than there are items")
def no_more_than_there_are(sizes, spreads, n):
    """You give no stratum more labels than it has items. That is sensible, and no part of this convention: n
    labels are given out in all."""
    return {name: min(sizes[name], labels) for name, labels in labels_per_stratum(sizes, spreads, n).items()}


@LABELS_PER_STRATUM.mistake("by the standard error")
def by_the_standard_error(sizes, spreads, n):
    """You weigh by spread / √size. The optimum goes by size · spread: a large stratum counts much in the
    mean."""
    if not any(spreads.values()):
        return labels_per_stratum(sizes, spreads, n)
    return labels_per_stratum(sizes, {name: spreads[name] / sizes[name] ** 1.5 for name in sizes}, n)


@LABELS_PER_STRATUM.mistake("shares of 1")
def shares_of_1(sizes, spreads, n):
    """You return shares that add up to 1. Multiply them by n, round down, and give out what is left over."""
    return {name: share / n for name, share in no_whole_numbers(sizes, spreads, n).items()}
