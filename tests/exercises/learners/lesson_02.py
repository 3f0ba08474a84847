"""Lesson 02: answers as learners write them in a cell. Each is (exercise, the name that its check should give, source).

A name is "right", that of a mistake, two joined by " + " of which one must be said, or "" where the check knows none: then a
comment in the source says what is wrong.
"""

ANSWERS: list[tuple[str, str, str]] = [
    (
        "CHUNK_FIXED",
        "right",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap must be smaller than size")
    chunks = []
    start = 0
    while start < len(tokens):
        chunks.append(tokens[start:start + size])
        if start + size >= len(tokens):
            break
        start += size - overlap
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "right",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap must be smaller than size")
    if not tokens:
        return []
    return [tokens[i:i + size] for i in range(0, max(len(tokens) - overlap, 1), size - overlap)]
""",
    ),
    (
        "CHUNK_FIXED",
        "right",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap must be smaller than size")
    if len(tokens) == 0:
        return []
    if len(tokens) <= size:
        return [list(tokens)]
    return [tokens[:size]] + chunk_fixed(tokens[size - overlap:], size, overlap)
""",
    ),
    (
        "CHUNK_FIXED",
        "right",
        r"""
def chunk_fixed(tokens, size, overlap):
    if not overlap < size:
        raise ValueError
    out = []
    start, done = 0, len(tokens) == 0
    while not done:
        end = start + size
        out.append(list(tokens[start:end]))
        done = end >= len(tokens)
        start = end - overlap
    return out
""",
    ),
    (
        "CHUNK_FIXED",
        "right",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("no progress")
    chunks = [tokens[i:i + size] for i in range(0, len(tokens), size - overlap)]
    while len(chunks) > 1 and len(chunks[-1]) <= overlap:
        chunks.pop()
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "step = size",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap too large")
    return [tokens[i:i + size] for i in range(0, len(tokens), size)]
""",
    ),
    (
        "CHUNK_FIXED",
        "step = size",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap too large")
    chunks = []
    start = 0
    while start < len(tokens):
        end = min(start + size, len(tokens))
        chunks.append(tokens[start:end])
        start = end
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "overlap on top of size",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap too large")
    chunks = []
    for start in range(0, len(tokens), size):
        begin = max(0, start - overlap)
        chunks.append(tokens[begin:start + size])
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "redundant tail",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap too large")
    return [tokens[i:i + size] for i in range(0, len(tokens), size - overlap)]
""",
    ),
    (
        "CHUNK_FIXED",
        "redundant tail",
        r"""
def chunk_fixed(tokens, size, overlap):
    if size <= overlap:
        raise ValueError("overlap too large")
    step = size - overlap
    chunks = []
    rest = tokens
    while rest:
        chunks.append(rest[:size])
        rest = rest[step:]
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "redundant tail, unless one chunk has it all",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError(f"{overlap} >= {size}")
    if len(tokens) == 0:
        return []
    if len(tokens) <= size:
        return [tokens]
    chunks, start = [], 0
    while start < len(tokens):
        chunks.append(tokens[start:start + size])
        start = start + size - overlap
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "short last chunk lost",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap too large")
    return [tokens[i:i + size] for i in range(0, len(tokens) - size + 1, size - overlap)]
""",
    ),
    (
        "CHUNK_FIXED",
        "short last chunk lost, unless one chunk has it all",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap too large")
    if not tokens:
        return []
    if len(tokens) <= size:
        return [tokens]
    chunks = []
    start = 0
    while start + size <= len(tokens):
        chunks.append(tokens[start:start + size])
        start += size - overlap
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "short last chunk lost",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap too large")
    step = size - overlap
    n = (len(tokens) - overlap) // step
    return [tokens[i * step:i * step + size] for i in range(n)]
""",
    ),
    (
        "CHUNK_FIXED",
        "as section 2 has it",
        r"""
def chunk_fixed(tokens, size, overlap):
    starts = range(0, max(len(tokens) - overlap, 1), size - overlap)
    return [tokens[s:min(s + size, len(tokens))] for s in starts]
""",
    ),
    (
        "CHUNK_FIXED",
        "one empty chunk",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("overlap must be smaller than size")
    starts = range(0, max(len(tokens) - overlap, 1), size - overlap)
    return [tokens[s:s + size] for s in starts]
""",
    ),
    (
        "CHUNK_FIXED",
        "overlap >= size accepted",
        r"""
def chunk_fixed(tokens, size, overlap):
    chunks = []
    for start in range(0, len(tokens), size - overlap):
        chunks.append(tokens[start:start + size])
        if start + size >= len(tokens):
            break
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "overlap >= size accepted where there are no tokens",
        r"""
def chunk_fixed(tokens, size, overlap):
    if not tokens:
        return []
    if overlap >= size:
        raise ValueError("overlap too large")
    chunks = []
    start = 0
    while True:
        chunks.append(tokens[start:start + size])
        if start + size >= len(tokens):
            return chunks
        start += size - overlap
""",
    ),
    (
        "CHUNK_FIXED",
        "overlap >= size accepted where there are no tokens",
        r"""
def chunk_fixed(tokens, size, overlap):
    step = max(1, size - overlap)
    chunks = []
    for start in range(0, len(tokens), step):
        chunks.append(tokens[start:start + size])
        if start + size >= len(tokens):
            break
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "overlap = size accepted",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap > size:
        raise ValueError("overlap too large")
    if not tokens:
        return []
    chunks = [tokens[:size]]
    start = size - overlap
    while start + overlap < len(tokens):
        chunks.append(tokens[start:start + size])
        start += size - overlap
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "overlap >= size accepted where there are no tokens",
        r"""
def chunk_fixed(tokens, size, overlap):
    chunks = []
    start = 0
    while start < len(tokens):
        chunks.append(tokens[start:start + size])
        if start + size >= len(tokens):
            break
        start += size - overlap
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "the usual loop",
        r"""
def chunk_fixed(tokens, size, overlap):
    return [tokens[i:i + size] for i in range(0, len(tokens), size - overlap)]
""",
    ),
    (
        "CHUNK_FIXED",
        "step = size + overlap >= size accepted",
        r"""
def chunk_fixed(tokens, size, overlap):
    chunks = []
    for i in range(0, len(tokens), size):
        chunks.append(tokens[i:i + size])
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "step = size",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("no progress")
    chunks, current = [], []
    for token in tokens:
        current.append(token)
        if len(current) == size:
            chunks.append(current)
            current = []
    if current:
        chunks.append(current)
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "step = size",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("no progress")
    n = -(-len(tokens) // size)
    return [tokens[i * size:(i + 1) * size] for i in range(n)]
""",
    ),
    (
        "CHUNK_FIXED",
        "redundant tail",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("no progress")
    if len(tokens) == 0:
        return []
    return [tokens[:size]] + chunk_fixed(tokens[size - overlap:], size, overlap)
""",
    ),
    (
        "CHUNK_FIXED",
        "redundant tail of a full chunk",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("no progress")
    step = size - overlap
    chunks = []
    start = 0
    while True:
        chunk = tokens[start:start + size]
        if not chunk:
            break
        chunks.append(chunk)
        if len(chunk) < size:
            break
        start += step
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "short last chunk lost",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("no progress")
    chunks = [tokens[i:i + size] for i in range(0, len(tokens), size - overlap)]
    return [c for c in chunks if len(c) == size]
""",
    ),
    (
        "CHUNK_FIXED",
        "short last chunk lost",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("no progress")
    chunks, current = [], []
    for token in tokens:
        current.append(token)
        if len(current) == size:
            chunks.append(current)
            current = current[size - overlap:]
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "short last chunk lost, unless one chunk has it all",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("no progress")
    chunks = []
    for i in range(0, len(tokens), size - overlap):
        chunk = tokens[i:i + size]
        if len(chunk) < size and chunks:
            break
        chunks.append(chunk)
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "overlap >= size accepted where there are no tokens",
        r"""
def chunk_fixed(tokens, size, overlap):
    if not tokens:
        return []
    assert overlap < size
    chunks = []
    for start in range(0, len(tokens), size - overlap):
        chunks.append(tokens[start:start + size])
        if start + size >= len(tokens):
            break
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "overlap >= size accepted where there are no tokens",
        r"""
def chunk_fixed(tokens, size, overlap):
    overlap = min(overlap, size - 1)
    chunks, start = [], 0
    while start < len(tokens):
        chunks.append(tokens[start:start + size])
        if start + size >= len(tokens):
            break
        start += size - overlap
    return chunks
""",
    ),
    (
        "CHUNK_FIXED",
        "redundant tail + short document lost",
        r"""
def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError("no progress")
    if len(tokens) < size:
        return []
    return [tokens[i:i + size] for i in range(0, len(tokens), size - overlap)]
""",
    ),
    (
        "CHUNK_FIXED",
        "short last chunk lost + overlap >= size accepted",
        r"""
def chunk_fixed(tokens, size, overlap):
    chunks = []
    start = 0
    while start + size <= len(tokens):
        chunks.append(tokens[start:start + size])
        start += size - overlap
    return chunks
""",
    ),
    (
        "IDF",
        "right",
        r"""
def idf(term, documents):
    n = len(documents)
    df = sum(1 for document in documents if term in document)
    return log(1 + (n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF",
        "right",
        r"""
def idf(term, documents):
    df = 0
    for document in documents:
        if term in set(document):
            df += 1
    ratio = (len(documents) - df + 0.5) / (df + 0.5)
    return float(np.log1p(ratio))
""",
    ),
    (
        "IDF",
        "right",
        r"""
def idf(term, documents):
    counts = Counter(word for document in documents for word in set(document))
    return log(len(documents) + 1) - log(counts[term] + 0.5)
""",
    ),
    (
        "IDF",
        "no 1 +",
        r"""
def idf(term, documents):
    N = len(documents)
    df = sum(term in d for d in documents)
    return log((N - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF",
        "no 1 +",
        r"""
def idf(term, documents):
    N, df = len(documents), 0
    for d in documents:
        if term in d:
            df = df + 1
    return log(N - df + 0.5) - log(df + 0.5)
""",
    ),
    (
        "IDF",
        "negative values cut to zero",
        r"""
def idf(term, documents):
    df = np.array([term in d for d in documents]).sum()
    return max(0.0, float(np.log((len(documents) - df + 0.5) / (df + 0.5))))
""",
    ),
    (
        "IDF",
        "log10",
        r"""
def idf(term, documents):
    from math import log10
    N = len(documents)
    df = sum(term in d for d in documents)
    return log10(1 + (N - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF",
        "log10",
        r"""
def idf(term, documents):
    N = len(documents)
    df = len([d for d in documents if term in d])
    return np.log10(1 + (N - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF",
        "log10",
        r"""
def idf(term, documents):
    N = len(documents)
    df = len([d for d in documents if term in d])
    return log(1 + (N - df + 0.5) / (df + 0.5), 10)
""",
    ),
    (
        "IDF",
        "collection frequency for df",
        r"""
def idf(term, documents):
    N = len(documents)
    df = sum(d.count(term) for d in documents)
    return log(1 + (N - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF",
        "collection frequency for df",
        r"""
def idf(term, documents):
    counts = Counter()
    for d in documents:
        counts.update(d)
    df = counts[term]
    return np.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF",
        "collection frequency for df",
        r"""
def idf(term, documents):
    df = 0
    for document in documents:
        for word in document:
            if word == term:
                df += 1
    N = len(documents)
    return log(1 + (N - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF",
        "ratio upside down",
        r"""
def idf(term, documents):
    N = len(documents)
    df = sum(term in d for d in documents)
    return log(1 + (df + 0.5) / (N - df + 0.5))
""",
    ),
    (
        "IDF",
        "ratio upside down",
        r"""
def idf(term, documents):
    df = len([1 for d in documents if term in d])
    rest = len(documents) - df
    return log((df + 0.5) / (rest + 0.5) + 1)
""",
    ),
    (
        "IDF",
        "",
        r"""
# two mistakes: no 1 + + log10
def idf(term, documents):
    N = len(documents)
    df = sum(term in d for d in documents)
    return np.log10((N - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF",
        "",
        r"""
# two mistakes: collection frequency for df + no 1 +
def idf(term, documents):
    N = len(documents)
    df = sum(d.count(term) for d in documents)
    return log((N - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "BM25_SCORE",
        "right",
        r"""
def bm25_score(query, document, documents, k1, b):
    avgdl = sum(len(d) for d in documents) / len(documents)
    score = 0.0
    for word in query:
        tf = document.count(word)
        norm = k1 * (1 - b + b * len(document) / avgdl)
        score += idf(word, documents) * tf * (k1 + 1) / (tf + norm)
    return score
""",
    ),
    (
        "BM25_SCORE",
        "right",
        r"""
def bm25_score(query, document, documents, k1, b):
    tf = Counter(document)
    K = k1 * ((1 - b) + b * (len(document) / np.mean([len(d) for d in documents])))
    return float(sum(idf(w, documents) * (tf[w] * (k1 + 1)) / (tf[w] + K) for w in query if w in tf))
""",
    ),
    (
        "BM25_SCORE",
        "right",
        r"""
def bm25_score(query, document, documents, k1, b):
    def weight(word):
        tf = sum(1 for w in document if w == word)
        if tf == 0:
            return 0
        average = sum(map(len, documents)) / len(documents)
        saturation = tf + k1 * (1 - b + b * len(document) / average)
        return idf(word, documents) * tf * (k1 + 1) / saturation

    total = 0
    for word, times in Counter(query).items():
        total += times * weight(word)
    return total
""",
    ),
    (
        "BM25_SCORE",
        "length ratio upside down",
        r"""
def bm25_score(query, document, documents, k1, b):
    avgdl = sum(len(d) for d in documents) / len(documents)
    score = 0.0
    for word in query:
        tf = document.count(word)
        score += idf(word, documents) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * avgdl / len(document)))
    return score
""",
    ),
    (
        "BM25_SCORE",
        "length ratio upside down",
        r"""
def bm25_score(query, document, documents, k1, b):
    tf = Counter(document)
    dl = len(document)
    length = np.mean([len(d) for d in documents]) / dl
    return sum(idf(w, documents) * tf[w] * (k1 + 1) / (tf[w] + k1 * (1 - b + b * length)) for w in query)
""",
    ),
    (
        "BM25_SCORE",
        "no length normalisation",
        r"""
def bm25_score(query, document, documents, k1, b):
    score = 0
    for word in query:
        tf = document.count(word)
        score += idf(word, documents) * tf * (k1 + 1) / (tf + k1)
    return score
""",
    ),
    (
        "BM25_SCORE",
        "no length normalisation",
        r"""
def bm25_score(query, document, documents, k1, b):
    counts = Counter(document)
    score = 0
    for word in query:
        if word not in counts:
            continue
        tf = counts[word]
        score += idf(word, documents) * tf * (k1 + 1) / (tf + k1 * (1 - b + b))
    return score
""",
    ),
    (
        "BM25_SCORE",
        "length ratio left out",
        r"""
def bm25_score(query, document, documents, k1, b):
    score = 0
    for word in query:
        tf = document.count(word)
        score += idf(word, documents) * tf * (k1 + 1) / (tf + k1 * (1 - b))
    return score
""",
    ),
    (
        "BM25_SCORE",
        "avgdl over distinct words",
        r"""
def bm25_score(query, document, documents, k1, b):
    avgdl = sum(len(set(d)) for d in documents) / len(documents)
    score = 0.0
    for word in query:
        tf = document.count(word)
        score += idf(word, documents) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(document) / avgdl))
    return score
""",
    ),
    (
        "BM25_SCORE",
        "avgdl over distinct words",
        r"""
def bm25_score(query, document, documents, k1, b):
    counts = [Counter(d) for d in documents]
    avgdl = np.mean([len(c) for c in counts])
    tf = Counter(document)
    K = k1 * (1 - b + b * len(document) / avgdl)
    return sum(idf(w, documents) * tf[w] * (k1 + 1) / (tf[w] + K) for w in query)
""",
    ),
    (
        "BM25_SCORE",
        "lengths in distinct words",
        r"""
def bm25_score(query, document, documents, k1, b):
    tf = Counter(document)
    dl = len(tf)
    avgdl = sum(len(Counter(d)) for d in documents) / len(documents)
    total = 0
    for w in query:
        total += idf(w, documents) * tf[w] * (k1 + 1) / (tf[w] + k1 * (1 - b + b * dl / avgdl))
    return total
""",
    ),
    (
        "BM25_SCORE",
        "repeated query term counted once",
        r"""
def bm25_score(query, document, documents, k1, b):
    avgdl = sum(len(d) for d in documents) / len(documents)
    score = 0.0
    for word in set(query):
        tf = document.count(word)
        score += idf(word, documents) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(document) / avgdl))
    return score
""",
    ),
    (
        "BM25_SCORE",
        "repeated query term counted once",
        r"""
def bm25_score(query, document, documents, k1, b):
    avgdl = sum(len(d) for d in documents) / len(documents)
    scores = {}
    for word in query:
        tf = document.count(word)
        scores[word] = idf(word, documents) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(document) / avgdl))
    return sum(scores.values())
""",
    ),
    (
        "BM25_SCORE",
        "repeated query term counted once",
        r"""
def bm25_score(query, document, documents, k1, b):
    tf = Counter(document)
    dl, avgdl = len(document), np.mean(list(map(len, documents)))
    matching = set(query) & set(document)
    return sum(idf(w, documents) * tf[w] * (k1 + 1) / (tf[w] + k1 * (1 - b + b * dl / avgdl)) for w in matching)
""",
    ),
    (
        "BM25_SCORE",
        "k1 + 1 missing",
        r"""
def bm25_score(query, document, documents, k1, b):
    avgdl = sum(len(d) for d in documents) / len(documents)
    score = 0.0
    for word in query:
        tf = document.count(word)
        score += idf(word, documents) * tf / (tf + k1 * (1 - b + b * len(document) / avgdl))
    return score
""",
    ),
    (
        "BM25_SCORE",
        "k1 + 1 missing",
        r"""
def bm25_score(query, document, documents, k1, b):
    tf = Counter(document)
    ratio = len(document) / np.mean([len(d) for d in documents])
    return sum(idf(w, documents) / (1 + k1 * (1 - b + b * ratio) / tf[w]) for w in query if tf[w] > 0)
""",
    ),
    (
        "BM25_SCORE",
        "",
        r"""
# two mistakes: repeated query term counted once + k1 + 1 missing
def bm25_score(query, document, documents, k1, b):
    avgdl = sum(len(d) for d in documents) / len(documents)
    score = 0.0
    for word in set(query):
        tf = document.count(word)
        score += idf(word, documents) * tf / (tf + k1 * (1 - b + b * len(document) / avgdl))
    return score
""",
    ),
    (
        "BM25_SCORE",
        "no length normalisation + repeated query term counted once",
        r"""
def bm25_score(query, document, documents, k1, b):
    score = 0.0
    for word in set(query):
        tf = document.count(word)
        score += idf(word, documents) * tf * (k1 + 1) / (tf + k1)
    return score
""",
    ),
    (
        "TOP_DOCUMENTS",
        "right",
        r"""
def top_documents(hits, k):
    best = {}
    for chunk_id, score in hits:
        doc_id = chunk_id.split("#")[0]
        if doc_id not in best or score > best[doc_id]:
            best[doc_id] = score
    ranked = sorted(best.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
    return ranked[:k]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "right",
        r"""
def top_documents(hits, k):
    scores = defaultdict(list)
    for chunk, score in hits:
        scores[chunk.partition("#")[0]].append(score)
    by_score = sorted(((max(values), doc) for doc, values in scores.items()))
    return [(doc, score) for score, doc in by_score[::-1][:k]]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "right",
        r"""
def top_documents(hits, k):
    result, seen = [], set()
    pairs = [(score, chunk_id[: chunk_id.index("#")]) for chunk_id, score in hits]
    for score, doc_id in sorted(pairs, reverse=True):
        if len(result) == k:
            break
        if doc_id in seen:
            continue
        seen.add(doc_id)
        result.append((doc_id, score))
    return result
""",
    ),
    (
        "TOP_DOCUMENTS",
        "sum of chunks",
        r"""
def top_documents(hits, k):
    scores = defaultdict(float)
    for chunk_id, score in hits:
        scores[chunk_id.split("#")[0]] += score
    return sorted(scores.items(), key=lambda x: (x[1], x[0]), reverse=True)[:k]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "sum of chunks",
        r"""
def top_documents(hits, k):
    docs = {chunk_id.split("#")[0] for chunk_id, _ in hits}
    totals = [(doc, sum(s for c, s in hits if c.split("#")[0] == doc)) for doc in docs]
    totals.sort(key=lambda x: (x[1], x[0]), reverse=True)
    return totals[:k]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "last chunk wins",
        r"""
def top_documents(hits, k):
    scores = {}
    for chunk_id, score in hits:
        scores[chunk_id.split("#")[0]] = score
    return sorted(scores.items(), key=lambda x: (x[1], x[0]), reverse=True)[:k]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "last chunk wins",
        r"""
def top_documents(hits, k):
    scores = {chunk.rsplit("#", 1)[0]: score for chunk, score in hits}
    order = sorted(scores, key=lambda d: (scores[d], d), reverse=True)
    return [(d, scores[d]) for d in order[:k]]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "last chunk wins",
        r"""
def top_documents(hits, k):
    hits = sorted(hits, key=lambda hit: hit[1], reverse=True)
    best = {}
    for chunk_id, score in hits:
        doc_id, number = chunk_id.split("#")
        best[doc_id] = score
    return sorted(best.items(), key=lambda x: (x[1], x[0]), reverse=True)[:k]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "cut at k before merging",
        r"""
def top_documents(hits, k):
    best = {}
    top = sorted(hits, key=lambda h: (h[1], h[0].split("#")[0]), reverse=True)[:k]
    for chunk_id, score in top:
        doc_id = chunk_id.split("#")[0]
        best[doc_id] = max(score, best.get(doc_id, score))
    return sorted(best.items(), key=lambda x: (x[1], x[0]), reverse=True)
""",
    ),
    (
        "TOP_DOCUMENTS",
        "cut at k before merging",
        r"""
def top_documents(hits, k):
    best = {}
    for chunk_id, score in sorted(hits, key=lambda h: h[1], reverse=True)[:k]:
        doc_id = chunk_id.split("#")[0]
        if doc_id not in best:
            best[doc_id] = score
    return sorted(best.items(), key=lambda x: (x[1], x[0]), reverse=True)[:k]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "cut at k before merging",
        r"""
def top_documents(hits, k):
    best = {}
    for chunk_id, score in hits[:k]:
        doc_id = chunk_id.split("#")[0]
        if doc_id not in best or best[doc_id] < score:
            best[doc_id] = score
    return sorted(best.items(), key=lambda x: (x[1], x[0]), reverse=True)
""",
    ),
    (
        "TOP_DOCUMENTS",
        "reversed ties",
        r"""
def top_documents(hits, k):
    best = {}
    for chunk_id, score in hits:
        doc_id = chunk_id.split("#")[0]
        if doc_id not in best or best[doc_id] < score:
            best[doc_id] = score
    return sorted(best.items(), key=lambda x: (-x[1], x[0]))[:k]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "ties as they come",
        r"""
def top_documents(hits, k):
    best = {}
    for chunk_id, score in hits:
        doc_id = chunk_id.split("#")[0]
        best[doc_id] = max(best.get(doc_id, score), score)
    return sorted(best.items(), key=lambda x: x[1], reverse=True)[:k]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "ties as they come",
        r"""
def top_documents(hits, k):
    best = Counter()
    for chunk_id, score in hits:
        doc_id = chunk_id.split("#")[0]
        if doc_id in best:
            best[doc_id] = max(best[doc_id], score)
        else:
            best[doc_id] = score
    return best.most_common(k)
""",
    ),
    (
        "TOP_DOCUMENTS",
        "reversed ties",
        r"""
def top_documents(hits, k):
    best = {}
    for chunk_id, score in hits:
        doc_id = chunk_id.split("#")[0]
        if doc_id not in best or best[doc_id] < score:
            best[doc_id] = score
    names = sorted(best)
    order = np.argsort([-best[n] for n in names], kind="stable")[:k]
    return [(names[i], best[names[i]]) for i in order]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "sum of chunks + reversed ties",
        r"""
def top_documents(hits, k):
    totals = defaultdict(float)
    for chunk_id, score in hits:
        totals[chunk_id.split("#")[0]] += score
    return sorted(totals.items(), key=lambda x: (-x[1], x[0]))[:k]
""",
    ),
    (
        "TOP_DOCUMENTS",
        "last chunk wins + ties as they come",
        r"""
def top_documents(hits, k):
    scores = {c.split("#")[0]: s for c, s in hits}
    return sorted(scores.items(), key=lambda x: -x[1])[:k]
""",
    ),
]
