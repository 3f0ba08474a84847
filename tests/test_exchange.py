"""Queries and judgments of other tools come in, every loss named, and go out as others read them."""

import gzip
import json
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.datasets import load_beir, trec
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
from workbench.projects import over_searches

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
        ({"q02": {"doors.md": 3}}, "grades 3: say what they become, e.g. --grades 3=2"),
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

    found = measure_project(judged)
    report = next(iter(found.reports.values()))
    scores = {q: one.metrics["nDCG@10"] for q, one in report.per_query.items()}
    mean, low, high = over_searches(report, {"q01": 3, "q02": 1})
    assert mean == pytest.approx((3 * scores["q01"] + scores["q02"]) / 4) and low <= mean <= high
    assert over_searches(report, {}) is None and not found.searches


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
def test_judgments_that_no_longer_hold_are_named_when_they_are_left_out(judged, tmp_path, form):
    corpus = judged.folder / "corpus" / "corpus.jsonl"
    kept = [line for line in corpus.read_text().splitlines() if "rooms.md" not in line]
    corpus.write_text("\n".join(kept) + "\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        export_project(Labelling(judged.folder), form, tmp_path / "out")
    said = "1 judgment that no longer count left out: q01 rooms.md (the document is gone)"
    assert (said in [str(one.message) for one in caught]) == (form != "csv")


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


def test_a_table_of_queries_goes_out_with_whole_numbers_and_comes_back(judged, tmp_path):
    bring_in_queries(judged, sample_searches([AskedQuery("tea", frequency=12)], 3))
    export_project(judged, "csv", tmp_path / "out")
    assert "q03,tea,question,12,3\n" in (tmp_path / "out" / "queries.csv").read_text()
    with pytest.warns(UserWarning, match="not read: .drawn."):
        assert [query.frequency for query in read_queries(tmp_path / "out" / "queries.csv")] == [1, 1, 12]


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
        (({"q01": {"doors.md": 3}},), "e.g. --grades 3=2; in Python grades={3: 2}"),
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
    assert found.notes == ["1 judgment keeps the quote it has, not the new one: q01 rooms.md"]
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
