"""Chance, played many times: sign flips for a p-value, queries drawn again for an interval.

All systems see the same flips and the same draws. They are drawn in blocks of bounded size, and only the sums
are kept, so memory is resamples × systems however many queries there are.
"""

from collections.abc import Iterator, Mapping
from numbers import Real

import numpy as np
import pandas as pd
import scipy  # loads `scipy.special` when it is first used
from pandas.api.types import is_integer_dtype, is_numeric_dtype

from helpers.base import check_option, check_rng, check_whole, counted, warn
from helpers.stats.paired_tests import (
    DECIMALS,
    Scores,
    as_series,
    at_least_two,
    check_no_mean_row,
    check_no_means,
    check_scores,
    has_ids,
    paired,
)

Table = pd.DataFrame | Mapping[str, Scores] | np.ndarray
"""Scores or differences of many systems: a row per query, a column per system; `query_id` holds the ids.

A dict of systems is paired by query_id where its values have ids, by position where none has any."""

ID_COLUMNS = ("qid", "query", "q_id", "queryid", "topic", "topic_id", "id", "index")
"""What a column of query ids is called elsewhere; here it is `query_id`."""

Rng = np.random.Generator | int
"""A generator, or the seed of one."""

BLOCK = 2**16
"""So many random numbers are drawn together: enough for NumPy's speed, little enough for any memory."""


def randomisation_test(
    a: Scores, b: Scores, n_resamples: int = 10_000, rng: Rng = 0, missing: str = "error"
) -> dict[str, float]:
    """The randomisation test, two-sided: were two systems the same, each difference could have either sign.

    `{"n", "difference", "p_value", "exact", "resamples"}`; p is the share of sign flips whose mean is at
    least as far from 0 as the one observed. Where all 2^m flips of the m differences that are not 0 are at
    most `n_resamples`, each is looked at once (`exact`), and p is at least 2 / 2^m; else flips are drawn, and
    p = (count + 1) / (n_resamples + 1) is never 0.

    Raises the errors of `paired`.

    Source: Fisher, The design of experiments, 1935, section 21; Smucker, Allan and Carterette, CIKM 2007; the
    + 1: Phipson and Smyth, Permutation p-values should never be zero, 2010.

    >>> randomisation_test([0, 0, 0, 0], [0.1, 0.2, 0.3, 0.0])  # of 8 flips +++ and --- are as far
    {'n': 4, 'difference': 0.15, 'p_value': 0.25, 'exact': True, 'resamples': 8}
    """
    found = randomisation_tests(paired(a, b, missing)[["difference"]], n_resamples, rng)
    return found.astype(object).iloc[0].to_dict()


def randomisation_tests(differences: Table, n_resamples: int = 10_000, rng: Rng = 0) -> pd.DataFrame:
    """`randomisation_test` for many systems at once, from their differences to a baseline: a row per system.

    The columns are `n`, `difference`, `p_value`, `exact` and `resamples`. No p-value is corrected yet.

    Raises ValueError for a difference that is not a finite number, with its query and system, for a query
    that stands twice, and for fewer than 100 resamples.

    >>> differences = pd.DataFrame({"x": [0.1, 0.2, 0.3, 0.4, 0.5], "y": [0.1, -0.2, 0.3, -0.4, 0.2]})
    >>> print(randomisation_tests(differences))
       n  difference  p_value  exact  resamples
    x  5         0.3   0.0625   True         32
    y  5         0.0   1.0000   True         32
    """
    values, names = as_matrix(differences)
    _warn_of_turned(values)
    if list(names) != ["difference"]:  # as `paired` calls it
        warn_of_scores(pd.DataFrame(values))
    values = values.round(DECIMALS)
    check_whole("n_resamples", n_resamples, 100, of="resamples")
    n_nonzero = np.count_nonzero(values, axis=0)
    exact = n_nonzero <= np.log2(n_resamples)
    p_values = np.empty(len(names))
    p_values[exact] = [_exact(column[column != 0]) for column in values.T[exact]]
    if not exact.all():
        p_values[~exact] = _monte_carlo(values[:, ~exact], n_resamples, check_rng(rng))
    columns = {
        "n": len(values),
        "difference": values.mean(axis=0).round(DECIMALS) + 0.0,  # no -0.0
        "p_value": p_values,
        "exact": exact,
        "resamples": np.where(exact, 2 ** np.minimum(n_nonzero, 62), n_resamples),
    }
    return pd.DataFrame(columns, index=names)


