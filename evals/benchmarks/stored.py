"""What every benchmark stores the same way: the machine and versions it ran on, and its JSON beside its
table."""

import json
import os
import platform
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent


def machine(packages: Iterable[str]) -> dict:
    """How many cores this process may use, the Python, and the versions of the packages."""
    return {
        "cpus": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in packages},
    }


def store(name: str, found: dict, table: str) -> None:
    """Writes `name.json` and `name.md` beside this file, and prints the table."""
    (HERE / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (HERE / f"{name}.md").write_text(table, encoding="utf-8")
    print(table)
