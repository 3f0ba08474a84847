"""Exercise: the lowest and the highest nDCG that the unread documents of a ranking leave open."""

from functools import partial
from itertools import combinations, combinations_with_replacement, permutations
from math import log2

from course.exercises.cases import Case
from course.exercises.exercise import Exercise
from course.exercises.lesson_03.dcg_at_k import dcg_at_k
from course.exercises.lesson_03.ndcg import ndcg_at_k


def ndcg_bounds(ranking, grades, k):
    possible = [grades]
    for doc_id in ranking[:k]:
        if doc_id not in grades:
            possible = [{**judged, doc_id: grade} for judged in possible for grade in (0, 1, 2)]
    values = [ndcg_at_k(ranking, judged, k) for judged in possible]
    return min(values), max(values)


NDCG_BOUNDS = Exercise(
    name="NDCG_BOUNDS",
    task="""\
Section 8 asked what an engine's score may become once its unread pages are read. Now answer that for one \
query.

Write `ndcg_bounds(ranking, grades, k)`: the lowest and the highest nDCG@k that the unread documents leave \
open, as two numbers (low, high). You may call `ndcg_at_k`.

```
>>> low, high = ndcg_bounds(["d1", "d2"], {"d1": 1}, k=2)  # d2 may have grade 0, 1 or 2
>>> round(low, 4), round(high, 4)
(0.8597, 1.0)
```

**Convention**: a document among the first k is unread if it is not in `grades`; one with grade 0 was read. \
Each unread document may turn out to be 0, 1 or 2, whatever the others are, so try all combinations. A new \
grade also counts in the ideal ranking. Documents after the first k stay as they are.""",
    reference=ndcg_bounds,
    cases=(
        Case((["a", "b"], {"a": 1, "b": 0}, 2), "both were read, so nothing is open"),
        Case(
            (["a", "x"], {"a": 1}, 2),
            "low is with x at grade 2, which belongs above a: (1 + 2/1.585) / (2 + 1/1.585)",
        ),
        Case((["x"], {"a": 1}, 1), "with grade 2 for x the ranking is ideal; with 0 it earns nothing"),
        Case((["x", "a"], {"a": 2}, 2), "the best is x at 2, the worst x at 0"),
        Case(
            (["x", "y"], {"a": 1}, 2),
            "low is 0 and 0; high is 2 and 2, which fills both places of the ideal",
        ),
        Case((["x", "y", "a"], {"a": 2, "b": 1}, 3), "nine combinations, and b is missing in all of them"),
        Case(
            (["x", "a", "y"], {"a": 1}, 3),
            "low is with x at 0 and y at 2: each unread document has a grade of its own",
        ),
        Case(
            (list("xayzbcwv"), {"c": 2, "a": 1, "d": 1, "b": 0}, 5),
            "x, y and z are open, 27 combinations; w and v are below k",
        ),
        Case(
            (["x", "b", "y"], {"b": 0, "d": 1}, 3),
            "high is with x at 2 and y at 1: with both at 2 the useless b would cost more",
        ),
        Case((["a", "x"], {"a": 1, "b": 1}, 2), "high is with x at 1; with 2 it would belong above a"),
        Case((["a", "x"], {"a": 1}, 1), "x is below k: nothing that is looked at is unread"),
        Case((["z", "a", "x"], {"z": 0, "a": 1}, 2), "z was read and is useless: grade 0 stays"),
        Case(([], {"a": 1}, 3), "an empty ranking has nothing unread, and earns nothing"),
        Case((["x", "y"], {}, 2), "nothing was judged at all: from nothing relevant, 0, to 1"),
        Case(
            (["x", "b", "y", "a", "z"], {"a": 2, "b": 1, "c": 1}, 4),
            "z is below k; x and y are open, and the ideal has four places",
        ),
    ),
    hints=(
        "Two unread documents have nine pairs of grades. Make the nine possible judgments, compute the nDCG "
        "with each, and keep the lowest and the highest.",
        "Begin with a list that holds `grades` alone. For each unread document replace it by a list three "
        "times as long: each of its dictionaries with grade 0, with 1 and with 2 for the document.",
        "possible = [{**judged, doc_id: grade} for judged in possible for grade in (0, 1, 2)] in a loop over "
        "ranking[:k], where doc_id is not in grades. Then min and max of ndcg_at_k(ranking, judged, k).",
    ),
    difficulty=2,
    minutes=12,
    further="Two engines' bounds overlap. Which documents would you read first to see which is better?",
)


