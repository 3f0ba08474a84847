"""What stands around each exercise: how hard it is, how long it takes, and what is shown once it is solved.

One table for all of them, so that efforts can be compared. A second way is there where it tells something.
"""

import heapq
import statistics
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np


class Beyond(NamedTuple):
    """Difficulty 1 to 3, minutes, a question further, another right function with a docstring of one line."""

    difficulty: int
    minutes: int
    further: str = ""
    second_way: Callable | None = None


def _chunk_fixed(tokens, size, overlap):
    """a range that ends where the last chunk begins needs no `break`."""
    if overlap >= size:
        raise ValueError("the overlap must be smaller than a chunk")
    end = max(len(tokens) - overlap, 1) if tokens else 0
    return [tokens[start : start + size] for start in range(0, end, size - overlap)]


def _idf(term, documents):
    """NumPy's log1p is ln(1 + x), and exact where x is tiny."""
    df = sum(term in document for document in documents)
    return np.log1p((len(documents) - df + 0.5) / (df + 0.5))


def _top_documents(hits, k):
    """with the worst hit first, the best chunk of a document is the last to overwrite the others."""
    upwards = sorted(hits, key=lambda hit: hit[1])
    best = {chunk_id.split("#")[0]: score for chunk_id, score in upwards}
    return sorted(best.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)[:k]


def _reciprocal_rank(ranking, grades):
    """`next` takes the first rank that fits, or infinity, and 1 / infinity is 0."""
    ranks = (rank for rank, doc_id in enumerate(ranking, start=1) if grades.get(doc_id, 0) > 0)
    return 1 / next(ranks, float("inf"))


def _average_precision(ranking, grades):
    """with arrays, all precisions at once; only those at relevant documents are added."""
    relevant = np.array([grades.get(doc_id, 0) > 0 for doc_id in ranking])
    precisions = np.cumsum(relevant) / np.arange(1, len(ranking) + 1)
    n_relevant = sum(grade > 0 for grade in grades.values())
    return (precisions * relevant).sum() / n_relevant if n_relevant else 0.0


def _dcg_at_k(ranking, grades, k=10):
    """a product of two arrays, what the documents are worth and what their ranks are worth."""
    gains = np.array([grades.get(doc_id, 0) for doc_id in ranking[:k]])
    return gains @ (1 / np.log2(np.arange(len(gains)) + 2))


def _to_csr(rows, n_terms):
    """SciPy also takes (weight, row, column), in any order, and makes indptr itself."""
    from scipy.sparse import csr_array

    weights = [float(weight) for row in rows for weight in row.values()]
    places = [[number, term] for number, row in enumerate(rows) for term in row]
    places = np.array(places, dtype=int).reshape(-1, 2).T
    return csr_array((weights, places), shape=(len(rows), n_terms))


def _idf_from_matrix(counts):
    """a comparison is a sparse matrix too, of True; its column sums are the document frequencies."""
    df = np.asarray((counts != 0).sum(axis=0)).ravel()
    return np.log1p((counts.shape[0] - df + 0.5) / (df + 0.5))


def _why_above(first, second):
    """a Counter can be subtracted from, and counts what it lacks as 0."""
    difference = Counter(first)
    difference.subtract(second)
    return sorted(difference.items(), key=lambda pair: (-pair[1], pair[0]))


def _median_first_rank(ranks):
    """`statistics.median` sorts infinities with the rest, and raises a ValueError for an empty list."""
    return statistics.median(float("inf") if rank is None else rank for rank in ranks)


def _sign_flip_p(differences):
    """one matrix of all patterns, and one product with the differences."""
    patterns = np.array(list(product([1, -1], repeat=len(differences))))
    return np.mean(np.abs(patterns @ differences) >= abs(sum(differences)) - 1e-12)


def _holm(p_values):
    """sorted arrays; `maximum.accumulate` is the largest so far."""
    names = sorted(p_values, key=p_values.get)
    raised = np.array([p_values[name] for name in names]) * np.arange(len(names), 0, -1)
    adjusted = np.minimum(np.maximum.accumulate(raised), 1.0).tolist()
    return dict(zip(names, adjusted, strict=True))


