"""Wrong regression gates, as they are written, for the exercise in `gate`; each is right but for one thing."""

from course.exercises.cases import Mistake


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
    return sum(abs(total) >= abs(sum(differences)) - tolerance for total in _sums(differences)) / 2 ** len(
        differences
    )


def _one_sided_p(differences):
    return sum(total <= sum(differences) + 1e-9 for total in _sums(differences)) / 2 ** len(differences)


def _strict_p(differences):
    return _p(differences, -1e-9)


def _signs_p(differences):
    return _p([(difference > 1e-9) - (difference < -1e-9) for difference in differences])


def _mean_drop(differences):
    return -sum(differences) / len(differences)


def _mistaken(
    p=_p,
    drop=_mean_drop,
    too_far=lambda drop, limit: drop > limit + 1e-9,
    low=lambda p, alpha: p < alpha,
    pair=_differences,
):
    def function(before, after, limit, alpha=0.05):
        differences = pair(before, after)
        return not (too_far(drop(differences), limit) and low(p(differences), alpha))

    return function


_right = _mistaken()


def _either(before, after, limit, alpha=0.05):
    differences = _differences(before, after)
    return not (_mean_drop(differences) > limit + 1e-9 or _p(differences) < alpha)


def _backwards(before, after, limit, alpha=0.05):
    return not _right(before, after, limit, alpha)


def _fixed_alpha(before, after, limit, alpha=0.05):
    return _right(before, after, limit)


def _relative(before, after, limit, alpha=0.05):
    differences, mean = _differences(before, after), sum(before.values()) / len(before)
    return not (_mean_drop(differences) / (mean or 1) > limit + 1e-9 and _p(differences) < alpha)


def _by_place(before, after):
    if not before or before.keys() != after.keys():
        raise ValueError
    return [b - a for a, b in zip(before.values(), after.values(), strict=True)]


def _by_place_unchecked(before, after):
    return [b - a for a, b in zip(before.values(), after.values(), strict=False)] or _differences(
        before, after
    )


def _common(before, after):
    return [after[query_id] - before[query_id] for query_id in before if query_id in after] or _differences(
        before, after
    )


def _lacking_as_zero(before, after):
    either = [*before, *(query_id for query_id in after if query_id not in before)]
    return [after.get(query_id, 0) - before.get(query_id, 0) for query_id in either] or _differences(
        before, after
    )


def _all_of_before(before, after):
    return [after[query_id] - before[query_id] for query_id in before] or _differences(before, after)


def _empty_passes(before, after, limit, alpha=0.05):
    return True if not before and not after else _right(before, after, limit, alpha)


def _empty_divides(before, after, limit, alpha=0.05):
    return 1 / 0 if not before and not after else _right(before, after, limit, alpha)


_DROPPED_IN_SILENCE = (
    "You compare the queries that both sides have, and say nothing of the others. An engine that crashes on its hard queries loses "
    "them from the file, and the gate is green. Other queries are another measurement: raise ValueError."
)
_BY_PLACE = (
    "You pair scores by their place. The two files may hold the queries in another order, and then one query's score is subtracted from "
    "another's. Look both up by the query id."
)
_TURNED_ROUND = (
    "Your gate fails where p is large. A large p says that chance often goes so far, so the drop shows nothing. It is the small p that "
    "supports the drop."
)
_NO_TOLERANCE = (
    "You compare without tolerance. On a computer 0.3 − 0.2 and 0.1 differ in the last digit, so values that are equal on paper come out "
    "above or below by chance. Up to 1e-9 they count as equal: drop > limit + 1e-9, size >= observed − 1e-9."
)

