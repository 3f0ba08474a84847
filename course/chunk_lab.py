"""The chunk lab: the same queries, quotes and retriever under several ways to cut the documents.

One cut is measured by how well it ranks documents, how much of what the quotes say fits into a context of
fixed size, and what it costs.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from tiktoken import Encoding

from helpers.answers import fill_context
from helpers.datasets import LabelledQuery, quote_spans
from helpers.evaluation import evaluate_retrieval, result_row
from helpers.records import Chunk, Corpus, Dataset, Run
from helpers.retrieval import RankBM25, count_terms, to_documents
from helpers.text import (
    chunk_corpus,
    chunk_fixed,
    chunk_paragraphs,
    chunk_recursive,
    plain,
    to_corpus,
    token_offsets,
    tokens,
)

Chunker = Callable[[str], list[Chunk]]


class Measured(NamedTuple):
    """What a cut is worth: a result row of means, and a value per query (index: `query_id`)."""

    row: dict
    per_query: pd.DataFrame


def lab_chunkers(encoding: Encoding) -> dict[str, Chunker]:
    """The cuts that the lab compares, by name: whole documents, then tokens and overlap (about a tenth)."""
    sizes = ((1024, 100), (512, 50), (256, 25), (128, 12))
    fixed = {f"fixed {size}/{overlap}": (chunk_fixed, size, overlap) for size, overlap in sizes}
    recursive = {
        f"recursive {size}/{overlap}": (chunk_recursive, size, overlap) for size, overlap in sizes[1:]
    }
    return {
        "whole documents": lambda text: [Chunk("", 0, text, 0, len(text))] if text else [],
        **{
            name: partial(chunker, chunk_size=size, overlap=overlap, encoding=encoding)
            for name, (chunker, size, overlap) in (fixed | recursive).items()
        },
        "paragraphs": chunk_paragraphs,
    }


def measure_chunker(
    dataset: Dataset,
    labels: list[LabelledQuery],
    name: str,
    chunker: Chunker,
    encoding: Encoding,
    budget: int = 2000,
) -> Measured:
    """BM25 (rank-bm25, plain terms) over the chunks of one cut, and what `budget` tokens of them hold.

    The metrics are of documents (`to_documents`). Beside those of `result_row` the row has `encoding`,
    `chunks`, `tokens per chunk` (mean), `postings` (pairs of a term and a chunk that holds it: the size of an
    index), `budget` and `quote recall` (`quote_recall`, mean over queries). `per_query` has the columns
    `nDCG@10`, `MRR` and `quote recall`. Raises ValueError for labels of other queries than the dataset's.
    """
    if {label.query_id for label in labels} != dataset.queries.keys():
        raise ValueError(
            f"the labels are not those of the queries of {dataset.name!r}; load both from one file"
        )
    # The chunks are ranked all, so that a document found only far down is not lost by folding.
    chunks = chunk_corpus(dataset.corpus, chunker)
    retriever = RankBM25(to_corpus(chunks), plain)
    run = retriever.search(dataset.queries, k=len(chunks))
    evaluation = evaluate_retrieval(to_documents(run), dataset.qrels, (5, 10, 100))
    # What the context holds is read from the run over chunks; what an index costs from their terms.
    recalls = pd.Series(quote_recall(run, chunks, labels, dataset.corpus, encoding, budget))
    counts, _ = count_terms((chunk.text for chunk in chunks), plain)
    n_tokens = [tokens.count_tokens(chunk.text, encoding) for chunk in chunks]
    row = {
        **result_row(dataset, f"{retriever.name}; {name}", evaluation),
        "encoding": encoding.name,
        "chunks": len(chunks),
        "tokens per chunk": round(float(np.mean(n_tokens)), 1),
        "postings": int(counts.nnz),
        "budget": budget,
        "quote recall": round(float(recalls.mean()), 6),
    }
    per_query = evaluation.per_query[["nDCG@10", "MRR"]].assign(**{"quote recall": recalls})
    return Measured(row, per_query)


def quote_recall(
    run: Run,
    chunks: list[Chunk],
    labels: list[LabelledQuery],
    corpus: Corpus,
    encoding: Encoding,
    budget: int,
) -> dict[str, float]:
    """For each query, the share of its quotes' tokens that are in the first `budget` tokens retrieved.

    Chunks are put into the context in the order of the run; the one that does not fit any more is cut off. A
    passage that two chunks share is paid for twice and counted once. The quotes are those of grade 1 and 2.
    Raises ValueError for a run with ids of other chunks, and for a budget that is no whole number from 1 up.
    """
    by_id = {chunk.chunk_id: chunk for chunk in chunks}
    recalls = {}
    for label in labels:
        chunk_ids = [chunk_id for chunk_id, _ in run.get(label.query_id, [])]
        if strange := [chunk_id for chunk_id in chunk_ids if chunk_id not in by_id]:
            what = f"run, query {label.query_id!r}: {strange[0]!r} is none of the chunks"
            raise ValueError(f"{what}; give the run before folding")
        context = fill_context([by_id[chunk_id] for chunk_id in chunk_ids], encoding, budget)
        n_held = n_wanted = 0
        for doc_id, (start, end) in quote_spans(label, corpus).items():
            # Which characters of the document the context shows, however many chunks show them.
            seen = np.zeros(end, dtype=bool)
            for _, first, last in (piece for piece in context if piece[0] == doc_id):
                seen[first:last] = True
            # A token of the quote counts where all of its characters are shown.
            offsets = [start + offset for offset in token_offsets(corpus[doc_id][start:end], encoding)]
            held = [seen[first:last].all() for first, last in zip(offsets, offsets[1:], strict=False)]
            n_held, n_wanted = n_held + sum(map(bool, held)), n_wanted + len(held)
        recalls[label.query_id] = n_held / n_wanted
    return recalls
