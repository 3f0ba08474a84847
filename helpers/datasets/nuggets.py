"""What a query needs, and the facts that answer it: who asks, what must be learnt, nuggets with their quotes.

Two files of one JSON object a line beside the labelled queries: the needs, which assessors judge by, and the
nuggets, which say which pages hold which fact. A nugget is `vital` (an answer without it is none) or `okay`.
"""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from helpers.base import Strict, check_mapping, files, invalid_fields, json_object, refuse, text_lines
from helpers.datasets.labels import Id, LabelledQuery, near_id
from helpers.records import Corpus

MAX_ANSWER_WORDS = 60
_LINE = (
    '{"query_id": "q1", "answer": "By noon.", "nuggets": [{"text": "due by noon", "importance": "vital", '
    '"support": [{"doc_id": "d1", "quote": "by noon"}]}]}'
)


class Intent(Strict):
    """One of the things that an ambiguous query can mean, and which documents serve it."""

    intent: str
    essential: tuple[str, ...] = Field(strict=False, min_length=1)
    useful: tuple[str, ...] = Field(strict=False)
    doc_ids: tuple[Id, ...] = Field(strict=False)


class Need(Strict):
    """Who typed a query, in what situation, and what must be learnt, never which document has it.

    `essential` items are what an answer consists of (grade 2), `useful` ones are what helps besides (grade
    1). `intents` are those of an ambiguous query, else empty.
    """

    query_id: Id
    split: Literal["dev", "test"]
    role: Literal["support", "warehouse", "newcomer", "manager", "auditor"]
    form: Literal["question", "sentence", "keywords", "two_words", "pasted", "typo", "follow_up"]
    situation: str
    essential: tuple[str, ...] = Field(strict=False)
    useful: tuple[str, ...] = Field(strict=False)
    intents: tuple[Intent, ...] = Field(strict=False)


class Support(Strict):
    """A quote, word for word, from a document that states a nugget."""

    doc_id: Id
    quote: str = Field(min_length=1)


class Nugget(Strict):
    """One fact that can be true or absent in an answer, and every passage that states it."""

    text: str = Field(min_length=1)
    importance: Literal["vital", "okay"]
    support: tuple[Support, ...] = Field(strict=False, min_length=1)


class Answer(Strict):
    """The nuggets of one query, and a reference answer made of them, of at most 60 words."""

    query_id: Id
    answer: str = Field(min_length=1)
    nuggets: tuple[Nugget, ...] = Field(strict=False, min_length=1)


def load_needs(labels: Sequence[LabelledQuery], path: str | Path = files.NEEDS) -> dict[str, Need]:
    """`{query_id: need}` of these queries, in their order. Raises ValueError with all problems at once.

    A query without a need is a problem, and so is an intent's document that is not relevant.
    """
    labels = _checked_labels(labels)
    needs, problems = _records(Path(path), Need)
    for label in labels:
        need, relevant = needs.get(label.query_id), set(label.relevant_doc_ids)
        if need is None:
            problems.append(f"query {label.query_id!r} has no line")
            continue
        for doc_id in sorted({doc_id for intent in need.intents for doc_id in intent.doc_ids} - relevant):
            problems.append(f"query {label.query_id!r}: {doc_id!r} serves an intent and is not relevant")
    refuse(problems, path)
    return {label.query_id: needs[label.query_id] for label in labels}


def load_nuggets(
    labels: Sequence[LabelledQuery], corpus: Corpus, path: str | Path = files.NUGGETS
) -> dict[str, Answer]:
    """`{query_id: answer}` of those queries that a document answers. Raises ValueError with all problems.

    Held to documents and grades: a quote stands in its document once; a document that supports a nugget is
    relevant; one of grade 2 supports a vital nugget; a query that is answered has nuggets, another has none;
    a reference answer has at most 60 words.
    """
    labels = _checked_labels(labels)
    check_mapping("corpus", corpus, "{doc_id: text}")
    answers, problems = _records(Path(path), Answer)
    for label in labels:
        where = f"query {label.query_id!r}"
        problems += [f"{where}: {found}" for found in _mismatches(label, answers.get(label.query_id), corpus)]
    refuse(problems, path)
    return {label.query_id: answers[label.query_id] for label in labels if label.query_id in answers}


