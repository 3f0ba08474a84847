"""The teacher's pages are right: plans add up, names and links exist, every number is measured."""

import csv
import json
import re
import textwrap
from functools import cache, partial
from math import log
from pathlib import Path
from statistics import median

import nbformat
import pytest
from programs import PROGRAMS, main

from course import baselines, runner
from course.exercises.cases import TODO
from course.exercises.contents import EXERCISES
from helpers import judgments, stats
from helpers.base import files
from helpers.datasets import labels as labelled_queries
from helpers.datasets import load, runbooks
from helpers.datasets.catalogue import published
from helpers.datasets.load import STAND_IN, load_runbooks
from helpers.datasets.nuggets import load_needs
from helpers.evaluation.evaluate import evaluate_retrieval, first_relevant_ranks
from helpers.evaluation.results import load_results
from helpers.retrieval import CsrBM25
from helpers.retrieval.folding import to_documents
from helpers.retrieval.retrievers import RankBM25
from helpers.text import tokens
from helpers.text.analyzers import lucene_english, plain
from helpers.text.chunking import chunk_corpus, chunk_fixed, to_corpus
from helpers.text.words import FUNCTION_WORDS, word_overlap

FOLDER = files.ROOT / "course" / "instructor"
GENERATED = {"typical_wrong_answers.md", "answers.md"}
PAGES = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.glob("*.md"))
    if path.name not in GENERATED
}
SESSIONS = ["session_1.md", "session_2.md", "session_3.md"]
PLANS = [*SESSIONS, "fast_track.md"]
LESSON_OF = {
    exercise.reference.__name__: exercise.reference.__module__.split(".")[2]
    for exercise in EXERCISES.values()
}
FUNCTIONS = set(LESSON_OF)
NOTEBOOKS = {path.stem: nbformat.read(path, 4) for path in runner.find_lessons()}
DATASET = load_runbooks()
DOCUMENTS = {document.doc_id: document for document in runbooks.read_documents(files.RUNBOOKS)}
SECOND, DISPUTES = judgments.load_second_labels(), judgments.load_disagreements()
ALL_LABELS = [
    label for split in ("all", "unanswered") for label in load.runbook_labels(split, DATASET.corpus)
]
FIRST = judgments.first_pass(labelled_queries.to_qrels(ALL_LABELS), DISPUTES)


