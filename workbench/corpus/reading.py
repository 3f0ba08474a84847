"""The files of a folder to documents, and a reason for each that is left out.

Nothing is left out without one. How one file is read is in `formats`.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from unicodedata import normalize

import numpy as np

from helpers.base import check_flag, check_option, check_path, counted, progress
from workbench.corpus.converting import WITH_EXTRA
from workbench.corpus.formats import ENDINGS, NAMES, SourceDocument, as_shown, documents_of
from workbench.corpus.html import site_name
from workbench.corpus.near_duplicates import NearDuplicates, holders, near_in, word_sequences
from workbench.corpus.odd_documents import Odd

_NAMED = 10  # bad lines of one JSONL file; the others are counted
_NO_DOCUMENTS = frozenset(
    ".avif .bmp .css .eot .gif .ico .jpeg .jpg .js .less .map .mjs .mp3 .mp4 .ogg .otf .png .scss .svg .tif "
    ".tiff .ttf .wav .webm .webp .woff .woff2".split()
)
"""Pictures, fonts, sounds, styles and scripts: they lie beside documents, and none is missed."""
KEEP, LEAVE_OUT = "keep", "leave-out"
"""What becomes of near duplicates: all are kept, or of each group the first."""


@dataclass(frozen=True)
class LeftOut:
    """What was not read, a file, a folder or `file, line n`, and why; `n` where it stands for several."""

    path: str
    reason: str
    n: int = field(default=1, repr=False)


def n_left_out(left_out: Iterable[LeftOut]) -> int:
    """How many files and records were left out.

    >>> n_left_out([LeftOut("a.odt", "not read"), LeftOut("b.jsonl", "890 more of its lines", 890)])
    891
    """
    return sum(one.n for one in left_out)


@dataclass(frozen=True)
class Reading:
    """The documents of a folder, what was left out, and what the reader should look at."""

    documents: list[SourceDocument]
    left_out: list[LeftOut]
    notes: list[str]
    near_duplicates: list[NearDuplicates] = field(default_factory=list)


def read_files(
    path: str | Path,
    duplicates: str = KEEP,
    allow_left_out: bool = False,
    held: Mapping[str, str] | None = None,
) -> Reading:
    """The documents of a file, or of all files below a folder, in the order of their names.

    Read are `ENDINGS`: texts of at most `MAX_BYTES`, PDF and DOCX where the extra for them is installed, and
    .jsonl of any size, line by line, with BEIR's `_id`, `text` and `title`; and `NAMES` without an ending. A
    document's id is the `doc_id` of its front matter, else its path below the folder, "/" between its parts,
    white space percent-encoded; a record's is its `_id`. That path is the `source_uri`. Of two documents with
    one id the first is kept. Links to files are followed, to folders not.

    Where more than half of the pages of HTML, five or more, have titles with one end, as " - The Book", that
    is the name of the site and is taken off.

    What cannot be read is left out and named; hidden files and folders are counted in one note. Documents
    that hold the text of many others are named. Near duplicates, of each other or of the texts `held`
    already, are named, and kept or left out as `duplicates` says, "keep" or "leave-out". Raises
    FileNotFoundError where the path does not exist, and ValueError for the folder of a corpus or a project,
    and where most files and records, or all, are left out (pictures, fonts, styles and scripts do not count)
    without `allow_left_out`; where that is one file alone, it is only named.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "cats.md").write_text("# Cats\\n\\nThey sleep.")
    >>> _ = (folder / "cats.odt").write_bytes(b"PK")
    >>> reading = read_files(folder)
    >>> reading.documents
    [SourceDocument(doc_id='cats.md', title='Cats', text='They sleep.', source_uri='cats.md')]
    >>> reading.left_out
    [LeftOut(path='cats.odt', reason='files ending in .odt are not read; save it as .txt, .md or .html')]
    """
    path = check_path(path, "a file, or a folder of documents")
    check_option("duplicates", duplicates, (KEEP, LEAVE_OUT))
    check_flag("allow_left_out", allow_left_out)
    if not os.path.lexists(path):
        cure = f"give a file, or a folder of {', '.join(ENDINGS)} files"
        raise FileNotFoundError(f"{path} is not there; {cure}")
    if _is_corpus(path):
        cure = f"give the folder of your documents, or {path / 'corpus.jsonl'}"
        raise ValueError(f"{path} is the folder of a corpus; {cure}")
    check_no_project(path)
    reading = Reading([], [], [])
    found = sorted(_files(path, reading)) if path.is_dir() else [(as_shown(path.name), path)]
    kept_from: dict[str, str] = {}
    odd = Odd()
    for name, file in progress(found, desc="reading", unit=" files"):
        reason = _why_not(file)
        if reason:
            reading.left_out.append(LeftOut(name, reason))
        else:
            _read(file, name, reading, kept_from, odd)
    reading.notes.extend(_take_off_site_name(reading.documents, odd.titles))
    reading.notes.extend(_look_alike(reading.documents))
    reading.notes.extend(odd.notes())
    if not allow_left_out:
        _check_most_are_read(path, [name for name, _ in found], reading)
    return _without_duplicates(reading, duplicates, held or {})


def check_no_project(path: Path) -> None:
    """Raises ValueError for the folder of a project: its pages hold the queries that it asks."""
    if _is_project(path):
        cure = f"give the folder of your documents, or {path / 'corpus' / 'corpus.jsonl'}"
        raise ValueError(f"{path} is a project itself, as `workbench new` makes one; {cure}")


def _take_off_site_name(documents: list[SourceDocument], titles: Mapping[str, str]) -> Iterator[str]:
    """Takes off the end that most pages' titles have in common, and says so; `titles` are those of HTML."""
    ends = [site_name(titles[one.doc_id]) for one in documents if one.doc_id in titles]
    end, n = Counter(filter(None, ends)).most_common(1)[0] if any(ends) else ("", 0)
    if n < _SITE or 2 * n <= len(ends):
        return
    of = [i for i, one in enumerate(documents) if one.doc_id in titles and one.title.endswith(end)]
    for i in of:
        documents[i] = replace(documents[i], title=documents[i].title.removesuffix(end))
    if of:
        which = f"{end!r} ended the titles of {n:,} of {counted(len(ends), 'page')} of HTML"
        yield f"{which}: it was taken for the name of the site, and off {counted(len(of), 'title')}"


