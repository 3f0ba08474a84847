"""The command line's verb for collections: `datasets` lists BEIR's, checks dataset files, exports labels. Words and exit codes only.

What a dataset file is, is in `loading.dataset_file`, what is known of BEIR's datasets in `loading.catalogue`.
"""

import argparse
from pathlib import Path

from workbench.commands.arguments import (
    check_output,
    counted,
    fail,
    file_there,
    one_line,
    place,
    shown,
    table_text,
    there,
)

EXAMPLES = {
    "datasets": "datasets --from-labels evals/retrieval_queries.jsonl --docs evals/corpus --out build/wiki.json",
}
"""One command of each verb, shown at the end of its help."""


def add(verbs: argparse._SubParsersAction) -> None:
    """Adds the verb to the parser of the command line."""
    parser = verbs.add_parser(
        "datasets",
        help="list the BEIR datasets, check dataset files, or export labelled queries as one",
        description="Without arguments: the BEIR datasets, their sizes, splits, published BM25, and where they are. With files: "
        "says what each dataset file holds, or all that is wrong with it. With --from-labels: writes labelled queries as a "
        "dataset file for eval.",
    )
    parser.add_argument("files", nargs="*", type=file_there, metavar="FILE", help="dataset files to check")
    parser.add_argument(
        "--from-labels", type=file_there, metavar="QUERIES", help="labelled queries, one a line in JSON"
    )
    parser.add_argument(
        "--docs", type=there, metavar="FOLDER", help="their documents: a folder of Markdown, or a corpus"
    )
    parser.add_argument("--out", type=place, metavar="FILE", help="the dataset file to write")
    parser.set_defaults(command=_datasets)


def _datasets(chosen: argparse.Namespace) -> int:
    export = [chosen.from_labels, chosen.docs, chosen.out]
    if any(export):
        if None in export or chosen.files:
            raise ValueError("an export needs --from-labels, --docs and --out, and no other file")
        return _export(chosen)
    return _check(chosen.files) if chosen.files else _list()


def _export(chosen: argparse.Namespace) -> int:
    from helpers.datasets import load_labels, read_documents
    from workbench.corpus import CorpusFolder
    from workbench.dataset_files import from_labels, write_dataset

    out = check_output(chosen.out, ".json", reads=chosen.from_labels)
    if (chosen.docs / "corpus.json").exists():
        corpus = CorpusFolder.open(chosen.docs).corpus
    else:
        corpus = {document.doc_id: document.text for document in read_documents(chosen.docs)}
    labels = load_labels(chosen.from_labels, corpus)
    queries = counted(len(labels), "labelled query", "labelled queries")
    dataset = from_labels(labels, out.stem, f"Exported from {chosen.from_labels.name}: {queries}.")
    write_dataset(out, dataset)
    print(f"wrote {shown(out)}: {queries} as {counted(len(dataset.queries), 'row')}")
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
            print(
                f"{shown(path)}: {one_line(dataset.name)}, {kinds}, {dataset.fingerprint}; no problem found"
            )
    return code


def _list() -> int:
    from helpers import datasets
    from helpers.datasets import catalogue

    table = catalogue.datasets_table()
    table["here"] = [
        "yes" if all(datasets.find_beir(part) for part in catalogue.parts(name)) else ""
        for name in table.index
    ]
    table["MD5 of the zip"] = catalogue.beir_catalogue()["zip_md5"]
    print(table_text(table.rename_axis("dataset").reset_index()))
    print(
        "\nBM25: nDCG@10 as Anserini published it, title and text as one field (flat) or as two (multifield); for cqadupstack\n"
        "the mean over its twelve forums. Queries are those of the test split, for msmarco of dev: its test labels are hidden.\n"
        "A dataset without a public zip goes into $BEIR_DATA_DIR/NAME; where it comes from, its owner says."
    )
    return 0
