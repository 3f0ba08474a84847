"""What a comparison would be by another judge's grades: leaning errors are seen, and corrected."""

import csv
import json
import sys
import warnings

import numpy as np
import pytest

from workbench.__main__ import main
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.labelling import Labelling
from workbench.projects import by_judges, corrections, leanings, measure_project

N = 30
LISTS = {
    "mine": {f"q{n}": ["other", "right", "third"] for n in range(N)},
    "better": {f"q{n}": ["right", "other", "third"] for n in range(N)},
}
TRUE = {f"q{n}": {"right": 2, "other": 0, "third": n % 2} for n in range(N)}


def with_errors(grades, of, page, grade):
    """Grades with an error on one page of some queries."""
    return {q: one | ({page: grade} if q in of else {}) for q, one in grades.items()}


def test_errors_on_the_page_that_one_search_ranks_first_cancel_its_lead_and_are_said_to_lean():
    model = with_errors(TRUE, [f"q{n}" for n in range(0, N, 2)], "right", 0)  # 15 of 90 grades are wrong
    row = leanings(LISTS, TRUE, model, "mine").loc["better"]
    assert row["own"] > 0.2 and row["other"] < 0.6 * row["own"] and row["high"] < 0
    assert row["apart"] == pytest.approx(row["other"] - row["own"]) and row["queries"] == N


def test_as_many_errors_on_a_page_that_both_rank_alike_do_not_lean():
    model = with_errors(TRUE, [f"q{n}" for n in range(0, N, 2)], "third", 1)
    row = leanings(LISTS, TRUE, model, "mine").loc["better"]
    assert abs(row["apart"]) < 0.06 and row["other"] > 0.15


def test_only_documents_and_queries_that_both_judged_count_and_one_query_has_no_interval():
    model = {"q0": {"right": 0}, "q99": {"right": 2}}
    row = leanings(LISTS, TRUE, model, "mine").loc["better"]
    assert (row["queries"], row["other"]) == (1, 0) and np.isnan(row["low"])
    assert row["own"] == pytest.approx(1 - 1 / np.log2(3))  # of "right" alone
    assert not len(leanings(LISTS, TRUE, {"q99": {"right": 2}}, "mine"))


def test_the_corrected_difference_covers_the_truth_where_the_models_own_does_not():
    rng, covered, naive, narrower, runs = np.random.default_rng(7), 0, 0, 0, 150
    ids, lists = [f"q{n}" for n in range(240)], {"mine": {}, "better": {}}
    for _ in range(runs):
        people = {q: {"a": 2 * int(rng.random() < 0.35), "b": int(rng.random() < 0.5)} for q in ids}
        for q in ids:
            lists["mine"][q], lists["better"][q] = ["b", "a"], ["a", "b"]
        model = {  # misses four in ten of the pages that the better one ranks first
            q: {"a": grades["a"] * int(rng.random() < 0.6), "b": grades["b"]} for q, grades in people.items()
        }
        truth = leanings(lists, people, people, "mine").loc["better", "own"]
        some = {q: people[q] for q in rng.choice(ids, 60, replace=False)}
        found, why = corrections(lists, some, model, "mine")
        row = found.loc["better"]
        assert why == "" and (row["queries"], row["yours"]) == (240, 60)
        covered += row["low"] <= truth <= row["high"]
        naive += abs(row["by_judge"] - truth) < (row["high"] - row["low"]) / 2
        narrower += row["high"] - row["low"] < row["alone_high"] - row["alone_low"]
    assert covered / runs >= 0.92 and naive / runs < 0.5 and narrower / runs > 0.9


def test_a_query_with_nothing_relevant_makes_no_difference_between_two_searches():
    other = {q: dict(grades) for q, grades in TRUE.items()}
    own = {"q0": {"right": 0, "other": 0}, "q1": TRUE["q1"]}
    found, _ = corrections(LISTS, own, other, "mine")
    lead = leanings(LISTS, {"q1": TRUE["q1"]}, TRUE, "mine").loc["better", "own"]
    assert found.loc["better", "alone"] == pytest.approx(lead / 2)


SEARCHES = """
def better(query, k):
    return [f"{query}-right.md", f"{query}-other.md"]


def mine(query, k):
    return [f"{query}-other.md", f"{query}-right.md"]
"""
WORDS = "apple boat clock drum eagle flute grape horn ivory jar kite lamp".split()


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    folder = tmp_path / "house"
    pages = [
        SourceDocument(f"{word}-{end}.md", "", f"{word} {end} {n}", f"{word}-{end}.md")
        for n, word in enumerate(WORDS)
        for end in ("right", "other")
    ]
    CorpusFolder.init(folder / "corpus", "house").add(pages)
    (folder / "planted_searches.py").write_text(SEARCHES)
    lab = Labelling(folder)
    for word in WORDS:
        lab.add_query(word)
    lab.measure({"mine": "planted_searches:mine", "better": "planted_searches:better"})
    lab.draft(lambda query, text: 2 * (query in text and "right" in text and text[0] > "c"), "llm")
    yield lab
    sys.modules.pop("planted_searches", None)


