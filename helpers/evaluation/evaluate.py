"""Joins a run with judgments: metrics per query and in the mean, under conventions that they carry."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Set

import pandas as pd

from helpers.base import check_k, first_few
from helpers.evaluation.conventions import TREC, Conventions
from helpers.evaluation.fast_metrics import find_metric, judged_ranks
from helpers.evaluation.rankings import Results, read_once
from helpers.evaluation.suspicions import check_depth, check_inputs, check_joined, cut_at
from helpers.records import Qrels, Run


class NotMeasured(KeyError):
    """A metric was asked for that an evaluation does not have."""

    def __init__(self, name: object, measured: Iterable[str]):
        super().__init__(f"{name!r:.60} was not measured, only {first_few(measured, 8)}; name it in metrics=")

    def __str__(self) -> str:
        return self.args[0]


class Evaluation(dict):
    """Means by metric name, `{"nDCG@10": 0.68, ...}`, with what they were made of beside them.

    `per_query` has a row per query in the mean (index: query_id, in the order of the qrels), a column per
    metric. `missing` are judged queries that the run lacks, `empty` those for which its list is empty (the
    search found nothing, or did not answer), which count 0, `no_relevant` those without a relevant document:
    both count 0 in every metric, or are left out, as the `conventions` have it. `unjudged` are queries of the
    run without any judgment; they are always left out. `qrels` is a copy of the judgments, and `cut_at` the
    rank at which the lists were cut, if they were, so that `compare` sees where two evaluations were made by
    different judgments, or to different depths.

    Raises ValueError where the conventions leave no query for the mean.
    """

    def __init__(self, per_query: pd.DataFrame, run: Mapping, qrels: Qrels, conventions: Conventions):
        self.missing = [query_id for query_id in qrels if query_id not in run]
        self.unjudged = [query_id for query_id in run if query_id not in qrels]
        self.empty = [query_id for query_id in qrels if query_id in run and _found_nothing(run[query_id])]
        self.no_relevant = [query_id for query_id, grades in qrels.items() if max(grades.values()) < 1]
        self.conventions = conventions
        self.qrels = {query_id: dict(grades) for query_id, grades in qrels.items()}
        self.n_judged = len(qrels)
        self.cut_at: int | None = None
        left_out = set(self.missing if conventions.missing_query == "left out" else ())
        left_out.update(self.no_relevant if conventions.no_relevant == "left out" else ())
        self.per_query = per_query.drop(index=list(left_out)) if left_out else per_query
        if self.per_query.empty:
            raise ValueError(
                f"all {len(qrels)} judged queries are left out ({conventions.differences}); no mean is left"
            )
        super().__init__(zip(per_query, self.per_query.to_numpy().mean(axis=0).tolist(), strict=True))

    def __missing__(self, name: object) -> float:
        """Raises NotMeasured, which is a KeyError, with the names that there are."""
        raise NotMeasured(name, self)

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
        if self.empty:
            parts.append(f"{len(self.empty)} found nothing and count 0")
        if self.no_relevant:
            parts.append(f"{len(self.no_relevant)} without a relevant document {empty}")
        if verb["left out"] in (missing, empty):
            parts.append(f"the mean is over {len(self.per_query)} queries")
        return "; ".join(parts)


_RANKS = (1, 5, 10, 100)


def evaluate_retrieval(
    run: Run | Mapping[str, Results],
    qrels: Qrels,
    k_values: Iterable[int] = _RANKS,
    metrics: Iterable[str] | None = None,
    conventions: Conventions = TREC,
) -> Evaluation:
    """Metrics over every judged query: the named ones, or nDCG, Recall, P and Judged at each k, MAP and MRR.

    Names: `nDCG@10`, `Recall@100`, `P@5`, `Hit@5`, `Judged@10`, with any rank; `MAP`, `MRR`, `nDCG`, whole or
    with `@k`; `Rprec` and `bpref`. Whole metrics use the ranking at its full length: keep it at 1,000 to
    compare with published figures.

    `run` holds for each query_id `[(doc_id, score), ...]` best first, `{doc_id: score}`, or two NumPy arrays
    `(doc_ids, scores)`; `qrels` is `{query_id: {doc_id: grade}}`.

    Warns where run and qrels seem to have changed places, where scores seem to be ranks or distances, or are
    all the same (as 32-bit floats), where all queries have one and the same list, where queries or relevant
    documents are missed whose ids the run has in another form, where nothing was found, and where a rank that
    you ask for lies below the end of the lists. Raises ValueError for an empty run, a run that shares no
    query with the qrels or, of ten documents and five queries or more, no document (of fewer it warns), an id
    that is not text, or that is one of the other side but for blanks around it or its form of Unicode, a
    grade that is no whole number, a score that is not a number, a list that is not sorted by score, a
    document that stands twice, an unknown metric, and results that can be read only once and were read
    before.

    >>> run, qrels = {"q1": [("d1", 2.0), ("d2", 1.0)]}, {"q1": {"d2": 1}, "q2": {"d1": 1}}
    >>> found = evaluate_retrieval(run, qrels, metrics=["MRR", "Recall@10"])
    >>> found, found.missing
    ({'MRR': 0.25, 'Recall@10': 0.5}, ['q2'])
    >>> evaluate_retrieval(run, qrels, metrics=["MRR"], conventions=Conventions(missing_query="left out"))
    {'MRR': 0.5}
    """
    wanted = {name: find_metric(name) for name in _names(k_values, metrics)}
    run = read_once(run) if isinstance(run, Mapping) else run
    check_inputs(run, qrels, conventions)
    judged = judged_ranks(run, qrels, conventions)
    check_joined(run, qrels, judged)
    if metrics is not None or tuple(k_values) != _RANKS:
        check_depth(run, judged, {name: k for name, (_, k) in wanted.items() if k is not None})
    values = {name: metric.function(judged, k) for name, (metric, k) in wanted.items()}
    found = Evaluation(pd.DataFrame(values, index=pd.Index(qrels, name="query_id")), run, qrels, conventions)
    found.cut_at = cut_at(run, judged)
    return found


def _found_nothing(results: Results) -> bool:
    return len(results[0] if isinstance(results, tuple) and len(results) == 2 else results) == 0


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
        names = re.split(r"[\s,;]+", metrics.strip())
        raise ValueError(f"metrics is the text {metrics!r}; give a list of names, {names!r}")
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
