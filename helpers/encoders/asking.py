"""Asking a model for vectors: whatever encodes texts is a model, and what it gives is checked."""

from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence, Set

import numpy as np
from scipy.sparse import csr_matrix, issparse

from helpers.base import check_option, warn

Vectors = np.ndarray | csr_matrix
"""A row for each text: dense, or sparse."""
KINDS = ("document", "query")
_METHODS = {
    "document": ("encode_documents", "encode_document", "encode"),
    "query": ("encode_queries", "encode_query", "encode"),
}
"""What a model is asked by, the first that it has; the second is that of sentence-transformers."""
LARGEST, SMALLEST = float(np.finfo(np.float16).max), float(np.finfo(np.float16).tiny)
"""Of 16 bits; what is smaller has fewer digits, or none."""
ROUNDING = 1e-6
_NUMBERS = "fiub"
"""The kinds of NumPy's types that are real numbers."""


def encoded(model: object, texts: Sequence[str], kind: str = "document") -> Vectors:
    """What a model gives for texts, checked: rows of numbers (texts × width, float64), or CSR as it is.

    A model has `encode_documents` and `encode_queries`, of which `kind` chooses (`encode_document` and
    `encode_query` in sentence-transformers from 5 on), or `encode(list of texts)` for both. Raises ValueError
    for one that has none of them, for what is no list of texts, another number of rows than texts, a value
    that is not finite, and an `encode` that is async, which gives no vectors yet. Warns of bytes, which may
    be bits that were packed.

    >>> class Letters:
    ...     def encode(self, texts):
    ...         return [[text.count("a"), text.count("b")] for text in texts]
    >>> encoded(Letters(), ["aab"]).tolist()
    [[2.0, 1.0]]
    """
    check_option("kind", kind, KINDS)
    texts = as_texts(texts)
    if isinstance(model, str):  # which has a method encode
        cure = f"a name is loaded first: helpers.encoders.load_encoder({model!r:.60})"
        raise ValueError(f"the model is the text {model!r:.60}; {cure}")
    encode = next(filter(None, (getattr(model, name, None) for name in _METHODS[kind])), None)
    if not callable(encode) or isinstance(model, type):
        needed = "needed an object with encode(list of texts) -> one row for each"
        if callable(getattr(model, "embed_documents", None)):
            needed = "wrap it: encode_documents(texts) gives its embed_documents(texts), and"
            needed += " encode_queries(texts) gives [model.embed_query(text) for text in texts]"
        raise ValueError(f"the model is a {type(model).__name__}; {needed}")
    if not texts:
        return np.empty((0, 0))
    vectors = as_rows(_answered(encode(texts), model), texts, f"{model_name(model)}: encode")
    return vectors if issparse(vectors) else vectors.astype(np.float64)


def _answered(vectors: object, model: object) -> object:
    """What a model gave. Raises ValueError for a coroutine, of which nothing has run."""
    if isinstance(vectors, Coroutine):
        vectors.close()  # else Python says later, and elsewhere, that nobody waited for it
        cure = "needed one that is not: def encode(self, texts): return asyncio.run(…)"
        raise ValueError(f"{model_name(model)}: encode is async and gave a coroutine; {cure}")
    return vectors


def as_texts(texts: Iterable[str], what: str = "texts") -> list[str]:
    """Texts as a list. Raises ValueError for one text alone, what has no order, and what is no text; for a
    generator too, which may have been read before and would be no text at all.

    >>> as_texts({"d1": "a cat"})
    Traceback (most recent call last):
    ValueError: texts is a dict; needed a list of texts
    """
    no_list = isinstance(texts, (str, bytes, Mapping, Set, Iterator)) or getattr(texts, "ndim", 1) != 1
    if no_list or not isinstance(texts, Iterable):
        raise ValueError(f"{what} is a {type(texts).__name__}; needed a list of texts")
    texts = list(texts)
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"{what}: text {number} of {len(texts)} is {text!r:.50}; needed a str")
    return texts


