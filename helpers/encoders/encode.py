"""Encoders: texts in, vectors out, in batches of texts of about the same length.

`load_encoder` takes a model's folder (or its name in the catalogue) and returns what it is: an encoder of
dense vectors, of sparse ones, or a cross-encoder that scores pairs.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, issparse

from helpers.base import check_option, check_whole, counted, fetch, progress, warn
from helpers.encoders import models
from helpers.encoders import pooling as pooled
from helpers.encoders.asking import KINDS, as_texts
from helpers.encoders.bert import Bert
from helpers.encoders.downloads import CONFIG, WEIGHTS, sha256_of
from helpers.encoders.safetensors import read_safetensors
from helpers.encoders.settings import read_json, settings_of
from helpers.encoders.wordpiece import WordPiece

LOGITS = 256
"""So many tokens at a time get their logits, of short texts several together; those of 256 take 31 MB."""
WINDOW = 4096
"""So many texts at a time are cut into pieces and sorted by length, so that what waits is bounded."""
PADDING = 128
"""So many word embeddings without a piece, or a tenth of all, are no padding any more."""


class _Texts:
    """What the encoders share: the model with its tokenizer, settings, and batches."""

    def __init__(
        self,
        bert: Bert,
        tokenizer: WordPiece,
        name: str = "BERT",
        batch_size: int = 32,
        max_tokens: int | None = None,
        prefixes: Mapping[str, str] | None = None,
        weights_sha256: Callable[[], str] | None = None,
        check_weights: Callable[[], object] | None = None,
    ):
        positions = len(bert.positions)
        if max_tokens is not None and check_whole("max_tokens", max_tokens, 3, "tokens") > positions:
            raise ValueError(f"max_tokens is {max_tokens}; the model has {positions} positions")
        if (n_pieces := max(tokenizer.vocabulary.values()) + 1) > len(bert.words):
            found = f"{n_pieces} word pieces for {len(bert.words)} word embeddings"
            raise ValueError(f"{name}: {found}; vocabulary and weights are of different models")
        _check_whole_vocabulary(name, len(tokenizer.vocabulary), len(bert.words))
        self.bert, self.tokenizer, self.model_name = bert, tokenizer, name
        self.batch_size = check_whole("batch_size", batch_size, of="texts")
        self.max_tokens = max_tokens or positions
        self.prefixes = _checked_prefixes(prefixes)
        self._weights_sha256 = weights_sha256 or bert.sha256
        self._check_weights = check_weights or (lambda: None)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of weights, vocabulary and settings: what the vectors depend on, the batch size not."""
        rules = [self.tokenizer.lowercase, self.tokenizer.strip_accents]
        parts = [self._weights_sha256(), self.tokenizer.vocabulary, rules, self._settings()]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def _settings(self) -> dict:
        return {"max_tokens": self.max_tokens, "prefixes": self.prefixes, "dtype": self.bert.dtype.name}

    def _ids(self, texts: Sequence[str], kind: str) -> list[np.ndarray]:
        self._check_weights()
        prefix = self.prefixes[kind]
        encode, most = self.tokenizer.encode, self.max_tokens
        return [np.array(encode(prefix + text, most), dtype=np.int32) for text in texts]

    def _batches(self, texts: list[str], kind: str) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Batches (places of the texts, ids, mask), the longest texts of each window first."""
        check_option("kind", kind, KINDS)
        with progress(total=len(texts), desc="encoding", unit="text") as bar:
            for start in range(0, len(texts), WINDOW):
                ids = self._ids(texts[start : start + WINDOW], kind)
                order = np.argsort([-len(numbers) for numbers in ids], kind="stable")
                for first in range(0, len(order), self.batch_size):
                    places = order[first : first + self.batch_size]
                    self._check_weights()
                    yield start + places, *padded([ids[place] for place in places])
                    bar.update(len(places))


class DenseEncoder(_Texts):
    """A model that gives one vector a text. Made by `load_encoder`.

    `name` says model, pooling, length and prefixes; `fingerprint` is of all that the vectors depend on.
    """

    def __init__(
        self,
        bert: Bert,
        tokenizer: WordPiece,
        pooling: str = "mean",
        similarity: str = "cosine",
        **settings: object,
    ):
        check_option("pooling", pooling, pooled.POOLINGS)
        check_option("similarity", similarity, ("cosine", "dot"))
        super().__init__(bert, tokenizer, **settings)
        self.pooling, self.similarity, self.width = pooling, similarity, bert.width

    @property
    def name(self) -> str:
        return f"{self.model_name}, {self.pooling}, {self.similarity}{_said(self)}"

    def _settings(self) -> dict:
        return super()._settings() | {"pooling": self.pooling, "similarity": self.similarity}

    def encode(self, texts: Sequence[str], kind: str = "document") -> np.ndarray:
        """A row for each text, in their order (n × width, float32); of length 1 for models of the cosine.

        `kind` "document" or "query" chooses the prefix. The empty text has the vector of [CLS] [SEP].
        Raises ValueError for what is no list of texts.
        """
        texts = as_texts(texts)
        vectors = np.empty((len(texts), self.width), dtype=np.float32)
        for places, ids, mask in self._batches(texts, kind):
            found = pooled.POOLINGS[self.pooling](self.bert.hidden_states(ids, mask), mask)
            vectors[places] = pooled.unit(found) if self.similarity == "cosine" else found
        return vectors

    def encode_documents(self, texts: Sequence[str]) -> np.ndarray:
        """`encode` with the prefix of documents."""
        return self.encode(texts, "document")

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """`encode` with the prefix of queries."""
        return self.encode(texts, "query")

    def token_vectors(self, text: str, kind: str = "document") -> tuple[list[str], np.ndarray]:
        """The text's tokens, [CLS] to [SEP], and a vector for each of them (tokens × width, float32).

        They are what is pooled, not brought to length 1.
        """
        check_option("kind", kind, KINDS)
        ids, mask = padded(self._ids(as_texts([text], "text"), kind))
        tokens = [self.tokenizer.pieces_by_number[number] for number in ids[0].tolist()]
        return tokens, self.bert.hidden_states(ids, mask)[0].astype(np.float32, copy=False)


class SparseEncoder(_Texts):
    """SPLADE: a model that gives each text a weight for every word piece. Made by `load_encoder`."""

    def __init__(self, bert: Bert, tokenizer: WordPiece, **settings: object):
        if bert.masked_words is None:
            raise ValueError(
                "these weights have no head for masked words (cls.predictions.…): no SPLADE model"
            )
        super().__init__(bert, tokenizer, **settings)
        self.dimensions = len(bert.words)

    @property
    def name(self) -> str:
        return f"{self.model_name}, SPLADE{_said(self)}"

    def encode_documents(self, texts: Sequence[str]) -> csr_matrix:
        """Weights above zero (n × vocabulary, csr, float32), rows in the order of the texts."""
        return self._encode(texts, "document")

    def encode_queries(self, texts: Sequence[str]) -> csr_matrix:
        """`encode_documents` with the prefix of queries."""
        return self._encode(texts, "query")

    def _encode(self, texts: Sequence[str], kind: str) -> csr_matrix:
        texts = as_texts(texts)
        rows: list[tuple] = [(np.empty(0, np.int32), np.empty(0, np.float32))] * len(texts)
        for places, ids, mask in self._batches(texts, kind):
            hidden = self.bert.hidden_states(ids, mask)
            step = max(1, LOGITS // ids.shape[1])
            for first in range(0, len(places), step):
                some = slice(first, first + step)
                weights = pooled.splade(self.bert.vocabulary_logits(hidden[some]), mask[some])
                for place, row in zip(places[some], weights.astype(np.float32, copy=False), strict=True):
                    terms = np.flatnonzero(row).astype(np.int32)
                    rows[place] = terms, row[terms]
        return _csr(rows, self.dimensions)

    def terms(self, vector: csr_matrix) -> dict[str, float]:
        """One text's weights by word piece, the largest first: what a SPLADE vector says, in words.

        Raises ValueError for anything but one row.
        """
        if not issparse(vector) or vector.ndim != 2 or vector.shape[0] != 1:
            found = f"{type(vector).__name__} of the shape {getattr(vector, 'shape', None)}"
            raise ValueError(f"vector is a {found}; needed one text's, a CSR matrix of one row")
        row = csr_matrix(vector)
        order = np.argsort(-row.data, kind="stable")
        pieces = self.tokenizer.pieces_by_number
        return {pieces.get(int(row.indices[i]), f"#{row.indices[i]}"): float(row.data[i]) for i in order}


class CrossEncoder(_Texts):
    """A model that reads query and document together and gives the pair one score. Made by `load_encoder`."""

    def __init__(self, bert: Bert, tokenizer: WordPiece, **settings: object):
        if bert.classifier is None or bert.pooler is None:
            raise ValueError("these weights have no pooler.dense and classifier: no cross-encoder")
        super().__init__(bert, tokenizer, **settings)

    @property
    def name(self) -> str:
        return f"{self.model_name}, cross-encoder{_said(self)}"

    def scores(self, query: str, texts: Sequence[str]) -> np.ndarray:
        """A score for each text (n, float32), the logit: the higher the more relevant to the query."""
        texts, (query,) = as_texts(texts), as_texts([query], "query")
        pairs = [self._pair(query, text) for text in texts]
        scores = np.empty(len(texts), dtype=np.float32)
        order = np.argsort([-len(ids) for ids, _ in pairs], kind="stable")
        for first in range(0, len(order), self.batch_size):
            places = order[first : first + self.batch_size]
            self._check_weights()
            ids, mask = padded([pairs[place][0] for place in places])
            types, _ = padded([pairs[place][1] for place in places])
            scores[places] = self.bert.relevance(ids, mask, types)
        return scores

    def _pair(self, query: str, text: str) -> tuple[np.ndarray, np.ndarray]:
        first, second = self.prefixes["query"] + query, self.prefixes["document"] + text
        ids, types = self.tokenizer.encode_pair(first, second, self.max_tokens)
        return np.array(ids, dtype=np.int32), np.array(types, dtype=np.int32)


Encoder = DenseEncoder | SparseEncoder | CrossEncoder


def load_encoder(
    name_or_folder: str | Path,
    batch_size: int = 32,
    max_tokens: int | None = None,
    pooling: str | None = None,
    prefixes: Mapping[str, str] | None = None,
    dtype: str = "float32",
) -> Encoder:
    """The encoder in a model's folder, or of a name in the catalogue whose weights are on this computer.

    A folder holds config.json, vocab.txt or tokenizer.json, and model.safetensors. Pooling, length, prefixes
    and similarity are the catalogue's for a name, for a folder those that it says itself (the files of
    sentence-transformers: modules.json, the config.json of its pooling, sentence_bert_config.json, and
    config_sentence_transformers.json with its prompts), else mean, the model's positions, none, cosine; what
    is given here goes before both. A model with the head for masked words gives sparse vectors (pooling
    "splade") unless dense ones are asked for, one with a classifier is a cross-encoder. `prefixes` are
    `{"query": …, "document": …}`; `dtype` is that of the arithmetic.

    The weights stay in their file: an encoder whose file is written over raises ValueError when it is asked.

    Raises ValueError for a folder without one of the files (a pickle in place of the weights is refused, with
    the reason), for a vocabulary that lacks many pieces, and for what its parts raise; warns of one that
    lacks a few; `fetch.Unavailable` for a name whose weights are not here.
    """
    folder, said = _resolved(name_or_folder)
    as_loaded = AsLoaded(folder / WEIGHTS)
    weights, config = read_safetensors(folder / WEIGHTS), read_json(folder / CONFIG)
    try:
        bert = Bert(weights, config, dtype)
    except ValueError as reason:
        raise ValueError(f"{folder}: {reason}") from None
    own, positions = settings_of(folder, bert.width) | said, len(bert.positions)
    if pooling is None and not said and "not computed" in own:
        options = ", ".join(map(repr, pooled.POOLINGS))
        raise ValueError(
            f"{own['not computed']}; or give pooling=, one of {options}, if you know that it fits"
        )
    if pooling is None:
        kind, pooling = own.get("kind") or _kind(bert), own.get("pooling", "mean")
    else:
        kind = "sparse" if pooling == "splade" else "dense"
    settings = {
        "name": own.get("name", folder.name),
        "batch_size": batch_size,
        "max_tokens": min(own.get("max_tokens", positions), positions) if max_tokens is None else max_tokens,
        "prefixes": own.get("prefixes") if prefixes is None else prefixes,
        "weights_sha256": as_loaded.sha256,
        "check_weights": as_loaded.check,
    }
    tokenizer = WordPiece.read(folder)
    if kind == "sparse":
        return SparseEncoder(bert, tokenizer, **settings)
    if kind == "cross-encoder":
        return CrossEncoder(bert, tokenizer, **settings)
    return DenseEncoder(bert, tokenizer, pooling, own.get("similarity", "cosine"), **settings)


class AsLoaded:
    """A file of weights as it was when it was mapped: what is computed must not come from another one."""

    def __init__(self, path: Path):
        self._path, self._then = path.absolute(), path.stat()

    def check(self) -> None:
        """Raises ValueError where the file was written over since. One that was renamed into its place, or
        removed, leaves the weights that are mapped alone."""
        try:
            now = self._path.stat()
        except OSError:
            return
        if now.st_ino == self._then.st_ino and _written(now) != _written(self._then):
            raise ValueError(f"{self._path} was written over after it was loaded; load the encoder again")

    def sha256(self) -> str:
        """Of the file. Raises ValueError where it is another one by now."""
        now = self._path.stat()
        if (now.st_ino, _written(now)) != (self._then.st_ino, _written(self._then)):
            raise ValueError(f"{self._path} is another file than was loaded; load the encoder again")
        return sha256_of(self._path)


def _written(found: os.stat_result) -> tuple[int, int]:
    return found.st_size, found.st_mtime_ns


def padded(ids: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Texts of different length as one array, filled up with 0, and its mask (both n × tokens).

    >>> padded([[101, 7, 102], [101, 102]])[1].tolist()
    [[1, 1, 1], [1, 1, 0]]
    """
    lengths = np.array([len(numbers) for numbers in ids])
    mask = np.arange(lengths.max()) < lengths[:, None]
    array = np.zeros(mask.shape, dtype=np.int32)
    array[mask] = np.concatenate(ids)
    return array, mask.astype(np.int32)


