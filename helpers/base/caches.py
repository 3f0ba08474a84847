"""What every cache of encoded texts has in common: of which texts it is, what made it, what is said when that
is no longer so."""

import hashlib
import json
import zlib
from pathlib import Path
from reprlib import repr as shortened

from helpers.base.checks import check_ids
from helpers.base.files import cache_dir


class StaleCache(ValueError):
    """A cache that is damaged, or that something else made than what is wanted; `reason` says what."""

    def __init__(self, path: str | Path, reason: str):
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        cure = "encode the corpus again and save it there, or delete the folder"
        return f"cache {cache_shown(self.path)}: {self.reason}; {cure}"


def corpus_fingerprint(corpus: dict[str, str]) -> str:
    """SHA-256 of the ids and texts in their order, 64 hexadecimal digits; no two corpora have the same one.

    The length of each id and text is hashed before it, so that no two corpora run together into the same
    bytes. Raises ValueError for an id or a text that is not text.

    >>> corpus_fingerprint({"d1": "a cat"}) == corpus_fingerprint({"d1a": " cat"})
    False
    """
    if not isinstance(corpus, dict):
        raise ValueError(f"corpus is a {type(corpus).__name__}; needed a dict {{doc_id: text}}")
    check_ids(corpus, "corpus: doc_id")
    digest = hashlib.sha256()
    for doc_id, text in corpus.items():
        if not isinstance(text, str):
            raise ValueError(f"corpus, document {doc_id!r}: needed its text, found {text!r:.80}")
        id_bytes, text_bytes = utf8(doc_id), utf8(text)
        digest.update(b"%d %d " % (len(id_bytes), len(text_bytes)) + id_bytes + text_bytes)
    return digest.hexdigest()


def as_json(made_by: dict) -> dict:
    """`made_by` as it reads when it comes back from disk: tuples are lists, keys are text."""
    try:
        if not isinstance(made_by, dict):
            raise TypeError(f"it is a {type(made_by).__name__}")
        return json.loads(json.dumps(made_by, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"made_by must be a dict of text, finite numbers, lists and dicts: {error}"
        ) from None


def made_by_difference(stored: dict, wanted: dict) -> str:
    """In which fields what made a cache differs from what is wanted.

    >>> made_by_difference({"model": "toy", "k1": 0.9}, {"model": "toy", "k1": 1.2})
    "made_by['k1'] is 0.9, wanted 1.2"
    """

    def said(made_by: dict, field: str) -> str:
        return shortened(made_by[field]) if field in made_by else "not there"

    # As pairs with whether they are there: a field that is None differs from one that is missing.
    fields = [f for f in {**stored, **wanted} if (f in stored, stored.get(f)) != (f in wanted, wanted.get(f))]
    return "; ".join(f"made_by[{f!r}] is {said(stored, f)}, wanted {said(wanted, f)}" for f in fields)


def utf8(text: str) -> bytes:
    """Half a character, which JSON can bring in, is neither refused nor lost."""
    return text.encode("utf-8", "surrogatepass")


def size_and_checksum(path: Path) -> dict[str, int]:
    """The bytes of a file and their CRC-32: against damage, not against malice."""
    size = checksum = 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            size, checksum = size + len(block), zlib.crc32(block, checksum)
    return {"bytes": size, "crc32": checksum}


def json_checksum(manifest: dict) -> int:
    """The CRC-32 of a manifest, which stands in it beside the rest."""
    return zlib.crc32(json.dumps(manifest).encode())


def cache_shown(path: str | Path) -> str:
    """The path inside the cache folder, else as given, so that it reads the same on every computer."""
    try:
        return Path(path).relative_to(cache_dir()).as_posix()
    except ValueError:
        return str(path)
