"""A corpus on disk: the reader's documents in one folder, to which files are added.

The folder holds `corpus.json` (its name), `corpus.jsonl` (the documents in BEIR layout, sorted by id) and,
when they are needed, the folders `snapshots`, `datasets` and `reports`.
"""

import hashlib
import json
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Real
from pathlib import Path
from unicodedata import normalize
from urllib.parse import unquote

from helpers.base import (
    as_given,
    check_free,
    check_path,
    check_type,
    counted,
    first_few,
    folded,
    json_object,
    one_at_a_time,
    text_field,
    text_lines,
    warn,
    write_text,
)
from helpers.records import Corpus
from workbench.corpus.formats import ENDINGS, SourceDocument, as_id
from workbench.corpus.html import site_name
from workbench.corpus.near_duplicates import NearDuplicates
from workbench.corpus.reading import KEEP, LEAVE_OUT, LeftOut, Reading, file_of, read_files

_SCHEMA_VERSION = 1
_FACTS, _DOCUMENTS = "corpus.json", "corpus.jsonl"


@dataclass(frozen=True)
class Added:
    """What became of the documents given, by doc_id and in their order."""

    added: list[str]
    replaced: list[str]
    unchanged: list[str]


@dataclass(frozen=True)
class Ingested(Added):
    """`Added`, and what was left out, with the reasons, and what else the reader should know."""

    left_out: list[LeftOut]
    notes: list[str]
    near_duplicates: list[NearDuplicates] = field(default_factory=list)


