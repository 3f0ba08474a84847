"""Commands without a meaning, at the wrong time or place: code 2 and the cure, and nothing is lost."""

import errno
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from programs import PROGRAMS, main
from small_project import DISTANT, EVALUATE, said_of

import workbench
from helpers.base import files
from workbench import (
    Labelling,
    build_snapshot,
    evaluate_run,
    new_project,
    save_report,
    write_dataset,
)
from workbench.exchange import (
    write_sheet,
)
from workbench.projects import TEMPLATE


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("workbench query --corpus mine/corpus -x", "-x' is no option here; write -- before a text"),
        (
            "workbench query --corpus mine/corpus reset password",
            "a path with a blank in it goes in quotes",
        ),
        ("workbench query --corpus mine/corpus --max-total-items 1000000000 x", "from 1 to 999,999,999"),
        ("workbench snapshot --corpus mine/corpus --chunk-size 9999999999", "from 1 to 999,999,999"),
        ("workbench init i2 --name \udcff\udcfe", "which holds bytes that are no UTF-8; give it in letters"),
        ("course labels nope.jsonl docs", "nope.jsonl is not there"),
        ("course labels q_bad.jsonl docs", "line 1, query: is missing"),
        ("course labels q_bad.jsonl", "its documents are missing; give their folder as well"),
        ("course labels docs docs", "docs is a folder; give a query file, or a project alone"),
        ("course labels empty", "empty is no project"),
        ("course beir --datasets b/ok", "--path on the command line"),
        ("course beir --datasets ../../etc", "--path on the command line"),
        ("course beir --datasets foo", "there is no dataset 'foo'"),
        (
            "workbench compare ok.run csr-bm25",
            "'ok.run' is no report (.json), and corpus is not there; to measure a system give --corpus",
        ),
        ("workbench new o3 --docs empty", "needed files ending in .md"),
        ("workbench ingest --corpus mine/corpus empty", "no document was read from empty"),
        ("workbench snapshot --corpus docs", "docs is no corpus"),
        ("workbench evaluate --corpus mine/corpus --dataset ok.run", "this looks like a TREC run"),
    ],
)
def test_what_a_command_cannot_do_is_named_with_the_cure(here, capsys, line, words):
    program, *rest = shlex.split(line)
    try:
        code = PROGRAMS[program].obey(rest)
    except SystemExit as stopped:  # argparse
        code = stopped.code
    said = capsys.readouterr()
    assert code == 2 and words in said.err, said.err
    assert "Error:" not in said.err and "Traceback" not in said.err and said.out == ""


def test_the_two_files_of_a_project_can_be_checked(here, capsys):
    lab = Labelling("mine")
    lab.judge(lab.add_query("word1"), "d1", 2, "cat")
    assert main(["labels", "mine"]) == 0
    assert capsys.readouterr().out == "mine: 1 query, 1 judgment; no problem found\n"
    Path("mine/judgments.jsonl").write_text("{}\n")
    assert main(["labels", "mine"]) == 2
    assert "judgments.jsonl" in capsys.readouterr().err


FULL = [
    "init new",
    "ingest --corpus mine/corpus docs",
    "snapshot --corpus mine/corpus",
    "snapshot --corpus mine/corpus --backend substring-scan",
    "evaluate --corpus mine/corpus --dataset gold.json --out report.json",
    "report kept.json",
    "new project --docs docs",
    "lab --corpus lab",
    "gate kept.json same.json --limit MRR:0.1 --junit gate.xml",
    "datasets --from-labels labels.jsonl --docs mine/corpus --out made.json",
]


