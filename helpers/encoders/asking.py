"""Asking a model for vectors: whatever encodes texts is a model, and what it gives is checked."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix, issparse

Vectors = np.ndarray | csr_matrix
"""A row for each text: dense, or sparse."""
KINDS = ("document", "query")
_METHOD = {"document": "encode_documents", "query": "encode_queries"}
LARGEST = float(np.finfo(np.float16).max)


def encoded(model: object, texts: Sequence[str], kind: str = "document") -> Vectors:
    """What a model gives for texts, checked: rows of numbers (texts × width, float64), or CSR as it is.

    A model has `encode_documents` and `encode_queries`, of which `kind` chooses, or `encode(list of texts)`
    for both. Raises ValueError for one that has none of them, another number of rows than texts, and a value
    that is not finite.

    >>> class Letters:
    ...     def encode(self, texts):
    ...         return [[text.count("a"), text.count("b")] for text in texts]
    >>> encoded(Letters(), ["aab"]).tolist()
    [[2.0, 1.0]]
    """
    texts, name = list(texts), model_name(model)
    encode = getattr(model, _METHOD[kind], None) or getattr(model, "encode", None)
    if encode is None:
        needed = "needed an object with encode(list of texts) -> one row for each"
        raise ValueError(f"the model is a {type(model).__name__}; {needed}")
    if not texts:
        return np.empty((0, 0))
    vectors = encode(texts)
    if not issparse(vectors):
        try:
            vectors = np.asarray(vectors, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"{name}: encode gave no array; needed one row for each text, or CSR") from None
    if vectors.ndim != 2 or vectors.shape[0] != len(texts):
        found = f"encode gave the shape {vectors.shape} for {len(texts)} texts"
        raise ValueError(f"{name}: {found}; needed one row for each")
    vectors = vectors.tocsr() if issparse(vectors) else vectors
    row = _first_not_finite(vectors)
    if row is not None:
        raise ValueError(f"{name}: the vector of {texts[row][:50]!r} holds a value that is not finite")
    return vectors


def model_name(model: object) -> str:
    """The model's `name`, else that of its class."""
    return getattr(model, "name", type(model).__name__)


def in_16_bits(vectors: Vectors) -> Vectors:
    """Values with the precision of 16 bits, as float32."""
    values = vectors.data if issparse(vectors) else vectors
    if values.size and np.abs(values).max() > LARGEST:
        found = f"a value of {np.abs(values).max():.3g}; 16 bits hold up to {LARGEST:,.0f}"
        raise ValueError(f"the vectors hold {found}: bring them to length 1")
    if not issparse(vectors):
        return vectors.astype(np.float16).astype(np.float32)
    halved = csr_matrix(vectors, dtype=np.float32, copy=True)
    halved.data = halved.data.astype(np.float16).astype(np.float32)
    halved.sum_duplicates()
    halved.eliminate_zeros()
    return halved


def _first_not_finite(vectors: Vectors) -> int | None:
    if issparse(vectors):
        bad = np.flatnonzero(~np.isfinite(vectors.data))
        return int(np.searchsorted(vectors.indptr, bad[0], side="right")) - 1 if len(bad) else None
    finite = np.isfinite(vectors).all(axis=1)
    return None if finite.all() else int(np.argmin(finite))
