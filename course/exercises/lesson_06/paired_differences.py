"""Exercise: the differences between two systems, query by query."""

from course.exercises.cases import Case, Mistake
from course.exercises.exercise import Exercise


def paired_differences(a, b):
    return {query_id: b.get(query_id, 0) - a.get(query_id, 0) for query_id in {**a, **b}}


def _intersection(a, b):
    return {query_id: b[query_id] - a[query_id] for query_id in a if query_id in b}


def _through_a(a, b):
    return {query_id: b.get(query_id, 0) - a[query_id] for query_id in a}


def _through_b(a, b):
    return {query_id: b[query_id] - a.get(query_id, 0) for query_id in b}


def _through_a_raises(a, b):
    return {query_id: b[query_id] - a[query_id] for query_id in a}


def _through_b_raises(a, b):
    return {query_id: b[query_id] - a[query_id] for query_id in b}


def _union_raises(a, b):
    return {query_id: b[query_id] - a[query_id] for query_id in {**a, **b}}


def _by_position(a, b):
    return {query_id: y - x for query_id, x, y in zip(a, a.values(), b.values())}  # noqa: B905


def _by_position_named_by_b(a, b):
    return {query_id: y - x for query_id, x, y in zip(b, a.values(), b.values())}  # noqa: B905


def _by_size(a, b):
    return dict(zip(sorted({**a, **b}), (y - x for x, y in zip(sorted(a.values()), sorted(b.values())))))  # noqa: B905


def _a_minus_b(a, b):
    return paired_differences(b, a)


def _a_minus_b_intersection(a, b):
    return _intersection(b, a)


def _absolute(a, b):
    return {query_id: abs(difference) for query_id, difference in paired_differences(a, b).items()}


def _missing_is_a_tie(a, b):
    return {
        query_id: b[query_id] - a[query_id] if query_id in a and query_id in b else 0
        for query_id in {**a, **b}
    }


def _missing_is_refused(a, b):
    if a.keys() != b.keys():
        raise ValueError("one side lacks a query")
    return {query_id: b[query_id] - a[query_id] for query_id in a}


def _missing_is_none(a, b):
    return {
        query_id: b[query_id] - a[query_id] if query_id in a and query_id in b else None
        for query_id in {**a, **b}
    }


def _ties_left_out(a, b):
    return {query_id: difference for query_id, difference in paired_differences(a, b).items() if difference}


def _zero_is_missing(a, b):
    return {query_id: b[query_id] - a[query_id] for query_id in a if a.get(query_id) and b.get(query_id)}


def _relative(a, b):
    return {query_id: (b.get(query_id, 0) - a[query_id]) / a[query_id] for query_id in a if a[query_id]}


_THROUGH_ONE = (
    "You go through the queries of one system only. What the other one alone has answered drops out, so it matters who is called A. "
    "Take every query that either of them has."
)
_RAISES = (
    "You look up every query in both, but one that got no results is often missing from a run, and so from its scores. It is worth 0 "
    "there; `.get(query_id, 0)` says so."
)
_POSITION = (
    "You pair the first score of A with the first of B, the second with the second. The two come in different orders, and one may "
    "lack a query. What belongs together is said by the query_id."
)

