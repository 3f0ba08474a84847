"""Documents, corpora and snapshots that cannot be read, or not whole: what is left out is said."""

from pathlib import Path

import pytest
from small_project import said_of
from tiny_model import write_model

from helpers.datasets import (
    load_beir,
)
from helpers.encoders import load_encoder
from helpers.evaluation import save_results
from workbench import CorpusFolder, EvaluationDataset, SourceDocument, build_snapshot, evaluate_run
from workbench.exchange import (
    write_sheet,
)


def test_a_sheet_says_where_it_cuts_a_document(tmp_path):
    row = ("q1", "keys?", "a.md", "Doors", 5000 * "x")
    text = write_sheet(tmp_path / "sheet.csv", [row]).read_text(encoding="utf-8-sig")
    assert "xx […] cut here: 2,000 of 5,000 characters; the corpus has all" in text


def test_the_folder_of_a_project_is_not_its_corpus(project, capsys):
    line = "evaluate --corpus . --dataset datasets/gold.json --system csr-bm25"
    assert ". is no corpus: it has no corpus.json; give corpus" in said_of(capsys, line)[2]


def test_what_is_not_read_of_documents_is_noted(project, capsys):
    Path("docs").mkdir()
    Path("docs/a.jsonl").write_text('{"_id": "a", "text": "soup \\ud800", "url": "x"}\n')
    Path("docs/b.md").write_text("---\ndoc_id: [1, 2]\n---\nsoup")
    code, out, _ = said_of(capsys, "ingest --corpus corpus docs")
    assert code == 0 and "fields that are not read: 'url'" in out and "became U+FFFD in 1 line" in out
    assert "doc_id of the front matter is no text" in out


def test_documents_without_a_text_of_their_own_are_left_out_by_name(project, capsys):
    Path("all/docs").mkdir(parents=True)
    Path("all/docs/pointer.md").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1\n")
    Path("all/docs/app.html").write_text("<title>App</title><body><div id=root></div></body>")
    Path("all/docs/merge.md").write_text("# Dogs\n\n<<<<<<< HEAD\nbark\n=======\nhowl\n>>>>>>> theirs\n")
    for name in ("cats.md", "cafe\u0301.md", "caf\u00e9.md"):
        Path(f"all/docs/{name}").write_text(f"# Cats\n\nThey sleep, {len(name)}.")
    code, out, _ = said_of(capsys, "ingest all/docs --corpus corpus")
    assert code == 0 and "a pointer of Git LFS and not the file itself" in out
    assert "merge.md: an unfinished merge" in out and "both sides were read; choose one" in out
    assert "it has a title and no text" in out and "differ in how their accents are written" in out
    Path("all/docs/cats.md").write_text("")
    code, out, _ = said_of(capsys, "ingest all --corpus corpus --allow-left-out")
    assert "3 documents are word for word in the corpus already" in out, out
    assert "the older text" in said_of(capsys, "ingest all/docs --corpus corpus --allow-left-out")[1]


def test_a_vocabulary_that_was_cut_off_is_refused_and_one_that_lacks_a_line_is_named(tmp_path):
    vocabulary = write_model(tmp_path / "m") / "vocab.txt"
    lines = vocabulary.read_text().splitlines()
    vocabulary.write_text("\n".join(lines[:-1]) + "\n")
    with pytest.warns(UserWarning, match="m: 17 word pieces for 18 word embeddings; .* if a line"):
        load_encoder(tmp_path / "m")
    vocabulary.write_text("\n".join(lines[:9]) + "\n")
    with pytest.raises(ValueError, match="9 word pieces for 18 word embeddings; the vocabulary is cut off"):
        load_encoder(tmp_path / "m")


def test_a_packed_corpus_is_told_to_be_unpacked(tmp_path):
    (tmp_path / "queries.jsonl.gz").write_bytes(b"\x1f\x8b")
    with pytest.raises(FileNotFoundError, match="queries.jsonl.gz is: unpack it, gunzip"):
        load_beir("mine", path=tmp_path)


def test_a_file_where_a_folder_should_be_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError, match="a file stands where a folder is needed: .*file'"):
        save_results("rows", [], tmp_path / "file" / "sub")


