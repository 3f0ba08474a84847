"""From a vector (or logits) a token to one vector a text: the mask says which tokens are the text's own."""

import numpy as np


def mean(hidden: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The mean over each text's own tokens: (n, tokens, width) and a mask (n, tokens) give (n, width).

    Without the mask a short text's vector would be drawn towards that of its padding.

    >>> mean(np.array([[[2.0, 0.0], [4.0, 2.0], [9.0, 9.0]]]), np.array([[1, 1, 0]]))
    array([[3., 1.]])
    """
    own = _own(hidden, mask).astype(hidden.dtype)
    return (own[:, None, :] @ hidden)[:, 0] / own.sum(axis=1, keepdims=True)


def cls(hidden: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The first token's vector, that of [CLS]; the mask changes nothing.

    >>> cls(np.array([[[2.0, 0.0], [4.0, 2.0]]]), np.array([[1, 1]]))
    array([[2., 0.]])
    """
    return hidden[:, 0].copy()


def max(hidden: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The largest value of each dimension over a text's own tokens.

    >>> max(np.array([[[2.0, 0.0], [4.0, -2.0], [9.0, 9.0]]]), np.array([[1, 1, 0]]))
    array([[4., 0.]])
    """
    owned = _own(hidden, mask).astype(bool)
    texts = zip(hidden, owned, strict=True)
    # A text without padding is not copied first; that counts where each token has 30,522 logits.
    return np.array([(states if own.all() else states[own]).max(axis=0) for states, own in texts])


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows brought to length 1, so that a dot product is a cosine; a row of zeros stays.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    return vectors / np.where(lengths > 0, lengths, 1)


def splade(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """A weight for each word piece of the vocabulary: (n, tokens, vocabulary) gives (n, vocabulary).

    max over a text's own tokens of log(1 + ReLU(logit)). Both functions rise, so the maximum is taken first.

    Source: Formal, Lassance, Piwowarski and Clinchant, SPLADE v2, 2021, equation 6.

    >>> splade(np.array([[[1.0, -2.0], [0.5, -1.0]]]), np.array([[1, 1]])).round(3)
    array([[0.693, 0.   ]])
    """
    largest = max(logits, mask)
    return np.log1p(np.maximum(largest, 0, out=largest), out=largest)


def _own(hidden: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The mask. Raises ValueError for one of another shape, and for a text without a token of its own."""
    mask = np.asarray(mask)
    if mask.shape != hidden.shape[:2] or not mask.any(axis=1).all():
        found = f"a mask of the shape {mask.shape} for vectors of {hidden.shape}"
        raise ValueError(f"{found}; needed (texts, tokens), and a token of its own in each text")
    return mask


POOLINGS = {"mean": mean, "cls": cls, "max": max}
