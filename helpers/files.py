"""Where things lie on this computer, and how a file is replaced without ever being half there.

Every folder that the package reads or writes without being told is named here and nowhere else.
"""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUNDLED_BEIR = ROOT / "evals" / "beir"
RUNBOOKS = ROOT / "evals" / "corpus"
QUERIES = ROOT / "evals" / "retrieval_queries.jsonl"
SECOND_LABELS = ROOT / "evals" / "second_labels.jsonl"
DISAGREEMENTS = ROOT / "evals" / "label_disagreements.md"
COVERAGE = ROOT / "evals" / "coverage.md"
BM25_TOP10 = ROOT / "evals" / "bm25_top10.jsonl"
STORED_RESULTS = ROOT / "evals" / "results"
BUILD = ROOT / "build"


def cache_dir() -> Path:
    """The folder for downloads: `MEASURE_FIRST_CACHE` where it is set, else `cache/` in the project."""
    return Path(os.environ.get("MEASURE_FIRST_CACHE") or ROOT / "cache").expanduser()


def results_dir() -> Path:
    """The folder that a lesson writes its results to: `MEASURE_FIRST_RESULTS`, else `build/results/`."""
    return Path(os.environ.get("MEASURE_FIRST_RESULTS") or BUILD / "results").expanduser()


def settle_folders() -> None:
    """Makes relative folders in the environment absolute, for kernels that run in the folders of their notebooks."""
    for name in ("BEIR_DATA_DIR", "TIKTOKEN_CACHE_DIR", "MEASURE_FIRST_CACHE", "MEASURE_FIRST_RESULTS"):
        if os.environ.get(name):
            os.environ[name] = str(Path(os.environ[name]).expanduser().resolve())


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
