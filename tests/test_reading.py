"""Files to documents: what is a title and what an id, and that nothing is left out without a reason."""

import builtins
import json
import os
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.datasets.beir import load_beir_corpus
from workbench.corpus import formats
from workbench.corpus.formats import MAX_BYTES, SourceDocument, as_id, as_shown
from workbench.corpus.html import from_html
from workbench.corpus.markup import from_markdown
from workbench.corpus.reading import LeftOut, Reading, n_left_out, read_files


def write(folder: Path, contents: dict[str, str | bytes]) -> Path:
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def read_one(folder: Path, name: str, content: str | bytes) -> SourceDocument:
    (document,) = read_files(write(folder, {name: content})).documents
    return document


def reasons(reading: Reading) -> dict[str, str]:
    return {item.path: item.reason for item in reading.left_out}


def records(*records: dict) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


# What a document is


def test_a_folder_is_read_to_its_depth_in_the_order_of_the_paths(tmp_path):
    write(tmp_path, {"b.txt": "second", "a/z/deep.txt": "first", "c.TXT": "third"})
    assert read_files(tmp_path).documents == [
        SourceDocument("a/z/deep.txt", "", "first", "a/z/deep.txt"),
        SourceDocument("b.txt", "", "second", "b.txt"),
        SourceDocument("c.TXT", "", "third", "c.TXT"),
    ]


def test_a_single_file_has_its_own_name_as_id(tmp_path):
    write(tmp_path, {"deep/in/page.txt": "text", "deep/in/other.txt": "no"})
    assert read_files(tmp_path / "deep/in/page.txt").documents == [
        SourceDocument("page.txt", "", "text", "page.txt")
    ]


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("# Cats\n\nThey sleep.", "Cats", "They sleep."),
        ("\n\n  #  C# ##\nThey sleep.", "C#", "They sleep."),
        ("They sleep.\n# Cats", "", "They sleep.\n# Cats"),
        ("#Cats\nThey sleep.", "", "#Cats\nThey sleep."),
        ("## Cats\nThey sleep.", "", "## Cats\nThey sleep."),
        ("---\ntitle: Cats\n---\n# Sleep\nLong.", "Cats", "# Sleep\nLong."),
        ("---\ntags: [a]\n---\n\n# Cats\nThey sleep.", "Cats", "They sleep."),
        ("---\r\ntitle: 'Cats: all'\r\n---\r\nThey sleep.\r\n", "Cats: all", "They sleep."),
        ("---\n---\nThey sleep.", "", "They sleep."),
        ("---\nThey sleep.\n---\nAll day.", "", "---\nThey sleep.\n---\nAll day."),
        ("# Cats", "Cats", ""),
        ("# C#", "C#", ""),
        ("# # #\t", "#", ""),
    ],
)
def test_the_title_of_markdown_is_that_of_its_front_matter_else_a_first_heading(tmp_path, text, title, body):
    document = read_one(tmp_path, "page.md", text)
    assert (document.title, document.text) == (title, body)


def test_front_matter_gives_an_id_that_stays_the_text_it_is(tmp_path):
    document = read_one(tmp_path, "page.md", "---\ndoc_id: 007\ntitle: No\n---\nBond.")
    assert document == SourceDocument("007", "No", "Bond.", "page.md")


def test_front_matter_that_is_no_yaml_stays_in_the_text_and_is_named(tmp_path):
    reading = read_files(write(tmp_path, {"page.md": "---\ntitle: Fix: restart\n---\nText."}))
    assert reading.documents[0].text == "---\ntitle: Fix: restart\n---\nText."
    assert len(reading.notes) == 1 and reading.notes[0].startswith(
        "page.md: the front matter is no YAML and stays in the text ("
    )


def test_a_rule_at_the_top_of_a_long_text_is_no_front_matter():
    text = "---\n" + "a: b\n" * 100_000 + "---\nend"
    started = time.perf_counter()
    *parts, problem = from_markdown(text)
    assert parts == ["", "", text] and "front matter has more than 200,000 characters" in problem
    assert time.perf_counter() - started < 30


def test_a_heading_with_a_million_blanks_is_read_at_once():
    started = time.perf_counter()
    assert from_markdown("# a" + " " * 1_000_000 + "b\nText.")[2] == "Text."
    assert from_markdown("# a" + " #" * 500_000)[1].count("#") == 499_999
    assert time.perf_counter() - started < 30


