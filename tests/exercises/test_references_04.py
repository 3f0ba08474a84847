"""Lesson 04: the references beside the package's functions and other tools, and the numbers of the questions from the data."""

import inspect
import re
from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix

from helpers import beir, catalogue, datasets, files, sparse
from helpers.evaluation import evaluate_retrieval
from helpers.exercises.lesson_04 import LESSON_04
from helpers.exercises.lesson_04.idf_from_matrix import IDF_FROM_MATRIX, idf_from_matrix
from helpers.exercises.lesson_04.read_qrels import READ_QRELS, read_qrels
from helpers.exercises.lesson_04.to_csr import TO_CSR, to_csr
from helpers.exercises.lesson_04.top_k import TOP_K, top_k
from helpers.exercises.lesson_04b import LESSON_04B
from helpers.exercises.questions import RIGHT, Numeric
from helpers.retrieval import CsrBM25, RankBM25
from helpers.text import lucene_english, plain

EVERYDAY_SCIENCE = files.BUNDLED_BEIR / "everyday-science" / "qrels" / "test.tsv"
TOY = ["the cat and the hat and the mat by the door", "the dog chased the cat", "the bird sang"]

ids = st.text(st.sampled_from("ab07- "), min_size=1, max_size=4).filter(str.strip)
qrels_files = st.lists(st.tuples(ids, ids, st.integers(0, 3)), max_size=8, unique_by=lambda judgment: judgment[:2])
vectors = st.lists(st.dictionaries(st.integers(0, 4), st.sampled_from([0.25, 0.5, 1.75, 3.0]), max_size=5), max_size=6)
# Sums of products of these are exact, so that scores tie where they should.
tables = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.lists(st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0]), min_size=4, max_size=4), min_size=n, max_size=n)
)
queries = st.lists(st.integers(0, 2), min_size=4, max_size=4)
idfs = st.lists(st.sampled_from([0.25, 0.5, 1.0, 2.0]), min_size=4, max_size=4)


def the_mistake(exercise, name):
    (function,) = [mistake.function for mistake in exercise.mistakes if mistake.name == name]
    return function


def in_batches(table, cuts):
    borders = sorted({0, len(table), *(cut for cut in cuts if cut < len(table))})
    return [csr_array(np.array(table[start:stop])) for start, stop in zip(borders, borders[1:], strict=False)]


@given(qrels_files)
def test_judgments_are_read_as_the_package_reads_them(tmp_path_factory, judgments):
    text = "query-id\tcorpus-id\tscore\n" + "".join(f"{query}\t{doc}\t{grade}\n" for query, doc, grade in judgments)
    file = tmp_path_factory.mktemp("qrels") / "test.tsv"
    file.write_text(text, encoding="utf-8", newline="")
    assert read_qrels(text) == beir.read_beir_qrels(file)


@pytest.mark.parametrize("line", ["q1\t0\td1\t1", "q1 d1\t1", "q1\td1\tgood"])
def test_a_line_that_the_package_refuses_the_reference_refuses(tmp_path, line):
    (tmp_path / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{line}\n")
    for read, given_ in ((read_qrels, f"query-id\tcorpus-id\tscore\n{line}\n"), (beir.read_beir_qrels, tmp_path / "test.tsv")):
        with pytest.raises(ValueError):
            read(given_)


def test_the_bundled_judgments_are_read_whole(everyday_science):
    assert read_qrels(EVERYDAY_SCIENCE.read_text(encoding="utf-8")) == everyday_science.qrels


def test_scifacts_judgments_are_read_whole(scifact):
    text = (datasets.find_beir("scifact")[0] / "qrels" / "test.tsv").read_text(encoding="utf-8")
    assert read_qrels(text) == scifact.qrels


def test_what_pandas_does_to_ids_is_what_the_mistake_does(tmp_path):
    text = "query-id\tcorpus-id\tscore\n007\t31715818\t1\n7\t12\t0\n"
    (tmp_path / "test.tsv").write_text(text)
    table = pd.read_csv(tmp_path / "test.tsv", sep="\t")
    by_pandas: dict = {}
    for query_id, doc_id, grade in table.itertuples(index=False):
        by_pandas.setdefault(query_id, {})[doc_id] = grade
    assert the_mistake(READ_QRELS, "ids made numbers where they can be")(text) == by_pandas


@given(vectors)
def test_a_matrix_is_the_one_that_the_package_makes(rows):
    matrix, packages = to_csr(rows, 5), sparse.encode_to_csr(rows, 5)
    assert matrix.shape == packages.shape == (len(rows), 5)
    assert matrix.toarray().tolist() == packages.toarray().tolist()


def test_the_three_lists_of_the_toy_come_out_as_in_the_lesson():
    counts, _ = sparse.count_terms(TOY, plain)
    matrix = to_csr([dict(zip(row.indices.tolist(), row.data.tolist(), strict=True)) for row in counts], counts.shape[1])
    assert matrix.data.tolist() == [4, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1]
    assert matrix.indices.tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 1, 7, 8, 0, 9, 10]
    assert matrix.indptr.tolist() == [0, 7, 11, 14]


