"""Joins a run with judgments: from rankings and qrels to metrics per query and in the mean.

The conventions are trec_eval's with `-c`, as published BEIR figures have them (see `CONVENTIONS`). The metrics
themselves are in `metrics`; reading run files is in `trec`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from numbers import Integral

import pandas as pd

from helpers import metrics
from helpers.records import Qrels, Run

CONVENTIONS = (
    "linear gain; equal scores: doc_id down, scores compared as 32-bit floats; P@k divides by k; a judged query that "
    "the run lacks counts 0; an unjudged document is not relevant"
)


class Evaluation(dict):
    """Means by metric name, `{"nDCG@10": 0.68, ...}`, with what they were made of beside them.

    Attributes
    ----------
    per_query : pandas.DataFrame
        One row per judged query (index: query_id, in the order of the qrels), one column per metric.
    missing : list[str]
        Judged queries that the run lacks. They count 0 in every metric and stay in the mean.
    unjudged : list[str]
        Queries of the run without any judgment. They are left out.
    conventions : str
        How ties, gaps and grades were treated.
    """

    def __init__(self, per_query: pd.DataFrame, missing: list[str], unjudged: list[str]):
        super().__init__({name: float(mean) for name, mean in per_query.mean().items()})
        self.per_query = per_query
        self.missing = missing
        self.unjudged = unjudged
        self.conventions = CONVENTIONS

    @property
    def summary(self) -> str:
        """One line: how many queries were evaluated, counted 0 and left out."""
        n = len(self.per_query)
        return (
            f"evaluated {n - len(self.missing)} of {n} judged queries; {len(self.missing)} missing from the run count 0; "
            f"{len(self.unjudged)} queries of the run have no judgments and are left out"
        )


def evaluate_retrieval(
    run: Run | Mapping[str, Mapping[str, float]], qrels: Qrels, k_values: Sequence[int] = (1, 5, 10, 100)
) -> Evaluation:
    """nDCG, Recall, P and Judged at each k, MAP and MRR, over every judged query.

    `run` is `{query_id: [(doc_id, score), ...]}`, best first, or `{query_id: {doc_id: score}}`; `qrels` is
    `{query_id: {doc_id: grade}}`. MAP and MRR use the ranking at its full length, whatever that is: keep it at 1,000 to
    compare them with published figures.

    Raises ValueError for a run that shares no query with the qrels, an id that is not text, a score that is not a
    number, a list that is not sorted by score, and a document that stands twice in one ranking.

    >>> found = evaluate_retrieval({"q1": [("d1", 2.0), ("d2", 1.0)]}, {"q1": {"d2": 1}, "q2": {"d1": 1}}, [10])
    >>> found["MRR"], found["Recall@10"], found.missing
    (0.25, 0.5, ['q2'])
    """
    _check_ids(run, qrels)
    functions = _metric_functions([metrics.check_k(k) for k in k_values])
    rows = {}
    for query_id, grades in qrels.items():
        retrieved = metrics.ranking(query_id, run.get(query_id, []))
        rows[query_id] = [function(retrieved, grades) for function in functions.values()]
    per_query = pd.DataFrame.from_dict(rows, orient="index", columns=list(functions), dtype=float)
    per_query.index.name = "query_id"
    missing = [query_id for query_id in qrels if query_id not in run]
    return Evaluation(per_query, missing, [query_id for query_id in run if query_id not in qrels])


def first_relevant_ranks(run: Run | Mapping[str, Mapping[str, float]], qrels: Qrels) -> dict[str, float]:
    """For each judged query the rank of its first relevant document, `inf` where none was retrieved.

    With misses as `inf`, `statistics.median` over the values counts them as misses.

    >>> first_relevant_ranks({"q1": [("d1", 2.0), ("d2", 1.0)]}, {"q1": {"d2": 1}, "q2": {"d1": 1}})
    {'q1': 2.0, 'q2': inf}
    """
    found = evaluate_retrieval(run, qrels, (1,)).per_query["MRR"]
    return {query_id: round(1 / value, 0) if value else float("inf") for query_id, value in found.items()}


def _metric_functions(k_values: Sequence[int]) -> dict:
    at_k = {
        "nDCG": metrics.ndcg_at_k,
        "Recall": metrics.recall_at_k,
        "P": metrics.precision_at_k,
        "Judged": metrics.judged_at_k,
    }
    functions = {f"{name}@{k}": partial(function, k=k) for name, function in at_k.items() for k in k_values}
    return {**functions, "MAP": metrics.average_precision, "MRR": metrics.reciprocal_rank}


def _check_ids(run: Mapping, qrels: Qrels) -> None:
    if not qrels:
        raise ValueError("the qrels hold no query; there is nothing to evaluate")
    for name, query_ids in (("run", run), ("qrels", qrels)):
        for query_id in query_ids:
            metrics.check_id(query_id, f"{name}: query_id")
    for query_id, grades in qrels.items():
        if not grades:
            raise ValueError(f"qrels, query {query_id!r}: no judgment at all; leave the query out, or judge a document")
        for doc_id, grade in grades.items():
            metrics.check_id(doc_id, f"qrels, query {query_id!r}: doc_id")
            if not isinstance(grade, Integral):
                raise ValueError(f"qrels, query {query_id!r}, document {doc_id!r}: grade {grade!r} is not a whole number")
    if run and not any(query_id in qrels for query_id in run):
        raise ValueError(
            f"none of the run's {len(run)} queries (e.g. {next(iter(run))!r}) is among the {len(qrels)} judged ones "
            f"(e.g. {next(iter(qrels))!r}): wrong split?"
        )
