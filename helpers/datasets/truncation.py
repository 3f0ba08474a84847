"""A part of a corpus that is too large to hold, chosen so that no judgment is lost and named so that nobody takes it for the whole.

Works on any stream of documents. Where the stream comes from is the business of `hub` and `beir`.
"""

from collections.abc import Iterable, Set
from numbers import Integral


def kept_documents(
    documents: Iterable[tuple[str, str, str]], judged: Set[str], max_docs: int | None = None
) -> tuple[dict[str, str], bool]:
    """The corpus `{doc_id: text}` in the order of the stream, and whether it is complete.

    `documents` are `(where, doc_id, text)`; `where` is the place that an error names (file and line). All are kept where
    `max_docs` is None. Else every judged document is kept, wherever it stands, and the first others up to `max_docs` in
    all; when more are judged than `max_docs`, these and no others. Never more than the judged and `max_docs` are held,
    and reading ends when no further document can be kept.

    A truncated corpus is easier to search than the whole one: scores are comparable only on the same truncated corpus.
    Raises ValueError for an id that comes twice among the documents kept, and for a `max_docs` that is no number from 1 up.

    >>> stream = [("line 1", "d1", "a"), ("line 2", "d2", "b"), ("line 3", "d3", "c"), ("line 4", "d4", "d")]
    >>> kept_documents(stream, judged={"d4"}, max_docs=2)
    ({'d1': 'a', 'd4': 'd'}, False)
    """
    _check_max_docs(max_docs)
    kept: dict[str, str] = {}
    others: list[str] = []
    complete = True
    for where, doc_id, text in documents:
        if doc_id in kept:
            raise ValueError(f"{where}: document {doc_id!r} comes a second time; ids must be unique")
        kept[doc_id] = text
        if doc_id not in judged:
            others.append(doc_id)
        if max_docs is not None and len(kept) > max_docs and others:
            del kept[others.pop()]  # the last of them, which may be this very document
            complete = False
            if len(kept) - len(others) == len(judged):
                break
    return kept, complete


def truncated_name(name: str, n_documents: int) -> str:
    """The name under which results on a truncated corpus are reported.

    >>> truncated_name("miracl-sw", 1000)
    'miracl-sw (truncated to 1,000 documents)'
    """
    return f"{name} (truncated to {n_documents:,} {'document' if n_documents == 1 else 'documents'})"


def _check_max_docs(max_docs: int | None) -> None:
    if max_docs is not None and (
        not isinstance(max_docs, Integral) or isinstance(max_docs, bool) or max_docs < 1
    ):
        raise ValueError(
            f"max_docs is {max_docs!r}; give a whole number from 1 up, or None for all documents"
        )
