"""What a cut must keep: every character, no chunk inside another, no half character; the reference's cuts."""

import json
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.records import Chunk
from helpers.retrieval.folding import to_documents
from helpers.text import chunking, tokens
from helpers.text.chunking import chunk_corpus, chunk_fixed, chunk_paragraphs, chunk_recursive, to_corpus

pytestmark = pytest.mark.offline_too

ENCODING = tokens.load_stand_in()
REFERENCE = Path(__file__).parent / "data" / "recursive_splits.json"
ANY_TEXT = st.text(
    alphabet=st.one_of(st.sampled_from("ab \n\t\r.😀é漢👩‍👧"), st.characters(exclude_categories=["Cs"])),
    max_size=90,
)


@pytest.mark.parametrize("chunk", [chunk_fixed, chunk_recursive, lambda text, *_: chunk_paragraphs(text)])
@given(text=ANY_TEXT, chunk_size=st.integers(1, 12), overlap=st.integers(0, 11))
@settings(deadline=None, max_examples=200)
def test_every_character_is_in_some_chunk_and_no_chunk_lies_inside_another(chunk, text, chunk_size, overlap):
    chunks = chunk(text, chunk_size, min(overlap, chunk_size - 1), ENCODING)
    assert all(c.text == text[c.start : c.end] and c.text for c in chunks)
    assert {i for c in chunks for i in range(c.start, c.end)} == set(range(len(text)))
    assert all(one.start < other.start and one.end < other.end for one, other in pairwise(chunks))
    assert [c.chunk_idx for c in chunks] == list(range(len(chunks)))


