"""Between which two values a metric lies, whatever grades the unjudged documents of a ranking would get.

An unjudged document counts as not relevant because something must be assumed. Here every possible grade is
tried. What stands below the cut-off, or was not retrieved at all, is left as it is: if much of that is
relevant, nDCG and recall are lower still, and no run can say by how much.
"""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, combinations_with_replacement, islice
from math import comb

import pandas as pd

from helpers.base import check_whole, counted, warn
from helpers.evaluation.conventions import TREC, Conventions
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.evaluation.fast_metrics import Metric, find_metric
from helpers.evaluation.rankings import Results, as_scores, ranking, read_once
from helpers.records import Qrels, Run

MOST_CASES = 200_000
"""More sets of grades than this, over all queries, would take minutes."""


def bounds(
    run: Run | Mapping[str, Results],
    qrels: Qrels,
    metric: str = "nDCG@10",
    max_grade: int | None = None,
    conventions: Conventions = TREC,
) -> pd.DataFrame:
    """The lowest and the highest value of a metric over all grades that a run's unjudged documents could get.

    One row per judged query (index: query_id) with the columns `worst`, `as judged` and `best`; their means
    are those of the mean. They bound P, Hit and MRR whatever else is judged. nDCG, Recall, MAP and Rprec fall
    below `worst` where relevant documents are found that this run does not show, as other systems' are: where
    all that a run shows was judged, `worst` equals `best`, and it may fall all the same. So such bounds alone
    put no system above another.

    Grades go from 0 to `max_grade`, by default the highest in the qrels. Of `nDCG@10` only the first ten
    documents are asked, of `MAP` the whole ranking. Every judged query is a row, also one that the run lacks
    (0) or with nothing relevant.

    nDCG can be *lower* than as judged: a relevant document far down raises the ideal more than the DCG.

    Raises ValueError, beside the errors of `evaluate_retrieval`, where there are too many sets of grades to
    try, and for what the question makes no sense for: `Judged`, and conventions that take unjudged documents
    out of the ranking.

    >>> bounds({"q1": [("new", 2.0), ("d1", 1.0)]}, {"q1": {"d1": 1}}, "P@2").loc["q1"].to_dict()
    {'worst': 0.5, 'as judged': 0.5, 'best': 1.0}
    """
    found, k = _checked_metric(metric, max_grade, conventions)
    conventions = replace(conventions, missing_query="zero", no_relevant="zero")
    # The run is needed twice, and results may come as what can be read only once.
    if isinstance(run, Mapping):
        once = read_once(run)
        run = {query_id: as_scores(query_id, results, conventions) for query_id, results in once.items()}
    as_judged = evaluate_retrieval(run, qrels, metrics=[metric], conventions=conventions).per_query[metric]
    # For a metric that only asks whether a document is relevant, 0 and 1 are all the grades there are.
    if max_grade is None:
        max_grade = max(1, max(grade for grades in qrels.values() for grade in grades.values()))
    if beyond := [query_id for query_id, grades in qrels.items() if max(grades.values()) > max_grade]:
        said = f"{counted(len(beyond), 'query has', 'queries have')} a grade above max_grade={max_grade}"
        warn(f"{said}, e.g. {beyond[0]!r}; an unjudged document could have it too, and the bounds be wider")
    levels = range(max_grade + 1) if found.graded else range(2)
    # Below the cut-off a document cannot count, whatever its grade.
    rankings = {query_id: ranking(query_id, run.get(query_id, ()), conventions) for query_id in qrels}
    unjudged = {
        query_id: [doc_id for doc_id in ranked[:k] if doc_id not in qrels[query_id]]
        for query_id, ranked in rankings.items()
    }
    _check_cases(unjudged, len(levels), metric)
    extremes = {
        query_id: _extremes(rankings[query_id], grades, unjudged[query_id], levels, metric, conventions)
        for query_id, grades in qrels.items()
    }
    table = pd.DataFrame.from_dict(extremes, orient="index", columns=["worst", "best"])
    table.insert(1, "as judged", as_judged)
    return table.rename_axis(index="query_id")


def _extremes(
    ranked: list[str],
    grades: dict[str, int],
    unjudged: list[str],
    levels: range,
    metric: str,
    conventions: Conventions,
) -> tuple[float, float]:
    """The lowest and the highest value over all sets of grades, highest first and highest last.

    With the set fixed the ideal is fixed, and a grade is worth the more the higher it stands: no arrangement
    in between can be better than the first or worse than the second.
    """
    results = {doc_id: -float(rank) for rank, doc_id in enumerate(ranked)}
    sets, values = combinations_with_replacement(levels, len(unjudged)), []
    arrangements = chain.from_iterable((grades, grades[::-1]) for grades in sets)
    # Each arrangement becomes a query of its own with the same ranking: many are evaluated at once.
    while batch := list(islice(arrangements, 2000)):
        judged = [grades | dict(zip(unjudged, given, strict=True)) for given in batch]
        qrels = {str(number): grades for number, grades in enumerate(judged)}
        run = dict.fromkeys(qrels, results)
        with warnings.catch_warnings():  # of grades that were made up there is nothing to be said
            warnings.simplefilter("ignore")
            found = evaluate_retrieval(run, qrels, metrics=[metric], conventions=conventions)
        values += found.per_query[metric].tolist()
    return min(values), max(values)


def _checked_metric(
    metric: str, max_grade: int | None, conventions: Conventions
) -> tuple[Metric, int | None]:
    found, k = find_metric(metric)
    if found.name == "Judged":
        raise ValueError(f"{metric} has no bounds: it counts what was judged")
    if max_grade is not None:
        check_whole("max_grade", max_grade)
    if not isinstance(conventions, Conventions):
        raise ValueError(f"conventions is {conventions!r}; give Conventions(...), or TREC")
    if conventions.unjudged == "condensed":
        cure = "use unjudged='not relevant'"
        raise ValueError(f"condensed lists take out the documents that the bounds are about; {cure}")
    return found, k


def _check_cases(unjudged: dict[str, list[str]], n_levels: int, metric: str) -> None:
    cases = sum(comb(len(documents) + n_levels - 1, n_levels - 1) for documents in unjudged.values())
    if cases > MOST_CASES:
        worst = max(unjudged, key=lambda query_id: len(unjudged[query_id]))
        raise ValueError(
            f"{metric}: {cases:,} sets of grades to try, at most {MOST_CASES:,}; query {worst!r} alone has "
            f"{len(unjudged[worst])} unjudged documents. Take a smaller k, or judge more"
        )