@pytest.mark.parametrize(
    ("page", "title", "body"),
    [
        ("<title>Cats</title><h1>All cats</h1><p>They <b>sl</b>eep.</p>", "Cats", "All cats\nThey sleep."),
        ("<title> </title><h1>All\n cats</h1><p>They sleep.", "All cats", "They sleep."),
        ("<p>one<p>two<div>three<span>four</span></div>five", "", "one\ntwo\nthreefour\nfive"),
        ("a<script>x</script><style>y</style><nav><a>Home</a></nav><!-- no -->b", "", "ab"),
        ("<svg><title>icon</title></svg><p>a &lt;b&gt; &amp;amp; c", "", "a <b> &amp; c"),
        ("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", "", "1 2\n3"),
        ("<pre>a:\n  b\n</pre>one<br>two\n three", "", "a:\n  b\none\ntwo three"),
        ("page.html", "", "page.html"),
    ],
)
def test_the_text_of_html_is_what_a_browser_shows(page, title, body):
    assert from_html(page) == (title, body)


def test_html_nested_without_end_is_read():
    assert from_html("<div>" * 20_000 + "deep" + "<b>er" * 5_000)[1].startswith("deeper")


def test_records_are_read_as_a_beir_corpus_is(tmp_path):
    lines = records(
        {"_id": "d1", "title": " Cats", "text": "They sleep. "}, {"_id": 7, "text": "x", "title": None}
    )
    write(
        tmp_path,
        {"corpus.jsonl": lines + "\r" + json.dumps({"_id": "d3", "text": "a\u2028b\r"}, ensure_ascii=False)},
    )
    documents = read_files(tmp_path).documents
    assert {document.source_uri for document in documents} == {"corpus.jsonl"}
    assert {d.doc_id: f"{d.title} {d.text}".strip() for d in documents} == load_beir_corpus(tmp_path)


A_TABLE = "are not read; save a table of documents as .jsonl, with _id, title and text on each line"


def test_the_queries_of_a_beir_dataset_do_not_become_documents(beir_folder):
    reading = read_files(beir_folder)
    assert [document.doc_id for document in reading.documents] == ["d1", "d2", "d3"]
    assert reasons(reading) == {
        "qrels/test.tsv": f"files ending in .tsv {A_TABLE}",
        "qrels/train.tsv": f"files ending in .tsv {A_TABLE}",
        "queries.jsonl": "queries by its name, no documents; give this file itself if it holds documents",
    }


# Ids and names


@given(
    st.text(alphabet=st.characters(), min_size=1)
)  # with half surrogate pairs, as names that are not UTF-8 have them
def test_an_id_holds_no_white_space_can_be_printed_and_is_an_id_itself(name):
    doc_id = as_id(name)
    assert doc_id and doc_id.split() == [doc_id]
    assert not re.search(r"[\x00-\x1f\x7f]", as_shown(name))
    assert doc_id.encode() and as_shown(name).encode()
    assert as_id(doc_id) == doc_id == as_id(as_shown(name))


def test_odd_names_become_ids_without_blanks(tmp_path):
    write(tmp_path, {"on call/Grüße 日本.md": "a", "100%.txt": "b", "tab\there.txt": "c"})
    assert [document.doc_id for document in read_files(tmp_path).documents] == [
        "100%.txt",
        "on%20call/Grüße%20日本.md",
        "tab%09here.txt",
    ]


def test_a_name_that_is_not_utf8_is_percent_encoded(tmp_path):
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_text("coffee")
    except OSError:
        pytest.skip("this file system takes no such name")
    assert read_files(tmp_path).documents == [SourceDocument("caf%E9.txt", "", "coffee", "caf%E9.txt")]


def test_an_id_given_with_white_space_is_changed_and_named(tmp_path):
    lines = records({"_id": "a b", "text": "x"}, {"_id": "c d", "text": "y"})
    reading = read_files(write(tmp_path, {"notes.jsonl": lines, "page.md": "---\ndoc_id: e f\n---\nz"}))
    assert [document.doc_id for document in reading.documents] == ["a%20b", "c%20d", "e%20f"]
    assert [note.partition(" so ")[2] for note in reading.notes] == [
        "'a b' is 'a%20b' here",
        "'e f' is 'e%20f' here",
    ]


