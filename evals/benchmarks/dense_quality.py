"""What dense vectors, learned sparse ones, their fusion with BM25 and reranking are worth on SciFact, and
what eight faults of evaluating them cost.

    .venv/bin/python evals/benchmarks/reference_vectors.py FOLDER       where the vectors come from
    BEIR_DATA_DIR=… .venv/bin/python evals/benchmarks/dense_quality.py FOLDER

writes `dense_quality.json` and `dense_quality.md` beside this file. Qualities are exact: they do not hang on
the machine. Every weight is chosen on the train queries, and test is asked once for each row; what was looked
at on test is said. This is a measurement, no test: the lessons' own tests hold the figures.
"""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
from reference_vectors import SAMPLE
from scipy.sparse import csr_matrix, load_npz
from stored import machine, store

from helpers.datasets import find_beir, load_beir, published_figures
from helpers.evaluation import Evaluation, compare, evaluate_retrieval
from helpers.records import Dataset, Run
from helpers.retrieval import (
    CsrBM25,
    LatentSemantic,
    SparseIndex,
    best_alpha,
    candidate_ceiling,
    fuse,
    sparse,
    tune_alpha,
    tuning_curve,
)

K = 1000
METRICS = ["nDCG@10", "Recall@100", "MAP", "MRR", "Judged@10"]
LOWEST = {"tmm": (0.0, -1.0)}
ALPHAS = ("0.25", "0.5", "0.75")
SIZES = (10, 30, 100, 300)
DRAWS = 500


class Vectors:
    """What `reference_vectors.py` has made, and the collection that it is of."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.test, self.train = load_beir("scifact"), load_beir("scifact", "train")
        self.doc_ids = sorted(self.test.corpus)
        sample = load_beir("scifact", max_docs=SAMPLE)
        self.sampled = sorted(sample.corpus)

    def documents(self, tag: str = "") -> np.ndarray:
        return np.load(self.folder / f"scifact_minilm_docs{tag}.npy").astype(np.float64)

    def lengths(self, tag: str = "") -> np.ndarray:
        """Of the documents' vectors before they were brought to length 1."""
        return np.load(self.folder / f"scifact_minilm_docs{tag}_norms.npy").astype(np.float64)

    def queries(self, split: str = "test", tag: str = "") -> np.ndarray:
        return np.load(self.folder / f"scifact_minilm_queries{tag}.npz")[split].astype(np.float64)

    def weights(self, what: str) -> csr_matrix:
        return load_npz(self.folder / f"scifact_{what}.npz").astype(np.float32)

    @cached_property
    def in_file_order(self) -> list[str]:
        """The doc_ids as corpus.jsonl has them."""
        with open(find_beir("scifact")[0] / "corpus.jsonl", encoding="utf-8") as lines:
            return [json.loads(line)["_id"] for line in lines]


def search(
    dataset: Dataset, queries: np.ndarray, documents: np.ndarray, doc_ids: Sequence[str], k: int = K
) -> Run:
    """The k highest products of rows (rounded to six decimals), of equal ones the higher doc_id."""
    order = np.argsort(doc_ids)  # rows by their ids, so that the later one is "doc_id down"
    documents, doc_ids = documents[order], [doc_ids[i] for i in order]
    run: Run = {}
    for query_id, query in zip(dataset.queries, queries, strict=True):
        scores = np.round(documents @ query, 6).astype(np.float32)
        best = np.lexsort((np.arange(len(scores)), scores))[::-1][:k]
        run[query_id] = [(doc_ids[i], float(scores[i])) for i in best]
    return run


def sparse_search(dataset: Dataset, queries: csr_matrix, documents: csr_matrix, doc_ids: list[str]) -> Run:
    found = SparseIndex(documents).search(queries, K)
    return {
        query_id: [(doc_ids[row], score) for row, score in zip(rows, scores, strict=True) if row >= 0]
        for query_id, rows, scores in zip(dataset.queries, *(part.tolist() for part in found), strict=True)
    }


def measured(run: Run, dataset: Dataset) -> Evaluation:
    return evaluate_retrieval(run, dataset.qrels, metrics=METRICS)


