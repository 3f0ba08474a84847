"""What `roofline.py` measures beside our search: what the memory allows, the loop that we had before, and
loops that were tried and not kept.

The searches all give the same documents and scores to the last bit.
"""

import numpy as np
from numba import njit

from helpers.retrieval.compiled import SPARE, add_up, keep_best, packed, unpack

GROUP = 64
"""Sums of which only the largest is compared at first."""


@njit(nogil=True)
def before(q_start, q_term, q_weight, t_start, t_doc, t_weight, n_documents, k, documents, scores):
    """One function with positions that have a sign, and blocks of 2^15 documents."""
    block = 1 << 15
    sums = np.zeros(min(block, n_documents), np.float64)
    begin, end = np.empty(len(q_term) + 1, np.int64), np.empty(len(q_term) + 1, np.int64)
    k = min(k, n_documents)
    candidates = np.empty(2 * k + SPARE, np.uint64)
    rounded = np.zeros(1, np.float32)
    bits, score_bits = rounded.view(np.uint32), scores.view(np.uint32)
    for query in range(len(q_start) - 1):
        bits[0] = 1
        n_candidates, worst = 0, rounded[0]
        first, last = q_start[query], q_start[query + 1]
        for j in range(first, last):
            end[j] = t_start[q_term[j]]
        for low in range(0, n_documents, block):
            for j in range(first, last):
                weight, stop, p = np.float64(q_weight[j]), t_start[q_term[j] + 1], end[j]
                begin[j] = p
                while p < stop and t_doc[p] < low + block:
                    sums[np.uint64(t_doc[p] - low)] += weight * t_weight[p]
                    p += 1
                end[j] = p
            for j in range(first, last):
                for p in range(begin[j], end[j]):
                    score = np.float32(sums[np.uint64(t_doc[p] - low)])
                    sums[np.uint64(t_doc[p] - low)] = 0.0
                    if score >= worst:
                        rounded[0] = score
                        candidates[n_candidates] = (np.uint64(bits[0]) << np.uint64(32)) | np.uint64(t_doc[p])
                        n_candidates += 1
                        if n_candidates == len(candidates):
                            candidates[:k] = np.partition(candidates, n_candidates - k)[n_candidates - k :]
                            n_candidates = k
                            bits[0] = candidates[:k].min() >> np.uint64(32)
                            worst = rounded[0]
        if n_candidates > k:
            candidates[:k] = np.partition(candidates[:n_candidates], n_candidates - k)[n_candidates - k :]
            n_candidates = k
        best_last = np.sort(candidates[:n_candidates])
        for rank in range(n_candidates):
            documents[query, rank] = best_last[n_candidates - 1 - rank] & np.uint64(0xFFFFFFFF)
            score_bits[query, rank] = best_last[n_candidates - 1 - rank] >> np.uint64(32)


@njit(nogil=True)
def block_maxima(q_start, q_term, q_weight, t_start, t_doc, t_weight, n_documents, k, documents, scores):
    """The postings are read once; then the largest sum of every 64 documents says whether one of them can be
    among the k best, and the whole block is set to zero."""
    sums = np.zeros(1 << 13, np.float64)
    as_bits = sums.view(np.int64)  # positive numbers are in the order of their bits
    end = np.empty(len(q_term) + 1, np.uint64)
    k = min(k, n_documents)
    found = np.empty(2 * k + SPARE + len(sums), np.int32)
    score = np.empty(len(found), np.float32)
    for query in range(len(q_start) - 1):
        n, bound = 0, np.float32(0)
        first, last = q_start[query], q_start[query + 1]
        for j in range(first, last):
            end[j] = t_start[q_term[j]]
        for low in range(0, n_documents, len(sums)):
            for j in range(first, last):
                stop = np.uint64(t_start[q_term[j] + 1])
                end[j] = add_up(t_doc, t_weight, end[j], stop, low, np.float64(q_weight[j]), sums)
            bound_bits = np.array([np.float64(bound)]).view(np.int64)[0]
            for group in range(0, len(sums), GROUP):
                largest = np.int64(0)
                for i in range(GROUP):
                    largest = max(largest, as_bits[np.uint64(group + i)])
                if largest > bound_bits:
                    for i in range(group, group + GROUP):
                        if sums[i] > bound:
                            found[n], score[n] = low + i, sums[i]
                            n += score[n] > bound
            sums[:] = 0.0
            if n >= 2 * k + SPARE:
                bound = keep_best(found, score, n, k)
                n = k
        if n > k:
            keep_best(found, score, n, k)
            n = k
        unpack(np.sort(packed(found, score, n)), documents[query], scores[query])


