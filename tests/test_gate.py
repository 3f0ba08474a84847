"""A gate is red, green or yellow by the interval of the drop against its limit; it refuses what differs."""

import re
import subprocess
import sys

import numpy as np
import pytest

from helpers.stats import CANNOT_TELL, NOT_WORSE, WORSE, t_interval, t_intervals
from workbench.budget import QueryBudget
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.dataset_files import from_qrels
from workbench.reports import evaluate_run, gate_junit, gate_markdown
from workbench.reports.gate import check_comparable, gate
from workbench.reports.models import EvaluationReport
from workbench.reports.scores import Sample, over_searches, paired_scores
from workbench.snapshots.manifest import id_of

BUDGET = {"max_total_items": 5, "maximum_total_characters": 2000, "max_items_per_source": None, "offset": 0}
PRINT = "sha256:" + "a" * 64
OTHER = "sha256:" + "b" * 64


def row(query_id, rank, text="disk full", kind="gold", cause="not retrieved"):
    """A row of a dataset whose expected item is at this rank, None for a miss."""
    item = {
        "item_id": "d1",
        "doc_id": "d1",
        "source_uri": "d1.md",
        "score": 1.0,
        "start": 0,
        "end": 4,
        "text": "disk",
    }
    items = [
        item | {"rank": at, "item_id": f"d{at}", "expected": at == rank} for at in range(1, (rank or 0) + 1)
    ]
    facts = {
        "query_id": query_id,
        "query_text": text,
        "kind": kind,
        "expected_item_id": "d1",
        "expected_source_uri": None,
    }
    why = {
        "cause": None if rank else cause,
        "explanation": "'d1' is at a rank." if rank else f"'d1' was lost by {query_id}.",
    }
    return facts | why | {"rank": rank, "candidate_rank": rank, "items": items, "cut": []}


def report(
    scores, rows=None, budget=BUDGET, corpus=PRINT, dataset=PRINT, name="csr-bm25", synthetic=(), **changed
):
    """A report whose gold queries have these nDCG@10 (or metrics), and one row where `rows` has none."""
    rows = rows or {query: [row(query, 1 if score else None)] for query, score in scores.items()}
    metrics = {
        query: score if isinstance(score, dict) else {"nDCG@10": score} for query, score in scores.items()
    }
    made = [row(query, 1, kind="synthetic") for query in synthetic]
    evidence = [one for several in rows.values() for one in several] + made
    queries = {
        query: {
            "kind": "gold",
            "query_text": rows[query][0]["query_text"],
            "rows": [one["query_id"] for one in rows[query]],
            "judged": False,
            "grades": {"d1": 1},
            "metrics": metrics[query],
        }
        for query in scores
    }
    queries |= {
        query: {
            "kind": "synthetic",
            "query_text": "made",
            "rows": [query],
            "judged": False,
            "grades": {"d1": 1},
            "metrics": {"nDCG@10": 1.0},
        }
        for query in synthetic
    }
    n_gold = len(evidence) - len(made)
    facts = {
        "name": "toy",
        "description": "",
        "schema_version": 1,
        "fingerprint": dataset,
        "queries": len(evidence),
    }
    of_corpus = {"name": "toy", "fingerprint": corpus, "documents": 5}
    manifest = {
        "corpus": of_corpus,
        "chunker": {"name": "none"},
        "analyzer": None,
        "backend": name,
        "parameters": {},
        "items": 5,
        "items_fingerprint": PRINT,
        "index_fingerprint": None,
        "versions": {},
        "created": "2025-01-01T00:00:00.000000+00:00",
    }
    manifest["snapshot_id"] = id_of(manifest)
    return EvaluationReport.model_validate(
        {
            "dataset": facts | {"gold": n_gold, "synthetic": len(made)},
            "corpus": of_corpus,
            "backend_id": name,
            "snapshot_id": manifest["snapshot_id"],
            "snapshot": manifest,
            "budget": budget,
            "evaluated_at": "2025-01-01T00:00:00Z",
            "conventions": "as trec_eval",
            "metrics": {} if n_gold else None,
            "synthetic_metrics": {"hit_rate": 1.0} if made else None,
            "per_query": queries,
            "system": {
                "average_latency_milliseconds": 1.0,
                "percentile_95_latency_milliseconds": 2.0,
                "index_bytes": 10,
            },
            "evidence": evidence,
            "warnings": [],
        }
        | changed
    )


def scores(values):
    return {f"q{number:02}": float(value) for number, value in enumerate(values)}


def row_of(before, after, limit=0.02, **settings):
    return gate(report(scores(before)), report(scores(after)), {"nDCG@10": limit}, **settings).rows[0]


def answer(before, after, limit=0.02, **settings):
    return row_of(before, after, limit, **settings).answer


def lost(*drops):
    """Scores before and after these drops, one for each query."""
    return [0.5] * len(drops), [0.5 - drop for drop in drops]


