"""The command line for corpora and evaluations: what each verb does, what it refuses and how, exit codes."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from programs import MAINS, PARSERS, PROGRAM_OF, PROGRAMS, SUBPARSERS, VERBS, main

from helpers.base import files
from workbench.commands import arguments, command_line

ACTIONS = ("restart", "deploy", "mount", "attach", "detect", "print", "paint", "plant")


def a_dataset(path, *rows, name="actions", **more):
    """A dataset file of (query_id, text, expected id) or of whole rows."""
    keys = ("query_id", "query_text", "expected_item_id")
    queries = [
        row if isinstance(row, dict) else dict(zip(keys, row, strict=True)) | {"kind": "gold"} for row in rows
    ]
    path.write_text(
        json.dumps({"schema_version": 1, "name": name, "description": "", "queries": queries} | more)
    )
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Eight pages, three snapshots, and a dataset that asks for each page with another form of its word."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "docs").mkdir()
    for action in ACTIONS:
        (folder / "docs" / f"{action}.md").write_text(f"# How to {action}\n\nFirst {action} the small one.\n")
    a_dataset(
        folder / "actions.json", *((f"q-{action}", f"{action}ing", f"{action}.md") for action in ACTIONS)
    )
    corpus = str(folder / "corpus")
    for line in (["init", corpus], ["ingest", "--corpus", corpus, str(folder / "docs")]):
        assert obey(line) == 0
    for name, backend in (
        ("weak", "substring-scan"),
        ("strong", "csr-bm25"),
        ("fts", "sqlite-full-text-search"),
    ):
        assert obey(["snapshot", "--corpus", corpus, "--backend", backend]) == 0
        out = str(folder / f"{name}.json")
        assert (
            obey(["evaluate", "--corpus", corpus, "--dataset", str(folder / "actions.json"), "--out", out])
            == 0
        )
    return folder


@pytest.fixture
def own(made, tmp_path, monkeypatch):
    """A copy of `made` to change, as the folder that commands are given in."""
    shutil.copytree(made, tmp_path / "own")
    monkeypatch.chdir(tmp_path / "own")
    return tmp_path / "own"


def obey(line):
    """The exit code of a command, given as it would be typed or as a list of its words."""
    try:
        return main(shlex.split(line) if isinstance(line, str) else line)
    except SystemExit as stopped:  # argparse
        return stopped.code


def refused(capsys, line, *words):
    """The lines on stderr of a command that ends with code 2; nothing is printed as a result."""
    capsys.readouterr()
    code = obey(line)
    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    lines = said.err.splitlines()
    verb = line.split()[0] if isinstance(line, str) else line[0]
    assert lines[0].startswith(f"{PROGRAMS[PROGRAM_OF[verb]].name} {verb}: ") and "Traceback" not in said.err
    for word in words:
        assert word in said.err
    return lines


# What works


def test_the_published_walk_through_gives_the_published_report(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("eval-alpha.txt").write_text("alpha apple\n")
    Path("eval-beta.txt").write_text("beta banana\n")
    assert obey("init corpora/retrieval_eval_demo") == 0
    assert obey("ingest --corpus corpora/retrieval_eval_demo eval-alpha.txt") == 0
    assert obey("ingest --corpus corpora/retrieval_eval_demo eval-beta.txt") == 0
    assert obey("snapshot --corpus corpora/retrieval_eval_demo --backend sqlite-full-text-search") == 0
    (item_id,) = re.findall(r"added: (.*alpha.*)", capsys.readouterr().out)
    a_dataset(Path("demo.json"), ("q1", "apple", item_id), name="retrieval-eval-demo")
    limits = ["--max-total-items", "3", "--maximum-total-characters", "2000", "--max-items-per-source", "5"]
    assert (
        obey(["evaluate", "--corpus", "corpora/retrieval_eval_demo", "--dataset", "demo.json", *limits]) == 0
    )
    said = capsys.readouterr().out
    (path,) = Path("corpora/retrieval_eval_demo/reports").glob("retrieval-eval-demo-*.json")
    assert f"wrote {path.as_posix()}" in said
    report = json.loads(path.read_text())
    assert (report["backend_id"], report["snapshot_id"]) == (
        "sqlite-full-text-search",
        path.stem.split("-")[3],
    )
    assert report["dataset"]["queries"] == 1
    metrics = {"hit_rate": 1.0, "precision_at_max_total_items": 1 / 3, "mean_reciprocal_rank": 1.0}
    assert report["metrics"] | metrics == report["metrics"]
    assert set(report["system"]) == {
        "average_latency_milliseconds",
        "percentile_95_latency_milliseconds",
        "index_bytes",
    }
    published = {
        "max_total_items": 3,
        "maximum_total_characters": 2000,
        "max_items_per_source": 5,
        "offset": 0,
    }
    assert report["budget"] == published | {"max_items_per_document": None}  # a limit of ours


def test_an_evaluation_prints_what_to_record_the_metrics_and_the_misses(own, capsys):
    assert obey("evaluate --corpus corpus --dataset actions.json") == 0
    found = capsys.readouterr()
    for thing in ("corpus", "snapshot", "backend", "dataset", "budget"):
        assert re.search(rf"^{thing} ", found.out, re.M)
    assert "gold: 8 rows, 0 misses" in found.out and re.search(r"hit_rate +1\.0000", found.out)
    weak = json.loads((own / "weak.json").read_text())["snapshot_id"]
    assert obey(["evaluate", "--corpus", "corpus", "--dataset", "actions.json", "--snapshot", weak[:8]]) == 0
    assert re.search(r"missed, not retrieved: +8$", capsys.readouterr().out, re.M)


def test_a_report_that_replaces_another_says_so(own, capsys):
    line = ["evaluate", "--corpus", "corpus", "--dataset", "actions.json"]
    assert obey(line) == 0 and "\nwrote corpus/reports/actions-" in capsys.readouterr().out
    assert obey(line) == 0 and "\nreplaced corpus/reports/actions-" in capsys.readouterr().out
    assert (
        obey([*line, "--max-total-items", "3"]) == 0
        and "\nwrote corpus/reports/actions-" in capsys.readouterr().out
    )


def test_synthetic_rows_are_summed_up_apart_from_gold_ones(own, capsys):
    row = {"query_id": "s1", "query_text": "painting", "expected_item_id": "plant.md", "kind": "synthetic"}
    a_dataset(own / "mixed.json", ("q1", "painting", "paint.md"), row)
    assert obey("evaluate --corpus corpus --dataset mixed.json") == 0
    gold, synthetic = capsys.readouterr().out.split("\ngold: ")[1].split("\nsynthetic: ")
    assert re.search(r"hit_rate +1\.0000", gold) and re.search(r"hit_rate +0\.0000", synthetic)


def test_stale_ids_are_a_warning_and_count_as_misses(own, capsys):
    a_dataset(own / "stale.json", ("q1", "painting", "paint.md"), ("q2", "planting", "gone.md"))
    assert obey("evaluate --corpus corpus --dataset stale.json") == 0
    said = capsys.readouterr().out
    assert "warning: " in said and "gone.md" in said and re.search(r"hit_rate +0\.5000", said)


def test_ingest_names_what_it_reads_and_what_it_leaves_out_and_why(own, capsys):
    new = own / "new"
    new.mkdir()
    (new / "page one.txt").write_text("A page.")
    (new / "restart.md").write_text("Another way to restart.")
    for name in ("a.png", "b.png", "c.png"):
        (new / name).write_bytes(b"\x89PNG\0")
    (new / "empty.txt").write_text("")
    assert obey("ingest --corpus corpus new") == 0
    said = capsys.readouterr().out
    assert "new: 1 added, 1 replaced, 0 unchanged" in said
    assert "added: page%20one.txt" in said and "replaced: restart.md" in said
    assert "left out: 4" in said and "a.png; b.png; c.png: " in said and "empty.txt: " in said
    assert "the corpus holds 9 documents" in said
    assert obey("ingest --corpus corpus docs/mount.md docs/paint.md") == 0
    assert "docs/mount.md: 0 added, 0 replaced, 1 unchanged" in capsys.readouterr().out


def test_the_same_build_is_the_same_snapshot_and_the_latest_stays_the_default(own, capsys):
    assert obey("snapshot --corpus corpus --backend csr-bm25 --parameter k1=0.9") == 0
    said = capsys.readouterr().out
    strong = json.loads((own / "strong.json").read_text())["snapshot_id"]
    assert said.startswith("already there:") and strong in said
    assert f"say --snapshot {strong}" in said  # the full-text one was built after it
    assert obey("snapshot --corpus corpus --backend csr-bm25 --parameter k1=1.2 --chunker paragraphs") == 0
    said = capsys.readouterr().out
    assert (
        said.startswith("built:")
        and "k1=1.2" in said
        and "chunker paragraphs" in said
        and "--snapshot" not in said
    )


def test_a_query_shows_the_evidence_and_what_the_budget_cut(own, capsys):
    assert obey("query --corpus corpus --max-total-items 2 --offset 1 'how to paint the small one'") == 0
    said = capsys.readouterr().out
    assert len(re.findall(r"^  [12]  [\d.e-]+  \w+\.md$", said, re.M)) == 2
    assert "8 candidates: 2 let through, 6 cut, 1 by offset, 5 by max_total_items" in said


def test_a_query_that_finds_nothing_is_no_error(own, capsys):
    for text in ("zebra", "", "AND NOT (", "\ud800", "\x00"):
        assert obey(["query", "--corpus", "corpus", text]) == 0
        assert "finds nothing for" in capsys.readouterr().out


def test_a_strict_query_means_what_sqlite_means(own, capsys):
    assert obey("query --corpus corpus --strict 'small NOT paint'") == 0
    said = capsys.readouterr().out
    assert "7 candidates" in said and "paint.md" not in said
    assert obey("query --corpus corpus 'small NOT paint'") == 0
    assert "8 candidates" in capsys.readouterr().out


def test_text_of_a_document_cannot_steer_the_terminal(own, capsys):
    (own / "evil.txt").write_text("evil \x1b[2J\x07 twin\r\nof a page")
    assert obey("ingest --corpus corpus evil.txt") == 0
    assert obey("snapshot --corpus corpus") == 0
    assert obey("query --corpus corpus evil") == 0
    said = capsys.readouterr().out
    assert "twin of a page" in said and not set("\x1b\x07\r") & set(said)


def test_a_report_becomes_a_page_or_markdown_beside_it(own, capsys):
    assert obey("report weak.json") == 0
    assert capsys.readouterr().out == "wrote weak.html\n"
    assert "q-restart" in (own / "weak.html").read_text() and (own / "weak.html").read_text().startswith("<!")
    assert obey("report weak.json --out pages/weak.md") == 0
    assert (own / "pages" / "weak.md").read_text().startswith("# ")


def test_a_report_never_replaces_a_corpus(own, capsys):
    before = (own / "corpus" / "corpus.json").read_bytes()
    given = ["evaluate", "--corpus", "corpus", "--dataset", "actions.json", "--out", "corpus/corpus.json"]
    refused(capsys, given, "--out corpus/corpus.json is what makes its folder a corpus")
    assert (own / "corpus" / "corpus.json").read_bytes() == before


def test_the_name_of_a_file_cannot_steer_the_terminal(own, capsys):
    name = "ev\x1b[31mil\n.json"
    shutil.copy(own / "weak.json", own / name)
    assert obey(["report", name]) == 0
    assert obey(["gate", name, "strong.json", "--limit", "nDCG@10:0.02"]) == 0
    said = capsys.readouterr().out
    assert "wrote ev?[31mil?.html\n" in said and "\x1b" not in said


# Comparing, and the gate


def test_a_comparison_without_a_limit_is_a_table_and_no_verdict(own, capsys):
    assert obey("compare strong.json weak.json fts.json") == 0
    said = capsys.readouterr().out
    assert [line.split()[:2] for line in said.splitlines()[1:4]] == [
        ["strong", "1.000"],
        ["weak", "0.000"],
        ["fts", "1.000"],
    ]
    assert "Conventions: not known" not in said and "Conventions: " in said and "gate" not in said


def test_the_gate_is_red_where_a_drop_is_beyond_its_limit_and_names_the_queries_that_broke(own, capsys):
    assert obey("gate strong.json weak.json --limit nDCG@10:0.02") == 1
    said = capsys.readouterr()
    assert "RED, worse" in said.out and all(f"q-{action}" in said.out for action in ACTIONS)
    assert said.err == ""


@pytest.mark.parametrize(
    "line",
    [
        "gate weak.json strong.json --limit nDCG@10:0.02 --limit hit_rate:0",
        "gate strong.json weak.json --limit nDCG@10:1",  # nothing can drop further
        "gate strong.json fts.json --limit nDCG@10:0 --fail-if-unsure",
    ],
)
def test_the_gate_is_green_where_a_mean_rises_drops_within_its_limit_or_stays(own, capsys, line):
    assert obey(line) == 0
    said = capsys.readouterr().out
    better = "GREEN, better: " in said and "better, by 1.000 to 1.000" in said
    assert (
        better
        if line.startswith("gate weak.json")
        else "GREEN, not worse" in said or "GREEN, the same answers" in said
    )


def test_where_the_queries_cannot_tell_nothing_is_called_green_and_the_exit_code_can_be_asked_for(
    own, capsys
):
    one_of_eight_is_lost(own)
    line = "gate fts.json changed.json --other-corpus --limit nDCG@10:0.02"
    assert obey(line) == 0  # most changes to a search leave few queries unsure: none of them is held up
    said = capsys.readouterr().out
    assert "YELLOW, cannot tell" in said and "GREEN" not in said and "1 of 8 queries changed" in said
    assert obey(f"{line} --fail-if-unsure") == 3
    assert obey(f"{line} --fail-if-unsure --limit hit_rate:0.9") == 3  # one of two limits is enough


def test_worse_outweighs_unsure_in_the_exit_code(own):
    one_of_eight_is_lost(own)
    files = "fts.json changed.json weak.json"
    assert obey(f"gate {files} --other-corpus --limit nDCG@10:0.02 --fail-if-unsure") == 1


def test_one_failing_candidate_of_several_fails_the_command(own):
    assert obey("gate strong.json fts.json weak.json --limit nDCG@10:0.02") == 1
    assert obey("gate strong.json fts.json --limit nDCG@10:0.02") == 0


def test_reports_of_one_name_are_told_apart_by_their_paths(own, capsys):
    (own / "new").mkdir()
    shutil.copy(own / "weak.json", own / "new" / "strong.json")
    assert obey("compare strong.json new/strong.json") == 0
    said = capsys.readouterr().out
    assert "1: strong.json" in said and "2: new/strong.json" in said


def test_reports_that_cannot_be_compared_are_refused_with_all_that_differs(own, capsys):
    a_dataset(
        own / "other.json",
        *((f"x-{action}", f"{action}ing", f"{action}.md") for action in ACTIONS),
        name="other",
    )
    line = [
        "evaluate",
        "--corpus",
        "corpus",
        "--dataset",
        "other.json",
        "--max-total-items",
        "3",
        "--out",
        "other-report.json",
    ]
    assert obey(line) == 0
    lines = refused(capsys, "compare strong.json other-report.json", "other-report", "dataset: ", "budget: ")
    assert len(lines) > 2


def one_of_eight_is_lost(own):
    (own / "docs" / "paint.md").write_text("# Nothing\n\nof the kind")
    assert obey("ingest --corpus corpus docs") == 0
    assert obey("snapshot --corpus corpus") == 0
    assert obey("evaluate --corpus corpus --dataset actions.json --out changed.json") == 0


def test_a_changed_corpus_is_compared_only_when_asked(own, capsys):
    one_of_eight_is_lost(own)
    refused(capsys, "compare fts.json changed.json", "corpus: ")
    assert obey("gate fts.json changed.json --other-corpus --limit nDCG@10:0.02") == 0
    assert "the corpora differ" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("compare strong.json", "one report is given"),
        ("compare strong.json gone.json", "gone.json is not there"),
        ("compare strong.json corpus", "'corpus' is no report (.json)"),
        ("compare strong.json actions.json", "actions.json: a dataset file, which `evaluate` takes"),
        ("compare strong.json weak.json --metric nDCG@7", "nDCG@7"),
        ("compare strong.json weak.json --fail-if-worse nDCG@10:0.02", "`gate` gives the verdict"),
        ("gate strong.json --limit MRR:0", "one report is given"),
        ("gate strong.json weak.json", "--limit"),
        ("gate strong.json weak.json --fail-if-worse MRR:0 --limit MRR:0", "it is called --limit"),
        ("gate strong.json weak.json --limit nDCG@10", "needed METRIC:DROP"),
        ("gate strong.json weak.json --limit nDCG@10:-0.1", "from 0 up"),
        ("gate strong.json weak.json --limit nDCG@10:nan", "from 0 up"),
        ("gate strong.json weak.json --limit speed:0.1", "speed"),
        ("gate strong.json weak.json --limit MRR:0 --limit MRR:1", "twice"),
        ("gate strong.json weak.json --limit MRR:0 --junit gate.json", "--junit gate.json must name"),
    ],
)
def test_comparisons_that_make_no_sense_are_refused(own, capsys, line, words):
    refused(capsys, line, words)


def test_a_gate_leaves_a_page_for_people_and_one_for_the_job(own):
    line = "gate strong.json weak.json fts.json --limit nDCG@10:0.02 --limit MRR:1"
    assert obey(f"{line} --markdown ci/gate.md --junit ci/gate.xml") == 1
    page = (own / "ci" / "gate.md").read_text()
    assert "## Retrieval gate: RED, worse" in page and "## Retrieval gate: GREEN" in page
    assert "| nDCG@10" in page and "q-restart" in page and "not retrieved" in page
    weak, fts = ElementTree.parse(own / "ci" / "gate.xml").getroot()
    assert weak.get("name") == "retrieval gate: weak"
    assert [weak.get(name) for name in ("tests", "failures", "skipped")] == ["2", "1", "0"]
    assert [fts.get(name) for name in ("tests", "failures", "skipped")] == ["2", "0", "0"]
    (failure,) = weak.iter("failure")
    assert failure.get("message").startswith("RED, worse by more than the limit: drop +1.000")
    assert "q-restart" in weak.find("system-out").text


def test_where_the_queries_cannot_tell_the_case_is_skipped_or_a_failure_as_asked(own):
    one_of_eight_is_lost(own)
    line = "gate fts.json changed.json --other-corpus --limit nDCG@10:0.02 --junit gate.xml"
    for more, code, tag in (("", 0, "skipped"), (" --fail-if-unsure", 3, "failure")):
        assert obey(line + more) == code
        (found,) = ElementTree.parse(own / "gate.xml").getroot().iter(tag)
        assert found.get("message").startswith("YELLOW, cannot tell")


# Answers for programs


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("init fresh", {"corpus": "fresh", "name": "fresh"}),
        ("ingest --corpus corpus docs", {"documents": 8}),
        ("snapshot --corpus corpus --backend csr-bm25", {"backend": "csr-bm25", "new": False}),
        ("query --corpus corpus painting", {"candidates": 1, "query": "painting"}),
        ("query --corpus corpus nothing", {"candidates": 0, "items": []}),
        ("evaluate --corpus corpus --dataset actions.json", {"backend_id": "sqlite-full-text-search"}),
        ("report weak.json", {"wrote": "weak.html"}),
        ("compare strong.json weak.json", {"baseline": "strong", "metric": "nDCG@10"}),
        ("gate strong.json weak.json --limit MRR:0.1", {"exit_code": 1}),
        ("new my-eval --docs docs", {"folder": "my-eval", "documents": 8}),
        ("lab --corpus lab", {"corpus": "lab"}),
        ("labels my-eval", {"queries": 0}),
    ],
)
def test_every_answer_can_be_had_as_json(own, capsys, line, found):
    if line.startswith("labels"):
        assert obey("new my-eval --docs docs") == 0
    capsys.readouterr()
    code = obey(f"{line} --json")
    answer = json.loads(capsys.readouterr().out)
    assert answer | found == answer and code == answer.get("exit_code", 0)


def test_a_list_of_datasets_and_the_check_of_a_file_are_lists_for_programs(own, capsys):
    (own / "bad.json").write_text("{")
    assert obey("datasets --json") == 0
    assert len(json.loads(capsys.readouterr().out)) == 19
    assert obey("datasets actions.json bad.json --json") == 2
    good, bad = json.loads(capsys.readouterr().out)
    assert (good["gold"], good["problems"]) == (8, []) and "not valid JSON" in bad["problems"][0]


def test_every_verb_that_answers_takes_json(capsys):
    for verb, one in VERBS.items():
        assert ("--json" in SUBPARSERS[PROGRAM_OF[verb]][verb]._option_string_actions) == one.answers
    assert {verb for verb, one in VERBS.items() if not one.answers} == {"run", "solved", "work", "instructor"}


def test_a_script_gets_the_id_of_a_snapshot_alone(own, capsys):
    strong = json.loads((own / "strong.json").read_text())["snapshot_id"]
    assert obey("snapshot --corpus corpus --backend csr-bm25 --quiet") == 0
    assert capsys.readouterr().out == f"{strong}\n"


def test_a_query_says_which_of_several_snapshots_it_searches(own, capsys):
    """A snapshot that was there already stays an old one, and the latest answers."""
    reports = {name: json.loads((own / f"{name}.json").read_text()) for name in ("strong", "fts")}
    strong, latest = (report["snapshot_id"] for report in reports.values())
    assert obey("snapshot --corpus corpus --backend csr-bm25 --quiet") == 0
    assert obey("query --corpus corpus permits") == 0
    assert f"snapshot {latest}, sqlite-full-text-search, was searched" in capsys.readouterr().out
    assert obey(f"query --corpus corpus --snapshot {strong} permits") == 0
    assert "was searched" not in capsys.readouterr().out


# Datasets, the lab, a project


def test_dataset_files_are_checked_each_and_a_bad_one_does_not_hide_a_good_one(own, capsys):
    (own / "bad.json").write_text("{")
    assert obey("datasets bad.json actions.json") == 2
    said = capsys.readouterr()
    assert said.out.startswith("actions.json: actions, 8 gold") and "bad.json" in said.err
    assert obey("datasets missing.json actions.json") == 2
    said = capsys.readouterr()
    assert said.out.startswith("actions.json: actions, 8 gold") and "missing.json is not there" in said.err


def test_labels_are_exported_with_a_row_for_each_relevant_document(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert (
        obey(
            [
                "datasets",
                "--from-labels",
                str(files.QUERIES),
                "--docs",
                str(files.RUNBOOKS),
                "--out",
                "wiki.json",
            ]
        )
        == 0
    )
    said = capsys.readouterr().out
    rows = [json.loads(line)["relevant_doc_ids"] for line in files.QUERIES.read_text().splitlines()]
    assert f"30 labelled queries as {sum(map(len, rows))} rows" in said
    assert obey("datasets wiki.json") == 0


def test_labels_of_a_corpus_that_was_ingested_are_exported_too(own):
    quote = "First paint the small one."
    judgment = {"doc_id": "paint.md", "grade": 2, "quote": quote}
    row = {
        "query_id": "q1",
        "query": "painting",
        "relevant_doc_ids": ["paint.md"],
        "kind": "question",
        "judgments": [judgment],
    }
    (own / "labels.jsonl").write_text(json.dumps(row))
    assert obey("datasets --from-labels labels.jsonl --docs corpus --out made.json") == 0
    assert obey("evaluate --corpus corpus --dataset made.json") == 0


def without_latency(text):
    return [line for line in text.splitlines() if not line.startswith("latency")]


def test_the_lab_twice_says_the_same_but_for_latencies(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    from workbench.reports.models import load_report, without_times

    said, reports = [], []
    for more in ([], [], ["--force"]):
        assert obey(["lab", "--corpus", "lab", *more]) == 0
        said.append(without_latency(capsys.readouterr().out))
        reports.append(
            [without_times(load_report(path)) for path in sorted(Path("lab/reports").glob("*.json"))]
        )
    assert said[0] == said[1] == said[2] and reports[0] == reports[1] == reports[2]
    assert len(reports[0]) == 2 and "160 documents" in said[0][0]
    baseline, candidate = re.search(r"compare (\S+) (\S+)", "\n".join(said[0])).groups()
    assert obey(["compare", baseline, candidate]) == 0


def test_the_lab_removes_nothing_but_a_lab(own, capsys):
    before = sorted(own.rglob("*"))
    for folder in ("corpus", "docs"):
        refused(capsys, ["lab", "--corpus", folder, "--force"], folder, "nothing else")
        refused(capsys, ["lab", "--corpus", folder], folder)
    assert sorted(own.rglob("*")) == before


def test_a_lab_that_was_added_to_is_not_taken_for_the_bundled_one(own, capsys):
    from workbench.commands.lab import NAME

    assert obey(["init", "lab", "--name", NAME]) == 0
    assert obey("ingest --corpus lab docs/paint.md") == 0
    refused(capsys, "lab --corpus lab", "paint.md", "--force")


def test_what_was_edited_in_a_lab_is_not_written_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert obey(["lab", "--corpus", "lab"]) == 0
    dataset, corpus = Path("lab/datasets/runbooks.json"), Path("lab/corpus.jsonl")
    for path in (dataset, corpus):
        before = path.read_text()
        edited = before.replace("pod", "node", 1)
        path.write_text(edited)
        refused(capsys, "lab --corpus lab", "edited", "--force")
        assert path.read_text() == edited != before
        path.write_text(before)
    assert obey(["lab", "--corpus", "lab"]) == 0


def test_a_project_of_own_documents_is_made_and_not_made_over(own, capsys):
    assert obey("new my-eval --docs docs") == 0
    assert "my-eval" in capsys.readouterr().out and (own / "my-eval" / "README.md").exists()
    refused(capsys, "new my-eval --docs docs", "my-eval")


# Help


@pytest.mark.parametrize("verb", PROGRAM_OF)
def test_every_verb_says_what_it_does_with_an_example_that_is_a_command(verb, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("evals/corpus", "my_docs", "build", "notebooks"):
        Path(name).mkdir(parents=True)
    for name in (
        "build/wiki.json",
        "build/report.json",
        "evals/retrieval_queries.jsonl",
        "baseline.json",
        "my_queries.jsonl",
        "candidate.json",
        "searches.log",
    ):
        Path(name).write_text("")
    assert obey([verb, "--help"]) == 0
    said = capsys.readouterr().out
    assert f"\n  {PROGRAMS[PROGRAM_OF[verb]].name} {VERBS[verb].example}\n" in said
    parser = SUBPARSERS[PROGRAM_OF[verb]][verb]
    assert len(parser.description) > 40
    assert all(action.help for action in parser._actions)
    words = VERBS[verb].example.replace("'checkout-api pods OOM killed'", "text").split()
    assert PARSERS[PROGRAM_OF[verb]].parse_args(words).verb == verb


def test_help_comes_fast_since_nothing_heavy_is_imported_for_it():
    code = """
