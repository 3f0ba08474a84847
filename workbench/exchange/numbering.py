"""Judgments of a project that numbers its queries otherwise: what is the same text is the same query."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from helpers.base import counted, first_few, folded, warn
from helpers.records import Qrels


def ids_by_text(
    rows: Sequence[tuple[str, str]], here: Mapping[str, str], is_table: bool = False
) -> dict[str, str | None]:
    """`{id in the file: id here}` of the queries of a file that numbers them otherwise, None for one whose
    text is not here; empty where its ids are to be taken as they are.

    `rows` are `(id, text)` in the file's order, "" where a row has none; `here` is `{query_id: text}`. The
    ids and texts of such a file are one-to-one, which those of rows that were moved seldom are, and at least
    three of its texts are those of queries with another id here, or more than are those of their own. Fewer
    are a slip, and a text that is nowhere here, while the ids of the others agree, is that of a query that
    was reworded. Nobody sorts a part of JSON lines; in a table (`is_table`) more than half has to differ, and
    what one column that was sorted alone leaves behind is not taken. Texts to which `told_apart` gave ids of
    their own are no slips: where they alone are elsewhere here, or nowhere, the file goes by its texts too.

    >>> ids_by_text([("q01", "lunch"), ("q02", "lost key")], {"q01": "lost key", "q02": "noon"})
    {'q01': None, 'q02': 'q01'}
    """
    texts: dict[str, set[str]] = {}
    for query_id, text in rows:
        texts.setdefault(query_id, set()).update({folded(text)} - {""})
    if "" in texts or any(len(of) != 1 for of in texts.values()):
        return {}
    if is_table and len(set.union(set(), *texts.values())) < len(texts):
        return {}
    own = {folded(text): query_id for query_id, text in reversed(list(here.items()))}
    text_of = {query_id: text for query_id, (text,) in texts.items()}
    becomes = {
        query_id: query_id if text == folded(here.get(query_id, "")) else own.get(text)
        for query_id, text in text_of.items()
    }
    same = sum(query_id == one for query_id, one in becomes.items())
    moved = [query_id for query_id, one in becomes.items() if one not in (None, query_id)]
    several = [query_id for query_id in becomes if isinstance(query_id, _Reworded)]
    if same and several and set(moved) <= set(several):
        return becomes
    if len(moved) <= (same if is_table else min(same, 2)):
        return {}
    return {} if is_table and _may_be_sorted(rows, text_of) else becomes


def told_apart(rows: Sequence[tuple[str, str]], here: Mapping[str, str]) -> list[tuple[str, str]]:
    """`(id, text)` of rows of which an id has several texts, as that of a query that was reworded between two
    judgments: each text but the one that the id has here gets an id of its own. Where a text that is not the
    most frequent one of its id is another id's too, which may be a slip, or a row has none, all stay as they
    are.

    >>> told_apart([("q01", "noon"), ("q01", "lunch")], {"q01": "noon"})
    [('q01', 'noon'), ("q01 ('lunch')", 'lunch')]
    """
    ids: dict[str, set[str]] = {}
    texts: dict[str, Counter[str]] = {}
    for query_id, text in rows:
        ids.setdefault(folded(text), set()).add(query_id)
        texts.setdefault(query_id, Counter())[folded(text)] += 1
    several = {query_id: of.most_common()[1:] for query_id, of in texts.items() if len(of) > 1}
    seldom = [text for of in several.values() for text, _ in of]
    if "" in ids or "" in texts or any(len(ids[text]) > 1 for text in seldom):
        return list(rows)
    now = {query_id: folded(here.get(query_id, "")) for query_id in several}
    return [
        (_Reworded(f"{query_id} ({text!r:.60})"), text)
        if query_id in several and folded(text) != now[query_id]
        else (query_id, text)
        for query_id, text in rows
    ]


class _Reworded(str):
    """An id that was made for another wording of a query, so that no two texts have one id."""


def _may_be_sorted(rows: Sequence[tuple[str, str]], text_of: Mapping[str, str]) -> bool:
    """Whether one column of a table may have been sorted alone. Where all queries have one row, or as many
    rows as each other, ids and texts are one-to-one afterwards too."""
    times = Counter(query_id for query_id, _ in rows)
    if 2 * sum(n > 1 for n in times.values()) <= len(times):
        return True
    ids, texts = list(text_of), list(text_of.values())
    return _is_sorted(texts) or _is_sorted(texts[::-1]) or _is_sorted(ids[::-1])


def _is_sorted(cells: Sequence[str]) -> bool:
    """Whether nine of ten cells or more come after the one above: a spreadsheet has an order of its own."""
    return 10 * sum(a <= b for a, b in pairwise(cells)) >= 9 * (len(cells) - 1)


def renumbered(
    path: Path, becomes: Mapping[str, str | None], qrels: Qrels, quotes: Mapping[tuple[str, str], str]
) -> tuple[Qrels, dict]:
    """Judgments and quotes with the ids of here; how many came along, and how many did not, is warned of.
    Raises ValueError where none is of a query that is here.

    >>> renumbered(Path("a.jsonl"), {"q01": "q07"}, {"q01": {"a.md": 2}}, {("q01", "a.md"): "noon"})
    ({'q07': {'a.md': 2}}, {('q07', 'a.md'): 'noon'})
    """
    left = {query_id: of for query_id, of in qrels.items() if becomes[query_id] is None}
    taken: Qrels = {}
    for query_id, of in ((query_id, of) for query_id, of in qrels.items() if query_id not in left):
        own = taken.setdefault(becomes[query_id], {})  # two numbers may have one text
        if clash := next((doc_id for doc_id in of if own.get(doc_id, of[doc_id]) != of[doc_id]), None):
            both = f"{clash!r} has the grades {own[clash]} and {of[clash]} for one text of a query"
            raise ValueError(f"{path}: {both}, the second as {query_id!r}; keep one of the two")
        own |= of
    of_left = f"{_how_many(left)} whose text is not here, as the file numbers them: {first_few(left)}"
    if not taken:
        cure = "bring in their queries first: workbench import queries"
        raise ValueError(f"{path} has judgments of other queries alone, {of_left}; {cure}")
    otherwise = any(becomes[one] not in (None, one) for one in qrels)
    how = "numbers its queries otherwise" if otherwise else "has other wordings of queries"
    said = f"{path} {how}: matched by their texts are {_how_many(taken)}"
    warn(f"{said}; left out are {of_left}" if left else said)
    return taken, {(becomes[q], d): quote for (q, d), quote in quotes.items() if q not in left}


def _how_many(qrels: Qrels) -> str:
    return f"{counted(sum(map(len, qrels.values())), 'judgment')} of {counted(len(qrels), 'query')}"
