"""A query file is read whole or refused whole, every problem named; nothing overwrites the shipped one."""

import json

import pytest

from helpers.base import files
from helpers.datasets import labels
from helpers.datasets.labels import (
    LabelledQuery,
    label_problems,
    load_labels,
    quote_spans,
    save_labels,
    to_qrels,
    to_queries,
)

CORPUS = {
    "d1": "Title one The pods were killed.",
    "d2": "Title two Restart them in order.",
    "d3": "Title three Lunch.",
}
GOOD = {
    "query_id": "q1",
    "query": "what now?",
    "relevant_doc_ids": ["d2", "d1"],
    "kind": "question",
    "judgments": [
        {"doc_id": "d2", "grade": 2, "quote": "Restart them in order."},
        {"doc_id": "d1", "grade": 1, "quote": "pods were killed"},
        {"doc_id": "d3", "grade": 0},
    ],
}


def written(tmp_path, *lines):
    path = tmp_path / "queries.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def with_judgment(**changes):
    return {**GOOD, "judgments": [{**GOOD["judgments"][0], **changes}, *GOOD["judgments"][1:]]}


def test_a_good_file_becomes_queries_qrels_and_spans_of_quotes(tmp_path):
    (label,) = load_labels(written(tmp_path, GOOD, ""), CORPUS)
    assert to_queries([label]) == {"q1": "what now?"}
    assert to_qrels([label]) == {"q1": {"d2": 2, "d1": 1, "d3": 0}}
    spans = quote_spans(label, CORPUS)
    quotes = {doc_id: CORPUS[doc_id][start:end] for doc_id, (start, end) in spans.items()}
    assert quotes == {"d2": "Restart them in order.", "d1": "pods were killed"}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{not json", "line 1: not valid JSON"),
        ("[1, 2]", "line 1, the line: needed a JSON object"),
        ({**GOOD, "query_id": 1}, "line 1, query_id: needed text"),
        ({**GOOD, "query": " "}, "line 1, query: needed text that is not blank"),
        ({**GOOD, "query_id": "q 1"}, "line 1, query_id: needed text without a blank"),
        (
            json.dumps(GOOD).replace('"kind"', '"query": "again?", "kind"'),
            "line 1: not valid JSON (the key 'query' stands there twice)",
        ),
        ({**GOOD, "kind": "hard"}, "line 1, kind: needed 'identifier'"),
        ({**GOOD, "note": "x"}, "line 1, note: there is no such key"),
        (
            {key: value for key, value in GOOD.items() if key != "judgments"},
            "line 1, judgments: is missing",
        ),
        (with_judgment(grade=3), "line 1, judgments.0.grade: needed 2 or less"),
        (with_judgment(grade=True), "line 1, judgments.0.grade"),
        (with_judgment(grade="2"), "line 1, judgments.0.grade"),
        (with_judgment(doc_id="d9"), "document 'd9' is not in the corpus"),
        (with_judgment(quote=""), "document 'd2' has grade 2 and no quote"),
        (
            with_judgment(quote="Restart them now"),
            "the quote 'Restart them now' is not in document 'd2' word for word, "
            "it differs after 'Restart them '",
        ),
        (
            with_judgment(quote="t"),
            "the quote 't' occurs 5 times in document 'd2'; quote more words around it",
        ),
        (with_judgment(doc_id="d1"), "document 'd1' is judged 2 times"),
        ({**GOOD, "relevant_doc_ids": ["d2"]}, "name different documents: d1"),
        ({**GOOD, "relevant_doc_ids": ["d2", "d1", "d1"]}, "one is named twice"),
        ({**GOOD, "kind": "partial"}, "kind is 'partial' and the best grade 2"),
        (with_judgment(grade=1), "kind is 'question' and the best grade 1"),
        ({**GOOD, "relevant_doc_ids": [], "judgments": GOOD["judgments"][2:]}, "and the best grade 0"),
        (with_judgment(superseded=True), "document 'd2' has grade 2 and is superseded; needed grade 0"),
    ],
)
def test_each_problem_is_named_with_its_line(tmp_path, line, complaint):
    problems = label_problems(written(tmp_path, line), CORPUS)
    assert any(complaint in problem for problem in problems), problems
    with pytest.raises(ValueError, match="problems? in .*queries.jsonl"):
        load_labels(tmp_path / "queries.jsonl", CORPUS)


def test_all_problems_are_reported_at_once(tmp_path):
    problems = label_problems(
        written(tmp_path, GOOD, "{", {**GOOD, "query": "What  NOW?"}, with_judgment(doc_id="d7", grade=9)),
        CORPUS,
    )
    assert [problem.split(":")[0] for problem in problems] == [
        "line 2",
        "line 4, judgments.0.grade",
        "query_id 'q1' stands in 2 lines",
        "query 'what now?' stands in 2 lines",
    ]


