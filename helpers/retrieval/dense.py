"""Retrieval by vectors of a neural model: dense ones by their cosines, learned sparse ones by shared terms.

A model is a name of the catalogue, a folder with weights, or any object that encodes texts. Documents may be
cut, and are then as good as their best piece.
"""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix, issparse

from helpers.base import (
    cache_path,
    check_flag,
    check_option,
    check_whole,
    corpus_fingerprint,
    first_few,
    warn,
)
from helpers.encoders import (
    KnownVectors,
    UnknownText,
    as_numbers,
    as_rows,
    as_texts,
    encoded,
    kept_vectors,
    load_encoder,
    model_fingerprint,
    model_name,
    model_similarity,
)
from helpers.records import Chunk, Corpus, Queries, Run
from helpers.retrieval.bm25 import compute_idf
from helpers.retrieval.latent import Encoder, LatentSemantic, TwoEncoders, cosines, unit_rows, unit_vectors
from helpers.retrieval.ledger import document_number
from helpers.retrieval.sparse import SparseModel
from helpers.retrieval.sparse_index import SparseIndex, top_k
from helpers.retrieval.vectors import check_corpus, check_queries, check_query, encode_to_csr
from helpers.text import chunk_corpus, unicode_words

LATENT = "latent-semantic"
"""The one model that needs no weights: fitted on the corpus itself."""
COMBINE = ("max", "mean")
"""What a document that is cut scores: as its best piece ("max-p"), or as the mean of its pieces' vectors."""

Rows = np.ndarray | csr_matrix
ALIKE = 0.98
"""Two vectors of one text have this cosine at least: batches and fewer bits change less, dropout more."""

OTHER = 0.3
"""Below it, for each of three texts, two vectors are of two models; in fewer bits they are far above."""

Kept = tuple[Sequence[str], np.ndarray | csr_matrix]
"""Ids and a row for each, as `kept_vectors` and `bundled_vectors` give them."""


