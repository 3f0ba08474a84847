"""From rows that are read one by one to a dataset: ids checked, the corpus whole or truncated."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from pathlib import Path

from helpers.base import check_whole, counted, plural, warn
from helpers.datasets.suspicions import warn_of_texts
from helpers.records import Corpus, Dataset

Row = tuple[str, str, str]
"""`(where, id, text)`; `where` is the file and line that an error names."""
Rows = Iterator[Row]


def with_corpus(dataset: Dataset, documents: Rows, judgments: Path, max_docs: int | None) -> Dataset:
    """The dataset with its corpus, whole or truncated and then named so, and with the judged queries only.

    Queries are checked before the documents are read, which may take long. Judged ids without a text are
    counted in a warning, a query of blanks among them; where nothing is judged, or nothing judged has a text,
    a ValueError names the file of `judgments`. Texts that are not what a reader sees or asks are a warning
    (`warn_of_texts`).
    """
    qrels, queries = dataset.qrels, {q: text for q, text in dataset.queries.items() if text.strip()}
    if not qrels:
        raise ValueError(f"{judgments}: the file holds no judgment")
    judged = {doc_id for grades in qrels.values() for doc_id in grades}
    hint = "are the columns swapped?" if judged & queries.keys() else "wrong split?"
    _check_known(judgments, "query", set(qrels), queries, "they cannot be searched and count 0", hint)
    corpus, complete = _kept(documents, judged, max_docs)
    _check_known(judgments, "document", judged, corpus, "they cannot be found", "wrong split?")
    truncated = "" if complete else f" (truncated to {counted(len(corpus), 'document')})"
    queries = {query_id: text for query_id, text in queries.items() if query_id in qrels}
    whole = replace(dataset, name=dataset.name + truncated, corpus=corpus, queries=queries)
    warn_of_texts(whole)
    return whole


def kept_documents(
    documents: Iterable[Row], judged: Set[str], max_docs: int | None = None
) -> tuple[Corpus, bool]:
    """The corpus `{doc_id: text}` in the order of the stream, and whether it is complete.

    `documents` are `(where, doc_id, text)`; an error names the `where` (file and line). All are kept where
    `max_docs` is None. Else every judged document is kept, however late it comes, and the first others up to
    `max_docs` in all; when more are judged than `max_docs`, these and no others. Never more than the judged
    and `max_docs` are held, and reading ends when no further document can be kept.

    A truncated corpus is easier to search than the whole one: scores are comparable only on the same
    truncated corpus. Raises ValueError for what is no such row, for an id that comes twice among the
    documents kept, and for a `max_docs` that is no number from 1 up; warns of judged documents that never
    came.

    >>> stream = [("line 1", "d1", "a"), ("line 2", "d2", "b"), ("line 3", "d3", "c"), ("line 4", "d4", "d")]
    >>> kept_documents(stream, judged={"d4"}, max_docs=2)
    ({'d1': 'a', 'd4': 'd'}, False)
    """
    if isinstance(judged, str):
        raise ValueError(f"judged is the text {judged!r:.60}; needed a set of doc_ids: {{{judged!r:.60}}}")
    kept, complete = _kept(documents, judged, max_docs)
    if lost := [doc_id for doc_id in judged if doc_id not in kept]:
        lacking = f"{len(lost)} of {counted(len(judged), 'judged document')} never came, e.g. {lost[0]!r}"
        effect = "they cannot be found"
        if len(lost) == len(judged) and kept:
            effect = f"the first that came is {next(iter(kept))!r}; is each row (where, doc_id, text)?"
        warn(f"{lacking}; {effect}")
    return kept, complete


def _kept(documents: Iterable[Row], judged: Set[str], max_docs: int | None) -> tuple[Corpus, bool]:
    if max_docs is None:
        return texts_by_id(documents, "document"), True
    check_whole("max_docs", max_docs, of="documents")
    kept: Corpus = {}
    others: list[str] = []
    complete = True
    for row in documents:
        doc_id = _add(kept, row, "document")
        if doc_id not in judged:
            others.append(doc_id)
        if len(kept) > max_docs and others:
            del kept[others.pop()]  # the last of them, which may be this very document
            complete = False
            if len(kept) - len(others) == len(judged):
                break
    return kept, complete


def texts_by_id(rows: Iterable[Row], what: str) -> dict[str, str]:
    """`{id: text}` in the order of the rows. Raises ValueError, with the line, for an id that comes twice.

    >>> texts_by_id([("line 1", "q1", "how?"), ("line 2", "q1", "why?")], "query")
    Traceback (most recent call last):
    ValueError: line 2: query 'q1' comes a second time; ids must be unique
    """
    texts: dict[str, str] = {}
    for row in rows:
        _add(texts, row, what)
    return texts


def _add(texts: dict[str, str], row: Row, what: str) -> str:
    if not isinstance(row, tuple | list) or len(row) != 3 or not isinstance(row[2], str):
        needed = f"(where, {what} id, text), where being the file and line"
        raise ValueError(f"{row!r:.80} is no row of a {what}; needed {needed}")
    where, id_, text = row
    if id_ in texts:
        raise ValueError(f"{where}: {what} {id_!r} comes a second time; ids must be unique")
    texts[id_] = text
    return id_


def _alike(judged_id: str, known: Iterable[str]) -> str:
    """Of the ids that there are one that ends as this one does or is its end, else the first."""
    ends = (one for one in known if one.endswith(f"/{judged_id}") or judged_id.endswith(f"/{one}"))
    return next(ends, next(iter(known)))


def _check_known(
    judgments: Path, what: str, judged: set[str], known: dict[str, str], effect: str, hint: str
) -> None:
    """Warns of judged ids without a text. Raises ValueError where none of them has one."""
    unknown = sorted(judged - known.keys())
    if len(unknown) == len(judged):
        bare = unknown[0].strip("\"'")
        if bare in known:
            hint = f"there it is {bare!r}; take the quotes away from the ids"
        elif known and hint == "wrong split?":
            hint = f"wrong split, or are ids written otherwise? There is e.g. {_alike(bare, known)!r}"
        hint = hint if known else f"the file of {plural(what)} is empty, or its texts are"
        missing = f"none of its {len(judged)} {what} ids (e.g. {unknown[0]!r}) has a text"
        raise ValueError(f"{judgments}: {missing}: {hint}")
    if unknown:
        missing = f"{len(unknown)} of {len(judged)} {what} ids have no text, e.g. {unknown[0]!r}"
        warn(f"{judgments}: {missing}; {effect}")
