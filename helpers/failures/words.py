"""The words of a query and of a text, as a system reads them: which are shared, and how to name them in a sentence.

Function words are not counted; which words are the same is for the system's analyzer to say. What follows from it is in `causes`.
"""

from collections.abc import Iterable, Sequence

from helpers.collection.quality import FUNCTION_WORDS
from helpers.text import plain, plain_stemmed, stem
from helpers.vectors import Analyzer


def content_words(text: str) -> dict[str, str]:
    """`{stem: word}` of the content words, each as it first stands there (`quality.content_terms` are the keys).

    >>> content_words("Outages, an outage: how long?")
    {'outag': 'outages', 'long': 'long'}
    """
    words: dict[str, str] = {}
    for word in plain(text):
        if word not in FUNCTION_WORDS:
            words.setdefault(stem(word), word)
    return words


def shared_words(query: str, text: str, analyzer: Analyzer = plain_stemmed) -> list[str]:
    """The content words of a query that the analyzer finds in a text, as the query has them.

    >>> shared_words("which certificates to renew", "Renewing a certificate")
    ['certificates', 'renew']
    >>> shared_words("which certificates to renew", "Renewing certificates", plain)
    ['certificates']
    """
    there = set(analyzer(text))
    terms = {word: set(analyzer(word)) for word in content_words(query).values()}
    return [word for word, made in terms.items() if made and made <= there]


def as_there(shared: Sequence[str], text: str) -> str:
    """Words of a query, each with its form in the text where that is another: `'pool' as 'pooled'`."""
    there = content_words(text)
    same = {word for word in shared if word in plain(text) or stem(word) not in there}
    return ", ".join(repr(w) if w in same else f"{w!r} as {there[stem(w)]!r}" for w in shared) or "no content word"


def word_of(term: str, query: str) -> str:
    """The word of the query that an analyzer made this term of; the term itself where no stem is it.

    >>> word_of("quarterli", "the quarterly report")
    'quarterly'
    """
    return next((word for word in plain(query) if term in (word, stem(word))), term)


def listed(words: Iterable[str]) -> str:
    """Words in quotation marks, for a sentence.

    >>> listed(["disk", "full"])
    "'disk', 'full'"
    """
    return ", ".join(map(repr, words)) or "no content word"
