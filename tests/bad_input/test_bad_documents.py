"""Documents, corpora and snapshots that cannot be read, or not whole: what is left out is said."""

import json
import sys
from pathlib import Path

import pytest
from small_project import said_of
from tiny_model import write_model

from helpers.datasets import (
    load_beir,
)
from helpers.encoders import load_encoder
from helpers.evaluation import save_results
from workbench import (
    CorpusFolder,
    EvaluationDataset,
    QueryBudget,
    SourceDocument,
    build_snapshot,
    evaluate_run,
    load_dataset,
    load_snapshot,
    open_system,
)
from workbench.corpus.near_duplicates import near_duplicates
from workbench.corpus.reading import read_files
from workbench.dataset_files import from_qrels, to_beir
from workbench.exchange import (
    write_sheet,
)
from workbench.projects import draft_queries


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


# Texts that are not what their readers see


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.jsonl", "<div><p>Reset it.</p></div>", "1 document holds HTML that is read as text"),
        ("a.txt", "Of M&uuml;ller, today.", "1 document holds HTML that is read as text"),
        ("a.md", "M&uuml;ller l&auml;uft &uuml;ber die Stra&szlig;e, Gr&ouml;&szlig;e 4", "holds HTML"),
        ("a.jsonl", r"One line.\n\nAnother.", r"1 document holds \n or \u00e9 in letters"),
        ("a.jsonl", r"The caf\u00e9 is open.", r"1 document holds \n or \u00e9 in letters"),
        ("a.txt", "con\ufb01gure it", "1 document holds ligatures, two letters in one sign"),
    ],
)
def test_a_text_that_no_query_will_find_is_named_with_the_cure(tmp_path, name, text, words):
    content = json.dumps({"_id": "a", "text": text}) if name == "a.jsonl" else text
    (tmp_path / name).write_text(content, encoding="utf-8")
    (note,) = read_files(tmp_path).notes
    assert words in note and (": a;" in note or f": {name};" in note)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", "Write `<p>` or `&nbsp;`:\n```\n<p>so</p>\n```\nR&D; a < b; if (a && b); x"),
        ("a.jsonl", "See `\\\\n\\\\n`, C:\\\\new, and \\\\u00e9."),
        ("a.md", "# A<br>\n\n<p>Some&nbsp;text</p> and &copy; &lt;p&gt;, &uuml; is written M&uuml;ller"),
        ("a.html", "<p>Write &lt;p&gt;so&lt;/p&gt;, &amp;uuml;"),
    ],
)
def test_a_text_about_html_or_escapes_is_none_of_these(tmp_path, name, text):
    content = json.dumps({"_id": "a", "text": text}) if name == "a.jsonl" else text
    (tmp_path / name).write_text(content)
    assert not read_files(tmp_path).notes


def read_one(folder, name, content):
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (document,) = read_files(folder / name).documents
    return document


def test_signs_that_nobody_sees_part_no_word_of_a_record(tmp_path):
    record = json.dumps({"_id": "a", "title": "Daten\u00adschutz", "text": "in\u200bput"})
    document = read_one(tmp_path, "a.jsonl", record)
    assert (document.title, document.text) == ("Datenschutz", "input")


def test_pictures_that_are_written_into_a_text_are_no_words_of_it(tmp_path):
    picture = "data:image/png;base64," + 50 * "iVBORw0KGgo="
    text = f"# Keys\n\nPress ![it]({picture}) or ![that][image1].\n\n[image1]: <{picture}>\n"
    assert read_one(tmp_path, "a.md", text).text == "Press ![it]() or ![that][image1]."
    short = "Such as data:text/plain;base64,SGVsbG8= here."
    assert read_one(tmp_path, "b.md", short).text == short


def test_long_front_matter_is_read_and_one_that_is_too_long_is_told(tmp_path):
    head = "---\ntitle: Keys\ntags:\n" + 3000 * "  - a tag of it\n"
    assert read_one(tmp_path, "a.md", f"{head}---\nTurn it.").text == "Turn it."
    (tmp_path / "a.md").write_text(head + 20_000 * "  - a tag of it\n" + "---\nTurn it.")
    assert "a.md: the front matter has more than 200,000 characters" in read_files(tmp_path).notes[0]


