"""From SciFact's files to evaluated numbers, twice: with this project, and with bm25s, its stemmer and
pytrec_eval.

    SCIFACT=folder .venv/bin/python evals/benchmarks/scifact_path.py ours     one path, in this process
    SCIFACT=folder .venv/bin/python evals/benchmarks/scifact_path.py peers

`retrieval.py` measures both and stores what comes out. Both read the same files, cut and stem every text,
build an index, keep 1,000 results for each of 300 queries, and compute the same 18 metrics.
"""

import gc
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median


def ours() -> float:
    from helpers.datasets import load_beir
    from helpers.evaluation import evaluate_retrieval
    from helpers.retrieval import CsrBM25
    from helpers.text import analyzers as text

    for cache in (
        text._remembered_stem.cache_clear,
        text._lucene_term.cache_clear,
        text._TERMS_OF_PIECE.clear,
    ):
        cache()
    dataset = load_beir("scifact", path=os.environ["SCIFACT"])
    run = CsrBM25(dataset.corpus, lucene_lengths=True).search(dataset.queries, k=1000)
    return evaluate_retrieval(run, dataset.qrels)["nDCG@10"]


def peers() -> float:
    import bm25s
    import pytrec_eval
    import Stemmer

    folder = Path(os.environ["SCIFACT"])
    doc_ids, texts = [], []
    with open(folder / "corpus.jsonl", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            doc_ids.append(record["_id"])
            texts.append(f"{record['title']} {record['text']}")
    with open(folder / "queries.jsonl", encoding="utf-8") as lines:
        queries = {record["_id"]: record["text"] for record in map(json.loads, lines)}
    qrels: dict[str, dict[str, int]] = {}
    with open(folder / "qrels" / "test.tsv", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            query_id, doc_id, grade = line.split("\t")
            qrels.setdefault(query_id, {})[doc_id] = int(grade)
    stemmer = Stemmer.Stemmer("english")
    bm25 = bm25s.BM25(method="lucene", k1=0.9, b=0.4)
    bm25.index(
        bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False
    )
    tokens = bm25s.tokenize(
        [queries[query_id] for query_id in qrels], stopwords="en", stemmer=stemmer, show_progress=False
    )
    documents, scores = bm25.retrieve(tokens, k=1000, show_progress=False)
    run = {
        query_id: {doc_ids[document]: float(score) for document, score in zip(row, values, strict=True)}
        for query_id, row, values in zip(qrels, documents.tolist(), scores.tolist(), strict=True)
    }
    measures = {"ndcg_cut.1,5,10,100", "recall.1,5,10,100", "P.1,5,10,100", "map", "recip_rank"}
    found = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    return sum(values["ndcg_cut_10"] for values in found.values()) / len(found)


PATHS = {"Measure First": ours, "bm25s and pytrec_eval": peers}


def measured(rounds: int) -> dict:
    """Seconds of each path: in one process in turns, and as a process of its own; and the nDCG@10 that it
    ends with."""
    from helpers.datasets import find_beir

    os.environ["SCIFACT"] = str(find_beir("scifact")[0].resolve())
    inside: dict[str, list[float]] = {name: [] for name in PATHS}
    alone: dict[str, list[float]] = {name: [] for name in PATHS}
    ndcg = {name: path() for name, path in PATHS.items()}  # warms up
    for number in range(rounds):
        order = list(PATHS)
        random.Random(number).shuffle(order)
        for name in order:
            gc.collect()
            started = time.perf_counter()
            PATHS[name]()
            inside[name].append(time.perf_counter() - started)
            started = time.perf_counter()
            subprocess.run([sys.executable, __file__, PATHS[name].__name__], check=True, capture_output=True)
            alone[name].append(time.perf_counter() - started)
    paths = {
        name: {
            "in one process": median(inside[name]),
            "new process": median(alone[name]),
            "nDCG@10": ndcg[name],
        }
        for name in PATHS
    }
    return {"rounds": rounds, "paths": paths}


if __name__ == "__main__":
    print(f"{Path(__file__).stem}: nDCG@10 = {({'ours': ours, 'peers': peers})[sys.argv[1]]():.4f}")
