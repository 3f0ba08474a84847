"""A small server that speaks Qdrant's REST protocol as its client does, over the client's own index in
memory: what is sent to an address arrives there, is read by the client's own models, and is answered in the
form that it reads."""

import json
import re
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@contextmanager
def serving():
    """The address of a server that is up, and the requests that it has had: method, path, headers."""
    from qdrant_client import QdrantClient

    store = QdrantClient(":memory:", force_disable_check_same_thread=True)
    seen: list[tuple[str, str, dict]] = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            length = int(self.headers.get("content-length") or 0)
            body = self.rfile.read(length).decode()
            path = self.path.partition("?")[0]
            seen.append((self.command, path, dict(self.headers)))
            status, reply = _reply(store, self.command, path, body)
            content = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_PUT = do_POST = do_DELETE = answer

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        store.close()


def _reply(store, method: str, path: str, body: str) -> tuple[int, dict]:
    from importlib.metadata import version

    if path == "/":
        return 200, {"title": "qdrant - vector search engine", "version": version("qdrant-client")}
    name, what = re.fullmatch(r"/collections/([^/]+)(/.*)?", path).groups()
    result = _result(store, method, name, what or "", body)
    if result is None:
        return 404, {"status": {"error": f"Not found: {method} {path}"}, "time": 0.0}
    return 200, {"result": result, "status": "ok", "time": 0.0}


def _result(store, method: str, name: str, what: str, body: str) -> object:
    from qdrant_client import models as m

    if (method, what) == ("GET", "/exists"):
        return {"exists": store.collection_exists(name)}
    if (method, what) == ("PUT", ""):
        asked = m.CreateCollection.model_validate_json(body)
        return store.create_collection(
            name, vectors_config=asked.vectors or {}, sparse_vectors_config=asked.sparse_vectors
        )
    if (method, what) == ("PUT", "/index"):
        m.CreateFieldIndex.model_validate_json(body)
        return {"operation_id": 0, "status": "completed"}
    if (method, what) == ("PUT", "/points"):
        store.upsert(name, m.PointsList.model_validate_json(body).points)
        return {"operation_id": 0, "status": "completed"}
    if (method, what) == ("POST", "/points/query"):
        asked = m.QueryRequest.model_validate_json(body)
        found = store.query_points(
            name,
            query=asked.query,
            using=asked.using,
            query_filter=asked.filter,
            limit=asked.limit,
            with_payload=asked.with_payload,
        )
        return json.loads(found.model_dump_json())
    if (method, what) == ("DELETE", ""):
        return store.delete_collection(name)
    return None
