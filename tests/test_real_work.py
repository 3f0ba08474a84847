"""Real work: attempts as people make them, right ones and wrong ones, and what the checks say to them."""

import json
import os
import re
from itertools import product

import pytest
import yaml

from course import real_work
from course.exercises.verdict import RIGHT, UNTOUCHED, WRONG
from course.real_work import (
    baseline,
    capstone,
    convention,
    debug,
    desk,
    judge,
    make_capstone,
    reproduce,
    searching,
    task,
)
from helpers.evaluation import CHOICES, Conventions

SOLVED = {path.stem: path.read_text("utf-8") for path in (task.SOLUTIONS / "debug").glob("*.txt")}
BROKEN = {name.removesuffix(".py"): text for name, text in task.material("debug", ".py").items()}


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("MEASURE_FIRST_WORK", str(tmp_path / "work"))
    return tmp_path / "work"


def changed(text, *pairs):
    for old, new in pairs:
        assert text.count(old) == 1, f"{old!r} stands there {text.count(old)} times"
        text = text.replace(old, new)
    return text


# Every task.


@pytest.mark.parametrize("name", real_work.TASKS)
def test_what_is_handed_out_is_not_attempted_yet_and_starting_again_changes_nothing(name, work, capsys):
    assert real_work.checked(name).status == UNTOUCHED
    real_work.start(name)
    files = {path: path.read_bytes() for path in work.rglob("*") if path.is_file()}
    assert len(files) == len(real_work.TASKS[name].files())
    assert real_work.checked(name).status == UNTOUCHED
    mine = work / name / next(iter(real_work.TASKS[name].files()))
    mine.write_text("mine", encoding="utf-8")
    real_work.start(name)
    assert mine.read_text(encoding="utf-8") == "mine"
    assert "nothing was changed" in capsys.readouterr().out


@pytest.mark.parametrize("name", real_work.TASKS)
def test_hints_come_in_steps_and_each_task_says_what_it_takes(name, capsys):
    one = real_work.TASKS[name]
    assert one.difficulty in (1, 2, 3) and one.minutes >= 30
    for part, hints in one.hints.items():
        assert len(hints) == 3
        real_work.hint(f"{name}/{part}" if part else name, 3)
    assert capsys.readouterr().out.count("hint 3 of 3") == len(one.hints)


def test_a_task_a_part_or_a_hint_that_there_is_not_is_refused_by_name():
    for call in (
        lambda: real_work.start("debugging"),
        lambda: real_work.hint("debug/7"),
        lambda: real_work.hint("judge", 4),
        lambda: real_work.checked("judge", look=True),
    ):
        with pytest.raises(ValueError, match="it can be|there are hints|look is for"):
            call()


def test_a_file_that_is_missing_is_said_to_be_missing(work):
    for name in real_work.TASKS:
        (work / name).mkdir(parents=True)
        report = real_work.checked(name)
        assert report.status == WRONG and "missing" in report.text(name)


# Debug this evaluation.

