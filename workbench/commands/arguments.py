"""What verbs share: types of arguments, the budget's flags, paths, tables.

Only the standard library is imported at the top: `--help` works, and fast, before anything is installed.
"""

import argparse
import os
import re
import shlex
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands.command_line import BROKEN_LINK, printable, reason, refuse_options

if TYPE_CHECKING:
    import pandas as pd

    from workbench.budget import QueryBudget
    from workbench.corpus import CorpusFolder
    from workbench.reports import EvaluationReport
    from workbench.systems import SearchSystem


ANALYZERS = ("lucene_english", "plain", "plain_stemmed", "plain_stopped")
"""What `--analyzer` takes; held to `helpers.text` by a test, for `--help` must need nothing installed."""

MOST = 999_999_999


def whole_number(text: str, least: int = 1) -> int:
    """A number of things, from `least` up. Raises ArgumentTypeError for anything else.

    >>> whole_number("10")
    10
    """
    if not re.fullmatch("[0-9]{1,99}", text) or not least <= int(text) <= MOST:
        needed = f"a whole number from {least} to {MOST:,}, in digits only"
        raise argparse.ArgumentTypeError(f"{text!r:.40} is not possible; needed {needed}")
    return int(text)


number_or_zero = partial(whole_number, least=0)


def path_type(text: str) -> Path:
    """A path as a reader wrote it, `~` understood. Raises ArgumentTypeError for an empty one, and for a link
    that leads nowhere.

    >>> path_type("docs/guide").as_posix()
    'docs/guide'
    """
    if not text.strip():
        raise argparse.ArgumentTypeError("the path is empty; needed the name of a file or folder")
    if "\0" in text:
        raise argparse.ArgumentTypeError(f"the path {text[:60]!r} holds a NUL byte, which no name can")
    try:
        path = Path(text).expanduser()
    except RuntimeError:  # ~somebody, who has no home here
        unknown = f"{text!r} starts with the home of a user who is not known here"
        raise argparse.ArgumentTypeError(unknown) from None
    with suppress(OSError):  # of a folder on the way that may not be entered
        if path.is_symlink() and not path.exists():
            raise argparse.ArgumentTypeError(f"{path} {BROKEN_LINK}")
    return path


def existing_path(text: str) -> Path:
    """The path of a file or folder that exists. Raises ArgumentTypeError for one that does not."""
    path = path_type(text)
    try:
        found = path.exists()
    except (OSError, ValueError) as error:  # a folder on the way may not be entered, a name may be too long
        raise argparse.ArgumentTypeError(f"{path} cannot be read ({reason(error)})") from None
    if not found and "://" in text:
        raise argparse.ArgumentTypeError(f"{text} is an address; download it, and name the file")
    if not found and text == "-":
        raise argparse.ArgumentTypeError("- is no file here: what comes in by a pipe goes into a file first")
    if not found and re.search(r"[*?]", text):
        cure = "patterns are not read; name a folder or a file"
        raise argparse.ArgumentTypeError(f"{path} is not there, and {cure}")
    if not found:
        raise argparse.ArgumentTypeError(f"{path} is not there; needed one that is")
    return path


def existing_file(text: str) -> Path:
    """The path of a file that exists. Raises ArgumentTypeError for a folder and for what does not exist."""
    path = existing_path(text)
    if path.is_dir():
        judged = sorted((path / "qrels").glob("*.tsv"))
        beir = f": its queries are {path / 'queries.jsonl'}, its judgments {judged[0]}" if judged else ""
        raise argparse.ArgumentTypeError(f"{path} is a folder; needed a file{beir}")
    if not path.is_file():  # it may be looked at twice, and have no end
        cure = "save what it gives in a file, and name that"
        raise argparse.ArgumentTypeError(f"{path} is a pipe or a device and no file; {cure}")
    return path


