"""What approximate and compressed search by vectors costs in quality on SciFact, and how fast it is.

    pip install faiss-cpu usearch
    BEIR_DATA_DIR=… .venv/bin/python evals/benchmarks/scale_vectors.py PIECES [--model FOLDER]

writes `scale_vectors.json` and `scale_vectors.md` beside this file. Documents and queries have the bundled
vectors of all-MiniLM-L6-v2. PIECES is a folder for those of SciFact cut into 64 tokens, made there the first
time (28,510 texts, about twenty minutes of one core), by the model of the catalogue or in FOLDER. Qualities
are exact: they do not hang on the machine. Speeds are queries per CPU-second of one thread.
"""

import argparse
import os
import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from scale_vectors_tables import table  # noqa: E402
from stored import machine, store  # noqa: E402
from turns import in_turn  # noqa: E402

from helpers.datasets import load_beir  # noqa: E402
from helpers.encoders import bundled_model, kept_vectors, load_encoder  # noqa: E402
from helpers.evaluation import compare, evaluate_retrieval  # noqa: E402
from helpers.records import Run  # noqa: E402
from helpers.scale import (  # noqa: E402
    Binary,
    Exact,
    FirstDimensions,
    Float16,
    Hnsw,
    Int4,
    Int8,
    InvertedFile,
    Principal,
    Rescored,
    filtered_after,
    neighbour_recall,
    usual_cells,
)
from helpers.stats import t_interval  # noqa: E402
from helpers.text import chunk_corpus, chunk_fixed, encoding_or_stand_in  # noqa: E402

PROBES, EF = (1, 4, 8, 16, 32, 64), (10, 20, 40, 80, 160)
ALONE = 100
"""So many queries are asked one after the other."""
GROUPS = 100
"""Of the filter: every document is in one of so many, so that a filter keeps a hundredth."""
Nearest = Callable[[np.ndarray, int], tuple[np.ndarray, np.ndarray]]


class SciFact:
    """The collection, its vectors in the order of sorted ids, and what exact search finds."""

    def __init__(self):
        self.data = load_beir("scifact")
        self.doc_ids = sorted(self.data.corpus)
        known = bundled_model("scifact")
        self.documents = unit(known.encode_documents([self.data.corpus[d] for d in self.doc_ids]))
        self.queries = unit(known.encode_queries(list(self.data.queries.values())))

    @cached_property
    def nearest(self) -> np.ndarray:
        return Exact(self.documents).nearest(self.queries, 10)[0]

    def run(self, found: tuple[np.ndarray, np.ndarray]) -> Run:
        return {
            query_id: [
                (self.doc_ids[row], float(score)) for row, score in zip(*pair, strict=True) if row >= 0
            ]
            for query_id, *pair in zip(self.data.queries, *found, strict=True)
        }


def unit(rows: np.ndarray) -> np.ndarray:
    rows = rows.astype(np.float64)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


# The systems: ours, which show how it is done, and the libraries'


def by_hand(documents: np.ndarray) -> dict[str, tuple[Nearest, float]]:
    """Of `helpers.scale` (Hnsw is faiss'): how each searches, and its bytes a document."""
    cells = InvertedFile(documents)
    found = {"exact": _of(Exact(documents))}
    found |= {f"IVF, {p} of {len(cells.centres)} cells": _of(cells, probes=p) for p in PROBES}
    exact, rough = Exact(documents), Binary(documents)
    others = {
        "float16": Float16(documents), "int8": Int8(documents), "int4": Int4(documents), "binary": rough,
        **{f"binary, {n} rescored": Rescored(rough, exact, n) for n in (20, 40, 100, 400)},
        "binary, 100 rescored by int8": Rescored(rough, Int8(documents), 100),
        **{f"PCA, {d} dimensions": Principal(documents, d) for d in (64, 128, 192)},
        **{f"first {d} dimensions": FirstDimensions(documents, d) for d in (128, 256)},
    }  # fmt: skip
    return found | {name: _of(index) for name, index in others.items()}


