"""Retrieval metrics as definitions: one small function each, for one query at a time, written to be read.

A function takes `retrieved`, the doc_ids of one ranking, best first, and `relevant`: either the relevant
doc_ids or `{doc_id: grade}`. A grade of 1 or more is relevant; 0 and below is judged and not relevant; a
document without a grade is unjudged and counts as not relevant. Ranks start at 1. The defaults are
trec_eval's. Every function raises ValueError for a document that is listed twice, an id that is not text, and
a grade that is not a whole number.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from functools import partial
from math import log2

from helpers.base import (
    GRADES_BELOW,
    Relevant,
    as_grades,
    as_ranking,
    check_blanks,
    check_k,
    check_option,
    name_wrong_types,
)


def precision_at_k(retrieved: Sequence[str], relevant: Relevant, k: int, divisor: str = "k") -> float:
    """The share of the first k ranks that hold a relevant document.

    Empty ranks count: the divisor is k however short the ranking is, with `divisor="retrieved"` min(k,
    retrieved).

    >>> precision_at_k(["d1", "d2"], {"d1"}, k=5)
    0.2
    """
    check_option("divisor", divisor, ("k", "retrieved"))
    found = sum(grade > 0 for grade in _grades_by_rank(retrieved, relevant, check_k(k)))
    ranks = k if divisor == "k" else min(k, len(retrieved))
    return found / ranks if ranks else 0.0


def recall_at_k(retrieved: Sequence[str], relevant: Relevant, k: int) -> float:
    """The share of the relevant documents that are in the first k ranks; 0 where nothing is relevant.

    >>> recall_at_k(["d1", "d2", "d3"], {"d1", "d3", "d9"}, k=2)
    0.3333333333333333
    """
    n_relevant = len(_ideal_grades(relevant))
    found = sum(grade > 0 for grade in _grades_by_rank(retrieved, relevant, check_k(k)))
    return found / n_relevant if n_relevant else 0.0


def hit_at_k(retrieved: Sequence[str], relevant: Relevant, k: int) -> float:
    """1 where a relevant document is in the first k ranks, else 0 (success@k); its mean is the hit rate.

    >>> hit_at_k(["d1", "d2"], {"d2"}, k=1), hit_at_k(["d1", "d2"], {"d2"}, k=2)
    (0.0, 1.0)
    """
    return float(any(grade > 0 for grade in _grades_by_rank(retrieved, relevant, check_k(k))))


def reciprocal_rank(retrieved_doc_ids: Sequence[str], relevant_doc_ids: Relevant) -> float:
    """1 / rank of the first relevant document; 0 where there is none.

    >>> reciprocal_rank(["d1", "d2", "d3"], {"d2", "d3"})
    0.5
    """
    for rank, grade in enumerate(_grades_by_rank(retrieved_doc_ids, relevant_doc_ids), start=1):
        if grade > 0:
            return 1 / rank
    return 0.0


def average_precision(retrieved: Sequence[str], relevant: Relevant) -> float:
    """The precision at the rank of each relevant document, averaged over all relevant ones, found or not.

    >>> average_precision(["d1", "d2", "d3"], {"d1", "d3"})  # (1/1 + 2/3) / 2
    0.8333333333333333
    """
    n_relevant, found, total = len(_ideal_grades(relevant)), 0, 0.0
    for rank, grade in enumerate(_grades_by_rank(retrieved, relevant), start=1):
        if grade > 0:
            found += 1
            total += found / rank
    return total / n_relevant if n_relevant else 0.0


def dcg_at_k(retrieved: Sequence[str], relevant: Relevant, k: int = 10, gain: str = "linear") -> float:
    """Discounted cumulative gain: the sum of gain / log2(rank + 1) over the first k ranks.

    The gain of a document is its grade (`gain="linear"`; Järvelin and Kekäläinen, Cumulated gain-based
    evaluation of IR techniques, 2002) or 2^grade - 1 (`gain="exponential"`; Burges et al., Learning to rank
    using gradient descent, 2005). The discount is that of Burges et al., which trec_eval uses too; the older
    one leaves the first two ranks undiscounted.

    >>> dcg_at_k(["d1", "d2", "d3"], {"d1": 3, "d3": 2})  # 3 / log2(2) + 2 / log2(4)
    4.0
    """
    return _discounted(_grades_by_rank(retrieved, relevant, check_k(k)), gain)


def ndcg_at_k(retrieved: Sequence[str], relevant: Relevant, k: int = 10, gain: str = "linear") -> float:
    """DCG divided by the DCG of the best ranking of all judged documents; 0 where nothing is relevant.

    >>> round(ndcg_at_k(["d1", "d2", "d3"], {"d1": 3, "d3": 2, "d9": 1}, k=3), 3)
    0.84
    >>> round(ndcg_at_k(["d1", "d2", "d3"], {"d1": 3, "d3": 2, "d9": 1}, k=3, gain="exponential"), 3)
    0.905
    """
    dcg = dcg_at_k(retrieved, relevant, k, gain)
    ideal = _discounted(_ideal_grades(relevant)[:k], gain)
    return dcg / ideal if ideal else 0.0


def r_precision(retrieved: Sequence[str], relevant: Relevant) -> float:
    """Precision at rank R, where R is the number of relevant documents: there precision and recall are equal.

    >>> r_precision(["d1", "d2", "d3"], {"d1", "d3"})
    0.5
    """
    n_relevant = len(_ideal_grades(relevant))
    return precision_at_k(retrieved, relevant, n_relevant) if n_relevant else 0.0


def bpref(retrieved: Sequence[str], relevant: Mapping[str, int]) -> float:
    """How few documents judged not relevant are above the relevant ones; unjudged ones are passed over.

    With R relevant and N not relevant documents, a retrieved relevant one with n of the N above it
    contributes 1 - min(n, R) / min(N, R); the sum is divided by R. As in trec_eval only a grade of 0
    counts among the N, so that a negative grade is passed over like an unjudged document. Needs grades: a set
    of relevant documents has no N. The appendix of lesson 03 shows what it does with missing judgments.

    Source: Buckley and Voorhees, Retrieval evaluation with incomplete information, 2004, in trec_eval's form.

    >>> bpref(["d1", "unjudged", "d2", "d3"], {"d1": 0, "d2": 1, "d3": 1, "d4": 0})  # (1 - 1/2 + 1 - 1/2) / 2
    0.5
    """
    if not isinstance(relevant, Mapping):
        raise ValueError(f"bpref needs a dict of grades, with zeros; relevant is a {type(relevant).__name__}")
    grades = as_grades(relevant)
    n_relevant, n_not = len(_ideal_grades(relevant)), sum(grade == 0 for grade in grades.values())
    above, total = 0, 0.0
    for grade in (grades[doc_id] for doc_id in as_ranking(retrieved) if doc_id in grades):
        if grade == 0:
            above += 1
        elif grade > 0:
            total += 1 - (min(above, n_relevant) / min(n_not, n_relevant) if above else 0)
    return total / n_relevant if n_relevant else 0.0


def judged_at_k(retrieved: Sequence[str], relevant: Relevant, k: int) -> float:
    """The share of the documents in the first k ranks that anybody has judged; 0 where nothing was retrieved.

    Far below 1, the other metrics say more about the judgments than about the ranking.

    >>> judged_at_k(["d1", "d2", "d3", "d4"], {"d1": 2, "d2": 0}, k=4)
    0.5
    """
    top, grades = as_ranking(retrieved)[: check_k(k)], as_grades(relevant)
    return sum(doc_id in grades for doc_id in top) / len(top) if top else 0.0


def mrr(results: Iterable[Mapping]) -> float:
    """The mean reciprocal rank over queries; each result has `retrieved` and `relevant`. ValueError for none.

    >>> mrr([{"retrieved": ["d1", "d2"], "relevant": ["d2"]}, {"retrieved": ["d3"], "relevant": ["d3"]}])
    0.75
    """
    return _mean(reciprocal_rank, results)


def mean_ndcg_at_k(results: Iterable[Mapping], k: int = 10, gain: str = "linear") -> float:
    """The mean nDCG@k over queries; each result has `retrieved` and `relevant`. ValueError for none.

    >>> mean_ndcg_at_k([{"retrieved": ["d1"], "relevant": ["d1"]}, {"retrieved": [], "relevant": ["d3"]}])
    0.5
    """
    return _mean(partial(ndcg_at_k, k=k, gain=gain), results)


def _grades_by_rank(retrieved: Sequence[str], relevant: Relevant, k: int | None = None) -> list[int]:
    """The grade at each of the first k ranks (None: of all), 0 for an unjudged document and for a negative
    grade."""
    ranking, grades = as_ranking(retrieved), as_grades(relevant)
    check_blanks(grades, dict.fromkeys(ranking), "document", ("relevant", "retrieved"))
    return [max(grades.get(doc_id, 0), 0) for doc_id in ranking[:k]]


def _ideal_grades(relevant: Relevant) -> list[int]:
    """The grades of all relevant documents, highest first."""
    return sorted((grade for grade in as_grades(relevant).values() if grade > 0), reverse=True)


def _discounted(grades: Sequence[int], gain: str) -> float:
    check_option("gain", gain, GRADES_BELOW)
    highest, limit = max(grades, default=0), GRADES_BELOW[gain]
    if highest >= limit:
        raise ValueError(f"grade {highest} is out of range for {gain} gain; needed one below {limit:,}")
    gains = grades if gain == "linear" else [2.0**grade - 1 for grade in grades]
    return sum((gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1)), start=0.0)


def _mean(metric: Callable[[Sequence[str], Relevant], float], results: Iterable[Mapping]) -> float:
    if isinstance(results, (str, Mapping)) or not isinstance(results, Iterable):
        needed = "give a list of {'retrieved': ..., 'relevant': ...}"
        raise ValueError(f"results is a {type(results).__name__}; {needed}")
    if hasattr(results, "columns"):
        cure = "give its rows, one a query: .to_dict('records')"
        raise ValueError(f"results is a {type(results).__name__}; {cure}")
    values = []
    for number, result in enumerate(results, start=1):
        if not isinstance(result, Mapping) or not {"retrieved", "relevant"} <= result.keys():
            raise ValueError(f"result {number} is {result!r}; it needs 'retrieved' and 'relevant'")
        values.append(metric(*_as_one(number, result)))
    if not values:
        again = "" if isinstance(results, Sized) else "; can it be read only once, and was it read before?"
        raise ValueError(f"no query at all: a mean needs at least one{again}")
    return sum(values) / len(values)


def _as_one(number: int, result: Mapping) -> tuple[list[str], dict[str, int]]:
    """Ranking and grades of one result. Raises ValueError, with its number, for what is none."""
    try:
        return as_ranking(result["retrieved"]), as_grades(result["relevant"])
    except ValueError as error:
        raise ValueError(f"result {number}: {error}") from None


name_wrong_types(globals())
