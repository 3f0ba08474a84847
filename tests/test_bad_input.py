"""What people hand in that cannot work: it is named, with what was needed, and nothing is silently wrong."""

import errno
import gzip
import json
import math
import os
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from programs import PROGRAMS, main
from tiny_model import write_model

from helpers.answers import ExtractiveAnswerer, assignment, redundancy, stages
from helpers.base import check_option, files
from helpers.datasets import (
    Nugget,
    add_query,
    kept_documents,
    load_beir,
    load_labels,
    load_needs,
    load_nuggets,
    load_runbooks,
    read_nuggets,
    runbook_labels,
    trec,
)
from helpers.datasets.beir import read_beir_qrels
from helpers.encoders import encoded, load_encoder
from helpers.evaluation import compare, evaluate_retrieval, load_results, save_results, without_own_ids
from helpers.failures import RetrievalErrorAnalyzer, System, analyze, difference_interval
from helpers.judgments import (
    ChatJudge,
    agreement,
    circularity,
    first_pass,
    judged_at_k,
    pool,
    verdict_table,
    with_judgments,
)
from helpers.metrics import mean_ndcg_at_k, mrr, ndcg_at_k
from helpers.monitoring import RetrievalABTest, clicks_by_document, clicks_by_rank
from helpers.records import Dataset
from helpers.retrieval import (
    CsrBM25,
    HybridRetriever,
    RankBM25,
    Reranker,
    SqliteFTS5,
    SubstringScan,
    cosines,
)
from helpers.stats import cohen_kappa, holm, neyman_allocation
from helpers.text import chunk_corpus, chunk_fixed, chunk_paragraphs, load_stand_in, plain, to_corpus
from workbench import (
    CorpusFolder,
    EvaluationDataset,
    Item,
    Labelling,
    QueryBudget,
    SourceDocument,
    as_html,
    build_snapshot,
    draft_queries,
    evaluate_run,
    from_labels,
    gate,
    labelling,
    load_dataset,
    load_report,
    load_snapshot,
    new_project,
    save_report,
    within_budget,
    without_times,
    write_dataset,
)
from workbench.corpus.near_duplicates import near_duplicates
from workbench.dataset_files import from_qrels, to_qrels
from workbench.exchange import (
    AskedQuery,
    as_qrels,
    bring_in_judgments,
    bring_in_queries,
    personal_data,
    read_queries,
    sample_searches,
    write_sheet,
)
from workbench.labelling import corrected_mean
from workbench.projects import TEMPLATE, over_searches
from workbench.reports import EvaluationReport
from workbench.systems import open_system, own_code, read_hits, written_otherwise

CORPUS = {f"d{n}": f"word{n} of a cat and a dog" for n in range(12)}
QUERIES = {f"q{n}": f"word{n}" for n in range(12)}
QRELS = {f"q{n}": {f"d{n}": 1} for n in range(12)}
DATA = Dataset("toy", "test", CORPUS, QUERIES, QRELS, "by hand")
RETRIEVERS = [CsrBM25, RankBM25, SqliteFTS5, SubstringScan]


# Retrievers


@pytest.mark.parametrize("build", RETRIEVERS)
@pytest.mark.parametrize(
    ("queries", "words"),
    [
        (None, "queries is a NoneType; needed a dict {query_id: text}"),
        (["reset password"], "queries is a list; needed a dict"),
        ("reset password", "queries is the text 'reset password'; needed a dict .*{'q1': 'reset password'}"),
        ({"q": None}, "query 'q' is"),
        ({"q": 5}, "query 'q' is"),
        ({"q": b"reset"}, "query 'q' is"),
        ({5: "reset"}, "query_id 5 is of type int"),
    ],
)
def test_what_is_no_dict_of_texts_is_not_searched_for(build, queries, words):
    with pytest.raises(ValueError, match=words):
        build(CORPUS).search(queries, 10)


@pytest.mark.parametrize("build", RETRIEVERS)
@pytest.mark.parametrize("corpus", [["a", "b"], "one text", None, {"d": None}, {1: "x"}, {}])
def test_what_is_no_corpus_is_not_indexed(build, corpus):
    with pytest.raises(ValueError, match="corpus|document"):
        build(corpus)


@pytest.mark.parametrize("build", [CsrBM25, RankBM25])
@pytest.mark.parametrize(
    ("analyzer", "words"),
    [
        (None, "analyzer is None; give a function"),
        ("english", "analyzer is 'english'; give a function .*lucene_english"),
        (lambda text: None, "gave None for a text; needed a list of terms"),
        (
            lambda text: text,
            "gave 'word0 of a cat .*; needed a list of terms",
        ),  # its letters would be indexed
    ],
)
def test_what_makes_no_terms_is_no_analyzer(build, analyzer, words):
    with pytest.raises(ValueError, match=words):
        build(CORPUS, analyzer)


# Systems of one's own


class Mine:
    """A search of one's own that is there already."""

    def __init__(self, answer):
        self.answer = answer

    def search(self, queries, k):
        return self.answer(queries)


def right(queries):
    return {query_id: [(f"d{query_id[1:]}", 1.0)] for query_id in queries}


def test_a_search_that_is_there_already_is_analyzed_as_it_is():
    report = analyze(DATA, System("mine", Mine(right)), changes={})
    assert report.evaluation["Hit@10"] == 1 and not len(report.misses)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: System("mine", 5), "build is a int; needed a retriever with search"),
        (lambda: System("mine", CsrBM25, chunker="fixed"), "chunker is 'fixed'; needed a function that cuts"),
        (lambda: System("mine", Mine(right), chunker=plain), "its documents cannot be cut any more"),
    ],
)
def test_what_is_no_system_is_refused_when_it_is_named(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda queries: [("d1", 1.0)], "search gave a list; needed {query_id: "),
        (lambda queries: None, "search gave a NoneType; needed {query_id: "),
        (
            lambda queries: {query_id: [(f"idx/d{query_id[1:]}", 1.0)] for query_id in queries},
            "no id that search gave is one of the 12 in the corpus, e.g. 'idx/d0' and 'd0'",
        ),
    ],
)
def test_what_a_search_gives_that_is_no_run_of_this_corpus_is_no_vocabulary_gap(answer, words):
    with pytest.raises(ValueError, match=words):
        analyze(DATA, System("mine", Mine(answer)))


class WithoutK:
    """An engine that gives as many as it likes."""

    corpus = CORPUS

    def search(self, queries):
        return right(queries)


@pytest.mark.parametrize(
    "use",
    [
        lambda one: analyze(DATA, System("mine", one)),
        lambda one: analyze(DATA, System("mine", lambda corpus: one)),
        lambda one: HybridRetriever({"mine": one, "BM25": CsrBM25(CORPUS)}),
        lambda one: Reranker(one, RetrievalErrorAnalyzer),
        lambda one: circularity(DATA, {"mine": one}),
        lambda one: RetrievalABTest(CsrBM25(CORPUS), one),
    ],
)
def test_a_search_that_takes_no_k_is_named_before_anything_is_searched(use):
    with pytest.raises(ValueError, match=r"search takes \(queries\); needed search\(queries, k\): give it k"):
        use(WithoutK())


def test_documents_that_only_the_search_has_are_named_once_and_keep_their_ranks():
    def answer(queries):
        return {q: [("zz", 3.0), (f"d{q[1:]}", 2.0), ("yy", 0.5)] for q in queries}

    words = r"2 of \d+ ids that search gave are no documents .* e\.g\. 'zz', 'yy'; the corpus has e\.g\. 'd0'"
    with pytest.warns(UserWarning, match=words) as warned:
        report = analyze(DATA, System("mine", Mine(answer)), k=1)
    assert len([one for one in warned if "no documents" in str(one.message)]) == 1
    assert set(report.misses["rank"]) == {2.0} and not {"zz", "yy"} & set(report.misses["neighbour"])


def test_a_search_that_finds_nothing_for_any_query_is_told_to_have_an_empty_index():
    words = f"system 'mine': search found nothing for any of the {len(QUERIES)} queries, so all"
    for answer in (lambda queries: {}, lambda queries: dict.fromkeys(queries, [])):
        with pytest.warns(UserWarning, match=words):
            analyze(DATA, System("mine", Mine(answer)))
    with pytest.warns(UserWarning, match="change 'other': search found nothing for any"):
        analyze(DATA, System("mine", Mine(right)), changes={"other": System("empty", Mine(answer))})


@pytest.mark.parametrize(
    "form", [dict, iter, lambda hits: tuple(np.array(part) for part in zip(*hits, strict=True))]
)
def test_a_search_may_answer_in_any_form_that_evaluation_takes(form):
    def answer(queries):
        return {query_id: form(hits) for query_id, hits in right(queries).items()}

    for k in (1, 10):
        assert not len(analyze(DATA, System("mine", Mine(answer)), k=k).misses)


# Runs and judgments


@pytest.mark.parametrize("read", [trec.read_run, trec.read_qrels, load_dataset, load_report])
@pytest.mark.parametrize("path", [None, {}, "", 5])
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


def right_run():
    return CsrBM25(CORPUS).search(QUERIES, 10)


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


# Comparing


def test_scores_of_pytrec_eval_are_taken_as_they_come():
    evaluator = pytrec_eval.RelevanceEvaluator(QRELS, {"ndcg_cut.10"})
    theirs = evaluator.evaluate({query_id: dict(hits) for query_id, hits in right_run().items()})
    found = compare({"a": theirs, "b": theirs}, metric="ndcg_cut_10").table["mean"]
    frames = {name: pd.DataFrame(theirs).T for name in "ab"}
    assert found.tolist() == compare(frames, metric="ndcg_cut_10").table["mean"].tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="holds 'ndcg_cut_10'; .* name a metric that they have, not nDCG@10"):
        compare({"a": theirs, "b": theirs})


@pytest.mark.parametrize(
    ("scores", "more", "words"),
    [
        ({"q1": 1.0, "q2": 0.5}, {"rng": "x"}, "rng is 'x'; needed a numpy Generator, or a whole number"),
        ({"q1": "1", "q2": "1"}, {}, "query 'q1': the score is '1'; needed a finite number"),
        (right_run(), {}, "is a run, not scores: .* give evaluate_retrieval"),
    ],
)
def test_what_cannot_be_compared_says_so(scores, more, words):
    with pytest.raises(ValueError, match=words):
        compare({"a": scores, "b": scores}, **more)


# Budgets, labels, evaluations


@pytest.mark.parametrize(
    ("values", "fields", "words"),
    [
        ((), {"max_total_items": 0}, "QueryBudget: max_total_items: needed 1 or more, found 0"),
        ((), {"max_total_items": "5"}, "max_total_items: needed a whole number, found '5'"),
        ((), {}, "QueryBudget: max_total_items: is missing"),
        ((), {"max_total_items": 5, "items": 5}, "items: there is no such key"),
        ((5,), {}, r"takes its fields by name: QueryBudget\(max_total_items=…"),
    ],
)
def test_a_budget_says_which_of_its_limits_is_wrong(values, fields, words):
    with pytest.raises(ValueError, match=words) as caught:
        QueryBudget(*values, **fields)
    assert type(caught.value) is ValueError and "pydantic" not in str(caught.value)


@pytest.fixture
def made(tmp_path):
    """A project with a corpus, a snapshot, a dataset of one row, and a budget."""
    corpus = CorpusFolder.init(tmp_path / "mine" / "corpus", "mine")
    corpus.add(SourceDocument(doc_id, "", text, f"{doc_id}.md") for doc_id, text in CORPUS.items())
    rows = tuple(
        {"query_id": query_id, "query_text": text, "expected_item_id": f"d{query_id[1:]}", "kind": "gold"}
        for query_id, text in QUERIES.items()
    )
    dataset = EvaluationDataset(schema_version=1, name="mine", description="", queries=rows)
    return [corpus, build_snapshot(corpus, "csr-bm25"), dataset, QueryBudget(max_total_items=5)]


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (0, None, "corpus is a NoneType; needed a CorpusFolder"),
        (2, "gold.json", "dataset is a str; needed an EvaluationDataset; load_dataset"),
        (3, {"max_total_items": 5}, "budget is a dict; needed a QueryBudget; e.g. QueryBudget"),
    ],
)
def test_an_evaluation_says_which_of_its_arguments_is_of_another_kind(made, place, value, words):
    with pytest.raises(ValueError, match=words):
        evaluate_run(*[*made[:place], value, *made[place + 1 :]])
    swapped = [made[1], made[0], *made[2:]]
    with pytest.raises(ValueError, match="corpus is a Snapshot; needed a CorpusFolder"):
        evaluate_run(*swapped)


def test_evidence_is_looked_for_with_a_text(made):
    for query in (None, 5, ["word"]):
        with pytest.raises(ValueError, match="query is a .*; needed a str"):
            made[1].candidates(query)


def test_labels_are_texts(made, tmp_path):
    lab = Labelling(tmp_path / "mine")
    with pytest.raises(ValueError, match="half of a surrogate pair, which is no text; type it anew"):
        lab.add_query("half \ud800")
    lab.add_query("word1")
    for quote in (None, 5):
        with pytest.raises(ValueError, match="the quote of 'd1' is .*; needed words of the document, or ''"):
            lab.judge("q01", "d1", 2, quote=quote)
    assert not lab.verdicts()


def test_an_analysis_of_nothing_is_refused():
    with pytest.raises(ValueError, match="dataset is a NoneType; needed a Dataset"):
        analyze(None, System("BM25", CsrBM25))
    with pytest.raises(ValueError, match="system is a CsrBM25; needed a System"):
        analyze(DATA, CsrBM25(CORPUS))
    with pytest.raises(ValueError, match="retrieved_docs is None; give a list of doc_ids"):
        RetrievalErrorAnalyzer(CORPUS).analyze_failures("word1", None, ["d1"])


