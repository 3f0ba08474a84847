"""Evaluating a snapshot: metrics by hand, one cause for each miss, reports that repeat and are read back."""

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.datasets.load import load_runbooks
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.retrieval.retrievers import CsrBM25
from workbench.budget import QueryBudget, within_budget
from workbench.corpus.corpus_folder import CorpusFolder
from workbench.corpus.formats import SourceDocument
from workbench.dataset_files.dataset_file import from_qrels, to_qrels, write_dataset
from workbench.dataset_files.evaluation_dataset import EvaluationDataset, EvaluationQuery
from workbench.reports.evaluate_run import evaluate_run
from workbench.reports.models import (
    MISS_CAUSES,
    QUERY_METRICS,
    ROW_METRICS,
    EvaluationReport,
    QueryEvidence,
    load_report,
    row_score,
    save_report,
    without_times,
)
from workbench.reports.summary import meaning
from workbench.snapshots.snapshot import build_snapshot, load_snapshot

DISKS = {"d1": "disk", "d2": "disk disk", "d3": "disk disk disk", "d4": "a slow net"}
"""Under a substring scan, which counts: for "disk" d3 is first, d2 second, d1 third."""


def corpus_of(path, texts, sources=None, name="toy"):
    corpus = CorpusFolder.init(path / name, name)
    sources = sources or {}
    corpus.add(
        [SourceDocument(doc_id, "", text, sources.get(doc_id, doc_id)) for doc_id, text in texts.items()]
    )
    return corpus


def a_row(query_id, text, item=None, source=None, kind="gold"):
    return EvaluationQuery(
        query_id=query_id, query_text=text, expected_item_id=item, expected_source_uri=source, kind=kind
    )


def dataset_of(*rows, name="toy"):
    return EvaluationDataset(schema_version=1, name=name, description="by hand", queries=rows)


def evaluated(path, texts, rows, sources=None, chunker="none", backend="substring-scan", **budget):
    corpus = corpus_of(path, texts, sources)
    return evaluate_run(
        corpus, build_snapshot(corpus, backend, chunker), dataset_of(*rows), QueryBudget(**budget)
    )


def only(report):
    (row,) = report.evidence
    return row


# Metrics


def test_metrics_of_rows_are_hits_hits_by_slots_and_inverse_ranks(tmp_path):
    rows = [
        a_row("first", "disk", "d3"),
        a_row("second", "disk", "d2"),
        a_row("beyond", "disk", "d1"),
        a_row("net", "net", "d4"),
    ]
    metrics = evaluated(tmp_path, DISKS, rows, max_total_items=2).metrics
    assert metrics["hit_rate"] == 3 / 4
    assert metrics["precision_at_max_total_items"] == pytest.approx(3 / 4 / 2)
    assert metrics["mean_reciprocal_rank"] == pytest.approx((1 + 1 / 2 + 0 + 1) / 4)


@pytest.mark.parametrize("name", ["hit_rat", "MRR", "", None])
def test_a_metric_that_no_row_has_is_refused_and_not_taken_for_another(name):
    row = QueryEvidence.model_construct(rank=4)
    with pytest.raises(ValueError, match="'hit_rate' or .* or 'mean_reciprocal_rank'"):
        row_score(name, row, QueryBudget(max_total_items=5))


def test_every_metric_of_a_report_says_what_it_means():
    assert all(map(meaning, [*ROW_METRICS, *QUERY_METRICS]))
    assert meaning("made up@10") == ""