def in_eight_bits(weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Positive weights, rounded up to 255 steps of equal size, and a step."""
    step = float(weights.max()) / 255
    return np.minimum(np.ceil(weights / np.float64(step)), 255).astype(np.uint8), step


@njit(nogil=True)
def add_impacts(t_doc, impacts, p, stop, low, weight, sums):
    high = low + len(sums)
    four, one = np.uint64(4), np.uint64(1)
    while p + four <= stop and t_doc[p + np.uint64(3)] < high:
        for _ in range(4):
            sums[np.uint64(t_doc[p] - low)] += np.uint16(weight * impacts[p])
            p += one
    while p < stop and t_doc[p] < high:
        sums[np.uint64(t_doc[p] - low)] += np.uint16(weight * impacts[p])
        p += one
    return p


@njit(nogil=True)
def exact(q_term, q_weight, first, last, t_start, t_doc, t_weight, document):
    """A document's score in double precision: each of its postings looked up."""
    total = 0.0
    for j in range(first, last):
        low, high = t_start[q_term[j]], t_start[q_term[j] + 1]
        while low < high:
            middle = (low + high) // 2
            if t_doc[middle] < document:
                low = middle + 1
            else:
                high = middle
        if low < t_start[q_term[j] + 1] and t_doc[low] == document:
            total += np.float64(q_weight[j]) * t_weight[low]
    return total


@njit(nogil=True)
def eight_bits(
    q_start, q_term, q_weight, t_start, t_doc, t_weight, impacts, n_documents, k, documents, scores
):
    """Sums of 16 bits from impacts of 8, both rounded up; what may be among the k best is scored exactly.

    With weights in `room` steps and impacts in 255, a sum is at most `slack` above the score it stands for.
    So a document whose sum is more than that below the k-th largest sum is none of the k best.
    """
    sums = np.zeros(1 << 14, np.uint16)
    end = np.empty(len(q_term) + 1, np.uint64)
    steps = np.empty(len(q_term) + 1, np.int64)
    k = min(k, n_documents)
    found, sum_of = np.empty(n_documents + len(sums), np.int32), np.empty(n_documents + len(sums), np.int32)
    score = np.empty(len(found), np.float32)
    for query in range(len(q_start) - 1):
        first, last = q_start[query], q_start[query + 1]
        room, weights = 257 - (last - first), np.float64(0)
        for j in range(first, last):
            end[j] = t_start[q_term[j]]
            weights += q_weight[j]
        slack = 255 * (last - first)
        for j in range(first, last):
            steps[j] = np.ceil(q_weight[j] / weights * room)
            slack += steps[j]
        n, full, bound = 0, 2 * k + SPARE, np.uint16(1)
        for low in range(0, n_documents, len(sums)):
            for j in range(first, last):
                stop = np.uint64(t_start[q_term[j] + 1])
                end[j] = add_impacts(t_doc, impacts, end[j], stop, low, steps[j], sums)
            for group in range(0, len(sums), GROUP):
                largest = np.uint16(0)
                for i in range(GROUP):
                    largest = max(largest, sums[np.uint64(group + i)])
                if largest >= bound:
                    for i in range(group, group + GROUP):
                        if sums[i] >= bound:
                            found[n], sum_of[n] = low + i, sums[i]
                            n += 1
            sums[:] = 0
            if n >= full or (n > k and low + len(sums) >= n_documents):
                kth_best = np.partition(sum_of[:n], n - k)[n - k]
                bound = np.uint16(max(1, kth_best - slack))
                kept = 0
                for i in range(n):
                    if sum_of[i] >= bound:
                        found[kept], sum_of[kept] = found[i], sum_of[i]
                        kept += 1
                n, full = kept, 2 * kept + SPARE
        for i in range(n):
            score[i] = exact(q_term, q_weight, first, last, t_start, t_doc, t_weight, found[i])
        if n > k:
            keep_best(found, score, n, k)
            n = k
        unpack(np.sort(packed(found, score, n)), documents[query], scores[query])


@njit(nogil=True)
def read(numbers):
    """The sum of 32-bit numbers, so that each is read once."""
    total = 0
    for i in range(len(numbers)):
        total += numbers[i]
    return total


@njit(nogil=True)
def triad(a, b, c):
    """What STREAM (McCalpin, 1995) calls so: two arrays are read and one is written."""
    for i in range(len(a)):
        a[i] = b[i] + 3.0 * c[i]


@njit(nogil=True)
def read_postings(q_term, t_start, t_doc, weight_bits):
    """Every posting of these terms, document and weight, and nothing else."""
    total = 0
    for j in range(len(q_term)):
        for p in range(np.uint64(t_start[q_term[j]]), np.uint64(t_start[q_term[j] + 1])):
            total += t_doc[p] + weight_bits[p]
    return total


@njit(nogil=True)
def add_at(places, weights, sums):
    """Postings in any order of documents: to the sum of each its weight is added."""
    for p in range(len(places)):
        sums[np.uint64(places[p])] += 1.5 * weights[p]


@njit(nogil=True)
def add_and_take(places, weights, sums, block):
    """Adding, and block after block reading the sums again and setting them to zero: a search without choice
    of documents, without ends of terms and without blocks that are not full."""
    largest = 0.0
    for begin in range(0, len(places), block):
        end = min(begin + block, len(places))
        for p in range(np.uint64(begin), np.uint64(end)):
            sums[np.uint64(places[p])] += 1.5 * weights[p]
        for p in range(np.uint64(begin), np.uint64(end)):
            total = sums[np.uint64(places[p])]
            sums[np.uint64(places[p])] = 0.0
            if total > largest:
                largest = total
    return largest
