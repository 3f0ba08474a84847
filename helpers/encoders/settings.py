"""The small files beside a model's weights, in JSON and plain text: read here, so that every error names the
file, the field and what was needed there.
"""

import json
import os
from pathlib import Path

from helpers.base import check_option, check_whole

STEPS = ("Transformer", "Pooling", "Normalize", "Dropout", "LogitScore")
"""The endings of the steps of sentence-transformers that can be computed, or that change nothing here."""
_LFS_POINTER = b"version https://git-lfs"
_MODE = "pooling_mode_"
_POOLINGS = {"mean_tokens": "mean", "cls_token": "cls", "max_tokens": "max"}
"""By the name that the settings have for it."""
_PROMPTS = {"query": ("query",), "document": ("document", "passage", "corpus")}
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
    """A file in UTF-8. Raises ValueError, with its path, for one in another encoding or a pointer of LFS."""
    refuse_pointer(path)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as reason:
        raise ValueError(f"{path} is not valid UTF-8 ({reason}); get the file again") from None


def refuse_pointer(path: Path) -> None:
    """Raises ValueError for the few lines that Git LFS leaves in the place of a file."""
    with open(path, "rb") as file:
        if file.read(len(_LFS_POINTER)) == _LFS_POINTER:
            cure = "run `git lfs pull` in its repository"
            raise ValueError(f"{path}: a Git LFS pointer stands in place of the file; {cure}")


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
    """Pooling, similarity, prefixes and length, where a folder has the files of sentence-transformers that
    say them; "not computed" says in words what pooling they ask for that is not here.

    `width` is the model's. Raises ValueError for files of another width, and of steps that are not here.
    """
    steps = _steps(folder / "modules.json")
    pooling, splade = steps.get("Pooling") or "1_Pooling", steps.get("SpladePooling") or "1_SpladePooling"
    said = _pooling(folder / pooling / "config.json", "Pooling" in steps, width)
    said |= _splade(folder / splade / "config.json")
    if steps:
        said["similarity"] = "cosine" if "Normalize" in steps else "dot"
    if (path := folder / "config_sentence_transformers.json").is_file():
        asked = read_json(path)
        said |= {"prefixes": _prefixes(asked, path)}
        compared = setting(asked, "similarity_fn_name", str, path)
        if compared is not None and "Normalize" not in steps:
            check_option(f"{path}, similarity_fn_name", compared, ["cosine", "dot"])
            said["similarity"] = compared
    if (path := folder / "sentence_bert_config.json").is_file():
        longest = read_json(path).get("max_seq_length")
        if longest is not None:
            said["max_tokens"] = check_whole(f"{path}, max_seq_length", longest, 3, "tokens")
    return said


def _steps(path: Path) -> dict[str, str]:
    """The model's steps, by what their names end with, and the folder of each."""
    if not path.is_file():
        return {}
    listed = [of_kind(step, dict, path) for step in read_json(path, list)]
    named = [setting(step, "type", str, path, "") for step in listed]
    if strange := [step for step in named if not step.endswith(STEPS)]:
        raise ValueError(f"{path}: a step is {strange[0]!r}; only {', '.join(STEPS)} can be computed")
    folders = [setting(step, "path", str, path, "") for step in listed]
    endings = [next(filter(name.endswith, ("SpladePooling", *STEPS))) for name in named]
    return dict(zip(endings, folders, strict=True))


def _pooling(path: Path, is_step: bool, width: int) -> dict:
    """What the file of the pooling says; a model that has the step and lacks the file does not say it."""
    if not path.is_file():
        lacking = f"modules.json names a pooling, and {path} is missing"
        return {"not computed": f"{lacking}: get the model's folder whole"} if is_step else {}
    asked = read_json(path)
    if asked.get("word_embedding_dimension", width) != width:
        other = f"word_embedding_dimension is {asked['word_embedding_dimension']!r}"
        raise ValueError(f"{path}: {other}, and config.json says {width}: files of two models")
    modes = {key.removeprefix(_MODE) for key in asked if key.startswith(_MODE)}
    chosen = sorted(mode for mode in modes if setting(asked, f"{_MODE}{mode}", bool, path))
    if len(chosen) == 1 and chosen[0] in _POOLINGS:
        return {"kind": "dense", "pooling": _POOLINGS[chosen[0]]}
    what = f"{path} asks for {' + '.join(chosen) or 'none that is known here'}"
    return {"kind": "dense", "not computed": f"{what}; one of {', '.join(_POOLINGS)} can be computed"}


def _splade(path: Path) -> dict:
    if path.is_file():
        asked = read_json(path)
        check_option(f"{path}, pooling_strategy", asked.get("pooling_strategy", "max"), ["max"])
        check_option(f"{path}, activation_function", asked.get("activation_function", "relu"), ["relu"])
    return {}


def _prefixes(asked: dict, path: Path) -> dict[str, str]:
    """The prompts of queries and documents, by name, else the default, as sentence-transformers does."""
    prompts = setting(asked, "prompts", dict, path, {})
    prompts = {name: of_kind(prompt, str, f"{path}, prompt {name!r}") for name, prompt in prompts.items()}
    default = setting(asked, "default_prompt_name", str, path)
    if default is not None and default not in prompts:
        raise ValueError(f"{path}: default_prompt_name is {default!r}, which is none of its prompts")
    found = {}
    for kind, names in _PROMPTS.items():
        chosen = [name for name in (*names, default) if name in prompts]
        found[kind] = prompts[chosen[0]] if chosen else ""
    return found
