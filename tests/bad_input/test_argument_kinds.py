"""What cannot be an argument of a function of `helpers` or `workbench`: it is named, with what was needed."""

import io
import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from small_project import CORPUS, DATA, QRELS, QUERIES, right_run

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
    read_nuggets,
    runbook_labels,
    trec,
)
from helpers.encoders import encoded
from helpers.evaluation import compare, evaluate_retrieval, load_results, save_results, without_own_ids
from helpers.failures import RetrievalErrorAnalyzer, System, analyze, difference_interval
from helpers.judgments import (
    ChatJudge,
    agreement,
    first_pass,
    judged_at_k,
    pool,
    verdict_table,
    with_judgments,
)
from helpers.metrics import mean_ndcg_at_k, mrr, ndcg_at_k
from helpers.monitoring import clicks_by_document, clicks_by_rank
from helpers.records import Dataset
from helpers.retrieval import (
    CsrBM25,
    HybridRetriever,
    RankBM25,
    SqliteFTS5,
    SubstringScan,
    cosines,
)
from helpers.stats import cohen_kappa, holm, neyman_allocation, t_interval
from helpers.text import chunk_corpus, chunk_fixed, chunk_paragraphs, load_stand_in, to_corpus
from workbench import (
    CorpusFolder,
    EvaluationDataset,
    Item,
    Labelling,
    QueryBudget,
    as_html,
    build_snapshot,
    draft_queries,
    evaluate_run,
    from_labels,
    gate,
    labelling,
    load_dataset,
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
    as_run,
    bring_in_judgments,
    bring_in_queries,
    personal_data,
    read_queries,
    sample_searches,
    write_sheet,
)
from workbench.labelling import corrected_mean
from workbench.reports import (
    EvaluationReport,
    common_metrics,
    found_nothing,
    interval_of,
    metrics_of,
    over_searches,
    rows_of,
)
from workbench.systems import open_system

RETRIEVERS = [CsrBM25, RankBM25, SqliteFTS5, SubstringScan]


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
    with pytest.raises(ValueError, match="run is a dataset; have the two changed places"):
        evaluate_run(made[0], made[2], made[1], made[3])


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


def test_dicts_in_the_place_of_documents_or_labels_are_named():
    with pytest.raises(
        ValueError, match=r"documents\[0\] is a dict; needed a SourceDocument; corpus.documents"
    ):
        draft_queries([{"doc_id": "d1", "text": "cats"}])
    with pytest.raises(ValueError, match=r"labelled\[0\] is a dict; needed a LabelledQuery; .*load_labels"):
        from_labels([{"query_id": "q1"}], "mine", "")


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
            "2 differences and 2 cluster labels with different indexes; .*clusters.set_axis",
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
        (lambda: load_dataset(Path(__file__).open()), "the path is an open file; give its path, '.*py'"),
        (lambda: load_dataset(io.StringIO("{}")), "the path is an open file; save it, and give its path"),
        (
            lambda: new_project("p", "https://example.com/docs"),
            "is an address, and nothing is fetched .*: save it, and give its path",
        ),
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


def test_counts_over_searches_are_checked(made):
    query_id = next(iter(evaluate_run(*made).per_query))
    with pytest.raises(ValueError, match="metric is 'ndcg'; it can be 'nDCG@10'"):
        over_searches(evaluate_run(*made, {query_id: 2}), metric="ndcg")
    with pytest.raises(ValueError, match="is -1; needed a whole number of searches, 1 or more"):
        evaluate_run(*made, {query_id: -1})
    with pytest.raises(ValueError, match="drawn is a list; needed a dict"):
        evaluate_run(*made, [query_id])
    with pytest.raises(ValueError, match="drawn is a Series.*; of a Series dict.series."):
        evaluate_run(*made, pd.Series({query_id: 2}))
    assert evaluate_run(*made, dict(pd.Series({query_id: 2}))).drawn == {query_id: 2}
    with pytest.raises(ValueError, match=f"unread is the text '{query_id}'; needed a list of query ids"):
        evaluate_run(*made, {query_id: 2}, unread=query_id)
    with pytest.raises(ValueError, match="unread has 'q99', which drawn does not have"):
        evaluate_run(*made, {query_id: 2}, unread=["q99"])
    text = made[2].queries[0].query_text
    with pytest.raises(ValueError, match="drawn has texts in the place of ids: .* is the text of"):
        evaluate_run(*made, {text: 2})


