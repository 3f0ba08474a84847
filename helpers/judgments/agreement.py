"""Two assessors: what each said by itself, where they differ, and how far they agree."""

import re
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field, ValidationError

from helpers import stats
from helpers.base import Strict, as_grades, check_mapping, files, invalid_fields, json_records, text_lines
from helpers.records import Qrels


class SecondLabels(Strict):
    """One line of the second assessor's file: the same pairs, grades only."""

    query_id: str
    grades: dict[str, Annotated[int, Field(ge=0, le=2)]]


class Disagreement(NamedTuple):
    """A pair that was decided anew, and the grade that it was given in the end.

    Two assessors graded it differently, or alike and the reason for another pair applied to it too. `first`
    is None for a document outside of the pool that only the second assessor named.
    """

    query_id: str
    doc_id: str
    first: int | None
    second: int
    final: int


def load_second_labels(path: str | Path = files.SECOND_LABELS) -> Qrels:
    """The second assessor's grades, `{query_id: {doc_id: grade}}`, from a file of one JSON object a line.

    Raises ValueError, with the line, for one that is broken and for a query that has two.
    """
    qrels: Qrels = {}
    for where, line in json_records(Path(path), '{"query_id": "q1", "grades": {"d1": 2}}'):
        try:
            second = SecondLabels.model_validate_json(line)
        except ValidationError as error:
            raise ValueError(f"{where}: {invalid_fields(error)[0]}") from None
        if second.query_id in qrels:
            raise ValueError(f"{where}: query {second.query_id!r} has an earlier line already")
        qrels[second.query_id] = second.grades
    return qrels


def load_disagreements(path: str | Path = files.DISAGREEMENTS) -> list[Disagreement]:
    """The rows of the table in `label_disagreements.md`; its first five columns are those of `Disagreement`.

    Raises ValueError for a row that does not begin with an id, an id, and three grades from 0 to 2; the first
    assessor's may be a dash.
    """
    rows = []
    for where, line in text_lines(Path(path)):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        # Text around the table, its heading, the line of dashes under it.
        if not line.startswith("|") or cells[:1] == ["query"] or not set(line) - set("|- "):
            continue
        if not re.fullmatch("[012–][012][012]", "".join(cells[2:5])):
            needed = "| query | document | first | second | final |"
            raise ValueError(f"{where}: needed {needed}, found {line[:60]!r}")
        first, second, final = (None if cell == "–" else int(cell) for cell in cells[2:5])
        rows.append(Disagreement(cells[0], cells[1], first, second, final))
    return rows


def first_pass(final: Qrels, disagreements: list[Disagreement]) -> Qrels:
    """The first assessor's grades, as they were before disagreements were resolved and pairs were added.

    Raises ValueError for a disagreement on a pair that was never judged, or whose final grade is another.

    >>> first_pass({"q01": {"d1": 2, "d2": 0}}, [Disagreement("q01", "d1", first=1, second=2, final=2)])
    {'q01': {'d1': 1, 'd2': 0}}
    """
    check_mapping("final", final, "{query_id: {doc_id: grade}}")
    qrels = {query_id: dict(grades) for query_id, grades in final.items()}
    for query_id, doc_id, first, _, resolved in disagreements:
        grade = final.get(query_id, {}).get(doc_id)
        if grade != resolved:
            carried = f"the labels carry {grade} for {query_id!r}, {doc_id!r}"
            raise ValueError(f"{carried}; the disagreement says {resolved}")
        if first is None:
            del qrels[query_id][doc_id]
        else:
            qrels[query_id][doc_id] = first
    return qrels


def agreement(first: Qrels, second: Qrels) -> dict[str, float]:
    """Two assessors' judgments of the pairs that both have judged: counts, equal grades, kappa, overlap.

    `kappa, grades` takes the grades as they are, `kappa, relevant or not` only asks whether a grade is above
    0. `overlap` is the number of pairs relevant to both, divided by the number relevant to either (the
    Jaccard index): unlike kappa it is not helped by pairs that are plainly irrelevant (1 where nothing is
    relevant to either). A kappa is 1 by convention where both gave one and the same answer throughout
    (`stats.cohen_kappa`). Pairs that only one has judged are left out and counted. Raises ValueError where
    there is no pair that both have judged, and, with query and document, for a grade that is no whole number.
    """
    for name, qrels in (("first", first), ("second", second)):
        check_mapping(name, qrels, "{query_id: {doc_id: grade}}")
    # Only pairs that both have judged can be compared.
    of_first, of_second = _judged_pairs(first, "first"), _judged_pairs(second, "second")
    shared = sorted(of_first & of_second)
    if not shared:
        (one, other), alike = (next(iter(pairs), None) for pairs in (of_first, of_second)), "write ids alike"
        examples = f"e.g. {one} in the first and {other} in the second; {alike} on both sides"
        raise ValueError(f"no pair of query and document was judged by both, {examples}")
    grades = [(int(first[q][doc_id]), int(second[q][doc_id])) for q, doc_id in shared]
    # Relevant to either or to both: the two numbers of the Jaccard index.
    either, both = sum(max(pair) > 0 for pair in grades), sum(min(pair) > 0 for pair in grades)
    # Kappa corrects equal grades for those that chance would give; once on three grades, once on yes or no.
    relevant = [(one > 0, other > 0) for one, other in grades]
    return {
        "pairs judged by both": len(shared),
        "pairs judged by one": len(of_first ^ of_second),
        "equal grades": sum(one == other for one, other in grades) / len(grades),
        "kappa, grades": stats.cohen_kappa(*zip(*grades, strict=True)),
        "kappa, relevant or not": stats.cohen_kappa(*zip(*relevant, strict=True)),
        "relevant to either": either,
        "relevant to both": both,
        "overlap": both / either if either else 1.0,
    }


def _judged_pairs(qrels: Qrels, name: str) -> set[tuple[str, str]]:
    return {
        (query_id, doc_id)
        for query_id, grades in qrels.items()
        for doc_id in as_grades(grades, f"{name}, query {query_id!r}")
    }
