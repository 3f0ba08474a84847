"""Judgments of other tools: TREC, BEIR, JSON lines, sheets, dataset files."""

import json
import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from numbers import Integral
from pathlib import Path

from helpers.base import (
    check_json_lines,
    check_no_mark,
    check_path,
    counted,
    ending,
    first_few,
    folded,
    json_object,
    odd_separator,
    refuse,
    table_rows,
    text_lines,
    warn,
    whole_text,
)
from helpers.datasets import trec
from helpers.records import Qrels, grade_of
from workbench.dataset_files import load_dataset, rows_by_query, to_qrels
from workbench.exchange.asked_queries import TEXTS
from workbench.exchange.numbering import ids_by_text, renumbered, told_apart
from workbench.exchange.sheets import uncut

QUERY = ("query_id", "query-id", "qid", "query")
DOCUMENT = ("doc_id", "corpus-id", "corpus_id", "document_id", "docid")
GRADE = ("grade", "score", "relevance", "label")


def read_judgments(
    path: str | Path,
    sources: Mapping[str, str] | None = None,
    queries: Mapping[str, str] | None = None,
    documents: Mapping[str, tuple[str, str]] | None = None,
    words: Mapping[str, int] | None = None,
) -> tuple[Qrels, dict]:
    """`{query_id: {doc_id: grade}}` of a file, and `{(query_id, doc_id): quote}` where it has quotes.

    Taken are TREC qrels, a table with a heading (BEIR's .tsv, a sheet of `workbench pool`, any .csv), JSON
    lines (ours, and the rows of a hub's qrels), and a dataset file, whose expected items get grade 2. A row
    without a grade is not judged yet: it is left out, with a warning. `sources` is `{doc_id: source_uri}`;
    `queries` is `{query_id: text}` and `documents` `{doc_id: (title, text)}`, with which those in a sheet are
    compared. `words` says what grades of a table or of JSON lines become that are words, as `{"yes": 2}`.

    In a file with the texts of its queries that numbers them otherwise, as that of a project with another
    sample of a log, what is the same text is the same query: the ids are those of `queries`, judgments whose
    text is not among them are left out, and both are said in a warning. Ids and texts have to be one-to-one,
    and several to differ: one or two are those of queries that were reworded, or a slip, and are refused. In
    lines of JSON an id may have several texts, as that of a query that was reworded while it was judged: each
    line goes by its own, unless another id has one of these too.

    Raises ValueError, with file and line, for what is none of these, results with ranks and lines with
    features too, a grade that is no whole number and none of the words, a word that no judgment has, a pair
    with two grades, a text of another query or document than its id says, and where nothing has a grade. A
    row with a grade that shows its document as it was before it changed is taken, with a warning; the second
    part has the pairs of such rows as `of_older_text`, the `checksums` of records, and `by` whom those are
    that were taken over from another judge.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "test.tsv"
    >>> _ = path.write_text("query-id\\tcorpus-id\\tscore\\nq1\\td1\\t2\\n")
    >>> read_judgments(path)
    ({'q1': {'d1': 2}}, {})
    """
    path = check_path(path, "a file of judgments")
    begin = next(text_lines(path), None)  # what follows may be the text of a page, in the cell of a table
    first = begin[1].lstrip() if begin else ""
    if not first:
        raise ValueError(f"{path} holds no judgment; needed TREC qrels, a table, or JSON lines")
    words = {word.casefold(): _grade_of_word(word, grade) for word, grade in (words or {}).items()}
    if first.startswith("{") and _is_dataset(path):
        _check_words(path, words, ())
        return _of_dataset(path, sources, queries or {})
    if first.startswith("{"):
        fields = "query_id, doc_id and grade"
        check_json_lines(path, begin[1], '{"query_id": "q01", "doc_id": "a.md", "grade": 2}')
        _check_no_results(path, json_object(begin[1], begin[0], fields))
        records = ((where, json_object(line, where, fields)) for where, line in text_lines(path))
        return _collected(path, records, queries or {}, documents or {}, words)
    if ending(path) in (".json", ".jsonl", ".ndjson"):
        needed = "needed JSON lines, an object with query_id, doc_id and grade on each, or a dataset file"
        raise ValueError(f"{begin[0]}: {first[:60]!r} begins no object; {needed}")
    _check_no_features(begin[0], first)
    separator = _separator(path, *begin)
    if separator is None:
        lines = list(text_lines(path))
        _check_no_heading(lines)
        if (records := _of_words(lines)) is not None:
            return _collected(path, records, queries or {}, documents or {}, words)
        _check_words(path, words, ())
        return trec.read_qrels(path), {}
    columns = [name.strip().strip('"').casefold() for name in first.split(separator)]
    if not set(columns) & set(GRADE):
        needed = f"needed one with the grade, called {', '.join(GRADE[:-1])} or {GRADE[-1]}"
        raise ValueError(f"{path}: the columns are {', '.join(columns)}; {needed}")
    _check_no_results(path, columns)
    rows = _whole_rows(path, separator, columns)
    return _collected(path, rows, queries or {}, documents or {}, words, is_table=True)


