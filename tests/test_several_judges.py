"""Several people judge one project: what is taken over is marked, and nobody is compared with themselves."""

import json
import os
import subprocess

import numpy as np
import pandas as pd
import pytest

from helpers.stats import cohen_kappa
from workbench.__main__ import main
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.exchange import bring_in_judgments, export_project, read_judgments
from workbench.labelling import Labelling, read_resolved
from workbench.labelling.judgment_files import SavedJudgment, read_questions, read_verdicts, write_records
from workbench.projects import by_judges, measure_project, new_project

PAGES = {f"page{n}.md": f"The key number {n} hangs at the desk. Soup {n % 3}." for n in range(6)}
PAIRS = [(f"q{q:02d}", doc_id) for q in range(1, 41) for doc_id in PAGES]


@pytest.fixture
def lab(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "house" / "corpus", "house")
    corpus.add([SourceDocument(doc_id, "", text, doc_id) for doc_id, text in PAGES.items()])
    lab = Labelling(tmp_path / "house")
    lines = [{"query_id": f"q{n:02d}", "query": f"key {n}"} for n in range(1, 41)]
    (lab.folder / "queries.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return lab


def saved(lab, pairs, grades, judge=None, quotes=()):
    """Puts judgments where those of a judge are, as they would be once judged."""
    if judge:
        lab.second(judge)
    questions = lab.questions()
    records = [
        SavedJudgment(query_id=q, query=questions[q].query, doc_id=d, grade=int(grade), quote=quote)
        for (q, d), grade, quote in zip(pairs, grades, quotes or [""] * len(pairs), strict=True)
    ]
    path = lab.folder / ("judgments.jsonl" if judge is None else f"judges/{judge}.jsonl")
    write_records(path, [*read_verdicts(lab.folder, judge).values(), *records])


def a_file(tmp_path, pairs, grades, quotes=None):
    path = tmp_path / "share.csv"
    rows = pd.DataFrame(pairs, columns=["query_id", "doc_id"]).assign(grade=list(map(int, grades)))
    (rows if quotes is None else rows.assign(quote=quotes)).to_csv(path, index=False)
    return path


def two(n, kappa=0.8, shares=(0.6, 0.25, 0.15), seed=0):
    """The grades of two people who agree beyond chance in this share of the pairs."""
    rng = np.random.default_rng(seed)
    one, other = (rng.choice(3, n, p=shares) for _ in range(2))
    return one, np.where(rng.random(n) < kappa, one, other)


def said(capsys, lab, *words, code=0):
    capsys.readouterr()
    assert main([*map(str, words), "--project", str(lab.folder)]) == code
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return out + err


def test_what_is_taken_over_is_measured_and_does_not_count_in_the_agreement(lab, capsys):
    own, dora = two(60, 0.6)
    saved(lab, PAIRS[:60], own)
    saved(lab, PAIRS[:133], [*dora, *two(73)[1]], "dora")
    before = lab.agreement("dora")
    assert before.counts["pairs judged by both"] == 60 and before.taken_over == 0
    out = said(capsys, lab, "settle", "dora", "--rest")
    left = len(lab.disagreements("dora"))
    assert f"73 judgments are taken over from dora, and marked so; not settled: {left}" in out
    assert "next: workbench agreement dora --out differences.csv" in out
    records = list(map(json.loads, (lab.folder / "judgments.jsonl").read_text().splitlines()))
    assert ["by" in one for one in records] == [False] * 60 + [True] * 73 and records[-1]["by"] == "dora"
    found = lab.agreement("dora")
    assert found.counts["kappa, grades"] == before.counts["kappa, grades"] == cohen_kappa(own, dora)
    assert found.counts["pairs judged by both"] == 60 and found.taken_over == 73
    out = said(capsys, lab, "agreement", "dora")
    assert "73 pairs are dora's in your own judgments too, and do not count" in out
    assert json.loads(said(capsys, lab, "agreement", "dora", "--json"))["taken_over"] == 73
    assert "0 judgments are taken over from dora" in said(capsys, lab, "settle", "dora", "--rest")
    assert sum(len(label.judgments) for label in lab.labels()) == 133


def test_where_all_that_both_judged_was_taken_over_the_cure_is_to_judge_a_part_twice(lab):
    saved(lab, PAIRS[:30], two(30)[0], "dora")
    assert lab.take_over("dora") == {"taken": 30, "renewed": 0, "gone": 0}
    words = "all 30 pairs that both judged are dora's in your own .* too; have a part of the pairs judged by"
    with pytest.raises(ValueError, match=words):
        lab.agreement("dora")
    assert lab.differences("dora").table.empty
    for pair in PAIRS[:3]:
        lab.judge(*pair, 1)  # judged anew by oneself, it is one's own
    assert lab.verdicts()[PAIRS[0]].by is None and lab.verdicts()[PAIRS[9]].by == "dora"
    assert lab.agreement("dora").counts["pairs judged by both"] == 3


def test_what_the_judge_judged_anew_is_renewed_and_what_no_longer_holds_stays_behind(lab):
    saved(lab, PAIRS[:4], [2, 1, 0, 0], "dora", ["key number 0", "", "", "words of nobody"])
    assert lab.take_over("dora") == {"taken": 3, "renewed": 0, "gone": 1}
    saved(lab, PAIRS[:1], [1], "boris")
    lab.resolve("boris", *PAIRS[0], 1)
    assert lab.verdicts()[PAIRS[0]].by == "dora"  # it was hers at first, which boris is compared with
    assert read_resolved(lab.folder)[(*PAIRS[0], "boris")].first == 2
    dora = Labelling(lab.folder, judge="dora")
    dora.judge(*PAIRS[0], 0)
    dora.judge(*PAIRS[1], 2)
    assert lab.take_over("dora") == {"taken": 0, "renewed": 1, "gone": 1}
    assert [lab.verdicts()[pair].grade for pair in PAIRS[:2]] == [1, 2]


def test_only_the_projects_own_takes_over_and_a_model_is_warned_of(lab):
    saved(lab, PAIRS[:2], [2, 1], "dora")
    with pytest.raises(ValueError, match=r"labelling of 'dora'; take over with .*take_over\('dora'\)"):
        Labelling(lab.folder, judge="dora").take_over("dora")
    with pytest.raises(ValueError, match="there is no judge 'nobody'"):
        lab.take_over("nobody")
    lab.second("boris")
    with pytest.raises(ValueError, match="boris.jsonl holds no judgment, or is not there: workbench pool"):
        lab.take_over("boris")
    lab.draft(lambda query, text: 0, "llm")
    with pytest.warns(UserWarning, match="llm is a model, and 240 judgments of it will be measured with"):
        lab.take_over("llm")


def test_settle_says_what_is_missing_and_names_what_takes_the_rest_over(lab, capsys):
    saved(lab, PAIRS[:2], [2, 1], "dora")
    out = said(capsys, lab, "settle", "dora", "q01", "page0.md", "2", code=2)
    assert "judge it first" in out and "workbench settle dora --rest" in out
    assert "nothing to settle is named; needed QUERY DOC" in said(capsys, lab, "settle", "dora", code=2)
    assert "is given too" in said(capsys, lab, "settle", "dora", "q01", "--rest", code=2)
    assert "--why has no effect" in said(capsys, lab, "settle", "dora", "--rest", "--why", "x", code=2)
    sheet = lab.folder / "sheet.csv"
    sheet.write_text("query_id,doc_id,settled\nq01,page0.md,2\n")
    assert "--rest takes it over" in said(capsys, lab, "settle", "dora", sheet, code=2)


def test_the_rest_of_a_file_is_taken_over_where_a_pair_was_settled_otherwise(lab, capsys, tmp_path):
    saved(lab, PAIRS[:1], [0])
    saved(lab, PAIRS[:5], [2, 1, 1, 0, 0], "dora")
    lab.resolve("dora", *PAIRS[0], 0)
    out = said(capsys, lab, "import", "judgments", a_file(tmp_path, PAIRS[:5], [2, 1, 1, 0, 0]), code=2)
    assert "the 0 was settled with dora" in out and "workbench settle dora --rest takes over what" in out
    assert lab.take_over("dora")["taken"] == 4 and lab.verdicts()[PAIRS[0]].grade == 0


def test_the_grades_of_searches_leave_out_what_was_taken_over(lab):
    saved(lab, PAIRS[:60], two(60)[0])
    saved(lab, PAIRS, [*two(60)[1], *two(180)[1]], "dora")
    measure_project(lab)
    before = by_judges(lab, "dora")
    lab.take_over("dora")
    after = by_judges(lab, "dora")
    assert before.table.equals(after.table) and len(before.corrected)
    assert before.corrected.equals(after.corrected)


def test_all_judges_are_compared_two_by_two(lab, capsys):
    with pytest.raises(ValueError, match="no judge but its own; another one's judgments come in with"):
        lab.agreements()
    own, dora = two(60, 0.6)
    saved(lab, PAIRS[:60], own)
    saved(lab, PAIRS[:90], [*dora, *two(30)[0]], "dora")
    table = lab.agreements()
    found = lab.agreement("dora")
    (row,) = table.to_dict("records")
    assert (row["one"], row["other"], row["pairs"]) == ("own", "dora", 60)
    assert (row["kappa"], row["low"]) == (found.counts["kappa, grades"], found.low)
    saved(lab, PAIRS[60:96], two(36)[0], "boris")
    saved(lab, PAIRS[200:], [1] * 40, "carla")
    lab.take_over("dora")
    table = lab.agreements().set_index(["one", "other"])
    assert len(table) == 6 and table.loc[("own", "dora"), "taken_over"] == 30
    assert table.loc[("own", "dora"), "kappa"] == row["kappa"]
    assert table.loc[("own", "boris"), "pairs"] == table.loc[("dora", "boris"), "pairs"] == 30
    assert table.loc[("boris", "carla"), "pairs"] == 0 and np.isnan(table.loc[("boris", "carla"), "kappa"])
    out = said(capsys, lab, "agreement")
    assert "own and dora" in out and "dora and boris" in out and "30 pairs are dora's in your own" in out
    records = json.loads(said(capsys, lab, "agreement", "--json"))["agreements"]
    assert len(records) == 6 and records[-1]["kappa"] is None and records[0]["pairs"] == 60
    assert "--out has no effect without JUDGE" in said(capsys, lab, "agreement", "--out", "x.csv", code=2)


def test_the_mark_of_what_was_taken_over_goes_through_a_file_and_formats_without_a_place_say_so(
    lab, tmp_path
):
    saved(lab, PAIRS[:3], [2, 1, 0])
    before = (lab.folder / "judgments.jsonl").read_bytes()
    export_project(lab, "csv", tmp_path / "before")
    assert "by" not in (tmp_path / "before" / "judgments.csv").read_text().splitlines()[0].split(",")
    assert b'"by"' not in before
    saved(lab, PAIRS[3:5], [1, 2], "dora")
    lab.take_over("dora")
    assert (lab.folder / "judgments.jsonl").read_bytes().startswith(before)
    export_project(lab, "csv", tmp_path / "csv")
    for path in (tmp_path / "csv" / "judgments.csv", lab.folder / "judgments.jsonl"):
        other = Labelling(lab.folder)
        judged = read_judgments(path, queries={q: one.query for q, one in lab.questions().items()})
        (lab.folder / "judgments.jsonl").rename(tmp_path / "kept.jsonl")
        assert bring_in_judgments(other, *judged).added == 5
        assert [one.by for one in other.verdicts().values()] == [None] * 3 + ["dora"] * 2
        (tmp_path / "kept.jsonl").rename(lab.folder / "judgments.jsonl")
    with pytest.warns(UserWarning, match="trec has no place for .*names of judges from whom judgments were"):
        export_project(lab, "trec", tmp_path / "trec")


def test_a_judge_gets_no_judgment_that_a_file_marks_as_anothers(lab, tmp_path, recwarn):
    saved(lab, PAIRS[:2], [2, 1])
    saved(lab, PAIRS[2:5], [1, 2, 0], "dora")
    lab.take_over("dora")
    judged = read_judgments(lab.folder / "judgments.jsonl")
    found = bring_in_judgments(lab.second("gus"), *judged)
    assert found.added == 2
    assert found.notes == ["3 judgments are marked as those of dora, not gus's, and left out"]
    again = bring_in_judgments(lab, *judged)
    assert (again.added, again.notes) == (0, [])
    dora = read_verdicts(lab.folder, "dora")
    qrels = {"q01": {doc_id: one.grade for (_, doc_id), one in dora.items()}}
    judged[1].by = dict.fromkeys(dora, "dora")
    with pytest.raises(ValueError, match="3 judgments are marked as those of dora, .*; no judgment would be"):
        bring_in_judgments(lab.second("zoe"), qrels, judged[1])
    assert bring_in_judgments(lab, qrels).notes[0].startswith("3 judgments were taken over from another")
    assert not recwarn.list


REPEATS = "judgments that were added repeat"


@pytest.mark.parametrize(("n", "more"), [(240, 0), (219, 21)])
def test_a_file_of_the_projects_own_judgments_is_no_other_judges(lab, capsys, tmp_path, n, more):
    own, _ = two(240)
    saved(lab, PAIRS[:n], own[:n])
    out = said(capsys, lab, "import", "judgments", a_file(tmp_path, PAIRS, own), "--judge", "gus")
    assert f"{n} of the 240 {REPEATS} the project's own; a judge who agrees with themselves" in out
    assert "import only what gus judged" in out and "take the last 240 lines out of judges/gus.jsonl" in out
    again = said(capsys, lab, "import", "judgments", a_file(tmp_path, PAIRS, own), "--judge", "gus")
    assert "added 0 judgments" in again and REPEATS not in again


def test_quotes_tell_where_the_grades_are_few(lab, capsys, tmp_path):
    own, words = two(30)[0], [f"key number {d[4]}" for _, d in PAIRS[:30]]
    quotes = [word if grade else "" for word, grade in zip(words, own, strict=True)]
    assert sum(map(bool, quotes)) >= 10
    saved(lab, PAIRS[:30], own, quotes=quotes)
    grades_alone = a_file(tmp_path, PAIRS[:30], own)
    assert REPEATS not in said(capsys, lab, "import", "judgments", grades_alone, "--judge", "ann")
    copied = a_file(tmp_path, PAIRS[:30], own, quotes)
    assert REPEATS in said(capsys, lab, "import", "judgments", copied, "--judge", "gus")
    whole = [PAGES[d] if grade else "" for (_, d), grade in zip(PAIRS[:30], own, strict=True)]
    saved(lab, PAIRS[60:90], own, quotes=whole)  # of a document of one line two people quote the line
    alike = a_file(tmp_path, PAIRS[60:90], own, whole)
    assert REPEATS not in said(capsys, lab, "import", "judgments", alike, "--judge", "carla")
    others = a_file(
        tmp_path,
        PAIRS[:30],
        own,
        [f"number {d[4]}" * bool(g) for (_, d), g in zip(PAIRS[:30], own, strict=True)],
    )
    assert REPEATS not in said(capsys, lab, "import", "judgments", others, "--judge", "boris")


def test_a_share_that_is_imported_twice_over_is_named_with_what_takes_it_over(lab, capsys, tmp_path):
    dora, path = two(200)[0], tmp_path / "share.csv"
    a_file(tmp_path, PAIRS[:200], dora)
    assert REPEATS not in said(capsys, lab, "import", "judgments", path, "--judge", "dora")
    out = said(capsys, lab, "import", "judgments", path)
    assert f"200 of the 200 {REPEATS} what dora judged" in out
    assert (
        "take the last 200 lines out of judgments.jsonl again, and take them over: workbench settle dora"
        in out
    )
    out = said(capsys, lab, "import", "judgments", path, "--judge", "boris")
    assert "workbench settle boris --rest" in out


def test_the_file_of_one_judge_under_the_name_of_another_is_named(lab, capsys, tmp_path):
    a_file(tmp_path, PAIRS, two(240)[0])
    said(capsys, lab, "import", "judgments", tmp_path / "share.csv", "--judge", "dora")
    out = said(capsys, lab, "import", "judgments", tmp_path / "share.csv", "--judge", "boris")
    assert f"240 of the 240 {REPEATS} what dora judged; is it dora's file?" in out


def test_what_was_taken_over_from_a_judge_is_no_repetition_of_the_judges_next_share(lab, tmp_path, recwarn):
    dora = two(240)[0]
    saved(lab, PAIRS[:120], dora[:120], "dora")
    lab.take_over("dora")
    (lab.folder / "judges" / "dora.jsonl").write_text("")  # and comes in whole once more
    judged = read_judgments(a_file(tmp_path, PAIRS, dora))
    assert bring_in_judgments(lab.second("dora"), *judged).added == 240
    assert not recwarn.list


@pytest.mark.parametrize("shares", [(0.6, 0.25, 0.15), (0.9, 0.05, 0.05), (0.97, 0.02, 0.01)])
@pytest.mark.parametrize("n", [20, 60, 240])
@pytest.mark.parametrize("kappa", [0.8, 0.9])
def test_two_who_judge_apart_are_no_repetition(lab, tmp_path, recwarn, shares, n, kappa):
    for seed in range(4):
        own, other = two(n, kappa, shares, seed)
        (lab.folder / "judgments.jsonl").write_text("")
        saved(lab, PAIRS[:n], own)
        judged = read_judgments(a_file(tmp_path, PAIRS[:n], other))
        bring_in_judgments(lab.second(f"judge{seed}"), *judged)
        (lab.folder / "judges" / f"judge{seed}.jsonl").unlink()
    assert not recwarn.list


def test_the_file_of_a_judge_comes_in_under_another_name_and_not_as_ones_own(lab, capsys, tmp_path):
    saved(lab, PAIRS[:5], [2, 1, 0, 0, 1], "anna")
    copy = tmp_path / "anna2" / "judges" / "anna.jsonl"
    copy.parent.mkdir(parents=True)
    (lab.folder / "judges" / "anna.jsonl").rename(copy)
    out = said(capsys, lab, "import", "judgments", copy, "--judge", "anna-s")
    assert "added 5 judgments" in out and len(read_verdicts(lab.folder, "anna-s")) == 5
    out = said(capsys, lab, "import", "judgments", copy, code=2)
    assert "with --judge anna it stays apart" in out and "workbench settle anna --rest" in out
    resolved = copy.with_name("resolved.jsonl")
    copy.rename(resolved)
    out = said(capsys, lab, "import", "judgments", resolved, "--judge", "anna-s", code=2)
    assert "is no file of judgments" in out


def test_where_all_differences_are_settled_the_sheet_says_that_nothing_is_left(lab, capsys, tmp_path):
    saved(lab, PAIRS[:3], [2, 1, 0])
    saved(lab, PAIRS[:3], [2, 1, 1], "dora")
    saved(lab, PAIRS[:3], [2, 1, 0], "boris")
    lab.resolve("dora", *PAIRS[2], 0)
    sheet = tmp_path / "x.csv"
    out = said(capsys, lab, "agreement", "dora", "--out", sheet)
    assert f"nothing is left to settle, so {sheet} was not written" in out
    assert "the two differ nowhere" in said(capsys, lab, "agreement", "boris", "--out", sheet)


def git(folder, *words):
    names = ("AUTHOR", "COMMITTER")
    who = {f"GIT_{one}_{of}": "a@b" for one in names for of in ("NAME", "EMAIL")}
    config = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return subprocess.run(
        ["git", *words], cwd=folder, env=os.environ | who | config, capture_output=True, text=True
    )


def test_the_judgments_of_two_clones_merge_and_a_pair_with_two_grades_is_named(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    for doc_id, text in PAGES.items():
        (docs / doc_id).write_text(text)
    new_project(tmp_path / "one", docs)
    lab = Labelling(tmp_path / "one")
    for n in range(3):
        lab.add_query(f"key {n}")
    lab.judge("q01", "page5.md", 0)
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "a")):
        assert git(lab.folder, *words).returncode == 0
    assert git(tmp_path, "clone", "-q", "one", "two").returncode == 0
    other = Labelling(tmp_path / "two")
    for judging, query_id in ((lab, "q01"), (other, "q02")):
        for doc_id in list(PAGES)[:3]:
            judging.judge(query_id, doc_id, 1)
        assert git(judging.folder, "commit", "-qam", "judged").returncode == 0
    assert git(lab.folder, "pull", "-q", "--no-rebase", "../two", "main").returncode == 0
    assert len(lab.verdicts()) == 7 and lab.verdicts()["q02", "page2.md"].grade == 1
    assert git(other.folder, "pull", "-q", "--no-rebase", "../one", "main").returncode == 0
    for judging, grade in ((lab, 2), (other, 0)):
        judging.judge("q03", "page0.md", grade)
        assert git(judging.folder, "commit", "-qam", "judged").returncode == 0
    assert git(lab.folder, "pull", "-q", "--no-rebase", "../two", "main").returncode == 0
    words = "line 9: 'q03' and 'page0.md' stands in line 8 already, with grade 2, and 0 here; keep the one"
    with pytest.raises(ValueError, match=words):
        lab.verdicts()


