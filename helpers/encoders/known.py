"""Vectors that are known already, in place of the model that made them: found text by text, so that no text
gets another one's vector. Those of the bundled collections are in `evals/vectors/`."""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import issparse

from helpers.base import check_option, files, placing, utf8
from helpers.encoders.asking import (
    KINDS,
    as_rows,
    as_texts,
    encoded,
    in_16_bits,
    model_fingerprint,
    model_name,
    model_similarity,
)
from helpers.encoders.settings import of_kind, refuse_pointer

BUNDLED_MODEL = "all-MiniLM-L6-v2"


class UnknownText(ValueError):
    """A text whose vector is not among the known ones."""


class KnownVectors:
    """Vectors that were encoded before, in place of their model: each text is looked up by its own words.

    `rows` is `{"document": (text_keys, vectors), "query": …}`. A text that is not among them goes to
    `otherwise`, the model itself, where that is given (or a function that loads it); else UnknownText, a
    ValueError, names it. So a changed text never gets the vector of what it was.

    >>> known = KnownVectors({"query": (text_keys(["a cat"]), np.array([[0.5, 2.0]]))}, "toy")
    >>> known.encode_queries(["a cat"]).tolist()
    [[0.5, 2.0]]
    >>> known.encode_queries(["a dog"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    helpers.encoders.known.UnknownText: 1 of 1 texts has no known vector of toy as a query, e.g. 'a dog'; ...
    """

    def __init__(
        self,
        rows: Mapping[str, tuple[np.ndarray, np.ndarray]],
        name: str,
        similarity: str = "cosine",
        otherwise: object | Callable[[], object] | None = None,
    ):
        check_option("similarity", similarity, ("cosine", "dot"))
        self.name, self.similarity, self.otherwise = name, similarity, otherwise
        self._vectors, self._row_of = _checked_rows(rows)

    def encode_documents(self, texts: Sequence[str]) -> np.ndarray:
        """A row for each text, as it was encoded as a document (n × width, float32)."""
        return self._looked_up(texts, "document")

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """A row for each text, as it was encoded as a query (n × width, float32)."""
        return self._looked_up(texts, "query")

    encode = encode_documents

    def token_vectors(self, text: str, kind: str = "document") -> tuple[list[str], np.ndarray]:
        """Those of the model itself; UnknownText where there is none."""
        if self.model is None:
            raise UnknownText(self._complaint([text], 1, kind))
        return self.model.token_vectors(text, kind)

    @property
    def model(self) -> object | None:
        """The model behind, loaded when it is first needed."""
        if callable(self.otherwise):
            self.otherwise = self.otherwise()
        return self.otherwise

    def _looked_up(self, texts: Sequence[str], kind: str) -> np.ndarray:
        check_option("kind", kind, KINDS)
        texts, known = as_texts(texts), self._row_of.get(kind, {})
        rows = [known.get(key) for key in text_keys(texts).tolist()]
        unknown = [number for number, row in enumerate(rows) if row is None]
        if unknown and self.model is None:
            raise UnknownText(self._complaint([texts[number] for number in unknown], len(texts), kind))
        new = encoded(self.model, [texts[number] for number in unknown], kind) if unknown else None
        widths = [rows.shape[1] for rows in (self._vectors.get(kind), new) if rows is not None]
        if len(set(widths)) > 1:
            found = f"known vectors of {widths[0]} numbers, and of {widths[1]} from the model behind"
            raise ValueError(f"{self.name}: {found}; both must come from one model")
        vectors = np.empty((len(texts), *(widths[:1] or [0])), dtype=np.float32)
        old = [number for number, row in enumerate(rows) if row is not None]
        if old:
            vectors[old] = self._vectors[kind][[rows[number] for number in old]]
        if unknown:
            vectors[unknown] = new
        return vectors

    def _complaint(self, unknown: Sequence[str], n_texts: int, kind: str) -> str:
        what = f"{len(unknown)} of {n_texts} texts has no known vector of {self.name} as a {kind}"
        cure = "give the model as otherwise=, or encode them with it"
        return f"{what}, e.g. {unknown[0][:50]!r}; {cure}"


def _checked_rows(rows: Mapping[str, tuple]) -> tuple[dict[str, np.ndarray], dict[str, dict[int, int]]]:
    """By kind the vectors, and the row of each key. Raises ValueError for what are no keys and rows."""
    if not isinstance(rows, Mapping):
        raise ValueError(f"rows is a {type(rows).__name__}; needed {{kind: (text_keys, vectors)}}")
    vectors, row_of = {}, {}
    for kind, pair in rows.items():
        check_option("kind", kind, KINDS)
        if not isinstance(pair, tuple) or len(pair) != 2 or np.asarray(pair[0]).dtype.kind != "u":
            raise ValueError(f"rows, {kind!r}: {pair!r:.50}; needed a pair, text_keys and a row for each")
        keys = np.asarray(pair[0]).tolist()
        vectors[kind] = _dense_rows(pair[1], list(map(str, keys)), f"rows, {kind!r}")
        row_of[kind] = dict(zip(keys, range(len(keys)), strict=True))
        if len(row_of[kind]) < len(keys):
            raise ValueError(f"rows, {kind!r}: a key stands there twice; give each text one row")
    return vectors, row_of


