"""Retrievers: a corpus goes in once, `search(queries, k)` gives a run. That one method is all one must have.

Every retriever here returns only documents that score above zero, best first, equal scores by doc_id down
(trec_eval's order), scores as 32-bit floats, and keeps the corpus as it was given. One with a method
`explain` can say what each term of a query gives to a score.
"""

import weakref
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from rank_bm25 import BM25Okapi
from scipy.sparse import csr_matrix

from helpers.base import check_flag, check_whole, counted, progress, warn
from helpers.records import Corpus, Queries, Run
from helpers.retrieval import full_text
from helpers.retrieval.bm25 import VARIANTS, parameters, round_length, weigh
from helpers.retrieval.full_text import TOKENIZER
from helpers.retrieval.ledger import ledger_frame
from helpers.retrieval.sparse_index import SparseIndex, top_k
from helpers.retrieval.vectors import (
    as_terms,
    check_analyzer,
    check_corpus,
    check_hashable,
    check_queries,
    count_terms,
    document_frequency,
    forms_of_accents,
    warn_of_accents,
    warn_of_sentences,
    warn_of_unmet,
)
from helpers.text import (
    ANALYZERS,
    Analyzer,
    lucene_english,
    plain,
    plain_stemmed,
    plain_stopped,
    unicode_words,
)


class CsrBM25:
    """BM25 as a sparse product: the IDF on the side of the query, weighted counts on that of the documents.

    `variant` is one of `bm25.VARIANTS`; k1, b and (BM25L, BM25+) delta are its parameters. With the defaults
    and `lucene_lengths=True` this is Anserini's BM25, the published BEIR baseline.

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
        check_corpus(corpus)
        self.corpus, self.analyzer = corpus, analyzer
        self.doc_ids = sorted(corpus)  # so that "higher number first" among equal scores is "doc_id down"
        counts, vocabulary = _counted(tuple(corpus[doc_id] for doc_id in self.doc_ids), analyzer)
        self.vocabulary = dict(vocabulary)
        self.n_terms = int(counts.sum())
        weighting = weigh(counts, variant, k1, b, delta, lucene_lengths)
        self.query_weights, self.absent = weighting.query, weighting.absent
        self.index = SparseIndex(weighting.documents)
        self.variant, self.lucene_lengths = variant, lucene_lengths
        self.k1, self.b, self.delta = parameters(variant, k1, b, delta).values()
        # The index drops weights of zero, as "bm25l" has with k1=0; else it has every posting.
        every_posting = len(self.index.weights) == counts.nnz
        df = np.diff(self.index.starts) if every_posting else document_frequency(counts)
        self.df = df.astype(np.int32)
        self.name = self._described()

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query, `[]` for one without a known term.

        Only documents that share a term of weight with the query are results. Where a term that a document
        lacks scores too (BM25L, BM25+), that is part of their scores.
        """
        check_queries(queries)
        check_whole("k", k, least=0, of="documents")
        warn_of_accents(queries, self._accents)
        # The idf of each term, as often as the query has it; a term that no document has is dropped.
        counts, _ = count_terms(queries.values(), self.analyzer, self.vocabulary)
        lost = [one for one, n in zip(queries, np.diff(counts.indptr), strict=True) if not n]
        warn_of_unmet(queries, lost, self.analyzer, self.vocabulary)
        weights = (counts.data * self.query_weights[counts.indices]).astype(np.float32)
        weighted = csr_matrix((weights, counts.indices, counts.indptr), counts.shape)
        documents, scores = self.index.search(weighted, min(k, len(self.doc_ids)))
        n_found = (documents >= 0).sum(axis=1).tolist()
        # What absent terms score is the same for every document of a query.
        if self.absent.any():
            documents, scores = _shifted(documents, scores, counts @ self.absent)
        run: Run = {}
        for query_id, row, values, n in zip(queries, documents, scores, n_found, strict=True):
            doc_ids = map(self.doc_ids.__getitem__, row[:n].tolist())
            run[query_id] = list(zip(doc_ids, values[:n].tolist(), strict=True))
        return run

    @cached_property
    def _accents(self) -> set[str]:
        return forms_of_accents(self.vocabulary)

    def explain(self, query: str, doc_id: str) -> pd.DataFrame:
        """What each term of the query gives to the document's score: the table of `ledger.explain`."""
        return ledger_frame(self, query, doc_id, self._entries)

    def _entries(self, asked: Counter, number: int) -> tuple[int, float, list[tuple]]:
        """idf and weight are what the index holds, in its 32 bits; tf and dl are counted anew."""
        if (doc_id := self.doc_ids[number]) not in self.corpus:
            found = f"the corpus has lost {doc_id!r} since it was indexed"
            raise ValueError(f"{found}; make a retriever of the documents that there are now")
        tf = Counter(self.analyzer(self.corpus[doc_id]))
        dl, avgdl = tf.total(), self.n_terms / len(self.doc_ids)
        variant = VARIANTS[self.variant]
        norm = self._vector_length(tf) if variant.unit_rows else self._length_norm(dl, avgdl)
        absent = variant.absent(self.k1, self.delta)

        def row(term: str, times: int) -> tuple:
            column = self.vocabulary.get(term)
            if column is None:
                return term, times, 0, 0, 0.0, norm, 0.0, 0.0
            idf, held = float(self.query_weights[column]), self.index.weight_of(column, number)
            # Rounded where `search` rounds: query weight to 32 bits, then the product in 64.
            score = float(np.float32(times * idf)) * held + times * float(self.absent[column])
            return term, times, tf[term], int(self.df[column]), idf, norm, held + absent, score

        return dl, avgdl, [row(term, times) for term, times in asked.items()]

    def _described(self) -> str:
        values = {"k1": self.k1, "b": self.b, "delta": self.delta}
        lengths = ", one-byte lengths" if self.lucene_lengths else ""
        return f"{_variant_name(self.variant, values)}, {_name(self.analyzer)}{lengths}"

    def _length_norm(self, dl: int, avgdl: float) -> float:
        length = float(round_length(np.array([dl]))[0]) if self.lucene_lengths else dl
        return self.k1 * (1 - self.b + self.b * length / (avgdl or 1.0))

    def _vector_length(self, tf: Counter) -> float:
        weights = (n * float(self.query_weights[self.vocabulary[term]]) for term, n in tf.items())
        return sum(weight**2 for weight in weights) ** 0.5


