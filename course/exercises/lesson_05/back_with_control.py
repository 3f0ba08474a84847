"""Exercise: what a change brings back, beside what it does for useless pages, and in how many queries."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def back_with_control(missed, useless, k):
    def n_back(ranks):
        return sum(rank is not None and rank <= k for rank in ranks)

    n_pages = sum(len(ranks) for ranks in missed.values())
    if not n_pages:
        raise ValueError("no missed page, so there is no share of them")
    share = sum(n_back(ranks) for ranks in missed.values()) / n_pages
    control = sum(n_back(ranks) for ranks in useless.values()) / n_pages
    ahead = sum(n_back(missed[query_id]) > n_back(useless[query_id]) for query_id in missed)
    behind = sum(n_back(missed[query_id]) < n_back(useless[query_id]) for query_id in missed)
    return share, control, ahead, behind


BACK_WITH_CONTROL = Exercise(
    name="BACK_WITH_CONTROL",
    task="""\
Write `back_with_control(missed, useless, k)`: does a change bring back missed pages, and more of them than \
useless ones?

Both `missed` and `useless` are `{query_id: [rank after the change, …]}` over the same queries, in any \
order. A rank is None where the page is not retrieved. Each missed page has one useless page as its \
control, so the two lists of a query are equally long.

Return four values: the share of the missed pages that are back; the same share of the useless ones, the \
control; the number of queries in which more missed than useless pages are back; and the number in which it \
is the other way round. The last two are there because the pages of one query depend on each other.

