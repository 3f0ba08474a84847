"""Search engines that exist, behind our `search`: given our terms or weights, they find what we find.

Each engine's tests are skipped where its package is not installed (extras `engines` and `lancedb`).
"""

import ast
import doctest
import importlib
import inspect
import json
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from helpers import scale
from helpers.base import files
from helpers.datasets import load_runbooks
from helpers.retrieval import CsrBM25, DenseRetriever
from helpers.scale import (
    Bm25s,
    DuckDbBM25,
    DuckDbFTS,
    LanceDbBM25,
    LanceDbVectors,
    QdrantBM25,
    QdrantVectors,
    TantivyBM25,
    tantivy_terms,
)

PACKAGE = {
    TantivyBM25: "tantivy",
    Bm25s: "bm25s",
    DuckDbBM25: "duckdb",
    DuckDbFTS: "duckdb",
    LanceDbBM25: "lancedb",
    LanceDbVectors: "lancedb",
    QdrantBM25: "qdrant_client",
    QdrantVectors: "qdrant_client",
}
EXTRA = {"lancedb": "lancedb"}
LUCENE_DEFAULTS = {"k1": 1.2, "b": 0.75}
SAME_AS = {  # with our terms: our own arguments for the same scores, and their factor
    TantivyBM25: ({**LUCENE_DEFAULTS, "lucene_lengths": True}, 2.2),
    Bm25s: ({}, 1.0),
    DuckDbBM25: ({}, 1.0),
    LanceDbBM25: (LUCENE_DEFAULTS, 2.2),
    QdrantBM25: ({}, 1.0),
}
VECTORS = (LanceDbVectors, QdrantVectors)
FOLDER = files.ROOT / "evals" / "benchmarks"


def installed(engine: type) -> bool:
    return find_spec(PACKAGE[engine]) is not None


def only_with(engine: type):
    return pytest.mark.skipif(not installed(engine), reason=f"{PACKAGE[engine]} is not installed")


def engines(*classes: type) -> list:
    return [pytest.param(one, marks=only_with(one), id=one.__name__) for one in classes]


def has_fts() -> bool:
    if not installed(DuckDbFTS):
        return False
    try:
        DuckDbFTS({"d1": "a cat"})
    except RuntimeError:  # neither installed nor to be downloaded
        return False
    return True


@pytest.fixture(scope="module")
def runbooks():
    return load_runbooks(queries="core")


def assert_same(found: dict, ours: dict, factor: float = 1.0) -> None:
    """The same documents with the same scores, in an order that differs only where those are equal."""
    for query_id, hits in ours.items():
        expected = {doc_id: score * factor for doc_id, score in hits}
        assert dict(found[query_id]) == pytest.approx(expected, rel=5e-6)
        in_their_order = [expected[doc_id] for doc_id, _ in found[query_id]]
        assert in_their_order == pytest.approx([score * factor for _, score in hits], rel=5e-6)


# Equal to ours


@pytest.mark.parametrize("engine", engines(*SAME_AS))
def test_an_engine_that_is_given_our_terms_has_our_scores_on_the_runbooks(engine, runbooks):
    arguments, factor = SAME_AS[engine]
    ours = CsrBM25(runbooks.corpus, **arguments).search(runbooks.queries, k=len(runbooks.corpus))
    assert_same(engine(runbooks.corpus).search(runbooks.queries, len(runbooks.corpus)), ours, factor)


WORDS = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)
CORPORA = st.lists(WORDS, min_size=1, max_size=8).map(
    lambda texts: {f"d{i}": text for i, text in enumerate(texts)}
)
ASKED = st.lists(st.lists(st.sampled_from("abcde"), max_size=4).map(" ".join), min_size=1, max_size=3).map(
    lambda texts: {f"q{i}": text for i, text in enumerate(texts)}
)