def _counted(texts: tuple[str, ...], analyzer: Analyzer) -> tuple[csr_matrix, dict[str, int]]:
    """`count_terms`. Only analyzers of ours are known to give the same terms the next time; another one may
    hang on a list of stopwords that has grown since."""
    ours = any(analyzer is own for own in _OURS)
    return _counted_once(texts, analyzer) if ours else count_terms(texts, analyzer)


_OURS = (lucene_english, plain, plain_stemmed, plain_stopped, unicode_words, *ANALYZERS.values())


@lru_cache(maxsize=2)
def _counted_once(texts: tuple[str, ...], analyzer: Analyzer) -> tuple[csr_matrix, dict[str, int]]:
    """Kept for the last two: six variants of BM25 read the same texts once."""
    return count_terms(texts, analyzer)


class RankBM25:
    """The `rank_bm25` package's `BM25Okapi` with its own defaults (k1=1.5, b=0.75, its floored IDF).

    The package scores every document; those at zero or below share no term of weight and are left out.

    >>> retriever = RankBM25({"d1": "a cat sat", "d2": "the dog", "d3": "some bird"})
    >>> [doc_id for doc_id, score in retriever.search({"q1": "cat"}, k=10)["q1"]]
    ['d1']
    """

    def __init__(self, corpus: Corpus, analyzer: Analyzer = plain):
        check_corpus(corpus)
        check_analyzer(analyzer)
        self.corpus, self.analyzer = corpus, analyzer
        self.doc_ids = sorted(corpus)
        shown = progress(self.doc_ids, desc="counting words", unit="text")
        tokens = [list(as_terms(analyzer(corpus[doc_id]), analyzer)) for doc_id in shown]
        if not any(tokens):
            raise ValueError(
                f"the analyzer {_name(analyzer)} finds no term in any of the {len(corpus)} documents"
            )
        try:
            self.bm25 = BM25Okapi(tokens)
        except TypeError:
            check_hashable(tokens, analyzer)
            raise
        self._lengths = np.array(self.bm25.doc_len)
        self._postings = _postings(self.bm25.doc_freqs)
        self._accents = forms_of_accents(self._postings)
        # Of each term asked for so far: its documents, and what it gives to each.
        self._gains: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self.name = f"rank-bm25 Okapi, k1=1.5, b=0.75, {_name(analyzer)}"

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query, `[]` for one without a known term."""
        check_queries(queries)
        check_whole("k", k, least=0, of="documents")
        warn_of_accents(queries, self._accents)
        run: Run = {}
        for query_id, query in _counted_off(queries, "rank-bm25"):
            run[query_id] = _ranked(self.doc_ids, self._scores(query), k)
        lost = [one for one, results in run.items() if not results and k]
        warn_of_unmet(queries, lost, self.analyzer, self._postings)
        return run

    def explain(self, query: str, doc_id: str) -> pd.DataFrame:
        """What each term of the query gives to the document's score: the table of `ledger.explain`."""
        return ledger_frame(self, query, doc_id, self._entries)

    def _entries(self, asked: Counter, number: int) -> tuple[int, float, list[tuple]]:
        """From the counts and the idf of the package, in 64 bits."""
        bm25 = self.bm25
        tfs, dl = bm25.doc_freqs[number], bm25.doc_len[number]
        norm = bm25.k1 * (1 - bm25.b + bm25.b * dl / bm25.avgdl)

        def row(term: str, times: int) -> tuple:
            tf, df, idf = tfs.get(term, 0), len(self._postings.get(term, ())), float(bm25.idf.get(term, 0.0))
            weight = tf * (bm25.k1 + 1) / (tf + norm)
            return term, times, tf, df, idf, norm, weight, times * idf * weight

        return dl, bm25.avgdl, [row(term, times) for term, times in asked.items()]

    def _scores(self, query: str) -> np.ndarray:
        """The package's `get_scores` to the last bit, without the zeros, so that a long query ends too."""
        scores = np.zeros(len(self.doc_ids))
        for term in filter(self._postings.__contains__, self.analyzer(query)):
            if term not in self._gains:
                self._gains[term] = self._gain(term)
            numbers, gains = self._gains[term]
            scores[numbers] += gains
        return scores

    def _gain(self, term: str) -> tuple[np.ndarray, np.ndarray]:
        """The documents that have a term, and what it gives to each, in the package's order of operations."""
        bm25, numbers = self.bm25, np.array(self._postings[term])
        tf = np.array([bm25.doc_freqs[number][term] for number in self._postings[term]])
        norm = bm25.k1 * (1 - bm25.b + bm25.b * self._lengths[numbers] / bm25.avgdl)
        return numbers, (bm25.idf.get(term) or 0) * (tf * (bm25.k1 + 1) / (tf + norm))


