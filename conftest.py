"""How the one command `pytest` tests the notebooks: notebook by notebook, by what this computer has.

Where everything that a notebook wants from outside (SciFact, the encoding cl100k_base) is found, every stored
output must equal what the cell gives now (strict nbval; pictures excepted). Where it is not, the notebook
runs on what is bundled and its cells and asserts must hold. Tests never download anything.
"""

import os
import tempfile

import pytest

from course import runner
from helpers.base import files

# The template's notebooks run in a project made of them, as test_projects.py does.
collect_ignore_glob = ["workbench/projects/template/*"]
files.settle_folders()
_WITHOUT = {
    path: [name for name in runner.wanted(path) if not runner.find(name)] for path in runner.find_lessons()
}


def pytest_configure(config: pytest.Config) -> None:
    os.environ["MEASURE_FIRST_OFFLINE"] = "1"
    os.environ["TQDM_DISABLE"] = "1"
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    os.environ.setdefault("MEASURE_FIRST_RESULTS", tempfile.mkdtemp(prefix="measure-first-results-"))
    if not (config.option.nbval or config.option.nbval_lax):
        config.option.nbval = True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _WITHOUT.get(item.path):
            item.options["check"] = False  # a cell of nbval: executed, its outputs not compared


def pytest_report_header() -> list[str]:
    return [
        f"{path.name}: "
        + (f"{' and '.join(names)} not here, cells are executed" if names else "stored outputs are compared")
        for path, names in _WITHOUT.items()
    ]
