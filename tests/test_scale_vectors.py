"""Search by vectors that looks at fewer documents, or keeps fewer bytes of each: what it finds, what it may
lose, and what was measured of it."""

import importlib.util
import json
import sys

import numpy as np
import pytest

from helpers.base import files
from helpers.datasets import load_beir
from helpers.encoders import bundled_model
from helpers.evaluation import evaluate_retrieval
from helpers.retrieval import DenseRetriever
from helpers.scale import (
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
    VectorSearch,
    filtered_after,
    k_means,
    neighbour_recall,
    usual_cells,
)

FOLDER = files.ROOT / "evals" / "benchmarks"
STORED = json.loads((FOLDER / "scale_vectors.json").read_text(encoding="utf-8"))


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def points():
    return unit(np.random.default_rng(1).standard_normal((200, 10)))


@pytest.fixture(scope="module")
def queries():
    return unit(np.random.default_rng(2).standard_normal((20, 10)))


@pytest.fixture(scope="module")
def everyday():
    return load_beir("everyday-science", path=files.BUNDLED_BEIR / "everyday-science")


@pytest.fixture(scope="module")
def on_scifact(scifact):
    """Doc_ids, documents and queries, in the order of the ids and of the queries."""
    known, doc_ids = bundled_model("scifact"), sorted(scifact.corpus)
    documents = known.encode_documents([scifact.corpus[doc_id] for doc_id in doc_ids])
    return doc_ids, unit(documents), unit(known.encode_queries(list(scifact.queries.values())))


EVERY_KIND = {
    "exact": Exact,
    "cells": lambda rows: InvertedFile(rows, cells=5, probes=5),
    "float16": Float16,
    "int8": Int8,
    "int4": Int4,
    "binary": Binary,
    "rescored": lambda rows: Rescored(Binary(rows), Exact(rows), 200),
    "principal": lambda rows: Principal(rows, 10),
    "first dimensions": lambda rows: FirstDimensions(rows, 10),
}


# Every index


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_results_come_best_first_each_row_once_and_no_more_than_there_are(kind, points, queries):
    index = EVERY_KIND[kind](points)
    rows, scores = index.nearest(queries, 500)
    assert rows.shape == scores.shape == (20, 200)
    assert all(sorted(own) == list(range(200)) for own in rows.tolist())
    assert (np.diff(scores, axis=1) <= 0).all()
    assert np.array_equal(index.nearest(queries, 7)[0], rows[:, :7])


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_a_filter_before_the_search_gives_what_is_best_among_those_allowed(kind, points, queries):
    index, allowed = EVERY_KIND[kind](points), np.arange(200) % 10 == 3
    everything, filtered = index.nearest(queries, 200)[0], index.nearest(queries, 5, allowed)[0]
    assert [[row for row in own if allowed[row]][:5] for own in everything.tolist()] == filtered.tolist()


@pytest.mark.parametrize("kind", ["cells", "float16", "int8", "rescored", "principal", "first dimensions"])
def test_what_leaves_nothing_out_finds_what_exact_search_finds(kind, points, queries):
    exact = Exact(points).nearest(queries, 10)[0]
    assert neighbour_recall(EVERY_KIND[kind](points).nearest(queries, 10)[0], exact).mean() >= 0.98


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_no_queries_and_no_results_are_no_error(kind, points, queries):
    index = EVERY_KIND[kind](points)
    assert index.nearest(queries[:0], 3)[0].shape == (0, 3)
    assert index.nearest(queries, 0)[0].shape == (20, 0)
    nothing = index.nearest(queries[:1], 2, np.zeros(200, dtype=bool))
    assert nothing[0].tolist() == [[-1, -1]] and np.isneginf(nothing[1]).all()


@pytest.mark.parametrize("kind", [kind for kind in EVERY_KIND if kind != "binary"])
def test_of_equal_scores_the_later_row_comes_first(kind):
    same = np.array([[0.6, 0.8]] * 4 + [[0.8, -0.6]] * 6)
    index = InvertedFile(same, 1, 1) if kind == "cells" else None
    index = index or (Rescored(Binary(same), Exact(same), 10) if kind == "rescored" else None)
    index = index or {"principal": lambda rows: Principal(rows, 2),
                      "first dimensions": lambda rows: FirstDimensions(rows, 2)}.get(
                          kind, EVERY_KIND[kind])(same)  # fmt: skip
    assert index.nearest([[0.6, 0.8]], 3)[0].tolist() == [[3, 2, 1]]


