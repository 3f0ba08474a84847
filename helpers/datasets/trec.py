"""TREC files: the run and qrels formats that trec_eval reads, gzip-compressed or not.

A qrels line is `query_id 0 doc_id grade`, a run line `query_id Q0 doc_id rank score tag`. A file is written
compressed where its name ends in .gz, and read as what it is, whatever its name.
"""

import gzip
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from numbers import Integral
from operator import ge, gt
from pathlib import Path

from helpers.base import (
    check_ids,
    check_k,
    check_path,
    check_type,
    counted,
    cure_of_grade,
    replaced,
    text_lines,
    warn,
)
from helpers.evaluation import as_scores, ranking, read_once
from helpers.records import Qrels, Run, grade_of

_RUN_FORM = "query_id Q0 doc_id rank score tag"


def read_qrels(path: str | Path) -> Qrels:
    """`{query_id: {doc_id: grade}}`.

    Raises ValueError, with file and line, for anything but four columns and a whole grade, and for a document
    that is judged twice for one query; for columns 2 and 3 in each other's place throughout, and for a file
    without a line. Warns where all grades are 0 and column 2 has numbers that are not, as if these were the
    grades.
    """
    qrels: Qrels = {}
    iterations: dict[str, str] = {}
    path = check_path(path, "a TREC qrels file")
    form = "query_id 0 doc_id grade"
    for where, (query_id, iteration, doc_id, grade) in _rows(path, form):
        iterations.setdefault(iteration, where)
        grades = qrels.setdefault(query_id, {})
        if doc_id in grades:
            second = f"query {query_id!r} has a second judgment for document {doc_id!r}"
            cure = f"are columns 2 and 3 swapped? needed {form}" if doc_id in ("0", "Q0") else "keep one"
            raise ValueError(f"{where}: {second}; {cure}")
        grades[doc_id] = grade_of(grade, where)
    if not qrels:
        raise ValueError(f"{path}: the file holds no judgment; needed {form} on each line")
    first = next((one for one in iterations if one not in ("0", "Q0")), None)
    if first is not None and all(doc_id in ("0", "Q0") for grades in qrels.values() for doc_id in grades):
        said = f"the document is {doc_id!r} throughout and column 2 holds {first!r}"
        raise ValueError(f"{iterations[first]}: {said}; are columns 2 and 3 swapped? needed {form}")
    above = next((one for one in iterations if one.strip("0")), "")
    numbers = above and all(map(_RANK.fullmatch, iterations))
    if numbers and not any(any(grades.values()) for grades in qrels.values()):
        said = f"all grades (column 4) are 0, and column 2 holds {above!r} here"
        warn(f"{iterations[above]}: {said}; were the two exchanged? needed {form}")
    return qrels


def read_run(path: str | Path) -> Run:
    """`{query_id: [(doc_id, score), ...]}`, best first. As in trec_eval the order comes from the scores
    alone, equal ones by doc_id down; the order of lines, the rank column and what follows the tag are not
    kept.

    Raises ValueError, with file and line, for fewer than six columns, columns 2 and 3 in each other's place,
    an id that holds a blank, a score that is not a finite number, and a repeated document; for a file
    without a line too, as trec_eval does. Warns where the columns of rank and score seem to be exchanged, and
    where the scores rise with the rank throughout, as distances do.
    """
    path = check_path(path, "a TREC run file")
    scores: dict[str, dict[str, float]] = {}
    last: dict[str, tuple[float, float]] = {}
    exchanged = rising = True
    for where, (query_id, q0, doc_id, rank, score, tag, *more) in _rows(path, _RUN_FORM, more=True):
        results = scores.setdefault(query_id, {})
        if q0 != "Q0" and "Q0" in (doc_id, rank):
            raise ValueError(f"{where}: {_out_of_place(query_id, q0, doc_id, more)} needed {_RUN_FORM}")
        if more and not _NUMBER.fullmatch(rank):
            raise ValueError(f"{where}: {_blank_in_id(f'{doc_id} {rank}')}; needed {_RUN_FORM}")
        if doc_id in results:
            second = f"query {query_id!r} has document {doc_id!r} a second time"
            raise ValueError(f"{where}: {second}; {_of_one_system(path, query_id, doc_id, tag)}")
        results[doc_id] = _number(score, where)
        exchanged = exchanged and results[doc_id] == len(results) and not rank.isdigit()
        if rising and (rising := _RANK.fullmatch(rank) is not None):
            before, last[query_id] = last.get(query_id), (float(rank), results[doc_id])
            rising = before is None or (before[0] < float(rank) and before[1] < results[doc_id])
    if scores and exchanged and not rising:
        said = "the scores of each query count 1, 2, 3, and the ranks do not"
        warn(f"{path}: {said}; were the columns of rank and score exchanged?")
    if rising and any(len(results) > 2 for results in scores.values()):
        said = "in each query the scores rise with the rank, and the highest score is the best"
        warn(f"{path}: {said}; if they are distances or ranks, write minus that as the score")
    if not scores:
        raise ValueError(f"{path} holds no line of a run; what searched found nothing, or wrote nothing")
    return {
        query_id: [(doc_id, results[doc_id]) for doc_id in ranking(query_id, results)]
        for query_id, results in scores.items()
    }


