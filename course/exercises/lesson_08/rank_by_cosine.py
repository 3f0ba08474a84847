"""Exercise: documents by the cosine of their vectors with a query's."""

import math
from math import acos, degrees

import numpy as np

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def rank_by_cosine(query, documents, k):
    scored = []
    for doc_id, vector in documents.items():
        lengths = np.linalg.norm(query) * np.linalg.norm(vector)
        if lengths > 0:
            scored.append((round(float(np.dot(query, vector) / lengths), 6), doc_id))
    return [(doc_id, score) for score, doc_id in sorted(scored, reverse=True)[:k]]


RANK_BY_COSINE = Exercise(
    name="RANK_BY_COSINE",
    task="""\
Write `rank_by_cosine(query, documents, k)`: the k documents whose vectors point most nearly where the \
query's points.

`query` is a list of numbers, `documents` is `{doc_id: list of numbers}`, k is at least 1. Returned is a \
list of pairs (doc_id, score), best first. **Convention**: the score is the cosine, rounded to six decimals; \
equal scores stand by document id from Z to A, as everywhere in the course; documents at or below zero are \
results like any other; a vector of zeros has no direction, so such a document is never found, and such a \
query finds nothing. Vectors of different length raise a ValueError.""",
    reference=rank_by_cosine,
    cases=(
        Case(([3, 4], {"a": [4, 3]}, 1), "24, divided by both lengths, 5 and 5"),
        Case(
            ([1, 1], {"far": [10, 0], "near": [1, 1]}, 2),
            "far has the larger inner product, 10 against 2, because it is long; only direction counts",
        ),
        Case(([1, 0], {"a": [1, 0], "b": [0, 1]}, 2), "a right angle is cosine 0, and a result"),
        Case(([1, 2], {"a": [-1, -2], "b": [2, 4]}, 2), "the opposite direction is -1, last but a result"),
        Case(([2, 0], {"b": [3, 3], "a": [1, 1], "c": [0, 1]}, 2), "a and b are equal, so b stands first"),
        Case(
            ([1, 0], {"a": [0, 0], "b": [-1, 0], "c": [1, 1]}, 3),
            "a has no direction; b has, if the wrong one, and stands behind c",
        ),
        Case(([0, 0], {"a": [1, 0]}, 1), "a query without direction finds nothing"),
        Case(([0.3, 0.1], {"a": [0.1, 0.2], "b": [0.2, 0.1], "c": [0.1, -0.2]}, 1), "one was asked for"),
        Case(
            (
                [2, 1, 3],
                {
                    "d9": [1, 0, 1],
                    "d2": [2, 0, 2],
                    "d10": [3, 1, 4],
                    "z": [0, 0, 0],
                    "d100": [4, 0, 4],
                    "a": [0, 4, 1],
                    "b": [-1, 0, -2],
                    "c": [0, 1, 9],
                },
                4,
            ),
            "d9, d2 and d100 point the same way: in front of them is d10, behind them are c, a and b",
        ),
        Case(([1, 2, 2], {"a": [2, 1, 0], "b": [0, 0, 3]}, 10), "two documents, whatever k is"),
        Case(
            ([1, 1], {"a": [1, 3], "b": [0.2, 0.6], "c": [0.1, 0.3]}, 3),
            "all three point the same way; what tells them apart is rounding in the last digit",
        ),
        Case(
            ([1, 0], {"b": [1, 0.00001], "a": [1, 0], "c": [1, 0.002]}, 3),
            "a is nearer than b by less than six decimals show: the scores are equal, so b stands first",
        ),
        Case(([1, 0], {"a": [1, 0, 0]}, 1), "two numbers and three are not of one model"),
        Case(([1, 0], {}, 3), "no documents, no results"),
    ),
    hints=(
        "The inner product grows with the length of both vectors; divide it by both lengths and only the "
        "direction is left. Ask first whether there is a length to divide by.",
        "np.dot(query, vector) is the inner product and refuses different lengths; np.linalg.norm(vector) is "
        "the length. sorted(pairs of (score, doc_id), reverse=True) sorts both downwards.",
        "For each document: lengths = np.linalg.norm(query) * np.linalg.norm(vector); if lengths > 0 append "
        "(round(float(np.dot(query, vector) / lengths), 6), doc_id). Sort with reverse=True, cut at k, and "
        "turn the pairs round.",
    ),
)


