"""A rewording says in the page's own words what the query asks, and nothing that it does not ask."""

import json

import pytest

from helpers.base import files
from helpers.datasets.labels import load_labels
from helpers.failures.rewordings import load_rewordings, reword
from helpers.text.analyzers import plain, plain_stopped

PAIR = {"query_id": "q1", "doc_id": "d1", "swaps": {"human checkers": "review desk"}}
OTHER = {**PAIR, "doc_id": "d2"}


@pytest.fixture(scope="module")
def shipped(runbooks):
    """`(query_id, doc_id, query, page, swaps)` of each line of the shipped file whose ids both exist."""
    known = [pair for pair in load_rewordings() if pair[0] in runbooks.queries and pair[1] in runbooks.corpus]
    return [(q, d, runbooks.queries[q], runbooks.corpus[d], load_rewordings()[q, d]) for q, d in known]


def written(tmp_path, *lines):
    path = tmp_path / "rewordings.jsonl"
    path.write_text(
        "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines),
        encoding="utf-8",
    )
    return path


def test_each_shipped_line_names_a_query_and_a_page_that_is_relevant_to_it(runbooks):
    relevant = {
        (label.query_id, doc_id)
        for label in load_labels(files.QUERIES, runbooks.corpus)
        for doc_id in label.relevant_doc_ids
    }
    assert load_rewordings() and set(load_rewordings()) <= relevant


def test_every_shipped_key_stands_in_its_query_and_the_query_changes(shipped):
    assert [pair[:2] for pair in shipped if not all(key in pair[2] for key in pair[4])] == []
    assert [pair[:2] for pair in shipped if reword(pair[2], pair[4]) == pair[2]] == []


def test_every_content_word_put_in_is_a_word_of_the_page(shipped):
    strange = {
        (q, d): set(plain_stopped(" ".join(swaps.values()))) - set(plain(page))
        for q, d, _, page, swaps in shipped
    }
    assert {pair: words for pair, words in strange.items() if words} == {}


def test_every_shipped_line_brings_a_word_that_the_query_lacks_in_one_to_three_exchanges(shipped):
    assert [
        (q, d)
        for q, d, query, _, swaps in shipped
        if set(plain_stopped(reword(query, swaps))) <= set(plain(query))
    ] == []
    assert {len(swaps) for *_, swaps in shipped} <= {1, 2, 3}


def test_the_rest_of_the_sentence_is_left_alone():
    assert (
        reword("Are our pods, all of them, down?", {"pods": "replicas", "down": "gone"})
        == "Are our replicas, all of them, gone?"
    )


def test_a_key_is_whole_words_in_any_case_and_is_exchanged_where_it_stands_first():
    assert reword("Our IDs: an ID, an id", {"id": "certificate"}) == "Our IDs: an certificate, an id"
    assert reword("since v2.x (beta)", {"(beta)": "canary"}) == "since v2.x canary"


def test_words_put_in_are_not_exchanged_again():
    assert reword("a cat saw a dog", {"cat": "dog", "dog": "cat"}) == "a dog saw a cat"


@pytest.mark.parametrize("key", ["pod", "pods  are", "", " "])
def test_a_key_that_the_query_does_not_hold_is_refused(key):
    with pytest.raises(ValueError, match=r"are not in the query 'our pods are down'"):
        reword("our pods are down", {key: "replicas"})


def test_keys_that_share_words_are_refused():
    with pytest.raises(ValueError, match="share 'connection pool'"):
        reword(
            "connection pool exhausted", {"connection pool": "entry", "connection pool exhausted": "CHK-5031"}
        )


def test_a_file_becomes_swaps_by_query_and_document(tmp_path):
    assert load_rewordings(written(tmp_path, PAIR, "", OTHER)) == {
        ("q1", "d1"): {"human checkers": "review desk"},
        ("q1", "d2"): {"human checkers": "review desk"},
    }


@pytest.mark.parametrize(
    "line, message",
    [
        ("{", "the line: Invalid JSON"),
        ({"doc_id": "d2", "swaps": {"pods": "replicas"}}, "query_id: is missing"),
        ({**PAIR, "query_id": None}, "query_id: needed text"),
        (
            {**PAIR, "doc_id": " "},
            "doc_id: needed text without a blank|doc_id: needed text that is not blank",
        ),
        ({**OTHER, "swaps": {}}, "swaps: needed 1 or more of them, found {}"),
        ({**OTHER, "swaps": ["review desk"]}, "swaps: needed a JSON object"),
        ({**OTHER, "swaps": {"pods": None}}, "swaps.pods: needed text"),
        ({**OTHER, "swaps": {"": "replicas"}}, "swaps.*: needed text that is not blank"),
        ({**OTHER, "swaps": {"pods": " "}}, "swaps.pods: needed text that is not blank"),
        (PAIR, "query 'q1' and document 'd1' have an earlier line too"),
    ],
)
def test_an_error_names_file_and_line(tmp_path, line, message):
    with pytest.raises(ValueError, match=rf"rewordings\.jsonl, line 2: .*{message}"):
        load_rewordings(written(tmp_path, PAIR, line))