@pytest.mark.parametrize(("name", "read"), [("judgments", read_verdicts), ("queries", read_questions)])
def test_of_an_unfinished_merge_the_lines_of_both_sides_are_kept(tmp_path, name, read):
    records = {
        "judgments": '{"query_id": "q01", "doc_id": "%s", "grade": 1}',
        "queries": '{"query_id": "%s", "query": "key"}',
    }
    one, other = (records[name] % part for part in ("a.md", "b.md"))
    path = tmp_path / f"{name}.jsonl"
    path.write_text(f"<<<<<<< HEAD\n{one}\n=======\n{other}\n>>>>>>> theirs\n")
    with pytest.raises(ValueError, match="line 1: .*keep the lines of both sides, and delete only the marks"):
        read(tmp_path)
    path.write_text(f"{one}\n{other}\n")
    assert len(read(tmp_path)) == 2


def test_a_pool_with_results_of_documents_that_are_gone_says_what_helps_there(lab, capsys):
    (lab.folder / "mine.run").write_text("q01 Q0 page0.md 1 2 x\nq01 Q0 gone.md 2 1 x\n")
    (lab.folder / "systems.json").write_text('{"mine": "mine.run"}')
    err = said(capsys, lab, "pool", code=2)
    assert "Of documents that are gone, ask your search anew, or leave their lines out of its results" in err
    assert "pool and measure need each document in the corpus" in err


def test_the_interval_of_kappa_is_that_of_queries_drawn_again_one_by_one(lab):
    own, dora = two(60, 0.5, (0.8, 0.2, 0), seed=4)
    saved(lab, PAIRS[:60], own)
    saved(lab, PAIRS[:60], dora, "dora")
    rng, found = np.random.default_rng(0), []
    for draw in rng.integers(10, size=(2000, 10)):
        one, other = (np.concatenate([grades.reshape(10, 6)[n] for n in draw]) for grades in (own, dora))
        alike = len({*one, *other}) == 1
        found.append(np.nan if alike else cohen_kappa(one.tolist(), other.tolist()))
    agreement = lab.agreement("dora")
    assert (agreement.low, agreement.high) == tuple(np.nanquantile(found, [0.025, 0.975]))
