"""The command line: `python -m workbench VERB`."""

import sys

from workbench.commands import corpus_verbs, dataset_verbs, evaluation_verbs, run_command_line

VERBS = (corpus_verbs, dataset_verbs, evaluation_verbs)


def main(arguments: list[str] | None = None) -> int:
    """Obeys one command and returns its exit code."""
    return run_command_line(
        "python -m workbench", "Measure First, for your own documents and your own search.", VERBS, arguments
    )


if __name__ == "__main__":
    sys.exit(main())
