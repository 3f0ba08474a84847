"""Exercise: Cohen's kappa."""

import math

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def cohen_kappa(first, second):
    if len(first) != len(second) or not first:
        raise ValueError(
            f"{len(first)} and {len(second)} labels; needed two lists of the same length, not empty"
        )
    n = len(first)
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / n
    expected = sum(first.count(label) * second.count(label) for label in set(first)) / n**2
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)


COHEN_KAPPA = Exercise(
    name="COHEN_KAPPA",
    task="""\
Write `cohen_kappa(first, second)`, which measures how far two assessors agree beyond chance.

```
>>> cohen_kappa([1, 0, 0, 0], [1, 1, 1, 0])        # (2/4 − 6/16) / (1 − 6/16)
0.2
```

`first[i]` and `second[i]` are the labels (numbers or text) that the two gave to item i. **Convention**: \
kappa (Cohen, 1960) is (observed − expected) / (1 − expected). Observed is the share of items with equal \
labels. Expected is the share that would be equal if each assessor dealt out the same labels at random. To \
get it, multiply each label's share in `first` by its share in `second`, and add up the products: in the \
example, 1/4 · 3/4 + 3/4 · 1/4. The course adds two rules: where expected is 1, kappa is 1 (some libraries \
give nan); lists that are empty or differ in length raise `ValueError`.""",
    reference=cohen_kappa,
    cases=(
        Case(
            ([1, 0, 0, 0], [0, 0, 0, 0]),
            "the lazy assessor: 3 of 4 are equal, chance gives 3/4 · 1, and kappa is 0",
        ),
        Case(
            ([1, 0, 0, 0], [1, 1, 1, 0]),
            "observed 2/4; expected 1/4 · 3/4 + 3/4 · 1/4 = 6/16; so 0.125 / 0.625",
        ),
        Case(([1, 1, 1, 0], [1, 0, 0, 0]), "kappa does not depend on who is called the first"),
        Case(([1, 0, 1, 0], [1, 0, 1, 0]), "two assessors who agree on everything have kappa 1"),
        Case(([0, 1], [1, 0]), "two assessors who always disagree agree less than chance would give: −1"),
        Case(([0, 0, 1], [2, 2, 3]), "no label in common: chance gives 0, and so does the agreement"),
        Case(
            ([2, 0, 0, 0], [2, 0, 0, 1]),
            "three grades: 1/4 · 1/4 for the 2, 3/4 · 2/4 for the 0, nothing for the 1",
        ),
        Case(
            ([2, 1, 0, 0, 1, 2, 0], [2, 0, 0, 0, 1, 0, 1]),
            "four of seven are equal; expected (3 · 4 + 2 · 2 + 2 · 1) / 49, so kappa is 10/31",
        ),
        Case(
            ([3, 1, 0, 2, 3, 0], [1, 3, 0, 3, 2, 1]),
            "one of six is equal, where chance would give 9/36: kappa is −1/9",
        ),
        Case(
            (["yes", "no", "no"], ["yes", "no", "yes"]), "a label can be text: only equal or not equal counts"
        ),
        Case(
            ([2, 2, 1, 0, 0], [1, 2, 1, 0, 2]),
            "grades are names here: a 2 for a 1 is as wrong as a 2 for a 0",
        ),
        Case(
            ([1, 1, 1], [1, 1, 1]),
            "both use one and the same label throughout; kappa is then 1 by convention, not 0 / 0",
        ),
        Case(
            ([1, 0], [1, 0, 1]),
            "three labels of one and two of the other: which item has no second label? ValueError",
        ),
        Case(([1, 0, 1], [1, 0]), "lists of different lengths raise ValueError, whichever is the longer"),
        Case(([], []), "without an item there is no agreement to speak of: ValueError"),
    ),
    hints=(
        "Two numbers are needed: how often the labels are equal, and how often they would be equal if each "
        "assessor had dealt out the same labels blindly.",
        "For one label: the share of it in first, times the share of it in second. Sum this over the "
        "labels. first.count(label) / n is such a share.",
        "observed = sum(one == other for one, other in zip(first, second)) / n; expected = "
        "sum(first.count(label) * second.count(label) for label in set(first)) / n**2. Before you divide, "
        "check whether expected is 1.",
    ),
)


