"""Two systems on the same queries: what the differences say. And Welch's test, for groups that are not pairs.

The difference is always b - a: positive where b is better.
"""

import re
import warnings
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from math import inf, isfinite
from numbers import Real

import numpy as np
import pandas as pd
import scipy  # loads `scipy.stats` when it is first used: that takes a second

from helpers.base import check_ids, check_option, counted, first_few, warn

Scores = Mapping[str, float] | pd.Series | Sequence[float] | np.ndarray
"""Scores per query: `{query_id: score}`, a Series indexed by query_id, or plain numbers in one order.

A Series whose index is 0, 1, 2, … to its end is plain numbers too. Any other index of numbers says that rows
were left out or moved, and is refused: its positions are no longer those of another Series.
"""

DECIMALS = 12
"""Differences are rounded to this: 0.3 and 0.1 + 0.2 tie, and 0.3 - 0.2 is as large as 0.2 - 0.1.

32-bit scores are not as exact: 0.1 in 32 bits is 0.100000001. Give both alike, or they hardly ever tie.
"""


WITH_CUT_OFF, WORD = re.compile(r"[A-Za-z]+@\d+"), re.compile(r"[A-Za-z]+(@\d+)?")
"""Names such as `nDCG@10` are those of metrics; beside them a word such as `MAP` is one too."""

WITH_DIGIT = re.compile(r"\d")

MEAN_ROWS = (
    *("all", "mean", "avg", "average", "amean", "arithmetic mean", "macro", "macro avg", "macro average"),
    *("macro mean", "overall", "summary", "total"),
)
"""What trec_eval, pandas, scikit-learn and spreadsheets call the row below the queries that holds their
mean."""


def paired(a: Scores, b: Scores, missing: str = "error") -> pd.DataFrame:
    """The scores of two systems, a row per query (index: query_id): `a`, `b` and `difference` (b - a).

    Rows are in the order of `a`, then queries that only `b` has. A query that one side lacks is an error that
    names it, or counts 0 with `missing="zero"`; it is never dropped. Plain numbers are paired by position and
    numbered from 0. Differences are rounded to 12 decimals, so that rounding error neither wins nor loses.

    Raises ValueError for a score that is not a finite number (the query is named), an id that is not text or
    stands twice, plain numbers of different length, ids on one side only, means of metrics in place of
    queries, and a row such as "all" that holds the mean of the others.

    >>> paired({"q1": 0.5, "q2": 1.0}, {"q2": 0.75, "q1": 1.0})["difference"].to_dict()
    {'q1': 0.5, 'q2': -0.25}
    """
    check_option("missing", missing, ["error", "zero"])
    first, second = as_series(a, "a"), as_series(b, "b")
    check_alike(first, second)
    only_first, only_second = first.index.difference(second.index), second.index.difference(first.index)
    if missing == "error" and (len(only_first) or len(only_second)):
        raise ValueError(
            f"b lacks {_named(only_first)}, a lacks {_named(only_second)}; run both systems on the same "
            "queries, or count what is missing as 0 with missing='zero'"
        )
    index = first.index.append(second.index[~second.index.isin(first.index)])
    sides = {name: side.reindex(index, fill_value=0.0) for name, side in (("a", first), ("b", second))}
    table = pd.DataFrame(sides)
    table["difference"] = (table["b"] - table["a"]).round(DECIMALS) + 0.0  # no -0.0
    return table.rename_axis("query_id")


