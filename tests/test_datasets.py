"""BEIR folders: what is read, where it is looked for, and how a spoilt file is reported."""

import json

import pytest

from helpers import datasets
from helpers.base import fetch
from helpers.datasets.beir import load_beir_corpus, load_beir_qrels, load_beir_queries
from helpers.datasets.load import load_beir
from helpers.records import Dataset

pytestmark = pytest.mark.offline_too


def test_a_dataset_is_read_with_titles_and_the_queries_of_its_split(beir_folder):
    dataset = load_beir("tiny", path=beir_folder)
    assert dataset.corpus == {"d1": "Cats Cats sleep.", "d2": "Dogs bark.", "d3": "No title here."}
    assert dataset.queries == {"q1": "sleeping cats"}
    assert dataset.qrels == {"q1": {"d1": 2, "d2": 0}}
    assert repr(dataset) == "tiny, test split: 3 documents, 1 query, 2 judgments"
    assert load_beir("tiny", "train", beir_folder).queries == {"q2": "barking"}


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_other_line_ends_a_byte_order_mark_and_odd_line_separators_are_read(beir_folder, end):
    lines = [b"query-id\tcorpus-id\tscore", b"q1\td1\t1", b"", b""]
    (beir_folder / "qrels" / "test.tsv").write_bytes(end.join(lines))
    text = json.dumps({"_id": "d1", "text": "one\u2028line"}, ensure_ascii=False)
    (beir_folder / "corpus.jsonl").write_bytes(b"\xef\xbb\xbf" + text.encode() + end)
    assert load_beir("tiny", path=beir_folder).corpus == {"d1": "one\u2028line"}


def test_numeric_ids_become_text(beir_folder):
    (beir_folder / "corpus.jsonl").write_text('{"_id": 7, "text": "x"}\n{"_id": "8", "text": "y"}\n')
    assert load_beir_corpus(beir_folder) == {"7": "x", "8": "y"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"_id": "d1", "text": "cut o', "line 2: not valid JSON.*cut off"),
        ('["d1"]', "line 2: needed a JSON object"),
        ('{"_id": "d0", "text": "again"}', "line 2: document 'd0' comes a second time"),
        ('{"_id": 0, "text": "x"}\n{"_id": "0", "text": "y"}', "line 3: document '0' comes a second time"),
        ('{"text": "x"}', "line 2: needed an _id .* found None"),
        ('{"_id": 1.5, "text": "x"}', "line 2: needed an _id .* found 1.5"),
        ('{"_id": true, "text": "x"}', "line 2: needed an _id .* found True"),
        ('{"_id": "", "text": "x"}', "line 2: needed an _id .* found ''"),
        ('{"_id": "d1"}', "line 2: needed 'text' as text, found None"),
        ('{"_id": "d1", "text": "x", "title": 3}', "line 2: needed 'title' as text, found 3"),
        (b'{"_id": "d1", "text": "\xff"}', "line 2: not valid UTF-8"),
        ("[" * 100_000, "line 2: not valid JSON"),
    ],
)
def test_a_bad_document_is_named_by_file_and_line(beir_folder, line, message):
    line = line if isinstance(line, bytes) else line.encode()
    (beir_folder / "corpus.jsonl").write_bytes(b'{"_id": "d0", "text": "fine"}\n' + line + b"\n")
    with pytest.raises(ValueError, match=f"corpus.jsonl, {message}"):
        load_beir_corpus(beir_folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q1\td1\t1\n", "line 1: needed the header .*header is missing"),
        (
            "query_id\tdoc_id\trelevance\nq1\td1\t1\n",
            "line 1: .*have other names; put the header in their place",
        ),
        ("corpus-id\tquery-id\tscore\nd1\tq1\t1\n", "line 1: needed the header .*columns are swapped"),
        ("q1 0 d1 1\n", "line 1: .*TREC qrels"),
        ("", "line 1: needed the header"),
        ("query-id corpus-id score\nq1 d1 1\n", "line 1: .*put a tab between"),
        ("query-id\tcorpus-id\tscore\nq1\td1\t1_0\n", "line 2: grade '1_0'"),
        ("query-id\tcorpus-id\tscore\nq1\td1\n", "line 2: 2 columns, needed 3"),
        ("query-id\tcorpus-id\tscore\nq1\td1\t1.0\n", "line 2: grade '1.0' is not a whole number"),
        (
            "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td1\t2\n",
            "line 3: query 'q1', document 'd1' has grade 2 here and 1 above",
        ),
    ],
)
def test_bad_qrels_are_named_by_file_and_line(beir_folder, content, message):
    (beir_folder / "qrels" / "test.tsv").write_text(content)
    with pytest.raises(ValueError, match=f"test.tsv, {message}"):
        load_beir_qrels(beir_folder)