def _bounds(ranking, grades, k, of=(0, 1, 2), score=ndcg_at_k, depth=None, known=None):
    """The reference with one part exchanged."""
    possible = [grades]
    for doc_id in ranking[: k if depth is None else depth]:
        if doc_id not in (grades if known is None else known):
            possible = [{**judged, doc_id: grade} for judged in possible for grade in of]
    values = [score(ranking, judged, k) for judged in possible]
    return min(values), max(values)


def _alike(ranking, grades, k):
    unread = [doc_id for doc_id in ranking[:k] if doc_id not in grades]
    return [ndcg_at_k(ranking, grades | dict.fromkeys(unread, grade), k) for grade in (0, 1, 2)]


@NDCG_BOUNDS.mistake("low with zeros, high with twos")
def the_ends_alone(ranking, grades, k):
    """For the low end you give all unread documents a 0, for the high end a 2. But a grade also raises the
    ideal: a 2 below a 1 lowers nDCG. The ends may lie anywhere between; try all combinations."""
    values = _alike(ranking, grades, k)
    return values[0], values[2]


@NDCG_BOUNDS.mistake("all unread get the same grade")
def all_get_the_same(ranking, grades, k):
    """In each try you give all unread documents the same grade. Of two, one may be useless and the other the
    best answer. Try all combinations."""
    values = _alike(ranking, grades, k)
    return min(values), max(values)


@NDCG_BOUNDS.mistake("one at a time")
def one_at_a_time(ranking, grades, k):
    """You change one unread document at a time, and leave the others unread. Several may turn out to be
    relevant: try all combinations."""
    unread = [doc_id for doc_id in ranking[:k] if doc_id not in grades]
    tried = [grades, *({**grades, doc_id: grade} for doc_id in unread for grade in (0, 1, 2))]
    values = [ndcg_at_k(ranking, judged, k) for judged in tried]
    return min(values), max(values)


@NDCG_BOUNDS.mistake("grades 0 and 1 only")
def no_twos(ranking, grades, k):
    """You try grades 0 and 1. An unread page may be the answer itself: grade 2."""
    return _bounds(ranking, grades, k, of=(0, 1))


@NDCG_BOUNDS.mistake("grades 1 and 2 only")
def no_zeros(ranking, grades, k):
    """You try grades 1 and 2. Most unread pages are useless: 0 is a grade that they may have, too."""
    return _bounds(ranking, grades, k, of=(1, 2))


@NDCG_BOUNDS.mistake("grades 0 and 2 only")
def no_ones(ranking, grades, k):
    """You try grades 0 and 2. The lowest value may need a 1: try all three."""
    return _bounds(ranking, grades, k, of=(0, 2))


def _with_the_old_ideal(ranking, judged, k, grades):
    best = dcg_at_k(sorted(grades, key=grades.get, reverse=True), grades, k)
    return dcg_at_k(ranking, judged, k) / best if best else 0.0


@NDCG_BOUNDS.mistake("the ideal stays")
def ideal_stays(ranking, grades, k):
    """You divide by the ideal of the old judgments. A page that turns out relevant belongs in the ideal as
    well; without it nDCG can pass 1."""

    def score(ranking, judged, k):
        return _with_the_old_ideal(ranking, judged, k, grades)

    return _bounds(ranking, grades, k, score=score)


@NDCG_BOUNDS.mistake("not cut at k")
def below_k_too(ranking, grades, k):
    """You also give grades to unread documents below k. They would enter the ideal, and lower the score; the
    convention leaves them as they are."""
    return _bounds(ranking, grades, k, depth=len(ranking))


