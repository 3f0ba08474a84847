"""What verbs share: how a command is obeyed, types of arguments, the budget's flags, errors, tables.

Only the standard library is imported at the top: `--help` works, and fast, before anything is installed.
"""

import argparse
import os
import re
import sys
import warnings
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import pandas as pd

    from workbench.budget import QueryBudget


def run_command_line(
    program: str, description: str, verb_modules: Iterable[ModuleType], arguments: list[str] | None = None
) -> int:
    """Obeys one command of `program` and returns its exit code: 0 good, 1 a check failed, 2 bad input.

    A check may have a code of its own for "cannot tell", 3 with `compare --fail-if-unsure`. Each of the
    `verb_modules` has `add(verbs)`, which adds its verbs to the parser, and EXAMPLES, one command of each.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # documents may hold what this terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return _obey(parser_of(program, description, verb_modules), arguments)
        finally:  # a pipe that is gone is noticed here, before the interpreter ends
            print(end="", flush=True)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # what read our output has ended, e.g. `| head`
        _drop_output()
        return 141
    except ModuleNotFoundError as error:
        cure = "run: pip install -r requirements.txt (in the project's folder)"
        print(f"{error.name} is not installed; {cure}", file=sys.stderr)
        return 2
    except OSError as error:  # of the flush above: the disk that our output goes to is full
        _drop_output()
        return fail(program, f"the output cannot be written ({error.strerror})")


def parser_of(program: str, description: str, verb_modules: Iterable[ModuleType]) -> "Parser":
    """The parser of a program: every verb of its modules, with its example at the end of its help."""
    parser = Parser(prog=program, description=description)
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", dest="verb")
    for module in verb_modules:
        module.add(verbs)
        for verb, example in module.EXAMPLES.items():
            verbs.choices[verb].epilog = f"example:\n  {program} {example}"
    return parser


def _obey(parser: "Parser", arguments: list[str] | None) -> int:
    chosen = parser.parse_args(arguments)
    if chosen.verb is None:
        parser.print_help()
        return 2
    with warnings.catch_warnings():
        warnings.showwarning = lambda text, *_: print(f"warning: {one_line(str(text))}", file=sys.stderr)
        try:
            return chosen.command(chosen)
        except BrokenPipeError:
            raise
        except (ValueError, OSError, RuntimeError) as error:
            return fail(f"{parser.prog} {chosen.verb}", error)


def _drop_output() -> None:
    """What is still to be printed goes nowhere, so that the interpreter does not try it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong with a command."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **{"formatter_class": _Help} | kwargs)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {one_line(message)}; see {self.prog} --help\n")


