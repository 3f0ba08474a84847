"""Exercise: chunks of a fixed number of tokens."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def chunk_fixed(tokens, size, overlap):
    if overlap >= size:
        raise ValueError(f"overlap is {overlap}; it must be smaller than size, {size}")
    chunks = []
    for start in range(0, len(tokens), size - overlap):
        chunks.append(tokens[start : start + size])
        if start + size >= len(tokens):
            break
    return chunks


CHUNK_FIXED = Exercise(
    name="CHUNK_FIXED",
    task="""\
Write `chunk_fixed(tokens, size, overlap)`: the chunks of one document, cut as in section 2.

```
>>> chunk_fixed(["a", "b", "c", "d"], 3, 1)
[['a', 'b', 'c'], ['c', 'd']]
>>> chunk_fixed(["a", "b", "c"], 3, 1)
[['a', 'b', 'c']]
```

**Convention** (`helpers.text`): each chunk begins with the last `overlap` tokens of the one before. Stop as \
soon as the last token is in a chunk, so that no chunk lies wholly inside the one before; the last chunk may \
be shorter. If there are no tokens, return `[]`. `overlap >= size` raises `ValueError`, even when \
there are no tokens.""",
    reference=chunk_fixed,
    cases=(
        Case((["a", "b", "c", "d"], 2, 0), "without overlap, each token is in one chunk"),
        Case((["a", "b", "c", "d"], 3, 1), "the second chunk begins with the last token of the first"),
        Case((["a", "b", "c"], 2, 0), "the short last chunk holds a token that is nowhere else"),
        Case((["a", "b", "c"], 3, 1), "one chunk holds everything; a second one would be a copy of its tail"),
        Case(
            (["a", "b", "c", "d", "e"], 3, 1),
            "two chunks that share c hold everything; a third would be a copy of e",
        ),
        Case((["a", "b"], 4, 2), "a document no longer than the overlap is still a document"),
        Case((["a", "b", "c"], 5, 1), "a document shorter than a chunk is one chunk"),
        Case(
            (list("abacabadabac"), 5, 2),
            "each chunk begins three tokens after the one before; the fourth has the three that are left",
        ),
        Case(
            (["a", "b", "c", "d", "e", "f"], 4, 3),
            "with a large overlap several windows at the end bring nothing new",
        ),
        Case(
            (["tick", "tick", "tick", "tick", "tick"], 2, 0),
            "two tokens with the same text are still two tokens: what counts is their position",
        ),
        Case(
            ([101, 7, 8, 102, 9, 10, 11], 4, 2),
            "tokens of an encoding are numbers, and are cut in the same way",
        ),
        Case(([], 3, 1), "nothing gives nothing: an empty chunk could only be found by mistake"),
        Case(([], 2, 3), "an overlap larger than the chunk is a wrong setting, whatever the document"),
        Case(([], 3, 3), "a chunk that shares all its tokens with the one before makes no progress"),
    ),
    hints=(
        "The usual loop of section 2 is almost right. It lacks a rule for when to stop, "
        "and a check of the settings before it starts.",
        "The chunks start at 0, size - overlap, 2 * (size - overlap) and so on. A chunk from start reaches "
        "to start + size; once that is the end of the document or beyond it, no further chunk adds "
        "anything new.",
        "First: if overlap >= size, raise ValueError. Then for start in range(0, len(tokens), size - "
        "overlap), append tokens[start : start + size], and break if start + size >= len(tokens).",
    ),
)


def _windows(tokens, size, starts):
    return [tokens[start : start + size] for start in starts]


def _refuse(size, overlap):
    if overlap >= size:
        raise ValueError("overlap must be smaller than size")


@CHUNK_FIXED.mistake("the usual loop")
def usual(tokens, size, overlap):
    """That is the usual loop. It goes on while there are tokens left to start at, so it can end with chunks
    that lie inside the one before. Stop once the last token is in a chunk. It also accepts an overlap larger
    than size, and then returns nothing at all."""
    return _windows(tokens, size, range(0, len(tokens), size - overlap))


@CHUNK_FIXED.mistake("redundant tail")
def redundant_tail(tokens, size, overlap):
    """You start a new chunk while there is a token to start at. What counts is whether there is a token that
    no chunk has yet: otherwise the last chunk is a copy of a tail, and competes with its own original in the
    ranking."""
    _refuse(size, overlap)
    return usual(tokens, size, overlap)


@CHUNK_FIXED.mistake("redundant tail, unless one chunk has it all")
def redundant_tail_of_more_than_one(tokens, size, overlap):
    """You return one chunk for a short document, which is right. But in a longer one you start a new chunk
    while there is a token to start at. What counts is whether there is a token that no chunk has yet:
    otherwise the last chunk is a copy of a tail."""
    cut = chunk_fixed if len(tokens) <= size else redundant_tail
    return cut(tokens, size, overlap)


@CHUNK_FIXED.mistake("redundant tail of a full chunk")
def redundant_tail_of_a_full_chunk(tokens, size, overlap):
    """You stop at the first chunk that is short. But a full chunk can hold the last token too, and the one
    after it is then a copy of its tail, and competes with it in the ranking. Stop where start + size reaches
    the end."""
    chunks = redundant_tail(tokens, size, overlap)
    short = [position for position, chunk in enumerate(chunks) if len(chunk) < size]
    return chunks[: short[0] + 1] if short else chunks


@CHUNK_FIXED.mistake("one tail dropped")
def one_tail_dropped(tokens, size, overlap):
    """You drop the last chunk where it is a copy. With a large overlap there are several copies in a row.
    Better not to make them: stop at the first chunk that holds the last token."""
    chunks = redundant_tail(tokens, size, overlap)
    return chunks[:-1] if len(chunks) > 1 and len(chunks[-1]) <= overlap else chunks


@CHUNK_FIXED.mistake("step = size")
def step_is_size(tokens, size, overlap):
    """Each of your chunks starts where the one before ends, so nothing is shared, and a sentence cut in two
    is whole in no chunk. A step of size - overlap leaves the overlap in both."""
    _refuse(size, overlap)
    return _windows(tokens, size, range(0, len(tokens), size))


@CHUNK_FIXED.mistake("overlap on top of size")
def overlap_on_top(tokens, size, overlap):
    """You put the shared tokens in front of a chunk of full size, so chunks have size + overlap tokens. The
    size is the ceiling that a model's input sets; the overlap has to fit in."""
    _refuse(size, overlap)
    return [tokens[max(0, start - overlap) : start + size] for start in range(0, len(tokens), size)]


