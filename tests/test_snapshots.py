"""Snapshots: the same candidates in another process, an id that follows from its causes, refusals."""

import inspect
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import closing
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tiny_model import write_model

from helpers import retrieval, text
from helpers.base import files
from helpers.base.placing import placed
from helpers.retrieval.retrievers import CsrBM25
from helpers.text import tokens
from helpers.text.chunking import chunk_corpus, chunk_fixed, chunk_paragraphs, chunk_recursive
from workbench.__main__ import main
from workbench.backends import BACKENDS, CHUNKERS, FULL_TEXT
from workbench.budget import Item
from workbench.corpus.corpus_folder import CorpusFolder
from workbench.corpus.formats import SourceDocument
from workbench.snapshots import manifest
from workbench.snapshots import snapshot as building
from workbench.snapshots.indexing import backend_settings, chunker_settings, cut_items
from workbench.snapshots.manifest import Manifest
from workbench.snapshots.snapshot import build_again, build_snapshot, load_snapshot, snapshots

PAGES = {
    "api.md": (
        "Checkout API",
        "Restart the checkout-api pod.\n\nThen look at the queue: it drains in v2.x.\n\n"
        "What's left is noise.",
    ),
    "disk.md": ("Disk full", "Delete old logs on the host.\n\nThe disk of the queue host fills first."),
    "pager.md": (
        "",
        "Who is paged? The owner of the queue.\n\nEscalate after ten minutes without an answer.",
    ),
    "twin.md": ("", "Who is paged? The owner of the queue.\n\nEscalate after ten minutes without an answer."),
}
BY_VECTORS = {"dense", "hybrid"}
QUERIES = ["queue", "checkout-api", "who is paged", "disk logs", "what's v2.x", "zebra", "", "NEAR("]


def corpus_in(folder, pages=PAGES, name="wiki"):
    corpus = CorpusFolder.init(folder / "corpus", name)
    corpus.add(
        SourceDocument(doc_id, title, text, f"wiki/{doc_id}") for doc_id, (title, text) in pages.items()
    )
    return corpus


@pytest.fixture
def wiki(tmp_path):
    return corpus_in(tmp_path)


def sizes(chunker):
    """Chunks small enough that every page has several, in an encoding that is always there."""
    if chunker in ("none", "paragraphs"):
        return {}
    return {"chunk_size": 12, "overlap": 3, "encoding": tokens.load_stand_in()}


def found_by(snapshot):
    return {query: [vars(item) for item in snapshot.candidates(query)] for query in QUERIES}


def left_in(corpus):
    return sorted(path.name for path in (corpus.path / "snapshots").glob("*"))


IN_A_NEW_PROCESS = """
import json, sys
from workbench.corpus import CorpusFolder
from workbench.snapshots import load_snapshot, snapshots
corpus, queries = CorpusFolder.open(sys.argv[1]), json.loads(sys.argv[2])
found = {}
for manifest in snapshots(corpus):
    one = load_snapshot(corpus, manifest.snapshot_id)
    found[one.snapshot_id] = {query: [vars(item) for item in one.candidates(query)] for query in queries}
print(json.dumps(found))
"""


def test_every_backend_over_every_chunker_finds_in_a_new_process_what_it_found_when_it_was_built(wiki):
    built = {}
    for backend, chunker in product(BACKENDS, CHUNKERS):
        snapshot = build_snapshot(wiki, backend, chunker, **sizes(chunker))
        built[snapshot.snapshot_id] = found_by(snapshot)
        assert built[snapshot.snapshot_id]["queue"], (backend, chunker)
    assert len(built) == len(BACKENDS) * len(CHUNKERS)
    command = [sys.executable, "-c", IN_A_NEW_PROCESS, str(wiki.path), json.dumps(QUERIES)]
    assert (
        json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=files.ROOT).stdout)
        == built
    )


@pytest.mark.parametrize("backend", BACKENDS)
def test_candidates_are_all_that_is_found_best_first_and_equal_scores_by_item_id_down(wiki, backend):
    candidates = build_snapshot(wiki, backend, "paragraphs").candidates("queue owner paged")
    assert [(item.score, item.item_id) for item in candidates] == sorted(
        ((item.score, item.item_id) for item in candidates), reverse=True
    )
    ids = [item.item_id for item in candidates]
    assert ids.index("twin.md#0") + 1 == ids.index("pager.md#0")  # the same words, so the same score
    with_a_term = {"api.md#1", "disk.md#1", "pager.md#0", "twin.md#0"}
    if backend in BY_VECTORS:  # which have no boundary between what fits and what does not
        assert with_a_term < set(ids)
    else:
        assert set(ids) == with_a_term
        assert all(item.score > 0 for item in candidates)


