"""The command line: `measure-first VERB`, or `python -m course VERB`."""

import sys
from pathlib import Path

from course import verbs
from workbench.commands import Program

PROGRAM = Program(
    "measure-first" if Path(sys.argv[0]).stem.startswith("measure-first") else "python -m course",
    "Measure First: a course on retrieval evaluation.",
    {"lessons": verbs.LESSONS, "collections": verbs.COLLECTIONS, "teaching": verbs.TEACHING},
    instead={verb: f"write `workbench {verb}`" for verb in ("new", "evaluate", "datasets", "lab")},
    codes={1: "run, solved: a cell failed, or an exercise is not right"},
)


def main(arguments: list[str] | None = None) -> int:
    """Obeys one command and returns its exit code."""
    return PROGRAM.obey(arguments)


if __name__ == "__main__":
    sys.exit(main())