@CHUNK_FIXED.mistake("overlap on top of size, at the end")
def overlap_on_top_at_the_end(tokens, size, overlap):
    """You let each chunk of full size run on into the next one, so chunks have size + overlap tokens. The
    size is the ceiling that a model's input sets; the overlap has to fit in."""
    _refuse(size, overlap)
    return [tokens[start : start + size + overlap] for start in range(0, len(tokens), size)]


@CHUNK_FIXED.mistake("short last chunk lost")
def short_last_lost(tokens, size, overlap):
    """You keep full chunks only. Then the end of nearly every document cannot be found, and a document
    shorter than one chunk is not in the index at all. The last chunk may be short."""
    _refuse(size, overlap)
    return _windows(tokens, size, range(0, len(tokens) - size + 1, size - overlap))


@CHUNK_FIXED.mistake("short last chunk lost, unless one chunk has it all")
def short_last_of_more_than_one_lost(tokens, size, overlap):
    """Once a document has more than one chunk, you keep full chunks only. Then the end of nearly every
    document cannot be found. The last chunk may be short."""
    cut = chunk_fixed if len(tokens) <= size else short_last_lost
    return cut(tokens, size, overlap)


@CHUNK_FIXED.mistake("short document lost")
def short_document_lost(tokens, size, overlap):
    """You start no chunk within the last overlap tokens. That is right for a second chunk, which would be a
    copy, but the first one is always needed: a document of a few tokens disappears."""
    _refuse(size, overlap)
    return _windows(tokens, size, range(0, len(tokens) - overlap, size - overlap))


