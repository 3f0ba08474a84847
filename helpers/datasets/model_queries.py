"""Queries that a language model wrote from passages of the runbooks: which one, from what, and when."""

from pathlib import Path

from helpers.base import files, json_object, text_field, text_lines
from helpers.records import Corpus, Dataset


def load_model_queries(
    corpus: Corpus, path: str | Path = files.MODEL_QUERIES
) -> tuple[dict, Dataset, dict[str, tuple[str, int, int]]]:
    """What the record says of itself (`model`, `prompt`, `date`), the queries, and the passage of each.

    A query's one relevant document, grade 1, is the page of its passage: whether others answer it too was
    never judged. Passages are `{query_id: (doc_id, start, end)}`. Raises ValueError, with the line, for a
    damaged file and for a passage that the corpus does not have.
    """
    lines = text_lines(Path(path))
    where, first = next(lines, (str(path), "{}"))
    about = json_object(first, where, "about").get("about")
    if not isinstance(about, dict):
        raise ValueError(f"{where}: needed the record's own line, {{'about': ...}}, before the queries")
    queries, passages = {}, {}
    for where, line in lines:
        record = json_object(line, where, "query_id, query, doc_id, start and end")
        query_id, doc_id = (text_field(record, name, where) for name in ("query_id", "doc_id"))
        start, end = record.get("start"), record.get("end")
        inside = type(start) is int and type(end) is int and 0 <= start < end <= len(corpus.get(doc_id, ""))
        if not inside:
            raise ValueError(f"{where}: characters {start!r} to {end!r} of {doc_id!r} are not in the corpus")
        queries[query_id] = text_field(record, "query", where)
        passages[query_id] = (doc_id, start, end)
    qrels = {query_id: {doc_id: 1} for query_id, (doc_id, _, _) in passages.items()}
    source = f"written by {about.get('model')}, {about.get('date')}"
    return about, Dataset("runbooks", "model-written", corpus, queries, qrels, source), passages
