"""The content words of a text, and which of a query's a text shares."""

from helpers.text.analyzers import STOPWORDS, plain, stem

FUNCTION_WORDS = STOPWORDS | frozenset(
    "about after again ago all also am any anyone because been before being can cannot could did do does "
    "doing done down each from get gets got had has have having he her here him his how i its just me more "
    "most my nobody now off on one our out over own same she should since so some still than them too under "
    "until up us was we were what when where which while who whom why would you your s t don doesn isn won "
    "re ve ll d m above across against along although among another anybody anyone anything around behind "
    "below beside besides beyond both during either else ever every everybody everyone everything except "
    "herself himself itself may might mine must myself neither nothing nor ones onto ought ours ourselves "
    "per shall somebody someone something theirs them themselves though through throughout toward towards "
    "unless upon via whether whose within without yet yours yourself yourselves".split()
)
"""Words that carry grammar rather than content, in questions above all; English."""


def content_words(text: str) -> dict[str, str]:
    """`{stem: word}` of the content words of a text, each in the form in which the text has it first.

    >>> content_words("Outages, an outage: how long?")
    {'outag': 'outages', 'long': 'long'}
    """
    words: dict[str, str] = {}
    for word in plain(text):
        if word not in FUNCTION_WORDS:
            words.setdefault(stem(word), word)
    return words


def content_terms(text: str) -> set[str]:
    """The stems of the content words of a text.

    >>> sorted(content_terms("How do we recover from the crashes?"))
    ['crash', 'recov']
    """
    return set(content_words(text))


def word_overlap(query: str, text: str) -> float:
    """The share of a query's content words, stemmed, that occur in a text; 0 for a query without any.

    >>> word_overlap("recover from crashes", "The crash recovery page")
    0.5
    """
    terms = content_terms(query)
    return len(terms & content_terms(text)) / len(terms) if terms else 0.0
