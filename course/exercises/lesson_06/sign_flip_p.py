"""Exercise: the exact two-sided randomisation test, by flipping signs."""

import random
from itertools import combinations_with_replacement, product

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def sign_flip_p(differences):
    sums = [0.0]
    for difference in differences:
        sums = [total + step for total in sums for step in (difference, -difference)]
    observed = abs(sum(differences))
    return sum(abs(total) >= observed - 1e-12 for total in sums) / len(sums)


SIGN_FLIP_P = Exercise(
    name="SIGN_FLIP_P",
    task="""\
Write `sign_flip_p(differences)`, the exact randomisation test. If A and B were equally good, each \
difference could just as well have had the other sign. How often would chance then move the mean at least \
as far from 0?

`differences` is a list of 1 to 12 numbers. Go through all 2ⁿ patterns of signs, and return the share of \
them in which the mean is at least as far from 0 as the observed one. **Convention**: two-sided, so means \
above and below 0 both count; the observed pattern is one of the 2ⁿ; sums that differ by no more than \
1e-12 are equal. You may keep differences of 0 or leave them out.""",
    reference=sign_flip_p,
    cases=(
        Case(([0.5],), "one query: + and − are equally far from 0, so both of the two patterns count"),
        Case(([0.5, 0.25],), "of four patterns ++ and −− reach the observed size, +− and −+ do not"),
        Case(([-0.5, -0.25],), "A wins: the test is two-sided, so the result is that of the same win for B"),
        Case(([0.25, 0.25, 0.25],), "all agree: +++ and −−− of eight patterns"),
        Case(([0.5, 0.25, -0.25],), "the sum is 0.5; the patterns of 0.5 and of 1.0 reach it, on both sides"),
        Case(
            ([1.0, -0.25, -0.25],),
            "one large win against two small losses: sizes count, not only how many won",
        ),
        Case(([0.1, 0.2, -0.3],), "on paper they add up to 0, and every pattern is at least as far from 0"),
        Case(([0.3, 0.1, 0.2, -0.6],), "on paper again 0; the computer's last digit must not decide"),
        Case(
            ([0.3, -0.1, 0.0, 0.45, 0.2, -0.2, 0.6],),
            "128 patterns, and the sum is 1.25: seven of each 32 reach it",
        ),
        Case(
            ([0.1, 0.2, 0.3, -0.4],),
            "the sum is 0.2; several patterns have the same sum on paper, not in the last digit",
        ),
        Case(([0.0, 0.5, 0.25],), "a query on which both do the same changes neither sums nor shares"),
        Case(([0.0, 0.0],), "nothing moved, and every pattern gives the observed 0"),
        Case(([0.5, 0.25, 0.125, 0.25, 0.5],), "five wins of five: not below 2/32, however large they are"),
        Case(([0.5, -0.125, 0.25, 0.25, -0.375, 0.125],), "64 patterns, wins and losses mixed"),
    ),
    hints=(
        "Every difference has two possible signs, so n of them have 2ⁿ patterns. The mean and the sum give "
        "the same p, so count patterns whose sum is at least as far from 0 as the observed one.",
        "`from itertools import product`, and product([1, -1], repeat=len(differences)) gives every "
        "pattern. Multiply it by the differences, add up, and compare sizes, abs(…).",
        "Begin with sums = [0.0]; for each difference d make the list of s + d and s - d for all s in it. "
        "At the end count abs(s) >= abs(sum(differences)) - 1e-12, and divide by len(sums).",
    ),
)


