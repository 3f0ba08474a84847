"""Collections of the Hugging Face hub, read from small invented files of the hub's own names and form."""

import gzip
import json
import shutil
import sys
import types
from pathlib import Path

import pytest

from helpers.base import fetch
from helpers.datasets import hub
from helpers.evaluation.evaluate import evaluate_retrieval

pytestmark = pytest.mark.offline_too

HUB = Path(__file__).parent / "data" / "hub"
CHECK_REACHABLE = fetch.check_reachable
HINDI_DEV = {"501": {"10#1": 1, "10#0": 0, "20#0": 0}, "502": {"40#0": 1}}


@pytest.fixture
def copy(tmp_path) -> Path:
    """A copy of the files that a test may spoil."""
    return Path(shutil.copytree(HUB, tmp_path / "hub"))


def shard(copy: Path, number: int, lang: str = "hi") -> Path:
    return copy / "miracl-corpus" / f"miracl-corpus-v1.0-{lang}" / f"docs-{number}.jsonl.gz"


def write_shard(path: Path, *rows: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wb") as file:
        file.writelines((row if isinstance(row, bytes) else row.encode()) + b"\n" for row in rows)


def passage(doc_id: str, text: str = "x", title: str = "") -> str:
    return json.dumps({"docid": doc_id, "title": title, "text": text})


def test_miracl_is_read_with_titles_from_all_files_of_its_corpus():
    dataset = hub.load_miracl("hi", folder=HUB)
    assert list(dataset.corpus) == ["10#0", "10#1", "20#0", "30#0", "30#1", "40#0"]
    assert dataset.corpus["20#0"] == "आम आम एक मीठा फल है।"
    assert dataset.queries == {"501": "चाय किससे बनती है?", "502": "नाव किससे बनती है?"}
    assert dataset.qrels == HINDI_DEV
    assert repr(dataset) == "miracl-hi, dev split: 6 documents, 2 queries, 4 judgments"
    assert dataset.source == f"a local copy in {HUB}"


def test_miracls_train_split_has_its_own_topics_and_judgments():
    dataset = hub.load_miracl("hi", "train", folder=HUB)
    assert (dataset.split, dataset.queries, dataset.qrels) == (
        "train",
        {"7": "घड़ी क्या बताती है?"},
        {"7": {"30#0": 1, "30#1": 0}},
    )


def test_a_passage_judged_not_relevant_is_judged_and_not_relevant():
    qrels = hub.load_miracl("hi", folder=HUB).qrels
    negatives_first = {"501": [("10#0", 3.0), ("20#0", 2.0)], "502": [("40#0", 1.0), ("30#0", 0.5)]}
    result = evaluate_retrieval(negatives_first, qrels, metrics=["Recall@10", "Judged@2"])
    assert result.per_query["Recall@10"].to_dict() == {"501": 0.0, "502": 1.0}
    assert result.per_query["Judged@2"].to_dict() == {"501": 1.0, "502": 0.5}


@pytest.mark.parametrize(
    ("max_docs", "kept"),
    [(5, ["10#0", "10#1", "20#0", "30#0", "40#0"]), (1, ["10#0", "10#1", "20#0", "40#0"])],
)
def test_truncated_it_keeps_each_judged_passage_and_is_named_so(max_docs, kept):
    dataset = hub.load_miracl("hi", max_docs=max_docs, folder=HUB)
    assert list(dataset.corpus) == kept
    assert dataset.name == f"miracl-hi (truncated to {len(kept)} documents)"
    assert dataset.qrels == HINDI_DEV


def test_what_was_not_truncated_keeps_its_name():
    assert hub.load_miracl("hi", max_docs=6, folder=HUB).name == "miracl-hi"


def test_the_corpus_streams_one_file_after_the_other_by_number(tmp_path):
    for number in range(14):  # by name, docs-10 would come before docs-2
        write_shard(shard(tmp_path, number, "ja"), passage(f"{number}#0"))
    assert [doc_id for doc_id, _ in hub.stream_miracl_corpus("ja", tmp_path)] == [
        f"{number}#0" for number in range(14)
    ]


def test_the_stream_opens_a_file_only_when_its_turn_comes(copy):
    shard(copy, 1).write_bytes(b"broken")
    documents = hub.stream_miracl_corpus("hi", copy)
    assert [next(documents)[0] for _ in range(3)] == ["10#0", "10#1", "20#0"]
    with pytest.raises(ValueError, match="docs-1.jsonl.gz: the name says gzip and the content is not"):
        next(documents)


@pytest.mark.parametrize("split", ["test", "test-a", "test-b", "testB"])
def test_miracls_test_labels_are_hidden(split):
    with pytest.raises(ValueError, match="test-a and test-b labels are hidden.*split='dev'"):
        hub.load_miracl("sw", split, folder=HUB)


@pytest.mark.parametrize("lang", ["de", "yo"])
def test_the_surprise_languages_have_no_train_split(lang):
    with pytest.raises(ValueError, match=f"no train split for '{lang}' .*split='dev'"):
        hub.load_miracl(lang, "train", folder=HUB)


@pytest.mark.parametrize("load", [hub.load_miracl, hub.stream_miracl_corpus])
def test_an_unknown_language_lists_the_18(load):
    with pytest.raises(ValueError, match="lang is 'hindi'; it can be") as raised:
        load("hindi", folder=HUB)
    assert [code for code in hub.miracl_languages().index if f"'{code}'" not in str(raised.value)] == []
    assert len(hub.miracl_languages()) == 18


def test_the_table_of_languages_adds_up_to_the_published_totals():
    table = hub.miracl_languages()
    assert table["train_queries"].sum() == 40_203
    assert table.drop(index=["de", "yo"])["dev_queries"].sum() == 13_071
    assert set(table.index[table["train_queries"] == 0]) == {"de", "yo"}
    # A file holds half a million passages and the last one the rest.
    assert (table["corpus_files"] == -(-table["passages"] // 500_000)).all()


def test_mmarco_joins_texts_of_two_languages_by_id():
    dataset = hub.load_mmarco("german", "english", folder=HUB)
    assert dataset.name == "mmarco-german, english queries"
    assert dataset.queries == {"1001": "how long to boil a soft egg", "1002": "what causes rust"}
    assert dataset.qrels == {"1001": {"0": 1}, "1002": {"3": 1}}
    assert dataset.corpus["3"] == "Rost entsteht, wenn Eisen auf Wasser und Luft trifft."
    assert len(dataset.corpus) == 5


def test_mmarcos_training_queries_without_a_judgment_are_left_out():
    dataset = hub.load_mmarco("german", "german", "train", folder=HUB)
    assert (dataset.name, dataset.queries, dataset.qrels) == (
        "mmarco-german",
        {"2001": "warum pfeift ein Kessel"},
        {"2001": {"4": 1}},
    )


def test_mmarco_truncated_keeps_the_judged_passages():
    dataset = hub.load_mmarco(max_docs=3, folder=HUB)
    assert list(dataset.corpus) == ["0", "1", "3"]
    assert dataset.name == "mmarco-english (truncated to 3 documents)"


def test_a_collection_streams_its_ids_and_texts():
    assert list(hub.stream_mmarco_collection("english", HUB))[1] == (
        "1",
        "A lighthouse warns ships of rocks.",
    )
    with pytest.raises(ValueError, match="doc_lang is 'en'; it can be 'arabic' or .*'vietnamese'"):
        hub.stream_mmarco_collection("en", HUB)


@pytest.mark.parametrize("argument", ["doc_lang", "query_lang"])
def test_an_unknown_language_of_mmarco_lists_the_14(argument):
    with pytest.raises(ValueError, match=f"{argument} is 'polish'; it can be 'arabic'"):
        hub.load_mmarco(**{argument: "polish"}, folder=HUB)
    assert len(hub.MMARCO_LANGUAGES) == 14


def test_msmarco_is_the_english_text_with_the_dev_queries_by_default():
    dataset, english = hub.load_msmarco(folder=HUB), hub.load_mmarco(folder=HUB)
    assert repr(dataset) == "msmarco, dev split: 5 documents, 2 queries, 2 judgments"
    assert (dataset.corpus, dataset.queries, dataset.qrels) == (
        english.corpus,
        english.queries,
        english.qrels,
    )
    assert hub.load_msmarco("train", folder=HUB).qrels == {"2001": {"4": 1}}


@pytest.mark.parametrize("split", ["test", "eval"])
def test_msmarcos_eval_labels_are_hidden_and_trec_deep_learning_is_pointed_at(split):
    with pytest.raises(ValueError, match=r"eval labels are hidden.*load_beir\('msmarco', 'test'\)"):
        hub.load_msmarco(split, folder=HUB)


def test_another_split_lists_the_two():
    with pytest.raises(ValueError, match="split is 'validation'; it can be 'train' or 'dev'"):
        hub.load_mmarco(split="validation", folder=HUB)


def test_files_of_several_repositories_may_lie_in_one_folder(copy):
    for repository in ("miracl", "miracl-corpus"):
        for part in (copy / repository).iterdir():
            part.rename(copy / part.name)
        (copy / repository).rmdir()
    assert hub.load_miracl("hi", folder=copy).corpus == hub.load_miracl("hi", folder=HUB).corpus


def test_a_local_copy_that_lacks_a_file_says_which_and_nothing_is_downloaded(copy, monkeypatch):
    monkeypatch.delenv("MEASURE_FIRST_OFFLINE", raising=False)
    shard(copy, 1).unlink()
    with pytest.raises(
        FileNotFoundError, match="neither .*docs-1.jsonl.gz nor .*hub's repository miracl/miracl-corpus"
    ):
        hub.load_miracl("hi", folder=copy)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"docid": "9#9", "text": "cut o', "line 2: not valid JSON.*cut off"),
        ("[" * 100_000, "line 2: not valid JSON"),
        ('["9#9"]', "line 2: needed a JSON object with docid"),
        ('{"title": "t", "text": "x"}', "line 2: needed 'docid' as text, found None"),
        ('{"docid": 9, "title": "t", "text": "x"}', "line 2: needed 'docid' as text, found 9"),
        ('{"docid": "", "title": "t", "text": "x"}', "line 2: the id is empty"),
        ('{"docid": "9#9", "title": "t"}', "line 2: needed 'text' as text, found None"),
        ('{"docid": "9#9", "title": 3, "text": "x"}', "line 2: needed 'title' as text, found 3"),
        (passage("9#0"), "line 2: document '9#0' comes a second time"),
        (passage("10#0"), "line 2: document '10#0' comes a second time"),
        (b'{"docid": "9#9", "text": "\xff"}', "line 2: not valid UTF-8 .byte 27"),
    ],
)
def test_a_spoilt_passage_is_named_by_file_and_line(copy, row, message):
    write_shard(shard(copy, 1), passage("9#0"), row)
    with pytest.raises(ValueError, match=f"docs-1.jsonl.gz, {message}"):
        hub.load_miracl("hi", folder=copy)


def test_a_passage_without_a_title_is_its_text(copy):
    write_shard(
        shard(copy, 1), passage("40#0", "text"), "", '{"docid": "9#1", "title": null, "text": "more"}'
    )
    corpus = hub.load_miracl("hi", folder=copy).corpus
    assert (corpus["40#0"], corpus["9#1"]) == ("text", "more")


def test_a_compressed_file_that_was_cut_off_is_named(copy):
    content = shard(copy, 1).read_bytes()
    shard(copy, 1).write_bytes(content[: len(content) // 2])
    with pytest.raises(
        ValueError, match=r"docs-1.jsonl.gz, after line \d+: the file is cut off or damaged.*get it again"
    ):
        hub.load_miracl("hi", folder=copy)


@pytest.mark.parametrize("file", ["google/collections/english_collection.tsv", "qrels.dev.small.tsv"])
def test_a_git_lfs_pointer_is_recognised(copy, file):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    (copy / "mmarco" / "data" / file).write_text(pointer)
    with pytest.raises(ValueError, match=f"{Path(file).name}: a Git LFS pointer.*git lfs pull"):
        hub.load_msmarco(folder=copy)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (
            "collections/english_collection.tsv",
            b"0\ta\n1 b\n",
            "line 2: 1 columns, needed 2 .id, text, tab-separated.: '1 b'",
        ),
        ("collections/english_collection.tsv", b"0\ta\n1\tb\tc\n", "line 2: 3 columns, needed 2"),
        ("collections/english_collection.tsv", b"0\ta\n\tb\n", "line 2: the id is empty"),
        ("collections/english_collection.tsv", b"0\ta\n0\tb\n", "line 2: document '0' comes a second time"),
        ("collections/english_collection.tsv", b"0\ta\n1\t\xe9\n", "line 2: not valid UTF-8 .byte 3"),
        (
            "queries/dev/english_queries.dev.small.tsv",
            b"1001\ta\n1001\tb\n",
            "line 2: query '1001' comes a second time",
        ),
        ("queries/dev/english_queries.dev.small.tsv", b"1001\n", "line 1: 1 columns, needed 2"),
    ],
)
def test_a_spoilt_line_of_texts_is_named_by_file_and_line(copy, file, content, message):
    (copy / "mmarco" / "data" / "google" / file).write_bytes(content)
    with pytest.raises(ValueError, match=f"{Path(file).name}, {message}"):
        hub.load_mmarco(folder=copy)


@pytest.mark.parametrize(
    ("split", "file", "content", "message"),
    [
        ("dev", "mmarco/data/qrels.dev.small.tsv", "1001\t0\t0\n", "line 1: 3 columns, needed 4"),
        (
            "dev",
            "mmarco/data/qrels.dev.small.tsv",
            "1001\t0\t0\t1.0\n",
            "line 1: grade '1.0' is not a whole number",
        ),
        (
            "dev",
            "mmarco/data/qrels.dev.small.tsv",
            "1001\t0\t0\t1\n1001\t0\t0\t1\n",
            "line 2: .* second judgment",
        ),
        (
            "train",
            "msmarco-qrels/train.tsv",
            "2001\t4\t1\n",
            "line 1: needed the header 'query-id corpus-id score'",
        ),
        (
            "train",
            "msmarco-qrels/train.tsv",
            "query-id\tcorpus-id\tscore\n2001\t4\n",
            "line 2: 2 columns, needed 3",
        ),
        (
            "train",
            "msmarco-qrels/train.tsv",
            "query-id\tcorpus-id\tscore\n2001\t4\t0.5\n",
            "line 2: grade '0.5'",
        ),
        (
            "train",
            "msmarco-qrels/train.tsv",
            "query-id\tcorpus-id\tscore\n2001\t4\t1\n2001\t4\t2\n",
            "line 3: query '2001', document '4' has grade 2 here and 1 above",
        ),
    ],
)
def test_a_spoilt_judgment_is_named_by_file_and_line(copy, split, file, content, message):
    (copy / file).write_text(content)
    with pytest.raises(ValueError, match=f"{Path(file).name}, {message}"):
        hub.load_mmarco(split=split, folder=copy)


def test_windows_line_ends_and_a_byte_order_mark_are_read(copy):
    (copy / "mmarco/data/google/queries/dev/english_queries.dev.small.tsv").write_bytes(
        b"\xef\xbb\xbf1001\tan egg\r\n1002\trust\r\n"
    )
    assert hub.load_msmarco(folder=copy).queries == {"1001": "an egg", "1002": "rust"}


def test_judged_ids_that_nothing_has_are_counted_and_shown(copy):
    with open(copy / "mmarco/data/qrels.dev.small.tsv", "a") as file:
        file.write("1009\t0\t77\t1\n")
    with pytest.warns(UserWarning) as warned:
        dataset = hub.load_msmarco(folder=copy)
    messages = [str(warning.message) for warning in warned]
    assert any("1 of 3 query ids have no text, e.g. '1009'" in message for message in messages)
    assert any("1 of 3 document ids have no text, e.g. '77'" in message for message in messages)
    assert "1009" in dataset.qrels and "1009" not in dataset.queries


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("mmarco/data/qrels.dev.small.tsv", "", "the file holds no judgment"),
        ("mmarco/data/qrels.dev.small.tsv", "9\t0\t0\t1\n", "none of its 1 query ids .e.g. '9'. has a text"),
        ("mmarco/data/qrels.dev.small.tsv", "1001\t0\tx\t1\n", "none of its 1 document ids .e.g. 'x'. has"),
        ("mmarco/data/google/collections/english_collection.tsv", "\n", ".* the file of documents is empty"),
    ],
)
def test_files_that_do_not_belong_together_are_an_error(copy, file, content, message):
    (copy / file).write_text(content)
    with pytest.raises(ValueError, match=f"qrels.dev.small.tsv: {message}"):
        hub.load_msmarco(folder=copy)


