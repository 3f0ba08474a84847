"""Exercise: the exact top k of a collection that comes in batches."""

from functools import wraps

import numpy as np
from scipy.sparse import csr_array

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def top_k(query, batches, idf, k):
    found, first = [], 0
    for batch in batches:
        scores = batch @ (query * idf)
        found += [(first + int(row), float(scores[row])) for row in np.flatnonzero(scores > 0)]
        found = sorted(found, key=lambda hit: (-hit[1], -hit[0]))[:k]
        first += batch.shape[0]
    return found


ONE, QUERY = np.array([1.0]), np.array([1])


def _column(*weights):
    """A batch over one term."""
    return csr_array([[weight] for weight in weights])


class StaysSparse(csr_array):
    """A batch that refuses to be made dense; a single row or column of it, such as scores, may be."""

    def toarray(self, *arguments, **named):
        if min(self.shape) > 1:
            raise TypeError("this batch is made a dense array; keep the batches sparse")
        return super().toarray(*arguments, **named)

    todense = toarray


TOP_K = Exercise(
    name="TOP_K",
    task="""\
Write `top_k(query, batches, idf, k)`, which returns the k best documents of a collection that comes in \
batches, as `[(row, score), …]`, best first.

`query` (counts) and `idf` are arrays with one value per term; `batches` is a list of `csr_array`s of \
weights (documents × terms), not all of one size. A score is the sum of query count · IDF · weight over the \
terms.

```
>>> batches = [csr_array([[0.5, 0.0], [0.0, 0.0]]), csr_array([[0.25, 0.5]])]
>>> top_k(np.array([1, 1]), batches, idf=np.array([1.0, 2.0]), k=10)  # row 1 scores 0
[(2, 1.25), (0, 0.5)]
```

**Convention** (the order of `sparse.retrieve_top_k`, without its rounding to 32 bits): rows are numbered \
from 0 through the whole collection; a document with a score of 0 is not a result; of equal scores the \
higher row goes first; if fewer than k match, fewer are returned. Keep the batches sparse.""",
    reference=top_k,
    cases=(
        Case((QUERY, [_column(0.5)], np.array([2.0]), 1), "the score is 1 · 2.0 · 0.5"),
        Case((QUERY, [_column(0.2, 0.6, 0.4)], ONE, 2), "the two best, and the best of them first"),
        Case(
            (QUERY, [_column(0.4, 0.2, 0.6)], ONE, 2),
            "the best is last in the matrix and first in the result",
        ),
        Case((QUERY, [_column(0.5)], ONE, 10), "ten are asked for, one document is there"),
        Case((QUERY, [_column(0.0)], ONE, 1), "nothing matches, so nothing is found"),
        Case((QUERY, [_column(0.0, 0.5)], ONE, 2), "two are asked for, and only one matches"),
        Case((QUERY, [_column(0.5, 0.5)], ONE, 2), "of equal scores the higher row goes first"),
        Case(
            (QUERY, [_column(0.5, 0.5, 0.25, 0.25)], ONE, 1),
            "a tie must be cut: the higher row stays, whatever a sort does",
        ),
        Case(
            (QUERY, [_column(*[0.5, 0.75, 0.25] * 8)], ONE, 4),
            "eight rows tie for four places: the four highest stay; without a rule a sort or a partition "
            "keeps any of them",
        ),
        Case((QUERY, [_column(0.0, 0.0), _column(0.5, 0.0)], ONE, 1), "the second batch begins with row 2"),
        Case(
            (QUERY, [_column(0.0), _column(0.0, 0.0), _column(0.5)], ONE, 1),
            "batches of 1 and 2 rows: the third begins with row 3",
        ),
        Case(
            (QUERY, [_column(0.2, 0.0), _column(0.0, 0.6)], ONE, 1),
            "the one best of the whole collection, not of each batch",
        ),
        Case((QUERY, [_column(0.6), _column(0.2)], ONE, 1), "the one best is in the first of two batches"),
        Case((QUERY, [_column(0.5), _column(0.5)], ONE, 1), "a tie across two batches: the higher row stays"),
        Case((np.array([2]), [_column(0.5)], ONE, 1), "a term that is twice in the query counts twice"),
        Case(
            (np.array([1, 1]), [csr_array([[0.75, 0.0], [0.0, 0.5]])], np.array([0.25, 1.0]), 2),
            "the second term is rarer: its document wins with the smaller weight",
        ),
        Case(
            (
                np.array([1, 0, 2]),
                [
                    csr_array([[0.5, 0.9, 0.0], [0.0, 0.8, 0.0]]),
                    csr_array([[0.0, 0.0, 0.5], [0.5, 0.0, 0.25]]),
                ],
                np.array([0.5, 3.0, 1.5]),
                2,
            ),
            "the second term is not in the query, and its documents earn nothing with it",
        ),
        Case(
            (np.array([1, 1]), [StaysSparse([[0.5, 0.0], [0.0, 0.25]])], np.array([1.0, 1.0]), 2),
            "a batch of a real collection has no room as a dense array",
        ),
    ),
    hints=(
        "Three steps for each batch: scores, those above 0, their numbers in the whole collection. Then "
        "one list of hits for all batches, and the k best of it.",
        "batch @ (query * idf) gives the scores of a batch, np.flatnonzero(scores > 0) the rows that "
        "match. Add the number of rows of all earlier batches. Sort by score down, then by row down, and "
        "cut at k last.",
        "sorted(found, key=lambda hit: (-hit[1], -hit[0]))[:k], where found is a list of (row, score). A "
        "slice beyond the end of a list is no error. At the end of the loop: first += batch.shape[0].",
    ),
)


