"""What a dataset file holds: queries and what each is expected to find; which rows are one query."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, get_args

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from helpers.base import Strict, check_type, first_few
from helpers.records import Qrels
from workbench.dataset_files.strict_json import short

RowKind = Literal["gold", "synthetic"]


def _one(value: object) -> object:
    if type(value) is not int or value != 1:  # Literal alone takes 1.0 and True for 1
        raise ValueError(f"needed 1, found {short(value)}")
    return value


def _encodable(value: str) -> str:
    if re.search("[\ud800-\udfff]", value):
        raise ValueError(f"half of a surrogate pair, which is no text, found {short(value)}")
    return value


def _with_a_word(value: str) -> str:
    if not value.strip():
        raise ValueError(f"needed some text, found {short(value)}")
    return value


def _trimmed(value: str) -> str:
    if value != value.strip():
        raise ValueError(f"blanks at an end, found {short(value)}; take them away")
    return value


AnyText = Annotated[str, AfterValidator(_encodable)]
Text = Annotated[AnyText, AfterValidator(_with_a_word)]
Trimmed = Annotated[Text, AfterValidator(_trimmed)]


def _plain_grades(judgments: object) -> object:
    """Judgments with the numbers that NumPy's whole numbers are, which tables give."""
    if judgments is None:
        return None
    if not isinstance(judgments, Mapping) or not all(isinstance(own, Mapping) for own in judgments.values()):
        made = "workbench.exchange.as_qrels makes it of a table, or of rows or tuples with the three"
        needed = "needed a dict {query_id: {doc_id: grade}}"
        raise ValueError(f"{needed}, found {short(judgments)}; {made}")
    return {
        query_id: {
            doc_id: grade.item() if isinstance(grade, np.integer) else grade for doc_id, grade in own.items()
        }
        for query_id, own in judgments.items()
    }


class EvaluationQuery(Strict):
    """One row: a query, and the one document or source that it is expected to find.

    Exactly one of `expected_item_id` (a doc_id, or the id of one chunk) and `expected_source_uri` (all its
    documents) is given. `kind` is gold for a query that a person judged, synthetic for one made by a rule.

    >>> row = EvaluationQuery(query_id="q1", query_text="disk full", expected_item_id="doc_012", kind="gold")
    >>> row.expected_item_id
    'doc_012'
    """

    query_id: Trimmed
    query_text: Text
    expected_item_id: Trimmed | None = None
    expected_source_uri: Trimmed | None = Field(default=None, validate_default=True)
    kind: RowKind

    @field_validator("expected_item_id", "expected_source_uri", mode="before")
    @classmethod
    def _no_gap(cls, value: object) -> object:
        if isinstance(value, list | tuple):
            cure = "a row has one; write a row for each, q1-1 and q1-2, with the same query_text"
            raise ValueError(f"needed text, found {value!r:.60}; {cure}")
        blank = isinstance(value, str) and not value.strip()
        if blank or isinstance(value, float) and value != value:  # as a table has them in an empty cell
            raise ValueError(f"needed text, found {value!r:.60}; leave the key out where there is none")
        return value

    @field_validator("expected_source_uri")
    @classmethod
    def _one_expectation(cls, source_uri: str | None, info: ValidationInfo) -> str | None:
        item_id = info.data.get("expected_item_id", ...)  # missing where it is wrong by itself
        if item_id is not ... and (source_uri is None) == (item_id is None):
            found = "neither" if source_uri is None else "both"
            raise ValueError(f"needed either expected_item_id or expected_source_uri, found {found}")
        return source_uri


