"""Exercise: which property of a passage a judge's errors follow."""

import numpy as np

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def what_is_wrong(records):
    found = {}
    for name in ("length", "rank"):
        median = np.median([record[name] for record in records])
        above = [r["verdict"] - r["truth"] for r in records if r[name] > median]
        others = [r["verdict"] - r["truth"] for r in records if r[name] <= median]
        found[name] = float(np.mean(above) - np.mean(others)) if above else 0.0
    name = max(found, key=lambda name: abs(found[name]))
    return name, found[name]


def _records(length, rank, truth, verdict):
    keys = ("length", "rank", "truth", "verdict")
    return [dict(zip(keys, row, strict=True)) for row in zip(length, rank, truth, verdict, strict=True)]


LONG = _records([100, 900, 120, 800], [1, 2, 3, 4], [0, 0, 1, 1], [0, 1, 1, 1])
DEEP = _records([500, 600, 700, 800], [1, 5, 2, 4], [1, 1, 0, 1], [1, 0, 0, 0])
BOTH_ERRORS = _records([100, 200, 800, 900], [1, 3, 2, 4], [1, 1, 0, 0], [0, 0, 1, 1])
MORE_RELEVANT = _records([100, 200, 800, 900], [4, 1, 3, 2], [0, 0, 1, 1], [1, 0, 1, 1])
ODD = _records([100, 200, 300, 400, 5000], [1, 2, 3, 4, 5], [0, 0, 0, 0, 0], [0, 0, 1, 0, 1])
STRICT = _records([100, 150, 700, 900], [3, 1, 4, 2], [1, 1, 1, 1], [1, 1, 0, 0])
SAME_LENGTH = _records([300, 300, 300, 300], [1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 0, 0])
UNEVEN = _records([100, 100, 100, 100, 900, 900], [1, 2, 3, 4, 5, 6], [0] * 6, [1, 0, 0, 0, 1, 0])
NEGATIVE = _records([100, 200, 300, 400], [1, 4, 2, 3], [0, 1, 0, 1], [0, 0, 1, 0])
HONEST = _records([100, 900, 200, 800], [1, 2, 3, 4], [0, 1, 1, 0], [0, 1, 1, 0])
KIND_TO_FIRST = _records([100, 800, 900, 200], [1, 2, 5, 6], [0, 0, 0, 0], [1, 1, 0, 0])
SEVEN = _records(
    [90, 1000, 300, 110, 800, 95, 900], [10, 2, 1, 9, 3, 20, 8], [0, 0, 1, 1, 0, 0, 1], [0, 1, 0, 1, 1, 0, 1]
)

WHAT_IS_WRONG = Exercise(
    name="WHAT_IS_WRONG",
    task="""\
Write `what_is_wrong(records)`: which property of the passages do this judge's errors follow?

`records` is a list of dicts with the numbers `length` and `rank` of a passage, and its `truth` and the \
judge's `verdict`, each 0 or 1. The error of a record is verdict − truth. Returned is `(name, \
difference)`. For `"length"` and for `"rank"` the difference is the mean error of the records above the \
median of that property, minus the mean error of all others; the name is that of the two whose difference \
is larger in size, and its difference is returned with its sign. **Convention**: a record at the median is \
not above it; where none is above, the difference is 0.0; of two differences of equal size that of \
`"length"` is taken.""",
    reference=what_is_wrong,
    cases=(
        Case((LONG,), "one of the two long passages is wrongly called relevant, no short one"),
        Case((DEEP,), "the two low ranks are wrongly refused: a difference of −1 by rank"),
        Case((BOTH_ERRORS,), "short ones refused, long ones accepted: errors of −1 and of +1 are 2 apart"),
        Case((MORE_RELEVANT,), "long ones are more often relevant; the verdicts there are right"),
        Case((ODD,), "five records: 300 is the median and not above it"),
        Case((STRICT,), "relevant long passages refused: the difference is −1"),
        Case((SAME_LENGTH,), "all of one length: none is above the median, so 0.0; it is the rank"),
        Case(
            (SEVEN,),
            "two of three long ones are wrongly called relevant, and one of four others is refused",
        ),
        Case((UNEVEN,), "four short and two long ones: means, not sums"),
        Case((NEGATIVE,), "by rank −1, by length 0: the larger in size, with its sign"),
        Case((HONEST,), "no error at all: length and 0.0"),
        Case((KIND_TO_FIRST,), "the first ranks are favoured, whatever their length"),
    ),
    hints=(
        "Do it for one property first: find its median, part the errors into those above and the others, "
        "subtract two means.",
        "np.median([record[name] for record in records]) and two lists of record['verdict'] - "
        "record['truth']. "
        "The list above may be empty.",
        "found = {name: difference} for both; max(found, key=lambda name: abs(found[name])) keeps the first "
        "of equals; return name, found[name].",
    ),
)


def _split(records, name):
    median = np.median([r[name] for r in records])
    return [r for r in records if r[name] > median], [r for r in records if r[name] <= median]


def _error(records):
    return np.mean([r["verdict"] - r["truth"] for r in records])


def _apart(above, others):
    return _error(above) - _error(others)


