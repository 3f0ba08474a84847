"""Runs, qrels and datasets that contradict themselves or another file: they are named, with line and cure."""

import json
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from small_project import DISTANT, EVALUATE, QRELS, right_run, said_of

from helpers.base import files
from helpers.datasets import (
    load_beir,
    load_beir_qrels,
    load_runbooks,
    trec,
)
from helpers.datasets.beir import read_beir_qrels
from helpers.evaluation import Conventions, bounds, evaluate_retrieval, first_relevant_ranks, without_own_ids
from helpers.failures import load_rewordings
from helpers.judgments import flips_to_reverse, judged_at_k, leave_out, load_second_labels, pool
from helpers.judgments.similarity import labels_by
from helpers.monitoring import interleave
from helpers.retrieval import (
    CsrBM25,
    HybridRetriever,
    LatentRetriever,
    Reranker,
    candidate_ceiling,
    fuse,
    min_max,
    to_documents,
    tune_alpha,
    weighted_sum,
)
from workbench import (
    EvaluationDataset,
    load_dataset,
    load_report,
)
from workbench.exchange import (
    read_queries,
)
from workbench.systems import read_hits, written_otherwise


@pytest.mark.parametrize("read", [trec.read_run, trec.read_qrels, load_dataset, load_report])
@pytest.mark.parametrize("path", [None, ["a"], "", 5])
def test_what_names_no_file_is_refused_as_a_path(read, path):
    with pytest.raises(ValueError, match="the path is .*; needed a"):
        read(path)


def test_a_run_without_a_line_is_no_run(tmp_path):
    (tmp_path / "empty.run").write_text("\n")
    with pytest.raises(ValueError, match="empty.run holds no line of a run"):
        trec.read_run(tmp_path / "empty.run")
    with pytest.raises(ValueError, match="the run holds no query"):
        evaluate_retrieval({}, QRELS)


def test_ids_with_another_prefix_are_no_search_that_finds_nothing():
    run = {query_id: [(f"doc:{doc_id}", s) for doc_id, s in hits] for query_id, hits in right_run().items()}
    with pytest.raises(ValueError, match="e.g. 'doc:d0' in the run and 'd0' in the qrels"):
        evaluate_retrieval(run, QRELS)


@pytest.mark.parametrize(
    ("line", "read", "words"),
    [
        ("query-id\tcorpus-id\tscore", trec.read_qrels, "3 columns, needed 4 .* a file of BEIR"),
        ("q1 Q0 d1 1 2.0 tag", trec.read_qrels, "6 columns, .* a run, which read_run reads"),
        ("q1 0 d1 1", trec.read_run, "4 columns, .* qrels, which read_qrels reads"),
    ],
)
def test_a_file_of_another_form_is_told_which_form_it_has(tmp_path, line, read, words):
    (tmp_path / "file").write_text(f"{line}\n")
    with pytest.raises(ValueError, match=words):
        read(tmp_path / "file")


@pytest.mark.parametrize(
    "write", [lambda to: trec.write_run(right_run(), to), lambda to: trec.write_qrels(QRELS, to)]
)
def test_a_folder_is_no_file_to_write(tmp_path, write):
    with pytest.raises(ValueError, match=f"{tmp_path} is a folder; give the name of a file in it"):
        write(tmp_path)
    assert not list(tmp_path.parent.glob(".*partial"))


def test_a_folder_of_beir_that_is_empty_is_told_what_it_should_hold(tmp_path):
    with pytest.raises(FileNotFoundError, match="corpus.jsonl, queries.jsonl and a folder qrels"):
        load_beir("mine", path=tmp_path)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (
            "q01 Q0 d1 1 1.0 t\nq01 Q0 d2 2 1.0 t\nq02 Q0 d2 1 9 t",
            "all scores are equal in each of its queries, e.g. 'q01'",
        ),
        (
            "q01 Q0 d1 1 1.0 t\nq01 Q0 d2 2 5.0 t\nq02 Q0 d2 1 9 t",
            "in 1 of 2 queries ranks and scores say another order, e.g. 'q01' (rank 1 'd1',",
        ),
        (
            "q01 Q0 d1 1 2.0 t\nq01 Q0 d2 2 2.0 t\nq01 Q0 d3 3 1.0 t\nq02 Q0 d2 1 9 t",
            "in 1 of 2 queries the rank column orders documents with equal scores, e.g. 'q01'; the",
        ),
        (
            f"{DISTANT}\nq77 Q0 d1 1 1.0 t",
            "results for 1 query that the dataset lacks, and nothing is said of them: 'q77'",
        ),
        ("q01 Q0 d1 1 1.0 t", "1 of 2 queries have no result in odd.run and count 0: 'q02'"),
    ],
)
def test_what_is_odd_about_a_run_is_said_beside_its_numbers(project, capsys, lines, words):
    Path("odd.run").write_text(lines + "\n")
    code, out, _ = said_of(capsys, f"{EVALUATE} odd.run")
    assert code == 0 and words in out, out