def rows(evaluations: Mapping[str, Evaluation], baseline: str, correction: str | None = "holm") -> dict:
    """For each system its metrics, and in nDCG@10 its difference to the baseline with interval and p."""
    table = compare(evaluations, "nDCG@10", baseline, correction=correction).table
    names = {"difference": "difference", "diff low": "low", "diff high": "high", "win": "win", "tie": "tie"}
    names |= {"loss": "loss", "p": "p"} | ({"corrected p": "corrected p"} if correction else {})
    found = {}
    for name, evaluation in evaluations.items():
        compared = {new: table.loc[name, old] for old, new in names.items()}
        compared = {key: None if pd.isna(value) else float(value) for key, value in compared.items()}
        found[name] = {**evaluation, **compared}
    return found


# 1 Dense


def dense(vectors: Vectors) -> dict:
    """The published figure, the same vectors kept in 16 bits, and cheaper vectors."""
    test = vectors.test
    half = [rows.astype(np.float16).astype(np.float64) for rows in (vectors.queries(), vectors.documents())]
    runs = {
        "all-MiniLM-L6-v2": search(test, vectors.queries(), vectors.documents(), vectors.doc_ids),
        "the same, kept as float16": search(test, *half, vectors.doc_ids),
    }
    texts = [test.corpus[doc_id] for doc_id in vectors.doc_ids]
    for dimensions in (100, 300):
        model = LatentSemantic(texts, dimensions)
        asked, found = (
            model.encode(list(given)).astype(np.float64) for given in (test.queries.values(), texts)
        )
        runs[f"latent semantics, {dimensions} dimensions"] = search(test, asked, found, vectors.doc_ids)
    bm25 = CsrBM25(test.corpus, lucene_lengths=True).search(test.queries, K)
    evaluations = {"BM25": measured(bm25, test)} | {name: measured(run, test) for name, run in runs.items()}
    return rows(evaluations, "BM25")


# 2 Eight faults


def faults(vectors: Vectors) -> list[dict]:
    """Each fault beside what is right on the same documents, and what could have been seen without labels."""
    right_q, right_d = vectors.queries(), vectors.documents()
    ids, test = vectors.doc_ids, vectors.test
    right = measured(search(test, right_q, right_d, ids), test)
    place = {doc_id: row for row, doc_id in enumerate(ids)}
    in_sample = np.array([place[doc_id] for doc_id in vectors.sampled])
    right_in_sample = measured(search(test, right_q, right_d[in_sample], vectors.sampled), test)
    found = [
        {
            "fault": "0 none",
            "what": "as it should be",
            **_nothing(right, len(ids)),
            **symptoms(right_q, right_d),
        }
    ]

    def fault(name: str, what: str, queries, documents, doc_ids=None) -> None:
        of_sample = len(documents) == len(in_sample)
        doc_ids = doc_ids or (vectors.sampled if of_sample else ids)
        beside = right_in_sample if of_sample else right
        evaluation = measured(search(test, queries, documents, doc_ids), test)
        row = rows({"right": beside, "wrong": evaluation}, "right", None)["wrong"]
        row |= {"fault": name, "what": what, "documents": len(documents), "right": beside["nDCG@10"]}
        row["right Recall@100"] = beside["Recall@100"]
        found.append(row | symptoms(queries, documents))

    lengths = vectors.lengths()[:, None]
    fault("1 no normalisation", "inner product of the means as they are", right_q, right_d * lengths)
    for pooling in ("max", "cls"):
        tag = f"_{pooling}"
        scaled = vectors.documents(tag) * vectors.lengths(tag)[:, None]
        what = f"the same with {pooling} pooling (beside fault 4)"
        fault("1 no normalisation", what, vectors.queries(tag=tag), scaled)
    padded_q, padded_d = vectors.queries(tag="_unmasked"), vectors.documents("_unmasked")
    fault("2 no mask in the mean", "queries and documents", padded_q, padded_d)
    fault("2 no mask in the mean", "queries only", padded_q, right_d)
    fault("2 no mask in the mean", "documents only", right_q, padded_d)
    e5, bge = vectors.queries(tag="_e5prefix"), vectors.queries(tag="_bgeprefix")
    fault("3 a prefix of another model", "E5's `query: ` before queries", e5, right_d)
    fault("3 a prefix of another model", "BGE's instruction before queries", bge, right_d)
    both = vectors.documents("_e5prefix_sample")
    fault("3 a prefix of another model", "E5's before queries and documents", e5, both)
    for pooling in ("cls", "max"):
        q, d = vectors.queries(tag=f"_{pooling}"), vectors.documents(f"_{pooling}")
        fault("4 another pooling", f"{pooling} for both", q, d)
        fault("4 another pooling", f"{pooling} for queries only", q, right_d)
    lengths_of_text = {
        64: "64 tokens",
        128: "128 tokens, what the file tokenizer.json says",
        512: "512 tokens, more than the model's own 256",
    }
    for most, what in lengths_of_text.items():  # no query has more than 64
        fault("6 truncation", what, right_q, vectors.documents(f"_{most}_sample"))
    int8_q, int8_d = vectors.queries(tag="_int8"), vectors.documents("_int8_sample")
    fault("7 the model in 8 bits", "queries and documents", int8_q, int8_d)
    fault("7 the model in 8 bits", "queries only", int8_q, right_d)
    fault("7 the model in 8 bits", "documents only", right_q, int8_d)
    what = "vectors of the text without its title"
    fault("8 vectors of another text", what, right_q, vectors.documents("_notitle_sample"))
    what = "rows in the order of the sorted ids, read in that of corpus.jsonl"
    fault("8 vectors of another text", what, right_q, right_d, vectors.in_file_order)
    fault("8 vectors of another text", "one row too far", right_q, np.roll(right_d, 1, axis=0))
    found += swapped(vectors, right)
    return sorted(found, key=lambda row: row["fault"])


