"""Cuts documents into chunks, and folds hits on chunks back to documents.

Three ways to cut: by a fixed number of tokens, at blank lines, and recursively from major to minor separators. All give
`Chunk` records, and all keep three promises: every character of the text is in some chunk, no chunk lies wholly inside
another, no character is cut in half. Token encodings live in `tokens`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from numbers import Integral

from tiktoken import Encoding
from tqdm import tqdm

from helpers.records import Chunk, Corpus
from helpers.text import tokens

Span = tuple[int, int]
SEPARATORS = ("\n\n", "\n", " ", "")
"""Paragraphs, lines, words, characters: where `chunk_recursive` may cut, best first."""


def chunk_fixed(
    text: str, chunk_size: int = 512, overlap: int = 50, encoding: Encoding | None = None, doc_id: str = ""
) -> list[Chunk]:
    """Chunks of `chunk_size` tokens, each beginning with the last `overlap` tokens of the one before.

    The last chunk may be shorter. It always holds tokens that no earlier chunk has: the usual loop over
    `range(0, n_tokens, chunk_size - overlap)` can end on a chunk that lies wholly inside the previous one. A character
    whose bytes two tokens share goes to the later of two neighbouring chunks, whole. `encoding` is `cl100k_base` where
    it can be had, else the bundled one (`tokens.encoding_or_stand_in`).

    Raises ValueError unless 0 <= overlap < chunk_size, and for a text with half a character (a lone surrogate).

    >>> [chunk.text for chunk in chunk_fixed("one two three four five", 3, 1, encoding=tokens.load_stand_in())]
    ['one two three', ' three four five']
    """
    _check_sizes(chunk_size, overlap, largest_overlap=-1)
    offsets = token_offsets(text, encoding or tokens.encoding_or_stand_in())
    n_tokens = len(offsets) - 1
    starts = range(0, max(n_tokens - overlap, 1), chunk_size - overlap)
    return _chunks(
        text, [(offsets[start], offsets[min(start + chunk_size, n_tokens)]) for start in starts], doc_id
    )


def chunk_paragraphs(text: str, doc_id: str = "") -> list[Chunk]:
    r"""One chunk per paragraph: cut after every run of blank lines, which stays with the paragraph before it.

    >>> [chunk.text for chunk in chunk_paragraphs("A title\n\nSome text.\nMore.")]
    ['A title\n\n', 'Some text.\nMore.']
    """
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    cuts = [match.end() for match in re.finditer(r"\n(?:[ \t]*\r?\n)+", text)]
    cuts = [0, *(cut for cut in cuts if first < cut < last), len(text)]
    return _chunks(text, list(zip(cuts, cuts[1:], strict=False)), doc_id)


def chunk_recursive(
    text: str,
    chunk_size: int = 512,
    overlap: int = 50,
    encoding: Encoding | None = None,
    separators: Sequence[str] = SEPARATORS,
    doc_id: str = "",
) -> list[Chunk]:
    r"""Cut at the first separator that occurs; cut again, at the next one, whatever is still too long; pack the pieces.

    Neighbouring pieces are packed as long as their token counts add up to `chunk_size` at most, and a chunk begins with
    whole pieces of the one before, up to `overlap` tokens of them. A separator belongs to the piece that it begins. Gives
    the chunks of langchain-text-splitters' `RecursiveCharacterTextSplitter` with `keep_separator=True` and
    `strip_whitespace=False`, its reference design. Only a character of more than `chunk_size` tokens, or text without
    any of the separators given, makes a longer chunk.

    >>> text = "A heading\n\nOne line of text\nand another line"
    >>> [chunk.text for chunk in chunk_recursive(text, 6, 0, tokens.load_stand_in())]
    ['A heading', '\n\nOne line of text', '\nand another line']
    """
    _check_sizes(chunk_size, overlap, largest_overlap=0)
    if (
        isinstance(separators, str)
        or not separators
        or not all(isinstance(separator, str) for separator in separators)
    ):
        raise ValueError(f"separators are {separators!r}; give at least one text, the major one first")
    encoding = encoding or tokens.encoding_or_stand_in()

    def length(span: Span) -> int:
        return len(tokens.encode(text[span[0] : span[1]], encoding))

    def cut(span: Span, separators: Sequence[str]) -> list[Span]:
        separator, minor = _first_that_occurs(text[span[0] : span[1]], separators)
        chunks: list[Span] = []
        small: list[tuple[Span, int]] = []
        for piece in _pieces(text, span, separator):
            n_tokens = length(piece)
            if n_tokens < chunk_size:
                small.append((piece, n_tokens))
                continue
            chunks += _packed(small, chunk_size, overlap)
            chunks += cut(piece, minor) if minor else [piece]
            small = []
        return chunks + _packed(small, chunk_size, overlap)

    return _chunks(text, cut((0, len(text)), separators), doc_id)


def chunk_corpus(corpus: Corpus, chunker: Callable[[str], list[Chunk]] = chunk_fixed) -> list[Chunk]:
    """The chunks of all documents, in the corpus's order, each with its doc_id.

    `chunker` is any function from a text to its chunks; to change a setting, pass
    `functools.partial(chunk_fixed, chunk_size=256)`. A document without text has no chunk.

    >>> [chunk.chunk_id for chunk in chunk_corpus({"d1": "One.\\n\\nTwo.", "d2": "Three."}, chunk_paragraphs)]
    ['d1#0', 'd1#1', 'd2#0']
    """
    chunks: list[Chunk] = []
    for doc_id, text in tqdm(corpus.items(), desc="chunking", unit="document", disable=None, leave=False):
        try:
            chunks += [replace(chunk, doc_id=doc_id) for chunk in chunker(text)]
        except ValueError as error:
            raise ValueError(f"document {doc_id!r}: {error}") from error
    return chunks


def token_offsets(text: str, encoding: Encoding) -> list[int]:
    """Where each token begins in the text, in characters, and at last the length of the text.

    A token that begins inside a character counts from where that character begins.

    >>> token_offsets("one two", tokens.load_stand_in())
    [0, 3, 7]
    """
    decoded, offsets = encoding.decode_with_offsets(tokens.encode(text, encoding))
    if decoded != text:
        position = next(
            (i for i, (one, other) in enumerate(zip(text, decoded, strict=False)) if one != other), 0
        )
        raise ValueError(
            f"character {position} of the text ({text[position]!r}) is half a character; was a file cut in two?"
        )
    return [*offsets, len(text)]


def to_corpus(chunks: Iterable[Chunk]) -> Corpus:
    """`{chunk_id: text}`, so that any retriever can search chunks as it searches documents."""
    return {chunk.chunk_id: chunk.text for chunk in chunks}


def _first_that_occurs(text: str, separators: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The first separator that stands in the text (the empty one always does), and those after it."""
    for index, separator in enumerate(separators):
        if separator in text:
            return separator, separators[index + 1 :] if separator else ()
    return separators[-1], ()


