"""Every metric for all queries at once, from the ranks of the judged documents alone.

A metric needs the ranks of the judged documents and no others. They are few, so they are collected into three
flat arrays, and each metric is a sum over them: that makes big runs fast. The same metrics as definitions,
for one ranking and made to be read, are in `helpers.metrics`; tests hold the two to each other, and both to
trec_eval. A new metric is a function here and a row in `METRICS`.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np

from helpers.base import check_blanks, check_ids
from helpers.evaluation.conventions import Conventions
from helpers.evaluation.rankings import as_scores, ranks_of
from helpers.records import Qrels


@dataclass(frozen=True)
class Ranks:
    """Documents with a rank and a grade: three arrays of one length, sorted by query, then by rank.

    `query` holds the number of each document's query, from 0; there are `n_queries`.
    """

    query: np.ndarray
    rank: np.ndarray
    grade: np.ndarray
    n_queries: int

    def where(self, chosen: np.ndarray) -> "Ranks":
        """The documents for which `chosen` is true, at their ranks."""
        return Ranks(self.query[chosen], self.rank[chosen], self.grade[chosen], self.n_queries)

    def top(self, k: int | None) -> "Ranks":
        """The documents down to rank k; all of them without a k."""
        return self if k is None else self.where(self.rank <= k)

    def closed_up(self) -> "Ranks":
        """The same documents in the same order at the ranks 1, 2, 3, … of their queries."""
        return Ranks(self.query, self.positions(), self.grade, self.n_queries)

    def positions(self) -> np.ndarray:
        """For each document its position among those of its query, from 1."""
        first = np.searchsorted(self.query, np.arange(self.n_queries))
        return np.arange(len(self.query)) - first[self.query] + 1

    def per_query(self, values: np.ndarray | None = None) -> np.ndarray:
        """The number of documents of each query, or the sum of their `values`."""
        return np.bincount(self.query, values, minlength=self.n_queries)


@dataclass(frozen=True)
class JudgedRanks:
    """All that a metric needs of a run and its judgments.

    `found` are the judged documents that were retrieved, `relevant` those of grade 1 or more among them,
    `ideal` all relevant documents as the best ranking has them. `n_retrieved`, `n_relevant` and `n_grade_0`
    count per query.
    """

    found: Ranks
    relevant: Ranks
    ideal: Ranks
    n_retrieved: np.ndarray
    n_relevant: np.ndarray
    n_grade_0: np.ndarray
    conventions: Conventions


def judged_ranks(run: Mapping, qrels: Qrels, conventions: Conventions) -> JudgedRanks:
    """Looks up every judged document in the run; of a query that the run lacks none is found.

    Raises the errors of `rankings.as_scores`, and for an id that is not text, or that differs from a judged
    one in blanks around it, where it could stand for a judged document.
    """
    found, n_retrieved = _look_up(run, qrels, conventions)
    # Condensed lists: the unjudged documents go, and the judged ones close the gaps.
    if conventions.unjudged == "condensed":
        found, n_retrieved = found.closed_up(), found.per_query()
    judged = _judged(qrels)
    # The best ranking has all relevant documents, the highest grades first, without a gap.
    ideal = judged.where(judged.grade > 0).closed_up()
    relevant, n_grade_0 = found.where(found.grade > 0), judged.where(judged.grade == 0).per_query()
    return JudgedRanks(found, relevant, ideal, n_retrieved, ideal.per_query(), n_grade_0, conventions)


def _look_up(run: Mapping, qrels: Qrels, conventions: Conventions) -> tuple[Ranks, np.ndarray]:
    ranks, grades, n_found, n_retrieved = [np.empty(0, np.int64)], [], [], []
    for query_id, judged in qrels.items():
        scores_by_id = as_scores(query_id, run.get(query_id, ()), conventions)
        doc_ids, found_at = ranks_of(judged, query_id, scores_by_id, conventions)
        # A number that should have been text hides a judged document: where all are found there is none. The
        # first id is looked at in any case, so that the error names the run where nothing fits.
        unsure = scores_by_id if len(doc_ids) < len(judged) else islice(scores_by_id, 1)
        check_ids(unsure, f"run, query {query_id!r}: doc_id")
        if len(doc_ids) < len(judged):
            check_blanks(judged, scores_by_id, f"query {query_id!r}: document")
        ranks.append(found_at)
        grades += [judged[doc_id] for doc_id in doc_ids]
        n_found.append(len(doc_ids))
        n_retrieved.append(len(scores_by_id))
    grade = np.array(grades, dtype=np.int64)
    return _ranks(n_found, np.concatenate(ranks), grade), np.array(n_retrieved)


def _judged(qrels: Qrels) -> Ranks:
    """All judged documents, those of each query by grade, highest first."""
    grade = np.array([grade for judged in qrels.values() for grade in judged.values()], dtype=np.int64)
    return _ranks([len(judged) for judged in qrels.values()], -grade, grade).closed_up()


def _ranks(n_documents: list[int], rank: np.ndarray, grade: np.ndarray) -> Ranks:
    """Sorted by query, then by rank; the query's number is repeated for each of its documents."""
    query = np.repeat(np.arange(len(n_documents)), n_documents)
    order = np.lexsort((rank, query))
    return Ranks(query[order], rank[order], grade[order], len(n_documents))


