"""Finding, downloading and loading test collections: the BEIR sets and the two bundled with the course."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from helpers.base import check_option, check_path, fetch, files
from helpers.datasets.assembly import with_corpus
from helpers.datasets.beir import beir_documents, load_beir_qrels, load_beir_queries
from helpers.datasets.catalogue import FORUMS, beir_catalogue, default_split
from helpers.datasets.labels import LabelledQuery, load_labels, to_qrels, to_queries
from helpers.datasets.nuggets import load_needs
from helpers.datasets.runbooks import read_documents
from helpers.records import Corpus, Dataset

BEIR_URL = "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/{name}.zip"
STAND_IN = "everyday-science"
EDITION = "2.1.0"
"""Of the bundled runbooks: grades or pages changed, the first number; pages or queries added, the second."""
SPLITS = ("core", "dev", "test", "all", "unanswered")


def load_beir(
    name: str, split: str | None = None, path: str | Path | None = None, max_docs: int | None = None
) -> Dataset:
    """A dataset in BEIR layout, with the queries that its split judges: by default "test", for msmarco "dev".

    Looked for in this order: `path` (the dataset's own folder), `$BEIR_DATA_DIR/name`, the project's cache,
    the public zip (its MD5 verified). `cqadupstack` is twelve collections, "cqadupstack-android" and so on.
    `max_docs=n` keeps every judged document and the first others up to n, and says so in the dataset's name:
    a smaller corpus is easier to search.

    Raises `fetch.Unavailable` where it is in none of them, ValueError and FileNotFoundError for files that
    are not as they should be. Judged queries without a text and judged documents that the corpus lacks are
    counted in a warning; when none matches it is an error. Warns of documents that were read in a wrong
    encoding, are escaped as HTML or JSON, hold soft hyphens or broken words, or were cut by a spreadsheet,
    and of queries that are their ids, or documents.
    """
    split = default_split(name) if split is None else split
    folder, source = obtain_beir(name, path)
    dataset = Dataset(name, split, {}, load_beir_queries(folder), load_beir_qrels(folder, split), source)
    return with_corpus(dataset, beir_documents(folder), folder / "qrels" / f"{split}.tsv", max_docs)


def load_or_stand_in(name: str, split: str | None = None) -> Dataset:
    """`load_beir(name, split)`, or where it cannot be had the bundled collection, as one printed line says.

    Only unavailability is caught: files that are broken still raise.
    """
    try:
        return load_beir(name, split)
    except fetch.Unavailable as reason:
        stand_in = f"the bundled {STAND_IN!r} collection"
        print(f"{name} cannot be had here ({reason}). Every figure below is of {stand_in} instead.")
        return load_beir(STAND_IN, split, files.BUNDLED_BEIR / STAND_IN)


def load_runbooks(folder: str | Path = files.RUNBOOKS, queries: str | Path = "core") -> Dataset:
    """The course's own collection: an operations wiki, every page of it judged for every query.

    `queries` is "core" (the 30 of the first lessons), "dev" (the core among them), "test" (for what was
    chosen on dev), "all" (dev and test), or a query file of your own, for the documents of your `folder`.
    Queries that no page helps with are left out of these, for every ranking gets 0 for them: 56 of dev's 60
    are loaded, 79 of test's 90. "unanswered" has the other 15, with their zeros.

    Raises ValueError with all problems of the documents, or of the query files, at once, and
    FileNotFoundError for `queries` that are neither a name nor a file.

    >>> sorted(load_runbooks(queries="core").queries)[:2]
    ['q01', 'q02']
    """
    corpus = {document.doc_id: document.text for document in read_documents(folder)}
    if queries in SPLITS and Path(folder) == files.RUNBOOKS:
        labels, source, split = runbook_labels(str(queries), corpus), "bundled with the course", str(queries)
        version = runbooks_version()
    else:
        if not check_path(queries, "a name of queries, or a query file").is_file():
            names = f"the names {', '.join(SPLITS)} are those of the bundled documents"
            raise FileNotFoundError(f"queries is {str(queries)!r}, and no such file is there; {names}")
        labels, source, split = load_labels(queries, corpus), f"{folder}, {queries}", "test"
        version = ""
    return Dataset("runbooks", split, corpus, to_queries(labels), to_qrels(labels), source, version)


def runbooks_version() -> str:
    """The edition of the bundled runbooks and a hash of what it consists of: '2.1.0 (sha256 0123456789ab)'.

    The hash is of pages, queries with judgments, needs and nuggets; line ends count as one character.
    """
    digest = hashlib.sha256()
    parts = [files.QUERIES, files.MORE_QUERIES, files.NEEDS, files.NUGGETS]
    for path in [*sorted(files.RUNBOOKS.glob("*.md")), *parts]:
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return f"{EDITION} (sha256 {digest.hexdigest()[:12]})"


def runbook_labels(split: str, corpus: Corpus) -> list[LabelledQuery]:
    """The bundled labelled queries of "core", "dev", "test", "all" or "unanswered", as in `load_runbooks`."""
    check_option("split", split, SPLITS)
    core = load_labels(files.QUERIES, corpus)
    if split == "core":
        return core
    labels = core + load_labels(files.MORE_QUERIES, corpus)
    if split == "unanswered":
        return [label for label in labels if not label.relevant_doc_ids]
    needs = load_needs(labels)
    return [
        label for label in labels if label.relevant_doc_ids and split in ("all", needs[label.query_id].split)
    ]


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
        searched = " can name a folder that has it"
        if folder:
            searched = f"={folder} has no folder {name}"
            if Path(folder).expanduser().joinpath(_inside(name)).is_dir():
                searched = f"={folder} has a folder {name} without corpus.jsonl, queries.jsonl and qrels"
            elif _holds_a_dataset(Path(folder).expanduser()):
                searched = f"={folder} is the folder of one dataset; name the folder above it"
        raise fetch.Unavailable(f"{reason}; BEIR_DATA_DIR{searched}") from reason


def find_beir(name: str, path: str | Path | None = None) -> tuple[Path, str] | None:
    """The folder of a dataset on this computer and, in words, where it was found, or None. No download."""
    if path is not None:
        folder = check_path(path, "the folder that holds corpus.jsonl")
        with suppress(RuntimeError):  # ~ of nobody stays as it is
            folder = folder.expanduser()
        if not folder.is_dir():
            raise FileNotFoundError(f"{path} is no folder; give the folder that holds corpus.jsonl")
        return folder, "an explicit path"
    if not isinstance(name, str) or not name or set(name) & set("/\\:") or name.startswith("."):
        cure = "a folder of your own is given by its path: path= in Python, --path on the command line"
        raise ValueError(f"{name!r} is no dataset name; {cure}")
    if name == "cqadupstack":
        each = f"load them one by one: {', '.join(FORUMS)}"
        raise ValueError(f"{name} is twelve collections, each with its own corpus; {each}")
    searched = [(files.cache_dir() / "beir", "the project's cache")]
    if os.environ.get("BEIR_DATA_DIR"):
        searched.insert(0, (Path(os.environ["BEIR_DATA_DIR"]).expanduser(), "BEIR_DATA_DIR"))
    found = ((folder / _inside(name), source) for folder, source in searched)
    return next((pair for pair in found if _holds_a_dataset(pair[0])), None)


def download_beir(name: str, data_dir: str | Path | None = None) -> Path:
    """The folder of a BEIR dataset under `data_dir` (by default the project's cache), downloaded if missing.

    Raises ValueError for a name that BEIR does not have, `fetch.Unavailable` where it cannot be downloaded.
    """
    catalogue, zipped = beir_catalogue(), _inside(name).parts[0]
    if zipped not in catalogue.index:
        there = f"there are {', '.join(sorted(catalogue.index))}"
        own = "a folder of your own is given by its path: load_beir(name, path=...)"
        raise ValueError(f"{name!r} is not a BEIR dataset; {there}; {own}")
    home = Path(data_dir).expanduser() if data_dir is not None else files.cache_dir() / "beir"
    if not _holds_a_dataset(home / _inside(name)):
        if catalogue.loc[zipped, "public_download"] != "yes":
            cure = f"get it from its owner and put its folder into $BEIR_DATA_DIR/{name}"
            raise fetch.Unavailable(f"{name} has no public zip; {cure}")
        fetch.fetch_zip(BEIR_URL.format(name=zipped), catalogue.loc[zipped, "zip_md5"], zipped, home)
    return home / _inside(name)


def _holds_a_dataset(folder: Path) -> bool:
    return any((folder / file).exists() for file in ("corpus.jsonl", "queries.jsonl", "qrels"))


def _inside(name: str) -> Path:
    """The path of a dataset in a folder of datasets: a forum of cqadupstack is in the folder of that name."""
    return Path("cqadupstack", name.removeprefix("cqadupstack-")) if name in FORUMS else Path(name)
