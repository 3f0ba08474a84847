"""How a command is obeyed: verbs in groups, mistakes named with what was meant, exit codes, JSON.

Only the standard library is imported at the top: `--help` works, and fast, before anything is installed.
"""

import argparse
import csv
import difflib
import errno
import json
import math
import os
import re
import shlex
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

EXIT_CODES = {
    0: "done",
    2: "what was asked could not be done: bad input, a file or a package missing, a full disk",
    130: "stopped with Ctrl-C",
    141: "whoever read the output has gone, as with | head",
}
"""Those of every program; a program has others of its own."""

_TRACEBACK = "WORKBENCH_TRACEBACK"

PACKAGES = {
    "Stemmer": "PyStemmer",
    "bs4": "beautifulsoup4",
    "qdrant_client": "qdrant-client",
    "rank_bm25": "rank-bm25",
    "yaml": "pyyaml",
}
"""Which package to install, where it has another name than the module."""

_NO_ROOM = "; free some space there, or write elsewhere. Nothing that was there before is lost"
_CURES = {
    errno.ENOSPC: _NO_ROOM,
    errno.EDQUOT: _NO_ROOM,
    errno.ENAMETOOLONG: "; a name may have 255 bytes at most, give a shorter one",
    errno.ENOTDIR: "; a file stands where a folder is needed, rename it",
    errno.EISDIR: "; a folder stands where a file is needed, rename it",
    errno.EEXIST: "; a file stands where a folder is needed, rename it",
    errno.EACCES: "; give yourself the right to it, or name another place",
    errno.EPERM: "; the system does not allow it, name another place",
    errno.ENOENT: "; see that it is written right, and that its folder is there and can be written to",
    errno.ELOOP: "; its links lead in a circle, mend them",
    errno.EMFILE: "; too many files are open, close some programs",
    errno.EROFS: "; nothing can be written there, name another place",
}
"""What is said of a fault of the file system beside its name."""
BROKEN_LINK = "is a link that leads nowhere, or in a circle; mend it"


@dataclass(frozen=True)
class Answer:
    """What a verb found: in words for a terminal, as plain data for `--json`, and the exit code."""

    text: str
    data: object
    code: int = 0


