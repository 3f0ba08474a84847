"""Lesson 07: the references beside `helpers`, SQLite, scipy and hand arithmetic; the questions' numbers."""

import re
import sqlite3
from contextlib import closing
from itertools import product

import nbformat
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from course.exercises import contents as ex
from course.exercises.questions import RIGHT, Numeric
from helpers import stats
from helpers.base import files
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.retrieval import full_text
from helpers.retrieval.retrievers import CsrBM25, RankBM25, SqliteFTS5, SubstringScan
from workbench import budget
from workbench.commands.lab import LAB_BUDGET, run_lab

LIMITS = st.none() | st.integers(1, 12)
RANKINGS = st.lists(st.tuples(st.sampled_from("ABC"), st.integers(1, 5)), max_size=8)
TYPED = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.text('aA"-*:() \0', max_size=20)
TENTHS = st.integers(0, 10).map(lambda tenths: tenths / 10)


def reference(name):
    return ex.EXERCISES[name].reference


def question(words):
    (found,) = [question for question in ex.LESSON_07.questions if words in question.text]
    return found


def relevant(runbooks):
    return {
        query_id: [page for page, grade in grades.items() if grade > 0]
        for query_id, grades in runbooks.qrels.items()
    }


@given(
    ranking=RANKINGS, max_items=LIMITS, max_characters=LIMITS, max_per_source=LIMITS, offset=st.integers(0, 4)
)
def test_the_budget_lets_through_what_helpers_lets_through(
    ranking, max_items, max_characters, max_per_source, offset
):
    items = [(f"i{number}", source, n) for number, (source, n) in enumerate(ranking)]
    candidates = [budget.Item(item_id, item_id, source, 1.0, "x" * n, 0, n) for item_id, source, n in items]
    theirs = budget.QueryBudget(
        max_total_items=max_items or 99,  # in helpers this limit is always given
        maximum_total_characters=max_characters,
        max_items_per_source=max_per_source,
        offset=offset,
    )
    kept, _ = budget.within_budget(candidates, theirs)
    assert reference("WITHIN_BUDGET")(items, max_items, max_characters, max_per_source, offset) == [
        item.item_id for item in kept
    ]


@given(query=TYPED)
def test_an_expression_is_the_one_of_helpers(query):
    assert reference("MATCH_EXPRESSION")(query) == full_text.match_expression(query)


@given(query=TYPED)
@settings(max_examples=50)
def test_sqlite_takes_every_expression_and_finds_each_word_that_was_typed(query):
    expression, words = reference("MATCH_EXPRESSION")(query), query.replace("\0", " ").split()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE texts USING fts5(body)")
        connection.executemany("INSERT INTO texts VALUES (?)", [(word,) for word in words])
        found = {
            row
            for (row,) in connection.execute(
                "SELECT rowid FROM texts WHERE texts MATCH ?", (expression or '""',)
            )
        }
    with_letters = {row for row, word in enumerate(words, start=1) if re.search("[A-Za-z0-9]", word)}
    assert with_letters <= found


def test_sqlite_refuses_the_empty_expression_and_a_nul_as_the_task_says():
    assert "raises an error for an empty expression" in ex.EXERCISES["MATCH_EXPRESSION"].task
    assert reference("MATCH_EXPRESSION")("disk\0full") == '"disk" OR "full"'
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE texts USING fts5(body)")
        for refused in ("", '"disk\0full"'):
            with pytest.raises(sqlite3.OperationalError):
                connection.execute("SELECT rowid FROM texts WHERE texts MATCH ?", (refused,)).fetchall()


@given(ranks=st.lists(st.none() | st.integers(1, 5), min_size=1, max_size=8))
def test_the_three_numbers_are_those_of_judgments_with_one_relevant_document(ranks):
    run = {f"q{row}": [(f"d{rank}", 1 / rank) for rank in range(1, 6)] for row in range(len(ranks))}
    qrels = {f"q{row}": {f"d{rank or 'elsewhere'}": 1} for row, rank in enumerate(ranks)}
    theirs = evaluate_retrieval(run, qrels, metrics=["Hit@5", "P@5", "MRR"])
    ours = reference("RETRIEVAL_METRICS")(ranks, 5)
    assert list(ours.values()) == pytest.approx([theirs["Hit@5"], theirs["P@5"], theirs["MRR"]])


def test_a_hit_at_the_first_of_three_places_is_one_a_third_and_one():
    assert list(reference("RETRIEVAL_METRICS")([1, 1], 3).values()) == pytest.approx([1.0, 1 / 3, 1.0])


LIGHT_OF = {stats.WORSE: "red", stats.NOT_WORSE: "green", stats.CANNOT_TELL: "yellow"}
PAIRS = st.lists(st.tuples(TENTHS, TENTHS), min_size=1, max_size=10)


