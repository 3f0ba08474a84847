"""Agreement of two raters."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence, Set, ValuesView
from numbers import Integral, Real

import numpy as np
import pandas as pd

from helpers.base import counted, first_few, folded, warn
from helpers.stats.paired_tests import in_one_order

Labels = Sequence[Hashable] | Mapping[Hashable, Hashable]


def cohen_kappa(first: Labels, second: Labels) -> float:
    """Agreement of two raters beyond chance, (observed - expected) / (1 - expected): 1 perfect, 0 chance.

    `first[i]` and `second[i]` are the two labels of item i; two dicts `{item: label}`, and two Series with
    the same ids in their index, are paired by item. Expected is how often the raters would agree if each
    dealt out their own labels at random. Where both use one label throughout, chance explains everything and
    the value is 1 by convention. Raises ValueError for empty or unequal lists, dicts or Series of different
    items, an item without a label (None, NaN), text from one rater where the other gives numbers, and what is
    no list of labels: a set, which has no order, or a table. Warns of labels that differ only in capitals or
    blanks, as "Relevant " and "relevant", of 1 beside "1", for they count as two, of scales that are
    shifted, as 0 to 2 beside 1 to 3, and of labels such as "n/a".

    Source: Cohen, A coefficient of agreement for nominal scales, 1960.

    >>> cohen_kappa([2, 0, 0, 0], [2, 0, 0, 1])  # observed 3/4, expected (1 * 1 + 3 * 2) / 16
    0.5555555555555556
    """
    first, second = _paired(first, second)
    if len(first) != len(second) or len(first) == 0:
        raise ValueError(
            f"{len(first)} labels and {len(second)} labels; needed two lists of the same length, not empty"
        )
    _check_labels(first, second)
    n = len(first)
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / n
    counts, others = Counter(first), Counter(second)
    expected = sum(counts[label] * others[label] for label in counts) / n**2
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)


def _paired(first: Labels, second: Labels) -> tuple[list, list]:
    """The labels of both raters in one order of the items."""
    for place, labels in (("first", first), ("second", second)):
        if isinstance(labels, ValuesView):
            order = "whose order may be another than the other's; give the dict itself"
            raise ValueError(f"the {place} rater's labels are the values of a dict, {order}")
        check_in_order(labels, f"the {place} rater's labels")
    second = in_one_order(first, second, "the first rater's labels", "the second's")
    mappings = [isinstance(labels, Mapping) for labels in (first, second)]
    if not any(mappings):
        return list(first), list(second)
    if not all(mappings):
        raise ValueError("one rater's labels are a dict and the other's a list; give two of one kind")
    if first.keys() != second.keys():
        alone = [item for item in [*first, *second] if item not in first or item not in second]
        one = f"labels of {first_few(map(repr, alone), 3)} come from one rater alone"
        raise ValueError(f"{one}; give those of the items that both have labelled")
    return list(first.values()), [second[item] for item in first]


def check_in_order(values: object, name: str) -> None:
    """Raises ValueError for what cannot be paired item by item: sets, texts, and what has columns."""
    columns = getattr(values, "columns", None)
    if isinstance(values, (str, Set)) or getattr(values, "ndim", 1) != 1:
        of = "" if columns is None else f" with the columns {first_few(columns, 3)}"
        of = f" of {values.ndim} dimensions" if isinstance(values, np.ndarray) else of
        found = f"a {type(values).__name__}{of}"
        raise ValueError(f"{name} are {found}; give a list, or one column of a table")


def _check_labels(first: list, second: list) -> None:
    """Raises ValueError for labels that would never be equal, whatever the raters meant."""
    for place, labels in (("first", first), ("second", second)):
        for i, label in enumerate(labels):
            if pd.api.types.is_scalar(label) and pd.isna(label):
                raise ValueError(
                    f"item {i} has no label from the {place} rater ({label!r}); leave it out of both"
                )
    of_first, of_second = ({isinstance(label, str) for label in labels} for labels in (first, second))
    if of_first != of_second and len(of_first) == len(of_second) == 1:
        found = f"one rater's labels are text and the other's are not ({first[0]!r}, {second[0]!r})"
        raise ValueError(f"{found}, so they are never equal; give both in one form")
    texts = [label for label in (*first, *second) if isinstance(label, str)]
    if gaps := [label for label in texts if label.strip().casefold() in _GAPS]:
        said = f"{counted(len(gaps), 'label')} such as {gaps[0]!r} count as a label of their own"
        warn(f"{said}; if nobody has labelled these items, leave them out of both")
    if shift := _shift(first, second):
        said = f"every label of the second rater is that of the first {'plus' if shift > 0 else 'minus'}"
        warn(f"{said} {abs(shift)}: does one scale begin at another number? Give both on one")
    elif min(len(set(first)), len(set(second))) > 1 and not set(first) & set(second):
        what = "the raters share no label"
        warn(f"{what} ({first[0]!r} and {second[0]!r}): are these counts, or rows of a table of counts?")
    _warn_of_near_labels([*first, *second])
    numbers = [label for label in {*first, *second} if isinstance(label, Real) and not _is_whole(label)]
    if len(numbers) > len(first) / 2 and len(first) >= 10:
        said = f"{len(numbers)} different numbers with decimals count as labels of their own"
        warn(f"{said}; make grades of scores first, or correlate them")


_GAPS = ("", "-", "?", "n/a", "na", "nan", "none", "null")


def _shift(first: list, second: list) -> int:
    """What the second rater's labels have more than the first's, where those are whole numbers that differ
    and it is the same for all of five items or more; else 0."""
    whole = all(isinstance(label, Integral) for label in (*first, *second))
    if not whole or len(first) < 5 or len(set(first)) < 2:
        return 0
    shifts = {int(other) - int(one) for one, other in zip(first, second, strict=True)}
    return shifts.pop() if len(shifts) == 1 else 0


def _is_whole(label: Real) -> bool:
    return isinstance(label, Integral) or float(label).is_integer()


def _warn_of_near_labels(labels: list) -> None:
    """Warns of two labels that are one word, written in two ways, or one number as text and as number."""
    texts = {label for label in labels if isinstance(label, str)}
    if twice := [label for label in labels if not isinstance(label, str) and str(label) in texts]:
        said = f"both {twice[0]!r} and {str(twice[0])!r} are among the labels, and count as two"
        warn(f"{said}; if they are one, give numbers throughout, or text")
    first_form: dict[str, str] = {}
    for label in sorted({label for label in labels if isinstance(label, str)}):
        form = first_form.setdefault(folded(label), label)
        if form != label:
            cure = "they count as two labels; if they are one, write it in one way (.strip().lower())"
            warn(f"the labels {form!r} and {label!r} differ only in capitals or blanks; {cure}")
            return
