"""Runs a learner's script in a process of its own and reads the figures that it prints."""

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from helpers.base import files

SECONDS = 60
"""Within which a script must have ended; a search of a larger collection gets more."""


class Printed(NamedTuple):
    """The figure that a script printed, or in words why there is none."""

    figure: float | None
    problem: str = ""


def printed_figures(script: Path, folders: list[Path], seed: int = 0) -> list[Printed]:
    """What `python script folder` prints for each folder: the last `nDCG@10 = x`, or why there is none.

    All in one process, in which the script begins anew for each folder. `seed` is that of Python's hashes, on
    which the order of a set depends.
    """
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch, "printed.jsonl")
        command = [*alone("printing.py"), str(script), str(out), *map(str, folders)]
        done = run_python(command, script.parent, seed)
        written = out.read_text(encoding="utf-8") if out.is_file() else ""
    found = [_read(**json.loads(line)) for line in written.splitlines()]
    if len(found) < len(folders):
        why = done if isinstance(done, str) else f"It stops: {_last_lines(done.stderr)}"
        found += [Printed(None, why)] * (len(folders) - len(found))
    return found


def _read(printed: str, error: str) -> Printed:
    figures = re.findall(r"nDCG@10\s*=\s*(-?\d+(?:\.\d+)?)", printed)
    if error:
        return Printed(None, f"It stops: {_last_lines(error)}")
    if not figures:
        return Printed(None, "It prints no line such as `nDCG@10 = 0.1234`; the check reads that one.")
    return Printed(float(figures[-1]))


def run_python(
    arguments: list[str], cwd: Path, seed: int = 0, given: str = "", seconds: float = SECONDS
) -> subprocess.CompletedProcess | str:
    """What Python did with the arguments, or why it did not end, in words."""
    where = os.pathsep.join(filter(None, [str(files.PACKAGES), os.environ.get("PYTHONPATH", "")]))
    env = os.environ | {"PYTHONHASHSEED": str(seed), "PYTHONPATH": where, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, *arguments]
    try:
        return subprocess.run(
            command, cwd=cwd, env=env, input=given, capture_output=True, timeout=seconds, encoding="utf-8"
        )
    except subprocess.TimeoutExpired:
        return f"It was stopped after {seconds:.0f} seconds. Which loop does not end?"


def alone(program: str) -> list[str]:
    """Python's arguments that run a file of this package without importing the package: a learner's search
    waits for nothing that it does not use."""
    return [
        "-c",
        f"import runpy; runpy.run_path({str(Path(__file__).with_name(program))!r}, run_name='__main__')",
    ]


def _last_lines(stderr: str) -> str:
    """The error of a traceback, with the line of the learner's script that raised it."""
    lines = stderr.strip().splitlines()
    places = [line for line in lines if re.match(r'\s+File ".*", line \d+', line)]
    where = re.search(r"line \d+", places[-1])[0] if places else ""
    error = lines[-1] if lines else "without a word"
    return f"{error} ({where})" if where else error


def imports_of(script: Path) -> set[str]:
    """The packages that a script imports, by their first name. Raises SyntaxError."""
    found = set()
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8-sig"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def not_python(script: Path) -> str:
    """Why a file is no Python, in words; "" where it is."""
    try:
        imports_of(script)
    except SyntaxError as error:
        return f"It is no Python: {error.msg} (line {error.lineno})."
    except (ValueError, UnicodeDecodeError):
        return "It cannot be read as text in UTF-8."
    return ""