def _cosine(query, vector):
    return float(np.dot(query, vector) / (np.linalg.norm(query) * np.linalg.norm(vector)))


def _has_direction(query, vector):
    return any(query) and any(vector)


def _down(pairs):
    return sorted(pairs, reverse=True)


def _ranked(query, documents, k, score=_cosine, kept=_has_direction, order=_down, digits=6):
    """The reference with one part exchanged."""
    scored = []
    for doc_id, vector in documents.items():
        np.dot(query, vector)  # refuses what the reference refuses
        if kept(query, vector):
            scored.append((round(float(score(query, vector)), digits), doc_id))
    return [(doc_id, found) for found, doc_id in order(scored)[:k]]


_INNER = (
    "You give the inner product. It is the cosine times both lengths, so a long vector wins by being long. "
    "Divide by the length of the query and by that of the document."
)


@RANK_BY_COSINE.mistake("inner product", _INNER)
def inner_product(query, documents, k):
    return _ranked(query, documents, k, np.dot)


@RANK_BY_COSINE.mistake("inner product, zeros too", _INNER)
def inner_product_zeros_too(query, documents, k):
    return _ranked(query, documents, k, np.dot, kept=lambda query, vector: True)


@RANK_BY_COSINE.mistake("only the query divided")
def only_the_query_divided(query, documents, k):
    """You divide by the query's length only. That is the same for all documents and changes no ranking; the
    documents' own lengths, which do, are still in the score."""
    return _ranked(query, documents, k, lambda q, d: np.dot(q, d) / np.linalg.norm(q))


@RANK_BY_COSINE.mistake("only the documents divided")
def only_the_documents_divided(query, documents, k):
    """You divide by the document's length only. That ranks alike. But the score is no cosine: it grows with
    the query, and cannot be compared between queries or fused with another list."""
    return _ranked(query, documents, k, lambda q, d: np.dot(q, d) / np.linalg.norm(d))


@RANK_BY_COSINE.mistake("squared lengths")
def squared_lengths(query, documents, k):
    """You divide by the sums of squares and forget the root. The length of (3, 4) is 5, not 25."""
    return _ranked(query, documents, k, lambda q, d: np.dot(q, d) / (np.dot(q, q) * np.dot(d, d)))


@RANK_BY_COSINE.mistake("one root too many")
def lengths_of_one_root(query, documents, k):
    """You take the root of the sum of the two lengths, or add them. The cosine divides by their product."""
    return _ranked(query, documents, k, lambda q, d: np.dot(q, d) / (np.linalg.norm(q) + np.linalg.norm(d)))


@RANK_BY_COSINE.mistake("cosine distance")
def cosine_distance(query, documents, k):
    """You give 1 minus the cosine, smallest first. That ranks alike, but everything in this course takes
    the highest score for the best."""
    order = lambda pairs: sorted(_down(pairs), key=lambda pair: pair[0])  # noqa: E731
    return _ranked(query, documents, k, lambda q, d: 1 - round(_cosine(q, d), 6), order=order)


@RANK_BY_COSINE.mistake("distance taken for likeness")
def distance_taken_for_likeness(query, documents, k):
    """You score by 1 minus the cosine and put the highest first. That is a distance: the farthest document
    comes out on top."""
    return _ranked(query, documents, k, lambda q, d: 1 - round(_cosine(q, d), 6))


@RANK_BY_COSINE.mistake("Euclidean distance")
def euclidean_distance(query, documents, k):
    """You rank by the distance between the points. Between vectors of length 1 that gives the cosine's order;
    otherwise a document in the same direction is far away only because it is long."""
    return _ranked(query, documents, k, lambda q, d: -np.linalg.norm(np.subtract(q, d)))