def test_vectors_of_another_model_and_values_that_are_no_numbers_are_refused(points):
    with pytest.raises(ValueError, match="queries of 3 numbers, documents of 10; both must come from one"):
        Exact(points).nearest(np.ones((1, 3)), 1)
    with pytest.raises(ValueError, match="vectors, row 1: a value is no finite 32-bit number"):
        Int8([[1.0], [np.nan]])
    with pytest.raises(ValueError, match="vectors: a array of shape|vectors: a list"):
        Exact([["a"]])
    with pytest.raises(ValueError, match=r"allowed is int64 of shape \(2,\); needed 200 truth values"):
        Exact(points).nearest(points[:1], 1, np.array([1, 2]))
    with pytest.raises(ValueError, match="cells is 300; there are 200 vectors"):
        InvertedFile(points, cells=300)
    with pytest.raises(ValueError, match="probes is 6; there are 5 cells"):
        InvertedFile(points, cells=5, probes=6).nearest(points[:1], 1)
    with pytest.raises(ValueError, match="candidates is 201; there are 200 documents"):
        Rescored(Binary(points), Exact(points), 201)


# Cells


def test_more_probes_never_find_fewer_neighbours_and_one_seed_makes_one_index(points, queries):
    exact, index = Exact(points).nearest(queries, 10)[0], InvertedFile(points, cells=12)
    recalls = []
    for index.probes in range(1, 13):
        recalls.append(neighbour_recall(index.nearest(queries, 10)[0], exact).mean())
    assert recalls == sorted(recalls) and recalls[0] < 0.5 and recalls[-1] == 1
    assert np.array_equal(k_means(points, 12), index.centres)
    assert not np.array_equal(k_means(points, 12, seed=1), index.centres)


def test_a_vector_lies_in_the_cell_of_its_nearest_centre_and_in_no_other(points):
    index = InvertedFile(points, cells=7)
    cells = [index.rows[start:end] for start, end in zip(index.starts, index.starts[1:], strict=False)]
    assert sorted(np.concatenate(cells).tolist()) == list(range(200))
    for number, rows in enumerate(cells):
        assert ((points[rows] @ index.centres.T).argmax(axis=1) == number).all()


def test_rounds_of_k_means_bring_the_centres_nearer(points):
    def closeness(rounds):
        return (points @ k_means(points, 12, rounds).T).max(axis=1).mean()

    assert closeness(0) < closeness(1) < closeness(10)


def test_a_document_whose_cell_is_not_probed_is_not_found_however_near():
    # Two cells at right angles; the query lies between them, just on the first one's side.
    points = unit(np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.6, 0.8]]))
    index = InvertedFile(points, cells=2, probes=1, seed=3)
    query = unit(np.array([[0.8, 0.75]]))
    nearest = int(Exact(points).nearest(query, 1)[0][0, 0])
    found = index.nearest(query, 4)[0][0]
    cells = (points @ index.centres.T).argmax(axis=1)
    probed = int((query @ index.centres.T).argmax())
    assert set(found[found >= 0]) == set(np.flatnonzero(cells == probed))
    assert (nearest in found) == (cells[nearest] == probed)


# A graph, where faiss is installed


def test_the_graph_finds_nearly_all_when_it_looks_widely_and_fewer_when_it_does_not(points, queries):
    pytest.importorskip("faiss", reason="faiss-cpu, the extra `ann`, is not installed")
    index, exact = Hnsw(points, m=4, ef_construction=10), Exact(points).nearest(queries, 10)[0]
    recalls = []
    for index.ef_search in (1, 200):
        recalls.append(neighbour_recall(index.nearest(queries, 10)[0], exact).mean())
    assert recalls[0] < recalls[1] and recalls[1] > 0.95
    allowed = np.arange(200) % 10 == 3
    rows = index.nearest(queries, 5, allowed)[0]
    assert allowed[rows[rows >= 0]].all()
    assert np.array_equal(Hnsw(points, m=4, ef_construction=10, ef_search=200).nearest(queries, 10)[0],
                          index.nearest(queries, 10)[0])  # fmt: skip