def test_a_drop_in_every_query_is_red():
    found = gate(report(scores([0.9] * 10)), report(scores([0.5] * 10)), {"nDCG@10": 0.02})
    (limit,) = found.rows
    assert (limit.baseline, limit.candidate, limit.drop) == pytest.approx((0.9, 0.5, 0.4))
    assert found.answer == limit.answer == WORSE
    assert found.text().startswith("RED, worse by more than the limit: ")


def test_the_interval_is_students_with_five_percent_beyond_each_end():
    before, after = lost(0.3, 0.1, 0.0, 0.2, -0.1, 0.1)
    limit = row_of(before, after)
    low, high = t_interval(after, before, confidence=0.9)
    assert (limit.low, limit.high) == pytest.approx((low, high))
    assert limit.drop == pytest.approx(0.1) and limit.low < 0.1 < limit.high


@pytest.mark.parametrize(
    ("limit", "expected"), [(0.0, WORSE), (0.02, CANNOT_TELL), (0.16, CANNOT_TELL), (0.17, NOT_WORSE)]
)
def test_the_answer_is_where_the_limit_lies_below_within_or_above_the_interval(limit, expected):
    before, after = lost(0.2, 0.1, 0.0, 0.2, 0.05, 0.0)  # the drop is 0.092, and its interval 0.018 to 0.166
    assert answer(before, after, limit) == expected


def test_a_drop_above_its_limit_by_one_query_of_ten_is_yellow_and_never_green():
    found = gate(report(scores([1.0] * 10)), report(scores([0.0] + [1.0] * 9)), {"nDCG@10": 0.02})
    assert found.answer == CANNOT_TELL and "GREEN" not in found.text()
    assert found.text().startswith("YELLOW, cannot tell: ")
    assert "note: nDCG@10: the limit is in the interval. 1 of 10 queries changed, too few " in found.text()


def test_a_drop_that_is_shown_but_may_be_within_its_limit_is_yellow_and_said_to_be_a_drop():
    before, after = lost(0.2, 0.1, 0.0, 0.2, 0.05, 0.0)
    sides = report(scores(before)), report(scores(after))
    found = gate(*sides, {"nDCG@10": 0.05})
    assert found.answer == CANNOT_TELL and found.rows[0].low > 0
    assert "a drop is shown, but it may be within its limit" in found.text()


def test_a_yellow_light_says_which_drop_would_be_red_and_how_many_queries_it_takes():
    rng = np.random.default_rng(0)
    before, after = lost(*rng.normal(0.02, 0.14, size=30))
    text = gate(report(scores(before)), report(scores(after)), {"nDCG@10": 0.02}).text()
    red, *its_ends = map(float, re.search(r"a drop of (\S+) \((\S+) to (\S+)\) worse", text).groups())
    needed, *fewest_most = map(int, re.search(r"about (\d+) queries \((\d+) to (\d+)\)", text).groups())
    assert 0.05 < its_ends[0] < red < its_ends[1] < 0.12
    assert 100 < fewest_most[0] < needed < fewest_most[1] < 500
    # With as many queries, and as noisy ones, a change that loses nothing is green in four of five cases.
    drops = np.array(before) - np.array(after)
    drawn = rng.choice(drops - drops.mean(), size=(1000, needed))
    greens = [high < 0.02 for high in t_intervals(drawn.T, confidence=0.9)["high"]]
    assert 0.75 < np.mean(greens) < 0.85