class EvaluationDataset(Strict):
    """What a dataset file holds. Row ids are unique, and no row of a query expects what another one does.

    `judgments`, where they are known, are `{query_id: {doc_id: grade}}` for the gold queries of
    `rows_by_query`, the documents judged 0 included: the rows name what is relevant, the judgments how much,
    and what else was read. They stand in a file beside the dataset's.

    >>> row = EvaluationQuery(query_id="q1", query_text="disk full", expected_item_id="doc_012", kind="gold")
    >>> EvaluationDataset(schema_version=1, name="wiki", description="", queries=(row,)).kinds()
    {'gold': 1, 'synthetic': 0}
    """

    schema_version: Annotated[Literal[1], BeforeValidator(_one)]
    name: Text
    description: AnyText
    queries: tuple[EvaluationQuery, ...] = Field(strict=False)
    judgments: Annotated[Qrels | None, BeforeValidator(_plain_grades)] = Field(default=None, exclude=True)

    @field_validator("queries", mode="before")
    @classmethod
    def _are_rows(cls, rows: object) -> object:
        if isinstance(rows, Mapping) and all(isinstance(text, str) for text in rows.values()):
            cure = "workbench.dataset_files.from_qrels(queries, qrels, name, description) makes one of it"
            raise ValueError(f"needed a list of rows, each an EvaluationQuery, found a dict; {cure}")
        return rows

    @field_validator("queries")
    @classmethod
    def _distinct(cls, rows: tuple[EvaluationQuery, ...]) -> tuple[EvaluationQuery, ...]:
        if not rows:
            raise ValueError("needed at least one query, found none")
        if problems := list(repeated_ids([row.query_id for row in rows])):
            raise ValueError("; ".join(problems))
        if again := list(_repeated_rows(rows)):
            raise ValueError(first_few(again, 3, between="; "))
        return rows

    @model_validator(mode="after")
    def _judgments_are_those_of_the_rows(self):
        check_judgments(self)
        return self

    @property
    def fingerprint(self) -> str:
        """`sha256:` and 64 digits: the same for the same rows and judgments, whatever order and name."""
        rows = sorted(self.queries, key=lambda row: row.query_id)
        text = json.dumps([row.model_dump(exclude_none=True) for row in rows], sort_keys=True)
        if self.judgments is not None:
            text += json.dumps(self.judgments, sort_keys=True)
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"

    def kinds(self) -> dict[str, int]:
        """How many rows there are of each kind."""
        return {kind: sum(row.kind == kind for row in self.queries) for kind in get_args(RowKind)}


def check_judgments(dataset: EvaluationDataset) -> None:
    """Raises ValueError where judgments are of other queries or documents than the rows: after an edit, or in
    a part of a dataset that `model_copy` made, which checks nothing."""
    for number, row in enumerate(dataset.queries):
        made = "model_copy checks nothing; make it with EvaluationDataset(...)"
        check_type(f"dataset.queries[{number}]", row, EvaluationQuery, made)
    if dataset.judgments is None:
        return
    if problems := list(repeated_ids([row.query_id for row in dataset.queries])):
        raise ValueError("; ".join(problems[:3]))
    rows = rows_by_query(dataset)
    gold = {q: of_query for q, of_query in rows.items() if of_query[0].kind == "gold"}
    expected = {q: {row.expected_item_id for row in of_query} for q, of_query in gold.items()}
    judged = {q: {d for d, g in grades.items() if g > 0} for q, grades in dataset.judgments.items()}
    if wrong := [q for q in expected.keys() | judged.keys() if expected.get(q) != judged.get(q)]:
        one, which = min(wrong), first_few(map(repr, sorted(wrong)))
        sides = f"the rows expect {sorted(map(str, expected.get(one, ())))}, judged relevant are "
        sides += str(sorted(judged.get(one, ())))
        why = f"{sides:.300}; {_WRITTEN_ANEW}"
        query_of_row = {row.query_id: q for q, of_query in rows.items() for row in of_query}
        if several := _several_texts(judged.keys() - expected.keys(), dataset.queries):
            why = f"{several}; {_WRITTEN_ANEW}"
        elif by_text := {q: row.query_id for row in dataset.queries for q in wrong if q == row.query_text}:
            text, query_id = next(iter(by_text.items()))
            form = "judgments are {query_id: {doc_id: grade}}"
            why = f"{text!r} is no id but the text of {query_id!r}; {form}"
        elif by_row := [q for q in judged if q in query_of_row and q not in rows]:
            row = by_row[0]
            form = "judgments are {query_id: {doc_id: grade}}, all rows of a query together"
            why = f"{row!r} is a row of the query {query_of_row[row]!r}; {form}"
        elif None in expected.get(one, ()):
            why = f"a row of {one!r} expects a source, and judgments are of documents; {_DOCUMENTS}"
        elif one in rows and one not in gold:
            why = f"the rows of {one!r} are synthetic, and judgments are of gold queries; take them out"
        elif not set(wrong) & expected.keys():
            why = f"no row asks them; {_WRITTEN_ANEW}; for a part of a dataset {_OF_A_PART}"
        elif all(_is_part(q, expected, judged) for q in set(wrong) & expected.keys()):
            cut = _query_of(min(q for q in wrong if q in expected))
            part = f"for a part of a dataset take all rows of a query, and {_OF_A_PART}"
            why = f"some rows of {cut!r} are left out; {_WRITTEN_ANEW}; {part}"
        raise ValueError(f"rows and judgments differ for {which}: {why}")