def test_of_two_documents_with_one_id_the_first_is_kept_and_both_are_named(tmp_path):
    lines = records(
        {"_id": "x", "text": "first"}, {"_id": "y", "text": "fine"}, {"_id": "x", "text": "again"}
    )
    reading = read_files(write(tmp_path, {"a.jsonl": lines, "b.md": "---\ndoc_id: x\n---\nthird"}))
    assert [(document.doc_id, document.text) for document in reading.documents] == [
        ("x", "first"),
        ("y", "fine"),
    ]
    assert reasons(reading) == {
        "a.jsonl, line 3": "its id 'x' is that of a.jsonl, line 1 already; give it another",
        "b.md": "its id 'x' is that of a.jsonl, line 1 already; give it another",
    }


# Encodings


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["page.txt", "page.jsonl"])
def test_unicode_is_read_by_its_byte_order_mark(tmp_path, encoding, name):
    text = "Grüße\u2028日本 🙂"
    content = (
        json.dumps({"_id": "page.jsonl", "text": text}, ensure_ascii=False)
        if name.endswith("jsonl")
        else text
    )
    reading = read_files(write(tmp_path, {name: content.encode(encoding)}))
    assert reading == Reading([SourceDocument(name, "", text, name)], [], [])


def test_what_is_not_utf8_is_read_as_windows_1252_and_named(tmp_path):
    raw = "café – “crème”".encode("cp1252")
    lines = b'{"_id": "d1", "text": "' + raw + b'"}\n{"_id": "d2", "text": "' + "Grüße".encode() + b'"}\n'
    reading = read_files(write(tmp_path, {"a.txt": raw, "b.jsonl": lines, "c.txt": b"odd \x81"}))
    assert [document.text for document in reading.documents] == [
        "café – “crème”",
        "café – “crème”",
        "Grüße",
        "odd \x81",
    ]
    assert [note.partition(":")[0] for note in reading.notes] == ["a.txt", "b.jsonl", "c.txt"]
    assert all("not UTF-8, read as Windows-1252" in note for note in reading.notes)


def test_half_of_a_surrogate_pair_cannot_be_stored_and_is_replaced(tmp_path):
    reading = read_files(
        write(tmp_path, {"a.jsonl": r'{"_id": "d1", "title": "\ud83d", "text": "cut \ude42"}'})
    )
    assert reading.documents == [SourceDocument("d1", "\ufffd", "cut \ufffd", "a.jsonl")]


# What is left out


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("d.csv", "id,title\n", f"files ending in .csv {A_TABLE}"),
        ("d.json", "[]", f"files ending in .json {A_TABLE}"),
        ("page.odt", "PK", "files ending in .odt are not read; save it as .txt, .md or .html"),
        ("page.png", b"\x89PNG", "files ending in .png are no documents"),
        ("page.txt.gz", b"\x1f\x8b", "files ending in .gz are packed; unpack it"),
        ("Makefile", "all:", "files without an ending are not read, but for README and its like; rename it"),
        ("page.txt", b"cats\x00\x00", "binary, it holds NUL bytes; convert it to text"),
        (
            "page.txt",
            b"yB\xbd\xf2\x06\xf0\x84w\x12",
            "binary, it is not UTF-8 and holds control characters; convert it to text",
        ),
        ("page.jsonl", b"\x00" * 9, "binary, it holds NUL bytes; convert it to text"),
        (
            "page.txt",
            "Wo ist der Schlüssel?".encode("utf-16-le"),
            "it looks like UTF-16 without its byte order mark; save it as UTF-8",
        ),
        ("page.txt", b"\xff\xfe\x00", "its first bytes say utf-16-le, and it is not; save it as UTF-8"),
        ("page.txt", "", "empty"),
        ("page.md", " \n", "empty"),
        ("page.html", "<html><script>only()</script></html>", "empty"),
        ("page.jsonl", "\n\n", "empty"),
        (
            "page.txt",
            b"x" * (MAX_BYTES + 1),
            "5.0 MB; text files of more than 5 MB are not read: split it, or make it a .jsonl",
        ),
    ],
)
def test_a_file_that_gives_no_document_is_named_with_the_reason(tmp_path, name, content, reason):
    assert read_files(write(tmp_path, {name: content})) == Reading([], [LeftOut(name, reason)], [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"_id": "d1", "text": "cut o', "not valid JSON .*cut off"),
        ("[" * 100_000, "not valid JSON"),
        ('["d1"]', "needed a JSON object with _id and text"),
        ('{"text": "x"}', "needed an _id .* found None"),
        ('{"_id": true, "text": "x"}', "needed an _id .* found True"),
        ('{"_id": "d1"}', "needed 'text' as text, found None"),
        ('{"_id": "d1", "text": "x", "title": 3}', "needed 'title' as text, found 3"),
        ('{"_id": "d1", "text": " ", "title": ""}', "empty"),
        ('{"_id": "d1", "text": "' + "x" * MAX_BYTES + '"}', "a line of more than 5 MB"),
    ],
)
def test_a_bad_line_is_left_out_by_its_number_and_the_others_are_read(tmp_path, line, reason):
    good = records({"_id": "before", "text": "x"}), records({"_id": "after", "text": "y"})
    reading = read_files(write(tmp_path, {"a.jsonl": f"{good[0]}\n{line}\n{good[1]}"}))
    assert [document.doc_id for document in reading.documents] == ["before", "after"]
    assert [item.path for item in reading.left_out] == ["a.jsonl, line 3"]
    assert re.match(reason, reading.left_out[0].reason)