def swapped(vectors: Vectors, right: Evaluation) -> list[dict]:
    """Fault 5. MiniLM has one encoder for both sides, so nothing is seen; splade-tiny without a model for
    queries has two."""
    test, ids = vectors.test, vectors.doc_ids
    found, (pieces_q, pieces_d, splade_q, splade_d) = [], _sides(vectors)
    idf = sparse.compute_idf(pieces_d)
    straight = measured(sparse_search(test, pieces_q.multiply(idf).tocsr(), splade_d, ids), test)
    crossed = measured(sparse_search(test, splade_q, _binary(pieces_d).multiply(idf).tocsr(), ids), test)
    row = rows({"right": straight, "wrong": crossed}, "right", None)["wrong"]
    row |= {
        "fault": "5 query and document encoder swapped",
        "what": "splade-tiny, inference-free × IDF: queries by the model, documents as word pieces × IDF",
        "documents": len(ids), "right": straight["nDCG@10"], "right Recall@100": straight["Recall@100"],
    }  # fmt: skip
    found.append(row)
    what = "all-MiniLM-L6-v2: one encoder for both, so no difference"
    return [*found, {"fault": row["fault"], "what": what, **_nothing(right, len(ids))}]


def _nothing(right: Evaluation, documents: int) -> dict:
    """The row of what changes nothing."""
    compared = {
        "difference": 0.0,
        "low": 0.0,
        "high": 0.0,
        "p": 1.0,
        "win": 0,
        "tie": len(right.per_query),
        "loss": 0,
    }
    beside = {"right": right["nDCG@10"], "right Recall@100": right["Recall@100"], "documents": documents}
    return {**right, **compared, **beside}


def symptoms(queries: np.ndarray, documents: np.ndarray) -> dict:
    """What is seen without labels: how long the vectors are, how alike two documents and the best hit are."""
    rng = np.random.default_rng(0)
    one, two = rng.integers(len(documents), size=(2, 2000))
    lengths = np.linalg.norm(documents, axis=1)
    products = (documents[one[one != two]] * documents[two[one != two]]).sum(axis=1)
    return {
        "length": [float(lengths.min()), float(lengths.max())],
        "two documents": float(products.mean()),
        "best hit": float(np.mean([(documents @ query).max() for query in queries])),
    }


