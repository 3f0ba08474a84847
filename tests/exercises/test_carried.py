"""A reader's own function in a later lesson: kept when right, checked again, never taken from others."""

import importlib
from collections import Counter
from math import log2

import numpy as np
import pytest
from answers import in_a_cell

from course.exercises import carried
from course.exercises.contents import EXERCISES, LESSONS
from helpers.base import files

OWN = """
def gain(grades, doc_id):
    return FACTOR * grades.get(doc_id, 0) / 2.0

def dcg_at_k(ranking, grades, k=10):
    gains = np.array([gain(grades, doc_id) for doc_id in ranking[:k]])
    return sum(g / log2(r + 1) for r, g in enumerate(gains, start=1))

def best_of(ranking, grades):
    return sorted(ranking, key=grades.get, reverse=True)

def ndcg_at_k(ranking, grades, k=10):
    best = dcg_at_k(best_of(list(grades), grades), grades, k)
    return dcg_at_k(ranking, grades, k) / best if best else 0.0
"""


@pytest.fixture(autouse=True)
def nothing_kept_before(tmp_path, monkeypatch):
    monkeypatch.setenv("MEASURE_FIRST_RESULTS", str(tmp_path / "results"))
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def notebook():
    names = {"np": np, "log2": log2, "FACTOR": 2.0, "Counter": Counter, "__name__": "__main__"}
    return in_a_cell(OWN, names)


def test_a_right_function_comes_along_with_what_it_needs(notebook, capsys):
    EXERCISES["NDCG"].check(notebook["ndcg_at_k"])
    capsys.readouterr()
    mine = carried.mine("ndcg_at_k")
    assert capsys.readouterr().out == "ndcg_at_k: yours, from 03_metrics; it has passed its check again.\n"
    assert mine is not notebook["ndcg_at_k"] and mine(["a"], {"a": 1, "b": 1}, 2) == pytest.approx(0.613147)
    assert "Counter" not in mine.__globals__


def test_before_that_the_courses_own_is_given_and_said_so(capsys):
    assert carried.mine("ndcg_at_k") is EXERCISES["NDCG"].reference
    said = capsys.readouterr().out
    assert said.startswith("ndcg_at_k: the course's own. Yours will be used once its check in 03_metrics")


def test_a_wrong_function_is_not_kept(notebook, capsys):
    EXERCISES["NDCG"].check(lambda ranking, grades, k=10: 1.0)
    assert carried.mine("ndcg_at_k") is EXERCISES["NDCG"].reference


def kept() -> str:
    return (files.results_dir() / "mine" / "ndcg_at_k.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("how", ["changed", "from another computer", "no seal"])
def test_what_this_computer_has_not_written_is_not_run(notebook, capsys, tmp_path, how):
    EXERCISES["NDCG"].check(notebook["ndcg_at_k"])
    ran = tmp_path / "ran"
    foreign = f"{kept()}\nopen({str(ran)!r}, 'w')\n"
    if how == "from another computer":
        (files.cache_dir() / "mine.key").unlink()
        foreign = kept()
    elif how == "no seal":
        foreign = foreign.partition("\n")[2]
    (files.results_dir() / "mine" / "ndcg_at_k.py").write_text(foreign, encoding="utf-8")
    capsys.readouterr()
    assert carried.mine("ndcg_at_k") is EXERCISES["NDCG"].reference
    assert "not written by this computer, or was changed" in capsys.readouterr().out
    assert not ran.exists()


def test_what_does_not_pass_its_check_any_more_is_not_used(notebook, capsys, monkeypatch):
    EXERCISES["NDCG"].check(notebook["ndcg_at_k"])
    text = kept().replace("FACTOR = 2.0", "FACTOR = 0.0")
    code = text.partition("\n")[2]
    sealed = f"{carried._seal('ndcg_at_k', code)}\n{code}"
    (files.results_dir() / "mine" / "ndcg_at_k.py").write_text(sealed, encoding="utf-8")
    capsys.readouterr()
    assert carried.mine("ndcg_at_k") is EXERCISES["NDCG"].reference
    assert "does not pass its check any more" in capsys.readouterr().out


def test_a_function_that_cannot_stand_on_its_own_is_not_kept(notebook):
    data = in_a_cell(
        "def ndcg_at_k(ranking, grades, k=10):\n    return old(ranking, grades, k) if DATA else 0.0\n",
        notebook | {"DATA": object(), "old": notebook["ndcg_at_k"]},
    )
    EXERCISES["NDCG"].check(data["ndcg_at_k"])
    assert not (files.results_dir() / "mine").exists()


def test_a_folder_that_cannot_be_written_costs_only_the_keeping(notebook, capsys, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MEASURE_FIRST_RESULTS", str(tmp_path / "file"))
    EXERCISES["NDCG"].check(notebook["ndcg_at_k"])
    assert "ndcg_at_k: right" in capsys.readouterr().out


def test_a_function_that_no_exercise_asks_for_is_named_with_its_neighbour():
    with pytest.raises(ValueError, match="no exercise asks for 'ndgc_at_k'; there is ndcg_at_k"):
        carried.mine("ndgc_at_k")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_each_lesson_gives_its_reader_functions_of_all_others(lesson):
    module = importlib.import_module(f"course.exercises.{lesson.name.lower()}")
    assert module.mine is carried.mine
