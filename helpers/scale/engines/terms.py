"""Our terms for an engine that cuts texts at white space: each is handed over as its number, so that what an
analyzer makes arrives as it is, and no tokenizer, stemmer or limit of length of the engine's own touches
it."""

from collections.abc import Iterable, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from helpers.retrieval import count_terms
from helpers.text import Analyzer


class Terms:
    """The terms of a corpus and their numbers.

    >>> terms = Terms(["a cat sat", "cat cat"], str.split)
    >>> terms.documents, terms.queries(["cat dog cat", "dog"])
    (['0 1 2', '1 1'], ['1 1', ''])
    """

    def __init__(self, texts: Iterable[str], analyzer: Analyzer):
        self.analyzer = analyzer
        self.counts, self.vocabulary = count_terms(texts, analyzer)

    @property
    def documents(self) -> list[str]:
        """Each document as the numbers of its terms, as often as it has them, between spaces."""
        return _as_texts(self.counts)

    def queries(self, texts: Sequence[str]) -> list[str]:
        """The same of queries; a term that no document has is left out."""
        return _as_texts(self.count(texts))

    def count(self, texts: Sequence[str]) -> csr_matrix:
        """How often each query has each term (queries × terms)."""
        return count_terms(texts, self.analyzer, self.vocabulary)[0]


def rows(counts: csr_matrix) -> Iterable[np.ndarray]:
    """The terms of each text, as often as it has them."""
    for first, last in zip(counts.indptr[:-1], counts.indptr[1:], strict=True):
        yield np.repeat(counts.indices[first:last], counts.data[first:last])


def _as_texts(counts: csr_matrix) -> list[str]:
    return [" ".join(map(str, row.tolist())) for row in rows(counts)]