@pytest.mark.parametrize("score", ["inf", "-inf", "nan", "1e999"])
def test_a_score_without_an_end_is_named_with_its_line(project, capsys, score):
    Path("odd.run").write_text(f"q01 Q0 d1 1 {score} t\n")
    code, _, err = said_of(capsys, f"{EVALUATE} odd.run")
    assert code == 2 and f"odd.run, line 1: score '{score}' is not a number that is finite" in err
    assert score == "1e999" or "mend what wrote the run" in err


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.run", "q01 Q0 d1 1 2.0 me\nq02 Q0 d2 1 1.0 you\n", "it has 2 tags, 'me' (1 lines), 'you'"),
        ("a.jsonl", '{"query_id": "q01", "doc_id": "d1", "grade": 2}\n', "it is a judgment and no hit"),
        (
            "a.jsonl",
            '{"query_id": "q01", "hits": [{"doc_id": "d1", "rank": 2}, {"doc_id": "d2", "rank": 1}]}\n',
            "rank 1 stands after rank 2; write the best hit first",
        ),
        ("a.run", "q01 Q0 D1 1 2.0 me\n", "'D1' would be 'd1', written otherwise"),
        (
            "a.run",
            'q01 Q0 d1 1 2 me\n{"query_id": "q02", "hits": ["d2"]}\n',
            "a line of JSON among lines of TREC",
        ),
        ("a.run", "q01 Q0 d%31 1 2.0 me\n", "'d%31' would be 'd1', written otherwise"),
    ],
)
def test_a_run_that_contradicts_itself_or_the_corpus_is_named(project, capsys, name, content, words):
    Path(name).write_text(content)
    _, out, err = said_of(capsys, f"{EVALUATE} {name}")
    assert words in out + err, out + err


def test_ids_in_another_normal_form_of_unicode_are_recognised():
    assert written_otherwise("u\u0308.md", ["a.md", "\u00fc.md"]).startswith(
        r"'u\u0308.md' would be '\xfc.md'"
    )
    assert "%20 is a blank" in written_otherwise("two words.md", ["two%20words.md"])


def test_scores_that_are_equal_in_32_bits_are_no_other_order(tmp_path):
    (tmp_path / "a.run").write_text("q1 Q0 a 1 1.000000000002 me\nq1 Q0 b 2 1.000000000001 me\n")
    (note,) = trec.order_notes(tmp_path / "a.run", trec.read_run(tmp_path / "a.run"))
    assert "scores differ by less than 32 bits can hold" in note


def test_json_lines_in_place_of_a_dataset_are_called_so(project, capsys):
    assert "this looks like JSON lines" in said_of(capsys, "datasets queries.jsonl")[2]


def test_queries_that_are_neither_a_name_nor_a_file_are_refused_with_the_names(tmp_path):
    for more in ({}, {"folder": str(files.RUNBOOKS)}):
        with pytest.raises(FileNotFoundError, match="queries is 'main', .* the names core, dev, test, all"):
            load_runbooks(queries="main", **more)


@pytest.mark.parametrize("mark", [",", ";", " | "])
def test_judgments_of_beir_with_another_separator_are_told_which(tmp_path, mark):
    (tmp_path / "test.tsv").write_text(mark.join(["query-id", "corpus-id", "score"]) + "\nq1,d1,1\n")
    with pytest.raises(ValueError, match=f"separated by {mark.strip()!r}".replace("|", r"\|")):
        read_beir_qrels(str(tmp_path / "test.tsv"))


def test_exchanged_columns_of_rank_and_score_are_told(tmp_path):
    path = tmp_path / "b.run"
    path.write_text("q1 Q0 a 1.0 1 x\nq1 Q0 b 0.5 2 x\nq1 Q0 c 0.333 3 x\n")
    notes = trec.order_notes(path, trec.read_run(path))
    assert any("were the columns of rank and score exchanged?" in note for note in notes)
    path.write_text("q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq1 Q0 c 3 1 x\n")
    assert not any("exchanged" in note for note in trec.order_notes(path, trec.read_run(path)))


def test_two_files_in_one_are_not_called_json_lines(tmp_path):
    (tmp_path / "a.json").write_text('{\n "a": 1\n}\n{\n "a": 2\n}\n')
    with pytest.raises(ValueError, match="are there two files in one"):
        load_dataset(tmp_path / "a.json")


def test_a_score_in_quotes_and_a_heading_in_a_run_are_called_what_they_are(tmp_path):
    (tmp_path / "h.jsonl").write_text('{"query_id": "q1", "doc_id": "d1", "score": "3.0"}\n')
    with pytest.raises(ValueError, match="score '3.0' is text; write the number: 3 without quotes"):
        read_hits(tmp_path / "h.jsonl")
    (tmp_path / "a.run").write_text("qid Q0 docid rank score tag\nq1 Q0 d1 1 2.5 me\n")
    with pytest.raises(ValueError, match="score 'score' is not a number .*; is this a heading"):
        read_hits(tmp_path / "a.run")


def test_what_is_no_page_is_not_called_one(tmp_path):
    (tmp_path / "out.html").write_text('{"schema_version": 2}')
    with pytest.raises(ValueError, match="dataset: is missing"):
        load_report(tmp_path / "out.html")
    (tmp_path / "out.html").write_text("<!doctype html>")
    with pytest.raises(ValueError, match="is the page of a report"):
        load_report(tmp_path / "out.html")