def test_a_reason_does_not_quote_a_whole_document(tmp_path):
    reading = read_files(write(tmp_path, {"a.jsonl": records({"_id": "d1", "text": ["x" * 100_000]})}))
    assert reading.left_out[0].reason.startswith("needed 'text' as text, found ['xx")
    assert len(reading.left_out[0].reason) <= 300


def test_ten_bad_lines_are_named_and_the_others_counted(tmp_path):
    write(tmp_path, {"a.jsonl": "no\n" * 1234 + records({"_id": "d1", "text": "x"})})
    reading = read_files(tmp_path, allow_left_out=True)
    assert [item.path for item in reading.left_out] == [f"a.jsonl, line {n}" for n in range(1, 11)] + [
        "a.jsonl"
    ]
    assert reading.left_out[-1].reason == "1,224 more of its lines, for such reasons"
    assert len(reading.documents) == 1


def test_hidden_files_and_folders_are_counted_in_one_note(tmp_path):
    write(tmp_path, {".git/config.txt": "a", ".env.txt": "b", "docs/.hidden.md": "c", "docs/page.md": "d"})
    reading = read_files(tmp_path)
    assert [document.doc_id for document in reading.documents] == ["docs/page.md"]
    assert (reading.left_out, reading.notes) == (
        [],
        ["3 hidden files and folders (their names begin with . or ~$) were not read"],
    )


def test_a_link_to_a_file_is_read_one_to_a_folder_is_named_and_a_loop_ends(tmp_path):
    write(tmp_path, {"docs/page.txt": "text"})
    links = {"loop": "..", "self.txt": "self.txt", "gone.txt": "nowhere", "same.txt": "page.txt"}
    for name, target in links.items():
        (tmp_path / "docs" / name).symlink_to(target)
    reading = read_files(tmp_path)
    assert [document.doc_id for document in reading.documents] == ["docs/page.txt", "docs/same.txt"]
    assert reasons(reading) == {
        "docs/loop": "a link to a folder is not followed; give that folder itself",
        "docs/gone.txt": "a link that leads nowhere",
        "docs/self.txt": "a link that leads nowhere",
    }


@pytest.mark.parametrize("name", ["page.md", "page.txt", "page.rst"])
def test_a_page_of_html_is_read_as_one_whatever_its_name(tmp_path, name):
    page = "<!DOCTYPE html><title>Cats</title><script>let a</script><p>They sleep &amp; eat."
    write(tmp_path, {name: page})
    reading = read_files(tmp_path)
    assert [(one.title, one.text) for one in reading.documents] == [("Cats", "They sleep & eat.")]
    assert reading.notes == [f"{name}: a page of HTML by its content, and read as one"]


