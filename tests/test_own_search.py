"""Any search is measured alike: results in files, functions, objects; what is no answer is said in words."""

import gzip
import importlib
import json
import os
import random
import re
import sqlite3
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.datasets import trec
from helpers.evaluation import evaluate_retrieval
from workbench.budget import QueryBudget
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.dataset_files import EvaluationDataset, check_judgments, from_qrels
from workbench.exchange import as_run
from workbench.labelling import Labelling
from workbench.projects import measure_project
from workbench.reports import JUDGED, evaluate_run, gate, load_report, save_report, write_ranking
from workbench.snapshots import build_snapshot
from workbench.systems import open_system, read_hits, written_otherwise
from workbench.systems.answers import as_documents, as_hits

PAGES = {f"guide/{name}.md": text for name, text in {
    "doors": "The key opens the door. Ask the porter for the key.",
    "fire": "Leave the house by the stairs and call the brigade.",
    "lunch": "Soup is served at noon. The cook makes the soup.",
    "rooms": "Book a room with the porter. The key hangs at the desk.",
    "winter": "Close the windows. Salt lies in the cellar.",
}.items()}  # fmt: skip
QUERIES = {"q01": "where is the key", "q02": "when is soup served"}
QRELS = {
    "q01": {"guide/doors.md": 2, "guide/rooms.md": 1, "guide/fire.md": 0},
    "q02": {"guide/lunch.md": 2, "guide/winter.md": 0},
}
TEN = QueryBudget(max_total_items=10, max_items_per_document=1)


@pytest.fixture
def house(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "corpus", "house")
    corpus.add([SourceDocument(doc_id, "", text, doc_id) for doc_id, text in PAGES.items()])
    return corpus


@pytest.fixture
def gold():
    return from_qrels(QUERIES, QRELS, "house", "")


RUN = {
    "q01": [("guide/rooms.md", 3.0), ("guide/doors.md", 2.0), ("guide/lunch.md", 1.0)],
    "q02": [("guide/lunch.md", 5.0)],
}


def a_trec_file(path, run=RUN, more=""):
    lines = [
        f"{q} Q0 {doc_id} {rank} {score} mine{more}\n"
        for q, results in run.items()
        for rank, (doc_id, score) in enumerate(results, start=1)
    ]
    opened = gzip.open(path, "wt") if path.suffix == ".gz" else open(path, "w")
    with opened as file:
        file.writelines(lines)
    return path


def with_line_ends(end, path):
    """The same file with other line ends."""
    path.write_bytes(path.read_bytes().replace(b"\n", end))
    return path


