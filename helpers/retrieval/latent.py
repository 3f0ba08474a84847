"""Latent semantic analysis: texts as short dense vectors, learned from their own words.

Words that stand in the same texts come to lie in the same directions, so that two texts can be alike without
a word in common. `dense` searches by the cosine of this model, or of any other with `encode(list[str])`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix, issparse

from helpers.base import check_whole
from helpers.encoders import encoded, model_name
from helpers.retrieval.bm25 import weigh
from helpers.retrieval.vectors import count_terms, is_table, not_text
from helpers.text import Analyzer, lucene_english

WHOLE = 1000
"""Up to so many texts (or terms) the whole decomposition is computed; it depends on no starting point."""
SMALL = 1e-6
"""What is smaller, beside the largest, is rounding: a singular value, the length of a text's vector."""


class Encoder(Protocol):
    """Any object that embeds texts: one row for each, in their order, of which only the direction counts."""

    def encode(self, texts: list[str]) -> np.ndarray: ...


class TwoEncoders(Protocol):
    """Any object that embeds documents and queries each in its own way."""

    def encode_documents(self, texts: list[str]) -> np.ndarray: ...

    def encode_queries(self, texts: list[str]) -> np.ndarray: ...


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
        texts = texts if isinstance(texts, (str, Mapping)) or is_table(texts) else _checked(texts)
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
        return unit_rows(np.asarray(weighted @ self.directions), least).astype(np.float32)


def unit_vectors(
    model: Encoder | TwoEncoders,
    texts: Sequence[str],
    kind: str = "document",
    scaled: Callable[[np.ndarray], np.ndarray] | None = None,
) -> np.ndarray:
    """What a model gives for texts, rows brought to length 1 (texts × dimensions, float64); zeros stay.

    A model with a method for each (`encoders.encoded`) is asked as `kind` says. Another function of the rows
    can stand in for the scaling. Raises ValueError for a model without `encode`, another number of rows than
    texts, sparse vectors, and a value that is not finite.

    >>> class Letters:
    ...     def encode(self, texts):
    ...         return [[text.count("a"), text.count("b")] for text in texts]
    >>> unit_vectors(Letters(), ["aa", "b", ""]).tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    """
    vectors = encoded(model, texts, kind)
    if issparse(vectors):
        cure = "LearnedSparseRetriever searches with sparse ones"
        raise ValueError(f"{model_name(model)}: gives sparse vectors, needed dense ones; {cure}")
    return (scaled or unit_rows)(vectors)


def cosines(one: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The cosine of a unit vector with each row of unit vectors, rounded to six decimals.

    Raises ValueError for vectors of different widths.

    >>> cosines(np.array([1.0, 0.0]), np.array([[0.6, 0.8], [1e-9, 1.0]])).tolist()
    [0.6, 0.0]
    """
    one, others = np.asarray(one), np.asarray(others)
    if one.ndim != 1 or others.ndim != 2 or others.shape[1] != len(one):
        needed = "needed one vector, and rows of its width; are they from different models?"
        raise ValueError(f"one has the shape {one.shape} and others {others.shape}; {needed}")
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


def unit_rows(vectors: np.ndarray, at_least: np.ndarray | float = 0.0) -> np.ndarray:
    """Rows of length 1; those that are not longer than `at_least` become zero."""
    # By a power of two first, which changes no digit: the square of 1e200 is no number, that of 1e-200 is 0.
    powers = -np.frexp(np.abs(vectors).max(axis=1, keepdims=True, initial=0))[1]
    vectors = np.ldexp(vectors, powers)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    longer = lengths > np.ldexp(at_least, powers)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=longer)
