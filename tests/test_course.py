"""`python -m course run`: what it executes, what it leaves alone, and what it says when a cell fails."""

import json
import os
import signal
import subprocess
import sys
import time

import nbformat
import pytest

from course import runner
from course.__main__ import main
from helpers import datasets
from helpers.base import files
from helpers.evaluation import results
from helpers.text import tokens


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of its own with no notebook yet; `add(name, *cells)` writes one."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "evals").mkdir()
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setattr(files, "BUILD", tmp_path / "build")
    monkeypatch.setattr(files, "STORED_RESULTS", tmp_path / "evals" / "results")
    for name in ("MEASURE_FIRST_RESULTS", "MEASURE_FIRST_OFFLINE"):
        monkeypatch.setenv(name, os.environ.get(name, ""))  # so that what a run sets is undone

    def add(name, *cells):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title\n## 1 Part")])
        notebook.cells += [nbformat.v4.new_code_cell(cell) for cell in cells]
        nbformat.write(notebook, tmp_path / "notebooks" / name)
        return tmp_path / "notebooks" / name

    add("01_good.ipynb", "answer = 6 * 7", "answer")
    return type("Project", (), {"root": tmp_path, "add": staticmethod(add)})


def test_notebooks_are_executed_into_the_build_folder_and_stay_untouched(project, capsys):
    tracked = project.root / "notebooks" / "01_good.ipynb"
    before = tracked.read_bytes()
    assert main(["run"]) == 0
    assert tracked.read_bytes() == before
    built = nbformat.read(project.root / "build" / "notebooks" / "01_good.ipynb", 4)
    assert built.cells[-1].outputs[0].data["text/plain"] == "42"
    assert "01_good: 2 code cells" in capsys.readouterr().out


def test_inplace_refreshes_the_stored_outputs(project):
    assert main(["run", "--inplace"]) == 0
    stored = nbformat.read(project.root / "notebooks" / "01_good.ipynb", 4)
    assert [cell.execution_count for cell in stored.cells if cell.cell_type == "code"] == [1, 2]
    assert "version" not in stored.metadata.get("language_info", {})


def test_a_failing_cell_stops_the_run_and_is_reported(project, capsys):
    project.add("02_bad.ipynb", "x = 1", "# a comment\nraise ValueError('no such document')", "x")
    project.add("03_later.ipynb", "open('ran', 'w')")
    before = (project.root / "notebooks" / "02_bad.ipynb").read_bytes()
    assert main(["run", "--inplace"]) == 1
    said = capsys.readouterr().err
    assert "FAILED 02_bad.ipynb, code cell 2 of 3, under '1 Part'" in said
    assert "| raise ValueError('no such document')" in said
    assert "ValueError: no such document" in said
    assert "\x1b" not in said
    assert (project.root / "notebooks" / "02_bad.ipynb").read_bytes() == before
    assert (project.root / "build" / "notebooks" / "02_bad.ipynb").exists()
    assert not (project.root / "notebooks" / "ran").exists()


EXERCISES = (
    "from math import log2\nfrom course.exercises import TODO, lesson_03 as ex",
    "def reciprocal_rank(ranking, grades):\n"
    "    return next((1 / r for r, d in enumerate(ranking, 1) if grades.get(d, 0) > 0), 0)\n"
    "ex.RECIPROCAL_RANK.check(reciprocal_rank)\nreciprocal_rank = ex.RECIPROCAL_RANK.use(reciprocal_rank)",
    "def dcg_at_k(ranking grades)\nex.DCG.check(dcg_at_k)\ndcg_at_k = ex.DCG.use(dcg_at_k)",
    "def recall_at_k(ranking, grades, k):\n    return 1\nassert recall_at_k([], {}, 1) == 0\n"
    "ex.RECALL.check(recall_at_k)\nrecall_at_k = ex.RECALL.use(recall_at_k)",
    "ex.LESSON_03.answer(1, 0.25)",
    "dcg_at_k(['a'], {'a': 1}), recall_at_k(['a'], {'a': 1}, 1)",
)


