"""Exercise: a regression gate that fails on a drop which the queries support, and on nothing else."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def gate(before, after, limit, alpha=0.05):
    if not before or before.keys() != after.keys():
        raise ValueError("needed are the same queries on both sides, at least one")
    differences = [after[query_id] - before[query_id] for query_id in before]
    sums = [0.0]
    for difference in differences:
        sums = [total + step for total in sums for step in (difference, -difference)]
    drop = -sum(differences)
    p = sum(abs(total) >= abs(drop) - 1e-9 for total in sums) / len(sums)
    return not (drop / len(before) > limit + 1e-9 and p < alpha)


def _scores(*values):
    return {f"q{number}": value for number, value in enumerate(values, start=1)}


SIX, LOWER = _scores(*[0.5] * 6), _scores(*[0.25] * 6)
FIVE, LOWER_FIVE = _scores(*[0.5] * 5), _scores(*[0.25] * 5)
ONE_FELL = _scores(1.0, 0.5, 0.5, 0.5, 0.5, 0.5), _scores(0.4, 0.5, 0.5, 0.5, 0.5, 0.5)
LOW, A_LITTLE_LOWER = _scores(*[0.05] * 6), _scores(*[0.04] * 6)
UP_AND_DOWN = _scores(0.9, 0.1, 0.9, 0.1, 0.9, 0.1)
IN_OTHER_ORDER = {"q6": 0.05, "q5": 0.85, "q4": 0.05, "q3": 0.85, "q2": 0.05, "q1": 0.85}
EIGHT_TENTHS, SEVEN_TENTHS = _scores(*[0.8] * 6), _scores(*[0.7] * 6)
EQUAL_ON_PAPER = _scores(0.9, 0.0, 0.6, 0.8, 0.1, 0.9), _scores(0.7, 0.1, 0.1, 0.2, 0.0, 0.1)
ONE_GAIN = _scores(*[0.5] * 9), _scores(*[0.49] * 8, 0.57)
ONE_FAR = _scores(1.0, 0.4, 0.4, 0.4, 0.4, 0.4), _scores(0.4, 0.39, 0.39, 0.39, 0.39, 0.39)
WITHOUT_Q6 = {query_id: score for query_id, score in LOWER.items() if query_id != "q6"}

GATE = Exercise(
    name="GATE",
    task="""\
Write `gate(before, after, limit, alpha=0.05)`: may this change pass?

`before` and `after` are `{query_id: score}`, higher is better. Returned is `True` where the change may \
pass. It fails, `False`, only if both hold: the mean dropped by more than `limit`, **and** p < `alpha`, \
where p is the share of all 2ⁿ patterns of signs under which the sum of the differences is at least as far \
from 0, on either side, as the observed one (lesson 06's exact test). **Convention**: scores are paired by \
query id; other queries on one side than on the other, or none at all, are a `ValueError`; values that \
differ by no more than 1e-9 are equal.""",
    reference=gate,
    cases=(
        Case(
            (SIX, LOWER, 0.02),
            "all six fell by 0.25: the mean by more than 0.02, and two patterns of 64 go so far, p = 0.031",
        ),
        Case(
            (*ONE_FELL, 0.02),
            "the mean fell by 0.1, but only one query moved, and its sign may as well be the other: p = 1",
        ),
        Case(
            (FIVE, LOWER_FIVE, 0.02),
            "five fell of five: two patterns of 32, p = 0.0625, which is not below 0.05",
        ),
        Case((LOWER, SIX, 0.02), "all six rose, and a gain may always pass"),
        Case((LOW, A_LITTLE_LOWER, 0.1), "all six fell, by 0.01 only: that much is allowed"),
        Case(
            (UP_AND_DOWN, IN_OTHER_ORDER, 0.02),
            "the files differ in their order; by query id each of the six fell by 0.05",
        ),
        Case((SIX, WITHOUT_Q6, 0.02), "q6 has no score afterwards; nobody knows what became of it"),
        Case((WITHOUT_Q6, SIX, 0.02), "q6 is new, so the two means are over different queries"),
        Case((SIX, LOWER, 0.25), "the drop is exactly the limit, and not more"),
        Case((FIVE, LOWER_FIVE, 0.02, 0.1), "p = 0.0625 is below the alpha that was asked for"),
        Case((FIVE, LOWER_FIVE, 0.02, 0.0625), "p is exactly alpha, and not below it"),
        Case((*ONE_FAR, 0.3), "one fell by 0.6 and five by 0.01; the mean fell by 0.108, which is allowed"),
        Case(
            (*ONE_GAIN, 0.0),
            "eight fell by 0.01, one rose by 0.07: the sizes nearly cancel, and p is far from small",
        ),
        Case(
            (EIGHT_TENTHS, SEVEN_TENTHS, 0.1),
            "0.8 − 0.7 is 0.1 on paper; the computer's last digit must not decide",
        ),
        Case(
            (*EQUAL_ON_PAPER, 0.02, 0.08),
            "on paper six patterns reach the observed sum, p = 0.094; two of them do so but for the "
            "computer's last digit",
        ),
        Case(({}, {}, 0.02), "without queries nothing was measured, and nothing may pass"),
    ),
    hints=(
        "Three steps: are they the same queries? By how much did the mean drop? How often would chance "
        "alone go so far? Only a drop that is both too large and too rare fails.",
        "before.keys() != after.keys() compares ids in any order. With differences = [after[q] - before[q] "
        "for q in before] the drop is -sum(differences) / len(differences), and `from itertools import "
        "product` gives the patterns.",
        "p is the mean of abs(sum(s * d …)) >= abs(sum(differences)) - 1e-9 over all patterns of "
        "product([1, -1], repeat=n). At the end: return not (drop > limit + 1e-9 and p < alpha).",
    ),
)


