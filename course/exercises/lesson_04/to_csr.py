"""Exercise: sparse vectors as one CSR matrix."""

import numpy as np
from scipy.sparse import csr_array

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def to_csr(rows, n_terms):
    data, indices, indptr = [], [], [0]
    for row in rows:
        for term, weight in row.items():
            indices.append(term)
            data.append(weight)
        indptr.append(len(data))
    return csr_array((data, indices, indptr), shape=(len(rows), n_terms))


TO_CSR = Exercise(
    name="TO_CSR",
    task="""\
Write `to_csr(rows, n_terms)`, which turns sparse vectors, one for each document, into a SciPy sparse array \
(documents × terms), for instance a `csr_array`.

```
>>> to_csr([{2: 0.5}, {}, {1: 2.0, 0: 1.5}], n_terms=4).toarray()
array([[0. , 0. , 0.5, 0. ],
       [0. , 0. , 0. , 0. ],
       [1.5, 2. , 0. , 0. ]])
```

`rows` is a list of dictionaries `{term number: weight}`, with term numbers from 0 to `n_terms` − 1 in any \
order. **Convention** (as in `sparse.encode_to_csr`): row i of the matrix is `rows[i]`, even if documents \
before it are empty; the shape is always (number of documents, `n_terms`); weights are floats, may be \
negative, and stay as they are.

`csr_array((data, indices, indptr), shape=…)` makes a matrix from the three lists of section 1.""",
    reference=to_csr,
    cases=(
        Case(([{0: 1.0}], 2), "a term that no document has is a column all the same"),
        Case(([{0: 1.0}, {}], 1), "an empty document at the end is a row all the same"),
        Case(([{}, {0: 1.0}], 1), "an empty document in front must not move the others up"),
        Case(([{0: 0.5}], 1), "a weight of 0.5 stays 0.5"),
        Case(([{1: 2.0}], 2), "a row begins with zeros where its first terms are missing"),
        Case(([{0: 1.0, 1: 2.0}, {1: 3.0}], 2), "the first row has two weights, the second one"),
        Case(
            ([{2: 1.0, 0: 3.0}], 3),
            "a dictionary's terms come in any order; the column says where each belongs",
        ),
        Case(
            ([{3: 0.14286, 0: 2.25}, {}, {6: 3.0, 1: -1.5, 4: 0.33333}, {0: 2.71828}], 8),
            "four documents of two, no, three and one terms, and a last column without a weight",
        ),
        Case(([{0: 4, 1: 1}, {0: 2, 2: 1}, {0: 1, 3: 1}], 4), "counts are weights too"),
        Case(([{}], 2), "one document without any term is a row of zeros"),
        Case(([], 3), "no document at all: no row, but three columns"),
        Case(
            ([{0: 0.25}, {}, {}, {2: 1.75, 3: 0.5}, {}], 5),
            "three of five documents are empty, and so is the last column",
        ),
        Case(([{0: -0.5, 2: 1.5}, {1: -1.0}], 3), "a weight below 0 stays, like any other"),
        Case(([{0: 0.1}], 1), "a weight stays as it is: in single precision 0.1 is another number"),
    ),
    hints=(
        "CSR is three lists: the weights, row after row; the column of each; and the borders between the "
        "rows. Fill them in one walk over the documents.",
        "indptr begins with 0 and gets one number for every document, also for an empty one: how many "
        "weights there are so far. Hand both sizes over as shape; SciPy can only guess them from what is "
        "not zero.",
        "Inner loop: for term, weight in row.items() append to indices and data. After it, still in the "
        "outer loop: indptr.append(len(data)). At the end: csr_array((data, indices, indptr), "
        "shape=(len(rows), n_terms)).",
    ),
)


def _entries(rows):
    """Weights, their row numbers and their columns."""
    entries = [(weight, number, term) for number, row in enumerate(rows) for term, weight in row.items()]
    return [list(column) for column in zip(*entries, strict=True)] or [[], [], []]


def _borders(rows):
    return np.cumsum([0, *map(len, rows)]).tolist()


_WIDTH = (
    "You let the number of columns follow from the highest term that occurs. A term that occurs only in the "
    "queries, or in the next batch, then has no column, and the product with a query fails. The vocabulary "
    "sets the width: pass shape=…."
)


@TO_CSR.mistake("columns inferred", _WIDTH)
def columns_inferred(rows, n_terms):
    data, _, columns = _entries(rows)
    return csr_array((data, columns, _borders(rows)))


@TO_CSR.mistake("columns inferred, rows said", _WIDTH)
def only_columns_inferred(rows, n_terms):
    return to_csr(rows, max((term + 1 for row in rows for term in row), default=0))


@TO_CSR.mistake("shape inferred")
def shape_inferred(rows, n_terms):
    """You let SciPy guess the shape from the highest row and column that hold a weight. An empty last
    document and an unused last term are lost, and the matrix no longer fits its list of document ids. Pass
    the shape."""
    data, numbers, columns = _entries(rows)
    return csr_array((data, (numbers, columns)))


@TO_CSR.mistake("empty documents left out")
def empty_documents_left_out(rows, n_terms):
    """You leave out documents without terms. From there on each row is one place too high, and every hit
    carries the id of another document, without any error. An empty document is a row of zeros."""
    return to_csr([row for row in rows if row], n_terms)