def as_rows(vectors: object, names: Sequence[str], what: str) -> Vectors:
    """Vectors as an array, or CSR, with a row for each of the `names`; the numbers' type stays what it is.

    Raises ValueError, beginning with `what`, for anything else, and for a value that is not finite.

    >>> as_rows([[1, 2], [3, float("nan")]], ["d1", "d2"], "vectors")
    Traceback (most recent call last):
    ValueError: vectors: the vector of 'd2' holds a value that is not finite
    """
    reason = None
    try:
        array = vectors.tocsr() if issparse(vectors) and vectors.ndim == 2 else np.asarray(vectors)
    except Exception as error:  # a tensor that is elsewhere has a type of error of its own
        array, reason = None, error
    if array is None or array.dtype.kind not in _NUMBERS:
        found = f"gave no array of numbers but {type(vectors).__name__}" + (f" ({reason})" if reason else "")
        if isinstance(vectors, list) and (odd := [i for i, row in enumerate(vectors) if row is None]):
            found = f"gave None for text {odd[0]}, {names[odd[0]]!r:.60}" if odd[0] < len(names) else found
        raise ValueError(f"{what} {found}; needed one row for each text, or CSR") from reason
    if array.ndim != 2 or array.shape[0] != len(names):
        found = f"gave the shape {array.shape} for {len(names)} texts"
        raise ValueError(f"{what} {found}; needed one row for each")
    if array.dtype == np.uint8 and not issparse(array):
        said = "whole numbers from 0 to 255, as bits that were packed have, and count as numbers"
        warn(f"{what} has {said}; ask the model for floats, of which helpers.scale.Binary makes bits")
    row = _first_not_finite(array)
    if row is not None:
        raise ValueError(f"{what}: the vector of {names[row][:50]!r} holds a value that is not finite")
    return array


def as_numbers(values: object) -> np.ndarray | None:
    """Values as an array, None where they are no numbers: text is not read as one.

    >>> as_numbers([1, 2.5]).tolist(), as_numbers(["1", "2.5"])
    ([1.0, 2.5], None)
    """
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, RuntimeError):  # rows of different length, a tensor that needs a gradient
        return None
    return array if array.dtype.kind in _NUMBERS else None


def model_name(model: object) -> str:
    """The model's `name`, else that of its class.

    >>> model_name(3)
    'int'
    """
    name = getattr(model, "name", None)
    return type(model).__name__ if name is None or callable(name) else str(name)


def model_similarity(model: object) -> str:
    """How a model's vectors are compared: "dot" or "cosine", as its `similarity` says, else "cosine".

    A model of sentence-transformers has a function there, and says in `similarity_fn_name` which it is.
    Raises ValueError for what is neither.

    >>> model_similarity(object())
    'cosine'
    """
    said = getattr(model, "similarity", "cosine")
    if callable(said):
        said = getattr(model, "similarity_fn_name", None) or "cosine"
    check_option("similarity", said, ("cosine", "dot"))
    return said


def model_fingerprint(model: object) -> str | None:
    """The model's `fingerprint`, bytes in hexadecimal; None where it has none. Raises ValueError for what is
    no text, which could not be written beside its vectors."""
    found = getattr(model, "fingerprint", None)
    found = found.hex() if isinstance(found, bytes) else found
    if not isinstance(found, str | None):
        given = f"the fingerprint of {model_name(model)} is a {type(found).__name__}"
        raise ValueError(f"{given}; needed a text, e.g. the SHA-256 of its weights, or none")
    return found


def check_16_bits(vectors: Vectors) -> None:
    """Raises ValueError for a value beyond 16 bits, and a row so small that they lose its digits."""
    if not vectors.shape[0] or not vectors.shape[1]:
        return
    largest = np.maximum(_of_rows(vectors.max(axis=1)), -_of_rows(vectors.min(axis=1)))
    if largest.max() > LARGEST:
        found = f"a value of {largest.max():.3g}; 16 bits hold up to {LARGEST:,.0f}"
        raise ValueError(f"the vectors hold {found}: bring them to length 1")
    # What is so small beside the others is rounding, as zero as it becomes.
    if len(lost := np.flatnonzero((largest > ROUNDING * largest.max()) & (largest < SMALLEST))):
        found = f"row {lost[0]}, whose largest value is {largest[lost[0]]:.3g}"
        raise ValueError(f"the vectors hold {found}, too small for 16 bits: bring them to length 1")


def _of_rows(extremes: object) -> np.ndarray:
    """One number a row, of a dense array or of CSR."""
    return (extremes.toarray() if issparse(extremes) else np.asarray(extremes)).ravel()


def in_16_bits(vectors: Vectors) -> Vectors:
    """Values with the precision of 16 bits, as float32. Raises ValueError as `check_16_bits` does."""
    check_16_bits(vectors)
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