def test_of_several_paths_what_was_read_before_an_error_is_said(project, capsys):
    for name in ("A", "B"):
        Path(name).mkdir()
        Path(f"{name}/index.md").write_text(f"# {name}\n\nAll of {name} is here.")
    code, _, err = said_of(capsys, "ingest A corpus --corpus corpus")
    assert code == 2 and "is in the corpus: A" in err
    code, out, _ = said_of(capsys, "ingest A B --corpus corpus")
    assert code == 0 and "1 document takes the place of those of A, index.md" in out


def test_sizes_of_pieces_that_do_not_go_together_blame_no_document(project, capsys):
    code, _, err = said_of(capsys, "snapshot --corpus corpus --chunker fixed --chunk-size 10")
    assert code == 2 and "less than the 50 tokens that chunks share by default" in err and "--overlap" in err
    assert "document" not in err


def test_a_damaged_snapshot_stops_no_other(project, capsys):
    Path("corpus/snapshots/0123456789abcdef").mkdir(parents=True)
    code, out, _ = said_of(capsys, "snapshot --corpus corpus")
    assert code == 0 and "another snapshot cannot be read: " in out and "0123456789abcdef" in out


def test_long_pages_that_are_not_cut_are_told(project, capsys):
    Path("page.html").write_text("<title>T</title>" + "".join(f"<p>Line {n}.</p>" for n in range(50)))
    assert said_of(capsys, "ingest page.html --corpus corpus")[0] == 0
    _, out, _ = said_of(capsys, "snapshot --corpus corpus --chunker paragraphs")
    assert "1 long document is one item, without a blank line to cut at: page.html" in out
    assert "one item" not in said_of(capsys, "snapshot --corpus corpus --chunker recursive")[1]


def test_a_folder_of_documents_in_place_of_a_corpus_is_told_both_steps(project, capsys):
    Path("docs").mkdir()
    Path("docs/a.md").write_text("# A\n\nUse the key.")
    code, _, err = said_of(capsys, "snapshot --corpus docs")
    assert code == 2 and "workbench init NEW, then workbench ingest --corpus NEW docs" in err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (20 * "Käufer über ".encode() + b"\xc3", "UTF-8 but for bytes at its end; is the file cut off?"),
        ("Käufer über Öl\nund ".encode() + b"\xe4" + " Händler".encode(), "UTF-8 but for bytes in line 2;"),
        (
            20 * "Käufer\n".encode() + b"\xe4 a\n \xe4",
            "in 2 places, the first in line 21; was it put",
        ),
        ("M\ufffdnchen".encode(), "1 document holds \ufffd where an earlier conversion lost a letter: a.md"),
    ],
)
def test_letters_that_were_lost_are_told_with_their_place(project, capsys, content, words):
    Path("docs").mkdir()
    Path("docs/a.md").write_bytes(content)
    code, out, err = said_of(capsys, "ingest --corpus corpus docs")
    assert code == 0 and words in out + err
    assert "Ã" not in Path("corpus/corpus.jsonl").read_text()


def test_a_folder_in_the_layout_of_beir_is_told_how_it_becomes_a_corpus(project, capsys):
    said_of(capsys, "export out --format beir")
    code, _, err = said_of(capsys, "evaluate --corpus out --dataset datasets/gold.json")
    assert code == 2 and "workbench init NEW, then workbench ingest --corpus NEW out/corpus" in err
    assert said_of(capsys, "init new")[0] == said_of(capsys, "ingest --corpus new out/corpus.jsonl")[0] == 0


def test_a_query_that_is_not_utf8_is_told_also_where_something_is_found(project, capsys):
    said_of(capsys, "snapshot --corpus corpus")
    code, _, err = said_of(capsys, "query --corpus corpus 'R\udcfcckgabe word1'")
    assert code == 0 and "the query is not UTF-8, and is searched for as" in err


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_page_of_html_is_read_with_a_mark_of_utf8_and_one_with_another_doctype_is_told(
    project, capsys, mark
):
    page = b"<!DOCTYPE %s><html><head><title>T</title></head><body><p>hello there text</p></body></html>"
    Path("b.html").write_bytes(mark + page % b"html")
    assert said_of(capsys, "ingest --corpus corpus b.html")[0] == 0
    Path("a.html").write_bytes(mark + page % b"a")
    code, _, err = said_of(capsys, "ingest --corpus corpus a.html")
    assert code == 2 and "as no page of HTML; write <!DOCTYPE html>" in err


