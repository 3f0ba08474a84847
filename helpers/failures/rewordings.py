"""A query in the words of one page; and words of a page chosen without regard to meaning, as a control.

Which words are exchanged was written down by reading query and page, before any of the reworded queries was
searched; they are in `evals/rewordings.jsonl`.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import islice
from math import log
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, Field, ValidationError

from helpers.base import check_mapping, files, first_few, invalid_fields, json_records
from helpers.records import Corpus
from helpers.text import content_terms, content_words, plain, plain_stopped, stem

Swaps = Mapping[str, str]
"""Words of a query, and what to put in their place."""
Rewordings = Mapping[tuple[str, str], Swaps]
"""(query_id, doc_id) -> the exchanges written for that page."""
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
    form = '{"query_id": "q1", "doc_id": "d1", "swaps": {"outage": "downtime"}}'
    for where, line in json_records(Path(path), form):
        try:
            found = Rewording.model_validate_json(line)
        except ValidationError as error:
            raise ValueError(f"{where}: {invalid_fields(error)[0]}") from None
        if (found.query_id, found.doc_id) in rewordings:
            pair = f"query {found.query_id!r} and document {found.doc_id!r}"
            raise ValueError(f"{where}: {pair} have an earlier line too; keep one of them")
        rewordings[found.query_id, found.doc_id] = found.swaps
    return rewordings


def check_rewordings(rewordings: Rewordings, query_ids: Collection[str] = ()) -> None:
    """Raises ValueError for what is no `{(query_id, doc_id): {words: words}}`, or is of none of these
    queries.

    >>> check_rewordings({"q1": {"outage": "downtime"}})
    Traceback (most recent call last):
    ValueError: rewordings has the key 'q1'; needed {(query_id, doc_id): {words: words}}
    """
    form = "{(query_id, doc_id): {words: words}}"
    check_mapping("rewordings", rewordings, form)
    for pair, swaps in rewordings.items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ValueError(f"rewordings has the key {pair!r:.60}; needed {form}")
        check_mapping(f"rewordings, {pair!r:.60}:", swaps, "{words of the query: words of the page}")
    if query_ids and rewordings and not any(query_id in query_ids for query_id, _ in rewordings):
        pair = next(iter(rewordings))
        have = first_few(map(repr, query_ids), 3)
        raise ValueError(f"rewordings are of other queries, e.g. {pair!r:.60}; the dataset has {have}")


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


def words_by_lot(text: str, swaps: Swaps, rng: np.random.Generator) -> dict[str, str]:
    """In place of what was written, as many words of a text, drawn without looking at what they mean.

    >>> words_by_lot("Downtime.", {"outage": "a long stop"}, np.random.default_rng(0))
    {'outage': 'downtime'}
    """
    words = _words_to_draw(text)
    return {
        old: " ".join(rng.choice(words, min(n, len(words)), replace=False))
        for old, n in _sizes(swaps).items()
    }


@lru_cache(maxsize=1024)
def _words_to_draw(text: str) -> np.ndarray:
    """Remembered, for it is drawn from one text hundreds of times."""
    return np.array(sorted(set(plain_stopped(text))) or [" "])


def words_by_formula(text: str, query: str, swaps: Swaps, df: Counter, n_documents: int) -> dict[str, str]:
    """In place of what was written, as many of a text's most telling words, each once."""
    words = iter(telling_words(text, query, df, n_documents))
    return {old: " ".join(islice(words, n)) or " " for old, n in _sizes(swaps).items()}


def telling_words(text: str, query: str, df: Counter, n_documents: int) -> list[str]:
    """The words of a text that a query lacks, most telling of it first: by tf · ln(n_documents / df).

    tf and df (`document_frequencies`) are those of stems. Words that no other document has come last: they
    would find this one whatever it says. Numbers and words of one or two letters are left out. Raises
    ValueError for a df above n_documents.

    >>> df = Counter(downtim=2, fridai=2, end=4, bai=1)
    >>> telling_words("Downtime: Friday's downtime in bay 7 ended.", "outage", df, n_documents=4)
    ['downtime', 'friday', 'ended', 'bay']
    """
    tf, in_query = Counter(stem(word) for word in plain(text)), set(plain(query))
    stems = {
        word: term
        for term, word in content_words(text).items()
        if word not in in_query and word.isalpha() and len(word) > 2
    }

    for term in stems.values():
        if df[term] > n_documents:
            of = "were they counted over another corpus?"
            raise ValueError(f"df of {term!r} is {df[term]:,}, and n_documents {n_documents:,}; {of}")

    def order(word: str) -> tuple[bool, float, str]:
        term = stems[word]
        return df[term] < 2, -tf[term] * log(n_documents / max(df[term], 1)), word

    return sorted(stems, key=order)


def document_frequencies(corpus: Corpus) -> Counter:
    """In how many documents each content word occurs, by its stem.

    >>> document_frequencies({"d1": "a cat", "d2": "the cats"})
    Counter({'cat': 2})
    """
    return Counter(term for text in corpus.values() for term in content_terms(text))


def _sizes(swaps: Swaps) -> dict[str, int]:
    """How many content words were put in for each expression, one at least."""
    return {old: max(1, len(plain_stopped(new))) for old, new in swaps.items()}