def hits_file(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


# Every form of one and the same search has the same numbers.


class WithSearch:
    def search(self, queries, k):
        return {q: RUN[q][:k] for q in queries}

    def one(self, text, k):
        return RUN[next(q for q in QUERIES if QUERIES[q] == text)][:k]


class OfACorpus(WithSearch):
    def __init__(self, corpus):
        assert corpus == PAGES


@pytest.fixture
def forms(tmp_path, monkeypatch):
    """The same results as files, as functions and as objects."""
    (tmp_path / "my_house_search.py").write_text(
        f"RUN = {RUN!r}\nQUERIES = {QUERIES!r}\n\n\ndef search(text, k):\n"
        "    return RUN[next(q for q in QUERIES if QUERIES[q] == text)][:k]\n\n\n"
        "class Engine:\n    def one(self, text, k):\n        return search(text, k)\n\n\nengine = Engine()\n"
    )
    monkeypatch.chdir(tmp_path)
    by_text = [{"query": QUERIES[q], "hits": [doc_id for doc_id, _ in RUN[q]]} for q in RUN]
    single = [{"query_id": q, "doc_id": d, "score": s} for q, found in RUN.items() for d, s in found]
    objects = [{"query_id": q, "hits": [{"id": d, "score": s} for d, s in found]} for q, found in RUN.items()]
    random.Random(0).shuffle(single)
    return {
        "a TREC file": str(a_trec_file(tmp_path / "a.run")),
        "a compressed one": str(a_trec_file(tmp_path / "a.run.gz")),
        "one with further columns": str(a_trec_file(tmp_path / "b.run", more=" 17 extra")),
        "one from an old Mac": str(with_line_ends(b"\r", a_trec_file(tmp_path / "mac.run"))),
        "one from Windows": str(with_line_ends(b"\r\n", a_trec_file(tmp_path / "windows.run"))),
        "JSON lines from an old Mac": str(with_line_ends(b"\r", hits_file(tmp_path / "mac.jsonl", *by_text))),
        "JSON lines with pairs": str(
            hits_file(tmp_path / "a.jsonl", *({"query_id": q, "hits": found} for q, found in RUN.items()))
        ),
        "JSON lines by text": str(hits_file(tmp_path / "b.jsonl", *by_text)),
        "JSON lines by text in other letters": str(
            hits_file(
                tmp_path / "e.jsonl", *({**one, "query": f" {one['query'].upper()} "} for one in by_text)
            )
        ),
        "a line for each hit": str(hits_file(tmp_path / "c.jsonl", *single)),
        "hits as objects": str(hits_file(tmp_path / "d.jsonl", *objects)),
        "a function of a module": "my_house_search:search",
        "a method of an object of a module": "my_house_search:engine.one",
        "a function": WithSearch().one,
        "a function that gives ids": lambda text, k: [doc_id for doc_id, _ in WithSearch().one(text, k)],
        "a function that gives a dict": lambda text, k: dict(reversed(WithSearch().one(text, k))),
        "an object with search": WithSearch(),
        "a class made of the corpus": OfACorpus,
    }


def test_every_form_of_one_search_is_measured_alike(house, gold, forms):
    expected = evaluate_retrieval(RUN, QRELS, metrics=["nDCG@10", "MRR", "Recall@10", "MAP"])
    for form, spec in forms.items():
        report = evaluate_run(house, spec, gold, TEN)
        assert {name: report.metrics[name] for name in expected} == pytest.approx(dict(expected)), form
        assert (report.snapshot, report.search.kind in ("run file", "function")) == (None, True), form
        assert [item.doc_id for item in report.evidence[0].items][:2] == ["guide/rooms.md", "guide/doors.md"]


def test_one_search_in_two_forms_is_one_candidate_for_the_gate(house, gold, forms, tmp_path):
    baseline = evaluate_run(house, "csr-bm25", gold, TEN)
    found = [evaluate_run(house, forms[name], gold, TEN) for name in ("a TREC file", "a function")]
    assert found[0].snapshot_id == found[1].snapshot_id  # named by what it answers
    for report in found:
        again = load_report(save_report(tmp_path / "report.json", report))
        assert again == report
        assert gate(baseline, again, {"nDCG@10": 0.02}).rows[0].candidate == report.metrics["nDCG@10"]


def test_what_a_report_ranked_gives_trec_eval_the_same_numbers(house, gold, tmp_path):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    report = evaluate_run(house, build_snapshot(house, "csr-bm25", "paragraphs"), gold, TEN)
    with pytest.raises(ValueError, match="report.json holds JSON, as a report does, and would be lost"):
        write_ranking(save_report(tmp_path / "report.json", report), report)
    write_ranking(tmp_path / "out.run", report)
    run = {q: dict(results) for q, results in trec.read_run(tmp_path / "out.run").items()}
    theirs = pytrec_eval.RelevanceEvaluator(QRELS, {"ndcg_cut.10", "map", "recip_rank"}).evaluate(run)
    for ours, name in (("nDCG@10", "ndcg_cut_10"), ("MAP", "map"), ("MRR", "recip_rank")):
        assert {q: one.metrics[ours] for q, one in report.per_query.items()} == pytest.approx(
            {q: values[name] for q, values in theirs.items()}, abs=1e-12
        )


# Ids that match nothing are an error with examples of both sides, and never a score of 0.


@pytest.mark.parametrize(
    ("changed", "alike"),
    [
        (lambda doc_id: f"idx/{doc_id}", "'idx/guide/rooms.md' would be 'guide/rooms.md' without 'idx/'"),
        (lambda doc_id: doc_id.removeprefix("guide/"), "'rooms.md' would be 'guide/rooms.md' with 'guide/'"),
        (lambda doc_id: doc_id.removesuffix(".md"), "'guide/rooms' would be 'guide/rooms.md' with '.md'"),
        (lambda doc_id: "4711", "'4711'"),
    ],
)
def test_ids_of_no_document_are_refused_with_examples_of_both_sides(house, gold, tmp_path, changed, alike):
    run = {q: [(changed(doc_id), score) for doc_id, score in found[:1]] for q, found in RUN.items()}
    for spec in (a_trec_file(tmp_path / "other.run", run), lambda text, k: run["q01"]):
        with pytest.raises(ValueError) as caught:
            evaluate_run(house, spec, gold, TEN)
        assert alike in str(caught.value) and "has e.g. 'guide/doors.md'" in str(caught.value)


def test_one_id_of_no_document_is_refused_too_unless_it_may_stand(house, gold, tmp_path):
    run = RUN | {"q01": [("gone.md", 9.0), *RUN["q01"]]}
    path = a_trec_file(tmp_path / "stale.run", run)
    with pytest.raises(ValueError, match="1 of 4 ids is no document of corpus 'house', e.g. 'gone.md'"):
        open_system(path, house)
    report = evaluate_run(house, open_system(path, house, allow_unknown=True), gold, TEN)
    assert report.per_query["q01"].metrics["MRR"] == 1 / 2  # it keeps its place
    assert any("1 id of" in warning and "'gone.md'" in warning.replace("gone.md", "'gone.md'")
               for warning in report.warnings)  # fmt: skip
    assert any(warning.startswith("judged@10") for warning in report.warnings)


def test_results_of_other_queries_are_refused_with_examples_of_both_sides(house, gold, tmp_path):
    path = a_trec_file(tmp_path / "other.run", {f"topic{n}": RUN["q01"] for n in (301, 302)})
    with pytest.raises(
        ValueError, match=r"none of the 2 queries; it has 'topic301'.*'q01' \(where is the key"
    ):
        evaluate_run(house, path, gold, TEN)


def test_a_query_that_a_file_lacks_counts_zero_and_is_named(house, gold, tmp_path):
    report = evaluate_run(house, a_trec_file(tmp_path / "a.run", {"q01": RUN["q01"]}), gold, TEN)
    assert report.per_query["q02"].metrics["nDCG@10"] == 0
    assert any(
        "1 of 2 queries have no result" in warning and "'q02'" in warning for warning in report.warnings
    )


# What is no answer


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "gave None; needed a list .* has the function a `return`.* nothing is found, give \\[\\]"),
        ("guide/rooms.md", "gave a str"),
        ([1, 2], "rank 1: an int, 1, is no id"),
        ([("guide/rooms.md", "high")], "score 'high' is no finite number"),
        ([("guide/rooms.md", float("nan"))], "is no finite number"),
        ([("guide/rooms.md", 0.2), ("guide/doors.md", 0.7)], "distances|Distances"),
        (7, "gave an int"),
    ],
)
def test_an_answer_that_is_none_is_named_with_its_query(house, gold, answer, words):
    with pytest.raises(ValueError, match=words) as caught:
        evaluate_run(house, lambda text, k: answer, gold, TEN)
    assert "query 'q01'" in str(caught.value)


@pytest.mark.parametrize(
    "raised", [KeyError("x"), TimeoutError("late"), ValueError("bad"), SystemExit("no key")]
)
def test_a_search_that_raises_is_named_with_its_query_and_ends_no_program(house, gold, raised):
    def broken(text, k):
        raise raised

    with pytest.raises(RuntimeError, match=f"query 'q01': your search raised {type(raised).__name__}"):
        evaluate_run(house, broken, gold, TEN)


