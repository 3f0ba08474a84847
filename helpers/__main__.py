"""The command line: `python -m helpers VERB`. Words and exit codes only; the work is done in the other modules.

Exit codes: 0 good, 1 a notebook or a dataset failed, 2 bad input or something missing.
"""

import argparse
import os
import sys
import textwrap
from pathlib import Path

from helpers.commands import exercise_verbs

ANALYZERS = {
    "lucene": "lucene_english",
    "stemmed": "plain_stemmed",
    "stopped": "plain_stopped",
    "plain": "plain",
}
"""What `--analyzer` takes, and the function of `text` that it means."""


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if not hasattr(chosen, "command"):
        parser.print_help()
        return 2
    try:
        return chosen.command(chosen)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # what read our output has ended, e.g. `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed; run: pip install -r requirements.txt (in the project's folder)", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m helpers", description="Measure First: a course on retrieval evaluation.")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB")
    run = verbs.add_parser(
        "run",
        help="run the notebooks of the course and print one table of results",
        description="Runs the notebooks headless, in order, stops at the first failing cell, and ends with one table of results. "
        "The tracked notebooks stay as they are. SciFact (3 MB) and the encoding cl100k_base (2 MB) are downloaded once where "
        "the network allows it; without them the lessons use a small bundled collection and encoding, and say so.",
    )
    run.add_argument("lessons", nargs="*", metavar="LESSON", help="only notebooks whose name starts so, e.g. 04 (default: all)")
    run.add_argument("--out", type=Path, metavar="DIR", help="where the executed notebooks and results go (default: build)")
    run.add_argument("--inplace", action="store_true", help="also refresh the stored outputs of the tracked notebooks")
    run.set_defaults(command=_run)
    labels = verbs.add_parser(
        "labels",
        help="check labelled queries and write down what they cover",
        description="Without arguments: checks the course's own queries and writes evals/coverage.md and evals/bm25_top10.jsonl "
        "afresh (with the encoding cl100k_base). With both arguments: checks a query file of yours against your documents.",
    )
    labels.add_argument("queries", nargs="?", type=Path, metavar="QUERIES", help="your query file, one labelled query a line")
    labels.add_argument("corpus", nargs="?", type=Path, metavar="CORPUS", help="your folder of Markdown documents")
    labels.set_defaults(command=_labels)
    beir = verbs.add_parser(
        "beir",
        help="measure BM25 on BEIR datasets, beside the published figures",
        description="Finds or downloads each dataset (into cache/beir), indexes it, evaluates BM25 (k1=0.9, b=0.4, title and text, "
        "1,000 results a query, trec_eval's conventions), prints measured beside published and writes all rows as JSON. Goes on "
        "with the next dataset when one fails, and says so at the end.",
    )
    beir.add_argument(
        "--datasets", required=True, metavar="A,B", help="names, separated by commas; 'helpers datasets' lists them"
    )
    beir.add_argument("--analyzer", default="lucene", choices=ANALYZERS, help="how a text becomes terms (default: lucene)")
    beir.add_argument("--max-docs", type=int, metavar="N", help="judged documents and the first others up to N; not comparable")
    beir.add_argument("--out", type=Path, metavar="FILE", help="where the JSON goes (default: build/results/beir.json)")
    beir.set_defaults(command=_beir)
    listing = verbs.add_parser("datasets", help="list the BEIR datasets: sizes, splits, published BM25, where they are")
    listing.set_defaults(command=_datasets)
    exercise_verbs.add(verbs)
    return parser


def _labels(chosen: argparse.Namespace) -> int:
    from helpers import datasets, files
    from helpers.collection import coverage
    from helpers.loading import fetch

    if (chosen.queries is None) != (chosen.corpus is None):
        print(
            "python -m helpers labels: give both, first the query file, then the folder of documents, or neither", file=sys.stderr
        )
        return 2
    try:
        dataset = datasets.load_runbooks(chosen.corpus or files.RUNBOOKS, chosen.queries or files.QUERIES)
        print(f"{dataset}; no problem found")
        written = coverage.write_files() if chosen.queries is None else []
    except (ValueError, OSError) as error:
        what = "evals/coverage.md needs cl100k_base: " if isinstance(error, fetch.Unavailable) else ""
        print(f"python -m helpers labels: {what}{error}", file=sys.stderr)
        return 2
    for path in written:
        print(f"wrote {path.relative_to(files.ROOT)}")
    return 0