@pytest.mark.parametrize("line", FULL)
def test_a_full_disk_is_named_with_its_file_and_nothing_is_lost(here, made, capsys, monkeypatch, line):
    corpus, _, dataset, budget = made
    save_report("kept.json", evaluate_run(corpus, build_snapshot(corpus, "csr-bm25"), dataset, budget))
    Path("same.json").write_bytes(Path("kept.json").read_bytes())
    write_dataset("gold.json", dataset)
    judgment = {"doc_id": "d1", "grade": 2, "quote": "word1"}
    row = {"query_id": "q1", "query": "w", "relevant_doc_ids": ["d1"], "kind": "question"}
    Path("labels.jsonl").write_text(json.dumps(row | {"judgments": [judgment]}))
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}

    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    for name in ("write_text", "write_bytes", "touch"):
        monkeypatch.setattr(Path, name, full)
    assert main(shlex.split(line)) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert "cannot be written (No space left on device); free some space there, or write elsewhere" in said
    assert said.split(": ")[1].strip() and "Errno" not in said and ".partial" not in said
    monkeypatch.undo()
    after = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    assert after == {here / path: content for path, content in before.items()}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("line", ["snapshot --corpus mine/corpus --chunker recursive", "lab --corpus lab"])
def test_ctrl_c_in_the_middle_leaves_what_was_there_and_ends_with_130(here, line):
    before = sorted(path for path in Path("mine").rglob("*"))
    environment = os.environ | {"PYTHONPATH": str(files.ROOT)}
    # The first import of a library stands for any moment of the work, whatever the speed of the machine.
    code = (
        "import signal, sys, time; from workbench.__main__ import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job in the background ignores it
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'scipy.sparse': print('now', flush=True); time.sleep(30)\n"
        f"sys.meta_path.insert(0, Slow()); sys.exit(main({shlex.split(line)!r}))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout.readline() == "now\n"
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert (process.returncode, said) == (130, "\nstopped\n")
    assert sorted(path for path in Path("mine").rglob("*")) == before and not Path("lab").exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            f"{EVALUATE} csr-bm25 --max-total-items 3 --max-total-items 5",
            "--max-total-items: it is given twice",
        ),
        (
            "evaluate --corpus corpus --dataset datasets/gold.json --allow-unknown",
            "--allow-unknown has no effect",
        ),
        ("gate csr-bm25 csr-bm25 --limit nDCG@10:0.02", "csr-bm25 is given twice"),
        (
            "gate csr-bm25 substring-scan --limit nDCG@10:2",
            "the limit is 2, and no metric can drop by more than 1",
        ),
        ("gate csr-bm25 mime --limit nDCG@10:0.1", "the project's own are mine"),
        (f"gate {300 * 'n'} mine --limit MRR:0.1", "a name may have 255 bytes at most"),
        ("systems --add 'a\nb=csr-bm25'", "holds a line break"),
        (f"{EVALUATE} mine --run-out corpus", "--run-out corpus is a folder; give the name of a file in it"),
        ("systems --add mine=substring-scan", "'mine' is csr-bm25 already"),
        (f"systems --add {300 * 'n'}=csr-bm25", "has 300 characters; needed 80 at most"),
        ("import judgments datasets/gold.qrels --judge-is model", "--judge-is has no effect without --judge"),
        ("import judgments datasets/gold.qrels --sample 3", "--sample has no effect on judgments"),
        ("import judgments datasets/gold.qrels --grades 3=2 3=1", "--grades says twice what 3 becomes"),
        (
            "draft odd_searches:judge_alone --name llm",
            "the judge takes (query); needed a function f(query, text)",
        ),
        ("draft odd_searches:judge_breaks --name llm", "your judge raised KeyError: 'key' (odd_searches.py"),
        ("draft odd_searches.py:search --name llm", "name the module and not the file: odd_searches:search"),
        ("import judgments datasets/gold.qrels --grades 7=1", "no judgment has the grade 7; datasets/gold"),
        ("settle anna q01 d1 2", "there is no judge 'anna'"),
        ("settle anna q01 d1 7", "argument GRADE: there is no '7'"),
        ("measure --json=true", "argument --json: it takes no value; leave out 'true'"),
        ("measure \u2013json", "'\u2013json' begins with a long dash; write --json"),
        ("measure \u2014project=.", "begins with a long dash; write --project"),
        ("measure --project '.\r'", "'.\\r' ends in a carriage return; was a script saved"),
        ("query --corpus corpus/corpus.jsonl x", "is a file; needed the folder of a corpus: give corpus"),
        (f"{EVALUATE} ./odd_searches.py:search", "odd_searches.py is there: write odd_searches:search"),
        (f"{EVALUATE} ../project/odd_searches.py:search", "go to ../project, and write odd_searches:search"),
    ],
)
def test_a_command_without_a_meaning_is_refused_with_the_cure(project, capsys, line, words):
    code, out, err = said_of(capsys, line)
    assert (code, out) == (2, "") and words in err, err


