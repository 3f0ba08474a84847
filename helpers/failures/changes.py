"""What can be changed in a system before it is asked again, one thing at a time: words, cut, weights."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from helpers.base import progress
from helpers.failures.system import Index, System
from helpers.records import Corpus, Queries, Retriever, Run
from helpers.retrieval import CsrBM25
from helpers.text import FUNCTION_WORDS, chunk_paragraphs, stem


def usual_changes(system: System, index: Index) -> dict[str, System]:
    """The changes that need nothing but the system itself, by name; `index` is the system over its corpus.

    "stems": words of queries and documents are reduced to their stems. "no function words": *the*, *what* and
    their like are taken out. Both are left out where the retriever has no analyzer, or one that does so
    already. "whole documents" for a system that cuts, "paragraphs" for one that does not. "tf-idf": other
    weights for the same words. A retriever that is there already has no changes at all. Add what else you
    have, as an engine that compares meanings:
    `usual_changes(system, index) | {"dense": System("dense", …)}`.

    >>> system = System("BM25", CsrBM25)
    >>> list(usual_changes(system, system.index({"d1": "a cat"})))
    ['no function words', 'paragraphs', 'tf-idf']
    """
    if system.is_there:  # what it has indexed is not ours to change
        return {}
    analyzer, changes = getattr(index.retriever, "analyzer", None), {}
    if analyzer and analyzer("renewing") != analyzer("renew"):
        changes["stems"] = reading(system, stems)
    if analyzer and analyzer("what"):
        changes["no function words"] = reading(system, without_function_words)
    if system.chunker:
        changes["whole documents"] = system.whole()
    else:
        changes["paragraphs"] = replace(system, chunker=chunk_paragraphs)
    if analyzer:
        changes["tf-idf"] = replace(system, build=lambda corpus: CsrBM25(corpus, analyzer, variant="tf-idf"))
    return changes


def reading(system: System, change: Callable[[str], str]) -> System:
    """The same system, reading every document (after it is cut) and every query as changed."""

    def build(corpus: Corpus) -> Reading:
        shown = progress(corpus.items(), desc="changing words", unit="document")
        changed = {doc_id: change(text) for doc_id, text in shown}
        has_words = any(re.search(r"\w", text) for text in changed.values())
        return Reading(system.build(changed) if has_words else None, change)

    return replace(system, build=build)


@dataclass
class Reading:
    """A retriever whose queries are changed before they are searched; None, where no word was left."""

    retriever: Retriever | None
    change: Callable[[str], str]

    def search(self, queries: Queries, k: int) -> Run:
        if self.retriever is None:
            return {}
        return self.retriever.search({query_id: self.change(text) for query_id, text in queries.items()}, k)


def stems(text: str) -> str:
    """Each word reduced to its stem, in small letters.

    >>> stems("Renewing the broker's certificates")
    "renew the broker's certif"
    """
    return re.sub(r"\w+", lambda word: stem(word[0].lower()), text)


def without_function_words(text: str) -> str:
    """The text without words that carry grammar rather than content.

    >>> without_function_words("What is in the cache?").split()
    ['cache?']
    """
    return re.sub(r"\w+", lambda word: "" if word[0].lower() in FUNCTION_WORDS else word[0], text)
