"""What scale costs. `engines` are search engines that exist, each behind the same `search`: the package of
one is imported when a retriever of it is made, and never before."""

from helpers.scale.engines.base import FILTERED
from helpers.scale.engines.bm25s import Bm25s
from helpers.scale.engines.duckdb import DuckDbBM25, DuckDbFTS
from helpers.scale.engines.lancedb import LanceDbBM25, LanceDbVectors
from helpers.scale.engines.qdrant import QdrantBM25, QdrantVectors
from helpers.scale.engines.tantivy import TantivyBM25, tantivy_terms