class DenseRetriever:
    """Exact search by vectors: every document is scored, by the cosine of its vector with the query's.

    `model` is a name of the catalogue, a folder, "latent-semantic" (fitted on the corpus, no weights), or any
    object with `encode(list of texts)`; one with a method for each side (`encoders.encoded`) is asked by it.
    `batch_size`, `max_tokens`, `pooling` and `prefixes` are settings of a model that is loaded here. Where a
    model says `similarity = "dot"` (Contriever), or one of sentence-transformers `similarity_fn_name`, the
    score is the inner product.

    With a `chunker` (a function of `helpers.text`, or any from a text to chunks) pieces are encoded, and
    `combine` makes of them a document's score: that of the best piece, "max", or the cosine with the mean of
    the pieces' vectors, "mean". Without one a text longer than `max_tokens` is cut there and the rest unseen.

    `vectors` are ready-made ones of the documents, or of the chunks: ids and rows. `cache` keeps them: a
    folder, or the name of a collection, or True for a folder that is named by the texts (`kept_vectors`).

    Scores are rounded to six decimals, so that what is only rounding does not decide. Unlike those of terms,
    **documents at or below zero are results too**: zero is no boundary between what fits and what does not. A
    vector of zeros alone has no direction: a query with one finds nothing, a document with one, or without a
    chunk, is never found. All vectors are held in memory, eight bytes a number.

    Three texts are encoded once more, in another order: warns where a model then gives other vectors, and
    where `vectors` has for an id what the model makes of another's text, or rows of another model; also of
    most texts without a direction, and of one vector for all.

    Raises ValueError for an empty corpus, settings for a model that is already made, a model of sparse
    vectors, and for vectors that do not fit the documents; `fetch.Unavailable` where a model's weights are
    not here, with the command that gets them.

    >>> class Letters:
    ...     name = "letters"
    ...     def encode(self, texts):
    ...         return [[text.count("a") - text.count("b"), text.count("c")] for text in texts]
    >>> retriever = DenseRetriever({"d1": "a", "d2": "b", "d3": "ac"}, Letters())
    >>> retriever.search({"q1": "aa"}, k=10)
    {'q1': [('d1', 1.0), ('d3', 0.7071070075035095), ('d2', -1.0)]}
    """

    _above = -np.inf
    """Only documents that score above this are results."""

    def __init__(
        self,
        corpus: Corpus,
        model: str | Path | Encoder | TwoEncoders = LATENT,
        batch_size: int = 32,
        max_tokens: int | None = None,
        pooling: str | None = None,
        prefixes: Mapping[str, str] | None = None,
        vectors: Kept | None = None,
        chunker: Callable[[str], list[Chunk]] | None = None,
        combine: str = "max",
        cache: str | Path | bool | None = None,
    ):
        check_corpus(corpus)
        check_option("combine", combine, COMBINE)
        check_whole("batch_size", batch_size, of="texts")
        self.corpus, self.doc_ids = corpus, sorted(corpus)  # so that "higher number first" is "doc_id down"
        settings = {"max_tokens": max_tokens, "pooling": pooling, "prefixes": prefixes}
        self.model = _model(model, corpus, batch_size, settings)
        self.similarity = model_similarity(self.model)
        # What is encoded, piece by piece, in the order of the documents.
        pieces = _pieces(corpus, self.doc_ids, chunker)
        texts = {piece_id: text for piece_id, _, text in pieces}
        rows = _document_rows(self.model, texts, vectors, cache, self._scaled)
        _warn_of_one_vector(self.model, rows, texts)
        if vectors is not None or not cache:  # kept ones are tried where they are read
            encode = partial(unit_vectors, self.model)
            _try_again(self.model, texts, rows, vectors is not None, encode)
        # A piece without a direction is never the nearest.
        kept = rows.any(axis=1)
        self.vectors, self.pieces = (
            rows[kept],
            [piece for piece, has in zip(pieces, kept, strict=True) if has],
        )
        # The documents that can be found, each with the rows from its start to the next one's.
        owners = np.array([number for _, number, _ in self.pieces], dtype=np.int64)
        self._numbers, self._starts = np.unique(owners, return_index=True)
        self.chunked, self.combine = chunker is not None, combine
        self._compared = self._means() if self.chunked and combine == "mean" else self.vectors
        cut = "" if chunker is None else f", {_name(chunker)}, {_COMBINED[combine]}"
        self.name = f"{model_name(self.model)}{cut}"

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query: the k nearest documents, however far."""
        check_whole("k", k, least=0, of="documents")
        check_queries(queries)
        run: Run = {}
        for query_id, vector in zip(queries, self._query_rows(list(queries.values())), strict=True):
            # One query at a time: a batch may round otherwise.
            scores = self._in_32_bits(query_id, self._scores(vector))
            best = top_k(scores, k, self._above) if vector.any() else []
            run[query_id] = [(self.doc_ids[self._numbers[i]], float(scores[i])) for i in best]
        return run

    def explain(self, query: str, doc_id: str) -> pd.DataFrame:
        """Which piece of the document is nearest, and which of its words each query word is nearest to.

        A row for each word of the query (index `word`), in its order: `nearest`, a word of the piece, and
        `cosine`, theirs. For a model with token vectors the words are word pieces as it reads them, in their
        context, and where the mean of the tokens is the text's vector there is `share`: what the token gives
        to the cosine of query and piece, which the shares sum to. For any other model each word is encoded
        alone; where it cannot be (known vectors without their model) there is no row.

        `attrs` holds doc_id, query, retriever, score (as in `search`; None for a document that is never
        found), piece (its id), piece_score, text (of the piece). Raises ValueError for a doc_id that is not
        indexed, and a query that is not text.
        """
        check_query(query)
        number = document_number(self.doc_ids, doc_id)
        vector = self._query_rows([query])[0]
        about = {"doc_id": doc_id, "query": query, "retriever": self.name, "score": None, "piece": None}
        place = int(np.searchsorted(self._numbers, number))
        if number not in self._numbers[place : place + 1]:
            return _words([], about)
        ends = np.append(self._starts, len(self.pieces))
        own = slice(self._starts[place], ends[place + 1])
        to_pieces = cosines(vector, self.vectors[own])
        nearest = own.start + int(to_pieces.argmax())
        piece_id, _, text = self.pieces[nearest]
        scores = self._scores(vector)
        self._in_32_bits(query, scores)  # refuses what `search` would refuse
        about |= {"score": float(scores[place]), "piece": piece_id}
        about |= {"piece_score": float(to_pieces.max()), "text": text}
        try:
            return _words(_nearest_words(self.model, query, text, vector, self.vectors[nearest]), about)
        except UnknownText:
            return _words([], about)

    def _scaled(self, rows: np.ndarray) -> np.ndarray:
        return unit_rows(rows) if self.similarity == "cosine" else rows

    def _query_rows(self, queries: list[str]) -> np.ndarray:
        rows = unit_vectors(self.model, queries, "query", self._scaled)
        if queries and rows.shape[1] != self.vectors.shape[1]:
            found = f"queries of {rows.shape[1]} numbers, documents of {self.vectors.shape[1]}"
            raise ValueError(f"{self.name}: {found}; both must come from one model")
        return rows

    def _scores(self, vector: np.ndarray) -> np.ndarray:
        """The score of each document that can be found."""
        scores = cosines(vector, self._compared)
        best_piece = self.chunked and self.combine == "max" and len(scores)
        return np.maximum.reduceat(scores, self._starts) if best_piece else scores

    def _in_32_bits(self, query: str, scores: np.ndarray) -> np.ndarray:
        """Scores as a run has them; what is infinite there would have no order."""
        with np.errstate(over="ignore"):
            rounded = scores.astype(np.float32)
        if not np.isfinite(rounded).all():
            cure = "scale the model's vectors down"
            raise ValueError(f"{self.name}, query {query!r:.50}: a score is beyond 32 bits; {cure}")
        return rounded

    def _means(self) -> np.ndarray:
        """The mean of each document's pieces, which count the same however long they are."""
        counts = np.diff(np.append(self._starts, len(self.pieces)))
        sums = np.add.reduceat(self.vectors, self._starts) if len(self._starts) else self.vectors
        return self._scaled(sums / counts[:, None])


