"""Cuts documents into chunks: by a fixed number of tokens, at blank lines, or from major to minor separators.

All three give `Chunk` records, and all keep three promises: every character of the text is in some chunk, no
chunk lies wholly inside another, no character is cut in half.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import accumulate, pairwise

from tiktoken import Encoding

from helpers.base import check_ids, check_type, check_whole, progress, warn
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
    `range(0, n_tokens, chunk_size - overlap)` can end on a chunk that lies wholly inside the previous one. A
    character whose bytes two tokens share goes to the later of two neighbouring chunks, whole. `encoding` is
    `cl100k_base` where it can be had, else the bundled one (`tokens.encoding_or_stand_in`).

    Raises ValueError unless 0 <= overlap < chunk_size, and for half a character (a lone surrogate).

    >>> chunks = chunk_fixed("one two three four five", 3, 1, encoding=tokens.load_stand_in())
    >>> [chunk.text for chunk in chunks]
    ['one two three', ' three four five']
    """
    check_type("text", text, str)
    _check_sizes(chunk_size, overlap, largest_overlap=-1)
    offsets = _offsets(text, encoding or tokens.encoding_or_stand_in())
    n_tokens = len(offsets) - 1
    # A chunk starts every `chunk_size - overlap` tokens, but none where only the overlap is left.
    starts = range(0, max(n_tokens - overlap, 1), chunk_size - overlap)
    # From tokens back to characters: a chunk is a piece of the text, not the tokens decoded.
    spans = [(offsets[start], offsets[min(start + chunk_size, n_tokens)]) for start in starts]
    return _chunks(text, spans, doc_id)


def chunk_paragraphs(text: str, doc_id: str = "") -> list[Chunk]:
    r"""One chunk per paragraph: cut after every run of blank lines, which stays with the paragraph before it.

    A line of nothing but white space is blank, be it blanks of a word processor (no-break spaces).

    >>> [chunk.text for chunk in chunk_paragraphs("A title\n\nSome text.\nMore.")]
    ['A title\n\n', 'Some text.\nMore.']
    """
    cuts = [match.end() for match in re.finditer(r"\n(?:[^\S\n]*\n)+", text)]
    # Blank lines before the first and after the last word make no paragraph of their own.
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    cuts = [0, *(cut for cut in cuts if first < cut < last), len(text)]
    return _chunks(text, pairwise(cuts), doc_id)


def chunk_recursive(
    text: str,
    chunk_size: int = 512,
    overlap: int = 50,
    encoding: Encoding | None = None,
    separators: Sequence[str] = SEPARATORS,
    doc_id: str = "",
) -> list[Chunk]:
    r"""Cut at the first separator that occurs, and what is still too long at the next one; pack the pieces.

    Neighbouring pieces are packed as long as their token counts add up to `chunk_size` at most, and a chunk
    begins with whole pieces of the one before, up to `overlap` tokens of them. A separator belongs to the
    piece that it begins. Gives the chunks of langchain-text-splitters' `RecursiveCharacterTextSplitter` with
    `keep_separator=True` and `strip_whitespace=False`, its reference design. Only a character of more than
    `chunk_size` tokens, or text without any of the separators given, makes a longer chunk.

    >>> text = "A heading\n\nOne line of text\nand another line"
    >>> [chunk.text for chunk in chunk_recursive(text, 6, 0, tokens.load_stand_in())]
    ['A heading', '\n\nOne line of text', '\nand another line']
    """
    _check_sizes(chunk_size, overlap, largest_overlap=0)
    if isinstance(separators, str):
        raise ValueError(f"separators are {separators!r}, one text; give a list of texts, [{separators!r}]")
    if not separators or not all(isinstance(s, str) for s in separators):
        raise ValueError(f"separators are {separators!r}; give at least one text, the major one first")
    encoding = encoding or tokens.encoding_or_stand_in()

    def cut(span: Span, separators: Sequence[str]) -> list[Span]:
        separator, minor = _first_that_occurs(text[slice(*span)], separators)
        chunks: list[Span] = []
        small: list[tuple[Span, int]] = []
        for piece in _pieces(text, span, separator):
            n_tokens = tokens.count_tokens(text[slice(*piece)], encoding)
            # Small pieces are gathered, to be packed with their neighbours.
            if n_tokens < chunk_size:
                small.append((piece, n_tokens))
                continue
            # One that fills a chunk by itself ends the row, and is cut at the next smaller separator.
            chunks += _packed(small, chunk_size, overlap)
            chunks += cut(piece, minor) if minor else [piece]
            small = []
        return chunks + _packed(small, chunk_size, overlap)

    return _chunks(text, cut((0, len(text)), separators), doc_id)