class CorpusFolder:
    """A corpus in the folder `path`; make one with `CorpusFolder.init`, open one with `CorpusFolder.open`.

    The documents are read when it is opened and held; they change only by `add` and `ingest`. Raises
    FileNotFoundError where there is no corpus, and ValueError, with file and line, for one that is damaged.

    >>> import tempfile
    >>> corpus = CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets")
    >>> cats = SourceDocument("d1", "Cats", "They sleep.", "cats.md")
    >>> corpus.add([SourceDocument("d2", "", "Dogs bark.", "dogs.txt"), cats])
    Added(added=['d2', 'd1'], replaced=[], unchanged=[])
    >>> CorpusFolder.open(corpus.path).corpus
    {'d1': 'Cats They sleep.', 'd2': 'Dogs bark.'}
    """

    def __init__(self, path: str | Path) -> None:
        self._given = check_path(path, "the folder of a corpus")
        self._whole = self._given.absolute()
        self.name = _read_name(self.path)
        self._written = _when(self.path)
        self._documents = _read_documents(self.path)

    @property
    def path(self) -> Path:
        """The folder of the corpus, wherever one works by now."""
        return as_given(self._given, self._whole)

    @classmethod
    def init(cls, path: str | Path, name: str | None = None) -> "CorpusFolder":
        """Makes an empty corpus in a new or empty folder, whose name it gets where no other is given.

        Raises ValueError for a folder that holds something, for a path that is a file, and for a blank name.
        """
        path = check_path(path, "a folder that is new or empty")
        if (path / _FACTS).exists():
            raise ValueError(f"{path} is already a corpus; open it, or give another folder")
        check_free(path)
        name = _checked_name(path.resolve().name if name is None else name, "name")
        write_text(path / _DOCUMENTS, "")
        try:  # last, since with this file the folder is a corpus
            write_text(path / _FACTS, _json({"schema_version": _SCHEMA_VERSION, "name": name}))
        except OSError:
            (path / _DOCUMENTS).unlink()
            raise
        return cls(path)

    @classmethod
    def open(cls, path: str | Path) -> "CorpusFolder":
        """The corpus in a folder."""
        return cls(path)

    @property
    def documents(self) -> list[SourceDocument]:
        """The documents, sorted by doc_id."""
        return list(self._documents.values())

    @cached_property
    def corpus(self) -> Corpus:
        """`{doc_id: title, a space, text}`, as `load_beir` gives a corpus; sorted by doc_id. It changes only
        by `add` and `ingest`; `dict(corpus.corpus)` is a copy of one's own."""
        return _TextsOnDisk(_texts(self._documents.values()))

    @cached_property
    def sources(self) -> dict[str, str]:
        """`{doc_id: source_uri}`, sorted by doc_id; it changes as `corpus` does."""
        return _TextsOnDisk({doc_id: document.source_uri for doc_id, document in self._documents.items()})

    @cached_property
    def fingerprint(self) -> str:
        """`sha256:` and 64 digits, equal for two corpora only where ids, texts and sources are."""
        digest = hashlib.sha256()
        for doc_id, text in self.corpus.items():
            digest.update(_json([doc_id, text, self.sources[doc_id]]).encode())
        return f"sha256:{digest.hexdigest()}"

    def add(self, documents: Iterable[SourceDocument]) -> Added:
        """Adds documents; one with the doc_id of another replaces it. Nothing is ever taken out.

        All are written at once, or none, and what others add at the same time stays. Raises ValueError,
        naming the document, for an id that stands twice among them, that is empty or holds white space, and
        for what is not text.

        >>> import tempfile
        >>> corpus = CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets")
        >>> _ = corpus.add([SourceDocument("d1", "", "Cats bark.", "pets.txt")])
        >>> corpus.add([SourceDocument("d1", "", "Cats sleep.", "pets.txt")])
        Added(added=[], replaced=['d1'], unchanged=[])
        """
        is_table = hasattr(documents, "columns")
        if is_table or isinstance(documents, (str, dict)) or not isinstance(documents, Iterable):
            needed = "needed a list of SourceDocument(doc_id, title, text, source_uri)"
            raise ValueError(f"documents is a {type(documents).__name__}; {needed}")
        numbered = enumerate(documents, start=1)
        given = _by_id((f"document {number} of those given", document) for number, document in numbered)
        forms = {normalize("NFC", doc_id): doc_id for doc_id in given}
        if twin := next((one for one in given if forms[normalize("NFC", one)] != one), None):
            pair = f"{ascii(twin)} and {ascii(forms[normalize('NFC', twin)])}"
            warn(f"ids that look the same are of two documents, in two forms of Unicode: {pair}; rename one")
        return self._kept(given)

    def _kept(self, given: dict[str, SourceDocument]) -> Added:
        """Writes documents beside those that are there, or in their place."""
        with one_at_a_time(self.path):
            held = _read_documents(self.path)  # afresh: a notebook may have added meanwhile, or a thread
            known = [doc_id for doc_id in given if doc_id in held]
            replaced = [doc_id for doc_id in known if given[doc_id] != held[doc_id]]
            added = [doc_id for doc_id in given if doc_id not in held]
            documents = dict(sorted((held | given).items()))
            if added or replaced:
                write_text(self.path / _DOCUMENTS, "".join(map(_record, documents.values())))
            self._written = _when(self.path)
        self._documents = documents
        for name in ("corpus", "sources", "fingerprint"):
            self.__dict__.pop(name, None)
        _warn_of_twins(held, added)
        return Added(added, replaced, [doc_id for doc_id in known if given[doc_id] == held[doc_id]])

    def check_current(self) -> None:
        """Raises ValueError where the folder holds other documents by now than it had when it was opened
        here, and FileNotFoundError where it is not there any more."""
        if (written := _when(self.path)) == self._written:
            return
        now = _read_documents(self.path)
        if now != self._documents:
            what = f"the documents of {self.path} have changed since it was opened here"
            cure = f"open it again: CorpusFolder.open({str(self.path)!r}), or Labelling() for a project"
            raise ValueError(f"{what} ({len(self._documents):,} then, {len(now):,} now); {cure}")
        self._written = written

    def ingest(self, path: str | Path, duplicates: str = KEEP, allow_left_out: bool = False) -> Ingested:
        """Adds the documents of a file or folder, as `read_files` reads them; what it leaves out is named.

        A document whose file is gone since stays in the corpus. A name of the site that was taken off titles
        before is taken off again, where one of the pages is unchanged. Near duplicates are looked for among
        the documents that are read, and kept; where `duplicates` is "leave-out", they are looked for beside
        the documents of the corpus too, and left out. Raises FileNotFoundError where
        there is no such path, and ValueError for the folder of a corpus, this one too, and where most files
        of a folder, or all, cannot be read, unless `allow_left_out`. One file alone that cannot be read is
        only named in `left_out`.

        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "empty.txt").write_text("")
        >>> CorpusFolder.init(folder / "corpus").ingest(folder / "empty.txt").left_out
        [LeftOut(path='empty.txt', reason='empty')]
        """
        held = self.corpus if duplicates == LEAVE_OUT else None  # who keeps both need not wait for it
        reading = read_files(path, duplicates, allow_left_out, held)
        reading.notes.extend(self._take_off_site_names(reading.documents))
        reading.notes.extend(self._notes(reading))
        if duplicates == LEAVE_OUT and Path(path).is_dir():
            reading.notes.extend(self._renamed(Path(path), reading))
        beside = {name: getattr(reading, name) for name in ("left_out", "notes", "near_duplicates")}
        return Ingested(**vars(self._kept({one.doc_id: one for one in reading.documents})), **beside)

    def _take_off_site_names(self, documents: list[SourceDocument]) -> Iterator[str]:
        """Takes off what ends the titles of pages that are the same in the corpus but for that end: when the
        whole site was read it was taken off as its name, and a few pages alone do not show that."""
        ends = {i: site_name(one.title) for i, one in enumerate(documents) if _is_page(one)}
        names = {end for i, end in ends.items() if end and self._is_but_for(end, documents[i])}
        of = [i for i, end in ends.items() if end in names]
        for i in of:
            documents[i] = replace(documents[i], title=documents[i].title.removesuffix(ends[i]))
        if of:
            which = first_few(map(repr, sorted(names)))
            what = counted(len(of), "title")
            yield f"{which} was taken off {what} as the name of the site: pages in the corpus are without it"

    def _is_but_for(self, end: str, document: SourceDocument) -> bool:
        """Whether the corpus has a document, but for the end of its title."""
        return self._documents.get(document.doc_id) == replace(
            document, title=document.title.removesuffix(end)
        )

    def _notes(self, reading: Reading) -> Iterator[str]:
        """What to say of documents that come a second time under other ids, and of older texts that stay."""
        here = {(one.title, one.text): one.doc_id for one in self._documents.values()}
        doubles = {
            one.doc_id: here[one.title, one.text]
            for one in reading.documents
            if one.doc_id not in self._documents and (one.title, one.text) in here
        }
        if doubles:
            pairs = first_few((f"{new} as {old}" for new, old in doubles.items()), 3)
            what = counted(len(doubles), "document is", "documents are")
            cure = "was a file renamed, or another folder given than before? Ids are paths below it, and "
            cure += "nothing is taken out: for the new ids alone make the corpus anew"
            yield f"{what} word for word in the corpus already, under another id: {pairs}; {cure}"
        if moved := self._moved(reading):
            pairs = first_few((f"{new} beside {old}" for new, old in moved.items()), 3)
            cure = "to replace them give the folder that was given before: ids are paths below it; what was "
            cure += "added now stays until the corpus is made anew"
            yield f"{counted(len(moved), 'new document')} with the name of an older one: {pairs}; {cure}"
        if stay := self._stay(reading):
            what = counted(len(stay), "document that was left out keeps", "documents that were left out keep")
            yield f"{what} the older text in the corpus: {first_few(stay)}"

    def _renamed(self, folder: Path, reading: Reading) -> Iterator[str]:
        """What to say of documents that were left out beside one of the corpus whose file is gone."""
        read = {one.doc_id for one in reading.documents}
        gone = [
            f"{other} as {group.first}"
            for group in reading.near_duplicates
            for other in group.others
            if group.first in self._documents
            and group.first not in read
            and not (folder / unquote(group.first)).exists()
        ]
        if gone:
            what = f"{counted(len(gone), 'document')} left out beside one whose file is not there any more"
            cure = "was it renamed? For the new ids make the corpus anew"
            yield f"{what}: {first_few(gone, 3)}; {cure}"

    def _moved(self, reading: Reading) -> dict[str, str]:
        """The new ids that end as one of the corpus does, which are most of what was read, with that one."""
        ends = {
            "/".join(parts[n:]): old
            for old in self._documents
            for parts in [old.split("/")]
            for n in range(len(parts))
        }
        new = [one.doc_id for one in reading.documents if one.doc_id not in self._documents]
        moved = {doc_id: ends[doc_id] for doc_id in new if doc_id in ends}
        for doc_id in new:
            below = (doc_id.split("/", n)[n] for n in range(1, doc_id.count("/") + 1))
            if old := next((one for one in below if one in self._documents), None):
                moved.setdefault(doc_id, old)
        return moved if len(moved) > len(reading.documents) / 2 else {}

    def _stay(self, reading: Reading) -> list[str]:
        """The documents in the corpus that were left out this time, or of whose file something was."""
        copies = {doc_id for group in reading.near_duplicates for doc_id in group.others}
        files = {as_id(file_of(one)) for one in reading.left_out}
        read = {one.doc_id for one in reading.documents}
        held = (one for one in self._documents.values() if one.doc_id not in read)
        return [one.doc_id for one in held if one.doc_id in copies or one.source_uri in files]

    def __repr__(self) -> str:
        return f"CorpusFolder({self.name!r}, {counted(len(self._documents), 'document')})"


