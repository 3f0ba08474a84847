"""Many small indexes that answer as one: count, merge the statistics, weigh, search each, merge the lists.

A shard is a part of the documents with an index of its own. A BM25 weight needs three things of the whole
collection: N, the mean length, and the df of each term. So every shard counts its own documents first, and
none is weighed before the counts of all are added up. Then each shard's scores are those that one index would
give, to the last bit, and the best documents of all shards are among the best of each.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from helpers.base import check_whole
from helpers.retrieval import (
    CollectionStatistics,
    SparseIndex,
    count_terms,
    document_frequency,
    packed,
    unpacked,
    weigh,
)
from helpers.text import Analyzer

Found = tuple[np.ndarray, np.ndarray]
"""What a search finds, two arrays, queries × k: document numbers (int32) and scores (float32), best first,
padded with −1 and 0."""


@dataclass(frozen=True, eq=False)
class CountedShard:
    """Documents whose terms are counted: a row of `counts` for each, a column for each of `terms`.

    `terms` are in the order in which they first occur. `numbers` (int32, ascending) has for each row the
    document's number in the whole collection, where documents are numbered in the order of their ids.
    """

    numbers: np.ndarray
    terms: list[str]
    counts: csr_matrix


@dataclass(frozen=True, eq=False)
class Statistics:
    """What the weights need to know of a shard, or of all: sizes, and for each term its df and where it first
    occurs, as (document number, which of the shard's terms). `df` is in the order of first occurrence."""

    n_documents: int
    n_occurrences: int
    df: dict[str, int]
    first: dict[str, tuple[int, int]]

    @cached_property
    def columns(self) -> dict[str, int]:
        """The column of each term, `{term: column}`, in a matrix of the collection."""
        return {term: column for column, term in enumerate(self.df)}

    @cached_property
    def in_columns(self) -> CollectionStatistics:
        """The same as `weigh` takes it: df as an array, a column for each term."""
        df = np.fromiter(self.df.values(), dtype=np.int64, count=len(self.df))
        return CollectionStatistics(self.n_documents, self.n_occurrences, df)


@dataclass(frozen=True, eq=False)
class Shard:
    """A shard that can be searched: its index, and for each row of it the number of the document.

    `open_again`, for a shard that lies on disk, is how another process gets it: a function and its arguments.
    """

    numbers: np.ndarray
    index: SparseIndex
    open_again: tuple[Callable[..., "Shard"], tuple[Path]] | None = None

    def __reduce__(self) -> tuple:
        # A shard on disk travels as its path, not as its bytes.
        return self.open_again or (Shard, (self.numbers, self.index))


def count_shard(numbers: np.ndarray, texts: list[str], analyzer: Analyzer) -> CountedShard:
    """Counts the terms of a shard's documents, which are given in the order of their ids.

    Raises ValueError for another number of `numbers` than of texts.

    >>> count_shard(np.array([0, 1]), ["a rose is a rose", "it is"], str.split).terms
    ['a', 'rose', 'is', 'it']
    """
    counts, vocabulary = count_terms(texts, analyzer)
    if np.shape(numbers) != (counts.shape[0],):
        found = f"numbers of the shape {np.shape(numbers)} for {counts.shape[0]} texts"
        raise ValueError(f"{found}; each document needs the number that it has in the collection")
    return CountedShard(np.asarray(numbers, dtype=np.int32), list(vocabulary), counts)


def statistics(shard: CountedShard) -> Statistics:
    """What one shard can say alone: how many documents and occurrences it has, df and first place of terms.

    >>> found = statistics(count_shard(np.array([4, 7]), ["a rose is a rose", "it is"], str.split))
    >>> found.n_documents, found.n_occurrences, found.df
    (2, 7, {'a': 1, 'rose': 1, 'is': 2, 'it': 1})
    >>> found.first["it"]
    (7, 3)
    """
    counts, terms = shard.counts, shard.terms
    df = document_frequency(counts)
    # The first row of each column: rows are written last to first, so that the first one stays.
    rows = np.repeat(shard.numbers, np.diff(counts.indptr))
    first = np.zeros(len(terms), dtype=np.int32)
    first[counts.indices[::-1]] = rows[::-1]
    places = zip(first.tolist(), range(len(terms)), strict=True)
    return Statistics(
        counts.shape[0],
        int(counts.sum()),
        dict(zip(terms, df.tolist(), strict=True)),
        dict(zip(terms, places, strict=True)),
    )


def merge_statistics(shards: Iterable[Statistics]) -> Statistics:
    """The statistics of all shards together: sums, and the earliest of the first places.

    Terms come in the order in which they first occur in the collection. One index numbers its columns so, and
    adds up a score in the order of its columns; another order could change the last bit of a sum.

    >>> left = statistics(count_shard(np.array([0]), ["a rose"], str.split))
    >>> right = statistics(count_shard(np.array([1]), ["this rose"], str.split))
    >>> total = merge_statistics([right, left])
    >>> total.n_documents, total.n_occurrences, total.df
    (2, 4, {'a': 1, 'rose': 2, 'this': 1})
    """
    n_documents, n_occurrences, df, first = 0, 0, Counter(), {}
    for shard in shards:
        n_documents += shard.n_documents
        n_occurrences += shard.n_occurrences
        df.update(shard.df)
        for term, place in shard.first.items():
            if term not in first or place < first[term]:
                first[term] = place
    in_order = sorted(df, key=first.__getitem__)
    return Statistics(n_documents, n_occurrences, {term: df[term] for term in in_order}, first)


def weigh_shard(shard: CountedShard, total: Statistics, scoring: dict) -> Shard:
    """The shard's index, weighed with the statistics of all shards; `scoring` are parameters of `weigh`."""
    # The shard's columns become those of the whole collection.
    renumbered = np.array([total.columns[term] for term in shard.terms], dtype=np.int32)
    arrays = shard.counts.data, renumbered[shard.counts.indices], shard.counts.indptr
    counts = csr_matrix(arrays, (len(shard.numbers), len(total.df))).sorted_indices()
    weighted = weigh(counts, **scoring, statistics=total.in_columns).documents
    return Shard(shard.numbers, SparseIndex(weighted))


def search_shard(shard: Shard, queries: csr_matrix, k: int, n_postings: int | None = None) -> Found:
    """The shard's k best documents of each query, as the whole collection numbers them. (`n_postings`, which
    the queries read in all shards, tells whether machine code is worth loading.)"""
    rows, scores = shard.index.search(queries, k, n_postings)
    numbers, held = np.full_like(rows, -1), rows >= 0
    numbers[held] = shard.numbers[rows[held]]
    return numbers, scores


def merge_top(found: Iterable[Found], k: int) -> Found:
    """The k best of what every shard found: by score, and of equal scores the higher number.

    Numbers are in the order of the ids, so this is the course's rule, doc_id down. Scores may lie below zero,
    as those of vectors do. Raises ValueError for lists of another number of queries, or without scores.

    >>> left = np.array([[4, 0]], np.int32), np.array([[2.0, 1.0]], np.float32)
    >>> right = np.array([[5, -1]], np.int32), np.array([[2.0, 0.0]], np.float32)
    >>> numbers, scores = merge_top([left, right], k=2)
    >>> numbers.tolist(), scores.tolist()
    ([[5, 4]], [[2.0, 2.0]])
    """
    check_whole("k", k, least=0, of="documents")
    best: Found | None = None
    for numbers, scores in found:
        numbers, scores = np.asarray(numbers), np.asarray(scores)
        shapes = [part.shape for part in (numbers, scores)]
        if numbers.ndim != 2 or shapes[0] != shapes[1] or (best and len(best[0]) != len(numbers)):
            needed = "needed two arrays, queries × k, of the same queries from every shard"
            raise ValueError(f"numbers of shape {shapes[0]}, scores of shape {shapes[1]}; {needed}")
        if best:
            numbers, scores = (
                np.concatenate(two, axis=1) for two in zip(best, (numbers, scores), strict=True)
            )
        best = _first(numbers, scores, k)
    return best or (np.empty((0, 0), np.int32), np.empty((0, 0), np.float32))


def _first(numbers: np.ndarray, scores: np.ndarray, k: int) -> Found:
    """The k best of each row, padding last."""
    if numbers.dtype == np.int32 and scores.dtype == np.float32 and not (scores[numbers >= 0] <= 0).any():
        # Score and number packed into one, so that one sort settles both.
        hits = np.sort(packed(numbers, scores), axis=1)[:, max(numbers.shape[1] - k, 0) :]
        return unpacked(hits[:, ::-1])
    order = np.lexsort((numbers, np.where(numbers < 0, -np.inf, scores)), axis=1)[:, ::-1][:, :k]
    return np.take_along_axis(numbers, order, axis=1), np.take_along_axis(scores, order, axis=1)
