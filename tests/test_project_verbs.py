"""The verbs of a project, one after another as a new user would: name a search, ask, judge, measure, gate."""

import csv
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from helpers.datasets import trec
from helpers.stats import t_interval
from workbench import projects
from workbench.__main__ import main as obey
from workbench.corpus import SourceDocument
from workbench.labelling import Labelling, read_judges
from workbench.reports import EvaluationReport, as_markdown, interval_of, load_report
from workbench.reports.models import PerQuery

PAGES = {
    "doors.md": "# Doors\n\nThe key opens the door. Ask the porter for the key.",
    "fire.md": "# Fire\n\nLeave the house by the stairs and call the brigade.",
    "lunch.md": "# Lunch\n\nSoup is served at noon. The cook makes the soup.",
    "rooms.md": "# Rooms\n\nBook a room with the porter. The key hangs at the desk.",
    "winter.md": "# Winter\n\nClose the windows. Salt lies in the cellar.",
}
LOG = ["where is the key"] * 3 + ["when is soup served"] * 2 + ["salt", "fire brigade", "book a room"]
ANSWERS = {"key": "doors.md", "soup": "lunch.md", "salt": "winter.md", "fire": "fire.md", "room": "rooms.md"}


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    (tmp_path / "docs").mkdir()
    for name, text in PAGES.items():
        (tmp_path / "docs" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert obey(["new", "ev", "--docs", "docs"]) == 0
    monkeypatch.chdir(tmp_path / "ev")
    monkeypatch.setattr(sys, "path", list(sys.path))  # a project adds its folder
    (tmp_path / "ev" / "my_house.py").write_text(
        f"ANSWERS = {ANSWERS!r}\n\n\n"
        "def search(query, k):\n"
        "    return [ANSWERS[word] for word in query.split() if word in ANSWERS]\n\n\n"
        "def other_ids(query, k):\n    return ['idx/doors.md']\n\n\n"
        "def grade(query, text):\n    return 2 if query.split()[-1] in text else 0\n"
    )
    (tmp_path / "ev" / "log.txt").write_text("\n".join(LOG))
    capsys.readouterr()
    yield tmp_path / "ev"
    sys.modules.pop("my_house", None)


def said(capsys, *words):
    """What a verb prints."""
    assert obey(list(words)) == 0
    return capsys.readouterr().out


def judged(project, capsys):
    """A sheet filled in by somebody who knows the answers."""
    said(capsys, "pool", "--out", "sheet.csv")
    with open("sheet.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        right = {ANSWERS[word] for word in row["query"].split() if word in ANSWERS}
        row["grade"] = 2 if row["doc_id"] in right else 0
    with open("sheet.csv", "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return said(capsys, "import", "judgments", "sheet.csv")


def test_from_a_log_to_numbers_and_a_gate_without_a_notebook(project, capsys):
    assert "8 searches, 5 different queries" in said(capsys, "import", "queries", "log.txt", "--sample", "8")
    assert "doors.md" in said(capsys, "systems", "--add", "mine=my_house:search")
    assert "added" in judged(project, capsys)
    assert "0 documents of their pools not judged" in said(capsys, "pool")
    found = said(capsys, "measure")
    assert "mine" in found and "judged@10" in found and "new: baseline.json" in found
    assert "for the searches of this log that have an answer here" in found
    (row,) = [line.split() for line in found.splitlines() if line.startswith("mine  ")]
    assert row[1:3] == ["1.000", "1.000"]  # nDCG@10 and judged@10
    # The same as a file: written, named, and held to the baseline.
    said(capsys, "evaluate", "--corpus", "corpus", "--dataset", "datasets/gold.json",
         "--system", "my_house:search", "--run-out", "mine.run")  # fmt: skip
    assert set(trec.read_run("mine.run")) == {f"q0{n}" for n in range(1, 6)}
    code = obey(["gate", "baseline.json", "mine.run", "--limit", "nDCG@10:0.02", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert code == 0 and answer["candidates"]["mine.run"]["rows"][0]["candidate"] == 1.0


def test_two_searches_of_ones_own_are_compared_with_each_other_too(project, capsys):
    said(capsys, "import", "queries", "log.txt", "--sample", "8")
    said(capsys, "systems", "--add", "mine=my_house:search", "--add", "other=my_house:search")
    judged(project, capsys)
    found = said(capsys, "measure")
    (line,) = [one for one in found.splitlines() if one.startswith("your own searches with each other: ")]
    compared = " ".join(said(capsys, *line.partition(": workbench ")[2].split()).split())
    assert "gold-other, each query counted as often as it was drawn from the log" in compared
    assert "difference +0.000 [+0.000, +0.000]; the table counts each once" in compared


def test_a_sample_that_was_read_in_part_has_no_mean_over_searches(project, capsys):
    """Who reads from the top reads what is asked most; of a half there is no mean over the log."""
    said(capsys, "import", "queries", "log.txt", "--sample", "8")
    judged(project, capsys)
    verdicts = Path("judgments.jsonl").read_text().splitlines(keepends=True)
    Path("judgments.jsonl").write_text("".join(line for line in verdicts if '"q05"' not in line))
    found = said(capsys, "measure")
    assert "not read yet, and in no mean: 1 query (q05)" in found
    assert "There is no mean over searches: 1 of 5 drawn queries not read yet" in found
    assert "for the searches of this log that have an answer here" not in found
    Labelling().judge("q05", "winter.md", 0)
    found = said(capsys, "measure")
    assert "read, without a document of grade 1 or 2, and in no mean: 1 query (q05)" in found
    assert (
        "for the searches of this log that have an answer here" in found
        and "without a known answer count 0" in found
    )


def test_what_a_new_search_finds_is_pooled_before_it_is_believed(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    lab = Labelling()
    for query_id, one in lab.questions().items():
        for doc_id, _ in lab.systems.measured["csr-bm25"].search({query_id: one.query}, 10)[query_id]:
            right = any(ANSWERS.get(word) == doc_id for word in one.query.split())
            lab.judge(query_id, doc_id, 2 if right else 0)
    said(capsys, "systems", "--remove", "sqlite-full-text-search")
    assert "warning" not in said(capsys, "measure")
    (project / "my_house.py").write_text(
        "def search(query, k):\n    return ['fire.md', 'winter.md', 'rooms.md', 'lunch.md']\n"
    )
    said(capsys, "systems", "--add", "mine=my_house:search")
    found = said(capsys, "measure")
    assert (
        "warning, mine: judged@10 is" in found and found.count("judged@10 is") == 1
    )  # once, not by the gate too


def test_a_search_with_other_ids_is_not_taken_into_the_project(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    assert obey(["systems", "--add", "bad=my_house:other_ids"]) == 2
    assert "'idx/doors.md' would be 'doors.md' without 'idx/'" in capsys.readouterr().err
    assert not (project / "systems.json").exists()


def test_results_for_the_queries_of_another_project_are_named_when_they_are_added(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    (project / "mine.run").write_text("q01 Q0 doors.md 1 1.0 mine\n")
    (project / "theirs.run").write_text("z1 Q0 doors.md 1 1.0 theirs\n")
    assert obey(["systems", "--add", "mine=mine.run", "--add", "theirs=theirs.run"]) == 0
    (warning,) = capsys.readouterr().err.splitlines()
    assert warning.startswith("warning: theirs: theirs.run answers none of the 5 queries of this project")
    assert warning.endswith("which has e.g. 'q01'; it has 'z1'")


def test_a_second_judge_and_a_model_from_the_command_line(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    judged(project, capsys)
    assert "judged" in said(capsys, "draft", "my_house:grade", "--name", "llm", "--described", "words")
    found = said(capsys, "agreement", "llm")
    assert "llm, a model" in found and "kappa of the grades" in found and "not settled" in found
    said(capsys, "pool", "--judge", "anna", "--out", "anna.csv")
    assert "anna.csv --judge anna" in said(capsys, "pool", "--judge", "anna", "--out", "anna.csv")
    assert (project / "judges" / "llm.jsonl").exists() and not (project / "judges" / "anna.jsonl").exists()
    assert obey(["agreement", "nobody"]) == 2 and "there is no judge 'nobody'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["systems", "--add", "mine"], "'mine' names no system; needed NAME=SYSTEM"),
        (["systems", "--remove", "mine"], "there is no system 'mine'; the project measures csr-bm25"),
        (["systems", "--add", "mine=no_such:search"], "there is no module 'no_such'"),
        (["measure"], "queries.jsonl holds no query; bring some in"),
        (["measure", "--project", "corpus"], "is no project"),
        (["export", "out", "--format", "trec"], "has no judgment yet"),
        (["import", "judgments", "log.txt"], "log.txt, line 1"),
        (["import", "queries", "log.txt", "--sample", "0"], "needed a whole number from 1"),
        (["import", "judgments", "log.txt", "--grades", "3=5"], "'3=5' is no pair of grades"),
        (["import", "judgments", "log.txt", "--grades", "3=2,4=2"], "several pairs of grades; write blanks"),
        (
            ["import", "judgments", "--grades", "3=2", "log.txt"],
            "where it is the file, write --grades after it",
        ),
        (
            ["import", "judgments", "log.txt", "--grades", "yes=2", "2=1"],
            "beside words 0, 1 and 2 stay as they are",
        ),
        (["draft", "my_house:nothing", "--name", "llm"], "my_house has no 'nothing'"),
        (["draft", "my_house", "--name", "llm"], "names no program; needed package.module:name"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line_with_code_2(project, capsys, words, message):
    try:
        assert obey(words) == 2
    except SystemExit as ended:
        assert ended.code == 2
    found = capsys.readouterr()
    assert message in found.err and "Traceback" not in found.err and not found.out


def test_labels_that_were_brought_in_are_not_left_out_in_silence(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    assert judged(project, capsys).endswith("next: workbench measure\n")
    said(capsys, "measure")
    lines = [
        "evaluate --corpus corpus --dataset datasets/gold.json --system csr-bm25 --out r.json",
        "compare csr-bm25 my_house:search",
        "datasets datasets/gold.json",
    ]
    for line in lines:
        assert obey(line.split()) == 0 and "say now" not in "".join(capsys.readouterr())
    lab = Labelling(project)
    lab.judge("q01", "winter.md", 1)
    for line in lines:
        assert obey(line.split()) == 0
        warned = "".join(capsys.readouterr())
        assert "gold.json is not what the project's queries and judgments say now (1 query differs" in warned
        assert "`workbench measure` writes it anew" in warned
    judgments = project / "judgments.jsonl"
    whole = judgments.read_text()
    judgments.write_text(f"<<<<<<< HEAD\n{whole}")
    assert obey(lines[0].split()) == 0
    warned = "".join(capsys.readouterr())
    assert "queries and judgments cannot be read, so whether" in warned and "an unfinished merge" in warned
    judgments.write_text(whole)
    said(capsys, "measure")
    assert obey(lines[0].split()) == 0 and "say now" not in "".join(capsys.readouterr())


def test_measure_says_as_json_what_it_says_in_words(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    judged(project, capsys)
    (project / "part.run").write_text("q01 Q0 doors.md 1 1.0 mine\n")
    said(capsys, "systems", "--add", "part=part.run")
    found = json.loads(said(capsys, "measure", "--json"))
    assert "part.run and count 0" in found["warnings"]["part"][0]
    assert found["dataset"][0].startswith("datasets/gold.json: ") and found["baseline"].startswith("new: ")


def test_what_is_analyzed_is_the_ranking_that_is_measured(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    judged(project, capsys)
    (project / "my_house.py").write_text(
        "ASKED = []\n\n\n"
        "def tied(query, k):\n    ASKED.append(k)\n"
        f"    return [(name, 1.0) for name in {sorted(PAGES)!r}]\n"
    )
    said(capsys, "systems", "--add", "mine=my_house:tied")
    lab = Labelling(project)
    asked = sys.modules["my_house"].ASKED
    asked.clear()
    misses = projects.analyze_project(lab, "mine", k=2).misses
    assert set(asked) == {100}
    assert set(misses["doc_id"]) == {"lunch.md", "rooms.md", "winter.md"}  # and not the first two


def test_a_second_baseline_that_cannot_be_read_is_kept_beside_the_first(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    judged(project, capsys)
    for text in ("one", "two"):
        (project / "baseline.json").write_text(text)
        said(capsys, "measure")
    kept = ("baseline.unreadable.json", "baseline.unreadable-2.json")
    assert [(project / name).read_text() for name in kept] == ["one", "two"]


def test_a_search_whose_first_ten_depend_on_how_many_are_asked_for_is_pooled_as_it_is_measured(
    project, capsys
):
    said(capsys, "import", "queries", "log.txt")
    (project / "my_house.py").write_text(
        "def search(query, k):\n"
        "    return ['fire.md#1', 'fire.md#0', 'winter.md'] if k > 99 else ['doors.md']\n"
    )
    assert "fire.md, winter.md" in said(capsys, "systems", "--add", "mine=my_house:search")
    lab = Labelling(project)
    for query_id in lab.questions():
        for doc_id in lab.pool(query_id)["doc_id"]:
            lab.judge(query_id, doc_id, 1)
    found = projects.measure_project(lab).reports["mine"]  # asked by the pool too, of the same object
    assert found.metrics["Judged@10"] == 1
    assert any(text.startswith("5 hits of my_house:search ") for text in found.warnings)


def test_an_import_that_fails_leaves_no_new_judge_behind(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    (project / "j.csv").write_text("query_id,doc_id,grade\nq01,nowhere.md,2\n")
    assert obey(["import", "judgments", "j.csv", "--judge", "gpt"]) == 2
    assert "nowhere.md" in capsys.readouterr().err and "gpt" not in read_judges(project)
    said(capsys, "draft", "my_house:grade", "--name", "gpt")
    assert obey(["import", "judgments", "j.csv", "--judge", "gpt"]) == 2
    assert "gpt" in read_judges(project)  # it was there before


def test_a_grade_with_a_point_can_be_said_to_become_another(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    (project / "j.csv").write_text("query_id,doc_id,grade\nq01,doors.md,3.0\n")
    assert "added 1 judgment" in said(capsys, "import", "judgments", "j.csv", "--grades", "3.0=2")


def test_judgments_of_what_is_gone_are_left_out_with_an_option_that_the_refusal_names(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    (project / "last.qrels").write_text("q01 0 doors.md 2\nq01 0 old.md 1\nq99 0 doors.md 1\n")
    assert obey(["import", "judgments", "last.qrels"]) == 2
    assert "to leave out their judgments: --allow-unknown" in capsys.readouterr().err
    found = said(capsys, "import", "judgments", "last.qrels", "--allow-unknown")
    assert "added 1 judgment, 0 were there already\nnote: 2 judgments left out: 1 of 2 queries" in found
    assert "'q99'" in found and "'old.md'" in found
    assert obey(["import", "queries", "log.txt", "--allow-unknown"]) == 2
    assert "--allow-unknown has no effect on queries" in capsys.readouterr().err


def test_a_log_that_is_taken_whole_is_told_that_each_query_counts_once(project, capsys):
    assert "each query counts once in the means" in said(capsys, "import", "queries", "log.txt")
    (project / "queries.jsonl").write_text("")
    assert "counts once" not in said(capsys, "import", "queries", "log.txt", "--sample", "5")


def test_topics_that_were_exported_are_imported(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    judged(project, capsys)
    assert obey(["export", "out", "--format", "trec"]) == 0
    assert "trec has no place for frequencies" in capsys.readouterr().err
    (project / "queries.jsonl").write_text("")
    assert obey(["import", "queries", "out/topics.tsv"]) == 0
    assert (
        "read as ids and texts without a heading, e.g. 'q01', 'where is the key'" in capsys.readouterr().err
    )


def test_a_sheet_that_was_imported_is_written_over_and_one_with_judgments_to_renew_is_not(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    judged(project, capsys)
    lab = Labelling(project)
    lab.add_query("the porter's desk")
    assert "wrote sheet.csv" in said(capsys, "pool", "--out", "sheet.csv")
    lab.judge("q01", "doors.md", 2, "The key opens")
    lab.corpus.add([SourceDocument("doors.md", "Doors", "A code opens the door.", "doors.md")])
    (project / "sheet.csv").write_text("query_id,query,doc_id,title,text,grade,quote\nq01,,doors.md,,,2,\n")
    assert obey(["pool", "--out", "sheet.csv"]) == 2
    assert "holds grades (1) that would be lost" in capsys.readouterr().err


def test_pool_names_the_queries_that_a_file_of_results_does_not_answer(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    run = {query_id: [("doors.md", 1.0)] for query_id in Labelling(project).questions()}
    trec.write_run(run, project / "mine.run")
    said(capsys, "systems", "--add", "mine=mine.run")
    assert obey(["pool"]) == 0 and "mine.run answers" not in capsys.readouterr().err
    trec.write_run({"q01": run["q01"]}, project / "mine.run")
    assert obey(["pool"]) == 0
    assert "mine: mine.run answers 1 of the 5 queries, and not q02, q03, q04, q05" in capsys.readouterr().err


def test_the_baseline_is_of_ones_own_search_and_stays_of_it_when_labels_come_in(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    said(capsys, "systems", "--add", "mine=my_house:search")
    assert "mine: my_house:search" in said(capsys, "systems", "--add", "mine=my_house:search")
    judged(project, capsys)
    assert "baseline for mine: new" in said(capsys, "measure")
    assert "baseline for mine: kept: baseline.json is about the same" in said(capsys, "measure")
    # One that was made of ours before there was another stays until it is deleted, and that is said.
    shutil.copy("reports/gold-csr-bm25.json", "baseline.json")
    kept = "baseline for mine: kept: baseline.json is of csr-bm25; to make it that of my_house:search, delete"
    assert kept in said(capsys, "measure")
    shutil.copy("reports/gold-mine.json", "baseline.json")
    lab = Labelling()
    lab.judge(lab.add_query("cellar"), "winter.md", 2)
    assert "baseline for mine: replaced baseline.json, because" in said(capsys, "measure")
    said(capsys, "systems", "--remove", "mine")
    lab.judge(lab.add_query("stairs"), "fire.md", 2)
    lost = "baseline for csr-bm25: replaced baseline.json, which was of my_house:search, because"
    assert lost in said(capsys, "measure")


def test_what_was_measured_is_one_page_with_the_interval_of_each_system(project, capsys):
    said(capsys, "import", "queries", "log.txt", "--sample", "8")
    said(capsys, "systems", "--add", "mine=my_house:search", "--remove", "sqlite-full-text-search")
    judged(project, capsys)
    Labelling().add_query("nobody knows")
    assert "wrote reports/measured.md" in said(capsys, "measure")
    page = Path("reports/measured.md").read_text()
    report = load_report("reports/gold-csr-bm25.json")
    shown = interval_of(report, "gold", "nDCG@10") or "none"
    cells = [cell.strip() for line in page.splitlines() if "csr-bm25" in line for cell in line.split("|")]
    assert [f"{report.metrics['nDCG@10']:.3f}", shown] == cells[2:4] and "| mine" in page
    assert "Left out, without a relevant document among those judged: 1 query (q06)" in page
    assert "for the searches of this log that have an answer here" in page and "## Retrieval gate: " in page


def test_a_report_says_how_sure_a_mean_is_and_what_is_not_defined(project, capsys):
    said(capsys, "import", "queries", "log.txt")
    judged(project, capsys)
    said(capsys, "measure")
    Path("mute.py").write_text("def search(query, k):\n    return []\n")
    said(capsys, "evaluate", "--corpus", "corpus", "--dataset", "datasets/gold.json",
         "--system", "mute:search", "--out", "reports/mute.json")  # fmt: skip
    report = load_report("reports/mute.json")
    assert "| Judged@10 | undefined |  |" in as_markdown(report)
    assert interval_of(report, "gold", "nDCG@10") == ""
    good = load_report("reports/gold-csr-bm25.json")
    assert interval_of(good, "gold", "hit_rate") == ""  # rows of one query are not independent


def test_the_interval_of_a_report_is_students_and_stays_within_the_metric():
    values = [0.2, 0.9, 1.0, 1.0]
    queries = {
        f"q{n}": PerQuery.model_construct(kind="gold", metrics={"MRR": one}) for n, one in enumerate(values)
    }
    report = EvaluationReport.model_construct(per_query=queries, evidence=[])
    low = t_interval(np.array(values))[0]
    assert interval_of(report, "gold", "MRR") == f"{low:.3f} to 1.000"


def test_a_query_for_which_no_search_finds_anything_counts_as_read(project, capsys):
    """There is nothing to read for it, and without it there would never be a mean over the searches."""
    Path("log.txt").write_text("\n".join([*LOG, "xyzzy", "xyzzy"]))
    said(capsys, "import", "queries", "log.txt", "--sample", "10")
    said(capsys, "systems", "--add", "mine=my_house:search")
    judged(project, capsys)
    nothing = "1 query for which no search finds anything: q06; if you know a page that answers it"
    assert nothing in said(capsys, "pool")
    found = said(capsys, "measure")
    assert nothing in found and "not read yet" not in found
    (line,) = [one for one in found.splitlines() if one.startswith("mine: ") and "without a known" in one]
    assert line == "mine: 0.800 if 2 of 10 searches without a known answer count 0"
    page = Path("reports/measured.md").read_text()
    assert "Left out, without a relevant document among those judged: 1 query (q06)" in page
    assert "No search finds anything for 1 query: q06." in Labelling().coverage()
    # What evaluates later asks none of the systems for it, and knows it all the same.
    (project / "my_house.py").write_text("def search(query, k):\n    raise ValueError('it was asked')\n")
    said(capsys, "evaluate", "--corpus", "corpus", "--dataset", "datasets/gold.json", "--system", "csr-bm25",
         "--out", "now.json")  # fmt: skip
    report = load_report("now.json")
    assert report.drawn["q06"] == 2 and report.unread == []
    Labelling().judge("q06", "winter.md", 2)  # somebody knows the page that answers it
    assert Labelling().unread_queries() == [] and Labelling()._without_judgment() == {}


def test_what_was_not_asked_or_may_be_found_by_now_is_not_read_yet(project, capsys):
    Path("log.txt").write_text("\n".join([*LOG, "xyzzy"]))
    said(capsys, "import", "queries", "log.txt", "--sample", "9")
    answers = [json.dumps({"query_id": f"q0{n}", "hits": ["doors.md"]}) for n in range(1, 6)]
    Path("mine.jsonl").write_text("\n".join(answers))
    said(capsys, "systems", "--add", "mine=mine.jsonl")
    judged(project, capsys)
    found = said(capsys, "measure")  # the file of results does not answer q06
    assert "not read yet, and in no mean: 1 query (q06)" in found and "finds anything" not in found
    page = Path("reports/measured.md").read_text()
    assert "Left out" not in page and "Not read yet, and in no mean: 1 query (q06)" in page
    Path("mine.jsonl").write_text("\n".join([*answers, '{"query_id": "q06", "hits": []}']))
    assert "no search finds anything: q06" in said(capsys, "measure")
    assert Labelling().unread_queries() == []
    queries = Path("queries.jsonl").read_text()
    Path("queries.jsonl").write_text(queries.replace("xyzzy", "soup kitchen"))
    assert Labelling().unread_queries() == ["q06"]
    Path("queries.jsonl").write_text(queries)
    systems = Path("systems.json").read_text()
    said(capsys, "systems", "--add", "another=my_house:search")
    assert Labelling().unread_queries() == ["q06"]
    Path("systems.json").write_text(systems)
    Labelling().corpus.add([SourceDocument("magic.md", "Magic", "Say xyzzy.", "magic.md")])
    assert Labelling().unread_queries() == ["q06"]
    assert "q06: 1 left, xyzzy" in said(capsys, "pool") and not Path("datasets/nothing_found.json").exists()
    Path("datasets/nothing_found.json").write_text("<<<<<<<")
    assert Labelling().unread_queries() == ["q06"]
