"""Retrieval metrics, one small function each, for one query at a time.

A function takes `retrieved`, the doc_ids of one ranking, best first, and `relevant`: either the relevant doc_ids or
`{doc_id: grade}`. A grade of 1 or more is relevant; 0 and below is judged and not relevant; a document without a grade
is unjudged and counts as not relevant. Ranks start at 1. The conventions are trec_eval's: linear gain, P@k divides by k,
equal scores by doc_id down (`ranking`). Joining runs with judgments and means over queries live in `evaluation`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2
from numbers import Integral, Real

import numpy as np

Relevant = Mapping[str, int] | Collection[str]


def precision_at_k(retrieved: Sequence[str], relevant: Relevant, k: int) -> float:
    """The share of the first k ranks that hold a relevant document. Empty ranks count: the divisor is always k.

    >>> precision_at_k(["d1", "d2"], {"d1"}, k=5)
    0.2
    """
    return sum(grade > 0 for grade in _gains(retrieved, relevant, k)) / k


def recall_at_k(retrieved: Sequence[str], relevant: Relevant, k: int) -> float:
    """The share of the relevant documents that stand in the first k ranks; 0 where nothing is relevant.

    >>> recall_at_k(["d1", "d2", "d3"], {"d1", "d3", "d9"}, k=2)
    0.3333333333333333
    """
    n_relevant = len(_ideal_gains(relevant))
    return sum(grade > 0 for grade in _gains(retrieved, relevant, k)) / n_relevant if n_relevant else 0.0


def reciprocal_rank(retrieved_doc_ids: Sequence[str], relevant_doc_ids: Relevant) -> float:
    """1 / rank of the first relevant document; 0 where there is none.

    >>> reciprocal_rank(["d1", "d2", "d3"], {"d2", "d3"})
    0.5
    """
    for rank, grade in enumerate(_gains(retrieved_doc_ids, relevant_doc_ids), start=1):
        if grade > 0:
            return 1 / rank
    return 0.0


def average_precision(retrieved: Sequence[str], relevant: Relevant) -> float:
    """The precision at the rank of each relevant document, averaged over all relevant documents, found or not.

    >>> average_precision(["d1", "d2", "d3"], {"d1", "d3"})  # (1/1 + 2/3) / 2
    0.8333333333333333
    """
    n_relevant, found, total = len(_ideal_gains(relevant)), 0, 0.0
    for rank, grade in enumerate(_gains(retrieved, relevant), start=1):
        if grade > 0:
            found += 1
            total += found / rank
    return total / n_relevant if n_relevant else 0.0


def dcg_at_k(retrieved: Sequence[str], relevant: Relevant, k: int = 10) -> float:
    """Discounted cumulative gain: the sum of grade / log2(rank + 1) over the first k ranks.

    Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002; the discount is the one of
    Burges et al., 2005, which trec_eval uses.

    >>> dcg_at_k(["d1", "d2", "d3"], {"d1": 3, "d3": 2})  # 3 / log2(2) + 2 / log2(4)
    4.0
    """
    return _discounted(_gains(retrieved, relevant, k))


def ndcg_at_k(retrieved: Sequence[str], relevant: Relevant, k: int = 10) -> float:
    """DCG divided by the DCG of the best possible ranking of all judged documents; 0 where nothing is relevant.

    >>> round(ndcg_at_k(["d1", "d2", "d3"], {"d1": 3, "d3": 2, "d9": 1}, k=3), 3)
    0.84
    """
    dcg = dcg_at_k(retrieved, relevant, k)
    ideal = _discounted(_ideal_gains(relevant)[:k])
    return dcg / ideal if ideal else 0.0


def judged_at_k(retrieved: Sequence[str], relevant: Relevant, k: int) -> float:
    """The share of the retrieved documents in the first k ranks that anybody has judged; 0 where nothing was retrieved.

    Far below 1, the other metrics say more about the judgments than about the ranking.

    >>> judged_at_k(["d1", "d2", "d3", "d4"], {"d1": 2, "d2": 0}, k=4)
    0.5
    """
    top = retrieved[: check_k(k)]
    return sum(doc_id in relevant for doc_id in top) / len(top) if top else 0.0


def ranking(query_id: str, results: Iterable[tuple[str, float]] | Mapping[str, float]) -> list[str]:
    """The doc_ids of one query's results in trec_eval's order: score down, equal scores by doc_id down.

    >>> ranking("q1", {"d1": 1.0, "d3": 2.0, "d2": 1.0})
    ['d3', 'd2', 'd1']
    """
    pairs = list(results.items() if isinstance(results, Mapping) else results)
    if not pairs:
        return []
    doc_ids = [doc_id for doc_id, _ in pairs]
    scores = _scores(query_id, pairs)
    if not isinstance(results, Mapping) and (scores[1:] > scores[:-1]).any():
        rank = int(np.argmax(scores[1:] > scores[:-1])) + 2
        raise ValueError(
            f"run, query {query_id!r}: the list is not sorted, rank {rank} ({doc_ids[rank - 1]!r}) scores "
            f"{pairs[rank - 1][1]} and rank {rank - 1} only {pairs[rank - 2][1]}; sort it by score, highest first"
        )
    for rank, doc_id in enumerate(doc_ids, start=1):
        check_id(doc_id, f"run, query {query_id!r}, rank {rank}: doc_id")
    # Two stable sorts: the last one decides, the first one breaks its ties.
    order = sorted(range(len(pairs)), key=doc_ids.__getitem__, reverse=True)
    order.sort(key=scores.tolist().__getitem__, reverse=True)
    ranked = [doc_ids[i] for i in order]
    if len(set(ranked)) < len(ranked):
        raise ValueError(_repeated(query_id, doc_ids))
    return ranked


def check_id(value: object, what: str) -> None:
    """Raises ValueError unless an id is text: the number 1 and the text "1" never match each other.

    >>> check_id(31715818, "qrels, query '1': doc_id")
    Traceback (most recent call last):
    ValueError: qrels, query '1': doc_id 31715818 is of type int; ids are text, use str()
    """
    if not isinstance(value, str):
        raise ValueError(f"{what} {value!r} is of type {type(value).__name__}; ids are text, use str()")


def check_k(k: int) -> int:
    """The cut-off k as it was given. Raises ValueError unless it is a whole number, 1 or more.

    >>> check_k(0)
    Traceback (most recent call last):
    ValueError: k is 0; a cut-off is a rank, a whole number from 1 up
    """
    if not isinstance(k, Integral) or isinstance(k, bool) or k < 1:
        raise ValueError(f"k is {k!r}; a cut-off is a rank, a whole number from 1 up")
    return k


def _gains(retrieved: Sequence[str], relevant: Relevant, k: int | None = None) -> list[int]:
    """The grade at each of the first k ranks, with 0 for an unjudged document and for a negative grade."""
    if k is not None:
        check_k(k)
    if not isinstance(relevant, Collection):
        raise ValueError(f"relevant is a {type(relevant).__name__}; give a set or list of doc_ids, or a dict of grades")
    if len(set(retrieved)) < len(retrieved):
        twice = next(doc_id for rank, doc_id in enumerate(retrieved) if doc_id in retrieved[:rank])
        raise ValueError(
            f"document {twice!r} stands twice in one ranking; keep its best rank only "
            "(chunk hits must be folded to documents first)"
        )
    if isinstance(relevant, Mapping):
        return [max(relevant.get(doc_id, 0), 0) for doc_id in retrieved[:k]]
    return [int(doc_id in relevant) for doc_id in retrieved[:k]]


def _ideal_gains(relevant: Relevant) -> list[int]:
    """The grades of all relevant documents, highest first."""
    grades = relevant.values() if isinstance(relevant, Mapping) else [1] * len(set(relevant))
    return sorted((grade for grade in grades if grade > 0), reverse=True)


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _scores(query_id: str, pairs: list[tuple[str, float]]) -> np.ndarray:
    for rank, (doc_id, score) in enumerate(pairs, start=1):
        if not isinstance(score, Real):
            raise ValueError(f"run, query {query_id!r}, rank {rank} ({doc_id!r}): score {score!r} is not a number")
    with np.errstate(over="ignore"):  # beyond 32 bits is infinite, as in trec_eval
        scores = np.array([float(score) for _, score in pairs]).astype(np.float32)
    if np.isnan(scores).any():
        rank = int(np.argmax(np.isnan(scores))) + 1
        raise ValueError(f"run, query {query_id!r}, rank {rank} ({pairs[rank - 1][0]!r}): the score is NaN")
    return scores


def _repeated(query_id: str, doc_ids: list[str]) -> str:
    ranks: dict[str, int] = {}
    for rank, doc_id in enumerate(doc_ids, start=1):
        if doc_id in ranks:
            return (
                f"run, query {query_id!r}: document {doc_id!r} stands at rank {ranks[doc_id]} and again at rank {rank}; "
                "keep the best one (chunk hits must be folded to documents first)"
            )
        ranks[doc_id] = rank
    raise AssertionError("called without a repeated document")