@RANK_BY_COSINE.mistake("the angle")
def the_angle(query, documents, k):
    """You give the angle in degrees, smallest first. That ranks alike; asked for is its cosine, which is
    highest where the angle is smallest."""
    order = lambda pairs: sorted(_down(pairs), key=lambda pair: pair[0])  # noqa: E731
    return _ranked(
        query, documents, k, lambda q, d: degrees(acos(max(-1, min(1, _cosine(q, d))))), order=order
    )


@RANK_BY_COSINE.mistake("lowest first")
def lowest_first(query, documents, k):
    """You put the lowest cosine first. sorted() goes upwards unless it is told reverse=True."""
    return _ranked(query, documents, k, order=sorted)


_ABOVE_ZERO = (
    "You keep only documents above zero. With shared terms zero means nothing in common; a cosine of zero is "
    "one value among others, and in some models all cosines of useful documents are low. Keep them."
)


@RANK_BY_COSINE.mistake("above zero only", _ABOVE_ZERO)
def above_zero_only(query, documents, k):
    return _ranked(query, documents, k, kept=lambda q, d: _has_direction(q, d) and np.dot(q, d) > 0)


@RANK_BY_COSINE.mistake("at zero and above", _ABOVE_ZERO)
def at_zero_and_above(query, documents, k):
    return _ranked(query, documents, k, kept=lambda q, d: _has_direction(q, d) and np.dot(q, d) >= 0)


@RANK_BY_COSINE.mistake("without the sign")
def without_the_sign(query, documents, k):
    """You take the absolute value. A document in the opposite direction is as unlike as can be, and would
    stand on top."""
    return _ranked(query, documents, k, lambda q, d: abs(_cosine(q, d)))


def _ties_up(pairs):
    return sorted(pairs, key=lambda pair: (-pair[0], pair[1]))


@RANK_BY_COSINE.mistake("ties from A to Z")
def ties_from_a_to_z(query, documents, k):
    """You put equal scores from A to Z. The course breaks ties as trec_eval does, by document id from Z to A;
    another rule is another ranking."""
    return _ranked(query, documents, k, order=_ties_up)


def _ties_as_they_come(pairs):
    return sorted(pairs, key=lambda pair: -pair[0])


@RANK_BY_COSINE.mistake(
    "ties as they come",
    "You leave equal scores in the order in which the documents came, "
    "so another file order gives another ranking. Sort by score and id, both downwards.",
)
def ties_as_they_come(query, documents, k):
    return _ranked(query, documents, k, order=_ties_as_they_come)


@RANK_BY_COSINE.mistake("not rounded")
def not_rounded(query, documents, k):
    """You do not round. Documents that point the same way differ in the sixteenth digit, and this digit then
    decides who is first, on each machine otherwise."""
    return _ranked(query, documents, k, digits=17)


_ZEROS = (
    "A vector of zeros gets past you. It has no direction, and so no cosine: 0 divided by 0. Leave such a "
    "document out, and let such a query find nothing."
)


@RANK_BY_COSINE.mistake("0 for a vector of zeros", _ZEROS)
def zero_for_a_vector_of_zeros(query, documents, k):
    def score(query, vector):
        return _cosine(query, vector) if _has_direction(query, vector) else 0.0

    return _ranked(query, documents, k, score, kept=lambda query, vector: True)


@RANK_BY_COSINE.mistake("NaN for a vector of zeros", _ZEROS)
def nan_for_a_vector_of_zeros(query, documents, k):
    return _ranked(query, documents, k, kept=lambda query, vector: True)


@RANK_BY_COSINE.mistake("division by zero", _ZEROS)
def division_by_zero(query, documents, k):
    if not all(_has_direction(query, vector) for vector in documents.values()):
        raise ZeroDivisionError("float division by zero")
    return _ranked(query, documents, k)