def test_candidates_are_those_of_the_retriever_over_the_same_texts(wiki):
    run = CsrBM25(wiki.corpus, k1=1.2, b=0.75).search({"q": "queue host"}, k=10)["q"]
    snapshot = build_snapshot(wiki, "csr-bm25", parameters={"k1": 1.2, "b": 0.75})
    assert [(item.item_id, item.score) for item in snapshot.candidates("queue host")] == run


@pytest.mark.parametrize("backend", ["sqlite-full-text-search", "csr-bm25", "rank-bm25", "substring-scan"])
def test_an_accent_of_one_character_or_of_two_is_the_same_accent(tmp_path, backend):
    one, two = "caf\u00e9", "cafe\u0301"
    corpus = CorpusFolder.init(tmp_path / "menus")
    texts = {"one.md": f"the {one} opens", "two.md": f"the {two} opens"}
    texts |= {f"tea{n}.md": "tea at noon" for n in range(4)}
    corpus.add(SourceDocument(doc_id, "", text, doc_id) for doc_id, text in texts.items())
    snapshot = build_snapshot(corpus, backend)
    for query in (one, two):
        assert {item.item_id: item.text for item in snapshot.candidates(query)} == {
            doc_id: texts[doc_id] for doc_id in ("one.md", "two.md")
        }


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_an_item_is_a_span_of_its_document_and_knows_its_source(wiki, chunker):
    snapshot = build_snapshot(wiki, "substring-scan", chunker, **sizes(chunker))
    assert (
        snapshot.manifest.items == len(snapshot.items) == len(wiki.corpus)
        if chunker == "none"
        else len(snapshot.items) > 4
    )
    for item in snapshot.items.values():
        assert item.text == wiki.corpus[item.doc_id][item.start : item.end] != ""
        assert item.source_uri == f"wiki/{item.doc_id}"


def test_items_are_the_chunks_of_the_course_s_chunkers(wiki):
    encoding = tokens.load_stand_in()
    for name, cut in (
        ("paragraphs", chunk_paragraphs),
        ("fixed", lambda text: chunk_fixed(text, 12, 3, encoding)),
        ("recursive", lambda text: chunk_recursive(text, 12, 3, encoding)),
    ):
        chunks = chunk_corpus(wiki.corpus, cut)
        items = cut_items(wiki.corpus, wiki.sources, chunker_settings(name, **sizes(name)), encoding)
        spans = [(chunk.chunk_id, chunk.doc_id, chunk.start, chunk.end) for chunk in chunks]
        assert [(item.item_id, item.doc_id, item.start, item.end) for item in items] == spans


def test_the_default_sizes_are_those_of_the_chunkers():
    for name, chunker in (("fixed", chunk_fixed), ("recursive", chunk_recursive)):
        settings = chunker_settings(name, encoding=tokens.load_stand_in())
        for size in ("chunk_size", "overlap"):
            assert settings[size] == inspect.signature(chunker).parameters[size].default
        assert settings["encoding"] == "wrenfield_4k"


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_a_document_without_text_has_no_item(tmp_path, chunker):
    corpus = corpus_in(tmp_path, {"empty.md": ("", ""), "disk.md": PAGES["disk.md"]})
    snapshot = build_snapshot(corpus, "substring-scan", chunker, **sizes(chunker))
    assert {item.doc_id for item in snapshot.items.values()} == {"disk.md"}
    assert snapshot.manifest.corpus.documents == 2


def test_the_bytes_of_an_index_are_those_on_disk(wiki):
    in_a_file, in_memory = build_snapshot(wiki, "sqlite-full-text-search"), build_snapshot(wiki, "csr-bm25")
    spans = (in_memory.folder / "items.jsonl").stat().st_size
    assert in_memory.index_bytes == spans
    assert in_a_file.index_bytes == spans + (in_a_file.folder / "index.sqlite").stat().st_size


def test_every_backend_and_chunker_of_the_registry_is_one_that_there_is():
    for backend in BACKENDS.values():
        arguments = inspect.signature(getattr(retrieval, backend.retriever)).parameters
        assert set(backend.parameters) <= arguments.keys()
        assert (backend.analyzer is not None) == ("analyzer" in arguments)
        assert backend.analyzer is None or backend.analyzer in text.ANALYZERS
    assert all(chunker is None or callable(getattr(text, chunker)) for chunker in CHUNKERS.values())


# What an id depends on

