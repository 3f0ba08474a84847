"""Judgments of other tools: TREC, BEIR, JSON lines, sheets, dataset files."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path

from helpers.base import json_object, text_lines
from helpers.datasets import trec
from helpers.records import Qrels, grade_of
from workbench.dataset_files import load_dataset, to_qrels

QUERY = ("query_id", "query-id", "qid", "query")
DOCUMENT = ("doc_id", "corpus-id", "corpus_id", "document_id", "docid")
GRADE = ("grade", "score", "relevance", "label")


def read_judgments(path: str | Path, sources: Mapping[str, str] | None = None) -> tuple[Qrels, dict]:
    """`{query_id: {doc_id: grade}}` of a file, and `{(query_id, doc_id): quote}` where it has quotes.

    Taken are TREC qrels, a table with a heading (BEIR's .tsv, a sheet of `workbench pool`, any .csv), JSON
    lines (ours, and the rows of a hub's qrels), and a dataset file, whose expected items get grade 2. A row
    without a grade is not judged yet and left out. `sources` is `{doc_id: source_uri}`.

    Raises ValueError, with file and line, for what is none of these, a grade that is no whole number, and a
    pair with two grades.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "test.tsv"
    >>> _ = path.write_text("query-id\\tcorpus-id\\tscore\\nq1\\td1\\t2\\n")
    >>> read_judgments(path)
    ({'q1': {'d1': 2}}, {})
    """
    path = Path(path)
    lines = list(text_lines(path))
    first = lines[0][1].lstrip() if lines else ""
    if not first:
        raise ValueError(f"{path} holds no judgment; needed TREC qrels, a table, or JSON lines")
    if first.startswith("{") and _is_dataset(path):
        dataset = load_dataset(path)
        if dataset.judgments:
            return dataset.judgments, {}
        _, qrels = to_qrels(dataset, sources)
        return {q: dict.fromkeys(grades, 2) for q, grades in qrels.items()}, {}
    if first.startswith("{"):
        fields = "query_id, doc_id and grade"
        return _collected((where, json_object(line, where, fields)) for where, line in lines)
    separator = next((one for one in ("\t", ",", ";") if _is_heading(first.split(one))), None)
    if separator is None:
        return trec.read_qrels(path), {}
    return _of_table(path, separator)


def _of_table(path: Path, separator: str) -> tuple[Qrels, dict]:
    # Read from the file and not from its lines: a quoted cell of a sheet may hold line breaks.
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file, delimiter=separator)
        rows.fieldnames = [name.strip().casefold() for name in rows.fieldnames or ()]
        return _collected((f"{path}, row {n}", row) for n, row in enumerate(rows, start=2))


def _collected(records) -> tuple[Qrels, dict]:
    qrels: Qrels = {}
    quotes = {}
    for where, record in records:
        query_id, doc_id = _field(record, QUERY, where), _field(record, DOCUMENT, where)
        grade = next((record[name] for name in GRADE if name in record), None)
        if grade is None or str(grade).strip() == "":
            continue
        grades = qrels.setdefault(query_id, {})
        found = grade_of(str(grade).strip().removesuffix(".0"), where)
        if grades.setdefault(doc_id, found) != found:
            two = f"{query_id!r}, {doc_id!r} has grade {grades[doc_id]} and grade {found}"
            raise ValueError(f"{where}: {two}; keep one")
        if quote := str(record.get("quote") or "").strip():
            quotes[query_id, doc_id] = quote
    return {query_id: grades for query_id, grades in qrels.items() if grades}, quotes


def _field(record: Mapping, names: tuple[str, ...], where: str) -> str:
    value = next((record[name] for name in names if record.get(name) not in (None, "")), None)
    if value is None:
        raise ValueError(f"{where}: no {names[0]}; needed query_id, doc_id and grade")
    return str(value).strip()


def _is_heading(cells: list[str]) -> bool:
    names = {cell.strip().strip('"').casefold() for cell in cells}
    return bool(names & set(QUERY)) and bool(names & set(DOCUMENT))


def _is_dataset(path: Path) -> bool:
    try:
        return "queries" in json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError:
        return False