def test_a_report_with_a_metric_beyond_its_range_is_refused(made, tmp_path):
    path = save_report(tmp_path / "report.json", evaluate_run(*made))
    record = json.loads(path.read_text())
    record["metrics"]["MRR"] = 99.0
    for query in record["per_query"].values():
        query["metrics"]["MRR"] = 99.0
    path.write_text(json.dumps(record))
    with pytest.raises(ValueError, match="(?s)was it edited.*MRR cannot be counted from its evidence"):
        load_report(path)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda corpus: CorpusFolder.open(None), "the path is None; needed the folder of a corpus"),
        (lambda corpus: CorpusFolder.init(None), "needed a folder that is new or empty"),
        (lambda corpus: corpus.add("a text"), "documents is a str; needed a list of SourceDocument"),
        (
            lambda corpus: corpus.add(["a text"]),
            "document 1 of those given is a str; needed a Source",
        ),
        (lambda corpus: corpus.ingest(None), "needed a file, or a folder of documents"),
        (lambda corpus: new_project(None, "docs"), "needed the folder to make"),
        (
            lambda corpus: new_project("mine", None),
            "the path is None; needed the folder, or the file, that",
        ),
        (lambda corpus: Labelling(None), "needed the folder of a project"),
        (lambda corpus: build_snapshot(CORPUS), "corpus is a dict; needed a CorpusFolder"),
        (lambda corpus: load_snapshot("corpus"), "corpus is a str; needed a CorpusFolder"),
        (
            lambda corpus: gate("a.json", "b.json", {"MRR": 0.1}),
            "baseline is a str; needed an Evaluation",
        ),
        (lambda corpus: save_report("x.json", {}), "report is a dict; needed an EvaluationReport"),
        (lambda corpus: as_html(None), "report is a NoneType; needed an EvaluationReport"),
        (lambda corpus: within_budget([], {"items": 5}), "budget is a dict; needed a QueryBudget"),
        (lambda corpus: draft_queries(None), "documents is a NoneType; needed a Sequence"),
        (lambda corpus: write_dataset("x.json", {}), "dataset is a dict; needed an EvaluationDataset"),
        (lambda corpus: from_labels(None, "x", ""), "labelled is a NoneType"),
        (lambda corpus: trec.write_run(None, "x.run"), "run is a NoneType; needed a Mapping"),
        (lambda corpus: trec.read_run(corpus.path), "is a folder; needed a file"),
        (lambda corpus: load_beir(5), "5 is no dataset name"),
        (
            lambda corpus: load_beir("mine", path=5),
            "the path is 5; needed the folder that holds corpus",
        ),
        (lambda corpus: chunk_corpus(["a text"]), "corpus is a list; needed a Mapping; a dict"),
        (lambda corpus: chunk_fixed(None), "text is a NoneType; needed a str"),
    ],
)
def test_an_argument_of_another_kind_is_named(made, call, words):
    with pytest.raises(ValueError, match=words):
        call(made[0])


# The command line


@pytest.fixture
def here(made, tmp_path, monkeypatch):
    """The folder that commands are given in, with a corpus and files of each wrong form."""
    monkeypatch.chdir(tmp_path)
    made[1].close()
    Path("ok.run").write_text("q1 Q0 d1 1 2.0 tag\nq2 Q0 d2 1 1.0 tag\n")
    Path("empty").mkdir()
    Path("q_bad.jsonl").write_text('{"query_id": "q1"}\n')
    Path("docs").mkdir()
    Path("docs/plain.md").write_text("# No front matter\n\nA page.")
    return tmp_path


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


def test_a_report_and_a_dataset_file_are_not_taken_for_each_other(here, made, capsys):
    corpus, _, dataset, budget = made
    save_report("report.json", evaluate_run(corpus, build_snapshot(corpus, "csr-bm25"), dataset, budget))
    write_dataset("gold.json", dataset)
    assert main(["datasets", "report.json"]) == 2
    assert "report.json: a report, which `report` and `compare` take" in capsys.readouterr().err
    assert main(["report", "gold.json"]) == 2
    assert "gold.json: a dataset file, which `evaluate` takes" in capsys.readouterr().err


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


# A project and its command line


NO_TEXT = b"yB\xbd\xf2!\n" + bytes(range(255, 0, -1))
"""Its first line alone could be an old code for accents."""
DISTANT = "\n".join(f"q0{n} Q0 d{n} 1 {n}.5 tag" for n in (1, 2))
SEARCHES = """
import asyncio
import os
from itertools import repeat


def nothing(query, k): return []
def endless(query, k): return repeat("d1")
def unordered(query, k): return {"d1", "d2"}
def undecided(query, k): return {"d1": 1.0, "d2": 1.0}
def alone(query): return []
async def later(query, k): return []
def breaks(query, k):
    yield "d1"
    raise KeyError("index")
class Unbound:
    def search(self, query, k): return []
class Number:
    def __float__(self): raise OSError("no number")
def unnumbered(query, k): return [("d1", Number())]
class Frame(list):
    columns = ["id"]
def frame(query, k): return Frame(["d1"])
def judge_alone(query): return 1
def judge_breaks(query, text): return {}["key"]
def judge_makes_up(query, text): return 2, "words of nobody"
def search(query, k): return ["d2", "d1"]
def stops(query, k): return next(iter(()))
def cancels(query, k): raise asyncio.CancelledError
def leaves(query, k): raise GeneratorExit
def closes(query, k):
    import os, sys
    print("looking")
    sys.stdout.close()
    os.chdir("/")
    return ["d2", "d1"]
def mixed(query, k): return ["d1", ("d2", 1.0)]
def judge_nothing(query, text): return 0
def ends(query, k): os._exit(0)
def judge_ends(query, text): os._exit(0)
def judge_stops(query, text): return next(iter(()))
def distances(query, k): return {f"d{n}": n for n in range(4)}
"""


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    """A project with two queries, a judgment of each, and a file of searches."""
    home = tmp_path_factory.mktemp("labelled")
    corpus = CorpusFolder.init(home / "corpus", "mine")
    corpus.add(SourceDocument(doc_id, "", text, f"{doc_id}.md") for doc_id, text in CORPUS.items())
    (home / "odd_searches.py").write_text(SEARCHES)
    (home / "systems.json").write_text('{"mine": "csr-bm25"}')
    lab = Labelling(home)
    for number in (1, 2):
        lab.judge(lab.add_query(f"word{number}"), f"d{number}", 2, "cat")
    lab.export()
    return home


@pytest.fixture
def project(labelled, tmp_path, monkeypatch):
    """A copy of it, as the working folder."""
    monkeypatch.chdir(shutil.copytree(labelled, tmp_path / "project"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "odd_searches", raising=False)


def said_of(capsys, line):
    """The exit code of a command, what it printed and what it said on stderr."""
    capsys.readouterr()
    try:
        code = main(shlex.split(line))
    except SystemExit as stopped:
        code = stopped.code
    said = capsys.readouterr()
    assert "Traceback" not in said.err and "Input should" not in said.err
    return code, said.out, said.err


EVALUATE = "evaluate --corpus corpus --dataset datasets/gold.json --out reports/x.json --system"


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("odd_searches:unordered", "gave a set, which has no order"),
        ("odd_searches:undecided", "a dict with equal scores, which say no order"),
        (
            "odd_searches:distances",
            "gave a dict whose scores rise from 0 to 3; write the best first. Distances",
        ),
        ("odd_searches:unnumbered", "rank 1: score <odd_searches.Number"),
        ("odd_searches:frame", "gave a Frame; needed a list of (id, score) pairs"),
        ("csr-bm25 --allow-unknown", "--allow-unknown has no effect on csr-bm25"),
        ("-x", "argument --system: it needs a value after it"),
        ("raw.jsonl", "this looks like a raw response of Elasticsearch"),
        (
            "random:search",
            "random is a module of Python's own, which was imported in place of your random.py",
        ),
        ("judgments.csv", "it looks like CSV: needed blanks between the columns"),
        ("noise.run", "noise.run is no text"),
        ("spread.json", "is an object of JSON over several lines; needed JSON lines"),
        ("odd_searches:alone", "odd_searches:alone takes (query); needed a function f(query, k)"),
        ("odd_searches:later", "is async, so it gives no answer"),
        (
            "odd_searches:breaks",
            "query 'q01': your search raised KeyError: 'index' (odd_searches.py, line 15)",
        ),
        ("odd_searches:Unbound.search", "takes (self, query, k); needed a function f(query, k)"),
        ("odd_searches.py:search", "odd_searches.py is there: write odd_searches:search"),
        ("odd_searches", "odd_searches.py is there: write odd_searches:search"),
        ("odd_searches.py", "odd_searches.py is there: write odd_searches:search"),
        ("BM25", "did you mean csr-bm25?"),
        ("''", "names no system; needed a file of results"),
        (300 * "n", "a name may have 255 bytes at most"),
    ],
)
def test_a_search_that_cannot_be_measured_is_named_with_what_to_write(project, capsys, system, words):
    Path("judgments.csv").write_text("query_id,doc_id,score\nq01,d1,2\n")
    Path("spread.json").write_text('{\n "q01": {"d1": 1}\n}')
    Path("raw.jsonl").write_text('{"took": 1, "hits": {"total": 1, "hits": [{"_id": "d1", "_score": 2}]}}\n')
    Path("random.py").write_text("def search(query, k): return []\n")
    Path("noise.run").write_bytes(NO_TEXT)
    code, out, err = said_of(capsys, f"{EVALUATE} {system}")
    assert (code, out) == (2, "") and words in err, err


def test_a_search_that_finds_nothing_is_no_search_that_was_judged_to_the_end(project, capsys):
    code, out, _ = said_of(capsys, f"{EVALUATE} odd_searches:nothing")
    assert code == 0 and "found nothing for 2 of 2 queries ('q01', 'q02')" in out
    assert "Judged@10                    undefined" in out
    assert said_of(capsys, "systems --remove mine --add none=odd_searches:nothing")[0] == 0
    row = next(line for line in said_of(capsys, "measure")[1].splitlines() if line.startswith("none "))
    assert row.split()[1:3] == ["0.000", "undefined"]


def test_an_answer_without_an_end_is_taken_as_far_as_was_asked(project, capsys):
    code, out, _ = said_of(capsys, f"{EVALUATE} odd_searches:endless")
    assert code == 0 and "further pieces of a document" in out


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


