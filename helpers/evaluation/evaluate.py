"""Joins a run with judgments: metrics per query and in the mean, under conventions that they carry."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Set
from numbers import Integral

import pandas as pd

from helpers.base import GRADES_BELOW, check_blanks, check_ids, check_k, counted, cure_of_grade, warn
from helpers.evaluation.conventions import TREC, Conventions
from helpers.evaluation.fast_metrics import find_metric, judged_ranks
from helpers.evaluation.rankings import Results, as_scores
from helpers.records import Qrels, Run


class Evaluation(dict):
    """Means by metric name, `{"nDCG@10": 0.68, ...}`, with what they were made of beside them.

    `per_query` has a row per query in the mean (index: query_id, in the order of the qrels), a column per
    metric. `missing` are judged queries that the run lacks, `no_relevant` those without a relevant document:
    both count 0 in every metric, or are left out, as the `conventions` have it. `unjudged` are queries of the
    run without any judgment; they are always left out. `qrels` is a copy of the judgments, so that `compare`
    sees where two evaluations were made by different ones.

    Raises ValueError where the conventions leave no query for the mean.
    """

    def __init__(self, per_query: pd.DataFrame, run: Mapping, qrels: Qrels, conventions: Conventions):
        self.missing = [query_id for query_id in qrels if query_id not in run]
        self.unjudged = [query_id for query_id in run if query_id not in qrels]
        self.no_relevant = [query_id for query_id, grades in qrels.items() if max(grades.values()) < 1]
        self.conventions = conventions
        self.qrels = {query_id: dict(grades) for query_id, grades in qrels.items()}
        self.n_judged = len(qrels)
        left_out = set(self.missing if conventions.missing_query == "left out" else ())
        left_out.update(self.no_relevant if conventions.no_relevant == "left out" else ())
        self.per_query = per_query.drop(index=list(left_out)) if left_out else per_query
        if self.per_query.empty:
            raise ValueError(
                f"all {len(qrels)} judged queries are left out ({conventions.differences}); no mean is left"
            )
        super().__init__(zip(per_query, self.per_query.to_numpy().mean(axis=0).tolist(), strict=True))

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the judgments, in whatever order they came: the same only for the same grades.

        A document of grade 0 was judged, and is not the same as one without a judgment.

        >>> run, qrels = {"q1": [("d1", 1.0)]}, {"q1": {"d1": 1, "d2": 0}}
        >>> one = evaluate_retrieval(run, qrels)
        >>> other = evaluate_retrieval(run, {"q1": {"d1": 1}})
        >>> one["MRR"] == other["MRR"], one.fingerprint == other.fingerprint
        (True, False)
        """
        pairs = ((query_id, *pair) for query_id, grades in self.qrels.items() for pair in grades.items())
        lines = (f"{query_id!r} {doc_id!r} {int(grade)}\n" for query_id, doc_id, grade in sorted(pairs))
        return f"sha256:{hashlib.sha256(''.join(lines).encode()).hexdigest()}"

    @property
    def summary(self) -> str:
        """One line: how many queries were evaluated, counted 0 and left out."""
        verb = {"zero": "count 0", "left out": "are left out"}
        missing, empty = verb[self.conventions.missing_query], verb[self.conventions.no_relevant]
        parts = [
            f"evaluated {self.n_judged - len(self.missing)} of {self.n_judged} judged queries",
            f"{len(self.missing)} missing from the run {missing}",
            f"{len(self.unjudged)} queries of the run have no judgments and are left out",
        ]
        if self.no_relevant:
            parts.append(f"{len(self.no_relevant)} without a relevant document {empty}")
        if verb["left out"] in (missing, empty):
            parts.append(f"the mean is over {len(self.per_query)} queries")
        return "; ".join(parts)