def test_rows_of_one_text_and_kind_are_one_query_for_the_metrics_of_lesson_03(tmp_path):
    rows = [a_row("q-1", "disk", "d3"), a_row("q-2", "disk", "d1"), a_row("net", "net", "d4")]
    report = evaluated(tmp_path, DISKS, rows, max_total_items=2)
    assert {query_id: query.rows for query_id, query in report.per_query.items()} == {
        "q": ["q-1", "q-2"],
        "net": ["net"],
    }
    # Of d1 and d3 the first two ranks hold d3.
    assert report.per_query["q"].metrics["Recall@2"] == 1 / 2
    assert report.per_query["q"].metrics["MRR"] == 1
    assert report.per_query["q"].metrics["MAP"] == 1 / 2
    assert report.per_query["q"].metrics["P@2"] == 1 / 2
    assert report.metrics["Recall@2"] == (1 / 2 + 1) / 2
    assert report.metrics["hit_rate"] == pytest.approx(2 / 3)


def test_pieces_of_equal_score_are_counted_in_the_order_in_which_they_were_shown(tmp_path):
    # By item_id down "a#0" comes before "a!b#0", by doc_id down "a!b" before "a".
    row = a_row("q", "disk", "a!b")
    report = evaluated(tmp_path, {"a": "disk", "a!b": "disk"}, [row], chunker="paragraphs", max_total_items=2)
    assert [item.item_id for item in only(report).items] == ["a#0", "a!b#0"]
    assert report.metrics["mean_reciprocal_rank"] == report.metrics["MRR"] == 1 / 2


def test_metrics_are_those_of_lesson_03_on_the_same_run(tmp_path):
    course = load_runbooks()
    corpus = corpus_of(tmp_path, course.corpus)
    dataset = from_qrels(course.queries, course.qrels, "runbooks", "")
    snapshot = build_snapshot(corpus, "csr-bm25")
    report = evaluate_run(corpus, snapshot, dataset, QueryBudget(max_total_items=10))
    queries, qrels = to_qrels(dataset)
    run = CsrBM25(course.corpus).search(queries, 10)
    names = ["nDCG@10", "Recall@10", "P@10", "Hit@10", "MAP", "MRR", "Rprec"]
    by_lesson_03 = evaluate_retrieval(run, qrels, metrics=names)
    assert {name: report.metrics[name] for name in names} == pytest.approx(dict(by_lesson_03))
    for name in names:
        assert {
            query_id: query.metrics[name] for query_id, query in report.per_query.items()
        } == pytest.approx(by_lesson_03.per_query[name].to_dict())
    hits = sum(grades.get(doc_id, 0) > 0 for query_id, grades in qrels.items() for doc_id, _ in run[query_id])
    assert report.metrics["hit_rate"] == pytest.approx(hits / len(dataset.queries))
    assert str(by_lesson_03.conventions) in report.conventions


def test_chunks_are_folded_to_documents_and_each_document_counts_once(tmp_path):
    texts = {"a": "disk disk disk\n\ndisk disk", "b": "disk"}
    report = evaluated(tmp_path, texts, [a_row("q", "disk", "b")], chunker="paragraphs", max_total_items=3)
    assert [item.item_id for item in only(report).items] == ["a#0", "a#1", "b#0"]
    assert only(report).rank == 3
    assert report.metrics["mean_reciprocal_rank"] == 1 / 3
    assert report.metrics["MRR"] == 1 / 2  # a is one document, so b is the second


def test_an_expected_chunk_is_hit_by_itself_only_and_counts_as_its_document_elsewhere(tmp_path):
    texts = {"a": "disk disk disk\n\ndisk disk", "b": "disk"}
    report = evaluated(tmp_path, texts, [a_row("q", "disk", "a#1")], chunker="paragraphs", max_total_items=1)
    assert only(report).rank is None
    assert only(report).cause == "ranked too low"
    assert report.metrics["hit_rate"] == 0
    assert report.metrics["Recall@1"] == 1


def test_an_expected_source_is_met_by_any_of_its_documents(tmp_path):
    sources = {"d1": "disks.jsonl", "d2": "disks.jsonl", "d3": "other.md"}
    report = evaluated(
        tmp_path, DISKS, [a_row("q", "disk", source="disks.jsonl")], sources, max_total_items=2
    )
    assert [(item.item_id, item.expected) for item in only(report).items] == [("d3", False), ("d2", True)]
    assert only(report).rank == 2
    assert report.metrics["Recall@2"] == 1 / 2  # of d1 and d2