@pytest.mark.parametrize("limit", [0, 1e-7])
def test_no_number_of_queries_is_named_where_the_limit_leaves_no_room(limit):
    text = gate(report(scores([1, 0] * 5)), report(scores([0, 1] * 5)), {"nDCG@10": limit}).text()
    assert "in 4 of 5 cases" in text and "to tell no drop" not in text


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (10, "10 queries call no drop worse in 4 of 5 cases: the baseline has only 0.50"),
        (30, r"30 queries call a drop of 0\.4\d \(0\.4\d or more\) worse in 4 of 5 cases"),
    ],
)
def test_no_drop_is_named_that_is_larger_than_what_there_is(n, said):
    """A search that finds all of half the queries, and one that finds all of the other half."""
    before, after = [1, 0] * (n // 2), [0, 1] * (n // 2)
    text = gate(report(scores(before)), report(scores(after)), {"nDCG@10": 0.02}).text()
    assert re.search(said, text), text


def test_a_drop_that_equals_its_limit_is_within_it():
    assert answer([0.3] * 10, [0.3 - 0.1] * 10, limit=0.1) == NOT_WORSE
    assert answer([0.3] * 10, [0.2] * 10, limit=0.3 - 0.2) == NOT_WORSE  # 0.09999999999999998
    assert answer([0.3] * 10, [0.3 - 0.1001] * 10, limit=0.1) == WORSE


def test_an_improvement_is_green():
    found = row_of([0.2] * 10, [0.9] * 10, limit=0.0)
    assert (found.answer, round(found.drop, 9)) == (NOT_WORSE, -0.7)


def test_a_change_that_moves_nothing_is_green_without_noise():
    found = gate(report(scores([0.5] * 10)), report(scores([0.5] * 10)), {"nDCG@10": 0.0})
    (limit,) = found.rows
    assert (limit.drop, limit.low, limit.high, found.answer) == (0.0, 0.0, 0.0, NOT_WORSE)
    assert (found.regressions, found.notes) == ([], [])


def test_gains_and_losses_that_cancel_out_are_yellow_and_the_queries_that_broke_are_named():
    found = gate(report(scores([1, 0] * 5)), report(scores([0, 1] * 5)), {"nDCG@10": 0.0})
    assert (found.rows[0].drop, found.answer) == (0.0, CANNOT_TELL)
    assert len(found.regressions) == 5


def both_metrics(first, second):
    return report({f"q{i}": {"MAP": a, "MRR": b} for i, (a, b) in enumerate(zip(first, second, strict=True))})


def test_the_same_results_for_every_query_are_green_and_the_same_figures_of_others_are_not():
    scores = {f"q{number}": 1.0 for number in range(30)}
    swapped = {query: [row(query, 1)] for query in scores}
    extra = {**swapped["q0"][0]["items"][0], "rank": 2, "item_id": "d7", "expected": False}
    swapped["q0"][0]["items"].append(extra)
    same = gate(report(scores), report(scores), {"nDCG@10": 0.02})
    assert same.answer == NOT_WORSE and same.rows[0].high == 0
    other = gate(report(scores), report(scores, swapped), {"nDCG@10": 0.02})
    assert other.answer == CANNOT_TELL and "to call that not worse takes 149 queries" in other.notes[0]
    few = {query: scores[query] for query in list(scores)[:4]}
    assert gate(report(few), report(few), {"nDCG@10": 0.02}).answer == CANNOT_TELL


def test_several_limits_make_each_interval_wider():
    before, after = lost(0.2, 0.1, 0.0, 0.2, 0.05, 0.0)
    sides = both_metrics(before, before), both_metrics(after, before)
    alone, both = gate(*sides, {"MAP": 0.0}), gate(*sides, {"MAP": 0.0, "MRR": 0.0})
    assert alone.confidence == pytest.approx(0.90) and both.confidence == pytest.approx(0.95)
    assert both.rows[0].low < alone.rows[0].low and both.rows[0].high > alone.rows[0].high
    assert "95 % interval" in both.text()
    assert (alone.answer, both.rows[0].answer) == (WORSE, CANNOT_TELL)


def test_one_limit_that_is_broken_makes_the_gate_red_and_one_unsure_makes_it_yellow():
    nothing = [0.9] * 10
    unsure = [0.4] + [0.9] * 9
    limits = {"MAP": 0.02, "MRR": 0.02}
    for first, second, expected in (
        (nothing, [0.1] * 10, WORSE),
        (unsure, [0.1] * 10, WORSE),
        (nothing, unsure, CANNOT_TELL),
        (nothing, nothing, NOT_WORSE),
    ):
        assert gate(both_metrics(nothing, nothing), both_metrics(first, second), limits).answer == expected


@pytest.mark.parametrize("after", [0.0, 0.99, 1.0])
@pytest.mark.parametrize(("n", "too_few"), [(1, True), (4, True), (5, False)])
def test_fewer_than_five_gold_queries_cannot_tell_whatever_drops(n, after, too_few):
    found = gate(report(scores([1.0] * n)), report(scores([after] * n)), {"nDCG@10": 0.02})
    assert (found.answer == CANNOT_TELL) == too_few
    said = f"{n} gold {'query is' if n == 1 else 'queries are'} too few for any answer, whatever drops"
    assert (f"{said}; label 5 or more" in found.text()) == too_few


def test_two_limits_need_a_query_more_and_that_is_said_once():
    text = gate(
        both_metrics([1] * 5, [1] * 5), both_metrics([0] * 5, [0] * 5), {"MAP": 0.02, "MRR": 0.02}
    ).text()
    assert text.count("label 6 or more") == 1


def test_the_rows_of_one_query_are_one_witness():
    # Sixteen rows that all fall, but only four questions.
    def side(rank):
        rows = {f"q{i}": [row(f"q{i}-{j}", rank) for j in range(4)] for i in range(4)}
        return report({f"q{i}": 0.5 for i in range(4)}, rows)

    (limit,) = gate(side(1), side(None), {"hit_rate": 0.02}).rows
    assert (limit.baseline, limit.candidate, limit.answer) == (1.0, 0.0, CANNOT_TELL)


def test_means_over_rows_weigh_a_query_by_its_rows():
    rows = {"q1": [row("q1", 2)], "q2": [row("q2-1", 1), row("q2-2", None), row("q2-3", 4)]}
    found = gate(
        *[report(dict.fromkeys(rows, 1.0), rows)] * 2,
        dict.fromkeys(["hit_rate", "mean_reciprocal_rank"], 0.02),
    )
    assert [limit.baseline for limit in found.rows] == pytest.approx([3 / 4, (1 / 2 + 1 + 0 + 1 / 4) / 4])
    found = gate(*[report(dict.fromkeys(rows, 1.0), rows)] * 2, {"precision_at_max_total_items": 0.02})
    assert found.rows[0].baseline == pytest.approx(3 / 4 / 5)


def test_what_broke_is_named_worst_first_with_the_cause():
    rows = [
        {"q1": [row("q1", 1)], "q2": [row("q2-1", 1), row("q2-2", 1)], "q3": [row("q3", 1)]},
        {
            "q1": [row("q1", 3)],
            "q2": [row("q2-1", 1), row("q2-2", None, cause="cut by the budget")],
            "q3": [row("q3", 1)],
        },
    ]
    before, after = ({"q1": 1.0, "q2": 1.0, "q3": 0.5}, {"q1": 0.5, "q2": 0.25, "q3": 0.75})
    found = gate(report(before, rows[0]), report(after, rows[1]), {"nDCG@10": 0.02})
    assert [(query.query_id, query.before, query.after) for query in found.regressions] == [
        ("q2", 1.0, 0.25),
        ("q1", 1.0, 0.5),
    ]
    assert found.regressions[0].causes == ["q2-2: cut by the budget. 'd1' was lost by q2-2."]
    assert found.regressions[1].causes == ["q1: 'd3' found at rank 3, was at 1"]
    assert "- q2  nDCG@10 1.000 to 0.250  disk full\n  - q2-2: cut by the budget" in found.text()


def test_a_long_list_is_cut_for_show_and_counted():
    rows = [
        {f"q{i:02}": [row(f"q{i:02}-{j}", rank) for j in range(6)] for i in range(25)} for rank in (1, None)
    ]
    found = gate(
        *[report(dict.fromkeys(side, score), side) for side, score in zip(rows, (1.0, 0.0), strict=True)],
        {"nDCG@10": 0.02},
    )
    assert (len(found.regressions), len(found.regressions[0].causes)) == (25, 6)
    assert found.text().count("  - and 2 more\n") == 20
    assert found.text().endswith("- and 5 more")


def test_a_query_stands_under_the_metric_in_which_it_fell_furthest():
    sides = [report({"q1": {"MAP": a, "MRR": b}}) for a, b in ((1.0, 1.0), (0.9, 0.2))]
    (query,) = gate(*sides, {"MAP": 0.02, "MRR": 0.02}).regressions
    assert (query.metric, query.before, query.after) == ("MRR", 1.0, 0.2)


def test_synthetic_rows_are_not_looked_at():
    sides = [report(scores([0.5] * 8), synthetic=["s1", "s2"]) for _ in range(2)]
    found = gate(*sides, {"nDCG@10": 0.0})
    assert found.rows[0].baseline == 0.5
    assert "2 synthetic rows are not looked at" in found.text()


def test_reports_of_synthetic_rows_only_are_refused():
    with pytest.raises(ValueError, match="'toy' has no gold query"):
        gate(*[report({}, synthetic=["s1"])] * 2, {"nDCG@10": 0.02})


def test_all_that_differs_is_named_at_once():
    other = report(
        scores([1.0]), budget=BUDGET | {"offset": 2}, corpus=OTHER, dataset=OTHER, conventions="others"
    )
    with pytest.raises(ValueError) as error:
        gate(report(scores([1.0])), other, {"nDCG@10": 0.02})
    lines = str(error.value).splitlines()
    assert [line.split(":")[0].strip() for line in lines[1:]] == [
        "dataset",
        "budget",
        "conventions",
        "corpus",
    ]
    assert PRINT in lines[1] and OTHER in lines[1]
    assert "offset 0 in the baseline" in lines[2] and "offset 2 in the candidate" in lines[2]


def test_where_the_corpus_is_the_same_or_allowed_no_other_one_is_advised():
    other = report(scores([1.0] * 4), corpus=OTHER)
    for allowed, candidate in ((True, other), (False, report(scores([1.0] * 4)))):
        with pytest.raises(ValueError, match="cannot be compared") as error:
            check_comparable(report(scores([1.0] * 8)), candidate, allowed)
        assert "--other-corpus" not in str(error.value)


def test_another_corpus_is_compared_only_where_that_is_said():
    sides = report(scores([1.0] * 8)), report(scores([1.0] * 8), corpus=OTHER)
    with pytest.raises(ValueError, match="corpus: .*allow another corpus|allow another corpus"):
        gate(*sides, {"nDCG@10": 0.02})
    assert "the corpora differ" in gate(*sides, {"nDCG@10": 0.02}, other_corpus=True).text()


def test_another_dataset_is_refused_even_for_another_corpus():
    with pytest.raises(ValueError, match="dataset"):
        gate(
            report(scores([1.0])), report(scores([1.0]), dataset=OTHER), {"nDCG@10": 0.02}, other_corpus=True
        )


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({}, "needed a dict of a metric"),
        ({"nDCG@5": 0.02}, "no metric 'nDCG@5' in both reports\n  metrics: nDCG@10, hit_rate"),
        ({"nDCG@10": -0.1}, "the limit is -0.1"),
        ({"nDCG@10": float("nan")}, "the limit is nan"),
        ({"nDCG@10": float("inf")}, "the limit is inf"),
        ({"nDCG@10": "0.02"}, "the limit is '0.02'"),
        ({"nDCG@10": True}, "the limit is True"),
    ],
)
def test_limits_that_say_nothing_are_refused(limits, message):
    with pytest.raises(ValueError, match=message):
        gate(*[report(scores([1.0]))] * 2, limits)


