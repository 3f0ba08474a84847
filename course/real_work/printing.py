"""Runs a learner's script once for each folder: run as `printing.py FILE OUT FOLDER ...`.

In a process of its own. The file is the learner's own, named by the check. For each folder the script begins
anew, as `python FILE FOLDER` would; what it prints, or how it stops, is a line of OUT.
"""

import contextlib
import io
import json
import os
import runpy
import sys
import traceback


def main(script: str, out: str, folders: list[str]) -> None:
    """Writes `{"printed": ..., "error": traceback or ""}` for each folder to `out`, one JSON a line."""
    sys.path.insert(0, os.path.dirname(script))
    with open(out, "w", encoding="utf-8") as file:
        for folder in folders:
            print(json.dumps(_run(script, folder)), file=file, flush=True)


def _run(script: str, folder: str) -> dict[str, str]:
    printed, error, sys.argv = io.StringIO(), "", [script, folder]
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        error = "" if stop.code in (None, 0) else f"SystemExit: {stop.code}"
    except BaseException:
        error = traceback.format_exc()
    return {"printed": printed.getvalue(), "error": error}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
