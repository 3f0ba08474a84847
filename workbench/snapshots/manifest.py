"""The manifest of a snapshot: what determines it, the id that follows, when and by what it was built."""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, FiniteFloat, ValidationError

from helpers.base import Strict, refuse, write_text
from workbench.dataset_files import check_version, in_words, read_json, short

MANIFEST = "manifest.json"
_SCHEMA_VERSION = 1
CURE = "build the snapshot again, which replaces a damaged one, or delete its folder"
_NOT_DETERMINING = ("snapshot_id", "index_fingerprint", "versions", "created")
_PACKAGES = ("measure-first", "numpy", "scipy", "rank-bm25", "PyStemmer", "regex", "tiktoken")


def _a_moment(value: str) -> str:
    """Text of one form only, so that the order of such texts is the order of the moments."""
    with suppress(ValueError, OverflowError):
        if datetime.fromisoformat(value).astimezone(timezone.utc).isoformat(timespec="microseconds") == value:
            return value
    raise ValueError(f"needed a time in UTC such as 2026-11-21T14:30:00.000000+00:00, found {short(value)}")


Fingerprint = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Moment = Annotated[str, AfterValidator(_a_moment)]


class CorpusFacts(Strict):
    """Which corpus, and how many documents it had.

    >>> CorpusFacts(name="pets", fingerprint="sha256:" + 64 * "0", documents=2).documents
    2
    """

    name: str
    fingerprint: Fingerprint
    documents: int = Field(ge=1)


class Manifest(Strict):
    """What determines a snapshot, and what is good to know of it.

    `chunker` holds name, chunk_size, overlap and encoding; the fingerprints are the SHA-256 of the files of
    items and index, None for an index in memory; `versions` are those of the programs that built it.
    `created` is in UTC, to the microsecond, and later than that of every earlier snapshot of the corpus.
    """

    schema_version: Literal[1] = 1
    snapshot_id: str = Field(pattern=r"^[0-9a-f]{16}$")
    corpus: CorpusFacts
    chunker: dict[str, str | int | None]
    analyzer: str | None
    backend: str
    parameters: dict[str, str | bool | FiniteFloat]
    items: int = Field(ge=1)
    items_fingerprint: Fingerprint
    index_fingerprint: Fingerprint | None
    versions: dict[str, str]
    created: Moment

    def write(self, folder: str | Path) -> None:
        """Writes it into the folder of its snapshot."""
        write_text(Path(folder) / MANIFEST, self.model_dump_json(indent=2) + "\n")


def id_of(facts: Mapping) -> str:
    """The id that follows from a manifest's fields: 16 hexadecimal digits of the SHA-256 of canonical JSON.

    Left out is what determines nothing: when and by what it was built, and what the corpus is called.

    >>> other_name = {"corpus": {"name": "animals"}, "items": 2, "created": "now"}
    >>> id_of({"items": 2, "corpus": {"name": "pets"}}) == id_of(other_name)
    True
    """
    determining = {name: value for name, value in facts.items() if name not in _NOT_DETERMINING}
    determining["schema_version"] = _SCHEMA_VERSION
    determining["corpus"] = {name: value for name, value in facts["corpus"].items() if name != "name"}
    canonical = json.dumps(determining, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def new_manifest(facts: Mapping, index_fingerprint: str | None, others: Iterable[Manifest]) -> Manifest:
    """A manifest with these facts, created now, but always a microsecond after the last of the others.

    So two that are built in one instant, or after a clock was set back, keep their order.

    >>> no_hash = "sha256:" + 64 * "0"
    >>> facts = {"corpus": {"name": "pets", "fingerprint": no_hash, "documents": 2}, "items": 2}
    >>> facts |= {"analyzer": None, "backend": "substring-scan", "parameters": {}}
    >>> facts |= {"chunker": {"name": "none"}, "items_fingerprint": no_hash}
    >>> first = new_manifest(facts, index_fingerprint=None, others=[])
    >>> new_manifest(facts, None, others=[first]).created > first.created
    True
    """
    moments = [datetime.fromisoformat(other.created) + timedelta(microseconds=1) for other in others]
    created = max([datetime.now(timezone.utc), *moments]).isoformat(timespec="microseconds")
    written_by = {"index_fingerprint": index_fingerprint, "versions": versions_here(), "created": created}
    return Manifest(**facts, snapshot_id=id_of(facts), **written_by)


def read_manifest(folder: Path) -> Manifest:
    """The manifest in a folder, which has the snapshot's id as its name.

    Raises FileNotFoundError where it is missing, and ValueError with all problems for one that is damaged, of
    another schema_version, or edited: its contents then have another id.
    """
    path = folder / MANIFEST
    try:
        record, problems = read_json(path, "the manifest of a snapshot")
        found = record.get("schema_version") if isinstance(record, dict) else _SCHEMA_VERSION
        check_version(found, _SCHEMA_VERSION, path)
    except (ValueError, FileNotFoundError) as error:
        raise type(error)(f"{error}; {CURE}") from None
    if type(found) is not int or found != _SCHEMA_VERSION:
        reads = f"this version of the course reads {_SCHEMA_VERSION}"
        problems = [f"schema_version: {reads}, found {short(found)}"]
    refuse(problems, f"{path}; {CURE}")
    try:
        manifest = Manifest.model_validate(record)
    except ValidationError as error:
        refuse(in_words(error), f"{path}; {CURE}")
        raise
    follows = id_of(manifest.model_dump())
    if {manifest.snapshot_id, folder.name} != {follows}:
        what = "was edited or is in the wrong folder: what it says has the id"
        raise ValueError(f"{path} {what} {follows}; {CURE}")
    return manifest


def file_fingerprint(path: Path) -> str | None:
    """`sha256:` and the digest of a file; None where there is none.

    >>> file_fingerprint(Path("no/such/file")) is None
    True
    """
    if not path.is_file():
        return None
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return f"sha256:{digest.hexdigest()}"


def versions_here() -> dict[str, str]:
    """The versions of Python, SQLite and the packages on which an index depends, as far as they are here.

    >>> versions_here()["python"] == platform.python_version()
    True
    """
    versions = {"python": platform.python_version()}
    with suppress(ImportError):  # a Python compiled without it can build every other backend
        from sqlite3 import sqlite_version

        versions["sqlite"] = sqlite_version
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):  # the course can be used without being installed
            versions[package] = version(package)
    return versions


def changed_versions(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """What is not the same in the `versions` of two manifests, in words; empty where nothing is.

    >>> changed_versions({"numpy": "1.26.4", "regex": "2025.1"}, {"numpy": "2.2.0", "regex": "2025.1"})
    'numpy 1.26.4, now 2.2.0'
    """
    names = sorted(before.keys() | after.keys())
    changed = [name for name in names if before.get(name) != after.get(name)]
    return "; ".join(f"{name} {before.get(name, 'none')}, now {after.get(name, 'none')}" for name in changed)
