"""Exercise: what people type, as a full-text query without a syntax error."""

import re

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def match_expression(query):
    words = {}
    for word in query.replace("\0", " ").split():
        words.setdefault(word.lower(), word)
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words.values())


MATCH_EXPRESSION = Exercise(
    name="MATCH_EXPRESSION",
    task="""\
Write `match_expression(query)`: turn what somebody typed into an expression that SQLite's FTS5 can read.

`query` is any text. Return its words, each in double quotes, joined by ` OR `. For `disk full` that is the \
text `"disk" OR "full"`. **Convention**: words are separated by white space and keep their punctuation; a \
double quote inside a word is written twice (SQL's rule); a word that occurs several times is kept once, \
whatever its case, in its first spelling and at its first position. Without a word the result is `""`, the \
empty text. It tells the caller not to search, because FTS5 raises an error for an empty expression. (SQLite \
stops reading at a NUL character, `\\0`. The check sends none; the solution turns it into a blank.)""",
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
        Case(
            ('Backup 10 9 the "q" backup 100 The full BACKUP c++ 9',),
            "eight words of twelve: three of them come again, Backup twice, and 9 comes after 10",
        ),
        Case(("zebra apple zebra",), "the words stay in their order"),
        Case(("AND OR NOT",), "in quotes these are words"),
        Case(("to be or not",), "and so are these, however short and common they are"),
        Case(("c c++ C",), "c and c++ are two words"),
        Case(("what's v2.x c++",), "punctuation stays in its word; the tokenizer will deal with it"),
        Case(('"',), "one double quote: in quotes, doubled, it makes four"),
        Case(
            ("it's error: 40* (a OR b)",), "everything that FTS5 could read as its language is inside quotes"
        ),
    ),
    hints=(
        "FTS5 has a language, and people do not write in it. What is in double quotes is "
        "text and not language. So everything that was typed goes into quotes, and only the OR between the "
        "words is yours.",
        "query.split() without argument gives the words. word.replace('\"', '\"\"') doubles the quotes "
        "inside. A dictionary keeps each key once, in the order in which the keys came.",
        "words.setdefault(word.lower(), word) for each word; then join '\"' + word.replace('\"', '\"\"') + "
        '\'"\' for the values with " OR ".join(…).',
    ),
)


def _in_order(words):
    seen = {}
    for word in words:
        seen.setdefault(word.lower(), word)
    return list(seen.values())


def _quoted(word):
    return '"' + word.replace('"', '""') + '"'


def _expression(query, quote=_quoted, join=" OR ", once=_in_order, split=str.split):
    """The reference with one part exchanged."""
    return join.join(quote(word) for word in once(split(query)))


def _not_doubled(word):
    return f'"{word}"'


_NO_QUOTES = (
    "You put the words there as they are. FTS5 then reads them as its own language: `-`, `:`, `*`, `'` and "
    "words such as AND are operators in it, and `checkout-api` raises. Inside double quotes nothing is an "
    "operator."
)


@MATCH_EXPRESSION.mistake("no quotes", _NO_QUOTES)
def no_quotes(query):
    return _expression(query, quote=str)


@MATCH_EXPRESSION.mistake("no quotes, repeats kept", _NO_QUOTES)
def no_quotes_repeats_kept(query):
    return _expression(query, quote=str, once=list)


@MATCH_EXPRESSION.mistake("no quotes, all words required", _NO_QUOTES)
def no_quotes_all_words_required(query):
    return _expression(query, quote=str, join=" ")


_AS_IT_IS = (
    "You hand the query on as it was typed. FTS5 reads it in its own language: `checkout-api` raises, and "
    "where nothing does, a page must hold every word. Each word goes into quotes, with OR in between."
)


@MATCH_EXPRESSION.mistake("the query as it is", _AS_IT_IS)
def the_query_as_it_is(query):
    return query


@MATCH_EXPRESSION.mistake("the query as it is, with single blanks", _AS_IT_IS)
def the_query_as_it_is_with_single_blanks(query):
    return _expression(query, quote=str, join=" ", once=list)


def _where_needed(word):
    return word if word.isalnum() else _quoted(word)


@MATCH_EXPRESSION.mistake("quotes where needed")
def quotes_where_needed(query):
    """You quote only words that hold punctuation. AND, OR and NOT hold none, and are operators. Quotes cost
    nothing: put every word into them, and nobody has to know what needs them."""
    return _expression(query, quote=_where_needed)


