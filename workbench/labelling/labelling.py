"""Labelling in a project: add a query, read what several systems found, say which documents are relevant.

Every judgment is on the disk before the next one is made.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

import pandas as pd

from helpers.base import check_k, check_option, check_path, check_type, counted
from helpers.datasets import QUERY_KINDS, Judgment, LabelledQuery, to_qrels, to_queries
from helpers.records import Run
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.dataset_files import from_labels, write_dataset
from workbench.labelling.judgment_files import (
    JUDGMENTS_FILE,
    QUERIES_FILE,
    Question,
    SavedJudgment,
    read_questions,
    read_verdicts,
    write_records,
)
from workbench.labelling.label_coverage import coverage_report
from workbench.labelling.pool_systems import SYSTEMS, PoolSystems
from workbench.labelling.reading_page import GRADES, ReadingPage, opening, passages

_EXCERPT = 160
"""Characters of a document that `pool` shows."""


class Labelling:
    """The labels of one project: its queries, its judgments, and what is left to read.

    `project_folder` is what `new_project` made, `k` how many documents of each system are read. Both files
    are read afresh for every call, so they can be edited by hand and survive a restart; two notebooks that
    write at the same moment are not kept apart. Raises FileNotFoundError where the folder is no project,
    ValueError for spoilt files.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> doors = SourceDocument("a.md", "Doors", "Use the key.", "a.md")
    >>> lunch = SourceDocument("b.md", "Lunch", "Soup.", "b.md")
    >>> _ = CorpusFolder.init(folder / "corpus", name="house").add([doors, lunch])
    >>> lab = Labelling(folder)
    >>> lab.add_query("is there soup for lunch?")
    'q01'
    >>> lab.judge("q01", "b.md", 2, "Soup")
    >>> Labelling(folder).progress()[["pool", "judged", "relevant"]].values.tolist()
    [[1, 1, 1]]
    """

    def __init__(self, project_folder: str | Path = ".", k: int = 10):
        self.folder = check_path(project_folder, "the folder of a project")
        self.k = check_k(k)
        if not (self.folder / "corpus").is_dir():
            cure = "Give the folder that `workbench new` made"
            raise FileNotFoundError(f"{self.folder} is no project: it has no folder corpus/. {cure}")
        self.corpus = CorpusFolder.open(self.folder / "corpus")
        self.documents = {document.doc_id: document for document in self.corpus.documents}
        self.texts = self.corpus.corpus
        self.systems = PoolSystems(self.texts, k)
        self.labels()  # a spoilt file is named now, not in the middle of the work

    def __repr__(self) -> str:
        sizes = {"document": self.documents, "query": self.questions(), "judgment": self.verdicts()}
        return ", ".join(counted(len(found), noun) for noun, found in sizes.items())

    def questions(self) -> dict[str, Question]:
        """`{query_id: question}`, as `queries.jsonl` has them now."""
        return read_questions(self.folder)

    def verdicts(self) -> dict[tuple[str, str], SavedJudgment]:
        """`{(query_id, doc_id): verdict}`, as `judgments.jsonl` has them now."""
        return read_verdicts(self.folder)

    def add_query(self, text: str, kind: str = "question") -> str:
        """Saves a query and returns its id, `q01` and so on; one that is known keeps its id.

        The number of a query that was deleted is not given again: its judgments may still be there. Raises
        ValueError for a text without a character and for a kind that is not one of `QUERY_KINDS`.
        """
        check_option("kind", kind, QUERY_KINDS)
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"the query is {text!r}; needed what somebody would type")
        if re.search("[\ud800-\udfff]", text):
            raise ValueError(
                f"the query {text!r} holds half of a surrogate pair, which is no text; type it anew"
            )
        questions = self.questions()
        for question in questions.values():
            if _folded(question.query) == _folded(text):
                return question.query_id
        used = [*questions, *(query_id for query_id, _ in self.verdicts())]
        highest = max((int(name[1:]) for name in used if re.fullmatch(r"q[0-9]{1,9}", name)), default=0)
        new = Question(query_id=f"q{highest + 1:02d}", query=" ".join(text.split()), kind=kind)
        write_records(self.folder / QUERIES_FILE, [*questions.values(), new])
        return new.query_id

    def pool(self, query_id: str) -> pd.DataFrame:
        """What must be read for a query: every document that any of `SYSTEMS` has among its first k.

        Columns `doc_id`, `title`, `excerpt` and `grade` ("" where nobody judged it). By doc_id, and without a
        word about who found what at which rank, so that no system is favoured. For the same reason the
        excerpt is how the document opens, not the passage with the query's words.

        Source: Spärck Jones and van Rijsbergen, Report on the need for and provision of an "ideal"
        information retrieval test collection, 1975.
        """
        label = self._label(query_id)
        grades = _grades(label)
        rows = [
            (page.doc_id, page.title, opening(page.text, _EXCERPT), grades.get(page.doc_id, ""))
            for page in self._pooled(label)
        ]
        return pd.DataFrame(rows, columns=["doc_id", "title", "excerpt", "grade"])

    def read(self, query_id: str | None = None) -> ReadingPage:
        """A query's pool as a page with its documents in full; without an id, the first with one left."""
        labels = self.labels()
        if query_id is None:
            query_id = next((label.query_id for label in labels if self._left(label)), None)
        if query_id is None:
            none_yet = "There is no query yet. Add one first."
            return ReadingPage(nothing="Nothing is left to judge." if labels else none_yet)
        label = self._label(query_id)
        return ReadingPage(query_id, label.query, self._pooled(label), _grades(label))

    def find(self, doc_id: str, words: str) -> str:
        """Each passage with these words in a document too long to read, to be printed."""
        self._check_document(doc_id)
        check_type("words", words, str)
        return passages(self.texts[doc_id], words)

    def judge(self, query_id: str, doc_id: str, grade: int, quote: str = "") -> None:
        """Saves one judgment at once; judging the same pair again replaces what was said before.

        `grade` is 2 (answers the query), 1 (helps) or 0 (does neither). `quote` are the words that say so;
        they must stand in the document, where only blanks and line breaks may differ, and are saved as they
        stand there. A document outside the pool may be judged too. Raises ValueError, and saves nothing,
        else.
        """
        self._label(query_id)
        self._check_document(doc_id)
        if type(grade) is not int or grade not in GRADES:
            given = "still three dots" if grade is ... else repr(grade)
            needed = "needed 2 (answers the query), 1 (helps) or 0 (does neither)"
            raise ValueError(f"the grade of {doc_id!r} is {given}; {needed}")
        if not isinstance(quote, str):
            raise ValueError(f"the quote of {doc_id!r} is {quote!r:.60}; needed words of the document, or ''")
        quote = _as_it_stands(quote, doc_id, self.texts[doc_id])
        verdict = SavedJudgment(query_id=query_id, doc_id=doc_id, grade=grade, quote=quote)
        judged = self.verdicts() | {(query_id, doc_id): verdict}
        write_records(self.folder / JUDGMENTS_FILE, judged.values())

    def progress(self) -> pd.DataFrame:
        """One row per query: text, kind, and how many documents are in its pool, judged, left, relevant.

        `judged` and `left` count the pool; `relevant` (1 or 2) counts documents outside it too.
        """
        rows = {}
        for label in self.labels():
            n, left = len(self._pooled(label)), len(self._left(label))
            rows[label.query_id] = (label.query, label.kind, n, n - left, left, len(label.relevant_doc_ids))
        columns = ["query", "kind", "pool", "judged", "left", "relevant"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("query_id")

    def labels(self) -> list[LabelledQuery]:
        """The queries in the order of their file, with their judgments but for those that `stale` names."""
        stale, judgments = self.stale(), {}
        for (query_id, doc_id), verdict in sorted(self.verdicts().items()):
            if (query_id, doc_id) not in stale:
                judgment = Judgment(doc_id=doc_id, grade=verdict.grade, quote=verdict.quote)
                judgments.setdefault(query_id, []).append(judgment)
        labels = []
        for query_id, question in self.questions().items():
            judged = judgments.get(query_id, [])
            relevant = [judgment.doc_id for judgment in judged if judgment.grade > 0]
            fields = question.model_dump() | {"relevant_doc_ids": relevant, "judgments": judged}
            labels.append(LabelledQuery(**fields))
        return labels

    def stale(self) -> dict[tuple[str, str], str]:
        """`{(query_id, doc_id): reason}` of judgments that no longer hold: kept in the file, not counted."""
        questions, found = self.questions(), {}
        for (query_id, doc_id), verdict in self.verdicts().items():
            if query_id not in questions:
                found[query_id, doc_id] = "the query is gone"
            elif doc_id not in self.documents:
                found[query_id, doc_id] = "the document is gone"
            elif verdict.quote not in self.texts[doc_id]:
                found[query_id, doc_id] = "the document has changed and no longer has the quote"
        return found

    def runs(self) -> dict[str, Run]:
        """`{system: run}`: what each of `SYSTEMS` has among its first k, for every query."""
        return self.systems.runs(to_queries(self.labels()))

    def coverage(self) -> str:
        """What the labels cover and what they do not, in Markdown."""
        labels, progress, runs = self.labels(), self.progress(), self.runs()
        return coverage_report(labels, progress, runs, len(self.documents), self.stale(), self.k)

    def export(self) -> Path | None:
        """Writes `datasets/gold.json` for `evaluate_run`, and prints what is in it and what is not.

        Only queries with a relevant document (1 or 2) are in it: one without has nothing that could be found.
        Where there is none, None is given back, and an older file, whose judgments are withdrawn, is deleted.
        """
        path, labels = self.folder / "datasets" / "gold.json", self.labels()
        relevant = [label for label in labels if label.relevant_doc_ids]
        if not relevant:
            path.unlink(missing_ok=True)
            print("No gold dataset yet: no query has a document of grade 1 or 2.")
            return None
        judged = f"the first {self.k} documents of {len(SYSTEMS)} systems judged by hand"
        dataset = from_labels(relevant, "gold", f"Questions about {self.corpus.name}, {judged}.")
        write_dataset(path, dataset)
        rows = counted(len(dataset.queries), "relevant document")
        print(f"datasets/gold.json: {counted(len(relevant), 'query')}, {rows}")
        for label in labels:
            if not label.relevant_doc_ids:
                print(f"  {label.query_id} is left out: no document of grade 1 or 2 yet")
            elif left := self._left(label):
                unread = f"{counted(len(left), 'document')} of its pool not judged"
                print(f"  {label.query_id}: {unread}; counted as not relevant")
        if stale := self.stale():
            kept = f"{counted(len(stale), 'judgment')} kept and not counted"
            print(f"  {kept}; section 6 of 1_label.ipynb says why")
        return path

    def _label(self, query_id: str) -> LabelledQuery:
        labels = {label.query_id: label for label in self.labels()}
        if query_id not in labels:
            known = ", ".join(labels) or "none yet: add one"
            raise ValueError(f"there is no query {query_id!r}; {QUERIES_FILE} has {known}")
        return labels[query_id]

    def _check_document(self, doc_id: str) -> None:
        if doc_id not in self.documents:
            near = " or ".join(map(repr, get_close_matches(str(doc_id), self.documents, n=3, cutoff=0.5)))
            raise ValueError(f"there is no document {doc_id!r}" + (f"; did you mean {near}?" if near else ""))

    def _pooled(self, label: LabelledQuery) -> list[SourceDocument]:
        return [self.documents[doc_id] for doc_id in self.systems.pooled(label.query)]

    def _left(self, label: LabelledQuery) -> set[str]:
        """The documents of a query's pool that nobody judged."""
        return set(self.systems.pooled(label.query)) - set(_grades(label))


def _grades(label: LabelledQuery) -> Mapping[str, int]:
    return to_qrels([label])[label.query_id]


def _as_it_stands(quote: str, doc_id: str, text: str) -> str:
    """A quote with the blanks and line breaks that the document has there."""
    found = re.search(r"\s+".join(map(re.escape, quote.split())), text)
    if not found:
        cure = "copy the words from the document"
        raise ValueError(f"the quote {quote[:60]!r} does not stand in {doc_id!r}; {cure}")
    return found.group()


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