def _masked_mean(vectors, mask):
    """the mask is a weight of 0 or 1, and `np.average` takes weights."""
    if len(vectors) != len(mask) or not any(mask):
        raise ValueError("one 0 or 1 for each vector, and not zeros only")
    return np.average(vectors, axis=0, weights=mask).tolist()


def _reciprocal_rank_fusion(rankings, k):
    """a Counter starts every document at 0."""
    scores = Counter()
    for ranking in rankings:
        scores.update({doc_id: 1 / (k + rank) for rank, doc_id in enumerate(ranking, 1)})
    return dict(scores)


def _rescore_bits(query, bits, vectors, candidates, k):
    """of two codes read as numbers, `^` leaves a 1 in each place that differs."""
    own = int("".join("01"[number > 0] for number in query), 2)
    far = {doc_id: bin(own ^ int(code, 2)).count("1") for doc_id, code in bits.items()}
    near = sorted(sorted(bits, reverse=True), key=far.get)[:candidates]
    products = {doc_id: np.dot(query, vectors[doc_id]) for doc_id in near}
    return sorted(sorted(near, reverse=True), key=products.get, reverse=True)[:k]


def _merged_top(shards, k):
    """a heap takes the k largest without sorting the rest."""
    hits = ((score, doc_id) for shard in shards for doc_id, score in shard)
    return [(doc_id, score) for score, doc_id in heapq.nlargest(k, hits)]


