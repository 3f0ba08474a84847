"""Recorded verdicts: what three judges said of the same pairs of a query and a passage, and where that is."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from helpers.base import files, json_object, placing, text_lines, utf8
from helpers.records import Corpus, Queries

MODEL, COSINE, OVERLAP = JUDGES = ("language model", "cosine", "word overlap")
"""The judges that were recorded. The first gave grades; the other two numbers from 0 (or below) to 1."""
_FIELDS = "query_id, doc_id, start, end, ranks and a verdict of each judge"


def load_verdicts(
    corpus: Corpus, queries: Queries, path: str | Path = files.JUDGE_VERDICTS
) -> tuple[dict, pd.DataFrame]:
    """What is said of the record (`model`, `prompt`, `date`, ...), and a row for each pair, in stored order.

    Columns: `query_id`, `doc_id`, `start`, `end` (characters of the document: the passage), a column for each
    of `JUDGES`, and one for each system, `rank: NAME`, with the passage's rank among its first five (not a
    number where it is not among them). Nothing is asked of any model here.

    Raises ValueError, with the line, for a damaged file, and where queries or passages are not those that
    were judged.
    """
    lines = text_lines(Path(path))
    where, first = next(lines, (str(path), "{}"))
    about = json_object(first, where, "about").get("about")
    if not isinstance(about, dict):
        raise ValueError(f"{where}: needed the record's own line, {{'about': ...}}, before the pairs")
    rows = [_row(json_object(line, where, _FIELDS), where) for where, line in lines]
    found = pd.DataFrame(rows)
    if about.get("texts") != texts_checksum(found.to_dict("records"), corpus, queries):
        cure = "load the collection in the edition that the record names"
        raise ValueError(f"{path}: the queries or passages are not those that were judged; {cure}")
    return about, found


def write_verdicts(
    about: Mapping, rows: Iterable[Mapping], corpus: Corpus, queries: Queries, path: str | Path
) -> Path:
    """Writes a record as `load_verdicts` reads it: a line about it, and a line a pair.

    Each row has `query_id`, `doc_id`, `start`, `end`, `ranks` `{system: rank}` and the judges' verdicts.
    """
    if hasattr(rows, "columns"):
        raise ValueError("rows is a table; give its rows, one a pair: .to_dict('records')")
    rows = list(rows)
    whole = {**about, "pairs": len(rows), "texts": texts_checksum(rows, corpus, queries)}
    lines = [json.dumps({"about": whole}, ensure_ascii=False)]
    lines += [json.dumps(dict(row), ensure_ascii=False) for row in rows]
    placing.write_text(Path(path), "\n".join(lines) + "\n")
    return Path(path)


def texts_checksum(rows: Iterable[Mapping], corpus: Corpus, queries: Queries) -> str:
    """SHA-256 over all queries and passages of a record, in its order; "" where one is not to be had."""
    digest = hashlib.sha256()
    for row in rows:
        if row["query_id"] not in queries or row["doc_id"] not in corpus:
            return ""
        passage = corpus[row["doc_id"]][row["start"] : row["end"]]
        digest.update(utf8(json.dumps([queries[row["query_id"]], passage])))
    return digest.hexdigest()


def _row(record: dict, where: str) -> dict:
    try:
        ranks = {f"rank: {system}": int(rank) for system, rank in record["ranks"].items()}
        place = {"query_id": str(record["query_id"]), "doc_id": str(record["doc_id"])}
        place |= {"start": int(record["start"]), "end": int(record["end"])}
        return place | {judge: float(record[judge]) for judge in JUDGES} | ranks
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{where}: needed {_FIELDS} ({type(error).__name__}: {error})") from None
