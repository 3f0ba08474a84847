"""Made-up collections of any size whose terms are as unequal as those of real text: a few everywhere, most of
them rare.

A term's probability falls with its rank, 1 / (rank + 2.7), as Zipf and Mandelbrot described it; lengths of
documents are log-normal. Documents and queries are term numbers at once, since the benchmark begins where the
analyzer has ended.
"""

import numpy as np

N_TERMS = 200_000
STOPWORDS = 50
"""The most frequent terms stand in documents and not in queries, as after a stopword list."""


def documents(n: int, seed: int = 0, length: int = 57) -> tuple[np.ndarray, np.ndarray]:
    """Term numbers of all documents (int32) in one array, and where each begins: `length` terms a document on
    average."""
    rng = np.random.default_rng(seed)
    lengths = np.clip(rng.lognormal(np.log(length) - 0.125, 0.5, n), 1, None).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    terms = np.empty(starts[-1], dtype=np.int32)
    for begin in range(0, len(terms), 1 << 24):  # in pieces: a random number takes twice the room of a term
        terms[begin : begin + (1 << 24)] = _drawn(rng, min(1 << 24, len(terms) - begin), 0)
    return terms, starts


def queries(n: int, seed: int = 1) -> np.ndarray:
    """Queries of five terms, an array n × 5."""
    return _drawn(np.random.default_rng(seed), n * 5, STOPWORDS).reshape(n, 5)


def _drawn(rng: np.random.Generator, n: int, first: int) -> np.ndarray:
    probabilities = 1 / (np.arange(N_TERMS) + 2.7)
    probabilities[:first] = 0
    below = np.cumsum(probabilities / probabilities.sum())
    return np.minimum(np.searchsorted(below, rng.random(n), side="right"), N_TERMS - 1).astype(np.int32)
