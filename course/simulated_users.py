"""Users with a known truth: they look by rank, click what is relevant more often, and have habits.

The truth goes in (a run, the qrels, a `Users`), and out come logs as a service would have them, without the
truth. So it can be checked what a log says against what is so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np
import pandas as pd

from helpers.base import check_k, check_whole
from helpers.monitoring import check_same_queries
from helpers.records import Qrels, Run
from helpers.stats import Rng


def _check_chances(**chances: float) -> None:
    for name, chance in chances.items():
        if not isinstance(chance, Real) or not 0 <= chance <= 1:
            raise ValueError(f"{name} is {chance!r}; needed a chance from 0 to 1")


@dataclass(frozen=True)
class Users:
    """How users look and click, by position: P(click) = P(looks at the rank) × P(wants the document).

    A user looks at rank r with chance 1 / r^eta, clicks a relevant document (grade 1 or more) with chance
    `p_relevant` and any other with `p_noise`, each rank on its own. `eta=0` has no position bias. Raises
    ValueError for chances outside [0, 1].

    Source: Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models,
    2008 (the model); Joachims, Swaminathan and Schnabel, Unbiased learning-to-rank with biased feedback,
    2017, section 6 (1 / r^eta).

    >>> Users(eta=1).examined(4).round(2).tolist()
    [1.0, 0.5, 0.33, 0.25]
    """

    eta: float = 1.0
    p_relevant: float = 0.6
    p_noise: float = 0.1

    def __post_init__(self):
        _check_chances(p_relevant=self.p_relevant, p_noise=self.p_noise)
        if not isinstance(self.eta, Real) or not self.eta >= 0:
            raise ValueError(f"eta is {self.eta!r}; needed 0 (no position bias) or more")

    def examined(self, k: int) -> np.ndarray:
        """The chance that rank 1, 2, ... k is looked at."""
        return np.arange(1, check_k(k) + 1) ** -float(self.eta)

    def click_chances(self, doc_ids: Sequence[str], grades: dict[str, int]) -> np.ndarray:
        """The chance of a click at each rank of one page."""
        if not len(doc_ids):
            return np.zeros(0)
        attract = [self.p_relevant if grades.get(doc_id, 0) > 0 else self.p_noise for doc_id in doc_ids]
        return self.examined(len(doc_ids)) * attract

    def clicks_on(self, qrels: Qrels, rng: Rng = 0):
        """A function `clicks(query_id, doc_ids)` that clicks on one page after another, for `interleave`.

        >>> Users(eta=0, p_relevant=1, p_noise=0).clicks_on({"q1": {"d2": 1}})("q1", ["d1", "d2"])
        ['d2']
        """
        rng = np.random.default_rng(rng)

        def clicks(query_id: str, doc_ids: Sequence[str]) -> list[str]:
            clicked = rng.random(len(doc_ids)) < self.click_chances(doc_ids, qrels.get(query_id, {}))
            return [doc_id for doc_id, yes in zip(doc_ids, clicked, strict=True) if yes]

        return clicks


def simulate_clicks(
    run: Run,
    qrels: Qrels,
    n_impressions: int,
    users: Users = Users(),
    k: int = 10,
    shuffled: bool = False,
    rng: Rng = 0,
) -> pd.DataFrame:
    """A click log of n_impressions pages, each of a query drawn at random: a row per document shown.

    Columns `impression` (from 0), `query_id`, `rank`, `doc_id`, `clicked`. With `shuffled` every page shows
    its k documents in an order of its own: what an experiment on a little traffic would do to learn how far
    users look. A query without results leaves an impression without rows. Raises ValueError for a run without
    queries and a number of pages below 0.

    >>> log = simulate_clicks({"q1": [("d1", 2.0), ("d2", 1.0)]}, {"q1": {"d2": 1}}, n_impressions=1000)
    >>> log.groupby("doc_id")["clicked"].mean().round(1).to_dict()  # d1: 1 × 0.1; d2: 1/2 × 0.6
    {'d1': 0.1, 'd2': 0.3}
    """
    check_whole("n_impressions", n_impressions, 0, of="pages")
    rng = np.random.default_rng(rng)
    doc_ids, attract, n_shown = _pages(run, qrels, users, k)
    drawn = rng.integers(len(run), size=n_impressions)
    # A page is a row of slots for ranks 1 to k. On a short page the last ones stay empty.
    filled = np.arange(k) < n_shown[drawn][:, None]
    order = np.tile(np.arange(k), (n_impressions, 1))
    if shuffled:  # documents come first in a random order, the empty slots last
        order = np.where(filled, rng.random(order.shape), 2).argsort(axis=1, kind="stable")
    # The position-based model: the document attracts, wherever it stands, and its rank is looked at.
    chances = np.take_along_axis(attract[drawn], order, axis=1) * users.examined(k)
    clicked = rng.random(chances.shape) < chances
    impression, slot = np.nonzero(filled)
    log = {
        "impression": impression,
        "query_id": np.array(list(run), dtype=object)[drawn[impression]],
        "rank": slot + 1,
        "doc_id": doc_ids[drawn[impression], order[impression, slot]],
        "clicked": clicked[impression, slot],
    }
    return pd.DataFrame(log)


def simulate_visits(
    run_a: Run,
    run_b: Run,
    qrels: Qrels,
    systems: Sequence[Sequence[str]],
    users: Users = Users(),
    habit: float = 0.0,
    memory: float = 0.0,
    k: int = 10,
    rng: Rng = 0,
) -> pd.DataFrame:
    """Users who come back: a row per visit, with what it was shown by and whether anything was clicked.

    `systems[u][v]` is the system, "A" or "B", that user u sees on visit v; all users make the same number of
    visits. With chance `habit` a visit repeats the user's own first query: visits of one user resemble each
    other. With `memory` m a user looks at the page at all with chance 1 - m + m × the share of their earlier
    visits that had a click: who found nothing, by whichever system, loses interest. Columns `user_id` ("u0",
    ...), `visit` (from 1), `query_id`, `system`, `clicked` (0 or 1).

    Raises ValueError for another system than A and B, runs on other queries, and chances outside [0, 1].

    >>> run = {"q1": [("d1", 1.0)]}
    >>> visits = simulate_visits(run, run, {"q1": {"d1": 1}}, [["A", "A"], ["B", "B"]], Users(p_relevant=1))
    >>> visits[["user_id", "visit", "system", "clicked"]].values.tolist()
    [['u0', 1, 'A', 1], ['u0', 2, 'A', 1], ['u1', 1, 'B', 1], ['u1', 2, 'B', 1]]
    """
    systems = np.asarray(systems, dtype=str)
    if systems.ndim != 2 or not systems.size or not np.isin(systems, ("A", "B")).all():
        needed = "'A' or 'B' for each user (row) and visit (column)"
        raise ValueError(f"systems has the shape {systems.shape}; needed {needed}")
    check_same_queries(run_a, run_b)
    _check_chances(habit=habit, memory=memory)
    rng, (n_users, n_visits) = np.random.default_rng(rng), systems.shape
    query_ids = np.array(list(run_a), dtype=object)
    any_click = np.stack([_any_click(run, query_ids, qrels, users, k) for run in (run_a, run_b)])
    # Who has a habit asks the first query again.
    queries = rng.integers(len(query_ids), size=(n_users, n_visits))
    queries = np.where(rng.random(queries.shape) < habit, queries[:, :1], queries)
    chances, chance = any_click[(systems == "B").astype(int), queries], rng.random(queries.shape)
    # Visit by visit, since whether a user looks depends on all earlier ones.
    clicked = np.zeros((n_users, n_visits), dtype=int)
    for visit in range(n_visits):
        content = clicked[:, :visit].mean(axis=1) if visit else 1.0
        clicked[:, visit] = chance[:, visit] < chances[:, visit] * (1 - memory + memory * content)
    visits = {
        "user_id": np.repeat([f"u{number}" for number in range(n_users)], n_visits),
        "visit": np.tile(np.arange(1, n_visits + 1), n_users),
        "query_id": query_ids[queries.ravel()],
        "system": systems.ravel(),
        "clicked": clicked.ravel(),
    }
    return pd.DataFrame(visits)


def _pages(run: Run, qrels: Qrels, users: Users, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """By query (rows): its first k doc_ids, how each attracts clicks when seen, and how many there are."""
    if not run:
        raise ValueError("the run has no query; there is nothing to show")
    doc_ids, attract = np.full((len(run), check_k(k)), None, dtype=object), np.zeros((len(run), k))
    for row, (query_id, results) in enumerate(run.items()):
        shown = [doc_id for doc_id, _ in results[:k]]
        doc_ids[row, : len(shown)] = shown
        clicked = users.click_chances(shown, qrels.get(query_id, {}))
        attract[row, : len(shown)] = clicked / users.examined(k)[: len(shown)]
    return doc_ids, attract, np.array([min(len(results), k) for results in run.values()])


def _any_click(run: Run, query_ids: Sequence[str], qrels: Qrels, users: Users, k: int) -> np.ndarray:
    """The chance of at least one click on the page of each query: 1 minus that of none at every rank."""
    pages = {query_id: [doc_id for doc_id, _ in run[query_id][:k]] for query_id in query_ids}
    chances = (users.click_chances(page, qrels.get(query_id, {})) for query_id, page in pages.items())
    return np.array([1 - np.prod(1 - of_page) for of_page in chances])
