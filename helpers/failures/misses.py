"""Which relevant documents a system missed, and beside each a useless one that is ranked about as low."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from math import inf

import pandas as pd

from helpers.base import check_type
from helpers.datasets import LabelledQuery
from helpers.records import Corpus, Dataset, Run
from helpers.text import plain

ANY_KIND = "all"
"""The kind of every query of a collection without labels."""
MISSES = {"query_id": str, "kind": str, "doc_id": str, "grade": int, "rank": float}
MISSES |= {"neighbour": str, "neighbour rank": float, "quote also in": str}


def find_misses(dataset: Dataset, labels: Sequence[LabelledQuery], run: Run, k: int) -> pd.DataFrame:
    """A row for each relevant document that is not among the first k of a run, in the order of the qrels.

    `rank` is inf for what the run lacks. `neighbour` is a useless document, of grade 0 or not judged: the one
    ranked nearest to the miss and beyond k too, for each miss of a query another ("" where none is left, and
    for a document without text). `quote also in` names an unjudged document above that holds the words which
    the labels quote from the missed one: perhaps a label is missing.

    Raises ValueError for what are no labels.
    """
    labels = list(labels)
    check_labelled(labels)
    of_query, rows = {label.query_id: label for label in labels}, []
    for query_id, grades in dataset.qrels.items():
        ranks = ranks_of(run.get(query_id, []))
        missed = [doc_id for doc_id in relevant_of(grades) if ranks.get(doc_id, inf) > k]
        with_text = [doc_id for doc_id in missed if dataset.corpus.get(doc_id, "").strip()]
        label = of_query.get(query_id)
        outdated = superseded(label)
        useless = _useless(ranks, dataset.corpus, grades, outdated, k, len(missed))
        neighbours = dict(
            zip(with_text, nearest([ranks.get(d, inf) for d in with_text], useless), strict=True)
        )
        for doc_id in missed:
            neighbour = neighbours.get(doc_id, "")
            of_neighbour = ranks.get(neighbour, inf if neighbour else float("nan"))
            copy = unjudged_with_quote(quote_of(label, doc_id), list(ranks)[:k], grades, dataset.corpus)
            kind = label.kind if label else ANY_KIND
            row = query_id, kind, doc_id, grades[doc_id], ranks.get(doc_id, inf), neighbour, of_neighbour
            rows.append((*row, copy or ""))
    return pd.DataFrame(rows, columns=list(MISSES)).astype(MISSES)


def check_labelled(labels: Iterable[LabelledQuery]) -> None:
    """Raises ValueError for what is no list of labelled queries, as qrels.

    >>> check_labelled({"q1": {"d1": 1}})
    Traceback (most recent call last):
    ValueError: labels[0] is a str; needed a LabelledQuery; qrels have grades alone, load_labels reads labels
    """
    for place, label in enumerate(labels):
        cure = "qrels have grades alone, load_labels reads labels"
        check_type(f"labels[{place}]", label, LabelledQuery, cure)


def ranks_of(results: Iterable[tuple[str, float]]) -> dict[str, int]:
    """`{doc_id: rank}` of one query's results.

    >>> ranks_of([("d2", 3.0), ("d1", 1.5)])
    {'d2': 1, 'd1': 2}
    """
    return {doc_id: rank for rank, (doc_id, _) in enumerate(results, start=1)}


def relevant_of(grades: Mapping[str, int]) -> list[str]:
    """The doc_ids of the relevant documents, grade 1 or more, in the order of the judgments.

    >>> relevant_of({"d1": 2, "d2": 0, "d3": 1})
    ['d1', 'd3']
    """
    return [doc_id for doc_id, grade in grades.items() if grade > 0]


def superseded(label: LabelledQuery | None) -> set[str]:
    """The documents that answer with what is out of date; none where nobody has marked any."""
    return {judgment.doc_id for judgment in label.judgments if judgment.superseded} if label else set()


def quote_of(label: LabelledQuery | None, doc_id: str) -> str:
    """The words that make a document relevant, "" where the labels quote none."""
    quotes = (judgment.quote for judgment in label.judgments if judgment.doc_id == doc_id) if label else ()
    return next(iter(quotes), "") or ""


def nearest(ranks: Sequence[float], candidates: Sequence[tuple[float, str]]) -> list[str]:
    """For each rank, the best first, the candidate (rank, doc_id) nearest to it that is not taken yet, or "".

    What was not retrieved is taken to stand behind all that was.

    >>> nearest([12, inf, 13], [(11, "d1"), (14, "d2"), (90, "d3"), (inf, "d4")])
    ['d1', 'd4', 'd2']
    """
    last = 1 + max((rank for rank in [*ranks, *(r for r, _ in candidates)] if rank < inf), default=0)
    left, chosen = list(candidates), {}
    for number in sorted(range(len(ranks)), key=lambda number: ranks[number]):
        if left:
            best = min(left, key=lambda one: abs(min(one[0], last) - min(ranks[number], last)))
            left.remove(best)
            chosen[number] = best[1]
    return [chosen.get(number, "") for number in range(len(ranks))]


def _useless(
    ranks: Mapping[str, int], corpus: Corpus, grades: Mapping[str, int], outdated: set[str], k: int, n: int
) -> list[tuple[float, str]]:
    """The documents beyond k that are of no use, with their ranks; of those not retrieved, n."""

    def of_no_use(doc_id: str) -> bool:
        return grades.get(doc_id, 0) < 1 and doc_id not in outdated and bool(corpus.get(doc_id, "").strip())

    ranked = [(rank, doc_id) for doc_id, rank in ranks.items() if rank > k and of_no_use(doc_id)]
    others = (doc_id for doc_id in corpus if doc_id not in ranks and of_no_use(doc_id))
    return ranked + [(inf, doc_id) for doc_id in islice(others, n)]


def unjudged_with_quote(
    quote: str, above: Sequence[str], grades: Mapping[str, int], corpus: Corpus
) -> str | None:
    """The first document above that nobody judged and that holds the quoted words, whatever the punctuation.

    >>> corpus = {"d1": "", "d2": "To undo, run slip rollback!"}
    >>> unjudged_with_quote("Run `slip rollback`.", ["d1", "d2"], {"d1": 0}, corpus)
    'd2'
    """
    # Whole words: "roll" is not held by "slip rollback".
    words = f" {' '.join(plain(quote))} "
    holding = (d for d in above if d not in grades and words in f" {' '.join(plain(corpus.get(d, '')))} ")
    return next(holding, None) if words.strip() else None
