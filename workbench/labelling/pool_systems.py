"""The systems whose first documents a person reads: which they are, and what each finds for a query.

A pool made from one system knows nothing of what others would find, so three that work differently make it.
"""

from collections.abc import Mapping
from functools import cached_property

from helpers.records import Corpus, Retriever, Run
from helpers.retrieval import CsrBM25, LatentRetriever, RankBM25
from helpers.text import lucene_english, plain

SYSTEMS = {
    "csr-bm25, English stems": lambda corpus: CsrBM25(corpus, lucene_english),
    "rank-bm25, plain words": lambda corpus: RankBM25(corpus, plain),
    "latent semantic": LatentRetriever,
}
"""Two that match words differently, and one that finds pages without a word of the query."""


class PoolSystems:
    """The systems over one corpus, to the depth k. They are built for the first query; every answer is kept.

    >>> systems = PoolSystems({"d1": "use the key", "d2": "soup for lunch", "d3": "a key and a lock"}, k=1)
    >>> systems.pooled("locks")
    ['d3']
    """

    def __init__(self, corpus: Corpus, k: int):
        self.corpus, self.k = corpus, k
        self._answers: dict[str, dict[str, list[tuple[str, float]]]] = {}

    @cached_property
    def retrievers(self) -> dict[str, Retriever]:
        """`{system: retriever}`. Built late: opening a large project must not take a minute."""
        return {system: make(self.corpus) for system, make in SYSTEMS.items()}

    def pooled(self, query: str) -> list[str]:
        """The documents that any system has among its first k, by doc_id, which tells nothing of rank."""
        return sorted({doc_id for results in self._ask(query).values() for doc_id, _ in results})

    def runs(self, queries: Mapping[str, str]) -> dict[str, Run]:
        """`{system: run}` for `{query_id: text}`, k documents a query."""
        answers = {query_id: self._ask(query) for query_id, query in queries.items()}
        return {name: {query_id: found[name] for query_id, found in answers.items()} for name in SYSTEMS}

    def _ask(self, query: str) -> dict[str, list[tuple[str, float]]]:
        if query not in self._answers:
            retrievers = self.retrievers.items()
            self._answers[query] = {name: one.search({"": query}, self.k)[""] for name, one in retrievers}
        return self._answers[query]
