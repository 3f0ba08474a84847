"""Files of the Hugging Face hub: fetched once, or found in a local copy; their passages and queries, line by line.

Which repositories and files make a test collection is the business of `hub`. TREC qrels are read by `trec`, those in BEIR's
form by `beir`.
"""

from collections.abc import Iterator
from pathlib import Path

from helpers.base import fetch, files, json_object, text_field, text_lines
from helpers.records import Queries

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
        raise FileNotFoundError(
            f"{folder} has neither {name} nor {copy}/{name}, a file of the hub's repository {repository}"
        )
    with open(found, "rb") as file:
        if file.read(len(_LFS_POINTER)) == _LFS_POINTER:
            raise ValueError(
                f"{found}: a Git LFS pointer stands here in place of the file; run `git lfs pull` in its repository"
            )
    return found


def read_passages(path: Path) -> Iterator[tuple[str, str, str]]:
    """`(where, doc_id, text)` for each line of a JSONL file with docid, title and text; the text is title, a space, text."""
    for where, line in text_lines(path):
        passage = json_object(line, where, "docid, title and text")
        title, text = text_field(passage, "title", where, ""), text_field(passage, "text", where)
        yield where, _id(text_field(passage, "docid", where), where), f"{title} {text}".strip()


def read_texts(path: Path) -> Iterator[tuple[str, str, str]]:
    """`(where, id, text)` for each line `id<TAB>text` of a file without a header, without white space around the text."""
    for where, line in text_lines(path):
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


def _downloaded(repository: str, name: str) -> Path:
    local = f"give folder=, a local copy of the files of {repository}"
    try:
        from huggingface_hub import hf_hub_download, hf_hub_url
        from huggingface_hub.utils import RepositoryNotFoundError
    except ImportError as error:
        raise fetch.Unavailable(
            f"{repository} is downloaded with huggingface_hub, which is not installed: pip install huggingface_hub; or {local}"
        ) from error
    request = {
        "repo_id": repository,
        "filename": name,
        "repo_type": "dataset",
        "cache_dir": files.cache_dir() / "hub",
    }
    try:
        try:
            return Path(
                hf_hub_download(**request, local_files_only=True)
            )  # without a question to the network
        except FileNotFoundError:
            fetch.check_reachable(hf_hub_url(repository, name, repo_type="dataset"))
            return Path(hf_hub_download(**request))
    except RepositoryNotFoundError as error:  # also what the hub answers where conditions are not accepted
        raise fetch.Unavailable(
            f"the hub does not give {name} out ({_first_line(error)}); accept the conditions on "
            f"https://huggingface.co/datasets/{repository} and set HF_TOKEN to a token of your account; or {local}"
        ) from error
    except Exception as error:  # the errors of the library's transports have no class in common
        raise fetch.Unavailable(
            f"{name} of {repository} cannot be had ({_first_line(error)}); {local}"
        ) from error


def _first_line(error: Exception) -> str:
    message = str(error).strip().partition("\n")[0]
    return message if isinstance(error, fetch.Unavailable) else f"{type(error).__name__}: {message}"


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
