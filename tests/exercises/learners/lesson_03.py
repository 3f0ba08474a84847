"""Lesson 03: answers as learners write them in a cell. Each is (exercise, the name that its check should give, source).

A name is "right", that of a mistake, two joined by " + " of which one must be said, or "" where the check knows none: then a
comment in the source says what is wrong.
"""

ANSWERS: list[tuple[str, str, str]] = [
    (
        "PRECISION",
        "right",
        r"""
def precision_at_k(ranking, grades, k):
    found = set()
    for doc_id in ranking[:k]:
        if grades.get(doc_id, 0) >= 1:
            found.add(doc_id)
    return len(found) / k
""",
    ),
    (
        "PRECISION",
        "right",
        r"""
def precision_at_k(ranking, grades, k):
    relevant = {d for d, g in grades.items() if g > 0}
    return len(relevant.intersection(ranking[:k])) / k
""",
    ),
    (
        "PRECISION",
        "right",
        r"""
def precision_at_k(ranking, grades, k):
    hits = 0
    for place in range(min(k, len(ranking))):
        doc = ranking[place]
        if doc in ranking[:place]:
            continue
        if doc in grades and grades[doc] != 0:
            hits += 1
    return np.divide(hits, k)
""",
    ),
    (
        "PRECISION",
        "divides by the list's length",
        r"""
def precision_at_k(ranking, grades, k):
    top = ranking[:k]
    if not top:
        return 0.0
    return len({d for d in top if grades.get(d, 0) > 0}) / len(top)
""",
    ),
    (
        "PRECISION",
        "divides by the whole list's length",
        r"""
def precision_at_k(ranking, grades, k):
    if len(ranking) == 0:
        return 0
    hits = len(set(d for d in ranking[:k] if grades.get(d, 0) > 0))
    return hits / len(ranking)
""",
    ),
    (
        "PRECISION",
        "divides by the list's length, which may be 0",
        r"""
def precision_at_k(ranking, grades, k):
    seen = set()
    for d in ranking[:k]:
        if grades.get(d, 0) > 0:
            seen.add(d)
    return len(seen) / min(k, len(ranking))
""",
    ),
    (
        "PRECISION",
        "not cut",
        r"""
def precision_at_k(ranking, grades, k):
    hits = {d for d in ranking if grades.get(d, 0) > 0}
    return len(hits) / k
""",
    ),
    (
        "PRECISION",
        "not cut",
        r"""
def precision_at_k(ranking, grades, k):
    relevant = {d for d in grades if grades[d] >= 1}
    return len(relevant & set(ranking)) / k
""",
    ),
    (
        "PRECISION",
        "duplicate counted twice",
        r"""
def precision_at_k(ranking, grades, k):
    hits = 0
    for doc in ranking[:k]:
        if grades.get(doc, 0) > 0:
            hits += 1
    return hits / k
""",
    ),
    (
        "PRECISION",
        "duplicate counted twice",
        r"""
def precision_at_k(ranking, grades, k):
    return sum(grades.get(d, 0) >= 1 for d in ranking[:k]) / k
""",
    ),
    (
        "PRECISION",
        "duplicate counted twice",
        r"""
def precision_at_k(ranking, grades, k):
    gains = np.array([grades.get(d, 0) for d in ranking[:k]])
    return np.count_nonzero(gains) / k
""",
    ),
    (
        "PRECISION",
        "divides by the list's length + duplicate counted twice",
        r"""
def precision_at_k(ranking, grades, k):
    if not ranking:
        return 0.0
    return float(np.mean([grades.get(d, 0) > 0 for d in ranking[:k]]))
""",
    ),
    (
        "PRECISION",
        "not cut + duplicate counted twice",
        r"""
def precision_at_k(ranking, grades, k):
    return sum(1 for d in ranking if grades.get(d, 0) > 0) / k
""",
    ),
    (
        "RECALL",
        "right",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = {d for d, g in grades.items() if g > 0}
    if not relevant:
        return 0.0
    return len(relevant & set(ranking[:k])) / len(relevant)
""",
    ),
    (
        "RECALL",
        "right",
        r"""
def recall_at_k(ranking, grades, k):
    total = sum(g >= 1 for g in grades.values())
    if total == 0:
        return 0
    hits = 0
    for doc_id, grade in grades.items():
        if grade >= 1 and doc_id in ranking[:k]:
            hits += 1
    return hits / total
""",
    ),
    (
        "RECALL",
        "right",
        r"""
def recall_at_k(ranking, grades, k):
    found = []
    for d in ranking[:k]:
        if d not in found and grades.get(d, 0) > 0:
            found.append(d)
    n = np.count_nonzero(list(grades.values()))
    return len(found) / max(n, 1)
""",
    ),
    (
        "RECALL",
        "right",
        r"""
def recall_at_k(ranking, grades, k):
    rel = 0
    for g in grades.values():
        if g > 0:
            rel += 1
    if rel == 0:
        return 0.0
    top = list(dict.fromkeys(ranking[:k]))
    return sum(1 for d in top if grades.get(d, 0) > 0) / rel
""",
    ),
    (
        "RECALL",
        "right",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = [d for d in grades if grades[d]]
    try:
        return len([d for d in relevant if d in ranking[:k]]) / len(relevant)
    except ZeroDivisionError:
        return 0
""",
    ),
    (
        "RECALL",
        "divides by k",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = {d for d, g in grades.items() if g > 0}
    return len(relevant & set(ranking[:k])) / k
""",
    ),
    (
        "RECALL",
        "divides by k",
        r"""
def recall_at_k(ranking, grades, k):
    found = set()
    for d in ranking[:k]:
        if grades.get(d, 0) > 0:
            found.add(d)
    return len(found) / k
""",
    ),
    (
        "RECALL",
        "divides by the list's length",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = {d for d, g in grades.items() if g > 0}
    top = set(ranking[:k])
    if len(relevant) == 0:
        return 0.0
    return len(relevant & top) / len(ranking[:k]) if ranking else 0.0
""",
    ),
    (
        "RECALL",
        "grade 0 as relevant",
        r"""
def recall_at_k(ranking, grades, k):
    if not grades:
        return 0.0
    return len(set(ranking[:k]) & set(grades)) / len(grades)
""",
    ),
    (
        "RECALL",
        "divides by all judged",
        r"""
def recall_at_k(ranking, grades, k):
    if len(grades) == 0:
        return 0.0
    found = {d for d in ranking[:k] if grades.get(d, 0) > 0}
    return len(found) / len(grades)
""",
    ),
    (
        "RECALL",
        "grade 0 as a hit",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = {d for d, g in grades.items() if g > 0}
    if not relevant:
        return 0.0
    found = {d for d in ranking[:k] if d in grades}
    return len(found) / len(relevant)
""",
    ),
    (
        "RECALL",
        "grade 0 as relevant",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = [d for d, g in grades.items() if g >= 0]
    if not relevant:
        return 0.0
    return sum(d in ranking[:k] for d in relevant) / len(relevant)
""",
    ),
    (
        "RECALL",
        "zero division",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = {d for d, g in grades.items() if g > 0}
    return len(relevant & set(ranking[:k])) / len(relevant)
""",
    ),
    (
        "RECALL",
        "zero division, in NumPy",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = [d for d in grades if grades[d] >= 1]
    return float(np.mean([d in ranking[:k] for d in relevant]))
""",
    ),
    (
        "RECALL",
        "zero division",
        r"""
def recall_at_k(ranking, grades, k):
    if not grades:
        return 0.0
    relevant = [d for d in grades if grades[d] >= 1]
    return sum(1 for d in relevant if d in ranking[:k]) / len(relevant)
""",
    ),
    (
        "RECALL",
        "1 where nothing is relevant",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = [d for d in grades if grades[d] >= 1]
    if not relevant:
        return 1.0
    return sum(1 for d in relevant if d in ranking[:k]) / len(relevant)
""",
    ),
    (
        "RECALL",
        "over 1 with duplicates",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = {d for d, g in grades.items() if g > 0}
    if not relevant:
        return 0.0
    return sum(d in relevant for d in ranking[:k]) / len(relevant)
""",
    ),
    (
        "RECALL",
        "over 1 with duplicates",
        r"""
def recall_at_k(ranking, grades, k):
    n = sum(1 for g in grades.values() if g > 0)
    hits = 0
    for d in ranking[:k]:
        if grades.get(d, 0) > 0:
            hits += 1
    return hits / n if n else 0.0
""",
    ),
    (
        "RECALL",
        "over 1 with duplicates",
        r"""
def recall_at_k(ranking, grades, k):
    n = sum(1 for g in grades.values() if g > 0)
    hits = sum(1 for d in ranking[:k] if grades.get(d, 0) > 0)
    return min(1.0, hits / n) if n else 0.0
""",
    ),
    (
        "RECALL",
        "zero division, and duplicates",
        r"""
def recall_at_k(ranking, grades, k):
    n = sum(1 for g in grades.values() if g > 0)
    return sum(1 for d in ranking[:k] if grades.get(d, 0) > 0) / n
""",
    ),
    (
        "RECALL",
        "grade 0 as relevant + over 1 with duplicates",
        r"""
def recall_at_k(ranking, grades, k):
    if not grades:
        return 0.0
    return len([d for d in ranking[:k] if d in grades]) / len(grades)
""",
    ),
    (
        "RECALL",
        "divides by k",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = set(filter(lambda d: grades[d] > 0, grades))
    if not relevant:
        return 0.0
    hits = 0
    for d in set(ranking[0:k]):
        hits += d in relevant
    return hits / k
""",
    ),
    (
        "RECALL",
        "divides by the list's length",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = {d for d in grades if grades[d] > 0}
    found = set(ranking[:k]) & relevant
    return len(found) / len(ranking[:k])
""",
    ),
    (
        "RECALL",
        "divides by the whole list's length",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = {d for d in grades if grades[d] > 0}
    if not ranking or not relevant:
        return 0.0
    return len(set(ranking[:k]) & relevant) / len(ranking)
""",
    ),
    (
        "RECALL",
        "grade 0 as relevant",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = list(grades.keys())
    if relevant == []:
        return 0
    found = [d for d in relevant if d in ranking[:k]]
    return len(found) / len(relevant)
""",
    ),
    (
        "RECALL",
        "divides by all judged",
        r"""
def recall_at_k(ranking, grades, k):
    found = 0
    for d, g in grades.items():
        if g > 0 and d in ranking[:k]:
            found += 1
    return found / max(len(grades), 1)
""",
    ),
    (
        "RECALL",
        "grade 0 as a hit",
        r"""
def recall_at_k(ranking, grades, k):
    n = sum(g > 0 for g in grades.values())
    if not n:
        return 0.0
    return len({d for d in ranking[:k] if grades.get(d) is not None}) / n
""",
    ),
    (
        "RECALL",
        "zero division",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = np.array([d for d, g in grades.items() if g > 0])
    return sum(d in ranking[:k] for d in relevant) / relevant.size
""",
    ),
    (
        "RECALL",
        "zero division, in NumPy",
        r"""
def recall_at_k(ranking, grades, k):
    ids = list(grades)
    rel = np.array([grades[d] > 0 for d in ids])
    found = np.array([d in ranking[:k] for d in ids])
    return (rel & found).sum() / rel.sum()
""",
    ),
    (
        "RECALL",
        "over 1 with duplicates",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = [d for d, g in grades.items() if g > 0]
    if len(relevant) == 0:
        return 0.0
    return sum(ranking[:k].count(d) for d in relevant) / len(relevant)
""",
    ),
    (
        "RECALL",
        "over 1 with duplicates",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = [d for d, g in grades.items() if g > 0]
    c = Counter(ranking[:k])
    return sum(c[d] for d in relevant) / (len(relevant) or 1)
""",
    ),
    (
        "RECALL",
        "grade 0 as a hit + zero division",
        r"""
def recall_at_k(ranking, grades, k):
    n = sum(g > 0 for g in grades.values())
    return len(set(ranking[:k]) & set(grades)) / n
""",
    ),
    (
        "RECALL",
        "not cut + over 1 with duplicates",
        r"""
def recall_at_k(ranking, grades, k):
    n = sum(g > 0 for g in grades.values())
    return sum(grades.get(d, 0) > 0 for d in ranking) / n if n else 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "right",
        r"""
def reciprocal_rank(ranking, grades):
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            return 1 / rank
    return 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "right",
        r"""
def reciprocal_rank(ranking, grades):
    ranks = [i + 1 for i, d in enumerate(ranking) if d in grades and grades[d] >= 1]
    return 1 / min(ranks) if ranks else 0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "right",
        r"""
def reciprocal_rank(ranking, grades):
    gains = np.array([grades.get(d, 0) for d in ranking])
    places = np.flatnonzero(gains > 0)
    if places.size == 0:
        return 0.0
    return 1.0 / (places[0] + 1)
""",
    ),
    (
        "RECIPROCAL_RANK",
        "right",
        r"""
def reciprocal_rank(ranking, grades):
    rank = 0
    while rank < len(ranking):
        rank += 1
        if grades.get(ranking[rank - 1], 0) >= 1:
            return 1.0 / rank
    return 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "right",
        r"""
def reciprocal_rank(ranking, grades):
    return next((1 / (i + 1) for i, d in enumerate(ranking) if grades.get(d)), 0)
""",
    ),
    (
        "RECIPROCAL_RANK",
        "right",
        r"""
def reciprocal_rank(ranking, grades):
    found = [1 / r for r, d in enumerate(ranking, 1) if grades.get(d, 0) > 0]
    return max(found, default=0.0)
""",
    ),
    (
        "RECIPROCAL_RANK",
        "0-based",
        r"""
def reciprocal_rank(ranking, grades):
    for rank, doc_id in enumerate(ranking):
        if grades.get(doc_id, 0) > 0:
            return 1 / rank
    return 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "0-based, in NumPy",
        r"""
def reciprocal_rank(ranking, grades):
    places = np.flatnonzero([grades.get(d, 0) > 0 for d in ranking])
    if len(places) == 0:
        return 0.0
    return 1 / places[0]
""",
    ),
    (
        "RECIPROCAL_RANK",
        "0-based, with an exception for the first",
        r"""
def reciprocal_rank(ranking, grades):
    for rank, doc_id in enumerate(ranking):
        if grades.get(doc_id, 0) > 0:
            if rank == 0:  # avoid ZeroDivisionError
                return 1.0
            return 1 / rank
    return 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "0-based",
        r"""
def reciprocal_rank(ranking, grades):
    relevant = [d for d in ranking if grades.get(d, 0) > 0]
    if not relevant:
        return 0.0
    return 1.0 / ranking.index(relevant[0])
""",
    ),
    (
        "RECIPROCAL_RANK",
        "last relevant",
        r"""
def reciprocal_rank(ranking, grades):
    result = 0.0
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            result = 1 / rank
    return result
""",
    ),
    (
        "RECIPROCAL_RANK",
        "last relevant",
        r"""
def reciprocal_rank(ranking, grades):
    ranks = [r for r, d in enumerate(ranking, 1) if grades.get(d, 0) >= 1]
    if not ranks:
        return 0
    return 1 / max(ranks)
""",
    ),
    (
        "RECIPROCAL_RANK",
        "last relevant",
        r"""
def reciprocal_rank(ranking, grades):
    # one rank for every relevant document
    ranks = {}
    for i in range(len(ranking)):
        if grades.get(ranking[i], 0) > 0:
            ranks["relevant"] = i + 1
    return 1 / ranks["relevant"] if "relevant" in ranks else 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "sums all",
        r"""
def reciprocal_rank(ranking, grades):
    total = 0.0
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            total += 1 / rank
    return total
""",
    ),
    (
        "RECIPROCAL_RANK",
        "sums all",
        r"""
def reciprocal_rank(ranking, grades):
    return sum(1 / (i + 1) for i, d in enumerate(ranking) if grades.get(d, 0) > 0)
""",
    ),
    (
        "RECIPROCAL_RANK",
        "averages all",
        r"""
def reciprocal_rank(ranking, grades):
    values = [1 / (i + 1) for i, d in enumerate(ranking) if grades.get(d, 0) > 0]
    return sum(values) / len(values) if values else 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "grade 0 counts",
        r"""
def reciprocal_rank(ranking, grades):
    for rank, doc_id in enumerate(ranking, start=1):
        if doc_id in grades:
            return 1 / rank
    return 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "grade 0 counts",
        r"""
def reciprocal_rank(ranking, grades):
    hits = [rank for rank, d in enumerate(ranking, 1) if grades.get(d, -1) >= 0]
    return 1 / hits[0] if hits else 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "grade 0 counts",
        r"""
def reciprocal_rank(ranking, grades):
    for i in range(len(ranking)):
        try:
            grade = grades[ranking[i]]
        except KeyError:
            continue
        if grade is not None:
            return 1 / (i + 1)
    return 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "",
        r"""
# two mistakes: 0-based + grade 0 counts
def reciprocal_rank(ranking, grades):
    for rank, d in enumerate(ranking):
        if d in grades:
            return 1 / rank
    return 0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "last relevant + grade 0 counts",
        r"""
def reciprocal_rank(ranking, grades):
    rr = 0
    for rank, d in enumerate(ranking, start=1):
        if d in grades:
            rr = 1 / rank
    return rr
""",
    ),
    (
        "RECIPROCAL_RANK",
        "0-based",
        r"""
def reciprocal_rank(ranking, grades):
    rel = [d for d in grades if grades[d] > 0]
    places = [ranking.index(d) for d in rel if d in ranking]
    if not places:
        return 0.0
    return 1 / min(places)
""",
    ),
    (
        "RECIPROCAL_RANK",
        "0-based, in NumPy",
        r"""
def reciprocal_rank(ranking, grades):
    rel = np.array([grades.get(d, 0) > 0 for d in ranking])
    if not rel.any():
        return 0.0
    return 1 / np.argmax(rel)
""",
    ),
    (
        "RECIPROCAL_RANK",
        "0-based, with an exception for the first",
        r"""
def reciprocal_rank(ranking, grades):
    for i, d in enumerate(ranking):
        if grades.get(d, 0) > 0:
            try:
                return 1 / i
            except ZeroDivisionError:
                return 1
    return 0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "last relevant",
        r"""
def reciprocal_rank(ranking, grades):
    rr = 0
    i = 1
    for d in ranking:
        if d in grades and grades[d] > 0:
            rr = 1 / i
        i += 1
    return rr
""",
    ),
    (
        "RECIPROCAL_RANK",
        "last relevant",
        r"""
def reciprocal_rank(ranking, grades):
    found = {grades.get(d, 0) > 0: r for r, d in enumerate(ranking, start=1)}
    return 1 / found[True] if True in found else 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "sums all",
        r"""
def reciprocal_rank(ranking, grades):
    rel = np.array([float(grades.get(d, 0) > 0) for d in ranking])
    return float((rel / np.arange(1, len(rel) + 1)).sum())
""",
    ),
    (
        "RECIPROCAL_RANK",
        "averages all",
        r"""
def reciprocal_rank(ranking, grades):
    values = [1 / (i + 1) for i in range(len(ranking)) if grades.get(ranking[i], 0) > 0]
    return np.mean(values) if values else 0.0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "grade 0 counts",
        r"""
def reciprocal_rank(ranking, grades):
    judged = set(grades)
    i = 0
    for d in ranking:
        i = i + 1
        if d in judged:
            break
    else:
        return 0.0
    return 1 / i
""",
    ),
    (
        "RECIPROCAL_RANK",
        "grade 0 counts",
        r"""
def reciprocal_rank(ranking, grades):
    for rank, d in enumerate(ranking, 1):
        if grades.get(d) is not None:
            return 1 / rank
    return 0
""",
    ),
    (
        "RECIPROCAL_RANK",
        "sums all + grade 0 counts",
        r"""
def reciprocal_rank(ranking, grades):
    return sum(1 / r for r, d in enumerate(ranking, 1) if d in grades)
""",
    ),
    (
        "RECIPROCAL_RANK",
        "",
        r"""
# two mistakes: 0-based, in NumPy + grade 0 counts
def reciprocal_rank(ranking, grades):
    judged = np.flatnonzero([d in grades for d in ranking])
    return 1 / judged[0] if len(judged) else 0.0
""",
    ),
    (
        "AVERAGE_PRECISION",
        "right",
        r"""
def average_precision(ranking, grades):
    n = sum(1 for g in grades.values() if g > 0)
    if n == 0:
        return 0.0
    hits, total = 0, 0.0
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            hits += 1
            total += hits / rank
    return total / n
""",
    ),
    (
        "AVERAGE_PRECISION",
        "right",
        r"""
def average_precision(ranking, grades):
    relevant = {d for d, g in grades.items() if g >= 1}
    ranks = [i for i, d in enumerate(ranking, 1) if d in relevant]
    precisions = [n / rank for n, rank in enumerate(ranks, 1)]
    return sum(precisions) / len(relevant) if relevant else 0
""",
    ),
    (
        "AVERAGE_PRECISION",
        "right",
        r"""
def average_precision(ranking, grades):
    rel = np.array([grades.get(d, 0) > 0 for d in ranking], dtype=float)
    R = sum(g > 0 for g in grades.values())
    if R == 0 or len(rel) == 0:
        return 0.0
    precision = np.cumsum(rel) / np.arange(1, len(rel) + 1)
    return float((precision * rel).sum() / R)
""",
    ),
    (
        "AVERAGE_PRECISION",
        "right",
        r"""
def average_precision(ranking, grades):
    relevant = [d for d in grades if grades[d] > 0]
    if not relevant:
        return 0.0
    values = []
    for d in relevant:
        if d in ranking:
            k = ranking.index(d) + 1
            values.append(precision_at_k(ranking, grades, k))
        else:
            values.append(0.0)
    return np.mean(values)
""",
    ),
    (
        "AVERAGE_PRECISION",
        "divides by hits",
        r"""
def average_precision(ranking, grades):
    hits, total = 0, 0.0
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0
""",
    ),
    (
        "AVERAGE_PRECISION",
        "divides by hits",
        r"""
def average_precision(ranking, grades):
    precisions = []
    found = 0
    for i in range(len(ranking)):
        if grades.get(ranking[i], 0) >= 1:
            found += 1
            precisions.append(found / (i + 1))
    if not precisions:
        return 0.0
    return sum(precisions) / len(precisions)
""",
    ),
    (
        "AVERAGE_PRECISION",
        "divides by hits",
        r"""
def average_precision(ranking, grades):
    rel = np.array([grades.get(d, 0) > 0 for d in ranking], dtype=float)
    if rel.sum() == 0:
        return 0.0
    precision = np.cumsum(rel) / np.arange(1, len(rel) + 1)
    return precision[rel > 0].mean()
""",
    ),
    (
        "AVERAGE_PRECISION",
        "precision at every rank, over the relevant",
        r"""
def average_precision(ranking, grades):
    n = sum(1 for g in grades.values() if g > 0)
    if n == 0:
        return 0.0
    hits, total = 0, 0.0
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            hits += 1
        total += hits / rank
    return total / n
""",
    ),
    (
        "AVERAGE_PRECISION",
        "precision at every rank",
        r"""
def average_precision(ranking, grades):
    if not ranking:
        return 0.0
    values = [precision_at_k(ranking, grades, k) for k in range(1, len(ranking) + 1)]
    return float(np.mean(values))
""",
    ),
    (
        "AVERAGE_PRECISION",
        "precision at every rank, over the relevant",
        r"""
def average_precision(ranking, grades):
    R = sum(g > 0 for g in grades.values())
    if R == 0:
        return 0.0
    return sum(precision_at_k(ranking, grades, k) for k in range(1, len(ranking) + 1)) / R
""",
    ),
    (
        "AVERAGE_PRECISION",
        "divides by the list's length",
        r"""
def average_precision(ranking, grades):
    if not ranking:
        return 0.0
    hits, total = 0, 0.0
    for rank, doc_id in enumerate(ranking, start=1):
        if grades.get(doc_id, 0) > 0:
            hits += 1
            total += hits / rank
    return total / len(ranking)
""",
    ),
    (
        "AVERAGE_PRECISION",
        "divides by the list's length",
        r"""
def average_precision(ranking, grades):
    hits, ap = 0, 0
    k = len(ranking)
    for i, d in enumerate(ranking):
        if d in grades and grades[d] > 0:
            hits += 1
            ap += hits / (i + 1)
    return ap / k
""",
    ),
    (
        "AVERAGE_PRECISION",
        "divides by the list's length",
        r"""
def average_precision(ranking, grades):
    rel = np.array([grades.get(d, 0) > 0 for d in ranking], dtype=float)
    if len(rel) == 0:
        return 0.0
    return np.mean(np.cumsum(rel) / np.arange(1, len(rel) + 1) * rel)
""",
    ),
    (
        "AVERAGE_PRECISION",
        "",
        r"""
# two mistakes: divides by hits + grade 0 as a hit
def average_precision(ranking, grades):
    hits, total = 0, 0.0
    for rank, d in enumerate(ranking, start=1):
        if d in grades:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0
""",
    ),
    (
        "AVERAGE_PRECISION",
        "",
        r"""
# two mistakes: precision at every rank + divides by hits
def average_precision(ranking, grades):
    hits, total = 0, 0.0
    for rank, d in enumerate(ranking, start=1):
        hits += grades.get(d, 0) > 0
        total += hits / rank
    return total / hits if hits else 0.0
""",
    ),
    (
        "DCG",
        "right",
        r"""
def dcg_at_k(ranking, grades, k=10):
    total = 0.0
    for rank, doc_id in enumerate(ranking[:k], start=1):
        total += grades.get(doc_id, 0) / log2(rank + 1)
    return total
""",
    ),
    (
        "DCG",
        "right",
        r"""
def dcg_at_k(ranking, grades, k):
    gains = np.array([grades.get(d, 0) for d in ranking[:k]], dtype=float)
    return float((gains / np.log2(np.arange(len(gains)) + 2)).sum())
""",
    ),
    (
        "DCG",
        "right",
        r"""
def dcg_at_k(ranking, grades, k):
    return sum(grades[d] * log(2) / log(i + 2) for i, d in enumerate(ranking[:k]) if d in grades)
""",
    ),
    (
        "DCG",
        "natural log",
        r"""
def dcg_at_k(ranking, grades, k):
    total = 0.0
    for rank, doc_id in enumerate(ranking[:k], start=1):
        total += grades.get(doc_id, 0) / log(rank + 1)
    return total
""",
    ),
    (
        "DCG",
        "natural log",
        r"""
def dcg_at_k(ranking, grades, k):
    gains = np.array([grades.get(d, 0) for d in ranking[:k]])
    return np.sum(gains / np.log(np.arange(2, len(gains) + 2)))
""",
    ),
    (
        "DCG",
        "natural log",
        r"""
def dcg_at_k(ranking, grades, k):
    return sum(grades.get(d, 0) / np.log1p(r) for r, d in enumerate(ranking[:k], 1))
""",
    ),
    (
        "DCG",
        "log2(i + 1) with i from 0",
        r"""
def dcg_at_k(ranking, grades, k):
    dcg = 0.0
    for i, doc in enumerate(ranking[:k]):
        dcg += grades.get(doc, 0) / log2(i + 1)
    return dcg
""",
    ),
    (
        "DCG",
        "log2(i + 1) with i from 0, in NumPy",
        r"""
def dcg_at_k(ranking, grades, k):
    gains = np.array([grades.get(d, 0) for d in ranking[:k]], dtype=float)
    discounts = np.log2(np.arange(len(gains)) + 1)
    return (gains / discounts).sum()
""",
    ),
    (
        "DCG",
        "ranks 1 and 2 undiscounted",
        r"""
def dcg_at_k(ranking, grades, k):
    dcg = 0.0
    for i, doc in enumerate(ranking[:k]):
        gain = grades.get(doc, 0)
        if i == 0:
            dcg += gain
        else:
            dcg += gain / log2(i + 1)
    return dcg
""",
    ),
    (
        "DCG",
        "log2(i + 1) with i from 0, judged documents only",
        r"""
def dcg_at_k(ranking, grades, k):
    return sum(grades[d] / log2(ranking.index(d) + 1) for d in ranking[:k] if d in grades)
""",
    ),
    (
        "DCG",
        "no discount",
        r"""
def dcg_at_k(ranking, grades, k):
    total = 0
    for doc_id in ranking[:k]:
        total += grades.get(doc_id, 0)
    return total
""",
    ),
    (
        "DCG",
        "no discount",
        r"""
def dcg_at_k(ranking, grades, k):
    return float(np.sum([grades.get(d, 0) for d in ranking[:k]]))
""",
    ),
    (
        "DCG",
        "divides by the rank",
        r"""
def dcg_at_k(ranking, grades, k):
    return sum(grades.get(d, 0) / r for r, d in enumerate(ranking[:k], 1))
""",
    ),
    (
        "DCG",
        "exponential gain",
        r"""
def dcg_at_k(ranking, grades, k):
    total = 0.0
    for rank, doc_id in enumerate(ranking[:k], start=1):
        total += (2 ** grades.get(doc_id, 0) - 1) / log2(rank + 1)
    return total
""",
    ),
    (
        "DCG",
        "exponential gain",
        r"""
def dcg_at_k(ranking, grades, k):
    gains = np.exp2([grades.get(d, 0) for d in ranking[:k]]) - 1
    return float(np.sum(gains / np.log2(np.arange(len(gains)) + 2)))
""",
    ),
    (
        "DCG",
        "",
        r"""
# two mistakes: exponential gain + natural log
def dcg_at_k(ranking, grades, k):
    return sum((2 ** grades.get(d, 0) - 1) / log(r + 1) for r, d in enumerate(ranking[:k], 1))
""",
    ),
    (
        "DCG",
        "natural log + log2(i + 1) with i from 0",
        r"""
def dcg_at_k(ranking, grades, k):
    return sum(grades.get(d, 0) / log(i + 1) for i, d in enumerate(ranking[:k]))
""",
    ),
    (
        "NDCG",
        "right",
        r"""
def ndcg_at_k(ranking, grades, k=10):
    ideal = sorted(grades, key=grades.get, reverse=True)
    best = dcg_at_k(ideal, grades, k)
    if best == 0:
        return 0.0
    return dcg_at_k(ranking, grades, k) / best
""",
    ),
    (
        "NDCG",
        "right",
        r"""
def ndcg_at_k(ranking, grades, k):
    def dcg(gains):
        return sum(g / log2(r + 1) for r, g in enumerate(gains[:k], start=1))

    if not any(g > 0 for g in grades.values()):
        return 0
    return dcg([grades.get(d, 0) for d in ranking]) / dcg(sorted(grades.values(), reverse=True))
""",
    ),
    (
        "NDCG",
        "right",
        r"""
def ndcg_at_k(ranking, grades, k):
    discounts = 1 / np.log2(np.arange(2, k + 2))
    gains = np.zeros(k)
    for i, d in enumerate(ranking[:k]):
        gains[i] = grades.get(d, 0)
    ideal = np.zeros(k)
    top = np.sort(list(grades.values()))[::-1][:k]
    ideal[: len(top)] = top
    norm = ideal @ discounts
    return float(gains @ discounts / norm) if norm > 0 else 0.0
""",
    ),
    (
        "NDCG",
        "ideal from the retrieved list",
        r"""
def ndcg_at_k(ranking, grades, k):
    ideal = sorted(ranking, key=lambda d: grades.get(d, 0), reverse=True)
    best = dcg_at_k(ideal, grades, k)
    return dcg_at_k(ranking, grades, k) / best if best > 0 else 0.0
""",
    ),
    (
        "NDCG",
        "ideal from the retrieved list",
        r"""
def ndcg_at_k(ranking, grades, k):
    gains = [grades.get(d, 0) for d in ranking[:k]]
    ideal = sorted(gains, reverse=True)
    dcg = sum(g / log2(i + 2) for i, g in enumerate(gains))
    idcg = sum(g / log2(i + 2) for i, g in enumerate(ideal))
    if idcg == 0:
        return 0.0
    return dcg / idcg
""",
    ),
    (
        "NDCG",
        "ideal from the retrieved list",
        r"""
def ndcg_at_k(ranking, grades, k):
    found = {d: grades[d] for d in ranking if d in grades}
    ideal = sorted(found, key=found.get, reverse=True)
    idcg = dcg_at_k(ideal, grades, k)
    if idcg == 0:
        return 0.0
    return dcg_at_k(ranking, grades, k) / idcg
""",
    ),
    (
        "NDCG",
        "ideal not cut",
        r"""
def ndcg_at_k(ranking, grades, k):
    ideal = sorted(grades, key=grades.get, reverse=True)
    best = dcg_at_k(ideal, grades, len(ideal))
    return dcg_at_k(ranking, grades, k) / best if best else 0.0
""",
    ),
    (
        "NDCG",
        "ideal not cut",
        r"""
def ndcg_at_k(ranking, grades, k):
    dcg = sum(grades.get(d, 0) / log2(r + 1) for r, d in enumerate(ranking[:k], 1))
    idcg = sum(g / log2(r + 1) for r, g in enumerate(sorted(grades.values(), reverse=True), 1))
    if idcg == 0:
        return 0
    return dcg / idcg
""",
    ),
    (
        "NDCG",
        "ideal not cut",
        r"""
def ndcg_at_k(ranking, grades, k):
    gains = np.array([grades.get(d, 0) for d in ranking[:k]])
    ideal = np.array(sorted(grades.values(), reverse=True))
    def dcg(g):
        return (g / np.log2(np.arange(len(g)) + 2)).sum()
    if ideal.sum() == 0:
        return 0.0
    return dcg(gains) / dcg(ideal)
""",
    ),
    (
        "NDCG",
        "grades as yes or no",
        r"""
def ndcg_at_k(ranking, grades, k):
    binary = {d: 1 for d, g in grades.items() if g > 0}
    best = dcg_at_k(list(binary), binary, k)
    return dcg_at_k(ranking, binary, k) / best if best else 0.0
""",
    ),
    (
        "NDCG",
        "grades as yes or no",
        r"""
def ndcg_at_k(ranking, grades, k):
    n = sum(g > 0 for g in grades.values())
    dcg = sum(1 / log2(r + 1) for r, d in enumerate(ranking[:k], 1) if grades.get(d, 0) > 0)
    idcg = sum(1 / log2(r + 1) for r in range(1, min(n, k) + 1))
    return dcg / idcg if idcg else 0.0
""",
    ),
    (
        "NDCG",
        "grades as yes or no",
        r"""
def ndcg_at_k(ranking, grades, k):
    if not any(grades.values()):
        return 0.0
    gains = [bool(grades.get(d)) for d in ranking[:k]]
    ideal = sorted([bool(g) for g in grades.values()], reverse=True)[:k]
    weights = 1 / np.log2(np.arange(k) + 2)
    return np.dot(gains, weights[: len(gains)]) / np.dot(ideal, weights[: len(ideal)])
""",
    ),
    (
        "NDCG",
        "DCG not normalized",
        r"""
def ndcg_at_k(ranking, grades, k):
    return dcg_at_k(ranking, grades, k)
""",
    ),
    (
        "NDCG",
        "DCG not normalized",
        r"""
def ndcg_at_k(ranking, grades, k):
    score = 0.0
    for rank, d in enumerate(ranking[:k], start=1):
        score += grades.get(d, 0) / log2(rank + 1)
    return score
""",
    ),
    (
        "NDCG",
        "DCG divided by k",
        r"""
def ndcg_at_k(ranking, grades, k):
    return dcg_at_k(ranking, grades, k) / k
""",
    ),
    (
        "NDCG",
        "1 where nothing is relevant",
        r"""
def ndcg_at_k(ranking, grades, k):
    ideal = sorted(grades, key=grades.get, reverse=True)
    best = dcg_at_k(ideal, grades, k)
    if best == 0:
        return 1.0
    return dcg_at_k(ranking, grades, k) / best
""",
    ),
    (
        "NDCG",
        "1 where nothing is relevant",
        r"""
def ndcg_at_k(ranking, grades, k):
    actual = dcg_at_k(ranking, grades, k)
    best = dcg_at_k(sorted(grades, key=lambda d: -grades[d]), grades, k)
    if actual == best:
        return 1.0
    return actual / best
""",
    ),
    (
        "NDCG",
        "1 where nothing is relevant",
        r"""
def ndcg_at_k(ranking, grades, k):
    if not any(grades.values()):
        return 1
    best = dcg_at_k(sorted(grades, key=lambda d: -grades[d]), grades, k)
    return dcg_at_k(ranking, grades, k) / best
""",
    ),
    (
        "NDCG",
        "ranks 1 and 2 undiscounted",
        r"""
def ndcg_at_k(ranking, grades, k):
    def dcg(gains):
        total = 0
        for rank, gain in enumerate(gains, start=1):
            total += gain if rank == 1 else gain / log2(rank)
        return total

    ideal = dcg(sorted(grades.values(), reverse=True)[:k])
    if ideal == 0:
        return 0.0
    return dcg([grades.get(d, 0) for d in ranking[:k]]) / ideal
""",
    ),
    (
        "NDCG",
        "ranks 1 and 2 undiscounted",
        r"""
def ndcg_at_k(ranking, grades, k):
    def dcg(gains):
        gains = np.asarray(gains, dtype=float)[:k]
        return np.sum(gains / np.maximum(1, np.log2(np.arange(1, len(gains) + 1))))

    ideal = dcg(sorted(grades.values(), reverse=True))
    return dcg([grades.get(d, 0) for d in ranking]) / ideal if ideal else 0.0
""",
    ),
    (
        "NDCG",
        "ranks 1 and 2 undiscounted",
        r"""
def ndcg_at_k(ranking, grades, k):
    def dcg(gains):
        if not gains:
            return 0.0
        return gains[0] + sum(g / log2(i) for i, g in enumerate(gains[1:k], start=2))

    best = dcg(sorted(grades.values(), reverse=True))
    return dcg([grades.get(d, 0) for d in ranking]) / best if best else 0.0
""",
    ),
    (
        "NDCG",
        "ideal from the retrieved list + ideal not cut",
        r"""
def ndcg_at_k(ranking, grades, k):
    ideal = sorted(ranking, key=lambda d: grades.get(d, 0), reverse=True)
    best = dcg_at_k(ideal, grades, len(ideal))
    return dcg_at_k(ranking, grades, k) / best if best else 0.0
""",
    ),
    (
        "NDCG",
        "grades as yes or no + 1 where nothing is relevant",
        r"""
def ndcg_at_k(ranking, grades, k):
    yes = {d: 1 for d, g in grades.items() if g > 0}
    if not yes:
        return 1.0
    return dcg_at_k(ranking, yes, k) / dcg_at_k(list(yes), yes, k)
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "right",
        r"""
def mean_over_queries(metric, run, qrels):
    total = 0.0
    for query_id, grades in qrels.items():
        total += metric(run.get(query_id, []), grades)
    return total / len(qrels)
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "right",
        r"""
def mean_over_queries(metric, run, qrels):
    return float(np.mean([metric(run[q], qrels[q]) if q in run else 0.0 for q in qrels]))
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "right",
        r"""
def mean_over_queries(metric, run, qrels):
    values = {q: 0 for q in qrels}
    for q, ranking in run.items():
        if q in qrels:
            values[q] = metric(ranking, qrels[q])
    return sum(values.values()) / len(values)
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "missing query skipped",
        r"""
def mean_over_queries(metric, run, qrels):
    values = [metric(run[q], qrels[q]) for q in qrels if q in run]
    return sum(values) / len(values)
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "missing query skipped",
        r"""
def mean_over_queries(metric, run, qrels):
    total, n = 0.0, 0
    for q in run:
        if q not in qrels:
            continue
        total += metric(run[q], qrels[q])
        n += 1
    return total / n if n > 0 else 0.0
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "missing query skipped",
        r"""
def mean_over_queries(metric, run, qrels):
    common = set(run) & set(qrels)
    return np.mean([metric(run[q], qrels[q]) for q in common])
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "divides by the run's length",
        r"""
def mean_over_queries(metric, run, qrels):
    total = 0.0
    for q, grades in qrels.items():
        total += metric(run.get(q, []), grades)
    return total / len(run)
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "divides by the run's length",
        r"""
def mean_over_queries(metric, run, qrels):
    total = sum(metric(run[q], qrels[q]) for q in run if q in qrels)
    return total / len(run) if run else 0.0
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "unjudged queries in the mean",
        r"""
def mean_over_queries(metric, run, qrels):
    queries = set(run) | set(qrels)
    return sum(metric(run.get(q, []), qrels.get(q, {})) for q in queries) / len(queries)
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "unjudged queries in the mean",
        r"""
def mean_over_queries(metric, run, qrels):
    values = []
    for q in qrels:
        values.append(metric(run[q], qrels[q]) if q in run else 0)
    for q in run:
        if q not in qrels:
            values.append(0)
    return np.mean(values)
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "divides by the run's length",
        r"""
def mean_over_queries(metric, run, qrels):
    values = [metric(ranking, qrels.get(q, {})) for q, ranking in run.items()]
    return sum(values) / len(values)
""",
    ),
    (
        "MEAN_OVER_QUERIES",
        "goes through the run, unjudged query raises",
        r"""
def mean_over_queries(metric, run, qrels):
    values = []
    for q, ranking in run.items():
        values.append(metric(ranking, qrels[q]))
    return np.mean(values)
""",
    ),
    (
        "PRECISION",
        "repeats removed before the cut",
        r"""
def precision_at_k(ranking, grades, k):
    seen = []
    for d in ranking:
        if d not in seen:
            seen.append(d)
    return sum(grades.get(d, 0) > 0 for d in seen[:k]) / k
""",
    ),
    (
        "RECALL",
        "repeats removed before the cut",
        r"""
def recall_at_k(ranking, grades, k):
    relevant = {d for d in grades if grades[d] > 0}
    top = list(dict.fromkeys(ranking))[:k]
    return len(relevant.intersection(top)) / len(relevant) if relevant else 0.0
""",
    ),
]
