"""Lesson 01: the references beside the package and other tools, and the questions' numbers from the data."""

import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.exercises.lesson_01 import LESSON_01
from course.exercises.lesson_01.cohen_kappa import cohen_kappa
from course.exercises.lesson_01.coverage import coverage
from course.exercises.lesson_01.label_problems import label_problems
from course.exercises.lesson_01.read_corpus import read_corpus
from course.exercises.questions import RIGHT, Numeric
from helpers import datasets, stats
from helpers.base import files
from helpers.datasets import beir, labels
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.judgments import quality
from helpers.retrieval.retrievers import RankBM25
from helpers.text.analyzers import plain

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
titles = st.none() | words
grades = st.dictionaries(st.sampled_from(["d1", "d2", "d3", "d4", "d5"]), st.integers(-2, 2), max_size=5)
pairs_of_labels = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def labelled(runbooks):
    return labels.load_labels(files.QUERIES, runbooks.corpus)


def as_file(folder, text):
    (folder / "corpus.jsonl").write_text(text, encoding="utf-8", newline="")
    return folder


@given(st.dictionaries(st.integers(0, 99), st.tuples(titles, words), max_size=5), st.booleans())
def test_a_corpus_is_read_as_the_package_reads_it(tmp_path_factory, documents, ascii_only):
    records = [{"_id": doc_id, "title": title, "text": text} for doc_id, (title, text) in documents.items()]
    text = "\n".join(json.dumps(record, ensure_ascii=ascii_only) for record in records)
    assert read_corpus(text) == beir.load_beir_corpus(as_file(tmp_path_factory.mktemp("corpus"), text))


@pytest.mark.parametrize(
    "text",
    [
        '{"_id": "d1", "text": "a"}\n{"_id": "d1", "text": "b"}',
        '{"_id": 1, "text": "a"}\n{"_id": "1", "text": "b"}',
        '{"_id": "1", "text": "a"}\n{"_id": 1, "text": "b"}',
        '{"_id": 1, "text": "a"}\n{"_id": 1, "text": "b"}',
        '{"_id": "d1',
    ],
)
def test_what_the_package_refuses_the_reference_refuses(tmp_path, text):
    for read in (read_corpus, lambda text: beir.load_beir_corpus(as_file(tmp_path, text))):
        with pytest.raises(ValueError):
            read(text)


def test_the_bundled_collection_is_read_whole(everyday_science):
    text = (files.BUNDLED_BEIR / "everyday-science" / "corpus.jsonl").read_text(encoding="utf-8")
    assert read_corpus(text) == everyday_science.corpus


def test_scifact_is_read_whole(scifact):
    text = (datasets.find_beir("scifact")[0] / "corpus.jsonl").read_text(encoding="utf-8")
    assert read_corpus(text) == scifact.corpus


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["q1", "q2", "q3"]),
            st.lists(st.sampled_from(["d1", "d11", "d2"]), max_size=3, unique=True),
        ),
        max_size=6,
    )
)
def test_label_problems_are_those_that_a_table_shows(queries):
    frame = pd.DataFrame(queries, columns=["query_id", "labels"])
    expected = []
    for row, repeated in zip(frame.itertuples(), frame.duplicated("query_id"), strict=True):
        expected += [(row.query_id, "repeated query id")] if repeated else []
        expected += [(row.query_id, f"unknown document {doc_id}") for doc_id in row.labels if doc_id == "d1"]
        expected += [] if row.labels else [(row.query_id, "empty labels")]
    given_queries = [{"query_id": query_id, "labels": doc_ids} for query_id, doc_ids in queries]
    assert label_problems(given_queries, {"d11", "d2"}) == expected


def test_the_shipped_queries_have_no_problem_and_a_spoilt_one_has_all_of_its_own(runbooks, labelled):
    queries = [{"query_id": label.query_id, "labels": list(label.relevant_doc_ids)} for label in labelled]
    assert label_problems(queries, set(runbooks.corpus)) == []
    spoilt = [*queries, {"query_id": "q01", "labels": ["doc_999", "doc_056", "doc_05"]}]
    assert label_problems(spoilt, set(runbooks.corpus)) == [
        ("q01", "repeated query id"),
        ("q01", "unknown document doc_999"),
        ("q01", "unknown document doc_05"),
    ]


@given(st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), grades, max_size=3))
def test_coverage_is_the_packages_relevant_documents_over_the_corpus(qrels):
    corpus_ids = {"d1", "d2", "d3", "d6"}
    assert coverage(qrels, corpus_ids) == pytest.approx(
        len(quality.relevant_documents(qrels) & corpus_ids) / 4
    )


