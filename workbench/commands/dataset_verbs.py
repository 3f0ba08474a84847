"""The verb for collections, `datasets`: lists BEIR's, checks dataset files, exports labels."""

import argparse
import json
from pathlib import Path

from workbench.commands.arguments import (
    DATASET,
    check_output,
    existing_file,
    existing_path,
    of_its_project,
    path_type,
    shown,
    table_records,
    table_text,
)
from workbench.commands.command_line import Answer, Verb, fail, one_line


def _arguments(parser: argparse.ArgumentParser) -> None:
    given = "dataset files to check"
    parser.add_argument("files", nargs="*", metavar="FILE", help=given)
    labels = "labelled queries, one a line in JSON: query_id, query, kind, relevant_doc_ids, judgments, and "
    labels += "of these each a doc_id, a grade and, from 1 up, a quote of the document"
    parser.add_argument("--from-labels", type=existing_file, metavar="QUERIES", help=labels)
    documents = "their documents: a folder of files, or a corpus"
    parser.add_argument("--docs", type=existing_path, metavar="FOLDER", help=documents)
    parser.add_argument("--out", type=path_type, metavar="FILE", help="the dataset file to write")


def _dataset_file(text: str) -> Path:
    """The path of a file. Raises ArgumentTypeError, as `existing_file`, and for the name of a collection."""
    from helpers.datasets import FORUMS, beir_catalogue

    if text in (*beir_catalogue().index, *FORUMS) and not Path(text).exists():
        said = f"{text} is no file but a collection of BEIR: without arguments they are listed"
        cure = f"in Python helpers.datasets.load_beir({text!r}) loads it"
        raise argparse.ArgumentTypeError(f"{said}; {cure}")
    return existing_file(text)


def _datasets(chosen: argparse.Namespace) -> Answer:
    export = {"--from-labels": chosen.from_labels, "--docs": chosen.docs, "--out": chosen.out}
    if any(export.values()):
        if None in export.values() or chosen.files:
            lacking = [name for name, value in export.items() if value is None]
            what = f"{' and '.join(lacking)} missing" if lacking else f"{chosen.files[0]} is one too much"
            raise ValueError(f"{what}; an export needs --from-labels, --docs and --out, and no other file")
        return _export(*export.values())
    return _check(chosen.files) if chosen.files else _list()


def _export(queries: Path, docs: Path, out: Path) -> Answer:
    from helpers.base import counted
    from helpers.datasets import load_labels
    from workbench.corpus import read_texts
    from workbench.dataset_files import check_beside, from_labels, write_dataset

    check_output(out, ".json", reads=queries, holds=DATASET)
    check_beside(out)
    if out.name == "gold.json" and (out.parent.parent / "judgments.jsonl").is_file():
        raise ValueError(f"--out {out} is what `workbench measure` writes of a project; give another name")
    _check_labelled(queries)
    labels = load_labels(queries, read_texts(docs))
    labelled = counted(len(labels), "labelled query")
    dataset = from_labels(labels, out.stem, f"Exported from {queries.name}: {labelled}.")
    write_dataset(out, dataset)
    text = f"wrote {shown(out)}: {labelled} as {counted(len(dataset.queries), 'row')}"
    return Answer(text, {"wrote": out, "queries": len(labels), "rows": len(dataset.queries)})


def _check_labelled(path: Path) -> None:
    """Raises ValueError for a file of a project, or of BEIR, where queries and judgments stand apart."""
    from helpers.base import text_lines, whole_text

    _, first = next(text_lines(path), ("", ""))
    try:
        keys = set(json.loads(whole_text(path) if first.strip() == "{" else first))
    except (ValueError, TypeError, RecursionError):
        return  # its line will say what is wrong
    if {"queries", "name"} <= keys:
        raise ValueError(f"{path} is a dataset already; `workbench evaluate --dataset {path}` takes it")
    if {"_id", "text"} <= keys and not {"query", "judgments", "relevant_doc_ids"} & keys:
        said = f"{path} holds queries as BEIR has them (_id, text), without judgments"
        cure = "bring both into a project: workbench import queries, workbench import judgments (its qrels)"
        raise ValueError(f"{said}; {cure}")
    if not {"judgments", "relevant_doc_ids"} & keys and ("grade" in keys or {"query_id", "query"} <= keys):
        said = "queries or judgments of a project, which stand apart; needed both in one line"
        cure = "in a project `workbench measure` writes the dataset, datasets/gold.json"
        raise ValueError(f"{path} holds {said}; {cure}")