# 3 Learned sparse


def learned_sparse(vectors: Vectors) -> dict:
    """splade-tiny with and without IDF, without a model for queries, with fewer weights, in 8 bits."""
    test, ids = vectors.test, vectors.doc_ids
    pieces_q, pieces_d, splade_q, splade_d = _sides(vectors)
    idf, learned_idf = sparse.compute_idf(pieces_d), sparse.compute_idf(splade_d)
    sides = {
        "splade-tiny": (splade_q, splade_d),
        "splade-tiny × IDF": (splade_q.multiply(learned_idf).tocsr(), splade_d),
        "inference-free queries": (pieces_q, splade_d),
        "inference-free queries × IDF": (pieces_q.multiply(idf).tocsr(), splade_d),
        **{f"documents cut to {n} weights": (splade_q, strongest(splade_d, n)) for n in (32, 64, 128)},
        "weights in 8 bits": (splade_q, in_8_bits(splade_d)),
    }
    evaluations = {"BM25": measured(_bm25(test), test)}
    evaluations |= {name: measured(sparse_search(test, *both, ids), test) for name, both in sides.items()}
    found = rows(evaluations, "BM25")
    # IDF against none, as a question of its own.
    pair = {name: evaluations[name] for name in ("splade-tiny", "splade-tiny × IDF")}
    free = ("inference-free queries", "inference-free queries × IDF")
    return {
        "systems": found,
        "does IDF help": {
            "splade-tiny": rows(pair, "splade-tiny", None)["splade-tiny × IDF"],
            "inference-free": rows({n: evaluations[n] for n in free}, free[0], None)[free[1]],
        },
        "weights a document": splade_d.nnz / splade_d.shape[0],
        "weights a query": splade_q.nnz / splade_q.shape[0],
    }


def strongest(matrix: csr_matrix, n: int) -> csr_matrix:
    """Each row's n largest weights."""
    cut = matrix.copy()
    for first, last in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True):
        if last - first > n:
            row = cut.data[first:last]
            row[np.argsort(-row, kind="stable")[n:]] = 0
    cut.eliminate_zeros()
    return cut


def in_8_bits(matrix: csr_matrix) -> csr_matrix:
    step = matrix.data.max() / 255
    return csr_matrix((np.round(matrix.data / step) * step, matrix.indices, matrix.indptr), matrix.shape)


def _sides(vectors: Vectors) -> list[csr_matrix]:
    """Word pieces of queries and documents, splade-tiny of both. A piece asked twice counts twice."""
    names = ("pieces_queries_test", "pieces_docs", "splade_queries_test", "splade_docs")
    return [vectors.weights(name) for name in names]


def _binary(matrix: csr_matrix) -> csr_matrix:
    return csr_matrix((np.ones_like(matrix.data), matrix.indices, matrix.indptr), matrix.shape)


def _bm25(dataset: Dataset, k: int = K) -> Run:
    return CsrBM25(dataset.corpus, lucene_lengths=True).search(dataset.queries, k)


# 4 Hybrid


