"""Documents as they are: markups, PDF, DOCX, main content, near duplicates, and what is said of the rest."""

import json
import statistics
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import main

from workbench.corpus import CorpusFolder, read_texts
from workbench.corpus.formats import SourceDocument
from workbench.corpus.near_duplicates import (
    NearDuplicates,
    holders,
    near_duplicates,
    word_sequences,
)
from workbench.corpus.reading import LEAVE_OUT, read_files
from workbench.projects import new_project


def read_one(folder, name, content):
    """The one document of a file with this content."""
    (folder / name).write_text(content, encoding="utf-8")
    (document,) = read_files(folder / name).documents
    return document


# Texts with a markup

RST = """\
.. _restart:
.. Copyright of somebody

==================
How to restart it
==================

First *stop* it::

    stop --all

Details
-------
"""
ADOC = ":toc:\n// a remark\n= How to restart it\nSomebody <who@example.org>\n\nFirst _stop_ it.\n"
MDX = "---\nslug: /\n---\nimport Tabs from 'x';\n\n# How to restart it\n\n<Tabs>Stop.</Tabs>\n"


@pytest.mark.parametrize(
    ("name", "content", "begins"),
    [
        ("page.rst", RST, "First *stop* it::"),
        ("page.rst", "How to restart it\n=================\nStop.", "Stop."),
        ("page.adoc", ADOC, "Somebody <who@example.org>"),
        ("page.asciidoc", ADOC, "Somebody"),
        ("page.mdx", MDX, "<Tabs>Stop.</Tabs>"),
        (
            "page.mdx",
            MDX.replace("\n\n#", "\nexport const m = {\n  a: [1,\n  2],\n}\n\n#"),
            "<Tabs>Stop.</Tabs>",
        ),
    ],
)
def test_the_title_of_a_markup_is_its_title_and_the_rest_stays_as_it_is(tmp_path, name, content, begins):
    document = read_one(tmp_path, name, content)
    assert document.title == "How to restart it" and document.text.startswith(begins)
    assert document.doc_id == name


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("page.rst", "No title here, a sentence.\n\n* one\n* two\n"),
        ("page.rst", "**Example 1: a bold line**\n\nThe following ``run`` does it. ::\n"),
        ("page.rst", "----\n\nAfter a rule.\n"),
        ("page.adoc", "== A section and no title\n\nText.\n"),
        ("page.mdx", "import x from 'y'\nText at once."),
    ],
)
def test_a_text_without_a_title_has_none_and_loses_no_word(tmp_path, name, content):
    document = read_one(tmp_path, name, content)
    assert document.title == "" and document.text == content.removeprefix("import x from 'y'\n").strip()


@pytest.mark.parametrize("name", ["README", "readme", "CHANGELOG", "LICENSE", "Install"])
def test_a_readme_needs_no_ending(tmp_path, name):
    assert read_one(tmp_path, name, "Read this.") == SourceDocument(name, "", "Read this.", name)


# PDF and DOCX


def docx(path, heading, *paragraphs):
    """The least that a DOCX file is: three parts in a zip."""
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    package = "application/vnd.openxmlformats"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
    body = f"<w:p>{style}<w:r><w:t>{heading}</w:t></w:r></w:p>"
    body += "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Default Extension="rels" ContentType="{package}-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" '
        f'ContentType="{package}-officedocument.wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{office}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>',
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{text}')


def pdf(path, *lines):
    """The least that a PDF file is: a page with lines of text in Helvetica."""
    shown = " T* ".join(f"({line}) Tj" for line in lines)
    stream = f"BT /F1 12 Tf 14 TL 72 700 Td {shown} ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    written, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    end = f"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{len(written)}\n%%EOF\n"
    path.write_text(f"{written}xref\n0 6\n0000000000 65535 f \n{table}{end}")


needs_kreuzberg = pytest.mark.skipif(
    not pytest.importorskip("importlib.util").find_spec("kreuzberg"),
    reason="the extra for PDF and DOCX is not installed: pip install 'measure-first[documents]'",
)


@needs_kreuzberg
def test_a_pdf_and_a_docx_give_their_words(tmp_path):
    pdf(tmp_path / "a.pdf", "Restart the checkout service", "when the queue is full.")
    docx(tmp_path / "b.docx", "Doors of the house", "Use the key.", "Ask the porter.")
    one, other = read_files(tmp_path).documents
    assert f"{one.title} {one.text}".split() == "Restart the checkout service when the queue is full.".split()
    assert other == SourceDocument(
        "b.docx", "Doors of the house", "Use the key.\n\nAsk the porter.", "b.docx"
    )


@needs_kreuzberg
@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.pdf", b"%PDF-1.4 cut off", "damaged, locked or no PDF"),
        ("a.pdf", b"", "damaged, locked or no PDF"),
        ("a.docx", b"PK nothing", "damaged, locked or no DOCX"),
    ],
)
def test_a_file_that_is_no_pdf_is_left_out_and_named(tmp_path, name, content, reason):
    (tmp_path / name).write_bytes(content)
    (left_out,) = read_files(tmp_path / name).left_out
    assert left_out.path == name and left_out.reason.startswith(reason)