DEBUG_ATTEMPTS = {
    # name: (script, changes to what was handed out, the faults that are named)
    "chunks: first ten chunks, then folded": (
        "1_chunks",
        [
            (
                "gains = [grades.get(doc_id, 0) for doc_id in search(queries[query_id])[:10]]",
                "gains = [grades.get(doc_id, 0) for doc_id in dict.fromkeys(search(queries[query_id])[:10])]",
            )
        ],
        ["folded after the cut"],
    ),
    "chunks: values above 1 cut off": (
        "1_chunks",
        [("values.append(dcg(gains) / dcg(ideal))", "values.append(min(1.0, dcg(gains) / dcg(ideal)))")],
        ["cut off at 1"],
    ),
    "chunks: no chunks any more": (
        "1_chunks",
        [("len(tokens), 40)", "len(tokens), 10**9)"), ("start + 40", "start + 10**9")],
        ["whole documents"],
    ),
    "titles: glued": (
        "2_titles",
        [('words(record["text"])', 'words(record["title"] + record["text"])')],
        ["title and text glued"],
    ),
    "titles: counted twice": (
        "2_titles",
        [('words(record["text"])', 'words(record["title"]) + words(record["title"] + " " + record["text"])')],
        ["titles twice"],
    ),
    "split: the other one": ("3_split", [('.glob("*.tsv")', '.glob("train.tsv")')], ["train split"]),
    "split: divided by all queries": (
        "3_split",
        [('.glob("*.tsv")', '.glob("test.tsv")'), ("total / len(qrels)", "total / len(queries)")],
        ["divided by all queries"],
    ),
    "idf: gone from both": (
        "4_idf",
        [
            ("word: idf[word] * tf / (tf + norm)", "word: tf / (tf + norm)"),
            ("word: tf * idf[word]", "word: tf"),
        ],
        ["no idf"],
    ),
    "ids: only the documents mended": (
        "5_ids",
        [
            ('corpus[int(record["_id"])]', 'corpus[record["_id"]]'),
            ('queries[int(record["_id"])]', 'queries[record["_id"]]'),
            ('sep="\\t")', 'sep="\\t").astype({"query-id": str, "corpus-id": str})'),
        ],
        ["judged as numbers"],
    ),
    "three: two of them mended, ties in the order of the ids": (
        "6_three",
        [
            ("return sorted(candidates,", "return sorted(sorted(candidates),"),
            ("    if not any(gains):  # nothing found, so there is nothing to rank\n        continue\n", ""),
            ("dcg(sorted(gains, reverse=True))", "dcg(sorted(grades.values(), reverse=True)[:10])"),
        ],
        ["ties by id up"],
    ),
    "three: the order mended, the rest as it was": (
        "6_three",
        [
            (
                "key=lambda doc_id: len(query & corpus[doc_id])",
                "key=lambda doc_id: (len(query & corpus[doc_id]), doc_id)",
            ),
        ],
        ["found only", "ideal of the retrieved"],
    ),
    "chunks: the best chunk of each in a dictionary, sorted by score alone": (
        "1_chunks",
        [
            (
                "    best_first = sorted(scores, key=lambda chunk: (scores[chunk], chunk), reverse=True)\n"
                "    return [doc_id for doc_id, start in best_first]\n",
                "    best = defaultdict(float)\n    for (doc_id, start), score in scores.items():\n"
                "        best[doc_id] = max(best[doc_id], score)\n"
                "    return sorted(best, key=best.get, reverse=True)\n",
            )
        ],
        ["ties in the order of the file"],
    ),
    "nothing but a comment": ("4_idf", [("def search(text):", "# hm\ndef search(text):")], ["idf twice"]),
}


def judged(script, source, folder):
    (folder / f"{script}.py").write_text(source, encoding="utf-8")
    return debug.judge_script(next(one for one in debug.SCRIPTS if one.name == script), folder)


@pytest.mark.parametrize("script", SOLVED)
def test_a_mended_script_is_right(script, tmp_path):
    assert judged(script, SOLVED[script], tmp_path).status == RIGHT


def test_other_ways_to_mend_a_script_are_right_too(tmp_path):
    # Fold by the best rank in a dictionary; take the idf from the documents' side; read ids without pandas.
    fold = [
        (
            "    return [doc_id for doc_id, start in best_first]\n",
            "    kept = []\n    for doc_id, start in best_first:\n        if doc_id not in kept:\n"
            "            kept.append(doc_id)\n    return kept\n",
        )
    ]
    assert judged("1_chunks", changed(BROKEN["1_chunks"], *fold), tmp_path).status == RIGHT
    other_side = [("word: idf[word] * tf / (tf + norm)", "word: tf / (tf + norm)")]
    assert judged("4_idf", changed(BROKEN["4_idf"], *other_side), tmp_path).status == RIGHT


@pytest.mark.parametrize("name", DEBUG_ATTEMPTS)
def test_what_people_make_of_a_script_is_refused_and_named(name, tmp_path):
    script, pairs, faults = DEBUG_ATTEMPTS[name]
    report = judged(script, changed(BROKEN[script], *pairs), tmp_path)
    assert report.status == WRONG
    assert report.found["faults"] == faults


IDEAL = "sorted(grades.values(), reverse=True)[:10]"
SHORT_IDEALS = [("6_three", IDEAL[:-5]), ("6_three", IDEAL[:-3] + "5]"), ("3_split", IDEAL[:-3] + "4]")]


@pytest.mark.parametrize("script, ideal", SHORT_IDEALS)
def test_an_ideal_ranking_of_another_length_than_ten_is_not_right(script, ideal, tmp_path):
    report = judged(script, changed(SOLVED[script], (IDEAL, ideal)), tmp_path)
    assert report.status == WRONG and "ideal" in " ".join(report.lines)


def test_of_several_faults_it_is_said_how_many_are_gone(tmp_path):
    source = changed(BROKEN["6_three"], *DEBUG_ATTEMPTS["three: the order mended, the rest as it was"][1])
    said = " ".join(judged("6_three", source, tmp_path).lines)
    assert "1 of the 3 faults" in said and "Still as it was handed out" not in said


def test_a_script_that_prints_the_true_number_is_no_evaluation(tmp_path):
    report = judged("4_idf", 'print("nDCG@10 = 0.5775")\n', tmp_path)
    assert report.status == WRONG and "the same on every collection" in report.text("debug")


