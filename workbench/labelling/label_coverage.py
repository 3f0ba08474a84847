"""What the labels of a project cover and what they leave open, for those who read its numbers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from helpers.base import counted, first_few, markdown_table
from helpers.datasets import QUERY_KINDS, LabelledQuery, to_qrels
from helpers.judgments import judged_at_k, relevant_documents
from helpers.records import Run
from workbench.labelling.reading_page import GRADES


def coverage_report(
    labels: Sequence[LabelledQuery],
    progress: pd.DataFrame,
    runs: Mapping[str, Run],
    n_documents: int,
    stale: Mapping[tuple[str, str], str],
    k: int,
) -> str:
    """Queries by kind, judgments by grade, unread pools, judged@k by system, stale labels, in Markdown.

    `progress` and `runs` are those of `Labelling`, `stale` is `{(query_id, doc_id): reason}`. Only queries
    with a judgment count for judged@k.

    >>> print(coverage_report([], pd.DataFrame(), {}, 12, {}, 10))
    12 documents. No query yet.
    """
    if not labels:
        return f"{n_documents:,} documents. No query yet."
    parts = [*_queries(labels, n_documents), *_judgments(labels), *_depth(labels, progress, runs, k)]
    if stale:
        rows = [f"- {query_id}, {doc_id}: {reason}" for (query_id, doc_id), reason in stale.items()]
        parts += ["Judgments that are kept and not counted:", "\n".join(rows)]
    return "\n\n".join(parts)


def _queries(labels: Sequence[LabelledQuery], n_documents: int) -> Iterator[str]:
    relevant = len(relevant_documents(to_qrels(labels)))
    with_one = sum(bool(label.relevant_doc_ids) for label in labels)
    yield (
        f"{n_documents:,} documents. {len(labels)} queries, {with_one} of them with a relevant document. "
        f"{relevant:,} distinct documents ({relevant / n_documents:.1%}) are relevant to at least one query."
    )
    kinds = Counter(label.kind for label in labels)
    rows = [(kind.replace("_", "-"), kinds[kind]) for kind in QUERY_KINDS if kinds[kind]]
    yield _table(["kind of query", "queries"], rows)


def _judgments(labels: Sequence[LabelledQuery]) -> Iterator[str]:
    judgments = [judgment for label in labels for judgment in label.judgments]
    grades = Counter(judgment.grade for judgment in judgments)
    rows = [(f"{grade}, {meaning}", grades[grade]) for grade, meaning in GRADES.items()]
    yield _table(["grade", "judgments"], rows)
    quoted = sum(bool(judgment.quote) for judgment in judgments if judgment.grade > 0)
    if n := grades[1] + grades[2]:
        yield f"{quoted} of the {n} judgments of grade 1 or 2 quote the words that say so."


def _depth(
    labels: Sequence[LabelledQuery], progress: pd.DataFrame, runs: Mapping[str, Run], k: int
) -> Iterator[str]:
    unread = progress.loc[progress["left"] > 0, "left"]
    where = f", in {', '.join(unread.index)}." if len(unread) else ". Every pool was read to its end."
    yield f"Pooled and not judged: {int(unread.sum())}{where}"
    if empty := list(progress.index[progress["pool"] == 0]):
        yield f"No search finds anything for {counted(len(empty), 'query')}: {first_few(empty)}."
    again = progress.loc[progress["again"] > 0, "again"]
    if len(again):
        yield f"Judged of a text that has changed since: {int(again.sum())}, in {first_few(again.index)}."
    qrels = to_qrels([label for label in labels if label.judgments])
    if qrels:
        depth = judged_at_k({system: {q: run[q] for q in qrels} for system, run in runs.items()}, qrels, k)
        rows = [(name, f"{share:.2f}", int(unjudged)) for name, share, unjudged, *_ in depth.itertuples()]
        yield _table(["system", f"judged@{k}", "unjudged"], rows)


def _table(header: list[str], rows: Iterable[tuple]) -> str:
    return markdown_table(pd.DataFrame(rows, columns=header).astype(str))