def evaluate_retrieval(
    run: Run | Mapping[str, Results],
    qrels: Qrels,
    k_values: Iterable[int] = (1, 5, 10, 100),
    metrics: Iterable[str] | None = None,
    conventions: Conventions = TREC,
) -> Evaluation:
    """Metrics over every judged query: the named ones, or nDCG, Recall, P and Judged at each k, MAP and MRR.

    Names: `nDCG@10`, `Recall@100`, `P@5`, `Hit@5`, `Judged@10`, with any rank; `MAP`, `MRR`, `nDCG`, whole or
    with `@k`; `Rprec` and `bpref`. Whole metrics use the ranking at its full length: keep it at 1,000 to
    compare with published figures.

    `run` holds for each query_id `[(doc_id, score), ...]` best first, `{doc_id: score}`, or two NumPy arrays
    `(doc_ids, scores)`; `qrels` is `{query_id: {doc_id: grade}}`.

    Warns where run and qrels seem to have changed places, where scores seem to be ranks or distances, and
    where ids of relevant documents stand in the run with something before or behind them. Raises ValueError
    for an empty run, a run that shares no query with the qrels or, of ten documents and five queries or more,
    no document (of fewer it warns), an id that is not text, or that is one of the other side but for blanks
    around it or its form of Unicode, a grade that is no whole number, a score that is not a number, a list
    that is not sorted by score, a document that stands twice, an unknown metric, and results that can be read
    only once and were read before.

    >>> run, qrels = {"q1": [("d1", 2.0), ("d2", 1.0)]}, {"q1": {"d2": 1}, "q2": {"d1": 1}}
    >>> found = evaluate_retrieval(run, qrels, metrics=["MRR", "Recall@10"])
    >>> found, found.missing
    ({'MRR': 0.25, 'Recall@10': 0.5}, ['q2'])
    >>> evaluate_retrieval(run, qrels, metrics=["MRR"], conventions=Conventions(missing_query="left out"))
    {'MRR': 0.5}
    """
    wanted = {name: find_metric(name) for name in _names(k_values, metrics)}
    _check(run, qrels, conventions)
    run = _read_once(run)
    judged = judged_ranks(run, qrels, conventions)
    if not len(judged.found.query):
        _check_ids_meet(run, qrels)
    else:
        is_short = judged.relevant.per_query() < judged.n_relevant
        short = [query_id for query_id, missed in zip(qrels, is_short, strict=True) if missed]
        _warn_of_other_forms(run, {query_id: qrels[query_id] for query_id in short})
    values = {name: metric.function(judged, k) for name, (metric, k) in wanted.items()}
    return Evaluation(pd.DataFrame(values, index=pd.Index(qrels, name="query_id")), run, qrels, conventions)


def _read_once(run: Mapping[str, Results]) -> Mapping[str, Results]:
    """The run with lists in the place of iterators. Raises ValueError where none of these holds anything."""
    once = {query_id: list(results) for query_id, results in run.items() if isinstance(results, Iterator)}
    if once and not any(once.values()):
        query_id = next(iter(once))
        said = f"run, query {query_id!r}: the {type(run[query_id]).__name__} holds nothing"
        others = f", and so in all {len(once)} queries that have such" if len(once) > 1 else ""
        raise ValueError(
            f"{said}{others}; it can be read only once: was it read before? Give list(...) of it"
        )
    return {**run, **once} if once else run


def _check_ids_meet(run: Mapping[str, Results], qrels: Qrels) -> None:
    """Raises ValueError where no id of the run is judged for any query: ids of another form, no bad search.

    Of few ids or queries that is said in a warning: a search may well find nothing for three queries.
    """
    retrieved = dict.fromkeys(doc_id for query_id in run for doc_id in as_scores(query_id, run[query_id]))
    known = dict.fromkeys(doc_id for grades in qrels.values() for doc_id in grades)
    if not retrieved or not known.keys().isdisjoint(retrieved):
        return
    examples = f"e.g. {next(iter(retrieved))!r} in the run and {next(iter(known))!r} in the qrels"
    cure = "write them alike on both sides; if they are alike, judge what was found first"
    said = f"none of the run's {counted(len(retrieved), 'document id')} is judged, {examples}; {cure}"
    if len(retrieved) >= _TOO_MANY_IDS and sum(map(bool, run.values())) >= _TOO_MANY_QUERIES:
        raise ValueError(said)
    warn(said)


_TOO_MANY_IDS, _TOO_MANY_QUERIES, _A_RANKING = 10, 5, 5