def test_an_empty_corpus_has_no_coverage():
    with pytest.raises(ValueError, match="empty"):
        coverage({"q1": {"d1": 1}}, set())


@given(pairs_of_labels)
def test_kappa_is_that_of_the_package(pairs):
    first, second = map(list, zip(*pairs, strict=True))
    assert cohen_kappa(first, second) == pytest.approx(stats.cohen_kappa(first, second))


@given(pairs_of_labels)
def test_kappa_is_that_of_scikit_learn(pairs):
    sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    first, second = map(list, zip(*pairs, strict=True))
    if len({*first, *second}) > 1:  # with one label only theirs is 0/0
        assert cohen_kappa(first, second) == pytest.approx(sklearn_metrics.cohen_kappa_score(first, second))


@pytest.mark.parametrize(("first", "second"), [([], []), ([1], [1, 2]), ([1, 2], [1])])
def test_lists_that_do_not_fit_have_no_kappa_in_either(first, second):
    for kappa in (cohen_kappa, stats.cohen_kappa):
        with pytest.raises(ValueError):
            kappa(first, second)


def question(number):
    return LESSON_01.questions[number - 1]


def test_the_question_on_kappa_is_right_and_its_wrong_numbers_are_what_they_are_said_to_be():
    first, second = [1] * 10 + [0] * 90, [0] * 5 + [1] * 10 + [0] * 85
    equal, both, either = 0.90, 5, 15
    assert [sum(pair) for pair in zip(first, second, strict=True)].count(2) == both
    assert question(3).verdict(round(cohen_kappa(first, second), 2))[0] == RIGHT
    chance = 0.1 * 0.1 + 0.9 * 0.9
    slips = [equal, chance, equal - chance, both / either, both / 10]
    assert [round(slip, 2) for slip in slips] == list(question(3).wrong)


def test_the_question_on_coverage_is_right_and_its_wrong_numbers_are_what_they_are_said_to_be(
    runbooks, labelled
):
    paraphrases = [label for label in labelled if label.kind == "paraphrase"]
    others = [label for label in labelled if label.kind != "paraphrase"]
    assert (len(paraphrases), len(runbooks.corpus)) == (10, 160)
    everything, lost, kept = map(_pages, (labelled, paraphrases, others))
    assert question(5).answer == len(kept) == round(160 * coverage(_qrels(others), set(runbooks.corpus)))
    n_labels, n_lost = sum(map(_count, labelled)), sum(map(_count, paraphrases))
    pages = set(runbooks.corpus)
    assert all(grades.keys() == pages for grades in runbooks.qrels.values())  # "judged for every query"
    slips = [
        len(everything),
        n_labels - n_lost,
        len(everything - lost),
        len(everything) - n_lost,
        len(lost),
        len(lost - kept),
    ]
    assert [*slips, len(pages)] == list(question(5).wrong)
    assert (n_labels, n_lost, len(everything), len(lost - kept)) == (259, 68, 126, 14)  # said in the feedback


def test_the_engine_looks_better_without_the_paraphrases_as_the_question_says(runbooks, labelled):
    found = evaluate_retrieval(
        RankBM25(runbooks.corpus, plain).search(runbooks.queries, k=10), runbooks.qrels
    ).per_query["nDCG@10"]
    hard = [label.query_id for label in labelled if label.kind == "paraphrase"]
    assert found[hard].mean() < 0.75 * found.drop(hard).mean()


@pytest.mark.parametrize(
    "number", [n for n, q in enumerate(LESSON_01.questions, start=1) if isinstance(q, Numeric)]
)
def test_no_wrong_number_passes_for_the_right_one(number):
    assert all(
        question(number).verdict(slip) == ("no", said) for slip, said in question(number).wrong.items()
    )


def test_the_can_do_list_is_proved_by_everything_there_is_to_do():
    proofs = [proof for item in LESSON_01.can_do_list for proof in item.proofs]
    assert sorted(map(str, proofs)) == sorted(map(str, LESSON_01.proofs()))


def _qrels(labelled):
    return {label.query_id: dict.fromkeys(label.relevant_doc_ids, 1) for label in labelled}


def _pages(labelled):
    return {doc_id for label in labelled for doc_id in label.relevant_doc_ids}


def _count(label):
    return len(label.relevant_doc_ids)
