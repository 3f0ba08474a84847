"""Encoded corpora on disk: what comes back, what is refused, what damage is noticed, and what a kill
leaves."""

import importlib.util
import json
import os
import shutil
import signal
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix

from helpers.base import StaleCache, corpus_fingerprint, files
from helpers.base.files import cache_path
from helpers.retrieval import corpus_cache
from helpers.retrieval.corpus_cache import (
    cached_corpus,
    load_encoded_corpus,
    save_encoded_corpus,
)

MANIFEST = "encoded_corpus.json"
MATRIX = csr_matrix(np.array([[0.5, 0, 2], [0, 0, 0], [0, 1.5, 0]], dtype=np.float32))
IDF = np.array([0.1, 0.2, 0.3], dtype=np.float32)
IDS = ["d1", "d2", "d3"]
MADE_BY = {"model": "toy", "k1": 0.9}
NAMES = ("data", "indices", "indptr")
can_kill = pytest.mark.skipif(
    not hasattr(os, "fork") or not hasattr(signal, "SIGKILL"), reason="needs os.fork and SIGKILL"
)


@pytest.fixture
def cache(tmp_path):
    save_encoded_corpus(tmp_path / "cache", MATRIX, IDF, IDS, MADE_BY)
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def benchmark():
    spec = importlib.util.spec_from_file_location(
        "kill_cache", files.ROOT / "evals" / "benchmarks" / "kill_cache.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def generation(cache: Path) -> Path:
    (folder,) = cache.glob("generation-*")
    return folder


def manifest_of(cache: Path) -> Path:
    return generation(cache) / MANIFEST


def rewrite_manifest(cache: Path, **changes) -> None:
    """A manifest with other content and a checksum that fits: what a program with a bug would write."""
    manifest = json.loads(manifest_of(cache).read_text())
    del manifest["crc32"]
    manifest.update(changes)
    manifest["crc32"] = zlib.crc32(json.dumps(manifest).encode())
    manifest_of(cache).write_text(json.dumps(manifest))


def put(cache: Path, name: str, content: bytes | np.ndarray) -> None:
    """Another file in place of the stored one, with a size and checksum in the manifest that fit it."""
    path = generation(cache) / name
    np.save(path, content) if isinstance(content, np.ndarray) else path.write_bytes(content)
    content = path.read_bytes()
    stored = json.loads(manifest_of(cache).read_text())["files"]
    rewrite_manifest(cache, files={**stored, name: {"bytes": len(content), "crc32": zlib.crc32(content)}})


def assert_same(found, matrix=MATRIX, idf=IDF, doc_ids=IDS):
    assert found[0].shape == matrix.shape
    for name in NAMES:
        one, other = getattr(found[0], name), getattr(matrix, name)
        assert (one.dtype, one.tolist()) == (other.dtype, other.tolist()), name
    assert (found[1].dtype, found[1].tolist()) == (idf.dtype, idf.tolist())
    assert found[2] == doc_ids


# What comes back


def test_a_cache_gives_back_what_was_saved(cache):
    assert_same(load_encoded_corpus(cache))
    assert_same(load_encoded_corpus(str(cache), MADE_BY))


def test_the_matrix_is_mapped_from_the_files_and_not_copied(cache):
    matrix, idf, _ = load_encoded_corpus(cache)
    for name in NAMES:
        array = getattr(matrix, name)
        assert type(array) is np.ndarray
        assert isinstance(array.base, np.memmap), name
        assert Path(array.base.filename).name == f"{name}.npy"
        assert array.ctypes.data == array.base.ctypes.data
        assert not array.flags.writeable
    idf[0] = 7  # IDF is small: it is read, and the caller's own


def test_bytes_changed_on_disk_show_in_the_mapped_matrix(cache):
    matrix = load_encoded_corpus(cache)[0]
    with open(generation(cache) / "data.npy", "r+b") as file:
        file.seek(-4, os.SEEK_END)
        file.write(np.float32(8).tobytes())
    assert matrix[2, 1] == 8


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("value", [np.float32, np.float64, np.int32, np.int64, np.uint8, np.bool_])
def test_data_types_are_kept(tmp_path, index, value):
    matrix = csr_matrix(np.eye(4, 6, dtype=bool))
    matrix.data, matrix.indices, matrix.indptr = (
        matrix.data.astype(value),
        matrix.indices.astype(index),
        matrix.indptr.astype(index),
    )
    save_encoded_corpus(tmp_path, matrix, np.ones(6), list("abcd"))
    found = load_encoded_corpus(tmp_path)
    assert_same(found, matrix, np.ones(6), list("abcd"))
    assert isinstance(found[0].indices.base, np.memmap)


@pytest.mark.parametrize("shape", [(0, 5), (3, 0), (0, 0), (3, 5)])
def test_a_matrix_without_rows_columns_or_entries_comes_back(tmp_path, shape):
    save_encoded_corpus(tmp_path, csr_matrix(shape), np.ones(shape[1]), IDS[: shape[0]])
    assert_same(load_encoded_corpus(tmp_path), csr_matrix(shape), np.ones(shape[1]), IDS[: shape[0]])


AWKWARD = [
    "",
    " ",
    "\n",
    "a\nb",
    "a\r\nb",
    '"',
    "'",
    "\\",
    "\\n",
    ",",
    "\u2028",
    "\x00",
    "é",
    "e\u0301",
    "日本",
    "\ufeff",
    "\ud83d\ude00",
    "\ud83d",
    "😀",
]


def test_every_id_survives(tmp_path):
    matrix = csr_matrix((len(AWKWARD), 1))
    save_encoded_corpus(tmp_path, matrix, np.ones(1), AWKWARD)
    assert load_encoded_corpus(tmp_path)[2] == AWKWARD


@settings(max_examples=40)
@given(st.lists(st.text(st.characters()), unique=True, max_size=8))
def test_any_ids_survive(tmp_path_factory, doc_ids):
    folder = tmp_path_factory.mktemp("ids")
    save_encoded_corpus(folder, csr_matrix((len(doc_ids), 1)), np.ones(1), doc_ids)
    assert load_encoded_corpus(folder)[2] == doc_ids


def test_a_mapped_matrix_multiplies_sums_slices_and_transposes_like_one_in_memory(tmp_path):
    rng = np.random.default_rng(0)
    whole = csr_matrix(rng.random((50, 40)) * (rng.random((50, 40)) < 0.2))
    save_encoded_corpus(tmp_path, whole, np.ones(40), [str(row) for row in range(50)])
    mapped = load_encoded_corpus(tmp_path)[0]
    weights = np.arange(40.0)
    assert (mapped @ weights).tolist() == (whole @ weights).tolist()
    assert mapped.sum() == whole.sum()
    assert (mapped[3:9].T.tocsr() != whole[3:9].T.tocsr()).nnz == 0
    assert (mapped.T @ mapped - whole.T @ whole).count_nonzero() == 0


def test_a_mapped_matrix_refuses_changes_and_its_copy_takes_them(cache):
    matrix = load_encoded_corpus(cache)[0]
    with pytest.raises(ValueError, match="read-only"):
        matrix.data[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        matrix.eliminate_zeros()
    copy = matrix.copy()
    copy.data[0] = 1
    assert_same(load_encoded_corpus(cache))


def test_unsorted_and_split_entries_are_stored_sorted_and_summed_and_the_given_matrix_is_left_alone(tmp_path):
    matrix = csr_matrix((np.array([1.0, 2.0, 3.0]), [2, 0, 2], [0, 3]), shape=(1, 3))
    save_encoded_corpus(tmp_path, matrix, np.ones(3), ["d"])
    found = load_encoded_corpus(tmp_path)[0]
    assert (found.indices.tolist(), found.data.tolist(), found.sum()) == ([0, 2], [2.0, 4.0], 6.0)
    assert matrix.indices.tolist() == [2, 0, 2]


def test_spare_room_behind_the_last_entry_is_not_stored(tmp_path):
    matrix = MATRIX.copy()
    matrix.data, matrix.indices = (
        np.append(matrix.data, np.float32(np.nan)),
        np.append(matrix.indices, np.int32(99)),
    )
    save_encoded_corpus(tmp_path, matrix, IDF, IDS)
    assert_same(load_encoded_corpus(tmp_path))


def test_the_manifest_says_what_is_stored(cache):
    manifest = json.loads(manifest_of(cache).read_text())
    assert (manifest["format"], manifest["shape"], manifest["nnz"], manifest["made_by"]) == (
        1,
        [3, 3],
        3,
        MADE_BY,
    )
    assert manifest["dtypes"] == {"data": "<f4", "indices": "<i4", "indptr": "<i4", "idf": "<f4"}
    assert manifest["files"]["idf.npy"]["bytes"] == (generation(cache) / "idf.npy").stat().st_size
    assert manifest["versions"].keys() == {"numpy", "scipy"}


# What is refused


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"corpus_matrix": MATRIX.toarray()}, "corpus_matrix is a ndarray; needed a csr_matrix"),
        ({"corpus_matrix": MATRIX.tocsc()}, "corpus_matrix is a csc_matrix"),
        ({"corpus_matrix": csr_array(MATRIX)}, "corpus_matrix is a csr_array"),
        ({"corpus_matrix": MATRIX * np.nan}, "data holds nan at position 0"),
        ({"corpus_matrix": MATRIX * np.inf}, "data holds inf at position 0"),
        ({"corpus_matrix": MATRIX * 1j}, "data has 1 dimensions of complex"),
        ({"idf": np.array([1, np.nan, 1])}, "idf holds nan at position 1"),
        ({"idf": np.ones((3, 1))}, "idf has 2 dimensions"),
        ({"idf": np.array([1, None, 2])}, "idf has 1 dimensions of object"),
        ({"idf": np.ones(2)}, "2 IDF values for 3 columns"),
        ({"doc_ids": IDS[:2]}, "2 doc_ids for 3 rows"),
        ({"doc_ids": ["d1", 2, "d3"]}, "doc_ids: id 2 is of type int; ids are text"),
        ({"doc_ids": ["d1", "d2", "d1"]}, "doc_ids: 'd1' stands in rows 0 and 2"),
        ({"doc_ids": "abc"}, "doc_ids is the text 'abc'"),
        ({"made_by": ["toy"]}, "made_by must be a dict .* it is a list"),
        ({"made_by": {"k1": np.ones(1)}}, "made_by must be a dict .* ndarray"),
        ({"made_by": {"k1": float("nan")}}, "made_by must be a dict"),
        ({"made_by": {("k1", "b"): 1}}, "made_by must be a dict"),
    ],
)
def test_what_is_no_encoded_corpus_is_refused_and_the_old_cache_stays(cache, change, message):
    given_ = {"corpus_matrix": MATRIX, "idf": IDF, "doc_ids": IDS, "made_by": MADE_BY} | change
    with pytest.raises(ValueError, match=message):
        save_encoded_corpus(cache, **given_)
    assert_same(load_encoded_corpus(cache, MADE_BY))


