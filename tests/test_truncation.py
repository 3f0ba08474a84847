"""What is kept of a corpus that is too large: every judged document, then the first others."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.datasets.assembly import kept_documents


def stream(doc_ids):
    return ((f"line {number}", doc_id, f"text of {doc_id}") for number, doc_id in enumerate(doc_ids, start=1))


def test_without_a_limit_everything_is_kept_in_order():
    corpus, complete = kept_documents(stream("cab"), judged=set())
    assert list(corpus.items()) == [("c", "text of c"), ("a", "text of a"), ("b", "text of b")]
    assert complete


def test_a_judged_document_is_kept_even_if_it_is_the_last():
    corpus, complete = kept_documents(stream("abcdefgz"), judged={"z"}, max_docs=3)
    assert list(corpus) == ["a", "b", "z"]
    assert not complete


def test_when_more_are_judged_than_asked_for_these_are_kept_and_no_others():
    corpus, complete = kept_documents(stream("axbycz"), judged={"x", "y", "z"}, max_docs=2)
    assert (list(corpus), complete) == (["x", "y", "z"], False)


def test_a_corpus_that_fits_exactly_is_complete():
    assert kept_documents(stream("abc"), judged={"c"}, max_docs=3)[1]
    assert kept_documents(stream("abc"), judged={"a", "b", "c"}, max_docs=1)[1]
    assert not kept_documents(stream("abcd"), judged={"c"}, max_docs=3)[1]


def test_judged_documents_that_the_corpus_lacks_take_nobodys_room():
    with pytest.warns(UserWarning, match="the first that came is 'a'; is each row .where, doc_id, text."):
        corpus, _ = kept_documents(stream("abcd"), judged={"nowhere"}, max_docs=3)
    assert list(corpus) == ["a", "b", "c"]
    with pytest.warns(UserWarning, match="1 of 2 judged documents never came, e.g. 'nowhere'; they cannot"):
        kept_documents(stream("abcd"), judged={"nowhere", "b"})


@pytest.mark.filterwarnings("ignore:.*never came")
@given(st.lists(st.integers(0, 30), unique=True), st.sets(st.integers(0, 40)), st.integers(1, 12))
def test_it_is_what_a_choice_from_the_whole_corpus_would_be(numbers, judged_numbers, max_docs):
    doc_ids, judged = [f"d{number}" for number in numbers], {f"d{number}" for number in judged_numbers}
    others = [doc_id for doc_id in doc_ids if doc_id not in judged]
    room = max(0, max_docs - (len(doc_ids) - len(others)))
    expected = [doc_id for doc_id in doc_ids if doc_id in judged or doc_id in others[:room]]
    corpus, complete = kept_documents(stream(doc_ids), judged, max_docs)
    assert (list(corpus), complete) == (expected, expected == doc_ids)


def test_reading_ends_when_nothing_more_can_be_kept():
    endless = (("somewhere", f"d{number}", "x") for number in itertools.count())
    assert list(kept_documents(endless, judged={"d1", "d7"}, max_docs=3)[0]) == ["d0", "d1", "d7"]


def test_an_id_that_comes_twice_is_named_with_its_line():
    with pytest.raises(ValueError, match="line 3: document 'a' comes a second time"):
        kept_documents(stream("aba"), judged=set())
    with pytest.raises(ValueError, match="line 3: document 'a' comes a second time"):
        kept_documents(stream("aba"), judged={"z"}, max_docs=2)


@pytest.mark.parametrize("max_docs", [0, -1, 2.0, True, "10"])
def test_a_limit_that_is_no_number_of_documents_is_refused(max_docs):
    with pytest.raises(ValueError, match="max_docs is .*needed a whole number of documents, 1 or more"):
        kept_documents(stream("ab"), set(), max_docs)


def test_judged_documents_are_a_set_of_ids_and_no_text():
    with pytest.raises(ValueError, match=r"judged is the text 'd1'; needed a set of doc_ids: \{'d1'\}"):
        kept_documents(stream("abc"), judged="d1", max_docs=2)
    assert kept_documents(stream("abc"), judged=["c"], max_docs=1)[0].keys() == {"c"}
