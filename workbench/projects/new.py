"""Makes an evaluation project of documents: corpus, notebooks, drafted queries, write-up and gate."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from helpers.base import check_free, counted, placed, write_text
from workbench.corpus import CorpusFolder, Ingested
from workbench.dataset_files import write_dataset
from workbench.labelling import JUDGMENTS_FILE, QUERIES_FILE
from workbench.projects.drafts import draft_queries

TEMPLATE = Path(__file__).parent / "template"
PATHS = {name: name for name in ("README.md", "1_label.ipynb", "2_evaluate.ipynb", "write_up.md", "gate.sh")}
PATHS |= {"gate.yml": ".github/workflows/gate.yml", "gitignore": ".gitignore"}
"""The path in a project of each file of the template, where none begins with a dot: packages lose those."""


@dataclass(frozen=True)
class NewProject:
    """What was made: documents read, files left out `[(path, reason)]`, remarks, queries drafted."""

    folder: Path
    documents: int
    left_out: list[tuple[str, str]]
    notes: list[str]
    drafted: int

    def __str__(self) -> str:
        made = f"made {self.folder}: {counted(self.documents, 'document')}"
        if self.left_out:
            made += f"; {len(self.left_out):,} left out, left_out.md says why"
        often = Counter(reason for _, reason in self.left_out).most_common(3)
        lines = [made, *(f"  {n:,} times: {reason}" for reason, n in often if n > 1)]
        lines.append(f"drafted {counted(self.drafted, 'synthetic query')}")
        return "\n".join([*lines, "next: read README.md there, then open 1_label.ipynb"])


def new_project(folder: str | Path, docs: str | Path) -> NewProject:
    """Makes a project of the documents of `docs`, a folder or a file, in `folder`, a new or an empty one.

    It is there whole or not at all, and can be moved: its files name each other by relative paths. Raises
    ValueError for a folder that holds something or lies inside `docs` (it would be read as documents the next
    time), and where no document could be read; FileNotFoundError where `docs` is not there.

    >>> import tempfile
    >>> docs = Path(tempfile.mkdtemp())
    >>> _ = (docs / "doors.md").write_text("# Doors\\nUse the key.")
    >>> made = new_project(Path(tempfile.mkdtemp()) / "my-eval", docs)
    >>> made.documents, made.drafted, sorted(path.name for path in made.folder.glob("*.ipynb"))
    (1, 1, ['1_label.ipynb', '2_evaluate.ipynb'])
    """
    folder, docs = Path(folder), Path(docs)
    _check(folder, docs)
    with placed(folder.resolve()) as beside:
        corpus = CorpusFolder.init(beside / "corpus", name=folder.resolve().name)
        ingested = corpus.ingest(docs)
        left_out = [(entry.path, entry.reason) for entry in ingested.left_out]
        if not corpus.documents:
            reasons = [f"{path}: {reason}" for path, reason in left_out[:5]]
            raise ValueError("\n".join([f"no document could be read from {docs}", *reasons]))
        drafted = _draft(corpus, beside / "datasets" / "synthetic.json")
        for name in (QUERIES_FILE, JUDGMENTS_FILE):
            write_text(beside / name, "")
        write_text(beside / "left_out.md", _left_out(ingested))
        sizes = {"DOCUMENTS": f"{len(corpus.documents):,}", "LEFT_OUT": f"{len(left_out):,}"}
        _fill_template(beside, {"PROJECT": corpus.name, "DRAFTED": str(drafted)} | sizes)
        check_free(folder)  # again: reading may have taken minutes, and what came meanwhile is not replaced
    return NewProject(folder, len(corpus.documents), left_out, list(ingested.notes), drafted)


def _check(folder: Path, docs: Path) -> None:
    if not docs.exists():
        needed = "needed the folder, or the file, that holds your documents"
        raise FileNotFoundError(f"{docs} is not there; {needed}")
    check_free(folder)
    if docs.resolve() in (folder.resolve(), *folder.resolve().parents):
        why = "so the project would be read as documents the next time"
        raise ValueError(f"{folder} lies inside {docs}, {why}; make it elsewhere")


def _draft(corpus: CorpusFolder, path: Path) -> int:
    """Drafts queries into a dataset file; gives their number, 0 where the documents give none."""
    try:
        dataset = draft_queries(corpus.documents)
    except ValueError:  # no title, no heading, no word of its own: the project is of use without drafts
        return 0
    write_dataset(path, dataset)
    return len(dataset.queries)


def _fill_template(folder: Path, facts: Mapping[str, str]) -> None:
    for name, path in PATHS.items():
        text = (TEMPLATE / name).read_text(encoding="utf-8")
        if name.endswith(".md"):
            for key, value in facts.items():
                text = text.replace(f"@{key}@", value)
        write_text(folder / path, text)
    (folder / "gate.sh").chmod(0o755)


def _left_out(ingested: Ingested) -> str:
    """The text of `left_out.md`: first the reasons of one file only, then the others, the rarest first.

    In the order of the names a thousand pictures would hide the one text that is broken.
    """
    n = len(ingested.left_out)
    names: dict[str, list[str]] = {}
    for entry in ingested.left_out:
        names.setdefault(entry.reason, []).append(f"`{entry.path}`")
    single = [f"- {paths[0]}: {reason}" for reason, paths in names.items() if len(paths) == 1]
    shared = sorted((reason for reason in names if len(names[reason]) > 1), key=lambda one: len(names[one]))
    was = "was" if n == 1 else "were"
    parts = [
        "# What was left out",
        f"{len(ingested.added):,} documents were read into `corpus/`. "
        + (f"{n:,} of what was found {was} left out:" if n else "Nothing was left out."),
        "\n".join(single),
        *(f"## {len(names[one]):,} times: {one}\n\n{', '.join(names[one])}" for one in shared),
    ]
    if ingested.notes:
        parts += ["## Read, but look at these", "\n".join(f"- {note}" for note in ingested.notes)]
    return "\n\n".join(part for part in parts if part) + "\n"