SHEET = "query_id,query,doc_id,title,text,grade,quote\n"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("s.csv", "query_id,doc_id\nq01,d3\n", "the columns are query_id, doc_id; needed one with the grade"),
        ("s.csv", SHEET + "q01,word1,d3,,,,\n", "none of its 1 row has a grade"),
        ("s.csv", SHEET, "it has a heading and no row"),
        ("s.csv", SHEET + "q01,word2,d3,,,1,\n", "line 2: the query is 'word2', and 'q01' is 'word1' here"),
        (
            "s.csv",
            SHEET + "q01,word1,d3,Gates,How to shut,1,\n",
            "line 2: the document is 'Gates', and 'd3' is",
        ),
        (
            "s.csv",
            SHEET + "q01,word1,d3,,,1,\nq01,word2,d3,,,0,\n",
            "were its rows moved?:\n  s.csv, line 3: the query is 'word2', and 'q01' is 'word1' here",
        ),
        (
            "s.csv",
            SHEET + "q01,,d3,,,1,\nq01,,d3,,,0,\n",
            "line 3: 'q01', 'd3' has grade 1 and grade 0; keep one",
        ),
        ("s.csv", SHEET + "q01,word1,d3,a, b,c,1,\n", "line 2: 8 cells, and the heading has 7"),
        ("s.csv", SHEET + 'q01,"word1,d3,,,1,\n', "line 2: a quote is opened and never closed"),
        ("s.csv", "query_id,doc_id,grade,grade\nq01,d3,1,0\n", "the column 'grade' stands there twice"),
        ("s.csv", "q01,word1,d3,t,x,2,\n", "is no heading; needed one that names the columns"),
        ("s.csv", "sep=,\n" + SHEET, "'sep=,' is no heading but a mark for Excel"),
        ("s.csv", SHEET + "q01,word1,d3,,,\uff12,\n", "'\uff12' is not a whole number; say what it becomes"),
        ("s.csv", SHEET + "q01,word1,d3,,word5 of a cat and a dog,1,\n", "line 2: the text is that of 'd5'"),
        (
            "s.jsonl",
            '{"query_id": "q01", "doc_id": "d3", "rel": 2}\n',
            "no record has a field with the grade; needed one called grade, score, relevance or label",
        ),
        (
            "s.tsv",
            "query-id corpus-id score\nq01 d3 1\n",
            "line 1: blanks stand between the columns; needed tabs",
        ),
        ("s.txt", "query_id | doc_id | grade\nq01|d3|1\n", "line 1: bars stand between the columns"),
        (
            "s.csv",
            SHEET.encode("utf-16"),
            "save the file as UTF-8 (in Excel: CSV UTF-8); it looks like UTF-16",
        ),
        ("s.csv", (SHEET + "q01,word1,d3,Gr\xf6\xdfe,,1,\n").encode("latin1"), "it looks like Windows-1252"),
        ("s.xlsx", b"PK\x03\x04" + bytes(30), "is no text but a packed file, as .xlsx"),
        ("s.pdf", b"%PDF-1.7", "is no text but a PDF"),
        ("s.csv", NO_TEXT, "s.csv is no text: it is not UTF-8 and holds control characters"),
        (
            "s.csv",
            bytes(99),
            "it holds NUL bytes; it looks like no text at all; needed a file of",
        ),
        ("s.json", "[]", "begins no object; needed JSON lines"),
        ("s.json", '{\n "q01": 1\n}', "is an object of JSON over several lines; needed JSON lines"),
    ],
)
def test_a_sheet_of_judgments_that_cannot_be_read_is_named_with_the_line(
    project, capsys, name, content, words
):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = Path("judgments.jsonl").read_bytes()
    code, out, err = said_of(capsys, f"import judgments {name}")
    assert (code, out) == (2, "") and words in err, err
    assert Path("judgments.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "content", "more", "words"),
    [
        ("q.csv", "query\n" + 200_000 * "x", "", "of 200,000 characters; needed a text of at most 1,000"),
        (
            "q.csv",
            "user,query\n1042,hello\n17,bye\n",
            "--column user",
            "'user' holds nothing but numbers, e.g. '1042'",
        ),
        ("q.csv", "query,n\nplease, help,3\n", "", "line 2: 3 cells, and the heading has 2"),
        (
            "q.jsonl",
            '{"query": "x", "kind": "weird"}\n',
            "",
            "line 1: kind is 'weird'; it can be 'identifier'",
        ),
        ("q.jsonl", "[[[\n", "", "line 1: not valid JSON"),
        ("q.xlsx", b"PK\x03\x04" + bytes(30), "", "is no text but a packed file"),
        ("q.csv", b"version https://git-lfs.github.com/spec/v1\n", "", "is no text but a pointer of Git LFS"),
        ("q.pdf", b"%PDF-1.7", "", "is no text but a PDF"),
        ("q.json", NO_TEXT, "", "q.json is no text"),
        ("q.html", "<!doctype html><p>soup", "", "is no text but a page of HTML"),
        ("q.json", '[\n {"query": "soup"}\n]', "", "is a list of JSON over several lines; needed JSON lines"),
        (
            "q.csv",
            "\n\nquery,n\nsoup,hot,3\n",
            "",
            "line 4: 3 cells, and the heading has 2; is a comma too much",
        ),
        ("q.txt", "soup\0\n", "", "line 1: it holds NUL bytes"),
        ("q.csv", "query|count\nsoup|3\n", "", "bars stand between the columns; needed tabs or commas"),
        ("q.txt", "query_id query\nx1 soup\n", "", "a heading, with blanks between the columns"),
        (
            "q.csv",
            "query,count\nsoup,3\n",
            "--column who",
            "q.csv: there is no column 'who', the columns are query",
        ),
        (
            "q.log",
            '"GET /?term=soup"\n',
            "--column who",
            "a web server's log, and no request has a parameter who",
        ),
        ("q.txt", "soup\n", "--column who", "has no column 'who': its first line is 'soup'"),
        ("q.txt", "soup\n", "--sample 1 --seed -1", "argument --seed: '-1' is not possible"),
        ("q.txt", "soup\n", "--seed 3", "--seed has no effect without --sample"),
        ("q.txt", "soup\n", "--judge anna", "--judge has no effect on queries"),
        ("q.txt", "soup\n", "--grades 3=2", "--grades has no effect on queries"),
    ],
)
def test_what_holds_no_queries_brings_none_in(project, capsys, name, content, more, words):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = Path("queries.jsonl").read_bytes()
    code, out, err = said_of(capsys, f"import queries {name} {more}")
    assert (code, out) == (2, "") and words in err, err
    assert Path("queries.jsonl").read_bytes() == before


def test_a_line_break_in_a_cell_parts_two_words_and_a_kind_is_kept(project, capsys):
    Path("q.csv").write_text('query,kind\n"where is\nthe soup",identifier\n')
    assert said_of(capsys, "import queries q.csv")[0] == 0
    found = Labelling(".").questions()["q03"]
    assert (found.query, found.kind) == ("where is the soup", "identifier")


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
    assert code == 2 and "reports: " in err and "a file stands where a folder is needed, rename it" in err


def test_a_quote_of_a_sheet_that_does_not_stand_in_its_document_is_named(project, capsys):
    Path("s.csv").write_text(SHEET + "q01,word1,d3,,,1,words of nobody\n")
    code, out, _ = said_of(capsys, "import judgments s.csv")
    assert code == 0 and "quotes that are not in their documents are left out (1): q01 d3" in out


def test_words_that_a_judge_makes_up_are_said_and_left_out(project, capsys):
    code, _, err = said_of(capsys, "draft odd_searches:judge_makes_up --name llm")
    assert code == 0 and "quotes of llm that are not in their documents are left out (" in err
    assert "): q01 d1" in err
    assert {verdict.quote for verdict in Labelling(".", judge="llm").verdicts().values()} == {""}


def test_two_judges_are_settled_on_the_command_line(project, capsys):
    lab = Labelling(".")
    lab.second("anna").judge("q01", "d1", 0)
    assert "next: workbench settle anna q01 d1 GRADE" in said_of(capsys, "agreement anna")[1]
    code, out, _ = said_of(capsys, "settle anna q01 d1 1 --why 'only a part of it'")
    assert code == 0 and "not settled: 0" in out
    assert lab.verdicts()["q01", "d1"].grade == 1


def test_a_name_of_the_project_is_a_system_everywhere_and_is_shown(project, capsys):
    Path("systems.json").write_text('{"mine": "odd_searches:search", "bm": "csr-bm25"}')
    code, out, _ = said_of(capsys, "gate bm mine --limit nDCG@10:0.02")
    assert code in (0, 1) and "mine (odd_searches:search " in out and "against bm (csr-bm25 " in out
    assert "against mine (odd_searches:search" in said_of(capsys, "measure")[1]


def test_a_sheet_says_where_it_cuts_a_document(tmp_path):
    row = ("q1", "keys?", "a.md", "Doors", 5000 * "x")
    text = write_sheet(tmp_path / "sheet.csv", [row]).read_text(encoding="utf-8-sig")
    assert "xx […] cut here: 2,000 of 5,000 characters; the corpus has all" in text


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("stops", "query 'q01': your search raised StopIteration: (odd_searches.py, line"),
        ("cancels", "query 'q01': your search raised CancelledError: (odd_searches.py, line"),
        ("leaves", "query 'q01': your search raised GeneratorExit: (odd_searches.py, line"),
        ("mixed", "rank 2: some hits have a score and some have none"),
    ],
)
def test_no_end_of_a_search_of_ones_own_is_a_verdict(project, capsys, system, words):
    line = f"evaluate --corpus corpus --dataset datasets/gold.json --system odd_searches:{system}"
    code, out, err = said_of(capsys, line)
    assert (code, out) == (2, "") and words in err, err


def test_a_search_that_prints_closes_stdout_and_leaves_the_folder_changes_no_answer(project, capsys):
    line = "evaluate --corpus corpus --dataset datasets/gold.json --system odd_searches:closes"
    code, out, err = said_of(capsys, f"{line} --out r.json --json")
    assert code == 0 and json.loads(out)["report"] == "r.json" and "looking" in err
    assert Path("r.json").is_file()


@pytest.mark.parametrize("name", ["judgments.jsonl", "queries.jsonl"])
def test_a_key_that_stands_twice_in_a_line_is_refused(project, capsys, name):
    line = Path(name).read_text().splitlines()[0]
    Path(name).write_text(line[:-1] + ', "query_id": "q02"}')
    code, _, err = said_of(capsys, "measure")
    assert code == 2 and "the key 'query_id' stands there twice" in err


def test_lost_judgments_leave_the_dataset_that_was_made_of_them(project, capsys):
    Path("judgments.jsonl").unlink()
    code, _, err = said_of(capsys, "measure")
    assert code == 2 and "judgments.jsonl is gone or empty; put judgments.jsonl back" in err
    assert Path("datasets/gold.json").is_file()


def test_no_output_takes_the_place_of_what_is_read_or_of_another_file(project, capsys):
    Path("a.run").write_text("q01 Q0 d1 1 1.0 me\nq02 Q0 d2 1 1.0 me\n")
    line = "evaluate --corpus corpus --dataset datasets/gold.json --system a.run --run-out a.run"
    code, _, err = said_of(capsys, line)
    assert code == 2 and "a.run is the file that is read" in err
    Path("s.csv").write_text("name,address\n")
    with pytest.raises(ValueError, match="s.csv is no sheet of a pool and would be lost"):
        write_sheet("s.csv", [("q1", "keys?", "a.md", "Doors", "x")])


def test_judgments_of_one_model_are_never_described_as_those_of_another(project, capsys):
    assert said_of(capsys, "draft odd_searches:judge_nothing --name llm --described a")[0] == 0
    code, _, err = said_of(capsys, "draft odd_searches:judge_nothing --name llm --described b")
    assert code == 2 and "the judgments of 'llm' are described as 'a'" in err


def test_nuggets_without_a_quote_are_named(project, capsys):
    nugget = {"text": "a", "importance": "vital", "support": []}
    Path("n.jsonl").write_text(json.dumps({"query_id": "q01", "answer": "a", "nuggets": [nugget]}))
    code, _, err = said_of(capsys, "evaluate --corpus corpus --dataset datasets/gold.json --nuggets n.jsonl")
    assert code == 2 and "nuggets.0.support: needed 1 or more of them" in err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("<top>\n<num> 301\n<title> crime\n</top>\n", "TREC topics; write a table"),
        ("q01 0 d1 1\nq01 0 d2 0\n", "TREC qrels; they hold no query's text"),
        ("2026-01-02T10:11:12 reset password\n", "lines that begin with a time; take it away"),
        ("Nov 22 10:00:00 host sshd[12]: Failed password\n", "lines that begin with a time; take it away"),
        ("[Sun Nov  2 10:00:00.1 2026] [error] no file\n", "lines that begin with a time; take it away"),
        ("\u2022 soup\n\u2022 noon\n", "a list, with marks or numbers before its lines"),
        ("> soup\n> noon\n", "a list, with marks or numbers before its lines"),
        ("\u2013 soup\n\u2013 noon\n", "a list, with marks or numbers before its lines"),
        ("['soup', 'noon']\n", "a list in one line, as a program writes it"),
        ('words = ("soup", "noon")\n', "a list in one line, as a program writes it"),
        ("#Fields: date cs-uri-stem\n2026-11-22 /s\n", "no field of this log holds what was asked"),
        ("soup\n<<<<<<< HEAD\nnoon\n", "line 2: git could not merge two versions here ('<<<<<<< HEAD')"),
        ("reset password\t3\nlunch\t2\n", "a table without a heading; name its columns"),
    ],
)
def test_a_text_that_holds_no_query_a_line_is_named_for_what_it_is(project, capsys, content, words):
    Path("a.txt").write_text(content)
    code, out, err = said_of(capsys, "import queries a.txt")
    assert (code, out) == (2, "") and words in err, err


def test_a_log_in_an_old_encoding_keeps_its_letters(project, capsys):
    Path("a.log").write_text('"GET /search?q=t%FCr HTTP/1.1"\n')
    assert said_of(capsys, "import queries a.log")[0] == 0
    assert [one.query for one in Labelling(".").questions().values()][-1] == "tür"


@pytest.mark.parametrize(
    "row", ["2026-11-22 10:00:00 - /s q=soup+noon\n", "2026-11-22\t10:00:00\tMoz\t/s\tq=soup%20noon\n"]
)
def test_a_log_that_names_its_fields_is_read_by_its_query_column(project, capsys, row):
    fields = "date time cs(User-Agent) cs-uri-stem cs-uri-query"
    Path("a.log").write_text(f"#Version: 1.0\n#Fields: {fields}\n{row}{row.rpartition('q=')[0]}-\n")
    code, _, err = said_of(capsys, "import queries a.log")
    assert code == 0, err
    assert [one.query for one in Labelling(".").questions().values()][-1] == "soup noon"


def test_a_run_whose_ids_and_texts_are_of_different_queries_is_refused(project, capsys):
    Path("a.jsonl").write_text('{"query_id": "q01", "query": "word2", "hits": ["d1"]}\n')
    line = "evaluate --corpus corpus --dataset datasets/gold.json --system a.jsonl"
    code, _, err = said_of(capsys, line)
    assert code == 2 and "'q01' is 'word2' there and 'word1' here" in err


def test_a_negative_grade_is_mapped_as_the_error_says(project, capsys):
    Path("a.qrels").write_text("q01 0 d3 -1\n")
    assert "--grades -1=0" in said_of(capsys, "import judgments a.qrels")[2]
    assert said_of(capsys, "import judgments a.qrels --grades -1=0")[0] == 0


def test_a_query_whose_id_is_that_of_a_row_of_another_is_measured(project, capsys):
    lab = Labelling(".")
    with open("queries.jsonl", "a") as file:
        file.write('{"query_id": "q01-1", "query": "word5"}\n')
    lab.judge("q01", "d3", 1, "cat")
    lab.judge("q01-1", "d5", 2, "cat")
    assert said_of(capsys, "measure")[0] == 0
    assert set(load_dataset("datasets/gold.json").judgments) >= {"q01-1", "q02"}