def _beir(chosen: argparse.Namespace) -> int:
    from helpers import files, report, text
    from helpers.commands import beir_table

    names = list(dict.fromkeys(name.strip() for name in chosen.datasets.split(",") if name.strip()))
    if not names or (chosen.max_docs is not None and chosen.max_docs < 1):
        problem = "--max-docs needs a number from 1 up" if names else "--datasets names no dataset"
        print(f"python -m helpers beir: {problem}", file=sys.stderr)
        return 2
    out = (chosen.out or files.BUILD / "results" / "beir.json").expanduser()
    if problem := _unwritable(out):
        print(f"python -m helpers beir: --out {out} {problem}", file=sys.stderr)
        return 2
    rows, failed = [], {}
    measured = beir_table.measure_all(names, getattr(text, ANALYZERS[chosen.analyzer]), chosen.max_docs)
    for name, (found, reason) in zip(names, measured, strict=True):
        rows += found
        if reason:
            failed[name] = reason
            print(f"{name} FAILED: {reason}", file=sys.stderr)
        else:
            try:
                report.save_results(out.stem, rows, out.parent)  # after each, so that a later crash costs nothing
            except OSError as error:
                print(
                    f"python -m helpers beir: {out} cannot be written ({error}); give another place with --out", file=sys.stderr
                )
                return 2
    if rows:
        print(f"\n{_table(beir_table.beside_published(rows))}\n")
        for line in report.provenance(rows):
            print(textwrap.fill(line, 100, subsequent_indent="  "))
        print(f"Published: Anserini's BM25 on title and text as one field. All rows: {out}")
    for name, reason in failed.items():
        print(f"FAILED {name}: {reason}", file=sys.stderr)
    return 1 if failed else 0


def _unwritable(out: Path) -> str:
    """Why no JSON file can be written there, found out before hours of measuring; "" where one can."""
    if out.suffix != ".json" or out.is_dir():
        return "must name a file that ends in .json"
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"cannot be written ({error})"
    return "" if os.access(out.parent, os.W_OK) else f"cannot be written: {out.parent} does not allow it"


def _datasets(chosen: argparse.Namespace) -> int:
    from helpers import datasets
    from helpers.loading import catalogue

    table = catalogue.datasets_table()
    table["here"] = ["yes" if all(datasets.find_beir(part) for part in catalogue.parts(name)) else "" for name in table.index]
    table["MD5 of the zip"] = catalogue.beir_catalogue()["zip_md5"]
    print(_table(table.rename_axis("dataset").reset_index()))
    print(
        "\nBM25: nDCG@10 as Anserini published it, title and text as one field (flat) or as two (multifield); for cqadupstack\n"
        "the mean over its twelve forums. Queries are those of the test split, for msmarco of dev: its test labels are hidden.\n"
        "A dataset without a public zip goes into $BEIR_DATA_DIR/NAME; where it comes from, its owner says."
    )
    return 0


def _run(chosen: argparse.Namespace) -> int:
    from helpers import files, report, tokens
    from helpers.commands import course  # here: --help must work, and fast, before anything is installed

    try:
        lessons = course.find_lessons(chosen.lessons)
        out = course.prepare_out(chosen.out or files.BUILD)
    except (ValueError, OSError) as error:
        print(f"python -m helpers run: {error}", file=sys.stderr)
        return 2
    try:
        missing = course.prepare(sorted({name for lesson in lessons for name in course.wanted(lesson)}))
    except ValueError as error:  # a lesson asks for a dataset that does not exist
        print(f"python -m helpers run: {error}", file=sys.stderr)
        return 2
    if chosen.inplace and set(missing) - {tokens.CL100K}:
        print(
            f"--inplace refused: the stored outputs are those of {', '.join(missing)}, and a run without it would replace them "
            "by those of the bundled collection. Set BEIR_DATA_DIR to a folder that holds it.",
            file=sys.stderr,
        )
        return 2
    try:
        rows = course.run_lessons(lessons, out, chosen.inplace)
    except course.LessonFailed as failure:
        print(f"FAILED {failure}", file=sys.stderr)
        return 1
    if rows:
        print(f"\n{_table(report.results_table(rows))}\n")
        for line in report.provenance(rows):
            print(textwrap.fill(line, 100, subsequent_indent="  "))
    return 0


def _table(frame) -> str:
    """A frame for a terminal: a figure that does not exist is left blank, long names are broken."""
    from tabulate import tabulate

    headers = [name.replace(" ", "\n", 1) if name.startswith("published ") else name for name in frame.columns]
    widths = [36 if name == "system" else None for name in frame.columns]
    as_written = [index for index, name in enumerate(frame.columns) if name == "relevant/query"]
    cells = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    return tabulate(cells, headers, floatfmt=".4f", missingval="", maxcolwidths=widths, disable_numparse=as_written)


if __name__ == "__main__":
    sys.exit(main())
