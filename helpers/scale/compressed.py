"""Vectors in fewer bytes: fewer bits a number, or fewer numbers. Every document is still looked at.

Each index has `nearest` and `bytes_a_document` as those of `approximate`. Queries stay in 32 bits (but for
the first look of `Binary`). NumPy makes numbers of codes before it multiplies, so these show what is lost and
what is saved; a library that multiplies codes is faster.
"""

import numpy as np

from helpers.base import warn
from helpers.encoders import check_16_bits
from helpers.scale.approximate import (
    Exact,
    Found,
    VectorIndex,
    as_mask,
    as_queries,
    as_vectors,
    best,
    check_at_most,
    check_index,
    side_by_side,
)

ONES = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.uint8)
"""How many bits of a byte are 1."""


class _Codes(Exact):
    """Rows are kept as codes, and are numbers again only while they are multiplied."""

    rows_at_once = 4096

    def __init__(self, codes: np.ndarray, width: int, beside: int = 0):
        self.codes, self.n, self.width = codes, len(codes), width
        self.bytes_a_document = (codes.nbytes + beside) / self.n


class Float16(_Codes):
    """Numbers of 16 bits, 11 of them for the digits: half the bytes.

    Raises ValueError for vectors that 16 bits cannot hold, with a value above 65,504 or none above 0.00006.

    >>> index = Float16([[0.6, 0.8]])
    >>> print(index.bytes_a_document, index.nearest([[0.6, 0.8]], k=1)[1].round(3))
    4.0 [[1.]]
    """

    name = "float16"

    def __init__(self, vectors: np.ndarray):
        vectors = as_vectors(vectors)
        check_16_bits(vectors)
        super().__init__(vectors.astype(np.float16), vectors.shape[1])

    def decoded(self, rows: np.ndarray) -> np.ndarray:
        return self.codes[rows].astype(np.float32)


class Int8(_Codes):
    """Whole numbers from -127 to 127, times a scale of each dimension: its largest value is 127.

    >>> index = Int8([[0.5, 0.1], [-1.0, 0.2]])
    >>> index.codes.tolist(), str(index.scales[0] * 64)[:5]  # what 0.5 has become
    ([[64, 64], [-127, 127]], '0.503')
    """

    name = "int8"

    def __init__(self, vectors: np.ndarray):
        vectors = as_vectors(vectors)
        codes, self.scales = _scaled(vectors, 127)
        super().__init__(codes, vectors.shape[1], self.scales.nbytes)

    def decoded(self, rows: np.ndarray) -> np.ndarray:
        return self.codes[rows].astype(np.float32)

    def prepared(self, queries: np.ndarray) -> np.ndarray:
        return queries * self.scales


class Int4(_Codes):
    """Whole numbers from -7 to 7, times a scale of each dimension; two of them share a byte.

    >>> index = Int4([[0.5, 0.1, 0.0], [-1.0, 0.2, 0.3]])
    >>> index.codes.tolist(), index.decoded(np.array([0, 1])).tolist()
    ([[188, 128], [31, 240]], [[3.0, 4.0, 0.0], [-7.0, 7.0, 7.0]])
    """

    name = "int4"

    def __init__(self, vectors: np.ndarray):
        vectors = as_vectors(vectors)
        codes, self.scales = _scaled(vectors, 7)
        # From 1 to 15, the first of two in the upper half of a byte; an odd last one stands alone.
        codes = np.pad((codes + 8).astype(np.uint8), ((0, 0), (0, codes.shape[1] % 2)))
        super().__init__(codes[:, ::2] << 4 | codes[:, 1::2], vectors.shape[1], self.scales.nbytes)

    def decoded(self, rows: np.ndarray) -> np.ndarray:
        codes = self.codes[rows]
        numbers = np.empty((len(codes), 2 * codes.shape[1]), dtype=np.float32)
        numbers[:, ::2], numbers[:, 1::2] = codes >> 4, codes & 15
        return numbers[:, : self.width] - 8

    def prepared(self, queries: np.ndarray) -> np.ndarray:
        return queries * self.scales


class Binary:
    """One bit a number: is it above 0? The score is minus the number of bits that differ (Hamming distance).

    Of equal distances, and there are many, the later row comes first. Warns of ten rows or more whose numbers
    have the same signs, as those of counts have: their distances are all equal.

    >>> index = Binary([[0.9, 0.1, -0.2], [0.5, -0.5, 0.5]])
    >>> [part.tolist() for part in index.nearest([[0.1, 0.1, 0.1]], k=2)]
    [[[1, 0]], [[-1.0, -1.0]]]
    """

    name = "binary"

    def __init__(self, vectors: np.ndarray):
        vectors = as_vectors(vectors)
        self.n, self.width = vectors.shape
        self.codes = np.packbits(vectors > 0, axis=1)
        if self.n >= 10 and (self.codes[-1] == self.codes[0]).all() and (self.codes == self.codes[0]).all():
            said = f"the numbers of all {self.n:,} vectors have the same signs, so all have the same bits"
            warn(f"{said} and the same distance; take the mean of each column off, of queries too, or Int8")
        self.bytes_a_document = float(self.codes.shape[1])

    def nearest(self, queries: np.ndarray, k: int, allowed: np.ndarray | None = None) -> Found:
        queries, k = as_queries(queries, k, self.width, self.n)
        rows = np.arange(self.n) if allowed is None else np.flatnonzero(as_mask(allowed, self.n))
        codes = self.codes if allowed is None else self.codes[rows]
        distances = (hamming(codes, code) for code in np.packbits(queries > 0, axis=1))
        return side_by_side([best(-distance.astype(np.float32), rows, k) for distance in distances], k)