@pytest.mark.parametrize(
    ("said", "encoding", "text"),
    [
        ("gb2312", "gbk", "朱镕基 said so"),
        ("euc-kr", "cp949", "똠방각하 said so"),
        ("shift_jis", "cp932", "①髙橋 said so"),
        ("utf-16", "cp1252", "wählen in Köln."),
    ],
)
def test_a_page_is_read_in_the_encoding_that_its_name_means_on_the_web(tmp_path, said, encoding, text):
    page = f"<html><head><meta charset={said}></head><body><p>{text}</p></body></html>"
    assert read_one(tmp_path, "a.html", page.encode(encoding)).text == text


@pytest.mark.parametrize("name", ["a.html", "a.md", "a.txt"])
def test_a_page_that_was_saved_as_mhtml_is_left_out_by_any_name(tmp_path, name):
    head = (
        "From: <Saved by Blink>\nSubject: Reset\nMIME-Version: 1.0\nContent-Type: multipart/related;\n\tx=y\n"
    )
    (tmp_path / name).write_text(f"{head}\n<html><body>Reset=20it</body></html>")
    assert read_files(tmp_path / name).left_out[0].reason.startswith("MHTML, a page with its pictures")


@pytest.mark.parametrize(
    "head",
    [
        "<meta http-equiv=refresh content=300>",
        "<noscript><meta http-equiv=refresh content='0; url=x'></noscript>",
    ],
)
def test_a_page_that_is_read_again_by_itself_leads_nowhere(tmp_path, head):
    assert read_one(tmp_path, "a.html", f"<title>T</title>{head}<p>All is well.").text == "All is well."


@pytest.mark.parametrize("name", ["queries_test.jsonl", "queries-dev.jsonl", "test_queries.jsonl"])
def test_queries_beside_a_corpus_are_no_documents_whatever_their_split(tmp_path, name):
    (tmp_path / name).write_text('{"_id": "q1", "text": "keys?"}\n')
    assert [one.doc_id for one in read_files(tmp_path).documents] == ["q1"]
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "text": "Keys."}\n')
    reading = read_files(tmp_path)
    assert [one.doc_id for one in reading.documents] == ["a"]
    assert reading.left_out[0].reason.startswith("queries by its name")


@pytest.mark.parametrize(
    ("name", "content", "body"),
    [
        ("a.md", "[![b](x.svg)](y) ![c](z)\n\n# Reset\n\nSo.", "[![b](x.svg)](y) ![c](z)\n\n\nSo."),
        ("a.md", "[[toc]]\n\n# Reset\nSo.", "[[toc]]\n\nSo."),
        ("a.md", "<!-- of\n# us -->\n# Reset\nSo.", "<!-- of\n# us -->\nSo."),
        ("a.md", "<p align=center>\n  Fast.\n</p>\n\n# Reset\nSo.", "<p align=center>\n  Fast.\n</p>\n\nSo."),
        ("a.md", "Reset\n=====\n\nSo.", "So."),
        ("a.md", "# Reset {#reset}\n\nSo.", "So."),
        ("a.rst", ".. meta::\n   :key: value\n\nReset\n=====\n\nSo.", ".. meta::\n   :key: value\n\nSo."),
        ("a.adoc", "////\nof us\n\nall\n////\n= Reset\n\nSo.", "So."),
    ],
)
def test_a_title_below_what_is_no_prose_is_the_title_and_no_text_is_lost(tmp_path, name, content, body):
    document = read_one(tmp_path, name, content)
    assert (document.title, document.text) == ("Reset", body)


@pytest.mark.parametrize("content", ["Prose first.\n\n# Reset\n\nSo.", "![a](b) is it\n\n# Reset", "a\n=b\n"])
def test_a_heading_below_prose_is_no_title(tmp_path, content):
    assert read_one(tmp_path, "a.md", content).title == ""


