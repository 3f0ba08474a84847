"""Every relevant document that a system missed, its cause, and whether the test of it brought it back."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf

import pandas as pd
from tiktoken import Encoding

from helpers.base import check_k, check_whole, counted
from helpers.datasets import QUERY_KINDS, LabelledQuery
from helpers.evaluation import Evaluation, evaluate_retrieval, ranking
from helpers.failures.causes import CAUSES, Case, cause_of
from helpers.failures.counterfactuals import try_out
from helpers.failures.misses import ANY_KIND, find_misses, relevant_of
from helpers.failures.search_setup import SearchSetup
from helpers.failures.system import Index, System
from helpers.records import Corpus, Dataset, Run
from helpers.retrieval import check_texts
from helpers.text import tokens

OF_CASE = ["query_id", "kind", "doc_id", "grade", "rank"]
MISSES = [*OF_CASE, "cause", "evidence", "by", "counterfactual", "rank after", "back"]
FALSE_POSITIVES = ["query_id", "doc_id", "rank", "judged"]


@dataclass(frozen=True, repr=False)
class FailureReport:
    """What a system missed on a dataset and why; `analyze` makes one.

    Attributes
    ----------
    misses : pandas.DataFrame
        One row for each relevant document that is not among the first k (or, with a token budget, not in the
        context): `query_id`, `kind`, `doc_id`, `grade`, `rank` (inf: not retrieved), `cause` (one of
        `CAUSES`), `evidence` (a sentence), `by` (the document to blame, or ""), `counterfactual` (what was
        changed), `rank after` and `back` (within the limits again).
    false_positives : pandas.DataFrame
        Documents among the first k that are not relevant: `query_id`, `doc_id`, `rank`, `judged` (False:
        unread).
    first_ranks : pandas.Series
        query_id -> rank of its first relevant document, however deep, inf where none was retrieved; queries
        that have one only.
    evaluation : Evaluation
        nDCG@10, MRR, and Recall, Hit and Judged at k, of the run.
    dataset, system, index, run, k, budget, labels
        What was analysed: the run is over documents, 1,000 a query at most (or as given), equal scores by
        doc_id down.
    """

    dataset: Dataset
    system: System
    index: Index
    run: Run
    k: int
    budget: int | None
    labels: list[LabelledQuery] | None
    evaluation: Evaluation
    misses: pd.DataFrame
    false_positives: pd.DataFrame
    first_ranks: pd.Series = field(repr=False)

    def __repr__(self) -> str:
        within = f"the first {self.k}" + ("" if self.budget is None else f" and {self.budget:,} tokens")
        n_relevant = sum(len(relevant_of(grades)) for grades in self.dataset.qrels.values())
        return (
            f"{self.system.name} on {self.dataset.name}: "
            f"{len(self.misses)} of {n_relevant} relevant documents are not within {within}; "
            f"{len(self.failed)} of {len(self.first_ranks)} queries found nothing"
        )

    @property
    def median_first_rank(self) -> float:
        """The median rank of the first relevant document, inf where none was found; nan without queries."""
        return float(self.first_ranks.median())

    @property
    def failed(self) -> list[str]:
        """The queries none of whose relevant documents was found within the limits."""
        missed, qrels = self.misses["query_id"].value_counts(), self.dataset.qrels
        return [q for q in self.first_ranks.index if missed.get(q, 0) == len(relevant_of(qrels[q]))]

    def summary(self) -> pd.DataFrame:
        """For each cause: count, share of all misses (0 where nothing was missed), and how many came back."""
        back = (
            self.misses.groupby("cause")["back"]
            .agg(["size", "sum"])
            .reindex(CAUSES, fill_value=0)
            .astype(int)
        )
        share = back["size"] / max(len(self.misses), 1)
        return pd.DataFrame({"count": back["size"], "share": share, "came back": back["sum"]}).rename_axis(
            "cause"
        )

    def by_kind(self) -> pd.DataFrame:
        """How many misses of each cause (rows, all of `CAUSES`) the queries of each kind (columns) have."""
        kinds = {label.kind for label in self.labels} if self.labels else {ANY_KIND}
        columns = [kind for kind in (*QUERY_KINDS, ANY_KIND) if kind in kinds]
        table = pd.crosstab(self.misses["cause"], self.misses["kind"]).reindex(
            CAUSES, columns=columns, fill_value=0
        )
        return table.rename_axis(index="cause", columns="kind").astype(int)


def analyze(
    dataset: Dataset,
    system: System,
    labels: list[LabelledQuery] | None = None,
    k: int = 10,
    budget: int | None = None,
    encoding: Encoding | None = None,
    run: Run | None = None,
    rewordings: Mapping[tuple[str, str], Mapping[str, str]] | None = None,
) -> FailureReport:
    """Finds the cause of every miss of a system on a dataset, tests each cause, and reports both.

    A miss is a relevant document that is not among the first k; with a `budget`, also one whose quote
    (without quotes: its best piece) is not in a context of so many tokens, filled with what was retrieved,
    best first. With `labels` the quotes say what must be found; without them the document does. `encoding`
    counts the tokens (`encoding_or_stand_in`). `run` is the system's own run over documents, to save the deep
    search: the first k documents are searched for all the same, to see that it is, and what it is too short
    for is searched again. `rewordings` (`load_rewordings`) are what pages say for words of the query: where
    there are any they are exchanged in the test of a vocabulary gap, else the page's telling words are added.

    Raises ValueError for a k or budget that is no whole number from 1 up, labels of other queries, judged
    queries that have no text, a document that is not text, a run that is not this system's, and whatever the
    system raises.

    >>> from helpers.retrieval import CsrBM25
    >>> corpus = {"d1": "Downtime of May", "d2": "Outage insurance"}
    >>> toy = Dataset("toy", "test", corpus, {"q1": "outage"}, {"q1": {"d1": 1}}, "written by hand")
    >>> misses = analyze(toy, System("BM25", CsrBM25)).misses
    >>> misses[["doc_id", "cause", "counterfactual", "back"]].values.tolist()
    [['d1', 'vocabulary gap', "'downtime' put into the query", True]]
    """
    _check(dataset, labels, k, budget)
    check_texts(dataset.corpus)
    index = system.index(dataset.corpus)
    queries = {query_id: dataset.queries[query_id] for query_id in dataset.qrels}
    if run is not None:
        _check_run(run, dataset)
    setup = SearchSetup(system, index, k, budget, encoding or (budget and tokens.encoding_or_stand_in()))
    run = setup.run(queries, dataset.qrels, given=run)
    rankings = setup.rankings(run, queries, dataset.qrels)
    cases = find_misses(dataset, labels or [], setup, rankings)
    cases = [replace(case, swaps=(rewordings or {}).get((case.query_id, case.doc_id), {})) for case in cases]
    metrics = ["nDCG@10", "MRR", f"Recall@{k}", f"Hit@{k}", f"Judged@{k}"]
    evaluation = evaluate_retrieval(run, dataset.qrels, metrics=metrics)
    tables = _misses(cases, dataset.corpus, setup), _false_positives(dataset, run, k)
    first_ranks = _first_ranks(dataset, rankings)
    return FailureReport(dataset, system, index, run, k, budget, labels, evaluation, *tables, first_ranks)


def _first_ranks(dataset: Dataset, rankings: Mapping[str, list[str]]) -> pd.Series:
    """From the rankings that the misses are counted in, so that both agree beyond the end of the run too."""
    ranks = {}
    for query_id, grades in dataset.qrels.items():
        if relevant := set(relevant_of(grades)):
            found = (rank for rank, doc_id in enumerate(rankings[query_id], start=1) if doc_id in relevant)
            ranks[query_id] = next(found, inf)
    return pd.Series(ranks, dtype=float, name="rank")


def _misses(cases: list[Case], corpus: Corpus, setup: SearchSetup) -> pd.DataFrame:
    """Each case with its cause and what came of the test."""
    analyzer = getattr(setup.index.retriever, "analyzer", None)
    causes = [cause_of(case, corpus, setup.index.why_above, analyzer) for case in cases]
    rows = []
    for case, cause, trial in zip(cases, causes, try_out(cases, causes, setup), strict=True):
        known = [getattr(case, name) for name in OF_CASE]
        rows.append([*known, cause.name, cause.evidence, cause.by, trial.change, trial.rank, trial.back])
    types = {"grade": int, "rank": float, "rank after": float, "back": bool}
    return pd.DataFrame(rows, columns=MISSES).astype(types)


def _false_positives(dataset: Dataset, run: Run, k: int) -> pd.DataFrame:
    rows = [
        (query_id, doc_id, rank, doc_id in grades)
        for query_id, grades in dataset.qrels.items()
        for rank, doc_id in enumerate(ranking(query_id, run.get(query_id, []))[:k], start=1)
        if grades.get(doc_id, 0) < 1
    ]
    return pd.DataFrame(rows, columns=FALSE_POSITIVES).astype({"rank": int, "judged": bool})


def _check(dataset: Dataset, labels: list[LabelledQuery] | None, k: int, budget: int | None) -> None:
    check_k(k)
    if budget is not None:
        check_whole("budget", budget, of="tokens")
    if not dataset.qrels:
        raise ValueError(f"{dataset.name} has no judged query; there is nothing that could be missed")
    if without := [query_id for query_id in dataset.qrels if query_id not in dataset.queries]:
        what = f"{counted(len(without), 'judged query')} without a text, e.g. {without[0]!r}"
        raise ValueError(f"{dataset.name}: {what}; give both of one split")
    if labels is not None and {label.query_id for label in labels} != dataset.queries.keys():
        cure = "load both from one file, or give labels=None"
        raise ValueError(f"the labels are not those of the queries of {dataset.name!r}; {cure}")


def _check_run(run: Run, dataset: Dataset) -> None:
    for query_id, results in run.items():
        strange = next((doc_id for doc_id, _ in results if doc_id not in dataset.corpus), None)
        if strange is not None:
            what = f"run, query {query_id!r}: {strange!r} is not a document of {dataset.name!r}"
            raise ValueError(f"{what}; if these are chunk ids, fold them first with to_documents(run)")
