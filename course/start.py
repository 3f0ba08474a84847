"""Lays the course down in a folder of the reader's: notebooks, collections, and the pages that they link to.

Its first lines need nothing but Python, for what builds a wheel reads from here what belongs into it.
"""

from collections.abc import Iterator
from pathlib import Path

MATERIAL = (
    "*.md",
    "LICENSE",
    "CITATION.cff",
    "notebooks/*.ipynb",
    "evals/**/*",
    "course/instructor/*",
    "course/real_work/solutions/**/*",
    "course/short_path.md",
    "workbench/recipes.md",
    "workbench/projects/template/gate.*",
    "helpers/retrieval/bm25.py",
)
"""What a course consists of, as patterns in the repository; the last lines are what pages link to."""
_NOT_OURS = ("__pycache__", ".ipynb_checkpoints", "my_queries.jsonl")


def material(root: Path) -> Iterator[Path]:
    """The files of the course in `root`, relative to it, in order."""
    found = {path.relative_to(root) for pattern in MATERIAL for path in root.glob(pattern) if path.is_file()}
    return (path for path in sorted(found) if not set(path.parts) & set(_NOT_OURS))


def lay_down(folder: str | Path) -> Path:
    """Puts a course into a new or empty folder, whole or not at all, and returns the folder.

    Afterwards the commands find it from inside, and keep downloads, results and answers there. Raises
    ValueError for a folder that holds something, or lies inside another course.
    """
    import shutil

    from helpers.base import check_free, files, placed, write_text

    folder = Path(folder).expanduser().resolve()
    check_free(folder)
    if (around := files.find_root(folder.parent)) not in (files.PACKAGES, files.SHIPPED):
        raise ValueError(f"{folder} lies inside the course {around}; give a folder outside of it")
    source = shipped()
    with placed(folder) as beside:
        for path in material(source):
            (beside / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / path, beside / path)
        write_text(beside / files.MARKER, "`measure-first` finds the course by this file.\n")
        check_free(folder)  # again: what came meanwhile is not replaced
    return folder


def shipped() -> Path:
    """The folder with the course as it was shipped: the wheel's, or the repository."""
    from helpers.base import files

    return files.SHIPPED if files.SHIPPED.is_dir() else files.PACKAGES