def max_t(
    differences: Table, confidence: float = 0.95, n_resamples: int = 10_000, rng: Rng = 0
) -> pd.DataFrame:
    """Many systems against one baseline, tested jointly: p-values and intervals that hold for all at once.

    A row per system: `n`, `difference`, `low`, `high`, `p_value`. Each sign flip, the same for all systems,
    gives each one a t, its mean in standard errors, and the largest |t| is kept. The first p is the share of
    these largest that reach the largest observed |t| (with the + 1 of `randomisation_test`); the next is the
    same without that system, and no p is below the one before it (step-down). Like Holm's correction it keeps
    the chance of even one false alarm at the level that p is compared with, where signs may be exchanged (a
    little above it with thirty skewed differences: `evals/benchmarks/statistics.md`); unlike Holm's it uses
    that systems move together, and so finds more. An interval is the mean ± border · standard error, the
    share `confidence` of the largest |t| being below the border: all intervals hold at once, as far as the
    flips show how the means wander. One that leaves out 0 has p below 1 - confidence, unless its differences
    are all equal: then both ends are the mean. The reverse may fail where several systems differ, for the
    steps help the p-values only.

    Raises the errors of `randomisation_tests`, and ValueError for fewer than two queries and a confidence
    outside (0, 1).

    Source: Westfall and Young, Resampling-based multiple testing, 1993; for retrieval: Carterette, Multiple
    testing in statistical analysis of systems-based information retrieval experiments, ACM TOIS 2012.

    >>> x = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, -0.1])
    >>> print(max_t(pd.DataFrame({"x": x, "y": x[::-1] - 0.4})).round(3))
        n  difference    low   high  p_value
    x  10        0.44  0.163  0.717    0.010
    y  10        0.04 -0.237  0.317    0.767
    """
    check_level("confidence", confidence)
    values, names = as_matrix(differences)
    check_whole("n_resamples", n_resamples, 100, of="resamples")
    warn_of_scores(pd.DataFrame(values))
    _warn_of_turned(values)
    values, n = values.round(DECIMALS), len(at_least_two(values))
    p_values, largest = _step_down(values, n_resamples, check_rng(rng))
    # So many of the largest may reach the border that p is still below 1 - confidence just beyond it.
    beyond = int(np.ceil(round((1 - confidence) * (n_resamples + 1), DECIMALS))) - 1
    border = min(largest[-beyond], 1.0) if beyond else 1.0
    t = border * np.sqrt((n - 1) / (1 - border**2)) if border < 1 else np.inf
    means, errors = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(n)
    half = np.zeros(len(names))
    half[np.ptp(values, axis=0) > 0] = t * errors[np.ptp(values, axis=0) > 0]
    found = {"n": n, "difference": means, "low": means - half, "high": means + half}
    rounded = {name: np.round(value, DECIMALS) + 0.0 for name, value in found.items() if name != "n"}
    return pd.DataFrame(found | rounded | {"p_value": p_values}, index=names)