class Gated(OSError):
    """As the library's RepositoryNotFoundError, also raised where the conditions are not accepted."""


@pytest.fixture
def library(monkeypatch, tmp_path):
    """A stand-in for huggingface_hub that serves tests/data/hub, or raises the `error` that a test sets."""
    asked = types.SimpleNamespace(error=None, downloads=[], cached=set())

    def hf_hub_download(repo_id, filename, repo_type, cache_dir, local_files_only=False):
        assert (repo_type, cache_dir) == ("dataset", tmp_path / "hub")
        if local_files_only and filename not in asked.cached:
            raise FileNotFoundError("not in the cache")
        if not local_files_only:
            asked.downloads.append((repo_id, filename))
            if asked.error:
                raise asked.error
        return str(HUB / repo_id.split("/")[1] / filename)

    module, utils = types.ModuleType("huggingface_hub"), types.ModuleType("huggingface_hub.utils")
    module.hf_hub_download, utils.RepositoryNotFoundError = hf_hub_download, Gated
    module.hf_hub_url = lambda repo_id, filename, repo_type: f"https://hub.invalid/{repo_id}/{filename}"
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    monkeypatch.setitem(sys.modules, "huggingface_hub.utils", utils)
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path))
    monkeypatch.setattr(fetch, "check_reachable", lambda url: None)
    return asked


