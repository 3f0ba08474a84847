"""The inner loop of sparse retrieval, in a form that numba compiles: add up postings, keep the k best.

`sparse_index` decides when it is used and prepares what it takes. Without numba the functions below are plain
Python: far too slow to search with, and still right, which is how they are tested where numba is missing.
"""

import numpy as np

try:
    from numba import njit
except ImportError:  # not there, or not for this version of NumPy
    njit = None

COMPILED = njit is not None


def compiled(function):
    """The function as machine code that lets go of Python's lock; as it is where there is no numba."""
    if njit is None:
        return function
    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder that the machine code could be kept in
        return njit(nogil=True)(function)


DOCUMENTS_AT_A_TIME = 1 << 13
"""So many sums, of eight bytes each, stay close to one core; those of a million would not."""
SPARE = 64
"""Room for candidates beside the k best, so that the worst are thrown out together and not one by one."""
ONE, FOUR, HALF = np.uint64(1), np.uint64(4), np.uint64(32)


@compiled
def search_queries(q_start, q_term, q_weight, t_start, t_doc, t_weight, n_documents, k, documents, scores):
    """Fills one row of `documents` and `scores` (queries × k, prefilled with −1 and 0) for each query; k ≥ 1.

    The query matrix is CSR: query i holds `q_term[q_start[i]:q_start[i + 1]]`. So are the postings, with
    terms for rows and ascending documents: term t stands in `t_doc[t_start[t]:t_start[t + 1]]`.

    Positions in the postings have no sign, here and below. Of one with a sign, compiled code asks at each
    posting whether it counts from the end of the array, which a search can feel.
    """
    sums = np.zeros(min(DOCUMENTS_AT_A_TIME, n_documents), np.float64)
    begin, end = np.empty(len(q_term) + 1, np.uint64), np.empty(len(q_term) + 1, np.uint64)
    k = min(k, n_documents)
    # Candidates, documents and scores. They are thinned out after a block, so a whole one must fit as well.
    found = np.empty(2 * k + SPARE + len(sums), np.int32)
    score = np.empty(len(found), np.float32)
    for query in range(len(q_start) - 1):
        # Whatever scores above zero is good enough at first; each term is read from its first posting on.
        n, bound = np.int64(0), np.float32(0)
        first, last = q_start[query], q_start[query + 1]
        for j in range(first, last):
            end[j] = t_start[q_term[j]]
        for low in range(0, n_documents, DOCUMENTS_AT_A_TIME):
            # Add up the scores of one block of documents, term by term, each from where the last block ended.
            for j in range(first, last):
                begin[j], stop = end[j], np.uint64(t_start[q_term[j] + 1])
                end[j] = add_up(t_doc, t_weight, end[j], stop, low, np.float64(q_weight[j]), sums)
            for j in range(first, last):
                n = take_out(t_doc, begin[j], end[j], low, sums, bound, found, score, n)
            # Too many: keep the k best; from now on a score must reach the worst of them.
            if n >= 2 * k + SPARE:
                bound = keep_best(found, score, n, k)
                n = k
        if n > k:
            keep_best(found, score, n, k)
            n = k
        # Best first: the greatest number is the last when they are sorted.
        unpack(np.sort(packed(found, score, n)), documents[query], scores[query])


@compiled
def add_up(t_doc, t_weight, p, stop, low, weight, sums):
    """Adds the postings of a term, from p to the end of the block that begins with document `low`, to the
    block's sums; returns where it ended."""
    high = low + len(sums)
    # Four at a time, and one question for them: the last of the four is the highest document.
    while p + FOUR <= stop and t_doc[p + FOUR - ONE] < high:
        for _ in range(4):
            sums[np.uint64(t_doc[p] - low)] += weight * t_weight[p]
            p += ONE
    while p < stop and t_doc[p] < high:
        sums[np.uint64(t_doc[p] - low)] += weight * t_weight[p]
        p += ONE
    return p


@compiled
def take_out(t_doc, begin, end, low, sums, bound, found, score, n):
    """Appends the documents that score above the bound to the n candidates; returns how many these are now.

    It leaves zeros behind: so a document counts only once.
    """
    for p in range(begin, end):
        total = sums[np.uint64(t_doc[p] - low)]
        sums[np.uint64(t_doc[p] - low)] = 0.0
        if total > bound:
            found[n], score[n] = t_doc[p], total
            n += score[n] > bound  # rounded, it may no longer be
    return n


@compiled
def keep_best(found, score, n, k):
    """Brings the k best of n > k candidates to the front; returns the greatest number below their scores."""
    keys = packed(found, score, n)
    select(keys, n - k)
    best = keys[n - k :]
    unpack(best, found, score)
    # Place k is free now: there the bits of that number become a number.
    score.view(np.uint32)[k] = (best.min() >> HALF) - ONE
    return score[k]


@compiled
def select(keys, place):
    """Puts at `place` the key that would be there if all were sorted, none larger before it, none smaller
    after it: Hoare's quickselect.

    NumPy's `partition` does the same, but numba compiles it for half of the time before a first search.
    """
    low, high = 0, len(keys) - 1
    while low < high:
        pivot, i, j = keys[(low + high) // 2], low, high
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while keys[j] > pivot:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                i, j = i + 1, j - 1
        # What is between j and i equals the pivot; the place is there, or on one of its two sides.
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            break


@compiled
def packed(found, score, n):
    """Each candidate as one number, the bits of its score above those of its document number.

    Positive floating-point numbers are in the order of their bits, so the greater number is the better
    document, and of equal scores the higher document.
    """
    bits, keys = score.view(np.uint32), np.empty(n, np.uint64)
    for i in range(n):
        keys[i] = (np.uint64(bits[i]) << HALF) | np.uint64(found[i])
    return keys


@compiled
def unpack(keys, found, score):
    """Writes the documents and scores of packed candidates, from the last to the first."""
    bits, n = score.view(np.uint32), len(keys)
    for i in range(n):
        found[n - 1 - i] = keys[i] & np.uint64(0xFFFFFFFF)
        bits[n - 1 - i] = keys[i] >> HALF