@needs_kreuzberg
def test_a_page_without_text_is_left_out_as_a_scan(tmp_path):
    pdf(tmp_path / "scan.pdf")
    (left_out,) = read_files(tmp_path).left_out
    assert left_out.reason == "no text in it, only pictures? Recognise its text (OCR) first"


def test_without_the_extra_it_is_named_for_each_file(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "kreuzberg", None)  # what Python holds where an import is to fail
    pdf(tmp_path / "a.pdf", "Text")
    (left_out,) = read_files(tmp_path).left_out
    assert (
        left_out.reason
        == "files ending in .pdf are read with an extra: pip install 'measure-first[documents]'"
    )


# The main content of a page

HELP = "<div id='help'><h2>Keyboard shortcuts</h2><p>Press s to search</p></div>"
MENU = "<ul role='navigation'><li>Home</li></ul>"


@pytest.mark.parametrize(
    "page",
    [
        f"<body>{HELP}{MENU}<main><h1>Cats</h1><p>They sleep.</p></main><footer>(c)</footer>",
        f"<body>{HELP}<div role='main'><h1>Cats</h1><p>They sleep.</p></div>",
        f"<body>{MENU}<dialog>Sign up!</dialog><p hidden>Later</p><h1>Cats</h1><p>They sleep.</p>"
        "<div aria-hidden='true'>x</div><button>Copy</button><div role='contentinfo'>(c)</div>",
        f"<title>Cats - The Book of Pets</title><body>{MENU}<main><p>They sleep.</p></main>",
    ],
)
def test_a_page_is_its_main_content_without_menus_help_and_what_is_hidden(tmp_path, page):
    document = read_one(tmp_path, "cats.html", page)
    assert document.title in ("Cats", "Cats - The Book of Pets") and document.text == "They sleep."


def test_the_name_of_a_book_is_no_part_of_the_title_of_its_page(tmp_path):
    page = "<title>Cats - The Book of Pets</title><main><h1>Cats</h1><p>They sleep.</p></main>"
    document = read_one(tmp_path, "cats.html", page)
    assert (document.title, document.text) == ("Cats", "Cats\nThey sleep.")


def test_an_empty_main_element_hides_nothing(tmp_path):
    assert read_one(tmp_path, "a.html", "<main></main><p>They sleep.</p>").text == "They sleep."


# Near duplicates

WORDS = "porter stairs soup cellar noon desk window brigade garden lamp".split()


def shares(texts):
    """The share of common sequences of five words of each pair, by the definition."""
    sets = {}
    for doc_id, text in texts.items():
        words = text.split()
        sets[doc_id] = {tuple(words[i : i + 5]) for i in range(len(words) - 4)}
    return lambda one, other: len(sets[one] & sets[other]) / len(sets[one] | sets[other])


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=5, max_size=40), min_size=2, max_size=6))
def test_a_near_duplicate_shares_what_is_said_and_no_pair_above_the_limit_is_missed(pages):
    texts = {f"d{i}": " ".join(words) for i, words in enumerate(pages)}
    share = shares(texts)
    groups = near_duplicates(texts)
    for group in groups:
        for other, said in group.others.items():
            assert said == pytest.approx(share(group.first, other)) and said >= 0.7
    first_of = {other: group.first for group in groups for other in group.others}
    kept = [doc_id for doc_id in texts if doc_id not in first_of]
    # Of what is kept no two are equal: equal texts have equal minima in every band.
    assert all(share(one, other) < 1 for one in kept for other in kept if one < other)