def test_without_faiss_the_graph_says_what_to_install(monkeypatch, points):
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(
        ModuleNotFoundError, match=r"needs the package faiss: pip install 'measure-first\[ann\]'"
    ):
        Hnsw(points)


# Fewer bytes


@pytest.mark.parametrize(("kind", "largest"), [(Int8, 127), (Int4, 7)])
@pytest.mark.parametrize("width", [10, 9])
def test_a_number_is_at_most_half_a_step_from_what_it_was(points, kind, largest, width):
    rows = points[:, :width].copy()
    rows[:, 4] = 0  # a dimension that is 0 throughout
    index = kind(rows)
    back = index.decoded(np.arange(200)) * index.scales
    assert (np.abs(back - rows) <= index.scales / 2 + 1e-7).all()
    assert np.abs(index.decoded(np.arange(200))).max() == largest


def test_bytes_a_document_are_those_of_the_codes():
    rows = unit(np.random.default_rng(0).standard_normal((4000, 384)))
    sizes = [kind(rows).bytes_a_document for kind in (Exact, Float16, Int8, Int4, Binary)]
    assert sizes == pytest.approx([1536, 768, 384, 192, 48], abs=1)
    assert FirstDimensions(rows, 128).bytes_a_document == 512


def test_a_bit_says_whether_a_number_is_above_zero_and_distances_count_bits_that_differ(points, queries):
    differing = ((points > 0)[None] != (queries > 0)[:, None]).sum(axis=2)
    rows, scores = Binary(points).nearest(queries, 200)
    assert np.array_equal(-scores, np.take_along_axis(differing, rows, 1))


def test_old_numpy_counts_bits_by_a_table_and_finds_the_same(monkeypatch, points, queries):
    new = Binary(points).nearest(queries, 20)
    monkeypatch.delattr(np, "bitwise_count", raising=False)
    old = Binary(points).nearest(queries, 20)
    assert all(np.array_equal(one, other) for one, other in zip(new, old, strict=True))


def test_rescoring_never_finds_what_the_rough_search_has_not_fetched(points, queries):
    rough = Binary(points).nearest(queries, 20)[0]
    found = Rescored(Binary(points), Exact(points), 20).nearest(queries, 10)[0]
    assert all(set(own) <= set(fetched) for own, fetched in zip(found.tolist(), rough.tolist(), strict=True))
    assert (neighbour_recall(found, Exact(points).nearest(queries, 10)[0]) < 1).any()


def test_a_filter_after_the_search_can_leave_nothing(points, queries):
    allowed = np.zeros(200, dtype=bool)
    allowed[Exact(points).nearest(queries[:1], 200)[0][0, -1]] = True  # only the farthest
    assert filtered_after(Exact(points), queries[:1], 1, allowed, fetched=199)[0].tolist() == [[-1]]
    assert filtered_after(Exact(points), queries[:1], 1, allowed, fetched=200)[0][0, 0] >= 0


# As a retriever


def test_an_index_is_a_retriever_that_finds_what_the_dense_retriever_finds(everyday):
    known, doc_ids = bundled_model("everyday-science"), sorted(everyday.corpus)
    documents = unit(known.encode_documents([everyday.corpus[doc_id] for doc_id in doc_ids]))
    search = VectorSearch(Exact(documents), doc_ids, known)
    dense = DenseRetriever(everyday.corpus, known).search(everyday.queries, k=120)
    ours, theirs = search.search(everyday.queries, k=120), evaluate_retrieval(dense, everyday.qrels)
    assert evaluate_retrieval(ours, everyday.qrels)["nDCG@10"] == pytest.approx(theirs["nDCG@10"], abs=1e-9)
    difference = [dict(ours[q])[d] - score for q, found in dense.items() for d, score in found]
    assert np.abs(difference).max() <= 2e-6
    assert search.search({}) == {} and search.bytes_a_document == 1536
    with pytest.raises(ValueError, match="119 doc_ids for an index of 120 rows"):
        VectorSearch(Exact(documents), doc_ids[1:], known)


