"""Exercise: what an inverted file finds, when it looks into a few cells."""

import numpy as np

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def search_cells(query, centres, cells, probes, k):
    near = sorted(range(len(centres)), key=lambda cell: -np.dot(query, centres[cell]))[:probes]
    scored = [(np.dot(query, vector), doc_id) for cell in near for doc_id, vector in cells[cell].items()]
    return [doc_id for _, doc_id in sorted(scored, reverse=True)[:k]]


_THREE = [[4, 0], [0, 4], [-4, 0]]
_CELLS = [{"a": [4, 1], "b": [3, 2]}, {"c": [2, 4], "d": [1, 3]}, {"e": [-4, 3]}]

SEARCH_CELLS = Exercise(
    name="SEARCH_CELLS",
    task="""\
Write `search_cells(query, centres, cells, probes, k)`: the k documents that an inverted file finds.

`query` is a list of numbers, `centres` a list of such lists. `cells` is a list of `{doc_id: vector}`, in \
the order of `centres`: each document stands in one cell. Look into the `probes` cells whose centres have \
the highest inner product with the query, and into no other; of equally near centres the earlier one is \
taken. Returned is a list of at most k doc_ids, best first. **Convention**: a document's score is its inner \
product with the query; equal scores stand by doc_id from Z to A.""",
    reference=search_cells,
    cases=(
        Case(([2, 1], _THREE, _CELLS, 1, 2), "one probe: only the cell of the first centre is seen"),
        Case(([2, 3], _THREE, _CELLS, 1, 2), "the second centre is the nearest, and b is not looked at"),
        Case(([3, 2], _THREE, _CELLS, 2, 4), "two probes: a has 14, c 14, b 13, d 9, whatever the cell"),
        Case(([2, 3], _THREE, _CELLS, 2, 2), "the best two of both cells: c has 16, b 12, not one from each"),
        Case(([2, 1], _THREE, _CELLS, 3, 9), "all cells probed is exact search; there are five documents"),
        Case(([-1, 2], _THREE, _CELLS, 1, 4), "e has 10 and lies in the third cell, which is not probed"),
        Case(
            (
                [2, 1],
                [[1, 1], [4, 1], [-2, 0], [3, 3], [0, 2]],
                [
                    {"k": [7, 7]},
                    {"d9": [3, 1], "d2": [2, 3], "d10": [1, 5]},
                    {"m": [9, 9]},
                    {"b": [4, 0], "a": [1, 1], "c": [0, 4], "n": [2, 2]},
                    {},
                ],
                2,
                3,
            ),
            "the second and the fourth centre are nearest; b has 8, and d9, d2 and d10 have 7 each",
        ),
        Case(([2, 2], _THREE, _CELLS, 1, 1), "two centres are equally near: the earlier one's cell"),
        Case(
            ([1, 0], [[1, 0.5], [3, 0], [10, 9]], [{"o": [3, 1]}, {"p": [2, 9]}, {"q": [1, 0]}], 1, 1),
            "the third centre is the farthest away, but has the highest inner product: 10",
        ),
        Case(([1, 0], [[1, 0], [0, 1]], [{}, {"z": [5, 5]}], 1, 3), "the nearest cell is empty"),
        Case(
            ([0, -1], _THREE, [{"a": [4, 1], "b": [3, 0]}, {"c": [2, 4]}, {"e": [-4, -1]}], 2, 3),
            "e has 1, b 0 and a -1: at zero and below are results like any other",
        ),
    ),
    hints=(
        "Two searches, one inside the other: first the nearest centres, by inner product, then all documents "
        "of their cells together. Only at the end is anything sorted and cut at k.",
        "sorted(range(len(centres)), key=...) gives the numbers of the cells; its order is stable, so that "
        "of equals the earlier one stays first if you sort by minus the inner product.",
        "near = sorted(range(len(centres)), key=lambda c: -product(query, centres[c]))[:probes]; collect "
        "(product(query, vector), doc_id) of all their documents; sort with reverse=True, cut at k, return "
        "the doc_ids.",
    ),
)


def _products(query, centres):
    return [np.dot(query, centre) for centre in centres]


def _nearest(products):
    return sorted(range(len(products)), key=lambda cell: -products[cell])


def _down(scored):
    return sorted(scored, reverse=True)


def _searched(query, centres, cells, probes, k, likeness=_products, near=_nearest, score=np.dot, order=_down,
              kept=lambda score: True):  # fmt: skip
    """The reference with one part exchanged."""
    opened = near(likeness(query, centres))[:probes]
    scored = [(score(query, vector), doc_id) for cell in opened for doc_id, vector in cells[cell].items()]
    return [doc_id for _, doc_id in order([pair for pair in scored if kept(pair[0])])[:k]]


