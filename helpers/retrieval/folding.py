"""Folds the hits of a run over chunks back to documents."""

from helpers.base import check_ids, check_mapping
from helpers.evaluation import as_scores, ranking, read_once
from helpers.records import Run


def to_documents(run: Run) -> Run:
    """A run over chunks as a run over documents, each once, with the score of its best chunk ("max-p").

    Raises ValueError for a query_id that is not text, an id that is no chunk id (`doc_id#number`), a list
    that is not sorted by score, a score that is not a number, a chunk that stands twice, and results that can
    be read only once and were read before.

    >>> to_documents({"q1": [("d1#0", 3.0), ("d1#4", 2.0), ("d2#1", 1.0)]})
    {'q1': [('d1', 3.0), ('d2', 1.0)]}
    """
    check_mapping("run", run, "{query_id: [(chunk_id, score), ...]}")
    check_ids(run, "run: query_id")
    folded: Run = {}
    doc_of: dict[str, str] = {}  # a chunk is found by many queries, and its id taken apart once
    for query_id, results in read_once(run).items():
        scores, best = as_scores(query_id, results), {}
        for rank, chunk_id in enumerate(ranking(query_id, scores), start=1):
            if chunk_id not in doc_of:
                doc_id, _, number = chunk_id.rpartition("#")
                if not (doc_id and number.isascii() and number.isdigit()):
                    where = f"run, query {query_id!r}, rank {rank}"
                    needed = "needed doc_id#number, e.g. 'doc_012#3'"
                    raise ValueError(f"{where}: {chunk_id!r} is no chunk id; {needed}")
                doc_of[chunk_id] = doc_id
            if (doc_id := doc_of[chunk_id]) not in best:
                best[doc_id] = scores[chunk_id]
        folded[query_id] = sorted(best.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
    return folded