def test_a_slip_in_an_exercise_stops_nothing_and_the_state_of_all_is_printed_at_the_end(project, capsys):
    project.add("03_metrics.ipynb", *EXERCISES)
    assert main(["run", "03"]) == 0
    said = capsys.readouterr().out
    assert "03_metrics: 6 code cells" in said
    assert "an exercise ended with an error: ex.RECALL.check: AssertionError" in said
    at_the_end = " ".join(said.partition("Exercises and questions:")[2].split())
    assert at_the_end.startswith(
        "03_metrics: 1 of 9 exercises, 1 of 7 questions right; open: precision_at_k,"
    )
    built = nbformat.read(project.root / "build" / "notebooks" / "03_metrics.ipynb", 4)
    assert built.cells[-1].outputs[0].data["text/plain"] == "(1.0, 1.0)"
    assert "tags" not in built.cells[3].metadata


def test_outputs_with_an_error_in_an_exercise_are_not_stored(project, capsys):
    tracked = project.add("03_metrics.ipynb", *EXERCISES)
    before = tracked.read_bytes()
    assert main(["run", "--inplace", "03"]) == 1
    assert "AssertionError" in capsys.readouterr().err
    assert tracked.read_bytes() == before


def test_a_run_without_exercises_says_nothing_of_them(project, capsys):
    assert main(["run"]) == 0
    assert "Exercises and questions" not in capsys.readouterr().out


def test_a_kernel_that_dies_is_reported_not_waited_for(project, capsys):
    project.add("02_dies.ipynb", "import os", "os._exit(1)")
    assert main(["run", "02"]) == 1
    assert (
        "02_dies.ipynb, code cell 2 of 2" in (said := capsys.readouterr().err) and "the kernel died" in said
    )


def test_a_cell_that_hangs_is_cut_off(project, capsys, monkeypatch):
    monkeypatch.setattr(runner, "CELL_SECONDS", 1)
    project.add("02_hangs.ipynb", "import time; time.sleep(60)")
    assert main(["run", "02"]) == 1
    assert "took longer than 1 seconds" in capsys.readouterr().err


def test_the_results_of_all_lessons_end_in_one_table(project, capsys):
    row = {
        "dataset": "toy",
        "split": "test",
        "documents": 3,
        "queries": 2,
        "system": "ours",
        "conventions": "linear gain",
    }
    row |= {
        "metrics": {"nDCG@10": 0.5, "Recall@100": 1.0, "MAP": 0.25, "MRR": 0.75},
        "published": {"nDCG@10": 0.51},
    }
    other = row | {"system": "theirs", "published": {}}
    project.add(
        "02_rows.ipynb",
        f"from helpers.evaluation import save_results\n_ = save_results('02_rows', {[row, other]!r})",
    )
    (project.root / "build" / "results").mkdir(parents=True)
    (project.root / "build" / "results" / "01_good.json").write_text(
        "[{}]"
    )  # of an earlier run, when it still saved results
    (project.root / "build" / "results" / "mine.csv").write_text("not ours to delete")
    assert main(["run", "--inplace"]) == 0
    said = capsys.readouterr().out
    assert [line.split() for line in said.splitlines() if "ours" in line] == [
        ["toy", "ours", "0.5000", "0.5100", "1.0000", "0.2500", "0.7500"]
    ]
    assert "toy: test split, 3 documents, 2 judged queries" in said
    assert json.loads((project.root / "evals" / "results" / "02_rows.json").read_text()) == [row, other]
    assert not (project.root / "build" / "results" / "01_good.json").exists()
    assert (project.root / "build" / "results" / "mine.csv").exists()


def test_inplace_is_refused_where_outputs_would_become_those_of_the_stand_in(
    project, monkeypatch, capsys, tmp_path
):
    tracked = project.add(
        "02_beir.ipynb", "from helpers.datasets import load_or_stand_in", 'd = load_or_stand_in("scifact")'
    )
    monkeypatch.setenv("MEASURE_FIRST_OFFLINE", "1")
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "empty"))
    monkeypatch.delenv("BEIR_DATA_DIR", raising=False)
    assert runner.wanted(tracked) == ["scifact"]
    before = tracked.read_bytes()
    assert main(["run", "--inplace"]) == 2
    assert "--inplace refused" in capsys.readouterr().err
    assert tracked.read_bytes() == before