# What one would take without a word, and what is said of it


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", "query\nreset password\n", "its first line, 'query', is taken for a heading"),
        ("a.csv", "query,count\n,3\nsoup,1\n", "1 empty query left out"),
        ("a.csv", "query,frequency (30 days)\nsoup,3\n", "columns that are not read: 'frequency (30 days)'"),
        ("a.csv", "query,text\nsoup,noon\n", "of the columns query and text the first is taken, query"),
        ("a.csv", "query_id,query\nx1,soup\nx2,Soup\n", "ids whose text another query has are not kept: x2"),
        ("a.csv", "query_id,query\nzz,word1\n", "keep the id that they have: zz is q01"),
        ("a.csv", "query,count\nword1,9\n", "1 query of another frequency than before keep the old one: q01"),
        ("a.csv", "query,count\nsoup,\nnoon,2\n", "1 row with an empty count, taken as asked once"),
        ("a.csv", "query,count\nnoon,2\nsoup\n", "1 row with an empty count, taken as asked once"),
        ("a.csv", "query\nsoup\x07bell\n", "1 query with characters that cannot be seen"),
        ("a.txt", "# mine\nsoup\n", "1 query with # first"),
        ("a.txt", "soup\n// todo\n", "1 query with // first, e.g. '// todo'; is it a comment?"),
        ("a.txt", "soup\n- noon\n1. lunch\n", "2 queries with the mark or the number of a list first"),
        ("a.csv", "query\nlost+badge\nlost%20key\nsoup\n", "2 queries encoded as in an address (%20, +)"),
        ("a.log", '"GET /?q=T%u00FCr HTTP/1.1"\n', "1 query encoded as in an address"),
        ("a.csv", "query\nQ&amp;A soup\n", "1 query with marks of HTML (&amp;)"),
        ("a.csv", "query\n/s?q=soup\nnoon\n", "1 query in the form of a request or an address"),
        ("a.csv", 'query,count\n"key,3\nsoup",9\n', "1 query goes over several lines, e.g. 'key,3"),
        ("a.csv", "query,count\nsoup,7\nkey,3\nAll,10\n", "'All', was asked as often as all others together"),
        ("a.jsonl", '{"q": "soup", "hits": 12}\n', "how often a query was asked is read from 'hits'"),
        ("a.csv", "n,query\n5,soup\n2,key\n", "how often a query was asked is read from 'n'"),
        ("a.csv", "n,query\n0,soup\n1,key\n2,noon\n", "the column 'n' numbers the rows, so each is taken"),
        ("a.csv", "query\nT\\u00fcr\n", "1 query with escapes of a program"),
        ("a.csv", "query\nT\u00c3\u00bcr\n", "1 query whose accents were read in a wrong encoding"),
        ("a.csv", "query\nnan\nN/A\nsoup\n", "2 queries that a program may have written for a missing text"),
        (
            "a.log",
            '"GET /?q=soup HTTP/1.1"\n"GET /?term=x HTTP/1.1"\n',
            "1 line left out: no parameter q, query",
        ),
        ("a.log", '"GET /?q=soup HTTP/1.1"\n"GET /?q=so', "1 line left out: cut off"),
        ("a.log", '"GET /?q=soup HTTP/1.1"\n"GET /a.png?s=80 HTTP/1.1"\n', "/?q= (1), /a.png?s= (1)"),
        ("a.log", '"GET /?q=soup HTTP/1.1" 200 9 "-" "Googlebot/2.1"\n', "1 search by programs, for their"),
        ("a.log", '"GET /?q=soup HTTP/1.1"\n"GET /?q=a&q=b HTTP/1.1"\n', "two queries in one request"),
        (
            "a.csv",
            "query,count\nNULL,12\n\\N,4\n(not provided),900\nsoup,2\nnull,1\n",
            "916 searches left out that stand for a missing text: (not provided) (900), NULL (12), \\N (4)",
        ),
    ],
)
def test_what_is_dropped_or_guessed_of_queries_is_said(project, capsys, name, content, words):
    Path(name).write_text(content)
    code, out, err = said_of(capsys, f"import queries {name}")
    assert code == 0 and words in out + err, out + err


@pytest.mark.parametrize(
    ("name", "content", "more", "words"),
    [
        ("a.jsonl", '{"query": "soup \\ud800"}\n', "", "holds half of a surrogate pair"),
        ("a.jsonl", '{"query_id": [1], "query": "soup"}\n', "", "query_id is [1]; needed text"),
        ("a.jsonl", '{"query": ' + 5000 * "[" + "\n", "", "a.jsonl, line 1: not valid JSON"),
        ("a.csv", "query\nsoup\n", "--column ''", "the column is ''"),
        ("a.csv", "# --\n# Of May\n# --\nSearch Term,n\nsoup,1\n", "", "take away what stands above line 4"),
        ("a.csv", "Of May\nquery,n\nsoup,1\n", "", "'Of May' is no heading of a table; take away what"),
        ("a.csv", "Of May;;\nquery;n;\nsoup;1;\n", "", "'Of May;;' is no heading of a table; take away what"),
        (
            "a.tsv",
            'query\tn\n"key\t3\nsoup\t9\n17" tv\t5\n',
            "",
            "line 2: a quote is opened, and closed within",
        ),
        (
            "a.csv",
            'query\n"key\nsoup\n17" tv\n',
            "",
            "within a text in line 4: '17\" tv'; write a quote of the",
        ),
        ("a.txt", "Term,Total\nkey,12\nsoup,3\n", "", "line 1: this looks like the heading of a table"),
        ("a.log", "Suchwort;Anzahl\nkey;12\n", "", "name the column that holds the query with --column"),
        ("A.CSV", "Term,Total\nkey,12\nsoup,3\n", "", "A.CSV: the columns are term, total; name the one"),
        ("A.MD", "# Soup\n", "", "A.MD is a page by its name, a document"),
        ("a.csv", "<table><tr><td>query</td></tr>\n", "", "line 1: this looks like markup, as of a page"),
        ("a.csv", 'query,n\nsoup,"1,234"\n', "", "from 1 to 999999999, in digits only"),
        ("a.csv", "query,hits\nsoup,0\n", "", "where 'hits' is no such number, give it another name"),
        (
            "a.csv",
            "query,n\nsoup,600000000\nkey,600000000\n",
            "--sample 3",
            "1,200,000,000 searches; a sample is",
        ),
        ("a.txt", "/s?q=soup\n/s?q=key\n", "", "2 of 2 queries are requests, e.g. '/s?q=soup'; save them"),
        (
            "a.jsonl",
            '{"request": "GET /s?q=soup HTTP/1.1"}\n',
            "--column request",
            "1 of 1 queries are requests, e.g. 'GET /s?q=soup HTTP/1.1'",
        ),
        (
            "a.log",
            '"GET /search/soup/ HTTP/1.1" 200\n',
            "",
            "as in /search/lost+key/, write the queries one a",
        ),
        ("a.log", '"GET /s?q=key&page=2 HTTP/1.1" 200\n', "", "every search is left out: a further page of"),
        ("a.csv", 'query,n\n"say \\"hi\\", now",2\n', "", 'inside of a text in quotes write "" and not'),
        ("a.csv", 'query,n\n"say \\"hi\\" now",2\n', "", 'inside of a text in quotes write "" and not'),
        ("a.csv", "query,n\n'alpha, beta',2\n", "", "' is no quote here; put the text in double quotes"),
        ("a.csv", "sep=,\nquery,n\nsoup,2\n", "", "line 1: 'sep=,' is no heading but a mark for Excel"),
        ("a.csv", "query,n\nsoup,9999999999\n", "", "needed a whole number from 1 to 999999999"),
        (
            "a.csv",
            "query_id,query\nx1,word1\nx1,soup\n",
            "",
            "'x1' is the id of 'word1' already, and of 'soup'",
        ),
        ("a.txt", "soup,3\nnoon,2\n", "", "a table without a heading"),
        ("a.txt", "- soup\n- noon\n", "", "a list, with marks or numbers before its lines"),
        ("a.py", "import os\n", "", "a.py is a program by its name"),
        ("a.md", "# Soup\n", "", "a.md is a page by its name, a document"),
        ("a.jsonl", '{"_id": "d1", "title": "Soup", "text": "Hot."}\n', "", "it is a document and no query"),
        (
            "a.txt",
            "     12 where is it\n      3 soup\n",
            "",
            "each line begins with a number, as of `uniq -c`",
        ),
    ],
)
def test_queries_that_nobody_asked_so_are_refused(project, capsys, name, content, more, words):
    Path(name).write_text(content)
    code, out, err = said_of(capsys, f"import queries {name} {more}")
    assert (code, out) == (2, "") and words in err, err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("query_id,doc_id,grade\nq01,d2,2\nq01,d", "line 3: 2 of 3 cells, and no other row ends"),
        ("query_id,doc_id,grade\nq01\nq01,d3,1\n", "line 2: 1 of 3 cells, and no other row ends"),
        ("query_id,query,doc_id,grade\n,word1,d1,2\n", "line 2: query_id is empty"),
        ("query_id,doc_id,grade\nq01,D1,2\n", "'D1' would be 'd1', written otherwise"),
        ("q01 0 d3 1,5\n", "line 1: grade '1,5' is not a whole number"),
        ("query_id iter doc_id rel\nq01 0 d3 1\n", "TREC qrels have no heading; take this line away"),
        ("qid it docno relevance\nq01 0 d3 1\n", "TREC qrels have no heading; take this line away"),
        ("q01 0 d3 1\n=======\n>>>>>>> x\n", "line 3: git could not merge two versions here"),
        ("query_id,doc_id,document_id,grade\nq01,d3,d4,2\n", "it has doc_id 'd3' and document_id 'd4'"),
        ("query_id,doc_id,grade,score\nq01,d3,1,2\n", "it has grade '1' and score '2'"),
        ('{"query_id": "q01", "doc_id": ["d3"], "grade": 1}\n', "doc_id is ['d3']; needed text"),
    ],
)
def test_a_judgment_that_says_two_things_or_none_is_refused(project, capsys, content, words):
    name = "a.jsonl" if content.startswith("{") else "a.csv" if "," in content.split()[0] else "a.txt"
    Path(name).write_text(content)
    code, out, err = said_of(capsys, f"import judgments {name}")
    assert (code, out) == (2, "") and words in err, err


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


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("report.json", "report report.json"),
        ("datasets/gold.json", "datasets datasets/gold.json"),
        ("corpus/corpus.json", "measure"),
    ],
)
def test_a_file_of_a_later_version_says_to_update(project, capsys, name, line):
    found = json.loads(Path(name).read_text()) if Path(name).is_file() else {"evidence": []}
    Path(name).write_text(json.dumps(found | {"schema_version": 9}))
    code, _, err = said_of(capsys, line)
    assert code == 2 and "schema_version is 9, of a later version" in err and "update measure-first" in err


def test_a_folder_with_the_name_of_a_backend_does_not_hide_it_in_a_comparison(project, capsys):
    Path("csr-bm25").mkdir()
    code, out, err = said_of(capsys, "compare csr-bm25 substring-scan")
    assert code == 0 and "substring-scan" in out, err


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


def test_a_packed_report_is_compared_as_it_is_read(project, capsys):
    for name in ("csr-bm25", "substring-scan"):
        evaluate = EVALUATE.replace("x.json", f"{name}.json")
        assert said_of(capsys, f"{evaluate} {name}")[0] == 0
    packed = gzip.compress(Path("reports/csr-bm25.json").read_bytes())
    Path("packed.json.gz").write_bytes(packed)
    code, out, err = said_of(capsys, "compare packed.json.gz reports/substring-scan.json")
    assert code == 0 and "substring-scan" in out, err


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


@pytest.mark.parametrize(
    "verb", [f"{EVALUATE} odd_searches:ends", "draft odd_searches:judge_ends --name llm"]
)
def test_a_program_of_ones_own_cannot_end_ours_without_a_word(project, capsys, verb):
    code, out, err = said_of(capsys, verb)
    assert (code, out) == (2, "") and "os._exit(0), which ends the whole program" in err, err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("gate csr-bm25 odd_searches:cancels --limit nDCG@10:0.02", "your search raised CancelledError"),
        ("gate csr-bm25 odd_searches:leaves --limit nDCG@10:0.02", "your search raised GeneratorExit"),
        ("draft odd_searches:judge_stops --name llm", "your judge raised StopIteration"),
    ],
)
def test_no_end_of_ones_own_code_is_red_in_a_gate_or_a_traceback_of_a_judge(project, capsys, line, words):
    code, out, err = said_of(capsys, line)
    assert (code, out) == (2, "") and words in err, err


def test_a_block_of_ones_own_code_gives_back_the_folder_and_the_exit():
    folder, leave = os.getcwd(), os._exit
    with pytest.raises(RuntimeError, match="mine: your search raised KeyError: 'key'"), own_code("mine"):
        os.chdir("/")
        raise KeyError("key")
    assert (os.getcwd(), os._exit) == (folder, leave)


def test_a_judge_that_judges_json_lost_is_told_how_to_come_back(project, capsys):
    assert said_of(capsys, "draft odd_searches:judge_nothing --name llm")[0] == 0
    Path("judges/judges.json").unlink()
    for line in ("agreement llm", "settle llm q01 d1 2"):
        code, _, err = said_of(capsys, line)
        assert code == 2 and "make it known again: workbench pool --judge llm" in err, err
    assert said_of(capsys, "pool --judge llm --judge-is model")[0] == 0
    assert said_of(capsys, "agreement llm")[0] == 0
    assert "(300 characters); needed at most 41" in said_of(capsys, f"pool --judge {300 * 'a'}")[2]


