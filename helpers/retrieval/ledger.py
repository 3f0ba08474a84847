"""The score ledger: what each term of a query gives to a document's score, and why one document stands above another.

For `retrieval.CsrBM25` in every variant (TF-IDF is one) and for `retrieval.RankBM25`. Numbers only: `failures.highlight` has
the table with bars and the marked text, the formulas are in `bm25`, and what a failure was caused by is in `failures.causes`.
"""

from bisect import bisect_left
from collections import Counter
from difflib import get_close_matches

import numpy as np
import pandas as pd

from helpers.retrieval.bm25 import VARIANTS, round_length
from helpers.retrieval.retrievers import CsrBM25, RankBM25
from helpers.retrieval.sparse_index import SparseIndex

COLUMNS = ("in query", "tf", "df", "idf", "length norm", "weight", "score")


def explain(retriever: CsrBM25 | RankBM25, query: str, doc_id: str) -> pd.DataFrame:
    """The ledger of one query and one document: a row per term of the query, whose scores sum to the document's score.

    Index `term` (as the retriever's analyzer gives it), highest score first. `in query` and `tf` count the term in query and
    document, `df` is the number of documents with it. score = in query · idf · weight, where idf and weight are the
    retriever's own numbers. `length norm` is k1·(1 − b + b·dl / avgdl), what tf is weighed against: where tf equals it, half
    of what the term can give is reached (BM25L and BM25+ shift that). For "tf-idf" it is the length of the document's vector
    of tf · idf, by which that is divided.

    A term that the document lacks has weight 0, and with BM25L and BM25+ their w(0), the same for every document; a term that
    no document has, df 0 and score 0. A query without terms has an empty ledger. `attrs` holds doc_id, query, terms (the
    number of rows), retriever (its name), dl, avgdl and score, the sum.

    The sum is in 64 bits, and `search` reports it rounded to 32: within 1e-6 for scores below 32, and beyond that within
    6e-8 of the score. BM25L and BM25+ round twice, so there it is below 16, and 1.2e-7 of the score.

    Raises ValueError for another kind of retriever, for a doc_id that it has not indexed, and for a query that is not text.

    >>> retriever = CsrBM25({"d1": "pod killed", "d2": "the pod of a pod", "d3": "disk full"})
    >>> print(explain(retriever, "Killed pods!", "d1").round(3).to_string(index_names=False))
          in query  tf  df    idf  length norm  weight  score
    kill         1   1   1  0.981          0.9   0.526  0.516
    pod          1   1   2  0.470          0.9   0.526  0.247
    """
    if not isinstance(retriever, (CsrBM25, RankBM25)):
        raise ValueError(
            f"a {type(retriever).__name__} has no ledger: its scores are no sums over terms that could be read off; "
            "give a CsrBM25 or a RankBM25 (of a failures.system.Index, its .retriever)"
        )
    if not isinstance(query, str):
        raise ValueError(f"query is a {type(query).__name__}; needed the text of one query")
    number = _number(retriever.doc_ids, doc_id)
    entries = _csr_entries if isinstance(retriever, CsrBM25) else _rank_bm25_entries
    dl, avgdl, rows = entries(retriever, Counter(retriever.analyzer(query)), number)
    frame = pd.DataFrame(rows, columns=["term", *COLUMNS]).set_index("term")
    frame = frame.astype(
        dict.fromkeys(COLUMNS[:3], int) | dict.fromkeys(COLUMNS[3:], float)
    )  # with no rows too
    frame = frame.sort_values("score", ascending=False, kind="stable")
    frame.attrs = {
        "doc_id": doc_id,
        "query": query,
        "terms": len(frame),
        "retriever": retriever.name,
        "dl": dl,
        "avgdl": avgdl,
    }
    frame.attrs["score"] = float(frame["score"].sum())
    return frame


def why_above(retriever: CsrBM25 | RankBM25, query: str, doc_id_a: str, doc_id_b: str) -> pd.DataFrame:
    """Term by term, why document a stands above document b: two ledgers side by side, what favours a most comes first.

    Index `term`; columns `tf a`, `tf b`, `score a`, `score b` and `difference` = score a − score b, below zero where the term
    favours b. The differences sum to the difference of the two scores. `attrs` holds query, terms, retriever, avgdl and, as
    pairs (a, b), doc_ids, scores and dl. Raises ValueError as `explain` does.

    >>> retriever = CsrBM25({"d1": "pod killed", "d2": "the pod of a pod", "d3": "disk full"})
    >>> print(why_above(retriever, "Killed pods!", "d1", "d2").round(3).to_string(index_names=False))
          tf a  tf b  score a  score b  difference
    kill     1     0    0.516    0.000       0.516
    pod      1     2    0.247    0.324      -0.077
    """
    a, b = explain(retriever, query, doc_id_a), explain(retriever, query, doc_id_b)
    b = b.loc[a.index]
    columns = {"tf a": a["tf"], "tf b": b["tf"], "score a": a["score"], "score b": b["score"]}
    frame = pd.DataFrame({**columns, "difference": a["score"] - b["score"]})
    frame = frame.sort_values("difference", ascending=False, kind="stable")
    pairs = {"doc_ids": "doc_id", "scores": "score", "dl": "dl"}
    frame.attrs = {name: a.attrs[name] for name in ("query", "terms", "retriever", "avgdl")}
    frame.attrs |= {plural: (a.attrs[name], b.attrs[name]) for plural, name in pairs.items()}
    return frame


