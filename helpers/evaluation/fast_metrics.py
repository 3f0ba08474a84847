"""Every metric for all queries at once, from the ranks of the judged documents alone: what makes big runs fast.

A metric needs the ranks of the judged documents and no others. They are few, so they are collected into three flat arrays,
and each metric is a sum over them. The same metrics as definitions, for one ranking and made to be read, are in
`metrics`; tests hold the two to each other, and both to trec_eval.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np

from helpers.base import check_ids
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
        return Ranks(self.query, self.places(), self.grade, self.n_queries)

    def places(self) -> np.ndarray:
        """For each document its place among those of its query, from 1."""
        first = np.searchsorted(self.query, np.arange(self.n_queries))
        return np.arange(len(self.query)) - first[self.query] + 1

    def per_query(self, values: np.ndarray | None = None) -> np.ndarray:
        """The number of documents of each query, or the sum of their `values`."""
        return np.bincount(self.query, values, minlength=self.n_queries)


@dataclass(frozen=True)
class JudgedRanks:
    """All that a metric needs of a run and its judgments.

    `found` are the judged documents that were retrieved, `relevant` those of grade 1 or more among them, `ideal` all
    relevant documents as the best ranking has them. `n_retrieved`, `n_relevant` and `n_grade_0` count per query.
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

    Raises the errors of `rankings.as_scores`, and for an id that is not text where it could stand for a judged document.
    """
    found, n_retrieved = _look_up(run, qrels, conventions)
    if conventions.unjudged == "condensed":
        found, n_retrieved = found.closed_up(), found.per_query()
    judged = _judged(qrels)
    ideal = judged.where(judged.grade > 0).closed_up()
    n_grade_0 = judged.where(judged.grade == 0).per_query()
    return JudgedRanks(
        found, found.where(found.grade > 0), ideal, n_retrieved, ideal.per_query(), n_grade_0, conventions
    )


def _look_up(run: Mapping, qrels: Qrels, conventions: Conventions) -> tuple[Ranks, np.ndarray]:
    ranks, grades, n_found, n_retrieved = [np.empty(0, np.int64)], [], [], []
    for query_id, judged in qrels.items():
        scores_by_id = as_scores(query_id, run.get(query_id, ()), conventions)
        doc_ids, found_at = ranks_of(judged, query_id, scores_by_id, conventions)
        # A number that should have been text hides a judged document: where all are found there is none. The first id is
        # looked at in any case, so that the error names the run where nothing fits.
        check_ids(
            scores_by_id if len(doc_ids) < len(judged) else islice(scores_by_id, 1),
            f"run, query {query_id!r}: doc_id",
        )
        ranks.append(found_at)
        grades += [judged[doc_id] for doc_id in doc_ids]
        n_found.append(len(doc_ids))
        n_retrieved.append(len(scores_by_id))
    numbers, rank, grade = (
        np.repeat(np.arange(len(qrels)), n_found),
        np.concatenate(ranks),
        np.array(grades, dtype=np.int64),
    )
    order = np.lexsort((rank, numbers))
    return Ranks(numbers[order], rank[order], grade[order], len(qrels)), np.array(n_retrieved)


def _judged(qrels: Qrels) -> Ranks:
    """All judged documents, those of each query by grade, highest first."""
    numbers = np.repeat(np.arange(len(qrels)), [len(judged) for judged in qrels.values()])
    grade = np.array([grade for judged in qrels.values() for grade in judged.values()], dtype=np.int64)
    order = np.lexsort((-grade, numbers))
    return Ranks(numbers[order], np.arange(len(order)), grade[order], len(qrels)).closed_up()


# The metrics. Each gives an array with one value per query, in the order of the qrels, 0 where nothing is relevant.


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
    first = first.where(first.places() == 1)
    return first.per_query(1 / first.rank)


def average_precision(judged: JudgedRanks, k: int | None) -> np.ndarray:
    """At each relevant document down to rank k its place among them / its rank; the sum divided by all relevant ones."""
    relevant = judged.relevant.top(k)
    return _divided(relevant.per_query(relevant.places() / relevant.rank), judged.n_relevant)


def ndcg(judged: JudgedRanks, k: int | None) -> np.ndarray:
    """The sum of gain / log2(rank + 1) down to rank k, divided by that of the ideal ranking."""

    def dcg(documents: Ranks) -> np.ndarray:
        gain = documents.grade if judged.conventions.gain == "linear" else 2.0**documents.grade - 1
        return documents.per_query(gain / np.log2(documents.rank + 1))

    return _divided(dcg(judged.relevant.top(k)), dcg(judged.ideal.top(k)))


def r_precision(judged: JudgedRanks, k: None = None) -> np.ndarray:
    """Relevant documents down to rank R, divided by R, the number of relevant ones."""
    relevant = judged.relevant
    within = relevant.where(relevant.rank <= judged.n_relevant[relevant.query])
    return _divided(within.per_query(), judged.n_relevant)


def bpref(judged: JudgedRanks, k: None = None) -> np.ndarray:
    """1 - min(n, R) / min(N, R) at each relevant document with n of the N documents of grade 0 above it; the sum / R."""
    counted = judged.found.where(judged.found.grade >= 0)
    is_relevant = counted.grade > 0
    # In a query's first n judged documents of which m are relevant, n - m are of grade 0.
    relevant = counted.where(is_relevant)
    above = counted.places()[is_relevant] - relevant.places()
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


METRICS: dict[str, Callable] = {
    "nDCG": ndcg,
    "Recall": recall,
    "P": precision,
    "Judged": judged_share,
    "Hit": hit,
    "MAP": average_precision,
    "MRR": reciprocal_rank,
    "Rprec": r_precision,
    "bpref": bpref,
}
"""The metrics by their usual names, to which `@k` is added; each takes `JudgedRanks` and k, and gives an array of values."""

ONLY_WITH_K = ("Recall", "P", "Judged", "Hit")
ONLY_WITHOUT_K = ("Rprec", "bpref")