def test_an_empty_folder_is_told_what_it_should_hold(project, capsys):
    Path("empty").mkdir()
    code, _, err = said_of(capsys, "ingest --corpus corpus empty")
    assert code == 2 and "no document was read from empty; needed files ending in .md" in err


def test_a_folder_of_which_nothing_can_be_read_is_refused_like_one_of_which_little_can(made, tmp_path):
    (tmp_path / "un").mkdir()
    for number in range(3):
        (tmp_path / "un" / f"a{number}.odt").write_text("PK")
    with pytest.raises(
        ValueError, match="no document could be read from .*un; needed .*\na0.odt: files ending"
    ):
        made[0].ingest(tmp_path / "un")
    assert len(made[0].ingest(tmp_path / "un", allow_left_out=True).left_out) == 3
    assert len(made[0].ingest(tmp_path / "un" / "a0.odt").left_out) == 1


def test_records_of_which_none_can_be_read_are_refused(made, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": 1}\n' * 3)
    with pytest.raises(ValueError, match="no document could be read from .*\na.jsonl, line 1: "):
        made[0].ingest(tmp_path / "a.jsonl")


def test_of_many_records_that_cannot_be_read_a_place_is_named_for_each_reason(project, capsys):
    Path("kb.jsonl").write_text('{"_id": 1, "text": "a"}\n{"_id": "2"}\n{"_id": "1", "text": "c"}\n')
    code, _, err = said_of(capsys, "ingest --corpus corpus kb.jsonl")
    assert code == 2 and "1 time, as kb.jsonl, line 2: needed 'text'" in err
    assert "1 time, as kb.jsonl, line 3: its id" in err


def test_a_document_whose_id_is_that_of_an_older_one_in_another_form_is_told(project):
    corpus = CorpusFolder.open("corpus")
    corpus.add([SourceDocument("caf\u00e9.md", "", "old", "x")])
    with pytest.warns(UserWarning, match=r"has the id .*: 'cafe\\u0301.md' beside 'caf\\xe9.md'"):
        corpus.add([SourceDocument("cafe\u0301.md", "", "new", "x")])


def test_an_expected_id_in_another_form_of_unicode_is_called_so(made):
    corpus, _, dataset, budget = made
    corpus.add([SourceDocument("caf\u00e9.md", "", "coffee", "x")])
    rows = ({"query_id": "c", "query_text": "coffee", "expected_item_id": "cafe\u0301.md", "kind": "gold"},)
    mixed = EvaluationDataset(schema_version=1, name="m", description="", queries=(*dataset.queries, *rows))
    report = evaluate_run(corpus, build_snapshot(corpus, "csr-bm25"), mixed, budget)
    said = " ".join(report.warnings)
    assert r"'cafe\u0301.md' is 'caf\xe9.md' in the corpus, in other capitals" in said


def test_a_snapshot_that_was_damaged_is_said_to_be_built_again(project, capsys):
    line = "snapshot --corpus corpus --backend sqlite-full-text-search"
    assert said_of(capsys, line)[1].startswith("built:")
    assert said_of(capsys, line)[1].startswith("already there:")
    next(Path("corpus/snapshots").glob("*/index.sqlite")).write_bytes(b"nonsense")
    assert said_of(capsys, line)[1].startswith("built again, for it was damaged:")


def test_a_page_that_says_that_it_is_latin_1_was_not_guessed(project, capsys):
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>Größe wählen</p></body></html>'
    Path("alt.html").write_bytes(page.encode("latin-1"))
    code, out, err = said_of(capsys, "ingest --corpus corpus alt.html")
    assert code == 0 and "not UTF-8" not in out + err and "Größe" in Path("corpus/corpus.jsonl").read_text()