_RANK = re.compile(r"[0-9]{1,9}(?:\.0+)?")
"""As pandas writes whole numbers too, where one was missing."""
_NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?", re.IGNORECASE)


def _blank_in_id(doc_id: str) -> str:
    cure = f"as {doc_id.replace(' ', '%20')!r}" if "." in doc_id else "without"
    return f"the document id {doc_id!r} holds a blank, where a column ends; write it {cure}"


def _out_of_place(query_id: str, q0: str, doc_id: str, more: list[str]) -> str:
    """What to say of a line with Q0 further right than in column 2, and perhaps `more` than six columns."""
    if more or doc_id != "Q0":
        words = " ".join([query_id, q0] if doc_id == "Q0" else [query_id, q0, doc_id])
        return f"the query id {words!r} holds a blank, where a column ends; write it without;"
    return f"the document is {doc_id!r} and column 2 holds {q0!r}; are columns 2 and 3 swapped?"


def _of_one_system(path: Path, query_id: str, doc_id: str, tag: str) -> str:
    """What to do about a repeated document: its first line may be that of another system."""
    rows = (row for _, row in _rows(path, _RUN_FORM, more=True))
    first = next(row[5] for row in rows if (row[0], row[2]) == (query_id, doc_id))
    if first == tag:
        return "keep the best one, a run has each document once"
    return f"the tags are of two systems, {first!r:.40} and {tag!r:.40}: give each a file of its own"


def order_notes(path: str | Path, run: Run, k: int = 10) -> list[str]:
    """What is odd about a run file: equal scores, a rank column of another order, or of none while the scores
    rise from line to line, tags of several systems.

    `run` is what `read_run` gave of it. The rank column is compared with the first k of each query; a column
    that holds one number for several documents says no order. Raises ValueError for a k that is no whole
    number from 1 up, for a path that names no file, and for a run that is not of this file.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.run"
    >>> _ = path.write_text("q1 Q0 a 1 0.5 me\\nq1 Q0 b 2 0.9 me\\n")
    >>> order_notes(path, read_run(path))[0].partition(";")[0]
    "in 1 of 1 queries ranks and scores say another order, e.g. 'q1' (rank 1 'a', by score 'b')"
    """
    check_k(k)
    path = check_path(path, "a TREC run file")
    check_type("run", run, Mapping, "{query_id: [(doc_id, score), ...]}, as read_run gives it")
    lines: dict[str, list[list[str]]] = {}
    tags: Counter[str] = Counter()
    for _, (query_id, _, *columns) in _rows(path, _RUN_FORM, more=True):
        lines.setdefault(query_id, []).append(columns[:3])
        tags[columns[3]] += 1
    listed = {query_id: list(as_scores(query_id, found).items()) for query_id, found in run.items()}
    for query_id, found in listed.items():
        if {doc_id for doc_id, _ in found} != {doc_id for doc_id, *_ in lines.get(query_id, ())}:
            said = f"query {query_id!r} of the run has other documents than {path}"
            raise ValueError(f"{said}; give read_run of the same file")
    several = {query_id: found for query_id, found in listed.items() if len(found) > 1}
    notes = _notes_on_scores(several, lines) if several else []
    ranks = {query_id: _whole_ranks(lines[query_id]) for query_id in several}
    notes += _notes_on_ranks(several, ranks, k, len(run))
    if len(tags) > 1:
        names = ", ".join(f"{tag!r:.40} ({n:,} lines)" for tag, n in list(tags.items())[:3])
        notes.append(f"it has {len(tags)} tags, {names}: all its lines are taken for one system")
    return notes


