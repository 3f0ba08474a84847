"""Retrievers and what they are made of: vectors, BM25 weights, exact sparse search, full text; chunk hits
folded; a score explained."""

from helpers.retrieval import sparse
from helpers.retrieval.bm25 import VARIANTS, weigh
from helpers.retrieval.corpus_cache import load_encoded_corpus, save_encoded_corpus
from helpers.retrieval.folding import to_documents
from helpers.retrieval.full_text import TOKENIZER, match_expression
from helpers.retrieval.latent import (
    Encoder,
    LatentRetriever,
    LatentSemantic,
    cosines,
    unit_vectors,
)
from helpers.retrieval.ledger import explain, why_above
from helpers.retrieval.retrievers import CsrBM25, RankBM25, SqliteFTS5, SubstringScan
from helpers.retrieval.sparse_index import SparseIndex, top_k
from helpers.retrieval.vectors import check_texts, count_columns, count_terms

__all__ = [
    "CsrBM25",
    "Encoder",
    "LatentRetriever",
    "LatentSemantic",
    "RankBM25",
    "SparseIndex",
    "SqliteFTS5",
    "SubstringScan",
    "TOKENIZER",
    "VARIANTS",
    "check_texts",
    "cosines",
    "count_columns",
    "count_terms",
    "explain",
    "load_encoded_corpus",
    "match_expression",
    "save_encoded_corpus",
    "sparse",
    "to_documents",
    "top_k",
    "unit_vectors",
    "weigh",
    "why_above",
]