def test_a_split_that_is_not_there_names_those_that_are(beir_folder):
    with pytest.raises(FileNotFoundError, match=r"dev.tsv is not there; splits that exist: test, train"):
        load_beir("tiny", "dev", beir_folder)


def test_a_folder_without_qrels_says_so(beir_folder):
    for file in (beir_folder / "qrels").iterdir():
        file.unlink()
    with pytest.raises(FileNotFoundError, match="tiny/qrels holds no split"):
        load_beir("tiny", path=beir_folder)


@pytest.mark.parametrize("file", ["corpus.jsonl", "queries.jsonl"])
def test_a_folder_that_is_no_dataset_says_what_is_missing(beir_folder, file):
    (beir_folder / file).unlink()
    with pytest.raises(FileNotFoundError, match=f"{file} is not there"):
        load_beir("tiny", path=beir_folder)


def test_judged_ids_that_nothing_has_are_counted_and_shown(beir_folder):
    with open(beir_folder / "qrels" / "test.tsv", "a") as file:
        file.write("q7\td1\t1\nq8\td9\t1\n")
    with pytest.warns(UserWarning) as warned:
        dataset = load_beir("tiny", path=beir_folder)
    messages = [str(warning.message) for warning in warned]
    assert any("test.tsv: 2 of 3 query ids have no text, e.g. 'q7'" in message for message in messages)
    assert any("test.tsv: 1 of 3 document ids have no text, e.g. 'd9'" in message for message in messages)
    assert set(dataset.qrels) == {"q1", "q7", "q8"}
    assert set(dataset.queries) == {"q1"}


@pytest.mark.parametrize(
    ("rows", "hint"),
    [
        ("x1\td1\t1\n", "query ids.*wrong split"),
        ("d1\tq1\t1\n", "columns swapped"),
        ("q1\tx\t1\n", "document ids"),
    ],
)
def test_qrels_that_fit_nothing_are_an_error_with_a_hint(beir_folder, rows, hint):
    (beir_folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + rows)
    with pytest.raises(ValueError, match=f"none of its 1 .*{hint}"):
        load_beir("tiny", path=beir_folder)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("corpus.jsonl", "2 document ids .* the file of documents is empty"),
        ("queries.jsonl", "1 query ids .* the file of queries is empty"),
        ("qrels/test.tsv", "test.tsv: the file holds no judgment"),
    ],
)
def test_an_empty_file_is_called_empty(beir_folder, file, message):
    (beir_folder / file).write_text("query-id\tcorpus-id\tscore\n" if "qrels" in file else "\n")
    with pytest.raises(ValueError, match=message):
        load_beir("tiny", path=beir_folder)


def test_a_folder_of_datasets_names_them(beir_folder):
    with pytest.raises(FileNotFoundError, match="These subfolders have it, give one as path=: tiny"):
        load_beir("mine", path=beir_folder.parent)


def test_where_it_cannot_be_had_the_other_way_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path))
    monkeypatch.setenv("MEASURE_FIRST_OFFLINE", "1")
    monkeypatch.setenv("BEIR_DATA_DIR", "/typo")
    with pytest.raises(
        fetch.Unavailable, match="MEASURE_FIRST_OFFLINE is set.*BEIR_DATA_DIR=/typo has no folder scifact"
    ):
        load_beir("scifact")


def test_it_is_looked_for_in_beir_data_dir_then_in_the_cache(beir_folder, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    (cache / "beir").mkdir(parents=True)
    (cache / "beir" / "tiny").symlink_to(beir_folder)
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(cache))
    monkeypatch.delenv("BEIR_DATA_DIR", raising=False)
    assert load_beir("tiny").source == "the project's cache"
    monkeypatch.setenv("BEIR_DATA_DIR", str(tmp_path / "nowhere"))
    assert load_beir("tiny").source == "the project's cache"
    monkeypatch.setenv("BEIR_DATA_DIR", str(beir_folder.parent))
    assert load_beir("tiny").source == "BEIR_DATA_DIR"
    assert load_beir("tiny", path=beir_folder).source == "an explicit path"