def _check_whole_vocabulary(name: str, n_pieces: int, n_words: int) -> None:
    """Refuses a vocabulary that lacks many pieces; warns where it lacks few, as in a padded model."""
    if n_pieces == n_words:
        return
    found = f"{name}: {n_pieces:,} word pieces for {n_words:,} word embeddings"
    if n_words - n_pieces >= PADDING or 10 * n_pieces < 9 * n_words:
        raise ValueError(f"{found}; the vocabulary is cut off or another model's: get its file again")
    lost = "if a line of it was lost, all pieces after that have wrong vectors: get its file again"
    warn(f"{found}; right for a model that was padded, but {lost}")


def _checked_prefixes(prefixes: Mapping[str, str] | None) -> dict[str, str]:
    if not isinstance(prefixes, Mapping | None):
        needed = "needed a dict of them, {'query': …, 'document': …}"
        raise ValueError(f"prefixes is a {type(prefixes).__name__}; {needed}")
    for kind, prefix in (prefixes or {}).items():
        if kind not in KINDS:
            raise ValueError(f"prefixes has the key {kind!r}; it can have {' and '.join(map(repr, KINDS))}")
        if not isinstance(prefix, str):
            raise ValueError(f"the prefix of a {kind} is {prefix!r:.50}; needed a text, '' for none")
    return {kind: (prefixes or {}).get(kind, "") for kind in KINDS}


