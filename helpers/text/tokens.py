"""Token encodings: OpenAI's `cl100k_base` where it can be had, else the one bundled with the course."""

import base64
import hashlib
import os
import sys
import tempfile
from functools import cache, lru_cache
from pathlib import Path

import tiktoken

from helpers.base import check_type, fetch, files

CL100K = "cl100k_base"
STAND_IN_ENCODING = "wrenfield_4k"
STAND_IN_PATTERN = r" ?\p{L}+| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s"
"""The stand-in cuts so before it merges bytes: words with the space before, digits by three, the rest."""

_URL = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
CL100K_FILE = hashlib.sha1(_URL.encode()).hexdigest()
"""The name under which tiktoken's own cache looks for the rank file."""

STAND_IN_RANKS = Path(__file__).parent / "data" / f"{STAND_IN_ENCODING}.tiktoken"


@cache
def encoding_or_stand_in() -> tiktoken.Encoding:
    """`cl100k_base`, or where it cannot be had the bundled encoding, with one line on stderr that says so."""
    try:
        return load_cl100k()
    except fetch.Unavailable as reason:
        stand_in = f"the bundled encoding {STAND_IN_ENCODING!r}"
        print(
            f"{CL100K} cannot be had here ({reason}). Every token below is of {stand_in} instead.",
            file=sys.stderr,
        )
        return load_stand_in()


@cache
def load_cl100k() -> tiktoken.Encoding:
    """OpenAI's `cl100k_base`, found on this computer or downloaded once (1.7 MB, its SHA-256 verified).

    Raises `fetch.Unavailable`, with both ways to it named, where neither is possible.
    """
    from unittest.mock import patch  # here: rarely needed, and slow to import

    folder = obtain_cl100k()[0].parent
    # tiktoken reads its cache, and downloads what is missing without a time-out; here nothing is missing.
    with patch.dict(os.environ, {"TIKTOKEN_CACHE_DIR": str(folder)}):
        return tiktoken.get_encoding(CL100K)


@cache
def load_stand_in() -> tiktoken.Encoding:
    """The bundled encoding: 4,096 byte-pair tokens learnt from the course's own texts
    (`evals/train_encoding.py`).

    >>> encoding = load_stand_in()
    >>> encoding.name, encoding.decode(encoding.encode("checkout-api"))
    ('wrenfield_4k', 'checkout-api')
    """
    lines = [line.split() for line in STAND_IN_RANKS.read_text(encoding="ascii").splitlines()]
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    pattern, specials = STAND_IN_PATTERN, {}
    return tiktoken.Encoding(
        STAND_IN_ENCODING, pat_str=pattern, mergeable_ranks=ranks, special_tokens=specials
    )


def obtain_cl100k() -> tuple[Path, str]:
    """The rank file of `cl100k_base` and, in words, where it was. Raises as `load_cl100k` does."""
    found = find_cl100k()
    if found:
        return found
    try:
        path = fetch.fetch_file(_URL, _SHA256, files.cache_dir() / "tiktoken" / CL100K_FILE)
        return path, "downloaded, SHA-256 verified"
    except fetch.Unavailable as reason:
        cure = f"put its rank file under the name {CL100K_FILE} into a folder"
        raise fetch.Unavailable(
            f"{reason}; come back with a network, or {cure} and set TIKTOKEN_CACHE_DIR to that"
        ) from reason


def find_cl100k() -> tuple[Path, str] | None:
    """The whole, unspoilt rank file on this computer and, in words, where that is; None where it is not."""
    searched = {
        "TIKTOKEN_CACHE_DIR": os.environ.get("TIKTOKEN_CACHE_DIR"),
        "DATA_GYM_CACHE_DIR": os.environ.get("DATA_GYM_CACHE_DIR"),
        "the project's cache": files.cache_dir() / "tiktoken",
        "tiktoken's own cache": Path(tempfile.gettempdir()) / "data-gym-cache",
    }
    for source, folder in searched.items():
        try:
            path = Path(folder or ".").expanduser() / CL100K_FILE
            if folder and path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == _SHA256:
                return path, source
        except (OSError, RuntimeError):
            continue  # somebody else's folder, or the home of nobody: as good as not there
    return None


def encode(text: str, encoding: tiktoken.Encoding) -> list[int]:
    """The tokens of a text; what looks like a special token is text. Raises ValueError where tiktoken gives
    up.

    >>> load_stand_in().decode(encode("<|endoftext|> of the file", load_stand_in()))
    '<|endoftext|> of the file'
    """
    try:
        return encoding.encode_ordinary(text)
    except (TypeError, AttributeError):
        check_type("text", text, str)
        check_type("encoding", encoding, tiktoken.Encoding, "encoding_or_stand_in() gives one")
        raise
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of its Rust core, and no Exception
            raise
        raise ValueError(
            f"{encoding.name} cannot cut this text of {len(text):,} characters into tokens; "
            "does it have a run of a million blanks or line ends? Shorten such runs first"
        ) from None


@lru_cache(maxsize=1 << 14)
def count_tokens(text: str, encoding: tiktoken.Encoding) -> int:
    """How many tokens a text has; remembered, for the same piece is often cut from a text and measured again.

    >>> count_tokens("one two three", load_stand_in())
    3
    """
    return len(encode(text, encoding))
