"""Writing whole or not at all: a file or a folder is made beside its place and takes it when it is complete."""

import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replaced(path: str | Path) -> Iterator[Path]:
    """A path beside `path` to write to. It takes its place when the block ends well, and is removed when it does not.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "notes.txt"
    >>> with replaced(path) as beside:
    ...     _ = beside.write_text("complete")
    >>> path.read_text()
    'complete'
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")
    try:
        yield beside
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> Path:
    """Writes a text (UTF-8, lines end in a line feed on every system), whole or not at all, and returns its path."""
    with replaced(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
    return Path(path)


@contextmanager
def placed(folder: Path) -> Iterator[Path]:
    """A folder beside `folder` to write to. It takes its place when the block ends well, and is removed when it does not.

    A folder that is there already is replaced; one that another process puts there during the block stays, and the new one
    is dropped. What blocks leave that were killed is removed by a later one, once it is older than a day.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "index"
    >>> with placed(folder) as beside:
    ...     _ = (beside / "terms.txt").write_text("complete")
    >>> [path.name for path in folder.parent.rglob("*")]
    ['index', 'terms.txt']
    """
    replaces = folder.exists()
    beside, old = (folder.with_name(f".{folder.name}.{uuid.uuid4().hex}.partial") for _ in range(2))
    _sweep(folder.parent)
    try:
        beside.mkdir(parents=True)
        yield beside
        if replaces:
            with suppress(FileNotFoundError):  # another process is replacing it in this very moment
                os.rename(folder, old)
        try:
            os.rename(beside, folder)
        except OSError:
            if not folder.is_dir():  # else another process was first
                raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _sweep(home: Path) -> None:
    for left in home.glob(".*.partial"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - 24 * 3600:  # no block takes as long
                shutil.rmtree(left, ignore_errors=True)
