"""How fast exact sparse retrieval is, and how much memory it takes, beside the tools that people use for it.

    .venv/bin/pip install -r evals/benchmarks/requirements.txt
    .venv/bin/python evals/benchmarks/retrieval.py

writes `retrieval.json`, the table `retrieval.md` and the figure `retrieval.svg` beside this file. SciFact
(where it is found) and made-up collections of `zipf`. Every system starts from the same term numbers, scores
BM25 (Lucene's idf, k1=0.9, b=0.4), and may use all cores. The systems take turns in one process; memory is
measured in a process of its own for each. Times are those of one machine: compare within a row. This is a
measurement, no test: nothing fails for being slow.
"""

import argparse
import gc
import json
import logging
import multiprocessing
import os
import platform
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np
import peak
import psutil
import zipf
from scipy.sparse import csr_matrix
from tqdm import tqdm

from helpers.retrieval import SparseIndex, count_columns, top_k, weigh

HERE = Path(__file__).parent
DEPTHS = (10, 100, 1000)
SIZES = (100_000, 1_000_000, 8_841_823)
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Ours:
    """Our index with one of its two engines."""

    def __init__(self, terms: np.ndarray, starts: np.ndarray, n_terms: int, engine: str):
        weighting = weigh(count_columns(terms, starts, (len(starts) - 1, n_terms)))
        self.idf, self.index = weighting.query, SparseIndex(weighting.documents, engine)

    def search(self, queries: list[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
        starts = np.cumsum([0] + [len(query) for query in queries])
        counts = count_columns(np.concatenate(queries), starts, (len(queries), self.index.n_terms))
        weighted = csr_matrix(
            (counts.data * self.idf[counts.indices], counts.indices, counts.indptr), counts.shape
        )
        return self.index.search(weighted, k)

    def nbytes(self) -> int:
        return self.index.documents.nbytes + self.index.weights.nbytes + self.index.starts.nbytes


class Naive:
    """What most tutorials do: the whole matrix times one dense query, then the k best of all scores. One
    core."""

    def __init__(self, terms: np.ndarray, starts: np.ndarray, n_terms: int):
        weighting = weigh(count_columns(terms, starts, (len(starts) - 1, n_terms)))
        self.idf, self.matrix = weighting.query, weighting.documents

    def search(self, queries: list[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
        documents = np.full((len(queries), k), -1, dtype=np.int32)
        scores = np.zeros((len(queries), k), dtype=np.float32)
        for row, query in enumerate(queries):
            counts = np.bincount(query, minlength=self.matrix.shape[1]).astype(np.float32)
            found = self.matrix @ (counts * self.idf)
            best = top_k(found, k)
            documents[row, : len(best)], scores[row, : len(best)] = best, found[best]
        return documents, scores

    def nbytes(self) -> int:
        return self.matrix.data.nbytes + self.matrix.indices.nbytes + self.matrix.indptr.nbytes


class Bm25s:
    """The bm25s package with one of its two backends, on all cores."""

    def __init__(self, terms: np.ndarray, starts: np.ndarray, n_terms: int, backend: str):
        import bm25s

        logging.getLogger("bm25s").setLevel(logging.WARNING)
        self.vocabulary = {str(term): term for term in range(n_terms)}
        self.tokenized, self.backend = bm25s.tokenization.Tokenized, backend
        documents = [terms[a:b].tolist() for a, b in zip(starts[:-1], starts[1:], strict=True)]
        self.bm25 = bm25s.BM25(method="lucene", k1=0.9, b=0.4, backend=backend)
        gc.collect()
        started = time.perf_counter()
        self.bm25.index(self.tokenized(ids=documents, vocab=self.vocabulary), show_progress=False)
        self.seconds = time.perf_counter() - started  # without our making its lists

    def search(self, queries: list[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
        tokens = self.tokenized(ids=[query.tolist() for query in queries], vocab=self.vocabulary)
        threads = -1 if self.backend == "numba" else CORES
        return tuple(self.bm25.retrieve(tokens, k=k, show_progress=False, n_threads=threads))

    def nbytes(self) -> int:
        return sum(self.bm25.scores[part].nbytes for part in ("data", "indices", "indptr"))


class RankBm25:
    """The rank-bm25 package: its Okapi, whose idf is another, so its scores are not compared. One core."""

    def __init__(self, terms: np.ndarray, starts: np.ndarray, n_terms: int):
        from rank_bm25 import BM25Okapi

        documents = [terms[a:b].tolist() for a, b in zip(starts[:-1], starts[1:], strict=True)]
        started = time.perf_counter()
        self.bm25 = BM25Okapi(documents, k1=0.9, b=0.4)
        self.seconds = time.perf_counter() - started

    def search(self, queries: list[np.ndarray], k: int) -> None:
        for query in queries:
            top_k(self.bm25.get_scores(query.tolist()), k)

    def nbytes(self) -> int:
        return 0  # Python dicts: see the memory of its process


SYSTEMS: dict[str, tuple[Callable, dict[int, int], int]] = {
    # How it is made; how many queries it gets, by the size of the collection up to which that holds; rounds
    # of building.
    "Measure First, compiled": (lambda *corpus: Ours(*corpus, "compiled"), {10**7: 6980}, 3),
    "Measure First, SciPy": (lambda *corpus: Ours(*corpus, "scipy"), {200_000: 6980, 10**7: 1000}, 3),
    "bm25s, numba": (lambda *corpus: Bm25s(*corpus, "numba"), {200_000: 6980, 2_000_000: 3000}, 1),
    "bm25s, numpy": (
        lambda *corpus: Bm25s(*corpus, "numpy"),
        {10_000: 3000, 200_000: 500, 2_000_000: 100},
        1,
    ),
    "matrix times dense query": (Naive, {10_000: 1000, 200_000: 200, 2_000_000: 30, 10**7: 6}, 1),
    "rank-bm25": (RankBm25, {10_000: 100, 200_000: 5}, 1),
}
"""bm25s at 8.8 million documents would need more memory than the machine of the stored table has;
rank-bm25 more patience."""


def n_queries(system: str, n_documents: int) -> int:
    return next((n for limit, n in SYSTEMS[system][1].items() if n_documents <= limit), 0)


def collection(size: int | str) -> tuple[np.ndarray, np.ndarray, int, list[np.ndarray]]:
    """Terms, starts, number of terms, and queries: SciFact's by name, or a made-up collection of so many
    documents."""
    if isinstance(size, int):
        return (*zipf.documents(size), zipf.N_TERMS, list(zipf.queries(6980)))
    from helpers.datasets import load_beir
    from helpers.text import lucene_english

    dataset, columns = load_beir(size), {}
    texts = [
        np.array([columns.setdefault(term, len(columns)) for term in lucene_english(text)], np.int32)
        for text in [*dataset.corpus.values(), *dataset.queries.values()]
    ]
    documents, queries = texts[: len(dataset.corpus)], texts[len(dataset.corpus) :]
    starts = np.concatenate([[0], np.cumsum([len(text) for text in documents])])
    return np.concatenate(documents), starts, len(columns), (queries * 24)[:6980]


def speed(size: int | str, rounds: int) -> dict:
    """Building and searching, the systems taking turns in each round; medians, and the largest difference
    of any score."""
    terms, starts, n_terms, queries = collection(size)
    n = len(starts) - 1
    built, systems = {}, {}
    for name, (make, _, times) in SYSTEMS.items():
        if n_queries(name, n):
            seconds = []
            for _ in range(times if n < 2_000_000 else 1):
                systems.pop(name, None)
                gc.collect()
                started = time.perf_counter()
                systems[name] = make(terms, starts, n_terms)
                seconds.append(getattr(systems[name], "seconds", time.perf_counter() - started))
            built[name] = median(seconds)
            print(f"{n:,} documents, {name}: built in {built[name]:.2f} s", file=sys.stderr)
    index, other = systems["Measure First, compiled"].index, systems["Measure First, SciPy"].index
    other.starts, other.documents, other.weights = (
        index.starts,
        index.documents,
        index.weights,
    )  # held once, searched in two ways
    # A word that stands twice in a query is looked up once.
    lengths = np.diff(index.starts)
    touched = np.mean([lengths[np.unique(query)].sum() for query in queries])
    postings = len(index.documents)
    del terms, starts
    rates = {name: {k: [] for k in DEPTHS} for name in systems}
    for number in tqdm(range(rounds + 1), desc=f"{n:,} documents", unit="round", disable=None):
        for name in list(systems) if number % 2 else list(systems)[::-1]:
            own = queries[: n_queries(name, n)]
            for k in (depth for depth in DEPTHS if depth <= n):
                gc.collect()
                started = time.perf_counter()
                systems[name].search(
                    own if number else own[: max(len(own) // 10, 5)], k
                )  # the first round warms up
                if number:
                    rates[name][k].append(len(own) / (time.perf_counter() - started))
    return {
        "documents": n,
        "postings": postings,
        "postings read a query": float(touched),
        "systems": {
            name: {
                "queries": n_queries(name, n),
                "build seconds": built[name],
                "queries per second": {str(k): median(rates[name][k]) for k in DEPTHS},
                "slowest": {str(k): min(rates[name][k]) for k in DEPTHS},
                "fastest": {str(k): max(rates[name][k]) for k in DEPTHS},
                "bytes a posting": systems[name].nbytes() / postings,
                **agreement(
                    systems["Measure First, compiled"], systems[name], queries[: n_queries(name, n)][:100]
                ),
            }
            for name in systems
        },
    }


def agreement(ours: Ours, other: object, queries: list[np.ndarray], k: int = 100) -> dict:
    """How far the scores at each rank are from ours, and the share of equal documents at equal ranks."""
    found = other.search(queries, k)
    if found is None:
        return {}
    documents, scores = ours.search(queries, k)
    return {
        "largest difference of a score": float(np.abs(np.where(scores > 0, found[1], 0) - scores).max()),
        "same document at the same rank": float((np.asarray(found[0]) == documents)[scores > 0].mean()),
    }


def memory(size: int, system: str) -> dict:
    """Mebibytes: what the process grew by with the index, and the most it held above that during 6,980
    queries (others: fewer)."""
    terms, starts, n_terms, queries = collection(size)
    n, process = len(starts) - 1, psutil.Process()
    gc.collect()
    before = process.memory_info().rss
    built = SYSTEMS[system][0](terms, starts, n_terms)
    gc.collect()
    with_index = process.memory_info().rss
    built.search(queries[:5], 100)
    peak.give_back()
    peak.forget()
    resting = process.memory_info().rss
    own = queries if system.startswith("Measure First") else queries[: n_queries(system, n)]
    built.search(own, 100)
    return {
        "index MiB": (with_index - before) / 2**20,
        "search MiB": max(peak.so_far() - resting, 0) / 2**20,
        "memory queries": len(own),
    }


def bandwidth() -> float:
    """Bytes that all cores together read from memory in a second: sums of arrays too large for any cache."""
    arrays = [np.ones(1 << 27, dtype=np.float32) for _ in range(CORES)]
    best = 0.0
    with ThreadPoolExecutor(CORES) as pool:
        for _ in range(5):
            started = time.perf_counter()
            list(pool.map(np.sum, arrays))
            best = max(best, sum(array.nbytes for array in arrays) / (time.perf_counter() - started))
    return best


def table(found: dict) -> str:
    """The Markdown page of one measurement."""
    made_of = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    lines = [
        "# Retrieval: speed and memory",
        "",
        "BM25 (Lucene's idf, k1=0.9, b=0.4), exact, from term numbers to the best documents. SciFact is "
        "real, its 300 queries asked 6,980 times in all; the others are made-up collections with Zipf's "
        "distribution of terms and queries of five terms. Queries per second are medians of "
        f"{found['rounds']} rounds in which the systems take turns, after one that warms up; all may use "
        f"all {found['cpus']} cores. Memory while searching is "
        "above the index, in a process of its own.",
        "",
        f"Measured with Python {found['python']}: {made_of}. Written by `retrieval.py`, which says how.",
    ]
    for size in found["sizes"]:
        lines += [
            "",
            f"## {size['name']}: {size['documents']:,} documents, {size['postings']:,} postings, "
            f"{size['postings read a query']:,.0f} read a query",
            "",
            "| system | build, s | queries/s, top 10 | top 100 | top 1,000 | × ours at 100 | bytes a "
            "posting | search, MiB | same ranks |",
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        ]
        ours = size["systems"]["Measure First, compiled"]["queries per second"]["100"]
        for name, row in size["systems"].items():
            rate = row["queries per second"]
            cells = [
                f"{row['build seconds']:.2f}",
                *(f"{rate[str(k)]:,.0f}" if rate[str(k)] >= 10 else f"{rate[str(k)]:.1f}" for k in DEPTHS),
            ]
            cells += [
                f"{rate['100'] / ours:.4f}",
                f"{row['bytes a posting']:.1f}" if row["bytes a posting"] else "",
            ]
            cells += [
                f"{row['search MiB']:.0f} ({row['memory queries']:,} queries)" if "search MiB" in row else ""
            ]
            cells += [
                f"{row['same document at the same rank']:.2%}"
                if "same document at the same rank" in row
                else ""
            ]
            lines.append(f"| {name} | {' | '.join(cells)} |")
    path = found["path"]
    rows = [row for size in found["sizes"] for row in size["systems"].values()]
    farthest = max(row.get("largest difference of a score", 0) for row in rows)
    lines += [
        "",
        f"All cores together read {found['bytes a second'] / 1e9:.1f} GB a second from memory. "
        '"Same ranks" compares with our compiled path; another document stands at a rank only where scores '
        f"are equal within rounding: the largest difference of a score is {farthest:.1e}.",
        "",
        "![Time per query against the size of the collection](retrieval.svg)",
    ]
    if path:
        lines += [
            "",
            "## From SciFact's files to evaluated numbers",
            "",
            "Read, analyse (with stemming), index, 300 queries of 1,000 results, metrics. In one process: "
            f"the medians of {path['rounds']} rounds in turns, every cache of words emptied before each. As "
            "a new process: imports included.",
            "",
            "| path | in one process, s | as a new process, s | nDCG@10 |",
            "|---|--:|--:|--:|",
            *(
                f"| {name} | {row['in one process']:.3f} | {row['new process']:.3f} | {row['nDCG@10']:.4f} |"
                for name, row in path["paths"].items()
            ),
        ]
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--sizes", default=",".join(map(str, SIZES)), help="numbers of made-up documents, separated by commas"
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds after the first one (default: 5)")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for the three files")
    chosen = parser.parse_args()
    import scifact_path

    from helpers import datasets, show

    sizes = [int(size) for size in chosen.sizes.split(",") if size]
    has_scifact = datasets.find_beir("scifact") is not None
    found = {
        "rounds": chosen.rounds,
        "cpus": CORES,
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("bm25s", "rank-bm25", "numba", "numpy", "scipy")},
        "bytes a second": bandwidth(),
        "path": scifact_path.measured(7) if has_scifact else {},
        "sizes": [],
    }
    spawn = multiprocessing.get_context("spawn")
    for size in (["scifact"] if has_scifact else []) + sizes:
        with spawn.Pool(1, maxtasksperchild=1) as processes:
            row = processes.apply(speed, (size, chosen.rounds))
            row["name"] = "SciFact" if size == "scifact" else "made up"
            for system in row["systems"] if size in (1_000_000, 8_841_823) else []:
                row["systems"][system] |= processes.apply(memory, (size, system))
        found["sizes"].append(row)
        (chosen.out / "retrieval.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (chosen.out / "retrieval.md").write_text(table(found), encoding="utf-8")
    show.cost_figure(found).savefig(chosen.out / "retrieval.svg", metadata={"Date": None})
    print(table(found))


if __name__ == "__main__":
    main()