@pytest.mark.parametrize("alpha", [0, 0.5, 1, -0.1, float("nan"), "0.05"])
def test_an_alpha_that_is_no_level_of_one_side_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha is"):
        gate(*[report(scores([1.0]))] * 2, {"nDCG@10": 0.02}, alpha=alpha)


def test_no_text_of_a_query_can_begin_a_line_or_move_the_cursor():
    hostile = "x\n::error::y\x1b[2J\x07" + "z" * 500
    sides = [
        report({"q\n1": value}, {"q\n1": [row("q\n1", rank, text=hostile)]})
        for value, rank in ((1.0, 1), (0.0, None))
    ]
    lines = gate(*sides, {"nDCG@10": 0.02}).text().splitlines()
    assert not [line for line in lines if line.strip().startswith("::")]
    assert "\x1b" not in "".join(lines) and "\x07" not in "".join(lines)
    assert [line for line in lines if line.startswith("- q 1  nDCG@10 1.000 to 0.000  x ::error::y")]
    assert max(map(len, lines)) < 250


def test_the_same_reports_give_the_same_text():
    rng = np.random.default_rng(3)
    sides = [report(scores(rng.random(40))) for _ in range(2)]
    assert gate(*sides, {"nDCG@10": 0.02}).text() == gate(*sides, {"nDCG@10": 0.02}).text()