**Convention**: a page is back if its rank is 1 to k. Shares are over all pages, not over queries. A query \
in which equally many pages of both kinds are back counts for neither side. Without any missed page, raise \
ValueError.""",
    reference=back_with_control,
    cases=(
        Case(
            ({"q1": [3, 40], "q2": [60]}, {"q1": [20, 30], "q2": [50]}, 10),
            "one of three missed pages is back, and no useless one",
        ),
        Case(
            ({"q1": [1, 2, 3], "q2": [11]}, {"q1": [4, 12, 13], "q2": [12]}, 10),
            "shares are over the pages: three of four, one of four",
        ),
        Case(
            ({"q1": [10], "q2": [11]}, {"q1": [12], "q2": [10]}, 10), "rank 10 is within 10, rank 11 is not"
        ),
        Case(
            ({"q1": [None, 5], "q2": [None]}, {"q1": [None, None], "q2": [2]}, 10),
            "not retrieved is not back, and still one of the pages",
        ),
        Case(
            ({"q1": [2, 30], "q2": [4]}, {"q1": [30, 2], "q2": [5]}, 10),
            "equally many of both kinds: no query is ahead, none behind",
        ),
        Case(
            ({"q1": [2], "q2": [30], "q3": [30]}, {"q1": [30], "q2": [30], "q3": [30]}, 10),
            "one query is ahead; the two in which nothing is back are not behind",
        ),
        Case(
            (
                {"q10": [3, None], "q9": [6, 1], "q2": [100], "q1": [2], "q7": [5]},
                {"q7": [6], "q2": [30], "q1": [4], "q9": [4, 2], "q10": [None, 7]},
                5,
            ),
            "four of seven missed pages and three useless ones; q10 and q7 are ahead, q9 is behind",
        ),
        Case(
            ({"q1": [30, 30], "q2": [4]}, {"q1": [1, 2], "q2": [40]}, 10),
            "two useless pages are back in one query, and that query is behind",
        ),
        Case(
            ({"q1": [1, 2, 50]}, {"q1": [3, 4, 5]}, 10),
            "some missed pages are back, and more useless ones: the query is behind",
        ),
        Case(
            ({"q1": [3, 4], "q2": [50]}, {"q2": [2], "q1": [30, 40]}, 10),
            "the two may name their queries in different orders: q1 is ahead, and q2 behind",
        ),
        Case(({"q1": [3]}, {"q1": [9]}, 5), "within 5, and k is what the caller says"),
        Case(({"q1": []}, {"q1": []}, 10), "without a missed page there is no share to compute"),
    ),
    hints=(
        "First write a small function for one list: how many of its ranks are back? It handles None and "
        "rank k once, for both kinds of page.",
        "A share is a sum over all queries, divided by the number of all pages. For the last two values, "
        "go through the queries once more, with > and with <.",
        "n_back(ranks) = sum(rank is not None and rank <= k for rank in ranks). Then sum(n_back(ranks) for "
        "ranks in missed.values()) / n_pages, the same for useless, and sum(n_back(missed[q]) > "
        "n_back(useless[q]) for q in missed).",
    ),
)


def _n_back(ranks, k):
    return sum(rank is not None and rank <= k for rank in ranks)


@BACK_WITH_CONTROL.mistake("mean over queries")
def mean_over_queries(missed, useless, k):
    """You take the share of each query and then their mean. Then a query with one missed page weighs as much
    as one with twenty. The convention is all pages together."""
    _, _, ahead, behind = back_with_control(missed, useless, k)
    shares = [[_n_back(ranks, k) / len(ranks) for ranks in pages.values()] for pages in (missed, useless)]
    return *(sum(of_queries) / len(of_queries) for of_queries in shares), ahead, behind


@BACK_WITH_CONTROL.mistake("rank k not within k")
def rank_k_is_out(missed, useless, k):
    """You ask for a rank below k. Rank k is the last of the first k: rank <= k."""
    return back_with_control(missed, useless, k - 1)


@BACK_WITH_CONTROL.mistake("None raises")
def none_raises(missed, useless, k):
    """You compare None with k. None is a page that was not retrieved at all, so it is not back; test for
    None first."""
    for pages in (missed, useless):
        for ranks in pages.values():
            sum(rank <= k for rank in ranks)
    return back_with_control(missed, useless, k)


@BACK_WITH_CONTROL.mistake("not retrieved counts as back")
def none_is_back(missed, useless, k):
    """You take None for a small rank, as `rank or 0` does. A page that was not retrieved is further down than
    any other."""
    first = [{q: [rank or 1 for rank in ranks] for q, ranks in pages.items()} for pages in (missed, useless)]
    return back_with_control(*first, k)


@BACK_WITH_CONTROL.mistake("not retrieved left out")
def none_is_left_out(missed, useless, k):
    """You leave out the pages that were not retrieved, and divide by the others. They failed most of all, and
    the share must show it."""
    _, _, ahead, behind = back_with_control(missed, useless, k)
    shares = []
    for pages in (missed, useless):
        retrieved = [rank for ranks in pages.values() for rank in ranks if rank is not None]
        shares.append(_n_back(retrieved, k) / len(retrieved))
    return *shares, ahead, behind


@BACK_WITH_CONTROL.mistake("the difference in place of the control")
def difference(missed, useless, k):
    """Your second value is the share minus the control. Return the control itself: a reader wants to see
    both before they are subtracted."""
    share, control, ahead, behind = back_with_control(missed, useless, k)
    return share, share - control, ahead, behind


@BACK_WITH_CONTROL.mistake("counts in place of shares")
def counts(missed, useless, k):
    """Your first two values count pages. Divide by the number of missed pages."""
    share, control, ahead, behind = back_with_control(missed, useless, k)
    n_pages = sum(map(len, missed.values()))
    return round(share * n_pages), round(control * n_pages), ahead, behind


@BACK_WITH_CONTROL.mistake("equal counts as ahead")
def equal_is_ahead(missed, useless, k):
    """You count a query as ahead where as many useless pages are back. It counts for neither side."""
    share, control, _, behind = back_with_control(missed, useless, k)
    ahead = sum(_n_back(missed[query_id], k) >= _n_back(useless[query_id], k) for query_id in missed)
    return share, control, ahead, behind


@BACK_WITH_CONTROL.mistake("all others are behind")
def all_others_are_behind(missed, useless, k):
    """You count every query that is not ahead as behind. In many of them nothing of either kind is back:
    they count for neither side."""
    share, control, ahead, _ = back_with_control(missed, useless, k)
    return share, control, ahead, len(missed) - ahead


@BACK_WITH_CONTROL.mistake("ahead without the control")
def ahead_without_the_control(missed, useless, k):
    """You count a query as ahead as soon as one of its missed pages is back. Look at its useless pages too:
    where more of those are back, the change only shuffled the ranking."""
    share, control, _, behind = back_with_control(missed, useless, k)
    return share, control, sum(_n_back(ranks, k) > 0 for ranks in missed.values()), behind


@BACK_WITH_CONTROL.mistake("pages counted in place of queries")
def pages_in_place_of_queries(missed, useless, k):
    """Your last two values count pages. Twenty pages of one query are one query: they rise and fall together,
    so they are not twenty pieces of evidence."""
    share, control, _, _ = back_with_control(missed, useless, k)
    leads = [_n_back(missed[query_id], k) - _n_back(useless[query_id], k) for query_id in missed]
    return share, control, sum(lead for lead in leads if lead > 0), -sum(lead for lead in leads if lead < 0)


@BACK_WITH_CONTROL.mistake("0 without pages")
def zero_without_pages(missed, useless, k):
    """You return 0 where there is no missed page. Nothing was tested, and 0 reads as if the test had failed.
    Raise ValueError."""
    return back_with_control(missed, useless, k) if any(missed.values()) else (0.0, 0.0, 0, 0)


@BACK_WITH_CONTROL.mistake("no pages reach the division")
def division_by_zero(missed, useless, k):
    """Without a missed page the reader gets a ZeroDivisionError, which says nothing. Raise ValueError and say
    what is missing."""
    return back_with_control(missed, useless, k) if any(missed.values()) else 1 / 0


@BACK_WITH_CONTROL.mistake("queries paired by their order")
def by_order(missed, useless, k):
    """You pair the first query of one dictionary with the first of the other. They hold the same queries, but
    perhaps in another order. Match them by query id."""
    return back_with_control(missed, dict(zip(missed, useless.values(), strict=True)), k)


@BACK_WITH_CONTROL.mistake("the control turned round")
def control_first(missed, useless, k):
    """You return the useless pages' share first. The order is: missed, useless, queries in which the missed
    are ahead, queries in which they are behind."""
    share, control, ahead, behind = back_with_control(missed, useless, k)
    return control, share, ahead, behind


@BACK_WITH_CONTROL.mistake("ahead and behind exchanged")
def ahead_and_behind_exchanged(missed, useless, k):
    """You exchange the last two: first comes the number of queries in which more missed than useless pages
    are back."""
    share, control, ahead, behind = back_with_control(missed, useless, k)
    return share, control, behind, ahead


@BACK_WITH_CONTROL.mistake("both kinds in the denominator")
def over_both_kinds(missed, useless, k):
    """You divide by the missed and the useless pages together, and both shares come out half as large. Each
    is a share of its own kind."""
    share, control, ahead, behind = back_with_control(missed, useless, k)
    return share / 2, control / 2, ahead, behind


@BACK_WITH_CONTROL.mistake("equal counts on both sides")
def equal_on_both_sides(missed, useless, k):
    """You count a query in which equally many of both kinds are back for both sides. It counts for neither:
    use > and <, without =."""
    share, control, ahead, behind = back_with_control(missed, useless, k)
    level = len(missed) - ahead - behind
    return share, control, ahead + level, behind + level


@BACK_WITH_CONTROL.mistake("one difference of the shares")
def difference_of_the_shares(missed, useless, k):
    """You return the difference of the two shares. Return both: a difference does not say how many came
    back at all."""
    back, control, more, fewer = back_with_control(missed, useless, k)
    return back - control, more, fewer


@BACK_WITH_CONTROL.mistake("ahead and behind as shares")
def ahead_and_behind_as_shares(missed, useless, k):
    """You return shares of the queries in the last two places. Return numbers of queries."""
    back, control, more, fewer = back_with_control(missed, useless, k)
    return back, control, more / len(missed), fewer / len(missed)


def _share(pages, k, of_retrieved=False):
    ranks = [rank for of_query in pages.values() for rank in of_query if not of_retrieved or rank is not None]
    return _n_back(ranks, k) / len(ranks) if ranks else 0.0


@BACK_WITH_CONTROL.mistake("useless pages that were not retrieved left out")
def useless_not_retrieved_left_out(missed, useless, k):
    """Among the useless pages you leave out those that were not retrieved, and divide by the others. Both
    shares are over all pages, or they cannot be compared."""
    share, _, ahead, behind = back_with_control(missed, useless, k)
    return share, _share(useless, k, of_retrieved=True), ahead, behind


@BACK_WITH_CONTROL.mistake("missed pages that were not retrieved left out")
def missed_not_retrieved_left_out(missed, useless, k):
    """Among the missed pages you leave out those that were not retrieved, and divide by the others. They
    failed most of all, and the share must say so."""
    _, control, ahead, behind = back_with_control(missed, useless, k)
    return _share(missed, k, of_retrieved=True), control, ahead, behind


@BACK_WITH_CONTROL.mistake("shares of queries")
def shares_of_queries(missed, useless, k):
    """Your first two values are shares of the queries, those in which any page is back. Return shares
    of the pages: a query with three of three back says more than one with one of three."""
    _, _, ahead, behind = back_with_control(missed, useless, k)
    shares = [
        sum(_n_back(ranks, k) > 0 for ranks in pages.values()) / len(pages) for pages in (missed, useless)
    ]
    return *shares, ahead, behind


@BACK_WITH_CONTROL.mistake("pairs of pages in place of queries")
def pairs_in_place_of_queries(missed, useless, k):
    """Your last two values count pairs of pages, each missed one with the useless one in the same place.
    Pages of one query depend on each other: count queries, by how many of each kind are back."""
    share, control, _, _ = back_with_control(missed, useless, k)
    leads = [
        _n_back([one], k) - _n_back([other], k)
        for query_id, ranks in missed.items()
        for one, other in zip(ranks, useless[query_id], strict=True)
    ]
    return share, control, leads.count(1), leads.count(-1)


@BACK_WITH_CONTROL.mistake("each kind by itself")
def each_kind_by_itself(missed, useless, k):
    """Your last two values are the numbers of queries in which any missed page is back, and in which any
    useless one is. Compare the two within each query: in which are more missed ones back, and in which
    fewer?"""
    share, control, _, _ = back_with_control(missed, useless, k)
    return (
        share,
        control,
        *(sum(_n_back(ranks, k) > 0 for ranks in pages.values()) for pages in (missed, useless)),
    )


def _back_anywhere(pages):
    return {query_id: [rank and 1 for rank in ranks] for query_id, ranks in pages.items()}


@BACK_WITH_CONTROL.mistake("retrieved at any rank")
def retrieved_at_any_rank(missed, useless, k):
    """You count a page as back at whatever rank it was retrieved. Back is rank 1 to k."""
    return back_with_control(_back_anywhere(missed), _back_anywhere(useless), 1)


@BACK_WITH_CONTROL.mistake("k is always 10")
def always_10(missed, useless, k):
    """You take 10 for k, whatever the call says. Use the argument."""
    return back_with_control(missed, useless, 10)


@BACK_WITH_CONTROL.mistake("the two shares alone")
def shares_alone(missed, useless, k):
    """You return the two shares. Two more values are asked for: in how many queries the missed pages are
    ahead, and in how many behind."""
    return back_with_control(missed, useless, k)[:2]


@BACK_WITH_CONTROL.mistake("the difference of ahead and behind")
def ahead_less_behind(missed, useless, k):
    """You return the difference of the last two. Both numbers are asked for: five against three and two
    against none differ by two each."""
    share, control, ahead, behind = back_with_control(missed, useless, k)
    return share, control, ahead - behind


@BACK_WITH_CONTROL.mistake("by the best rank")
def by_the_best_rank(missed, useless, k):
    """In the last two values you compare ranks: which kind of page is further up. Compare how many of
    each kind are back: beyond rank k it does not matter by how much a page is further up."""
    share, control, _, _ = back_with_control(missed, useless, k)

    def best(ranks):
        return min((rank for rank in ranks if rank is not None), default=10**9)

    leads = [best(useless[query_id]) - best(ranks) for query_id, ranks in missed.items()]
    return share, control, sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