OTHER = [
    {"backend": "csr-bm25"},
    {"backend": "rank-bm25"},
    {"backend": "substring-scan"},
    {"parameters": {"tokenizer": "unicode61"}},
    {"chunker": "paragraphs"},
    {"chunker": "fixed", "chunk_size": 12, "overlap": 3},
    {"chunker": "recursive", "chunk_size": 12, "overlap": 3},
    {"chunker": "fixed", "chunk_size": 13, "overlap": 3},
    {"chunker": "fixed", "chunk_size": 12, "overlap": 2},
    {"backend": "csr-bm25", "analyzer": "plain"},
    {"backend": "rank-bm25", "analyzer": "lucene_english"},
    {"backend": "csr-bm25", "parameters": {"k1": 1.2}},
    {"backend": "csr-bm25", "parameters": {"b": 0.75}},
    {"backend": "csr-bm25", "parameters": {"variant": "atire"}},
    {"backend": "csr-bm25", "parameters": {"variant": "bm25+"}},
    {"backend": "csr-bm25", "parameters": {"variant": "bm25+", "delta": 0.5}},
    {"backend": "csr-bm25", "parameters": {"lucene_lengths": True}},
]


def with_stand_in(settings):
    return settings | ({"encoding": tokens.load_stand_in()} if "chunk_size" in settings else {})


def test_another_backend_chunker_size_analyzer_or_parameter_is_another_id(wiki):
    ids = [build_snapshot(wiki, **with_stand_in(settings)).snapshot_id for settings in [{}, *OTHER]]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "change",
    [("other.md", "New", "page"), ("api.md", "Checkout API", "Other text."), ("api.md", "Title", None)],
)
def test_another_document_text_or_title_is_another_id(wiki, change):
    doc_id, title, text = change
    before = build_snapshot(wiki).snapshot_id
    wiki.add([SourceDocument(doc_id, title, PAGES["api.md"][1] if text is None else text, f"wiki/{doc_id}")])
    assert build_snapshot(wiki).snapshot_id != before


def test_another_source_of_a_document_is_another_id(wiki):
    before = build_snapshot(wiki).snapshot_id
    wiki.add([SourceDocument("api.md", *PAGES["api.md"], "moved/api.md")])
    assert build_snapshot(wiki).snapshot_id != before


def test_another_encoding_is_another_id():
    facts = FACTS | {
        "chunker": {"name": "fixed", "chunk_size": 512, "overlap": 50, "encoding": "cl100k_base"}
    }
    other = FACTS | {"chunker": facts["chunker"] | {"encoding": "wrenfield_4k"}}
    assert manifest.id_of(facts) != manifest.id_of(other)


@pytest.mark.parametrize(
    ("short", "spelt_out"),
    [
        ({}, {"backend": "sqlite-full-text-search", "chunker": "none", "parameters": {}}),
        (
            {"backend": "csr-bm25"},
            {"backend": "csr-bm25", "analyzer": "lucene_english", "parameters": {"k1": 0.9, "b": "0.4"}},
        ),
        (
            {"backend": "csr-bm25"},
            {"backend": "csr-bm25", "parameters": {"variant": "lucene", "lucene_lengths": "false"}},
        ),
        (
            {"backend": "csr-bm25", "parameters": {"k1": 0}},
            {"backend": "csr-bm25", "parameters": {"k1": -0.0, "b": None}},
        ),
        (
            {"backend": "csr-bm25", "parameters": {"k1": 2}},
            {"backend": "csr-bm25", "parameters": {"k1": 2.0}},
        ),
        ({"backend": "rank-bm25"}, {"backend": "rank-bm25", "analyzer": "plain"}),
        ({"chunker": "fixed"}, {"chunker": "fixed", "chunk_size": 512, "overlap": 50}),
    ],
)
def test_a_default_that_is_spelt_out_is_the_same_snapshot(wiki, short, spelt_out):
    short, spelt_out = (
        one | ({"encoding": tokens.load_stand_in()} if "chunker" in short else {})
        for one in (short, spelt_out)
    )
    spelt_out |= {"encoding": None} if spelt_out.get("chunker") == "none" else {}
    assert build_snapshot(wiki, **spelt_out).folder == build_snapshot(wiki, **short).folder


def test_the_id_depends_on_neither_the_folder_nor_the_name_nor_the_order_in_which_documents_came(
    wiki, tmp_path
):
    elsewhere = corpus_in(tmp_path / "elsewhere", dict(reversed(PAGES.items())), "another name")
    for backend in BACKENDS:
        assert build_snapshot(elsewhere, backend).snapshot_id == build_snapshot(wiki, backend).snapshot_id


