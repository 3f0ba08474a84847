"""How good labels are: whose words the queries use, and how much hangs on single labels."""

from collections.abc import Mapping
from math import nan

import numpy as np
import pandas as pd

from helpers.datasets import LabelledQuery, quote_spans
from helpers.evaluation import ranking, read_once
from helpers.metrics import ndcg_at_k
from helpers.records import Corpus, Qrels, Run
from helpers.text import chunk_paragraphs, content_terms, word_overlap


def quote_paragraphs(label: LabelledQuery, corpus: Corpus) -> dict[str, str]:
    """`{doc_id: text}`: for each relevant document the paragraph, or paragraphs, that its quote is in."""
    paragraphs = {}
    for doc_id, (start, end) in quote_spans(label, corpus).items():
        pieces = chunk_paragraphs(corpus[doc_id])
        paragraphs[doc_id] = "".join(
            piece.text for piece in pieces if piece.start < end and start < piece.end
        )
    return paragraphs


def overlap_frame(corpus: Corpus, labels: list[LabelledQuery]) -> pd.DataFrame:
    """One row per query: `kind`, and how large a share of its content words texts hold.

    `paragraph` is the highest share in any paragraph that holds a quote; `relevant` and `judged 0` are the
    mean shares in the whole documents that are relevant and in those that are not; NaN where there is none.
    """
    rows = {}
    # Once for each document, whichever queries it is judged for.
    words = {doc_id: content_terms(text) for doc_id, text in corpus.items()}
    for label in labels:
        shares: dict[bool, list[float]] = {True: [], False: []}
        terms = content_terms(label.query)
        for judgment in label.judgments:
            if judgment.doc_id not in words:
                lacking = f"document {judgment.doc_id!r} is judged and not in the corpus"
                raise ValueError(f"query {label.query_id!r}: {lacking}; another corpus?")
            share = len(terms & words[judgment.doc_id]) / len(terms) if terms else 0.0
            shares[judgment.grade > 0].append(share)
        paragraphs = quote_paragraphs(label, corpus).values()
        rows[label.query_id] = {
            "kind": label.kind,
            "paragraph": max((word_overlap(label.query, text) for text in paragraphs), default=nan),
            "relevant": float(np.mean(shares[True])) if shares[True] else nan,
            "judged 0": float(np.mean(shares[False])) if shares[False] else nan,
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def relevant_documents(qrels: Qrels) -> set[str]:
    """The distinct documents that are relevant to at least one query.

    >>> relevant_documents({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}})
    {'d1'}
    """
    return {doc_id for grades in qrels.values() for doc_id, grade in grades.items() if grade > 0}


def flips_to_reverse(better: Run, worse: Run, qrels: Qrels, k: int = 10) -> list[tuple[str, str, int, int]]:
    """A small set of single labels that, judged the other way, would put `worse` ahead in mean nDCG@k.

    Each is `(query_id, doc_id, grade, grade it would need)`: a relevant document called 0, or a 0 called 1.
    The label that moves the difference most is flipped first, again and again, so the list is short but not
    proven the shortest. A flip that would leave a query without a relevant document is not made. Raises
    ValueError where `better` is not ahead to begin with, or no flip helps any more.
    """
    better, worse = read_once(better), read_once(worse)
    rankings = {q: (ranking(q, better.get(q, [])), ranking(q, worse.get(q, []))) for q in qrels}

    def lead(query_id: str, grades: Mapping[str, int]) -> float:
        one, other = (ndcg_at_k(retrieved, grades, k) for retrieved in rankings[query_id])
        return one - other

    def best_flip(query_id: str) -> tuple[float, str, str, int]:
        """The label of a query whose flip changes its lead most, the change first."""
        grades = current[query_id]
        flips = [
            (lead(query_id, {**grades, doc_id: other}) - leads[query_id], query_id, doc_id, other)
            for doc_id, other in _other_grades(grades, qrels[query_id])
        ]
        return min(flips, default=(0.0, query_id, "", 0))

    # The lead in the mean is the sum of the queries' leads, so each query can be looked at by itself.
    current = {query_id: dict(grades) for query_id, grades in qrels.items()}
    leads = {query_id: lead(query_id, grades) for query_id, grades in current.items()}
    if sum(leads.values()) <= 0:
        cure = "swap them" if sum(leads.values()) else "both have the same mean, so no lead can be reversed"
        raise ValueError(f"the first run is not ahead of the second; {cure}")
    flips: list[tuple[str, str, int, int]] = []
    best = {query_id: best_flip(query_id) for query_id in current}
    while sum(leads.values()) > 0:
        # Of all queries' best flips the one that takes most of the lead away.
        change, query_id, doc_id, other = min(best.values())
        if change >= 0:
            raise ValueError(f"no further label would bring the runs closer (after {len(flips)} flips)")
        flips.append((query_id, doc_id, qrels[query_id][doc_id], other))
        # Only this query has to be looked at again; the others are as they were.
        current[query_id][doc_id] = other
        leads[query_id] = lead(query_id, current[query_id])
        best[query_id] = best_flip(query_id)
    return flips


def _other_grades(grades: Mapping[str, int], original: Mapping[str, int]) -> list[tuple[str, int]]:
    """Each label that is still as it was, with its opposite; the last relevant document stays relevant."""
    n_relevant = sum(grade > 0 for grade in grades.values())
    return [
        (doc_id, 0 if grade > 0 else 1)
        for doc_id, grade in grades.items()
        if grade == original[doc_id] and not (grade > 0 and n_relevant == 1)
    ]