def test_a_broken_matrix_is_refused_before_scipy_reads_outside_its_arrays(tmp_path):
    for name, array in (
        ("indptr", [0, 2, 1, 3]),
        ("indptr", [0, 1, 9, 3]),
        ("indices", [0, 2, 3]),
        ("indices", [-1, 0, 1]),
    ):
        matrix = MATRIX.copy()
        setattr(matrix, name, np.array(array, dtype=np.int32))
        with pytest.raises(ValueError, match="^ind"):
            save_encoded_corpus(tmp_path, matrix, IDF, IDS)
    assert not list(tmp_path.iterdir())


# What does not fit, or is damaged


def test_no_cache_is_a_file_that_is_not_found(tmp_path):
    (tmp_path / "a_file").write_text("")
    for path in (tmp_path, tmp_path / "nowhere", tmp_path / "a_file"):
        with pytest.raises(FileNotFoundError, match="holds no encoded corpus"):
            load_encoded_corpus(path)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"model": "toy", "k1": 1.2}, r"made_by\['k1'\] is 0.9, wanted 1.2; encode the corpus again"),
        ({"model": "toy"}, r"made_by\['k1'\] is 0.9, wanted not there"),
        ({**MADE_BY, "b": None}, r"made_by\['b'\] is not there, wanted None"),
        (
            {"model": "x", "k1": 2},
            r"made_by\['model'\] is 'toy', wanted 'x'; made_by\['k1'\] is 0.9, wanted 2",
        ),
        ({}, r"made_by\['model'\] is 'toy', wanted not there"),
    ],
)
def test_a_cache_that_something_else_made_says_what_differs(cache, wanted, message):
    with pytest.raises(StaleCache, match=message):
        load_encoded_corpus(cache, wanted)