def test_a_figure_that_changes_from_run_to_run_is_said_to(tmp_path):
    source = changed(
        BROKEN["6_three"],
        ("    if not any(gains):  # nothing found, so there is nothing to rank\n        continue\n", ""),
        ("dcg(sorted(gains, reverse=True))", "dcg(sorted(grades.values(), reverse=True)[:10])"),
    )
    assert "changes from run to run" in " ".join(judged("6_three", source, tmp_path).lines)


@pytest.mark.parametrize(
    "source, said",
    [
        ("def f(:\n", "no Python"),
        ("print('hello')\n", "prints no line such as"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("from course.real_work import pipeline\n", "imports from `course`"),
    ],
)
def test_a_script_that_gives_no_figure_is_told_why(source, said, tmp_path):
    assert said in " ".join(judged("3_split", source, tmp_path).lines)


def test_every_fault_shows_on_some_collection_and_no_two_look_alike():
    for script in debug.SCRIPTS:
        seen = set()
        for changes in ({}, *(fault.change for fault in script.faults)):
            settings = debug.replace(script.settings, **changes)
            seen.add(tuple(round(debug.figure(script.data, p, settings), 4) for p in script.probes))
        assert len(seen) == len(script.faults) + 1, script.name


# Which convention?


def conventions_answer(**changes):
    answer = {name: {c: getattr(one, c) for c in convention.ASKED} for name, one in convention.TOOLS.items()}
    answer["shown_by"] = {choice: queries[0] for choice, queries in convention.showing().items()}
    for part, values in changes.items():
        answer[part] = answer[part] | values
    return answer


def judge_conventions(answer, folder):
    (folder / "answer.yaml").write_text(yaml.safe_dump(answer), encoding="utf-8")
    return convention.judge(folder)


def test_only_one_set_of_conventions_explains_each_tool():
    for tool in convention.TOOLS.values():
        options = product(*(CHOICES[choice] for choice in convention.ASKED))
        equal = [
            chosen
            for chosen in options
            if convention.rows(Conventions(**dict(zip(convention.ASKED, chosen, strict=True))))
            == convention.rows(tool)
        ]
        assert len(equal) == 1


def test_the_conventions_with_a_query_for_each_difference_are_right(tmp_path):
    assert judge_conventions(conventions_answer(), tmp_path).status == RIGHT


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"tool_a": {"gain": "exponential"}}, "nDCG@10 of"),
        ({"tool_a": {"missing_query": "left out"}}, "The file has a row for q-008"),
        ({"tool_b": {"precision": "k"}}, "P@10 of q-007"),
        ({"tool_b": {"no_relevant": "zero"}}, "The file has no row for"),
        ({"tool_b": {"gain": "exponetial"}}, "it can be linear or exponential"),
        ({"tool_b": {"ties": "TODO"}}, "Still to be chosen"),
        ({"shown_by": {"gain": "q-001"}}, "gain: the two tools say the same of q-001"),
        ({"shown_by": {"gain": "q-008"}}, "gain:"),
        ({"shown_by": {"unjudged": "q-003"}}, "unjudged: the two agree"),
        ({"shown_by": {"ties": "q-999"}}, "is no query"),
    ],
)
def test_a_wrong_convention_or_a_query_that_shows_nothing_is_named(changes, said, tmp_path):
    report = judge_conventions(conventions_answer(**changes), tmp_path)
    assert report.status == WRONG and said in report.text("convention")


def test_the_two_tools_the_wrong_way_round_are_told_so(tmp_path):
    answer = conventions_answer()
    answer["tool_a"], answer["tool_b"] = answer["tool_b"], answer["tool_a"]
    assert "the file of tool_b comes out" in judge_conventions(answer, tmp_path).text("convention")


def test_an_answer_that_is_no_yaml_is_told_where(tmp_path):
    (tmp_path / "answer.yaml").write_text("tool_a: {gain: [", encoding="utf-8")
    assert "line 1" in convention.judge(tmp_path).text("convention")


# Beat the baseline.


def search(folder, source, look=False):
    (folder / "search.py").write_text(source, encoding="utf-8")
    return baseline.judge(folder, look=look)


@pytest.fixture
def in_this_process(monkeypatch):
    """A search of which it does not matter where it runs is called here, without a start of Python."""
    monkeypatch.setattr(baseline, "_searched", lambda script, given: searching.runs(str(script), given))