def _scores(query, batches, idf):
    return np.concatenate([batch @ (query * idf) for batch in batches])


def _sizes(batches):
    return [batch.shape[0] for batch in batches]


def _of_few(mistake):
    """The mistake where rows are few, else the reference.

    Which of many equal rows a sort or a partition keeps differs from computer to computer.
    """

    @wraps(mistake)
    def function(query, batches, idf, k):
        return (mistake if sum(_sizes(batches)) < 10 else top_k)(query, batches, idf, k)

    return function


def _firsts(batches):
    return np.cumsum([0, *_sizes(batches)])[:-1].tolist()


def _merged(query, batches, idf, k, firsts=None, of_each=None):
    """The top k, where batch i is believed to begin with row firsts[i]; at most `of_each` of one batch."""
    each = [top_k(query, [batch], idf, of_each or batch.shape[0]) for batch in batches]
    starts = _firsts(batches) if firsts is None else firsts
    found = [(first + row, score) for first, hits in zip(starts, each, strict=True) for row, score in hits]
    return sorted(found, key=lambda hit: (-hit[1], -hit[0]))[:k]


@TOP_K.mistake("partition unsorted")
@_of_few
def unsorted(query, batches, idf, k):
    """You have the k best, but not in order. argpartition promises only that they are in the last k places
    (and argsort without a minus puts the worst first). Recall@k does not notice, nDCG falls. Sort what the
    partition leaves."""
    best = top_k(query, batches, idf, k)
    # Of two the partition always leaves the worse in front; with more it would depend on the computer.
    # No small case asks for more.
    return best[::-1] if k < sum(_sizes(batches)) else best


@TOP_K.mistake("order of the rows")
@_of_few
def order_of_the_rows(query, batches, idf, k):
    """You find the k best and return them in the order of their rows. That is a set, not a ranking:
    Recall@k does not notice, nDCG falls. Sort by score, best first, and among equal scores by row, the
    higher first."""
    return sorted(top_k(query, batches, idf, k))


_NO_KTH = (
    "Your function fails if there are fewer than k to take: a partition needs a k-th best, and so does "
    "hits[k - 1]. If ten are asked for and three match, return the three. A slice, hits[:k], takes what "
    "there is."
)


@TOP_K.mistake("k beyond the collection raises", _NO_KTH)
def k_beyond_the_collection_raises(query, batches, idf, k):
    np.argpartition(_scores(query, batches, idf), -k)
    return top_k(query, batches, idf, k)


@TOP_K.mistake("k beyond the collection raises, by place", _NO_KTH)
def no_row_at_k(query, batches, idf, k):
    _scores(query, batches, idf)[k - 1]
    return top_k(query, batches, idf, k)


@TOP_K.mistake("fewer matches than k raises", _NO_KTH)
def fewer_matches_than_k_raises(query, batches, idf, k):
    found = top_k(query, batches, idf, k)
    np.argpartition(np.array([score for _, score in found]), -k)
    return found


@TOP_K.mistake("fewer matches than k raises, by place", _NO_KTH)
def no_match_at_k(query, batches, idf, k):
    found = top_k(query, batches, idf, k)
    return [found[position] for position in range(k)]


@TOP_K.mistake("zero scores returned")
def zero_scores_returned(query, batches, idf, k):
    """You return documents with a score of 0 to fill up k places. They share no term with the query; which of
    them you get is an accident of the row numbers. If one is relevant, the metric pays for luck. Keep scores
    above 0 only."""
    scores = _scores(query, batches, idf)
    rows = np.lexsort((np.arange(len(scores)), scores))[::-1][:k]
    return [(int(row), float(scores[row])) for row in rows]


