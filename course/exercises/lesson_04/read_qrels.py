"""Exercise: BEIR's judgments, from the text of the file to a dictionary of dictionaries."""

import csv

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def read_qrels(text):
    qrels = {}
    for line in text.split("\n")[1:]:
        if line.strip():
            query_id, doc_id, grade = line.split("\t")
            qrels.setdefault(query_id, {})[doc_id] = int(grade)
    return qrels


HEADER = "query-id\tcorpus-id\tscore\n"

READ_QRELS = Exercise(
    name="READ_QRELS",
    task="""\
Write `read_qrels(text)`, which returns the judgments of a BEIR collection as `{query_id: {doc_id: grade}}`.

`text` is the whole of a file `qrels/test.tsv`, as one `str`:

```
>>> read_qrels("query-id\\tcorpus-id\\tscore\\n7\\t318\\t1\\n\\n7\\t12\\t0\\n")
{'7': {'318': 1, '12': 0}}
```

**Convention** (as in `helpers.datasets`, which also checks the header): the first line is never a judgment, \
whatever it says. Ids stay text. A grade becomes a whole number, and is kept even if it is 0, or negative as \
in some of TREC's files. Blank lines, and lines of spaces only, are skipped. Any other line has three \
columns with tabs between them; one with fewer or more raises ValueError, and a tab at the end of a line \
makes a fourth column. Quotation marks are characters like any other. The lines of one query need not be \
together; no pair of query and document comes twice.""",
    reference=read_qrels,
    cases=(
        Case(
            (HEADER + "q1\td1\t1",),
            "the first line names the columns; every other one gives a document its grade, a number",
        ),
        Case((HEADER + "q1\td1\t1\n",), "a text file ends with a line break, and no line follows it"),
        Case((HEADER + "q1\td1\t0\n",), "0 is a judgment too: somebody looked at the document and said no"),
        Case((HEADER + "q1\td1\t2\nq1\td2\t0\n",), "a query can have several judgments"),
        Case((HEADER + "q1\td1\t-1\nq1\td2\t1\n",), "a grade can be below 0, and is kept like any other"),
        Case((HEADER + "q1\td1\t1\nq2\td1\t0\n",), "one document can be judged for several queries"),
        Case(
            (HEADER + "7\t31715818\t1\n",),
            'ids are text, also where they are made of digits: 7 never equals "7"',
        ),
        Case((HEADER + "007\td1\t1\n7\td1\t0\n",), '"007" and "7" are two queries'),
        Case((HEADER + "q1\td1\t1\nq2\td1\t2\nq1\td2\t1\n",), "the lines of a query may be apart"),
        Case(
            (HEADER + "10\td9\t2\n9\td10\t-1\n\n10\td100\t0\n007\td9\t3\n9\td9\t1\n",),
            "three queries, whose lines are apart, with grades from −1 to 3",
        ),
        Case(
            (HEADER + 'q3\td 1\t10\n  \nq"3\td2\t0\nq3\td"2\t-2\n',),
            "two queries: a quotation mark, or a space, is a part of the id",
        ),
        Case((HEADER + "q1\td1\t1\n\nq2\td2\t1\n\n",), "a blank line says nothing"),
        Case((HEADER + "q1\tcat flap\t1\n",), "columns are separated by tabs, so an id can hold a space"),
        Case(
            ("query\tdocument\tgrade\n",),
            "the first line is never a judgment, whatever it says: this file judges nothing",
        ),
        Case((HEADER + "   \n",), "a line of spaces is blank too"),
        Case(
            ("\nq1\td1\t1\nq2\td1\t2\n",),
            "the first line is left out, even if it is blank, and no other is",
        ),
        Case((HEADER + '"q1"\td"1\t1\n',), "a quotation mark is a character of an id like any other"),
        Case(
            (HEADER + "q1\td1\t1\t\n",),
            "a tab at the end makes a fourth column, though an empty one: ValueError",
        ),
        Case(
            (HEADER + "q1\t0\t12\t1\n",),
            "four columns are another format, TREC's: to guess would be worse than to stop",
        ),
        Case(
            (HEADER + "q1\td1\n",),
            "a line that breaks off raises ValueError: it would otherwise be one judgment fewer",
        ),
    ),
    hints=(
        "The result grows line by line. For each line find the query's own dictionary, make it if it is "
        "not there yet, and put the document's grade into it.",
        'text.split("\\n")[1:] are the lines without the header; a line is blank if line.strip() is empty; '
        'line.split("\\t") gives its columns. qrels.setdefault(query_id, {}) finds or makes the query\'s '
        "dictionary.",
        'In the loop: query_id, doc_id, grade = line.split("\\t"), which raises ValueError by itself unless '
        "there are three; then qrels.setdefault(query_id, {})[doc_id] = int(grade).",
    ),
)


