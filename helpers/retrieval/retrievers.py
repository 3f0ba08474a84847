"""Retrievers: a corpus goes in once, `search(queries, k)` gives a run. That one method is all that is asked of one.

Every retriever here returns only documents that score above zero, best first, equal scores by doc_id down (trec_eval's
order), scores as 32-bit floats. The weights of the sparse one are in `bm25`, its search in `sparse_index`; SQLite and the
scan of words are in `full_text`. Each keeps the corpus as it was given, and BM25 what `failures.ledger` explains a score with.
"""

import weakref
from collections import defaultdict
from pathlib import Path

import numpy as np
from rank_bm25 import BM25Okapi
from scipy.sparse import csr_matrix
from tqdm import tqdm

from helpers.base import check_ids
from helpers.records import Corpus, Queries, Run
from helpers.retrieval import full_text
from helpers.retrieval.bm25 import VARIANTS, weigh
from helpers.retrieval.full_text import TOKENIZER
from helpers.retrieval.sparse_index import SparseIndex, check_depth, top_k
from helpers.retrieval.vectors import count_terms, document_frequency
from helpers.text import Analyzer, lucene_english, plain


class CsrBM25:
    """BM25 as a sparse product: the IDF on the side of the query, saturated and length-normalised counts on the other.

    `variant` is one of `bm25.VARIANTS`; k1, b and (BM25L, BM25+) delta are its parameters. With the defaults and
    `lucene_lengths=True` this is Anserini's BM25, the published BEIR baseline.

    >>> retriever = CsrBM25({"d1": "a cat sat", "d2": "two cats and a dog", "d3": "a dog"})
    >>> [doc_id for doc_id, score in retriever.search({"q1": "cats"}, k=10)["q1"]]
    ['d1', 'd2']
    """

    def __init__(
        self,
        corpus: Corpus,
        analyzer: Analyzer = lucene_english,
        k1: float | None = None,
        b: float | None = None,
        lucene_lengths: bool = False,
        variant: str = "lucene",
        delta: float | None = None,
    ):
        _check_corpus(corpus)
        self.corpus, self.analyzer = corpus, analyzer
        self.doc_ids = sorted(corpus)  # so that "higher number first" among equal scores is "doc_id down"
        counts, self.vocabulary = count_terms((corpus[doc_id] for doc_id in self.doc_ids), analyzer)
        self.n_terms = int(counts.sum())
        weighting = weigh(counts, variant, k1, b, delta, lucene_lengths)
        self.query_weights, self.absent = weighting.query, weighting.absent
        self.index = SparseIndex(weighting.documents)
        self.variant, self.lucene_lengths = variant, lucene_lengths
        self.k1, self.b, self.delta = _parameters(variant, k1, b, delta)
        every_posting = (
            len(self.index.weights) == counts.nnz
        )  # the index drops weights of zero, as "bm25l" has with k1=0
        self.df = (np.diff(self.index.starts) if every_posting else document_frequency(counts)).astype(
            np.int32
        )
        self.name = f"{_variant_name(variant, k1, b, delta)}, {_name(analyzer)}" + (
            ", one-byte lengths" if lucene_lengths else ""
        )

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query; a query without a known term gets an empty list.

        Only documents that share a term of weight with the query are results. Where a term that a document lacks scores too
        (BM25L, BM25+), that is part of their scores.
        """
        counts, _ = count_terms(queries.values(), self.analyzer, self.vocabulary)
        weighted = csr_matrix(
            (counts.data * self.query_weights[counts.indices], counts.indices, counts.indptr), counts.shape
        )
        check_depth(k)
        documents, scores = self.index.search(weighted.astype(np.float32), min(k, len(self.doc_ids)))
        n_found = (documents >= 0).sum(axis=1).tolist()
        if self.absent.any():
            documents, scores = _shifted(documents, scores, counts @ self.absent)
        return {
            query_id: [
                (self.doc_ids[i], score)
                for i, score in zip(row[:n].tolist(), values[:n].tolist(), strict=True)
            ]
            for query_id, row, values, n in zip(queries, documents, scores, n_found, strict=True)
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
        self.corpus, self.analyzer = corpus, analyzer
        self.doc_ids = sorted(corpus)
        tokens = [analyzer(corpus[doc_id]) for doc_id in self.doc_ids]
        if not any(tokens):
            raise ValueError(
                f"the analyzer {_name(analyzer)} finds no term in any of the {len(corpus)} documents"
            )
        self.bm25 = BM25Okapi(tokens)
        self._postings = _postings(self.bm25.doc_freqs)
        self.name = f"rank-bm25 Okapi, k1=1.5, b=0.75, {_name(analyzer)}"

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query; a query without a known term gets an empty list."""
        run: Run = {}
        for query_id, query in tqdm(
            queries.items(), desc="rank-bm25", unit="query", disable=None, leave=False
        ):
            run[query_id] = _ranked(self.doc_ids, self._scores(query), k)
        return run

    def _scores(self, query: str) -> np.ndarray:
        """The package's `get_scores` to the last bit, without the zeros, so that a query as long as a book ends too."""
        scores, of_term = np.zeros(len(self.doc_ids)), {}
        for term in filter(self._postings.__contains__, self.analyzer(query)):
            numbers = self._postings[term]
            if term not in of_term:
                of_term[term] = np.array(self.bm25.get_batch_scores([term], numbers))
            scores[numbers] += of_term[term]
        return scores


