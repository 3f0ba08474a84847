"""Lesson 05: answers as learners write them in a cell. Each is (exercise, the name that its check should give, source).

A name is "right", that of a mistake, two joined by " + " of which one must be said, or "" where the check knows none: then a
comment in the source says what is wrong.
"""

ANSWERS: list[tuple[str, str, str]] = [
    (
        "TERM_SCORES",
        "right",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    tf = Counter(doc_terms)
    norm = 1 - b + b * len(doc_terms) / avgdl
    ledger = defaultdict(float)
    for term in query_terms:
        if term in tf and term in idf:
            ledger[term] += idf[term] * tf[term] / (tf[term] + k1 * norm)
    return dict(ledger)
""",
    ),
    (
        "TERM_SCORES",
        "right",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    K = k1 * ((1 - b) + b * (len(doc_terms) / avgdl))
    out = {}
    for t, qtf in Counter(query_terms).items():
        tf = doc_terms.count(t)
        if tf == 0 or t not in idf:
            continue
        out[t] = qtf * idf[t] * tf / (tf + K)
    return out
""",
    ),
    (
        "TERM_SCORES",
        "right",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    dl = len(doc_terms)
    return {
        t: query_terms.count(t) * idf[t] * doc_terms.count(t) / (doc_terms.count(t) + k1 * (1 - b + b * dl / avgdl))
        for t in set(query_terms) & set(doc_terms) & set(idf)
    }
""",
    ),
    (
        "TERM_SCORES",
        "repeated query term counted once",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    scores = {}
    for term in query_terms:
        tf = doc_terms.count(term)
        if tf and term in idf:
            scores[term] = idf[term] * tf / (tf + k1 * (1 - b + b * len(doc_terms) / avgdl))
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "repeated query term counted too often",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    scores = {}
    qtf = Counter(query_terms)
    for term in query_terms:
        tf = doc_terms.count(term)
        if tf and term in idf:
            weight = tf / (tf + k1 * (1 - b + b * len(doc_terms) / avgdl))
            scores[term] = scores.get(term, 0) + qtf[term] * idf[term] * weight
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "length in distinct words",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    tf = Counter(doc_terms)
    norm = k1 * (1 - b + b * len(tf) / avgdl)
    scores = {}
    for term in query_terms:
        if tf[term] and term in idf:
            scores[term] = scores.get(term, 0) + idf[term] * tf[term] / (tf[term] + norm)
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "length ratio upside down",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    scores = {}
    for term in query_terms:
        if term in doc_terms and term in idf:
            tf = doc_terms.count(term)
            norm = 1 - b + b * avgdl / len(doc_terms)
            scores[term] = scores.get(term, 0) + idf[term] * tf / (tf + k1 * norm)
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "no idf",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    scores = {}
    for term in query_terms:
        tf = doc_terms.count(term)
        if tf and term in idf:
            scores[term] = scores.get(term, 0) + tf / (tf + k1 * (1 - b + b * len(doc_terms) / avgdl))
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "idf not looked at",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    scores = defaultdict(float)
    for term in query_terms:
        tf = doc_terms.count(term)
        if tf > 0:
            scores[term] += tf / (tf + k1 * (1 - b + b * len(doc_terms) / avgdl))
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "k1 + 1",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    norm = 1 - b + b * len(doc_terms) / avgdl
    scores = {}
    for term in query_terms:
        tf = doc_terms.count(term)
        if not tf or term not in idf:
            continue
        scores[term] = scores.get(term, 0) + idf[term] * (tf * (k1 + 1)) / (tf + k1 * norm)
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "shares of the score",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    norm = 1 - b + b * len(doc_terms) / avgdl
    scores = {}
    for term in query_terms:
        tf = doc_terms.count(term)
        if tf and term in idf:
            scores[term] = scores.get(term, 0) + idf[term] * tf / (tf + k1 * norm)
    total = sum(scores.values())
    if total == 0:
        return {}
    return {term: score / total for term, score in scores.items()}
""",
    ),
    (
        "TERM_SCORES",
        "0 for every word without a part",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    norm = 1 - b + b * len(doc_terms) / avgdl
    scores = {}
    for term in query_terms:
        tf = doc_terms.count(term)
        scores[term] = scores.get(term, 0) + idf.get(term, 0) * tf / (tf + k1 * norm)
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "unknown word raises + 0 for what the document lacks",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    norm = 1 - b + b * len(doc_terms) / avgdl
    scores = defaultdict(float)
    for term in query_terms:
        tf = doc_terms.count(term)
        scores[term] += idf[term] * tf / (tf + k1 * norm)
    return dict(scores)
""",
    ),
    (
        "TERM_SCORES",
        "0 for what the document lacks",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    norm = 1 - b + b * len(doc_terms) / avgdl
    scores = {}
    for term in query_terms:
        if term in idf:
            tf = doc_terms.count(term)
            scores[term] = scores.get(term, 0) + idf[term] * tf / (tf + k1 * norm)
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "0 for a word without idf",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    norm = 1 - b + b * len(doc_terms) / avgdl
    scores = {}
    for term in query_terms:
        tf = doc_terms.count(term)
        if tf:
            scores[term] = scores.get(term, 0) + idf.get(term, 0.0) * tf / (tf + k1 * norm)
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "unknown word raises",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    norm = 1 - b + b * len(doc_terms) / avgdl
    scores = {}
    for term in query_terms:
        if term in doc_terms:
            tf = doc_terms.count(term)
            scores[term] = scores.get(term, 0) + idf[term] * tf / (tf + k1 * norm)
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "k1 not on the length",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    scores = {}
    for term in query_terms:
        tf = doc_terms.count(term)
        if tf and term in idf:
            below = tf + k1 * (1 - b) + b * len(doc_terms) / avgdl
            scores[term] = scores.get(term, 0) + idf[term] * tf / below
    return scores
""",
    ),
    (
        "TERM_SCORES",
        "",
        r"""
def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    # the sum, and not the ledger
    norm = 1 - b + b * len(doc_terms) / avgdl
    score = 0
    for term in query_terms:
        tf = doc_terms.count(term)
        if tf and term in idf:
            score += idf[term] * tf / (tf + k1 * norm)
    return score
""",
    ),
    (
        "WHY_ABOVE",
        "right",
        r"""
def why_above(first, second):
    result = []
    for term in set(first) | set(second):
        result.append((term, first.get(term, 0) - second.get(term, 0)))
    result.sort(key=lambda x: (-x[1], x[0]))
    return result
""",
    ),
    (
        "WHY_ABOVE",
        "right",
        r"""
def why_above(first, second):
    difference = defaultdict(float)
    for term, score in first.items():
        difference[term] += score
    for term, score in second.items():
        difference[term] -= score
    by_term = sorted(difference.items())
    return sorted(by_term, key=lambda pair: pair[1], reverse=True)
""",
    ),
    (
        "WHY_ABOVE",
        "right",
        r"""
def why_above(first, second):
    terms = sorted(first.keys() | second.keys())
    values = np.array([first.get(t, 0.0) - second.get(t, 0.0) for t in terms])
    order = np.argsort(-values, kind="stable")
    return [(terms[i], values[i]) for i in order]
""",
    ),
    (
        "WHY_ABOVE",
        "only shared words",
        r"""
def why_above(first, second):
    both = first.keys() & second.keys()
    return sorted([(t, first[t] - second[t]) for t in both], key=lambda p: (-p[1], p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "only the first's words",
        r"""
def why_above(first, second):
    return sorted([(t, s - second.get(t, 0)) for t, s in first.items()], key=lambda p: (-p[1], p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "missing word raises",
        r"""
def why_above(first, second):
    result = []
    for term in first:
        result.append((term, first[term] - second[term]))
    return sorted(result, key=lambda p: (-p[1], p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "missing word raises, on either side",
        r"""
def why_above(first, second):
    terms = set(first) | set(second)
    return sorted(((t, first[t] - second[t]) for t in terms), key=lambda p: (-p[1], p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "absolute differences",
        r"""
def why_above(first, second):
    out = []
    for t in {**first, **second}:
        out.append((t, abs(first.get(t, 0) - second.get(t, 0))))
    return sorted(out, key=lambda p: (-p[1], p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "sorted by size",
        r"""
def why_above(first, second):
    out = [(t, first.get(t, 0) - second.get(t, 0)) for t in first.keys() | second.keys()]
    return sorted(out, key=lambda p: (-abs(p[1]), p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "wrong sign",
        r"""
def why_above(first, second):
    out = [(t, second.get(t, 0) - first.get(t, 0)) for t in first.keys() | second.keys()]
    return sorted(out, key=lambda p: (-p[1], p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "smallest first",
        r"""
def why_above(first, second):
    out = [(t, first.get(t, 0) - second.get(t, 0)) for t in first.keys() | second.keys()]
    return sorted(out, key=lambda p: (p[1], p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "ties in the order of the ledgers",
        r"""
def why_above(first, second):
    out = {t: first.get(t, 0) - second.get(t, 0) for t in [*first, *second]}
    return sorted(out.items(), key=lambda p: p[1], reverse=True)
""",
    ),
    (
        "WHY_ABOVE",
        "ties from z to a",
        r"""
def why_above(first, second):
    out = [(first.get(t, 0) - second.get(t, 0), t) for t in first.keys() | second.keys()]
    return [(t, d) for d, t in sorted(out, reverse=True)]
""",
    ),
    (
        "WHY_ABOVE",
        "zeros dropped",
        r"""
def why_above(first, second):
    out = []
    for t in set(first) | set(second):
        d = first.get(t, 0) - second.get(t, 0)
        if d:
            out.append((t, d))
    return sorted(out, key=lambda p: (-p[1], p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "zeros dropped",
        r"""
def why_above(first, second):
    # Counter.subtract keeps zeros; the operator - does not, but drops what is negative too: this one is written by hand
    out = Counter(first)
    out.subtract(second)
    return sorted([(t, d) for t, d in out.items() if d != 0], key=lambda p: (-p[1], p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "only what speaks for the first",
        r"""
def why_above(first, second):
    return sorted((Counter(first) - Counter(second)).items(), key=lambda p: (-p[1], p[0]))
""",
    ),
    (
        "WHY_ABOVE",
        "not sorted",
        r"""
def why_above(first, second):
    result = Counter(first)
    result.subtract(second)
    return list(result.items())
""",
    ),
    (
        "WHY_ABOVE",
        "",
        r"""
def why_above(first, second):
    # a dictionary, in order; a list of pairs is asked for
    out = {t: first.get(t, 0) - second.get(t, 0) for t in first.keys() | second.keys()}
    return dict(sorted(out.items(), key=lambda p: (-p[1], p[0])))
""",
    ),
    (
        "CAUSE_OF_MISS",
        "right",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if passage is None or len(passage) == 0:
        return "not in the corpus"
    rank = None if above is None else len(above) + 1
    if rank is not None:
        if rank <= k:
            return None
        if min(above) >= 1:
            return "cut by the budget"
    if whole_rank and whole_rank <= k:
        return "lost in chunking"
    shared = [word for word in query if word in passage and word not in stopwords]
    return "outweighed" if shared else "vocabulary gap"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "right",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    content = set(query) - stopwords
    if not passage:
        return "not in the corpus"
    elif above is not None and len(above) + 1 <= k:
        return None
    elif above is not None and 0 not in above:
        return "cut by the budget"
    elif whole_rank is not None and whole_rank < k + 1:
        return "lost in chunking"
    elif content.isdisjoint(passage):
        return "vocabulary gap"
    else:
        return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "right",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    rank = float("inf") if above is None else len(above) + 1
    whole = float("inf") if whole_rank is None else whole_rank
    if not passage: return "not in the corpus"
    if rank <= k: return
    if above and all(g in (1, 2) for g in above): return "cut by the budget"
    if whole <= k: return "lost in chunking"
    if not any(w in passage for w in set(query) - set(stopwords)): return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "gap before chunking",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "gap before the budget",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "chunking before the budget",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "chunking before the budget + gap before the budget",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "stopwords counted as overlap",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not set(query) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "rank k not within k",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank < k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "rank k + 1 taken for found",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) <= k:
        return None
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "found documents get a cause",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "grades not asked",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None:
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "grades not asked",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and len(above) >= k:
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "grades not asked",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(g >= 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "any instead of all",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and any(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "only grade 1 is relevant",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(g == 1 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "not retrieved raises",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if len(above) < k:
        return None
    if all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "not retrieved raises",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if len(above) >= k and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "not retrieved taken for a gap",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if above is None or not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "no text taken for a gap",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if passage is None:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "no whole rank raises",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "a gap as soon as one word is missing",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    if not passage:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) <= set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "CAUSE_OF_MISS",
        "",
        r"""
def cause_of_miss(query, passage, stopwords, above, whole_rank, k):
    # what was not retrieved is taken for not indexed
    if above is None and whole_rank is None:
        return "not in the corpus"
    if above is not None and len(above) < k:
        return None
    if above is not None and all(g > 0 for g in above):
        return "cut by the budget"
    if whole_rank is not None and whole_rank <= k:
        return "lost in chunking"
    if not (set(query) - stopwords) & set(passage):
        return "vocabulary gap"
    return "outweighed"
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "right",
        r"""
def median_first_rank(ranks):
    import statistics
    return statistics.median([float("inf") if rank is None else rank for rank in ranks])
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "right",
        r"""
def median_first_rank(ranks):
    if len(ranks) == 0:
        raise ValueError("empty")
    return np.median([np.inf if rank is None else rank for rank in ranks])
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "right",
        r"""
def median_first_rank(ranks):
    n = len(ranks)
    if n == 0:
        raise ValueError("no ranks")
    found = sorted(r for r in ranks if r is not None)
    row = found + [float("inf")] * (n - len(found))
    if n % 2 == 1:
        return row[n // 2]
    return (row[n // 2 - 1] + row[n // 2]) / 2
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "right",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError
    ordered = sorted(ranks, key=lambda rank: (rank is None, rank))
    middle = [ordered[(len(ranks) - 1) // 2], ordered[len(ranks) // 2]]
    return float("inf") if None in middle else sum(middle) / 2
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "misses dropped",
        r"""
def median_first_rank(ranks):
    import statistics
    return statistics.median([rank for rank in ranks if rank is not None])
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "misses dropped",
        r"""
def median_first_rank(ranks):
    found = sorted(filter(None, ranks))
    n = len(found)
    return found[n // 2] if n % 2 else (found[n // 2 - 1] + found[n // 2]) / 2
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "misses dropped",
        r"""
def median_first_rank(ranks):
    return float(np.nanmedian(np.array(ranks, dtype=float)))
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "misses as 0",
        r"""
def median_first_rank(ranks):
    from statistics import median
    return median([0 if rank is None else rank for rank in ranks])
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "misses as 0",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    return float(np.median([rank or 0 for rank in ranks]))
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "misses as NaN",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    return np.median(np.array(ranks, dtype=float))
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "None among numbers",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    ordered = sorted(ranks)
    n = len(ordered)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "upper median",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    ordered = sorted(float("inf") if r is None else r for r in ranks)
    return ordered[len(ordered) // 2]
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "lower median",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    ordered = sorted(float("inf") if r is None else r for r in ranks)
    return ordered[(len(ordered) - 1) // 2]
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "mean",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    return sum(float("inf") if r is None else r for r in ranks) / len(ranks)
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "mean of those found",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    found = [r for r in ranks if r]
    return sum(found) / len(found)
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "not sorted",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    row = [float("inf") if r is None else r for r in ranks]
    n = len(row)
    return row[n // 2] if n % 2 else (row[n // 2 - 1] + row[n // 2]) / 2
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "misses one behind the worst rank",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    worst = max(r for r in ranks if r is not None)
    return np.median([worst + 1 if r is None else r for r in ranks])
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "None where the median is a miss",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    middle = float(np.median([np.inf if r is None else r for r in ranks]))
    return middle if middle < np.inf else None
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "half ranks rounded down",
        r"""
def median_first_rank(ranks):
    if not ranks:
        raise ValueError("no queries")
    row = sorted(np.inf if r is None else r for r in ranks)
    return (row[(len(row) - 1) // 2] + row[len(row) // 2]) // 2
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "0 without queries",
        r"""
def median_first_rank(ranks):
    if not ranks:
        return 0
    return np.median([np.inf if r is None else r for r in ranks])
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "empty list reaches the index",
        r"""
def median_first_rank(ranks):
    row = sorted(float("inf") if r is None else r for r in ranks)
    n = len(row)
    return (row[(n - 1) // 2] + row[n // 2]) / 2
""",
    ),
    (
        "MEDIAN_FIRST_RANK",
        "",
        r"""
def median_first_rank(ranks):
    # a miss as rank 1000, which the median then names
    row = sorted(1000 if r is None else r for r in ranks)
    n = len(row)
    if n == 0:
        raise ValueError("no queries")
    return (row[(n - 1) // 2] + row[n // 2]) / 2
""",
    ),
]