def hybrid(vectors: Vectors) -> dict:
    """Four methods; alpha, the share of the vectors, is chosen on train and asked of test once."""
    parts = {
        name: [
            _bm25(dataset),
            search(dataset, vectors.queries(name), vectors.documents(), vectors.doc_ids),
        ]
        for name, dataset in (("test", vectors.test), ("train", vectors.train))
    }
    test, runs = vectors.test, parts["test"]
    systems = {"BM25": runs[0], "all-MiniLM-L6-v2": runs[1]}
    systems |= {f"RRF, k={k}": fuse(runs, "rrf", k=k) for k in (60, 1, 10, 200)}
    tables = {
        (method, split): tune_alpha(
            parts[split], getattr(vectors, split).qrels, method, lowest=LOWEST.get(method)
        )
        for method in ("min-max", "z", "tmm", "rrf")
        for split in ("train", "test")
    }
    tuned = {method: best_alpha(tables[method, "train"]) for method in ("min-max", "z", "tmm", "rrf")}
    for method, alpha in tuned.items():
        lowest = LOWEST.get(method)
        systems[f"{method}, alpha {alpha:g} of train"] = fuse(runs, method, [1 - alpha, alpha], lowest=lowest)
    evaluations = {name: measured(run, test) for name, run in systems.items()}
    of_rrf = {name: evaluations[name] for name in evaluations if name == "RRF, k=60" or "of train" in name}
    per_query = pd.DataFrame({name: e.per_query["nDCG@10"] for name, e in evaluations.items()})
    either = per_query[["BM25", "all-MiniLM-L6-v2"]].max(axis=1)
    z = f"z, alpha {tuned['z']:g} of train"
    return {
        "systems": rows(evaluations, "BM25"),
        "against RRF": rows(of_rrf, "RRF, k=60"),
        "alpha": {
            method: {
                "train": tuned[method],
                "test's best": best_alpha(tables[method, "test"]),
                "test's best nDCG@10": float(tables[method, "test"].mean().max()),
                "train nDCG@10": float(tables[method, "train"].mean().max()),
                "curve on test": {f"{a:g}": float(v) for a, v in tables[method, "test"].mean().items()},
                "curve on train": {f"{a:g}": float(v) for a, v in tables[method, "train"].mean().items()},
            }
            for method in tuned
        },
        "tuned on few": few(tables, prefer=0.5),
        "tuned on few, ties to 0": few(tables, prefer=0.0),
        "oracle choice of a system a query": float(either.mean()),
        "oracle alpha a query": {
            method: float(tables[method, "test"].max(axis=1).mean()) for method in ("min-max", "z", "tmm")
        },
        "union of two top 100": union(runs, test),
        "kinds of query": kinds(per_query[["BM25", "all-MiniLM-L6-v2", "RRF, k=60", z]], test),
        "depth": depths(runs, test, tuned),
    }


def few(tables: Mapping[tuple[str, str], pd.DataFrame], prefer: float) -> dict:
    """What tuning on so many of the train queries gives on test, by method."""
    return {
        method: tuning_curve(
            tables[method, "train"], tables[method, "test"], SIZES, DRAWS, prefer=prefer
        ).to_dict("index")
        for method in ("min-max", "z", "tmm")
    }


def depths(runs: list[Run], test: Dataset, tuned: Mapping[str, float]) -> dict:
    """The same weights, only the first so many of each list: z and min–max depend on where a list ends."""
    found: dict = {}
    for depth in (10, 50, 100, 1000):
        cut = [{q: results[:depth] for q, results in run.items()} for run in runs]
        found[depth] = {"rrf": measured(fuse(cut), test)["nDCG@10"]}
        for method in ("min-max", "z", "tmm"):
            weights = [1 - tuned[method], tuned[method]]
            run = fuse(cut, method, weights, lowest=LOWEST.get(method))
            found[depth][method] = measured(run, test)["nDCG@10"]
    return found


def union(runs: list[Run], test: Dataset) -> dict:
    """What is in either of the two top 100, and how much of the two top 10 is shared."""
    together = {q: {d for run in runs for d, _ in run[q][:100]} for q in test.queries}
    recall = [
        np.mean([d in together[q] for d, grade in grades.items() if grade > 0])
        for q, grades in test.qrels.items()
    ]
    shared = [len(set.intersection(*({d for d, _ in run[q][:10]} for run in runs))) for q in test.queries]
    return {
        "recall": float(np.mean(recall)),
        "documents": float(np.mean([len(found) for found in together.values()])),
        "shared of the first ten": float(np.mean(shared)),
    }


SYMBOL = re.compile(r"\b(?=\w*[A-Z0-9]\w*[A-Z0-9])\w+|\b\w*[0-9]\w*\b")