def test_what_made_it_is_compared_as_it_reads_from_json(tmp_path):
    save_encoded_corpus(tmp_path, MATRIX, IDF, IDS, {"ngrams": (1, 2), "fields": {"title": 2}})
    assert_same(load_encoded_corpus(tmp_path, {"fields": {"title": 2}, "ngrams": [1, 2]}))


@pytest.mark.parametrize("name", ["data.npy", "indices.npy", "indptr.npy", "idf.npy", "doc_ids.json"])
def test_every_damaged_file_is_named(cache, name):
    path = generation(cache) / name
    good = path.read_bytes()
    for bad in (
        good[:-1],
        good + b"\0",
        b"",
        good[:-2] + bytes([good[-2] ^ 1]) + good[-1:],
        bytes(len(good)),
    ):
        path.write_bytes(bad)
        with pytest.raises(StaleCache, match=f"{name} is damaged"):
            load_encoded_corpus(cache)
    path.unlink()
    with pytest.raises(StaleCache, match=f"{name} cannot be read"):
        load_encoded_corpus(cache)
    path.mkdir()
    with pytest.raises(StaleCache, match=f"{name} (cannot be read|is damaged)"):
        load_encoded_corpus(cache)


def test_files_of_another_save_are_noticed(cache, tmp_path):
    save_encoded_corpus(tmp_path / "other", MATRIX * 2, IDF, IDS, MADE_BY)
    shutil.copy(generation(tmp_path / "other") / "data.npy", generation(cache) / "data.npy")
    with pytest.raises(StaleCache, match="data.npy is damaged"):
        load_encoded_corpus(cache)


