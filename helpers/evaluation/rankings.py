"""From one query's results to a ranking: which results are refused, and in which order equal scores stand.

Ties are broken in `ranking`, for a whole list, and in `_tied_above`, for the few documents that `ranks_of`
looks up. Results are `[(doc_id, score), ...]` best first, `{doc_id: score}`, or two arrays `(doc_ids,
scores)` best first.
"""

import inspect
import re
from array import array
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence, Set
from numbers import Real
from reprlib import repr as shortened

import numpy as np

from helpers.base import check_ids, check_k, check_type, warn
from helpers.evaluation.conventions import TREC, Conventions
from helpers.records import Run

Results = Iterable[tuple[str, float]] | Mapping[str, float] | tuple[np.ndarray, np.ndarray]


def ranking(query_id: str, results: Results, conventions: Conventions = TREC) -> list[str]:
    """The doc_ids of one query's results, best first: score down, equal scores as the conventions have it.

    trec_eval's rule, the default, is doc_id down, as text, with scores compared as 32-bit floats. Raises
    ValueError for a list that is not sorted, a score that is not a number, an id that is not text, a document
    that stands twice.

    >>> ranking("q1", {"d1": 1.0, "d3": 2.0, "d2": 1.0})
    ['d3', 'd2', 'd1']
    >>> ranking("q1", {"d1": 1.0, "d3": 2.0, "d2": 1.0}, Conventions(ties="as given"))
    ['d3', 'd1', 'd2']
    """
    check_type("query_id", query_id, str, "the order is ranking(query_id, results)")
    scores_by_id = as_scores(query_id, results, conventions)
    check_ids(scores_by_id, f"run, query {query_id!r}: doc_id")
    doc_ids = list(scores_by_id)
    scores = _compared(query_id, doc_ids, scores_by_id.values(), conventions).tolist()
    order = list(range(len(doc_ids)))
    # Two stable sorts: the last one decides, the first one breaks its ties.
    if conventions.ties == "doc_id down":
        order.sort(key=doc_ids.__getitem__, reverse=True)
    order.sort(key=scores.__getitem__, reverse=True)
    return [doc_ids[i] for i in order]


def without_own_ids(run: Run | Mapping[str, Results], k: int | None = None) -> Run:
    """The run without documents whose id is that of their query, k of the others at most, in their order.

    Where queries stand among the documents, as in ArguAna, each finds itself; BEIR and Anserini drop it
    before they evaluate. Search for k + 1 and keep k. Results may be of any form that `ranking` takes; what
    comes back are pairs, best first, those of a dict by score. Raises ValueError for a k that is no whole
    number from 1 up, for ids that are not text (of queries too: 1 is never "1"), and for results of another
    form, or that can be read only once and were read before. Warns where no query finds its own id and nearly
    all find first, and each for itself, an id that is a part of theirs, as "d1" for "test-d1".

    >>> without_own_ids({"d1": [("d1", 9.0), ("d2", 3.0)], "q2": [("d1", 1.0)]}, k=1)
    {'d1': [('d2', 3.0)], 'q2': [('d1', 1.0)]}
    """
    if k is not None:
        check_k(k)
    check_ids(run, "run: query_id")
    found = {query_id: _best_first(query_id, results) for query_id, results in read_once(run).items()}
    others = {query_id: [pair for pair in pairs if pair[0] != query_id] for query_id, pairs in found.items()}
    if all(len(pairs) == len(found[query_id]) for query_id, pairs in others.items()):
        _warn_of_parts({query_id: pairs[0][0] for query_id, pairs in others.items() if pairs})
    return {query_id: pairs[:k] for query_id, pairs in others.items()}


def _warn_of_parts(first: Mapping[str, str]) -> None:
    """Warns where nearly all queries find first a document of their own whose id is a part of theirs."""
    parts = [
        (query_id, doc_id)
        for query_id, doc_id in first.items()
        if re.search(rf"(?<![^\W_]){re.escape(doc_id)}(?![^\W_])", query_id)
    ]
    if len({doc_id for _, doc_id in parts}) >= max(5, 0.8 * len(first)):
        query_id, doc_id = parts[0]
        said = f"no query has found its own id, so nothing was left out, and {len(parts)} of {len(first)}"
        cure = "if that is the query itself, give the query the id of its document"
        warn(f"{said} have first an id that is a part of theirs, e.g. {doc_id!r} for {query_id!r}; {cure}")


