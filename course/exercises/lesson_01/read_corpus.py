"""Exercise: a corpus from the text of a BEIR file."""

import json

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def read_corpus(text):
    corpus = {}
    for line in text.split("\n"):
        if not line.strip():
            continue
        record = json.loads(line)
        doc_id = str(record["_id"])
        if doc_id in corpus:
            raise ValueError(f"document {doc_id!r} comes a second time")
        title = record.get("title") or ""
        corpus[doc_id] = f"{title} {record['text']}".strip()
    return corpus


READ_CORPUS = Exercise(
    name="READ_CORPUS",
    task="""\
Write `read_corpus(text)`, which returns the corpus of a BEIR dataset from the text of its file \
`corpus.jsonl`.

```
>>> read_corpus('{"_id": 7, "title": "Cats", "text": "They sleep."}')
{'7': 'Cats They sleep.'}
```

**Convention** (that of the course): a document is its title, a space and its text, without white space \
around the whole. If the title is missing, empty or null, the document is the text alone. Ids become text, \
even where the file has numbers. Only `\\n` ends a line. Blank lines are skipped, including those made of \
spaces. A line that is not JSON, or an id that comes twice, raises `ValueError`.""",
    reference=read_corpus,
    cases=(
        Case(
            ('{"_id": "7", "title": "Cats", "text": "They sleep."}',),
            "the id is text, and the document is its title, a space and its text: the text may never "
            "say what the title says",
        ),
        Case(
            ('{"_id": "7", "text": "They sleep."}',),
            "a document without a title is its text alone, with no space in front",
        ),
        Case(
            ('{"_id": "7", "title": "", "text": "They sleep."}',),
            "an empty title adds nothing, not even a space",
        ),
        Case(
            ('{"_id": "7", "title": null, "text": "They sleep."}',),
            "null says that there is no title; the word None must not get into the text",
        ),
        Case(
            ('{"_id": "1", "text": "Cats."}\n{"_id": "2", "text": "Dogs."}\n',),
            "each line is one document, and the last line may end in a line break too",
        ),
        Case(
            ('{"_id": 7, "text": "They sleep."}',),
            "the qrels name documents by text, and the number 7 never equals the text '7'",
        ),
        Case(
            ('{"_id": "1", "text": "Cats."}\n\n   \n{"_id": "2", "text": "Dogs."}',),
            "blank lines are not documents, and not a reason to stop either",
        ),
        Case(
            ('{"_id": "7", "text": "Cats sleep.\u2028Dogs bark."}',),
            "U+2028 separates lines on paper, but in JSON it is a character of the text like any other",
        ),
        Case(
            (
                '{"_id": "1", "title": "Cats", "text": "They sleep."}\n{"_id": "1", "title": "Dogs", '
                '"text": "They bark."}',
            ),
            "an id that comes twice raises ValueError: a label for it could mean either document",
        ),
        Case(
            (
                '{"_id": 10, "title": "Cats", "text": "They sleep."}\n\n'
                '{"_id": "9", "title": null, "text": " Dogs  bark."}\n'
                '{"_id": 100, "text": "Birds."}\n',
            ),
            "three documents, one of them with a title; the blank line between them is not a document",
        ),
        Case(
            (
                '{"_id": "b", "title": "Cats ", "text": "They\u2028sleep.\\n"}\n \n'
                '{"_id": 7, "title": "", "text": " Dogs"}',
            ),
            "white space inside a document stays; white space around it goes, and so does a line of spaces",
        ),
        Case(
            ('{"_id": "7", "text": "Cats."}\n{"_id": 7, "text": "Dogs."}',),
            "as text both ids are '7', so it comes twice: ValueError, whichever of the two is a number in "
            "the file",
        ),
        Case(
            ('{"_id": 7, "text": "Cats."}\n{"_id": "7", "text": "Dogs."}',),
            "first the number, then the text: they are one id, so ValueError",
        ),
        Case(
            ('{"_id": 7, "text": "Cats."}\n{"_id": 7, "text": "Dogs."}',),
            "two equal numbers are one id: ValueError",
        ),
        Case(
            ('{"_id": "1", "title": "Cats", "text": "They sleep."}\n{"_id": "2", "title": "Do',),
            "a line that is cut off raises ValueError: half a file must not pass for a smaller corpus",
        ),
        Case(
            ('{"_id": 0, "title": "Cats", "text": "They sleep."}',),
            "0 is a number like any other, and becomes the id '0'",
        ),
        Case(
            ('{"_id": "7", "title": "Two  cats", "text": "They\\nsleep. "}',),
            "white space inside the document stays as it is, here two spaces and a line break",
        ),
        Case(("",), "a file with nothing in it is a corpus without documents"),
        Case(
            ('{"_id": "MED-10", "title": "Cats", "text": ""}',),
            "a title without a text has no space behind it: there is no white space around the whole",
        ),
        Case(
            ('{"_id": "7", "title": "Cats\\n", "text": " They sleep."}',),
            "only the white space around the whole goes; what is between title and text stays",
        ),
    ),
    hints=(
        "Go through the lines one by one, and put each document into a dictionary. Before you put it "
        "there, check whether its id is there already.",
        "text.split('\\n') gives the lines, json.loads(line) a dictionary; line.strip() is empty for a "
        "blank line. record.get('title') or '' is the title, or empty text where it is missing or null.",
        "For each line that is not blank: record = json.loads(line); doc_id = str(record['_id']); if "
        "doc_id in corpus, raise ValueError; else corpus[doc_id] = (title + ' ' + record['text']).strip(). "
        "A line that is not JSON makes json.loads raise a ValueError by itself.",
    ),
)