@pytest.mark.parametrize(
    ("begin", "words"),
    [
        (b"{\\rtf1\\ansi Gr\\'fc\\'dfe}", "a file of RTF; save it as text"),
        (b"%PDF-1.7\n1 0 obj", "a PDF; needed text"),
        (b"PK\x03\x04" + bytes(30), "a packed file; name a Word document .docx"),
    ],
)
def test_what_is_no_text_by_its_first_bytes_is_left_out_with_what_it_is(tmp_path, begin, words):
    (tmp_path / "page.txt").write_bytes(begin)
    assert reasons(read_files(tmp_path))["page.txt"].startswith(words)


def test_a_pipe_is_not_waited_for(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "pipe.txt")
    assert reasons(read_files(tmp_path)) == {"pipe.txt": "no regular file"}


def test_files_and_folders_that_may_not_be_read_are_named(tmp_path, monkeypatch):
    write(
        tmp_path, {"locked/a.txt": "a", "b.txt": "b", "c.txt": "c"}
    )  # permissions do not bind root, who may run this

    def refused(path: object) -> PermissionError | None:
        locked = str(path) in (str(tmp_path / "locked"), str(tmp_path / "b.txt"))
        return PermissionError(13, "Permission denied", str(path)) if locked else None

    def guarded(function):
        def call(path, *args, **kwargs):
            if refused(path):
                raise refused(path)
            return function(path, *args, **kwargs)

        return call

    monkeypatch.setattr(os, "scandir", guarded(os.scandir))
    monkeypatch.setattr(formats, "open", guarded(builtins.open), raising=False)
    reading = read_files(tmp_path)
    assert [document.doc_id for document in reading.documents] == ["c.txt"]
    assert reasons(reading) == {
        "locked": "a folder that cannot be read (Permission denied)",
        "b.txt": "cannot be read (Permission denied)",
    }


def test_a_corpus_inside_the_folder_is_not_read_as_documents(tmp_path):
    write(tmp_path, {"corpora/mine/corpus.json": "{}", "corpora/mine/corpus.jsonl": "", "page.txt": "text"})
    reading = read_files(tmp_path)
    assert [document.doc_id for document in reading.documents] == ["page.txt"]
    assert [item.path for item in reading.left_out] == ["corpora/mine"]
    with pytest.raises(
        ValueError,
        match="mine is the folder of a corpus; give the folder of your documents, or .*corpus.jsonl",
    ):
        read_files(tmp_path / "corpora/mine")


def test_a_path_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere is not there; give a file, or a folder of .md"):
        read_files(tmp_path / "nowhere")


FRAGMENTS = [
    b"---\n",
    b"title: ",
    b"# ",
    b"\n",
    b"<p>",
    b"</p>",
    b"<title>",
    b"<nav>",
    b"<!--",
    b'{"_id": "d1", "text": "x"}',
    b"\\ud800",
]


@given(
    st.one_of(
        st.binary(max_size=300),
        st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.binary(max_size=3))).map(b"".join),
    ),
    st.sampled_from([".txt", ".md", ".html", ".jsonl"]),
)
def test_no_bytes_raise_and_all_are_accounted_for(tmp_path_factory, content, ending):
    path = tmp_path_factory.mktemp("fuzz") / f"page{ending}"
    path.write_bytes(content)
    reading = read_files(path, allow_left_out=True)
    assert reading.documents or reading.left_out
    for document in reading.documents:
        assert document.title.encode() + document.text.encode()


# The whole of it


