"""Labelled queries: what a query file holds, what can be wrong with it, and how it becomes qrels.

One query a line, in JSON. Each judgment names a document and a grade, 2 (answers), 1 (helps) or 0 (judged, not
relevant), and for 1 and 2 quotes the words that say so. The quotes make the labels independent of how documents are cut.
How good a set of labels is, is measured in `quality`.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field, ValidationError

from helpers.base import Strict, files, place, replaced
from helpers.records import Corpus, Qrels, Queries

Id = Annotated[str, Field(pattern=r"^\S+$")]
QueryKind = Literal["identifier", "question", "paraphrase", "multi_document", "ambiguous", "partial"]
QUERY_KINDS = get_args(QueryKind)


class Judgment(Strict):
    """One document judged for one query. `quote` stands in the document word for word; a grade of 0 has none."""

    doc_id: Id
    grade: int = Field(ge=0, le=2)
    quote: str = ""


class LabelledQuery(Strict):
    """One line of a query file. `relevant_doc_ids` repeats the documents of grade 1 and 2, for readers and other tools.

    `kind`: `identifier` (an exact name or code), `question`, `paraphrase` (not the document's words), `multi_document`,
    `ambiguous` (several services could be meant), `partial` (nothing answers it, the best grade is 1).
    """

    query_id: Id
    query: str = Field(pattern=r"\S")
    relevant_doc_ids: tuple[str, ...] = Field(strict=False)
    kind: QueryKind
    judgments: tuple[Judgment, ...] = Field(strict=False)


def load_labels(path: str | Path, corpus: Corpus) -> list[LabelledQuery]:
    """The labelled queries of a file. Raises ValueError with **all** its problems, one a line, each with its place."""
    labels, problems = _read(Path(path), corpus)
    _refuse(problems, Path(path))
    return labels


def label_problems(path: str | Path, corpus: Corpus) -> list[str]:
    """Everything that is wrong with a query file, one sentence each; an empty list where all is well."""
    return _read(Path(path), corpus)[1]


def save_labels(path: str | Path, labels: list[LabelledQuery], corpus: Corpus) -> Path:
    """Writes labelled queries to a file of your own; the old file stays until the new one is complete.

    Raises ValueError, and writes nothing, where `load_labels` would refuse the result, and for the shipped file, which
    no notebook overwrites.
    """
    path = Path(path).resolve()  # a link stays a link
    if path == files.QUERIES.resolve() or (path.exists() and path.samefile(files.QUERIES)):
        raise ValueError(
            f"{path.name} is the file that the course's numbers rest on; save yours beside it, under another name"
        )
    with replaced(path) as beside:
        lines = (
            json.dumps(label.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False)
            for label in labels
        )
        beside.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        _refuse(label_problems(beside, corpus), path)
    return path


def add_query(
    path: str | Path, query: str, kind: QueryKind, judgments: Sequence[tuple[str, int, str]], corpus: Corpus
) -> LabelledQuery:
    """Adds one query to a file of your own, made if need be, and returns it. Judgments are `(doc_id, grade, quote)`.

    It gets the next free id, `my01` and so on. Raises ValueError, and leaves the file as it is, for whatever
    `save_labels` refuses. Not for two programs at the same time: the later one would write over the earlier one's query.
    """
    path = Path(path)
    old = load_labels(path, corpus) if path.is_file() and path.read_bytes().strip() else []
    taken = {label.query_id for label in old}
    query_id = next(name for name in (f"my{n:02d}" for n in range(1, len(old) + 2)) if name not in taken)
    try:
        label = LabelledQuery(
            query_id=query_id,
            query=query,
            kind=kind,
            relevant_doc_ids=[doc_id for doc_id, grade, _ in judgments if grade],
            judgments=[
                Judgment(doc_id=doc_id, grade=grade, quote=quote) for doc_id, grade, quote in judgments
            ],
        )
    except ValidationError as error:
        _refuse([f"{place(found['loc'])}: {found['msg']}" for found in error.errors()], path)
        raise
    save_labels(path, [*old, label], corpus)
    return label


def to_qrels(labels: list[LabelledQuery]) -> Qrels:
    """`{query_id: {doc_id: grade}}`, the zeros included.

    >>> judged = [Judgment(doc_id="d1", grade=2, quote="x"), Judgment(doc_id="d2", grade=0)]
    >>> to_qrels([LabelledQuery(query_id="q1", query="?", relevant_doc_ids=["d1"], kind="question", judgments=judged)])
    {'q1': {'d1': 2, 'd2': 0}}
    """
    return {
        label.query_id: {judgment.doc_id: judgment.grade for judgment in label.judgments} for label in labels
    }


def to_queries(labels: list[LabelledQuery]) -> Queries:
    """`{query_id: text}`"""
    return {label.query_id: label.query for label in labels}


def quote_spans(label: LabelledQuery, corpus: Corpus) -> dict[str, tuple[int, int]]:
    """`{doc_id: (start, end)}`: where in each relevant document's text its quote stands, in characters.

    Raises ValueError where it does not stand there, as when the corpus is another one than the labels were made for.
    """
    quoted = {judgment.doc_id: judgment.quote for judgment in label.judgments if judgment.grade > 0}
    for doc_id, quote in quoted.items():
        if quote not in corpus.get(doc_id, ""):
            raise ValueError(
                f"query {label.query_id!r}: the quote {quote[:50]!r} is not in document {doc_id!r}; another corpus?"
            )
    starts = {doc_id: corpus[doc_id].index(quote) for doc_id, quote in quoted.items()}
    return {doc_id: (start, start + len(quoted[doc_id])) for doc_id, start in starts.items()}


def _refuse(problems: list[str], path: Path) -> None:
    if problems:
        raise ValueError(
            f"{len(problems)} {'problem' if len(problems) == 1 else 'problems'} in {path}:\n"
            + "\n".join(problems)
        )


def _read(path: Path, corpus: Corpus) -> tuple[list[LabelledQuery], list[str]]:
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there; needed a file with one labelled query a line, in JSON")
    labels: list[LabelledQuery] = []
    problems: list[str] = []
    for number, raw in enumerate(path.read_bytes().splitlines(keepends=True), start=1):
        if not raw.strip():
            continue
        try:
            label = LabelledQuery.model_validate(json.loads(raw, object_pairs_hook=_without_repeats))
        except ValidationError as error:
            problems += [f"line {number}, {place(found['loc'])}: {found['msg']}" for found in error.errors()]
        except (ValueError, RecursionError) as error:
            problems.append(f"line {number}: not valid JSON ({error}); each query is one line")
        else:
            labels.append(label)
            problems += [
                f"line {number}, query {label.query_id!r}: {problem}"
                for problem in _inconsistencies(label, corpus)
            ]
    if not labels and not problems:
        problems.append("the file holds no query")
    return labels, problems + list(_repetitions(labels))


def _inconsistencies(label: LabelledQuery, corpus: Corpus) -> Iterator[str]:
    """What is wrong with one query by itself, though its fields have the right types."""
    judged = Counter(judgment.doc_id for judgment in label.judgments)
    yield from (
        f"document {doc_id!r} is judged {times} times" for doc_id, times in judged.items() if times > 1
    )
    relevant = {judgment.doc_id for judgment in label.judgments if judgment.grade > 0}
    if (
        len(set(label.relevant_doc_ids)) < len(label.relevant_doc_ids)
        or set(label.relevant_doc_ids) != relevant
    ):
        differs = ", ".join(sorted(set(label.relevant_doc_ids) ^ relevant)) or "one is named twice"
        yield f"relevant_doc_ids and the judgments of grade 1 and 2 name different documents: {differs}"
    best = max((judgment.grade for judgment in label.judgments), default=0)
    if best == 0:
        yield "no document is relevant; judge one 1 or 2, or leave the query out"
    elif (best == 1) != (label.kind == "partial"):
        yield f"kind is {label.kind!r} and the best grade {best}; a query whose best grade is 1 is 'partial', and only that"
    for judgment in label.judgments:
        if judgment.doc_id not in corpus:
            yield f"document {judgment.doc_id!r} is not in the corpus"
        elif judgment.grade > 0 and not judgment.quote.strip():
            yield f"document {judgment.doc_id!r} has grade {judgment.grade} and no quote"
        elif judgment.quote:
            yield from _quote_problems(judgment, corpus[judgment.doc_id])


def _quote_problems(judgment: Judgment, text: str) -> Iterator[str]:
    quote, times = judgment.quote, text.count(judgment.quote)
    if times > 1:
        yield f"the quote {quote[:50]!r} stands {times} times in document {judgment.doc_id!r}; quote more words around it"
    if times == 0:
        found = max(length for length in range(len(quote)) if quote[:length] in text)
        where = f", it differs after {quote[max(0, found - 30) : found]!r}" if found > 9 else ""
        yield f"the quote {quote[:50]!r} does not stand in document {judgment.doc_id!r} word for word{where}"


def _without_repeats(pairs: list[tuple[str, object]]) -> dict:
    repeated = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    if repeated:
        raise ValueError(f"the key {repeated[0]!r} stands there twice")
    return dict(pairs)


def _repetitions(labels: list[LabelledQuery]) -> Iterator[str]:
    for what, values in (
        ("query_id", [label.query_id for label in labels]),
        ("query", [" ".join(label.query.lower().split()) for label in labels]),
    ):
        yield from (
            f"{what} {value!r} stands in {times} lines"
            for value, times in Counter(values).items()
            if times > 1
        )
