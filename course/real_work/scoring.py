"""Ranks with a learner's three functions: run as `scoring.py FILE OUT < given`.

In a process of its own. The file is the learner's own, named by the check. Given on stdin: documents,
queries, k, and calls for which the functions' values are wanted one by one.
"""

import importlib.util
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path


class Refused:
    """Finds no module of the refused packages, however the import is written.

    It stops who takes a library without thinking. Nothing here stops who wants to deceive the check.
    """

    def __init__(self, packages: list[str]) -> None:
        self.packages = frozenset(packages)

    def find_spec(self, name: str, path=None, target=None) -> None:
        """None, so that the others look for it. Raises ImportError for what is refused."""
        if name.split(".")[0] in self.packages:
            raise ImportError(f"{name} may not be imported here: the three functions are to be your own")


def main(script: str, out: str) -> None:
    """Writes `{"run": ..., "values": {function: [value or error, ...]}}` to `out` as JSON."""
    given = json.loads(sys.stdin.read())
    sys.meta_path.insert(0, Refused(given.get("refused", ())))
    spec = importlib.util.spec_from_file_location("learners_bm25", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    values = {
        name: [_value(getattr(module, name), call) for call in calls]
        for name, calls in given["calls"].items()
    }
    ranked = run(module, given["documents"], given["queries"], given["k"])
    Path(out).write_text(json.dumps({"run": ranked, "values": values}), encoding="utf-8")


def _value(function, call: list) -> object:
    try:
        return function(*call)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def run(module, documents: dict[str, str], queries: dict[str, str], k: int) -> dict[str, list]:
    """Sums idf times weight over the terms of the query, repeats counted; the k best above 0."""
    counts = {doc_id: Counter(module.analyze(text)) for doc_id, text in documents.items()}
    lengths = {doc_id: sum(count.values()) for doc_id, count in counts.items()}
    avgdl = sum(lengths.values()) / len(lengths)
    postings = defaultdict(list)
    for doc_id, count in counts.items():
        for term, tf in count.items():
            postings[term].append((doc_id, tf))
    # A term's contributions are the same in every query.
    worth: dict[str, list] = {}
    found = {}
    for query_id, text in queries.items():
        scores: dict[str, float] = defaultdict(float)
        for term, times in Counter(module.analyze(text)).items():
            if term in postings and term not in worth:
                rare = module.idf(len(postings[term]), len(counts))
                worth[term] = [
                    (doc_id, rare * module.weight(tf, lengths[doc_id], avgdl))
                    for doc_id, tf in postings[term]
                ]
            for doc_id, part in worth.get(term, ()):
                scores[doc_id] += times * part
        best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:k]
        found[query_id] = [[doc_id, float(score)] for doc_id, score in best if score > 0]
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
