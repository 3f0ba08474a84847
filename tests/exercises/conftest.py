"""What the tests of the exercises share."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def folder_for_results(tmp_path_factory):
    """Right answers are kept beside results; those of tests go to a folder of theirs."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEASURE_FIRST_RESULTS", str(folder / "results"))
        patch.setenv("MEASURE_FIRST_CACHE", str(folder / "cache"))
        yield