class LatentRetriever(DenseRetriever):
    """A `DenseRetriever` whose results are those above zero; without a model one is fitted on the corpus.

    In a latent space zero is a boundary: no kept dimension in common. `model` is any object that a
    `DenseRetriever` takes.

    >>> corpus = {"d1": "outage of the database", "d2": "downtime of the database", "d3": "the lunch menu"}
    >>> LatentRetriever(corpus, LatentSemantic(corpus.values(), dimensions=2)).search({"q1": "outage"}, k=10)
    {'q1': [('d2', 1.0), ('d1', 1.0)]}
    """

    _above = 0.0

    def __init__(self, corpus: Corpus, model: Encoder | TwoEncoders | None = None):
        super().__init__(corpus, LATENT if model is None else model)


class LearnedSparseRetriever:
    """Exact search by learned sparse vectors (SPLADE): the sum over shared terms of their two weights.

    `model` is a name of the catalogue, a folder, or any object with `encode_documents` and `encode_queries`
    that give CSR (texts × terms) or, with `sparse_dim`, a `{dimension: weight}` for each text. `batch_size`,
    `max_tokens`, `vectors` and `cache` are as in `DenseRetriever`. `use_idf=True` multiplies the query's
    weights by the corpus' IDF; a model that has learnt its weights from relevance has no need of it.

    Only documents that share a term of weight with the query are results, best first, equal scores by doc_id
    down. Raises ValueError for an empty corpus, a model of dense vectors, and vectors of another width.

    >>> class Letters:
    ...     name = "letters"
    ...     def encode_documents(self, texts):
    ...         return csr_matrix([[text.count("a"), text.count("b")] for text in texts])
    ...     encode_queries = encode_documents
    >>> LearnedSparseRetriever({"d1": "aab", "d2": "b", "d3": ""}, Letters()).search({"q1": "ab"}, k=10)
    {'q1': [('d1', 3.0), ('d2', 1.0)]}
    """

    def __init__(
        self,
        corpus: Corpus,
        model: str | Path | SparseModel,
        batch_size: int = 32,
        max_tokens: int | None = None,
        use_idf: bool = False,
        vectors: Kept | None = None,
        cache: str | Path | bool | None = None,
        sparse_dim: int | None = None,
    ):
        check_corpus(corpus)
        check_whole("batch_size", batch_size, of="texts")
        check_flag("use_idf", use_idf)
        self.corpus, self.doc_ids = corpus, sorted(corpus)
        self.model = _loaded(model, batch_size, {"max_tokens": max_tokens})
        self.sparse_dim, self.use_idf = sparse_dim, use_idf
        texts = {doc_id: corpus[doc_id] for doc_id in self.doc_ids}
        matrix = self._matrix(texts, vectors, cache)
        if vectors is not None or not cache:
            encode = partial(self._encoded, kind="document")
            _try_again(self.model, texts, matrix, vectors is not None, encode)
        self.index = SparseIndex(matrix)
        self.df = np.diff(self.index.starts)
        self.idf = compute_idf(matrix) if use_idf else np.ones(matrix.shape[1], dtype=np.float32)
        self.name = model_name(self.model) + (", × IDF" if use_idf else "")

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query, `[]` for one that shares no term."""
        check_whole("k", k, least=0, of="documents")
        check_queries(queries)
        if not queries:
            return {}
        found = self.index.search(self._weighted(list(queries.values())), min(k, len(self.doc_ids)))
        if not np.isfinite(found[1][found[0] >= 0]).all():
            raise ValueError(f"{self.name}: a score is beyond 32 bits; scale the model's weights down")
        return {
            query_id: [
                (self.doc_ids[row], score) for row, score in zip(rows, scores, strict=True) if row >= 0
            ]
            for query_id, rows, scores in zip(queries, *(part.tolist() for part in found), strict=True)
        }

    def explain(self, query: str, doc_id: str) -> pd.DataFrame:
        """The ledger of shared terms: a row for each term of the query's vector, the largest score first.

        Index `term` (the word piece, where the model can name it, else the column). score = query weight ·
        idf · document weight, which sum to the document's score within 32 bits; `df` is the number of
        documents with the term. A term that the document lacks has weight 0. `attrs` holds doc_id, query,
        terms, retriever, score. Raises ValueError for a doc_id that is not indexed.
        """
        check_query(query)
        number = document_number(self.doc_ids, doc_id)
        vector = self._encoded([query], "query")
        rows = []
        for column, weight in zip(vector.indices.tolist(), vector.data.tolist(), strict=True):
            idf, held = float(self.idf[column]), self.index.weight_of(column, number)
            score = float(np.float32(weight * idf)) * held
            rows.append((self._term(column), weight, held, int(self.df[column]), idf, score))
        columns = ["term", "query weight", "document weight", "df", "idf", "score"]
        frame = pd.DataFrame(rows, columns=columns).set_index("term")
        frame = frame.sort_values("score", ascending=False, kind="stable")
        about = {"doc_id": doc_id, "query": query, "terms": len(frame), "retriever": self.name}
        frame.attrs = about | {"score": float(frame["score"].sum())}
        return frame

    def _matrix(self, texts: Corpus, vectors: Kept | None, cache: str | Path | bool | None) -> csr_matrix:
        if vectors is not None:
            rows = _given_rows(vectors, list(texts))
            if not issparse(rows):
                raise ValueError("vectors are dense rows; needed CSR, or give them to DenseRetriever")
            return rows
        if cache is not None and cache is not False:
            return self._checked(_kept(_AsMatrix(self), texts, cache))
        return self._encoded(list(texts.values()), "document")

    def _encoded(self, texts: list[str], kind: str) -> csr_matrix:
        encode = getattr(self.model, f"encode_{'queries' if kind == 'query' else 'documents'}", None)
        if not callable(encode) or isinstance(self.model, type):
            needed = "needed an object with encode_documents and encode_queries, which give sparse vectors"
            raise ValueError(f"the model is a {type(self.model).__name__}; {needed}")
        vectors = encode(as_texts(texts))
        if not issparse(vectors):
            vectors = list(vectors) if isinstance(vectors, Iterable) else [vectors]
        return self._checked(vectors, len(texts))

    def _checked(self, vectors: object, n_texts: int | None = None) -> csr_matrix:
        name, width = model_name(self.model), self.sparse_dim
        if isinstance(vectors, list) and width is None and all(isinstance(one, dict) for one in vectors):
            raise ValueError(f"{name} gives {{dimension: weight}}; say how many dimensions with sparse_dim=")
        if not issparse(vectors) and not all(isinstance(one, dict) for one in vectors):
            cure = "give a model of dense vectors to DenseRetriever"
            raise ValueError(f"{name} gives no sparse vectors; {cure}")
        if not issparse(vectors) and any(one and as_numbers(list(one.values())) is None for one in vectors):
            raise ValueError(f"{name} gives a weight that is no number; needed {{dimension: weight}}")
        if width is None:
            known = getattr(self, "index", None)
            width = vectors.shape[1] if known is None else known.n_terms
        matrix = encode_to_csr(vectors, width)
        if n_texts is not None and matrix.shape[0] != n_texts:
            raise ValueError(f"{name} gave {matrix.shape[0]} vectors for {n_texts} texts")
        return matrix

    def _weighted(self, queries: list[str]) -> csr_matrix:
        matrix = self._encoded(queries, "query").copy()
        matrix.data = matrix.data * self.idf[matrix.indices]
        return matrix

    def _term(self, column: int) -> str:
        pieces = getattr(getattr(self.model, "tokenizer", None), "pieces_by_number", {})
        return pieces.get(column, str(column))


class _AsMatrix:
    """A retriever's model with its sparse vectors as CSR, to be kept."""

    def __init__(self, retriever: LearnedSparseRetriever):
        self.name = model_name(retriever.model)
        self.fingerprint = model_fingerprint(retriever.model)
        self.encode = lambda texts: retriever._encoded(texts, "document")