def test_an_explicit_path_that_is_not_there_is_an_error_and_nothing_else_is_tried(tmp_path):
    with pytest.raises(FileNotFoundError, match="is no folder"):
        load_beir("scifact", path=tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["", "../tiny", "a/b", ".."])
def test_a_name_is_no_path(name):
    with pytest.raises(ValueError, match="no dataset name"):
        load_beir(name)


def test_an_unknown_name_lists_the_known_ones(monkeypatch, tmp_path):
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path))
    with pytest.raises(ValueError, match="'sifact' is not a BEIR dataset; there are arguana, .*scifact"):
        load_beir("sifact")


def test_a_dataset_that_is_not_public_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path))
    with pytest.raises(fetch.Unavailable, match="robust04 has no public zip.*BEIR_DATA_DIR"):
        load_beir("robust04")


def test_the_stand_in_is_used_only_where_the_dataset_cannot_be_had_and_says_so(
    monkeypatch, tmp_path, beir_folder, capsys
):
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "empty"))
    monkeypatch.setenv("MEASURE_FIRST_OFFLINE", "1")
    monkeypatch.delenv("BEIR_DATA_DIR", raising=False)
    dataset = datasets.load_or_stand_in("scifact")
    line = capsys.readouterr().out
    assert dataset.name == "everyday-science"
    assert (
        line.startswith("scifact cannot be had here (")
        and line.count("\n") == 1
        and "'everyday-science'" in line
    )

    (beir_folder / "queries.jsonl").write_text("{broken")
    beir_folder.rename(beir_folder.parent / "scifact")
    monkeypatch.setenv("BEIR_DATA_DIR", str(beir_folder.parent))
    with pytest.raises(ValueError, match="queries.jsonl, line 1: not valid JSON"):
        datasets.load_or_stand_in("scifact")


def test_the_catalogue_has_all_19_sets_and_an_md5_for_each_public_one():
    catalogue = datasets.catalogue.beir_catalogue()
    public = catalogue[catalogue["public_download"] == "yes"]
    assert (len(catalogue), len(public)) == (19, 15)
    assert public["zip_md5"].str.fullmatch("[0-9a-f]{32}").all()


def test_queries_are_read_for_all_splits(beir_folder):
    assert load_beir_queries(beir_folder) == {"q1": "sleeping cats", "q2": "barking"}


def test_max_docs_keeps_every_judged_document_and_changes_the_name(beir_folder):
    (beir_folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td3\t1\n")
    dataset = load_beir("tiny", path=beir_folder, max_docs=2)
    assert list(dataset.corpus) == ["d1", "d3"]
    assert dataset.name == "tiny (truncated to 2 documents)"
    assert load_beir("tiny", path=beir_folder, max_docs=3).name == "tiny"


def test_msmarco_is_read_on_its_dev_split_unless_another_is_named(beir_folder):
    (beir_folder / "qrels" / "test.tsv").rename(beir_folder / "qrels" / "dev.tsv")
    assert load_beir("msmarco", path=beir_folder).split == "dev"
    assert load_beir("MSMARCO", path=beir_folder).split == "dev"
    assert load_beir("msmarco", "train", path=beir_folder).split == "train"
    with pytest.raises(FileNotFoundError, match="splits that exist: dev, train"):
        load_beir("tiny", path=beir_folder)


def test_a_forum_of_cqadupstack_is_a_dataset_and_the_whole_is_not(beir_folder, monkeypatch):
    (beir_folder.parent / "cqadupstack").mkdir()
    beir_folder.rename(beir_folder.parent / "cqadupstack" / "gis")
    monkeypatch.setenv("BEIR_DATA_DIR", str(beir_folder.parent))
    assert load_beir("cqadupstack-gis").name == "cqadupstack-gis"
    with pytest.raises(ValueError, match="twelve collections.*cqadupstack-android, .*cqadupstack-wordpress"):
        load_beir("cqadupstack")


def test_one_zip_brings_all_forums(monkeypatch, tmp_path):
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path))
    asked = []

    def fetch_zip(url, md5, name, folder):
        asked.append((url.rpartition("/")[2], md5, name))
        (folder / "cqadupstack" / "gis" / "qrels").mkdir(parents=True)

    monkeypatch.setattr(fetch, "fetch_zip", fetch_zip)
    assert datasets.load.download_beir("cqadupstack-gis") == tmp_path / "beir" / "cqadupstack" / "gis"
    assert datasets.load.download_beir("cqadupstack-gis") == tmp_path / "beir" / "cqadupstack" / "gis"
    assert asked == [("cqadupstack.zip", "4e41456d7df8ee7760a7f866133bda78", "cqadupstack")]