def test_a_class_in_place_of_a_retriever_and_a_table_in_place_of_p_values_are_named():
    with pytest.raises(ValueError, match=r"CsrBM25 is a class; .*CsrBM25\(corpus\)"):
        HybridRetriever([CsrBM25, CsrBM25])
    with pytest.raises(ValueError, match="p is a table with columns p; give one column"):
        holm(pd.DataFrame({"p": [0.01, 0.2]}))


def test_a_hyphen_in_a_strict_query_is_told_with_its_cure():
    with pytest.raises(ValueError, match="no FTS5 expression.*in double quotes, or search without strict"):
        SqliteFTS5({"d": "two factor"}, strict=True).search({"q": "two-factor"})


def test_frequencies_that_cannot_be_drawn_from_are_named():
    with pytest.raises(ValueError, match="frequency of 'soup' is 2.0; needed a whole number, 1 or more"):
        sample_searches([AskedQuery("soup", frequency=2.0)], 1)
    with pytest.raises(ValueError, match="frequency of 'soup' is 0; needed a whole number"):
        sample_searches([AskedQuery("soup", frequency=0)], 1)
    with pytest.raises(ValueError, match="1,000,000,000,000,000,001 searches; a sample is drawn from"):
        sample_searches([AskedQuery("soup", frequency=10**18), AskedQuery("key")], 1)


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


def test_chunks_that_share_an_id_are_to_be_numbered():
    pieces = [replace(piece, chunk_idx=0) for piece in chunk_paragraphs("a\n\nb", "d1")]
    with pytest.raises(ValueError, match="with its own doc_id, and number its chunks 0, 1, 2"):
        to_corpus(pieces)


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


def test_tables_texts_and_numbers_in_other_places_are_led_to_the_right_one(project):
    table = pd.DataFrame({"query_id": ["q01"], "doc_id": ["d1"], "grade": [1.0]})
    with pytest.raises(ValueError, match="qrels is a DataFrame; .* as_qrels makes it of a table"):
        bring_in_judgments(Labelling("."), table)
    with pytest.raises(ValueError, match="queries: query_id 1 is of type int"):
        from_qrels({1: "door key"}, {"1": {"d1": 2}}, "x", "")
    row = {"query_id": "z", "query_text": "door", "expected_source_uri": "d1", "kind": "gold"}
    dataset = EvaluationDataset(schema_version=1, name="y", description="", queries=(row,))
    with pytest.raises(ValueError, match="sources has what is expected as its keys; needed {doc_id"):
        to_qrels(dataset, {"d1": "The key opens the door."})
    for given, least, words in (
        ([], 0.7, "texts is a list"),
        ({"a": "x"}, 80, "least is 80; needed a share"),
    ):
        with pytest.raises(ValueError, match=words):
            near_duplicates(given, least)


def test_swapped_queries_and_qrels_are_told_their_order():
    with pytest.raises(ValueError, match="queries holds grades and no texts; give {query_id: text} first"):
        from_qrels({"q1": {"disk.md": 2}}, {"q1": "disk"}, "x", "")
    with pytest.raises(ValueError, match="is among the queries: e.g. 'q1' is judged, and a query is 'Q1'"):
        from_qrels({"Q1": "disk"}, {"q1": {"disk.md": 2}}, "x", "")


def test_several_queries_are_added_one_by_one(project):
    with pytest.raises(ValueError, match="needed what somebody would type, as text, one a call"):
        Labelling(".").add_query(["how to print", "vpn token"])


def test_ranks_with_misses_are_led_to_their_inverse():
    with pytest.raises(ValueError, match="if these are ranks, give 1 / rank, which is 0 for what was not"):
        t_interval({"q1": 1.0, "q2": math.inf})


def test_a_field_that_a_record_does_not_have_is_told_those_that_it_has():
    with pytest.raises(
        ValueError, match="max_chars: there is no such key; there are max_total_items, maximum_"
    ):
        QueryBudget(max_total_items=5, max_chars=3)