_ALL_REQUIRED = (
    "Your expression asks for pages that hold every word: AND does so, and to FTS5 a blank means AND as "
    "well. One word that the page does not use, and it is not found. With OR each word adds to the score, "
    "and BM25 puts the best page first."
)


@MATCH_EXPRESSION.mistake("AND", _ALL_REQUIRED)
def all_words_required(query):
    return _expression(query, join=" AND ")


@MATCH_EXPRESSION.mistake("AND, repeats kept", _ALL_REQUIRED)
def all_words_required_repeats_kept(query):
    return _expression(query, join=" AND ", once=list)


@MATCH_EXPRESSION.mistake("blanks between", _ALL_REQUIRED)
def blanks_between(query):
    return _expression(query, join=" ")


@MATCH_EXPRESSION.mistake("blanks between, repeats kept", _ALL_REQUIRED)
def blanks_between_repeats_kept(query):
    return _expression(query, join=" ", once=list)


@MATCH_EXPRESSION.mistake("or in small letters")
def or_in_small_letters(query):
    """You join with `or`. FTS5's operators are in capitals; in small letters it is one more word to be found,
    or a syntax error."""
    return _expression(query, join=" or ")


@MATCH_EXPRESSION.mistake("one phrase")
def as_one_phrase(query):
    """You put the whole query into one pair of quotes. That is a phrase: the words must stand side by side in
    this order. Few pages hold a question word for word. Each word has quotes of its own."""
    return _quoted(query) if query.strip() else ""


_NOT_DOUBLED = (
    "You leave a double quote inside a word as it is. It ends the string in the middle, and what follows "
    "is read as FTS5's language, or the string never ends. Inside quotes a double quote is written twice."
)


@MATCH_EXPRESSION.mistake("quote not doubled", _NOT_DOUBLED)
def quote_not_doubled(query):
    return _expression(query, quote=_not_doubled)


@MATCH_EXPRESSION.mistake("quote not doubled, repeats kept", _NOT_DOUBLED)
def quote_not_doubled_repeats_kept(query):
    return _expression(query, quote=_not_doubled, once=list)


def _deleted(word):
    return '"' + word.replace('"', "") + '"'


@MATCH_EXPRESSION.mistake("quote deleted")
def quote_deleted(query):
    """You take double quotes out of the query. It is safe, nearly: of a word that is nothing but a quote only
    an empty string is left, and the words that were searched are not those that were typed. SQL's rule keeps
    them: written twice."""
    return _expression(query, quote=_deleted)


def _backslashed(word):
    return '"' + word.replace('"', '\\"') + '"'


@MATCH_EXPRESSION.mistake("quote backslashed")
def quote_backslashed(query):
    """You put a backslash before the double quote, as Python does. SQL knows no backslash: the quote behind
    it ends the string. In SQL it is written twice."""
    return _expression(query, quote=_backslashed)


def _in_single_quotes(word):
    return "'" + word.replace("'", "''") + "'"


@MATCH_EXPRESSION.mistake("single quotes")
def single_quotes(query):
    """You use single quotes. In SQL they hold a text, but inside an FTS5 expression only double quotes do; a
    single one is a syntax error."""
    return _expression(query, quote=_in_single_quotes)


def _at_punctuation(query):
    return re.findall(r"\w+", query)


@MATCH_EXPRESSION.mistake("split at punctuation")
def split_at_punctuation(query):
    """You cut words at their punctuation. `checkout-api` becomes two words that may stand anywhere, and
    `v2.x` is half of its name and a lone x. In quotes the tokenizer cuts it too, but demands that the parts
    stand side by side."""
    return _expression(query, split=_at_punctuation)


def _at_blanks(query):
    return query.split(" ")


@MATCH_EXPRESSION.mistake("split at single blanks")
def split_at_single_blanks(query):
    """You split at each single blank. Two in a row leave an empty word between them, a tab or a line end
    separates nothing, and an empty query has one empty word. split() without " " takes any white space."""
    return _expression(query, split=_at_blanks)


@MATCH_EXPRESSION.mistake("repeats kept")
def repeats_kept(query):
    """You search a repeated word twice, and FTS5 adds its score twice. A word that slipped in a second time
    would weigh double. Keep each word once."""
    return _expression(query, once=list)


def _letter_for_letter(words):
    return list(dict.fromkeys(words))


@MATCH_EXPRESSION.mistake("repeats letter for letter")
def repeats_letter_for_letter(query):
    """You drop repeats only if they are the same letter for letter. FTS5 does not look at case: to it The and
    the are one word, and both would be counted."""
    return _expression(query, once=_letter_for_letter)


def _last_spelling(words):
    return list({word.lower(): word for word in words}.values())


