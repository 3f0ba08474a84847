"""Measured beside published: forums averaged alike, own documents left out, one failure stops nothing."""

import json
import re

import pytest
from programs import main

from course import beir_table
from helpers.datasets import catalogue

pytestmark = pytest.mark.offline_too

PUBLISHED = catalogue.published("cqadupstack-android", catalogue.BASELINE)


@pytest.fixture
def collections(tmp_path, monkeypatch):
    """A folder of datasets in BEIR layout: cqadupstack's forums, each with one query, and three more."""
    monkeypatch.setenv("BEIR_DATA_DIR", str(tmp_path / "beir"))
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("MEASURE_FIRST_OFFLINE", "1")
    monkeypatch.setattr(beir_table, "other_size", lambda *size: "")  # as if they were BEIR's own

    def add(folder, corpus, queries, qrels, split="test"):
        path = tmp_path / "beir" / folder
        (path / "qrels").mkdir(parents=True)
        for name, texts in (("corpus", corpus), ("queries", queries)):
            lines = [json.dumps({"_id": id_, "title": "", "text": text}) for id_, text in texts.items()]
            (path / f"{name}.jsonl").write_text("\n".join(lines))
        rows = [f"{q}\t{d}\t{grade}" for q, grades in qrels.items() for d, grade in grades.items()]
        (path / "qrels" / f"{split}.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]))

    corpus = {"d1": "cats sleep", "d2": "dogs bark", "d3": "birds sing"}
    for number, forum in enumerate(catalogue.FORUMS):
        # In three of the twelve forums the relevant document shares no word with the query.
        qrels = {"q": {"d2" if number < 3 else "d1": 1}}
        add(f"cqadupstack/{forum.removeprefix('cqadupstack-')}", corpus, {"q": "cats"}, qrels)
    add("scifact", corpus, {"q": "dogs"}, {"q": {"d2": 1}})
    add("arguana", {"q": "cats and dogs", "d": "dogs and birds"}, {"q": "cats and dogs"}, {"q": {"d": 1}})
    add("msmarco", corpus, {"q": "birds"}, {"q": {"d3": 1}}, split="dev")
    return tmp_path


def test_cqadupstack_is_the_mean_of_its_twelve_forums_beside_the_mean_of_theirs(collections):
    mean, *forums = beir_table.measure("cqadupstack", say=str)
    assert [row["dataset"] for row in forums] == list(catalogue.FORUMS)
    assert mean["metrics"]["nDCG@10"] == 9 / 12
    published = sum(row["published"]["nDCG@10"] for row in forums) / 12
    assert mean["published"]["nDCG@10"] == pytest.approx(published, abs=5e-5)
    assert (mean["dataset"], mean["queries"], mean["documents"]) == ("cqadupstack", 12, 36)


def test_a_query_among_the_documents_does_not_find_itself(collections):
    (row,) = beir_table.measure("arguana", say=str)
    assert row["metrics"]["nDCG@10"] == 1


def test_msmarco_is_measured_on_its_dev_queries(collections):
    (row,) = beir_table.measure("msmarco", say=str)
    assert (row["split"], row["metrics"]["nDCG@10"]) == ("dev", 1)


def test_a_truncated_corpus_has_no_published_figure_beside_it(collections):
    (row,) = beir_table.measure("scifact", max_docs=2, say=str)
    assert row["dataset"] == "scifact (truncated to 2 documents)"
    assert row["published"] == {}
    mean = beir_table.measure("cqadupstack", max_docs=2, say=str)[0]
    assert (mean["dataset"], mean["published"]) == ("cqadupstack (truncated)", {})


def test_the_command_goes_on_after_a_failure_and_says_so_at_the_end(collections, capsys):
    out = collections / "found.json"
    code = main(["beir", "--datasets", "nfcorpus,scifact,bioasq", "--out", str(out)])
    printed = capsys.readouterr()
    assert code == 2
    assert [row["dataset"] for row in json.loads(out.read_text())] == ["scifact"]
    published, measured, difference = "0.6789", "1.0000", "0.3211"
    assert published in printed.out and measured in printed.out and difference in printed.out
    one, other = (line for line in printed.err.splitlines() if line.startswith("FAILED"))
    assert one.startswith("FAILED nfcorpus: ")
    assert other.startswith("FAILED bioasq: bioasq has no public zip")


def test_a_broken_dataset_is_a_failure_like_any_other(collections, capsys):
    (collections / "beir" / "arguana" / "corpus.jsonl").write_text("{broken")
    assert main(["beir", "--datasets", "arguana,scifact", "--out", str(collections / "x.json")]) == 2
    said = capsys.readouterr().err
    assert said.count("FAILED arguana: ") == 1 and "corpus.jsonl, line 1: not valid JSON" in said


def test_a_measurement_that_works_is_a_success(collections, capsys):
    out = str(collections / "x.json")
    assert main(["beir", "--datasets", " scifact ,scifact", "--analyzer", "plain", "--out", out]) == 0
    (row,) = json.loads((collections / "x.json").read_text())
    assert row["system"] == "BM25, Lucene idf, k1=0.9, b=0.4, plain"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["--datasets", " , "], "--datasets names no dataset"),
        (["--datasets", "scifact", "--max-docs", "0"], "from 1 to"),
        (
            ["--datasets", "foo"],
            "no dataset 'foo'; `workbench datasets` lists BEIR's; a folder of your own is",
        ),
        (["--datasets", "scifacts"], "did you mean scifact"),
        (["--datasets", "b/ok"], "given by its path: path= in Python, --path on the command line"),
        (["--datasets", "../../etc"], "given by its path"),
        (["--datasets", "scifact", "--split", "dev"], "--split is for --path"),
        (["--path", "."], "corpus.jsonl"),
        (["--path", "nowhere"], "nowhere is not there"),
        (["--path", ".", "--datasets", "scifact"], "not allowed with"),
        (["--datasets", "scifact", "--analyzer", "lucene"], "did you mean lucene_english"),
        ([], "one of the arguments --datasets --path is required"),
    ],
)
def test_what_cannot_be_measured_is_refused_once_and_with_code_2(
    line, words, collections, capsys, monkeypatch
):
    monkeypatch.chdir(collections)
    try:
        code = main(["beir", *line, "--out", "found.json"])
    except SystemExit as stopped:  # argparse
        code = stopped.code
    said = capsys.readouterr().err
    assert code == 2 and said.count(words) == 1 and "Error:" not in said