def test_a_project_without_queries_has_no_pool_and_says_what_is_lost(project, capsys):
    Path("queries.jsonl").unlink()
    assert "the project has no query yet" in said_of(capsys, "pool")[2]
    _, _, err = said_of(capsys, "measure")
    assert "2 judgments in judgments.jsonl no longer count (the query is gone: 2)" in err


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("queries.jsonl", b"\xff\xfe{", "line 1: not valid UTF-8; save the file as UTF-8"),
        ("queries.jsonl", b'{"query_id": "q01", "query": 7}', "line 1, query: needed text, found 7"),
        ("queries.jsonl", b"[1]", "line 1, the line: needed a JSON object"),
        ("judgments.jsonl", b'{"query_id": "q01", "doc_id": "d1", "grade": 3}', "needed 2 or less, found 3"),
        ("judgments.jsonl", b'{"query_id": "q 1", "doc_id": "d1"}', "grade: is missing"),
        ("systems.json", b"\xff\xfe{", "systems.json, line 1, column 1: not valid UTF-8"),
        ("systems.json", b'{"a": "csr-bm25", "a": "hybrid"}', "a: the key stands there twice"),
        ("systems.json", b"{", "systems.json, line 1, column 2: not valid JSON"),
        ("corpus/corpus.json", b"{}", "corpus.json: schema_version is None"),
    ],
)
def test_a_part_of_a_project_that_was_spoilt_by_hand_is_named(project, capsys, name, content, words):
    Path(name).write_bytes(content)
    code, out, err = said_of(capsys, "measure")
    assert (code, out) == (2, "") and words in err, err


def test_a_budget_that_lets_nothing_through_is_warned_of(project, capsys):
    code, out, _ = said_of(capsys, f"{EVALUATE} mine --offset 5000")
    assert code == 0 and "warning: the budget lets nothing through, so every metric is 0" in out


def test_a_system_of_the_project_that_is_gone_is_named(project, capsys):
    Path("systems.json").write_text('{"mine": "gone.run", "bm": "csr-bm25"}')
    assert "system 'mine': gone.run is not there" in said_of(capsys, "measure")[2]
    assert said_of(capsys, "systems --remove mine")[0] == 0


def test_a_folder_where_a_file_is_needed_is_named(project, capsys):
    Path("queries.jsonl").unlink()
    Path("queries.jsonl").mkdir()
    assert "a folder stands where a file is needed" in said_of(capsys, "measure")[2]


def test_two_systems_whose_names_are_alike_write_two_reports(project, capsys):
    Path("systems.json").write_text('{"a/b": "csr-bm25", "a b": "substring-scan"}')
    assert said_of(capsys, "measure")[0] == 0
    assert sorted(path.name for path in Path("reports").glob("*.json")) == [
        "gold-a-b-2.json",
        "gold-a-b.json",
    ]


def test_a_file_where_a_folder_is_needed_is_named(project, capsys):
    shutil.rmtree("reports", ignore_errors=True)
    Path("reports").write_text("")
    code, _, err = said_of(capsys, "measure")
    assert code == 2 and "reports: a file stands where a folder is needed, rename it" in err
    assert err.count("a file stands") == 1


