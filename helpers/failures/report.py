"""What a system missed, and which changes bring it back: more often than a useless document, or not."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan

import numpy as np
import pandas as pd
import scipy  # loads `scipy.stats` when it is first used: that takes a second

from helpers.base import check_k, check_type, counted, progress
from helpers.datasets import LabelledQuery
from helpers.evaluation import Evaluation, evaluate_retrieval, first_relevant_ranks
from helpers.failures.changes import usual_changes
from helpers.failures.misses import check_labelled, find_misses, relevant_of
from helpers.failures.rewordings import Rewordings, check_rewordings
from helpers.failures.system import Index, System
from helpers.failures.trials import (
    JOIN,
    NOTHING,
    OUTDATED,
    REWORDED,
    Trial,
    larger_k,
    new_words,
    other_systems,
    outdated_away,
    warn_if_nothing,
)
from helpers.records import Dataset, Run
from helpers.retrieval import check_texts

DEPTH = 1000
"""To this rank documents are looked for; what is deeper counts as not retrieved."""
ABSENT = "not in the corpus"
SUMMARY = ["tested", "back", "share", "control", "difference", "low", "high", "only", "lost"]


@dataclass(frozen=True, repr=False)
class FailureReport:
    """What a system missed on a dataset, and what became of it under each change; `analyze` makes one.

    Attributes
    ----------
    misses : pandas.DataFrame
        A row for each relevant document that is not among the first k: `query_id`, `kind`, `doc_id`, `grade`,
        `rank` (inf: not among the first 1,000), `neighbour` (the useless document ranked nearest to it, ""
        where there is none), `neighbour rank`, `quote also in` (an unjudged document above that has the
        quoted words, or ""), and `back by`: the changes after which it is back, joined by " + ", or
        "nothing", or "not in the corpus".
    after, control : pandas.DataFrame
        For each miss and each change (columns) its rank after it (inf: not retrieved, nan: not looked for);
        and whether its neighbour is within the limit after it, 1 or 0 (where the query is reworded, the share
        of ten draws of the neighbour's own words; nan: there is no neighbour).
    limits, lost : pandas.Series
        For each change the rank up to which a document counts as back, and how many relevant documents that
        had been found it loses (nan where the query is changed for one page at a time).
    first_ranks : pandas.Series
        query_id -> rank of its first relevant document, inf where none was retrieved; queries that have one.
    evaluation : Evaluation
        nDCG@10, MRR, and Recall, Hit and Judged at k, of the run.
    dataset, system, index, run, k, labels
        What was analysed; the run is over documents, equal scores by doc_id down.
    """

    dataset: Dataset
    system: System
    index: Index
    run: Run
    k: int
    labels: list[LabelledQuery] | None
    evaluation: Evaluation
    misses: pd.DataFrame
    after: pd.DataFrame
    control: pd.DataFrame
    limits: pd.Series
    lost: pd.Series
    first_ranks: pd.Series = field(repr=False)

    def __repr__(self) -> str:
        n_relevant = sum(len(relevant_of(grades)) for grades in self.dataset.qrels.values())
        absent = (self.misses["back by"] == ABSENT).sum()
        gone = f" ({absent} not in the corpus)" if absent else ""
        return (
            f"{self.system.name} on {self.dataset.name}: {len(self.misses)} of {n_relevant} relevant "
            f"documents are not within the first {self.k}{gone}; "
            f"{len(self.failed)} of {len(self.first_ranks)} queries found nothing"
        )

    @property
    def median_first_rank(self) -> float:
        """The median rank of the first relevant document, inf where none was found; nan without queries."""
        return float(self.first_ranks.median())

    @property
    def failed(self) -> list[str]:
        """The queries none of whose relevant documents is within the first k."""
        missed, qrels = self.misses["query_id"].value_counts(), self.dataset.qrels
        return [q for q in self.first_ranks.index if missed.get(q, 0) == len(relevant_of(qrels[q]))]

    @property
    def back(self) -> pd.DataFrame:
        """Whether each miss (rows) is back after each change (columns)."""
        return self.after.le(self.limits)

    def summary(self) -> pd.DataFrame:
        """For each change how many misses come back, and whether more than useless documents do.

        `tested` misses of which so many are `back`, a `share`; `control` is the share of their neighbours,
        useless documents of about the same rank, that the same change brings within the limits. `difference`
        is the one less the other over the misses that have a neighbour, with a 95 % interval from `low` to
        `high` that treats the misses of one query as dependent (`difference_interval`). A change whose
        interval includes 0 has not been shown to do more for missed documents than for any. `only` counts the
        misses that no other change brings back, `lost` relevant documents that had been found and no longer
        are. The last row counts what comes back after none.
        """
        back, control = self.back.astype(float).where(self.after.notna()), self.control
        alone = self.back.sum(axis=1) == 1
        # What comes back after none: of a share of draws, so many are within the limit by no draw.
        back[NOTHING] = (~self.back.any(axis=1)).where(self.after.notna().any(axis=1)).astype(float)
        no_control = (1 - control.fillna(0)).prod(axis=1).where(control.notna().any(axis=1))
        control = control.assign(**{NOTHING: no_control})
        rows = {}
        for name in back:
            differences = (back[name] - control[name]).dropna()
            interval = difference_interval(differences, self.misses["query_id"][differences.index])
            shares = back[name].mean(), control[name][differences.index].mean()
            only = nan if name == NOTHING else (alone & self.back[name]).sum()
            counts = back[name].count(), back[name].sum()
            rows[name] = (*counts, *shares, *interval, only, self.lost.get(name, nan))
        table = pd.DataFrame.from_dict(rows, orient="index", columns=SUMMARY)
        return table.astype({"tested": int, "back": int, "only": "Int64", "lost": "Int64"}).rename_axis(
            "change"
        )


def difference_interval(differences: pd.Series, clusters: pd.Series) -> tuple[float, float, float]:
    """The mean of some differences and its 95 % interval, where those of one cluster depend on each other.

    t over the clusters, with the sums of their residuals, as for a ratio of two totals. The ends are nan for
    fewer than two clusters, and where all clusters are alike: what never varied says nothing of how it may.
    Differences and clusters are paired by their index. Raises ValueError where it is not the same, for a
    difference that is no finite number, and for one without a cluster.

    Source: Cochran, Sampling Techniques, 3rd edition 1977, section 6.3.

    >>> clusters = pd.Series(["q1", "q1", "q2", "q3"])
    >>> [round(value, 2) for value in difference_interval(pd.Series([1.0, 1.0, 0.0, 0.0]), clusters)]
    [0.5, -1.11, 2.11]
    """
    if differences.empty:
        return nan, nan, nan
    clusters = _aligned(clusters, differences.index)
    _check_whole_rows(differences, clusters)
    mean = float(differences.mean())
    residuals = (differences - mean).groupby(clusters.to_numpy()).sum()
    n = len(residuals)
    if n < 2 or np.allclose(residuals, 0):
        return mean, nan, nan
    error = float(np.sqrt(n / (n - 1) * (residuals**2).sum())) / len(differences)
    half = float(scipy.stats.t.ppf(0.975, n - 1)) * error
    return mean, mean - half, mean + half


def _check_whole_rows(differences: pd.Series, clusters: pd.Series) -> None:
    """A missing difference would count in n and widen nothing; one without a cluster would drop out."""
    finite = np.isfinite(pd.to_numeric(differences, errors="coerce").to_numpy(dtype=float))
    _check_rows(differences, finite, "difference", "a finite number")
    _check_rows(clusters, clusters.notna().to_numpy(), "cluster", "a label")


def _check_rows(rows: pd.Series, right: np.ndarray, name: str, needed: str) -> None:
    if not right.all():
        wrong = int(np.argmin(right))
        given = f"row {rows.index[wrong]!r}: the {name} is {rows.tolist()[wrong]!r}"
        raise ValueError(f"{given}; needed {needed}, or leave the row out of differences and clusters")


def _aligned(clusters: pd.Series, index: pd.Index) -> pd.Series:
    """The clusters in the order of an index that holds the same rows."""
    if clusters.index.equals(index):
        return clusters
    if not (index.is_unique and clusters.index.is_unique and set(index) == set(clusters.index)):
        sizes = f"{counted(len(index), 'difference')} and {counted(len(clusters), 'cluster label')}"
        cure = "give clusters[differences.index]"
        if not set(index) <= set(clusters.index):
            cure = "where both are in one order give clusters.set_axis(differences.index)"
        raise ValueError(f"{sizes} with different indexes; {cure}")
    return clusters.reindex(index)


def analyze(
    dataset: Dataset,
    system: System,
    labels: list[LabelledQuery] | None = None,
    k: int = 10,
    changes: Mapping[str, System] | None = None,
    rewordings: Rewordings | None = None,
) -> FailureReport:
    """Finds what a system misses on a dataset, and which changes bring each missed document back.

    A miss is a relevant document that is not among the first k. Each is looked for again after one change at
    a time: half as many results more; each system of `changes` (`usual_changes` where none are given); the
    pages taken out that labels mark as out of date; the query in the page's words where `rewordings`
    (`load_rewordings`) has them. The same is done with the useless document ranked nearest to it. A document
    that comes back after a change shows what would have been enough, not what was to blame: several changes
    may be enough, and a useless one may come back as often.

    Warns of ids that search gave and that stand for no document, and where it found nothing for any query.
    Raises ValueError for a k that is no whole number from 1 up, labels of other queries, judged queries that
    have no text, a document that is not text, a change whose name is taken or has a " + " in it, and whatever
    the systems raise.

    >>> from helpers.retrieval import CsrBM25
    >>> corpus = {"d1": "Renewing keys", "d2": "renew, renew", "d3": "A cat"}
    >>> toy = Dataset("toy", "test", corpus, {"q1": "renew"}, {"q1": {"d1": 1}}, "written by hand")
    >>> plain_words = System("BM25", lambda corpus: CsrBM25(corpus, str.split))
    >>> analyze(toy, plain_words, k=2).misses[["doc_id", "rank", "back by"]].values.tolist()
    [['d1', inf, 'stems']]
    """
    check_type("dataset", dataset, Dataset, "load_beir and load_runbooks give one")
    check_type("system", system, System, "e.g. System('BM25', CsrBM25)")
    labels = None if labels is None else list(labels)
    _check(dataset, labels, k)
    check_texts(dataset.corpus)
    if rewordings is not None:
        check_rewordings(rewordings, dataset.queries)
    index = system.index(dataset.corpus)
    changes = usual_changes(system, index) if changes is None else dict(changes)
    depth = max(2 * k, min(DEPTH, len(dataset.corpus)))
    # Each search may be over soon, and all of them together not.
    with progress(total=2 + 2 * len(changes), desc=f"analyzing {system.name}", unit="step") as bar:
        run = index.search({query_id: dataset.queries[query_id] for query_id in dataset.qrels}, depth)
        warn_if_nothing(f"system {system.name!r}", run)
        bar.update()
        misses = find_misses(dataset, labels or [], run, k)
        bar.update()
        # The trials, in the order of the columns.
        trials = larger_k(misses, dataset, run, k)
        _check_names(changes, [*trials, OUTDATED, REWORDED])
        trials |= other_systems(misses, dataset, run, k, depth, changes, bar)
        trials |= outdated_away(misses, dataset, run, k, labels or [])
        if rewordings is not None:
            trials |= new_words(misses, dataset, index, k, depth, rewordings)
    tables = _tables(misses, trials, dataset)
    # And what the run is worth as it is.
    metrics = ["nDCG@10", "MRR", f"Recall@{k}", f"Hit@{k}", f"Judged@{k}"]
    evaluation = evaluate_retrieval(run, dataset.qrels, metrics=metrics)
    firsts = pd.Series(first_relevant_ranks(run, dataset.qrels), dtype=float, name="rank")
    firsts = firsts[[bool(relevant_of(dataset.qrels[query_id])) for query_id in firsts.index]]
    return FailureReport(dataset, system, index, run, k, labels, evaluation, *tables, firsts)


def _tables(
    misses: pd.DataFrame, trials: Mapping[str, Trial], dataset: Dataset
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.Series, pd.Series]:
    """The misses with what brings them back; ranks after, those of the neighbours, limits, losses."""
    absent = [not dataset.corpus.get(doc_id, "").strip() for doc_id in misses["doc_id"]]
    after = pd.DataFrame({name: trial.ranks for name, trial in trials.items()}, dtype=float)
    after[absent] = nan
    control = pd.DataFrame({name: trial.controls for name, trial in trials.items()}, dtype=float)
    limits = pd.Series({name: trial.limit for name, trial in trials.items()})
    lost = pd.Series({name: trial.lost for name, trial in trials.items()}, dtype=float)
    names = [JOIN.join(after.columns[row]) or NOTHING for row in after.le(limits).to_numpy()]
    back_by = [ABSENT if gone else name for gone, name in zip(absent, names, strict=True)]
    misses = misses.assign(**{"back by": pd.Series(back_by, index=misses.index, dtype=str)})
    return misses, after, control, limits, lost


def _check_names(changes: Mapping[str, System], taken: list[str]) -> None:
    for name in changes:
        if name in (*taken, NOTHING, ABSENT) or JOIN in name:
            raise ValueError(f"the name {name!r} of a change is taken, or holds {JOIN!r}; give it another")


def _check(dataset: Dataset, labels: list[LabelledQuery] | None, k: int) -> None:
    check_k(k)
    if not dataset.qrels:
        raise ValueError(f"{dataset.name} has no judged query; there is nothing that could be missed")
    if without := [query_id for query_id in dataset.qrels if query_id not in dataset.queries]:
        what = f"{counted(len(without), 'judged query')} without a text, e.g. {without[0]!r}"
        raise ValueError(f"{dataset.name}: {what}; give both of one split")
    if labels is None:
        return
    check_labelled(labels)
    if {label.query_id for label in labels} != dataset.queries.keys():
        cure = "load both from one file, or give labels=None"
        raise ValueError(f"the labels are not those of the queries of {dataset.name!r}; {cure}")
