"""The chunk lab: the same queries, quotes and retriever under several ways to cut the documents.

How documents are cut is in `chunking`; here one cut is measured: how well it ranks documents, how much of what the
quotes say fits into a context of fixed size, and what it costs.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from tiktoken import Encoding

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


def lab_chunkers(encoding: Encoding) -> dict[str, Chunker]:
    """The cuts that the lab compares, by name: whole documents, then tokens and overlap (about a tenth) of each cut."""
    chunkers: dict[str, Chunker] = {
        "whole documents": lambda text: [Chunk("", 0, text, 0, len(text))] if text else []
    }
    for size, overlap in ((1024, 100), (512, 50), (256, 25), (128, 12)):
        chunkers[f"fixed {size}/{overlap}"] = partial(
            chunk_fixed, chunk_size=size, overlap=overlap, encoding=encoding
        )
    for size, overlap in ((512, 50), (256, 25), (128, 12)):
        chunkers[f"recursive {size}/{overlap}"] = partial(
            chunk_recursive, chunk_size=size, overlap=overlap, encoding=encoding
        )
    return {**chunkers, "paragraphs": chunk_paragraphs}


def measure_chunker(
    dataset: Dataset,
    labels: list[LabelledQuery],
    name: str,
    chunker: Chunker,
    encoding: Encoding,
    budget: int = 2000,
) -> dict:
    """One result row: BM25 (rank-bm25, plain terms) over the chunks of `chunker`, and what `budget` tokens of them hold.

    The metrics are of documents (`to_documents`). Beside those of `report.result_row` the row has `encoding`, `chunks`,
    `tokens per chunk` (mean), `postings` (pairs of a term and a chunk that holds it: the size of an index), `budget`
    and `quote recall` (`quote_recall`, mean over queries). Raises ValueError for labels of other queries than the dataset's.
    """
    if {label.query_id for label in labels} != dataset.queries.keys():
        raise ValueError(
            f"the labels are not those of the queries of {dataset.name!r}; load both from one file"
        )
    chunks = chunk_corpus(dataset.corpus, chunker)
    retriever = RankBM25(to_corpus(chunks), plain)
    run = retriever.search(dataset.queries, k=len(chunks))
    counts, _ = count_terms((chunk.text for chunk in chunks), plain)
    recalls = quote_recall(run, chunks, labels, dataset.corpus, encoding, budget)
    row = result_row(
        dataset,
        f"{retriever.name}; {name}",
        evaluate_retrieval(to_documents(run), dataset.qrels, (5, 10, 100)),
    )
    return {
        **row,
        "encoding": encoding.name,
        "chunks": len(chunks),
        "tokens per chunk": round(
            float(np.mean([len(tokens.encode(chunk.text, encoding)) for chunk in chunks])), 1
        ),
        "postings": int(counts.nnz),
        "budget": budget,
        "quote recall": round(float(np.mean(list(recalls.values()))), 6),
    }


def quote_recall(
    run: Run,
    chunks: list[Chunk],
    labels: list[LabelledQuery],
    corpus: Corpus,
    encoding: Encoding,
    budget: int,
) -> dict[str, float]:
    """For each query, the share of its quotes' tokens that stand in the first `budget` tokens retrieved.

    Chunks are put into the context in the order of the run; the one that does not fit any more is cut off. A passage
    that two chunks share is paid for twice and counted once. The quotes are those of grade 1 and 2. Raises ValueError for
    a run with ids of other chunks, and for a budget that is no whole number from 1 up.
    """
    by_id = {chunk.chunk_id: chunk for chunk in chunks}
    recalls = {}
    for label in labels:
        ranked = [by_id.get(chunk_id) for chunk_id, _ in run.get(label.query_id, [])]
        if None in ranked:
            strange = run[label.query_id][ranked.index(None)][0]
            raise ValueError(
                f"run, query {label.query_id!r}: {strange!r} is none of the chunks; give the run before folding"
            )
        context = fill_context(ranked, encoding, budget)
        held = wanted = 0
        for doc_id, (start, end) in quote_spans(label, corpus).items():
            offsets = [start + offset for offset in token_offsets(corpus[doc_id][start:end], encoding)]
            seen = np.zeros(end, dtype=bool)
            for _, first, last in (piece for piece in context if piece[0] == doc_id):
                seen[first:last] = True
            quote_tokens = list(zip(offsets, offsets[1:], strict=False))
            held += sum(bool(seen[first:last].all()) for first, last in quote_tokens)
            wanted += len(quote_tokens)
        recalls[label.query_id] = held / wanted
    return recalls


def fill_context(ranked: list[Chunk], encoding: Encoding, budget: int) -> list[tuple[str, int, int]]:
    """`(doc_id, start, end)` of what is put into a context of `budget` tokens, in order; the last piece may be cut.

    >>> from helpers.text import load_stand_in
    >>> fill_context([Chunk("d1", 0, "one two", 0, 7), Chunk("d2", 1, " three four five", 9, 25)], load_stand_in(), budget=3)
    [('d1', 0, 7), ('d2', 9, 15)]
    """
    if not isinstance(budget, int) or budget < 1:
        raise ValueError(f"the budget is {budget!r}; it is a whole number of tokens, 1 or more")
    context = []
    for chunk in ranked:
        offsets = token_offsets(chunk.text, encoding)
        kept = min(len(offsets) - 1, budget)
        context.append((chunk.doc_id, chunk.start, chunk.start + offsets[kept]))
        budget -= kept
        if budget == 0:
            break
    return context