HASH = "sha256:" + 64 * "0"
FACTS = {
    "schema_version": 1,
    "corpus": {"name": "wiki", "fingerprint": HASH, "documents": 2},
    "chunker": {"name": "none", "chunk_size": None, "overlap": None, "encoding": None},
    "analyzer": "plain",
    "backend": "csr-bm25",
    "parameters": {"b": 0.4, "k1": 0.9},
    "items": 2,
    "items_fingerprint": HASH,
}
NOT_DETERMINING = {
    "snapshot_id": "x",
    "index_fingerprint": HASH,
    "versions": {"python": "3"},
    "created": "now",
}
LEAVES = [(name,) for name in FACTS if name not in ("schema_version", "corpus", "chunker", "parameters")] + [
    (name, key)
    for name in ("corpus", "chunker", "parameters")
    for key in FACTS[name]
    if (name, key) != ("corpus", "name")
]
VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()


def changed(facts, path, value):
    facts = json.loads(json.dumps(facts))
    record = facts
    for name in path[:-1]:
        record = record[name]
    old, record[path[-1]] = record[path[-1]], value
    return facts, json.dumps(old) != json.dumps(value)


@given(st.sampled_from(LEAVES), VALUES)
def test_the_id_changes_with_each_determining_field_and_only_then(path, value):
    other, differs = changed(FACTS, path, value)
    assert (manifest.id_of(other) != manifest.id_of(FACTS)) == differs


@given(
    st.permutations(list(FACTS)), st.text(), st.dictionaries(st.sampled_from(list(NOT_DETERMINING)), VALUES)
)
def test_the_id_does_not_change_with_order_name_time_or_programs(order, name, others):
    facts = {field: FACTS[field] for field in order} | {"corpus": FACTS["corpus"] | {"name": name}} | others
    assert manifest.id_of(facts) == manifest.id_of(FACTS)


def test_no_field_of_a_manifest_is_forgotten_by_the_id():
    assert set(Manifest.model_fields) == set(FACTS) | set(NOT_DETERMINING)


# Building again, and what an interrupted build leaves


@pytest.mark.parametrize("backend", BACKENDS)
def test_building_again_keeps_the_folder_as_it_is(wiki, backend):
    first = build_snapshot(wiki, backend)
    before = {
        path: (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes())
        for path in first.folder.iterdir()
    }
    again = build_snapshot(CorpusFolder.open(wiki.path), backend)
    assert again.manifest == first.manifest
    assert {
        path: (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes())
        for path in again.folder.iterdir()
    } == before
    assert found_by(again) == found_by(first)
    assert left_in(wiki) == [first.snapshot_id]


@pytest.mark.parametrize("step", ["write_index", "file_fingerprint", "new_manifest", "open_index"])
@pytest.mark.parametrize("reason", [KeyboardInterrupt, OSError, ValueError])
def test_an_interrupted_build_leaves_nothing_behind(wiki, monkeypatch, step, reason):
    def stop(*given):
        assert left_in(wiki)[0].startswith(".")  # what is there so far is hidden
        raise reason("stop")

    with monkeypatch.context() as patched, pytest.raises(reason):
        patched.setattr(building, step, stop)
        build_snapshot(wiki)
    assert left_in(wiki) == []
    assert build_snapshot(wiki).candidates("queue")


def test_settings_that_an_index_cannot_have_leave_nothing_behind(wiki):
    for backend, parameters in (
        ("csr-bm25", {"b": 1.5}),
        ("csr-bm25", {"delta": 1}),
        (FULL_TEXT, {"tokenizer": "none such"}),
    ):
        with pytest.raises(ValueError, match="b is 1.5|'lucene' has no delta|none such"):
            build_snapshot(wiki, backend, parameters=parameters)
    assert left_in(wiki) == []


def test_what_a_killed_build_left_is_no_snapshot_and_is_removed_a_day_later(wiki):
    left = wiki.path / "snapshots" / f".0123456789abcdef.{32 * '0'}.partial"
    left.mkdir(parents=True)
    assert snapshots(wiki) == []
    kept = build_snapshot(wiki, "csr-bm25").snapshot_id
    assert left_in(wiki) == [left.name, kept]  # it may be a build that is still at work
    os.utime(left, (time.time() - 25 * 3600,) * 2)
    also = build_snapshot(wiki, "rank-bm25").snapshot_id
    assert left_in(wiki) == sorted([kept, also])


@pytest.mark.parametrize("backend", BACKENDS)
def test_of_two_builds_of_the_same_at_the_same_time_the_first_one_stays(wiki, monkeypatch, backend):
    write, others = building.write_index, []

    def overtaken(*given):
        monkeypatch.setattr(building, "write_index", write)
        others.append(build_snapshot(wiki, backend))
        write(*given)

    monkeypatch.setattr(building, "write_index", overtaken)
    later = build_snapshot(wiki, backend)
    assert later.manifest == others[0].manifest
    assert left_in(wiki) == [later.snapshot_id]
    assert found_by(later) == found_by(others[0])


# Which one is the latest