def _documents(text, name=str, words=None, lines=None, on_repeat=None, on_broken=None, as_text=False):
    """The reference with one part exchanged: how ids, words and lines come about, and what happens to a
    repeat and to a broken line."""
    corpus = {}
    for line in filter(str.strip, text.split("\n") if lines is None else lines(text)):
        try:
            record = json.loads(line)
        except ValueError:
            if on_broken == "skip":
                continue
            raise
        doc_id = name(record["_id"])
        there = map(str, corpus) if as_text else corpus
        if on_repeat is None and (str(doc_id) if as_text else doc_id) in there:
            raise ValueError(f"document {doc_id!r} comes a second time")
        if doc_id not in corpus or on_repeat == "later":
            corpus[doc_id] = _title_and_text(record) if words is None else words(record)
    return corpus


def _title_and_text(record):
    return f"{record.get('title') or ''} {record['text']}".strip()


def _as_it_is(doc_id):
    return doc_id


def _repeats_found(text, asked, noted):
    """The reference, except that an id may be asked for in one form and noted in another."""
    seen = set()
    for line in filter(str.strip, text.split("\n")):
        doc_id = json.loads(line)["_id"]
        if asked(doc_id) in seen:
            raise ValueError(f"document {doc_id!r} comes a second time")
        seen.add(noted(doc_id))
    return _documents(text, on_repeat="later")


@READ_CORPUS.mistake("title dropped")
def title_dropped(text):
    """You keep the text and drop the title. Writers leave out of a page what its title has said, so the words
    by which it would be found are gone. No error will tell you; only the scores are lower."""
    return _documents(text, words=lambda record: record["text"].strip())


@READ_CORPUS.mistake("title and text stripped each")
def title_and_text_stripped_each(text):
    """You strip title and text separately, so white space between the two is lost. Put them together first,
    and strip the whole once."""

    def words(record):
        parts = [(record.get("title") or "").strip(), record["text"].strip()]
        return " ".join(filter(None, parts))

    return _documents(text, words=words)


@READ_CORPUS.mistake("a repeated id: the later wins")
def later_wins(text):
    """Where an id comes twice, your later document replaces the earlier one without a word. A dictionary does
    that by itself. The corpus is then smaller than the file, and nobody knows which of the two the labels
    mean. Raise ValueError."""
    return _documents(text, on_repeat="later")


@READ_CORPUS.mistake("a repeated id: the earlier wins")
def earlier_wins(text):
    """Where an id comes twice, you keep the earlier document and lose the later one without a word. The
    corpus is then smaller than the file, and nobody knows which of the two the labels mean. Raise
    ValueError."""
    return _documents(text, on_repeat="earlier")


@READ_CORPUS.mistake("lines cut with splitlines")
def splitlines(text):
    r"""splitlines() also cuts at rare characters such as U+2028, which JSON allows inside a text. It tears
    one record into two broken ones. A line of a JSONL file ends at \n and nowhere else: split('\n')."""
    return _documents(text, lines=str.splitlines)


_NUMBERS = (
    "You turn the ids into numbers. An id is a name: 7 and 07 are two documents, and the qrels name "
    "documents by text. The number 7 never equals the text '7', so no label would match and every score "
    "would be 0."
)


@READ_CORPUS.mistake("ids made ints", _NUMBERS)
def ids_made_ints(text):
    return _documents(text, name=int)


@READ_CORPUS.mistake("ids made ints where they can be", _NUMBERS)
def ids_made_ints_where_they_can_be(text):
    return _documents(text, name=lambda doc_id: int(doc_id) if str(doc_id).isdigit() else doc_id)


@READ_CORPUS.mistake("ids left as they are")
def ids_left_as_they_are(text):
    """You take the id as JSON gives it, and some files write ids as numbers. The qrels are text, and 7 never
    equals '7': these documents could be found and would never count as relevant. Turn every id into text."""
    return _documents(text, name=_as_it_is)


@READ_CORPUS.mistake("ids compared before they are text")
def ids_compared_before_they_are_text(text):
    """You look for the id first and turn it into text afterwards. So the number 7 and the text '7' pass for
    two ids, and then the later document silently replaces the earlier one. Turn the id into text, then check
    whether it is there."""
    return _repeats_found(text, asked=_as_it_is, noted=_as_it_is)


_NEVER_FOUND = (
    "A number never equals a text, so later documents replace earlier ones silently. Turn each id into "
    "text, and use that."
)


@READ_CORPUS.mistake(
    "ids asked for before they are text",
    f"You look for the id as the file has it, among ids that are text already. {_NEVER_FOUND}",
)
def ids_asked_for_before_they_are_text(text):
    return _repeats_found(text, asked=_as_it_is, noted=str)