def _said(encoder: _Texts) -> str:
    prefixes = [f"{kind} {text!r}" for kind, text in encoder.prefixes.items() if text]
    return f", {counted(encoder.max_tokens, 'token')}" + (f", {', '.join(prefixes)}" if prefixes else "")


def _csr(rows: Sequence[tuple[np.ndarray, np.ndarray]], width: int) -> csr_matrix:
    starts = np.concatenate([[0], np.cumsum([len(terms) for terms, _ in rows], dtype=np.int64)])
    terms = np.concatenate([np.empty(0, np.int32), *(terms for terms, _ in rows)])
    weights = np.concatenate([np.empty(0, np.float32), *(weights for _, weights in rows)])
    return csr_matrix((weights, terms, starts), shape=(len(rows), width))


def _resolved(name_or_folder: str | Path) -> tuple[Path, dict]:
    """A model's folder, and what the catalogue says of it."""
    if not isinstance(name_or_folder, (str, os.PathLike)):
        given = f"the model is a {type(name_or_folder).__name__}"
        raise ValueError(f"{given}; needed its folder, or its name in the catalogue")
    # The empty text would be the folder that Python runs in.
    if str(name_or_folder) and _is_folder(name_or_folder):
        return models.check_weights(Path(name_or_folder).expanduser()), {}
    try:
        card = models.model_card(str(name_or_folder))  # by its name, or its repository on the hub
    except ValueError:
        known = ", ".join(models.CATALOGUE)
        given = f"{str(name_or_folder)!r:.100} is neither a folder nor a model of the catalogue"
        raise ValueError(f"{given}: {known}") from None
    prefixes = {"query": card.query_prefix, "document": card.document_prefix}
    said = {"kind": card.kind, "pooling": card.pooling, "max_tokens": card.max_tokens, "name": card.name}
    if (found := models.find_weights(card.name)) is None:
        cure = f"python -m course weights {card.name} gets them"
        raise fetch.Unavailable(f"the weights of {card.name} are not on this computer; {cure}")
    return found, said | {"prefixes": prefixes, "similarity": card.similarity}


def _is_folder(path: str | Path) -> bool:
    try:
        return Path(path).expanduser().is_dir()
    except (OSError, RuntimeError, ValueError):  # longer than a path can be; a ~user that there is not
        return False


def _kind(bert: Bert) -> str:
    if bert.classifier is not None:
        return "cross-encoder"
    return "sparse" if bert.masked_words is not None else "dense"
