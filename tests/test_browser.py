"""The browser reads without script and style, takes no text for markup, is the same each time, and small."""

from html.parser import HTMLParser

import pytest

from helpers.base import files
from helpers.datasets.labels import load_labels
from helpers.failures.browser import browse
from helpers.failures.report import analyze
from helpers.failures.system import System
from helpers.records import Dataset
from helpers.retrieval.dense import LatentRetriever
from helpers.retrieval.retrievers import CsrBM25
from helpers.text.chunking import chunk_paragraphs

BM25 = System("BM25", CsrBM25)


@pytest.fixture(scope="module")
def labels(runbooks):
    return load_labels(files.QUERIES, runbooks.corpus)


@pytest.fixture(scope="module")
def report(runbooks, labels):
    return analyze(runbooks, BM25, labels)


@pytest.fixture(scope="module")
def paragraphs(runbooks, labels):
    return analyze(runbooks, System("BM25 over paragraphs", CsrBM25, chunk_paragraphs), labels)


@pytest.fixture(scope="module")
def html(report):
    return browse(report)._repr_html_()


@pytest.fixture(scope="module")
def page(html):
    return Outline(html)


@pytest.fixture(scope="module")
def pair_html(report, paragraphs):
    return browse(report, paragraphs)._repr_html_()


def toy(corpus, queries, qrels, system=BM25, **settings):
    return analyze(Dataset("toy", "test", corpus, queries, qrels, "by hand"), system, **settings)


PODS = {
    "d1": "pods pods pods memory",
    "d2": "pods of a long tale about many other things",
    "d3": "lunch",
    "d4": "noon",
}


class DocIdUp:
    """Finds every document with one score, the lower doc_id first."""

    def __init__(self, corpus):
        self.corpus = corpus

    def search(self, queries, k):
        return {query_id: [(doc_id, 1.0) for doc_id in sorted(self.corpus)][:k] for query_id in queries}


