"""The numbers that we print: reproduced from raw text, stored once, and quoted nowhere in another form."""

import importlib
import json
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from course import runner
from helpers import datasets
from helpers.base import files
from helpers.evaluation import results
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.retrieval.retrievers import CsrBM25

pytestmark = pytest.mark.offline_too

README = (files.ROOT / "README.md").read_text(encoding="utf-8")
LESSONS = runner.find_lessons()
STORED = {path.stem: results.load_results(path) for path in sorted(files.STORED_RESULTS.glob("*.json"))}


def rounded(evaluation, *names):
    return [round(evaluation[name], 4) for name in names]


def test_anserinis_bm25_comes_out_to_four_decimals(scifact):
    run = CsrBM25(scifact.corpus, lucene_lengths=True).search(scifact.queries, k=1000)
    found = evaluate_retrieval(run, scifact.qrels, k_values=(10, 100, 1000))
    assert rounded(found, "nDCG@10", "Recall@100", "Recall@1000") == [0.6789, 0.9253, 0.9767]
    assert datasets.published("scifact", "BM25 (Anserini, flat)") == {
        "nDCG@10": 0.6789,
        "Recall@100": 0.9253,
        "Recall@1000": 0.9767,
    }


def test_the_published_figures_do_not_depend_on_the_order_of_ties(scifact):
    # The lesson says so, lest the agreement be taken as proof of the rule for ties.
    deep = CsrBM25(scifact.corpus, lucene_lengths=True).search(scifact.queries, k=len(scifact.corpus))
    other_way = {
        q: sorted(results, key=lambda pair: (-pair[1], pair[0]))[:1000] for q, results in deep.items()
    }
    assert any(other_way[q] != results[:1000] for q, results in deep.items())
    run = {
        q: [(doc_id, -float(rank)) for rank, (doc_id, _) in enumerate(results)]
        for q, results in other_way.items()
    }
    found = evaluate_retrieval(run, scifact.qrels, k_values=(10, 100, 1000))
    assert rounded(found, "nDCG@10", "Recall@100", "Recall@1000") == [0.6789, 0.9253, 0.9767]


def test_rank_bm25_gives_what_others_measured_with_it(scifact, rank_bm25_on_scifact):
    found = evaluate_retrieval(rank_bm25_on_scifact, scifact.qrels, k_values=(10, 100))
    assert rounded(found, "nDCG@10", "Recall@100", "MAP", "MRR") == [0.6519, 0.8731, 0.6136, 0.6236]


def test_stored_results_are_those_of_scifact_and_none_of_them_is_a_published_figure():
    rows = STORED["04_sparse_retrieval"]
    assert {(row["dataset"], row["documents"], row["queries"]) for row in rows} == {("scifact", 5183, 300)}
    assert [bool(row["published"]) for row in rows] == [False] * 6 + [True]


def test_readme_shows_the_gains_that_lesson_08_measured():
    rows = re.findall(r"^\| [^|]+, (\d+) [^|]+ \| ([^|]+) \| ([^|]+) \|$", README, re.M)
    cells = nbformat.read(files.ROOT / "notebooks" / "08_hybrid_and_reranking.ipynb", 4).cells
    (printed,) = [cell.outputs[0].text for cell in cells if "decide(row, interval" in cell.source]
    measured = re.findall(r"(?:dense|hybrid) +(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+)", printed)
    quoted = [re.findall(r"[+-][\d.]+", cell.replace("−", "-")) for row in rows for cell in row[1:]]
    assert len(quoted) == 6
    assert [[float(x) for x in cell] for cell in quoted] == [[float(x) for x in row] for row in measured]
    assert [n_queries for n_queries, *_ in rows] == ["79", "300", "40"]


def test_the_baseline_is_quoted_as_it_was_measured():
    (row,) = [row for row in STORED["02_chunking_and_bm25"] if row["system"].endswith("; fixed 512/50")]
    sentence = (
        f"BM25 baseline: nDCG@10 = {row['metrics']['nDCG@10']:.4f}, MRR = {row['metrics']['MRR']:.4f}, "
        f"median rank of the first relevant document = {row['median first relevant rank']:g}"
    )
    quoting = [files.ROOT / "README.md", files.ROOT / "notebooks" / "02_chunking_and_bm25.ipynb"]
    for path in [*quoting, files.ROOT / "evals" / "retrieval_eval.ipynb"]:
        assert sentence in path.read_text(encoding="utf-8"), path


