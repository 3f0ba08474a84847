"""Which documents must be judged before systems can be compared, and what judging them changes.

A pool is what any of several systems retrieved in its first k documents. Judgments made from one system's
pool know nothing of what only another system finds.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from numbers import Integral

import pandas as pd

from helpers.base import as_grades, check_ids, check_k, check_mapping, cure_of_grade, first_few
from helpers.evaluation import TREC, Conventions, as_scores, bounds, evaluate_retrieval, ranking, read_once
from helpers.records import Qrels, Run


def pool(runs: Mapping[str, Run], qrels: Qrels, k: int = 10, conventions: Conventions = TREC) -> pd.DataFrame:
    """The documents in the first k of any run that nobody has judged: to be read before runs are compared.

    `runs` is `{system: run}`. One row per pair with the columns `query_id`, `doc_id` and `by`, the systems
    that retrieved it. Queries are in the order of the qrels, those without any judgment after them; the
    documents of a query go by doc_id, so that the order does not tell an assessor who ranked them high. Empty
    where all is judged.

    Raises ValueError for `runs` that are no dict of runs, for ids that are not text (they match nothing),
    for whatever `ranking` refuses, and for results that can be read only once and were read before.

    Source: Spärck Jones and van Rijsbergen, Report on the need for and provision of an "ideal" information
    retrieval test collection, 1975; Voorhees and Harman, TREC: Experiment and Evaluation in Information
    Retrieval, 2005, ch. 2.

    >>> runs = {"A": {"q1": [("d1", 2.0), ("d2", 1.0)]}, "B": {"q1": [("d3", 2.0), ("d2", 1.0)]}}
    >>> pool(runs, {"q1": {"d1": 1}}, k=2).values.tolist()
    [['q1', 'd2', ('A', 'B')], ['q1', 'd3', ('B',)]]
    """
    _check_qrels(qrels)
    tops = _tops(runs, k, conventions)
    # Judged queries first, then those that only a run knows.
    query_ids = dict.fromkeys([*qrels, *(query_id for top in tops.values() for query_id in top)])
    rows = []
    for query_id in query_ids:
        # Who retrieved each document, in the order of the systems.
        by: dict[str, tuple[str, ...]] = {}
        for system, top in tops.items():
            for doc_id in top.get(query_id, ()):
                by[doc_id] = (*by.get(doc_id, ()), system)
        judged = qrels.get(query_id, {})
        rows += [(query_id, doc_id, by[doc_id]) for doc_id in sorted(by) if doc_id not in judged]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "by"])


def judged_at_k(
    runs: Mapping[str, Run], qrels: Qrels, k: int = 10, conventions: Conventions = TREC
) -> pd.DataFrame:
    """How much of what each system shows has been judged, one row per system (index: `system`).

    `judged@k` is the mean share over judged queries (`metrics.judged_at_k`), `unjudged` the number of
    documents without a judgment in the first k, `queries` the number of queries that have one. Systems whose
    shares differ are not compared fairly: an unjudged document counts as not relevant.

    >>> runs = {"A": {"q1": [("d1", 2.0), ("d2", 1.0)]}, "B": {"q1": [("d3", 2.0), ("d2", 1.0)]}}
    >>> judged_at_k(runs, {"q1": {"d1": 1}}, k=2).to_dict("index")["B"]
    {'judged@2': 0.0, 'unjudged': 2, 'queries': 1}
    """
    rows, metric = {}, f"Judged@{k}"
    runs = _kept(runs, conventions)
    for system, top in _tops(runs, k, conventions).items():
        unjudged = [
            sum(doc_id not in qrels[query_id] for doc_id in top.get(query_id, ())) for query_id in qrels
        ]
        share = evaluate_retrieval(runs[system], qrels, metrics=[metric], conventions=conventions)[metric]
        rows[system] = (share, sum(unjudged), sum(n > 0 for n in unjudged))
    return _by_system(rows, [f"judged@{k}", "unjudged", "queries"])


def system_bounds(
    runs: Mapping[str, Run],
    qrels: Qrels,
    metric: str = "nDCG@10",
    max_grade: int | None = None,
    conventions: Conventions = TREC,
) -> pd.DataFrame:
    """Between which two means a system lies, whatever grades its unjudged documents get (index: `system`).

    The columns `worst`, `as judged` and `best` are means of `bounds` over the judged queries. Only the
    documents that a system itself retrieved are asked. Where a *different* system's documents are judged too,
    P@k stays inside; nDCG and recall can still fall below `worst`, because every relevant document that this
    system lacks raises what was possible.

    Judgments that a pool has lost may lack the highest grade: give it as `max_grade`. Raises ValueError as
    `bounds` does, with the system's name.

    >>> runs = {"A": {"q1": [("d1", 2.0), ("d2", 1.0)]}, "B": {"q1": [("d3", 2.0), ("d2", 1.0)]}}
    >>> system_bounds(runs, {"q1": {"d1": 1}}, "P@2").to_dict("index")["A"]
    {'worst': 0.5, 'as judged': 0.5, 'best': 1.0}
    """
    _check_runs(runs)
    rows = {}
    for system, run in runs.items():
        with _naming(system):
            rows[system] = bounds(run, qrels, metric, max_grade, conventions).mean().tolist()
    return _by_system(rows, ["worst", "as judged", "best"])


def with_judgments(qrels: Qrels, new: Qrels | pd.DataFrame) -> Qrels:
    """The judgments and the new ones together, as new dicts; a query that had none is added.

    `new` is `{query_id: {doc_id: grade}}`, or the table of `pool` with a column `grade`. Raises ValueError
    for a grade that is no whole number, naming the pair, and for every pair that was judged before with
    another grade: two opinions are settled by people, not by the order of two files.

    >>> with_judgments({"q1": {"d1": 1}}, {"q1": {"d2": 0}})
    {'q1': {'d1': 1, 'd2': 0}}
    """
    _check_qrels(qrels)
    joined = {query_id: dict(grades) for query_id, grades in qrels.items()}
    conflicts = []
    for query_id, doc_id, grade in _judgments(new):
        old = joined.setdefault(query_id, {}).setdefault(doc_id, grade)
        if old != grade:
            conflicts.append(f"query {query_id!r}, document {doc_id!r}: grade {old}, now {grade}")
    if conflicts:
        what = f"{len(conflicts)} of the new judgments contradict an earlier one; settle them first"
        raise ValueError(f"{what}: {first_few(conflicts, between='; ')}")
    return joined


def leave_out(
    qrels: Qrels, runs_kept: Mapping[str, Run], k: int = 10, conventions: Conventions = TREC
) -> Qrels:
    """The judgments as they would be had only the first k documents of `runs_kept` been judged.

    All others are left out, the relevant ones too: this is how a collection looks to a system that came after
    its pool. Raises ValueError, with their names, for queries of which no judgment is left.

    Source: Zobel, How reliable are the results of large-scale information retrieval experiments?, 1998.

    >>> leave_out({"q1": {"d1": 1, "d2": 0, "d3": 2}}, {"A": {"q1": [("d1", 2.0), ("d2", 1.0)]}}, k=2)
    {'q1': {'d1': 1, 'd2': 0}}
    """
    _check_qrels(qrels)
    tops, kept = _tops(runs_kept, k, conventions), {}
    for query_id, grades in qrels.items():
        pooled = {doc_id for top in tops.values() for doc_id in top.get(query_id, ())}
        kept[query_id] = {doc_id: grade for doc_id, grade in grades.items() if doc_id in pooled}
    if empty := [query_id for query_id, grades in kept.items() if not grades]:
        raise ValueError(
            f"{len(empty)} of {len(kept)} queries keep no judgment, e.g. {empty[0]!r}: none of its "
            f"documents in the first {k} of the kept runs was ever judged. Give pooled runs, or a larger k"
        )
    return kept


def _tops(runs: Mapping[str, Run], k: int, conventions: Conventions) -> dict[str, dict[str, list[str]]]:
    """`{system: {query_id: first k doc_ids}}`, in the order in which they would be evaluated."""
    check_k(k)
    _check_runs(runs)
    tops = {}
    for system, run in runs.items():
        with _naming(system):
            once = read_once(run)
            tops[system] = {q: ranking(q, results, conventions)[:k] for q, results in once.items()}
    return tops


def _kept(runs: Mapping[str, Run], conventions: Conventions) -> dict[str, dict[str, Mapping[str, float]]]:
    """The runs as what can be read more than once; results may come as an iterator."""
    _check_runs(runs)
    kept = {}
    for system, run in runs.items():
        with _naming(system):
            once = read_once(run)
            kept[system] = {q: as_scores(q, results, conventions) for q, results in once.items()}
    return kept


@contextmanager
def _naming(system: str) -> Iterator[None]:
    """Adds the name of the system to an error about its run."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"system {system!r}: {error}") from None


