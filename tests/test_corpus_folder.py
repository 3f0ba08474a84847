"""A corpus on disk: what is added is what is read, here and by every reader of BEIR folders."""

import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.base import files
from helpers.datasets.beir import load_beir_corpus
from workbench.corpus.corpus_folder import CorpusFolder
from workbench.corpus.formats import SourceDocument
from workbench.corpus.reading import LeftOut

CATS = SourceDocument("cats", "Cats", "They sleep.", "pets/cats.md")
DOGS = SourceDocument("dogs", "", "They bark.", "pets/dogs.txt")
TEXTS = st.text(max_size=20)  # any Unicode that UTF-8 can hold, line separators and NUL among it
DOCUMENTS = st.lists(
    st.builds(SourceDocument, st.from_regex(r"[^\s\ud800-\udfff]{1,4}", fullmatch=True), TEXTS, TEXTS, TEXTS),
    unique_by=lambda document: document.doc_id,
    max_size=6,
)


@pytest.fixture
def pets(tmp_path) -> CorpusFolder:
    corpus = CorpusFolder.init(tmp_path / "pets")
    corpus.add([DOGS, CATS])
    return corpus


def test_a_new_corpus_is_empty_and_has_the_name_of_its_folder(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "pets")
    assert (corpus.name, corpus.documents, corpus.corpus) == ("pets", [], {})
    assert CorpusFolder.init(tmp_path / "other", name="Haus und Höfe").name == "Haus und Höfe"
    assert CorpusFolder.open(tmp_path / "other").name == "Haus und Höfe"
    assert repr(corpus) == "CorpusFolder('pets', 0 documents)"


def test_documents_are_sorted_and_a_text_is_the_title_a_space_the_body(pets):
    for corpus in (pets, CorpusFolder.open(pets.path)):
        assert corpus.documents == [CATS, DOGS]
        assert corpus.corpus == {"cats": "Cats They sleep.", "dogs": "They bark."}
        assert list(corpus.corpus) == list(corpus.sources) == ["cats", "dogs"]
        assert corpus.sources == {"cats": "pets/cats.md", "dogs": "pets/dogs.txt"}


@given(DOCUMENTS)
def test_what_is_written_is_read_again_and_by_a_reader_of_beir_folders(tmp_path_factory, documents):
    corpus = CorpusFolder.init(tmp_path_factory.mktemp("corpora") / "any")
    corpus.add(documents)
    again = CorpusFolder.open(corpus.path)
    assert again.documents == corpus.documents == sorted(documents, key=lambda document: document.doc_id)
    assert again.corpus == load_beir_corpus(corpus.path)
    assert again.fingerprint == corpus.fingerprint


@settings(max_examples=30)
@given(DOCUMENTS, st.randoms())
def test_the_same_documents_in_another_order_and_in_parts_are_the_same_bytes(
    tmp_path_factory, documents, random
):
    folder = tmp_path_factory.mktemp("corpora")
    whole, parts = CorpusFolder.init(folder / "whole", "x"), CorpusFolder.init(folder / "parts", "x")
    whole.add(documents)
    for document in random.sample(documents, len(documents)):
        parts.add([document])
    assert (parts.path / "corpus.jsonl").read_bytes() == (whole.path / "corpus.jsonl").read_bytes()
    assert parts.fingerprint == whole.fingerprint


def test_the_bundled_runbooks_ingested_are_the_corpus_of_the_course(tmp_path, runbooks):
    corpus = CorpusFolder.init(tmp_path / "runbooks")
    ingested = corpus.ingest(files.RUNBOOKS)
    assert corpus.corpus == CorpusFolder.open(corpus.path).corpus == runbooks.corpus
    assert (len(ingested.added), ingested.left_out, ingested.notes) == (len(runbooks.corpus), [], [])
    assert corpus.sources["doc_001"] == "doc_001.md"


