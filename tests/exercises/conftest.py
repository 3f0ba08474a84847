"""What the tests of the exercises share."""

import pytest


@pytest.fixture(autouse=True)
def folder_for_results(tmp_path, monkeypatch):
    """Right answers are kept beside results; those of a test go to a folder of its own."""
    monkeypatch.setenv("MEASURE_FIRST_RESULTS", str(tmp_path / "results"))
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "cache"))
