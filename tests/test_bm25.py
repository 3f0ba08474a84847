"""Every variant of BM25 equals the package that it names, hand arithmetic, and what all of BM25 promises."""

import tracemalloc
from dataclasses import replace
from math import log, sqrt

import bm25s
import numpy as np
import pytest
import rank_bm25
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_matrix, csr_matrix

from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.retrieval.bm25 import LUCENE_LENGTHS, VARIANTS, bm25_weights, compute_idf, round_length, weigh
from helpers.retrieval.sparse_index import top_k
from helpers.retrieval.vectors import count_terms
from helpers.text.analyzers import plain, plain_stemmed

BM25S = ["lucene", "robertson", "atire", "bm25l", "bm25+"]
BM25 = [*BM25S, "rank-bm25"]
TEXTS = st.lists(
    st.lists(st.sampled_from("abcdef"), max_size=8).map(" ".join), min_size=1, max_size=8
).filter(any)
QUERIES = st.lists(st.sampled_from("abcdx"), min_size=1, max_size=4)  # no document has x; terms come twice
K1, B, DELTA = st.floats(0.01, 3), st.floats(0, 1), st.floats(0.01, 2)
COUNTS = csr_matrix([[3, 1, 0], [0, 1, 1], [0, 0, 0]])  # lengths 4, 2 and 0, mean 2; df 1, 2, 1


def scores_of(weighting, query_counts):
    """The definition in `Weighting`, for every document."""
    return (
        weighting.documents @ (query_counts.toarray().ravel() * weighting.query)
        + (query_counts @ weighting.absent)[0]
    )


def scores(texts, query, variant, **parameters):
    counts, vocabulary = count_terms(texts, str.split)
    return scores_of(
        weigh(counts, variant, **parameters), count_terms([" ".join(query)], str.split, vocabulary)[0]
    )


@pytest.mark.parametrize("variant", BM25S)
@given(texts=TEXTS, query=QUERIES, k1=K1, b=B, delta=DELTA)
def test_every_document_scores_as_in_bm25s(variant, texts, query, k1, b, delta):
    peer = bm25s.BM25(method=variant, k1=k1, b=b, delta=delta)
    peer.index([text.split() for text in texts], show_progress=False)
    ours = scores(texts, query, variant, k1=k1, b=b, **({"delta": delta} if VARIANTS[variant].delta else {}))
    assert ours == pytest.approx(peer.get_scores(query), abs=1e-5)


@pytest.mark.parametrize("variant", BM25S)
@given(texts=TEXTS, query=QUERIES)
def test_a_document_that_matches_nothing_scores_what_the_absent_terms_give(variant, texts, query):
    missing = [d for d, text in enumerate(texts) if not set(text.split()) & set(query)]
    assume(missing)
    counts, vocabulary = count_terms(texts, str.split)
    absent = weigh(counts, variant).absent
    expected = sum(absent[vocabulary[term]] for term in query if term in vocabulary)
    assert scores(texts, query, variant)[missing] == pytest.approx(expected, abs=1e-6)


# rank_bm25's BM25Plus is bm25s's "bm25+". Its BM25L is not bm25s's "bm25l": it multiplies by tf once more, so
# that an absent term scores 0 (as in the paper) but a present one never saturates. We follow bm25s.
@pytest.mark.parametrize("variant, peer", [("rank-bm25", rank_bm25.BM25Okapi), ("bm25+", rank_bm25.BM25Plus)])
@given(texts=TEXTS, query=QUERIES, k1=K1, b=st.floats(0, 0.99))  # at b = 1 it gives an empty document 0 / 0
def test_every_document_scores_as_in_rank_bm25(variant, peer, texts, query, k1, b):
    expected = peer([text.split() for text in texts], k1=k1, b=b).get_scores(query)
    assert scores(texts, query, variant, k1=k1, b=b) == pytest.approx(expected, abs=1e-5)