def _warn_of_other_forms(run: Mapping[str, Results], short: Qrels) -> None:
    """Warns of relevant documents that are missed where the run has their id with a path before it or the
    number of a chunk behind it: part of an index was named anew, or cut."""
    both = run.keys() & short.keys()
    found = [pair for query_id in both for pair in _others(run[query_id], short[query_id])]
    if found:
        said = counted(len(found), "relevant document is", "relevant documents are")
        judged, retrieved = min(found)
        cure = "if they are one document, write them alike; hits of chunks become documents by to_documents"
        example = f"e.g. {retrieved!r} in the run and {judged!r} in the qrels"
        warn(f"{said} missed where the run has the id with something more, {example}; {cure}")


def _others(results: Results, grades: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """The id of each relevant document that was missed, and the id in the results that may stand for it."""
    arrays = isinstance(results, tuple) and len(results) == 2 and hasattr(results[0], "tolist")
    doc_ids = (
        results[0].tolist() if arrays else [*results] if _is_mapping(results) else [d for d, _ in results]
    )
    text = "\n".join(["", *doc_ids, ""])
    if "/" not in text and "#" not in text:
        return
    for doc_id in {one for one, grade in grades.items() if grade > 0} - set(doc_ids):
        if f"/{doc_id}\n" in text or f"\n{doc_id}#" in text:
            yield doc_id, next(d for d in doc_ids if d.endswith(f"/{doc_id}") or d.startswith(f"{doc_id}#"))


def first_relevant_ranks(run: Run | Mapping[str, Results], qrels: Qrels) -> dict[str, float]:
    """For each judged query the rank of its first relevant document, `inf` where none was retrieved.

    With misses as `inf`, `statistics.median` over the values counts them as misses.

    >>> first_relevant_ranks({"q1": [("d1", 2.0), ("d2", 1.0)]}, {"q1": {"d2": 1}, "q2": {"d1": 1}})
    {'q1': 2.0, 'q2': inf}
    """
    found = evaluate_retrieval(run, qrels, metrics=["MRR"]).per_query["MRR"]
    return {query_id: round(1 / value, 0) if value else float("inf") for query_id, value in found.items()}


def _names(k_values: Iterable[int], metrics: Iterable[str] | None) -> list[str]:
    if isinstance(metrics, str):
        raise ValueError(f"metrics is the text {metrics!r}; give a list of names, [{metrics!r}]")
    if isinstance(k_values, Mapping):
        raise ValueError("k_values is a dict; it is evaluate_retrieval(run, qrels), one run and no queries")
    for name, values in (("metrics", metrics), ("k_values", k_values)):
        if values is not None and (isinstance(values, Set) or not isinstance(values, Iterable)):
            raise ValueError(f"{name} is {values!r}; give a list")
    if metrics is not None:
        if not (names := list(metrics)):
            raise ValueError("metrics is empty; name at least one, e.g. 'nDCG@10'")
        return names
    if not (at_k := [] if k_values is None else [check_k(k) for k in k_values]):
        raise ValueError(f"k_values is {k_values!r}; give at least one rank, or name metrics")
    return [f"{name}@{k}" for name in ("nDCG", "Recall", "P", "Judged") for k in at_k] + ["MAP", "MRR"]


def _check(run: Mapping, qrels: Qrels, conventions: Conventions) -> None:
    if not isinstance(conventions, Conventions):
        raise ValueError(f"conventions is {conventions!r}; give Conventions(...), or TREC")
    for name, value in (("run", run), ("qrels", qrels)):
        if not isinstance(value, Mapping):
            kind = type(value).__name__
            raise ValueError(f"{name} is a {kind}; give a dict with an entry for each query_id")
        check_ids(value, f"{name}: query_id")
    if not qrels:
        raise ValueError("the qrels hold no query; there is nothing to evaluate")
    try:
        for query_id, grades in qrels.items():
            _check_grades(query_id, grades, GRADES_BELOW[conventions.gain])
    except ValueError as error:
        if not _is_graded(run):
            raise
        raise ValueError(f"{error}; {_SWAPPED}") from None
    if not run:
        raise ValueError("the run holds no query: nothing was searched, or its file was empty")
    check_blanks(qrels, run, "query")
    if not any(query_id in qrels for query_id in run):
        raise ValueError(
            f"none of the run's {len(run)} queries (e.g. {next(iter(run))!r}) is among the {len(qrels)} "
            f"judged ones (e.g. {next(iter(qrels))!r}): wrong split?"
        )
    if _holds_ranks(run):
        said = (
            "the scores of every query are 1, 2, 3 and so on, as ranks are, but the highest score is the best"
        )
        warn(f"{said}; if they are ranks, give each document -rank as its score")
    elif _hold_distances(run):
        said = "in every query the scores rise from the first document to the last"
        warn(f"{said}; if they are distances, nearest first, give each document -distance as its score")
    if _is_graded(run) and _is_scored(qrels):
        said = "all scores of the run are whole numbers, and no two grades of a query are equal"
        warn(f"{said}; {_SWAPPED}")


_SWAPPED = "have the two changed places? The run comes first, then the qrels"


def _holds_ranks(run: Mapping[str, Results]) -> bool:
    """Whether a run looks like `{doc_id: rank}`: in each of several queries the numbers from 1 (or 0) on, one
    each. Scores that were made of ranks, the best of which are the highest, come highest first."""
    if len(run) < _TOO_MANY_QUERIES or not all(_is_mapping(one) and len(one) > 1 for one in run.values()):
        return False
    if max(map(len, run.values())) < _A_RANKING or not all(map(_are_ranks, run.values())):
        return False
    each = (list(results.values()) for results in run.values())
    return any(scores != sorted(scores, reverse=True) for scores in each)


def _hold_distances(run: Mapping[str, Results]) -> bool:
    """Whether a run looks like `{doc_id: distance}`: scores rise throughout in each of several queries."""
    if len(run) < _TOO_MANY_QUERIES or not all(_is_mapping(one) and len(one) > 1 for one in run.values()):
        return False
    if all(map(_are_ranks, run.values())):  # short lists, of which nobody knows
        return False
    try:
        scores = [[*map(float, results.values())] for results in run.values()]
    except (TypeError, ValueError):
        return False
    return max(map(len, scores)) > 2 and all(one == sorted(one) and one[0] < one[-1] for one in scores)


def _are_ranks(results: Mapping[str, object]) -> bool:
    n = len(results)
    try:
        return set(results.values()) in (set(range(1, n + 1)), set(range(n)))
    except TypeError:  # what cannot be looked up is no rank
        return False


def _is_graded(run: Mapping[str, Results]) -> bool:
    """Whether a run looks like judgments: `{doc_id: whole number}` throughout."""
    return any(map(_is_mapping, run.values())) and all(
        _is_mapping(results) and results and all(isinstance(score, Integral) for score in results.values())
        for results in run.values()
    )


def _is_mapping(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_scored(qrels: Qrels) -> bool:
    """Whether judgments look like a run: of five documents and more, no two of a query have one grade."""
    most = max(map(len, qrels.values()))
    return most >= 5 and all(len(set(grades.values())) == len(grades) for grades in qrels.values())


def _check_grades(query_id: str, grades: Mapping[str, int], highest: int) -> None:
    where = f"qrels, query {query_id!r}"
    if not isinstance(grades, Mapping):
        raise ValueError(f"{where}: {type(grades).__name__} in place of a dict {{doc_id: grade}}")
    if not grades:
        raise ValueError(f"{where}: no judgment at all; leave the query out, or judge a document")
    check_ids(grades, f"{where}: doc_id")
    # Asking each grade takes ten times as long as asking for the types and the extremes.
    lowest, values = -(10**9), grades.values()
    if set(map(type, values)) == {int} and lowest < min(values) and max(values) < highest:
        return
    for doc_id, grade in grades.items():
        of = f"{where}, document {doc_id!r}: grade {grade!r}"
        if not isinstance(grade, Integral):
            raise ValueError(f"{of} is not a whole number{cure_of_grade(grade)}")
        if not lowest < grade < highest:
            raise ValueError(f"{of} is out of range; needed one below {highest:,}")
