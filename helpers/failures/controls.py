"""The controls of a rewording: would other words of the same page, or of any page, have done as well?"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers.base import check_rng, check_whole
from helpers.failures.report import FailureReport
from helpers.failures.rewordings import (
    Rewordings,
    Swaps,
    check_rewordings,
    document_frequencies,
    reword,
    words_by_formula,
    words_by_lot,
)


def control_rewordings(
    report: FailureReport, rewordings: Rewordings, draws: int = 10, rng: np.random.Generator | int = 0
) -> pd.DataFrame:
    """How often a page comes within k, by what is put in the place of the query's words.

    Rows: the words "as written" in `rewordings`; as many words of the page "by formula" (`telling_words`) or
    "by lot" (the mean of `draws` draws), neither of which knows what they mean; and "none". Columns: the
    share of the `missed` pages with a rewording that come back when the query is reworded for them, and the
    same of the `useless` pages beside them, with words of their own (nan: nobody wrote any for those).

    Raises ValueError where no missed page that has text has a rewording, and for draws that are no whole
    number from 1 up.

    >>> from helpers.failures import System, analyze
    >>> from helpers.records import Dataset
    >>> from helpers.retrieval import CsrBM25
    >>> corpus = {"d1": "Downtime in May", "d2": "Lunch in June", "d3": "Outage insurance"}
    >>> toy = Dataset("toy", "test", corpus, {"q1": "outage"}, {"q1": {"d1": 1}}, "written by hand")
    >>> found = analyze(toy, System("BM25", CsrBM25), k=1)
    >>> control_rewordings(found, {("q1", "d1"): {"outage": "downtime"}}).loc["by lot"].tolist()
    [1.0, 1.0]
    """
    check_whole("draws", draws, of="random draws")
    check_rewordings(rewordings)
    rng, texts = check_rng(rng), report.dataset.corpus
    df, n = document_frequencies(texts), len(texts)
    chosen = [
        (row, rewordings[row.query_id, row.doc_id])
        for row in report.misses.itertuples()
        if (row.query_id, row.doc_id) in rewordings and texts.get(row.doc_id, "").strip()
    ]
    if not chosen:
        missed = f"none of the {len(report.misses)} missed documents has text and a rewording"
        raise ValueError(f"{missed}; there is nothing to control")
    tried: dict[tuple[str, str], list[tuple[str, str, Swaps]]] = {}
    for row, swaps in chosen:
        asked = report.dataset.queries[row.query_id]
        tried.setdefault(("as written", "missed"), []).append((row.query_id, row.doc_id, swaps))
        for side, doc_id in {"missed": row.doc_id, "useless": row.neighbour}.items():
            if doc_id:
                ways = {"by formula": [words_by_formula(texts[doc_id], asked, swaps, df, n)]}
                ways["by lot"] = [words_by_lot(texts[doc_id], swaps, rng) for _ in range(draws)]
                ways["none"] = [dict.fromkeys(swaps, " ")]
                for name, several in ways.items():
                    tried.setdefault((name, side), []).extend((row.query_id, doc_id, one) for one in several)
    shares = {key: _share_within_k(report, ways) for key, ways in tried.items()}
    table = pd.Series(shares).unstack().reindex(["as written", "by formula", "by lot", "none"])
    return table.reindex(columns=["missed", "useless"]).rename_axis("words put in")


def _share_within_k(report: FailureReport, ways: list[tuple[str, str, Mapping[str, str]]]) -> float:
    """The share of documents that are among the first k for their query, each reworded in its own way."""
    queries = {str(n): reword(report.dataset.queries[q], swaps) for n, (q, _, swaps) in enumerate(ways)}
    run = report.index.search(queries, report.k)
    found = [doc_id in dict(run.get(str(n), [])) for n, (_, doc_id, _) in enumerate(ways)]
    return float(np.mean(found))
