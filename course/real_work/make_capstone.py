"""How the material of the capstone was made: two searches of the workshop's pages, and a report with seven
faults. `python -m course.real_work.make_capstone` writes it again; a test compares.

It holds the answers. The pages and queries are written by hand, and so are all judgments
(`solutions/capstone/all_judgments.tsv`), of which the report used a part.
"""

import csv
import io
import json
from itertools import product
from math import log2
from statistics import mean

from course.real_work.task import MATERIAL, SOLUTIONS
from helpers.base import write_text
from helpers.records import Qrels, Run
from helpers.retrieval import CsrBM25

FOLDER = MATERIAL / "capstone"
LOST = ("t04", "t09", "t17")
"""Queries for which the old search was not asked again after a timeout."""
TITLES, K1 = (1, 2, 3, 5), (0.5, 0.9, 1.5, 2.5, 5.0)
LONG = 46
"""Pages with so many words are cut into two halves by the new search."""


def pages() -> dict[str, tuple[str, str]]:
    """`{doc_id: (title, text)}`"""
    records = map(json.loads, (FOLDER / "corpus.jsonl").read_text(encoding="utf-8").splitlines())
    return {one["_id"]: (one["title"], one["text"]) for one in records}


def queries(first: str) -> dict[str, str]:
    """The test queries, "t", or those of development, "d"."""
    records = map(json.loads, (FOLDER / "queries.jsonl").read_text(encoding="utf-8").splitlines())
    return {one["_id"]: one["text"] for one in records if one["_id"].startswith(first)}


def all_judgments() -> Qrels:
    """Every relevant page of every query; what is not listed is not relevant."""
    found: Qrels = {}
    with (SOLUTIONS / "capstone" / "all_judgments.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            found.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    return found


def old_search(asked: dict[str, str]) -> Run:
    """BM25 over title and text, ten results."""
    return CsrBM25({i: f"{title} {text}" for i, (title, text) in pages().items()}).search(asked, 10)


def new_search(asked: dict[str, str], titles: int, k1: float) -> Run:
    """BM25 over pieces, the title before each as often as `titles`. The hits keep their pages' ids, so a
    page may stand there twice."""
    pieces = {}
    for doc_id, (title, text) in pages().items():
        words = text.split()
        half = len(words) // 2 if len(words) >= LONG else len(words)
        for number, part in enumerate((words[:half], words[half:])):
            if part:
                pieces[f"{doc_id}#{number}"] = f"{title} " * titles + " ".join(part)
    found = CsrBM25(pieces, k1=k1, b=0.4).search(asked, 10)
    return {q: [(piece.partition("#")[0], score) for piece, score in hits] for q, hits in found.items()}


def pool(new: Run) -> Qrels:
    """What was judged: the first five pages of the new search, and the page that the query's writer had in
    mind."""
    truth, found = all_judgments(), {}
    for query_id, hits in new.items():
        top = list(dict.fromkeys(doc_id for doc_id, _ in hits))[:5]
        meant = [doc_id for doc_id, grade in truth[query_id].items() if grade == 2]
        found[query_id] = {doc_id: truth[query_id].get(doc_id, 0) for doc_id in sorted({*top, *meant})}
    return found


def reported(hits: list[tuple[str, float]], grades: dict[str, int], k: int) -> float:
    """nDCG@k as the report has it: a page is paid each time it stands there."""
    gains = [grades.get(doc_id, 0) for doc_id, _ in hits[:k]]
    ideal = sorted(grades.values(), reverse=True)[:k]
    dcg = [sum(g / log2(rank + 1) for rank, g in enumerate(some, start=1)) for some in (gains, ideal)]
    return dcg[0] / dcg[1]


def material() -> dict[str, str]:
    """The files that are made, by name."""
    test, dev, truth = queries("t"), queries("d"), all_judgments()
    tuning = []
    for titles, k1 in product(TITLES, K1):
        on_dev, on_test = new_search(dev, titles, k1), new_search(test, titles, k1)
        judged = pool(on_test)
        dev_mean = mean(reported(on_dev[q], truth[q], 10) for q in dev)
        test_mean = mean(reported(on_test[q], judged[q], 10) for q in test)
        tuning.append((titles, k1, dev_mean, test_mean))
    titles, k1, _, _ = max(tuning, key=lambda row: row[3])
    new = new_search(test, titles, k1)
    old = {q: hits for q, hits in old_search(test).items() if q not in LOST}
    judged = pool(new)
    table = [(q, reported(old.get(q, []), judged[q], 5), reported(new[q], judged[q], 10)) for q in test]
    return {
        "old.tsv": _run(old),
        "new.tsv": _run(new),
        "qrels.tsv": _tsv(
            [("query_id", "doc_id", "grade"), *((q, d, g) for q in judged for d, g in judged[q].items())]
        ),
        "per_query.tsv": _tsv(
            [("query_id", "old", "new"), *((q, f"{a:.4f}", f"{b:.4f}") for q, a, b in table)]
        ),
        "tuning.tsv": _tsv(
            [("titles", "k1", "dev", "test"), *((t, k, f"{a:.4f}", f"{b:.4f}") for t, k, a, b in tuning)]
        ),
    }


def _run(run: Run) -> str:
    lines = [(q, doc_id, f"{score:.4f}") for q, hits in run.items() for doc_id, score in hits]
    return _tsv([("query_id", "doc_id", "score"), *lines])


def _tsv(lines: list[tuple]) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(lines)
    return text.getvalue()


if __name__ == "__main__":
    for name, text in material().items():
        write_text(FOLDER / name, text)
        print("wrote", name)
