"""Files of the Hugging Face hub: fetched once, or found in a local copy, and read line by line with file and line in every error.

Which repositories and files make a test collection is the business of `hub`. TREC qrels are read by `trec`, BEIR folders
by `beir`.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

from helpers import fetch, files
from helpers.records import Qrels, Queries, grade_of

_LFS_POINTER = b"version https://git-lfs"


def hub_file(repository: str, name: str, folder: str | Path | None = None) -> Path:
    """The path of one file of a dataset repository: in a local copy, or in the project's cache, downloaded if it is not there.

    `folder` holds the repository's files under their own names, or a subfolder with the repository's name that does
    (clones side by side). Nothing is downloaded then, and FileNotFoundError says what it lacks. Without it the library
    huggingface_hub downloads, so that a transfer that broke off continues and HF_TOKEN is used. Raises `fetch.Unavailable`,
    with the cure, where the library, the network or the permission is missing.
    """
    if folder is None:
        return _downloaded(repository, name)
    copy = repository.split("/")[1]
    found = next((path for path in (Path(folder) / name, Path(folder) / copy / name) if path.is_file()), None)
    if found is None:
        raise FileNotFoundError(f"{folder} has neither {name} nor {copy}/{name}, a file of the hub's repository {repository}")
    with open(found, "rb") as file:
        if file.read(len(_LFS_POINTER)) == _LFS_POINTER:
            raise ValueError(f"{found}: a Git LFS pointer stands here in place of the file; run `git lfs pull` in its repository")
    return found


def read_passages(path: Path) -> Iterator[tuple[str, str, str]]:
    """`(where, doc_id, text)` for each line of a JSONL file with docid, title and text; the text is title, a space, text."""
    for where, line in _lines(path):
        try:
            passage = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{where}: not valid JSON ({error}); is the file cut off?") from None
        if not isinstance(passage, dict):
            raise ValueError(f"{where}: needed a JSON object with docid, title and text, found {line[:80]!r}")
        title, text = _field(passage, "title", where, ""), _field(passage, "text", where)
        yield where, _id(_field(passage, "docid", where), where), f"{title} {text}".strip()


def read_texts(path: Path) -> Iterator[tuple[str, str, str]]:
    """`(where, id, text)` for each line `id<TAB>text` of a file without a header, without white space around the text."""
    for where, line in _lines(path):
        id_, text = _columns(line, ["id", "text"], where)
        yield where, _id(id_, where), text.strip()


def read_queries(path: Path) -> Queries:
    """`{query_id: text}` from lines `query_id<TAB>text`. Raises ValueError, with file and line, for an id that comes twice."""
    queries: Queries = {}
    for where, query_id, text in read_texts(path):
        if query_id in queries:
            raise ValueError(f"{where}: query {query_id!r} comes a second time; ids must be unique")
        queries[query_id] = text
    return queries


def read_headed_qrels(path: Path) -> Qrels:
    """`{query_id: {doc_id: grade}}` from BEIR's form: three columns, named in the first line."""
    header = ["query-id", "corpus-id", "score"]
    qrels: Qrels = {}
    for number, (where, line) in enumerate(_lines(path)):
        query_id, doc_id, grade = columns = _columns(line, header, where)
        if number == 0:
            if columns != header:
                raise ValueError(f"{where}: needed the header {' '.join(header)!r} (tab-separated), found {line[:80]!r}")
        elif doc_id in qrels.setdefault(query_id, {}):
            raise ValueError(f"{where}: query {query_id!r} has a second judgment for document {doc_id!r}; keep one")
        else:
            qrels[query_id][doc_id] = grade_of(grade, where)
    return qrels


def _downloaded(repository: str, name: str) -> Path:
    local = f"give folder=, a local copy of the files of {repository}"
    try:
        from huggingface_hub import hf_hub_download, hf_hub_url
        from huggingface_hub.utils import RepositoryNotFoundError
    except ImportError as error:
        raise fetch.Unavailable(
            f"{repository} is downloaded with huggingface_hub, which is not installed: pip install huggingface_hub; or {local}"
        ) from error
    request = {"repo_id": repository, "filename": name, "repo_type": "dataset", "cache_dir": files.cache_dir() / "hub"}
    try:
        try:
            return Path(hf_hub_download(**request, local_files_only=True))  # without a question to the network
        except FileNotFoundError:
            fetch.check_reachable(hf_hub_url(repository, name, repo_type="dataset"))
            return Path(hf_hub_download(**request))
    except RepositoryNotFoundError as error:  # also what the hub answers where conditions are not accepted
        raise fetch.Unavailable(
            f"the hub does not give {name} out ({_first_line(error)}); accept the conditions on "
            f"https://huggingface.co/datasets/{repository} and set HF_TOKEN to a token of your account; or {local}"
        ) from error
    except Exception as error:  # the errors of the library's transports have no class in common
        raise fetch.Unavailable(f"{name} of {repository} cannot be had ({_first_line(error)}); {local}") from error


def _first_line(error: Exception) -> str:
    message = str(error).strip().partition("\n")[0]
    return message if isinstance(error, fetch.Unavailable) else f"{type(error).__name__}: {message}"


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines of a UTF-8 file, gzip-compressed where its name ends in .gz, that are not blank, with `file, line n`.

    One line is held at a time. Raises ValueError, with the place, for a byte that is not UTF-8 and a file that is cut off.
    """
    number = 0
    try:
        # Read as bytes: text mode would break off without a line number where a byte is not UTF-8.
        with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
            for number, raw in enumerate(file, start=1):
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                if line.strip():
                    yield f"{path}, line {number}", line
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}, line {number}: not valid UTF-8 (byte {error.start + 1} of the line)") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path}, after line {number}: the file is cut off or damaged ({error}); get it again") from None


def _columns(line: str, names: list[str], where: str) -> list[str]:
    columns = line.split("\t")
    if len(columns) != len(names):
        raise ValueError(
            f"{where}: {len(columns)} columns, needed {len(names)} ({', '.join(names)}, tab-separated): {line[:80]!r}"
        )
    return columns


def _id(text: str, where: str) -> str:
    if not text.strip():
        raise ValueError(f"{where}: the id is empty")
    return text


def _field(record: dict, name: str, where: str, default: str | None = None) -> str:
    value = record.get(name)
    value = default if value is None else value
    if not isinstance(value, str):
        raise ValueError(f"{where}: needed {name!r} as text, found {value!r}")
    return value