def test_a_beir_corpus_ingested_is_the_corpus_that_load_beir_gives(tmp_path, everyday_science):
    corpus = CorpusFolder.init(tmp_path / "science")
    corpus.ingest(files.BUNDLED_BEIR / "everyday-science" / "corpus.jsonl")
    assert corpus.corpus == everyday_science.corpus


@pytest.mark.parametrize(
    "other",
    [
        replace(CATS, doc_id="cat"),
        replace(CATS, title="Dogs"),
        replace(CATS, text="They sleep!"),
        replace(CATS, source_uri="cats.md"),
    ],
)
def test_the_fingerprint_tells_another_id_text_or_source(tmp_path, other):
    corpora = [CorpusFolder.init(tmp_path / name) for name in ("one", "two", "three")]
    for corpus, document in zip(corpora, (CATS, CATS, other), strict=True):
        corpus.add([document])
    prints = [corpus.fingerprint for corpus in corpora]
    assert prints[0] == prints[1] != prints[2]
    assert prints[0].startswith("sha256:") and len(prints[0]) == 7 + 64


def test_the_fingerprint_does_not_run_fields_together(tmp_path):
    one, two = CorpusFolder.init(tmp_path / "one"), CorpusFolder.init(tmp_path / "two")
    one.add([SourceDocument("ab", "", "c", "d")])
    two.add([SourceDocument("a", "", "bc", "d")])
    assert one.fingerprint != two.fingerprint


def test_adding_again_replaces_what_is_other_and_leaves_what_is_the_same(pets):
    before = pets.fingerprint
    louder, birds = (
        replace(DOGS, text="They bark at night."),
        SourceDocument("birds", "", "They sing.", "birds.txt"),
    )
    done = pets.add([louder, CATS, birds])
    assert (done.added, done.replaced, done.unchanged) == (["birds"], ["dogs"], ["cats"])
    assert pets.documents == CorpusFolder.open(pets.path).documents == [birds, CATS, louder]
    assert pets.corpus["dogs"] == "They bark at night." and pets.fingerprint != before


def test_adding_what_is_there_already_changes_nothing_on_disk(pets):
    before = (pets.path / "corpus.jsonl").stat().st_mtime_ns
    assert pets.add([CATS]).unchanged == ["cats"]
    assert (pets.path / "corpus.jsonl").stat().st_mtime_ns == before


def test_what_another_has_added_meanwhile_is_kept(pets):
    CorpusFolder.open(pets.path).add([SourceDocument("birds", "", "They sing.", "birds.txt")])
    pets.add([SourceDocument("fish", "", "They swim.", "fish.txt")])
    assert list(pets.corpus) == ["birds", "cats", "dogs", "fish"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (
            SourceDocument("two words", "", "x", "x"),
            "document 2 .*doc_id is 'two words'; needed an id without white space",
        ),
        (SourceDocument("", "", "x", "x"), "document 2 .*doc_id is ''"),
        (SourceDocument("x", "", None, "x"), "document 2 .*text is None; needed text"),
        (SourceDocument(7, "", "x", "x"), r"document 2 .*doc_id is 7; needed text \(str\(\) makes"),
        (
            SourceDocument("x", None, "x", "x"),
            'document 2 .*title is None; needed text ."" where there is none',
        ),
        (SourceDocument("x", "", "\ud800", "x"), "document 2 .*text is .*needed text that UTF-8 can hold"),
        (SourceDocument("fish", "", "x", "x"), "document 2 .*document 'fish' comes a second time"),
    ],
)
def test_a_document_that_cannot_be_kept_is_named_and_none_is_added(pets, document, message):
    with pytest.raises(ValueError, match=message):
        pets.add([SourceDocument("fish", "", "They swim.", "fish.txt"), document])
    assert pets.documents == CorpusFolder.open(pets.path).documents == [CATS, DOGS]