def test_scipy_itself_loses_an_empty_last_row_and_column_where_no_shape_is_given():
    inferred = the_mistake(TO_CSR, "shape inferred")([{0: 1.0}, {}], 2)
    assert inferred.shape == (1, 1) and to_csr([{0: 1.0}, {}], 2).shape == (2, 2)


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=6), st.booleans())
def test_idf_is_the_packages_stored_zeros_or_not(table, zeros_stored):
    counts = csr_array(np.array(table))
    if zeros_stored:
        everywhere = np.tile(np.arange(3), len(table))
        counts = csr_array((np.ravel(table), everywhere, np.arange(0, 3 * len(table) + 1, 3)), shape=counts.shape)
    assert np.allclose(idf_from_matrix(counts), sparse.compute_idf(csr_matrix(counts)), rtol=1e-6)


def test_the_idf_of_the_toy_is_hand_arithmetic():
    assert idf_from_matrix(csr_array([[4, 1, 0], [2, 1, 1], [1, 0, 0]])) == pytest.approx(
        [log(1 + 0.5 / 3.5), log(1 + 1.5 / 2.5), log(1 + 2.5 / 1.5)]
    )


def test_a_zero_that_a_case_speaks_of_is_stored():
    stored = [case for case in IDF_FROM_MATRIX.cases if "stored" in case.reason]
    assert len(stored) == 2
    for case in IDF_FROM_MATRIX.cases:
        assert (case.arguments[0].nnz > np.count_nonzero(case.arguments[0].toarray())) == (case in stored)


@given(tables, queries, idfs, st.integers(1, 15), st.sets(st.integers(1, 11), max_size=3))
def test_the_top_k_of_batches_is_the_packages_of_the_whole(table, query, idf, k, cuts):
    vector = {term: float(count) for term, count in enumerate(query) if count}
    expected = sparse.retrieve_top_k(vector, csr_matrix(np.array(table)), np.array(idf), k)
    assert top_k(np.array(query), in_batches(table, cuts), np.array(idf), k) == expected


def test_with_two_to_find_a_partition_leaves_just_what_the_mistake_returns():
    """No case may ask for more: with three the order that a partition leaves differs from computer to computer."""
    asked_for = [case for case in TOP_K.cases if 1 < case.arguments[3] < sum(batch.shape[0] for batch in case.arguments[1])]
    assert len(asked_for) == 4
    for query, batches, idf, k in (case.arguments for case in asked_for):
        assert k == 2
        scores = np.concatenate([batch @ (query * idf) for batch in batches])
        rows = np.argpartition(scores, -k)[-k:]
        assert the_mistake(TOP_K, "partition unsorted")(query, batches, idf, k) == [(row, scores[row]) for row in rows]


def test_a_solution_goes_into_the_notebook_with_what_the_notebook_imports():
    for exercise in LESSON_04.exercises:
        names = {"np": np, "csr_array": csr_array}
        exec(exercise.source(), names)
        assert exercise.verdict(names[exercise.reference.__name__]).status == RIGHT


def _at_work(dataset, folder):
    """The cell at the end of the exercises: the whole way from the file of judgments to nDCG@10."""
    qrels = read_qrels((folder / "qrels" / "test.tsv").read_text(encoding="utf-8"))
    counts, vocabulary = sparse.count_terms(dataset.corpus.values(), plain)
    idf = idf_from_matrix(csr_array(counts))
    weights = sparse.bm25_weights(counts)
    rows = [dict(zip(row.indices.tolist(), row.data.tolist(), strict=True)) for row in weights]
    batches = [to_csr(rows[i : i + 1000], len(vocabulary)) for i in range(0, len(rows), 1000)]
    doc_ids, run = list(dataset.corpus), {}
    for query_id, text in dataset.queries.items():
        query = sparse.count_terms([text], plain, vocabulary)[0].toarray().ravel()
        run[query_id] = [(doc_ids[row], score) for row, score in top_k(query, batches, idf, k=10)]
    return evaluate_retrieval(run, qrels)["nDCG@10"]