_SITE = 5
"""So many titles of pages, and more than half, that end in the same words end in the name of their site."""


def _hold_others(sequences: Mapping[str, np.ndarray]) -> Iterator[str]:
    """What to say of documents that hold the text of many others."""
    if held := holders(sequences):
        which = ", ".join(f"{doc_id} holds the text of {n:,} other documents" for doc_id, n in held.items())
        cure = "if it is a page for printing, take it out and read again"
        yield f"{which} and may answer in their place; {cure}"


def _look_alike(documents: list[SourceDocument]) -> Iterator[str]:
    same: dict[str, list[str]] = {}
    for document in documents:
        same.setdefault(normalize("NFC", document.doc_id), []).append(document.doc_id)
    for one in (alike for alike in same.values() if len(alike) > 1):
        said = "look the same and differ in how their accents are written (Unicode NFC or NFD)"
        yield f"{' and '.join(map(ascii, one))} {said}; rename one of the files"


def _check_most_are_read(path: Path, names: list[str], reading: Reading) -> None:
    """Raises ValueError, with the commonest reasons, where more is left out than documents are read; not for
    one file alone, whose reason is the answer."""
    asked = {name for name in names if Path(name).suffix.lower() not in _NO_DOCUMENTS}
    left_out = [one for one in reading.left_out if file_of(one) in asked]
    n, n_read = n_left_out(left_out), len(reading.documents)
    if n <= max(n_read, 1):
        return
    if not n_read:
        needed = f"needed files ending in {', '.join(ENDINGS)}"
        reasons = [f"{one.path}: {one.reason}" for one in left_out[:5]]
        extra = f"; {_extra(left_out)}" if _extra(left_out) else ""
        raise ValueError("\n".join([f"no document could be read from {path}; {needed}{extra}", *reasons]))
    records = sum(one.n for one in left_out if one.path not in asked or one.n > 1)
    kind = "records" if records == n else "files and records" if records else "files"
    what = f"{n:,} of {n + n_read:,} {kind} of {path} cannot be read, and most should be"
    cure = "give the folder that holds the documents, or take what there is: --allow-left-out"
    how = _extra(left_out) or f"{'mend' if records == n else 'convert'} them"
    places: dict[str, list[str]] = {}
    for one in left_out:
        if one.n == 1:
            places.setdefault(one.reason, []).append(one.path)
    often = sorted(places.items(), key=lambda pair: -len(pair[1]))[:5]
    lines = [f"{what}; {how}, {cure}"]
    lines += [f"{counted(len(where), 'time')}, as {where[0]}: {why}" for why, where in often]
    lines += [f"{one.path}: {one.reason}" for one in left_out if one.n > 1]
    raise ValueError("\n".join(lines))


def _extra(left_out: list[LeftOut]) -> str:
    """How the extra is installed, where that is why most files are left out; "" elsewhere."""
    without = [one for one in left_out if WITH_EXTRA in one.reason]
    return WITH_EXTRA if 2 * len(without) > len(left_out) else ""


def file_of(one: LeftOut) -> str:
    """The file in which something was left out.

    >>> file_of(LeftOut("a.jsonl, line 7", "empty"))
    'a.jsonl'
    """
    return re.sub(r", line \d+$", "", one.path)


