"""Analyzers: from a text to the list of terms that is counted, the same for documents and for queries.

An analyzer is any function `str -> list[str]`. Four are here, each one step on from the one before:
`plain`, `plain_stopped`, `plain_stemmed`, `lucene_english`.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import chain

import regex
import Stemmer

Analyzer = Callable[[str], list[str]]
"""From a text to its terms, in their order."""

STOPWORDS = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these "
    "they this to was will with".split()
)
"""Lucene's 33 English stopwords."""


def plain(text: str) -> list[str]:
    r"""Lower-cased runs of `\w` characters: the tokenizer of most BM25 tutorials.

    >>> plain("The patient's IL-6 fell by 3.7 pg/mL")
    ['the', 'patient', 's', 'il', '6', 'fell', 'by', '3', '7', 'pg', 'ml']
    """
    return re.findall(r"\w+", text.lower())


def plain_stopped(text: str) -> list[str]:
    """`plain` without the 33 stopwords.

    >>> plain_stopped("The role of the kidney")
    ['role', 'kidney']
    """
    return [term for term in plain(text) if term not in STOPWORDS]


def plain_stemmed(text: str) -> list[str]:
    """`plain_stopped`, each term reduced to its stem.

    >>> plain_stemmed("The cells were dividing")
    ['cell', 'were', 'divid']
    """
    return [stem(term) for term in plain_stopped(text)]


def lucene_english(text: str) -> list[str]:
    """Lucene's `EnglishAnalyzer` as Anserini uses it, the analyzer behind the published BEIR figures.

    Split at Unicode word boundaries, drop a possessive 's, lower-case, drop stopwords, stem.

    >>> lucene_english("The patient's IL-6 fell by 3.7 pg/mL")
    ['patient', 'il', '6', 'fell', '3.7', 'pg', 'ml']
    """
    # Lower case first where it changes no boundary, so that fewer pieces are different.
    text = text.lower() if text.isascii() else text
    return list(chain.from_iterable(map(_TERMS_OF_PIECE.__getitem__, text.split(" "))))


def unicode_words(text: str) -> list[str]:
    """The words of a text by Unicode's rules (UAX #29), as Lucene's `StandardTokenizer` finds them.

    A dot or apostrophe between letters stays, and so does a separator between digits. A Han or Hiragana
    character is a word by itself, an emoji too; of Thai, Lao and Khmer, whose words only a dictionary can
    part, a run without blanks is one. A word of more than 255 characters is cut into such pieces.

    >>> unicode_words("can't stop at U.S. prices: 1,200.50 (x_1) 東京 ©")
    ["can't", 'stop', 'at', 'U.S', 'prices', '1,200.50', 'x_1', '東', '京', '©']
    """
    if text.isascii():  # the same rules in an expression that is six times as fast
        words = [word for word in _ASCII_WORD.findall(text) if word.strip("_")]
    else:
        words = _WORD.findall(text)
    if not any(len(word) > 255 for word in words):
        return words
    return [word[i : i + 255] for word in words for i in range(0, len(word), 255)]


def stem(term: str) -> str:
    """Porter's stem of a lower-case word, in the variant that Lucene ships.

    The Snowball project's C code does the work. Porter's own program, which Lucene follows, departs from it
    four times: words of one or two letters stay, "logi" becomes "log", "bli" becomes "ble", and before -ed
    and -ing every doubled consonant but l, s and z loses one (in "trekked" too; not so a doubled y).

    Source: Porter, An algorithm for suffix stripping, 1980; the departures are named on his page about it.
    Raises ValueError for a word with capitals, and for several words.

    >>> [stem(word) for word in ("retrieval", "retrieved", "retrieving", "immunology", "possibly", "is")]
    ['retriev', 'retriev', 'retriev', 'immunolog', 'possibl', 'is']
    """
    return _remembered_stem(term) if len(term) <= 64 else _stem(term)


def _stem(term: str) -> str:
    # Departure 1: words of one or two letters stay.
    if term != term.lower() or " " in term:
        each = "[stem(word) for word in text.lower().split()]"
        raise ValueError(f"term is {term!r:.60}; needed one word in small letters; of a text: {each}")
    if len(term) <= 2:
        return term
    # None of the other departures ends in another letter, so most words are done here.
    if term[-1] not in "iysdg":
        return _PORTER.stemWord(term)
    # Departure 2: trekked, trekking -> trek. What is left must have a vowel.
    if (doubled := _DOUBLED.fullmatch(term)) and _VOWEL.search(doubled[1]):
        return _stem(doubled[1])
    # Departures 3 and 4: the i of "logi" and "bli", which Snowball keeps, goes behind vowel and consonant.
    stemmed = _PORTER.stemWord(term)
    if not _LOGI_OR_BLI.search(term):
        return stemmed
    if stemmed.endswith("logi") and _VOWEL_CONSONANT.search(stemmed[:-4]):
        return stemmed[:-1]  # morphologi -> morpholog
    if stemmed.endswith("bli") and _VOWEL_CONSONANT.search(stemmed[:-3]):
        return _PORTER.stemWord(stemmed[:-1] + "e")  # invisibli -> invisible -> invis
    return stemmed