@pytest.fixture
def answers(monkeypatch):
    """How often each answer is given of changes that reshuffle queries and lose `true_drop` on average."""
    monkeypatch.setitem(gate.__globals__, "_what_it_takes", lambda *row: [])  # as slow as all the rest

    def shares(true_drop, n, limit=0.02, times=60):
        rng = np.random.default_rng(1)
        found = [answer(*lost(*rng.normal(true_drop, 0.15, size=n)), limit) for _ in range(times)]
        return {one: found.count(one) / times for one in (WORSE, CANNOT_TELL, NOT_WORSE)}

    return shares


def test_without_a_true_drop_the_gate_is_seldom_red_and_few_queries_mostly_cannot_tell(answers):
    found = answers(0.0, n=12)
    assert found[WORSE] <= 0.05 and found[CANNOT_TELL] > 0.8


def test_a_drop_at_its_limit_is_seldom_called_anything(answers):
    found = answers(0.02, n=30)  # red in one of twenty, green in one of twenty
    assert found[WORSE] <= 0.12 and found[NOT_WORSE] <= 0.12


def test_a_real_drop_is_red_and_never_green(answers):
    found = answers(0.3, n=12)
    assert found[WORSE] >= 0.95 and found[NOT_WORSE] == 0


def test_many_queries_show_that_nothing_was_lost(answers):
    assert answers(0.0, n=800, times=10)[NOT_WORSE] >= 0.8


def chunked(size, item_id="d1#3"):
    """A report of one query that expects a piece of a document, cut into pieces of this many tokens."""
    piece = row("q1", 1) | {"expected_item_id": item_id}
    piece["items"] = [piece["items"][0] | {"item_id": item_id}]
    found = report({"q1": 1.0}, rows={"q1": [piece]}).model_dump(mode="json")
    found["snapshot"]["chunker"] = {"name": "fixed", "chunk_size": size}
    found["snapshot_id"] = found["snapshot"]["snapshot_id"] = id_of(found["snapshot"])
    return EvaluationReport.model_validate(found)


def test_pieces_of_documents_that_were_cut_in_two_ways_cannot_be_compared_by_their_ids():
    # "d1#3" of 100 tokens is another text than "d1#3" of 512.
    with pytest.raises(ValueError, match=r"chunker.*'chunk_size': 100.*'chunk_size': 512"):
        gate(chunked(100), chunked(512), {"nDCG@10": 0.02})
    gate(chunked(100), chunked(100), {"nDCG@10": 0.02})
    gate(chunked(100, "d1"), chunked(512, "d1"), {"nDCG@10": 0.02})  # a whole document is the same in both