def _differences(before, after):
    if not before or before.keys() != after.keys():
        raise ValueError
    return [after[query_id] - before[query_id] for query_id in before]


def _sums(differences):
    sums = [0.0]
    for difference in differences:
        sums = [total + step for total in sums for step in (difference, -difference)]
    return sums


def _p(differences, tolerance=1e-9):
    size, sums = abs(sum(differences)), _sums(differences)
    return sum(abs(total) >= size - tolerance for total in sums) / len(sums)


def _mean_drop(differences):
    return -sum(differences) / len(differences)


def _gate(
    before,
    after,
    limit,
    alpha=0.05,
    p=_p,
    drop=_mean_drop,
    too_far=lambda drop, limit: drop > limit + 1e-9,
    low=lambda p, alpha: p < alpha,
    pair=_differences,
):
    """The reference with one part exchanged."""
    differences = pair(before, after)
    return not (too_far(drop(differences), limit) and low(p(differences), alpha))


@GATE.mistake("any drop beyond the limit")
def any_drop_beyond_the_limit(before, after, limit, alpha=0.05):
    """Your gate fails on any mean drop beyond the limit, and asks nothing else. One query of 30 can move
    a mean by 0.03. Whoever sees it red without reason learns to push past it; so it asks the queries as
    well."""
    return _gate(before, after, limit, alpha, p=lambda differences: -1.0)


@GATE.mistake("any drop at all")
def any_drop_at_all(before, after, limit, alpha=0.05):
    """Your gate fails on any drop, whatever the limit. Of changes that do nothing but shuffle ranks half drop
    a little. It fails if the drop is beyond the limit and p is small."""
    return _gate(
        before, after, limit, alpha, p=lambda differences: -1.0, too_far=lambda drop, limit: drop > 1e-9
    )


@GATE.mistake("limit ignored")
def limit_ignored(before, after, limit, alpha=0.05):
    """Your gate fails on every drop that the test supports, however small. With many queries a drop of 0.001
    is supported, and nobody would mind it. What may be lost is said by `limit`."""
    return _gate(before, after, limit, alpha, too_far=lambda drop, limit: drop > 1e-9)


@GATE.mistake("test alone")
def test_alone(before, after, limit, alpha=0.05):
    """Your gate asks the test alone. It says that something changed, not in which direction nor whether it
    matters: a gain would fail. It must also be a drop, of more than `limit`."""
    return _gate(before, after, limit, alpha, too_far=lambda drop, limit: True)


@GATE.mistake("either is enough")
def either_is_enough(before, after, limit, alpha=0.05):
    """Your gate fails if either holds. A large drop may be one query's, and a small p may belong to a gain,
    or to a drop that nobody would notice. Both must hold."""
    differences = _differences(before, after)
    return not (_mean_drop(differences) > limit + 1e-9 or _p(differences) < alpha)


def _one_sided_p(differences):
    return sum(total <= sum(differences) + 1e-9 for total in _sums(differences)) / 2 ** len(differences)