_AS_TREC_EVAL = (
    "the order is that of the scores, as in trec_eval, equal ones by doc_id from the last to the first"
)
_BY_RANK = "to keep the order of the ranks write scores that fall with them, as 1/rank"


def _notes_on_scores(
    several: Mapping[str, list[tuple[str, float]]], lines: Mapping[str, list[list[str]]]
) -> list[str]:
    """What is odd about the scores of all queries with several documents."""
    notes = []
    if all(_exchanged(lines[query_id]) for query_id in several):
        said = "the scores count 1, 2, 3, … in each query, as ranks do, so the last line is the best"
        notes.append(f"{said}; were the columns of rank and score exchanged? {_RUN_FORM} is the order")
    elif all(_unranked_and_rising(lines[query_id]) for query_id in several):
        said = "the rank column says no order and the scores rise from line to line, so the last line is best"
        notes.append(f"{said}; if they are distances, which are best when small, write minus the distance")
    if _all_equal(several):
        said = f"all scores are equal in each of its queries, e.g. {next(iter(several))!r}"
        notes.append(f"{said}; {_AS_TREC_EVAL}; {_BY_RANK}")
    return notes


def _all_equal(several: Mapping[str, list[tuple[str, float]]]) -> bool:
    return all(found[0][1] == found[-1][1] for found in several.values())


def _notes_on_ranks(
    several: Mapping[str, list[tuple[str, float]]],
    ranks: Mapping[str, dict[str, int]],
    k: int,
    n_queries: int,
) -> list[str]:
    """Where the rank column says another order than the scores."""
    notes = []
    other = [query_id for query_id in several if _other_order(ranks[query_id], several[query_id], k)]
    rounded = [query_id for query_id in other if _fall(ranks[query_id], several[query_id], gt)]
    if rounded:
        why = "scores differ by less than 32 bits can hold, which trec_eval reads, and are equal there"
        said = f"in {len(rounded)} of {n_queries} queries {why}, e.g. {rounded[0]!r}"
        notes.append(f"{said}; {_AS_TREC_EVAL}; {_BY_RANK}")
        other = [query_id for query_id in other if query_id not in rounded]
    tied = [query_id for query_id in other if _fall(ranks[query_id], several[query_id], ge)]
    if tied and not _all_equal(several):  # which is said above
        said = f"in {len(tied)} of {n_queries} queries the rank column orders documents with equal scores"
        notes.append(f"{said}, e.g. {tied[0]!r}; {_AS_TREC_EVAL}; {_BY_RANK}")
    other = [query_id for query_id in other if query_id not in tied]
    if other:
        one = other[0]
        by_rank = {query_id: sorted(ranks[query_id], key=ranks[query_id].get) for query_id in other}
        by_score = {query_id: [doc_id for doc_id, _ in several[query_id]] for query_id in other}
        pairs = zip(by_rank[one], by_score[one], strict=False)
        first, best = next(pair for pair in pairs if pair[0] != pair[1])
        said = f"in {len(other)} of {n_queries} queries ranks and scores say another order"
        example = f"{one!r} (rank {ranks[one][first]} {first!r}, by score {best!r})"
        turned = len(other) == len(several) and all(by_rank[one] == by_score[one][::-1] for one in other)
        cure = "; if the scores are distances or ranks, write minus that" if turned else ""
        notes.append(f"{said}, e.g. {example}; {_AS_TREC_EVAL}{cure}")
    return notes