class Outline(HTMLParser):
    """The tags of a page, each with its attributes, and its text outside of script and style."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text, self.inside = [], "", ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside = tag

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside not in ("script", "style"):
            self.text += data

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def shown(*reports, **settings):
    return Outline(browse(*reports, **settings)._repr_html_())


def test_each_query_is_a_fold_of_its_own_with_kind_and_what_brings_its_misses_back(report, page, labels):
    folds = [attrs for attrs in page.all("details") if "data-query" in attrs]
    assert [fold["data-query"] for fold in folds] == [label.query_id for label in labels]
    assert [fold["data-kind"] for fold in folds] == [label.kind.replace("_", "-") for label in labels]
    for fold in folds:
        back_by = report.misses.loc[report.misses["query_id"] == fold["data-query"], "back by"]
        names = {name for several in back_by for name in several.split(" + ")}
        assert set(fold["data-back"].split("|")) == (names or {"nothing missed"})


def test_every_miss_is_shown_with_its_rank_after_each_change(report, page):
    assert 0 < sum("data-by" in attrs for attrs in page.all("details")) == len(report.misses)
    for row, back_by in report.misses["back by"].items():
        assert f"back by {back_by}" in page.text
        for name, rank in report.after.loc[row].items():
            assert f"{name}: {'not found' if rank == float('inf') else f'at rank {rank:.0f}'}" in page.text


def test_it_reads_without_script_and_without_style(page):
    assert not page.all("select")  # the script makes them, so that no box stands there that does nothing
    assert "grade 2" in page.text and "█" in page.text  # neither grades nor bars are colour alone


def test_a_found_document_is_shown_by_the_paragraph_that_has_the_words_of_the_query():
    corpus = {
        "d1": "pods pods pods pods",
        "d2": "The pod restarts.\n\nMemory of the pod ran out. Give it more.",
        "d3": "lunch",
        "d4": "pod",
        "d5": "unrelated",
    }
    report = toy(corpus, {"q1": "pods and memory"}, {"q1": {"d2": 1, "d1": 0}}, k=1)
    page = shown(report)
    assert "q1 pods and memory" in page.text and "first relevant at rank 1, 0 missed" in page.text
    assert "whole score" not in page.text
    assert "<mark>Memory</mark> of the <mark>pod</mark> ran out" in browse(report)._repr_html_()


def test_a_miss_has_a_ledger_against_the_document_above():
    report = toy(PODS, {"q1": "pods memory"}, {"q1": {"d2": 1}}, k=1)
    assert "Missed: d2 " in shown(report).text
    ledger = browse(report)._repr_html_().split("<table>")[2]
    assert ledger.startswith("<tr><th>Term<th>d1 (tf)<th>d2 (tf)<th>Lead<tr><td>memori<td>")
    assert "<td>pod<td>" in ledger and "(3)<td>" in ledger  # d1 has "pods" three times


def test_the_gravest_miss_and_the_best_answer_come_first():
    corpus = {"d1": "lunch", "d2": "noon", "d3": "pods"}
    text = shown(toy(corpus, {"q1": "pods"}, {"q1": {"d1": 1, "d2": 2}}, k=1)).text
    assert text.index("Missed: d2") < text.index("Missed: d1")
    assert text.index("d2 (grade 2)") < text.index("d1 (grade 1)") and "not judged" in text


def test_two_systems_stand_side_by_side(report, paragraphs, pair_html):
    page = Outline(pair_html)
    assert page.text.count("BM25 over paragraphs: nDCG@10") == 30
    assert len(page.all("section")) == 60
    assert sum("data-by" in attrs for attrs in page.all("details")) == len(report.misses) + len(
        paragraphs.misses
    )


@pytest.mark.parametrize("build", [LatentRetriever, DocIdUp])
def test_a_system_without_a_ledger_is_shown_without_one(build):
    page = shown(toy(PODS, {"q1": "pods memory"}, {"q1": {"d2": 1}}, System("no ledger", build), k=1))
    assert "Missed: " in page.text and "whole score" not in page.text
    assert page.all("mark")


def test_thirty_queries_take_some_two_hundred_kilobytes(html, pair_html):
    assert 100_000 < len(html.encode()) < 250_000
    assert len(html.encode()) < len(pair_html.encode()) < 350_000


def test_the_same_reports_give_the_same_output_and_others_another_id(report, html, pair_html):
    assert browse(report)._repr_html_() == html
    ids = [next(attrs["id"] for attrs in Outline(each).all("div")) for each in (html, pair_html)]
    assert ids[0] != ids[1]


def test_no_text_becomes_markup_or_ends_a_script():
    evil = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> & "quoted" |'
    corpus = {"d</details>": f"{evil} first\n\nthe pod", "d2": f"pod {evil}", "d3": "pod pod"}
    report = toy(corpus, {'q"><b>': f"pod {evil}"}, {'q"><b>': {"d</details>": 2, "d3": 1}}, k=1)
    page = shown(report)
    assert len(page.all("script")) == 1 and not page.all("img")
    assert [attrs["data-query"] for attrs in page.all("details") if "data-query" in attrs] == ['q"><b>']
    assert "<script>alert(1)</script>" in page.text
    script = browse(report)._repr_html_().split("<script>")[-1]
    assert "alert" not in script


def test_tables_have_headers_and_the_script_labels_its_boxes(html):
    assert html.count("<table>") == html.count("<table><tr><th>")
    assert 'document.createElement("label")' in html


def test_a_saved_page_stands_by_itself(report, html, tmp_path):
    path = browse(report).save(tmp_path / "pages" / "failures.html")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>") and html in text
    assert not any({"src", "href"} & attrs.keys() for _, attrs in Outline(text).tags)
    assert [path.name for path in path.parent.iterdir()] == ["failures.html"]


def test_queries_can_be_chosen(report):
    folds = [
        attrs["data-query"]
        for attrs in shown(report, queries=["q03", "q01"]).all("details")
        if "data-query" in attrs
    ]
    assert folds == ["q01", "q03"]
    assert "(chosen from 30)" in shown(report, queries=["q03"]).text


def test_of_many_queries_those_with_the_lowest_scores_are_shown():
    corpus = {f"d{n:03}": f"word{n}" for n in range(120)}
    qrels = {
        f"q{n:03}": {f"d{n if n >= 30 else (n + 1) % 30:03}": 1} for n in range(120)
    }  # the first thirty ask for another
    page = shown(toy(corpus, {f"q{n:03}": f"word{n}" for n in range(120)}, qrels))
    folds = [attrs["data-query"] for attrs in page.all("details") if "data-query" in attrs]
    assert len(folds) == 100 and set(folds) >= {f"q{n:03}" for n in range(30)}
    assert "of 120, those with the lowest nDCG@10" in page.text


def test_a_collection_without_labels_has_one_kind_and_no_quotes():
    page = shown(toy({"d1": "downtime", "d2": "outage"}, {"q1": "outage"}, {"q1": {"d1": 1}}))
    assert [attrs["data-kind"] for attrs in page.all("details") if "data-query" in attrs] == ["any kind"]
    assert not page.all("strong")


def test_a_document_that_the_corpus_lacks_is_missed_without_a_ledger():
    page = shown(toy(PODS, {"q1": "pods"}, {"q1": {"gone": 1}}, k=1))
    assert "not in the corpus" in page.text and "whole score" not in page.text


def test_a_query_that_retrieved_nothing_says_so():
    page = shown(
        toy(
            {"d1": "downtime", "d2": "lunch"},
            {"q1": "unheard", "q2": "lunch"},
            {"q1": {"d1": 1}, "q2": {"d2": 1}},
        )
    )
    assert "Nothing was retrieved." in page.text and "first relevant not found" in page.text


def test_two_systems_need_the_same_queries_judgments_and_k(report):
    other = toy({"d1": "a pod"}, {"q1": "pod"}, {"q1": {"d1": 1}})
    with pytest.raises(ValueError, match="'runbooks' and 'toy', whose queries differ"):
        browse(report, other)
    with pytest.raises(ValueError, match="'toy' and 'toy', whose qrels differ"):
        browse(other, toy({"d1": "a pod"}, {"q1": "pod"}, {"q1": {"d1": 2}}))
    with pytest.raises(ValueError, match="k = 10, the other k = 5"):
        browse(other, toy({"d1": "a pod"}, {"q1": "pod"}, {"q1": {"d1": 1}}, k=5))


@pytest.mark.parametrize(
    ("queries", "words"),
    [(["q99"], "'q99' is not among the 30 judged queries"), ("q01", r"one text; give a list .*\['q01'\]")],
)
def test_unknown_queries_are_refused(report, queries, words):
    with pytest.raises(ValueError, match=words):
        browse(report, queries=queries)


def saved_title(report, tmp_path):
    text = browse(report).save(tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.count("data-controls") == 2  # once in the body, once in its script
    return text.partition("<title>")[2].partition("</title>")[0]


@pytest.mark.parametrize("name", ["ANTIBODY", "BODY TITLE", "TITLE"])
def test_the_title_of_a_page_is_its_own_words_whatever_a_dataset_is_called(name, tmp_path):
    dataset = Dataset(
        name, "test", {"d1": "downtime", "d2": "outage"}, {"q1": "outage"}, {"q1": {"d1": 1}}, "by hand"
    )
    assert saved_title(analyze(dataset, BM25), tmp_path) == f"{name}, 1 query, k = 10: BM25"


def test_a_title_has_no_markup_and_one_line(tmp_path):
    name = "<style>#a{x:y}</style>toy\n <b>set</b> <script>alert(1)</script>a < b"
    dataset = Dataset(
        name, "test", {"d1": "downtime", "d2": "outage"}, {"q1": "outage"}, {"q1": {"d1": 1}}, "by hand"
    )
    assert saved_title(analyze(dataset, BM25), tmp_path) == "toy set a &lt; b, 1 query, k = 10: BM25"


def test_of_equal_documents_those_are_shown_that_the_misses_were_counted_by():
    dataset = Dataset(
        "toy", "test", {f"d{n:02}": "pod" for n in range(20)}, {"q1": "pod"}, {"q1": {"d01": 1}}, "by hand"
    )
    report = analyze(dataset, System("doc_id up", DocIdUp), k=3)
    html = browse(report)._repr_html_()
    assert "<tr><td>1<td>d19 " in html and "<tr><td>3<td>d17 " in html
    assert "first relevant at rank 19, 1 missed" in html
