"""Results of another program in a file: a TREC run, or JSON lines."""

import json
import re
from itertools import pairwise
from math import factorial, prod
from numbers import Real
from pathlib import Path

from helpers.base import check_json_lines, first_few, folded, json_object, text_lines
from helpers.datasets import trec
from workbench.systems.answers import DISTANCES, Hits, as_hits

FORM = '{"query_id": "q01", "hits": [["guide/a.md", 12.5], ["b.md", 9.1]]}'
_IDS, _SCORES = ("doc_id", "id", "_id", "docid", "docno"), ("score", "_score")
_GRADES = ("grade", "relevance", "rel", "label", "rating", "judgment", "judgement")
_SCORE_LIKE = re.compile(r"scor|simil|distance|relevance|rank|position|cosine|bm25", re.I)
_SYSTEMS = ("system", "run", "run_id", "run_name", "tag", "model", "engine", "retriever")


def by_text(query: str) -> str:
    """The key of a query that a file names by its text, whatever its case, blanks and kind of accents.

    >>> by_text("VPN  from home")
    'query: vpn from home'
    """
    return f"query: {folded(query)}"


def hits_notes(path: str | Path, found: dict[str, Hits]) -> list[str]:
    """What is odd about a file whose hits `read_hits` gave: its order, and that it is of several systems."""
    if not (records := _records(Path(path))):
        return trec.order_notes(path, found)
    named = {name: {str(one[name]): None for one in records if one.get(name)} for name in _SYSTEMS}
    return [
        f"its lines name several systems, {name} {first_few(map(repr, values), 3)}: all are taken for one"
        for name, values in named.items()
        if len(values) > 1
    ]


def _records(path: Path) -> list[dict]:
    """The lines of JSON of a file; none of a TREC run."""
    _, first = next(text_lines(path), ("", ""))
    is_json = first.lstrip().startswith("{")
    return [json_object(line, where, FORM) for where, line in text_lines(path)] if is_json else []


def hits_texts(path: str | Path) -> dict[str, str]:
    """`{query_id: text}` of the lines of JSON that name both."""
    records = _records(Path(path))
    return {
        str(one.get("query_id") or one.get("qid")): text
        for one in records
        if (one.get("query_id") or one.get("qid"))
        and isinstance(text := one.get("query", one.get("query_text")), str)
    }