def test_judgments_of_other_documents_than_the_rows_are_refused_in_words_for_python_too():
    row = {"query_id": "q1", "query_text": "key", "expected_item_id": "d1", "kind": "gold"}
    fields = {"schema_version": 1, "name": "toy", "description": "", "queries": [row]}
    expected = {"q1-1": "a", "q1-2": "b"}
    rows = [row | {"query_id": row_id, "expected_item_id": doc_id} for row_id, doc_id in expected.items()]
    facts = {"schema_version": 1, "name": "n", "description": "", "queries": rows}
    with pytest.raises(ValueError, match="'q1-1' is a row of the query 'q1'; judgments are {query_id"):
        EvaluationDataset(**facts, judgments={"q1-1": {"a": 2}, "q1-2": {"b": 2}})
    with pytest.raises(ValueError, match="needed a dict {query_id: {doc_id: grade}}, .*as_qrels makes"):
        EvaluationDataset(**facts, judgments=[("q1", "a", 2)])
    more = [*rows, row | {"query_id": "q2", "query_text": "y", "expected_item_id": "c"}]
    of_two = EvaluationDataset(
        **facts | {"queries": more}, judgments={"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}
    )
    with pytest.raises(ValueError, match="some rows of 'q1' are left out; .*take all rows of a query"):
        to_qrels(of_two.model_copy(update={"queries": of_two.queries[:1]}))
    whole = EvaluationDataset(**facts, judgments={"q1": {"a": 2, "b": 1}})
    assert len({whole, EvaluationDataset(**dict(whole))}) == 1  # as for a cache
    with pytest.raises(ValueError, match=r"queries\[2\].query_id: 'q1-1' is the id of queries\[0\] too"):
        to_qrels(whole.model_copy(update={"queries": whole.queries * 2}))
    with pytest.raises(
        ValueError, match="^EvaluationDataset: rows and judgments differ for 'q1': .*'a b'.*; give"
    ):
        EvaluationDataset(**fields, judgments={"q1": {"a b": 1}})


def test_the_path_of_a_file_of_queries_and_a_pool_are_no_rows(project):
    lab = Labelling(".")
    for path in ("q.txt", Path("q.txt")):
        with pytest.raises(ValueError, match=r"is the path 'q.txt'; read_queries\(path\) reads the file"):
            bring_in_queries(lab, path)
    for rows in (lab.pool("q01"), [("d1", "a", "b")]):
        with pytest.raises(ValueError, match="doc_id, title, text.*, as Labelling.unread gives"):
            write_sheet("s.csv", rows)


def test_what_a_snapshot_has_not_is_told_and_a_score_that_is_no_number_refused(made):
    with pytest.raises(AttributeError, match=r"a Snapshot has no 'search'; candidates\(query\) searches"):
        made[1].search("word1", k=3)
    with pytest.raises(ValueError, match="the score of candidate 1 .* is NaN"):
        within_budget([Item("a", "a", "a", math.nan, "x", 0, 1)], QueryBudget(max_total_items=1))


def test_of_a_corpus_the_part_that_is_asked_for_is_named(made):
    rows = ({"query_id": "q", "query_text": "a", "expected_source_uri": "d1.md", "kind": "gold"},)
    dataset = EvaluationDataset(schema_version=1, name="x", description="", queries=rows)
    with pytest.raises(ValueError, match="give its sources, CorpusFolder.sources"):
        to_qrels(dataset, made[0])


def test_a_kind_of_rows_that_no_report_has_is_refused(made):
    report = evaluate_run(*made)
    for call in (rows_of, metrics_of, found_nothing):
        with pytest.raises(ValueError, match="kind is 'Gold'; it can be 'gold' or 'synthetic'"):
            call(report, "Gold")
    with pytest.raises(ValueError, match="metric is 'ndcg@5'; .*nDCG@5"):
        interval_of(report, "gold", "ndcg@5")
    with pytest.raises(ValueError, match="queries is a report; give its queries"):
        common_metrics(report)
    item = Item(["a"], "a", "a", 1.0, "text", 0, 4)
    with pytest.raises(ValueError, match="candidate 1: item_id is a list; needed a str"):
        within_budget([item], made[3])


def test_ranks_alone_are_made_scores_by_whoever_gives_them():
    table = pd.DataFrame([["q1", "d1", 1]], columns=["qid", "docno", "rank"])
    with pytest.raises(ValueError, match="of ranks alone write minus the rank as the score"):
        as_run(table)


def test_a_row_that_expects_several_documents_is_told_to_be_several_rows():
    row = {"query_id": "q1", "query_text": "soup", "expected_item_id": ["a.md", "b.md"], "kind": "gold"}
    with pytest.raises(ValueError, match="a row has one; write a row for each, q1-1 and q1-2"):
        EvaluationDataset(schema_version=1, name="toy", description="", queries=(row,))
