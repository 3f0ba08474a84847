"""Lesson 06: mutants of the references that no case can refuse, because they compute the same, each with the reason."""

EQUIVALENT: dict[str, dict[str, str]] = {
    "SIGN_FLIP_P": {
        "sums = [total + step for total in sums for step in (difference, -difference)]  ->  "
        "sums = [total - step for total in sums for step in (difference, -difference)]": "both signs are tried, in either order",
        "return sum((abs(total) >= observed - 1e-12 for total in sums)) / len(sums)  ->  "
        "return sum((abs(total) > observed - 1e-12 for total in sums)) / len(sums)": "no sum of readable numbers stands exactly "
        "1e-12 below another",
    },
    "HOLM": {
        "adjusted, largest = ({}, 0.0)  ->  adjusted, largest = ({}, -1.0)": "no p-value is below 0, so the first one replaces "
        "either start",
    },
}