def test_the_baseline_that_is_kept_is_named_and_one_that_cannot_be_read_is_kept_beside(project, capsys):
    assert said_of(capsys, "measure")[0] == 0
    Path("systems.json").write_text('{"full": "sqlite-full-text-search"}')
    assert "kept: baseline.json is of csr-bm25" in said_of(capsys, "measure")[1]
    Path("baseline.json").write_text("spoilt")
    assert "is kept as baseline.unreadable.json" in said_of(capsys, "measure")[1]
    assert Path("baseline.unreadable.json").read_text() == "spoilt"


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
    assert code == 2 and "KeyError: 'a thing' (test_bad_input.py, line" in err
    assert "in: workbench measure" in err and "WORKBENCH_TRACEBACK=1" in err


def test_the_folder_of_a_project_is_not_its_corpus(project, capsys):
    line = "evaluate --corpus . --dataset datasets/gold.json --system csr-bm25"
    assert ". is no corpus: it has no corpus.json; give corpus" in said_of(capsys, line)[2]


def test_what_is_not_read_of_documents_is_noted(project, capsys):
    Path("docs").mkdir()
    Path("docs/a.jsonl").write_text('{"_id": "a", "text": "soup \\ud800", "url": "x"}\n')
    Path("docs/b.md").write_text("---\ndoc_id: [1, 2]\n---\nsoup")
    code, out, _ = said_of(capsys, "ingest --corpus corpus docs")
    assert code == 0 and "fields that are not read: 'url'" in out and "became U+FFFD in 1 line" in out
    assert "doc_id of the front matter is no text" in out


def test_the_gate_of_a_project_refuses_an_exit_code_that_is_none(project):
    gate_sh = TEMPLATE / "gate.sh"
    ran = subprocess.run(
        ["bash", gate_sh], env=os.environ | {"UNSURE": "abc"}, capture_output=True, text=True
    )
    assert ran.returncode == 2 and "UNSURE is 'abc'; needed an exit code from 0 to 99" in ran.stderr


# What an outsider tried


def test_grades_that_were_lost_are_missed_by_name(project, capsys):
    Path("datasets/gold.qrels").unlink()
    for line in (f"{EVALUATE} csr-bm25", "datasets datasets/gold.json"):
        code, _, err = said_of(capsys, line)
        assert code == 2 and "gold.qrels, which was beside it, is missing" in err, err


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


def test_a_run_is_not_written_over_a_system_of_the_project(project, capsys):
    Path("theirs.run").write_text(DISTANT)
    Path("systems.json").write_text('{"mine": "csr-bm25", "theirs": "theirs.run"}')
    code, _, err = said_of(capsys, f"{EVALUATE} csr-bm25 --run-out theirs.run")
    assert code == 2 and "--run-out theirs.run is the system 'theirs' of systems.json" in err
    assert Path("theirs.run").read_text() == DISTANT


def test_a_query_that_was_reworded_under_its_id_is_named(project, capsys):
    Path("queries.jsonl").write_text(Path("queries.jsonl").read_text().replace("word1", "word3"))
    code, out, err = said_of(capsys, "measure")
    assert code == 0 and "q01 is 'word3' in queries.jsonl and was 'word1' in the dataset until now" in out


def test_a_judgment_that_no_longer_counts_is_named_with_the_reason(project, capsys):
    with open("judgments.jsonl", "a") as file:
        file.write('{"query_id": "q01", "doc_id": "gone.md", "grade": 1}\n')
    code, out, err = said_of(capsys, "measure")
    assert code == 0 and "1 judgment kept and not counted: q01 gone.md (the document is gone)" in out


def test_one_name_is_one_program_that_judges(project, capsys):
    assert said_of(capsys, "draft odd_searches:judge_nothing --name llm")[0] == 0
    code, _, err = said_of(capsys, "draft odd_searches:judge_makes_up --name llm")
    assert code == 2 and "the judgments of 'llm' are those of odd_searches:judge_nothing" in err


def test_queries_with_and_without_ids_of_their_own_do_not_collide(project, capsys):
    Path("a.csv").write_text("query_id,query\n,soup\nq03,noon\n,tea\n")
    code, out, err = said_of(capsys, "import queries a.csv")
    assert code == 0 and "added 3 queries" in out, err
    assert '"query_id": "q04", "query": "soup"' in Path("queries.jsonl").read_text()


def test_a_list_over_many_lines_in_place_of_records_is_one_problem(project, capsys):
    Path("judgments.jsonl").write_text('[\n  {\n    "query_id": "q01"\n  }\n]\n')
    code, _, err = said_of(capsys, "pool")
    assert code == 2 and err.count("\n") == 1 and "a list of JSON over several lines" in err


def test_a_judge_corrects_a_grade_in_a_file_of_their_own(project, capsys):
    Path("a.csv").write_text("query_id,doc_id,grade\nq01,d1,2\n")
    assert said_of(capsys, "import judgments a.csv --judge anna")[0] == 0
    Path("a.csv").write_text("query_id,doc_id,grade\nq01,d1,1\n")
    code, _, err = said_of(capsys, "import judgments a.csv --judge anna")
    assert code == 2 and "change its line in judges/anna.jsonl:" in err, err


def test_a_judge_whose_name_is_like_another_is_said_to_be_new(project, capsys):
    assert said_of(capsys, "pool --judge anna")[2] == ""
    code, _, err = said_of(capsys, "pool --judge ana")
    assert code == 0 and "new judge 'ana'; there is 'anna'" in err
    code, _, err = said_of(capsys, "pool --judge Anna")
    assert code == 2 and "'Anna' differs in capitals only" in err


def test_a_format_without_grades_says_so_on_both_ways(project, capsys):
    assert "this format has no grades" in said_of(capsys, "export out --format biblicus")[2]
    code, _, err = said_of(capsys, "import judgments out/dataset.json --judge anna")
    assert code == 0 and "it has no grades, so each document that a query expects is taken as grade 2" in err


def test_an_export_says_which_queries_are_left_out(project, capsys):
    with open("queries.jsonl", "a") as file:
        file.write('{"query_id": "q09", "query": "tea", "kind": "question"}\n')
    for form, why in (("trec", "no judgment"), ("biblicus", "no relevant document")):
        code, _, err = said_of(capsys, f"export out-{form} --format {form}")
        assert code == 0 and f"1 query with {why} left out: q09" in err


def test_files_of_a_project_are_no_labels_and_no_documents(project, capsys):
    code, _, err = said_of(capsys, "datasets --from-labels queries.jsonl --docs corpus --out x.json")
    assert code == 2 and "workbench measure` writes the dataset" in err
    code, _, err = said_of(capsys, "new ../again --docs .")
    assert code == 2 and "is a project itself" in err


def test_documents_without_a_text_of_their_own_are_left_out_by_name(project, capsys):
    Path("all/docs").mkdir(parents=True)
    Path("all/docs/pointer.md").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1\n")
    Path("all/docs/app.html").write_text("<title>App</title><body><div id=root></div></body>")
    Path("all/docs/merge.md").write_text("# Dogs\n\n<<<<<<< HEAD\nbark\n=======\nhowl\n>>>>>>> theirs\n")
    for name in ("cats.md", "cafe\u0301.md", "caf\u00e9.md"):
        Path(f"all/docs/{name}").write_text(f"# Cats\n\nThey sleep, {len(name)}.")
    code, out, _ = said_of(capsys, "ingest all/docs --corpus corpus")
    assert code == 0 and "a pointer of Git LFS and not the file itself" in out
    assert "merge.md: an unfinished merge" in out and "both sides were read; choose one" in out
    assert "it has a title and no text" in out and "differ in how their accents are written" in out
    Path("all/docs/cats.md").write_text("")
    code, out, _ = said_of(capsys, "ingest all --corpus corpus --allow-left-out")
    assert "3 documents are word for word in the corpus already" in out, out
    assert "the older text" in said_of(capsys, "ingest all/docs --corpus corpus --allow-left-out")[1]


def test_a_second_sample_says_that_its_draws_are_not_added(project, capsys):
    Path("a.txt").write_text("soup\nnoon\n")
    assert said_of(capsys, "import queries a.txt --sample 2")[0] == 0
    assert (
        "2 queries were drawn again and not counted again"
        in said_of(capsys, "import queries a.txt --sample 2")[1]
    )


def test_judgments_that_are_read_only_stay_as_they_are(project, capsys):
    Path("a.csv").write_text("query_id,doc_id,grade\nq01,d2,1\n")
    Path("judgments.jsonl").chmod(0o444)
    code, _, err = said_of(capsys, "import judgments a.csv")
    assert code == 2 and "judgments.jsonl is read-only" in err


def test_scores_that_are_equal_in_32_bits_are_no_other_order(tmp_path):
    (tmp_path / "a.run").write_text("q1 Q0 a 1 1.000000000002 me\nq1 Q0 b 2 1.000000000001 me\n")
    (note,) = trec.order_notes(tmp_path / "a.run", trec.read_run(tmp_path / "a.run"))
    assert "scores differ by less than 32 bits can hold" in note


# What is named for what it is


@pytest.mark.parametrize("given", ["junk", "1.5", "-5", "99999999999999"])
def test_a_time_that_is_none_is_refused_by_its_name(project, capsys, monkeypatch, given):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    said = f"SOURCE_DATE_EPOCH is '{given}'; needed whole seconds since 1970, in digits only, or unset it"
    assert said in said_of(capsys, "datasets datasets/gold.json")[2]


@pytest.mark.parametrize("given", ["", " ", "1700000000"])
def test_an_empty_time_is_none_and_whole_seconds_are_one(project, capsys, monkeypatch, given):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    assert said_of(capsys, "datasets datasets/gold.json")[0] == 0
    assert os.environ.get("SOURCE_DATE_EPOCH", "") == given.strip()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("soup\n" + 1001 * "x" + "\n", "a.txt, line 2: the query is 'xxx"),
        ("iphone 12 pro 256\n", "if these are queries as they stand, write a first line `query`"),
        ('"GET /search?find=soup HTTP/1.1"\n', "name the one that holds the query with --column"),
    ],
)
def test_of_queries_that_are_refused_the_line_or_the_way_out_is_named(project, capsys, content, words):
    Path("a.txt").write_text(content)
    code, _, err = said_of(capsys, "import queries a.txt")
    assert code == 2 and words in err, err


@pytest.mark.parametrize("content", ["query\niphone 12 pro 256\n", '{"a": 1}\nhow to reset\n'])
def test_queries_that_look_like_something_else_are_taken_as_they_stand(project, capsys, content):
    Path("a.txt").write_text(content)
    code, out, err = said_of(capsys, "import queries a.txt")
    assert code == 0 and content.splitlines()[-1] in Path("queries.jsonl").read_text(), err


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("systems.json", "systems"),
        ("queries.jsonl", "pool"),
        ("judgments.jsonl", "measure"),
        ("datasets/gold.json", "datasets datasets/gold.json"),
    ],
)
def test_a_merge_that_is_not_finished_is_called_so(project, capsys, name, line):
    Path(name).write_text("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n")
    code, _, err = said_of(capsys, line)
    assert code == 2 and "an unfinished merge (a line begins with <<<<<<<)" in err, err
    assert "cut off" not in err


def test_json_lines_in_place_of_a_dataset_are_called_so(project, capsys):
    assert "this looks like JSON lines" in said_of(capsys, "datasets queries.jsonl")[2]


def test_judgments_of_another_project_are_shown_beside_an_id_of_this_one(project, capsys):
    other = '{"query_id": "q01", "doc_id": "theirs.md", "grade": 1}\n'
    Path("judges").mkdir(exist_ok=True)
    Path("judges/judges.json").write_text('{"llm": {"kind": "model"}}')
    Path("judges/llm.jsonl").write_text(other)
    err = said_of(capsys, "agreement llm")[2]
    assert "llm judged e.g. ('q01', 'theirs.md')" in err and "llm.jsonl of another project?" in err
    Path("judgments.jsonl").write_text(other)
    err = said_of(capsys, "measure")[2]
    assert "there is no document 'theirs.md' here, but e.g. " in err and "of another project?" in err
    Path("judgments.jsonl").write_text("")
    assert "judgments.jsonl holds no judgment, or is not there" in said_of(capsys, "agreement llm")[2]


def test_without_a_query_nothing_is_drafted(project, capsys):
    Path("queries.jsonl").write_text("")
    code, _, err = said_of(capsys, "draft odd_searches:judge_nothing --name llm")
    assert code == 2 and "the project has no query yet" in err


def test_a_search_that_is_empty_for_many_hits_is_asked_for_few(project, capsys):
    Path("shallow.py").write_text(
        "def search(query, k):\n    return [] if k > 50 else [DOC]\nDOC = 'lunch.md'\n"
    )
    doc_id = json.loads(Path("judgments.jsonl").read_text().splitlines()[0])["doc_id"]
    Path("shallow.py").write_text(Path("shallow.py").read_text().replace("lunch.md", doc_id))
    code, out, _ = said_of(capsys, f"{EVALUATE} shallow:search")
    assert code == 0 and "when asked for 10, none when asked for 100; has your search a limit on k?" in out


def test_a_report_is_known_by_what_it_holds_and_what_is_printed_is_no_report(project, capsys):
    for system in ("csr-bm25", "rank-bm25"):
        said_of(capsys, f"{EVALUATE.replace('x.json', f'{system}.json')} {system}")
    Path("reports/csr-bm25.json").rename("base")
    code, out, err = said_of(capsys, "gate base reports/rank-bm25.json --limit MRR:0.02 --json")
    assert code in (0, 1), err
    Path("g.json").write_text(out)
    err = said_of(capsys, "report g.json")[2]
    assert "no report but an object with exit_code, candidates; is it what a verb prints with --json?" in err


def test_a_syntax_error_of_ones_own_module_has_one_place(project, capsys):
    Path("unclosed.py").write_text("def search(query, k)\n")
    err = said_of(capsys, "systems --add other=unclosed:search")[2]
    assert "(unclosed.py, line 1)" in err and "__init__" not in err


