"""Every recipe of workbench/recipes.md runs as it stands: with the real client library, against a stand-in
that speaks the server's protocol. Where a library is not installed its recipe is skipped, and says so."""

import importlib
import json
import re
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from helpers.base import files
from helpers.retrieval import CsrBM25
from workbench.budget import QueryBudget
from workbench.corpus import CorpusFolder
from workbench.dataset_files import from_qrels
from workbench.labelling import Labelling, Question, write_records
from workbench.reports import evaluate_run

PAGE = files.ROOT / "workbench" / "recipes.md"
_BLOCK = r"^## ([^\n]+)\n(?:(?!^## ).)*?^```python\n(.+?)^```"
RECIPES = dict(re.findall(_BLOCK, PAGE.read_text(encoding="utf-8"), re.M | re.S))
DOCUMENTS = {
    "guide/password.md": "# Password lost\n\nChoose Reset under Account. A new password comes by mail.",
    "guide/invoice.md": "# Invoice\n\nInvoices go out on the third of each month.",
    "guide/sub folder/returns.md": "# Returns\n\nSend the parcel back within 30 days.",
    "hours.md": "# Opening hours\n\nThe shop is open from nine to five. Closed in the month of August.",
}
QUERIES = {"q01": "lost password", "q02": "when do invoices come each month", "q03": "send a parcel back"}
QRELS = {
    "q01": {"guide/password.md": 2},
    "q02": {"guide/invoice.md": 2, "hours.md": 0},
    "q03": {"guide/sub%20folder/returns.md": 2},
}
TEN = QueryBudget(max_total_items=10, max_items_per_document=1)


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A project of four pages; the working folder holds it and the folder `documents`."""
    for name, text in DOCUMENTS.items():
        path = tmp_path / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    CorpusFolder.init(tmp_path / "corpus", "shop").ingest(tmp_path / "documents")
    write_records(
        tmp_path / "queries.jsonl", [Question(query_id=q, query=text) for q, text in QUERIES.items()]
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for module in ("my_search", "my_app", "my_judge"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    yield CorpusFolder.open(tmp_path / "corpus")
    for module in ("my_search", "my_app", "my_judge"):
        sys.modules.pop(module, None)


class StandIn(BaseHTTPRequestHandler):
    """A server of BM25 in the protocols of the recipes."""

    engine: CsrBM25
    asked: list

    def do_HEAD(self):
        self._answer({})

    def do_GET(self):
        url = urlsplit(self.path)
        self.asked.append(("GET", url.path))
        if url.path != "/search":
            return self._answer({"title": "qdrant - vector search engine", "version": "1.20.0"})
        asked = parse_qs(url.query)
        found = self._found(asked["q"][0], int(asked["size"][0]))
        return self._answer({"hits": [{"id": doc_id, "score": score} for doc_id, score in found]})

    def do_POST(self):
        url = urlsplit(self.path)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(("POST", url.path))
        if url.path == "/docs/_search":
            (match,) = body["query"].values()
            size = int(body.get("size", parse_qs(url.query).get("size", [10])[0]))
            found = self._found(match["query"], size)
            hits = [{"_index": "docs", "_id": doc_id, "_score": score} for doc_id, score in found]
            total = {"value": len(hits), "relation": "eq"}
            found = {"total": total, "max_score": hits[0]["_score"] if hits else None, "hits": hits}
            shards = {"total": 1, "successful": 1, "skipped": 0, "failed": 0}
            return self._answer({"took": 1, "timed_out": False, "_shards": shards, "hits": found})
        if url.path == "/collections/docs/points/query":
            points = [
                {"id": n, "version": 0, "score": score, "payload": {"doc_id": doc_id}}
                for n, (doc_id, score) in enumerate(by_cosine(body["query"]["nearest"])[: body["limit"]])
            ]
            return self._answer({"result": {"points": points}, "status": "ok", "time": 0.001})
        assert url.path == "/v1/chat/completions" and body["messages"][0]["role"] == "user"
        query, page = re.search(r"Query: (.*?)\nPage: (.*)", body["messages"][0]["content"], re.S).groups()
        shared = set(words(query)) & set(words(page))
        message = {
            "role": "assistant",
            "content": f"Step 1: read the page. **Grade:** {min(2, len(shared))}.",
        }
        return self._answer({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})

    def _found(self, text, k):
        return self.engine.search({"q": text}, k)["q"]

    def _answer(self, body):
        sent = json.dumps(body).encode()
        accepts = self.headers.get("Accept") or ""
        theirs = "application/vnd.elasticsearch+json;compatible-with=9"
        self.send_response(200)
        self.send_header("Content-Type", theirs if "vnd.elasticsearch" in accepts else "application/json")
        self.send_header("X-Elastic-Product", "Elasticsearch")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_):
        pass


def words(text):
    return re.findall(r"\w{4,}", text.lower())


def embed(text):
    """A vector of word counts; enough to find a page by its words."""
    vocabulary = sorted({word for page in DOCUMENTS.values() for word in words(page)})
    counts = Counter(words(text))
    return [float(counts[word]) for word in vocabulary] + [0.01]


def by_cosine(vector):
    def cosine(one, other):
        dot = sum(a * b for a, b in zip(one, other, strict=True))
        return dot / (sum(a * a for a in one) * sum(b * b for b in other)) ** 0.5

    found = [(name.replace(" ", "%20"), cosine(vector, embed(text))) for name, text in DOCUMENTS.items()]
    return sorted(found, key=lambda pair: -pair[1])


@pytest.fixture
def server(shop):
    handler = type("Handler", (StandIn,), {"engine": CsrBM25(shop.corpus), "asked": []})
    running = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


def recipe(title, server=None, module="my_search"):
    """Writes a recipe as it stands, but for the address of the server, as the reader would."""
    code = RECIPES[title]
    if server is not None:
        code = re.sub(r"http://localhost:\d+", f"http://127.0.0.1:{server.server_port}", code)
    Path(f"{module}.py").write_text(code)
    importlib.invalidate_caches()


def measured(shop):
    gold = from_qrels(QUERIES, QRELS, "shop", "")
    return evaluate_run(shop, "my_search:search", gold, TEN)


def test_the_page_has_a_recipe_for_each_kind_of_search_of_at_most_ten_lines():
    assert {
        "An HTTP endpoint",
        "OpenSearch",
        "Elasticsearch",
        "Qdrant",
        "LangChain",
        "LlamaIndex",
    } <= RECIPES.keys()
    for title, code in RECIPES.items():
        lines = [line for line in code.splitlines() if line.strip()]
        assert len(lines) <= 10, title


@pytest.mark.parametrize(
    ("title", "library"),
    [("An HTTP endpoint", "requests"), ("OpenSearch", "opensearchpy"), ("Elasticsearch", "elasticsearch")],
)
def test_a_server_of_bm25_has_the_numbers_of_bm25(shop, server, title, library):
    pytest.importorskip(library, reason=f"{library} is not installed")
    recipe(title, server)
    report, ours = measured(shop), evaluate_run(shop, "csr-bm25", from_qrels(QUERIES, QRELS, "shop", ""), TEN)
    assert report.metrics == pytest.approx(ours.metrics) and report.metrics["MRR"] == 1.0
    searches = [path for _, path in server.RequestHandlerClass.asked if path in ("/search", "/docs/_search")]
    assert len(searches) == len(QUERIES) + 1  # each query was asked once, and the first again


def test_qdrant_finds_by_vector(shop, server):
    pytest.importorskip("qdrant_client", reason="qdrant-client is not installed")
    Path("my_app.py").write_text("from tests.test_recipes import embed\n")
    recipe("Qdrant", server)
    assert measured(shop).metrics["MRR"] == 1.0


def test_langchain_finds_by_pieces_of_documents(shop):
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    Path("my_app.py").write_text(
        "from pathlib import Path\n"
        "from langchain_core.documents import Document\n"
        "from langchain_core.embeddings import Embeddings\n"
        "from langchain_core.vectorstores import InMemoryVectorStore\n"
        "from tests.test_recipes import embed\n\n\n"
        "class Words(Embeddings):\n"
        "    def embed_query(self, text):\n        return embed(text)\n\n"
        "    def embed_documents(self, texts):\n        return [embed(text) for text in texts]\n\n\n"
        "paths = sorted(Path('documents').rglob('*.md'))\n"
        "pieces = [Document(part, metadata={'source': str(path)})\n"
        "          for path in paths for part in path.read_text().split('. ')]\n"
        "store = InMemoryVectorStore(Words())\nstore.add_documents(pieces)\n"
        "retriever = store.as_retriever()\n"
    )
    recipe("LangChain")
    report = measured(shop)
    assert report.metrics["MRR"] == 1.0
    # The retriever gives four by itself; the recipe asks it for as many as are wanted.
    assert all(len(row.items) == len(DOCUMENTS) for row in report.evidence)
    assert any("further pieces of a document" in warning for warning in report.warnings)


def test_llamaindex_finds_by_pieces_of_documents(shop):
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")
    Path("my_app.py").write_text(
        "from pathlib import Path\n"
        "from llama_index.core import Document, VectorStoreIndex\n"
        "from llama_index.core.embeddings import BaseEmbedding\n"
        "from tests.test_recipes import embed\n\n\n"
        "class Words(BaseEmbedding):\n"
        "    def _get_text_embedding(self, text):\n        return embed(text)\n\n"
        "    def _get_query_embedding(self, query):\n        return embed(query)\n\n"
        "    async def _aget_query_embedding(self, query):\n        return embed(query)\n\n\n"
        "paths = sorted(Path('documents').rglob('*.md'))\n"
        "pages = [Document(text=path.read_text(), metadata={'file_path': str(path)}) for path in paths]\n"
        "index = VectorStoreIndex.from_documents(pages, embed_model=Words())\n"
    )
    recipe("LlamaIndex")
    assert measured(shop).metrics["MRR"] == 1.0


def test_a_run_that_a_loop_writes_is_measured_as_the_search_itself(shop, server):
    recipe("An HTTP endpoint", server)
    asked = measured(shop)
    exec(compile(RECIPES["A TREC run, written by anything"], str(PAGE), "exec"), {})
    from_file = evaluate_run(shop, "runs/mine.run", from_qrels(QUERIES, QRELS, "shop", ""), TEN)
    assert from_file.metrics == asked.metrics and from_file.snapshot_id == asked.snapshot_id


def test_a_run_is_written_of_ids_alone_too_and_its_folder_is_made(shop):
    Path("my_search.py").write_text(
        "def search(query, k):\n    return ['guide/invoice.md', 'guide/password.md'][:k]\n"
    )
    asked = measured(shop)
    exec(compile(RECIPES["A TREC run, written by anything"], str(PAGE), "exec"), {})
    from_file = evaluate_run(shop, "runs/mine.run", from_qrels(QUERIES, QRELS, "shop", ""), TEN)
    assert from_file.metrics == asked.metrics


def test_a_model_judges_apart_from_the_project(shop, server, tmp_path):
    recipe("A model as a judge", server, module="my_judge")
    lab = Labelling(tmp_path)
    assert lab.draft("my_judge:grade", "llm", "a stand-in") == sum(lab.progress()["pool"])
    assert not lab.verdicts()  # the project's own
    lab.judge("q01", "guide/password.md", 2, "Choose Reset under Account")
    assert lab.agreement("llm").counts["pairs judged by both"] == 1


def test_a_model_as_a_judge_may_count_before_its_grade_and_what_is_no_grade_is_shown(shop, monkeypatch):
    recipe("A model as a judge", module="my_judge")
    my_judge, said = importlib.import_module("my_judge"), []

    class Answer:
        def json(self):
            return {"choices": [{"message": {"content": said[-1]}}]}

    monkeypatch.setattr(my_judge.requests, "post", lambda *_, **__: Answer())
    for words, grade in {
        "Step 1: it is on page 2. Grade: 0 (no)": 0,
        "**Grade:** 2": 2,
        "1 of us": "1 of us",
    }.items():
        said.append(words)
        assert my_judge.grade("query", "page") == grade