@pytest.mark.parametrize("order", list(permutations(BACKENDS))[::150])
def test_the_latest_is_the_last_that_was_built_even_within_one_instant(wiki, monkeypatch, order):
    now = manifest.datetime.now(manifest.timezone.utc)

    class StandingStill(manifest.datetime):
        @classmethod
        def now(cls, zone=None):
            return now

    monkeypatch.setattr(manifest, "datetime", StandingStill)
    for number, backend in enumerate(order, start=1):
        build_snapshot(wiki, backend)
        assert load_snapshot(wiki).manifest.backend == backend
        assert [one.backend for one in snapshots(wiki)] == list(order[:number])


def test_a_clock_that_was_set_back_does_not_make_an_old_snapshot_the_latest(wiki, monkeypatch):
    class Earlier(manifest.datetime):
        @classmethod
        def now(cls, zone=None):
            return super().now(zone) - manifest.timedelta(days=400)

    build_snapshot(wiki, "csr-bm25")
    monkeypatch.setattr(manifest, "datetime", Earlier)
    last = build_snapshot(wiki, "rank-bm25")
    assert load_snapshot(wiki).snapshot_id == last.snapshot_id


def test_when_documents_are_as_they_were_once_the_snapshot_of_that_time_is_loaded(wiki):
    first = build_snapshot(wiki)
    wiki.add([SourceDocument("api.md", "Checkout API", "Changed.", "wiki/api.md")])
    second = build_snapshot(wiki)
    wiki.add([SourceDocument("api.md", *PAGES["api.md"], "wiki/api.md")])
    assert load_snapshot(wiki).snapshot_id == first.snapshot_id
    assert [one.snapshot_id for one in snapshots(wiki)] == [first.snapshot_id, second.snapshot_id]


def test_a_snapshot_is_loaded_by_its_id_or_an_unambiguous_beginning(wiki):
    ids = sorted(
        build_snapshot(wiki, backend, chunker).snapshot_id
        for backend, chunker in product(BACKENDS, ["none", "paragraphs"])
    )
    for snapshot_id in ids:
        unique = next(n for n in range(1, 17) if sum(other.startswith(snapshot_id[:n]) for other in ids) == 1)
        assert (
            load_snapshot(wiki, snapshot_id[:unique]).snapshot_id
            == load_snapshot(wiki, snapshot_id).snapshot_id
            == snapshot_id
        )
    with pytest.raises(FileNotFoundError, match="no snapshot begins with 'csr-bm25'") as refused:
        load_snapshot(wiki, "csr-bm25")
    backends = (f"{one.snapshot_id} ({one.backend})" for one in snapshots(wiki))
    assert all(one in str(refused.value) for one in backends)  # so that one finds the one that was meant
    with pytest.raises(ValueError, match="needed an id or its beginning"):
        load_snapshot(wiki, "")
    with pytest.raises(FileNotFoundError, match="no snapshot begins with '../"):
        load_snapshot(wiki, "../snapshots")


def test_a_beginning_that_two_ids_have_is_refused_with_both(wiki):
    snapshot = build_snapshot(wiki)
    twin = snapshot.folder.with_name(
        snapshot.snapshot_id[:15] + ("0" if snapshot.snapshot_id[15] != "0" else "1")
    )
    twin.mkdir()
    with pytest.raises(
        ValueError, match=f"2 snapshots begin with '{snapshot.snapshot_id[:4]}'.*{snapshot.snapshot_id}"
    ):
        load_snapshot(wiki, snapshot.snapshot_id[:4])


def test_without_a_snapshot_the_way_to_one_is_named(wiki):
    with pytest.raises(
        FileNotFoundError,
        match="corpus 'wiki' has no snapshot yet; build one: workbench snapshot --corpus",
    ):
        load_snapshot(wiki)


# What is refused


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_snapshot_of_another_corpus_is_refused_with_both_fingerprints(wiki, backend):
    snapshot, before = build_snapshot(wiki, backend), wiki.fingerprint
    wiki.add([SourceDocument("new.md", "New", "page", "new.md")])
    assert wiki.fingerprint != before
    for snapshot_id in (None, snapshot.snapshot_id):
        with pytest.raises(
            ValueError, match=f"(?s){snapshot.snapshot_id} is of another corpus.*{before}.*{wiki.fingerprint}"
        ):
            load_snapshot(CorpusFolder.open(wiki.path), snapshot_id)


def edited(**changes):
    def edit(path):
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return edit