class _TextsOnDisk(dict):
    """What is on disk, by id. To change it here would measure a corpus that nobody else has."""

    def _refuse(self, *_: object, **__: object) -> None:
        cure = "add documents with add([SourceDocument(…)]), or change a copy, dict(corpus.corpus)"
        raise ValueError(f"this is what the folder of a corpus holds, and it is not changed here; {cure}")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple:
        return dict, (dict(self),)


def _is_page(document: SourceDocument) -> bool:
    return document.source_uri.lower().endswith((".html", ".htm"))


def _warn_of_twins(held: Iterable[str], added: Iterable[str]) -> None:
    """Warns of new ids that are those of older documents in other capitals, or in another form of Unicode."""
    alike = {folded(doc_id): doc_id for doc_id in held}
    if twins := [(one, alike[folded(one)]) for one in added if folded(one) in alike]:
        what = counted(len(twins), "new document has", "new documents have")
        pairs = first_few((f"{ascii(new)} beside {ascii(old)}" for new, old in twins), 3)
        said = f"{what} the id of an older one in other capitals, or another form of Unicode"
        warn(f"{said}, and both are kept: {pairs}; to replace it give the new one the old id")


def read_texts(path: str | Path) -> Corpus:
    """`{doc_id: text}` of a corpus, of a project (its corpus), or of documents, read as `ingest` reads them.

    Raises FileNotFoundError where there is nothing, ValueError where no document could be read.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "cats.md").write_text("# Cats\\n\\nThey sleep.")
    >>> read_texts(folder)
    {'cats.md': 'Cats They sleep.'}
    """
    path = Path(path)
    for folder in (path, path / "corpus"):
        if (folder / _FACTS).is_file():
            return CorpusFolder.open(folder).corpus
    reading = read_files(path, allow_left_out=True)
    if not reading.documents:
        reasons = [f"{one.path}: {one.reason}" for one in reading.left_out[:5]]
        needed = f"needed files ending in {', '.join(ENDINGS)}"
        raise ValueError("\n".join([f"no document could be read from {path}; {needed}", *reasons]))
    return _texts(reading.documents)