BEYOND: dict[str, Beyond] = {
    "READ_CORPUS": Beyond(
        2, 20, "A corpus lost its titles on the way. Which of your engine's figures would tell you so?"
    ),
    "LABEL_PROBLEMS": Beyond(2, 20, "Which problem of a label file can no program find, and who could?"),
    "COHEN_KAPPA": Beyond(
        2, 15, "95 % of your pairs are irrelevant. Which kappa do two assessors reach who agree on 95 %?"
    ),
    "COVERAGE": Beyond(
        1,
        10,
        "Half of your pages are relevant to no query. Is the query set too small, or the corpus too large?",
    ),
    "CHUNK_FIXED": Beyond(
        2, 20, "How many chunks does a document of n tokens have, as a formula?", _chunk_fixed
    ),
    "IDF": Beyond(1, 10, "A word is in every document. Why should it still count for a little?", _idf),
    "BM25_SCORE": Beyond(
        2, 20, "What is the highest score that one query word can bring, however often a document has it?"
    ),
    "TOP_DOCUMENTS": Beyond(
        2,
        15,
        "A long page has many chunks, and so many chances to have a good one. Is that fair?",
        _top_documents,
    ),
    "PRECISION": Beyond(1, 6, "A query has three relevant documents. What is the best P@10 it can reach?"),
    "RECALL": Beyond(
        1, 6, "27 documents are relevant. What is the best Recall@10, and which k would allow 1?"
    ),
    "RECIPROCAL_RANK": Beyond(
        1,
        5,
        "One relevant document falls from rank 1 to 2, another rises from 10 to 2. What does the mean do?",
        _reciprocal_rank,
    ),
    "AVERAGE_PRECISION": Beyond(
        2,
        10,
        "Two lists have the same documents in their first ten. Can their average precision differ?",
        _average_precision,
    ),
    "DCG": Beyond(
        2,
        10,
        "Where is the discount steeper, from rank 1 to 2 or from 9 to 10? Who reads like that?",
        _dcg_at_k,
    ),
    "NDCG": Beyond(
        2,
        12,
        "Your engine found something new and relevant, and not judged yet. What does nDCG do once it is?",
    ),
    "MEAN_OVER_QUERIES": Beyond(
        2, 10, "An engine gives no answer where it is unsure. Which way to average would reward it for that?"
    ),
    "READ_QRELS": Beyond(
        2, 10, "Ids became numbers on the way in. Which documents would you lose, and when?"
    ),
    "TO_CSR": Beyond(3, 15, "Which of the three lists says that a document is empty?", _to_csr),
    "IDF_FROM_MATRIX": Beyond(
        2,
        12,
        "Documents are added every day. Which IDFs change, and must old scores be computed again?",
        _idf_from_matrix,
    ),
    "TOP_K": Beyond(
        3,
        20,
        "A million documents, k = 10: must all scores be sorted? Which structure keeps the ten best so far?",
    ),
    "TERM_SCORES": Beyond(2, 20, "Which word of a query could be left out without changing any ranking?"),
    "WHY_ABOVE": Beyond(
        1,
        10,
        "The differences explain the order of two documents. Do they say which of them is the better answer?",
        _why_above,
    ),
    "MEDIAN_FIRST_RANK": Beyond(
        1, 8, "An engine improves its worst tenth of queries. Does the median notice?", _median_first_rank
    ),
    "BACK_WITH_CONTROL": Beyond(
        2,
        20,
        "A useless change brings back two misses. How many may a good one bring back by the same luck?",
    ),
    "PAIRED_DIFFERENCES": Beyond(
        1, 10, "Both systems fail on the same 20 queries. What do these say about the two?"
    ),
    "SIGN_FLIP_P": Beyond(
        3,
        15,
        "What is the smallest p that five queries can give, however large the difference?",
        _sign_flip_p,
    ),
    "BOOTSTRAP_INTERVAL": Beyond(
        2, 15, "The interval is drawn from your queries. Which uncertainty does it not know of?"
    ),
    "HOLM": Beyond(
        2, 15, "You tried twelve settings and report two. By how many must the p-values be multiplied?", _holm
    ),
    "QUERIES_NEEDED": Beyond(
        2, 15, "Half the effect: how many times the queries? And where does s come from before there are any?"
    ),
    "WITHIN_BUDGET": Beyond(
        3,
        20,
        "A long item is skipped and a worse one takes its place. When is that right for a language model?",
    ),
    "MATCH_EXPRESSION": Beyond(
        2, 12, "Somebody wants to search for two words in a row. What would you have to let through?"
    ),
    "RETRIEVAL_METRICS": Beyond(
        1,
        10,
        "Two settings have the same hit rate, and one has the higher MRR. For which reader is it better?",
    ),
    "GATE": Beyond(
        3, 20, "The gate passed twenty changes, each a little worse. What has become of the mean?"
    ),
    "MASKED_MEAN": Beyond(
        1,
        10,
        "A batch is padded to its longest text. What would change with the batch if padding counted?",
        _masked_mean,
    ),
    "RANK_BY_COSINE": Beyond(
        2, 20, "All vectors are of length 1. Which part of your function could then go?"
    ),
    "RECIPROCAL_RANK_FUSION": Beyond(
        1,
        10,
        "Two engines agree on rank 5, one alone puts a document first. Which is higher, with k = 60?",
        _reciprocal_rank_fusion,
    ),
    "MIN_MAX_FUSION": Beyond(
        2, 15, "One page with a huge BM25 score joins the list. What happens to all other documents?"
    ),
    "TUNE_THEN_CONFIRM": Beyond(
        2, 20, "The gain on test is smaller than on dev. Was the tuning wrong, or is that to be expected?"
    ),
    "NUGGETS_HELD": Beyond(
        2, 20, "A quote is cut in its middle, and the next piece has the other half. Would a reader mind?"
    ),
    "WHAT_IS_WRONG": Beyond(
        2, 15, "The judge errs on long passages, and one system shows longer ones. Which system gains?"
    ),
    "CORRECTED_MEAN": Beyond(
        1, 10, "The correction moves a share below 0. Is the formula wrong, or were the labels too few?"
    ),
    "LABELS_PER_STRATUM": Beyond(
        2, 20, "A stratum's guessed spread is 0, so it gets no label. What if the guess was wrong?"
    ),
    "SEARCH_CELLS": Beyond(
        1, 15, "New documents arrive every day, and the centres stay. What becomes of the recall?"
    ),
    "RESCORE_BITS": Beyond(
        2,
        20,
        "Half of all documents differ from the query in the same number of places. Who becomes a candidate?",
        _rescore_bits,
    ),
    "GLOBAL_IDF": Beyond(
        1, 10, "A document is deleted in one shard. Whose weights change, and what would it take to follow?"
    ),
    "MERGED_TOP": Beyond(
        1, 10, "One shard answers late, and you merge without it. How would a reader notice?", _merged_top
    ),
}