def chunk_corpus(corpus: Corpus, chunker: Callable[[str], list[Chunk]] = chunk_fixed) -> list[Chunk]:
    """The chunks of all documents, in the corpus's order, each with its doc_id.

    `chunker` is any function from a text to its chunks; to change a setting, pass
    `functools.partial(chunk_fixed, chunk_size=256)`. A document without text has no chunk. Raises ValueError,
    with the document, for a chunker that gives anything but chunks, each with a `chunk_idx` of its own, and
    for a chunk that ends behind its text; warns where the text of a chunk is in the document at another place
    than its start and end say, as after a chunker that strips the document first.

    >>> [chunk.chunk_id for chunk in chunk_corpus({"d1": "One.\\n\\nTwo.", "d2": "Three."}, chunk_paragraphs)]
    ['d1#0', 'd1#1', 'd2#0']
    """
    check_type("corpus", corpus, Mapping, "a dict {doc_id: text}")
    check_ids(corpus, "corpus: doc_id")
    if not callable(chunker):
        given = f"chunker is a {type(chunker).__name__}"
        raise ValueError(f"{given}; needed a function from text to chunks, e.g. chunk_paragraphs")
    chunks: list[Chunk] = []
    elsewhere = ""
    for doc_id, text in progress(corpus.items(), desc="chunking", unit="document"):
        try:
            found = _checked(chunker, chunker(text), text)
        except ValueError as error:
            raise ValueError(f"document {doc_id!r}: {error}") from error
        if not elsewhere and (
            elsewhere := next((said for one in found if (said := _elsewhere(one, text))), "")
        ):
            warn(f"document {doc_id!r}: {elsewhere}; count the places in the text that the chunker is given")
        chunks += [replace(chunk, doc_id=doc_id) for chunk in found]
    return chunks


def _in_other_blanks(own: str, text: str) -> int:
    """Where a text of several words is in another one that has other blanks between them; 0 where nowhere."""
    words = own.split()
    found = re.search(r"\s+".join(map(re.escape, words)), text) if len(words) > 1 else None
    return found.start() if found else 0


def _elsewhere(chunk: Chunk, text: str) -> str:
    """Where else in a text a chunk is, in words; "" where it is in its place, in part or with more around it,
    or nowhere as it is written: what is put in front, shortened or cleaned is no other place."""
    piece = text[chunk.start : chunk.end]
    own = chunk.text.strip()
    if piece == chunk.text or not own or own.casefold() in piece.casefold():
        return ""
    has_more = len(chunk.text) > len(piece) and piece.strip() in own
    if not has_more and text.find(own) < 0 and (found := _in_other_blanks(own, text)):
        if " ".join(piece.split()) in own or own in " ".join(piece.split()):
            return ""
        return (
            f"the text of chunk {chunk.chunk_idx} begins at {found:,} and not at {chunk.start:,}, its start"
        )
    if has_more or (place := text.find(own)) < 0:
        return ""
    place -= chunk.text.index(own)
    return _begins_at(chunk, place)


def _begins_at(chunk: Chunk, place: int) -> str:
    return f"the text of chunk {chunk.chunk_idx} begins at {place:,} and not at {chunk.start:,}, its start"


def _checked(chunker: Callable[[str], list[Chunk]], given: object, text: str) -> list[Chunk]:
    """What a chunker gave for one text. Raises ValueError unless these are chunks with a number each, within
    the text."""
    name = getattr(getattr(chunker, "func", chunker), "__name__", type(chunker).__name__)
    chunks = list(given) if isinstance(given, Iterable) else [given]
    if strange := [one for one in chunks if not isinstance(one, Chunk)]:
        cure = "needed a list of Chunk, as chunk_fixed gives it: Chunk(doc_id, chunk_idx, text, start, end)"
        raise ValueError(f"{name} gave {strange[0]!r:.50}; {cure}")
    if len({chunk.chunk_idx for chunk in chunks}) < len(chunks):
        raise ValueError(f"{name} gave two chunks one chunk_idx; number them from 0")
    if beyond := next((chunk for chunk in chunks if chunk.end > len(text)), None):
        cure = "start and end count characters, not bytes"
        has = f"the text has {len(text):,} characters"
        raise ValueError(f"{name}: chunk {beyond.chunk_idx} ends at {beyond.end:,}, and {has}; {cure}")
    return chunks


def token_offsets(text: str, encoding: Encoding) -> list[int]:
    """The position in the text at which each token begins, in characters, and at last the length of the text.

    A token that begins inside a character counts from where that character begins.

    >>> token_offsets("one two", tokens.load_stand_in())
    [0, 3, 7]
    """
    return list(_offsets(text, encoding))


