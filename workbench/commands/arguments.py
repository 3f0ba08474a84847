"""What the verbs of a command line share: how it is obeyed, the parser, types of arguments, the budget's flags, errors and tables for a terminal.

The verbs themselves are in the other modules of this room. Only the standard library is imported at the top: `--help` works,
and fast, before anything is installed.
"""

import argparse
import os
import re
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import pandas as pd

    from workbench.budget import QueryBudget


def run_command_line(
    program: str, description: str, verb_modules: Iterable[ModuleType], arguments: list[str] | None = None
) -> int:
    """Obeys one command of `program` and returns its exit code: 0 good, 1 what was checked failed, 2 bad input.

    Each of the `verb_modules` has `add(verbs)`, which adds its verbs to the parser, and EXAMPLES, one command of each.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # documents may hold what this terminal cannot show
    try:
        try:
            return _obey(parser_of(program, description, verb_modules), arguments)
        finally:
            # Here, so that a pipe that is gone is noticed before the interpreter ends.
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
        warnings.showwarning = lambda message, *_: print(
            f"warning: {one_line(str(message))}", file=sys.stderr
        )
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
    """A parser that says what is wrong with a command in one line, and keeps the indented lines of a help text as they are."""

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


def whole_number(text: str) -> int:
    """A number of things, from 1 up. Raises ArgumentTypeError for anything else.

    >>> whole_number("10")
    10
    """
    return _at_least(1, text)


def number_or_zero(text: str) -> int:
    """A number of things, from 0 up. Raises ArgumentTypeError for anything else.

    >>> number_or_zero("0")
    0
    """
    return _at_least(0, text)


def _at_least(lowest: int, text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text) or int(text) < lowest:
        raise argparse.ArgumentTypeError(f"{text!r} is not possible; needed a whole number from {lowest} up")
    return int(text)


def place(text: str) -> Path:
    """A path as a reader wrote it, `~` understood. Raises ArgumentTypeError for an empty one, which would mean this folder.

    >>> place("docs/guide").as_posix()
    'docs/guide'
    """
    if not text.strip():
        raise argparse.ArgumentTypeError("the path is empty; needed the name of a file or folder")
    try:
        return Path(text).expanduser()
    except RuntimeError:  # ~somebody, who has no home here
        raise argparse.ArgumentTypeError(
            f"{text!r} starts with the home of a user who is not known here"
        ) from None


def there(text: str) -> Path:
    """The path of a file or folder that exists. Raises ArgumentTypeError for one that does not."""
    path = place(text)
    try:
        found = path.exists()
    except (OSError, ValueError) as error:  # a folder on the way may not be entered, a name may be too long
        raise argparse.ArgumentTypeError(f"{path} cannot be read ({_reason(error)})") from None
    if not found:
        raise argparse.ArgumentTypeError(f"{path} is not there; needed a file or folder that is")
    return path


def file_there(text: str) -> Path:
    """The path of a file that exists. Raises ArgumentTypeError for a folder and for what does not exist."""
    path = there(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{path} is a folder; needed a file")
    return path


def add_corpus(parser: argparse.ArgumentParser, snapshot: bool = True) -> None:
    """Adds `--corpus`, and `--snapshot` for a verb that searches one."""
    parser.add_argument(
        "--corpus", type=place, required=True, metavar="DIR", help="the folder of the corpus, made with init"
    )
    if snapshot:
        parser.add_argument(
            "--snapshot", metavar="ID", help="its id or the beginning of it (default: the one built last)"
        )


def add_budget(parser: argparse.ArgumentParser) -> None:
    """Adds the four limits of a query budget; `budget` reads them."""
    group = parser.add_argument_group("budget", "which of the ranked candidates are let through as evidence")
    group.add_argument(
        "--max-total-items",
        type=whole_number,
        default=10,
        metavar="N",
        help="stop after N items (default: 10)",
    )
    group.add_argument(
        "--maximum-total-characters",
        type=whole_number,
        metavar="N",
        help="skip an item that would bring the sum above N",
    )
    group.add_argument(
        "--max-items-per-source",
        type=whole_number,
        metavar="N",
        help="skip an item whose source has N already",
    )
    group.add_argument(
        "--offset",
        type=number_or_zero,
        default=0,
        metavar="N",
        help="skip the first N candidates (default: 0)",
    )


def budget(chosen: argparse.Namespace) -> "QueryBudget":
    """The budget that the flags of `add_budget` ask for.

    >>> budget(argparse.Namespace(max_total_items=5, maximum_total_characters=None, max_items_per_source=1, offset=0))
    QueryBudget(max_total_items=5, maximum_total_characters=None, max_items_per_source=1, offset=0)
    """
    from workbench.budget import QueryBudget

    return QueryBudget(
        max_total_items=chosen.max_total_items,
        maximum_total_characters=chosen.maximum_total_characters,
        max_items_per_source=chosen.max_items_per_source,
        offset=chosen.offset,
    )


def budget_name(limits: "QueryBudget") -> str:
    """A budget as part of a file's name, so that another budget is another report.

    >>> budget_name(budget(argparse.Namespace(max_total_items=5, maximum_total_characters=None, max_items_per_source=1, offset=0)))
    '5-items-1-a-source'
    """
    given = {"items": limits.max_total_items, "characters": limits.maximum_total_characters}
    given |= {"a-source": limits.max_items_per_source, "left-out": limits.offset or None}
    return "-".join(f"{value}-{name}" for name, value in given.items() if value is not None)


def check_output(path: Path, *endings: str, reads: Path | None = None) -> Path:
    """The path of a file that can be written, its folder made; found out before long work and not after it.

    Raises ValueError for another ending, for a folder, for the file that the same command reads, for what makes a folder a corpus
    or a snapshot, and where no file can be made.

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
        raise ValueError(f"--out {path} cannot be written ({_reason(error)}); give another place") from None
    if not os.access(path.parent, os.W_OK):
        raise ValueError(
            f"--out {path} cannot be written: {path.parent} does not allow it; give another place"
        )
    return path


