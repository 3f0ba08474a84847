"""Retrievers: a corpus goes in once, `search(queries, k)` gives a run. That one method is all that is asked of one.

Every retriever here returns only documents that score above zero, best first, equal scores by doc_id down (trec_eval's
order), scores as 32-bit floats. The arithmetic of the sparse ones is in `sparse`.
"""

import numpy as np
from rank_bm25 import BM25Okapi
from tqdm import tqdm

from helpers import sparse
from helpers.records import Corpus, Queries, Run
from helpers.sparse import Analyzer
from helpers.text import lucene_english, plain


class CsrBM25:
    """BM25 as a sparse product: Lucene's IDF on the query side, saturated and length-normalised counts on the other.

    With the defaults and `lucene_lengths=True` this is Anserini's BM25, the published BEIR baseline.

    >>> retriever = CsrBM25({"d1": "a cat sat", "d2": "two cats and a dog", "d3": "a dog"})
    >>> [doc_id for doc_id, score in retriever.search({"q1": "cats"}, k=10)["q1"]]
    ['d1', 'd2']
    """

    def __init__(
        self, corpus: Corpus, analyzer: Analyzer = lucene_english, k1: float = 0.9, b: float = 0.4, lucene_lengths: bool = False
    ):
        _check_corpus(corpus)
        self.analyzer = analyzer
        self.doc_ids = sorted(corpus)  # so that "higher number first" among equal scores is "doc_id down"
        counts, self.vocabulary = sparse.count_terms((corpus[doc_id] for doc_id in self.doc_ids), analyzer)
        self.n_terms = int(counts.sum())
        self.idf = sparse.compute_idf(counts)
        self.postings = sparse.bm25_weights(counts, k1, b, lucene_lengths).T.tocsr()
        self.name = f"BM25, Lucene idf, k1={k1}, b={b}, {_name(analyzer)}" + (", one-byte lengths" if lucene_lengths else "")

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query; a query without a known term gets an empty list."""
        counts, _ = sparse.count_terms(queries.values(), self.analyzer, self.vocabulary)
        weighted = counts.astype(np.float32)
        weighted.data *= self.idf[weighted.indices]
        found = sparse.search(weighted, self.postings, k)
        return {
            query_id: [(self.doc_ids[i], float(score)) for i, score in zip(documents, scores, strict=True)]
            for query_id, (documents, scores) in zip(queries, found, strict=True)
        }


class RankBM25:
    """The `rank_bm25` package's `BM25Okapi` with its own defaults (k1=1.5, b=0.75, its floored IDF).

    The package scores every document; those at zero or below, which share no term of weight with the query, are left out.

    >>> retriever = RankBM25({"d1": "a cat sat", "d2": "the dog", "d3": "some bird"})
    >>> [doc_id for doc_id, score in retriever.search({"q1": "cat"}, k=10)["q1"]]
    ['d1']
    """

    def __init__(self, corpus: Corpus, analyzer: Analyzer = plain):
        _check_corpus(corpus)
        self.analyzer = analyzer
        self.doc_ids = sorted(corpus)
        tokens = [analyzer(corpus[doc_id]) for doc_id in self.doc_ids]
        if not any(tokens):
            raise ValueError(f"the analyzer {_name(analyzer)} finds no term in any of the {len(corpus)} documents")
        self.bm25 = BM25Okapi(tokens)
        self.name = f"rank-bm25 Okapi, k1=1.5, b=0.75, {_name(analyzer)}"

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query; a query without a known term gets an empty list."""
        run: Run = {}
        for query_id, query in tqdm(queries.items(), desc="rank-bm25", unit="query", disable=None, leave=False):
            scores = self.bm25.get_scores(self.analyzer(query)).astype(np.float32)
            run[query_id] = [(self.doc_ids[i], float(scores[i])) for i in sparse.top_k(scores, k)]
        return run


def _name(analyzer: Analyzer) -> str:
    return getattr(analyzer, "__name__", repr(analyzer))


def _check_corpus(corpus: Corpus) -> None:
    if not corpus:
        raise ValueError("the corpus holds no document; there is nothing to search")
