"""A corpus on disk: the reader's documents in one folder, to which files are added and of which snapshots are built.

The folder holds `corpus.json` (its name), `corpus.jsonl` (the documents in BEIR layout, sorted by id) and, when they are needed,
the folders `snapshots`, `datasets` and `reports`. How files become documents is in `reading`; what is built is in `snapshot`.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from helpers.base import json_object, replaced, text_field, text_lines
from helpers.records import Corpus
from workbench.corpus.formats import SourceDocument
from workbench.corpus.reading import LeftOut, read_files

SCHEMA_VERSION = 1
_FACTS, _DOCUMENTS = "corpus.json", "corpus.jsonl"


@dataclass(frozen=True)
class Added:
    """What became of the documents given, doc_ids in their order: new ones, those that took the place of another, no change."""

    added: list[str]
    replaced: list[str]
    unchanged: list[str]


@dataclass(frozen=True)
class Ingested(Added):
    """`Added`, and what of the files was left out, with the reasons, and what else the reader should know of them."""

    left_out: list[LeftOut]
    notes: list[str]


class CorpusFolder:
    """A corpus in the folder `path`; make one with `CorpusFolder.init`, open one with `CorpusFolder.open`.

    The documents are read when it is opened and held; they change only by `add` and `ingest`.

    >>> import tempfile
    >>> corpus = CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets")
    >>> corpus.add([SourceDocument("d2", "", "Dogs bark.", "dogs.txt"), SourceDocument("d1", "Cats", "They sleep.", "cats.md")])
    Added(added=['d2', 'd1'], replaced=[], unchanged=[])
    >>> CorpusFolder.open(corpus.path).corpus
    {'d1': 'Cats They sleep.', 'd2': 'Dogs bark.'}
    """

    path: Path
    name: str

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.name = _read_name(self.path)
        self._documents = _read_documents(self.path)

    @classmethod
    def init(cls, path: str | Path, name: str | None = None) -> "CorpusFolder":
        """Makes an empty corpus in a folder that is new or empty; its name is that of the folder where none is given.

        Raises ValueError for a folder that holds something, for a path that is a file, and for a blank name.
        """
        path = Path(path)
        if (path / _FACTS).exists():
            raise ValueError(f"{path} is already a corpus; open it, or give another folder")
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path} is a file; give a folder that is new or empty")
        if path.is_dir() and any(path.iterdir()):
            raise ValueError(f"{path} holds other files already; give a folder that is new or empty")
        facts = {
            "schema_version": SCHEMA_VERSION,
            "name": _checked_name(path.resolve().name if name is None else name, "name"),
        }
        _write(path / _DOCUMENTS, "")
        _write(path / _FACTS, _json(facts) + "\n")  # last: with it the folder is a corpus
        return cls(path)

    @classmethod
    def open(cls, path: str | Path) -> "CorpusFolder":
        """The corpus in a folder.

        Raises FileNotFoundError where none is, and ValueError, with file and line, for one that is damaged.
        """
        return cls(path)

    @property
    def documents(self) -> list[SourceDocument]:
        """The documents, sorted by doc_id."""
        return list(self._documents.values())

    @cached_property
    def corpus(self) -> Corpus:
        """`{doc_id: text}`, the text is the title, a space, the text, as `load_beir_corpus` gives them; sorted by doc_id."""
        return {
            doc_id: f"{document.title} {document.text}".strip()
            for doc_id, document in self._documents.items()
        }

    @cached_property
    def sources(self) -> dict[str, str]:
        """`{doc_id: source_uri}`, sorted by doc_id."""
        return {doc_id: document.source_uri for doc_id, document in self._documents.items()}

    @cached_property
    def fingerprint(self) -> str:
        """`sha256:` and 64 hexadecimal digits over ids, texts and sources: of two corpora equal only where all these are."""
        digest = hashlib.sha256()
        for doc_id, text in self.corpus.items():
            digest.update((_json([doc_id, text, self.sources[doc_id]]) + "\n").encode())
        return f"sha256:{digest.hexdigest()}"

    def add(self, documents: Iterable[SourceDocument]) -> Added:
        """Adds documents; one whose doc_id is there already takes that one's place. Nothing is ever taken out.

        All are written at once or, where one cannot be, none. Raises ValueError, naming the document, for an id that stands
        twice among them, that is empty or holds white space, and for what is not text.

        >>> import tempfile
        >>> corpus = CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets")
        >>> _ = corpus.add([SourceDocument("d1", "", "Cats bark.", "pets.txt")])
        >>> corpus.add([SourceDocument("d1", "", "Cats sleep.", "pets.txt")])
        Added(added=[], replaced=['d1'], unchanged=[])
        """
        given = _checked(documents)
        held = _read_documents(self.path)  # afresh: a notebook may have added to what the command line opened
        known = [doc_id for doc_id in given if doc_id in held]
        replaced = [doc_id for doc_id in known if given[doc_id] != held[doc_id]]
        added = [doc_id for doc_id in given if doc_id not in held]
        if added or replaced:
            _write_documents(self.path, held | given)
        self._documents = dict(sorted((held | given).items()))
        for name in ("corpus", "sources", "fingerprint"):
            self.__dict__.pop(name, None)
        return Added(added, replaced, [doc_id for doc_id in known if given[doc_id] == held[doc_id]])

    def ingest(self, path: str | Path) -> Ingested:
        """Adds the documents of a file or folder, as `read_files` reads them; all that it leaves out is named with its reason.

        A document whose file is gone since stays in the corpus. Raises FileNotFoundError where there is no such path, and
        ValueError for the folder of a corpus, this one too.

        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "empty.txt").write_text("")
        >>> CorpusFolder.init(folder / "corpus").ingest(folder / "empty.txt").left_out
        [LeftOut(path='empty.txt', reason='empty')]
        """
        reading = read_files(path)
        done = self.add(reading.documents)
        return Ingested(done.added, done.replaced, done.unchanged, reading.left_out, reading.notes)

    def __repr__(self) -> str:
        return f"CorpusFolder({self.name!r}, {len(self._documents):,} {'document' if len(self._documents) == 1 else 'documents'})"


def _read_name(folder: Path) -> str:
    path = folder / _FACTS
    if not path.is_file():
        raise FileNotFoundError(
            f"{folder} is no corpus: it has no {_FACTS}; make one with: python -m workbench init {folder}"
        )
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not valid UTF-8 (byte {error.start + 1} of the file)") from None
    facts = json_object(text, str(path), "schema_version and name")
    if type(facts.get("schema_version")) is not int or facts["schema_version"] != SCHEMA_VERSION:
        found = facts.get("schema_version")
        raise ValueError(
            f"{path}: schema_version is {found!r}, this version of the course reads {SCHEMA_VERSION}; init a new corpus"
        )
    return _checked_name(facts.get("name"), f"{path}: name")


def _checked_name(name: object, what: str) -> str:
    if not isinstance(name, str) or not name.strip() or not _is_writable(name):
        raise ValueError(f"{what} is {name!r}; needed text that is not blank")
    return name


def _read_documents(folder: Path) -> dict[str, SourceDocument]:
    """The documents of `corpus.jsonl` by id, sorted. Raises ValueError with file and line for a record that is not whole."""
    path = folder / _DOCUMENTS
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is not there, the documents of this corpus; init a new corpus and ingest them again"
        )
    documents: dict[str, SourceDocument] = {}
    for where, line in text_lines(path):
        document = _document(json_object(line, where, "_id, title, text and metadata"), where)
        _check(document, where)
        if document.doc_id in documents:
            raise ValueError(f"{where}: document {document.doc_id!r} comes a second time; ids must be unique")
        documents[document.doc_id] = document
    return dict(sorted(documents.items()))


def _document(record: dict, where: str) -> SourceDocument:
    metadata = record.get("metadata")
    if not isinstance(metadata, dict):
        raise ValueError(
            f"{where}: needed 'metadata' with a source_uri, found {metadata!r}; ingest the file, do not copy it"
        )
    parts = [text_field(record, name, where) for name in ("_id", "title", "text")]
    return SourceDocument(*parts, text_field(metadata, "source_uri", where))


def _checked(documents: Iterable[SourceDocument]) -> dict[str, SourceDocument]:
    """The documents by id, in their order."""
    checked: dict[str, SourceDocument] = {}
    for number, document in enumerate(documents, start=1):
        _check(document, f"document {number} of those given")
        if document.doc_id in checked:
            raise ValueError(
                f"document {document.doc_id!r} stands twice among those given; ids must be unique"
            )
        checked[document.doc_id] = document
    return checked


def _check(document: SourceDocument, where: str) -> None:
    for name, value in vars(document).items():
        if not isinstance(value, str) or not _is_writable(value):
            raise ValueError(f"{where}: {name} is {value!r:.80}; needed text that UTF-8 can hold")
    if not document.doc_id or re.search(r"\s", document.doc_id):
        raise ValueError(
            f"{where}: doc_id is {document.doc_id!r}; needed an id without white space that is not empty"
        )


def _is_writable(text: str) -> bool:
    """Whether UTF-8 can hold a text: half of a surrogate pair, which JSON can escape, it cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _write_documents(folder: Path, documents: dict[str, SourceDocument]) -> None:
    lines = []
    for doc_id, document in sorted(documents.items()):
        metadata = {"source_uri": document.source_uri}
        lines.append(
            _json({"_id": doc_id, "title": document.title, "text": document.text, "metadata": metadata})
            + "\n"
        )
    _write(folder / _DOCUMENTS, "".join(lines))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write(path: Path, text: str) -> None:
    with replaced(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