def test_rank_bm25s_bm25l_is_another_formula_than_ours():
    texts, query = ["a a a b", "b c", "c"], ["a"]
    theirs = rank_bm25.BM25L([text.split() for text in texts], k1=1, b=0, delta=0.5).get_scores(query)
    idf, w3, w0 = log(4 / 1.5), 2 * 3.5 / 4.5, 2 * 0.5 / 1.5
    assert theirs == pytest.approx([3 * idf * w3, 0, 0])
    assert scores(texts, query, "bm25l", k1=1, b=0) == pytest.approx([idf * w3, idf * w0, idf * w0])


@pytest.fixture(scope="module")
def sklearn_text():
    return pytest.importorskip("sklearn.feature_extraction.text", reason="scikit-learn is not installed")


@given(texts=TEXTS, query=QUERIES)
def test_tf_idf_is_scikit_learns_and_ranks_by_its_cosine(sklearn_text, texts, query):
    counts, vocabulary = count_terms(texts, str.split)
    vectorizer = sklearn_text.TfidfVectorizer(analyzer=str.split, vocabulary=vocabulary)
    documents, vector = vectorizer.fit_transform(texts), vectorizer.transform([" ".join(query)])
    weighting = weigh(counts, "tf-idf")
    assert weighting.documents.toarray() == pytest.approx(documents.toarray(), abs=1e-6)
    assert weighting.query == pytest.approx(vectorizer.idf_, abs=1e-6)
    query_counts, _ = count_terms([" ".join(query)], str.split, vocabulary)
    length = np.linalg.norm(query_counts.toarray() * weighting.query)  # what is left out of the cosine
    assert scores_of(weighting, query_counts) == pytest.approx(
        (documents @ vector.T).toarray().ravel() * length, abs=1e-5
    )


@pytest.mark.parametrize(
    "variant, idf, w, w0",
    [
        # Three documents; the term has tf 3 and df 1, dl / avgdl is 2, so at k1 = 1 and b = 0.5 norm is 1.5.
        ("lucene", log(1 + 2.5 / 1.5), 3 / 4.5, 0),
        ("robertson", log(2.5 / 1.5), 3 / 4.5, 0),
        ("atire", log(3), 2 * 3 / 4.5, 0),
        ("bm25l", log(4 / 1.5), 2 * (3 / 1.5 + 0.5) / (1 + 3 / 1.5 + 0.5), 2 * 0.5 / 1.5),
        ("bm25+", log(4), 2 * 3 / 4.5 + 1, 1),
        ("rank-bm25", log(2.5 / 1.5), 2 * 3 / 4.5, 0),
    ],
)
def test_one_posting_by_hand(variant, idf, w, w0):
    weighting = weigh(COUNTS, variant, k1=1, b=0.5)
    assert (weighting.query[0], weighting.documents[0, 0], weighting.absent[0]) == pytest.approx(
        (idf, w - w0, idf * w0)
    )
    assert weighting.documents.dtype == weighting.query.dtype == weighting.absent.dtype == np.float32


def test_one_posting_of_tf_idf_by_hand():
    weighting = weigh(COUNTS, "tf-idf")
    rare, common = log(4 / 2) + 1, log(4 / 3) + 1
    assert weighting.query == pytest.approx([rare, common, rare])
    assert weighting.documents[0, 0] == pytest.approx(3 * rare / sqrt((3 * rare) ** 2 + common**2))


def test_a_term_in_more_than_half_of_the_documents_is_where_the_variants_part():
    # Four documents; df 3, 1, 1. With Robertson and Spärck Jones's idf the first is below zero.
    counts = csr_matrix([[1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 0]])
    idf = {variant: float(weigh(counts, variant).query[0]) for variant in BM25}
    assert idf["lucene"] == pytest.approx(log(1 + 1.5 / 3.5))
    assert idf["robertson"] == 0
    assert idf["rank-bm25"] == pytest.approx((log(1.5 / 3.5) + 2 * log(3.5 / 1.5)) / 3 / 4)
    assert (idf["atire"], idf["bm25l"], idf["bm25+"]) == pytest.approx((log(4 / 3), log(5 / 3.5), log(5 / 3)))