def kinds(per_query: pd.DataFrame, test: Dataset) -> dict:
    """nDCG@10 by kind of query: with or without a symbol, few or many words in common with what is relevant.

    A symbol is a word with a digit or two capitals, as IL-6 or BRCA1: what an identifier is elsewhere.
    """
    symbol = pd.Series({q: bool(SYMBOL.search(test.queries[q])) for q in per_query.index})
    index = CsrBM25(test.corpus)

    def share(query_id: str) -> float:
        asked = set(index.analyzer(test.queries[query_id]))
        found = {
            term
            for doc_id, grade in test.qrels[query_id].items()
            if grade > 0
            for term in index.analyzer(test.corpus[doc_id])
        }
        return len(asked & found) / len(asked)

    shared = pd.Series({q: share(q) for q in per_query.index})
    groups = {
        "with a symbol (IL-6, BRCA1)": symbol,
        "plain words only": ~symbol,
        "two thirds of its words or more in a relevant document": shared >= 2 / 3,
        "one third to two thirds": (shared >= 1 / 3) & (shared < 2 / 3),
        "under one third": shared < 1 / 3,
    }
    found = {}
    for name, chosen in groups.items():
        of = per_query[chosen]
        gain = of.iloc[:, -1] - of["BM25"]
        counts = {"win": int((gain > 1e-9).sum()), "loss": int((gain < -1e-9).sum())}
        found[name] = {"queries": len(of), **of.mean().to_dict(), **counts}
    return found


# 5 Reranking


def reranking(vectors: Vectors) -> dict:
    """BM25's first documents by cosine, by splade-tiny, and by the sum of both scores."""
    test, ids = vectors.test, vectors.doc_ids
    first = _bm25(test)
    cosine = {q: dict(found) for q, found in _all_cosines(vectors).items()}
    _, _, splade_q, splade_d = _sides(vectors)
    learned = {q: dict(found) for q, found in sparse_search(test, splade_q, splade_d, ids).items()}
    evaluations = {"BM25": measured(first, test)}
    for depth in (10, 20, 50, 100, 1000):
        evaluations[f"first {depth} by cosine"] = measured(reordered(first, cosine, depth), test)
    evaluations["first 100 by splade-tiny"] = measured(reordered(first, learned, 100), test)
    for depth in (10, 20, 50, 100, 1000):
        head = {q: found[:depth] for q, found in first.items()}
        scored = {q: {d: cosine[q][d] for d, _ in found} for q, found in head.items()}
        both = {q: dict(found) for q, found in fuse([head, scored], "z").items()}
        name = f"first {depth} by both scores, z, alpha 0.5"
        evaluations[name] = measured(reordered(first, both, depth), test)
    ceiling = candidate_ceiling(first, test.qrels, (10, 20, 50, 100, 1000))
    return {"systems": rows(evaluations, "BM25"), "ceiling": ceiling.to_dict("index")}


def reordered(first: Run, scores: Mapping[str, Mapping[str, float]], depth: int) -> Run:
    """As `Reranker` does it, from scores that there are already; a document without one scores 0."""
    run: Run = {}
    for query_id, found in first.items():
        head = sorted(((scores[query_id].get(d, 0.0), d) for d, _ in found[:depth]), reverse=True)
        lowest = head[-1][0] if head else 0.0
        below = [(d, lowest - place) for place, (d, _) in enumerate(found[depth:], start=1)]
        run[query_id] = [(d, score) for score, d in head] + below
    return run


def _all_cosines(vectors: Vectors) -> Run:
    everything = len(vectors.doc_ids)
    return search(vectors.test, vectors.queries(), vectors.documents(), vectors.doc_ids, everything)


# The page


