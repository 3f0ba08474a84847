r"""Analyzers: from a text to the list of terms that is counted, the same for documents and for queries.

An analyzer is any function `str -> list[str]`. Four are here, each one step on from the one before:
`plain`, `plain_stopped`, `plain_stemmed`, `lucene_english`. Counting and weighting terms is not done here.
"""

import re
from functools import cache, lru_cache

import regex

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
    return [term for term in map(_lucene_term, unicode_words(text)) if term]


def unicode_words(text: str) -> list[str]:
    """The words of a text by Unicode's rules (UAX #29), as Lucene's `StandardTokenizer` finds them.

    A dot or apostrophe between letters stays, and so does a separator between digits. A Han or Hiragana character
    is a word by itself, an emoji too. A word of more than 255 characters is cut into pieces of that length.

    >>> unicode_words("can't stop at U.S. prices: 1,200.50 (x_1) 東京 ©")
    ["can't", 'stop', 'at', 'U.S', 'prices', '1,200.50', 'x_1', '東', '京', '©']
    """
    return [piece for word in _WORD.findall(text) for piece in _pieces(word)]


@lru_cache(maxsize=1 << 18)
def stem(term: str) -> str:
    """Porter's stem of a lower-case word, in the variant that Lucene ships (Porter's own later additions included).

    Source: Porter, An algorithm for suffix stripping, 1980.

    >>> [stem(word) for word in ("retrieval", "retrieved", "retrieving", "immunology")]
    ['retriev', 'retriev', 'retriev', 'immunolog']
    """
    return _stemmer().stem(term, to_lowercase=False)


@cache
def _stemmer():
    from nltk.stem.porter import PorterStemmer  # here, not above: importing nltk takes a second

    return PorterStemmer(mode=PorterStemmer.MARTIN_EXTENSIONS)


@lru_cache(maxsize=1 << 18)
def _lucene_term(word: str) -> str:
    """One word through Lucene's filters; '' where a filter drops it."""
    if word[-2:-1] in ("'", "’", "＇") and word[-1:] in ("s", "S"):
        word = word[:-2]
    word = _lower(word)
    return "" if word in STOPWORDS else stem(word)


def _lower(word: str) -> str:
    # Java lower-cases one character to one character; Python's "İ".lower() has two and a final Σ depends on its place.
    return word.lower() if word.isascii() else "".join(character.lower()[0] for character in word)


def _pieces(word: str) -> list[str]:
    return [word] if len(word) <= 255 else [word[i : i + 255] for i in range(0, len(word), 255)]


def _word_pattern() -> "regex.Pattern":
    """The word rules of UAX #29 as one expression, over the standard's own Word_Break (WB) classes."""
    extend = r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*+"  # accents and joiners belong to the character before (WB4)

    def one(*classes: str) -> str:
        return "[" + "".join(rf"\p{{WB={name}}}" for name in classes) + "]" + extend

    letter, digit, underscore = one("ALetter", "Hebrew_Letter"), one("Numeric"), one("ExtendNumLet")
    between_letters = one("MidLetter", "MidNumLet", "Single_Quote")
    between_digits = one("MidNum", "MidNumLet", "Single_Quote")
    hebrew = rf"{one('Hebrew_Letter')}(?:{one('Double_Quote')}(?={one('Hebrew_Letter')})|{one('Single_Quote')})"
    letters_and_digits = (
        rf"(?:{letter}{between_letters}(?={letter})|{digit}{between_digits}(?={digit})|{hebrew}|{letter}|{digit})++"
    )
    run = rf"(?:{letters_and_digits}|(?:{one('Katakana')})++)"
    # The look-behind lets a row of underscores be tried once, not once from each of them.
    word = rf"(?:(?<!{underscore})(?:{underscore})++)?+{run}(?:(?:{underscore})++{run})*+(?:{underscore})*+"
    emoji = rf"\p{{ExtPict}}{extend}(?:(?<=\u200D)\p{{ExtPict}}{extend})*+|(?:{one('Regional_Indicator')}){{2}}"
    unspaced = rf"(?:\p{{LB=Complex_Context}}{extend})++|[\p{{Script=Han}}\p{{Script=Hiragana}}]{extend}"
    return regex.compile(f"{word}|{emoji}|{unspaced}")


_WORD = _word_pattern()

ANALYZERS = {
    "plain": plain,
    "plain_stopped": plain_stopped,
    "plain_stemmed": plain_stemmed,
    "lucene_english": lucene_english,
}
