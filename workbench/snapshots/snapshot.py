"""Snapshots: an index of a corpus in `snapshots/{snapshot_id}/`, with a manifest and the items in it.

A snapshot is named by what determines it, so the same settings on the same documents have the same id on
every computer. The documents are not copied: a snapshot is loaded with its corpus and refuses any other.
"""

import hashlib
import json
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from tiktoken import Encoding

from helpers.base import check_option, check_type, placed
from helpers.records import Corpus, Retriever
from helpers.text import encoding_or_stand_in
from workbench.backends import BACKENDS, FULL_TEXT
from workbench.budget import Item
from workbench.corpus import CorpusFolder
from workbench.snapshots.indexing import (
    backend_settings,
    chunker_settings,
    cut_items,
    open_index,
    weights_settings,
    without_weights,
    write_index,
)
from workbench.snapshots.manifest import CURE, Manifest, file_fingerprint, id_of, new_manifest, read_manifest

_ITEMS, _INDEX = "items.jsonl", "index.sqlite"


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A loaded snapshot: manifest, folder, corpus, retriever, and the items by id, with score 0.

    >>> import tempfile
    >>> from workbench.corpus import SourceDocument
    >>> corpus = CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets")
    >>> pages = {"a.md": "Cats purr.", "b.md": "Dogs bark."}
    >>> _ = corpus.add(SourceDocument(name, "", text, name) for name, text in pages.items())
    >>> snapshot = build_snapshot(corpus, "csr-bm25")
    >>> [(item.item_id, item.text) for item in snapshot.candidates("a cat?")]
    [('a.md', 'Cats purr.')]
    """

    manifest: Manifest
    folder: Path
    corpus: CorpusFolder
    retriever: Retriever = field(repr=False)
    items: dict[str, Item] = field(repr=False)

    def __getattr__(self, name: str) -> object:
        cure = "; candidates(query) searches" if name in ("search", "query") else ""
        raise AttributeError(f"a Snapshot has no {name!r}{cure}")

    @property
    def snapshot_id(self) -> str:
        """Sixteen hexadecimal digits, the name of the folder."""
        return self.manifest.snapshot_id

    @property
    def index_bytes(self) -> int:
        """The bytes on disk of the items and, where the backend keeps one there, of the index."""
        files = (self.folder / _ITEMS, self.folder / _INDEX)
        return sum(path.stat().st_size for path in files if path.exists())

    @property
    def uncut(self) -> list[str]:
        """The documents of 2,000 characters or ten lines and more that were to be cut at blank lines and have
        none, as pages of HTML."""
        if self.manifest.chunker["name"] != "paragraphs":
            return []
        pieces = Counter(item.doc_id for item in self.items.values())
        texts = self.corpus.corpus
        long = (doc_id for doc_id in pieces if len(texts[doc_id]) >= 2000 or texts[doc_id].count("\n") >= 9)
        return [doc_id for doc_id in long if pieces[doc_id] == 1]

    def candidates(self, query: str) -> list[Item]:
        """Every item that is found, with its score, best first; of equal scores the higher item_id first.

        Raises ValueError for a query that is no text.
        """
        check_type("query", query, str, "give the text of one query")
        try:
            found = self.retriever.search({"query": query}, k=len(self.items))["query"]
        except ValueError as error:  # which names the id that the query has here
            raise ValueError(str(error).removeprefix("query 'query': ")) from error
        return [_scored(self.items[item_id], score) for item_id, score in found]

    def close(self) -> None:
        """Closes the file of the index, where there is one; nothing can be searched after that."""
        if BACKENDS[self.manifest.backend].in_a_file:
            self.retriever.close()


def _scored(one: Item, score: float) -> Item:
    """`replace(one, score=score)`, several times as fast: a query finds most of a corpus."""
    return Item(one.item_id, one.doc_id, one.source_uri, score, one.text, one.start, one.end)


def build_snapshot(
    corpus: CorpusFolder,
    backend: str = FULL_TEXT,
    chunker: str = "none",
    chunk_size: int | None = None,
    overlap: int | None = None,
    analyzer: str | None = None,
    encoding: Encoding | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Snapshot:
    """Cuts and indexes a corpus, and loads the result. The snapshot is on disk whole or not at all.

    One that exists is loaded and keeps the time at which it was created; a damaged one is replaced. For the
    settings and their defaults see `backend_settings` and `chunker_settings`; those of the backend, as k1 of
    BM25, go into `parameters`. A model in a folder counts with its weights. Raises ValueError for a corpus
    without a document or without text, for one whose folder holds other documents by now, and for settings
    that there are not or that cannot be.

    >>> import tempfile
    >>> build_snapshot(CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets"))
    Traceback (most recent call last):
    ValueError: the corpus holds no document; ingest some first
    """
    check_type("corpus", corpus, CorpusFolder, "CorpusFolder.open(path) gives one")
    corpus.check_current()
    analyzer, parameters = backend_settings(backend, analyzer, parameters)
    parameters |= weights_settings(parameters)
    cutting = chunker_settings(chunker, chunk_size, overlap, encoding)
    items = cut_items(corpus.corpus, corpus.sources, cutting, encoding)
    spans = "".join(map(_line, items)).encode()
    facts = {
        "corpus": {"name": corpus.name, "fingerprint": corpus.fingerprint, "documents": len(corpus.corpus)},
        "chunker": cutting,
        "analyzer": analyzer,
        "backend": backend,
        "parameters": parameters,
        "items": len(items),
        "items_fingerprint": f"sha256:{hashlib.sha256(spans).hexdigest()}",
    }
    folder = corpus.path / "snapshots" / id_of(facts)
    with suppress(ValueError, FileNotFoundError):  # damaged, or not there
        return _load(corpus, folder)
    return _build(corpus, folder, facts, spans, {item.item_id: item.text for item in items})


def build_again(corpus: CorpusFolder, manifest: Manifest) -> Snapshot:
    """A snapshot with the settings of another one, over the documents of a corpus as they are now.

    Raises ValueError as `build_snapshot`, and where documents would be cut by another encoding.

    >>> import tempfile
    >>> from workbench.corpus import SourceDocument
    >>> corpus = CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets")
    >>> _ = corpus.add([SourceDocument("a.md", "", "Cats purr.", "a.md")])
    >>> tuned = build_snapshot(corpus, "csr-bm25", parameters={"k1": 0.5})
    >>> build_again(corpus, tuned.manifest).snapshot_id == tuned.snapshot_id
    True
    """
    cut = manifest.chunker
    # Where no tokens were counted, no encoding is looked for: that may mean a network.
    if cut["encoding"] and (encoding := encoding_or_stand_in().name) != cut["encoding"]:
        was = f"snapshot {manifest.snapshot_id} is of documents cut by the encoding {cut['encoding']}"
        raise ValueError(f"{was}, and here there is {encoding}; build one and measure it")
    return build_snapshot(
        corpus,
        manifest.backend,
        cut["name"],
        cut["chunk_size"],
        cut["overlap"],
        analyzer=manifest.analyzer,
        parameters=without_weights(manifest.parameters),
    )


def load_snapshot(corpus: CorpusFolder, snapshot_id: str | None = None) -> Snapshot:
    """The snapshot whose id this is, or the only one whose id begins so; without an id the last created.

    An index that is kept in memory is built again, with the programs of today. Raises FileNotFoundError where
    there is none, ValueError for a beginning that several have, for a snapshot of another corpus or of this
    one before it changed (with both fingerprints), and for one that is damaged.

    >>> import tempfile
    >>> load_snapshot(CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    FileNotFoundError: corpus 'pets' has no snapshot yet; build one: workbench snapshot --corpus ...
    """
    check_type("corpus", corpus, CorpusFolder, "CorpusFolder.open(path) gives one")
    folders = {folder.name: folder for folder in _folders(corpus)}
    if not folders:
        raise FileNotFoundError(f"corpus {corpus.name!r} has no snapshot yet; build one: {_command(corpus)}")
    if snapshot_id is None:
        return _load(corpus, folders[_latest(corpus)])
    if not isinstance(snapshot_id, str) or not snapshot_id:
        needed = f"needed an id or its beginning: {', '.join(folders)}"
        raise ValueError(f"snapshot_id is {snapshot_id!r}; {needed}")
    found = [name for name in folders if name.startswith(snapshot_id)]
    if not found:
        backends = {one.snapshot_id: f" ({one.backend})" for one in _readable(corpus)}
        has = ", ".join(one + backends.get(one, "") for one in folders)
        raise FileNotFoundError(f"no snapshot begins with {snapshot_id!r}; corpus {corpus.name!r} has {has}")
    if len(found) > 1:
        begin = f"{len(found)} snapshots begin with {snapshot_id!r}: {', '.join(found)}"
        raise ValueError(f"{begin}; give more of the id")
    return _load(corpus, folders[found[0]])


def snapshots(corpus: CorpusFolder) -> list[Manifest]:
    """The manifests of all snapshots in the folder, of earlier states too, in the order of creation.

    Raises FileNotFoundError or ValueError for one that cannot be read.

    >>> import tempfile
    >>> snapshots(CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets"))
    []
    """
    found = map(read_manifest, _folders(corpus))
    return sorted(found, key=lambda manifest: (manifest.created, manifest.snapshot_id))


def _build(corpus: CorpusFolder, folder: Path, facts: dict, spans: bytes, texts: Corpus) -> Snapshot:
    with placed(folder) as beside:
        (beside / _ITEMS).write_bytes(spans)
        write_index(facts["backend"], texts, facts["parameters"], beside / _INDEX)
        new_manifest(facts, file_fingerprint(beside / _INDEX), _readable(corpus)).write(beside)
        snapshot = _load(corpus, beside)  # what cannot be loaded is not kept
        snapshot.close()
    if BACKENDS[facts["backend"]].in_a_file:
        return _load(corpus, folder)
    return replace(snapshot, folder=folder, manifest=read_manifest(folder))


def _latest(corpus: CorpusFolder) -> str:
    """The id of the last snapshot of these very documents, else of the last one, which will be refused."""
    created = snapshots(corpus)
    of_this = [manifest for manifest in created if manifest.corpus.fingerprint == corpus.fingerprint]
    return (of_this or created)[-1].snapshot_id


def _line(item: Item) -> str:
    span = {"item_id": item.item_id, "doc_id": item.doc_id, "start": item.start, "end": item.end}
    return json.dumps(span, ensure_ascii=False) + "\n"


def _load(corpus: CorpusFolder, folder: Path) -> Snapshot:
    manifest = read_manifest(folder)
    built_on = manifest.corpus
    if built_on.fingerprint != corpus.fingerprint:
        corpus.check_current()
        raise ValueError(
            f"snapshot {manifest.snapshot_id} is of another corpus, or of this one before it changed: it was "
            f"built on {built_on.name!r}, fingerprint {built_on.fingerprint}; this is {corpus.name!r}, "
            f"fingerprint {corpus.fingerprint}; build one of this, "
            f"{_command(corpus)}{_settings(manifest)}, and where you name a snapshot, name the new one"
        )
    check_option("backend", manifest.backend, BACKENDS)  # a later version may have more
    written = {folder / _ITEMS: manifest.items_fingerprint}
    if BACKENDS[manifest.backend].in_a_file:
        written[folder / _INDEX] = manifest.index_fingerprint
    for path, expected in written.items():
        if (found := file_fingerprint(path)) != expected:
            has = "there is no such file" if found is None else f"its fingerprint is {found}"
            what = f"{has}, written was {expected}"
            raise ValueError(f"{path} is damaged or missing: {what}; {CURE}")
    items = {item.item_id: item for item in _read_items(folder / _ITEMS, corpus)}
    texts = {item_id: item.text for item_id, item in items.items()}
    retriever = open_index(manifest.backend, texts, manifest.analyzer, manifest.parameters, folder / _INDEX)
    return Snapshot(manifest, folder, corpus, retriever, items)


def _read_items(path: Path, corpus: CorpusFolder) -> Iterator[Item]:
    """The items of an undamaged file, with their texts out of the corpus."""
    for line in path.read_bytes().splitlines():
        span = json.loads(line)
        doc_id, start, end = span["doc_id"], span["start"], span["end"]
        text = corpus.corpus[doc_id][start:end]
        yield Item(span["item_id"], doc_id, corpus.sources[doc_id], 0.0, text, start, end)


def _settings(manifest: Manifest) -> str:
    """The options of `workbench snapshot` that a snapshot was built with."""
    cut = manifest.chunker
    options = {
        "--backend": manifest.backend,
        "--chunker": None if cut["name"] == "none" else cut["name"],
        "--chunk-size": cut["chunk_size"],
        "--overlap": cut["overlap"],
        "--analyzer": manifest.analyzer,
    }
    written = [f" {option} {shlex.quote(str(one))}" for option, one in options.items() if one is not None]
    given = without_weights(manifest.parameters)
    own = [f" --parameter {shlex.quote(f'{name}={one}')}" for name, one in given.items()]
    return "".join(written + own)


def _command(corpus: CorpusFolder) -> str:
    return f"workbench snapshot --corpus {shlex.quote(str(corpus.path))}"


def _folders(corpus: CorpusFolder) -> list[Path]:
    """The folders of the snapshots, by name; one that is being built has a name of another form."""
    found = (corpus.path / "snapshots").glob(16 * "[0-9a-f]")
    return sorted(path for path in found if path.is_dir())


def _readable(corpus: CorpusFolder) -> Iterator[Manifest]:
    for folder in _folders(corpus):
        with suppress(ValueError, FileNotFoundError):
            yield read_manifest(folder)
