"""What a snapshot can be made with: the chunkers that cut its items, the backends that rank them, the settings of each.

Settings are completed here, so that a default makes the same index whether it is spelt out or left out. Cutting itself is
done in `chunking`, ranking in `retrieval`; what stands on disk, and under which name, is the business of `snapshot`.
"""

from collections.abc import Mapping
from functools import partial
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import Protocol

from tiktoken import Encoding

from helpers.base import check_option
from helpers.records import Corpus, Queries, Run
from helpers.retrieval import TOKENIZER, VARIANTS, CsrBM25, RankBM25, SqliteFTS5, SubstringScan
from helpers.text import (
    ANALYZERS,
    chunk_corpus,
    chunk_fixed,
    chunk_paragraphs,
    chunk_recursive,
    encoding_or_stand_in,
)
from workbench.budget import Item

IN_A_FILE = "sqlite-full-text-search"
"""The one backend whose index is kept on disk. The others are built again, in memory, whenever a snapshot is loaded."""

BACKENDS = (IN_A_FILE, "csr-bm25", "rank-bm25", "substring-scan")
CHUNKERS = ("none", "fixed", "paragraphs", "recursive")

Setting = str | bool | float
"""What a parameter of a backend can be."""

_ANALYZER_OF = {"csr-bm25": "lucene_english", "rank-bm25": "plain"}
_DEFAULTS: dict[str, dict[str, Setting | None]] = {
    IN_A_FILE: {"tokenizer": TOKENIZER},
    "csr-bm25": {"variant": "lucene", "k1": None, "b": None, "delta": None, "lucene_lengths": False},
    "rank-bm25": {},
    "substring-scan": {},
}
_BY_TOKENS = {"fixed": chunk_fixed, "recursive": chunk_recursive}
_CHUNK_SIZE, _OVERLAP = 512, 50


class Retriever(Protocol):
    """One of `retrieval`'s over items: their ids, and `{query_id: [(item_id, score), ...]}`, best first."""

    doc_ids: list[str]

    def search(self, queries: Queries, k: int) -> Run: ...


def backend_settings(
    backend: str, analyzer: str | None = None, parameters: Mapping[str, object] | None = None
) -> tuple[str | None, dict[str, Setting]]:
    """The analyzer's name (None for a backend that has none) and all parameters, those that were left out by their default.

    A number or a truth value may be given as text, as a command line gives it; None is as good as left out. csr-bm25 takes
    variant, k1, b, delta and lucene_lengths, sqlite-full-text-search its tokenizer, the others nothing. The analyzer is one
    of `text.ANALYZERS`.

    Raises ValueError for a backend, analyzer, variant or parameter that there is not, and a value of the wrong type. Whether
    a number is in range is for the backend to say, when the index is built.

    >>> backend_settings("csr-bm25", parameters={"k1": "1.2"})
    ('lucene_english', {'b': 0.4, 'k1': 1.2, 'lucene_lengths': False, 'variant': 'lucene'})
    """
    check_option("backend", backend, BACKENDS)
    given = _given(backend, parameters)
    settings = _DEFAULTS[backend] | {
        name: _value(name, value) for name, value in given.items() if value is not None
    }
    if "variant" in settings:
        check_option("variant", settings["variant"], VARIANTS)
        chosen = VARIANTS[settings["variant"]]
        defaults = {"k1": chosen.k1, "b": chosen.b, "delta": chosen.delta}
        settings |= {name: value for name, value in defaults.items() if settings[name] is None}
    complete = {name: value for name, value in sorted(settings.items()) if value is not None}
    return _analyzer(backend, analyzer), complete


def chunker_settings(
    chunker: str, chunk_size: int | None = None, overlap: int | None = None, encoding: Encoding | None = None
) -> dict[str, str | int | None]:
    """How documents are cut: the chunker's name, and chunk_size, overlap and encoding, None where it has no use for them.

    Where they are left out, chunks have 512 tokens, 50 of them shared, in the encoding that `tokens` finds. Raises ValueError
    for a chunker that there is not, sizes that are no whole numbers, and sizes for a chunker that does not count tokens.

    >>> chunker_settings("paragraphs")
    {'name': 'paragraphs', 'chunk_size': None, 'overlap': None, 'encoding': None}
    """
    check_option("chunker", chunker, CHUNKERS)
    sizes = {"chunk_size": chunk_size, "overlap": overlap}
    if chunker not in _BY_TOKENS:
        given = [name for name, value in (sizes | {"encoding": encoding}).items() if value is not None]
        if given:
            raise ValueError(
                f"chunker {chunker!r} counts no tokens and takes no {given[0]}; leave it out, or take 'fixed' or 'recursive'"
            )
        return {"name": chunker, **sizes, "encoding": None}
    for name, value in sizes.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, Integral)):
            raise ValueError(f"{name} is {value!r}; it is a whole number of tokens")
    return {
        "name": chunker,
        "chunk_size": _CHUNK_SIZE if chunk_size is None else int(chunk_size),
        "overlap": _OVERLAP if overlap is None else int(overlap),
        "encoding": (encoding or encoding_or_stand_in()).name,
    }