def _check_no_results(path: Path, names: Collection[str]) -> None:
    """Raises ValueError for the results of a search, whose scores may look like grades."""
    if "rank" in names and set(names) & set(GRADE) == {"score"}:
        cure = "as a TREC run, or JSON lines with hits, they are measured: workbench systems --add NAME=FILE"
        said = "a rank and a score, so these are results of a search and no judgments"
        raise ValueError(f"{path} has {said}; {cure}. If the scores are grades, call their column grade")


def _check_no_features(where: str, line: str) -> None:
    """Raises ValueError for a line as those who learn to rank write it."""
    if re.match(r"\S+\s+qid:\S+\s+\d+:", line):
        cure = "write a table with query_id, doc_id and grade; here the document is at best in a comment"
        raise ValueError(
            f"{where}: {line[:60]!r} is a line with features, as LETOR and SVMrank have it; {cure}"
        )


def _separator(path: Path, where: str, line: str) -> str | None:
    """What stands between the columns of a table with a heading, None for TREC qrels. Raises ValueError for
    what is neither."""
    check_no_mark(where, line)
    first, table = line.lstrip(), ending(path) in (".csv", ".tsv")
    separator = next((one for one in "\t,;" if _is_heading(first.split(one))), None)
    if separator is not None or (len(first.split()) == 4 and not table):
        return separator
    if between := odd_separator(first, QUERY, DOCUMENT):
        raise ValueError(f"{where}: {between} stand between the columns; needed tabs or commas")
    if table or "," in first or ";" in first:
        needed = "needed one that names the columns, with query_id, doc_id and grade among them"
        if set(re.findall(r"\w+", first.casefold())) & set(TEXTS):
            needed += "; are these queries? workbench import queries"
        raise ValueError(f"{where}: {first[:60]!r} is no heading; {needed}")
    return None


def _of_words(lines: Sequence[tuple[str, str]]) -> list[tuple[str, dict[str, str]]] | None:
    """The records of TREC qrels of which some grades are no whole numbers, as `yes` or `2.0`; None for
    others, and for lines that are not four columns."""
    rows = [(where, line.split()) for where, line in lines]
    if any(len(row) != 4 for _, row in rows) or all(_WHOLE.fullmatch(row[3]) for _, row in rows):
        return None
    return [(where, {"query_id": row[0], "doc_id": row[2], "grade": row[3]}) for where, row in rows]


def _check_no_heading(lines: Sequence[tuple[str, str]]) -> None:
    """Raises ValueError for a first line that names the columns of qrels."""
    (where, first), *others = lines
    if len(first.split()) != 4:
        return
    _, iteration, _, grade = first.split()
    below = others[0][1].split() if others else []
    if iteration not in ("0", "Q0") and not _WHOLE.fullmatch(grade) and below and _WHOLE.fullmatch(below[-1]):
        raise ValueError(
            f"{where}: {first[:60]!r} names columns, and TREC qrels have no heading; take this line away"
        )