def _observed(first, second):
    if len(first) != len(second) or not first:
        raise ValueError("needed two lists of the same length, not empty")
    return sum(one == other for one, other in zip(first, second, strict=True)) / len(first)


def _chance(first, second):
    return sum(first.count(label) * second.count(label) for label in set(first)) / len(first) ** 2


def _beyond(observed, expected):
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)


@COHEN_KAPPA.mistake("not corrected for chance")
def not_corrected(first, second):
    """That is the share of equal labels. Where most pages are irrelevant, an assessor who writes 0 everywhere
    and reads nothing gets a high one. Kappa subtracts what chance alone would give."""
    return _observed(first, second)


@COHEN_KAPPA.mistake("marginals of the first only")
def only_the_first(first, second):
    """Your chance agreement squares the shares of the first assessor, as if the second dealt out the same
    labels. Each has habits of their own: multiply the first's share of a label by the second's."""
    return _beyond(_observed(first, second), _chance(first, first))


@COHEN_KAPPA.mistake("marginals of the second only")
def only_the_second(first, second):
    """Your chance agreement squares the shares of the second assessor, as if the first dealt out the same
    labels. Each has habits of their own: multiply the first's share of a label by the second's."""
    return _beyond(_observed(first, second), _chance(second, second))


@COHEN_KAPPA.mistake("both assessors' labels thrown together")
def both_thrown_together(first, second):
    """You pool the labels of both assessors and square the shares. That is another measure, Scott's pi. Cohen
    lets each assessor keep habits of their own: the first's share of a label times the second's."""
    return _beyond(_observed(first, second), _chance(first + second, first + second))


@COHEN_KAPPA.mistake("all labels equally likely")
def all_labels_alike(first, second):
    """Your chance agreement is one divided by the number of labels, as if assessors threw dice. Nobody gives
    a 2 as often as a 0. Take the shares from the labels that each assessor really gave."""
    return _beyond(_observed(first, second), 1 / len({*first, *second}))


@COHEN_KAPPA.mistake("chance summed over items")
def chance_summed_over_items(first, second):
    """You add up the chance agreement once for each item, so a frequent label is counted many times, and
    chance can pass 1. Each label counts once, however many items have it: go through set(first)."""
    observed = _observed(first, second)
    expected = sum(first.count(label) * second.count(label) for label in first) / len(first) ** 2
    return _beyond(observed, expected)


@COHEN_KAPPA.mistake("not divided by what chance leaves")
def not_divided(first, second):
    """You subtract chance and stop. The most that is left to be earned is 1 − expected, and kappa says what
    part of it was earned. Without the division, perfect agreement is not 1."""
    observed, expected = _observed(first, second), _chance(first, second)
    return 1.0 if expected == 1 else observed - expected


@COHEN_KAPPA.mistake("never below 0")
def never_below_zero(first, second):
    """You cut kappa off at 0. Below 0 it says something: these two agree less than chance would, perhaps
    because one of them has the grades upside down."""
    return max(0.0, cohen_kappa(first, second))


@COHEN_KAPPA.mistake("chance of 1 divides by zero")
def divides_by_zero(first, second):
    """Where both assessors use one and the same label throughout, chance explains everything and 1 − expected
    is 0. The formula says nothing there, so a convention has to: kappa is 1, since they never differ."""
    observed, expected = _observed(first, second), _chance(first, second)
    return (observed - expected) / (1 - expected)


