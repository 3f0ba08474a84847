"""Vectors are encoded once, and never taken for those of another text or another model."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from tiny_model import write_model

from helpers.base import StaleCache, files
from helpers.datasets import find_beir, load_beir, load_runbooks
from helpers.encoders import (
    KnownVectors,
    UnknownText,
    bundled_model,
    bundled_vectors,
    encoded,
    find_weights,
    kept,
    kept_vectors,
    load_encoder,
    load_vectors,
    read_known,
    text_keys,
    write_known,
)

TEXTS = {f"d{number}": f"text number {number} {'long ' * (number % 7)}" for number in range(30)}


class Counting:
    """Vectors that can be checked by eye: length, and how often "long" and "7" stand in a text."""

    name, fingerprint = "counting", "one"

    def __init__(self, fail_after=None, factor=1.0):
        self.encoded, self.fail_after, self.factor = 0, fail_after, factor

    def rows(self, texts):
        if self.fail_after is not None and self.encoded + len(texts) > self.fail_after:
            raise KeyboardInterrupt
        self.encoded += len(texts)
        counts = [[len(text), text.count("long"), text.count("7")] for text in texts]
        return self.factor * np.array(counts, dtype=float)

    def encode(self, texts):
        return self.rows(texts)


class CountingSparse(Counting):
    name = "counting, sparse"
    encode = None

    def encode_documents(self, texts):
        return csr_matrix(self.rows(texts))

    encode_queries = encode_documents


def same(one, other):
    one, other = (each.toarray() if isinstance(each, csr_matrix) else each for each in (one, other))
    return np.array_equal(one, other)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(kept, "PART", 8)


@pytest.mark.parametrize("model", [Counting, CountingSparse])
def test_what_is_kept_is_read_and_not_encoded_again(tmp_path, model, capsys):
    first = model()
    ids, vectors = kept_vectors(first, TEXTS, tmp_path / "kept")
    assert ids == list(TEXTS) and first.encoded == len(TEXTS)
    assert same(vectors, first.rows(list(TEXTS.values())))
    assert capsys.readouterr().out == ""
    second = model()
    again = kept_vectors(second, TEXTS, tmp_path / "kept")
    assert again[0] == ids and same(again[1], vectors)
    assert second.encoded == kept.PROBES
    assert "vectors of 30 texts read from cache" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_the_first_call_has_the_precision_of_those_after_it(tmp_path):
    class Thirds(Counting):
        def rows(self, texts):
            return super().rows(texts) / 3

    first, second = (kept_vectors(Thirds(), TEXTS, tmp_path / "kept")[1] for _ in range(2))
    assert first.dtype == second.dtype == np.float32
    assert np.array_equal(first, second)
    np.testing.assert_allclose(first, Thirds().rows(list(TEXTS.values())), rtol=2**-11)


@pytest.mark.parametrize("stopped_at", [8, 17, 29])
@pytest.mark.parametrize("model", [Counting, CountingSparse])
def test_an_encoding_that_was_interrupted_goes_on_where_it_was(tmp_path, model, stopped_at, capsys):
    with pytest.raises(KeyboardInterrupt):
        kept_vectors(model(fail_after=stopped_at), TEXTS, tmp_path / "kept")
    assert not (tmp_path / "kept").exists()
    second = model()
    ids, vectors = kept_vectors(second, TEXTS, tmp_path / "kept")
    done = stopped_at // 8 * 8
    assert f"encoding goes on after {done} of 30 texts" in capsys.readouterr().out
    assert second.encoded == len(TEXTS) - done + 8  # and the eight that are tried
    assert same(vectors, model().rows(list(TEXTS.values())))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_part_that_was_damaged_is_encoded_again(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        kept_vectors(Counting(fail_after=24), TEXTS, tmp_path / "kept")
    part = tmp_path / "kept.unfinished" / "000001.npz"
    part.write_bytes(part.read_bytes()[:-40])
    second = Counting()
    assert same(kept_vectors(second, TEXTS, tmp_path / "kept")[1], Counting().rows(list(TEXTS.values())))
    assert second.encoded == 8 + 8 + 6  # tried, damaged, and those that were not done


def test_a_part_with_another_number_of_texts_is_encoded_again(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        kept_vectors(Counting(fail_after=24), TEXTS, tmp_path / "kept")
    parts = sorted((tmp_path / "kept.unfinished").glob("*.npz"))
    parts[1].write_bytes(b"")
    with np.load(parts[0]) as stored:
        np.savez(parts[1], **{**stored, "vectors": stored["vectors"][:3]})
    vectors = kept_vectors(Counting(), TEXTS, tmp_path / "kept")[1]
    assert same(vectors, Counting().rows(list(TEXTS.values())))


@pytest.mark.parametrize("where", ["kept/notes.txt", "kept", "kept.unfinished/notes.txt"])
def test_what_somebody_else_put_there_is_not_lost(tmp_path, where):
    path = tmp_path / where
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine")
    with pytest.raises(ValueError, match="would be lost"):
        kept_vectors(Counting(), TEXTS, tmp_path / "kept")
    assert path.read_text() == "mine"


@pytest.mark.parametrize("change", ["text", "order", "model", "weights"])
def test_parts_of_other_texts_or_another_model_are_not_gone_on_with(tmp_path, change, capsys):
    with pytest.raises(KeyboardInterrupt):
        kept_vectors(Counting(fail_after=17), TEXTS, tmp_path / "kept")
    texts, model = changed(change)
    vectors = kept_vectors(model, texts, tmp_path / "kept")[1]
    np.testing.assert_allclose(vectors, model.rows(list(texts.values())), rtol=2**-11)
    said = {"text": "made_by['texts']", "order": "made_by['texts']", "weights": "8 texts were tried"}
    reason = said.get(change, "made_by['model fingerprint'] is 'one', wanted 'two'")
    assert f"does not fit and is begun anew: {reason}" in capsys.readouterr().out


@pytest.mark.parametrize("content", ["", "[]", '{"model": '])
def test_parts_that_say_nothing_of_their_making_are_not_gone_on_with(tmp_path, content, capsys):
    with pytest.raises(KeyboardInterrupt):
        kept_vectors(Counting(fail_after=17), TEXTS, tmp_path / "kept")
    (tmp_path / "kept.unfinished" / "vectors.json").write_text(content)
    assert same(kept_vectors(Counting(), TEXTS, tmp_path / "kept")[1], Counting().rows(list(TEXTS.values())))
    assert "begun anew" in capsys.readouterr().out


def changed(what):
    """The same texts and model but for one thing."""
    texts, model = dict(TEXTS), Counting(factor=1.0 if what in ("text", "order") else 1.1)
    if what == "text":
        texts["d3"] += "!"
    if what == "order":
        texts = dict(reversed(texts.items()))
    if what == "model":
        model.fingerprint = "two"
    return texts, model


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("text", r"made_by\['texts'\]"),
        ("order", r"made_by\['texts'\]"),
        ("model", r"made_by\['model fingerprint'\] is 'one', wanted 'two'"),
        ("weights", "8 texts were tried, and are encoded to other vectors now"),
        ("kind", r"made_by\['kind'\] is 'document', wanted 'query'"),
    ],
)
def test_what_something_else_made_is_encoded_again_and_the_reason_said(tmp_path, capsys, change, said):
    kept_vectors(Counting(), TEXTS, tmp_path / "kept")
    texts, model = (
        changed("text" if change == "text" else change) if change != "kind" else (TEXTS, Counting())
    )
    kind = "query" if change == "kind" else "document"
    vectors = kept_vectors(model, texts, tmp_path / "kept", kind)[1]
    printed = capsys.readouterr().out
    assert "texts are encoded again" in printed
    assert re.search(said, printed)
    np.testing.assert_allclose(vectors, model.rows(list(texts.values())), rtol=1e-3)


def edit(path, **changes):
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | changes))


DAMAGE = {
    "cut off": lambda folder: (folder / "vectors.npy").write_bytes(
        (folder / "vectors.npy").read_bytes()[:-9]
    ),
    "one byte": lambda folder: (folder / "vectors.npy").write_bytes(
        (folder / "vectors.npy").read_bytes()[:-1] + b"\x7f"
    ),
    "gone": lambda folder: (folder / "vectors.npy").unlink(),
    "ids gone": lambda folder: (folder / "ids.json").unlink(),
    "edited": lambda folder: edit(folder / "vectors.json", n=3),
    "no json": lambda folder: (folder / "vectors.json").write_text("{"),
    "a list": lambda folder: (folder / "vectors.json").write_text("[]"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_noticed_and_mended(tmp_path, damage, capsys):
    folder = tmp_path / "kept"
    kept_vectors(Counting(), TEXTS, folder)
    DAMAGE[damage](folder)
    with pytest.raises(StaleCache, match="damaged|cannot be read|edited"):
        load_vectors(folder)
    vectors = kept_vectors(Counting(), TEXTS, folder)[1]
    assert "does not fit" in capsys.readouterr().out
    assert same(vectors, load_vectors(folder)[1])


def test_nothing_kept_is_no_damage(tmp_path):
    with pytest.raises(FileNotFoundError, match="holds no vectors"):
        load_vectors(tmp_path)


def test_what_was_kept_under_the_name_of_a_collection_is_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match="in the cache folder: give both './Mine' for a folder here"):
        load_vectors("Mine")
    vectors = kept_vectors(Counting(), TEXTS, "Mine")[1]
    with pytest.raises(FileNotFoundError, match="a bare name as that of a collection") as raised:
        load_vectors("Mine")
    where = str(raised.value).partition("load_vectors('")[2].removesuffix("')")
    assert same(vectors, load_vectors(where)[1])


def test_a_full_disk_costs_the_cache_and_not_the_vectors(tmp_path, monkeypatch):
    def full(*given):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(UserWarning, match="No space left on device.; nothing was kept"):
        vectors = kept_vectors(Counting(), TEXTS, tmp_path / "kept")[1]
    assert same(vectors, Counting().rows(list(TEXTS.values())))
    assert not (tmp_path / "kept").exists()


def test_the_name_of_a_collection_is_a_folder_for_each_model_and_kind(tmp_path, monkeypatch):
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path))
    for kind in ("document", "query"):
        kept_vectors(Counting(), TEXTS, "scifact", kind)
    kept_vectors(CountingSparse(), TEXTS, "scifact")
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("*/*")) == [
        "counting%2c%20sparse/scifact-document-vectors",
        "counting/scifact-document-vectors",
        "counting/scifact-query-vectors",
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1e6]] * 30, "16 bits hold up to 65,504"),
        ([[np.nan]] * 30, "'text number 0 ' holds a value that is not finite"),
        ([[1.0]] * 29, "for 8 texts; needed one row for each"),
        ([{0: 1.0}] * 30, "encode gave no array"),
    ],
)
def test_what_cannot_be_kept_is_refused(tmp_path, rows, message):
    class Model:
        name = "broken"

        def encode(self, texts):
            return rows[: len(texts)] if len(rows) == 30 else rows

    with pytest.raises(ValueError, match=message):
        kept_vectors(Model(), TEXTS, tmp_path / "kept")


def test_no_text_and_an_unknown_kind_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no text to encode"):
        kept_vectors(Counting(), {}, tmp_path / "kept")
    with pytest.raises(ValueError, match="kind is 'page'"):
        kept_vectors(Counting(), TEXTS, tmp_path / "kept", "page")
    with pytest.raises(ValueError, match="'d1': needed its text, found None"):
        kept_vectors(Counting(), {"d1": None}, tmp_path / "kept")


def test_a_model_is_asked_by_the_method_of_the_kind():
    class Prefixed(Counting):
        def encode_queries(self, texts):
            return -self.rows(texts)

    assert encoded(Prefixed(), ["long"], "document").tolist() == [[4.0, 1.0, 0.0]]
    assert encoded(Prefixed(), ["long"], "query").tolist() == [[-4.0, -1.0, 0.0]]
    with pytest.raises(ValueError, match="needed an object with encode"):
        encoded(object(), ["text"])


def test_a_real_encoder_is_told_by_its_weights(tmp_path, capsys):
    for seed in (0, 1):
        kept_vectors(
            load_encoder(write_model(tmp_path / str(seed) / "tiny", seed=seed)), TEXTS, tmp_path / "kept"
        )
    assert "made_by['model fingerprint'] is" in capsys.readouterr().out


# Known vectors


def known(**more):
    rows = {"document": (text_keys(["long", "7"]), Counting().rows(["long", "7"]))}
    return KnownVectors(rows | {"query": (text_keys(["q"]), np.array([[1.0, 0.0, 0.0]]))}, "counting", **more)


def test_a_text_has_its_own_vector_whatever_the_order():
    assert same(known().encode_documents(["7", "long", "7"]), Counting().rows(["7", "long", "7"]))
    assert known().encode_queries(["q"]).tolist() == [[1.0, 0.0, 0.0]]
    assert known().encode_documents([]).shape == (0, 3)


@pytest.mark.parametrize(("kind", "text"), [("document", "long "), ("document", "q"), ("query", "long")])
def test_a_changed_text_and_one_of_the_other_kind_have_no_vector(kind, text):
    with pytest.raises(
        UnknownText, match=f"1 of 1 texts has no known vector of counting as a {kind}, e.g. '{text}'"
    ):
        encoded(known(), [text], kind)


def test_what_is_not_known_goes_to_the_model_which_is_loaded_when_it_is_needed():
    loaded = []

    def load():
        loaded.append(Counting())
        return loaded[0]

    model = known(otherwise=load)
    model.encode_documents(["long"])
    assert not loaded
    assert same(model.encode_documents(["new 7", "long"]), Counting().rows(["new 7", "long"]))
    assert loaded[0].encoded == 1
    assert same(model.encode_queries(["new"]), Counting().rows(["new"]))


def test_a_file_of_known_vectors_says_of_which_model(tmp_path):
    texts = {"document": list(TEXTS.values()) * 2, "query": ["long"]}
    vectors = {kind: Counting().rows(some) for kind, some in texts.items()}
    found = read_known(write_known(tmp_path / "toy.npz", Counting(), texts, vectors))
    assert (found.name, found.fingerprint, found.similarity) == ("counting", "one", "cosine")
    assert same(found.encode_documents(texts["document"]), vectors["document"])
    assert same(found.encode_queries(["long"]), vectors["query"])


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04broken", "pickled"])
def test_a_file_that_is_broken_or_pickled_is_refused(tmp_path, content):
    path = tmp_path / "toy.npz"
    if content == "pickled":
        np.savez(path, model=np.array([{"name": "x"}], dtype=object))
    else:
        path.write_bytes(content)
    with pytest.raises(ValueError, match="toy.npz is no file of known vectors, or is damaged"):
        read_known(path)


def test_bundled_vectors_are_refused_for_other_texts(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "VECTORS", tmp_path)
    texts = {"document": list(TEXTS.values())}
    vectors = {"document": Counting().rows(texts["document"])}
    write_known(tmp_path / "toy.all-MiniLM-L6-v2.npz", Counting(), texts, vectors)
    some = {name: TEXTS[name] for name in ("d9", "d2")}
    ids, found = bundled_vectors("toy", some)
    assert ids == ["d9", "d2"] and same(found, Counting().rows(list(some.values())))
    with pytest.raises(
        ValueError, match="'toy' .document.: 1 of 2 texts are not those that were .* e.g. 'd2'"
    ):
        bundled_vectors("toy", some | {"d2": "edited"})
    with pytest.raises(ValueError, match=r"no vectors of 'none' by .* \(there: toy.all-MiniLM-L6-v2\)"):
        bundled_model("none")


@pytest.mark.parametrize("path", sorted(files.VECTORS.glob("*.npz")), ids=lambda path: path.stem)
def test_a_sample_of_the_bundled_vectors_is_what_the_model_gives(path):
    collection, _, model = path.stem.partition(".")
    if find_weights(model) is None:
        pytest.skip(f"the weights of {model} are not here: python -m course weights {model}")
    if collection == "scifact" and find_beir("scifact") is None:
        pytest.skip("SciFact is not here: set BEIR_DATA_DIR to a folder that holds it")
    bundled = files.BUNDLED_BEIR / collection
    dataset = (
        load_runbooks()
        if collection == "runbooks"
        else load_beir(collection, path=bundled if bundled.is_dir() else None)
    )
    encoder = load_encoder(model)
    for kind, texts in (("document", dataset.corpus), ("query", dataset.queries)):
        some = list(texts.values())[::29][:6]
        np.testing.assert_allclose(
            encoded(read_known(path), some, kind), encoded(encoder, some, kind), atol=2e-4
        )


@pytest.mark.parametrize(
    ("texts", "path", "message"),
    [
        (["long"], "toy", "texts is a list; needed a dict"),
        ({"d1": "long"}, "", "'' of type str is no path"),
        ({"d1": "long"}, None, "None of type NoneType is no path"),
    ],
)
def test_texts_have_ids_and_their_vectors_a_place(texts, path, message):
    with pytest.raises(ValueError, match=message):
        kept_vectors(Counting(), texts, path)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("long", "texts is a str; needed a list of texts"),
        ([None], "text 0 of 1 is None; needed a str"),
    ],
)
def test_only_texts_have_keys(texts, message):
    with pytest.raises(ValueError, match=message):
        text_keys(texts)
    assert text_keys(text for text in ["long"]) == text_keys(["long"])


KEYS = text_keys(["long", "7"])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (None, "rows is a NoneType; needed"),
        ({"page": (KEYS, np.eye(2))}, "kind is 'page'; it can be 'document' or 'query'"),
        ({"query": (["long", "7"], np.eye(2))}, "needed a pair, text_keys and a row for each"),
        ({"query": (KEYS, np.eye(2)[:1])}, r"rows, 'query' gave the shape \(1, 2\) for 2 texts"),
        ({"query": (KEYS, np.full((2, 2), np.nan))}, "holds a value that is not finite"),
        ({"query": (KEYS, csr_matrix(np.eye(2)))}, "gave sparse vectors; only dense ones are known"),
        ({"query": (KEYS[[0, 0]], np.eye(2))}, "a key stands there twice"),
    ],
)
def test_known_vectors_are_one_finite_row_a_text(rows, message):
    with pytest.raises(ValueError, match=message):
        KnownVectors(rows, "toy")


def test_known_vectors_and_the_model_behind_them_are_of_one_width():
    model = KnownVectors({"query": (KEYS, np.eye(2))}, "toy", otherwise=Counting())
    with pytest.raises(ValueError, match="known vectors of 2 numbers, and of 3 from the model behind"):
        model.encode_queries(["long", "new"])


def test_no_text_has_no_vector_even_where_nothing_is_known():
    assert KnownVectors({}, "toy").encode([]).shape == (0, 0)
    with pytest.raises(ValueError, match="kind is 'page'"):
        bundled_vectors("runbooks", {"d1": "long"}, kind="page")


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ({}, "vectors, 'query' gave no array of numbers"),
        ({"query": [[1.0], [2.0]]}, r"gave the shape \(2, 1\) for 1 texts"),
        ({"query": [[np.nan]]}, "a value that is not finite"),
        ({"query": csr_matrix([[1.0]])}, "gave sparse vectors"),
    ],
)
def test_what_would_not_be_known_again_is_not_written(tmp_path, vectors, message):
    with pytest.raises(ValueError, match=message):
        write_known(tmp_path / "toy.npz", Counting(), {"query": ["long"]}, vectors)
    assert not list(tmp_path.iterdir())


ABOUT = {"name": "toy", "similarity": "cosine", "fingerprint": ""}


@pytest.mark.parametrize(
    ("about", "vectors", "message"),
    [
        ([], np.eye(2), r"model: needed an object, found \[\]"),
        (ABOUT | {"name": 5}, np.eye(2), "name: needed a text, found 5"),
        (ABOUT | {"similarity": "l2"}, np.eye(2), "similarity is 'l2'"),
        (ABOUT, np.full((2, 2), np.nan), "not finite"),
    ],
)
def test_a_file_of_known_vectors_that_says_something_else_is_refused(tmp_path, about, vectors, message):
    parts = {"query.texts": KEYS, "query.vectors": vectors}
    np.savez(tmp_path / "toy.npz", model=np.array(json.dumps(about)), **parts)
    with pytest.raises(ValueError, match=f"no file of known vectors, or is damaged .*{message}"):
        read_known(tmp_path / "toy.npz")


def test_one_array_alone_is_no_file_of_known_vectors(tmp_path):
    np.save(tmp_path / "toy.npy", np.eye(2))
    with pytest.raises(ValueError, match=r"\(it holds one array alone\); write_known makes one"):
        read_known(tmp_path / "toy.npy")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["1", "2"]], "encode gave no array of numbers"),
        (np.ones((1, 2)) * 1j, "encode gave no array of numbers"),
        ([[1.0], [2.0]], "for 1 texts; needed one row for each"),
        (np.ones((1, 2, 2)), "for 1 texts; needed one row for each"),
        (None, "encode gave no array of numbers"),
    ],
)
def test_text_and_complex_numbers_are_no_vectors(rows, message):
    class Model:
        def encode(self, texts):
            return rows

    with pytest.raises(ValueError, match=message):
        encoded(Model(), ["long"])
    with pytest.raises(ValueError, match="the model is a type; needed an object with encode"):
        encoded(Model, ["long"])


class Named:
    """A model whose name is whatever is given."""

    def __init__(self, name, fingerprint=None):
        self.name, self.fingerprint = name, fingerprint

    def encode(self, texts):
        return [[1.0, len(text)] for text in texts]


@pytest.mark.parametrize("name", [None, len, Path("models") / "mine"])
def test_a_name_that_is_no_text_keeps_vectors_too(tmp_path, capsys, name):
    for model in (Named(name, b"\x01"), Named(name, "01")):
        kept_vectors(model, TEXTS, tmp_path / "kept")
    assert "read from cache" in capsys.readouterr().out


def test_a_fingerprint_that_could_not_be_written_is_named_before_anything_is_encoded(tmp_path):
    with pytest.raises(
        ValueError, match="the fingerprint of mine is a builtin_function_or_method; needed a text"
    ):
        kept_vectors(Named("mine", len), TEXTS, tmp_path / "kept")


def test_the_similarity_of_a_function_is_written_by_its_name(tmp_path):
    model = Named("mine")
    model.similarity = len
    path = write_known(tmp_path / "known.npz", model, {"query": ["a"]}, {"query": [[1.0]]})
    assert read_known(path).similarity == "cosine"


def test_an_array_in_a_file_is_no_folder_of_kept_vectors(tmp_path):
    np.save(tmp_path / "v.npy", np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"v\.npy is a file; needed a folder .*vectors=\(ids, rows\)"):
        load_vectors(tmp_path / "v.npy")