def test_gold_and_synthetic_rows_are_never_averaged_together(tmp_path):
    gold, synthetic = a_row("g", "disk", "d1"), a_row("s", "disk", "d3", kind="synthetic")
    both = evaluated(tmp_path / "both", DISKS, [gold, synthetic], max_total_items=1)
    alone = {
        row.kind: evaluated(tmp_path / row.kind, DISKS, [row], max_total_items=1) for row in (gold, synthetic)
    }
    assert both.metrics == alone["gold"].metrics
    assert both.synthetic_metrics == alone["synthetic"].synthetic_metrics
    assert (both.metrics["hit_rate"], both.synthetic_metrics["hit_rate"]) == (0, 1)
    assert alone["synthetic"].metrics is None
    assert alone["gold"].synthetic_metrics is None
    assert {query_id: query.kind for query_id, query in both.per_query.items()} == {
        "g": "gold",
        "s": "synthetic",
    }


# Evidence and causes


def test_evidence_has_each_items_span_of_its_document(tmp_path):
    texts = {"a": "disk disk\n\nnothing\n\ndisk"}
    report = evaluated(tmp_path, texts, [a_row("q", "disk", "a")], chunker="paragraphs", max_total_items=5)
    assert len(only(report).items) == 2
    assert [item.rank for item in only(report).items] == [1, 2]
    assert all(item.text == texts["a"][item.start : item.end] for item in only(report).items)


def test_a_report_keeps_the_beginning_of_a_text_and_the_whole_span(tmp_path):
    report = evaluated(tmp_path, {"a": "disk " * 100_000}, [a_row("q", "disk", "a")], max_total_items=1)
    (item,) = only(report).items
    assert (item.start, item.end, item.text) == (0, 499_999, "disk " * 400)


def test_a_hit_has_a_rank_and_no_cause(tmp_path):
    row = only(evaluated(tmp_path, DISKS, [a_row("q", "disk", "d2")], max_total_items=2))
    assert (row.rank, row.candidate_rank, row.cause) == (2, 2, None)
    assert row.explanation == "'d2' is at rank 2 of 2."


def test_what_nobody_knows_is_not_in_the_corpus(tmp_path):
    rows = [a_row("ok", "disk", "d1"), a_row("gone", "disk", "d9"), a_row("source", "disk", source="gone.md")]
    _, gone, source = evaluated(tmp_path, DISKS, rows, max_total_items=2).evidence
    assert gone.cause == source.cause == "not in the corpus"
    so = "so it is stale, mistyped or of another corpus."
    assert gone.explanation == f"'d9' is not in the corpus and not an item of the snapshot, {so}"
    assert source.explanation == f"source 'gone.md' is not in the corpus, {so}"


def test_a_chunk_that_the_snapshot_does_not_have_is_not_in_the_corpus(tmp_path):
    rows = [a_row("ok", "disk", "d1#0"), a_row("stale", "disk", "d1#7")]
    _, stale = evaluated(tmp_path, DISKS, rows, chunker="paragraphs", max_total_items=2).evidence
    assert stale.cause == "not in the corpus"


def test_a_document_without_text_has_no_text(tmp_path):
    report = evaluated(
        tmp_path, DISKS | {"scan.pdf": " \n"}, [a_row("q", "disk", "scan.pdf")], max_total_items=5
    )
    assert only(report).cause == "no text"
    assert "has no text: 'scan.pdf'" in report.warnings[0]


def test_a_document_without_a_word_of_the_query_is_not_retrieved(tmp_path):
    row = only(evaluated(tmp_path, DISKS, [a_row("q", "disk", "d4")], max_total_items=5))
    assert (row.cause, row.candidate_rank) == ("not retrieved", None)
    assert row.explanation == "'d4' is in the corpus, and the backend found 3 other items."