def test_looks_at_the_test_queries_are_counted_and_cost_something(in_this_process, tmp_path):
    better = baseline.solution()
    assert search(tmp_path, better).found == {"looks": 0}
    first = search(tmp_path, better, look=True)
    assert first.status == RIGHT and first.found["looks"] == 1
    known = "# A comment is no other search.\n" + better
    assert "same results as in look 1" in search(tmp_path, known, look=True).text("baseline")
    worse = changed(better, ("k1=2.5, b=0.6", "k1=0.0, b=0.0"))
    second = search(tmp_path, worse, look=True)
    assert second.status == baseline.WORSE and second.found["looks"] == 2
    (tmp_path / "title").write_text("3", encoding="utf-8")
    elsewhere = "int(open(__file__.replace('search.py', 'title')).read())"
    outside = changed(better, ("3 *", f"{elsewhere} *"))
    again = search(tmp_path, outside, look=True)
    assert again.found["looks"] == 2 and "not counted again" in again.text("baseline")
    (tmp_path / "title").write_text("2", encoding="utf-8")
    third = search(tmp_path, outside, look=True)  # the same text, and another search
    assert third.status == baseline.CANNOT_TELL and third.found["looks"] == 3
    assert "1.7 times as many test queries" in re.sub(r"\s+", " ", third.text("baseline"))


@pytest.mark.parametrize(
    "source, said",
    [
        (
            "def search(documents, queries, k):\n    return {q: [('doc_001', 1.0)] for q in queries}",
            "not given",
        ),
        ("def search(documents, queries, k):\n    return {}", "no results"),
        (
            "def search(documents, queries, k):\n    return {q: [*documents] for q in queries}",
            "(doc_id, score)",
        ),
        ("def search(documents, queries, k):\n    return 1 / 0", "ZeroDivisionError"),
        (
            "def search(documents, queries, k):\n"
            "    return {q: [(d, 1.0) for d in list(documents)[:3] * 2] for q in queries}",
            "cannot be evaluated",
        ),
    ],
)
def test_a_search_that_cannot_be_measured_costs_no_look(source, said, tmp_path):
    report = search(tmp_path, source, look=True)
    assert report.status == WRONG and said in report.text("baseline")
    assert not (tmp_path / baseline.LOOKS).exists()


def test_a_search_that_knows_the_answers_by_id_finds_nothing(in_this_process, tmp_path):
    source = (
        "from helpers.datasets import load_runbooks\n\n\ndef search(documents, queries, k):\n"
        "    qrels = load_runbooks(queries='dev').qrels\n"
        "    return {q: [(d, float(g)) for d, g in sorted(qrels.get(q, {}).items(), key=lambda p: -p[1])]"
        " or [(next(iter(documents)), 0.0)] for q in queries}\n"
    )
    report = search(tmp_path, source)
    assert "yours 0.0" in report.text("baseline")


def test_a_search_that_looks_the_judgments_up_is_not_believed(in_this_process, tmp_path):
    source = (
        "def search(documents, queries, k):\n"
        "    from helpers.datasets import load_runbooks\n    found = {}\n"
        "    for split in ('dev', 'test'):\n        data = load_runbooks(queries=split)\n"
        "        names = {text: q for q, text in data.queries.items()}\n"
        "        for q, text in queries.items():\n            if text in names:\n"
        "                grades = data.qrels.get(names[text], {})\n"
        "                order = sorted((g, d) for d, g in grades.items() if g)[::-1]\n"
        "                found[q] = [(f'page-{int(d[4:]):03}', float(g)) for g, d in order]\n"
        "    return found\n"
    )
    report = search(tmp_path, source, look=True)
    assert report.status == baseline.DOUBTFUL and "lesson 04" in report.text("baseline")
    assert report.found["answer"] == baseline.BETTER


def test_a_later_check_on_dev_does_not_forget_what_the_look_has_said(in_this_process, work):
    real_work.start("baseline")
    (work / "baseline" / "search.py").write_text(baseline.solution(), encoding="utf-8")
    assert real_work.checked("baseline").status == baseline.ON_DEV
    assert real_work.states(work)["baseline"] == baseline.ON_DEV
    assert real_work.checked("baseline", look=True).status == RIGHT
    real_work.checked("baseline")
    assert real_work.states(work)["baseline"] == RIGHT


def test_the_luck_of_the_best_of_several_is_that_of_normal_numbers():
    assert baseline.best_of(3) == pytest.approx(0.8463, abs=1e-4)  # 3 / (2 sqrt(pi))


# Judge.


def test_the_stored_labels_agree_with_themselves(tmp_path):
    (tmp_path / "labels.txt").write_text(judge.solution(), encoding="utf-8")
    report = judge.judge(tmp_path)
    assert report.status == RIGHT and report.found["kappa"] == 1.0