def sides(scores):
    return ({f"q{number}": pair[side] for number, pair in enumerate(scores)} for side in (0, 1))


def light(scores, limit):
    """The reference's answer, with Student's t for 5 % beyond each end."""
    t = scipy_stats.t.ppf(0.95, len(scores) - 1) if len(scores) > 1 else 1.7
    return reference("GATE")(*sides(scores), limit, t)


@given(scores=PAIRS, limit=TENTHS)
def test_where_many_queries_move_the_gate_of_the_exercise_answers_as_the_one_of_helpers(scores, limit):
    differences = [after - before for before, after in scores]
    apart = np.abs(np.subtract(differences, np.median(differences))) > 1e-9
    assume(2 * apart.sum() >= len(apart))  # where few do, helpers counts two queries more
    assert light(scores, limit) == LIGHT_OF[stats.non_inferiority(differences, limit)["answer"]]


@given(scores=st.lists(st.tuples(TENTHS, TENTHS), min_size=5, max_size=10), limit=TENTHS)
def test_the_gate_is_red_and_green_where_scipys_interval_of_the_drop_is_on_one_side_of_the_limit(
    scores, limit
):
    drops = np.array([before - after for before, after in scores]).round(9)
    assume(np.ptp(drops) > 0)
    low, high = scipy_stats.ttest_1samp(drops, 0).confidence_interval(0.9)
    expected = "red" if round(low, 9) > limit else "green" if round(high, 9) <= limit else "yellow"
    assert light(scores, limit) == expected


@given(scores=PAIRS, limit=TENTHS)
def test_a_larger_limit_never_turns_a_gate_redder(scores, limit):
    order = ["red", "yellow", "green"]
    assert order.index(light(scores, limit)) <= order.index(light(scores, limit + 0.1))


def test_the_numbers_in_the_lessons_prose_are_printed_by_its_cells():
    cells = nbformat.read(files.ROOT / "notebooks" / "07_evaluation_in_practice.ipynb", 4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    printed = " ".join(
        output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs
    )
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    lesson = prose[: prose.index("### Check yourself")]
    numbers = set(re.findall(r"0\.\d{3}\b|\b\d+ %(?! interval| beyond)", lesson))
    assert len(numbers) >= 20
    assert not {number for number in numbers if number not in printed}


def test_every_typical_wrong_number_gets_an_answer_of_its_own():
    numeric = [question for question in ex.LESSON_07.questions if isinstance(question, Numeric)]
    assert len(numeric) == 3
    for asked in numeric:
        assert asked.verdict(asked.answer)[0] == RIGHT
        assert [asked.verdict(value)[1] for value in asked.wrong] == list(asked.wrong.values())


def test_without_a_real_change_half_of_the_builds_drop_and_a_twentieth_is_red():
    """Every pattern of signs once: what chance can do to ten queries."""
    asked, sizes = (
        question("change nothing real"),
        [0.31, 0.02, 0.17, 0.23, 0.05, 0.41, 0.11, 0.07, 0.14, 0.2],
    )
    drops = np.array(list(product([1, -1], repeat=10))) * sizes
    red = [stats.non_inferiority(-of_build, 0.0)["answer"] == stats.WORSE for of_build in drops]
    assert np.mean(drops.sum(axis=1) > 1e-9) == 0.5 and "A stops about 100" in asked.text
    assert np.mean(red) == pytest.approx(0.05, abs=0.01) and 200 * 0.05 == asked.answer


def test_the_best_hit_rate_under_five_items_is_132_of_259(runbooks):
    asked, sizes = question("make 259 rows"), [len(pages) for pages in relevant(runbooks).values()]
    assert (sum(sizes), len(sizes), max(sizes)) == (259, 30, 27)
    best = sum(min(5, size) for size in sizes)
    assert best == 132 and round(best / 259, 4) == asked.answer
    recall = np.mean([min(5, size) / size for size in sizes])
    typical = [1, 150 / 259, recall, 30 / 259, best / 259 / 5, 5 / 259, 127 / 259]
    assert [round(value, 4) for value in typical] == list(asked.wrong)


def test_an_engine_that_knows_the_labels_reaches_it(runbooks):
    ranks = [
        rank if rank <= 5 else None
        for pages in relevant(runbooks).values()
        for rank in range(1, len(pages) + 1)
    ]
    best = reference("RETRIEVAL_METRICS")(ranks, 5)
    asked = question("make 259 rows")
    assert round(best["hit_rate"], 4) == asked.answer
    assert round(best["precision_at_max_total_items"], 4) in asked.wrong


def test_1900_characters_of_six_items_reach_the_reader():
    asked = question("How many characters reach")
    sizes = [("A", 900), ("A", 400), ("B", 800), ("C", 650), ("A", 300), ("D", 200)]
    assert ", ".join(f"{source} {size}" for source, size in sizes) in asked.text
    items = [(number, source, size) for number, (source, size) in enumerate(sizes)]

    def characters(*limits):
        return sum(sizes[number][1] for number in reference("WITHIN_BUDGET")(items, *limits, 0))

    assert characters(4, 2000, 1) == asked.answer
    assert characters(4, 2000, None) == 1950 and characters(4, None, 1) == 2550
    assert (
        characters(2, None, None) == 1300
        and 900 + 800 == 1700
        and 900 + 200 == 1100
        and 900 + 800 + 650 == 2350
    )
    assert {1950, 2550, 1300, 1700, 1100, 2350, 2000} == asked.wrong.keys()


def test_drafted_and_gold_rows_together_are_nearly_the_drafted_ones():
    asked = question("12 gold queries")
    texts = {letter: text for letter, (text, _) in asked.options.items()}
    assert round((300 * 0.94 + 12 * 0.50) / 312, 2) == 0.92 and "0.92" in texts["b"]
    assert round((0.94 + 0.50) / 2, 2) == 0.72 and "0.72" in texts["d"]


def test_half_of_the_rows_without_a_page_are_half_of_the_hits():
    asked = question("ingested again")
    assert (
        100 * 2 == 200
        and 0.62 / 2 == 0.31
        and "from 0.62 to 0.31" in asked.text
        and "100 of 200" in asked.text
    )


def test_sqlite_takes_the_second_half_of_checkout_api_for_a_column():
    asked = question("checkout-api")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE texts USING fts5(body)")
        connection.execute("INSERT INTO texts VALUES ('checkout-api is down')")
        with pytest.raises(sqlite3.OperationalError, match="no such column: api") as raised:
            connection.execute("SELECT rowid FROM texts WHERE texts MATCH 'checkout-api'").fetchall()
        assert str(raised.value) in asked.text
        expression = reference("MATCH_EXPRESSION")("checkout-api")
        assert connection.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ?", (expression,)
        ).fetchall() == [(1,)]