def _dense_rows(vectors: object, names: Sequence[str], what: str) -> np.ndarray:
    rows = as_rows(vectors, names, what)
    if issparse(rows):
        raise ValueError(f"{what} gave sparse vectors; only dense ones are known by their texts")
    return rows


def text_keys(texts: Iterable[str]) -> np.ndarray:
    """A number for each text (uint64): the first eight bytes of its SHA-256.

    >>> text_keys(["a cat", "a cat", "a dog"]).tolist() == text_keys(["a cat", "a cat", "a cat"]).tolist()
    False
    """
    texts = as_texts(list(texts) if isinstance(texts, Iterator) else texts)
    digests = b"".join(hashlib.sha256(utf8(text)).digest()[:8] for text in texts)
    return np.frombuffer(digests, dtype=">u8").astype(np.uint64)


def bundled_vectors(
    collection: str, texts: Mapping[str, str], kind: str = "document", model: str = BUNDLED_MODEL
) -> tuple[list[str], np.ndarray]:
    """The ids and vectors of texts `{id: text}` of a bundled collection, rows in their order (n × width,
    float32).

    They are those of the model at 32 bits, stored in 16. Raises ValueError for a collection that has none,
    and, with the id, where a text is another than the one that was encoded.
    """
    if not isinstance(texts, Mapping):
        raise ValueError(f"texts is a {type(texts).__name__}; needed a dict {{id: text}}")
    known = bundled_model(collection, model)
    try:
        return list(texts), known._looked_up(list(texts.values()), kind)
    except UnknownText:
        held, keys = known._row_of.get(kind, {}), text_keys(texts.values()).tolist()
        other = [text_id for text_id, key in zip(texts, keys, strict=True) if key not in held]
        what = f"{len(other)} of {len(texts)} texts are not those that were encoded, e.g. {other[0]!r}"
        raise ValueError(f"bundled vectors of {collection!r} ({kind}): {what}; encode them anew") from None


def bundled_model(
    collection: str, model: str = BUNDLED_MODEL, otherwise: object | Callable[[], object] | None = None
) -> KnownVectors:
    """The vectors bundled for a collection, in place of their model: something to give a `DenseRetriever`.

    Raises ValueError, with those that there are, for a collection without any, and for a damaged file.
    """
    path = files.VECTORS / f"{collection}.{model}.npz"
    if not path.is_file():
        there = ", ".join(sorted(found.stem for found in files.VECTORS.glob("*.npz"))) or "none"
        raise ValueError(f"no vectors of {collection!r} by {model} are bundled (there: {there})")
    return read_known(path, otherwise)


def write_known(
    path: str | Path,
    encoder: object,
    texts: Mapping[str, Iterable[str]],
    vectors: Mapping[str, np.ndarray | Sequence[Sequence[float]]],
) -> Path:
    """Vectors and the keys of their texts, by kind, in one compressed file (float16), with the model's name.

    A text that is there twice is stored once. Raises ValueError for another number of rows than texts, and
    where 16 bits cannot hold a value.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "toy.npz"
    >>> _ = write_known(path, object(), {"query": ["a"]}, {"query": [[1.0]]})
    >>> read_known(path).encode_queries(["a"]).tolist()
    [[1.0]]
    """
    about = {"name": model_name(encoder), "similarity": model_similarity(encoder)}
    stored = {"model": np.array(json.dumps(about | {"fingerprint": model_fingerprint(encoder) or ""}))}
    for kind, some in texts.items():
        check_option("kind", kind, KINDS)
        listed = as_texts(some)
        rows, keys = _dense_rows(vectors.get(kind), listed, f"vectors, {kind!r}"), text_keys(listed)
        order = np.sort(np.unique(keys, return_index=True)[1])
        stored[f"{kind}.texts"] = keys[order]
        stored[f"{kind}.vectors"] = in_16_bits(rows[order]).astype(np.float16)
    with placing.replaced(path) as beside, open(beside, "wb") as file:
        np.savez_compressed(file, **stored)
    return Path(path)


def read_known(path: str | Path, otherwise: object | Callable[[], object] | None = None) -> KnownVectors:
    """What `write_known` wrote. Raises ValueError, with the path, for a file that is damaged or another."""
    try:
        refuse_pointer(Path(path))
        stored = np.load(path, allow_pickle=False)
        if isinstance(stored, np.ndarray):
            raise ValueError("it holds one array alone")
        with stored:
            about = of_kind(json.loads(stored["model"].item()), dict, "model")
            kinds = [kind for kind in KINDS if f"{kind}.texts" in stored.files]
            rows = {kind: (stored[f"{kind}.texts"], stored[f"{kind}.vectors"]) for kind in kinds}
        known = KnownVectors(rows, of_kind(about["name"], str, "name"), about["similarity"], otherwise)
        known.fingerprint = about["fingerprint"]
        return known
    except (
        OSError,
        EOFError,
        ValueError,
        LookupError,
        AttributeError,
        TypeError,
        RecursionError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise ValueError(
            f"{path} is no file of known vectors, or is damaged ({error}); write_known makes one"
        ) from None