@pytest.mark.parametrize("value", [None, float("nan"), 5, {"text": "x"}])
def test_a_corpus_with_what_is_no_text_becomes_no_folder_of_beir(tmp_path, value):
    dataset = from_qrels({"q1": "cats"}, {"q1": {"d1": 1}}, "pets", "")
    with pytest.raises(ValueError, match="1 document of the corpus without a text: 'd2' is"):
        to_beir(dataset, tmp_path / "beir", {"d1": "A cat.", "d2": value})
    assert not list(tmp_path.iterdir())


def test_documents_of_one_id_draft_no_queries():
    page = SourceDocument("a", "Doors", "Turn the key.", "a")
    with pytest.raises(ValueError, match="1 doc_id of several documents: a;"):
        draft_queries([page, page])


def test_where_no_query_is_drafted_it_is_said_what_the_templates_need_and_which_would_do():
    texts = ["Soup kitchen canteen noon.", "Reset token desk client.", "Toner paper here jams."]
    pages = [SourceDocument(f"{i}.html", "ACME Intranet", text, "") for i, text in enumerate(texts)]
    with pytest.raises(ValueError, match="a title that no other .*; {terms} would draft some$"):
        draft_queries(pages, templates=["{title}"])
    assert len(draft_queries(pages, templates=["{title}", "{terms}"]).queries) == 3
    with pytest.raises(ValueError, match="a title .* or a heading .* or three words .*templates need$"):
        draft_queries([SourceDocument("a", "", "x y", "")])


def test_a_template_with_a_format_is_told_what_it_may_hold():
    with pytest.raises(ValueError, match="'{title:d}' must hold {title}, {heading} or {terms}"):
        draft_queries([SourceDocument("a", "Doors", "Turn it.", "a")], templates=["{title:d}"])


def test_a_size_of_pieces_below_one_is_told_so(made):
    with pytest.raises(ValueError, match="chunk_size is 0; needed 1 or more tokens"):
        build_snapshot(made[0], "csr-bm25", chunker="fixed", chunk_size=0)


def test_where_most_files_need_the_extra_the_first_line_says_how_it_is_installed(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "kreuzberg", None)
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(b"%PDF-1.4\n")
    said = r"^[^\n]*pip install 'measure-first\[documents\]'"
    with pytest.raises(ValueError, match=said):
        read_files(tmp_path)
    (tmp_path / "c.md").write_text("Turn the key.")
    with pytest.raises(ValueError, match=said):
        read_files(tmp_path)


@pytest.mark.parametrize("value", [None, SourceDocument("a", "", "x", "a")])
def test_near_duplicates_are_looked_for_among_texts(value):
    with pytest.raises(ValueError, match=r"texts\['a'\] is a \w+; needed a str"):
        near_duplicates({"a": value, "b": "x"})


def test_two_ids_that_look_the_same_are_told_however_they_come(tmp_path, recwarn):
    corpus = CorpusFolder.init(tmp_path / "c")
    twins = ["caf\u00e9.md", "cafe\u0301.md"]
    with pytest.warns(UserWarning, match="look the same are of two documents, in two forms of Unicode"):
        added = corpus.add([SourceDocument(one, "", f"hours {n}", one) for n, one in enumerate(twins)])
    assert len(added.added) == 2
    corpus.add([SourceDocument(f"{n}.md", "", "hours", f"{n}.md") for n in range(3)])
    assert not recwarn.list


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"PK\x03\x04" + bytes(30), "name a Word document .docx"), (b"\x1f\x8b" + bytes(30), "gzip; unpack it")],
)
def test_packed_files_under_the_name_of_a_page_are_told_what_to_do(tmp_path, content, reason):
    (tmp_path / "manual.md").write_bytes(content)
    (left_out,) = read_files(tmp_path / "manual.md").left_out
    assert reason in left_out.reason


def _house(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "house")
    corpus.add([SourceDocument("doors.md", "Doors", "the key", "doors.md")])
    return corpus


