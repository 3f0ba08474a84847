"""Queries and judgments of other tools come in, every loss named, and go out as others read them."""

import gzip
import json
import warnings
from collections import Counter
from math import comb

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.datasets import QUERY_KINDS, load_beir, trec
from workbench.commands.project_verbs import FORMATS as SHOWN_FORMATS
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.dataset_files import load_dataset
from workbench.exchange import (
    FORMATS,
    AskedQuery,
    as_qrels,
    as_run,
    bring_in_judgments,
    bring_in_queries,
    export_project,
    personal_data,
    read_judgments,
    read_queries,
    sample_searches,
    to_ir_measures_qrels,
    to_ir_measures_run,
    write_sheet,
)
from workbench.labelling import Labelling

PAGES = {
    "doors.md": "The key opens the door. Ask the porter for the key.",
    "lunch.md": "Soup is served at noon.\nThe cook makes the soup.",
    "rooms.md": "Book a room with the porter. The key hangs at the desk.",
}
QRELS = {"q01": {"doors.md": 2, "rooms.md": 1, "lunch.md": 0}, "q02": {"lunch.md": 2}}


@pytest.fixture
def lab(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "house" / "corpus", "house")
    corpus.add([SourceDocument(doc_id, doc_id[:-3].title(), text, doc_id) for doc_id, text in PAGES.items()])
    return Labelling(tmp_path / "house")


@pytest.fixture
def judged(lab):
    bring_in_queries(lab, [AskedQuery("where is the key"), AskedQuery("when is soup served")])
    bring_in_judgments(lab, QRELS, {("q01", "doors.md"): "The key opens"})
    return lab


# Queries


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("log.txt", "soup\nlost key\nSoup\n", [("soup", None, 2), ("lost key", None, 1)]),
        ("a.csv", "query,count\nsoup,7\n\"key, lost\",1\n", [("soup", None, 7), ("key, lost", None, 1)]),
        ("a.csv", "id;search_term\nt1;soup\nt2;key\n", [("soup", "t1", 1), ("key", "t2", 1)]),
        ("a.tsv", "qid\tquery\nt1\tsoup\n", [("soup", "t1", 1)]),
        ("queries.jsonl", '{"_id": "7", "text": "soup"}\n', [("soup", "7", 1)]),
        ("queries.jsonl", '{"query_id": "q9", "query": "soup", "frequency": 3}\n', [("soup", "q9", 3)]),
        ("access.log", '1.2.3.4 - - [x] "GET /search?q=lost+key&lang=en HTTP/1.1" 200\n'
                       '1.2.3.4 - - [x] "GET /style.css HTTP/1.1" 200\n'
                       '1.2.3.4 - - [x] "GET /search?q=Lost%20key HTTP/1.1" 200\n', [("lost key", None, 2)]),
    ],
)  # fmt: skip
def test_queries_are_read_once_each_with_how_often_they_were_asked(tmp_path, name, text, found):
    (tmp_path / name).write_text(text)
    read = [(query.text, query.query_id, query.frequency) for query in read_queries(tmp_path / name)]
    assert read == found


def test_the_parameter_of_a_log_that_holds_the_query_can_be_named(tmp_path):
    (tmp_path / "access.log").write_text('"GET /s?term=lost+key HTTP/1.1"\n"GET /s?q=1&term=soup HTTP/1.1"\n')
    assert [query.text for query in read_queries(tmp_path / "access.log", "term")] == ["lost key", "soup"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.txt", "\n \n", "holds no query"),
        ("a.csv", "what,when\nsoup,noon\n", "columns are what, when; name the one .* with --column"),
        ("a.csv", "query,count\nsoup,often\n", "line 2: 'often' is no number of searches"),
        ("a.jsonl", '{"query": 7}\n', "line 1: the query is 7|the query is none"),
        ("a.jsonl", '{"query": "soup"}\n{"quer\n', "line 2: not valid JSON"),
    ],
)  # fmt: skip
def test_a_file_without_queries_is_named_with_the_place(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=words):
        read_queries(tmp_path / name)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.integers(1, 60), st.integers(0, 99))
def test_a_sample_draws_each_search_at_most_once(counts, n, seed):
    log = [AskedQuery(f"query {i}", frequency=times) for i, times in enumerate(counts)]
    drawn = sample_searches(log, n, seed)
    assert sum(query.drawn for query in drawn) == min(n, sum(counts))
    assert all(1 <= query.drawn <= query.frequency for query in drawn)


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=8),
    st.integers(1, 300),
    st.integers(1, 300),
    st.integers(0, 99),
)
def test_a_larger_sample_of_one_log_with_one_seed_holds_the_smaller_one(counts, n, m, seed):
    log = [AskedQuery(f"query {i}", frequency=times) for i, times in enumerate(counts)]
    less, more = (
        {query.text: query.drawn for query in sample_searches(log, size, seed)} for size in sorted((n, m))
    )
    assert all(times <= more.get(text, 0) for text, times in less.items())


def test_each_search_of_a_log_and_each_pair_of_them_is_drawn_with_the_same_chance():
    log = [AskedQuery(text, frequency=times) for text, times in (("a", 1), ("b", 2), ("c", 4))]
    n_samples, seen = 6_000, Counter()
    rng = np.random.default_rng(5)
    for _ in range(n_samples):
        drawn = {query.text: query.drawn for query in sample_searches(log, 3, rng)}
        seen[tuple(drawn.get(text, 0) for text in "abc")] += 1
    chances = {
        (a, b, 3 - a - b): comb(1, a) * comb(2, b) * comb(4, 3 - a - b) / comb(7, 3)
        for a in range(2)
        for b in range(3)
    }
    assert seen.keys() == chances.keys()
    expected = [n_samples * chance for chance in chances.values()]
    assert scipy.stats.chisquare([seen[one] for one in chances], expected).pvalue > 0.01


def test_a_few_searches_of_a_log_of_billions_are_drawn_at_once():
    log = [AskedQuery("often", frequency=9 * 10**9), AskedQuery("seldom", frequency=10**9)]
    drawn = {query.text: query.drawn for query in sample_searches(log, 1_000)}
    assert sum(drawn.values()) == 1_000 and 860 < drawn["often"] < 940


def test_the_mean_over_drawn_searches_is_that_of_the_log_and_the_mean_over_queries_is_not():
    # One query is asked 90 times and found well, ten are asked once and are not found.
    log = [AskedQuery("often", frequency=90), *(AskedQuery(f"seldom {n}") for n in range(10))]
    worth = {query.text: float(query.text == "often") for query in log}
    means, plain = [], []
    for seed in range(400):
        drawn = sample_searches(log, 20, seed)
        means.append(np.average([worth[q.text] for q in drawn], weights=[q.drawn for q in drawn]))
        plain.append(np.mean([worth[q.text] for q in drawn]))
    assert np.mean(means) == pytest.approx(0.9, abs=0.01)
    assert np.mean(plain) < 0.5


def test_what_looks_like_personal_data_is_named_and_kept(lab):
    asked = ["mail from jo.doe@example.com", "call 0171 555 12 34", "from 10.0.0.7", "order 4711", "lost key"]
    assert [len(found) for found in personal_data(asked).values()] == [1, 1, 1]
    found = bring_in_queries(lab, [AskedQuery(text) for text in asked])
    assert "1 query looks as if it held an e-mail address: q01" in found.notes
    assert len(lab.questions()) == 5


def test_frequencies_are_kept_in_the_project(lab):
    bring_in_queries(lab, sample_searches([AskedQuery("soup", frequency=3), AskedQuery("key")], 4))
    kept = {one.query: (one.frequency, one.drawn) for one in Labelling(lab.folder).questions().values()}
    assert kept == {"soup": (3, 3), "key": (1, 1)}
    assert len(lab.labels()) == 2  # what labels are made of has no frequency


def test_a_query_that_is_there_is_not_added_again_and_an_id_is_never_given_twice(lab):
    lab.add_query("Lost key")
    found = bring_in_queries(lab, [AskedQuery("lost  KEY"), AskedQuery("soup", "t7"), AskedQuery("noon")])
    assert (found.added, found.known) == (2, 1)
    assert list(lab.questions()) == ["q01", "t7", "q02"]
    with pytest.raises(ValueError, match="'t7' is 'soup' in queries.jsonl, and 'tea' in those given; give"):
        bring_in_queries(lab, [AskedQuery("tea", "t7")])
    assert len(lab.questions()) == 3


# Judgments


def files_of(tmp_path):
    """The same judgments as each of the tools writes them."""
    trec.write_qrels(QRELS, tmp_path / "a.qrels")
    rows = [(q, doc_id, grade) for q, grades in QRELS.items() for doc_id, grade in grades.items()]
    (tmp_path / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "".join(f"{q}\t{d}\t{g}\n" for q, d, g in rows)
    )
    (tmp_path / "a.csv").write_text("query_id,doc_id,grade\n" + "".join(f"{q},{d},{g}\n" for q, d, g in rows))
    (tmp_path / "a.jsonl").write_text(
        "".join(json.dumps({"query_id": q, "doc_id": d, "grade": g}) + "\n" for q, d, g in rows)
    )
    (tmp_path / "hub.jsonl").write_text(
        "".join(json.dumps({"query-id": q, "corpus-id": d, "score": g}) + "\n" for q, d, g in rows)
    )
    return [tmp_path / name for name in ("a.qrels", "test.tsv", "a.csv", "a.jsonl", "hub.jsonl")]


def test_judgments_of_each_tool_are_the_same_judgments(tmp_path):
    for path in files_of(tmp_path):
        assert read_judgments(path)[0] == QRELS, path.name


