"""The systems whose first documents a person reads: which they are, and what each finds for a query.

A pool made from one system knows nothing of what only another would find, so three that work differently make it. Pools that
compare runs of your own are in `pooling`.
"""

from collections.abc import Mapping
from functools import cached_property

from helpers.judgments import pool
from helpers.records import Corpus, Run
from helpers.retrieval import CsrBM25, LatentRetriever, RankBM25
from helpers.text import lucene_english, plain

SYSTEMS = {
    "csr-bm25, English stems": lambda corpus: CsrBM25(corpus, lucene_english),
    "rank-bm25, plain words": lambda corpus: RankBM25(corpus, plain),
    "latent semantic": LatentRetriever,
}
"""Two that match words in different ways, and one that finds pages without a word of the query. Each takes a corpus."""


class PoolSystems:
    """The systems over one corpus, to the depth k. They are built when the first query is asked, and every answer is kept.

    >>> systems = PoolSystems({"d1": "use the key", "d2": "soup for lunch", "d3": "a key and a lock"}, k=1)
    >>> systems.pooled("locks")
    ['d3']
    """

    def __init__(self, corpus: Corpus, k: int):
        self.corpus, self.k = corpus, k
        self._answers: dict[str, dict[str, list[tuple[str, float]]]] = {}

    @cached_property
    def retrievers(self) -> dict:
        """`{system: retriever}`. Built late: opening a large project must not take a minute."""
        return {system: make(self.corpus) for system, make in SYSTEMS.items()}

    def pooled(self, query: str) -> list[str]:
        """The documents that any system has among its first k, sorted by doc_id, which tells nothing of rank or system."""
        runs = {system: {"": results} for system, results in self._ask(query).items()}
        return pool(runs, {}, self.k)["doc_id"].tolist()

    def runs(self, queries: Mapping[str, str]) -> dict[str, Run]:
        """`{system: run}` for `{query_id: text}`, k documents a query."""
        answers = {query_id: self._ask(query) for query_id, query in queries.items()}
        return {
            system: {query_id: answer[system] for query_id, answer in answers.items()} for system in SYSTEMS
        }

    def _ask(self, query: str) -> dict[str, list[tuple[str, float]]]:
        if query not in self._answers:
            found = {
                system: retriever.search({"": query}, self.k)[""]
                for system, retriever in self.retrievers.items()
            }
            self._answers[query] = found
        return self._answers[query]