@pytest.mark.parametrize(
    "pairs, status, said",
    [
        ([("q63 doc_103\ngrade: 1", "q63 doc_103\ngrade: 0")], RIGHT, "You may be right: the second pass"),
        ([("q33 doc_084\ngrade: 1", "q33 doc_084\ngrade: 2")], RIGHT, "1 or 2 is where readers differ most"),
        ([("q130 doc_142\ngrade: 0", "q130 doc_142\ngrade: 2")], WRONG, "needs the words"),
        ([("q130 doc_076\ngrade: 2", "q130 doc_076\ngrade: 3")], WRONG, "it can be 0, 1 or 2"),
        (
            [("quote: Never reuse the key", "quote: Never use again the key")],
            WRONG,
            "are not on the page",
        ),
        (
            [("quote: Never reuse the key of last year; Norpay rejects it.", "quote: ### 2. Make a new key")],
            WRONG,
            "that is a heading",
        ),
        (
            [
                (
                    "Never reuse the key of last year; Norpay rejects it.",
                    "Do not do it during the change freeze.",
                )
            ],
            RIGHT,
            "1 of 10 quotes share nothing",
        ),
        ([("q63 doc_103\ngrade: 1", "q63 doc_103\ngrade: 0")], RIGHT, "another site's, not outdated"),
        ([("q33 doc_087\ngrade: 1", "q33 doc_087\ngrade: 2")], RIGHT, "| 1 h 50 | 9 h |"),
        ([("q130 doc_076\ngrade: 2", "q130 doc_076\ngrade: TODO")], WRONG, "20 of 21 pages are judged"),
    ],
)
def test_labels_are_compared_and_their_quotes_looked_up(pairs, status, said, tmp_path):
    (tmp_path / "labels.txt").write_text(changed(judge.solution(), *pairs), encoding="utf-8")
    report = judge.judge(tmp_path)
    assert report.status == status and said in re.sub(r"\s+", " ", report.text("judge"))


def test_who_grades_everything_alike_has_not_judged(tmp_path):
    labels = re.sub(r"grade: \d", "grade: 0", judge.solution())
    (tmp_path / "labels.txt").write_text(labels, encoding="utf-8")
    report = judge.judge(tmp_path)
    assert report.status == WRONG and report.found["kappa"] == 0
    said = report.text("judge")
    assert "stored quote" not in said and len(set(re.findall(r"q\d+ doc_\d+", said))) == 1  # no key to copy


def test_who_exchanges_all_1_and_2_has_not_judged(tmp_path):
    labels = re.sub(r"grade: ([12])", lambda found: f"grade: {3 - int(found[1])}", judge.solution())
    (tmp_path / "labels.txt").write_text(labels, encoding="utf-8")
    report = judge.judge(tmp_path)
    assert report.status == WRONG and report.found["kappa"] == 1 and report.found["equal"] == 11


def test_quotes_that_stand_anywhere_on_the_page_do_not_count_as_judging(tmp_path):
    labels = judge.read_labels(judge.solution())[0]
    anywhere = {doc_id: _last_sentence(doc_id) for _, doc_id in labels}
    lines = [f"{q} {d}\ngrade: {grade}\nquote: {anywhere[d]}\n" for (q, d), (grade, _) in labels.items()]
    (tmp_path / "labels.txt").write_text("\n".join(lines), encoding="utf-8")
    report = judge.judge(tmp_path)
    assert report.status == WRONG and "more than half" in re.sub(r"\s+", " ", report.text("judge"))


def _last_sentence(doc_id):
    lines = [line for line in judge._page(doc_id).splitlines() if len(line.split()) > 6 and line[0] != "#"]
    return " ".join(lines[-1].split()[:40])


# Reproduce.

REPRODUCE_ATTEMPTS = {
    "exact lengths": ([("stored(dl) /", "dl /")], WRONG, "Lengths are exact"),
    "the usual parameters": ([("0.9 * (1 - 0.4 + 0.4 *", "1.2 * (1 - 0.75 + 0.75 *")], WRONG, "k1"),
    "another idf": ([("1 + (n - df + 0.5) / (df + 0.5)", "n / df")], WRONG, "ln(N / df)"),
    "stopwords kept": ([("if word in STOPWORDS", "if word in ()")], WRONG, "stopwords"),
    "another base of the logarithm": ([("math.log(1 +", "math.log2(1 +")], RIGHT, ""),
    "a factor that changes no ranking": ([("return tf / (tf", "return 1.9 * tf / (tf")], RIGHT, ""),
}


@pytest.fixture
def offline_reproduce(monkeypatch):
    """Measured on the stand-in, which takes a second; its figure is the course's own."""
    from helpers.base import files
    from helpers.datasets import load_beir

    small = load_beir("everyday-science", path=files.BUNDLED_BEIR / "everyday-science")
    monkeypatch.setattr(reproduce, "_dataset", lambda: small)
    reproduce.target.cache_clear()
    yield
    reproduce.target.cache_clear()


def reproduced(folder, source):
    (folder / "bm25.py").write_text(source, encoding="utf-8")
    return reproduce.judge(folder)


