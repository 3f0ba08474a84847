"""Figures by segment: a mean over all queries hides that a search is better for some and worse for others."""

import json
import sys
import warnings
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from small_project import said_of

from helpers.base import markdown_table
from helpers.stats import t_interval
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.exchange import AskedQuery, bring_in_queries, export_project, read_queries
from workbench.labelling import Labelling, Question, read_questions, write_records
from workbench.projects import TEMPLATE, by_segment, measure_project
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


def test_the_gate_names_the_segment_that_is_lost_where_the_mean_cannot_tell(project, capsys):
    assert said_of(capsys, "measure")[0] == 0
    gate = "gate reports/gold-old.json reports/gold-new.json --limit nDCG@10:0.02 --markdown gate.md --json"
    (found,) = json.loads(said_of(capsys, gate)[1])["candidates"].values()
    said = "nDCG@10 by segment (95 % intervals that hold together): better on how-to, by 1.000; worse on"
    assert found["answer"] == "cannot tell" and found["notes"][0].startswith(said)
    assert said in Path("gate.md").read_text()
    Path("queries.jsonl").write_text(Path("queries.jsonl").read_text().replace("word7", "word77"))
    (other,) = json.loads(said_of(capsys, gate)[1])["candidates"].values()
    assert "by segment" not in str(other["notes"])  # the queries were reworded since


def test_a_query_keeps_its_segment_and_takes_one_where_it_has_none(project):
    lab = Labelling(project)
    bring_in_queries(lab, [AskedQuery("a new one"), AskedQuery("word1", segment="error codes")])
    found = bring_in_queries(lab, [AskedQuery("A new one", segment="how-to")])
    segments = {one.query: one.segment for one in lab.questions().values()}
    assert segments["word1"] == "how-to" and segments["a new one"] == "how-to"
    assert any("segment" in note for note in found.notes)


def test_means_and_differences_are_those_of_the_segment_by_hand():
    old = {"q1": 0.2, "q2": 0.4, "q3": 1.0, "q4": 0.5}
    new = {"q1": 0.6, "q2": 0.6, "q3": 0.0, "q4": 0.5}
    found = by_segment(pd.DataFrame({"old": old, "new": new}), {"q1": "a", "q2": "a", "q3": "b"})
    rows = found[["segment", "system", "queries", "mean", "difference"]].round(9).astype(object)
    assert rows.where(rows.notna(), None).to_numpy().tolist() == [
        ["a", "old", 2, 0.3, None],
        ["a", "new", 2, 0.6, 0.3],
        ["b", "old", 1, 1.0, None],
        ["b", "new", 1, 0.0, -1.0],
        ["none", "old", 1, 0.5, None],
        ["none", "new", 1, 0.5, 0.0],
    ]
    assert found[["low", "high"]].isna().all(axis=None)  # too few


N = 22  # queries in each segment
SEARCH = """
def ranks(query, misses):
    segment, _, number = query.rpartition(" ")
    right, wrong = f"{segment}-{number}.md".replace(" ", "-"), ["x1.md", "x2.md"]
    n = int(number) % 3  # not each alike, so that there is noise
    found = [*wrong[:n], right] if segment not in misses else wrong + [right] * (n == 0)
    return [*found, "x3.md", "x4.md", "x5.md", "x6.md"]


def old(query, k): return ranks(query, ["how-to"])
def new(query, k): return ranks(query, ["error codes"])
"""


def project_of(tmp_path, monkeypatch, n=N, segments=("how-to", "error codes", "navigational"), named=True):
    """A project in which the new search is better on how-to, worse on error codes, the same elsewhere."""
    ids = [f"{segment.replace(' ', '-')}-{i}.md" for segment in segments for i in range(n)]
    pages = [
        SourceDocument(doc_id, "", f"page {doc_id}", doc_id)
        for doc_id in [*ids, *(f"x{i}.md" for i in range(1, 7))]
    ]
    folder = tmp_path / "p"
    CorpusFolder.init(folder / "corpus", "p").add(pages)
    (folder / "my_pair.py").write_text(SEARCH)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_pair", raising=False)
    lab = Labelling(folder)
    asked = [AskedQuery(f"{one} {i}", segment=one if named else None) for one in segments for i in range(n)]
    bring_in_queries(lab, asked)
    for question, doc_id in zip(lab.questions(), ids, strict=True):
        lab.judge(question, doc_id, 2)
    lab.measure({"old": "my_pair:old", "new": "my_pair:new"})
    return lab