def test_a_name_that_a_shell_would_obey_is_quoted_in_commands(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/a.md").write_text("# Soup\nIt is served hot at noon.")
    made = new_project(tmp_path / 'my "$(x)" p', tmp_path / "docs")
    assert """--name 'my "$(x)" p'`""" in (made.folder / "README.md").read_text()
    assert "next: workbench ingest --corpus '$(x)' PATH" in said_of(capsys, "init '$(x)'")[1]


def test_dicts_in_the_place_of_documents_or_labels_are_named():
    with pytest.raises(
        ValueError, match=r"documents\[0\] is a dict; needed a SourceDocument; corpus.documents"
    ):
        draft_queries([{"doc_id": "d1", "text": "cats"}])
    with pytest.raises(ValueError, match=r"labelled\[0\] is a dict; needed a LabelledQuery; .* load_labels"):
        from_labels([{"query_id": "q1"}], "mine", "")


# What was taken without a word, and gave another number


KEPT = {"d1": "cats sleep"}
TABLE = pd.DataFrame({"impression": "i", "query_id": "q", "rank": [1, 2], "doc_id": ["d", "e"], "clicked": 1})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cohen_kappa({"q1": 1}, {"q2": 1}), "labels of 'q1', 'q2' come from one rater alone"),
        (lambda: cohen_kappa({"q1": 1}, [1]), "a dict and the other's a list"),
        (lambda: cohen_kappa([2, None], [2, 1]), "item 1 has no label from the first rater"),
        (lambda: cohen_kappa([2, 1], pd.Series([2, None])), "item 1 has no label from the second rater"),
        (lambda: cohen_kappa(["2", "1"], [2, 1]), "text and the other's are not .'2', 2.*give both in one"),
        (lambda: verdict_table([1, float("nan")], [1, 0]), "gold, item 1: nan is no grade"),
        (lambda: verdict_table({1: 2}, {1: 0}), "gold is a dict; needed a list of grades"),
        (lambda: to_corpus([*chunk_fixed("a cat"), *chunk_fixed("a dog")]), "two different chunks have the"),
        (lambda: without_own_ids({"q": [("d", 1.0)]}, k=0), "k is 0; a cut-off is a rank"),
        (lambda: trec.order_notes("x.run", {}, k=-1), "k is -1; a cut-off is a rank"),
        (lambda: assignment(1.5), "share is 1.5; needed a number from 0 to 1"),
        (lambda: assignment(float("nan")), "share is nan"),
        (lambda: redundancy([("d1", 8, 0)]), "'d1', 8, 0. is no piece of a document; needed .doc_id, start"),
        (lambda: redundancy([("d1", 5)]), "is no piece of a document"),
        (lambda: clicks_by_rank(pd.concat([TABLE, TABLE])), "row 2 .* impression 'i' has rank 1 twice"),
        (lambda: clicks_by_document(TABLE.assign(doc_id="d")), "row 1 .* has doc_id 'd' twice"),
        (lambda: neyman_allocation({"a": 10}, {"b": 1.0}, 5), "a spread of stratum 'b', which has no size"),
        (lambda: neyman_allocation({"a": 10}, {"a": -1.0}, 5), "the spread of stratum 'a' is -1.0; needed"),
        (
            lambda: difference_interval(pd.Series([0.1, 0.2], index=["a", "b"]), pd.Series(["x", "y"])),
            "2 differences and 2 cluster labels with different indexes; give clusters.differences.index",
        ),
        (lambda: write_dataset("gold.v1", from_qrels({"q": "a"}, {"q": {"d": 1}}, "x", "")), "ends in .json"),
    ],
)
def test_what_would_give_another_number_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_labels_with_names_are_paired_by_them_and_not_by_their_places():
    one, other = {"q1": 2, "q2": 0, "q3": 1}, {"q3": 1, "q2": 0, "q1": 2}
    assert cohen_kappa(one, other) == cohen_kappa(pd.Series(one), pd.Series(other)) == 1
    assert cohen_kappa(one, {"q1": 0, "q2": 2, "q3": 2}) < 0