@TOP_K.mistake("IDF on both sides")
def idf_on_both_sides(query, batches, idf, k):
    """You multiply by IDF twice, once in the query and once in the documents, so it counts squared and rare
    words outweigh all others. Each shared term gets it once, on either side."""
    return top_k(query, [batch.multiply(idf).tocsr() for batch in batches], idf, k)


@TOP_K.mistake("IDF left out")
def idf_left_out(query, batches, idf, k):
    """IDF is missing from your scores, so `the` counts as much as `dog`. Multiply the query's counts by it,
    once."""
    return top_k(query, batches, np.ones(len(idf)), k)


@TOP_K.mistake("weights left out")
def weights_left_out(query, batches, idf, k):
    """You ask only whether a document holds a term, not with which weight. Then a page that mentions a word
    once in passing scores like one that is about it. A score adds up query count · IDF · weight."""
    return top_k(query, [(batch > 0).astype(float) for batch in batches], idf, k)


@TOP_K.mistake("batch offset forgotten")
def offset_forgotten(query, batches, idf, k):
    """Your row numbers begin anew with each batch, so the hits of later batches carry the ids of documents in
    the first. Nothing fails; the figure is too low. Add the number of rows that came before."""
    return _merged(query, batches, idf, k, firsts=[0] * len(batches))


@TOP_K.mistake("batches of one size")
def batches_of_one_size(query, batches, idf, k):
    """Your row numbers assume that all batches are of one size. The last seldom is: add up the sizes of those
    that came before."""
    firsts = [number * size for number, size in enumerate(_sizes(batches))]
    return _merged(query, batches, idf, k, firsts)


@TOP_K.mistake("k from each batch")
def k_from_each_batch(query, batches, idf, k):
    """You return the k best of each batch, one batch after the other. The k best of the whole are among them,
    so this is the right first half: now sort the hits of all batches together, and cut at k once more."""
    firsts = np.cumsum([0, *_sizes(batches)]).tolist()
    each = [top_k(query, [batch], idf, k) for batch in batches]
    return [(first + row, score) for first, hits in zip(firsts, each, strict=False) for row, score in hits]


_LOWER_FIRST = (
    "Where scores are equal you put the lower row first, or leave that to a sort or a partition. trec_eval "
    "puts the higher id first, and our rows are in the order of the ids. With another order the figures of "
    "two programs can differ by accident."
)


@TOP_K.mistake("lower row first among equals", _LOWER_FIRST)
def lower_row_first(query, batches, idf, k):
    return sorted(top_k(query, batches, idf, sum(_sizes(batches))), key=lambda hit: (-hit[1], hit[0]))[:k]


TOP_K.mistake("lower row first among few equals", _LOWER_FIRST)(_of_few(lower_row_first))


@TOP_K.mistake("rows without scores")
def rows_only(query, batches, idf, k):
    """You return row numbers only. A hit is a pair, (row, score): without scores nobody can merge two result
    lists, or see a tie."""
    return [row for row, _ in top_k(query, batches, idf, k)]


@TOP_K.mistake("query as yes or no")
def query_as_yes_or_no(query, batches, idf, k):
    """You ask only whether a term is in the query. A term that is there twice counts twice: it is the
    query's count that is multiplied by IDF."""
    return top_k(np.sign(query), batches, idf, k)


@TOP_K.mistake("stops once k are found")
def stops_once_k_are_found(query, batches, idf, k):
    """You stop reading as soon as k documents have been found. The best may be in the last batch: all have
    to be read."""
    needed = range(len(batches))
    enough = next((n for n in needed if len(top_k(query, batches[: n + 1], idf, k)) >= k), len(batches))
    return top_k(query, batches[: enough + 1], idf, k)


@TOP_K.mistake("batch after batch")
def batch_after_batch(query, batches, idf, k):
    """You list the best of each batch, one batch after the other, and cut at k. So a weak document of the
    first batch ranks above the best of the last. Sort all hits together, and cut then."""
    starts = np.cumsum([0, *_sizes(batches)])
    found = [
        (first + row, score)
        for first, batch in zip(starts.tolist(), batches, strict=False)
        for row, score in top_k(query, [batch], idf, k)
    ]
    return found[:k]


@TOP_K.mistake("scores rounded")
def scores_rounded(query, batches, idf, k):
    """You round the scores. Scores that differ become equal, and then the row number decides. Round only
    when you print a number."""
    found = top_k(query, batches, idf, sum(_sizes(batches)))
    rounded = [(row, round(score, 2)) for row, score in found]
    return sorted(rounded, key=lambda hit: (-hit[1], -hit[0]))[:k]


