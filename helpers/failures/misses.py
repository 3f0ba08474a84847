"""Which relevant documents a system missed, each as a `Case` with all that the questions about it need."""

from collections.abc import Mapping
from dataclasses import replace
from math import inf

from helpers.datasets import LabelledQuery, quote_spans
from helpers.failures.causes import Case
from helpers.failures.search_setup import SearchSetup, Span, has_lost
from helpers.judgments import quote_paragraphs
from helpers.records import Chunk, Corpus, Dataset

ANY_KIND = "all"
"""The kind of every query of a collection without labels."""


def find_misses(
    dataset: Dataset, labels: list[LabelledQuery], setup: SearchSetup, rankings: Mapping[str, list[str]]
) -> list[Case]:
    """A case for each miss, in the order of the qrels."""
    kinds, quotes = {label.query_id: label.kind for label in labels}, _quotes(labels, dataset.corpus)
    outdated = {
        label.query_id: {judged.doc_id for judged in label.judgments if judged.superseded} for label in labels
    }
    cases = []
    for query_id, grades in dataset.qrels.items():
        for doc_id in relevant_of(grades):
            ranked, text = rankings[query_id], dataset.corpus.get(doc_id, "")
            rank = ranked.index(doc_id) + 1 if doc_id in ranked else inf
            quote, span, passage = quotes.get((query_id, doc_id), ("", None, text))
            above = ranked[: rank - 1] if rank < inf else ranked
            case = Case(
                query_id=query_id,
                kind=kinds.get(query_id, ANY_KIND),
                query=dataset.queries[query_id],
                doc_id=doc_id,
                grade=grades[doc_id],
                grades=grades,
                rank=rank,
                above=above,
                k=setup.k,
                text=text,
                passage=passage,
                quote=quote,
                span=span,
                budget=setup.budget,
                superseded=tuple(other for other in above if other in outdated.get(query_id, ())),
            )
            cases.append(case)
    # How many tokens each takes is asked of all at once, for whole rankings are long.
    contexts = setup.context(setup.index, [(case.query, case.doc_id, case.span) for case in cases])
    missed = [
        replace(case, tokens=needed, room=room)
        for case, (needed, room) in zip(cases, contexts, strict=True)
        if not setup.holds(case.rank, needed)
    ]
    return _with_the_cut(missed, setup) if missed and setup.index.chunks is not None else missed


def _with_the_cut(cases: list[Case], setup: SearchSetup) -> list[Case]:
    """The cases of a system that cuts documents, with what its cut did to each."""
    chunks: dict[str, list[Chunk]] = {}
    for chunk in setup.index.chunks:
        chunks.setdefault(chunk.doc_id, []).append(chunk)
    texts = {chunk.chunk_id: chunk.text for chunk in setup.index.chunks}
    whole = setup.ranks(setup.whole, [(case.query, case.doc_id) for case in cases])
    return [
        replace(
            case,
            piece=texts.get(setup.index.piece(case.query, case.doc_id), ""),
            whole_rank=rank,
            lost=has_lost(chunks.get(case.doc_id, []), case.text, case.span),
        )
        for case, rank in zip(cases, whole, strict=True)
    ]


def _quotes(
    labels: list[LabelledQuery], corpus: Corpus
) -> dict[tuple[str, str], tuple[str, Span | None, str]]:
    """`{(query_id, doc_id): (quote, span, paragraph)}` of judgments that quote; no span without a text."""
    found: dict[tuple[str, str], tuple] = {}
    for label in labels:
        quoting = [judgment for judgment in label.judgments if judgment.grade > 0 and judgment.quote.strip()]
        found |= {(label.query_id, judgment.doc_id): (judgment.quote, None, "") for judgment in quoting}
        with_text = tuple(judgment for judgment in quoting if corpus.get(judgment.doc_id, "").strip())
        label = label.model_copy(update={"judgments": with_text})
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