DAMAGED_MANIFESTS = [
    (lambda path: path.unlink(), "manifest.json is no file"),
    (lambda path: path.write_text(""), "manifest.json, line 1, column 1: not valid JSON"),
    (lambda path: path.write_text(path.read_text()[:100]), "not valid JSON.*cut off"),
    (lambda path: path.write_bytes(b"\xff\xfe"), "not valid UTF-8"),
    (lambda path: path.write_text("[" * 100_000), "too deep"),
    (lambda path: path.write_text("[]"), "manifest.json"),
    (lambda path: path.write_text("{}"), "schema_version.*found None"),
    (
        edited(schema_version=2),
        "schema_version is 2, of a later version; this one reads 1: update measure-first",
    ),
    (edited(schema_version=True), "schema_version: .*found True"),
    (edited(extra=1), "extra: there is no such key"),
    (edited(items="4", backend=7), "(?s)2 problems.*backend: .*items: "),
    (edited(items=5), "was edited"),
    (edited(parameters={"tokenizer": "unicode61"}), "was edited"),
    (edited(snapshot_id="0123456789abcdef"), "was edited"),
    (edited(created="yesterday"), "created: needed a time in UTC"),
    (edited(created="2026-02-30T00:00:00.000000+00:00"), "created: needed a time in UTC"),
    (edited(items_fingerprint=HASH), "was edited"),
    (edited(index_fingerprint=HASH), "index.sqlite is damaged"),
    (edited(index_fingerprint=None), "index.sqlite is damaged or missing: .* written was None"),
    (
        lambda path: path.write_text(path.read_text().replace('"items"', '"backend": "csr-bm25", "items"')),
        "stands there twice",
    ),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGED_MANIFESTS)
def test_a_damaged_manifest_is_refused_in_words_and_building_again_mends_it(wiki, damage, message):
    snapshot = build_snapshot(wiki)
    damage(snapshot.folder / "manifest.json")
    for snapshot_id in (None, snapshot.snapshot_id):
        with pytest.raises((ValueError, FileNotFoundError), match=message) as refused:
            load_snapshot(wiki, snapshot_id)
        assert str(snapshot.folder) in str(refused.value)
        assert "build the snapshot again" in str(refused.value)
    assert found_by(build_snapshot(wiki)) == found_by(load_snapshot(wiki))
    assert left_in(wiki) == [snapshot.snapshot_id]


@pytest.mark.parametrize("name", ["items.jsonl", "index.sqlite"])
@pytest.mark.parametrize("damage", ["missing", "empty", "cut off", "one bit"])
def test_damaged_items_and_a_damaged_index_are_refused_in_words_and_building_again_mends_them(
    wiki, name, damage
):
    snapshot = build_snapshot(wiki, chunker="paragraphs")
    expected, path = found_by(snapshot), snapshot.folder / name
    snapshot.close()
    content = path.read_bytes()
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    path.unlink()
    if damage != "missing":
        path.write_bytes({"empty": b"", "cut off": content[:middle], "one bit": flipped}[damage])
    with pytest.raises(ValueError, match=f"{name} is damaged or missing: .*build the snapshot again"):
        load_snapshot(wiki)
    assert found_by(build_snapshot(wiki, chunker="paragraphs")) == expected
    assert left_in(wiki) == [snapshot.snapshot_id]


def test_a_backend_that_only_a_later_version_has_is_refused_in_words(wiki):
    snapshot = build_snapshot(wiki, "csr-bm25")
    path = snapshot.folder / "manifest.json"
    edited(backend="holographic")(path)
    snapshot_id = manifest.id_of(json.loads(path.read_text()))
    edited(snapshot_id=snapshot_id)(path)
    snapshot.folder.rename(snapshot.folder.with_name(snapshot_id))
    with pytest.raises(ValueError, match="backend is 'holographic'; it can be"):
        load_snapshot(wiki)


def test_the_index_of_other_items_is_refused(wiki):
    snapshot, other = build_snapshot(wiki), build_snapshot(wiki, chunker="paragraphs")
    swapped = (other.folder / "index.sqlite").read_bytes()
    snapshot.close()
    (snapshot.folder / "index.sqlite").write_bytes(swapped)
    path = snapshot.folder / "manifest.json"
    edited(index_fingerprint=other.manifest.index_fingerprint)(path)
    with pytest.raises(ValueError, match="index.sqlite is the index of other items"):
        load_snapshot(wiki, snapshot.snapshot_id)


def test_one_damaged_snapshot_keeps_no_other_from_being_built_or_loaded_by_its_id(wiki):
    damaged, whole = build_snapshot(wiki, "csr-bm25"), build_snapshot(wiki, "rank-bm25")
    (damaged.folder / "manifest.json").write_text("{")
    assert load_snapshot(wiki, whole.snapshot_id).snapshot_id == whole.snapshot_id
    assert build_snapshot(wiki, "substring-scan").candidates("queue")
    with pytest.raises(ValueError, match=damaged.snapshot_id):
        load_snapshot(wiki)  # which one is the latest cannot be known


