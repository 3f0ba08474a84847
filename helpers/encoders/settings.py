"""The small files beside a model's weights, in JSON and plain text: read here, so that every error names the
file, the field and what was needed there.
"""

import json
import os
from pathlib import Path

from helpers.base import check_option, check_whole

STEPS = ("Transformer", "Pooling", "Normalize", "Dropout", "LogitScore")
"""The endings of the steps of sentence-transformers that can be computed, or that change nothing here."""
_NEEDED = {bool: "true or false", dict: "an object", list: "a list", str: "a text"}


def as_path(given: str | Path) -> Path:
    """A path, `~` written out. Raises ValueError for what is none, as a number, or the home of nobody."""
    try:
        if isinstance(given, (str, os.PathLike)) and str(given) and "\0" not in str(given):
            return Path(given).expanduser()
    except RuntimeError:
        pass
    raise ValueError(f"{given!r:.100} of type {type(given).__name__} is no path of a file or a folder")


def read_text(path: Path) -> str:
    """A file in UTF-8. Raises ValueError, with its path, for one in another encoding."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as reason:
        raise ValueError(f"{path} is not valid UTF-8 ({reason}); get the file again") from None


def read_json(path: Path, kind: type = dict) -> dict | list:
    """What a file in JSON holds, an object unless `kind` says list. Raises ValueError, with its path."""
    text = read_text(path)
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as reason:
        raise ValueError(f"{path} is no JSON ({reason}); get the file again") from None
    return of_kind(said, kind, path)


def of_kind(value: object, kind: type, where: object) -> object:
    """The value as given. Raises ValueError, with `where`, for one of another type.

    >>> of_kind("false", bool, "tokenizer_config.json, do_lower_case")
    Traceback (most recent call last):
    ValueError: tokenizer_config.json, do_lower_case: needed true or false, found 'false'
    """
    if type(value) is not kind:
        raise ValueError(f"{where}: needed {_NEEDED[kind]}, found {value!r:.80}")
    return value


def setting(said: dict, name: str, kind: type, path: Path, default: object = None) -> object:
    """A field of such a file, `default` where it is missing or null. Raises ValueError for another type."""
    value = said.get(name)
    return default if value is None else of_kind(value, kind, f"{path}, {name}")


def settings_of(folder: Path, width: int) -> dict:
    """Pooling, similarity and length, where a folder has the files of sentence-transformers that say them.

    `width` is the model's. Raises ValueError for files of another width, and of steps that are not here.
    """
    said: dict = {}
    if (path := folder / "1_Pooling" / "config.json").is_file():
        asked = read_json(path)
        if asked.get("word_embedding_dimension", width) != width:
            other = f"word_embedding_dimension is {asked['word_embedding_dimension']!r}"
            raise ValueError(f"{path}: {other}, and config.json says {width}: files of two models")
        keys = {"mean_tokens": "mean", "cls_token": "cls", "max_tokens": "max"}
        chosen = [name for key, name in keys.items() if setting(asked, f"pooling_mode_{key}", bool, path)]
        # What is none of them, or several, is refused by its name where no other pooling is asked for.
        said |= {"kind": "dense", "pooling": " + ".join(chosen) or f"that of {path}"}
    if (path := folder / "modules.json").is_file():
        steps = [setting(of_kind(step, dict, path), "type", str, path, "") for step in read_json(path, list)]
        if strange := [step for step in steps if not step.endswith(STEPS)]:
            raise ValueError(f"{path}: a step is {strange[0]!r}; only {', '.join(STEPS)} can be computed")
        said["similarity"] = "cosine" if any(step.endswith("Normalize") for step in steps) else "dot"
    if (path := folder / "1_SpladePooling" / "config.json").is_file():
        asked = read_json(path)
        check_option(f"{path}, pooling_strategy", asked.get("pooling_strategy", "max"), ["max"])
        check_option(f"{path}, activation_function", asked.get("activation_function", "relu"), ["relu"])
    if (path := folder / "sentence_bert_config.json").is_file():
        longest = read_json(path).get("max_seq_length")
        if longest is not None:
            said["max_tokens"] = check_whole(f"{path}, max_seq_length", longest, 3, "tokens")
    return said