import sys, course.__main__, workbench.__main__
from workbench.commands.program import PROGRAM
PROGRAM.parser(), course.__main__.PROGRAM.parser()
print(*{name.split(".")[0] for name in sys.modules})
"""
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "workbench" in loaded
    assert not {
        "numpy",
        "pandas",
        "scipy",
        "pydantic",
        "nbformat",
        "tqdm",
        "tabulate",
        "sqlite3",
        "yaml",
    } & set(loaded)


def test_choices_written_for_help_are_those_that_there_are():
    from helpers.text import ANALYZERS

    assert set(arguments.ANALYZERS) == set(ANALYZERS)


# Bad input


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("init docs", ["docs", "new or empty"]),
        ("init corpus", ["already a corpus"]),
        ("init actions.json", ["actions.json"]),
        ("init actions.json/inside", ["actions.json"]),
        (["init", ""], ["the path is empty"]),
        ("init new --name ' '", ["name"]),
        ("ingest --corpus nowhere docs", ["nowhere is no corpus", "init"]),
        ("ingest --corpus docs docs", ["docs is no corpus"]),
        ("ingest --corpus corpus gone", ["gone is not there"]),
        ("ingest --corpus corpus docs/paint.md gone", ["gone is not there"]),
        ("ingest --corpus corpus", ["PATH"]),
        ("ingest docs", ["--corpus"]),
        ("snapshot --corpus corpus --backend faiss", ["faiss", "csr-bm25"]),
        ("snapshot --corpus corpus --parameter k1=0.9", ["k1", "tokenizer"]),
        ("snapshot --corpus corpus --parameter k1", ["NAME=VALUE"]),
        ("snapshot --corpus corpus --backend csr-bm25 --parameter k1=x", ["k1 is 'x'"]),
        ("snapshot --corpus corpus --backend csr-bm25 --parameter k1=-1", ["k1"]),
        (
            "snapshot --corpus corpus --parameter tokenizer=porter --parameter tokenizer=x",
            ["several times"],
        ),
        ("snapshot --corpus corpus --parameter tokenizer=nosuch", ["nosuch"]),
        ("snapshot --corpus corpus --chunk-size 100", ["chunk_size"]),
        ("snapshot --corpus corpus --chunk-size 0", ["from 1 to 999"]),
        ("snapshot --corpus corpus --chunker fixed --overlap -1", ["--overlap"]),
        ("snapshot --corpus corpus --analyzer plain", ["analyzer"]),
        ("query --corpus corpus --snapshot nosuch text", ["nosuch"]),
        (["query", "--corpus", "corpus", "--snapshot", "", "text"], ["snapshot"]),
        ("query --corpus corpus --max-total-items 0 text", ["'0'", "from 1 to 999"]),
        ("query --corpus corpus --maximum-total-characters -5 text", ["from 1 to 999"]),
        ("query --corpus corpus --max-items-per-source 1.5 text", ["from 1 to 999"]),
        ("query --corpus corpus --offset -1 text", ["from 0 to 999"]),
        ("query --corpus corpus --strict 'AND \"'", ["'AND \"'"]),
        ("query --corpus corpus --strict nosuch:paint", ["nosuch:paint"]),
        ("evaluate --corpus corpus --dataset gone.json", ["gone.json is not there"]),
        ("evaluate --corpus corpus --dataset docs", ["docs is a folder"]),
        ("evaluate --corpus corpus --dataset strong.json", ["strong.json"]),
        (
            "evaluate --corpus corpus --dataset actions.json --max-total-items 0",
            ["from 1 to 999"],
        ),
        ("evaluate --corpus corpus --dataset actions.json --out docs", ["--out docs"]),
        (
            "evaluate --corpus corpus --dataset actions.json --out report.txt",
            ["ends in .json"],
        ),
        (
            "evaluate --corpus corpus --dataset actions.json --out actions.json",
            ["the file that is read"],
        ),
        (
            "evaluate --corpus corpus --dataset actions.json --out weak.json/x.json",
            ["cannot be written"],
        ),
        ("report gone.json", ["gone.json is not there"]),
        ("report corpus", ["corpus is a folder"]),
        ("report actions.json", ["actions.json: a dataset file, which `evaluate` takes"]),
        ("report weak.json --out page.pdf", ["ends in .html or .md"]),
        ("report weak.json --out docs", ["--out docs"]),
        ("datasets --from-labels actions.json", ["--docs and --out"]),
        ("datasets --out x.json actions.json", ["--docs and --out"]),
        (
            "datasets --from-labels actions.json --docs docs --out x.json",  # docs need no front matter
            ["actions.json is a dataset already"],
        ),
        (
            "datasets --from-labels actions.json --docs corpus --out x.json",
            ["actions.json"],
        ),
        (
            "datasets --from-labels actions.json --docs corpus --out actions.json",
            ["the file that is read"],
        ),
        ("new my-eval --docs gone", ["gone is not there"]),
        ("new my-eval", ["--docs"]),
    ],
)
def test_bad_input_is_one_readable_line_and_code_2(own, capsys, line, words):
    before = {path: path.stat().st_mtime_ns for path in own.rglob("*") if path.is_file()}
    lines = refused(capsys, line, *words)
    assert len(lines) == 1 or lines[0].rstrip(":").endswith((".json", "docs")) or "problem" in lines[0]
    assert {
        path: path.stat().st_mtime_ns for path in own.rglob("*") if path.is_file()
    } == before  # nothing is written


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("evalute", "no verb 'evalute'; did you mean evaluate"),
        ("eval --corpus corpus", "no verb 'eval'; it is called `evaluate`"),
        ("build --corpus corpus", "no verb 'build'; it is called `snapshot`"),
        ("faiss", "no verb 'faiss'; see workbench --help"),
        (
            "query --corpus corpus two texts",
            "'texts' is too much; a text or a path with a blank in it goes in",
        ),
        ("query --corpus corpus -x", "'-x' is no option here; write -- before a text that begins so: -- -x"),
        ("query --copus corpus paint", "did you mean --corpus"),
        ("query --corpus corpus paint --stirct", "no option --stirct; did you mean --strict"),
        ("snapshot --corpus corpus --backend csr-bm52", "no 'csr-bm52'; did you mean csr-bm25"),
        ("query --corpus corpus --max-total-items 1000000000 paint", "from 1 to 999,999,999"),
        ("snapshot --corpus corpus --chunker fixed --chunk-size 9999999999", "from 1 to 999,999,999"),
    ],
)
def test_a_mistake_in_a_command_is_named_with_what_was_meant(own, capsys, line, words):
    code = obey(line)
    said = capsys.readouterr()
    assert code == 2 and len(said.err.splitlines()) == 1 and words in said.err
    verb = line.split()[0]
    assert f"see workbench {verb} --help" in said.err or verb not in VERBS


def test_a_command_without_a_verb_shows_all_verbs_in_their_groups(capsys):
    assert obey([]) == 2
    said = capsys.readouterr().out
    assert said.startswith("usage: workbench ") and "\nmeasuring:\n  evaluate  " in said
    assert all(verb in said for verb in PROGRAMS["workbench"].verbs)


def test_the_version_names_the_package_and_where_it_lies(capsys):
    assert obey(["--version"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("measure-first ") and str(files.ROOT) in said


def test_an_overlap_as_long_as_a_chunk_is_refused(own, capsys):
    sizes = ["--chunker", "fixed", "--chunk-size", "10", "--overlap", "10"]
    assert obey(["snapshot", "--corpus", "corpus", *sizes]) == 2
    assert "overlap 10" in capsys.readouterr().err


def test_a_dataset_with_five_problems_is_told_all_five_a_line_each(own, capsys):
    row = {"query_id": "q1", "query_text": " ", "kind": "silver"}
    other = {"query_id": "q2", "query_text": "x", "expected_item_id": 7, "kind": "gold", "note": "hm"}
    a_dataset(own / "bad.json", row, other, schema_version="2")
    for line in (["evaluate", "--corpus", "corpus", "--dataset", "bad.json"], ["datasets", "bad.json"]):
        lines = refused(
            capsys,
            line,
            "bad.json",
            "schema_version",
            "queries[0].query_text",
            "queries[0].kind",
            "queries[1].note",
        )
        assert len(lines) >= 6 and any("queries[1].expected_item_id" in line for line in lines)


def test_a_dataset_of_another_corpus_is_refused(own, capsys):
    a_dataset(own / "other.json", ("q1", "x", "doc_1"), ("q2", "y", "doc_2"))
    (line,) = refused(capsys, "evaluate --corpus corpus --dataset other.json", "another corpus")
    assert "doc_1" in line or "other" in line


def test_a_snapshot_of_the_corpus_before_it_changed_is_refused_with_both_fingerprints(own, capsys):
    (own / "more.txt").write_text("one more page")
    assert obey("ingest --corpus corpus more.txt") == 0
    (line,) = refused(capsys, "query --corpus corpus page", "build")
    assert len(set(re.findall("sha256:[0-9a-f]{64}", line))) == 2


def test_the_beginning_of_two_ids_is_refused_and_of_one_is_enough(own, capsys):
    ids = [folder.name for folder in (own / "corpus" / "snapshots").iterdir()]
    for number in range(20):  # ids are hashes: sooner or later two begin alike
        obey(["snapshot", "--corpus", "corpus", "--backend", "csr-bm25", "--parameter", f"k1=1.{number:02d}"])
    ids = sorted(folder.name for folder in (own / "corpus" / "snapshots").iterdir())
    first = next(one[0] for one, other in zip(ids, ids[1:], strict=False) if one[0] == other[0])
    (line,) = refused(capsys, ["query", "--corpus", "corpus", "--snapshot", first, "paint"])
    assert all(name in line for name in ids if name.startswith(first))
    assert obey(["query", "--corpus", "corpus", "--snapshot", ids[0][:12], "painting"]) == 0


@pytest.mark.parametrize(
    ("path", "content", "line"),
    [
        ("corpus/corpus.json", "{", "query --corpus corpus x"),
        ("corpus/corpus.json", "[]", "snapshot --corpus corpus"),
        (
            "corpus/corpus.json",
            '{"schema_version": 9, "name": "x"}',
            "ingest --corpus corpus docs",
        ),
        ("corpus/corpus.jsonl", "{}\n", "query --corpus corpus x"),
        ("corpus/corpus.jsonl", b"\xff\n", "evaluate --corpus corpus --dataset actions.json"),
        ("corpus/snapshots/*/manifest.json", "{}", "query --corpus corpus x"),
        ("corpus/snapshots/*/items.jsonl", "{}", "query --corpus corpus x"),
        ("corpus/snapshots/*/index.sqlite", "no database at all", "query --corpus corpus x"),
        ("weak.json", "", "report weak.json"),
        ("weak.json", b"\xff\xfe", "report weak.json"),
        ("weak.json", "[" * 5000, "report weak.json"),
        ("weak.json", '{"schema_version": 2}', "compare strong.json weak.json"),
        ("actions.json", "[" * 100_000, "datasets actions.json"),
        ("actions.json", b"\xff\xfe", "datasets actions.json"),
    ],
)
def test_a_damaged_file_is_named(own, capsys, path, content, line):
    for found in own.glob(path):
        found.write_bytes(content if isinstance(content, bytes) else content.encode())
    lines = refused(capsys, line)
    assert re.search(r"(corpus\.jsonl?|manifest|items|index|weak\.json|actions\.json|snapshot)", lines[0])


def test_a_strict_query_needs_the_backend_that_has_a_syntax(own, capsys):
    strong = json.loads((own / "strong.json").read_text())["snapshot_id"]
    refused(
        capsys, ["query", "--corpus", "corpus", "--snapshot", strong, "--strict", "x"], "csr-bm25", "sqlite"
    )


def test_files_of_which_none_can_be_read_are_bad_input(own, capsys):
    (own / "empty.txt").write_text(" \n")
    refused(capsys, "ingest --corpus corpus empty.txt", "no document was read from empty.txt", "left out: 1")


def test_a_corpus_without_documents_or_snapshots_says_what_to_do(own, capsys):
    assert obey("init fresh") == 0
    refused(capsys, "snapshot --corpus fresh", "ingest")
    assert obey("ingest --corpus fresh docs") == 0
    refused(capsys, "query --corpus fresh x", "build")


def test_one_gold_query_is_too_few_to_compare(own, capsys):
    a_dataset(own / "one.json", ("q1", "painting", "paint.md"))
    for out in ("one-report", "other"):
        assert obey(f"evaluate --corpus corpus --dataset one.json --out {out}.json") == 0
    refused(capsys, "compare one-report.json other.json", "quer")


def test_a_comparison_without_gold_queries_is_refused(own, capsys):
    rows = [
        {"query_id": f"s{a}", "query_text": a, "expected_item_id": f"{a}.md", "kind": "synthetic"}
        for a in ACTIONS
    ]
    a_dataset(own / "drafted.json", *rows)
    for out in ("drafted-report", "other"):
        assert obey(f"evaluate --corpus corpus --dataset drafted.json --out {out}.json") == 0
    refused(capsys, "compare drafted-report.json other.json", "gold")


def test_a_folder_where_nothing_may_be_written_is_found_out_before_the_work(own, capsys, monkeypatch):
    (own / "shut").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "shut")
    monkeypatch.setattr("workbench.reports.evaluate_run", None)  # would fail if it came to that
    line = ["evaluate", "--corpus", "corpus", "--dataset", "actions.json", "--out", "shut/report.json"]
    refused(capsys, line, "cannot be written", "another path")
    refused(capsys, "report weak.json --out shut/page.html", "cannot be written")


@pytest.mark.parametrize(
    "line",
    [
        ["init", "new"],
        ["snapshot", "--corpus", "corpus", "--chunker", "paragraphs"],
        ["lab", "--corpus", "x"],
    ],
)
def test_a_folder_that_may_not_be_made_is_one_line(own, capsys, monkeypatch, line):
    def denied(path, *args, **kwargs):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "mkdir", denied)
    (said,) = refused(capsys, line, "Permission denied")
    assert "Errno" not in said and ".partial" not in said


# The terminal


def _plain():
    """The environment in which another process can be started, without what changes how it prints."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"} | {
        "PYTHONPATH": str(files.ROOT)
    }


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Windows end otherwise")
@pytest.mark.parametrize(
    "line", [["--help"], ["query", "--corpus", "corpus", "paint"], ["datasets", "actions.json"]]
)
def test_a_pipe_that_is_gone_is_no_traceback(made, line):
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench", *line],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=made,
        env=_plain(),
    )
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), said) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here that is always full")
def test_a_full_disk_is_one_line(made):
    with open("/dev/full", "w") as full:
        line = [sys.executable, "-m", "workbench", "datasets", "actions.json"]
        found = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, cwd=made, env=_plain())
    assert (found.returncode, len(found.stderr.splitlines())) == (2, 1)


