"""BM25 in its variants, and TF-IDF: the idf and the weight of each, put on one and the same count matrix.

A score is the sum, over the query's terms (repeats counted), of idf(t) · w(tf, dl / avgdl): a variant is a
pair of an idf and a w. Pairs differ in one line, and two programs that say "BM25" may differ in that line. A
constant factor in w, such as k1 + 1, changes every score and no rank. The idf does change ranks: a term in
more than half of the documents still counts a little with Lucene, not at all with bm25s's "robertson", and as
a quarter of the mean idf with rank-bm25. That is a lot: on SciFact 1.81, where "patients" has 1.39.

Compared in Kamphuis, de Vries, Boytsov and Lin, Which BM25 do you mean?, 2020.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from numbers import Real

import numpy as np
from scipy.sparse import csr_matrix

from helpers.base import check_flag, check_option
from helpers.retrieval.vectors import document_frequency

# The parts of the formulas that several variants share.


def _lucene_idf(df: np.ndarray, n: int) -> np.ndarray:
    return np.log(1 + (n - df + 0.5) / (df + 0.5))


def _log_odds(df: np.ndarray, n: int) -> np.ndarray:
    """Robertson and Spärck Jones's idf: below zero where more than half of the documents have the term."""
    return np.log((n - df + 0.5) / (df + 0.5))


def _floored_at_a_quarter_of_the_mean(df: np.ndarray, n: int) -> np.ndarray:
    idf = _log_odds(df, n)
    return np.where(idf < 0, 0.25 * idf.sum() / max(len(idf), 1), idf)


def _saturated(tf: np.ndarray, norm: np.ndarray, k1: float, delta: float) -> np.ndarray:
    return tf / (tf + k1 * norm)


def _scaled(tf: np.ndarray, norm: np.ndarray, k1: float, delta: float) -> np.ndarray:
    return (k1 + 1) * tf / (tf + k1 * norm)


@dataclass(frozen=True)
class Variant:
    """One of `VARIANTS`: its source, idf(df, N), w(tf, norm, k1, delta), w(0) as absent(k1, delta), and its
    defaults.

    norm is 1 − b + b·dl / avgdl. A parameter that is None is one that the variant lacks. With `unit_rows` w
    is multiplied by idf too, and each document then brought to length 1.
    """

    source: str
    idf: Callable[[np.ndarray, int], np.ndarray]
    weight: Callable[[np.ndarray, np.ndarray, float, float], np.ndarray]
    absent: Callable[[float, float], float] = lambda k1, delta: 0.0
    k1: float | None = 0.9
    b: float | None = 0.4
    delta: float | None = None
    unit_rows: bool = False


