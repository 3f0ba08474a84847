"""What `datasets/gold.json` of a project says: what it is of, what it lacks, and whether it is behind.

`Labelling.export` writes it. Plain data in: labelled queries, and `{text: doc_ids}` of pools and judgments,
for queries with one text are one query.
"""

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from helpers.base import counted, first_few
from helpers.datasets import LabelledQuery
from workbench.dataset_files import EvaluationDataset, from_labels, load_dataset, rows_by_query
from workbench.labelling.pool_systems import ALSO_POOLED


def by_text(labels: Iterable[LabelledQuery], found: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """`{text: doc_ids}` of what was found by query_id."""
    texts: dict[str, set[str]] = {}
    for label in labels:
        texts.setdefault(label.query, set()).update(found[label.query_id])
    return texts


def described(corpus: str, systems: int, k: int, pools: Mapping[str, set[str]], judged: Mapping) -> str:
    """What the dataset is of, how many systems were pooled to a depth of k, and how much of it is judged."""
    who = f"{counted(systems, 'system')}, and of {' and '.join(ALSO_POOLED)} search"
    n = sum(map(len, pools.values()))
    read = sum(len(pool & judged[text]) for text, pool in pools.items())
    return (
        f"Questions about {corpus}. Pooled were the first {k} documents of {who}; "
        f"{read:,} of these {counted(n, 'document')} {'is' if read == 1 else 'are'} judged."
    )


def lacking(
    labels: Sequence[LabelledQuery],
    pools: Mapping[str, Collection[str]],
    judged: Mapping[str, set[str]],
    read: Collection[str],
    unread: Sequence[str],
) -> Iterator[str]:
    """Which queries and documents the dataset lacks, and what that does to the numbers. `pools` are by
    query_id, `judged` by text; `read` and `unread` are query_ids, and of any other nothing was found."""
    empty = [label.query_id for label in labels if not label.relevant_doc_ids]
    if unread:
        yield f"not read yet, and in no mean: {counted(len(unread), 'query')} ({first_few(unread)})"
    if nothing := [query_id for query_id in empty if query_id not in {*read, *unread}]:
        yield f"in no mean: {nothing_found_in_words(nothing)}"
    if missed := [query_id for query_id in empty if query_id in read]:
        n = counted(len(missed), "query")
        yield f"read, without a document of grade 1 or 2, and in no mean: {n} ({first_few(missed)})"
        yield "  if you know a page that answers one, judge that page too: it is a miss of every system"
    left = {
        label.query_id: n
        for label in labels
        if label.relevant_doc_ids and (n := len({*pools[label.query_id]} - judged[label.query]))
    }
    if left:
        few = first_few(f"{query_id}: {n}" for query_id, n in left.items())
        documents = counted(sum(left.values()), "document")
        yield f"{documents} of their pools not judged, and counted as not relevant ({few})"


def nothing_found_in_words(queries: Sequence[str]) -> str:
    """What to say of queries for which no search finds anything.

    >>> nothing_found_in_words(["q72"])
    '1 query for which no search finds anything: q72; if you know a page that answers it, judge that page'
    """
    one = "it" if len(queries) == 1 else "one"
    cure = f"if you know a page that answers {one}, judge that page"
    return (
        f"{counted(len(queries), 'query')} for which no search finds anything: {first_few(queries)}; {cure}"
    )


def lost_rows(path: Path, known: Collection[str]) -> list[str]:
    """What to say of queries that the dataset has until now, and the project has not."""
    try:
        before = rows_by_query(load_dataset(path))
    except FileNotFoundError:
        return []
    except (ValueError, OSError):
        cure = "edit queries.jsonl and judgments.jsonl, of which it is made anew now"
        return [f"{path.name} could not be read any more, as after an edit by hand; {cure}"]
    lost = [query_id for query_id in before if query_id not in known]
    if not lost:
        return []
    what = counted(len(lost), "query of it is", "queries of it are")
    cure = "what was written into the dataset by hand belongs there"
    return [f"{what} not in queries.jsonl, and left out now: {first_few(lost)}; {cure}"]


def behind(path: Path, labels: Iterable[LabelledQuery]) -> list[str]:
    """The queries of which the dataset says something else than the labels say now."""
    labels = [label for label in labels if label.relevant_doc_ids]
    with warnings.catch_warnings():  # of queries with one text `export` speaks
        warnings.simplefilter("ignore")
        now = _said(from_labels(labels, "gold", "")) if labels else {}
    before = _said(load_dataset(path))
    return [query_id for query_id in before | now if before.get(query_id) != now.get(query_id)]


def _said(dataset: EvaluationDataset) -> dict[str, object]:
    """What a dataset says of each query: its text, what it expects, and the grades."""
    grades = dataset.judgments or {}
    return {
        query_id: ({(row.query_text, row.kind, row.expected_item_id) for row in rows}, grades.get(query_id))
        for query_id, rows in rows_by_query(dataset).items()
    }