def test_a_file_without_a_query_is_a_problem_and_one_that_is_not_there_an_error(tmp_path):
    assert label_problems(written(tmp_path, "", "  "), CORPUS) == ["the file holds no query"]
    with pytest.raises(FileNotFoundError, match="one labelled query a line"):
        load_labels(tmp_path / "none.jsonl", CORPUS)


def test_a_line_separator_inside_a_query_does_not_end_the_line(tmp_path):
    (label,) = load_labels(
        written(tmp_path, json.dumps({**GOOD, "query": "what\u2028now"}, ensure_ascii=False)), CORPUS
    )
    assert label.query == "what\u2028now"


def test_own_queries_are_saved_and_read_back(tmp_path):
    label = LabelledQuery.model_validate(GOOD)
    path = save_labels(tmp_path / "mine.jsonl", [label], CORPUS)
    assert load_labels(path, CORPUS) == [label]
    assert '"quote": ""' not in path.read_text()


def test_what_could_not_be_read_again_is_not_saved_and_the_old_file_stays(tmp_path):
    path = save_labels(tmp_path / "mine.jsonl", [LabelledQuery.model_validate(GOOD)], CORPUS)
    before = path.read_bytes()
    unknown = {**with_judgment(doc_id="d9"), "relevant_doc_ids": ["d9", "d1"]}
    with pytest.raises(ValueError, match="1 problem in .*mine.jsonl:\n.*'d9' is not in the corpus"):
        save_labels(path, [LabelledQuery.model_validate(unknown)], CORPUS)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["mine.jsonl"]


def test_the_shipped_labels_are_never_overwritten(runbooks):
    shipped = load_labels(files.QUERIES, runbooks.corpus)
    before = files.QUERIES.read_bytes()
    with pytest.raises(ValueError, match="save yours beside it"):
        save_labels(files.QUERIES.parent / "." / files.QUERIES.name, shipped[:1], runbooks.corpus)
    assert files.QUERIES.read_bytes() == before


def test_the_shipped_file_is_what_saving_it_would_write(runbooks, tmp_path):
    again = save_labels(
        tmp_path / "again.jsonl", load_labels(files.QUERIES, runbooks.corpus), runbooks.corpus
    )
    assert again.read_bytes() == files.QUERIES.read_bytes()
    assert labels.label_problems(files.QUERIES, runbooks.corpus) == []


def test_a_readers_own_query_is_added_beside_the_shipped_ones(tmp_path):
    path = tmp_path / "my_queries.jsonl"
    judgments = [("d2", 2, "Restart them"), ("d3", 0, "")]
    first = labels.add_query(path, "how do I restart?", "question", judgments, CORPUS)
    second = labels.add_query(path, "restart what?", "ambiguous", judgments, CORPUS)
    assert (first.query_id, second.query_id) == ("my01", "my02")
    assert load_labels(path, CORPUS) == [first, second]
    assert first.relevant_doc_ids == ("d2",)


def test_a_quote_is_looked_for_in_the_corpus_that_it_was_made_for():
    complaint = "query 'q1': the quote 'Restart them in order.' is not in document 'd2'; another corpus"
    with pytest.raises(ValueError, match=complaint):
        quote_spans(LabelledQuery.model_validate(GOOD), {"d1": CORPUS["d1"]})


def test_a_link_to_ones_own_file_stays_a_link(tmp_path):
    (tmp_path / "kept").mkdir()
    link = tmp_path / "mine.jsonl"
    link.symlink_to(tmp_path / "kept" / "mine.jsonl")
    save_labels(link, [LabelledQuery.model_validate(GOOD)], CORPUS)
    assert link.is_symlink()
    assert len(load_labels(tmp_path / "kept" / "mine.jsonl", CORPUS)) == 1


@pytest.mark.parametrize(
    ("query", "kind", "judgments", "complaint"),
    [
        ("what?", "question", [], "a query that no document answers"),
        ("what?", "question", [("d2", 2, "Not there")], "is not in document 'd2' word for word"),
        ("what?", "hard", [("d2", 2, "Restart them")], "kind: needed 'identifier'"),
        (
            "what?",
            "question",
            [("d2", 7, "Restart them")],
            "judgments.0.grade|grade: needed 2 or less",
        ),
        ("how do I restart?", "question", [("d2", 2, "Restart them")], "already, as my01; nothing was added"),
    ],
)
def test_a_query_with_a_problem_is_not_added_and_the_file_stays(tmp_path, query, kind, judgments, complaint):
    path = tmp_path / "my_queries.jsonl"
    labels.add_query(path, "how do I restart?", "question", [("d2", 2, "Restart them")], CORPUS)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=complaint):
        labels.add_query(path, query, kind, judgments, CORPUS)
    assert path.read_bytes() == before