def add_corpus(parser: argparse.ArgumentParser, snapshot: bool = True) -> None:
    """Adds `--corpus`, and `--snapshot` for a verb that searches one."""
    where = "the folder of the corpus, made with init"
    parser.add_argument("--corpus", type=path_type, required=True, metavar="DIR", help=where)
    if snapshot:
        which = "its id or the beginning of it (default: the one built last)"
        parser.add_argument("--snapshot", metavar="ID", help=which)


def system_type(text: str) -> str:
    """What names a system. Raises ArgumentTypeError for an empty text."""
    if not text.strip():
        needed = "a file of results, package.module:function, a backend or a name in systems.json"
        raise argparse.ArgumentTypeError(f"{text!r} names no system; needed {needed}")
    return text


ALLOW_UNKNOWN = "let ids of no document of the corpus stand, as documents that nobody judged"


def add_system(parser: argparse.ArgumentParser) -> None:
    """Adds `--system`, for a search that is no snapshot; `chosen_system` opens what was chosen."""
    what = "a file of results (TREC run or JSON lines), package.module:function, or a backend"
    parser.add_argument(
        "--system",
        type=system_type,
        metavar="SYSTEM",
        help=f"your own search, in place of a snapshot: {what}",
    )
    parser.add_argument("--allow-unknown", action="store_true", help=ALLOW_UNKNOWN)


def chosen_system(
    chosen: argparse.Namespace, corpus: "CorpusFolder", again: "EvaluationReport | None" = None
) -> "SearchSystem":
    """The search that `--system` names, else the snapshot, else that of a report, as it is now.

    Raises ValueError where system and snapshot are given.
    """
    from workbench.snapshots import load_snapshot
    from workbench.systems import open_system

    if chosen.system is None and chosen.snapshot is None and again is not None:
        return _of_report(again, corpus, chosen)
    if chosen.system is None:
        refuse_options(chosen, ["allow_unknown"], "on a snapshot, whose ids are all of the corpus")
        return open_system(load_snapshot(corpus, chosen.snapshot), corpus)
    if chosen.snapshot is not None:
        raise ValueError("--system and --snapshot are given; needed the one or the other")
    system = named_system(chosen.system, corpus, chosen.allow_unknown)
    if system.snapshot is not None:
        refuse_options(chosen, ["allow_unknown"], f"on {chosen.system}, whose ids are all of the corpus")
    return system


def _of_report(
    report: "EvaluationReport", corpus: "CorpusFolder", chosen: argparse.Namespace
) -> "SearchSystem":
    """What the report of `--as-in` is of, over the documents of now: a snapshot with the same settings, or a
    search of one's own.

    A search is opened only where the project names it: a report may come from somebody else, and to open a
    program runs it. Raises ValueError for any other, with the cure.
    """
    from workbench.labelling import read_systems
    from workbench.snapshots import build_again
    from workbench.systems import open_system

    if (built := report.snapshot) is not None:
        refuse_options(chosen, ["allow_unknown"], f"on {built.backend}, whose ids are all of the corpus")
        return open_system(build_again(corpus, built), corpus)
    project = corpus.path.resolve().parent
    if report.backend_id not in (systems := read_systems(project)).values():
        has = f"which is none of the project's systems ({', '.join(systems.values())})"
        said = f"{shown(chosen.as_in)} is of {report.backend_id}, {has}"
        cure = f"add it: workbench systems --add NAME={pasted(report.backend_id)} --project {pasted(project)}"
        raise ValueError(f"{said}; {cure}; or name the search: --system SYSTEM")
    try:
        return open_system(report.backend_id, corpus, chosen.allow_unknown, home=project)
    except (ValueError, FileNotFoundError) as error:
        other = "to measure another search in its place: --system SYSTEM"
        raise ValueError(f"{shown(chosen.as_in)} is of {report.backend_id}: {error}; {other}") from None