class Rescored:
    """The `candidates` nearest of a rough index, in the order of a better one's scores.

    Both hold all documents; `bytes_a_document` is of both, though only the first must be in memory: of the
    second a query reads `candidates` rows.

    >>> points = [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]]
    >>> Rescored(Binary(points), Exact(points), candidates=3).nearest([[0.0, 1.0]], k=1)[0].tolist()
    [[2]]
    """

    def __init__(self, rough: VectorIndex, better: Exact, candidates: int):
        for name, index in (("rough", rough), ("better", better)):
            check_index(name, index)
        if not (hasattr(better, "decoded") and hasattr(better, "prepared")):
            needed = "needed one that can score single rows: Exact, Float16, Int8, Int4 or a shorter one"
            raise ValueError(f"better is a {type(better).__name__}; {needed}")
        if rough.n != better.n:
            raise ValueError(f"indexes of {rough.n} and {better.n} rows; needed two of the same documents")
        if (width := getattr(rough, "width", better.width)) != better.width:
            found = f"indexes of vectors of {width} and of {better.width} numbers"
            raise ValueError(f"{found}; needed two of the same documents")
        self.rough, self.better, self.n = rough, better, rough.n
        self.candidates = check_at_most("candidates", candidates, rough.n, "documents")
        self.bytes_a_document = rough.bytes_a_document + better.bytes_a_document
        self.name = f"{rough.name}, {candidates} rescored by {better.name}"

    def nearest(self, queries: np.ndarray, k: int, allowed: np.ndarray | None = None) -> Found:
        queries, k = as_queries(queries, k, self.better.width, self.n)
        rough, _ = self.rough.nearest(queries, max(k, self.candidates), allowed)
        found = []
        for query, rows in zip(self.better.prepared(queries), rough, strict=True):
            rows = np.sort(rows[rows >= 0])
            found.append(best(self.better.decoded(rows) @ query, rows, k))
        return side_by_side(found, k)


class FirstDimensions(Exact):
    """The first numbers of each vector, brought to length 1, and the rest thrown away.

    A model trained for it (Matryoshka) puts what matters most first; others spread it over all dimensions.

    Source: Kusupati et al., Matryoshka representation learning, 2022.

    >>> FirstDimensions([[0.6, 0.8, 0.0], [0.0, 0.6, 0.8]], dimensions=2).vectors.round(1).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 1.0]]
    """

    def __init__(self, vectors: np.ndarray, dimensions: int):
        vectors = as_vectors(vectors)
        self.kept = check_at_most("dimensions", dimensions, vectors.shape[1], "dimensions")
        super().__init__(_unit(vectors[:, : self.kept]))
        self.width = vectors.shape[1]
        self.name = f"first {dimensions} dimensions"

    def prepared(self, queries: np.ndarray) -> np.ndarray:
        return _unit(queries[:, : self.kept])


class Principal(Exact):
    """Vectors turned so that their largest directions come first, then cut to these, length 1 again (PCA).

    `directions` (d × dimensions) are the largest singular ones of the documents as they are: the mean is not
    taken off, since a cosine is measured from zero and not from the mean.

    >>> index = Principal([[0.6, 0.8], [0.8, 0.6], [0.7, 0.7]], dimensions=1)
    >>> print(index.directions.T.round(2), index.nearest([[1.0, 0.0]], k=1)[0])
    [[0.71 0.71]] [[2]]
    """

    def __init__(self, vectors: np.ndarray, dimensions: int):
        vectors = as_vectors(vectors)
        check_at_most("dimensions", dimensions, vectors.shape[1], "dimensions")
        _, turned = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)  # smallest first
        turned = turned[:, ::-1][:, :dimensions]
        # Of a direction and its opposite the one whose largest entry is positive.
        largest = turned[np.abs(turned).argmax(axis=0), np.arange(dimensions)]
        self.directions = (turned * np.sign(largest)).astype(np.float32)
        super().__init__(_unit(vectors @ self.directions))
        self.width = vectors.shape[1]
        self.bytes_a_document += self.directions.nbytes / self.n
        self.name = f"{dimensions} principal dimensions"

    def prepared(self, queries: np.ndarray) -> np.ndarray:
        return _unit(queries @ self.directions)


def hamming(codes: np.ndarray, code: np.ndarray) -> np.ndarray:
    """How many bits of each row of bytes (n × bytes) differ from those of one row.

    >>> hamming(np.array([[0b1100], [0b1111]], dtype=np.uint8), np.array([0b1000], dtype=np.uint8)).tolist()
    [1, 3]
    """
    differing = codes ^ code
    ones = np.bitwise_count(differing) if hasattr(np, "bitwise_count") else ONES[differing]  # NumPy 2 has it
    return ones.sum(axis=1, dtype=np.int32)


def _scaled(vectors: np.ndarray, largest: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers from -largest to largest, and what each dimension is to be multiplied with."""
    scales = np.abs(vectors).max(axis=0) / largest
    scales[scales == 0] = 1.0  # a dimension that is 0 throughout
    return np.rint(vectors / scales).astype(np.int8), scales


def _unit(rows: np.ndarray) -> np.ndarray:
    """Rows of length 1; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