def _texts(documents: Iterable[SourceDocument]) -> Corpus:
    return {document.doc_id: f"{document.title} {document.text}".strip() for document in documents}


def _read_name(folder: Path) -> str:
    path = folder / _FACTS
    if folder.is_file():
        cure = f": give {folder.parent}" if (folder.parent / _FACTS).is_file() else ""
        raise ValueError(f"{folder} is a file; needed the folder of a corpus{cure}")
    if not path.is_file():
        inner = folder / "corpus"
        is_project = (inner / _FACTS).is_file()
        named = shlex.quote(str(folder))
        cure = f"give {inner}" if is_project else f"make one with: workbench init {named}"
        if not is_project and folder.is_dir() and any(folder.iterdir()):  # there `init` would refuse
            cure = f"make one of it: workbench init NEW, then workbench ingest --corpus NEW {named}"
        beside = any((folder / name).exists() for name in ("queries.jsonl", "qrels"))
        if (folder / _DOCUMENTS).exists() and beside:
            documents = shlex.quote(str(folder / _DOCUMENTS))
            cure = f"it looks like BEIR: workbench init NEW, then workbench ingest --corpus NEW {documents}"
        elif (folder / _DOCUMENTS).exists():
            form = json.dumps({"schema_version": _SCHEMA_VERSION, "name": folder.resolve().name})
            cure = f"put it back; it said {form}, with the name of the corpus"
        raise FileNotFoundError(f"{folder} is no corpus: it has no {_FACTS}; {cure}")
    text = "\n".join(line for _, line in text_lines(path))
    facts = json_object(text, str(path), "schema_version and name")
    found = facts.get("schema_version")
    if type(found) is int and found > _SCHEMA_VERSION:
        reads = f"this one reads {_SCHEMA_VERSION}"
        raise ValueError(
            f"{path}: schema_version is {found}, of a later version; {reads}: update measure-first"
        )
    if type(found) is not int or found != _SCHEMA_VERSION:
        reads = f"this version of the course reads {_SCHEMA_VERSION}"
        raise ValueError(f"{path}: schema_version is {found!r}, {reads}; init a new corpus")
    return _checked_name(facts.get("name"), f"{path}: name")