def _whole_rows(path: Path, separator: str, columns: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """The rows of a table. Raises ValueError where one row alone ends before the grade; several are warned
    of, as some programs leave out the empty cells at the end of a row."""
    rows = list(table_rows(path, separator))
    needed = 1 + max(columns.index(name) for name in columns if name in GRADE)
    cut = [f"{where}: {len(row)} of {len(columns)} cells" for where, row in rows if len(row) < needed]
    if len(cut) == 1:
        cure = "was it cut? Save the file again; to judge it later write the comma before an empty grade"
        raise ValueError(f"{cut[0]}, and no other row ends before the grade; {cure}")
    if cut:
        shown = first_few((one.removeprefix(f"{path}, ") for one in cut), 3)
        warn(f"{path}: {len(cut)} rows end before the grade, {shown}; were they cut?")
    return rows


def _of_dataset(path: Path, sources: Mapping[str, str] | None, here: Mapping[str, str]) -> tuple[Qrels, dict]:
    """The judgments of a dataset file. Raises ValueError where it has another query of the same id."""
    dataset = load_dataset(path)
    texts = {query_id: rows[0].query_text for query_id, rows in rows_by_query(dataset).items()}
    others = [said for one, text in texts.items() if (said := _is_another(one, text, here))]
    if becomes := ids_by_text(list(texts.items()), here):
        others = []
    refuse(others, f"{path}; is it the dataset of another project, or was a query reworded since?")
    qrels = dataset.judgments
    if not qrels:
        no_grades = "it has no grades, so each document that a query expects is taken as grade 2"
        warn(f"{path}: {no_grades}")
        _, found = to_qrels(dataset, sources)
        qrels = {q: dict.fromkeys(grades, 2) for q, grades in found.items()}
    return renumbered(path, becomes, qrels, {}) if becomes else (qrels, {})


def _collected(
    path: Path,
    records: Iterable[tuple[str, Mapping]],
    queries: Mapping[str, str],
    documents: Mapping[str, tuple[str, str]],
    words: Mapping[str, int],
    is_table: bool = False,
) -> tuple[Qrels, dict]:
    pages, found, others, records = _Pages(documents), _Rows(words), [], list(records)
    rows = _with_texts(records)
    without = dict.fromkeys(query_id for query_id, text in rows if not text)
    untold = without and not (is_table and any(text for _, text in rows))
    if queries and untold and (beside := _texts_beside(path)):
        rows, is_table = [(query_id, text or beside.get(query_id, "")) for query_id, text in rows], False
        others += filter(None, (_is_another(one, beside.get(one, ""), queries) for one in without))
    rows = rows if is_table else told_apart(rows, queries)
    becomes = ids_by_text(rows, queries, is_table)
    others = [] if becomes else [f"in queries.jsonl beside it: {one}" for one in others]
    for (where, record), (named, _) in zip(records, rows, strict=True):
        pair = _field(record, QUERY, where), _field(record, DOCUMENT, where)
        pair = (named, pair[1]) if becomes else pair
        others += [] if becomes else _another_text(pair[0], record, queries, where)
        problems, is_changed = pages.compared(pair[1], record, where)
        others += problems
        found.take(pair, record, where, is_changed)
        if is_changed:
            found.quotes.of_older_text.add(pair)
        if isinstance(checksum := record.get("checksum"), str) and checksum.strip():
            found.quotes.checksums[pair] = checksum.strip()
        if isinstance(by := record.get("by"), str) and by.strip():
            found.quotes.by[pair] = by.strip()
    # Rows that were moved give pairs two grades as well, of which none may be kept.
    refuse(others, f"{path}; {_WHY_ANOTHER if is_table else _WHY_ANOTHER_LINE}")
    _check_words(path, words, found.given.values())
    if found.doubles:
        raise ValueError(found.doubles[0])
    if not found.qrels:
        raise ValueError(f"{path}: {found.why_none()}")
    _warn_of_rows(path, found)
    if not becomes:
        return found.qrels, found.quotes
    qrels, quotes = renumbered(path, becomes, found.qrels, found.quotes)
    return qrels, found.quotes.with_ids(quotes, becomes)


def _texts_beside(path: Path) -> dict[str, str]:
    """The texts of queries in the queries.jsonl of the project, or of the folder of BEIR, that a file of
    judgments without texts lies in; {} where there is none that can be read."""
    folder = path.parent.parent if path.parent.name == "qrels" else path.parent
    texts: dict[str, str] = {}
    try:
        for where, line in text_lines(folder / "queries.jsonl"):
            record = json_object(line, where, "query_id and query")
            query_id, text = (next((record[one] for one in names if one in record), "") for names in _BESIDE)
            texts[str(query_id)] = str(text)
    except (ValueError, OSError):
        return {}
    return texts


_BESIDE = ("query_id", "_id"), ("query", "text")


def _with_texts(records: Iterable[tuple[str, Mapping]]) -> list[tuple[str, str]]:
    """The id and the text of the query of each row, each "" where there is none."""
    rows = [(_first_of(record, QUERY[:-1]), _text_of(record)) for _, record in records]
    return [("" if query_id is None else str(query_id).strip(), text) for query_id, text in rows]


class _Quotes(dict[tuple[str, str], str]):
    """`{(query_id, doc_id): quote}`, the pairs whose rows show an older text of their document, and, where a
    file has them, the `checksums` of the texts that were judged, and `by` whom what was taken over is."""

    def __init__(self, quotes: Mapping[tuple[str, str], str] | None = None) -> None:
        super().__init__(quotes or {})
        self.of_older_text: set[tuple[str, str]] = set()
        self.checksums: dict[tuple[str, str], str] = {}
        self.by: dict[tuple[str, str], str] = {}

    def with_ids(self, quotes: Mapping, becomes: Mapping[str, str | None]) -> "_Quotes":
        """What is known of the pairs, with other ids of queries."""
        found = _Quotes(quotes)
        found.of_older_text = {(becomes[query_id], doc_id) for query_id, doc_id in self.of_older_text}
        found.checksums = {(becomes[q], doc_id): one for (q, doc_id), one in self.checksums.items()}
        found.by = {(becomes[q], doc_id): one for (q, doc_id), one in self.by.items()}
        return found


class _Rows:
    """What the rows of a file say, taken one by one."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self.words = words
        self.qrels: Qrels = {}
        self.quotes = _Quotes()
        self.places: dict[tuple[str, str], str] = {}
        """Where each pair has its grade first."""
        self.given: dict[str, tuple[str, str]] = {}
        """Each grade as it is written, with the first place."""
        self.instead: dict[str, str] = {}
        """The column of a grade that was read because that of an earlier name is empty."""
        self.unread: dict[str, None] = {}
        self.changed: list[str] = []
        self.doubles: list[str] = []
        self.without_grade: dict[str, str] = {}
        self.only_quoted: list[str] = []
        self.has_column = False

    def take(self, pair: tuple[str, str], record: Mapping, where: str, is_changed: bool) -> None:
        """Takes the grade and the quote of a row."""
        columns = [name for name in GRADE if name in record]
        name = next((name for name in columns if not self._is_missing(record[name])), None)
        quote = str(record.get("quote") or "").strip()
        quote = "" if quote.casefold() in _NO_QUOTE else quote
        self.has_column |= bool(columns)
        self.unread.update(dict.fromkeys(record.keys() - _READ - {""}))
        _check_one(record, GRADE, where)
        if name is None:
            self.without_grade[where] = " ".join(pair)
            self.only_quoted += [where] * bool(quote)
            return
        if columns[0] != name:
            self.instead.setdefault(name, columns[0])
        grade = self._grade(record[name], where)
        if grade is None:
            return
        (query_id, doc_id), grades = pair, self.qrels.setdefault(pair[0], {})
        if grades.setdefault(doc_id, grade) != grade:
            first = self.places[pair].rpartition(", ")[2]
            two = f"{query_id!r}, {doc_id!r} has grade {grades[doc_id]} ({first}) and grade {grade}"
            self.doubles.append(f"{where}: {two}; keep one, or was a part of the columns sorted alone?")
        self.places.setdefault(pair, where)
        self.changed += [f"{query_id} {doc_id}"] * is_changed
        if quote:
            self.quotes[pair] = quote

    def _is_missing(self, given: object) -> bool:
        """Whether a cell is empty, or holds what pandas and databases write for an empty one."""
        text = str(_or_empty(given)).strip().casefold()
        return not text or (text in _NO_GRADE and text not in self.words)

    def _grade(self, given: object, where: str) -> int | None:
        """The grade; None for a word of which nobody said what it becomes."""
        text = str(given).strip().removesuffix(".0")
        self.given.setdefault(text.casefold(), (text, where))
        if text.casefold() in self.words:
            return self.words[text.casefold()]
        return grade_of(text, where) if _WHOLE.fullmatch(text) else None

    def why_none(self) -> str:
        """Why no row gave a grade, and what to do."""
        if self.without_grade and not self.has_column:
            has = first_few(sorted(self.unread) or ["query_id and doc_id alone"])
            needed = f"needed one called {', '.join(GRADE[:-1])} or {GRADE[-1]}"
            return f"no record has a field with the grade; {needed}; there is {has}"
        n = len(self.without_grade)
        none = f"none of its {counted(n, 'row')} has a grade" if n else "it has a heading and no row"
        wrong = "; is the grade in the wrong column, as quote?" if self.only_quoted else ""
        return f"{none}{wrong}; fill in the grades (2 answers, 1 helps, 0 neither), then import it"


def _warn_of_rows(path: Path, found: _Rows) -> None:
    """Says what was taken although its text is older, which columns are not read, and what has no grade."""
    for name, empty in found.instead.items():
        warn(f"{path}: {empty!r} is empty and {name!r} taken for the grade")
    if found.changed:
        n = counted(len(found.changed), "row")
        rows = f"{n} with a grade and another text or title than the document has now"
        cure = "read it again, and judge it anew where the grade no longer holds"
        warn(f"{path}: {rows}, taken as graded: {first_few(found.changed)}; {cure}")
    if found.unread:
        warn(f"{path}: not read: {first_few(map(repr, sorted(found.unread)))}")
    if found.without_grade:
        pairs = first_few(found.without_grade.values(), 3)
        said = f"{path}: {counted(len(found.without_grade), 'row')} without a grade left out ({pairs})"
        said += "; a grade that such a pair has already stays"
        if found.only_quoted:
            lines = first_few(one.removeprefix(f"{path}, ") for one in found.only_quoted)
            said += f"; of them {lines} have a quote: is the grade in the wrong column?"
        warn(said)


_WHOLE = re.compile(r"[+-]?[0-9]+")


def _grade_of_word(word: str, grade: object) -> int:
    if isinstance(grade, bool) or not isinstance(grade, Integral):
        raise ValueError(
            f"words[{word!r}] is {grade!r:.40}; needed what it becomes, a whole number such as 2"
        )
    return int(grade)


def _check_words(path: Path, words: Mapping[str, int], given: Collection[tuple[str, str]]) -> None:
    """Raises ValueError where a grade is a word of which nobody said what it becomes, or no grade is a word.

    `given` are the grades as they are written, each with the line in which it is first met.
    """
    given = {text: where for text, where in given if not _WHOLE.fullmatch(text)}
    if strange := [text for text in given if text.casefold() not in words]:
        where, becomes = (
            given[strange[0]],
            first_few((shlex.quote(f"{one:.40}=N") for one in strange), 5, " "),
        )
        said = f"grade {strange[0]!r:.60} is not a whole number"
        python = f"in Python words={{{strange[0]!r:.60}: N}}"
        raise ValueError(f"{where}: {said}; say what it becomes, N 2, 1 or 0: --grades {becomes} ({python})")
    if unused := sorted(words.keys() - {text.casefold() for text in given}):
        has = first_few(map(repr, given)) or "whole numbers, or none"
        raise ValueError(f"--grades (words): no judgment has the grade {unused[0]!r}; {path} has {has}")


_NO_GRADE = ("nan", "<na>", "n/a", "na", "null", "none")
_NO_QUOTE = ("nan", "<na>", "na", "n/a")
"""Of those what is hardly a word of a document too."""
_READ = {*QUERY, *DOCUMENT, *GRADE, "query_text", "title", "text", "quote", "checksum", "by", "before"}


def _check_one(record: Mapping, names: Iterable[str], where: str) -> None:
    """Raises ValueError where a row says the same thing twice, under two names, and not alike."""
    said = {name: record[name] for name in names if record.get(name) not in (None, "")}
    if len({str(value).strip() for value in said.values()}) > 1:
        two = " and ".join(f"{name} {value!r:.40}" for name, value in said.items())
        raise ValueError(f"{where}: it has {two}; keep one of them")


def _another_text(query_id: str, record: Mapping, queries: Mapping[str, str], where: str) -> list[str]:
    """A problem where a row names one query by its id and another one by its text."""
    if not any(record.get(name) for name in QUERY[:-1]):
        return []
    return [f"{where}: {said}" for said in [_is_another(query_id, _text_of(record), queries)] if said]


def _text_of(record: Mapping) -> str:
    """The text of the query that a row shows, "" where it shows none."""
    text = record.get("query") or record.get("query_text")
    return text if isinstance(text, str) else ""


def _first_of(record: Mapping, names: Iterable[str]) -> object:
    return next((record[name] for name in names if record.get(name) not in (None, "")), None)


_WHY_ANOTHER = (
    "is it the sheet of another project (then import its judgments.jsonl, which goes by the texts), was a "
    "query reworded since (then write its new text into the sheet), was the document (then take its grade "
    "out, and judge it anew: workbench pool --out FILE.csv), "
    "or were its rows moved?"
)


_WHY_ANOTHER_LINE = (
    "is it of another project, was a query reworded since (then write its new text into its lines, or take "
    "these out), or was an id mistyped?"
)


def _is_another(query_id: str, text: str, here: Mapping[str, str]) -> str:
    """What to say of a query with the id of one of the project and another text; "" where it has none."""
    if not text.strip() or query_id not in here or folded(text) == folded(here[query_id]):
        return ""
    if _number(text) == _number(here[query_id]) is not None:  # a spreadsheet takes the zeros of 0042 away
        return ""
    return f"the query is {text.strip()[:60]!r}, and {query_id!r} is {here[query_id][:60]!r} here"


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"\s*[0-9]{1,15}\s*", text) else None


def _or_empty(cell: object) -> object:
    return "" if cell is None else cell


class _Pages:
    """The documents of a project, with which what a row shows of its document is compared."""

    def __init__(self, documents: Mapping[str, tuple[str, str]]):
        self.documents = documents

    def compared(self, doc_id: str, record: Mapping, where: str) -> tuple[list[str], bool]:
        """A problem where a row shows another document than it names, the text of one that is here or a title
        and a text of which neither is its own; and whether the text is another than its own.

        Only rows with a title, be it empty, are compared: in others a text may be that of the query. Where a
        sheet has no text any more, a title that is another document's tells.
        """
        text = _plain(record.get("text"))
        if doc_id in self.documents and not text and record.get("title"):
            return self._compared_by_title(doc_id, str(record["title"]), where)
        if doc_id not in self.documents or "title" not in record or not text or self._is(doc_id, text):
            return [], False
        own_title, own = self.documents[doc_id]
        title, here = _plain(record["title"]), f"and {doc_id!r} is {(own_title or own)[:60]!r} here"
        if other := next(
            (one for one in self._beginning.get(text[:_BEGIN], ()) if self._is(one, text)), None
        ):
            shown = f"the text is that of {other!r}, {' '.join(str(record['text']).split())[:60]!r}"
            return [f"{where}: {shown}, {here}"], True
        if not title or title == _plain(own_title) or _plain(own)[:_BEGIN] == text[:_BEGIN]:
            return [], True
        return [f"{where}: the document is {str(record['title']).strip()[:60]!r}, {here}"], True

    def _compared_by_title(self, doc_id: str, shown: str, where: str) -> tuple[list[str], bool]:
        """A problem where a row shows the title of another document, and whether it is not its own."""
        title, own = _plain(shown), self.documents[doc_id][0]
        if not title or title == _plain(own):
            return [], False
        said = f"the title is that of {self._titles.get(title)!r}, {shown.strip()[:60]!r}"
        here = f"and {doc_id!r} is {(own or self.documents[doc_id][1])[:60]!r} here"
        return [f"{where}: {said}, {here}"] * (title in self._titles), True

    def _is(self, doc_id: str, text: str) -> bool:
        """Whether a text is that of a document, whole or its beginning."""
        return _plain(self.documents[doc_id][1]).startswith(text)

    @cached_property
    def _beginning(self) -> dict[str, list[str]]:
        """The documents by how they begin; asked only where a row is odd."""
        found: dict[str, list[str]] = {}
        for doc_id, (_, text) in self.documents.items():
            found.setdefault(_plain(text)[:_BEGIN], []).append(doc_id)
        return found

    @cached_property
    def _titles(self) -> dict[str, str]:
        """The documents by their titles; asked only where a row is odd."""
        return {_plain(title): doc_id for doc_id, (title, _) in self.documents.items()}


_BEGIN = 100


def _plain(text: object) -> str:
    """A text as it is compared: what a spreadsheet may change in it counts for nothing."""
    return folded(uncut(str(text or "")))


def _field(record: Mapping, names: tuple[str, ...], where: str) -> str:
    value = _first_of(record, names)
    if empty := [name for name in names[:1] if name in record and not str(record[name] or "").strip()]:
        raise ValueError(f"{where}: {empty[0]} is empty; needed query_id, doc_id and grade")
    if value is None:
        has = first_few(map(repr, record)) or "nothing"
        raise ValueError(f"{where}: no {names[0]}; needed query_id, doc_id and grade; it has {has}")
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(f"{where}: {names[0]} is {value!r:.60}; needed text")
    _check_one(record, [name for name in names if name != "query"], where)
    return str(value).strip()


def _is_heading(cells: list[str]) -> bool:
    names = {cell.strip().strip('"').casefold() for cell in cells}
    return bool(names & set(QUERY)) and bool(names & set(DOCUMENT))


def _is_dataset(path: Path) -> bool:
    try:
        return "queries" in json.loads(whole_text(path))
    except ValueError:
        return False