# On SciFact, and what is stored


def test_exact_search_has_the_published_figure_and_codes_have_the_stored_ones(scifact, on_scifact):
    doc_ids, documents, queries = on_scifact
    exact, known = Exact(documents), bundled_model("scifact")
    right = exact.nearest(queries, 10)[0]
    rough = Binary(documents)
    indexes = {
        "exact": exact, "int8": Int8(documents), "int4": Int4(documents),
        "binary, 100 rescored": Rescored(rough, exact, 100), "PCA, 128 dimensions": Principal(documents, 128),
    }  # fmt: skip
    for name, index in indexes.items():
        found, row = index.nearest(queries, 10), STORED["systems"][f"ours: {name}"]
        run = VectorSearch(index, doc_ids, known).as_run(scifact.queries, found)
        assert neighbour_recall(found[0], right).mean() == pytest.approx(row["recall@10"], abs=0.002), name
        ndcg = evaluate_retrieval(run, scifact.qrels)["nDCG@10"]
        assert ndcg == pytest.approx(row["nDCG@10"], abs=0.002), name
    assert round(STORED["systems"]["ours: exact"]["nDCG@10"], 5) == 0.64508
    assert STORED["systems"]["ours: exact"]["Recall@100"] == pytest.approx(0.925)


def test_the_page_is_made_of_its_measurements():
    spec = importlib.util.spec_from_file_location("scale_tables", FOLDER / "scale_vectors_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (FOLDER / "scale_vectors.md").read_text(encoding="utf-8") == module.table(STORED)


def test_at_the_same_recall_codes_lose_less_than_cells():
    systems, pairs = STORED["systems"], STORED["pairs"]
    int4, cells = systems["ours: int4"], systems["ours: IVF, 16 of 132 cells"]
    assert abs(int4["recall@10"] - cells["recall@10"]) < 0.01
    assert cells["nDCG@10 compared"]["high"] < 0 < int4["nDCG@10 compared"]["high"]
    assert all(row["low"] > 0 for row in pairs.values())
    # What cells lose they lose at every rank; what codes lose they lose at the end of the ten.
    assert int4["kept by rank"][0] == 1 and cells["kept by rank"][0] < 0.95 > int4["kept by rank"][9]


def test_at_five_times_the_documents_cells_find_less_and_a_graph_may_or_may_not():
    abstracts, pieces = (STORED["five times"][what]["systems"] for what in ("abstracts", "pieces"))
    for systems in (abstracts, pieces):
        _, low, high = systems["IVF, 16 cells"]["difference"]
        assert low < high < -0.02
    assert abstracts["HNSW, ef 20"]["difference"][2] < 0
    _, low, high = pieces["HNSW, ef 40"]["difference"]
    assert low < 0 < high


def test_made_up_clusters_hide_what_cells_lose_and_made_up_noise_exaggerates_it():
    real, clusters, noise = STORED["made up"].values()
    assert noise["IVF, 4 cells"][2] < real["IVF, 4 cells"][1] < real["IVF, 4 cells"][2]
    assert real["IVF, 4 cells"][2] < clusters["IVF, 4 cells"][1]
    assert clusters["int4"][2] < real["int4"][1]  # and codes look worse than they are


def test_speeds_are_medians_of_five_rounds_or_more_and_the_machine_is_named():
    assert STORED["rounds"] >= 5
    assert set(STORED["machine"]["versions"]) == {"numpy", "faiss-cpu", "usearch"}
    assert all(row["per CPU-second"]["alone"]["seconds"] > 0 for row in STORED["systems"].values())


ROWS = [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]


class Letters:
    def encode(self, texts):
        return [[text.count("a"), text.count("b")] for text in texts]


@pytest.mark.parametrize("given", ["pair", "one", "scores"])
def test_the_recall_of_neighbours_takes_row_numbers_alone(given):
    pair = Exact(ROWS).nearest(ROWS, 2)
    wrong = {"pair": pair, "one": pair[0][0], "scores": pair[1]}[given]
    for found, exact in ((wrong, pair[0]), (pair[0], wrong)):
        with pytest.raises(ValueError, match=r"(found|exact) is .*; needed row numbers, queries × k"):
            neighbour_recall(found, exact)


@pytest.mark.parametrize(
    ("doc_ids", "words"),
    [
        ("abc", "doc_ids is a str"),
        ({"a", "b", "c"}, "doc_ids is a set"),
        ([1, 2, 3], "text 0 of 3 is 1"),
        ([None] * 3, "text 0 of 3 is None"),
        (["a", "b", "a"], "doc_ids has 'a' twice"),
    ],
)
def test_rows_are_named_by_texts_one_for_each(doc_ids, words):
    with pytest.raises(ValueError, match=words):
        VectorSearch(Exact(ROWS), doc_ids, Letters())


def test_a_query_without_a_direction_finds_nothing():
    search = VectorSearch(Exact(ROWS), np.array(["x", "y", "z"]), Letters())
    assert search.search({"q": "none", "r": "b"}, k=1) == {"q": [], "r": [("z", 1.0)]}


def test_what_is_no_index_is_no_search_by_vectors():
    for index, words in ((Exact, "is the class Exact; .* Exact.vectors."), (np.ones((1, 2)), "is a ndarray")):
        with pytest.raises(ValueError, match=words):
            VectorSearch(index, ["a"], Letters())


def test_a_function_of_similarity_goes_by_the_name_that_the_model_has_for_it():
    class Of(Letters):
        similarity = staticmethod(np.dot)

    model, index = Of(), Exact(ROWS)
    assert VectorSearch(index, list("xyz"), model).search({"q": "aa"}, 1) == {"q": [("x", 1.0)]}
    model.similarity_fn_name = "dot"
    assert VectorSearch(index, list("xyz"), model).search({"q": "aa"}, 1) == {"q": [("x", 2.0)]}


@pytest.mark.parametrize("n", [2, 5, 50])
def test_a_filter_has_a_value_for_each_row_of_the_index(n):
    with pytest.raises(ValueError, match=f"allowed is bool of shape .{n},.; needed 3 truth values"):
        filtered_after(Exact(ROWS), ROWS, 1, np.ones(n, bool), fetched=3)
    with pytest.raises(ValueError, match="k is 2.0; needed a whole number"):
        filtered_after(Exact(ROWS), ROWS, 2.0, np.ones(3, bool), fetched=3)


@pytest.mark.parametrize("rows", [[[1e5, 1.0], [2.0, 0.0]], [[1e-9, 2e-9], [3e-9, 0.0]]])
def test_what_16_bits_cannot_hold_is_refused(rows):
    with pytest.raises(ValueError, match="16 bits.*: bring them to length 1"):
        Float16(rows)


def test_what_is_only_rounding_becomes_zero_in_16_bits():
    assert Float16([[1.0, 0.5], [1e-12, 0.0]]).codes.tolist() == [[1.0, 0.5], [0.0, 0.0]]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_scores_beyond_32_bits_are_no_ranking():
    with pytest.raises(ValueError, match="a score is beyond 32 bits"):
        Exact([[3e38, -3e38], [1.0, 0.0]]).nearest([[3.0, 3.0]], 2)


def test_only_an_index_that_scores_single_rows_can_rescore():
    wrong = InvertedFile(ROWS, 1), Binary(ROWS), Exact([[1.0], [0.0], [1.0]]), Exact
    words = "better is a InvertedFile", "better is a Binary", "of 2 and of 1 numbers", "is the class Exact"
    for better, said in zip(wrong, words, strict=True):
        with pytest.raises(ValueError, match=said):
            Rescored(Binary(ROWS), better, 2)


def test_few_vectors_have_fewer_cells_than_probes():
    points = np.random.default_rng(0).standard_normal((100, 4))
    index = InvertedFile(points)
    assert (len(index.centres), index.probes) == (2, 2)
    assert index.nearest(points[:3], 5)[0].tolist() == Exact(points).nearest(points[:3], 5)[0].tolist()


def test_cells_are_drawn_by_a_seed_and_counted_from_a_number_of_vectors():
    with pytest.raises(ValueError, match="seed is -1; needed a whole number, 0 or more"):
        InvertedFile(ROWS, cells=2, seed=-1)
    with pytest.raises(ValueError, match="n is -5; needed a whole number of vectors, 0 or more"):
        usual_cells(-5)