@MATCH_EXPRESSION.mistake("last spelling")
def last_spelling(query):
    """You keep the last spelling of a word that occurs twice, since a later value replaces the earlier in a
    dictionary. The convention keeps the first; setdefault does not replace."""
    return _expression(query, once=_last_spelling)


def _lowered(word):
    return _quoted(word.lower())


@MATCH_EXPRESSION.mistake("small letters")
def small_letters(query):
    """You give all words in small letters. FTS5 finds the same, so nothing is lost; but the convention is
    that a word stays as it was first written, so that a log shows what was typed. Compare without case, keep
    the spelling."""
    return _expression(query, quote=_lowered)


@MATCH_EXPRESSION.mistake("sorted")
def words_sorted(query):
    """You sort the words. The pages found are the same, but the convention keeps the order of the query; a
    set with sorted() loses it, the keys of a dictionary do not."""
    return _expression(query, once=lambda words: sorted(_in_order(words)))


@MATCH_EXPRESSION.mistake("nothing as an empty phrase")
def nothing_as_empty_phrase(query):
    """For a query without words you give a pair of quotes. Give the empty text, which tells the
    caller that there is nothing to search, without asking the database."""
    return match_expression(query) or '""'


@MATCH_EXPRESSION.mistake("empty words between two blanks")
def empty_words(query):
    """You split at single blanks, so two of them make an empty word, and tabs and line ends do not separate.
    `split()` without an argument splits at any white space, however much there is."""
    return _expression(query.strip(), split=lambda text: text.split(" ") if text else [])


@MATCH_EXPRESSION.mistake("operators thrown out")
def operators_thrown_out(query):
    """You throw out AND, OR, NOT and NEAR. In quotes they are words like any other, and somebody may look for
    them."""
    words = " ".join(w for w in query.split() if w not in ("AND", "OR", "NOT", "NEAR"))
    return match_expression(words)


@MATCH_EXPRESSION.mistake("operators thrown out in any case")
def operators_thrown_out_in_any_case(query):
    """You throw out and, or, not and near. In quotes they are words like any other, and somebody may look for
    them."""
    words = " ".join(w for w in query.split() if w.upper() not in ("AND", "OR", "NOT", "NEAR"))
    return match_expression(words)


@MATCH_EXPRESSION.mistake("sorted by their small letters")
def sorted_by_small_letters(query):
    """You put the words into the order of the alphabet, perhaps because they went through a set. They stay in
    the order in which they first stood."""
    return _expression(query, once=lambda words: sorted(_in_order(words), key=str.lower))


@MATCH_EXPRESSION.mistake("punctuation cut off")
def punctuation_cut_off(query):
    """You cut punctuation off the words. They keep it: in quotes it is no operator, and the tokenizer of the
    index deals with it as it did with the pages."""
    words = [word.strip(".,;:!?'\"()*") for word in query.split()]
    return _expression(" ".join(filter(None, words)))


@MATCH_EXPRESSION.mistake("quote deleted, sorted")
def quote_deleted_sorted(query):
    """Two things. You delete double quotes, where each is to be written twice. And you put the words in
    another order, perhaps because they went through a set: they stay in the order in which they first
    stood."""
    words = _in_order(query.replace('"', "").split())
    return " OR ".join(f'"{word}"' for word in sorted(words, key=str.lower))


@MATCH_EXPRESSION.mistake("short words left out")
def short_words_left_out(query):
    """You leave out short words, or such as "the". BM25 gives them little weight by itself; every word that
    was typed is searched."""
    return match_expression(" ".join(w for w in query.split() if len(w) > 2 and w.lower() != "the"))


@MATCH_EXPRESSION.mistake("split at single blanks, empty words left out")
def at_single_blanks(query):
    """You split at single blanks, and leave out what is empty. Tabs and line ends part words as well:
    .split() without an argument takes all white space."""
    return _expression(query, split=lambda text: list(filter(None, text.split(" "))))


@MATCH_EXPRESSION.mistake("split at punctuation, but for quotes")
def at_punctuation_but_quotes(query):
    """You split at punctuation, or throw it away. The words of a query are what white space parts; inside
    quotes FTS5 takes care of the rest."""
    return _expression(query, split=lambda text: re.findall(r'[\w"]+', text))


@MATCH_EXPRESSION.mistake("quotes outside single ones")
def single_quotes_in_front(query):
    """Your words begin with ' and end with ". A string of FTS5 stands between two double quotes."""
    return _expression(query, quote=lambda word: "'" + word.replace('"', '""') + '"')
