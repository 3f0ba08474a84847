"""The objects of other evaluation libraries: pytrec_eval's dicts, the tuples of ir_measures, tables."""

from collections.abc import Iterable, Iterator, Mapping
from math import isnan
from numbers import Integral, Real
from os import PathLike
from typing import NamedTuple

import pandas as pd

from helpers.base import as_grades, check_ids, check_mapping, first_few, warn
from helpers.evaluation import as_scores, ranking
from helpers.records import Qrels, Run, grade_of

_QUERY = ("query_id", "qid", "query-id", "q_id")
_DOCUMENT = ("doc_id", "docno", "corpus-id", "doc")
_GRADES = ("relevance", "grade", "label", "rel", "score")
"""The score last: beside a grade it is a system's, and only BEIR's files call a grade so."""
_SYSTEM = ("system", "run", "run_id", "run_name", "tag", "name", "model", "engine")
_MAY_DESCRIBE = ("name", "model", "engine")
"""Of these columns those that may hold something about the documents instead."""


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

    Raises ValueError for what is none of these, an id that is a gap or a fraction, a grade that is no whole
    number, and a pair with two grades. A `score` is taken as the grade only where there is no other.

    >>> as_qrels([Qrel("q1", "d1", 2)])
    {'q1': {'d1': 2}}
    """
    found: Qrels = {}
    _check_columns(judgments)
    for query_id, doc_id, grade in _triples(judgments, _GRADES):
        where = f"query {query_id!r}, document {doc_id!r}"
        number = _number(grade, f"{where}: grade")
        number = grade_of(str(int(number)) if number.is_integer() else str(grade), where)
        if found.setdefault(query_id, {}).setdefault(doc_id, number) != number:
            raise ValueError(f"{where}: it has two grades; keep one")
    return found


def as_run(results: object) -> Run:
    """Results of a peer as a run, best first: pytrec_eval's dict, ir_measures' tuples, or a table.

    A query without results stays one. Raises ValueError for what is none of these, an id that is a gap or a
    fraction, a score that is no number, a table of several systems, and a document that comes twice for a
    query.

    >>> as_run({"q1": {"d1": 0.5, "d2": 2.0}})
    {'q1': [('d2', 2.0), ('d1', 0.5)]}
    """
    _check_columns(results)
    _check_one_system(results)
    _warn_of_ranks(results)
    scores: dict[str, dict[str, float]] = {}
    if isinstance(results, Mapping):
        scores = {_id(query_id, "query_id"): {} for query_id in results}
    for query_id, doc_id, score in _triples(results, ("score",)):
        of_query = scores.setdefault(query_id, {})
        if doc_id in of_query:
            twice = f"query {query_id!r}: document {doc_id!r} comes twice"
            raise ValueError(f"{twice}; keep the best, or give one system at a time")
        of_query[doc_id] = _number(score, f"query {query_id!r}, document {doc_id!r}: score")
    return {q: [(doc_id, of[doc_id]) for doc_id in ranking(q, of)] for q, of in scores.items()}


def _warn_of_ranks(results: object) -> None:
    """Warns of a table whose column of ranks says another order than its scores in every query: they may be
    distances."""
    if not isinstance(results, pd.DataFrame) or not {"rank", "score"} <= {*results}:
        return
    query_id = next((results[name] for name in _QUERY if name in results), None)
    numbers = results[["rank", "score"]].apply(pd.to_numeric, errors="coerce")
    ordered = numbers.groupby(query_id.to_numpy()) if query_id is not None else ()
    rises = [of.sort_values("rank")["score"].diff().dropna() for _, of in ordered]
    if all((one >= 0).all() for one in rises) and any((one > 0).any() for one in rises):
        said = "the scores rise with the column rank, so ranks and scores say another order; the scores count"
        warn(f"{said}: if they are distances or ranks, give minus that")


def to_ir_measures_qrels(qrels: Qrels) -> Iterator[Qrel]:
    """Judgments as ir_measures takes them. Raises ValueError for ids that are no text, and for grades that
    are no whole numbers, which would be found by none of its measures.

    >>> list(to_ir_measures_qrels({"q1": {"d1": 2}}))
    [Qrel(query_id='q1', doc_id='d1', relevance=2, iteration='0')]
    """
    check_mapping("qrels", qrels, "{query_id: {doc_id: grade}}")
    check_ids(qrels, "qrels: query_id")
    judged = {query_id: as_grades(grades, f"qrels, query {query_id!r}") for query_id, grades in qrels.items()}
    return (Qrel(q, doc_id, grade) for q, grades in judged.items() for doc_id, grade in grades.items())


def to_ir_measures_run(run: Run) -> Iterator[ScoredDoc]:
    """Results as ir_measures takes them. Raises ValueError for ids that are no text, and scores that are no
    numbers.

    >>> list(to_ir_measures_run({"q1": [("d1", 2.0)]}))
    [ScoredDoc(query_id='q1', doc_id='d1', score=2.0)]
    """
    check_mapping("run", run, "{query_id: [(doc_id, score), ...]}")
    check_ids(run, "run: query_id")
    scored = {query_id: as_scores(query_id, results) for query_id, results in run.items()}
    for query_id, scores in scored.items():
        ranking(query_id, scores)  # which looks at each score
    return (ScoredDoc(q, *pair) for q, scores in scored.items() for pair in scores.items())


def _triples(given: object, values: tuple[str, ...]) -> Iterator[tuple[str, str, float]]:
    if isinstance(given, Mapping):
        for query_id, of_query in given.items():
            if not isinstance(of_query, Mapping):
                raise ValueError(
                    f"query {query_id!r}: {str(of_query)[:60]!r} is no dict of doc_id and number"
                )
            query_id = _id(query_id, "query_id")
            yield from ((query_id, _id(doc_id, "doc_id"), value) for doc_id, value in of_query.items())
    elif isinstance(given, pd.DataFrame):
        names = [
            next((one for one in wanted if one in given), None) for wanted in (_QUERY, _DOCUMENT, values)
        ]
        if None in names:
            needed = f"needed query_id, doc_id and {values[0]}"
            if "rank" in given and values[0] == "score":
                needed += "; of ranks alone write minus the rank as the score"
            raise ValueError(f"the columns are {', '.join(map(str, given))}; {needed}")
        columns = (given[name].tolist() for name in names)
        for number, (query_id, doc_id, value) in enumerate(zip(*columns, strict=True)):
            where = f"row {number}: "
            yield _id(query_id, f"{where}{names[0]}"), _id(doc_id, f"{where}{names[1]}"), value
    elif isinstance(given, pd.Series):
        cure = f"its values with their index are one: given.reset_index(name={values[0]!r})"
        raise ValueError(f"a Series is given; needed a table with query_id, doc_id and {values[0]}; {cure}")
    elif isinstance(given, Iterable) and not isinstance(given, str | bytes):
        for one in given:
            value = next((getattr(one, name) for name in values if hasattr(one, name)), None)
            if value is None or not hasattr(one, "query_id") or not hasattr(one, "doc_id"):
                needed = f"needed objects with query_id, doc_id and {values[0]}"
                found = f"{type(one).__name__} {str(one)[:60]!r}"
                raise ValueError(f"{found} is no judgment and no result; {needed}")
            yield _id(one.query_id, "query_id"), _id(one.doc_id, "doc_id"), value
    else:
        found = f"a {type(given).__name__}"
        needed = "needed a dict of dicts, tuples, or a table"
        if isinstance(given, str | PathLike):
            found = f"{str(given)!r:.60}, a text,"
            needed += "; of a file: read_judgments(path), helpers.datasets.trec.read_run(path)"
        raise ValueError(f"{found} holds no judgments or results; {needed}")


def _id(value: object, where: str) -> str:
    """An id as text. Raises ValueError for a gap, and for 1.0, which pandas makes of 1 beside a gap."""
    if isinstance(value, str | Integral) and not isinstance(value, bool):
        return str(value)
    cure = "ids are text, read the table with dtype=str"
    if value is None or value is pd.NA or (isinstance(value, Real) and isnan(value)):
        cure = "leave out rows without an id"
    raise ValueError(f"{where} is {value!r:.40}; {cure}")


def _number(value: object, what: str) -> float:
    """A number, of text too. Raises ValueError for what is none."""
    if value is None or value is pd.NA or (isinstance(value, Real) and isnan(value)):
        raise ValueError(f"{what} is {value!r}, a gap; leave out rows without one")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{what} {value!r:.40} is no number") from None


def _check_columns(given: object) -> None:
    """Raises ValueError for a table in which a column that is read comes twice."""
    names = list(given.columns) if isinstance(given, pd.DataFrame) else []
    read = {*_QUERY, *_DOCUMENT, *_GRADES, *_SYSTEM}
    if twice := [name for name in dict.fromkeys(names) if name in read and names.count(name) > 1]:
        cure = "keep one, e.g. table.loc[:, ~table.columns.duplicated()] keeps the first"
        raise ValueError(f"the column {twice[0]!r} comes {names.count(twice[0])} times; {cure}")


def _check_one_system(results: object) -> None:
    """Raises ValueError for a table of several systems: their results would become one ranking."""
    for name in _SYSTEM if isinstance(results, pd.DataFrame) else ():
        if name not in results or len(systems := results[name].unique()) < 2:
            continue
        if name in _MAY_DESCRIBE and not _are_few(len(systems), results):
            continue
        found = first_few(map(repr, systems.tolist()), 3)
        cure = f"give one at a time, as_run(table[table[{name!r}] == {systems[0]!r}])"
        if name in _MAY_DESCRIBE:
            cure += f", or, where it says something of the documents, as_run(table.drop(columns={name!r}))"
        raise ValueError(f"the table holds results of {len(systems)} systems ({name}: {found}); {cure}")


def _are_few(n: int, results: pd.DataFrame) -> bool:
    """Whether so many names are those of systems: each gives many documents, and a document has one name."""
    documents = next((results[one].nunique() for one in _DOCUMENT if one in results), 0)
    return n <= 3 or 2 * n <= documents