def test_a_stand_in_that_slips_through_is_not_stored_either(project, monkeypatch, capsys):
    row = {"dataset": datasets.STAND_IN, "metrics": {}, "published": {}}
    save = f"from helpers.evaluation import save_results; _ = save_results('02_beir', {[row]!r})"
    tracked = project.add("02_beir.ipynb", "# load_or_stand_in('scifact')", save)
    monkeypatch.setattr(runner, "prepare", lambda names: [])
    before = tracked.read_bytes()
    assert main(["run", "--inplace", "02"]) == 1
    assert "ran on 'everyday-science'" in capsys.readouterr().err
    assert tracked.read_bytes() == before
    assert not (project.root / "evals" / "results").exists()


def test_a_lesson_may_measure_the_stand_in_beside_what_it_wants(project, monkeypatch):
    rows = [
        {"dataset": name, "split": "test", "documents": 1, "queries": 1, "system": "s"}
        | {"conventions": "c", "metrics": {}, "published": {}}
        for name in ("scifact", datasets.STAND_IN)
    ]
    save = f"from helpers.evaluation import save_results; _ = save_results('02_both', {rows!r})"
    project.add("02_both.ipynb", "# load_or_stand_in('scifact')", save)
    monkeypatch.setattr(runner, "prepare", lambda names: [])
    monkeypatch.setattr(runner, "find", lambda name: True)
    assert main(["run", "--inplace", "02"]) == 0
    assert (project.root / "evals" / "results" / "02_both.json").exists()


def test_without_the_encoding_results_are_stored_apart_and_the_notebook_is_left(
    project, monkeypatch, capsys, tmp_path
):
    row = {
        "dataset": "runbooks",
        "split": "test",
        "documents": 1,
        "queries": 1,
        "system": "s",
        "conventions": "c",
    }
    row |= {"metrics": {}, "published": {}, "encoding": tokens.STAND_IN_ENCODING}
    save = f"from helpers.evaluation import save_results; _ = save_results('02_tokens', {[row]!r})"
    ask = "from helpers.text import encoding_or_stand_in\nencoding_or_stand_in().name"
    tracked = project.add("02_tokens.ipynb", ask, save)
    monkeypatch.setenv("MEASURE_FIRST_OFFLINE", "1")
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "empty"))
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "empty"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = tracked.read_bytes()
    assert runner.wanted(tracked) == [tokens.CL100K]
    assert main(["run", "--inplace", "02"]) == 0
    assert "cl100k_base: cannot be had" in capsys.readouterr().out
    assert tracked.read_bytes() == before
    stored = project.root / "evals" / "results"
    assert [path.relative_to(stored).as_posix() for path in stored.rglob("*.json")] == [
        f"{tokens.STAND_IN_ENCODING}/02_tokens.json"
    ]


def test_one_server_that_cannot_be_reached_does_not_hide_another(project, monkeypatch, tmp_path):
    monkeypatch.delenv("MEASURE_FIRST_OFFLINE", raising=False)
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "empty"))
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR", "BEIR_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("helpers.base.fetch._ask", lambda url: "blocked" if "openai" in url else "")
    monkeypatch.setattr("helpers.base.fetch.fetch_zip", lambda url, md5, name, folder: folder / name)
    assert runner.prepare([tokens.CL100K, "scifact"], lambda line: None) == [tokens.CL100K]
    assert "blocked" in os.environ["MEASURE_FIRST_OFFLINE"]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("d = load_or_stand_in( 'nq')", ["nq"]),
        ('d = load_or_stand_in(\n    name="nq")', ["nq"]),
        ("chunks = chunk_corpus(corpus)", [tokens.CL100K]),
        ("print('nothing')", []),
    ],
)
def test_what_a_notebook_wants_is_read_from_its_code(project, code, names):
    assert runner.wanted(project.add("02_wants.ipynb", code)) == names


def test_a_dataset_that_does_not_exist_is_bad_input(project, capsys):
    project.add("02_wants.ipynb", "d = load_or_stand_in('nosuch')")
    assert main(["run", "02"]) == 2
    assert "'nosuch' is not a BEIR dataset" in capsys.readouterr().err


def test_folders_in_the_environment_may_be_relative(project, monkeypatch, beir_folder):
    project.add("02_beir.ipynb", "from helpers.datasets import load_beir", "load_beir('tiny').source")
    monkeypatch.chdir(beir_folder.parent)
    monkeypatch.setenv("BEIR_DATA_DIR", ".")
    assert main(["run", "02"]) == 0
    built = nbformat.read(project.root / "build" / "notebooks" / "02_beir.ipynb", 4)
    assert built.cells[-1].outputs[0].data["text/plain"] == "'BEIR_DATA_DIR'"