class _Help(argparse.HelpFormatter):
    """Prose is wrapped; an indented line is a command to copy, and is not."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        return "\n".join(
            line if line.startswith(" ") else fill(line, width, indent) for line in text.splitlines()
        )


def whole_number(text: str, least: int = 1) -> int:
    """A number of things, from `least` up. Raises ArgumentTypeError for anything else.

    >>> whole_number("10")
    10
    """
    if not re.fullmatch("[0-9]{1,9}", text) or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not possible; needed a whole number from {least} up")
    return int(text)


number_or_zero = partial(whole_number, least=0)


def path_type(text: str) -> Path:
    """A path as a reader wrote it, `~` understood. Raises ArgumentTypeError for an empty one.

    >>> path_type("docs/guide").as_posix()
    'docs/guide'
    """
    if not text.strip():
        raise argparse.ArgumentTypeError("the path is empty; needed the name of a file or folder")
    try:
        return Path(text).expanduser()
    except RuntimeError:  # ~somebody, who has no home here
        unknown = f"{text!r} starts with the home of a user who is not known here"
        raise argparse.ArgumentTypeError(unknown) from None


def existing_path(text: str) -> Path:
    """The path of a file or folder that exists. Raises ArgumentTypeError for one that does not."""
    path = path_type(text)
    try:
        found = path.exists()
    except (OSError, ValueError) as error:  # a folder on the way may not be entered, a name may be too long
        raise argparse.ArgumentTypeError(f"{path} cannot be read ({_reason(error)})") from None
    if not found:
        raise argparse.ArgumentTypeError(f"{path} is not there; needed a file or folder that is")
    return path


def existing_file(text: str) -> Path:
    """The path of a file that exists. Raises ArgumentTypeError for a folder and for what does not exist."""
    path = existing_path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{path} is a folder; needed a file")
    return path


def add_corpus(parser: argparse.ArgumentParser, snapshot: bool = True) -> None:
    """Adds `--corpus`, and `--snapshot` for a verb that searches one."""
    where = "the folder of the corpus, made with init"
    parser.add_argument("--corpus", type=path_type, required=True, metavar="DIR", help=where)
    if snapshot:
        which = "its id or the beginning of it (default: the one built last)"
        parser.add_argument("--snapshot", metavar="ID", help=which)


LIMITS = {
    "max_total_items": (whole_number, 10, "stop after N items (default: 10)"),
    "maximum_total_characters": (whole_number, None, "skip an item that would bring the sum above N"),
    "max_items_per_source": (whole_number, None, "skip an item whose source has N already"),
    "offset": (number_or_zero, 0, "skip the first N candidates (default: 0)"),
}
"""The limits of a query budget: `{name: (type, default, help)}`."""


def add_budget(parser: argparse.ArgumentParser) -> None:
    """Adds the limits of a query budget; `budget` reads them."""
    group = parser.add_argument_group("budget", "which of the ranked candidates are let through as evidence")
    for name, (kind, default, words) in LIMITS.items():
        flag = f"--{name.replace('_', '-')}"
        group.add_argument(flag, type=kind, default=default, metavar="N", help=words)


def budget(chosen: argparse.Namespace) -> "QueryBudget":
    """The budget that the flags of `add_budget` ask for.

    >>> parser = Parser()
    >>> add_budget(parser)
    >>> budget(parser.parse_args(["--max-total-items", "5", "--max-items-per-source", "1"]))
    QueryBudget(max_total_items=5, maximum_total_characters=None, max_items_per_source=1, offset=0)
    """
    from workbench.budget import QueryBudget

    return QueryBudget(**{name: getattr(chosen, name) for name in LIMITS})


def budget_name(limits: "QueryBudget") -> str:
    """A budget as part of a file's name, so that another budget is another report.

    >>> from workbench.budget import QueryBudget
    >>> budget_name(QueryBudget(max_total_items=5, max_items_per_source=1))
    '5-items-1-a-source'
    """
    given = {"items": limits.max_total_items, "characters": limits.maximum_total_characters}
    given |= {"a-source": limits.max_items_per_source, "left-out": limits.offset or None}
    return "-".join(f"{value}-{name}" for name, value in given.items() if value is not None)


def check_output(path: Path, *endings: str, reads: Path | None = None) -> Path:
    """The path of a file that can be written, its folder made; found out before long work and not after it.

    Raises ValueError for another ending, for a folder, for the file that the same command reads, for what
    makes a folder a corpus or a snapshot, and where no file can be made.

    >>> check_output(Path("page.pdf"), ".html", ".md")
    Traceback (most recent call last):
    ValueError: --out page.pdf must name a file that ends in .html or .md
    """
    if path.suffix not in endings or path.is_dir():
        raise ValueError(f"--out {path} must name a file that ends in {' or '.join(endings)}")
    if reads and path.exists() and path.samefile(reads):
        raise ValueError(f"--out {path} is the file that is read; give another name")
    if path.name in ("corpus.json", "manifest.json") and path.exists():
        raise ValueError(f"--out {path} is what makes its folder a corpus or a snapshot; give another name")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"--out {path} cannot be written ({_reason(error)}); give another path") from None
    if not os.access(path.parent, os.W_OK):
        shut = f"{path.parent} does not allow it"
        raise ValueError(f"--out {path} cannot be written: {shut}; give another path")
    return path


def fail(command: str, error: Exception | str) -> int:
    """Says on stderr what is wrong with a command's input, a line a problem, and returns the exit code, 2."""
    first, *others = str(_reason(error)).splitlines() or [""]
    print(f"{command}: {one_line(first)}", file=sys.stderr)
    for line in others:
        if line.strip():
            print(f"  {one_line(line)}", file=sys.stderr)
    return 2


def _reason(error: Exception | str) -> str:
    """An error in words: the system's own without its number, and never an empty text."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        # What is half written stands under a name that the reader does not know, in a folder that they do.
        half_written = str(error.filename).endswith(".partial")
        return f"{Path(error.filename).parent if half_written else error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def one_line(text: str, width: int | None = None) -> str:
    """Text for one line of a terminal: white space squeezed, control characters replaced, cut to `width`.

    >>> one_line("Restart\\tthe \\x1b[31mpod\\n  now.", 19)
    'Restart the ?[31mp…'
    """
    printable = _printable(" ".join(text.split()))
    return printable if width is None or len(printable) <= width else printable[: width - 1] + "…"


def shown(path: Path) -> str:
    """A path as a reader would write it: from the folder in which the command was given, where it is inside.

    >>> shown(Path("no such folder/re\x1b[31mport.json"))
    'no such folder/re?[31mport.json'
    """
    try:
        return _printable(path.resolve().relative_to(Path.cwd()).as_posix())
    except (ValueError, OSError):
        return _printable(str(path))


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def table_text(frame: "pd.DataFrame") -> str:
    """A frame for a terminal: a figure that does not exist is left blank, long names are broken."""
    from tabulate import tabulate

    headers = [re.sub("^published ", "published\n", name) for name in frame.columns]
    widths = [36 if name == "system" else None for name in frame.columns]
    as_written = [index for index, name in enumerate(frame.columns) if name == "relevant/query"]
    cells = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    shape = {"floatfmt": ".4f", "missingval": "", "maxcolwidths": widths, "disable_numparse": as_written}
    return tabulate(cells, headers, **shape)
