"""Every miss, and the useless page beside it, looked for again after one change at a time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf, nan

import numpy as np
import pandas as pd

from helpers.base import Bar, warn
from helpers.datasets import LabelledQuery
from helpers.failures.misses import ranks_of, superseded
from helpers.failures.rewordings import Rewordings, reword, words_by_lot
from helpers.failures.system import Index, System
from helpers.records import Dataset, Run

OUTDATED, REWORDED, NOTHING = "without outdated pages", "reworded", "nothing"
JOIN = " + "
"""Between the names of several changes."""
DRAWS = 10
"""So many times words of a useless page are drawn, in place of those that somebody would have written."""


@dataclass(frozen=True)
class Trial:
    """What became of the misses and of their neighbours after one change, in the order of the misses.

    `ranks` are those of the misses: inf is a document that was not retrieved, nan one that was not looked
    for, since nobody has reworded the query for it. A rank up to `limit` counts as back. `controls` say
    whether the neighbour is within the limit: 1 or 0, a share where several queries were drawn for it, nan
    where there is none. `lost` is how many relevant documents had been found and are not any more; nan where
    each page has a query of its own.
    """

    ranks: list[float]
    controls: list[float]
    limit: int
    lost: float


def larger_k(misses: pd.DataFrame, dataset: Dataset, run: Run, k: int) -> dict[str, Trial]:
    """Half as many results more: a near miss is one that this brings back."""
    larger = k + max(1, k // 2)
    return {f"k = {larger}": _of_run(run, misses, dataset, run, larger, k)}


def other_systems(
    misses: pd.DataFrame,
    dataset: Dataset,
    run: Run,
    k: int,
    depth: int,
    changes: Mapping[str, System],
    bar: Bar,
) -> dict[str, Trial]:
    """Each changed system asked all the queries, to the same depth; two steps of the bar for each."""
    queries = {query_id: dataset.queries[query_id] for query_id in dataset.qrels}
    trials = {}
    for name, system in changes.items():
        index = system.index(dataset.corpus)
        bar.update()
        changed = index.search(queries, depth)
        bar.update()
        if any(run.values()):
            warn_if_nothing(f"change {name!r}", changed)
        trials[name] = _of_run(changed, misses, dataset, run, k, k)
    return trials


def warn_if_nothing(what: str, run: Run) -> None:
    """Warns where a search found no document for any query: an empty index looks like a search that misses
    all."""
    if not any(run.values()):
        found = f"found nothing for {'the query' if len(run) == 1 else f'any of the {len(run):,} queries'}"
        warn(f"{what}: search {found}, so all counts as missed; is its index empty, or of another corpus?")


def outdated_away(
    misses: pd.DataFrame, dataset: Dataset, run: Run, k: int, labels: Iterable[LabelledQuery]
) -> dict[str, Trial]:
    """The pages taken out that answer a query with what is out of date; nothing where none is marked."""
    outdated = {label.query_id: superseded(label) for label in labels}
    if not any(outdated.values()):
        return {}
    changed = {q: [pair for pair in found if pair[0] not in outdated.get(q, ())] for q, found in run.items()}
    return {OUTDATED: _of_run(changed, misses, dataset, run, k, k)}


def new_words(
    misses: pd.DataFrame, dataset: Dataset, index: Index, k: int, depth: int, rewordings: Rewordings
) -> dict[str, Trial]:
    """The query reworded for one page at a time, where somebody has written down how.

    Its neighbour gets queries of its own too: as many of the *neighbour's* words in the same places, drawn by
    lot ten times (seed 0).
    """
    rng, texts = np.random.default_rng(0), dataset.corpus
    queries: dict[tuple[int, int], str] = {}
    for row in misses.itertuples():
        swaps = rewordings.get((row.query_id, row.doc_id))
        if swaps and texts.get(row.doc_id, "").strip():
            asked = dataset.queries[row.query_id]
            queries[row.Index, 0] = reword(asked, swaps)
            for draw in range(1, DRAWS + 1 if row.neighbour else 1):
                queries[row.Index, draw] = reword(asked, words_by_lot(texts[row.neighbour], swaps, rng))
    found = index.search({f"{number} {draw}": text for (number, draw), text in queries.items()}, depth)
    ranks, controls = [], []
    for number, doc_id, neighbour in misses[["doc_id", "neighbour"]].itertuples():
        of_draws = [ranks_of(found.get(f"{number} {draw}", [])) for draw in range(DRAWS + 1)]
        ranks.append(of_draws[0].get(doc_id, inf) if (number, 0) in queries else nan)
        within = [of_draw.get(neighbour, inf) <= k for of_draw in of_draws[1:]]
        controls.append(float(np.mean(within)) if (number, 1) in queries else nan)
    return {REWORDED: Trial(ranks, controls, k, nan)}


def _of_run(changed: Run, misses: pd.DataFrame, dataset: Dataset, run: Run, limit: int, k: int) -> Trial:
    """Where a changed run has the misses and their neighbours, and what it lost of the first k of the run."""
    of_query = {query_id: ranks_of(results) for query_id, results in changed.items()}

    def rank(query_id: str, doc_id: str) -> float:
        return of_query.get(query_id, {}).get(doc_id, inf)

    pairs = misses[["query_id", "doc_id", "neighbour"]].itertuples(index=False)
    both = [(rank(q, d), float(rank(q, other) <= limit) if other else nan) for q, d, other in pairs]
    found = [(q, d) for q, results in run.items() for d, _ in results[:k] if dataset.qrels[q].get(d, 0) > 0]
    lost = sum(rank(*pair) > limit for pair in found)
    return Trial([of_miss for of_miss, _ in both], [of_other for _, of_other in both], limit, lost)
