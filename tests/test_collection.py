"""The runbooks are what their datasheet says: a wiki that has aged, queries of those who ask, every pair
judged, facts with quotes."""

import json
from collections import Counter, defaultdict
from itertools import combinations

import pytest

from course import coverage, release
from course.__main__ import main
from course.baselines import BASELINE, baseline_runs, load_runs
from course.chunk_lab import lab_chunkers, measure_chunker
from helpers import datasets
from helpers.base import files
from helpers.datasets import labels, trec
from helpers.datasets import runbooks as wiki
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.evaluation.results import load_results
from helpers.judgments import (
    agreement,
    first_pass,
    load_disagreements,
    load_second_labels,
    relevant_documents,
)
from helpers.text import plain, tokens

DOCUMENTS = wiki.read_documents(files.RUNBOOKS)
BY_ID = {document.doc_id: document for document in DOCUMENTS}
CORPUS = {document.doc_id: document.text for document in DOCUMENTS}
CORE = datasets.runbook_labels("core", CORPUS)
LABELS = datasets.runbook_labels("all", CORPUS) + datasets.runbook_labels("unanswered", CORPUS)
QRELS = labels.to_qrels(LABELS)
NEEDS = datasets.load_needs(LABELS)
ANSWERS = datasets.load_nuggets(LABELS, CORPUS)
ENCODINGS = [tokens.STAND_IN_ENCODING, tokens.CL100K]


@pytest.fixture(scope="module", params=ENCODINGS)
def encoding(request):
    if request.param == tokens.STAND_IN_ENCODING:
        return tokens.load_stand_in()
    return request.getfixturevalue("cl100k")


@pytest.fixture(scope="module")
def lab(encoding, runbooks):
    """The lab's row of each cut, by name; measured once for each encoding, for it takes seconds."""
    return {
        name: measure_chunker(runbooks, CORE, name, chunker, encoding).row
        for name, chunker in lab_chunkers(encoding).items()
    }


# The documents


def test_there_are_160_documents_of_every_kind_about_all_24_services():
    assert len(DOCUMENTS) == 160
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
    n_words = [len(document.body.split()) for document in DOCUMENTS]
    assert min(n_words) < 100 and max(n_words) <= 1800
    n_tokens = [len(encoding.encode_ordinary(document.text)) for document in DOCUMENTS]
    assert sum(n > 512 for n in n_tokens) >= len(DOCUMENTS) / 3
    assert sum(n > 1024 for n in n_tokens) >= len(DOCUMENTS) / 10


def test_only_the_near_copies_share_more_than_a_fifth_of_their_five_word_phrases():
    n_phrases, holding = {}, defaultdict(set)
    for document in DOCUMENTS:
        words = plain(document.body)
        phrases = {tuple(words[i : i + 5]) for i in range(len(words) - 4)}
        n_phrases[document.doc_id] = len(phrases)
        for phrase in phrases:
            holding[phrase].add(document.doc_id)
    shared = Counter(pair for doc_ids in holding.values() for pair in combinations(sorted(doc_ids), 2))
    alike = {pair for pair, n in shared.items() if n > 0.2 * min(n_phrases[doc_id] for doc_id in pair)}
    assert alike == {("doc_103", "doc_150"), ("doc_131", "doc_151")}


def test_a_page_that_was_superseded_is_older_than_the_page_that_took_its_place():
    marked = [document for document in DOCUMENTS if document.superseded_by]
    assert len(marked) >= 7
    for document in marked:
        successor = BY_ID[document.superseded_by]
        assert document.updated < successor.updated and not successor.superseded_by


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


def test_there_are_150_queries_and_the_first_thirty_are_the_core():
    assert sorted(QRELS, key=lambda query_id: int(query_id[1:])) == [f"q{n:02d}" for n in range(1, 151)]
    assert [label.query_id for label in CORE] == [f"q{n:02d}" for n in range(1, 31)]


def test_every_kind_has_about_twenty_queries_and_every_role_more():
    kinds = Counter(label.kind for label in LABELS)
    assert set(kinds) == set(labels.QUERY_KINDS) and min(kinds.values()) >= 15
    roles = Counter(need.role for need in NEEDS.values())
    assert len(roles) == 5 and min(roles.values()) >= 20
    forms = Counter(need.form for need in NEEDS.values())
    assert min(forms[form] for form in ("pasted", "two_words", "typo", "follow_up")) >= 10


def test_dev_has_60_queries_with_the_core_and_test_90_of_every_kind():
    splits = Counter(need.split for need in NEEDS.values())
    assert splits == {"dev": 60, "test": 90}
    assert all(NEEDS[label.query_id].split == "dev" for label in CORE)
    kinds = Counter(label.kind for label in LABELS if NEEDS[label.query_id].split == "test")
    assert set(kinds) == set(labels.QUERY_KINDS) and min(kinds.values()) >= 9