def test_a_corpus_without_a_document_or_without_text_is_refused(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "empty", "empty")
    with pytest.raises(ValueError, match="the corpus holds no document; ingest some first"):
        build_snapshot(corpus)
    corpus.add([SourceDocument("a.md", "", "", "a.md")])
    with pytest.raises(ValueError, match="none of the 1 documents has text; ingest some first"):
        build_snapshot(corpus)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"backend": "bm25"}, "backend is 'bm25'; it can be 'sqlite-full-text-search' or 'csr-bm25'"),
        ({"chunker": "sentences"}, "chunker is 'sentences'; it can be 'none' or"),
        ({"chunk_size": 100}, "chunker 'none' counts no tokens and takes no chunk_size"),
        (
            {"chunker": "paragraphs", "overlap": 0},
            "chunker 'paragraphs' counts no tokens and takes no overlap",
        ),
        ({"chunker": "fixed", "chunk_size": "100"}, "chunk_size is '100'; it is a whole number"),
        ({"chunker": "fixed", "chunk_size": True}, "chunk_size is True; it is a whole number"),
        ({"chunker": "fixed", "chunk_size": 10}, "chunk_size is 10, less than the 50"),
        ({"analyzer": "plain"}, "'sqlite-full-text-search' takes none; give its tokenizer as a parameter"),
        ({"backend": "substring-scan", "analyzer": "plain"}, "'substring-scan' takes none"),
        ({"backend": "csr-bm25", "analyzer": "porter"}, "analyzer is 'porter'; it can be 'plain'"),
        ({"parameters": {"k1": 1.2}}, "'sqlite-full-text-search' has no parameter 'k1'; it takes tokenizer"),
        (
            {"backend": "rank-bm25", "parameters": {"b": 0, "k1": 1}},
            "'rank-bm25' has no parameter 'b', 'k1'; it takes none",
        ),
        (
            {"backend": "csr-bm25", "parameters": {"k2": 1}},
            "no parameter 'k2'; it takes variant, k1, b, delta, lucene_lengths",
        ),
        ({"backend": "csr-bm25", "parameters": {"k1": "high"}}, "k1 is 'high'; needed a finite number"),
        ({"backend": "csr-bm25", "parameters": {"k1": True}}, "k1 is True; needed a finite number"),
        ({"backend": "csr-bm25", "parameters": {"k1": float("nan")}}, "k1 is nan; needed a finite number"),
        ({"backend": "csr-bm25", "parameters": {"b": 10**400}}, "b is 1000*; needed a finite number"),
        ({"backend": "csr-bm25", "parameters": {"variant": "bm26"}}, "variant is 'bm26'; it can be 'lucene'"),
        (
            {"backend": "csr-bm25", "parameters": {"lucene_lengths": 2}},
            "lucene_lengths is 2; it is true or false",
        ),
        ({"parameters": {"tokenizer": ""}}, "tokenizer is ''; needed text"),
        ({"parameters": {"tokenizer": "unicode61\udc80"}}, "tokenizer is .*; needed text"),
        ({"parameters": ["k1"]}, "parameters are .*; give a dict"),
    ],
)
def test_settings_that_there_are_not_are_refused_by_name(wiki, settings, message):
    encoding = {"encoding": tokens.load_stand_in()} if settings.get("chunker") == "fixed" else {}
    with pytest.raises(ValueError, match=message):
        build_snapshot(wiki, **settings, **encoding)
    assert left_in(wiki) == []


# What a manifest says


def test_a_manifest_says_what_was_built_of_what_by_what(wiki):
    snapshot = build_snapshot(wiki, "csr-bm25", "fixed", parameters={"k1": 1.2}, **sizes("fixed"))
    said = json.loads((snapshot.folder / "manifest.json").read_text(encoding="utf-8"))
    assert said["corpus"] == {"name": "wiki", "fingerprint": wiki.fingerprint, "documents": 4}
    assert said["chunker"] == {"name": "fixed", "chunk_size": 12, "overlap": 3, "encoding": "wrenfield_4k"}
    assert (said["backend"], said["analyzer"]) == ("csr-bm25", "lucene_english")
    assert said["parameters"] == {"variant": "lucene", "k1": 1.2, "b": 0.4, "lucene_lengths": False}
    assert said["items"] == len((snapshot.folder / "items.jsonl").read_text().splitlines())
    assert {"python", "sqlite", "numpy", "rank-bm25", "PyStemmer"} <= said["versions"].keys()


def test_a_manifest_survives_json_and_refuses_other_types(wiki):
    written = build_snapshot(wiki, "csr-bm25").manifest
    assert Manifest.model_validate_json(written.model_dump_json()) == written
    with pytest.raises(ValidationError):
        Manifest.model_validate(written.model_dump() | {"items": "4"})