class SqliteFTS5:
    """The full-text search that comes with Python: BM25 by SQLite's FTS5 (k1=1.2, b=0.75), in memory or in one file.

    With a corpus and a path the index is written to that file; with a path alone it is read from it, tokenizer and all. A
    query finds what has any of its terms; nothing in it is an operator, and `checkout-api` means two words in a row (see
    `full_text.match_expression`). `strict=True` takes it as an FTS5 expression: AND, OR, NOT, NEAR, prefix*, "a phrase".

    Raises ValueError without a corpus or a path, for a tokenizer that SQLite refuses or that is another than the file's, and
    for a file that is no index or is damaged; FileNotFoundError, OSError, and RuntimeError for an SQLite without FTS5.

    >>> retriever = SqliteFTS5({"d1": "The checkout-api is down", "d2": "Checkout of an API key", "d3": "Backups"})
    >>> [doc_id for doc_id, score in retriever.search({"q1": "what's checkout-api?"}, k=10)["q1"]]
    ['d1']
    """

    def __init__(
        self,
        corpus: Corpus | None = None,
        path: str | Path | None = None,
        tokenizer: str = TOKENIZER,
        strict: bool = False,
    ):
        if corpus is None and path is None:
            raise ValueError(
                "SqliteFTS5 was given neither; it needs a corpus to index, the path of an index, or both"
            )
        if corpus is not None:
            _check_corpus(corpus)
            if path is not None:
                full_text.build(path, corpus, tokenizer)
        self.corpus, self.path, self.strict = corpus, None if path is None else Path(path), strict
        self._index = full_text.in_memory(corpus, tokenizer) if path is None else full_text.open_file(path)
        weakref.finalize(self, self._index.close)
        self.doc_ids, self.tokenizer = full_text.contents(self._index)
        if tokenizer not in (self.tokenizer, TOKENIZER):
            raise ValueError(
                f"{path} was indexed with tokenizer {self.tokenizer!r}, asked for was {tokenizer!r}; leave it out"
            )
        self.name = f"SQLite FTS5 BM25, k1=1.2, b=0.75, {self.tokenizer}" + (", strict" if strict else "")

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query; a query without a known term gets an empty list.

        In strict mode raises ValueError, with the query and SQLite's words, for one that is no FTS5 expression.
        """
        check_depth(k)
        run: Run = {}
        for query_id, query in tqdm(
            queries.items(), desc="SQLite FTS5", unit="query", disable=None, leave=False
        ):
            try:
                scores = full_text.scores(self._index, query, len(self.doc_ids), self.strict)
            except ValueError as error:
                raise ValueError(f"query {query_id!r}: {error}") from error
            run[query_id] = _ranked(self.doc_ids, scores, k)
        return run

    def close(self) -> None:
        """Lets go of the file; what is no longer used is closed by itself. At the end of a `with` block it is closed too."""
        self._index.close()

    def __enter__(self) -> "SqliteFTS5":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class SubstringScan:
    """Looks for the query's terms, its pieces between white space, anywhere in the text, inside of words too; without case.

    The score is how often the different terms occur, all together: no idf, no length, no analyzer. Many a search box does so.

    >>> retriever = SubstringScan({"d1": "Rollback, then roll forward", "d2": "Scroll", "d3": "Backups"})
    >>> retriever.search({"q1": "ROLL"}, k=10)
    {'q1': [('d1', 2.0), ('d2', 1.0)]}
    """

    name = "substring scan"

    def __init__(self, corpus: Corpus):
        _check_corpus(corpus)
        self.corpus, self.doc_ids = corpus, sorted(corpus)
        # No term reaches over white space, so it is enough to scan each different word once.
        self._counts, words = count_terms((corpus[doc_id] for doc_id in self.doc_ids), full_text.folded_words)
        self._words = list(words)

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query; a query that stands nowhere gets an empty list."""
        check_depth(k)
        in_words = (
            full_text.occurrences(self._words, full_text.folded_words(query)) for query in queries.values()
        )
        return {
            query_id: _ranked(self.doc_ids, self._counts @ n, k)
            for query_id, n in zip(queries, in_words, strict=True)
        }