def test_indexes_that_other_versions_built_are_compared_and_it_is_said():
    after = report({"q1": 1.0}).model_dump(mode="json")
    after["snapshot"]["versions"] = {"numpy": "2.2.0"}
    said = gate(report({"q1": 1.0}), EvaluationReport.model_validate(after), {"nDCG@10": 0.02}).text()
    assert "a drop may come from those: numpy none, now 2.2.0" in said


@pytest.mark.parametrize("given", [0.1, "no", 1])
def test_what_stands_in_the_place_of_other_corpus_allows_none(given):
    with pytest.raises(ValueError, match="other_corpus is .*; needed True or False"):
        gate(report({"q1": 1.0}), report({"q1": 1.0}), {"nDCG@10": 0.02}, given)


def test_the_program_of_earlier_versions_says_what_took_its_place_and_is_no_verdict():
    done = subprocess.run(
        [sys.executable, "-m", "helpers", "compare", "a.json", "b.json"], capture_output=True, text=True
    )
    assert done.returncode == 2 and "workbench new NEW --docs DOCS" in done.stderr


def test_queries_of_a_log_count_as_often_as_they_were_drawn_also_where_that_turns_the_answer():
    """Two queries that half of all searches ask gain; twenty that are asked once each lose."""
    often, seldom = ["q00", "q01"], [f"q{n:02}" for n in range(2, 22)]
    before = {query: 0.5 + 0.01 * n for n, query in enumerate([*often, *seldom])}
    after = {query: score + (0.2 if query in often else -0.1) for query, score in before.items()}
    drawn = {"q00": 11, "q01": 9} | dict.fromkeys(seldom, 1)
    baseline, candidate = report(before), report(after, drawn=drawn)
    once = gate(baseline, report(after), {"nDCG@10": 0.02})
    assert once.answer == WORSE and once.rows[0].drop == pytest.approx((20 * 0.1 - 2 * 0.2) / 22)
    found = gate(baseline, candidate, {"nDCG@10": 0.02})
    times = [drawn[query] for query in before]
    differences = np.repeat([after[query] - before[query] for query in before], times)
    assert found.answer == NOT_WORSE and found.said.startswith("GREEN, better")
    assert found.rows[0].baseline == pytest.approx(np.average(list(before.values()), weights=times))
    ends = t_interval(differences, confidence=0.9)
    assert (-found.rows[0].high, -found.rows[0].low) == pytest.approx(ends)
    assert "40 searches with 22 gold queries" in found.title
    assert "each query counts as often as it was drawn from the log" in found.notes[0]
    assert "if each query counted once: 0.605 and 0.532, drop +0.073" in found.notes[1]
    assert "worse by more than the limit" in found.notes[1]
    assert [one.query_id for one in found.regressions] == seldom


def test_the_gate_says_which_drawn_searches_it_lacks_and_leaves_out_what_was_not_drawn():
    before = scores(np.linspace(0.3, 0.9, 20))
    after = before | {"q18": 0.0, "q19": 0.0}  # which were written by hand, and are worse
    drawn = dict.fromkeys(list(before)[:18], 2) | {"q99": 3}
    found = gate(report(before), report(after, drawn=drawn), {"nDCG@10": 0.02})
    assert found.rows[0].drop == 0 and "36 searches with 20 gold queries" in found.title
    notes = "\n".join(found.notes)
    assert "2 queries were not drawn and not counted (nDCG@10 0.884 and 0.000): q18, q19" in notes
    assert "3 of 39 drawn searches are not counted: read, and nothing relevant is known for them" in notes
    assert [one.query_id for one in found.regressions] == ["q19", "q18"]


def test_where_drawn_queries_were_not_read_the_interval_allows_anything_of_them():
    """The one query that nobody read may be the one that broke."""
    before, after = scores(np.linspace(0.3, 0.9, 40)), scores(np.linspace(0.3, 0.9, 40) + 0.05)
    drawn = dict.fromkeys(before, 2) | {"q99": 20}
    whole = report(after, drawn=dict.fromkeys(before, 2))
    part = report(after, drawn=drawn, unread=["q99"])
    limit = {"nDCG@10": 0.02}
    assert gate(report(before), whole, limit).answer == NOT_WORSE
    found = gate(report(before), part, limit)
    assert found.answer == CANNOT_TELL
    (row,), (read,) = found.rows, gate(report(before), whole, limit).rows
    assert (row.low, row.high) == pytest.approx((0.8 * read.low - 0.2, 0.8 * read.high + 0.2))
    assert "20 of 100 drawn searches were not read yet; the interval allows any difference" in str(
        found.notes
    )
    assert over_searches(part) is None and over_searches(whole)[0] == pytest.approx(0.65)
    # So large a loss is one whatever they are.
    lost = report(dict.fromkeys(before, 0.0), drawn=drawn, unread=["q99"])
    assert gate(report(before), lost, limit).answer == WORSE
    same = gate(part, part, limit)
    assert same.answer == CANNOT_TELL and "the same answers" not in same.said


