"""Lesson 06: answers as learners write them in a cell. Each is (exercise, the name that its check should give, source).

A name is "right", that of a mistake, two joined by " + " of which one must be said, or "" where the check knows none: then a
comment in the source says what is wrong.
"""

ANSWERS: list[tuple[str, str, str]] = [
    (
        "PAIRED_DIFFERENCES",
        "right",
        r"""
def paired_differences(a, b):
    result = {}
    for q in set(a) | set(b):
        result[q] = b.get(q, 0) - a.get(q, 0)
    return result
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "right",
        r"""
def paired_differences(a, b):
    out = defaultdict(float)
    for q, score in b.items():
        out[q] += score
    for q, score in a.items():
        out[q] -= score
    return dict(out)
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "right",
        r"""
def paired_differences(a, b):
    ids = sorted(list(a) + [q for q in b if q not in a])
    return {q: (b[q] if q in b else 0.0) - (a[q] if q in a else 0.0) for q in ids}
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "intersection only",
        r"""
def paired_differences(a, b):
    return {q: b[q] - a[q] for q in a.keys() & b.keys()}
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "intersection only",
        r"""
def paired_differences(a, b):
    diff = {}
    for q in a:
        try:
            diff[q] = b[q] - a[q]
        except KeyError:
            continue
    return diff
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "by position",
        r"""
def paired_differences(a, b):
    differences = {}
    for (query_id, score_a), score_b in zip(a.items(), b.values()):
        differences[query_id] = score_b - score_a
    return differences
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "only A's queries, missing raises",
        r"""
def paired_differences(a, b):
    d = dict(b)
    for q in a:
        d[q] = d[q] - a[q]
    return {q: d[q] for q in a}
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "only A's queries",
        r"""
def paired_differences(a, b):
    return {q: b.get(q, 0) - x for q, x in a.items()}
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "missing raises",
        r"""
def paired_differences(a, b):
    return {q: b[q] - a[q] for q in set(a).union(b)}
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "A minus B",
        r"""
def paired_differences(a, b):
    return {q: a.get(q, 0) - b.get(q, 0) for q in set(a) | set(b)}
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "A minus B, intersection only",
        r"""
def paired_differences(a, b):
    return {q: a[q] - b[q] for q in a if q in b}
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "ties left out",
        r"""
def paired_differences(a, b):
    out = {}
    for q in set(a) | set(b):
        d = b.get(q, 0) - a.get(q, 0)
        if d != 0:
            out[q] = d
    return out
""",
    ),
    (
        "PAIRED_DIFFERENCES",
        "missing refused",
        r"""
def paired_differences(a, b):
    if set(a) != set(b):
        raise ValueError(f"not the same queries: {set(a) ^ set(b)}")
    return {q: b[q] - a[q] for q in b}
""",
    ),
    (
        "SIGN_FLIP_P",
        "right",
        r"""
def sign_flip_p(differences):
    from itertools import product
    observed = abs(np.mean(differences))
    count = 0
    for signs in product([1, -1], repeat=len(differences)):
        if abs(np.mean(np.array(signs) * differences)) >= observed - 1e-12:
            count += 1
    return count / 2 ** len(differences)
""",
    ),
    (
        "SIGN_FLIP_P",
        "right",
        r"""
def sign_flip_p(differences):
    n, hits = len(differences), 0
    for pattern in range(2**n):
        total = 0
        for i, d in enumerate(differences):
            total += -d if pattern >> i & 1 else d
        hits += abs(total) > abs(sum(differences)) - 1e-12
    return hits / 2**n
""",
    ),
    (
        "SIGN_FLIP_P",
        "right",
        r"""
def sign_flip_p(differences):
    d = np.array([x for x in differences if x != 0])
    signs = np.array(np.meshgrid(*[[1, -1]] * len(d))).reshape(len(d), -1) if len(d) else np.ones((0, 1))
    sums = np.abs(d @ signs)
    return float(np.mean((sums > abs(d.sum())) | np.isclose(sums, abs(d.sum()), atol=1e-12)))
""",
    ),
    (
        "SIGN_FLIP_P",
        "one-sided",
        r"""
def sign_flip_p(differences):
    from itertools import product
    observed = sum(differences) / len(differences)
    means = [sum(s * d for s, d in zip(p, differences)) / len(differences) for p in product((1, -1), repeat=len(differences))]
    return sum(m >= observed - 1e-12 for m in means) / len(means)
""",
    ),
    (
        "SIGN_FLIP_P",
        "one-sided, the way it went",
        r"""
def sign_flip_p(differences):
    from itertools import product
    observed = abs(sum(differences))
    sums = [np.dot(p, differences) for p in product((1, -1), repeat=len(differences))]
    return np.mean([s >= observed - 1e-12 for s in sums])
""",
    ),
    (
        "SIGN_FLIP_P",
        "strict",
        r"""
def sign_flip_p(differences):
    from itertools import product
    observed = abs(sum(differences))
    sums = [abs(sum(s * d for s, d in zip(p, differences))) for p in product((1, -1), repeat=len(differences))]
    return sum(s - observed > 1e-12 for s in sums) / len(sums)
""",
    ),
    (
        "SIGN_FLIP_P",
        "no tolerance",
        r"""
def sign_flip_p(differences):
    from itertools import product
    observed = abs(np.mean(differences))
    means = [abs(np.mean(np.multiply(p, differences))) for p in product((1, -1), repeat=len(differences))]
    return sum(m >= observed for m in means) / len(means)
""",
    ),
    (
        "SIGN_FLIP_P",
        "no tolerance",
        r"""
def sign_flip_p(differences):
    n = len(differences)
    observed, count = abs(sum(differences)), 0
    for pattern in range(2**n):
        total = sum(-d if pattern >> i & 1 else d for i, d in enumerate(differences))
        if abs(total) >= observed:
            count += 1
    return count / 2**n
""",
    ),
    (
        "SIGN_FLIP_P",
        "observed pattern not counted",
        r"""
def sign_flip_p(differences):
    n = len(differences)
    count = 0
    for pattern in range(1, 2**n):
        total = sum(-d if pattern >> i & 1 else d for i, d in enumerate(differences))
        if abs(total) >= abs(sum(differences)) - 1e-12:
            count += 1
    return count / 2**n
""",
    ),
    (
        "SIGN_FLIP_P",
        "observed pattern counted twice",
        r"""
def sign_flip_p(differences):
    from itertools import product
    sums = [sum(s * d for s, d in zip(p, differences)) for p in product((1, -1), repeat=len(differences))]
    count = sum(abs(s) >= abs(sum(differences)) - 1e-12 for s in sums)
    return (count + 1) / (len(sums) + 1)
""",
    ),
    (
        "SIGN_FLIP_P",
        "order permuted",
        r"""
def sign_flip_p(differences):
    from itertools import permutations
    n = len(differences)
    means = [sum(p) / n for p in permutations(differences)]
    return sum(abs(m) >= abs(sum(differences) / n) - 1e-12 for m in means) / len(means)
""",
    ),
    (
        "SIGN_FLIP_P",
        "left out, not flipped",
        r"""
def sign_flip_p(differences):
    n, hits = len(differences), 0
    for pattern in range(2**n):
        total = sum(d for i, d in enumerate(differences) if pattern >> i & 1)
        hits += abs(total) >= abs(sum(differences)) - 1e-12
    return hits / 2**n
""",
    ),
    (
        "SIGN_FLIP_P",
        "signs only",
        r"""
def sign_flip_p(differences):
    from itertools import product
    signs = [1 if d > 0 else -1 for d in differences if d != 0]
    sums = [abs(sum(s * t for s, t in zip(signs, p))) for p in product((1, -1), repeat=len(signs))]
    return sum(s >= abs(sum(signs)) for s in sums) / len(sums)
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "right",
        r"""
def bootstrap_interval(values, samples, confidence):
    values = np.array(values)
    means = [values[sample].mean() for sample in samples]
    alpha = 1 - confidence
    return np.quantile(means, alpha / 2), np.quantile(means, 1 - alpha / 2)
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "right",
        r"""
def bootstrap_interval(values, samples, confidence):
    means = []
    for sample in samples:
        drawn = [values[i] for i in sample]
        means.append(sum(drawn) / len(drawn))
    cut = 100 * (1 - confidence) / 2
    return list(np.percentile(means, [cut, 100 - cut]))
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "right",
        r"""
def bootstrap_interval(values, samples, confidence):
    means = sorted(sum(values[i] for i in s) / len(s) for s in samples)

    def at(share):
        place = share * (len(means) - 1)
        below = min(int(place), len(means) - 1)
        above = min(below + 1, len(means) - 1)
        return means[below] + (place - below) * (means[above] - means[below])

    return at((1 - confidence) / 2), at(1 - (1 - confidence) / 2)
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "tails not halved",
        r"""
def bootstrap_interval(values, samples, confidence):
    means = [np.mean([values[i] for i in s]) for s in samples]
    return np.quantile(means, 1 - confidence), np.quantile(means, confidence)
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "confidence as alpha",
        r"""
def bootstrap_interval(values, samples, confidence):
    means = [np.mean(np.array(values)[s]) for s in samples]
    return tuple(np.quantile(means, [confidence / 2, 1 - confidence / 2]))
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "fractions where percents are needed",
        r"""
def bootstrap_interval(values, samples, confidence):
    means = [np.mean([values[i] for i in s]) for s in samples]
    alpha = 1 - confidence
    return np.percentile(means, alpha / 2), np.percentile(means, 1 - alpha / 2)
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "quantiles of the values",
        r"""
def bootstrap_interval(values, samples, confidence):
    tail = (1 - confidence) / 2
    low = np.quantile(values, tail)
    high = np.quantile(values, 1 - tail)
    return low, high
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "quantiles of all that was drawn",
        r"""
def bootstrap_interval(values, samples, confidence):
    drawn = []
    for sample in samples:
        drawn += [values[i] for i in sample]
    tail = (1 - confidence) / 2
    return np.quantile(drawn, tail), np.quantile(drawn, 1 - tail)
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "places averaged",
        r"""
def bootstrap_interval(values, samples, confidence):
    means = np.array([np.mean(sample) for sample in samples])
    tail = (1 - confidence) / 2
    return np.quantile(means, tail), np.quantile(means, 1 - tail)
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "no interpolation",
        r"""
def bootstrap_interval(values, samples, confidence):
    means = sorted(np.mean([values[i] for i in s]) for s in samples)
    n = len(means)
    low = int((1 - confidence) / 2 * n)
    high = min(n - 1, int((1 + confidence) / 2 * n))
    return means[low], means[high]
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "spread of the means",
        r"""
def bootstrap_interval(values, samples, confidence):
    means = np.array([np.mean([values[i] for i in s]) for s in samples])
    return means.mean() - 1.96 * means.std(), means.mean() + 1.96 * means.std()
""",
    ),
    (
        "BOOTSTRAP_INTERVAL",
        "high before low",
        r"""
def bootstrap_interval(values, samples, confidence):
    means = [np.mean([values[i] for i in s]) for s in samples]
    tail = (1 - confidence) / 2
    return np.quantile(means, 1 - tail), np.quantile(means, tail)
""",
    ),
    (
        "HOLM",
        "right",
        r"""
def holm(p_values):
    ordered = sorted(p_values.items(), key=lambda pair: pair[1])
    m, so_far, result = len(ordered), 0, {}
    for i, (name, p) in enumerate(ordered):
        so_far = max(so_far, min(1, p * (m - i)))
        result[name] = so_far
    return result
""",
    ),
    (
        "HOLM",
        "right",
        r"""
def holm(p_values):
    names = list(p_values)
    p = np.array([p_values[name] for name in names])
    order = np.argsort(p)
    adjusted = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return {names[i]: float(value) for i, value in zip(order, adjusted)}
""",
    ),
    (
        "HOLM",
        "right",
        r"""
def holm(p_values):
    left, result, last = dict(p_values), {}, 0.0
    while left:
        name = min(left, key=left.get)
        last = max(last, len(left) * left.pop(name))
        result[name] = 1.0 if last > 1 else last
    return result
""",
    ),
    (
        "HOLM",
        "Bonferroni",
        r"""
def holm(p_values):
    m = len(p_values)
    return {name: min(p * m, 1) for name, p in p_values.items()}
""",
    ),
    (
        "HOLM",
        "Benjamini-Hochberg",
        r"""
def holm(p_values):
    m, result, smallest = len(p_values), {}, 1
    ordered = sorted(p_values, key=p_values.get, reverse=True)
    for i, name in enumerate(ordered):
        smallest = min(smallest, p_values[name] * m / (m - i))
        result[name] = smallest
    return result
""",
    ),
    (
        "HOLM",
        "not monotone",
        r"""
def holm(p_values):
    m = len(p_values)
    return {n: min(1, p * (m - i)) for i, (n, p) in enumerate(sorted(p_values.items(), key=lambda x: x[1]))}
""",
    ),
    (
        "HOLM",
        "not monotone, above 1",
        r"""
def holm(p_values):
    result = {}
    factor = len(p_values)
    for name in sorted(p_values, key=lambda n: p_values[n]):
        result[name] = p_values[name] * factor
        factor -= 1
    return result
""",
    ),
    (
        "HOLM",
        "factor one too small",
        r"""
def holm(p_values):
    m, result, last = len(p_values), {}, 0
    for i, name in enumerate(sorted(p_values, key=p_values.get), start=1):
        last = max(last, min(1, (m - i) * p_values[name]))
        result[name] = last
    return result
""",
    ),
    (
        "HOLM",
        "as given",
        r"""
def holm(p_values):
    m, result, last = len(p_values), {}, 0
    for i, name in enumerate(p_values):
        last = max(last, min(1, (m - i) * p_values[name]))
        result[name] = last
    return result
""",
    ),
    (
        "HOLM",
        "names lost",
        r"""
def holm(p_values):
    m, last, adjusted = len(p_values), 0, []
    for i, p in enumerate(sorted(p_values.values())):
        last = max(last, min(1, (m - i) * p))
        adjusted.append(last)
    return dict(zip(p_values, adjusted))
""",
    ),
    (
        "HOLM",
        "largest first",
        r"""
def holm(p_values):
    m, last, result = len(p_values), 0, {}
    for i, (name, p) in enumerate(sorted(p_values.items(), key=lambda x: -x[1])):
        last = max(last, min(1, (m - i) * p))
        result[name] = last
    return result
""",
    ),
    (
        "QUERIES_NEEDED",
        "right",
        r"""
def queries_needed(differences, effect):
    if len(differences) < 2:
        raise ValueError("at least two differences are needed")
    if not effect:
        raise ValueError("the effect is 0")
    s = np.std(differences, ddof=1)
    return int(np.ceil((2.8 * s / effect) ** 2))
""",
    ),
    (
        "QUERIES_NEEDED",
        "right",
        r"""
def queries_needed(differences, effect):
    from statistics import StatisticsError, variance
    try:
        exact = (1.96 + 0.84) ** 2 * variance(differences) / effect**2
    except (StatisticsError, ZeroDivisionError):
        raise ValueError("cannot be computed")
    return -int(-exact // 1)
""",
    ),
    (
        "QUERIES_NEEDED",
        "right",
        r"""
def queries_needed(differences, effect):
    n = len(differences)
    if n <= 1 or abs(effect) == 0:
        raise ValueError
    s2 = (sum(d**2 for d in differences) - sum(differences) ** 2 / n) / (n - 1)
    needed = 1
    while needed < 7.84 * s2 / effect**2:
        needed += 1
    return needed
""",
    ),
    (
        "QUERIES_NEEDED",
        "not squared",
        r"""
def queries_needed(differences, effect):
    if len(differences) < 2 or effect == 0:
        raise ValueError("no")
    return int(np.ceil(2.8 * np.std(differences, ddof=1) / abs(effect)))
""",
    ),
    (
        "QUERIES_NEEDED",
        "divided by n",
        r"""
def queries_needed(differences, effect):
    if len(differences) < 2 or effect == 0:
        raise ValueError("no")
    return int(np.ceil((2.8 * np.std(differences) / effect) ** 2))
""",
    ),
    (
        "QUERIES_NEEDED",
        "power left out",
        r"""
def queries_needed(differences, effect):
    if len(differences) < 2 or effect == 0:
        raise ValueError("no")
    return int(np.ceil((1.96 * np.std(differences, ddof=1) / effect) ** 2))
""",
    ),
    (
        "QUERIES_NEEDED",
        "rounded",
        r"""
def queries_needed(differences, effect):
    if len(differences) < 2 or effect == 0:
        raise ValueError("no")
    return round((2.8 * np.std(differences, ddof=1) / effect) ** 2)
""",
    ),
    (
        "QUERIES_NEEDED",
        "not rounded",
        r"""
def queries_needed(differences, effect):
    if len(differences) < 2 or effect == 0:
        raise ValueError("no")
    return (2.8 * np.std(differences, ddof=1) / effect) ** 2
""",
    ),
    (
        "QUERIES_NEEDED",
        "not checked",
        r"""
def queries_needed(differences, effect):
    n = len(differences)
    m = sum(differences) / n
    s = (sum((d - m) ** 2 for d in differences) / (n - 1)) ** 0.5
    return int(np.ceil((2.8 * s / effect) ** 2))
""",
    ),
    (
        "QUERIES_NEEDED",
        "not checked, in NumPy",
        r"""
def queries_needed(differences, effect):
    return int(np.ceil((2.8 * np.std(differences, ddof=1) / effect) ** 2))
""",
    ),
    (
        "QUERIES_NEEDED",
        "divided by n + not checked",
        r"""
def queries_needed(differences, effect):
    n = len(differences)
    m = sum(differences) / n
    s = (sum((d - m) ** 2 for d in differences) / n) ** 0.5
    return int(np.ceil((2.8 * s / effect) ** 2))
""",
    ),
    (
        "QUERIES_NEEDED",
        "standard error",
        r"""
def queries_needed(differences, effect):
    if len(differences) < 2 or effect == 0:
        raise ValueError("no")
    error = np.std(differences, ddof=1) / len(differences) ** 0.5
    return int(np.ceil((2.8 * error / effect) ** 2))
""",
    ),
    (
        "QUERIES_NEEDED",
        "deviation not squared",
        r"""
def queries_needed(differences, effect):
    if len(differences) < 2 or effect == 0:
        raise ValueError("no")
    return int(np.ceil(2.8**2 * np.std(differences, ddof=1) / effect**2))
""",
    ),
]