def test_a_write_that_fails_leaves_the_corpus_as_it_was(pets, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(files.os, "replace", full)
        with pytest.raises(OSError, match="No space"):
            pets.add([SourceDocument("fish", "", "They swim.", "fish.txt")])
    assert pets.documents == CorpusFolder.open(pets.path).documents == [CATS, DOGS]
    assert sorted(path.name for path in pets.path.iterdir()) == ["corpus.json", "corpus.jsonl"]


def test_ingesting_says_what_was_left_out_and_what_to_look_at(tmp_path, pets):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "cats").write_text("no ending")
    (docs / "a b.txt").write_bytes("Tür".encode("latin-1"))
    (docs / ".hidden").write_text("")
    done = pets.ingest(docs)
    assert (done.added, done.replaced, done.unchanged) == (["a%20b.txt"], [], [])
    reason = "files without an ending are not read, but for README and its like; rename it"
    assert done.left_out == [LeftOut("cats", reason)]
    assert [note.partition(" ")[0] for note in done.notes] == ["1", "a"]
    assert pets.ingest(docs).unchanged == ["a%20b.txt"]


def test_a_corpus_does_not_swallow_itself(pets):
    before = pets.fingerprint
    with pytest.raises(ValueError, match="is the folder of a corpus"):
        pets.ingest(pets.path)
    (pets.path.parent / "birds.txt").write_text("They sing.")
    assert pets.ingest(pets.path.parent).added == ["birds.txt"]
    assert list(pets.corpus) == ["birds.txt", "cats", "dogs"] and pets.fingerprint != before


def test_a_folder_that_holds_something_is_not_made_a_corpus(pets, tmp_path):
    with pytest.raises(ValueError, match="pets is already a corpus"):
        CorpusFolder.init(pets.path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match="full holds other files already"):
        CorpusFolder.init(tmp_path / "full")
    with pytest.raises(ValueError, match="thesis.txt is a file"):
        CorpusFolder.init(tmp_path / "full" / "thesis.txt")
    with pytest.raises(ValueError, match="name is ' '; needed text that is not blank"):
        CorpusFolder.init(tmp_path / "new", name=" ")
    assert not (tmp_path / "new").exists()


def test_a_folder_without_a_corpus_says_how_to_make_one(tmp_path):
    with pytest.raises(
        FileNotFoundError,
        match="is no corpus: it has no corpus.json; make one with: workbench init",
    ):
        CorpusFolder.open(tmp_path)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ('{"schema_version": 1', "corpus.json: not valid JSON"),
        ("[]", "corpus.json: needed a JSON object"),
        (
            '{"schema_version": 2, "name": "x"}',
            "schema_version is 2, of a later version; this one reads 1: update measure-first",
        ),
        ('{"schema_version": true, "name": "x"}', "schema_version is True"),
        ('{"schema_version": 1}', "corpus.json: name is None"),
        ('{"schema_version": 1, "name": " "}', "corpus.json: name is ' '"),
        (b"\xff", "corpus.json, line 1: not valid UTF-8"),
    ],
)
def test_damaged_facts_are_named(pets, facts, message):
    (pets.path / "corpus.json").write_bytes(facts if isinstance(facts, bytes) else facts.encode())
    with pytest.raises(ValueError, match=message):
        CorpusFolder.open(pets.path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"_id": "cats"}, "document 'cats' comes a second time"),
        ({"_id": "two words"}, "doc_id is 'two words'"),
        ({"_id": 7}, "needed '_id' as text, found 7"),
        ({"text": None}, "needed 'text' as text"),
        ({"title": "\ud800"}, "title is .*UTF-8"),
        ({"metadata": None}, "needed 'metadata' with a source_uri"),
        ({"metadata": {}}, "needed 'source_uri' as text"),
    ],
)
def test_a_damaged_document_is_named_by_its_line(pets, change, message):
    path = pets.path / "corpus.jsonl"
    first, second = path.read_text().splitlines()
    path.write_text(f"{first}\n{json.dumps(json.loads(second) | change)}\n")
    with pytest.raises(ValueError, match=f"corpus.jsonl, line 2: {message}"):
        CorpusFolder.open(pets.path)
    path.write_text(f"{first}\n{second[:20]}")
    with pytest.raises(ValueError, match="corpus.jsonl, line 2: not valid JSON"):
        CorpusFolder.open(pets.path)


