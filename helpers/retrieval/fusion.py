"""Fusion: several runs over the same queries become one, by ranks or by scores brought to one scale.

A score of BM25 and a cosine cannot be added: one runs from 0 to 30, the other from −1 to 1. So each list is
normalised first, in one of four ways, and then all four do the same: a weighted sum. They differ, too, in
what a document counts that one of the lists lacks.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from numbers import Real

import numpy as np
import pandas as pd

from helpers.base import check_ids, check_option, check_search, check_whole, counted, first_few, warn
from helpers.encoders import as_numbers
from helpers.evaluation import Results, as_scores, ranking, read_once, what_is_equal
from helpers.records import Queries, Retriever, Run
from helpers.retrieval.vectors import check_queries, check_query

METHODS = ("rrf", "min-max", "z", "tmm")
"""Reciprocal ranks, min–max, z-scores, theoretical minimum: how a list is normalised before it is added."""
SEVERAL = 5
"""In so many queries it is no accident that a part finds nothing."""
MOST_K = 1_000_000
"""Of "rrf": with a larger k neighbouring ranks would be equal in 32 bits."""
UNSEEN = {"rrf": "zero", "min-max": "zero", "z": "lowest", "tmm": "zero"}
"""By method, what a document counts that a list lacks: 0, or as much as the lowest of that list."""


def reciprocal_ranks(run: Run, k: float = 60) -> Run:
    """Each score becomes 1 / (k + rank), ranks from 1: only the order of the list counts.

    A larger k makes the first ranks more alike. Source: Cormack, Clarke and Büttcher, Reciprocal rank fusion
    outperforms Condorcet and individual rank learning methods, 2009, where k is 60.

    >>> reciprocal_ranks({"q1": [("d1", 17.0), ("d2", 3.0)]}, k=1)
    {'q1': [('d1', 0.5), ('d2', 0.3333333333333333)]}
    """
    if not _is_number(k) or not 0 <= k <= MOST_K:
        raise ValueError(f"k is {k!r}; needed a number from 0 to {MOST_K:,}, 60 in the paper")
    return _each_list(run, lambda scores: 1 / (k + np.arange(1, len(scores) + 1)))


def min_max(run: Run) -> Run:
    """Each list's best score becomes 1, its lowest 0, the others lie between; where all are equal, all are 1.

    The lowest of a list is as good as absent, and how low it is hangs on how long the list is. Source: Lee,
    Analyses of multiple evidence combination, 1997.

    >>> min_max({"q1": [("d1", 9.0), ("d2", 6.0), ("d3", 5.0)], "q2": [("d1", 2.0)]})
    {'q1': [('d1', 1.0), ('d2', 0.25), ('d3', 0.0)], 'q2': [('d1', 1.0)]}
    """

    def normalised(scores: np.ndarray) -> np.ndarray:
        low, high = scores.min(), scores.max()
        return (scores - low) / (high - low) if high > low else np.ones_like(scores)

    return _each_list(run, normalised)


def z_scores(run: Run) -> Run:
    """How many standard deviations a score lies above the mean of its list; where all are equal, all are 0.

    Mean and (population) standard deviation are of the list as it is given: another depth, other z-scores.
    Source: Montague and Aslam, Relevance score normalization for metasearch, 2001 (ZMUV).

    >>> z_scores({"q1": [("d1", 9.0), ("d2", 6.0), ("d3", 6.0), ("d4", 3.0)]})["q1"][0]
    ('d1', 1.4142135623730951)
    """

    def normalised(scores: np.ndarray) -> np.ndarray:
        spread = scores.std()
        return (scores - scores.mean()) / spread if scores.max() > scores.min() else np.zeros_like(scores)

    return _each_list(run, normalised)


def theoretical_minimum(run: Run, lowest: float) -> Run:
    """Min–max with the lowest score that the system could give in place of the lowest that the list has.

    0 for BM25, −1 for a cosine. So the end of a list does not move its beginning, and one weak match stays
    weak. Raises ValueError for a score below `lowest`, and one of these that is no finite number. Source:
    Bruch, Gai and Ingber, An analysis of fusion functions for hybrid retrieval, 2023 (TM2C2).

    >>> theoretical_minimum({"q1": [("d1", 0.5), ("d2", 0.2)]}, lowest=-1)
    {'q1': [('d1', 1.0), ('d2', 0.7999999999999999)]}
    """

    (lowest,) = check_numbers("lowest", [lowest], "a number, 0 for BM25, -1 for cosines")

    def normalised(scores: np.ndarray) -> np.ndarray:
        if scores.min() < lowest:
            found = f"a score of {scores.min():g} lies below the lowest possible one, {lowest:g}"
            raise ValueError(f"{found}; give 0 for BM25, -1 for cosines")
        high = scores.max()
        return (scores - lowest) / (high - lowest) if high > lowest else np.zeros_like(scores)

    return _each_list(run, normalised)


def weighted_sum(runs: Sequence[Run], weights: Sequence[float] | None = None, unseen: str = "zero") -> Run:
    """For each document of any list the sum of weight · score, best first, equal scores by doc_id down.

    `weights` has one for each run, by default all 1 / (number of runs). A document that a list lacks counts 0
    there, or with `unseen="lowest"` as much as the lowest of that list (0 where the list is empty). A run of
    weight 0 is left out, with the documents that it alone has. The sums are rounded to 32 bits. Scores of
    different kinds are not made alike here: normalise them first. Warns where two runs never have a document
    in common because one of them names chunks ("d2#0") or files ("d2.md") and the other does not.

    Raises ValueError for fewer than two runs, runs of different queries, another number of weights, or one
    below 0, and for a score that is no finite number in 32 bits.

    >>> weighted_sum([{"q1": [("d1", 1.0), ("d2", 0.5)]}, {"q1": [("d3", 1.0), ("d2", 0.5)]}], [0.25, 0.75])
    {'q1': [('d3', 0.75), ('d2', 0.5), ('d1', 0.25)]}
    """
    check_option("unseen", unseen, ("zero", "lowest"))
    weights = _checked_weights(weights, check_runs(runs))
    runs = [read_once(run) for run in runs]
    fused: Run = {}
    ids = {f"run {number}": set() for number in range(1, len(runs) + 1)}
    met = False
    for query_id in runs[0]:
        lists = [_checked_scores(query_id, run[query_id]) for run in runs]
        if not met:
            for seen, scores in zip(ids.values(), lists, strict=True):
                seen.update(scores)
            met = not any(one.keys().isdisjoint(other) for one, other in combinations(lists, 2))
        floors = [min(scores.values(), default=0.0) if unseen == "lowest" else 0.0 for scores in lists]
        parts = [part for part in zip(weights, lists, floors, strict=True) if part[0] > 0]
        # dict.fromkeys, not a set: the same order each time.
        doc_ids = list(dict.fromkeys(doc_id for _, scores, _ in parts for doc_id in scores))
        sums = [sum(w * scores.get(doc_id, floor) for w, scores, floor in parts) for doc_id in doc_ids]
        try:
            fused[query_id] = best_first(doc_ids, sums)
        except ValueError as error:
            raise ValueError(f"query {query_id!r}, the weighted sums: {error}") from None
    _warn_of_strangers(ids, surely=False)
    return fused


def reciprocal_rank_fusion(runs: Sequence[Run], k: float = 60) -> Run:
    """The sum of 1 / (k + rank) over the lists that have the document: no scores, no weights, no tuning.

    >>> bm25, dense = {"q1": [("d1", 17.0), ("d2", 3.0)]}, {"q1": [("d2", 0.8), ("d3", 0.7)]}
    >>> [doc_id for doc_id, score in reciprocal_rank_fusion([bm25, dense])["q1"]]
    ['d2', 'd1', 'd3']
    """
    return fuse(runs, "rrf", k=k)


def fuse(
    runs: Sequence[Run],
    method: str = "rrf",
    weights: Sequence[float] | None = None,
    k: float = 60,
    lowest: Sequence[float] | None = None,
) -> Run:
    """Runs over the same queries as one: each normalised by `method`, one of `METHODS`, then a weighted sum.

    Without `weights` each run counts 1 with "rrf", and else 1 / (number of runs). `k` is that of "rrf";
    `lowest` is for "tmm": the lowest score that each system could give, in the order of the runs. What a list
    lacks counts 0, but with "z" as its lowest. A weight found for one method is wrong for another. Warns of a
    run that is empty for each of five queries or more while another is not, and with "rrf" of scores that are
    all equal, whose ranks are those of the ids.

    Raises ValueError as its parts do, and for "tmm" without `lowest`.

    >>> bm25, dense = {"q1": [("d1", 17.0), ("d2", 3.0)]}, {"q1": [("d2", 0.8), ("d3", 0.7)]}
    >>> fuse([bm25, dense], "min-max", weights=[0.25, 0.75])
    {'q1': [('d2', 0.75), ('d1', 0.25), ('d3', 0.0)]}
    """
    check_runs(runs)
    warn_of_parts({f"run {number}": run for number, run in enumerate(runs, start=1)}, method)
    return _fused(runs, method, weights, k, lowest)


def _fused(
    runs: Sequence[Run],
    method: str,
    weights: Sequence[float] | None,
    k: float,
    lowest: Sequence[float] | None,
) -> Run:
    normalised = normalise(runs, method, k, lowest)
    if weights is None and method == "rrf":
        weights = [1.0] * len(runs)
    return weighted_sum(normalised, weights, UNSEEN[method])


def normalise(
    runs: Sequence[Run], method: str, k: float = 60, lowest: Sequence[float] | None = None
) -> list[Run]:
    """The runs with the scores that `fuse` would add, before their weights; the arguments are its own.

    >>> normalise([{"q1": [("d1", 17.0), ("d2", 3.0)]}], "min-max")
    [{'q1': [('d1', 1.0), ('d2', 0.0)]}]
    """
    check_option("method", method, METHODS)
    _check_list(runs)
    if method != "tmm":
        one = {"rrf": lambda run: reciprocal_ranks(run, k), "min-max": min_max, "z": z_scores}[method]
        return [_numbered(number, one, run) for number, run in enumerate(runs, start=1)]
    needed = f"the lowest score that each of the {counted(len(runs), 'system')} could give (method 'tmm')"
    needed = f"{needed}: 0 for BM25, -1 for cosines"
    lowest = check_numbers("lowest", lowest, needed)
    if len(lowest) != len(runs):
        raise ValueError(f"lowest is {lowest}; needed {needed}")
    return [theoretical_minimum(run, low) for run, low in zip(runs, lowest, strict=True)]


def _numbered(number: int, normalised: Callable[[Run], Run], run: Run) -> Run:
    try:
        return normalised(run)
    except ValueError as error:
        raise ValueError(f"run {number}: {str(error).removeprefix('run, ')}") from error


class HybridRetriever:
    """Asks several retrievers and fuses the first `depth` results of each, as `fuse` does.

    `retrievers` is `{name: retriever}`, or a list, for which the names are the retrievers' own. How deep the
    parts are asked is `depth`, whatever k is: so the first ten of a hundred are the ten of k = 10, and no
    more documents come back than the parts' lists hold together. Scores are as the method makes them; with
    "z" half of them are below zero and are results all the same.

    Raises ValueError for fewer than two retrievers, one without `search`, two of one name, and what `fuse`
    refuses. Warns of two whose corpora have not the same doc_ids.

    >>> from helpers.retrieval import CsrBM25, LatentRetriever, LatentSemantic
    >>> corpus = {"d1": "outage of the database", "d2": "downtime of the database", "d3": "the lunch menu"}
    >>> latent = LatentRetriever(corpus, LatentSemantic(corpus.values(), dimensions=2))
    >>> hybrid = HybridRetriever({"BM25": CsrBM25(corpus), "latent": latent}, "rrf")
    >>> hybrid.search({"q1": "outage"}, k=10)
    {'q1': [('d1', 0.032522473484277725), ('d2', 0.016393441706895828)]}
    >>> print(hybrid.explain("outage", "d2").round(4).to_string(index_names=False))
            rank  score  normalised  weight   share
    BM25     NaN    NaN      0.0000     1.0  0.0000
    latent   1.0    1.0      0.0164     1.0  0.0164
    """

    def __init__(
        self,
        retrievers: Mapping[str, Retriever] | Sequence[Retriever],
        method: str = "rrf",
        weights: Sequence[float] | None = None,
        depth: int = 100,
        k: float = 60,
        lowest: Sequence[float] | None = None,
    ):
        self.parts = _named(retrievers)
        self.depth = check_whole("depth", depth, of="documents")
        lowest = list(lowest) if isinstance(lowest, Iterator) else lowest  # gone through at each search
        self.method, self.k, self.lowest = method, k, lowest
        normalise([{}] * len(self.parts), method, k, lowest)  # refuses now what it would refuse at the search
        equal = [1.0] * len(self.parts) if method == "rrf" else None
        self.weights = _checked_weights(equal if weights is None else weights, len(self.parts))
        corpora = {name: getattr(part, "corpus", None) for name, part in self.parts.items()}
        corpora = {name: corpus for name, corpus in corpora.items() if isinstance(corpus, Mapping)}
        _warn_of_strangers({name: corpus.keys() for name, corpus in corpora.items()}, surely=True)
        self.corpus = next(iter(corpora.values()), None)
        how = f"k={k}" if method == "rrf" else f"weights {', '.join(f'{w:g}' for w in self.weights)}"
        self.name = f"{method} ({how}, depth {depth}) of {' + '.join(self.parts)}"

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query, `[]` where no part has a result."""
        check_whole("k", k, least=0, of="documents")
        check_queries(queries)
        runs = self._runs(queries)
        warn_of_parts(runs, self.method)
        fused = _fused(list(runs.values()), self.method, self.weights, self.k, self.lowest)
        return {query_id: results[:k] for query_id, results in fused.items()}

    def explain(self, query: str, doc_id: str) -> pd.DataFrame:
        """What each part gives to the document's score: a row a part, in their order (index: `part`).

        `rank` and `score` are the part's own, NaN where its first `depth` do not have the document;
        `normalised` is what the method makes of it (of an absent one too), `share` = weight · normalised.
        The shares sum to the score that `search` reports, within its 32 bits. `attrs` holds doc_id, query,
        retriever, score and rank (both None where no part that has a weight has found it).

        Raises ValueError for a query that is not text, and a doc_id that is not in the corpus, where a part
        knows one.
        """
        check_query(query)
        check_ids([doc_id], "doc_id")
        if self.corpus is not None and doc_id not in self.corpus:
            raise ValueError(f"doc_id {doc_id!r} is not among the {len(self.corpus)} documents")
        runs = self._runs({"query": query})
        rows = []
        for name, run, scaled, weight in zip(
            runs, runs.values(), normalise(list(runs.values()), self.method, self.k, self.lowest),
            self.weights, strict=True,
        ):  # fmt: skip
            scores, values = as_scores("query", run["query"]), dict(scaled["query"])
            ranked = ranking("query", scores)
            floor = min(values.values(), default=0.0) if UNSEEN[self.method] == "lowest" else 0.0
            seen = doc_id in scores
            own = (ranked.index(doc_id) + 1, scores[doc_id], values[doc_id]) if seen else (None, None, floor)
            rows.append((name, *own, weight, weight * own[2]))
        frame = pd.DataFrame(rows, columns=["part", "rank", "score", "normalised", "weight", "share"])
        frame = frame.set_index("part").astype(float)
        fused = [found for found, _ in self.search({"query": query}, k=len(self.parts) * self.depth)["query"]]
        rank = fused.index(doc_id) + 1 if doc_id in fused else None
        about = {"doc_id": doc_id, "query": query, "retriever": self.name, "rank": rank}
        frame.attrs = {**about, "score": float(frame["share"].sum()) if rank else None}
        return frame

    def _runs(self, queries: Queries) -> dict[str, Run]:
        return {name: found_by(part, name, queries, self.depth) for name, part in self.parts.items()}