def test_rank_bm25s_floor_makes_the_commonest_words_of_scifact_heavier_than_86_rarer_ones(scifact):
    counts, vocabulary = count_terms(scifact.corpus.values(), plain)
    weight = weigh(counts, "rank-bm25").query
    the, patients = weight[vocabulary["the"]], weight[vocabulary["patients"]]
    assert (round(float(the), 2), round(float(patients), 2)) == (1.81, 1.39)
    assert ((weight < the).sum(), (weight == the).sum()) == (86, 15)
    lucenes = weigh(counts, "lucene").query
    assert lucenes[vocabulary["the"]] < 0.01 < 1 < lucenes[vocabulary["patients"]]


@pytest.mark.parametrize("variant", VARIANTS)
@given(st.integers(1, 19))
def test_more_occurrences_never_weigh_less(variant, tf):
    # The same length twice, so that nothing but tf differs.
    weights = weigh(csr_matrix([[tf, 21 - tf], [tf + 1, 20 - tf]]), variant).documents[:, 0].toarray().ravel()
    assert weights[0] <= weights[1]


@pytest.mark.parametrize("variant", BM25)
@given(st.integers(1, 20), st.integers(1, 50), st.integers(1, 50), K1, B)
def test_a_longer_document_never_weighs_more_for_the_same_tf(variant, tf, others, more, k1, b):
    counts = csr_matrix([[tf, others], [tf, others + more]])
    shorter, longer = weigh(counts, variant, k1, b).documents[:, 0].toarray().ravel()
    assert longer <= shorter
    shorter, longer = weigh(counts, variant, k1, b=0).documents[:, 0].toarray().ravel()
    assert longer == shorter


@settings(max_examples=50)
@given(TEXTS, QUERIES, DELTA)
def test_deltas_size_changes_no_rank_in_bm25_plus(texts, query, delta):
    # Every document gets it, for every term of the query. In the paper only documents with the term do.
    one, other = scores(texts, query, "bm25+"), scores(texts, query, "bm25+", delta=delta)
    assert np.ptp(other - one) < 1e-5


@settings(max_examples=50)
@given(TEXTS, K1, B)
def test_all_but_bm25l_share_one_w_up_to_a_factor(texts, k1, b):
    counts, _ = count_terms(texts, str.split)
    lucene = weigh(counts, "lucene", k1, b).documents.toarray()
    for variant in ("atire", "rank-bm25", "bm25+"):
        assert weigh(counts, variant, k1, b).documents.toarray() == pytest.approx(lucene * (k1 + 1), rel=1e-5)
    assert (weigh(counts, "robertson", k1, b).documents.toarray() == lucene).all()


@settings(max_examples=50)
@given(TEXTS, K1, B, st.booleans())
def test_bm25_weights_are_the_document_side_of_lucene(texts, k1, b, lucene_lengths):
    counts, _ = count_terms(texts, str.split)
    weighting = weigh(counts, "lucene", k1, b, lucene_lengths=lucene_lengths)
    assert (bm25_weights(counts, k1, b, lucene_lengths) != weighting.documents).nnz == 0
    assert weighting.query.tolist() == compute_idf(counts).tolist()


def test_lucene_lengths_round_the_length_and_not_the_mean():
    counts = csr_matrix([[1, 40], [1, 38]])  # lengths 41, kept as 40, and 39; mean 40
    weights = weigh(counts, k1=1, b=1, lucene_lengths=True).documents[:, 0].toarray().ravel()
    assert weights == pytest.approx([1 / (1 + 40 / 40), 1 / (1 + 39 / 40)])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("variant", VARIANTS)
