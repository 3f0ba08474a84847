"""BM25 on BEIR's datasets, measured beside published: what `python -m course beir` computes."""

from collections.abc import Callable, Iterable, Iterator

import pandas as pd

from helpers.datasets import BASELINE, FORUMS, default_split, load_beir, obtain_beir, parts, published
from helpers.evaluation import STORED_METRICS, evaluate_retrieval, result_row, without_own_ids
from helpers.records import Dataset
from helpers.retrieval import CsrBM25
from helpers.text import Analyzer, lucene_english

_DEPTH = 1000


def measure_all(
    names: Iterable[str],
    analyzer: Analyzer = lucene_english,
    max_docs: int | None = None,
    say: Callable[[str], None] = print,
) -> Iterator[tuple[list[dict], str]]:
    """For each dataset its result rows and "", or no row and why it failed; the next one is measured all
    the same."""
    for name in names:
        try:
            yield measure(name, analyzer, max_docs, say), ""
        except BrokenPipeError:  # nobody reads our output any more
            raise
        except (OSError, ValueError, MemoryError) as error:
            yield [], f"{type(error).__name__}: {error}"


def measure(
    name: str,
    analyzer: Analyzer = lucene_english,
    max_docs: int | None = None,
    say: Callable[[str], None] = print,
) -> list[dict]:
    """Result rows, one a collection: for cqadupstack those of its twelve forums, and before them their mean.

    BM25 with k1=0.9 and b=0.4 on title and text, 1,000 results a query, a query's own document left out, on
    the split that published figures use. With `lucene_english` also Lucene's one-byte lengths: Anserini's
    settings.
    """
    for part in parts(name):
        obtain_beir(part)  # all twelve forums, before the first is measured
    rows = []
    for part in parts(name):
        dataset = load_beir(part, default_split(name), max_docs=max_docs)
        say(str(dataset))
        rows.append(_row(dataset, analyzer))
    return [_mean_row(name, rows), *rows] if len(rows) > 1 else rows


def beside_published(rows: Iterable[dict]) -> pd.DataFrame:
    """One line per row and published metric: measured, published by Anserini for BM25, the difference; blank
    if none.

    >>> row = {"dataset": "scifact", "queries": 300, "metrics": {"nDCG@10": 0.6789}}
    >>> beside_published([row | {"published": {"nDCG@10": 0.6647}}]).values.tolist()
    [['scifact', 300, 'nDCG@10', 0.6789, 0.6647, 0.0142]]
    """
    lines = [
        {
            "dataset": row["dataset"],
            "queries": row["queries"],
            "metric": metric,
            "measured": row["metrics"][metric],
            "published": row["published"].get(metric),
        }
        for row in rows
        for metric in STORED_METRICS[:3]
        if metric in row["metrics"]
    ]
    table = pd.DataFrame(lines, columns=["dataset", "queries", "metric", "measured", "published"])
    difference = (table["measured"] - table["published"].astype(float)).round(4)
    table["difference"] = difference + 0.0  # so that no "-0.0000" is printed
    return table


def _row(dataset: Dataset, analyzer: Analyzer) -> dict:
    retriever = CsrBM25(dataset.corpus, analyzer, lucene_lengths=analyzer is lucene_english)
    run = without_own_ids(retriever.search(dataset.queries, _DEPTH + 1), _DEPTH)
    evaluation = evaluate_retrieval(run, dataset.qrels, k_values=(10, 100, 1000))
    return result_row(dataset, retriever.name, evaluation, published(dataset.name, BASELINE))


def _mean_row(name: str, rows: list[dict]) -> dict:
    """The mean over collections, each counting the same, as published; documents and queries are added up."""
    truncated = any(row["dataset"] not in FORUMS for row in rows)
    return rows[0] | {
        "dataset": f"{name} (truncated)" if truncated else name,
        "documents": sum(row["documents"] for row in rows),
        "queries": sum(row["queries"] for row in rows),
        "metrics": {
            metric: round(sum(row["metrics"][metric] for row in rows) / len(rows), 6)
            for metric in rows[0]["metrics"]
        },
        "published": {} if truncated else published(name, BASELINE),
    }