@COHEN_KAPPA.mistake("0 where chance is all")
def zero_where_chance_is_all(first, second):
    """You give 0 where both assessors use one and the same label throughout. One can argue for that: chance
    alone explains it. The convention here is 1, since they never differ. Whatever you choose, it has to be
    stated."""
    kappa = cohen_kappa(first, second)
    return 0.0 if _chance(first, second) == 1 else kappa


@COHEN_KAPPA.mistake("the longer list cut")
def longer_list_cut(first, second):
    """zip stops at the end of the shorter list, and says nothing. If one list is longer, an item was lost
    somewhere, and from there on you may be comparing labels of different items. Raise ValueError."""
    return cohen_kappa(first[: len(second)], second[: len(first)])


@COHEN_KAPPA.mistake("labels of 0 and 1 only")
def yes_or_no(first, second):
    """You treat every label as a 1 or as something else. With a third grade, or with text, all the others
    become one label in your chance agreement. Go through the labels that occur, whatever they are."""
    observed = _observed(first, second)
    shares = [sum(label == 1 for label in labels) / len(labels) for labels in (first, second)]
    return _beyond(observed, shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1]))


@COHEN_KAPPA.mistake("only the label 1 by chance")
def one_label_by_chance(first, second):
    """You count only one label's chance agreement. Two assessors can also meet by chance on all the others:
    the product of the shares is summed over the labels."""
    observed = _observed(first, second)
    return _beyond(observed, sum(x == 1 for x in first) * sum(x == 1 for x in second) / len(first) ** 2)


@COHEN_KAPPA.mistake("divided by what was not agreed")
def divided_by_the_disagreement(first, second):
    """You divide by 1 − observed, which is how often they differ. Divide by what is left to be earned above
    chance, 1 − expected."""
    observed, expected = _observed(first, second), _chance(first, second)
    return 1.0 if observed == 1 else (observed - expected) / (1 - observed)


@COHEN_KAPPA.mistake("empty gives 0")
def empty_gives_zero(first, second):
    """You return 0 for two empty lists, as if the assessors had agreed by chance. Nothing was measured: the
    convention is a ValueError."""
    return cohen_kappa(first, second) if first or second else 0.0


@COHEN_KAPPA.mistake("chance of 1 divides by zero, in NumPy")
def not_a_number(first, second):
    """Where both assessors use one and the same label throughout you give nan, as some libraries do. The
    convention here is 1, since they never differ."""
    kappa = cohen_kappa(first, second)
    return float("nan") if _chance(first, second) == 1 else kappa


@COHEN_KAPPA.mistake("only the labels 0 and 1")
def only_zero_and_one(first, second):
    """Your chance agreement knows the labels 0 and 1 only. Labels may be 2, or words: go through those that
    were given."""
    observed = _observed(first, second)
    chance = sum(first.count(label) * second.count(label) for label in (0, 1)) / len(first) ** 2
    return _beyond(observed, chance)


@COHEN_KAPPA.mistake("divided by what chance explains")
def divided_by_chance(first, second):
    """You divide by the chance agreement. Kappa divides by what chance leaves open: 1 − expected."""
    observed, chance = _observed(first, second), _chance(first, second)
    return 1.0 if chance == 1 else (observed - chance) / chance if chance else math.inf


@COHEN_KAPPA.mistake("n not squared")
def n_not_squared(first, second):
    """Your chance agreement is divided by n and not by n². Each of the two shares is a count over n, and they
    are multiplied."""
    return _beyond(_observed(first, second), _chance(first, second) * len(first))


def _chance_of_two(first, second, label):
    shares = [labels.count(label) / len(labels) for labels in (first, second)]
    return shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])


@COHEN_KAPPA.mistake("all labels but one taken for one")
def all_but_one(first, second):
    """Your chance agreement knows two labels only: one, and all the others together. Two assessors who give
    different ones of these others do not agree. Sum over every label that occurs."""
    return _beyond(_observed(first, second), _chance_of_two(first, second, first[0]))