@pytest.mark.skipif(sys.platform == "win32", reason="C is asked as on Unix")
def test_what_a_search_writes_by_any_way_is_no_part_of_an_answer(house, gold, tmp_path, capfd):
    (tmp_path / "loud.py").write_text(
        "import ctypes, os, sys\n\n\n"
        "def say(when):\n"
        "    print('print', when)\n"
        "    os.write(1, f'descriptor {when}\\n'.encode())\n"
        "    os.system(f'echo child {when}')\n"
        "    ctypes.CDLL(None).printf(f'C {when}\\n'.encode())\n\n\n"
        "say('at import')\n\n\n"
        "class Score:\n"
        "    def __float__(self):\n        say('as a number')\n        return 1.0\n\n\n"
        "class Loud:\n"
        "    def __init__(self, documents):\n        say('when made')\n\n"
        "    def search(self, queries, k):\n"
        "        say('when asked')\n"
        "        return {q: [('guide/rooms.md', Score())] for q in queries}\n"
    )
    evaluate_run(house, open_system("loud:Loud", house, home=tmp_path), gold, TEN)
    os.system("echo afterwards")
    out, err = capfd.readouterr()
    assert out == "afterwards\n"
    for way in ("print", "descriptor", "child", "C"):
        assert all(f"{way} {when}" in err for when in ("at import", "when made", "when asked", "as a number"))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def search(:", "SyntaxError"),
        ("import sys; sys.exit(1)", "SystemExit"),
        ("raise RuntimeError('at import')", "RuntimeError"),
        ("import json\nfrom json import nothing", r"ImportError: .* \(broken_import.*py, line 2\)"),
    ],
)
def test_a_program_that_cannot_be_imported_is_named(house, tmp_path, source, words):
    name = f"broken_{words.partition('Error')[0].lower()}"
    (tmp_path / f"{name}.py").write_text(source)
    with pytest.raises(ValueError, match=f"{name} cannot be imported, {words}"):
        open_system(f"{name}:search", house, home=tmp_path)


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("nupmy", "imports 'nupmy', which is not installed for this Python; did you mean 'numpy'?"),
        ("no_such_thing.at_all", "imports 'no_such_thing', .*; if the name is right, install the package"),
    ],
)
def test_a_module_that_a_program_lacks_is_named_with_the_line_that_imports_it(house, tmp_path, module, words):
    (tmp_path / f"lacks_{module[:2]}.py").write_text(f"import json\nimport {module}\n")
    with pytest.raises(ValueError, match=rf"lacks_{module[:2]}.py, line 2 {words.replace('?', '.')}"):
        open_system(f"lacks_{module[:2]}:search", house, home=tmp_path)


def test_a_module_in_a_folder_below_is_found_and_its_import_written(house, tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "libs.py").write_text("one = 1\n")
    (tmp_path / "looks_below.py").write_text("import libs\n")
    with pytest.raises(ValueError, match="'libs', which is src/libs.py here; .*: import src.libs in place"):
        open_system("looks_below:search", house, home=tmp_path)


def test_an_object_whose_search_takes_one_text_is_told_how_it_is_named(house, gold):
    class Theirs:
        def search(self, text, k):
            return [("guide/rooms.md", 1.0)]

    with pytest.raises(ValueError, match="give the method: engine.search"):
        evaluate_run(house, Theirs(), gold, TEN)
    assert evaluate_run(house, Theirs().search, gold, TEN).metrics["MRR"] == 0.5


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("csr-bm52", "did you mean csr-bm25"),
        ("no_such_module_at_all:search", "there is no module 'no_such_module_at_all'"),
        ("json:serch", "json has no 'serch'"),
        ("json:dump5", "did you mean 'dump"),
        ("runs/none.run", "runs/none.run is not there"),
        (".", ". is a folder"),
        ("http://localhost:8000/search", "is an address and no system; write a function that asks it"),
        ("localhost:8000/search", "is an address and no system"),
        ("0123abcd", "no snapshot"),
        ("json:decoder", "is a module; needed a function"),
    ],
)
def test_a_system_that_there_is_not_is_named_with_what_there_may_be(house, spec, words):
    with pytest.raises((ValueError, FileNotFoundError), match=words):
        open_system(spec, house)


def test_a_folder_with_the_name_of_a_backend_or_a_snapshot_does_not_hide_it(house, tmp_path):
    one = build_snapshot(house, "csr-bm25").snapshot_id
    for spec in ("csr-bm25", one):
        (tmp_path / spec).mkdir()
        assert open_system(spec, house, home=tmp_path).snapshot.snapshot_id == one


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no result"),
        ('{"hits": []}', "no query_id and no query"),
        ('{"query_id": 7, "hits": []}', "'query_id' is 7"),
        ('{"query_id": "q", "hits": [{"score": 1}]}', "has no doc_id"),
        ('{"query_id": "q", "hits": [], "x": 1}\n{"query_id": "q", "hits": []}', "two systems need a file"),
        ('{"query_id": "q", "doc_id": "a", "score": 1}\n{"query_id": "q", "doc_id": "b"}', "all or none"),
        ('{"query_id": "q", "hits": ["a"]', "line 1: not valid JSON"),
        ('{"query_id": "q", "hits": ["a"]}\nq2 Q0 a 1 2.5 mine', "line 2: .*the line begins 'q2 Q0 a 1"),
        ("q Q0 d1 1", "4 columns, needed 6"),
    ],
)  # fmt: skip
def test_a_file_of_results_that_is_none_is_named_with_the_line(tmp_path, text, words):
    path = tmp_path / "hits"
    path.write_text(text)
    with pytest.raises(ValueError, match=words):
        read_hits(path)


# A search over pieces ranks documents


def test_a_program_over_pieces_is_asked_on_until_there_are_enough_documents(house):
    asked = []

    def pieces(text, k):
        asked.append(k)
        found = [f"{doc_id}#{n}" for doc_id in PAGES for n in range(8)]
        return found[:k]

    system = open_system(pieces, house)
    assert [doc_id for doc_id, _ in system.search({"q": "x"}, 4)["q"]] == list(PAGES)[:4]
    assert asked == [4, 16, 64]