@pytest.mark.parametrize("out", [".", "evals"])
def test_the_tracked_notebooks_and_results_are_no_place_for_a_run(project, out, capsys):
    before = (project.root / "notebooks" / "01_good.ipynb").read_bytes()
    assert main(["run", "--out", str(project.root / out)]) == 2
    assert "give another folder" in capsys.readouterr().err
    assert (project.root / "notebooks" / "01_good.ipynb").read_bytes() == before


def test_an_out_folder_that_cannot_be_written_is_bad_input_before_anything_runs(project, capsys):
    (project.root / "file").write_text("")
    assert main(["run", "--out", str(project.root / "file" / "x")]) == 2
    said = capsys.readouterr()
    assert "python -m course run:" in said.err and "code cells" not in said.out


def test_a_broken_notebook_and_an_unknown_kernel_are_named(project, capsys):
    (project.root / "notebooks" / "02_broken.ipynb").write_text("{")
    assert main(["run", "02"]) == 1
    assert "02_broken.ipynb is no notebook" in capsys.readouterr().err
    path = project.add("03_kernel.ipynb", "1")
    path.write_text(
        path.read_text().replace(
            '"metadata": {},\n "nbformat"', '"metadata": {"kernelspec": {"name": "fortran"}},\n "nbformat"'
        )
    )
    assert "fortran" in path.read_text()
    assert main(["run", "03"]) == 1
    assert "wants the kernel 'fortran'" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send to one process")
def test_ctrl_c_stops_the_run_and_its_kernel_in_one_word(project):
    project.add(
        "02_long.ipynb", "import os, time", "open('kernel', 'w').write(str(os.getpid()))", "time.sleep(600)"
    )
    script = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job may ignore it
        "from pathlib import Path; from helpers.base import files; from course.__main__ import main\n"
        f"root = Path({str(project.root)!r}); files.ROOT, files.BUILD = root, root / 'build'\n"
        "raise SystemExit(main(['run', '02']))"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    kernel = project.root / "notebooks" / "kernel"
    patience = time.monotonic() + 120
    while not (kernel.exists() and kernel.read_text()):
        assert run.poll() is None and time.monotonic() < patience
        time.sleep(0.1)
    time.sleep(1)
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=60)[1]
    assert run.returncode == 130
    assert said.strip() == "stopped"
    with pytest.raises(ProcessLookupError):
        os.kill(int(kernel.read_text()), 0)


def test_printed_text_is_stored_in_one_piece_however_it_arrived(project):
    loop = "for i in range(3):\n    print(i, flush=True); time.sleep(0.3)"
    cell = f"import sys, time\n{loop}\nprint('x' * 1_000_000)"
    project.add("02_prints.ipynb", cell)
    assert main(["run", "02"]) == 0
    outputs = nbformat.read(project.root / "build" / "notebooks" / "02_prints.ipynb", 4).cells[-1].outputs
    assert [output.text for output in outputs] == ["0\n1\n2\n" + "x" * 1_000_000 + "\n"]


def test_a_lesson_that_is_not_there_is_bad_input_and_lists_those_that_are(project, capsys):
    assert main(["run", "07"]) == 2
    assert "no notebook starts with '07'; there are 01_good" in capsys.readouterr().err


def test_help_and_wrong_verbs_read_well(capsys):
    assert main([]) == 2
    with pytest.raises(SystemExit) as stopped:
        main(["rnu"])
    assert stopped.value.code == 2
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    said = capsys.readouterr()
    assert "run the notebooks of the course" in said.out and "--inplace" in said.out
    assert "there is no verb 'rnu'; did you mean run" in said.err


def test_a_result_row_says_on_what_and_how_it_was_measured(everyday_science):
    from helpers.evaluation.evaluate import evaluate_retrieval

    first = next(iter(everyday_science.qrels))
    evaluation = evaluate_retrieval({first: [("es-001", 1.0)]}, everyday_science.qrels)
    row = results.result_row(everyday_science, "one document", evaluation)
    assert (row["dataset"], row["split"], row["documents"], row["queries"]) == (
        "everyday-science",
        "test",
        120,
        40,
    )
    assert row["published"] == {} and "linear gain" in row["conventions"]
    assert datasets.published("everyday-science", "BM25 (Anserini, flat)") == {}
