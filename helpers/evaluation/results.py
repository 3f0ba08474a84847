"""One system's results as a row of plain data that says how they were measured; JSON files of such rows.

Each lesson saves its rows under its own name. What the README quotes is held to the stored copies in
`evals/results/`.
"""

import json
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.base import check_mapping, check_path, check_type, files, first_few, warn, whole_text, write_text
from helpers.evaluation.evaluate import Evaluation
from helpers.evaluation.fast_metrics import find_metric
from helpers.records import Dataset

STORED_METRICS = ("nDCG@10", "Recall@100", "Recall@1000", "MAP", "MRR", "Judged@10")


def result_row(
    dataset: Dataset, system: str, evaluation: Evaluation, published: dict[str, float] | None = None
) -> dict:
    """The means of one system on one dataset, with sizes and conventions, ready for JSON.

    `published` are the figures `{metric: value}` that this system should reproduce; they are kept apart from
    the measured ones (`datasets.published` finds them). Raises ValueError for an evaluation of other queries
    than the dataset's, and for figures of a metric that there is not.
    """
    check_type("evaluation", evaluation, Evaluation, "evaluate_retrieval(run, dataset.qrels) gives it")
    if others := [query_id for query_id in evaluation.qrels if query_id not in dataset.qrels]:
        said = f"{len(others)} of the {len(evaluation.qrels)} queries of the evaluation"
        cure = "give the dataset that was evaluated"
        raise ValueError(f"{said}, e.g. {others[0]!r}, are not among those of {dataset.name!r}; {cure}")
    check_type("system", system, str, "give its name")
    if published is not None:
        check_mapping("published", published, "{metric: value}")
        for name, value in published.items():
            find_metric(name)
            if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= value <= 1:
                raise ValueError(f"published {name} is {value!r:.60}; needed a share from 0 to 1")
    _warn_of_lost(dataset, evaluation)
    return {
        "dataset": dataset.name,
        **({"version": dataset.version} if dataset.version else {}),
        "split": dataset.split,
        "documents": len(dataset.corpus),
        "queries": len(evaluation.qrels),
        "system": system,
        "metrics": {name: round(evaluation[name], 6) for name in STORED_METRICS if name in evaluation},
        "published": published or {},
        "conventions": str(evaluation.conventions),
    }


def _warn_of_lost(dataset: Dataset, evaluation: Evaluation) -> None:
    """Warns of judgments of documents that the corpus lacks: they count, and nothing can find them."""
    judged = [doc_id for grades in evaluation.qrels.values() for doc_id in grades]
    if lost := [doc_id for doc_id in judged if doc_id not in dataset.corpus]:
        said = f"{len(lost):,} of {len(judged):,} judgments of {dataset.name!r} are of documents"
        warn(f"{said} that its corpus lacks, e.g. {lost[0]!r}; what is relevant among them nobody can find")


def results_table(
    rows: list[dict], metrics: tuple[str, ...] = ("nDCG@10", "Recall@100", "MAP", "MRR")
) -> pd.DataFrame:
    """One line per row: dataset, system, the metrics, each beside the published figure where there is one.

    Raises ValueError for a row that `result_row` did not make, with its number, and for a metric that no row
    has, unless it is one of the usual ones.
    """
    rows = _checked_rows(rows, ("dataset", "system", "metrics", "published"))
    metrics = _known_metrics(metrics, rows)
    table = pd.DataFrame({name: [row[name] for row in rows] for name in ("dataset", "system")})
    for name in metrics:
        table[name] = [row["metrics"].get(name) for row in rows]
        if any(name in row["published"] for row in rows):
            table[f"published {name}"] = [row["published"].get(name) for row in rows]
    return table


def provenance(rows: list[dict]) -> list[str]:
    """What the numbers of a table rest on: each dataset with its sizes, then the conventions in use.

    Raises ValueError as `results_table`.
    """
    rows = _checked_rows(rows, ("dataset", "split", "documents", "queries", "conventions"))
    sizes, conventions = [], [f"Conventions: {row['conventions']}" for row in rows]
    for row in rows:
        counts = f"{row['documents']:,} documents, {row['queries']:,} judged queries"
        edition = f" {row['version']}" if row.get("version") else ""
        sizes.append(f"{row['dataset']}{edition}: {row['split']} split, {counts}")
    return list(dict.fromkeys(sizes + conventions))


