"""Team-draft interleaving: both systems on one result page, and the clicks decide between them.

Every user compares both systems on one query, so that the differences between users and between queries,
which an A/B test has to average out, fall away.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
import scipy  # loads `scipy.stats` when it is first used: that takes a second

from helpers.base import as_ranking, check_ids, check_k, check_rng, check_whole
from helpers.evaluation import Conventions, ranking, read_once
from helpers.records import Run
from helpers.stats import Rng, check_level

Interleaved = list[tuple[str, str]]
"""`[(doc_id, team), ...]` in the order shown; a team is "A" or "B"."""
_AS_GIVEN = Conventions(ties="as given")


def team_draft(
    ranking_a: Sequence[str], ranking_b: Sequence[str], k: int, rng: np.random.Generator
) -> Interleaved:
    """One page of at most k documents, picked in turn: [(doc_id, team), ...], best first.

    As two captains pick players: in each round a coin decides who picks first, then the other picks; each
    takes the highest of its ranking that is not on the page yet. The page ends at k, or before the first pick
    that a side might be unable to make, had the coins fallen otherwise: beyond it the longer ranking would be
    clicked only because there is more of it. So its length does not depend on the coins, and neither the
    number of picks nor their ranks favour a side. It is never shorter than the shorter ranking. A service may
    show more below, but clicks there belong to nobody. Give one generator for all pages; a seed would flip
    the same coins for each. Raises ValueError for a ranking that is none.

    Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, 2008,
    algorithm 2; the end of the page is ours.

    >>> team_draft(["d1", "d2", "d3"], ["d1", "d3", "d4"], k=3, rng=np.random.default_rng(0))
    [('d1', 'B'), ('d2', 'A'), ('d3', 'A')]
    """
    if not isinstance(rng, np.random.Generator):
        cure = "give one np.random.default_rng(seed) for all pages, or each gets the same coins"
        raise ValueError(f"rng is {rng!r}; {cure}")
    rankings = {"A": as_ranking(ranking_a), "B": as_ranking(ranking_b)}
    page: dict[str, str] = {}
    behind = None
    for _ in range(_sure_picks(rankings["A"], rankings["B"], check_k(k))):
        # The team that is one pick behind is next; where none is, a new round begins with a coin.
        team = behind or ("A" if rng.random() < 0.5 else "B")
        # It takes its best document that neither team has brought yet.
        page[next(doc_id for doc_id in rankings[team] if doc_id not in page)] = team
        behind = None if behind else ("B" if team == "A" else "A")
    return list(page.items())


def _sure_picks(ranking_a: list[str], ranking_b: list[str], k: int) -> int:
    """How many picks, at most k, can be made whatever the coins."""
    shorter, shared = min(len(ranking_a), len(ranking_b)), len(set(ranking_a) & set(ranking_b))
    n = 0
    # Gone from the shorter ranking: its own picks and, at worst, all shared documents that the other has
    # picked.
    while n < k and n // 2 + min((n + 1) // 2, shared) < shorter:
        n += 1
    return n


def credit(interleaved: Interleaved, clicks: Iterable[str]) -> dict[str, int]:
    """How many clicks fell on each team's documents: {"A": n, "B": n}. A document clicked twice counts once.

    Raises ValueError for a click on a document that the page does not show, clicks that are a dict or a text
    and not a list of doc_ids, a page that is no list of pairs, a team other than A and B, and a page that
    holds a document twice.

    >>> credit([("d1", "A"), ("d3", "B"), ("d4", "B")], clicks=["d3", "d4"])
    {'A': 0, 'B': 2}
    """
    if isinstance(clicks, (str, Mapping)):
        needed = "give a list of the doc_ids that were clicked"
        raise ValueError(f"clicks is a {type(clicks).__name__}, {clicks!r:.60}; {needed}")
    page = _checked_page(interleaved)
    as_ranking([doc_id for doc_id, _ in page])
    teams, counts = dict(page), {"A": 0, "B": 0}
    for doc_id, team in teams.items():
        if team not in counts:
            raise ValueError(f"document {doc_id!r} is of team {team!r}; needed 'A' or 'B'")
    for doc_id in dict.fromkeys(clicks):
        if doc_id not in teams:
            shown = ", ".join(teams) or "nothing"
            raise ValueError(f"a click on {doc_id!r}, which this page does not show; it shows {shown}")
        counts[teams[doc_id]] += 1
    return counts


def _checked_page(interleaved: Interleaved) -> Interleaved:
    """Raises ValueError for what is no list of pairs: an id of two characters would be taken for one."""
    needed = "needed [(doc_id, team), ...], as team_draft gives it"
    if isinstance(interleaved, str | Mapping) or not isinstance(interleaved, Iterable):
        raise ValueError(f"interleaved is {interleaved!r:.60}; {needed}")
    page = list(interleaved)
    for number, pair in enumerate(page, start=1):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            cure = f"{needed}: list(zip(doc_ids, teams))"
            raise ValueError(f"interleaved, entry {number} is {pair!r:.60}; {cure}")
    return page


def interleave(
    run_a: Run,
    run_b: Run,
    clicks_on: Callable[[str, list[str]], Iterable[str]],
    n_impressions: int,
    k: int = 10,
    rng: Rng = 0,
) -> pd.DataFrame:
    """Shows n_impressions interleaved pages, each of a query drawn at random, and credits the clicks.

    `clicks_on(query_id, doc_ids)` gives the clicked doc_ids of a page: real users, or `Users.clicks_on`. A
    row per impression: `query_id, A, B` (clicks on each team). Raises ValueError for runs on other queries, a
    number of impressions that is no whole number from 0 up, what `ranking` refuses, and clicks that `credit`
    refuses.

    >>> run_a, run_b = {"q1": [("d1", 2.0), ("d2", 1.0)]}, {"q1": [("d2", 2.0), ("d1", 1.0)]}
    >>> log = interleave(run_a, run_b, lambda query_id, doc_ids: ["d2"], n_impressions=5)
    >>> log[["A", "B"]].sum().to_dict()  # d2 is the first choice of B, so it is B's on every page
    {'A': 0, 'B': 5}
    """
    check_same_queries(run_a, run_b)
    check_whole("n_impressions", n_impressions, 0)
    rng = check_rng(rng)
    shown = [
        {query_id: ranking(query_id, hits, _AS_GIVEN)[:k] for query_id, hits in read_once(run).items()}
        for run in (run_a, run_b)
    ]
    rows = []
    for query_id in np.array(list(run_a), dtype=object)[rng.integers(len(run_a), size=n_impressions)]:
        page = team_draft(shown[0][query_id], shown[1][query_id], k, rng)
        clicks = clicks_on(query_id, [doc_id for doc_id, _ in page])
        if clicks is None:
            needed = "needed a list of doc_ids, [] where nothing was clicked"
            raise ValueError(f"clicks_on gave None for query {query_id!r}; {needed}")
        rows.append({"query_id": query_id, **credit(page, clicks)})
    return pd.DataFrame(rows, columns=["query_id", "A", "B"])


def preference(impressions: Iterable[Mapping[str, int]] | pd.DataFrame, alpha: float = 0.05) -> dict:
    """Which system's documents are clicked more, over many impressions, with a sign test.

    `impressions` are credits, as dicts or as the table of `interleave`. An impression is won by the team with
    more clicks; ties, the pages without a click among them, say nothing and are left out of the test, which
    asks whether wins are a fair coin. Keys: `wins_a, wins_b, ties, share_b` (of the wins; None without any),
    `p_value`, `significant`, `preferred` ("A", "B", or None where the test does not tell). Impressions must
    be independent: of a user who sends many, keep one or sum them. Raises ValueError for an impression
    without a number of clicks, 0 or more, for each of A and B, and for an alpha outside (0, 1).

    >>> credits = [{"A": 0, "B": 1}] * 9 + [{"A": 2, "B": 1}] + [{"A": 0, "B": 0}] * 90
    >>> preference(credits)["p_value"]  # 22 / 2^10
    0.021484375
    """
    check_level("alpha", alpha)
    credits = _checked(impressions)
    wins_a, wins_b = int((credits["A"] > credits["B"]).sum()), int((credits["A"] < credits["B"]).sum())
    n_wins = wins_a + wins_b
    p_value = float(scipy.stats.binomtest(wins_b, n_wins).pvalue) if n_wins else 1.0
    return {
        "wins_a": wins_a,
        "wins_b": wins_b,
        "ties": len(credits) - n_wins,
        "share_b": wins_b / n_wins if n_wins else None,
        "p_value": p_value,
        "significant": p_value < alpha,
        "preferred": ("B" if wins_b > wins_a else "A") if p_value < alpha else None,
    }


def preference_power(
    impressions: pd.DataFrame,
    sizes: Sequence[int],
    alpha: float = 0.05,
    n_simulations: int = 2000,
    rng: Rng = 0,
) -> pd.Series:
    """The share of experiments of each size in which the sign test finds the difference; index: impressions.

    The experiments are drawn from `impressions`, the table of a long `interleave`, taken as the truth: give
    100,000 and more, its own noise moves the curve. Only wins in the right direction count as found: those of
    the team that wins more often in the whole table. Raises ValueError for no impression at all, a size
    that is no whole number, an alpha outside (0, 1), and fewer than one simulation.

    >>> won = pd.DataFrame({"A": [0, 0, 0, 1], "B": [1, 1, 1, 0]})  # B wins three of four
    >>> preference_power(won, [20, 100]).round(1).to_dict()
    {20: 0.6, 100: 1.0}
    """
    if not len(impressions):
        raise ValueError("no impression at all; let a long interleave() run first, to draw experiments from")
    check_whole("n_simulations", n_simulations, of="simulations")
    rng, whole = check_rng(rng), preference(impressions, alpha)
    fewer, more = sorted((whole["wins_a"], whole["wins_b"]))
    shares, found = np.array([more, fewer, whole["ties"]]) / len(impressions), {}
    for size in sizes:
        check_whole("size", size, of="impressions")
        wins, losses, _ = rng.multinomial(size, shares, size=n_simulations).T
        # The sign test, exact: twice the chance of so few losses, as in binomtest; above 1 if losses prevail.
        p_values = 2 * scipy.stats.binom.cdf(losses, wins + losses, 0.5)
        found[size] = float((p_values < alpha).mean())
    return pd.Series(found, name="interleaving").rename_axis("impressions")


def _checked(impressions: Iterable[Mapping[str, int]] | pd.DataFrame) -> pd.DataFrame:
    """The clicks on A and B as numbers, a row per impression."""
    credits = impressions if isinstance(impressions, pd.DataFrame) else pd.DataFrame(list(impressions))
    if not len(credits):
        return pd.DataFrame({"A": [], "B": []}, dtype=float)
    lacking = [team for team in ("A", "B") if team not in credits]
    if lacking:
        given = ", ".join(map(repr, credits))
        raise ValueError(f"the impressions have no {lacking[0]!r}, but {given}; needed clicks on 'A' and 'B'")
    counts = credits[["A", "B"]].apply(pd.to_numeric, errors="coerce").astype(float).reset_index(drop=True)
    wrong = counts.index[~(np.isfinite(counts) & (counts >= 0)).all(axis=1)]
    if len(wrong):
        clicks = credits[["A", "B"]].iloc[wrong[0]].to_dict()
        given = f"impression {wrong[0]} (counted from 0) has the clicks {clicks}"
        raise ValueError(f"{given}; needed a number, 0 or more, for each")
    return counts


def check_same_queries(run_a: Run, run_b: Run) -> None:
    """Raises ValueError unless both runs have the same queries, at least one, with ids that are text."""
    if not run_a or run_a.keys() != run_b.keys():
        lacking = sorted(run_a.keys() ^ run_b.keys())[:3]
        raise ValueError(
            f"the runs do not have the same queries, e.g. {lacking}; a page needs a ranking of each"
        )
    check_ids(run_a, "run_a: query_id")
