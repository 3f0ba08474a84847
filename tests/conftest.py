"""What several tests share: the real SciFact where it is to be had, and a tiny dataset in BEIR layout to
spoil."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from small_project import CORPUS, QUERIES, SEARCHES

from helpers import datasets
from helpers.base import files
from helpers.records import Dataset, Run
from helpers.retrieval import RankBM25
from helpers.text import plain, tokens
from workbench import (
    CorpusFolder,
    EvaluationDataset,
    Labelling,
    QueryBudget,
    SourceDocument,
    build_snapshot,
)

# Two processes test side by side, where a matrix product's own threads would only wait for each other. The
# processes, and the kernels that they start, inherit this before they load NumPy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A first example may have to load a library or compile a loop; how long that takes says nothing about
# retrieval.
settings.register_profile("measure-first", deadline=None, max_examples=50)
settings.load_profile("measure-first")


@pytest.fixture(scope="session")
def scifact() -> Dataset:
    if datasets.find_beir("scifact") is None:
        pytest.skip("SciFact is not here: set BEIR_DATA_DIR to a folder that holds it")
    return datasets.load_beir("scifact")


@pytest.fixture(scope="session")
def rank_bm25_on_scifact(scifact) -> Run:
    """The thousand best of each query by rank_bm25: it takes seconds, so once for all tests."""
    return RankBM25(scifact.corpus, plain).search(scifact.queries, k=1000)


@pytest.fixture(scope="session")
def everyday_science() -> Dataset:
    return datasets.load_beir("everyday-science", path=files.BUNDLED_BEIR / "everyday-science")


@pytest.fixture(scope="session")
def cl100k():
    if tokens.find_cl100k() is None:
        pytest.skip("cl100k_base is not here: set TIKTOKEN_CACHE_DIR to a folder that holds its rank file")
    return tokens.load_cl100k()


@pytest.fixture(scope="session")
def cl100k_file(cl100k) -> Path:
    return tokens.find_cl100k()[0]


@pytest.fixture(scope="session")
def runbooks() -> Dataset:
    return datasets.load_runbooks()


@pytest.fixture
def beir_folder(tmp_path: Path) -> Path:
    """Three documents, two queries, a test and a train split."""
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    documents = [
        {"_id": "d1", "title": "Cats", "text": "Cats sleep."},
        {"_id": "d2", "title": "", "text": "Dogs bark."},
        {"_id": "d3", "text": "No title here."},
    ]
    queries = [{"_id": "q1", "text": "sleeping cats"}, {"_id": "q2", "text": "barking"}]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents))
    (folder / "queries.jsonl").write_text("".join(json.dumps(q) + "\n" for q in queries))
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n")
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td2\t1\n")
    return folder


# A small project, which the tests of bad input spoil.


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