def fail(command: str, error: Exception | str) -> int:
    """Says on stderr what is wrong with the input of a command, one line a problem, and returns the exit code for it, 2."""
    first, *others = str(_reason(error)).splitlines() or [""]
    print(f"{command}: {one_line(first)}", file=sys.stderr)
    for line in others:
        if line.strip():
            print(f"  {one_line(line)}", file=sys.stderr)
    return 2


def _reason(error: Exception | str) -> str:
    """An error in words: the system's own without its number, and never an empty text."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        beside = str(error.filename).endswith(
            ".partial"
        )  # of `files.replaced`: the reader knows only the folder
        return f"{Path(error.filename).parent if beside else error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def one_line(text: str, width: int | None = None) -> str:
    """Text for one line of a terminal: white space squeezed, what would move the cursor replaced, cut to `width` with a mark.

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


def named(values: Iterable[str], most: int = 5, between: str = ", ") -> str:
    """The first few of many names, and how many more there are.

    >>> named(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    values = list(values)
    more = f" and {len(values) - most:,} more" if len(values) > most else ""
    return between.join(one_line(value) for value in values[:most]) + more


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "document"), counted(1200, "query", "queries")
    ('1 document', '1,200 queries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def table_text(frame: "pd.DataFrame") -> str:
    """A frame for a terminal: a figure that does not exist is left blank, long names are broken."""
    from tabulate import tabulate

    headers = [
        name.replace(" ", "\n", 1) if name.startswith("published ") else name for name in frame.columns
    ]
    widths = [36 if name == "system" else None for name in frame.columns]
    as_written = [index for index, name in enumerate(frame.columns) if name == "relevant/query"]
    cells = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    return tabulate(
        cells, headers, floatfmt=".4f", missingval="", maxcolwidths=widths, disable_numparse=as_written
    )