def test_the_splits_leave_out_what_no_page_helps_with():
    dev, test = (datasets.load_runbooks(queries=name) for name in ("dev", "test"))
    unanswered = datasets.load_runbooks(queries="unanswered")
    assert not dev.queries.keys() & test.queries.keys()
    assert len(dev.queries) + len(test.queries) + len(unanswered.queries) == 150
    assert not any(grade for grades in unanswered.qrels.values() for grade in grades.values())
    assert all(max(grades.values()) > 0 for grades in (dev.qrels | test.qrels).values())
    assert len(unanswered.queries) >= 10


def test_a_need_says_what_must_be_learnt_and_never_which_page_has_it():
    titles = [document.title.lower() for document in DOCUMENTS]
    for query_id, need in NEEDS.items():
        said = " ".join([*need.essential, *need.useful]).lower()
        assert need.essential and "doc_" not in said, query_id
        assert not any(word in said.split() for word in ("wiki", "runbook", "postmortem")), query_id
        assert not any(title in said for title in titles), query_id


def test_an_ambiguous_query_has_several_intents_that_different_pages_serve():
    for label in LABELS:
        intents = NEEDS[label.query_id].intents
        assert bool(intents) == (label.kind == "ambiguous"), label.query_id
        if intents:
            assert len({intent.doc_ids for intent in intents if intent.doc_ids}) >= 2, label.query_id


def test_what_is_asked_as_of_today_is_answered_by_an_outdated_page_too():
    """Or by the near copy for another place, which is in force there."""
    current = [label for label in LABELS if label.kind == "current"]
    outdated = [label for label in current if any(judged.superseded for judged in label.judgments)]
    assert len(outdated) >= 0.85 * len(current)


# The labels


def test_there_is_no_unjudged_pair():
    assert all(set(grades) == set(CORPUS) for grades in QRELS.values())


def test_every_quote_stands_in_the_body_and_not_across_the_title():
    for label in LABELS:
        for judgment in label.judgments:
            assert judgment.quote in BY_ID[judgment.doc_id].body, (label.query_id, judgment.doc_id)


def test_a_page_marked_as_superseded_answers_nothing_that_is_asked_of_today():
    """But what happened then: its postmortems and figures may be what is asked."""
    marked = {document.doc_id for document in DOCUMENTS if document.superseded_by}
    relevant = [(q, d) for q, grades in QRELS.items() for d, grade in grades.items() if grade and d in marked]
    assert len(relevant) <= 0.02 * sum(grade > 0 for grades in QRELS.values() for grade in grades.values())


def test_most_of_the_documents_are_relevant_to_some_query():
    assert len(relevant_documents(QRELS)) >= 0.8 * len(DOCUMENTS)


def test_the_baseline_leaves_headroom(runbooks, cl100k):
    run = coverage.to_documents(coverage.baseline_chunk_run(runbooks.corpus, runbooks.queries, cl100k))
    assert 0.4 <= evaluate_retrieval(run, runbooks.qrels, (10,))["nDCG@10"] <= 0.75


def test_two_assessors_judged_every_pair_and_what_was_decided_anew_is_listed():
    second, listed = load_second_labels(), load_disagreements()
    assert {q: set(grades) for q, grades in second.items()} == {q: set(grades) for q, grades in QRELS.items()}
    first = first_pass(QRELS, listed)
    differ = {(q, d) for q in QRELS for d in CORPUS if len({first[q][d], second[q][d], QRELS[q][d]}) > 1}
    assert differ == {(row.query_id, row.doc_id) for row in listed}
    for row in listed:
        assert second[row.query_id][row.doc_id] == row.second
        assert QRELS[row.query_id][row.doc_id] == row.final
    assert 0.4 < agreement(first, second)["overlap"] < 1


def test_a_third_pass_over_a_sample_is_kept_as_it_was():
    third = load_second_labels(files.THIRD_LABELS)
    assert sum(map(len, third.values())) >= 300
    assert all(grades.keys() <= CORPUS.keys() and query_id in QRELS for query_id, grades in third.items())


# The nuggets