@pytest.mark.parametrize("engine", engines(*SAME_AS))
@given(corpus=CORPORA, queries=ASKED, k=st.integers(1, 9))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_ties_empty_documents_and_unknown_terms_change_nothing(engine, corpus, queries, k):
    if engine is LanceDbBM25:  # it does not count a document without a term; see below
        corpus = {doc_id: text for doc_id, text in corpus.items() if text}
        assume(corpus)
    arguments, factor = SAME_AS[engine]
    retriever = engine(corpus, str.split)
    found = retriever.search(queries, k=9)
    assert_same(found, CsrBM25(corpus, str.split, **arguments).search(queries, k=9), factor)
    for query_id, hits in found.items():
        # Best first, equal scores by doc_id down; and the k best are the first k of all.
        assert hits == sorted(hits, key=lambda hit: (hit[1], hit[0]), reverse=True)
        assert retriever.search({query_id: queries[query_id]}, k)[query_id] == hits[:k]


@pytest.mark.parametrize("engine", engines(*SAME_AS))
def test_of_many_equal_documents_the_highest_ids_are_found(engine):
    corpus = {f"d{i:02}": "a cat" for i in range(40)} | {"e": "cat cat"}
    found = engine(corpus, str.split).search({"q": "cat"}, k=3)["q"]
    assert {doc_id for doc_id, _ in found} == {"e", "d39", "d38"}


@pytest.mark.parametrize("engine", engines(LanceDbBM25))
def test_lancedb_counts_no_document_without_a_term(engine):
    corpus = {"d1": "a b", "d2": "a c c", "d3": "", "d4": "b"}
    without = {doc_id: text for doc_id, text in corpus.items() if text}
    found = engine(corpus, str.split).search({"q": "a b"}, 9)
    assert_same(found, CsrBM25(without, str.split, **LUCENE_DEFAULTS).search({"q": "a b"}, 9), 2.2)


@pytest.mark.parametrize("engine", engines(*SAME_AS, DuckDbFTS))
def test_operators_and_quotes_in_a_query_are_only_text(engine):
    if engine is DuckDbFTS and not has_fts():
        pytest.skip("DuckDB's extension fts is not to be had")
    retriever = engine({"d1": 'a cat\'s "tail"', "d2": "dogs"})
    odd = {"q1": 'NOT cat AND "tail', "q2": "?*:^~()[]{} '' \"", "q3": ""}
    found = retriever.search(odd, k=10)
    assert [doc_id for doc_id, _ in found["q1"]] == ["d1"] and not found["q2"] and not found["q3"]


# Each engine's own terms


@only_with(TantivyBM25)
@pytest.mark.parametrize("name", ["default", "en_stem"])
def test_tantivys_own_analyzers_are_terms_like_any_others(name, runbooks):
    def terms(text):
        return tantivy_terms(text, name)

    ours = CsrBM25(runbooks.corpus, terms, lucene_lengths=True, **LUCENE_DEFAULTS)
    found = TantivyBM25(runbooks.corpus, name).search(runbooks.queries, 160)
    assert_same(found, ours.search(runbooks.queries, 160), 2.2)


@pytest.mark.skipif(not has_fts(), reason="DuckDB's extension fts is not to be had")
def test_duckdbs_full_text_search_is_lucenes_bm25_over_its_own_terms(runbooks):
    theirs, asked = DuckDbFTS(runbooks.corpus), dict(list(runbooks.queries.items())[:8])
    ours = CsrBM25(runbooks.corpus, theirs.terms, **LUCENE_DEFAULTS)
    ours.analyzer = theirs.query_terms
    # Their logarithm has base 10.
    assert_same(theirs.search(asked, 160), ours.search(asked, 160), 2.2 / np.log(10))
    once, twice = (theirs.search({"q": text}, 9) for text in ("kafka", "kafka kafka"))
    assert once == twice and once["q"]
    assert theirs.terms("The mean IL-6 fell by 3.7") == ["il", "fell"]
    assert "mean" in theirs.query_terms("the mean") and theirs.terms("meaning") == ["mean"]


