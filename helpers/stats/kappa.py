"""Agreement of two raters."""

from collections import Counter
from collections.abc import Hashable, Sequence


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Agreement of two raters beyond chance, (observed - expected) / (1 - expected): 1 perfect, 0 chance.

    `first[i]` and `second[i]` are the two labels of item i. Expected is how often the raters would agree if
    each dealt out their own labels at random. Where both use one label throughout, chance explains everything
    and the value is 1 by convention. Raises ValueError for empty or unequal lists.

    Source: Cohen, A coefficient of agreement for nominal scales, 1960.

    >>> cohen_kappa([2, 0, 0, 0], [2, 0, 0, 1])  # observed 3/4, expected (1 * 1 + 3 * 2) / 16
    0.5555555555555556
    """
    if len(first) != len(second) or len(first) == 0:
        raise ValueError(
            f"{len(first)} labels and {len(second)} labels; needed two lists of the same length, not empty"
        )
    n, first, second = len(first), list(first), list(second)
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / n
    counts, others = Counter(first), Counter(second)
    expected = sum(counts[label] * others[label] for label in counts) / n**2
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)