@pytest.mark.parametrize(
    ("read", "line", "complaint"),
    [
        (
            trec.read_qrels,
            "q03 0 reset password.md 2",
            "an id holds no blank, in a file's name it is written %20",
        ),
        (
            trec.read_run,
            "q03 Q0 reset password.md 1 5.0 x",
            "'reset password.md' holds a blank, .*%20password",
        ),
    ],
)
def test_a_blank_in_the_name_of_a_file_is_told_its_cure(tmp_path, read, line, complaint):
    (tmp_path / "t.txt").write_text(line + "\n")
    with pytest.raises(ValueError, match=complaint):
        read(tmp_path / "t.txt")


def test_judgments_in_json_lines_are_told_how_they_become_a_table(tmp_path):
    (tmp_path / "qrels").mkdir()
    for name in ("corpus", "queries"):
        (tmp_path / f"{name}.jsonl").write_text('{"_id": "a", "text": "x"}\n')
    row = '{"query-id": "a", "corpus-id": "a", "score": 1}\n'
    (tmp_path / "qrels" / "test.jsonl").write_text(row)
    with pytest.raises(FileNotFoundError, match="which is no table: .*`workbench export --format beir`"):
        load_beir("mine", path=tmp_path)
    (tmp_path / "qrels" / "test.tsv").write_text(row)
    with pytest.raises(ValueError, match="these are lines of JSON: .*`workbench export --format beir`"):
        load_beir("mine", path=tmp_path)


def test_a_list_of_json_on_one_line_is_no_json_lines(tmp_path):
    (tmp_path / "q.json").write_text('[{"query": "vpn"}, {"query": "wifi"}]')
    with pytest.raises(ValueError, match="is a list of JSON on one line; needed JSON lines, a whole record"):
        read_queries(tmp_path / "q.json")


PAGES = {f"q{n}": {f"kb/p{n}.md": 1} for n in range(6)}


@pytest.mark.parametrize("form", ["/srv/docs/{}", "{}#0", "{}.txt"])
@pytest.mark.parametrize("shape", [dict, list])
def test_a_part_of_a_run_whose_ids_have_something_more_is_told(form, shape):
    named = [form.format(f"kb/p{n}.md") if n % 2 else f"kb/p{n}.md" for n in range(6)]
    run = {f"q{n}": shape({named[n]: 2.0, "kb/other.md": 1.0}.items()) for n in range(6)}
    with pytest.warns(UserWarning, match="3 relevant documents are missed where the run has the id in"):
        evaluate_retrieval(run, PAGES)


def test_a_part_of_a_run_in_capitals_or_without_its_path_is_told():
    for other in (str.upper, lambda one: one.rpartition("/")[2], lambda one: one.removesuffix(".md")):
        run = {q: {other(one) if n % 2 else one: 1.0 for one in PAGES[q]} for n, q in enumerate(PAGES)}
        with pytest.warns(UserWarning, match="3 relevant documents are missed where the run has the id in"):
            evaluate_retrieval(run, PAGES)


def test_a_search_that_found_nothing_at_all_is_told():
    with pytest.warns(UserWarning, match="no document for any of its 6 queries: is the index empty"):
        evaluate_retrieval({query_id: [] for query_id in PAGES}, PAGES)


def test_scores_in_the_place_of_grades_are_told_though_some_are_equal():
    scores = {q: {f"d{n}": 100 * n + 7 for n in range(20)} | {"d0": 107} for q in PAGES}
    with pytest.warns(UserWarning, match="have the two changed places"):
        evaluate_retrieval({q: {"d1": 1, "d2": 0} for q in PAGES}, scores)


def test_ranks_of_three_documents_are_told():
    run = {q: {**dict.fromkeys(PAGES[q], 1), "kb/a.md": 2, "kb/b.md": 3} for q in PAGES}
    with pytest.warns(UserWarning, match="give each document -rank"):
        evaluate_retrieval(run, PAGES)


@pytest.mark.filterwarnings("error")
def test_ids_that_hold_others_are_no_fault_where_both_are_found():
    run = {"q0": {"kb/p0.md": 2.0, "old/kb/p0.md": 1.0}, "q1": {"kb/p1.md": 1.0}}
    assert evaluate_retrieval(run, PAGES)["MRR"] == 2 / 6
    both = {"q0": {"kb/p0.md": 1, "kb/p0.txt": 0}}
    evaluate_retrieval({"q0": {"kb/p0.txt": 2.0}}, both)  # each is judged by itself


def test_distances_by_document_are_told():
    run = {q: {"kb/a.md": 0.1, **dict.fromkeys(PAGES[q], 0.2), "kb/b.md": 0.9} for q in PAGES}
    with pytest.warns(UserWarning, match="distances, nearest first, give each document -distance"):
        evaluate_retrieval(run, PAGES)


def test_distances_with_ties_are_not_told_to_be_sorted():
    run = {"q0": [("kb/a.md", 0.1), ("kb/b.md", 0.1), ("kb/p0.md", 0.4)]}
    with pytest.raises(
        ValueError, match="if these are distances or ranks, give minus that as the score; if they are"
    ):
        evaluate_retrieval(run, PAGES)


