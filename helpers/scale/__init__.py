"""What is done when a collection outgrows one machine or its memory, and what each way costs in quality:
`approximate` does not look at every vector, `compressed` keeps fewer bytes of each."""

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