def test_without_a_folder_the_hubs_own_file_names_are_asked_for(library):
    dataset = hub.load_miracl("hi")
    assert dataset.qrels == HINDI_DEV
    assert dataset.source == "the Hugging Face hub: miracl/miracl, miracl/miracl-corpus"
    assert library.downloads == [
        ("miracl/miracl", "miracl-v1.0-hi/topics/topics.miracl-v1.0-hi-dev.tsv"),
        ("miracl/miracl", "miracl-v1.0-hi/qrels/qrels.miracl-v1.0-hi-dev.tsv"),
        ("miracl/miracl-corpus", "miracl-corpus-v1.0-hi/docs-0.jsonl.gz"),
        ("miracl/miracl-corpus", "miracl-corpus-v1.0-hi/docs-1.jsonl.gz"),
    ]


def test_msmarcos_training_labels_are_asked_for_where_beir_keeps_them(library):
    assert hub.load_msmarco("train").source == "the Hugging Face hub: unicamp-dl/mmarco, BeIR/msmarco-qrels"
    assert library.downloads == [
        ("unicamp-dl/mmarco", "data/google/queries/train/english_queries.train.tsv"),
        ("BeIR/msmarco-qrels", "train.tsv"),
        ("unicamp-dl/mmarco", "data/google/collections/english_collection.tsv"),
    ]


