"""Exercise: the differences between two systems, query by query."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def paired_differences(a, b):
    return {query_id: b.get(query_id, 0) - a.get(query_id, 0) for query_id in {**a, **b}}


PAIRED_DIFFERENCES = Exercise(
    name="PAIRED_DIFFERENCES",
    task="""\
Write `paired_differences(a, b)`: by how much is system B better than system A, query by query?

`a` and `b` are `{query_id: score}`, for instance of nDCG@10, in any order. Return `{query_id: \
difference}`, in any order. **Convention**: the difference is B's score minus A's, so a value above 0 \
means that B is better. The result has every query that A or B has, even if the difference is 0. If one \
system lacks a query, it got no results there, and its score is 0 (as in `trec_eval -c`).""",
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
            (
                {"q10": 0.61, "q9": 0.333333, "q2": 0.0, "q4": 0.875, "q7": 0.5},
                {"q4": 0.8125, "q2": 0.12345, "q11": 0.4, "q9": 0.142857, "q10": 0.61, "q12": 0.0},
            ),
            "four queries of both, with a win, two losses and a tie; three of one system only",
        ),
        Case(
            ({"q1": 1.0, "q2": 0.0}, {"q1": 1.0, "q2": 0.0}),
            "both do the same: two differences of 0, not none",
        ),
        Case(
            ({"q3": 0.75, "q1": 0.25, "q2": 0.5}, {"q1": 1.0, "q2": 0.5, "q3": 0.25}),
            "a win, a tie and a loss, in two orders",
        ),
        Case(({"q1": 0.12345}, {"q1": 0.5}), "a difference keeps all its digits"),
        Case(({}, {"q1": 0.5}), "A answered nothing at all"),
        Case(({}, {}), "no query, no difference"),
    ),
    hints=(
        "Compare scores only within one query. So ask first which queries there are, then what each system "
        "got on each of them.",
        "{**a, **b} has each query of either system once. a.get(query_id, 0) is A's score, or 0 where A "
        "lacks the query.",
        "{query_id: b.get(query_id, 0) - a.get(query_id, 0) for query_id in …}, over the queries of both.",
    ),
)


@PAIRED_DIFFERENCES.mistake("intersection only")
def intersection(a, b):
    """You compare only where both systems answered. A query that a system lacks is its worst failure, and
    here it drops out silently. Then a system gains by not answering what is hard."""
    return paired_differences({q: a[q] for q in a if q in b}, {q: b[q] for q in b if q in a})


_THROUGH_ONE = (
    "You go through the queries of one system only. Queries that only the other one answered drop "
    "out, so the result depends on which is called A. Take every query that either of them has."
)


@PAIRED_DIFFERENCES.mistake("only A's queries", _THROUGH_ONE)
def through_a(a, b):
    return paired_differences(a, {q: b[q] for q in b if q in a})


@PAIRED_DIFFERENCES.mistake("only B's queries", _THROUGH_ONE)
def through_b(a, b):
    return paired_differences({q: a[q] for q in a if q in b}, b)


_RAISES = (
    "You look up every query in both, but one that got no results is often missing from a run, and so from "
    "its scores. It is worth 0 there; `.get(query_id, 0)` says so."
)


@PAIRED_DIFFERENCES.mistake("only A's queries, missing raises", _RAISES)
def through_a_raises(a, b):
    return {query_id: b[query_id] - a[query_id] for query_id in a}


@PAIRED_DIFFERENCES.mistake("only B's queries, missing raises", _RAISES)
def through_b_raises(a, b):
    return {query_id: b[query_id] - a[query_id] for query_id in b}


@PAIRED_DIFFERENCES.mistake("missing raises", _RAISES)
def union_raises(a, b):
    return {query_id: b[query_id] - a[query_id] for query_id in {**a, **b}}


_POSITION = (
    "You pair the first score of A with the first of B, the second with the second. The two come in "
    "different orders, and one may lack a query. Only the query_id says which scores belong together."
)


@PAIRED_DIFFERENCES.mistake("by position", _POSITION)
def by_position(a, b):
    return {query_id: y - x for query_id, x, y in zip(a, a.values(), b.values())}  # noqa: B905


@PAIRED_DIFFERENCES.mistake("by position, with B's names", _POSITION)
def by_position_named_by_b(a, b):
    return {query_id: y - x for query_id, x, y in zip(b, a.values(), b.values())}  # noqa: B905


@PAIRED_DIFFERENCES.mistake("by size")
def by_size(a, b):
    """You sort the scores of both and subtract. Then A's worst query meets B's worst, which may be another
    one. Such differences look small and steady, and no test on them means anything."""
    by_rank = [y - x for x, y in zip(sorted(a.values()), sorted(b.values()))]  # noqa: B905
    return dict(zip(sorted({**a, **b}), by_rank))  # noqa: B905


@PAIRED_DIFFERENCES.mistake("A minus B")
def a_minus_b(a, b):
    """You subtract B from A. The sizes stay, and every sign says the opposite: a system that loses would
    be put into service. Here above 0 means that B is better."""
    return paired_differences(b, a)


@PAIRED_DIFFERENCES.mistake("A minus B, intersection only")
def a_minus_b_intersection(a, b):
    """You subtract B from A, so every sign says the opposite; and you leave out queries that one of them
    lacks, where it should count 0."""
    return intersection(b, a)


@PAIRED_DIFFERENCES.mistake("without sign")
def absolute(a, b):
    """You take the size of the difference and drop its sign. Then wins and losses look alike, and two systems
    that merely differ seem to have a better one among them."""
    return {query_id: abs(difference) for query_id, difference in paired_differences(a, b).items()}


@PAIRED_DIFFERENCES.mistake("missing counted as a tie")
def missing_is_a_tie(a, b):
    """You count a difference of 0 where one system lacks a query. But only its own score is 0. The other
    system has a score, and wins by all of it."""
    return {
        query_id: b[query_id] - a[query_id] if query_id in a and query_id in b else 0
        for query_id in {**a, **b}
    }


@PAIRED_DIFFERENCES.mistake("missing refused")
def missing_is_refused(a, b):
    """You refuse when one system lacks a query. That is careful, and helpers.stats does so unless told
    otherwise. Here, as in trec_eval -c, a query without results counts 0."""
    if a.keys() != b.keys():
        raise ValueError("one side lacks a query")
    return {query_id: b[query_id] - a[query_id] for query_id in a}


@PAIRED_DIFFERENCES.mistake("missing counted as None")
def missing_is_none(a, b):
    """You say None where one system lacks a query. An average then has to drop it, and with it that system's
    worst failure. Having no results is worth 0, and 0 can be subtracted."""
    return {
        query_id: b[query_id] - a[query_id] if query_id in a and query_id in b else None
        for query_id in {**a, **b}
    }


@PAIRED_DIFFERENCES.mistake("ties left out")
def ties_left_out(a, b):
    """You leave out queries on which both do the same. They are part of the mean: a change that helps one
    query of a hundred would otherwise look as if it helped all."""
    return {query_id: difference for query_id, difference in paired_differences(a, b).items() if difference}


@PAIRED_DIFFERENCES.mistake("0 taken for missing")
def zero_is_missing(a, b):
    """You take a score of 0 for no score: in Python both are false. Then queries on which a system fails are
    left out, and these are the ones that tell the systems apart."""
    return {query_id: b[query_id] - a[query_id] for query_id in a if a.get(query_id) and b.get(query_id)}


@PAIRED_DIFFERENCES.mistake("relative")
def relative(a, b):
    """You divide by A's score. So a step from 0.01 to 0.02 counts more than one from 0.5 to 0.9, and where A
    has 0 there is nothing to divide by. The tests of this lesson use plain differences."""
    return {query_id: (b.get(query_id, 0) - a[query_id]) / a[query_id] for query_id in a if a[query_id]}


@PAIRED_DIFFERENCES.mistake("missing gets the system's mean")
def missing_gets_the_mean(a, b):
    """You give a system its own mean where it lacks a query. Then it gains by not answering what is hard: no
    results are worth 0."""
    means = [sum(scores.values()) / len(scores) if scores else 0.0 for scores in (a, b)]
    return {query_id: b.get(query_id, means[1]) - a.get(query_id, means[0]) for query_id in {**a, **b}}


@PAIRED_DIFFERENCES.mistake("missing gets the other's score")
def missing_gets_its_own(a, b):
    """Where one system lacks a query, you return the other's score without a sign. What only A answers is a
    loss for B: 0 minus A's score."""
    return {
        query_id: b[query_id] - a[query_id] if query_id in a and query_id in b else {**a, **b}[query_id]
        for query_id in {**a, **b}
    }


