"""BM25 over shards, exact: one retriever, whose documents lie in many indexes, here or on other machines."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix

from helpers.base import check_flag, check_whole
from helpers.records import Corpus
from helpers.retrieval import CsrBM25, check_analyzer, check_corpus, parameters, weigh
from helpers.scale import shard_files
from helpers.scale.shards import (
    Found,
    Shard,
    Statistics,
    count_shard,
    merge_statistics,
    merge_top,
    search_shard,
    statistics,
    weigh_shard,
)
from helpers.text import Analyzer, lucene_english


class Client(Protocol):
    """A `distributed.Client`, or what can do the same: start a function somewhere, and fetch its results."""

    def submit(self, function: Callable, *arguments: object, pure: bool) -> Any: ...

    def gather(self, futures: list) -> list: ...


class ShardedIndex(CsrBM25):
    """`CsrBM25` over shards: the same documents and the same scores, to the last bit, for any number of them.

    Without a `client` the shards lie in this process and are searched one after the other; with a
    `distributed.Client` on the workers of its cluster. Dask keeps the texts of each shard with its scheduler
    and does a lost worker's part again on another one. (It sends functions and arrays as pickles: use a
    cluster that you trust. Workers need this package and the analyzer.) For a collection that does not fit
    into memory see `write_shards` and `open`.

    A shard holds documents whose ids follow each other; it may be empty. The other parameters are those of
    `CsrBM25`. Raises ValueError as that does, for a number of shards below 1 and for what is no client.

    >>> corpus = {"d1": "a cat sat", "d2": "two cats and a dog", "d3": "a dog"}
    >>> retriever = ShardedIndex(corpus, shards=2)
    >>> retriever.search({"q1": "cats"}, k=10) == CsrBM25(corpus).search({"q1": "cats"}, k=10)
    True
    """

    def __init__(
        self,
        corpus: Corpus,
        client: Client | None = None,
        shards: int = 4,
        analyzer: Analyzer = lucene_english,
        k1: float | None = None,
        b: float | None = None,
        lucene_lengths: bool = False,
        variant: str = "lucene",
        delta: float | None = None,
    ):
        check_corpus(corpus)
        check_analyzer(analyzer)
        check_whole("shards", shards, of="shards")
        check_flag("lucene_lengths", lucene_lengths)
        scoring = {"variant": variant, **parameters(variant, k1, b, delta), "lucene_lengths": lucene_lengths}
        submit, gather = _submit_and_gather(client)
        self.corpus, self.doc_ids = corpus, sorted(corpus)
        edges = [len(corpus) * number // shards for number in range(shards + 1)]
        # 1. Every shard counts the terms of its own documents.
        counted = []
        for first, last in zip(edges[:-1], edges[1:], strict=True):
            texts = [corpus[doc_id] for doc_id in self.doc_ids[first:last]]
            counted.append(submit(count_shard, np.arange(first, last), texts, analyzer))
        # 2. The statistics of all add up to those of one index.
        total = submit(merge_statistics, [submit(statistics, shard) for shard in counted])
        # 3. With those every shard is weighed.
        weighed = [submit(weigh_shard, shard, total, scoring) for shard in counted]
        (total,) = gather([total])
        self._set_up(_Shards(weighed, total, submit, gather), total, analyzer, scoring)

    @classmethod
    def open(
        cls,
        folder: str | Path,
        client: Client | None = None,
        analyzer: Analyzer = lucene_english,
        verify: bool = True,
    ) -> "ShardedIndex":
        """The index that `write_shards` put into a folder; its shards stay there and are read where needed.

        With a `client` each worker reads the folder under the same path, on storage that all of them share.
        Every byte is read once to check it, some two seconds a gigabyte; `verify=False` checks sizes only.
        The texts are not in the folder: `explain` needs them in the attribute `corpus`.

        Raises FileNotFoundError where no index is, `DamagedShards` (a ValueError) that names what is missing
        or damaged, and ValueError for an analyzer that makes other terms of a text and of some words of the
        documents than the one that wrote it (one that differs in rarer words passes: give the same one).
        """
        stored = shard_files.open_collection(folder, analyzer, verify)
        submit, gather = _submit_and_gather(client)
        index = cls.__new__(cls)
        index.corpus, index.doc_ids = None, stored.doc_ids
        shards = [submit(shard_files.open_shard, path) for path in stored.shards]
        index._set_up(_Shards(shards, stored.total, submit, gather), stored.total, analyzer, stored.scoring)
        return index

    def _set_up(self, index: "_Shards", total: Statistics, analyzer: Analyzer, scoring: dict) -> None:
        """What `CsrBM25.search` and `explain` use: the index, and the side of the query."""
        self.index, self.analyzer = index, analyzer
        self.vocabulary = total.columns
        whole = total.in_columns
        weighting = weigh(csr_matrix((0, len(whole.df)), dtype=np.int32), **scoring, statistics=whole)
        self.query_weights, self.absent = weighting.query, weighting.absent
        self.df, self.n_terms = whole.df.astype(np.int32), total.n_occurrences
        self.variant, self.lucene_lengths = scoring["variant"], scoring["lucene_lengths"]
        self.k1, self.b, self.delta = (scoring[name] for name in ("k1", "b", "delta"))
        self.name = f"{self._described()}, shards: {len(index.shards)}"

    def explain(self, query: str, doc_id: str) -> pd.DataFrame:
        """What each term of the query gives to the document's score: the table of `ledger.explain`."""
        if self.corpus is None:
            cure = "set the attribute `corpus` to {doc_id: text}"
            raise ValueError(f"an index that was opened from a folder keeps no texts to explain by; {cure}")
        return super().explain(query, doc_id)


class _Shards:
    """Shards that are searched as one `SparseIndex` is."""

    def __init__(self, shards: list[Shard], total: Statistics, submit: Callable, gather: Callable):
        self.shards, self._submit, self._gather = shards, submit, gather
        self._df = total.in_columns.df

    def search(self, queries: csr_matrix, k: int) -> Found:
        n_postings = int(self._df[queries.indices].sum())
        found = (self._submit(search_shard, shard, queries, k, n_postings) for shard in self.shards)
        return merge_top(self._gather(found), k)

    def weight_of(self, term: int, number: int) -> float:
        """What one of the shards holds for a term and a document, by their numbers."""
        return sum(self._gather(self._submit(_weight_of, shard, term, number) for shard in self.shards))


def _weight_of(shard: Shard, term: int, number: int) -> float:
    row = int(np.searchsorted(shard.numbers, number))
    held = row < len(shard.numbers) and shard.numbers[row] == number
    return shard.index.weight_of(term, row) if held else 0.0


def _submit_and_gather(client: Client | None) -> tuple[Callable, Callable]:
    """How a function is started and its results are fetched: at once and one by one, or by Dask."""
    if client is None:
        return (lambda function, *arguments: function(*arguments)), (lambda results: results)
    if not hasattr(client, "submit") or not hasattr(client, "gather"):
        needed = "a distributed.Client, or None for this process"
        raise ValueError(f"client is a {type(client).__name__}; needed {needed}")

    def submit(function: Callable, *arguments: object) -> Any:
        return client.submit(function, *arguments, pure=False)  # else it would hash every text for a key

    def gather(futures: Iterable) -> list:
        return client.gather(list(futures))  # all are started before the first is waited for

    return submit, gather