_COMBINED = {"max": "best chunk", "mean": "mean of chunks"}


def _model(
    model: str | Path | Encoder | TwoEncoders, corpus: Corpus, batch_size: int, settings: dict
) -> Encoder | TwoEncoders:
    """The model itself: fitted, loaded, or as it was given."""
    if isinstance(model, str) and model == LATENT:
        _refuse_settings(LATENT, settings)
        return LatentSemantic(corpus.values())
    return _loaded(model, batch_size, settings)


def _loaded(model: object, batch_size: int, settings: dict) -> object:
    if isinstance(model, (str, Path)):
        return load_encoder(model, batch_size=batch_size, **settings)
    _refuse_settings(f"a {type(model).__name__}", settings)
    return model


def _refuse_settings(what: str, settings: dict) -> None:
    if given := [name for name, value in settings.items() if value is not None]:
        cure = "they are settings of a model that is given by its name or folder"
        raise ValueError(f"model is {what}, and {' and '.join(given)} given; {cure}")


def _pieces(
    corpus: Corpus, doc_ids: Sequence[str], chunker: Callable[[str], list[Chunk]] | None
) -> list[tuple[str, int, str]]:
    """What is encoded: (id, the number of its document, text), a document itself or each of its chunks."""
    if chunker is None:
        return [(doc_id, number, corpus[doc_id]) for number, doc_id in enumerate(doc_ids)]
    numbers = dict(zip(doc_ids, range(len(doc_ids)), strict=True))
    chunks = chunk_corpus({doc_id: corpus[doc_id] for doc_id in doc_ids}, chunker)
    if not chunks:
        raise ValueError(f"none of the {len(corpus)} documents gives a chunk; have they any text?")
    return [(chunk.chunk_id, numbers[chunk.doc_id], chunk.text) for chunk in chunks]


