"""What a reader, or a language model, is given: pieces of documents, best first, as far as a budget of tokens
reaches."""

from collections.abc import Iterable, Sequence
from numbers import Integral

from tiktoken import Encoding

from helpers.base import check_mapping, check_type, check_whole, first_few, warn
from helpers.records import Chunk, Corpus
from helpers.stats import check_in_order
from helpers.text import token_offsets

Context = Sequence[tuple[str, int, int]]
"""Pieces of documents in the order in which they are read: `(doc_id, start, end)`, characters from 0."""


def fill_context(ranked: Iterable[Chunk], encoding: Encoding, budget: int) -> list[tuple[str, int, int]]:
    """`(doc_id, start, end)` of what is put into a context of `budget` tokens; the last piece may be cut.

    A title in front of a chunk's text costs tokens, and is not counted as text of the document.

    >>> from helpers.text import load_stand_in
    >>> ranked = [Chunk("d1", 0, "one two", 0, 7), Chunk("d2", 1, " three four five", 9, 25)]
    >>> fill_context(ranked, load_stand_in(), budget=3)
    [('d1', 0, 7), ('d2', 9, 15)]
    """
    check_whole("budget", budget, of="tokens")
    check_in_order(ranked, "ranked chunks")
    context = []
    for chunk in ranked:
        check_type("a piece of ranked", chunk, Chunk, "as chunk_fixed and Index.pieces give them")
        offsets = token_offsets(chunk.text, encoding)
        kept = min(len(offsets) - 1, budget)
        # What a text has beyond its place, such as a title in front, is read and is no text of the document.
        in_front = max(0, len(chunk.text) - (chunk.end - chunk.start))
        context.append((chunk.doc_id, chunk.start, chunk.start + max(0, offsets[kept] - in_front)))
        budget -= kept
        if budget == 0:
            break
    return context


def shown(context: Context) -> dict[str, list[tuple[int, int]]]:
    """Which characters of each document a context shows: `{doc_id: [(start, end), ...]}`, ascending.

    Pieces that overlap or touch become one. Documents come in the order of their first piece. Raises
    ValueError for a piece that is none, or that ends before it begins.

    >>> shown([("d1", 5, 9), ("d2", 0, 4), ("d1", 0, 6)])
    {'d1': [(0, 9)], 'd2': [(0, 4)]}
    """
    spans: dict[str, list[tuple[int, int]]] = {}
    for doc_id, start, end in map(_piece, context):
        spans.setdefault(doc_id, []).append((start, end))
    return {doc_id: _joined(sorted(pieces)) for doc_id, pieces in spans.items()}


def shown_of(context: Context, corpus: Corpus) -> dict[str, list[tuple[int, int]]]:
    """`shown`, of documents of a corpus. Raises ValueError for a piece of a document that it lacks, as where
    the id of a chunk stands in the place of its document's, and for a piece that begins behind its document;
    warns of one that ends there.

    >>> shown_of([("d9", 0, 3)], {"d1": "a cat"})
    Traceback (most recent call last):
    ValueError: the context has 'd9', which the corpus lacks; give the corpus that was searched
    """
    check_mapping("corpus", corpus, "{doc_id: text}")
    visible = shown(context)
    unknown = [doc_id for doc_id in visible if doc_id not in corpus]
    for doc_id, pieces in visible.items():
        if not unknown and 0 < len(corpus[doc_id]) <= pieces[-1][0]:
            has = f"{doc_id!r} has {len(corpus[doc_id]):,} characters"
            raise ValueError(f"a piece begins at {pieces[-1][0]:,}, and {has}; is it of another version?")
        if not unknown and 0 < len(corpus[doc_id]) < pieces[-1][1]:
            has = f"{doc_id!r} has {len(corpus[doc_id]):,} characters"
            cure = "is it of another version, or are its places bytes or tokens?"
            warn(f"a piece ends at {pieces[-1][1]:,}, and {has}: {cure}")
    if not unknown:
        return visible
    cure = "give the corpus that was searched"
    for one in unknown:
        document, mark, piece = one.rpartition("#")
        if mark and piece.isdigit() and document in corpus:
            cure = f"{one!r} is a piece of {document!r}: give the document's id"
            break
    lacking = first_few(map(repr, unknown), 3)
    raise ValueError(f"the context has {lacking}, which the corpus lacks; {cure}")


def redundancy(context: Context) -> float:
    """The share of a context's characters that it has shown before: 0 where no piece overlaps another.

    Only the same place of the same document counts; a copy on another page is not noticed. An empty context
    repeats nothing. Raises ValueError as `shown`.

    >>> redundancy([("d1", 0, 8), ("d1", 6, 14)])  # 2 of 16 characters
    0.125
    """
    context = list(context)  # it is read twice
    once = sum(end - start for spans in shown(context).values() for start, end in spans)
    total = sum(end - start for _, start, end in context)
    return 1 - once / total if total else 0.0


def _piece(piece: object) -> tuple[str, int, int]:
    if isinstance(piece, tuple | list) and len(piece) == 3:
        doc_id, start, end = piece
        places = all(isinstance(place, Integral) for place in (start, end))
        if isinstance(doc_id, str) and places and 0 <= start <= end:
            return doc_id, start, end
        if isinstance(start, float) and isinstance(end, float):
            raise ValueError(f"{piece!r:.80}: start and end are whole numbers of characters; use int()")
    raise ValueError(
        f"{piece!r:.80} is no piece of a document; needed (doc_id, start, end), 0 <= start <= end"
    )


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