@only_with(LanceDbBM25)
def test_lancedbs_default_stems_and_drops_stopwords_and_its_simple_one_does_neither():
    corpus = {"d1": "The Cafés closed", "d2": "a cafe was closing", "d3": "was"}
    queries = {"stem": "closes", "stopword": "was", "accent": "CAFÉ"}
    default, simple = (LanceDbBM25(corpus, name).search(queries, 9) for name in ("default", "simple"))
    assert {q: len(hits) for q, hits in default.items()} == {"stem": 2, "stopword": 0, "accent": 2}
    assert {q: len(hits) for q, hits in simple.items()} == {"stem": 0, "stopword": 2, "accent": 1}


# Filters


@pytest.mark.parametrize("engine", engines(*SAME_AS))
def test_filtered_before_the_search_the_k_best_of_the_group_are_found_and_after_it_fewer(engine, runbooks):
    groups = {doc_id: f"shop's {i % 20}" for i, doc_id in enumerate(sorted(runbooks.corpus))}
    queries = dict(list(runbooks.queries.items())[:4])
    asked = {query_id: f"shop's {number}" for number, query_id in enumerate(queries)}
    retriever = engine(runbooks.corpus, groups=groups)
    whole = retriever.search(queries, k=160)
    in_group = {q: [hit for hit in whole[q] if groups[hit[0]] == asked[q]] for q in queries}
    before = retriever.search_in_group(queries, asked, k=5)
    after = retriever.search_in_group(queries, asked, k=5, filtered="after")
    assert before == {q: hits[:5] for q, hits in in_group.items()}
    assert after == {q: [hit for hit in whole[q][:5] if groups[hit[0]] == asked[q]] for q in queries}
    assert sum(map(len, after.values())) < sum(map(len, before.values()))


# Vectors


class Letters:
    """How often a text has each of the first four letters."""

    name = "letters"

    def encode(self, texts):
        return [[text.count(letter) for letter in "abcd"] for text in texts]


@pytest.mark.parametrize("engine", engines(*VECTORS))
@given(corpus=CORPORA, queries=ASKED)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_vectors_without_an_index_are_searched_exactly(engine, corpus, queries):
    assume(any(corpus.values()))
    found = engine(corpus, Letters()).search(queries, 9)
    for query_id, hits in DenseRetriever(corpus, Letters()).search(queries, 9).items():
        assert dict(found[query_id]) == pytest.approx(dict(hits), abs=2e-6)


@pytest.mark.parametrize("engine", engines(*VECTORS))
def test_vectors_are_filtered_before_or_after_the_search_too(engine):
    corpus = {f"d{i}": "a" * (10 - i) + "b" * i for i in range(10)}
    groups = {doc_id: "odd" if int(doc_id[1:]) % 2 else "even" for doc_id in corpus}
    retriever = engine(corpus, Letters(), groups=groups)
    before = retriever.search_in_group({"q": "a"}, {"q": "odd"}, k=2)["q"]
    after = retriever.search_in_group({"q": "a"}, {"q": "odd"}, k=3, filtered="after")["q"]
    assert [doc_id for doc_id, _ in before] == ["d1", "d3"] and [doc_id for doc_id, _ in after] == ["d1"]


@only_with(LanceDbVectors)
def test_an_index_of_cells_finds_only_what_lies_in_the_cells_that_are_probed():
    rng = np.random.default_rng(0)
    corpus = {f"d{i:03}": " ".join(map(str, row)) for i, row in enumerate(rng.normal(size=(300, 8)))}

    class Numbers:
        name = "numbers"

        def encode(self, texts):
            return [[float(value) for value in text.split()] for text in texts]

    queries = {"q": corpus["d007"]}
    exact = LanceDbVectors(corpus, Numbers()).search(queries, 300)["q"]
    one, all_cells = (LanceDbVectors(corpus, Numbers(), cells=8, probes=n) for n in (1, 8))
    assert dict(all_cells.search(queries, 300)["q"]) == pytest.approx(dict(exact), abs=1e-5)
    assert len(one.search(queries, 300)["q"]) < 300