def tables(page: str) -> list[list[dict[str, str]]]:
    """The tables of a page, each a list of rows by column."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", PAGES[page], re.M):
        head, _, *rows = [
            [cell.strip() for cell in line.strip().strip("|").split("|")] for line in block.splitlines()
        ]
        found.append([dict(zip(head, row, strict=True)) for row in rows])
    return found


def table(page: str, column: str) -> list[dict[str, str]]:
    """The one table of a page that has a column of this name first."""
    (found,) = [rows for rows in tables(page) if next(iter(rows[0])) == column]
    return found


def span(text: str) -> tuple[int, int]:
    start, end = text.split("–")
    return int(start), int(end)


def clock(text: str) -> tuple[int, int]:
    hours = [60 * int(hour) + int(minute) for hour, minute in re.findall(r"(\d\d):(\d\d)", text)]
    return hours[0], hours[1]


def exercises_in(text: str) -> list[str]:
    """The exercises that a cell or a sentence names as such."""
    runs = re.findall(r"[Ee]xercises? ((?:`\w+`(?: and |, )?)+)", text)
    return [name for run in runs for name in re.findall(r"`(\w+)`", run)]


# The plans


@pytest.mark.parametrize(
    ("page", "blocks"),
    [
        ("session_1.md", {"corpus": 45, "labels": 75, "documentation": 60}),
        ("session_2.md", {"chunking": 60, "BM25": 75, "reading results": 45}),
        ("session_3.md", {"metrics": 75, "reporting": 60, "write-up": 45}),
    ],
)
def test_a_session_is_180_minutes_without_a_gap_in_the_blocks_of_the_week_plan(page, blocks):
    rows = table(page, "minutes")
    spans = [span(row["minutes"]) for row in rows]
    assert spans[0][0] == 0 and spans[-1][1] == 180
    assert all(before[1] == after[0] for before, after in zip(spans, spans[1:], strict=False))
    assert all(start < end for start, end in spans)
    found: dict[str, int] = {}
    for row, (start, end) in zip(rows, spans, strict=True):
        found[row["block"]] = found.get(row["block"], 0) + end - start
    assert found == blocks and list(found) == list(blocks)


@pytest.mark.parametrize("page", SESSIONS)
def test_a_session_has_two_breaks_of_ten_minutes_and_never_70_minutes_in_one_go(page):
    breaks = [span(row["minutes"]) for row in table(page, "minutes") if row["what happens"] == "Break."]
    assert [end - start for start, end in breaks] == [10, 10]
    borders = [0, *[minute for pair in breaks for minute in pair], 180]
    assert max(end - start for start, end in zip(borders[::2], borders[1::2], strict=True)) < 70


def test_the_fast_track_is_six_hours_of_work_with_breaks_apart():
    rows = table("fast_track.md", "clock")
    spans = [clock(row["clock"]) for row in rows]
    assert all(before[1] == after[0] for before, after in zip(spans, spans[1:], strict=False))
    breaks = [row for row in rows if row["work"] == "–"]
    assert {row["what happens"] for row in breaks} == {"Break.", "Lunch."}
    work = {}
    for row, (start, end) in zip(rows, spans, strict=True):
        if row not in breaks:
            assert int(row["work"]) == end - start, row
            work[row["lesson"]] = work.get(row["lesson"], 0) + end - start
    assert sum(work.values()) == 6 * 60
    assert list(work) == ["01", "02", "03", "04", "04b"]


def test_the_labelling_has_its_forty_five_minutes_in_session_1():
    spans = [span(row["minutes"]) for row in table("labelling_in_pairs.md", "minutes")]
    assert spans[0][0] == 0 and all(a[1] == b[0] for a, b in zip(spans, spans[1:], strict=False))
    (row,) = [
        row for row in table("session_1.md", "minutes") if "labelling_in_pairs.md" in row["what happens"]
    ]
    start, end = span(row["minutes"])
    assert end - start == spans[-1][1] == 45
    assert (spans[1][1] - spans[1][0]) * 60 / 20 == 75 and "about 75 seconds a row" in PAGES[
        "labelling_in_pairs.md"
    ]


@pytest.mark.parametrize("page", PLANS)
def test_hints_come_one_after_the_other_within_the_time_that_the_plan_gives(page):
    first = "clock" if page == "fast_track.md" else "minutes"
    length = clock if first == "clock" else span
    planned = {}
    for row in table(page, first):
        if names := exercises_in(row["what happens"]):
            start, end = length(row[first])
            of_it = re.search(
                r"\((\d+)\)\.?$", row["what happens"]
            )  # where something else is in the same line
            planned[tuple(names)] = int(of_it[1]) if of_it else end - start
            assert planned[tuple(names)] <= end - start
    hinted = {tuple(re.findall(r"`(\w+)`", row["exercise"])): row for row in table(page, "exercise")}
    assert hinted.keys() == planned.keys()
    for names, row in hinted.items():
        assert int(row["minutes"]) == planned[names], names
        after = [int(row[f"hint {number}"]) for number in (1, 2, 3)]
        assert 0 < after[0] < after[1] < after[2] < planned[names], names


@pytest.mark.parametrize("page", [f"session_{number}.md" for number in (1, 2, 3, 5, 6, 7)])
def test_a_session_gives_an_exercise_about_the_minutes_that_its_reader_is_told(page):
    minutes = {exercise.reference.__name__: exercise.minutes for exercise in EXERCISES.values()}
    for row in table(page, "exercise"):
        told = sum(minutes[name] for name in re.findall(r"`(\w+)`", row["exercise"]))
        assert int(row["minutes"]) == pytest.approx(told, abs=5), row["exercise"]


def test_every_exercise_of_lessons_01_to_03_has_its_place_in_a_session():
    asked = {name for page in SESSIONS for name in exercises_in(PAGES[page])}
    assert asked == {
        name for name, lesson in LESSON_OF.items() if lesson in ("lesson_01", "lesson_02", "lesson_03")
    }


def test_the_fast_track_says_how_many_exercises_it_does_and_how_many_it_leaves():
    words = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split()
    done = {name for row in table("fast_track.md", "clock") for name in exercises_in(row["what happens"])}
    in_its_lessons = [name for name, lesson in LESSON_OF.items() if lesson <= "lesson_04"]
    left = len(in_its_lessons) - len(done)
    said = f"{words[len(done)].capitalize()} exercises are done in the room, {words[left]} are left"
    assert said in PAGES["fast_track.md"]
    assert f"the other {words[left]} exercises" in PAGES["fast_track.md"]


# What is named exists


@pytest.mark.parametrize("page", PAGES)
def test_exercises_that_are_named_exist(page):
    assert set(exercises_in(PAGES[page])) <= FUNCTIONS
    assert set(re.findall(r"\bex\.([A-Z][A-Z_0-9]*)", PAGES[page])) <= set(EXERCISES)


@pytest.mark.parametrize("page", [page for page in PAGES if page != "setup.md"])
def test_functions_and_fields_that_are_named_stand_in_the_course(page):
    packages = [files.ROOT / package for package in ("helpers", "workbench", "course")]
    code = "\n".join(path.read_text(encoding="utf-8") for folder in packages for path in folder.rglob("*.py"))
    code += "\n".join(cell.source for notebook in NOTEBOOKS.values() for cell in notebook.cells)
    code += (FOLDER / "labelling_sheet.csv").read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```", "", PAGES[page], flags=re.S)
    names = re.findall(r"`([a-z]\w*)(?:\([^`]*\))?`", prose)
    assert not [name for name in names if not re.search(rf"\b{name}\b", code)]


def headings() -> set[str]:
    lines = [
        line
        for notebook in NOTEBOOKS.values()
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for line in cell.source.splitlines()
        if re.match(r"#{2,3} ", line)
    ]
    return {re.sub(r"^#+ (\d+ )?", "", line) for line in lines}


@pytest.mark.parametrize("page", PLANS)
def test_sections_that_a_plan_names_are_sections_of_the_notebooks(page):
    prose = PAGES[page].replace("**", "")
    named = re.findall(r"(?<!\w)\*([^*\n]+)\*(?!\w)", prose)
    assert named
    assert not set(named) - headings()


def test_the_short_path_takes_four_hours_and_names_sections_and_exercises_that_exist():
    page = (files.ROOT / "course" / "short_path.md").read_text(encoding="utf-8")
    minutes = [int(found) for found in re.findall(r"^\| (\d+) \|", page, re.M)]
    assert f"Together {sum(minutes)} minutes" in page and sum(minutes) == 4 * 60
    assert not set(re.findall(r"(?<!\w)\*([^*\n]+)\*(?!\w)", page)) - headings()
    assert set(re.findall(r"`(\w+)`", page)) <= FUNCTIONS


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", PAGES[page]):
        assert "://" not in target
        assert (FOLDER / target).exists(), target


def test_the_overview_lists_every_file():
    listed = set(re.findall(r"^\|.*?\]\((\w+\.\w+)\)", PAGES["README.md"], re.M)) | {
        "labelling_sheet.csv",
        "README.md",
    }
    assert listed == PAGES.keys() | GENERATED | {"labelling_sheet.csv"}


@pytest.mark.parametrize("page", PAGES)
def test_commands_that_are_named_exist(page):
    named = re.findall(r"(?:-m (course)|(?<=[`/ ])(workbench)) ([a-z]+)", PAGES[page])
    assert all(verb in PROGRAMS[one or other].verbs for one, other, verb in named)


def test_what_the_check_says_of_a_missing_default_and_of_a_lent_function_is_in_the_overview():
    exercise = EXERCISES["NDCG"]
    (missing,) = re.findall(r"Without it the check says `(.+?)`", PAGES["README.md"])
    without = textwrap.dedent(exercise.source()).replace("k=10", "k")
    names = dict(exercise.reference.__globals__)
    exec(without, names)
    assert missing in " ".join(exercise.verdict(names["ndcg_at_k"]).text.split())
    (lent,) = re.findall(r"is answered `(.+?)`", PAGES["README.md"])
    assert exercise.verdict(exercise.use(TODO)).text.startswith(f"ndcg_at_k: {lent}")


def test_progress_reads_notebooks_collected_as_the_overview_says(tmp_path, capsys):
    paths = re.findall(r"^    collected/(\S+)$", PAGES["README.md"], re.M)
    for path in paths:
        target = tmp_path / path
        target.parent.mkdir()
        target.write_bytes((files.ROOT / "notebooks" / target.name).read_bytes())
    assert main(["progress", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert len(paths) == 2 and all(path.split("/")[0] in said for path in paths)


def test_the_set_up_names_what_the_course_looks_for():
    page = PAGES["setup.md"]
    code = "\n".join(
        (files.ROOT / "helpers" / f"{name}.py").read_text(encoding="utf-8")
        for name in ("base/files", "base/fetch", "text/tokens")
    )
    for name in set(re.findall(r"\b[A-Z]+_[A-Z_]+\b", page)):
        assert name in code, name
    assert {tokens.CL100K_FILE, tokens.STAND_IN_ENCODING, STAND_IN} <= set(re.findall(r"`([\w-]+)`", page))
    project = (files.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (needed,) = re.findall(r"^requires = \[(\".+\")\]", project, re.M)
    assert needed in page  # what builds the course must be among the wheels
    (version,) = re.findall(r'^version = "(.+)"', project, re.M)
    assert (
        f"`measure-first-{version}.zip`" in page and f"version {version} of the course" in PAGES["rubric.md"]
    )
    (python,) = re.findall(r'^requires-python = ">=(.+)"', project, re.M)
    assert f"must be {python} or newer" in page
    assert "-e ." in (files.ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()


# The labelling


def sheet_rows() -> list[dict[str, str]]:
    with open(
        FOLDER / "labelling_sheet.csv", newline="", encoding="ascii"
    ) as file:  # so that any spreadsheet reads it
        return list(csv.DictReader(file))


def chosen_by_rule() -> list[tuple[str, str]]:
    """The rows as `labelling_in_pairs.md` says that they were chosen."""
    lines = files.BM25_TOP10.read_text(encoding="utf-8").splitlines()
    top = {
        row["query_id"]: {chunk.split("#")[0] for chunk in row["retrieved_chunk_ids"]}
        for row in map(json.loads, lines)
    }

    def shortest(doc_ids):
        return min(doc_ids, key=lambda doc_id: (len(DOCUMENTS[doc_id].body.split()), doc_id))

    rows = []
    for query_id in DATASET.queries:
        disputed = [row.doc_id for row in DISPUTES if row.query_id == query_id and row.first != row.second]
        agreed = {
            grade: [d for d, g in FIRST[query_id].items() if g == SECOND[query_id][d] == grade]
            for grade in (0, 1, 2)
        }
        if 2 <= len(disputed) <= 4 and agreed[2] and len(rows) < 20:
            tempting = [doc_id for doc_id in agreed[0] if doc_id in top[query_id]] or agreed[0]
            four = [shortest(ids) for ids in (disputed, agreed[2], agreed[1], tempting)]
            rows += [(query_id, doc_id) for doc_id in sorted(four)]
    return rows


def test_the_sheet_is_chosen_by_its_rule_and_shows_the_collection_s_own_words():
    needs = load_needs(ALL_LABELS)
    rows = sheet_rows()
    assert list(rows[0]) == ["query_id", "query", "need", "doc_id", "title", "grade"]
    assert [(row["query_id"], row["doc_id"]) for row in rows] == chosen_by_rule()
    for row in rows:
        need = needs[row["query_id"]]
        listed = f"2: {'; '.join(need.essential)}. 1: {'; '.join(need.useful)}."
        assert row["query"] == DATASET.queries[row["query_id"]] and row["need"] == listed
        assert row["title"] == DOCUMENTS[row["doc_id"]].title and row["grade"] == ""


def test_the_sheet_is_described_as_it_is():
    page, rows = PAGES["labelling_in_pairs.md"], chosen_by_rule()
    queries = list(dict.fromkeys(query_id for query_id, _ in rows))
    differing = [row for row in DISPUTES if row.first != row.second]
    disputed = {(row.query_id, row.doc_id) for row in differing} & set(rows)
    pages = {doc_id for _, doc_id in rows}
    words = sum(len(DOCUMENTS[doc_id].body.split()) for doc_id in pages)
    n_pairs = judgments.agreement(FIRST, SECOND)["pairs judged by both"]
    for fact in (
        f"has {len(rows)} rows",
        f"five queries ({', '.join(queries)})",
        f"{len(pages)} different pages, {words:,} words",
        f"of all pairs one in {n_pairs / len(differing):.0f}",
        f"There are {n_pairs:,} pairs",
    ):
        assert fact in page, fact
    assert len(queries) == len(disputed) == 5 and 4 * len(disputed) == len(rows)  # a quarter of the rows
    assert all(0 in {FIRST[q][d], SECOND[q][d]} for q, d in disputed)  # "all disputes are about a 0"
    assert all(FIRST[q][d] == DATASET.qrels[q][d] for q, d in disputed)  # "the first pass won all five"
    won = sum(row.first == row.final for row in differing) / len(differing)
    assert "(of all disputes three in four)" in page and won == pytest.approx(0.75, abs=0.02)


def fill(path: Path, grades: dict, delimiter: str = ",", encoding: str = "utf-8") -> None:
    rows = [{**row, "grade": grades[row["query_id"]][row["doc_id"]]} for row in sheet_rows()]
    with open(path, "w", newline="", encoding=encoding) as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


def run_code(folder: Path, monkeypatch, capsys) -> list[str]:
    """What each cell of the page prints, with the sheets of `folder`."""
    monkeypatch.chdir(folder)
    names, printed = {}, []
    for cell in re.findall(r"```python\n(.*?)```", PAGES["labelling_in_pairs.md"], re.S):
        exec(cell, names)
        printed.append(capsys.readouterr().out)
    return printed


def test_the_code_for_two_sheets_prints_what_the_page_says(tmp_path, monkeypatch, capsys):
    page = PAGES["labelling_in_pairs.md"]
    fill(tmp_path / "one.csv", FIRST)
    fill(
        tmp_path / "other.csv", SECOND, delimiter=";", encoding="utf-8-sig"
    )  # as a spreadsheet in Lyon saves it
    counted, differing, compared, interval = run_code(tmp_path, monkeypatch, capsys)
    assert "".join(f"    {line}\n" for line in counted.splitlines()) in page
    assert len(differing.splitlines()) == 5 and "q02 doc_063 one says 0 and the other 2" in differing
    lowest, highest = re.findall(r"between (0\.\d\d) and (0\.\d\d)", interval)[0]
    assert f"an interval from {lowest} to {highest}" in page
    with_shipped = re.findall(r"(\w+) +and shipped labels kappa (\d\.\d\d)", compared)
    assert [who for who, _ in with_shipped] == ["one", "other"]
    first, second = (kappa for _, kappa in with_shipped)
    assert f"the first pass has kappa {first} on these rows, the second {second}" in page
    assert "one   and first pass     kappa 1.00, overlap 1.00" in compared


def test_rows_without_a_grade_are_left_out_and_counted(tmp_path, monkeypatch, capsys):
    gaps = {query_id: dict(grades) for query_id, grades in SECOND.items()}
    gaps["q01"]["doc_056"] = ""
    fill(tmp_path / "one.csv", FIRST)
    fill(tmp_path / "other.csv", gaps)
    counted = run_code(tmp_path, monkeypatch, capsys)[0]
    assert re.search(r"judged by both +19\n.*judged by one +1\n", counted)


def test_the_same_two_passes_agree_less_on_the_sheet_than_on_all_pairs():
    rows = chosen_by_rule()
    on_sheet = stats.cohen_kappa([FIRST[q][d] for q, d in rows], [SECOND[q][d] for q, d in rows])
    everywhere = judgments.agreement(FIRST, SECOND)
    kappa, said = everywhere["kappa, grades"], (PAGES["labelling_in_pairs.md"], PAGES["discussion.md"])
    assert f"kappa {kappa:.2f} on all pairs and {on_sheet:.2f} here" in said[0]
    assert f"kappa {kappa:.3f} on all pairs and {on_sheet:.2f} on twenty chosen pairs" in said[1]
    assert f"the overlap, {everywhere['overlap']:.2f} on all pairs" in said[1]


# Questions and rubric


def test_there_are_ten_to_fourteen_questions_each_with_an_answer_of_three_to_six_sentences():
    parts = re.split(r"^## ", PAGES["discussion.md"], flags=re.M)[1:]
    assert 10 <= len(parts) <= 14 and PAGES["discussion.md"].count("Fourteen questions") == (len(parts) == 14)
    assert [part.split(".")[0] for part in parts] == [str(number) for number in range(1, len(parts) + 1)]
    for part in parts:
        answer = part.split("\n", maxsplit=1)[1]
        sentences = re.findall(r"[.!?](?=\s|$)", re.sub(r"\(.*?\)", "", answer))
        assert 3 <= len(sentences) <= 6, part[:60]


def test_the_two_sample_pages_are_graded_on_every_criterion_and_the_points_add_up():
    rubric, *graded = tables("rubric.md")
    criteria = [row["criterion"] for row in rubric]
    assert list(rubric[0]) == ["criterion", "0", "1", "2", "3"]
    assert f"0 to 3 points each, {3 * len(criteria)} in all" in PAGES["rubric.md"] and len(criteria) == 6
    sums = []
    for rows in graded:
        assert [row["criterion"] for row in rows] == [*criteria, "**sum**"]
        points = [int(row["points"].strip("*")) for row in rows]
        assert sum(points[:-1]) == points[-1] and rows[-1]["reason"] == f"of {3 * len(criteria)}"
        sums.append(points[-1])
    assert len(sums) == 2 and sums[0] < 6 and sums[1] > 15


def quoted_page(title: str) -> str:
    section = PAGES["rubric.md"].split(f"## {title}")[1].split("\n## ")[0]
    return " ".join(line.lstrip("> ") for line in section.splitlines() if line.startswith(">")).strip()


@cache
def measured(size: int, overlap: int, queries: str = "core"):
    """The evaluation and the run of BM25 on chunks of one size."""
    chunked = partial(chunk_fixed, chunk_size=size, overlap=overlap, encoding=tokens.load_cl100k())
    dataset, chunks = load_runbooks(queries=queries), chunk_corpus(DATASET.corpus, chunked)
    run = to_documents(RankBM25(to_corpus(chunks), plain).search(dataset.queries, k=10_000))
    return evaluate_retrieval(run, dataset.qrels), run


@pytest.fixture
def two_cuts(cl100k):
    return measured(512, 50), measured(256, 25)


@pytest.fixture
def on_test(cl100k):
    """The same two on the queries that nobody has looked at."""
    return measured(512, 50, "test")[0], measured(256, 25, "test")[0]


def test_the_strong_page_reports_what_was_measured(two_cuts, on_test):
    page, (old, old_run), (new, new_run) = quoted_page("A strong page"), *two_cuts
    lab = {
        row["system"].split("; ")[1]: row
        for row in load_results(files.STORED_RESULTS / "02_chunking_and_bm25.json")
    }
    assert 150 <= len(re.sub(r"[^\w\s-]", "", page).split()) <= 250
    change = {name: new.per_query[name] - old.per_query[name] for name in ("nDCG@10", "MRR")}
    better = {name: int((values > 1e-9).sum()) for name, values in change.items()}
    worse = {name: int((values < -1e-9).sum()) for name, values in change.items()}
    ndcg = change["nDCG@10"]
    later, last = on_test
    for fact in (
        f"({len(DATASET.corpus)} pages, {len(DATASET.queries)} queries of six kinds, "
        f"{sum(map(len, DATASET.qrels.values())):,} judgments, every page judged for every query",
        f"It is {old['nDCG@10']:.4f} and {new['nDCG@10']:.4f}.",
        f"The difference of {ndcg.mean():.4f} has a standard error of {ndcg.sem():.4f}; "
        f"256 is better on {better['nDCG@10']} queries and worse on {worse['nDCG@10']}.",
        f"MRR speaks for 256: {old['MRR']:.4f} and {new['MRR']:.4f}, better on {better['MRR']} queries, "
        f"worse on {worse['MRR']}.",
        f"the {len(later.per_query)} test queries, once: nDCG@10 is {later['nDCG@10']:.4f} and "
        f"{last['nDCG@10']:.4f}, MRR {later['MRR']:.4f} and {last['MRR']:.4f}",
        f"it was {lab['fixed 512/50']['quote recall']:.4f} and {lab['fixed 256/25']['quote recall']:.4f} "
        "here",
    ):
        assert fact in page, fact
    core = labelled_queries.load_labels(files.QUERIES, DATASET.corpus)
    assert len({label.kind for label in core}) == 6 and last["MRR"] < later["MRR"]
    assert old["Judged@10"] == new["Judged@10"] == 1 and all(
        run[q] for run in (old_run, new_run) for q in DATASET.queries
    )
    ranks = [[doc_id for doc_id, _ in run["q19"]].index("doc_034") + 1 for run in (old_run, new_run)]
    assert f"falls from rank {ranks[0]} to rank {ranks[1]}" in page
    asked = {word for word in plain(DATASET.queries["q19"]) if word not in FUNCTION_WORDS}
    assert asked & set(plain(DATASET.corpus["doc_034"])) == {"shared"}
    assert {"secret", "commit"} <= set(plain(DATASET.corpus["doc_034"]))


def test_the_weak_page_is_wrong_although_every_number_is_right(two_cuts):
    (old, _), (new, _) = two_cuts
    page = quoted_page("A weak page")
    assert (
        f"from {old['MRR']:.2f} to {new['MRR']:.2f}, an improvement of "
        f"{100 * (new['MRR'] / old['MRR'] - 1):.0f} %" in page
    )
    assert old["nDCG@10"] - 0.02 < new["nDCG@10"] < old["nDCG@10"]  # "a bit lower"


def test_the_answer_on_chunks_of_256_tokens_is_what_was_measured(two_cuts, on_test):
    (old, _), (new, _) = two_cuts
    page, (later, last) = PAGES["discussion.md"], on_test
    change = new.per_query["MRR"] - old.per_query["MRR"]
    for fact in (
        f"The difference of {change.mean():.4f} is {change.mean() / change.sem():.1f} times its standard "
        f"error of {change.sem():.4f}",
        f"nDCG@10 does not follow: {old['nDCG@10']:.4f} and {new['nDCG@10']:.4f}.",
        f"MRR falls from {later['MRR']:.4f} to {last['MRR']:.4f}, and nDCG@10 from {later['nDCG@10']:.4f} to "
        f"{last['nDCG@10']:.4f}, one and a half standard errors",
    ):
        assert fact in page, fact
    fall = later.per_query["nDCG@10"] - last.per_query["nDCG@10"]
    assert 1.4 < fall.mean() / fall.sem() < 1.6
    assert len(load_results(files.STORED_RESULTS / "02_chunking_and_bm25.json")) == 9  # "one of nine cuts"


def test_the_answer_on_synonyms_is_what_was_measured(cl100k):
    asked = DATASET.queries["q19"]
    added = ["", "secret commit", "password", "login password key token upload git repository delete"]
    index = RankBM25(to_corpus(chunk_corpus(DATASET.corpus, partial(chunk_fixed, encoding=cl100k))), plain)
    run = to_documents(index.search({words: f"{asked} {words}" for words in added}, k=10_000))
    ranks = [[doc_id for doc_id, _ in run[words]].index("doc_034") + 1 for words in added]
    page = PAGES["discussion.md"]
    assert f"from rank {ranks[0]} to rank {ranks[1]}." in page and f"*{added[3]}*" in page
    assert f"With *password* alone it goes to rank {ranks[2]}." in page
    assert f"it falls to rank {ranks[3]}, since" in page


def test_the_answers_on_kinds_of_query_and_on_splade_are_what_was_measured(two_cuts):
    kinds = {x.query_id: x.kind for x in labelled_queries.load_labels(files.QUERIES, DATASET.corpus)}
    means = two_cuts[0][0].per_query["nDCG@10"].groupby(kinds).mean()
    page = PAGES["discussion.md"]
    assert (
        f"a mean nDCG@10 of {means['identifier']:.2f}, and what it does badly, paraphrases with "
        f"{means['paraphrase']:.2f}" in page
    )
    ladder = [
        row["metrics"]["nDCG@10"] for row in load_results(files.STORED_RESULTS / "04_sparse_retrieval.json")
    ]
    splade = published("scifact", "SPLADE-v3")["nDCG@10"]
    gain, seeming = splade - ladder[-1], splade - ladder[0]
    assert f"SPLADE-v3 with its {splade:.4f} gains {gain:.4f}" in page
    assert f"the gain would look {seeming / gain:.1f} times as large" in page


# Every other number


def missed(pairs: set[tuple[str, str]], runs: dict) -> float:
    """The share of the pairs that no run has among its first ten."""
    shown = {(q, doc_id) for run in runs.values() for q, results in run.items() for doc_id, _ in results[:10]}
    return len(pairs - shown) / len(pairs)


def test_what_the_plans_show_at_the_projector_is_what_comes_out(cl100k):
    killed = [d for d in DOCUMENTS.values() if "OOMKilled" in d.body or "137" in plain(d.body)]
    judged = sum(map(len, DATASET.qrels.values()))
    label = next(label for label in ALL_LABELS if label.query_id == "q19")
    paragraph = next(iter(judgments.quote_paragraphs(label, DATASET.corpus).values()))
    assert word_overlap(label.query, paragraph) == 0 and "Whoever finds a secret" in paragraph
    answers = {(q, d) for q, grades in DATASET.qrels.items() for d in grades if grades[d] == 2}
    freeze = next(label for label in ALL_LABELS if label.query_id == "q73")
    old = {judgment.doc_id for judgment in freeze.judgments if judgment.superseded}
    six = baselines.load_runs()
    assert all(run["q73"][0][0] in old for run in six.values()) and len(six) == 6
    two = {
        "raw": RankBM25(DATASET.corpus, plain).search(DATASET.queries, k=10),
        "stems": CsrBM25(DATASET.corpus, lucene_english).search(DATASET.queries, k=10),
    }
    facts = {
        "session_1.md": [
            f"How many of the {len(DATASET.corpus)} pages",
            f"| {len(killed)} pages, and for a checkout",
            f"| {missed(answers, two):.0%}, and of six engines {missed(answers, six):.0%} |",
            f"2 of {judged:,}",
        ]
    }
    chunks = chunk_corpus(DATASET.corpus, partial(chunk_fixed, encoding=cl100k))
    terms = {chunk.chunk_id: plain(chunk.text) for chunk in chunks}
    run = RankBM25(to_corpus(chunks), plain).search(DATASET.queries, k=10_000)
    best = terms[run["q10"][0][0]]
    df, tf = sum("2001" in words for words in terms.values()), best.count("2001")
    avgdl, idf = sum(map(len, terms.values())) / len(terms), log((len(terms) - df + 0.5) / (df + 0.5))
    part = idf * tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * len(best) / avgdl))
    ranks = first_relevant_ranks(to_documents(run), DATASET.qrels)
    tail = cl100k.encode(" tick" * 500)[462:]
    facts["session_2.md"] = [
        f"2 chunks, the second with {len(tail)} tokens",
        f"N = {len(terms)}, df = {df}, tf = {tf}, dl = {len(best)}, avgdl = {avgdl:.1f}, so the idf is "
        f"{idf:.4f}",
        f"2001 with {part:.4f}",
        f"Median rank of the first relevant page? | {median(ranks.values()):g}, with",
    ]
    for page, said in facts.items():
        for fact in said:
            assert fact in PAGES[page], fact


def printed() -> list[float]:
    """All numbers with decimals that the notebooks' cells have printed."""
    outputs = [
        cell.outputs for notebook in NOTEBOOKS.values() for cell in notebook.cells if cell.cell_type == "code"
    ]
    return [
        float(text) for text in re.findall(r"(?<![\w.])\d+\.\d+", json.dumps(outputs).replace("\\n", " "))
    ]


