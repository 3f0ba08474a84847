"""The command line: `workbench VERB`, or `python -m workbench VERB`."""

import sys
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    """Obeys one command and returns its exit code."""
    try:  # Ctrl-C may come while this is imported
        from workbench.commands.program import PROGRAM

        return PROGRAM.obey(arguments)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


def _folder_of_the_reader_last() -> None:
    """`python -m` looks first where it was started: a folder `helpers` there would be taken for ours."""
    ours, first = Path(__file__).resolve().parents[1], Path(sys.path[0] or ".").resolve()
    if first == Path.cwd() != ours:
        sys.path.append(sys.path.pop(0))


if __name__ == "__main__":
    _folder_of_the_reader_last()
    sys.exit(main())