def test_copies_in_two_formats_are_named_in_one_table_and_kept(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    text = "Turn the key twice and open the door with both hands. See the porter for another key."
    for name in ("doors", "gates"):
        (docs / f"{name}.md").write_text(f"# The {name}\n\n{name} first. {text}")
        (docs / f"{name}.html").write_text(f"<h1>The {name}</h1><p>{name} first. {text}</p>")
    made = new_project(tmp_path / "my-eval", docs)
    told = (made.folder / "left_out.md").read_text(encoding="utf-8")
    assert made.documents == 4 and "| doors.html | doors.md" in told.replace("\\", "")
    assert "documents are nearly the same as another" in str(made) and "--duplicates leave-out" in told


def test_of_near_duplicates_the_first_is_read_where_that_is_asked_for(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / "docs" / name).write_text("one two three four five six seven eight")
    assert main(["init", "corpus"]) == 0
    assert main(["ingest", "--corpus", "corpus", "docs", "--duplicates", "leave-out"]) == 0
    said = capsys.readouterr().out
    assert "1 added" in said and "b.txt; c.txt: nearly the same as a.txt" in said
    assert list(CorpusFolder.open("corpus").corpus) == ["a.txt"]
    assert read_files("docs", LEAVE_OUT).documents[0].doc_id == "a.txt"
    with pytest.raises(ValueError, match="duplicates is 'drop'; it can be 'keep' or 'leave-out'"):
        read_files("docs", "drop")


# What is said of the rest


def test_where_most_files_cannot_be_read_that_is_an_error_unless_it_is_asked_for(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for number in range(9):
        (tmp_path / "docs" / f"{number}.odt").write_bytes(b"PK")
        (tmp_path / "docs" / f"{number}.png").write_bytes(b"PNG")
    (tmp_path / "docs" / "a.md").write_text("The only one.")
    assert main(["new", "mine", "--docs", "docs"]) == 2
    said = capsys.readouterr().err
    assert "9 of 10 files of docs cannot be read" in said and "--allow-left-out" in said
    assert "9 times, as 0.odt: files ending in .odt are not read" in said and not (tmp_path / "mine").exists()
    assert main(["init", "corpus"]) == 0 and main(["ingest", "--corpus", "corpus", "docs"]) == 2
    assert not CorpusFolder.open("corpus").documents
    assert main(["new", "mine", "--docs", "docs", "--allow-left-out"]) == 0
    assert main(["ingest", "--corpus", "corpus", "docs", "--allow-left-out"]) == 0


def test_pictures_beside_the_documents_are_not_missed(tmp_path):
    for number in range(9):
        (tmp_path / f"{number}.png").write_bytes(b"PNG")
    (tmp_path / "a.md").write_text("One page.")
    reading = read_files(tmp_path)
    assert len(reading.documents) == 1 and len(reading.left_out) == 9


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("latin.md", "Die Straße".encode("latin-1"), "not UTF-8, read as Windows-1252"),
        ("front.md", b"---\ntitle: a: b\n---\nText", "the front matter is no YAML"),
    ],
)
def test_a_guess_is_printed_though_nothing_was_left_out(tmp_path, capsys, name, content, words):
    (tmp_path / name).write_bytes(content)
    assert main(["new", str(tmp_path / "mine"), "--docs", str(tmp_path / name)]) == 0
    assert f"note: {name}: {words}" in capsys.readouterr().out


def test_a_folder_without_a_document_is_told_which_endings_are_read(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert main(["new", str(tmp_path / "mine"), "--docs", str(tmp_path / "empty")]) == 2
    assert "needed files ending in .md, .markdown, .mdx, .rst" in capsys.readouterr().err


def test_texts_can_be_had_of_documents_of_a_corpus_and_of_a_project(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Cats\n\nThey sleep.")
    made = new_project(tmp_path / "mine", tmp_path / "docs").folder
    expected = {"a.md": "Cats They sleep."}
    assert [read_texts(one) for one in (tmp_path / "docs", made, made / "corpus")] == [expected] * 3
    (tmp_path / "docs" / "a.md").rename(tmp_path / "docs" / "a.odt")
    with pytest.raises(ValueError, match=r"no document could be read from .*docs; needed .*\na.odt: "):
        read_texts(tmp_path / "docs")


def test_an_ingestion_for_programs_names_near_duplicates(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("the same six words are here")
    (tmp_path / "b.txt").write_text("The same six words are here.")
    assert main(["init", str(tmp_path / "corpus"), "--json"]) == 0
    capsys.readouterr()
    line = ["ingest", "--corpus", str(tmp_path / "corpus"), str(tmp_path / "a.txt"), str(tmp_path), "--json"]
    assert main(line) == 0
    found = json.loads(capsys.readouterr().out)["read"][1]
    assert found["near_duplicates"] == [{"first": "a.txt", "others": {"b.txt": 1.0}}]


@needs_kreuzberg
def test_tabs_and_hyphens_of_word_part_words_and_marks_do_not(tmp_path):
    text = (
        "Port</w:t></w:r><w:r><w:tab/></w:r><w:r><w:t>8080 e</w:t></w:r><w:r><w:noBreakHyphen/></w:r>"
        '<w:r><w:t xml:space="preserve">mail un</w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>install'
    )
    docx(tmp_path / "a.docx", "Doors", text)
    assert read_files(tmp_path).documents[0].text.split() == ["Port", "8080", "e-mail", "uninstall"]


@needs_kreuzberg
@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.docx", b"%PDF-1.4 cut off", "no DOCX but a PDF; give it the ending of what it is"),
        ("a.docx", b"{\\rtf1 Use the key.}", "no DOCX but a file of RTF; give it the ending of what it is"),
    ],
)
def test_a_file_with_the_ending_of_another_kind_is_told_so(tmp_path, name, content, reason):
    (tmp_path / name).write_bytes(content)
    (left_out,) = read_files(tmp_path / name).left_out
    assert left_out.reason == reason


def test_an_export_whose_brackets_never_close_takes_no_text_with_it(tmp_path):
    document = read_one(tmp_path, "page.mdx", "export const open = {\n\n# Doors\n\nThey close.\n")
    assert (document.title, document.text.strip()) == ("Doors", "They close.")


def test_an_old_file_of_word_is_told_so_whether_or_not_the_extra_is_there(tmp_path):
    (tmp_path / "a.docx").write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504))
    (left_out,) = read_files(tmp_path / "a.docx").left_out
    assert left_out.reason.startswith("no DOCX but an old file of Excel or Word; open it there and save it")