@GATE.mistake("one-sided")
def one_sided(before, after, limit, alpha=0.05):
    """You count only patterns that fall so far. That p is half as large, since chance lifts as often as it
    lowers. The convention is lesson 06's test, which compares sizes; then five queries of five are not
    enough."""
    return _gate(before, after, limit, alpha, p=_one_sided_p)


@GATE.mistake("a rise counts as a fall")
def a_rise_counts_as_a_fall(before, after, limit, alpha=0.05):
    """You take the size of the change without its sign, so a gain fails as well. p has no sign; the drop must
    have one: before − after."""
    return _gate(before, after, limit, alpha, drop=lambda differences: abs(_mean_drop(differences)))


@GATE.mistake("gains fail, falls pass")
def gains_fail_falls_pass(before, after, limit, alpha=0.05):
    """Your drop has the wrong sign: gains fail and losses pass. It is the mean of before − after."""
    return _gate(before, after, limit, alpha, drop=lambda differences: -_mean_drop(differences))


@GATE.mistake("True where it fails")
def backwards(before, after, limit, alpha=0.05):
    """You return True where the change fails. Asked is whether it may pass."""
    return not gate(before, after, limit, alpha)


_TURNED_ROUND = (
    "Your gate fails where p is large. A large p says that chance often goes so far, so the drop shows "
    "nothing. It is the small p that supports the drop."
)


@GATE.mistake("p turned round", _TURNED_ROUND)
def p_turned_round(before, after, limit, alpha=0.05):
    return _gate(before, after, limit, alpha, low=lambda p, alpha: p > alpha)


@GATE.mistake("p turned round, with =", _TURNED_ROUND)
def p_turned_round_with(before, after, limit, alpha=0.05):
    return _gate(before, after, limit, alpha, low=lambda p, alpha: p >= alpha)


@GATE.mistake("p not above alpha")
def p_not_above_alpha(before, after, limit, alpha=0.05):
    """You fail it at p = alpha. The convention, lesson 06's and the command line's, is p < alpha. With exact
    tests, whose p are fractions of 2ⁿ, this does happen."""
    return _gate(before, after, limit, alpha, low=lambda p, alpha: p <= alpha)


@GATE.mistake("alpha ignored")
def fixed_alpha(before, after, limit, alpha=0.05):
    """You compare p with 0.05, whatever alpha is. It is the caller who says how many false alarms are
    bearable."""
    return gate(before, after, limit)


def _by_position(before, after):
    if not before or before.keys() != after.keys():
        raise ValueError
    return [b - a for a, b in zip(before.values(), after.values(), strict=True)]


_BY_POSITION = (
    "You pair scores by their place. The two files may hold the queries in another order, and then one "
    "query's score is subtracted from another's. Look both up by the query id."
)


@GATE.mistake("by place", _BY_POSITION)
def by_position(before, after, limit, alpha=0.05):
    return _gate(before, after, limit, alpha, pair=_by_position)


def _by_position_unchecked(before, after):
    pairs = zip(before.values(), after.values(), strict=False)
    return [b - a for a, b in pairs] or _differences(before, after)


@GATE.mistake("by place, unchecked", _BY_POSITION)
def by_position_unchecked(before, after, limit, alpha=0.05):
    return _gate(before, after, limit, alpha, pair=_by_position_unchecked)


def _common(before, after):
    common = [query_id for query_id in before if query_id in after]
    return [after[query_id] - before[query_id] for query_id in common] or _differences(before, after)


@GATE.mistake("missing queries dropped")
def missing_queries_dropped(before, after, limit, alpha=0.05):
    """You compare the queries that both sides have, and say nothing of the others. An engine that crashes on
    its hard queries loses them from the file, and the gate is green. Other queries are another measurement:
    raise ValueError."""
    return _gate(before, after, limit, alpha, pair=_common)


def _lacking_as_zero(before, after):
    either = [*before, *(query_id for query_id in after if query_id not in before)]
    differences = [after.get(query_id, 0) - before.get(query_id, 0) for query_id in either]
    return differences or _differences(before, after)


@GATE.mistake("missing queries as 0")
def missing_queries_as_0(before, after, limit, alpha=0.05):
    """You give 0 to a query that one side lacks. That is a rule for engines that found nothing; here nobody
    knows why the query is missing, and a new one would count as a gain. Raise ValueError."""
    return _gate(before, after, limit, alpha, pair=_lacking_as_zero)


