"""What several tests share: the real SciFact where it is to be had, and a tiny dataset in BEIR layout to
spoil."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import settings

from helpers import datasets
from helpers.base import files
from helpers.records import Dataset, Run
from helpers.retrieval import RankBM25
from helpers.text import plain, tokens

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