# What a page folds away, welds together or keeps above its text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (
            "<h3><button aria-expanded=false>How?</button></h3><div role=region hidden><p>So.</div>",
            "How?\nSo.",
        ),
        ("<h2><button class=accordion-button>How?</button></h2>So.", "How?\nSo."),
        ("<h2>How <button>Copy</button></h2>So.", "How\nSo."),
        ("<div role=tabpanel>npm</div><div role=tabpanel hidden aria-hidden=true>yarn</div>", "npm\nyarn"),
        ("<p>a</p><div hidden=until-found>b</div><div hidden>c</div>", "a\nb"),
        (
            "<fieldset>a</fieldset><fieldset>b</fieldset><center>c</center><hgroup>d</hgroup>e",
            "a\nb\nc\nd\ne",
        ),
        (
            "<p>a<img src=x>b<input>c<select><option>x</select>d<button>y</button>e<script>z</script>f",
            "a b c d ef",
        ),
        ("<main>a</main><nav>x</nav><main>b</main>", "a\nb"),
        ("<p>Daten&shy;schutz in&#8203;put ไ&#8203;ท</p>", "Datenschutz input ไ\u200bท"),
        ("<h2>Install<a class=hash-link>&#8203;</a></h2><h2>Run<a>¶</a></h2>", "Install\nRun"),
        ("<button class=accordion>How do I?</button><div><p>So.</div>", "How do I?\nSo."),
        ("<dl><dt><button aria-controls=x>Reset it</button></dt><dd>So.</dl>", "Reset it\nSo."),
        ("<div class=card-header><button>How to reset?</button></div>So.", "How to reset?\nSo."),
        ("<h3><button>Reset it</button><span>New</span></h3>So.", "Reset it New\nSo."),
        ("<button role=tab>Windows</button><button role=tab>Linux</button>", "Windows\nLinux"),
        ("<p>Press <button>Save</button> to finish.", "Press Save to finish."),
        ("<ol><li>Press <button>Save</button></ol>", "Press Save"),
        ("<h2><button aria-controls=p>How?</button></h2><div id=p hidden>So.</div>", "How?\nSo."),
        ("<h2><a aria-controls=p>How?</a></h2><div id=p aria-hidden=true>So.</div>", "How?\nSo."),
        (
            "<div aria-hidden=true><main><h1>Log in</h1>So.</main></div><div role=dialog>x</div>",
            "Log in\nSo.",
        ),
        ("<div aria-hidden=true><h1>Log in</h1>So it is.</div><div role=dialog>x</div>", "Log in\nSo it is."),
        ("<p>One<!-- x --!><p>Two", "One\nTwo"),
        ("<nav><ul><li>Home</ul><h2>a</h2><h1>Cats</h1><p>They sleep.", "Home\na\nCats\nThey sleep."),
    ],
)
def test_a_page_loses_no_word_that_can_be_unfolded_and_joins_none(tmp_path, page, text):
    assert read_one(tmp_path, "a.html", f"<title>T</title><body>{page}").text == text


@pytest.mark.parametrize(
    "page",
    [
        "<button class=copy>Copy to clipboard</button>",
        "<button aria-expanded=false>Show more</button>",
        "<button aria-expanded=false aria-controls=m>Menu</button><div id=m hidden>Home and more</div>",
        "<button aria-expanded=false aria-controls=m></button><ul id=m hidden><li><a href=x>Home</a></ul>",
        "<button aria-haspopup=menu aria-controls=m>Version</button><div id=m hidden>1.0 2.0</div>",
        "<input role=combobox aria-controls=m><div id=m hidden>nothing found</div>",
        "<header><button aria-expanded=false>Products</button></header>",
        "<div aria-hidden=true><h1>Sign up</h1></div>",
        "<button hidden>How do I reset it?</button>",
    ],
)
def test_buttons_and_menus_of_a_site_are_no_text(tmp_path, page):
    assert read_one(tmp_path, "a.html", f"<title>T</title><body>{page}<p>They sleep all day.").text == (
        "They sleep all day."
    )


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<header><h1>Cats</h1></header><main>They sleep.</main>", "Cats"),
        ("<title>Cats — Pets 1.0</title><div role=main><h1>Cats<a class=headerlink>¶</a></h1>They.", "Cats"),
        ("<title>Cats | Pets</title><main><h1>Cats<a class=hash-link>\u200b</a></h1>They.</main>", "Cats"),
    ],
)
def test_the_title_of_a_page_is_that_of_its_heading(tmp_path, page, title):
    assert read_one(tmp_path, "a.html", page).title == title


def test_signs_that_nobody_sees_part_no_word_in_any_file(tmp_path):
    assert read_one(tmp_path, "a.md", "# Daten\u00adschutz\n\nDaten\u00adschutz").text == "Datenschutz"


