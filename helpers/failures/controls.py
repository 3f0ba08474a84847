"""The control of a counterfactual: would other words have brought the page back just as well?

A word taken from a page finds that page, whatever it means. So what is exchanged for the page's own
expressions is compared with words of the page that were chosen without regard to meaning; and it is tried on
the *other* pages that the query missed.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice

import numpy as np
import pandas as pd

from helpers.base import check_whole
from helpers.failures.counterfactuals import telling_words
from helpers.failures.report import FailureReport
from helpers.failures.rewordings import reword
from helpers.records import Corpus
from helpers.text import content_terms, plain_stopped

Swaps = Mapping[str, str]
Rewordings = Mapping[tuple[str, str], Swaps]
Way = Callable[[str, str, Swaps], Swaps]
"""From a query, a page's text and the exchanges as written to those that are made instead."""


def control_rewordings(
    report: FailureReport, rewordings: Rewordings, draws: int = 10, rng: np.random.Generator | int = 0
) -> pd.DataFrame:
    """How often a missed page comes back within k, by what is exchanged for the query's words.

    Rows: the words "as written" in `rewordings`, as many "telling words of the page" (`telling_words`) and
    "random words of the page" (the mean of `draws` draws), and "nothing". Columns: `this page` is the share
    of the missed pages with a rewording that come back when the query is reworded for them; `other pages` the
    share of pairs of such a page and another page that the same query missed in which that other page comes
    back. A copied word helps this page, and others so far as it is a word of their topic; so no row proves a
    cause. Missed pages that the corpus lacks, or has without text, no words bring back: they are left out,
    and `attrs["left out"]` says how many of those with a rewording.

    Raises ValueError where no missed page that has text has a rewording, and for draws that are no whole
    number from 1 up.

    >>> from helpers.failures import System, analyze
    >>> from helpers.records import Dataset
    >>> from helpers.retrieval import CsrBM25
    >>> corpus = {"d1": "Downtime in May", "d2": "Downtime in June", "d3": "Outage insurance"}
    >>> toy = Dataset("toy", "test", corpus, {"q1": "outage"}, {"q1": {"d1": 1, "d2": 1}}, "written by hand")
    >>> found = analyze(toy, System("BM25", CsrBM25), k=2)
    >>> control_rewordings(found, {("q1", "d1"): {"outage": "downtime"}}).loc["as written"].tolist()
    [1.0, 1.0]
    """
    check_whole("draws", draws, of="random draws")
    chosen, missed, n_left_out = _chosen(report, rewordings)
    ways = {
        "as written": lambda query, text, swaps: swaps,
        "telling words of the page": _telling(report.dataset.corpus),
        "random words of the page": partial(_drawn, rng=np.random.default_rng(rng)),
        "nothing": lambda query, text, swaps: dict.fromkeys(swaps, " "),
    }
    times = {"random words of the page": draws}
    rows = {name: _shares(report, chosen, missed, way, times.get(name, 1)) for name, way in ways.items()}
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["this page", "other pages"])
    table.attrs["left out"] = n_left_out
    return table.rename_axis("put in")


def _chosen(report: FailureReport, rewordings: Rewordings) -> tuple[Rewordings, dict[str, list[str]], int]:
    """The rewordings of missed pages with text, each query's missed pages with text, the number left out."""
    corpus, missed = report.dataset.corpus, report.misses.groupby("query_id")["doc_id"].agg(list).to_dict()
    reworded = {pair: swaps for pair, swaps in rewordings.items() if pair[1] in missed.get(pair[0], [])}
    chosen = {pair: swaps for pair, swaps in reworded.items() if corpus.get(pair[1], "").strip()}
    if not chosen:
        what = "a rewording and a text" if reworded else "a rewording"
        raise ValueError(
            f"none of the {len(report.misses)} missed documents has {what}; there is nothing to control"
        )
    with_text = {q: [d for d in doc_ids if corpus.get(d, "").strip()] for q, doc_ids in missed.items()}
    return chosen, with_text, len(reworded) - len(chosen)


def _telling(corpus: Corpus) -> Way:
    """The way to put in the most telling words of a page, as many as were written."""
    df = Counter(term for text in corpus.values() for term in content_terms(text))

    def way(query: str, text: str, swaps: Swaps) -> Swaps:
        words = iter(telling_words(text, text, query, df, len(corpus)))
        return {old: " ".join(islice(words, n)) or " " for old, n in _sizes(swaps).items()}

    return way


def _drawn(query: str, text: str, swaps: Swaps, rng: np.random.Generator) -> Swaps:
    """Content words of the text for those put in, as many, drawn without looking."""
    words = sorted(set(plain_stopped(text)))
    return {
        old: " ".join(rng.choice(words, min(n, len(words)), replace=False))
        for old, n in _sizes(swaps).items()
    }


def _sizes(swaps: Swaps) -> dict[str, int]:
    """How many content words were put in for each expression, one at least."""
    return {old: max(1, len(plain_stopped(new))) for old, new in swaps.items()}


def _shares(
    report: FailureReport, chosen: Rewordings, missed: Mapping[str, list[str]], way: Way, times: int
) -> tuple[float, float]:
    """The share of pages that come back to the query reworded for them, and of its other missed pages."""
    texts, corpus = report.dataset.queries, report.dataset.corpus
    pairs = [pair for pair in chosen for _ in range(times)]
    queries = {
        str(i): reword(texts[q], way(texts[q], corpus[d], chosen[q, d])) for i, (q, d) in enumerate(pairs)
    }
    run = report.index.search(queries, report.k)
    this, others = [], []
    for i, (query_id, doc_id) in enumerate(pairs):
        found = {found_id for found_id, _ in run[str(i)]}
        this.append(doc_id in found)
        others += [other in found for other in missed[query_id] if other != doc_id]
    return float(np.mean(this)), float(np.mean(others)) if others else float("nan")