def test_an_edited_manifest_is_noticed(cache):
    text = manifest_of(cache).read_text()
    for edited in (text.replace("0.9", "1.2"), text[: len(text) // 2], "", "[]", "3", "null", "{}", "\udc80"):
        manifest_of(cache).write_bytes(edited.encode(errors="surrogateescape"))
        with pytest.raises(StaleCache, match=f"{MANIFEST} (cannot be read|is damaged|is of format)"):
            load_encoded_corpus(cache, {"model": "toy", "k1": 1.2})


def test_a_folder_in_place_of_the_manifest_is_noticed_and_the_next_save_puts_it_right(cache):
    manifest_of(cache).unlink()
    with pytest.raises(StaleCache, match=f"{MANIFEST} cannot be read"):
        load_encoded_corpus(cache)
    manifest_of(cache).mkdir()
    with pytest.raises(StaleCache, match=f"{MANIFEST} cannot be read"):
        load_encoded_corpus(cache)
    save_encoded_corpus(cache, MATRIX, IDF, IDS)
    assert_same(load_encoded_corpus(cache))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("indptr.npy", np.array([0, 2, 1, 3], dtype=np.int32), "indptr does not rise from 0 to 3"),
        ("indptr.npy", np.array([0, 2, 3], dtype=np.int32), "indptr does not rise .* in 3 steps"),
        ("indptr.npy", np.array([0, 2, 2, 4], dtype=np.int32), "indptr does not rise"),
        ("indptr.npy", np.array([], dtype=np.int32), "indptr does not rise"),
        ("indices.npy", np.array([0, 2, 3], dtype=np.int32), "indices are not 3 columns from 0 to 2"),
        ("indices.npy", np.array([0, 2], dtype=np.int32), "indices are not 3 columns"),
        ("data.npy", np.ones((1, 3)), "data has 2 dimensions"),
        ("data.npy", np.array([1, 2, np.nan]), "data holds nan at position 2"),
        ("idf.npy", np.ones(4), "4 IDF values for 3 columns"),
        ("doc_ids.json", b'["d1","d2"]', "2 doc_ids for 3 rows"),
    ],
)
def test_files_that_do_not_belong_together_are_refused_even_where_checksums_fit(
    cache, name, content, message
):
    put(cache, name, content)
    with pytest.raises(StaleCache, match=message):
        load_encoded_corpus(cache)


