"""Results of another program in a file: a TREC run, or JSON lines."""

import json
from pathlib import Path

from helpers.base import check_json_lines, folded, json_object, text_lines
from helpers.datasets import trec
from workbench.systems.answers import Hits, as_hits

FORM = '{"query_id": "q01", "hits": [["guide/a.md", 12.5], ["b.md", 9.1]]}'
_IDS, _SCORES = ("doc_id", "id", "_id"), ("score", "_score")


def by_text(query: str) -> str:
    """The key of a query that a file names by its text, whatever its case, blanks and kind of accents.

    >>> by_text("VPN  from home")
    'query: vpn from home'
    """
    return f"query: {folded(query)}"


def hits_notes(path: str | Path, found: dict[str, Hits]) -> list[str]:
    """What is odd about the order of a file whose hits `read_hits` gave; nothing of JSON lines."""
    path = Path(path)
    _, first = next(text_lines(path), ("", ""))
    return [] if first.lstrip().startswith(("{", "[")) else trec.order_notes(path, found)


def hits_texts(path: str | Path) -> dict[str, str]:
    """`{query_id: text}` of the lines of JSON that name both."""
    path = Path(path)
    _, first = next(text_lines(path), ("", ""))
    if not first.lstrip().startswith("{"):
        return {}
    records = [json_object(line, where, FORM) for where, line in text_lines(path)]
    return {
        str(one.get("query_id") or one.get("qid")): one["query"]
        for one in records
        if (one.get("query_id") or one.get("qid")) and isinstance(one.get("query"), str)
    }


def read_hits(path: str | Path) -> dict[str, Hits]:
    """`{query_id: [(id, score), ...]}`, best first, of a TREC run or of JSON lines, gzip-compressed or not.

    A line of JSON holds one query, `{"query_id": ..., "hits": [...]}`, with hits as pairs, ids, or objects
    with `doc_id` (or `id`, `_id`) and perhaps `score`; or it holds one hit, an object with `query_id` too. In
    place of `query_id` it may have `query`, the text that was asked; such a key is `by_text` of it.

    Raises ValueError, with file and line, for a line that is neither, a file without lines, a query that
    comes twice, and whatever `trec.read_run` and `as_hits` refuse.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "hits.jsonl"
    >>> _ = path.write_text('{"query_id": "q01", "hits": ["b.md", "a.md"]}')
    >>> read_hits(path)
    {'q01': [('b.md', -1.0), ('a.md', -2.0)]}
    """
    path = Path(path)
    lines = text_lines(path)
    _, first = next(lines, ("", ""))
    if not first:
        needed = f"needed a TREC run (q01 Q0 guide/a.md 1 12.5 mine), or lines of JSON such as {FORM}"
        raise ValueError(f"{path} holds no result; {needed}")
    if not first.lstrip().startswith(("{", "[")):
        return trec.read_run(path)
    check_json_lines(path, first, FORM)
    whole, single, ranked = {}, {}, {}
    for where, line in text_lines(path):
        record = json_object(line, where, f"a query and its hits: {FORM}")
        _check_not_raw(record, where)
        key = _query(record, where)
        _check_no_judgment(record, where)
        if "hits" in record:
            if key in whole:
                cure = "keep one; two systems need a file each"
                raise ValueError(f"{where}: {key!r} stands in an earlier line already; {cure}")
            hits = record["hits"]
            if hits is None:
                raise ValueError(f"{where}: the hits are null; needed {FORM}, or [] where nothing was found")
            _check_ranks(hits if isinstance(hits, list) else [], where)
            whole[key] = as_hits(
                [_hit(hit, where) for hit in hits] if isinstance(hits, list) else hits, where
            )
        else:
            single.setdefault(key, []).append((where, _hit(record, where)))
            ranked.setdefault(key, []).append(record)
    for key, records in ranked.items():
        _check_ranks(records, f"{path}, {key!r}", scores_count=True)
    if both := whole.keys() & single.keys():
        raise ValueError(f"{path}: {min(both)!r} has a line with hits and lines of one hit; keep one of them")
    return whole | {key: _joined(path, key, hits) for key, hits in single.items()}


def _check_not_raw(record: dict, where: str) -> None:
    if isinstance(record.get("hits"), dict) and "hits" in record["hits"]:
        said = "this looks like a raw response of Elasticsearch or OpenSearch"
        cure = f"write of each of its hits.hits the _id and the _score, as {FORM}; recipes.md shows how"
        raise ValueError(f"{where}: {said}; {cure}")


def _check_no_judgment(record: dict, where: str) -> None:
    if "grade" in record and not {"hits", *_SCORES} & record.keys():
        said = "it has a grade and no score, so it is a judgment and no hit"
        raise ValueError(f"{where}: {said}; needed {FORM}")


def _check_ranks(hits: list, where: str, scores_count: bool = False) -> None:
    """Raises ValueError where hits have ranks that do not grow: their order is that of the list, or, with
    `scores_count`, that of the scores where there are any."""
    if scores_count and any(name in one for one in hits for name in _SCORES):
        return
    ranks = [hit["rank"] for hit in hits if isinstance(hit, dict) and isinstance(hit.get("rank"), int)]
    if ranks != sorted(ranks):
        falls = next((a, b) for a, b in zip(ranks, ranks[1:], strict=False) if a > b)
        raise ValueError(f"{where}: rank {falls[1]} stands after rank {falls[0]}; write the best hit first")


def _query(record: dict, where: str) -> str:
    """The key of a line: the query's id, or its text."""
    for name in ("query_id", "qid", "query"):
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return by_text(value) if name == "query" else value
        if name in record:
            raise ValueError(f"{where}: {name!r} is {value!r:.60}; needed text")
    raise ValueError(f"{where}: no query_id and no query; needed {FORM}")


def _hit(hit: object, where: str) -> object:
    """One hit as a pair or an id; what is neither is for `as_hits` to refuse."""
    if not isinstance(hit, dict):
        return hit
    name = next((hit[key] for key in _IDS if key in hit), None)
    if name is None:
        raise ValueError(f"{where}: the hit {json.dumps(hit)[:80]} has no doc_id; needed {FORM}")
    score = next((hit[key] for key in _SCORES if key in hit), None)
    return name if score is None else (name, score)


def _joined(path: Path, key: str, hits: list[tuple[str, object]]) -> Hits:
    """Hits of one line each as one ranking: by their scores, or in the order of the lines."""
    pairs = [hit for _, hit in hits]
    scored = [isinstance(hit, tuple) for hit in pairs]
    if all(scored):
        for where, hit in hits:
            as_hits([hit], where)
        pairs.sort(key=lambda pair: -float(pair[1]))
    elif any(scored):
        raise ValueError(f"{path}: of {key!r} some hits have a score and some have none; give all or none")
    return as_hits(pairs, f"{path}, {key!r}")