def test_the_same_answers_are_green_and_say_nothing_of_other_queries():
    """If one query of fifty has changed, these twenty have the same answers in two of three cases."""
    before = report(scores([0.5] * 20), name="mine")
    found = gate(before, report(scores([0.5] * 20), name="other"), {"nDCG@10": 0.02})
    assert found.said == "GREEN, the same answers" and found.rows[0].said == "the same answers"
    assert found.rows[0].high == pytest.approx(1 - 0.05 ** (1 / 20))
    assert "these queries show no change; of all others at most 14 % may have changed" in found.notes
    snapshot = gate(before, before, {"nDCG@10": 0.02})
    assert (snapshot.rows[0].low, snapshot.rows[0].high) == (0, 0)  # one index: nothing can differ


def test_searches_of_one_query_are_no_five_queries():
    one = report({"q1": 0.5}, drawn={"q1": 60})
    for other in (one, report({"q1": 0.1}, drawn={"q1": 60})):
        assert gate(one, other, {"nDCG@10": 0.02}).answer == CANNOT_TELL


def test_a_sample_of_which_each_query_was_drawn_once_is_counted_as_queries_are():
    before, after = scores(np.linspace(0.3, 0.9, 20)), scores(np.linspace(0.25, 0.9, 20))
    plain = gate(report(before), report(after), {"nDCG@10": 0.02}).rows
    assert (
        plain == gate(report(before), report(after, drawn=dict.fromkeys(before, 1)), {"nDCG@10": 0.02}).rows
    )


def test_intervals_by_searches_hold_the_mean_of_the_log_in_95_of_100_samples():
    """A log of 3,000 searches, skewed as logs are; what changed depends on how often a query is asked."""
    rng = np.random.default_rng(3)
    times = np.sort(rng.zipf(1.6, 400).clip(max=400))[::-1]
    differences = np.where(times > 5, 0.05, -0.1) + rng.normal(0, 0.15, len(times))
    truth, held = np.average(differences, weights=times), 0
    for _ in range(200):
        drawn = rng.multivariate_hypergeometric(times, 200)
        queries = [f"q{n:03}" for n in np.flatnonzero(drawn)]
        table = paired_scores(
            report(dict.fromkeys(queries, 0.0)),
            report(dict(zip(queries, differences[drawn > 0], strict=True))),
            "nDCG@10",
        )
        sample = Sample(dict(zip(queries, drawn[drawn > 0].tolist(), strict=True)))
        low, high = t_interval(sample.by_search(table)["difference"])
        held += low <= truth <= high
    assert 185 <= held <= 199


def test_a_red_light_says_when_it_hangs_on_documents_that_nobody_judged(tmp_path):
    """The candidate shows another document, which nobody has read; or one that was read, and is useless."""
    corpus = CorpusFolder.init(tmp_path, "house")
    names = [f"d{n}" for n in range(40)]
    corpus.add([SourceDocument(name, "", f"page {name}", f"{name}.md") for name in names])
    queries = {f"q{n}": f"page d{n}" for n in range(12)}
    qrels = {query_id: {f"d{n}": 1, f"d{n + 12}": 0} for n, query_id in enumerate(queries)}
    dataset = from_qrels(queries, qrels, "house", "")
    number = {text: n for n, text in enumerate(queries.values())}

    def measured(first):
        return evaluate_run(
            corpus,
            lambda query, k: [f"d{number[query] + (first if number[query] else 0)}"],
            dataset,
            QueryBudget(max_total_items=1),
        )

    limit = {"nDCG@10": 0.02}
    unread = gate(measured(0), measured(24), limit)
    assert unread.answer == WORSE  # a search that shows what nobody knows does not pass
    words = (
        "RED, worse by more than the limit, unless some of the 11 documents are relevant that nobody judged"
    )
    assert unread.said == words and words in unread.text() and words in gate_markdown({"new": unread})
    assert words in gate_junit({"new": unread})
    useless = gate(measured(0), measured(12), limit)
    assert useless.said == "RED, worse by more than the limit"


