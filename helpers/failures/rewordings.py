"""A query in the words of one page, to tell whether its words alone kept a system from finding the page.

Which words are exchanged was written down by reading query and page, before any of the reworded queries was
searched; they are in `evals/rewordings.jsonl`.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from helpers.base import files, invalid_fields, text_lines

Words = Annotated[str, Field(pattern=r"\S")]


class Rewording(BaseModel):
    """One line of the file: words of the query, and the words of the page to exchange them for."""

    query_id: Words
    doc_id: Words
    swaps: dict[Words, Words] = Field(min_length=1)


def load_rewordings(path: str | Path = files.REWORDINGS) -> dict[tuple[str, str], dict[str, str]]:
    """`{(query_id, doc_id): {words of the query: words of the page}}`, in the order of the file.

    Whether query and page have the words is not checked here, since neither is known. Raises ValueError, with
    file and line, for a field that is missing, blank or not text, for a line without swaps and for a pair
    with two lines.

    >>> load_rewordings()["q25", "doc_084"]
    {'waiting for': 'pile up for', 'manual check': 'review desk'}
    """
    rewordings: dict[tuple[str, str], dict[str, str]] = {}
    for where, line in text_lines(Path(path)):
        try:
            found = Rewording.model_validate_json(line)
        except ValidationError as error:
            raise ValueError(f"{where}: {invalid_fields(error)[0]}") from None
        if (found.query_id, found.doc_id) in rewordings:
            pair = f"query {found.query_id!r} and document {found.doc_id!r}"
            raise ValueError(f"{where}: {pair} have an earlier line too; keep one of them")
        rewordings[found.query_id, found.doc_id] = found.swaps
    return rewordings


def reword(query: str, swaps: Mapping[str, str]) -> str:
    """The query with each key of `swaps` exchanged for its value; the rest of the sentence stays as it is.

    A key is found as whole words, upper or lower case, and exchanged once, at its first occurrence. What was
    put in is not exchanged again. Raises ValueError for a key that the query does not hold and for two keys
    that share words.

    >>> swaps = {"human checkers": "review desk", "purchases": "orders"}
    >>> reword("human checkers are drowning in purchases", swaps)
    'review desk are drowning in orders'
    """
    spans = sorted((*_span(key, query), new) for key, new in swaps.items())
    reworded, end = "", 0
    for start, stop, new in spans:
        if start < end:
            shared = f"two keys of {sorted(swaps)} share {query[start:end]!r}"
            raise ValueError(f"query {query!r}: {shared}; make one key of them")
        reworded, end = reworded + query[end:start] + new, stop
    return reworded + query[end:]


def _span(key: str, query: str) -> tuple[int, int]:
    """The first occurrence of the key in the query, in characters."""
    # Not \b: a key may begin or end with a sign, as in "v2.x (beta)".
    found = re.search(rf"(?<!\w){re.escape(key)}(?!\w)", query, re.IGNORECASE)
    if not key.strip() or found is None:
        raise ValueError(f"the words {key!r} are not in the query {query!r}; a key repeats whole words of it")
    return found.span()