def _known_metrics(metrics: Iterable[str], rows: list[dict]) -> list[str]:
    """The names as a list. Raises ValueError for a text, whose letters are no names, and for a name that no
    row has and that is none of the usual ones."""
    if isinstance(metrics, str) or not isinstance(metrics, Iterable):
        raise ValueError(f"metrics is {metrics!r:.60}; give a list of names, such as ['nDCG@10']")
    metrics = list(metrics)
    known = dict.fromkeys(name for row in rows for name in (*row["metrics"], *row["published"]))
    unknown = [name for name in metrics if name not in (*known, *STORED_METRICS)]
    if rows and unknown:
        raise ValueError(f"no row has the metric {unknown[0]!r}; they have {first_few(known, 10)}")
    return metrics


def _checked_rows(rows: Iterable[dict], needed: tuple[str, ...]) -> list[dict]:
    """The rows as a list, each with what is needed."""
    if isinstance(rows, (Mapping, str)) or not isinstance(rows, Iterable):
        raise ValueError(f"rows is of type {type(rows).__name__}; give a list of what result_row makes")
    rows = list(rows)
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            given = f"row {number} is {row!r:.60}, of type {type(row).__name__}"
            raise ValueError(f"{given}; make it with result_row(dataset, system, evaluation)")
        lacking = [name for name in needed if name not in row]
        if lacking:
            found = f"row {number}, of type {type(row).__name__}, lacks {first_few(map(repr, lacking), 2)}"
            raise ValueError(f"{found}; make it with result_row(dataset, system, evaluation)")
        _check_fields(row, number, needed)
    return rows


def _check_fields(row: Mapping, number: int, needed: tuple[str, ...]) -> None:
    """Raises ValueError for metrics that are no dict of numbers, and for sizes, where they are needed, that
    are no numbers."""
    for name in ("metrics", "published"):
        if name in row and not isinstance(row[name], Mapping):
            raise ValueError(f"row {number}: {name} is {row[name]!r:.60}; needed a dict {{metric: value}}")
        for metric, value in row.get(name, {}).items():
            if isinstance(value, bool) or not isinstance(value, Real):
                raise ValueError(f"row {number}: {metric} is {value!r:.60}; needed a number")
    for name in {"documents", "queries"} & {*needed}:
        if isinstance(row[name], bool) or not isinstance(row[name], Integral):
            raise ValueError(f"row {number}: {name} is {row[name]!r:.60}; needed how many there are")


def save_results(name: str, rows: list[dict], folder: str | Path | None = None) -> Path:
    """Writes rows to `{name}.json` in the results folder; the old file stays until the new one is complete.

    Raises ValueError for what is no list of rows.

    A lesson saves under the name of its notebook: that is where `python -m course run` looks for its rows.
    """
    check_type("name", name, str, "give the name of the file, without its folder")
    rows = _checked_rows(rows, ())
    folder = files.results_dir() if folder is None else check_path(folder, "the folder for results")
    text = json.dumps(rows, indent=1, ensure_ascii=False, default=_plain)
    return write_text(folder / f"{name}.json", text + "\n")


def _plain(value: object) -> object:
    """NumPy's numbers as Python's. Raises ValueError for what JSON cannot hold."""
    if isinstance(value, np.generic):
        return value.item()
    raise ValueError(
        f"a row holds {value!r:.60}, a {type(value).__name__}; needed texts, numbers, lists, dicts"
    )


def load_results(path: str | Path) -> list[dict]:
    """The rows of one result file. Raises ValueError, with its name, for one that is broken, or another."""
    path = check_path(path, "a result file, {name}.json")
    needed = "needed one list of rows in JSON, as save_results writes it"
    text = whole_text(path)
    try:
        rows = json.loads(text)
    except ValueError as error:
        if getattr(error, "msg", "") == "Extra data" and text.lstrip().startswith("{"):
            raise ValueError(f"{path} holds records one after the other (JSONL); {needed}") from None
        raise ValueError(f"{path} is no JSON ({error}); {needed}") from None
    if not isinstance(rows, list):
        raise ValueError(f"{path} holds a {type(rows).__name__}; {needed}")
    try:
        rows = _checked_rows(rows, ())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return rows