def test_a_sheet_goes_out_is_filled_in_and_comes_back(judged, tmp_path):
    judged.add_query("porter")
    rows = judged.unread()
    path = write_sheet(tmp_path / "sheet.csv", rows)
    filled = path.read_text(encoding="utf-8-sig").splitlines()
    assert len([row for row in rows if row[0] == "q03"]) >= 2
    text = path.read_text(encoding="utf-8-sig").replace(",,\n", ",1,\n", 1)
    path.write_text(text, encoding="utf-8-sig")
    qrels, _ = read_judgments(path)
    assert sum(map(len, qrels.values())) == 1  # rows without a grade are not judged yet
    assert bring_in_judgments(judged, qrels).added == 1 and filled[0].startswith("query_id,query,doc_id")


def test_rows_that_end_before_the_grade_are_named_with_their_cells(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("query_id,doc_id,grade\nq01,d1,2\nq01\nq02,d1\n")
    with pytest.warns(
        UserWarning, match=r"2 rows end before the grade, line 3: 1 of 3 cells, line 4: 2 of 3"
    ):
        with pytest.raises(ValueError, match="line 3: no doc_id"):
            read_judgments(path)
    path.write_text("query_id,doc_id,grade\nq01,d1,2\nq01,d3\nq02,d1\n")
    with pytest.warns(UserWarning, match="were they cut"):
        assert read_judgments(path)[0] == {"q01": {"d1": 2}}


@pytest.mark.parametrize(
    ("qrels", "words"),
    [
        ({"t1": {"doors.md": 1}}, "1 of 2 queries are not here, e.g. 't1'; here are 'q01', 'q02'"),
        ({"q01": {"idx/doors.md": 1}}, "1 of 2 documents are not here, e.g. 'idx/doors.md'; here are"),
        ({"q02": {"doors.md": -1}}, "grades -1: say what .*that nobody judged, delete its lines"),
        ({"q02": {"doors.md": 3}}, "grades 3: say what they become, e.g. --grades 1=1 3=2"),
        ({"q01": {"doors.md": 0}}, "'q01', 'doors.md': grade 2, now 0"),
    ],
)  # fmt: skip
def test_judgments_that_have_no_counterpart_or_contradict_are_refused_whole(judged, qrels, words):
    before = judged.verdicts()
    with pytest.raises(ValueError, match=words):
        bring_in_judgments(judged, qrels | {"q02": {"rooms.md": 1} | qrels.get("q02", {})})
    assert judged.verdicts() == before


def test_other_grades_become_what_is_said(judged):
    found = bring_in_judgments(judged, {"q02": {"doors.md": 3, "rooms.md": -1}}, grades={3: 2, -1: 0})
    assert found.added == 2 and judged.verdicts()["q02", "doors.md"].grade == 2


def test_grades_that_are_words_become_what_is_said_and_are_all_named_where_nothing_is(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("query_id,doc_id,grade\nq01,d1,Yes\nq01,d2,partly so\nq01,d3,no\nq01,d4,2\n")
    words = {"yes": 2, "partly so": 1, "no": 0}
    assert read_judgments(path, words=words)[0] == {"q01": {"d1": 2, "d2": 1, "d3": 0, "d4": 2}}
    with pytest.raises(
        ValueError, match="line 3: grade 'partly so' .* --grades 'partly so=N' no=N .in Python"
    ):
        read_judgments(path, words={"yes": 2})
    with pytest.raises(
        ValueError, match="no judgment has the grade 'maybe'; .* has 'Yes', 'partly so', 'no'"
    ):
        read_judgments(path, words=words | {"maybe": 1})
    trec.write_qrels(QRELS, tmp_path / "a.qrels")
    with pytest.raises(ValueError, match="no judgment has the grade 'yes'"):
        read_judgments(tmp_path / "a.qrels", words={"yes": 2})


# The objects of peers


def test_pytrec_evals_dicts_and_the_tuples_of_ir_measures_come_and_go():
    run = {"q01": [("doors.md", 2.0), ("rooms.md", 1.0)]}
    assert as_qrels(QRELS) == QRELS and as_run({q: dict(found) for q, found in run.items()}) == run
    assert as_qrels(to_ir_measures_qrels(QRELS)) == QRELS and as_run(to_ir_measures_run(run)) == run
    with pytest.raises(ValueError, match="needed objects with query_id, doc_id and relevance"):
        as_qrels([("q01", "doors.md", 2)])


def test_ir_measures_takes_ours_and_ours_take_its(tmp_path):
    ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    run = {"q01": [("rooms.md", 2.0), ("doors.md", 1.0)], "q02": [("lunch.md", 1.0)]}
    measure = ir_measures.parse_measure("nDCG@10")
    theirs = ir_measures.calc_aggregate([measure], to_ir_measures_qrels(QRELS), to_ir_measures_run(run))
    from helpers.evaluation import evaluate_retrieval

    assert theirs[measure] == pytest.approx(evaluate_retrieval(run, QRELS)["nDCG@10"])
    trec.write_qrels(QRELS, tmp_path / "a.qrels")
    assert as_qrels(ir_measures.read_trec_qrels(str(tmp_path / "a.qrels"))) == QRELS


# Out again


def test_the_help_names_the_formats_that_there_are():
    assert SHOWN_FORMATS == FORMATS


def test_what_goes_out_comes_back_the_same(judged, tmp_path):
    for form in FORMATS:
        written = export_project(judged, form, tmp_path / form)
        assert all(path.is_file() for path in written), form
    assert trec.read_qrels(tmp_path / "trec" / "qrels.txt") == QRELS
    beir = load_beir("house", path=tmp_path / "beir")
    assert beir.qrels == QRELS and set(beir.corpus) == set(PAGES)
    assert read_judgments(tmp_path / "hub" / "qrels" / "test.jsonl")[0] == QRELS
    assert read_judgments(tmp_path / "csv" / "judgments.csv")[0] == QRELS
    rows = load_dataset(tmp_path / "biblicus" / "dataset.json").queries
    assert Counter(row.expected_item_id for row in rows) == Counter(["doors.md", "rooms.md", "lunch.md"])
    assert not (tmp_path / "biblicus" / "dataset.qrels").exists()
    with pytest.raises(ValueError, match="holds other files already"):
        export_project(judged, "trec", tmp_path / "trec")


def test_the_layout_of_the_hub_loads_with_the_hubs_own_library(judged, tmp_path):
    datasets = pytest.importorskip("datasets", reason="the library datasets is not installed")
    export_project(judged, "hub", tmp_path / "hub")
    for name, split, n in (("corpus", "corpus", 3), ("queries", "queries", 2), ("qrels", "test", 4)):
        cache = str(tmp_path / "cache")
        assert len(datasets.load_dataset(str(tmp_path / "hub"), name, split=split, cache_dir=cache)) == n


def test_biblicus_reads_the_export(judged, tmp_path):
    retrieval = pytest.importorskip("biblicus.evaluation.retrieval", reason="biblicus is not installed")
    export_project(judged, "biblicus", tmp_path / "out")
    assert len(retrieval.load_dataset(tmp_path / "out" / "dataset.json").queries) == 3


def test_the_grades_of_a_project_are_what_is_measured(judged, capsys):
    dataset = load_dataset(judged.export())
    assert dataset.judgments == QRELS
    path = judged.folder / "datasets" / "gold.qrels"
    assert trec.read_qrels(path) == QRELS
    path.write_text(path.read_text().replace("lunch.md 2", "lunch.md 0"))
    with pytest.raises(ValueError, match="gold.qrels beside it:\n.*rows and judgments differ for 'q02'"):
        load_dataset(judged.folder / "datasets" / "gold.json")


def test_the_mean_over_searches_counts_a_query_as_often_as_it_was_drawn(judged):
    from workbench.projects import measure_project
    from workbench.reports import over_searches

    found = measure_project(judged)
    report = next(iter(found.reports.values()))
    scores = {q: one.metrics["nDCG@10"] for q, one in report.per_query.items()}
    mean, low, high = over_searches(report.model_copy(update={"drawn": {"q01": 3, "q02": 1}}))
    assert mean == pytest.approx((3 * scores["q01"] + scores["q02"]) / 4) and low <= mean <= high
    assert over_searches(report) is None and not found.searches


def test_a_sheet_in_which_somebody_has_filled_in_grades_is_not_written_over(tmp_path):
    path = write_sheet(tmp_path / "sheet.csv", [("q1", "keys?", "a.md", "Doors", "text")])
    write_sheet(path, [("q1", "keys?", "a.md", "Doors", "text")])  # nothing is lost
    graded = path.read_text(encoding="utf-8-sig").replace("text,,", "text,2,")
    path.write_text(graded, encoding="utf-8")
    with pytest.raises(ValueError, match="holds grades \\(1\\) that would be lost; import it first"):
        write_sheet(path, [("q2", "soup?", "b.md", "Lunch", "text")])
    assert path.read_text(encoding="utf-8") == graded


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("text,,", "text,,Doors open", "holds entries \\(1 row\\)"),
        ("text,,", "text,,,ask Anna", "holds entries \\(1 row\\)"),
        (
            "grade,quote\nq1,keys?,a.md,Doors,text,,",
            "relevance,quote\nq1,keys?,a.md,Doors,text,1,",
            "entries",
        ),
    ],
)
def test_a_sheet_in_which_anything_is_filled_in_is_not_written_over(tmp_path, before, after, words):
    rows = [("q1", "keys?", "a.md", "Doors", "text")]
    path = write_sheet(tmp_path / "sheet.csv", rows)
    path.write_text(path.read_text(encoding="utf-8-sig").replace(before, after), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        write_sheet(path, rows)


@pytest.mark.parametrize("title", ["", "Doors"])
def test_a_row_that_shows_its_document_as_it_was_is_taken_with_a_warning(tmp_path, title):
    path = write_sheet(tmp_path / "sheet.csv", [("q1", "keys?", "a.md", title, "Ring the bell.")])
    path.write_text(path.read_text(encoding="utf-8-sig").replace("bell.,,", "bell.,2,"))
    with pytest.warns(UserWarning, match="1 row with a grade and another text .*: q1 a.md; read it again"):
        found = read_judgments(path, documents={"a.md": (title, "The key opens the door.")})
    assert found[0] == {"q1": {"a.md": 2}}


def test_a_long_text_that_a_sheet_cuts_is_that_of_its_document(tmp_path, recwarn):
    text = "The key = opens. " * 200
    path = write_sheet(tmp_path / "sheet.csv", [("q1", "keys?", "a.md", "", text)])
    path.write_text(path.read_text(encoding="utf-8-sig").replace('all",,', 'all",2,'))
    assert read_judgments(path, documents={"a.md": ("", text)})[0] == {"q1": {"a.md": 2}}
    assert not recwarn.list


def test_a_query_is_the_same_however_its_accents_are_encoded(lab, tmp_path):
    (tmp_path / "a.txt").write_text("T\u00fcr auf\nTu\u0308r auf\n", encoding="utf-8")
    assert [query.frequency for query in read_queries(tmp_path / "a.txt")] == [2]
    assert lab.add_query("T\u00fcr auf") == lab.add_query("Tu\u0308r auf")
    assert bring_in_queries(lab, [AskedQuery("Tu\u0308r auf")]).known == 1


def test_the_log_of_a_web_server_is_read_whatever_its_ending(tmp_path):
    (tmp_path / "a.csv").write_text(
        '1.2.3.4 - - [10/Oct/2026:13:55:36] "GET /search?q=lost+badge HTTP/1.1" 200\n'
    )
    assert [query.text for query in read_queries(tmp_path / "a.csv")] == ["lost badge"]


@pytest.mark.parametrize("form", FORMATS)
def test_judgments_that_no_longer_hold_are_named_and_left_out_but_of_tables(judged, tmp_path, form):
    corpus = judged.folder / "corpus" / "corpus.jsonl"
    kept = [line for line in corpus.read_text().splitlines() if "rooms.md" not in line]
    corpus.write_text("\n".join(kept) + "\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        export_project(Labelling(judged.folder), form, tmp_path / "out")
    where = "in judgments.csv all the same" if form == "csv" else "left out"
    said = f"1 judgment that no longer count {where}: q01 rooms.md (the document is gone)"
    assert said in [str(one.message) for one in caught]


@pytest.mark.parametrize("name", ["A.CSV", "A.CSV.GZ"])
def test_an_ending_in_capitals_is_the_same_ending(tmp_path, name):
    text = b'query\n"lost key, blue"\nsoup\n'
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("GZ") else text)
    assert [query.text for query in read_queries(tmp_path / name)] == ["lost key, blue", "soup"]


LOG = """
1.2.3.4 - - [x] "GET /s?q=key HTTP/1.1" 301 0
1.2.3.4 - - [x] "GET /s?q=key HTTP/1.1" 304 0
1.2.3.4 - - [x] "GET /s?q=key&page=1 HTTP/1.1" 200 9
1.2.3.4 - - [x] "GET /s?q=key&page=2 HTTP/1.1" 200 9
1.2.3.4 - - [x] "GET /s?q=key&start=10 HTTP/1.1" 200 9
1.2.3.4 - - [x] "GET /s?q=soup HTTP/1.1" 500 9
"""
W3C = """#Fields: date cs-uri-stem cs-uri-query sc-status
2026-11-22 /s q=key 200
2026-11-22 /s q=key&page=1 200
2026-11-22 /s q=key&page=2 200
2026-11-22 /s q=soup 500
"""


@pytest.mark.parametrize(
    ("log", "left"), [(LOG, {"301", "500", "(page)", "(start)"}), (W3C, {"500", "(page)"})]
)
def test_further_pages_redirected_requests_and_errors_are_no_searches_and_are_said(tmp_path, log, left):
    (tmp_path / "a.log").write_text(log)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = read_queries(tmp_path / "a.log")
    assert [(query.text, query.frequency) for query in found] == [("key", 2)]
    said = [str(one.message) for one in caught]
    assert len(said) == len(left) and all(any(why in one for one in said) for why in left)


def test_the_first_sample_counts_the_queries_that_were_here_before(lab):
    lab.add_query("Lost key")
    log = [AskedQuery("lost key", frequency=3), AskedQuery("soup")]
    found = bring_in_queries(lab, sample_searches(log, 4))
    assert (found.added, found.known) == (1, 1)
    note = "1 query that was here already is counted in this sample, with the frequency of this file: q01"
    assert found.notes == [note]
    kept = {one.query: (one.frequency, one.drawn) for one in Labelling(lab.folder).questions().values()}
    assert kept == {"Lost key": (3, 3), "soup": (1, 1)}
    assert "drawn again" in bring_in_queries(lab, sample_searches(log, 4)).notes[0]
    assert Labelling(lab.folder).questions()["q01"].drawn == 3


MONTH = [AskedQuery(f"query {n}", frequency=1 + n % 9) for n in range(60)]


def drawn_in(lab):
    return {one.query: (one.frequency, one.drawn) for one in Labelling(lab.folder).questions().values()}


def as_drawn(sample):
    return {query.text: (query.frequency, query.drawn) for query in sample}


def test_a_larger_sample_of_the_same_log_takes_the_place_of_the_one_here(lab):
    less, more = sample_searches(MONTH, 20), sample_searches(MONTH, 80)
    bring_in_queries(lab, less)
    ids = list(lab.questions())
    found = bring_in_queries(lab, more)
    assert drawn_in(lab) == as_drawn(more) and list(lab.questions())[: len(less)] == ids
    times = {query.text: query.drawn for query in less}
    grown = sum(query.drawn > times.get(query.text, 99) for query in more)
    new = len(more) - len(less)
    assert found.notes == [
        f"the sample of 20 searches is now one of 80: {new} queries more, {grown} known ones drawn again"
    ]
    assert (found.added, found.known) == (new, len(less))


def test_a_sample_that_grows_counts_queries_that_were_written_by_hand_and_misses_none_that_were_deleted(lab):
    less, more = sample_searches(MONTH, 20), sample_searches(MONTH, 80)
    times = {query.text for query in less}
    by_hand = next(query.text for query in more if query.text not in times)
    lab.add_query(by_hand.upper())
    bring_in_queries(lab, less)
    path = lab.folder / "queries.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    first, second = bring_in_queries(Labelling(lab.folder), more).notes
    assert first.startswith(f"the sample of {20 - less[-1].drawn} searches is now one of 80")
    assert second.startswith("1 query that was here already is counted in this sample") and "q01" in second
    found = {text.casefold(): counts for text, counts in drawn_in(lab).items()}
    assert found == as_drawn(more)


@pytest.mark.parametrize("n", [20, 7])
def test_the_same_sample_again_or_a_smaller_one_changes_nothing(lab, n):
    sample = sample_searches(MONTH, 20)
    bring_in_queries(lab, sample)
    found = bring_in_queries(lab, sample_searches(MONTH, n))
    assert drawn_in(lab) == as_drawn(sample) and found.added == 0
    (note,) = found.notes
    assert "drawn again and not counted again" in note
    assert note.endswith("is in the one before; for a larger one give the same log a larger --sample")


def test_a_sample_with_another_seed_stands_beside_the_first_until_that_one_is_extended(lab):
    bring_in_queries(lab, sample_searches(MONTH, 20))
    before = drawn_in(lab)
    found = bring_in_queries(lab, sample_searches(MONTH, 80, 7))
    assert drawn_in(lab).items() >= before.items()
    (note,) = found.notes
    assert "is as frequent as before: if both are of one log and only the --seed is another" in note
    cure = f"delete the last {found.added} lines of queries.jsonl, and import it with the seed of the first"
    assert cure in note and "as one file" not in note
    path = lab.folder / "queries.jsonl"  # as the note says
    path.write_text("".join(path.read_text().splitlines(keepends=True)[: -found.added]))
    lab = Labelling(lab.folder)
    assert "is now one of 80" in bring_in_queries(lab, sample_searches(MONTH, 80)).notes[0]


@pytest.mark.parametrize("n", [20, 80])
def test_a_sample_of_another_month_is_no_larger_one_of_this_log(lab, n):
    bring_in_queries(lab, sample_searches(MONTH, 20))
    before = drawn_in(lab)
    other = [AskedQuery(query.text, frequency=query.frequency + 1) for query in MONTH]
    notes = bring_in_queries(lab, sample_searches(other, n)).notes
    assert drawn_in(lab).items() >= before.items()
    assert "For one mean, import both logs as one file" in notes[0] and "seed" not in notes[0]
    assert not any("is now one of" in note for note in notes)


def test_a_table_of_queries_goes_out_with_whole_numbers_and_comes_back(judged, tmp_path):
    bring_in_queries(judged, sample_searches([AskedQuery("tea", frequency=12)], 3))
    export_project(judged, "csv", tmp_path / "out")
    assert "q03,tea,question,12,3\n" in (tmp_path / "out" / "queries.csv").read_text()
    found = read_queries(tmp_path / "out" / "queries.csv")
    assert [(query.frequency, query.drawn) for query in found] == [(1, None), (1, None), (12, 3)]


def test_a_frequency_with_a_zero_behind_the_point_is_whole(tmp_path):
    (tmp_path / "a.csv").write_text("query,count\nsoup,12.0\n")
    assert [query.frequency for query in read_queries(tmp_path / "a.csv")] == [12]


def test_an_address_that_somebody_searched_for_in_a_log_is_a_query(tmp_path):
    (tmp_path / "a.log").write_text('"GET /s?q=https%3A%2F%2Fa.org%2F%3Fb%3Dc HTTP/1.1" 200\n')
    with pytest.warns(UserWarning, match="1 query in the form of a request or an address"):
        assert [query.text for query in read_queries(tmp_path / "a.log")] == ["https://a.org/?b=c"]


def test_queries_may_come_one_by_one(lab):
    assert bring_in_queries(lab, (AskedQuery(text) for text in ("key", "soup"))).added == 2


def test_a_known_query_keeps_its_kind_and_that_is_said(lab):
    bring_in_queries(lab, [AskedQuery("key")])
    found = bring_in_queries(lab, [AskedQuery("Key", kind="paraphrase")])
    assert found.notes == [
        "1 query of another kind than before keep the old one: q01; to change it, write it in queries.jsonl"
    ]
    with pytest.warns(UserWarning, match="q01 is here already, as 'question', and keeps that kind"):
        assert lab.add_query(" KEY", kind="paraphrase") == "q01"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (({"q01": {"doors.md": float("nan")}},), "grade nan; needed a whole number; leave out what nobody"),
        (({"q01": {"doors.md": 3}}, {3: 2}), "quotes is {3: 2}; .*what grades become is grades="),
        (({"q01": {"doors.md": 3}}, None, {"3": 2}), r"grades is {'3': 2}; needed .*as {3: 2, -1: 0}"),
        (({"q01": {"doors.md": 3}},), "e.g. --grades 3=2; .*; in Python grades={3: 2}"),
    ],
)
def test_grades_that_are_none_are_told_in_the_words_of_python_too(judged, given, said):
    with pytest.raises(ValueError, match=said):
        bring_in_judgments(judged, *given)


