"""Rewordings: a query in the words of one page, which tell whether its words alone kept a system from finding the page.

Which words are exchanged was written down by reading query and page, before any of the reworded queries was searched; they
stand in `evals/rewordings.jsonl`. Five resemble those of `evals/retrieval_eval.ipynb`, which had been tried. Searching with them is the business of `counterfactuals`.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from helpers.base import files, json_object, text_field, text_lines

FIELDS = "query_id, doc_id and swaps"


def load_rewordings(path: str | Path = files.REWORDINGS) -> dict[tuple[str, str], dict[str, str]]:
    """`{(query_id, doc_id): {words of the query: words of the page}}`, in the order of the file, one pair a line.

    Whether the words stand in query and page is not checked here, since neither is known. Raises ValueError, with file and
    line, for a field that is missing or not text, for a line without swaps and for a pair that stands there twice.

    >>> load_rewordings()["q25", "doc_084"]
    {'human checkers': 'review desk', 'purchases': 'orders'}
    """
    rewordings: dict[tuple[str, str], dict[str, str]] = {}
    for where, line in text_lines(Path(path)):
        record = json_object(line, where, FIELDS)
        pair = _id(record, "query_id", where), _id(record, "doc_id", where)
        if pair in rewordings:
            raise ValueError(
                f"{where}: query {pair[0]!r} and document {pair[1]!r} stand in an earlier line too; keep one of them"
            )
        rewordings[pair] = _swaps(record, where)
    return rewordings


def reword(query: str, swaps: Mapping[str, str]) -> str:
    """The query with each key of `swaps` exchanged for its value; the rest of the sentence stays as it is.

    A key is found as whole words, upper or lower case, and exchanged once, where it stands first. What was put in is not
    exchanged again. Raises ValueError for a key that the query does not hold and for two keys that share words.

    >>> reword("human checkers are drowning in purchases", {"human checkers": "review desk", "purchases": "orders"})
    'review desk are drowning in orders'
    """
    spans = sorted((*_span(key, query), new) for key, new in swaps.items())
    reworded, end = "", 0
    for start, stop, new in spans:
        if start < end:
            raise ValueError(
                f"query {query!r}: two keys of {sorted(swaps)} share {query[start:end]!r}; make one key of them"
            )
        reworded, end = reworded + query[end:start] + new, stop
    return reworded + query[end:]


def _span(key: str, query: str) -> tuple[int, int]:
    """Where the key stands first in the query, in characters."""
    # Not \b: a key may begin or end with a sign, as in "v2.x (beta)".
    found = re.search(rf"(?<!\w){re.escape(key)}(?!\w)", query, re.IGNORECASE)
    if not key.strip() or found is None:
        raise ValueError(
            f"the words {key!r} do not stand in the query {query!r}; a key repeats whole words of it"
        )
    return found.span()


def _id(record: dict, name: str, where: str) -> str:
    value = text_field(record, name, where)
    if not value.strip():
        raise ValueError(
            f"{where}: {name} is empty; needed the name of a {'query' if name == 'query_id' else 'document'}"
        )
    return value


def _swaps(record: dict, where: str) -> dict[str, str]:
    swaps = record.get("swaps")
    if not isinstance(swaps, dict) or not swaps:
        raise ValueError(f"{where}: needed 'swaps' as an object of at least one exchange, found {swaps!r}")
    for old, new in swaps.items():
        if not isinstance(new, str) or not old.strip() or not new.strip():
            raise ValueError(f"{where}: needed words for words in 'swaps', found {old!r}: {new!r}")
    return swaps