class SqliteFTS5:
    """The full-text search that comes with Python: SQLite's FTS5 with its BM25 (k1=1.2, b=0.75).

    With a corpus the index is in memory, or with a path in that file; with a path alone it is read from it,
    tokenizer and all. A query finds what has any of its terms; nothing in it is an operator, and
    `checkout-api` means two words in a row (see `full_text.match_expression`). `strict=True` takes it as an
    FTS5 expression: AND, OR, NOT, NEAR, prefix*, "a phrase". The tokenizer "trigram" finds what stands inside
    of words, and no word of a query that is shorter than three letters. The others take a sentence in a
    script without blanks, as Japanese or Thai, for one word.

    Raises ValueError without a corpus or a path, for a tokenizer that SQLite refuses or that is another than
    the file's, and for a file that is no index (which is neither read nor replaced) or is damaged;
    FileNotFoundError, OSError, and RuntimeError for an SQLite without FTS5.

    >>> corpus = {"d1": "The checkout-api is down", "d2": "Checkout of an API key", "d3": "Backups"}
    >>> retriever = SqliteFTS5(corpus)
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
        check_flag("strict", strict)
        if corpus is not None:
            check_corpus(corpus)
            if path is not None:
                full_text.build(path, corpus, tokenizer)
        self.corpus, self.path, self.strict = corpus, None if path is None else Path(path), strict
        self._index = full_text.in_memory(corpus, tokenizer) if path is None else full_text.open_file(path)
        weakref.finalize(self, self._index.close)
        self.doc_ids, self.tokenizer = full_text.contents(self._index)
        if tokenizer not in (self.tokenizer, TOKENIZER):
            found = f"{path} was indexed with tokenizer {self.tokenizer!r}"
            raise ValueError(f"{found}, asked for was {tokenizer!r}; leave it out")
        self.name = f"SQLite FTS5 BM25, k1=1.2, b=0.75, {self.tokenizer}" + (", strict" if strict else "")

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query, `[]` for one without a known term.

        In strict mode raises ValueError, with SQLite's words, for a query that is no FTS5 expression.
        """
        check_queries(queries)
        check_whole("k", k, least=0, of="documents")
        run: Run = {}
        for query_id, query in _counted_off(queries, "SQLite FTS5"):
            try:
                scores = full_text.scores(self._index, query, len(self.doc_ids), self.strict)
            except ValueError as error:
                raise ValueError(f"query {query_id!r}: {error}") from error
            run[query_id] = _ranked(self.doc_ids, scores, k)
        lost = [one for one, results in run.items() if not results] if k else []
        if self.tokenizer.lower().split()[:1] == ["trigram"]:
            _warn_of_short_words(queries, lost)
        elif 2 * len(lost) > len(queries):
            words = {one: full_text.folded_words(queries[one]) for one in lost[:100]}
            cure = "take the tokenizer 'trigram', which finds what stands inside, from three letters up"
            warn_of_sentences(words, partial(full_text.vocabulary, self._index), "tokenizer", cure)
        return run

    def close(self) -> None:
        """Lets go of the file, as the end of a `with` block does and the end of its use."""
        self._index.close()

    def __enter__(self) -> "SqliteFTS5":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class SubstringScan:
    """Looks for the query's terms, its pieces between white space, anywhere in the text, inside of words too.

    The score is how often the different terms occur, all together and in either case: no idf, no length, no
    analyzer. Many a search box does so.

    >>> retriever = SubstringScan({"d1": "Rollback, then roll forward", "d2": "Scroll", "d3": "Backups"})
    >>> retriever.search({"q1": "ROLL"}, k=10)
    {'q1': [('d1', 2.0), ('d2', 1.0)]}
    """

    name = "substring scan"

    def __init__(self, corpus: Corpus):
        check_corpus(corpus)
        self.corpus, self.doc_ids = corpus, sorted(corpus)
        # No term reaches over white space, so it is enough to scan each different word once.
        self._counts, words = count_terms((corpus[doc_id] for doc_id in self.doc_ids), full_text.folded_words)
        self._words = list(words)
        self._accents = forms_of_accents(words)

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query, `[]` for one that stands nowhere."""
        check_queries(queries)
        check_whole("k", k, least=0, of="documents")
        warn_of_accents(queries, self._accents)
        run: Run = {}
        for query_id, query in queries.items():
            in_words = full_text.occurrences(self._words, full_text.folded_words(query))
            run[query_id] = _ranked(self.doc_ids, self._counts @ in_words, k)
        return run


def _warn_of_short_words(queries: Queries, lost: Iterable[str]) -> None:
    """Warns of queries that found nothing, and have words of which there is no trigram."""
    short = {one: [word for word in queries[one].split() if len(word) < 3] for one in lost}
    if short := {one: words for one, words in short.items() if words}:
        one, (word, *_) = next(iter(short.items()))
        said = f"{counted(len(short), 'query')} with words of under three letters, e.g. {one!r} with"
        cure = "leave the tokenizer out to search by words"
        warn(f"{said} {word!r}, found nothing: such words are in no trigram; {cure}")


def _counted_off(queries: Queries, name: str) -> Iterable[tuple[str, str]]:
    return progress(queries.items(), desc=name, unit="query")


def _ranked(doc_ids: list[str], scores: np.ndarray, k: int) -> list[tuple[str, float]]:
    scores = scores.astype(np.float32)
    return [(doc_ids[i], float(scores[i])) for i in top_k(scores, k)]


def _postings(counts: list[dict[str, int]]) -> dict[str, list[int]]:
    """For each term the numbers of the documents that have it, from each document's counts."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for number, terms in enumerate(counts):
        for term in terms:
            numbers[term].append(number)
    return dict(numbers)


def _shifted(documents: np.ndarray, scores: np.ndarray, by: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row's scores plus a number; where rounding makes some equal, the higher document is first."""
    scores = np.where(documents >= 0, scores + by[:, None], -np.inf).astype(np.float32)
    order = np.lexsort((-documents, -scores))
    return np.take_along_axis(documents, order, axis=1), np.take_along_axis(scores, order, axis=1)


def _variant_name(variant: str, values: Mapping[str, float | None]) -> str:
    """`BM25, Lucene idf, k1=0.9, b=0.4` and the like: the variant with every parameter that it has."""
    known = [f"{name}={value}" for name, value in values.items() if value is not None]
    return ", ".join(["BM25, Lucene idf" if variant == "lucene" else variant, *known])


def _name(analyzer: Analyzer) -> str:
    return getattr(analyzer, "__name__", repr(analyzer))
