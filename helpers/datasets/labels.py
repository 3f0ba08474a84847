"""Labelled queries: what a query file holds, what can be wrong with it, and how it becomes qrels.

One query a line, in JSON. Each judgment names a document and a grade, 2 (answers), 1 (helps) or 0 (judged,
not relevant), and for 1 and 2 quotes the words that say so. The quotes make the labels independent of how
documents are cut.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field, ValidationError

from helpers.base import (
    Strict,
    as_typed,
    check_json_lines,
    check_mapping,
    files,
    invalid_fields,
    json_value,
    refuse,
    replaced,
)
from helpers.records import Corpus, Qrels, Queries

Id = Annotated[str, Field(pattern=r"^\S+$")]
QueryKind = Literal[
    "identifier", "question", "paraphrase", "multi_document", "ambiguous", "current", "partial"
]
QUERY_KINDS = get_args(QueryKind)


class Judgment(Strict):
    """One document judged for one query. `quote` is in the document word for word; grades 1 and 2 need one.

    `superseded` goes with grade 0: the document answers, but with what is out of date.
    """

    doc_id: Id
    grade: int = Field(ge=0, le=2)
    quote: str = ""
    superseded: bool = False


class LabelledQuery(Strict):
    """One line of a query file. `relevant_doc_ids` repeats the documents of grade 1 and 2, for other tools.

    `kind`: `identifier` (an exact name or code), `question`, `paraphrase` (not the document's words),
    `multi_document`, `ambiguous` (several things could be meant), `current` (an outdated document answers it
    too), `partial` (no document answers it: the best grade is 1 or 0).
    """

    query_id: Id
    query: str = Field(pattern=r"\S")
    relevant_doc_ids: tuple[str, ...] = Field(strict=False)
    kind: QueryKind
    judgments: tuple[Judgment, ...] = Field(strict=False)


def load_labels(path: str | Path, corpus: Corpus) -> list[LabelledQuery]:
    """The labelled queries of a file. Raises ValueError with **all** its problems, each with its line."""
    labels, problems = _read(Path(path), corpus)
    refuse(problems, Path(path))
    return labels


def label_problems(path: str | Path, corpus: Corpus) -> list[str]:
    """Everything that is wrong with a query file, one sentence each; an empty list where all is well."""
    return _read(Path(path), corpus)[1]


def save_labels(path: str | Path, labels: list[LabelledQuery], corpus: Corpus) -> Path:
    """Writes labelled queries to a file of your own; the old file stays until the new one is complete.

    Raises ValueError, and writes nothing, where `load_labels` would refuse the result, and for the shipped
    file, which no notebook overwrites.
    """
    path = Path(path).resolve()  # a link stays a link
    if path == files.QUERIES.resolve() or (path.exists() and path.samefile(files.QUERIES)):
        cure = "save yours beside it, under another name"
        raise ValueError(f"{path.name} is the file that the course's numbers rest on; {cure}")
    records = (label.model_dump(mode="json", exclude_defaults=True) for label in labels)
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    with replaced(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
        refuse(label_problems(beside, corpus), path)
    return path


def add_query(
    path: str | Path, query: str, kind: QueryKind, judgments: Sequence[tuple[str, int, str]], corpus: Corpus
) -> LabelledQuery:
    """Adds one query to a file of your own, made if need be, and returns it.

    Judgments are `(doc_id, grade, quote)`. It gets the next free id, `my01` and so on. Raises ValueError, and
    leaves the file as it is, for a query that it has already and for whatever `save_labels` refuses. Not for
    two programs at the same time: the
    later one would write over the earlier one's query.
    """
    path = Path(path)
    judgments = _checked_triples(judgments)
    old = load_labels(path, corpus) if path.is_file() and path.read_bytes().strip() else []
    same = next((label.query_id for label in old if _as_asked(label.query) == _as_asked(query)), None)
    if same is not None:
        raise ValueError(f"query {query!r:.80} is in {path} already, as {same}; nothing was added")
    taken = {label.query_id for label in old}
    query_id = next(name for name in (f"my{n:02d}" for n in range(1, len(old) + 2)) if name not in taken)
    try:
        label = LabelledQuery.model_validate(
            {
                "query_id": query_id,
                "query": query,
                "kind": kind,
                "relevant_doc_ids": [doc_id for doc_id, grade, _ in judgments if grade],
                "judgments": [{"doc_id": d, "grade": grade, "quote": quote} for d, grade, quote in judgments],
            }
        )
    except ValidationError as error:
        refuse(invalid_fields(error), path)
        raise
    save_labels(path, [*old, label], corpus)
    return label


def _checked_triples(judgments: object) -> list[tuple[str, int, str]]:
    needed = "needed (doc_id, grade, quote), with '' where nothing is quoted"
    if isinstance(judgments, str | Mapping) or not isinstance(judgments, Iterable):
        raise ValueError(f"judgments is a {type(judgments).__name__}; {needed} for each document, in a list")
    listed = list(judgments)
    for number, one in enumerate(listed):
        if not isinstance(one, tuple | list) or len(one) != 3:
            raise ValueError(f"judgments[{number}] is {one!r:.80}; {needed}")
    return listed


def to_qrels(labels: list[LabelledQuery]) -> Qrels:
    """`{query_id: {doc_id: grade}}`, the zeros included.

    >>> judged = [Judgment(doc_id="d1", grade=2, quote="x"), Judgment(doc_id="d2", grade=0)]
    >>> label = {"query_id": "q1", "query": "?", "relevant_doc_ids": ["d1"], "kind": "question"}
    >>> to_qrels([LabelledQuery(**label, judgments=judged)])
    {'q1': {'d1': 2, 'd2': 0}}
    """
    return {label.query_id: {judged.doc_id: judged.grade for judged in label.judgments} for label in labels}


def to_queries(labels: list[LabelledQuery]) -> Queries:
    """`{query_id: text}`"""
    return {label.query_id: label.query for label in labels}


def quote_spans(label: LabelledQuery, corpus: Corpus) -> dict[str, tuple[int, int]]:
    """`{doc_id: (start, end)}`: the position of the quote in each relevant document's text, in characters.

    Raises ValueError where the text lacks it, as when the labels were made for another corpus.
    """
    check_mapping("corpus", corpus, "{doc_id: text}")
    spans: dict[str, tuple[int, int]] = {}
    for doc_id, quote in ((judged.doc_id, judged.quote) for judged in label.judgments if judged.grade > 0):
        start = corpus.get(doc_id, "").find(quote)
        if start < 0:
            lacking = f"the quote {quote[:50]!r} is not in document {doc_id!r}"
            raise ValueError(f"query {label.query_id!r}: {lacking}; another corpus?")
        spans[doc_id] = (start, start + len(quote))
    return spans


def _read(path: Path, corpus: Corpus) -> tuple[list[LabelledQuery], list[str]]:
    """The queries of a file, and its problems. Each line is decoded by itself, so that none hides another."""
    check_mapping("corpus", corpus, "{doc_id: text}")
    if not path.is_file():
        found = "is a folder" if path.is_dir() else "is not there"
        raise FileNotFoundError(f"{path} {found}; needed a file with one labelled query a line, in JSON")
    labels: list[LabelledQuery] = []
    problems: list[str] = []
    written = path.read_bytes()
    if written.lstrip().startswith(b"["):
        check_json_lines(path, written.split(b"\n", 1)[0].decode(errors="replace"), "a labelled query")
    for number, line in enumerate(written.splitlines(keepends=True), start=1):
        if not line.strip():
            continue
        try:
            label = LabelledQuery.model_validate(json_value(line))
        except ValidationError as error:
            problems += [f"line {number}, {finding}" for finding in invalid_fields(error)]
        except (ValueError, RecursionError) as error:
            problems.append(f"line {number}: not valid JSON ({error}); each query is one line")
        else:
            labels.append(label)
            where = f"line {number}, query {label.query_id!r}"
            problems += [f"{where}: {problem}" for problem in _inconsistencies(label, corpus)]
    if not labels and not problems:
        problems.append("the file holds no query")
    return labels, problems + list(_repetitions(labels))


def _inconsistencies(label: LabelledQuery, corpus: Corpus) -> Iterator[str]:
    """What is wrong with one query by itself, though its fields have the right types."""
    for doc_id, times in Counter(judged.doc_id for judged in label.judgments).items():
        if times > 1:
            yield f"document {doc_id!r} is judged {times} times"
    named = set(label.relevant_doc_ids)
    relevant = {judged.doc_id for judged in label.judgments if judged.grade > 0}
    if len(named) < len(label.relevant_doc_ids) or named != relevant:
        differs = ", ".join(sorted(named ^ relevant)) or "one is named twice"
        yield f"relevant_doc_ids and the judgments of grade 1 and 2 name different documents: {differs}"
    best = max((judged.grade for judged in label.judgments), default=0)
    if (best < 2) != (label.kind == "partial"):
        rule = "a query that no document answers (grade 2) is 'partial', and only that"
        yield f"kind is {label.kind!r} and the best grade {best}; {rule}"
    for judged in label.judgments:
        if judged.doc_id not in corpus:
            yield f"document {judged.doc_id!r} is not in the corpus{near_id(judged.doc_id, corpus)}"
        elif judged.grade > 0 and not judged.quote.strip():
            yield f"document {judged.doc_id!r} has grade {judged.grade} and no quote"
        elif judged.grade > 0 and judged.superseded:
            yield f"document {judged.doc_id!r} has grade {judged.grade} and is superseded; needed grade 0"
        elif judged.quote:
            yield from _quote_problems(judged, corpus[judged.doc_id])


def near_id(doc_id: str, corpus: Corpus) -> str:
    """What to add of an id that the corpus lacks: the same without folders above it, else an id for example.

    >>> near_id("docs/a.md", {"a.md": "a cat"}), near_id("d9", {"d1": "a cat"})
    (", there it is 'a.md'", ", which has e.g. 'd1'")
    """
    parts = doc_id.split("/")
    shorter = ("/".join(parts[n:]) for n in range(1, len(parts)))
    if near := next((one for one in shorter if one in corpus), None):
        return f", there it is {near!r}"
    return f", which has e.g. {next(iter(corpus))!r}" if corpus else ", which is empty"


def _quote_problems(judgment: Judgment, text: str) -> Iterator[str]:
    quote, times = judgment.quote, text.count(judgment.quote)
    said, document = f"the quote {quote[:50]!r}", f"document {judgment.doc_id!r}"
    if times > 1:
        yield f"{said} occurs {times} times in {document}; quote more words around it"
    if times == 0:
        found = max(length for length in range(len(quote)) if quote[:length] in text)
        where = f", it differs after {quote[max(0, found - 30) : found]!r}" if found > 9 else ""
        if as_typed(quote) in as_typed(text):
            where = ", but with other quotes, dashes or blanks; copy it from the document"
        yield f"{said} is not in {document} word for word{where}"


def _as_asked(query: str) -> str:
    """A query as it is compared with others."""
    return " ".join(str(query).lower().split())


def _repetitions(labels: list[LabelledQuery]) -> Iterator[str]:
    query_ids = [label.query_id for label in labels]
    queries = [_as_asked(label.query) for label in labels]
    for what, values in (("query_id", query_ids), ("query", queries)):
        for value, times in Counter(values).items():
            if times > 1:
                yield f"{what} {value!r} stands in {times} lines"