def _judgments(text):
    """(query_id, doc_id, grade as text) of each line below the header that is not blank."""
    for line in text.split("\n")[1:]:
        if line.strip():
            query_id, doc_id, grade = line.split("\t")
            yield query_id, doc_id, grade


def _by_query(judgments):
    qrels = {}
    for query_id, doc_id, grade in judgments:
        qrels.setdefault(query_id, {})[doc_id] = grade
    return qrels


@READ_QRELS.mistake("header as data")
def header_as_data(text):
    """You read the first line as a judgment, but its third column is not a number, so int() refuses
    it. The first line of a BEIR file names the columns; begin with the second."""
    return read_qrels("\n" + text)


@READ_QRELS.mistake("header as data, grades as text")
def header_as_data_and_grades_as_text(text):
    """Two things are wrong. The first line names the columns, but you keep it as a judgment of a query that
    does not exist: one query more in every mean. It goes unnoticed because your grades stay text; int() would
    have refused it."""
    return grades_as_text("\n" + text)


@READ_QRELS.mistake("header as data, with grade 0")
def header_as_data_with_grade_0(text):
    """You read the first line as a judgment, and turn its third column, which is not a number, into 0. The
    file then has one query more, for which nothing is relevant, and it lowers every mean. The first line
    names the columns; begin with the second."""
    query_id, doc_id, _ = text.split("\n")[0].split("\t")
    return {query_id: {doc_id: 0}} | read_qrels(text)


@READ_QRELS.mistake("header known by its name")
def header_known_by_its_name(text):
    """You find the header by what it says. A file that names its columns differently then has a judgment too
    many, or raises an error. The header is always the first line: leave it out by its place."""
    return read_qrels("\n" + "\n".join(line for line in text.split("\n") if not line.startswith("query-id")))


@READ_QRELS.mistake("grades as text")
def grades_as_text(text):
    """Your grades are text. A metric that asks grade > 0 then fails, and one that asks whether there is a
    grade takes "0" for relevant: text that is not empty counts as true. Convert them to numbers as you read
    them."""
    return _by_query(_judgments(text))


@READ_QRELS.mistake("zeros dropped")
def zeros_dropped(text):
    """You leave out the grades of 0, and with them every query that has no others. Judged and not relevant is
    not the same as never judged: Judged@k needs the difference, and the query belongs in the mean."""
    judgments = ((query_id, doc_id, int(grade)) for query_id, doc_id, grade in _judgments(text))
    return _by_query(judgment for judgment in judgments if judgment[2] != 0)


@READ_QRELS.mistake("only grades above 0 kept")
def only_above_zero(text):
    """You keep only the grades above 0. Judged and not relevant is not the same as never judged, and a grade
    below 0 is a judgment, too: Judged@k needs the difference, and the query belongs in the mean."""
    judgments = ((query_id, doc_id, int(grade)) for query_id, doc_id, grade in _judgments(text))
    return _by_query(judgment for judgment in judgments if judgment[2] > 0)


