"""A folder whose files are replaced all at once: complete or not there at all, even when a save is killed.

Its manifest, a small file, says what is in it and names the generation, a folder inside, that counts. Renaming a new
manifest into place is the whole of a commit. What the files mean is not known here; `corpus_cache` knows it.
"""

import json
import os
import shutil
import time
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from helpers.base import cache_dir, replaced

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

MANIFEST = "encoded_corpus.json"
FORMAT = 1


class StaleCache(ValueError):
    """A cache that is damaged, or that something else made than what is wanted; `reason` says what, and in which file."""

    def __init__(self, path: str | Path, reason: str):
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        return f"cache {shown(self.path)}: {self.reason}; encode the corpus again and save it there, or delete the folder"


def commit(folder: Path, about: dict, contents: dict[str, np.ndarray | bytes]) -> None:
    """Writes the files into a new generation, then the manifest, which holds `about` and names that generation."""
    folder.mkdir(parents=True, exist_ok=True)
    with _swept(folder):
        generation = folder / f"generation-{uuid.uuid4().hex}"
        try:
            generation.mkdir()
            files = {name: _write(generation / name, content) for name, content in contents.items()}
            _sync(generation)
            _sync(folder)
            manifest = {"format": FORMAT, "generation": generation.name, **about, "files": files}
            with replaced(folder / MANIFEST) as beside:
                _write(beside, json.dumps({**manifest, "crc32": _checksum(manifest)}, indent=1).encode())
            _sync(folder)
        except BaseException:
            if _current(folder) != generation.name:  # the error may have come after the rename
                shutil.rmtree(generation, ignore_errors=True)
            raise


def read_manifest(folder: Path) -> dict:
    """What `commit` wrote of the generation that counts. Raises FileNotFoundError where there is none yet, StaleCache where
    the manifest cannot be read, is of another format or was changed.
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        checksum = manifest.pop("crc32")
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(
            f"{folder} holds no encoded corpus ({MANIFEST}); save one there first"
        ) from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise StaleCache(folder, f"{MANIFEST} cannot be read ({type(error).__name__})") from error
    if manifest.get("format") != FORMAT:
        raise StaleCache(
            folder, f"{MANIFEST} is of format {manifest.get('format')!r}, this version reads {FORMAT}"
        )
    if checksum != _checksum(manifest):
        raise StaleCache(folder, f"{MANIFEST} is damaged or was edited: its checksum does not fit")
    return manifest


def undamaged(folder: Path, manifest: dict) -> Path:
    """The folder of the generation that the manifest names, once every file in it has the size and checksum it had."""
    generation = folder / manifest["generation"]
    for name, written in manifest["files"].items():
        if (found := _size_and_checksum(generation / name)) != written:
            raise StaleCache(folder, f"{name} is damaged: it has {found}, written were {written}")
    return generation


def _current(folder: Path) -> str | None:
    """The name of the generation that counts, "" where there is none yet, None where the manifest does not say."""
    try:
        return read_manifest(folder)["generation"]
    except FileNotFoundError:
        return ""
    except StaleCache:
        return None


@contextmanager
def _swept(folder: Path) -> Iterator[None]:
    """Removes leftovers before and after a save, which holds a shared lock on the folder meanwhile.

    The system drops the lock of a process that is killed. A process that reads takes none: on POSIX its maps outlive the
    files, and where it comes too late to open them it reads the manifest again.
    """
    lock = None if fcntl is None else os.open(folder, os.O_RDONLY)
    try:
        _sweep(folder, lock)  # what killed saves left is room on the disk that this one may need
        yield
        _sweep(folder, lock)
    finally:
        if lock is not None:
            with suppress(OSError):
                fcntl.flock(
                    lock, fcntl.LOCK_UN
                )  # closing alone would not do where a child process has inherited it
            os.close(lock)


def _sweep(folder: Path, lock: int | None) -> None:
    """Removes what the manifest does not name: all of it if no other process is saving, else what is older than a day.

    Older than a day also where nobody can tell: on Windows and on network disks without locks. On Windows a file that is
    mapped stays as well, until a later save.
    """
    before = time.time() - 24 * 3600
    if lock is not None:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            before = float("inf")
    current = _current(folder)
    ours = "generation-" + 32 * "[0-9a-f]", f".{MANIFEST}.{32 * '[0-9a-f]'}.partial"
    for found in (path for pattern in ours for path in folder.glob(pattern)):
        with suppress(OSError):
            if current not in (None, found.name) and found.stat().st_mtime < before:
                shutil.rmtree(found, ignore_errors=True)
                found.unlink(missing_ok=True)  # for a file, which rmtree leaves
    if lock is not None:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_SH)


def _write(path: Path, content: np.ndarray | bytes) -> dict[str, int]:
    with open(path, "wb") as file:
        if isinstance(content, np.ndarray):
            np.save(file, content, allow_pickle=False)
        else:
            file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return _size_and_checksum(path)


def _sync(folder: Path) -> None:
    """Makes the names in a folder last through a power cut, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _size_and_checksum(path: Path) -> dict[str, int]:
    size = checksum = 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            size, checksum = size + len(block), zlib.crc32(block, checksum)
    return {"bytes": size, "crc32": checksum}


def _checksum(manifest: dict) -> int:
    return zlib.crc32(json.dumps(manifest).encode())


def shown(path: str | Path) -> str:
    """The path inside the cache folder, else as given: what is printed should read the same on every computer."""
    try:
        return Path(path).relative_to(cache_dir()).as_posix()
    except ValueError:
        return str(path)
