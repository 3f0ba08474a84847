"""A bar where somebody looks on: in a terminal and in a notebook, and never among outputs that are kept."""

import io
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from helpers.base import progress
from helpers.failures import System, analyze
from helpers.records import Dataset
from helpers.retrieval import CsrBM25


class Terminal(io.StringIO):
    def isatty(self):
        return True


def bar_of(monkeypatch, stderr, **options):
    monkeypatch.setattr(sys, "stderr", stderr)
    assert list(progress(range(5), desc="counting", mininterval=0, **options)) == list(range(5))
    return stderr.getvalue()


def test_a_terminal_shows_how_far_it_is_once_that_takes_long(monkeypatch):
    monkeypatch.setenv("TQDM_DISABLE", "0")
    said = bar_of(monkeypatch, Terminal(), delay=1e-9)
    assert "counting" in said and "5/5" in said and said.endswith("\r")  # taken away at the end
    assert bar_of(monkeypatch, Terminal()) == ""  # done in less than two seconds


def test_a_file_and_a_pipe_show_nothing(monkeypatch):
    monkeypatch.setenv("TQDM_DISABLE", "0")
    assert bar_of(monkeypatch, io.StringIO(), delay=1e-9) == ""


@pytest.mark.parametrize(("disable", "bars"), [("0", 1), ("1", 0)])
def test_a_notebook_shows_it_unless_its_outputs_are_kept(monkeypatch, disable, bars):
    monkeypatch.setenv("TQDM_DISABLE", disable)
    source = "from helpers.base import progress\nfor _ in progress(range(3), delay=1e-9, mininterval=0): pass"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    NotebookClient(notebook, timeout=120).execute()
    outputs = notebook.cells[0].outputs
    shown = [one for one in outputs if "widget-view" in str(one) or one.get("name") == "stderr"]
    assert len(shown) == bars == len(outputs)


def test_an_analysis_shows_how_far_it_is_though_each_of_its_searches_is_short(monkeypatch):
    monkeypatch.setenv("TQDM_DISABLE", "0")
    monkeypatch.setattr(progress, "__kwdefaults__", {"delay": 1e-9})
    monkeypatch.setattr(sys, "stderr", Terminal())
    toy = Dataset("toy", "test", {"d1": "a cat"}, {"q1": "cat"}, {"q1": {"d1": 1}}, "by hand")
    analyze(toy, System("BM25", CsrBM25), k=1)
    assert "analyzing BM25" in sys.stderr.getvalue()
