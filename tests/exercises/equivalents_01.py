"""Lesson 01: mutants of the references that no case can refuse, because they compute the same, each with the reason."""

_ZIP = "observed = sum((one == other for one, other in zip(first, second, strict={}))) / n"

EQUIVALENT: dict[str, dict[str, str]] = {
    "COHEN_KAPPA": {
        f"{_ZIP.format(True)}  ->  {_ZIP.format(False)}": "lists of different lengths were refused two lines above",
    },
}