@READ_CORPUS.mistake(
    "ids noted before they are text",
    f"You look for the id as text, but note it as the file has it. {_NEVER_FOUND}",
)
def ids_noted_before_they_are_text(text):
    return _repeats_found(text, asked=str, noted=_as_it_is)


@READ_CORPUS.mistake("a space without a title")
def space_without_title(text):
    """You put the space even where the title or the text is empty. Positions in the text then differ by one
    from those in other tools, and a quote's place with them. Cut the white space around the whole."""
    return _documents(text, words=lambda record: f"{record.get('title') or ''} {record['text']}")


@READ_CORPUS.mistake("None as a title")
def none_as_title(text):
    """A title of null becomes the word None in your text, and a search for `none` will find the page.
    get('title', '') helps only where the key is missing; null is there, and is None."""
    return _documents(text, words=lambda record: f"{record.get('title', '')} {record['text']}".strip())


@READ_CORPUS.mistake("a broken line is skipped")
def broken_line_skipped(text):
    """You go on after a line that is not JSON. Such a line is usually the end of a download that broke off.
    If it is skipped, you measure on a smaller corpus, which is easier to search, and never notice."""
    return _documents(text, on_broken="skip")


@READ_CORPUS.mistake("white space inside changed")
def white_space_inside(text):
    """You take the words apart and join them again, so line breaks and double spaces inside the document
    become single spaces. Only the white space around the whole goes; a quote from the page must still be
    found in it."""
    return _documents(text, words=lambda record: " ".join(_title_and_text(record).split()))


@READ_CORPUS.mistake("white space around kept")
def white_space_kept(text):
    """You leave the white space around a document. A title with an empty text then ends in a space, and two
    equal documents may differ. Call strip() on the whole."""
    return _documents(text, words=_unstripped)


def _unstripped(record):
    title = record.get("title") or ""
    return f"{title} {record['text']}" if title else record["text"]


@READ_CORPUS.mistake("a line of spaces is read")
def spaces_are_read(text):
    """You skip only lines that are wholly empty. A line of spaces is blank, too, and json.loads raises on
    it: ask `line.strip()`."""
    for line in text.split("\n"):
        if line:
            json.loads(line)
    return read_corpus(text)


@READ_CORPUS.mistake("blank lines are read")
def blank_lines_are_read(text):
    """You hand every line to json.loads, even the empty one after the last line break, and it raises. Skip
    lines with nothing in them."""
    for line in text.split("\n"):
        json.loads(line)
    return read_corpus(text)


@READ_CORPUS.mistake("an id of 0 left out")
def id_0_left_out(text):
    """You take the id 0 for no id: in Python 0 is false. The document with this number is lost, and with it
    every label that names it. Turn the id into text first."""
    return {doc_id: words for doc_id, words in read_corpus(text).items() if doc_id != "0"}


@READ_CORPUS.mistake("a missing title raises")
def missing_title_raises(text):
    """You look up the title of every record, and some have none. `record.get("title")` gives None there."""
    for line in filter(str.strip, text.split("\n")):
        json.loads(line)["title"]
    return read_corpus(text)


@READ_CORPUS.mistake("title and text without a space")
def no_space(text):
    """You put title and text together without a space, so the last word of one and the first of the other
    become a single word that nobody will search."""
    return _documents(text, words=lambda record: f"{record.get('title') or ''}{record['text']}".strip())


@READ_CORPUS.mistake("the title only where the text is empty")
def title_only_without_text(text):
    """You take the title only where there is no text. Writers leave out of a page what its title has said: a
    document is its title, a space, its text."""
    return _documents(text, words=lambda record: record["text"].strip() or (record.get("title") or ""))


@READ_CORPUS.mistake("joined where both are there, not stripped")
def joined_not_stripped(text):
    """You join title and text, and leave white space at the ends. Strip the whole: .strip()."""
    return _documents(
        text, words=lambda record: " ".join(filter(None, (record.get("title"), record["text"])))
    )


@READ_CORPUS.mistake("title dropped, not stripped")
def title_dropped_not_stripped(text):
    """You read the text only. The title is part of the document, and often holds the words people search
    for."""
    return _documents(text, words=lambda record: record["text"])


@READ_CORPUS.mistake("the title behind the text")
def title_behind(text):
    """You put the title after the text. By this convention it comes first."""
    return _documents(text, words=lambda record: f"{record['text']} {record.get('title') or ''}".strip())


@READ_CORPUS.mistake("all in small letters")
def small_letters(text):
    """You turn everything into lower case. Reading keeps a document as it is; what an engine makes of its
    words comes later."""
    return _documents(text, words=lambda record: _title_and_text(record).lower())


@READ_CORPUS.mistake("ids left as they are, and compared as text")
def ids_compared_as_text(text):
    """You find repeated ids, whatever they are in the file, but return each as JSON gives it. The qrels are
    text, and 7 never equals '7': such documents would never count as relevant. Turn every id into text."""
    return _documents(text, name=_as_it_is, as_text=True)
