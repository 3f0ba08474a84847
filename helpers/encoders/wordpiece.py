"""WordPiece: a text becomes the pieces of words that a BERT model has vectors for.

The same three steps as in the model's own tokenizer: clean the text, cut it at spaces and punctuation, and
cut each word into the longest pieces of the vocabulary, from the left.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from helpers.base import check_ids, check_option, check_whole, warn
from helpers.encoders.asking import as_texts
from helpers.encoders.downloads import VOCABULARIES
from helpers.encoders.settings import as_path, of_kind, read_json, read_text, setting

LONGEST_WORD = 100
"""A word of more characters is [UNK]."""
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""What a text may hold as it is: "[MASK]" written in a text is that token, as in the models' tokenizers."""
CJK = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF),  # from 2B820 in BERT's own; `tokenizers` leaves out the first 256
    (0x2F800, 0x2FA1F),
)
"""Chinese characters, each a word by itself: the models' blocks, without kana and hangul."""
LATER = """
5C8-5C9 61D 7FD 890-891 897-89F 8CA-8E2 9FD-9FE A76 AFA-AFF B53-B55 C04 C3C C77 C84 D00 D3B-D3C D81 EBA
ECE 180F 1885-1886 1ABF-1AF0 1B4E-1B4F 1B7D-1B7F 1DF6-1DFB 2E43-2E4F 2E52-2E5D 2E60-2E63 A82C A8C5 A8FF
A9BD 10D24-10D27 10D69-10D6E 10EAB-10EAD 10ECB-10ED0 10EF0-10EFF 10F46-10F50 10F55-10F59 10F82-10F89 11070
11073-11074 110C2 110CD 111C9 111CF 1123E 11241 1133B 113BB-113C0 113CE 113D0 113D2 113D4-113D5
113D7-113D8 113E1-113E2 11438-1143F 11442-11444 11446 1144B-1144F 1145A-1145B 1145D-1145E 11660-1166C
116B9 1182F-11837 11839-1183B 1193B-1193C 1193E 11943-11946 119D4-119D7 119DA-119DB 119E0 119E2
11A01-11A0A 11A33-11A38 11A3B-11A47 11A51-11A56 11A59-11A5B 11A8A-11A96 11A98-11A9C 11A9E-11AA2
11B00-11B09 11B60 11B62-11B64 11B66 11BE1 11C30-11C36 11C38-11C3D 11C3F 11C41-11C45 11C70-11C71
11C92-11CA7 11CAA-11CB0 11CB2-11CB3 11CB5-11CB6 11D31-11D36 11D3A 11D3C-11D3D 11D3F-11D45 11D47
11D90-11D91 11D95 11D97 11DF0 11EF3-11EF4 11EF7-11EF8 11F00-11F01 11F36-11F3A 11F40 11F42-11F4F 11F5A
11FFF 12FF1-12FF2 13430-13440 13447-13455 1611E-16129 1612D-1612F 16D6D-16D6F 16E97-16E9A 16F4F 16FE2
16FE4 1CF00-1CF2D 1CF30-1CF46 1D127-1D128 1D25B-1D25C 1E000-1E006 1E008-1E018 1E01B-1E021 1E023-1E024
1E026-1E02A 1E08F 1E130-1E136 1E2AE 1E2EC-1E2EF 1E4EC-1E4EF 1E5EE-1E5EF 1E5FF 1E6E3 1E6E6 1E6EE-1E6EF
1E6F5 1E944-1E94A 1E95E-1E95F
"""
"""Marks, punctuation and format characters that came after Unicode 8, whose tables the models' tokenizers
use: they are letters there."""
_SEVERAL = 3
THEN = {0x166D: "Po", 0x111C9: "Po", 0x1734: "Mn", 0x1171E: "Mn"}
"""What another category has now."""


