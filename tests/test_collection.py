"""The runbooks are what their documentation says: real wiki pages, hard queries, deep judgments."""

from collections import Counter, defaultdict
from itertools import combinations

import pytest

from course import coverage
from course.chunk_lab import lab_chunkers, measure_chunker
from helpers.base import files
from helpers.datasets import labels
from helpers.datasets import runbooks as wiki
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.evaluation.results import load_results
from helpers.judgments import (
    agreement,
    first_pass,
    load_disagreements,
    load_second_labels,
    quote_paragraphs,
    relevant_documents,
)
from helpers.text import plain, tokens, word_overlap

DOCUMENTS = wiki.read_documents(files.RUNBOOKS)
LABELS = labels.load_labels(files.QUERIES, {document.doc_id: document.text for document in DOCUMENTS})
ENCODINGS = [tokens.STAND_IN_ENCODING, tokens.CL100K]


@pytest.fixture(scope="module", params=ENCODINGS)
def encoding(request):
    if request.param == tokens.STAND_IN_ENCODING:
        return tokens.load_stand_in()
    return request.getfixturevalue("cl100k")


@pytest.fixture(scope="module")
def pooled(encoding, runbooks):
    """The runs whose first ten documents were read, by name."""
    return coverage.pooled_runs(runbooks.corpus, LABELS, encoding)


@pytest.fixture(scope="module")
def lab(encoding, runbooks):
    """The lab's row of each cut, by name; measured once for each encoding, for it takes seconds."""
    return {
        name: measure_chunker(runbooks, LABELS, name, chunker, encoding)
        for name, chunker in lab_chunkers(encoding).items()
    }


# The documents


def test_there_are_at_least_120_documents_of_every_kind_about_all_24_services():
    assert len(DOCUMENTS) >= 120
    assert {document.kind for document in DOCUMENTS} == set(wiki.DOCUMENT_KINDS)
    register = (
        (files.ROOT / "evals" / "corpus_facts.md")
        .read_text(encoding="utf-8")
        .split("## Services")[1]
        .split("## Stores")[0]
    )
    services = {
        line.split()[1] for line in register.splitlines() if line.startswith("| ") and "service (" not in line
    }
    assert len(services) == 24
    assert services <= {document.service for document in DOCUMENTS}


def test_documents_are_as_long_as_wiki_pages_are(encoding):
    assert all(150 <= len(document.body.split()) <= 1800 for document in DOCUMENTS)
    n_tokens = [len(encoding.encode_ordinary(document.text)) for document in DOCUMENTS]
    assert sum(n > 512 for n in n_tokens) >= len(DOCUMENTS) / 3
    assert sum(n > 1024 for n in n_tokens) >= len(DOCUMENTS) / 10


def test_no_two_documents_share_more_than_a_fifth_of_their_five_word_phrases():
    n_phrases, holding = {}, defaultdict(set)
    for document in DOCUMENTS:
        words = plain(document.body)
        phrases = {tuple(words[i : i + 5]) for i in range(len(words) - 4)}
        n_phrases[document.doc_id] = len(phrases)
        for phrase in phrases:
            holding[phrase].add(document.doc_id)
    shared = Counter(pair for doc_ids in holding.values() for pair in combinations(sorted(doc_ids), 2))
    shares = {(a, b): n / min(n_phrases[a], n_phrases[b]) for (a, b), n in shared.items()}
    assert max(shares.values()) <= 0.2, max(shares, key=shares.get)


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        ("out of memory", {"oomkilled", "137", "outofmemoryerror"}),
        ("connection pool exhausted", {"pool", "connection"}),
        ("certificate expired", {"certificate", "expired"}),
        ("consumer lag", {"lag", "consumer"}),
        ("disk full", {"disk", "full"}),
        ("quota used up", {"quota"}),
        ("bad release", {"release", "canary", "rollback"}),
    ],
)
def test_each_frequent_failure_has_look_alikes_about_different_services(failure, words):
    wanted = words if failure != "out of memory" else set()
    of = [document for document in DOCUMENTS if document.kind in ("runbook", "postmortem", "procedure")]
    alike = [d for d in of if wanted <= set(plain(d.body)) and words & set(plain(d.body))]
    assert len({document.service for document in alike}) >= 3, failure


# The queries