def paired_significance(a: Scores, b: Scores, missing: str = "error") -> dict[str, float]:
    """The paired t-test, two-sided: is the mean difference further from 0 than its own noise explains?

    `{"n", "mean_a", "mean_b", "difference", "t_statistic", "p_value"}`; t has n - 1 degrees of freedom.
    Differences that are all 0 give t = 0 and p = 1. Differences that are all equal and not 0 have no noise,
    so t is infinite and p is 0, which nobody should believe: ask `randomisation_test`, whose exact p is never
    below 2 / 2^n. Of so few queries that this is not near 0 either, a warning says so.

    Raises the errors of `paired`, and ValueError for fewer than two queries.

    Source: Student, The probable error of a mean, 1908; for retrieval: Smucker, Allan and Carterette, A
    comparison of statistical significance tests for information retrieval evaluation, CIKM 2007.

    >>> found = paired_significance({"q1": 0.2, "q2": 0.4, "q3": 0.6}, {"q1": 0.3, "q2": 0.6, "q3": 0.9})
    >>> print({name: round(value, 4) for name, value in found.items()})  # t = 0.2 / (0.1 / sqrt(3))
    {'n': 3, 'mean_a': 0.4, 'mean_b': 0.6, 'difference': 0.2, 't_statistic': 3.4641, 'p_value': 0.0742}
    """
    pairs = at_least_two(paired(a, b, missing))
    difference = pairs["difference"].to_numpy()
    t_statistic, p_value = _without_noise(difference) or scipy.stats.ttest_1samp(difference, 0.0)
    least = 2 / 2 ** len(pairs)
    if p_value == 0 and np.ptp(difference) == 0 and least > 0.0001:
        said = f"all {len(pairs)} differences are {difference[0]:g}; nothing varies, so the t test says p = 0"
        warn(f"{said}, which so few queries cannot show: the randomisation test has {least:.2g}")
    return {
        "n": len(pairs),
        "mean_a": float(pairs["a"].mean()),
        "mean_b": float(pairs["b"].mean()),
        "difference": round(float(difference.mean()), DECIMALS),
        "t_statistic": float(t_statistic),
        "p_value": float(p_value),
    }


def wilcoxon(a: Scores, b: Scores, missing: str = "error") -> dict[str, float]:
    """Wilcoxon's signed-rank test, two-sided: the sizes of the differences count by their rank only.

    `{"n", "n_nonzero", "statistic", "p_value"}`, the statistic being the smaller of the two sums of ranks.
    Ties (difference 0) are left out of the ranking and counted in `n`; whether p is exact or from the normal
    curve is left to scipy, whose defaults these are. All ties: p = 1. It asks whether the differences are
    symmetric around 0, not for their mean.

    Raises the errors of `paired`, and ValueError for fewer than two queries.

    Source: Wilcoxon, Individual comparisons by ranking methods, 1945.

    >>> wilcoxon([0, 0, 0, 0, 0], [0.1, 0.2, 0.3, 0.4, -0.5])  # ranks 1 + 2 + 3 + 4 against 5
    {'n': 5, 'n_nonzero': 5, 'statistic': 5.0, 'p_value': 0.625}
    """
    difference = at_least_two(paired(a, b, missing))["difference"].to_numpy()
    n_nonzero = int(np.count_nonzero(difference))
    with warnings.catch_warnings():  # SciPy 1.11 says aloud that with ties it takes the normal curve
        warnings.filterwarnings("ignore", "Exact p-value", UserWarning)
        statistic, p_value = scipy.stats.wilcoxon(difference) if n_nonzero else (0.0, 1.0)
    found = {"n": len(difference), "n_nonzero": n_nonzero}
    return found | {"statistic": float(statistic), "p_value": float(p_value)}


def effect_sizes(a: Scores, b: Scores, missing: str = "error") -> dict[str, float]:
    """How large a difference is: `{"cohen_dz", "hedges_gz", "rank_biserial", "win", "tie", "loss"}`.

    cohen_dz is the mean difference in standard deviations of the differences (divisor n - 1), so t = cohen_dz
    · sqrt(n); hedges_gz is the same less its small-sample bias, · (1 - 3 / (4n - 5)). rank_biserial is (W+ -
    W-) / (W+ + W-), from -1 to 1, of the ranks of differences that are not 0. win, tie and loss count
    queries, from b's side. All differences 0: all three are 0. All equal, not 0: dz and gz are infinite.

    Raises the errors of `paired`, and ValueError for fewer than two queries.

    Source: Cohen, Statistical power analysis, 1988, 2.3.5; Hedges, 1981; Kerby, 2014.

    >>> found = effect_sizes([0, 0, 0, 0], [0.1, 0.2, 0.3, -0.2])  # ranks 1, 2.5, 4 against 2.5
    >>> print({name: round(value, 4) for name, value in found.items()})
    {'cohen_dz': 0.4629, 'hedges_gz': 0.3367, 'rank_biserial': 0.5, 'win': 3, 'tie': 0, 'loss': 1}
    """
    difference = at_least_two(paired(a, b, missing))["difference"].to_numpy()
    without_noise = _without_noise(difference)
    if (
        without_noise
    ):  # an infinite dz has no bias: of 2 queries the factor is 0, and 0 · infinity is no number
        dz, unbiased = without_noise[0], 1.0
    else:
        dz, unbiased = difference.mean() / difference.std(ddof=1), 1 - 3 / (4 * len(difference) - 5)
    moved = difference[difference != 0]
    ranks = scipy.stats.rankdata(np.abs(moved))
    return {
        "cohen_dz": float(dz),
        "hedges_gz": float(dz * unbiased),
        "rank_biserial": float((np.sign(moved) * ranks).sum() / ranks.sum()) if len(moved) else 0.0,
        "win": int((difference > 0).sum()),
        "tie": int((difference == 0).sum()),
        "loss": int((difference < 0).sum()),
    }