def table(**columns):
    return pd.DataFrame({"qid": ["1", "2"], "docno": ["a", "b"]} | columns)


@pytest.mark.parametrize(
    ("give", "said"),
    [
        (
            lambda: as_qrels(table(qid=["1", None], label=[1, 1])),
            "row 1: qid is (None|nan); leave out rows",
        ),
        (lambda: as_qrels(table(docno=["a", np.nan], label=[1, 1])), "row 1: docno is nan; leave out rows"),
        (lambda: as_run(table(qid=[1.0, 2.0], score=[1, 1])), "row 0: qid is 1.0; .*dtype=str"),
        (lambda: as_qrels({"q": {"d": "high"}}), "query 'q', document 'd': grade 'high' is no number"),
        (lambda: as_qrels({"q": {"d": None}}), "grade is None, a gap"),
        (lambda: as_qrels({"q": {"d": pd.NA}}), "grade is <NA>, a gap"),
        (lambda: as_run({"q": {"d": "x"}}), "query 'q', document 'd': score 'x' is no number"),
        (lambda: as_run(table(score=[1, 2], system=["A", "B"])), r"2 systems \(system: 'A', 'B'\); give one"),
    ],
)
def test_gaps_floats_and_two_systems_in_a_peers_table_are_refused(give, said):
    with pytest.raises(ValueError, match=said):
        give()