@NDCG_BOUNDS.mistake("grade 0 taken for unread")
def zero_is_unread(ranking, grades, k):
    """You treat grade 0 as unread. Somebody read that page and found it useless; only what `grades` does not
    have is open."""
    return _bounds(ranking, grades, k, known=[doc_id for doc_id, grade in grades.items() if grade > 0])


@NDCG_BOUNDS.mistake("low is as judged")
def low_as_judged(ranking, grades, k):
    """Your low end is the score as judged, as if new grades could only raise it. They also raise the ideal: a
    2 below a 1 lowers nDCG."""
    return ndcg_at_k(ranking, grades, k), ndcg_bounds(ranking, grades, k)[1]


@NDCG_BOUNDS.mistake("high is 1")
def high_is_one(ranking, grades, k):
    """Your high end is 1. What was read is fixed: a relevant page that is not among the first k, or a useless
    one above, is there in every combination."""
    low, _ = ndcg_bounds(ranking, grades, k)
    return low, 1.0


@NDCG_BOUNDS.mistake("high before low")
def high_first(ranking, grades, k):
    """You return the highest first. The task asks for (low, high)."""
    return ndcg_bounds(ranking, grades, k)[::-1]


@NDCG_BOUNDS.mistake("the width")
def the_width(ranking, grades, k):
    """You return how far apart the ends are. The task asks for the two ends: (low, high)."""
    low, high = ndcg_bounds(ranking, grades, k)
    return high - low


@NDCG_BOUNDS.mistake("all zeros or all twos")
def all_zeros_or_all_twos(ranking, grades, k):
    """You try two readings: all unread at 0, and all at 2. One of two unread documents may be useless and the
    other the best answer. Try all combinations."""
    values = _alike(ranking, grades, k)
    return min(values[0], values[2]), max(values[0], values[2])


def _another_ndcg(
    ranking, judged, k, gain=float, ideal=None, cut=True, worth=lambda rank: 1 / log2(rank + 1)
):
    def dcg(grades):
        return sum(gain(grade) * worth(rank) for rank, grade in enumerate(grades, start=1))

    pool = sorted(judged.values() if ideal is None else ideal(ranking, judged, k), reverse=True)
    best = dcg(pool[:k] if cut else pool)
    return dcg([judged.get(doc_id, 0) for doc_id in ranking[:k]]) / best if best else 0.0


@NDCG_BOUNDS.mistake("the ideal not cut at k")
def ideal_not_cut(ranking, grades, k):
    """Your ideal ranking is not cut at k. It is the best that k places can hold."""
    return _bounds(ranking, grades, k, score=partial(_another_ndcg, cut=False))


def _retrieved(ranking, judged, k):
    return [judged.get(doc_id, 0) for doc_id in ranking[:k]]


@NDCG_BOUNDS.mistake("the ideal of the retrieved")
def ideal_of_the_retrieved(ranking, grades, k):
    """Your ideal ranking holds only what was retrieved. A relevant document that the engine misses belongs in
    it, too."""
    return _bounds(ranking, grades, k, score=partial(_another_ndcg, ideal=_retrieved))


@NDCG_BOUNDS.mistake("exponential gain")
def exponential_gain(ranking, grades, k):
    """Your gain is 2^grade − 1. The course's nDCG takes the grade itself."""
    return _bounds(ranking, grades, k, score=partial(_another_ndcg, gain=lambda grade: 2**grade - 1))


@NDCG_BOUNDS.mistake("another discount")
def another_discount(ranking, grades, k):
    """You divide rank r by log2(r + 2), as if ranks began at 0. Counted from 1 it is log2(r + 1)."""
    return _bounds(ranking, grades, k, score=partial(_another_ndcg, worth=lambda rank: 1 / log2(rank + 2)))


@NDCG_BOUNDS.mistake("divided by the rank")
def divided_by_the_rank(ranking, grades, k):
    """You divide each gain by its rank. DCG divides by log2(rank + 1)."""
    return _bounds(ranking, grades, k, score=partial(_another_ndcg, worth=lambda rank: 1 / rank))


