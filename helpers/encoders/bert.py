"""BERT's forward pass in NumPy: from the numbers of word pieces to a vector for each of them.

Read `Bert.hidden_states` first: embeddings, then layer by layer attention and a feed-forward network. All
tokens of a batch stand below each other in one matrix, (rows, width), without padding; only attention
looks at a text by itself.
"""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.special import erf

from helpers.base import check_ids, check_option, check_whole, utf8

ROWS = 512
"""So many tokens at a time go through the feed-forward network: what it makes stays in the cache."""
BLOCK = 1 << 16
"""So many values at a time go through `gelu`, for the same reason."""
STEEPNESS = np.float32(0.3275911 * 0.5**0.5)
TAIL = np.array([0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429], dtype=np.float32) / 2
"""The constants of `gelu`'s polynomial: p/√2 and a1 to a5, halved."""


class Bert:
    """A BERT encoder, with the heads that its weights have: masked words, or relevance of a pair.

    `weights` are tensors by name (`read_safetensors`), with or without the prefix `bert.`; `config` is the
    model's config.json. `dtype` is that of the arithmetic. Raises ValueError for another architecture, for a
    tensor that is missing or of another shape, with the shape that is needed, and for one that ends in zeros.

    Source: Devlin, Chang, Lee and Toutanova, BERT, 2019; Vaswani et al., Attention is all you need, 2017.
    """

    def __init__(self, weights: Mapping[str, np.ndarray], config: Mapping, dtype: str = "float32"):
        check_option("dtype", dtype, ("float32", "float64"))
        self.config = check_config(config)
        self.dtype = np.dtype(dtype)
        self.width, self.heads = config["hidden_size"], config["num_attention_heads"]
        self.epsilon = self.dtype.type(config.get("layer_norm_eps", 1e-12))
        tensors = _Tensors(weights, self.dtype)
        self.weights = tensors.weights
        self.words, self.positions, self.types = _embeddings(tensors, config)
        self.embedded = tensors.norm("embeddings.LayerNorm", self.width)
        self.layers = [_layer(tensors, number, config) for number in range(config["num_hidden_layers"])]
        beyond = f"encoder.layer.{len(self.layers)}."
        if any(name.startswith(beyond) for name in tensors.weights):
            raise ValueError(
                f"config.json says {len(self.layers)} layers, but the weights have {beyond}*; "
                "give both of one model"
            )
        self.masked_words = _masked_words(tensors, self.words, config)
        self.pooler = _optional(tensors, "pooler.dense", self.width, self.width)
        self.classifier = _optional(tensors, "classifier", None, self.width)

    def hidden_states(self, ids: np.ndarray, mask: np.ndarray, types: np.ndarray | None = None) -> np.ndarray:
        """A vector for each token: ids and mask (n, tokens) give (n, tokens, width).

        The mask is 1 for a text's own tokens and 0 for padding, whose vectors are zeros. `types` are 0 and 1
        for the two texts of a pair. Raises ValueError for a number outside the vocabulary, for more tokens
        than the model has positions, and for weights whose vectors are not finite.
        """
        ids, own, types = self._checked(ids, mask, types)
        columns = np.nonzero(own)[1]
        states = self.words[ids[own]] + self.positions[columns] + self.types[types[own]]
        normalize(states, *self.embedded, self.epsilon)
        ends = np.cumsum(own.sum(axis=1))
        for layer in self.layers:
            states = self._attend(states, ends, layer)
            states = self._transform(states, layer)
        if not np.isfinite(states).all():
            raise ValueError("a token's vector is not finite; are the weights damaged, or those of a BERT?")
        hidden = np.zeros((*own.shape, self.width), dtype=self.dtype)
        hidden[own] = states
        return hidden

    def _attend(self, states: np.ndarray, ends: np.ndarray, layer: dict) -> np.ndarray:
        """Each token takes from every token of its text, by how well its query fits the other's key."""
        projected = linear(states, *layer["qkv"]).reshape(len(states), 3, self.heads, -1)
        mixed = np.empty((len(states), self.heads, projected.shape[-1]), dtype=self.dtype)
        for start, end in zip([0, *ends[:-1]], ends, strict=True):
            query, key, value = projected[start:end].transpose(1, 2, 0, 3)  # heads × tokens × width of a head
            scores = query @ key.transpose(0, 2, 1)
            np.matmul(softmax(scores), value, out=mixed[start:end].transpose(1, 0, 2))
        attended = linear(mixed.reshape(states.shape), *layer["mixed"])
        return normalize(np.add(attended, states, out=attended), *layer["attended"], self.epsilon)

    def _transform(self, states: np.ndarray, layer: dict) -> np.ndarray:
        """Each token by itself through a wider layer and back, some rows at a time."""
        for start in range(0, len(states), ROWS):
            rows = states[start : start + ROWS]
            rows += linear(gelu(linear(rows, *layer["wider"])), *layer["back"])
        return normalize(states, *layer["transformed"], self.epsilon)

    def vocabulary_logits(self, hidden: np.ndarray) -> np.ndarray:
        """How well each word piece would fit at each token's place: (…, width) gives (…, vocabulary).

        Raises ValueError for a model without the head for masked words.
        """
        if self.masked_words is None:
            raise ValueError(
                "these weights have no head for masked words (cls.predictions.…): no SPLADE model"
            )
        transform, norm, decoder = self.masked_words
        states = gelu(linear(hidden.reshape(-1, self.width), *transform))
        return linear(normalize(states, *norm, self.epsilon), *decoder).reshape(*hidden.shape[:-1], -1)

    def relevance(self, ids: np.ndarray, mask: np.ndarray, types: np.ndarray) -> np.ndarray:
        """A score for each pair of texts (n,), the higher the more relevant: [CLS]'s vector and two layers.

        Raises ValueError for a model without pooler and classifier, or with more than one label.
        """
        if self.pooler is None or self.classifier is None:
            raise ValueError("these weights have no pooler.dense and classifier: no cross-encoder")
        if len(self.classifier[1]) != 1:
            raise ValueError(f"the classifier has {len(self.classifier[1])} labels; a cross-encoder has one")
        first = self.hidden_states(ids, mask, types)[:, 0]
        return linear(np.tanh(linear(first, *self.pooler)), *self.classifier)[:, 0]

    def sha256(self) -> str:
        """Of the names, shapes and bytes of all tensors, whatever their order in the file."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self.weights.items()):
            digest.update(utf8(f"{name} {tensor.dtype} {tensor.shape} "))
            digest.update(np.ascontiguousarray(tensor))
        return digest.hexdigest()

    def _checked(self, ids: np.ndarray, mask: np.ndarray, types: np.ndarray | None) -> Sequence[np.ndarray]:
        ids, own = np.asarray(ids), np.asarray(mask).astype(bool)
        types = np.zeros(ids.shape, dtype=np.intp) if types is None else np.asarray(types)
        if ids.ndim != 2 or not ids.shape == own.shape == types.shape:
            shapes = f"ids of shape {ids.shape}, mask {own.shape}, types {types.shape}"
            raise ValueError(f"{shapes}; needed the same (texts, tokens)")
        if ids.dtype.kind not in "iu" or types.dtype.kind not in "iu":
            raise ValueError(f"ids of type {ids.dtype}, types {types.dtype}; needed whole numbers")
        if ids.shape[1] > len(self.positions):
            cure = f"cut at max_tokens={len(self.positions)}"
            raise ValueError(f"{ids.shape[1]} tokens, the model has {len(self.positions)} positions; {cure}")
        if ids.size and not 0 <= ids.min() <= ids.max() < len(self.words):
            wrong = ids[(ids < 0) | (ids >= len(self.words))][0]
            raise ValueError(
                f"word piece number {wrong}; the model has {len(self.words)}: another vocabulary?"
            )
        if types.size and not 0 <= types.min() <= types.max() < len(self.types):
            found = f"types run from {types.min()} to {types.max()}"
            raise ValueError(f"{found}; the model has {len(self.types)}, numbered from 0")
        return ids, own, types


def linear(rows: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """rows · weightᵀ + bias: (n, in), (out, in) and (out,) give (n, out).

    >>> linear(np.array([[1.0, 2.0]]), np.array([[1.0, 1.0], [0.0, 3.0]]), np.array([0.5, 0.0]))
    array([[3.5, 6. ]])
    """
    result = rows @ weight.T
    result += bias
    return result


def normalize(rows: np.ndarray, weight: np.ndarray, bias: np.ndarray, epsilon: float) -> np.ndarray:
    """Layer normalisation, in place: each row to mean 0 and variance 1, then scaled and shifted.

    >>> normalize(np.array([[1.0, 3.0]]), np.array([1.0, 1.0]), np.array([0.0, 5.0]), 1e-12)
    array([[-1.,  6.]])
    """
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows)[:, None] / rows.shape[1]
    rows /= np.sqrt(variance + epsilon)
    rows *= weight
    rows += bias
    return rows


def softmax(scores: np.ndarray) -> np.ndarray:
    """exp of each score over their sum, along the last axis, in place.

    >>> softmax(np.log([[1.0, 3.0]]))
    array([[0.25, 0.75]])
    """
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def gelu(values: np.ndarray) -> np.ndarray:
    """x · Φ(x), with Φ(x) the share of a standard normal distribution below x, in place.

    As max(x, 0) − |x| · (1 − Φ(|x|)), where 1 − Φ is a polynomial times exp(−x²/2): within 4e-7 of the exact
    value, where 32-bit arithmetic with `scipy.special.erf` is within 5e-7 and takes half of the whole forward
    pass. In 64 bits it is `erf` itself.

    Source: Hendrycks and Gimpel, Gaussian error linear units, 2016; the exact form, not the one with tanh.
    The polynomial: Abramowitz and Stegun, Handbook of mathematical functions, 1964, 7.1.26.

    >>> gelu(np.array([-1.0, 0.0, 1.0], dtype=np.float32)).round(4)
    array([-0.1587,  0.    ,  0.8413], dtype=float32)
    """
    if values.dtype == np.float64:
        values *= 0.5 * (1 + erf(values * 0.5**0.5))
        return values
    flat = values.reshape(-1)
    for start in range(0, len(flat), BLOCK):
        _gelu_block(flat[start : start + BLOCK])
    return flat.reshape(values.shape)


def _gelu_block(x: np.ndarray) -> None:
    size = np.abs(x)
    t = size * STEEPNESS
    t += 1
    np.reciprocal(t, out=t)
    # Horner's rule, from the highest power of t down.
    tail = t * TAIL[-1]
    for coefficient in TAIL[-2::-1]:
        tail += coefficient
        tail *= t
    tail *= size
    size *= size
    size *= np.float32(-0.5)
    np.exp(size, out=size)
    tail *= size
    np.maximum(x, 0, out=x)
    x -= tail


def check_config(config: Mapping) -> Mapping:
    """The config as given. Raises ValueError for what is no BERT with the parts that are written here."""
    if not isinstance(config, Mapping):
        raise ValueError(f"config is a {type(config).__name__}; needed what config.json holds, a dict")
    needed = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for key, value in (needed | {"is_decoder": False}).items():
        if (found := config.get(key, value)) != value:
            raise ValueError(f"config.json: {key} is {found!r}; only a model with {value!r} can be computed")
    for key in ("hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size"):
        check_whole(f"config.json: {key}", config.get(key))
    for key in ("vocab_size", "max_position_embeddings", "type_vocab_size"):
        if config.get(key) is not None:
            check_whole(f"config.json: {key}", config[key])
    epsilon = config.get("layer_norm_eps", 1e-12)
    if type(epsilon) not in (int, float) or not 0 <= epsilon < 1:
        raise ValueError(f"config.json: layer_norm_eps is {epsilon!r}; needed a number from 0 to 1, as 1e-12")
    if config["hidden_size"] % config["num_attention_heads"]:
        found = f"hidden_size {config['hidden_size']} for {config['num_attention_heads']} attention heads"
        raise ValueError(f"config.json: {found}; needed a multiple")
    return config


class _Tensors:
    """Weights under the names of plain BERT, whatever prefix and names of layer normalisation they have."""

    def __init__(self, weights: Mapping[str, np.ndarray], dtype: np.dtype):
        if not isinstance(weights, Mapping):
            raise ValueError(f"weights is a {type(weights).__name__}; needed tensors by name, a dict")
        check_ids(weights, "weights: tensor")
        self.weights = {name.removeprefix("bert."): np.asarray(one) for name, one in weights.items()}
        self.dtype = dtype
        if twice := [name for name in self.weights if {name, f"bert.{name}"} <= weights.keys()]:
            raise ValueError(f"weights has both {twice[0]!r} and 'bert.{twice[0]}'; needed one of them")

    def get(self, name: str, *shape: int | None) -> np.ndarray:
        """The tensor in the type of the arithmetic; None in the shape stands for any number."""
        if name not in self.weights:
            some = ", ".join(sorted(self.weights)[:3]) or "none at all"
            raise ValueError(
                f"tensor {name!r} of shape {shape} is missing among {len(self.weights)}: {some}, …"
            )
        tensor = self.weights[name]
        fits = len(tensor.shape) == len(shape) and all(
            needed in (None, found) for needed, found in zip(shape, tensor.shape, strict=True)
        )
        if not fits:
            raise ValueError(f"tensor {name!r} has the shape {tensor.shape}; config.json asks for {shape}")
        if tensor.dtype.kind != "f":
            needed = "needed floating-point numbers (weights that were quantised cannot be computed)"
            raise ValueError(f"tensor {name!r} is of type {tensor.dtype}; {needed}")
        with np.errstate(over="ignore"):
            cast = tensor.astype(self.dtype, copy=False)
        if tensor.dtype.itemsize > cast.itemsize and not np.isfinite(cast).all():
            raise ValueError(f"tensor {name!r} holds a value beyond {self.dtype}; give dtype='float64'")
        return cast

    def dense(self, name: str, outer: int | None, inner: int) -> tuple[np.ndarray, np.ndarray]:
        weight = self.get(f"{name}.weight", outer, inner)
        _check_written(f"{name}.weight", weight[-1:])
        return weight, self.get(f"{name}.bias", len(weight))

    def norm(self, name: str, width: int) -> tuple[np.ndarray, np.ndarray]:
        """Scale and shift; older files name them gamma and beta."""
        old = f"{name}.gamma" in self.weights
        if old and f"{name}.weight" in self.weights:
            raise ValueError(f"weights has both {name}.gamma and {name}.weight; needed one of them")
        names = ("gamma", "beta") if old else ("weight", "bias")
        scale, shift = (self.get(f"{name}.{one}", width) for one in names)
        _check_written(f"{name}.{names[0]}", scale)
        return scale, shift

    def __contains__(self, name: str) -> bool:
        return name in self.weights


def _check_written(name: str, values: np.ndarray) -> None:
    """Refuses zeros where training leaves none, a matrix's last row and the scales of a norm: a file whose
    download broke off may have its full length, and zeros at its end."""
    if values.size and not values.any():
        raise ValueError(f"tensor {name!r} ends in zeros: did the download break off? Get the weights again")


def _embeddings(tensors: _Tensors, config: Mapping) -> Sequence[np.ndarray]:
    kinds = ("word", "position", "token_type")
    sizes = (config.get("vocab_size"), config.get("max_position_embeddings"), config.get("type_vocab_size"))
    found = [
        tensors.get(f"embeddings.{kind}_embeddings.weight", size, config["hidden_size"])
        for kind, size in zip(kinds, sizes, strict=True)
    ]
    _check_written("embeddings.position_embeddings.weight", found[1][-1:])
    return found


def _layer(tensors: _Tensors, number: int, config: Mapping) -> dict:
    """One layer's weights; those of query, key and value as one matrix, one product in place of three."""
    name, width, wider = f"encoder.layer.{number}", config["hidden_size"], config["intermediate_size"]
    parts = [
        tensors.dense(f"{name}.attention.self.{part}", width, width) for part in ("query", "key", "value")
    ]
    # The queries are divided here, once, by the root of a head's width, in place of every score.
    scale = tensors.dtype.type((width // config["num_attention_heads"]) ** -0.5)
    parts[0] = (parts[0][0] * scale, parts[0][1] * scale)
    return {
        "qkv": [np.concatenate(part) for part in zip(*parts, strict=True)],
        "mixed": tensors.dense(f"{name}.attention.output.dense", width, width),
        "attended": tensors.norm(f"{name}.attention.output.LayerNorm", width),
        "wider": tensors.dense(f"{name}.intermediate.dense", wider, width),
        "back": tensors.dense(f"{name}.output.dense", width, wider),
        "transformed": tensors.norm(f"{name}.output.LayerNorm", width),
    }


def _masked_words(tensors: _Tensors, words: np.ndarray, config: Mapping) -> tuple | None:
    """The head for masked words: a layer, its norm, the word embeddings again unless the file has others."""
    if "cls.predictions.transform.dense.weight" not in tensors:
        return None
    name, (n_words, width) = "cls.predictions", words.shape
    own = f"{name}.decoder.weight" in tensors
    if not own and config.get("tie_word_embeddings") is False:
        raise ValueError(f"config.json: tie_word_embeddings is False, but there is no {name}.decoder.weight")
    decoder = tensors.get(f"{name}.decoder.weight", n_words, width) if own else words
    bias = f"{name}.bias" if f"{name}.bias" in tensors else f"{name}.decoder.bias"
    return (
        tensors.dense(f"{name}.transform.dense", width, width),
        tensors.norm(f"{name}.transform.LayerNorm", width),
        (decoder, tensors.get(bias, n_words)),
    )


def _optional(tensors: _Tensors, name: str, outer: int | None, inner: int) -> tuple | None:
    return tensors.dense(name, outer, inner) if f"{name}.weight" in tensors else None