def test_the_sizes_of_the_runbooks_are_quoted_as_they_are(runbooks):
    judgments = sum(map(len, runbooks.qrels.values()))
    sizes = (
        f"{len(runbooks.corpus)} pages",
        f"{len(runbooks.queries)} labelled queries",
        f"{judgments:,} judgments",
    )
    readme = (files.ROOT / "README.md").read_text(encoding="utf-8")
    assert not [size for size in sizes if size not in readme]
    assert sizes[0] in (files.ROOT / "evals" / "README.md").read_text(encoding="utf-8")
    for name in ("01_corpus_and_labels", "02_chunking_and_bm25"):
        prose = (files.ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
        assert f"{len(runbooks.corpus)} documents, 30 queries, {judgments:,} judgments" in prose


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_every_decimal_in_a_lessons_prose_was_printed_by_one_of_its_cells(lesson):
    notebook = nbformat.read(lesson, 4)
    outputs = json.dumps([cell.outputs for cell in notebook.cells if cell.cell_type == "code"])
    values = [float(text) for text in re.findall(r"(?<![\w.])\d+\.\d+", outputs)]
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    # Formulas, calls in tasks (run elsewhere), made-up systems in questions: none of them is printed.
    prose = re.sub(r"\$\$.*?\$\$|```.*?```|### Check yourself.*?(?=## Appendix|\Z)", "", prose, flags=re.S)
    prose = re.sub(r"\b(k₁|b) = [\d.]+", "", prose)
    quoted = re.findall(r"(?<![\w.])0\.\d{2,4}(?![\d%])", prose)
    assert quoted
    strange = [q for q in quoted if not any(f"{value:.{len(q) - 2}f}" == q for value in values)]
    assert not strange


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_stored_as_one_clean_run(lesson):
    notebook = nbformat.read(lesson, 4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        assert not any(o.get("name") == "stderr" or o.output_type == "error" for o in cell.outputs)
        assert max(map(len, cell.source.splitlines())) <= 100, cell.source
    assert not re.search(r"/(home|root|tmp|work|Users)/", lesson.read_text(encoding="utf-8"))
    headings = re.findall(
        r"^# ", "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown"), re.M
    )
    assert len(headings) == 1
    assert not any("- [ ]" in cell.source for cell in notebook.cells)  # JupyterLab's boxes have no label


def minutes_to_read(lesson):
    """Two hundred words a minute and a minute for each cell of code, half as much again to think: about what
    readers have taken."""
    notebook = nbformat.read(lesson, 4)
    is_exercise = re.compile(r"^## \d+ Exercises|^### Check", re.M).search
    starts = [i for i, cell in enumerate(notebook.cells) if is_exercise(cell.source)]
    cells = notebook.cells[: starts[0]]
    n_words = sum(len(cell.source.split()) for cell in cells if cell.cell_type == "markdown")
    return 1.5 * (n_words / 200 + sum(cell.cell_type == "code" for cell in cells))


def test_a_lesson_says_how_long_it_takes_and_the_readme_adds_it_up():
    said = {}
    for lesson in LESSONS[:-1]:
        opening = nbformat.read(lesson, 4).cells[0].source
        said[lesson.name] = int(re.search(r"\*\*Takes\*\* about (\d+) minutes", opening)[1])
        assert said[lesson.name] == pytest.approx(minutes_to_read(lesson), abs=10), lesson.name
    for row in re.findall(r"^\| \d\d .*$", README, re.M):
        minutes = sum(said[name] for name in re.findall(r"notebooks/(\w+\.ipynb)", row))
        assert f"| {minutes} + " in row
    both = re.findall(r"\| (\d+) \+ (\d+) \|", README)
    assert f"Some {sum(int(a) + int(b) for a, b in both) / 60:.0f} hours" in README


def test_the_conventions_lab_shows_what_the_tools_themselves_gave():
    (row,) = STORED["03_metrics"]
    lab = row["one run, eight nDCG@10"]
    measured = json.loads(
        (files.ROOT / "evals" / "benchmarks" / "conventions.json").read_text(encoding="utf-8")
    )
    # The eighth, the discount of 2002, comes from a function of the lesson.
    assert {found["choice"] for found in measured} == lab.keys() - {"discount"}
    for found in measured:
        stated = pytest.approx(lab[found["choice"]], abs=5e-6)  # beir rounds to 5 decimals
        assert found["nDCG@10"] == stated, found["tool"]
    assert len(set(lab.values())) == 8


def test_each_choice_of_the_lab_has_a_row_in_the_table_by_which_to_find_it():
    cells = nbformat.read(files.ROOT / "notebooks" / "03_metrics.ipynb", 4).cells
    (procedure,) = [cell.source for cell in cells if "### Two numbers differ" in cell.source]
    rows = "; ".join(line.split("|")[1].strip() for line in procedure.splitlines() if line.startswith("| "))
    (stored,) = STORED["03_metrics"]
    assert stored["one run, eight nDCG@10"].keys() - {"nothing"} <= set(rows.split("; "))


def test_lesson_04_says_of_reranking_what_lesson_08_measured():
    prose = (files.ROOT / "notebooks" / "04_sparse_retrieval.ipynb").read_text(encoding="utf-8")
    said = "Replacing BM25's order by MiniLM's shows no gain there; adding the two scores gains about 0.05."
    assert said in prose
    measured = json.loads((files.ROOT / "evals" / "benchmarks" / "dense_quality.json").read_text())
    systems = measured["reranking"]["systems"]
    by_cosine, by_both = systems["first 100 by cosine"], systems["first 100 by both scores, z, alpha 0.5"]
    assert by_cosine["nDCG@10"] < systems["BM25"]["nDCG@10"] and by_cosine["low"] < 0 < by_cosine["high"]
    assert round(by_both["nDCG@10"] - systems["BM25"]["nDCG@10"], 2) == 0.05 and by_both["low"] > 0


def _benchmark(name: str):
    """One of the scripts in evals/benchmarks, which import one another by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(files.ROOT / "evals" / "benchmarks")
        return importlib.import_module(name)


def test_the_benchmarks_page_is_made_of_its_measurements_and_keeps_what_was_asked_of_it():
    folder = files.ROOT / "evals" / "benchmarks"
    benchmark = _benchmark("metrics")
    found = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert (folder / "metrics.md").read_text(encoding="utf-8") == benchmark.table(found)
    for shape, tools in found["shapes"].items():
        at_most = 0.2 if shape.startswith("6,980") else 1
        assert tools["Measure First"]["ratio to pytrec_eval"] <= at_most, shape
        assert tools["Measure First"]["peak MiB"] < 512
        assert max(row["largest difference of a mean"] for row in tools.values()) < 1e-9


def test_the_retrieval_benchmark_is_made_of_its_measurements_and_keeps_what_was_asked_of_it():
    folder = files.ROOT / "evals" / "benchmarks"
    found = json.loads((folder / "retrieval.json").read_text(encoding="utf-8"))
    benchmark = _benchmark("retrieval")
    assert (folder / "retrieval.md").read_text(encoding="utf-8") == benchmark.table(found)

    def rate(size, system, k="100"):
        return size["systems"][system]["queries per second"][k]

    sizes = {size["documents"]: size for size in found["sizes"]}
    million, hundred_thousand = sizes[1_000_000], sizes[100_000]
    assert rate(million, "Measure First, compiled") >= 2 * rate(million, "bm25s, numba")
    assert rate(million, "Measure First, SciPy") >= 10 * rate(million, "bm25s, numpy")
    assert rate(hundred_thousand, "Measure First, SciPy") >= 100 * rate(hundred_thousand, "rank-bm25")
    for size in (million, hundred_thousand):
        ours, theirs = size["systems"]["Measure First, compiled"], size["systems"]["bm25s, numba"]
        assert ours["build seconds"] <= theirs["build seconds"]
        assert ours["bytes a posting"] < 12
    for engine in ("compiled", "SciPy"):
        row = million["systems"][f"Measure First, {engine}"]
        assert row["memory queries"] == 6980 and row["search MiB"] < 1024
        assert row["same document at the same rank"] == 1 and row["largest difference of a score"] == 0
    rows = [row for size in found["sizes"] for row in size["systems"].values()]
    assert max(row.get("largest difference of a score", 0) for row in rows) < 1e-4
    paths = found["path"]["paths"]
    assert paths["Measure First"]["in one process"] <= paths["bm25s and pytrec_eval"]["in one process"]


def test_the_roofline_page_is_made_of_its_measurements_and_what_is_kept_is_faster():
    folder = files.ROOT / "evals" / "benchmarks"
    found = json.loads((folder / "roofline.json").read_text(encoding="utf-8"))
    benchmark = _benchmark("roofline")
    assert (folder / "roofline.md").read_text(encoding="utf-8") == benchmark.table(found)
    assert found["rounds"] >= 5
    for documents in (1_000_000, 8_841_823):
        rows = [row["microseconds"] for row in found["searches"] if row["documents"] == documents]
        for which in ("seconds", "fastest"):
            faster = [row[benchmark.BEFORE][which] / row[benchmark.KEPT][which] for row in rows]
            assert np.median(faster) >= 1.5 and min(faster) > 1
            for name in found["tried"]:
                assert np.median([row[name][which] / row[benchmark.KEPT][which] for row in rows]) > 1, name


def test_the_roofline_counts_the_postings_that_no_order_of_impact_saves():
    # Contributions 6, 4 and 2 of one term, 2 and 1 of the other. After the 6 an unread document scores at
    # most 4 + 2, after the 4 at most 2 + 2, after both of 2 at most 1.
    query = np.array([0, 2]), np.array([0, 1]), np.array([2, 1], np.float32)
    lists = np.array([0, 3, 5]), np.arange(5), np.array([3, 2, 1, 2, 1], np.float32)
    share = _benchmark("roofline").impact_order
    assert share(query, lists, np.array([7])) == 1 / 5
    assert share(query, lists, np.array([4.5])) == 2 / 5
    assert share(query, lists, np.array([4])) == 4 / 5


def test_the_second_half_of_lesson_04_reads_the_benchmark_as_it_is_stored():
    prose = "\n".join(
        cell.source
        for cell in nbformat.read(files.ROOT / "notebooks" / "04_which_bm25_pitfalls_speed.ipynb", 4).cells
        if cell.cell_type == "markdown"
    )
    found = json.loads((files.ROOT / "evals" / "benchmarks" / "retrieval.json").read_text(encoding="utf-8"))
    (million,) = [size for size in found["sizes"] if size["documents"] == 1_000_000]
    rates = {name: row["queries per second"]["100"] for name, row in million["systems"].items()}
    times = {name: rates["Measure First, compiled"] / rate for name, rate in rates.items()}
    assert f"{times['bm25s, numba']:.1f} times" in prose
    assert f"{times['bm25s, numpy']:.0f} times" in prose
    assert f"{times['matrix times dense query']:.0f} times" in prose
    assert f"{times['Measure First, SciPy']:.1f} times" in prose


def test_the_readme_has_each_command_on_one_line():
    lines = [line.strip() for line in (files.ROOT / "README.md").read_text().splitlines()]
    setup = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && .venv/bin/"
    assert lines.count(setup + "python -m course run") == 1
    assert lines.count(setup + "pytest") == 1


def documents():
    for path in [
        *files.ROOT.glob("*.md"),
        *files.ROOT.glob("evals/**/*.md"),
        *files.ROOT.glob("course/**/*.md"),
    ]:
        yield path, path.read_text(encoding="utf-8")
    for path in LESSONS:
        cells = nbformat.read(path, 4).cells
        yield path, "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@pytest.mark.parametrize(
    ("path", "text"), list(documents()), ids=lambda value: value.name if isinstance(value, Path) else ""
)
def test_relative_links_lead_somewhere(path, text):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_requirements_hold_all_that_the_package_declares():
    declared = re.search(
        r"^dependencies = \[(.*?)^\]", (files.ROOT / "pyproject.toml").read_text(), re.S | re.M
    )[1]
    required = (files.ROOT / "requirements.txt").read_text().splitlines()
    assert not [line for line in re.findall(r'"(.+?)"', declared) if line not in required]