@pytest.mark.parametrize("end", ["---", "..."])
def test_keys_of_front_matter_may_be_in_capitals(tmp_path, end):
    page = read_one(tmp_path, "a.md", f"---\nTitle: VPN setup\nDoc_ID: KB-1\n{end}\n\nClick the icon.")
    assert page == SourceDocument("KB-1", "VPN setup", "Click the icon.", "a.md")


def test_sentences_of_front_matter_that_are_not_read_are_told_once_for_all_files(tmp_path):
    for name in ("a", "b"):
        text = f"---\ntitle: {name}\ntags: [x, y]\ndescription: How to set up the VPN.\n---\n{name} is here."
        (tmp_path / f"{name}.md").write_text(text)
    said = "fields of front matter that are not read: 'description' in 2 files, such as a.md; where they say"
    (note,) = read_files(tmp_path).notes
    assert note.startswith(said)


def test_front_matter_of_hugo_is_told(tmp_path):
    (tmp_path / "a.md").write_text('+++\ntitle = "x"\n+++\n\nText.')
    assert "TOML and stays in the text; needed YAML" in read_files(tmp_path).notes[0]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.md", "---\nfaqs:\n - q: how to reset it\n---\n", "in fields that are not read (faqs)"),
        ("a.md", "---\ntitle: Reset\n---\n", "it has a title and no text; is it not written yet?"),
        ("a.html", "<title>Moved</title><meta http-equiv=refresh content='0; url=x'>", "leads on to another"),
        ("a.html", "<title>App</title><div id=root></div>", "is it filled in by a script"),
        ("a.html", "<title>App</title><script>let a = 1;<p>Text.</p>", "a <script> in it is never closed"),
    ],
)
def test_a_page_without_text_is_told_what_it_is(tmp_path, name, content, reason):
    (tmp_path / name).write_text(content)
    assert reason in read_files(tmp_path).left_out[0].reason


# What a PDF and a DOCX lose


@needs_kreuzberg
def test_tabs_hyphens_and_marks_of_word_part_and_join_words_as_they_look(tmp_path):
    run = "</w:t><w:tab/><w:t>"
    bold = "</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bo</w:t></w:r><w:r><w:t>"
    docx(
        tmp_path / "a.docx",
        "Doors",
        f"Port{run}8080",
        "e</w:t><w:noBreakHyphen/><w:t>mail",
        f"hid{bold}ld 2*3*4",
    )
    (document,) = read_files(tmp_path).documents
    assert document.text.split("\n\n") == ["Port 8080", "e-mail", r"hidbold 2\*3\*4"]


@needs_kreuzberg
def test_a_docx_that_is_one_heading_is_its_title_as_in_markdown(tmp_path):
    docx(tmp_path / "a.docx", "Doors")
    assert read_files(tmp_path).documents == [SourceDocument("a.docx", "Doors", "", "a.docx")]


@needs_kreuzberg
def test_a_file_of_another_kind_is_told_what_it_is(tmp_path):
    (tmp_path / "a.docx").write_bytes(b"{\\rtf1 x}")
    (tmp_path / "b.pdf").write_text("<!DOCTYPE html><html><body>Log in</body></html>")
    for name in ("c.md", "d.md"):  # so that most files can be read
        (tmp_path / name).write_text(f"Log in to {name}")
    reasons = [one.reason for one in read_files(tmp_path).left_out]
    assert reasons[0].startswith("no DOCX but a file of RTF") and reasons[1].startswith(
        "no PDF but a page of HTML"
    )


class FakeReader:
    """What stands in for the library where it is not installed, or would take too long."""

    class KreuzbergError(Exception):
        pass

    class ExtractionTimeoutError(KreuzbergError):
        pass

    def __init__(self, content="", title="", pages=(), error=None):
        self.content, self.metadata, self.error = content, {"title": title}, error
        self.pages = [{"content": page} for page in pages]

    def ExtractionConfig(self, **_):  # noqa: N802
        return None

    PageConfig = ExtractionConfig

    def extract_file_sync(self, *_, **__):
        if self.error:
            raise self.error
        return self


@pytest.mark.parametrize(
    "title", ["Microsoft Word - pump_final_v3.doc", "untitled", "(anonymous)", "manual.docx"]
)
def test_a_title_that_a_program_made_up_is_none(tmp_path, monkeypatch, title):
    monkeypatch.setitem(sys.modules, "kreuzberg", FakeReader("# Pumps\n\nThey turn.", title))
    pdf(tmp_path / "a.pdf", "x")
    assert read_files(tmp_path).documents[0].title == "Pumps"


def test_pages_that_hold_only_pictures_are_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "kreuzberg", FakeReader("Cover", pages=["Cover", "", ""]))
    pdf(tmp_path / "a.pdf", "x")
    assert "a.pdf: 2 of 3 pages hold no text" in read_files(tmp_path).notes[0]


AS_PLAIN = "read as plain text, without headings and tables: as Markdown it lost"


