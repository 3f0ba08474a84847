"""Labelling in a project: add a query, read what several systems found, say which documents are relevant.

Every judgment is on the disk before the next one is made.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from itertools import combinations
from numbers import Integral
from os import PathLike
from pathlib import Path
from reprlib import repr as shortened

import pandas as pd

from helpers.base import (
    as_given,
    check_k,
    check_option,
    check_path,
    check_type,
    counted,
    first_few,
    folded,
    one_at_a_time,
    progress,
    refuse,
    warn,
)
from helpers.datasets import QUERY_KINDS, Judgment, LabelledQuery, to_qrels, to_queries
from helpers.records import Run
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.dataset_files import (
    contradictions,
    from_labels,
    judgments_path,
    load_dataset,
    rows_by_query,
    write_dataset,
)
from workbench.labelling.gold import behind, by_text, described, lacking, lost_rows
from workbench.labelling.judge_code import code_checksum, has_text, is_another
from workbench.labelling.judges import (
    Agreement,
    Differences,
    add_judge,
    agree,
    agreements,
    check_judge,
    differences,
    disagreements,
    forget_judge,
    graded,
    read_judges,
    settle,
)
from workbench.labelling.judgment_files import (
    JUDGES,
    QUERIES_FILE,
    RESOLVED_FILE,
    Question,
    SavedJudgment,
    as_segment,
    judged_queries,
    read_nothing_found,
    read_questions,
    read_resolved,
    read_verdicts,
    verdicts_path,
    write_nothing_found,
    write_records,
)
from workbench.labelling.label_coverage import coverage_report
from workbench.labelling.pool_systems import PoolSystems, read_systems, write_systems
from workbench.labelling.reading_page import GRADES, ReadingPage, opening, passages
from workbench.labelling.stale import (
    NO_DOCUMENT,
    NO_QUERY,
    OTHER_PAGE,
    as_it_stands,
    changed_in_words,
    of_other_texts,
    of_two_texts,
    quoted_in,
    reworded,
    stale_in_words,
    stale_of,
    text_checksum,
)
from workbench.systems import check_takes, imported

_EXCERPT = 160
"""Characters of a document that `pool` shows."""


class Labelling:
    """The labels of one project: its queries, its judgments, and what is left to read.

    `project_folder` is what `new_project` made, `k` how many documents of each system are read. `judge` is
    another judge that `second` made known: the same queries and pools, judgments in a file apart, and nothing
    of what others said is shown. Both files are read afresh for every call, so they can be edited by hand and
    survive a restart; two notebooks that
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

    def __init__(self, project_folder: str | Path = ".", k: int = 10, judge: str | None = None):
        self._given = check_path(project_folder, "the folder of a project")
        self._whole = self._given.absolute()
        self.k, self.judge_name = check_k(k), judge
        if not (self.folder / "corpus").is_dir():
            cure = "Give the folder that `workbench new` made"
            raise FileNotFoundError(f"{self.folder} is no project: it has no folder corpus/. {cure}")
        self.corpus = CorpusFolder.open(self.folder / "corpus")
        self.documents = {document.doc_id: document for document in self.corpus.documents}
        self.texts = self.corpus.corpus
        self._systems = PoolSystems(self.corpus, k, read_systems(self.folder), self.folder)
        if judge is not None:
            check_judge(self.folder, judge)
        self.labels()  # a spoilt file is named now, not in the middle of the work

    @property
    def folder(self) -> Path:
        """The folder of the project, wherever one works by now."""
        return as_given(self._given, self._whole)

    def __repr__(self) -> str:
        sizes = {"document": self.documents, "query": self.questions(), "judgment": self.verdicts()}
        return ", ".join(counted(len(found), noun) for noun, found in sizes.items())

    @property
    def systems(self) -> PoolSystems:
        """The systems that `systems.json` names, opened anew where it has changed."""
        specs = read_systems(self.folder)
        if list(specs.items()) != list(self._systems.specs.items()):
            self._systems = PoolSystems(self.corpus, self.k, specs, self.folder)
        return self._systems

    def questions(self) -> dict[str, Question]:
        """`{query_id: question}`, as `queries.jsonl` has them now."""
        return read_questions(self.folder)

    def verdicts(self) -> dict[tuple[str, str], SavedJudgment]:
        """`{(query_id, doc_id): verdict}`, as `judgments.jsonl`, or the file of the judge, has them now."""
        return read_verdicts(self.folder, self.judge_name)

    def add_query(self, text: str, kind: str = "question", segment: str | None = None) -> str:
        """Saves a query and returns its id, `q01` and so on; one that is known keeps its id, its kind, and
        the segment that it has.

        The number of a query that was deleted is not given again while anybody's judgments of it are there.
        Raises ValueError for a text without a character, for a kind that is not one of `QUERY_KINDS`, and for
        a segment that is no short name; warns of a known query that keeps another kind or segment.
        """
        check_option("kind", kind, QUERY_KINDS)
        if not isinstance(text, str) or not text.strip():
            more = "" if isinstance(text, str) else ", as text, one a call"
            raise ValueError(f"the query is {shortened(text)}; needed what somebody would type{more}")
        if re.search("[\ud800-\udfff]", text):
            raise ValueError(
                f"the query {text!r} holds half of a surrogate pair, which is no text; type it anew"
            )
        with one_at_a_time(self.folder):
            return self._numbered(text, kind, None if segment is None else as_segment(segment))

    def _numbered(self, text: str, kind: str, segment: str | None) -> str:
        """The id of a query, which is saved where it is new, or had no segment."""
        questions = self.questions()
        for question in questions.values():
            if folded(question.query) == folded(text):
                if kind not in ("question", question.kind):
                    kept = f"{question.query_id} is here already, as {question.kind!r}, and keeps that kind"
                    cure = f"to change it to {kind!r}, write it in {QUERIES_FILE}"
                    warn(f"{kept}; {cure}")
                if segment and question.segment is None:
                    questions[question.query_id] = question.model_copy(update={"segment": segment})
                    write_records(self.folder / QUERIES_FILE, questions.values())
                elif segment not in (None, question.segment):
                    kept = f"{question.query_id} is here already, in segment {question.segment!r}, and stays"
                    warn(f"{kept}; to change it to {segment!r}, write it in {QUERIES_FILE}")
                return question.query_id
        said = {"kind": kind, "segment": segment}
        new = Question(query_id=f"q{self.next_number():02d}", query=" ".join(text.split()), **said)
        write_records(self.folder / QUERIES_FILE, [*questions.values(), new])
        return new.query_id

    def measure(self, systems: Mapping[str, str]) -> None:
        """Says which systems the project measures, `{name: spec}`, as `open_system` takes a spec.

        They are pooled from now on, and the notebooks and verbs of the project measure them. Raises
        ValueError, and keeps what was said before, for a system that cannot be opened, or whose answer to the
        first query is none, for a name that systems.json cannot hold, and where that file was changed
        meanwhile. Warns of a file of results that answers no query of the project.
        """
        if systems and not isinstance(systems, Mapping):
            needed = 'needed names and systems, e.g. {"mine": "my_search:search"}'
            raise ValueError(f"systems is a {type(systems).__name__}; {needed}")
        if not systems:
            raise ValueError('no system is named; needed e.g. {"mine": "my_search:search"}')
        systems = {name: _as_spec(name, spec) for name, spec in systems.items()}
        before = read_systems(self.folder)
        named = PoolSystems(self.corpus, self.k, systems, self.folder)
        queries = to_queries(self.labels())
        first = next(iter(queries.items()), None)
        _ = named.pooled(*first) if first else named.measured
        for name, system in named.measured.items():
            if queries and len(system.missing(queries)) == len(queries):
                theirs = first_few(map(repr, system.more(queries)), 3)
                said = f"{name}: {systems[name]} answers none of the {counted(len(queries), 'query')} of this"
                warn(f"{said} project, which has e.g. {first[0]!r}; it has {theirs}")
        if read_systems(self.folder) != before:  # to ask the systems may have taken minutes
            raise ValueError("systems.json was changed by somebody else meanwhile, and stays so; do it again")
        write_systems(self.folder, systems)
        self._systems = named

    def next_number(self) -> int:
        """The number of the next query; those of queries that were deleted are not given again, as long as
        anybody's judgments of them are there."""
        used = {*self.questions(), *judged_queries(self.folder)}
        return 1 + max((int(name[1:]) for name in used if re.fullmatch(r"q[0-9]{1,9}", name)), default=0)

    def pool(self, query_id: str) -> pd.DataFrame:
        """What must be read for a query: every document that any system has among its first k.

        The systems are those that the project measures (`systems.json`), and one that is only pooled.

        Columns `doc_id`, `title`, `excerpt`, `grade` ("" where nobody judged it) and `before`, a grade of
        another wording of the query or another text of the page (`before`), in whose row `grade` is empty;
        such documents are here too where no system finds them any more. By doc_id, and without a
        word about who found what at which rank, so that no system is favoured. For the same reason the
        excerpt is how the document opens, not the passage with the query's words.

        Source: Spärck Jones and van Rijsbergen, Report on the need for and provision of an "ideal"
        information retrieval test collection, 1975.
        """
        label = self._label(query_id)
        grades, again = _grades(label), _of_query(self.before(), query_id)
        rows = []
        for page in self._to_read(label, again):
            grade = "" if page.doc_id in again else grades.get(page.doc_id, "")
            shown = page.doc_id, page.title, opening(page.text, _EXCERPT)
            rows.append((*shown, grade, again.get(page.doc_id, "")))
        return pd.DataFrame(rows, columns=["doc_id", "title", "excerpt", "grade", "before"])

    def unread(self) -> list[tuple[str, str, str, str, str]]:
        """`(query_id, query, doc_id, title, text)` of all that is pooled and not judged, query by query, and
        after it of what was judged when its query or page read otherwise (`before`)."""
        labels, before = self.labels(), self.before()
        pairs = [
            (label, doc_id)
            for label in progress(labels, desc="searching", unit="query")
            for doc_id in sorted(self._left(label))
        ]
        by_id = {label.query_id: label for label in labels}
        pairs += [(by_id[query_id], doc_id) for query_id, doc_id in before]
        return [
            (label.query_id, label.query, doc_id, self.documents[doc_id].title, self.documents[doc_id].text)
            for label, doc_id in pairs
        ]

    def read(self, query_id: str | None = None) -> ReadingPage:
        """A query's pool as a page with its documents in full; without an id, the first with one left, or
        else the first with one to read again (`before`)."""
        labels, before = self.labels(), self.before()
        if query_id is None:
            first_again = next((query_id for query_id, _ in before), None)
            query_id = next((label.query_id for label in labels if self._left(label)), first_again)
        if query_id is None:
            none_yet = "There is no query yet. Add one first."
            return ReadingPage(nothing="Nothing is left to judge." if labels else none_yet)
        label = self._label(query_id)
        again = _of_query(before, query_id)
        documents = self._to_read(label, again)
        return ReadingPage(query_id, label.query, documents, _grades(label), before=again)

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
        verdict = self._new_verdict(query_id, doc_id, grade, quote)
        with one_at_a_time(self.folder):
            self._save(verdict)

    def _new_verdict(self, query_id: str, doc_id: str, grade: int, quote: str) -> SavedJudgment:
        query = self._label(query_id).query
        self._check_document(doc_id)
        grade = _whole_grade(grade, doc_id)
        if not isinstance(quote, str):
            raise ValueError(f"the quote of {doc_id!r} is {quote!r:.60}; needed words of the document, or ''")
        quote = as_it_stands(quote, doc_id, self.texts[doc_id])
        return self.verdict(query_id, query, doc_id, grade, quote)

    def _save(self, verdict: SavedJudgment) -> None:
        judged = self.verdicts() | {(verdict.query_id, verdict.doc_id): verdict}
        write_records(verdicts_path(self.folder, self.judge_name), judged.values())

    def verdict(self, query_id: str, query: str, doc_id: str, grade: int, quote: str = "") -> SavedJudgment:
        """A judgment of a document as it reads now, for a query as it reads now, to be saved."""
        checksum = None if quote else text_checksum(self.texts[doc_id])
        about = {"query_id": query_id, "query": query, "doc_id": doc_id}
        return SavedJudgment(**about, grade=grade, quote=quote, checksum=checksum)

    def second(self, name: str, kind: str = "person", described: str = "") -> "Labelling":
        """Labelling for another judge, a "person" or a "model": same pools, judgments in a file apart.

        `described` says who or what it is; for a model its name, version, prompt and date.
        """
        add_judge(self.folder, name, kind, described)
        return Labelling(self.folder, self.k, name)

    def agreement(self, name: str) -> Agreement:
        """How far another judge agrees with the project's own judgments, before any was settled.

        Pairs of which either judgment no longer holds (`stale`) do not count, nor those of which the two
        judged different texts of the query or document; both are named in a warning. Pairs that were taken
        over from this judge (`take_over`) do not count either. Raises ValueError where no other is left.
        """
        gone, apart, theirs = self._gone(name), self._of_two_texts(name), self.taken_over(name)
        if gone:
            pairs = counted(len(gone), "pair does not count", "pairs do not count")
            warn(f"{pairs}: {stale_in_words(gone)}")
        if gone and not read_verdicts(self.folder, name).keys() - gone.keys():
            said = f"none of the judgments of {name!r} holds any longer: {stale_in_words(gone)}"
            raise ValueError(f"{said}; judge those pairs again: workbench pool --judge {name}")
        if theirs and not self._comparable(name) - theirs:
            n = counted(len(theirs), "pair")
            said = f"all {n} that both judged are {name}'s in your own judgments too"
            cure = f"workbench pool --judge {name} --out sheet.csv has what {name} has not judged"
            cure += f", and in 1_label.ipynb you can judge anew some of {name}'s"
            raise ValueError(f"{said}; have a part of the pairs judged by both: {cure}")
        if apart := {pair for pair in apart if pair not in gone and pair not in theirs}:
            pairs = counted(len(apart), "pair is left out", "pairs are left out")
            which = first_few((" ".join(pair) for pair in sorted(apart)), 3, between="; ")
            said = f"{pairs}: the two judged different texts of a page, or of the query ({which})"
            cure = "who judged the older one reads it again and judges anew"
            if not self._comparable(name) - gone.keys() - apart - theirs:
                raise ValueError(f"no other pair was judged by both, and {said}; {cure}")
            warn(f"{said}; {cure}")
        left_out = gone.keys() | apart | theirs
        return agree(self.folder, name, left_out, documents=self.documents, taken_over=len(theirs))

    def agreements(self) -> pd.DataFrame:
        """How far all judges agree with each other, the project's own ("own") among them, two by two.

        Columns `one`, `other`, `pairs` that both judged, `equal` (the share of equal grades), `kappa` of the
        grades with its 95 % interval from `low` to `high`, nan where it is undefined, and `taken_over`, how
        many pairs are the other's in the project's own judgments too. These do not count, nor do those that
        do not in `agreement`. Raises ValueError where the project has no judge but its own.
        """
        judges = list(read_judges(self.folder))
        if not judges:
            cure = "another one's judgments come in with workbench import judgments FILE --judge NAME"
            raise ValueError(f"the project has no judge but its own; {cure}")
        left_out = {}
        for one, other in combinations([None, *judges], 2):
            theirs = self.taken_over(other) if one is None else ()
            left_out[one, other] = (self.uncounted(other, one), len(theirs))
        return agreements(self.folder, left_out)

    def taken_over(self, name: str) -> set[tuple[str, str]]:
        """The `(query_id, doc_id)` of the project's own judgments that were taken over from another judge."""
        return {pair for pair, one in read_verdicts(self.folder).items() if one.by == name}

    def disagreements(self, name: str) -> pd.DataFrame:
        """Where another judge differs and nobody has settled it, the furthest first."""
        return disagreements(self.folder, name, self.uncounted(name))

    def differences(self, name: str) -> Differences:
        """The same, and where another judge differs from a grade that was settled with somebody else, with
        how the numbers add up (`.text()`)."""
        return differences(self.folder, name, self.uncounted(name))

    def uncounted(self, name: str, beside: str | None = None) -> set[tuple[str, str]]:
        """The `(query_id, doc_id)` of another judge that do not count in the agreement with the project, or
        with the judge `beside`, for a judgment no longer holds, the two judged different texts of the query
        or document, or the project's own was taken over from that judge."""
        theirs = self.taken_over(name) if beside is None else set()
        return self._gone(name, beside).keys() | self._of_two_texts(name, beside) | theirs

    def _comparable(self, name: str, beside: str | None = None) -> set[tuple[str, str]]:
        """The pairs that two judges, the project's own where `beside` is None, have both judged."""
        return read_verdicts(self.folder, beside).keys() & read_verdicts(self.folder, name).keys()

    def _of_two_texts(self, name: str, beside: str | None = None) -> set[tuple[str, str]]:
        """The pairs of which two judges have judged different texts; not those that were settled, whose first
        text nobody knows."""
        resolved = read_resolved(self.folder) if beside is None else ()
        settled = {(query_id, doc_id) for query_id, doc_id, _ in resolved}
        return of_two_texts(read_verdicts(self.folder, beside), read_verdicts(self.folder, name)) - settled

    def _gone(self, name: str, beside: str | None = None) -> dict[tuple[str, str], str]:
        """The pairs of another judge that do not count, as its judgment no longer holds, or that of the
        project or of the judge `beside`."""
        check_judge(self.folder, name)
        pairs = read_verdicts(self.folder, name)
        stale = self._stale_of(read_verdicts(self.folder, beside)) | self._stale_of(pairs)
        lost = [pair for pair in pairs if stale.get(pair) in (NO_QUERY, NO_DOCUMENT)]
        if len(lost) == len(pairs):  # they are another project's
            return {}
        return {pair: stale[pair] for pair in pairs if pair in stale}

    def resolve(
        self, name: str, query_id: str, doc_id: str, grade: int, quote: str = "", why: str = ""
    ) -> None:
        """Settles a pair that both judged: the grade becomes the project's own, what both said is kept.

        Without a quote the earlier one stays, if the document still has it. Raises ValueError, and saves
        nothing, as `judge` does, for a pair that one of them did not judge, and on another judge's labelling.
        """
        self._check_own("settle", "resolve", ", ...")
        grade = _whole_grade(grade, doc_id)
        if query_id not in (questions := self.questions()):
            given = f"there is no query {query_id!r}, but e.g. {first_few(map(repr, questions))}"
            raise ValueError(f"{given}; give the judge, the query's id, the document's id, and the grade")
        before = self.verdicts().get((query_id, doc_id))
        if not quote and before and grade:
            quote = self._earlier_quote(before)
        as_it_stands(quote, doc_id, self.texts.get(doc_id, ""))
        with one_at_a_time(self.folder):
            settled = read_resolved(self.folder)
            settle(self.folder, name, query_id, doc_id, grade, why)
            try:
                by = before.by if before else None  # what it was at first is still that judge's
                self._save(self._new_verdict(query_id, doc_id, grade, quote).model_copy(update={"by": by}))
            except BaseException:  # both are saved, or neither
                path = self.folder / JUDGES / RESOLVED_FILE
                write_records(path, settled.values()) if settled else path.unlink(missing_ok=True)
                raise

    def take_over(self, name: str) -> dict[str, int]:
        """Makes those judgments of another judge the project's own whose pairs the project has not judged;
        each is marked with the judge's name (`SavedJudgment.by`). Gives how many were `taken`.

        Where the judge has judged anew what was taken over before, and nobody has settled it, the new one
        counts (`renewed`). A judgment that no longer holds stays behind (`gone`). Where the two differ the
        project's own stays: that is for `resolve`. What was taken over does not count in the agreement with
        that judge, and is one's own once one judges it anew. Warns of a model, whose grades are measured with
        from then on. Raises ValueError for a judge that there is not or has judged nothing, and on another
        judge's labelling.
        """
        self._check_own("take over", "take_over")
        kind = check_judge(self.folder, name)[name].kind
        theirs = read_verdicts(self.folder, name)
        if not theirs:
            said = f"{verdicts_path(self.folder, name)} holds no judgment, or is not there"
            cure = f"workbench pool --judge {name} --out sheet.csv has what is to be judged"
            raise ValueError(f"{said}: {cure}")
        stale = self._stale_of(theirs)
        theirs = {
            pair: one.model_copy(update={"by": name}) for pair, one in theirs.items() if pair not in stale
        }
        with one_at_a_time(self.folder):
            own = self.verdicts()
            settled = {(query_id, doc_id) for query_id, doc_id, _ in read_resolved(self.folder)}
            taken = {pair: one for pair, one in theirs.items() if pair not in own}
            renewed = {
                pair: one
                for pair, one in theirs.items()
                if pair in own and own[pair].by == name and own[pair] != one and pair not in settled
                if own[pair].grade != one.grade or one.quote or not own[pair].quote  # which it would lose
            }
            if taken or renewed:
                write_records(verdicts_path(self.folder), (own | taken | renewed).values())
        if taken and kind == "model":
            said = f"{name} is a model, and {counted(len(taken), 'judgment')} of it will be measured with"
            warn(f"{said}: say so where you give the numbers")
        left_behind = sum(pair not in own for pair in stale)
        return {"taken": len(taken), "renewed": len(renewed), "gone": left_behind}

    def _check_own(self, what: str, how: str, more: str = "") -> None:
        """Raises ValueError on the labelling of another judge."""
        if self.judge_name is not None:
            cure = f"{what} with the project's own: Labelling(folder).{how}({self.judge_name!r}{more})"
            raise ValueError(f"this is the labelling of {self.judge_name!r}; {cure}")

    def _earlier_quote(self, before: SavedJudgment) -> str:
        """The quote of an earlier judgment; "", with a warning, where its document has lost the words."""
        if quoted_in(before.quote, self.texts.get(before.doc_id, before.quote)) is not None:
            return before.quote
        said = (
            f"the earlier quote {before.quote[:60]!r} no longer stands in {before.doc_id!r}, and is left out"
        )
        warn(f"{said}; give other words with --quote, or quote=")
        return ""

    def draft(self, judge: str | Callable, name: str, described: str = "") -> int:
        """Lets a model judge all that is pooled and that it has not judged yet, and anew what it judged when
        the query or the page read otherwise (`before`); gives the number of verdicts.

        `judge` is a function of a query and a document's text, or `package.module:function`, that gives 2, 1
        or 0, or such a grade and a quote. Its judgments stand apart, under its name. Each query is saved when
        it is done, and also where the judge raises, so that the work can be taken up again. A quote that does
        not stand in the document is left out, with a warning: a judge that makes words up is worth a look. A
        judge that raises before it has judged anything is not made known. Raises ValueError, before anything
        is asked, for a function that is another one than when it first judged under this name; where its text
        cannot be had, so that nobody sees what it only counts or keeps, that is a warning.
        """
        program = judge if isinstance(judge, str) else ""
        if program:
            judge = imported(program, self.folder)
        if not callable(judge):
            raise ValueError(f"the judge is a {type(judge).__name__}; needed a function f(query, text)")
        check_takes(judge, ("query", "text"), "the judge")
        self.check_pooled()
        code = self._check_drafted(name, described, program, judge)
        known = name in read_judges(self.folder)
        add_judge(self.folder, name, "model", described, program, code)
        try:
            return self._drafted(judge, name)
        finally:
            if not known:
                forget_judge(self.folder, name)

    def _drafted(self, judge: Callable, name: str) -> int:
        """Lets a judge that is known judge what is left to it."""
        lab, n, not_there = Labelling(self.folder, self.k, name), 0, []
        before = lab.before()
        for label in progress(lab.labels(), desc="judging", unit="query"):
            verdicts = {}
            try:
                for doc_id in sorted({*lab._left(label), *_of_query(before, label.query_id)}):
                    where = f"query {label.query_id!r}, document {doc_id!r}"
                    grade, quote = graded(judge, label.query, self.texts[doc_id], where)
                    if quoted_in(quote, self.texts[doc_id]) is None:
                        not_there.append(f"{label.query_id} {doc_id}: {quote[:60]!r}")
                        quote = ""
                    quote = as_it_stands(quote, doc_id, self.texts[doc_id])
                    verdicts[label.query_id, doc_id] = self.verdict(
                        label.query_id, label.query, doc_id, grade, quote
                    )
            except (ValueError, RuntimeError) as error:
                if not (kept := n + len(verdicts)):
                    raise
                cure = "run it again where it only failed; a function that you change takes another name"
                said = f"{counted(kept, 'judgment')} before it kept: {cure} (--name, name=)"
                raise type(error)(f"{error}; {said}") from error
            finally:
                if verdicts:
                    with one_at_a_time(self.folder):
                        judged = lab.verdicts() | verdicts
                        write_records(verdicts_path(self.folder, name), judged.values())
            n += len(verdicts)
        if not_there:
            said = f"quotes of {name} that are not in their documents are left out ({len(not_there)})"
            warn(f"{said}: {first_few(not_there, 3, between='; ')}")
        return n

    def check_pooled(self) -> None:
        """Raises ValueError where there is no query, so nothing that could be judged. Warns of a file of
        results that does not answer all queries: what it would find is missing from their pools."""
        if not (questions := self.questions()):
            cure = "bring some in: workbench import queries FILE, or add them in 1_label.ipynb"
            raise ValueError(f"the project has no query yet, so there is no pool; {cure}")
        queries = {query_id: one.query for query_id, one in questions.items()}
        for name, system in self.systems.measured.items():
            if missing := system.missing(queries):
                n = f"{len(queries) - len(missing):,} of the {counted(len(queries), 'query')}"
                said = f"{name}: {self.systems.specs[name]} answers {n}, and not {first_few(missing)}"
                cure = "write its results for them too, for what it finds is missing from their pools"
                warn(f"{said}; {cure}")

    def progress(self) -> pd.DataFrame:
        """One row per query: text, kind, and how many documents are in its pool, judged, left, relevant, and
        to be read again.

        `judged` and `left` count the pool; `relevant` (1 or 2) counts documents outside it too, and so does
        `again`, which are those that were judged when their query or page read otherwise (`before`).
        """
        rows, again = {}, Counter(query_id for query_id, _ in self.before())
        for label in progress(self.labels(), desc="searching", unit="query"):
            n, left = len(self._pooled(label)), len(self._left(label))
            counts = n, n - left, left, len(label.relevant_doc_ids), again[label.query_id]
            rows[label.query_id] = (label.query, label.kind, *counts)
        columns = ["query", "kind", "pool", "judged", "left", "relevant", "again"]
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
            fields = question.model_dump(exclude={"segment", "frequency", "drawn"}) | {
                "relevant_doc_ids": relevant,
                "judgments": judged,
            }
            labels.append(LabelledQuery(**fields))
        return labels

    def stale(self) -> dict[tuple[str, str], str]:
        """`{(query_id, doc_id): reason}` of judgments that no longer hold: kept in the file, not counted.

        In a quote blanks and line breaks may differ from those of the document.
        """
        return self._stale_of(self.verdicts())

    def _stale_of(self, verdicts: Mapping[tuple[str, str], SavedJudgment]) -> dict[tuple[str, str], str]:
        return stale_of(verdicts, self.questions(), self.texts)

    def doubts(self) -> list[str]:
        """A warning for each query that was reworded since it was judged, and of documents that changed."""
        verdicts = self.verdicts()
        stale = self._stale_of(verdicts)
        before = self._judged_texts(one for pair, one in verdicts.items() if pair not in stale)
        again = {query_id for query_id, _ in self.before()}
        judged = [label for label in self.labels() if label.judgments]
        return [*reworded(before, judged, again), *filter(None, [changed_in_words(self.changed())])]

    def changed(self) -> list[tuple[str, str]]:
        """`(query_id, doc_id)` of judgments without a quote whose document reads otherwise now than when it
        was judged. They count: whether they still hold only who reads the document again can say. Those that
        do not count (`stale`) are not among them."""
        others = of_other_texts(self.verdicts(), self.questions(), self.texts)
        return [pair for pair, which in others.items() if OTHER_PAGE in which]

    def before(self) -> dict[tuple[str, str], str]:
        """`{(query_id, doc_id): "2, of another text of the page"}`: the grades that were given when the query
        was worded otherwise, or the document without a quote read otherwise, as far as their lines tell.

        They count, and are to be read again: `pool`, `unread` and `read` offer them. Who judges one anew, be
        it with the same grade, is done with it. Query by query, by doc_id.
        """
        verdicts, questions = self.verdicts(), self.questions()
        others = of_other_texts(verdicts, questions, self.texts)
        said = {
            pair: f"{verdicts[pair].grade}, of another {' and another '.join(which)}"
            for pair, which in others.items()
        }
        order = {query_id: n for n, query_id in enumerate(questions)}
        return {pair: said[pair] for pair in sorted(said, key=lambda pair: (order[pair[0]], pair[1]))}

    def runs(self) -> dict[str, Run]:
        """`{system: run}`: what each system has among its first k, for every query."""
        return self.systems.runs(to_queries(self.labels()))

    def coverage(self) -> str:
        """What the labels cover and what they do not, in Markdown."""
        labels, progress, runs = self.labels(), self.progress(), self.runs()
        return coverage_report(labels, progress, runs, len(self.documents), self.stale(), self.k)

    def export(self) -> Path | None:
        """Writes `datasets/gold.json` for `evaluate_run`, and prints what is in it and what is not.

        Only queries with a relevant document (1 or 2) are in it: one without has nothing that could be found.
        Where there is none, None is given back, and an older file, whose judgments are withdrawn, is deleted;
        where all judgments are gone it is kept. Raises ValueError where queries with one text contradict each
        other.
        """
        if self.judge_name is not None:
            cure = (
                "settle the differences (`workbench settle`, resolve); the project's own are what is measured"
            )
            raise ValueError(f"these are the judgments of {self.judge_name!r}, kept apart; {cure}")
        path, labels = self.folder / "datasets" / "gold.json", self.labels()
        relevant = [label for label in labels if label.relevant_doc_ids]
        refuse(contradictions(to_queries(labels), to_qrels(labels)), "judgments.jsonl")
        if not relevant:
            if path.is_file() and not self.verdicts():  # they were lost, not withdrawn
                print("judgments.jsonl holds none; datasets/gold.json is kept as it was.")
                return None
            path.unlink(missing_ok=True)
            judgments_path(path).unlink(missing_ok=True)
            print("No gold dataset yet: no query has a document of grade 1 or 2.")
            return None
        pooled = {label.query_id: self._doc_ids(label) for label in relevant}
        pools = by_text(relevant, pooled)
        judged = by_text(relevant, {label.query_id: _grades(label) for label in relevant})
        doubts = [*self.doubts(), *lost_rows(path, self.questions())]
        about = described(self.corpus.name, len(self.systems.specs), self.k, pools, judged)
        dataset = from_labels(relevant, "gold", about)
        write_dataset(path, dataset)
        self.nothing_found()
        pairs = {(row.query_text, row.expected_item_id) for row in dataset.queries}
        rows = counted(len(pairs), "relevant document")
        print(f"datasets/gold.json: {counted(len(pools), 'query')}, {rows}")
        read = {query_id for query_id, _ in self.verdicts()}
        for said in lacking(labels, pooled, judged, read, self.unread_queries()):
            print(f"  {said}")
        for said in doubts:
            print(f"  warning: {said}")
        if stale := self.stale():
            kept = f"{counted(len(stale), 'judgment')} kept and not counted"
            print(f"  {kept}: {stale_in_words(stale)}; section 6 of 1_label.ipynb has all")
        return path

    def sample(self) -> tuple[dict[str, int], list[str]]:
        """`{query_id: how often it was drawn}`, and which of these nobody has read (`unread_queries`); empty
        where the queries are no sample of a log."""
        drawn = {query_id: one.drawn for query_id, one in self.questions().items() if one.drawn}
        return drawn, [query_id for query_id in self.unread_queries() if query_id in drawn]

    def unread_queries(self) -> list[str]:
        """The queries that nobody has read. One for which no search found anything, when it was last asked
        by `nothing_found`, is none of them: there is nothing to read."""
        unread = self._without_judgment()
        if not unread:
            return []
        systems = read_systems(self.folder).values()
        empty = read_nothing_found(self.folder, self.corpus.fingerprint, systems)
        return [query_id for query_id, query in unread.items() if empty.get(query_id) != query]

    def nothing_found(self) -> list[str]:
        """The queries without a judgment for which no system finds a document of the corpus, so that nobody
        can read anything for them. All such are asked, and what comes of it is kept for `unread_queries`."""
        found = self.systems.nothing_found(self._without_judgment())
        write_nothing_found(self.folder, self.corpus.fingerprint, self.systems.specs.values(), found)
        return list(found)

    def _without_judgment(self) -> dict[str, str]:
        read = {query_id for query_id, _ in read_verdicts(self.folder)}
        return {query_id: one.query for query_id, one in self.questions().items() if query_id not in read}

    def behind(self) -> list[str]:
        """The queries of which `datasets/gold.json` says something else than the project's own files say now;
        none where there is no such file, or nothing is judged. `export` writes it anew."""
        path = self.folder / "datasets" / "gold.json"
        if not (path.is_file() and self.verdicts()):
            return []
        return behind(path, self.labels())

    def judged_texts(self) -> dict[str, str]:
        """`{query_id: text}` of the queries as they were judged, or else as `datasets/gold.json` has them,
        which was last measured; the queries of which neither says so are left out."""
        return self._judged_texts(self.verdicts().values())

    def _judged_texts(self, verdicts: Iterable[SavedJudgment]) -> dict[str, str]:
        """`judged_texts`, by these judgments."""
        questions, judged = self.questions(), {}
        for one in verdicts:
            now = questions[one.query_id].query if one.query_id in questions else ""
            if one.query and folded(judged.get(one.query_id, now)) == folded(now):
                judged[one.query_id] = one.query  # of several wordings, one that differs from that of now
        try:
            rows = rows_by_query(load_dataset(self.folder / "datasets" / "gold.json"))
        except (ValueError, OSError):
            return judged
        return {query_id: of_query[0].query_text for query_id, of_query in rows.items()} | judged

    def _check_drafted(self, name: str, described: str, program: str, judge: Callable) -> str:
        """Refuses to mix judgments of one program, model, prompt or function with those of another that are
        there, but only warns of a function whose text cannot be had. Gives the checksum of the first one."""
        before, now = read_judges(self.folder).get(name), code_checksum(judge)
        if before and before.kind == "person":
            cure = "give the model another name; if it was never a person, take it out of judges/judges.json"
            raise ValueError(f"{name!r} is a person here; {cure}")
        n = len(read_verdicts(self.folder, name)) if before else 0
        if not n:
            return now
        if described and before.described not in ("", described):
            cure = "give what another model or prompt judges another name"
            raise ValueError(f"the judgments of {name!r} are described as {before.described!r:.80}; {cure}")
        if program and before.program not in ("", program):
            cure = f"give {program} another name (--name)"
            raise ValueError(f"the judgments of {name!r} are those of {before.program}; {cure}")
        if is_another(before.code, now):
            said = f"{program or 'the function'} is another than the one that first judged as {name!r}"
            said += f", or it has changed, or what it holds; its {counted(n, 'judgment')} stay"
            if has_text(judge):
                cure = (
                    "give it another name (--name, name=); if it still judges as before, as after a mend of "
                )
                cure += f'how it asks, take "code" of {name!r} out of {JUDGES}/judges.json'
                raise ValueError(f"{said}; {cure}")
            cure = "if it only keeps a count or a cache, all is well; if it judges otherwise now, give it "
            warn(f"{said}; {cure}another name")
        return before.code or now

    def _label(self, query_id: str) -> LabelledQuery:
        check_type("query_id", query_id, str, "an id, e.g. 'q01'")
        labels = {label.query_id: label for label in self.labels()}
        if query_id not in labels:
            known = ", ".join(labels) or "none yet: add one"
            raise ValueError(f"there is no query {query_id!r}; {QUERIES_FILE} has {known}")
        return labels[query_id]

    def _check_document(self, doc_id: str) -> None:
        check_type("doc_id", doc_id, str, "one id; judge documents one at a time")
        if doc_id not in self.documents:
            near = " or ".join(map(repr, get_close_matches(str(doc_id), self.documents, n=3, cutoff=0.5)))
            raise ValueError(f"there is no document {doc_id!r}" + (f"; did you mean {near}?" if near else ""))

    def _pooled(self, label: LabelledQuery) -> list[SourceDocument]:
        return [self.documents[doc_id] for doc_id in self._doc_ids(label)]

    def _to_read(self, label: LabelledQuery, again: Iterable[str]) -> list[SourceDocument]:
        """The pool of a query, and the documents to be read again, by doc_id."""
        return [self.documents[doc_id] for doc_id in sorted({*self._doc_ids(label), *again})]

    def _left(self, label: LabelledQuery) -> set[str]:
        """The documents of a query's pool that nobody judged."""
        return set(self._doc_ids(label)) - set(_grades(label))

    def _doc_ids(self, label: LabelledQuery) -> list[str]:
        """A query's pool; of ids that a system may have beyond the corpus there is nothing to read."""
        pooled = self.systems.pooled(label.query_id, label.query)
        return [doc_id for doc_id in pooled if doc_id in self.documents]


def _as_spec(name: str, spec: object) -> str:
    """What systems.json can hold of a system: text."""
    if not isinstance(spec, str | PathLike):
        needed = "needed text: module:function, a file of results, or a backend's name"
        raise ValueError(f"system {name!r} is a {type(spec).__name__}; {needed}")
    return str(spec)


def _of_query(before: Mapping[tuple[str, str], str], query_id: str) -> dict[str, str]:
    """`{doc_id: what was said before}` of one query."""
    return {doc_id: said for (one, doc_id), said in before.items() if one == query_id}


def _grades(label: LabelledQuery) -> Mapping[str, int]:
    return to_qrels([label])[label.query_id]


def _whole_grade(grade: object, doc_id: str) -> int:
    """The grade as a plain number, of numpy's too. Raises ValueError for what is none of `GRADES`."""
    if isinstance(grade, bool) or not isinstance(grade, Integral) or grade not in GRADES:
        given = "still three dots" if grade is ... else repr(grade)
        needed = "needed 2 (answers the query), 1 (helps) or 0 (does neither)"
        raise ValueError(f"the grade of {doc_id!r} is {given}; {needed}")
    return int(grade)
