"""bm25s: every score that a term can give is computed when the index is built; a search only adds them."""

import logging
from collections.abc import Mapping, Sequence

import numpy as np

from helpers.records import Corpus
from helpers.retrieval import parameters, top_k
from helpers.scale.engines.base import EngineRetriever, Hits, package
from helpers.scale.engines.terms import Terms, rows
from helpers.text import Analyzer, lucene_english


class Bm25s(EngineRetriever):
    """The package bm25s with Lucene's BM25 over the terms of an analyzer: `CsrBM25` with exact lengths.

    k1 = 0.9 and b = 0.4 unless given, as in `CsrBM25` (the package's own are 1.5 and 0.75). It scores every
    document; those without a term of the query are left out. A group is filtered by its `weight_mask`.

    Needs the extra `engines`; raises ModuleNotFoundError without it, ValueError as `CsrBM25` does.

    >>> retriever = Bm25s({"d1": "a cat sat", "d2": "two cats and a dog"})  # doctest: +SKIP
    >>> [doc_id for doc_id, score in retriever.search({"q1": "cats"}, k=10)["q1"]]  # doctest: +SKIP
    ['d1', 'd2']
    """

    def __init__(
        self,
        corpus: Corpus,
        analyzer: Analyzer = lucene_english,
        groups: Mapping[str, str] | None = None,
        k1: float = 0.9,
        b: float = 0.4,
    ):
        super().__init__(corpus, groups)
        k1, b, _ = parameters("lucene", k1, b).values()
        bm25s = package("bm25s", "engines")
        logging.getLogger("bm25s").setLevel(logging.WARNING)  # which reports every index
        self._terms = Terms((corpus[doc_id] for doc_id in self.doc_ids), analyzer)
        ids = [row.tolist() for row in rows(self._terms.counts)]
        self._bm25 = bm25s.BM25(method="lucene", k1=k1, b=b)
        if self._terms.vocabulary:
            vocabulary = {str(column): column for column in range(len(self._terms.vocabulary))}
            tokens = bm25s.tokenization.Tokenized(ids=ids, vocab=vocabulary)
            self._bm25.index(tokens, show_progress=False, leave_progress=False)
        self._group_of = np.array(self._group_of_each())
        self.name = f"bm25s, Lucene idf, k1={k1}, b={b}, {getattr(analyzer, '__name__', analyzer)}"

    def _asked(self, texts: Sequence[str]) -> list:
        return [row if len(row) else None for row in rows(self._terms.count(texts))]

    def _hits(self, asked: np.ndarray, limit: int, group: str | None) -> Hits:
        mask = None if group is None else (self._group_of == group).astype(np.float32)
        scores = self._bm25.get_scores_from_ids(asked, weight_mask=mask)
        best = top_k(scores, limit)
        return best, scores[best]
