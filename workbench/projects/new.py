"""Makes an evaluation project of documents: corpus, notebooks, drafted queries, write-up and gate."""

import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from helpers.base import check_free, check_path, counted, first_few, markdown_table, placed, write_text
from workbench.corpus import (
    ENDINGS,
    KEEP,
    CorpusFolder,
    Ingested,
    NearDuplicates,
    check_no_project,
    n_left_out,
)
from workbench.dataset_files import write_dataset
from workbench.labelling import JUDGMENTS_FILE, QUERIES_FILE
from workbench.projects.drafts import draft_queries

TEMPLATE = Path(__file__).parent / "template"
_PAGES = ("README.md", "manual.md", "write_up.md", "1_label.ipynb", "2_evaluate.ipynb", "gate.sh")
PATHS = {name: name for name in _PAGES}
PATHS |= {"gate.yml": ".github/workflows/gate.yml", "gitignore": ".gitignore"}
PATHS["gitattributes"] = ".gitattributes"
"""The path in a project of each file of the template, where none begins with a dot: packages lose those."""


_NOTES = 5


@dataclass(frozen=True)
class NewProject:
    """What was made: documents read, what was left out `[(path, reason)]` and how many these
    are in files and records, remarks, near duplicates, queries drafted."""

    folder: Path
    documents: int
    left_out: list[tuple[str, str]]
    n_left_out: int
    notes: list[str]
    near_duplicates: list[NearDuplicates]
    drafted: int

    def __str__(self) -> str:
        made = f"made {self.folder}: {counted(self.documents, 'document')}"
        if self.left_out:
            made += f"; {self.n_left_out:,} left out, left_out.md says why"
        often = Counter(reason for _, reason in self.left_out).most_common(3)
        lines = [made, *(f"  {n:,} times: {reason}" for reason, n in often if n > 1)]
        lines += [f"  note: {note}" for note in self.notes[:_NOTES]]
        if len(self.notes) > _NOTES:
            more = counted(len(self.notes) - _NOTES, "more such note")
            lines.append(f"  {more}: see left_out.md")
        if self.near_duplicates:
            lines.append(f"  {duplicates_in_words(self.near_duplicates)}; left_out.md lists them")
        lines.append(f"drafted {counted(self.drafted, 'synthetic query')}")
        return "\n".join([*lines, "next: read README.md there, then open 1_label.ipynb"])


def new_project(
    folder: str | Path, docs: str | Path, duplicates: str = KEEP, allow_left_out: bool = False
) -> NewProject:
    """Makes a project of the documents of `docs`, a folder or a file, in `folder`, a new or an empty one.

    It is there whole or not at all, and can be moved: its files name each other by relative paths. Near
    duplicates are kept, and named in left_out.md; with `duplicates="leave-out"` the first of each group is.
    Raises ValueError for a folder that holds something or lies inside `docs` (it would be read as documents
    the next time), where no document could be read, and, without `allow_left_out`, where most files could
    not; FileNotFoundError where `docs` is not there.

    >>> import tempfile
    >>> docs = Path(tempfile.mkdtemp())
    >>> _ = (docs / "doors.md").write_text("# Doors\\nUse the key.")
    >>> made = new_project(Path(tempfile.mkdtemp()) / "my-eval", docs)
    >>> made.documents, made.drafted, sorted(path.name for path in made.folder.glob("*.ipynb"))
    (1, 1, ['1_label.ipynb', '2_evaluate.ipynb'])
    """
    folder = check_path(folder, "the folder to make")
    docs = check_path(docs, "the folder, or the file, that holds your documents")
    _check(folder, docs)
    is_there = folder.is_dir()  # and empty; it is filled and stays the same
    with placed(folder.resolve()) as beside:
        corpus = CorpusFolder.init(beside / "corpus", name=folder.resolve().name)
        ingested = corpus.ingest(docs, duplicates, allow_left_out)
        left_out = [(entry.path, entry.reason) for entry in ingested.left_out]
        if not corpus.documents:
            reasons = [f"{path}: {reason}" for path, reason in left_out[:5]]
            needed = f"needed files ending in {', '.join(ENDINGS)}"
            raise ValueError("\n".join([f"no document could be read from {docs}; {needed}", *reasons]))
        drafted = _draft(corpus, beside / "datasets" / "synthetic.json")
        for name in (QUERIES_FILE, JUDGMENTS_FILE):
            write_text(beside / name, "")
        write_text(beside / "left_out.md", _left_out(ingested, duplicates))
        sizes = {
            "DOCUMENTS": counted(len(corpus.documents), "document"),
            "LEFT_OUT": f"{n_left_out(ingested.left_out):,}",
        }
        names = {"PROJECT": corpus.name, "QUOTED_NAME": shlex.quote(corpus.name)}
        _fill_template(beside, names | {"DRAFTED": str(drafted)} | sizes)
        check_free(folder)  # again: reading may have taken minutes, and what came meanwhile is not replaced
        ours = beside.stat().st_ino
    if not is_there and folder.stat().st_ino != ours:
        raise ValueError(
            f"{folder} was made by another program in this moment, and stays; give another folder"
        )
    n, near = len(corpus.documents), ingested.near_duplicates
    n_out = n_left_out(ingested.left_out)
    return NewProject(folder, n, left_out, n_out, list(ingested.notes), near, drafted)


