"""Many shards answer as one index does, to the last bit, wherever they lie and whatever happens to one."""

import importlib
import json
import random
import shutil
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from helpers.base import files
from helpers.retrieval import VARIANTS, CollectionStatistics, CsrBM25, SparseIndex, packed, weigh
from helpers.scale import (
    DamagedShards,
    Exact,
    ShardedIndex,
    check_shards,
    count_shard,
    merge_statistics,
    merge_top,
    rebuild_shard,
    shard_files,
    statistics,
    write_shards,
)

# Few terms, so that scores are often equal, and documents without any.
TEXTS = st.lists(st.sampled_from("abcde"), max_size=6).map(" ".join)
IDS = st.text("dé\ud800𝕏10 \n", max_size=3)
CORPORA = st.dictionaries(IDS, TEXTS, min_size=1, max_size=20)
QUERIES = st.lists(st.lists(st.sampled_from("abcdef"), max_size=5).map(" ".join), max_size=4)
SCORING = st.fixed_dictionaries(
    {"variant": st.sampled_from(sorted(VARIANTS))}, optional={"b": st.just(0.75), "k1": st.just(1.2)}
).filter(lambda scoring: scoring["variant"] != "tf-idf" or len(scoring) == 1)
CORPUS = {f"d{number:02}": text for number, text in enumerate(["a b", "b b c", "", "a", "c a b", "e", "b"])}
ASKED = {"q1": "a b", "q2": "c", "q3": "unknown", "q4": "b e b"}


def words(text):
    return text.split()


def numbered(texts):
    return {f"q{number}": text for number, text in enumerate(texts)}


@pytest.fixture
def stored(tmp_path):
    write_shards(tmp_path / "index", CORPUS, 3, words)
    return tmp_path / "index"


@settings(max_examples=50)
@given(CORPORA, QUERIES, st.integers(1, 16), st.integers(0, 25), SCORING)
def test_any_number_of_shards_gives_what_one_index_gives(corpus, queries, shards, k, scoring):
    queries = numbered(queries)
    one, many = CsrBM25(corpus, words, **scoring), ShardedIndex(corpus, None, shards, words, **scoring)
    assert many.search(queries, k) == one.search(queries, k)
    assert (many.query_weights.tobytes(), many.absent.tobytes()) == (
        one.query_weights.tobytes(),
        one.absent.tobytes(),
    )


