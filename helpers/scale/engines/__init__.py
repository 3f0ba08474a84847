"""Engines, a file each: `base` is what they share, `terms` gives them our own terms; then those that search
by words (`tantivy`, `bm25s`, `duckdb`), and those that search by vectors too (`lancedb`, `qdrant`)."""