def test_ids_of_qrels_without_their_folder_are_shown_beside_those_of_the_corpus(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "x.md", "text": "a"}\n{"_id": "it/vpn.md", "text": "b"}\n'
    )
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "vpn"}\n')
    for grade, words in (("2", "There is e.g. 'it/vpn.md'"), ("2.0", "write it without .0")):
        (tmp_path / "qrels/test.tsv").write_text(f"query-id\tcorpus-id\tscore\nq1\tvpn.md\t{grade}\n")
        with pytest.raises(ValueError, match=words):
            load_beir("mine", path=tmp_path)


def test_a_column_of_pandas_before_those_of_beir_is_told(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels/test.tsv").write_text("\tquery-id\tcorpus-id\tscore\n0\tq1\td5\t2\n")
    with pytest.raises(ValueError, match="as pandas' index; leave it out"):
        load_beir_qrels(tmp_path)


def test_zeros_that_a_spreadsheet_dropped_are_told_of_queries_and_of_documents():
    qrels = {f"{n:02d}": {f"doc-{n:03d}": 1} for n in range(1, 13)}
    run = {query_id: dict.fromkeys(grades, 1.0) for query_id, grades in qrels.items()}
    with pytest.warns(UserWarning, match="9 judged queries are missing in the run, .* e.g. '1' for '01'"):
        evaluate_retrieval({str(int(query_id)): results for query_id, results in run.items()}, qrels)
    short = {q: {f"doc-{int(d[4:])}" if n < 9 else d: 1.0 for d in run[q]} for n, q in enumerate(run)}
    with pytest.warns(UserWarning, match="9 relevant documents are missed .* e.g. 'doc-1' in the run"):
        evaluate_retrieval(short, qrels)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("form", ["{}", "doc-{:03d}", "guide/page{}.md", "kb/{}#0"])
@pytest.mark.parametrize("shape", [list, dict])
def test_nothing_is_said_against_runs_that_are_as_they_should_be(form, shape):
    """Whatever the ids look like, in any order of a dict, with misses, ties and documents nobody judged."""
    rng = random.Random(form)
    doc_ids = [form.format(n) for n in range(1, 60)]
    qrels = {f"q{n}": {one: rng.randint(0, 3) for one in rng.sample(doc_ids, 6)} for n in range(12)}
    run = {}
    for query_id in qrels:
        scores = sorted((round(rng.random(), 2) for _ in range(15)), reverse=True)
        pairs = list(zip(rng.sample(doc_ids, 15), scores, strict=True))
        run[query_id] = shape(rng.sample(pairs, 15) if shape is dict else pairs)
    evaluate_retrieval(run, qrels)


def test_one_query_with_a_single_hit_hides_no_distances():
    run = {q: {"kb/a.md": 0.1, **dict.fromkeys(PAGES[q], 0.2), "kb/b.md": 0.9} for q in PAGES}
    with pytest.warns(UserWarning, match="give each document -distance as its score"):
        evaluate_retrieval(run | {"q9": {"kb/a.md": 1.0}, "q8": {}}, PAGES)


def test_a_run_without_scores_is_told_that_ids_order_it():
    run = {q: [(one, 1.0) for one in (*PAGES[q], "kb/z.md", "kb/b.md")] for q in PAGES}
    for given in (run, {query_id: dict(pairs) for query_id, pairs in run.items()}):
        with pytest.warns(UserWarning, match="ordered by their ids, and not as given; give scores that fall"):
            evaluate_retrieval(given, PAGES)


@pytest.mark.parametrize("read", [load_rewordings, load_second_labels])
@pytest.mark.parametrize("content", ['[\n {"query_id": "q1"}\n]', "query_id,doc_id,grade\nq1,d1,2\n"])
def test_what_is_no_record_a_line_is_told_the_form(tmp_path, read, content):
    (tmp_path / "a.jsonl").write_text(content)
    with pytest.raises(ValueError, match='(needed one a line|a whole record on each): {"query_id": "q1"'):
        read(tmp_path / "a.jsonl")


def _nearest(shape, n_queries=20):
    """Distances of twenty documents, of which the nearest is the relevant one, in the order of the ids."""
    return {
        f"q{i}": shape({f"d{j:02d}": 0.05 + abs(i - j) / 30 for j in range(20)}) for i in range(n_queries)
    }


def test_relevant_documents_at_the_end_of_every_ranking_are_asked_about():
    qrels = {f"q{i}": {f"d{i:02d}": 1} for i in range(20)}
    falling = {q: sorted(one.items(), key=lambda pair: -pair[1]) for q, one in _nearest(dict).items()}
    for run in (_nearest(dict), falling):
        with pytest.warns(UserWarning, match="in all 20 queries the relevant documents found are in"):
            evaluate_retrieval(run, qrels)


@pytest.mark.filterwarnings("error")
def test_whole_scores_that_rank_the_relevant_high_are_no_ranks_in_whatever_order():
    qrels = {f"q{i}": {f"d{i:02d}": 1} for i in range(20)}
    for k in (3, 5, 10):
        others = {f"x{n}": k - n for n in range(k - 1, 0, -1)}  # the worst first
        run = {q: others | dict.fromkeys(grades, k) for q, grades in qrels.items()}
        assert evaluate_retrieval(run, qrels)["MRR"] == 1


def test_a_small_run_and_its_judgments_in_exchanged_places_are_told_first():
    grades = {f"q{i}": {f"d{i}": 1, "d0": 0, f"x{i}": 2} for i in range(1, 7)}
    scores = {f"q{i}": {f"d{i}": 3, "d0": 2, f"x{i}": 1} for i in range(1, 7)}
    with pytest.warns(UserWarning, match="have the two changed places"):
        evaluate_retrieval(grades, scores)


@pytest.mark.parametrize("indent", [None, 1])
def test_a_run_in_json_is_called_so_whatever_its_layout(tmp_path, indent):
    run = {f"q{n}": {"d1": 3.0, "d7": 2.0, "d8": 1.0} for n in range(4)}
    (tmp_path / "run.json").write_text(json.dumps(run, indent=indent))
    with pytest.raises(ValueError, match="run.json, line 1: JSON and no TREC file, which has columns"):
        trec.read_run(tmp_path / "run.json")


def test_of_whole_and_broken_grades_the_broken_ones_are_not_cut_off():
    with pytest.raises(ValueError, match="multiply all grades by a number that makes them whole"):
        evaluate_retrieval({"q1": [("d1", 3.0)]}, {"q1": {"d1": 1.0, "d7": 0.5}})


def test_a_run_whose_rank_and_score_are_exchanged_throughout_is_told_when_it_is_read(tmp_path):
    (tmp_path / "a.run").write_text("q1 Q0 d1 3.5 1 me\nq1 Q0 d2 2.5 2 me\nq2 Q0 d1 9.0 1 me\n")
    with pytest.warns(UserWarning, match="were the columns of rank and score exchanged"):
        trec.read_run(tmp_path / "a.run")


def test_judgments_of_which_none_is_relevant_are_told():
    empty = {query_id: dict.fromkeys(grades, 0) for query_id, grades in PAGES.items()}
    with pytest.warns(UserWarning, match="no judged document of the 6 queries is relevant, .* were the"):
        evaluate_retrieval(
            {query_id: dict.fromkeys(grades, 1.0) for query_id, grades in PAGES.items()}, empty
        )


def test_a_dataset_in_other_forms_than_its_file_is_led_on():
    with pytest.raises(ValueError, match=r"the dataset is a dict; .* or EvaluationDataset\(\*\*it\)"):
        load_dataset({"schema_version": 1})
    with pytest.raises(ValueError, match=r"queries is a table; needed its rows, .to_dict\('records'\)"):
        EvaluationDataset(schema_version=1, name="d", description="", queries=pd.DataFrame({"query_id": []}))


def test_a_metric_that_counts_deeper_than_the_lists_go_is_told():
    run = {f"q{q}": [(f"d{(q + rank) % 30}", 9.0 - rank) for rank in range(5)] for q in range(12)}
    qrels = {f"q{q}": {f"d{q}": 1} for q in range(12)}
    with pytest.warns(
        UserWarning, match="the lists of the run end at rank 5, and Recall@100 counts to rank 100"
    ):
        evaluate_retrieval(run, qrels, metrics=["MRR", "nDCG@5", "Recall@100"])
    with pytest.warns(UserWarning, match="nDCG@20 counts to rank 20: .*; search deeper, or take @5"):
        evaluate_retrieval(run, qrels, k_values=[5, 20])


def test_lists_that_end_by_themselves_are_not_told_to_be_cut(recwarn):
    qrels = {f"q{q}": {f"d{q}": 1} for q in range(12)}
    matched = {f"q{q}": [(f"d{(q + rank) % 30}", 9.0 - rank) for rank in range(2 + q % 5)] for q in range(12)}
    evaluate_retrieval(matched, qrels, metrics=["Recall@100"])  # as many as have a word of the query
    whole = {f"q{q}": [(f"d{(q + rank) % 12}", 20.0 - rank) for rank in range(12)] for q in range(12)}
    evaluate_retrieval(whole, qrels, metrics=["Recall@100"])  # all documents that there are
    evaluate_retrieval(right_run(), QRELS)  # what comes without being asked for
    assert not recwarn.list


def test_results_that_were_not_waited_for_are_called_so():
    async def search():
        return []

    waiting = search()
    with pytest.raises(ValueError, match="'q0': a coroutine, which was not waited for"):
        evaluate_retrieval({"q0": waiting}, QRELS)
    waiting.close()


def test_ids_of_beir_under_another_name_are_told_their_name(tmp_path):
    for name in ("queries.jsonl", "corpus.jsonl"):
        (tmp_path / name).write_text('{"id": "d1", "contents": "a cat"}\n')
    with pytest.raises(ValueError, match="needed an _id .*, found None; rename 'id' to _id"):
        load_beir("mine", path=tmp_path)


WIKI = {"d1": "restart search", "d2": "search index", "d3": "lunch", "d4": "database outage", "d5": "restart"}
ASKED = {"q1": "restart search", "q2": "database outage"}
JUDGED = {"q1": {"d1": 2, "d2": 1}, "q2": {"d4": 2, "d5": 1}}


def found():
    return CsrBM25(WIKI).search(ASKED, 10)


def once(run=None):
    """A run whose results can be read only once."""
    return {query_id: iter(hits) for query_id, hits in (run or found()).items()}


def read_before():
    run = once()
    for hits in run.values():
        list(hits)
    return run


@pytest.mark.parametrize(
    "use",
    [
        min_max,
        without_own_ids,
        to_documents,
        lambda run: fuse([run, found()]),
        lambda run: weighted_sum([found(), run]),
        lambda run: trec.write_run(run, "never.run"),
        lambda run: pool({"A": run}, JUDGED),
        lambda run: judged_at_k({"A": run}, JUDGED),
        lambda run: leave_out(JUDGED, {"A": run}),
        lambda run: flips_to_reverse(found(), run, JUDGED),
        lambda run: labels_by(run, 1),
        lambda run: tune_alpha([found(), run], JUDGED),
        lambda run: bounds(run, JUDGED),
        lambda run: candidate_ceiling(run, JUDGED),
        lambda run: interleave(run, found(), lambda query_id, doc_ids: [], 2),
    ],
)
def test_results_that_were_read_before_are_no_search_that_found_nothing(use, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ValueError, match="query 'q1': the list_iterator holds nothing, .* was it read before"
    ):
        use(read_before())
    assert not list(tmp_path.iterdir())


def test_results_that_can_be_read_once_give_what_lists_give():
    chunks = {q: [(f"{doc_id}#0", score) for doc_id, score in hits] for q, hits in found().items()}
    assert to_documents(once(chunks)) == to_documents(chunks)
    assert candidate_ceiling(once(), JUDGED, [1, 2]).equals(candidate_ceiling(found(), JUDGED, [1, 2]))
    assert fuse([once(), once()]) == fuse([found(), found()])


class Given:
    """A retriever that gives its results in some form, and more of them than it is asked for."""

    name, corpus = "mine", WIKI

    def __init__(self, form):
        self.form = form

    def search(self, queries, k=100):
        rest = [(doc_id, 0.01 / place) for place, doc_id in enumerate(WIKI, start=1)]
        run = {q: [*hits, *(one for one in rest if one[0] not in dict(hits))] for q, hits in found().items()}
        return {query_id: self.form(run["q1"]) for query_id in queries}


def arrays(hits):
    return tuple(map(np.array, zip(*hits, strict=True)))


class Shortest:
    def scores(self, query, texts):
        return [-len(text) for text in texts]


@pytest.mark.parametrize("form", [arrays, iter, tuple, dict])
def test_parts_of_a_hybrid_may_give_results_in_any_form(form):
    one, other = (HybridRetriever([Given(kind), LatentRetriever(WIKI)], depth=2) for kind in (list, form))
    assert one.search({"q": "restart search"}, 10) == other.search({"q": "restart search"}, 10)
    assert one.explain("restart search", "d1").equals(other.explain("restart search", "d1"))


@pytest.mark.parametrize("form", [arrays, iter, tuple, dict])
def test_a_first_retriever_may_give_results_in_any_form(form):
    one, other = (Reranker(Given(kind), Shortest(), depth=2, alpha=0.5) for kind in (list, form))
    assert one.search({"q": "restart search"}, 10) == other.search({"q": "restart search"}, 10)
    assert one.explain("restart search", "d1").equals(other.explain("restart search", "d1"))


def test_pages_are_interleaved_of_results_in_any_form():
    logs = [
        interleave({"q1": form(found()["q1"])}, {"q1": found()["q1"]}, lambda q, ids: ids[:1], 5)
        for form in (list, arrays, dict, iter)
    ]
    assert all(log.equals(logs[0]) for log in logs)


@pytest.mark.parametrize("form", [list, arrays, tuple, iter, lambda hits: dict(hits).items()])
def test_scores_that_are_all_the_same_are_told_in_whatever_form(form):
    qrels = {f"q{number}": {"d1": 1, "d2": 0} for number in range(12)}
    run = {query_id: form([("d1", 0.0), ("d2", 0.0), ("d3", 0.0)]) for query_id in qrels}
    with pytest.warns(UserWarning, match="all scores of a query are equal"):
        evaluate_retrieval(run, qrels, metrics=["MRR"])


def test_equal_scores_in_the_order_of_the_ids_have_lost_none(recwarn):
    qrels = {f"q{number}": {"d3": 1} for number in range(6)}
    run = {query_id: [(doc_id, 1.0) for doc_id in ("d3", "d2", "d1")] for query_id in qrels}
    assert evaluate_retrieval(run, qrels, metrics=["MRR"])["MRR"] == 1.0
    assert not recwarn.list


TOPICS = {f"q{q}": {f"d{q}": 1, f"d{q + 3}": 0} for q in range(12)}


def test_scores_that_fall_and_are_equal_in_32_bits_are_told(recwarn):
    for spread, told in ((0.5, True), (2.0**7, False)):
        run = {
            q: [(d, 1.7e9 - spread * n) for n, d in enumerate([*grades, "a", "b"])]
            for q, grades in TOPICS.items()
        }
        evaluate_retrieval(run, TOPICS, metrics=["MRR"])
        evaluate_retrieval({q: dict(pairs) for q, pairs in run.items()}, TOPICS, metrics=["MRR"])
        assert told == any(
            "equal as 32-bit floats, which trec_eval compares" in str(w.message) for w in recwarn
        )
        evaluate_retrieval(run, TOPICS, metrics=["MRR"], conventions=Conventions(ties="as given"))
        recwarn.clear()
    nearly = {q: [(d, 0.9), ("x", 0.3), ("y", 0.3 - 1e-12)] for q, (d, _) in TOPICS.items()}
    evaluate_retrieval(nearly, TOPICS, metrics=["MRR"])  # two of three that are equal but for rounding
    assert not recwarn.list


def test_one_list_for_all_queries_is_told_unless_they_ask_the_same(recwarn):
    hits = [("d1", 3.0), ("d7", 2.0), ("d9", 1.0)]
    for form in (list, dict, arrays):
        with pytest.warns(UserWarning, match="all 12 queries have the same 3 documents with the same scores"):
            evaluate_retrieval({query_id: form(hits) for query_id in TOPICS}, TOPICS, metrics=["MRR"])
    recwarn.clear()
    evaluate_retrieval(dict.fromkeys(TOPICS, hits), dict.fromkeys(TOPICS, {"d1": 1}), metrics=["MRR"])
    other = [*hits[:2], ("d9", 0.5)]
    evaluate_retrieval(dict.fromkeys(TOPICS, hits) | {"q11": other}, TOPICS, metrics=["MRR"])
    few = {query_id: TOPICS[query_id] for query_id in ("q1", "q2", "q3", "q4")}
    evaluate_retrieval(dict.fromkeys(few, hits), few, metrics=["MRR"])
    assert not recwarn.list


@pytest.mark.parametrize("tail", ["/", "_c3", "-3", "_3", "_v2", "-v2", "_chunk_3", "-chunk-3", "::3"])
def test_ids_with_a_slash_or_the_number_of_a_chunk_behind_them_are_told(tail):
    run = {f"q{q}": [(f"d{q + place}", 20.0 - place) for place in range(8)] for q in range(12)}
    half = {q: [(d + tail * (n % 2), s) for n, (d, s) in enumerate(hits)] for q, hits in run.items()}
    qrels = {f"q{q}": {f"d{q + 1}": 1, f"d{q + 2}": 1} for q in range(12)}
    with pytest.warns(UserWarning, match=f"12 relevant documents are missed .*, e.g. 'd1{tail}' in the run"):
        evaluate_retrieval(half, qrels, metrics=["MRR"])


@pytest.mark.filterwarnings("error")
def test_parts_of_a_document_that_are_documents_are_not_taken_for_chunks():
    qrels = {f"q{q}": {f"art-{q}": 1} for q in range(12)}
    parts = {f"q{q}": [(f"art-{q}-2", 2.0), (f"art-{q + 1}", 1.0)] for q in range(12)}
    together = parts | {"q3": [("art-3-2", 2.0), ("art-8", 1.5), ("art-8-1", 1.0)]}
    evaluate_retrieval(together, qrels, metrics=["MRR"])  # one query finds an article and a part of it
    judged = qrels | {"q3": {"art-3": 1, "art-3-1": 0}}
    evaluate_retrieval(parts, judged, metrics=["MRR"])  # and here both were judged
    few = {f"q{q}": [(f"art-{q}-2" if q < 4 else f"art-{q}", 2.0)] for q in range(12)}
    evaluate_retrieval(few, qrels, metrics=["MRR"])


def test_queries_that_find_themselves_under_another_id_are_told(recwarn):
    same = {f"test-d{n}": [(f"d{n}", 9.0), ("d99", 3.0)] for n in range(1, 15)}
    with pytest.warns(UserWarning, match="14 of 14 have first an id that is a part .* 'd1' for 'test-d1'"):
        assert without_own_ids(same) == same
    recwarn.clear()
    without_own_ids(same | {"d7": [("d7", 9.0)]})  # one has its own
    without_own_ids(
        {f"q-{n}": [(f"{n + 1}", 9.0), (f"{n}", 3.0)] for n in range(15)}
    )  # numbers below the first
    without_own_ids({f"q{n}5": [(f"{n}", 9.0)] for n in range(15)})  # letters of a word
    without_own_ids(
        {f"{n}-topic": [("topic", 9.0), (f"{n}", 8.0)] for n in range(15)}
    )  # one document for all
    assert not recwarn.list


def test_what_would_not_be_read_again_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="query 'q1', document 'd1': the score is inf, .* a finite number"):
        trec.write_run({"q1": [("d1", float("inf")), ("d2", 0.1)]}, tmp_path / "a.run")
    assert not list(tmp_path.iterdir())
    with pytest.warns(UserWarning, match="1 query has no judgment, e.g. 'q2', and no line in"):
        trec.write_qrels({"q1": {"d1": 1}, "q2": {}}, tmp_path / "a.qrels")


