"""The stored measurements of contexts, judges and written queries, and what lesson 09 says of them."""

import importlib.util
import json
import re

import nbformat
import pytest

from helpers.base import files
from helpers.stats import prediction_powered

FOLDER = files.ROOT / "evals" / "benchmarks"
FOUND = json.loads((FOLDER / "answers.json").read_text(encoding="utf-8"))
COVERAGE = {name: row["by m"] for name, row in FOUND["coverage"].items() if isinstance(row, dict)}
ROWS = [(judge, m, row) for judge, by_m in COVERAGE.items() for m, row in by_m.items()]


@pytest.fixture(scope="module")
def script():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        # By its path: the exercises' tests have a module `answers` of their own.
        spec = importlib.util.spec_from_file_location("benchmark_of_answers", FOLDER / "answers_tables.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module


def prose(name):
    cells = nbformat.read(files.ROOT / "notebooks" / f"{name}.ipynb", 4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@pytest.fixture(scope="module")
def first_half():
    return prose("09_from_retrieval_to_answers")


@pytest.fixture(scope="module")
def second_half():
    return prose("09_judges_measured")


def test_the_page_is_made_of_its_measurements(script):
    assert (FOLDER / "answers.md").read_text(encoding="utf-8") == script.table(FOUND)


def test_three_judges_were_tried_with_25_to_400_labels():
    assert set(COVERAGE) == {"language model", "cosine", "word overlap"}
    assert all(list(by_m) == ["25", "50", "100", "200", "400"] for by_m in COVERAGE.values())


@pytest.mark.parametrize(("judge", "m", "row"), ROWS, ids=lambda value: value if type(value) is str else "")
def test_the_tuned_interval_keeps_its_promise_to_two_points_and_verdicts_alone_do_not(judge, m, row):
    assert row["tuned"] == pytest.approx(0.95, abs=0.02)
    assert row["labels"] == pytest.approx(0.95, abs=0.03)
    assert row["ppi"] == pytest.approx(0.95, abs=0.03)
    assert row["judge alone"] <= 0.03
    assert row["worth"] > int(m)


def test_what_the_lesson_says_of_the_promise(second_half):
    tuned = [row["tuned"] for *_, row in ROWS]
    assert f"Tuned and corrected it is {min(tuned):.3f} to {max(tuned):.3f}" in second_half
    published = [row["papers"] for _, m, row in ROWS if m == "25"]
    assert f"{min(published):.3f} to {max(published):.3f} with 25 labels" in second_half
    assert f"and in {max(row['judge alone'] for *_, row in ROWS):.3f} of them at the best" in second_half
    hundred = {judge: round(by_m["100"]["worth"]) for judge, by_m in COVERAGE.items()}
    many = round(COVERAGE["language model"]["400"]["worth"])
    assert f"worth {hundred['language model']} labels alone, 400 are worth {many}" in second_half
    assert f"cosine 100 are worth {hundred['cosine']}, with word overlap {hundred['word overlap']}" in (
        second_half
    )


def test_where_the_intervals_miss_the_promise_by_more_than_two_points_is_said_at_the_function():
    far = {(judge, m) for judge, m, row in ROWS if abs(row["ppi"] - 0.95) > 0.02}
    assert far == {("language model", "25")}
    said = " ".join(prediction_powered.__doc__.split())
    published = [100 * row["papers"] for _, m, row in ROWS if m == "25"]
    assert f"{min(published):.0f} to {max(published):.0f} %" in said


def test_what_the_lesson_says_of_the_order_of_systems(first_half):
    over = FOUND["foretold"]["over systems"]["vital strict"]
    assert f"τ is {over['tau']:.2f} over systems ({over['low']:.2f} to {over['high']:.2f}" in first_half
    within = FOUND["foretold"]["over queries"].values()
    assert f"Over the queries of one system it is {min(within):.2f} to {max(within):.2f}" in first_half
    assert f"{len(FOUND['systems'])} systems" in first_half


def test_what_the_lesson_says_of_written_queries(second_half):
    written = FOUND["written queries"]
    drafted, by_model = written["drafted by templates"], written["written by a model"]
    said = f"τ {drafted['tau']:.2f} ({drafted['low']:.2f} to {drafted['high']:.2f})".replace("-", "−")
    assert said in second_half
    assert f"τ {by_model['tau']:.2f} ({by_model['low']:.2f} to {by_model['high']:.2f})" in second_half
    gaps = [written[f"filtered by {name}"]["gap"] for name in ("BM25", "MiniLM")]
    assert gaps[0] < by_model["gap"] < gaps[1]
    assert re.search(rf"−{-gaps[0]:.2f} when BM25 filtered them, {gaps[1]:.2f} when MiniLM did", second_half)
