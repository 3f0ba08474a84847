"""The command line: `python -m course VERB`."""

import sys

from course import verbs
from workbench.commands import run_command_line

VERBS = (verbs,)


def main(arguments: list[str] | None = None) -> int:
    """Obeys one command and returns its exit code."""
    return run_command_line(
        "python -m course", "Measure First: a course on retrieval evaluation.", VERBS, arguments
    )


if __name__ == "__main__":
    sys.exit(main())