def welch(a: Scores, b: Scores) -> dict[str, float]:
    """Welch's t-test, two-sided, for groups that are not pairs, such as users on each side of an A/B test.

    `{"n_a", "n_b", "mean_a", "mean_b", "difference", "low", "high", "t_statistic", "df", "p_value"}`, low and
    high being the 95 % interval of the difference; the groups may differ in size and variance, ids are not
    matched. Each value must be independent of the others: a value per user, not per click. Values that are
    equal to 12 decimals are equal. Groups without any variance have no interval (nan), and p = 1 where they
    are equal; else t is infinite and p is 0, which a few values reach by chance: two heads against two tails
    in one of eight throws of four coins. Do not decide by this p with fewer than eight values on a side, or
    without variance; `helpers.monitoring` gives no verdict then.

    Raises ValueError for fewer than two values on a side, and for one that is not a finite number.

    Source: Welch, The generalization of "Student's" problem, Biometrika 1947.

    >>> found = welch([0, 0, 1, 1], [1, 1, 1, 1, 0, 1])
    >>> print({name: round(found[name], 4) for name in ("mean_a", "mean_b", "t_statistic", "df", "p_value")})
    {'mean_a': 0.5, 'mean_b': 0.8333, 't_statistic': 1.0, 'df': 5.0, 'p_value': 0.3632}
    """
    sides = [at_least_two(as_series(side, name, "value"), "value") for name, side in (("a", a), ("b", b))]
    first, second = (side.to_numpy() for side in sides)
    # The means of users with equal values differ by rounding error.
    exact_first, exact_second = first.round(DECIMALS), second.round(DECIMALS)
    if np.ptp(exact_first) == np.ptp(exact_second) == 0:
        t_statistic, p_value = _without_noise(exact_second - exact_first[0])
        df = len(first) + len(second) - 2
        low, high = np.nan, np.nan
    else:
        found = scipy.stats.ttest_ind(second, first, equal_var=False)
        t_statistic, p_value, df = found.statistic, found.pvalue, found.df
        low, high = (end.round(DECIMALS) + 0.0 for end in found.confidence_interval(0.95))  # no -0.0
    return {
        "n_a": len(first),
        "n_b": len(second),
        "mean_a": float(first.mean()),
        "mean_b": float(second.mean()),
        "difference": round(float(second.mean() - first.mean()), DECIMALS) + 0.0,  # no -0.0
        "low": float(low),
        "high": float(high),
        "t_statistic": float(t_statistic),
        "df": float(df),
        "p_value": float(p_value),
    }


def check_scale(name: str, value: float, differences: pd.Series) -> None:
    """Raises ValueError for an effect or a limit above 1 where no difference is: no mean of such differences
    reaches it, and it may be a number of queries, or given in percent.

    >>> check_scale("effect", 30, pd.Series([0.1, -0.2]))
    Traceback (most recent call last):
    ValueError: effect is 30, and no difference is above 1 (the largest: 0.2), so no mean is; needed e.g. 0.02
    """
    largest = float(differences.abs().max())
    if abs(value) > 1 >= largest:
        found = f"{name} is {value!r}, and no difference is above 1 (the largest: {largest:g})"
        raise ValueError(f"{found}, so no mean is; needed e.g. 0.02")