@TO_CSR.mistake("empty documents left out of indptr")
def empty_documents_left_out_of_indptr(rows, n_terms):
    """An empty document adds nothing to data, but it needs its number in indptr: the same as the one before.
    Without it there are fewer borders than rows, and SciPy refuses the lists."""
    data, _, columns = _entries(rows)
    return csr_array((data, columns, _borders([row for row in rows if row])), shape=(len(rows), n_terms))


@TO_CSR.mistake("empty documents shift the rows")
def rows_shifted(rows, n_terms):
    """You count a row only where a document has terms. So the documents after an empty one move up, and the
    empty rows end up last: the shape is as before, and every hit carries the id of another document."""
    return to_csr([row for row in rows if row] + [row for row in rows if not row], n_terms)


@TO_CSR.mistake("weights cut to whole numbers")
def weights_cut(rows, n_terms):
    """Your matrix holds whole numbers, so a weight of 0.5 has become 0 and 1.75 has become 1. Counts survive
    that; BM25's weights all lie below 1 and would all be gone. Use floats."""
    return to_csr(rows, n_terms).astype(int)


@TO_CSR.mistake("a dense table")
def no_sparse_matrix(rows, n_terms):
    """You return a dense table, with all its zeros. That works for a toy; SciFact's would have 186 million
    cells, of which one in 300 is not zero. Keep only the weights that are there, in a csr_array."""
    return to_csr(rows, n_terms).toarray()


@TO_CSR.mistake("the three lists")
def three_lists(rows, n_terms):
    """You return three lists. But lists alone do not know how many terms there are, and cannot be
    multiplied with a query: hand them to csr_array, together with the shape."""
    data, _, columns = _entries(rows)
    return data, columns, _borders(rows)


@TO_CSR.mistake("indptr without an end")
def indptr_without_an_end(rows, n_terms):
    """SciPy refuses your lists each time. Usually indptr is one short: n rows have n + 1 borders, the first
    0, where row 0 starts, the last len(data), where the last row stops. Otherwise look at the order: data,
    indices, indptr."""
    data, _, columns = _entries(rows)
    return csr_array((data, columns, _borders(rows)[:-1]), shape=(len(rows), n_terms))


@TO_CSR.mistake("lengths for borders")
def lengths_for_borders(rows, n_terms):
    """You put the length of each row into indptr. It holds borders: where a row stops, counted from the
    beginning of data, so the lengths must be added up. len(data) after each row is that sum."""
    data, _, columns = _entries(rows)
    lengths = [0, *map(len, rows)]
    if lengths != sorted(lengths):  # SciPy takes borders that fall, and then reads beyond its arrays
        raise ValueError("indptr falls")
    return csr_array((data, columns, lengths), shape=(len(rows), n_terms))


@TO_CSR.mistake("a border for every weight")
def a_border_for_every_weight(rows, n_terms):
    """You append to indptr once for every weight. It holds the borders between documents: one number for each
    document, after all of its weights, so the line belongs in the outer loop."""
    data, _, columns = _entries(rows)
    return csr_array((data, columns, list(range(len(data) + 1))), shape=(len(rows), n_terms))


@TO_CSR.mistake("weights above 0 only")
def above_zero_only(rows, n_terms):
    """You keep only weights above 0. A learned sparse encoder may give negative ones; they stay as they
    are."""
    return to_csr([{term: weight for term, weight in row.items() if weight > 0} for row in rows], n_terms)


@TO_CSR.mistake("terms sorted without their weights")
def sorted_without_weights(rows, n_terms):
    """You sort the term numbers and leave the weights in the order of the dictionary, so they go to the wrong
    terms. Sort the pairs, sorted(row.items()), or do not sort at all: a CSR matrix does not need it."""
    return to_csr([dict(zip(sorted(row), row.values(), strict=True)) for row in rows], n_terms)


@TO_CSR.mistake("weights in the order of the dictionary")
def columns_by_place(rows, n_terms):
    """You put the weights into the first columns, in the order of the dictionary. The column of a weight is
    its term number."""
    return to_csr([dict(enumerate(row.values())) for row in rows], n_terms)


@TO_CSR.mistake("rows scaled to length 1")
def scaled_to_length_1(rows, n_terms):
    """You scale each row to length 1. That can be a separate step, if you want cosines; here weights
    stay as they are."""
    lengths = [sum(weight**2 for weight in row.values()) ** 0.5 for row in rows]
    scaled = [{t: w / n for t, w in row.items()} for row, n in zip(rows, lengths, strict=True)]
    return to_csr(scaled, n_terms)


@TO_CSR.mistake("weights as yes or no")
def yes_or_no(rows, n_terms):
    """You replace every weight by 1. It also matters how much a term weighs: the weights stay as they are."""
    return to_csr([dict.fromkeys(row, 1.0) for row in rows], n_terms)


@TO_CSR.mistake("empty documents at the end left out")
def empty_at_the_end_left_out(rows, n_terms):
    """Your matrix ends with the last document that holds a weight, and the empty ones after it have no row.
    The number of rows is that of the documents: len(rows)."""
    last = max((number for number, row in enumerate(rows) if row), default=-1)
    return to_csr(rows[: last + 1], n_terms)
