"""Found, and still not read: where a quote comes in a context that is filled with chunks, best first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.answers.contexts import fill_context
from helpers.datasets.labels import LabelledQuery
from helpers.failures.context import tokens_needed, unread
from helpers.failures.report import analyze
from helpers.failures.system import System
from helpers.records import Chunk, Dataset
from helpers.retrieval.retrievers import CsrBM25
from helpers.text import tokens
from helpers.text.chunking import chunk_paragraphs

ENCODING = tokens.load_stand_in()
CUT = System("BM25 over paragraphs", CsrBM25, chunk_paragraphs)
CORPUS = {"d1": "The relay.\n\nTurn it off and on.", "d2": "disk relay", "d3": "noon"}


def report(quote, corpus=None, k=10):
    judgments = [{"doc_id": "d1", "grade": 2, "quote": quote}]
    about = {"query_id": "q1", "query": "the relay", "kind": "question", "relevant_doc_ids": ["d1"]}
    label = LabelledQuery.model_validate({**about, "judgments": judgments})
    dataset = Dataset("toy", "test", corpus or CORPUS, {"q1": "the relay"}, {"q1": {"d1": 2}}, "by hand")
    return analyze(dataset, CUT, [label], k=k)


@given(
    st.lists(st.tuples(st.sampled_from(["d1", "d2"]), st.integers(0, 9), st.integers(1, 9)), max_size=6),
    st.integers(1, 60),
)
def test_tokens_needed_is_where_filling_the_context_first_holds_the_span(pieces, budget):
    text = " one two-three four five"
    ranked = [
        Chunk(doc_id, n, text[start : start + size], start, start + size)
        for n, (doc_id, start, size) in enumerate(pieces)
    ]
    held = {
        i
        for doc_id, first, last in fill_context(ranked, ENCODING, budget)
        for i in range(first, last)
        if doc_id == "d1"
    }
    assert (tokens_needed(ranked, "d1", (2, 6), ENCODING) <= budget) == ({2, 3, 4, 5} <= held)


def test_a_page_found_by_another_chunk_than_the_one_that_answers_is_not_read():
    (row,) = unread(report("Turn it off"), 1000, ENCODING).itertuples()
    assert (row.doc_id, row.rank, row.grade, row.tokens) == ("d1", 1, 2, float("inf"))


def test_a_quote_within_the_tokens_is_read_and_one_token_less_is_too_few():
    needed = len(tokens.encode("The relay.", ENCODING))
    assert unread(report("The relay."), needed, ENCODING).empty
    assert unread(report("The relay."), needed - 1, ENCODING)["tokens"].tolist() == [needed]


def test_what_was_not_found_is_missed_and_not_unread():
    found = report("Turn it off", corpus={"d1": "Turn it off", "d2": "relay"})
    assert len(found.misses) == 1 and unread(found, 1, ENCODING).empty


def test_a_budget_is_a_number_of_tokens_and_quotes_are_needed():
    with pytest.raises(ValueError, match="budget is 0; needed a whole number of tokens"):
        unread(report("The relay."), 0)
    bare = analyze(Dataset("toy", "test", CORPUS, {"q1": "relay"}, {"q1": {"d1": 2}}, "by hand"), CUT)
    with pytest.raises(ValueError, match="the report has no labels"):
        unread(bare, 100)
