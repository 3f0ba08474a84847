"""Figures by segment: a mean over all queries hides that a search is better for some and worse for others."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from small_project import said_of

from helpers.stats import t_interval
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.exchange import AskedQuery, bring_in_queries, read_queries
from workbench.labelling import Labelling, Question
from workbench.projects import by_segment, measure_project
from workbench.projects.segments import MOST, opposite, segments_of

HOW_TO = [f"q{n:02}" for n in range(22)]
CODES = [f"q{n:02}" for n in range(22, 44)]


def two_searches(gain, loss, rng=None):
    """Scores of two searches of which the new one is better on how-to and worse on error codes."""
    rng = rng or np.random.default_rng(1)
    old = pd.Series(rng.uniform(0.3, 0.7, 44), index=HOW_TO + CODES)
    moved = np.repeat([gain, -loss], 22) + rng.normal(0, 0.1, 44)
    return pd.DataFrame({"old": old, "new": old + moved})


SEGMENTS = dict.fromkeys(HOW_TO, "how-to") | dict.fromkeys(CODES, "error codes")


def test_opposite_effects_are_seen_that_cancel_out_in_the_mean():
    scores = two_searches(0.2, 0.2)
    low, high = t_interval(scores["new"] - scores["old"])
    assert low < 0 < high
    found = by_segment(scores, SEGMENTS)
    own = found[found["system"] == "new"].set_index("segment")
    assert own.loc["how-to", "low"] > 0 > own.loc["error codes", "high"]
    assert opposite(found, "new").startswith("better on how-to, by 0.")
    assert "; worse on error codes, by 0." in opposite(found, "new")
    assert opposite(found, "old") == opposite(by_segment(two_searches(0.2, -0.2), SEGMENTS), "new") == ""


def test_each_interval_is_the_paired_t_interval_at_its_share_of_the_level():
    scores = two_searches(0.1, 0.0).assign(third=0.5)
    found = by_segment(scores, SEGMENTS).set_index(["segment", "system"])
    for segment, queries in (("how-to", HOW_TO), ("error codes", CODES)):
        for system in ("new", "third"):
            own = scores.loc[queries, system] - scores.loc[queries, "old"]
            row = found.loc[(segment, system)]
            assert (row["mean"], row["queries"]) == (pytest.approx(scores.loc[queries, system].mean()), 22)
            assert row["difference"] == pytest.approx(own.mean())
            ends = t_interval(own, confidence=1 - 0.05 / 4)  # two segments times two systems
            assert (row["low"], row["high"]) == pytest.approx(ends, abs=1e-9)


def test_all_intervals_together_hold_the_truth_in_95_of_100_experiments():
    rng, held, runs = np.random.default_rng(11), 0, 300
    for _ in range(runs):
        found = by_segment(two_searches(0.1, 0.05, rng), SEGMENTS)
        own = found[found["system"] == "new"].set_index("segment")
        truth = pd.Series({"how-to": 0.1, "error codes": -0.05})
        held += ((own["low"] <= truth) & (truth <= own["high"])).all()
    assert 0.92 <= held / runs <= 0.98  # 0.949 of 1,500; for 300 the standard error is 0.013


def test_a_segment_of_few_queries_has_no_interval():
    scores = two_searches(0.2, 0.2)
    found = by_segment(scores, dict.fromkeys(HOW_TO[:4], "rare") | dict.fromkeys(CODES, "error codes"))
    own = found[found["system"] == "new"].set_index("segment")
    assert own.loc["rare", ["low", "high"]].isna().all() and own.loc["rare", "queries"] == 4
    assert own.loc["none", ["low", "high"]].notna().all()  # the rest, in no segment


def asked(segments, kinds=None):
    return {
        f"q{n}": Question(
            query_id=f"q{n}", query=f"text {n}", segment=one, kind=(kinds or {}).get(n, "question")
        )
        for n, one in enumerate(segments)
    }


@pytest.mark.parametrize(
    ("questions", "found", "said"),
    [
        (asked([None] * 4), {}, ""),
        (asked(["a"] * 4), {}, ""),
        (asked(["a", "b", "c", "d"]), {}, "each of the 4 segments has one query"),
        (asked([f"s{n // 2}" for n in range(2 * MOST + 2)]), {}, "name fewer and larger ones"),
        (asked(["a", "a", "b", None]), {"q0": "a", "q1": "a", "q2": "b", "q3": "none"}, ""),
        (
            asked([None] * 3, {0: "identifier"}),
            {"q0": "identifier", "q1": "question", "q2": "question"},
            "these are the kinds of query",
        ),
    ],
    ids=["no segment and one kind", "one for all", "one for each", "too many", "two and none", "kinds"],
)
def test_segments_are_those_that_tell_queries_apart_or_else_the_kinds(questions, found, said):
    segments, told = segments_of(questions, list(questions))
    assert segments == found and said in "; ".join(told) and bool(told) == bool(said)


def test_segments_that_differ_only_in_capitals_are_told():
    _, told = segments_of(
        asked(["how-to", "How-To", "how-to", "codes", "codes"]), [f"q{n}" for n in range(5)]
    )
    assert any("how-to" in one.casefold() for one in told)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Forty documents; the new search finds those of how-to questions and loses those of error codes."""
    corpus = CorpusFolder.init(tmp_path / "corpus", "house")
    corpus.add([SourceDocument(f"d{n}", "", f"word{n} page", f"d{n}.md") for n in range(40)])
    (tmp_path / "asked.csv").write_text(
        "query,segment\n" + "".join(f"word{n},{'how-to' if n < 20 else 'error codes'}\n" for n in range(40))
    )
    lab = Labelling(tmp_path)
    bring_in_queries(lab, read_queries(tmp_path / "asked.csv"))
    for n, query_id in enumerate(lab.questions()):
        lab.judge(query_id, f"d{n}", 2)
        lab.judge(query_id, f"d{(n + 1) % 40}", 0)
    rows = {"old": (lambda n: n >= 20), "new": (lambda n: n < 20)}
    for name, finds in rows.items():
        lines = [
            f"{query_id} Q0 d{n if finds(n) else (n + 1) % 40} 1 1 x\n"
            for n, query_id in enumerate(lab.questions())
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    (tmp_path / "systems.json").write_text(json.dumps({"old": "old.run", "new": "new.run"}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_measure_shows_each_segment_and_says_where_they_differ(project, capsys):
    code, said, err = said_of(capsys, "measure")
    assert code == 0, err
    assert "By segment, nDCG@10:" in said and "note: the segments differ: better on how-to, by 1.000" in said
    assert "worse on error codes, by 1.000" in said and "Each query counts once" in said
    page = Path("reports/measured.md").read_text()
    assert "## By segment, nDCG@10" in page and "the segments differ" in page
    rows = json.loads(said_of(capsys, "measure --json")[1])["by_segment"]
    assert {(row["segment"], row["system"]): row["mean"] for row in rows} == {
        ("how-to", "old"): 0.0,
        ("how-to", "new"): 1.0,
        ("error codes", "old"): 1.0,
        ("error codes", "new"): 0.0,
    }
    assert len(measure_project(Labelling(project)).segments) == 4


def test_a_query_keeps_its_segment_and_takes_one_where_it_has_none(project):
    lab = Labelling(project)
    bring_in_queries(lab, [AskedQuery("a new one"), AskedQuery("word1", segment="error codes")])
    found = bring_in_queries(lab, [AskedQuery("A new one", segment="how-to")])
    segments = {one.query: one.segment for one in lab.questions().values()}
    assert segments["word1"] == "how-to" and segments["a new one"] == "how-to"
    assert any("segment" in note for note in found.notes)