@READ_QRELS.mistake("zeros dropped, their queries kept")
def zeros_dropped_but_not_their_queries(text):
    """You leave out the grades of 0. But judged and not relevant is not the same as never judged, and
    Judged@k needs the difference. Keep them; a metric ignores them by itself."""
    return {
        query_id: {d: grade for d, grade in grades.items() if grade}
        for query_id, grades in read_qrels(text).items()
    }


@READ_QRELS.mistake("columns swapped")
def columns_swapped(text):
    """Your outer keys are documents and your inner keys queries. A run shares no id with that, so every
    metric would be 0. The first column is the query, the second the document."""
    return _by_query((doc_id, query_id, int(grade)) for query_id, doc_id, grade in _judgments(text))


@READ_QRELS.mistake("document and grade exchanged")
def document_and_grade_exchanged(text):
    """You take the second column for the grade and the third for the document. The header gives the order:
    query, document, grade."""
    return _by_query((query_id, grade, int(doc_id)) for query_id, doc_id, grade in _judgments(text))


@READ_QRELS.mistake("one judgment a query")
def one_judgment_a_query(text):
    """Each new line of a query replaces what its earlier lines said, so only its last judgment is left. Add
    to the query's dictionary instead of making a new one."""
    return {query_id: {doc_id: int(grade)} for query_id, doc_id, grade in _judgments(text)}


@READ_QRELS.mistake("ids made numbers")
def ids_made_numbers(text):
    """You turn ids into numbers. That breaks with the first id like q1, and where it works it does harm: the
    number 7 never equals the text "7" of a run, so all metrics are 0. An id is a name, not a quantity."""
    return _by_query((int(query_id), int(doc_id), int(grade)) for query_id, doc_id, grade in _judgments(text))


@READ_QRELS.mistake("ids made numbers where they can be")
def ids_made_numbers_where_they_can_be(text):
    """Ids made of digits have become numbers (pandas does so unasked; dtype=str forbids it). The number 7
    never equals the text "7" of a run, and 007 has become 7, another query. An id is a name: leave it as it
    is."""

    def guess(id_):
        return int(id_) if id_.isdigit() else id_

    judgments = _judgments(text)
    return _by_query((guess(query_id), guess(doc_id), int(grade)) for query_id, doc_id, grade in judgments)


@READ_QRELS.mistake("blank lines as judgments")
def blank_lines_not_skipped(text):
    r"""You split every line, even an empty one. A file ends with a line break, so split("\n") gives an
    empty piece behind the last judgment; skip lines with nothing in them."""
    rows = [line.split("\t") for line in text.split("\n")[1:]]
    return _by_query((query_id, doc_id, int(grade)) for query_id, doc_id, grade in rows)


@READ_QRELS.mistake("blank lines as judgments, read by place")
def blank_lines_not_skipped_columns_not_counted(text):
    r"""You look for a second and third column in every line, even in an empty one. A file ends with a line
    break, so split("\n") gives an empty piece behind the last judgment. And a line with four columns goes
    unnoticed: count them."""
    rows = [line.split("\t") for line in text.split("\n")[1:]]
    return _by_query((row[0], row[1], int(row[2])) for row in rows)


_NOT_COUNTED = (
    "You take the first three columns and never ask whether there are more. A TREC file has four (query, a "
    "number, document, grade): you would read the number as the document and the document as its grade."
)


@READ_QRELS.mistake("columns not counted", _NOT_COUNTED)
def columns_not_counted(text):
    return read_qrels("\n".join("\t".join(line.split("\t")[:3]) for line in text.split("\n")))


@READ_QRELS.mistake("columns not counted, read by place", _NOT_COUNTED)
def columns_not_counted_read_by_position(text):
    header, *lines = text.split("\n")
    filled = [header, *(line for line in lines if line.strip())]
    return blank_lines_not_skipped_columns_not_counted("\n".join(filled))