def test_the_four_functions_make_the_third_step_of_the_ladder(everyday_science):
    third = evaluate_retrieval(
        CsrBM25(everyday_science.corpus, plain, k1=0.9, b=0.4).search(everyday_science.queries, k=1000), everyday_science.qrels
    )
    assert round(_at_work(everyday_science, EVERYDAY_SCIENCE.parents[1]), 4) == round(third["nDCG@10"], 4) == 0.5775


def test_on_scifact_they_make_its_0_6618(scifact):
    assert round(_at_work(scifact, datasets.find_beir("scifact")[0]), 4) == 0.6618


def question(lesson, words):
    (found,) = [question for question in lesson.questions if words in question.text]
    return found


@pytest.mark.parametrize("lesson", [LESSON_04, LESSON_04B], ids=["first half", "second half"])
def test_a_wrong_number_is_right_for_no_question(lesson):
    numeric = [question for question in lesson.questions if isinstance(question, Numeric)]
    assert len(numeric) >= 2
    for asked in numeric:
        assert asked.verdict(asked.answer)[0] == RIGHT
        said = [asked.verdict(value)[1] for value in asked.wrong]
        assert said == list(asked.wrong.values())


def test_the_numbers_of_a_matrix_with_that_indptr_are_fourteen():
    asked = question(LESSON_04, "`indptr`")
    indptr = [int(number) for number in re.findall(r"\d+", asked.text.split("[")[1].split("]")[0])]
    matrix = to_csr([{0: 1.0, 1: 1.0}, {}, {0: 1.0, 1: 1.0, 2: 1.0}], 1000)
    assert matrix.indptr.tolist() == indptr
    assert len(matrix.data) + len(matrix.indices) + len(matrix.indptr) == asked.answer
    assert matrix.shape[0] * matrix.shape[1] in asked.wrong


def test_a_word_in_nine_documents_of_ten_has_a_classic_idf_of_about_minus_two():
    asked = question(LESSON_04, "classic IDF")
    assert "ln(0.1 / 0.9), about −2.2" in asked.options["a"][1]
    assert round(log(0.1 / 0.9), 1) == -2.2 == round(log((10_000 - 9_000 + 0.5) / (9_000 + 0.5)), 1)


@pytest.mark.parametrize("exact_lengths", [True, False])
def test_the_note_that_also_says_patient_comes_second_with_the_classic_idf_and_first_with_lucenes(exact_lengths):
    notes = ["old man fall at night", "old man fall at night patient", *["patient quiet and asleep"] * 18]
    counts, vocabulary = sparse.count_terms(notes, plain)
    df, n = sparse.document_frequency(counts), len(notes)
    weights = sparse.bm25_weights(counts, b=0.4 if exact_lengths else 0.0).toarray()
    assert df[vocabulary["patient"]] / n == 0.95 and df[vocabulary["fall"]] == 2
    both = [vocabulary["patient"], vocabulary["fall"]]
    classic = weights[:2, both] @ np.log((n - df + 0.5) / (df + 0.5))[both]
    assert classic[0] > classic[1]
    if not exact_lengths:
        lucene = weights[:2, both] @ idf_from_matrix(csr_array(counts))[both]
        assert lucene[1] > lucene[0]


def test_the_idf_of_cat_in_the_toy_of_four():
    asked = question(LESSON_04, "the cat sang")
    counts, vocabulary = sparse.count_terms([*TOY, "the cat sang"], plain)
    cat = vocabulary["cat"]
    df = int(sparse.document_frequency(counts)[cat])
    assert (df, len(TOY) + 1) == (3, 4)
    assert round(float(sparse.compute_idf(counts)[cat]), 2) == asked.answer

    def lucene(n, df):
        return log(1 + (n - df + 0.5) / (df + 0.5))

    typical = [lucene(4, 2), lucene(3, 3), log(1.5 / 3.5), lucene(4, 3) / log(10), log(4 / 3), lucene(3, 2), log(1 + 3.5 / 1.5)]
    assert sorted(round(value, 2) for value in typical) == sorted(asked.wrong)


def test_unsorted_the_ten_best_lose_ndcg_and_keep_recall(everyday_science):
    run = CsrBM25(everyday_science.corpus, lucene_english).search(everyday_science.queries, k=10)
    by_number = {
        query_id: [(doc_id, float(-rank)) for rank, (doc_id, _) in enumerate(sorted(results))]
        for query_id, results in run.items()
    }
    right, wrong = (evaluate_retrieval(results, everyday_science.qrels) for results in (run, by_number))
    assert wrong["Recall@10"] == pytest.approx(right["Recall@10"]) and wrong["nDCG@10"] < right["nDCG@10"] - 0.1