def test_offline_the_reference_meets_the_stand_ins_own_figure(offline_reproduce, tmp_path):
    report = reproduced(tmp_path, reproduce.solution())
    assert report.status == RIGHT and report.found["dataset"] != "scifact"
    assert "SciFact cannot be had" in re.sub(r"\s+", " ", report.text("reproduce"))


@pytest.mark.parametrize("name", REPRODUCE_ATTEMPTS)
def test_a_step_short_of_lucenes_bm25_is_named(name, offline_reproduce, tmp_path):
    pairs, status, said = REPRODUCE_ATTEMPTS[name]
    report = reproduced(tmp_path, changed(reproduce.solution(), *pairs))
    assert report.status == status and said in re.sub(r"\s+", " ", report.text("reproduce"))


DOTS = r"[\w]+(?:(?:['’.]|(?<=\d),(?=\d))\w+)*"


@pytest.mark.parametrize(
    "word, said",
    [
        (DOTS, "a dot between a letter and a digit, which divides"),
        (
            r"\w+(?:(?<=\d)\.(?=\d)\w+|(?<=[^\W\d])[.'’](?=[^\W\d])\w+)*",
            "'1,200' gives ['1', '200'], Lucene's",
        ),
    ],
)
def test_a_dot_and_a_comma_too_few_or_too_many_are_named_apart(word, said):
    found = [reproduce_words(word, text) for _, text in reproduce.TEXTS]
    assert any(said in line for line in reproduce._analyzer_lines(found))


def reproduce_words(pattern, text):
    """The reference's analysis, of words that another pattern finds."""
    source = {}
    exec(reproduce.solution(), source)
    return [found for found in map(source["term"], re.findall(pattern, text)) if found]


def test_stems_that_the_figure_does_not_need_are_named_last(offline_reproduce, tmp_path):
    lines = reproduced(tmp_path, reproduce.solution()).lines
    assert reproduce.NOT_NEEDED in lines[-1]


def test_a_library_by_another_door_is_refused_too(offline_reproduce, tmp_path):
    source = 'import importlib\n\nanalyze = importlib.import_module("hel" + "pers.text").lucene_english\n'
    report = reproduced(tmp_path, source)
    assert report.status == WRONG and "may not be imported here" in report.text("reproduce")


def test_a_library_is_no_work_of_ones_own(tmp_path):
    report = reproduced(tmp_path, "from helpers.text import lucene_english as analyze\n")
    assert report.status == WRONG and "imports helpers" in report.text("reproduce")


def test_the_published_figure_comes_out_of_the_references_forty_lines(scifact, tmp_path):
    report = reproduced(tmp_path, reproduce.solution())
    assert report.status == RIGHT and report.found["figure"] == 0.6789


# Capstone.


def reviewed(folder, change=lambda review: None):
    review = yaml.safe_load(capstone.solution())
    change(review)
    (folder / "review.yaml").write_text(yaml.safe_dump(review, allow_unicode=True), encoding="utf-8")
    return capstone.judge(folder)


def test_the_material_is_what_the_recipe_makes():
    for name, text in make_capstone.material().items():
        assert (make_capstone.FOLDER / name).read_text(encoding="utf-8") == text, name


def test_seven_things_are_wrong_and_the_claim_is_what_the_reports_procedure_gives():
    assert sum(kind.wrong for kind in capstone.kinds().values()) == 7
    table = capstone.files().per_query
    some = table[table["old"] > 0]
    assert round(100 * ((some["new"] - some["old"]) / some["old"]).mean()) == 12
    described = set(re.findall(r"^\| `(\w+)`", (make_capstone.FOLDER / "kinds.md").read_text("utf-8"), re.M))
    assert described == set(capstone.kinds())


def test_what_looks_wrong_and_is_not_has_a_figure_that_shows_it():
    assert {round(kind.figure, 3) for kind in capstone.kinds().values() if not kind.wrong} == {0}


def test_with_all_pages_judged_the_queries_do_not_decide_either():
    truth, test = make_capstone.all_judgments(), make_capstone.queries("t")
    new = capstone.folded(make_capstone.new_search(test, 2, 5.0))
    qrels = {q: truth[q] for q in test}
    scores = [
        capstone.evaluate_retrieval(run, qrels, metrics=["nDCG@10"]).per_query["nDCG@10"]
        for run in (make_capstone.old_search(test), new)
    ]
    low, high = capstone.t_interval(*scores)
    assert low < 0 < high


def test_the_reference_review_finds_all_seven(tmp_path):
    report = reviewed(tmp_path)
    assert report.status == RIGHT
    assert len(report.found["found"]) == 7 and not report.found["false alarms"]


def test_a_t_interval_as_in_textbooks_is_right_too(tmp_path):
    report = reviewed(tmp_path, lambda review: review["corrected"].update(low=-0.022, high=0.052))
    assert report.status == RIGHT