def judge_truly(lab, query_ids, helps=()):
    for query_id in query_ids:
        word = lab.questions()[query_id].query
        for end, grade in (("right", 2), ("other", int(query_id in helps))):
            lab.judge(query_id, f"{word}-{end}.md", grade)


def agreement(lab, capsys, *more):
    capsys.readouterr()
    code = main(["agreement", "llm", "--project", str(lab.folder), *more])
    out, err = capsys.readouterr()
    assert code == 0, err
    return out


def test_agreement_says_what_the_judges_grades_would_change_once_measured(project, capsys):
    judge_truly(project, list(project.questions()))
    assert "workbench measure first, then this also says" in agreement(project, capsys)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measured = measure_project(project)
    out = agreement(project, capsys)
    lead = 1 - 1 / np.log2(3)
    by = f"by llm's grades better − mine is {lead * 9 / 12:+.3f}, by yours {lead:+.3f}, over 12 queries"
    assert by in out and "these queries cannot tell" in out and "workbench measure first" not in out
    data = json.loads(agreement(project, capsys, "--json"))["by_judges"]
    mean = {name: one.metrics["nDCG@10"] for name, one in measured.reports.items()}
    assert data["leanings"][0]["own"] == pytest.approx(mean["better"] - mean["mine"])
    assert data["against"] == "mine" and data["corrected"] == [] and data["notes"] == []


def test_a_query_that_was_reworded_since_it_was_measured_is_left_out_and_said(project, capsys):
    judge_truly(project, list(project.questions()))
    measure_project(project)
    path = project.folder / "queries.jsonl"
    path.write_text(path.read_text().replace('"clock"', '"a clock that is broken"'))
    out = agreement(project, capsys)
    assert "over 11 queries" in out
    assert "left out here: 1 query reads otherwise than when it was measured (q03); workbench measure" in out


def test_errors_that_lean_are_said_so_in_one_sentence(project, capsys):
    judge_truly(project, list(project.questions()))
    lab = Labelling(project.folder, judge="llm")
    for n, word in enumerate(WORDS):
        lab.judge(f"q{n + 1:02d}", f"{word}-right.md", 0)
        lab.judge(f"q{n + 1:02d}", f"{word}-other.md", 2 * (n % 2))
    measure_project(project)
    said = "its errors lean toward mine, so its grades do not decide between them"
    assert said in agreement(project, capsys) and said in by_judges(project, "llm").text()


def test_where_the_judge_judged_more_queries_the_difference_is_corrected_by_yours(project, capsys):
    judge_truly(project, ["q02", "q03", "q05", "q08", "q11", "q12"], helps=["q05", "q08"])
    measure_project(project)
    out = agreement(project, capsys)
    assert "llm judged 12 queries, you 6 of them. For all 12, corrected by how far" in out
    assert "by yours alone" in out and "drawn at random from all that llm judged" in out
    (row,) = json.loads(agreement(project, capsys, "--json"))["by_judges"]["corrected"]
    assert row["low"] <= row["mean"] <= row["high"] and row["queries"] == 12
    assert row["by_judge"] == pytest.approx((1 - 1 / np.log2(3)) * 9 / 12)


def test_differences_are_settled_in_one_sheet(project, capsys, tmp_path):
    judge_truly(project, list(project.questions()))
    sheet = tmp_path / "differences.csv"
    assert "next: workbench settle llm" in agreement(project, capsys, "--out", str(sheet))
    with open(sheet, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["yours"], row["theirs"], row["settled"]) for row in rows] == [("2", "0", "")] * 3
    fill(sheet, rows, ["7", "", ""])
    settle = ["settle", "llm", str(sheet), "--project", str(project.folder)]
    assert main(settle) == 2 and "line 2: settled is '7'; needed 2 (answers)" in capsys.readouterr().err
    assert len(project.disagreements("llm")) == 3
    fill(sheet, rows, ["1", "", ""])
    assert main(["agreement", "llm", "--project", str(project.folder), "--out", str(sheet)]) == 2
    assert "has a grade that would be lost" in capsys.readouterr().err
    assert main(settle) == 0
    assert "1 pair is settled, 0 were so already; 2 rows have no grade and stay" in capsys.readouterr().out
    assert project.verdicts()[rows[0]["query_id"], rows[0]["doc_id"]].grade == 1
    assert main(settle) == 0 and "0 pairs are settled, 1 were so already" in capsys.readouterr().out
    (tmp_path / "notes.csv").write_text("a,b\n1,2\n")
    assert (
        main(["agreement", "llm", "--project", str(project.folder), "--out", str(tmp_path / "notes.csv")])
        == 2
    )
    assert "would be lost, name another file" in capsys.readouterr().err
    assert main(["settle", "llm", str(tmp_path / "no.csv"), "--project", str(project.folder)]) == 2
    assert "needed QUERY DOCUMENT GRADE, or the sheet" in capsys.readouterr().err
    assert main(["settle", "llm", "q01", "apple-right.md", "--project", str(project.folder)]) == 2
    assert "no grade; needed the query, the document and the grade" in capsys.readouterr().err


def fill(sheet, rows, grades):
    with open(sheet, "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter=";")  # as a spreadsheet may save it
        writer.writeheader()
        writer.writerows(row | {"settled": grade} for row, grade in zip(rows, grades, strict=True))
