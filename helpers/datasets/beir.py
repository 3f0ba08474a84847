"""Reads a folder in BEIR layout, and says by file and line what is wrong with it.

`corpus.jsonl`, `queries.jsonl` and `qrels/{split}.tsv` become plain data.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from helpers.base import check_json_lines, json_object, needed_id, text_field, text_lines, warn
from helpers.datasets.assembly import Rows, texts_by_id
from helpers.records import Corpus, Qrels, Queries, grade_of

_HEADER = ["query-id", "corpus-id", "score"]
_CELL = 32_767
"""So many characters a cell of Excel can hold."""
_AS_TABLE = (
    f"write its rows under the heading {' '.join(_HEADER)!r}, tabs between the columns; "
    "of a project `workbench export --format beir` does"
)


def load_beir_corpus(dataset_path: str | Path) -> Corpus:
    """`{doc_id: text}` from `corpus.jsonl`; the text is title, space, body, stripped of white space."""
    return texts_by_id(beir_documents(dataset_path), "document")


def beir_documents(dataset_path: str | Path) -> Rows:
    """`(where, doc_id, text)` for each line of `corpus.jsonl`, one in memory at a time; at the end a warning
    where the longest texts are as long as a cell of a spreadsheet can be."""
    path, longest, cut = Path(dataset_path, "corpus.jsonl"), 0, 0
    for where, doc_id, record in _records(path):
        title, text = text_field(record, "title", where, ""), text_field(record, "text", where)
        longest, cut = max(longest, len(text)), cut + (len(text) == _CELL)
        yield where, doc_id, f"{title} {text}".strip()
    if cut > 1 and longest == _CELL:
        said = f"{path}: {cut} texts have {_CELL:,} characters and none has more, which is what a cell of"
        warn(f"{said} a spreadsheet holds: the rest was cut off; write the file without one")


def load_beir_queries(dataset_path: str | Path) -> Queries:
    """`{query_id: text}` from `queries.jsonl`, those of all splits."""
    records = _records(Path(dataset_path, "queries.jsonl"))
    rows = ((where, query_id, text_field(record, "text", where)) for where, query_id, record in records)
    return texts_by_id(rows, "query")


def load_beir_qrels(dataset_path: str | Path, split: str = "test") -> Qrels:
    """`{query_id: {doc_id: grade}}` from `qrels/{split}.tsv`, whose first line names the three columns."""
    path = Path(dataset_path, "qrels", f"{split}.tsv")
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there; {_what_is_there(path)}")
    return read_beir_qrels(path)


def _what_is_there(path: Path) -> str:
    """The splits in place of one that is not there, or the files that may be meant to be one."""
    named = path.name.removesuffix(".tsv")
    alike = sorted(file for file in path.parent.glob("*") if file.name.partition(".")[0] == named)
    above = [path.parent.parent / f"{one}.tsv" for one in (path.parent.name, named)]
    for other in (*alike, *filter(Path.is_file, above)):
        if set(other.suffixes) & {".json", ".jsonl", ".ndjson", ".parquet"}:
            return f"{other} is, which is no table: {_AS_TABLE}"
        packed = f"gunzip {other}, and " if other.suffix == ".gz" else ""
        cure = f"{packed}name it {path}" if other.with_suffix("") != path else f"gunzip {other}"
        return f"{other} is: {cure}"
    splits = ", ".join(sorted(file.stem for file in path.parent.glob("*.tsv")))
    return f"splits that exist: {splits}" if splits else f"{path.parent} holds no split (.tsv file) at all"


def read_beir_qrels(path: str | Path) -> Qrels:
    """`{query_id: {doc_id: grade}}` from one file of three tab-separated columns, named in its first line.

    Raises ValueError, with file and line, for another header, another number of columns, a grade that is no
    whole number, and a document that has two grades for one query.
    """
    path = Path(path)
    lines = text_lines(path)
    _check_header(next(lines, (f"{path}, line 1", ""))[1], path)
    qrels: Qrels = {}
    for where, line in lines:
        query_id, doc_id, text = tab_columns(line, _HEADER, where)
        grade = grade_of(text, where)
        first = qrels.setdefault(query_id, {}).setdefault(doc_id, grade)
        if first != grade:
            judged = f"query {query_id!r}, document {doc_id!r}"
            raise ValueError(f"{where}: {judged} has grade {grade} here and {first} above")
    return qrels


def tab_columns(line: str, names: list[str], where: str) -> list[str]:
    """The columns of one line. Raises ValueError, with file and line, where their number is another."""
    columns = line.split("\t")
    if len(columns) != len(names):
        needed = f"needed {len(names)} ({', '.join(names)}, tab-separated)"
        raise ValueError(f"{where}: {len(columns)} columns, {needed}: {line[:80]!r}")
    return columns


def _records(path: Path) -> Iterator[tuple[str, str, dict]]:
    """The records of a JSONL file, each with its file and line, and with its id as text."""
    if not path.is_file():
        inside = ", ".join(sorted(file.parent.name for file in path.parent.glob(f"*/{path.name}")))
        cure = (
            f"These subfolders have it, give one as path=: {inside}"
            if inside
            else "Is it another folder, or left over from a download that broke off?"
        )
        if (packed := path.with_name(f"{path.name}.gz")).is_file():
            cure = f"{packed.name} is: unpack it, gunzip {packed}"
        layout = "a BEIR dataset has corpus.jsonl, queries.jsonl and a folder qrels"
        raise FileNotFoundError(f"{path} is not there; {layout}. {cure}")
    for number, (where, line) in enumerate(text_lines(path)):
        if not number:
            check_json_lines(path, line, '{"_id": …, "text": …}')
        record = json_object(line, where, "_id and text")
        id_ = record.get("_id")
        if isinstance(id_, bool) or not isinstance(id_, str | int) or id_ == "":
            raise ValueError(f"{where}: {needed_id(record)}")
        # Some files have numbers; the qrels' ids are text, and 1 never equals "1".
        yield where, str(id_), record


def _check_header(line: str, path: Path) -> None:
    columns = line.rstrip().split("\t")
    if columns == _HEADER:
        return
    if line.lstrip().startswith("{"):
        cure = f"these are lines of JSON: {_AS_TABLE}"
    elif sorted(columns) == sorted(_HEADER):
        cure = "the columns are swapped; put them into this order"
    elif re.split(r" *[,;|] *", line.strip()) == _HEADER:
        mark = line.strip()[len(_HEADER[0]) :].strip()[0]
        cure = f"the columns are separated by {mark!r}; put a tab in its place, in every line"
    elif columns[1:] == _HEADER and not columns[0]:
        cure = "the first column has no name, as pandas' index; leave it out: .to_csv(..., index=False)"
    elif line.split() == _HEADER:
        cure = "put a tab between the columns, in every line"
    elif len(line.split()) == 4:
        cure = "this looks like a TREC qrels file; read it with helpers.datasets.trec.read_qrels"
    elif len(columns) == len(_HEADER) and not re.fullmatch(r"[+-]?\d+", columns[-1].strip().strip('"')):
        cure = "the columns have other names; put the header in their place"
    else:
        cure = "the header is missing; add it as the first line"
    needed = f"needed the header {' '.join(_HEADER)!r} (tab-separated)"
    raise ValueError(f"{path}, line 1: {needed}, found {line[:80]!r}: {cure}")