def _number(doc_ids: list[str], doc_id: str) -> int:
    """Where a document stands among the retriever's, which are sorted."""
    if not isinstance(doc_id, str):
        raise ValueError(f"doc_id {doc_id!r} is of type {type(doc_id).__name__}; ids are text, use str()")
    number = bisect_left(doc_ids, doc_id)
    if number == len(doc_ids) or doc_ids[number] != doc_id:
        nearby = doc_ids[
            max(0, number - 20_000) : number + 20_000
        ]  # to compare it with millions would take minutes
        near = get_close_matches(doc_id, nearby, n=3) or nearby[:3]
        raise ValueError(
            f"doc_id {doc_id!r} is not among the {len(doc_ids)} documents that the retriever has indexed; "
            f"there is {', '.join(map(repr, near))} (of a document cut into chunks, ask for one of its chunks)"
        )
    return number


def _csr_entries(retriever: CsrBM25, asked: Counter, number: int) -> tuple[int, float, list[tuple]]:
    """dl, avgdl, and a row per term. idf and weight are what the index holds, in its 32 bits; tf and dl are counted anew."""
    tf = Counter(retriever.analyzer(retriever.corpus[retriever.doc_ids[number]]))
    dl, avgdl = tf.total(), retriever.n_terms / len(retriever.doc_ids)
    variant = VARIANTS[retriever.variant]
    norm = _vector_length(retriever, tf) if variant.unit_rows else _length_norm(retriever, dl, avgdl)
    absent = variant.absent(retriever.k1, retriever.delta)
    rows = []
    for term, times in asked.items():
        column = retriever.vocabulary.get(term)
        if column is None:
            rows.append((term, times, 0, 0, 0.0, norm, 0.0, 0.0))
            continue
        idf, held = float(retriever.query_weights[column]), _held(retriever.index, column, number)
        score = float(np.float32(times * idf)) * held + times * float(
            retriever.absent[column]
        )  # rounded as in `search`
        rows.append((term, times, tf[term], int(retriever.df[column]), idf, norm, held + absent, score))
    return dl, avgdl, rows


def _length_norm(retriever: CsrBM25, dl: int, avgdl: float) -> float:
    length = float(round_length(np.array([dl]))[0]) if retriever.lucene_lengths else dl
    return retriever.k1 * (1 - retriever.b + retriever.b * length / (avgdl or 1.0))


def _vector_length(retriever: CsrBM25, tf: Counter) -> float:
    return (
        sum((n * float(retriever.query_weights[retriever.vocabulary[term]])) ** 2 for term, n in tf.items())
        ** 0.5
    )


def _held(index: SparseIndex, column: int, number: int) -> float:
    """The weight that the index holds for a term and a document, 0 where it holds none."""
    first, last = index.starts[column], index.starts[column + 1]
    place = first + np.searchsorted(index.documents[first:last], number)
    return float(index.weights[place]) if place < last and index.documents[place] == number else 0.0


def _rank_bm25_entries(retriever: RankBM25, asked: Counter, number: int) -> tuple[int, float, list[tuple]]:
    """The same from the counts and the idf of the `rank_bm25` package; it keeps no df, so that is counted here."""
    bm25 = retriever.bm25
    tfs, dl = bm25.doc_freqs[number], bm25.doc_len[number]
    norm = bm25.k1 * (1 - bm25.b + bm25.b * dl / bm25.avgdl)

    def row(term: str, times: int) -> tuple:
        tf, idf = tfs.get(term, 0), float(bm25.idf.get(term, 0.0))
        df = sum(term in counts for counts in bm25.doc_freqs)
        weight = tf * (bm25.k1 + 1) / (tf + norm)
        return term, times, tf, df, idf, norm, weight, times * idf * weight

    return dl, bm25.avgdl, [row(term, times) for term, times in asked.items()]
