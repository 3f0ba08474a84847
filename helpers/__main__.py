"""The command line: `python -m helpers VERB`. Words and exit codes only; the work is done in the other modules.

Exit codes: 0 good, 1 a gate, a notebook or a dataset failed, 2 bad input or something missing.
"""

import argparse
import os
import sys
import textwrap
import warnings
from pathlib import Path

from helpers.commands import corpus_verbs, dataset_verbs, evaluation_verbs, exercise_verbs
from helpers.commands.arguments import Parser, check_output, fail, one_line, table_text

ANALYZERS = {
    "lucene": "lucene_english",
    "stemmed": "plain_stemmed",
    "stopped": "plain_stopped",
    "plain": "plain",
}
"""What `--analyzer` takes, and the function of `text` that it means."""

EXAMPLES = {
    "run": "run 04",
    "labels": "labels my_queries.jsonl my_docs",
    "beir": "beir --datasets scifact,nfcorpus",
    "solved": "solved 03 --out build/solved",
    "progress": "progress notebooks",
    "instructor": "instructor",
    "init": "init build/wiki",
    "ingest": "ingest --corpus build/wiki evals/corpus",
    "build": "build --corpus build/wiki --backend csr-bm25 --chunker paragraphs --parameter k1=0.9",
    "query": "query --corpus build/wiki --max-total-items 3 'checkout-api pods OOM killed'",
    "datasets": "datasets --from-labels evals/retrieval_queries.jsonl --docs evals/corpus --out build/wiki.json",
    "eval": "eval --corpus build/wiki --dataset build/wiki.json --max-total-items 5 --maximum-total-characters 20000",
    "report": "report build/report.json --out build/report.html",
    "compare": "compare baseline.json candidate.json --fail-if-worse nDCG@10:0.02",
    "lab": "lab",
    "new": "new my-eval --docs my_docs",
}
"""One command of each verb, shown at the end of its help."""


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # documents may hold what this terminal cannot show
    try:
        try:
            return _obey(arguments)
        finally:
            print(end="", flush=True)  # here, so that a pipe that is gone is noticed before the interpreter ends
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # what read our output has ended, e.g. `| head`
        _drop_output()
        return 141
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed; run: pip install -r requirements.txt (in the project's folder)", file=sys.stderr)
        return 2
    except OSError as error:  # of the last line above: the disk that our output goes to is full
        _drop_output()
        return fail("", f"the output cannot be written ({error.strerror})")


def _obey(arguments: list[str] | None) -> int:
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if chosen.verb is None:
        parser.print_help()
        return 2
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *where: print(f"warning: {one_line(str(message))}", file=sys.stderr)
        try:
            return chosen.command(chosen)
        except BrokenPipeError:
            raise
        except (ValueError, OSError, RuntimeError) as error:
            return fail(chosen.verb, error)


def _drop_output() -> None:
    """What is still to be printed goes nowhere, so that the interpreter does not try it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m helpers", description="Measure First: a course on retrieval evaluation.")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", dest="verb")
    _add_course_verbs(verbs)
    for module in (exercise_verbs, corpus_verbs, dataset_verbs, evaluation_verbs):
        module.add(verbs)
    for verb, words in EXAMPLES.items():
        verbs.choices[verb].epilog = f"example:\n  python -m helpers {words}"
    return parser


def _add_course_verbs(verbs: argparse._SubParsersAction) -> None:
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


def _labels(chosen: argparse.Namespace) -> int:
    from helpers import datasets, files
    from helpers.collection import coverage
    from helpers.loading import fetch

    if (chosen.queries is None) != (chosen.corpus is None):
        raise ValueError("give both, first the query file, then the folder of documents, or neither")
    dataset = datasets.load_runbooks(chosen.corpus or files.RUNBOOKS, chosen.queries or files.QUERIES)
    print(f"{dataset}; no problem found")
    try:
        written = coverage.write_files() if chosen.queries is None else []
    except fetch.Unavailable as error:
        raise ValueError(f"evals/coverage.md needs cl100k_base: {error}") from None
    for path in written:
        print(f"wrote {path.relative_to(files.ROOT)}")
    return 0


def _beir(chosen: argparse.Namespace) -> int:
    from helpers import files, report, text
    from helpers.commands import beir_table

    names = list(dict.fromkeys(name.strip() for name in chosen.datasets.split(",") if name.strip()))
    if not names or (chosen.max_docs is not None and chosen.max_docs < 1):
        raise ValueError("--max-docs needs a number from 1 up" if names else "--datasets names no dataset")
    out = check_output((chosen.out or files.BUILD / "results" / "beir.json").expanduser(), ".json")
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
                raise ValueError(f"{out} cannot be written ({error}); give another place with --out") from None
    if rows:
        print(f"\n{table_text(beir_table.beside_published(rows))}\n")
        for line in report.provenance(rows):
            print(textwrap.fill(line, 100, subsequent_indent="  "))
        print(f"Published: Anserini's BM25 on title and text as one field. All rows: {out}")
    for name, reason in failed.items():
        print(f"FAILED {name}: {reason}", file=sys.stderr)
    return 1 if failed else 0


def _run(chosen: argparse.Namespace) -> int:
    from helpers import files, report, tokens
    from helpers.commands import course  # here: --help must work, and fast, before anything is installed

    lessons = course.find_lessons(chosen.lessons)
    out = course.prepare_out(chosen.out or files.BUILD)
    missing = course.prepare(sorted({name for lesson in lessons for name in course.wanted(lesson)}))
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
        print(f"\n{table_text(report.results_table(rows))}\n")
        for line in report.provenance(rows):
            print(textwrap.fill(line, 100, subsequent_indent="  "))
    return 0


if __name__ == "__main__":
    sys.exit(main())