def test_a_terminal_that_cannot_show_a_letter_gets_its_number(own):
    (own / "ue.txt").write_text("über † alles", encoding="utf-8")
    environment = _plain() | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for line in (
        ["ingest", "--corpus", "corpus", "ue.txt"],
        ["snapshot", "--corpus", "corpus"],
        ["query", "--corpus", "corpus", "uber"],
    ):
        found = subprocess.run(
            [sys.executable, "-m", "workbench", *line], capture_output=True, text=True, env=environment
        )
        assert (found.returncode, found.stderr) == (0, "")
    assert "\\xfcber" in found.stdout


def test_a_warning_is_one_line_without_the_line_of_our_code(capsys):
    import warnings

    def warn(chosen):
        warnings.warn("two of them\nare new", stacklevel=1)
        return command_line.Answer("done", {})

    verb = command_line.Verb("warn", "", "", "warn", lambda parser: None, warn)
    assert command_line.Program("p", "", {"all": [verb]}).obey(["warn"]) == 0
    assert capsys.readouterr() == ("done\n", "warning: two of them are new\n")


def test_a_fault_of_ours_is_no_verdict_and_says_how_to_see_its_traceback(capsys, monkeypatch):
    verb = command_line.Verb("fail", "", "", "fail", lambda parser: None, lambda chosen: {}["x"])
    assert command_line.Program("p", "", {"all": [verb]}).obey(["fail"]) == 2
    said = capsys.readouterr().err
    assert "KeyError: 'x'" in said and "a fault of this program" in said and "Traceback" not in said
    monkeypatch.setenv("WORKBENCH_TRACEBACK", "1")
    command_line.Program("p", "", {"all": [verb]}).obey(["fail"])
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tiktoken", "-m pip install tiktoken"),
        ("yaml", "-m pip install pyyaml"),
        ("helpers.base", "our helpers"),
    ],
)
def test_a_package_that_is_missing_is_bad_input_with_the_command_that_gets_it(capsys, name, words):
    def run(chosen):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    verb = command_line.Verb("run", "", "", "run", lambda parser: None, run)
    assert command_line.Program("p", "", {"all": [verb]}).obey(["run"]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("name", ["helpers", "workbench"])
def test_a_folder_of_ones_own_does_not_stand_in_for_our_package(made, tmp_path, name):
    """`python -m` looks into the folder where it is started first; the console script does not."""
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong one')\n")
    code = "import sys; from workbench.__main__ import main; sys.exit(main())"
    for command in ([sys.executable, "-m", "workbench"], [sys.executable, "-c", code]):
        if command[1] == "-c":  # the path of the console script: its own folder comes first, not this one
            command[2] = "import sys; sys.path.pop(0); " + command[2]
        elif name == "workbench":
            continue  # Python itself takes the folder, before any of our lines is read
        line = [*command, "query", "--corpus", str(made / "corpus"), "painting"]
        found = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, env=_plain())
        assert (found.returncode, found.stderr) == (0, "") and "paint.md" in found.stdout


