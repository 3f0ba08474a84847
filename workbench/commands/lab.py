"""The lab: the bundled runbooks as a corpus, their labels as a dataset, two backends under one budget."""

import json
import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from helpers.base import files, first_few, progress
from helpers.datasets import load_labels, read_documents
from workbench.budget import QueryBudget
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.dataset_files import EvaluationDataset, from_labels, load_dataset, write_dataset
from workbench.reports import EvaluationReport, evaluate_run, save_report
from workbench.snapshots import build_snapshot

NAME, DATASET = "runbooks-lab", "runbooks"
COMPARED = ("sqlite-full-text-search", "csr-bm25")
LAB_BUDGET = QueryBudget(max_total_items=5, maximum_total_characters=20_000)
"""Five pages of the usual length, fewer of long ones: 20,000 characters are about 5,000 tokens."""


@dataclass(frozen=True)
class Lab:
    """What the lab made: its corpus, the dataset file, and a report for each backend, by its path."""

    corpus: CorpusFolder
    dataset: Path
    reports: dict[Path, EvaluationReport]


def run_lab(folder: Path, force: bool = False) -> Lab:
    """Makes the lab in `folder`, or takes up the one there, and evaluates `COMPARED` under `LAB_BUDGET`.

    Done again, it gives the same but for times. `force` removes the lab that is there first. Raises
    ValueError for a folder that holds anything else, which is never removed, for a link in its place, and for
    a lab whose documents or queries are no longer those that it was made with.
    """
    if force:
        _remove(folder)
    corpus = _corpus(folder)
    labels = load_labels(files.QUERIES, corpus.corpus)
    queries = from_labels(labels, DATASET, "The 30 core queries of the bundled runbooks.")
    dataset = _dataset(folder / "datasets" / f"{DATASET}.json", queries)
    reports = {}
    for backend in progress(COMPARED, desc="lab", unit="backend"):
        with closing(build_snapshot(corpus, backend)) as snapshot:
            report = evaluate_run(corpus, snapshot, queries, LAB_BUDGET)
        reports[save_report(folder / "reports" / f"{DATASET}-{report.snapshot_id}.json", report)] = report
    return Lab(corpus, dataset, reports)


def _dataset(path: Path, queries: EvaluationDataset) -> Path:
    """Writes the queries, unless a file is there that holds others."""
    try:
        is_same = not path.exists() or load_dataset(path).fingerprint == queries.fingerprint
    except ValueError:
        is_same = False
    if not is_same:
        cure = "move it elsewhere to keep it; --force makes the lab anew"
        raise ValueError(f"{path} holds other queries than the lab's, or was edited; {cure}")
    return write_dataset(path, queries)


def _corpus(folder: Path) -> CorpusFolder:
    """The bundled runbooks in a corpus of their own: made, or what is there of it completed."""
    if not files.RUNBOOKS.is_dir():
        cure = "run it in a copy of the repository, which has them in evals/"
        raise FileNotFoundError(f"the bundled runbooks are not installed ({files.RUNBOOKS}); {cure}")
    existing = (folder / "corpus.json").exists()
    corpus = CorpusFolder.open(folder) if existing else CorpusFolder.init(folder, NAME)
    if corpus.name != NAME:
        other = f"{folder} is the corpus {corpus.name!r} and not the lab's"
        raise ValueError(f"{other}; give another folder with --corpus")
    documents = [
        SourceDocument(document.doc_id, document.title, document.body, f"{document.doc_id}.md")
        for document in read_documents(files.RUNBOOKS)
    ]
    added = {document.doc_id for document in corpus.documents} - {document.doc_id for document in documents}
    if added:
        other = f"{folder} holds documents that are not the lab's, e.g. {min(added)!r}"
        raise ValueError(f"{other}; make it anew with --force")
    here = {document.doc_id: document for document in corpus.documents}
    if edited := [one.doc_id for one in documents if here.get(one.doc_id, one) != one]:
        other = f"{folder} holds documents that were edited, e.g. {edited[0]!r}"
        raise ValueError(f"{other}; make it anew with --force")
    corpus.add(documents)
    return corpus


def _remove(folder: Path) -> None:
    """Removes a lab, and refuses to remove anything else."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    try:
        name = json.loads((folder / "corpus.json").read_text(encoding="utf-8"))["name"]
    except (OSError, ValueError, TypeError, KeyError):
        name = None
    if name != NAME:
        other = f"{folder} holds something else than the lab, and --force removes nothing else"
        raise ValueError(f"{other}; give another folder")
    if folder.is_symlink():
        raise ValueError(
            f"{folder} is a link, and --force removes none; give the folder itself, {folder.resolve()}"
        )
    if others := [path for path in sorted(folder.rglob("*")) if path.is_file() and not _made(path, folder)]:
        found = first_few((path.relative_to(folder).as_posix() for path in others), 3)
        raise ValueError(
            f"{folder} holds what the lab did not make ({found}); move it elsewhere, then --force again"
        )
    shutil.rmtree(folder)


def _made(path: Path, folder: Path) -> bool:
    """Whether the lab made a file: corpus, dataset, snapshots, its reports and their pages."""
    inside = path.relative_to(folder)
    if inside.parts[0] == "reports":
        return inside.name.startswith(f"{DATASET}-") and inside.suffix in (".json", ".html", ".md")
    if inside.parts[0] == "datasets":
        return inside.stem == DATASET and inside.suffix in (".json", ".qrels")
    return inside.parts[0] == "snapshots" or inside.as_posix() in ("corpus.json", "corpus.jsonl")