VARIANTS: dict[str, Variant] = {
    "lucene": Variant(
        "Robertson and Zaragoza, The probabilistic relevance framework, 2009, section 3.4, as in Lucene "
        "since version 8: 1 + inside the logarithm keeps the idf above zero, and the factor k1 + 1 is left "
        "out.",
        idf=_lucene_idf,
        weight=_saturated,
    ),
    "robertson": Variant(
        "Robertson, Walker, Jones, Hancock-Beaulieu and Gatford, Okapi at TREC-3, 1994. As in bm25s, not as "
        "in the paper: an idf below zero becomes 0, and the factor k1 + 1 is left out.",
        idf=lambda df, n: np.maximum(_log_odds(df, n), 0),
        weight=_saturated,
    ),
    "atire": Variant(
        "Trotman, Jia and Crane, Towards an efficient and effective search engine, 2012.",
        idf=lambda df, n: np.log(n / df),
        weight=_scaled,
    ),
    "bm25l": Variant(
        "Lv and Zhai, When documents are very long, BM25 fails!, 2011. As in bm25s, not as in the paper: "
        "the shift delta is also given to terms that the document lacks. So it ranks as 'lucene' does with "
        "k1 + delta.",
        idf=lambda df, n: np.log((n + 1) / (df + 0.5)),
        weight=lambda tf, norm, k1, delta: (k1 + 1) * (tf / norm + delta) / (k1 + tf / norm + delta),
        absent=lambda k1, delta: (k1 + 1) * delta / (k1 + delta) if delta else 0.0,
        delta=0.5,
    ),
    "bm25+": Variant(
        "Lv and Zhai, Lower-bounding term frequency normalization, 2011. As in bm25s and rank-bm25, not as "
        "in the paper: delta is also given to terms that the document lacks. So every document gets it, and "
        "no rank depends on it.",
        idf=lambda df, n: np.log((n + 1) / df),
        weight=lambda tf, norm, k1, delta: _scaled(tf, norm, k1, delta) + delta,
        absent=lambda k1, delta: delta,
        delta=1.0,
    ),
    "rank-bm25": Variant(
        "BM25Okapi of the package rank_bm25, after Trotman, Puurula and Burgess, Improvements to BM25 and "
        "language models examined, 2014, with a floor of its own: an idf below zero becomes a quarter of "
        "the mean idf, which is more than many content words have.",
        idf=_floored_at_a_quarter_of_the_mean,
        weight=_scaled,
    ),
    "tf-idf": Variant(
        "Salton and Buckley, Term-weighting approaches in automatic text retrieval, 1988, with the idf and "
        "the other choices of scikit-learn's TfidfVectorizer. Not divided by the query's norm, the same for "
        "every document.",
        idf=lambda df, n: np.log((1 + n) / (1 + df)) + 1,
        weight=lambda tf, norm, k1, delta: tf,
        k1=None,
        b=None,
        unit_rows=True,
    ),
}
"""By name. All but "tf-idf" share one w ("bm25l" with k1 + delta), up to a factor and an addend that change
no rank."""


@dataclass(frozen=True, eq=False)
class Weighting:
    """What a count matrix has become: score(q, d) = Σ qtf(t) · (query[t] · documents[d, t] + absent[t]).

    `documents` (csr, documents × terms, float32) holds w(tf) − w(0), so that it stays as sparse as the
    counts, whose index arrays it shares. `query` (float32, one per term) is the idf. `absent` (float32, one
    per term) is idf · w(0), what a document scores for a term that it lacks; it is the same for all
    documents, and zero but for BM25L and BM25+.
    """

    documents: csr_matrix
    query: np.ndarray
    absent: np.ndarray


@dataclass(frozen=True, eq=False)
class CollectionStatistics:
    """What weights take from all documents together: how many there are (N), how many occurrences of terms
    they hold (avgdl times N), and in how many of them each term stands (df, one whole number per column)."""

    n_documents: int
    n_occurrences: int
    df: np.ndarray


def collection_statistics(counts: csr_matrix) -> CollectionStatistics:
    """The statistics of a count matrix, documents × terms.

    >>> collection_statistics(csr_matrix([[2, 0, 1], [1, 0, 0]]))
    CollectionStatistics(n_documents=2, n_occurrences=4, df=array([2, 0, 1]))
    """
    return CollectionStatistics(counts.shape[0], int(counts.sum()), document_frequency(counts))


