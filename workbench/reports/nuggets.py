"""Which facts the evidence of a report holds, for whoever wrote down what answers need."""

from collections.abc import Iterator, Mapping

import pandas as pd

from helpers.answers import context_scores
from helpers.base import counted, first_few, warn
from helpers.datasets import Answer
from helpers.records import Corpus
from helpers.stats import t_interval
from workbench.reports.models import EvaluationReport

SHOWN = ("vital strict", "vital", "all strict", "sufficient", "precision")
"""What is printed of `helpers.answers.context_scores`."""


def score_nuggets(report: EvaluationReport, answers: Mapping[str, Answer], corpus: Corpus) -> pd.DataFrame:
    """A row of `context_scores` for each query of the report that has nuggets, by what its budget let in.

    Warns of nuggets of other queries. Raises ValueError where no query of the report has nuggets, and for a
    report of another corpus.
    """
    evidence = {row.query_id: row for row in report.evidence}
    rows = {}
    for query_id, query in report.per_query.items():
        if query_id in answers:
            # The rows of one query have the same evidence; only what they expect differs.
            items = evidence[query.rows[0]].items
            context = [(item.doc_id, item.start, item.end) for item in items]
            # Ids of no document were allowed, and warned of; such a piece shows nothing.
            textless = {item.doc_id: "" for item in items if not item.text and item.doc_id not in corpus}
            rows[query_id] = context_scores(answers[query_id], context, {**corpus, **textless})
    if not rows:
        found = f"nuggets of {len(answers)} queries, such as {next(iter(answers), None)!r}"
        asked = f"the report's queries are {', '.join(list(report.per_query)[:3])}, ..."
        raise ValueError(f"{found}, and none of them was asked; {asked}")
    if others := [query_id for query_id in answers if query_id not in report.per_query]:
        of = counted(len(others), "query", "queries")
        warn(f"nuggets of {of} that the dataset lacks, and nothing is said of them: {first_few(others)}")
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("query_id")


def nugget_section(scores: pd.DataFrame) -> Iterator[str]:
    """The lines that are printed: means over queries with their t intervals, and what lacks a vital fact."""
    n = len(scores)
    yield f"\nnuggets: {n} of the queries have them"
    for name in SHOWN:
        mean = f"  {name:<14} {scores[name].mean():.4f}"
        if n > 1:
            low, high = t_interval(scores[name])
            mean += f"  ({max(low, 0):.4f} to {min(high, 1):.4f})"
        yield mean
    lacking = scores.index[scores["sufficient"] == 0].tolist()
    shown = ", ".join(lacking[:8]) + (", ..." if len(lacking) > 8 else "")
    yield f"  without all vital facts: {len(lacking)} of {n}{': ' + shown if lacking else ''}"
