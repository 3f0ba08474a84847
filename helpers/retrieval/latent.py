"""Latent semantic analysis: texts as short dense vectors, learned from their own words.

Words that stand in the same texts come to lie in the same directions, so that two texts can be alike without
a word in common. A retriever searches by the cosine of this model, or of any other with `encode(list[str])`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix

from helpers.base import check_whole
from helpers.records import Corpus, Queries, Run
from helpers.retrieval.bm25 import weigh
from helpers.retrieval.sparse_index import top_k
from helpers.retrieval.vectors import check_corpus, count_terms, not_text
from helpers.text import Analyzer, lucene_english

WHOLE = 1000
"""Up to so many texts (or terms) the whole decomposition is computed; it depends on no starting point."""
SMALL = 1e-6
"""What is smaller, beside the largest, is rounding: a singular value, the length of a text's vector."""


class Encoder(Protocol):
    """Any object that embeds texts: one row for each, in their order, of which only the direction counts."""

    def encode(self, texts: list[str]) -> np.ndarray: ...


class LatentSemantic:
    """TF-IDF (the variant "tf-idf" of `bm25`) of some texts, reduced to its largest singular vectors.

    `dimensions` is clipped to what the texts have: never more than there are texts or terms, and fewer where
    texts repeat one another. The attribute `dimensions` is the number that was kept and `name` says both;
    `singular_values` are theirs, largest first. The same texts give the same vectors each time: the start of
    the search is fixed, and each dimension's largest entry is positive. Raises ValueError where there is no
    text, or none with a term, and for what is no text, as None.

    Source: Deerwester, Dumais, Furnas, Landauer and Harshman, Indexing by latent semantic analysis, 1990; new
    texts are "folded in" as there. TF-IDF in place of raw counts, and no weights of the dimensions beyond
    their singular values.

    >>> texts = ["outage of the database", "downtime of the database", "lunch menu", "outage and downtime"]
    >>> model = LatentSemantic(texts, dimensions=2)
    >>> outage, downtime, lunch = model.encode(["outage", "downtime", "lunch"])
    >>> print(f"{outage @ downtime:.2f} {outage @ lunch:.2f}")
    1.00 0.00
    """

    def __init__(self, texts: Iterable[str], dimensions: int = 100, analyzer: Analyzer = lucene_english):
        check_whole("dimensions", dimensions)
        self.analyzer = analyzer
        texts = texts if isinstance(texts, (str, Mapping)) else _checked(texts)
        counts, self.vocabulary = count_terms(texts, analyzer)
        if not counts.nnz:
            cure = "a latent model learns from words that texts share"
            raise ValueError(f"no term in any of the {counts.shape[0]} texts; {cure}")
        weighting = weigh(counts, "tf-idf")
        self.idf = weighting.query.astype(np.float64)
        self.singular_values, self.directions = _largest(weighting.documents.astype(np.float64), dimensions)
        self.dimensions = len(self.singular_values)
        of = "" if self.dimensions == dimensions else f" of {dimensions}"
        analyzed = getattr(analyzer, "__name__", repr(analyzer))
        self.name = f"latent semantic, {self.dimensions}{of} dimensions, {analyzed}"

    def encode(self, texts: list[str]) -> np.ndarray:
        """A row of length 1 for each text (texts × dimensions, float32); zeros where no word is known.

        >>> LatentSemantic(["a cat", "cats", "a dog"]).encode(["cat", "", "bird"]).round(2).tolist()
        [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
        """
        from scipy.sparse.linalg import norm  # here and below: it takes a tenth of a second that few need

        counts, _ = count_terms(texts, self.analyzer, self.vocabulary)
        weighted = counts.multiply(self.idf).tocsr()
        # What is hardly longer than rounding has none of the directions that were kept.
        least = SMALL * norm(weighted, axis=1)[:, None]
        return _unit(np.asarray(weighted @ self.directions), least).astype(np.float32)