PAIRED_DIFFERENCES = Exercise(
    name="PAIRED_DIFFERENCES",
    task="""\
Write `paired_differences(a, b)`: how much better system B does than system A, query by query.

`a` and `b` are `{query_id: score}`, for instance nDCG@10, in any order. Returned is `{query_id: difference}`, in any order. \
**Convention**: the difference is B's score minus A's, so above 0 B is better. Every query that A or B has is in the result; where one of \
them lacks it, that system got no results, and its score is 0 (as in `trec_eval -c`). A query on which both do the same is in the result too, with 0.""",
    reference=paired_differences,
    cases=(
        Case(({"q1": 0.2}, {"q1": 0.7}), "B is better by a half, and better is above 0"),
        Case(({"q1": 0.7}, {"q1": 0.2}), "B is worse here, and worse is below 0"),
        Case(
            ({"q1": 0.5, "q2": 0.25}, {"q2": 0.75, "q1": 0.5}),
            "a score belongs to its query by id, not by its place",
        ),
        Case(
            ({"q1": 0.5, "q2": 0.75}, {"q1": 0.75}),
            "B found nothing for q2: it loses all of 0.75 there, and that counts",
        ),
        Case(({"q1": 0.5}, {"q1": 0.25, "q2": 0.75}), "A found nothing for q2: B wins all of 0.75 there"),
        Case(
            ({"q1": 0.5, "q2": 0.25}, {"q2": 0.5, "q3": 1.0}),
            "each lacks one query of the other; there are three",
        ),
        Case(({"q1": 0.0, "q2": 0.5}, {"q1": 0.5, "q2": 0.0}), "a score of 0 is a score like any other"),
        Case(
            ({"q1": 1.0, "q2": 0.0}, {"q1": 1.0, "q2": 0.0}),
            "both do the same: two differences of 0, not none",
        ),
        Case(
            ({"q3": 0.75, "q1": 0.25, "q2": 0.5}, {"q1": 1.0, "q2": 0.5, "q3": 0.25}),
            "a win, a tie and a loss, in two orders",
        ),
        Case(({}, {"q1": 0.5}), "A answered nothing at all"),
        Case(({}, {}), "no query, no difference"),
    ),
    hints=(
        "A difference is only fair within one query. So ask first which queries there are, then what each system got there.",
        "{**a, **b} has each query of either system once. a.get(query_id, 0) is A's score, or 0 where A lacks the query.",
        "{query_id: b.get(query_id, 0) - a.get(query_id, 0) for query_id in …}, over the queries of both.",
    ),
    mistakes=(
        Mistake(
            "intersection only",
            _intersection,
            "You compare only where both systems answered. A query that one of them lacks is its worst failure, and it drops out in "
            "silence. Then a system gains by not answering what is hard.",
        ),
        Mistake("only A's queries", _through_a, _THROUGH_ONE),
        Mistake("only B's queries", _through_b, _THROUGH_ONE),
        Mistake("only A's queries, missing raises", _through_a_raises, _RAISES),
        Mistake("only B's queries, missing raises", _through_b_raises, _RAISES),
        Mistake("missing raises", _union_raises, _RAISES),
        Mistake("by position", _by_position, _POSITION),
        Mistake("by position, with B's names", _by_position_named_by_b, _POSITION),
        Mistake(
            "by size",
            _by_size,
            "You sort the scores of both and subtract. Then A's worst query meets B's worst, which may be another one. Such differences "
            "look small and steady, and no test on them means anything.",
        ),
        Mistake(
            "A minus B",
            _a_minus_b,
            "You subtract B from A. The sizes are right, and every sign says the opposite: a system that loses would be put into "
            "service. Here above 0 means that B is better.",
        ),
        Mistake(
            "A minus B, intersection only",
            _a_minus_b_intersection,
            "You subtract B from A, so every sign says the opposite; and you leave out queries that one of them lacks, where it should "
            "count 0.",
        ),
        Mistake(
            "without sign",
            _absolute,
            "You take the size of the difference and drop its sign. Then wins and losses look alike, and two systems that merely differ "
            "seem to have a better one among them.",
        ),
        Mistake(
            "missing counted as a tie",
            _missing_is_a_tie,
            "You count a difference of 0 where one system lacks a query. But only its score is 0; the other's is not, and it has won by "
            "all of it.",
        ),
        Mistake(
            "missing refused",
            _missing_is_refused,
            "You refuse when one system lacks a query. That is careful, and helpers.stats does so unless told otherwise. Here, as in "
            "trec_eval -c, a query without results counts 0.",
        ),
        Mistake(
            "missing counted as None",
            _missing_is_none,
            "You say None where one system lacks a query. Whoever averages will have to drop it, and with it that system's worst "
            "failure. No results are worth 0, and 0 can be subtracted.",
        ),
        Mistake(
            "ties left out",
            _ties_left_out,
            "You leave out queries on which both do the same. They are part of the mean: a change that helps one query of a hundred "
            "would otherwise look as if it helped all.",
        ),
        Mistake(
            "0 taken for missing",
            _zero_is_missing,
            "You take a score of 0 for no score: in Python both are false. A query on which a system fails is left out, and it is the one "
            "that tells the systems apart.",
        ),
        Mistake(
            "relative",
            _relative,
            "You divide by A's score. So a step from 0.01 to 0.02 counts more than one from 0.5 to 0.9, and where A has 0 there is "
            "nothing to divide by. The tests of this lesson use plain differences.",
        ),
    ),
)
