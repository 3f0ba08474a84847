"""LanceDB: tables of columns in the process or in a folder, with a full-text index and one of vectors."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from helpers.base import check_free, check_option, check_whole
from helpers.encoders import load_encoder, model_name
from helpers.records import Corpus
from helpers.retrieval import Encoder, TwoEncoders, unit_vectors
from helpers.scale.engines.base import EngineRetriever, Hits, package
from helpers.scale.engines.terms import Terms
from helpers.text import Analyzer, lucene_english

_ITS_OWN: dict[str, dict] = {"default": {}, "simple": {"stem": False, "remove_stop_words": False}}
"""What LanceDB does unless told otherwise, and the same without stems and stopwords."""
_TERMS_AS_THEY_ARE = {
    "base_tokenizer": "whitespace",
    "max_token_length": None,
    "lower_case": False,
    "ascii_folding": False,
    **_ITS_OWN["simple"],
}


class LanceDbBM25(EngineRetriever):
    """BM25 as LanceDB computes it: Lucene's IDF, k1 = 1.2, b = 0.75, exact lengths. Nothing of it can be set.

    `analyzer` is a function, whose terms are indexed as they are, or the name of one of LanceDB's own:
    "default" (stems, stopwords, accents taken off) or "simple" (neither stems nor stopwords). Its scores are
    ours times k1 + 1, where no document is empty: one without a term does not count as a document here, so N
    and the mean length are those of the others. With a `path`, a folder that is new or empty, the table is in
    files there.

    Needs the extra `lancedb`; raises ModuleNotFoundError without it, ValueError as `CsrBM25` does.

    >>> retriever = LanceDbBM25({"d1": "a cat sat", "d2": "two cats and a dog"})  # doctest: +SKIP
    >>> [doc_id for doc_id, score in retriever.search({"q1": "cats"}, k=10)["q1"]]  # doctest: +SKIP
    ['d1', 'd2']
    """

    def __init__(
        self,
        corpus: Corpus,
        analyzer: Analyzer | str = lucene_english,
        groups: Mapping[str, str] | None = None,
        path: str | Path | None = None,
    ):
        super().__init__(corpus, groups)
        package("lancedb", "lancedb")  # missing, it is named before anything is counted or encoded
        if isinstance(analyzer, str):
            check_option("analyzer", analyzer, _ITS_OWN)
        texts = [corpus[doc_id] for doc_id in self.doc_ids]
        self._terms = None if isinstance(analyzer, str) else Terms(texts, analyzer)
        texts = texts if self._terms is None else self._terms.documents
        columns = {"number": range(len(texts)), "text": texts, "grp": self._group_of_each()}
        self._table = _table(columns, path)
        lancedb_index = package("lancedb.index", "lancedb")
        settings = _ITS_OWN[analyzer] if self._terms is None else _TERMS_AS_THEY_ARE
        self._table.create_index("text", config=lancedb_index.FTS(**settings))
        self._match = package("lancedb.query", "lancedb").MatchQuery
        self.name = f"LanceDB BM25, k1=1.2, b=0.75, {getattr(analyzer, '__name__', analyzer)}"

    def _asked(self, texts: Sequence[str]) -> list:
        queries = texts if self._terms is None else self._terms.queries(texts)
        return [query if query.strip() else None for query in queries]

    def _hits(self, asked: str, limit: int, group: str | None) -> Hits:
        wanted = self._table.search(self._match(asked, "text"), query_type="fts")
        found = _filtered(wanted, group).select(["number", "_score"]).limit(limit).to_arrow()
        return found["number"].to_numpy(), found["_score"].to_numpy()


class LanceDbVectors(EngineRetriever):
    """Search by vectors in LanceDB, by their cosine: exact, every row read, or in an index of cells.

    `model` encodes the documents, and later the queries: a name, a folder, or an object with `encode`, as in
    `DenseRetriever`. With `cells` the vectors are put into so many cells by k-means (IVF), and a search reads
    the `probes` cells that are nearest to the query and no other: faster, and what lies in another cell is
    not found. Documents without a direction, a vector of zeros, are never found.

    Needs the extra `lancedb`; raises ModuleNotFoundError without it, ValueError as `DenseRetriever` does.

    >>> class Letters:
    ...     def encode(self, texts):
    ...         return [[text.count("a"), text.count("b")] for text in texts]
    >>> retriever = LanceDbVectors({"d1": "ab", "d2": "a"}, Letters())  # doctest: +SKIP
    >>> retriever.search({"q1": "aa"}, k=1)  # doctest: +SKIP
    {'q1': [('d2', 1.0)]}
    """

    def __init__(
        self,
        corpus: Corpus,
        model: str | Path | Encoder | TwoEncoders,
        groups: Mapping[str, str] | None = None,
        cells: int | None = None,
        probes: int = 1,
        path: str | Path | None = None,
    ):
        super().__init__(corpus, groups)
        package("lancedb", "lancedb")  # missing, it is named before anything is counted or encoded
        self._model = load_encoder(model) if isinstance(model, (str, Path)) else model
        vectors = unit_vectors(self._model, [corpus[doc_id] for doc_id in self.doc_ids])
        has = np.flatnonzero(vectors.any(axis=1))
        if not len(has):
            raise ValueError(f"{model_name(self._model)} gives every document a vector of zeros")
        of_each = np.array(self._group_of_each(), dtype=object)
        rows = _as_lists(vectors[has].astype(np.float32))
        self._table = _table({"number": has, "vector": rows, "grp": of_each[has]}, path)
        self._probes = check_whole("probes", probes, of="cells") if cells else None
        if cells:
            check_whole("cells", cells)
            index = package("lancedb.index", "lancedb").IvfFlat(distance_type="dot", num_partitions=cells)
            self._table.create_index("vector", config=index)
        ivf = f", IVF {cells}, {probes} probed" if cells else ""
        self.name = f"LanceDB {model_name(self._model)}{ivf}"

    def _asked(self, texts: Sequence[str]) -> list:
        vectors = unit_vectors(self._model, list(texts), "query").astype(np.float32) if texts else []
        return [vector if vector.any() else None for vector in vectors]

    def _hits(self, asked: np.ndarray, limit: int, group: str | None) -> Hits:
        wanted = self._table.search(asked, vector_column_name="vector").distance_type("dot")
        if self._probes:
            wanted = wanted.minimum_nprobes(self._probes).maximum_nprobes(self._probes)
        found = _filtered(wanted, group).select(["number", "_distance"]).limit(limit).to_arrow()
        return found["number"].to_numpy(), 1 - found["_distance"].to_numpy()


def _table(columns: Mapping[str, Sequence], path: str | Path | None):
    lancedb, arrow = package("lancedb", "lancedb"), package("pyarrow", "lancedb")
    if path is not None:
        check_free(Path(path))
    return lancedb.connect("memory://" if path is None else str(path)).create_table(
        "documents", arrow.table(dict(columns))
    )


def _as_lists(vectors: np.ndarray):
    """Rows as Arrow's lists of one length, which is what LanceDB takes for vectors."""
    arrow = package("pyarrow", "lancedb")
    return arrow.FixedSizeListArray.from_arrays(arrow.array(vectors.ravel()), vectors.shape[1])


def _filtered(wanted, group: str | None):
    if group is None:
        return wanted
    return wanted.where("grp = '" + group.replace("'", "''") + "'", prefilter=True)
