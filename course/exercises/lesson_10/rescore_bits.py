"""Exercise: candidates by the bits that differ, then the order of the whole vectors."""

import numpy as np

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def rescore_bits(query, bits, vectors, candidates, k):
    signs = "".join("1" if number > 0 else "0" for number in query)
    differing = {d: sum(code[i] != signs[i] for i in range(len(code))) for d, code in bits.items()}
    near = sorted(bits, key=lambda doc_id: (-differing[doc_id], doc_id), reverse=True)[:candidates]
    products = {doc_id: np.dot(query, vectors[doc_id]) for doc_id in near}
    return sorted(near, key=lambda doc_id: (products[doc_id], doc_id), reverse=True)[:k]


_BITS = {"a": "110", "b": "100", "c": "011", "d": "111", "e": "001"}
_VECTORS = {"a": [1, 1, -1], "b": [9, -2, -1], "c": [-1, 6, 2], "d": [2, 3, 4], "e": [-1, -1, 9]}

RESCORE_BITS = Exercise(
    name="RESCORE_BITS",
    task="""\
Write `rescore_bits(query, bits, vectors, candidates, k)`: search by bits first, then put the best in the \
order of the whole vectors.

`query` is a list of numbers. `bits` is `{doc_id: code}`, a code being text of as many 0s and 1s as the \
query has numbers: 1 where the document's number is above 0. `vectors` is `{doc_id: list of numbers}`. First \
turn the query into bits in the same way, and take the `candidates` documents whose codes differ from it in \
the fewest places (the Hamming distance). Then rank these by the inner product of query and vector. Returned \
is a list of at most k doc_ids, best first. **Convention**: of equal distances, and of equal inner products, \
the doc_id later in the alphabet comes first. `candidates` may be smaller than k.""",
    reference=rescore_bits,
    cases=(
        Case(([3, 2, -1], _BITS, _VECTORS, 2, 2), "110: a differs in no place, d and b in one; d is later"),
        Case(([3, 2, -1], _BITS, _VECTORS, 3, 2), "of a, d and b the vectors put b first: 24, then 8"),
        Case(([1, 1, 9], _BITS, _VECTORS, 2, 1), "e has 79, the most of all, and is no candidate: two bits"),
        Case(([1, 1, 9], _BITS, _VECTORS, 5, 3), "all are candidates, so this is exact search"),
        Case(([1, 0, -2], _BITS, _VECTORS, 1, 1), "0 is not above 0, so the query is 100"),
        Case(([2, 1, 1], _BITS, _VECTORS, 2, 5), "candidates below k: two documents, no more"),
        Case(
            (
                [3, -1, 2],
                {"e": "001", "b": "111", "h": "010", "a": "101", "g": "100", "d": "000", "c": "101"},
                {
                    "e": [-3, -1, 6],
                    "b": [4, 1, 1],
                    "h": [-1, 5, -2],
                    "a": [1, -2, 1],
                    "g": [5, -1, -2],
                    "d": [-1, -25, -1],
                    "c": [3, 0, 1],
                },
                5,
                2,
            ),
            "of the candidates c, a, g, e and b, b has 13 and g has 12; d would have 20, and is the sixth",
        ),
        Case(
            (
                [1, 2, 1],
                {"x": "110", "y": "110", "z": "110"},
                {"x": [1, 1, 0], "y": [3, 0, 0], "z": [1, 1, 0]},
                3,
                2,
            ),
            "all three have the inner product 3: z, then y",
        ),  # fmt: skip
        Case(
            ([1, -1], {"p": "01", "q": "10", "r": "11"}, {"p": [-1, 4], "q": [2, -9], "r": [5, 4]}, 2, 2),
            "10 is q, then r with one place; p differs in both",
        ),
        Case(
            ([-2, -1], {"p": "00", "q": "01", "r": "11"}, {"p": [-1, -1], "q": [-9, 1], "r": [1, 1]}, 3, 3),
            "negative inner products are results like any other",
        ),
        Case(
            ([1, 1], {"m": "11", "n": "10"}, {"m": [2, 1], "n": [4, -1]}, 2, 2),
            "both have the inner product 3: n, and that m differs in fewer places says nothing any more",
        ),
    ),
    hints=(
        "Two steps, each with its own order: first distances of codes, cut at `candidates`, then inner "
        "products of those only, cut at k. The vectors of the others are never read.",
        'signs = "".join("1" if number > 0 else "0" for number in query); the distance of a code is the '
        "number of places where zip(signs, code) differ. Of equal ones the later doc_id: sort pairs "
        "(-distance, doc_id) with reverse=True.",
        "near = sorted(((-distance, doc_id) …), reverse=True)[:candidates]; then sorted(((product(query, "
        "vectors[doc_id]), doc_id) for _, doc_id in near), reverse=True)[:k], and the doc_ids of that.",
    ),
)


def _signs(query, bit=lambda number: number > 0):
    return "".join("1" if bit(number) else "0" for number in query)