def _all_of_before(before, after):
    return [after[query_id] - before[query_id] for query_id in before] or _differences(before, after)


@GATE.mistake("missing queries not looked for")
def missing_queries_not_looked_for(before, after, limit, alpha=0.05):
    """You go through the queries of `before` alone. One that is missing afterwards raises KeyError by
    accident, one that is new is passed over. Compare the two sets of ids first, and raise ValueError."""
    return _gate(before, after, limit, alpha, pair=_all_of_before)


@GATE.mistake("at the limit")
def at_the_limit(before, after, limit, alpha=0.05):
    """You fail a drop that is exactly the limit. `limit` is the largest drop that is allowed: more than it
    fails."""
    return _gate(before, after, limit, alpha, too_far=lambda drop, limit: drop >= limit - 1e-9)


@GATE.mistake("sum against the limit")
def sum_against_the_limit(before, after, limit, alpha=0.05):
    """You compare the sum of all drops with the limit. It grows with the number of queries; the limit is for
    the mean."""
    return _gate(before, after, limit, alpha, drop=lambda differences: -sum(differences))


@GATE.mistake("worst query against the limit")
def worst_query_against_the_limit(before, after, limit, alpha=0.05):
    """You compare the worst query's drop with the limit. With enough queries there is always one that fell.
    It is worth a look, but the gate is about the mean."""
    return _gate(before, after, limit, alpha, drop=lambda differences: -min(differences))


@GATE.mistake("share of the mean")
def relative(before, after, limit, alpha=0.05):
    """You divide the drop by the mean before, and so compare a percentage. `limit` is in the metric's own
    units: 0.02 is two hundredths, whatever the mean was."""
    differences, mean = _differences(before, after), sum(before.values()) / len(before)
    return not (_mean_drop(differences) / (mean or 1) > limit + 1e-9 and _p(differences) < alpha)


def _signs_p(differences):
    return _p([(difference > 1e-9) - (difference < -1e-9) for difference in differences])


@GATE.mistake("wins and losses counted")
def wins_and_losses_counted(before, after, limit, alpha=0.05):
    """You test how many fell and how many rose. That is the sign test, in which 0.01 weighs as much as 0.6.
    Keep the sizes, and flip their signs."""
    return _gate(before, after, limit, alpha, p=_signs_p)


def _strict_p(differences):
    return _p(differences, -1e-9)


@GATE.mistake("observed pattern not counted")
def observed_pattern_not_counted(before, after, limit, alpha=0.05):
    """You count only patterns that go further than the observed one. It belongs to the 2ⁿ itself; without it
    p can be 0, and the gate fails on a single query."""
    return _gate(before, after, limit, alpha, p=_strict_p)


_NO_TOLERANCE = (
    "You compare without tolerance. On a computer 0.3 − 0.2 and 0.1 differ in the last digit, so values "
    "that are equal on paper come out above or below by chance. Up to 1e-9 they count as equal: drop > "
    "limit + 1e-9, size >= observed − 1e-9."
)


@GATE.mistake("no tolerance", _NO_TOLERANCE)
def no_tolerance(before, after, limit, alpha=0.05):
    return _gate(
        before, after, limit, alpha, p=lambda d: _p(d, 0.0), too_far=lambda drop, limit: drop > limit
    )


@GATE.mistake("no tolerance in the sums", _NO_TOLERANCE)
def no_tolerance_in_the_sums(before, after, limit, alpha=0.05):
    return _gate(before, after, limit, alpha, p=lambda d: _p(d, 0.0))


@GATE.mistake("no tolerance at the limit", _NO_TOLERANCE)
def no_tolerance_at_the_limit(before, after, limit, alpha=0.05):
    return _gate(before, after, limit, alpha, too_far=lambda drop, limit: drop > limit)


@GATE.mistake("nothing passes")
def empty_passes(before, after, limit, alpha=0.05):
    """You let a comparison without queries pass. An empty file, or a wrong path, would keep the gate green
    for ever. Raise ValueError."""
    return True if not before and not after else gate(before, after, limit, alpha)


@GATE.mistake("nothing divides by 0")
def empty_divides(before, after, limit, alpha=0.05):
    """Without queries you divide by 0. It raises, but says that the program is broken, and not what to do.
    Ask first, and raise ValueError."""
    return 1 / 0 if not before and not after else gate(before, after, limit, alpha)