def test_differences_and_clusters_are_paired_by_their_index():
    differences = pd.Series([0.1, 0.2, 0.9], index=["a", "b", "c"])
    found = difference_interval(differences, pd.Series(["x", "x", "y"], index=["c", "b", "a"]))
    assert found == difference_interval(differences, pd.Series(["y", "x", "x"], index=["a", "b", "c"]))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: cosines(np.ones(2), np.ones((3, 3))),
            "one has the shape .2,. and others .3, 3.; needed",
        ),
        (
            lambda: ExtractiveAnswerer(KEPT, load_stand_in()).answer("cats", [("d9", 0, 5)], 10),
            "the context has 'd9', which the corpus lacks",
        ),
        (
            lambda: trec.write_qrels({"q1": ["d1"]}, "x"),
            r"qrels\['q1'\] is a list; needed a Mapping",
        ),
        (lambda: add_query("m.jsonl", "cats", "question", {"d1": 2}, KEPT), "judgments is a dict; needed"),
        (
            lambda: add_query("m.jsonl", "cats", "question", [("d1", 2)], KEPT),
            r"judgments\[0\] is \('d1', 2\); needed \(doc_id, grade, quote\)",
        ),
        (lambda: kept_documents([("d1", "a")], set()), "is no row of a document; needed .where, document id"),
        (
            lambda: kept_documents([{"_id": "d1", "title": "T", "text": "x"}], set()),
            "is no row of a document",
        ),
        (lambda: kept_documents([("line 1", "d1", 7)], set()), "is no row of a document"),
        (lambda: kept_documents([("d1", "a")], set(), 5), "is no row of a document"),
        (lambda: load_needs("x"), "labels is the text or path 'x'; needed labelled queries"),
        (lambda: without_times({}), "report is a dict; needed an EvaluationReport"),
        (lambda: draft_queries([], limit=0), "limit is 0; needed a whole number of queries"),
        (lambda: check_option("judge", "anna", []), "judge is 'anna'; there is none to choose from"),
        (
            lambda: compare({"a": {"q1": 1.0, "q2": 0.5}, "b": {"q1": 0.5, "q2": 0.5}}).moved("b", n=-1),
            "n is -1; needed a whole number of queries",
        ),
    ],
)
def test_what_has_another_form_is_named_with_the_form_that_is_needed(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_an_index_that_was_closed_says_so():
    index = SqliteFTS5(CORPUS)
    index.close()
    with pytest.raises(ValueError, match="the index was closed, .*; open it again"):
        index.search({"q": "cat"})


def test_queries_that_are_neither_a_name_nor_a_file_are_refused_with_the_names(tmp_path):
    for more in ({}, {"folder": str(files.RUNBOOKS)}):
        with pytest.raises(FileNotFoundError, match="queries is 'main', .* the names core, dev, test, all"):
            load_runbooks(queries="main", **more)


@pytest.mark.parametrize("mark", [",", ";", " | "])
def test_judgments_of_beir_with_another_separator_are_told_which(tmp_path, mark):
    (tmp_path / "test.tsv").write_text(mark.join(["query-id", "corpus-id", "score"]) + "\nq1,d1,1\n")
    with pytest.raises(ValueError, match=f"separated by {mark.strip()!r}".replace("|", r"\|")):
        read_beir_qrels(str(tmp_path / "test.tsv"))


def test_a_path_may_be_text_wherever_it_may_be_a_path(made, tmp_path):
    assert load_results(str(save_results("mine", [{"a": 1}], str(tmp_path)))) == [{"a": 1}]
    lab = Labelling(tmp_path / "mine")
    lab.add_query("word1")
    folder = str(lab.folder)
    assert list(labelling.read_questions(folder)) == ["q01"]
    assert labelling.read_systems(folder) == lab.systems.specs
    assert labelling.verdicts_path(folder).parent == lab.folder
    assert labelling.read_judges(folder) == {}
    lab.measure({"mine": "csr-bm25"})
    assert open_system("csr-bm25", lab.corpus, home=folder).name == "csr-bm25"


@pytest.mark.parametrize(
    ("systems", "words"),
    [
        (["csr-bm25"], "systems is a list; needed names and systems, e.g. {"),
        ({"f": len}, "system 'f' is a builtin_function_or_method; needed text: module:function"),
        ({"mine": Path("no.run")}, "no.run"),
    ],
)
def test_what_a_project_cannot_measure_is_named(made, tmp_path, systems, words):
    with pytest.raises(ValueError, match=words) as raised:
        Labelling(tmp_path / "mine").measure(systems)
    assert "Errno" not in str(raised.value)


def test_a_judge_that_a_project_does_not_have_is_named(made, tmp_path):
    with pytest.raises(ValueError, match="there is no judge 'anna'; the project has none but its own"):
        Labelling(tmp_path / "mine", judge="anna")


@pytest.mark.parametrize("names", ["ab", ("a", "b", "c"), ("a", None)])
def test_names_of_a_gate_that_are_no_two_texts_are_refused(made, names):
    report = evaluate_run(*made)
    with pytest.raises(ValueError, match="names is .*; needed two texts, of the baseline and"):
        gate(report, report, {"MRR": 0.1}, names=names)


def test_a_vocabulary_that_was_cut_off_is_refused_and_one_that_lacks_a_line_is_named(tmp_path):
    vocabulary = write_model(tmp_path / "m") / "vocab.txt"
    lines = vocabulary.read_text().splitlines()
    vocabulary.write_text("\n".join(lines[:-1]) + "\n")
    with pytest.warns(UserWarning, match="m: 17 word pieces for 18 word embeddings; .* if a line"):
        load_encoder(tmp_path / "m")
    vocabulary.write_text("\n".join(lines[:9]) + "\n")
    with pytest.raises(ValueError, match="9 word pieces for 18 word embeddings; the vocabulary is cut off"):
        load_encoder(tmp_path / "m")


def test_searches_that_were_drawn_are_no_more_than_those_of_the_log(made, tmp_path):
    record = {"query_id": "q01", "query": "word1", "frequency": 1, "drawn": 5}
    (tmp_path / "mine" / "queries.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(ValueError, match="line 1, drawn: 5 searches of 1 .frequency. cannot be drawn"):
        Labelling(tmp_path / "mine")


def test_counts_over_searches_are_checked(made):
    report = evaluate_run(*made)
    query_id = next(iter(report.per_query))
    with pytest.raises(ValueError, match="metric is 'ndcg'; it can be 'nDCG@10'"):
        over_searches(report, {query_id: 2}, metric="ndcg")
    with pytest.raises(ValueError, match="is -1; needed a whole number of searches, 0 or more"):
        over_searches(report, {query_id: -1})


def test_rows_that_differ_in_a_blank_are_named_as_two_queries(tmp_path):
    rows = [("1a", "reset password", "a"), ("1b", "Reset password ", "b"), ("2", "vpn token", "a")]
    queries = [
        {"query_id": q, "query_text": text, "expected_item_id": d, "kind": "gold"} for q, text, d in rows
    ]
    data = {"schema_version": 1, "name": "hand", "description": "", "queries": queries}
    (tmp_path / "d.json").write_text(json.dumps(data))
    with pytest.warns(UserWarning, match="rows '1a' and '1b' ask .* blanks or capitals alone"):
        load_dataset(tmp_path / "d.json")


def test_exchanged_columns_of_rank_and_score_are_told(tmp_path):
    path = tmp_path / "b.run"
    path.write_text("q1 Q0 a 1.0 1 x\nq1 Q0 b 0.5 2 x\nq1 Q0 c 0.333 3 x\n")
    notes = trec.order_notes(path, trec.read_run(path))
    assert any("were the columns of rank and score exchanged?" in note for note in notes)
    path.write_text("q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq1 Q0 c 3 1 x\n")
    assert not any("exchanged" in note for note in trec.order_notes(path, trec.read_run(path)))


def test_a_class_in_place_of_a_retriever_and_a_table_in_place_of_p_values_are_named():
    with pytest.raises(ValueError, match=r"CsrBM25 is a class; .*CsrBM25\(corpus\)"):
        HybridRetriever([CsrBM25, CsrBM25])
    with pytest.raises(ValueError, match="p is a table with columns p; give one column"):
        holm(pd.DataFrame({"p": [0.01, 0.2]}))


def test_a_packed_corpus_is_told_to_be_unpacked(tmp_path):
    (tmp_path / "queries.jsonl.gz").write_bytes(b"\x1f\x8b")
    with pytest.raises(FileNotFoundError, match="queries.jsonl.gz is: unpack it, gunzip"):
        load_beir("mine", path=tmp_path)


def test_a_sheet_of_judgments_is_no_list_of_queries_and_a_scale_of_five_is_mapped_whole(project, capsys):
    Path("s.csv").write_text("query_id,query,doc_id,grade,quote\nq01,soup,a.md,,\n")
    code, _, err = said_of(capsys, "import queries s.csv")
    assert code == 2 and "is a sheet of judgments" in err and "workbench import judgments" in err
    query_id = json.loads(Path("queries.jsonl").read_text().splitlines()[0])["query_id"]
    doc_id = next(iter(CorpusFolder.open("corpus").corpus))
    Path("k.csv").write_text(f"query_id,doc_id,grade\n{query_id},{doc_id},5\n")
    code, _, err = said_of(capsys, "import judgments k.csv")
    assert code == 2 and "--grades 5=2; 2 answers the query, 1 helps, 0 neither" in err


def test_a_hyphen_in_a_strict_query_is_told_with_its_cure():
    with pytest.raises(ValueError, match="no FTS5 expression.*in double quotes, or search without strict"):
        SqliteFTS5({"d": "two factor"}, strict=True).search({"q": "two-factor"})


def test_blanks_behind_a_closing_quote_do_no_harm(tmp_path):
    (tmp_path / "a.csv").write_text('query,count\n"lost, key" ,3\n"a ""b"" , c",2\n')
    assert [query.text for query in read_queries(tmp_path / "a.csv")] == ["lost, key", 'a "b" , c']


def test_frequencies_that_cannot_be_drawn_from_are_named():
    with pytest.raises(ValueError, match="frequency of 'soup' is 2.0; needed a whole number, 1 or more"):
        sample_searches([AskedQuery("soup", frequency=2.0)], 1)
    with pytest.raises(ValueError, match="frequency of 'soup' is 0; needed a whole number"):
        sample_searches([AskedQuery("soup", frequency=0)], 1)


def test_labels_are_not_replaced_by_the_judgments_of_their_own_export(tmp_path, capsys):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\nUse the key.")
    judged = {"doc_id": "a.md", "grade": 2, "quote": "Use the key."}
    label = {"query_id": "q1", "query": "door", "kind": "question", "relevant_doc_ids": ["a.md"]}
    labels = tmp_path / "lab.qrels"
    labels.write_text(json.dumps(label | {"judgments": [judged]}) + "\n")
    before = labels.read_text()
    line = ["--from-labels", str(labels), "--docs", str(docs), "--out", str(tmp_path / "lab.json")]
    assert main(["datasets", *line]) == 2
    assert "lab.qrels is there, belongs to no dataset file of ours" in capsys.readouterr().err
    assert labels.read_text() == before and not (tmp_path / "lab.json").exists()
    labels.rename(tmp_path / "lab.jsonl")
    line[1] = str(tmp_path / "lab.jsonl")
    assert main(["datasets", *line]) == 0 == main(["datasets", *line])


def test_what_can_be_read_only_once_gives_the_same_numbers():
    run = {"q1": [("d1", 2.0), ("d2", 1.0)]}
    once = {"q1": zip(["d1", "d2"], [2.0, 1.0], strict=True)}
    qrels = {"q1": {"d1": 1, "d2": 0}}
    assert judged_at_k({"A": once}, qrels, 2).equals(judged_at_k({"A": run}, qrels, 2))
    pieces = [("d1", 0, 8), ("d1", 6, 14)]
    assert redundancy(piece for piece in pieces) == redundancy(pieces) == 0.125
    nugget = Nugget(text="Noon.", importance="vital", support=[{"doc_id": "d1", "quote": "noon"}])
    found = stages([nugget], iter([("d1", 0, 4)]), iter([]), {"d1": "noon, at the desk"})
    assert found["not picked"] == 1
    with pytest.warns(UserWarning, match="none of the run's 1 document id is judged"):
        evaluate_retrieval({"q1": iter([("x", 1.0)])}, qrels)


def test_an_empty_dataset_has_sizes(tmp_path):
    assert repr(Dataset("toy", "test", {"d1": "a"}, {"q1": "b"}, None, "")).endswith("0 judgments")


def test_a_file_where_a_folder_should_be_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError, match="a file stands where a folder is needed: .*file'"):
        save_results("rows", [], tmp_path / "file" / "sub")


def test_pairs_that_come_from_json_are_pairs():
    analyzer = RetrievalErrorAnalyzer({"d1": "cats", "d2": "dogs"})
    assert analyzer.analyze_failures("cats", [["d1", 0.5]], {"d1"}) == []


def test_a_folder_of_ones_own_is_led_to_its_path(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"a folder of your own is given by its path: load_beir\(name, path"):
        load_beir("mine", "path/to/mine")
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("MEASURE_FIRST_OFFLINE", "1")
    (tmp_path / "scifact").mkdir()
    (tmp_path / "scifact" / "corpus.jsonl").touch()
    monkeypatch.setenv("BEIR_DATA_DIR", str(tmp_path / "scifact"))
    with pytest.raises(OSError, match="scifact is the folder of one dataset; name the folder above it"):
        load_beir("scifact")


def test_a_room_is_found_at_the_top_of_the_package():
    code = "import workbench; print(workbench.reports.gate.__name__, hasattr(workbench, 'nothing'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["gate", "False"], done.stderr


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: personal_data("john@example.org"), "texts is the text 'john@example.org'; give a list"),
        (
            lambda: evaluate_retrieval({"q1": "text"}, {"q1": {"d1": 1.0}}, {"q1": {"d1": 1}}),
            r"it is evaluate_retrieval\(run, qrels\), one run and no queries",
        ),
        (
            lambda: within_budget([Item("a", "a", "a", 1.0, None, 0, 0)], QueryBudget(max_total_items=1)),
            "text of candidate 1 .'a'.",
        ),
    ],
)
def test_what_was_meant_otherwise_is_told(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("frequency", [0, -1, float("nan"), "3", None])
def test_a_frequency_that_is_none_is_not_dropped(frequency, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\nUse the key.")
    new_project(tmp_path / "p", tmp_path / "docs")
    with pytest.raises(ValueError, match="the frequency of 'pods' is .*; needed a whole number of searches"):
        bring_in_queries(Labelling(tmp_path / "p"), [AskedQuery("pods", frequency=frequency)])


def test_the_name_that_was_meant_stands_beside_the_one_that_is_not_there(tmp_path):
    one, other = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": [("d1", 1.0)], "q2": [("d3", 1.0)]}
    measured = evaluate_retrieval(other, one)
    with pytest.raises(ValueError, match="did you mean 'nDCG@10'"):
        compare({"A": measured, "B": measured}, "ndcg@10")
    (tmp_path / "q.jsonl").write_text('{"query_id": "q1", "query": "soup"}\n')
    with pytest.raises(ValueError, match="line 1: there is no field 'text'; it has query_id, query"):
        read_queries(tmp_path / "q.jsonl", column="text")
    with pytest.raises(ValueError, match="url is 'localhost:9'; needed one that begins so: http://"):
        ChatJudge("localhost:9", "m")


def test_of_several_paths_what_was_read_before_an_error_is_said(project, capsys):
    for name in ("A", "B"):
        Path(name).mkdir()
        Path(f"{name}/index.md").write_text(f"# {name}\n\nAll of {name} is here.")
    code, _, err = said_of(capsys, "ingest A corpus --corpus corpus")
    assert code == 2 and "is in the corpus: A" in err
    code, out, _ = said_of(capsys, "ingest A B --corpus corpus")
    assert code == 0 and "1 document takes the place of those of A, index.md" in out


def test_sizes_of_pieces_that_do_not_go_together_blame_no_document(project, capsys):
    code, _, err = said_of(capsys, "snapshot --corpus corpus --chunker fixed --chunk-size 10")
    assert code == 2 and "less than the 50 tokens that chunks share by default" in err and "--overlap" in err
    assert "document" not in err


def test_a_damaged_snapshot_stops_no_other(project, capsys):
    Path("corpus/snapshots/0123456789abcdef").mkdir(parents=True)
    code, out, _ = said_of(capsys, "snapshot --corpus corpus")
    assert code == 0 and "another snapshot cannot be read: " in out and "0123456789abcdef" in out


def test_long_pages_that_are_not_cut_are_told(project, capsys):
    Path("page.html").write_text("<title>T</title>" + "".join(f"<p>Line {n}.</p>" for n in range(50)))
    assert said_of(capsys, "ingest page.html --corpus corpus")[0] == 0
    _, out, _ = said_of(capsys, "snapshot --corpus corpus --chunker paragraphs")
    assert "1 long document is one item, without a blank line to cut at: page.html" in out
    assert "one item" not in said_of(capsys, "snapshot --corpus corpus --chunker recursive")[1]


def test_chunks_that_share_an_id_are_to_be_numbered():
    pieces = [replace(piece, chunk_idx=0) for piece in chunk_paragraphs("a\n\nb", "d1")]
    with pytest.raises(ValueError, match="with its own doc_id, and number its chunks 0, 1, 2"):
        to_corpus(pieces)


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


def test_fields_of_a_log_that_hold_no_query_are_named(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"ts": 1, "params": {"q": "soup"}}\n')
    with pytest.raises(
        ValueError, match=r"it has ts, params; name .*--column; .* jq -c '{query: .params.q}'"
    ):
        read_queries(tmp_path / "log.jsonl")


class Rigid:
    def __init__(self, address):
        self.address = address.lower()

    def search(self, query, k):
        return ["d1"]


def test_of_a_class_that_is_made_otherwise_an_object_is_asked_for(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "corpus")
    corpus.add([SourceDocument("d1", "", "soup", "d1")])
    with pytest.raises(ValueError, match=r"is a class; making it .* make an object in its module"):
        open_system(f"{__name__}:Rigid", corpus)


def test_a_judgment_without_a_quote_is_named_once_its_document_reads_otherwise(project, capsys):
    lab = Labelling(".")
    query_id, doc_id = next(iter(lab.verdicts()))
    page = lab.documents[doc_id]
    lab.judge(query_id, doc_id, 2)
    lab.corpus.add([replace(page, text=page.text.replace(" ", "\n"))])
    assert Labelling(".").changed() == []  # blanks are no change
    lab.corpus.add([replace(page, text="About cheese alone.")])
    assert Labelling(".").changed() == [(query_id, doc_id)]
    said = f"made before the document changed: {query_id} {doc_id}"
    for line in ("measure", "pool"):
        assert said in said_of(capsys, line)[1]
    Labelling(".").judge(query_id, doc_id, 2)
    assert Labelling(".").changed() == []


def test_a_grade_taken_out_of_a_sheet_is_said_to_stay(project, capsys):
    query_id, doc_id = next(iter(Labelling(".").verdicts()))
    Path("sheet.csv").write_text(f"query_id,doc_id,grade\n{query_id},{doc_id},\nq02,{doc_id},\n")
    code, _, err = said_of(capsys, "import judgments sheet.csv")
    assert code == 2 and "fill in the grades" in err
    Path("sheet.csv").write_text(f"query_id,doc_id,grade\n{query_id},{doc_id},\nq02,{doc_id},1\n")
    _, _, err = said_of(capsys, "import judgments sheet.csv")
    assert f"1 row without a grade left out ({query_id} {doc_id}); a grade that such a pair has" in err


def test_whose_judgments_came_in_is_said_where_there_are_other_judges(project, capsys):
    lab = Labelling(".")
    lab.second("anna")
    query_id, _ = next(iter(lab.verdicts()))
    new = next(one for one in lab.documents if (query_id, one) not in lab.verdicts())
    Path("sheet.csv").write_text(f"query_id,doc_id,grade\n{query_id},{new},0\n")
    _, out, _ = said_of(capsys, "import judgments sheet.csv")
    assert "added 1 judgment to the project's own (other judges: anna)" in out
    code, _, err = said_of(capsys, "import judgments sheet.csv --judge Anna")
    assert code == 2 and "'Anna' differs in capitals only" in err and "new judge" not in err


SAME = "def search(query, k):\n    return ['{0}', '{1}']\n"


def test_a_search_that_answers_every_query_alike_is_asked_whether_it_gets_the_query(project, capsys):
    lab = Labelling(".")
    first, second = list(lab.documents)[:2]
    for query in ("first", "second", "third"):
        lab.judge(lab.add_query(query), first, 2)
    lab.export()
    Path("deaf.py").write_text(SAME.format(first, second))
    _, out, _ = said_of(capsys, f"{EVALUATE} deaf:search")
    assert "deaf:search gave all 5 queries the same 2 documents in the same order; does the text" in out


def test_a_module_that_is_a_program_is_told_where_and_how_to_part_it(project, capsys):
    Path("prog.py").write_text("import argparse\n\nargparse.ArgumentParser().parse_args(['-x'])\n")
    code, _, err = said_of(capsys, f"{EVALUATE} prog:search")
    assert code == 2 and "SystemExit: 2 (prog.py, line 3)" in err and 'if __name__ == "__main__":' in err


def test_an_error_of_a_hundred_thousand_letters_is_told_in_short(project, capsys):
    Path("verbose.py").write_text("def search(query, k):\n    raise ValueError('x' * 100_000 + 'end')\n")
    code, _, err = said_of(capsys, f"{EVALUATE} verbose:search")
    assert code == 2 and len(err) < 3000 and "xend" in err


def test_reports_under_two_budgets_are_told_the_options_of_the_first(project, capsys):
    said_of(capsys, "measure")
    said_of(capsys, f"{EVALUATE} csr-bm25 --max-total-items 3".replace("--system csr-bm25", ""))
    code, _, err = said_of(capsys, "gate baseline.json reports/x.json --limit nDCG@10:0.02")
    assert code == 2 and "of the baseline is --max-total-items 10 --max-items-per-document 1" in err


def test_two_files_in_one_are_not_called_json_lines(tmp_path):
    (tmp_path / "a.json").write_text('{\n "a": 1\n}\n{\n "a": 2\n}\n')
    with pytest.raises(ValueError, match="are there two files in one"):
        load_dataset(tmp_path / "a.json")


def test_a_folder_of_documents_in_place_of_a_corpus_is_told_both_steps(project, capsys):
    Path("docs").mkdir()
    Path("docs/a.md").write_text("# A\n\nUse the key.")
    code, _, err = said_of(capsys, "snapshot --corpus docs")
    assert code == 2 and "workbench init NEW, then workbench ingest --corpus NEW docs" in err


def test_a_score_in_quotes_and_a_heading_in_a_run_are_called_what_they_are(tmp_path):
    (tmp_path / "h.jsonl").write_text('{"query_id": "q1", "doc_id": "d1", "score": "3.0"}\n')
    with pytest.raises(ValueError, match="score '3.0' is text; write the number: 3 without quotes"):
        read_hits(tmp_path / "h.jsonl")
    (tmp_path / "a.run").write_text("qid Q0 docid rank score tag\nq1 Q0 d1 1 2.5 me\n")
    with pytest.raises(ValueError, match="score 'score' is not a number .*; is this a heading"):
        read_hits(tmp_path / "a.run")


class Elsewhere:
    """A tensor of another device, which cannot become an array."""

    def __array__(self, *_args, **_named):
        raise RuntimeError("use Tensor.cpu() first")

    def encode(self, texts):
        return self


FRAME = pd.DataFrame(QRELS)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: Dataset("x", "test", CORPUS, QUERIES, FRAME, "me"), "^qrels is a DataFrame; needed a dict"),
        (
            lambda: Dataset("x", "test", list(CORPUS), QUERIES, QRELS, "me"),
            "^corpus is a list; needed a dict",
        ),
        (
            lambda: Dataset("x", "test", CORPUS, list(QUERIES), QRELS, "me"),
            "^queries is a list; needed a dic",
        ),
        (lambda: agreement(FRAME, QRELS), "first is a DataFrame; needed a dict"),
        (lambda: agreement(QRELS, FRAME), "second is a DataFrame; needed a dict"),
        (lambda: first_pass(FRAME, []), "final is a DataFrame; needed a dict"),
        (lambda: pool({"a": {"q1": [("d1", 1.0)]}}, FRAME), "qrels is a DataFrame; needed a dict"),
        (lambda: load_labels(files.QUERIES, FRAME), "corpus is a DataFrame; needed a dict {doc_id: text}"),
        (lambda: read_nuggets(files.NUGGETS, FRAME), "corpus is a DataFrame; needed a dict {doc_id: text}"),
        (lambda: mrr(pd.DataFrame([{"retrieved": ["d1"], "relevant": ["d1"]}])), "is a DataFrame; .*to_dict"),
        (
            lambda: mrr(
                [{"retrieved": ["d"], "relevant": ["d"]}, {"retrieved": math.nan, "relevant": ["d"]}]
            ),
            "result 2: retrieved is a float",
        ),
        (lambda: mean_ndcg_at_k([{"retrieved": ["d"], "relevant": {"d": "2"}}]), "result 1: .*use int.'2'."),
        (lambda: ndcg_at_k(["d1"], {"d1": "2"}), "grade '2' is not a whole number; it is text, use int.'2'."),
        (lambda: evaluate_retrieval({"q": {"d": 1.0}}, {"q": {"d": "2"}}), "it is text, use int.'2'."),
        (lambda: with_judgments(QRELS, {"q9": {"d1": "2"}}), "it is text, use int.'2'."),
        (
            lambda: encoded(Elsewhere(), ["a"]),
            "gave no array of numbers but Elsewhere .use Tensor.cpu.. first",
        ),
        (lambda: save_report("out.html", REPORT), "out.html does not end in .json, and a report is JSON"),
        (
            lambda: compare({"a": REPORT, "b": REPORT}),
            "is an EvaluationReport .*workbench compare a.json b.js",
        ),
    ],
)
def test_a_value_of_another_kind_is_named_as_what_it_is(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()


REPORT = EvaluationReport.model_construct(schema_version=2, per_query={})


def test_the_reason_why_vectors_are_none_is_chained():
    with pytest.raises(ValueError) as error:
        encoded(Elsewhere(), ["a"])
    assert isinstance(error.value.__cause__, RuntimeError)


def test_what_is_no_page_is_not_called_one(tmp_path):
    (tmp_path / "out.html").write_text('{"schema_version": 2}')
    with pytest.raises(ValueError, match="dataset: is missing"):
        load_report(tmp_path / "out.html")
    (tmp_path / "out.html").write_text("<!doctype html>")
    with pytest.raises(ValueError, match="is the page of a report"):
        load_report(tmp_path / "out.html")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            '{"query_id": "q1", "answer": "A", '
            '"nuggets": [{"text": "t", "importance": "Vital", "support": []}]}',
            2,
        ),
        ('{"query_id": "q1", "answer": "A", "nuggets": []}', 1),
    ],
)
def test_a_line_of_nuggets_is_told_its_own_problems_and_the_form(tmp_path, line, complaint):
    (tmp_path / "n.jsonl").write_text(line)
    with pytest.raises(ValueError, match=r"a whole line, for example: {.query_id") as error:
        read_nuggets(tmp_path / "n.jsonl", CORPUS)
    assert str(error.value).startswith(f"{complaint} problem")
    example = str(error.value).rpartition("for example: ")[2]
    (tmp_path / "n.jsonl").write_text(example)
    assert list(read_nuggets(tmp_path / "n.jsonl", {"d1": "due by noon"})) == ["q1"]


