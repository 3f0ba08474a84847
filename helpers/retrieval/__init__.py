"""Retrieval, file by file in the order in which a text becomes a run: `vectors` counts terms, `bm25` has the
idf and the weight of every variant, `sparse_index` (with `compiled`) finds the k best, `retrievers` and
`dense` (with `latent`) are what is used, `full_text` is SQLite, `ledger` explains a score, `folding` turns
hits of chunks into documents, `fusion` (with `tuning`) makes one run of several, `rerank` puts candidates in
another order, `hybrid` is BM25 with vectors; `sparse` is all of it step by step, for lesson 04, with
`corpus_cache` for corpora that take hours to encode.
"""

from helpers.base import name_wrong_types
from helpers.retrieval import sparse
from helpers.retrieval.bm25 import VARIANTS, CollectionStatistics, parameters, weigh
from helpers.retrieval.corpus_cache import load_encoded_corpus, save_encoded_corpus
from helpers.retrieval.dense import LATENT, DenseRetriever, LatentRetriever, LearnedSparseRetriever
from helpers.retrieval.folding import to_documents
from helpers.retrieval.full_text import TOKENIZER, match_expression
from helpers.retrieval.fusion import (
    METHODS,
    HybridRetriever,
    check_retriever,
    found_by,
    fuse,
    min_max,
    normalise,
    reciprocal_rank_fusion,
    reciprocal_ranks,
    theoretical_minimum,
    weighted_sum,
    z_scores,
)
from helpers.retrieval.hybrid import Bm25WithVectors
from helpers.retrieval.latent import Encoder, LatentSemantic, TwoEncoders, cosines, unit_vectors
from helpers.retrieval.ledger import explain, has_terms, why_above
from helpers.retrieval.rerank import CosineScorer, Reranker, Scorer, candidate_ceiling
from helpers.retrieval.retrievers import CsrBM25, RankBM25, SqliteFTS5, SubstringScan
from helpers.retrieval.sparse_index import SparseIndex, packed, top_k, unpacked
from helpers.retrieval.tuning import best_alpha, tune_alpha, tuning_curve
from helpers.retrieval.vectors import (
    as_terms,
    check_analyzer,
    check_corpus,
    check_queries,
    check_texts,
    count_columns,
    count_terms,
    document_frequency,
)

# What is reached through the door as `sparse.…` names wrong types too.
_steps = {name: getattr(sparse, name) for name in sparse.__all__} | {"__name__": __name__}
name_wrong_types(_steps)
vars(sparse).update((name, _steps[name]) for name in sparse.__all__)

name_wrong_types(globals())
