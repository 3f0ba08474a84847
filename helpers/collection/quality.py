"""How good a labelled collection is: pooling, word overlap, and how much hangs on single labels.

`coverage` writes the measurements down. What a label file may hold is in `labels`, how far two assessors agree in
`agreement`.
"""

from collections.abc import Iterable, Mapping

from helpers.checks import check_k
from helpers.chunking import chunk_paragraphs
from helpers.collection.labels import LabelledQuery, quote_spans
from helpers.metrics import ndcg_at_k
from helpers.rankings import ranking
from helpers.records import Corpus, Qrels, Run
from helpers.text import STOPWORDS, plain, stem

FUNCTION_WORDS = STOPWORDS | frozenset(
    "about after again ago all also am any anyone because been before being can cannot could did do does doing done down each from "
    "get gets got had has have having he her here him his how i its just me more most my nobody now off on one our out over "
    "own same she should since so some still than them too under until up us was we were what when where which while who whom why "
    "would you your s t don doesn isn won re ve ll d m "
    "above across against along although among another anybody anyone anything around behind below beside besides beyond both "
    "during either else ever every everybody everyone everything except herself himself itself may might mine must myself "
    "neither nothing nor ones onto ought ours ourselves per shall somebody someone something theirs them themselves though through "
    "throughout toward towards unless upon via whether whose within without yet yours yourself yourselves".split()
)
"""Words that carry grammar rather than content, in questions above all; English."""


def pool(runs: Iterable[Run], k: int = 10) -> dict[str, list[str]]:
    """For each query the documents that any run has among its first k: what an assessor must read. Sorted by doc_id.

    Source: Spärck Jones and van Rijsbergen, Report on the need for and provision of an "ideal" information retrieval
    test collection, 1975.

    >>> pool([{"q1": [("d3", 2.0), ("d1", 1.0)]}, {"q1": [("d2", 9.0), ("d3", 8.0)]}], k=1)
    {'q1': ['d2', 'd3']}
    """
    check_k(k)
    pooled: dict[str, set[str]] = {}
    for run in runs:
        for query_id, results in run.items():
            pooled.setdefault(query_id, set()).update(ranking(query_id, results)[:k])
    return {query_id: sorted(doc_ids) for query_id, doc_ids in pooled.items()}


def content_terms(text: str) -> set[str]:
    """The stems of the content words of a text.

    >>> sorted(content_terms("How do we recover from the crashes?"))
    ['crash', 'recov']
    """
    return {stem(word) for word in plain(text) if word not in FUNCTION_WORDS}


def word_overlap(query: str, text: str) -> float:
    """The share of a query's content words, stemmed, that occur in a text; 0 for a query without any.

    >>> word_overlap("recover from crashes", "The crash recovery page")
    0.5
    """
    terms = content_terms(query)
    return len(terms & content_terms(text)) / len(terms) if terms else 0.0


def quote_paragraphs(label: LabelledQuery, corpus: Corpus) -> dict[str, str]:
    """`{doc_id: text}`: for each relevant document the paragraph, or paragraphs, in which its quote stands."""
    return {
        doc_id: "".join(chunk.text for chunk in chunk_paragraphs(corpus[doc_id]) if chunk.start < end and start < chunk.end)
        for doc_id, (start, end) in quote_spans(label, corpus).items()
    }


def relevant_documents(qrels: Qrels) -> set[str]:
    """The distinct documents that are relevant to at least one query.

    >>> relevant_documents({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}})
    {'d1'}
    """
    return {doc_id for grades in qrels.values() for doc_id, grade in grades.items() if grade > 0}


def flips_to_reverse(better: Run, worse: Run, qrels: Qrels, k: int = 10) -> list[tuple[str, str, int, int]]:
    """A small set of single labels that, judged the other way, would put `worse` ahead in mean nDCG@k.

    Each is `(query_id, doc_id, grade, grade it would need)`: a relevant document called 0, or a 0 called 1. The label
    that moves the difference most is flipped first, again and again, so the list is short but not proven the shortest.
    A flip that would leave a query without a relevant document is not made. Raises ValueError where `better` is not
    ahead to begin with, or no flip helps any more.
    """
    rankings = {q: (ranking(q, better.get(q, [])), ranking(q, worse.get(q, []))) for q in qrels}

    def lead(query_id: str, grades: Mapping[str, int]) -> float:
        one, other = (ndcg_at_k(retrieved, grades, k) for retrieved in rankings[query_id])
        return one - other

    current = {query_id: dict(grades) for query_id, grades in qrels.items()}
    leads = {query_id: lead(query_id, grades) for query_id, grades in current.items()}
    if sum(leads.values()) <= 0:
        raise ValueError("the first run is not ahead of the second; swap them")

    def best_flip(query_id: str) -> tuple[float, str, str, int]:
        grades = current[query_id]
        flips = [
            (lead(query_id, {**grades, doc_id: other}) - leads[query_id], query_id, doc_id, other)
            for doc_id, other in _other_grades(grades, qrels[query_id])
        ]
        return min(flips, default=(0.0, query_id, "", 0))

    flips: list[tuple[str, str, int, int]] = []
    best = {query_id: best_flip(query_id) for query_id in current}
    while sum(leads.values()) > 0:
        change, query_id, doc_id, other = min(best.values())
        if change >= 0:
            raise ValueError(f"no further label would bring the runs closer (after {len(flips)} flips)")
        flips.append((query_id, doc_id, qrels[query_id][doc_id], other))
        current[query_id][doc_id] = other
        leads[query_id] = lead(query_id, current[query_id])
        best[query_id] = best_flip(query_id)  # the other queries are as they were
    return flips


def _other_grades(grades: Mapping[str, int], original: Mapping[str, int]) -> list[tuple[str, int]]:
    """Each label that is still as it was, with its opposite; a query's last relevant document stays relevant."""
    n_relevant = sum(grade > 0 for grade in grades.values())
    return [
        (doc_id, 0 if grade > 0 else 1)
        for doc_id, grade in grades.items()
        if grade == original[doc_id] and not (grade > 0 and n_relevant == 1)
    ]