def _checked_name(name: object, what: str) -> str:
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{what} is {name!r}; needed text that is not blank")
    if any(char.isascii() and not char.isprintable() for char in name):
        raise ValueError(f"{what} is {name!r}, which holds what cannot be seen; give it in letters")
    if not _is_writable(name):
        raise ValueError(f"{what} is {name!r}, which holds bytes that are no UTF-8; give it in letters")
    return name


def _read_documents(folder: Path) -> dict[str, SourceDocument]:
    """The documents of `corpus.jsonl` by id, sorted. Raises ValueError, with file and line, for a bad one."""
    path = folder / _DOCUMENTS
    if not folder.exists():
        cure = "was it moved or deleted? Open it where it is now: CorpusFolder.open(PATH)"
        raise FileNotFoundError(f"{folder} is not there any more; {cure}")
    if not path.is_file():
        cure = "init a new corpus and ingest them again"
        raise FileNotFoundError(f"{path} is not there, the documents of this corpus; {cure}")
    lines = (
        (where, json_object(line, where, "_id, title, text and metadata")) for where, line in text_lines(path)
    )
    return dict(sorted(_by_id((where, _document(record, where)) for where, record in lines).items()))


def _when(folder: Path) -> tuple[int, int] | None:
    """When the documents were written, and how many bytes they are; None where they are not there."""
    with suppress(OSError):
        found = (folder / _DOCUMENTS).stat()
        return found.st_mtime_ns, found.st_size
    return None


def _document(record: dict, where: str) -> SourceDocument:
    metadata = record.get("metadata")
    if not isinstance(metadata, dict):
        needed = f"needed 'metadata' with a source_uri, found {metadata!r}"
        raise ValueError(f"{where}: {needed}; ingest the file, do not copy it")
    parts = [text_field(record, name, where) for name in ("_id", "title", "text")]
    return SourceDocument(*parts, text_field(metadata, "source_uri", where))


def _record(document: SourceDocument) -> str:
    record = {"_id": document.doc_id, "title": document.title, "text": document.text}
    return _json(record | {"metadata": {"source_uri": document.source_uri}})


def _by_id(documents: Iterable[tuple[str, SourceDocument]]) -> dict[str, SourceDocument]:
    """The documents by id, in their order. Raises ValueError, saying where, for one that cannot be kept."""
    found: dict[str, SourceDocument] = {}
    for where, document in documents:
        check_type(where, document, SourceDocument, "SourceDocument(doc_id, title, text, source_uri)")
        for name, value in vars(document).items():
            if not isinstance(value, str):
                gap = name == "title" or not isinstance(value, Real) or value != value
                cure = '"" where there is none' if gap else "str() makes text of a number"
                raise ValueError(f"{where}: {name} is {value!r:.80}; needed text ({cure})")
            if not _is_writable(value):
                raise ValueError(f"{where}: {name} is {value!r:.80}; needed text that UTF-8 can hold")
        doc_id = document.doc_id
        if not doc_id or re.search(r"\s", doc_id):
            needed = "needed an id without white space that is not empty"
            raise ValueError(f"{where}: doc_id is {doc_id!r}; {needed}")
        if doc_id in found:
            raise ValueError(f"{where}: document {doc_id!r} comes a second time; ids must be unique")
        found[doc_id] = document
    return found


def _is_writable(text: object) -> bool:
    """Whether UTF-8 can hold it as a text: half of a surrogate pair, which JSON can escape, it cannot."""
    return isinstance(text, str) and not re.search("[\ud800-\udfff]", text)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
