"""BM25, or a model of vectors, on BEIR's datasets, measured beside published: what `python -m course beir`
computes."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd

from helpers.base import counted, folded
from helpers.datasets import (
    BASELINE,
    FORUMS,
    default_split,
    load_beir,
    obtain_beir,
    other_size,
    parts,
    published,
    published_figures,
)
from helpers.encoders import load_encoder, model_card, obtain_weights
from helpers.evaluation import STORED_METRICS, evaluate_retrieval, result_row, without_own_ids
from helpers.records import Dataset, Retriever, Run
from helpers.retrieval import CsrBM25, DenseRetriever, LearnedSparseRetriever
from helpers.text import Analyzer, lucene_english

_DEPTH = 1000
PUBLISHED_AS = {
    "all-MiniLM-L6-v2": "all-MiniLM-L6-v2",
    "contriever": "Contriever (unsupervised)",
    "splade++": "SPLADE++ ED",
    "splade-v3": "SPLADE-v3",
}
"""Under which name the figures of a model of the catalogue are published, where they are."""


def load_model(name: str, batch_size: int = 32) -> object:
    """The encoder of a catalogue's name, a repository or a folder; weights that are missing are obtained.

    Raises `fetch.Unavailable` where they cannot be, ValueError for a name that there is not.
    """
    if name and Path(name).expanduser().is_dir():
        return _retrieves(load_encoder(Path(name).expanduser(), batch_size=batch_size), name)
    card = model_card(name)
    obtain_weights(card.name)
    return _retrieves(load_encoder(card.name, batch_size=batch_size), name)


def _retrieves(encoder: object, name: str) -> object:
    if not hasattr(encoder, "encode_documents"):
        raise ValueError(f"{name!r} is a cross-encoder, which has no vectors to search by; it reranks")
    return encoder


def measure_all(
    names: Iterable[str],
    analyzer: Analyzer = lucene_english,
    max_docs: int | None = None,
    say: Callable[[str], None] = print,
    model: object | None = None,
    path: str | Path | None = None,
    split: str | None = None,
) -> Iterator[tuple[list[dict], str]]:
    """For each dataset its result rows and "", or no row and why it failed; the next one is measured all
    the same."""
    for name in names:
        try:
            yield measure(name, analyzer, max_docs, say, model, path, split), ""
        except BrokenPipeError:  # nobody reads our output any more
            raise
        except (OSError, ValueError, MemoryError) as error:
            yield [], str(error) or type(error).__name__


def measure(
    name: str,
    analyzer: Analyzer = lucene_english,
    max_docs: int | None = None,
    say: Callable[[str], None] = print,
    model: object | None = None,
    path: str | Path | None = None,
    split: str | None = None,
) -> list[dict]:
    """Result rows, one a collection: for cqadupstack those of its twelve forums, and before them their mean.

    With a `path` the folder of your own that lies there, in BEIR's layout, with the qrels of a `split`. A
    collection of another size than BEIR's of that name is another one, which its name then says, and has no
    published figure beside it.

    BM25 with k1=0.9 and b=0.4 on title and text, 1,000 results a query, a query's own document left out (in a
    folder of your own one that has the query's id and holds its text), on the split that published figures
    use. With `lucene_english` also Lucene's one-byte lengths: Anserini's
    settings. With a `model`, any that gives dense or sparse vectors, its search in place of BM25; its vectors
    are kept under the dataset's name, and what it encoded in which time is said.
    """
    collections = parts(name) if path is None else (name,)
    for part in collections:
        obtain_beir(part, path)  # all twelve forums, before the first is measured
    rows = []
    for part in collections:
        dataset = _named(load_beir(part, split or default_split(name), path, max_docs), say)
        say(str(dataset))
        retriever = _bm25(dataset, analyzer) if model is None else by_vectors(dataset, model, say)
        run = retriever.search(dataset.queries, _DEPTH + 1)
        run = _without_own(run, dataset, say) if path is not None else without_own_ids(run, _DEPTH)
        rows.append(_row(dataset, retriever.name, run, published_name(model)))
    return [_mean_row(name, rows, published_name(model), say), *rows] if len(rows) > 1 else rows


def published_name(model: object | None) -> str:
    """The name under which a system's figures are published; "" for a model of which none are."""
    return BASELINE if model is None else PUBLISHED_AS.get(getattr(model, "model_name", ""), "")


def published_in_words(model: object | None) -> str:
    """Whose figures stand beside those measured."""
    if model is None:
        return "Published: Anserini's BM25 on title and text as one field."
    name = published_name(model)
    return f"Published: {name}, by others." if name else "Published: nothing is known for this model."