def _far(one, other):
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _cosine(one, other):
    return round(np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)), 12)


@SEARCH_CELLS.mistake("every cell")
def every_cell(query, centres, cells, probes, k):
    """You look into every cell. This is exact search, and costs what exact search costs. Only the documents
    of the `probes` nearest cells may be scored."""
    return _searched(query, centres, cells, len(cells), k)


@SEARCH_CELLS.mistake("one cell alone")
def one_cell_alone(query, centres, cells, probes, k):
    """You look into the nearest cell alone, whatever `probes` is. A query near a border has neighbours on
    the other side, which is what further probes are for."""
    return _searched(query, centres, cells, 1, k)


@SEARCH_CELLS.mistake("one cell more")
def one_cell_more(query, centres, cells, probes, k):
    """You look into one cell more than `probes`. Each cell costs time: only as many as are asked for."""
    return _searched(query, centres, cells, probes + 1, k)


@SEARCH_CELLS.mistake("empty cells not counted")
def empty_cells_not_counted(query, centres, cells, probes, k):
    """You do not count an empty cell as one of the `probes`, and look into the next one. The nearest centres
    say which cells are opened, whatever is in them."""
    return _searched(
        query, centres, cells, probes, k,
        near=lambda products: [cell for cell in _nearest(products) if cells[cell]],
    )  # fmt: skip


@SEARCH_CELLS.mistake("probes and k exchanged")
def probes_and_k_exchanged(query, centres, cells, probes, k):
    """You open k cells and return `probes` documents. It is the other way round: `probes` cells, and of
    their documents the k best."""
    return _searched(query, centres, cells, k, probes)


@SEARCH_CELLS.mistake("the first cells")
def the_first_cells(query, centres, cells, probes, k):
    """You take the first `probes` cells of the list. Take those whose centres are nearest to the query."""
    return _searched(query, centres, cells, probes, k, near=lambda products: range(len(products)))


@SEARCH_CELLS.mistake("the farthest cells")
def the_farthest_cells(query, centres, cells, probes, k):
    """You take the cells with the lowest inner products. The nearest centre has the highest."""
    return _searched(
        query, centres, cells, probes, k,
        near=lambda products: sorted(range(len(products)), key=lambda cell: products[cell]),
    )  # fmt: skip


@SEARCH_CELLS.mistake("only centres above zero")
def only_centres_above_zero(query, centres, cells, probes, k):
    """You do not open a cell whose centre's inner product is not above zero. Zero is no boundary: `probes`
    cells are opened, those with the highest products."""
    return _searched(
        query, centres, cells, probes, k,
        near=lambda products: [cell for cell in _nearest(products) if products[cell] > 0],
    )  # fmt: skip


@SEARCH_CELLS.mistake("centres by distance")
def centres_by_distance(query, centres, cells, probes, k):
    """You take the centres that are nearest in a straight line. With vectors of length 1 that is the same.
    These have other lengths, and the task says inner product."""
    return _searched(
        query, centres, cells, probes, k,
        likeness=lambda query, centres: [-_far(query, centre) for centre in centres],
    )  # fmt: skip


@SEARCH_CELLS.mistake("centres by the cosine")
def centres_by_the_cosine(query, centres, cells, probes, k):
    """You take the centres with the highest cosine. By this convention it is the inner product, in which a
    long vector counts more."""
    return _searched(
        query, centres, cells, probes, k,
        likeness=lambda query, centres: [_cosine(query, centre) for centre in centres],
    )  # fmt: skip


@SEARCH_CELLS.mistake("centres without sign")
def centres_without_sign(query, centres, cells, probes, k):
    """You compare the centres' inner products without their sign. A centre far below zero lies on the other
    side: keep the sign."""
    return _searched(
        query, centres, cells, probes, k,
        likeness=lambda query, centres: [abs(np.dot(query, centre)) for centre in centres],
    )  # fmt: skip


@SEARCH_CELLS.mistake("documents by distance")
def documents_by_distance(query, centres, cells, probes, k):
    """You rank documents by their distance in a straight line. The score is the inner product."""
    return _searched(query, centres, cells, probes, k, score=lambda a, b: -_far(a, b))


@SEARCH_CELLS.mistake("documents by the cosine")
def documents_by_the_cosine(query, centres, cells, probes, k):
    """You rank documents by the cosine. By this convention the score is the inner product, in which a long
    vector counts more."""
    return _searched(query, centres, cells, probes, k, score=_cosine)


