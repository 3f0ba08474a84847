"""Exercise: Holm's correction for several comparisons."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def holm(p_values):
    adjusted, largest = {}, 0.0
    for place, name in enumerate(sorted(p_values, key=p_values.get)):
        largest = max(largest, (len(p_values) - place) * p_values[name])
        adjusted[name] = min(1.0, largest)
    return adjusted


HOLM = Exercise(
    name="HOLM",
    task="""\
Write `holm(p_values)`: p-values corrected for the number of comparisons.

`p_values` is `{name: p}`, one for each comparison, in any order. Return `{name: adjusted p}`, in any \
order. **Convention** (Holm 1979): the smallest of m p-values is multiplied by m, the next by m − 1, and \
so on; the largest by 1. From the smallest to the largest, an adjusted value that would be below the one \
before it is raised to that one. None is above 1. An adjusted p is compared with 0.05, as a single p would \
be.""",
    reference=holm,
    cases=(
        Case(({"B": 0.04},), "one comparison needs no correction: its factor is 1"),
        Case(({"B": 0.01, "C": 0.04},), "the smaller is multiplied by 2, the larger by 1"),
        Case(
            ({"B": 0.04, "C": 0.01},),
            "the same two the other way round: what counts is size, not the order in the dictionary",
        ),
        Case(
            ({"B": 0.02, "C": 0.03},),
            "0.02 becomes 0.04; 0.03 is raised to 0.04, the value before it",
        ),
        Case(({"B": 0.01, "C": 0.02, "D": 0.03},), "3 × 0.01, 2 × 0.02, and 0.03 is raised to 0.04"),
        Case(({"B": 0.4, "C": 0.8},), "0.4 becomes 0.8, and 0.8 stays"),
        Case(({"B": 0.6, "C": 0.7},), "2 × 0.6 is more than 1 and is cut; 0.7 is raised to it"),
        Case(
            ({"C": 0.0123456, "D": 0.004, "F": 0.0002, "B": 0.31, "A": 0.004, "E": 0.2, "G": 0.004},),
            "seven, three of them equal: 7 × 0.0002, three times 6 × 0.004, 3 × 0.0123456, and twice 0.4",
        ),
        Case(
            ({"D": 0.03, "B": 0.005, "E": 0.3, "C": 0.02},),
            "four in mixed order: factors 4, 3, 2 and 1 by size",
        ),
        Case(({"B": 0.02, "C": 0.02, "D": 0.02},), "equal p-values get equal results, 3 × 0.02"),
        Case(({"B": 0.0, "C": 0.5},), "0 stays 0, and the other has factor 1"),
        Case(
            ({"B": 0.012, "C": 0.9, "D": 0.011, "E": 0.013, "F": 0.04},),
            "five: 0.055, then 0.048 raised to 0.055, and so on",
        ),
    ),
    hints=(
        "Sort the names by their p, smallest first. The first is the best of all m, so its "
        "factor is m. Without it m − 1 are left, and the next is the best of those.",
        "sorted(p_values, key=p_values.get) gives the names; enumerate counts their places from 0. The "
        "factor is len(p_values) - place. Keep the largest value so far.",
        "In the loop: largest = max(largest, (len(p_values) - place) * p_values[name]); adjusted[name] = "
        "min(1.0, largest).",
    ),
)


def _stepped(p_values, factor=None, order=None, monotone=True, most=1.0, least=0.0):
    """The reference with one part exchanged: the factor of a place, the order, what is done afterwards."""
    adjusted, largest, m = {}, least, len(p_values)
    for place, name in enumerate(order or sorted(p_values, key=p_values.get)):
        product = (factor(place) if factor else m - place) * p_values[name]
        largest = max(largest, product) if monotone else product
        adjusted[name] = min(most, largest)
    return adjusted


def _stepped_down_to(p_values, factor):
    """The same from the largest p on, with a running minimum."""
    adjusted, smallest = {}, 1.0
    for place, name in reversed(list(enumerate(sorted(p_values, key=p_values.get)))):
        smallest = min(smallest, factor(place) * p_values[name])
        adjusted[name] = smallest
    return adjusted


@HOLM.mistake("Bonferroni")
def bonferroni(p_values):
    """You multiply every p by the number of comparisons: that is Bonferroni. It keeps the same promise and
    finds less. Holm lets the factor fall by 1 with each p in order of size."""
    return _stepped(p_values, factor=lambda place: len(p_values))


@HOLM.mistake("Bonferroni, above 1")
def bonferroni_not_cut(p_values):
    """You multiply every p by the number of comparisons, even beyond 1: that is Bonferroni. Holm lets the
    factor fall by 1 with each p in order of size, and cuts at 1."""
    return _stepped(p_values, factor=lambda place: len(p_values), most=float("inf"))


@HOLM.mistake("Benjamini-Hochberg")
def benjamini_hochberg(p_values):
    """You multiply by m / rank: that is Benjamini and Hochberg. It promises that few of the findings are
    false. Holm promises that probably none is, and is stricter: m, m − 1, … 1."""
    return _stepped_down_to(p_values, lambda place: len(p_values) / (place + 1))


@HOLM.mistake("Benjamini-Hochberg, not monotone")
def benjamini_hochberg_not_monotone(p_values):
    """You multiply by m / rank: that is Benjamini and Hochberg's factor, without its running minimum. Holm's
    factors are m, m − 1, and so on to 1."""
    return _stepped(p_values, lambda place: len(p_values) / (place + 1), monotone=False)


@HOLM.mistake("Hochberg")
def hochberg(p_values):
    """You start from the largest p and keep the smallest so far. That is Hochberg's procedure, which is not
    valid for every kind of dependence between the tests. Holm starts from the smallest, and keeps the largest
    so far."""
    return _stepped_down_to(p_values, lambda place: len(p_values) - place)


@HOLM.mistake("not monotone")
def not_monotone(p_values):
    """You multiply each p separately, so a larger p can come out smaller than the one before it. Holm stops
    at the first comparison that fails; none after it may look better. Each value is at least the one
    before."""
    return _stepped(p_values, monotone=False)


@HOLM.mistake("above 1")
def not_cut(p_values):
    """Some of your values are above 1. They are still probabilities; what comes out larger is cut to 1."""
    return _stepped(p_values, most=float("inf"))


_OFF_BY_ONE = (
    "Your factors are off by one. The smallest of m p-values is tested as one among m and gets the factor "
    "m; the next m − 1; the largest is left alone at the end, with factor 1."
)


@HOLM.mistake("factor one too small", _OFF_BY_ONE)
def one_less(p_values):
    return _stepped(p_values, lambda place: len(p_values) - place - 1)


@HOLM.mistake("factor one too large", _OFF_BY_ONE)
def one_more(p_values):
    return _stepped(p_values, lambda place: len(p_values) - place + 1)


@HOLM.mistake("rank as factor")
def rank_as_factor(p_values):
    """You multiply the smallest p by 1 and the largest by m. It is the other way round: the smallest was
    picked as the best of m, and that is what has to be paid for."""
    return _stepped(p_values, lambda place: place + 1)


@HOLM.mistake("largest first")
def largest_first(p_values):
    """You start from the largest p. It gets the factor m, and all others are raised to it, so nothing is ever
    found. Start from the smallest."""
    return _stepped(p_values, order=sorted(p_values, key=p_values.get, reverse=True))


@HOLM.mistake("as given")
def as_given(p_values):
    """You go through the p-values in the order of the dictionary. Then a system's result depends on its
    place in the table. Factors go by size, the smallest first."""
    return _stepped(p_values, order=list(p_values))


@HOLM.mistake("by name")
def by_name(p_values):
    """You sort the names, so a system's result depends on its name. Sort by p: sorted(p_values,
    key=p_values.get)."""
    return _stepped(p_values, order=sorted(p_values))


@HOLM.mistake("names lost")
def names_lost(p_values):
    """Some of your values are beside another's name: sorted values and unsorted names were put
    together. Sort the names by their p, and they stay together."""
    return dict(zip(p_values, sorted(holm(p_values).values()), strict=True))


@HOLM.mistake("divides")
def divides(p_values):
    """You divide p, and it gets smaller. Dividing is right for the threshold, where p is compared with 0.05 /
    m. An adjusted p is compared with 0.05 itself, so p is multiplied."""
    return _stepped(p_values, factor=lambda place: 1 / (len(p_values) - place), monotone=False)


@HOLM.mistake("thresholds")
def thresholds(p_values):
    """You return what each p would have to be below. The adjusted p turns that round: it is p times the
    factor, and readers can compare it with the level they like."""
    ordered = sorted(p_values, key=p_values.get)
    return {name: 0.05 / (len(p_values) - place) for place, name in enumerate(ordered)}


@HOLM.mistake("as they are")
def as_they_are(p_values):
    """You return the p-values as they are. Of twenty useless systems one has p below 0.05 on average; that is
    what the factor pays for."""
    return dict(p_values)


@HOLM.mistake("raised to the raw one before")
def raised_to_the_raw(p_values):
    """You raise a value to the product before it, and not to what that one has become. Where two in a row
    were raised, the third falls below them again. Keep the largest so far: largest = max(largest, …)."""
    adjusted, before, m = {}, 0.0, len(p_values)
    for place, name in enumerate(sorted(p_values, key=p_values.get)):
        product = (m - place) * p_values[name]
        adjusted[name], before = min(1.0, max(product, before)), product
    return adjusted


@HOLM.mistake("the first raised to the last")
def first_raised_to_the_last(p_values):
    """You compare the smallest p's value with place −1, which in Python is the last of the list. There is
    none before it: begin to raise with the second."""
    return _stepped(p_values, least=max(p_values.values()))


@HOLM.mistake("Benjamini-Hochberg, raised")
def benjamini_hochberg_raised(p_values):
    """You multiply by m / rank: that is Benjamini and Hochberg's factor. Holm's are m, m − 1, and so on to
    1."""
    return _stepped(p_values, lambda place: len(p_values) / (place + 1))


_FALL_TOGETHER = (
    "You look names up by their p, and of two with the same p one is lost. Sort the names, and not the "
    "values: sorted(p_values, key=p_values.get)."
)


@HOLM.mistake("equal p-values fall together, each with its factor", _FALL_TOGETHER)
def equal_fall_together_each_with_its_factor(p_values):
    names = {p: name for name, p in p_values.items()}
    return {name: value for name, value in holm(p_values).items() if names[p_values[name]] == name}


@HOLM.mistake("equal p-values fall together", _FALL_TOGETHER)
def equal_fall_together(p_values):
    names = {p: name for name, p in p_values.items()}
    m, largest, adjusted = len(p_values), 0.0, {}
    for place, p in enumerate(sorted(names)):
        largest = max(largest, (m - place) * p)
        adjusted[names[p]] = min(1.0, largest)
    return adjusted


@HOLM.mistake("Sidak")
def sidak(p_values):
    """You compute 1 − (1 − p) to a power: that is Šidák's correction, a little less strict, and right only
    for independent comparisons. Holm multiplies."""
    ordered, largest, adjusted = sorted(p_values, key=p_values.get), 0.0, {}
    for place, name in enumerate(ordered):
        largest = max(largest, 1 - (1 - p_values[name]) ** (len(ordered) - place))
        adjusted[name] = largest
    return adjusted


@HOLM.mistake("equal p-values take one step")
def equal_take_one_step(p_values):
    """Equal p-values get one place together, and m counts different values only. Every comparison counts: m
    is how many there are, and each takes a place."""
    unique, table, largest = sorted(set(p_values.values())), {}, 0.0
    for place, p_value in enumerate(unique):
        largest = max(largest, min(1.0, p_value * (len(unique) - place)))
        table[p_value] = largest
    return {name: table[p_value] for name, p_value in p_values.items()}


@HOLM.mistake("Sidak, step by step")
def sidak_in_one(p_values):
    """You take 1 − (1 − p)^m: Šidák's correction, for independent tests and without steps. Holm multiplies
    the smallest p by m, the next by m − 1 …"""
    return {name: 1 - (1 - p_value) ** len(p_values) for name, p_value in p_values.items()}


@HOLM.mistake("factor one too small, at least 1")
def one_less_at_least_one(p_values):
    """Your factors begin with m − 1. The smallest of m p-values was picked as the best of m: its factor is m,
    the next one's m − 1, and only the largest has 1."""
    return _stepped(p_values, lambda place: max(len(p_values) - place - 1, 1))