def beside_published(rows: Iterable[dict]) -> pd.DataFrame:
    """One line per row and published metric: measured, published for this system, the difference; blank if
    none.

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


def others_published(rows: Iterable[dict]) -> pd.DataFrame:
    """What others have published for the datasets of some rows, a line for each system; none is measured.

    >>> float(others_published([{"dataset": "scifact"}])["nDCG@10"].max())
    0.714
    """
    names = dict.fromkeys(row["dataset"] for row in rows)
    figures = [published_figures(name).assign(dataset=name) for name in names]
    columns = ["dataset", "system", *STORED_METRICS[:2]]
    found = [frame for frame in figures if len(frame)]
    if not found:
        return pd.DataFrame(columns=columns)
    table = pd.concat(found).pivot_table("value", ["dataset", "system"], "metric", sort=False)
    return table.reindex(columns=STORED_METRICS[:2]).reset_index().rename_axis(columns=None)


def by_vectors(dataset: Dataset, model: object, say: Callable[[str], None] = print) -> Retriever:
    """The retriever of a model over a dataset; says how many documents were encoded, and how fast."""
    timed = _Timed(model)
    sparse = hasattr(model, "encode_documents") and not hasattr(model, "encode")
    build = LearnedSparseRetriever if sparse else DenseRetriever
    retriever = build(dataset.corpus, timed, cache=dataset.name)
    if timed.texts > len(dataset.corpus) // 2:  # else they were read, and some encoded again to compare
        wall, cpu = max(timed.wall, 1e-9), max(timed.cpu, 1e-9)
        speed = f"{timed.texts / wall:.1f} a second, {timed.texts / cpu:.1f} per CPU-second"
        say(f"{timed.texts:,} texts encoded in {timed.wall:.0f} s: {speed}")
    return retriever


class _Timed:
    """A model, and how many texts it has encoded as documents in which time."""

    def __init__(self, model: object):
        self._model, self.texts, self.wall, self.cpu = model, 0, 0.0, 0.0

    def encode_documents(self, texts: list[str]) -> object:
        started, cpu = time.perf_counter(), time.process_time()
        encode = getattr(self._model, "encode_documents", None) or self._model.encode
        vectors = encode(texts)
        self.texts += len(texts)
        self.wall += time.perf_counter() - started
        self.cpu += time.process_time() - cpu
        return vectors

    def encode_queries(self, texts: list[str]) -> object:
        return (getattr(self._model, "encode_queries", None) or self._model.encode)(texts)

    def __getattr__(self, name: str) -> object:
        return getattr(self._model, name)


def _bm25(dataset: Dataset, analyzer: Analyzer) -> Retriever:
    return CsrBM25(dataset.corpus, analyzer, lucene_lengths=analyzer is lucene_english)


def _named(dataset: Dataset, say: Callable[[str], None]) -> Dataset:
    """The dataset, under another name where it has BEIR's and another size; says so."""
    n_documents, n_queries = len(dataset.corpus), len(dataset.qrels)
    if not (why := other_size(dataset.name, n_documents, n_queries)):
        return dataset
    say(f"{why}: no published figure is shown")
    size = f"of {counted(n_documents, 'document')}, {counted(n_queries, 'query')}"
    return replace(dataset, name=f"{dataset.name} ({size})")


def _without_own(run: Run, dataset: Dataset, say: Callable[[str], None]) -> Run:
    """The run of a folder of one's own, in which a query and a document may have one id by chance.

    The document is the query itself, and left out, where it ends with the query's text and is not judged
    relevant.
    """
    alike = dataset.queries.keys() & dataset.corpus.keys()
    own = {
        query_id
        for query_id in alike
        if dataset.qrels.get(query_id, {}).get(query_id, 0) < 1
        and folded(dataset.corpus[query_id]).endswith(folded(dataset.queries[query_id]))
    }
    if own:
        whose = counted(len(own), "query is", "queries are")
        say(f"{whose} among the documents, under the same id; none of them is found for itself")
    if others := len(alike) - len(own):
        said = counted(others, "query has the id of a document", "queries have the id of a document")
        say(f"{said} that is another text or judged relevant; these documents count as all others do")
    parted = without_own_ids(
        {query_id: results for query_id, results in run.items() if query_id in own}, _DEPTH
    )
    return {query_id: parted.get(query_id, results[:_DEPTH]) for query_id, results in run.items()}


def _row(dataset: Dataset, system: str, run: Run, published_as: str) -> dict:
    evaluation = evaluate_retrieval(run, dataset.qrels, k_values=(10, 100, 1000))
    return result_row(dataset, system, evaluation, published(dataset.name, published_as))


def _mean_row(name: str, rows: list[dict], published_as: str, say: Callable[[str], None]) -> dict:
    """The mean over collections, each counting the same, as published; documents and queries are added up."""
    truncated = any(row["dataset"] not in FORUMS for row in rows)
    sizes = [sum(row[what] for row in rows) for what in ("documents", "queries")]
    if not truncated and (why := other_size(name, *sizes)):
        say(f"{why}: no published figure is shown")
        for row in rows:
            row["published"] = {}
    return rows[0] | {
        "dataset": f"{name} (truncated)" if truncated else name,
        "documents": sizes[0],
        "queries": sizes[1],
        "metrics": {
            metric: round(sum(row["metrics"][metric] for row in rows) / len(rows), 6)
            for metric in rows[0]["metrics"]
        },
        "published": {} if truncated or why else published(name, published_as),
    }
