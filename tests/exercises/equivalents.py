"""Mutants of the references that no case can refuse, because they compute the same, each with the reason."""

_NOT_RELEVANT = "a document without a grade is not relevant with -1 either: only what is above 0 counts"
_BOTH_SIGNS = "both signs are tried, in either order"
_ENDS = "low, high = (round(mean - t * s / n ** 0.5, 9), round(mean + t * s / n ** 0.5, 9))  ->  "
_DECIMALS = "no end of readable numbers is within 1e-8 of its limit, and not on it"

_TESTS = (
    "tests = [(['x', 'a', 'b'], {'a': 1, 'b': 2, 'c': 1, 'd': 2}, 2), (['a'], {'a': 0}, 1)]  ->  tests = "
)
_OTHER_TESTS = (
    "another query with unread, missing and cut documents, and one with nothing relevant, tell as much"
)

EQUIVALENT: dict[str, dict[str, str]] = {
    "WRONG_NDCGS": {
        **{
            f"{_TESTS}[(['x', 'a', 'b'], {{'a': {a}, 'b': {b}, 'c': {c}, 'd': {d}}}, {k}), "
            f"(['a'], {{'a': 0}}, {depth})]": _OTHER_TESTS
            for a, b, c, d, k, depth in (
                (1, 2, 1, 2, 3, 1),
                (1, 2, 1, 2, 2, 2),
                (1, 2, 1, 2, 2, 0),
                (1, 3, 1, 2, 2, 1),
                (1, 1, 1, 2, 2, 1),
                (1, 2, 2, 2, 2, 1),
                (1, 2, 0, 2, 2, 1),
                (1, 2, 1, 3, 2, 1),
            )
        },
        "return any((abs(variant(*test) - ndcg_at_k(*test)) > 1e-09 for test in tests))  ->  return "
        "any((abs(variant(*test) - ndcg_at_k(*test)) >= 1e-09 for test in tests))": "no two values of these "
        "functions are 1e-9 apart",
    },
    "FALSE_ALARMS": {
        "stopped = [before or p[look] < level for before, p in zip(stopped, tests, strict=True)]  ->  "
        "stopped = [before or p[look] < level for before, p in zip(stopped, tests, strict=False)]": "one "
        "entry is kept for each test",
    },
    "TUNE_THEN_CONFIRM": {
        "means = {alpha: sum(scores.values()) / len(scores) for alpha, scores in dev.items()}  ->  "
        "means = {alpha: sum(scores.values()) * len(scores) for alpha, scores in dev.items()}": "all alphas "
        "have "
        "the same number of queries, so that the highest sum is the highest mean",
    },
    "COHEN_KAPPA": {
        "observed = sum((one == other for one, other in zip(first, second, strict=True))) / n  ->  "
        "observed = sum((one == other for one, other in zip(first, second, strict=False))) / n": "lists of "
        "different lengths were refused two lines above",
    },
    "CHUNK_FIXED": {
        "if overlap >= size:  ->  if overlap > size:": "where both are equal the step is 0, and range raises "
        "ValueError by itself",
    },
    "PRECISION": {
        "found = {doc_id for doc_id in ranking[:k] if grades.get(doc_id, 0) > 0}  ->  "
        "found = {doc_id for doc_id in ranking[:k] if grades.get(doc_id, -1) > 0}": _NOT_RELEVANT,
    },
    "RECIPROCAL_RANK": {
        "if grades.get(doc_id, 0) > 0:  ->  if grades.get(doc_id, -1) > 0:": _NOT_RELEVANT,
    },
    "AVERAGE_PRECISION": {
        "if grades.get(doc_id, 0) > 0:  ->  if grades.get(doc_id, -1) > 0:": _NOT_RELEVANT,
    },
    "SIGN_FLIP_P": {
        "sums = [total + step for total in sums for step in (difference, -difference)]  ->  "
        "sums = [total - step for total in sums for step in (difference, -difference)]": _BOTH_SIGNS,
        "return sum((abs(total) >= observed - 1e-12 for total in sums)) / len(sums)  ->  "
        "return sum((abs(total) > observed - 1e-12 for total in sums)) / len(sums)": "no sum of readable "
        "numbers stands exactly 1e-12 below another",
    },
    "HOLM": {
        "adjusted, largest = ({}, 0.0)  ->  adjusted, largest = ({}, -1.0)": "no p-value is below 0, so the "
        "first one replaces either start",
    },
    "GATE": {
        _ENDS
        + "low, high = (round(mean - t * s / n ** 0.5, 10), round(mean + t * s / n ** 0.5, 9))": _DECIMALS,
        _ENDS
        + "low, high = (round(mean - t * s / n ** 0.5, 8), round(mean + t * s / n ** 0.5, 9))": _DECIMALS,
        _ENDS
        + "low, high = (round(mean - t * s / n ** 0.5, 9), round(mean + t * s / n ** 0.5, 10))": _DECIMALS,
        _ENDS
        + "low, high = (round(mean - t * s / n ** 0.5, 9), round(mean + t * s / n ** 0.5, 8))": _DECIMALS,
    },
}
