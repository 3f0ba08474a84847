"""From one query's results to a ranking: what is refused, which order equal scores get, at which rank a document stands.

Results are `[(doc_id, score), ...]` best first, `{doc_id: score}`, or two NumPy arrays `(doc_ids, scores)`. Metrics are
computed from what this gives: in `metrics` for one ranking, in `judged_ranks` for all queries at once.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from helpers.conventions import TREC, Conventions

Results = Iterable[tuple[str, float]] | Mapping[str, float] | tuple[np.ndarray, np.ndarray]


def ranking(query_id: str, results: Results, conventions: Conventions = TREC) -> list[str]:
    """The doc_ids of one query's results, best first: score down, equal scores as the conventions have it.

    trec_eval's rule, the default, is doc_id down, as text, with scores compared as 32-bit floats. Raises ValueError for
    a list that is not sorted, a score that is not a number, an id that is not text and a document that stands twice.

    >>> ranking("q1", {"d1": 1.0, "d3": 2.0, "d2": 1.0})
    ['d3', 'd2', 'd1']
    >>> ranking("q1", {"d1": 1.0, "d3": 2.0, "d2": 1.0}, Conventions(ties="as given"))
    ['d3', 'd1', 'd2']
    """
    scores_by_id = as_scores(query_id, results, conventions)
    check_ids(scores_by_id, f"run, query {query_id!r}: doc_id")
    doc_ids, scores = list(scores_by_id), _scores(query_id, scores_by_id, conventions).tolist()
    order = list(range(len(doc_ids)))
    # Two stable sorts: the last one decides, the first one breaks its ties.
    if conventions.ties == "doc_id down":
        order.sort(key=doc_ids.__getitem__, reverse=True)
    order.sort(key=scores.__getitem__, reverse=True)
    return [doc_ids[i] for i in order]


def ranks_of(
    wanted: Iterable[str], query_id: str, scores_by_id: Mapping[str, float], conventions: Conventions
) -> tuple[list[str], np.ndarray]:
    """Which of the `wanted` doc_ids were retrieved, and the rank of each, from 1. Same order and errors as `ranking`.

    Nothing but the wanted documents is looked at one by one: a rank is 1 + the number of scores above one's own.
    """
    found = [doc_id for doc_id in wanted if doc_id in scores_by_id]
    scores = _scores(query_id, scores_by_id, conventions)
    ascending = np.sort(scores)
    own = _as_compared(array("d", [scores_by_id[doc_id] for doc_id in found]), conventions)
    above = len(scores) - ascending.searchsorted(own, side="right")
    tied = len(scores) - ascending.searchsorted(own, side="left") - above
    if tied.size and tied.max() > 1:
        above += _places_among_equals(found, own, tied, list(scores_by_id), scores, conventions)
    return found, above + 1


def as_scores(query_id: str, results: Results, conventions: Conventions = TREC) -> Mapping[str, float]:
    """`{doc_id: score}` of one query's results in any of their forms, in the order given."""
    if isinstance(results, Mapping):
        return results
    if isinstance(results, tuple) and len(results) == 2 and all(isinstance(part, np.ndarray) for part in results):
        if results[0].shape != results[1].shape or results[0].ndim != 1:
            shapes = f"{results[0].shape} and {results[1].shape}"
            raise ValueError(f"run, query {query_id!r}: doc_ids and scores have the shapes {shapes}; give two of one length")
        pairs = list(zip(results[0].tolist(), results[1].tolist(), strict=True))
    else:
        pairs = _pairs(query_id, results)
    _check_sorted(query_id, pairs, conventions)
    try:
        scores_by_id = dict(pairs)
    except TypeError:  # an id that cannot even be a key
        check_ids((doc_id for doc_id, _ in pairs), f"run, query {query_id!r}: doc_id")
        raise
    if len(scores_by_id) == len(pairs):
        return scores_by_id
    if conventions.duplicates == "error":
        raise ValueError(_repeated(query_id, [doc_id for doc_id, _ in pairs]))
    best: dict[str, float] = {}
    for doc_id, score in pairs:
        best.setdefault(doc_id, score)
    return best