class LatentRetriever:
    """Cosine between the query's vector and each document's; without a model one is fitted on the corpus.

    `model` is any object with `encode(list[str])`. Cosines are rounded to six decimals, so that what is only
    rounding does not decide; results are those above zero, best first, equal scores by doc_id down.

    >>> corpus = {"d1": "outage of the database", "d2": "downtime of the database", "d3": "the lunch menu"}
    >>> LatentRetriever(corpus, LatentSemantic(corpus.values(), dimensions=2)).search({"q1": "outage"}, k=10)
    {'q1': [('d2', 1.0), ('d1', 1.0)]}
    """

    def __init__(self, corpus: Corpus, model: Encoder | None = None):
        check_corpus(corpus)
        self.corpus = corpus
        self.model = LatentSemantic(corpus.values()) if model is None else model
        self.doc_ids = sorted(corpus)  # so that "higher number first" among equal scores is "doc_id down"
        self.vectors = unit_vectors(self.model, [corpus[doc_id] for doc_id in self.doc_ids])
        self.name = getattr(self.model, "name", type(self.model).__name__)

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query, `[]` for one without a known word."""
        check_whole("k", k, least=0, of="documents")
        run: Run = {}
        for query_id, vector in zip(queries, unit_vectors(self.model, list(queries.values())), strict=True):
            # One query at a time: a batch may round otherwise.
            scores = cosines(vector, self.vectors).astype(np.float32)
            run[query_id] = [(self.doc_ids[i], float(scores[i])) for i in top_k(scores, k)]
        return run


def unit_vectors(model: Encoder, texts: Sequence[str]) -> np.ndarray:
    """What a model gives for texts, rows brought to length 1 (texts × dimensions, float64); zeros stay.

    Raises ValueError for a model without `encode`, another number of rows than texts, and a value that is not
    finite.

    >>> class Letters:
    ...     def encode(self, texts):
    ...         return [[text.count("a"), text.count("b")] for text in texts]
    >>> unit_vectors(Letters(), ["aa", "b", ""]).tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    """
    texts, name = list(texts), getattr(model, "name", type(model).__name__)
    if not hasattr(model, "encode"):
        needed = "needed an object with encode(list of texts) -> one row for each"
        raise ValueError(f"the model is a {type(model).__name__}; {needed}")
    if not texts:
        return np.empty((0, 0))
    vectors = np.asarray(model.encode(texts), dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        found = f"encode gave the shape {vectors.shape} for {len(texts)} texts"
        raise ValueError(f"{name}: {found}; needed one row for each")
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        text = texts[int(np.argmin(finite))]
        raise ValueError(f"{name}: the vector of {text[:50]!r} holds a value that is not finite")
    return _unit(vectors)


def cosines(one: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The cosine of a unit vector with each row of unit vectors, rounded to six decimals.

    >>> cosines(np.array([1.0, 0.0]), np.array([[0.6, 0.8], [1e-9, 1.0]])).tolist()
    [0.6, 0.0]
    """
    return np.round(others @ one, 6)


def _checked(texts: Iterable[object]) -> Iterator[str]:
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise ValueError(f"text {number} {not_text(text)}")
        yield text


def _largest(matrix: csr_matrix, dimensions: int) -> tuple[np.ndarray, np.ndarray]:
    """The largest singular values, and right singular vectors as columns (terms × dimensions, float32)."""
    smaller = min(matrix.shape)
    if smaller <= WHOLE:
        values, directions = _whole(matrix)
    else:
        from scipy.sparse.linalg import svds

        # ARPACK's own start would be another one each time.
        start = np.random.default_rng(0).standard_normal(smaller)
        _, values, rows = svds(matrix, k=min(dimensions, smaller - 1), v0=start, solver="arpack")
        values, directions = values[::-1], rows[::-1].T
    # As many as were asked for, without those that are only rounding.
    kept = values[:dimensions] > SMALL * values[0]
    values, directions = values[:dimensions][kept], directions[:, :dimensions][:, kept]
    # Of a direction and its opposite the one whose largest entry (the first of equal ones) is positive.
    largest = np.abs(directions.round(9)).argmax(axis=0)
    signs = np.sign(directions[largest, np.arange(directions.shape[1])])
    return values, (directions * signs).astype(np.float32)


def _whole(matrix: csr_matrix) -> tuple[np.ndarray, np.ndarray]:
    """All singular values above rounding, and their right singular vectors."""
    # The smaller product with itself, texts × texts or terms × terms: its eigenvalues are their squares.
    wide = matrix.shape[0] <= matrix.shape[1]
    product = (matrix @ matrix.T if wide else matrix.T @ matrix).toarray()
    squares, vectors = np.linalg.eigh(product)
    squares, vectors = squares[::-1], vectors[:, ::-1]  # largest first
    kept = squares > SMALL**2 * squares[0]
    values, vectors = np.sqrt(squares[kept]), vectors[:, kept]
    # From the directions of the texts to those of the terms.
    return values, (matrix.T @ vectors) / values if wide else vectors


def _unit(vectors: np.ndarray, at_least: np.ndarray | float = 0.0) -> np.ndarray:
    """Rows of length 1; those that are not longer than `at_least` become zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > at_least)