def test_every_query_that_is_answered_has_up_to_six_nuggets_and_one_is_vital():
    answered = {query_id for query_id, grades in QRELS.items() if 2 in grades.values()}
    assert ANSWERS.keys() == answered
    for answer in ANSWERS.values():
        assert 1 <= len(answer.nuggets) <= 6
        assert any(nugget.importance == "vital" for nugget in answer.nuggets)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda answer: answer | {"answer": "word " * 61}, "the reference answer has 61 words"),
        (lambda answer: answer | {"nuggets": []}, "nuggets: needed 1 or more of them, found []"),
        (
            lambda answer: answer | {"nuggets": [one | {"importance": "okay"} for one in answer["nuggets"]]},
            "supports no vital nugget",
        ),
        (
            lambda answer: (
                answer
                | {
                    "nuggets": [
                        answer["nuggets"][0] | {"support": [{"doc_id": "doc_001", "quote": "No such words"}]}
                    ]
                }
            ),
            "the quote 'No such words' does not stand in 'doc_001' exactly once",
        ),
        (lambda answer: answer | {"query_id": "q02"}, "query 'q02' has an earlier line already"),
    ],
)
def test_a_nugget_that_does_not_fit_its_pages_or_grades_is_refused(tmp_path, change, complaint):
    lines = files.NUGGETS.read_text(encoding="utf-8").splitlines()
    changed = json.dumps(change(json.loads(lines[0])))
    path = tmp_path / "nuggets.jsonl"
    path.write_text("\n".join([changed, *lines[1:]]), encoding="utf-8")
    with pytest.raises(ValueError, match="problem") as error:
        datasets.load_nuggets(LABELS, CORPUS, path)
    assert complaint in str(error.value)


def test_a_query_without_a_need_and_an_intent_served_by_an_irrelevant_page_are_refused(tmp_path):
    lines = [json.loads(line) for line in files.NEEDS.read_text(encoding="utf-8").splitlines()]
    ambiguous = next(line for line in lines if line["intents"])
    wrong = next(d for d, grade in QRELS[ambiguous["query_id"]].items() if not grade)
    ambiguous["intents"][0]["doc_ids"] = [wrong]
    path = tmp_path / "needs.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines[1:]), encoding="utf-8")
    with pytest.raises(ValueError, match="problems") as error:
        datasets.load_needs(LABELS, path)
    assert "query 'q01' has no line" in str(error.value)
    assert f"{wrong!r} serves an intent and is not relevant" in str(error.value)


# The files that are generated from them


@pytest.fixture(scope="module")
def fresh_runs(cl100k):
    return baseline_runs(CORPUS, labels.to_queries(LABELS), cl100k)


def test_the_stored_runs_are_what_the_systems_retrieve(fresh_runs):
    """The latent one up to what another processor rounds otherwise."""
    for name, stored in load_runs().items():
        for query_id, results in stored.items():
            top = [doc_id for doc_id, _ in fresh_runs[name][query_id][: len(results)]]
            same = sum(one == doc_id for one, (doc_id, _) in zip(top, results, strict=True))
            assert same >= (0.9 if "latent" in name else 1) * len(results), (name, query_id)


def test_the_stored_results_of_the_lab_are_those_of_the_encoding_in_use(encoding, lab):
    on_stand_in = encoding.name == tokens.STAND_IN_ENCODING
    folder = files.STORED_RESULTS / (encoding.name if on_stand_in else "")
    stored = load_results(folder / "02_chunking_and_bm25.json")
    assert {row["encoding"] for row in stored} == {encoding.name}
    for row, fresh in zip(stored, lab.values(), strict=True):
        assert {key: row[key] for key in fresh} == fresh


# The release


def test_a_release_is_read_back_as_the_collection(tmp_path, capsys):
    folder = tmp_path / "runbooks"
    assert main(["release", str(folder)]) == 0
    assert f"edition {datasets.runbooks_version()} of the runbooks" in capsys.readouterr().out
    dev = datasets.load_runbooks(queries="dev")
    read = datasets.load_beir("runbooks", "dev", folder)
    assert (read.corpus, read.queries, read.qrels) == (dev.corpus, dev.queries, dev.qrels)
    assert trec.read_qrels(folder / "qrels.trec") == QRELS
    assert BASELINE in load_runs()


def test_a_release_describes_its_files_with_their_hashes(tmp_path):
    folder = release.write_release(tmp_path / "runbooks")
    described = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    assert {one["@id"] for one in described["distribution"]} == {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    } - {"croissant.json"}
    assert described["version"] == datasets.runbooks_version().split()[0]
    assert all(len(one["sha256"]) == 64 for one in described["distribution"])


def test_a_release_never_writes_into_a_folder_that_holds_files(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="holds other files already"):
        release.write_release(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_the_version_changes_with_a_grade(monkeypatch, tmp_path):
    before = datasets.runbooks_version()
    changed = tmp_path / files.QUERIES.name
    changed.write_bytes(files.QUERIES.read_bytes().replace(b'"grade": 1', b'"grade": 0', 1))
    monkeypatch.setattr(files, "QUERIES", changed)
    assert datasets.runbooks_version() != before
