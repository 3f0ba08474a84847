"""Lesson 04: answers as learners write them in a cell. Each is (exercise, the name that its check should give, source).

A name is "right", that of a mistake, two joined by " + " of which one must be said, or "" where the check knows none: then a
comment in the source says what is wrong.
"""

ANSWERS: list[tuple[str, str, str]] = [
    (
        "READ_QRELS",
        "right",
        r"""
def read_qrels(text):
    qrels = {}
    for line in text.split("\n")[1:]:
        if not line.strip():
            continue
        parts = line.split("\t")
        if len(parts) != 3:
            raise ValueError(f"three columns needed: {line!r}")
        query_id, doc_id, grade = parts
        qrels.setdefault(query_id, {})[doc_id] = int(grade)
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "right",
        r"""
def read_qrels(text):
    qrels = defaultdict(dict)
    lines = [line for line in text.splitlines()[1:] if line.strip() != ""]
    for query_id, doc_id, grade in (line.split("\t") for line in lines):
        qrels[query_id][doc_id] = int(grade)
    return dict(qrels)
""",
    ),
    (
        "READ_QRELS",
        "right",
        r"""
def read_qrels(text):
    header, _, body = text.partition("\n")
    rows = [line.rstrip("\r").split("\t") for line in body.split("\n") if line and not line.isspace()]
    for row in rows:
        if len(row) != 3:
            raise ValueError("columns")
    queries = {row[0] for row in rows}
    return {q: {d: int(g) for other, d, g in rows if other == q} for q in queries}
""",
    ),
    (
        "READ_QRELS",
        "header known by its name",
        r"""
def read_qrels(text):
    qrels = defaultdict(dict)
    for line in text.split("\n"):
        parts = line.split("\t")
        if line.strip() == "" or parts[0] == "query-id":
            continue
        if len(parts) != 3:
            raise ValueError(line)
        qrels[parts[0]][parts[1]] = int(parts[2])
    return dict(qrels)
""",
    ),
    (
        "READ_QRELS",
        "right",
        r"""
def read_qrels(text):
    qrels = {}
    first = True
    for line in text.split("\n"):
        if first:
            first = False
            continue
        if line.strip() == "":
            continue
        cells = line.split("\t")
        if len(cells) == 3:
            if cells[0] in qrels:
                qrels[cells[0]][cells[1]] = int(cells[2])
            else:
                qrels[cells[0]] = {cells[1]: int(cells[2])}
        else:
            raise ValueError(line)
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "right",
        r"""
def read_qrels(text):
    import csv
    import io
    qrels = defaultdict(dict)
    reader = csv.reader(io.StringIO(text), delimiter="\t")
    next(reader)
    for row in reader:
        if not row or not "".join(row).strip():
            continue
        q, d, g = row
        qrels[q][d] = int(g)
    return dict(qrels)
""",
    ),
    (
        "READ_QRELS",
        "header as data",
        r"""
def read_qrels(text):
    qrels = {}
    for line in text.split("\n"):
        if not line.strip():
            continue
        query_id, doc_id, grade = line.split("\t")
        qrels.setdefault(query_id, {})[doc_id] = int(grade)
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "header as data, with grade 0",
        r"""
def read_qrels(text):
    qrels = {}
    for line in text.splitlines():
        if line.strip() == "":
            continue
        query_id, doc_id, grade = line.split("\t")
        grade = int(grade) if grade.lstrip("-").isdigit() else 0
        if query_id not in qrels:
            qrels[query_id] = {}
        qrels[query_id][doc_id] = grade
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "grades as text",
        r"""
def read_qrels(text):
    qrels = {}
    for line in text.split("\n")[1:]:
        if not line.strip():
            continue
        query_id, doc_id, grade = line.split("\t")
        qrels.setdefault(query_id, {})[doc_id] = grade
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "grades as text",
        r"""
def read_qrels(text):
    rows = [line.split("\t") for line in text.splitlines()[1:] if line.strip()]
    if any(len(row) != 3 for row in rows):
        raise ValueError("a line without three columns")
    qrels = defaultdict(dict)
    for row in rows:
        qrels[row[0]].update({row[1]: row[2].strip()})
    return dict(qrels)
""",
    ),
    (
        "READ_QRELS",
        "zeros dropped",
        r"""
def read_qrels(text):
    qrels = {}
    for line in text.split("\n")[1:]:
        if not line.strip():
            continue
        query_id, doc_id, grade = line.split("\t")
        if int(grade) > 0:
            qrels.setdefault(query_id, {})[doc_id] = int(grade)
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "zeros dropped, their queries kept",
        r"""
def read_qrels(text):
    qrels = {}
    for line in text.splitlines()[1:]:
        if line.strip():
            query_id, doc_id, grade = line.split("\t")
            if query_id not in qrels:
                qrels[query_id] = {}
            grade = int(grade)
            if not grade:
                continue
            qrels[query_id][doc_id] = grade
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "zeros dropped, their queries kept",
        r"""
def read_qrels(text):
    rows = [line.split("\t") for line in text.split("\n")[1:] if line.strip()]
    if not all(len(row) == 3 for row in rows):
        raise ValueError
    qrels = defaultdict(dict)
    for q, d, g in rows:
        qrels[q][d] = int(g)
    return {q: {d: g for d, g in docs.items() if g} for q, docs in qrels.items()}
""",
    ),
    (
        "READ_QRELS",
        "columns swapped",
        r"""
def read_qrels(text):
    qrels = {}
    for line in text.split("\n")[1:]:
        if not line.strip():
            continue
        doc_id, query_id, grade = line.split("\t")
        qrels.setdefault(query_id, {})[doc_id] = int(grade)
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "columns swapped",
        r"""
def read_qrels(text):
    qrels = defaultdict(dict)
    for line in text.splitlines()[1:]:
        cells = line.split("\t")
        if not line.strip():
            continue
        if len(cells) != 3:
            raise ValueError(line)
        qrels[cells[1]][cells[0]] = int(cells[2])
    return dict(qrels)
""",
    ),
    (
        "READ_QRELS",
        "document and grade exchanged",
        r"""
def read_qrels(text):
    # trec order: query, grade, document
    qrels = {}
    for line in text.splitlines()[1:]:
        if line.strip():
            q, g, d = line.split("\t")
            qrels.setdefault(q, {})[d] = int(g)
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "header as data, grades as text",
        r"""
def read_qrels(text):
    qrels = defaultdict(dict)
    for line in text.split("\n"):
        if line.strip():
            q, d, g = line.split("\t")
            qrels[q][d] = g
    return dict(qrels)
""",
    ),
    (
        "READ_QRELS",
        "",
        r"""
# two mistakes: zeros dropped + columns swapped
def read_qrels(text):
    qrels = defaultdict(dict)
    for line in text.split("\n")[1:]:
        if line.strip():
            q, d, g = line.split("\t")
            if g != "0":
                qrels[d][q] = int(g)
    return dict(qrels)
""",
    ),
    (
        "READ_QRELS",
        "header as data",
        r"""
def read_qrels(text):
    out = defaultdict(dict)
    rows = [l.split("\t") for l in text.strip().split("\n") if l.strip()]
    for r in rows:
        if len(r) != 3:
            raise ValueError("columns")
        out[r[0]][r[1]] = int(r[2])
    return dict(out)
""",
    ),
    (
        "READ_QRELS",
        "header as data, with grade 0",
        r"""
def read_qrels(text):
    out = {}
    for l in text.split("\n"):
        if not l.strip():
            continue
        q, d, g = l.split("\t")
        try:
            g = int(g)
        except ValueError:
            g = 0
        out.setdefault(q, {}).update({d: g})
    return out
""",
    ),
    (
        "READ_QRELS",
        "grades as text",
        r"""
def read_qrels(text):
    import csv
    import io
    out = {}
    for row in csv.DictReader(io.StringIO(text), delimiter="\t"):
        if None in row or None in row.values():
            raise ValueError("columns")
        out.setdefault(row["query-id"], {})[row["corpus-id"]] = row["score"]
    return out
""",
    ),
    (
        "READ_QRELS",
        "zeros dropped",
        r"""
def read_qrels(text):
    out = defaultdict(dict)
    for l in text.split("\n")[1:]:
        if l.strip() == "":
            continue
        q, d, g = l.split("\t")
        if g == "0":
            continue
        out[q][d] = int(g)
    return dict(out)
""",
    ),
    (
        "READ_QRELS",
        "columns swapped",
        r"""
def read_qrels(text):
    rows = [l.split("\t") for l in text.split("\n")[1:] if l.strip()]
    if any(len(r) != 3 for r in rows):
        raise ValueError("columns")
    docs = []
    for r in rows:
        if r[1] not in docs:
            docs.append(r[1])
    return {d: {q: int(g) for q, d2, g in rows if d2 == d} for d in docs}
""",
    ),
    (
        "READ_QRELS",
        "document and grade exchanged",
        r"""
def read_qrels(text):
    out = {}
    for l in text.splitlines()[1:]:
        if l.strip():
            q, d, g = l.split("\t")
            if q not in out:
                out[q] = {}
            out[q][g] = int(d)
    return out
""",
    ),
    (
        "READ_QRELS",
        "grades as text + columns not counted",
        r"""
def read_qrels(text):
    out = {}
    for l in text.split("\n")[1:]:
        c = l.split("\t")
        if len(c) > 2:
            out.setdefault(c[0], {})[c[1]] = c[2]
    return out
""",
    ),
    (
        "READ_QRELS",
        "zeros dropped + cut at any white space",
        r"""
def read_qrels(text):
    out = {}
    for l in text.split("\n")[1:]:
        if l.split():
            q, d, g = l.split()
            if int(g) > 0:
                out.setdefault(q, {})[d] = int(g)
    return out
""",
    ),
    (
        "TO_CSR",
        "right",
        r"""
def to_csr(rows, n_terms):
    data, indices, indptr = [], [], [0]
    for row in rows:
        for term, weight in row.items():
            indices.append(term)
            data.append(float(weight))
        indptr.append(len(indices))
    return csr_array((data, indices, indptr), shape=(len(rows), n_terms))
""",
    ),
    (
        "TO_CSR",
        "right",
        r"""
def to_csr(rows, n_terms):
    dense = np.zeros((len(rows), n_terms))
    for i, row in enumerate(rows):
        for term, weight in row.items():
            dense[i, term] = weight
    return csr_array(dense)
""",
    ),
    (
        "TO_CSR",
        "right",
        r"""
def to_csr(rows, n_terms):
    triples = [(i, t, w) for i, row in enumerate(rows) for t, w in sorted(row.items())]
    i = [x[0] for x in triples]
    j = [x[1] for x in triples]
    w = np.array([x[2] for x in triples], dtype=float)
    return csr_array((w, (i, j)), shape=(len(rows), n_terms))
""",
    ),
    (
        "TO_CSR",
        "columns inferred",
        r"""
def to_csr(rows, n_terms):
    data, indices, indptr = [], [], [0]
    for row in rows:
        indices.extend(row.keys())
        data.extend(float(w) for w in row.values())
        indptr.append(len(indices))
    return csr_array((data, indices, indptr))
""",
    ),
    (
        "TO_CSR",
        "shape inferred",
        r"""
def to_csr(rows, n_terms):
    i, j, w = [], [], []
    for number, row in enumerate(rows):
        for term, weight in row.items():
            i.append(number)
            j.append(term)
            w.append(float(weight))
    return csr_array((w, (i, j)))
""",
    ),
    (
        "TO_CSR",
        "columns inferred, rows said",
        r"""
def to_csr(rows, n_terms):
    data, indices, indptr = [], [], [0]
    for row in rows:
        for term in sorted(row):
            indices.append(term)
            data.append(float(row[term]))
        indptr.append(len(data))
    width = max(indices) + 1 if indices else 0
    return csr_array((data, indices, indptr), shape=(len(rows), width))
""",
    ),
    (
        "TO_CSR",
        "empty documents left out",
        r"""
def to_csr(rows, n_terms):
    data, indices, indptr = [], [], [0]
    for row in rows:
        if not row:
            continue
        indices.extend(row.keys())
        data.extend(float(w) for w in row.values())
        indptr.append(len(indices))
    return csr_array((data, indices, indptr), shape=(len(indptr) - 1, n_terms))
""",
    ),
    (
        "TO_CSR",
        "empty documents left out of indptr",
        r"""
def to_csr(rows, n_terms):
    data, indices, indptr = [], [], [0]
    for row in rows:
        if row:
            indices += list(row)
            data += [float(w) for w in row.values()]
            indptr.append(len(indices))
    return csr_array((data, indices, indptr), shape=(len(rows), n_terms))
""",
    ),
    (
        "TO_CSR",
        "empty documents shift the rows",
        r"""
def to_csr(rows, n_terms):
    matrix = np.zeros((len(rows), n_terms))
    i = 0
    for row in rows:
        if len(row) > 0:
            for term, weight in row.items():
                matrix[i][term] = weight
            i += 1
    return csr_array(matrix)
""",
    ),
    (
        "TO_CSR",
        "empty documents shift the rows",
        r"""
def to_csr(rows, n_terms):
    data, indices, indptr = [], [], [0]
    for row in rows:
        if not row:
            continue
        for term, weight in row.items():
            indices.append(term)
            data.append(float(weight))
        indptr.append(len(indices))
    while len(indptr) < len(rows) + 1:
        indptr.append(len(indices))
    return csr_array((data, indices, indptr), shape=(len(rows), n_terms))
""",
    ),
    (
        "TO_CSR",
        "weights cut to whole numbers",
        r"""
def to_csr(rows, n_terms):
    data, indices, indptr = [], [], [0]
    for row in rows:
        for term, weight in row.items():
            indices.append(term)
            data.append(int(weight))
        indptr.append(len(indices))
    return csr_array((data, indices, indptr), shape=(len(rows), n_terms))
""",
    ),
    (
        "TO_CSR",
        "weights cut to whole numbers",
        r"""
def to_csr(rows, n_terms):
    data, indices, indptr = [], [], [0]
    for row in rows:
        indices.extend(row.keys())
        data.extend(row.values())
        indptr.append(len(indices))
    return csr_array((data, indices, indptr), shape=(len(rows), n_terms), dtype=np.int64)
""",
    ),
    (
        "TO_CSR",
        "weights cut to whole numbers",
        r"""
def to_csr(rows, n_terms):
    dense = np.zeros((len(rows), n_terms), dtype=int)
    for i, row in enumerate(rows):
        for t in row:
            dense[i, t] = row[t]
    return csr_array(dense)
""",
    ),
    (
        "TO_CSR",
        "",
        r"""
# two mistakes: columns inferred + empty documents left out
def to_csr(rows, n_terms):
    data, indices, indptr = [], [], [0]
    for row in rows:
        if row:
            indices.extend(row.keys())
            data.extend(row.values())
            indptr.append(len(indices))
    return csr_array((data, indices, indptr))
""",
    ),
    (
        "TO_CSR",
        "",
        r"""
# two mistakes: shape inferred + weights cut to whole numbers
def to_csr(rows, n_terms):
    i = [n for n, row in enumerate(rows) for _ in row]
    j = [t for row in rows for t in row]
    w = [w for row in rows for w in row.values()]
    return csr_array((np.array(w, dtype=int), (i, j)))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "right",
        r"""
def idf_from_matrix(counts):
    n = counts.shape[0]
    df = np.asarray((counts > 0).sum(axis=0)).ravel()
    return np.log(1 + (n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "right",
        r"""
def idf_from_matrix(counts):
    n_docs, n_terms = counts.shape
    df = np.zeros(n_terms)
    for row, term in zip(*counts.nonzero()):
        df[term] += 1
    return np.array([log(1 + (n_docs - x + 0.5) / (x + 0.5)) for x in df])
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "right",
        r"""
def idf_from_matrix(counts):
    df = np.bincount(counts.indices[counts.data != 0], minlength=counts.shape[1])
    return np.log1p((counts.shape[0] - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "sums values",
        r"""
def idf_from_matrix(counts):
    n = counts.shape[0]
    df = counts.sum(axis=0)
    return np.log(1 + (n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "sums values",
        r"""
def idf_from_matrix(counts):
    n, m = counts.shape
    df = np.zeros(m)
    for value, term in zip(counts.data, counts.indices):
        df[term] += value
    return np.log(1 + (n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "sums values",
        r"""
def idf_from_matrix(counts):
    n = counts.shape[0]
    dense = counts.toarray()
    result = []
    for term in range(counts.shape[1]):
        df = dense[:, term].sum()
        result.append(log(1 + (n - df + 0.5) / (df + 0.5)))
    return np.array(result)
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "counts stored zeros",
        r"""
def idf_from_matrix(counts):
    df = np.bincount(counts.indices, minlength=counts.shape[1])
    return np.log(1 + (counts.shape[0] - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "counts stored zeros",
        r"""
def idf_from_matrix(counts):
    n, m = counts.shape
    df = np.zeros(m)
    np.add.at(df, counts.indices, 1)
    return np.log(1 + (n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "counts stored zeros",
        r"""
def idf_from_matrix(counts):
    N = counts.shape[0]
    df = np.diff(counts.tocsc().indptr)
    return np.log(1 + (N - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "wrong axis",
        r"""
def idf_from_matrix(counts):
    n = counts.shape[0]
    df = (counts > 0).sum(axis=1)
    return np.log(1 + (n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "N is the number of terms",
        r"""
def idf_from_matrix(counts):
    n = counts.shape[1]
    df = (counts > 0).sum(axis=0)
    return np.log(1 + (n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "rows and columns exchanged",
        r"""
def idf_from_matrix(counts):
    n = counts.shape[1]
    df = np.count_nonzero(counts.toarray(), axis=1)
    return np.log(1 + (n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "no 1 +",
        r"""
def idf_from_matrix(counts):
    n = counts.shape[0]
    df = (counts > 0).sum(axis=0)
    return np.log((n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "no 1 +",
        r"""
def idf_from_matrix(counts):
    df = (counts.toarray() != 0).sum(axis=0)
    return np.log(counts.shape[0] - df + 0.5) - np.log(df + 0.5)
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "",
        r"""
# two mistakes: sums values + no 1 +
def idf_from_matrix(counts):
    n = counts.shape[0]
    df = counts.sum(axis=0)
    return np.log((n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "IDF_FROM_MATRIX",
        "",
        r"""
# two mistakes: counts stored zeros + no 1 +
def idf_from_matrix(counts):
    n = counts.shape[0]
    df = np.bincount(counts.indices, minlength=counts.shape[1])
    return np.log((n - df + 0.5) / (df + 0.5))
""",
    ),
    (
        "TOP_K",
        "right",
        r"""
def top_k(query, batches, idf, k):
    weights = query * idf
    found = []
    offset = 0
    for batch in batches:
        scores = batch @ weights
        for row, score in enumerate(scores):
            if score != 0:
                found.append((offset + row, score))
        offset += batch.shape[0]
    found.sort(key=lambda pair: (pair[1], pair[0]), reverse=True)
    return found[:k]
""",
    ),
    (
        "TOP_K",
        "right",
        r"""
def top_k(query, batches, idf, k):
    if not batches:
        return []
    scores = np.concatenate([b @ (query * idf) for b in batches])
    order = np.lexsort((-np.arange(len(scores)), -scores))[:k]
    return [(int(row), float(scores[row])) for row in order if scores[row] != 0]
""",
    ),
    (
        "TOP_K",
        "right",
        r"""
def top_k(query, batches, idf, k):
    best, start = [], 0
    for batch in batches:
        scores = batch.dot(np.asarray(query) * np.asarray(idf))
        rows = np.flatnonzero(scores)
        best = sorted(best + [(scores[r], start + r) for r in rows])[-k:]
        start += batch.shape[0]
    return [(int(row), float(score)) for score, row in reversed(best)]
""",
    ),
    (
        "TOP_K",
        "right",
        r"""
def top_k(query, batches, idf, k):
    hits = []
    base = 0
    q = query * idf
    for b in batches:
        s = b @ q
        for r in range(b.shape[0]):
            if s[r] > 0:
                hits.append([base + r, s[r]])
        base += b.shape[0]
    hits.sort(key=lambda h: (-h[1], -h[0]))
    return [tuple(h) for h in hits[:k]]
""",
    ),
    (
        "TOP_K",
        "right",
        r"""
def top_k(query, batches, idf, k):
    import heapq
    offsets = np.cumsum([0] + [b.shape[0] for b in batches])
    pairs = ((float(s), int(o + r)) for o, b in zip(offsets, batches) for r, s in enumerate(b @ (query * idf)) if s)
    return [(r, s) for s, r in heapq.nlargest(k, pairs)]
""",
    ),
    (
        "TOP_K",
        "partition unsorted",
        r"""
def top_k(query, batches, idf, k):
    if not batches:
        return []
    scores = np.concatenate([b @ (query * idf) for b in batches])
    k = min(k, len(scores))
    if k == 0:
        return []
    best = np.argpartition(scores, -k)[-k:]
    return [(int(r), float(scores[r])) for r in best if scores[r] != 0]
""",
    ),
    (
        "TOP_K",
        "lower row first among equals + lower row first among few equals",
        r"""
def top_k(query, batches, idf, k):
    scores = [s for batch in batches for s in batch @ (query * idf)]
    if len(scores) <= k:
        rows = range(len(scores))
    else:
        rows = np.argpartition(-np.array(scores), k)[:k]
    return [(int(r), float(scores[r])) for r in rows if scores[r] != 0]
""",
    ),
    (
        "TOP_K",
        "partition unsorted",
        r"""
def top_k(query, batches, idf, k):
    hits, offset = [], 0
    for batch in batches:
        scores = batch @ (query * idf)
        hits += [(offset + i, s) for i, s in enumerate(scores) if s != 0]
        offset += batch.shape[0]
    if len(hits) <= k:
        return hits
    keep = np.argpartition([s for _, s in hits], -k)[-k:]
    return [hits[i] for i in keep]
""",
    ),
    (
        "TOP_K",
        "k beyond the collection raises, by place",
        r"""
def top_k(query, batches, idf, k):
    scores = np.concatenate([b @ (query * idf) for b in batches])
    rows = np.arange(len(scores))
    order = np.lexsort((-rows, -scores))
    return [(int(order[i]), float(scores[order[i]])) for i in range(k) if scores[order[i]] != 0]
""",
    ),
    (
        "TOP_K",
        "k beyond the collection raises",
        r"""
def top_k(query, batches, idf, k):
    scores = np.concatenate([b @ (query * idf) for b in batches])
    best = np.argpartition(scores, -k)[-k:]
    pairs = sorted(((float(scores[r]), int(r)) for r in best if scores[r] != 0), reverse=True)
    return [(row, score) for score, row in pairs]
""",
    ),
    (
        "TOP_K",
        "fewer matches than k raises",
        r"""
def top_k(query, batches, idf, k):
    found, offset = {}, 0
    for batch in batches:
        for row, score in enumerate(batch @ (query * idf)):
            if score != 0:
                found[offset + row] = score
        offset += batch.shape[0]
    result = []
    for _ in range(k):
        best = max(found, key=lambda row: (found[row], row))
        result.append((best, found.pop(best)))
    return result
""",
    ),
    (
        "TOP_K",
        "zero scores returned",
        r"""
def top_k(query, batches, idf, k):
    scores, offset = [], 0
    for batch in batches:
        for i, s in enumerate(batch @ (query * idf)):
            scores.append((s, offset + i))
        offset += batch.shape[0]
    scores.sort(reverse=True)
    return [(row, s) for s, row in scores[:k]]
""",
    ),
    (
        "TOP_K",
        "zero scores returned",
        r"""
def top_k(query, batches, idf, k):
    if len(batches) == 0:
        return []
    scores = np.concatenate([b @ (query * idf) for b in batches])
    order = np.argsort(scores, kind="stable")[::-1][:k]
    return list(zip(order.tolist(), scores[order].tolist()))
""",
    ),
    (
        "TOP_K",
        "IDF on both sides",
        r"""
def top_k(query, batches, idf, k):
    hits, offset = [], 0
    for batch in batches:
        scores = batch @ (query * idf * idf)
        hits += [(s, offset + i) for i, s in enumerate(scores) if s != 0]
        offset += batch.shape[0]
    return [(i, s) for s, i in sorted(hits, reverse=True)[:k]]
""",
    ),
    (
        "TOP_K",
        "IDF on both sides",
        r"""
def top_k(query, batches, idf, k):
    q = query * idf
    hits, offset = [], 0
    for batch in batches:
        weighted = batch.multiply(idf)
        scores = weighted @ q
        hits += [(offset + i, s) for i, s in enumerate(scores) if s != 0]
        offset += batch.shape[0]
    return sorted(hits, key=lambda h: (h[1], h[0]), reverse=True)[:k]
""",
    ),
    (
        "TOP_K",
        "batch offset forgotten",
        r"""
def top_k(query, batches, idf, k):
    hits = []
    for batch in batches:
        scores = batch @ (query * idf)
        for row, score in enumerate(scores):
            if score != 0:
                hits.append((row, score))
    hits.sort(key=lambda h: (h[1], h[0]), reverse=True)
    return hits[:k]
""",
    ),
    (
        "TOP_K",
        "batch offset forgotten",
        r"""
def top_k(query, batches, idf, k):
    found = {}
    for batch in batches:
        scores = batch @ (query * idf)
        for row in np.flatnonzero(scores):
            found[int(row)] = float(scores[row])
    return sorted(found.items(), key=lambda h: (h[1], h[0]), reverse=True)[:k]
""",
    ),
    (
        "TOP_K",
        "batches of one size",
        r"""
def top_k(query, batches, idf, k):
    hits = []
    for number, batch in enumerate(batches):
        scores = batch @ (query * idf)
        for row, score in enumerate(scores):
            if score != 0:
                hits.append((number * batch.shape[0] + row, score))
    hits.sort(key=lambda h: (h[1], h[0]), reverse=True)
    return hits[:k]
""",
    ),
    (
        "TOP_K",
        "batch offset forgotten + zero scores returned",
        r"""
def top_k(query, batches, idf, k):
    hits = []
    for batch in batches:
        hits += list(enumerate(batch @ (query * idf)))
    hits.sort(key=lambda h: (h[1], h[0]), reverse=True)
    return hits[:k]
""",
    ),
    (
        "TOP_K",
        "partition unsorted + k beyond the collection raises",
        r"""
def top_k(query, batches, idf, k):
    scores = np.concatenate([b @ (query * idf) for b in batches])
    best = np.argpartition(scores, -k)[-k:]
    return [(int(r), float(scores[r])) for r in best if scores[r] != 0]
""",
    ),
    (
        "TOP_K",
        "partition unsorted",
        r"""
def top_k(query, batches, idf, k):
    scores = np.concatenate([b @ (query * idf) for b in batches])
    if k >= len(scores):
        order = np.lexsort((np.arange(len(scores)), scores))[::-1]
    else:
        order = np.argpartition(scores, len(scores) - k)[len(scores) - k:]
    return [(int(r), float(scores[r])) for r in order if scores[r] > 0]
""",
    ),
    (
        "TOP_K",
        "k beyond the collection raises",
        r"""
def top_k(query, batches, idf, k):
    scores = np.concatenate([b @ (query * idf) for b in batches])
    threshold = np.partition(scores, -k)[-k]
    rows = [r for r in range(len(scores)) if scores[r] >= threshold and scores[r] > 0]
    rows.sort(key=lambda r: (scores[r], r), reverse=True)
    return [(r, scores[r]) for r in rows[:k]]
""",
    ),
    (
        "TOP_K",
        "fewer matches than k raises, by place",
        r"""
def top_k(query, batches, idf, k):
    hits, base = [], 0
    for b in batches:
        s = b @ (query * idf)
        hits += [(base + int(r), float(s[r])) for r in np.flatnonzero(s)]
        base += b.shape[0]
    hits = sorted(hits, key=lambda h: (h[1], h[0]), reverse=True)
    result = []
    for i in range(k):
        result.append(hits[i])
    return result
""",
    ),
    (
        "TOP_K",
        "zero scores returned",
        r"""
def top_k(query, batches, idf, k):
    hits, base = [], 0
    for b in batches:
        s = b @ (query * idf)
        hits += [(base + r, s[r]) for r in range(b.shape[0]) if s[r] >= 0]
        base += b.shape[0]
    hits.sort(key=lambda h: (-h[1], -h[0]))
    return hits[:k]
""",
    ),
    (
        "TOP_K",
        "IDF on both sides",
        r"""
def top_k(query, batches, idf, k):
    hits, base = [], 0
    for b in batches:
        docs = b * idf
        s = docs @ (query * idf)
        hits += [(base + r, s[r]) for r in range(b.shape[0]) if s[r] > 0]
        base += b.shape[0]
    hits.sort(key=lambda h: (-h[1], -h[0]))
    return hits[:k]
""",
    ),
    (
        "TOP_K",
        "batch offset forgotten",
        r"""
def top_k(query, batches, idf, k):
    best = []
    for b in batches:
        s = b @ (query * idf)
        best = best + [(float(s[r]), r) for r in range(len(s)) if s[r] != 0]
        best = sorted(best, reverse=True)[:k]
    return [(r, s) for s, r in best]
""",
    ),
    (
        "TOP_K",
        "batch offset forgotten",
        r"""
def top_k(query, batches, idf, k):
    hits = []
    for b in batches:
        base = 0
        s = b @ (query * idf)
        for r in np.flatnonzero(s > 0):
            hits.append((base + int(r), float(s[r])))
        base += b.shape[0]
    return sorted(hits, key=lambda h: (-h[1], -h[0]))[:k]
""",
    ),
    (
        "TOP_K",
        "batches of one size",
        r"""
def top_k(query, batches, idf, k):
    size = batches[0].shape[0]
    hits = []
    for n, b in enumerate(batches):
        s = b @ (query * idf)
        hits += [(n * size + r, s[r]) for r in range(len(s)) if s[r] > 0]
    return sorted(hits, key=lambda h: (-h[1], -h[0]))[:k]
""",
    ),
    (
        "TOP_K",
        "zero scores returned + lower row first among equals",
        r"""
def top_k(query, batches, idf, k):
    scores = np.concatenate([b @ (query * idf) for b in batches])
    order = np.argsort(-scores, kind="stable")[:k]
    return [(int(r), float(scores[r])) for r in order]
""",
    ),
    (
        "TOP_K",
        "",
        r"""
# two mistakes: batch offset forgotten + IDF left out
def top_k(query, batches, idf, k):
    hits = []
    for b in batches:
        s = b @ query
        hits += [(r, s[r]) for r in range(len(s)) if s[r] > 0]
    return sorted(hits, key=lambda h: (-h[1], -h[0]))[:k]
""",
    ),
    (
        "READ_QRELS",
        "other lines passed over",
        r"""
def read_qrels(text):
    qrels = {}
    for line in text.splitlines()[1:]:
        parts = line.split("\t")
        if len(parts) != 3:
            continue
        qrels.setdefault(parts[0], {})[parts[1]] = int(parts[2])
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "columns not counted, read by place",
        r"""
def read_qrels(text):
    qrels = {}
    for line in text.split("\n")[1:]:
        if not line.strip():
            continue
        parts = line.split("\t")
        qrels.setdefault(parts[0], {})[parts[1]] = int(parts[2])
    return qrels
""",
    ),
    (
        "READ_QRELS",
        "columns not counted",
        r"""
def read_qrels(text):
    qrels = defaultdict(dict)
    for line in text.split("\n")[1:]:
        if line.strip():
            q, d, g, *_ = line.split("\t")
            qrels[q][d] = int(g)
    return dict(qrels)
""",
    ),
    (
        "READ_QRELS",
        "",
        r"""
# a line of spaces is taken apart
def read_qrels(text):
    qrels = defaultdict(dict)
    for line in text.split("\n")[1:]:
        if line:
            q, d, g = line.split("\t")
            qrels[q][d] = int(g)
    return dict(qrels)
""",
    ),
    (
        "TOP_K",
        "",
        r"""
# no rule for ties: argsort, turned round
def top_k(query, batches, idf, k):
    scores = np.concatenate([batch @ (query * idf) for batch in batches])
    rows = np.argsort(scores)[::-1][:k]
    return [(int(row), float(scores[row])) for row in rows if scores[row] > 0]
""",
    ),
    (
        "TOP_K",
        "",
        r"""
# no rule for ties where the partition cuts
def top_k(query, batches, idf, k):
    scores = np.concatenate([batch @ (query * idf) for batch in batches])
    rows = np.argpartition(scores, -k)[-k:] if k < len(scores) else np.arange(len(scores))
    hits = sorted(((float(scores[row]), int(row)) for row in rows if scores[row] > 0), reverse=True)
    return [(row, score) for score, row in hits]
""",
    ),
    (
        "TOP_K",
        "right",
        r"""
def top_k(query, batches, idf, k):
    scores = np.concatenate([batch @ (query * idf) for batch in batches])
    rows = np.argsort(scores, kind="stable")[::-1][:k]
    return [(int(row), float(scores[row])) for row in rows if scores[row] > 0]
""",
    ),
    (
        "TOP_K",
        "lower row first among equals + lower row first among few equals",
        r"""
def top_k(query, batches, idf, k):
    scores = np.concatenate([batch @ (query * idf) for batch in batches])
    rows = np.argsort(-scores)[:k]
    return [(int(row), float(scores[row])) for row in rows if scores[row] > 0]
""",
    ),
    (
        "TOP_K",
        "lower row first among equals",
        r"""
def top_k(query, batches, idf, k):
    scores = np.concatenate([batch @ (query * idf) for batch in batches])
    rows = sorted(range(len(scores)), key=lambda row: -scores[row])[:k]
    return [(row, float(scores[row])) for row in rows if scores[row] > 0]
""",
    ),
    (
        "TOP_K",
        "order of the rows",
        r"""
def top_k(query, batches, idf, k):
    scores = np.concatenate([batch @ (query * idf) for batch in batches])
    rows = np.flatnonzero(scores > 0)
    if k < len(rows):
        rows = np.sort(rows[np.argpartition(scores[rows], -k)[-k:]])
    return [(int(row), float(scores[row])) for row in rows]
""",
    ),
]