def test_a_red_light_hangs_on_what_either_list_shows_or_on_no_judgment(tmp_path):
    """A page that only the baseline shows, at rank 10, makes the ideal longer where it is relevant."""
    corpus = CorpusFolder.init(tmp_path, "house")
    corpus.add([SourceDocument(f"d{n}", "", f"page d{n}", f"d{n}.md") for n in range(60)])
    queries = {f"q{n}": f"page d{n}" for n in range(30)}
    useless = [f"d{n}" for n in range(41, 49)]
    qrels = {f"q{n}": {f"d{n}": 1, "d40": 2} | dict.fromkeys(useless, 0) for n in range(30)}
    dataset = from_qrels(queries, qrels, "house", "")

    def baseline(query, k):
        own = query.split()[1]
        return ["d40", own, *useless[:7], "d59"] if int(own[1:]) < 8 else ["d40", own]

    def candidate(query, k):
        own = query.split()[1]
        return useless if int(own[1:]) < 8 else ["d40", own]

    budget = QueryBudget(max_total_items=10)
    reports = [evaluate_run(corpus, one, dataset, budget) for one in (baseline, candidate)]
    drop = gate(*reports, {"nDCG@10": 0.0}).rows[0]
    said = gate(*reports, {"nDCG@10": drop.low - 0.001}).said
    assert (
        said
        == "RED, worse by more than the limit, unless some of the 8 documents are relevant that nobody judged"
    )
    assert gate(*reports, {"nDCG@10": 0.02}).said == "RED, worse by more than the limit"
    # With two limits all that are red must turn: the rank of the first relevant document does not.
    assert (
        gate(*reports, {"nDCG@10": drop.low - 0.02, "MRR": 0.0}).said == "RED, worse by more than the limit"
    )


def test_what_nobody_judged_is_no_excuse_where_it_could_not_help(tmp_path):
    corpus = CorpusFolder.init(tmp_path, "house")
    corpus.add([SourceDocument(f"d{n}", "", f"page d{n}", f"d{n}.md") for n in range(40)])
    queries = {f"q{n}": f"page d{n}" for n in range(12)}
    dataset = from_qrels(queries, {f"q{n}": {f"d{n}": 1, "d30": 0} for n in range(12)}, "house", "")
    good = evaluate_run(corpus, lambda query, k: [query.split()[1]], dataset, QueryBudget(max_total_items=10))

    def finds_little(query, k):  # one new document for one query of twelve, and for the others nothing of use
        return ["d31"] if query == "page d0" else ["d30"]

    bad = evaluate_run(corpus, finds_little, dataset, QueryBudget(max_total_items=10))
    assert gate(good, bad, {"nDCG@10": 0.02}).said == "RED, worse by more than the limit"


def test_two_samples_of_searches_are_told():
    before = scores(np.linspace(0.3, 0.9, 20))
    one, other = (report(before, drawn=dict.fromkeys(before, n)) for n in (1, 2))
    said = "the baseline was measured with another sample of searches; both count by the candidate's"
    assert said in gate(one, other, {"nDCG@10": 0.02}).notes
    assert said not in gate(one, one, {"nDCG@10": 0.02}).notes


def test_queries_that_came_in_since_the_baseline_are_named_and_not_compared():
    """Nobody knows what the baseline found for them: as no difference they would hide one."""
    before = scores(np.linspace(0.3, 0.9, 14))
    after = {query: score - 0.15 for query, score in before.items()}
    more = {f"new{n:02d}": 0.5 for n in range(40)}
    limit = {"nDCG@10": 0.05}
    alone = gate(report(before), report(after), limit)
    found = gate(report(before), report(after | more, dataset=OTHER), limit)
    assert found.rows == alone.rows and found.answer == WORSE and "14 gold queries" in found.title
    said = (
        "40 queries are not in the baseline and not compared, as nobody knows what it found for them: new00"
    )
    assert any(note.startswith(said) for note in found.notes) and said not in str(alone.notes)
    assert found.regressions == alone.regressions
    with pytest.raises(ValueError, match="queries that only one of the two has"):  # the other way round
        gate(report(before | more, dataset=OTHER), report(after), limit)
    changed = report(after | more, {q: [row(q, 1, text="net slow")] for q in after | more}, dataset=OTHER)
    with pytest.raises(ValueError, match="dataset: .*\n.*queries that only one of the two has"):
        gate(report(before), changed, limit)


def test_of_a_larger_sample_the_searches_of_the_baseline_count_as_they_were_drawn_then():
    """Queries of many searches are drawn first: by their later counts they would count too much."""
    before = scores(np.linspace(0.3, 0.9, 14))
    after = {query: score - 0.01 * n for n, (query, score) in enumerate(before.items())}
    then = {query: 1 + (n < 2) for n, query in enumerate(before)}
    now = {query: times * (20 if times > 1 else 3) for query, times in then.items()}
    more = {f"new{n:02d}": 0.5 for n in range(40)}
    limit = {"nDCG@10": 0.02}
    alone = gate(report(before, drawn=then), report(after, drawn=then), limit)
    candidate = report(after | more, dataset=OTHER, drawn=now | dict.fromkeys(more, 1))
    found = gate(report(before, drawn=then), candidate, limit)
    assert found.rows == alone.rows and "16 searches with 14 gold queries" in found.title
    # One that was drawn by then, and for which something relevant became known later, may be of any score.
    then["new00"] = 4
    found = gate(report(before, drawn=then), candidate, limit)
    assert found.rows[0].low < -0.15 and found.answer == CANNOT_TELL
    said = "4 of 20 drawn searches are of queries that the baseline does not have; the interval allows any"
    assert any(note.startswith(said) for note in found.notes) and "not read yet" not in str(found.notes)
