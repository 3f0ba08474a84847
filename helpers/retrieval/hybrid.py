"""BM25 and vectors over one corpus, fused: what a hybrid search is when nothing but the corpus is given."""

from collections.abc import Sequence
from pathlib import Path

from helpers.records import Corpus
from helpers.retrieval.dense import LATENT, DenseRetriever
from helpers.retrieval.fusion import HybridRetriever, check_share
from helpers.retrieval.latent import Encoder, TwoEncoders
from helpers.retrieval.retrievers import CsrBM25
from helpers.text import Analyzer, lucene_english

LOWEST = (0.0, -1.0)
"""The lowest score that BM25 and a cosine can give, for the theoretical minimum."""


class Bm25WithVectors(HybridRetriever):
    """A `HybridRetriever` of `CsrBM25` (k1=0.9, b=0.4) and a `DenseRetriever` of `model`.

    `alpha` is the share of the vectors, from 0 (BM25 alone) to 1; with "rrf" and alpha 0.5 it is plain
    reciprocal rank fusion. The other arguments are those of the three classes. A model whose score is an
    inner product has no lowest score, so there "tmm" is refused.

    >>> corpus = {"d1": "outage of the database", "d2": "downtime of the database", "d3": "the lunch menu"}
    >>> [doc_id for doc_id, score in Bm25WithVectors(corpus).search({"q1": "database outage"}, k=2)["q1"]]
    ['d1', 'd2']
    """

    def __init__(
        self,
        corpus: Corpus,
        analyzer: Analyzer = lucene_english,
        model: str | Path | Encoder | TwoEncoders = LATENT,
        method: str = "rrf",
        alpha: float = 0.5,
        depth: int = 100,
        cache: str | Path | bool | None = None,
    ):
        if not callable(analyzer):
            raise ValueError(f"analyzer is a {type(analyzer).__name__}; needed a function from text to terms")
        check_share("alpha", alpha, "the share of the vectors")
        dense = DenseRetriever(corpus, model, cache=cache)
        lowest = LOWEST if method == "tmm" and dense.similarity == "cosine" else None
        parts = {"BM25": CsrBM25(corpus, analyzer), dense.name: dense}
        super().__init__(parts, method, _weights(alpha, method), depth, lowest=lowest)
        self.alpha = alpha


def _weights(alpha: float, method: str) -> Sequence[float]:
    """Shares; doubled with "rrf", so that the middle is the plain sum of the paper."""
    whole = 2 if method == "rrf" else 1
    return [whole * (1 - alpha), whole * alpha]
