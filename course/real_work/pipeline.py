"""A whole evaluation, from a folder to nDCG@10, in which each step can also be done wrong, by name.

What a learner's mended script should print on a collection, and what it prints as long as a fault is in it.
"""

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from helpers.base import write_text


@dataclass(frozen=True)
class Collection:
    """Documents `{doc_id: (title, text)}`, queries, and `{split: {query_id: {doc_id: grade}}}`."""

    documents: Mapping[str, tuple[str, str]]
    queries: Mapping[str, str]
    qrels: Mapping[str, Mapping[str, Mapping[str, int]]]


def read_collection(folder: Path) -> Collection:
    """A folder in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv."""
    documents = {one["_id"]: (one["title"], one["text"]) for one in _records(folder / "corpus.jsonl")}
    queries = {one["_id"]: one["text"] for one in _records(folder / "queries.jsonl")}
    qrels: dict[str, dict] = {}
    for path in sorted((folder / "qrels").glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                grades = qrels.setdefault(path.stem, {}).setdefault(row["query-id"], {})
                grades[row["corpus-id"]] = int(row["score"])
    return Collection(documents, queries, qrels)


def write_collection(collection: Collection, folder: Path) -> None:
    """Writes what `read_collection` reads."""
    documents = [{"_id": i, "title": a, "text": b} for i, (a, b) in collection.documents.items()]
    queries = [{"_id": i, "text": text} for i, text in collection.queries.items()]
    for name, records in (("corpus", documents), ("queries", queries)):
        lines = [json.dumps(one, ensure_ascii=False) for one in records]
        write_text(folder / f"{name}.jsonl", "\n".join(lines) + "\n")
    for split, judged in collection.qrels.items():
        rows = [f"{q}\t{d}\t{grade}" for q, grades in judged.items() for d, grade in grades.items()]
        write_text(folder / "qrels" / f"{split}.tsv", "\n".join(["query-id\tcorpus-id\tscore", *rows, ""]))


def _records(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


@dataclass(frozen=True)
class Settings:
    """How each step is done; the defaults are right. In brackets what else a learner may do.

    `engine`: "bm25", or "overlap", the number of different words in common. `chunk`: words in a chunk, 0
    for whole documents. `fold`: "best" chunk ("never", "after the cut": of the first ten chunks). `indexed`:
    "title and text" ("text", "glued": no space between, "title twice"). `splits`: what is judged ("all",
    "train"). `mean`: over "judged" queries ("found": only those with something relevant in the ten; "asked":
    divided by all queries of the file). `idf`: how often it is multiplied in, 1 (0, 2). `ids`: "text"
    ("numbers"; "judged as numbers": only those of the qrels). `ties`: "down" ("up"; "file": in the order of
    the corpus). `ideal`: from the ten best "judged" grades ("retrieved"; "uncut": from all). `most`: 1 where
    values above it are cut off.
    """

    engine: str = "bm25"
    chunk: int = 0
    fold: str = "best"
    indexed: str = "title and text"
    splits: str = "test"
    mean: str = "judged"
    idf: int = 1
    ids: str = "text"
    ties: str = "down"
    ideal: str = "judged"
    most: float = math.inf


def rankings(collection: Collection, settings: Settings) -> dict[str, list[str]]:
    """`{query_id: document ids, best first}`, the first ten, of every judged query of any split."""
    collection = _with_ids(collection, settings.ids)
    search = _engine(collection, settings)
    judged = {query_id for by_query in collection.qrels.values() for query_id in by_query}
    return {query_id: search(collection.queries[query_id])[:10] for query_id in judged}


def scored(collection: Collection, settings: Settings, found: Mapping[str, list[str]]) -> float:
    """nDCG@10 of rankings, the mean. What is judged, the ideal and the mean are those of the settings."""
    collection, qrels, values = _with_ids(collection, settings.ids), {}, []
    for split, judged in collection.qrels.items():
        if settings.splits in ("all", split):
            qrels |= judged
    for query_id, grades in qrels.items():
        gains = [grades.get(doc_id, 0) for doc_id in found[query_id]]
        if settings.mean == "found" and not any(gains):
            continue
        taken = gains if settings.ideal == "retrieved" else grades.values()
        cut = None if settings.ideal == "uncut" else 10
        best = _dcg(sorted(taken, reverse=True)[:cut])
        values.append(min(_dcg(gains) / best if best else 0.0, settings.most))
    n = len(collection.queries) if settings.mean == "asked" else len(values)
    return sum(values) / n if n else math.nan


def _dcg(gains: list[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _with_ids(collection: Collection, ids: str) -> Collection:
    """The collection as it is once ids went through a number; where two become one, the later replaces."""
    if ids == "text":
        return collection

    def judged(doc_id: str) -> str:
        return str(int(doc_id))

    kept = judged if ids == "numbers" else str
    qrels: dict[str, dict] = {}
    for split, by_query in collection.qrels.items():
        for query_id, grades in by_query.items():
            pairs = qrels.setdefault(split, {}).setdefault(judged(query_id), {})
            pairs.update((judged(doc_id), grade) for doc_id, grade in grades.items())
    return Collection(
        {kept(doc_id): parts for doc_id, parts in collection.documents.items()},
        {kept(query_id): text for query_id, text in collection.queries.items()},
        qrels,
    )


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _indexed(title: str, text: str, how: str) -> str:
    whole = {"text": text, "glued": title + text, "title twice": f"{title} {title} {text}"}
    return whole.get(how, f"{title} {text}")


def _engine(collection: Collection, settings: Settings):
    """A function from a query's text to document ids, best first."""
    # Units are what is scored: a document, or a chunk (document, number of its first word).
    units = {}
    for doc_id, (title, text) in collection.documents.items():
        tokens = _words(_indexed(title, text, settings.indexed))
        size = settings.chunk or max(len(tokens), 1)
        for start in range(0, len(tokens), size):
            units[doc_id, start] = Counter(tokens[start : start + size])
    score = _overlap(units) if settings.engine == "overlap" else _bm25(units, settings.idf)
    # Python's order: what is equal stays as it was, with reverse=True too.
    by_id = {"down": lambda unit: unit, "up": None, "file": None}[settings.ties]
    number = _as_number if settings.ids == "numbers" else lambda unit: unit

    holding = _postings(units)

    def search(query: str) -> list[str]:
        words = _words(query)
        candidates = {unit for word in words for unit in holding.get(word, ())}
        scores = {unit: score(words, unit) for unit in units if unit in candidates}
        if by_id:
            found = sorted(scores, key=lambda unit: (scores[unit], number(unit)), reverse=True)
        else:
            start = sorted(scores, key=number) if settings.ties == "up" else list(scores)
            found = sorted(start, key=lambda unit: -scores[unit])
        if settings.fold == "after the cut":
            found = found[:10]
        doc_ids = [doc_id for doc_id, _ in found]
        return doc_ids if settings.fold == "never" else list(dict.fromkeys(doc_ids))

    return search


def _postings(units: Mapping) -> dict[str, list]:
    found: dict[str, list] = {}
    for unit, counts in units.items():
        for word in counts:
            found.setdefault(word, []).append(unit)
    return found


def _as_number(unit: tuple[str, int]) -> tuple[int, int]:
    return int(unit[0]), unit[1]


def _overlap(units: Mapping):
    return lambda query, unit: sum(word in units[unit] for word in set(query))


def _bm25(units: Mapping, times: int):
    df = Counter(word for counts in units.values() for word in counts)
    n, mean = len(units), sum(map(Counter.total, units.values())) / len(units)
    weight = {word: math.log(1 + (n - found + 0.5) / (found + 0.5)) ** times for word, found in df.items()}
    norms = {unit: 0.9 * (1 - 0.4 + 0.4 * counts.total() / mean) for unit, counts in units.items()}

    def score(query: list[str], unit: tuple) -> float:
        counts, norm, total = units[unit], norms[unit], 0.0
        for word in query:
            if word in counts:
                total += weight[word] * counts[word] / (counts[word] + norm)
        return total

    return score