def test_empty_documents_terms_and_corpora_weigh_nothing(variant):
    weighting = weigh(csr_matrix([[2, 0], [0, 0]]), variant)
    assert weighting.documents[1].nnz == 0
    assert (weighting.query[1], weighting.absent[1]) == (0, 0)
    for shape in ((0, 0), (0, 2), (2, 0), (3, 2)):
        weighting = weigh(csr_matrix(shape, dtype=np.int32), variant)
        assert (weighting.documents.shape, weighting.documents.nnz) == (shape, 0)
        assert weighting.query.tolist() == weighting.absent.tolist() == [0] * shape[1]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("edge", [{"k1": 0}, {"b": 0}, {"b": 1}, {"delta": 0}, {"k1": 0, "delta": 0}])
def test_parameters_at_their_edge_give_numbers(variant, edge):
    edge = {name: value for name, value in edge.items() if getattr(VARIANTS[variant], name) is not None}
    weighting = weigh(COUNTS, variant, **edge)
    assert all(
        np.isfinite(values).all() for values in (weighting.documents.data, weighting.query, weighting.absent)
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_how_counts_are_stored_does_not_matter(variant):
    expected = weigh(COUNTS, variant)
    # A row with nothing but a stored zero, one count in two parts, columns out of order.
    odd = csr_matrix((np.array([1, 1, 2, 1, 1, 0]), [1, 0, 0, 2, 1, 0], [0, 3, 5, 6]), shape=(3, 3))
    before = odd.data.tolist(), odd.indices.tolist()
    for counts in (odd, csc_matrix(COUNTS), COUNTS.astype(np.float32), COUNTS.astype(np.int64)):
        found = weigh(counts, variant)
        assert found.documents.toarray().tolist() == expected.documents.toarray().tolist()
        assert found.query.tolist() == expected.query.tolist()
    assert (odd.data.tolist(), odd.indices.tolist()) == before


@pytest.mark.parametrize("variant", VARIANTS)
def test_blocks_of_postings_join_without_a_seam(variant):
    # 200,000 postings are several blocks; the last third must weigh as it does with dense arithmetic.
    rng = np.random.default_rng(7)
    dense = rng.integers(1, 5, size=(2000, 100))
    dense[rng.integers(0, 2000, 300)] = 0
    weighting, few = weigh(csr_matrix(dense), variant), csr_matrix(dense[-600:])
    df, n, chosen = (dense > 0).sum(axis=0), len(dense), VARIANTS[variant]
    lengths, idf = dense.sum(axis=1), chosen.idf((dense > 0).sum(axis=0), n)
    norm = (1 - 0.4 + 0.4 * lengths / lengths.mean())[-600:, None]
    expected = chosen.weight(few.toarray().astype(float), norm, 0.9, chosen.delta) - chosen.absent(
        0.9, chosen.delta
    )
    if variant == "tf-idf":
        expected = expected * idf
        expected /= np.maximum(np.linalg.norm(expected, axis=1, keepdims=True), 1e-9)
    assert df.min() > 0
    np.testing.assert_allclose(weighting.documents[-600:].toarray(), expected, rtol=1e-6, atol=1e-7)


def test_weighing_takes_little_memory_beside_the_counts_and_shares_their_index_arrays():
    counts = csr_matrix(np.ones((20_000, 100), dtype=np.int32))
    tracemalloc.start()
    weighting = weigh(counts, "bm25l")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 15 * counts.nnz
    assert np.shares_memory(weighting.documents.indices, counts.indices)
    assert np.shares_memory(weighting.documents.indptr, counts.indptr)


@pytest.mark.parametrize("data", [-1, 0.5, np.nan, np.inf])
def test_what_is_no_count_is_refused_with_its_place(data):
    with pytest.raises(ValueError, match=r"counts, row 1, column 2: .* is no count"):
        weigh(csr_matrix((np.array([1.0, data]), [0, 2], [0, 1, 2]), shape=(2, 3)))


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"variant": "okapi"}, "variant is 'okapi'; it can be 'lucene' or 'robertson' or .* or 'tf-idf'"),
        ({"k1": -0.1}, "k1 is -0.1"),
        ({"k1": float("inf")}, "k1 is inf"),
        ({"b": 1.1}, "b is 1.1; .* from 0 to 1"),
        ({"b": float("nan")}, "b is nan"),
        ({"k1": "1.2"}, "k1 is '1.2'"),
        ({"variant": "bm25l", "delta": -1}, "delta is -1"),
        ({"delta": 0.5}, "'lucene' has no delta"),
        ({"variant": "tf-idf", "k1": 1.2}, "'tf-idf' has no k1"),
        ({"variant": "atire", "lucene_lengths": True}, "only 'lucene' rounds lengths"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        weigh(COUNTS, **arguments)


def test_one_byte_keeps_256_lengths():
    assert round_length(LUCENE_LENGTHS).tolist() == LUCENE_LENGTHS.tolist()
    assert len(set(LUCENE_LENGTHS.tolist())) == 256


@pytest.fixture(scope="module")
def scifact_tokens(scifact):
    """A quarter of the queries, and of the documents those that are judged and a quarter of the others."""
    queries = {query_id: scifact.queries[query_id] for query_id in sorted(scifact.qrels)[::4]}
    qrels = {query_id: scifact.qrels[query_id] for query_id in queries}
    judged = {doc_id for grades in qrels.values() for doc_id in grades}
    doc_ids = sorted(judged.union(sorted(scifact.corpus)[::4]))
    few = replace(scifact, queries=queries, qrels=qrels)
    return doc_ids, [plain_stemmed(scifact.corpus[doc_id]) for doc_id in doc_ids], few


def evaluated(doc_ids, scores, dataset):
    best = [top_k(row, 100) for row in scores]
    run = {
        query_id: [(doc_ids[d], float(row[d])) for d in top]
        for query_id, row, top in zip(dataset.queries, scores, best, strict=True)
    }
    return evaluate_retrieval(run, dataset.qrels, metrics=["nDCG@10", "Recall@100"])


def peer_of(variant, tokens, k1, b):
    if variant == "rank-bm25":
        return rank_bm25.BM25Okapi(tokens, k1=k1, b=b)
    peer = bm25s.BM25(method=variant, k1=k1, b=b, delta=VARIANTS[variant].delta)
    peer.index(tokens, show_progress=False)
    return peer


@pytest.mark.parametrize("variant", BM25)
def test_scifact_is_ranked_as_well_as_by_the_package_that_the_variant_names(scifact_tokens, variant):
    doc_ids, tokens, dataset = scifact_tokens
    counts, vocabulary = count_terms(tokens, list)
    queries, _ = count_terms(dataset.queries.values(), plain_stemmed, vocabulary)
    weighting = weigh(counts, variant, k1=1.5, b=0.75)
    ours = evaluated(
        doc_ids, (weighting.documents @ queries.multiply(weighting.query).T).toarray().T, dataset
    )
    peer = peer_of(variant, tokens, k1=1.5, b=0.75)
    scores = [peer.get_scores(plain_stemmed(query)).astype(np.float32) for query in dataset.queries.values()]
    assert dict(ours) == pytest.approx(dict(evaluated(doc_ids, scores, dataset)), abs=1e-4)


def lucene_round_trip(length: int) -> int:
    """One length through Lucene's SmallFloat, bit by bit, as an independent statement of `round_length`."""
    if length < 24:
        return length
    bits = (length - 24).bit_length()
    shift = max(bits - 4, 0)
    return 24 + ((length - 24) >> shift << shift)


@given(st.integers(0, 2**31 - 1))
def test_a_length_in_one_byte_is_lucenes(length):
    assert round_length(np.array([length]))[0] == lucene_round_trip(length)


def test_one_byte_has_256_lengths_exact_below_40():
    assert len(LUCENE_LENGTHS) == len(set(LUCENE_LENGTHS.tolist())) == 256
    assert LUCENE_LENGTHS[:41].tolist() == list(range(41))
    assert (np.diff(LUCENE_LENGTHS) > 0).all()
