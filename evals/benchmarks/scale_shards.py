"""BM25 over shards: one index to the last bit? And what it costs in this process, from disk, and on Dask.

    .venv/bin/pip install -r evals/benchmarks/requirements.txt
    .venv/bin/python evals/benchmarks/scale_shards.py real million dask
    .venv/bin/python evals/benchmarks/scale_shards.py large huge --scratch /a/folder/with/30/GB
    .venv/bin/python evals/benchmarks/scale_shards.py pages

Each word is a part of the measurement. What it finds goes into `scale_shards.json`, and both pages beside it,
`scale_shards.md` and `a_billion_documents.md`, are written anew from all that is there; "pages" does only
that. Collections are SciFact, the runbooks and made-up ones of `zipf`. A million of its documents are handed
over as texts, a character for each term, and the analyzer is `list`; larger collections begin where the
analyzer has ended, with shards whose terms are counted. Times are CPU seconds of one process on one core, and
beside them those of the clock; tools take turns, after a round that warms up. A measurement, no test.
"""

import argparse
import gc
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import numpy as np  # noqa: E402
import peak  # noqa: E402
import scale_pages  # noqa: E402
import zipf  # noqa: E402
from scipy.sparse import csr_matrix  # noqa: E402
from stored import HERE, machine  # noqa: E402

from helpers.retrieval import (  # noqa: E402
    CsrBM25,
    SparseIndex,
    compiled,
    count_columns,
    count_terms,
    sparse_index,
    weigh,
)
from helpers.scale import ShardedIndex, shard_files, write_shards  # noqa: E402
from helpers.scale.shards import CountedShard  # noqa: E402
from helpers.text import lucene_english  # noqa: E402

MILLION, LARGE, HUGE = 1_000_000, 8_841_823, 50_000_000
HUGE_LENGTH, HUGE_SHARD, HUGE_LIMIT = 10, 1_000_000, 2 << 30
"""Terms a document of the largest collection, as short as titles, so that it is written within an hour or so;
its documents a shard; and the bytes of its own that the process may have."""
BLOCK = 500_000
"""So many documents of a collection that comes as a stream are made up at a time."""
FIRST_CHARACTER = 0x10000
"""Term 0 as a character; below it lie surrogates, which are none."""
SHARDS = (1, 2, 4, 8, 16)
ROUNDS = 5
SCORING = {"variant": "lucene", "k1": 0.9, "b": 0.4, "delta": None, "lucene_lengths": False}


def texts(n: int) -> Iterator[tuple[str, str]]:
    """A made-up collection, that of `retrieval.py`, as ids and texts, one character a term."""
    terms, starts = zipf.documents(n)
    for low in range(0, n, BLOCK):
        edges = starts[low : low + BLOCK + 1]
        held = (terms[edges[0] : edges[-1]] + FIRST_CHARACTER).astype("<u4").tobytes().decode("utf-32-le")
        edges = (edges - edges[0]).tolist()
        for number, (one, other) in enumerate(zip(edges[:-1], edges[1:], strict=True)):
            yield f"{low + number:09}", held[one:other]


def counted(n: int, size: int, length: int | None = None) -> Iterator[tuple[list[str], CountedShard]]:
    """A collection as shards of so many documents, their terms counted: what an analyzer leaves to do.

    Without a length it is that of `retrieval.py`; with one, each shard is made up when its turn comes.
    """
    whole = zipf.documents(n) if length is None else None
    for low in range(0, n, size):
        high = min(low + size, n)
        if whole:
            starts = whole[1][low : high + 1]
            terms, starts = whole[0][starts[0] : starts[-1]], starts - starts[0]
        else:
            terms, starts = zipf.documents(high - low, seed=low, length=length)
        names, columns = in_order_of_occurrence(terms)
        counts = count_columns(columns[terms], starts, (high - low, len(names)))
        said = [chr(name) for name in (names + FIRST_CHARACTER).tolist()]
        ids = [f"{number:09}" for number in range(low, high)]
        yield ids, CountedShard(np.arange(high - low, dtype=np.int32), said, counts)