def test_a_name_of_the_project_is_a_system_everywhere_and_is_shown(project, capsys):
    Path("systems.json").write_text('{"mine": "odd_searches:search", "bm": "csr-bm25"}')
    code, out, _ = said_of(capsys, "gate bm mine --limit nDCG@10:0.02")
    assert code in (0, 1) and "mine (odd_searches:search " in out and "against bm (csr-bm25 " in out
    assert "against mine (odd_searches:search" in said_of(capsys, "measure")[1]


def test_no_output_takes_the_place_of_what_is_read_or_of_another_file(project, capsys):
    Path("a.run").write_text("q01 Q0 d1 1 1.0 me\nq02 Q0 d2 1 1.0 me\n")
    line = "evaluate --corpus corpus --dataset datasets/gold.json --system a.run --run-out a.run"
    code, _, err = said_of(capsys, line)
    assert code == 2 and "a.run is the file that is read" in err
    Path("s.csv").write_text("name,address\n")
    with pytest.raises(ValueError, match="s.csv is no sheet of a pool and would be lost"):
        write_sheet("s.csv", [("q1", "keys?", "a.md", "Doors", "x")])


@pytest.mark.parametrize(
    "line",
    [
        f"{EVALUATE} loop",
        "systems --add x=loop",
        "compare loop csr-bm25",
        "new loop --docs corpus",
        "new loop/inside --docs corpus/corpus.jsonl",
        "init loop",
        "query --corpus loop x",
        "measure --project loop",
    ],
)
def test_a_link_in_a_circle_is_named_in_every_place(project, capsys, line):
    os.symlink("loop", "loop")
    code, out, err = said_of(capsys, line)
    assert (code, out) == (2, "") and "is a link that leads nowhere, or in a circle; mend it" in err, err


def test_a_pipe_a_device_and_a_link_in_a_circle_are_no_files(project, capsys):
    os.mkfifo("pipe")
    os.symlink("loop", "loop")
    for line, words in {
        "import queries pipe": "pipe is a pipe or a device and no file",
        "import queries /dev/zero": "save what it gives in a file",
        "import queries loop": "a link that leads nowhere, or in a circle",
        "import queries -": "what comes in by a pipe goes into a file first",
        f"{EVALUATE} /dev/zero": "/dev/zero is a pipe or a device and no file",
        f"{EVALUATE} no/such.run": f"no/such.run is not there ({Path('no/such.run').resolve()})",
    }.items():
        code, out, err = said_of(capsys, line)
        assert (code, out) == (2, "") and words in err, err
    Path("judgments.jsonl").unlink()
    os.symlink("/dev/zero", "judgments.jsonl")
    assert "judgments.jsonl is a pipe or a device" in said_of(capsys, "measure")[2]


@pytest.mark.parametrize(
    ("line", "name", "content"),
    [
        ("evaluate --corpus corpus --dataset datasets/gold.json --system csr-bm25 --out", "systems.json", ""),
        (
            "evaluate --corpus corpus --dataset datasets/gold.json --system csr-bm25 --out r.json --run-out",
            "judgments.jsonl",
            "",
        ),
        ("report report.json --out", "README.md", "# My project\n"),
    ],
)
def test_no_output_takes_the_place_of_a_file_of_another_kind(project, capsys, line, name, content):
    if content:
        Path(name).write_text(content)
        Path("report.json").write_text("{}")
    before = Path(name).read_text()
    code, _, err = said_of(capsys, f"{line} {name}")
    assert code == 2 and f"{name} is there, holds something else than this command writes" in err, err
    assert Path(name).read_text() == before


@pytest.mark.parametrize("names", [["x", "x "], ["a\x1b[31m"]])
def test_names_of_systems_that_look_alike_are_refused(project, capsys, names):
    Path("systems.json").write_text(json.dumps(dict.fromkeys(names, "csr-bm25")))
    code, _, err = said_of(capsys, "measure")
    assert code == 2 and "begins or ends with a blank, or cannot be shown" in err