@needs_kreuzberg
def test_a_pdf_of_prose_that_would_lose_words_as_a_table_of_markdown_is_read_as_plain_text(tmp_path):
    lines = [
        "After 10 days the finance unit may copy the wifi room. Please open the counter",
        "before Since Leeds moved, a quarterly folder is needed, together with the proxy.",
        "Colleagues in Porto open the optional record on their own. Colleagues in Turku",
        "confirm the weekly record on their own. The platform group in Turin will report",
        "the urgent sheet for every wifi. You open 7 quarterly records and sign them at",
        "the account 680. You open 8 personal lists and confirm them at the cabinet 204.",
    ]
    pdf(tmp_path / "a.pdf", *lines)
    found = read_files(tmp_path)
    assert found.documents[0].text.split() == " ".join(lines).split()
    assert found.notes[0].startswith(f"a.pdf: {AS_PLAIN}")


STEPS = "\n".join(f"Step {name} says what the {name} do at night." for name in WORDS)


@pytest.mark.parametrize(
    ("markdown", "title"),
    [
        ("# The e-mail of a house\n\n| Step | says |", "The e-mail of a house"),
        ("# At night\n\n| Step | says |", ""),
        ("", ""),
    ],
)
def test_words_that_the_markdown_of_a_pdf_lacks_are_read_from_its_pages(
    tmp_path, monkeypatch, markdown, title
):
    page = f"The e-mail of a house\r\n{STEPS}\r\nA main\x02tenance of e\x02\r\nmail."
    monkeypatch.setitem(sys.modules, "kreuzberg", FakeReader(markdown, pages=[page]))
    pdf(tmp_path / "a.pdf", "x")
    found = read_files(tmp_path)
    text = f"The e-mail of a house\n{STEPS}\nA maintenance of e-mail."
    assert found.documents == [SourceDocument("a.pdf", title, text, "a.pdf")]
    (note,) = found.notes
    assert note.startswith(f"a.pdf: {AS_PLAIN}") and note.endswith(" of 99 words")


@pytest.mark.parametrize(
    ("markdown", "pages"),
    [
        (f"# Doors\n\n{STEPS}", [f"The house of {n}, 2026\nPage {n} of 2\n{STEPS}" for n in (1, 2)]),
        (STEPS, [f"The house of many doors\nwritten by the porter\n{STEPS}\nPage 1 of 1, as of 2026"]),
        (STEPS, [STEPS.replace("night", "ni\x02ght").replace("says", "sa-\nys")]),
        (STEPS.replace("night", "ni-ght"), [STEPS.replace("night", "ni-\r\nght")]),
        ("図書館は朝九時に開きます。" * 9, ["図書館は朝九時\nに開きます。\n" * 9]),
        (STEPS.replace("Step", r"**Step**\_a"), [STEPS.replace("Step", "Step_a")]),
        (STEPS.replace("stairs", "STAIRS"), [STEPS.replace("stairs", "STAIRS"), ""]),
        ("# Doors", ["1\nDoors\nA B C"]),
    ],
)
def test_headers_hyphens_and_marks_of_a_pdf_are_no_words_that_markdown_lost(
    tmp_path, monkeypatch, markdown, pages
):
    monkeypatch.setitem(sys.modules, "kreuzberg", FakeReader(markdown, pages=pages))
    pdf(tmp_path / "a.pdf", "x")
    assert not [note for note in read_files(tmp_path).notes if "plain" in note]


def test_a_file_that_takes_too_long_is_not_called_damaged(tmp_path, monkeypatch):
    late = FakeReader(error=FakeReader.ExtractionTimeoutError("late"))
    monkeypatch.setitem(sys.modules, "kreuzberg", late)
    pdf(tmp_path / "a.pdf", "x")
    assert read_files(tmp_path).left_out[0].reason.startswith("reading it took more than 120 s")


