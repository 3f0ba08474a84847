"""The scores of several systems in one frame, a row per query: what may stand side by side, and what is refused.

Two systems are comparable where they were measured on the same queries, by the same judgments, under the same conventions.
What is then computed from the frame is in `compare`.
"""

import difflib
from collections.abc import Mapping
from dataclasses import fields
from itertools import chain

import pandas as pd

from helpers.base import check_ids, check_option
from helpers.evaluation.conventions import Conventions
from helpers.evaluation.evaluate import Evaluation
from helpers.stats import as_series, check_alike

Scores = Evaluation | Mapping[str, float] | pd.Series | pd.DataFrame


def as_systems(reports: Mapping[str, Scores], baseline: str | None) -> tuple[dict[str, Scores], str]:
    """`{system: scores}` with the Evaluation of every report that has one, and the baseline, the first where none is named.

    Raises ValueError for fewer than two systems, a name that is not text, and a baseline that is none of them.

    >>> as_systems({"A": {"q1": 0.5}, "B": {"q1": 1.0}}, baseline=None)[1]
    'A'
    """
    if not isinstance(reports, Mapping) or len(reports) < 2:
        given = f"{len(reports)} system" if isinstance(reports, Mapping) else f"a {type(reports).__name__}"
        raise ValueError(f"reports is {given}; needed {{system: Evaluation}} with two systems or more")
    check_ids(reports, "reports: system")
    if baseline is not None and baseline not in reports:
        near = difflib.get_close_matches(str(baseline), reports, n=1)
        guess = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"baseline is {baseline!r}, which is none of the systems {', '.join(map(repr, reports))}{guess}"
        )
    return {name: _evaluation(report) for name, report in reports.items()}, next(
        iter(reports)
    ) if baseline is None else baseline


def same_conventions(systems: Mapping[str, Scores]) -> Conventions | None:
    """The conventions under which all systems were evaluated; None where one was given as plain scores.

    Raises ValueError where two evaluations differ in a convention, in their judged queries, or in which of those have a
    relevant document: the scores of the two do not mean the same. That all grades are the same an evaluation cannot show.

    >>> same_conventions({"A": {"q1": 0.5}, "B": {"q1": 1.0}})
    """
    evaluations = {name: found for name, found in systems.items() if isinstance(found, Evaluation)}
    first = next(iter(evaluations), "")
    for name, found in evaluations.items():
        _check_conventions(first, evaluations[first].conventions, name, found.conventions)
        _check_judged("judged queries", first, _judged(evaluations[first]), name, _judged(found))
        empty, others = set(evaluations[first].no_relevant), set(found.no_relevant)
        _check_judged("queries without a relevant document", first, empty, name, others)
    return evaluations[first].conventions if len(evaluations) == len(systems) else None


def side_by_side(
    systems: Mapping[str, Scores], metrics: list[str], missing: str = "error"
) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """A row per query (index: query_id), a column per (metric, system); and for each system the queries that it lacks.

    Those are an error, or count 0 with `missing="zero"`. Queries are in the order of the first system, then those it lacks.
    In a frame a column `query_id` holds the ids. Raises ValueError, with the system's name, for a metric that it was not
    measured in, for what `stats` refuses in a score, and for systems with ids beside systems without.

    >>> frame, counted_zero = side_by_side({"A": {"q1": 0.5}, "B": {"q1": 1.0, "q2": 0.2}}, ["MRR"], missing="zero")
    >>> frame["MRR"].to_dict("list"), counted_zero
    ({'A': [0.5, 0.0], 'B': [1.0, 0.2]}, {'A': ['q2']})
    """
    check_option("missing", missing, ["error", "zero"])
    columns = {
        (metric, name): _column(name, found, metric, metrics)
        for metric in metrics
        for name, found in systems.items()
    }
    (first, one), *others = ((f"system {name!r}", column) for (_, name), column in columns.items())
    for name, other in others:
        check_alike(one, other, first, name)
    queries = list(dict.fromkeys(chain.from_iterable(column.index for column in columns.values())))
    lacking = {
        name: [query for query in queries if query not in columns[metrics[0], name].index] for name in systems
    }
    lacking = {name: query_ids for name, query_ids in lacking.items() if query_ids}
    if lacking and missing == "error":
        named = "; ".join(f"{name!r} lacks {_examples(query_ids)}" for name, query_ids in lacking.items())
        raise ValueError(
            f"{named}; run all systems on the same queries, or count what is missing as 0 with missing='zero'"
        )
    frame = pd.DataFrame({cell: column.reindex(queries, fill_value=0.0) for cell, column in columns.items()})
    return frame.rename_axis(index="query_id", columns=["metric", "system"]), lacking


def _evaluation(report: object) -> Scores:
    """The evaluation that a report carries; scores are themselves."""
    return (
        report
        if isinstance(report, (Mapping, pd.Series, pd.DataFrame))
        else getattr(report, "evaluation", report)
    )


def _column(system: str, scores: Scores, metric: str, metrics: list[str]) -> pd.Series:
    frame = scores.per_query if isinstance(scores, Evaluation) else scores
    if isinstance(frame, pd.DataFrame):
        frame = frame.set_index("query_id") if "query_id" in frame else frame
        if metric not in frame:
            raise ValueError(
                f"system {system!r} was not measured in {metric!r}, only in {', '.join(map(str, frame))}; "
                f"evaluate it with metrics=[{metric!r}, …]"
            )
        frame = frame[metric]
    elif len(metrics) > 1:
        raise ValueError(
            f"system {system!r}: plain scores are of one metric, asked for {metrics}; give an Evaluation or a frame"
        )
    if isinstance(frame, Mapping) and any(
        isinstance(value, (Mapping, list, tuple)) for value in frame.values()
    ):
        raise ValueError(f"system {system!r} is a run, not scores; give evaluate_retrieval(run, qrels)")
    return as_series(frame, f"system {system!r}")


def _judged(evaluation: Evaluation) -> set[str]:
    return {*evaluation.per_query.index, *evaluation.missing, *evaluation.no_relevant}


def _check_conventions(first: str, one: Conventions, name: str, other: Conventions) -> None:
    differing = [
        field.name for field in fields(one) if getattr(one, field.name) != getattr(other, field.name)
    ]
    if differing:
        named = "; ".join(
            f"{choice} is {getattr(one, choice)!r} and {getattr(other, choice)!r}" for choice in differing
        )
        raise ValueError(
            f"{first!r} and {name!r} were evaluated under different conventions: {named}; evaluate both under one"
        )


def _check_judged(what: str, first: str, one: set[str], name: str, other: set[str]) -> None:
    if one != other:
        only = f"only {first!r} has {_examples(sorted(one - other))}, only {name!r} has {_examples(sorted(other - one))}"
        raise ValueError(
            f"{first!r} and {name!r} differ in their {what}: {only}; evaluate both with the same qrels"
        )


def _examples(query_ids: list[str]) -> str:
    shown = ", ".join(map(repr, query_ids[:3])) + (", …" if len(query_ids) > 3 else "")
    return f"{len(query_ids)} ({shown})" if query_ids else "none"