def drop(*kinds):
    def change(review):
        review["findings"] = [one for one in review["findings"] if one["kind"] not in kinds]

    return change


def figure(kind, value):
    def change(review):
        next(one for one in review["findings"] if one["kind"] == kind)["figure"] = value

    return change


def claim(*kinds):
    def change(review):
        review["findings"] += [{"kind": kind, "figure": 0} for kind in kinds]

    return change


@pytest.mark.parametrize(
    "change, said",
    [
        (drop("tuned", "unit"), "5 of 7 found"),
        (figure("percent", 12), "That is the report's own figure"),
        (lambda review: [figure(k, "TODO")(review) for k in ("unit", "tuned")], "A name alone is no finding"),
        (claim("gain", "twice"), "2 false alarms"),
        (lambda review: review.update(verdict="new is better"), "does the interval"),
        (lambda review: review["corrected"].update(new=0.7435), "corrected, new: 0.7435"),
        (lambda review: review.update(review="The claim is wrong."), "4 words; needed 120 to 250"),
        (
            lambda review: review.update(findings=[{"kind": k, "figure": 0} for k in capstone.kinds()]),
            "6 false alarms",
        ),
    ],
)
def test_a_review_that_misses_or_invents_is_refused_and_told_what(change, said, tmp_path):
    def changes(review):
        change(review)
        if "own figure" in said:  # one finding of seven may be missing
            drop("unit")(review)

    report = reviewed(tmp_path, changes)
    assert report.status == WRONG and said in re.sub(r"\s+", " ", report.text("capstone"))


def test_one_finding_may_be_missed_and_one_false_alarm_made(tmp_path):
    def change(review):
        drop("unjudged")(review)
        claim("depth")(review)

    report = reviewed(tmp_path, change)
    assert report.status == RIGHT and "1 is still to be found" in report.text("capstone")


@pytest.mark.parametrize(
    "kind, value", [("unit", 0.02), ("cutoff", 0.56), ("percent", 36), ("unjudged", 0.88)]
)
def test_a_figure_that_is_right_to_two_decimals_counts(kind, value, tmp_path):
    assert kind in reviewed(tmp_path, figure(kind, value)).found["found"]


@pytest.mark.parametrize(
    "values, said",
    [
        ({"low": -0.006}, "near a bootstrap interval"),
        ({"low": -0.064, "high": 0.033}, "sign is turned round"),
        ({"low": -0.052, "high": 0.022}, "sign is turned round"),
        ({"new": 0.678}, "the old search lost as 0"),
    ],
)
def test_a_corrected_comparison_that_slips_is_told_how(values, said, tmp_path):
    report = reviewed(tmp_path, lambda review: review["corrected"].update(values))
    assert report.status == WRONG and said in re.sub(r"\s+", " ", report.text("capstone"))


@pytest.mark.parametrize(
    "text, doubt",
    [
        ("The new search is 12 % better; replace the old one at once. " * 15, "repeats its sentences"),
        ("lorem ipsum dolor sit amet " * 30, "names no figure"),
    ],
)
def test_that_the_figures_are_right_says_nothing_of_the_text(text, doubt, tmp_path):
    said = reviewed(tmp_path, lambda review: review.update(review=text)).text("capstone")
    assert "no program has judged it" in re.sub(r"\s+", " ", said) and doubt in said
    assert "names no figure" not in reviewed(tmp_path).text("capstone")


@pytest.mark.parametrize(
    "kind, value, said",
    [
        ("repeated", 3, "counts the queries above 1"),
        ("cutoff", 0.5471, "mean of the report's own column"),
        ("percent", 0.359, "in per cent"),
        ("unit", 0.001, "That is the report's"),
        ("unjudged", 0.767, "Leave them out"),
    ],
)
def test_a_figure_that_comes_of_a_misreading_is_told_which(kind, value, said, tmp_path):
    report = reviewed(tmp_path, figure(kind, value))
    assert said in re.sub(r"\s+", " ", report.text("capstone")) and kind not in report.found["found"]


# The command line.


def test_the_verb_lists_starts_hints_and_checks(work, capsys):
    from course.__main__ import main

    assert main(["work"]) == 0
    assert all(name in capsys.readouterr().out for name in [*real_work.TASKS][:1])
    assert main(["work", "start", "capstone"]) == 0
    assert main(["work", "check", "capstone"]) == 1
    (work / "capstone" / "review.yaml").write_text(capstone.solution(), encoding="utf-8")
    assert main(["work", "check", "capstone"]) == 0
    assert "7 of 7 found" in capsys.readouterr().out
    assert main(["work", "hint", "debug/5_ids", "2"]) == 0
    assert desk.work_dir() == work.resolve()