def test_a_folder_of_500_mixed_files_is_read_in_seconds_and_every_file_is_accounted_for(tmp_path):
    rng = random.Random(0)
    words = ["restart", "pod", "Kueche", "Grüße", "timeout", "日本語"]

    def prose() -> str:
        return " ".join(rng.choices(words, k=300))

    makers = {
        "md": lambda: f"# {prose()[:30]}\n\n{prose()}",
        "txt": prose,
        "html": lambda: f"<html><title>{prose()[:30]}</title><body><p>{prose()}</p></body></html>",
        "jsonl": lambda: records(*({"_id": f"r{rng.random()}", "text": prose()} for _ in range(5))),
        "pdf": prose,
    }
    odd = {
        "binary.txt": b"\x7fELF\x00\x01",
        "empty.md": b"",
        "latin.txt": "Tür auf".encode("latin-1"),
        "large.txt": b"x" * 50_000_000,
        "broken.jsonl": b'{"_id": "ok", "text": "fine"}\n{"_id": \n',
    }
    endings = rng.choices(list(makers), k=500 - len(odd))
    usual = {f"part {n % 7}/sub/Seite {n} ü.{ending}": makers[ending]() for n, ending in enumerate(endings)}
    write(tmp_path, usual | odd)
    (tmp_path / "part 0" / "loop").symlink_to(tmp_path)

    started = time.perf_counter()
    reading = read_files(tmp_path)
    assert time.perf_counter() - started < 60
    assert len(reading.documents) == sum({"pdf": 0, "jsonl": 5}.get(ending, 1) for ending in endings) + 2
    expected = {name for name, ending in zip(usual, endings, strict=True) if ending == "pdf"}
    expected |= {"binary.txt", "empty.md", "large.txt", "broken.jsonl, line 2", "part 0/loop"}
    assert {item.path for item in reading.left_out} == expected
    assert reasons(reading)["large.txt"].startswith("50.0 MB; text files of more than 5 MB are not read")
    assert len(reading.notes) == 1 and reading.notes[0].startswith("latin.txt: not UTF-8")


def test_what_evaluates_the_documents_is_none_of_them(tmp_path):
    project = {
        f"docs/my-eval/{name}": "" for name in ("corpus/corpus.json", "corpus/corpus.jsonl", "queries.jsonl")
    }
    queries = json.dumps({"_id": "q1", "text": "a cat?"}) + "\n"
    pages = {"docs/a.md": "Cats.", "docs/my-eval/README.md": "# Mine", "docs/queries.jsonl": queries}
    reading = read_files(write(tmp_path, project | pages) / "docs")
    assert [one.doc_id for one in reading.documents] == ["a.md"]
    assert {one.path: one.reason.partition(",")[0] for one in reading.left_out} == {
        "my-eval": "an evaluation project",
        "queries.jsonl": "queries by its name",
    }


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        (
            "a.md",
            "---\nfaqs:\n  - q: how to reset it\n---\n",
            "no text but in fields that are not read (faqs)",
        ),
        (
            "a.txt",
            "日本語の文書".encode("iso-2022-jp"),
            "ISO-2022-JP, an old code for Japanese; save it as UTF-8",
        ),
        (
            "a.html",
            "<title>Old</title><meta http-equiv=refresh content='0; url=b.html'>",
            "leads on to another page",
        ),
        ("a.jsonl", "[" + "x" * MAX_BYTES + "]", "begins as a list of JSON; write a record a line"),
    ],
)
def test_why_a_file_gives_no_document_is_told_by_its_cause(tmp_path, name, content, reason):
    (left,) = read_files(write(tmp_path, {name: content})).left_out
    assert reason in left.reason


def test_a_page_is_read_in_the_encoding_that_it_says(tmp_path):
    page = "<meta charset=windows-1251><p>пример".encode("cp1251")
    reading = read_files(write(tmp_path, {"a.html": page}))
    assert (reading.documents[0].text, reading.notes) == ("пример", [])


def test_what_is_left_out_is_counted_by_record_and_most_records_must_be_read(tmp_path):
    lines = [{"_id": str(i), "text": None if i < 90 else f"text {i}"} for i in range(100)]
    write(tmp_path, {"docs.jsonl": records(*lines)})
    with pytest.raises(ValueError, match="90 of 100 records of .* cannot be read.*--allow-left-out") as error:
        read_files(tmp_path)
    assert "docs.jsonl: 80 more of its lines, for such reasons" in str(error.value)
    reading = read_files(tmp_path, allow_left_out=True)
    assert n_left_out(reading.left_out) == 90 and len(reading.documents) == 10


