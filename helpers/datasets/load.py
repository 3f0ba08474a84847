"""Test collections: the BEIR sets, those of the Hugging Face hub, and the two that are bundled with the course.

Where a dataset is looked for, and what happens when it cannot be had. What is known of the BEIR sets without their files is in
`catalogue`, the reading of a BEIR folder in `beir`, the hub's collections in `hub`; their functions can be imported from here
too, and `load_dataset` for a dataset file, which is read in `dataset_file`. Markdown documents are read in `runbooks`, labelled
queries in `labels`; downloading is done in `fetch`.
"""

import os
from pathlib import Path

from helpers.base import fetch, files
from helpers.datasets import labels, runbooks
from helpers.datasets.beir import (
    beir_documents,
    check_match,
    load_beir_corpus,
    load_beir_qrels,
    load_beir_queries,
)
from helpers.datasets.catalogue import (
    FORUMS,
    beir_catalogue,
    default_split,
    parts,
    published,
    published_figures,
)
from helpers.datasets.hub import (
    load_miracl,
    load_mmarco,
    load_msmarco,
    stream_miracl_corpus,
    stream_mmarco_collection,
)
from helpers.datasets.truncation import kept_documents, truncated_name
from helpers.records import Dataset

BEIR_URL = "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/{name}.zip"
STAND_IN = "everyday-science"
__all__ = [
    "beir_catalogue",
    "default_split",
    "download_beir",
    "find_beir",
    "load_beir",
    "load_beir_corpus",
    "load_beir_qrels",
    "load_beir_queries",
    "load_miracl",
    "load_mmarco",
    "load_msmarco",
    "load_or_stand_in",
    "load_runbooks",
    "obtain_beir",
    "parts",
    "published",
    "published_figures",
    "stream_miracl_corpus",
    "stream_mmarco_collection",
]


def load_beir(
    name: str, split: str | None = None, path: str | Path | None = None, max_docs: int | None = None
) -> Dataset:
    """A dataset in BEIR layout, with the queries that its split judges: "test" where none is given, "dev" for msmarco.

    Looked for in this order: `path` (the dataset's own folder), `$BEIR_DATA_DIR/name`, the project's cache, the public
    zip (its MD5 verified). `cqadupstack` is twelve collections, "cqadupstack-android" and so on. `max_docs=n` keeps every
    judged document and the first others up to n, and says so in the dataset's name: a smaller corpus is easier to search.

    Raises `fetch.Unavailable` where none of the places has it, ValueError and FileNotFoundError for files that are not as
    they should be. Judged queries without a text and judged documents that the corpus lacks are counted in a warning; when
    none matches it is an error.
    """
    split = default_split(name) if split is None else split
    folder, source = obtain_beir(name, path)
    all_queries, qrels = load_beir_queries(folder), load_beir_qrels(folder, split)
    judged = {doc_id for grades in qrels.values() for doc_id in grades}
    corpus, complete = kept_documents(beir_documents(folder), judged, max_docs)
    check_match(qrels, all_queries, corpus, folder / "qrels" / f"{split}.tsv")
    queries = {query_id: text for query_id, text in all_queries.items() if query_id in qrels}
    return Dataset(
        name if complete else truncated_name(name, len(corpus)), split, corpus, queries, qrels, source
    )


def load_or_stand_in(name: str, split: str | None = None) -> Dataset:
    """`load_beir(name, split)`, or where it cannot be had the bundled collection, with one printed line that says so.

    Only unavailability is caught: files that are there and broken still raise.
    """
    try:
        return load_beir(name, split)
    except fetch.Unavailable as reason:
        print(
            f"{name} cannot be had here ({reason}). Every figure below is of the bundled {STAND_IN!r} collection instead."
        )
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
        searched = (
            f"BEIR_DATA_DIR={folder} has no folder {name}"
            if folder
            else "BEIR_DATA_DIR can name a folder that has it"
        )
        raise fetch.Unavailable(f"{reason}; {searched}") from reason


def find_beir(name: str, path: str | Path | None = None) -> tuple[Path, str] | None:
    """The folder of a dataset on this computer and, in words, where that is; None where it is not. Never downloads."""
    if path is not None:
        if not Path(path).is_dir():
            raise FileNotFoundError(f"{path} is no folder; give the folder that holds corpus.jsonl")
        return Path(path), "an explicit path"
    if not name or set(name) & set("/\\:") or name.startswith("."):
        raise ValueError(f"{name!r} is no dataset name; to read a folder, give it as path=")
    if name == "cqadupstack":
        raise ValueError(
            f"cqadupstack is twelve collections, each with its own corpus; load them one by one: {', '.join(FORUMS)}"
        )
    places = [(files.cache_dir() / "beir", "the project's cache")]
    if os.environ.get("BEIR_DATA_DIR"):
        places.insert(0, (Path(os.environ["BEIR_DATA_DIR"]).expanduser(), "BEIR_DATA_DIR"))
    inside = _inside(name)
    return next(
        ((folder / inside, source) for folder, source in places if _holds_a_dataset(folder / inside)), None
    )


def download_beir(name: str, data_dir: str | Path | None = None) -> Path:
    """The folder of a BEIR dataset under `data_dir` (the project's cache by default), downloaded if it is not there yet.

    Raises ValueError for a name that BEIR does not have, `fetch.Unavailable` for one that cannot be downloaded.
    """
    catalogue, zipped = beir_catalogue(), _inside(name).parts[0]
    if zipped not in catalogue.index:
        raise ValueError(f"{name!r} is not a BEIR dataset; there are {', '.join(sorted(catalogue.index))}")
    folder = Path(data_dir).expanduser() if data_dir is not None else files.cache_dir() / "beir"
    if not _holds_a_dataset(folder / _inside(name)):
        if catalogue.loc[zipped, "public_download"] != "yes":
            raise fetch.Unavailable(
                f"{name} has no public zip; get it from its owner and put its folder into $BEIR_DATA_DIR/{name}"
            )
        fetch.fetch_zip(BEIR_URL.format(name=zipped), catalogue.loc[zipped, "zip_md5"], zipped, folder)
    return folder / _inside(name)


def _holds_a_dataset(folder: Path) -> bool:
    return any((folder / file).exists() for file in ("corpus.jsonl", "queries.jsonl", "qrels"))


def _inside(name: str) -> Path:
    """Where a dataset stands in a folder of datasets: a forum of cqadupstack in the folder of that name."""
    return Path("cqadupstack", name.removeprefix("cqadupstack-")) if name in FORUMS else Path(name)