def read_once(run: Mapping[str, Results]) -> Mapping[str, Results]:
    """The run with lists in the place of iterators, which can be gone through only once.

    Raises ValueError where none of the iterators holds anything: they were read before, and would count as a
    search that finds nothing.

    >>> read_once({"q1": zip(["d1"], [2.0]), "q2": {"d1": 1.0}})
    {'q1': [('d1', 2.0)], 'q2': {'d1': 1.0}}
    """
    once = {query_id: list(results) for query_id, results in run.items() if isinstance(results, Iterator)}
    if once and not any(once.values()):
        query_id = next(iter(once))
        said = f"run, query {query_id!r}: the {type(run[query_id]).__name__} holds nothing"
        others = f", and so in all {len(once)} queries that have such" if len(once) > 1 else ""
        raise ValueError(
            f"{said}{others}; it can be read only once: was it read before? Give list(...) of it"
        )
    return {**run, **once} if once else run


def _best_first(query_id: str, results: Results) -> list[tuple[str, float]]:
    """The results as pairs: a dict by score, equal ones as given, anything else in its order."""
    if not isinstance(results, Mapping):
        pairs = _pairs(query_id, results)
        check_ids((doc_id for doc_id, _ in pairs), f"run, query {query_id!r}: doc_id")
        return pairs
    order = ranking(query_id, results, Conventions(ties="as given"))
    return [(doc_id, results[doc_id]) for doc_id in order]


def ranks_of(
    wanted: Iterable[str], query_id: str, scores_by_id: Mapping[str, float], conventions: Conventions
) -> tuple[list[str], np.ndarray]:
    """Which of the `wanted` doc_ids were retrieved, and the rank of each, from 1, as `ranking` has it.

    Of the other ids only those of a score that a wanted one has too are checked to be text.
    """
    found = [doc_id for doc_id in wanted if doc_id in scores_by_id]
    # Only the scores are sorted: the wanted documents are few, and the ranks of the others are not asked for.
    scores = _compared(query_id, scores_by_id, scores_by_id.values(), conventions)
    ascending = np.sort(scores)
    # A rank is 1 + the number of scores above one's own, which a binary search finds.
    own = _as_compared([scores_by_id[doc_id] for doc_id in found], conventions)
    above = len(scores) - ascending.searchsorted(own, side="right")
    # Where several documents have that score, some of them stand above too.
    equal = len(scores) - ascending.searchsorted(own, side="left") - above
    if equal.size and equal.max() > 1:
        above += _tied_above(query_id, found, own, equal, list(scores_by_id), scores, conventions)
    return found, above + 1


def _tied_above(
    query_id: str,
    found: list[str],
    own: np.ndarray,
    equal: np.ndarray,
    doc_ids: list[str],
    scores: np.ndarray,
    conventions: Conventions,
) -> np.ndarray:
    """For each of the found documents, how many of the `equal` ones of its score stand above it."""
    # A stable sort leaves documents of equal score as neighbours, in the order given.
    order = np.argsort(scores, kind="stable")
    first = scores[order].searchsorted(own, side="left")
    positions: dict[float, dict[str, int]] = {}
    above = np.zeros(len(found), dtype=np.int64)
    for i in np.flatnonzero(equal > 1).tolist():
        score = float(own[i])
        # Documents of one score are put in order once, for all the found ones among them.
        if score not in positions:
            tied = [doc_ids[j] for j in order[first[i] : first[i] + equal[i]].tolist()]
            check_ids(tied, f"run, query {query_id!r}: doc_id")
            if conventions.ties == "doc_id down":
                tied.sort(reverse=True)
            positions[score] = {doc_id: position for position, doc_id in enumerate(tied)}
        above[i] = positions[score][found[i]]
    return above


def as_scores(query_id: str, results: Results, conventions: Conventions = TREC) -> Mapping[str, float]:
    """`{doc_id: score}` of one query's results, in the order given. A dict is given back as it is.

    Raises ValueError for a list that is not sorted, that holds an id which is not text, or a document twice.
    """
    if isinstance(results, Mapping):
        return results
    pairs = _pairs(query_id, results)
    doc_ids = [doc_id for doc_id, _ in pairs]
    _check_sorted(query_id, doc_ids, [score for _, score in pairs])
    check_ids(doc_ids, f"run, query {query_id!r}: doc_id")
    scores_by_id = dict(pairs)
    if len(scores_by_id) == len(pairs):
        return scores_by_id
    best: dict[str, float] = {}
    for rank, (doc_id, score) in enumerate(pairs, start=1):
        if doc_id in best and conventions.duplicates == "error":
            raise ValueError(
                f"run, query {query_id!r}: document {doc_id!r} stands at rank {list(best).index(doc_id) + 1} "
                f"and again at rank {rank}; keep the best one (chunk hits must be folded to documents first)"
            )
        best.setdefault(doc_id, score)
    return best


def _compared(
    query_id: str, doc_ids: Iterable[str], scores: Iterable[float], conventions: Conventions
) -> np.ndarray:
    """The scores as they are compared. Raises ValueError for one that is not a number."""
    scores = list(scores)
    try:
        compared = _as_compared(scores, conventions)
    except (TypeError, ValueError, OverflowError):
        compared = None
    if compared is None or np.isnan(compared).any():
        for rank, (doc_id, score) in enumerate(zip(doc_ids, scores, strict=True), start=1):
            _check_score(query_id, rank, doc_id, score)
    return compared