def test_a_fault_of_our_own_is_said_in_words_with_the_way_to_its_traceback(project, capsys, monkeypatch):
    def broken(folder):
        raise KeyError("a thing")

    monkeypatch.setattr("workbench.labelling.labelling.read_questions", broken)
    code, _, err = said_of(capsys, "measure")
    assert code == 2 and "KeyError: 'a thing' (test_bad_commands.py, line" in err
    assert "in: workbench measure" in err and "WORKBENCH_TRACEBACK=1" in err


def test_a_run_is_not_written_over_a_system_of_the_project(project, capsys):
    Path("theirs.run").write_text(DISTANT)
    Path("systems.json").write_text('{"mine": "csr-bm25", "theirs": "theirs.run"}')
    code, _, err = said_of(capsys, f"{EVALUATE} csr-bm25 --run-out theirs.run")
    assert code == 2 and "--run-out theirs.run is the system 'theirs' of systems.json" in err
    assert Path("theirs.run").read_text() == DISTANT


def test_a_name_that_a_shell_would_obey_is_quoted_in_commands(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/a.md").write_text("# Soup\nIt is served hot at noon.")
    made = new_project(tmp_path / 'my "$(x)" p', tmp_path / "docs")
    assert """--name 'my "$(x)" p'`""" in (made.folder / "manual.md").read_text()
    assert "next: workbench ingest --corpus '$(x)' PATH" in said_of(capsys, "init '$(x)'")[1]


def test_a_folder_of_ones_own_that_hides_the_package_is_named(tmp_path):
    shutil.copy(TEMPLATE / "gate.sh", tmp_path)
    for name in ("datasets/gold.json", "baseline.json", "workbench/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("" if name.endswith(".py") else "{}")
    env = os.environ | {
        "WORKBENCH": "false"
    }  # as `python -m` ends where it finds a package without a program
    done = subprocess.run(["bash", tmp_path / "gate.sh"], env=env, capture_output=True, text=True)
    assert done.returncode == 2 and "hides the package from `python -m`" in done.stderr


def test_an_option_before_the_verb_is_told_its_place(project, capsys):
    code, _, err = said_of(capsys, "--corpus corpus query topic")
    assert code == 2 and "the verb comes first: workbench query ... --corpus ..." in err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("new p --docs docs/a.md docs/b.md docs/c.md", "--docs takes one file or folder: give the folder"),
        ("new p --docs=docs/a.md docs/b.md docs/c.md", "--docs takes one file or folder: give the folder"),
        ("import queries docs/a.md docs/b.md", "'docs/b.md' is too much; this takes one path: give"),
        ("new p --docs docs/a.md and b.md", "'and b.md' is too much; a text or a path with"),
        ("pool docs", "'docs' is too much; a project's folder goes after --project: --project docs"),
        ("measure .", "'.' is too much; a project's folder goes after --project: --project ."),
    ],
)
def test_many_paths_that_a_shell_made_of_one_are_told_from_words_without_quotes(project, capsys, line, words):
    Path("docs").mkdir()
    for name in "abc":
        Path(f"docs/{name}.md").write_text("A page.")
    code, _, err = said_of(capsys, line)
    assert code == 2 and words in err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("export --format trec --out out", "no option --out; it takes FOLDER, --format, --project, --json"),
        ("export out --fromat trec", "--fromat' is no option here; did you mean --format"),
        ("evaluate -k 10", "-k' is no option here; it takes --corpus, --snapshot, --system"),
    ],
)
def test_an_option_that_is_like_no_other_is_told_all_that_a_verb_takes(project, capsys, line, words):
    code, _, err = said_of(capsys, line)
    assert code == 2 and words in err


