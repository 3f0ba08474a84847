"""Lesson 05: mutants of the references that no case can refuse, because they compute the same, each with the reason."""

EQUIVALENT: dict[str, dict[str, str]] = {}