def test_documents_that_are_gone_are_not_an_empty_corpus(pets):
    (pets.path / "corpus.jsonl").unlink()
    with pytest.raises(FileNotFoundError, match="corpus.jsonl is not there, the documents of this corpus"):
        CorpusFolder.open(pets.path)


def test_what_several_add_at_a_time_is_all_there(pets):
    def add(number):
        parts = [SourceDocument(f"{number}-{i}", "", "They sing.", "birds.txt") for i in range(50)]
        return CorpusFolder.open(pets.path).add(parts)

    with ThreadPoolExecutor(6) as pool:
        assert all(len(one.added) == 50 for one in pool.map(add, range(12)))
    assert len(CorpusFolder.open(pets.path).documents) == 2 + 12 * 50


def test_the_texts_of_a_corpus_are_those_on_disk_and_a_copy_is_ones_own(pets):
    for held in (pets.corpus, pets.sources):
        for change in (
            lambda held: held.update(new="x"),
            lambda held: held.pop("cats"),
            lambda held: held.clear(),
        ):
            with pytest.raises(ValueError, match="is not changed here; add documents with add"):
                change(held)
    with pytest.raises(ValueError, match="is not changed here"):
        pets.corpus["new"] = "They swim."
    assert pets.corpus == CorpusFolder.open(pets.path).corpus
    for copied in (copy.deepcopy(pets.corpus), pickle.loads(pickle.dumps(pets.corpus)), pets.corpus | {}):
        assert type(copied) is dict and copied == pets.corpus


def test_a_page_given_without_its_folder_is_said_to_stand_beside_the_older_one(tmp_path, pets):
    docs = tmp_path / "docs"
    (docs / "guide").mkdir(parents=True)
    (docs / "guide" / "password.md").write_text("Open settings.")
    pets.ingest(docs)
    (docs / "guide" / "password.md").write_text("Open the menu.")
    (note,) = pets.ingest(docs / "guide" / "password.md").notes
    assert "password.md beside guide/password.md" in note and "the folder that was given before" in note
    (docs / "password.md").write_text("Another page.")
    assert pets.ingest(docs).notes == []


def test_documents_that_are_left_out_and_keep_their_older_text_are_named(tmp_path, pets):
    docs = tmp_path / "docs"
    docs.mkdir()
    text = "one two three four five six seven"
    lines = [json.dumps({"_id": doc_id, "text": text}) for doc_id in "abc"]
    (docs / "x.jsonl").write_text("\n".join(lines))
    (docs / "page.md").write_text("---\ndoc_id: KB-1\n---\nText.")
    (docs / "other.md").write_text(f"---\ndoc_id: KB-2\n---\n{text}")
    pets.ingest(docs)
    (docs / "page.md").write_bytes(b"\0")
    (note,) = pets.ingest(docs, "leave-out").notes
    assert note == "4 documents that were left out keep the older text in the corpus: KB-1, a, b, c"
    (docs / "page.md").unlink()
    (docs / "x.jsonl").write_text("\n".join([*lines[:2], json.dumps({"_id": "c", "text": None})]))
    (note,) = pets.ingest(docs).notes
    assert note == "1 document that was left out keeps the older text in the corpus: c"


@pytest.mark.parametrize(("text", "cure"), [(float("nan"), '"" where there is none'), (7, "makes text of a")])
def test_a_gap_in_a_table_is_not_told_to_become_the_text_nan(text, cure, tmp_path):
    with pytest.raises(ValueError, match=f"text is {text}; needed text .*{cure}"):
        CorpusFolder.init(tmp_path / "c").add([SourceDocument("x", "", text, "x")])
