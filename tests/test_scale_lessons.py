"""What lesson 10 and its teacher's page say of stored measurements, beside what the lesson's cells print."""

import json
import re

import nbformat
import pytest

from helpers.base import files

FOLDER = files.ROOT / "evals" / "benchmarks"
VECTORS, SHARDS, ENGINES = (
    json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("scale_vectors", "scale_shards", "engines")
)


def parts(name):
    """The prose of a lesson, and what its cells printed."""
    cells = nbformat.read(files.ROOT / "notebooks" / f"{name}.ipynb", 4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return prose, json.dumps([cell.outputs for cell in cells if cell.cell_type == "code"])


@pytest.fixture(scope="module")
def vectors():
    return parts("10_approximate_search")


@pytest.fixture(scope="module")
def shards():
    return parts("10_shards_and_engines")


def rate(name):
    return VECTORS["systems"][f"faiss: {name}"]["per CPU-second"]["alone"]


def test_the_lesson_reads_speeds_as_they_are_stored(vectors):
    prose, _ = vectors
    spread = max(rate(name)["fastest"] / rate(name)["slowest"] for name in ("exact", "HNSW, ef 80"))
    assert f"up to {spread:.1f} times as fast in one round as in another" in prose
    faster = [rate(name)["seconds"] / rate("exact")["seconds"] for name in ("int8", "binary, 100 rescored")]
    assert max(faster) == pytest.approx(3, abs=0.35) and "up to three times as many queries" in prose
    graph = rate("HNSW, ef 80")["seconds"] / rate("exact")["seconds"]
    assert graph == pytest.approx(3.5, abs=0.25) and "about three and a half times as many" in prose


def test_codes_lose_nothing_that_is_shown_and_faster_indexes_do(vectors):
    def interval(name):
        row = VECTORS["systems"][f"faiss: {name}"]["nDCG@10 compared"]
        return row["low"], row["high"]

    for name in ("float16", "int8", "int4", "binary, 100 rescored", "HNSW, ef 80"):
        assert interval(name)[0] <= 0 <= interval(name)[1], name
    assert max(interval(name)[1] for name in ("HNSW, ef 20", "IVF, 16 of 132 cells")) < 0


def test_the_lesson_reads_filters_as_they_are_stored(vectors):
    prose, _ = vectors
    took = {name: row["microseconds"] for name, row in VECTORS["filters"]["systems"].items()}
    least = took["exact, before"]
    assert round(least, -1) == 90 and "take about 90 microseconds and miss nothing" in prose
    assert 2 < took["HNSW ef 40, before"] / least < 3 and "more than twice as long" in prose
    assert took["HNSW ef 640, before"] / least == pytest.approx(16, abs=1) and "sixteen times" in prose
    others = [row for name, row in VECTORS["filters"]["systems"].items() if name != "exact, before"]
    assert all(row["recall@10"] < 1 for row in others)
    assert min(took.values()) > 0.8 * least  # no index is faster by anything worth having


def test_the_lesson_reads_dask_as_it_is_stored(shards):
    prose, _ = shards
    alone = {name: row["cpu"]["median"] for name, row in SHARDS["million"]["alone"].items()}
    assert alone["one index"] == pytest.approx(5, abs=0.5) and "about five milliseconds" in prose
    assert (alone["16 in memory"] - alone["1 in memory"]) / 15 == pytest.approx(1, abs=0.2)
    by_dask = SHARDS["dask"]["alone"]["16 shards on disk"]["cpu"]["median"]
    assert by_dask / alone["16 on disk"] == pytest.approx(10, abs=1.5) and "about ten times as long" in prose
    assert SHARDS["million"]["equal"] and SHARDS["dask"]["equal after a worker was killed"]


def test_the_lessons_shards_are_those_of_the_benchmark(shards):
    _, printed = shards
    for row in SHARDS["real"]["collections"]["scifact"]["local"].values():
        assert f"{row['nDCG@10']:.4f}" in printed


def test_only_one_engine_as_it_comes_has_an_interval_without_zero(shards):
    prose, printed = shards
    systems = ENGINES["SciFact"]["systems"]
    shown = [name for name in systems if f"{name} " in printed and "nDCG@10 beside" in systems[name]]
    ends = {name: systems[name]["nDCG@10 beside"][1:] for name in shown}
    outside = [name for name, (low, high) in ends.items() if not low <= 0 <= high]
    assert len(shown) >= 13 and outside == ["rank-bm25 Okapi, k1=1.5, b=0.75, plain"]
    steps = ENGINES["SciFact"]["steps"]["tantivy, its `default`"]
    assert (
        steps["k1 = 1.2, b = 0.75"]["Recall@100 beside"][0] > 0 > steps["its terms"]["Recall@100 beside"][2]
    )


def test_the_teachers_page_quotes_only_what_the_lesson_printed(vectors, shards):
    page = (files.ROOT / "course" / "instructor" / "session_10.md").read_text(encoding="utf-8")
    printed = [float(x) for _, out in (vectors, shards) for x in re.findall(r"(?<![\w.])\d+\.\d+", out)]
    quoted = set(re.findall(r"(?<![\w.])0\.\d{3,4}", page))
    assert len(quoted) >= 20
    assert not [q for q in quoted if not any(f"{value:.{len(q) - 2}f}" == q for value in printed)]


def test_the_lesson_reads_the_billion_as_it_is_computed(shards):
    prose, printed = shards
    page = (FOLDER / "a_billion_documents.md").read_text(encoding="utf-8")
    gigabytes = f"{8 * SHARDS['large']['postings'] / SHARDS['large']['documents']:,.0f} GB"
    assert f"a billion such documents: {gigabytes}" in printed
    assert f"| postings, in bytes | {gigabytes} |" in page
    assert "| machines that hold the postings | 9 |" in page and "fill nine machines of 64 GB" in prose
    writing, analysing = (
        float(re.search(rf"\| {what} \| ([\d.,]+) core hours", page)[1].replace(",", ""))
        for what in ("counting, weighing, writing", "analysing real text, besides")
    )
    assert analysing > writing and "Most of the work" in prose
