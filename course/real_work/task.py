"""A piece of real work: files that are handed out, a check that measures what was made of them, hints."""

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from course.exercises.verdict import RIGHT, WIDTH, WRONG

MATERIAL = Path(__file__).with_name("material")
SOLUTIONS = Path(__file__).with_name("solutions")


@dataclass(frozen=True)
class Report:
    """What a check found: one of the three statuses of an exercise, and the lines that say why."""

    status: str
    lines: tuple[str, ...] = ()
    found: Mapping[str, object] = field(default_factory=dict)
    """The same as data, for whoever reads it with a program."""

    def text(self, name: str) -> str:
        """For a terminal: the status, then the lines, wrapped where they are prose."""
        return "\n".join(
            [f"{name}: {self.status}", *(part for line in self.lines for part in _wrapped(line))]
        )


def _wrapped(line: str) -> list[str]:
    """A line cut to the width of a page; what comes after it in the paragraph is indented as it is."""
    indent = line[: len(line) - len(line.lstrip())]
    more = indent + ("  " if line.lstrip().startswith(("- ", "? ")) else "")
    return textwrap.wrap(line, WIDTH, subsequent_indent=more, break_on_hyphens=False) or [""]


@dataclass(frozen=True)
class Task:
    """`files` gives what is handed out, `{path in the task's folder: text}`; `judge` takes that folder.

    `difficulty` is 1 to 3, `minutes` what it takes most people. `hints` are by part of the task, "" for all
    of it; each says more than the one before.
    """

    name: str
    title: str
    difficulty: int
    minutes: int
    hints: Mapping[str, tuple[str, ...]]
    files: Callable[[], Mapping[str, str]]
    judge: Callable[..., Report]

    @property
    def effort(self) -> str:
        """How hard it is and how long it takes, in words."""
        return f"difficulty {self.difficulty} of 3, about {self.minutes} minutes"


def material(folder: str, suffix: str = "") -> dict[str, str]:
    """The files of a folder of `material`, by name; `.txt` becomes `suffix` where one is given."""
    found = {}
    for path in sorted((MATERIAL / folder).iterdir()):
        name = path.stem + suffix if suffix and path.suffix == ".txt" else path.name
        found[name] = path.read_text(encoding="utf-8")
    return found


def is_untouched(path: Path, handed_out: str) -> bool:
    """Whether a file is there as it was handed out, but for white space at the ends of lines."""

    def plain(text: str) -> list[str]:
        return [line.rstrip() for line in text.strip().splitlines()]

    return path.is_file() and plain(path.read_text(encoding="utf-8-sig")) == plain(handed_out)


def joined(reports: Mapping[str, Report]) -> Report:
    """The reports of a task's parts as one: right if all are, untouched if none was touched."""
    statuses = {report.status for report in reports.values()}
    status = statuses.pop() if len(statuses) == 1 else WRONG
    n_right = sum(report.status == RIGHT for report in reports.values())
    lines = [f"{n_right} of {len(reports)} are right."] if status == WRONG else []
    for name, report in reports.items():
        lines += [f"{name}: {report.status}", *(f"    {line}" for line in report.lines)]
    return Report(status, tuple(lines), {name: report.status for name, report in reports.items()})