def _document_rows(
    model: Encoder,
    texts: Corpus,
    vectors: Kept | None,
    cache: str | Path | bool | None,
    scaled: Callable[[np.ndarray], np.ndarray],
) -> np.ndarray:
    """A row for each text: as given, as kept, or as the model makes it now."""
    no_cache = cache is None or cache is False or isinstance(model, LatentSemantic)  # fitted anew in no time
    if vectors is None and no_cache:
        return unit_vectors(model, list(texts.values()), "document", scaled)
    if vectors is not None:
        rows = _given_rows(vectors, list(texts))
    else:
        rows = _kept(model, texts, cache)
    if issparse(rows):
        raise ValueError(
            f"the vectors of {model_name(model)} are sparse; give them to LearnedSparseRetriever"
        )
    return scaled(np.asarray(rows, dtype=np.float64))


def _warn_of_one_vector(model: object, rows: np.ndarray, texts: Corpus) -> None:
    """Warns of a model that gives most texts zeros, which are never found, or every text the same vector, by
    which nothing can be ranked."""
    name = model_name(model)
    lost = [one for one, has in zip(texts, rows.any(axis=1), strict=True) if not has and texts[one].strip()]
    if len(lost) >= 5 and 2 * len(lost) > len(rows):
        said = f"{name} gives {len(lost):,} of {len(rows):,} texts a vector of zeros, which is never found"
        cure = "was it fitted on other texts? Fit it on these: LatentSemantic(corpus.values())"
        is_latent = isinstance(model, LatentSemantic)
        warn(f"{said}, e.g. {lost[0]!r}; {cure if is_latent else 'encode it by hand, and look'}")
        return
    alike = len(rows) > 2 and (rows[-1] == rows[0]).all() and (rows == rows[0]).all()
    if alike and len(set(texts.values())) > 2:
        said = f"{name} gives all {len(rows):,} texts the same vector, so every document scores alike"
        warn(f"{said}: encode two texts by hand, and look at what comes back")