class WordPiece:
    """A vocabulary and the rules of BERT's tokenizer: texts to pieces, pieces to numbers.

    `vocabulary` is a list of pieces in the order of their numbers, or `{piece: number}`; pieces inside a word
    start with `##`. `lowercase` also strips accents, unless `strip_accents` says otherwise. Raises ValueError
    where [UNK], [CLS] or [SEP] are missing, a piece is no text, or two share a number; warns where more than
    a tenth of the pieces have capitals, which no text has once it is lower-cased.

    Source: Devlin, Chang, Lee and Toutanova, BERT, 2019, and its tokenization.py; longest match first as in
    Wu et al., Google's neural machine translation system, 2016.

    >>> pieces = WordPiece(["[UNK]", "[CLS]", "[SEP]", "no", "##de", "drain", "##ed", "."])
    >>> pieces.tokens("Node drained."), pieces.encode("Node drained.")
    (['no', '##de', 'drain', '##ed', '.'], [1, 3, 4, 5, 6, 7, 2])
    """

    def __init__(
        self,
        vocabulary: Iterable[str] | Mapping[str, int],
        lowercase: bool = True,
        strip_accents: bool | None = None,
    ):
        check_option("lowercase", lowercase, (True, False))
        check_option("strip_accents", strip_accents, (True, False, None))
        self.vocabulary = _numbered(vocabulary)
        self.lowercase = lowercase
        _warn_of_capitals(self.vocabulary if lowercase else ())
        self.strip_accents = lowercase if strip_accents is None else strip_accents
        self.pieces_by_number = {number: piece for piece, number in self.vocabulary.items()}
        self._cut = re.compile(f"({'|'.join(map(re.escape, filter(self.vocabulary.__contains__, SPECIAL)))})")
        self._cleaned, self._split = _Cleaned(), _Split(lowercase, self.strip_accents)
        self._longest = max(map(len, self.vocabulary))
        self.pieces = lru_cache(maxsize=1 << 17)(self._pieces)

    @classmethod
    def read(cls, folder: str | Path) -> "WordPiece":
        """From a model's folder: its `tokenizer.json`, else its `vocab.txt` with `tokenizer_config.json`.

        Raises ValueError where there is neither, and for a tokenizer that is no BERT WordPiece.
        """
        paths = [as_path(folder) / name for name in VOCABULARIES]
        if (path := next(filter(Path.is_file, paths), None)) is None:
            cure = "a model's folder needs one of them beside its weights"
            raise ValueError(f"{folder}: neither vocab.txt nor tokenizer.json is there; {cure}")
        arguments = _from_json(path) if path.suffix == ".json" else _from_text(path)
        try:
            return cls(*arguments)
        except ValueError as reason:
            raise ValueError(f"{path}: {reason}") from None

    def tokens(self, text: str) -> list[str]:
        """The pieces of a text, without [CLS] and [SEP].

        >>> WordPiece(["[UNK]", "[CLS]", "[SEP]", "cafe", "!"]).tokens("Café 京!")
        ['cafe', '[UNK]', '!']
        """
        return list(self._tokens(text))

    def encode(self, text: str, max_tokens: int | None = None) -> list[int]:
        """The numbers of [CLS], the pieces and [SEP]; `max_tokens` counts all of them, and [SEP] is kept.

        >>> WordPiece(["[UNK]", "[CLS]", "[SEP]", "a", "b", "c"]).encode("a b c", max_tokens=4)
        [1, 3, 4, 2]
        """
        room = None if max_tokens is None else check_whole("max_tokens", max_tokens, 2, "tokens") - 2
        return [self.vocabulary["[CLS]"], *self._numbers(text, room), self.vocabulary["[SEP]"]]

    def encode_pair(
        self, first: str, second: str, max_tokens: int | None = None
    ) -> tuple[list[int], list[int]]:
        """Numbers of [CLS] first [SEP] second [SEP], and their types: 0 up to the first [SEP], then 1.

        Where it is too long the longer text gives way, then both equally ("longest first").

        >>> WordPiece(["[UNK]", "[CLS]", "[SEP]", "a", "b"]).encode_pair("a", "b b b", max_tokens=6)
        ([1, 3, 2, 4, 4, 2], [0, 0, 0, 1, 1, 1])
        """
        room = None if max_tokens is None else check_whole("max_tokens", max_tokens, 3, "tokens") - 3
        one, two = self._numbers(first, room), self._numbers(second, room)
        if room is not None and len(one) + len(two) > room:
            if len(one) == len(two) == room:  # which of them is longer is seen only when both are whole
                one, two = self._numbers(first, None), self._numbers(second, None)
            shorter = min(len(one), len(two), room // 2)
            one_gives_way = len(one) > len(two)
            one = one[: room - shorter if one_gives_way else shorter]
            two = two[: shorter if one_gives_way else room - shorter]
        start, end = self.vocabulary["[CLS]"], self.vocabulary["[SEP]"]
        return [start, *one, end, *two, end], [0] * (len(one) + 2) + [1] * (len(two) + 1)

    def words(self, text: str) -> list[str]:
        """The words of a text after cleaning, each punctuation mark and Chinese character one of them.

        >>> WordPiece(["[UNK]", "[CLS]", "[SEP]"]).words("It's 東京")
        ['it', "'", 's', '東', '京']
        """
        text = _checked(text).translate(self._cleaned)
        if self.strip_accents and not text.isascii():
            text = unicodedata.normalize("NFD", text)
        return text.translate(self._split).split()

    def _numbers(self, text: str, room: int | None) -> list[int]:
        """No more pieces are looked for than there is room: a text may be a megabyte."""
        numbers = []
        for token in self._tokens(text):
            if room is not None and len(numbers) >= room:
                break
            numbers.append(self.vocabulary[token])
        return numbers

    def _tokens(self, text: str) -> Iterator[str]:
        # What stands between two special tokens is cleaned by itself.
        for number, part in enumerate(self._cut.split(_checked(text))):
            if number % 2:
                yield part
            else:
                for word in self.words(part):
                    yield from self.pieces(word)

    def _pieces(self, word: str) -> tuple[str, ...]:
        """The longest piece that starts the word, then the longest that goes on; [UNK] where none does."""
        if len(word) > LONGEST_WORD:
            return ("[UNK]",)
        pieces, start, prefix = [], 0, ""
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                if (piece := prefix + word[start:end]) in self.vocabulary:
                    break
            else:
                return ("[UNK]",)
            pieces.append(piece)
            start, prefix = end, "##"
        return tuple(pieces)


class _Cleaned(dict):
    """For `str.translate`: white space is a space, control characters go, Chinese characters stand alone."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character in "\t\n\r":
            cleaned = " "
        elif code == 0xFFFD or _category(code) in ("Cc", "Cf", "Co", "Cs"):
            cleaned = ""
        elif character.isspace():
            cleaned = " "
        else:
            cleaned = f" {character} " if any(low <= code <= high for low, high in CJK) else character
        self[code] = cleaned
        return cleaned


class _Split(dict):
    """For `str.translate`: accents go, letters become small, punctuation stands alone."""

    def __init__(self, lowercase: bool, strip_accents: bool):
        self.lowercase, self.strip_accents = lowercase, strip_accents

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if self.strip_accents and _category(code) == "Mn":
            character = ""
        if self.lowercase:
            character = character.lower()
        self[code] = "".join(f" {part} " if _is_punctuation(part) else part for part in character)
        return self[code]


def _checked(text: str) -> str:
    if not isinstance(text, str):
        raise ValueError(f"a text is {text!r:.50} of type {type(text).__name__}; needed a str")
    return text


def _category(code: int) -> str:
    """The category of a character as the models' tokenizers know it, whatever Unicode this Python has."""
    return THEN.get(code) or ("Lo" if code in _LATER else unicodedata.category(chr(code)))


def _is_punctuation(character: str) -> bool:
    """Unicode's, and every ASCII sign that is neither letter nor digit, as `$` and `+`."""
    ascii_sign = "!" <= character <= "~" and not character.isalnum()
    return ascii_sign or _category(ord(character))[0] == "P"


def _codes(ranges: str) -> frozenset[int]:
    ends = [[int(end, 16) for end in part.split("-")] for part in ranges.split()]
    return frozenset(code for part in ends for code in range(part[0], part[-1] + 1))


_LATER = _codes(LATER)


def _warn_of_capitals(pieces: Iterable[str]) -> None:
    pieces = [piece for piece in pieces if not piece.startswith("[")]
    cased = [piece for piece in pieces if piece != piece.lower()]
    if len(cased) >= _SEVERAL and len(cased) > 0.1 * len(pieces):
        said = f"{len(cased):,} of {len(pieces):,} pieces have capitals, e.g. {cased[0]!r}, and no text has"
        warn(f"{said} once it is lower-cased; for a model that tells capitals apart give lowercase=False")


def _numbered(vocabulary: Iterable[str] | Mapping[str, int]) -> dict[str, int]:
    if not isinstance(vocabulary, Mapping):
        vocabulary = {piece: number for number, piece in enumerate(as_texts(vocabulary, "vocabulary"))}
    check_ids(vocabulary, "vocabulary: piece")
    for piece, number in vocabulary.items():
        if type(number) is not int or number < 0:
            check_whole(f"vocabulary: the number of {piece!r}", number, least=0)
    if any(f"{token}\n" in vocabulary for token in SPECIAL):
        raise ValueError("the pieces of the vocabulary end with a line break; read them with splitlines()")
    missing = [token for token in ("[UNK]", "[CLS]", "[SEP]") if token not in vocabulary]
    if missing:
        raise ValueError(
            f"a vocabulary of {len(vocabulary)} pieces without {', '.join(missing)}: no BERT model's"
        )
    if len(set(vocabulary.values())) < len(vocabulary):
        raise ValueError(
            f"{len(vocabulary)} pieces share {len(set(vocabulary.values()))} numbers; give each its own"
        )
    return dict(vocabulary)


def _from_text(path: Path) -> tuple:
    """The arguments of a WordPiece from a vocab.txt, a piece a line, and what stands beside it."""
    settings = path.with_name("tokenizer_config.json")
    said = read_json(settings) if settings.is_file() else {}
    lines = read_text(path).split("\n")
    words = [line.rstrip("\r") for line in lines[: -1 if lines[-1] == "" else None]]
    return words, *_letters(said, "do_lower_case", settings)


def _letters(said: dict, lowercase: str, path: Path) -> tuple[bool, bool | None]:
    return setting(said, lowercase, bool, path, True), setting(said, "strip_accents", bool, path)


def _from_json(path: Path) -> tuple:
    """The arguments of a WordPiece from a tokenizer.json, which must ask for nothing that is not here."""
    said = read_json(path)
    parts = ("model", "normalizer", "pre_tokenizer")
    model, normalizer, before = (setting(said, part, dict, path, {}) for part in parts)
    wanted = {
        "model": (
            model.get("type", "WordPiece" if "continuing_subword_prefix" in model else None),
            "WordPiece",
        ),
        "normalizer": (normalizer.get("type"), "BertNormalizer"),
        "pre_tokenizer": (before.get("type"), "BertPreTokenizer"),
        "unk_token": (model.get("unk_token"), "[UNK]"),
        "continuing_subword_prefix": (model.get("continuing_subword_prefix"), "##"),
        "max_input_chars_per_word": (model.get("max_input_chars_per_word"), LONGEST_WORD),
        "clean_text": (normalizer.get("clean_text"), True),
        "handle_chinese_chars": (normalizer.get("handle_chinese_chars"), True),
    }
    for what, (found, needed) in wanted.items():
        if found != needed:
            raise ValueError(
                f"{path}: {what} is {found!r}; only a BERT WordPiece can be read, with {needed!r}"
            )
    vocabulary = setting(model, "vocab", dict, path, {})
    for added in setting(said, "added_tokens", list, path, []):
        content, number = (of_kind(added, dict, path).get(key) for key in ("content", "id"))
        if content not in SPECIAL or vocabulary.get(content) != number:
            known = f"only {', '.join(SPECIAL)} can be, by their numbers in the vocabulary"
            raise ValueError(f"{path}, added_tokens: {content!r} as number {number!r}; {known}")
    return vocabulary, *_letters(normalizer, "lowercase", path)