def test_a_corpus_to_which_somebody_else_added_is_opened_again(tmp_path):
    """As a notebook that was open while documents were read in a terminal."""
    old = _house(tmp_path)
    new = CorpusFolder.open(old.path)
    new.add([SourceDocument("fire.md", "Fire", "the stairs", "fire.md")])
    snapshot = build_snapshot(new, "csr-bm25")
    says = r"have changed since it was opened here \(1 then, 2 now\); open it again: CorpusFolder.open"
    with pytest.raises(ValueError, match=says):
        build_snapshot(old, "csr-bm25")
    with pytest.raises(ValueError, match=says):
        open_system(snapshot, old)
    with pytest.raises(ValueError, match=says):
        load_snapshot(old)
    # What is there again as it was is no other corpus.
    written = (new.path / "corpus.jsonl").read_bytes()
    (new.path / "corpus.jsonl").write_bytes(written)
    assert build_snapshot(new, "csr-bm25").snapshot_id == snapshot.snapshot_id


def test_a_corpus_that_was_moved_is_opened_where_it_is(tmp_path):
    corpus = _house(tmp_path)
    corpus.path.rename(tmp_path / "home")
    for use in (lambda: build_snapshot(corpus), lambda: corpus.add([])):
        with pytest.raises(FileNotFoundError, match="house is not there any more; was it moved or deleted"):
            use()
    assert not corpus.path.exists()


def test_a_page_that_was_renamed_and_is_left_out_as_a_copy_is_told(tmp_path):
    text = "# Refunds\n\nCustomers may return shoes within thirty days for a refund, if they are clean.\n"
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "refund.md").write_text(text)
    corpus = CorpusFolder.init(tmp_path / "house")
    corpus.ingest(tmp_path / "docs")
    (tmp_path / "docs" / "second.md").write_text(text)
    assert not corpus.ingest(tmp_path / "docs", "leave-out").notes
    (tmp_path / "docs" / "second.md").unlink()
    (tmp_path / "docs" / "refund.md").rename(tmp_path / "docs" / "returns.md")
    (tmp_path / "docs" / "other.md").write_text(
        "# Hours\n\nThe shop is open from nine to five on weekdays.\n"
    )
    said = "1 document left out beside one whose file is not there any more: returns.md as refund.md; was it"
    assert said in " ".join(corpus.ingest(tmp_path / "docs", "leave-out").notes)


def test_the_folder_of_a_program_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ValueError, match="home is '.*typo', and no folder is there; needed the folder"):
        open_system("my_search:search", _house(tmp_path), home=tmp_path / "typo")


def test_the_text_of_a_file_is_no_path():
    with pytest.raises(ValueError, match="longer than a name can be; .*is it the text itself"):
        load_dataset(json.dumps({"name": "house", "description": 300 * "x"}))


def test_a_dataset_that_was_copied_unchecked_is_refused(tmp_path):
    row = {"query_id": "q1", "query_text": "key", "expected_item_id": "doors.md", "kind": "gold"}
    dataset = EvaluationDataset(schema_version=1, name="house", description="", queries=[row])
    spoilt = dataset.model_copy(update={"queries": [row]})
    with pytest.raises(ValueError, match=r"dataset.queries\[0\] is a dict; needed an EvaluationQuery; model"):
        evaluate_run(_house(tmp_path), lambda query, k: ["doors.md"], spoilt, QueryBudget(max_total_items=5))
    with pytest.raises(ValueError, match="'key' is no id but the text of 'q1'; judgments are {query_id: "):
        EvaluationDataset(**dataset.model_dump() | {"judgments": {"key": {"doors.md": 1}}})


def test_queries_of_a_dataset_that_are_texts_by_their_ids_are_sent_to_what_takes_them():
    with pytest.raises(ValueError, match="each an EvaluationQuery, found a dict; .*from_qrels"):
        EvaluationDataset(schema_version=1, name="w", description="", queries={"q1": "reset password"})