_remembered_stem = lru_cache(maxsize=1 << 18)(_stem)
_PORTER = Stemmer.Stemmer("porter", 0)  # 0: without its own cache, which is slower than the stemmer
_DOUBLED = re.compile(r"(.*([^aeiouybdfgmnprtlsz]))\2(?:ed|ing)s?")
"""The doubled consonants that Snowball leaves alone."""
_LOGI_OR_BLI = re.compile("(?:log|(?<!a)bl)[iy](?:es|ed|ing)?s?$")
"""What ends in "logi" or "bli" once the inflection is off; "abli" is in the published algorithm."""
_VOWEL = re.compile("[aeiou]|[^aeiou]y")
_VOWEL_CONSONANT = re.compile("[aeiou][^aeiou]|[^aeiou]y[^aeiou]")
"""Porter's condition m > 0: somewhere a consonant follows a vowel; y is a vowel behind a consonant."""


class _TermsOfPiece(dict):
    """The terms of each piece of text between two spaces: no word crosses one, and most pieces come often."""

    def __missing__(self, piece: str) -> tuple[str, ...]:
        one_word = piece.isascii() and piece.isalnum() and len(piece) < 256  # as most pieces are
        words = [piece] if one_word else unicode_words(piece)
        terms = tuple(filter(None, map(_lucene_term, words)))
        if len(piece) > 64:  # a text without spaces is no piece that will come again
            return terms
        if len(self) >= 1 << 18:
            self.clear()
        self[piece] = terms
        return terms


_TERMS_OF_PIECE = _TermsOfPiece()


@lru_cache(maxsize=1 << 18)
def _lucene_term(word: str) -> str:
    """One word through Lucene's filters; '' where a filter drops it."""
    # 1. A possessive 's goes.
    if word[-2:-1] in ("'", "’", "＇") and word[-1:] in ("s", "S"):
        word = word[:-2]
    # 2. Lower case, one character for one as in Java: Python's "İ".lower() has two, and a final Σ is another.
    word = word.lower() if word.isascii() else "".join(character.lower()[0] for character in word)
    # 3. Stopwords go, and what is left is stemmed (past the stemmer's own cache: one is enough).
    return "" if word in STOPWORDS else _stem(word)


def _word_pattern() -> "regex.Pattern":
    """The word rules of UAX #29 as one expression, over the standard's own Word_Break (WB) classes."""
    # WB4: accents and joiners belong to the character before.
    extend = r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*+"

    def one(*classes: str) -> str:
        return "[" + "".join(rf"\p{{WB={name}}}" for name in classes) + "]" + extend

    # WB5 to WB12: letters and digits stay together, so does a dot or an apostrophe between two of a kind.
    letter, digit, underscore = one("ALetter", "Hebrew_Letter"), one("Numeric"), one("ExtendNumLet")
    between_letters = one("MidLetter", "MidNumLet", "Single_Quote")
    between_digits = one("MidNum", "MidNumLet", "Single_Quote")
    hebrew, quote, double = one("Hebrew_Letter"), one("Single_Quote"), one("Double_Quote")
    inside_a_word = rf"{letter}{between_letters}(?={letter})|{digit}{between_digits}(?={digit})"
    inside_hebrew = rf"{hebrew}(?:{double}(?={hebrew})|{quote})"
    letters_and_digits = rf"{inside_a_word}|{inside_hebrew}|{letter}|{digit}"
    # WB13: Katakana stays together; an underscore joins what stands on its two sides, and is no word alone.
    run = rf"(?:(?:{letters_and_digits})++|(?:{one('Katakana')})++)"
    # The look-behind lets a row of underscores be tried once, not once from each of them.
    word = rf"(?:(?<!{underscore})(?:{underscore})++)?+{run}(?:(?:{underscore})++{run})*+(?:{underscore})*+"
    # WB3c, WB15, WB16: an emoji with all that is joined to it, and a flag of two regional indicators.
    flag = rf"(?:{one('Regional_Indicator')}){{2}}"
    emoji = rf"\p{{ExtPict}}{extend}(?:(?<=\u200D)\p{{ExtPict}}{extend})*+|{flag}"
    # Scripts without spaces: a run of Thai, Lao or Khmer is one word, each Han or Hiragana character is one.
    unspaced = rf"(?:\p{{LB=Complex_Context}}{extend})++|[\p{{Script=Han}}\p{{Script=Hiragana}}]{extend}"
    return regex.compile(f"{word}|{emoji}|{unspaced}")


_WORD = _word_pattern()
_ASCII_WORD = re.compile(r"\w+(?:(?:(?<=[A-Za-z])[.':](?=[A-Za-z])|(?<=[0-9])[.',;](?=[0-9]))\w+)*", re.ASCII)

ANALYZERS = {one.__name__: one for one in (plain, plain_stopped, plain_stemmed, lucene_english)}
"""By the name of the function."""
