"""A folder of Markdown documents is read whole or refused with every problem; the verb `labels` too."""

import json
from datetime import date

import pytest

from course.__main__ import main
from helpers import datasets
from helpers.base import files
from helpers.datasets.runbooks import Document, read_documents

PAGE = """---
doc_id: {name}
title: Restart the notifier
kind: runbook
service: notifier
updated: 2026-03-14
---

## When

It hangs.

---

A rule inside the page ends nothing.
"""


@pytest.fixture
def wiki(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in ("d1", "d2"):
        (folder / f"{name}.md").write_text(PAGE.format(name=name), encoding="utf-8")
    return folder


def test_a_page_is_its_facts_and_its_body(wiki):
    body = "## When\n\nIt hangs.\n\n---\n\nA rule inside the page ends nothing."
    expected = Document("d1", "Restart the notifier", "runbook", "notifier", date(2026, 3, 14), body)
    assert read_documents(wiki)[0] == expected
    assert expected.text == f"Restart the notifier {body}"


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(wiki):
    expected = read_documents(wiki)
    for path in wiki.iterdir():
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_documents(wiki) == expected


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("---\ndoc_id", "doc_id", "needed front matter between two lines of three dashes"),
        (
            "title: Restart the notifier",
            "title: Restart: the notifier",
            "mapping values are not allowed here",
        ),
        ("title: Restart the notifier\n", "", "'title' is missing"),
        ("service: notifier", "service: notifier\nowner: me", "'owner' is not one of them"),
        ("title: Restart the notifier", "title: 2026", "title is 2026; needed text"),
        ("title: Restart the notifier", "title: on", "title is True; needed text"),
        ("doc_id: d1", "doc_id: d3", "doc_id is 'd3'; needed the file's own name, 'd1'"),
        ("kind: runbook", "kind: note", "kind is 'note'; needed one of overview, runbook"),
        ("2026-03-14", "March 2026", "updated is 'March 2026'; needed a date"),
        ("2026-03-14", "2026-02-30", "the front matter cannot be read"),
        ("title: Restart the notifier", "title: One\ntitle: Two", "the key 'title' stands there 2 times"),
        (
            "title: Restart the notifier",
            "title: Bug # or feature",
            "title is read as 'Bug' from 'Bug # or feature'; put it in quotes",
        ),
        (PAGE.split("---\n\n", 1)[1], "", "the body is empty"),
    ],
)
def test_each_problem_is_named_with_its_file(wiki, old, new, complaint):
    path = wiki / "d1.md"
    page = path.read_text(encoding="utf-8")
    assert old in page
    path.write_text(page.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match="problems? in ") as error:
        read_documents(wiki)
    assert "d1.md: " in str(error.value)
    assert complaint in str(error.value)


def test_all_problems_of_all_files_come_at_once(wiki):
    for path in wiki.iterdir():
        path.write_text(
            path.read_text(encoding="utf-8").replace("runbook", "note").replace("service: ", "team: "),
            encoding="utf-8",
        )
    (wiki / "d3.md").write_bytes(b"---\ndoc_id: d3\n\xff")
    with pytest.raises(ValueError) as error:
        read_documents(wiki)
    assert str(error.value).startswith("7 problems in")
    assert "d3.md: not valid UTF-8 (byte 16 of the file)" in str(error.value)


def test_what_is_no_readable_file_is_a_problem_among_the_others(wiki):
    (wiki / "d0.md").mkdir()
    (wiki / "d9.md").symlink_to("nowhere.md")
    with pytest.raises(ValueError, match="(?s)2 problems.*d0.md: this is no file.*d9.md: this is no file"):
        read_documents(wiki)


def test_quoted_titles_and_three_dashes_with_a_blank_after_them_are_fine(wiki):
    path = wiki / "d1.md"
    page = path.read_text(encoding="utf-8").replace(
        "title: Restart the notifier", "title: 'INC-1: the # of it'"
    )
    path.write_text(page.replace("---\n", "--- \n", 2), encoding="utf-8")
    assert read_documents(wiki)[0].title == "INC-1: the # of it"


def test_a_folder_that_is_not_there_is_told_from_an_empty_one(tmp_path):
    with pytest.raises(FileNotFoundError, match="is no folder"):
        read_documents(tmp_path / "none")


def test_a_folder_without_a_page_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="holds no document; needed Markdown files"):
        read_documents(tmp_path)


# The verb


@pytest.fixture
def query_file(tmp_path):
    path = tmp_path / "mine.jsonl"
    judgments = [{"doc_id": "d1", "grade": 2, "quote": "It hangs."}, {"doc_id": "d2", "grade": 0}]
    line = {
        "query_id": "q1",
        "query": "hanging?",
        "relevant_doc_ids": ["d1"],
        "kind": "question",
        "judgments": judgments,
    }
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return path


def test_own_documents_and_queries_are_checked_and_loaded(wiki, query_file, capsys):
    assert main(["labels", str(query_file), str(wiki)]) == 0
    assert "mine.jsonl: 1 query, 2 judgments; no problem found" in capsys.readouterr().out
    dataset = datasets.load_runbooks(wiki, query_file)
    assert dataset.qrels == {"q1": {"d1": 2, "d2": 0}}
    assert str(query_file) in dataset.source


def test_problems_go_to_stderr_with_exit_code_2(wiki, query_file, capsys):
    query_file.write_text(query_file.read_text().replace("It hangs.", "It sings."), encoding="utf-8")
    assert main(["labels", str(query_file), str(wiki)]) == 2
    said = capsys.readouterr()
    assert "the quote 'It sings.' is not in document 'd1' word for word" in said.err
    assert not said.out


def test_one_argument_is_not_enough(query_file, capsys):
    assert main(["labels", str(query_file)]) == 2
    assert "its documents are missing; give their folder as well" in capsys.readouterr().err


def test_coverage_and_top_ten_are_what_documents_labels_and_baseline_give(cl100k, capsys):
    before = files.COVERAGE.read_bytes(), files.BM25_TOP10.read_bytes()
    assert main(["labels"]) == 0
    assert "wrote evals/coverage.md" in capsys.readouterr().out
    assert (files.COVERAGE.read_bytes(), files.BM25_TOP10.read_bytes()) == before
