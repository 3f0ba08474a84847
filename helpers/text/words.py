"""The words of a query and of a text, as a system reads them: which are shared, and how to name them in a sentence.

Function words are not counted; which words are the same is for the system's analyzer to say. What follows from it is in `causes`.
"""

from collections.abc import Iterable, Sequence

from helpers.text.analyzers import STOPWORDS, Analyzer, plain, plain_stemmed, stem

FUNCTION_WORDS = STOPWORDS | frozenset(
    "about after again ago all also am any anyone because been before being can cannot could did do does doing done down each from "
    "get gets got had has have having he her here him his how i its just me more most my nobody now off on one our out over "
    "own same she should since so some still than them too under until up us was we were what when where which while who whom why "
    "would you your s t don doesn isn won re ve ll d m "
    "above across against along although among another anybody anyone anything around behind below beside besides beyond both "
    "during either else ever every everybody everyone everything except herself himself itself may might mine must myself "
    "neither nothing nor ones onto ought ours ourselves per shall somebody someone something theirs them themselves though through "
    "throughout toward towards unless upon via whether whose within without yet yours yourself yourselves".split()
)
"""Words that carry grammar rather than content, in questions above all; English."""


def content_terms(text: str) -> set[str]:
    """The stems of the content words of a text.

    >>> sorted(content_terms("How do we recover from the crashes?"))
    ['crash', 'recov']
    """
    return {stem(word) for word in plain(text) if word not in FUNCTION_WORDS}


def word_overlap(query: str, text: str) -> float:
    """The share of a query's content words, stemmed, that occur in a text; 0 for a query without any.

    >>> word_overlap("recover from crashes", "The crash recovery page")
    0.5
    """
    terms = content_terms(query)
    return len(terms & content_terms(text)) / len(terms) if terms else 0.0


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
    return (
        ", ".join(repr(w) if w in same else f"{w!r} as {there[stem(w)]!r}" for w in shared)
        or "no content word"
    )


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
