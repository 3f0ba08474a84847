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


DOCUMENTS_AT_A_TIME = 1 << 15
"""So many sums, of eight bytes each, stay in the fast memory of one core; those of a million would not."""
SPARE = 64
"""Room for candidates beside the k best, so that the worst are thrown out together and not one by one."""


@compiled
def search_queries(q_start, q_term, q_weight, t_start, t_doc, t_weight, n_documents, k, documents, scores):
    """Fills one row of `documents` and `scores` (queries × k, prefilled with −1 and 0) for each query; k ≥ 1.

    The query matrix is CSR: query i holds `q_term[q_start[i]:q_start[i + 1]]`. So are the postings, with
    terms for rows and ascending documents: term t stands in `t_doc[t_start[t]:t_start[t + 1]]`.

    A candidate is one number, the bits of its score above those of its document number: positive
    floating-point numbers are in the order of their bits, so the greater number is the better document, and
    of equal scores the higher document.
    """
    sums = np.zeros(min(DOCUMENTS_AT_A_TIME, n_documents), np.float64)
    begin, end = np.empty(len(q_term) + 1, np.int64), np.empty(len(q_term) + 1, np.int64)
    k = min(k, n_documents)
    candidates = np.empty(2 * k + SPARE, np.uint64)
    rounded = np.zeros(1, np.float32)
    bits, score_bits = rounded.view(np.uint32), scores.view(np.uint32)
    for query in range(len(q_start) - 1):
        # Whatever scores above zero is good enough at first; each term is read from its first posting on.
        bits[0] = 1  # the least number above 0
        n_candidates, worst = 0, rounded[0]
        first, last = q_start[query], q_start[query + 1]
        for j in range(first, last):
            end[j] = t_start[q_term[j]]
        for low in range(0, n_documents, DOCUMENTS_AT_A_TIME):
            high = low + DOCUMENTS_AT_A_TIME
            # Add up the scores of one block of documents, term by term, each from where the last block ended.
            for j in range(first, last):
                weight, stop, p = np.float64(q_weight[j]), t_start[q_term[j] + 1], end[j]
                begin[j] = p
                while p < stop and t_doc[p] < high:
                    sums[np.uint64(t_doc[p] - low)] += weight * t_weight[p]
                    p += 1
                end[j] = p
            # Collect the candidates of the block, and leave zeros behind: so a document counts only once.
            for j in range(first, last):
                for p in range(begin[j], end[j]):
                    score = np.float32(sums[np.uint64(t_doc[p] - low)])
                    sums[np.uint64(t_doc[p] - low)] = 0.0
                    if score >= worst:
                        rounded[0] = score
                        candidates[n_candidates] = (np.uint64(bits[0]) << np.uint64(32)) | np.uint64(t_doc[p])
                        n_candidates += 1
                        # No room left: keep the k best; from now on a score must reach the worst of them.
                        if n_candidates == len(candidates):
                            candidates[:k] = np.partition(candidates, n_candidates - k)[n_candidates - k :]
                            n_candidates = k
                            bits[0] = candidates[:k].min() >> np.uint64(32)
                            worst = rounded[0]
        # The k best of what is left, sorted, and taken apart into score and document.
        if n_candidates > k:
            candidates[:k] = np.partition(candidates[:n_candidates], n_candidates - k)[n_candidates - k :]
            n_candidates = k
        best_last = np.sort(candidates[:n_candidates])
        for rank in range(n_candidates):
            documents[query, rank] = best_last[n_candidates - 1 - rank] & np.uint64(0xFFFFFFFF)
            score_bits[query, rank] = best_last[n_candidates - 1 - rank] >> np.uint64(32)
