"""How much of each system: the weight of a fusion chosen on some queries, and what choosing on few costs.

`alpha` is the share of the second run; the first has 1 − alpha. It is tuned on queries of their own, then
confirmed once on others: the best alpha of the queries that it is measured on is no result.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from helpers.base import check_ids, check_rng, check_whole, counted, warn
from helpers.encoders import as_numbers
from helpers.evaluation import evaluate_retrieval, find_metric
from helpers.records import Qrels, Run
from helpers.retrieval.fusion import UNSEEN, check_numbers, check_runs, check_share, normalise, warn_of_parts

GRID = tuple(round(step / 20, 2) for step in range(21))
"""From 0, the first run alone, to 1, the second alone."""


def tune_alpha(
    runs: Sequence[Run],
    qrels: Qrels,
    method: str = "z",
    grid: Iterable[float] = GRID,
    query_ids: Iterable[str] | None = None,
    metric: str = "nDCG@10",
    k: float = 60,
    lowest: Sequence[float] | None = None,
) -> pd.DataFrame:
    """The metric of every query (rows) at every alpha (columns) of two runs; `best_alpha` chooses among them.

    `query_ids` are those to tune on, by default all that are judged; `method`, `k` and `lowest` are as in
    `fuse`. `.mean()` is the curve over alpha. Raises ValueError for another number of runs than two, an alpha
    outside 0 to 1, a query without judgments, and what `fuse` refuses.

    >>> bm25, dense = {"q1": [("d1", 17.0), ("d2", 3.0)]}, {"q1": [("d2", 0.8), ("d3", 0.7)]}
    >>> table = tune_alpha([bm25, dense], {"q1": {"d2": 1}}, "min-max", grid=[0, 0.5, 1], metric="MRR")
    >>> table.mean().to_dict()
    {0.0: 0.5, 0.5: 1.0, 1.0: 1.0}
    """
    needed = "a list of shares of the second run, from 0 to 1"
    grid = check_numbers("grid", grid, needed)
    if not grid or not all(0 <= alpha <= 1 for alpha in grid):
        raise ValueError(f"grid is {grid}; needed {needed}")
    if check_runs(runs) != 2:
        raise ValueError(f"{counted(len(runs), 'run')} given; alpha is the share of the second of two")
    if not isinstance(qrels, Mapping):
        raise ValueError(f"qrels is a {type(qrels).__name__}; needed {{query_id: {{doc_id: grade}}}}")
    if isinstance(query_ids, str) or not isinstance(query_ids, Iterable | None):
        raise ValueError(f"query_ids is {query_ids!r:.50}; needed a list of the ids to tune on")
    query_ids = list(qrels if query_ids is None else query_ids)
    check_ids(query_ids, "query_ids: query_id")
    if strange := [query_id for query_id in query_ids if query_id not in qrels]:
        raise ValueError(f"query {strange[0]!r} has no judgments; tune on judged queries")
    chosen = {query_id: qrels[query_id] for query_id in query_ids}
    # Normalised and aligned once: what alpha changes is only the sum, and the metric sees only its first k.
    runs = [{query_id: run[query_id] for query_id in query_ids if query_id in run} for run in runs]
    if not runs[0]:
        raise ValueError("none of the queries to tune on is in the runs; do they belong to another split?")
    normalised = normalise(runs, method, k, lowest)
    warn_of_parts({f"run {number}": run for number, run in enumerate(runs, start=1)}, method)
    aligned = {q: _side_by_side([dict(run[q]) for run in normalised], method) for q in runs[0]}
    cut, columns = find_metric(metric)[1], {}
    for alpha in grid:
        fused = {query_id: _summed(*lists, alpha, cut) for query_id, lists in aligned.items()}
        columns[alpha] = evaluate_retrieval(fused, chosen, metrics=[metric]).per_query[metric]
    return pd.DataFrame(columns).rename_axis(columns="alpha")


def best_alpha(table: pd.DataFrame, prefer: float = 0.5) -> float:
    """The alpha of the highest mean; of equally good ones the nearest to `prefer`, of two such the lower.

    On ten queries many alphas are equally good, so that `prefer` decides more than the queries do: it is
    what was believed before. Raises ValueError for a table without a query or an alpha, and for a cell that
    is no finite number.

    >>> table = pd.DataFrame({0.0: [0.2, 0.4], 0.4: [0.5, 0.5], 1.0: [0.5, 0.5]})
    >>> best_alpha(table), best_alpha(table, prefer=1)
    (0.4, 1.0)
    """
    alphas, cells = _checked_table("table", table)
    check_share("prefer", prefer, "the alpha that was believed before")
    return float(alphas[_best(cells.mean(axis=0)[None], alphas, prefer)[0]])


def tuning_curve(
    dev: pd.DataFrame,
    test: pd.DataFrame,
    sizes: Iterable[int] = (10, 30, 100, 300),
    n_draws: int = 500,
    rng: np.random.Generator | int = 0,
    prefer: float = 0.5,
) -> pd.DataFrame:
    """What tuning on so many queries gives on test: alpha is chosen on each of `n_draws` random samples.

    `dev` and `test` are tables of `tune_alpha` with the same alphas. A row for each size (index: `queries`):
    `mean` of the test means that the chosen alphas reach, `low` and `high` (the 5th and the 95th of a
    hundred), and `lowest alpha` and `highest alpha`, between which 90 of a hundred lie. Samples are without
    repeats; `prefer` is as in `best_alpha`. Warns of queries that are in both tables.

    Raises ValueError for tables of other alphas, and a size above the number of dev queries.

    >>> dev = pd.DataFrame({0.0: [0.1, 0.9, 0.1], 1.0: [0.6, 0.2, 0.6]})
    >>> test = pd.DataFrame({0.0: [0.3], 1.0: [0.5]})
    >>> tuning_curve(dev, test, sizes=[1, 3], n_draws=200)["mean"].round(1).to_dict()
    {1: 0.4, 3: 0.5}
    """
    (alphas, scores), (others, held) = _checked_table("dev", dev), _checked_table("test", test)
    if alphas.tolist() != others.tolist():
        raise ValueError("dev and test have different alphas; make both tables with one grid")
    _warn_of_shared(dev, test)
    check_whole("n_draws", n_draws, of="draws")
    check_share("prefer", prefer, "the alpha that was believed before")
    rng, reached, rows = check_rng(rng), held.mean(axis=0), {}
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        raise ValueError(f"sizes is {sizes!r:.50}; needed a list of numbers of queries")
    for size in sizes:
        check_whole("size", size, of="queries")
        if size > len(dev):
            raise ValueError(f"a sample of {size} queries was asked for; dev has {len(dev)}")
        means = np.array(
            [scores[rng.choice(len(dev), size, replace=False)].mean(axis=0) for _ in range(n_draws)]
        )
        chosen = _best(means, alphas, prefer)
        low, high = np.quantile(reached[chosen], [0.05, 0.95])
        lowest, highest = np.quantile(alphas[chosen], [0.05, 0.95], method="nearest")
        rows[size] = (reached[chosen].mean(), low, high, lowest, highest)
    columns = ["mean", "low", "high", "lowest alpha", "highest alpha"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("queries")


def _warn_of_shared(dev: pd.DataFrame, test: pd.DataFrame) -> None:
    """Warns of queries in both tables: by their ids, where all that share one have the same figures, some of
    which hang on alpha (ids of two collections may be the same numbers)."""
    shared = dev.index.intersection(test.index)
    if not len(shared) or dev.index.has_duplicates or test.index.has_duplicates:
        return
    ours, others = (table.loc[shared].to_numpy(dtype=float) for table in (dev, test))
    if np.array_equal(ours, others) and (ours != ours[:, :1]).any():
        queries = counted(len(shared), "query is", "queries are")
        said = f"{queries} in dev and in test, e.g. {shared[0]!r}: alpha is tuned on what it is measured on"
        warn(f"{said}; give tables of different queries: query_ids= of tune_alpha")


def _checked_table(name: str, table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """The alphas and the cells of a table of `tune_alpha`. Raises ValueError for what is none."""
    if not isinstance(table, pd.DataFrame) or not table.size:
        found = f"a {type(table).__name__}" + (" without cells" if isinstance(table, pd.DataFrame) else "")
        raise ValueError(f"{name} is {found}; needed the table of tune_alpha, queries by alphas")
    alphas = check_numbers(f"the columns of {name}", table.columns, "alphas from 0 to 1")
    for alpha in alphas:
        check_share(f"a column of {name}", alpha, "an alpha")
    cells = as_numbers(table)
    if cells is None or not np.isfinite(cells).all():
        raise ValueError(f"{name} has a cell that is no finite number; needed the metric of every query")
    return np.array(alphas), cells


def _side_by_side(
    lists: list[dict[str, float]], method: str
) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """All documents of two lists in the order of their ids; by list its scores, and which documents it has.

    What a list lacks has the score that `fuse` gives it.
    """
    doc_ids = sorted(lists[0].keys() | lists[1].keys())
    scores, held = [], []
    for one in lists:
        floor = min(one.values(), default=0.0) if UNSEEN[method] == "lowest" else 0.0
        scores.append(np.array([one.get(doc_id, floor) for doc_id in doc_ids], dtype=np.float64))
        held.append(np.array([doc_id in one for doc_id in doc_ids], dtype=bool))
    return np.array(doc_ids, dtype=object), scores, held


def _summed(
    doc_ids: np.ndarray, scores: list[np.ndarray], held: list[np.ndarray], alpha: float, cut: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """`weighted_sum` for one query, its first `cut` documents and their scores (all for None)."""
    if alpha in (0, 1):  # a run of weight 0 is left out
        doc_ids, scores = doc_ids[held[int(alpha)]], [one[held[int(alpha)]] for one in scores]
    sums = ((1 - alpha) * scores[0] + alpha * scores[1]).astype(np.float32)
    best = np.lexsort((np.arange(len(sums)), sums))[::-1][:cut]
    return doc_ids[best], sums[best]


def _best(means: np.ndarray, alphas: np.ndarray, prefer: float) -> np.ndarray:
    """For each row of means the column of the highest (what differs by rounding only is equal)."""
    preferred = np.lexsort((alphas, np.abs(alphas - prefer)))
    return preferred[np.argmax(means.round(9)[:, preferred], axis=1)]