def in_order_of_occurrence(terms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The terms that occur, in the order in which they first do, as `count_terms` numbers its columns; and
    the column of each term."""
    first = np.full(zipf.N_TERMS, len(terms))
    for low in range(len(terms) // BLOCK * BLOCK, -1, -BLOCK):  # from the end: the first stays
        first[terms[low : low + BLOCK][::-1]] = np.arange(low, min(low + BLOCK, len(terms)))[::-1]
    occurs = np.flatnonzero(first < len(terms))
    names, columns = occurs[np.argsort(first[occurs])], np.zeros(zipf.N_TERMS, dtype=np.int32)
    columns[names] = np.arange(len(names))
    return names, columns


def asked(n: int) -> dict[str, str]:
    """Queries of five terms, as texts."""
    return {
        f"q{number:04}": "".join(map(chr, row + FIRST_CHARACTER))
        for number, row in enumerate(zipf.queries(n))
    }


def in_turn(tools: Mapping[str, Callable], rounds: int = ROUNDS) -> tuple[dict, dict]:
    """Medians, fastest and slowest of CPU and clock seconds, and what each tool found in its last round."""
    cpu, clock = {name: [] for name in tools}, {name: [] for name in tools}
    found = {}
    for number in range(rounds + 1):
        for name in random.Random(number).sample(list(tools), len(tools)):
            gc.collect()
            wall, own = time.perf_counter(), cpu_seconds()
            found[name] = tools[name]()
            cpu[name].append(cpu_seconds() - own)
            clock[name].append(time.perf_counter() - wall)
    return {name: {"cpu": spread(cpu[name][1:]), "clock": spread(clock[name][1:])} for name in tools}, found


def spread(taken: list[float]) -> dict[str, float]:
    return {"median": median(taken), "least": min(taken), "most": max(taken)}


WORKERS: list = []
"""The worker processes, while Dask is measured: their CPU seconds count too."""


def cpu_seconds() -> float:
    return time.process_time() + sum(sum(worker.cpu_times()[:2]) for worker in WORKERS)


def timed(work: Callable) -> tuple[object, dict[str, float]]:
    wall, own = time.perf_counter(), time.process_time()
    made = work()
    return made, {"cpu": time.process_time() - own, "clock": time.perf_counter() - wall}


def one_by_one(index: object, queries: dict[str, str], k: int) -> Callable:
    return lambda: [index.search({query_id: query}, k) for query_id, query in queries.items()]


def at_once(index: object, queries: dict[str, str], k: int) -> Callable:
    return lambda: index.search(queries, k)


def fingerprint(run: dict) -> str:
    """The same for two runs only if they are equal, down to the last bit of every score."""
    return hashlib.sha256(repr(run).encode()).hexdigest()[:16]


def real() -> dict:
    """SciFact and the runbooks: 1 to 16 shards against one index; what local statistics would give."""
    from helpers.datasets import load_beir, load_runbooks
    from helpers.evaluation import evaluate_retrieval

    found = {}
    texts_of_scifact = list(load_beir("scifact").corpus.values())
    taken, _ = in_turn({"analysis": lambda: count_terms(texts_of_scifact, lucene_english)})
    analysis = per_query(taken, len(texts_of_scifact))["analysis"]["cpu"]
    for dataset in (load_beir("scifact"), load_runbooks()):
        one = CsrBM25(dataset.corpus, lucene_lengths=True)
        want = one.search(dataset.queries, 1000)
        equal = [
            ShardedIndex(dataset.corpus, None, shards, lucene_lengths=True).search(dataset.queries, 1000)
            == want
            for shards in range(1, 17)
        ]
        local = {}
        for shards in (1, 4, 16, 64):
            run = local_idf(dataset.corpus, shards, dataset.queries)
            scores = dict(evaluate_retrieval(run, dataset.qrels, metrics=["nDCG@10", "Recall@100"]))
            tens = ([doc_id for doc_id, _ in run[q][:10]] == [d for d, _ in want[q][:10]] for q in want)
            local[shards] = {**scores, "queries with the same ten": sum(tens)}
        found[dataset.name] = {
            "documents": len(dataset.corpus),
            "queries": len(want),
            "equal with 1 to 16 shards": all(equal),
            "local": local,
        }
    return {"analysis ms": analysis, "collections": found}


def local_idf(corpus: dict[str, str], shards: int, queries: dict[str, str]) -> dict:
    """The wrong way: each shard is an index for itself, with its own N, mean length and df. (Round robin.)"""
    doc_ids = sorted(corpus)
    parts = [{doc_id: corpus[doc_id] for doc_id in doc_ids[first::shards]} for first in range(shards)]
    runs = [CsrBM25(part, lucene_lengths=True).search(queries, 1000) for part in parts]
    return {
        query_id: sorted(
            (hit for run in runs for hit in run[query_id]), key=lambda hit: hit[::-1], reverse=True
        )[:1000]
        for query_id in queries
    }


def million(scratch: Path) -> dict:
    """A million documents: one index, 1 to 16 shards in memory, and 16 on disk."""
    corpus, built = dict(texts(MILLION)), {}
    one, built["one index"] = timed(lambda: CsrBM25(corpus, list))
    indexes = {"one index": one}
    for shards in SHARDS:
        made, built[f"{shards} in memory"] = timed(lambda n=shards: ShardedIndex(corpus, None, n, list))
        indexes[f"{shards} in memory"] = made
    folder = scratch / "million"
    _, built["16 on disk"] = timed(lambda: write_shards(folder, corpus, MILLION // 16, list))
    indexes["16 on disk"] = ShardedIndex.open(folder, analyzer=list)
    found = {"documents": MILLION, "built": built, **searches(indexes, 40, 400)}
    return found | {"scipy": scipy_paths(one, 256)}


def searches(indexes: dict, n_single: int, n_batch: int) -> dict:
    """Milliseconds a query, alone with ten results and in a batch with a hundred, and whether all agree."""
    single, batch = asked(n_single), asked(n_batch)
    alone, _ = in_turn({name: one_by_one(index, single, 10) for name, index in indexes.items()})
    together, runs = in_turn({name: at_once(index, batch, 100) for name, index in indexes.items()})
    marks = {name: fingerprint(run) for name, run in runs.items()}
    return {
        "queries alone": n_single,
        "queries in a batch": n_batch,
        "alone": per_query(alone, n_single),
        "batch": per_query(together, n_batch),
        "fingerprints": marks,
        "equal": len(set(marks.values())) == 1,
    }


def per_query(taken: dict, n: int) -> dict:
    """Milliseconds a query for seconds in all."""
    return {
        name: {kind: {what: 1000 * value / n for what, value in row.items()} for kind, row in kinds.items()}
        for name, kinds in taken.items()
    }


def dask(scratch: Path) -> dict:
    """Two worker processes on this machine, shards on disk and in the workers' memory; one of them killed."""
    import psutil
    from distributed import Client, LocalCluster

    folder, corpus = scratch / "million", dict(texts(20_000))
    if not (folder / "shards.json").is_file():
        write_shards(folder, texts(MILLION), MILLION // 16, list)
    here = {"disk": ShardedIndex.open(folder, analyzer=list), "memory": CsrBM25(corpus, list)}
    single, batch = asked(10), asked(400)
    started = time.perf_counter()
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, Client(cluster) as client:
        pids = client.run(os.getpid)
        found = {"start seconds": time.perf_counter() - started}
        WORKERS[:] = [psutil.Process(pid) for pid in pids.values()]
        tools = {
            "16 shards on disk": (ShardedIndex.open(folder, client, list), "disk"),
            "2 shards in memory": (ShardedIndex(corpus, client, 2, list), "memory"),
        }
        alone, _ = in_turn({name: one_by_one(index, single, 10) for name, (index, _) in tools.items()})
        together, runs = in_turn({name: at_once(index, batch, 100) for name, (index, _) in tools.items()})
        found |= {"alone": per_query(alone, len(single)), "batch": per_query(together, len(batch))}
        found["equal"] = all(run == here[tools[name][1]].search(batch, 100) for name, run in runs.items())
        # The worker that holds most shards is killed; Dask starts another one and makes its shards again.
        WORKERS.clear()
        shards = {future.key for future in tools["2 shards in memory"][0].index.shards}
        held = client.has_what()
        victim = max(pids, key=lambda address: len(shards & set(held[address])))
        os.kill(pids[victim], signal.SIGKILL)
        started = time.perf_counter()
        run = tools["2 shards in memory"][0].search(batch, 100)
        found["equal after a worker was killed"] = run == runs["2 shards in memory"]
        found["seconds of that search"] = time.perf_counter() - started
        client.wait_for_workers(2, timeout=60)
        found["workers in the end"] = len(client.scheduler_info()["workers"])
    sizes = {"documents on disk": MILLION, "documents in memory": len(corpus)}
    return found | sizes | {"compiled": bool(compiled.COMPILED)}


def large(scratch: Path) -> dict:
    """8.8 million documents: written as 16 shards, and one index that is made without them."""
    folder, found = scratch / "large", {"documents": LARGE}
    if not (folder / "shards.json").is_file():
        found |= written(folder, counted(LARGE, -(-LARGE // 16)))
        note(scratch, "large written", found)
    found |= noted(scratch, "large written")
    started = time.perf_counter()
    shards = ShardedIndex.open(folder, analyzer=list)
    found["open seconds"] = time.perf_counter() - started
    one = ShardedIndex.open(folder, analyzer=list, verify=False)
    one.index = whole_index(scratch / "large whole", LARGE)
    found |= searches({"one index": one, "16 on disk": shards}, 20, 200)
    return found | {"scipy": scipy_paths(one, 64)}


def written(folder: Path, shards: Iterator[tuple[list[str], CountedShard]]) -> dict:
    """What writing an index takes: time, memory at most, bytes."""
    peak.give_back()
    peak.forget()
    made_by = {"documents_a_shard": 0, "probe": list(shard_files._PROBE)}
    _, seconds = timed(lambda: shard_files.write_counted(folder, shards, SCORING, made_by))
    sizes = {path.name: 0 for path in folder.rglob("*.npy")}
    for path in folder.rglob("*.npy"):
        sizes[path.name] += path.stat().st_size
    postings = sizes["weights.npy"] // 4
    return {"written": seconds, "most MiB": peak.so_far() / 2**20, "bytes": sizes, "postings": postings}


def whole_index(folder: Path, n: int) -> SparseIndex:
    """One index of a made-up collection, from its counts and by `weigh` without statistics of anything else.

    Its columns are put into the order of first occurrence, as `count_terms` numbers them. Kept on disk.
    """
    if not (folder / "weights.npy").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        terms, starts = zipf.documents(n)
        names, columns = in_order_of_occurrence(terms)
        rows, tfs, sizes = [], [], [np.zeros(1, dtype=np.int64)]
        for low in range(0, n, BLOCK):
            edges = starts[low : low + BLOCK + 1]
            held = columns[terms[edges[0] : edges[-1]]]
            counts = count_columns(held, edges - edges[0], (len(edges) - 1, len(names)))
            rows.append(counts.indices)
            tfs.append(counts.data.astype(np.uint8))  # no document has a term more often
            sizes.append(np.diff(counts.indptr))
        del terms, held, counts
        arrays = np.concatenate(tfs), np.concatenate(rows), np.cumsum(np.concatenate(sizes))
        rows.clear()
        index = SparseIndex(weigh(csr_matrix(arrays, (n, len(names)))).documents)
        for name in ("starts", "documents", "weights"):
            np.save(folder / f"{name}.npy", getattr(index, name))
        del index
    arrays = [np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r")) for name in PARTS]
    return SparseIndex.of_postings(*arrays, n)


PARTS = ("starts", "documents", "weights")


def scipy_paths(index: CsrBM25, n: int) -> dict:
    """The path without numba: through all documents at once, as it was, and in blocks of them, as it is."""
    queries, block = asked(n), sparse_index.DOCUMENTS_IN_A_BLOCK

    def search(documents_in_a_block: int, engine: str) -> dict:
        index.index.engine = engine
        sparse_index.DOCUMENTS_IN_A_BLOCK = documents_in_a_block
        try:
            return index.search(queries, 100)
        finally:
            index.index.engine, sparse_index.DOCUMENTS_IN_A_BLOCK = "auto", block

    tools = {
        "all documents at once": lambda: search(1 << 30, "scipy"),
        "in blocks": lambda: search(block, "scipy"),
        "compiled": lambda: search(block, "compiled"),
    }
    taken, runs = in_turn(tools)
    equal = len({fingerprint(run) for run in runs.values()}) == 1
    return {"queries": n, "block": block, "equal": equal, "batch": per_query(taken, n)}


def huge(scratch: Path) -> dict:
    """50 million documents, out of core: the system enforces how much memory of its own the process has."""
    resource.setrlimit(resource.RLIMIT_DATA, (HUGE_LIMIT, HUGE_LIMIT))
    folder, found = scratch / "huge", {"documents": HUGE, "terms a document": HUGE_LENGTH}
    found |= {"limit MiB": HUGE_LIMIT >> 20} | written(folder, counted(HUGE, HUGE_SHARD, HUGE_LENGTH))
    note(scratch, "huge written", found)
    started = time.perf_counter()
    index = ShardedIndex.open(folder, analyzer=list)
    found["open seconds"] = time.perf_counter() - started
    found["shards"] = len(index.index.shards)
    queries, batch = asked(20), asked(200)
    for path in folder.rglob("*.npy"):  # nothing of it in memory: what a first query costs
        with open(path, "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    run, found["first batch, from disk"] = timed(at_once(index, batch, 100))
    alone, _ = in_turn({"shards on disk": one_by_one(index, queries, 10)})
    together, again = in_turn({"shards on disk": at_once(index, batch, 100)})
    found |= {"alone": per_query(alone, len(queries)), "batch": per_query(together, len(batch))}
    found["queries in a batch"] = len(batch)
    found["compiled"] = bool(compiled.COMPILED)
    found["same from disk and from memory"] = run == again["shards on disk"]
    shutil.rmtree(folder)
    return found


def note(scratch: Path, name: str, found: dict) -> None:
    """Hours of writing are not lost to a search that fails."""
    (scratch / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")


def noted(scratch: Path, name: str) -> dict:
    return json.loads((scratch / f"{name}.json").read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="+", choices=["real", "million", "dask", "large", "huge", "pages"])
    parser.add_argument("--scratch", type=Path, default=Path("build/scale"), help="where indexes are written")
    chosen = parser.parse_args()
    chosen.scratch.mkdir(parents=True, exist_ok=True)
    path = HERE / "scale_shards.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if hasattr(os, "sched_setaffinity") and set(chosen.parts) - {"dask", "pages"}:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for part in chosen.parts:
        if part != "pages":
            print(f"{part} …", file=sys.stderr)
            work = {"million": million, "dask": dask, "large": large, "huge": huge}.get(part)
            found[part] = work(chosen.scratch) if work else real()
            packages = ["numpy", "scipy", "numba"] + (["distributed"] if part == "dask" else [])
            found[part]["machine"] = machine(packages)
            found[part]["rounds"] = ROUNDS
        path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        scale_pages.write(found)


if __name__ == "__main__":
    main()
