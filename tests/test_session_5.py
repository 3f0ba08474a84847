"""The plan of session 5 adds up, names what is there, and its numbers are those that lesson 05 prints."""

import re

from test_instructor import NOTEBOOKS, PAGES, exercises_in, headings, span, table

PAGE = "session_5.md"
ROWS = table(PAGE, "minutes")
OUTPUTS = "\n".join(
    output.get("text", "") or output.get("data", {}).get("text/plain", "")
    for cell in NOTEBOOKS["05_error_analysis"].cells
    if cell.cell_type == "code"
    for output in cell.outputs
)


def test_it_is_180_minutes_without_a_gap_with_two_breaks_and_never_70_in_one_go():
    spans = [span(row["minutes"]) for row in ROWS]
    assert spans[0][0] == 0 and spans[-1][1] == 180
    assert all(before[1] == after[0] for before, after in zip(spans, spans[1:], strict=False))
    breaks = [span(row["minutes"]) for row in ROWS if row["what happens"] == "Break."]
    assert [end - start for start, end in breaks] == [10, 10]
    borders = [0, *[minute for pair in breaks for minute in pair], 180]
    assert max(end - start for start, end in zip(borders[::2], borders[1::2], strict=True)) < 70


def test_hints_come_one_after_the_other_within_the_time_of_their_exercise():
    planned = {}
    for row in ROWS:
        for name in exercises_in(row["what happens"]):
            start, end = span(row["minutes"])
            planned[name] = end - start
    hinted = {row["exercise"].strip("`"): row for row in table(PAGE, "exercise")}
    assert hinted.keys() == planned.keys()
    for name, row in hinted.items():
        first, second, third = (int(row[f"hint {number}"]) for number in (1, 2, 3))
        assert int(row["minutes"]) == planned[name] and 0 < first < second < third < planned[name]


def test_every_exercise_of_the_lesson_is_in_the_plan_or_homework():
    assert set(exercises_in(PAGES[PAGE])) == {
        "term_scores",
        "why_above",
        "back_with_control",
        "median_first_rank",
    }


def test_the_sections_that_it_names_are_sections():
    named = re.findall(r"(?<!\w)\*([^*\n]+)\*(?!\w)", " ".join(row["in the notebook"] for row in ROWS))
    assert len(named) >= 8 and not set(named) - headings()


def test_its_numbers_are_those_that_the_lesson_prints():
    for printed in (
        "carry 51% of the loss; with random losses: 55%",
        "misses dropped 2, counted 3",
        "replac 0.2597  full 0.2597  disk 0.0950",
        "after stemming: 10 missed pages back, 3 useless ones",
        "3 words put in: 29 of 30 useless pages come back",
        "expected and found agree in 7 of 15",
        "shuffled among all pages: 3.9 on average",
        "shuffled within the two groups: 6.9 on average",
        "MiniLM gains 7 points more (-3 to 18) than Lucene's BM25",
    ):
        assert printed in OUTPUTS, printed
    assert re.search(r"renew +6\.233", OUTPUTS) and re.search(r"total +5\.571", OUTPUTS)
    assert re.search(r"by lot +0\.66 +0\.67", OUTPUTS)
    assert re.search(r"^MiniLM +35 +\d+ +37$", OUTPUTS, re.M)
    assert re.search(r"^reworded +86 ", OUTPUTS, re.M)
