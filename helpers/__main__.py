"""`python -m helpers`, the program of earlier versions: says what has taken its place, and ends with 2."""

import sys

print(
    "python -m helpers: this package has no program any more. For your own search it is `workbench` (build "
    "is now snapshot, eval evaluate, compare --fail-if-worse gate), for the lessons `measure-first`.\n"
    "A project made by an earlier version: make a new one (workbench new NEW --docs DOCS) and copy its "
    "gate.sh and its two notebooks over the old ones; queries, judgments, corpus and datasets stay as they "
    "are. Then measure again: workbench measure",
    file=sys.stderr,
)
sys.exit(2)