def named_system(spec: str, corpus: "CorpusFolder", allow_unknown: bool = False) -> "SearchSystem":
    """A system by what it is, or by the name that it has in the project of the corpus (`systems.json`)."""
    from workbench.labelling import SYSTEMS_FILE, read_systems
    from workbench.systems import open_system

    project = corpus.path.resolve().parent
    names = read_systems(project) if (project / SYSTEMS_FILE).is_file() else {}
    if spec in names:
        return open_system(names[spec], corpus, allow_unknown, home=project)
    try:
        return open_system(spec, corpus, allow_unknown)
    except (ValueError, FileNotFoundError) as error:
        if names and str(error).startswith(f"no system {spec!r}"):
            raise ValueError(f"{error}; the project's own are {', '.join(names)}") from None
        raise


def of_its_project(project: Path, dataset: Path) -> tuple[tuple[dict[str, int], list[str]], list[str]]:
    """How often the queries of a project's gold dataset were drawn from a log, with those that nobody has
    read, and a warning where the dataset is older than its queries and judgments. Of another dataset nothing
    is known."""
    from helpers.base import counted, first_few
    from workbench.labelling import JUDGMENTS_FILE, Labelling

    own = project / "datasets" / "gold.json"
    if not ((project / JUDGMENTS_FILE).is_file() and own.is_file() and own.samefile(dataset)):
        return ({}, []), []
    try:
        lab = Labelling(project)
        behind, sample = lab.behind(), lab.sample()
    except (ValueError, OSError) as error:  # what is measured is the dataset, which can be read
        why = " ".join(str(error).splitlines()[:2])
        unknown = f"whether {shown(own)} is what they say, or the sample of a log, is not known"
        return ({}, []), [f"the project's queries and judgments cannot be read, so {unknown}: {why}"]
    if not behind:
        return sample, []
    differ = f"{counted(len(behind), 'query differs', 'queries differ')}: {first_few(behind)}"
    said = f"{shown(own)} is not what the project's queries and judgments say now ({differ})"
    return sample, [f"{said}; `workbench measure` writes it anew"]


LIMITS = {
    "max_total_items": (whole_number, 10, "stop after N items (default: 10)"),
    "maximum_total_characters": (whole_number, None, "skip an item that would bring the sum above N"),
    "max_items_per_source": (whole_number, None, "skip an item whose source has N already"),
    "max_items_per_document": (whole_number, None, "skip a piece of a document that has N already"),
    "offset": (number_or_zero, 0, "skip the first N candidates (default: 0)"),
}
"""The limits of a query budget: `{name: (type, default, help)}`."""


def add_budget(parser: argparse.ArgumentParser) -> None:
    """Adds the limits of a query budget; `budget` reads them."""
    group = parser.add_argument_group("budget", "which of the ranked candidates are let through as evidence")
    for name, (kind, default, words) in LIMITS.items():
        flag = f"--{name.replace('_', '-')}"
        group.add_argument(flag, type=kind, default=default, metavar="N", help=words)


def budget(chosen: argparse.Namespace, again: "EvaluationReport | None" = None) -> "QueryBudget":
    """The budget that the flags of `add_budget` ask for, or that of a report.

    >>> parser = argparse.ArgumentParser()
    >>> add_budget(parser)
    >>> budget(parser.parse_args(["--max-total-items", "5", "--max-items-per-source", "1"]))
    QueryBudget(max_total_items=5, maximum_total_characters=None, max_items_per_source=1, \
max_items_per_document=None, offset=0)
    """
    from workbench.budget import QueryBudget

    if again is not None:
        refuse_options(chosen, list(LIMITS), "with --as-in, whose budget counts")
        return again.budget
    return QueryBudget(**{name: getattr(chosen, name) for name in LIMITS})


def budget_name(limits: "QueryBudget") -> str:
    """A budget as part of a file's name, so that another budget is another report.

    >>> from workbench.budget import QueryBudget
    >>> budget_name(QueryBudget(max_total_items=5, max_items_per_source=1))
    '5-items-1-a-source'
    """
    given = {"items": limits.max_total_items, "characters": limits.maximum_total_characters}
    given |= {"a-source": limits.max_items_per_source, "a-document": limits.max_items_per_document}
    given |= {"left-out": limits.offset or None}
    return "-".join(f"{value}-{name}" for name, value in given.items() if value is not None)