@dataclass(frozen=True)
class Verb:
    """One verb. To add one: write it in the list VERBS of a module, and that list in a group of its program.

    `arguments` adds the verb's own to its parser, `run` obeys. A verb that `answers` gives an `Answer`, and
    `--json` is added to it here; any other prints as it goes and gives its exit code. `gone` says, for an
    option of an earlier edition, what to write today.
    """

    name: str
    does: str
    description: str
    example: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Answer | int]
    answers: bool = True
    gone: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    """A command line: its verbs in groups, and for some that it does not have what to type in their place."""

    name: str
    description: str
    groups: Mapping[str, Sequence[Verb]]
    instead: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[int, str] = field(default_factory=dict)

    @property
    def verbs(self) -> dict[str, Verb]:
        """All verbs by name, in the order of the groups."""
        return {verb.name: verb for verbs in self.groups.values() for verb in verbs}

    def parser(self) -> "Parser":
        """The parser of all verbs; each has its example at the end of its help."""
        parser = Parser(prog=self.name, description=self.description, epilog=self._listed())
        parser.program = self
        parser.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
        added = parser.add_subparsers(title="verbs", metavar="VERB", dest="verb", help="one of those below")
        for verb in self.verbs.values():
            example = f"example:\n  {self.name} {verb.example}"
            one = added.add_parser(verb.name, description=verb.description, epilog=example)
            verb.arguments(one)
            if verb.answers:
                one.add_argument("--json", action="store_true", help="print the answer as JSON")
            one.set_defaults(verb_parser=one)
        return parser

    def _listed(self) -> str:
        wide = max(map(len, self.verbs))
        lines = []
        for title, verbs in self.groups.items():
            lines += [f"{title}:", *(f"  {verb.name:<{wide}}  {verb.does}" for verb in verbs), ""]
        codes = sorted((EXIT_CODES | self.codes).items())
        lines += ["exit codes:", *(f"  {code:<3}  {means}" for code, means in codes), ""]
        return "\n".join([*lines, f"`{self.name} VERB --help` says what a verb takes, with an example."])

    def obey(self, arguments: list[str] | None = None) -> int:
        """Obeys one command and returns its exit code."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # documents may hold what this terminal cannot show
                stream.reconfigure(errors="backslashreplace")
        try:
            try:
                return self._obey(arguments)
            finally:  # a pipe that is gone is noticed here, before the interpreter ends
                print(end="", flush=True)
        except KeyboardInterrupt:
            print("\nstopped", file=sys.stderr)
            return 130
        except BrokenPipeError:  # what read our output has ended, e.g. `| head`
            _drop_output()
            return 141
        except ImportError as error:
            return fail(self.name, _missing(error))
        except OSError as error:  # of the flush above: the disk that our output goes to is full
            _drop_output()
            return fail(self.name, f"the output cannot be written ({error.strerror})")
        except SystemExit:
            raise
        except BaseException as error:  # our own fault; never 1, which a gate would take for "worse"
            return self._own_fault(error, arguments)

    def _own_fault(self, error: BaseException, arguments: list[str] | None) -> int:
        """Says what went wrong where nobody thought of it: what was asked, the error, where, what to do."""
        asked = shlex.join([self.name, *(sys.argv[1:] if arguments is None else arguments)])
        last = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"
        if os.environ.get(_TRACEBACK):
            traceback.print_exception(error)
        cure = f"run it again with {_TRACEBACK}=1 for the traceback, and report it, please"
        return fail(self.name, f"{what}\nin: {asked}\na fault of this program, or of a file it met: {cure}")

    def _obey(self, arguments: list[str] | None) -> int:
        parser = self.parser()
        try:
            chosen = parser.parse_args(arguments)
        except (OSError, ValueError) as error:  # of a path that the system cannot even look for
            return fail(self.name, error)
        if chosen.verb is None:
            parser.print_help()
            return 2
        try:
            os.getcwd()
        except OSError:
            return fail(self.name, "the folder in which you are is gone; go to one that is there, with cd")
        if wrong := _odd_time():
            return fail(self.name, wrong)
        with warnings.catch_warnings():
            warnings.showwarning = lambda text, *_: print(f"warning: {one_line(str(text))}", file=sys.stderr)
            try:
                answer = self.verbs[chosen.verb].run(chosen)
            except BrokenPipeError:
                raise
            except MemoryError:
                return fail(f"{self.name} {chosen.verb}", "not enough memory; give it less, or more memory")
            except (ValueError, OSError, RuntimeError, csv.Error) as error:
                return fail(f"{self.name} {chosen.verb}", error)
        if not isinstance(answer, Answer):
            return answer
        if chosen.json:
            ascii_alone = not (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf8")
            print(json.dumps(_plain(answer.data), indent=2, ensure_ascii=ascii_alone, allow_nan=False))
        elif answer.text:
            print(answer.text)
        return answer.code


_TIME = "SOURCE_DATE_EPOCH"
_LAST_SECOND = 253_402_300_799  # of the year 9999


def _odd_time() -> str:
    """What is wrong with the time that libraries take for now; "" for a good one, and for an empty one,
    which is taken for unset.
    """
    given = os.environ.get(_TIME, "")
    if not given.strip():
        os.environ.pop(_TIME, None)
        return ""
    if re.fullmatch("[0-9]{1,12}", given) and int(given) <= _LAST_SECOND:
        return ""
    needed = "needed whole seconds since 1970, in digits only, or unset it"
    return f"the environment variable {_TIME} is {given!r:.40}; {needed}"


_IN_WORDS = {
    "expected one argument": "it needs a value after it (one that begins with - after =, as --out=-x)",
    "expected at least one argument": "it needs one value or more after it",
    "ambiguous option: ": "say which of several options: ",
    "ignored explicit argument": "it takes no value; leave out",
}
"""What argparse says, and what is said in its place."""


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong with a command, and what was probably meant."""

    program: Program | None = None
    _given: Sequence[str] = ()

    def __init__(self, *args, **kwargs):
        # A shortened option is refused: a script that looks for the whole one would not see it.
        super().__init__(*args, **{"formatter_class": _Help, "allow_abbrev": False} | kwargs)
        for name, action in {None: _Once, "store": _Once, "store_true": _Switch}.items():
            self.register("action", name, action)

    def error(self, message: str) -> NoReturn:
        for said, better in _IN_WORDS.items():
            message = message.replace(said, better)
        if message.startswith("the following arguments are required"):
            unknown = [word for word in self._given if _is_option(word) and not self._knows(word)]
            message = message.replace("the following arguments are required:", "missing:")
            if unknown:
                cure = _meant(unknown[0].partition("=")[0], self._option_string_actions)
                takes_text = any(not action.option_strings for action in self._actions)
                as_text = f"; write -- before a text that begins so: -- {unknown[0]}"
                cure = cure or (as_text if takes_text else f"; it takes {self._takes()}")
                message += f"; {unknown[0]!r} is no option here{cure}"
        self.exit(2, f"{self.prog}: {one_line(message)}; see {self.prog} --help\n")

    def parse_known_args(self, args=None, namespace=None):
        self._given = sys.argv[1:] if args is None else list(args)
        self._check_signs()
        return super().parse_known_args(args, namespace)

    def _check_signs(self) -> None:
        """Refuses words that are not what they look like: a long dash before an option, a line end of
        Windows at the end of a value."""
        for word in self._given:
            if word == "--":
                return
            if word.endswith("\r"):
                cure = "was a script saved with the line ends of Windows? Save it with those of Unix"
                self.error(f"{word!r} ends in a carriage return; {cure}")
            plain = word.lstrip("-" + _LONG_DASHES)
            meant = [one for one in (f"--{plain}", f"-{plain}") if self._knows(one)]
            if word[:1] in tuple(_LONG_DASHES) and meant:
                self.error(f"{word!r} begins with a long dash; write {meant[0]}")

    def parse_args(self, args=None, namespace=None):
        chosen, too_many = self.parse_known_args(args, namespace)
        if too_many:
            asked = getattr(chosen, "verb_parser", None) or self
            asked.error(self._said_of(too_many, asked, getattr(chosen, "verb", None)))
        return chosen

    def _said_of(self, too_many: list[str], asked: "Parser", verb: str | None) -> str:
        """What is said of words that no argument takes: a misspelt option, or words without quotes."""
        options = [word.partition("=")[0] for word in too_many if _is_option(word)]
        if not options:
            words = " ".join(too_many)
            in_quotes = "a text or a path with a blank in it goes in quotes"
            cure = self._one_path(too_many, asked) or _of_project(words, asked) or in_quotes
            return f"{words!r} is too much; {cure}"
        gone = self.program.verbs[verb].gone if self.program and verb else {}
        if options[0] in gone:
            return f"{options[0]} is gone; {gone[options[0]]}"
        near = _meant(options[0], asked._option_string_actions)
        return f"there is no option {options[0]}{near or f'; it takes {asked._takes()}'}"

    def _takes(self) -> str:
        """All that can be given, as the help names it."""
        actions = [action for action in self._actions if action.dest != "help"]
        return ", ".join(
            action.option_strings[-1] if action.option_strings else str(action.metavar or action.dest)
            for action in actions
        )

    def _one_path(self, too_many: list[str], asked: "Parser") -> str:
        """What is said of words too many that are paths behind another one, as a shell makes of a *;
        "" for others."""
        before = self._given[: list(self._given).index(too_many[0])]
        if not before or not all(map(os.path.exists, [before[-1].rpartition("=")[2], *too_many])):
            return ""
        option = next((word for word in before[-1:-3:-1] if word.startswith("--")), "").partition("=")[0]
        action = asked._option_string_actions.get(option)
        folder = action is not None and action.metavar == "PATH"
        cure = "give the folder that holds them" if folder else "give them one at a time"
        return f"{option or 'this'} takes one {'file or folder' if folder else 'path'}: {cure}"

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """argparse's own check, with what was probably meant."""
        if action.choices is None or value in action.choices:
            return
        if action.dest == "verb" and self.program:
            if value in self.program.instead:
                said = f"there is no verb {value!r}; {self.program.instead[value]}"
                raise argparse.ArgumentError(None, said)
            verb = next((word for word in self._given if word in action.choices), None)
            if self._given[0].startswith("-") and verb:
                said = f"the verb comes first: {self.program.name} {verb} ... {self._given[0]} ..."
                raise argparse.ArgumentError(None, said)
            near = _meant(value, action.choices)
            raise argparse.ArgumentError(None, f"there is no verb {value!r}{near}")
        can = f"it can be {', '.join(map(str, action.choices))}"
        raise argparse.ArgumentError(action, f"there is no {value!r}{_meant(value, action.choices)}; {can}")

    def _knows(self, word: str) -> bool:
        return word.partition("=")[0] in self._option_string_actions