def test_the_score_of_a_system_is_not_taken_for_a_grade_and_no_query_is_lost():
    assert as_qrels(table(score=[17.0, 3.0], label=[0, 2])) == {"1": {"a": 0}, "2": {"b": 2}}
    assert as_qrels(table(score=[1, 2])) == {"1": {"a": 1}, "2": {"b": 2}}  # as BEIR calls it
    assert as_qrels({"q": {"d": "2.0"}}) == {"q": {"d": 2}}
    assert as_run({"q1": {"d": 1.0}, "q2": {}}) == {"q1": [("d", 1.0)], "q2": []}


@pytest.mark.parametrize(
    ("queries", "said"),
    [(["key"], r"queries\[0\] is a str; needed an AskedQuery"), ([AskedQuery(np.nan)], "text is a float")],
)
def test_what_is_no_query_is_named(lab, queries, said):
    with pytest.raises(ValueError, match=said):
        bring_in_queries(lab, queries)


def with_page(lab, doc_id, text):
    """The project with another text of a page."""
    lab.corpus.add([SourceDocument(doc_id, doc_id[:-3].title(), text, doc_id)])
    return Labelling(lab.folder)


def test_a_judgment_that_no_longer_holds_is_replaced_by_the_one_of_a_sheet(judged):
    lab = with_page(judged, "doors.md", "A code opens the door.")
    assert list(lab.stale()) == [("q01", "doors.md")]
    again = bring_in_judgments(lab, {"q01": {"doors.md": 2}}, {("q01", "doors.md"): "The key opens"})
    assert lab.stale() and again.notes == [
        "quotes that are not in their documents are left out (1): q01 doors.md"
    ]
    found = bring_in_judgments(lab, {"q01": {"doors.md": 1}}, {("q01", "doors.md"): "A code opens"})
    assert (found.added, found.known) == (0, 1) and not lab.stale()
    assert found.notes == ["1 judgment that no longer held is replaced: q01 doors.md"]
    renewed = lab.verdicts()["q01", "doors.md"]
    assert (renewed.grade, renewed.quote, renewed.checksum) == (1, "A code opens", None)


def test_the_same_grade_given_again_confirms_a_judgment_for_the_text_of_now(judged, tmp_path):
    lab = with_page(judged, "rooms.md", "Rooms are booked online.")
    assert lab.changed() == [("q01", "rooms.md")]
    found = bring_in_judgments(lab, {"q01": {"rooms.md": 1, "lunch.md": 0}})
    assert (found.added, found.known) == (0, 2) and not lab.changed()
    assert found.notes == ["1 judgment was confirmed for the text of now: q01 rooms.md"]
    assert bring_in_judgments(lab, {"q01": {"rooms.md": 1}}).notes == []


def test_a_judgment_of_the_text_of_now_replaces_one_of_another_text_and_no_other(judged):
    lab = with_page(judged, "rooms.md", "Rooms are booked online.")
    found = bring_in_judgments(lab, {"q01": {"rooms.md": 0, "lunch.md": 0}})
    assert found.notes == ["1 grade of an earlier text replaced: q01 rooms.md (1, now 0)"]
    assert lab.verdicts()["q01", "rooms.md"].grade == 0 and not lab.before()
    with pytest.raises(ValueError, match="'q01', 'rooms.md': grade 0, now 1"):  # of the same text
        bring_in_judgments(lab, {"q01": {"rooms.md": 1}})
    path = lab.folder / "queries.jsonl"
    path.write_text(path.read_text().replace("where is the key", "who mends doors"))
    found = bring_in_judgments(lab, {"q01": {"rooms.md": 2, "doors.md": 2}, "q02": {"lunch.md": 2}})
    assert found.notes == [
        "1 grade of an earlier text replaced: q01 rooms.md (0, now 2)",
        "1 judgment was made for another wording, and given again for this one: q01 doors.md",
    ]
    assert lab.verdicts()["q01", "doors.md"].quote == "The key opens"  # which came without one
    assert list(lab.before()) == [("q01", "lunch.md")]
    with pytest.raises(ValueError, match="'q02', 'lunch.md': grade 2, now 0"):
        bring_in_judgments(lab, {"q01": {"lunch.md": 1}, "q02": {"lunch.md": 0}})


def test_a_grade_of_an_older_text_never_replaces_one_of_the_text_of_now(judged, tmp_path):
    (tmp_path / "old.jsonl").write_text((judged.folder / "judgments.jsonl").read_text())
    lab = with_page(judged, "rooms.md", "Rooms are booked online.")
    lab.judge("q01", "rooms.md", 0)
    found = bring_in_judgments(lab, *read_judgments(tmp_path / "old.jsonl", queries=to_queries_of(lab)))
    assert found.notes == ["1 grade of an earlier text left out, for that of now stays: q01 rooms.md"]
    assert lab.verdicts()["q01", "rooms.md"].grade == 0
    lab = with_page(lab, "rooms.md", "Rooms are booked by letter.")  # both are of another text
    with pytest.raises(ValueError, match="'q01', 'rooms.md': grade 0, now 1"):
        bring_in_judgments(lab, *read_judgments(tmp_path / "old.jsonl", queries=to_queries_of(lab)))


def test_a_sheet_shows_the_grade_of_another_text_and_is_written_over_once_it_was_imported(judged, tmp_path):
    lab = with_page(judged, "rooms.md", "Rooms are booked online.")
    path = tmp_path / "s.csv"

    def write():
        return write_sheet(path, lab.unread(), {("q01", "rooms.md"): (1, "")}, lab.before())

    write()
    row = "1, of another text of the page"
    assert row in path.read_text() and "before,grade,quote" in path.read_text()
    write()  # nothing was filled in, whatever the column says
    path.write_text(path.read_text().replace(f'"{row}",', f'"{row}",1'))
    with pytest.raises(
        ValueError, match=r"grades \(1\) that would be lost; import it first .*, or name another"
    ):
        write()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".* without a grade left out")
        qrels, quotes = read_judgments(path, queries=to_queries_of(lab))
    assert bring_in_judgments(lab, qrels, quotes).notes == [
        "1 judgment was confirmed for the text of now: q01 rooms.md"
    ]
    write()
    assert "before" not in path.read_text()


