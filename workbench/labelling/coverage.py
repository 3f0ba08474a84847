"""What the labels of a project cover and what they leave open, written down for those who read its numbers.

The same account of the course's own collection is in `collection.coverage`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from helpers.base import escape_markdown
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
    """Markdown: queries by kind, judgments by grade, pools that are not read to the end, judged@k of each system, stale labels.

    `progress` and `runs` are those of `Labelling`, `stale` is `{(query_id, doc_id): reason}`. judged@k is over the queries
    that have a judgment.

    >>> print(coverage_report([], pd.DataFrame(), {}, 12, {}, 10))
    12 documents. No query yet.
    """
    if not labels:
        return f"{n_documents:,} documents. No query yet."
    return "\n\n".join(
        [
            *_queries(labels, n_documents),
            *_judgments(labels),
            *_depth(labels, progress, runs, k),
            *_stale(stale),
        ]
    )


def markdown_table(frame: pd.DataFrame) -> str:
    """A frame without its index as a table in Markdown, where text stands to the left and is never cut.

    >>> print(markdown_table(pd.DataFrame({"query": ["a|b"], "pool": [12]})))
    | query | pool |
    | --- | --- |
    | a\\|b | 12 |
    """
    return _table(
        list(frame.columns),
        [tuple(escape_markdown(str(cell)) for cell in row) for _, *row in frame.itertuples()],
    )


def _queries(labels: Sequence[LabelledQuery], n_documents: int) -> Iterator[str]:
    relevant = len(relevant_documents(to_qrels(labels)))
    with_one = sum(bool(label.relevant_doc_ids) for label in labels)
    yield (
        f"{n_documents:,} documents. {len(labels)} queries, {with_one} of them with a relevant document. "
        f"{relevant:,} distinct documents ({relevant / n_documents:.1%}) are relevant to at least one query."
    )
    kinds = Counter(label.kind for label in labels)
    yield _table(
        ["kind of query", "queries"],
        [(kind.replace("_", "-"), kinds[kind]) for kind in QUERY_KINDS if kinds[kind]],
    )


def _judgments(labels: Sequence[LabelledQuery]) -> Iterator[str]:
    grades = Counter(judgment.grade for label in labels for judgment in label.judgments)
    yield _table(
        ["grade", "judgments"], [(f"{grade}, {meaning}", grades[grade]) for grade, meaning in GRADES.items()]
    )
    quoted = sum(
        bool(judgment.quote) for label in labels for judgment in label.judgments if judgment.grade > 0
    )
    if n := grades[1] + grades[2]:
        yield f"{quoted} of the {n} judgments of grade 1 or 2 quote the words that say so."


def _depth(
    labels: Sequence[LabelledQuery], progress: pd.DataFrame, runs: Mapping[str, Run], k: int
) -> Iterator[str]:
    unread = progress.loc[progress["left"] > 0, "left"]
    n = int(unread.sum())
    yield f"Pooled and not judged: {n}" + (
        f", in {', '.join(unread.index)}." if n else ". Every pool was read to its end."
    )
    qrels = to_qrels([label for label in labels if label.judgments])
    if not qrels:
        return
    depth = judged_at_k({system: {q: run[q] for q in qrels} for system, run in runs.items()}, qrels, k)
    yield _table(
        ["system", f"judged@{k}", "unjudged"],
        [(name, f"{row[0]:.2f}", int(row[1])) for name, *row in depth.itertuples()],
    )


def _stale(stale: Mapping[tuple[str, str], str]) -> Iterator[str]:
    if stale:
        rows = [f"- {query_id}, {doc_id}: {reason}" for (query_id, doc_id), reason in stale.items()]
        yield "Judgments that are kept and not counted:\n\n" + "\n".join(rows)


def _table(header: Sequence[str], rows: Sequence[tuple]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
