"""Documents that say nearly the same, found by MinHash: copies in two formats, editions, pages on every host.

Source: Broder, On the resemblance and containment of documents, 1997.
"""

import re
import zlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real

import numpy as np

from helpers.base import check_mapping, check_type, progress

SIMILAR = 0.7
"""From which share of common word sequences on two documents are near duplicates."""

_WORDS = 5
"""In a sequence: single words are shared by all pages of one topic."""
_BANDS, _ROWS = 32, 4
"""Of two documents with a share of 0.7 one of 32 bands of 4 minima is equal in all but 2 of 10,000 cases."""
_BLOCK = 1 << 14
_ADDRESS = re.compile(r"\]\([^)\s]*\)|\bhttps?://\S+")
"""Where a link leads: a copy as HTML does not say it."""
_LONG, _LONGEST, _HELD = 10, 5, 5
"""A document that holds others is more than ten times as long as most; the five longest are looked at; it
holds five or more."""


@dataclass(frozen=True)
class NearDuplicates:
    """A group: the document that stands for it, and of each other the share that it has in common with it."""

    first: str
    others: dict[str, float]


def near_duplicates(texts: Mapping[str, str], least: float = SIMILAR) -> list[NearDuplicates]:
    """Groups of documents of which each shares at least `least` of its word sequences with the first.

    The share is the Jaccard index of the sets of five successive words, counted exactly; MinHash only says
    which pairs are worth counting. The first of a group is the first in the order of `texts`. A document
    without a word is in no group.

    >>> pages = {"a.md": "Turn the key and open the door.", "a.html": "Turn the key, and open the door!"}
    >>> near_duplicates(pages | {"b.md": "Soup is served at noon in the hall."})
    [NearDuplicates(first='a.md', others={'a.html': 1.0})]
    """
    check_mapping("texts", texts, "{doc_id: text}")
    for doc_id, text in texts.items():
        check_type(f"texts[{doc_id!r}]", text, str, "{doc_id: text}, as corpus.corpus has them")
    if isinstance(least, bool) or not isinstance(least, Real) or not 0 < least <= 1:
        raise ValueError(f"least is {least!r:.40}; needed a share above 0, at most 1")
    return near_in(word_sequences(texts), least)


def word_sequences(texts: Mapping[str, str]) -> dict[str, np.ndarray]:
    """Of each document that has a word the different sequences of five, as numbers that rise (uint64)."""
    sequences = {doc_id: _sequences(text) for doc_id, text in texts.items()}
    return {doc_id: found for doc_id, found in sequences.items() if len(found)}


def holders(sequences: Mapping[str, np.ndarray]) -> dict[str, int]:
    """The documents that hold the text of five others or more, and of how many: a book as one page does.

    Such a document has more than ten times as many sequences as the median, and of each that it holds, which
    is not half as long, more than half the sequences. Only the five longest documents are looked at.

    >>> pages = {f"{n}.md": " ".join(f"{word}{n}" for word in "turn the key and open it".split())
    ...          for n in range(30)}
    >>> holders(word_sequences(pages | {"print.html": " ".join(pages.values())}))
    {'print.html': 30}
    """
    lengths = {doc_id: len(found) for doc_id, found in sequences.items()}
    if not lengths:
        return {}
    most = _LONG * float(np.median(list(lengths.values())))
    longest = sorted((doc_id for doc_id in lengths if lengths[doc_id] > most), key=lambda one: -lengths[one])
    found = {doc_id: _n_held(sequences[doc_id], sequences) for doc_id in longest[:_LONGEST]}
    return {doc_id: n for doc_id, n in found.items() if n >= _HELD}


def _n_held(whole: np.ndarray, sequences: Mapping[str, np.ndarray]) -> int:
    """Of how many documents that are not half as long most sequences stand in `whole`."""
    shorter = (part for part in sequences.values() if 2 * len(part) < len(whole))
    return sum(2 * int(np.sum(_stand_in(whole, part))) > len(part) for part in shorter)


def _stand_in(whole: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Whether each number of `part` is in `whole`; both rise."""
    places = np.searchsorted(whole, part)
    return whole[np.minimum(places, len(whole) - 1)] == part


def near_in(sequences: Mapping[str, np.ndarray], least: float = SIMILAR) -> list[NearDuplicates]:
    """The groups of `near_duplicates`, from the `word_sequences` of the documents."""
    buckets: dict[tuple[int, bytes], list[str]] = defaultdict(list)
    shown = progress(sequences.items(), desc="near duplicates", unit="document")
    for doc_id, found in shown:
        for band, minima in enumerate(_minima(found).reshape(_BANDS, _ROWS)):
            buckets[band, minima.tobytes()].append(doc_id)
    groups: dict[str, dict[str, float]] = {}
    taken: set[str] = set()
    candidates = _candidates(buckets)
    for first in sequences:
        if first in taken:
            continue
        near = {
            other: share
            for other in candidates.get(first, ())
            if other not in taken and (share := _share(sequences[first], sequences[other])) >= least
        }
        if near:
            groups[first] = near
            taken.update(near)
    return [NearDuplicates(first, others) for first, others in groups.items()]


def _candidates(buckets: Mapping[object, list[str]]) -> dict[str, dict[str, None]]:
    """For each document those after it that share a band with it, each once, in their order."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for doc_ids in buckets.values():
        # A thousand equal pages have one bucket: all are asked of the first, and not each of each.
        for other in doc_ids[1:]:
            found[doc_ids[0]][other] = None
        for doc_id, after in zip(doc_ids[1:], doc_ids[2:], strict=False):
            found[doc_id][after] = None
    return found


def _sequences(text: str) -> np.ndarray:
    """A number for each sequence of five words, each once; of a shorter text one for all its words."""
    words = re.findall(r"\w+", _ADDRESS.sub(" ", text.casefold()))
    numbers = np.array([zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words], dtype=np.uint64)
    if not len(numbers):
        return numbers
    length = min(_WORDS, len(numbers))
    mixed = np.zeros(len(numbers) - length + 1, dtype=np.uint64)
    for place in range(length):  # wraps around at 2^64, as it should
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + numbers[place : place + len(mixed)]
    mixed ^= mixed >> np.uint64(31)
    return np.unique(mixed * np.uint64(0xBF58476D1CE4E5B9))


def _minima(numbers: np.ndarray) -> np.ndarray:
    """The least of the numbers under each of 128 orders."""
    least = np.full(_BANDS * _ROWS, np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, len(numbers), _BLOCK):
        block = numbers[start : start + _BLOCK]
        least = np.minimum(least, (_FACTORS[:, None] * block + _TERMS[:, None]).min(axis=1))
    return least


_DRAWN = np.random.default_rng(0).integers(0, 2**63, size=(2, _BANDS * _ROWS), dtype=np.uint64)
_FACTORS, _TERMS = _DRAWN[0] * np.uint64(2) + np.uint64(1), _DRAWN[1]


def _share(one: np.ndarray, other: np.ndarray) -> float:
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / (len(one) + len(other) - common)