@pytest.mark.parametrize("other", ["./docs/{}", "{}.md"])
def test_ids_of_another_form_for_a_part_of_the_queries_are_told(other):
    run = {f"q{q}": [(f"d{(q * 3 + place) % 40}", 20.0 - place) for place in range(12)] for q in range(12)}
    qrels = {f"q{q}": {f"d{q * 3 % 40}": 1, f"d{(q * 3 + 7) % 40}": 1} for q in range(12)}
    half = {
        query_id: [(other.format(doc_id) if q % 2 else doc_id, score) for doc_id, score in hits]
        for q, (query_id, hits) in enumerate(run.items())
    }
    with pytest.warns(UserWarning, match="12 relevant documents are missed where the run has"):
        evaluate_retrieval(half, qrels, metrics=["MRR"])


def test_pages_of_two_languages_are_two_documents(recwarn):
    run = {f"q{q}": [(f"de/page{q}.md", 2.0), (f"page{(q + 1) % 12}.md", 1.0)] for q in range(12)}
    run["q0"] += [("page0.md", 0.5)]  # one query finds both
    evaluate_retrieval(run, {f"q{q}": {f"page{q}.md": 1} for q in range(12)}, metrics=["MRR"])
    assert not recwarn.list


def test_queries_that_are_named_otherwise_are_told_where_they_are_most():
    run = {(f"topic-{q}" if q > 1 else f"q{q}"): [(f"d{q}", 1.0)] for q in range(12)}
    qrels = {f"q{q}": {f"d{q}": 1} for q in range(12)}
    with pytest.warns(UserWarning, match="10 of 12 judged queries are missing in the run, .* otherwise"):
        evaluate_retrieval(run, qrels, metrics=["MRR"])


