"""Two systems on split traffic: every user on one side for good, and a test that fits."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from math import fsum, isfinite
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads `scipy.stats` when it is first used: that takes a second

from helpers.base import Relevant, check_ids, check_k, check_option, check_rng, check_search, check_whole
from helpers.metrics import average_precision, precision_at_k, recall_at_k
from helpers.monitoring.two_groups import compare_groups, in_one_sentence
from helpers.stats import DECIMALS, Rng, as_values, check_level

MISMATCH = 0.001
"""Below this p-value the split is not what was planned; strict, since every experiment is checked."""


class RetrievalABTest:
    """Splits users between system A and system B and compares what was measured for them.

    A system is any object with `search(queries, k) -> Run` as the course's retrievers have it, or else with
    `retrieve(query)` that gives doc_ids, (doc_id, score) pairs or objects with an `id`, best first.
    `traffic_split` is the share of users that A gets. Assignment is a hash of experiment name and user: the
    same user gets the same system in every process, and another experiment splits the users anew.

    `results_a` and `results_b` hold a dict per measured query, `{"user_id": ..., metric: value}`. Assigning
    may be done from anywhere at any time; keep the recording of one object to one thread.

    The class of the same name in Agent Memory Guide, Retrieval Accuracy Benchmarks
    (agentmemoryguide.ai/docs/benchmarks/retrieval-accuracy), draws a system anew for every query, takes
    queries as independent, and uses Student's t.

    >>> class Fixed:
    ...     def __init__(self, doc_ids): self.doc_ids = doc_ids
    ...     def retrieve(self, query): return self.doc_ids
    >>> test = RetrievalABTest(Fixed(["d1", "d2"]), Fixed(["d2", "d1"]), experiment="stemming")
    >>> test.route_query("restart search", ground_truth_relevant={"d2"}, user_id="ada")
    (['d2', 'd1'], 'B')
    """

    def __init__(
        self,
        system_a: Any,
        system_b: Any,
        traffic_split: float = 0.5,
        experiment: str = "A/B test",
        k: int = 10,
    ):
        for name, system in (("system_a", system_a), ("system_b", system_b)):
            if not any(callable(getattr(system, way, None)) for way in ("search", "retrieve")):
                kind = type(system).__name__
                raise ValueError(f"{name} is a {kind} without search(queries, k) or retrieve(query)")
            if callable(getattr(system, "search", None)) and not isinstance(system, type):
                check_search(name, system.search)
        if not isinstance(traffic_split, Real) or not 0 < traffic_split < 1:
            raise ValueError(
                f"traffic_split is {traffic_split!r}; needed the share of A, above 0 and below 1"
            )
        self.system_a, self.system_b = system_a, system_b
        self.traffic_split, self.experiment, self.k = traffic_split, experiment, check_k(k)
        self.results_a: list[dict] = []
        self.results_b: list[dict] = []
        self._n_anonymous = 0

    def assign(self, user_id: str) -> str:
        """The side of a user, always the same. Raises ValueError for an id that is not text, or blank."""
        check_ids([user_id], "user_id:")
        if not user_id.strip():
            one = "all users without an id would be one user"
            raise ValueError(f"user_id is {user_id!r}; {one}: give each a name, such as that of the session")
        # The first 64 bits of SHA-256 as a number from 0 to 1: below the share of A it is A. Python's own
        # hash() would give another answer in every process.
        digest = hashlib.sha256(f"{self.experiment}\x00{user_id}".encode()).digest()
        return "A" if int.from_bytes(digest[:8], "big") / 2**64 < self.traffic_split else "B"

    def route_query(
        self, query: str, ground_truth_relevant: Relevant | None = None, user_id: str | None = None
    ) -> tuple:
        """(results, "A" or "B"): a list of what the system gave (of `search`, (doc_id, score) pairs).

        `user_id` may be that of a user or of a session. Without one the call counts as a user of its own.
        With `ground_truth_relevant` precision_at_5 (divided by 5), recall_at_5 and average_precision (over
        the first k) are recorded; None records nothing, an empty set 0, as `metrics` has it.

        Raises ValueError where a system gives no list: a dict or a set has no order, a text no documents.
        """
        if user_id is None:
            self._n_anonymous += 1
            user_id = f"call {self._n_anonymous} without user_id"
        side = self.assign(user_id)
        system = self.system_a if side == "A" else self.system_b
        if isinstance(system, type):
            made = f"needed one that is built, {system.__name__}(...)"
            raise ValueError(f"system {side} is the class {system.__name__}; {made}")
        # A list, since results that come one by one could be either measured or shown.
        if callable(getattr(system, "search", None)):
            results = _of_query(system.search({"query": query}, self.k), side)
        else:
            results = system.retrieve(query)
        if isinstance(results, str | Mapping | Set) or not isinstance(results, Iterable):
            given = f"system {side} gave {results!r:.60} for {query!r:.60}"
            raise ValueError(f"{given}; needed a list of results, best first, [] where nothing was found")
        results = list(results)
        if ground_truth_relevant is not None:
            doc_ids = [_doc_id(result) for result in results][: self.k]
            measured = {
                "precision_at_5": precision_at_k(doc_ids, ground_truth_relevant, 5),
                "recall_at_5": recall_at_k(doc_ids, ground_truth_relevant, 5),
                "average_precision": average_precision(doc_ids, ground_truth_relevant),
            }
            self.record(measured, user_id)
        return results, side

    def record(self, values: Mapping[str, float], user_id: str) -> str:
        """Adds what was measured on one query of a user, such as {"clicked": 1}, and says for which system.

        This is how live feedback comes in, which is known only after the query was routed. Raises ValueError
        for a value that is no finite number, for a metric called user_id, and for a blank `user_id`.
        """
        if not isinstance(values, Mapping) or "user_id" in values:
            raise ValueError(
                f"user {user_id!r}: values are {values!r}; needed {{metric: value}}, without a 'user_id'"
            )
        for metric, value in values.items():
            if not isinstance(value, (int, float, np.number, np.bool_)) or not isfinite(value):
                raise ValueError(f"user {user_id!r}: {metric} is {value!r}; needed a finite number")
        side = self.assign(user_id)
        (self.results_a if side == "A" else self.results_b).append({"user_id": user_id, **values})
        return side

    def get_statistical_significance(
        self, metric: str = "precision_at_5", estimand: str = "per user", alpha: float = 0.05
    ) -> dict | None:
        """Welch's t-test between the users of A and those of B; None while a side has fewer than two.

        The estimand is the number whose difference is asked for. "per user" is the mean of the users' means:
        every user counts once. "per query" is the total over all queries divided by their number: every query
        counts once, so a user who asks much counts much. The two can have opposite signs. Users are what is
        assigned and therefore what is independent, so they are the unit of the test either way; the variance
        of "per query", a ratio of two sums, is that of the delta method, right for many users (5.8 % false
        alarms with 60 a side, 5.2 % with 200, where some ask twenty times as much as others).

        Keys: `metric, estimand, system_a_mean, system_b_mean, difference` (B - A), `low, high` (its 95 %
        interval, None where it has none), `p_value, significant` (p < alpha), `t_statistic` (of B - A, as
        everywhere in the course; the guide's is of A - B), `n_a, n_b` (users), `statement`. With fewer than 8
        users on a side there is no verdict: p and t are None, and the statement says why. Where nothing
        varies, p is that of a random division.

        The p-value holds for one look at the end that was planned; for more looks see
        `stats.sequential_decision`. Raises ValueError for a metric that nobody recorded, and for an alpha
        outside (0, 1).

        Source: Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, 2020, chapters 14 and 18;
        Deng, Knoblich and Lu, Applying the delta method in metric analytics, KDD 2018.
        """
        check_option("estimand", estimand, ("per user", "per query"))
        check_level("alpha", alpha)
        a, b = (_values_of_users(results, metric, estimand) for results in (self.results_a, self.results_b))
        known = {name for result in self.results_a + self.results_b for name in result} - {"user_id"}
        if (self.results_a or self.results_b) and metric not in known:
            raise ValueError(f"metric {metric!r} was never recorded; there are {', '.join(sorted(known))}")
        if min(len(a), len(b)) < 2:
            return None
        found = compare_groups(a, b, alpha)
        return {
            "metric": metric,
            "estimand": estimand,
            "system_a_mean": found["mean_a"],
            "system_b_mean": found["mean_b"],
            "difference": found["difference"],
            "low": found["low"],
            "high": found["high"],
            "p_value": found["p_value"],
            "significant": found["differs"],
            "t_statistic": found["t_statistic"],
            "n_a": len(a),
            "n_b": len(b),
            "statement": _statement(f"{metric} {estimand}", found, len(a), len(b)),
        }

    def sample_ratio_check(self) -> dict:
        """Whether as many users were measured on each side as were planned; if not, no result can be trusted.

        Counts users with at least one record. A mismatch means that users or events get lost on one side:
        slow pages, crashes, a filter. Exact binomial test. Keys: `users_a, users_b, share_a, planned,
        p_value, mismatch` (p < 0.001), `statement`. Raises ValueError while nobody was measured.

        Source: Fabijan et al., Diagnosing sample ratio mismatch in online controlled experiments, 2019.
        """
        sides = (self.results_a, self.results_b)
        users_a, users_b = (len({result["user_id"] for result in results}) for results in sides)
        n_users = users_a + users_b
        if not n_users:
            raise ValueError("no user has been measured yet; record something first")
        p_value = float(scipy.stats.binomtest(users_a, n_users, self.traffic_split).pvalue)
        share, mismatch = users_a / n_users, p_value < MISMATCH
        result = "sample ratio mismatch, do not read the result" if mismatch else "as planned"
        split = f"{share:.1%} of {n_users:,} users on A, planned {self.traffic_split:.1%}"
        return {
            "users_a": users_a,
            "users_b": users_b,
            "share_a": share,
            "planned": self.traffic_split,
            "p_value": p_value,
            "mismatch": mismatch,
            "statement": f"{split}: {result} (p = {p_value:.2g}).",
        }


def split_power(
    values_a: Sequence[float],
    values_b: Sequence[float],
    sizes: Sequence[int],
    alpha: float = 0.05,
    n_simulations: int = 2000,
    rng: Rng = 0,
) -> pd.Series:
    """The share of A/B tests of each size, half on each side, in which Welch's t finds the difference.

    The index is `impressions`. The tests are drawn from `values_a` and `values_b`, one independent value per
    impression or user, taken as the truth. Only differences in the right direction count as found. Sizes
    count both sides together. Raises ValueError for a size below four, which leaves a side without two
    values, for values that are a table, no finite numbers, or none at all, for an alpha outside (0, 1), and
    fewer than one simulation.

    >>> split_power([0, 0, 0, 1], [0, 1, 1, 1], [20, 200]).round(1).to_dict()
    {20: 0.6, 200: 1.0}
    """
    check_level("alpha", alpha)
    check_whole("n_simulations", n_simulations, of="simulations")
    rng, found = check_rng(rng), {}
    sides = [as_values(values, name, 1) for values, name in ((values_a, "values_a"), (values_b, "values_b"))]
    truth = sides[1].mean() - sides[0].mean()
    for size in sizes:
        n = check_whole("size", size, 4, of="impressions, two on each side") // 2
        (mean_a, deviation_a), (mean_b, deviation_b) = (_drawn(side, n, n_simulations, rng) for side in sides)
        with np.errstate(divide="ignore", invalid="ignore"):
            # Without any variance the p-value is NaN: not found.
            p_values = scipy.stats.ttest_ind_from_stats(
                mean_a, deviation_a, n, mean_b, deviation_b, n, equal_var=False
            ).pvalue
        found[size] = float(((p_values < alpha) & ((mean_b - mean_a) * truth > 0)).mean())
    return pd.Series(found, name="A/B test").rename_axis("impressions")


def _drawn(
    side: np.ndarray, n: int, n_simulations: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of n values drawn with replacement, per simulation."""
    # How often each value is drawn is multinomial, and the counts are all that both need.
    values, times = np.unique(side, return_counts=True)
    counts = rng.multinomial(n, times / times.sum(), size=n_simulations)
    mean = counts @ values / n
    return mean, np.sqrt(np.maximum((counts @ values**2 - n * mean**2) / (n - 1), 0))


def _values_of_users(results: list[dict], metric: str, estimand: str) -> list[float]:
    """A value for each user, such that their mean is the estimand and a t-test of them is the right one."""
    by_user = defaultdict(list)
    for result in results:
        if metric in result:
            by_user[result["user_id"]].append(result[metric])
    sums, counts = [fsum(values) for values in by_user.values()], [len(values) for values in by_user.values()]
    if estimand == "per user" or not counts:
        # Three times 0.2 is not 0.2 on average, in floating point: equal users must come out equal.
        return [round(total / count, DECIMALS) for total, count in zip(sums, counts, strict=True)]
    # The delta method: a user moves the ratio of the sums by (total - ratio · count) / the mean count.
    ratio, mean_count = fsum(sums) / sum(counts), sum(counts) / len(counts)
    return [ratio + (total - ratio * count) / mean_count for total, count in zip(sums, counts, strict=True)]


def _statement(what: str, found: dict, n_a: int, n_b: int) -> str:
    if found["p_value"] is None:
        return f"Too few users to tell about {what}: {n_a} of A, {n_b} of B; {found['how']}."
    sides = f"{found['mean_a']:.3f} for {n_a:,} users of A and {found['mean_b']:.3f} for {n_b:,} of B"
    return f"{what} is {sides}: {in_one_sentence(found, 'B is higher', 'B is lower', 'no difference shown')}."


def _of_query(run: object, side: str) -> Any:
    """What a search gave for the one query. Raises ValueError for what is no run, or one without it."""
    if not isinstance(run, Mapping) or "query" not in run:
        given = f"system {side}: search gave {run!r:.60}"
        raise ValueError(f"{given}; needed {{query_id: results}} of the queries that it was given")
    return run["query"]


def _doc_id(result: Any) -> str:
    """The doc_id of one result: the text itself, the first of a pair (from JSON a list), or the `id` of an
    object. Raises ValueError for a pair that begins with its score, and for a dict."""
    pair = isinstance(result, tuple | list) and len(result) > 0
    if pair and isinstance(result[0], Real) and isinstance(result[-1], str):
        raise ValueError(f"retrieve gave {result!r:.60}, the score first; needed (doc_id, score)")
    if isinstance(result, Mapping):
        raise ValueError(f"retrieve gave {result!r:.60}, a dict; needed a doc_id, or (doc_id, score)")
    return result[0] if pair else getattr(result, "id", result)
