"""Exercise: hit rate, precision and mean reciprocal rank of a dataset in which each row expects one item."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError("no query, so no mean")
    found = [rank for rank in ranks if rank is not None]
    return {
        "hit_rate": len(found) / len(ranks),
        "precision_at_max_total_items": len(found) / max_total_items / len(ranks),
        "mean_reciprocal_rank": sum(1 / rank for rank in found) / len(ranks),
    }


RETRIEVAL_METRICS = Exercise(
    name="RETRIEVAL_METRICS",
    task="""\
Write `retrieval_metrics(ranks, max_total_items)`: the three numbers at the head of a report.

Each row of a dataset expects one item. `ranks` has one entry per row: the rank of that item among those \
that the budget let through, from 1 on, or `None` for a miss. Return a dictionary with `"hit_rate"`, the \
share of rows that are hits; `"precision_at_max_total_items"`, the mean over rows of hits divided by \
`max_total_items` (a row has at most one hit); and `"mean_reciprocal_rank"`, the mean of 1 / rank. \
**Convention**: a miss counts as 0 in each of them, and the means are over all rows. Without rows there is \
no mean: raise a `ValueError`.""",
    reference=retrieval_metrics,
    cases=(
        Case(([1], 5), "a hit at rank 1; one of the five places holds what was expected"),
        Case(([2], 5), "at rank 2 it is still a hit, with half the reciprocal rank"),
        Case(([1, None], 5), "one hit and one miss: the miss is a row, and counts as 0"),
        Case(
            ([1, 4], 5),
            "the reciprocals are 1 and 0.25, their mean is 0.625; 1 / 2.5 would be the mean of something "
            "else",
        ),
        Case(([3, None, None, 1], 4), "two hits of four rows"),
        Case(([None], 5), "a single miss: everything is 0, and nothing is divided by 0"),
        Case(([None, None, None], 2), "misses only"),
        Case(
            ([3, None, 7, 1, 7, None, 2], 9),
            "five hits of seven rows, at ranks 3, 7, 1, 7 and 2, where nine are let through",
        ),
        Case(([1, 1, 1], 1), "a budget of one item, and it is always the right one: nothing could be better"),
        Case(([2, 2, 2], 2), "always second of two: no miss, and half of everything else"),
        Case(([5, 1, None, 2, 5, None], 5), "four hits of six rows, at ranks 5, 1, 2 and 5"),
        Case(([10, None], 10), "the last place that the budget has, and a miss"),
        Case(([], 5), "without rows there is no mean, and 0 would look like a measurement"),
    ),
    hints=(
        "Three means over the same rows. What does a miss add to each of the three sums, and does it count "
        "as a row?",
        "found = the ranks that are not None. The number of hits is len(found); everything is divided by "
        "len(ranks), misses included.",
        "hit_rate = len(found) / len(ranks); precision = hit_rate / max_total_items; mean_reciprocal_rank "
        "= sum(1 / rank for rank in found) / len(ranks). And `if not ranks: raise ValueError(…)` before "
        "that.",
    ),
)


def _found(ranks):
    return [rank for rank in ranks if rank is not None]


def _replacing(name):
    """The reference with one of its numbers replaced by `formula(found, n, slots)`.

    The formula is given the ranks that were found, the number of rows, and the budget's slots.
    """

    def replaced(formula):
        def function(ranks, max_total_items):
            right = retrieval_metrics(ranks, max_total_items)
            return right | {name: formula(_found(ranks), len(ranks), max_total_items)}

        function.__doc__ = formula.__doc__
        return function

    return replaced


_hit_rate = _replacing("hit_rate")
_precision = _replacing("precision_at_max_total_items")
_mrr = _replacing("mean_reciprocal_rank")


_MISSES_DROPPED = (
    "You average the reciprocal ranks of the hits only. An engine that finds one page in a hundred, at "
    "rank 1, would score 1. A miss counts as 0, and the sum is divided by all rows."
)


@RETRIEVAL_METRICS.mistake("misses dropped", _MISSES_DROPPED)
@_mrr
def misses_dropped(found, n, slots):
    return sum(1 / rank for rank in found) / len(found) if found else 0.0


@RETRIEVAL_METRICS.mistake("misses dropped, none found raises", _MISSES_DROPPED)
@_mrr
def misses_dropped_none_found_raises(found, n, slots):
    return sum(1 / rank for rank in found) / len(found)


@RETRIEVAL_METRICS.mistake("misses dropped everywhere")
def misses_dropped_everywhere(ranks, max_total_items):
    """You drop the misses before you measure. The hit rate is then always 1, and the other two know nothing
    of what was not found. A miss is a row: it counts as 0, and in the number of rows."""
    return retrieval_metrics(_found(ranks), max_total_items)


@RETRIEVAL_METRICS.mistake("misses one place further")
@_mrr
def misses_one_place_further(found, n, slots):
    """You give a miss the rank behind the last place. It then earns something, and the more the smaller the
    budget is. What was not let through was not found: it counts as 0."""
    return (sum(1 / rank for rank in found) + (n - len(found)) / (slots + 1)) / n


_OF_MEAN_RANK = (
    "You average the ranks and take the reciprocal of that. One page at rank 10 then spoils nine at rank "
    "1, and a miss has no rank to be averaged. Take the reciprocal of each rank first, then the mean."
)


@RETRIEVAL_METRICS.mistake("MRR of the mean rank", _OF_MEAN_RANK)
@_mrr
def mrr_of_the_mean_rank(found, n, slots):
    return len(found) / sum(found) if found else 0.0


@RETRIEVAL_METRICS.mistake("MRR of the mean rank, none found raises", _OF_MEAN_RANK)
@_mrr
def mrr_of_the_mean_rank_none_found_raises(found, n, slots):
    return len(found) / sum(found)


@RETRIEVAL_METRICS.mistake("MRR of the mean rank, misses one place further", _OF_MEAN_RANK)
@_mrr
def mrr_of_the_mean_rank_misses_one_place_further(found, n, slots):
    return n / (sum(found) + (n - len(found)) * (slots + 1))


@RETRIEVAL_METRICS.mistake("mean rank")
@_mrr
def mean_rank(found, n, slots):
    """You average the ranks. A mean rank gets better by getting smaller, has no upper end, and has no place
    for a miss. The reciprocal, 1 / rank, gives 1 for the first place and goes towards 0, where the misses
    are."""
    return sum(found) / len(found) if found else 0.0


@RETRIEVAL_METRICS.mistake("MRR not divided")
@_mrr
def mrr_not_divided(found, n, slots):
    """You add up the reciprocal ranks and do not divide. The number then grows with the dataset; a mean is
    over all rows."""
    return sum(1 / rank for rank in found)


@RETRIEVAL_METRICS.mistake("ranks from 0")
def from_zero(ranks, max_total_items):
    """You add 1 to the ranks. They begin at 1 here: the first place gives 1 / 1."""
    found = _found(ranks)
    return retrieval_metrics(ranks, max_total_items) | {
        "mean_reciprocal_rank": sum(1 / (r + 1) for r in found) / len(ranks)
    }


@RETRIEVAL_METRICS.mistake("precision is the hit rate")
@_precision
def precision_is_the_hit_rate(found, n, slots):
    """Your precision is the hit rate once more. It is also divided by the budget: of `max_total_items` places
    one at most holds what the row expects. A larger budget may raise the hit rate, and is paid for here."""
    return len(found) / n


_ITEMS_FOUND = (
    "You divide by the ranks of the hits, and not by the budget. Here precision asks "
    "how much of the room was needed: each row expects one item, so a hit fills one place of "
    "`max_total_items`, whatever its rank."
)


@RETRIEVAL_METRICS.mistake("precision by the rank", _ITEMS_FOUND)
@_precision
def precision_by_the_rank(found, n, slots):
    return sum(1 / r for r in found) / n


@RETRIEVAL_METRICS.mistake("precision by the ranks together", _ITEMS_FOUND)
@_precision
def precision_by_the_ranks_together(found, n, slots):
    return len(found) / sum(found) if found else 0.0


@RETRIEVAL_METRICS.mistake("precision of the hits")
@_precision
def precision_of_the_hits(found, n, slots):
    """Your precision is 1 / `max_total_items` wherever there is a hit: a mean over the hits only. A miss is a
    row, too: it counts as 0, and the sum is divided by all rows."""
    return len(found) / slots / len(found) if found else 0.0


@RETRIEVAL_METRICS.mistake("precision by whole-number division")
@_precision
def precision_by_whole_number_division(found, n, slots):
    """You divide hits by the budget with //, and 1 // 5 is 0. Only a budget of one item is left of your
    precision: divide with /."""
    return len(found) * (1 // slots) / n


@RETRIEVAL_METRICS.mistake("precision not averaged")
@_precision
def precision_not_averaged(found, n, slots):
    """You divide all hits by the places of one row. Every row has `max_total_items` places of its own, so
    divide by the number of rows as well."""
    return len(found) / slots


@RETRIEVAL_METRICS.mistake("hits counted")
@_hit_rate
def hits_counted(found, n, slots):
    """You return how many hits there are. The hit rate is their share of all rows."""
    return len(found)


@RETRIEVAL_METRICS.mistake("empty gives 0")
def whole_and_safe(ranks, max_total_items):
    """You give 0 for a dataset without rows. That looks like an engine that finds nothing, though nothing was
    asked. An empty file is a fault; raise ValueError."""
    if not ranks:
        return dict.fromkeys(("hit_rate", "precision_at_max_total_items", "mean_reciprocal_rank"), 0.0)
    return retrieval_metrics(ranks, max_total_items)


@RETRIEVAL_METRICS.mistake("empty gives NaN")
def nan(ranks, max_total_items):
    """You give NaN for a dataset without rows. It is honest, but it wanders through later means and
    comparisons without a word. Raise ValueError where the fault is."""
    if not ranks:
        return dict.fromkeys(
            ("hit_rate", "precision_at_max_total_items", "mean_reciprocal_rank"), float("nan")
        )
    return retrieval_metrics(ranks, max_total_items)


@RETRIEVAL_METRICS.mistake("empty divides by 0")
def division_by_zero(ranks, max_total_items):
    """Without rows you divide by 0. That raises too, but ZeroDivisionError says that the program is broken;
    it is the dataset. Ask first, and raise ValueError."""
    return retrieval_metrics(ranks, max_total_items) if ranks else 1 / 0


@RETRIEVAL_METRICS.mistake("1 divided by the mean rank, over all rows")
@_mrr
def reciprocal_of_the_mean(found, n, slots):
    """You take 1 divided by the mean rank of the hits, times their share. The mean of reciprocals is another
    number: take 1 / rank of each row first."""
    return len(found) / sum(found) * len(found) / n if found else 0.0


@RETRIEVAL_METRICS.mistake("precision and MRR over the hits")
def precision_and_mrr_over_hits(ranks, max_total_items):
    """You average precision and reciprocal rank over the hits only. An engine that finds one page in a
    hundred would look perfect. A miss counts as 0, and the sums are divided by all rows."""
    right, n = retrieval_metrics(ranks, max_total_items), len(_found(ranks))
    hits = {
        "precision_at_max_total_items": 1 / max_total_items if n else 0.0,
        "mean_reciprocal_rank": right["mean_reciprocal_rank"] * len(ranks) / n if n else 0.0,
    }
    return right | hits


@RETRIEVAL_METRICS.mistake("hit rate in the first place only")
def hit_rate_at_1(ranks, max_total_items):
    """Your hit rate counts rank 1 only. A hit is a row whose item was found, at whatever rank."""
    return retrieval_metrics(ranks, max_total_items) | {"hit_rate": ranks.count(1) / len(ranks)}


@RETRIEVAL_METRICS.mistake("only the first place is a hit")
def only_the_first_place_is_a_hit(ranks, max_total_items):
    """You count a hit only at rank 1. Every rank is one; only None is a miss."""
    right, first = retrieval_metrics(ranks, max_total_items), ranks.count(1) / len(ranks)
    return right | {"hit_rate": first, "precision_at_max_total_items": first / max_total_items}


@RETRIEVAL_METRICS.mistake("the mean rank for MRR")
def the_mean_rank_of_all(ranks, max_total_items):
    """You add up ranks. The mean reciprocal rank adds up 1 / rank."""
    right = retrieval_metrics(ranks, max_total_items)
    return right | {"mean_reciprocal_rank": sum(_found(ranks)) / len(ranks)}


@RETRIEVAL_METRICS.mistake("hit rate in per cent")
def hit_rate_in_per_cent(ranks, max_total_items):
    """Your hit rate is in per cent. Asked for is a share, from 0 to 1."""
    right = retrieval_metrics(ranks, max_total_items)
    return right | {"hit_rate": 100 * right["hit_rate"]}
