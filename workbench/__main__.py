"""The command line: `workbench VERB`, or `python -m workbench VERB`."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

_WAITS = 5.0  # seconds for the threads of a search of one's own


def main(arguments: list[str] | None = None) -> int:
    """Obeys one command and returns its exit code."""
    try:  # Ctrl-C may come while this is imported
        from workbench.commands.program import PROGRAM

        return PROGRAM.obey(arguments)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


def from_terminal() -> int:
    """`main`, and an end though a search of one's own has left a thread that runs on."""
    code = main()
    if _left():
        threading.Thread(target=_end_without, args=(code,), daemon=True).start()
    else:  # all is done and said: a Ctrl-C while Python ends would only change the exit code
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code


def _left() -> list[str]:
    """The threads for which Python would wait at its end."""
    return [
        one.name for one in threading.enumerate() if not one.daemon and one is not threading.main_thread()
    ]


def _end_without(code: int) -> None:
    time.sleep(_WAITS)
    said = f"a search left a thread that does not end ({', '.join(_left())}); ended without it"
    print(f"warning: {said}. Make it a daemon, or close what started it", file=sys.stderr, flush=True)
    sys.stdout.flush()
    os._exit(code)


def _folder_of_the_reader_last() -> None:
    """`python -m` looks first where it was started: a folder `helpers` there would be taken for ours."""
    try:
        here = Path.cwd()
    except OSError:  # it was deleted; the program says so
        return
    ours, first = Path(__file__).resolve().parents[1], Path(sys.path[0] or ".").resolve()
    if first == here != ours:
        sys.path.append(sys.path.pop(0))


if __name__ == "__main__":
    _folder_of_the_reader_last()
    sys.exit(from_terminal())