def _differing(own, code):
    return sum(a != b for a, b in zip(own, code, strict=True))


def _near(pairs):
    return sorted(pairs, key=lambda pair: (-pair[0], pair[1]), reverse=True)


def _down(pairs):
    return sorted(pairs, reverse=True)


def _found(
    query, bits, vectors, candidates, k, signs=_signs, far=_differing, near=_near, score=None, last=_down
):
    """The reference with one part exchanged."""
    score = score or (lambda doc_id: np.dot(query, vectors[doc_id]))
    rough = near([(far(signs(query), code), doc_id) for doc_id, code in bits.items()])[:candidates]
    return [doc_id for _, doc_id in last([(score(doc_id), doc_id) for _, doc_id in rough])[:k]]


@RESCORE_BITS.mistake("not rescored")
def not_rescored(query, bits, vectors, candidates, k):
    """You return the order of the distances. Bits are for the first look; the candidates are then ranked by
    the inner product with their whole vectors."""
    return _found(query, bits, vectors, candidates, k, last=list)


@RESCORE_BITS.mistake("all rescored")
def all_rescored(query, bits, vectors, candidates, k):
    """You rank all documents by their vectors. That is exact search, and reads every vector. Only the
    `candidates` nearest by bits are looked up."""
    return _found(query, bits, vectors, len(bits), k)


@RESCORE_BITS.mistake("k candidates")
def k_candidates(query, bits, vectors, candidates, k):
    """You take k candidates, and rescoring can only change their order. Fetch `candidates`, rank them, then
    cut at k."""
    return _found(query, bits, vectors, min(k, candidates), k)


@RESCORE_BITS.mistake("at least k candidates")
def at_least_k_candidates(query, bits, vectors, candidates, k):
    """Where `candidates` is below k you rank more documents than `candidates`. By this convention the result
    is then shorter than k."""
    return _found(query, bits, vectors, max(candidates, k), k)


@RESCORE_BITS.mistake("one candidate more")
def one_candidate_more(query, bits, vectors, candidates, k):
    """You rank one document more than `candidates`. It is the number of those that are rescored."""
    return _found(query, bits, vectors, candidates + 1, k)


@RESCORE_BITS.mistake("not cut at k")
def not_cut_at_k(query, bits, vectors, candidates, k):
    """You return all candidates. After rescoring the k best are kept."""
    return _found(query, bits, vectors, candidates, len(bits))


@RESCORE_BITS.mistake("one more than k")
def one_more_than_k(query, bits, vectors, candidates, k):
    """You return k + 1 documents where there are as many. At most k are asked for."""
    return _found(query, bits, vectors, candidates, k + 1)


@RESCORE_BITS.mistake("farthest first")
def farthest_first(query, bits, vectors, candidates, k):
    """You take the candidates that differ in most places. Alike are those that differ in few."""
    return _found(query, bits, vectors, candidates, k, near=_down)


@RESCORE_BITS.mistake("zero as 1")
def zero_as_1(query, bits, vectors, candidates, k):
    """You give the query a 1 where its number is 0. The documents' codes have 1 only above 0; both sides need
    the same rule."""
    return _found(
        query, bits, vectors, candidates, k, signs=lambda query: _signs(query, lambda number: number >= 0)
    )


@RESCORE_BITS.mistake("below zero as 1")
def below_zero_as_1(query, bits, vectors, candidates, k):
    """You give the query a 1 where its number is not 0, and so below 0 as well. The documents' codes have 1
    only above 0; both sides need the same rule."""
    return _found(
        query, bits, vectors, candidates, k, signs=lambda query: _signs(query, lambda number: number != 0)
    )


@RESCORE_BITS.mistake("only common 1s")
def only_common_ones(query, bits, vectors, candidates, k):
    """Only the query's 1s count in your distances. Where the query has a 0 the codes agree or differ as well:
    count all places that differ."""
    return _found(
        query, bits, vectors, candidates, k,
        far=lambda own, code: -sum(a == b == "1" for a, b in zip(own, code, strict=True)),
    )  # fmt: skip


@RESCORE_BITS.mistake("number of 1s")
def number_of_ones(query, bits, vectors, candidates, k):
    """You compare how many 1s the codes have. 10 and 01 have one each, and differ in both places: compare
    place by place."""
    return _found(
        query, bits, vectors, candidates, k, far=lambda own, code: abs(code.count("1") - own.count("1"))
    )


@RESCORE_BITS.mistake("bits as numbers")
def bits_as_numbers(query, bits, vectors, candidates, k):
    """You read the codes as numbers and take their difference. Then the first place counts most. In a
    distance of bits every place counts the same."""
    return _found(query, bits, vectors, candidates, k, far=lambda own, code: abs(int(code, 2) - int(own, 2)))


@RESCORE_BITS.mistake("rescored with bits")
def rescored_with_bits(query, bits, vectors, candidates, k):
    """You rank the candidates by the query's signs and not by its numbers. The query's vector is at hand, in
    full: use its numbers."""
    return _found(query, bits, vectors, candidates, k, score=lambda d: np.dot(np.sign(query), vectors[d]))