def read_hits(path: str | Path) -> dict[str, Hits]:
    """`{query_id: [(id, score), ...]}`, best first, of a TREC run or of JSON lines, gzip-compressed or not.

    A line of JSON holds one query, `{"query_id": ..., "hits": [...]}`, with hits as pairs, ids, or objects
    with `doc_id` (or `id`, `_id`) and perhaps `score`; or it holds one hit, an object with `query_id` too. In
    place of `query_id` it may have `query`, the text that was asked; such a key is `by_text` of it. Hits of
    one line each are ordered by their scores, equal ones by `rank` where they have one.

    Raises ValueError, with file and line, for a line that is neither, a file without lines, a query that
    comes twice, hits in another order than their ranks or, one a line, with scores that rise throughout, hits
    with a number that may be their score and is called otherwise (`similarity`), judgments, and whatever
    `trec.read_run` and `as_hits` refuse.

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
            ranked.setdefault(key, []).append(_rank(record))
    if both := whole.keys() & single.keys():
        raise ValueError(f"{path}: {min(both)!r} has a line with hits and lines of one hit; keep one of them")
    _check_no_distances(path, single)
    return whole | {key: _joined(path, key, hits, ranked[key]) for key, hits in single.items()}


def _check_not_raw(record: dict, where: str) -> None:
    if isinstance(record.get("hits"), dict) and "hits" in record["hits"]:
        said = "this looks like a raw response of Elasticsearch or OpenSearch"
        cure = f"write of each of its hits.hits the _id and the _score, as {FORM}; recipes.md shows how"
        raise ValueError(f"{where}: {said}; {cure}")


def _check_no_judgment(record: dict, where: str) -> None:
    grades = (name for name in _GRADES if type(record.get(name)) is int or name == "grade" in record)
    grade = next(grades, None)
    if grade is not None and not {"hits", "rank", *_SCORES} & record.keys():
        said = f"it has a {grade} and no score, so it is a judgment and no hit"
        raise ValueError(f"{where}: {said}; needed {FORM}")


def _check_ranks(hits: list, where: str) -> None:
    """Raises ValueError where hits have ranks that do not grow: their order is that of the list."""
    ranks = [rank for hit in hits if (rank := _rank(hit)) is not None]
    if falls := next(((a, b) for a, b in pairwise(ranks) if a > b), None):
        said = f"rank {falls[1]:g} stands after rank {falls[0]:g}"
        raise ValueError(f"{where}: {said}; write the best hit first")


def _rank(hit: object) -> float | None:
    """The rank that a hit names, as a number or as text; None where it names none."""
    rank = next((hit[key] for key in ("rank", "Rank") if key in hit), None) if isinstance(hit, dict) else None
    if isinstance(rank, str):
        return float(rank) if re.fullmatch(r"\s*[0-9]+(\.[0-9]+)?\s*", rank) else None
    return float(rank) if isinstance(rank, Real) and not isinstance(rank, bool) else None


def _check_no_distances(path: Path, single: dict[str, list[tuple[str, object]]]) -> None:
    """Raises ValueError where the scores of hits of one line each rise from line to line in each query that
    has different ones, more often than it comes by chance: as often as the scores of four hits in a row. Then
    they are distances, or the file is written worst first."""
    several = {key: [hit for _, hit in hits] for key, hits in single.items() if not _equal(hits)}
    by_chance = prod(factorial(min(len(hits), 4)) for hits in several.values())
    if by_chance < factorial(4) or not all(map(_rise, several.values())):
        return
    key, hits = max(several.items(), key=lambda item: len(item[1]))
    said = f"the scores of {key!r} rise from line to line, {hits[0][1]:g} to {hits[-1][1]:g}"
    others = ", and so in each query" if len(several) > 1 else ""
    raise ValueError(f"{path}: {said}{others}; write the best hit first. {DISTANCES}")


def _rise(hits: list[object]) -> bool:
    scores = [hit[1] if isinstance(hit, tuple) else None for hit in hits]
    numbers = all(isinstance(one, Real) for one in scores)
    return numbers and all(a <= b for a, b in pairwise(scores)) and scores[0] < scores[-1]


def _equal(hits: list[tuple[str, object]]) -> bool:
    """Whether the scores of a query, if it has any, are all the same."""
    scores = [hit[1] if isinstance(hit, tuple) else None for _, hit in hits]
    return all(score == scores[0] for score in scores)


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
    scores = [hit[key] for key in _SCORES if key in hit]
    if not scores and _rank(hit) is None and (other := _other_score(hit)):
        said = f"the hit {name!r:.80} has {other!r}, but no score and no rank, and would not be ordered by it"
        cure = "rename it to score where the highest is best, else to rank, or leave it out"
        raise ValueError(f"{where}: {said}; {cure}. {DISTANCES}")
    if len(scores) == 2 and scores[0] != scores[1]:
        two = f"the hit {name!r:.80} has score {scores[0]!r:.20} and _score {scores[1]!r:.20}"
        raise ValueError(f"{where}: {two}; keep the one that it was ranked by")
    score = scores[0] if scores else None
    return name if score is None else (name, score)


def _other_score(hit: dict) -> str | None:
    """The name of a number of a hit by which it seems to be ordered, and which is not called score."""
    numbers = (key for key, value in hit.items() if isinstance(value, Real) and not isinstance(value, bool))
    return next((key for key in numbers if _SCORE_LIKE.search(key)), None)


def _joined(path: Path, key: str, hits: list[tuple[str, object]], ranks: list[float | None]) -> Hits:
    """Hits of one line each as one ranking: by their scores, or in the order of the lines.

    Raises ValueError where their ranks say another order; ranks that are missing or repeated say none.
    """
    pairs = [hit for _, hit in hits]
    scored = [isinstance(hit, tuple) for hit in pairs]
    say_an_order = None not in ranks and len(set(ranks)) == len(ranks)
    if any(scored) and not all(scored):
        raise ValueError(f"{path}: of {key!r} some hits have a score and some have none; give all or none")
    if not any(scored):
        _check_ranks([{"rank": rank} for rank in ranks], f"{path}, {key!r}")
        return as_hits(pairs, f"{path}, {key!r}")
    for where, hit in hits:
        as_hits([hit], where)
    if say_an_order:
        pairs = [pair for _, pair in sorted(zip(ranks, pairs, strict=True), key=lambda one: one[0])]
        return as_hits(pairs, f"{path}, {key!r}, in the order of its ranks")
    return as_hits(sorted(pairs, key=lambda pair: -float(pair[1])), f"{path}, {key!r}")