def _of(index: object, **settings: int) -> tuple[Nearest, float]:
    def nearest(queries: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        for name, value in settings.items():
            setattr(index, name, value)
        return index.nearest(queries, k)

    return nearest, index.bytes_a_document


def by_faiss(documents: np.ndarray) -> dict[str, tuple[Nearest, float]]:
    import faiss

    faiss.omp_set_num_threads(1)
    width, inner = documents.shape[1], faiss.METRIC_INNER_PRODUCT
    cells = usual_cells(len(documents))

    def made(index: object) -> object:
        index.train(documents)
        index.add(documents)
        return index

    def searched(index: object, **asked: int) -> tuple[Nearest, float]:
        kind = {"nprobe": faiss.SearchParametersIVF, "efSearch": faiss.SearchParametersHNSW}
        params = next((kind[name](**asked) for name in asked), None)
        size = len(faiss.serialize_index(index)) / len(documents)
        return (lambda queries, k: index.search(queries, k, params=params)[::-1]), size

    inverted = made(faiss.IndexIVFFlat(faiss.IndexFlatIP(width), width, cells, inner))
    graph = Hnsw(documents)
    quantised = faiss.ScalarQuantizer
    kinds = {"float16": quantised.QT_fp16, "int8": quantised.QT_8bit, "int4": quantised.QT_4bit}
    flat = {
        "exact": faiss.IndexFlat(width, inner),
        **{name: faiss.IndexScalarQuantizer(width, kind, inner) for name, kind in kinds.items()},
    }
    found = {name: searched(made(index)) for name, index in flat.items()}
    found |= {f"IVF, {p} of {cells} cells": searched(inverted, nprobe=p) for p in PROBES}
    found |= {f"HNSW, ef {ef}": searched(graph.index, efSearch=ef) for ef in EF}
    bits = faiss.IndexBinaryFlat(width)
    bits.add(np.packbits(documents > 0, axis=1))

    def binary(queries: np.ndarray, k: int, rescored: int = 0) -> tuple[np.ndarray, np.ndarray]:
        distances, rows = bits.search(np.packbits(queries > 0, axis=1), max(k, rescored))
        if not rescored:
            return rows, -distances.astype(np.float32)
        scores = np.einsum("qcd,qd->qc", documents[rows], queries)
        order = np.argsort(-scores, axis=1)[:, :k]
        return np.take_along_axis(rows, order, 1), np.take_along_axis(scores, order, 1)

    return found | {
        "binary": (binary, width / 8),
        "binary, 100 rescored": (partial(binary, rescored=100), width / 8 + 4 * width),
    }


def by_usearch(documents: np.ndarray) -> dict[str, tuple[Nearest, float]]:
    from usearch.index import Index

    found = {}
    for dtype in ("f32", "f16", "i8"):
        index = Index(ndim=documents.shape[1], metric="cos", dtype=dtype, connectivity=16, expansion_add=80)
        index.add(np.arange(len(documents)), documents, threads=1)
        size = index.serialized_length / len(documents)
        for ef in (16, 64):
            found[f"HNSW {dtype}, ef {ef}"] = (partial(_usearch, index, ef), size)
    return found


def _usearch(index: object, ef: int, queries: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    index.expansion_search = ef
    found = index.search(queries, k, threads=1)
    keys, distances = np.atleast_2d(found.keys), np.atleast_2d(found.distances)
    return keys.astype(np.int64), 1 - distances


# Measured


def qualities(scifact: SciFact, systems: Mapping[str, tuple[Nearest, float]]) -> dict:
    """For each system recall@10 of the exact neighbours, nDCG@10 (both of a search for ten) and Recall@100
    (of a search for a hundred), with differences to exact search."""
    rows, tens, hundreds = {}, {}, {}
    for name, (nearest, size) in systems.items():
        found = nearest(scifact.queries, 10)
        recall = neighbour_recall(found[0], scifact.nearest)
        kept = (scifact.nearest[:, :, None] == np.asarray(found[0])[:, None, :]).any(axis=2).mean(axis=0)
        rows[name] = {
            "recall@10": float(recall.mean()), "recall interval": list(t_interval(recall)),
            "kept by rank": kept.tolist(), "bytes": size,
        }  # fmt: skip
        tens[name] = evaluate_retrieval(scifact.run(found), scifact.data.qrels, metrics=["nDCG@10"])
        run = scifact.run(nearest(scifact.queries, 100))
        hundreds[name] = evaluate_retrieval(run, scifact.data.qrels, metrics=["Recall@100"])
    for metric, evaluations in (("nDCG@10", tens), ("Recall@100", hundreds)):
        compared = compare(evaluations, metric, "ours: exact").table
        for name, evaluation in evaluations.items():
            rows[name][metric] = evaluation[metric]
            rows[name][f"{metric} compared"] = _difference(compared.loc[name])
    return {"systems": rows, "pairs": pairs(tens)}


def pairs(evaluations: Mapping[str, object]) -> dict:
    """Two that find the same share of neighbours, against each other: int4 beside an inverted file (about
    0.92), bits rescored beside a graph (about 0.945)."""
    cells = next(name for name in evaluations if name.startswith("ours: IVF, 16"))
    asked = {("ours: int4", cells), ("ours: binary, 100 rescored", "faiss: HNSW, ef 20")}
    found = {}
    for better, worse in sorted(asked, reverse=True):
        two = {name: evaluations[name] for name in (worse, better)}
        found[f"{better} − {worse}"] = _difference(compare(two, "nDCG@10", worse).table.loc[better])
    return found


def _difference(row: Mapping) -> dict | None:
    names = {"difference": "difference", "diff low": "low", "diff high": "high", "win": "win", "loss": "loss"}
    names |= {"corrected p": "corrected p"}
    if pd.isna(row["difference"]):
        return None
    return {new: float(row[old]) for old, new in names.items()}


def speeds(scifact: SciFact, systems: Mapping[str, tuple[Nearest, float]], rounds: int) -> dict:
    """Queries per CPU-second, ten results each: all queries given at once, and one after the other."""

    def alone(nearest: Nearest) -> None:
        for row in range(ALONE):
            nearest(scifact.queries[row : row + 1], 10)

    ways = {
        "together": {name: partial(found[0], scifact.queries, 10) for name, found in systems.items()},
        "alone": {name: partial(alone, found[0]) for name, found in systems.items()},
    }
    measured: dict = {}
    for way, tools in ways.items():
        taken, _ = in_turn(tools, rounds, way, time.process_time)
        for name, row in taken.items():
            n = ALONE if way == "alone" else len(scifact.queries)
            per_second = {key: n / row[key] for key in ("seconds", "slowest", "fastest")}
            measured.setdefault(name, {})[way] = per_second
    return measured


def another_k(scifact: SciFact) -> dict:
    """The first ten of a search for ten and of one for a hundred: usearch widens ef to k, faiss does not."""
    libraries = {
        "faiss, ef 10": by_faiss(scifact.documents)["HNSW, ef 10"][0],
        "usearch, ef 16": by_usearch(scifact.documents)["HNSW f32, ef 16"][0],
    }
    asked = {
        (name, k): partial(one, scifact.queries, k) for name, one in libraries.items() for k in (10, 100)
    }
    taken, found = in_turn(asked, 5, "k", time.process_time)
    rows: dict = {name: {} for name in libraries}
    for (name, k), (own, _) in found.items():
        rows[name][str(k)] = {
            "recall@10": float(neighbour_recall(np.asarray(own)[:, :10], scifact.nearest).mean()),
            "per second": len(scifact.queries) / taken[name, k]["seconds"],
        }
    return rows


def built_again(scifact: SciFact) -> dict:
    """Five inverted files by other seeds, five graphs by other orders of insertion: lowest, mean, highest."""
    found: dict = {"IVF, 16 of 132 cells": [], "HNSW, ef 20": []}
    for seed in range(5):
        cells = InvertedFile(scifact.documents, probes=16, seed=seed)
        found["IVF, 16 of 132 cells"].append(cells.nearest(scifact.queries, 10))
        order = np.random.default_rng(seed).permutation(len(scifact.documents))
        rows, scores = Hnsw(scifact.documents[order], ef_search=20).nearest(scifact.queries, 10)
        found["HNSW, ef 20"].append((order[rows], scores))
    spread = {}
    for name, runs in found.items():
        recalls = [float(neighbour_recall(rows, scifact.nearest).mean()) for rows, _ in runs]
        ndcgs = [evaluate_retrieval(scifact.run(run), scifact.data.qrels)["nDCG@10"] for run in runs]
        spread[name] = {
            what: [min(values), float(np.mean(values)), max(values)]
            for what, values in (("recall@10", recalls), ("nDCG@10", ndcgs))
        }
    return spread


# Filters


def filters(scifact: SciFact, rounds: int) -> dict:
    """Each query is asked within the group of its first relevant document, one of a hundred drawn at random,
    and judged by what is relevant there."""
    group = np.random.default_rng(0).integers(GROUPS, size=len(scifact.doc_ids))
    of = dict(zip(scifact.doc_ids, group.tolist(), strict=True))
    relevant = {q: [d for d in sorted(grades) if grades[d] > 0] for q, grades in scifact.data.qrels.items()}
    asked = {q: of[relevant[q][0]] for q in scifact.data.queries}
    qrels = {q: {d: scifact.data.qrels[q][d] for d in relevant[q] if of[d] == asked[q]} for q in asked}
    masks = [group == asked[q] for q in scifact.data.queries]
    exact, graph, cells = Exact(scifact.documents), Hnsw(scifact.documents), InvertedFile(scifact.documents)
    inverted = _faiss_filtered(scifact.documents)

    def before(index: object) -> Callable:
        return lambda query, mask: index.nearest(query, 10, mask)

    def after(index: object, fetched: int) -> Callable:
        return lambda query, mask: filtered_after(index, query, 10, mask, fetched)

    systems = {"exact, before": before(exact)}
    systems |= {f"exact, after, of {n}": after(exact, n) for n in (10, 100, 1000)}
    for probes in (8, 32):
        one = _Set(cells, "probes", probes)
        systems[f"IVF {probes}, before"] = before(one)
        systems[f"faiss IVF {probes}, before"] = partial(inverted, probes)
        systems[f"IVF {probes}, after, of 1000"] = after(one, 1000)
    for ef in (40, 160, 640):
        one = _Set(graph, "ef_search", ef)
        systems[f"HNSW ef {ef}, before"] = before(one)
        systems[f"HNSW ef {ef}, after, of 1000"] = after(one, 1000)
    queries = [scifact.queries[row : row + 1] for row in range(len(masks))]

    def each(search: Callable) -> list:
        return [search(query, mask) for query, mask in zip(queries, masks, strict=True)]

    taken, found = in_turn(
        {n: partial(each, s) for n, s in systems.items()}, rounds, "filters", time.process_time
    )
    right = np.concatenate([rows for rows, _ in found["exact, before"]])
    rows, evaluations = {}, {}
    for name in systems:
        results = found[name]
        both = tuple(np.concatenate(part) for part in zip(*results, strict=True))
        recall = neighbour_recall(both[0], right)
        evaluations[name] = evaluate_retrieval(scifact.run(both), qrels, metrics=["nDCG@10"])
        rows[name] = {
            "recall@10": float(recall.mean()), "results": float((both[0] >= 0).sum(axis=1).mean()),
            "nDCG@10": evaluations[name]["nDCG@10"],
            "microseconds": 1e6 * taken[name]["seconds"] / len(queries),
        }  # fmt: skip
    compared = compare(evaluations, "nDCG@10", "exact, before").table
    for name in rows:
        rows[name]["nDCG@10 compared"] = _difference(compared.loc[name])
    kept = [int(mask.sum()) for mask in masks]
    return {"kept": [min(kept), float(np.mean(kept)), max(kept)], "systems": rows}


class _Set:
    """An index with one of its settings, set anew before each search."""

    def __init__(self, index: object, name: str, value: int):
        self.index, self.setting = index, (name, value)

    def nearest(self, *asked: object) -> tuple[np.ndarray, np.ndarray]:
        setattr(self.index, *self.setting)
        return self.index.nearest(*asked)


def _faiss_filtered(documents: np.ndarray) -> Callable:
    import faiss

    width = documents.shape[1]
    index = faiss.IndexIVFFlat(
        faiss.IndexFlatIP(width), width, usual_cells(len(documents)), faiss.METRIC_INNER_PRODUCT
    )
    index.train(documents)
    index.add(documents)

    def search(probes: int, query: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        chosen = faiss.IDSelectorBatch(np.flatnonzero(mask))
        return index.search(query, 10, params=faiss.SearchParametersIVF(sel=chosen, nprobe=probes))[::-1]

    return search


# More documents, and made-up ones


def pieces(scifact: SciFact, folder: Path, model: str) -> tuple[np.ndarray, np.ndarray]:
    """SciFact cut into pieces of 64 tokens: their vectors, and the number of the document of each."""
    corpus = {doc_id: scifact.data.corpus[doc_id] for doc_id in scifact.doc_ids}
    cut = partial(chunk_fixed, chunk_size=64, overlap=0, encoding=encoding_or_stand_in())
    chunks = chunk_corpus(corpus, cut)
    texts = {chunk.chunk_id: chunk.text for chunk in chunks}
    _, vectors = kept_vectors(load_encoder(model, batch_size=32), texts, folder)
    number = {doc_id: row for row, doc_id in enumerate(scifact.doc_ids)}
    return unit(vectors), np.array([number[chunk.doc_id] for chunk in chunks])


def five_times(queries: np.ndarray, vectors: np.ndarray, owner: np.ndarray) -> dict:
    """The same parameters on each fifth of the documents (drawn once, disjoint), and on all; the difference
    for each query is between all and its mean over the fifths."""
    fifth = np.random.default_rng(0).permutation(owner.max() + 1)[owner] % 5
    parts = [_recalls(queries, vectors[fifth == number]) for number in range(5)]
    rows = {}
    for name, whole in _recalls(queries, vectors).items():
        means = [float(part[name].mean()) for part in parts]
        gain = whole - np.mean([part[name] for part in parts], axis=0)
        rows[name] = {
            "fifths": [min(means), float(np.mean(means)), max(means)], "all": float(whole.mean()),
            "difference": [float(gain.mean()), *map(float, t_interval(gain))],
        }  # fmt: skip
    return {"sizes": np.bincount(fifth).tolist(), "systems": rows}


def _recalls(queries: np.ndarray, vectors: np.ndarray) -> dict[str, np.ndarray]:
    """recall@10 of each system, query by query."""
    exact = Exact(vectors)
    right = exact.nearest(queries, 10)[0]
    graph, cells, rough = Hnsw(vectors), InvertedFile(vectors), Binary(vectors)
    systems = {f"HNSW, ef {ef}": _of(graph, ef_search=ef)[0] for ef in (10, 20, 40, 80)}
    systems |= {f"IVF, {p} cells": _of(cells, probes=p)[0] for p in (4, 8, 16)}
    systems |= {"int8": Int8(vectors).nearest, "int4": Int4(vectors).nearest}
    systems |= {"binary, 100 rescored": Rescored(rough, exact, 100).nearest}
    return {name: neighbour_recall(nearest(queries, 10)[0], right) for name, nearest in systems.items()}


def made_up(n: int, n_queries: int, width: int, centres: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Documents and queries around the same centres, with noise 0.6 times as long as they; or directions
    without any centre."""
    rng = np.random.default_rng(0)
    points = rng.standard_normal((n + n_queries, width)) / np.sqrt(width)
    if centres:
        middle = unit(rng.standard_normal((centres, width)))
        points = middle[rng.integers(centres, size=len(points))] + 0.6 * points
    return unit(points[:n]), unit(points[n:])


def flattery(scifact: SciFact) -> dict:
    """Inverted file and graph on SciFact, on made-up clusters, and on directions without clusters."""
    size = (*scifact.documents.shape[:1], *scifact.queries.shape)
    collections = {
        "SciFact": (scifact.documents, scifact.queries),
        "100 made-up clusters": made_up(*size, centres=100),
        "made up, no clusters": made_up(*size),
    }
    return {
        name: {
            system: [float(recall.mean()), *map(float, t_interval(recall))]
            for system, recall in _recalls(queries, documents).items()
        }
        for name, (documents, queries) in collections.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pieces", type=Path)
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    scifact = SciFact()
    made = {"ours": by_hand, "faiss": by_faiss, "usearch": by_usearch}
    systems = {
        f"{library}: {name}": system
        for library, make in made.items()
        for name, system in make(scifact.documents).items()
    }
    found = qualities(scifact, systems)
    for name, row in speeds(scifact, systems, chosen.rounds).items():
        found["systems"][name]["per CPU-second"] = row
    found["another k"], found["built again"] = another_k(scifact), built_again(scifact)
    found["filters"] = filters(scifact, chosen.rounds)
    found["made up"] = flattery(scifact)
    cut, owner = pieces(scifact, chosen.pieces, chosen.model)
    found["five times"] = {
        "abstracts": five_times(scifact.queries, scifact.documents, np.arange(len(scifact.documents))),
        "pieces": five_times(scifact.queries, cut, owner),
    }
    found |= {"rounds": chosen.rounds, "machine": machine(("numpy", "faiss-cpu", "usearch"))}
    found |= {"documents": len(scifact.doc_ids), "queries": len(scifact.queries), "pieces": len(cut)}
    store("scale_vectors", found, table(found))


if __name__ == "__main__":
    main()
