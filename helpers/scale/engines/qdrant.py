"""Qdrant: vectors, dense or sparse, and filters. In the process, in a folder, or a server at an address."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from helpers.encoders import load_encoder, model_name
from helpers.records import Corpus
from helpers.retrieval import Encoder, TwoEncoders, unit_vectors, weigh
from helpers.scale.engines.base import EngineRetriever, Hits, package
from helpers.scale.engines.terms import Terms
from helpers.text import Analyzer, lucene_english

_BATCH = 256
"""Points that are sent at once."""


class _Qdrant(EngineRetriever):
    """A collection of points, one a document, with its group as payload."""

    def __init__(self, corpus, groups, collection: str, **place):
        super().__init__(corpus, groups)
        qdrant = package("qdrant_client", "engines")
        self._models = qdrant.models
        given = {name: value for name, value in place.items() if value is not None}
        if {"url", "path"} <= given.keys():
            raise ValueError("url and path were given; needed one of them, or neither for an index in memory")
        self.client = qdrant.QdrantClient(**(given or {"location": ":memory:"}))
        self.collection, self._on_a_server = collection, "url" in given

    def _create(self, **settings) -> None:
        if self.client.collection_exists(self.collection):
            cure = "give another name as collection=, or delete it first: client.delete_collection(name)"
            raise ValueError(f"Qdrant has a collection {self.collection!r} already; {cure}")
        self.client.create_collection(self.collection, **settings)
        if self.groups is not None and self._on_a_server:  # in the process there are no such indexes
            self.client.create_payload_index(
                self.collection, "group", self._models.PayloadSchemaType.KEYWORD, wait=True
            )

    def _upload(self, vectors: Sequence[tuple[int, object]]) -> None:
        of_each = self._group_of_each()
        for start in range(0, len(vectors), _BATCH):
            points = [
                self._models.PointStruct(id=number, vector=vector, payload={"group": of_each[number]})
                for number, vector in vectors[start : start + _BATCH]
            ]
            self.client.upsert(self.collection, points, wait=True)

    def _points(self, query: object, limit: int, group: str | None, **options) -> Hits:
        m, fits = self._models, None
        if group is not None:
            fits = m.Filter(must=[m.FieldCondition(key="group", match=m.MatchValue(value=group))])
        points = self.client.query_points(
            self.collection, query=query, limit=limit, query_filter=fits, with_payload=False, **options
        ).points
        return [point.id for point in points], [point.score for point in points]

    def close(self) -> None:
        """Lets go of the folder, or of the connection; a server keeps the collection."""
        self.client.close()


class QdrantBM25(_Qdrant):
    """BM25 as sparse vectors: a document's weights are sent, and Qdrant multiplies the query by the IDF.

    The weights are `CsrBM25`'s, tf / (tf + k1·(1 − b + b·dl / avgdl)), and the collection is made with
    `Modifier.IDF`, which is Lucene's IDF from Qdrant's own counts: so the scores are `CsrBM25`'s, but for the
    last digit. The mean length is in the weights: documents that are added later do not change it.

    Without `path` and `url` the index is in memory, in plain Python and slow: some queries a second on
    thousands of documents. `path` is a folder of that. `url` (with `api_key`) is a server; `collection` must
    be a name that it does not have yet, and stays there afterwards (`retriever.client` deletes it).

    Needs the extra `engines`; raises ModuleNotFoundError without it, ValueError as `CsrBM25` does.

    >>> retriever = QdrantBM25({"d1": "a cat sat", "d2": "two cats and a dog"})  # doctest: +SKIP
    >>> [doc_id for doc_id, score in retriever.search({"q1": "cats"}, k=10)["q1"]]  # doctest: +SKIP
    ['d1', 'd2']
    """

    def __init__(
        self,
        corpus: Corpus,
        analyzer: Analyzer = lucene_english,
        groups: Mapping[str, str] | None = None,
        k1: float = 0.9,
        b: float = 0.4,
        lucene_lengths: bool = False,
        path: str | Path | None = None,
        url: str | None = None,
        api_key: str | None = None,
        collection: str = "measure-first",
    ):
        super().__init__(corpus, groups, collection, path=path, url=url, api_key=api_key)
        m = self._models
        self._create(
            vectors_config={},
            sparse_vectors_config={"terms": m.SparseVectorParams(modifier=m.Modifier.IDF)},
        )
        self._terms = Terms((corpus[doc_id] for doc_id in self.doc_ids), analyzer)
        weights = weigh(self._terms.counts, "lucene", k1, b, lucene_lengths=lucene_lengths).documents
        self._upload([(number, {"terms": row}) for number, row in enumerate(self._rows(weights))])
        lengths = ", one-byte lengths" if lucene_lengths else ""
        self.name = f"Qdrant sparse BM25, k1={k1}, b={b}, {getattr(analyzer, '__name__', analyzer)}{lengths}"

    def _rows(self, matrix) -> list:
        vector, pairs = self._models.SparseVector, zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
        return [
            vector(indices=matrix.indices[a:b].tolist(), values=matrix.data[a:b].astype(float).tolist())
            for a, b in pairs
        ]

    def _asked(self, texts: Sequence[str]) -> list:
        return [row if row.indices else None for row in self._rows(self._terms.count(texts))]

    def _hits(self, asked: object, limit: int, group: str | None) -> Hits:
        return self._points(asked, limit, group, using="terms")


class QdrantVectors(_Qdrant):
    """Search by vectors in Qdrant, by their cosine: exact in the process, by its HNSW index on a server.

    `model` encodes the documents, and later the queries: a name, a folder, or an object with `encode`, as in
    `DenseRetriever`. Documents without a direction, a vector of zeros, are never found. For `path`, `url`,
    `api_key` and `collection` see `QdrantBM25`.

    Needs the extra `engines`; raises ModuleNotFoundError without it, ValueError as `DenseRetriever` does.

    >>> class Letters:
    ...     def encode(self, texts):
    ...         return [[text.count("a"), text.count("b")] for text in texts]
    >>> retriever = QdrantVectors({"d1": "ab", "d2": "a"}, Letters())  # doctest: +SKIP
    >>> retriever.search({"q1": "aa"}, k=1)  # doctest: +SKIP
    {'q1': [('d2', 1.0)]}
    """

    def __init__(
        self,
        corpus: Corpus,
        model: str | Path | Encoder | TwoEncoders,
        groups: Mapping[str, str] | None = None,
        path: str | Path | None = None,
        url: str | None = None,
        api_key: str | None = None,
        collection: str = "measure-first-vectors",
    ):
        super().__init__(corpus, groups, collection, path=path, url=url, api_key=api_key)
        self._model, m = load_encoder(model) if isinstance(model, (str, Path)) else model, self._models
        vectors = unit_vectors(self._model, [corpus[doc_id] for doc_id in self.doc_ids]).astype(np.float32)
        size = vectors.shape[1]
        self._create(vectors_config=m.VectorParams(size=size, distance=m.Distance.COSINE))
        has = np.flatnonzero(vectors.any(axis=1)).tolist()
        self._upload([(number, vectors[number].tolist()) for number in has])
        self.name = f"Qdrant {model_name(self._model)}"

    def _asked(self, texts: Sequence[str]) -> list:
        vectors = unit_vectors(self._model, list(texts), "query").astype(np.float32) if texts else []
        return [vector.tolist() if vector.any() else None for vector in vectors]

    def _hits(self, asked: object, limit: int, group: str | None) -> Hits:
        return self._points(asked, limit, group)