def as_series(scores: Scores, name: str, of: str = "query") -> pd.Series:
    """Scores as 64-bit floats by query_id, or by number from 0 where they have no ids; `name` is for errors,
    and so is `of`, what the scores are of.

    Raises ValueError for no score, one that is not a finite number, an id that is not text or stands twice,
    for means of metrics in place of queries, and for a row such as "all" that holds the mean of the others.

    >>> as_series({"q1": 1, "q2": None}, "a")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: a, query 'q2': the score is None; needed a finite number; count the query 0, or ...
    """
    by_id = has_ids(scores)
    if by_id:
        check_no_means(scores, name)
    if not by_id and (isinstance(scores, str) or not isinstance(scores, (Sequence, np.ndarray, pd.Series))):
        kind = type(scores).__name__
        raise ValueError(f"{name} is a {kind}; give {{query_id: score}}, a Series, or a list of numbers")
    if not by_id and getattr(scores, "ndim", 1) != 1:
        shape = " × ".join(map(str, np.shape(scores)))
        raise ValueError(f"{name} is an array of {shape}; needed one column, such as {name}[:, 0]")
    items = list(scores.items() if by_id else enumerate(scores))
    if not items:
        raise ValueError(f"{name} holds no score")
    try:
        check_ids(scores.keys() if by_id else (), f"{name}: query_id")
    except ValueError as error:
        cure = (
            "; a Series of rows that were cut or moved is not paired by position: give it its query_ids as "
            "index, or .to_numpy()"
        )
        raise ValueError(f"{error}{cure if isinstance(scores, pd.Series) else ''}") from None
    check_scores(items, name, of)
    index = pd.Index([query_id for query_id, _ in items]) if by_id else pd.RangeIndex(len(items))
    if not index.is_unique:
        twice = index[index.duplicated()][0]
        raise ValueError(f"{name}: {of} {twice!r} stands twice; needed one score for each {of}")
    series = pd.Series([float(score) for _, score in items], index=index)
    check_no_mean_row(series, name)
    return series


def has_ids(scores: object) -> bool:
    """Whether scores are paired by their ids: a mapping, or a Series that is not just numbered from 0."""
    # What pandas numbered from 0 by itself is a column without ids; older ones store numbers.
    numbered = isinstance(scores, pd.Series) and scores.index.equals(pd.RangeIndex(len(scores)))
    return isinstance(scores, (Mapping, pd.Series)) and not numbered


def check_no_means(scores: Mapping | pd.Series | pd.DataFrame, name: str) -> None:
    """Raises ValueError for means over queries, a metric each, where a score per query is needed.

    >>> check_no_means({"nDCG@10": 0.5, "MAP": 0.3}, "a")
    Traceback (most recent call last):
    ValueError: a holds the means of metrics (nDCG@10, MAP), and no query; give one score a query, such as \
evaluation.per_query['nDCG@10']
    """
    evaluation = isinstance(scores, Mapping) and hasattr(scores, "per_query")
    names = list(scores.keys() if isinstance(scores, Mapping) else scores.index)
    if not evaluation and not all(isinstance(one, str) and WORD.fullmatch(one) for one in names):
        return
    with_cut_off = [one for one in names if WITH_CUT_OFF.fullmatch(one)]
    if evaluation or with_cut_off:
        means = f"{name} holds the means of metrics ({first_few(names, 3)}), and no query"
        example = (with_cut_off or names)[0]
        raise ValueError(f"{means}; give one score a query, such as evaluation.per_query[{example!r}]")


def check_no_mean_row(scores: pd.Series, name: str) -> None:
    """Raises ValueError for a row that is called "all" or "mean" and has the mean of the other rows; warns of
    one below ids with numbers that has none, and has that mean to the last digit."""
    words = {row: re.sub(r"[\s_-]+", " ", row.casefold()) for row in scores.index if isinstance(row, str)}
    named = [row for row in words if words[row] in MEAN_ROWS]
    for row in named if len(scores) > 1 else ():
        others = scores.drop(index=row)
        if abs(scores[row] - others.mean()) < 0.001:  # files have it to three digits or more
            said = f"{name}: row {row!r} holds the mean of the {len(others)} others"
            cure = "leave it out, for it would count as a query (if it is one, give it another name)"
            raise ValueError(f"{said}; {cure}")
    *others, last = scores.index if len(scores) > 3 else [0]
    numbered = others and not WITH_DIGIT.search(str(last)) and all(WITH_DIGIT.search(str(o)) for o in others)
    if numbered and np.ptp(scores[others]) > 0 and abs(scores[last] - scores[others].mean()) < 1e-9:
        said = f"{name}: the last row, {last!r}, is exactly the mean of the {len(others)} others"
        warn(f"{said}, and counts as a query; if it is none, leave it out")