def weigh(
    counts: csr_matrix,
    variant: str = "lucene",
    k1: float | None = None,
    b: float | None = None,
    delta: float | None = None,
    lucene_lengths: bool = False,
    statistics: CollectionStatistics | None = None,
) -> Weighting:
    """A count matrix (documents × terms) under one of `VARIANTS`, computed in 64 bits and rounded once to 32.

    k1 = 0.9 and b = 0.4 for every variant unless given, not each paper's own: at equal k1 and b only the
    formula differs. delta is the papers' (BM25L 0.5, BM25+ 1.0). `lucene_lengths` (only "lucene") rounds dl
    by `round_length`, never avgdl. Where the counts are those of a part of a collection, `statistics` are
    those of the whole; left out, they are taken from the counts.

    A stored zero is no occurrence. A term that no document has weighs 0, a document without terms is a row of
    zeros. Raises ValueError for counts that are negative or not whole, for an unknown variant, for a
    parameter that the variant lacks or that is out of range (k1 and delta from 0 up, b from 0 to 1), and for
    statistics that the counts cannot be a part of.

    >>> weighting = weigh(csr_matrix([[2, 0, 1], [1, 0, 0]]), "bm25+", k1=1, b=0)
    >>> print(weighting.documents.toarray().round(2))
    [[1.33 0.   1.  ]
     [1.   0.   0.  ]]
    >>> print(weighting.query.round(2), weighting.absent.round(2))
    [0.41 0.   1.1 ] [0.41 0.   1.1 ]
    """
    check_flag("lucene_lengths", lucene_lengths)
    k1, b, delta = (float(value or 0) for value in parameters(variant, k1, b, delta).values())
    if lucene_lengths and variant != "lucene":
        raise ValueError(
            f"lucene_lengths with variant {variant!r}; only 'lucene' rounds lengths, leave it out"
        )
    chosen, counts = VARIANTS[variant], _occurrences(counts)
    own = collection_statistics(counts)
    whole = own if statistics is None else _of_the_whole(own, statistics)
    # The idf, one number a term. A term that no document has would divide by zero in some variants.
    df = whole.df
    idf = np.zeros(len(df))
    idf[df > 0] = chosen.idf(df[df > 0], whole.n_documents)
    # The length of each document beside the mean length: norm.
    lengths = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    avgdl = whole.n_occurrences / whole.n_documents if whole.n_occurrences else 1.0
    norm = 1 - b + b * (round_length(lengths) if lucene_lengths else lengths) / avgdl
    # The weight of each count, w(tf) − w(0). The idf stays apart, on the side of the query.
    documents = _documents(counts, chosen, idf, norm, k1, delta)
    return Weighting(documents, idf.astype(np.float32), (idf * chosen.absent(k1, delta)).astype(np.float32))


def parameters(
    variant: str, k1: float | None = None, b: float | None = None, delta: float | None = None
) -> dict[str, float | None]:
    """k1, b and delta as given, else the variant's defaults; None for one that it lacks. Raises as `weigh`
    does.

    >>> parameters("bm25+", k1=1.2)
    {'k1': 1.2, 'b': 0.4, 'delta': 1.0}
    """
    check_option("variant", variant, VARIANTS)
    found = {"k1": k1, "b": b, "delta": delta}
    for name, value in found.items():
        default = getattr(VARIANTS[variant], name)
        if value is None:
            found[name] = default
        elif default is None:
            raise ValueError(f"{name} is {value!r}, but variant {variant!r} has no {name}; leave it out")
        elif (
            not isinstance(value, Real)
            or isinstance(value, bool)
            or value > sys.float_info.max  # a whole number may be too large to be asked whether it is finite
            or not isfinite(value)
            or not 0 <= value <= (1 if name == "b" else inf)
        ):
            raise ValueError(
                f"{name} is {value!r}; k1 and delta are finite numbers from 0 up, b is one from 0 to 1"
            )
        elif isinstance(value, np.generic):
            found[name] = value.item()  # the number itself can be written as JSON
    return found


def compute_idf(corpus_matrix: csr_matrix) -> np.ndarray:
    """Lucene's IDF of each column, ln(1 + (N − df + 0.5) / (df + 0.5)), float32; above zero for every df.

    N is the number of rows. Lucene and Qdrant use this form; Robertson and Spärck Jones's lacks the "1 +".

    >>> print(compute_idf(csr_matrix([[2, 0, 1], [1, 0, 0]])).round(3))
    [0.182 1.792 0.693]
    """
    return _lucene_idf(document_frequency(corpus_matrix), corpus_matrix.shape[0]).astype(np.float32)


def bm25_weights(
    counts: csr_matrix, k1: float = 0.9, b: float = 0.4, lucene_lengths: bool = False
) -> csr_matrix:
    """The document side of BM25, tf / (tf + k1·(1 − b + b·dl / avgdl)), in place of each count tf (float32).

    dl is the document's number of terms, avgdl its mean over the rows. With `lucene_lengths`, dl is first
    rounded as Lucene stores it (`round_length`); avgdl stays exact. Multiply by IDF and by the query's counts
    to get the score.

    Source: Robertson and Zaragoza, The probabilistic relevance framework, 2009, section 3.4; the factor k1 +
    1, the same for every document, is left out as in Lucene since version 8.

    >>> print(bm25_weights(csr_matrix([[2, 0, 1], [1, 0, 0]]), k1=1, b=0).toarray().round(3))
    [[0.667 0.    0.5  ]
     [0.5   0.    0.   ]]
    """
    return weigh(counts, "lucene", k1, b, lucene_lengths=lucene_lengths).documents