@given(
    st.lists(st.sampled_from(["a", "b", "c"]).flatmap(lambda d: st.integers(0, 5).map(lambda n: f"{d}#{n}")))
)
def test_of_the_pieces_of_a_document_the_best_one_counts(found):
    hits = [(name, -float(rank)) for rank, name in enumerate(found)]
    documents, unknown = as_documents(hits, {"a", "b", "c"})
    assert [doc_id for doc_id, _ in documents] == list(dict.fromkeys(name[0] for name in found))
    assert not unknown


def test_a_ranking_of_pieces_says_of_how_few_documents_it_is(house, tmp_path):
    corpus = CorpusFolder.init(tmp_path / "long", "long")
    corpus.add([SourceDocument(d, "", "\n\n".join(["key"] * 6), d) for d in ("a.md", "b.md", "c.md")])
    gold = from_qrels({"q": "key"}, {"q": {"a.md": 1}}, "long", "")
    pieces = build_snapshot(corpus, "csr-bm25", "paragraphs")
    few = evaluate_run(corpus, pieces, gold, QueryBudget(max_total_items=3))
    assert any("--max-items-per-document 1" in warning for warning in few.warnings)
    whole = evaluate_run(corpus, pieces, gold, QueryBudget(max_total_items=3, max_items_per_document=1))
    assert len({item.doc_id for item in whole.evidence[0].items}) == 3
    assert not whole.warnings or "max-items-per-document" not in " ".join(whole.warnings)


def test_a_search_that_gives_few_documents_is_said_to(house, gold):
    report = evaluate_run(house, lambda text, k: ["guide/doors.md"], gold, TEN)
    assert any(
        "gave fewer than 10 documents for 2 of 2 queries (1.0 in the mean)" in w for w in report.warnings
    )


# Grades and judgments reach the report


def test_grades_reach_the_report_and_what_was_not_judged_is_named(house, gold):
    report = evaluate_run(house, WithSearch(), gold, TEN)
    binary = evaluate_run(house, WithSearch(), from_qrels(QUERIES, QRELS, "h", "", graded=False), TEN)
    assert report.metrics["nDCG@10"] < binary.metrics["nDCG@10"]  # grade 1 stands above grade 2
    assert report.per_query["q01"].grades == QRELS["q01"]
    # Of rooms, doors and lunch nobody judged lunch for q01.
    assert report.per_query["q01"].metrics[JUDGED] == pytest.approx(2 / 3)
    assert not any("no text" in one or "not in this corpus" in one for one in report.warnings)
    (warning,) = [one for one in report.warnings if one.startswith("judged@10")]
    assert (
        "0.83" in warning and "1 document" in warning and "'q01'" in warning and "workbench pool" in warning
    )
    assert JUDGED not in binary.metrics and not any(one.startswith("judged") for one in binary.warnings)


def test_a_query_that_finds_nothing_shows_nothing_that_was_not_judged(house, gold):
    report = evaluate_run(house, lambda text, k: [], gold, TEN)
    assert report.metrics[JUDGED] == 1.0 and report.metrics["nDCG@10"] == 0


def test_judgments_and_rows_that_differ_are_refused(gold):
    fields = dict(gold) | {"judgments": {**QRELS, "q02": {"guide/fire.md": 1}}}
    with pytest.raises(ValueError, match="rows and judgments differ for 'q02'"):
        EvaluationDataset.model_validate(fields)


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=6))
def test_scores_that_rise_are_refused_and_those_that_fall_are_kept(scores):
    hits = [(f"d{n}", score) for n, score in enumerate(scores)]
    if scores == sorted(scores, reverse=True):
        assert as_hits(hits, "mine") == hits
    else:
        with pytest.raises(ValueError, match="best first"):
            as_hits(hits, "mine")


def test_a_class_that_cannot_be_made_of_the_documents_is_told_so(house):
    class Bare:
        def search(self, queries, k):
            return {}

    with pytest.raises(ValueError, match="is a class; making it with {doc_id: text} raised TypeError"):
        open_system(Bare, house)


def test_a_search_that_answers_otherwise_the_second_time_is_warned_of(house, gold):
    answers = iter([["guide/doors.md"], ["guide/lunch.md"], ["guide/rooms.md"]])
    report = evaluate_run(house, lambda query, k: next(answers), gold, TEN)
    assert any("gave another answer when it was asked 'q01' a second time" in one for one in report.warnings)
    report = evaluate_run(house, lambda query, k: ["guide/doors.md"], gold, TEN)
    assert not any("a second time" in one for one in report.warnings)


@pytest.mark.parametrize("found", [17, np.int64(17)])
def test_an_id_that_is_a_number_is_told_to_be_text(found):
    with pytest.raises(ValueError, match="17.* is no id; needed .*; ids are text: give '17', or the id"):
        as_hits([found], "mine")


@pytest.fixture
def own_modules(tmp_path, monkeypatch):
    """Writes modules of the reader's own into folders, and forgets afterwards that they were imported."""
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_name(path.name + ".py").write_text(text)
        return tmp_path

    yield write
    for name in set(sys.modules) - before:
        del sys.modules[name]


ANSWER = "def search(query, k):\n    return ['guide/{}.md']\n"


@pytest.mark.parametrize("first", ["", "."])
def test_a_module_of_the_project_comes_before_one_of_the_working_folder(
    house, own_modules, monkeypatch, first
):
    folder = own_modules(there__near_search=ANSWER.format("doors"), near_search=ANSWER.format("lunch"))
    monkeypatch.chdir(folder)
    sys.path.insert(0, first and str(folder))
    found = open_system("near_search:search", house, home=folder / "there")
    assert found.ask("q01", "key", 1)[0][0] == "guide/doors.md"


def test_the_module_of_another_project_is_not_taken_for_this_ones(house, own_modules):
    folder = own_modules(one__far_search=ANSWER.format("doors"), two__far_search=ANSWER.format("lunch"))
    open_system("far_search:search", house, home=folder / "one")
    with pytest.raises(
        ValueError, match="far_search is that of .*, which was imported in place of your far_sea"
    ):
        open_system("far_search:search", house, home=folder / "two")