def _whole_ranks(lines: list[list[str]]) -> dict[str, int]:
    """The rank column of a query, where it holds whole numbers."""
    return {doc_id: int(float(rank)) for doc_id, rank, _ in lines if _RANK.fullmatch(rank)}


def _exchanged(lines: list[list[str]]) -> bool:
    """Whether the scores of a query are 1, 2, 3, … from line to line, and what stands as rank is neither that
    nor, in a file that is written worst first, the same backwards."""
    counted_up = [str(number) for number in range(1, len(lines) + 1)]
    _, ranks, scores = ([one.removesuffix(".0") for one in column] for column in zip(*lines, strict=True))
    return scores == counted_up and ranks not in (counted_up, counted_up[::-1])


def _unranked_and_rising(lines: list[list[str]]) -> bool:
    """Whether the scores of a query rise from line to line beside ranks that are all the same."""
    _, ranks, scores = zip(*lines, strict=True)
    numbers = [float(score) for score in scores]
    rise = all(a <= b for a, b in zip(numbers, numbers[1:], strict=False)) and numbers[0] < numbers[-1]
    return rise and len(set(ranks)) == 1


def _other_order(ranks: Mapping[str, int], results: list[tuple[str, float]], k: int) -> bool:
    if len(ranks) < len(results) or len(set(ranks.values())) < len(ranks):
        return False
    return sorted(ranks, key=ranks.get)[:k] != [doc_id for doc_id, _ in results[:k]]


def _fall(ranks: Mapping[str, int], results: list[tuple[str, float]], above: Callable) -> bool:
    """Whether the scores, in all their digits, fall with the rank: each is `above` the next."""
    scores = dict(results)
    by_rank = [scores[doc_id] for doc_id in sorted(ranks, key=ranks.get)]
    return all(above(a, b) for a, b in zip(by_rank, by_rank[1:], strict=False))


def write_qrels(qrels: Qrels, path: str | Path) -> None:
    """Writes `query_id 0 doc_id grade` lines; an existing file is replaced when the new one is complete.

    A query without a judgment leaves no line, which is said in a warning.
    """
    check_type("qrels", qrels, Mapping, "{query_id: {doc_id: grade}}")

    def lines() -> Iterator[str]:
        for query_id, grades in qrels.items():
            check_type(f"qrels[{query_id!r}]", grades, Mapping, "{doc_id: grade}")
            for doc_id, grade in grades.items():
                where = f"query {query_id!r}, document {doc_id!r}"
                if not isinstance(grade, Integral):
                    raise ValueError(f"{where}: grade {grade!r} is not a whole number{cure_of_grade(grade)}")
                yield f"{_word(query_id)} 0 {_word(doc_id)} {grade_of(str(int(grade)), where)}\n"

    _write(lines(), path)
    if empty := [query_id for query_id, grades in qrels.items() if not grades]:
        said = f"{counted(len(empty), 'query has', 'queries have')} no judgment, e.g. {empty[0]!r}"
        warn(f"{said}, and no line in {path}: the file does not know of them")


def write_run(run: Run, path: str | Path, tag: str = "measure-first") -> None:
    """Writes a run in trec_eval's own order, so that the rank column says what trec_eval will see.

    A query without results leaves no line: whoever reads the file will find it missing. Raises ValueError for
    a score that is not finite, what `ranking` refuses, and results that can be read only once and were read
    before; nothing is written then.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "run.txt"
    >>> write_run({"q1": [("d1", 1.5), ("d2", 1.5)]}, path)
    >>> print(path.read_text())
    q1 Q0 d2 1 1.5 measure-first
    q1 Q0 d1 2 1.5 measure-first
    <BLANKLINE>
    """

    check_type("run", run, Mapping, "{query_id: [(doc_id, score), ...]}")
    check_type("tag", tag, str, "give the system's name, without a blank")
    if not tag.strip() or re.search(r"\s", tag.strip()):
        raise ValueError(f"tag is {tag!r}; give the system's name, without a blank")

    def lines() -> Iterator[str]:
        for query_id, results in read_once(run).items():
            scores = as_scores(query_id, results)
            for rank, doc_id in enumerate(ranking(query_id, scores), start=1):
                # repr gives the shortest number that is read back as the same one
                score = repr(float(scores[doc_id]))
                if not math.isfinite(float(score)):
                    given = f"query {query_id!r}, document {doc_id!r}: the score is {score}"
                    raise ValueError(f"{given}, which is refused when the file is read; give a finite number")
                yield f"{_word(query_id)} Q0 {_word(doc_id)} {rank} {score} {_word(tag)}\n"

    _write(lines(), path)