# Coming in and going out


def test_a_segment_is_read_from_its_column_or_from_category_and_other_columns_are_told(tmp_path):
    (tmp_path / "a.csv").write_text("query,segment\nsoup,How  to\nkey,\n")
    (tmp_path / "b.jsonl").write_text('{"query": "soup", "category": "how-to"}\n{"query": "key"}\n')
    (tmp_path / "c.csv").write_text("query,segment,category\nsoup,how-to,food\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [one.segment for one in read_queries(tmp_path / "a.csv")] == ["How to", None]
        assert [one.segment for one in read_queries(tmp_path / "b.jsonl")] == ["how-to", None]
    with pytest.warns(UserWarning, match="columns segment and category the first is taken, segment"):
        assert read_queries(tmp_path / "c.csv")[0].segment == "how-to"
    (tmp_path / "d.csv").write_text("query,intent\nsoup,how-to\n")
    with pytest.warns(UserWarning, match="not read: 'intent'"):
        assert read_queries(tmp_path / "d.csv")[0].segment is None


def test_the_column_that_holds_the_queries_is_no_segment(tmp_path):
    (tmp_path / "a.csv").write_text("category,count\nsoup,2\nkey,1\n")
    assert [(one.text, one.segment) for one in read_queries(tmp_path / "a.csv", "category")] == [
        ("soup", None),
        ("key", None),
    ]


@pytest.mark.parametrize("given", [["food", "lunch"], {"id": 3}, True, 1.5, "x" * 81])
def test_what_is_no_name_of_a_segment_is_left_out_and_told_and_its_query_is_kept(tmp_path, given):
    lines = [{"query": "soup", "category": given}, {"query": "key", "category": "how-to"}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.warns(UserWarning, match="1 query is taken without a segment, e.g. line 1: the segment"):
        found = read_queries(tmp_path / "a.jsonl")
    assert [(one.text, one.segment) for one in found] == [("soup", None), ("key", "how-to")]


def test_a_query_that_comes_in_two_segments_keeps_the_first_and_that_is_told(tmp_path):
    (tmp_path / "a.csv").write_text("query,segment\nsoup,\nSoup,food\nsoup,lunch\nkey,how-to\nkey,how-to\n")
    with pytest.warns(UserWarning, match="1 query comes in several segments, .*: 'soup'"):
        found = read_queries(tmp_path / "a.csv")
    assert [(one.text, one.segment, one.frequency) for one in found] == [
        ("soup", "food", 3),
        ("key", "how-to", 2),
    ]


def test_a_known_query_keeps_its_segment_and_one_without_takes_the_new_one(tmp_path, monkeypatch):
    lab = project_of(tmp_path, monkeypatch, n=1)
    bring_in_queries(lab, [AskedQuery("soup")])
    again = [AskedQuery("soup", segment="food"), AskedQuery("how-to 0", segment="other")]
    assert bring_in_queries(lab, again).notes == [
        "1 query that had no segment has one now: q04",
        "1 query of another segment than before keep the old one: q01; to change it, write it in "
        "queries.jsonl",
    ]
    assert [one.segment for one in lab.questions().values()] == [
        "how-to",
        "error codes",
        "navigational",
        "food",
    ]
    assert bring_in_queries(lab, [AskedQuery("soup"), AskedQuery("how-to 0", segment="how-to")]).notes == []


def test_a_query_of_the_notebook_may_have_a_segment(tmp_path, monkeypatch):
    lab = project_of(tmp_path, monkeypatch, n=1)
    assert lab.add_query("soup", "question") == lab.add_query("soup", "question", "food") == "q04"
    assert lab.questions()["q04"].segment == "food"
    with pytest.warns(UserWarning, match="q04 is here already, in segment 'food', and stays; to change"):
        lab.add_query("soup", "question", "lunch")
    with pytest.raises(ValueError, match="the segment is 'xxx.*needed a name of at most 80"):
        lab.add_query("tea", segment="x" * 81)


def test_segments_go_out_as_csv_and_come_back(tmp_path, monkeypatch):
    lab = project_of(tmp_path, monkeypatch, n=1)
    bring_in_queries(lab, [AskedQuery("soup"), AskedQuery("tea", segment="=food")])
    export_project(lab, "csv", tmp_path / "out")
    found = read_queries(tmp_path / "out" / "queries.csv")
    assert [one.segment for one in found] == ["how-to", "error codes", "navigational", None, "=food"]


def test_a_table_without_segments_has_no_column_for_them(tmp_path, monkeypatch):
    export_project(project_of(tmp_path, monkeypatch, n=1, named=False), "csv", tmp_path / "out")
    heading = (tmp_path / "out" / "queries.csv").read_text().splitlines()[0]
    assert heading == "query_id,query,kind,frequency,drawn"


def test_segments_that_differ_in_capitals_blanks_or_hyphens_alone_are_told(tmp_path, monkeypatch):
    lab = project_of(tmp_path, monkeypatch, n=1)
    apart = [AskedQuery(f"query {one}", segment=one) for one in ("1-1", "11", "C", "C++", "codes", "code")]
    assert bring_in_queries(lab, apart).notes == []
    said = "segments that differ only in capitals, blanks or hyphens, and are probably one"
    found = bring_in_queries(lab, [AskedQuery("soup", segment="How to")])
    assert found.notes == [f"{said}: 'How to', 'how-to'"]


def test_a_segment_that_was_written_by_hand_is_held_to_the_same(tmp_path):
    write_records(tmp_path / "queries.jsonl", [Question(query_id="q1", query="soup", segment=" how  to ")])
    assert read_questions(tmp_path)["q1"].segment == "how to"
    (tmp_path / "queries.jsonl").write_text('{"query_id": "q1", "query": "soup", "segment": ["a"]}\n')
    with pytest.raises(ValueError, match=r"line 1, segment: .*the segment is \['a'\]; needed a name"):
        read_questions(tmp_path)


def test_so_few_queries_that_no_interval_could_exclude_0_have_none():
    same = {f"q{i}": 0.5 for i in range(12)}
    scores = pd.DataFrame({"old": same, "new": dict.fromkeys(same, 0.9)})
    of = {query: "large" if int(query[1:]) < 7 else "five" for query in same}
    found = by_segment(scores, of).dropna(subset="difference").set_index("segment")
    assert (
        found.loc["large", ["low", "high"]].notna().all() and found.loc["five", ["low", "high"]].isna().all()
    )


@pytest.mark.filterwarnings("error")
def test_opposite_effects_are_found_where_the_whole_cannot_tell(tmp_path, monkeypatch):
    lab = project_of(tmp_path, monkeypatch)
    found = measure_project(lab)
    assert found.against_first["new"].answer == "cannot tell"
    rows = found.by_segment[found.by_segment["system"] == "new"].set_index("segment")
    assert rows["queries"].tolist() == [N] * 3
    assert rows.loc["how-to", "low"] > 0 and rows.loc["error codes", "high"] < 0
    assert rows.loc["navigational", "low"] < 0 == rows.loc["navigational", "difference"]
    better, worse = rows.loc[["how-to", "error codes"], "difference"].abs()
    line = f"the segments differ: better on how-to, by {better:.3f}; worse on error codes, by {worse:.3f}"
    text, page = found.text(), (lab.folder / "reports" / "measured.md").read_text()
    for shown in (text, page):
        assert line in shown and "By segment, nDCG@10" in shown and "hold for all rows together" in shown
    assert f"[{rows.loc['how-to', 'low']:+.3f}, {rows.loc['how-to', 'high']:+.3f}]" in text


def test_the_notebook_shows_what_measure_shows(tmp_path, monkeypatch, capsys):
    lab = project_of(tmp_path, monkeypatch)
    found, shown = measure_project(lab), []
    cells = {one.id: one.source for one in nbformat.read(TEMPLATE / "2_evaluate.ipynb", 4).cells}
    names = {"found": found, "gold": found.reports, "display": shown.append, "Markdown": str}
    exec(cells["evaluate-10b"] + "\n" + cells["evaluate-10d"], names | {"markdown_table": markdown_table})
    assert shown[0] in found.markdown() and "| error codes  | new" in shown[0]
    assert "the segments differ: better on how-to" in capsys.readouterr().out


@pytest.mark.parametrize("segments", [("how-to",), ("navigational",)])
@pytest.mark.parametrize("named", [True, False])
def test_one_segment_or_one_kind_has_no_table_and_nothing_is_said(tmp_path, monkeypatch, segments, named):
    found = measure_project(project_of(tmp_path, monkeypatch, 6, segments, named))
    assert found.by_segment.empty and found.on_segments == [] and found.segments.empty
    assert "segment" not in found.text() + found.markdown()


def test_without_segments_the_kinds_are_told_apart(tmp_path, monkeypatch):
    lab = project_of(tmp_path, monkeypatch, 6, named=False)
    questions = [
        one.model_copy(update={"kind": "identifier"}) if "error" in one.query else one
        for one in lab.questions().values()
    ]
    write_records(lab.folder / "queries.jsonl", questions)
    found = measure_project(lab)
    assert found.by_segment["segment"].tolist() == ["question"] * 2 + ["identifier"] * 2
    assert found.on_segments == ["no query has a segment, so these are the kinds of query"]


def test_queries_without_a_segment_are_a_row_of_their_own(tmp_path, monkeypatch):
    lab = project_of(tmp_path, monkeypatch, 6, ("how-to", "navigational"))
    questions = [
        one.model_copy(update={"segment": None}) if "nav" in one.query else one
        for one in lab.questions().values()
    ]
    write_records(lab.folder / "queries.jsonl", questions)
    assert measure_project(lab).by_segment["segment"].tolist() == ["how-to"] * 2 + ["none"] * 2


def test_a_query_that_stands_twice_and_segments_of_other_queries_are_refused():
    scores = two_searches(0.2, 0.2)
    with pytest.raises(ValueError, match="query 'q00' stands twice in scores"):
        by_segment(pd.concat([scores, scores.iloc[:1]]), SEGMENTS)
    with pytest.raises(ValueError, match="segments is of other queries than scores: it has 'how-to', and"):
        by_segment(scores, {"how-to": ["q00", "q01"]})


def test_in_a_sample_of_a_log_a_segment_is_the_mean_over_its_searches():
    """Of how-to questions two are asked often, and gain; the others lose: searches gain, queries lose."""
    scores = pd.DataFrame({"old": 0.5, "new": 0.45}, index=HOW_TO + CODES)
    scores.loc[["q00", "q01"], "new"] = [0.8, 0.9]
    drawn = dict.fromkeys(HOW_TO + CODES[:-1], 1) | {"q00": 20, "q01": 15}
    once, found = by_segment(scores, SEGMENTS), by_segment(scores, SEGMENTS, drawn)
    once, found = (one[one["system"] == "new"].set_index("segment").loc["how-to"] for one in (once, found))
    assert once["difference"] < 0 < found["low"] and found["queries"] == 22
    assert found["mean"] == pytest.approx((20 * 0.8 + 15 * 0.9 + 20 * 0.45) / 55)
    assert len(by_segment(scores, SEGMENTS, drawn)) == 4


def test_a_loss_of_a_segment_that_one_query_makes_up_has_no_interval():
    scores = two_searches(0.2, 0.2)
    drawn = dict.fromkeys(HOW_TO, 1) | {"q43": 60}
    found = by_segment(scores, SEGMENTS, drawn).set_index(["segment", "system"])
    assert np.isnan(found.loc[("error codes", "new"), "low"])