def test_a_pickle_is_never_opened(cache):
    put(cache, "idf.npy", np.array([1, None, "x"], dtype=object))
    with pytest.raises(ValueError, match="Python objects|[Oo]bject arrays"):
        load_encoded_corpus(cache)


def test_another_format_is_refused_and_survives_a_save_that_fails(cache, monkeypatch):
    rewrite_manifest(cache, format=2)
    before = sorted(cache.rglob("*"))
    with pytest.raises(StaleCache, match="is of format 2, this version reads 1"):
        load_encoded_corpus(cache)
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError):
        save_encoded_corpus(cache, MATRIX, IDF, IDS)
    assert sorted(cache.rglob("*")) == before


# Saving again, failing, and being killed


def full_disk(*_):
    raise OSError(28, "No space left on device")


def test_a_save_leaves_one_generation_and_nothing_else(cache):
    for _ in range(3):
        save_encoded_corpus(cache, MATRIX * 2, IDF, IDS)
    assert_same(load_encoded_corpus(cache), MATRIX * 2)
    assert [path.name for path in cache.iterdir()] == ["generation-00000004"]


def test_the_tenth_save_follows_the_ninth(cache):
    generation(cache).rename(cache / "generation-00000009")
    save_encoded_corpus(cache, MATRIX * 2, IDF, IDS)
    assert generation(cache).name == "generation-00000010"


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps a file that is mapped")
def test_a_matrix_that_is_mapped_outlives_the_next_save_and_can_be_saved_itself(cache):
    matrix, idf, doc_ids = load_encoded_corpus(cache)
    save_encoded_corpus(cache, MATRIX * 2, IDF, IDS)
    save_encoded_corpus(cache, matrix, idf, doc_ids)
    assert_same((matrix, idf, doc_ids))
    assert_same(load_encoded_corpus(cache))


@pytest.mark.parametrize("call", range(1, 10))
def test_a_disk_that_fills_up_at_any_flush_leaves_the_old_cache_or_the_new_one(cache, monkeypatch, call):
    flush, calls = os.fsync, iter(range(1, 100))
    monkeypatch.setattr(os, "fsync", lambda handle: full_disk() if next(calls) == call else flush(handle))
    try:
        save_encoded_corpus(cache, MATRIX * 2, IDF, IDS)
        saved = True
    except OSError:
        saved = False
    assert_same(load_encoded_corpus(cache), MATRIX * 2 if saved else MATRIX)
    assert list(cache.iterdir()) == [generation(cache)]


def test_an_interrupt_after_the_rename_leaves_the_new_cache(cache, monkeypatch):
    rename = os.rename

    def interrupted(one, other):
        rename(one, other)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_encoded_corpus(cache, MATRIX * 2, IDF, IDS)
    assert_same(load_encoded_corpus(cache), MATRIX * 2)


