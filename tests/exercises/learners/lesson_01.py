"""Lesson 01: answers as learners write them in a cell. Each is (exercise, the name that its check should give, source).

A name is "right", that of a mistake, two joined by " + " of which one must be said, or "" where the check knows none: then a
comment in the source says what is wrong.
"""

ANSWERS: list[tuple[str, str, str]] = [
    (
        "READ_CORPUS",
        "right",
        r"""
def read_corpus(text):
    corpus = {}
    for line in text.split("\n"):
        if not line.strip():
            continue
        record = json.loads(line)
        doc_id = str(record["_id"])
        if doc_id in corpus:
            raise ValueError(f"id {doc_id} comes twice")
        title = record.get("title") or ""
        corpus[doc_id] = f"{title} {record['text']}".strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "right",
        r"""
def read_corpus(text):
    records = [json.loads(line) for line in text.split("\n") if line.strip() != ""]
    ids = [str(r["_id"]) for r in records]
    assert_unique = len(ids) == len(set(ids))
    if not assert_unique:
        raise ValueError("repeated ids: " + ", ".join(i for i, n in Counter(ids).items() if n > 1))
    words = [" ".join(part for part in (r.get("title"), r["text"]) if part).strip() for r in records]
    return dict(zip(ids, words))
""",
    ),
    (
        "READ_CORPUS",
        "right",
        r"""
def read_corpus(text):
    def document(record):
        if record.get("title"):
            return (record["title"] + " " + record["text"]).strip()
        return record["text"].strip()

    result = {}
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if line:
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                raise ValueError(f"line {number} is not JSON: {line[:40]}")
            key = str(record["_id"])
            if key in result:
                raise ValueError(f"line {number}: id {key} again")
            result[key] = document(record)
    return result
""",
    ),
    (
        "READ_CORPUS",
        "right",
        r"""
def read_corpus(text):
    corpus = dict()
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        raw = lines[i].strip()
        i += 1
        if raw == "":
            continue
        obj = json.loads(raw)
        _id = f"{obj['_id']}"
        title, body = obj.get("title"), obj.get("text", "")
        full = body if not title else title + " " + body
        if _id in corpus.keys():
            raise ValueError("duplicate " + _id)
        corpus[_id] = full.strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "right",
        r"""
def read_corpus(text):
    def parse(line):
        d = json.loads(line)
        return str(d["_id"]), ((d.get("title") or "") + " " + d["text"]).strip()

    pairs = list(map(parse, filter(lambda l: l.strip(), text.split("\n"))))
    counts = Counter(i for i, _ in pairs)
    if counts and counts.most_common(1)[0][1] > 1:
        raise ValueError("ids are not unique")
    return {i: words for i, words in pairs}
""",
    ),
    (
        "READ_CORPUS",
        "title dropped",
        r"""
def read_corpus(text):
    corpus = {}
    for line in text.split("\n"):
        if line.strip():
            record = json.loads(line)
            doc_id = str(record["_id"])
            if doc_id in corpus:
                raise ValueError("id twice: " + doc_id)
            corpus[doc_id] = record["text"].strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "title dropped",
        r"""
def read_corpus(text):
    records = [json.loads(line) for line in text.split("\n") if line.strip()]
    corpus = {str(r["_id"]): r["text"].strip() for r in records}
    if len(corpus) != len(records):
        raise ValueError("some ids are repeated")
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "",
        r"""
# the title only where the text is empty
def read_corpus(text):
    seen = set()
    out = {}
    for line in text.split("\n"):
        if line.isspace() or line == "":
            continue
        doc = json.loads(line)
        i = str(doc["_id"])
        if i in seen:
            raise ValueError(i)
        seen.add(i)
        out[i] = doc.get("text", "").strip() or doc.get("title", "")
    return out
""",
    ),
    (
        "READ_CORPUS",
        "a repeated id: the later wins",
        r"""
def read_corpus(text):
    corpus = {}
    for line in text.split("\n"):
        if not line.strip():
            continue
        record = json.loads(line)
        title = record.get("title") or ""
        corpus[str(record["_id"])] = (title + " " + record["text"]).strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "a repeated id: the later wins",
        r"""
def read_corpus(text):
    records = (json.loads(line) for line in text.split("\n") if line.strip())
    return {str(r["_id"]): f'{r.get("title") or ""} {r["text"]}'.strip() for r in records}
""",
    ),
    (
        "READ_CORPUS",
        "ids asked for before they are text",
        r"""
def read_corpus(text):
    corpus = {}
    for line in text.split("\n"):
        if line.strip():
            record = json.loads(line)
            # the file may have numbers
            if record["_id"] in corpus:
                raise ValueError("twice")
            title = record.get("title") or ""
            corpus[str(record["_id"])] = (title + " " + record["text"]).strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "lines cut with splitlines",
        r"""
def read_corpus(text):
    corpus = {}
    for line in text.splitlines():
        if not line.strip():
            continue
        record = json.loads(line)
        doc_id = str(record["_id"])
        if doc_id in corpus:
            raise ValueError(f"{doc_id} is there twice")
        corpus[doc_id] = ((record.get("title") or "") + " " + record["text"]).strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "lines cut with splitlines",
        r"""
def read_corpus(text):
    records = [json.loads(line) for line in text.strip().splitlines() if line.strip()]
    pairs = [(str(r["_id"]), f"{r.get('title') or ''} {r['text']}".strip()) for r in records]
    if len(dict(pairs)) < len(pairs):
        raise ValueError("an id comes twice")
    return dict(pairs)
""",
    ),
    (
        "READ_CORPUS",
        "ids made ints",
        r"""
def read_corpus(text):
    corpus = {}
    for line in text.split("\n"):
        if not line.strip():
            continue
        record = json.loads(line)
        doc_id = int(record["_id"])
        if doc_id in corpus:
            raise ValueError("repeated id")
        title = record.get("title") or ""
        corpus[doc_id] = (title + " " + record["text"]).strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "ids made ints where they can be",
        r"""
def read_corpus(text):
    corpus = {}
    for line in text.split("\n"):
        if not line.strip():
            continue
        record = json.loads(line)
        doc_id = record["_id"]
        if str(doc_id).isdigit():
            doc_id = int(doc_id)
        if doc_id in corpus:
            raise ValueError("repeated id")
        title = record.get("title") or ""
        corpus[doc_id] = (title + " " + record["text"]).strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "ids left as they are",
        r"""
def read_corpus(text):
    # ids just as they are in the file
    records = [json.loads(line) for line in text.split("\n") if line.strip()]
    corpus = {}
    for r in records:
        if r["_id"] in corpus:
            raise ValueError(f"{r['_id']} again")
        corpus[r["_id"]] = " ".join([r.get("title") or "", r["text"]]).strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "title dropped + a repeated id: the later wins",
        r"""
def read_corpus(text):
    corpus = {}
    for line in text.split("\n"):
        if line.strip():
            d = json.loads(line)
            corpus[str(d["_id"])] = d["text"].strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "lines cut with splitlines + a repeated id: the later wins",
        r"""
def read_corpus(text):
    return {
        str(d["_id"]): f"{d.get('title') or ''} {d['text']}".strip()
        for d in map(json.loads, filter(str.strip, text.splitlines()))
    }
""",
    ),
    (
        "READ_CORPUS",
        "title dropped",
        r"""
def read_corpus(text):
    docs = [json.loads(l) for l in text.split("\n") if not l.strip() == ""]
    out = {}
    for d in docs:
        if str(d["_id"]) in out:
            raise ValueError
        out.update({str(d["_id"]): str.strip(d["text"])})
    return out
""",
    ),
    (
        "READ_CORPUS",
        "a repeated id: the earlier wins",
        r"""
def read_corpus(text):
    out = {}
    for l in text.split("\n"):
        if not l.strip():
            continue
        d = json.loads(l)
        out.setdefault(str(d["_id"]), f"{d.get('title') or ''} {d['text']}".strip())
    return out
""",
    ),
    (
        "READ_CORPUS",
        "a repeated id: the later wins",
        r"""
def read_corpus(text):
    ids, texts = [], []
    for l in text.split("\n"):
        if l.strip():
            d = json.loads(l)
            ids.append(str(d["_id"]))
            texts.append(" ".join(filter(None, [d.get("title"), d["text"]])))
    return dict(zip(ids, texts))
""",
    ),
    (
        "READ_CORPUS",
        "a repeated id: the later wins",
        r"""
def read_corpus(text):
    out = {}
    for l in text.split("\n"):
        if l.strip():
            d = json.loads(l)
            i = str(d["_id"])
            if i in out:
                print("warning: id", i, "comes twice")
            out[i] = f"{d.get('title') or ''} {d['text']}".strip()
    return out
""",
    ),
    (
        "READ_CORPUS",
        "lines cut with splitlines",
        r"""
def read_corpus(text):
    seen, out = set(), {}
    for line in text.splitlines(keepends=False):
        if line.strip() == "":
            continue
        try:
            d = json.loads(line)
        except json.JSONDecodeError as e:
            raise ValueError(f"not JSON: {line}") from e
        if str(d["_id"]) in seen:
            raise ValueError("again")
        seen.add(str(d["_id"]))
        out[str(d["_id"])] = ((d.get("title") or "") + " " + d["text"]).strip()
    return out
""",
    ),
    (
        "READ_CORPUS",
        "ids made ints where they can be",
        r"""
def read_corpus(text):
    out = {}
    for line in text.split("\n"):
        if not line.strip():
            continue
        d = json.loads(line)
        try:
            i = int(d["_id"])
        except ValueError:
            i = d["_id"]
        if i in out:
            raise ValueError("again")
        out[i] = ((d.get("title") or "") + " " + d["text"]).strip()
    return out
""",
    ),
    (
        "READ_CORPUS",
        "ids left as they are",
        r"""
def read_corpus(text):
    d = {}
    for rec in (json.loads(x) for x in text.split("\n") if x.strip()):
        key, title, body = rec["_id"], rec.get("title"), rec["text"]
        if key in d:
            raise ValueError(key)
        d[key] = f"{title} {body}".strip() if title else body.strip()
    return d
""",
    ),
    (
        "READ_CORPUS",
        "ids compared before they are text",
        r"""
def read_corpus(text):
    records = [json.loads(x) for x in text.split("\n") if x.strip()]
    if len(records) != len({r["_id"] for r in records}):
        raise ValueError("repeated id")
    return {str(r["_id"]): " ".join([r.get("title") or "", r["text"]]).strip() for r in records}
""",
    ),
    (
        "READ_CORPUS",
        "None as a title + a repeated id: the later wins",
        r"""
def read_corpus(text):
    out = {}
    for x in text.split("\n"):
        if x.strip():
            r = json.loads(x)
            out[str(r["_id"])] = f"{r.get('title', '')} {r['text']}".strip()
    return out
""",
    ),
    (
        "READ_CORPUS",
        "title dropped + lines cut with splitlines",
        r"""
def read_corpus(text):
    out = {}
    for x in text.splitlines():
        if x.strip():
            r = json.loads(x)
            if str(r["_id"]) in out:
                raise ValueError("twice")
            out[str(r["_id"])] = r["text"].strip()
    return out
""",
    ),
    (
        "READ_CORPUS",
        "ids noted before they are text",
        r"""
def read_corpus(text):
    corpus, seen = {}, set()
    for line in text.split("\n"):
        if line.strip() == "":
            continue
        d = json.loads(line)
        if str(d["_id"]) in seen:
            raise ValueError("an id comes twice")
        seen.add(d["_id"])
        corpus[str(d["_id"])] = ((d.get("title") or "") + " " + d["text"]).strip()
    return corpus
""",
    ),
    (
        "READ_CORPUS",
        "ids noted before they are text",
        r"""
def read_corpus(text):
    ids, words = [], []
    for line in text.split("\n"):
        if line.strip():
            d = json.loads(line)
            if f"{d['_id']}" in ids:
                raise ValueError(d["_id"])
            ids.append(d["_id"])
            words.append(f"{d.get('title') or ''} {d['text']}".strip())
    return dict(zip(map(str, ids), words))
""",
    ),
    (
        "LABEL_PROBLEMS",
        "right",
        r"""
def label_problems(queries, corpus_ids):
    problems = []
    seen = set()
    for query in queries:
        query_id = query["query_id"]
        if query_id in seen:
            problems.append((query_id, "repeated query id"))
        seen.add(query_id)
        if not query["labels"]:
            problems.append((query_id, "empty labels"))
        for label in query["labels"]:
            if label not in corpus_ids:
                problems.append((query_id, f"unknown document {label}"))
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "right",
        r"""
def label_problems(queries, corpus_ids):
    def of_one(place):
        q = queries[place]
        earlier = [other["query_id"] for other in queries[:place]]
        found = ["repeated query id"] if q["query_id"] in earlier else []
        found += ["empty labels"] if len(q["labels"]) == 0 else []
        found += ["unknown document " + label for label in q["labels"] if label not in corpus_ids]
        return [(q["query_id"], problem) for problem in found]

    return [pair for place in range(len(queries)) for pair in of_one(place)]
""",
    ),
    (
        "LABEL_PROBLEMS",
        "right",
        r"""
def label_problems(queries, corpus_ids):
    counts = Counter()
    out = []
    for q in queries:
        qid, labels = q["query_id"], q["labels"]
        counts[qid] += 1
        if counts[qid] > 1:
            out.append([qid, "repeated query id"])
        if labels == []:
            out.append([qid, "empty labels"])
        else:
            for lab in labels:
                if lab in corpus_ids:
                    continue
                out.append([qid, "unknown document %s" % lab])
    return [tuple(pair) for pair in out]
""",
    ),
    (
        "LABEL_PROBLEMS",
        "right",
        r"""
def label_problems(queries, corpus_ids):
    out = []
    for n in range(len(queries)):
        q = queries[n]
        qid = q["query_id"]
        for m in range(n):
            if queries[m]["query_id"] == qid:
                out.append((qid, "repeated query id"))
                break
        if len(q["labels"]) < 1:
            out.append((qid, "empty labels"))
        unknown = [x for x in q["labels"] if x not in corpus_ids]
        out.extend([(qid, "unknown document {}".format(x)) for x in unknown])
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "right",
        r"""
def label_problems(queries, corpus_ids):
    seen = {}
    problems = []
    def add(text):
        problems.append((query["query_id"], text))
    for query in queries:
        if seen.get(query["query_id"]):
            add("repeated query id")
        seen[query["query_id"]] = True
        if not query["labels"]:
            add("empty labels")
        for label in query["labels"]:
            if not (label in corpus_ids):
                add("unknown document " + label)
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "a repeated query is never empty",
        r"""
def label_problems(queries, corpus_ids):
    problems, seen = [], set()
    for query in queries:
        qid, labels = query["query_id"], query["labels"]
        if qid in seen:
            problems.append((qid, "repeated query id"))
        elif not labels:
            problems.append((qid, "empty labels"))
        seen.add(qid)
        for label in labels:
            if label not in corpus_ids:
                problems.append((qid, f"unknown document {label}"))
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "empty labels before the repeated id",
        r"""
def label_problems(queries, corpus_ids):
    out, seen = [], set()
    for q in queries:
        if not q["labels"]:
            out.append((q["query_id"], "empty labels"))
        if q["query_id"] in seen:
            out.append((q["query_id"], "repeated query id"))
        seen.add(q["query_id"])
        out += [(q["query_id"], f"unknown document {d}") for d in q["labels"] if d not in corpus_ids]
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "stops at the first problem",
        r"""
def label_problems(queries, corpus_ids):
    seen = set()
    for query in queries:
        if query["query_id"] in seen:
            return [(query["query_id"], "repeated query id")]
        seen.add(query["query_id"])
        if not query["labels"]:
            return [(query["query_id"], "empty labels")]
        for label in query["labels"]:
            if label not in corpus_ids:
                return [(query["query_id"], f"unknown document {label}")]
    return []
""",
    ),
    (
        "LABEL_PROBLEMS",
        "a repeated query is not read further",
        r"""
def label_problems(queries, corpus_ids):
    problems, seen = [], []
    for q in queries:
        if q["query_id"] in seen:
            problems.append((q["query_id"], "repeated query id"))
        elif len(q["labels"]) == 0:
            problems.append((q["query_id"], "empty labels"))
        else:
            for label in q["labels"]:
                if label not in corpus_ids:
                    problems.append((q["query_id"], f"unknown document {label}"))
        seen.append(q["query_id"])
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "one unknown document a query",
        r"""
def label_problems(queries, corpus_ids):
    problems = []
    ids_so_far = set()
    for q in queries:
        if q["query_id"] in ids_so_far:
            problems.append((q["query_id"], "repeated query id"))
        ids_so_far.add(q["query_id"])
        if not q["labels"]:
            problems.append((q["query_id"], "empty labels"))
        for label in q["labels"]:
            if label not in corpus_ids:
                problems.append((q["query_id"], "unknown document " + label))
                break
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "one problem a query",
        r"""
def label_problems(queries, corpus_ids):
    def first_problem(q, before):
        if q["query_id"] in before:
            return "repeated query id"
        if not q["labels"]:
            return "empty labels"
        for label in q["labels"]:
            if label not in corpus_ids:
                return f"unknown document {label}"
        return None

    result, before = [], set()
    for q in queries:
        problem = first_problem(q, before)
        if problem:
            result.append((q["query_id"], problem))
        before.add(q["query_id"])
    return result
""",
    ),
    (
        "LABEL_PROBLEMS",
        "stops at the first faulty query",
        r"""
def label_problems(queries, corpus_ids):
    problems = []
    seen = set()
    for query in queries:
        qid = query["query_id"]
        if qid in seen:
            problems.append((qid, "repeated query id"))
        seen.add(qid)
        if not query["labels"]:
            problems.append((qid, "empty labels"))
        for label in query["labels"]:
            if label not in corpus_ids:
                problems.append((qid, f"unknown document {label}"))
        if problems:
            return problems
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "a part of an id is taken for it",
        r"""
def label_problems(queries, corpus_ids):
    problems = []
    seen = set()
    for query in queries:
        qid = query["query_id"]
        if qid in seen:
            problems.append((qid, "repeated query id"))
        seen.add(qid)
        if not query["labels"]:
            problems.append((qid, "empty labels"))
        for label in query["labels"]:
            if not any(label in doc_id for doc_id in corpus_ids):
                problems.append((qid, f"unknown document {label}"))
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "a part of an id is taken for it",
        r"""
def label_problems(queries, corpus_ids):
    all_ids = " ".join(sorted(corpus_ids))
    out = []
    for i, q in enumerate(queries):
        name = q["query_id"]
        if name in [p["query_id"] for p in queries[:i]]:
            out.append((name, "repeated query id"))
        if q["labels"] == []:
            out.append((name, "empty labels"))
        out.extend((name, "unknown document " + lab) for lab in q["labels"] if lab not in all_ids)
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "a part of an id is taken for it",
        r"""
def label_problems(queries, corpus_ids):
    def known(label):
        for doc_id in corpus_ids:
            if doc_id.startswith(label):
                return True
        return False

    out, seen = [], set()
    for q in queries:
        if q["query_id"] in seen:
            out.append((q["query_id"], "repeated query id"))
        seen.add(q["query_id"])
        if len(q["labels"]) == 0:
            out.append((q["query_id"], "empty labels"))
        for label in q["labels"]:
            if not known(label):
                out.append((q["query_id"], f"unknown document {label}"))
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "a part of an id is taken for it",
        r"""
def label_problems(queries, corpus_ids):
    out, seen = [], set()
    for q in queries:
        if q["query_id"] in seen:
            out.append((q["query_id"], "repeated query id"))
        seen.add(q["query_id"])
        if len(q["labels"]) == 0:
            out.append((q["query_id"], "empty labels"))
        for label in q["labels"]:
            if label not in str(corpus_ids):
                out.append((q["query_id"], f"unknown document {label}"))
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "repeated query ids missed",
        r"""
def label_problems(queries, corpus_ids):
    problems = []
    for query in queries:
        if not query["labels"]:
            problems.append((query["query_id"], "empty labels"))
        for label in query["labels"]:
            if label not in corpus_ids:
                problems.append((query["query_id"], f"unknown document {label}"))
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "repeated query ids missed",
        r"""
def label_problems(queries, corpus_ids):
    problems = []
    for q in queries:
        seen = set()
        if q["query_id"] in seen:
            problems.append((q["query_id"], "repeated query id"))
        seen.add(q["query_id"])
        if not q["labels"]:
            problems.append((q["query_id"], "empty labels"))
        problems += [(q["query_id"], f"unknown document {d}") for d in q["labels"] if d not in corpus_ids]
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "compared with the query just above only",
        r"""
def label_problems(queries, corpus_ids):
    problems = []
    previous = None
    for q in queries:
        qid = q["query_id"]
        if qid == previous:
            problems.append((qid, "repeated query id"))
        previous = qid
        if not q["labels"]:
            problems.append((qid, "empty labels"))
        for d in q["labels"]:
            if d not in corpus_ids:
                problems.append((qid, f"unknown document {d}"))
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "empty labels missed",
        r"""
def label_problems(queries, corpus_ids):
    problems = []
    seen = set()
    for query in queries:
        if query["query_id"] in seen:
            problems.append((query["query_id"], "repeated query id"))
        seen.add(query["query_id"])
        for label in query["labels"]:
            if label not in corpus_ids:
                problems.append((query["query_id"], f"unknown document {label}"))
    return problems
""",
    ),
    (
        "LABEL_PROBLEMS",
        "empty labels missed",
        r"""
def label_problems(queries, corpus_ids):
    out, seen = [], set()
    for q in queries:
        qid = q["query_id"]
        if qid in seen:
            out.append((qid, "repeated query id"))
        seen.add(qid)
        for label in q["labels"]:
            if label == "" or label is None:
                out.append((qid, "empty labels"))
            elif label not in corpus_ids:
                out.append((qid, f"unknown document {label}"))
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "empty labels missed",
        r"""
def label_problems(queries, corpus_ids):
    out, seen = [], set()
    for q in queries:
        if q["query_id"] in seen:
            out.append((q["query_id"], "repeated query id"))
        seen.add(q["query_id"])
        if q["labels"] is None:
            out.append((q["query_id"], "empty labels"))
            continue
        out += [(q["query_id"], "unknown document " + d) for d in q["labels"] if d not in corpus_ids]
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "compared with the query just above only",
        r"""
# repeated query ids missed + empty labels missed: the two meet in one case, what remains is missing a repetition
def label_problems(queries, corpus_ids):
    return [
        (q["query_id"], f"unknown document {label}")
        for q in queries
        for label in q["labels"]
        if label not in corpus_ids
    ]
""",
    ),
    (
        "LABEL_PROBLEMS",
        "a part of an id is taken for it + empty labels missed",
        r"""
def label_problems(queries, corpus_ids):
    out, seen = [], set()
    for q in queries:
        if q["query_id"] in seen:
            out.append((q["query_id"], "repeated query id"))
        seen.add(q["query_id"])
        for label in q["labels"]:
            if not any(label in d for d in corpus_ids):
                out.append((q["query_id"], "unknown document " + label))
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "stops at the first problem",
        r"""
def label_problems(queries, corpus_ids):
    seen = []
    for q in queries:
        problem = None
        if q["query_id"] in seen:
            problem = "repeated query id"
        elif q["labels"] == []:
            problem = "empty labels"
        else:
            for label in q["labels"]:
                if label not in corpus_ids and problem is None:
                    problem = "unknown document " + label
        if problem:
            return [(q["query_id"], problem)]
        seen.append(q["query_id"])
    return []
""",
    ),
    (
        "LABEL_PROBLEMS",
        "one problem a query",
        r"""
def label_problems(queries, corpus_ids):
    problems, seen = {}, set()
    out = []
    for q in queries:
        problem = ""
        for label in reversed(q["labels"]):
            if label not in corpus_ids:
                problem = f"unknown document {label}"
        if not q["labels"]:
            problem = "empty labels"
        if q["query_id"] in seen:
            problem = "repeated query id"
        seen.add(q["query_id"])
        if problem:
            out.append((q["query_id"], problem))
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "one problem a query",
        r"""
def label_problems(queries, corpus_ids):
    out, seen = [], set()
    for q in queries:
        qid = q["query_id"]
        if qid in seen:
            out.append((qid, "repeated query id"))
            continue
        seen.add(qid)
        if not q["labels"]:
            out.append((qid, "empty labels"))
            continue
        for label in q["labels"]:
            if label not in corpus_ids:
                out.append((qid, f"unknown document {label}"))
                break
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "a part of an id is taken for it",
        r"""
def label_problems(queries, corpus_ids):
    out, seen = [], set()
    for q in queries:
        if q["query_id"] in seen:
            out.append((q["query_id"], "repeated query id"))
        seen.add(q["query_id"])
        if not q["labels"]:
            out.append((q["query_id"], "empty labels"))
        for label in q["labels"]:
            hits = [c for c in corpus_ids if c.find(label) != -1]
            if len(hits) == 0:
                out.append((q["query_id"], f"unknown document {label}"))
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "an id that begins alike is taken for it",
        r"""
def label_problems(queries, corpus_ids):
    out, seen = [], set()
    for q in queries:
        if q["query_id"] in seen:
            out.append((q["query_id"], "repeated query id"))
        seen.add(q["query_id"])
        if not q["labels"]:
            out.append((q["query_id"], "empty labels"))
        for label in q["labels"]:
            if not label.startswith(tuple(corpus_ids)):
                out.append((q["query_id"], f"unknown document {label}"))
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "repeated query ids missed",
        r"""
def label_problems(queries, corpus_ids):
    out = []
    seen = set()
    for q in queries:
        if q in [x for x in seen]:
            out.append((q["query_id"], "repeated query id"))
        if not q["labels"]:
            out.append((q["query_id"], "empty labels"))
        for label in q["labels"]:
            if label not in corpus_ids:
                out.append((q["query_id"], f"unknown document {label}"))
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "repeated query ids missed",
        r"""
def label_problems(queries, corpus_ids):
    by_id = {q["query_id"]: q["labels"] for q in queries}
    out = []
    for qid, labels in by_id.items():
        if not labels:
            out.append((qid, "empty labels"))
        for label in labels:
            if label not in corpus_ids:
                out.append((qid, f"unknown document {label}"))
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "empty labels missed",
        r"""
def label_problems(queries, corpus_ids):
    counts = defaultdict(int)
    out = []
    for q in queries:
        counts[q["query_id"]] += 1
        if counts[q["query_id"]] > 1:
            out.append((q["query_id"], "repeated query id"))
        for label in q["labels"]:
            if not label:
                out.append((q["query_id"], "empty labels"))
            if label not in corpus_ids:
                out.append((q["query_id"], f"unknown document {label}"))
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "",
        r"""
# the first occurrence reported too + empty labels missed: the two meet in one case
def label_problems(queries, corpus_ids):
    counts = Counter(q["query_id"] for q in queries)
    out = []
    for q in queries:
        if counts[q["query_id"]] > 1:
            out.append((q["query_id"], "repeated query id"))
        out += [(q["query_id"], f"unknown document {x}") for x in q["labels"] if x not in corpus_ids]
    return out
""",
    ),
    (
        "LABEL_PROBLEMS",
        "ordered by kind + repeated query ids missed",
        r"""
def label_problems(queries, corpus_ids):
    empty = [(q["query_id"], "empty labels") for q in queries if not q["labels"]]
    unknown = [(q["query_id"], f"unknown document {x}") for q in queries for x in q["labels"] if x not in corpus_ids]
    return empty + unknown
""",
    ),
    (
        "COHEN_KAPPA",
        "right",
        r"""
def cohen_kappa(first, second):
    if len(first) != len(second) or len(first) == 0:
        raise ValueError("two lists of one length, please")
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second)) / n
    expected = sum(first.count(label) / n * second.count(label) / n for label in set(first))
    if expected == 1:
        return 1.0
    return (observed - expected) / (1 - expected)
""",
    ),
    (
        "COHEN_KAPPA",
        "right",
        r"""
def cohen_kappa(first, second):
    n = len(first)
    if n == 0 or n != len(second):
        raise ValueError(f"{n} and {len(second)} labels")
    p, q = Counter(first), Counter(second)
    observed = sum(1 for i in range(n) if first[i] == second[i])
    expected = sum(p[label] * q[label] for label in p.keys() | q.keys())
    if expected == n * n:
        return 1
    return (observed / n - expected / n**2) / (1 - expected / n**2)
""",
    ),
    (
        "COHEN_KAPPA",
        "right",
        r"""
def cohen_kappa(first, second):
    if not first or not second or len(first) != len(second):
        raise ValueError
    labels = sorted(set(first) | set(second), key=str)
    table = np.zeros((len(labels), len(labels)))
    for a, b in zip(first, second):
        table[labels.index(a), labels.index(b)] += 1
    table = table / len(first)
    po = np.trace(table)
    pe = (table.sum(axis=0) * table.sum(axis=1)).sum()
    return 1.0 if np.isclose(pe, 1) else (po - pe) / (1 - pe)
""",
    ),
    (
        "COHEN_KAPPA",
        "not corrected for chance",
        r"""
def cohen_kappa(first, second):
    if len(first) == 0 or len(first) != len(second):
        raise ValueError("bad lists")
    same = 0
    for a, b in zip(first, second):
        if a == b:
            same += 1
    return same / len(first)
""",
    ),
    (
        "COHEN_KAPPA",
        "not corrected for chance",
        r"""
def cohen_kappa(first, second):
    if not first or len(first) != len(second):
        raise ValueError("bad lists")
    return float(np.mean([a == b for a, b in zip(first, second)]))
""",
    ),
    (
        "COHEN_KAPPA",
        "not corrected for chance",
        r"""
def cohen_kappa(first, second):
    n = len(first)
    if n != len(second) or n < 1:
        raise ValueError("lists must be of the same length")
    observed = sum(first[i] == second[i] for i in range(n)) / n
    labels = set(first + second)
    expected = sum((first.count(x) / n) * (second.count(x) / n) for x in labels)
    if expected == 1:
        return 1.0
    return observed
""",
    ),
    (
        "COHEN_KAPPA",
        "marginals of the first only",
        r"""
def cohen_kappa(first, second):
    if not first or len(first) != len(second):
        raise ValueError("bad lists")
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second)) / n
    expected = sum((first.count(label) / n) ** 2 for label in set(first))
    if expected == 1:
        return 1.0
    return (observed - expected) / (1 - expected)
""",
    ),
    (
        "COHEN_KAPPA",
        "marginals of the second only",
        r"""
def cohen_kappa(first, second):
    if len(first) != len(second):
        raise ValueError("lengths differ")
    if len(first) == 0:
        raise ValueError("empty")
    shares = {label: count / len(second) for label, count in Counter(second).items()}
    expected = sum(share * share for share in shares.values())
    observed = np.mean([a == b for a, b in zip(first, second)])
    if expected == 1:
        return 1.0
    return (observed - expected) / (1 - expected)
""",
    ),
    (
        "COHEN_KAPPA",
        "marginals of the first only",
        r"""
def cohen_kappa(first, second):
    def share(label):
        return first.count(label) / len(first)

    if len(first) != len(second) or not first:
        raise ValueError("not comparable")
    p_o = len([1 for a, b in zip(first, second) if a == b]) / len(first)
    p_e = 0
    for label in set(first) | set(second):
        p_e += share(label) * share(label)
    return 1.0 if p_e == 1 else (p_o - p_e) / (1 - p_e)
""",
    ),
    (
        "COHEN_KAPPA",
        "",
        r"""
# chance as one divided by the number of the first's labels
def cohen_kappa(first, second):
    if len(first) != len(second) or not first:
        raise ValueError("not comparable")
    n = len(first)
    p_o = sum(x == y for x, y in zip(first, second)) / n
    # chance: share of each label
    p_e = sum(count / n for count in Counter(first).values()) / len(set(first))
    if p_e == 1:
        return 1.0
    return (p_o - p_e) / (1 - p_e)
""",
    ),
    (
        "COHEN_KAPPA",
        "marginals of the first only + the longer list cut",
        r"""
def cohen_kappa(first, second):
    n = len(first)
    if n == 0:
        return 0.0
    observed = sum(a == b for a, b in zip(first, second)) / n
    expected = sum((c / n) ** 2 for c in Counter(first).values())
    if expected == 1:
        return 1.0
    return (observed - expected) / (1 - expected)
""",
    ),
    (
        "COHEN_KAPPA",
        "not corrected for chance + the longer list cut",
        r"""
def cohen_kappa(first, second):
    if not first:
        return 0.0
    return sum(a == b for a, b in zip(first, second)) / len(first)
""",
    ),
    (
        "COVERAGE",
        "right",
        r"""
def coverage(qrels, corpus_ids):
    if not corpus_ids:
        raise ValueError("empty corpus")
    relevant = set()
    for judged in qrels.values():
        for doc_id, grade in judged.items():
            if grade > 0 and doc_id in corpus_ids:
                relevant.add(doc_id)
    return len(relevant) / len(corpus_ids)
""",
    ),
    (
        "COVERAGE",
        "right",
        r"""
def coverage(qrels, corpus_ids):
    if len(corpus_ids) == 0:
        raise ValueError("the corpus has no documents")
    relevant = {d for grades in qrels.values() for d, g in grades.items() if g >= 1}
    return len(relevant & corpus_ids) / len(corpus_ids)
""",
    ),
    (
        "COVERAGE",
        "right",
        r"""
def coverage(qrels, corpus_ids):
    def is_needed(doc_id):
        return any(grades.get(doc_id, 0) > 0 for grades in qrels.values())

    if corpus_ids == set():
        raise ValueError("empty corpus")
    return float(np.mean([is_needed(doc_id) for doc_id in corpus_ids]))
""",
    ),
    (
        "COVERAGE",
        "labels counted",
        r"""
def coverage(qrels, corpus_ids):
    if not corpus_ids:
        raise ValueError("empty corpus")
    count = 0
    for grades in qrels.values():
        for doc_id, grade in grades.items():
            if grade > 0 and doc_id in corpus_ids:
                count += 1
    return count / len(corpus_ids)
""",
    ),
    (
        "COVERAGE",
        "labels counted",
        r"""
def coverage(qrels, corpus_ids):
    if len(corpus_ids) < 1:
        raise ValueError("empty corpus")
    relevant = [d for q in qrels for d in qrels[q] if qrels[q][d] > 0 and d in corpus_ids]
    return len(relevant) / len(corpus_ids)
""",
    ),
    (
        "COVERAGE",
        "labels counted",
        r"""
def coverage(qrels, corpus_ids):
    if not corpus_ids:
        raise ValueError("empty corpus")
    counter = Counter(d for grades in qrels.values() for d, g in grades.items() if g > 0)
    return sum(n for d, n in counter.items() if d in corpus_ids) / len(corpus_ids)
""",
    ),
    (
        "COVERAGE",
        "divided by the number of queries",
        r"""
def coverage(qrels, corpus_ids):
    if not corpus_ids:
        raise ValueError("empty corpus")
    relevant = {d for grades in qrels.values() for d, g in grades.items() if g > 0 and d in corpus_ids}
    return len(relevant) / len(qrels)
""",
    ),
    (
        "COVERAGE",
        "divided by the number of queries",
        r"""
def coverage(qrels, corpus_ids):
    if not corpus_ids:
        raise ValueError("no corpus")
    if not qrels:
        return 0.0
    needed = set()
    for query_id in qrels:
        for doc_id in qrels[query_id]:
            if qrels[query_id][doc_id] > 0 and doc_id in corpus_ids:
                needed.add(doc_id)
    return len(needed) / len(qrels)
""",
    ),
    (
        "COVERAGE",
        "queries counted",
        r"""
def coverage(qrels, corpus_ids):
    # share of the queries whose relevant document is in the corpus
    if not corpus_ids:
        raise ValueError("no corpus")
    covered = 0
    for grades in qrels.values():
        if any(g > 0 and d in corpus_ids for d, g in grades.items()):
            covered += 1
    return covered / len(qrels) if qrels else 0.0
""",
    ),
    (
        "COVERAGE",
        "ids outside the corpus counted",
        r"""
def coverage(qrels, corpus_ids):
    if not corpus_ids:
        raise ValueError("empty corpus")
    relevant = set()
    for grades in qrels.values():
        relevant |= {d for d, g in grades.items() if g > 0}
    return len(relevant) / len(corpus_ids)
""",
    ),
    (
        "COVERAGE",
        "ids outside the corpus counted",
        r"""
def coverage(qrels, corpus_ids):
    n = len(corpus_ids)
    if n == 0:
        raise ValueError("empty corpus")
    best = {}
    for grades in qrels.values():
        for d, g in grades.items():
            best[d] = max(best.get(d, 0), g)
    return sum(1 for g in best.values() if g > 0) / n
""",
    ),
    (
        "COVERAGE",
        "ids outside the corpus counted",
        r"""
def coverage(qrels, corpus_ids):
    if not corpus_ids:
        raise ValueError("empty corpus")
    relevant = {d for grades in qrels.values() for d, g in grades.items() if g > 0}
    return min(1.0, len(relevant) / len(corpus_ids))
""",
    ),
    (
        "COVERAGE",
        "labels counted + ids outside the corpus counted",
        r"""
def coverage(qrels, corpus_ids):
    if not corpus_ids:
        raise ValueError("empty corpus")
    return sum(g > 0 for grades in qrels.values() for g in grades.values()) / len(corpus_ids)
""",
    ),
    (
        "COVERAGE",
        "ids outside the corpus counted + every judged document counted",
        r"""
def coverage(qrels, corpus_ids):
    if not corpus_ids:
        raise ValueError("empty corpus")
    return len({d for grades in qrels.values() for d in grades}) / len(corpus_ids)
""",
    ),
    (
        "LABEL_PROBLEMS",
        "a repeated query is never empty",
        r"""
def label_problems(queries, corpus_ids):
    seen, problems = set(), []
    for query in queries:
        if query["query_id"] in seen:
            problems.append((query["query_id"], "repeated query id"))
        elif not query["labels"]:
            problems.append((query["query_id"], "empty labels"))
        seen.add(query["query_id"])
        for doc_id in query["labels"]:
            if doc_id not in corpus_ids:
                problems.append((query["query_id"], f"unknown document {doc_id}"))
    return problems
""",
    ),
]