@pytest.fixture(scope="module")
def engines(runbooks):
    """What the last cells compute: the kept pages of four engines, by query."""
    asked = {query_id: reference("MATCH_EXPRESSION")(text) for query_id, text in runbooks.queries.items()}
    n_pages = len(runbooks.corpus)
    runs = {
        "Lucene BM25": CsrBM25(runbooks.corpus, lucene_lengths=True).search(runbooks.queries, n_pages),
        "FTS5": SqliteFTS5(runbooks.corpus, strict=True).search(asked, n_pages),
        "rank-bm25": RankBM25(runbooks.corpus).search(runbooks.queries, n_pages),
        "substring scan": SubstringScan(runbooks.corpus).search(runbooks.queries, n_pages),
    }
    size = {page: (page, page, len(text)) for page, text in runbooks.corpus.items()}
    within = reference("WITHIN_BUDGET")
    return {
        name: {
            q: within([size[page] for page, _ in run.get(q, [])], 5, 20_000, None, 0)
            for q in runbooks.queries
        }
        for name, run in runs.items()
    }


def test_the_last_cells_row_for_fts5_is_the_report_of_the_lab(engines, runbooks, tmp_path):
    kept, pages = engines["FTS5"], relevant(runbooks)
    ranks = [
        kept[q].index(page) + 1 if page in kept[q] else None for q in runbooks.queries for page in pages[q]
    ]
    assert LAB_BUDGET == budget.QueryBudget(max_total_items=5, maximum_total_characters=20_000)
    (report,) = [
        one
        for one in run_lab(tmp_path / "lab").reports.values()
        if one.backend_id == "sqlite-full-text-search"
    ]
    ours = reference("RETRIEVAL_METRICS")(ranks, 5)
    assert ours == pytest.approx({name: report.metrics[name] for name in ours})


def test_two_engines_of_equal_mean_are_yellow_and_only_the_scan_is_red(engines, runbooks):
    pages, gate, found = relevant(runbooks), reference("GATE"), {}
    first = {
        name: {q: float(any(page in pages[q] for page in kept[q][:1])) for q in pages}
        for name, kept in engines.items()
    }
    for name in ("FTS5", "rank-bm25", "substring scan"):
        drop = sum(first["Lucene BM25"].values()) - sum(first[name].values())
        found[name] = (round(drop / 30, 3), gate(first["Lucene BM25"], first[name], 0.02, 1.70))
    assert found == {
        "FTS5": (0.0, "yellow"),
        "rank-bm25": (0.133, "yellow"),
        "substring scan": (0.367, "red"),
    }
