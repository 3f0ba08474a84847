"""Exercise: Lucene's IDF of every term, from a matrix of counts."""

import numpy as np
from scipy.sparse import csr_array

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def idf_from_matrix(counts):
    n_docs = counts.shape[0]
    df = (counts != 0).sum(axis=0)
    return np.log(1 + (n_docs - df + 0.5) / (df + 0.5))


def _with_stored_zeros(rows, *zeros):
    """A matrix of these counts in which some cells that hold 0 are stored."""
    cells = [(row, column) for row, values in enumerate(rows) for column, value in enumerate(values) if value]
    positions = sorted([*cells, *zeros])
    data = [rows[row][column] for row, column in positions]
    borders = [sum(row < number for row, _ in positions) for number in range(len(rows) + 1)]
    return csr_array((data, [column for _, column in positions], borders), shape=(len(rows), len(rows[0])))


IDF_FROM_MATRIX = Exercise(
    name="IDF_FROM_MATRIX",
    task="""\
Write `idf_from_matrix(counts)`, which returns Lucene's IDF of every term, as an array in the order of the \
columns.

`counts` is a SciPy `csr_array` (documents × terms) that says how often each term occurs in each document.

```
>>> idf_from_matrix(csr_array([[3, 0], [1, 1], [0, 0]])).round(4)  # N = 3; df = 2 and 1
array([0.47  , 0.9808])
```

**Convention**: idf = ln(1 + (N − df + 0.5) / (df + 0.5)), where N is the number of rows, empty documents \
included (Lucene itself leaves those out), and df is the number of documents that contain the term, no \
matter how many times. A term that no document contains has df = 0, and it gets an IDF too. A sparse matrix \
can store a 0 like any other number; a stored 0 does not count as an occurrence.""",
    reference=idf_from_matrix,
    cases=(
        Case(
            (csr_array([[1]]),),
            "a term that is in every document has an IDF above 0, here ln(1 + 0.5 / 1.5)",
        ),
        Case((csr_array([[3, 0], [0, 1]]),), "three times in one document: df is 1"),
        Case((csr_array([[1, 1, 1]]),), "one document, three terms: three values, all with N = 1"),
        Case((csr_array([[1, 0], [1, 0], [1, 1]]),), "a column is a term, so df counts down the columns"),
        Case(
            (csr_array([[1, 0], [2, 0]]),),
            "no document contains the last term: df = 0, which gives the highest IDF",
        ),
        Case(
            (
                _with_stored_zeros(
                    [[1, 0, 2], [0, 0, 0], [3, 1, 1], [0, 0, 7], [1, 0, 1], [0, 2, 0], [4, 0, 1]],
                    (1, 0),
                    (5, 2),
                ),
            ),
            "seven documents and three terms, with df 4, 2 and 5; two zeros are stored",
        ),
        Case(
            (_with_stored_zeros([[2, 0], [1, 1]], (0, 1)),),
            "the 0 in the first row is stored, but it is not an occurrence: df is 1",
        ),
        Case((csr_array([[1], [0], [0]]),), "here rows without any term count in N"),
        Case(
            (csr_array([[4, 1, 0], [2, 1, 1], [1, 0, 0]]),),
            "the, cat and dog of the lesson's toy: 0.1335, 0.4700 and 0.9808",
        ),
        Case(
            (_with_stored_zeros([[0, 5], [0, 1]], (0, 0), (1, 0)),),
            "the first column holds stored zeros only: df = 0",
        ),
        Case(
            (csr_array([[1, 0, 2, 0], [0, 0, 1, 1], [3, 0, 1, 0], [0, 0, 7, 0], [1, 0, 1, 0]]),),
            "four terms with df 3, 0, 5 and 1",
        ),
    ),
    hints=(
        "Two things are needed: N, and df for each column. Both are counts of documents; how often a term "
        "occurs in one does not matter.",
        "counts.shape[0] is N. counts != 0 is a matrix that is True where a term occurs, and its sum down "
        "the columns is df: sum(axis=0).",
        "df = (counts != 0).sum(axis=0), an array with one number for each term. NumPy computes with whole "
        "arrays: np.log(1 + (N - df + 0.5) / (df + 0.5)) gives all values at once.",
    ),
)


def _df(counts):
    return np.bincount(counts.indices[counts.data != 0], minlength=counts.shape[1])


def _lucene(counts, n_docs=None, df=None, plus=1, above=0.5, below=0.5):
    """The reference with one part exchanged."""
    n_docs = counts.shape[0] if n_docs is None else n_docs
    df = _df(counts) if df is None else df
    return np.log(plus + (n_docs - df + above) / (df + below))


@IDF_FROM_MATRIX.mistake("sums values")
def sums_values(counts):
    """You add up the counts. Document frequency counts documents: a term that occurs three times in one
    document has df = 1. With sums df can exceed N, and a single long document decides which words are
    common."""
    return _lucene(counts, df=counts.sum(axis=0))