def _added(numbers):
    """Their sum, added up one by one on every Python."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def _sums(differences, signs=(1, -1)):
    """The sum under every pattern of signs; the pattern that was observed is the first."""
    return [
        _added(s * d for s, d in zip(pattern, differences, strict=True))
        for pattern in product(signs, repeat=len(differences))
    ]


def _added_from_the_last(differences):
    """The same sums, added up from the last difference on: the last digit may be another one."""
    sums = [0.0]
    for difference in differences[::-1]:
        sums = [total + step for total in sums for step in (difference, -difference)]
    return sums


def _size(differences):
    return abs(_added(differences))


def _as_far(total, observed):
    return abs(total) >= observed - 1e-12


def _share(differences, sums=_sums, observed=_size, reaches=_as_far, of=len):
    """The reference with one part exchanged."""
    totals, seen = sums(differences), observed(differences)
    return sum(reaches(total, seen) for total in totals) / of(totals)


_ONE_SIDED = (
    "You count only patterns in which B wins by that much. That test is one-sided: had A won, you would "
    "have called that a finding as well. So count both sides: compare sizes, without the sign."
)


@SIGN_FLIP_P.mistake("one-sided", _ONE_SIDED)
def one_sided(differences):
    return _share(differences, observed=_added, reaches=lambda total, seen: total >= seen - 1e-12)


@SIGN_FLIP_P.mistake("one-sided, the way it went", _ONE_SIDED)
def one_sided_the_way_it_went(differences):
    return _share(differences, reaches=lambda total, seen: total >= seen - 1e-12)


@SIGN_FLIP_P.mistake("observed with its sign")
def observed_with_its_sign(differences):
    """Where A wins, your p is 1: the observed sum keeps its sign, and patterns are compared with a number
    below 0. Compare abs with abs."""
    return _share(differences, observed=_added)


@SIGN_FLIP_P.mistake("strict")
def strict(differences):
    """You count patterns that go further than the observed one, with >. Then the observed pattern itself does
    not count, and p can be 0, which would be a proof from one experiment. Count patterns that go at least as
    far."""
    return _share(differences, reaches=lambda total, seen: abs(total) > seen + 1e-12)


_NO_TOLERANCE = (
    "You compare with >= alone. On a computer 0.1 + 0.2 and 0.3 differ in the last digit, so sums that are "
    "equal on paper come out above or below, by the order of adding. Allow for that: at least the "
    "observed size minus 1e-12."
)


@SIGN_FLIP_P.mistake("no tolerance", _NO_TOLERANCE)
def no_tolerance(differences):
    return _share(differences, reaches=lambda total, seen: abs(total) >= seen)


@SIGN_FLIP_P.mistake("no tolerance, added from the last", _NO_TOLERANCE)
def no_tolerance_from_the_last(differences):
    return _share(differences, sums=_added_from_the_last, reaches=lambda total, seen: abs(total) >= seen)


@SIGN_FLIP_P.mistake("one-sided, no tolerance", _ONE_SIDED)
def one_sided_no_tolerance(differences):
    return _share(differences, observed=_added, reaches=lambda total, seen: total >= seen)


@SIGN_FLIP_P.mistake("one-sided, the way it went, no tolerance", _ONE_SIDED)
def one_sided_the_way_it_went_no_tolerance(differences):
    return _share(differences, reaches=lambda total, seen: total >= seen)


@SIGN_FLIP_P.mistake("observed pattern left out")
def without_the_observed(differences):
    """You leave the observed pattern out of the 2ⁿ. It is one of the ways that chance could have gone.
    Without it p comes out too small."""
    return _share(differences, sums=lambda differences: _sums(differences)[1:])


@SIGN_FLIP_P.mistake("observed pattern not counted")
def observed_not_counted(differences):
    """You divide by 2ⁿ, but your count lacks one pattern that is as far from 0 as the observed one: the
    observed one itself, or the one with all signs flipped. Without it p comes out too small."""
    return _share(
        differences, sums=lambda differences: _sums(differences)[1:], of=lambda totals: len(totals) + 1
    )


@SIGN_FLIP_P.mistake("observed pattern counted twice")
def observed_counted_twice(differences):
    """You add 1 to both counts. That is for patterns drawn at random, where the observed one may be missing.
    Here all 2ⁿ are there, and it is among them already."""
    return _share(differences, sums=lambda differences: [*_sums(differences), sum(differences)])


@SIGN_FLIP_P.mistake("divided by one pattern fewer")
def by_one_pattern_fewer(differences):
    """You divide by 2ⁿ − 1, so that p can exceed 1. The observed pattern is one of the 2ⁿ, so it belongs to
    both counts."""
    return _share(differences, of=lambda totals: len(totals) - 1)


@SIGN_FLIP_P.mistake("order permuted")
def order_permuted(differences):
    """Your p is always 1. Do you permute the order of the differences? That never changes their sum. What
    chance could have swapped is A and B within a query, and that flips its sign."""
    return 1.0


@SIGN_FLIP_P.mistake("left out, not flipped")
def left_out_not_flipped(differences):
    """Your patterns are of 1 and 0: a difference stays, or is left out. But chance would not have removed a
    query; it would have swapped A and B in it. The patterns are of 1 and −1."""
    return _share(differences, sums=lambda differences: _sums(differences, (1, 0)))


@SIGN_FLIP_P.mistake("flipped or left out")
def flipped_or_left_out(differences):
    """Your patterns are of 1, 0 and −1, and there are 3ⁿ: a difference may also be left out. But chance would
    not have removed a query; it would have swapped A and B in it. The patterns are of 1 and −1."""
    return _share(differences, sums=lambda differences: _sums(differences, (1, 0, -1)))


@SIGN_FLIP_P.mistake("one flip at a time")
def one_flip_at_a_time(differences):
    """You flip one difference at a time. Chance may swap A and B in any number of queries at once: there are
    2ⁿ patterns, not n + 1."""
    return _share(
        differences,
        sums=lambda differences: [sum(differences), *(sum(differences) - 2 * d for d in differences)],
    )


@SIGN_FLIP_P.mistake("signs only")
def signs_only(differences):
    """You count wins and losses. That is the sign test: a win of 0.01 weighs as much as one of 0.9. This test
    keeps the sizes and flips their signs."""
    return sign_flip_p([(d > 0) - (d < 0) for d in differences])


@SIGN_FLIP_P.mistake("complement")
def complement(differences):
    """You count the patterns that stay nearer to 0. p is the share that goes at least as far as the observed
    one; a small p says that chance rarely does so."""
    return _share(differences, reaches=lambda total, seen: abs(total) < seen - 1e-12)


@SIGN_FLIP_P.mistake("doubled")
def twice(differences):
    """You double the share, though both sides are in it already: by abs a pattern and its mirror image both
    count. Double only what was counted on one side."""
    return min(1.0, 2 * sign_flip_p(differences))


@SIGN_FLIP_P.mistake("equally far ones count half")
def equal_count_half(differences):
    """You count half of each pattern that is exactly as far from 0 as the observed one: that is a mid-p. By
    this convention such patterns count in full."""
    return _share(
        differences,
        reaches=lambda total, seen: (abs(total) >= seen - 1e-12) / 2 + (abs(total) > seen + 1e-12) / 2,
    )


@SIGN_FLIP_P.mistake("count, not share")
def count(differences):
    """You return how many patterns reach the observed size. p is their share: divide by all 2ⁿ."""
    return _share(differences, of=lambda totals: 1)


@SIGN_FLIP_P.mistake("observed pattern left out, one-sided")
def left_out_one_sided(differences):
    """Two things. You leave the observed pattern out of the 2ⁿ, though it is one of the ways that chance
    could have gone. And you count one side only: had A won, you would have called that a finding as well."""
    hits = [total >= sum(differences) - 1e-12 for total in _sums(differences)[1:]] or [True]
    return sum(hits) / len(hits)


def _different(differences):
    return {round(total, 12) for total in _sums(differences)}


@SIGN_FLIP_P.mistake("sums counted, not patterns")
def sums_not_patterns(differences):
    """You collect the sums in a set, and equal ones fall together. Each pattern is as likely as the others,
    whatever its sum: count patterns."""
    return _share(differences, sums=_different)


@SIGN_FLIP_P.mistake("sums counted, not patterns, and strict")
def sums_not_patterns_strict(differences):
    """Two things. You collect the sums in a set, and equal ones fall together: count patterns, each is as
    likely as the others. And you count only what goes further than the observed one; count what goes at least
    as far."""
    return _share(differences, sums=_different, reaches=lambda total, seen: abs(total) > seen + 1e-12)


@SIGN_FLIP_P.mistake("one-sided, strict", _ONE_SIDED)
def one_sided_strict(differences):
    return _share(differences, observed=_added, reaches=lambda total, seen: total > seen + 1e-12)


@SIGN_FLIP_P.mistake("sums against the mean")
def sums_against_the_mean(differences):
    """You compare sums with the observed mean. Either both are sums or both are means."""
    return _share(differences, observed=lambda differences: abs(sum(differences)) / len(differences))


@SIGN_FLIP_P.mistake("means against the sum")
def means_against_the_sum(differences):
    """You compare means with the observed sum. Either both are sums or both are means."""
    return _share(differences, observed=lambda differences: abs(sum(differences)) * len(differences))


@SIGN_FLIP_P.mistake("half of the patterns")
def half_of_the_patterns(differences):
    """You count half of the patterns over all 2ⁿ: those on one side, or with one sign left as it is. As many
    again are as far away on the other side; by symmetry your share is half of p."""
    return sign_flip_p(differences) / 2


@SIGN_FLIP_P.mistake("not all patterns, but a sample")
def a_sample(differences):
    """You draw patterns at random. So few differences have few patterns: go through all 2^n, and p is
    exact."""
    draw, observed, hits = random.Random(0), abs(sum(differences)), 0
    for _ in range(1000):
        total = sum(draw.choice((1, -1)) * difference for difference in differences)
        hits += abs(total) >= observed - 1e-12
    return hits / 1000


@SIGN_FLIP_P.mistake("patterns without their order")
def patterns_without_order(differences):
    """You go through how many signs are flipped, not through which ones. combinations_with_replacement has n
    + 1 patterns; there are 2^n: itertools.product((1, -1), repeat=n)."""
    return _share(
        differences,
        sums=lambda differences: [
            sum(s * d for s, d in zip(pattern, differences, strict=True))
            for pattern in combinations_with_replacement((1, -1), len(differences))
        ],
    )


@SIGN_FLIP_P.mistake("observed from the sizes")
def observed_from_the_sizes(differences):
    """You take the sum of the sizes as the observed value, and no pattern of signs can exceed that. Take the
    size of the sum, with the signs as they were measured."""
    return _share(differences, observed=lambda differences: sum(map(abs, differences)))


@SIGN_FLIP_P.mistake("observed with its sign, strict")
def observed_with_its_sign_strict(differences):
    """Two things in one: you compare sizes with a sum that keeps its sign, and you count only what is larger.
    Take abs() of what was observed, and count patterns that are equally large as well."""
    return _share(differences, observed=_added, reaches=lambda total, seen: abs(total) > seen + 1e-12)


@SIGN_FLIP_P.mistake("the less extreme ones")
def the_less_extreme(differences):
    """You count the patterns that are at most as large as what was observed. p is the share of those that are
    at least as large."""
    return _share(differences, reaches=lambda total, seen: abs(total) <= seen + 1e-12)


@SIGN_FLIP_P.mistake("divided by the number of differences")
def by_the_differences(differences):
    """You divide by the number of differences. p is a share of the patterns, and there are 2^n of them."""
    return sign_flip_p(differences) * 2 ** len(differences) / len(differences)


@SIGN_FLIP_P.mistake("divided by 2n")
def by_twice_the_differences(differences):
    """You divide by 2 · n. Each further difference doubles the patterns: there are 2ⁿ, 2 ** n."""
    return sign_flip_p(differences) * 2 ** len(differences) / (2 * len(differences))