def _check_runs(runs: Mapping[str, Run]) -> None:
    if not isinstance(runs, Mapping) or not runs:
        found = "empty" if isinstance(runs, Mapping) else type(runs).__name__
        raise ValueError(f"runs is {found}; needed {{system: run}}")
    check_ids(runs, "runs: system")
    for system, run in runs.items():
        if not isinstance(run, Mapping):
            what = f"a {type(run).__name__} is no run"
            raise ValueError(f"runs, {system!r}: {what}; needed {{system: {{query_id: results}}}}")
        check_ids(run, f"system {system!r}: run: query_id")


def _check_qrels(qrels: Qrels) -> None:
    check_mapping("qrels", qrels, "{query_id: {doc_id: grade}}")
    check_ids(qrels, "qrels: query_id")
    for query_id, grades in qrels.items():
        where = f"qrels, query {query_id!r}"
        check_mapping(where, grades, "{doc_id: grade}")
        as_grades(grades, where)


def _judgments(new: Qrels | pd.DataFrame) -> list[tuple[str, str, int]]:
    if isinstance(new, pd.DataFrame):
        if missing := {"query_id", "doc_id", "grade"} - set(new.columns):
            what = f"the new judgments lack the column {sorted(missing)[0]!r}"
            raise ValueError(f"{what}; needed query_id, doc_id and grade")
        triples = list(zip(new["query_id"], new["doc_id"], new["grade"], strict=True))
    else:
        triples = [(query_id, doc_id, grade) for query_id in new for doc_id, grade in new[query_id].items()]
    check_ids((query_id for query_id, _, _ in triples), "new judgments: query_id")
    check_ids((doc_id for _, doc_id, _ in triples), "new judgments: doc_id")
    for query_id, doc_id, grade in triples:
        # A column with gaps turns whole numbers into floats: 1.0 is the grade 1.
        if not isinstance(grade, Integral) and not (isinstance(grade, float) and grade.is_integer()):
            pair = f"query {query_id!r}, document {doc_id!r}"
            raise ValueError(
                f"new judgments, {pair}: grade {grade!r} is not a whole number{cure_of_grade(grade)}"
            )
    return [(query_id, doc_id, int(grade)) for query_id, doc_id, grade in triples]


def _by_system(rows: Mapping[str, object], columns: list[str]) -> pd.DataFrame:
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("system")