def cut_items(
    corpus: Corpus,
    sources: Mapping[str, str],
    settings: Mapping[str, str | int | None],
    encoding: Encoding | None = None,
) -> list[Item]:
    r"""The items of all documents, by doc_id and then by their place in it, with score 0; a document without text has none.

    An item that is a whole document has the document's id, a chunk its chunk_id, `doc_id#number`. `settings` are those of
    `chunker_settings`, made with the same encoding.

    Raises ValueError where there is no document or none with text, and, with the doc_id, for what the chunker refuses.

    >>> pages = {"b.md": "One.\n\nTwo.", "a.md": "Three."}
    >>> items = cut_items(pages, {"a.md": "a.md", "b.md": "b.md"}, chunker_settings("paragraphs"))
    >>> [(item.item_id, item.start, item.end) for item in items]
    [('a.md#0', 0, 6), ('b.md#0', 0, 6), ('b.md#1', 6, 10)]
    """
    documents = {doc_id: text for doc_id, text in sorted(corpus.items()) if text}
    if not documents:
        found = f"none of the {len(corpus)} documents has text" if corpus else "the corpus holds no document"
        raise ValueError(f"{found}; ingest some first")
    if settings["name"] == "none":
        return [
            Item(doc_id, doc_id, sources[doc_id], 0.0, text, 0, len(text))
            for doc_id, text in documents.items()
        ]
    cut = chunk_paragraphs
    if settings["name"] in _BY_TOKENS:
        sizes = {"chunk_size": settings["chunk_size"], "overlap": settings["overlap"]}
        cut = partial(_BY_TOKENS[settings["name"]], **sizes, encoding=encoding)
    return [
        Item(chunk.chunk_id, chunk.doc_id, sources[chunk.doc_id], 0.0, chunk.text, chunk.start, chunk.end)
        for chunk in chunk_corpus(documents, cut)
    ]


def write_index(backend: str, texts: Corpus, parameters: Mapping[str, Setting], path: Path) -> None:
    """Writes the index of these items to a file, for the backend that keeps one; for the others there is nothing to write."""
    if backend == IN_A_FILE:
        SqliteFTS5(texts, path=path, **parameters).close()


def open_index(
    backend: str, texts: Corpus, analyzer: str | None, parameters: Mapping[str, Setting], path: Path
) -> Retriever:
    """A retriever over these items: read from its file where the backend keeps one, else built in memory.

    Raises ValueError for a file that is no index of these items, for settings that `backend_settings` refuses, and for whatever
    the retriever does.

    >>> retriever = open_index("csr-bm25", {"d1": "a cat", "d2": "a dog"}, "plain", {"k1": 1.2, "b": 0.75}, Path("unused"))
    >>> [item_id for item_id, score in retriever.search({"q1": "cat"}, k=10)["q1"]]
    ['d1']
    """
    backend_settings(
        backend, analyzer, parameters
    )  # a later version of the course may know more than this one
    if backend == IN_A_FILE:
        return _opened(texts, parameters, path)
    if backend == "substring-scan":
        return SubstringScan(texts)
    make = {"csr-bm25": CsrBM25, "rank-bm25": RankBM25}[backend]
    return make(texts, ANALYZERS[analyzer], **parameters)


def _opened(texts: Corpus, parameters: Mapping[str, Setting], path: Path) -> SqliteFTS5:
    retriever = SqliteFTS5(path=path)
    if set(retriever.doc_ids) == set(texts) and retriever.tokenizer == parameters["tokenizer"]:
        return retriever
    retriever.close()
    raise ValueError(
        f"{path} is the index of other items, or one with another tokenizer; build the snapshot again"
    )


def _given(backend: str, parameters: Mapping[str, object] | None) -> Mapping[str, object]:
    """The parameters as they were given. Raises ValueError for those that the backend does not have."""
    if not isinstance(parameters, Mapping | None):
        raise ValueError(f"parameters are {parameters!r:.80}; give a dict of names and values")
    unknown = sorted(set(parameters or {}) - set(_DEFAULTS[backend]), key=str)
    if unknown:
        takes = f"it takes {', '.join(_DEFAULTS[backend]) or 'none'}"
        raise ValueError(f"backend {backend!r} has no parameter {', '.join(map(repr, unknown))}; {takes}")
    return parameters or {}


def _value(name: str, value: object) -> Setting:
    """A parameter in the type that it has: k1, b and delta are numbers, lucene_lengths is true or false, the rest text."""
    if name == "lucene_lengths":
        truth = {"true": True, "false": False}.get(str(value).lower())
        if truth is None:
            raise ValueError(f"lucene_lengths is {value!r}; it is true or false")
        return truth
    if name in ("k1", "b", "delta"):
        return _number(name, value)
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError(
            f"{name} is {value!r}; needed text, e.g. {TOKENIZER if name == 'tokenizer' else 'lucene'!r}"
        )
    return value


def _number(name: str, value: object) -> float:
    try:
        number = float("nan" if isinstance(value, bool) or not isinstance(value, str | Real) else value)
    except (ValueError, OverflowError):
        number = float("nan")
    if not isfinite(number):
        raise ValueError(f"{name} is {value!r}; needed a finite number")
    return (
        number + 0.0
    )  # of the two zeros the one without a sign: they weigh the same and must not give two ids


def _analyzer(backend: str, analyzer: str | None) -> str | None:
    if backend not in _ANALYZER_OF:
        if analyzer is not None:
            cure = (
                "give its tokenizer as a parameter"
                if backend == IN_A_FILE
                else "it searches the characters as they stand"
            )
            raise ValueError(f"analyzer is {analyzer!r}, but backend {backend!r} takes none; {cure}")
        return None
    name = _ANALYZER_OF[backend] if analyzer is None else analyzer
    check_option("analyzer", name, ANALYZERS)
    return name
