"""The registries that snapshots are made from: the backends that rank items, and the chunkers that cut them.

A backend costs its class in `helpers.retrieval` and a row here, from which all else follows. Only the
standard library is imported: `--help` reads these tables before anything is installed.
"""

from dataclasses import dataclass, field

FULL_TEXT = "sqlite-full-text-search"
"""The default backend, and the one whose queries have a syntax of their own."""


@dataclass(frozen=True)
class Backend:
    """How one backend is made; the defaults of its parameters are those of its class.

    `retriever` names the class in `helpers.retrieval`, `analyzer` the default one of `ANALYZERS`, None where
    the class takes none; `parameters` are what a user may set, `{name: str, float or bool}`. An index
    `in_a_file` is kept on disk, any other is built again whenever a snapshot is loaded. `always` are
    arguments that are not a user's to set and change no result.

    >>> BACKENDS["rank-bm25"]
    Backend(retriever='RankBM25', analyzer='plain', parameters={}, in_a_file=False)
    """

    retriever: str
    analyzer: str | None = None
    parameters: dict[str, type] = field(default_factory=dict)
    in_a_file: bool = False
    always: dict[str, object] = field(default_factory=dict, repr=False)


_BM25 = {"variant": str, "k1": float, "b": float, "delta": float, "lucene_lengths": bool}
_HYBRID = {"model": str, "method": str, "alpha": float}
_KEPT = {"cache": True}
"""The vectors of a model with weights are encoded once and kept; a snapshot is loaded by every verb."""

BACKENDS = {
    FULL_TEXT: Backend("SqliteFTS5", parameters={"tokenizer": str}, in_a_file=True),
    "csr-bm25": Backend("CsrBM25", "lucene_english", _BM25),
    "rank-bm25": Backend("RankBM25", "plain"),
    "substring-scan": Backend("SubstringScan"),
    "dense": Backend("DenseRetriever", parameters={"model": str}, always=_KEPT),
    "hybrid": Backend("Bm25WithVectors", "lucene_english", _HYBRID, always=_KEPT),
}

CHUNKERS = {"none": None} | {name: f"chunk_{name}" for name in ("fixed", "paragraphs", "recursive")}
"""The function of `helpers.text` that cuts, which has the default sizes too; None leaves documents whole."""
