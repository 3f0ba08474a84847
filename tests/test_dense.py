"""Search by vectors: every document has a score, a cut document that of its best piece, and each says why."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import main
from scipy.sparse import csr_matrix
from tiny_model import write_model

from course import beir_table
from helpers.base import files
from helpers.encoders import KnownVectors, bundled_model, kept_vectors, load_encoder, text_keys
from helpers.evaluation import evaluate_retrieval, ranking
from helpers.failures import System
from helpers.records import Chunk
from helpers.retrieval import (
    LATENT,
    Bm25WithVectors,
    CsrBM25,
    DenseRetriever,
    HybridRetriever,
    LatentRetriever,
    LatentSemantic,
    LearnedSparseRetriever,
    Reranker,
    explain,
    sparse,
    to_documents,
    vectors,
    why_above,
)
from helpers.text import chunk_corpus, chunk_fixed, chunk_paragraphs, to_corpus, tokens


class Letters:
    """An embedding that can be checked by eye: how often a, b and c stand in a text, b counting against a."""

    name = "letters"

    def encode(self, texts):
        return [[text.count("a") - text.count("b"), text.count("c")] for text in texts]


CORPUS = {"d1": "a", "d2": "b", "d3": "ac", "d4": "c", "d5": "aa"}


def test_every_document_is_scored_those_at_zero_and_below_too():
    found = DenseRetriever(CORPUS, Letters()).search({"q": "aaa"}, k=10)["q"]
    half = float(np.float32(round(0.5**0.5, 6)))
    assert found == [("d5", 1.0), ("d1", 1.0), ("d3", half), ("d4", 0.0), ("d2", -1.0)]


def test_only_the_latent_retriever_stops_at_zero():
    found = LatentRetriever(CORPUS, Letters()).search({"q": "aaa"}, k=10)["q"]
    assert [doc_id for doc_id, _ in found] == ["d5", "d1", "d3"]


def test_k_cuts_the_list_and_nothing_else():
    retriever = DenseRetriever(CORPUS, Letters())
    whole = retriever.search({"q": "ac"}, k=10)["q"]
    for k in range(7):
        assert retriever.search({"q": "ac"}, k=k)["q"] == whole[:k]
    with pytest.raises(ValueError, match="k is -1"):
        retriever.search({"q": "a"}, k=-1)


def test_without_a_direction_nothing_finds_and_nothing_is_found():
    retriever = DenseRetriever(CORPUS | {"d6": "", "d7": "x"}, Letters())
    assert retriever.search({"none": "ab", "all": "c"}, k=10)["none"] == []
    assert {doc_id for doc_id, _ in retriever.search({"q": "c"}, k=10)["q"]} == set(CORPUS)
    assert retriever.search({}, k=3) == {}
    assert DenseRetriever({"d1": "x"}, Letters()).search({"q": "a"}, k=3) == {"q": []}


TEXT = st.text("abc", max_size=6)


@given(st.dictionaries(st.text("xyz", min_size=1, max_size=3), TEXT, min_size=1), st.lists(TEXT, max_size=4))
def test_a_run_is_in_the_order_of_every_ranking_and_the_same_query_by_query(corpus, texts):
    retriever = DenseRetriever(corpus, Letters())
    queries = {f"q{number}": text for number, text in enumerate(texts)}
    run = retriever.search(queries, k=100)
    for query_id, results in run.items():
        assert ranking(query_id, results) == [doc_id for doc_id, _ in results]
        assert retriever.search({query_id: queries[query_id]}, k=100)[query_id] == results


def test_queries_are_encoded_as_queries_and_documents_as_documents():
    class Swapped(Letters):
        def encode_queries(self, texts):
            return -np.array(self.encode(texts))

        encode_documents = Letters.encode

    assert DenseRetriever(CORPUS, Swapped()).search({"q": "a"}, k=1) == {"q": [("d2", 1.0)]}


def test_an_inner_product_counts_the_length_too():
    class Dot(Letters):
        similarity = "dot"

    assert DenseRetriever(CORPUS, Dot()).search({"q": "aaa"}, k=2)["q"] == [("d5", 6.0), ("d3", 3.0)]


# Cut documents

PAGES = {"p1": "a\n\nc\n\nc", "p2": "b\n\nb\n\nac", "p3": "", "p4": "b"}


def test_a_page_scores_as_its_best_chunk():
    retriever = DenseRetriever(PAGES, Letters(), chunker=chunk_paragraphs)
    chunks = DenseRetriever(to_corpus(chunk_corpus(PAGES, chunk_paragraphs)), Letters())
    queries = {"q1": "a", "q2": "c", "q3": "ac"}
    assert retriever.search(queries, k=10) == to_documents(chunks.search(queries, k=10))
    assert retriever.search(queries, k=10)["q2"] == [("p1", 1.0), ("p2", 0.7071070075035095), ("p4", 0.0)]
    assert retriever.name == "letters, chunk_paragraphs, best chunk"


def test_or_as_the_mean_of_its_chunks():
    retriever = DenseRetriever(PAGES, Letters(), chunker=chunk_paragraphs, combine="mean")
    # p1: the mean of (1, 0), (0, 1) and (0, 1); p2: of (-1, 0) twice and (.71, .71).
    p1, p2 = np.array([1, 2]), np.array([-2 + 0.5**0.5, 0.5**0.5])
    expected = [
        ("p1", p1 @ [1, 0] / np.linalg.norm(p1)),
        ("p2", p2 @ [1, 0] / np.linalg.norm(p2)),
        ("p4", -1.0),
    ]
    found = retriever.search({"q": "a"}, k=10)["q"]
    assert [doc_id for doc_id, _ in found] == [doc_id for doc_id, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-6)


def test_the_mean_of_inner_products_does_not_grow_with_the_number_of_chunks():
    class Dot(Letters):
        similarity = "dot"

    retriever = DenseRetriever(
        {"p1": "a\n\na\n\naaaa", "p2": "aaa"}, Dot(), chunker=chunk_paragraphs, combine="mean"
    )
    assert retriever.search({"q": "a"}, k=2)["q"] == [("p2", 3.0), ("p1", 2.0)]


def test_a_page_in_one_chunk_scores_as_the_page(runbooks):
    corpus = dict(list(runbooks.corpus.items())[:10])
    one_chunk = partial(chunk_fixed, chunk_size=10**6, overlap=0, encoding=tokens.load_stand_in())
    model, queries = LatentSemantic(corpus.values(), 5), runbooks.queries
    whole = DenseRetriever(corpus, model).search(queries, k=10)
    for combine in ("max", "mean"):
        assert (
            DenseRetriever(corpus, model, chunker=one_chunk, combine=combine).search(queries, k=10) == whole
        )


def test_pages_without_any_chunk_are_refused():
    with pytest.raises(ValueError, match="none of the 1 documents gives a chunk"):
        DenseRetriever({"d1": ""}, Letters(), chunker=chunk_paragraphs)
    with pytest.raises(ValueError, match="combine is 'sum'; it can be 'max' or 'mean'"):
        DenseRetriever(PAGES, Letters(), chunker=chunk_paragraphs, combine="sum")


# Vectors that are there already


def test_vectors_that_are_given_are_found_by_their_ids_in_any_order():
    run = DenseRetriever(CORPUS, Letters()).search({"q": "ac"}, k=10)
    order = ["d4", "d2", "more", "d5", "d1", "d3"]
    rows = np.array(Letters().encode([CORPUS.get(doc_id, "x") for doc_id in order]), dtype=np.float16)

    class OnlyQueries(Letters):
        def encode_documents(self, texts):
            raise AssertionError("the documents have vectors")

        encode_queries = Letters.encode

    assert DenseRetriever(CORPUS, OnlyQueries(), vectors=(order, rows)).search({"q": "ac"}, k=10) == run


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((["d1"], np.ones((1, 2))), "vectors has none for 4 of 5 texts: 'd2', 'd3', 'd4'"),
        (
            (list(CORPUS), np.ones((4, 2))),
            r"vectors gave the shape \(4, 2\) for 5 texts; needed one row for each",
        ),
        ((list(CORPUS), np.full((5, 2), np.nan)), "a value that is not finite"),
        ((list(CORPUS), None), "vectors gave no array of numbers"),
        ((list(CORPUS), np.full((5, 2), "x")), "vectors gave no array of numbers"),
        (([*CORPUS, "d1"], np.ones((6, 2))), "vectors has 'd1' twice; give each id one row"),
        (([1, 2], np.ones((2, 2))), "the ids of vectors: text 0 of 2 is 1; needed a str"),
        (np.ones((5, 2)), "vectors is a ndarray; needed a pair"),
        ((list(CORPUS), csr_matrix(np.ones((5, 2)))), "are sparse; give them to LearnedSparseRetriever"),
    ],
)
def test_vectors_that_do_not_fit_the_documents_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        DenseRetriever(CORPUS, Letters(), vectors=given)


def test_queries_of_another_width_are_of_another_model():
    retriever = DenseRetriever(CORPUS, Letters(), vectors=(list(CORPUS), np.ones((5, 3))))
    with pytest.raises(
        ValueError, match="queries of 2 numbers, documents of 3; both must come from one model"
    ):
        retriever.search({"q": "a"}, k=1)


def test_kept_vectors_give_the_run_that_they_gave_when_they_were_made(tmp_path, capsys):
    model = load_encoder(write_model(tmp_path / "tiny"))
    corpus, queries = {"d1": "cats sleep", "d2": "dogs bark", "d3": "birds sing"}, {"q": "a cats and dogs"}
    runs = [DenseRetriever(corpus, model, cache=tmp_path / "kept").search(queries, 3) for _ in range(2)]
    assert "vectors of 3 texts read from cache" in capsys.readouterr().out
    assert runs[0] == runs[1]
    exact = DenseRetriever(corpus, model).search(queries, 3)["q"]
    assert dict(runs[0]["q"]) == pytest.approx(dict(exact), abs=1e-3)


def test_a_cache_without_a_name_is_named_by_the_texts(tmp_path, monkeypatch):
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path))
    for corpus in (CORPUS, CORPUS, CORPUS | {"d1": "other"}):
        DenseRetriever(corpus, Letters(), cache=True)
    assert len(list((tmp_path / "letters").iterdir())) == 2


# Models


def test_a_model_is_loaded_by_its_folder_with_its_settings(tmp_path):
    folder = write_model(tmp_path / "tiny")
    retriever = DenseRetriever(
        {"d1": "cats"}, folder, batch_size=2, max_tokens=8, pooling="cls", prefixes={"query": "a "}
    )
    assert retriever.name == "tiny, cls, cosine, 8 tokens, query 'a '"
    assert retriever.search({"q": "cats"}, k=1)["q"][0][0] == "d1"


def test_a_batch_of_any_size_gives_the_same_scores(tmp_path):
    folder, words = write_model(tmp_path / "tiny"), "cats dogs birds and sleep bark sing"
    corpus = {f"d{number}": " ".join(words.split()[:number]) for number in range(8)}
    runs = [
        DenseRetriever(corpus, folder, batch_size=size).search({"q": "birds sing"}, 8)["q"]
        for size in (1, 3, 32)
    ]
    assert dict(runs[0]) == pytest.approx(dict(runs[1]), abs=1e-5)
    assert dict(runs[0]) == pytest.approx(dict(runs[2]), abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": Letters(), "pooling": "cls"}, "model is a Letters, and pooling given"),
        ({"model": LATENT, "max_tokens": 9}, "model is latent-semantic, and max_tokens given"),
        ({"model": object()}, "the model is a object; needed an object with encode"),
        ({"model": "no such model"}, "no such model"),
        ({"model": Letters(), "batch_size": 0}, "batch_size is 0"),
        ({"corpus": {}}, "the corpus holds no document"),
        ({"corpus": {"d1": None}}, "document 'd1' is of type NoneType"),
        ({"corpus": ["a"]}, "corpus is a list; needed a dict {doc_id: text}"),
        ({"model": Letters}, "the model is a type; needed an object with encode"),
        ({"model": Letters(), "cache": ""}, "'' of type str is no path"),
        ({"model": Letters(), "chunker": 5}, "chunker is a int; needed a function"),
    ],
)
def test_what_cannot_be_searched_with_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        DenseRetriever(**({"corpus": CORPUS} | arguments))


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        (["a"], "queries is a list; needed a dict {query_id: text}"),
        ({1: "a"}, "query_id 1 is of type int; ids are text"),
        ({"q": None}, "query 'q' is of type NoneType; needed its text"),
    ],
)
def test_every_retriever_wants_its_queries_with_their_ids(queries, message):
    bm25, dense = CsrBM25(CORPUS), DenseRetriever(CORPUS, Letters())
    others = [HybridRetriever([bm25, dense]), Reranker(bm25, Letters())]
    for retriever in (dense, LearnedSparseRetriever(CORPUS, Weights()), *others):
        with pytest.raises(ValueError, match=message):
            retriever.search(queries, k=3)


def made(*numbers, text="a"):
    """A chunker that makes chunks of these numbers, whatever the text."""
    return lambda page: [Chunk("", number, text, 0, 1) for number in numbers]


@pytest.mark.parametrize(
    ("chunker", "message"),
    [
        (str.split, "document 'd1': split gave 'a'; needed a list of Chunk"),
        (lambda text: None, "gave None; needed a list of Chunk"),
        (made(0, 0), "gave two chunks one chunk_idx; number them from 0"),
        (made(0, text=None), "text is a NoneType; needed a str"),
    ],
)
def test_a_chunker_gives_chunks_each_with_its_number(chunker, message):
    with pytest.raises(ValueError, match=message):
        DenseRetriever(CORPUS, Letters(), chunker=chunker)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_a_direction_does_not_depend_on_the_size_of_the_numbers(size):
    class Sized(Letters):
        def encode(self, texts):
            return size * np.array(super().encode(texts), dtype=float)

    queries = {"q1": "aac", "q2": "b"}
    expected = DenseRetriever(CORPUS, Letters()).search(queries, k=10)
    assert DenseRetriever(CORPUS, Sized()).search(queries, k=10) == expected


def test_a_score_beyond_32_bits_is_refused_since_it_would_have_no_order():
    class Large(Letters):
        similarity = "dot"

        def encode(self, texts):
            return 1e30 * np.array(super().encode(texts), dtype=float)

    class LargeWeights(Weights):
        def encode_documents(self, texts):
            return super().encode_documents(texts) * 1e30

        encode_queries = encode_documents

    for retriever in (DenseRetriever(CORPUS, Large()), LearnedSparseRetriever(CORPUS, LargeWeights())):
        with pytest.raises(ValueError, match="a score is beyond 32 bits; scale"):
            retriever.search({"q": "a"}, k=3)


def test_dense_and_sparse_models_are_told_apart(tmp_path):
    dense, splade = write_model(tmp_path / "dense"), write_model(tmp_path / "splade", sparse=True)
    with pytest.raises(ValueError, match="gives sparse vectors, needed dense ones; LearnedSparseRetriever"):
        DenseRetriever(CORPUS, splade)
    with pytest.raises(
        ValueError, match="gives no sparse vectors; give a model of dense vectors to DenseRetriever"
    ):
        LearnedSparseRetriever(CORPUS, dense)


# Why a document scores as it does


def test_the_nearest_piece_is_named_with_its_score():
    frame = explain(DenseRetriever(PAGES, Letters(), chunker=chunk_paragraphs), "c", "p1")
    about = frame.attrs
    assert (about["piece"], about["piece_score"], about["score"], about["text"]) == (
        "p1#1",
        1.0,
        1.0,
        "c\n\n",
    )
    mean = explain(
        DenseRetriever(PAGES, Letters(), chunker=chunk_paragraphs, combine="mean"), "c", "p1"
    ).attrs
    assert (mean["piece"], mean["piece_score"], mean["score"]) == (
        "p1#1",
        1.0,
        pytest.approx(2 / 5**0.5, abs=1e-6),
    )


def test_a_document_without_a_direction_has_no_score():
    frame = explain(DenseRetriever(PAGES, Letters(), chunker=chunk_paragraphs), "c", "p3")
    assert (frame.attrs["score"], frame.attrs["piece"], len(frame)) == (None, None, 0)


def test_a_model_without_token_vectors_compares_word_by_word():
    frame = explain(DenseRetriever({"d1": "aac bbb", "d2": "c"}, Letters()), "A bab c", "d1")
    assert list(frame.index) == ["a", "bab", "c"]
    assert frame["nearest"].tolist() == ["aac", "bbb", "aac"]
    assert frame["cosine"].tolist() == pytest.approx([2 / 5**0.5, 1.0, 1 / 5**0.5])
    assert frame.attrs["score"] == 1.0  # both are (-1, 1): a capital counts for nothing


def test_shares_of_word_pieces_sum_to_the_score(tmp_path):
    retriever = DenseRetriever({"d1": "dogs bark", "d2": "birds sing a b c"}, write_model(tmp_path / "tiny"))
    ((doc_id, score), _) = retriever.search({"q": "cats and dogs"}, k=2)["q"]
    frame = explain(retriever, "cats and dogs", doc_id)
    assert list(frame.index) == ["[CLS]", "cats", "and", "dogs", "[SEP]"]
    assert frame["share"].sum() == pytest.approx(score, abs=2e-6)
    assert frame.attrs["score"] == pytest.approx(score, abs=1e-6)
    assert (frame["cosine"] <= 1 + 1e-6).all()


def test_where_the_mean_is_not_the_vector_there_are_no_shares(tmp_path):
    retriever = DenseRetriever({"d1": "dogs bark"}, write_model(tmp_path / "tiny"), pooling="cls")
    assert list(explain(retriever, "cats", "d1").columns) == ["nearest", "cosine"]


def test_known_vectors_say_the_piece_and_leave_the_words_to_their_model():
    documents = ["a\n\n", "c\n\n", "c", "b\n\n", "ac", "b"]
    rows = {"document": (text_keys(documents), np.array(Letters().encode(documents), float))}
    rows["query"] = text_keys(["c"]), np.array([[0.0, 1.0]])
    retriever = DenseRetriever(PAGES, KnownVectors(rows, "letters"), chunker=chunk_paragraphs)
    assert retriever.search({"q": "c"}, k=1) == {"q": [("p1", 1.0)]}
    frame = explain(retriever, "c", "p1")
    assert (frame.attrs["piece"], len(frame)) == ("p1#1", 0)
    with pytest.raises(ValueError, match="no known vector of letters as a query, e.g. 'cc'"):
        retriever.search({"q": "cc"}, k=1)


def test_a_document_that_is_not_indexed_and_a_query_that_is_no_text_are_named(tmp_path):
    splade = LearnedSparseRetriever(CORPUS, write_model(tmp_path / "splade", sparse=True))
    for retriever in (DenseRetriever(CORPUS, Letters()), splade):
        with pytest.raises(ValueError, match="doc_id 'd9' is not among the 5 documents"):
            explain(retriever, "a", "d9")
        with pytest.raises(ValueError, match="query is a NoneType"):
            explain(retriever, None, "d1")


def test_a_score_without_terms_has_no_ledger_of_terms():
    retriever = DenseRetriever(CORPUS, Letters())
    with pytest.raises(ValueError, match="a DenseRetriever does not score by the terms of a text"):
        why_above(retriever, "a", "d1", "d2")
    for build in (partial(DenseRetriever, model=Letters()), partial(Bm25WithVectors, model=Letters())):
        index = System("vectors", build).index(CORPUS)
        assert index.why_above("a", "d1", "d2") is None
    assert System("BM25", CsrBM25).index({"d1": "cat", "d2": "dog"}).why_above("cat", "d1", "d2") is not None


# Learned sparse vectors


class Weights:
    """Weights that can be checked by eye, as a matrix: one dimension a letter."""

    name = "weights"

    def encode_documents(self, texts):
        return csr_matrix([[text.count(letter) / 2 for letter in "abcdefgh"] for text in texts])

    encode_queries = encode_documents


class AsDicts:
    name = "weights"

    def encode_documents(self, texts):
        matrix = Weights().encode_documents(texts)
        return [dict(zip(row.indices.tolist(), row.data.tolist(), strict=True)) for row in matrix]

    encode_queries = encode_documents


def test_a_sparse_score_is_the_sum_over_shared_terms():
    found = LearnedSparseRetriever(CORPUS, Weights()).search({"q": "aac", "none": "h", "empty": ""}, k=10)
    assert found == {"q": [("d5", 1.0), ("d3", 0.75), ("d1", 0.5), ("d4", 0.25)], "none": [], "empty": []}
    assert LearnedSparseRetriever(CORPUS, Weights()).search({}, k=10) == {}


def test_its_run_is_that_of_the_measured_pipeline():
    queries, qrels = {"q1": "aac", "q2": "bc"}, {"q1": {"d3": 1}, "q2": {"d2": 1, "d4": 2}}
    for use_idf in (False, True):
        run = LearnedSparseRetriever(CORPUS, Weights(), use_idf=use_idf).search(queries, k=100)
        measured = sparse.evaluate_sparse_model(Weights(), CORPUS, queries, qrels, 8, use_idf=use_idf)
        assert evaluate_retrieval(run, qrels) == measured


def test_dictionaries_of_weights_need_the_number_of_dimensions():
    run = LearnedSparseRetriever(CORPUS, Weights()).search({"q": "ac"}, k=10)
    assert LearnedSparseRetriever(CORPUS, AsDicts(), sparse_dim=8).search({"q": "ac"}, k=10) == run
    with pytest.raises(ValueError, match="say how many dimensions with sparse_dim="):
        LearnedSparseRetriever(CORPUS, AsDicts())


def test_its_ledger_sums_to_the_score_and_names_the_word_pieces(tmp_path):
    corpus = {"d1": "cats sleep", "d2": "dogs bark and birds sing"}
    for use_idf in (False, True):
        retriever = LearnedSparseRetriever(
            corpus, write_model(tmp_path / f"t{use_idf}", sparse=True), use_idf=use_idf
        )
        for doc_id, score in retriever.search({"q": "cats and dogs"}, k=2)["q"]:
            frame = explain(retriever, "cats and dogs", doc_id)
            assert frame["score"].sum() == pytest.approx(score, rel=1e-6)
            assert set(frame.index) <= set(retriever.model.tokenizer.vocabulary)
            product = frame["query weight"] * frame["idf"] * frame["document weight"]
            np.testing.assert_allclose(frame["score"], product, rtol=1e-6)


def test_sparse_vectors_are_kept_and_given_like_dense_ones(tmp_path, capsys):
    run = LearnedSparseRetriever(CORPUS, Weights()).search({"q": "aac"}, k=10)
    for _ in range(2):
        assert (
            LearnedSparseRetriever(CORPUS, Weights(), cache=tmp_path / "k").search({"q": "aac"}, k=10) == run
        )
    assert "read from cache" in capsys.readouterr().out
    pair = kept_vectors(Weights(), CORPUS, tmp_path / "k")
    assert LearnedSparseRetriever(CORPUS, Weights(), vectors=pair).search({"q": "aac"}, k=10) == run


@pytest.mark.parametrize("given", [None, 5, [[1.0]], [{0: "1"}], [{0: None}]])
def test_what_gives_no_weights_by_dimension_is_no_sparse_model(given):
    class Other(Weights):
        def encode_documents(self, texts):
            return given * len(texts) if isinstance(given, list) else given

    with pytest.raises(ValueError, match="weights gives (no sparse vectors|a weight that is no number)"):
        LearnedSparseRetriever(CORPUS, Other(), sparse_dim=8)


# CSR through the pipeline of lesson 04


def test_a_model_that_gives_matrices_is_evaluated_like_one_that_gives_dictionaries(tmp_path):
    queries, qrels = {"q1": "aac", "q2": "bc"}, {"q1": {"d3": 1}, "q2": {"d2": 1, "d4": 2}}
    found = [
        sparse.evaluate_sparse_model(model, CORPUS, queries, qrels, 8, cache_dir=tmp_path / "c", batch_size=2)
        for model in (AsDicts(), Weights(), Weights())
    ]
    assert found[0] == found[1] == found[2]


def test_a_matrix_is_taken_as_it_is():
    matrix = csr_matrix(([1.0, 2.0, 0.0], ([0, 0, 1], [3, 3, 1])), shape=(2, 5))
    taken = vectors.encode_to_csr(matrix, 5)
    assert taken.toarray().tolist() == [[0, 0, 0, 3, 0], [0] * 5]
    assert taken.dtype == np.float32 and taken.nnz == 1


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (csr_matrix((2, 4)), r"a matrix of the shape \(2, 4\); needed 5 columns"),
        (csr_matrix([[np.inf, 0, 0, 0, 0]]), "a value is not a finite 32-bit number"),
    ],
)
def test_a_matrix_that_does_not_fit_is_refused(matrix, message):
    with pytest.raises(ValueError, match=message):
        vectors.encode_to_csr(matrix, 5)


def test_a_matrix_with_a_row_too_few_is_noticed():
    with pytest.raises(ValueError, match="texts 2 to 3: encode_fn gave 1 vectors for 2"):
        vectors.encode_corpus_batched(
            list("abcd"), lambda batch: csr_matrix((2 if "a" in batch else 1, 5)), 5, 2
        )

    class Forgetful(Weights):
        def encode_queries(self, texts):
            return self.encode_documents(texts)[1:]

    with pytest.raises(ValueError, match="encode_queries gave 0 vectors for 1 queries"):
        sparse.evaluate_sparse_model(Forgetful(), CORPUS, {"q": "a"}, {"q": {"d1": 1}}, 8)
    with pytest.raises(ValueError, match="weights gave 0 vectors for 1 texts"):
        LearnedSparseRetriever(CORPUS, Forgetful()).search({"q": "a"}, k=3)


# BM25 with vectors


@pytest.mark.parametrize(("method", "alpha"), [("rrf", 0.5), ("min-max", 0.3), ("z", 0.7), ("tmm", 0.75)])
def test_a_hybrid_of_a_corpus_is_the_fusion_of_its_two_halves(runbooks, method, alpha):
    hybrid = Bm25WithVectors(runbooks.corpus, method=method, alpha=alpha)
    weights = [1, 1] if method == "rrf" else [1 - alpha, alpha]
    halves = {"bm25": CsrBM25(runbooks.corpus), "latent": DenseRetriever(runbooks.corpus)}
    by_hand = HybridRetriever(halves, method, weights, lowest=[0, -1] if method == "tmm" else None)
    assert hybrid.search(runbooks.queries, 20) == by_hand.search(runbooks.queries, 20)


@pytest.mark.parametrize("alpha", [-0.1, 1.1, "half", True, None, float("nan")])
def test_alpha_is_a_share(alpha):
    with pytest.raises(ValueError, match="alpha is .*; it is the share of the vectors"):
        Bm25WithVectors(CORPUS, alpha=alpha)


# A model on BEIR


@pytest.fixture
def beir(beir_folder, tmp_path, monkeypatch):
    """The tiny dataset as scifact, and a tiny model."""
    (tmp_path / "beir").mkdir()
    beir_folder.rename(tmp_path / "beir" / "scifact")
    monkeypatch.setenv("BEIR_DATA_DIR", str(tmp_path / "beir"))
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(beir_table, "other_size", lambda *size: "")  # as if it had BEIR's
    return tmp_path


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_a_model_is_measured_by_its_folder_and_its_vectors_are_kept(beir, kind, capsys):
    folder, out = write_model(beir / kind, sparse=kind == "sparse"), str(beir / "found.json")
    command = ["beir", "--datasets", "scifact", "--model", str(folder), "--batch-size", "2", "--out", out]
    assert main(command) == 0
    printed = capsys.readouterr()
    first = printed.out + printed.err
    assert "3 texts encoded in" in first and "per CPU-second" in first
    assert "Published: nothing is known for this model." in first
    assert "Published by others, not measured here:" in first and "SPLADE-v3" in first
    assert main(command) == 0
    printed = capsys.readouterr()
    again = printed.out + printed.err
    assert "vectors of 3 texts read from cache" in again
    assert main([*command, "--max-docs", "2"]) == 0
    assert "by others, not measured" not in capsys.readouterr().out  # nothing is published for two documents
    (row,) = beir_table.measure("scifact", say=str, model=beir_table.load_model(str(folder), 2))
    assert row["system"].startswith(f"{kind}, ") and row["published"] == {}


def test_a_model_of_the_catalogue_stands_beside_its_own_published_figures():
    encoder = Letters()
    encoder.model_name = "all-MiniLM-L6-v2"
    assert beir_table.published("scifact", beir_table.published_name(encoder))["nDCG@10"] == 0.6451
    assert beir_table.published_name(Letters()) == "" and "Anserini" in beir_table.published_name(None)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--analyzer", "plain", "--model", "x"], "give one of the two"),
        (["--batch-size", "8"], "--batch-size is for --model"),
        (["--model", "no-such-model"], "no-such-model"),
        (["--model", ""], "model is ''; it can be 'all-MiniLM-L6-v2'"),
        (["--model", "FOLDER", "--batch-size", "0"], "--batch-size: '0' is not possible"),
    ],
)
def test_settings_of_a_model_are_checked_before_anything_is_loaded(beir, more, said, capsys):
    more = [str(write_model(beir / "tiny")) if one == "FOLDER" else one for one in more]
    try:
        code = main(["beir", "--datasets", "scifact", *more])
    except SystemExit as stopped:  # argparse
        code = stopped.code
    assert code == 2
    assert said in capsys.readouterr().err


def test_minilm_on_scifact_is_the_published_figure_to_the_digit(scifact):
    if not list(files.VECTORS.glob("scifact.*.npz")):
        pytest.skip("the vectors of SciFact are not bundled here")
    run = DenseRetriever(scifact.corpus, bundled_model("scifact")).search(scifact.queries, k=1000)
    found = evaluate_retrieval(run, scifact.qrels)
    assert round(found["nDCG@10"], 5) == 0.64508
    assert round(found["Recall@100"], 5) == 0.925


class Transformer:
    """What models of sentence-transformers look like: `similarity` is a function."""

    def encode(self, texts):
        return np.array([[2 * text.count("a"), text.count("b")] for text in texts], float)

    def similarity(self, one, other):
        return one @ other.T


AS_THEIRS = {"d1": "a", "d2": "ab", "d3": "b"}


def test_a_function_of_similarity_is_a_cosine_unless_the_model_names_another():
    asked = {"q": "a"}
    for build in (DenseRetriever, LatentRetriever):
        assert build(AS_THEIRS, Transformer()).search(asked, 1) == {"q": [("d1", 1.0)]}
    Bm25WithVectors(AS_THEIRS, model=Transformer(), method="tmm")
    model = Transformer()
    model.similarity_fn_name = "dot"
    assert DenseRetriever(AS_THEIRS, model).search(asked, 1) == {"q": [("d2", 4.0)]}
    model.similarity_fn_name = "manhattan"
    with pytest.raises(ValueError, match="similarity is 'manhattan'; it can be 'cosine' or 'dot'"):
        DenseRetriever(AS_THEIRS, model)


class Broken:
    """A model that is asked over a line, whose other end answers with an error."""

    def encode_documents(self, texts):
        return {"error": "rate limit"}["embedding"]

    encode_queries = encode_documents


@pytest.mark.parametrize("build", [DenseRetriever, LatentRetriever, partial(Bm25WithVectors, model=Broken())])
def test_an_error_of_ones_own_model_is_not_hidden(build):
    with pytest.raises(KeyError, match="embedding"):
        build(AS_THEIRS) if isinstance(build, partial) else build(AS_THEIRS, Broken())


def test_a_model_that_encodes_queries_and_documents_reranks():
    class Both:
        encode_documents = encode_queries = Transformer.encode

    corpus = {"d1": "cat bbb", "d2": "cat"}
    found = Reranker(CsrBM25(corpus), Both()).search({"q": "cat"}, k=2)
    assert [doc_id for doc_id, _ in found["q"]] == ["d2", "d1"]


@pytest.mark.parametrize("size", [1e-9, 2e-6])
def test_vectors_too_small_to_be_kept_are_refused(tmp_path, size):
    class Tiny(Transformer):
        def encode(self, texts):
            return super().encode(texts) * size

    assert DenseRetriever(AS_THEIRS, Tiny()).search({"q": "a"}, 1) == {"q": [("d1", 1.0)]}
    with pytest.raises(ValueError, match="too small for 16 bits: bring them to length 1"):
        DenseRetriever(AS_THEIRS, Tiny(), cache=tmp_path / "vectors")


def test_dense_rows_are_no_learned_sparse_ones():
    class Sparse:
        def encode_documents(self, texts):
            return csr_matrix(np.ones((len(texts), 2)))

        encode_queries = encode_documents

    with pytest.raises(
        ValueError, match="vectors are dense rows; needed CSR, or give them to DenseRetriever"
    ):
        LearnedSparseRetriever(AS_THEIRS, Sparse(), vectors=(list(AS_THEIRS), np.ones((3, 2))))