def _ranked(doc_ids: list[str], scores: np.ndarray, k: int) -> list[tuple[str, float]]:
    scores = scores.astype(np.float32)
    return [(doc_ids[i], float(scores[i])) for i in top_k(scores, k)]


def _postings(counts: list[dict[str, int]]) -> dict[str, np.ndarray]:
    """For each term the numbers of the documents that have it, from each document's counts."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for number, terms in enumerate(counts):
        for term in terms:
            numbers[term].append(number)
    return {term: np.array(found) for term, found in numbers.items()}


def _shifted(documents: np.ndarray, scores: np.ndarray, by: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row's scores plus a number; rounding may make some equal, and equal scores go by higher document first."""
    scores = np.where(documents >= 0, scores + by[:, None], -np.inf).astype(np.float32)
    order = np.lexsort((-documents, -scores))
    return np.take_along_axis(documents, order, axis=1), np.take_along_axis(scores, order, axis=1)


def _parameters(variant: str, k1: float | None, b: float | None, delta: float | None) -> list[float | None]:
    """k1, b and delta as given, else the variant's default; None for one that it lacks."""
    known = VARIANTS[variant].k1, VARIANTS[variant].b, VARIANTS[variant].delta
    return [default if given is None else given for given, default in zip((k1, b, delta), known, strict=True)]


def _variant_name(variant: str, k1: float | None, b: float | None, delta: float | None) -> str:
    """`BM25, Lucene idf, k1=0.9, b=0.4` and the like: the variant with every parameter that it has."""
    values = dict(zip(("k1", "b", "delta"), _parameters(variant, k1, b, delta), strict=True))
    values = [f"{name}={value}" for name, value in values.items() if value is not None]
    return ", ".join(["BM25, Lucene idf" if variant == "lucene" else variant, *values])


def _name(analyzer: Analyzer) -> str:
    return getattr(analyzer, "__name__", repr(analyzer))


def _check_corpus(corpus: Corpus) -> None:
    if not corpus:
        raise ValueError("the corpus holds no document; there is nothing to search")
    check_ids(corpus, "corpus: doc_id")
    if set(map(type, corpus.values())) != {str}:
        doc_id, text = next((doc_id, text) for doc_id, text in corpus.items() if not isinstance(text, str))
        raise ValueError(f"corpus, document {doc_id!r}: needed its text, found {type(text).__name__}")
