"""The project that the tests of this folder spoil."""

import shutil
import sys
from pathlib import Path

import pytest
from small_project import CORPUS, QUERIES, SEARCHES

from workbench import (
    CorpusFolder,
    EvaluationDataset,
    Labelling,
    QueryBudget,
    SourceDocument,
    build_snapshot,
)


@pytest.fixture
def made(tmp_path):
    """A project with a corpus, a snapshot, a dataset of one row, and a budget."""
    corpus = CorpusFolder.init(tmp_path / "mine" / "corpus", "mine")
    corpus.add(SourceDocument(doc_id, "", text, f"{doc_id}.md") for doc_id, text in CORPUS.items())
    rows = tuple(
        {"query_id": query_id, "query_text": text, "expected_item_id": f"d{query_id[1:]}", "kind": "gold"}
        for query_id, text in QUERIES.items()
    )
    dataset = EvaluationDataset(schema_version=1, name="mine", description="", queries=rows)
    return [corpus, build_snapshot(corpus, "csr-bm25"), dataset, QueryBudget(max_total_items=5)]


@pytest.fixture
def here(made, tmp_path, monkeypatch):
    """The folder that commands are given in, with a corpus and files of each wrong form."""
    monkeypatch.chdir(tmp_path)
    made[1].close()
    Path("ok.run").write_text("q1 Q0 d1 1 2.0 tag\nq2 Q0 d2 1 1.0 tag\n")
    Path("empty").mkdir()
    Path("q_bad.jsonl").write_text('{"query_id": "q1"}\n')
    Path("docs").mkdir()
    Path("docs/plain.md").write_text("# No front matter\n\nA page.")
    return tmp_path


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    """A project with two queries, a judgment of each, and a file of searches."""
    home = tmp_path_factory.mktemp("labelled")
    corpus = CorpusFolder.init(home / "corpus", "mine")
    corpus.add(SourceDocument(doc_id, "", text, f"{doc_id}.md") for doc_id, text in CORPUS.items())
    (home / "odd_searches.py").write_text(SEARCHES)
    (home / "systems.json").write_text('{"mine": "csr-bm25"}')
    lab = Labelling(home)
    for number in (1, 2):
        lab.judge(lab.add_query(f"word{number}"), f"d{number}", 2, "cat")
    lab.export()
    return home


@pytest.fixture
def project(labelled, tmp_path, monkeypatch):
    """A copy of it, as the working folder."""
    monkeypatch.chdir(shutil.copytree(labelled, tmp_path / "project"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "odd_searches", raising=False)