def test_the_console_script_is_the_program(monkeypatch, capsys):
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 reads no TOML")

    scripts = tomllib.loads((files.ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    module, function = scripts["workbench"].split(":")
    monkeypatch.setattr(sys, "argv", ["workbench", "datasets"])
    code = MAINS["workbench"](["datasets"])
    said = capsys.readouterr()
    assert getattr(__import__(module, fromlist=[function]), function)() == code
    assert capsys.readouterr() == said


@pytest.mark.parametrize("moment", ["import", "run"])
def test_ctrl_c_ends_with_130_whenever_it_comes(moment):
    where = {"import": "workbench.commands.program", "run": "workbench.corpus"}[moment]
    code = f"""
import builtins, sys
from workbench.__main__ import main
original = builtins.__import__
def stopped(name, *rest):
    if name == {where!r}:
        raise KeyboardInterrupt
    return original(name, *rest)
builtins.__import__ = stopped
sys.exit(main(["init", "x"]))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=_plain())
    assert (found.returncode, found.stderr) == (130, "\nstopped\n")


def test_an_error_without_words_is_called_by_its_name(capsys):
    assert command_line.fail("workbench evaluate", ValueError()) == 2
    assert capsys.readouterr().err == "workbench evaluate: ValueError\n"


def test_an_interval_without_ends_is_null_in_json(own, capsys):
    a_dataset(own / "one.json", ("q-paint", "painting", "paint.md"))
    for name, backend in (("a", "csr-bm25"), ("b", "substring-scan")):
        line = f"evaluate --corpus corpus --dataset one.json --out {name}.json --system {backend}"
        assert obey(line) == 0
    capsys.readouterr()
    assert obey("gate a.json b.json --limit MRR:0.02 --json") == 0
    (row,) = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["candidates"]["b"]["rows"]
    assert row["low"] is None and row["high"] is None


def test_a_run_of_no_gold_query_is_refused_and_what_it_leaves_out_is_said(own, capsys):
    rows = ("q-paint", "painting", "paint.md"), ("q-plant", "planting", "plant.md")
    keys = ("query_id", "query_text", "expected_item_id")
    gold, synthetic = (
        dict(zip(keys, row, strict=True)) | {"kind": kind}
        for row, kind in zip(rows, ("gold", "synthetic"), strict=True)
    )
    a_dataset(own / "drafts.json", synthetic)
    a_dataset(own / "both.json", gold, synthetic)
    line = "evaluate --corpus corpus --system csr-bm25 --out r.json --run-out x.run --dataset"
    refused(capsys, f"{line} drafts.json", "drafts.json has no gold query", "leave it out")
    assert not Path("x.run").exists() and not Path("r.json").exists()
    assert obey(f"{line} both.json") == 0
    assert "wrote x.run, without its 1 synthetic query\n" in capsys.readouterr().out


def test_a_lab_with_files_of_the_readers_own_is_not_removed(own, capsys):
    from workbench.commands.lab import NAME

    assert obey(["init", "lab", "--name", NAME]) == 0
    for name in ("lab/mine.txt", "lab/reports/mine.json"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("mine")
        refused(capsys, "lab --corpus lab --force", name.removeprefix("lab/"), "move it elsewhere")
        Path(name).unlink()
    Path("link").symlink_to("lab")
    refused(capsys, "lab --corpus link --force", "link is a link", str(Path("lab").resolve()))


A_THREAD_THAT_RUNS_ON = """
import sys, threading, time
import workbench.__main__ as program

threading.Thread(target=time.sleep, args=(60,), name="metrics", daemon={daemon}).start()
program._WAITS, program.main = 0.2, lambda: print("worse") or 1
sys.exit(program.from_terminal())
"""


@pytest.mark.parametrize(("daemon", "words"), [(True, ""), (False, "left a thread .*(metrics).*a daemon")])
def test_a_thread_that_a_search_leaves_does_not_hold_up_the_answer(daemon, words):
    code = A_THREAD_THAT_RUNS_ON.format(daemon=daemon)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert (ended.returncode, ended.stdout) == (1, "worse\n")
    assert re.search(words, ended.stderr) if words else not ended.stderr


def test_a_comparison_says_what_the_reports_warn_of(own, capsys):
    (own / "half.run").write_text("q-restart Q0 restart.md 1 1 half\n")
    line = "compare fts.json half.run --corpus corpus --dataset actions.json"
    assert obey(line) == 0
    assert "warning, half.run: 7 of 8 queries have no result in half.run" in capsys.readouterr().out
    assert obey(f"{line} --json") == 0
    (warned,) = json.loads(capsys.readouterr().out)["warnings"]
    assert warned == "half.run"


def test_a_gate_that_cannot_answer_leaves_no_earlier_page(own):
    line = "gate strong.json fts.json --markdown gate.md --junit gate.xml --limit"
    assert obey(f"{line} nDCG@10:0.02") == 0 and (own / "gate.md").exists()
    assert obey(f"{line} nosuch:0.02") == 2
    assert not (own / "gate.md").exists() and not (own / "gate.xml").exists()


def test_a_page_of_another_program_is_not_replaced_by_the_gate(own, capsys):
    of_pytest = '<testsuites><testsuite name="pytest" tests="1"/></testsuites>'
    (own / "junit.xml").write_text(of_pytest)
    line = "gate strong.json fts.json --limit nDCG@10:0.02 --junit"
    refused(capsys, f"{line} junit.xml", "junit.xml is there, holds something else")
    assert (own / "junit.xml").read_text() == of_pytest
    assert obey(f"{line} ours.xml") == 0 and obey(f"{line} ours.xml") == 0


def test_systems_whose_names_become_one_file_name_have_reports_of_their_own(own, capsys):
    for name in ("a b.run", "a-b.run"):
        (own / name).write_text("q-restart Q0 restart.md 1 1 half\n")
        for _ in "12":
            assert (
                obey(["evaluate", "--corpus", "corpus", "--dataset", "actions.json", "--system", name]) == 0
            )
    reports = [json.loads(path.read_text()) for path in (own / "corpus" / "reports").glob("*a-b.run*.json")]
    assert sorted(report["backend_id"] for report in reports) == ["a b.run", "a-b.run"]


def test_a_query_id_that_no_run_can_hold_is_refused_before_anything_is_written(own, capsys):
    a_dataset(own / "blank.json", ("query 1", "restarting", "restart.md"))
    line = "evaluate --corpus corpus --dataset blank.json --out r.json --run-out far.run"
    refused(capsys, line, "the query id 'query 1' holds white space", "leave --run-out out")
    assert not (own / "r.json").exists()