def test_591_of_the_bundled_judgments_are_zeros():
    asked = question(LESSON_04, "everyday-science")
    qrels = read_qrels(EVERYDAY_SCIENCE.read_text(encoding="utf-8"))
    grades = [grade for of_query in qrels.values() for grade in of_query.values()]
    assert grades.count(0) == asked.answer
    assert {len(grades), len(grades) + 1, len(grades) - grades.count(0), len(qrels), 0} == set(asked.wrong)
    assert "591 of 655" in asked.praise and 0.89 < 591 / 655 < 0.91


def test_against_the_published_bm25_half_of_the_vendors_gain_is_left():
    asked = question(LESSON_04, "vendor")
    published = catalogue.published("scifact", catalogue.BASELINE)["nDCG@10"]
    assert f"published {published}" in asked.options["d"][1]
    assert 0.45 < (0.71 - published) / (0.71 - 0.65) < 0.55


def test_on_scifact_the_ladder_goes_from_0_652_to_0_679(scifact):
    asked = question(LESSON_04, "vendor")
    ends = (RankBM25(scifact.corpus, plain), CsrBM25(scifact.corpus, lucene_english, k1=0.9, b=0.4, lucene_lengths=True))
    low, high = (evaluate_retrieval(end.search(scifact.queries, k=10), scifact.qrels)["nDCG@10"] for end in ends)
    assert f"from {low:.3f} to {high:.3f}" in asked.options["d"][1]


def test_bm25l_ranks_as_lucene_does_with_k1_larger_by_a_half(everyday_science):
    asked = question(LESSON_04B, "bm25l")
    assert "k₁ = 1.2" in asked.text and "k₁ = 1.7" in asked.options["c"][0]
    bm25l = CsrBM25(everyday_science.corpus, lucene_english, variant="bm25l", k1=1.2, b=0.75)
    lucene = CsrBM25(everyday_science.corpus, lucene_english, k1=1.7, b=0.75)
    one, other = (retriever.search(everyday_science.queries, k=10) for retriever in (bm25l, lucene))
    of = {query_id: [doc_id for doc_id, _ in results] for query_id, results in one.items()}
    assert of == {query_id: [doc_id for doc_id, _ in results] for query_id, results in other.items()}


def test_p_at_10_with_every_judged_page_relevant_is_judged_at_10(runbooks):
    asked = question(LESSON_04B, "runbook_run")
    run = CsrBM25(runbooks.corpus, lucene_lengths=True).search(runbooks.queries, k=100)
    names = ["nDCG@10", "P@10", "Recall@10"]
    given_ = evaluate_retrieval(run, runbooks.qrels, metrics=[*names, "Judged@10"])
    ones = {query_id: dict.fromkeys(grades, 1) for query_id, grades in runbooks.qrels.items()}
    all_relevant = evaluate_retrieval(run, ones, metrics=names)
    assert given_["Judged@10"] == pytest.approx(all_relevant["P@10"])
    assert round(given_["Judged@10"], 3) == asked.answer
    grades = [grade for of_query in runbooks.qrels.values() for grade in of_query.values()]
    relevant = sum(grade > 0 for grade in grades) / len(grades)
    typical = [given_["P@10"], all_relevant["nDCG@10"], all_relevant["Recall@10"], relevant]
    assert [round(value, 3) for value in typical] == list(asked.wrong)


def test_memory_alone_needs_32_microseconds():
    asked = question(LESSON_04B, "microseconds")
    postings, read, bytes_a_posting, bytes_a_second = 50e6, 80_000, 8, 20e9
    assert 1e6 * read * bytes_a_posting / bytes_a_second == pytest.approx(asked.answer)
    typical = [
        1e6 * read / bytes_a_second,
        1e6 * postings * bytes_a_posting / bytes_a_second,
        bytes_a_second / (read * bytes_a_posting),
        1e6 * read * 64 / bytes_a_second,
    ]
    assert typical == pytest.approx([value for value in asked.wrong if value])
    assert round(typical[2], -3) == 31_000


def test_solutions_are_short_enough_to_be_written_from_memory():
    lengths = {exercise.name: len(inspect.getsource(exercise.reference).splitlines()) for exercise in LESSON_04.exercises}
    assert max(lengths.values()) <= 10, lengths
