r"""Analyzers: from a text to the list of terms that is counted, the same for documents and for queries.

An analyzer is any function `str -> list[str]`. Four are here, each one step on from the one before:
`plain`, `plain_stopped`, `plain_stemmed`, `lucene_english`. Counting and weighting terms is not done here.
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
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this "
    "to was will with".split()
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
    text = text.lower() if text.isascii() else text  # so that fewer pieces are different
    return list(chain.from_iterable(map(_TERMS_OF_PIECE.__getitem__, text.split(" "))))


def unicode_words(text: str) -> list[str]:
    """The words of a text by Unicode's rules (UAX #29), as Lucene's `StandardTokenizer` finds them.

    A dot or apostrophe between letters stays, and so does a separator between digits. A Han or Hiragana character
    is a word by itself, an emoji too. A word of more than 255 characters is cut into pieces of that length.

    >>> unicode_words("can't stop at U.S. prices: 1,200.50 (x_1) 東京 ©")
    ["can't", 'stop', 'at', 'U.S', 'prices', '1,200.50', 'x_1', '東', '京', '©']
    """
    if text.isascii():  # the same rules in an expression that is six times as fast
        words = [word for word in _ASCII_WORD.findall(text) if word.strip("_")]
    else:
        words = _WORD.findall(text)
    return [piece for word in words for piece in _at_most_255(word)]


def stem(term: str) -> str:
    """Porter's stem of a lower-case word, in the variant that Lucene ships.

    The Snowball project's C code does the work. Porter's own program, which Lucene follows, departs from it in four places:
    words of one or two letters stay, "logi" becomes "log", "bli" becomes "ble", and before -ed and -ing every doubled
    consonant but l, s and z loses one (in "trekked" too; a doubled y is left as Snowball has it).

    Source: Porter, An algorithm for suffix stripping, 1980; the departures are named on his page about the algorithm.

    >>> [stem(word) for word in ("retrieval", "retrieved", "retrieving", "immunology", "possibly", "is")]
    ['retriev', 'retriev', 'retriev', 'immunolog', 'possibl', 'is']
    """
    return _remembered_stem(term) if len(term) <= 64 else _stem(term)


def _stem(term: str) -> str:
    if len(term) <= 2:
        return term
    if term[-1] not in "iysdg":  # none of the departures ends in another letter
        return _PORTER.stemWord(term)
    if (doubled := _DOUBLED.fullmatch(term)) and _VOWEL.search(doubled[1]):
        return _stem(doubled[1])
    stemmed = _PORTER.stemWord(term)
    if not _LOGI_OR_BLI.search(term):
        return stemmed
    if stemmed.endswith("logi") and _VOWEL_CONSONANT.search(stemmed[:-4]):
        return stemmed[:-1]
    if stemmed.endswith("bli") and _VOWEL_CONSONANT.search(stemmed[:-3]):
        return _PORTER.stemWord(stemmed[:-1] + "e")
    return stemmed


_remembered_stem = lru_cache(maxsize=1 << 18)(_stem)
_PORTER = Stemmer.Stemmer("porter", 0)  # 0: without its own cache, which is slower than the stemmer
_DOUBLED = re.compile(r"(.*([^aeiouybdfgmnprtlsz]))\2(?:ed|ing)s?")
"""The doubled consonants that Snowball leaves alone."""
_LOGI_OR_BLI = re.compile("(?:log|(?<!a)bl)[iy](?:es|ed|ing)?s?$")
"""What ends in "logi" or "bli" once the endings of inflection are off; "abli" is in the published algorithm."""
_VOWEL = re.compile("[aeiou]|[^aeiou]y")
_VOWEL_CONSONANT = re.compile("[aeiou][^aeiou]|[^aeiou]y[^aeiou]")
"""Porter's condition m > 0: somewhere a consonant follows a vowel; y is a vowel behind a consonant."""


class _TermsOfPiece(dict):
    """The terms of each piece of text between two spaces. No word reaches over a space, and most pieces come often."""

    def __missing__(self, piece: str) -> tuple[str, ...]:
        simple = piece.isascii() and piece.isalnum() and len(piece) < 256  # one word, as most pieces are
        terms = tuple(
            [term for term in map(_lucene_term, [piece] if simple else unicode_words(piece)) if term]
        )
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
    if word[-2:-1] in ("'", "’", "＇") and word[-1:] in ("s", "S"):
        word = word[:-2]
    word = _lower(word)
    return "" if word in STOPWORDS else _stem(word)  # one cache is enough


def _lower(word: str) -> str:
    # Java lower-cases one character to one character; Python's "İ".lower() has two and a final Σ depends on its place.
    return word.lower() if word.isascii() else "".join(character.lower()[0] for character in word)


def _at_most_255(word: str) -> list[str]:
    return [word] if len(word) <= 255 else [word[i : i + 255] for i in range(0, len(word), 255)]


def _word_pattern() -> "regex.Pattern":
    """The word rules of UAX #29 as one expression, over the standard's own Word_Break (WB) classes."""
    extend = r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*+"  # accents and joiners belong to the character before (WB4)

    def one(*classes: str) -> str:
        return "[" + "".join(rf"\p{{WB={name}}}" for name in classes) + "]" + extend

    letter, digit, underscore = one("ALetter", "Hebrew_Letter"), one("Numeric"), one("ExtendNumLet")
    between_letters = one("MidLetter", "MidNumLet", "Single_Quote")
    between_digits = one("MidNum", "MidNumLet", "Single_Quote")
    hebrew = (
        rf"{one('Hebrew_Letter')}(?:{one('Double_Quote')}(?={one('Hebrew_Letter')})|{one('Single_Quote')})"
    )
    letters_and_digits = rf"(?:{letter}{between_letters}(?={letter})|{digit}{between_digits}(?={digit})|{hebrew}|{letter}|{digit})++"
    run = rf"(?:{letters_and_digits}|(?:{one('Katakana')})++)"
    # The look-behind lets a row of underscores be tried once, not once from each of them.
    word = rf"(?:(?<!{underscore})(?:{underscore})++)?+{run}(?:(?:{underscore})++{run})*+(?:{underscore})*+"
    emoji = (
        rf"\p{{ExtPict}}{extend}(?:(?<=\u200D)\p{{ExtPict}}{extend})*+|(?:{one('Regional_Indicator')}){{2}}"
    )
    unspaced = rf"(?:\p{{LB=Complex_Context}}{extend})++|[\p{{Script=Han}}\p{{Script=Hiragana}}]{extend}"
    return regex.compile(f"{word}|{emoji}|{unspaced}")


_WORD = _word_pattern()
_ASCII_WORD = re.compile(r"\w+(?:(?:(?<=[A-Za-z])[.':](?=[A-Za-z])|(?<=[0-9])[.',;](?=[0-9]))\w+)*", re.ASCII)

ANALYZERS = {
    "plain": plain,
    "plain_stopped": plain_stopped,
    "plain_stemmed": plain_stemmed,
    "lucene_english": lucene_english,
}