def test_a_copy_is_left_out_though_the_page_it_copies_was_read_before(tmp_path):
    page = "Open the settings, choose security, and set a new password for your account today."
    for name, text in {"old/a.md": page, "new/b.md": page, "new/c.md": "Soup is served at noon."}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    corpus = CorpusFolder.init(tmp_path / "corpus")
    corpus.ingest(tmp_path / "old")
    found = corpus.ingest(tmp_path / "new", "leave-out")
    assert found.added == ["c.md"] and found.near_duplicates == [NearDuplicates("a.md", {"b.md": 1.0})]
    assert [(one.path, one.reason) for one in found.left_out] == [("b.md", "nearly the same as a.md")]
    assert corpus.ingest(tmp_path / "old", "leave-out").unchanged == ["a.md"]


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("limits.adoc", "= Limits\n\ninclude::../shared/limits.adoc[]\n"),
        ("limits.rst", "Limits\n======\n\n.. include:: ../shared/limits.txt\n"),
        ("limits.md", '# Limits\n\n--8<-- "../shared/limits.md"\n'),
        ("limits.md", "# Limits\n\n{% include limits.md %}\n"),
        ("limits.mdx", "import Limits from '../_limits.mdx'\n\n# Limits\n\n<Limits />\n"),
        ("limits.md", "# Limits\n\n{{#include limits.md}}\n"),
        ("limits.md", "# Limits\n\n```{include} limits.md\n```\n"),
        ("limits.md", "# Limits\n\n:::{include} limits.md\n:::\n"),
        ("limits.md", "# Limits\n\n[!INCLUDE [x](../includes/limits.md)]\n"),
        ("limits.md", "# Limits\n\n![[Limits]]\n"),
        ("limits.md", "# Limits\n\n{!limits.md!}\n"),
        ("limits.md", "# Limits\n\n::include{file=limits.md}\n"),
        ("limits.md", "# Limits\n\n::: mypkg.client.Client\n"),
        ("limits.mdx", "import {Limits} from './_limits.mdx'\n\n# Limits\n\n<Limits />\n"),
        ("limits.rst", "Limits\n======\n\n.. automodule:: limits\n"),
        ("limits.rst", "Limits\n======\n\n.. csv-table:: All\n   :header: a\n   :file: limits.csv\n"),
        ("limits.adoc", "= Limits\n\n. One\n  include::limits.adoc[]\n"),
    ],
)
def test_a_page_that_takes_in_another_file_is_said_to_lack_its_text(tmp_path, name, page):
    (tmp_path / name).write_text(page)
    (note,) = read_files(tmp_path).notes
    assert note.startswith(f"1 page takes in other files, whose text is not read: {name}; give the pages")


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("a.md", "# A\n\n![[door.png]] and ![[a.b|x]]\n\n::: warning\nHot.\n:::\n"),
        ("a.rst", "A\n=\n\n.. csv-table:: All\n   :header: a\n\n   1, 2\n\n.. note:: :file: is none\n"),
    ],
)
def test_a_page_that_takes_in_no_text_is_not_said_to(tmp_path, name, page):
    (tmp_path / name).write_text(page)
    assert not read_files(tmp_path).notes


def test_documents_whose_accents_were_read_wrongly_are_named_and_others_not(tmp_path):
    (tmp_path / "a.md").write_text("# BÃ¼cher\n\nKÃ¤se und Brot", encoding="utf-8")
    (tmp_path / "b.md").write_text("# Bücher\n\nKäse → 東京 ÀÉ São Â", encoding="utf-8")
    (tmp_path / "c.jsonl").write_text('{"_id": "c1", "text": "don\u00e2\u20ac\u2122t"}\n')
    (note,) = read_files(tmp_path).notes
    assert note.startswith("2 documents hold accents that were read in a wrong encoding")
    assert "a.md, c1" in note


def test_front_matter_that_is_not_closed_is_told_and_a_rule_is_not(tmp_path):
    (tmp_path / "a.md").write_text("---\ntitle: My page\ntags: [a]\n\nThe body.\n")
    (tmp_path / "b.md").write_text("---\nA rule above, and prose.\n")
    (note,) = read_files(tmp_path).notes
    assert note.startswith("a.md: the front matter is opened with --- and not closed")


def test_a_page_that_only_leads_on_is_left_out_though_it_says_so(tmp_path):
    page = "<title>Moved</title><meta http-equiv=refresh content='0; url=b.html'><p>Redirecting to b</p>"
    (tmp_path / "a.html").write_text(page)
    (left,) = read_files(tmp_path).left_out
    assert left.reason == "it leads on to another page and says little itself; read that one"


def test_a_page_whose_name_differs_in_capitals_only_is_said_to_stand_beside_the_older_one(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "corpus")
    for name in ("login.md", "Login.md"):
        (tmp_path / name).write_text(f"# {name}\n\nUse the key.")
    corpus.ingest(tmp_path / "login.md")
    with pytest.warns(UserWarning, match="in other capitals, .* both are kept: 'Login.md' beside 'login.md'"):
        corpus.ingest(tmp_path / "Login.md")


# A book: the name on each page, the page that lists all others, the page that holds them all

ANIMALS = "cats dogs hens bees cows pigs".split()


def book(folder, animals=ANIMALS, end=" - The Book of Pets"):
    """A page for each animal, of which every second says its own name again."""
    for number, name in enumerate(animals):
        heading = f"<h1>{name}</h1>" if number % 2 else "<h2>Sleep</h2>"
        words = " ".join(f"{name}{n} sleep" for n in range(40))
        (folder / f"{name}.html").write_text(
            f"<title>{name}{end}</title><main>{heading}<p>{words}</p></main>"
        )
    return folder


def test_the_name_of_a_site_that_was_taken_off_is_taken_off_when_a_few_pages_come_again(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "corpus")
    (tmp_path / "site").mkdir()
    corpus.ingest(book(tmp_path / "site"))
    (tmp_path / "few").mkdir()
    few = book(tmp_path / "few", ["cats", "dogs"])
    (few / "owls.html").write_text("<title>owls - The Book of Pets</title><p>By night.")
    found = corpus.ingest(few)
    assert (found.unchanged, found.replaced) == (["cats.html", "dogs.html"], [])
    assert {one.doc_id: one.title for one in corpus.documents}["owls.html"] == "owls"
    assert "' - The Book of Pets' was taken off 2 titles as the name of the site" in found.notes[-1]