LUCENE_LENGTHS = np.array(
    [*range(24), *(24 + m for m in range(8)), *(24 + (m << e) for e in range(28) for m in range(8, 16))]
)
"""The 256 document lengths that Lucene's one byte can tell apart: exact below 40, then 8 steps to each
doubling."""


def round_length(lengths: np.ndarray) -> np.ndarray:
    """Document lengths as Lucene's one byte keeps them: rounded down to the nearest of `LUCENE_LENGTHS`.

    Source: Lucene's `SmallFloat.intToByte4`, since version 7.

    >>> round_length(np.array([39, 40, 41, 100, 1000])).tolist()
    [39, 40, 40, 96, 984]
    """
    return LUCENE_LENGTHS[np.searchsorted(LUCENE_LENGTHS, lengths, side="right") - 1]


def _of_the_whole(part: CollectionStatistics, whole: CollectionStatistics) -> CollectionStatistics:
    """The statistics of the whole, which no part of it can exceed."""
    if len(whole.df) != len(part.df):
        found = f"statistics of {len(whole.df)} terms, counts of {len(part.df)}"
        raise ValueError(f"{found}; number the terms of every part in the columns of the whole")
    smaller = whole.n_documents < part.n_documents or whole.n_occurrences < part.n_occurrences
    if smaller or (whole.df < part.df).any():
        found = f"statistics of {whole.n_documents} documents, counts of {part.n_documents}"
        raise ValueError(f"{found}, with more occurrences of some term; add up the statistics of every part")
    return whole


def _occurrences(counts: csr_matrix) -> csr_matrix:
    """The same counts, each stored once and none of them zero. Copied only where something must change."""
    counts = csr_matrix(counts)
    if not counts.has_canonical_format:
        counts = counts.copy()
        counts.sum_duplicates()
    whole = (counts.data >= 0) & (counts.data < inf) & (counts.data == np.floor(counts.data))
    if not whole.all():  # NaN, of which none of the three is true, included
        position = int(np.argmin(whole))
        row, column = np.searchsorted(counts.indptr, position, side="right") - 1, counts.indices[position]
        raise ValueError(
            f"counts, row {row}, column {column}: {counts.data[position]} is no count; "
            "needed whole numbers from 0 up"
        )
    if not counts.data.all():
        counts = counts.copy()
        counts.eliminate_zeros()
    return counts


def _documents(
    counts: csr_matrix, chosen: Variant, idf: np.ndarray, norm: np.ndarray, k1: float, delta: float
) -> csr_matrix:
    """Weights in place of counts, in blocks of whole rows, of which about 65,536 postings are in 64 bits."""
    indptr, weights = counts.indptr, np.empty(counts.nnz, dtype=np.float32)
    # A block begins with the row that holds every 65,536th posting.
    starts = np.searchsorted(indptr, np.arange(0, counts.nnz, 1 << 16), side="right") - 1
    edges = np.unique([*starts, counts.shape[0]])
    for first, last in zip(edges[:-1], edges[1:], strict=True):
        block = slice(indptr[first], indptr[last])
        # For each posting of the block its row, and so the norm of its document.
        rows = np.repeat(np.arange(first, last), np.diff(indptr[first : last + 1]))
        tf = counts.data[block].astype(np.float64)
        values = chosen.weight(tf, norm[rows], k1, delta) - chosen.absent(k1, delta)
        # TF-IDF: the idf on the side of the document too, then each document divided by its length.
        if chosen.unit_rows:
            values = values * idf[counts.indices[block]]
            values = values / np.sqrt(np.bincount(rows - first, values**2))[rows - first]
        weights[block] = values
    return csr_matrix((weights, counts.indices, indptr), shape=counts.shape)