def check_ids(ids: Iterable[object], what: str) -> None:
    """Raises ValueError unless every id is text: the number 1 and the text "1" never match each other.

    >>> check_ids(["7", 31715818], "qrels, query '1': doc_id")
    Traceback (most recent call last):
    ValueError: qrels, query '1': doc_id 31715818 is of type int; ids are text, use str()
    """
    values = list(ids)
    try:
        "".join(values)  # fails at the first that is not text, and is much faster than asking each
        return
    except TypeError:
        pass
    for value in values:
        if not isinstance(value, str):
            raise ValueError(f"{what} {value!r} is of type {type(value).__name__}; ids are text, use str()")


def _scores(query_id: str, scores_by_id: Mapping[str, float], conventions: Conventions) -> np.ndarray:
    """The scores as they are compared. Raises ValueError for one that is not a number."""
    try:
        scores = _as_compared(array("d", list(scores_by_id.values())), conventions)
    except (TypeError, ValueError, OverflowError):
        scores = None
    if scores is None or np.isnan(scores).any():
        for rank, (doc_id, score) in enumerate(scores_by_id.items(), start=1):
            _check_score(query_id, rank, doc_id, score)
    return scores


def _as_compared(scores: array, conventions: Conventions) -> np.ndarray:
    doubles = np.frombuffer(scores) if scores else np.empty(0)
    if conventions.ties == "as given":
        return doubles
    with np.errstate(over="ignore"):  # beyond 32 bits is infinite, as in trec_eval
        return doubles.astype(np.float32)


def _places_among_equals(
    found: list[str], own: np.ndarray, tied: np.ndarray, doc_ids: list[str], scores: np.ndarray, conventions: Conventions
) -> np.ndarray:
    """How many documents of equal score stand above each of the found ones."""
    places: dict[float, dict[str, int]] = {}
    offsets = np.zeros(len(found), dtype=np.int64)
    for i in np.flatnonzero(tied > 1).tolist():
        score = float(own[i])
        if score not in places:
            equals = [doc_ids[j] for j in np.flatnonzero(scores == own[i]).tolist()]
            if conventions.ties == "doc_id down":
                check_ids(equals, "run: doc_id")
                equals.sort(reverse=True)
            places[score] = {doc_id: place for place, doc_id in enumerate(equals)}
        offsets[i] = places[score][found[i]]
    return offsets


def _pairs(query_id: str, results: Iterable) -> list[tuple[str, float]]:
    if isinstance(results, str) or not isinstance(results, Iterable):
        raise ValueError(f"run, query {query_id!r}: {results!r} is no list of (doc_id, score) pairs and no dict")
    pairs = list(results)
    if set(map(type, pairs)) - {tuple, list} or set(map(len, pairs)) - {2}:
        for rank, pair in enumerate(pairs, start=1):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise ValueError(f"run, query {query_id!r}, rank {rank}: {pair!r} is no (doc_id, score) pair")
    return pairs


def _check_sorted(query_id: str, pairs: Sequence[tuple[str, float]], conventions: Conventions) -> None:
    try:
        scores = _as_compared(array("d", [score for _, score in pairs]), conventions)
    except (TypeError, ValueError, OverflowError):
        scores = np.array([np.nan])
    if np.isnan(scores).any():
        for rank, (doc_id, score) in enumerate(pairs, start=1):
            _check_score(query_id, rank, doc_id, score)
    rises = scores[1:] > scores[:-1]
    if rises.any():
        rank = int(np.argmax(rises)) + 2
        raise ValueError(
            f"run, query {query_id!r}: the list is not sorted, rank {rank} ({pairs[rank - 1][0]!r}) scores "
            f"{pairs[rank - 1][1]} and rank {rank - 1} only {pairs[rank - 2][1]}; sort it by score, highest first"
        )


def _check_score(query_id: str, rank: int, doc_id: str, score: object) -> None:
    where = f"run, query {query_id!r}, entry {rank} ({doc_id!r})"
    try:
        (number,) = array("d", [score])
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{where}: score {score!r} is not a number") from None
    if number != number:
        raise ValueError(f"{where}: the score is NaN")


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
