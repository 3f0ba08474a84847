"""Writing whole or not at all: what is written lies beside its path, and is renamed to it at the end."""

import errno
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Lock

from helpers.base.checks import check_path


@contextmanager
def replaced(path: str | Path) -> Iterator[Path]:
    """A path beside `path` to write to. It is renamed to `path` if the block ends well, else removed.

    A link stays one, and the file that it leads to is replaced; a file that was there already keeps who may
    read and write it.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "notes.txt"
    >>> with replaced(path) as beside:
    ...     _ = beside.write_text("complete")
    >>> path.read_text()
    'complete'
    """
    path = check_path(path, "the name of a file to write")
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the name of a file in it")
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is a pipe or a device, which would be replaced; give the name of a file")
    if around := next((folder for folder in path.parents if folder.is_file()), None):
        raise FileExistsError(errno.EEXIST, "a file stands where a folder is needed", str(around))
    target = Path(os.path.realpath(path)) if path.is_symlink() and path.exists() else path
    beside = _beside(target)
    try:
        with _named(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            yield beside
            _keep_rights(target, beside)
            os.replace(beside, target)
    finally:
        with suppress(OSError):  # a file may stand where its folder should
            beside.unlink(missing_ok=True)


def _keep_rights(old: Path, new: Path) -> None:
    """Gives a new file the group and the mode of the one that it replaces, where there is one."""
    if not old.is_file() or not new.is_file():
        return
    with suppress(OSError, AttributeError):  # a group of which one is no member; Windows has none
        os.chown(new, -1, old.stat().st_gid)
    with suppress(OSError):
        shutil.copymode(old, new)


def write_text(path: str | Path, text: str) -> Path:
    """Writes a text whole or not at all, in UTF-8, with line feeds on every system; returns its path."""
    with replaced(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
    return Path(path)


def as_given(given: Path, whole: Path) -> Path:
    """A path as it was given, to be shown and used; the whole one where the working folder has changed since.

    >>> as_given(Path("a"), Path("a").absolute()).as_posix(), as_given(Path("a"), Path("/b/a")).as_posix()
    ('a', '/b/a')
    """
    try:
        return given if given.absolute() == whole else whole
    except OSError:  # the working folder is gone
        return whole


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """This block, for one folder, runs in one thread and one process at a time; others wait until it ends.

    Who reads a file of the folder in it, and writes it again, loses nothing that another wrote meanwhile. On
    Windows, and on a disk that knows no locks, only the threads of one process wait for each other.
    """
    with _threads, ExitStack() as held:
        with suppress(ImportError, OSError):
            import fcntl

            handle = os.open(folder, os.O_RDONLY)
            held.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


_threads = Lock()


def check_free(folder: Path) -> None:
    """Raises ValueError unless a folder is new or empty."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; give a folder that is new or empty")
    if folder.is_dir() and any(folder.iterdir()):
        raise ValueError(f"{folder} holds other files already; give a folder that is new or empty")


@contextmanager
def workshop(path: Path) -> Iterator[Path]:
    """A new folder beside `path`, for what is needed on the way to it. It is removed at the end.

    What blocks leave that were killed is removed by a later one, once it is older than a day.
    """
    _sweep(path.parent)
    folder = _beside(path)
    try:
        folder.mkdir(parents=True)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def placed(folder: Path, replace: bool = True) -> Iterator[Path]:
    """A folder to write to. It is renamed to `folder` if the block ends well, else removed.

    Its files are flushed to the disk before, so that a power cut leaves no folder of empty ones. A folder
    that exists already is replaced (and is gone for a moment), or stays with `replace=False`, as does one
    that another process puts there during the block; then the new one is dropped. An empty one is filled and
    stays the same, for somebody may be working in it.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "index"
    >>> with placed(folder) as beside:
    ...     _ = (beside / "terms.txt").write_text("complete")
    >>> [path.name for path in folder.parent.rglob("*")]
    ['index', 'terms.txt']
    """
    replace = replace and folder.exists()
    with _named(folder), workshop(folder) as work:
        new = work / "new" / folder.name
        new.mkdir(parents=True)
        yield new
        _flush(new)
        if replace and _is_empty(folder):
            _fill(folder, new)
            return
        if replace:
            with suppress(FileNotFoundError):  # another process is replacing it in this very moment
                os.rename(folder, work / "old")
        try:
            os.rename(new, folder)
        except OSError:
            if not folder.is_dir():  # else another process was first
                raise
        _flush_names(folder.parent)


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not any(folder.iterdir())


def _fill(folder: Path, new: Path) -> None:
    """Moves all that is in a new folder to an empty one, or nothing where one of them cannot be moved."""
    moved: list[Path] = []
    try:
        for path in sorted(new.iterdir()):
            os.rename(path, folder / path.name)
            moved.append(path)
    except OSError:
        for path in moved:
            os.rename(folder / path.name, path)
        raise
    _flush_names(folder)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Puts the path that the reader knows into what the system says of a full disk, which names none, or of a
    file beside it that has a name of ours."""
    try:
        yield
    except OSError as error:
        ours = error.filename is None or str(error.filename).endswith(".partial")
        if error.errno is not None and (ours or ".partial" in str(error.filename)):
            error.filename, error.filename2 = str(path), None
            if not error.strerror.startswith(_CANNOT):  # a folder around the file has said so too
                error.strerror = f"{_CANNOT} ({error.strerror})"
        raise


_CANNOT = "cannot be written"


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")


def _sweep(home: Path) -> None:
    for left in home.glob(f".*.{32 * '[0-9a-f]'}.partial"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - 24 * 3600:  # no block takes as long
                shutil.rmtree(left) if left.is_dir() else left.unlink()


def _flush(folder: Path) -> None:
    for path in filter(Path.is_file, folder.rglob("*")):
        with open(path, "r+b") as file:
            os.fsync(file.fileno())
    for path in filter(Path.is_dir, (*folder.rglob("*"), folder)):
        _flush_names(path)


def _flush_names(folder: Path) -> None:
    """Flushes the names in a folder, where the system can do that; Windows cannot."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