def test_json_is_json_on_an_output_of_another_encoding(project):
    asked = ["query", "--json", "--corpus", "corpus", "Größe word1"]
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    call = [sys.executable, "-m", "workbench"]
    subprocess.run([*call, "snapshot", "--corpus", "corpus", "-q"], env=env, check=True, capture_output=True)
    done = subprocess.run([*call, *asked], env=env, check=True, capture_output=True)
    assert json.loads(done.stdout)["query"] == "Größe word1"


def test_a_folder_that_was_deleted_is_named_however_the_program_is_started(tmp_path):
    (gone := tmp_path / "gone").mkdir()
    line = f"cd {gone} && rmdir {gone} && {sys.executable} -m workbench measure"
    env = os.environ | {"PYTHONPATH": str(Path(workbench.__file__).parents[1])}
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=env)
    assert done.returncode == 2 and "the folder in which you are is gone" in done.stderr


def test_a_shortened_option_is_refused_with_the_whole_one(project, capsys):
    for name in ("a.json", "b.json"):
        Path(name).write_text("{}")
    code, _, err = said_of(capsys, "gate a.json b.json --fail-if")
    assert code == 2 and "--fail-if-unsure" in err


def test_the_systems_of_a_project_are_known_within_its_corpus(project, capsys, monkeypatch):
    assert said_of(capsys, "systems --add mine=csr-bm25")[0] == 0
    monkeypatch.chdir("corpus")
    where = "--corpus . --dataset ../datasets/gold.json --out ../x.json"
    code, _, err = said_of(capsys, f"evaluate {where} --system other")
    assert code == 2 and "the project's own are mine" in err


def test_one_search_under_two_names_is_asked_about(project, capsys):
    assert said_of(capsys, "systems --add mine=csr-bm25")[0] == 0
    code, out, _ = said_of(capsys, "compare csr-bm25 mine")
    assert code == 0 and "mine gave the same answers to every query as the baseline" in " ".join(out.split())


def test_an_expression_that_is_none_is_told_without_an_id_that_nobody_gave(project, capsys):
    assert said_of(capsys, "snapshot --corpus corpus --backend sqlite-full-text-search")[0] == 0
    code, _, err = said_of(capsys, "query --corpus corpus --strict 'gate AND'")
    assert code == 2 and "'gate AND' is no FTS5 expression" in err and "'query'" not in err


def test_a_query_of_stop_words_alone_is_told_that_no_term_is_left(project, capsys):
    assert said_of(capsys, "snapshot --corpus corpus --backend csr-bm25")[0] == 0
    code, out, _ = said_of(capsys, "query --corpus corpus 'of a and the'")
    assert code == 0 and "lucene_english, leaves no term of it, as of stop words alone" in out
    assert "leaves no term" not in said_of(capsys, "query --corpus corpus unheard")[1]
    assert "it is empty" in said_of(capsys, "query --corpus corpus ''")[1]


def test_a_metric_deeper_than_a_report_was_measured_names_the_budget(project, capsys):
    code, _, err = said_of(capsys, "compare csr-bm25 rank-bm25 --metric Recall@100")
    assert code == 2 and "how deep a metric counts is the budget: evaluate --max-total-items" in err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ingest --corpus corpus 'docs/*.md'", "patterns are not read; name a folder or a file"),
        ("snapshot --corpus corpus --parameter k1=0.9", "did you mean --backend csr-bm25"),
        ("snapshot --corpus corpus --backend csr-bm25 --parameter k1=0,9", "with a point, e.g. 0.9"),
    ],
)
def test_a_slip_on_the_command_line_is_told_its_cure(project, capsys, line, words):
    code, _, err = said_of(capsys, line)
    assert code == 2 and words in err, err


def test_a_blank_behind_the_name_of_a_judge_makes_no_new_one(project, capsys):
    Labelling(".").second("anna")
    code, _, err = said_of(capsys, "pool --judge 'anna '")
    assert code == 2 and "without the blank at its end" in err and "new judge" not in err