@settings(max_examples=15)
@given(st.data(), CORPORA, QUERIES, st.integers(1, 8), st.integers(0, 25), SCORING)
def test_shards_on_disk_give_the_same_for_documents_in_any_order(
    tmp_path_factory, data, corpus, queries, size, k, scoring
):
    folder, queries = tmp_path_factory.mktemp("shards") / "index", numbered(queries)
    documents = data.draw(st.permutations(list(corpus.items())))
    write_shards(folder, iter(documents), size, words, **scoring)
    many = ShardedIndex.open(folder, analyzer=words)
    assert len(many.index.shards) == -(-len(corpus) // size)
    assert list(many.doc_ids) == sorted(corpus)
    one = CsrBM25(corpus, words, **scoring)
    assert many.search(queries, k) == one.search(queries, k)
    # A shard is lost, noticed by name, and built again alone: the same bytes.
    lost = data.draw(st.sampled_from([shard.name for shard in folder.glob("shard-*")]))
    shutil.rmtree(folder / lost)
    with pytest.raises(DamagedShards, match=lost) as error:
        ShardedIndex.open(folder, analyzer=words)
    assert error.value.shards == [lost]
    rebuild_shard(folder, lost, iter(documents), words)
    assert ShardedIndex.open(folder, analyzer=words).search(queries, k) == one.search(queries, k)


def test_scifact_gives_the_same_bytes(scifact):
    one = CsrBM25(scifact.corpus, lucene_lengths=True)
    many = ShardedIndex(scifact.corpus, None, 16, lucene_lengths=True)
    assert many.search(scifact.queries, 1000) == one.search(scifact.queries, 1000)


@pytest.mark.parametrize("shards", [2, 7, 138])
def test_the_runbooks_give_the_same_bytes_in_memory_and_from_disk(runbooks, shards, tmp_path):
    one = CsrBM25(runbooks.corpus, lucene_lengths=True).search(runbooks.queries, 1000)
    assert (
        ShardedIndex(runbooks.corpus, None, shards, lucene_lengths=True).search(runbooks.queries, 1000) == one
    )
    if shards < 10:  # a file or six for each
        documents = list(runbooks.corpus.items())
        random.Random(shards).shuffle(documents)
        write_shards(tmp_path / "index", documents, -(-len(documents) // shards), lucene_lengths=True)
        assert ShardedIndex.open(tmp_path / "index").search(runbooks.queries, 1000) == one


def test_a_shard_weighed_by_its_own_statistics_would_score_otherwise():
    """The trap: N, the mean length and the df of a shard are not those of the collection."""
    left = count_shard(np.array([0, 1]), ["a b", "b b c"], words)
    whole = merge_statistics([statistics(left), statistics(count_shard(np.array([2]), ["c a a b"], words))])
    local = weigh(left.counts).query
    total = weigh(left.counts, statistics=whole.in_columns).query
    assert (whole.n_documents, whole.n_occurrences, whole.df) == (3, 9, {"a": 2, "b": 3, "c": 2})
    # ln(1 + (N − df + 0.5) / (df + 0.5)) of a, of 1 in 2 documents there and 2 in 3 here.
    assert local[0] == np.float32(np.log(1 + 1.5 / 1.5))
    assert total[0] == np.float32(np.log(1 + 1.5 / 2.5))


@settings(max_examples=20)
@given(st.permutations(range(4)), st.integers(1, 3))
def test_statistics_merge_in_any_order_and_in_any_grouping(order, cut):
    texts = ["b a", "c b", "", "a d a"]
    parts = [statistics(count_shard(np.array([n]), [texts[n]], words)) for n in order]
    total = merge_statistics([merge_statistics(parts[:cut]), merge_statistics(parts[cut:])])
    whole = statistics(count_shard(np.arange(4), texts, words))
    assert (total.n_documents, total.n_occurrences) == (whole.n_documents, whole.n_occurrences)
    assert list(total.df.items()) == list(whole.df.items())  # in the order of first occurrence


def test_equal_scores_go_by_the_higher_number_across_shards():
    left = np.array([[6, 0], [3, -1]], np.int32), np.array([[2, 1], [1, 0]], np.float32)
    right = np.array([[9, 4], [-1, -1]], np.int32), np.array([[2, 1], [0, 0]], np.float32)
    numbers, scores = merge_top([left, right], k=3)
    assert numbers.tolist() == [[9, 6, 4], [3, -1, -1]]
    assert scores.tolist() == [[2, 2, 1], [1, 0, 0]]


def test_a_score_is_explained_as_by_one_index(stored):
    one, many = CsrBM25(CORPUS, words), ShardedIndex(CORPUS, None, 3, words)
    assert many.explain("a b zebra", "d04").equals(one.explain("a b zebra", "d04"))
    opened = ShardedIndex.open(stored, analyzer=words)
    with pytest.raises(ValueError, match="keeps no texts.*set the attribute `corpus`"):
        opened.explain("a", "d04")
    opened.corpus = CORPUS
    assert opened.explain("a b", "d04").equals(one.explain("a b", "d04"))


def test_shards_are_searched_by_machine_code_where_it_is_worth_loading_for_all_of_them(monkeypatch):
    asked_for = []
    monkeypatch.setattr(SparseIndex, "_compile", lambda index, n_postings: asked_for.append(n_postings))
    ShardedIndex(CORPUS, None, 3, words).search({"q1": "a b", "q2": "b"}, 5)
    assert asked_for == [11, 11, 11]  # a is in three documents, b in four


def test_a_retriever_says_how_many_shards_it_has():
    name = ShardedIndex(CORPUS, None, 3, words).name
    assert name == "BM25, Lucene idf, k1=0.9, b=0.4, words, shards: 3"


# Disk.


@pytest.mark.parametrize(
    ("file", "shards"),
    [("shard-0001/weights.npy", ["shard-0001"]), ("terms.json", []), ("shards.json", [])],
)
def test_a_flipped_byte_is_noticed_and_named(stored, file, shards):
    content = bytearray((stored / file).read_bytes())
    content[-2] ^= 1
    (stored / file).write_bytes(content)
    cure = "rebuild it alone" if shards else "write all of it again"
    with pytest.raises(DamagedShards, match=cure) as error:
        ShardedIndex.open(stored, analyzer=words)
    assert error.value.shards == shards


def test_only_sizes_are_looked_at_where_that_is_asked_for(stored):
    file = stored / "shard-0001" / "weights.npy"
    content = bytearray(file.read_bytes())
    content[-2] ^= 1
    file.write_bytes(content)
    check_shards(stored, verify=False)
    file.write_bytes(content[:-1])
    with pytest.raises(DamagedShards, match="shard-0001: weights.npy is not what was written"):
        check_shards(stored, verify=False)


def test_a_shard_is_not_rebuilt_from_other_documents(stored):
    before = {path: path.read_bytes() for path in sorted(stored.rglob("*")) if path.is_file()}
    for documents, said in [
        (CORPUS | {"d03": "a a"}, "would be another than was written"),
        (CORPUS | {"d03": "zebra"}, "1 term that the index does not have, zebra"),
        ({"new": "a"} | CORPUS, "another than was written|would be"),
        ({f"x{doc_id}": text for doc_id, text in CORPUS.items()}, "'xd03' is not in the index"),
        ({}, "would be another"),
    ]:
        with pytest.raises(ValueError, match=said):
            rebuild_shard(stored, "shard-0001", documents, words)
    assert {path: path.read_bytes() for path in sorted(stored.rglob("*")) if path.is_file()} == before
    with pytest.raises(ValueError, match="no shard 'shard-9'; it has shard-0000, shard-0001, shard-0002"):
        rebuild_shard(stored, "shard-9", CORPUS, words)


def test_an_index_is_written_whole_or_not_at_all(stored):
    def failing():
        yield from CORPUS.items()
        raise RuntimeError("the stream broke")

    with pytest.raises(RuntimeError):
        write_shards(stored, failing(), 2, words)
    assert [path.name for path in stored.parent.iterdir()] == ["index"]
    assert ShardedIndex.open(stored, analyzer=words).search(ASKED, 5) == CsrBM25(CORPUS, words).search(
        ASKED, 5
    )
    write_shards(stored, [("x", "a")], 2, words)  # and another index may take its place
    assert ShardedIndex.open(stored, analyzer=words).search({"q": "a"}, 5).keys() == {"q"}


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(ValueError, match="holds other files, which would be lost"):
        write_shards(tmp_path, CORPUS)
    with pytest.raises(FileNotFoundError, match="holds no index in shards; write_shards puts one there"):
        ShardedIndex.open(tmp_path)


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ([], "there is no document to index"),
        ([("d1", "a"), ("d2", "b"), ("d1", "c")], "document 'd1' comes twice"),
        (["d1"], "document 0 is 'd1'; needed a pair"),
        ([("d1", "a"), (2, "b")], "document 1: doc_id 2 is of type int"),
        ([("d1", None)], "document 'd1' is of type NoneType"),
        ("text", "documents is the text 'text'"),
    ],
)
def test_what_is_no_stream_of_documents_is_refused(tmp_path, documents, said):
    with pytest.raises(ValueError, match=said):
        write_shards(tmp_path / "index", documents, 2)
    assert not list(tmp_path.iterdir())


def test_another_analyzer_is_noticed_when_the_index_is_opened(stored):
    with pytest.raises(ValueError, match="was written with another analyzer"):
        ShardedIndex.open(stored)


def test_ids_on_disk_are_looked_up_like_a_list(tmp_path, monkeypatch):
    ids = sorted(["", "\ud800", "é", "𝕏", "a\nb", "z"])
    monkeypatch.setattr(shard_files, "_IDS_AT_A_TIME", 2)
    write_shards(tmp_path / "index", [(doc_id, "a") for doc_id in ids[::-1]], 4, words)
    doc_ids = ShardedIndex.open(tmp_path / "index", analyzer=words).doc_ids
    assert (list(doc_ids), doc_ids[:], doc_ids[-1], doc_ids[4:1:-2]) == (ids, ids, ids[-1], ids[4:1:-2])
    with pytest.raises(IndexError):
        doc_ids[6]
    assert json.loads((tmp_path / "index" / "shards.json").read_bytes())["n_documents"] == 6


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"shards": 0}, "shards is 0; needed a whole number"),
        ({"client": "tcp://scheduler"}, "client is a str; needed a distributed.Client"),
        ({"variant": "bm26"}, "variant is 'bm26'"),
        ({"analyzer": "english"}, "analyzer is 'english'"),
    ],
)
def test_what_is_no_sharded_index_is_refused(arguments, said):
    with pytest.raises(ValueError, match=said):
        ShardedIndex(CORPUS, **arguments)