def test_the_documents_are_not_copied_into_a_snapshot_of_the_items(wiki):
    snapshot = build_snapshot(wiki, "csr-bm25", "paragraphs")
    assert sorted(path.name for path in snapshot.folder.iterdir()) == ["items.jsonl", "manifest.json"]
    assert b"Restart" not in (snapshot.folder / "items.jsonl").read_bytes()
    line = json.loads((snapshot.folder / "items.jsonl").read_text().splitlines()[0])
    assert line == {
        "item_id": "api.md#0",
        "doc_id": "api.md",
        "start": 0,
        "end": len("Checkout API Restart the checkout-api pod.\n\n"),
    }
    assert snapshot.items["api.md#0"] == Item(
        "api.md#0",
        "api.md",
        "wiki/api.md",
        0.0,
        "Checkout API Restart the checkout-api pod.\n\n",
        0,
        line["end"],
    )


@given(st.sampled_from(sorted(BACKENDS)), st.dictionaries(st.text(max_size=9), VALUES, max_size=3))
def test_settings_are_completed_or_refused_and_completing_them_again_changes_nothing(backend, parameters):
    try:
        analyzer, complete = backend_settings(backend, None, parameters)
    except ValueError:
        return
    assert backend_settings(backend, analyzer, complete) == (analyzer, complete)


def test_a_folder_that_another_process_takes_away_to_replace_it_is_replaced_all_the_same(tmp_path):
    folder = tmp_path / "index"
    folder.mkdir()
    with placed(folder) as beside:
        (beside / "terms.txt").write_text("complete")
        folder.rmdir()
    assert [path.name for path in tmp_path.rglob("*")] == ["index", "terms.txt"]


def test_an_encoding_that_is_only_named_is_told_how_to_get_one():
    with pytest.raises(ValueError, match="encoding is a str; needed an Encoding; as tiktoken.get_encoding"):
        chunker_settings("fixed", 20, 0, encoding="cl100k_base")


def test_of_whole_documents_no_tokens_are_counted_so_no_encoding_is_looked_for(wiki, monkeypatch):
    def no_network():
        raise AssertionError("an encoding was looked for, which may be downloaded")

    monkeypatch.setattr(tokens, "load_cl100k", no_network)
    tokens.encoding_or_stand_in.cache_clear()
    try:
        with closing(build_snapshot(wiki, "csr-bm25")) as built:
            build_again(wiki, built.manifest).close()
            load_snapshot(wiki, built.snapshot_id).close()
    finally:
        tokens.encoding_or_stand_in.cache_clear()


def test_a_snapshot_of_the_corpus_before_it_changed_is_told_how_it_was_built(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "pets", "pets")
    corpus.add([SourceDocument("a.md", "", "cats sleep", "a.md")])
    with closing(build_snapshot(corpus, "csr-bm25", parameters={"k1": 1.5})) as old:
        old_id = old.snapshot_id
    corpus.add([SourceDocument("b.md", "", "dogs bark", "b.md")])
    with pytest.raises(
        ValueError, match="--backend csr-bm25 .*--parameter k1=1.5.*name the new one"
    ) as error:
        load_snapshot(corpus, old_id)
    command = re.search("workbench (snapshot .*?), and where", str(error.value))[1]
    assert main(shlex.split(command)) == 0


@pytest.mark.parametrize("backend", sorted(BY_VECTORS))
def test_a_model_in_a_folder_counts_with_its_weights(tmp_path, backend):
    corpus, model = corpus_in(tmp_path), write_model(tmp_path / "model")
    built = [build_snapshot(corpus, backend, parameters={"model": str(model)}) for _ in range(2)]
    assert built[0].snapshot_id == built[1].snapshot_id
    shutil.rmtree(model)
    write_model(model, seed=1)
    with pytest.raises(ValueError, match="model is not the one that the snapshot was built with"):
        load_snapshot(corpus, built[0].snapshot_id)
    other = build_snapshot(corpus, backend, parameters={"model": str(model)})
    assert other.snapshot_id != built[0].snapshot_id
    assert load_snapshot(corpus).candidates("queue") == other.candidates("queue")


def test_a_size_below_the_usual_overlap_is_told_both():
    with pytest.raises(
        ValueError, match="chunk_size is 10, less than the 50 tokens .* give a smaller overlap"
    ):
        chunker_settings("fixed", chunk_size=10)


def test_a_damaged_snapshot_does_not_stand_in_the_way_of_another(wiki, capsys):
    (wiki.path / "snapshots" / "0123456789abcdef").mkdir(parents=True)
    assert main(["snapshot", "--corpus", str(wiki.path), "--backend", "csr-bm25"]) == 0
    assert "another snapshot cannot be read" in capsys.readouterr().out