@HOLM.mistake("factor half of it")
def half_of_the_factor(p_values):
    """Your factors are m / 2 and so on, half of what they should be. The smallest p is multiplied by m."""
    return _stepped(p_values, lambda place: (len(p_values) - place) / 2)


def _not_below(p_values, adjusted):
    """The names from the first on whose adjusted p is not below 0.05, the smallest p first."""
    ordered = sorted(p_values, key=p_values.get)
    first = next((place for place, name in enumerate(ordered) if adjusted[name] > 0.05), len(ordered))
    return ordered[first:]


@HOLM.mistake("ends at the first above 0.05")
def ends_at_the_first_above(p_values):
    """You leave out what comes after the first value above 0.05. Holm's decisions end there, but the task
    asks for an adjusted p for each comparison."""
    adjusted = holm(p_values)
    return {name: p for name, p in adjusted.items() if name not in _not_below(p_values, adjusted)[1:]}


@HOLM.mistake("only those below 0.05")
def only_those_below(p_values):
    """You leave out what is above 0.05. The task asks for an adjusted p for each comparison; the reader
    compares them with the level."""
    return {name: p for name, p in holm(p_values).items() if p <= 0.05}


@HOLM.mistake("1 after the first above 0.05")
def one_after_the_first_above(p_values):
    """After the first value above 0.05 you give 1. Holm's decisions end there, but the adjusted values do
    not: each is p times its factor, or the value before it."""
    adjusted = holm(p_values)
    return adjusted | dict.fromkeys(_not_below(p_values, adjusted)[1:], 1.0)


@HOLM.mistake("p itself after the first above 0.05")
def p_after_the_first_above(p_values):
    """After the first value above 0.05 you give the p-values as they are. Then they may look better than
    those before them: go on with the factors, and raise."""
    adjusted = holm(p_values)
    return adjusted | {name: p_values[name] for name in _not_below(p_values, adjusted)[1:]}


@HOLM.mistake("findings in place of p-values")
def findings(p_values):
    """You return whether each is a finding. The task asks for the adjusted p-values; the reader compares them
    with the level."""
    return {name: p < 0.05 for name, p in holm(p_values).items()}