def best_first(doc_ids: Sequence[str], scores: Sequence[float]) -> list[tuple[str, float]]:
    """Documents with their scores in 32 bits, best first, equal scores by doc_id down.

    Raises ValueError for a score that is not finite there: infinite ones would have no order.

    >>> best_first(["d1", "d3", "d2"], [1.0, 0.5, 1.0])
    [('d2', 1.0), ('d1', 1.0), ('d3', 0.5)]
    """
    rounded = _in_32_bits(doc_ids, np.asarray(scores, dtype=np.float64)).tolist()
    by_score = sorted(zip(rounded, doc_ids, strict=True), reverse=True)
    return [(doc_id, score) for score, doc_id in by_score]


def _each_list(run: Run, normalised: Callable[[np.ndarray], np.ndarray]) -> Run:
    """The run with each query's scores (best first, float64) replaced; a list without results stays so."""
    made: Run = {}
    for query_id, doc_ids, scores in _lists(run):
        try:
            values = normalised(scores).tolist() if doc_ids else []
        except ValueError as error:
            raise ValueError(f"run, query {query_id!r}: {error}") from None
        made[query_id] = list(zip(doc_ids, values, strict=True))
    return made


def _lists(run: Mapping[str, Results]) -> Iterator[tuple[str, list[str], np.ndarray]]:
    """Each query's documents, best first, and their scores; refuses what is no ranking, and infinities."""
    if not isinstance(run, Mapping):
        raise ValueError(f"run is a {type(run).__name__}; needed {{query_id: results}}")
    check_ids(run, "run: query_id")
    for query_id, results in read_once(run).items():
        scores = _checked_scores(query_id, results)
        doc_ids = ranking(query_id, scores)
        values = np.array([scores[doc_id] for doc_id in doc_ids], dtype=np.float64)
        # What is equal in 32 bits is a tie in every ranking, and stays one: all have the score of the first.
        _, first, group = np.unique(values.astype(np.float32), return_index=True, return_inverse=True)
        yield query_id, doc_ids, values[first][group]