def test_a_row_that_shows_the_older_text_confirms_nothing(judged, tmp_path):
    write_sheet(tmp_path / "old.csv", [("q01", "where is the key", "rooms.md", "Rooms", PAGES["rooms.md"])])
    old = (tmp_path / "old.csv").read_text(encoding="utf-8-sig").replace("desk.,,", "desk.,1,")
    (tmp_path / "old.csv").write_text(old)
    lines = (judged.folder / "judgments.jsonl").read_text()
    (tmp_path / "old.jsonl").write_text(lines)
    lab = with_page(judged, "rooms.md", "Rooms are booked online.")
    pages = {doc_id: (page.title, page.text) for doc_id, page in lab.documents.items()}
    with pytest.warns(UserWarning, match="another text or title than the document has now"):
        qrels, quotes = read_judgments(tmp_path / "old.csv", documents=pages)
    assert bring_in_judgments(lab, qrels, quotes).notes == [] and lab.changed()
    qrels, quotes = read_judgments(tmp_path / "old.jsonl", documents=pages)
    assert bring_in_judgments(lab, qrels, quotes).notes == [] and lab.changed()
    (tmp_path / "now.csv").write_text(old.replace(PAGES["rooms.md"], "Rooms are booked online."))
    qrels, quotes = read_judgments(tmp_path / "now.csv", documents=pages)
    assert len(bring_in_judgments(lab, qrels, quotes).notes) == 1 and not lab.changed()


def test_a_quote_that_comes_later_is_kept_and_another_one_is_told(judged):
    pair = ("q01", "rooms.md")
    found = bring_in_judgments(judged, {"q01": {"rooms.md": 1}}, {pair: "The key hangs"})
    assert found.notes == ["1 judgment that had no quote has one now: q01 rooms.md"]
    found = bring_in_judgments(judged, {"q01": {"rooms.md": 1}}, {pair: "Book a room"})
    assert found.notes == ["1 judgment keeps its old quote, not the new one: q01 rooms.md"]
    assert judged.verdicts()[pair].quote == "The key hangs"


def test_a_quote_across_a_line_break_stands_in_its_document(judged):
    found = bring_in_judgments(judged, {"q02": {"lunch.md": 2}}, {("q02", "lunch.md"): "noon. The cook"})
    assert judged.verdicts()["q02", "lunch.md"].quote == "noon.\nThe cook" and len(found.notes) == 1
    path = judged.folder / "judgments.jsonl"
    path.write_text(path.read_text().replace(r"noon.\nThe", "noon. The"))
    assert not judged.stale()


def test_a_dataset_file_with_other_queries_of_the_same_ids_is_refused(judged, tmp_path):
    judged.export()
    gold = judged.folder / "datasets" / "gold.json"
    here = {"q01": "where is the key", "q02": "when is soup served"}
    assert read_judgments(gold, queries=here)[0] == QRELS
    with pytest.raises(ValueError, match="'q02' is 'lost badge' here") as error:
        read_judgments(gold, queries=here | {"q02": "lost badge"})
    assert "gold.json; is it the dataset of another project, or was a query reworded since?" in str(
        error.value
    )


def test_the_number_of_a_query_that_only_another_judge_judged_is_not_given_again(judged):
    judged.add_query("lost badge")
    judged.second("anna").judge("q03", "doors.md", 1)
    path = judged.folder / "queries.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    assert bring_in_queries(judged, [AskedQuery("salt")]).added == 1 and "q04" in judged.questions()


def test_an_id_that_has_judgments_of_another_query_is_refused_or_told(judged):
    path = judged.folder / "queries.jsonl"
    path.write_text("")
    with pytest.raises(
        ValueError, match="'q01' has judgments made for 'where is the key', and is 'lost badge'"
    ):
        bring_in_queries(judged, [AskedQuery("lost badge", "q01")])
    assert bring_in_queries(judged, [AskedQuery("Where is the key", "q01")]).notes == []
    path.write_text("")
    old = judged.folder / "judgments.jsonl"  # as they were before the query's text was kept
    old.write_text(old.read_text().replace('"query": "where is the key", ', ""))
    found = bring_in_queries(judged, [AskedQuery("lost badge", "q01")])
    assert found.notes[0].startswith(
        "1 new query has judgments already, by the id: q01; if they were made for"
    )


def test_judgments_of_queries_that_were_numbered_anew_do_not_count_for_others(judged):
    path = judged.folder / "queries.jsonl"
    path.write_text(path.read_text().replace("q01", "q00").replace("q02", "q01").replace("q00", "q02"))
    assert set(judged.stale().values()) == {
        "made for 'where is the key', which is q02 now",
        "made for 'when is soup served', which is q01 now",
    }
    assert not any(label.judgments for label in judged.labels())


def test_a_reworded_query_is_told_until_it_is_judged_again(judged):
    path = judged.folder / "queries.jsonl"
    path.write_text(path.read_text().replace("where is the key", "which key opens"))
    for _ in range(2):
        judged.export()
        assert judged.doubts()[0].startswith(
            "q01 is 'which key opens' in queries.jsonl, and was 'where is the key' when it was judged"
        )
    found = bring_in_judgments(judged, {"q01": QRELS["q01"]})
    assert judged.doubts() == [] and "made for another wording" in found.notes[0]


def test_a_page_that_shows_the_marks_of_git_does_not_spoil_its_sheet(tmp_path):
    text = "Mend it:\n<<<<<<< HEAD\nours\n=======\n>>>>>>> theirs\n"
    path = write_sheet(tmp_path / "sheet.csv", [("q1", "merge?", "git.md", "Git", text)])
    path.write_text(path.read_text(encoding="utf-8-sig").replace('",,', '",2,'))
    assert read_judgments(path) == ({"q1": {"git.md": 2}}, {})
    path.write_text("query_id,doc_id,grade\n<<<<<<< HEAD\nq1,git.md,2\n=======\n")
    with pytest.raises(ValueError, match="line 2: git could not merge two versions here"):
        read_judgments(path)