def test_the_name_of_the_site_goes_from_all_titles_where_most_pages_end_in_it(tmp_path):
    (book(tmp_path) / "index.html").write_text(
        "<title>The Book of Pets</title><p>It is about all of them.</p>"
    )
    (tmp_path / "notes.md").write_text("# Notes - The Book of Pets\n\nOn paper.")
    reading = read_files(tmp_path)
    kept = {"index.html": "The Book of Pets", "notes.md": "Notes - The Book of Pets"}
    assert {one.doc_id: one.title for one in reading.documents} == kept | {f"{a}.html": a for a in ANIMALS}
    (note,) = reading.notes
    assert note.startswith("' - The Book of Pets' ended the titles of 6 of 7 pages of HTML")
    assert note.endswith("and off 3 titles")


@pytest.mark.parametrize("others", [0, 6])
def test_an_end_of_few_titles_or_of_half_of_them_is_no_name_of_a_site(tmp_path, others):
    book(tmp_path, ANIMALS[: 6 if others else 4])
    for number in range(others):
        (tmp_path / f"{number}.html").write_text(
            f"<title>Page {number}</title><p>Its own words, {number}.</p>"
        )
    reading = read_files(tmp_path)
    assert not reading.notes and "cats - The Book of Pets" in {one.title for one in reading.documents}


@pytest.mark.parametrize(
    ("links", "more", "is_list"), [(20, "", True), (19, "", False), (20, "and words " * 4, False)]
)
def test_a_page_of_nothing_but_links_is_named(tmp_path, links, more, is_list):
    items = "".join(f"<li><a href='{n}.html'>page {n}</a></li>" for n in range(links))
    (tmp_path / "toc.html").write_text(f"<title>Contents</title><ol>{items}</ol><p>{more}</p>")
    said = [f"1 page is a list of links: {note}" for note in ("toc.html",) if is_list]
    assert [note.partition(";")[0] for note in read_files(tmp_path).notes] == said


def test_a_page_that_holds_all_the_others_is_named_with_how_many(tmp_path):
    pages = {
        f"{name}{n}.md": " ".join(f"{name}{n}{w} sleep" for w in range(9)) for n in (1, 2) for name in ANIMALS
    }
    for name, text in pages.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "print.txt").write_text("\n".join(pages.values()))
    (tmp_path / "other.txt").write_text(" ".join(f"another word {n}" for n in range(90)))
    assert read_files(tmp_path).notes == [
        "print.txt holds the text of 12 other documents and may answer in their place; if it is a page for "
        "printing, take it out and read again"
    ]


def test_no_document_of_an_ordinary_folder_holds_the_text_of_others():
    assert not read_files(Path(__file__).parents[1] / "evals" / "corpus").notes


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=60), max_size=9))
def test_how_many_documents_one_holds_is_counted_by_the_definition(pages):
    texts = {f"d{n}": " ".join(words) for n, words in enumerate(pages)}
    texts |= {f"e{n}": f"{text} once more" for n, text in enumerate(texts.values())}
    texts["all"] = " ".join(texts.values())
    sets = {
        one: {tuple(words[i : i + 5]) for i in range(max(1, len(words) - 4))}
        for one, text in texts.items()
        if (words := text.split())
    }
    median = statistics.median(map(len, sets.values())) if sets else 0

    def held(one):
        others = [other for other in sets.values() if 2 * len(other) < len(sets[one])]
        return sum(2 * len(other & sets[one]) > len(other) for other in others)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("workbench.corpus.near_duplicates._LONG", 2)  # so that many of these books are long
        found = holders(word_sequences(texts))
    is_one = len(sets.get("all", ())) > 2 * median and held("all") >= 5
    assert found.get("all") == (held("all") if is_one else None)


def test_one_of_a_kind_is_counted_as_one(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "doors.md").write_text("# Doors\n\nUse the key.")
    (docs / ".hidden").write_text("x")
    told = (new_project(tmp_path / "my-eval", docs).folder / "left_out.md").read_text(encoding="utf-8")
    assert "1 document was read into `corpus/`" in told
    assert "1 hidden file or folder (its name begins with . or ~$) was not read" in told


def test_what_a_script_takes_in_that_is_never_closed_is_told(tmp_path):
    begun = "<title>Leave</title><p>Intro line.</p><script>let a = '<script>';"
    (tmp_path / "a.html").write_text(f"{begun}<p>Thirty days a year.</p>")
    (tmp_path / "b.html").write_text(f"{begun}</script><p>Thirty days a year.</p>")
    (tmp_path / "c.html").write_text(
        "<title>Leave</title><p>Thirty days a year.</p><script>a()</body></html>"
    )
    found = read_files(tmp_path)
    said = "a.html: a <script> is never closed, so what follows is not read: close it with </script>"
    assert found.notes == [said]