@CHUNK_FIXED.mistake("one empty chunk")
def one_empty_chunk(tokens, size, overlap):
    """You make an empty chunk of an empty document. No query can find it, but it counts as a chunk in N
    and in the mean length, and so changes the scores of all others. (Section 2's `max(…, 1)` does this;
    `helpers` then drops the piece.)"""
    return chunk_fixed(tokens, size, overlap) or [[]]


@CHUNK_FIXED.mistake("as section 2 has it")
def as_section_2_has_it(tokens, size, overlap):
    """Those are section 2's starts. For no tokens `max(…, 1)` gives one empty chunk, which `helpers` drops
    afterwards; and an overlap larger than size silently returns nothing at all. Refuse such settings
    first; then return `[]` if there are no tokens."""
    return _windows(tokens, size, range(0, max(len(tokens) - overlap, 1), size - overlap))


@CHUNK_FIXED.mistake("words compared instead of places")
def words_compared(tokens, size, overlap):
    """You leave out a chunk whose words are all in the one before. The same words can come again later in
    the text; that is new text. Only the positions say whether a chunk lies inside another."""
    chunks = []
    for chunk in redundant_tail(tokens, size, overlap):
        if not chunks or not set(chunk) <= set(chunks[-1]):
            chunks.append(chunk)
    return chunks


_NO_WAY_FORWARD = (
    "An overlap as large as the size, or larger, must be refused with a ValueError, even when there are no "
    "tokens; you let one through. With such a setting no chunk could begin after the one before: refuse it "
    "in the first line."
)


@CHUNK_FIXED.mistake("overlap >= size accepted", _NO_WAY_FORWARD)
def never_refused(tokens, size, overlap):
    return chunk_fixed(tokens, size, overlap) if tokens else usual(tokens, size, overlap)


@CHUNK_FIXED.mistake("overlap >= size accepted where there are no tokens", _NO_WAY_FORWARD)
def tokens_first(tokens, size, overlap):
    return chunk_fixed(tokens, size, overlap) if tokens else []


@CHUNK_FIXED.mistake("overlap = size accepted")
def equal_accepted(tokens, size, overlap):
    """You refuse an overlap larger than size, but not an equal one. A chunk that shares all its tokens with
    the one before would be the same chunk again, so refuse that too."""
    return [] if overlap == size else chunk_fixed(tokens, size, overlap)


@CHUNK_FIXED.mistake("last chunk moved back")
def last_chunk_moved_back(tokens, size, overlap):
    """You move the last chunk back so that it is full, and it shares more with the one before than was asked
    for. Each chunk begins with the last `overlap` tokens of the one before; the last may be shorter."""
    chunks = chunk_fixed(tokens, size, overlap)
    return chunks[:-1] + [tokens[-size:]] if chunks else []


@CHUNK_FIXED.mistake("last chunk filled up")
def last_chunk_filled_up(tokens, size, overlap):
    """You fill the last chunk up to full size. Models pad their input themselves if they need to; a chunk
    holds the document's tokens and nothing else."""
    return [chunk + [""] * (size - len(chunk)) for chunk in chunk_fixed(tokens, size, overlap)]


@CHUNK_FIXED.mistake("step of one too few")
def step_one_too_few(tokens, size, overlap):
    """Your chunks share one token more than was asked for: the step is size - overlap, not one less."""
    return chunk_fixed(tokens, size, min(overlap + 1, size - 1) if overlap < size else overlap)


@CHUNK_FIXED.mistake("step = overlap")
def step_is_overlap(tokens, size, overlap):
    """You move on by `overlap` tokens. That is how many are shared; the step is the rest of the chunk:
    size - overlap."""
    return chunk_fixed(tokens, size, size - overlap if 0 < overlap < size else overlap)


def _stepped(tokens, size, length, step):
    chunks = []
    for start in range(0, len(tokens), max(step, 1)):
        chunks.append(tokens[start : start + length])
        if start + size >= len(tokens):
            break
    return chunks


@CHUNK_FIXED.mistake("step = size + overlap")
def step_of_both(tokens, size, overlap):
    """Your step is size + overlap, which leaves out tokens between two chunks. A chunk begins size − overlap
    tokens after the one before, so that the last `overlap` tokens are repeated."""
    _refuse(size, overlap)
    return _stepped(tokens, size, size, size + overlap)