_OTHER_FORMS = {
    3: "; with a header and tabs it is a file of BEIR, which load_beir reads in its folder",
    4: "; this looks like qrels, which read_qrels reads, and `workbench import judgments`",
    6: "; this looks like a run, which read_run reads, and `workbench systems --add`",
}
"""What a file with so many columns probably is."""


def _rows(path: str | Path, form: str, more: bool = False) -> Iterator[tuple[str, list[str]]]:
    """The columns of each line that is not blank, with its file and line; there may be `more` of them."""
    n_columns = len(form.split())
    for n_read, (where, line) in enumerate(text_lines(Path(path))):
        # Columns end at ASCII white space, as in C and unlike str.split: an id may hold a no-break space.
        columns = [column.decode() for column in line.encode().split()]
        if line.startswith(("{", "[")) and where.endswith("line 1"):
            cure = "lines of hits are read by `workbench evaluate --system`, one dict of results by json.load"
            raise ValueError(f"{where}: JSON and no TREC file, which has columns: {form}; {cure}")
        if len(columns) < n_columns or (len(columns) > n_columns and not more):
            looks = _OTHER_FORMS.get(len(columns), "")
            if line.lstrip().startswith("{"):
                looks = "; this is a line of JSON among lines of TREC: needed a file of one form"
            elif "," in line and len(columns) < 3:
                looks = "; it looks like CSV: needed blanks between the columns, and no heading"
            elif where.endswith("line 1") and line.startswith(("#", "//", "%")):
                looks = "; a comment? TREC files have none: delete the line"
            elif n_read and len(columns) < n_columns:  # the lines before it were of the right form
                looks = f"; the {counted(n_read, 'line')} before it have them: is the file cut off here?"
            elif not looks and len(columns) > n_columns:
                looks = "; an id holds no blank, in a file's name it is written %20"
            needed = f"needed {n_columns} ({form}){looks}"
            found = f"{len(columns)} {'column' if len(columns) == 1 else 'columns'}"
            raise ValueError(f"{where}: {found}, {needed}: {line.strip()[:80]!r}")
        # The mark at the start of a file is gone; one further down comes from files that were joined.
        if columns[0].startswith("\ufeff"):
            mark = "a byte-order mark inside of the file; it would become part of an id"
            raise ValueError(f"{where}: {mark}. Remove it")
        yield where, columns


def _number(text: str, where: str) -> float:
    """A score as C reads it: Python would also take `1_0` and digits of other scripts."""
    try:
        number = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        cure = "is this a heading? Delete the line" if text.isalpha() else "needed e.g. 12.5"
        if text.casefold().strip("+-") in ("nan", "inf", "infinity"):
            cure = "the search had no number for this document: mend what wrote the run"
        raise ValueError(f"{where}: score {text!r} is not a number that is finite; {cure}")
    return number


def _word(text: str) -> str:
    """An id or a tag. Raises ValueError for one that a reader would split, drop or be unable to decode."""
    check_ids([text], "TREC file: the id")
    if not text or text.split() != [text] or re.search("[\0\ufeff\ud800-\udfff]", text):
        refused = "no empty ids, white space, NUL, BOM or half characters"
        raise ValueError(f"{text!r} cannot stand in a TREC file: {refused}")
    return text


def _write(lines: Iterator[str], path: str | Path) -> None:
    with replaced(path) as beside, open(beside, "wb") as file:
        encoded = (line.encode() for line in lines)
        if str(path).endswith(".gz"):
            # Without name and time, so that the same run gives the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as compressed:
                compressed.writelines(encoded)
        else:
            file.writelines(encoded)