@RANK_BY_COSINE.mistake("different lengths")
def different_lengths(query, documents, k):
    """You multiply as far as the shorter vector goes. Vectors of different length come from two models, and
    their product means nothing; zip(…, strict=True) or np.dot raises."""
    width = min(map(len, [query, *documents.values()]))
    return rank_by_cosine(query[:width], {d: v[:width] for d, v in documents.items()}, k)


@RANK_BY_COSINE.mistake("cut before sorting")
def cut_before_sorting(query, documents, k):
    """You take the first k documents and sort these. The best may stand anywhere: score all, sort, then
    cut."""
    return rank_by_cosine(query, dict(list(documents.items())[:k]), k)


@RANK_BY_COSINE.mistake("sorted before rounding")
def sorted_before_rounding(query, documents, k):
    """You sort by the cosine as it was computed, and round what is shown. Two scores that read the same then
    stand in an order that nobody can see a reason for, and that another computer may turn round. Round first,
    then sort."""
    found = _ranked(query, documents, len(documents), digits=17)[:k]
    return [(doc_id, round(score, 6)) for doc_id, score in found]


@RANK_BY_COSINE.mistake("a document of zeros found, the query of zeros not")
def zeros_found(query, documents, k):
    """A document of zeros is found with the score 0, before all that point the other way. It has no
    direction: it is never found."""
    if not any(query):
        return []
    return _ranked(
        query, documents, k, lambda q, d: _cosine(q, d) if any(d) else 0.0, kept=lambda query, vector: True
    )


@RANK_BY_COSINE.mistake("k not used")
def k_not_used(query, documents, k):
    """You return all documents. The k best are asked for."""
    return rank_by_cosine(query, documents, len(documents))


_FEWER_DECIMALS = (
    "You round to fewer than six decimals. Six are asked for; with fewer more documents become equal, and "
    "their ids decide."
)


@RANK_BY_COSINE.mistake("rounded to four decimals", _FEWER_DECIMALS)
def four_decimals(query, documents, k):
    return _ranked(query, documents, k, digits=4)


@RANK_BY_COSINE.mistake("rounded to three decimals", _FEWER_DECIMALS)
def three_decimals(query, documents, k):
    return _ranked(query, documents, k, digits=3)


@RANK_BY_COSINE.mistake("rounded to two decimals", _FEWER_DECIMALS)
def two_decimals(query, documents, k):
    return _ranked(query, documents, k, digits=2)


@RANK_BY_COSINE.mistake("in the order of the distances")
def in_the_order_of_distances(query, documents, k):
    """Your scores are cosines, but you sort by Euclidean distance. A long vector in the right direction is
    far away and still the best match: sort by the scores."""
    scores = dict(rank_by_cosine(query, documents, len(documents)))
    nearest = sorted(scores, key=lambda doc_id: (math.dist(query, documents[doc_id]), doc_id))
    return [(doc_id, scores[doc_id]) for doc_id in nearest[:k]]


@RANK_BY_COSINE.mistake("the document's length squared")
def squared_document_length(query, documents, k):
    """You divide by the square of the document's length. The length is the root of the sum of squares: that
    of (3, 4) is 5, not 25."""
    return _ranked(query, documents, k, lambda q, d: np.dot(q, d) / (np.linalg.norm(q) * np.dot(d, d)))


@RANK_BY_COSINE.mistake("the query's length squared")
def squared_query_length(query, documents, k):
    """You divide by the square of the query's length. The length is the root of the sum of squares: that
    of (3, 4) is 5, not 25."""
    return _ranked(query, documents, k, lambda q, d: np.dot(q, d) / (np.dot(q, q) * np.linalg.norm(d)))


@RANK_BY_COSINE.mistake("the sum of the sizes as length")
def sum_of_sizes(query, documents, k):
    """You take the sum of the numbers, without their signs, for a vector's length. It is the root of the sum
    of squares: that of (3, 4) is 5, not 7."""
    return _ranked(query, documents, k, lambda q, d: np.dot(q, d) / (np.abs(q).sum() * np.abs(d).sum()))