REPORT, DATASET, RUN = ('"dataset": *\\{', '"queries": *\\[', r"\A\s*\S+\s+Q0\s|\A\x1f")
"""How what we write as JSON, or as a run, is told from what others wrote."""
_BEGINS = {
    ".html": "<title>Retrieval report",
    ".md": r"\A#+ Retrieval (report|gate)",
    ".xml": '<testsuite name="retrieval gate: ',
}


def _check_ours(path: Path, holds: str, option: str) -> None:
    """Raises ValueError for a file that is there and that no command like this one wrote."""
    with open(path, encoding="utf-8", errors="replace") as file:
        begin = file.read(20_000)
    if begin.strip() and not re.search(holds, begin):
        said = f"{option} {path} is there, holds something else than this command writes, and would be lost"
        raise ValueError(f"{said}; give another name")


def check_output(
    path: Path, *endings: str, reads: Path | None = None, option: str = "--out", holds: str | None = None
) -> Path:
    """The path of a file that can be written, its folder made; found out before long work and not after it.

    Raises ValueError for another ending, for a folder, for the file that the same command reads, for a file
    that no such command wrote (`holds`: what is in one that did), and where no file can be made.

    >>> check_output(Path("page.pdf"), ".html", ".md")
    Traceback (most recent call last):
    ValueError: --out page.pdf must name a file that ends in .html or .md
    """
    if path.suffix not in endings:
        raise ValueError(f"{option} {path} must name a file that ends in {' or '.join(endings)}")
    if path.is_dir():
        raise ValueError(f"{option} {path} is a folder; give the name of a file in it")
    if reads and path.exists() and path.samefile(reads):
        raise ValueError(f"{option} {path} is the file that is read; give another name")
    if path.name in ("corpus.json", "manifest.json") and path.exists():
        raise ValueError(
            f"{option} {path} is what makes its folder a corpus or a snapshot; give another name"
        )
    if path.exists() and not path.is_file():
        raise ValueError(f"{option} {path} is a pipe or a device; give the name of a file")
    if path.is_file() and (mark := holds or _BEGINS.get(path.suffix)):
        _check_ours(path, mark, option)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{option} {path} cannot be written ({reason(error)}); give another path") from None
    if not os.access(path.parent, os.W_OK):
        shut = f"{path.parent} does not allow it"
        raise ValueError(f"{option} {path} cannot be written: {shut}; give another path")
    return path


def shown(path: Path) -> str:
    """A path as a reader would write it: from the folder in which the command was given, where it is inside.

    >>> shown(Path("no such folder/re\x1b[31mport.json"))
    'no such folder/re?[31mport.json'
    """
    try:
        return printable(path.resolve().relative_to(Path.cwd()).as_posix())
    except (ValueError, OSError):
        return printable(str(path))


def pasted(name: Path | str) -> str:
    """A path, as `shown` shows it, or a name, as it stands in a command that is there to be pasted.

    >>> pasted("my $(corpus)")
    "'my $(corpus)'"
    """
    return shlex.quote(shown(name) if isinstance(name, Path) else printable(name))


def table_text(frame: "pd.DataFrame") -> str:
    """A frame for a terminal: a figure that does not exist is left blank, long names are broken."""
    from tabulate import tabulate

    headers = [re.sub("^published ", "published\n", name) for name in frame.columns]
    widths = [36 if name == "system" else None for name in frame.columns]
    as_written = [index for index, name in enumerate(frame.columns) if name == "relevant/query"]
    cells = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    shape = {"floatfmt": ".4f", "missingval": "", "maxcolwidths": widths, "disable_numparse": as_written}
    return tabulate(cells, headers, **shape)


def table_records(frame: "pd.DataFrame") -> list[dict]:
    """A frame for JSON: a dict for each row, None for a figure that does not exist."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")
