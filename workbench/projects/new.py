"""Makes an evaluation project of a folder of documents: corpus, notebooks, drafted queries, write-up and gate.

The texts of what is made are in `template/`. How files become documents is in `snapshots.reading`, what is done in a project
afterwards in `labelling`.
"""

import os
import shutil
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from workbench.corpus import CorpusFolder, Ingested
from workbench.dataset_files import write_dataset
from workbench.labelling import JUDGMENTS, QUERIES
from workbench.projects.drafts import draft_queries

TEMPLATE = Path(__file__).parent / "template"
PLACES = {
    "README.md": "README.md",
    "1_label.ipynb": "1_label.ipynb",
    "2_evaluate.ipynb": "2_evaluate.ipynb",
    "write_up.md": "write_up.md",
    "gate.sh": "gate.sh",
    "gate.yml": ".github/workflows/gate.yml",
    "gitignore": ".gitignore",
}
"""Each file of the template, and where it stands in a project. Names with a dot in front would be lost when packages are made."""


@dataclass(frozen=True)
class NewProject:
    """What was made: where, how many documents were read, what was left out `[(path, reason)]`, how many queries were drafted."""

    folder: Path
    documents: int
    left_out: list[tuple[str, str]]
    notes: list[str]
    drafted: int

    def __str__(self) -> str:
        left_out = f"; {len(self.left_out):,} left out, left_out.md says why" if self.left_out else ""
        often = [
            (reason, n)
            for reason, n in Counter(reason for _, reason in self.left_out).most_common(3)
            if n > 1
        ]
        left_out += "".join(f"\n  {n:,} times: {reason}" for reason, n in often)
        return (
            f"made {self.folder}: {self.documents:,} {'document' if self.documents == 1 else 'documents'}{left_out}\n"
            f"drafted {self.drafted} synthetic {'query' if self.drafted == 1 else 'queries'}\n"
            f"next: read README.md there, then open 1_label.ipynb"
        )


def new_project(folder: str | Path, docs: str | Path) -> NewProject:
    """Makes a project in `folder` from the documents of `docs`, a folder or a file; `folder` must be new or empty.

    It is built beside and renamed when it is whole, so a failure leaves nothing. Its files name each other by relative paths, and
    it can be moved. Raises ValueError for a folder that holds something or lies inside `docs` (it would be read as documents the
    next time), and where no document could be read, with the first reasons; FileNotFoundError where `docs` is not there.

    >>> import tempfile
    >>> docs = Path(tempfile.mkdtemp())
    >>> _ = (docs / "doors.md").write_text("# Doors\\nUse the key.")
    >>> made = new_project(Path(tempfile.mkdtemp()) / "my-eval", docs)
    >>> made.documents, made.drafted, sorted(path.name for path in made.folder.glob("*.ipynb"))
    (1, 1, ['1_label.ipynb', '2_evaluate.ipynb'])
    """
    folder, docs = Path(folder), Path(docs)
    _check(folder, docs)
    with _built_beside(folder) as beside:
        corpus = CorpusFolder.init(beside / "corpus", name=folder.resolve().name)
        ingested = corpus.ingest(docs)
        left_out = [(entry.path, entry.reason) for entry in ingested.left_out]
        if not corpus.documents:
            raise ValueError(
                "\n".join(
                    [
                        f"no document could be read from {docs}",
                        *(f"{path}: {why}" for path, why in left_out[:5]),
                    ]
                )
            )
        drafted = _draft(corpus, beside / "datasets" / "synthetic.json")
        for name in (QUERIES, JUDGMENTS):
            _write(beside / name, "")
        _write(beside / "left_out.md", _left_out(ingested))
        facts = {
            "PROJECT": corpus.name,
            "DOCUMENTS": f"{len(corpus.documents):,}",
            "LEFT_OUT": f"{len(left_out):,}",
        }
        _fill_template(beside, facts | {"DRAFTED": str(drafted)})
    return NewProject(folder, len(corpus.documents), left_out, list(ingested.notes), drafted)


def _check(folder: Path, docs: Path) -> None:
    if not docs.exists():
        raise FileNotFoundError(
            f"{docs} is not there; needed the folder, or the file, that holds your documents"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder} is there and is not empty; give the name of a new folder")
    if docs.resolve() in (folder.resolve(), *folder.resolve().parents):
        raise ValueError(
            f"{folder} lies inside {docs}, so the project would be read as documents the next time; make it elsewhere"
        )


@contextmanager
def _built_beside(folder: Path) -> Iterator[Path]:
    """A folder beside `folder` to build in. It takes its place when the block ends well, and is removed when it does not."""
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = folder.with_name(f".{folder.name}.{uuid.uuid4().hex}.partial")
    try:
        beside.mkdir()
        yield beside
        if folder.exists():
            folder.rmdir()  # empty; Windows renames over no folder
        os.replace(beside, folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _draft(corpus: CorpusFolder, path: Path) -> int:
    """Drafts queries into a dataset file; gives their number, 0 where the documents give none."""
    try:
        dataset = draft_queries(corpus.documents)
    except ValueError:  # no title, no heading, no word of its own: the project is of use without drafts
        return 0
    write_dataset(path, dataset)
    return len(dataset.queries)


def _fill_template(folder: Path, facts: Mapping[str, str]) -> None:
    for name, place in PLACES.items():
        text = (TEMPLATE / name).read_text(encoding="utf-8")
        if name.endswith(".md"):
            for key, value in facts.items():
                text = text.replace(f"@{key}@", value)
        _write(folder / place, text)
    (folder / "gate.sh").chmod(0o755)


def _left_out(ingested: Ingested) -> str:
    """The text of `left_out.md`: first the reasons that hold for one file only, then the others, the rarest first.

    In the order of the names a thousand pictures would hide the one text that is broken.
    """
    n = len(ingested.left_out)
    names: dict[str, list[str]] = {}
    for entry in ingested.left_out:
        names.setdefault(entry.reason, []).append(f"`{entry.path}`")
    groups = sorted(
        ((reason, paths) for reason, paths in names.items() if len(paths) > 1),
        key=lambda group: len(group[1]),
    )
    parts = [
        "# What was left out",
        f"{len(ingested.added):,} documents were read into `corpus/`. "
        + (
            f"{n:,} of what was found {'was' if n == 1 else 'were'} left out:"
            if n
            else "Nothing was left out."
        ),
        "\n".join(f"- {paths[0]}: {reason}" for reason, paths in names.items() if len(paths) == 1),
        *(f"## {len(paths):,} times: {reason}\n\n{', '.join(paths)}" for reason, paths in groups),
    ]
    if ingested.notes:
        parts += ["## Read, but look at these", "\n".join(f"- {note}" for note in ingested.notes)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
