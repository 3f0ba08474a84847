"""How the one command `pytest` tests the notebooks: it chooses by what this computer has.

Where SciFact is found, every stored output must equal what the cell gives now (strict nbval; pictures excepted). Where it
is not, the lessons run on the bundled collection and their cells and asserts must hold. Tests never download anything.
"""

import os
import tempfile

import pytest

from helpers import datasets, files

files.settle_folders()
_HAVE_SCIFACT = datasets.find_beir("scifact") is not None


def pytest_configure(config: pytest.Config) -> None:
    os.environ["MEASURE_FIRST_OFFLINE"] = "1"
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    os.environ.setdefault("MEASURE_FIRST_RESULTS", tempfile.mkdtemp(prefix="measure-first-results-"))
    if not (config.option.nbval or config.option.nbval_lax):
        config.option.nbval, config.option.nbval_lax = _HAVE_SCIFACT, not _HAVE_SCIFACT


def pytest_report_header() -> str:
    if _HAVE_SCIFACT:
        return "notebooks: SciFact is here, stored outputs are compared"
    return "notebooks: SciFact is not here, cells are executed on the bundled collection"