def _check(folder: Path, docs: Path) -> None:
    if not docs.exists():
        needed = "needed the folder, or the file, that holds your documents"
        raise FileNotFoundError(f"{docs} is not there; {needed}")
    check_free(folder)
    check_no_project(docs)
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


def duplicates_in_words(groups: list[NearDuplicates]) -> str:
    """How many documents are nearly the same as another, and of which group the first is an example.

    >>> duplicates_in_words([NearDuplicates("a.md", {"a.html": 0.93})])
    '1 document is nearly the same as another: a.html as a.md'
    """
    pairs = [f"{other} as {group.first}" for group in groups for other in group.others]
    n = counted(len(pairs), "document is", "documents are")
    return f"{n} nearly the same as another: {first_few(pairs, 3)}"


def _left_out(ingested: Ingested, duplicates: str) -> str:
    """The text of `left_out.md`: first the reasons of one file only, then the others, the rarest first.

    In the order of the names a thousand pictures would hide the one text that is broken.
    """
    n = n_left_out(ingested.left_out)
    names: dict[str, list[str]] = {}
    for entry in ingested.left_out:
        names.setdefault(entry.reason, []).append(f"`{entry.path}`")
    single = [f"- {paths[0]}: {reason}" for reason, paths in names.items() if len(paths) == 1]
    shared = sorted((reason for reason in names if len(names[reason]) > 1), key=lambda one: len(names[one]))
    was = "was" if n == 1 else "were"
    parts = [
        "# What was left out",
        counted(len(ingested.added), "document was", "documents were")
        + " read into `corpus/`. "
        + (f"{n:,} of what was found {was} left out:" if n else "Nothing was left out."),
        "\n".join(single),
        *(f"## {len(names[one]):,} times: {one}\n\n{', '.join(names[one])}" for one in shared),
    ]
    if ingested.notes:
        parts += ["## Read, but look at these", "\n".join(f"- {note}" for note in ingested.notes)]
    if ingested.near_duplicates:
        rows = [
            (group.first, other, f"{share:.0%}")
            for group in ingested.near_duplicates
            for other, share in group.others.items()
        ]
        table = pd.DataFrame(rows, columns=["document", "nearly the same", "word sequences in common"])
        parts += ["## Near duplicates", _DUPLICATES[duplicates], markdown_table(table, n_labels=2)]
    return "\n\n".join(part for part in parts if part) + "\n"


_DUPLICATES = {
    "keep": "All of them were kept. Two copies of a page double the reading, and whoever finds one of them "
    "has found half of what there is. Are these copies? Then make the project anew with "
    "`--duplicates leave-out`: it reads the first of each group. Are they different pages with much text in "
    "common? Then leave it so.",
    "leave-out": "Of each group the first was read and the others left out, as asked.",
}
