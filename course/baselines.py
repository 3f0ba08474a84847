"""The systems that the course compares on the runbooks, and their stored runs in `evals/runs/`.

What is said about the collection over systems (what pooling misses, how hard a query is) is said over these.
"""

from functools import partial
from pathlib import Path

from tiktoken import Encoding

from helpers.base import files
from helpers.datasets import trec
from helpers.records import Corpus, Queries, Run
from helpers.retrieval import CsrBM25, LatentRetriever, RankBM25, SqliteFTS5, to_documents
from helpers.text import chunk_corpus, chunk_fixed, lucene_english, plain, to_corpus

DEPTH = 50
"""Documents a query in a stored run."""
BASELINE = "rank-bm25, chunks of 512 tokens"
FILE_OF = {
    BASELINE: "rank_bm25_chunks_512",
    "rank-bm25, whole pages": "rank_bm25_whole",
    "Lucene BM25, chunks of 256 tokens": "lucene_bm25_chunks_256",
    "Lucene BM25, whole pages": "lucene_bm25_whole",
    "latent semantic, whole pages": "latent_semantic",
    "SQLite FTS5, whole pages": "sqlite_fts5",
}
"""`{system: stem of its file}`; the baseline of the course first."""


def baseline_chunk_run(corpus: Corpus, queries: Queries, encoding: Encoding) -> Run:
    """The course's baseline before folding: rank-bm25, plain terms, chunks of 512 tokens of which 50 are
    shared."""
    chunks = chunk_corpus(corpus, partial(chunk_fixed, encoding=encoding))
    return RankBM25(to_corpus(chunks), plain).search(queries, k=len(chunks))


def baseline_runs(corpus: Corpus, queries: Queries, encoding: Encoding) -> dict[str, Run]:
    """`{system: run}` over documents, whole rankings, for each of `FILE_OF`."""
    k = len(corpus)
    small = chunk_corpus(corpus, partial(chunk_fixed, chunk_size=256, overlap=25, encoding=encoding))
    lucene_chunks = CsrBM25(to_corpus(small), lucene_english).search(queries, len(small))
    return {
        BASELINE: to_documents(baseline_chunk_run(corpus, queries, encoding)),
        "rank-bm25, whole pages": RankBM25(corpus, plain).search(queries, k),
        "Lucene BM25, chunks of 256 tokens": to_documents(lucene_chunks),
        "Lucene BM25, whole pages": CsrBM25(corpus, lucene_english).search(queries, k),
        "latent semantic, whole pages": LatentRetriever(corpus).search(queries, k),
        "SQLite FTS5, whole pages": SqliteFTS5(corpus).search(queries, k),
    }


def write_runs(runs: dict[str, Run]) -> list[Path]:
    """Writes the first `DEPTH` documents of each run to `evals/runs/`, scores to four decimals."""
    paths = []
    for name, run in runs.items():
        path = files.RUNS / f"{FILE_OF[name]}.run.gz"
        trec.write_run({q: _rounded(results) for q, results in run.items()}, path, FILE_OF[name])
        paths.append(path)
    return paths


def _rounded(results: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """The first results with scores of four decimals, in the order that they had.

    Scores that rounding would make equal, or turn round, are a ten-thousandth apart: a TREC file's order is
    that of its scores alone.
    """
    rounded: list[tuple[str, float]] = []
    for doc_id, score in results[:DEPTH]:
        highest = round(rounded[-1][1] - 0.0001, 4) if rounded else round(score, 4)
        rounded.append((doc_id, min(round(score, 4), highest)))
    return rounded


def load_runs() -> dict[str, Run]:
    """`{system: run}`, as stored."""
    return {name: trec.read_run(files.RUNS / f"{stem}.run.gz") for name, stem in FILE_OF.items()}
