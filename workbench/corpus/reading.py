"""The files of a folder to documents, and a reason for each that is left out.

Nothing is left out without one. How one file is read is in `formats`.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from workbench.corpus.formats import ENDINGS, SourceDocument, as_shown, documents_of

_NAMED = 10  # bad lines of one JSONL file; the others are counted


@dataclass(frozen=True)
class LeftOut:
    """What was not read, a file, a folder or `file, line n`, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Reading:
    """The documents of a folder, what was left out, and what the reader should look at."""

    documents: list[SourceDocument]
    left_out: list[LeftOut]
    notes: list[str]


def read_files(path: str | Path) -> Reading:
    """The documents of a file, or of all files below a folder, in the order of their names.

    Read are `ENDINGS`: texts of at most `MAX_BYTES`, and .jsonl of any size, line by line, with BEIR's `_id`,
    `text` and `title`. A document's id is the `doc_id` of its front matter, else its path below the folder,
    "/" between its parts, white space percent-encoded; a record's is its `_id`. That path is the
    `source_uri`. Of two documents with one id the first is kept. Links to files are followed, to folders not.

    What cannot be read is left out and named, never raised; hidden files and folders are counted in one note.
    Raises FileNotFoundError where the path does not exist, and ValueError for the folder of a corpus.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "cats.md").write_text("# Cats\\n\\nThey sleep.")
    >>> _ = (folder / "cats.pdf").write_bytes(b"%PDF")
    >>> reading = read_files(folder)
    >>> reading.documents
    [SourceDocument(doc_id='cats.md', title='Cats', text='They sleep.', source_uri='cats.md')]
    >>> reading.left_out
    [LeftOut(path='cats.pdf', reason='files ending in .pdf are not read; save it as .txt, .md or .html')]
    """
    path = Path(path)
    if not os.path.lexists(path):
        cure = f"give a file, or a folder of {', '.join(ENDINGS)} files"
        raise FileNotFoundError(f"{path} is not there; {cure}")
    if _is_corpus(path):
        cure = f"give the folder of your documents, or {path / 'corpus.jsonl'}"
        raise ValueError(f"{path} is the folder of a corpus; {cure}")
    reading = Reading([], [], [])
    found = sorted(_files(path, reading)) if path.is_dir() else [(as_shown(path.name), path)]
    kept_from: dict[str, str] = {}
    for name, file in tqdm(found, desc="reading", unit=" files", disable=None):
        reason = _why_not(file)
        if reason:
            reading.left_out.append(LeftOut(name, reason))
        else:
            _read(file, name, reading, kept_from)
    return reading


def _read(file: Path, name: str, reading: Reading, kept_from: dict[str, str]) -> None:
    """Adds what one file holds to the reading, and to `kept_from`, by its id, where each document stood."""
    records = faults = 0
    try:
        for where, document in documents_of(file, name, reading.notes):
            records += 1
            reason = document if isinstance(document, str) else _keep(document, where, reading, kept_from)
            if reason:
                faults += 1
                if faults <= _NAMED:
                    reading.left_out.append(LeftOut(where, reason[:300]))  # it may quote a field of megabytes
    except OSError as error:
        reading.left_out.append(LeftOut(name, f"cannot be read ({error.strerror or error})"))
    except UnicodeDecodeError as error:
        said = f"its first bytes say {error.encoding}"
        reading.left_out.append(LeftOut(name, f"{said}, and it is not; save it as UTF-8"))
    except ValueError as error:
        reading.left_out.append(LeftOut(name, str(error)))
    else:
        if not records:
            reading.left_out.append(LeftOut(name, "empty"))
    if faults > _NAMED:
        reading.left_out.append(LeftOut(name, f"{faults - _NAMED:,} more of its lines, for such reasons"))


def _keep(document: SourceDocument, where: str, reading: Reading, kept_from: dict[str, str]) -> str | None:
    """Why a document is not kept, or None where it is."""
    if not f"{document.title}{document.text}".strip():
        return "empty"
    if first := kept_from.get(document.doc_id):
        return f"its id {document.doc_id!r} is that of {first} already; give it another"
    kept_from[document.doc_id] = where
    reading.documents.append(document)
    return None


def _why_not(file: Path) -> str | None:
    """Why a file is not even opened, or None."""
    ending = file.suffix.lower()
    if not ending:
        return "files without an ending are not read; rename it"
    if ending not in ENDINGS:
        return f"files ending in {as_shown(ending)} are not read; save it as .txt, .md or .html"
    try:
        if file.is_file():
            return None
    except OSError:
        return None  # opening it will say what is wrong
    return "a link that leads nowhere" if file.is_symlink() else "no regular file"


def _files(root: Path, reading: Reading) -> Iterator[tuple[str, Path]]:
    """All files below a folder with their paths from there; what is hidden is only counted."""
    hidden = 0

    def shown(path: str | Path) -> str:
        return as_shown(Path(path).relative_to(root).as_posix())

    def unreadable(error: OSError) -> None:
        reason = f"a folder that cannot be read ({error.strerror})"
        reading.left_out.append(LeftOut(shown(error.filename), reason))

    for folder, folders, names in os.walk(root, onerror=unreadable):
        inside, folders[:] = set(folders), []  # those that stay in the list are entered
        for path in (Path(folder, name) for name in sorted(inside.union(names))):
            if path.name.startswith("."):
                hidden += 1
            elif reason := _why_not_here(path):
                reading.left_out.append(LeftOut(shown(path), reason))
            elif path.name in inside:
                folders.append(path.name)
            else:
                yield shown(path), path
    if hidden:
        what = "hidden files and folders (their names begin with a dot)"
        reading.notes.append(f"{hidden:,} {what} were not read")


def _why_not_here(path: Path) -> str | None:
    """Why a file or folder is passed by for what it is or what lies beside it, or None."""
    if os.path.islink(path) and os.path.isdir(path):
        return "a link to a folder is not followed; give that folder itself"
    if _is_corpus(path):
        return "the folder of a corpus; give its corpus.jsonl if you want its documents"
    if path.name == "queries.jsonl" and os.path.isfile(path.with_name("corpus.jsonl")):
        return "the queries of a BEIR dataset, no documents"
    return None


def _is_corpus(folder: Path) -> bool:
    return os.path.isfile(folder / "corpus.json") and os.path.isfile(folder / "corpus.jsonl")