def test_a_module_with_a_name_of_ours_is_told_to_be_renamed(house, own_modules):
    folder = own_modules(helpers=ANSWER, uses_ours="from helpers import clean\n" + ANSWER)
    for spec in ("helpers:search", "uses_ours:search"):
        with pytest.raises(
            ValueError, match="helpers is that of .*imported in place of your helpers.py; rename"
        ):
            open_system(spec, house, home=folder)


def test_a_folder_beside_the_file_of_a_module_is_named_where_it_is_in_its_place(house, own_modules):
    folder = own_modules(twice_search=ANSWER, twice_search__other="")
    (folder / "twice_search" / "__init__.py").touch()
    with pytest.raises(ValueError, match="the folder twice_search/ is imported in place of twice_search.py"):
        open_system("twice_search:search", house, home=folder)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (
            "2search:search",
            "2search is no name of a module: rename the file, so that it begins with a letter",
        ),
        ("plain_search: search", "plain_search.py is there: write plain_search:search. In"),
        ("plain_search::search", "plain_search.py is there: write plain_search:search. In"),
        ("plain_search:search:extra", "plain_search.py is there: write plain_search:search. In"),
        (Path("plain_search.py"), "plain_search.py is there: write plain_search:search. In"),
    ],
)
def test_what_to_write_is_never_what_was_written(house, own_modules, spec, words):
    folder = own_modules(**{"2search": ANSWER, "plain_search": ANSWER})
    with pytest.raises(ValueError, match=words):
        open_system(spec, house, home=folder)


def test_searches_in_threads_give_stdout_the_folder_and_the_exit_back(house, capfd):
    before = sys.stdout, os.getcwd(), os._exit

    def search(query, k):
        print("of the search")
        time.sleep(0.001 * (len(query) % 3))
        return list(PAGES)[:k]

    system = open_system(search, house)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: system.search({"q": n * "x"}, 2), range(1, 60)))
    assert all(one == found[0] for one in found)
    assert (sys.stdout, os.getcwd(), os._exit) == before
    print("of ours", flush=True)
    os.system("echo of a child")
    out, err = capfd.readouterr()
    assert out.split("\n") == ["of ours", "of a child", ""] and err.count("of the search") == 59


class Engine:
    """An index of the documents as they were when it was made."""

    def __init__(self, corpus):
        self.doc_ids = list(corpus)

    def search(self, queries, k):
        return dict.fromkeys(queries, self.doc_ids[:k])


def test_a_system_over_other_documents_is_refused(house, gold, tmp_path):
    other = CorpusFolder.init(tmp_path / "other", "other")
    other.add([*house.documents, SourceDocument("more.md", "", "More.", "more.md")])
    function, engine = open_system(lambda query, k: ["more.md"], other), open_system(Engine, house)
    with pytest.raises(ValueError, match="was opened on corpus 'other', and corpus 'house' is another"):
        evaluate_run(house, function, gold, TEN)
    with pytest.raises(ValueError, match="was built on corpus 'other'.*, and corpus 'house' is another"):
        open_system(build_snapshot(other, "csr-bm25"), house)
    evaluate_run(house, engine, gold, TEN)
    live = open_system(lambda query, k: list(house.corpus), house)
    house.add([SourceDocument("more.md", "", "More.", "more.md")])
    with pytest.raises(
        ValueError, match="Engine was opened on corpus 'house', .*has changed since.*open it again"
    ):
        evaluate_run(house, engine, gold, TEN)
    evaluate_run(house, live, gold, TEN)  # a function may know the new ones too
    evaluate_run(house, function, gold, TEN)  # for the two hold the same documents now


@pytest.mark.parametrize(("of_all", "asked"), [(True, [100]), (False, [100, 400, 1600, 6400, 10_000])])
def test_a_program_is_not_asked_on_when_every_document_is_there_and_never_above_ten_thousand(
    house, of_all, asked
):
    names, sizes = list(PAGES) if of_all else list(PAGES)[:2], []

    def pieces(query, k):
        sizes.append(k)
        return [f"{names[n % len(names)]}#{n // len(names)}" for n in range(k)]

    assert len(open_system(pieces, house).candidates("q", "x")) == len(names)
    assert sizes == asked


# What is ranked is what was meant


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ([{"rank": n, "score": n / 10} for n in (1, 2, 3)], "in the order of its ranks, rank 2: .*Distances"),
        ([{"score": n / 10} for n in (1, 2, 3, 4)], "rise from line to line, 0.1 to 0.4; .*Distances"),
        ([{"rank": "2"}, {"rank": "1"}], "rank 1 stands after rank 2"),
        ([{"rank": 10.0}, {"rank": 9.0}], "rank 9 stands after rank 10"),
        ([{"score": 2, "_score": 3}], "has score 2 and _score 3; keep the one"),
    ],
)
def test_hits_of_one_line_each_whose_order_is_contradicted_are_refused(tmp_path, records, words):
    lines = [{"query_id": "q01", "doc_id": f"d{n}", **one} for n, one in enumerate(records)]
    with pytest.raises(ValueError, match=words):
        read_hits(hits_file(tmp_path / "single.jsonl", *lines))


def test_ranks_as_text_count_in_a_list_of_hits_too(tmp_path):
    hits = [{"doc_id": "a", "rank": "10"}, {"doc_id": "b", "rank": "9"}]
    with pytest.raises(ValueError, match="rank 9 stands after rank 10"):
        read_hits(hits_file(tmp_path / "whole.jsonl", {"query_id": "q01", "hits": hits}))


def test_equal_scores_of_one_line_each_stand_in_the_order_of_their_ranks(tmp_path):
    lines = [{"query_id": "q", "doc_id": f"d{n}", "rank": str(n), "score": 1.0} for n in (3, 1, 2)]
    found = read_hits(hits_file(tmp_path / "tied.jsonl", *lines))
    assert [doc_id for doc_id, _ in found["q"]] == ["d1", "d2", "d3"]
    same = [{"query_id": "q", "doc_id": f"d{n}", "rank": 1, "score": n} for n in (2, 3, 1)]
    found = read_hits(hits_file(tmp_path / "constant.jsonl", *same))
    assert [doc_id for doc_id, _ in found["q"]] == ["d3", "d2", "d1"]