def test_a_document_that_is_not_there_is_told_with_an_id_that_is(tmp_path):
    line = {"query_id": "q1", "answer": "A", "nuggets": [{"text": "t", "importance": "vital"}]}
    line["nuggets"][0]["support"] = [{"doc_id": "docs/a.md", "quote": "x"}]
    (tmp_path / "n.jsonl").write_text(json.dumps(line))
    with pytest.raises(ValueError, match="'docs/a.md' is not in the corpus, there it is 'a.md'"):
        read_nuggets(tmp_path / "n.jsonl", {"a.md": "x"})
    label = {"query_id": "q1", "query": "?", "relevant_doc_ids": ["docs/a.md"], "kind": "question"}
    label["judgments"] = [{"doc_id": "docs/a.md", "grade": 2, "quote": "x"}]
    (tmp_path / "l.jsonl").write_text(json.dumps(label))
    with pytest.raises(ValueError, match="'docs/a.md' is not in the corpus, there it is 'a.md'"):
        load_labels(tmp_path / "l.jsonl", {"a.md": "x"})
    with pytest.raises(ValueError, match="'docs/a.md' is not in the corpus, which has e.g. 'b.md'"):
        load_labels(tmp_path / "l.jsonl", {"b.md": "x"})


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


def test_a_query_that_is_json_is_asked_for_its_text(tmp_path):
    body = json.dumps({"query": {"match": {"title": "vpn"}}})
    (tmp_path / "q.jsonl").write_text(json.dumps({"took": "2ms", "source": body}) + "\n")
    with pytest.warns(UserWarning, match="1 query written in JSON, .*write out the text"):
        read_queries(tmp_path / "q.jsonl", column="source")


def test_a_list_of_json_on_one_line_is_no_json_lines(tmp_path):
    (tmp_path / "q.json").write_text('[{"query": "vpn"}, {"query": "wifi"}]')
    with pytest.raises(ValueError, match="is a list of JSON on one line; needed JSON lines, a whole record"):
        read_queries(tmp_path / "q.json")


def test_searches_by_post_are_said_to_be_in_no_log(tmp_path):
    (tmp_path / "access.log").write_text('::1 - - [01/Jan/2026:00:00:00] "POST /find HTTP/1.1" 200 512\n' * 3)
    with pytest.raises(ValueError, match="what was sent by POST is in no such log"):
        read_queries(tmp_path / "access.log")


def test_labels_are_not_written_over_what_a_project_measures(project, capsys):
    Path("l.jsonl").write_text(
        '{"query_id": "q1", "query": "x", "relevant_doc_ids": ["d1"], "judgments": []}\n'
    )
    line = "datasets --from-labels l.jsonl --docs corpus --out datasets/gold.json"
    code, _, err = said_of(capsys, line)
    assert code == 2 and "is what `workbench measure` writes of a project; give another name" in err


def test_scores_of_a_model_and_of_people_are_named_by_their_query():
    scores = {"q1": 1.0, "q2": 0.4, "q3": 0.5, "q4": 0.2, "q5": 0.3}
    with pytest.raises(ValueError, match="by_model, query 'q2': nan is no finite number; leave"):
        corrected_mean(scores | {"q2": math.nan}, {"q1": 1.0, "q3": 0.2})
    with pytest.raises(ValueError, match="by_people, query 'q3': None is no finite number"):
        corrected_mean(scores, {"q1": 1.0, "q3": None})


def test_a_project_and_a_series_are_led_to_what_they_hold(project):
    with pytest.raises(ValueError, match=r"labelled is a Labelling; .* Labelling\(folder\).labels\(\)"):
        from_labels(Labelling("."), "n", "")
    index = pd.MultiIndex.from_tuples([("q1", "a"), ("q1", "b")], names=["query_id", "doc_id"])
    grades = pd.Series([1, 0], index=index)
    with pytest.raises(ValueError, match=r"a Series is given; .* given.reset_index\(name='relevance'\)"):
        as_qrels(grades)
    assert as_qrels(grades.reset_index(name="relevance")) == {"q1": {"a": 1, "b": 0}}


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


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"corpus": {"d1": {"title": "t", "text": "a"}}}, r"corpus\['d1'\] is a dict; needed a str"),
        ({"queries": {"q1": ["a", "cat"]}}, r"queries\['q1'\] is a list; needed a str"),
        ({"qrels": {"q1": {"d1"}}}, r"qrels\['q1'\] is a set; needed a dict {doc_id: grade}"),
        ({"qrels": {"q1": 1}}, r"qrels\['q1'\] is a int; needed a dict {doc_id: grade}"),
    ],
)
def test_a_dataset_is_made_of_texts_and_grades(parts, words):
    right = {"corpus": {"d1": "a cat"}, "queries": {"q1": "cats"}, "qrels": {"q1": {"d1": 1}}}
    with pytest.raises(ValueError, match=words):
        Dataset("toy", "test", **right | parts, source="by hand")


def test_labels_that_can_be_read_only_once_are_read_once(runbooks):
    labels = runbook_labels("core", runbooks.corpus)
    assert load_needs(iter(labels)) == load_needs(labels) != {}
    assert load_nuggets(iter(labels), runbooks.corpus) == load_nuggets(labels, runbooks.corpus) != {}


def test_a_table_of_systems_is_compared_by_its_columns():
    table = pd.DataFrame({"A": [0.1, 0.2, 0.3], "B": [0.2, 0.4, 0.3]}, index=["q1", "q2", "q3"])
    with pytest.raises(ValueError, match=r"reports is a DataFrame; .* give dict\(table\)"):
        compare(table, "P@10")
    assert compare(dict(table), "P@10").table["mean"].round(1).tolist() == [0.2, 0.3]


def test_what_is_named_is_what_was_given(tmp_path, runbooks):
    with pytest.raises(ValueError, match="split is 'main'; it can be 'core'"):
        runbook_labels("main", runbooks.corpus)
    with pytest.raises(FileNotFoundError, match="is a folder; needed a file with one labelled query a line"):
        load_labels(tmp_path, runbooks.corpus)
    with pytest.raises(ValueError, match="tag is a NoneType; needed a str"):
        trec.write_run({"q1": [("d1", 1.0)]}, tmp_path / "run.txt", tag=None)
    with pytest.raises(ValueError, match="query 0: the score is 'high'; needed a finite number$"):
        compare({"A": ["high", "low"], "B": [0.1, 0.2]}, "P@10")


def test_a_large_thing_in_place_of_a_number_is_not_printed_whole():
    table = pd.DataFrame(np.ones((50, 30)))
    for call in (lambda: ndcg_at_k(["d1"], {"d1"}, table), lambda: ndcg_at_k(["d1"], {"d1"}, gain=table)):
        with pytest.raises(ValueError) as error:
            call()
        assert len(str(error.value)) < 160


def test_a_path_from_home_is_the_same_in_python_and_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert CorpusFolder.init("~/mine").path == tmp_path / "home" / "mine"
    assert not Path("~").exists()


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            {"took": 3, "timed_out": False, "hits": {"hits": []}},
            "gave a dict with 'took', 'timed_out', 'hits', of",
        ),
        (pd.Series([2, 1], index=["d1", "d2"]), r"gave a Series; .*: list\(found.items\(\)\) makes pairs"),
    ],
)
def test_what_an_engine_answers_with_is_named_where_it_is_no_ranking(found, words, tmp_path):
    corpus = CorpusFolder.init(tmp_path / "one")
    corpus.add([SourceDocument("d1", "", "soup", "d1"), SourceDocument("d2", "", "key", "d2")])
    with pytest.raises(ValueError, match=words):
        open_system(lambda query, k: found, corpus).search({"q1": "soup"}, 5)


def test_tables_texts_and_numbers_in_other_places_are_led_to_the_right_one(project):
    table = pd.DataFrame({"query_id": ["q01"], "doc_id": ["d1"], "grade": [1.0]})
    with pytest.raises(ValueError, match="qrels is a DataFrame; .* as_qrels makes it of a table"):
        bring_in_judgments(Labelling("."), table)
    with pytest.raises(ValueError, match="queries: query_id 1 is of type int"):
        from_qrels({1: "door key"}, {"1": {"d1": 2}}, "x", "")
    row = {"query_id": "z", "query_text": "door", "expected_source_uri": "d1", "kind": "gold"}
    dataset = EvaluationDataset(schema_version=1, name="y", description="", queries=(row,))
    with pytest.raises(ValueError, match="sources is {doc_id: source_uri}, and not of texts; corpus.sources"):
        to_qrels(dataset, {"d1": "The key opens the door."})
    for given, least, words in (
        ([], 0.7, "texts is a list"),
        ({"a": "x"}, 80, "least is 80; needed a share"),
    ):
        with pytest.raises(ValueError, match=words):
            near_duplicates(given, least)


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