def test_an_evaluation_in_the_place_of_its_run_is_called_one():
    found = evaluate_retrieval(right_run(), QRELS)
    with pytest.raises(ValueError, match="run holds numbers in the place of results, .*; is it"):
        first_relevant_ranks(found, QRELS)


def test_a_small_run_and_its_judgments_in_exchanged_places_are_told(recwarn):
    qrels = {"q1": {"d1": 2, "d6": 1, "d3": 0}, "q2": {"d2": 1, "d4": 0}, "q3": {"d4": 2}}
    run = {"q1": {"d1": 3, "d6": 2, "d3": 1}, "q2": {"d4": 2, "d2": 1}, "q3": {"d4": 5, "d1": 0}}
    with pytest.warns(UserWarning, match="have the two changed places"):
        evaluate_retrieval(qrels, run)
    recwarn.clear()
    evaluate_retrieval({q: {d: score + 1 for d, score in of.items()} for q, of in run.items()}, qrels)
    assert not recwarn.list


@pytest.mark.parametrize("k", [3, 5, 10])
def test_whole_scores_that_fall_with_the_rank_are_no_judgments(recwarn, k):
    qrels = {f"q{q}": {f"d{q}": 3, f"e{q}": 2, "x1": 1, "x2": 0} for q in range(20)}
    ranked = {q: [*grades, *(f"y{n}" for n in range(10))][:k] for q, grades in qrels.items()}
    run = {q: {doc_id: k - place for place, doc_id in enumerate(doc_ids)} for q, doc_ids in ranked.items()}
    assert evaluate_retrieval(run, qrels, metrics=["nDCG@3"])["nDCG@3"] == 1.0
    assert not recwarn.list


