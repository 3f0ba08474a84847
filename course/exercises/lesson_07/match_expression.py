"""Exercise: what people type, as a full-text query that cannot fail."""

import re

from course.exercises.cases import Case, Mistake
from course.exercises.exercise import Exercise


def match_expression(query):
    words = {}
    for word in query.split():
        words.setdefault(word.lower(), word)
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words.values())


def _last_spelling(words):
    return list({word.lower(): word for word in words}.values())


def _in_order(words):
    seen = {}
    for word in words:
        seen.setdefault(word.lower(), word)
    return list(seen.values())


def _quoted(word):
    return '"' + word.replace('"', '""') + '"'


def _mistaken(quote=_quoted, join=" OR ", once=_in_order, split=str.split):
    def function(query):
        return join.join(quote(word) for word in once(split(query)))

    return function


def _not_doubled(word):
    return f'"{word}"'


def _backslashed(word):
    return '"' + word.replace('"', '\\"') + '"'


def _deleted(word):
    return '"' + word.replace('"', "") + '"'


def _in_single_quotes(word):
    return "'" + word.replace("'", "''") + "'"


def _where_needed(word):
    return word if word.isalnum() else _quoted(word)


def _as_one_phrase(query):
    return _quoted(query) if query.strip() else ""


def _nothing_as_empty_phrase(query):
    return match_expression(query) or '""'


def _lowered(word):
    return _quoted(word.lower())


def _letter_for_letter(words):
    return list(dict.fromkeys(words))


def _at_blanks(query):
    return query.split(" ")


def _at_punctuation(query):
    return re.findall(r"\w+", query)


_NO_QUOTES = (
    "You put the words there as they are. FTS5 then reads them as its own language: `-`, `:`, `*`, `'` and words such as AND are "
    "operators in it, and `checkout-api` raises. Inside double quotes nothing is an operator."
)
_AS_IT_IS = (
    "You hand the query on as it was typed. FTS5 reads it in its own language: `checkout-api` raises, and where nothing does, a page "
    "must hold every word. Each word goes into quotes, with OR in between."
)
_ALL_REQUIRED = (
    "Your expression asks for pages that hold every word: AND does so, and to FTS5 a blank means AND as well. One word that the page "
    "does not use, and it is not found. With OR each word adds to the score, and BM25 puts the best page first."
)
_NOT_DOUBLED = (
    "You leave a double quote inside a word as it is. It ends the string in the middle, and what follows is read as FTS5's language, or "
    "the string never ends. Inside quotes a double quote is written twice."
)

