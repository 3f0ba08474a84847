"""Lesson 02: mutants of the references that no case can refuse, because they compute the same, each with the reason."""

EQUIVALENT: dict[str, dict[str, str]] = {
    "CHUNK_FIXED": {
        "if overlap >= size:  ->  if overlap > size:": "where both are equal the step is 0, and range raises ValueError by itself",
    },
}