def table(found: dict) -> str:
    """The Markdown page."""
    made_of = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    mteb = found["published"]
    lines = [
        "# Dense, learned sparse, hybrid, reranked: quality on SciFact",
        "",
        f"SciFact, 5,183 documents (title and text), 300 test queries, 809 train queries; the first {K:,} "
        "of every list. all-MiniLM-L6-v2: 256 tokens, mean pooling, unit length, exact cosine; splade-tiny: "
        "256 tokens. Vectors by PyTorch in 32 bits, made by `reference_vectors.py`. BM25: Lucene idf, "
        "k1=0.9, b=0.4, one-byte lengths. Differences in nDCG@10 with 95 % t intervals; p of the "
        "randomisation test, corrected by Holm within each table; † where it is below 0.05.",
        "",
        f"Written by `dense_quality.py`, which says how, with Python {found['python']}: {made_of}.",
        "",
        "## Dense",
        "",
        f"Published for all-MiniLM-L6-v2 (MTEB, copied, not measured here): nDCG@10 {mteb['nDCG@10']}, "
        f"Recall@100 {mteb['Recall@100']}.",
        "",
        *_systems(found["dense"], digits=5),
        "",
        "all-MiniLM-L6-v2 was trained among others on S2ORC, the collection that SciFact's abstracts come "
        "from; no SciFact claims are known to be among its training data. Its figure is no zero-shot one "
        "in the strict sense.",
        "",
        "## Eight faults of evaluating it",
        "",
        "Each wrong way beside the right one on the same documents: 5,183, or a sample of 800 with all "
        "judged ones where new vectors of the whole corpus would take long (its right figure is higher: "
        "fewer documents are in the way). p is not corrected. The last three columns are seen without "
        "labels: the lengths of the documents' vectors, the mean product of two of them drawn at random, "
        "the mean best score of a query.",
        "",
        "| fault | what | documents | right | wrong | difference | p | Recall@100, right → wrong | "
        "win / loss | lengths | two documents | best hit |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in found["faults"]:
        seen = ("", "", "")
        if "length" in row:
            seen = (
                "–".join(f"{x:.2f}" for x in row["length"]),
                f"{row['two documents']:.3f}",
                f"{row['best hit']:.3f}",
            )
        lines.append(
            f"| {row['fault']} | {row['what']} | {row['documents']:,} | {row['right']:.4f} | "
            f"{row['nDCG@10']:.4f} | {row['difference']:+.4f} [{row['low']:+.3f}, {row['high']:+.3f}] | "
            f"{row['p']:.4f} | {row['right Recall@100']:.3f} → {row['Recall@100']:.3f} | "
            f"{row['win']:.0f} / {row['loss']:.0f} | {seen[0]} | {seen[1]} | {seen[2]} |"
        )
    learned, hybrids, rerank = found["learned sparse"], found["hybrid"], found["reranking"]
    lines += [
        "",
        "## Learned sparse",
        "",
        f"splade-tiny gives a document {learned['weights a document']:.1f} weights and a query "
        f"{learned['weights a query']:.1f}. Nothing published for it on SciFact was found.",
        "",
        *_systems(learned["systems"]),
        "",
        *(
            f"IDF on top, {name}: {row['difference']:+.4f} [{row['low']:+.4f}, {row['high']:+.4f}], "
            f"p {row['p']:.4f}, Recall@100 {row['Recall@100']:.4f}.  "
            for name, row in learned["does IDF help"].items()
        ),
        "",
        "## Hybrid",
        "",
        "alpha is the share of the vectors, chosen on the 809 train queries in steps of 0.05. All lists are "
        f"{K:,} deep.",
        "",
        *_systems(hybrids["systems"]),
        "",
        "Against RRF, k=60:",
        "",
        *_systems(hybrids["against RRF"]),
        "",
        f"Oracles, which no system reaches: the better of the two a query "
        f"{hybrids['oracle choice of a system a query']:.4f}; the best alpha a query "
        + ", ".join(f"{name} {value:.4f}" for name, value in hybrids["oracle alpha a query"].items())
        + f". The two top 100 hold {hybrids['union of two top 100']['recall']:.4f} of what is relevant in "
        f"{hybrids['union of two top 100']['documents']:.1f} documents, and share "
        f"{hybrids['union of two top 100']['shared of the first ten']:.1f} of the first ten.",
        "",
        "| method | alpha of train | nDCG@10 on test with it | test's own best alpha | its nDCG@10 | "
        + " | ".join(f"with alpha {alpha}" for alpha in ALPHAS)
        + " |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for method, row in hybrids["alpha"].items():
        curve = row["curve on test"]
        best, best_ndcg = row["test's best"], row["test's best nDCG@10"]
        others = " | ".join(f"{curve[alpha]:.4f}" for alpha in ALPHAS)
        of_train = f"{row['train']:g} | {curve[format(row['train'], 'g')]:.4f}"
        lines.append(f"| {method} | {of_train} | {best:g} | {best_ndcg:.4f} | {others} |")
    lines += [
        "",
        f"Tuned on few train queries ({DRAWS} draws each): nDCG@10 on test, the mean and between which two "
        "values 90 of a hundred draws lie; then the alphas of 90 of a hundred. On few queries many alphas "
        'are equally good: "ties to" says which of them is taken, the nearest to 0.5 or to 0.',
        "",
        "| method | " + " | ".join(f"{n} queries" for n in SIZES) + " |",
        "|---|" + "--:|" * len(SIZES),
    ]
    ties = {"0.5": hybrids["tuned on few"], "0": hybrids["tuned on few, ties to 0"]}
    for taken, curves in ties.items():
        for method, curve in curves.items():
            cells = (
                f"{row['mean']:.4f} [{row['low']:.4f}, {row['high']:.4f}]; {row['lowest alpha']:g} to "
                f"{row['highest alpha']:g}"
                for row in curve.values()
            )
            lines.append(f"| {method}, ties to {taken} | {' | '.join(cells)} |")
    lines += [
        "",
        "The same alphas with shorter lists:",
        "",
        f"| depth | {' | '.join(hybrids['depth']['10'])} |",
        "|--:|" + "--:|" * 4,
        *(
            f"| {depth} | {' | '.join(f'{value:.4f}' for value in row.values())} |"
            for depth, row in hybrids["depth"].items()
        ),
        "",
        "By kind of query, nDCG@10, and how many the last gains and loses on BM25:",
        "",
    ]
    first = next(iter(hybrids["kinds of query"].values()))
    names = [name for name in first if name not in ("queries", "win", "loss")]
    lines += [
        f"| kind | queries | {' | '.join(names)} | win / loss |",
        "|---|--:|" + "--:|" * (len(names) + 1),
        *(
            f"| {kind} | {row['queries']} | {' | '.join(f'{row[name]:.4f}' for name in names)} | "
            f"{row['win']} / {row['loss']} |"
            for kind, row in hybrids["kinds of query"].items()
        ),
        "",
        "## Reranking",
        "",
        "BM25's first documents in another order, the rest behind them. The ceiling is the best order.",
        "",
        "| candidates | recall | ceiling, nDCG@10 |",
        "|--:|--:|--:|",
        *(
            f"| {depth} | {row['recall']:.4f} | {row['ceiling']:.4f} |"
            for depth, row in rerank["ceiling"].items()
        ),
        "",
        *_systems(rerank["systems"]),
        "",
    ]
    return "\n".join(lines)


def _systems(systems: Mapping[str, Mapping], digits: int = 4) -> list[str]:
    lines = [
        "| system | nDCG@10 | Recall@100 | Judged@10 | difference | win / tie / loss | p | corrected p |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, row in systems.items():
        cells = ["", "", "", ""]
        if row["p"] is not None:
            mark = " †" if row["corrected p"] < 0.05 else ""
            cells = [
                f"{row['difference']:+.4f} [{row['low']:+.3f}, {row['high']:+.3f}]{mark}",
                f"{row['win']:.0f} / {row['tie']:.0f} / {row['loss']:.0f}",
                f"{row['p']:.4f}",
                f"{row['corrected p']:.4f}",
            ]
        lines.append(
            f"| {name} | {row['nDCG@10']:.{digits}f} | {row['Recall@100']:.{digits}f} | "
            f"{row['Judged@10']:.3f} | {' | '.join(cells)} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="what reference_vectors.py has made")
    vectors = Vectors(parser.parse_args().folder)
    figures = published_figures("scifact")
    found = {
        **machine(("numpy", "scipy", "pandas")),
        "published": dict(figures[figures["system"] == "all-MiniLM-L6-v2"][["metric", "value"]].to_numpy()),
        "dense": dense(vectors),
        "faults": faults(vectors),
        "learned sparse": learned_sparse(vectors),
        "hybrid": hybrid(vectors),
        "reranking": reranking(vectors),
    }
    found = json.loads(json.dumps(found))
    store("dense_quality", found, table(found))


if __name__ == "__main__":
    main()