# The metrics: an array with a value per query, in the order of the qrels, 0 where nothing is relevant.


def precision(judged: JudgedRanks, k: int) -> np.ndarray:
    """Relevant documents down to rank k, divided by k, or by what was retrieved where that is less."""
    divisor = k if judged.conventions.precision == "k" else np.minimum(k, judged.n_retrieved)
    return _divided(judged.relevant.top(k).per_query(), divisor)


def recall(judged: JudgedRanks, k: int) -> np.ndarray:
    """Relevant documents down to rank k, divided by all relevant ones."""
    return _divided(judged.relevant.top(k).per_query(), judged.n_relevant)


def hit(judged: JudgedRanks, k: int) -> np.ndarray:
    """1 where a relevant document stands at rank k or above."""
    return (judged.relevant.top(k).per_query() > 0).astype(float)


def reciprocal_rank(judged: JudgedRanks, k: int | None) -> np.ndarray:
    """1 / rank of the first relevant document, if it stands at rank k or above."""
    first = judged.relevant.top(k)
    first = first.where(first.positions() == 1)
    return first.per_query(1 / first.rank)


def average_precision(judged: JudgedRanks, k: int | None) -> np.ndarray:
    """The precision at each relevant document down to rank k, summed, and divided by all relevant ones."""
    relevant = judged.relevant.top(k)
    # At the rank of the third relevant document three are found: its position among them is the number found.
    return _divided(relevant.per_query(relevant.positions() / relevant.rank), judged.n_relevant)


def ndcg(judged: JudgedRanks, k: int | None) -> np.ndarray:
    """The sum of gain / log2(rank + 1) down to rank k, divided by that of the ideal ranking."""

    def dcg(documents: Ranks) -> np.ndarray:
        gain = documents.grade if judged.conventions.gain == "linear" else 2.0**documents.grade - 1
        return documents.per_query(gain / np.log2(documents.rank + 1))

    return _divided(dcg(judged.relevant.top(k)), dcg(judged.ideal.top(k)))


def r_precision(judged: JudgedRanks, k: None = None) -> np.ndarray:
    """Relevant documents down to rank R, divided by R, the number of relevant ones."""
    relevant = judged.relevant
    # R differs from query to query, so each document is held to the R of its own.
    within = relevant.where(relevant.rank <= judged.n_relevant[relevant.query])
    return _divided(within.per_query(), judged.n_relevant)


def bpref(judged: JudgedRanks, k: None = None) -> np.ndarray:
    """1 - min(n, R) / min(N, R) at each relevant document, n of the N of grade 0 above it; the sum / R."""
    # A negative grade is passed over, like an unjudged document.
    counted = judged.found.where(judged.found.grade >= 0)
    is_relevant = counted.grade > 0
    # Of a query's first n counted documents m are relevant, so n - m are of grade 0.
    relevant = counted.where(is_relevant)
    above = counted.positions()[is_relevant] - relevant.positions()
    n_relevant, n_grade_0 = judged.n_relevant[relevant.query], judged.n_grade_0[relevant.query]
    lost = _divided(np.minimum(above, n_relevant), np.minimum(n_grade_0, n_relevant))
    return _divided(relevant.per_query(1 - lost), judged.n_relevant)