def _as_compared(scores: list[float], conventions: Conventions) -> np.ndarray:
    """The scores as doubles, or as 32-bit floats; what is beyond those is infinite, as in trec_eval."""
    kind = "d" if conventions.ties == "as given" else "f"
    return np.frombuffer(array(kind, scores), dtype=kind) if scores else np.empty(0, dtype=kind)


def _check_score(query_id: str, rank: int, doc_id: str, score: object) -> None:
    where = f"run, query {query_id!r}, entry {rank} ({doc_id!r})"
    if isinstance(score, Mapping) and "hits" in score:
        cure = "of Elasticsearch give [(hit['_id'], hit['_score']) for hit in answer['hits']['hits']]"
        raise ValueError(f"run, query {query_id!r}: a whole answer, where pairs were needed; {cure}")
    try:
        (number,) = array("d", [score])
    except (TypeError, ValueError, OverflowError) as error:
        fault = "too large for a number" if isinstance(error, OverflowError) else "not a number"
        raise ValueError(f"{where}: score {shortened(score)} is {fault}") from None
    if number != number:
        raise ValueError(f"{where}: the score is NaN")


def _pairs(query_id: str, results: Results) -> list[tuple[str, float]]:
    where = f"run, query {query_id!r}"
    if isinstance(results, tuple) and len(results) == 2 and all(hasattr(part, "tolist") for part in results):
        doc_ids, scores = results
        if np.shape(doc_ids) != np.shape(scores) or np.ndim(doc_ids) != 1:
            shapes = f"{np.shape(doc_ids)} and {np.shape(scores)}"
            raise ValueError(f"{where}: doc_ids and scores have the shapes {shapes}; give two of one length")
        return list(zip(doc_ids.tolist(), scores.tolist(), strict=True))
    if _are_columns(results):
        cure = "give list(zip(doc_ids, scores)), or both as NumPy arrays"
        raise ValueError(f"{where}: a list of ids and a list of scores, where pairs were needed; {cure}")
    if inspect.iscoroutine(results):
        raise ValueError(f"{where}: a coroutine, which was not waited for; give what `await` gives of it")
    if isinstance(results, str) or not isinstance(results, Iterable):
        raise ValueError(f"{where}: {shortened(results)} is no list of (doc_id, score) pairs and no dict")
    if hasattr(results, "to_numpy"):  # a loop over a table gives its columns, over a Series its scores
        cure = "list(zip(table['doc_id'], table['score']))" if hasattr(results, "columns") else "dict(series)"
        raise ValueError(
            f"{where}: a {type(results).__name__}, where pairs or a dict were needed; give {cure}"
        )
    if isinstance(results, Set) and not isinstance(results, ItemsView):
        kind = type(results).__name__
        raise ValueError(f"{where}: a {kind} has no order; give a list of pairs, best first, or a dict")
    pairs = list(results)
    # Asking pair by pair is slow, and is done only to name the one that is wrong.
    if set(map(type, pairs)) - {tuple, list} or set(map(len, pairs)) - {2}:
        for rank, pair in enumerate(pairs, start=1):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise ValueError(f"{where}, rank {rank}: {shortened(pair)} is no (doc_id, score) pair")
    return pairs


def _are_columns(results: object) -> bool:
    """Whether these are two lists, one of ids and one of as many scores, in place of pairs."""
    if not isinstance(results, (tuple, list)) or len(results) != 2:
        return False
    ids, scores = results
    lists = isinstance(ids, (tuple, list)) and isinstance(scores, (tuple, list)) and len(ids) == len(scores)
    return (
        lists
        and len(ids) > 0
        and all(isinstance(one, str) for one in ids)
        and all(isinstance(one, Real) for one in scores)
    )


def _check_sorted(query_id: str, doc_ids: Sequence[str], scores: Sequence[float]) -> None:
    """Scores are compared as 32-bit floats in any case: trec_eval's order is sorted no finer than that."""
    compared = _compared(query_id, doc_ids, scores, TREC)
    rises = np.flatnonzero(compared[1:] > compared[:-1])
    if rises.size:
        rank = rises[0] + 2
        cure = "sort it by score, highest first"
        if not (compared[1:] < compared[:-1]).any():
            cure = (
                f"if these are distances or ranks, give minus that as the score; if they are scores, {cure}"
            )
        raise ValueError(
            f"run, query {query_id!r}: the list is not sorted, rank {rank} ({doc_ids[rank - 1]!r}) scores "
            f"{scores[rank - 1]} and rank {rank - 1} only {scores[rank - 2]}; {cure}"
        )
