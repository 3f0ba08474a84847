"""Lesson 07: answers as learners write them in a cell. Each is (exercise, the name that its check should give, source).

A name is "right", that of a mistake, two joined by " + " of which one must be said, or "" where the check knows none: then a
comment in the source says what is wrong.
"""

ANSWERS: list[tuple[str, str, str]] = [
    (
        "WITHIN_BUDGET",
        "right",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    result = []
    used = 0
    per_source = {}
    for i, (item_id, source, n) in enumerate(items):
        if i < offset:
            continue
        if max_items is not None and len(result) >= max_items:
            break
        if max_per_source is not None and per_source.get(source, 0) >= max_per_source:
            continue
        if max_characters is not None and used + n > max_characters:
            continue
        result.append(item_id)
        used += n
        per_source[source] = per_source.get(source, 0) + 1
    return result
""",
    ),
    (
        "WITHIN_BUDGET",
        "right",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    inf = float("inf")
    max_items = inf if max_items is None else max_items
    max_characters = inf if max_characters is None else max_characters
    max_per_source = inf if max_per_source is None else max_per_source
    kept = []
    for item in items[offset:]:
        of_source = [other for other in kept if other[1] == item[1]]
        length = sum(other[2] for other in kept)
        if len(kept) < max_items and len(of_source) < max_per_source and length + item[2] <= max_characters:
            kept.append(item)
    return [item[0] for item in kept]
""",
    ),
    (
        "WITHIN_BUDGET",
        "right",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    left = max_characters
    counts = defaultdict(int)
    out = []
    for doc, src, size in items[offset:]:
        if len(out) == max_items:
            return out
        if counts[src] == max_per_source:
            continue
        if left is not None:
            if size > left:
                continue
            left -= size
        counts[src] += 1
        out.append(doc)
    return out
""",
    ),
    (
        "WITHIN_BUDGET",
        "stops at what is too long",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items[offset:]:
        if max_items is not None and len(kept) >= max_items:
            break
        if max_per_source is not None and per_source[source] >= max_per_source:
            continue
        if max_characters is not None and used + n > max_characters:
            break
        kept.append(item_id)
        used += n
        per_source[source] += 1
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "stops at what is too long",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items[offset:]:
        if max_items is not None and len(kept) >= max_items:
            break
        if max_per_source is not None and per_source[source] >= max_per_source:
            continue
        used += n
        if max_characters is not None and used > max_characters:
            continue
        kept.append(item_id)
        per_source[source] += 1
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "all characters counted",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items[offset:]:
        used += n
        if max_items is not None and len(kept) >= max_items:
            break
        if max_characters is not None and used > max_characters:
            continue
        if max_per_source is not None and per_source[source] >= max_per_source:
            continue
        kept.append(item_id)
        per_source[source] += 1
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "skipped items count for their source",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, defaultdict(int)
    for item_id, source, n in items[offset:]:
        if max_items is not None and len(kept) >= max_items:
            break
        per_source[source] += 1
        if max_per_source is not None and per_source[source] > max_per_source:
            continue
        if max_characters is not None and used + n > max_characters:
            continue
        kept.append(item_id)
        used += n
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "stops at whatever is skipped",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items[offset:]:
        full = max_items is not None and len(kept) >= max_items
        too_long = max_characters is not None and used + n > max_characters
        too_many = max_per_source is not None and per_source[source] >= max_per_source
        if full or too_long or too_many:
            break
        kept.append(item_id)
        used += n
        per_source[source] += 1
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "skipped items take places",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    end = len(items) if max_items is None else offset + max_items
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items[offset:end]:
        if max_per_source is not None and per_source[source] >= max_per_source:
            continue
        if max_characters is not None and used + n > max_characters:
            continue
        kept.append(item_id)
        used += n
        per_source[source] += 1
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "offset takes places + skipped items take places",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items[offset:max_items]:
        if max_per_source is not None and per_source[source] >= max_per_source:
            continue
        if max_characters is not None and used + n > max_characters:
            continue
        kept.append(item_id)
        used += n
        per_source[source] += 1
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "offset at the end",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items:
        if max_items is not None and len(kept) >= max_items:
            break
        if max_per_source is not None and per_source[source] >= max_per_source:
            continue
        if max_characters is not None and used + n > max_characters:
            continue
        kept.append(item_id)
        used += n
        per_source[source] += 1
    return kept[offset:]
""",
    ),
    (
        "WITHIN_BUDGET",
        "offset counts for both",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for rank, (item_id, source, n) in enumerate(items):
        if max_items is not None and len(kept) >= max_items:
            break
        if max_per_source is not None and per_source[source] >= max_per_source:
            continue
        if max_characters is not None and used + n > max_characters:
            continue
        used += n
        per_source[source] += 1
        if rank >= offset:
            kept.append(item_id)
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "offset counts for sources",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for rank, (item_id, source, n) in enumerate(items):
        if max_items is not None and len(kept) == max_items:
            break
        if max_per_source is not None and per_source[source] == max_per_source:
            continue
        if rank < offset:
            per_source[source] += 1
            continue
        if max_characters is not None and used + n > max_characters:
            continue
        used += n
        per_source[source] += 1
        kept.append(item_id)
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "characters one too few",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items[offset:]:
        if max_items is not None and len(kept) >= max_items:
            break
        if max_per_source is not None and per_source[source] >= max_per_source:
            continue
        if max_characters is not None and used + n >= max_characters:
            continue
        kept.append(item_id)
        used += n
        per_source[source] += 1
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "characters asked too late",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items[offset:]:
        if max_items is not None and len(kept) >= max_items:
            break
        if max_characters is not None and used >= max_characters:
            break
        if max_per_source is not None and per_source[source] >= max_per_source:
            continue
        kept.append(item_id)
        used += n
        per_source[source] += 1
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "one of a source too many",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items[offset:]:
        if max_items is not None and len(kept) >= max_items:
            break
        if max_per_source is not None and per_source[source] > max_per_source:
            continue
        if max_characters is not None and used + n > max_characters:
            continue
        kept.append(item_id)
        used += n
        per_source[source] += 1
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "None compared",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, per_source = [], 0, Counter()
    for item_id, source, n in items[offset:]:
        if len(kept) >= max_items:
            break
        if per_source[source] >= max_per_source or used + n > max_characters:
            continue
        kept.append(item_id)
        used += n
        per_source[source] += 1
    return kept
""",
    ),
    (
        "WITHIN_BUDGET",
        "",
        r"""
def within_budget(items, max_items, max_characters, max_per_source, offset):
    kept, used, last = [], 0, None
    for item_id, source, n in items[offset:]:
        if max_items is not None and len(kept) >= max_items:
            break
        if source == last and max_per_source is not None:  # a cap of one, and only for neighbours
            continue
        if max_characters is not None and used + n > max_characters:
            continue
        kept.append(item_id)
        used += n
        last = source
    return kept
""",
    ),
    (
        "MATCH_EXPRESSION",
        "right",
        r"""
def match_expression(query):
    seen, parts = set(), []
    for word in query.split():
        if word.lower() not in seen:
            seen.add(word.lower())
            parts.append('"' + word.replace('"', '""') + '"')
    return " OR ".join(parts)
""",
    ),
    (
        "MATCH_EXPRESSION",
        "right",
        r"""
def match_expression(query):
    escaped = query.replace('"', '""').split()
    kept = [w for i, w in enumerate(escaped) if w.casefold() not in [v.casefold() for v in escaped[:i]]]
    return " OR ".join(f'"{w}"' for w in kept)
""",
    ),
    (
        "MATCH_EXPRESSION",
        "right",
        r"""
def match_expression(query):
    result = ""
    done = []
    for word in query.split():
        if word.upper() in done:
            continue
        done.append(word.upper())
        if result:
            result += " OR "
        result += '"'
        for char in word:
            result += '""' if char == '"' else char
        result += '"'
    return result
""",
    ),
    (
        "MATCH_EXPRESSION",
        "no quotes",
        r"""
def match_expression(query):
    words = {}
    for word in query.split():
        words.setdefault(word.lower(), word)
    return " OR ".join(words.values())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "no quotes, repeats kept",
        r"""
def match_expression(query):
    return " OR ".join(query.split())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "AND",
        r"""
def match_expression(query):
    words = {}
    for word in query.split():
        if word.lower() not in words:
            words[word.lower()] = '"' + word.replace('"', '""') + '"'
    return " AND ".join(words.values())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "blanks between, repeats kept",
        r"""
def match_expression(query):
    return " ".join('"' + w.replace('"', '""') + '"' for w in query.split())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "quote not doubled, repeats kept",
        r"""
def match_expression(query):
    return " OR ".join(f'"{word}"' for word in query.split())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "quote not doubled",
        r"""
def match_expression(query):
    words = {}
    for word in query.split():
        words.setdefault(word.lower(), f'"{word}"')
    return " OR ".join(words.values())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "quote deleted",
        r"""
def match_expression(query):
    words = {}
    for word in query.split():
        words.setdefault(word.lower(), word.replace('"', ''))
    return " OR ".join('"' + w + '"' for w in words.values())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "quote backslashed",
        r"""
def match_expression(query):
    words = {}
    for word in query.split():
        words.setdefault(word.lower(), word.replace('"', r'\"'))
    return " OR ".join('"' + w + '"' for w in words.values())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "split at punctuation",
        r"""
def match_expression(query):
    import re
    seen = {}
    for word in re.findall(r"\w+", query):
        seen.setdefault(word.lower(), word)
    return " OR ".join('"' + w + '"' for w in seen.values())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "split at single blanks",
        r"""
def match_expression(query):
    words = {}
    for word in query.split(" "):
        words.setdefault(word.lower(), word)
    return " OR ".join('"' + w.replace('"', '""') + '"' for w in words.values())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "repeats kept",
        r"""
def match_expression(query):
    return " OR ".join('"{}"'.format(w.replace('"', '""')) for w in query.split())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "repeats letter for letter",
        r"""
def match_expression(query):
    words = []
    for word in query.split():
        if word not in words:
            words.append(word)
    return " OR ".join('"' + w.replace('"', '""') + '"' for w in words)
""",
    ),
    (
        "MATCH_EXPRESSION",
        "last spelling",
        r"""
def match_expression(query):
    words = {w.lower(): w.replace('"', '""') for w in query.split()}
    return " OR ".join(f'"{w}"' for w in words.values())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "small letters",
        r"""
def match_expression(query):
    words = dict.fromkeys(query.lower().split())
    return " OR ".join('"' + w.replace('"', '""') + '"' for w in words)
""",
    ),
    (
        "MATCH_EXPRESSION",
        "one phrase",
        r"""
def match_expression(query):
    if not query.strip():
        return ""
    return '"' + query.replace('"', '""') + '"'
""",
    ),
    (
        "MATCH_EXPRESSION",
        "single quotes",
        r"""
def match_expression(query):
    words = {}
    for word in query.split():
        words.setdefault(word.lower(), "'" + word.replace("'", "''") + "'")
    return " OR ".join(words.values())
""",
    ),
    (
        "MATCH_EXPRESSION",
        "quotes where needed",
        r"""
def match_expression(query):
    words = {}
    for word in query.split():
        quoted = word if word.isalnum() else '"' + word.replace('"', '""') + '"'
        words.setdefault(word.lower(), quoted)
    return " OR ".join(words.values())
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "right",
        r"""
def retrieval_metrics(ranks, max_total_items):
    n = len(ranks)
    if n == 0:
        raise ValueError("no rows")
    hits, reciprocal = 0, 0.0
    for rank in ranks:
        if rank is not None:
            hits += 1
            reciprocal += 1 / rank
    hit_rate = hits / n
    precision = hit_rate / max_total_items
    mrr = reciprocal / n
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "right",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not len(ranks):
        raise ValueError
    hit_rate = float(np.mean([r is not None for r in ranks]))
    precision = np.mean([(r is not None) / max_total_items for r in ranks])
    mrr = np.mean([1 / r if r else 0 for r in ranks])
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "right",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if ranks == []:
        raise ValueError("empty dataset")
    reciprocal = [0 if rank is None else 1 / rank for rank in ranks]
    hits = sum(value > 0 for value in reciprocal)
    return dict(
        mean_reciprocal_rank=sum(reciprocal) / len(ranks),
        hit_rate=hits / len(ranks),
        precision_at_max_total_items=hits / (len(ranks) * max_total_items),
    )
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "misses dropped, none found raises",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = sum(1 / r for r in found) / len(found)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "misses dropped",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = np.mean([1 / r for r in found]) if found else 0.0
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "MRR of the mean rank, none found raises",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = 1 / (sum(found) / len(found))
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "MRR of the mean rank",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = 1 / np.mean(found) if found else 0
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "misses one place further",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = sum(1 / (r or max_total_items + 1) for r in ranks) / len(ranks)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "precision is the hit rate",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = hit_rate
    mrr = sum(1 / r for r in found) / len(ranks)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "precision not averaged",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = len(found) / max_total_items
    mrr = sum(1 / r for r in found) / len(ranks)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "precision by the rank",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = sum(1 / r for r in found) / len(ranks)
    mrr = sum(1 / r for r in found) / len(ranks)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "hits counted",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found)
    precision = len(found) / max_total_items / len(ranks)
    mrr = sum(1 / r for r in found) / len(ranks)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "empty divides by 0",
        r"""
def retrieval_metrics(ranks, max_total_items):
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = sum(1 / r for r in found) / len(ranks)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "empty gives 0",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        return {'hit_rate': 0.0, 'precision_at_max_total_items': 0.0, 'mean_reciprocal_rank': 0.0}
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = sum(1 / r for r in found) / len(ranks)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "MRR not divided",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = sum(1 / r for r in found)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "mean rank",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError('no rows')
    found = [r for r in ranks if r is not None]
    hit_rate = len(found) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = sum(found) / len(found) if found else 0.0
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "misses dropped everywhere",
        r"""
def retrieval_metrics(ranks, max_total_items):
    ranks = [r for r in ranks if r]
    if not ranks:
        raise ValueError("nothing found")
    hit_rate = sum(r <= max_total_items for r in ranks) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = sum(1 / r for r in ranks) / len(ranks)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "RETRIEVAL_METRICS",
        "ranks from 0",
        r"""
def retrieval_metrics(ranks, max_total_items):
    if not ranks:
        raise ValueError("no rows")
    hit_rate = sum(r is not None for r in ranks) / len(ranks)
    precision = hit_rate / max_total_items
    mrr = sum(1 / (r + 1) for r in ranks if r is not None) / len(ranks)
    return {"hit_rate": hit_rate, "precision_at_max_total_items": precision, "mean_reciprocal_rank": mrr}
""",
    ),
    (
        "GATE",
        "right",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if set(before) != set(after) or len(before) == 0:
        raise ValueError("not the same queries")
    d = [after[q] - before[q] for q in sorted(before)]
    observed = abs(sum(d))
    patterns = list(product([1, -1], repeat=len(d)))
    count = 0
    for signs in patterns:
        if abs(sum(s * x for s, x in zip(signs, d))) >= observed - 1e-9:
            count += 1
    p = count / len(patterns)
    drop = -sum(d) / len(d)
    if drop > limit + 1e-9 and p < alpha:
        return False
    return True
""",
    ),
    (
        "GATE",
        "right",
        r"""
def gate(before, after, limit, alpha=0.05):
    if before.keys() ^ after.keys():
        raise ValueError(sorted(before.keys() ^ after.keys()))
    if not before:
        raise ValueError("no queries")
    ids = list(before)
    a, b = np.array([before[q] for q in ids]), np.array([after[q] for q in ids])
    if round(a.mean() - b.mean() - limit, 9) <= 0:
        return True
    n = len(ids)
    bits = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    sums = np.abs((1 - 2 * bits) @ (b - a))
    p = np.mean(sums >= abs((b - a).sum()) - 1e-9)
    return bool(p >= alpha)
""",
    ),
    (
        "GATE",
        "right",
        r"""
def gate(before, after, limit, alpha=0.05):
    if sorted(before) != sorted(after) or before == {}:
        raise ValueError("needs the same queries")
    d = [after[q] - before[q] for q in before if abs(after[q] - before[q]) > 1e-12]
    n, hits = len(d), 0
    for pattern in range(2**n):
        total = 0
        for i, x in enumerate(d):
            total += -x if pattern >> i & 1 else x
        hits += round(abs(total), 9) >= round(abs(sum(d)), 9)
    return -sum(d) / len(before) - limit <= 1e-9 or hits / 2**n >= alpha
""",
    ),
    (
        "GATE",
        "any drop beyond the limit",
        r"""
def gate(before, after, limit, alpha=0.05):
    if before.keys() != after.keys() or not before:
        raise ValueError("other queries")
    drop = np.mean(list(before.values())) - np.mean(list(after.values()))
    return bool(drop <= limit + 1e-9)
""",
    ),
    (
        "GATE",
        "one-sided",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = sum(s <= sum(d) + 1e-9 for s in sums) / len(sums)
    drop = -sum(d) / len(d)
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "a rise counts as a fall",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = abs(sum(d) / len(d))
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "gains fail, falls pass",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = sum(d) / len(d)
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "p not above alpha",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return drop <= limit + 1e-9 or p > alpha
""",
    ),
    (
        "GATE",
        "by place",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [b - a for a, b in zip(before.values(), after.values())]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "by place, unchecked",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if not before:
        raise ValueError('nothing')
    d = [b - a for a, b in zip(before.values(), after.values())]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "missing queries dropped",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    d = [after[q] - before[q] for q in before if q in after]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d) if d else 1 / int('none')
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "missing queries as 0",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if not before and not after:
        raise ValueError('nothing')
    d = [after.get(q, 0) - before.get(q, 0) for q in {**before, **after}]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "missing queries not looked for",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if not before:
        raise ValueError('nothing')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "nothing divides by 0",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys():
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "limit ignored",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > 0 and p < alpha)
""",
    ),
    (
        "GATE",
        "test alone",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return p >= alpha
""",
    ),
    (
        "GATE",
        "either is enough",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return drop <= limit + 1e-9 and p >= alpha
""",
    ),
    (
        "GATE",
        "at the limit",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop >= limit - 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "no tolerance",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit and p < alpha)
""",
    ),
    (
        "GATE",
        "no tolerance in the sums",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "no tolerance at the limit",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit and p < alpha)
""",
    ),
    (
        "GATE",
        "alpha ignored",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit + 1e-9 and p < 0.05)
""",
    ),
    (
        "GATE",
        "True where it fails",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return drop > limit + 1e-9 and p < alpha
""",
    ),
    (
        "GATE",
        "p turned round",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit + 1e-9 and p > alpha)
""",
    ),
    (
        "GATE",
        "sum against the limit",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    if before.keys() != after.keys() or not before:
        raise ValueError('other queries')
    d = [after[q] - before[q] for q in before]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = sum(before.values()) - sum(after.values())
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
    (
        "GATE",
        "missing queries dropped + nothing divides by 0",
        r"""
def gate(before, after, limit, alpha=0.05):
    from itertools import product
    d = [after[q] - before[q] for q in before.keys() & after.keys()]
    sums = [sum(s * x for s, x in zip(signs, d)) for signs in product((1, -1), repeat=len(d))]
    p = np.mean([abs(s) >= abs(sum(d)) - 1e-9 for s in sums])
    drop = -sum(d) / len(d)
    return not (drop > limit + 1e-9 and p < alpha)
""",
    ),
]
