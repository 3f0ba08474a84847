"""What the retrievers of all engines share: the package that is needed, the tie rule, filters by group."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType

import numpy as np

from helpers.base import check_ids, check_option, check_type, check_whole
from helpers.records import Corpus, Queries, Run
from helpers.retrieval import check_corpus, check_queries

FILTERED = ("before", "after")
"""When a filter works: before the search, which then finds the k best of what is left; or after it, on the k
that it found."""

Hits = tuple[np.ndarray, np.ndarray]
"""What an engine gives for a query: the documents' numbers and their scores, best first."""


def package(name: str, extra: str) -> ModuleType:
    """An engine's package. Raises ModuleNotFoundError, with the command that installs it, where it is not.

    >>> package("tantivi", "engines")
    Traceback (most recent call last):
    ModuleNotFoundError: this engine needs the package tantivi: pip install 'measure-first[engines]'
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.partition(".")[0]:  # it is there, and lacks something itself
            raise
        cure = f"pip install 'measure-first[{extra}]'"
        raise ModuleNotFoundError(f"this engine needs the package {name}: {cure}", name=name) from None


class EngineRetriever:
    """A corpus goes into an engine once, its documents numbered by their sorted ids; then queries are asked.

    A class of an engine gives `_asked(texts)`, each query in the form that the engine takes (None for one
    that cannot find anything), and `_hits(asked, limit, group)`, its best `limit` documents (those of a
    group), of which equal ones may come in any order and any of them may be missing at the end.
    """

    def __init__(self, corpus: Corpus, groups: Mapping[str, str] | None):
        check_corpus(corpus)
        self.corpus, self.doc_ids = corpus, sorted(corpus)  # so that "higher number first" is "doc_id down"
        self.groups = _checked_groups(groups, corpus)

    def search(self, queries: Queries, k: int = 100) -> Run:
        """`{query_id: [(doc_id, score), ...]}` for every query, `[]` for one that finds nothing."""
        check_queries(queries)
        return self._run(queries, k, dict.fromkeys(queries))

    def search_in_group(
        self, queries: Queries, groups: Mapping[str, str], k: int = 100, filtered: str = "before"
    ) -> Run:
        """The same among the documents of one group only: `groups` names that of every query.

        Filtered "before", the engine finds the k best of the group. Filtered "after", it finds the k best of
        all, and those of other groups are dropped: fewer than k come back, often none. Scores do not change:
        counts of documents and mean lengths stay those of the whole collection.

        Raises ValueError where the retriever was made without groups, and for a query that has none.
        """
        check_queries(queries)
        check_option("filtered", filtered, FILTERED)
        if self.groups is None:
            raise ValueError(
                "this retriever was made without groups; give it groups={doc_id: group} with the corpus"
            )
        if missing := [query_id for query_id in queries if query_id not in groups]:
            raise ValueError(f"groups has none for query {missing[0]!r}; needed {{query_id: group}} for all")
        if filtered == "before":
            return self._run(queries, k, groups)
        run = self._run(queries, k, dict.fromkeys(queries))
        return {
            query_id: [hit for hit in hits if self.groups[hit[0]] == groups[query_id]]
            for query_id, hits in run.items()
        }

    def _run(self, queries: Queries, k: int, groups: Mapping[str, str | None]) -> Run:
        check_whole("k", k, least=0, of="documents")
        run: Run = {}
        for query_id, asked in zip(queries, self._asked(list(queries.values())), strict=True):
            run[query_id] = [] if asked is None or not k else self._best(asked, k, groups[query_id])
        return run

    def _best(self, asked: object, k: int, group: str | None) -> list[tuple[str, float]]:
        """The k best, of equal scores the higher doc_id first, whatever the engine does with those."""
        n_documents = len(self.doc_ids)
        limit = min(k + 1, n_documents)
        while True:
            numbers, scores = self._hits(asked, limit, group)
            scores = np.asarray(scores, dtype=np.float32)
            # Whatever equals the k-th must be here: there is something worse behind it, or nothing at all.
            if len(scores) < limit or limit == n_documents or scores[-1] < scores[k - 1]:
                break
            limit = min(4 * limit, n_documents)
        order = np.lexsort((-np.asarray(numbers), -scores))[:k]
        return [(self.doc_ids[numbers[i]], float(scores[i])) for i in order]

    def _asked(self, texts: Sequence[str]) -> Sequence[object]:
        """Each engine's own: the queries in the form in which it takes them."""
        raise NotImplementedError

    def _hits(self, asked: object, limit: int, group: str | None) -> Hits:
        """Each engine's own: numbers and scores of at most `limit` documents of a group, best first."""
        raise NotImplementedError

    def _group_of_each(self) -> list[str]:
        """The group of each document, in the order of their numbers; "" where there are none."""
        return ["" if self.groups is None else self.groups[doc_id] for doc_id in self.doc_ids]


def _checked_groups(groups: Mapping[str, str] | None, corpus: Corpus) -> Mapping[str, str] | None:
    if groups is None:
        return None
    check_type("groups", groups, Mapping, "give a dict {doc_id: group}")
    if missing := [doc_id for doc_id in corpus if doc_id not in groups]:
        raise ValueError(f"groups has no entry for document {missing[0]!r}; needed {{doc_id: group}} for all")
    check_ids(groups.values(), "groups: group")
    if "" in groups.values():
        raise ValueError("groups has a group named ''; needed a name of one letter or more for each")
    return groups