@NDCG_BOUNDS.mistake("low begins at 0")
def low_begins_at_zero(ranking, grades, k):
    """Your low end is 0 everywhere. If your minimum starts at 0, no value can be lower: begin with the first
    value, or collect all and take min()."""
    return 0.0, ndcg_bounds(ranking, grades, k)[1]


@NDCG_BOUNDS.mistake("the mean for an end")
def mean_for_low(ranking, grades, k):
    """Your low end is a mean over the combinations. The task asks for the lowest, because nobody knows how
    likely each combination is."""
    possible = [grades]
    for doc_id in (doc_id for doc_id in ranking[:k] if doc_id not in grades):
        possible = [{**judged, doc_id: grade} for judged in possible for grade in (0, 1, 2)]
    values = [ndcg_at_k(ranking, judged, k) for judged in possible]
    return sum(values) / len(values), max(values)


def _in_ways(ranking, grades, k, ways):
    """The bounds over some ways of giving the unread documents their grades, in the order of the ranking."""
    unread = [doc_id for doc_id in ranking[:k] if doc_id not in grades]
    found = [{**grades, **dict(zip(unread, way, strict=True))} for way in ways(len(unread))]
    values = [ndcg_at_k(ranking, judged, k) for judged in found]
    return min(values), max(values)


_RISING = (
    "only combinations in which each unread document has a higher grade than the one above it. Two may have "
    "the same grade, and the upper one may have the higher: with two unread documents there are nine, as "
    "product() gives them."
)


@NDCG_BOUNDS.mistake("rising grades only", f"You try {_RISING}")
def rising(ranking, grades, k):
    return _in_ways(ranking, grades, k, lambda n: combinations((0, 1, 2), n))


@NDCG_BOUNDS.mistake("rising grades only, and as judged", f"Besides the value as judged you try {_RISING}")
def rising_and_as_judged(ranking, grades, k):
    return _in_ways(ranking, grades, k, lambda n: [(0,) * n, *combinations((0, 1, 2), n)])


@NDCG_BOUNDS.mistake("never the same grade twice")
def never_the_same(ranking, grades, k):
    """You never give two unread documents the same grade. Both may be useless, and both may be the answer:
    with two unread documents there are nine combinations, as product() gives them."""
    return _in_ways(ranking, grades, k, lambda n: permutations((0, 1, 2), n))


@NDCG_BOUNDS.mistake("never a lower grade below")
def never_falling(ranking, grades, k):
    """You try no combination in which an unread document has a lower grade than the one above it. The upper
    one may be the better: with two unread documents there are nine, as product() gives them."""
    return _in_ways(ranking, grades, k, lambda n: combinations_with_replacement((0, 1, 2), n))


@NDCG_BOUNDS.mistake("grades 0 to 3")
def up_to_three(ranking, grades, k):
    """You try a grade of 3. The grades of this course are 0, 1 and 2."""
    return _bounds(ranking, grades, k, of=(0, 1, 2, 3))


@NDCG_BOUNDS.mistake("no grade above those judged")
def up_to_the_highest(ranking, grades, k):
    """You try no grade above the highest that was judged for the query. An unread page may be better than all
    that were read: try 0, 1 and 2."""
    return _bounds(ranking, grades, k, of=range(max(grades.values(), default=0) + 1))


@NDCG_BOUNDS.mistake("one unread document alone")
def the_first_unread(ranking, grades, k):
    """You give grades to the first unread document only. Where there are two, both are open: try all
    combinations."""
    first = next((place for place, doc_id in enumerate(ranking) if doc_id not in grades), k)
    return _bounds(ranking, grades, k, depth=min(first + 1, k))


@NDCG_BOUNDS.mistake("high with twos")
def high_with_twos(ranking, grades, k):
    """For the high end you give all unread documents a 2. A 2 also raises the ideal, and below a useless page
    it may cost more than it brings: the highest value may be that of another combination."""
    return ndcg_bounds(ranking, grades, k)[0], _alike(ranking, grades, k)[2]