def _without_duplicates(reading: Reading, duplicates: str, held: Mapping[str, str]) -> Reading:
    """The reading with its near duplicates named, and left out where that is asked for."""
    texts = {document.doc_id: f"{document.title} {document.text}" for document in reading.documents}
    sequences = word_sequences({doc_id: held[doc_id] for doc_id in held if doc_id not in texts} | texts)
    reading.notes.extend(_hold_others({doc_id: sequences[doc_id] for doc_id in texts if doc_id in sequences}))
    for group in near_in(sequences):
        if others := {doc_id: share for doc_id, share in group.others.items() if doc_id in texts}:
            reading.near_duplicates.append(replace(group, others=others))
    if duplicates == KEEP:
        return reading
    gone = {other: group.first for group in reading.near_duplicates for other in group.others}
    left_out = [LeftOut(name, f"nearly the same as {first}") for name, first in gone.items()]
    kept = [document for document in reading.documents if document.doc_id not in gone]
    return replace(reading, documents=kept, left_out=reading.left_out + left_out)


def _read(file: Path, name: str, reading: Reading, kept_from: dict[str, str], odd: Odd) -> None:
    """Adds what one file holds to the reading, to `kept_from`, by its id, where each document stood, and to
    `odd` what is said of many files at once."""
    records = faults = 0
    try:
        for where, document in documents_of(file, name, reading.notes, odd):
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
        more = faults - _NAMED
        reading.left_out.append(LeftOut(name, f"{more:,} more of its lines, for such reasons", more))


def _keep(document: SourceDocument, where: str, reading: Reading, kept_from: dict[str, str]) -> str | None:
    """Why a document is not kept, or None where it is."""
    if not f"{document.title}{document.text}".strip():
        return "empty"
    if first := kept_from.get(document.doc_id):
        return f"its id {document.doc_id!r} is that of {first} already; give it another"
    kept_from[document.doc_id] = where
    reading.documents.append(document)
    return None


_TABLES = (".csv", ".tsv", ".json", ".xlsx", ".xls", ".ods", ".parquet", ".sqlite", ".db")
"""Files that may hold many documents, one a row."""


def _why_not(file: Path) -> str | None:
    """Why a file is not even opened, or None."""
    ending = file.suffix.lower()
    first = file.name.partition(".")[0].lower()
    if not ending and first not in NAMES:
        return "files without an ending are not read, but for README and its like; rename it"
    if ending in _NO_DOCUMENTS:
        return f"files ending in {as_shown(ending)} are no documents"
    if ending in (".gz", ".zip", ".tar", ".tgz", ".bz2", ".xz", ".zst", ".7z"):
        return f"files ending in {as_shown(ending)} are packed; unpack it"
    if ending in (".ndjson", ".jsonlines", ".ldjson", ".jl"):
        return f"files ending in {as_shown(ending)} are not read by this name; rename it to .jsonl"
    if ending in _TABLES:
        cure = "save a table of documents as .jsonl, with _id, title and text on each line"
        return f"files ending in {as_shown(ending)} are not read; {cure}"
    if ending and ending not in ENDINGS and first != "readme":
        return f"files ending in {as_shown(ending)} are not read; save it as .txt, .md or .html"
    try:
        if file.is_file():
            return None
    except OSError:
        return None  # opening it will say what is wrong
    gone = file.is_symlink() and not file.exists()
    return "a link that leads nowhere" if gone else "no regular file"


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
            if path.name.startswith((".", "~$")):  # what Word leaves beside an open document
                hidden += 1
            elif reason := _why_not_here(path):
                reading.left_out.append(LeftOut(shown(path), reason))
            elif path.name in inside:
                folders.append(path.name)
            else:
                yield shown(path), path
    if hidden:
        what = counted(hidden, "hidden file or folder", "hidden files and folders")
        were = (
            "(its name begins with . or ~$) was" if hidden == 1 else "(their names begin with . or ~$) were"
        )
        reading.notes.append(f"{what} {were} not read")


_QUERIES = re.compile(r"^(?:\w+[._-])?queries(?:[._-]\w+)*\.jsonl$", re.I)
"""Names of queries, where a corpus.jsonl lies beside them."""


def _why_not_here(path: Path) -> str | None:
    """Why a file or folder is passed by for what it is or what lies beside it, or None."""
    if os.path.islink(path) and os.path.isdir(path):
        return "a link to a folder is not followed; give that folder itself"
    if _is_corpus(path):
        return "the folder of a corpus; give its corpus.jsonl if you want its documents"
    if _is_project(path):
        return "an evaluation project, which holds queries and reports; give the folder of your documents"
    if path.name == "node_modules" or os.path.isfile(path / "pyvenv.cfg"):
        return "packages that were installed here, no documents; give that folder itself if you want it"
    is_beside = _QUERIES.search(path.name) and os.path.isfile(path.parent / "corpus.jsonl")
    if path.name == "queries.jsonl" or is_beside:
        return "queries by its name, no documents; give this file itself if it holds documents"
    return None


def _is_project(folder: Path) -> bool:
    return _is_corpus(folder / "corpus") and os.path.isfile(folder / "queries.jsonl")


def _is_corpus(folder: Path) -> bool:
    return os.path.isfile(folder / "corpus.json") and os.path.isfile(folder / "corpus.jsonl")
