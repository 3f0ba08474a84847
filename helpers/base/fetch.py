"""Fetching a file or a zip from outside: checksum right, complete under its name or not there at all."""

import os
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from urllib.parse import urlparse

from helpers.base.placing import placed, replaced, workshop

REACH_SECONDS = 5.0
"""How long a server may take to answer at all, name server and connection included."""
SILENCE_SECONDS = 4.0
"""How long it may fall silent in the middle. A hanging network may cost under ten seconds, both together."""


class Unavailable(OSError):
    """Something from outside cannot be had here and now; the message says why and what to do."""


def fetch_file(url: str, sha256: str | None, path: Path, headers: Mapping[str, str] | None = None) -> Path:
    """Downloads one file, checks its SHA-256 and puts it at `path`, complete or not at all.

    Without a known SHA-256 (None) the caller checks what came. An `Authorization` among the `headers` goes to
    the server of `url` only, not to one that it redirects to. Raises Unavailable where the network, the
    checksum or the disk does not allow it.
    """
    with _room_for_downloads(path.parent), workshop(path) as work, replaced(path) as beside:
        check_reachable(url)
        downloaded = _download(url, f"sha256:{sha256}" if sha256 else None, work, headers)
        downloaded.chmod(0o644)  # a temporary file is its owner's alone, a cache may be shared
        downloaded.rename(beside)
    return path


def fetch_zip(url: str, md5: str, name: str, folder: Path) -> Path:
    """Downloads a zip that holds the folder `name`, checks its MD5 and puts that folder into `folder`.

    Raises Unavailable where the network, the checksum, the zip or the disk does not allow it. In all cases, a
    kill included, `folder/name` is either complete or absent. Of two processes the slower one takes the
    folder of the faster.
    """
    target = folder / name
    with _room_for_downloads(folder), placed(target, replace=False) as new:
        check_reachable(url)
        work = new.parent
        downloaded = _download(url, f"md5:{md5}", work)
        try:
            unpacked = unzip(downloaded, work / "unpacked") / name
        except (ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
            raise Unavailable(f"the zip of {url} cannot be unpacked ({error}); nothing was kept") from error
        if not unpacked.is_dir():
            raise Unavailable(f"the zip of {url} holds no folder {name!r}; nothing was kept")
        new.rmdir()  # Windows renames over no folder, not even an empty one
        unpacked.rename(new)
    return target


def check_reachable(url: str, seconds: float = REACH_SECONDS) -> None:
    """Raises Unavailable unless the server of `url` answers anything at all within `seconds`.

    `MEASURE_FIRST_OFFLINE=1` makes it refuse at once (any other text but 0 too, as the reason that is given).
    The question is asked in a thread of its own, because no time-out of the libraries below covers a name
    server that hangs.
    """
    check_allowed()
    answer: list[str] = []
    asking = threading.Thread(target=lambda: answer.append(_ask(url)), daemon=True)
    asking.start()
    asking.join(seconds)
    host = urlparse(url).netloc
    if not answer:
        raise Unavailable(f"{host} did not answer within {seconds:g} seconds")
    if answer[0]:
        raise Unavailable(f"{host} cannot be reached ({answer[0]})")


def check_allowed() -> None:
    """Raises Unavailable where `MEASURE_FIRST_OFFLINE` says that nothing may be downloaded."""
    offline = os.environ.get("MEASURE_FIRST_OFFLINE", "0")
    if offline == "1":
        raise Unavailable("MEASURE_FIRST_OFFLINE is set, so nothing is downloaded")
    if offline.lower() not in ("", "0", "no", "false"):
        raise Unavailable(offline)


def unzip(path: Path, folder: Path) -> Path:
    """Unpacks a zip into `folder`. Raises ValueError, before anything is written, for an entry outside it,
    and for what is no zip.

    Refused are absolute names, drive letters, `..`, backslashes and symbolic links.
    """
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path.name} is no zip file, or is cut off; fetch it again")
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            name, parts = entry.filename, PurePosixPath(entry.filename).parts
            is_link = (entry.external_attr >> 16) & 0o170000 == 0o120000
            if is_link or not parts or parts[0] == "/" or ".." in parts or "\\" in name or ":" in parts[0]:
                reason = f"entry {name!r} would be written outside its folder"
                raise ValueError(f"{path.name}: {reason}; nothing was unpacked")
        archive.extractall(folder)
    return folder


@contextmanager
def _room_for_downloads(folder: Path) -> Iterator[None]:
    """Raises Unavailable for whatever the disk does not allow in the block."""
    try:
        yield
    except Unavailable:
        raise
    except OSError as error:
        cure = "free space or point MEASURE_FIRST_CACHE elsewhere"
        raise Unavailable(f"{folder} cannot take the download ({error}); {cure}") from error


def _download(
    url: str, known_hash: str | None, folder: Path, headers: Mapping[str, str] | None = None
) -> Path:
    # Here and below, not above: most who read a dataset have it, and these take a tenth of a second.
    import pooch
    import requests

    pooch.get_logger().setLevel("WARNING")
    downloader = pooch.HTTPDownloader(progressbar=True, timeout=SILENCE_SECONDS, headers=headers)
    try:
        return Path(pooch.retrieve(url, known_hash, fname="download", path=folder, downloader=downloader))
    except requests.RequestException as error:
        reason = f"the download of {url} broke off ({_reason(error)})"
        raise Unavailable(f"{reason}; nothing was kept, call again") from error
    except ValueError as error:
        raise Unavailable(f"{url} is not the published file, so it was deleted, not used: {error}") from error


def _ask(url: str) -> str:
    import requests

    try:
        requests.head(url, timeout=SILENCE_SECONDS, allow_redirects=True)
        return ""
    except Exception as error:  # a thread's error would otherwise be printed and lost
        return _reason(error)


def _reason(error: Exception) -> str:
    """The innermost cause, without the addresses in memory that some messages carry."""
    import requests

    while error.__context__ is not None and not isinstance(error, requests.HTTPError):
        error = error.__context__
    return f"{type(error).__name__}: {error}"[:200]