def _check(names: list[str]) -> Answer:
    """What each file holds; the problems of a bad one go to stderr, and it does not hide a good one."""
    from helpers.base import warn
    from workbench.dataset_files import load_dataset

    lines, data, code = [], [], 0
    for name in names:
        try:
            path = _dataset_file(name)
            dataset = load_dataset(path)
        except (ValueError, OSError, argparse.ArgumentTypeError) as error:
            code = fail("workbench datasets", error)
            data.append({"path": name, "problems": str(error).splitlines()})
        else:
            for said in of_its_project(path.resolve().parent.parent, path)[1]:
                warn(said)
            kinds = ", ".join(f"{number:,} {kind}" for kind, number in dataset.kinds().items())
            holds = f"{one_line(dataset.name)}, {kinds}, {dataset.fingerprint}"
            lines.append(f"{shown(path)}: {holds}; no problem found")
            facts = {"name": dataset.name, "fingerprint": dataset.fingerprint, **dataset.kinds()}
            data.append({"path": path, "problems": []} | facts)
    return Answer("\n".join(lines), data, code)


def _list() -> Answer:
    from helpers.datasets import catalogue

    table = catalogue.datasets_table()
    found = [_where_it_is(name) for name in table.index]
    table["here"] = found
    table["MD5 of the zip"] = catalogue.beir_catalogue()["zip_md5"]
    table = table.rename_axis("dataset").reset_index()
    is_here, incomplete = (table["here"] == "yes"), (table["here"] == "incomplete")
    data = table_records(table.assign(here=is_here, incomplete=incomplete))
    return Answer(f"{table_text(table)}\n\n{_ABOUT_BEIR}", data)


def _where_it_is(name: str) -> str:
    """Whether a collection is on this computer: "yes", "", or "incomplete", as a download that broke off
    leaves it. Of parts that are searched apart all are needed."""
    from helpers import datasets
    from helpers.datasets import catalogue

    parts = catalogue.parts(name)
    found = [pair[0] for part in parts if (pair := datasets.find_beir(part))]
    needed = ("corpus.jsonl", "queries.jsonl", f"qrels/{catalogue.default_split(name)}.tsv")
    whole = [folder for folder in found if all((folder / file).is_file() for file in needed)]
    if len(whole) == len(parts):
        return "yes"
    return "incomplete" if found else ""


_ABOUT_BEIR = (
    "BM25: nDCG@10 as Anserini published it, title and text as one field (flat) or as two (multifield); "
    "for cqadupstack\n"
    "the mean over its twelve forums. Queries are those of the test split, for msmarco of dev: "
    "its test labels are hidden.\n"
    "A dataset that is incomplete here lacks corpus.jsonl, queries.jsonl or the qrels of that split.\n"
    "A dataset without a public zip goes into $BEIR_DATA_DIR/NAME; where it comes from, its owner says."
)

VERBS = [
    Verb(
        "datasets",
        "list the BEIR datasets, check dataset files, or export labelled queries as one",
        "Without arguments: the BEIR datasets, their sizes, splits, published BM25, and where they are. With "
        "files: says what each dataset file holds, or all that is wrong with it. With --from-labels: writes "
        "labelled queries as a dataset file for evaluate, and their grades beside it, in a file that ends in "
        ".qrels.",
        "datasets --from-labels evals/retrieval_queries.jsonl --docs evals/corpus --out build/wiki.json",
        _arguments,
        _datasets,
    ),
]