def read_nuggets(path: str | Path, corpus: Corpus) -> dict[str, Answer]:
    """`{query_id: answer}` of a file of your own, in the form of the bundled one. Raises ValueError with all
    problems at once.

    Held to the documents alone, for such a file need not belong to graded queries: each quote stands in its
    document, once, and each query has one line:

        {"query_id": "q1", "answer": "By noon.", "nuggets": [{"text": "due by noon", "importance": "vital",
         "support": [{"doc_id": "d1", "quote": "by noon"}]}]}
    """
    path = Path(path)
    check_mapping("corpus", corpus, "{doc_id: text}")
    answers, problems = _records(path, Answer)
    if problems:
        problems[-1] += f"\na whole line, for example: {_LINE}"
    for query_id, answer in answers.items():
        for one in (one for nugget in answer.nuggets for one in nugget.support):
            if one.doc_id not in corpus:
                said = f"document {one.doc_id!r} is not in the corpus{near_id(one.doc_id, corpus)}"
                problems.append(f"query {query_id!r}: {said}")
            elif (times := corpus[one.doc_id].count(one.quote)) != 1:
                where = f"query {query_id!r}: the quote {one.quote[:50]!r} stands {times} times"
                problems.append(f"{where} in {one.doc_id!r}; needed once, letter by letter")
    if not answers and not problems:
        problems.append("the file holds no query")
    refuse(problems, path)
    return answers


def _checked_labels(labels: Iterable[LabelledQuery]) -> list[LabelledQuery]:
    """The labels as a list: they are read more than once."""
    if isinstance(labels, str | PathLike):
        cure = "load_labels gives them; the file goes in as path="
        raise ValueError(f"labels is the text or path {str(labels)!r:.60}; needed labelled queries: {cure}")
    return list(labels)


def _records(path: Path, kind: type[Strict]) -> tuple[dict, list[str]]:
    """The records of a file by their query, and what is wrong with its lines."""
    found: dict = {}
    problems: list[str] = []
    for where, line in text_lines(path):
        try:
            record = kind.model_validate(json_object(line, where, "a query and its nuggets"))
        except ValidationError as error:
            problems += [f"{where}: {finding}" for finding in invalid_fields(error)]
            continue
        if record.query_id in found:
            problems.append(f"{where}: query {record.query_id!r} has an earlier line already")
        found[record.query_id] = record
    return found, problems


def _mismatches(label: LabelledQuery, answer: Answer | None, corpus: Corpus) -> Iterator[str]:
    grades = {judged.doc_id: judged.grade for judged in label.judgments}
    answering = {doc_id for doc_id, grade in grades.items() if grade == 2}
    if answer is None or not answering:
        if answering:
            yield "it is answered and has no nuggets"
        if answer:
            yield "no document answers it, and it has nuggets"
        return
    if (n_words := len(answer.answer.split())) > MAX_ANSWER_WORDS:
        yield f"the reference answer has {n_words} words; needed {MAX_ANSWER_WORDS} or fewer"
    nuggets = [nugget for nugget in answer.nuggets if nugget.importance == "vital"]
    vital = {one.doc_id for nugget in nuggets for one in nugget.support}
    for doc_id in sorted(answering - vital):
        yield f"{doc_id!r} answers it (grade 2) and supports no vital nugget"
    for nugget in answer.nuggets:
        for one in nugget.support:
            if not grades.get(one.doc_id):
                yield f"{one.doc_id!r} supports {nugget.text[:50]!r} and is not relevant"
            if corpus.get(one.doc_id, "").count(one.quote) != 1:
                yield f"the quote {one.quote[:50]!r} does not stand in {one.doc_id!r} exactly once"
