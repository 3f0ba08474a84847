"""What a cut is worth, on cases that can be counted by hand."""

import pytest

from course.chunk_lab import lab_chunkers, measure_chunker, quote_recall
from helpers.answers import fill_context
from helpers.datasets.labels import LabelledQuery
from helpers.records import Chunk, Dataset
from helpers.text import tokens
from helpers.text.chunking import chunk_corpus, chunk_paragraphs

ENCODING = tokens.load_stand_in()
CORPUS = {"d1": " one two three four five six", "d2": " one one one"}  # one token a word


def label(doc_id="d1", quote="three four five six"):
    judgment = {"doc_id": doc_id, "grade": 2, "quote": quote}
    return LabelledQuery(
        query_id="q1", query="?", relevant_doc_ids=[doc_id], kind="question", judgments=[judgment]
    )


def chunks(*spans, doc_id="d1"):
    return [
        Chunk(doc_id, index, CORPUS[doc_id][start:end], start, end)
        for index, (start, end) in enumerate(spans)
    ]


FIRST, SECOND = (0, 14), (14, 28)  # " one two three" and " four five six"


@pytest.mark.parametrize(
    ("order", "budget", "recall"),
    [
        ([0, 1], 6, 1.0),  # all six tokens
        ([1, 0], 3, 3 / 4),  # "four five six"
        ([0, 1], 3, 1 / 4),  # "three"
        ([0, 1], 4, 2 / 4),  # "three", and "four" of the chunk that is cut off
        ([], 100, 0.0),
    ],
)
def test_quote_recall_counts_the_quotes_tokens_in_the_context(order, budget, recall):
    pieces = chunks(FIRST, SECOND)
    run = {"q1": [(f"d1#{number}", 2.0 - rank) for rank, number in enumerate(order)]}
    # The quote's own first token has no space before it; it is still one token.
    assert len(ENCODING.encode_ordinary("three four five six")) >= 4
    found = quote_recall(run, pieces, [label(quote=" three four five six")], CORPUS, ENCODING, budget)
    assert found == {"q1": pytest.approx(recall)}


def test_a_passage_in_two_chunks_is_paid_for_twice_and_counted_once():
    overlapping = chunks((0, 14), (8, 19))  # " one two three", " three four"
    assert fill_context(overlapping, ENCODING, 5) == [("d1", 0, 14), ("d1", 8, 19)]
    run = {"q1": [("d1#0", 2.0), ("d1#1", 1.0)]}
    assert quote_recall(run, overlapping, [label(quote=" three four")], CORPUS, ENCODING, 4) == {"q1": 0.5}


def test_the_same_words_in_another_document_do_not_count():
    run = {"q1": [("d2#0", 1.0)]}
    pieces = chunks((0, 12), doc_id="d2")
    assert quote_recall(run, pieces, [label(quote=" one")], CORPUS, ENCODING, 100) == {"q1": 0.0}


def test_every_cut_of_the_lab_cuts_everything():
    assert len(lab_chunkers(ENCODING)) == 9
    for name, chunker in lab_chunkers(ENCODING).items():
        pieces = chunk_corpus(CORPUS, chunker)
        assert {piece.doc_id for piece in pieces} == set(CORPUS), name


def test_a_row_says_what_was_measured_on_what():
    corpus = {"d1": "alpha beta.\n\ngamma", "d2": "delta epsilon", "d3": "zeta"}
    judged = LabelledQuery(
        query_id="q1",
        query="gamma",
        relevant_doc_ids=["d1"],
        kind="question",
        judgments=[{"doc_id": "d1", "grade": 2, "quote": "gamma"}, {"doc_id": "d2", "grade": 0}],
    )
    dataset = Dataset("toy", "test", corpus, {"q1": "gamma"}, {"q1": {"d1": 2, "d2": 0}}, "here")
    row, per_query = measure_chunker(dataset, [judged], "paragraphs", chunk_paragraphs, ENCODING, budget=50)
    assert row["system"] == "rank-bm25 Okapi, k1=1.5, b=0.75, plain; paragraphs"
    assert (row["encoding"], row["chunks"], row["postings"], row["quote recall"]) == (
        tokens.STAND_IN_ENCODING,
        4,
        6,
        1.0,
    )
    assert row["metrics"]["nDCG@10"] == 1
    assert per_query.to_dict("index") == {"q1": {"nDCG@10": 1, "MRR": 1, "quote recall": 1}}


def test_a_document_found_only_far_down_is_not_lost_by_folding():
    corpus = {"d1": "\n\n".join(["four five"] * 1200), "d2": "four " + "filler " * 200}
    corpus |= {f"d{n}": f"other words {n}" for n in range(3, 3000)}
    judgments = [{"doc_id": "d2", "grade": 2, "quote": "four filler"}, {"doc_id": "d1", "grade": 0}]
    judged = LabelledQuery(
        query_id="q1", query="four", relevant_doc_ids=["d2"], kind="question", judgments=judgments
    )
    dataset = Dataset("toy", "test", corpus, {"q1": "four"}, {"q1": {"d2": 2, "d1": 0}}, "here")
    row = measure_chunker(dataset, [judged], "paragraphs", chunk_paragraphs, ENCODING).row
    assert row["metrics"]["MRR"] == 1 / 2


@pytest.mark.parametrize("budget", [0, -1, 3.5, True])
def test_a_budget_is_a_whole_number_of_tokens(budget):
    with pytest.raises(ValueError, match="budget is .*; needed a whole number of tokens"):
        fill_context(chunks(FIRST), ENCODING, budget)


def test_a_run_over_documents_has_no_chunks_to_fill_a_context_with():
    with pytest.raises(
        ValueError, match="query 'q1': 'd1' is none of the chunks; give the run before folding"
    ):
        quote_recall({"q1": [("d1", 1.0)]}, chunks(FIRST), [label(quote=" two")], CORPUS, ENCODING, 10)


def test_labels_of_other_queries_are_refused():
    dataset = Dataset("toy", "test", CORPUS, {"q7": "one"}, {"q7": {"d1": 1}}, "here")
    with pytest.raises(ValueError, match="not those of the queries of 'toy'"):
        measure_chunker(dataset, [label(quote=" two")], "paragraphs", chunk_paragraphs, ENCODING)
