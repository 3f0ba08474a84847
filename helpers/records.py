"""The nouns of retrieval evaluation, as plain data that prints and that other tools can take.

Everything in the package takes and gives these. Nothing here reads files, ranks or scores.
"""

import re
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Protocol, runtime_checkable

from helpers.base import check_mapping, check_type, counted

Corpus = dict[str, str]
"""`{doc_id: text}`; where a document has a title, its text is the title, a space, the body."""

Queries = dict[str, str]
"""`{query_id: text}`"""

Qrels = dict[str, dict[str, int]]
"""Relevance judgments, `{query_id: {doc_id: grade}}`; from 1 up a grade is relevant, 0 is judged and not."""

Run = dict[str, list[tuple[str, float]]]
"""What a system retrieved, `{query_id: [(doc_id, score), ...]}`, best first. Its first entry has rank 1."""


@runtime_checkable
class Retriever(Protocol):
    """Anything that ranks the documents it was built on: for each query the best k at most, best first."""

    def search(self, queries: Queries, k: int) -> Run: ...


@dataclass(frozen=True, repr=False)
class Dataset:
    """A test collection: documents, queries, judgments, and where they came from.

    `queries` are those of one split. `source` says in words where the files were found, `version` which
    edition of them these are, where there is more than one. Raises ValueError for a split that is no text,
    documents, queries or judgments that are no dicts, texts that are none, and grades that are in no dict;
    judgments may be None, where there are none.

    >>> Dataset("toy", "test", {"d1": "a cat"}, {"q1": "cats"}, {"q1": {"d1": 1}}, source="written by hand")
    toy, test split: 1 document, 1 query, 1 judgment
    """

    name: str
    split: str
    corpus: Corpus
    queries: Queries
    qrels: Qrels
    source: str
    version: str = ""

    def __post_init__(self) -> None:
        check_type("split", self.split, str, "the order is name, split, corpus, queries, qrels, source")
        check_mapping("corpus", self.corpus, "{doc_id: text}")
        check_mapping("queries", self.queries, "{query_id: text}")
        for name, texts in (("corpus", self.corpus), ("queries", self.queries)):
            # A document may have no text; what is neither text nor None, as the NaN of a table, is refused.
            others = set(map(type, texts.values())) - ({str, type(None)} if name == "corpus" else {str})
            for id_, text in texts.items() if others else ():
                if text is not None or name == "queries":
                    cure = f"{name} is {{id: text}}, '' where there is none"
                    check_type(f"{name}[{id_!r}]", text, str, cure)
        if self.qrels is not None:
            check_mapping("qrels", self.qrels, "{query_id: {doc_id: grade}}")
            for query_id, grades in self.qrels.items():
                if grades is not None:
                    check_mapping(f"qrels[{query_id!r}]", grades, "{doc_id: grade}")
                    for doc_id, grade in grades.items() if str in set(map(type, grades.values())) else ():
                        check_type(f"qrels[{query_id!r}][{doc_id!r}]", grade, Real, "use int()")
            self._check_places()

    def _check_places(self) -> None:
        """Raises ValueError where judged queries are among the documents, and judged documents among the
        queries, and not the other way round."""
        judged = {doc_id for grades in self.qrels.values() for doc_id in grades or ()}
        right = self.qrels.keys() & self.queries.keys() or judged & self.corpus.keys()
        if judged and not right and self.qrels.keys() <= self.corpus.keys() and judged <= self.queries.keys():
            said = "the judged queries are among the documents, and the judged documents among the queries"
            cure = "have corpus and queries changed places, or are the judgments {doc_id: {query_id: grade}}?"
            raise ValueError(f"{said}; {cure}")

    def __repr__(self) -> str:
        judged = [grades for grades in (self.qrels or {}).values() if grades]
        sizes = {"document": len(self.corpus or ()), "query": len(self.queries or ())}
        sizes["judgment"] = sum(map(len, judged))
        return f"{self.name}, {self.split} split: {', '.join(counted(n, one) for one, n in sizes.items())}"


@dataclass(frozen=True)
class Chunk:
    """A piece of a document, `text == document[start:end]`; `start` and `end` count characters from 0.

    A text may say more than its piece, such as a title in front. Raises ValueError for an end before the
    start, and a start below 0.

    >>> chunk = Chunk("doc_012", 3, "a piece", 40, 47)
    >>> chunk.chunk_id
    'doc_012#3'
    """

    doc_id: str
    chunk_idx: int
    text: str
    start: int
    end: int

    def __post_init__(self) -> None:
        for name, kind in (("chunk_idx", Integral), ("text", str), ("start", Integral), ("end", Integral)):
            cure = "the order is doc_id, chunk_idx, text, start, end; places count characters"
            check_type(f"a chunk of {self.doc_id!r:.60}: {name}", getattr(self, name), kind, cure)
        if not 0 <= self.start <= self.end:
            cure = "they count characters from 0 (str.find gives -1 where a text is not found)"
            raise ValueError(f"chunk {self.chunk_idx}: start is {self.start} and end {self.end}; {cure}")

    @property
    def chunk_id(self) -> str:
        return f"{self.doc_id}#{self.chunk_idx}"


def grade_of(text: str | int, where: str) -> int:
    """A grade from its text or number. Raises ValueError, with `where`, unless it is whole, of nine digits at
    most.

    >>> grade_of("2", "qrels.txt, line 7")
    2
    """
    whole = isinstance(text, str) or (isinstance(text, Integral) and not isinstance(text, bool))
    if not whole or not re.fullmatch(r"[+-]?[0-9]{1,9}", str(text)):
        floats = isinstance(text, str) and re.fullmatch(r"[+-]?[0-9]{1,9}\.0+", text)
        cure = "; write it without .0: in pandas .astype(int) before .to_csv" if floats else ""
        cure = "; write it in the digits 0 to 9" if isinstance(text, str) and text.isdecimal() else cure
        if isinstance(text, str) and text.isalpha() and where.endswith("line 1"):
            cure = "; is this a heading? Delete the line"
        raise ValueError(f"{where}: grade {text!r} is not a whole number of at most nine digits{cure}")
    return int(text)