@IDF_FROM_MATRIX.mistake("counts stored zeros")
def counts_stored_zeros(counts):
    """You count what is stored, and a sparse matrix can store a 0, like the one in this call. (An encoder or
    arithmetic may leave it there.) Such a document does not have the term: ask whether the value differs from
    0."""
    return _lucene(counts, df=np.bincount(counts.indices, minlength=counts.shape[1]))


@IDF_FROM_MATRIX.mistake("wrong axis")
def wrong_axis(counts):
    """You count along the rows: how many terms a document has. df belongs to a term: the number of documents
    in which it occurs. A term is a column, so the sum goes over the rows, axis=0."""
    return _lucene(counts, df=(counts != 0).sum(axis=1))


@IDF_FROM_MATRIX.mistake("terms per document, stored zeros included")
def differences_of_indptr(counts):
    """You count how many values each row stores: indptr has the borders of the rows, so its differences are
    the terms of each document. df belongs to a term: the number of documents in which it occurs. A term is
    a column, and a stored 0 is not an occurrence."""
    return _lucene(counts, df=np.diff(counts.indptr))


@IDF_FROM_MATRIX.mistake("rows and columns exchanged")
def wrong_axis_throughout(counts):
    """You take rows for terms and columns for documents, in df and in N. In this matrix, as in the whole
    lesson, a row is a document."""
    return _lucene(counts, n_docs=counts.shape[1], df=(counts != 0).sum(axis=1))


@IDF_FROM_MATRIX.mistake("N is the number of terms")
def terms_for_documents(counts):
    """Your N is the number of columns, which are the terms. N says in how many documents a term could occur:
    the number of rows."""
    return _lucene(counts, n_docs=counts.shape[1])


@IDF_FROM_MATRIX.mistake("no 1 +")
def no_one(counts):
    """That is the classic form. Without the "1 +" a term in more than half of the documents gets a negative
    weight, so a document is punished for containing a word of the query. Lucene adds 1 inside the
    logarithm."""
    return _lucene(counts, plus=0)


@IDF_FROM_MATRIX.mistake("no halves")
def no_halves(counts):
    """That is ln(N / df). For a term that no document holds it is infinite, and for one that occurs in all
    of them it is 0. The two halves and the 1 + keep Lucene's form finite and above 0."""
    return np.log(counts.shape[0] / _df(counts))


@IDF_FROM_MATRIX.mistake("ratio upside down")
def upside_down(counts):
    """Your fraction is upside down, so the most common term weighs most. A rare term says more: the
    documents without it belong in the numerator, those with it in the denominator."""
    return np.log(1 + (_df(counts) + 0.5) / (counts.shape[0] - _df(counts) + 0.5))


@IDF_FROM_MATRIX.mistake("logarithm to base 10")
def base_ten(counts):
    """Your logarithm has base 10. All weights come out 2.3 times too small, which changes no ranking, but the
    scores can no longer be compared with Lucene's. ln is np.log."""
    return idf_from_matrix(counts) / np.log(10)


@IDF_FROM_MATRIX.mistake("unused last terms lost")
def unused_last_terms_lost(counts):
    """bincount counts up to the highest column that it meets. If no document holds the last terms, your array
    is too short for the matrix; minlength=counts.shape[1] gives it the right length."""
    return _lucene(counts, df=np.bincount(counts.indices[counts.data != 0]))


@IDF_FROM_MATRIX.mistake("empty documents left out")
def empty_left_out(counts):
    """You leave empty documents out of N. Lucene itself does so; the convention here is the number of rows,
    counts.shape[0], so that a document that lost all its words still counts."""
    return _lucene(counts, n_docs=int(((counts != 0).sum(axis=1) > 0).sum()))


@IDF_FROM_MATRIX.mistake("0 for a term that no document holds")
def zero_for_unused(counts):
    """You give 0 to a term that no document holds. It has df = 0, for which the formula gives its highest
    value: the halves are there so that nothing is divided by 0."""
    return np.where(_df(counts) > 0, idf_from_matrix(counts), 0.0)


@IDF_FROM_MATRIX.mistake("unused terms left out")
def unused_left_out(counts):
    """You leave out the terms that no document holds. The array needs one value for each column, or all
    later values belong to the wrong term."""
    return idf_from_matrix(counts)[_df(counts) > 0]


@IDF_FROM_MATRIX.mistake("df at least 1")
def at_least_one(counts):
    """You take 1 for df where no document holds the term. The formula works for df = 0: its halves are there
    so that nothing is divided by 0."""
    return _lucene(counts, df=np.maximum(_df(counts), 1))


@IDF_FROM_MATRIX.mistake("N / df")
def n_over_df(counts):
    """You take the logarithm of N / df, the textbook's IDF. A term of every document then has 0, and one that
    no document contains divides by 0. Take Lucene's formula as it is."""
    return np.log(counts.shape[0] / np.maximum(_df(counts), 1))


@IDF_FROM_MATRIX.mistake("1 + outside the logarithm")
def one_plus_outside(counts):
    """You add 1 to the logarithm. It belongs inside, before the fraction, where it keeps the argument above
    1."""
    return 1 + np.log((counts.shape[0] - _df(counts) + 0.5) / (_df(counts) + 0.5))