def test_leftovers_of_killed_saves_are_removed_a_day_later_and_nothing_else(cache):
    partial = ".generation-00000002.{}.partial"
    half_removed = cache / "generation-00000000"
    killed, running = (cache / partial.format(32 * digit) for digit in "01")
    for folder in (half_removed, killed, running):
        folder.mkdir()
        (folder / "data.npy").write_bytes(b"half")
    os.utime(killed, (0, 0))
    mine = [cache / "notes.txt", cache / "generation-of-mine", cache / "manifest.json", cache / ".x.partial"]
    for path in mine:
        path.write_text("keep")
        os.utime(path, (0, 0))
    save_encoded_corpus(cache, MATRIX, IDF, IDS)
    assert set(cache.iterdir()) == {cache / "generation-00000002", running, *mine}


def test_of_two_saves_at_once_both_of_which_are_whole_the_first_one_stays(cache, monkeypatch):
    save = np.save

    def overtaken(*given, **options):
        monkeypatch.setattr(np, "save", save)
        save_encoded_corpus(cache, MATRIX * 2, IDF, IDS)
        save(*given, **options)

    monkeypatch.setattr(np, "save", overtaken)
    save_encoded_corpus(cache, MATRIX * 3, IDF, IDS)
    assert_same(load_encoded_corpus(cache), MATRIX * 2)
    assert list(cache.iterdir()) == [generation(cache)]


def test_a_reader_that_comes_while_another_process_saves_reads_the_new_cache(cache, monkeypatch):
    read = corpus_cache._manifest

    def overtaken(*given):
        manifest = read(*given)
        monkeypatch.setattr(corpus_cache, "_manifest", read)
        save_encoded_corpus(cache, MATRIX * 2, IDF, IDS)
        return manifest

    monkeypatch.setattr(corpus_cache, "_manifest", overtaken)
    assert_same(load_encoded_corpus(cache), MATRIX * 2)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_keeps_its_cache(cache):
    cache.chmod(0o555)
    try:
        with pytest.raises(PermissionError):
            save_encoded_corpus(cache, MATRIX * 2, IDF, IDS)
        assert_same(load_encoded_corpus(cache))
    finally:
        cache.chmod(0o755)


@can_kill
def test_a_save_that_is_killed_leaves_one_of_two_caches_whole(tmp_path, benchmark):
    found = benchmark.attack(kills=12, base=tmp_path, seed=1)
    assert found["wrong"] == 0, found["what was wrong"]
    assert found["loaded A"] + found["loaded B"] + found["none yet"] == 12


@can_kill
def test_up_to_one_call_a_killed_save_leaves_the_old_cache_and_from_then_on_the_new_one(tmp_path, benchmark):
    found = benchmark.kill_at_every_call(tmp_path, step=31)
    assert found["wrong"] == 0, found["what was wrong"]
    assert found["in order"] and found["old"] > 0 and found["new"] > 0


@can_kill
def test_two_processes_that_save_at_once_and_one_that_reads_never_see_a_mixture(tmp_path):
    folder, caches = (
        tmp_path / "cache",
        {"A": (MATRIX, IDF, ["a1", "a2", "a3"]), "B": (MATRIX * 2, IDF * 2, ["b1", "b2", "b3"])},
    )
    save_encoded_corpus(folder, *caches["A"], {"letter": "A"})
    running, reads = {_saves_in_another_process(folder, caches, letter) for letter in "AB"}, 0
    while running:
        found = load_encoded_corpus(folder)
        assert_same(found, *caches[found[2][0][0].upper()])
        reads += 1
        for pid in list(running):
            ended, status = os.waitpid(pid, os.WNOHANG)
            assert status == 0
            running -= {ended}
    assert reads > 1
    assert list(folder.iterdir()) == [generation(folder)]


def _saves_in_another_process(folder: Path, caches: dict, letter: str, times: int = 30) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            for _ in range(times):
                save_encoded_corpus(folder, *caches[letter], {"letter": letter})
            os._exit(0)
        finally:
            os._exit(1)
    return pid