def test_a_folder_of_ones_own_is_measured_by_its_path(collections, capsys):
    (collections / "beir" / "msmarco").rename(collections / "mine")
    line = ["beir", "--path", str(collections / "mine"), "--out", str(collections / "x.json")]
    assert main(line) == 2
    assert "splits that exist: dev" in capsys.readouterr().err
    assert main([*line, "--split", "dev", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["metrics"]["nDCG@10"] for row in found["rows"]] == [1.0]


def test_an_empty_folder_of_a_dataset_is_not_called_missing(collections, capsys):
    (collections / "beir" / "nfcorpus").mkdir()
    assert main(["beir", "--datasets", "nfcorpus", "--out", str(collections / "x.json")]) == 2
    assert "has a folder nfcorpus without corpus.jsonl" in capsys.readouterr().err


def test_the_list_of_datasets_has_all_nineteen_and_says_which_are_here(collections, capsys):
    assert main(["datasets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    here = {line.split()[0] for line in lines if re.search(r"yes +[0-9a-f]{32}$", line)}
    assert here == {"cqadupstack", "scifact", "arguana", "msmarco"}
    names = catalogue.beir_catalogue().index
    assert sum(line.split()[:1] == [name] for line in lines for name in names) == 19
    (line,) = [line for line in lines if line.startswith("scifact ")]
    assert "0.6789" in line and "0.6647" in line and "5f7d1de60b170fc8027bb7898e2efca1" in line


def test_published_means_of_cqadupstack_need_all_twelve_forums():
    assert set(catalogue.published("cqadupstack", catalogue.BASELINE)) == set(PUBLISHED)
    assert catalogue.published("cqadupstack", "nobody") == {}


def test_a_forum_that_is_missing_is_noticed_before_any_is_measured(collections):
    (collections / "beir" / "cqadupstack" / "wordpress" / "corpus.jsonl").unlink()
    (collections / "beir" / "cqadupstack" / "wordpress").rename(collections / "elsewhere")
    said = []
    with pytest.raises(OSError, match="cqadupstack"):
        beir_table.measure("cqadupstack", say=said.append)
    assert said == []


@pytest.mark.parametrize("out", ["found.txt", ".", ""])
def test_results_go_where_the_command_says_or_nowhere(collections, out, capsys, monkeypatch):
    monkeypatch.chdir(collections)
    assert main(["beir", "--datasets", "scifact", "--out", out]) == 2
    assert "ends in .json" in capsys.readouterr().err
    assert not list(collections.glob("*.json"))


def test_a_reader_that_goes_away_is_no_fault_of_the_dataset(collections):
    def gone(line):
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        list(beir_table.measure_all(["scifact"], say=gone))


def test_a_collection_of_another_size_than_beirs_has_no_published_figure_beside_it(
    collections, monkeypatch, capsys
):
    monkeypatch.setattr(beir_table, "other_size", catalogue.other_size)
    said = []
    (row,) = beir_table.measure("scifact", say=said.append)
    assert (row["dataset"], row["published"]) == ("scifact (of 3 documents, 1 query)", {})
    assert said[0] == (
        "scifact has 3 documents and 1 query here, BEIR's has 5K and 300: no published figure is shown"
    )
    mean, *forums = beir_table.measure("cqadupstack", say=said.append)
    assert not any(row["published"] for row in (mean, *forums))
    own = str(collections / "beir" / "scifact")
    assert main(["beir", "--path", own, "--out", str(collections / "x.json")]) == 0
    assert "0.6789" not in capsys.readouterr().out


@pytest.mark.parametrize(("n", "fits"), [(3633, True), (3550, True), (3499, False), (12, False)])
def test_the_rounded_size_of_the_catalogue_is_met_within_its_last_digit(n, fits):
    assert (catalogue.other_size("nfcorpus", n, 323) == "") is fits
    assert catalogue.other_size("nfcorpus", n, 322)


def test_in_a_folder_of_ones_own_a_document_with_the_id_of_its_query_counts(tmp_path):
    folder = tmp_path / "mine"
    (folder / "qrels").mkdir(parents=True)
    words = ["cats", "dogs", "birds", "fish", "ants"]
    documents = [{"_id": str(n), "title": "", "text": f"all of {word}"} for n, word in enumerate(words)]
    documents.append({"_id": "4", "title": "Animals", "text": "ants and bees"} | {"_id": "q"})
    queries = [{"_id": str(n), "text": word} for n, word in enumerate(words)]
    queries.append({"_id": "q", "text": "Ants and  bees"})
    for name, records in (("corpus", documents), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)))
    pairs = [*((str(n), str(n)) for n in range(5)), ("q", "4")]
    lines = [f"{query}\t{document}\t1" for query, document in pairs]
    (folder / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *lines]))
    said = []
    (row,) = beir_table.measure("mine", path=folder, say=said.append)
    assert row["metrics"]["nDCG@10"] == 1
    assert said[1].startswith("1 query is among the documents, under the same id")
    assert said[2].startswith("5 queries have the id of a document that is another text or judged relevant")


def test_a_dataset_that_lacks_a_file_is_listed_as_incomplete(collections, capsys):
    (collections / "beir" / "scifact" / "queries.jsonl").unlink()
    (collections / "beir" / "cqadupstack" / "wordpress").rename(collections / "elsewhere")
    assert main(["datasets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines if re.search(r"incomplete +[0-9a-f]{32}$", line)} == {
        "cqadupstack",
        "scifact",
    }
    assert main(["datasets", "--json"]) == 0
    rows = {row["dataset"]: row for row in json.loads(capsys.readouterr().out)}
    assert (rows["scifact"]["here"], rows["scifact"]["incomplete"]) == (False, True)
    assert (rows["arguana"]["here"], rows["arguana"]["incomplete"]) == (True, False)


def test_the_name_of_a_dataset_in_the_place_of_a_file_is_told_where_it_belongs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["datasets", "scifact"]) == 2
    said = capsys.readouterr().err
    assert "scifact is no file but a collection of BEIR: without arguments they are listed" in said
    assert "load_beir('scifact')" in said