def test_a_run_without_ranks_whose_scores_rise_is_asked_for_distances(tmp_path):
    path = tmp_path / "distances.run"
    path.write_text("q1 Q0 a 1 0.15 x\nq1 Q0 b 1 0.2 x\nq1 Q0 c 1 0.25 x\n")
    (note,) = trec.order_notes(path, trec.read_run(path))
    assert "the scores rise from line to line" in note and "minus the distance" in note


def test_a_run_that_is_written_worst_first_is_in_order(tmp_path):
    path = tmp_path / "upwards.run"
    path.write_text("q1 Q0 a 3 1 x\nq1 Q0 b 2 2 x\nq1 Q0 c 1 3 x\n")
    assert trec.order_notes(path, trec.read_run(path)) == []


@pytest.mark.parametrize("query_id", ["query 1", "my query 1"])
def test_a_query_id_with_a_blank_in_a_run_is_named(tmp_path, query_id):
    (tmp_path / "blank.run").write_text(f"{query_id} Q0 a 1 2.0 x\n")
    with pytest.raises(ValueError, match=f"line 1: the query id '{query_id}' holds a blank"):
        trec.read_run(tmp_path / "blank.run")


def fails(k):
    raise OSError("422: size <= 10")


@pytest.mark.parametrize(
    ("deeper", "words"),
    [
        (lambda k: [], "it gave 0 documents when asked for 40 hits, and 2 when asked for 10"),
        (lambda k: ["guide/doors.md#0"], "it gave 1 document when asked for 40 hits, and 2"),
        (fails, "raised OSError: 422: size <= 10 .* it was asked for 40 hits"),
        (lambda k: None, "when asked for 40 hits, .*gave None"),
    ],
)
def test_an_answer_that_is_worse_when_more_is_asked_for_does_not_count(house, deeper, words):
    pieces = [f"{doc_id}#{n}" for doc_id in PAGES for n in range(8)]
    system = open_system(lambda query, k: pieces[:k] if k <= 10 else deeper(k), house)
    assert [doc_id for doc_id, _ in system.search({"q": "x"}, 10)["q"]] == list(PAGES)[:2]
    assert re.search(words, system.limited["q"])


def test_a_report_says_that_a_search_answers_worse_when_asked_for_more(house, gold):
    pieces = [f"{doc_id}#{n}" for doc_id in PAGES for n in range(40)]
    report = evaluate_run(house, lambda query, k: pieces[:k] if k <= 100 else [], gold, TEN)
    (warning,) = [one for one in report.warnings if "answers worse when asked for more" in one]
    assert "in 2 queries: for 'q01' it gave 0 documents" in warning and "a limit on k?" in warning
    assert not any("found nothing" in one for one in report.warnings)


def test_a_search_that_fails_says_how_many_hits_it_was_asked_for(house):
    with pytest.raises(RuntimeError, match="422.*; it was asked for 100 hits"):
        open_system(lambda query, k: fails(k), house).candidates("q", "x")


def with_default(value):
    def search(query, extra=value):
        return []

    return search


@pytest.mark.parametrize(
    ("program", "name"),
    [
        (with_default(False), "extra"),
        (with_default("en"), "extra"),
        (with_default(0.5), "extra"),
        (lambda query, page=1: [], "page"),
        (lambda query, offset: [], "offset"),
    ],
)
def test_a_second_parameter_that_takes_no_number_of_hits_is_refused(house, program, name):
    with pytest.raises(ValueError, match=f"so '{name}' would be given the number of hits; needed a function"):
        open_system(program, house)


def test_a_second_parameter_that_is_a_hint_of_text_is_refused(house):
    def search(query, language: str):
        return []

    with pytest.raises(ValueError, match="so 'language' would be given the number of hits"):
        open_system(search, house)


@pytest.mark.parametrize("value", [None, 10, float("inf"), np.int64(5)])
def test_a_second_parameter_that_may_be_a_number_of_hits_is_taken(house, value):
    assert open_system(with_default(value), house).search({"q": "x"}, 2) == {"q": []}