# Places


@only_with(QdrantBM25)
def test_qdrant_on_a_server_finds_what_qdrant_in_the_process_finds(runbooks):
    from qdrant_server import serving

    corpus = dict(list(runbooks.corpus.items())[:40])
    queries = dict(list(runbooks.queries.items())[:5])
    groups = {doc_id: str(i % 2) for i, doc_id in enumerate(corpus)}
    asked = dict.fromkeys(queries, "1")
    here = QdrantBM25(corpus, groups=groups)
    with serving() as (url, seen):
        there = QdrantBM25(corpus, groups=groups, url=url, api_key="secret", collection="pages")
        assert there.search(queries, 10) == here.search(queries, 10)
        assert there.search_in_group(queries, asked, 5) == here.search_in_group(queries, asked, 5)
        with pytest.raises(ValueError, match="has a collection 'pages' already; give another name"):
            QdrantBM25(corpus, url=url, collection="pages")
        vectors = QdrantVectors(corpus, Letters(), url=url)
        assert vectors.search(queries, 5) == QdrantVectors(corpus, Letters()).search(queries, 5)
        there.client.delete_collection("pages")
        there.close()
        vectors.close()
    assert {("PUT", "/collections/pages/index"), ("POST", "/collections/pages/points/query")} <= {
        (method, path) for method, path, _ in seen
    }
    assert all(headers["api-key"] == "secret" for _, path, headers in seen if "pages/points" in path)


@pytest.mark.parametrize("engine", engines(TantivyBM25, DuckDbBM25, LanceDbBM25, QdrantBM25))
def test_an_index_in_files_finds_what_one_in_memory_finds_and_is_never_written_over(engine, tmp_path):
    corpus, queries = {"d1": "a cat sat", "d2": "two cats and a dog"}, {"q1": "cats"}
    in_files = engine(corpus, path=tmp_path / "index")
    assert in_files.search(queries, 5) == engine(corpus).search(queries, 5)
    if engine is QdrantBM25:
        in_files.close()
    with pytest.raises(ValueError, match="index|collection"):
        engine(corpus, path=tmp_path / "index")


@only_with(TantivyBM25)
def test_the_workbench_takes_an_engine_by_its_name(tmp_path):
    from workbench.corpus import CorpusFolder, SourceDocument
    from workbench.systems import open_system

    corpus = CorpusFolder.init(tmp_path / "pets")
    corpus.add(SourceDocument(name, "", text, name) for name, text in {"a": "A cat", "b": "A dog"}.items())
    system = open_system("helpers.scale:TantivyBM25", corpus)
    assert [doc_id for doc_id, _ in system.search({"q1": "cats"}, 5)["q1"]] == ["a"]


# Errors, and what is not installed


