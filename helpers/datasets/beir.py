"""Reads a folder in BEIR layout, and says by file and line what is wrong with it.

`corpus.jsonl`, `queries.jsonl` and `qrels/{split}.tsv` become plain data. Which datasets exist, where they lie on this
computer and how they get there is the business of `datasets`.
"""

import warnings
from collections.abc import Iterator
from pathlib import Path

from helpers.base import json_object, text_field, text_lines
from helpers.datasets.truncation import kept_documents
from helpers.records import Corpus, Qrels, Queries, grade_of

_HEADER = ["query-id", "corpus-id", "score"]


def load_beir_corpus(dataset_path: str | Path) -> Corpus:
    """`{doc_id: text}` from `corpus.jsonl`; the text is the title, a space, the body, without white space around it."""
    return kept_documents(beir_documents(dataset_path), judged=frozenset())[0]


def beir_documents(dataset_path: str | Path) -> Iterator[tuple[str, str, str]]:
    """`(where, doc_id, text)` for each line of `corpus.jsonl`, one in memory at a time; `where` is its file and line."""
    for where, doc_id, record in _records(Path(dataset_path) / "corpus.jsonl"):
        yield (
            where,
            doc_id,
            f"{text_field(record, 'title', where, '')} {text_field(record, 'text', where)}".strip(),
        )


def load_beir_queries(dataset_path: str | Path) -> Queries:
    """`{query_id: text}` from `queries.jsonl`, those of all splits."""
    queries: Queries = {}
    for where, query_id, record in _records(Path(dataset_path) / "queries.jsonl"):
        if query_id in queries:
            raise ValueError(f"{where}: query {query_id!r} comes a second time; ids must be unique")
        queries[query_id] = text_field(record, "text", where)
    return queries


def load_beir_qrels(dataset_path: str | Path, split: str = "test") -> Qrels:
    """`{query_id: {doc_id: grade}}` from `qrels/{split}.tsv`, whose first line names the three columns."""
    path = Path(dataset_path) / "qrels" / f"{split}.tsv"
    if not path.is_file():
        splits = sorted(file.stem for file in path.parent.glob("*.tsv"))
        raise FileNotFoundError(
            f"{path} is not there; "
            + (
                f"splits that exist: {', '.join(splits)}"
                if splits
                else f"{path.parent} holds no split (.tsv file) at all"
            )
        )
    return read_beir_qrels(path)


def read_beir_qrels(path: Path) -> Qrels:
    """`{query_id: {doc_id: grade}}` from one file of three tab-separated columns, named in its first line.

    Raises ValueError, with file and line, for another header, another number of columns, a grade that is no whole number, and
    a document that has two grades for one query.
    """
    lines = text_lines(path)
    _check_header(next(lines, (f"{path}, line 1", ""))[1], path)
    qrels: Qrels = {}
    for where, line in lines:
        columns = line.split("\t")
        if len(columns) != 3:
            raise ValueError(
                f"{where}: {len(columns)} columns, needed 3 (query-id, corpus-id, score, tab-separated): {line[:80]!r}"
            )
        query_id, doc_id, grade = columns
        value = grade_of(grade, where)
        if qrels.setdefault(query_id, {}).setdefault(doc_id, value) != value:
            raise ValueError(
                f"{where}: query {query_id!r}, document {doc_id!r} has grade {value} here and {qrels[query_id][doc_id]} above"
            )
    return qrels


def check_match(qrels: Qrels, queries: Queries, corpus: Corpus, path: Path) -> None:
    """Warns of judged ids that queries or corpus lack, with their number. Raises ValueError when none of them matches."""
    judged = {doc_id for grades in qrels.values() for doc_id in grades}
    for what, ids, known, file, so in (
        ("query", set(qrels), queries, "queries.jsonl", "they cannot be searched and count 0"),
        ("document", judged, corpus, "corpus.jsonl", "they cannot be found"),
    ):
        if not known or not ids:
            raise ValueError(f"{path if known else path.parent.parent / file}: the file holds no {what}")
        unknown = sorted(ids - known.keys())
        if len(unknown) == len(ids):
            hint = "are the columns swapped?" if ids & corpus.keys() and what == "query" else "wrong split?"
            raise ValueError(
                f"{path}: none of its {len(ids)} {what} ids (e.g. {unknown[0]!r}) is in {file}: {hint}"
            )
        if unknown:
            warnings.warn(
                f"{path}: {len(unknown)} of {len(ids)} {what} ids are not in {file}, e.g. {unknown[0]!r}; {so}",
                stacklevel=3,
            )


def _records(path: Path) -> Iterator[tuple[str, str, dict]]:
    """The records of a JSONL file with their place and their id, which is text."""
    if not path.is_file():
        inside = sorted(file.parent.name for file in path.parent.glob(f"*/{path.name}"))
        raise FileNotFoundError(
            f"{path} is not there; a BEIR dataset has corpus.jsonl, queries.jsonl and a folder qrels. "
            + (
                f"These subfolders have it, give one as path=: {', '.join(inside)}"
                if inside
                else "If the folder is left over from a broken download, delete it"
            )
        )
    for where, line in text_lines(path):
        record = json_object(line, where, "_id and text")
        id_ = record.get("_id")
        if isinstance(id_, bool) or not isinstance(id_, str | int) or id_ == "":
            raise ValueError(f"{where}: needed an _id (text or whole number), found {id_!r}")
        yield (
            where,
            str(id_),
            record,
        )  # some files have numbers; the qrels' ids are text, and 1 never equals "1"


def _check_header(line: str, path: Path) -> None:
    columns = line.rstrip().split("\t")
    if columns == _HEADER:
        return
    if sorted(columns) == sorted(_HEADER):
        cure = "the columns are swapped; put them into this order"
    elif line.split() == _HEADER:
        cure = "put a tab between the columns, in every line"
    elif len(line.split()) == 4:
        cure = "this looks like a TREC qrels file; read it with helpers.datasets.trec.read_qrels"
    else:
        cure = "the header is missing; add it as the first line"
    raise ValueError(
        f"{path}, line 1: needed the header {' '.join(_HEADER)!r} (tab-separated), found {line[:80]!r}: {cure}"
    )
