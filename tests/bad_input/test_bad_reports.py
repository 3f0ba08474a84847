"""Reports, comparisons and gates that were edited, do not belong together or cannot be asked."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from programs import main
from small_project import EVALUATE, QRELS, right_run, said_of

from helpers.evaluation import compare, evaluate_retrieval
from workbench import (
    build_snapshot,
    evaluate_run,
    gate,
    load_report,
    save_report,
    write_dataset,
)
from workbench.projects import TEMPLATE


def test_a_report_with_a_metric_beyond_its_range_is_refused(made, tmp_path):
    path = save_report(tmp_path / "report.json", evaluate_run(*made))
    record = json.loads(path.read_text())
    record["metrics"]["MRR"] = 99.0
    for query in record["per_query"].values():
        query["metrics"]["MRR"] = 99.0
    path.write_text(json.dumps(record))
    with pytest.raises(ValueError, match="(?s)was it edited.*MRR cannot be counted from its evidence"):
        load_report(path)


def test_a_report_and_a_dataset_file_are_not_taken_for_each_other(here, made, capsys):
    corpus, _, dataset, budget = made
    save_report("report.json", evaluate_run(corpus, build_snapshot(corpus, "csr-bm25"), dataset, budget))
    write_dataset("gold.json", dataset)
    assert main(["datasets", "report.json"]) == 2
    assert "report.json: a report, which `report` and `compare` take" in capsys.readouterr().err
    assert main(["report", "gold.json"]) == 2
    assert "gold.json: a dataset file, which `evaluate` takes" in capsys.readouterr().err


EDITS = {
    "warnings": lambda report: report.update(warnings=["none"]),
    "evaluated_at": lambda report: report.update(evaluated_at="yesterday"),
    "documents": lambda report: report["corpus"].update(documents=5000),
    "query_text": lambda report: report["evidence"][0].update(query_text="other"),
    "score": lambda report: report["evidence"][0]["items"][0].update(score=-99.0),
}


def test_a_report_of_which_anything_was_edited_is_refused(made, tmp_path):
    path = save_report(tmp_path / "report.json", evaluate_run(*made))
    written = path.read_text()
    for edit in EDITS.values():
        report = json.loads(written)
        edit(report)
        path.write_text(json.dumps(report))
        with pytest.raises(ValueError, match="was (it|the report) edited"):
            load_report(path)
    path.write_text(json.dumps(json.loads(written), sort_keys=True))  # another order says the same
    assert load_report(path).warnings == json.loads(written)["warnings"]


def test_a_folder_with_the_name_of_a_backend_does_not_hide_it_in_a_comparison(project, capsys):
    Path("csr-bm25").mkdir()
    code, out, err = said_of(capsys, "compare csr-bm25 substring-scan")
    assert code == 0 and "substring-scan" in out, err


def test_a_packed_report_is_compared_as_it_is_read(project, capsys):
    for name in ("csr-bm25", "substring-scan"):
        evaluate = EVALUATE.replace("x.json", f"{name}.json")
        assert said_of(capsys, f"{evaluate} {name}")[0] == 0
    packed = gzip.compress(Path("reports/csr-bm25.json").read_bytes())
    Path("packed.json.gz").write_bytes(packed)
    code, out, err = said_of(capsys, "compare packed.json.gz reports/substring-scan.json")
    assert code == 0 and "substring-scan" in out, err


def test_the_baseline_that_is_kept_is_named_and_one_that_cannot_be_read_is_kept_beside(project, capsys):
    assert said_of(capsys, "measure")[0] == 0
    Path("systems.json").write_text('{"full": "sqlite-full-text-search"}')
    assert "kept: baseline.json is of csr-bm25" in said_of(capsys, "measure")[1]
    Path("baseline.json").write_text("spoilt")
    assert "is kept as baseline.unreadable.json" in said_of(capsys, "measure")[1]
    assert Path("baseline.unreadable.json").read_text() == "spoilt"


def test_the_gate_of_a_project_refuses_an_exit_code_that_is_none(project):
    gate_sh = TEMPLATE / "gate.sh"
    ran = subprocess.run(
        ["bash", gate_sh], env=os.environ | {"UNSURE": "abc"}, capture_output=True, text=True
    )
    assert ran.returncode == 2 and "UNSURE is 'abc'; needed an exit code from 0 to 99" in ran.stderr


def test_a_report_without_the_grades_of_the_baseline_names_what_is_missing(project, capsys):
    assert said_of(capsys, f"{EVALUATE} csr-bm25".replace("x.json", "base.json"))[0] == 0
    Path("datasets/gold.qrels").unlink()
    gold = Path("datasets/gold.json")
    gold.write_text(
        gold.read_text().replace("Its grades stand beside it (.qrels).", "")
    )  # as older ones were
    assert said_of(capsys, f"{EVALUATE} csr-bm25")[0] == 0
    code, _, err = said_of(capsys, "gate reports/base.json reports/x.json --limit nDCG@10:0.02")
    assert (
        code == 2 and "the candidate was measured without the grades" in err and "gold.qrels missing" in err
    )


def test_a_report_is_known_by_what_it_holds_and_what_is_printed_is_no_report(project, capsys):
    for system in ("csr-bm25", "rank-bm25"):
        said_of(capsys, f"{EVALUATE.replace('x.json', f'{system}.json')} {system}")
    Path("reports/csr-bm25.json").rename("base")
    code, out, err = said_of(capsys, "gate base reports/rank-bm25.json --limit MRR:0.02 --json")
    assert code in (0, 1), err
    Path("g.json").write_text(out)
    err = said_of(capsys, "report g.json")[2]
    assert "no report but an object with exit_code, candidates; is it what a verb prints with --json?" in err


def test_a_gate_saved_with_windows_line_ends_was_not_asked(tmp_path):
    script = (TEMPLATE / "gate.sh").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "gate.sh").write_bytes(script)
    done = subprocess.run(["bash", tmp_path / "gate.sh"], capture_output=True, text=True)
    assert done.returncode == 2 and "saved with Windows line ends; save it with LF" in done.stderr


def test_the_page_of_a_job_is_added_to_and_not_replaced(tmp_path, monkeypatch, capsys):
    summary, report = tmp_path / "step_summary", tmp_path / "a.json"
    report.write_text("{}")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    line = ["gate", str(report), str(report), "--limit", "nDCG@10:0.02", "--markdown", str(summary)]
    assert main(line) == 2
    assert 'cat gate.md >> "$GITHUB_STEP_SUMMARY"' in capsys.readouterr().err


def test_reports_under_two_budgets_are_told_the_options_of_the_first(project, capsys):
    said_of(capsys, "measure")
    said_of(capsys, f"{EVALUATE} csr-bm25 --max-total-items 3".replace("--system csr-bm25", ""))
    code, _, err = said_of(capsys, "gate baseline.json reports/x.json --limit nDCG@10:0.02")
    assert code == 2 and "of the baseline is --max-total-items 10 --max-items-per-document 1" in err


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"SYSTEM": "csr-bm25 --chunker paragraphs"}, 'SYSTEM="--backend csr-bm25 --chunker paragraphs"'),
        (
            {"LIMIT": "nDCG@10:0.02 MRR:0.05"},
            "needed one METRIC:DROP, and for a second: bash gate.sh",
        ),
        ({"WORKBENCH": f"{sys.executable} -m workbench"}, "corpus/ is not in"),
    ],
)
def test_a_gate_that_cannot_be_asked_says_so_before_it_measures(env, words, tmp_path):
    shutil.copy(TEMPLATE / "gate.sh", tmp_path)
    for name in ("datasets/gold.json", "baseline.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    command = ["bash", tmp_path / "gate.sh"]
    done = subprocess.run(command, env=os.environ | env, capture_output=True, text=True)
    assert done.returncode == 2 and words in done.stderr


@pytest.mark.parametrize("option", [["--limit", "nDCG@10:0.01"], ["--limit=nDCG@10:0.01"]])
def test_a_second_limit_of_one_metric_is_told_where_the_first_one_is(option, tmp_path):
    shutil.copy(TEMPLATE / "gate.sh", tmp_path)
    command = ["bash", tmp_path / "gate.sh"]
    done = subprocess.run([*command, *option], capture_output=True, text=True)
    said = "LIMIT is nDCG@10:0.02, and --limit nDCG@10:0.01 is of the same metric: say LIMIT=nDCG@10:0.01 in"
    assert done.returncode == 2 and said in done.stderr
    other = subprocess.run([*command, "--limit", "MRR:0.01"], capture_output=True, text=True)
    assert "is of the same metric" not in other.stderr


def test_scores_in_percent_are_not_compared_with_shares_without_a_word():
    shares = {f"q{n}": n / 10 for n in range(6)}
    percent = {query_id: 100 * score for query_id, score in shares.items()}
    with pytest.warns(UserWarning, match="of 'theirs' go up to 50, those of 'BM25' to 0.5: is one"):
        compare({"BM25": shares, "theirs": percent})


def test_evaluations_stand_in_one_dict_and_tables_have_a_row_a_query():
    found = evaluate_retrieval(right_run(), QRELS)
    for given in ((found, found), (found, "nDCG@10")):
        with pytest.raises(ValueError, match="Evaluation"):
            compare(*given)
    with pytest.raises(ValueError, match="has a row 'nDCG@10', and a column for each query; give table.T"):
        compare({"a": found.per_query.T, "b": found.per_query.T})


def test_a_metric_that_is_an_object_of_another_package_is_told_its_name(made):
    class Measure:
        def __str__(self):
            return "nDCG@10"

    report = evaluate_run(*made)
    with pytest.raises(ValueError, match="is a Measure; give its name, 'nDCG@10'"):
        gate(report, report, {Measure(): 0.02})
    with pytest.raises(ValueError, match="there is no metric 10 in both reports\n  metrics: nDCG@10"):
        gate(report, report, {10: 0.02})


def test_the_three_answers_of_a_gate_are_no_truth(made):
    report = evaluate_run(*made)
    with pytest.raises(ValueError, match="a gate has three answers, and this one is .* ask .answer"):
        assert gate(report, report, {"MRR": 0.02})


def test_a_folder_in_the_place_of_reports_is_told_which_it_holds(project, capsys):
    said_of(capsys, "measure")
    for line in ("compare reports", "gate baseline.json reports --limit nDCG@10:0.02"):
        code, _, err = said_of(capsys, line)
        assert code == 2 and "reports is a folder; name reports: reports/gold-mine.json" in err


def test_what_measure_prints_is_told_from_the_reports_that_it_wrote(project, capsys):
    Path("m.json").write_text(said_of(capsys, "measure --json")[1])
    code, _, err = said_of(capsys, "report m.json")
    assert code == 2 and "m.json is no report but an object with metrics" in err, err
    assert "Needed the report that `evaluate` writes, here reports/gold-" in err