@RANK_BY_COSINE.mistake("the root of the product left out")
def root_of_the_lengths(query, documents, k):
    """You divide by the root of the two lengths' product. Divide by the product of both lengths itself."""
    return _ranked(
        query, documents, k, lambda q, d: np.dot(q, d) / (np.linalg.norm(q) * np.linalg.norm(d)) ** 0.5
    )


@RANK_BY_COSINE.mistake("from 0 to 1")
def from_0_to_1(query, documents, k):
    """You bring the cosine to 0 … 1, by (1 + cosine) / 2. Asked for is the cosine itself, from −1 to 1."""
    return _ranked(query, documents, k, lambda q, d: (1 + _cosine(q, d)) / 2)


@RANK_BY_COSINE.mistake("below zero as 0")
def below_zero_as_0(query, documents, k):
    """You give 0 to a document below zero. Its cosine is a score like any other, and says how far it points
    the other way."""
    return _ranked(query, documents, k, lambda q, d: max(0.0, _cosine(q, d)))


@RANK_BY_COSINE.mistake("means taken off")
def means_taken_off(query, documents, k):
    """You take each vector's mean away before you multiply: that is a correlation. The cosine is of the
    vectors as they are."""
    return _ranked(
        query, documents, k,
        lambda q, d: (np.dot(q - np.mean(q), d - np.mean(d)) / (np.std(q) * np.std(d) * len(q) or 1)),
    )  # fmt: skip


@RANK_BY_COSINE.mistake("ranked by size")
def ranked_by_size(query, documents, k):
    """You rank by the size of the cosine, without its sign. A document in the opposite direction is as unlike
    as can be: it comes last."""
    return _ranked(
        query, documents, k,
        order=lambda pairs: sorted(pairs, key=lambda pair: (abs(pair[0]), pair[1]), reverse=True),
    )  # fmt: skip


@RANK_BY_COSINE.mistake("by id alone")
def by_id_alone(query, documents, k):
    """Your documents stand by their ids, whatever their scores. The score decides, and the id only among
    equal scores."""
    return _ranked(query, documents, k, order=lambda pairs: sorted(pairs, key=lambda pair: pair[1])[::-1])


@RANK_BY_COSINE.mistake("one more than k")
def one_more_than_k(query, documents, k):
    """You return k + 1 documents where there are as many. At most k are asked for."""
    return rank_by_cosine(query, documents, k + 1)


@RANK_BY_COSINE.mistake("a query of zeros refused")
def query_of_zeros_refused(query, documents, k):
    """You raise an error for a query of zeros. It has no direction and finds nothing: by this convention the
    result is []."""
    if not any(query):
        raise ValueError("a query without direction")
    return rank_by_cosine(query, documents, k)


@RANK_BY_COSINE.mistake("a vector of zeros refused")
def zeros_refused(query, documents, k):
    """You raise an error for a vector of zeros. It has no direction: by this convention such a document is
    never found, and such a query finds nothing."""
    if not all(_has_direction(query, vector) for vector in documents.values()):
        raise ValueError("a vector without direction")
    return rank_by_cosine(query, documents, k)


@RANK_BY_COSINE.mistake("other lengths left out")
def other_lengths_left_out(query, documents, k):
    """You leave out vectors of another length. They are of another model, and something is wrong altogether:
    by this convention that is a ValueError."""
    return rank_by_cosine(query, {d: v for d, v in documents.items() if len(v) == len(query)}, k)


@RANK_BY_COSINE.mistake("a query of zeros finds all")
def query_of_zeros_finds_all(query, documents, k):
    """For a query of zeros you return documents with the score 0. It has no direction and finds nothing: by
    this convention the result is []."""
    return _ranked(
        query, documents, k,
        lambda q, d: _cosine(q, d) if any(q) else 0.0, kept=lambda q, d: any(d),
    )  # fmt: skip