@lru_cache(maxsize=4096)
def _offsets(text: str, encoding: Encoding) -> array:
    """Remembered, so that documents which are cut in several sizes are encoded once."""
    pieces = list(map(_bytes_of_token(encoding), tokens.encode(text, encoding)))
    if text.isascii():  # a byte is a character
        return array("q", accumulate(map(len, pieces), initial=0))
    decoded = b"".join(pieces).decode(errors="replace")
    if decoded != text:
        differ = (i for i, (one, other) in enumerate(zip(text, decoded, strict=False)) if one != other)
        position = next(differ, 0)
        given = f"character {position} of the text ({text[position]!r})"
        if "\udc80" <= text[position] <= "\udcff":
            cure = "read its file in its own encoding, e.g. encoding='cp1252', and not with surrogateescape"
            raise ValueError(f"{given} is a byte that was no UTF-8; {cure}")
        raise ValueError(f"{given} is half a character; was a file cut in two?")
    # A token that begins inside a character begins where that character, already counted, begins.
    begun = accumulate(map(_characters_begun, pieces), initial=0)
    starts = (n - _continues(piece[0]) for n, piece in zip(begun, pieces, strict=False))
    return array("q", (*starts, len(text)))


@cache
def _bytes_of_token(encoding: Encoding) -> Callable[[int], bytes]:
    return cache(encoding.decode_single_token_bytes)


@cache
def _characters_begun(piece: bytes) -> int:
    return sum(not _continues(byte) for byte in piece)


def _continues(byte: int) -> bool:
    """Whether a byte of UTF-8 goes on with the character of the byte before it."""
    return byte & 0xC0 == 0x80


def to_corpus(chunks: Iterable[Chunk]) -> Corpus:
    """`{chunk_id: text}`, so that any retriever can search chunks as it searches documents.

    Raises ValueError where two different chunks have one id, of which only the last would be kept.

    >>> to_corpus(chunk_paragraphs("one\\n\\ntwo", "d1"))
    {'d1#0': 'one\\n\\n', 'd1#1': 'two'}
    """
    corpus: Corpus = {}
    for chunk in chunks:
        check_type("one of the chunks", chunk, Chunk, "as chunk_corpus gives them")
        if corpus.setdefault(chunk.chunk_id, chunk.text) != chunk.text:
            cure = "cut each document in one way, with its own doc_id, and number its chunks 0, 1, 2"
            raise ValueError(f"two different chunks have the id {chunk.chunk_id!r}; {cure}")
    return corpus


def _first_that_occurs(text: str, separators: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The first separator that the text has (every text has the empty one), and those after it."""
    index = next((i for i, one in enumerate(separators) if one in text), len(separators) - 1)
    return separators[index], separators[index + 1 :] if separators[index] else ()


def _pieces(text: str, span: Span, separator: str) -> list[Span]:
    """The span cut before each occurrence of the separator, or into characters where that is empty."""
    start, end = span
    if not separator:
        return [(i, i + 1) for i in range(start, end)]
    cuts, found = [start], text.find(separator, start, end)
    while found >= 0:
        cuts.append(found)
        found = text.find(separator, found + len(separator), end)
    return [(one, other) for one, other in pairwise([*cuts, end]) if one < other]


def _packed(pieces: list[tuple[Span, int]], chunk_size: int, overlap: int) -> list[Span]:
    """Neighbouring pieces as spans of `chunk_size` tokens at most, whole pieces repeated as overlap."""
    spans: list[Span] = []
    current: list[tuple[Span, int]] = []
    total = 0
    for piece, n_tokens in pieces:
        if current and total + n_tokens > chunk_size:
            # The chunk is full: it reaches from its first piece to its last.
            spans.append((current[0][0][0], current[-1][0][1]))
            # Its last pieces begin the next: as many as the overlap and the room for the new one allow.
            while current and (total > overlap or total + n_tokens > chunk_size):
                total -= current.pop(0)[1]
        current.append((piece, n_tokens))
        total += n_tokens
    return [*spans, (current[0][0][0], current[-1][0][1])] if current else spans


def _chunks(text: str, spans: Iterable[Span], doc_id: str) -> list[Chunk]:
    """Spans as numbered chunks, without those that hold nothing or lie inside a neighbour.

    Both happen only where a chunk has room for less than one character: 😀 can take three tokens.
    """
    check_ids([doc_id], "doc_id")
    if "\n" in doc_id:
        raise ValueError(f"doc_id is {doc_id!r:.60}, of several lines; the text comes first, then its doc_id")
    kept: list[Span] = []
    for start, end in spans:
        # Nothing in it, or nothing that the chunk before lacks.
        if start == end or (kept and end <= kept[-1][1]):
            continue
        # The chunk before lies inside this one.
        if kept and start == kept[-1][0]:
            kept.pop()
        kept.append((start, end))
    return [Chunk(doc_id, index, text[start:end], start, end) for index, (start, end) in enumerate(kept)]


def _check_sizes(chunk_size: int, overlap: int, largest_overlap: int) -> None:
    """Whole numbers, and an overlap of at most `chunk_size + largest_overlap`."""
    largest = check_whole("chunk_size", chunk_size, of="tokens") + largest_overlap
    if check_whole("overlap", overlap, least=0, of="tokens") > largest:
        raise ValueError(f"chunk_size {chunk_size}, overlap {overlap}: needed an overlap from 0 to {largest}")