def _checked_scores(query_id: str, results: Results) -> Mapping[str, float]:
    """`{doc_id: score}`. Raises ValueError for a score that is no number, or not finite in 32 bits."""
    scores = as_scores(query_id, results)
    values = as_numbers(list(scores.values())) if scores else np.empty(0)
    if values is None:
        ranking(query_id, scores)  # says which
        raise ValueError(f"run, query {query_id!r}: the scores are no numbers")
    try:
        _in_32_bits(list(scores), values)
    except ValueError as error:
        raise ValueError(f"run, query {query_id!r}: {error}") from None
    return scores


def _in_32_bits(doc_ids: Sequence[str], scores: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        rounded = scores.astype(np.float32)
    finite = np.isfinite(rounded)
    if not finite.all():
        wrong = int(np.argmin(finite))
        found = f"document {doc_ids[wrong]!r} scores {scores[wrong]}"
        raise ValueError(f"{found}; what is not finite in 32 bits cannot be added or ranked")
    return rounded


def _is_number(value: object) -> bool:
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # a whole number beyond all floating-point ones
        return False


def check_numbers(name: str, values: Iterable[float], needed: str) -> list[float]:
    """The values as a list. Raises ValueError, with what was `needed`, unless they are finite numbers.

    >>> check_numbers("grid", [0, "1"], "shares from 0 to 1")
    Traceback (most recent call last):
    ValueError: grid is [0, '1']; needed shares from 0 to 1
    """
    try:
        given = None if isinstance(values, (str, bytes, Mapping, Set)) else list(values)
    except TypeError:
        given = None
    if given is None or not all(map(_is_number, given)):
        raise ValueError(f"{name} is {values!r:.100}; needed {needed}")
    return [float(value) for value in given]


def check_share(name: str, value: float, what: str) -> float:
    """The value as given. Raises ValueError unless it is a number from 0 to 1.

    >>> check_share("alpha", 1.5, "the share of the vectors")
    Traceback (most recent call last):
    ValueError: alpha is 1.5; it is the share of the vectors, from 0 to 1
    """
    if not _is_number(value) or not 0 <= value <= 1:
        raise ValueError(f"{name} is {value!r}; it is {what}, from 0 to 1")
    return value


def check_retriever(part: object, name: str) -> None:
    """Raises ValueError for what has no `search`, or one that takes no k."""
    if isinstance(part, type) and hasattr(part, "search"):
        made = f"make one of your documents first: {part.__name__}(corpus)"
        raise ValueError(f"{part.__name__} is a class; needed a retriever with search(queries, k): {made}")
    if not callable(getattr(part, "search", None)) or isinstance(part, type):
        raise ValueError(f"{name} is a {type(part).__name__}; needed a retriever with search(queries, k)")
    check_search(name, part.search)


def found_by(part: Retriever, name: str, queries: Queries, k: int) -> Run:
    """The first k results of a retriever, which may give more than it was asked for, for each query.

    Raises ValueError, with its `name`, for a run that lacks a query; an error of its own gets the name too.
    """
    try:
        run = part.search(queries, k)
    except Exception as error:
        _name_part(error, name)
        raise
    if not isinstance(run, Mapping):
        raise ValueError(f"{name} gave a {type(run).__name__}; needed {{query_id: results}}")
    if none := next((query_id for query_id, results in run.items() if results is None), None):
        raise ValueError(f"{name} gave None for {none!r}; needed a list for each, [] where none is found")
    run = {query_id: _first(query_id, results, k) for query_id, results in run.items()}
    if lacking := [query_id for query_id in queries if query_id not in run]:
        found = f"{name} gave nothing for {counted(len(lacking), 'query')}, e.g. {lacking[0]!r}"
        raise ValueError(f"{found}; needed a list for each, [] where none is found")
    return run


def _name_part(error: Exception, name: str) -> None:
    """Puts a name before what an error says, whose type and attributes stay; else (a KeyError says what was
    looked up) into a note, which Python has from 3.11 on."""
    said = error.args[0] if len(error.args) == 1 else None
    if isinstance(said, str) and not isinstance(error, KeyError):
        error.args = (said if said.startswith(name) else f"{name}: {said}",)
    elif hasattr(error, "add_note"):
        error.add_note(f"in the search of {name}")


def _first(query_id: str, results: Results, k: int) -> Results:
    """Results as they are, or the k best of more; a list in the place of what can be read only once."""
    if isinstance(results, Iterator):
        results = list(results)
    elif not isinstance(results, Mapping | list):  # two arrays have the length 2, whatever they hold
        results = as_scores(query_id, results)
    if len(results) <= k:
        return results
    scores = as_scores(query_id, results)
    return [(doc_id, scores[doc_id]) for doc_id in ranking(query_id, scores)[:k]]


def warn_of_parts(runs: Mapping[str, Run], method: str) -> None:
    """Warns, by their names, of runs that are empty for each of several queries while another is not, of two
    that are the same, and with "rrf" of scores that are all equal, whose ranks are made of the ids."""
    empty = [name for name, run in runs.items() if len(run) >= SEVERAL and not any(run.values())]
    for name in empty if len(empty) < len(runs) else []:
        said = f"{name} found nothing for any of the {len(runs[name])} queries, so it adds nothing"
        warn(f"{said}; is its index empty, or does it swallow an error, such as a timeout?")
    for (name, run), (again, other) in combinations(runs.items(), 2):
        if _are_the_same(run, other):
            said = f"{name} and {again} have the same documents with the same scores"
            warn(f"{said}; is one of the two meant to be of another system?")
    for name, run in runs.items() if method == "rrf" else ():
        if equal := what_is_equal(run):
            said = f"{name}: {equal}, so its documents are ranked by their ids"
            warn(f"{said}, and not as given; give scores that fall")


def _are_the_same(one: Run, other: Run) -> bool:
    """Whether two runs have the same results, in some query several."""
    lists = [results for run in (one, other) for results in run.values()]
    if not all(isinstance(results, list | Mapping) for results in lists):
        return False
    return any(len(results) > 1 for results in lists) and dict(one) == dict(other)


def _warn_of_strangers(ids: Mapping[str, Set[str]], surely: bool) -> None:
    """Warns where two lists have no document in common, and so nothing to add up: because chunks, or files
    with their endings, are called otherwise than documents, or `surely`, since these are all the ids."""
    for (one, first), (other, second) in combinations(ids.items(), 2):
        if not first or not second:
            continue
        if not first.isdisjoint(second):
            if surely and first != second:
                _warn_of_lacking(one, first, other, second)
            continue
        if surely or _bare(first) & _bare(second):
            some = " and ".join(repr(min(each, key=str)) for each in (first, second))
            found = f"{one} and {other} have no document in common, e.g. {some}"
            cure = "give both the same ids; to_documents folds hits of chunks to their documents"
            warn(f"{found}; their scores never meet: {cure}")


def _warn_of_lacking(one: str, first: Set[str], other: str, second: Set[str]) -> None:
    """Warns of documents that only one of two indexes has: the other can never find them."""
    lacking = [
        f"{name} lacks {counted(len(more), 'document')} of {than}, e.g. {min(more, key=str)!r}"
        for name, more, than in ((one, second - first, other), (other, first - second, one))
        if more
    ]
    cure = "which count there as not found; build both over the same documents"
    warn(f"{' and '.join(lacking)}, {cure}")


def _bare(ids: Set[str]) -> set[str]:
    """Ids without the folder above a file, its ending, and the number of a chunk."""
    return {re.sub(r"^.*/(?=.)|#[^#]*$|\.\w{1,5}$", "", doc_id) for doc_id in ids}


def check_runs(runs: Sequence[Run]) -> int:
    """How many runs there are. Raises ValueError for one alone, and where their queries differ."""
    _check_list(runs)
    if len(runs) < 2:
        raise ValueError(f"{counted(len(runs), 'run')} given; a fusion needs at least two")
    for number, run in enumerate(runs, start=1):
        if not isinstance(run, Mapping):
            raise ValueError(f"run {number} is a {type(run).__name__}; needed {{query_id: results}}")
        check_ids(run, f"run {number}: query_id")
        if run.keys() != runs[0].keys():
            lacking, more = runs[0].keys() - run.keys(), run.keys() - runs[0].keys()
            which = first_few(map(repr, sorted(lacking or more)), most=3)
            what = f"lacks {which} of run 1" if lacking else f"has {which}, which run 1 lacks"
            raise ValueError(
                f"run {number} {what}; runs are fused query by query, [] for one without results"
            )
    return len(runs)


def _check_list(runs: Sequence[Run]) -> None:
    if isinstance(runs, (str, Mapping)) or not isinstance(runs, Sequence):
        raise ValueError(f"runs is a {type(runs).__name__}; give a list of runs, e.g. [bm25_run, dense_run]")


def _checked_weights(weights: Sequence[float] | None, n_runs: int) -> list[float]:
    needed = "numbers from 0 up, a list of one for each run, at least one above 0"
    given = [1 / n_runs] * n_runs if weights is None else check_numbers("weights", weights, needed)
    if len(given) != n_runs:
        raise ValueError(f"{counted(len(given), 'weight')} for {counted(n_runs, 'run')}; give one for each")
    if min(given) < 0 or not any(given):
        raise ValueError(f"weights is {given}; needed {needed}")
    return given


def _named(retrievers: Mapping[str, Retriever] | Sequence[Retriever]) -> dict[str, Retriever]:
    """`{name: retriever}`, checked before anything is searched."""
    if isinstance(retrievers, str) or not isinstance(retrievers, Iterable):
        raise ValueError(f"retrievers is a {type(retrievers).__name__}; needed {{name: retriever}} or a list")
    if isinstance(retrievers, Mapping):
        pairs = list(retrievers.items())
        check_ids(retrievers, "retrievers: name")
    else:
        pairs = [(getattr(part, "name", type(part).__name__), part) for part in retrievers]
    for name, part in pairs:
        check_retriever(part, name if hasattr(part, "search") else f"one of the retrievers, {part!r:.40},")
    if len(dict(pairs)) < max(2, len(pairs)):
        names = first_few([repr(name) for name, _ in pairs])
        raise ValueError(
            f"{counted(len(pairs), 'retriever')} ({names}); needed at least two, each with a name of its own"
        )
    return dict(pairs)
