"""Encodes the collections that come with the course, and SciFact: makes `evals/vectors/`.

    python -m course weights all-MiniLM-L6-v2
    .venv/bin/python evals/benchmarks/encode_vectors.py [--collections runbooks,everyday-science,scifact]

One file a collection, `COLLECTION.MODEL.npz`: vectors made in 32 bits and stored in 16, with a key of each
text (the first bytes of its SHA-256), by which it is found again. Documents are the pages, and of the
runbooks also their chunks of 200 tokens of which 50 are shared, in either encoding (cl100k_base, and the
bundled one), without and with the page's title and a space before them; queries are those of all splits, and
of the runbooks also those that a model wrote and those that templates draft from the pages.
An encoding that was interrupted goes on. SciFact's 5,183 documents take about 15 minutes of one core.
"""

import argparse
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from helpers.base import files
from helpers.datasets import (
    find_beir,
    load_beir_corpus,
    load_beir_queries,
    load_model_queries,
    load_runbooks,
    read_documents,
)
from helpers.encoders import BUNDLED_MODEL, kept_vectors, load_encoder, write_known
from helpers.records import Chunk
from helpers.text import chunk_corpus, chunk_fixed, tokens
from workbench.corpus import SourceDocument
from workbench.dataset_files import EvaluationQuery
from workbench.projects import draft_queries

COLLECTIONS = ("runbooks", "everyday-science", "scifact")
CHUNK_SIZE, OVERLAP = 200, 50


def runbook_texts() -> tuple[list[str], list[str]]:
    """Pages, chunks, chunks with titles; and the queries of all splits, those without an answer too."""
    every, unanswered = load_runbooks(queries="all"), load_runbooks(queries="unanswered")
    title_of = {document.doc_id: document.title for document in read_documents(files.RUNBOOKS)}
    documents = list(every.corpus.values())
    for encoding in (tokens.load_cl100k(), tokens.load_stand_in()):
        cut = partial(chunk_fixed, chunk_size=CHUNK_SIZE, overlap=OVERLAP, encoding=encoding)
        chunks = chunk_corpus(every.corpus, cut)
        documents += [chunk.text for chunk in chunks] + [_titled(chunk, title_of) for chunk in chunks]
    written = load_model_queries(every.corpus)[1].queries
    asked = [*every.queries.values(), *unanswered.queries.values()]
    return documents, [*asked, *written.values(), *drafted_queries().values()]


def drafted_queries(n: int = 120) -> dict[str, str]:
    """`{query_id: text}` of queries made from the pages by the workbench's templates."""
    return {row.query_id: row.query_text for row in _drafts(n)}


def drafted_sources(n: int = 120) -> dict[str, str]:
    """`{query_id: doc_id}`: the page that each drafted query was made from."""
    return {row.query_id: row.expected_item_id for row in _drafts(n)}


def _drafts(n: int) -> Sequence[EvaluationQuery]:
    pages = [
        SourceDocument(page.doc_id, page.title, page.body, "") for page in read_documents(files.RUNBOOKS)
    ]
    return draft_queries(pages, limit=n).queries


def beir_texts(name: str) -> tuple[list[str], list[str]]:
    """The documents and the queries of all splits of a dataset in BEIR layout."""
    bundled = files.BUNDLED_BEIR / name
    folder = bundled if bundled.is_dir() else find_beir(name)
    if folder is None:
        raise ValueError(f"{name} is not here: set BEIR_DATA_DIR to a folder that holds it")
    return list(load_beir_corpus(folder).values()), list(load_beir_queries(folder).values())


def encode(collection: str, encoder: object, out: Path) -> Path:
    """Writes the file of one collection; each text is encoded once."""
    texts = runbook_texts() if collection == "runbooks" else beir_texts(collection)
    by_kind = {kind: _numbered(some) for kind, some in zip(("document", "query"), texts, strict=True)}
    vectors = {
        kind: kept_vectors(encoder, numbered, f"{collection}-bundled", kind)[1]
        for kind, numbered in by_kind.items()
    }
    listed = {kind: list(numbered.values()) for kind, numbered in by_kind.items()}
    return write_known(out / f"{collection}.{BUNDLED_MODEL}.npz", encoder, listed, vectors)


def _titled(chunk: Chunk, title_of: dict[str, str]) -> str:
    return f"{title_of[chunk.doc_id]} {chunk.text}"


def _numbered(texts: Iterable[str]) -> dict[str, str]:
    return {f"{number:06}": text for number, text in enumerate(dict.fromkeys(texts))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--collections", default=",".join(COLLECTIONS), help="names, separated by commas")
    parser.add_argument("--model", default=BUNDLED_MODEL, help="its name, or a folder with its weights")
    parser.add_argument("--out", type=Path, default=files.VECTORS, help="folder (default: evals/vectors)")
    chosen = parser.parse_args()
    encoder = load_encoder(chosen.model)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for collection in chosen.collections.split(","):
        path = encode(collection, encoder, chosen.out)
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