@SEARCH_CELLS.mistake("cell after cell")
def cell_after_cell(query, centres, cells, probes, k):
    """You list the nearest cell's documents first, then the next cell's. A document of the second cell may
    be nearer than one of the first: sort all of them together."""
    near = sorted(range(len(centres)), key=lambda c: -np.dot(query, centres[c]))[:probes]
    found = []
    for cell in near:
        found += search_cells(query, [centres[cell]], [cells[cell]], 1, len(cells[cell]))
    return found[:k]


@SEARCH_CELLS.mistake("k from each cell")
def k_from_each_cell(query, centres, cells, probes, k):
    """You return k documents of each cell. k is the length of the whole result: merge, then cut."""
    near = sorted(range(len(centres)), key=lambda c: -np.dot(query, centres[c]))[:probes]
    kept = [search_cells(query, [centres[cell]], [cells[cell]], 1, k) for cell in near]
    scores = {d: np.dot(query, v) for cell in near for d, v in cells[cell].items()}
    return sorted((d for found in kept for d in found), key=lambda d: (scores[d], d), reverse=True)


@SEARCH_CELLS.mistake("one from each cell")
def one_from_each_cell(query, centres, cells, probes, k):
    """You take the best document of each cell alone. A cell's second may be nearer than another's first: all
    documents of the opened cells are ranked together."""
    best = [search_cells(query, [centre], [cell], 1, 1) for centre, cell in zip(centres, cells, strict=True)]
    kept = [{d: cell[d] for d in found} for found, cell in zip(best, cells, strict=True)]
    return search_cells(query, centres, kept, probes, k)


@SEARCH_CELLS.mistake("not cut at k")
def not_cut_at_k(query, centres, cells, probes, k):
    """You return all documents of the cells. At most k are asked for: sort, then cut."""
    return _searched(query, centres, cells, probes, sum(map(len, cells)))


@SEARCH_CELLS.mistake("one more than k")
def one_more_than_k(query, centres, cells, probes, k):
    """You return k + 1 documents where there are as many. At most k are asked for."""
    return _searched(query, centres, cells, probes, k + 1)


@SEARCH_CELLS.mistake("worst first")
def worst_first(query, centres, cells, probes, k):
    """Your ranking begins with the lowest score. The highest comes first."""
    return _searched(query, centres, cells, probes, k, order=sorted)


@SEARCH_CELLS.mistake("ties from A to Z")
def ties_from_a_to_z(query, centres, cells, probes, k):
    """Equal scores stand from A to Z in your result. As everywhere in the course they stand from Z to A."""
    return _searched(
        query, centres, cells, probes, k,
        order=lambda scored: sorted(scored, key=lambda pair: (-pair[0], pair[1])),
    )  # fmt: skip


@SEARCH_CELLS.mistake("of equal centres the later one")
def the_later_centre(query, centres, cells, probes, k):
    """Of two centres that are equally near you take the later one. The convention takes the earlier."""
    return _searched(
        query, centres, cells, probes, k,
        near=lambda products: sorted(range(len(products)), key=lambda cell: (-products[cell], -cell)),
    )  # fmt: skip


@SEARCH_CELLS.mistake("only above zero")
def only_above_zero(query, centres, cells, probes, k):
    """You drop documents at or below zero. With vectors zero is no boundary between what fits and what does
    not; they are results, the last ones."""
    return _searched(query, centres, cells, probes, k, kept=lambda score: score > 0)


@SEARCH_CELLS.mistake("only at zero and above")
def only_at_zero_and_above(query, centres, cells, probes, k):
    """You drop documents below zero. With vectors zero is no boundary between what fits and what does not;
    they are results, the last ones."""
    return _searched(query, centres, cells, probes, k, kept=lambda score: score >= 0)


@SEARCH_CELLS.mistake("probes until k are found")
def until_k_are_found(query, centres, cells, probes, k):
    """You open further cells until there are k documents. Some engines do this; here the cells to open are
    fixed by `probes`, and a result may be shorter than k."""
    order = sorted(range(len(centres)), key=lambda c: -np.dot(query, centres[c]))
    while probes < len(order) and sum(len(cells[c]) for c in order[:probes]) < k:
        probes += 1
    return search_cells(query, centres, cells, probes, k)


@SEARCH_CELLS.mistake("with scores")
def with_scores(query, centres, cells, probes, k):
    """You return pairs with scores. Asked for is a list of doc_ids."""
    vectors = {doc_id: vector for cell in cells for doc_id, vector in cell.items()}
    found = search_cells(query, centres, cells, probes, k)
    return [(doc_id, np.dot(query, vectors[doc_id])) for doc_id in found]
