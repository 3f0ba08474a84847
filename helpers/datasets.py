"""Test collections: the BEIR sets, found or downloaded and checked, and the one that is bundled with the course.

A loader gives plain data (`records`) or an error that names file, line and cure. Downloading itself is in `fetch`.
"""

import json
import os
import warnings
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pandas as pd

from helpers import fetch, files
from helpers.records import Corpus, Dataset, Qrels, Queries

BEIR_URL = "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/{name}.zip"
STAND_IN = "everyday-science"
_DATA = Path(__file__).parent / "data"
_HEADER = ["query-id", "corpus-id", "score"]


@lru_cache(maxsize=1)
def beir_catalogue() -> pd.DataFrame:
    """The 19 BEIR datasets by name: splits, sizes, relevant documents per query, whether public, MD5 of the zip.

    >>> beir_catalogue().loc["scifact", "splits"]
    'train test'
    """
    return pd.read_csv(_DATA / "beir_catalogue.csv", index_col="name", keep_default_na=False)


def published_figures(dataset: str) -> pd.DataFrame:
    """What others have published for a BEIR dataset, one row per figure: system, metric, value, source.

    Nothing here was measured by us. A dataset without published figures gives an empty frame.

    >>> published_figures("scifact")["system"].unique().tolist()[:2]
    ['BM25 (Anserini, flat)', 'BM25 (Anserini, multifield)']
    """
    figures = pd.read_csv(_DATA / "published.csv")
    return figures[figures["dataset"] == dataset].drop(columns="dataset").reset_index(drop=True)


def published(dataset: str, system: str) -> dict[str, float]:
    """The published figures of one system on one dataset, `{metric: value}`; empty where there are none.

    >>> published("scifact", "BM25 (Anserini, flat)")["nDCG@10"], published("everyday-science", "BM25 (Anserini, flat)")
    (0.6789, {})
    """
    figures = published_figures(dataset)
    figures = figures[figures["system"] == system]
    return dict(zip(figures["metric"], figures["value"].tolist(), strict=True))


def load_beir(name: str, split: str = "test", path: str | Path | None = None) -> Dataset:
    """A dataset in BEIR layout, with the queries that its split judges.

    Looked for in this order: `path` (the dataset's own folder), `$BEIR_DATA_DIR/name`, the project's cache, the public
    zip (its MD5 verified). Raises `fetch.Unavailable` where none of them has it, ValueError and FileNotFoundError for
    files that are not as they should be. Judged queries without a text and judged documents that the corpus lacks are
    counted in a warning; when none matches it is an error.
    """
    folder, source = find_beir(name, path) or (download_beir(name), "the public zip, MD5 verified")
    corpus, all_queries = load_beir_corpus(folder), load_beir_queries(folder)
    qrels = load_beir_qrels(folder, split)
    _check_match(qrels, all_queries, corpus, folder / "qrels" / f"{split}.tsv")
    queries = {query_id: text for query_id, text in all_queries.items() if query_id in qrels}
    return Dataset(name, split, corpus, queries, qrels, source)


def load_or_stand_in(name: str, split: str = "test") -> Dataset:
    """`load_beir(name, split)`, or where it cannot be had the bundled collection, with one printed line that says so.

    Only unavailability is caught: files that are there and broken still raise.
    """
    try:
        return load_beir(name, split)
    except fetch.Unavailable as reason:
        print(f"{name} cannot be had here ({reason}). Every figure below is of the bundled {STAND_IN!r} collection instead.")
        return load_beir(STAND_IN, split, files.BUNDLED_BEIR / STAND_IN)


def find_beir(name: str, path: str | Path | None = None) -> tuple[Path, str] | None:
    """The folder of a dataset on this computer and, in words, where that is; None where it is not. Never downloads."""
    if path is not None:
        if not Path(path).is_dir():
            raise FileNotFoundError(f"{path} is no folder; give the folder that holds corpus.jsonl")
        return Path(path), "an explicit path"
    if not name or set(name) & set("/\\:") or name.startswith("."):
        raise ValueError(f"{name!r} is no dataset name; to read a folder, give it as path=")
    places = [(files.cache_dir() / "beir", "the project's cache")]
    if os.environ.get("BEIR_DATA_DIR"):
        places.insert(0, (Path(os.environ["BEIR_DATA_DIR"]).expanduser(), "BEIR_DATA_DIR"))
    return next(((folder / name, source) for folder, source in places if (folder / name).is_dir()), None)


def download_beir(name: str, data_dir: str | Path | None = None) -> Path:
    """The folder of a BEIR dataset under `data_dir` (the project's cache by default), downloaded if it is not there yet.

    Raises ValueError for a name that BEIR does not have, `fetch.Unavailable` for one that cannot be downloaded.
    """
    catalogue = beir_catalogue()
    if name not in catalogue.index:
        raise ValueError(f"{name!r} is not a BEIR dataset; there are {', '.join(sorted(catalogue.index))}")
    folder = Path(data_dir).expanduser() if data_dir is not None else files.cache_dir() / "beir"
    if (folder / name).is_dir():
        return folder / name
    if catalogue.loc[name, "public_download"] != "yes":
        raise fetch.Unavailable(f"{name} has no public zip; get it from its owner and put its folder into $BEIR_DATA_DIR/{name}")
    return fetch.fetch_zip(BEIR_URL.format(name=name), catalogue.loc[name, "zip_md5"], name, folder)