def test_there_are_thirty_queries_of_all_kinds():
    kinds = Counter(label.kind for label in LABELS)
    assert [label.query_id for label in LABELS] == [f"q{n:02d}" for n in range(1, 31)]
    assert set(kinds) == set(labels.QUERY_KINDS)
    assert kinds["paraphrase"] >= 8
    assert 1 <= kinds["partial"] <= 2


def test_a_paraphrase_has_at_most_a_quarter_of_its_words_in_any_paragraph_that_is_quoted():
    corpus = {document.doc_id: document.text for document in DOCUMENTS}
    for label in LABELS:
        if label.kind == "paraphrase":
            for doc_id, paragraph in quote_paragraphs(label, corpus).items():
                assert word_overlap(label.query, paragraph) <= 0.25, (label.query_id, doc_id)


def test_a_query_of_several_documents_has_several_answers_and_an_ambiguous_one_several_services():
    service = {document.doc_id: document.service for document in DOCUMENTS}
    for label in LABELS:
        answers = [judgment.doc_id for judgment in label.judgments if judgment.grade == 2]
        if label.kind == "multi_document":
            assert len(answers) >= 3, label.query_id
        if label.kind == "ambiguous":
            assert len({service[doc_id] for doc_id in answers}) >= 3, label.query_id


# The labels


def test_every_quote_stands_in_the_body_and_not_across_the_title():
    body = {document.doc_id: document.body for document in DOCUMENTS}
    for label in LABELS:
        for judgment in label.judgments:
            assert judgment.quote in body[judgment.doc_id], (label.query_id, judgment.doc_id)


def test_at_least_half_of_the_documents_are_relevant_to_some_query():
    assert len(relevant_documents(labels.to_qrels(LABELS))) >= len(DOCUMENTS) / 2


def test_the_pool_is_judged_to_depth_10_for_the_baseline_and_every_cut_of_the_lab(pooled, lab, runbooks):
    for name, run in pooled.items():
        assert evaluate_retrieval(run, runbooks.qrels, (10,))["Judged@10"] == 1, name
    assert {name: row["metrics"]["Judged@10"] for name, row in lab.items()} == dict.fromkeys(lab, 1)


def test_the_baseline_leaves_headroom(pooled, runbooks):
    run = next(iter(pooled.values()))
    assert 0.5 <= evaluate_retrieval(run, runbooks.qrels, (10,))["nDCG@10"] <= 0.75


def test_two_assessors_judged_the_same_pairs_and_every_disagreement_is_listed_and_resolved():
    final, second = labels.to_qrels(LABELS), load_second_labels()
    listed = load_disagreements()
    assert {q: set(grades) for q, grades in second.items()} == {q: set(grades) for q, grades in final.items()}
    first = first_pass(final, listed)
    differ = {
        (q, d) for q, grades in second.items() for d, grade in grades.items() if grade != first[q].get(d)
    }
    assert differ == {(row.query_id, row.doc_id) for row in listed}
    for row in listed:
        assert second[row.query_id][row.doc_id] == row.second != row.first
        assert final[row.query_id][row.doc_id] == row.final
    found = agreement(first, second)
    assert 0.6 < found["kappa, grades"] < 1
    assert 0.6 < found["overlap"] < 1


def test_each_query_has_its_need_written_down():
    needs = (files.ROOT / "evals" / "query_needs.md").read_text(encoding="utf-8")
    for label in LABELS:
        assert f"**{label.query_id}** ({label.kind.replace('_', '-')}). {label.query}\n\n> " in needs


# The files that are generated from them


def test_the_coverage_report_is_what_the_documents_and_labels_give(cl100k):
    assert files.COVERAGE.read_text(encoding="utf-8") == coverage.own_report(cl100k)


def test_the_stored_top_ten_is_what_the_baseline_retrieves(cl100k):
    assert files.BM25_TOP10.read_text(encoding="utf-8") == coverage.own_top10(cl100k)


def test_the_stored_results_of_the_lab_are_those_of_the_encoding_in_use(encoding, lab):
    on_stand_in = encoding.name == tokens.STAND_IN_ENCODING
    folder = files.STORED_RESULTS / (encoding.name if on_stand_in else "")
    stored = load_results(folder / "02_chunking_and_bm25.json")
    assert {row["encoding"] for row in stored} == {encoding.name}
    for row, fresh in zip(stored, lab.values(), strict=True):
        assert {key: row[key] for key in fresh} == fresh