_LONG_DASHES = "\u2013\u2014\u2212"
"""What word processors make of - and --: the dashes of print, and the sign for minus."""


class _Help(argparse.HelpFormatter):
    """Prose is wrapped; an indented line, and one that is short, stands as it is."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        return "\n".join(
            line if line.startswith(" ") or not line else fill(line, width, indent)
            for line in text.splitlines()
        )


class _Once(argparse._StoreAction):
    """An option with a value: a second one would silently take the place of the first."""

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string:
            if self.dest in given_options(namespace):
                raise argparse.ArgumentError(self, "it is given twice; give it once")
            given_options(namespace)[self.dest] = self.option_strings[0]
        super().__call__(parser, namespace, values, option_string)


class _Switch(argparse._StoreTrueAction):
    def __call__(self, parser, namespace, values, option_string=None):
        given_options(namespace)[self.dest] = self.option_strings[0]
        super().__call__(parser, namespace, values, option_string)


def given_options(chosen: argparse.Namespace) -> dict[str, str]:
    """The options that a reader wrote, and not those that have their defaults: `{name: option}`."""
    return vars(chosen).setdefault("_given", {})


def refuse_options(chosen: argparse.Namespace, names: Sequence[str], why: str) -> None:
    """Raises ValueError where one of these options was written, which would have no effect.

    >>> refuse_options(argparse.Namespace(_given={"seed": "--seed"}), ["seed"], "without --sample")
    Traceback (most recent call last):
    ValueError: --seed has no effect without --sample; leave it out
    """
    written = [given_options(chosen)[name] for name in names if name in given_options(chosen)]
    if written:
        verb = "has" if len(written) == 1 else "have"
        cure = "leave it out" if len(written) == 1 else "leave them out"
        raise ValueError(f"{' and '.join(written)} {verb} no effect {why}; {cure}")


class _Version(argparse.Action):
    def __call__(self, parser, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("measure-first")
        except PackageNotFoundError:
            found = "not installed"
        python = ".".join(map(str, sys.version_info[:3]))
        print(f"measure-first {found} (Python {python}, {Path(__file__).parents[2]})")
        parser.exit(0)


def _of_project(words: str, asked: Parser) -> str:
    """What is said of a folder that was given to a verb as the project; "" for other words."""
    is_folder = asked._knows("--project") and os.path.isdir(words)
    return f"a project's folder goes after --project: --project {shlex.quote(words)}" if is_folder else ""


def _is_option(word: str) -> bool:
    return word.startswith("-") and word not in ("-", "--")


def _meant(word: str, names: Mapping | Sequence[str]) -> str:
    by_letters = {str(name).lstrip("-"): str(name) for name in names}  # dashes are in every option
    word = str(word).lstrip("-")
    near = difflib.get_close_matches(word, by_letters, n=2)
    near = near or difflib.get_close_matches(word.lower(), by_letters, n=2)
    return f"; did you mean {' or '.join(by_letters[one] for one in near)}" if near else ""


def _missing(error: ImportError) -> str:
    """What is said of a module that is not there, or that another of its name stands before."""
    top = (error.name or "").partition(".")[0]
    if top in ("helpers", "workbench", "course"):
        where = getattr(sys.modules.get(top), "__path__", None)
        found = f"{next(iter(where))} is taken for our {top}" if where else f"our {top} is not there"
        return f"{found} ({error}); use the command `workbench`, or give that folder another name"
    if not isinstance(error, ModuleNotFoundError):
        return f"{error.name or 'a package'} cannot be loaded ({error}); install it again"
    install = f"{sys.executable} -m pip install {PACKAGES.get(top, top)}"
    return f"{error.name} is not installed for this Python; run: {install}"


def _plain(value: object) -> object:
    """Data in the forms of JSON: paths as text, numbers of NumPy as numbers, tables as lists of rows, and as
    null what is no number or infinite."""
    if hasattr(value, "to_dict"):  # a table: a dict for each row
        value = value.to_dict("records") if value.ndim == 2 else value.to_dict()
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _drop_output() -> None:
    """What is still to be printed goes nowhere, so that the interpreter does not try it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(command: str, error: Exception | str) -> int:
    """Says on stderr what is wrong with a command's input, a line a problem, and returns the exit code, 2."""
    first, *others = str(reason(error)).splitlines() or [""]
    print(f"{command}: {one_line(first)}", file=sys.stderr)
    for line in others:
        if line.strip():
            print(f"  {one_line(line)}", file=sys.stderr)
    return 2