def load_beir_corpus(dataset_path: str | Path) -> Corpus:
    """`{doc_id: text}` from `corpus.jsonl`; the text is the title, a space, the body, without white space around it."""
    path = Path(dataset_path) / "corpus.jsonl"
    records = _records(path)
    return {
        doc_id: f"{_field(record, 'title', where, '')} {_field(record, 'text', where)}".strip()
        for where, doc_id, record in records
    }


def load_beir_queries(dataset_path: str | Path) -> Queries:
    """`{query_id: text}` from `queries.jsonl`, those of all splits."""
    path = Path(dataset_path) / "queries.jsonl"
    return {query_id: _field(record, "text", where) for where, query_id, record in _records(path)}


def load_beir_qrels(dataset_path: str | Path, split: str = "test") -> Qrels:
    """`{query_id: {doc_id: grade}}` from `qrels/{split}.tsv`, whose first line names the three columns."""
    path = Path(dataset_path) / "qrels" / f"{split}.tsv"
    if not path.is_file():
        splits = sorted(file.stem for file in path.parent.glob("*.tsv"))
        raise FileNotFoundError(
            f"{path} is not there; "
            + (f"splits that exist: {', '.join(splits)}" if splits else f"{path.parent} holds no split (.tsv file) at all")
        )
    lines = _lines(path)
    _check_header(next(lines, (f"{path}, line 1", ""))[1], path)
    qrels: Qrels = {}
    for where, line in lines:
        columns = line.split("\t")
        if len(columns) != 3:
            raise ValueError(
                f"{where}: {len(columns)} columns, needed 3 (query-id, corpus-id, score, tab-separated): {line[:80]!r}"
            )
        query_id, doc_id, grade = columns
        try:
            value = int(grade)
        except ValueError:
            raise ValueError(f"{where}: grade {grade!r} is not a whole number") from None
        if qrels.setdefault(query_id, {}).setdefault(doc_id, value) != value:
            raise ValueError(
                f"{where}: query {query_id!r}, document {doc_id!r} has grade {value} here and {qrels[query_id][doc_id]} above"
            )
    return qrels


def _records(path: Path) -> Iterator[tuple[str, str, dict]]:
    """The records of a JSONL file with their place and their id, which is text and stands there once."""
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there; a BEIR dataset has corpus.jsonl, queries.jsonl and a folder qrels")
    seen: dict[str, str] = {}
    for where, line in _lines(path):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"{where}: not valid JSON ({error}); is the file cut off?") from None
        if not isinstance(record, dict):
            raise ValueError(f"{where}: needed a JSON object with _id and text, found {line[:80]!r}")
        id_ = record.get("_id")
        if isinstance(id_, bool) or not isinstance(id_, str | int) or id_ == "":
            raise ValueError(f"{where}: needed an _id (text or whole number), found {id_!r}")
        id_ = str(id_)  # some files have numbers; the qrels' ids are text, and 1 never equals "1"
        if id_ in seen:
            raise ValueError(f"{where}: _id {id_!r} stands in {seen[id_].rpartition(', ')[2]} already; ids must be unique")
        seen[id_] = where
        yield where, id_, record


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines of a UTF-8 file that are not blank, with `file, line n` for messages."""
    # Read as bytes: text mode would break off without a line number where a byte is not UTF-8.
    with open(path, "rb") as file:
        for number, raw in enumerate(file, start=1):
            where = f"{path}, line {number}"
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise ValueError(f"{where}: not valid UTF-8 (byte {error.start + 1} of the line)") from None
            if line.strip():
                yield where, line


def _field(record: dict, name: str, where: str, default: str | None = None) -> str:
    value = record.get(name)
    value = default if value is None else value
    if not isinstance(value, str):
        raise ValueError(f"{where}: needed {name!r} as text, found {value!r}")
    return value


def _check_header(line: str, path: Path) -> None:
    columns = line.split("\t")
    if columns == _HEADER:
        return
    if sorted(columns) == sorted(_HEADER):
        cure = "the columns are swapped; put them into this order"
    elif len(line.split()) == 4:
        cure = "this looks like a TREC qrels file; read it with helpers.trec.read_qrels"
    else:
        cure = "the header is missing; add it as the first line"
    raise ValueError(f"{path}, line 1: needed the header {' '.join(_HEADER)!r} (tab-separated), found {line[:80]!r}: {cure}")


def _check_match(qrels: Qrels, queries: Queries, corpus: Corpus, path: Path) -> None:
    """Counts the judged ids that queries or corpus do not have; none matching at all is an error."""
    judged = {doc_id for grades in qrels.values() for doc_id in grades}
    for what, ids, known, file, so in (
        ("query", set(qrels), queries, "queries.jsonl", "they cannot be searched and count 0"),
        ("document", judged, corpus, "corpus.jsonl", "they cannot be found"),
    ):
        unknown = sorted(ids - known.keys())
        if not ids or len(unknown) == len(ids):
            hint = "are the columns swapped?" if ids & corpus.keys() and what == "query" else "wrong split?"
            raise ValueError(
                f"{path}: none of its {len(ids)} {what} ids (e.g. {next(iter(unknown), None)!r}) is in {file}: {hint}"
            )
        if unknown:
            warnings.warn(
                f"{path}: {len(unknown)} of {len(ids)} {what} ids are not in {file}, e.g. {unknown[0]!r}; {so}", stacklevel=3
            )
