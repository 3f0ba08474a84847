"""Several comparisons at once: p-values that allow for how many were made."""

from collections.abc import Mapping, Sequence, Set
from numbers import Real
from typing import TypeVar

import numpy as np
import pandas as pd

from helpers.base import first_few

PValues = TypeVar("PValues", Mapping[str, float], Sequence[float])


def holm(p_values: PValues) -> PValues:
    """Holm's correction: below alpha, the chance of even one false finding in the family is alpha at most.

    The smallest of m p-values is multiplied by m, the next by m - 1, and so on; a later one is never less
    than an earlier one, and none is above 1. It holds whatever the comparisons have in common. A dict (or
    Series) gives a dict with the same keys, a list a list in the same order; of none, none.

    Raises ValueError for a p-value that is not from 0 to 1, for a Series in which a name stands twice, and
    for a set, in which equal p-values are one.

    Source: Holm, A simple sequentially rejective multiple test procedure, 1979.

    >>> holm({"bm25+": 0.01, "tf-idf": 0.04, "bm25l": 0.03})  # 0.01 · 3, 0.03 · 2, and not less than that
    {'bm25+': 0.03, 'tf-idf': 0.06, 'bm25l': 0.06}
    """

    def corrected(ordered: np.ndarray) -> np.ndarray:
        # As many comparisons as are left are allowed for: m for the smallest p-value, one for the largest.
        left = np.arange(len(ordered), 0, -1)
        return np.maximum.accumulate(ordered * left)

    return _corrected(p_values, corrected)


def benjamini_hochberg(p_values: PValues) -> PValues:
    """Benjamini and Hochberg's correction: of all below alpha, at most a share alpha is false on average.

    The i-th smallest of m p-values is multiplied by m / i; an earlier one is never more than a later one. A
    weaker promise than Holm's, and more found. It holds for independent comparisons, and for some
    that are positively dependent; two-sided tests against one baseline are not proved to be. Dicts, lists and
    errors as with `holm`.

    Source: Benjamini and Hochberg, Controlling the false discovery rate, 1995.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])  # 0.01 · 3 / 1, 0.04 · 3 / 3, 0.03 · 3 / 2 at most the next
    [0.03, 0.04, 0.04]
    """

    def corrected(ordered: np.ndarray) -> np.ndarray:
        # m · p comparisons would be below p by chance alone, and i are: their quotient is the false share.
        false_share = ordered * len(ordered) / np.arange(1, len(ordered) + 1)
        return np.minimum.accumulate(false_share[::-1])[::-1]

    return _corrected(p_values, corrected)


def _corrected(p_values, correction):
    """The correction of the p-values in ascending order, brought back to their order and names."""
    by_name = isinstance(p_values, (Mapping, pd.Series))
    if isinstance(p_values, pd.Series) and not p_values.index.is_unique:
        twice = p_values.index[p_values.index.duplicated()][0]
        cure = "every p-value counts, so give each a name of its own, or a list"
        raise ValueError(f"comparison {twice!r} stands twice; {cure}")
    if isinstance(p_values, pd.DataFrame):
        raise ValueError(f"p is a table with columns {first_few(p_values.columns)}; give one column of it")
    if isinstance(p_values, Set):
        raise ValueError("p is a set, in which equal p-values are one comparison; give a list or a dict")
    named = dict(p_values.items() if by_name else enumerate(p_values))
    for name, p in named.items():
        if not isinstance(p, Real) or not 0 <= p <= 1:
            is_lacking = pd.api.types.is_scalar(p) and pd.isna(p)
            cure = ": leave out the baseline's own row, as with .dropna()" if is_lacking else ""
            raise ValueError(f"comparison {name!r}: p is {p!r}; needed a number from 0 to 1{cure}")
    values = np.array(list(named.values()), dtype=float)
    order = np.argsort(values, kind="stable")
    values[order] = np.minimum(correction(values[order]), 1)
    return dict(zip(named, values.tolist(), strict=True)) if by_name else values.tolist()
