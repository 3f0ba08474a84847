"""Test collections: the BEIR sets, found or downloaded and checked, and the two that are bundled with the course.

The catalogue, where a dataset is looked for, and what happens when it cannot be had. Reading the files of a BEIR folder
is done in `beir` (its loaders can be imported from here too), Markdown documents in `runbooks`, labelled queries in
`labels`, downloading in `fetch`.
"""

import os
from functools import lru_cache
from pathlib import Path

import pandas as pd

from helpers import fetch, files, labels, runbooks
from helpers.beir import check_match, load_beir_corpus, load_beir_qrels, load_beir_queries
from helpers.records import Dataset

BEIR_URL = "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/{name}.zip"
STAND_IN = "everyday-science"
__all__ = [
    "beir_catalogue",
    "download_beir",
    "find_beir",
    "load_beir",
    "load_beir_corpus",
    "load_beir_qrels",
    "load_beir_queries",
    "load_or_stand_in",
    "load_runbooks",
    "obtain_beir",
    "published",
    "published_figures",
]
_DATA = Path(__file__).parent / "data"


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
    folder, source = obtain_beir(name, path)
    corpus, all_queries = load_beir_corpus(folder), load_beir_queries(folder)
    qrels = load_beir_qrels(folder, split)
    check_match(qrels, all_queries, corpus, folder / "qrels" / f"{split}.tsv")
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


def load_runbooks(folder: str | Path = files.RUNBOOKS, queries: str | Path = files.QUERIES) -> Dataset:
    """The course's own collection: an operations wiki in Markdown and 30 labelled queries. Give both to load yours.

    Raises ValueError with all problems of the documents, or of the query file, at once.

    >>> sorted(load_runbooks().queries)[:2]
    ['q01', 'q02']
    """
    corpus = {document.doc_id: document.text for document in runbooks.read_documents(folder)}
    labelled = labels.load_labels(queries, corpus)
    shipped = (Path(folder), Path(queries)) == (files.RUNBOOKS, files.QUERIES)
    source = "bundled with the course" if shipped else f"{folder}, {queries}"
    return Dataset("runbooks", "test", corpus, labels.to_queries(labelled), labels.to_qrels(labelled), source)


def obtain_beir(name: str, path: str | Path | None = None) -> tuple[Path, str]:
    """The folder of a dataset and, in words, where it was: found on this computer, or downloaded.

    Raises `fetch.Unavailable`, with both ways to it named, where neither has it.
    """
    found = find_beir(name, path)
    if found:
        return found
    try:
        return download_beir(name), "the public zip, MD5 verified"
    except fetch.Unavailable as reason:
        folder = os.environ.get("BEIR_DATA_DIR")
        searched = f"BEIR_DATA_DIR={folder} has no folder {name}" if folder else "BEIR_DATA_DIR can name a folder that has it"
        raise fetch.Unavailable(f"{reason}; {searched}") from reason


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