def test_a_query_that_was_reworded_is_named_as_a_cause_and_a_number_without_its_zeros_is_the_same(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("query_id,query,doc_id,grade\nq1,42,a.md,2\n")
    assert read_judgments(path, queries={"q1": "0042"})[0] == {"q1": {"a.md": 2}}
    with pytest.raises(ValueError, match=r"was a query reworded since \(then write its new text"):
        read_judgments(path, queries={"q1": "0043"})
    path.write_text("query_id,query_text,doc_id,grade\nq1,soup,a.md,2\n")
    with pytest.raises(ValueError, match="the query is 'soup', and 'q1' is 'key' here"):
        read_judgments(path, queries={"q1": "key"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.csv", "query_id,doc_id,grade,relevance\nq1,a.md,,2\n"),
        ("s.jsonl", '{"query_id": "q1", "doc_id": "a.md", "grade": null, "relevance": 2}\n'),
    ],
)
def test_a_grade_in_a_column_of_its_own_beside_an_empty_one_is_read(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.warns(UserWarning, match="'grade' is empty and 'relevance' taken for the grade"):
        assert read_judgments(tmp_path / name)[0] == {"q1": {"a.md": 2}}


def test_a_sheet_whose_grades_are_judged_already_is_written_over(tmp_path):
    rows = [("q1", "keys?", "a.md", "Doors", "Ring the bell.")]
    path = write_sheet(tmp_path / "sheet.csv", rows)
    path.write_text(path.read_text().replace(",,\n", ",2,the  bell\n"))
    for judged in ({}, {("q1", "a.md"): (1, "the bell")}, {("q1", "a.md"): (2, "")}):
        with pytest.raises(ValueError, match=r"holds grades \(1\) that would be lost"):
            write_sheet(path, rows, judged)
    write_sheet(path, rows, {("q1", "a.md"): (2, "the bell")})
    assert path.read_text().endswith(",,\n")


def test_a_text_in_place_of_an_id_and_a_path_of_windows_are_told_what_they_are(judged):
    with pytest.raises(
        ValueError, match="'where is the key' is the text of 'q01'; write the ids into a column"
    ):
        bring_in_judgments(judged, {"where is the key": {"doors.md": 2}})
    lab = with_page(judged, "guide/fire.md", "Call the brigade.")
    with pytest.raises(
        ValueError, match=r"would be 'guide/fire.md', written otherwise \(/ stands between folders"
    ):
        bring_in_judgments(lab, {"q01": {"guide\\fire.md": 2}})


def test_words_for_grades_are_taken_in_qrels_of_trec_too(tmp_path):
    (tmp_path / "y").write_text("q03 0 p4.md yes\nq03 0 p5.md no\nq04 0 p4.md 1\n")
    with pytest.raises(
        ValueError, match="y, line 1: grade 'yes' is not a whole number; .* --grades yes=N no=N"
    ):
        read_judgments(tmp_path / "y")
    found, _ = read_judgments(tmp_path / "y", words={"yes": 2, "no": 0})
    assert found == {"q03": {"p4.md": 2, "p5.md": 0}, "q04": {"p4.md": 1}}
    (tmp_path / "y").write_text("q03 0 p4.md 2.0\nq03 0 p5.md 0.0\n")
    assert read_judgments(tmp_path / "y")[0] == {"q03": {"p4.md": 2, "p5.md": 0}}


def test_a_text_that_a_spreadsheet_would_compute_goes_out_with_a_blank_before_it(judged, tmp_path):
    bring_in_queries(judged, [AskedQuery("=SUM(A1)")])
    export_project(judged, "csv", tmp_path / "out")
    assert '" =SUM(A1)"' in (text := (tmp_path / "out" / "queries.csv").read_text()) or " =SUM(A1)" in text
    assert [one.text for one in read_queries(tmp_path / "out" / "queries.csv")][-1] == "=SUM(A1)"


@pytest.mark.filterwarnings("error")
def test_nothing_is_said_against_a_table_that_a_project_wrote_itself(judged, tmp_path):
    bring_in_queries(judged, [AskedQuery("lost badge", frequency=7)])
    export_project(judged, "csv", tmp_path / "out")
    assert read_queries(tmp_path / "out" / "queries.csv")[-1].frequency == 7


@pytest.mark.parametrize("read", [as_run, as_qrels])
def test_a_column_that_comes_twice_in_a_peers_table_is_named(read):
    table = pd.DataFrame([["q", "d", 1, 2]], columns=["qid", "docno", "score", "score"])
    with pytest.raises(ValueError, match="the column 'score' comes 2 times; keep one"):
        read(table)


def test_two_systems_are_known_by_their_names_and_documents_may_have_names():
    rows = [("q", f"d{n}", float(n), system) for system in ("bm25", "dense") for n in range(3)]
    table = pd.DataFrame(rows, columns=["qid", "docno", "score", "name"])
    with pytest.raises(ValueError, match=r"2 systems \(name: .*as_run\(table.drop\(columns='name'\)\)"):
        as_run(table)
    named = pd.DataFrame([("q", f"d{n}", float(n), f"Page {n}") for n in range(9)], columns=table.columns)
    assert len(as_run(named)["q"]) == 9


def test_a_sheet_without_texts_is_compared_by_its_titles(tmp_path):
    path = tmp_path / "sheet.csv"
    pages = {"a.md": ("Doors", "Ring."), "b.md": ("Lunch", "At noon.")}
    path.write_text("query_id,doc_id,title,grade\nq1,a.md,Lunch,2\n")
    with pytest.raises(ValueError, match="the title is that of 'b.md', 'Lunch', and 'a.md' is 'Doors' here"):
        read_judgments(path, documents=pages)
    path.write_text("query_id,doc_id,title,grade\nq1,a.md,Our doors,2\n")
    with pytest.warns(
        UserWarning, match="1 row with a grade and another text or title than the document has"
    ):
        assert read_judgments(path, documents=pages)[0] == {"q1": {"a.md": 2}}


TEXTS = ["lost key", "soup at noon", "book a room", "ask the porter", "where is the desk", "who cooks"]


def numbered(texts):
    return {f"q{n:02d}": text for n, text in enumerate(texts, start=1)}


def sheet_of(texts, name="judgments.jsonl", rows_of=lambda n: 2 + n % 2):
    """Judgments of a project with these queries in this order, with rows and, as JSON lines, quotes."""
    pages = [*PAGES, "a.md", "b.md"]
    rows = [
        {"query_id": q, "query": text, "doc_id": pages[d], "grade": (n + d) % 3, "quote": f"{text} {d}"}
        for n, (q, text) in enumerate(numbered(texts).items())
        for d in range(rows_of(n))
    ]
    if name.endswith(".jsonl"):
        return "".join(json.dumps(row) + "\n" for row in rows)
    return pd.DataFrame(rows).to_csv(index=False)


def by_text(qrels, texts):
    names = numbered(texts)
    return {names[query_id]: grades for query_id, grades in qrels.items()}


@pytest.mark.parametrize("name", ["judgments.jsonl", "sheet.csv"])
def test_judgments_of_a_project_that_numbers_otherwise_go_by_the_texts_of_queries(tmp_path, name):
    path = tmp_path / name
    path.write_text(sheet_of(TEXTS, name))
    there = read_judgments(path, queries=numbered(TEXTS))
    here = ["who  cooks", "a new one", *[TEXTS[n].upper() for n in (3, 4, 2)], "lost key"]
    with pytest.warns(UserWarning, match="numbers its queries otherwise") as caught:
        qrels, quotes = read_judgments(path, queries=numbered(here))
    (said,) = [str(one.message) for one in caught if "otherwise" in str(one.message)]
    assert "matched by their texts are 12 judgments of 5 queries; left out are 3 judgments of 1 query" in said
    assert said.endswith("whose text is not here, as the file numbers them: q02")
    own = by_text(there[0], TEXTS)
    del own["soup at noon"]
    folded_here = [text.casefold().replace("  ", " ") for text in here]
    assert by_text(qrels, folded_here) == own
    assert {(numbered(folded_here)[q], quote) for (q, _), quote in quotes.items()} == {
        (quote[:-2], quote) for quote in there[1].values() if not quote.startswith("soup")
    }


@pytest.mark.filterwarnings("error")
def test_nothing_is_said_of_numbers_where_the_ids_are_those_of_here(tmp_path):
    for name in ("judgments.jsonl", "sheet.csv"):
        (tmp_path / name).write_text(sheet_of(TEXTS[:4], name))
        assert len(read_judgments(tmp_path / name, queries=numbered(TEXTS))[0]) == 4


@pytest.mark.parametrize("name", ["judgments.jsonl", "sheet.csv"])
@pytest.mark.parametrize(
    "here",
    [
        [*TEXTS[:5], "who is the cook"],  # one query was reworded
        [*TEXTS[:4], TEXTS[5], TEXTS[4]],  # two have changed places
        [f"{text}?" for text in TEXTS],  # none is here
    ],
)
def test_a_few_texts_that_differ_and_texts_of_which_none_is_here_are_refused(tmp_path, name, here):
    (tmp_path / name).write_text(sheet_of(TEXTS, name))
    with pytest.raises(ValueError, match="is it (the sheet )?of another project"):
        read_judgments(tmp_path / name, queries=numbered(here))


@pytest.mark.parametrize(
    "rows_of", [lambda n: 2 + n % 2, lambda n: 2, lambda n: 1], ids=["two or three", "two", "one"]
)
@pytest.mark.parametrize(("column", "ascending"), [("query", True), ("query", False), ("query_id", False)])
def test_a_sheet_of_which_one_column_was_sorted_alone_is_refused(tmp_path, rows_of, column, ascending):
    path = tmp_path / "sheet.csv"
    path.write_text(sheet_of(TEXTS, "sheet.csv", rows_of))
    table = pd.read_csv(path)
    moved = table[column].sort_values(ascending=ascending).tolist()
    table.assign(**{column: moved}).to_csv(path, index=False)
    with pytest.raises(ValueError, match="or were its rows moved"):
        read_judgments(path, queries=numbered(TEXTS))


def test_an_id_with_two_texts_of_which_another_id_has_one_is_not_matched_by_text(tmp_path):
    path = tmp_path / "judgments.jsonl"
    path.write_text(sheet_of(TEXTS).replace("who cooks", "lost key", 1))
    with pytest.raises(ValueError, match="is it of another project, was a query reworded"):
        read_judgments(path, queries=numbered(TEXTS[::-1]))


@pytest.mark.parametrize("here", [TEXTS[::-1], TEXTS], ids=["numbered otherwise", "numbered alike"])
def test_each_line_of_a_query_that_was_reworded_meanwhile_goes_by_its_own_text(tmp_path, here):
    path, old = tmp_path / "judgments.jsonl", "who was the cook"
    path.write_text(sheet_of(TEXTS).replace("who cooks", old, 1))  # in the first of its lines
    with pytest.warns(UserWarning, match="matched by their texts are 14 judgments of 6 queries") as caught:
        qrels, _ = read_judgments(path, queries=numbered(here))
    assert "as the file numbers them: q0" in str(caught[0].message) and f"('{old}')" in str(caught[0].message)
    assert sum(map(len, qrels.values())) == 14
    with pytest.warns(UserWarning, match="numbers its queries otherwise"):  # both wordings are queries here
        assert sum(map(len, read_judgments(path, queries=numbered([*here, old]))[0].values())) == 15


def test_a_line_without_its_text_goes_by_the_queries_beside_it_where_others_have_one(tmp_path):
    path = tmp_path / "judgments.jsonl"
    path.write_text(sheet_of(TEXTS) + '{"query_id": "q01", "doc_id": "z.md", "grade": 1}\n')
    records = [{"query_id": query_id, "query": text} for query_id, text in numbered(TEXTS).items()]
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    with pytest.warns(UserWarning, match="numbers its queries otherwise"):
        qrels, _ = read_judgments(path, queries=numbered(TEXTS[::-1]))
    assert qrels["q06"]["z.md"] == 1


def test_a_file_whose_grades_are_all_of_other_queries_is_refused(tmp_path):
    path = tmp_path / "judgments.jsonl"
    rows = [("q01", "lost key", ""), ("q02", "tea", 2)]
    path.write_text(
        "".join(
            json.dumps({"query_id": q, "query": text, "doc_id": "a.md", "grade": grade}) + "\n"
            for q, text, grade in rows
        )
    )
    with pytest.warns(UserWarning, match="1 row without a grade"):
        with pytest.raises(ValueError, match="has judgments of other queries alone, 1 judgment of 1 query"):
            read_judgments(path, queries={"q07": "lost key"})


def test_queries_that_are_known_by_their_texts_alone_are_told_to_get_ids(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("query,doc_id,grade\nlost key,a.md,2\nlost key,b.md,0\n")
    assert read_judgments(path, queries={"q07": "lost key"})[0] == {"lost key": {"a.md": 2, "b.md": 0}}


def test_the_dataset_of_a_project_that_numbers_otherwise_goes_by_the_texts_too(judged):
    judged.export()
    here = {"q01": "when is soup served", "q02": "lost badge", "q03": "where is the key"}
    with pytest.warns(UserWarning, match="matched by their texts are 4 judgments of 2 queries$"):
        found = read_judgments(judged.folder / "datasets" / "gold.json", queries=here)
    assert found == ({"q03": QRELS["q01"], "q01": QRELS["q02"]}, {})


# What a project exports, read into another one


def a_house(folder):
    corpus = CorpusFolder.init(folder / "corpus", "house")
    corpus.add([SourceDocument(doc_id, doc_id[:-3].title(), text, doc_id) for doc_id, text in PAGES.items()])
    return Labelling(folder)


def a_query(n):
    """Query n, as somebody may have asked it."""
    frequencies = st.integers(1, 99)
    drawn = frequencies.flatmap(lambda most: st.tuples(st.just(most), st.integers(1, most)))
    counts = drawn | st.tuples(frequencies, st.none())
    kind = st.none() | st.sampled_from(QUERY_KINDS)
    segment = st.none() | st.sampled_from(["how-to", "error codes"])
    return st.builds(
        lambda counts, kind, segment: AskedQuery(f"where is key {n}?", f"s{n:03}", *counts, kind, segment),
        counts, kind, segment,
    )  # fmt: skip


def asked(lab):
    """What a project knows of its queries; a frequency of 1 is as good as none."""
    return {
        one.query_id: (one.query, one.kind, one.frequency or 1, one.drawn, one.segment)
        for one in lab.questions().values()
    }


QUERIES_AND_JUDGMENTS = {
    "beir": ("queries.jsonl", "qrels/test.tsv"),
    "csv": ("queries.csv", "judgments.csv"),
    "hub": ("queries.jsonl", "qrels/test.jsonl"),
    "trec": ("topics.tsv", "qrels.txt"),
}


@settings(max_examples=15, deadline=None)
@pytest.mark.filterwarnings("error")
@given(data=st.data())
def test_a_project_that_is_exported_and_imported_is_the_same_project(data, tmp_path_factory):
    folder, n = tmp_path_factory.mktemp("there"), data.draw(st.integers(2, 5))
    lab, ids = a_house(folder / "here"), [f"s{number:03}" for number in range(n)]
    bring_in_queries(lab, [data.draw(a_query(number)) for number in range(n)])
    grades = st.dictionaries(st.sampled_from(sorted(PAGES)), st.integers(0, 2), min_size=1)
    bring_in_judgments(lab, {query_id: data.draw(grades) for query_id in ids})
    for form, (queries, judgments) in QUERIES_AND_JUDGMENTS.items():
        with warnings.catch_warnings():
            warnings.filterwarnings(
                "ignore", ".*(has no place for|read as ids and texts|as often as all others)"
            )
            export_project(lab, form, folder / form)
            other = a_house(folder / f"of {form}")
            bring_in_queries(other, read_queries(folder / form / queries))
        bring_in_judgments(other, read_judgments(folder / form / judgments)[0])
        kept = (
            asked(lab)
            if form != "trec"
            else {q: (one[0], "question", 1, None, None) for q, one in asked(lab).items()}
        )
        assert asked(other) == kept, form
        assert {pair: one.grade for pair, one in other.verdicts().items()} == {
            pair: one.grade for pair, one in lab.verdicts().items()
        }, form


def warned(call):
    """What a call gives, and what it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call()
    return found, [str(one.message) for one in caught]


def test_what_a_format_has_no_place_for_is_said_where_there_is_some(lab, tmp_path):
    bring_in_queries(lab, [AskedQuery("where is the key"), AskedQuery("when is soup served")])
    bring_in_judgments(lab, QRELS)
    for form in sorted({*FORMATS} - {"biblicus"}):  # which has no grades, and says so
        assert warned(lambda form=form: export_project(lab, form, tmp_path / form))[1] == [], form
    bring_in_queries(lab, sample_searches([AskedQuery("tea", frequency=12, kind="identifier")], 3))
    bring_in_judgments(lab, {"q03": {"lunch.md": 2}}, {("q03", "lunch.md"): "the soup"})
    for form in FORMATS:
        lost = (
            "kinds, frequencies, how often queries were drawn, quotes"
            if form in ("trec", "biblicus")
            else "quotes"
        )
        said = warned(lambda form=form: export_project(lab, form, tmp_path / f"{form} 2"))[1]
        told = f"{form} has no place for {lost}: they are in --format csv"
        assert (told in said) == (form != "csv"), (form, said)


def test_the_metadata_of_others_are_not_taken_for_ours(tmp_path):
    path = tmp_path / "queries.jsonl"
    record = {"_id": "q1", "text": "lost key"}
    for metadata, told in (
        ({}, []),
        ({"url": "a.org", "narrative": "…"}, []),
        ("of 2019", []),
        ({"kind": "opinion", "frequency": "weekly"}, ["kind 'opinion', frequency 'weekly'"]),
        ({"frequency": 3, "drawn": 4}, ["fields that are not read: 'drawn'"]),
    ):
        path.write_text(json.dumps(record | {"metadata": metadata}) + "\n")
        (found,), said = warned(lambda: read_queries(path))
        assert (found.kind, found.drawn) == (None, None) and len(said) == len(told), said
        assert all(one in said[0] for one in told), said


@pytest.mark.parametrize("drawn", ["yes", "2024-05-01", "9", "0"])
def test_a_column_called_drawn_that_counts_no_searches_is_not_read_and_that_is_said(tmp_path, drawn):
    (tmp_path / "a.csv").write_text(f"query,frequency,drawn\nlost key,3,{drawn}\nsoup,2,1\n")
    with pytest.warns(UserWarning, match="columns that are not read: 'drawn'"):
        assert [one.drawn for one in read_queries(tmp_path / "a.csv")] == [None, None]


def test_a_sample_of_a_sample_is_told_to_be_none_of_the_log():
    log = [AskedQuery("key", frequency=5), AskedQuery("soup", frequency=3)]
    drawn, said = warned(lambda: sample_searches(log, 6))
    assert not said
    with pytest.warns(UserWarning, match="a sample already, so a sample of them is none of the log"):
        sample_searches(drawn, 3)


TOPICS = "s001\thow do i create a key\ns002\twhen is soup served\ns004\tlunch\n"


@pytest.mark.parametrize(
    "text",
    [
        TOPICS,
        TOPICS.replace("s00", "30").replace("304", "303"),
        TOPICS.replace("s00", "TREC-2026."),
        TOPICS + "x1\tsalt\n",
    ],
)
def test_topics_without_a_heading_are_read_as_ids_and_texts_and_that_is_said(tmp_path, text):
    (tmp_path / "topics.tsv").write_text(text)
    found, said = warned(lambda: read_queries(tmp_path / "topics.tsv"))
    assert [(one.query_id, one.text) for one in found] == [
        tuple(row.split("\t")) for row in text.splitlines()
    ]
    assert len(said) == 1 and "topics.tsv: read as ids and texts without a heading" in said[0]


@pytest.mark.parametrize(
    "text",
    [
        "nr\tsuchtext\n" + TOPICS,
        "nr\tText der Anfrage\n" + TOPICS,
        "nr1\tText der Anfrage\n" + TOPICS,
        "0\t1\n1\tlost key\n2\twhere is lunch\n3\ttea\n",
        "120\treset password\n87\tlost badge\n12\tlunch menu\n",
        "10:00:01\treset password\n10:00:07\tlost badge\n10:01:00\tlunch menu\n",
        "s001\tpassword\ns002\tbadge\ns003\tlunch menu\n",
        TOPICS + "s001\twhere is it\n",
        TOPICS + "s009\twhere is it\t3\n",
        "d1\t" + "a long text of a page " * 20 + "\nd2\t" + "and of another one " * 20 + "\n",
        'q1\t"lost key"\nq2\t"where is lunch"\n',
        "reset\thow to reset\nbadge\twhere is my badge\n",
    ],
)  # fmt: skip
def test_two_columns_of_which_the_first_row_may_be_a_heading_are_refused(tmp_path, text):
    (tmp_path / "topics.tsv").write_text(text)
    with pytest.raises(ValueError):
        read_queries(tmp_path / "topics.tsv")


def test_a_table_with_a_heading_is_read_as_before(tmp_path):
    (tmp_path / "topics.tsv").write_text("qid\tquery\n" + TOPICS)
    found, said = warned(lambda: read_queries(tmp_path / "topics.tsv"))
    assert [one.query_id for one in found] == ["s001", "s002", "s004"] and not said


@pytest.mark.parametrize(
    ("frequencies", "n", "is_told"),
    [
        ([3, 1], None, True),
        ([1, 1], None, False),
        ([4, 4], None, False),
        ([3, 1], 3, False),
        ([5], None, False),
    ],
)
def test_queries_that_count_once_although_some_are_asked_more_often_are_told(lab, frequencies, n, is_told):
    queries = [AskedQuery(f"key {k}", frequency=times) for k, times in enumerate(frequencies)]
    notes = bring_in_queries(lab, sample_searches(queries, n) if n else queries).notes
    assert ["--sample N" in one and "counts once in the means" in one for one in notes] == [True] * is_told


def test_judgments_of_what_is_gone_are_left_out_where_that_is_allowed(judged):
    gone = {"q01": {"old.md": 2, "older.md": 0}, "q09": {"doors.md": 1}}
    last_year = gone | {"q02": {"rooms.md": 1, "doors.md": 0}}
    before = judged.verdicts()
    with pytest.raises(
        ValueError, match="leave out their judgments: --allow-unknown .in Python allow_unknown=T"
    ):
        bring_in_judgments(judged, last_year)
    assert judged.verdicts() == before
    found = bring_in_judgments(judged, last_year, allow_unknown=True)
    assert (found.added, found.known, len(found.notes)) == (2, 0, 1)
    assert found.notes[0].startswith(
        "3 judgments left out: 1 of 3 queries are not here, e.g. 'q09'; here are"
    )
    assert "2 of 4 documents are not here, e.g. 'old.md', 'older.md'" in found.notes[0]
    assert bring_in_judgments(judged, {"q02": {"rooms.md": 1}}, allow_unknown=True).notes == []
    with pytest.raises(ValueError, match="no judgment would be left without them"):
        bring_in_judgments(judged, gone, allow_unknown=True)
    with pytest.raises(ValueError, match="allow_unknown is 'no'; needed True or False"):
        bring_in_judgments(judged, QRELS, allow_unknown="no")


@pytest.mark.parametrize(
    ("grades", "example"),
    [([0, 1, 2, 3], "0=0 1=1 2=1 3=2"), ([3], "3=2"), ([-1, 2], "-1=0"), ([1, 2, 3, 4], "1=0 2=1 3=2 4=2")],
)
def test_a_scale_that_goes_further_is_mapped_whole(judged, grades, example):
    qrels = {"q02": dict(zip(["a.md", *sorted(PAGES)], grades, strict=False))}
    with pytest.raises(ValueError, match=f"e.g. --grades {example}; .* what you do not name stays as it is"):
        bring_in_judgments(judged, qrels)


def test_judgments_of_an_older_text_keep_its_checksum_in_another_project(tmp_path):
    """A second month is a project of its own; what was judged before a page changed is not judged anew."""
    first, second = a_house(tmp_path / "first"), a_house(tmp_path / "second")
    for lab in (first, second):
        bring_in_queries(lab, [AskedQuery("where is the key"), AskedQuery("lunch")])
    bring_in_judgments(first, {"q01": {"doors.md": 2, "lunch.md": 0}})
    changed = SourceDocument("doors.md", "Doors", "Ring the bell.", "doors.md")
    CorpusFolder.open(tmp_path / "second" / "corpus").add([changed])
    second = Labelling(tmp_path / "second")
    pages = {doc_id: (one.title, second.texts[doc_id]) for doc_id, one in second.documents.items()}
    read = read_judgments(
        tmp_path / "first" / "judgments.jsonl", queries=to_queries_of(second), documents=pages
    )
    found = bring_in_judgments(second, *read)
    assert any("1 judgment was made before the document changed" in note for note in found.notes)
    assert second.changed() == [("q01", "doors.md")] and not first.changed()


def to_queries_of(lab):
    return {query_id: one.query for query_id, one in lab.questions().items()}


def test_the_same_searches_in_another_order_are_the_same_sample():
    log = [AskedQuery(f"key {n}", frequency=1 + n % 7) for n in range(60)]
    drawn = {one.text: one.drawn for one in sample_searches(log, 40)}
    assert {one.text: one.drawn for one in sample_searches(log[::-1], 40)} == drawn


FORMS = ["Lost key"] * 2 + ["lost key"] * 3 + ["LOST  KEY"] * 2 + ["VPN", "vpn", "Vpn", "soup", "soup"]
FORMS += ["Zu\u0308rich", "Z\u00fcrich", "Tea", "TEA"]


@given(st.permutations(FORMS), st.integers(1, 16), st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_of_several_forms_of_a_query_the_most_frequent_is_asked_whatever_the_order(
    tmp_path_factory, log, n, seed
):
    path = tmp_path_factory.mktemp("log") / "a.csv"
    path.write_text("query\n" + "\n".join(log) + "\n", encoding="utf-8")
    found = read_queries(path)
    often = {"lost key": 7, "vpn": 3, "soup": 2, "Z\u00fcrich": 2, "TEA": 2}
    assert {query.text: query.frequency for query in found} == often
    assert sum(query.forms for query in found) == len(set(FORMS))
    # A sample has the form that is the most frequent in the whole log, and what it draws knows no forms.
    plain = sample_searches(
        [AskedQuery(text.casefold(), frequency=times) for text, times in often.items()], n, seed
    )
    drawn = {query.text: query.drawn for query in sample_searches(found, n, seed)}
    assert {text.casefold(): times for text, times in drawn.items()} == {one.text: one.drawn for one in plain}
    apart = sample_searches([AskedQuery(text) for text in log], n, seed)
    assert {query.text: query.drawn for query in apart} == drawn


def test_a_form_that_the_project_knows_is_kept_and_of_new_ones_the_most_frequent_is_added(lab):
    lab.add_query("VPN")
    queries = [AskedQuery("vpn", frequency=9), AskedQuery("Soup"), AskedQuery("soup", frequency=2)]
    assert bring_in_queries(lab, queries).added == 1
    assert [(one.query, one.frequency) for one in lab.questions().values()] == [("VPN", None), ("soup", 3)]


def test_a_table_of_results_whose_scores_rise_with_the_rank_is_told(recwarn):
    table = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "rank": [0, 1], "score": [0.1, 0.7]})
    with pytest.warns(UserWarning, match="if they are distances or ranks, give minus that"):
        assert as_run(table) == {"1": [("b", 0.7), ("a", 0.1)]}
    recwarn.clear()
    for good in (table.assign(score=[0.7, 0.1]), table.assign(score=0.5), table.drop(columns="rank")):
        as_run(good)
    assert not recwarn.list


def test_what_a_word_becomes_is_a_whole_number_and_a_path_is_no_table(tmp_path):
    (tmp_path / "a.csv").write_text("query_id,doc_id,grade\nq01,a.md,yes\n")
    for wrong in ("2", 2.5, True, None):
        with pytest.raises(ValueError, match="words.'yes'. is .*; needed what it becomes, a whole"):
            read_judgments(tmp_path / "a.csv", words={"yes": wrong})
    with pytest.raises(ValueError, match="of a file: read_judgments.path., helpers.datasets.trec.read_run"):
        as_qrels("judgments.csv")


def test_a_query_that_cannot_be_taken_is_named(lab):
    with pytest.raises(ValueError, match="the query 'soup' in those given: kind: needed .*, found 'opinion'"):
        bring_in_queries(lab, [AskedQuery("key"), AskedQuery("soup", kind="opinion")])


def test_a_file_of_the_project_that_a_spreadsheet_saved_as_a_table_is_told_how_to_come_back(judged):
    path = judged.folder / "judgments.jsonl"
    pd.read_json(path, lines=True).to_csv(path, index=False)
    with pytest.raises(ValueError, match="is a table now, .*: workbench import judgments judgments.csv"):
        judged.verdicts()


def test_judgments_of_the_same_documents_are_not_called_older(tmp_path):
    """As the command line reads them: the text of a page without its title."""
    first, second = a_house(tmp_path / "first"), a_house(tmp_path / "second")
    for lab in (first, second):
        bring_in_queries(lab, [AskedQuery("where is the key"), AskedQuery("lunch")])
    bring_in_judgments(first, {"q01": {"doors.md": 2, "lunch.md": 0}})
    pages = {doc_id: (one.title, one.text) for doc_id, one in second.documents.items()}
    path = tmp_path / "first" / "judgments.jsonl"
    read = read_judgments(path, queries=to_queries_of(second), documents=pages)
    assert bring_in_judgments(second, *read).notes == [] and not second.changed()


def test_two_numbers_of_one_text_are_one_query_here_unless_their_grades_differ(tmp_path):
    rows = [("q01", "soup", "a.md", 2), ("q02", "tea", "a.md", 0), ("q03", "rain", "b.md", 1)]
    path, here = tmp_path / "old.jsonl", {"q07": "soup", "q08": "tea", "q09": "rain"}

    def write(*more):
        keys = ("query_id", "query", "doc_id", "grade")
        records = [dict(zip(keys, row, strict=True)) for row in [*rows, *more]]
        path.write_text("".join(json.dumps(record) + "\n" for record in records))

    write(("q77", "soup", "b.md", 0))
    with pytest.warns(UserWarning, match="numbers its queries otherwise"):
        assert read_judgments(path, queries=here)[0]["q07"] == {"a.md": 2, "b.md": 0}
    write(("q77", "soup", "a.md", 0))
    with pytest.raises(ValueError, match="'a.md' has the grades 2 and 0 for one text of a query"):
        read_judgments(path, queries=here)


@pytest.mark.parametrize("form", ["judgments.jsonl", "qrels/test.tsv"])
def test_judgments_without_texts_go_by_the_queries_that_lie_beside_them(tmp_path, form):
    here = {"q01": "door key", "q02": "late rent", "q03": "lunch"}
    old = {"q01": "late rent", "q02": "door key", "q03": "tea"}
    path = tmp_path / form
    path.parent.mkdir(exist_ok=True)
    names = ("query_id", "query") if form == "judgments.jsonl" else ("_id", "text")
    beside = tmp_path / "queries.jsonl"
    beside.write_text("".join(json.dumps(dict(zip(names, one, strict=True))) + "\n" for one in old.items()))
    if form == "judgments.jsonl":
        rows = ({"query_id": q, "doc_id": f"{q}.md", "grade": 2} for q in old)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        path.write_text("query-id\tcorpus-id\tscore\n" + "".join(f"{q}\t{q}.md\t2\n" for q in old))
    with pytest.warns(UserWarning, match="numbers its queries otherwise: .* 2 judgments of 2 queries"):
        assert read_judgments(path, queries=here)[0] == {"q02": {"q01.md": 2}, "q01": {"q02.md": 2}}
    with pytest.raises(ValueError, match="in queries.jsonl beside it: .*'tea'"):
        read_judgments(path, queries=old | {"q03": "coffee"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_judgments(path, queries=old)[0].keys() == old.keys()
        beside.unlink()
        assert read_judgments(path, queries=here)[0].keys() == here.keys()