def test_statistics_that_are_not_of_the_whole_are_refused():
    counts = csr_matrix([[1, 0], [1, 1]])
    for n, occurrences, df in [(1, 3, [2, 1]), (2, 2, [2, 1]), (2, 3, [1, 1])]:
        with pytest.raises(ValueError, match="add up the statistics of every part"):
            weigh(counts, statistics=CollectionStatistics(n, occurrences, np.array(df)))
    with pytest.raises(ValueError, match="statistics of 1 terms, counts of 2"):
        weigh(counts, statistics=CollectionStatistics(2, 3, np.array([2])))


# Several machines: Dask, here as two workers in this process.


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="needs Dask: pip install distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield SimpleNamespace(cluster=cluster, client=client)


def test_on_a_cluster_the_same_bytes_come_back_though_a_worker_is_lost(cluster, stored):
    one = CsrBM25(CORPUS, words)
    many = ShardedIndex(CORPUS, cluster.client, 3, words)
    opened = ShardedIndex.open(stored, cluster.client, words)
    for index in (many, opened):
        assert index.search(ASKED, 5) == one.search(ASKED, 5)
    assert many.explain("a b", "d04").equals(one.explain("a b", "d04"))
    # The worker that holds most shards goes without a word; what it had is made again by the other.
    held = cluster.client.has_what()
    shards = {future.key for future in many.index.shards + opened.index.shards}
    workers = {worker.address: worker for worker in cluster.cluster.workers.values()}
    lost = max(workers, key=lambda address: len(shards & set(held[address])))
    assert shards & set(held[lost])
    cluster.cluster.sync(workers[lost].close, nanny=False)
    for index in (many, opened):
        assert index.search(ASKED, 5) == one.search(ASKED, 5)
    assert len(cluster.client.scheduler_info()["workers"]) == 1


