"""A reranker orders what another has found: it cannot find more, and the best order of the candidates is its
ceiling."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.evaluation.rankings import ranking
from helpers.retrieval import CsrBM25, LatentRetriever, LatentSemantic, RankBM25, SqliteFTS5
from helpers.retrieval.fusion import fuse
from helpers.retrieval.rerank import CosineScorer, Reranker, candidate_ceiling

CORPUS = {
    "d1": "pod pod pod",
    "d2": "pod pod disk",
    "d3": "pod disk disk",
    "d4": "pod and a very long story about something else",
    "d5": "disk",
}


class Disks:
    """The more disks the better."""

    def __init__(self):
        self.asked = []

    def scores(self, query, texts):
        self.asked.append((query, list(texts)))
        return [float(text.count("disk")) for text in texts]


class Letters:
    """A dense model that counts its texts."""

    def __init__(self):
        self.encoded = []

    def encode(self, texts):
        self.encoded += texts
        return np.array([[text.count("p"), text.count("d")] for text in texts], dtype=float)


class Fixed:
    """A first retriever that has one list for every query."""

    def __init__(self, results, corpus=CORPUS):
        self.results, self.corpus = results, corpus

    def search(self, queries, k):
        return dict.fromkeys(queries, self.results[:k])


def ids(results):
    return [doc_id for doc_id, _ in results]


def test_the_first_documents_are_put_in_the_scorers_order_and_the_others_follow_as_they_were():
    first = CsrBM25(CORPUS)
    assert ids(first.search({"q": "pod"}, 10)["q"]) == ["d1", "d2", "d3", "d4"]
    found = Reranker(first, Disks(), depth=3).search({"q": "pod"}, k=10)["q"]
    assert found == [("d3", 2.0), ("d2", 1.0), ("d1", 0.0), ("d4", -1.0)]


def test_only_the_candidates_are_scored_and_with_their_own_texts():
    scorer = Disks()
    Reranker(CsrBM25(CORPUS), scorer, depth=2).search({"q": "pod", "r": "nothing"}, k=10)
    assert scorer.asked == [("pod", [CORPUS["d1"], CORPUS["d2"]])]


def test_as_many_candidates_are_scored_for_one_result_as_for_ten():
    one, ten = (Reranker(CsrBM25(CORPUS), Disks(), depth=3).search({"q": "pod"}, k)["q"] for k in (1, 10))
    assert one == ten[:1] == [("d3", 2.0)]


def test_equal_scores_stand_by_doc_id_down():
    class Same:
        def scores(self, query, texts):
            return [1.0] * len(texts)

    assert ids(Reranker(CsrBM25(CORPUS), Same(), depth=3).search({"q": "pod"}, 10)["q"]) == [
        "d3",
        "d2",
        "d1",
        "d4",
    ]


def test_what_differs_by_rounding_only_is_equal():
    class Almost:
        def scores(self, query, texts):
            return [0.5 + 1e-9 * number for number in range(len(texts))][::-1]

    found = Reranker(CsrBM25(CORPUS), Almost(), depth=3).search({"q": "pod"}, 3)["q"]
    assert ids(found) == ["d3", "d2", "d1"]


@given(st.lists(st.floats(-5, 5, width=32), max_size=12), st.integers(1, 14), st.integers(0, 14))
def test_a_reranked_run_is_sorted_and_has_the_same_documents(scores, depth, k):
    corpus = {f"d{number:02}": str(score) for number, score in enumerate(scores)}
    first = Fixed([(doc_id, -float(rank)) for rank, doc_id in enumerate(corpus)], corpus)

    class AsWritten:
        def scores(self, query, texts):
            return [float(text) for text in texts]

    found = Reranker(first, AsWritten(), depth).search({"q": "any"}, k)["q"]
    assert ranking("q", found) == ids(found)
    best = sorted(list(corpus)[:depth], key=lambda d: (round(float(corpus[d]), 6), d), reverse=True)
    assert ids(found) == [*best, *list(corpus)[depth:]][:k]


def test_with_a_depth_of_all_documents_reranking_by_cosine_is_dense_search(runbooks):
    model = LatentSemantic(runbooks.corpus.values())
    dense = LatentRetriever(runbooks.corpus, model)
    everything = [(doc_id, -float(rank)) for rank, doc_id in enumerate(sorted(runbooks.corpus))]
    reranker = Reranker(Fixed(everything, runbooks.corpus), model, depth=len(runbooks.corpus))
    queries = dict(list(runbooks.queries.items())[:5])
    dense_run = dense.search(queries, 20)
    assert reranker.search(queries, 20) == dense_run


def test_a_reranker_finds_nothing_that_the_first_has_not_found(runbooks):
    first = CsrBM25(runbooks.corpus)
    reranker = Reranker(first, LatentSemantic(runbooks.corpus.values()), depth=50)
    before, after = (retriever.search(runbooks.queries, 50) for retriever in (first, reranker))
    recall = [evaluate_retrieval(run, runbooks.qrels, metrics=["Recall@50"]) for run in (before, after)]
    assert recall[0].per_query.equals(recall[1].per_query)
    assert before != after


@pytest.mark.parametrize("alpha", [0.0, 0.4, 1.0])
def test_with_a_share_of_the_first_score_it_is_the_fusion_of_both_over_the_candidates(alpha):
    first = CsrBM25(CORPUS)
    found = Reranker(first, Disks(), depth=3, alpha=alpha).search({"q": "pod"}, 10)["q"]
    before = first.search({"q": "pod"}, 3)
    by_disks = {"q": [("d3", 2.0), ("d2", 1.0), ("d1", 0.0)]}
    expected = fuse([before, by_disks], "z", [1 - alpha, alpha])["q"]
    assert ids(found) == [*ids(expected), "d4"]
    assert alpha == 1 or found[:3] == expected


def test_a_share_outside_of_zero_to_one_is_refused():
    with pytest.raises(ValueError, match="alpha is 1.5; it is the share of the scorer"):
        Reranker(CsrBM25(CORPUS), Disks(), alpha=1.5)


# Scorers


def test_a_dense_model_encodes_each_text_once_whatever_the_number_of_queries():
    model = Letters()
    reranker = Reranker(CsrBM25(CORPUS), model, depth=3)
    reranker.search({"q": "pod", "r": "pods"}, 3)
    assert sorted(model.encoded) == sorted(["pod", "pods", CORPUS["d1"], CORPUS["d2"], CORPUS["d3"]])


def test_vectors_that_are_given_are_not_made_again():
    model, texts = Letters(), list(CORPUS.values())
    given = CosineScorer(model, dict(zip(texts, Letters().encode(texts), strict=True)))
    assert np.array_equal(given.scores("pod", texts), CosineScorer(Letters()).scores("pod", texts))
    assert model.encoded == ["pod"]


def test_queries_and_documents_go_each_through_their_own_encoder():
    class TwoWays(Letters):
        def encode_queries(self, texts):
            return self.encode([f"query: {text}" for text in texts])

        def encode_documents(self, texts):
            return self.encode([f"passage: {text}" for text in texts])

    model = TwoWays()
    CosineScorer(model).scores("pod", ["disk"])
    assert model.encoded == ["passage: disk", "query: pod"]


def test_what_scores_nothing_is_refused():
    with pytest.raises(ValueError, match=r"the scorer is a CsrBM25; needed an object with scores\(query"):
        Reranker(CsrBM25(CORPUS), CsrBM25(CORPUS))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1.0], r"query 'q', Broken: scores of shape \(1,\) for 3 texts"),
        ([1.0, float("nan"), 0.0], "the score of 'd2' is not finite"),
        ([1.0, 0.0, 1e39], "the score of 'd3' is not finite in 32 bits"),
        (["1", "2", "3"], r"Broken: gave \['1', '2', '3'\]; needed a number for each text"),
        (None, "Broken: gave None; needed a number for each text"),
    ],
)
def test_what_a_scorer_gives_is_checked(given, message):
    class Broken:
        name = "Broken"

        def scores(self, query, texts):
            return given

    with pytest.raises(ValueError, match=message):
        Reranker(CsrBM25(CORPUS), Broken(), depth=3).search({"q": "pod"}, 3)


def test_texts_are_needed(tmp_path):
    SqliteFTS5(CORPUS, tmp_path / "index").close()
    with SqliteFTS5(path=tmp_path / "index") as first:
        with pytest.raises(ValueError, match="a SqliteFTS5 keeps no corpus; give it"):
            Reranker(first, Disks())
        reranker = Reranker(first, Disks(), corpus=CORPUS)
        assert ids(reranker.search({"q": "pod"}, 1)["q"]) == ["d3"]
    other = Reranker(RankBM25(CORPUS), Disks(), corpus={"d9": "a pod"})
    with pytest.raises(ValueError, match="has no text among the 1 documents"):
        other.search({"q": "disk story"}, 1)


class Nowhere:
    """Finds something for none of the queries, and forgets to say so."""

    corpus = CORPUS

    def search(self, queries, k):
        return {}


@pytest.mark.parametrize(
    ("first", "corpus", "message"),
    [
        (Nowhere(), None, "first gave nothing for 1 query, e.g. 'q'"),
        (CsrBM25, CORPUS, "CsrBM25 is a class; needed a retriever with search"),
        (CsrBM25(CORPUS), ["pod"], "corpus is a list; needed a dict"),
        (CsrBM25(CORPUS), {"d1": None}, "document 'd1' is of type NoneType"),
    ],
)
def test_a_reranker_stands_on_a_retriever_and_on_texts(first, corpus, message):
    with pytest.raises(ValueError, match=message):
        Reranker(first, Disks(), corpus=corpus).search({"q": "pod"}, 3)


def test_the_documents_below_the_depth_keep_their_order_however_large_the_scores():
    class Large:
        def scores(self, query, texts):
            return [2.0**25] * len(texts)

    found = Reranker(CsrBM25(CORPUS), Large(), depth=2).search({"q": "pod"}, 4)["q"]
    assert ranking("q", found) == ids(found) == ["d2", "d1", "d3", "d4"]
    assert len({np.float32(score) for _, score in found[1:]}) == 3


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0, 2.0]], "vectors is a list; needed a dict {text: vector}"),
        ({"disk": [np.nan, 1.0]}, "vectors: the vector of 'disk' holds a value that is not finite"),
        ({"disk": "x"}, "vectors gave no array of numbers"),
        ({"disk": [1.0, 2.0, 3.0]}, "a query of 2 numbers, texts of 3; both must come from one model"),
    ],
)
def test_vectors_that_are_given_are_finite_and_of_the_models_width(vectors, message):
    with pytest.raises(ValueError, match=message):
        CosineScorer(Letters(), vectors).scores("pod", ["disk"])


def test_a_depth_of_zero_is_refused():
    with pytest.raises(ValueError, match="depth is 0; needed a whole number of documents, 1 or more"):
        Reranker(CsrBM25(CORPUS), Disks(), depth=0)


def test_an_explanation_has_the_place_before_and_after():
    reranker = Reranker(CsrBM25(CORPUS), Disks(), depth=3)
    frame = reranker.explain("pod", "d3")
    assert frame["rank"].to_dict() == {"first": 3.0, "reranked": 1.0}
    assert frame.attrs["score"] == 2.0
    assert reranker.explain("pod", "d5").isna().all(axis=None)
    with pytest.raises(ValueError, match="'d9' is not among"):
        reranker.explain("pod", "d9")


# A cross-encoder of the true layout


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory):
    """A folder with a tiny BERT of random weights, and a classifier over its [CLS] vector."""
    import json

    from helpers.encoders import write_safetensors

    folder, width, wider = tmp_path_factory.mktemp("tiny-cross-encoder"), 8, 16
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "pod", "disk", "##s", "and", "a", "very", "long", "story"]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    config = {
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": width, "intermediate_size": wider,
        "num_attention_heads": 2, "num_hidden_layers": 1, "max_position_embeddings": 24,
        "type_vocab_size": 2, "vocab_size": len(pieces), "layer_norm_eps": 1e-12,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    shapes = {
        "embeddings.word_embeddings.weight": (len(pieces), width),
        "embeddings.position_embeddings.weight": (24, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "encoder.layer.0.intermediate.dense.weight": (wider, width),
        "encoder.layer.0.intermediate.dense.bias": (wider,),
        "encoder.layer.0.output.dense.weight": (width, wider),
        "encoder.layer.0.output.dense.bias": (width,),
    }
    for part in ("self.query", "self.key", "self.value", "output.dense"):
        shapes[f"encoder.layer.0.attention.{part}.weight"] = (width, width)
        shapes[f"encoder.layer.0.attention.{part}.bias"] = (width,)
    norms = ("embeddings.", "encoder.layer.0.attention.output.", "encoder.layer.0.output.")
    for norm in norms:
        shapes |= {f"{norm}LayerNorm.weight": (width,), f"{norm}LayerNorm.bias": (width,)}
    shapes |= {"pooler.dense.weight": (width, width), "pooler.dense.bias": (width,)}
    rng = np.random.default_rng(0)
    tensors = {f"bert.{name}": rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    tensors["classifier.weight"] = rng.normal(size=(1, width)).astype(np.float32)
    tensors["classifier.bias"] = np.zeros(1, dtype=np.float32)
    write_safetensors(tensors, folder / "model.safetensors")
    return folder


def test_a_cross_encoder_by_its_folder_orders_the_candidates_by_its_scores(cross_encoder):
    from helpers.encoders import load_encoder

    found = Reranker(CsrBM25(CORPUS), cross_encoder, depth=3).search({"q": "pod"}, k=4)["q"]
    scores = load_encoder(cross_encoder).scores("pod", [CORPUS[doc_id] for doc_id in ("d1", "d2", "d3")])
    expected = {doc_id: round(float(s), 6) for doc_id, s in zip(("d1", "d2", "d3"), scores, strict=True)}
    assert dict(found[:3]) == pytest.approx(expected, abs=1e-6)
    assert found[3][0] == "d4"


def test_a_cross_encoder_scores_a_pair_alike_alone_and_among_others(cross_encoder):
    from helpers.encoders import load_encoder

    model, texts = load_encoder(cross_encoder, batch_size=2), list(CORPUS.values())
    together = model.scores("pods", texts)
    alone = [model.scores("pods", [text])[0] for text in texts]
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert len(set(together.round(4))) > 1


def test_a_model_that_is_neither_folder_nor_in_the_catalogue_is_named():
    with pytest.raises(ValueError, match="no-such-model"):
        Reranker(CsrBM25(CORPUS), "no-such-model")


# The ceiling


RUN = {"q1": [("a", 4.0), ("b", 3.0), ("c", 2.0), ("d", 1.0)]}
GRADES = {"q1": {"b": 1, "c": 2, "x": 1}}


def test_the_ceiling_is_the_metric_of_the_candidates_in_the_best_order():
    table = candidate_ceiling(RUN, GRADES, depth=[1, 2, 3], metric="nDCG@2")
    ideal = 2 + 1 / np.log2(3)
    assert table["recall"].to_list() == pytest.approx([0, 1 / 3, 2 / 3])
    assert table["ceiling"].to_list() == pytest.approx([0, 1 / ideal, 1.0])
    now = (1 / np.log2(3)) / ideal
    assert table["gain"].to_list() == pytest.approx([0 - now, 1 / ideal - now, 1 - now])


def test_a_deeper_ceiling_is_never_lower_and_no_reranker_reaches_above_it(runbooks):
    first = CsrBM25(runbooks.corpus)
    table = candidate_ceiling(first.search(runbooks.queries, 100), runbooks.qrels, (10, 20, 50, 100))
    assert table["recall"].is_monotonic_increasing and table["ceiling"].is_monotonic_increasing
    model = LatentSemantic(runbooks.corpus.values())
    for depth, row in table.iterrows():
        run = Reranker(first, model, depth).search(runbooks.queries, depth)
        assert evaluate_retrieval(run, runbooks.qrels, metrics=["nDCG@10"])["nDCG@10"] <= row["ceiling"]


def test_one_depth_is_one_row_and_zero_is_none():
    assert list(candidate_ceiling(RUN, GRADES, 4).index) == [4]
    assert list(candidate_ceiling(RUN, GRADES, np.int64(4)).index) == [4]
    for depth in (0, 2.5, "10", None):
        with pytest.raises(ValueError, match=f"depth is {depth!r}; needed a whole number of results"):
            candidate_ceiling(RUN, GRADES, depth)


def test_a_ceiling_says_once_that_no_id_is_judged():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        candidate_ceiling({"q1": {"doc1": 1.0}}, {"q1": {"d1": 1}})
    assert len(said) == 1 and "document id is judged" in str(said[0].message)