def test_an_empty_folder_is_no_dataset(tmp_path, monkeypatch):
    (tmp_path / "scifact").mkdir()
    monkeypatch.setenv("BEIR_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "cache"))
    assert datasets.find_beir("scifact") is None


def test_nobody_can_change_the_catalogue_for_others():
    catalogue = datasets.catalogue.beir_catalogue()
    catalogue.loc["scifact", "splits"] = "broken"
    assert datasets.catalogue.beir_catalogue().loc["scifact", "splits"] == "train test"


@pytest.mark.parametrize(
    ("place", "cure"),
    [
        ("qrels/nine.tsv.gz", "is: gunzip .*qrels/nine.tsv.gz$"),
        ("qrels/nine.txt", "is: name it .*qrels/nine.tsv$"),
        ("qrels.tsv", "is: name it .*qrels/nine.tsv$"),
    ],
)
def test_judgments_under_another_name_are_seen(beir_folder, place, cure):
    (beir_folder / "qrels/test.tsv").rename(beir_folder / place)
    with pytest.raises(FileNotFoundError, match=f"nine.tsv is not there; .*{place} {cure}"):
        load_beir("tiny", "nine", path=beir_folder)


def test_ids_in_quotes_are_told_from_another_split(beir_folder):
    (beir_folder / "qrels/test.tsv").write_text('query-id\tcorpus-id\tscore\n"q1"\t"d1"\t1\n')
    with pytest.raises(ValueError, match="there it is 'q1'; take the quotes away"):
        load_beir("tiny", path=beir_folder)


def test_a_list_of_json_is_told_from_a_file_that_is_cut_off(beir_folder):
    (beir_folder / "queries.jsonl").write_text('[\n  {"_id": "q1", "text": "cats"}\n]\n')
    with pytest.raises(ValueError, match="queries.jsonl is a list of JSON over several lines"):
        load_beir("tiny", path=beir_folder)


def test_a_path_may_begin_at_home(beir_folder, monkeypatch):
    monkeypatch.setenv("HOME", str(beir_folder.parent))
    monkeypatch.setenv("USERPROFILE", str(beir_folder.parent))
    assert load_beir("tiny", path="~/tiny").queries == {"q1": "sleeping cats"}
    with pytest.raises(FileNotFoundError, match="~/other is no folder"):
        load_beir("tiny", path="~/other")


def test_a_query_of_blanks_has_no_text(beir_folder):
    (beir_folder / "queries.jsonl").write_text('{"_id": "q1", "text": " "}\n{"_id": "q2", "text": "bark"}\n')
    (beir_folder / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n")
    with pytest.warns(UserWarning, match="1 of 2 query ids have no text, e.g. 'q1'"):
        assert load_beir("tiny", path=beir_folder).queries == {"q2": "bark"}


def test_a_name_of_beirs_in_other_capitals_has_the_same_parts_and_figures():
    assert datasets.catalogue.parts("CQADupStack") == datasets.catalogue.parts("cqadupstack")
    assert datasets.catalogue.published("SciFact", datasets.catalogue.BASELINE)["nDCG@10"] == 0.6789
    assert datasets.catalogue.other_size("SciFact", 12, 4).startswith("SciFact has 12 documents")


def test_a_dataset_whose_split_was_left_out_says_the_order_of_what_it_takes():
    with pytest.raises(ValueError, match="split is a dict; needed a str; the order is name, split, corpus"):
        Dataset("toy", {"d1": "a"}, {"q1": "b"}, {"q1": {"d1": 1}}, "by hand", "v1")


def test_documents_whose_accents_were_read_in_a_wrong_encoding_are_told(beir_folder):
    texts = {"d1": "die TÃ¼r Ã¶ffnen", "d2": "GrÃ¶ÃŸe Ã¤ndern", "d3": "plain"}
    lines = [json.dumps({"_id": doc_id, "text": text}) for doc_id, text in texts.items()]
    (beir_folder / "corpus.jsonl").write_text("\n".join(lines))
    with pytest.warns(UserWarning, match="2 of the first 2 documents .* wrong encoding .*, e.g. 'd1'"):
        load_beir("tiny", path=beir_folder)


def written(folder, texts: list[str], queries: dict[str, str] | None = None):
    """The folder with these documents, d1, d2 and so on, and queries."""
    lines = [json.dumps({"_id": f"d{n}", "text": text}) for n, text in enumerate(texts, start=1)]
    (folder / "corpus.jsonl").write_text("\n".join(lines))
    if queries:
        lines = [json.dumps({"_id": query_id, "text": text}) for query_id, text in queries.items()]
        (folder / "queries.jsonl").write_text("\n".join(lines))
        (folder / "qrels" / "test.tsv").write_text(
            "\n".join(["query-id\tcorpus-id\tscore", *(f"{query_id}\td1\t1" for query_id in queries)])
        )
    return folder


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (
            ["it&#39;s up &amp; running", "R&amp;D caf&eacute;", "x"],
            "2 documents with an & hold letters as HTML",
        ),
        ([json.dumps("One é.\nTwo."), json.dumps('A "b"'), "x"], r"2 documents with a \\ hold ends of lines"),
        ([r"One.\n\nTwo.", r"Die T\u00fcr", "x"], r"2 documents with a \\ hold ends of lines and letters"),
        (["data\u00adbase", "out\u00adage", "x"], "2 documents with soft hyphens, .* hold them within words"),
        (["data-\nbase", "the out-\r\nage", "a database outage"], "2 of the first 3 .*'data-base' in 'd1'"),
        (["a" * 32_767, "b " * 16_383 + "c", "x"], "2 texts have 32,767 characters and none has more"),
    ],
)
def test_documents_that_were_changed_on_the_way_are_told(beir_folder, texts, words):
    with pytest.warns(UserWarning, match=words):
        load_beir("tiny", path=written(beir_folder, texts))