# The stored benchmark.


@pytest.fixture(scope="module")
def benchmark():
    return json.loads((files.ROOT / "evals" / "benchmarks" / "scale_shards.json").read_bytes())


def test_the_stored_benchmark_found_no_difference_anywhere(benchmark):
    assert all(one["equal with 1 to 16 shards"] for one in benchmark["real"]["collections"].values())
    assert benchmark["million"]["equal"] and benchmark["large"]["equal"]
    assert benchmark["large"]["scipy"]["equal"] and benchmark["dask"]["equal"]
    assert benchmark["dask"]["equal after a worker was killed"]


def test_both_stored_pages_are_what_the_measurements_give(benchmark, monkeypatch, tmp_path):
    folder = files.ROOT / "evals" / "benchmarks"
    monkeypatch.syspath_prepend(folder)
    pages = importlib.import_module("scale_pages")
    monkeypatch.setattr(pages, "HERE", tmp_path)
    pages.write(benchmark)
    for name in ("scale_shards.md", "a_billion_documents.md"):
        assert (tmp_path / name).read_text("utf-8") == (folder / name).read_text("utf-8")


def test_lists_with_scores_below_zero_are_merged_best_first():
    left = np.array([[1, 2]], np.int32), np.array([[-0.1, -0.5]], np.float32)
    right = np.array([[5, 6, -1]], np.int32), np.array([[-0.2, -0.9, 0.0]], np.float32)
    numbers, scores = merge_top([left, right], k=5)
    assert numbers.tolist() == [[1, 5, 2, 6, -1]]
    assert scores.round(1)[0, :4].tolist() == np.float32([-0.1, -0.2, -0.5, -0.9]).tolist()


def test_lists_of_vector_indexes_are_merged_to_that_of_one():
    points = np.random.default_rng(0).standard_normal((60, 4)).astype(np.float32)
    rows, scores = Exact(points).nearest(points[:5], 50)
    parts = []
    for start in (0, 20, 40):
        own, of_own = Exact(points[start : start + 20]).nearest(points[:5], 30)
        parts.append((np.where(own < 0, -1, own + start), of_own))
    merged = merge_top(parts, 50)
    assert merged[0].tolist() == rows.tolist()
    assert merged[1].tolist() == scores.tolist()


def test_lists_of_other_queries_are_not_merged():
    def found(n):
        return np.zeros((n, 2), np.int32), np.ones((n, 2), np.float32)

    with pytest.raises(ValueError, match="of the same queries from every shard"):
        merge_top([found(1), found(2)], 1)
    with pytest.raises(ValueError, match="of type int64, scores of type float64; needed int32 and float32"):
        packed(np.array([1]), np.array([1.0]))


def test_an_analyzer_that_differs_in_words_of_the_documents_alone_is_another(tmp_path):
    def dogs(text):
        return ["dog" if term == "mutt" else term for term in text.split()]

    write_shards(tmp_path / "index", {"d1": "a mutt", "d2": "a bird"}, analyzer=dogs)
    opened = ShardedIndex.open(tmp_path / "index", analyzer=dogs)
    assert [doc_id for doc_id, _ in opened.search({"q": "mutt"})["q"]] == ["d1"]
    with pytest.raises(ValueError, match=r"makes \['mutt'\] of 'mutt', of which .* made \['dog'\]"):
        ShardedIndex.open(tmp_path / "index", analyzer=str.split)


def test_an_index_on_disk_has_terms_of_text(tmp_path):
    for term in (("a", "b"), b"a"):
        with pytest.raises(ValueError, match="<lambda> gave the term .*; terms on disk are text"):
            write_shards(tmp_path / "index", {"d1": "a b"}, analyzer=lambda text: [term])  # noqa: B023
