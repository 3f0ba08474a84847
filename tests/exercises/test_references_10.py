"""Lesson 10: what its exercises compute beside the package, and the numbers of its questions."""

import json

import numpy as np
import pytest

from course.exercises.lesson_10 import LESSON_10
from course.exercises.lesson_10.rescore_bits import rescore_bits
from course.exercises.lesson_10.search_cells import search_cells
from course.exercises.questions import RIGHT, Numeric
from helpers.base import files
from helpers.scale import Binary, Exact, InvertedFile, Rescored, VectorSearch, filtered_after


def question(words):
    (found,) = [question for question in LESSON_10.questions if words in question.text]
    return found


def small(seed, n=30):
    """Whole numbers, so that every product is exact; doc_ids in the order of rows."""
    rng = np.random.default_rng(seed)
    return rng.integers(-5, 6, size=(n, 4)), rng.integers(-5, 6, size=4), [f"d{row:02}" for row in range(n)]


@pytest.mark.parametrize("seed", range(20))
def test_cells_are_searched_as_the_package_searches_them(seed):
    vectors, query, doc_ids = small(seed)
    index = InvertedFile(vectors, cells=5, probes=2, seed=seed)
    members = [index.rows[a:b] for a, b in zip(index.starts, index.starts[1:], strict=False)]
    cells = [{doc_ids[row]: vectors[row].tolist() for row in rows} for rows in members]
    run = VectorSearch(index, doc_ids, None).as_run(["q"], index.nearest([query], 6))
    found = search_cells(query.tolist(), index.centres.astype(float).tolist(), cells, 2, 6)
    assert found == [doc_id for doc_id, _ in run["q"]]


@pytest.mark.parametrize("seed", range(20))
def test_bits_are_rescored_as_the_package_rescores_them(seed):
    vectors, query, doc_ids = small(seed)
    index = Rescored(Binary(vectors), Exact(vectors), candidates=8)
    run = VectorSearch(index, doc_ids, None).as_run(["q"], index.nearest([query], 3))
    by_id = dict(zip(doc_ids, vectors.tolist(), strict=True))
    bits = {doc_id: "".join("01"[number > 0] for number in row) for doc_id, row in by_id.items()}
    assert rescore_bits(query.tolist(), bits, by_id, 8, 3) == [doc_id for doc_id, _ in run["q"]]


def test_every_typical_wrong_number_gets_an_answer_of_its_own():
    numeric = [asked for asked in LESSON_10.questions if isinstance(asked, Numeric)]
    assert len(numeric) == 2
    for asked in numeric:
        assert asked.verdict(asked.answer)[0] == RIGHT
        assert [asked.verdict(value)[1] for value in asked.wrong] == list(asked.wrong.values())


def test_a_hundred_million_vectors_as_bits_fit_in_a_laptop():
    asked = question("hundred million")
    gigabytes = [1e8 * 384 * bits / 8 / 1e9 for bits in (1, 8, 32, 4, 16)]
    assert gigabytes == [asked.answer, *asked.wrong]


def test_of_200_fetched_a_filter_of_a_hundredth_leaves_two():
    rng = np.random.default_rng(0)
    vectors, queries = rng.standard_normal((2000, 8)), rng.standard_normal((400, 8))
    rows, _ = filtered_after(Exact(vectors), queries, 200, rng.random(2000) < 0.01, fetched=200)
    assert (rows >= 0).sum(axis=1).mean() == pytest.approx(question("fetch the 200").answer, abs=0.5)


def test_the_questions_quote_what_was_measured():
    stored = json.loads((files.ROOT / "evals" / "benchmarks" / "scale_vectors.json").read_text())
    pair = stored["pairs"]["ours: int4 − ours: IVF, 16 of 132 cells"]
    assert f"{pair['difference']:.4f}" in question("4-bit codes").options["a"][1] and pair["low"] > 0.01
    other_k = stored["another k"]["usearch, ef 16"]
    assert f"{other_k['10']['recall@10']:.3f}" in question("usearch").options["b"][1]
    assert f"{other_k['100']['recall@10']:.3f}" in question("usearch").text
    assert other_k["100"]["per second"] < other_k["10"]["per second"]
    filters = stored["filters"]["systems"]
    assert filters["HNSW ef 40, before"]["recall@10"] < 0.5
    assert filters["exact, before"]["microseconds"] < filters["HNSW ef 40, before"]["microseconds"]