def _pieces(text: str, span: Span, separator: str) -> list[Span]:
    """The span cut before each occurrence of the separator, or into characters where that is empty."""
    start, end = span
    if not separator:
        return [(i, i + 1) for i in range(start, end)]
    cuts, found = [start], text.find(separator, start, end)
    while found >= 0:
        cuts.append(found)
        found = text.find(separator, found + len(separator), end)
    cuts.append(end)
    return [(one, other) for one, other in zip(cuts, cuts[1:], strict=False) if one < other]


def _packed(pieces: list[tuple[Span, int]], chunk_size: int, overlap: int) -> list[Span]:
    """Neighbouring pieces joined into spans of at most `chunk_size` tokens, whole pieces repeated as overlap."""
    spans: list[Span] = []
    current: list[tuple[Span, int]] = []
    total = 0
    for piece, n_tokens in pieces:
        if current and total + n_tokens > chunk_size:
            spans.append((current[0][0][0], current[-1][0][1]))
            while current and (total > overlap or total + n_tokens > chunk_size):
                total -= current.pop(0)[1]
        current.append((piece, n_tokens))
        total += n_tokens
    return [*spans, (current[0][0][0], current[-1][0][1])] if current else spans


def _chunks(text: str, spans: list[Span], doc_id: str) -> list[Chunk]:
    """Spans as numbered chunks, without those that hold nothing or lie inside a neighbour.

    Both happen only where a chunk has room for less than one character: 😀 can take three tokens.
    """
    kept: list[Span] = []
    for start, end in spans:
        if start == end or (kept and end <= kept[-1][1]):
            continue
        if kept and start == kept[-1][0]:
            kept.pop()
        kept.append((start, end))
    return [Chunk(doc_id, index, text[start:end], start, end) for index, (start, end) in enumerate(kept)]


def _check_sizes(chunk_size: int, overlap: int, largest_overlap: int) -> None:
    """Whole numbers, and an overlap of at most `chunk_size + largest_overlap`."""
    for name, value in (("chunk_size", chunk_size), ("overlap", overlap)):
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise ValueError(f"{name} is {value!r}; it is a whole number of tokens")
    if chunk_size < 1 or not 0 <= overlap <= chunk_size + largest_overlap:
        raise ValueError(
            f"chunk_size {chunk_size}, overlap {overlap}: needed a size of 1 or more and an overlap from 0 to "
            f"{max(0, chunk_size + largest_overlap)}"
        )