def _try_again(
    model: object, texts: Corpus, rows: Rows, given: bool, encode: Callable[[list[str]], Rows]
) -> None:
    """Encodes three texts again, in another order, and warns of other vectors than they have. Of `given` rows
    only where they are other texts', or quite different: they may be in fewer bits."""
    is_ours = type(model).__module__.startswith("helpers.")
    # Ours are right. What only encodes all documents may learn from them, and would learn from three.
    if (is_ours and not given) or not (is_ours or callable(getattr(model, "encode", None))):
        return
    if isinstance(model, KnownVectors):  # with which lesson 08 shows what rows of other texts cost
        return
    ids = list(texts)
    places = sorted({0, len(ids) // 2, len(ids) - 1}, reverse=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it was said the first time
            again = encode([texts[ids[place]] for place in places])
    except Exception:  # one that knows no texts but those it has had; what it cannot do here is not needed
        return
    if again.shape != (len(places), rows.shape[1]):
        return
    near = _cosines(again, rows if given else rows[places])
    own = np.nan_to_num(near[range(len(places)), places if given else range(len(places))], nan=1.0)
    name, near = model_name(model), np.nan_to_num(near, nan=-1.0)
    if not given and (own < ALIKE).any():
        said = f"{name} gives {ids[places[int(own.argmin())]]!r} another vector when it is encoded again"
        cure = "does encode keep the order of its texts, and is dropout off (model.eval())?"
        warn(f"{said}, among other texts; {cure}")
    if given and len(own) > 2 and (own < OTHER).all() and (near.max(axis=1) < ALIKE).all():
        said = f"vectors has other rows than {name} makes of the texts, at cosines up to {own.max():.2f}"
        warn(f"{said}; are they of another model? Of a pair give encode_queries and encode_documents")
    if given and ((own < ALIKE) & (near.max(axis=1) >= ALIKE)).sum() > 1:
        place = int((near.max(axis=1) - own).argmax())
        one, other = ids[places[place]], ids[int(near[place].argmax())]
        said = f"vectors has the row that {name} makes of {one!r} under the id {other!r}"
        warn(f"{said}, and so with others; give the ids in the order of the rows")


def _cosines(some: Rows, rows: Rows) -> np.ndarray:
    """The cosine of each of some vectors with each row; NaN where one of the two has no direction."""
    with np.errstate(all="ignore"):
        products = some @ rows.T
        products = products.toarray() if issparse(products) else products
        return products / np.outer(_lengths(some), _lengths(rows))


def _lengths(rows: Rows) -> np.ndarray:
    if issparse(rows):
        return np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    return np.sqrt(np.einsum("ij,ij->i", rows, rows))


def _given_rows(vectors: Kept, ids: list[str]) -> np.ndarray | csr_matrix:
    """The rows of these ids, in their order, of vectors that are ready-made."""
    if not isinstance(vectors, tuple) or len(vectors) != 2:
        raise ValueError(f"vectors is a {type(vectors).__name__}; needed a pair: ids, and a row for each")
    given = as_texts(vectors[0], "the ids of vectors")
    rows = as_rows(vectors[1], given, "vectors")
    row_of = dict(zip(given, range(len(given)), strict=True))
    if len(row_of) < len(given):
        twice = next(one for number, one in enumerate(given) if row_of[one] != number)
        raise ValueError(f"vectors has {twice!r} twice; give each id one row")
    if missing := [one for one in ids if one not in row_of]:
        which = first_few(map(repr, missing), most=3)
        raise ValueError(f"vectors has none for {len(missing)} of {len(ids)} texts: {which}")
    return rows[[row_of[one] for one in ids]]


def _kept(model: object, texts: Corpus, cache: str | Path | bool) -> np.ndarray | csr_matrix:
    """The rows of `kept_vectors`; True is a folder that is named by the texts, of which nothing is said."""
    if cache is not True:
        return kept_vectors(model, texts, cache)[1]
    folder = cache_path(model_name(model), f"vectors-{corpus_fingerprint(texts)[:16]}")
    return kept_vectors(model, texts, folder, say=str)[1]


def _nearest_words(
    model: Encoder, query: str, text: str, query_row: np.ndarray, text_row: np.ndarray
) -> list[dict]:
    """For each word of the query the word of the text that is nearest to it."""
    if hasattr(model, "token_vectors"):
        (asked, rows), (words, others) = (
            model.token_vectors(part, kind) for part, kind in ((query, "query"), (text, "document"))
        )
        shares = _shares(rows.astype(np.float64), query_row, text_row)
    else:
        asked, words = (list(dict.fromkeys(unicode_words(part.lower()))) for part in (query, text))
        if not asked or not words:
            return []
        rows, others, shares = encoded(model, asked, "query"), encoded(model, words, "document"), None
    near = unit_rows(np.asarray(rows, np.float64)) @ unit_rows(np.asarray(others, np.float64)).T
    best = near.argmax(axis=1)
    found = [
        {"word": word, "nearest": words[other], "cosine": float(near[row, other])}
        for row, (word, other) in enumerate(zip(asked, best.tolist(), strict=True))
    ]
    return found if shares is None else [
        line | {"share": share} for line, share in zip(found, shares.tolist(), strict=True)
    ]  # fmt: skip


def _shares(tokens: np.ndarray, query_row: np.ndarray, text_row: np.ndarray) -> np.ndarray | None:
    """What each token gives to the score, if the mean of the tokens is the vector of the query; else None.

    The mean is a sum, so its product with the text's vector falls apart into one part a token.
    """
    mean = tokens.mean(axis=0)
    length = np.linalg.norm(mean) / (np.linalg.norm(query_row) or 1.0)
    if not length or not np.allclose(mean / length, query_row, atol=1e-3):
        return None
    return tokens @ text_row / (len(tokens) * length)


def _words(lines: Iterable[dict], about: dict) -> pd.DataFrame:
    lines = list(lines)
    columns = list(lines[0]) if lines else ["word", "nearest", "cosine"]
    frame = pd.DataFrame(lines, columns=columns).set_index("word")
    frame.attrs = about
    return frame


def _name(made_by: Callable) -> str:
    """A function's name, with what a `partial` has fixed."""
    if hasattr(made_by, "func"):
        fixed = [
            str(value) for value in (*made_by.args, *made_by.keywords.values()) if isinstance(value, int)
        ]
        return " ".join([_name(made_by.func), "/".join(fixed)]).strip()
    return getattr(made_by, "__name__", type(made_by).__name__)