def _step_down(
    values: np.ndarray, n_resamples: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The p-value of each system, and the largest statistic of all systems in each flip, ascending.

    The statistic is |sum| over its largest possible value: from 0 to 1, and growing as |t| does, while the
    sum of squares stays the same under flips.
    """
    scale = np.sqrt(len(values) * (values**2).sum(axis=0))
    scale[scale == 0] = 1.0
    observed = np.abs(values.sum(axis=0)) / scale
    order = np.argsort(observed, kind="stable")
    as_far, largest = np.zeros(len(order)), []
    for sums in _flipped_sums(values[:, order], n_resamples, rng):
        # From the smallest observed statistic on: the largest among a system and those below it.
        below = np.maximum.accumulate(np.abs(sums) / scale[order], axis=1)
        as_far += (below >= observed[order] - 1e-12).sum(axis=0)
        largest.append(below[:, -1])
    p_values = np.empty(len(order))
    p_values[order[::-1]] = np.maximum.accumulate((as_far[::-1] + 1) / (n_resamples + 1))
    return p_values, np.sort(np.concatenate(largest))


def _exact(differences: np.ndarray) -> float:
    """The share of all sign flips that are as far from 0."""
    # Each difference doubles the sums: once it is added, once taken off.
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    return float(_as_far(sums[:, None], differences[:, None]).mean())


def _monte_carlo(differences: np.ndarray, n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    sums = np.concatenate(list(_flipped_sums(differences, n_resamples, rng)))
    # The observed signs are one of the flips that could have been, hence + 1 above and below.
    return (_as_far(sums, differences).sum(axis=0) + 1) / (n_resamples + 1)


def _flipped_sums(
    differences: np.ndarray, n_resamples: int, rng: np.random.Generator
) -> Iterator[np.ndarray]:
    """The sums of all systems under each sign flip (blocks of flips × systems)."""
    n = len(differences)
    # A coin for the sign of every query; all systems (columns) get the same coins.
    flips = (rng.choice((-1.0, 1.0), size=(rows, n)) for rows in blocks(n_resamples, n))
    return (row_products(signs, differences) for signs in flips)


def _as_far(sums: np.ndarray, differences: np.ndarray) -> np.ndarray:
    """Which sums are as far from 0 as the observed one; sums that differ by rounding error are equal."""
    tolerance = 1e-12 * np.abs(differences).sum(axis=0)
    return np.abs(sums) >= np.abs(differences.sum(axis=0)) - tolerance


def bootstrap_interval(
    a: Scores,
    b: Scores | None = None,
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    method: str = "percentile",
    rng: Rng = 0,
    missing: str = "error",
) -> tuple[float, float]:
    """The bootstrap interval `(low, high)` of the mean over queries, which are drawn again and again.

    With `b` it is the mean difference b - a, paired. "percentile" takes the middle 95 % of the means of the
    resamples; "bca" (bias-corrected and accelerated) shifts both ends for bias and skew. Both are too narrow
    where queries are few. Simulated on differences of the course's engines (evals/benchmarks/statistics.md),
    intervals of 95 % hold the true mean difference in 82 to 93 % of cases at 30 queries by "percentile" and
    in 77 to 91 % by "bca"; at 100 queries in 93 to 95 % and in 91 to 94 %. `t_interval` is nearer to 95 %.

    Raises the errors of `paired` and of `bootstrap_intervals`.

    Source: Efron and Tibshirani, An introduction to the bootstrap, 1993, sections 13.3 and 14.3; for
    retrieval: Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006.

    >>> low, high = bootstrap_interval({"q1": 0.0, "q2": 0.5, "q3": 1.0, "q4": 1.0})
    >>> print(low, high)
    0.25 1.0
    """
    values = as_series(a, "a") if b is None else paired(a, b, missing)["difference"]
    found = bootstrap_intervals(values.to_frame(), confidence, n_resamples, method, rng).iloc[0]
    return float(found["low"]), float(found["high"])


def bootstrap_intervals(
    scores: Table,
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    method: str = "percentile",
    rng: Rng = 0,
) -> pd.DataFrame:
    """`bootstrap_interval` for many systems, all on the same resamples: a row each, `mean`, `low`, `high`.

    A column of differences between two systems is a system like any other.

    Raises ValueError for a score that is not a finite number, with its query and system, for a query that
    stands twice, for fewer than two queries, fewer than 100 resamples, another method, and a confidence
    outside (0, 1).

    >>> print(bootstrap_intervals(pd.DataFrame({"x": [0.0, 0.5, 1.0, 1.0], "y": [0.5, 0.5, 0.5, 0.5]})))
        mean   low  high
    x  0.625  0.25   1.0
    y  0.500  0.50   0.5
    """
    check_option("method", method, ["percentile", "bca"])
    check_level("confidence", confidence)
    values, names = as_matrix(scores)
    at_least_two(values)
    means = resampled_means(scores, n_resamples, rng)
    tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    ends = [
        np.quantile(resampled, tails if method == "percentile" else _bca_tails(observed, resampled, tails))
        for observed, resampled in zip(values.T, means.T, strict=True)
    ]
    low, high = np.array(ends).T.round(DECIMALS) + 0.0  # no -0.0
    return pd.DataFrame({"mean": values.mean(axis=0), "low": low, "high": high}, index=names)


def resampled_means(scores: Table, n_resamples: int = 10_000, rng: Rng = 0) -> np.ndarray:
    """The mean of each system in each resample of as many queries (array, resamples × systems).

    >>> means = resampled_means(np.array([[0.0, 1.0], [1.0, 0.0]]), n_resamples=100)
    >>> means.shape, set(means.sum(axis=1).tolist())
    ((100, 2), {1.0})
    """
    values, _ = as_matrix(scores)
    check_whole("n_resamples", n_resamples, 100, of="resamples")
    rng, n = check_rng(rng), len(values)
    sums = []
    for rows in blocks(n_resamples, n):
        # Queries are drawn with replacement; each resample counts in cells of its own.
        cells = rng.integers(n, size=(rows, n)) + n * np.arange(rows)[:, None]
        times = np.bincount(cells.ravel(), minlength=rows * n).reshape(rows, n)
        # How often each query was drawn, times the scores of all systems, is each one's sum.
        sums.append(row_products(times, values))
    return np.concatenate(sums) / n


def blocks(n_rows: int, width: int) -> Iterator[int]:
    """Numbers of rows that add up to `n_rows`, each block of rows holding about `BLOCK` numbers.

    A generator gives the same numbers in the same order, however many are drawn at a time.

    >>> list(blocks(5, width=BLOCK // 2))
    [2, 2, 1]
    """
    most = max(1, BLOCK // width)
    return (min(most, n_rows - start) for start in range(0, n_rows, most))


def _warn_of_turned(values: np.ndarray) -> None:
    """Warns of a few queries and more systems than queries: the table may lie on its side."""
    n_queries, n_systems = values.shape
    if n_queries < min(n_systems, 10) and n_systems > 2:
        said = f"the table has {counted(n_queries, 'query')} and {n_systems} systems"
        warn(f"{said}: its rows are queries, its columns systems; if it lies on its side, give table.T")


def ask_about_scores(given: object, values: pd.Series) -> None:
    """`warn_of_scores` of one system, unless what was given has the name that `paired` gives differences."""
    if getattr(given, "name", "") != "difference":
        warn_of_scores(values.to_frame())


def warn_of_scores(values: pd.DataFrame) -> None:
    """Warns of what may be scores in place of differences: in each column most above 0, and none below."""
    above = (values > 0).mean()
    # Of a few queries a real gain may be above 0 in all; of several systems on each of five hardly ever.
    enough = len(values) >= 10 or (len(values) >= 5 and len(above) > 1 and (above == 1).all())
    if enough and values.to_numpy().min() >= 0 and (above > 0.5).all():
        said = f"no difference is below 0, and {above.min():.0%} or more are above"
        warn(f"{said}: are these scores? Give those of a candidate minus the baseline's")


def check_level(name: str, share: float) -> None:
    """Raises ValueError unless the share is between 0 and 1; warns of one that looks like an alpha."""
    if not isinstance(share, Real) or not 0 < share < 1:
        raise ValueError(f"{name} is {share!r:.60}; needed a share between 0 and 1")
    if name == "confidence" and share <= 0.2:
        warn(f"confidence is {share:g}, so the interval is very short; was {1 - share:g} meant?")


def row_products(rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Each row times the values of all systems, alone, so that no bit depends on the size of the block."""
    return (rows[:, None, :] @ values)[:, 0, :]


def _bca_tails(observed: np.ndarray, means: np.ndarray, tails: np.ndarray) -> np.ndarray:
    """The quantiles to take in place of the two tails: moved for bias and skew of the scores."""
    centred = observed - observed.mean()
    if not centred.round(DECIMALS).any():
        return tails
    # Bias: how far the share of resamples below the observed mean (ties half) is from a half, in normal
    # quantiles. Never 0 or 1, whose normal quantiles are infinite.
    gaps = (means - observed.mean()).round(DECIMALS)
    below = np.clip((gaps < 0).mean() / 2 + (gaps <= 0).mean() / 2, 0.5 / len(means), 1 - 0.5 / len(means))
    bias = scipy.special.ndtri(below)
    # Acceleration: how fast the noise grows with the mean. For a mean it is a sixth of the skew.
    acceleration = (centred**3).sum() / (centred**2).sum() ** 1.5 / 6
    # Both move the two normal quantiles; back to shares, which are no longer symmetric.
    z = bias + scipy.special.ndtri(tails)
    return scipy.special.ndtr(bias + z / (1 - acceleration * z))


def as_matrix(table: Table) -> tuple[np.ndarray, pd.Index]:
    """The numbers (queries × systems) and the systems' names, after a look at each number.

    Raises ValueError for what `randomisation_tests` refuses, for systems that cannot be paired, and for a
    table on its side, whose columns are named query_id.
    """
    if isinstance(table, Mapping):
        _check_systems(table)
    frame = by_query(pd.DataFrame(table), "the table")
    if "query_id" in frame.columns.names and "query_id" not in frame.index.names:
        said = f"the table has a column for each query_id (e.g. {frame.columns[0]!r:.60})"
        raise ValueError(f"{said}; needed a row for each, and a column per system: give table.T")
    check_no_means(frame, "the table")
    if frame.empty:
        rows, columns = frame.shape
        raise ValueError(f"{rows} queries and {columns} systems; needed at least one of each")
    if not frame.index.is_unique:
        twice = frame.index[frame.index.duplicated()][0]
        raise ValueError(f"query {twice!r} stands twice; needed one row a query")
    for system, column in frame.items():
        if not is_numeric_dtype(column):  # such as texts, which would be read as numbers
            check_scores(column.items(), f"system {system!r}")
    values = frame.to_numpy(dtype=float)
    for row, column in np.argwhere(~np.isfinite(values)):
        check_scores(frame.iloc[[row], column].items(), f"system {frame.columns[column]!r}")
    for system, column in frame.items():
        check_no_mean_row(column, f"system {system!r}")
    return values, frame.columns


def by_query(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """The frame by its column `query_id`. Raises ValueError for ids in a column of another name."""
    if "query_id" in frame:
        return frame.set_index("query_id")
    numbered = frame.index.equals(pd.RangeIndex(len(frame)))
    for column in [one for one in frame if numbered and str(one).casefold() in ID_COLUMNS]:
        ids = frame[column]
        whole = is_integer_dtype(ids) and len(ids) > 2  # 0 and 1 are scores
        if ids.is_unique and (whole or not is_numeric_dtype(ids)):
            cure = f"call it query_id, .rename(columns={{{column!r}: 'query_id'}}), or make it the index"
            raise ValueError(f"{name} has a column {column!r} of ids, which is no column of scores; {cure}")
    return frame


def _check_systems(table: Mapping[str, Scores]) -> None:
    """Raises ValueError for means in place of queries, and for systems that are not paired in one way."""
    if hasattr(table, "per_query"):
        check_no_means(table, "the table")
    for name, scores in table.items():
        if isinstance(scores, Mapping):
            check_no_means(scores, f"system {name!r}")
    named, bare = ([name for name in table if has_ids(table[name]) is by_id] for by_id in (True, False))
    if named and bare:
        cure = "give all with ids, so that they can be paired"
        raise ValueError(f"system {named[0]!r} has query_ids and system {bare[0]!r} has none; {cure}")
    lengths = {name: len(table[name]) for name in bare if hasattr(table[name], "__len__")}
    if len(set(lengths.values())) > 1:
        given = ", ".join(f"{name!r} {n:,}" for name, n in list(lengths.items())[:3])
        raise ValueError(f"scores without query_ids: {given}; needed as many of each system")