def judged_share(judged: JudgedRanks, k: int) -> np.ndarray:
    """Judged documents down to rank k, divided by the documents that were retrieved down to there."""
    return _divided(judged.found.top(k).per_query(), np.minimum(k, judged.n_retrieved))


def _divided(part: np.ndarray, whole: np.ndarray | int) -> np.ndarray:
    """part / whole, and 0 where the whole is 0."""
    whole = np.broadcast_to(whole, part.shape)
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


@dataclass(frozen=True)
class Metric:
    """What is known of a metric beside its definition.

    `function` takes `JudgedRanks` and k, and gives an array with a value per query. `cut_off` says whether
    `@k` follows the name: "needed" (P@10), "optional" (nDCG or nDCG@10) or "never" (bpref). `meaning` says in
    a report what the mean is. `aliases` are other tools' names, by which ours is suggested. `graded` says
    whether the grade of a relevant document matters.
    """

    name: str
    function: Callable[[JudgedRanks, int | None], np.ndarray]
    cut_off: str
    meaning: str
    aliases: tuple[str, ...] = ()
    graded: bool = False


# fmt: off
_METRICS = [
    Metric("nDCG", ndcg, "optional", "gain of the ranking against the best possible one, mean over queries",
           aliases=("ndcg_cut",), graded=True),
    Metric("Recall", recall, "needed", "share of the relevant documents that were found, mean over queries",
           aliases=("r",)),
    Metric("P", precision, "needed", "share of the places that hold a relevant document, mean over queries",
           aliases=("precision",)),
    Metric("Judged", judged_share, "needed",
           "share of the retrieved documents that were judged, mean over queries"),
    Metric("Hit", hit, "needed", "share of queries with at least one relevant document",
           aliases=("success",)),
    Metric("MAP", average_precision, "optional", "average precision, mean over queries", aliases=("ap",)),
    Metric("MRR", reciprocal_rank, "optional", "1 / rank of the first relevant document, mean over queries",
           aliases=("recip_rank", "rr")),
    Metric("Rprec", r_precision, "never",
           "precision at as many places as there are relevant documents, mean over queries"),
    Metric("bpref", bpref, "never",
           "how few documents judged not relevant stand above the relevant ones, mean over queries"),
]
# fmt: on
METRICS: dict[str, Metric] = {metric.name: metric for metric in _METRICS}
"""Every metric by its usual name."""


def find_metric(name: str) -> tuple[Metric, int | None]:
    """The metric that a name stands for, and its cut-off k, None for the whole ranking.

    Raises ValueError, with the names there are and the nearest of them, for any other, and for what is no
    text, as a measure of another package.

    >>> metric, k = find_metric("nDCG@10")
    >>> metric.name, metric.graded, k
    ('nDCG', True, 10)
    >>> find_metric("success@5")
    Traceback (most recent call last):
    ValueError: there is no metric 'success@5'; did you mean 'Hit@5'? k is a rank from 1 up; names: ...
    """
    if not isinstance(name, str):
        given = f"there is no metric {name!r:.60}: it is of type {type(name).__name__}"
        raise ValueError(f"{given}; needed a name as text, {_named_otherwise(name)!r}")
    base, at, k = name.partition("@")
    is_rank = k.isascii() and k.isdigit() and not k.startswith("0") and len(k) < 10
    shown = k if is_rank else "10"
    # The names of all metrics, with the k that was asked for, where it is one.
    known = [f"{metric.name}@{shown}" for metric in METRICS.values() if metric.cut_off != "never"]
    known += [metric.name for metric in METRICS.values() if metric.cut_off != "needed"]
    if name in known and is_rank == bool(at):
        return METRICS[base], int(k) if at else None
    ours = {alias: metric.name for metric in METRICS.values() for alias in metric.aliases}
    asked = f"{ours.get(base.lower(), base)}{at}{shown if at else ''}".lower()
    lower = {one.lower(): one for one in known}
    near = difflib.get_close_matches(asked, lower, n=1, cutoff=0.3)
    guess = f"did you mean {lower[near[0]]!r}? " if near else ""
    raise ValueError(f"there is no metric {name!r}; {guess}k is a rank from 1 up; names: {', '.join(known)}")


def _named_otherwise(measure: object) -> str:
    """The name that a measure of another package prints, where it is one of ours, else one of ours."""
    try:
        find_metric(str(measure))
    except ValueError:
        return "nDCG@10"
    return str(measure)