@given(text=ANY_TEXT, chunk_size=st.integers(4, 12), overlap=st.integers(0, 3))
@settings(deadline=None)
def test_a_fixed_chunk_has_the_tokens_it_was_given_room_for(text, chunk_size, overlap):
    n_tokens = len(ENCODING.encode_ordinary(text))
    chunks = chunk_fixed(text, chunk_size, overlap, ENCODING)
    assert len(chunks) <= max(1, -(-(n_tokens - overlap) // (chunk_size - overlap)))
    if text.isascii():  # then a token is never part of a character
        end = chunking.token_offsets(text, ENCODING)[min(chunk_size, n_tokens)]
        assert [len(c.text) for c in chunks[:1]] == [end][: len(chunks)]


@pytest.mark.parametrize(
    ("n_tokens", "n_chunks"), [(1, 1), (462, 1), (463, 1), (512, 1), (513, 2), (924, 2), (974, 2), (975, 3)]
)
def test_documents_of_the_lengths_where_the_usual_loop_ends_on_a_copy(n_tokens, n_chunks):
    text = " one" * n_tokens
    assert len(ENCODING.encode_ordinary(text)) == n_tokens
    chunks = chunk_fixed(text, encoding=ENCODING)
    assert len(chunks) == n_chunks
    assert sum(len(c.text) // 4 for c in chunks) == n_tokens + 50 * (n_chunks - 1)


def test_a_character_of_several_tokens_stays_whole_and_goes_to_the_later_chunk():
    text = "ab😀cd"
    assert len(ENCODING.encode_ordinary("😀")) > 1
    for chunk_size in range(1, 6):
        chunks = chunk_fixed(text, chunk_size, 0, ENCODING)
        assert "".join(c.text for c in chunks) == text
        assert sum("😀" in c.text for c in chunks) == 1


def test_the_same_promises_hold_with_cl100k_base(cl100k):
    text = "Zażółć gęślą jaźń, 漢字かな交じり文, 👩‍👩‍👧 and a smile 😀. " * 40
    for chunk_size, overlap in ((512, 50), (16, 15), (3, 0), (1, 0)):
        chunks = chunk_fixed(text, chunk_size, overlap, cl100k)
        assert {i for c in chunks for i in range(c.start, c.end)} == set(range(len(text)))


def test_a_paragraph_is_cut_at_blank_lines_with_spaces_or_windows_line_ends_in_them():
    texts = [c.text.strip() for c in chunk_paragraphs("\n\nOne\nline.\n \t\nTwo.\r\n\r\nThree.\n\n\n")]
    assert texts == ["One\nline.", "Two.", "Three."]


def test_recursive_chunks_are_those_of_the_reference_as_stored():
    # What langchain-text-splitters gave (the file names its version); the next test asks it anew where it is.
    stored = json.loads(REFERENCE.read_text())
    assert len(stored["cases"]) >= 10
    for case in stored["cases"]:
        chunks = chunk_recursive(case["text"], case["chunk_size"], case["overlap"], ENCODING)
        assert [c.text for c in chunks] == case["chunks"], (case["text"], case["chunk_size"], case["overlap"])


@given(
    text=st.text(alphabet="ab \n😀é漢.", max_size=120),
    chunk_size=st.integers(1, 12),
    overlap=st.integers(0, 12),
)
@settings(deadline=None, max_examples=300)
def test_recursive_chunks_are_those_of_langchain(text, chunk_size, overlap):
    splitters = pytest.importorskip(
        "langchain_text_splitters", reason="langchain-text-splitters is not installed"
    )
    splitter = splitters.RecursiveCharacterTextSplitter(
        chunk_size=chunk_size,
        chunk_overlap=min(overlap, chunk_size),
        length_function=lambda piece: len(ENCODING.encode_ordinary(piece)),
        strip_whitespace=False,
    )
    ours = chunk_recursive(text, chunk_size, min(overlap, chunk_size), ENCODING)
    assert [c.text for c in ours] == splitter.split_text(text)


@pytest.mark.parametrize(
    ("chunk_size", "overlap"), [(0, 0), (-5, 0), (10, -1), (10, 11), (10.0, 1), (True, 0), ("512", 50)]
)
@pytest.mark.parametrize("chunk", [chunk_fixed, chunk_recursive])
def test_impossible_sizes_are_refused(chunk, chunk_size, overlap):
    with pytest.raises(ValueError, match="chunk_size|overlap"):
        chunk("some text", chunk_size, overlap, ENCODING)


def test_an_overlap_as_large_as_the_chunk_would_never_get_on():
    with pytest.raises(ValueError, match="chunk_size 10, overlap 10"):
        chunk_fixed("some text", 10, 10, ENCODING)


def test_half_a_character_is_named_by_its_position():
    with pytest.raises(ValueError, match="character 3 .* is half a character"):
        chunk_fixed("abc\ud83d", encoding=ENCODING)


def test_text_that_looks_like_a_special_token_is_text():
    text = "<|endoftext|> is text here"
    assert chunk_fixed(text, encoding=ENCODING)[0].text == text


def test_chunks_carry_their_document_and_number():
    corpus = {"d2": "One.\n\nTwo.", "d1": "", "d3": "Three."}
    chunks = chunk_corpus(corpus, chunk_paragraphs)
    assert [(c.doc_id, c.chunk_idx, c.start) for c in chunks] == [("d2", 0, 0), ("d2", 1, 6), ("d3", 0, 0)]
    assert to_corpus(chunks) == {"d2#0": "One.\n\n", "d2#1": "Two.", "d3#0": "Three."}
    whole = Chunk("d2", 0, "One.\n\nTwo.", 0, 10)
    assert chunk_corpus(corpus, partial(chunk_fixed, encoding=ENCODING))[0] == whole


def test_a_line_of_white_space_is_blank_whatever_white_space_it_is():
    text = "One.\n \nTwo.\n\u00a0\nThree.\r\n\t\u3000\r\n\nFour\u00a0is\n\u200b\none."
    texts = [chunk.text.strip() for chunk in chunk_paragraphs(text)]
    assert texts == ["One.", "Two.", "Three.", "Four\u00a0is\n\u200b\none."]


def test_a_chunk_whose_text_is_at_another_place_of_its_document_is_told(recwarn):
    text = "   \n  Alpha beta.\n\nGamma DELTA gamma delta."

    def in_its_place(change):
        return lambda text: [replace(one, text=change(one.text)) for one in chunk_paragraphs(text)]

    changes = [str.strip, str.lower, lambda said: " ".join(said.split()), lambda said: f"A page: {said}"]
    for change in [*changes, lambda _: "a summary", lambda _: text, lambda _: ""]:
        chunk_corpus({"d1": text}, in_its_place(change))
    shouted = [Chunk("", 0, "gamma delta", text.index("Gamma"), text.index(" gamma"))]
    chunk_corpus({"d1": text}, lambda _: shouted)
    assert not recwarn.list
    said = (
        "document 'd1': the text of chunk 0 begins at 6 and not at 0, its start; count the places in the text"
    )
    with pytest.warns(UserWarning, match=said) as told:
        chunk_corpus({"d1": text, "d2": f" {text}"}, lambda text: chunk_paragraphs(text.strip()))
    assert len(told) == 1


def test_unfolded_chunk_hits_would_score_above_one_so_the_metrics_refuse_them():
    folded = to_documents({"q1": [("d1#0", 3.0), ("d1#1", 2.0), ("d2#0", 1.0)]})
    assert evaluate_retrieval(folded, {"q1": {"d1": 1}})["nDCG@10"] == 1
    repeated = {"q1": [("d1", 3.0), ("d1", 2.0), ("d2", 1.0)]}
    with pytest.raises(ValueError, match="folded to documents"):
        evaluate_retrieval(repeated, {"q1": {"d1": 1}})


def test_folding_keeps_equal_scores_in_the_contracts_order():
    equal = {"q": [("d1#0", 2.0), ("d3#0", 2.0), ("d1#1", 2.0)]}
    assert to_documents(equal) == {"q": [("d3", 2.0), ("d1", 2.0)]}


@pytest.mark.parametrize("chunk_id", ["d1", "d1#", "#3", "d1#x", "d1#-1"])
def test_folding_what_are_no_chunk_ids_is_refused_with_query_and_rank(chunk_id):
    with pytest.raises(ValueError, match="query 'q7', rank 1: .* is no chunk id"):
        to_documents({"q7": [(chunk_id, 1.0)]})


def test_folding_an_unsorted_list_is_refused():
    complaint = "query 'q1': the list is not sorted, rank 2 .* sort it by score, highest first"
    with pytest.raises(ValueError, match=complaint):
        to_documents({"q1": [("d1#0", 1.0), ("d2#0", 2.0)]})


@pytest.mark.parametrize("score", [float("nan"), None, "1.0"])
def test_folding_scores_that_are_no_numbers_is_refused(score):
    with pytest.raises(ValueError, match="query 'q1', entry 1"):
        to_documents({"q1": [("d1#0", score)]})


def test_folding_takes_a_run_of_dictionaries_too():
    assert to_documents({"q1": {"d1#0": 1.0, "d2#0": 3.0, "d1#1": 2.0}}) == {"q1": [("d2", 3.0), ("d1", 2.0)]}


def test_a_document_with_half_a_character_is_named():
    with pytest.raises(ValueError, match="document 'd2': character 3 of the text"):
        chunk_corpus({"d1": "ok", "d2": "bad\ud83d"}, partial(chunk_fixed, encoding=ENCODING))


def test_a_hundred_thousand_paragraphs_are_cut_in_one_go():
    assert len(chunk_paragraphs("ab\n\n" * 100_000)) == 100_000


def test_separators_are_a_list_and_not_a_text():
    with pytest.raises(ValueError, match="separators are"):
        chunk_recursive("some text", 10, 0, ENCODING, separators="\n\n")


def test_a_text_on_which_the_tokenizer_gives_up_is_a_readable_error(capfd):
    complaint = "cannot cut this text of 3,000,000 characters into tokens; does it have a run of"
    with pytest.raises(ValueError, match=complaint):
        chunk_fixed(" " * 3_000_000, encoding=ENCODING)


@pytest.mark.parametrize("given", [["one", "two"], None, [{"text": "one"}]])
def test_a_chunker_that_gives_no_chunks_is_named_with_its_document(given):
    with pytest.raises(ValueError, match="document 'd1': <lambda> gave .*; needed a list of Chunk"):
        chunk_corpus({"d1": "one two"}, lambda text: given)


def test_two_chunks_of_one_number_are_refused():
    twice = [Chunk("", 0, "one", 0, 3), Chunk("", 0, "two", 4, 7)]
    with pytest.raises(ValueError, match="document 'd1': <lambda> gave two chunks one chunk_idx"):
        chunk_corpus({"d1": "one two"}, lambda text: twice)


def test_a_size_is_no_doc_id():
    with pytest.raises(ValueError, match="doc_id 100 is of type int; ids are text"):
        chunk_paragraphs("one", 100)


def test_separators_that_are_one_text_are_to_be_a_list():
    with pytest.raises(
        ValueError, match=r"separators are '\\n\\n', one text; give a list of texts, \['\\n\\n'\]"
    ):
        chunk_recursive("a\n\nb", 1, 0, separators="\n\n")