@IDF_FROM_MATRIX.mistake("sums values, cut at N")
def sums_values_cut(counts):
    """You count occurrences, at most N. df is the number of documents that hold the term: a word five times
    in one document has df 1."""
    return _lucene(counts, df=np.minimum(counts.sum(axis=0), counts.shape[0]))


@IDF_FROM_MATRIX.mistake("N is all occurrences")
def n_is_all_occurrences(counts):
    """Your N is the sum of all counts. It is the number of documents: the rows of the matrix."""
    return _lucene(counts, n_docs=counts.sum())


@IDF_FROM_MATRIX.mistake("df not taken off N")
def df_not_taken_off(counts):
    """You take N / (df + 0.5). The numerator counts the documents without the term: N − df + 0.5."""
    return np.log(1 + counts.shape[0] / (_df(counts) + 0.5))


@IDF_FROM_MATRIX.mistake("N + 0.5 above the line")
def n_and_a_half(counts):
    """You take (N + 0.5) / (df + 0.5). The numerator counts the documents without the term: N − df + 0.5."""
    return np.log(1 + (counts.shape[0] + 0.5) / (_df(counts) + 0.5))


@IDF_FROM_MATRIX.mistake("1 below the line")
def one_below(counts):
    """You add 1 to df, in the denominator. The convention adds 0.5 there, as it does in the numerator."""
    return _lucene(counts, below=1)


@IDF_FROM_MATRIX.mistake("1 for both halves")
def ones_for_halves(counts):
    """You add 1 to the numerator and to the denominator. Both should be halves:
    (N − df + 0.5) / (df + 0.5)."""
    return _lucene(counts, above=1, below=1)


@IDF_FROM_MATRIX.mistake("no half above the line")
def no_half_above(counts):
    """Your results are those of ln(1 + (N − df) / (df + 0.5)), which is ln((N + 0.5) / (df + 0.5)). A term of
    every document then has 0. The numerator is N − df + 0.5, and 1 is added to the fraction."""
    return _lucene(counts, above=0)


_HALF_BELOW = (
    "The half in the denominator is missing: you divide by df. For a term that no document contains that "
    "is a division by 0, and the 0.5 is there to prevent it: (N − df + 0.5) / (df + 0.5)."
)


@IDF_FROM_MATRIX.mistake("no half below the line", _HALF_BELOW)
def no_half_below(counts):
    return _lucene(counts, below=0)


@IDF_FROM_MATRIX.mistake("no half below the line, df of 0 guarded", _HALF_BELOW)
def no_half_below_guarded(counts):
    return _lucene(counts, below=np.where(_df(counts) == 0, 1, 0))


@IDF_FROM_MATRIX.mistake("(1 + N) / (1 + df)")
def one_more_of_both(counts):
    """Your results are those of ln((1 + N) / (1 + df)), in which a term of every document has 0. This
    convention is ln(1 + (N − df + 0.5) / (df + 0.5))."""
    return _lucene(counts, above=0, below=1)


@IDF_FROM_MATRIX.mistake("scikit-learn's")
def of_scikit_learn(counts):
    """You take ln((1 + N) / (1 + df)) + 1, as scikit-learn does. Lucene's is
    ln(1 + (N − df + 0.5) / (df + 0.5))."""
    return _lucene(counts, above=0, below=1) + 1


@IDF_FROM_MATRIX.mistake("N / (1 + df)")
def n_over_one_more(counts):
    """You take ln(N / (1 + df)), whose 1 avoids a division by 0, and a term of every document comes out below
    0. Lucene's form avoids both: it adds 0.5 in the fraction, and 1 to it."""
    return np.log(counts.shape[0] / (1 + _df(counts)))


@IDF_FROM_MATRIX.mistake("1 added twice")
def one_added_twice(counts):
    """You add 1 to the fraction twice: ln(2 + …), as np.log1p(1 + …) gives it. `log1p` adds 1 by itself, so
    take either np.log(1 + …) or np.log1p(…)."""
    return _lucene(counts, plus=2)


@IDF_FROM_MATRIX.mistake("no logarithm")
def no_logarithm(counts):
    """You return the fraction itself. Take the natural logarithm of 1 + the fraction."""
    return np.exp(_lucene(counts, plus=0))


@IDF_FROM_MATRIX.mistake("only documents that hold the term once")
def only_once(counts):
    """You leave a document out of df where it holds the term more than once. df counts every document that
    holds the term, however often."""
    return _lucene(counts, df=(counts == 1).sum(axis=0))


@IDF_FROM_MATRIX.mistake("the highest count for df")
def highest_count(counts):
    """You take the highest count of a term in a document. df is the number of documents that hold it."""
    return _lucene(counts, df=counts.toarray().max(axis=0))


@IDF_FROM_MATRIX.mistake("df as a share")
def df_as_a_share(counts):
    """Your df is the share of the documents that hold the term. The fraction needs their number."""
    return _lucene(counts, df=_df(counts) / counts.shape[0])
