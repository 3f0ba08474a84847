"""The score ledger: what each term of a query gives to a document's score, and why one stands above another.

Any retriever with a method `explain(query, doc_id)` can be asked; it builds its table with `ledger_frame`.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from difflib import get_close_matches
from typing import Protocol

import pandas as pd

from helpers.base import check_ids

COLUMNS = ("in query", "tf", "df", "idf", "length norm", "weight", "score")


class Explaining(Protocol):
    """A retriever whose scores are sums over the query's terms, and which says what each of them gives."""

    def explain(self, query: str, doc_id: str) -> pd.DataFrame: ...


def explain(retriever: Explaining, query: str, doc_id: str) -> pd.DataFrame:
    """The ledger of a query and a document: a row per term of the query; they sum to the document's score.

    Index `term` (as the retriever's analyzer gives it), highest score first. `in query` and `tf` count the
    term in query and document, `df` is the number of documents with it. score = in query · idf · weight,
    where idf and weight are the retriever's own numbers. `length norm` is k1·(1 − b + b·dl / avgdl), what tf
    is weighed against: where tf equals it, half of what the term can give is reached (BM25L and BM25+ shift
    that). For "tf-idf" it is the length of the document's vector of tf · idf, by which that is divided.

    A term that the document lacks has weight 0, and with BM25L and BM25+ their w(0), the same for every
    document; a term that no document has, df 0 and score 0. A query without terms has an empty ledger.
    `attrs` holds doc_id, query, terms (the number of rows), retriever (its name), dl, avgdl and score, the
    sum.

    The sum is in 64 bits, and `search` reports it rounded to 32: within 1e-6 for scores below 32, and beyond
    that within 6e-8 of the score. BM25L and BM25+ round twice, so there it is below 16, and 1.2e-7 of the
    score.

    Raises ValueError for another kind of retriever, for a doc_id that it has not indexed, and for a query
    that is not text.

    >>> from helpers.retrieval import CsrBM25
    >>> retriever = CsrBM25({"d1": "pod killed", "d2": "the pod of a pod", "d3": "disk full"})
    >>> print(explain(retriever, "Killed pods!", "d1").round(3).to_string(index_names=False))
          in query  tf  df    idf  length norm  weight  score
    kill         1   1   1  0.981          0.9   0.526  0.516
    pod          1   1   2  0.470          0.9   0.526  0.247
    """
    if not hasattr(retriever, "explain"):
        raise ValueError(
            f"a {type(retriever).__name__} has no ledger: its scores are no sums over terms that could be "
            "read off; give a CsrBM25 or a RankBM25 (of a failures.system.Index, its .retriever)"
        )
    return retriever.explain(query, doc_id)


def why_above(retriever: Explaining, query: str, doc_id_a: str, doc_id_b: str) -> pd.DataFrame:
    """Why document a stands above document b: two ledgers side by side, what favours a most comes first.

    Index `term`; columns `tf a`, `tf b`, `score a`, `score b` and `difference` = score a − score b, below
    zero where the term favours b. The differences sum to the difference of the two scores. `attrs` holds
    query, terms, retriever, avgdl and, as pairs (a, b), doc_ids, scores and dl. Raises ValueError as
    `explain` does.

    >>> from helpers.retrieval import CsrBM25
    >>> retriever = CsrBM25({"d1": "pod killed", "d2": "the pod of a pod", "d3": "disk full"})
    >>> print(why_above(retriever, "Killed pods!", "d1", "d2").round(3).to_string(index_names=False))
          tf a  tf b  score a  score b  difference
    kill     1     0    0.516    0.000       0.516
    pod      1     2    0.247    0.324      -0.077
    """
    a, b = explain(retriever, query, doc_id_a), explain(retriever, query, doc_id_b)
    if not has_terms(retriever):
        cure = "explain says of each document what makes its score"
        raise ValueError(f"a {type(retriever).__name__} does not score by the terms of a text; {cure}")
    b = b.loc[a.index]
    columns = {"tf a": a["tf"], "tf b": b["tf"], "score a": a["score"], "score b": b["score"]}
    frame = pd.DataFrame({**columns, "difference": a["score"] - b["score"]})
    frame = frame.sort_values("difference", ascending=False, kind="stable")
    pairs = {"doc_ids": "doc_id", "scores": "score", "dl": "dl"}
    frame.attrs = {name: a.attrs[name] for name in ("query", "terms", "retriever", "avgdl")}
    frame.attrs |= {plural: (a.attrs[name], b.attrs[name]) for plural, name in pairs.items()}
    return frame


def has_terms(retriever: object) -> bool:
    """Whether a retriever explains its scores by terms that its analyzer finds, with tf and idf, like BM25.

    A dense, learned sparse or fused retriever explains a score too, in a table of its own.
    """
    return hasattr(retriever, "explain") and hasattr(retriever, "analyzer")


def ledger_frame(
    retriever: Explaining, query: str, doc_id: str, entries: Callable[[Counter, int], tuple[int, float, list]]
) -> pd.DataFrame:
    """The table that `explain` gives, from `entries(counts of the query's terms, the document's number)`.

    That gives dl, avgdl, and for each term of the query a row: the term and its numbers, as in `COLUMNS`.
    """
    if not isinstance(query, str):
        raise ValueError(f"query is a {type(query).__name__}; needed the text of one query")
    number = document_number(retriever.doc_ids, doc_id)
    dl, avgdl, rows = entries(Counter(retriever.analyzer(query)), number)
    frame = pd.DataFrame(rows, columns=["term", *COLUMNS]).set_index("term")
    # With no rows too the columns are numbers.
    frame = frame.astype(dict.fromkeys(COLUMNS[:3], int) | dict.fromkeys(COLUMNS[3:], float))
    frame = frame.sort_values("score", ascending=False, kind="stable")
    about = {"doc_id": doc_id, "query": query, "terms": len(frame), "retriever": retriever.name}
    frame.attrs = {**about, "dl": dl, "avgdl": avgdl, "score": float(frame["score"].sum())}
    return frame


def document_number(doc_ids: list[str], doc_id: str) -> int:
    """The row of a document among the retriever's, which are sorted."""
    check_ids([doc_id], "doc_id")
    number = bisect_left(doc_ids, doc_id)
    if doc_ids[number : number + 1] != [doc_id]:
        # Only ids near it in the order: comparing it with millions would take minutes.
        nearby = doc_ids[max(0, number - 20_000) : number + 20_000]
        near = get_close_matches(doc_id, nearby, n=3) or nearby[:3]
        raise ValueError(
            f"doc_id {doc_id!r} is not among the {len(doc_ids)} documents that the retriever has indexed; "
            f"there is {', '.join(map(repr, near))} (of one cut into chunks, ask for one of its chunks)"
        )
    return number