def test_a_project_its_packages_and_its_queries_are_no_documents(tmp_path):
    project = {
        "corpus/corpus.json": "{}",
        "corpus/corpus.jsonl": "",
        "queries.jsonl": "",
        "README.md": "Ask.",
    }
    write(tmp_path / "my-eval", project)
    write(tmp_path, {"node_modules/p/README.md": "p", "venv/pyvenv.cfg": "", "venv/lib/top.txt": "x"})
    write(tmp_path, {"data/docs.jsonl": records({"_id": "d1", "text": "x"}), "data/queries.jsonl": "{}"})
    reading = read_files(tmp_path)
    assert [one.doc_id for one in reading.documents] == ["d1"]
    assert sorted(reasons(reading)) == ["data/queries.jsonl", "my-eval", "node_modules", "venv"]
    with pytest.raises(ValueError, match="my-eval is a project itself"):
        read_files(tmp_path / "my-eval")


def test_a_record_keeps_the_source_that_it_names_and_other_metadata_is_told(tmp_path):
    record = {"_id": "d1", "text": "x", "metadata": {"source_uri": "guide/a b.md", "author": "me"}}
    reading = read_files(write(tmp_path, {"corpus.jsonl": records(record)}))
    assert reading.documents[0].source_uri == "guide/a%20b.md"
    assert reading.notes == ["corpus.jsonl: fields that are not read: 'metadata.author'"]


@pytest.mark.parametrize("ending", [".ndjson", ".jsonl.txt"])
def test_json_lines_under_another_name_are_to_be_renamed(tmp_path, ending):
    reading = read_files(write(tmp_path, {f"docs{ending}": records({"_id": "d1", "text": "x"})}))
    assert bool(reading.documents) == (ending == ".jsonl.txt")
    assert all("rename it to .jsonl" in reason for reason in reasons(reading).values())


def test_a_list_of_json_on_one_line_is_no_document_to_split(tmp_path):
    write(tmp_path, {"docs.jsonl": "[" + "x" * MAX_BYTES + "]"})
    assert "lines=True" in reasons(read_files(tmp_path))["docs.jsonl, line 1"]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('{"_id": "1", "text": "a\tb"}', "a text holds a tab or a line break"),
        ('{"_id": "1", "text": "a"},', "a comma stands behind it"),
        ("{'_id': '1', 'text': 'a'}", "JSON has double quotes"),
        ('{"_id": "1", "text": "say "hi" twice"}', "is there a quote within a text"),
        (r'{"_id": "1", "text": "C:\path"}', "a backslash in a text is written twice"),
        (
            '{"_id": "1", "text": "a"} {"_id": "2", "text": "b"}',
            "a second record begins there; each",
        ),
        ('[{"_id": "1", "text": "a"},', "a list, or an object over several lines"),
        ('{"_id": "1" "text": "a"}', "a comma is missing"),
        ('{"_id": "1", "text": "a', "is the file cut off"),
    ],
)
def test_a_line_that_is_no_json_is_told_why(tmp_path, line, cause):
    reading = read_files(write(tmp_path, {"a.jsonl": line + "\n"}))
    assert cause in reading.left_out[0].reason


@pytest.mark.parametrize("encoding", ["shift_jis", "windows-1251", "iso-8859-2"])
def test_a_page_of_html_is_read_in_the_encoding_that_it_names(tmp_path, encoding):
    word = {"shift_jis": "日本語", "windows-1251": "Привет", "iso-8859-2": "gęślą"}[encoding]
    page = f"<html><head><meta charset='{encoding}'><title>{word}</title></head><p>{word}</p>"
    reading = read_files(write(tmp_path, {"a.html": page.encode(encoding)}))
    assert [(one.title, one.text) for one in reading.documents] == [(word, word)] and not reading.notes


@pytest.mark.parametrize("named", ["utf-8", "iso-8859-1", "no-such-code"])
def test_a_page_of_html_in_no_encoding_of_its_own_is_a_guess(tmp_path, named):
    page = f"<html><head><meta charset={named}></head><p>Straße – “x”</p>".encode("cp1252")
    reading = read_files(write(tmp_path, {"a.html": page}))
    assert reading.documents[0].text == "Straße – “x”" and "read as Windows-1252" in reading.notes[0]


def test_an_old_code_for_japanese_is_not_kept_as_signs(tmp_path):
    write(tmp_path, {"a.txt": "これはテスト".encode("iso2022_jp"), "b.txt": "\x1b[31mred\x1b[0m"})
    reading = read_files(tmp_path)
    assert [one.doc_id for one in reading.documents] == ["b.txt"]
    assert reasons(reading)["a.txt"].startswith("it looks like ISO-2022-JP")
