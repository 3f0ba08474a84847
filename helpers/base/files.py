"""Where things lie: every folder that the packages read or write without being told is named here.

How a file is written whole or not at all is in `placing`.
"""

import os
import re
from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[2]
"""The folder that holds our packages: the repository's, or the one that pip installed them into."""
SHIPPED = PACKAGES / "measure_first"
"""What a wheel carries besides the packages: notebooks, evals and pages. Not there in the repository."""
MARKER = ".measure-first"
"""The file in a folder that `measure-first start` made, by which it is found again."""


def find_root(folder: Path) -> Path:
    """The course that `folder` lies in, where `measure-first start` made one; else the repository.

    Where the packages came in a wheel there is no repository, and what the wheel carries stands in for it.
    """
    made = [one for one in (folder, *folder.parents) if (one / MARKER).is_file()]
    return made[0] if made else SHIPPED if SHIPPED.is_dir() else PACKAGES


def _here() -> Path:
    try:
        return Path.cwd()
    except OSError:  # somebody has removed the folder that this was started in
        return PACKAGES


ROOT = find_root(_here())
BUNDLED_BEIR = ROOT / "evals" / "beir"
BUNDLED_MODELS = ROOT / "evals" / "models"
RUNBOOKS = ROOT / "evals" / "corpus"
QUERIES = ROOT / "evals" / "retrieval_queries.jsonl"
MORE_QUERIES = ROOT / "evals" / "more_queries.jsonl"
NEEDS = ROOT / "evals" / "query_needs.jsonl"
NUGGETS = ROOT / "evals" / "nuggets.jsonl"
REWORDINGS = ROOT / "evals" / "rewordings.jsonl"
JUDGE_VERDICTS = ROOT / "evals" / "judge_verdicts.jsonl"
MODEL_QUERIES = ROOT / "evals" / "model_queries.jsonl"
MISS_NOTES = ROOT / "evals" / "miss_notes.jsonl"
SECOND_LABELS = ROOT / "evals" / "second_labels.jsonl"
THIRD_LABELS = ROOT / "evals" / "third_labels.jsonl"
DISAGREEMENTS = ROOT / "evals" / "label_disagreements.md"
RUNS = ROOT / "evals" / "runs"
VECTORS = ROOT / "evals" / "vectors"
COVERAGE = ROOT / "evals" / "coverage.md"
BM25_TOP10 = ROOT / "evals" / "bm25_top10.jsonl"
STORED_RESULTS = ROOT / "evals" / "results"
BUILD = (_here() if ROOT == SHIPPED else ROOT) / "build"


def course_folder() -> Path:
    """The folder of a reader's course, `ROOT`. Raises ValueError where there is only what a wheel carries."""
    if ROOT == SHIPPED:
        cure = "`measure-first start my-course` lays it down; then go there (cd my-course)"
        raise ValueError(f"there is no course in {_here()}, nor in a folder above it; {cure}")
    return ROOT


def cache_dir() -> Path:
    """The folder for downloads: `MEASURE_FIRST_CACHE` where it is set, else `cache/` in the course.

    Outside of a course, where pip installed the packages, it is `measure-first` among the user's caches.
    """
    if named := os.environ.get("MEASURE_FIRST_CACHE"):
        return Path(named).expanduser()
    if ROOT != SHIPPED:
        return ROOT / "cache"
    import pooch  # here: nobody in a course waits for it

    return Path(pooch.os_cache("measure-first"))


def cache_path(model: str, dataset: str) -> Path:
    """The folder for a dataset that a model encoded: `{model}/{dataset}` in `cache_dir()`.

    Different names never share a folder, not even where upper and lower case are one: a capital becomes `+`
    and its small letter, any other byte outside `a-z0-9._-` becomes `%` and its code, and so does a dot at
    either end. Raises ValueError for a name that is empty, too long, holds `..` or is that of a folder for
    downloads.

    >>> cache_path("naver/splade-v3", "SciFact").relative_to(cache_dir()).as_posix()
    'naver%2fsplade-v3/+sci+fact'
    """
    if model in ("beir", "hub", "models", "tiktoken"):
        why = "the folder of that name holds downloads"
        raise ValueError(f"model is {model!r}, and {why}; give the model another name")
    return cache_dir() / _safe("model", model) / _safe("dataset", dataset)


def results_dir() -> Path:
    """The folder that a lesson writes its results to: `MEASURE_FIRST_RESULTS`, else `build/results/`."""
    return Path(os.environ.get("MEASURE_FIRST_RESULTS") or BUILD / "results").expanduser()


def settle_folders() -> None:
    """Makes relative folders in the environment absolute, for kernels that run elsewhere."""
    for name in ("BEIR_DATA_DIR", "TIKTOKEN_CACHE_DIR", "MEASURE_FIRST_CACHE", "MEASURE_FIRST_RESULTS"):
        if os.environ.get(name):
            os.environ[name] = str(Path(os.environ[name]).expanduser().resolve())


def _safe(what: str, name: str) -> str:
    """A name as that of one folder, from which it could be read back."""
    if not isinstance(name, str) or not name.strip() or ".." in re.split(r"[/\\]", name):
        raise ValueError(f"{what} is {name!r}; needed a name that is not empty and holds no '..'")

    def escaped(byte: re.Match) -> bytes:
        return b"+" + byte[0].lower() if byte[0].isupper() else b"%%%02x" % ord(byte[0])

    safe = re.sub(rb"[^a-z0-9._-]|\A\.|\.\Z", escaped, name.encode("utf-8", "surrogatepass")).decode()
    if len(safe) > 255:
        found = f"{len(safe)} characters as a folder's name, at most 255 are possible"
        raise ValueError(f"{what} {name!r:.80} is too long: {found}")
    return safe