@CHUNK_FIXED.mistake("chunks of size + overlap")
def chunks_of_both(tokens, size, overlap):
    """Your chunks hold size + overlap tokens. The overlap is part of the chunk: it holds `size`."""
    _refuse(size, overlap)
    return _stepped(tokens, size, size + overlap, size - overlap)


@CHUNK_FIXED.mistake("chunks of size - overlap")
def chunks_without_overlap(tokens, size, overlap):
    """Your chunks hold size − overlap tokens, which is the step: so no two of them overlap. A chunk holds
    `size`."""
    _refuse(size, overlap)
    return _stepped(tokens, size, size - overlap, size - overlap)


@CHUNK_FIXED.mistake("step = overlap, to the end")
def step_of_overlap_to_the_end(tokens, size, overlap):
    """Your step is the overlap, and you go on until the start reaches the end. A chunk begins size − overlap
    tokens after the one before, and the first chunk to reach the last token is the last one."""
    _refuse(size, overlap)
    return _windows(tokens, size, range(0, len(tokens), max(overlap, 1)))


@CHUNK_FIXED.mistake("the end seen one token too early")
def end_one_too_early(tokens, size, overlap):
    """You stop where one token is in no chunk yet, and that token, the last of the document, is lost. A chunk
    reaches the end where start + size >= len(tokens)."""
    if overlap >= size:
        raise ValueError(f"overlap is {overlap}; it must be smaller than size, {size}")
    chunks = []
    for start in range(0, len(tokens), size - overlap):
        chunks.append(tokens[start : start + size])
        if start + size >= len(tokens) - 1:
            break
    return chunks


@CHUNK_FIXED.mistake("step of one too many")
def step_one_too_many(tokens, size, overlap):
    """Each of your chunks begins one token too late, so it shares one token less than was asked for. Without
    an overlap that token is in no chunk at all. The step is size - overlap."""
    if overlap >= size:
        raise ValueError(f"overlap is {overlap}; it must be smaller than size, {size}")
    chunks = []
    for start in range(0, len(tokens), size - overlap + 1):
        chunks.append(tokens[start : start + size])
        if start + size >= len(tokens):
            break
    return chunks


@CHUNK_FIXED.mistake("chunks of size + 1")
def chunks_of_one_more(tokens, size, overlap):
    """Your chunks have one token more than size. A slice leaves its end out: from start to start + size it
    holds `size` tokens."""
    if overlap >= size:
        raise ValueError(f"overlap is {overlap}; it must be smaller than size, {size}")
    chunks = []
    for start in range(0, len(tokens), size - overlap):
        chunks.append(tokens[start : start + size + 1])
        if start + size >= len(tokens):
            break
    return chunks


@CHUNK_FIXED.mistake("chunks of size - 1")
def chunks_of_one_less(tokens, size, overlap):
    """Your chunks have one token less than size. A slice leaves its end out: from start to start + size it
    holds `size` tokens."""
    if overlap >= size:
        raise ValueError(f"overlap is {overlap}; it must be smaller than size, {size}")
    chunks = []
    for start in range(0, len(tokens), size - overlap):
        chunks.append(tokens[start : start + size - 1])
        if start + size >= len(tokens):
            break
    return chunks


@CHUNK_FIXED.mistake("short last chunk joined to the one before")
def short_last_joined(tokens, size, overlap):
    """You join a short last chunk to the one before, which then has more than `size` tokens. The size is the
    ceiling that a model's input sets; the last chunk may be short."""
    chunks = chunk_fixed(tokens, size, overlap)
    if len(chunks) < 2 or len(chunks[-1]) == size:
        return chunks
    return [*chunks[:-2], chunks[-2] + chunks[-1][overlap:]]


@CHUNK_FIXED.mistake("chunks as texts")
def chunks_as_texts(tokens, size, overlap):
    """You join the tokens of a chunk into one text. The task asks for lists of tokens: a model's tokens are
    numbers, and have no spaces between them."""
    return [" ".join(map(str, chunk)) for chunk in chunk_fixed(tokens, size, overlap)]
