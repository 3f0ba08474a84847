"""Lesson 07: mutants of the references that no case can refuse, because they compute the same, each with the reason."""

EQUIVALENT: dict[str, dict[str, str]] = {
    "GATE": {
        "sums = [total + step for total in sums for step in (difference, -difference)]  ->  "
        "sums = [total - step for total in sums for step in (difference, -difference)]": "both signs are tried, in either order",
        "return not (drop / len(before) > limit + 1e-09 and p < alpha)  ->  "
        "return not (drop / len(before) >= limit + 1e-09 and p < alpha)": "no drop of readable numbers stands exactly 1e-9 above "
        "its limit",
        "p = sum((abs(total) >= abs(drop) - 1e-09 for total in sums)) / len(sums)  ->  "
        "p = sum((abs(total) > abs(drop) - 1e-09 for total in sums)) / len(sums)": "no sum of readable numbers stands exactly 1e-9 "
        "below another",
    },
}