MATCH_EXPRESSION = Exercise(
    name="MATCH_EXPRESSION",
    task="""\
Write `match_expression(query)`: what somebody typed, as an expression of SQLite's FTS5 that cannot fail.

`query` is any text. Returned is text: the words of the query, each in double quotes, joined by ` OR `. For `disk full` it is \
`"disk" OR "full"`. **Convention**: a word is what stands between white space, with its punctuation; a double quote inside a word \
is written twice (SQL's rule); a word that stands several times is kept once, whatever its case, as it was first written and where \
it first stood. Where there is no word the result is `""`, the empty text.""",
    reference=match_expression,
    cases=(
        Case(("disk full",), "two words, each in quotes, either of which may be in the page"),
        Case(("checkout-api down",), "checkout-api is one word; in quotes its hyphen is no operator"),
        Case(("full full",), "said twice, searched once"),
        Case(('5" disk',), "a double quote inside a word is written twice"),
        Case(('say "no"',), "these quotes belong to the word no, and are doubled like any other"),
        Case(("",), "nothing was typed, so there is nothing to search"),
        Case((" \n ",), "white space alone is no word"),
        Case(("  disk\t full\n",), "blanks, tabs and line ends separate words, however many there are"),
        Case(
            ("The cache the",),
            "FTS5 does not look at case, so The and the are one word, written as it first stood",
        ),
        Case(("zebra apple zebra",), "the words stay in their order"),
        Case(("AND OR NOT",), "in quotes these are words"),
        Case(("what's v2.x c++",), "punctuation stays in its word; the tokenizer will deal with it"),
        Case(('"',), "one double quote: in quotes, doubled, it makes four"),
        Case(
            ("it's error: 40* (a OR b)",), "everything that FTS5 could read as its language is inside quotes"
        ),
    ),
    hints=(
        "FTS5 has a language, and people do not write in it. Whatever stands in double quotes is no language but text. So everything "
        "that was typed goes into quotes, and only the OR between the words is yours.",
        "query.split() without argument gives the words. word.replace('\"', '\"\"') doubles the quotes inside. A dictionary keeps each key "
        "once, in the order in which the keys came.",
        "words.setdefault(word.lower(), word) for each word; then join '\"' + word.replace('\"', '\"\"') + '\"' for the values with "
        '" OR ".join(…).',
    ),
    mistakes=(
        Mistake("no quotes", _mistaken(quote=str), _NO_QUOTES),
        Mistake("no quotes, repeats kept", _mistaken(quote=str, once=list), _NO_QUOTES),
        Mistake("no quotes, all words required", _mistaken(quote=str, join=" "), _NO_QUOTES),
        Mistake("the query as it is", str, _AS_IT_IS),
        Mistake(
            "the query as it is, with single blanks", _mistaken(quote=str, join=" ", once=list), _AS_IT_IS
        ),
        Mistake(
            "quotes where needed",
            _mistaken(quote=_where_needed),
            "You quote only words that hold punctuation. AND, OR and NOT hold none, and are operators. Quotes cost nothing: put every word "
            "into them, and nobody has to know what needs them.",
        ),
        Mistake("AND", _mistaken(join=" AND "), _ALL_REQUIRED),
        Mistake("AND, repeats kept", _mistaken(join=" AND ", once=list), _ALL_REQUIRED),
        Mistake("blanks between", _mistaken(join=" "), _ALL_REQUIRED),
        Mistake("blanks between, repeats kept", _mistaken(join=" ", once=list), _ALL_REQUIRED),
        Mistake(
            "or in small letters",
            _mistaken(join=" or "),
            "You join with `or`. FTS5's operators are in capitals; in small letters it is one more word to be found, or a syntax error.",
        ),
        Mistake(
            "one phrase",
            _as_one_phrase,
            "You put the whole query into one pair of quotes. That is a phrase: the words must stand side by side in this order. Few pages "
            "hold a question word for word. Each word has quotes of its own.",
        ),
        Mistake("quote not doubled", _mistaken(quote=_not_doubled), _NOT_DOUBLED),
        Mistake("quote not doubled, repeats kept", _mistaken(quote=_not_doubled, once=list), _NOT_DOUBLED),
        Mistake(
            "quote deleted",
            _mistaken(quote=_deleted),
            "You take double quotes out of the query. It is safe, nearly: of a word that is nothing but a quote only an empty string is "
            "left, and the words that were searched are not those that were typed. SQL's rule keeps them: written twice.",
        ),
        Mistake(
            "quote backslashed",
            _mistaken(quote=_backslashed),
            "You put a backslash before the double quote, as Python does. SQL knows no backslash: the quote behind it ends the string. In "
            "SQL it is written twice.",
        ),
        Mistake(
            "single quotes",
            _mistaken(quote=_in_single_quotes),
            "You use single quotes. In SQL they hold a text, but inside an FTS5 expression only double quotes do; a single one is a syntax "
            "error.",
        ),
        Mistake(
            "split at punctuation",
            _mistaken(split=_at_punctuation),
            "You cut words at their punctuation. `checkout-api` becomes two words that may stand anywhere, and `v2.x` is half of its name "
            "and a lone x. In quotes the tokenizer cuts it too, but demands that the parts stand side by side.",
        ),
        Mistake(
            "split at single blanks",
            _mistaken(split=_at_blanks),
            "You split at each single blank. Two in a row leave an empty word between them, a tab or a line end separates nothing, and "
            'an empty query has one empty word. split() without " " takes any white space.',
        ),
        Mistake(
            "repeats kept",
            _mistaken(once=list),
            "You search a repeated word twice, and FTS5 adds its score twice. A word that slipped in a second time would weigh double. Keep "
            "each word once.",
        ),
        Mistake(
            "repeats letter for letter",
            _mistaken(once=_letter_for_letter),
            "You drop repeats only if they are the same letter for letter. FTS5 does not look at case: to it The and the are one word, and "
            "both would be counted.",
        ),
        Mistake(
            "last spelling",
            _mistaken(once=_last_spelling),
            "Of a word that stands twice you keep the last spelling, since a later value replaces the earlier in a dictionary. The "
            "convention keeps the first; setdefault does not replace.",
        ),
        Mistake(
            "small letters",
            _mistaken(quote=_lowered),
            "You give all words in small letters. FTS5 finds the same, so nothing is lost; but the convention is that a word stays as it was "
            "first written, so that a log shows what was typed. Compare without case, keep the spelling.",
        ),
        Mistake(
            "sorted",
            _mistaken(once=lambda words: sorted(_in_order(words))),
            "You sort the words. The pages found are the same, but the convention keeps the order of the query; a set with sorted() loses "
            "it, the keys of a dictionary do not.",
        ),
        Mistake(
            "nothing as an empty phrase",
            _nothing_as_empty_phrase,
            "For a query without words you give a pair of quotes. Asked for is the empty text, which tells the caller that there is nothing "
            "to search, without asking the database.",
        ),
    ),
)
