"""What lessons 01 and 02 say in words and print nowhere, and that figures can be heard."""

import json
from collections import Counter
from functools import partial

import nbformat
import pytest

from course import runner
from helpers import datasets
from helpers.base import files
from helpers.datasets import to_qrels
from helpers.evaluation import evaluate_retrieval, first_relevant_ranks
from helpers.judgments import overlap_frame
from helpers.retrieval import RankBM25, to_documents
from helpers.text import chunk_corpus, chunk_fixed, plain, to_corpus

ROWS = json.loads((files.STORED_RESULTS / "02_chunking_and_bm25.json").read_text(encoding="utf-8"))
LAB = {row["system"].split("; ")[1]: row for row in ROWS}


@pytest.fixture(scope="module")
def every(runbooks):
    return datasets.runbook_labels("all", runbooks.corpus)


@pytest.mark.parametrize("lesson", runner.find_lessons(["01", "02", "03", "04"]), ids=lambda path: path.stem)
def test_a_figure_can_be_heard(lesson):
    for cell in nbformat.read(lesson, 4).cells:
        if any("image/png" in output.get("data", {}) for output in cell.get("outputs", [])):
            assert len(cell.metadata.get("alt", "").split()) >= 15


def test_three_paraphrases_are_below_a_quarter_and_half_below_a_third(runbooks):
    core = datasets.runbook_labels("core", runbooks.corpus)
    overlap = overlap_frame(runbooks.corpus, core)
    shares = overlap.loc[overlap["kind"] == "paraphrase", "paragraph"]
    assert ((shares < 0.25).sum(), (shares < 1 / 3).sum(), len(shares)) == (3, 5, 10)
    assert (shares.min(), shares.max()) == (0, 0.75) and shares["q19"] == 0


def test_the_query_of_lesson_01_has_one_relevant_page(runbooks):
    assert [grade for grade in runbooks.qrels["q19"].values() if grade] == [2]


def test_ambiguous_queries_have_fourteen_relevant_pages_and_identifiers_not_four(every):
    n_relevant = {kind: [] for kind in ("ambiguous", "identifier", "multi_document")}
    for label in every:
        n_relevant.get(label.kind, []).append(len(label.relevant_doc_ids))
    means = {kind: sum(found) / len(found) for kind, found in n_relevant.items()}
    assert means["ambiguous"] == 14 and means["identifier"] < 4 and round(means["multi_document"]) == 19


def test_the_larger_the_gap_the_better_words_are_matched_but_for_ambiguous_queries(runbooks, every):
    shares = overlap_frame(runbooks.corpus, every)
    shares["gap"] = shares["relevant"] - shares["judged 0"]
    run = RankBM25(runbooks.corpus, plain).search({label.query_id: label.query for label in every}, k=10)
    shares["nDCG@10"] = evaluate_retrieval(run, to_qrels(every)).per_query["nDCG@10"]
    large = shares["gap"] > shares["gap"].median()
    halves = [shares.loc[half, "nDCG@10"] for half in (large, ~large)]
    difference = halves[0].mean() - halves[1].mean()
    assert difference > 4 * (halves[0].sem() + halves[1].sem())
    kinds = shares.groupby("kind")[["gap", "nDCG@10"]].mean()
    steady = kinds.drop(index=["ambiguous", "partial"]).sort_values("gap")
    assert steady["nDCG@10"].is_monotonic_increasing
    assert kinds.loc["ambiguous", "nDCG@10"] < kinds.loc["identifier", "nDCG@10"] - 0.3


@pytest.fixture(scope="module")
def chunk_run(runbooks, cl100k):
    chunks = chunk_corpus(runbooks.corpus, partial(chunk_fixed, encoding=cl100k))
    return RankBM25(to_corpus(chunks), plain).search(runbooks.queries, k=10_000)


def test_five_of_six_pages_are_longer_than_a_chunk(runbooks, cl100k):
    assert sum(len(cl100k.encode(text)) > 512 for text in runbooks.corpus.values()) == 133


def test_for_24_queries_the_first_or_second_result_is_relevant(runbooks, chunk_run):
    ranks = first_relevant_ranks(to_documents(chunk_run), runbooks.qrels)
    assert sum(rank <= 2 for rank in ranks.values()) == 24


def test_what_the_five_results_say_of_their_pages(runbooks, chunk_run):
    page = {doc_id: Counter(plain(text)) for doc_id, text in runbooks.corpus.items()}
    assert page["doc_140"]["deploy"] and not page["doc_121"]["deploy"] and page["doc_121"]["deploys"]
    assert not page["doc_056"]["oom"] and page["doc_056"]["oomkilled"]
    found = to_documents(chunk_run)
    answers = {doc_id for doc_id, grade in runbooks.qrels["q18"].items() if grade == 2}
    assert len(answers) == 5
    assert [doc_id in answers for doc_id, _ in found["q18"][:6]] == [False] * 5 + [True]
    assert [doc_id for doc_id, _ in found["q01"][:4]][3] == "doc_056"


def test_the_lab_s_sentences_are_its_table(runbooks):
    ndcg = {name: row["metrics"]["nDCG@10"] for name, row in LAB.items()}
    best, fixed = ndcg.pop("recursive 256/25"), [ndcg["fixed 512/50"], ndcg["fixed 256/25"]]
    assert best > max(ndcg.values()) and best - min(fixed) < 0.02
    assert min(ndcg, key=ndcg.get) == "paragraphs"
    mrr = {name: row["metrics"]["MRR"] for name, row in LAB.items()}
    assert set(sorted(mrr, key=mrr.get)[-2:]) == {"fixed 256/25", "recursive 256/25"}
    for name in ("fixed 256/25", "recursive 256/25"):
        assert 4 < LAB[name]["chunks"] / len(runbooks.corpus) < 5
        assert 1.45 < LAB[name]["postings"] / LAB["whole documents"]["postings"] < 1.6
    assert max(sum(grade > 0 for grade in grades.values()) for grades in runbooks.qrels.values()) == 27


def test_lesson_01_asks_for_as_many_queries_as_lesson_06_computed():
    prose, computed = (
        (files.ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
        for name in ("01_corpus_and_labels", "06_comparing_systems")
    )
    assert (
        "with about 68 queries a true difference of 0.05" in prose
        and "may well be as few as 34 or as many as 190" in prose
    )
    assert "0.05 needs about 68 queries (34 to 190)" in computed