def reason(error: Exception | str) -> str:
    """An error in words: the system's own without its number, and never an empty text."""
    if isinstance(error, UnicodeDecodeError):
        return f"a file is not valid UTF-8 (byte {error.start + 1}, {error.object[:20]!r}); save it as UTF-8"
    if str(error).startswith("Symlink loop from "):  # of pathlib, for a part of a path too
        return f"{str(error).removeprefix('Symlink loop from ')} {BROKEN_LINK}"
    if not isinstance(error, OSError) or not error.strerror:
        return str(error) or type(error).__name__
    cure = _CURES.get(error.errno, "")
    said = cure.removeprefix("; ") if error.strerror in cure else error.strerror + cure
    if error.filename is None:
        return said
    # What is half written stands under a name that the reader does not know, in a folder that they do.
    half_written = str(error.filename).endswith(".partial")
    name = str(Path(error.filename).parent if half_written else error.filename)
    return f"{name if len(name) <= 200 else name[:60] + '…'}: {said}"


def one_line(text: str, width: int | None = None) -> str:
    """Text for one line of a terminal: white space squeezed, control characters replaced, cut to `width`.

    >>> one_line("Restart\\tthe \\x1b[31mpod\\n  now.", 19)
    'Restart the ?[31mp…'
    """
    line = printable(" ".join(text.split()))
    return line if width is None or len(line) <= width else line[: width - 1] + "…"


def printable(text: str) -> str:
    """A text without what a terminal would obey and not show.

    >>> printable("re\\x1b[31mport.json")
    're?[31mport.json'
    """
    return "".join(char if char.isprintable() else "?" for char in text)