@READ_QRELS.mistake("other lines passed over")
def other_lines_passed_over(text):
    """You skip lines that do not have three columns. A file that broke off, or has another format, then
    gives fewer judgments or none, and every figure made with them looks sound. Stop with a ValueError."""
    return read_qrels("\n".join(line if line.count("\t") == 2 else "" for line in text.split("\n")))


@READ_QRELS.mistake("cut at any white space")
def cut_at_any_white_space(text):
    """split() without an argument cuts at spaces too. The columns have tabs between them, and an id may hold
    a space: cut at the tab only."""
    return read_qrels("\n".join("\t".join(line.split()) for line in text.split("\n")))


@READ_QRELS.mistake("blank lines dropped before the header")
def blank_before_header(text):
    """You drop the blank lines, and then the first of those that are left. Where the first line of the file
    is blank, that is a judgment. The first line goes first, whatever it says; then the blank ones."""
    lines = [line for line in text.split("\n") if line.strip()]
    return read_qrels("\n".join(["", *lines[1:]]))


@READ_QRELS.mistake("lines stripped")
def lines_stripped(text):
    """You strip each line before you split it, which removes a tab at its end as well. A line with an empty
    fourth column then looks like one with three. Split the line as it is."""
    return read_qrels("\n".join(line.strip() for line in text.split("\n")))


@READ_QRELS.mistake("quotation marks taken for quoting")
def quotes_removed(text):
    """Quotation marks are gone from your ids: a reader of CSV files takes them for its own (quoting=
    csv.QUOTE_NONE forbids it). In this format a quotation mark is a character like any other."""
    rows = csv.reader(text.split("\n")[1:], delimiter="\t")
    return read_qrels("\n" + "\n".join("\t".join(row) for row in rows))


@READ_QRELS.mistake("a query's lines must be together")
def lines_together(text):
    """You begin a new dictionary whenever the query changes, so what its earlier lines said is lost where the
    lines of a query are apart. Check whether the query already has a dictionary: setdefault does."""
    qrels, last = {}, None
    for query_id, doc_id, grade in _judgments(text):
        if query_id != last:
            qrels[query_id] = {}
        qrels[query_id][doc_id], last = int(grade), query_id
    return qrels


@READ_QRELS.mistake("a line of spaces is read")
def spaces_are_read(text):
    """You skip only lines that are wholly empty. A line of spaces is blank, too: ask `line.strip()`."""
    if any(line and not line.strip() for line in text.split("\n")[1:]):
        raise ValueError("one column")
    return read_qrels(text)


@READ_QRELS.mistake("grades as floats or yes and no")
def grades_as_yes_or_no(text):
    """You keep only whether a grade is above 0. A 2 is the full answer and a 1 helps; nDCG needs to know
    which."""
    return {
        query_id: {d: int(g > 0) for d, g in grades.items()} for query_id, grades in read_qrels(text).items()
    }


@READ_QRELS.mistake("a blank line ends the file")
def blank_line_ends(text):
    """You stop at the first blank line, and what comes behind it is lost. A blank line says nothing: read
    on."""
    lines = text.split("\n")
    blank = [number for number, line in enumerate(lines) if number and not line.strip()]
    return read_qrels("\n".join(lines[: blank[0]] if blank else lines))


@READ_QRELS.mistake("document ids made numbers")
def document_ids_made_numbers(text):
    """Document ids made of digits have become numbers. The number 7 never equals the text "7" of a run, so
    nothing that was found is relevant. An id is a name: leave it as it is."""
    return {
        query_id: {int(doc_id) if doc_id.isdigit() else doc_id: grade for doc_id, grade in grades.items()}
        for query_id, grades in read_qrels(text).items()
    }


@READ_QRELS.mistake("query ids made numbers")
def query_ids_made_numbers(text):
    """Query ids made of digits have become numbers. The number 7 never equals the text "7" of a run, so its
    query has no results. An id is a name: leave it as it is."""
    return {
        int(query_id) if query_id.isdigit() else query_id: grades
        for query_id, grades in read_qrels(text).items()
    }