def test_a_document_below_the_last_slot_is_ranked_too_low(tmp_path):
    row = only(evaluated(tmp_path, DISKS, [a_row("q", "disk", "d1")], max_total_items=2))
    assert (row.cause, row.candidate_rank, row.rank) == ("ranked too low", 3, None)
    assert (
        row.explanation
        == "'d1' is candidate 3; the last of 2 places went to 'd2', candidate 2 (2 against 1)."
    )


@pytest.mark.parametrize(
    ("reason", "budget", "words"),
    [
        ("offset", {"offset": 1}, "the budget begins after candidate 1"),
        (
            "maximum_total_characters",
            {"maximum_total_characters": 9},
            "its 14 characters would have brought the evidence above 9",
        ),
    ],
)
def test_a_document_that_a_rule_skipped_is_cut_by_the_budget_and_the_rule_is_named(
    tmp_path, reason, budget, words
):
    row = only(evaluated(tmp_path, DISKS, [a_row("q", "disk", "d3")], max_total_items=5, **budget))
    assert (row.cause, row.candidate_rank) == ("cut by the budget", 1)
    assert row.explanation == f"'d3' is candidate 1 and was skipped by {reason}: {words}."
    assert [(one.item_id, one.rank, one.reason) for one in row.cut if one.expected] == [("d3", 1, reason)]


def test_a_document_whose_source_is_at_its_cap_is_cut_by_the_budget(tmp_path):
    sources = {"d3": "disks", "d2": "disks"}
    row = only(
        evaluated(
            tmp_path, DISKS, [a_row("q", "disk", "d2")], sources, max_total_items=5, max_items_per_source=1
        )
    )
    assert row.cause == "cut by the budget"
    assert (
        row.explanation
        == "'d2' is candidate 2 and was skipped by max_items_per_source: 1 item of 'disks' stood above it."
    )


@pytest.mark.parametrize(
    "limit",
    [
        {"maximum_total_characters": 40},
        {"max_items_per_source": 1, "sources": {f"d{n}": "disks" for n in range(1, 9)}},
    ],
)
def test_what_a_rule_skipped_far_below_the_last_slot_is_ranked_too_low(tmp_path, limit):
    texts = {f"d{n}": "disk " * n for n in range(1, 9)}
    row = only(evaluated(tmp_path, texts, [a_row("q", "disk", "d3")], max_total_items=2, **limit))
    # Of d8 to d1 the first is kept, the second skipped; without that rule d8 and d7 would fill both slots.
    (reason,) = limit.keys() - {"sources"}
    assert (row.cause, row.candidate_rank) == ("ranked too low", 6)
    assert row.explanation == (
        f"'d3' is candidate 6 and was skipped by {reason}; "
        "without that rule all 2 places would go to candidates above it."
    )


def test_what_an_offset_skipped_is_cut_by_the_budget_however_far_down_it_was(tmp_path):
    row = only(evaluated(tmp_path, DISKS, [a_row("q", "disk", "d2")], max_total_items=1, offset=2))
    assert (row.cause, row.candidate_rank) == ("cut by the budget", 2)


def test_of_what_comes_after_the_stop_only_the_expected_item_is_kept(tmp_path):
    texts = {f"d{n}": "disk " * n for n in range(1, 9)}
    row = only(evaluated(tmp_path, texts, [a_row("q", "disk", "d3")], max_total_items=2, offset=1))
    assert [(one.item_id, one.reason) for one in row.cut] == [("d8", "offset"), ("d3", "max_total_items")]
    assert [item.item_id for item in row.items] == ["d7", "d6"]


def test_where_the_characters_run_out_the_rest_is_reported_as_far_as_there_are_slots(tmp_path):
    texts = {f"d{n}": "disk " * n for n in range(1, 9)}
    row = only(
        evaluated(tmp_path, texts, [a_row("q", "disk", "d3")], max_total_items=2, maximum_total_characters=40)
    )
    # d8 has 39 characters. d7 and d6 would have filled the two slots; d5, d4, d2 and d1 are not reported.
    assert [item.item_id for item in row.items] == ["d8"]
    assert [(one.item_id, one.expected) for one in row.cut] == [("d7", False), ("d6", False), ("d3", True)]