MISTAKES = (
    Mistake(
        "any drop beyond the limit",
        _mistaken(p=lambda differences: -1.0),
        "Your gate fails on any mean drop beyond the limit, and asks nothing else. One query of 30 can move a mean by 0.03. Whoever "
        "sees it red without reason learns to push past it; so it asks the queries as well.",
    ),
    Mistake(
        "any drop at all",
        _mistaken(p=lambda differences: -1.0, too_far=lambda drop, limit: drop > 1e-9),
        "Your gate fails on any drop, whatever the limit. Of changes that do nothing but shuffle ranks half drop a little. It fails if "
        "the drop is beyond the limit and p is small.",
    ),
    Mistake(
        "limit ignored",
        _mistaken(too_far=lambda drop, limit: drop > 1e-9),
        "Your gate fails on every drop that the test supports, however small. With many queries a drop of 0.001 is supported, and nobody "
        "would mind it. What may be lost is said by `limit`.",
    ),
    Mistake(
        "test alone",
        _mistaken(too_far=lambda drop, limit: True),
        "Your gate asks the test alone. It says that something changed, not in which direction nor whether it matters: a gain would "
        "fail. It must also be a drop, of more than `limit`.",
    ),
    Mistake(
        "either is enough",
        _either,
        "Your gate fails if either holds. A large drop may be one query's, and a small p may belong to a gain, or to a drop that "
        "nobody would notice. Both must hold.",
    ),
    Mistake(
        "one-sided",
        _mistaken(p=_one_sided_p),
        "You count only patterns that fall so far. That p is half as large, since chance lifts as often as it lowers. The "
        "convention is lesson 06's test, which compares sizes; then five queries of five are not enough.",
    ),
    Mistake(
        "a rise counts as a fall",
        _mistaken(drop=lambda differences: abs(_mean_drop(differences))),
        "You take the size of the change without its sign, so a gain fails as well. p has no sign; the drop must have one: "
        "before − after.",
    ),
    Mistake(
        "gains fail, falls pass",
        _mistaken(drop=lambda differences: -_mean_drop(differences)),
        "Your drop has the wrong sign: gains fail and losses pass. It is the mean of before − after.",
    ),
    Mistake(
        "True where it fails",
        _backwards,
        "You return True where the change fails. Asked is whether it may pass.",
    ),
    Mistake("p turned round", _mistaken(low=lambda p, alpha: p > alpha), _TURNED_ROUND),
    Mistake("p turned round, with =", _mistaken(low=lambda p, alpha: p >= alpha), _TURNED_ROUND),
    Mistake(
        "p not above alpha",
        _mistaken(low=lambda p, alpha: p <= alpha),
        "You fail it at p = alpha. The convention, lesson 06's and the command line's, is p < alpha. With exact tests, whose p are "
        "fractions of 2ⁿ, this does happen.",
    ),
    Mistake(
        "alpha ignored",
        _fixed_alpha,
        "You compare p with 0.05, whatever alpha is. It is the caller who says how many false alarms are bearable.",
    ),
    Mistake("by place", _mistaken(pair=_by_place), _BY_PLACE),
    Mistake("by place, unchecked", _mistaken(pair=_by_place_unchecked), _BY_PLACE),
    Mistake("missing queries dropped", _mistaken(pair=_common), _DROPPED_IN_SILENCE),
    Mistake(
        "missing queries as 0",
        _mistaken(pair=_lacking_as_zero),
        "You give 0 to a query that one side lacks. That is a rule for engines that found nothing; here nobody knows why the query is "
        "missing, and a new one would count as a gain. Raise ValueError.",
    ),
    Mistake(
        "missing queries not looked for",
        _mistaken(pair=_all_of_before),
        "You go through the queries of `before` alone. One that is missing afterwards raises KeyError by accident, one that is new is "
        "passed over. Compare the two sets of ids first, and raise ValueError.",
    ),
    Mistake(
        "at the limit",
        _mistaken(too_far=lambda drop, limit: drop >= limit - 1e-9),
        "You fail a drop that is exactly the limit. `limit` is the largest drop that is allowed: more than it fails.",
    ),
    Mistake(
        "sum against the limit",
        _mistaken(drop=lambda differences: -sum(differences)),
        "You compare the sum of all drops with the limit. It grows with the number of queries; the limit is for the mean.",
    ),
    Mistake(
        "worst query against the limit",
        _mistaken(drop=lambda differences: -min(differences)),
        "You compare the worst query's drop with the limit. With enough queries there is always one that fell. It is worth a look, but "
        "the gate is about the mean.",
    ),
    Mistake(
        "share of the mean",
        _relative,
        "You divide the drop by the mean before, and so compare a percentage. `limit` is in the metric's own units: 0.02 is two "
        "hundredths, whatever the mean was.",
    ),
    Mistake(
        "wins and losses counted",
        _mistaken(p=_signs_p),
        "You test how many fell and how many rose. That is the sign test, in which 0.01 weighs as much as 0.6. Keep the sizes, and flip "
        "their signs.",
    ),
    Mistake(
        "observed pattern not counted",
        _mistaken(p=_strict_p),
        "You count only patterns that go further than the observed one. It belongs to the 2ⁿ itself; without it p can be 0, and the gate "
        "fails on a single query.",
    ),
    Mistake(
        "no tolerance",
        _mistaken(p=lambda d: _p(d, 0.0), too_far=lambda drop, limit: drop > limit),
        _NO_TOLERANCE,
    ),
    Mistake("no tolerance in the sums", _mistaken(p=lambda d: _p(d, 0.0)), _NO_TOLERANCE),
    Mistake("no tolerance at the limit", _mistaken(too_far=lambda drop, limit: drop > limit), _NO_TOLERANCE),
    Mistake(
        "nothing passes",
        _empty_passes,
        "You let a comparison without queries pass. An empty file, or a wrong path, would keep the gate green for ever. Raise ValueError.",
    ),
    Mistake(
        "nothing divides by 0",
        _empty_divides,
        "Without queries you divide by 0. It raises, but says that the program is broken, and not what to do. Ask first, and raise "
        "ValueError.",
    ),
)
