"""Calls a learner's `search`: run as `searching.py FILE OUT < given`.

In a process of its own. The file is the learner's own, named by the check; nothing else is imported from
outside.
"""

import importlib.util
import json
import sys
from pathlib import Path


def main(script: str, out: str) -> None:
    """Reads documents, queries by split and k from stdin, and writes the runs to `out` as JSON."""
    found = runs(script, json.loads(sys.stdin.read()))
    Path(out).write_text(json.dumps(found), encoding="utf-8")


def runs(script: str, given: dict) -> dict[str, dict]:
    """`{split: {query_id: [[doc_id, score], ...]}}` of the search in a file."""
    spec = importlib.util.spec_from_file_location("learners_search", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = {}
    for split, queries in given["queries"].items():
        run = module.search(given["documents"], queries, given["k"])
        if not hasattr(run, "items"):
            raise TypeError(
                f"search returns {type(run).__name__}; needed: {{query_id: [(doc_id, score), ...]}}"
            )
        found[split] = {query_id: _pairs(query_id, pairs) for query_id, pairs in run.items()}
    return found


def _pairs(query_id: str, found: object) -> list[list]:
    found = list(found.items() if hasattr(found, "items") else found)
    for pair in found:
        if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
            needed = "(doc_id, score) pairs, best first, such as [('page-001', 7.5), ('page-002', 3.1)]"
            raise ValueError(f"search returns {str(pair)[:40]!r} for {query_id}; needed: {needed}")
    return [[str(doc_id), float(score)] for doc_id, score in found]


if __name__ == "__main__":
    main(*sys.argv[1:])