WORDS = st.sampled_from(["a", "b", "c", "a b", "a a c", "\n\n", "-"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=2, max_size=5)
BUDGETS = st.builds(
    QueryBudget,
    max_total_items=st.integers(1, 4),
    maximum_total_characters=st.none() | st.integers(1, 12),
    max_items_per_source=st.none() | st.integers(1, 2),
    offset=st.integers(0, 3),
)
EXPECTED = st.sampled_from(["d0", "d1", "d2", "d0#0", "d1#1", "d9"])


@settings(max_examples=40, deadline=None)
@given(
    TEXTS,
    BUDGETS,
    st.sampled_from(["a", "b c", "zz"]),
    EXPECTED,
    st.sampled_from(["none", "paragraphs"]),
    st.booleans(),
)
def test_every_miss_has_exactly_one_cause_and_a_hit_has_none(
    texts, budget, query, wanted, chunker, as_source
):
    texts = {"known": "a"} | {f"d{i}": text for i, text in enumerate(texts)}
    sources = {doc_id: f"s{len(doc_id + text) % 3}" for doc_id, text in texts.items()}
    row = a_row("q", query, source="s" + wanted[1]) if as_source else a_row("q", query, wanted)
    with tempfile.TemporaryDirectory() as folder:
        corpus = corpus_of(Path(folder), texts, sources)
        snapshot = build_snapshot(corpus, "substring-scan", chunker)
        dataset = dataset_of(row, a_row("known", "a", "known"))
        found, _ = evaluate_run(corpus, snapshot, dataset, budget).evidence
    candidates = snapshot.candidates(query)
    kept, cut = within_budget(candidates, budget)

    def is_expected(item):
        return (
            item.source_uri == row.expected_source_uri if as_source else wanted in (item.item_id, item.doc_id)
        )

    known = (
        row.expected_source_uri in sources.values()
        if as_source
        else wanted in texts or wanted in snapshot.items
    )
    has_items = any(map(is_expected, snapshot.items.values()))
    best = [one.reason for one in cut if is_expected(one.item)][:1]
    too_low = best == ["max_total_items"]
    if best in (
        ["max_items_per_source"],
        ["maximum_total_characters"],
    ):  # would the items run out if this rule were not there?
        kept_without, without = within_budget(
            candidates, QueryBudget(**budget.model_dump() | {best[0]: None})
        )
        too_low = next((one.reason for one in without if is_expected(one.item)), None) == "max_total_items"
        too_low &= not any(map(is_expected, kept_without))
    holds = {
        "not in the corpus": not known,
        "no text": known and not has_items,
        "not retrieved": has_items and not any(map(is_expected, candidates)),
        "cut by the budget": bool(best) and not too_low,
        "ranked too low": too_low,
    }
    assert list(holds) == list(MISS_CAUSES)
    hit = any(map(is_expected, kept))
    assert [cause for cause in MISS_CAUSES if holds[cause] and not hit] == (
        [] if found.cause is None else [found.cause]
    )
    assert (found.rank is not None) == hit
    assert re.fullmatch(r"[^\n]+\.", found.explanation)


# What is refused, what is warned of


def test_a_snapshot_of_another_corpus_is_refused_with_both_fingerprints(tmp_path):
    one, other = (
        corpus_of(tmp_path, DISKS, name="one"),
        corpus_of(tmp_path, DISKS | {"d5": "x"}, name="other"),
    )
    with pytest.raises(ValueError) as refused:
        evaluate_run(
            other,
            build_snapshot(one, "substring-scan"),
            dataset_of(a_row("q", "x", "d5")),
            QueryBudget(max_total_items=1),
        )
    assert one.fingerprint in str(refused.value)
    assert other.fingerprint in str(refused.value)


def test_a_snapshot_from_before_the_corpus_changed_is_refused(tmp_path):
    corpus = corpus_of(tmp_path, DISKS)
    snapshot = build_snapshot(corpus, "substring-scan")
    corpus.add([SourceDocument("d5", "", "new", "d5")])
    with pytest.raises(ValueError, match="changed since"):
        evaluate_run(corpus, snapshot, dataset_of(a_row("q", "disk", "d1")), QueryBudget(max_total_items=1))


def test_a_dataset_of_another_corpus_is_refused(tmp_path):
    with pytest.raises(ValueError, match="is it a dataset of another corpus"):
        evaluated(
            tmp_path,
            DISKS,
            [a_row("q", "disk", "page-1"), a_row("r", "net", source="x.md")],
            max_total_items=1,
        )


def test_programs_that_changed_since_the_snapshot_was_built_are_warned_of(tmp_path):
    corpus = corpus_of(tmp_path, DISKS)
    snapshot = build_snapshot(corpus, "csr-bm25")
    older = replace(
        snapshot,
        manifest=snapshot.manifest.model_copy(
            update={"versions": snapshot.manifest.versions | {"numpy": "1.0"}}
        ),
    )
    dataset, budget = dataset_of(a_row("q", "disk", "d3")), QueryBudget(max_total_items=1)
    assert evaluate_run(corpus, snapshot, dataset, budget).warnings == []
    (warning,) = evaluate_run(corpus, older, dataset, budget).warnings
    assert "built by other versions" in warning
    assert "numpy 1.0, now " in warning


def test_stale_ids_are_warned_of_by_name_and_count_as_misses(tmp_path):
    stale = [a_row(f"s{n}", "disk", f"old{n}") for n in range(7)]
    report = evaluated(tmp_path, DISKS, [a_row("q", "disk", "d3"), *stale], max_total_items=1)
    (warning,) = report.warnings
    assert warning.startswith("7 of 8 rows count as misses")
    assert "'old0', 'old1', 'old2', 'old3', 'old4' and 2 more" in warning
    assert report.metrics["hit_rate"] == 1 / 8
    assert report.per_query["q"].metrics["Recall@1"] == 1 / 8


def test_a_query_of_which_one_row_is_stale_can_not_reach_full_recall(tmp_path):
    rows = [a_row("q-1", "disk", "d3"), a_row("q-2", "disk", source="gone.md")]
    assert evaluated(tmp_path, DISKS, rows, max_total_items=5).per_query["q"].metrics["Recall@5"] == 1 / 2


# Reports that repeat and that can be read back

SCRIPT = """
import sys
from workbench import CorpusFolder, QueryBudget, evaluate_run, load_dataset, load_snapshot, save_report
folder, dataset, out = sys.argv[1:]
corpus = CorpusFolder.open(folder)
budget = QueryBudget(max_total_items=2, maximum_total_characters=30)
save_report(out, evaluate_run(corpus, load_snapshot(corpus), load_dataset(dataset), budget))
"""
TIMES = r'"(evaluated_at|average_latency_milliseconds|percentile_95_latency_milliseconds|digest)": [^\n]*'


def a_case(path):
    corpus = corpus_of(path, DISKS | {"d5": "déjà vu 😀"})
    build_snapshot(corpus)
    rows = [
        a_row("q", "disk", "d3"),
        a_row("r", "slow", source="d4"),
        a_row("s", "déjà", "d5", kind="synthetic"),
        a_row("x", "disk", "x"),
    ]
    return corpus, dataset_of(*rows)


def test_two_fresh_processes_write_the_same_bytes_apart_from_times(tmp_path):
    corpus, dataset = a_case(tmp_path)
    written = write_dataset(tmp_path / "dataset.json", dataset)
    texts = []
    for seed in ("1", "2"):
        out = tmp_path / f"{seed}.json"
        command = [sys.executable, "-c", SCRIPT, str(corpus.path), str(written), str(out)]
        subprocess.run(
            command, check=True, env=os.environ | {"PYTHONHASHSEED": seed}, cwd=Path(__file__).parents[1]
        )
        texts.append(re.sub(TIMES, "", out.read_text(encoding="utf-8")))
    assert texts[0] == texts[1]
    first, second = (load_report(tmp_path / f"{seed}.json") for seed in ("1", "2"))
    assert json.dumps(without_times(first)) == json.dumps(without_times(second))


def test_the_same_corpus_elsewhere_built_anew_gives_the_same_report_apart_from_times(tmp_path):
    found = []
    for name in ("here", "there"):
        corpus, dataset = a_case(tmp_path / name)
        found.append(
            without_times(
                evaluate_run(corpus, load_snapshot(corpus), dataset, QueryBudget(max_total_items=2))
            )
        )
    assert found[0] == found[1]


@pytest.fixture
def report(tmp_path):
    corpus, dataset = a_case(tmp_path)
    return evaluate_run(corpus, load_snapshot(corpus), dataset, QueryBudget(max_total_items=2))


def test_only_times_are_left_out_of_what_must_repeat(report):
    kept, full = without_times(report), report.model_dump(mode="json")
    assert full.keys() - kept.keys() == {"evaluated_at"}
    assert full["snapshot"].keys() - kept["snapshot"].keys() == {"created"}
    assert set(kept["system"]) == {"index_bytes"}


def test_a_report_read_back_is_the_one_that_was_written(report, tmp_path):
    path = save_report(tmp_path / "reports" / "report.json", report)
    assert load_report(path) == report
    assert "déjà vu 😀" in path.read_text(encoding="utf-8")
    assert save_report(tmp_path / "again.json", load_report(path)).read_bytes() == path.read_bytes()


def test_a_damaged_report_names_all_its_problems_and_where_they_are(report, tmp_path):
    damaged = json.loads(report.model_dump_json())
    damaged["evidence"][1]["items"][0]["rank"] = "1"
    damaged["evidence"][2]["cause"] = "bad luck"
    damaged["metrics"]["hit_rate"] = float("nan")
    damaged["colour"] = "red"
    del damaged["budget"]["max_total_items"]
    path = tmp_path / "report.json"
    path.write_text(json.dumps(damaged), encoding="utf-8")
    with pytest.raises(ValueError, match=r"5 problems") as refused:
        load_report(path)
    lines = str(refused.value).splitlines()[1:]
    paths = [line.split(": ")[0].strip() for line in lines]
    assert sorted(paths) == [
        "budget.max_total_items",
        "colour",
        "evidence[1].items[0].rank",
        "evidence[2].cause",
        "metrics.hit_rate",
    ]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"schema_version": 1'])
def test_what_is_no_report_is_refused_in_words(tmp_path, content):
    path = tmp_path / "report.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"report\.json"):
        load_report(path)


@pytest.mark.parametrize(
    ("keys", "value", "words"),
    [
        (["metrics", "nDCG@10"], 0.999, "the gold metrics nDCG@10 are not the means"),
        (["metrics", "hit_rate"], 1.0, "the gold metrics hit_rate are not the means"),
        (["synthetic_metrics", "MRR"], 0.5, "the synthetic metrics MRR are not the means"),
        (["metrics", "made up"], 0.5, "the gold metrics made up are not the means"),
        (["snapshot_id"], "0" * 16, "are not those of the snapshot"),
        (["snapshot", "snapshot_id"], "0" * 16, "are not those of the snapshot"),
        (["backend_id"], "csr-bm25", "are not those of the snapshot"),
        (["corpus", "fingerprint"], "sha256:" + "0" * 64, "are not those of the snapshot"),
        (
            ["snapshot", "parameters"],
            {"tokenizer": "ascii"},
            "are not those of the snapshot; was the report edited",
        ),
        (["snapshot", "parameters"], {"k1": float("nan")}, "finite number"),
        (["conventions"], "\ud800", "evaluate again:\nthe whole file: it holds half of a surrogate pair"),
    ],
)
def test_a_report_that_was_edited_by_hand_and_contradicts_itself_is_refused(
    report, tmp_path, keys, value, words
):
    edited = json.loads(report.model_dump_json())
    *way, last = keys
    inside = edited
    for name in way:
        inside = inside[name]
    inside[last] = value
    path = tmp_path / "report.json"
    path.write_text(json.dumps(edited), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        load_report(path)


def test_a_report_whose_figures_were_edited_to_agree_with_each_other_does_not_agree_with_its_evidence(
    report, tmp_path
):
    edited = json.loads(report.model_dump_json())
    gold = [query for query in edited["per_query"].values() if query["kind"] == "gold"]
    gold[0]["metrics"]["MRR"] = 0.999
    edited["metrics"]["MRR"] = sum(query["metrics"]["MRR"] for query in gold) / len(gold)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(edited), encoding="utf-8")
    with pytest.raises(ValueError, match="MRR cannot be counted from its evidence and grades"):
        load_report(path)


def test_a_report_whose_evidence_names_another_document_as_expected_is_refused(report, tmp_path):
    edited = json.loads(report.model_dump_json())
    row = next(row for row in edited["evidence"] if row["rank"] == 1 and row["expected_item_id"])
    row["items"][0] |= {"item_id": "other", "doc_id": "other"}
    path = tmp_path / "report.json"
    path.write_text(json.dumps(edited), encoding="utf-8")
    with pytest.raises(ValueError, match="'other' is not what .* expects"):
        load_report(path)


def test_a_report_of_the_first_version_is_refused_with_the_cure(report, tmp_path):
    older = json.loads(report.model_dump_json()) | {"schema_version": 1}
    path = tmp_path / "report.json"
    path.write_text(json.dumps(older), encoding="utf-8")
    with pytest.raises(ValueError, match="an earlier version: .*; evaluate again"):
        load_report(path)


def test_a_report_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no\.json is no file; needed a report"):
        load_report(tmp_path / "no.json")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data["evidence"][0].update(rank=None), "rank"),
        (
            lambda data: data["evidence"][0].update(cause="ranked too low"),
            "a hit has a rank, a miss has a cause",
        ),
        (lambda data: data["evidence"].pop(), "rows of per_query are not those of evidence"),
        (lambda data: data["dataset"].update(gold=1), "gold"),
        (lambda data: data.update(synthetic_metrics=None), "synthetic"),
        (lambda data: data["per_query"]["s"].update(kind="gold"), "rows of per_query"),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(report, change, words):
    data = json.loads(report.model_dump_json())
    change(data)
    with pytest.raises(ValueError, match=words):
        EvaluationReport.model_validate_json(json.dumps(data))


def test_a_row_that_is_missing_from_the_evidence_is_named_with_the_cure(report, tmp_path):
    edited = json.loads(report.model_dump_json())
    gone = edited["evidence"].pop()["query_id"]
    path = tmp_path / "report.json"
    path.write_text(json.dumps(edited))
    with pytest.raises(ValueError, match=f"(?s)was it edited. evaluate again:.*each once: {gone!r}"):
        load_report(path)


def test_what_evaluate_prints_and_the_page_of_a_report_are_no_report(report, tmp_path):
    path = save_report(tmp_path / "report.json", report)
    printed, page = tmp_path / "out.json", path.with_suffix(".html")
    printed.write_text(
        json.dumps({"report": str(path)} | json.loads(report.model_dump_json(exclude={"evidence"})))
    )
    with pytest.raises(ValueError, match="is what `evaluate --json` prints; needed the report, which"):
        load_report(printed)
    page.write_text("<!doctype html><html></html>")
    with pytest.raises(ValueError, match="report.html is the page of a report; .*; give .*report.json"):
        load_report(page)