def in_one_order(first: object, second: object, a: str = "a", b: str = "b") -> object:
    """`second` in the order of `first`: two Series are paired by their index, anything else by position.

    Raises ValueError for two indexes that do not hold the same ids, each once, unless both only count from 0.

    >>> in_one_order(pd.Series([1, 2], index=["d1", "d2"]), pd.Series([3, 4], index=["d2", "d1"])).tolist()
    [4, 3]
    """
    series = isinstance(first, pd.Series) and isinstance(second, pd.Series)
    moved = [one for one in (first, second) if _was_moved(one)]
    if moved and not series:
        said = f"{a if moved[0] is first else b} is a Series in another order than its numbers"
        warn(f"{said}, and is paired by position; if it was sorted, give .sort_index() of it")
    if not series or first.index.equals(second.index) or not (has_ids(first) or has_ids(second)):
        return second
    alone = first.index.symmetric_difference(second.index)
    if len(alone) or not (first.index.is_unique and second.index.is_unique):
        found = f"only one has {first_few(map(repr, alone), 3)}" if len(alone) else "an id stands twice"
        cure = "give both the same index, or pair them by position with .to_numpy()"
        raise ValueError(f"{a} and {b} are Series that cannot be paired by index: {found}; {cure}")
    return second.reindex(first.index)


def _was_moved(values: object) -> bool:
    """Whether this is a Series that was numbered from 0 and then sorted or shuffled."""
    if not isinstance(values, pd.Series) or values.index.is_monotonic_increasing:
        return False
    return values.index.sort_values().equals(pd.RangeIndex(len(values)))


def check_scores(scores: Iterable[tuple[Hashable, object]], name: str, of: str = "query") -> None:
    """Raises ValueError, with its query (or whatever it is `of`), for a score that is not a finite number."""
    for query_id, score in scores:
        if not isinstance(score, (Real, np.bool_)) or not isfinite(score):
            found = f"{name}, {of} {query_id!r}: the score is {score!r:.80}"
            raise ValueError(f"{found}; {_needed_in_place_of(score, of)}")


def _needed_in_place_of(score: object, of: str) -> str:
    """What was needed where a score is no finite number, and the cure for what was given."""
    if isinstance(score, float) and score == inf:
        return "needed a finite number; if these are ranks, give 1 / rank, which is 0 for what was not found"
    if score is None or score is pd.NA or isinstance(score, (Real, np.bool_)):
        zero = f"count the {of} 0, or leave it out of every system" if of == "query" else "leave it out"
        return f"needed a finite number; {zero}"
    if isinstance(score, str | Decimal):
        return "needed a finite number" + (", float() makes one of it" if _is_number(score) else "")
    if all(hasattr(score, part) for part in ("query_id", "measure", "value")):
        return "needed the value by query: {one.query_id: one.value for one in …}, of one measure"
    if isinstance(score, (Collection, np.ndarray)):
        return f"needed one number for each {of}" + ("" if of == "query" else ", such as the mean of these")
    return "needed a finite number"


def _is_number(score: str | Decimal) -> bool:
    try:
        return isfinite(float(score))
    except ValueError:
        return False


def at_least_two(scores, of: str = "query"):
    """What was given. Raises ValueError where it is fewer than two queries, which have no variance."""
    if len(scores) < 2:
        raise ValueError(f"{counted(len(scores), of)}; needed two or more, since one has no variance")
    return scores


def _without_noise(difference: np.ndarray) -> tuple[float, float] | None:
    """t and p where all differences are equal, so that nothing varies; None where they are not."""
    if np.ptp(difference) > 0:
        return None
    return (float(np.copysign(inf, difference[0])), 0.0) if difference[0] else (0.0, 1.0)


def check_alike(first: pd.Series, second: pd.Series, a: str = "a", b: str = "b") -> None:
    """Raises ValueError where only one of two series has ids, or neither and they differ in length."""
    plain = [isinstance(series.index, pd.RangeIndex) for series in (first, second)]
    if plain[0] != plain[1]:
        named, bare = (b, a) if plain[0] else (a, b)
        raise ValueError(
            f"{named} has query_ids and {bare} has none; give both with ids, so that they can be paired"
        )
    if all(plain) and len(first) != len(second):
        lengths = f"{counted(len(first), 'score')} in {a} and {len(second):,} in {b}"
        raise ValueError(f"{lengths} without query_ids; they cannot be paired by position")


def _named(query_ids: pd.Index) -> str:
    return f"{len(query_ids):,} ({first_few(map(repr, query_ids))})" if len(query_ids) else "none"