def test_the_stored_kills_left_nothing_wrong_and_fell_everywhere(benchmark):
    folder = files.ROOT / "evals" / "benchmarks"
    found = json.loads((folder / "kill_cache.json").read_text(encoding="utf-8"))
    assert (found["kills"], found["wrong"], found["what was wrong"]) == (1000, 0, [])
    assert found["loaded A"] + found["loaded B"] + found["none yet"] == sum(found["stages"].values()) == 1000
    assert found["stages"].keys() == set(benchmark.STAGES) and min(found["stages"].values()) > 0
    assert found["every call"]["wrong"] == 0 and found["every call"]["in order"]
    assert found["every call"]["old"] + found["every call"]["new"] == found["every call"]["kills"] > 1000
    assert (folder / "kill_cache.md").read_text(encoding="utf-8") == benchmark.page(found)


# The cache as the pipeline uses it


def encoded():
    return MATRIX, IDF


def never():
    raise AssertionError("encoded though there is a cache")


def test_a_corpus_is_encoded_once_and_read_after_that(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path))
    path = cache_path("toy", "tiny")
    assert_same(cached_corpus(path, IDS, MADE_BY, encoded))
    assert capsys.readouterr().out == ""
    assert_same(cached_corpus(path, dict.fromkeys(IDS, "text"), MADE_BY, never))
    assert capsys.readouterr().out == "corpus encoded earlier, read from cache toy/tiny\n"


@pytest.mark.parametrize(
    ("doc_ids", "made_by", "reason"),
    [
        (IDS, {**MADE_BY, "k1": 1.2}, "made_by['k1'] is 0.9, wanted 1.2"),
        (["d1", "d3", "d2"], MADE_BY, "row 1 is document 'd2', wanted 'd3'; it has 3 doc_ids, wanted are 3"),
        (["d1", "d2", "x"], MADE_BY, "row 2 is document 'd3', wanted 'x'; it has 3 doc_ids, wanted are 3"),
    ],
)
def test_a_cache_that_does_not_fit_is_made_again_and_says_why(cache, capsys, doc_ids, made_by, reason):
    assert_same(cached_corpus(cache, doc_ids, made_by, encoded), doc_ids=doc_ids)
    assert capsys.readouterr().out == f"corpus is encoded again, cache {cache} does not fit: {reason}\n"
    assert_same(load_encoded_corpus(cache, made_by), doc_ids=doc_ids)


def test_a_cache_of_a_smaller_corpus_does_not_fit(cache, capsys):
    larger = csr_matrix(np.eye(4, 3, dtype=np.float32))
    assert_same(
        cached_corpus(cache, [*IDS, "d4"], MADE_BY, lambda: (larger, IDF)), larger, doc_ids=[*IDS, "d4"]
    )
    assert "row 3 is document None, wanted 'd4'; it has 3 doc_ids, wanted are 4" in capsys.readouterr().out


def test_a_damaged_cache_is_made_again(cache, capsys):
    (generation(cache) / "data.npy").write_bytes(b"")
    assert_same(cached_corpus(cache, IDS, MADE_BY, encoded))
    assert "does not fit: data.npy is damaged" in capsys.readouterr().out
    assert_same(cached_corpus(cache, IDS, MADE_BY, never))


def test_a_full_disk_does_not_lose_what_was_encoded(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.warns(UserWarning, match="cannot be written .No space left on device.; nothing was kept"):
        assert_same(cached_corpus(tmp_path / "cache", IDS, MADE_BY, encoded))
    assert not list((tmp_path / "cache").iterdir())


def test_an_encoder_that_fails_leaves_the_old_cache(cache):
    with pytest.raises(AssertionError):
        cached_corpus(cache, IDS, {"model": "another"}, never)
    assert_same(load_encoded_corpus(cache, MADE_BY))


@pytest.mark.parametrize(
    ("doc_ids", "made_by"), [(["d", "d"], MADE_BY), ([1], MADE_BY), (IDS, None), (IDS, {"f": print})]
)
def test_what_cannot_be_saved_is_refused_before_anything_is_encoded(tmp_path, doc_ids, made_by):
    with pytest.raises(ValueError):
        cached_corpus(tmp_path, doc_ids, made_by, never)


# Names and fingerprints


def test_a_cache_lies_in_a_folder_for_its_model_and_one_for_its_dataset(tmp_path, monkeypatch):
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path))
    assert cache_path("bm25", "scifact") == tmp_path / "bm25" / "scifact"
    assert cache_path("naver/splade-v3", "a b") == tmp_path / "naver%2fsplade-v3" / "a%20b"


