"""Which relevant documents a system missed, each as a `case.Case` with all that the questions about it need.

Where the limits are and what is within them is in `bench`; why a document was missed is asked in `causes`.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import inf

from helpers.datasets import LabelledQuery, quote_spans
from helpers.failures.bench import Bench, has_lost
from helpers.failures.case import Case
from helpers.judgments import quote_paragraphs
from helpers.records import Chunk, Corpus, Dataset

ANY_KIND = "all"
"""The kind of every query of a collection without labels."""


def find_misses(
    dataset: Dataset, labels: list[LabelledQuery], bench: Bench, rankings: Mapping[str, list[str]]
) -> list[Case]:
    """A case for each miss, in the order of the qrels."""
    asked = [
        (query_id, doc_id) for query_id, grades in dataset.qrels.items() for doc_id in relevant_of(grades)
    ]
    kinds, quotes = {label.query_id: label.kind for label in labels}, _quotes(labels, dataset.corpus)
    spans = [quotes[pair][1] if pair in quotes else None for pair in asked]
    contexts = bench.context(
        bench.index, [(dataset.queries[q], d, span) for (q, d), span in zip(asked, spans, strict=True)]
    )
    cases = []
    for (query_id, doc_id), span, (needed, room) in zip(asked, spans, contexts, strict=True):
        ranked, text = rankings[query_id], dataset.corpus.get(doc_id, "")
        rank = ranked.index(doc_id) + 1 if doc_id in ranked else inf
        if bench.holds(rank, needed):
            continue
        quote, _, passage = quotes.get((query_id, doc_id), ("", None, text))
        above, grades = ranked[: rank - 1] if rank < inf else ranked, dataset.qrels[query_id]
        known = (
            query_id,
            kinds.get(query_id, ANY_KIND),
            dataset.queries[query_id],
            doc_id,
            grades[doc_id],
            grades,
        )
        limits = {"tokens": needed, "room": room, "budget": bench.budget}
        cases.append(Case(*known, rank, above, bench.k, text, passage, quote, span, **limits))
    return _with_the_cut(cases, bench)


def _with_the_cut(cases: list[Case], bench: Bench) -> list[Case]:
    """The cases of a system that cuts documents with what its cut did to each; those of another as they are."""
    if bench.index.chunks is None or not cases:
        return cases
    pieces: dict[str, list[Chunk]] = {}
    for chunk in bench.index.chunks:
        pieces.setdefault(chunk.doc_id, []).append(chunk)
    texts = {chunk.chunk_id: chunk.text for chunk in bench.index.chunks}
    whole = bench.ranks(bench.whole, [(case.query, case.doc_id) for case in cases])
    return [
        replace(
            case,
            piece=texts.get(bench.index.piece(case.query, case.doc_id), ""),
            whole_rank=rank,
            lost=has_lost(pieces.get(case.doc_id, []), case.text, case.span),
        )
        for case, rank in zip(cases, whole, strict=True)
    ]


def _quotes(
    labels: list[LabelledQuery], corpus: Corpus
) -> dict[tuple[str, str], tuple[str, tuple[int, int] | None, str]]:
    """`{(query_id, doc_id): (quote, span, paragraph)}` of the judgments that quote; without a place where there is no text."""
    found: dict[tuple[str, str], tuple] = {}
    for label in labels:
        quoting = [judgment for judgment in label.judgments if judgment.grade > 0 and judgment.quote.strip()]
        found |= {(label.query_id, judgment.doc_id): (judgment.quote, None, "") for judgment in quoting}
        there = tuple(judgment for judgment in quoting if corpus.get(judgment.doc_id, "").strip())
        label = label.model_copy(update={"judgments": there})
        paragraphs = quote_paragraphs(label, corpus)
        for doc_id, (start, end) in quote_spans(label, corpus).items():
            found[label.query_id, doc_id] = (corpus[doc_id][start:end], (start, end), paragraphs[doc_id])
    return found


def relevant_of(grades: Mapping[str, int]) -> list[str]:
    """The doc_ids of the relevant documents, grade 1 or more, in the order of the judgments.

    >>> relevant_of({"d1": 2, "d2": 0, "d3": 1})
    ['d1', 'd3']
    """
    return [doc_id for doc_id, grade in grades.items() if grade > 0]