RECOMPUTED = {  # in a test above
    "labelling_in_pairs.md": {"0.75", "0.62", "0.47", "0.67", "0.31", "0.92", "0.55"},
    "discussion.md": {"0.62", "0.0973", "0.0482", "2.0", "0.7452", "0.7409", "0.5917", "0.5717"},
    "rubric.md": {"0.0054", "0.0238", "0.5917", "0.5717", "0.7452", "0.7409"},
}
MADE_UP = {
    "discussion.md": {"0.71", "0.6"},
    "labelling_in_pairs.md": {"0.9"},
}  # of systems and people that do not exist


@pytest.mark.parametrize("page", sorted(set(PAGES) - {"real_work.md"}))  # its figures: test_real_work.py
def test_every_decimal_was_printed_by_a_cell_of_the_course_or_is_computed_here(page):
    prose = re.sub(
        r"```.*?```|\b[bk]₁?1? = [\d.]+|\b\d+\.\d+\.\d+\b|\bPython \d\.\d+", "", PAGES[page], flags=re.S
    )
    quoted = (
        set(re.findall(r"(?<![\w.-])\d+\.\d+", prose))
        - RECOMPUTED.get(page, set())
        - MADE_UP.get(page, set())
    )
    values = printed()
    strange = [q for q in quoted if not any(f"{value:.{len(q.split('.')[1])}f}" == q for value in values)]
    assert not strange if page != "setup.md" else set(strange) <= {"3.10", "3.11", "3.12"}