def test_progress_repeats_what_the_last_check_said_and_runs_nothing(work, capsys, monkeypatch):
    from course.__main__ import main

    def said():
        assert main(["progress"]) == 0
        return capsys.readouterr().out.splitlines()[-1]

    assert said() == "real_work: 0 of 6 tasks right"
    real_work.start("capstone")
    real_work.start("convention")
    review = work / "capstone" / "review.yaml"
    review.write_text(capstone.solution(), encoding="utf-8")
    assert said() == "real_work: 0 of 6 tasks right; open: convention (started), capstone (started)"
    assert real_work.checked("capstone").status == RIGHT
    assert said() == "real_work: 1 of 6 tasks right; open: convention (started)"
    later = (work / "capstone" / ".checked").stat().st_mtime + 1
    os.utime(review, (later, later))
    assert "capstone (right, changed since)" in said()


def test_a_teacher_sees_how_many_tasks_each_reader_has_done(tmp_path, capsys):
    from course.__main__ import main

    for name in ("ada", "bob"):
        (tmp_path / name / "notebooks").mkdir(parents=True)
        (tmp_path / name / "notebooks" / "03_metrics.ipynb").write_text("{}")
    (tmp_path / "ada" / "work" / "judge").mkdir(parents=True)
    (tmp_path / "ada" / "work" / "judge" / ".checked").write_text("right\n")
    assert main(["progress", str(tmp_path)]) == 0
    rows = {line.split()[0]: line.split()[-1] for line in capsys.readouterr().out.splitlines() if line}
    assert (rows["ada"], rows["bob"]) == ("1/6", "-")


# What the teacher's page says.

PAGE = (task.MATERIAL.parents[1] / "instructor" / "real_work.md").read_text(encoding="utf-8")


def test_the_teachers_page_has_each_task_with_its_difficulty_and_minutes():
    rows = re.findall(r"^\| `(\w+)` \| \S+ \| (\d) of 3 \| (\d+) \|", PAGE, re.M)
    tasks = real_work.TASKS.values()
    assert rows == [(one.name, str(one.difficulty), str(one.minutes)) for one in tasks]


def test_the_teachers_figures_of_the_six_scripts_are_the_true_ones():
    rows = re.findall(r"^\| `(\d_\w+)` \| .+? \| ([\d.]+) \| (\S+) \|", PAGE, re.M)
    assert [name for name, _, _ in rows] == [script.name for script in debug.SCRIPTS]
    for script, (_, true, given) in zip(debug.SCRIPTS, rows, strict=True):
        own = {k: v for fault in script.faults if fault.own for k, v in fault.change.items()}
        broken = debug.figure(script.data, "itself", debug.replace(script.settings, **own))
        assert float(true) == round(debug.figure(script.data, "itself", script.settings), 4)
        assert given == ("changes" if script.name == "6_three" else f"{broken:.4f}")


def test_the_teachers_figures_of_the_capstone_are_those_of_its_files():
    kinds, found = capstone.kinds(), capstone.corrected()
    said = [
        f"({kinds['repeated'].figure} queries)",
        f"({kinds['cutoff'].figure:.3f} in place of {capstone.files().per_query['old'].mean():.3f})",
        f"differ by {kinds['percent'].figure:.1f} %",
        f"p = {kinds['unit'].figure:.3f} by query",
        f"({kinds['tuned'].figure:.3f} below the best on dev)",
        f"({kinds['unjudged'].figure:.0%}".replace("%", " %"),
        f"{found['old']:.3f} and {found['new']:.3f}",
        f"between \N{MINUS SIGN}{-found['low']:.3f} and +{found['high']:.3f}",
    ]
    assert [one for one in said if one not in PAGE] == []


def test_the_teachers_figures_of_the_better_search_are_those_of_the_reference(in_this_process, tmp_path):
    (tmp_path / "search.py").write_text(baseline.solution(), encoding="utf-8")
    scores = baseline.measured(tmp_path / "search.py", ("dev", "test"))
    gains = [(scores[split] - baseline.baseline_scores(split)).mean() for split in ("dev", "test")]
    low, high = baseline.t_interval(baseline.baseline_scores("test"), scores["test"])
    assert f"+{gains[0]:.3f} there, +{gains[1]:.3f} on test" in PAGE
    assert f"from {low:.3f} to {high:.3f}" in PAGE


def test_the_notebook_asks_for_each_task_once_and_says_how_hard_it_is():
    path = task.MATERIAL.parents[2] / "notebooks" / "real_work.ipynb"
    cells = ["".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    for name, one in real_work.TASKS.items():
        assert cells.count(f'real_work.start("{name}")') == cells.count(f'real_work.check("{name}")') == 1
        told = cells[cells.index(f'real_work.start("{name}")') - 1]
        assert f"Difficulty {one.difficulty} of 3" in told
