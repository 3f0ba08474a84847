"""What is told of a dataset's texts: signs that something was done to them on the way, that no file shows."""

import re
from collections.abc import Callable
from itertools import islice

from helpers.base import counted, is_html_escaped, is_json_text, is_mojibake, warn
from helpers.records import Corpus, Dataset

_GONE_THROUGH, _LOOKED_AT = 10_000, 100
"""Among so many documents so many that may have a sign show whether most have it."""
_SEVERAL = 2
_SOFT = re.compile(r"\w\u00ad\w")
_BREAK = re.compile(r"-\r?\n")
_BROKEN = re.compile(r"([^\W\d_]+)-\r?\n([^\W\d_]+)")
_UNFOUND = "no query will find such words"


def warn_of_texts(dataset: Dataset) -> None:
    """Warns of documents and queries that are not what a reader sees or asks, each kind in one line."""
    for may, has, least, which, hold, cure in _SIGNS:
        seen, some = _first(dataset.corpus, may)
        found = [doc_id for doc_id in some if has(dataset.corpus[doc_id])]
        if 2 * len(found) > len(some) and len(found) >= least * seen:
            said = f"{len(found)} of the first {counted(len(some), 'document')} with {which} hold"
            warn(f"{said} {hold}, e.g. {found[0]!r}: {cure}")
    _warn_of_broken_words(dataset)
    _warn_of_queries(dataset)


def _first(corpus: Corpus, may: Callable[[str], bool]) -> tuple[int, list[str]]:
    """The first documents that may have a sign, and how many were gone through for them."""
    rows = enumerate(islice(corpus.items(), _GONE_THROUGH), start=1)
    some = list(islice(((seen, doc_id) for seen, (doc_id, text) in rows if may(text)), _LOOKED_AT))
    seen = some[-1][0] if len(some) == _LOOKED_AT else min(len(corpus), _GONE_THROUGH)
    return seen, [doc_id for _, doc_id in some]


_SIGNS = (
    (
        lambda text: not text.isascii(),
        lambda text: any(map(is_mojibake, set(text.split()))),
        0,
        "letters beyond ASCII",
        "accents that were read in a wrong encoding (TÃ¼r for Tür)",
        f"{_UNFOUND}; write the file anew from its source, as UTF-8",
    ),
    (
        lambda text: "&" in text,
        is_html_escaped,
        0.01,
        "an &",
        "letters as HTML escapes them (&amp; for &, caf&eacute; for café)",
        f"{_UNFOUND}; take it back: html.unescape(text)",
    ),
    (
        lambda text: "\\" in text,
        is_json_text,
        0.1,
        "a \\",
        r"ends of lines and letters as JSON escapes them (\n, \u00e9)",
        f"{_UNFOUND}; the text was escaped twice, so write each record with one json.dumps",
    ),
    (
        lambda text: "\u00ad" in text,
        lambda text: bool(_SOFT.search(text)),
        0.01,
        "soft hyphens, which nobody sees,",
        "them within words",
        r'a search by words will not find these; take them out: text.replace("\u00ad", "")',
    ),
)
"""Of each sign: which documents may have it, which have it, the least share of all that were gone through,
what is said of the former and of the latter, and the cure."""


def _warn_of_broken_words(dataset: Dataset) -> None:
    """Warns of words that are broken at the ends of lines: most of their parts make a word that stands whole
    elsewhere, as those of `long-` and `term` do not."""
    texts = {doc_id: text[:20_000] for doc_id, text in islice(dataset.corpus.items(), _LOOKED_AT)}
    breaks = {doc_id: _BROKEN.findall(text) for doc_id, text in texts.items() if _BREAK.search(text)}
    breaks = {doc_id: found for doc_id, found in breaks.items() if found}
    if len(breaks) < max(_SEVERAL, 0.1 * len(texts)):
        return
    known = {word for text in (*texts.values(), *dataset.queries.values()) for word in _words(text)}
    words = [(one + other).lower() in known for found in breaks.values() for one, other in found]
    if 2 * sum(words) > len(words):
        doc_id, [(one, other), *_] = next(iter(breaks.items()))
        said = f"{len(breaks)} of the first {counted(len(texts), 'document')} hold words that are broken at"
        cure = r'join them: re.sub(r"(\w)-\n(\w)", r"\1\2", text)'
        warn(f"{said} the end of a line, e.g. {f'{one}-{other}'!r} in {doc_id!r}: {_UNFOUND}; {cure}")


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


def _warn_of_queries(dataset: Dataset) -> None:
    """Warns of queries whose text is their id, and of those that are documents, to be found by themselves."""
    some = list(islice(dataset.queries, _LOOKED_AT))
    if len(some) < _SEVERAL:
        return
    if all(_is_numbered(query_id, dataset) for query_id in some):
        warn(f"the text of each query is its id, e.g. {some[0]!r}; give the text that was searched for")
    themselves = [query_id for query_id in some if _finds_itself(query_id, dataset)]
    if 2 * len(themselves) > len(some):
        said = f"{len(themselves)} of the first {counted(len(some), 'query')} are documents, by id and text"
        cure = "were the documents written to the file of queries?"
        warn(f"{said}, and nothing is relevant to them but themselves, e.g. {themselves[0]!r}; {cure}")


def _is_numbered(query_id: str, dataset: Dataset) -> bool:
    """Whether a query's text is its id, with a number in it, and in no document that is judged for it."""
    if dataset.queries[query_id].strip() != query_id or not any(map(str.isdigit, query_id)):
        return False
    texts = (dataset.corpus.get(doc_id, "") for doc_id in dataset.qrels[query_id])
    return not any(query_id.casefold() in text.casefold() for text in texts)


def _finds_itself(query_id: str, dataset: Dataset) -> bool:
    relevant = [doc_id for doc_id, grade in dataset.qrels[query_id].items() if grade > 0]
    text = dataset.corpus.get(query_id, "")
    return relevant == [query_id] and text.endswith(dataset.queries[query_id].strip())