def _is_part(query_id: str, expected: Mapping[str, set], judged: Mapping[str, set]) -> bool:
    """Whether rows of a query are left out: it has the id of a row, as where only one of them is left, or
    no row asks other queries, and more is judged relevant than its rows expect."""
    whole, some_are_gone = _query_of(query_id), bool(judged.keys() - expected.keys())
    is_cut = whole != query_id or some_are_gone
    return is_cut and expected[query_id] < judged.get(whole, judged.get(query_id, set()))


def _query_of(row_id: str) -> str:
    """The query of a row that is one of several, as "q1" of "q1-2"."""
    return re.sub(r"[-#]\d+$", "", row_id)


_WRITTEN_ANEW = (
    "give a row for each document that is judged relevant, and judgments of those; of files undo the edit, "
    "or write both files anew (`workbench measure`, in Python write_dataset)"
)
_OF_A_PART = (
    "give the judgments of these queries only: "
    "judgments={q: whole.judgments[q] for q in rows_by_query(part) if q in whole.judgments}"
)
_DOCUMENTS = "name the documents (expected_item_id), or do without judgments"


def _repeated_rows(rows: Sequence[EvaluationQuery]) -> Iterator[str]:
    """A problem for each row that expects, for the same query, what a row before it does: it counts twice."""
    first: dict[tuple, str] = {}
    for row in rows:
        said = (row.query_text, row.kind, row.expected_item_id, row.expected_source_uri)
        if (before := first.setdefault(said, row.query_id)) != row.query_id:
            expects = short(row.expected_item_id or row.expected_source_uri)
            same = (
                f"row {short(row.query_id)} has the text of {short(before)} and expects {expects} as it does"
            )
            yield f"{same}, so one document would count twice; delete one of the rows"


def _several_texts(query_ids: Iterable[str], rows: Sequence[EvaluationQuery]) -> str:
    """What to say where the rows of one judged query, by their ids, have several texts; "" where none has."""
    for query_id in sorted(query_ids):
        of_query = [row for row in rows if re.fullmatch(f"{re.escape(query_id)}[-#][0-9]+", row.query_id)]
        texts = {row.query_text: row.query_id for row in reversed(of_query)}
        if len(texts) > 1:
            found = first_few((f"{row_id!r} {text!r:.60}" for text, row_id in texts.items()), 3)
            return (
                f"rows of one query have one text, letter for letter, and those of {query_id!r} have {found}"
            )
    return ""


def rows_by_query(dataset: EvaluationDataset) -> dict[str, list[EvaluationQuery]]:
    """`{query_id: rows}`: rows with the same text, letter for letter, and the same kind are one query.

    Its id is the least of its rows' ids, or "q1" where they are "q1-1" to "q1-n" (or "q1#1" to "q1#n") and no
    other query has it.

    >>> one, two = (
    ...     EvaluationQuery(query_id=f"q1-{n}", query_text="cats", expected_item_id=f"d{n}", kind="gold")
    ...     for n in (1, 2)
    ... )
    >>> dataset = EvaluationDataset(schema_version=1, name="pets", description="", queries=(one, two))
    >>> {query_id: [row.query_id for row in rows] for query_id, rows in rows_by_query(dataset).items()}
    {'q1': ['q1-1', 'q1-2']}
    """
    groups: dict[tuple[str, str], list[EvaluationQuery]] = {}
    for row in dataset.queries:
        groups.setdefault((row.query_text, row.kind), []).append(row)
    row_ids = [[row.query_id for row in rows] for rows in groups.values()]
    names = [_common_id(ids) for ids in row_ids]
    while repeated := {name for name, times in Counter(names).items() if times > 1}:
        names = [min(ids) if name in repeated else name for name, ids in zip(names, row_ids, strict=True)]
    return dict(zip(names, groups.values(), strict=True))


def repeated_ids(ids: Sequence[object]) -> Iterator[str]:
    """A problem for each id that stood there before; one that is no text is a problem of another kind.

    >>> list(repeated_ids(["q1", "q2", "q1"]))
    ["queries[2].query_id: 'q1' is the id of queries[0] too; ids are unique"]
    """
    first: dict[str, int] = {}
    for number, query_id in enumerate(ids):
        if isinstance(query_id, str) and first.setdefault(query_id, number) != number:
            before = f"queries[{first[query_id]}]"
            yield f"queries[{number}].query_id: {short(query_id)} is the id of {before} too; ids are unique"


def _common_id(row_ids: list[str]) -> str:
    """What "q1-1" to "q1-n" have in common, else the least, whatever the order of the rows."""
    for separator in "-#":
        common = row_ids[0].rpartition(separator)[0]
        numbered = {f"{common}{separator}{n}" for n in range(1, len(row_ids) + 1)}
        if common and len(row_ids) > 1 and set(row_ids) == numbered:
            return common
    return min(row_ids)
