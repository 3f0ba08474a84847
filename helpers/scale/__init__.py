"""Scale: what to do when one index in memory is no longer enough, and what each way out costs.

`approximate` does not look at every vector, `compressed` keeps fewer bytes of each. `shards` makes many small
indexes answer as one (count, merge, weigh, search, merge), `shard_files` keeps them on disk, `sharded` is the
retriever over them, in this process or on the machines of a Dask cluster. `engines` are search engines that
exist, each behind the same `search`: the package of one is imported when a retriever of it is made.
"""

from helpers.base import name_wrong_types
from helpers.scale.approximate import (
    Exact,
    Hnsw,
    InvertedFile,
    VectorSearch,
    filtered_after,
    k_means,
    neighbour_recall,
    usual_cells,
)
from helpers.scale.compressed import Binary, FirstDimensions, Float16, Int4, Int8, Principal, Rescored
from helpers.scale.engines.base import FILTERED
from helpers.scale.engines.bm25s import Bm25s
from helpers.scale.engines.duckdb import DuckDbBM25, DuckDbFTS
from helpers.scale.engines.lancedb import LanceDbBM25, LanceDbVectors
from helpers.scale.engines.qdrant import QdrantBM25, QdrantVectors
from helpers.scale.engines.tantivy import TantivyBM25, tantivy_terms
from helpers.scale.shard_files import DamagedShards, check_shards, rebuild_shard, write_shards
from helpers.scale.sharded import ShardedIndex
from helpers.scale.shards import Statistics, count_shard, merge_statistics, merge_top, statistics

name_wrong_types(globals())