@RESCORE_BITS.mistake("rescored with 1s and 0s")
def rescored_with_ones_and_zeros(query, bits, vectors, candidates, k):
    """You rank the candidates by the query's bits and not by its numbers. The query's vector is at hand, in
    full: use its numbers."""
    return _found(
        query, bits, vectors, candidates, k, score=lambda d: np.dot(np.array(query) > 0, vectors[d])
    )


@RESCORE_BITS.mistake("rescored with the documents' bits")
def rescored_with_their_bits(query, bits, vectors, candidates, k):
    """You rank the candidates by the query's numbers and the documents' bits. The bits were for the first
    look: rank by the documents' whole vectors."""
    return _found(query, bits, vectors, candidates, k, score=lambda d: np.dot(query, [*map(int, bits[d])]))


@RESCORE_BITS.mistake("rescored with the documents' signs")
def rescored_with_their_signs(query, bits, vectors, candidates, k):
    """You rank the candidates by the query's numbers and the signs of the documents' numbers. Rank by the
    documents' whole vectors: they are at hand."""
    return _found(query, bits, vectors, candidates, k, score=lambda d: np.dot(query, np.sign(vectors[d])))


@RESCORE_BITS.mistake("rescored by the cosine")
def rescored_by_the_cosine(query, bits, vectors, candidates, k):
    """You rank the candidates by the cosine. By this convention it is the inner product, in which a long
    vector counts more."""
    return _found(
        query, bits, vectors, candidates, k,
        score=lambda d: round(np.dot(query, vectors[d]) / np.linalg.norm(vectors[d]), 12),
    )  # fmt: skip


@RESCORE_BITS.mistake("rescored by the distance")
def rescored_by_the_distance(query, bits, vectors, candidates, k):
    """You rank the candidates by their distance from the query in a straight line. By this convention it is
    the inner product, the highest first."""
    return _found(
        query, bits, vectors, candidates, k,
        score=lambda d: -sum((a - b) ** 2 for a, b in zip(query, vectors[d], strict=True)),
    )  # fmt: skip


@RESCORE_BITS.mistake("distance first, then product")
def distance_first_then_product(query, bits, vectors, candidates, k):
    """Your candidates stand by their distances, and by inner product only where these are equal. Once the
    candidates are chosen, the distances count no more."""
    return _found(
        query, bits, vectors, candidates, k,
        score=lambda d: (-_differing(_signs(query), bits[d]), np.dot(query, vectors[d])),
    )  # fmt: skip


@RESCORE_BITS.mistake("distances from A to Z")
def distances_from_a_to_z(query, bits, vectors, candidates, k):
    """Of equal distances you take the doc_id earlier in the alphabet. The later one comes first, and with few
    bits ties decide who becomes a candidate."""
    return _found(query, bits, vectors, candidates, k, near=sorted)


@RESCORE_BITS.mistake("products from A to Z")
def products_from_a_to_z(query, bits, vectors, candidates, k):
    """Equal inner products stand from A to Z in your result. The doc_id later in the alphabet comes first."""
    return _found(query, bits, vectors, candidates, k,
                  last=lambda pairs: sorted(pairs, key=lambda pair: (-pair[0], pair[1])))  # fmt: skip


@RESCORE_BITS.mistake("of equal products the nearer")
def of_equal_products_the_nearer(query, bits, vectors, candidates, k):
    """Of equal inner products you put the one first that differs in fewer places. Once the candidates are
    chosen, the distances count no more: the doc_id later in the alphabet comes first."""
    return _found(
        query, bits, vectors, candidates, k, last=lambda pairs: sorted(pairs, key=lambda pair: -pair[0])
    )


@RESCORE_BITS.mistake("lowest product first")
def lowest_product_first(query, bits, vectors, candidates, k):
    """After rescoring you begin with the lowest inner product. The highest comes first."""
    return _found(query, bits, vectors, candidates, k, last=sorted)


@RESCORE_BITS.mistake("product without its sign")
def product_without_its_sign(query, bits, vectors, candidates, k):
    """You rank by the size of the inner product, without its sign. One far below zero is the least alike:
    keep the sign."""
    return _found(query, bits, vectors, candidates, k, score=lambda d: abs(np.dot(query, vectors[d])))


@RESCORE_BITS.mistake("only above zero")
def only_above_zero(query, bits, vectors, candidates, k):
    """You drop candidates whose inner product is not above zero. They are results, the last ones."""
    return _found(
        query, bits, vectors, candidates, k, last=lambda pairs: _down(pair for pair in pairs if pair[0] > 0)
    )


@RESCORE_BITS.mistake("with products")
def with_products(query, bits, vectors, candidates, k):
    """You return pairs with inner products. Asked for is a list of doc_ids."""
    found = rescore_bits(query, bits, vectors, candidates, k)
    return [(doc_id, np.dot(query, vectors[doc_id])) for doc_id in found]
