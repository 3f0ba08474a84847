"""The verb for collections, `datasets`: lists BEIR's, checks dataset files, exports labels."""

import argparse
from pathlib import Path

from workbench.commands.arguments import (
    check_output,
    existing_file,
    existing_path,
    fail,
    one_line,
    path_type,
    shown,
    table_text,
)

EXAMPLES = {
    "datasets": "datasets --from-labels evals/retrieval_queries.jsonl --docs evals/corpus "
    "--out build/wiki.json",
}
"""One command of each verb, shown at the end of its help."""


def add(verbs: argparse._SubParsersAction) -> None:
    """Adds the verb to the parser of the command line."""
    datasets = verbs.add_parser(
        "datasets",
        help="list the BEIR datasets, check dataset files, or export labelled queries as one",
        description="Without arguments: the BEIR datasets, their sizes, splits, published BM25, and where "
        "they are. With files: says what each dataset file holds, or all that is wrong with it. With "
        "--from-labels: writes labelled queries as a dataset file for eval.",
    )
    given = "dataset files to check"
    datasets.add_argument("files", nargs="*", type=existing_file, metavar="FILE", help=given)
    labels = "labelled queries, one a line in JSON"
    datasets.add_argument("--from-labels", type=existing_file, metavar="QUERIES", help=labels)
    documents = "their documents: a folder of Markdown, or a corpus"
    datasets.add_argument("--docs", type=existing_path, metavar="FOLDER", help=documents)
    datasets.add_argument("--out", type=path_type, metavar="FILE", help="the dataset file to write")
    datasets.set_defaults(command=_datasets)


def _datasets(chosen: argparse.Namespace) -> int:
    export = [chosen.from_labels, chosen.docs, chosen.out]
    if any(export):
        if None in export or chosen.files:
            raise ValueError("an export needs --from-labels, --docs and --out, and no other file")
        return _export(*export)
    return _check(chosen.files) if chosen.files else _list()


def _export(queries: Path, docs: Path, out: Path) -> int:
    from helpers.base import counted
    from helpers.datasets import load_labels, read_documents
    from workbench.corpus import CorpusFolder
    from workbench.dataset_files import from_labels, write_dataset

    check_output(out, ".json", reads=queries)
    if (docs / "corpus.json").exists():
        corpus = CorpusFolder.open(docs).corpus
    else:
        corpus = {document.doc_id: document.text for document in read_documents(docs)}
    labels = load_labels(queries, corpus)
    labelled = counted(len(labels), "labelled query")
    dataset = from_labels(labels, out.stem, f"Exported from {queries.name}: {labelled}.")
    write_dataset(out, dataset)
    print(f"wrote {shown(out)}: {labelled} as {counted(len(dataset.queries), 'row')}")
    return 0


def _check(paths: list[Path]) -> int:
    from workbench.dataset_files import load_dataset

    code = 0
    for path in paths:
        try:
            dataset = load_dataset(path)
        except (ValueError, OSError) as error:
            code = fail("python -m workbench datasets", error)
        else:
            kinds = ", ".join(f"{number:,} {kind}" for kind, number in dataset.kinds().items())
            holds = f"{one_line(dataset.name)}, {kinds}, {dataset.fingerprint}"
            print(f"{shown(path)}: {holds}; no problem found")
    return code


def _list() -> int:
    from helpers import datasets
    from helpers.datasets import catalogue

    table = catalogue.datasets_table()
    found = [all(datasets.find_beir(part) for part in catalogue.parts(name)) for name in table.index]
    table["here"] = ["yes" if here else "" for here in found]
    table["MD5 of the zip"] = catalogue.beir_catalogue()["zip_md5"]
    print(table_text(table.rename_axis("dataset").reset_index()))
    print(
        "\n"
        "BM25: nDCG@10 as Anserini published it, title and text as one field (flat) or as two (multifield); "
        "for cqadupstack\n"
        "the mean over its twelve forums. Queries are those of the test split, for msmarco of dev: "
        "its test labels are hidden.\n"
        "A dataset without a public zip goes into $BEIR_DATA_DIR/NAME; where it comes from, its owner says."
    )
    return 0