def _named(
    records,
    difference=_apart,
    size=abs,
    border=np.median,
    inside=lambda x, y: x > y,
    names=("length", "rank"),
):
    """The reference with one part exchanged."""
    found = {}
    for name in names:
        middle = border([r[name] for r in records])
        above = [r for r in records if inside(r[name], middle)]
        others = [r for r in records if not inside(r[name], middle)]
        found[name] = float(difference(above, others)) if above and others else 0.0
    name = max(found, key=lambda name: size(found[name]))
    return name, found[name]


@WHAT_IS_WRONG.mistake("verdicts compared")
def verdicts_compared(records):
    """You compare the verdicts. Long passages may be relevant more often, and then the judge is right to say
    so. Subtract the truth first."""
    return _named(
        records, lambda a, b: np.mean([r["verdict"] for r in a]) - np.mean([r["verdict"] for r in b])
    )


@WHAT_IS_WRONG.mistake("errors without sign")
def errors_without_sign(records):
    """You count errors and forget their sign. A judge that refuses short passages and accepts long ones is
    wrong equally often in both; the error is verdict - truth, +1 or -1."""
    return _named(
        records,
        lambda a, b: (
            np.mean([abs(r["verdict"] - r["truth"]) for r in a])
            - np.mean([abs(r["verdict"] - r["truth"]) for r in b])
        ),
    )


@WHAT_IS_WRONG.mistake("the larger, not the larger in size")
def the_larger(records):
    """You take the larger of the two differences. One of -1 is a greater fault than one of 0: compare their
    sizes, abs(), and return the sign with it."""
    return _named(records, size=float)


@WHAT_IS_WRONG.mistake("the size returned")
def the_size_returned(records):
    """You return the size of the difference. Its sign says whether the judge is too kind there, or too
    strict: keep it."""
    name, difference = what_is_wrong(records)
    return name, abs(difference)


@WHAT_IS_WRONG.mistake("sign turned")
def sign_turned(records):
    """Your difference has the wrong sign. It is the mean error above the median minus that of the others, and
    an error is verdict - truth."""
    name, difference = what_is_wrong(records)
    return name, -difference


@WHAT_IS_WRONG.mistake("the median is above")
def the_median_is_above(records):
    """You count records at the median as above it. By the convention they are not: use >, not >=."""
    return _named(records, inside=lambda value, middle: value >= middle)


@WHAT_IS_WRONG.mistake("split at the mean")
def split_at_the_mean(records):
    """You split at the mean. One very long passage moves it so far that it is alone above it; the median
    leaves half on either side."""
    return _named(records, border=np.mean)


@WHAT_IS_WRONG.mistake("sums")
def sums(records):
    """You compare sums of errors. The groups need not be equally large; compare means."""
    return _named(
        records,
        lambda a, b: sum(r["verdict"] - r["truth"] for r in a) - sum(r["verdict"] - r["truth"] for r in b),
    )


@WHAT_IS_WRONG.mistake("against all")
def against_all(records):
    """You compare those above the median with all records. They are among all themselves, which halves the
    difference; compare them with the others."""
    return _named(records, lambda a, b: _error(a) - _error(a + b))


@WHAT_IS_WRONG.mistake("relevant ones only")
def relevant_ones_only(records):
    """You look only at records that are relevant. A judge can also be too kind to those that are not."""

    def error(group):
        known = [r for r in group if r["truth"]]
        return _error(known) if known else 0.0

    return _named(records, lambda a, b: error(a) - error(b))


@WHAT_IS_WRONG.mistake("always the length")
def always_the_length(records):
    """You return the difference by length, whatever the rank does. Look at both and name the larger."""
    above, others = _split(records, "length")
    return "length", float(_error(above) - _error(others)) if above else 0.0


@WHAT_IS_WRONG.mistake("the name only")
def the_name_only(records):
    """You return the name alone. The difference belongs to it: `return name, difference`."""
    return what_is_wrong(records)[0]


@WHAT_IS_WRONG.mistake("the upper middle for the median")
def the_upper_middle(records):
    """Of an even number of records you take the upper one of the middle two. The median is their mean."""
    return _named(records, border=lambda values: sorted(values)[len(values) // 2])


@WHAT_IS_WRONG.mistake("the lower middle, of an odd number one too low")
def the_lower_middle(records):
    """Your median is one place too low. Of an odd number it is the middle one, of an even number the mean of
    the middle two."""
    return _named(records, border=lambda values: sorted(values)[max(len(values) // 2 - 1, 0)])


@WHAT_IS_WRONG.mistake("of equal sizes the rank")
def of_equal_sizes_the_rank(records):
    """Of two differences of equal size you take that of the rank. By this convention it is the length's."""
    return _named(records, size=lambda found: round(abs(found), 12), names=("rank", "length"))


@WHAT_IS_WRONG.mistake("above alone")
def above_alone(records):
    """You return the mean error above the median. Subtract that of the others: a judge that is too kind
    everywhere does not go by this property."""
    return _named(records, lambda above, others: _error(above))


@WHAT_IS_WRONG.mistake("an error where none is above")
def error_where_none_is_above(records):
    """Where no record is above the median your function raises an error: nothing has no mean. By this
    convention the difference is 0.0 there."""
    for name in ("length", "rank"):
        if not _split(records, name)[0]:
            raise ValueError("no record is above the median")
    return what_is_wrong(records)
