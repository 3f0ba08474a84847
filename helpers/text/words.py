"""The content words of a query and of a text: which are shared, and how a sentence names them."""

from collections.abc import Iterable

from helpers.text.analyzers import STOPWORDS, Analyzer, plain, plain_stemmed, stem

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


def shared_words(query: str, text: str, analyzer: Analyzer = plain_stemmed) -> list[str]:
    """The content words of a query that the analyzer finds in a text, as the query has them.

    >>> shared_words("which certificates to renew", "Renewing a certificate")
    ['certificates', 'renew']
    >>> shared_words("which certificates to renew", "Renewing certificates", plain)
    ['certificates']
    """
    terms_of_text = set(analyzer(text))
    terms = {word: set(analyzer(word)) for word in content_words(query).values()}
    return [word for word, made in terms.items() if made and made <= terms_of_text]


def query_word(term: str, query: str) -> str:
    """The word of the query that an analyzer made this term of; the term itself where no stem is it.

    >>> query_word("quarterli", "the quarterly report")
    'quarterly'
    """
    return next((word for word in plain(query) if term in (word, stem(word))), term)


def quoted(words: Iterable[str], text: str = "") -> str:
    """Words in quotation marks, each with its form in the text where that is another.

    >>> quoted(["disk", "pool"], "the pooled disk")
    "'disk', 'pool' as 'pooled'"
    """
    in_text, forms = set(plain(text)), content_words(text)
    named = [
        f"{word!r} as {forms[stem(word)]!r}" if word not in in_text and stem(word) in forms else repr(word)
        for word in words
    ]
    return ", ".join(named) or "no content word"