def test_a_module_that_changed_after_it_was_imported_is_warned_of(house, own_modules, tmp_path, recwarn):
    path = tmp_path / "edited_search.py"
    path.write_text("def search(query, k):\n    return ['guide/doors.md']\n")
    open_system("edited_search:search", house, home=tmp_path)
    assert not [one for one in recwarn if "edited_search" in str(one.message)]
    path.write_text("def search(query, k):\n    return ['guide/lunch.md', 'guide/doors.md']\n")
    os.utime(path, (1, 1))
    with pytest.warns(UserWarning, match=r"edited_search.py was changed at .* importlib.reload\(edited_"):
        open_system("edited_search:search", house, home=tmp_path)
    importlib.reload(sys.modules["edited_search"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        open_system("edited_search:search", house, home=tmp_path)


@pytest.mark.parametrize("how", ["ignore", "error"])
def test_filters_of_warnings_hold_for_the_code_that_sets_them_and_not_for_ours(
    house, own_modules, tmp_path, how
):
    name = f"filters_{how}"
    (tmp_path / f"{name}.py").write_text(
        f"import warnings\n\nwarnings.filterwarnings({how!r})\n\n\n"
        "def search(query, k):\n    warnings.warn('theirs')\n    return []\n"
    )
    before = list(warnings.filters)
    system = open_system(f"{name}:search", house, home=tmp_path)
    assert warnings.filters == before
    if how == "error":
        with pytest.raises(RuntimeError, match="raised UserWarning: theirs"):
            system.candidates("q", "x")
    else:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            system.candidates("q", "x")
        assert not seen
    assert warnings.filters == before


@pytest.fixture(autouse=True)
def no_filters_of_theirs(monkeypatch):
    monkeypatch.setattr("workbench.systems.answers._THEIRS", [])


class FetchedLate:
    """An answer with a length that is fetched while it is read."""

    def __init__(self, hits):
        self.hits = hits

    def __len__(self):
        return 1

    def __iter__(self):
        if not self.hits:
            raise LookupError("cursor closed")
        return iter(self.hits)


def test_an_answer_that_fails_while_it_is_read_is_a_fault_of_the_search(house):
    with pytest.raises(RuntimeError, match="'q': your search raised LookupError: cursor closed"):
        open_system(lambda query, k: FetchedLate([]), house).candidates("q", "x")
    found = open_system(lambda query, k: FetchedLate(["guide/fire.md"]), house).candidates("q", "x")
    assert [one.doc_id for one in found] == ["guide/fire.md"]


def test_the_keys_and_items_of_a_dict_have_its_order():
    scores = {"b.md": 2.0, "a.md": 1.0}
    assert as_hits(scores.items(), "mine") == list(scores.items())
    assert [doc_id for doc_id, _ in as_hits(scores.keys(), "mine")] == ["b.md", "a.md"]


def test_an_object_whose_search_raises_on_a_dict_is_told_how_its_method_is_named(house):
    class Theirs:
        def search(self, query, top_k=10):
            return query.lower()

    with pytest.raises(
        RuntimeError, match="has no attribute 'lower'.* as 'query'; .*give the method: engine.search"
    ):
        open_system(Theirs(), house).candidates("q", "x")


@pytest.mark.parametrize("path", ["index.db", "no/index.db"])
def test_a_database_with_a_relative_path_is_said_to_be_looked_for_in_the_folder(
    house, tmp_path, monkeypatch, path
):
    def search(query, k):
        with closing(sqlite3.connect(path)) as index:
            return index.execute("select id from d").fetchall()

    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuntimeError, match=f"a relative path is looked for in {re.escape(str(tmp_path))}"):
        open_system(search, house).candidates("q", "x")


@pytest.mark.parametrize(
    ("unknown", "documents", "words"),
    [
        ("9999", ["9"], ""),
        ("15.0", ["1", "15"], "'15.0' would be '15' without '.0': "),
        ("guide\\a.md", ["guide/a.md"], "would be 'guide/a.md', written otherwise (/ stands between folders"),
        ("/data/docs/a.md#3", ["a.md"], "'/data/docs/a.md' would be 'a.md' without '/data/docs/': "),
        ("https://host/guide/a", ["guide/a.md"], "would be 'guide/a.md', the path in the folder"),
        ("guide/a.html", ["a.md", "guide/a.md"], "would be 'guide/a.md', the path in the folder"),
    ],
)
def test_what_is_said_of_an_id_that_is_written_otherwise_is_true(unknown, documents, words):
    said = written_otherwise(unknown, documents)
    assert words in said if words else not said


def test_a_file_with_other_ids_and_the_right_texts_is_told_to_leave_the_ids_out(house, gold, tmp_path):
    lines = [
        {"query_id": f"{n}", "query": text.upper(), "hits": []} for n, text in enumerate(QUERIES.values())
    ]
    path = hits_file(tmp_path / "texts.jsonl", *lines)
    with pytest.raises(ValueError, match="leave `query_id` out of its lines"):
        evaluate_run(house, path, gold, TEN)


@pytest.mark.skipif(os.sep != "/", reason="there it is a path")
def test_a_path_as_windows_writes_it_is_told_the_file_that_is_there(house, tmp_path):
    (tmp_path / "runs").mkdir()
    a_trec_file(tmp_path / "runs" / "mine.run")
    with pytest.raises(ValueError, match=r"runs/mine.run is: write / in place of \\"):
        open_system("runs\\mine.run", house, home=tmp_path)


def test_results_that_can_be_read_only_once_and_were_read_are_refused():
    run, qrels = {"q1": zip(["d1"], [1.0], strict=True), "q2": iter([])}, {"q1": {"d1": 1}, "q2": {"d1": 1}}
    assert evaluate_retrieval(run, qrels)["MRR"] == 0.5
    with pytest.raises(ValueError, match=r"'q1': the zip holds nothing.*: was it read before\? Give list\("):
        evaluate_retrieval(run, qrels)


def test_the_flag_that_lets_unknown_ids_stand_is_no_text(house):
    with pytest.raises(ValueError, match="allow_unknown is 'no'; needed True or False"):
        open_system("csr-bm25", house, "no")


def test_what_the_budget_cuts_is_not_laid_to_the_search(tmp_path):
    ids = [f"d{n}" for n in range(10)]
    corpus = CorpusFolder.init(tmp_path / "one")
    corpus.add([SourceDocument(one, "", f"text {one}", "wiki.json") for one in ids])
    dataset = from_qrels({"q1": "soup"}, {"q1": {"d0": 2, "d1": 1}}, "n", "")
    for limit in ({"max_items_per_source": 1}, {"offset": 5}):
        budget = QueryBudget(max_total_items=10, **limit)
        warned = evaluate_run(corpus, lambda query, k: ids, dataset, budget).warnings
        (said,) = [one for one in warned if "fewer" in one]
        assert said.startswith("of the 10.0 documents that") and "the budget let through fewer than" in said
    few = evaluate_run(corpus, lambda query, k: ids[:3], dataset, QueryBudget(max_total_items=10)).warnings
    assert any("gave fewer than 10 documents for 1 of 1 query (3.0 in the mean)" in one for one in few)


@pytest.mark.parametrize(
    ("lengths", "places", "is_told"),
    [
        ([4] * 6, 10, True),
        ([4, 4, 4, 3, 0, 2], 10, True),
        ([4] * 4, 10, False),  # too few queries to tell
        ([1, 7, 2, 5, 3, 7], 10, False),  # it has no more
        ([4] * 6, 4, False),  # as many as there are places
        ([12] * 6, 13, False),  # all documents
    ],
)
def test_a_search_that_gives_the_same_few_hits_whatever_k_is_is_asked_about_k(
    tmp_path, lengths, places, is_told
):
    ids = [f"d{n}" for n in range(12)]
    corpus = CorpusFolder.init(tmp_path / "one")
    corpus.add([SourceDocument(one, "", f"text {one}", f"{one}.md") for one in ids])
    queries = {f"query {n}": length for n, length in enumerate(lengths)}
    dataset = from_qrels({q: q for q in queries}, {q: {"d0": 1} for q in queries}, "n", "")
    report = evaluate_run(
        corpus, lambda query, k: ids[: queries[query]], dataset, QueryBudget(max_total_items=places)
    )
    said = ", and never more than 4 hits, though 100 were asked for: does it pass k on? The places"
    assert any(said in one for one in report.warnings) == is_told
    assert any("does it pass k on" in one for one in report.warnings) == is_told


def test_what_is_no_search_is_told_the_nearest_way(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "one")
    corpus.add([SourceDocument("d1", "", "text", "wiki.json")])
    with pytest.raises(ValueError, match="it is a dict; needed a function .*trec.write_run"):
        open_system({"q1": {"d1": 1.0}}, corpus)
    (tmp_path / "my_house7.py").write_text("def search(query, k):\n    return []\n")
    with pytest.raises(ValueError, match="my_house7.py is there: write my_house7:search"):
        open_system("my_house7.search", corpus, home=tmp_path)
    with pytest.raises(ValueError, match="documents is a DataFrame; needed a list of SourceDocument"):
        corpus.add(pd.DataFrame({"doc_id": ["d1"]}))


def test_results_in_hand_are_told_how_they_become_a_file(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "one")
    corpus.add([SourceDocument("d1", "", "text", "wiki.json")])
    table = pd.DataFrame({"qid": ["q1"], "docno": ["d1"], "score": [1.0]})
    with pytest.raises(ValueError, match=r"it is a DataFrame; .*write_run\(workbench.exchange.as_run"):
        open_system(table, corpus)
    trec.write_run(as_run(table), tmp_path / "a.run")
    assert open_system(tmp_path / "a.run", corpus).search({"q1": "text"}, 5) == {"q1": [("d1", 1.0)]}


def test_a_part_of_a_dataset_keeps_all_rows_of_a_query():
    qrels = {"q1": {"d1": 1}, "q2": {"d2": 1, "d3": 1}, "q3": {"d4": 1}}
    whole = from_qrels({q: f"what is {q}?" for q in qrels}, qrels, "n", "")
    part = whole.model_copy(update={"queries": whole.queries[:2]})
    with pytest.raises(ValueError, match="some rows of 'q2' are left out; .* take all rows of a query"):
        check_judgments(part)


def test_a_file_written_for_other_queries_under_the_same_ids_is_asked_about(tmp_path):
    """A month's file for the queries of the next: every id is known, and most lists are of something else."""
    words = [f"topic{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(30)]
    pages = [SourceDocument(f"{word}-{n}.md", "", f"{word} page {n}", "") for word in words for n in range(6)]
    CorpusFolder.init(tmp_path / "corpus", "topics").add(pages)
    lab = Labelling(tmp_path)
    for word in words:
        lab.judge(lab.add_query(word), f"{word}-0.md", 2)

    def results_of(name, topics):
        found = {
            query_id: [(f"{topic}-{n}.md", 6 - n) for n in range(6)]
            for query_id, topic in zip(lab.questions(), topics, strict=True)
        }
        return a_trec_file(tmp_path / f"{name}.run", found)

    results_of("right", words)
    results_of("odd", [words[1], words[0], *words[2:]])  # which may be bad luck
    results_of("wrong", [*words[:10], *words[15:], *words[10:15]])
    systems = {name: f"{name}.run" for name in ("right", "odd", "wrong")}
    (tmp_path / "systems.json").write_text(json.dumps({"bm25": "csr-bm25"} | systems))
    for name, report in measure_project(lab).reports.items():
        said = [one for one in report.warnings if "was the file written for these queries" in one]
        assert bool(said) == (name == "wrong"), (name, said)
    found = measure_project(lab).text()
    assert "warning, wrong: for 20 of 30 queries its first ten have no document that any other" in found
    worse = [len(one.regressions) for one in measure_project(lab).against_first.values()]
    assert sorted(worse) == [0, 2, 20] and "- and 15 more" in found  # five on a terminal, twenty on the page
    assert (tmp_path / "reports" / "measured.md").read_text().count("topic") >= 2 + 20


def test_a_search_that_gives_every_document_there_is_is_not_said_to_give_too_few(house, gold):
    report = evaluate_run(house, lambda query, k: list(PAGES), gold, TEN)
    assert not [said for said in report.warnings if "fewer than" in said]
    report = evaluate_run(house, lambda query, k: list(PAGES)[:-1], gold, TEN)
    assert [said for said in report.warnings if "gave fewer than 10 documents for 2 of 2" in said]


def test_a_file_of_results_by_ids_is_asked_about_where_a_query_was_reworded_since(tmp_path):
    words = ["anchor", "barrel", "candle"]
    pages = [SourceDocument(f"{word}.md", "", f"the {word}", "") for word in words]
    CorpusFolder.init(tmp_path / "corpus", "words").add(pages)
    lab = Labelling(tmp_path)
    for word in words:
        lab.judge(lab.add_query(word), f"{word}.md", 2)
    found = {query_id: [(f"{word}.md", 1.0)] for query_id, word in zip(lab.questions(), words, strict=True)}
    a_trec_file(tmp_path / "mine.run", found)
    (tmp_path / "systems.json").write_text(json.dumps({"bm25": "csr-bm25", "mine": "mine.run"}))

    def asked_about():
        reports = measure_project(Labelling(tmp_path)).reports
        said = "write it anew, for the words of now"
        return {name for name, one in reports.items() if said in str(one.warnings)}

    assert asked_about() == set()
    queries = tmp_path / "queries.jsonl"
    queries.write_text(queries.read_text().replace('"candle"', '"Candle"'))  # the same words
    assert asked_about() == set()
    queries.write_text(queries.read_text().replace('"Candle"', '"growing tomatoes"'))
    assert asked_about() == {"mine"} == asked_about()
    Labelling(tmp_path).judge("q03", "candle.md", 0), Labelling(tmp_path).judge("q03", "anchor.md", 1)
    assert asked_about() == set()  # judged for the words of now
