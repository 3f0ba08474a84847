"""From settings to an index: settings are completed, documents cut, indexes written and opened.

A default makes the same index whether it is spelt out or left out, so settings are completed first.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from inspect import signature
from math import isfinite, nan
from numbers import Integral, Real
from pathlib import Path
from unicodedata import normalize

from tiktoken import Encoding

from helpers import retrieval, text
from helpers.base import check_option, check_type, either
from helpers.encoders import load_encoder
from helpers.records import Corpus, Queries, Retriever, Run
from helpers.text import ANALYZERS, chunk_corpus, encoding_or_stand_in
from workbench.backends import BACKENDS, CHUNKERS, FULL_TEXT
from workbench.budget import Item

WEIGHTS = "weights"
"""In a manifest, beside the parameters: which weights a model in a folder had."""
Settings = Mapping[str, str | bool | float | None]


def backend_settings(
    backend: str, analyzer: str | None = None, parameters: Mapping[str, object] | None = None
) -> tuple[str | None, Settings]:
    """The analyzer's name (None for a backend without one) and all parameters, completed by the defaults.

    A number or a truth value may be given as text, as a command line gives it; None is as good as left out.

    Raises ValueError for a backend, analyzer, variant or parameter that there is not, and a value of the
    wrong type. Whether a number is in range is for the backend to say, when the index is built.

    >>> backend_settings("csr-bm25", parameters={"k1": "1.2"})
    ('lucene_english', {'b': 0.4, 'k1': 1.2, 'lucene_lengths': False, 'variant': 'lucene'})
    """
    check_option("backend", backend, BACKENDS)
    types, defaults = BACKENDS[backend].parameters, _defaults(_class_of(backend))
    settings = {name: defaults[name] for name in types}
    for name, value in _given(backend, parameters).items():
        settings[name] = _typed(name, value, types[name], defaults[name])
    if "variant" in settings:  # k1, b and delta are its own where nothing else was asked for
        check_option("variant", settings["variant"], retrieval.VARIANTS)
        variant = retrieval.VARIANTS[settings["variant"]]
        settings |= {name: getattr(variant, name) for name in ("k1", "b", "delta") if settings[name] is None}
    complete = {name: value for name, value in sorted(settings.items()) if value is not None}
    return _analyzer(backend, analyzer), complete


def weights_settings(parameters: Settings) -> Settings:
    """`{"weights": …}`, 16 digits of what a model in a folder of one's own computes by, which its path does
    not say; {} without such a folder. A name of the catalogue has weights that are known.

    >>> weights_settings({"model": "latent-semantic"})
    {}
    """
    model = parameters.get("model", retrieval.LATENT)
    with suppress(OSError, RuntimeError, ValueError):  # longer than a path can be; a ~user that there is not
        if model != retrieval.LATENT and Path(model).expanduser().is_dir():
            return {WEIGHTS: load_encoder(model).fingerprint[:16]}
    return {}  # the index says what is wrong with a folder that is no model


def without_weights(parameters: Settings) -> Settings:
    """The parameters of a manifest that a backend takes.

    >>> without_weights({"model": "my-model", "weights": "0123456789abcdef"})
    {'model': 'my-model'}
    """
    return {name: value for name, value in parameters.items() if name != WEIGHTS}


def chunker_settings(
    chunker: str, chunk_size: int | None = None, overlap: int | None = None, encoding: Encoding | None = None
) -> Settings:
    """How documents are cut: name, chunk_size, overlap, encoding; None where the chunker has no use for it.

    Sizes that are left out are the chunker's own (512 tokens, 50 of them shared), the encoding is the one
    that `encoding_or_stand_in` finds. Raises ValueError for a chunker that there is not, sizes that are no
    whole numbers, and sizes for a chunker that does not count tokens.

    >>> chunker_settings("paragraphs")
    {'name': 'paragraphs', 'chunk_size': None, 'overlap': None, 'encoding': None}
    """
    check_option("chunker", chunker, CHUNKERS)
    sizes = {"chunk_size": chunk_size, "overlap": overlap}
    defaults = _defaults(_cutter(chunker))
    if "chunk_size" not in defaults:
        for name, value in (sizes | {"encoding": encoding}).items():
            if value is not None:
                cure = "leave it out, or take 'fixed' or 'recursive'"
                raise ValueError(f"chunker {chunker!r} counts no tokens and takes no {name}; {cure}")
        return {"name": chunker, **sizes, "encoding": None}
    for name, value in sizes.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, Integral)):
            raise ValueError(f"{name} is {value!r}; it is a whole number of tokens")
        sizes[name] = defaults[name] if value is None else int(value)
    if sizes["chunk_size"] < 1:
        raise ValueError(f"chunk_size is {sizes['chunk_size']}; needed 1 or more tokens")
    if overlap is None and sizes["chunk_size"] < sizes["overlap"]:
        small = (
            f"chunk_size is {sizes['chunk_size']}, less than the {sizes['overlap']} tokens that chunks share"
        )
        raise ValueError(
            f"{small} by default; give a smaller overlap too (--overlap, e.g. {sizes['chunk_size'] // 10})"
        )
    if encoding is not None:
        check_type("encoding", encoding, Encoding, "as tiktoken.get_encoding gives it, or None")
    return {"name": chunker, **sizes, "encoding": (encoding or encoding_or_stand_in()).name}


def cut_items(
    corpus: Corpus, sources: Mapping[str, str], settings: Settings, encoding: Encoding | None = None
) -> list[Item]:
    r"""The items of all documents, by doc_id and then by their position in it, with score 0.

    An item that is a whole document has the document's id, a chunk its chunk_id, `doc_id#number`. A document
    without text has no item. `settings` are those of `chunker_settings`, made with the same encoding.

    Raises ValueError where no document has text, and, with the doc_id, for what the chunker refuses.

    >>> pages = {"b.md": "One.\n\nTwo.", "a.md": "Three."}
    >>> items = cut_items(pages, {"a.md": "a.md", "b.md": "b.md"}, chunker_settings("paragraphs"))
    >>> [(item.item_id, item.start, item.end) for item in items]
    [('a.md#0', 0, 6), ('b.md#0', 0, 6), ('b.md#1', 6, 10)]
    """
    documents = {doc_id: body for doc_id, body in sorted(corpus.items()) if body}
    if not documents:
        found = f"none of the {len(corpus)} documents has text" if corpus else "the corpus holds no document"
        raise ValueError(f"{found}; ingest some first")
    if settings["name"] == "none":
        return [Item(name, name, sources[name], 0.0, body, 0, len(body)) for name, body in documents.items()]
    cut = _cutter(settings["name"])
    if settings["encoding"]:
        cut = partial(cut, chunk_size=settings["chunk_size"], overlap=settings["overlap"], encoding=encoding)
    return [
        Item(chunk.chunk_id, chunk.doc_id, sources[chunk.doc_id], 0.0, chunk.text, chunk.start, chunk.end)
        for chunk in chunk_corpus(documents, cut)
    ]


def write_index(backend: str, texts: Corpus, parameters: Settings, path: Path) -> None:
    """Writes the index of these items to a file; nothing for a backend whose index is kept in memory."""
    if BACKENDS[backend].in_a_file:
        _class_of(backend)(texts, path=path, **parameters).close()


def open_index(
    backend: str, texts: Corpus, analyzer: str | None, parameters: Settings, path: Path
) -> Retriever:
    """A retriever over these items: read from its file where the backend keeps one, else built in memory.

    An accent is the same whether it is one character or two (Unicode NFC or NFD): what is built in memory is
    built of the composed texts and asked composed queries, and SQLite's default tokenizer drops accents.

    Raises ValueError for a file that is no index of these items, for settings that `backend_settings`
    refuses, and for whatever the retriever does.

    >>> index = open_index("csr-bm25", {"d1": "a cat", "d2": "a dog"}, "plain", {}, Path("unused"))
    >>> [item_id for item_id, score in index.search({"q1": "cat"}, k=10)["q1"]]
    ['d1']
    """
    weights, parameters = parameters.get(WEIGHTS), without_weights(parameters)
    backend_settings(backend, analyzer, parameters)  # a later version may know more than this one
    if weights and weights_settings(parameters).get(WEIGHTS) != weights:
        what = f"the model in {parameters['model']} is not the one that the snapshot was built with"
        raise ValueError(f"{what}: its weights or settings were replaced; build a snapshot with it")
    if not BACKENDS[backend].in_a_file:
        terms = {"analyzer": ANALYZERS[analyzer]} if analyzer else {}
        composed = {item_id: normalize("NFC", text) for item_id, text in texts.items()}
        return _Composed(_class_of(backend)(composed, **terms, **parameters, **BACKENDS[backend].always))
    retriever = _class_of(backend)(path=path)
    same_settings = all(getattr(retriever, name) == value for name, value in parameters.items())
    if same_settings and set(retriever.doc_ids) == set(texts):
        return retriever
    retriever.close()
    what = f"the index of other items, or one with another {' or '.join(parameters)}"
    raise ValueError(f"{path} is {what}; build the snapshot again")


class _Composed:
    """A retriever whose queries are composed as its texts are."""

    def __init__(self, retriever: Retriever):
        self.retriever = retriever

    def search(self, queries: Queries, k: int) -> Run:
        return self.retriever.search({q: normalize("NFC", text) for q, text in queries.items()}, k)


def _class_of(backend: str) -> type:
    return getattr(retrieval, BACKENDS[backend].retriever)


def _cutter(chunker: str) -> Callable | None:
    return CHUNKERS[chunker] and getattr(text, CHUNKERS[chunker])


def _defaults(made_by: Callable | None) -> dict[str, object]:
    """The default of each argument."""
    arguments = signature(made_by).parameters if made_by else {}
    return {name: argument.default for name, argument in arguments.items()}


def _given(backend: str, parameters: Mapping[str, object] | None) -> Mapping[str, object]:
    """The parameters that were given. Raises ValueError for those that the backend does not have."""
    if not isinstance(parameters, Mapping | None):
        raise ValueError(f"parameters are {parameters!r:.80}; give a dict of names and values")
    known = BACKENDS[backend].parameters
    if unknown := sorted(set(parameters or {}) - set(known), key=str):
        takes = f"it takes {', '.join(known) or 'none'}"
        if others := [name for name, one in BACKENDS.items() if set(unknown) <= set(one.parameters)]:
            takes += f"; did you mean --backend {either(others)}?"
        raise ValueError(f"backend {backend!r} has no parameter {', '.join(map(repr, unknown))}; {takes}")
    return {name: value for name, value in (parameters or {}).items() if value is not None}


def _typed(name: str, value: object, kind: type, default: object) -> str | bool | float:
    """A parameter in the type that it has. Raises ValueError for one of another type."""
    if kind is float:
        number = nan
        with suppress(ValueError, OverflowError):
            number = nan if isinstance(value, bool) or not isinstance(value, str | Real) else float(value)
        if not isfinite(number):
            point = ", with a point, e.g. 0.9" if isinstance(value, str) and "," in value else ""
            raise ValueError(f"{name} is {value!r}; needed a finite number{point}")
        # Of the two zeros the one without a sign: they weigh the same and must not give two ids.
        return number + 0.0
    if kind is bool:
        if str(value).lower() not in ("true", "false"):
            raise ValueError(f"{name} is {value!r}; it is true or false")
        return str(value).lower() == "true"
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError(f"{name} is {value!r}; needed text, e.g. {default!r}")
    return value


def _analyzer(backend: str, analyzer: str | None) -> str | None:
    name = BACKENDS[backend].analyzer if analyzer is None else analyzer
    if BACKENDS[backend].analyzer:
        check_option("analyzer", name, ANALYZERS)
    elif name is not None:
        its_own = backend == FULL_TEXT
        cure = "give its tokenizer as a parameter" if its_own else "it searches the characters as they stand"
        raise ValueError(f"analyzer is {name!r}, but backend {backend!r} takes none; {cure}")
    return name