@pytest.mark.parametrize("seen", ["\ufeffq3", "q3\u200b"])
def test_what_has_no_width_in_the_id_of_a_query_is_refused(seen):
    run = {query_id: [(doc_id, 1.0) for doc_id in grades] for query_id, grades in TOPICS.items()}
    run[seen] = run.pop("q3")
    with pytest.raises(ValueError, match="one has what cannot be seen: open the file with encoding='utf-8-"):
        evaluate_retrieval(run, TOPICS)


def test_paths_of_windows_in_a_part_of_the_run_are_told():
    qrels = {f"q{q}": {f"docs/p{q}.md": 1} for q in range(12)}
    run = {q: [(doc_id, 2.0), ("docs/x.md", 1.0)] for q, grades in qrels.items() for doc_id in grades}
    run |= {q: [(doc_id.replace("/", "\\"), s) for doc_id, s in run[q]] for q in list(run)[::2]}
    with pytest.warns(UserWarning, match="6 relevant documents are missed where the run has the id in"):
        evaluate_retrieval(run, qrels, metrics=["MRR"])


def test_the_number_of_a_document_below_a_folder_is_no_chunk():
    qrels = {f"q{q}": {f"doc_{q:03}": 1, f"note_{q}": 1} for q in range(12)}
    run = {f"q{q}": [(f"old/doc_{q:03}", 2.0), (f"note_{q}", 1.0)] for q in range(12)}
    with pytest.warns(UserWarning, match="e.g. 'old/doc_000' in the run .*, write them alike$"):
        evaluate_retrieval(run, qrels, metrics=["MRR"])


def test_queries_whose_lists_are_empty_are_counted():
    """As after an outage, which would look like a bad search."""
    run = {q: [] if n < 6 else [(f"d{q[1:]}", 1.0)] for n, q in enumerate(TOPICS)}
    found = evaluate_retrieval(run, TOPICS, metrics=["MRR"])
    assert found.empty == list(TOPICS)[:6] and found["MRR"] == 0.5
    assert "6 found nothing and count 0" in found.summary