def test_a_file_of_the_corpus_that_is_not_needed_is_not_downloaded(library):
    documents = hub.stream_miracl_corpus("hi")
    next(documents)
    assert library.downloads == [("miracl/miracl-corpus", "miracl-corpus-v1.0-hi/docs-0.jsonl.gz")]


def test_a_file_in_the_cache_needs_no_network(library, monkeypatch):
    def unreachable(url):
        raise fetch.Unavailable("nothing may be asked")

    monkeypatch.setattr(fetch, "check_reachable", unreachable)
    library.cached = {f"miracl-corpus-v1.0-hi/docs-{number}.jsonl.gz" for number in (0, 1)}
    assert len(list(hub.stream_miracl_corpus("hi"))) == 6
    assert library.downloads == []


def test_offline_it_is_unavailable_and_the_other_way_is_named(library, monkeypatch):
    monkeypatch.setattr(fetch, "check_reachable", CHECK_REACHABLE)
    monkeypatch.setenv("MEASURE_FIRST_OFFLINE", "1")
    with pytest.raises(
        fetch.Unavailable, match="miracl/miracl cannot be had .MEASURE_FIRST_OFFLINE is set.*; give folder="
    ):
        hub.load_miracl("hi")
    assert library.downloads == []


def test_without_the_library_the_message_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(
        fetch.Unavailable, match="pip install huggingface_hub; or give folder=.*miracl/miracl"
    ):
        hub.load_miracl("hi")


def test_a_gated_repository_says_how_to_be_let_in(library):
    library.error = Gated("401 Client Error.\n\nCannot access gated repo")
    with pytest.raises(fetch.Unavailable) as raised:
        hub.load_miracl("hi")
    message = str(raised.value)
    assert (
        "accept the conditions on https://huggingface.co/datasets/miracl/miracl and set HF_TOKEN" in message
    )
    assert "401 Client Error" in message and "or give folder=" in message and "\n" not in message


@pytest.mark.parametrize(
    "error", [TimeoutError("timed out"), RuntimeError("the transfer broke"), OSError(28, "No space left")]
)
def test_whatever_the_transfer_raises_the_collection_is_unavailable(library, error):
    library.error = error
    with pytest.raises(
        fetch.Unavailable, match=f"of unicamp-dl/mmarco cannot be had .{type(error).__name__}: .*give folder="
    ):
        hub.load_msmarco()