@pytest.mark.parametrize(
    "texts",
    [
        ["R&D, Q&A", "say &amp; for &", "`&lt;` is <", "/?a=1&b=2"],
        [r"\nabla \nu \neq \alpha \nrightarrow", r"C:\new\Users", '"To be", he said', '"Not to be"'],
        ["print('\\n')", r"a regular expression: \w+\n"],
        ["a soft hyphen\u00ad is nothing", "x"],
        ["long-\nterm and real-\ntime", "e-\nmail", "an email at term and in time"],
        ["a" * 32_767, "b" * 32_767, "c" * 32_768],
        ["a" * 32_767, "x"],
    ],
)
def test_documents_that_only_look_a_little_like_that_are_not(beir_folder, texts, recwarn):
    load_beir("tiny", path=written(beir_folder, texts, {"q1": "any"}))
    assert not recwarn.list


def test_queries_that_are_their_ids_or_documents_are_told(beir_folder, recwarn):
    texts = ["The laptop e404 and the xy7", "Lunch is served."]
    for queries in ({"laptop": "laptop", "xy7": "xy7"}, {"e404": "e404", "q2": "q2"}, {"q1": "7", "q2": "q"}):
        load_beir("tiny", path=written(beir_folder, texts, queries))
    load_beir("tiny", path=written(beir_folder, texts, {"d1": texts[0], "d2": texts[1]}))  # d1 answers both
    assert not recwarn.list
    with pytest.warns(UserWarning, match="the text of each query is its id, e.g. 'q1'; give the text that"):
        load_beir("tiny", path=written(beir_folder, texts, {"q1": "q1", "q2": "q2"}))
    folder = written(beir_folder, texts, {"d1": texts[0], "d2": texts[1]})
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nd1\td1\t1\nd2\td2\t1\n")
    with pytest.warns(UserWarning, match="2 of the first 2 queries are documents, by id and text"):
        load_beir("tiny", path=folder)