@PAIRED_DIFFERENCES.mistake("losses as 0")
def losses_as_0(a, b):
    """You cut losses off at 0. Then no change can do harm, and every mean is above 0. A loss is a difference
    like any other."""
    return {query_id: max(0, difference) for query_id, difference in paired_differences(a, b).items()}


@PAIRED_DIFFERENCES.mistake("signs only")
def signs_only(a, b):
    """You keep only which system was better. The tests of this lesson need to know by how much."""
    return {q: (d > 0) - (d < 0) for q, d in paired_differences(a, b).items()}


@PAIRED_DIFFERENCES.mistake("missing gets 1")
def missing_gets_1(a, b):
    """You give a system 1 where it lacks a query. It found nothing: its score is 0 there."""
    return {query_id: b.get(query_id, 1) - a.get(query_id, 1) for query_id in {**a, **b}}


_BY_A = (
    "You divide by A's score. So a step from 0.01 to 0.02 counts more than one from 0.5 to 0.9, and where A "
    "has 0 there is nothing to divide by. The tests of this lesson use plain differences."
)


@PAIRED_DIFFERENCES.mistake("relative, plain where A has 0", _BY_A)
def relative_or_plain(a, b):
    return {q: d / (a.get(q, 0) or 1) for q, d in paired_differences(a, b).items()}


@PAIRED_DIFFERENCES.mistake("relative, 0 where A has 0", _BY_A)
def relative_or_0(a, b):
    return {q: d / a[q] if a.get(q) else 0 for q, d in paired_differences(a, b).items()}
