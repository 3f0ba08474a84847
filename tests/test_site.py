"""The site: every lesson and page is in its contents, and what is done to a page before it is laid out."""

import doctest
import importlib.util
import json
import re
from fnmatch import fnmatch

import nbformat
import pytest

from helpers.base import files

SITE = files.ROOT / "site"


def module(name):
    """A module of the site's folder, which is no package."""
    spec = importlib.util.spec_from_file_location(f"site_{name}", SITE / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


pages, check, lab_data = module("pages"), module("check"), module("lab_data")
LESSONS = [files.ROOT / path for path in pages.documents() if path.match("notebooks/*.ipynb")]
DOCUMENTS = [path.with_suffix("").as_posix() for path in pages.documents()]
CONTENTS = (SITE / "index.md").read_text(encoding="utf-8").partition("<!-- contents -->")[2]
ENTRIES = re.findall(r"^(?![:`\n])(\S+)$", CONTENTS, re.M)
BELOW = [entry.lstrip("/") for entries in pages.CHILDREN.values() for entry in entries]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_page_stands_in_the_contents_once(name):
    own = [entry for entry in ENTRIES if fnmatch(name, entry)]
    below = [entry for entry in BELOW if fnmatch(name, entry) and entry.count("/") == name.count("/")]
    assert len(own) == 1 if name in pages.CHILDREN else len(own + below) == 1


def test_every_notebook_and_every_page_of_the_course_is_a_page_of_the_site():
    left_out = (
        "README.md",
        "notebooks/start.ipynb",
        "tests/",
        "workbench/projects/template",
        "course/real_work/",
        "evals/corpus/",
    )
    wanted = {
        path.relative_to(files.ROOT).with_suffix("").as_posix()
        for folder in ("notebooks", "evals", "course", "workbench", "helpers", ".")
        for ending in ("*.md", "*.ipynb")
        for path in (files.ROOT / folder).glob(ending if folder == "." else f"**/{ending}")
        if ".ipynb_checkpoints" not in path.parts
        and not path.relative_to(files.ROOT).as_posix().startswith(left_out)
    }
    assert wanted <= set(DOCUMENTS)


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(pages) == (0, 3)


def test_an_entry_of_the_contents_names_a_page():
    made = {"results", "api", *(f"interactive/{path.stem}" for path in SITE.glob("interactive/*.md"))}
    for entry in ENTRIES:
        assert any(fnmatch(name, entry) for name in made | set(DOCUMENTS)), entry


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_says_its_time_and_every_figure_is_described(path):
    name = path.relative_to(files.ROOT).with_suffix("").as_posix()
    prepared = json.loads(pages.prepared(name, path.read_text(encoding="utf-8"), files.ROOT))
    nbformat.validate(prepared)
    assert re.match(r"# .+\n\n\{\.facts\}\nAbout \d+ minutes", "".join(prepared["cells"][0]["source"]))
    for cell in prepared["cells"]:
        outputs = cell.get("outputs", [])
        if any("image/png" in output.get("data", {}) for output in outputs):
            assert cell["metadata"]["mystnb"]["image"]["alt"] == cell["metadata"]["alt"]
        if cell["cell_type"] == "markdown":
            assert not re.search(r"\]\((../README.md|start.ipynb)", "".join(cell["source"]))


def test_the_entry_of_a_term_leads_back_to_where_it_is_used():
    glossary = (files.ROOT / "GLOSSARY.md").read_text(encoding="utf-8")
    page = pages.with_back_links(glossary, pages.uses_of_terms())
    entry = page.partition("### BM25\n")[2].partition("\n### ")[0]
    assert (
        "Used in" in entry
        and "[BM25, taken apart](notebooks/02_chunking_and_bm25.ipynb#5-bm25-taken-apart)" in entry
    )


def test_the_page_of_a_room_has_every_name_of_its_door_and_their_examples():
    from helpers import stats

    page = pages.api_pages()["api/helpers.stats.md"]
    for name, value in pages._offered(stats).items():
        assert f"}} {name}(" in page and value.__doc__.partition("\n")[0] in page
    assert page.count("```pycon\n>>> ") > 25 and "normal_power(30, effect=0.1, deviation=0.2)" in page


def test_the_first_page_is_the_readme_with_the_pages_to_try_before_its_commands():
    readme = (files.ROOT / "README.md").read_text(encoding="utf-8")
    page = pages.home(readme, (SITE / "index.md").read_text(encoding="utf-8"))
    headings = re.findall(r"^## (.+)", page, re.M)
    assert headings.index("Try it here") + 1 == headings.index("Two commands")
    assert all(line in page for line in readme.splitlines())


def test_the_check_finds_a_dead_link_another_host_and_a_picture_without_words(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">1</a><a href="b.html#gone">2</a><a href="c.html">3</a><a href="https://a.example">4</a>'
        '<script src="https://cdn.example/x.js"></script><img src="p.png"><img src="p.png" alt="a curve">'
    )
    (tmp_path / "b.html").write_text('<h1 id="here">there</h1>')
    (tmp_path / "p.png").write_bytes(b"0" * 1_600_000)
    faults = "\n".join(check.check(tmp_path).faults)
    assert faults.count("\n") == 4
    for fault in (
        "b.html has no 'gone'",
        "c.html leads nowhere",
        "cdn.example",
        "not described",
        "at most 1,500,000",
    ):
        assert fault in faults


def test_the_lab_has_the_run_of_lesson_03_and_its_numbers():
    from helpers.evaluation import Conventions, evaluate_retrieval

    lab = lab_data.lab()
    stored = json.loads((files.STORED_RESULTS / "03_metrics.json").read_text(encoding="utf-8"))[0]
    values = stored["one run, eight nDCG@10"]
    choices = {"nothing": {}, "gain": {"gain": "exponential"}, "equal scores": {"ties": "as given"}}
    choices["missing query"] = {"missing_query": "left out"}
    run = {query: [tuple(pair) for pair in pairs] for query, pairs in lab["run"].items()}
    for name, chosen in choices.items():
        found = evaluate_retrieval(run, lab["qrels"], metrics=["nDCG@10"], conventions=Conventions(**chosen))
        assert found["nDCG@10"] == pytest.approx(values[name], abs=1e-6)
