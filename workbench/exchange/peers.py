"""The objects of other evaluation libraries: pytrec_eval's dicts, the tuples of ir_measures, tables."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from helpers.evaluation import as_scores, ranking
from helpers.records import Qrels, Run, grade_of

_QUERY = ("query_id", "qid", "query-id", "q_id")
_DOCUMENT = ("doc_id", "docno", "corpus-id", "doc")


class Qrel(NamedTuple):
    """A judgment as ir_measures has it; its functions take any tuple with these names."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A result as ir_measures has it."""

    query_id: str
    doc_id: str
    score: float


def as_qrels(judgments: object) -> Qrels:
    """Judgments of a peer as `{query_id: {doc_id: grade}}`: pytrec_eval's dict, ir_measures' tuples, a table.

    Raises ValueError for what is none of these, a grade that is no whole number, and a pair with two grades.

    >>> as_qrels([Qrel("q1", "d1", 2)])
    {'q1': {'d1': 2}}
    """
    found: Qrels = {}
    for query_id, doc_id, grade in _triples(judgments, ("relevance", "grade", "score", "label", "rel")):
        where = f"query {query_id!r}, document {doc_id!r}"
        number = grade_of(str(int(grade)) if float(grade).is_integer() else str(grade), where)
        if found.setdefault(query_id, {}).setdefault(doc_id, number) != number:
            raise ValueError(f"{where}: it has two grades; keep one")
    return found


def as_run(results: object) -> Run:
    """Results of a peer as a run, best first: pytrec_eval's dict, ir_measures' tuples, or a table.

    Raises ValueError for what is none of these, and a document that comes twice for a query.

    >>> as_run({"q1": {"d1": 0.5, "d2": 2.0}})
    {'q1': [('d2', 2.0), ('d1', 0.5)]}
    """
    scores: dict[str, dict[str, float]] = {}
    for query_id, doc_id, score in _triples(results, ("score",)):
        of_query = scores.setdefault(query_id, {})
        if doc_id in of_query:
            twice = f"query {query_id!r}: document {doc_id!r} comes twice"
            raise ValueError(f"{twice}; keep the best, or give one system at a time")
        of_query[doc_id] = float(score)
    return {q: [(doc_id, of[doc_id]) for doc_id in ranking(q, of)] for q, of in scores.items()}


def to_ir_measures_qrels(qrels: Qrels) -> Iterator[Qrel]:
    """Judgments as ir_measures takes them.

    >>> list(to_ir_measures_qrels({"q1": {"d1": 2}}))
    [Qrel(query_id='q1', doc_id='d1', relevance=2, iteration='0')]
    """
    return (Qrel(q, doc_id, grade) for q, grades in qrels.items() for doc_id, grade in grades.items())


def to_ir_measures_run(run: Run) -> Iterator[ScoredDoc]:
    """Results as ir_measures takes them.

    >>> list(to_ir_measures_run({"q1": [("d1", 2.0)]}))
    [ScoredDoc(query_id='q1', doc_id='d1', score=2.0)]
    """
    return (ScoredDoc(q, *pair) for q, results in run.items() for pair in as_scores(q, results).items())


def _triples(given: object, values: tuple[str, ...]) -> Iterator[tuple[str, str, float]]:
    if isinstance(given, Mapping):
        for query_id, of_query in given.items():
            if not isinstance(of_query, Mapping):
                raise ValueError(
                    f"query {query_id!r}: {str(of_query)[:60]!r} is no dict of doc_id and number"
                )
            yield from ((str(query_id), str(doc_id), value) for doc_id, value in of_query.items())
    elif isinstance(given, pd.DataFrame):
        names = [
            next((one for one in wanted if one in given), None) for wanted in (_QUERY, _DOCUMENT, values)
        ]
        if None in names:
            needed = f"needed query_id, doc_id and {values[0]}"
            raise ValueError(f"the columns are {', '.join(map(str, given))}; {needed}")
        columns = (given[name].tolist() for name in names)
        yield from ((str(q), str(doc_id), value) for q, doc_id, value in zip(*columns, strict=True))
    elif isinstance(given, Iterable) and not isinstance(given, str | bytes):
        for one in given:
            value = next((getattr(one, name) for name in values if hasattr(one, name)), None)
            if value is None or not hasattr(one, "query_id") or not hasattr(one, "doc_id"):
                needed = f"needed objects with query_id, doc_id and {values[0]}"
                raise ValueError(f"{str(one)[:60]!r} is none; {needed}")
            yield str(one.query_id), str(one.doc_id), value
    else:
        raise ValueError(f"a {type(given).__name__} is none; needed a dict of dicts, tuples, or a table")