@given(
    st.text(st.sampled_from("aA/\\.%+ éÉ\ud800"), max_size=5),
    st.text(st.sampled_from("aA/\\.%+ éÉ\ud800"), max_size=5),
)
def test_two_names_never_share_a_folder_and_none_leaves_the_cache(one, other):
    folders = []
    for name in (one, other):
        try:
            folders.append(cache_path(name, "scifact").parent)
        except ValueError:
            continue
        assert folders[-1].parent == files.cache_dir()
        assert (
            folders[-1].name.strip(". ") == folders[-1].name.lower()
        )  # as a file system may see it that folds them
    if len(folders) == 2:
        assert (folders[0] == folders[1]) == (one == other)


@pytest.mark.parametrize(
    "name", ["", " ", "..", "../bm25", "a/../b", "..\\b", None, 7, "x" * 256, "beir", "tiktoken"]
)
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(ValueError, match="^model"):
        cache_path(name, "scifact")


def test_fingerprints_are_those_of_ids_and_texts_in_their_order():
    corpora = [
        {},
        {"": ""},
        {"a": "b"},
        {"b": "a"},
        {"ab": ""},
        {"": "ab"},
        {"a": "b", "c": "d"},
        {"c": "d", "a": "b"},
        {"a": "bcd"},
        {"a": "b1 1 cd"},
        {"a": "\ud83d\ude00"},
        {"a": "\U0001f600"},
    ]
    assert len({corpus_fingerprint(corpus) for corpus in corpora}) == len(corpora)
    # Two documents, written out: printf '1 1 ab1 1 cd' | sha256sum
    assert (
        corpus_fingerprint({"a": "b", "c": "d"})
        == "6b11ecb7f0397565debba0e2e94c74b043e17115764d80e907d2d43f64425763"
    )


@given(st.dictionaries(st.text("01 ", max_size=4), st.text("01 ", max_size=6), max_size=3), st.data())
def test_two_corpora_with_digits_and_spaces_never_have_one_fingerprint(corpus, data):
    other = data.draw(st.dictionaries(st.text("01 ", max_size=4), st.text("01 ", max_size=6), max_size=3))
    assert (corpus_fingerprint(corpus) == corpus_fingerprint(other)) == (
        list(corpus.items()) == list(other.items())
    )


@pytest.mark.parametrize("corpus", [{1: "x"}, {"d": 3}, {"d": None}, {"d": b"x"}, ["d"]])
def test_a_fingerprint_of_what_is_no_corpus_is_refused(corpus):
    with pytest.raises(ValueError, match="^corpus"):
        corpus_fingerprint(corpus)


def test_a_cache_whose_rows_are_not_what_the_model_gives_now_is_rebuilt(cache, capsys):
    wanted = cache, IDS, MADE_BY, lambda: (MATRIX, IDF)
    cached_corpus(*wanted, probe=([0, 2], MATRIX[[0, 2]] * (1 + 1e-5)))
    assert "read from cache" in capsys.readouterr().out
    cached_corpus(*wanted, probe=([0, 2], MATRIX[[0, 2]] * 1.01))
    assert (
        "does not fit: 2 documents were tried, and are encoded to other vectors now"
        in capsys.readouterr().out
    )


def test_an_empty_path_is_no_folder_of_a_cache():
    with pytest.raises(ValueError, match="the path is ''; needed a folder for the cache"):
        save_encoded_corpus("", MATRIX, IDF, IDS)
    with pytest.raises(ValueError, match="the path is ''; needed the folder of a cache"):
        load_encoded_corpus("")