@TOP_K.mistake("one batch too few")
def last_batch_left_out(query, batches, idf, k):
    """You leave out the last batch. Read all of them, including one that is smaller than the others."""
    return top_k(query, batches[:-1], idf, k)


@TOP_K.mistake("all words required")
def all_words_required(query, batches, idf, k):
    """You leave out documents that lack a word of the query. A score is a sum over the words that the
    document has."""
    found, first = set(), 0
    for batch in batches:
        has = (batch @ np.diag(query)) != 0
        found |= {first + row for row in np.flatnonzero(has.sum(axis=1) == np.count_nonzero(query))}
        first += batch.shape[0]
    return [hit for hit in top_k(query, batches, idf, first) if hit[0] in found][:k]


@TOP_K.mistake("worst first")
def worst_first(query, batches, idf, k):
    """You begin with the lowest scores. The task asks for the k best, the best first."""
    scores = _scores(query, batches, idf)
    hits = [(row, float(score)) for row, score in enumerate(scores) if score]
    return sorted(hits, key=lambda hit: (hit[1], hit[0]))[:k]


@TOP_K.mistake("rows from 1")
def rows_from_one(query, batches, idf, k):
    """You count rows from 1. Those of a matrix are counted from 0."""
    return [(row + 1, score) for row, score in top_k(query, batches, idf, k)]


@TOP_K.mistake("k from each batch, in order")
def k_of_each_in_order(query, batches, idf, k):
    """You take the k best of each batch and return them all. The task asks for k of all batches together: cut
    once more at the end."""
    return _merged(query, batches, idf, k=sum(_sizes(batches)), of_each=k)


@TOP_K.mistake("sorted by the row")
def sorted_by_the_row(query, batches, idf, k):
    """You sort by row. The best score comes first; the row counts only where scores are equal."""
    hits = [(row, float(score)) for row, score in enumerate(_scores(query, batches, idf)) if score]
    return sorted(hits, reverse=True)[:k]


@TOP_K.mistake("lower row kept in each batch")
def lower_row_kept_in_each_batch(query, batches, idf, k):
    """Of equal scores each batch keeps the lower rows when it is cut at k, and the higher ones are lost
    before the end. Sort by both, score and row, before you cut a batch."""
    found, first = [], 0
    for batch in batches:
        rows = _sizes([batch])[0]
        kept = lower_row_first(query, [batch], idf, k) if rows else []
        found += [(first + row, score) for row, score in kept]
        first += rows
    return sorted(found, key=lambda hit: (-hit[1], -hit[0]))[:k]


@TOP_K.mistake("lower row kept at the cut")
def lower_row_kept_at_the_cut(query, batches, idf, k):
    """If scores are equal at the cut, you keep the lower rows, and only then put the higher row first.
    Of equal scores the higher row is the one to keep: sort by both before each cut."""
    found, first = [], 0
    for batch in batches:
        scores = batch @ (query * idf)
        found += [(first + int(row), float(scores[row])) for row in np.flatnonzero(scores > 0)]
        found = sorted(found, key=lambda hit: -hit[1])[:k]
        first += batch.shape[0]
    return sorted(found, key=lambda hit: (-hit[1], -hit[0]))


@TOP_K.mistake("the query left out")
def query_left_out(query, batches, idf, k):
    """You add up IDF · weight over all terms, even those that are not in the query. A score counts only the
    terms of the query, each as often as the query has it."""
    return top_k(np.ones(len(idf)), batches, idf, k)


@TOP_K.mistake("only the last batch")
def only_the_last_batch(query, batches, idf, k):
    """You return the hits of the last batch, and those of the earlier ones are lost. Keep the hits of all
    batches in one list."""
    first = sum(_sizes(batches[:-1]))
    return [(first + row, score) for row, score in top_k(query, batches[-1:], idf, k)]


@TOP_K.mistake("only the first batch")
def only_the_first_batch(query, batches, idf, k):
    """You return the hits of the first batch. Read all batches, and return the k best of all."""
    return top_k(query, batches[:1], idf, k)


@TOP_K.mistake("one too few")
def one_too_few(query, batches, idf, k):
    """You return k − 1 documents. A slice leaves its end out: hits[:k] holds k."""
    return top_k(query, batches, idf, k)[: k - 1]


@TOP_K.mistake("one too many")
def one_too_many(query, batches, idf, k):
    """You return k + 1 documents. A slice leaves its end out: hits[:k] holds k."""
    return top_k(query, batches, idf, k + 1)


@TOP_K.mistake("IDF divided by")
def divided_by_idf(query, batches, idf, k):
    """You divide by IDF, so a rare term counts less than a frequent one. A score is query count · IDF ·
    weight."""
    return top_k(query, batches, 1 / idf, k)