def test_the_room_is_entered_without_any_engine():
    packages = {*PACKAGE.values(), "pyarrow"}
    for name, module in sys.modules.items():
        if name.startswith("helpers.scale"):
            tree = ast.parse(inspect.getsource(module))
            imported = {alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
            imported |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
            assert not packages & {one.partition(".")[0] for one in imported}


@pytest.mark.parametrize("engine", PACKAGE, ids=lambda engine: engine.__name__)
def test_an_engine_that_is_not_installed_is_named_with_the_command_that_installs_it(engine, monkeypatch):
    name = PACKAGE[engine]
    monkeypatch.setitem(sys.modules, name, None)
    arguments = (Letters(),) if engine in VECTORS else ()
    extra = EXTRA.get(name, "engines")
    says = rf"needs the package {name}: pip install 'measure-first\[{extra}\]'"
    with pytest.raises(ModuleNotFoundError, match=says):
        engine({"d1": "a cat"}, *arguments)


@pytest.mark.parametrize("engine", engines(*SAME_AS))
def test_bad_input_is_refused_as_by_every_other_retriever(engine):
    with pytest.raises(ValueError, match="the corpus holds no document"):
        engine({})
    with pytest.raises(ValueError, match="groups has no entry for document 'd2'"):
        engine({"d1": "a", "d2": "b"}, groups={"d1": "x"})
    with pytest.raises(ValueError, match="groups has a group named ''; needed a name"):
        engine({"d1": "a"}, groups={"d1": ""})
    retriever = engine({"d1": "cat"})
    with pytest.raises(ValueError, match="made without groups; give it groups="):
        retriever.search_in_group({"q": "cat"}, {"q": "x"})
    with pytest.raises(ValueError, match="k is -1"):
        retriever.search({"q": "cat"}, k=-1)
    with pytest.raises(ValueError, match="queries"):
        retriever.search(["cat"])
    grouped = engine({"d1": "cat"}, groups={"d1": "x"})
    with pytest.raises(ValueError, match="groups has none for query 'q'"):
        grouped.search_in_group({"q": "cat"}, {})
    with pytest.raises(ValueError, match="filtered is 'during'"):
        grouped.search_in_group({"q": "cat"}, {"q": "x"}, filtered="during")
    assert retriever.search({"q": "cat"}, k=0) == {"q": []}
    assert grouped.search_in_group({"q": "cat"}, {"q": "no such group"}) == {"q": []}


@pytest.mark.parametrize("engine", engines(*PACKAGE))
def test_the_example_of_each_engine_runs(engine):
    if engine is DuckDbFTS and not has_fts():
        pytest.skip("DuckDB's extension fts is not to be had")
    text = inspect.getdoc(engine).replace("# doctest: +SKIP", "")
    examples = doctest.DocTestParser().get_doctest(text, vars(scale).copy(), engine.__name__, None, 0)
    assert examples.examples and not doctest.DocTestRunner().run(examples).failed


# The stored benchmark


@pytest.fixture(scope="module")
def stored():
    return json.loads((FOLDER / "engines.json").read_text(encoding="utf-8"))


def test_given_our_terms_the_engines_rank_all_of_scifact_as_we_do(stored):
    steps, systems = stored["SciFact"]["steps"], stored["SciFact"]["systems"]
    for name in ("tantivy, our terms", "LanceDB, our terms", "bm25s, our terms"):
        *_, last = steps[name].values()
        assert last["same top 10"] >= 299 and last["largest difference"] < 1e-5
    for name in ("DuckDB, plain SQL, our terms", "Qdrant in the process, our weights"):
        assert steps[name]["the baseline"]["largest difference"] < 1e-5
    tantivy = systems["tantivy, our terms"]
    assert [round(tantivy[metric], 4) for metric in ("nDCG@10", "Recall@100")] == [0.6826, 0.9282]


def test_every_engines_difference_is_explained_down_to_its_ranking(stored):
    for collection in ("SciFact", "runbooks"):
        for name, rows in stored[collection]["steps"].items():
            *_, last = rows.values()
            if name != "SQLite FTS5, its terms":  # whose phrases our BM25 does not have
                assert last["same top 10"] >= 0.98 * last["asked"], (collection, name)


def test_filtered_before_the_search_nothing_of_the_group_is_lost_where_every_document_is_read(stored):
    for name, rows in stored["filters"]["engines"].items():
        assert (rows["before"]["recall"] > 0.999) == ("IVF" not in name)
        assert rows["after 10"]["recall"] < 0.5 < 1 <= rows["before"]["found"]
        assert rows["after 10"]["nDCG@10 beside"][2] < 0


def test_the_benchmarks_page_is_made_of_its_measurements(stored, monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    page = importlib.import_module("engines").table(stored)
    assert (FOLDER / "engines.md").read_text(encoding="utf-8") == page
