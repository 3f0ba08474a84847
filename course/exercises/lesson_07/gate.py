"""Exercise: a regression gate that fails on a drop which the queries support, and on nothing else."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise
from course.exercises.lesson_07.gate_mistakes import MISTAKES


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
    return {f"q{place}": value for place, value in enumerate(values, start=1)}


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

`before` and `after` are `{query_id: score}`, higher is better. Returned is `True` where the change may pass. It fails, `False`, \
only if both hold: the mean dropped by more than `limit`, **and** p < `alpha`, where p is the share of all 2ⁿ patterns of signs under \
which the sum of the differences is at least as far from 0, on either side, as the observed one (lesson 06's exact test). \
**Convention**: scores are paired by query id; other queries on one side than on the other, or none at all, are a `ValueError`; \
values that differ by no more than 1e-9 are equal.""",
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
            "on paper six patterns reach the observed sum, p = 0.094; two of them do so but for the computer's last digit",
        ),
        Case(({}, {}, 0.02), "without queries nothing was measured, and nothing may pass"),
    ),
    hints=(
        "Three steps: are they the same queries? By how much did the mean drop? How often would chance alone go so far? Only a drop that "
        "is both too large and too rare fails.",
        "before.keys() != after.keys() compares ids in any order. With differences = [after[q] - before[q] for q in before] the drop is "
        "-sum(differences) / len(differences), and `from itertools import product` gives the patterns.",
        "p is the mean of abs(sum(s * d …)) >= abs(sum(differences)) - 1e-9 over all patterns of product([1, -1], repeat=n). At the end: "
        "return not (drop > limit + 1e-9 and p < alpha).",
    ),
    mistakes=MISTAKES,
)
