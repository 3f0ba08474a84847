"""A download arrives complete and checked, or not at all; and no network makes anybody wait long."""

import hashlib
import io
import os
import stat
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from helpers.base import fetch, placing
from helpers.datasets import load

pytestmark = pytest.mark.offline_too


def zip_of(entries: dict[str, str], link: str | None = None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
        if link:
            entry = zipfile.ZipInfo(link)
            entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(entry, "/etc")
    return buffer.getvalue()


GOOD = zip_of(
    {
        "tiny/corpus.jsonl": '{"_id": "d1", "text": "x"}\n',
        "tiny/qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    }
)


class Server:
    """A web server on this computer whose next answers a test decides."""

    def __init__(self):
        self.body, self.claimed_length, self.status, self.seconds_of_silence = GOOD, None, 200, 0.0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                time.sleep(outer.seconds_of_silence)
                self.send_response(outer.status)
                self.send_header("Content-Length", str(outer.claimed_length or len(outer.body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(outer.body)

            do_HEAD = do_GET

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/tiny.zip"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def md5(self):
        return hashlib.md5(self.body).hexdigest()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.delenv("MEASURE_FIRST_OFFLINE", raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = Server()
    yield server
    server.http.shutdown()
    server.http.server_close()


def contents(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_good_zip_becomes_a_folder_and_leaves_nothing_else(server, tmp_path):
    folder = fetch.fetch_zip(server.url, server.md5, "tiny", tmp_path / "cache")
    assert contents(folder) == ["corpus.jsonl", "qrels"]
    assert contents(tmp_path / "cache") == ["tiny"]


def test_a_dataset_is_downloaded_once(server, tmp_path, monkeypatch):
    catalogue = load.beir_catalogue().copy()
    monkeypatch.setattr(load, "beir_catalogue", lambda: catalogue)
    monkeypatch.setattr(load, "BEIR_URL", server.url + "?{name}")
    server.body = zip_of({"scifact/corpus.jsonl": "{}"})
    catalogue.loc["scifact", "zip_md5"] = server.md5
    folder = load.download_beir("scifact", tmp_path)
    server.status = 500
    assert load.download_beir("scifact", tmp_path) == folder


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        ({"body": GOOD + b"x"}, "not the published file, so it was deleted, not used"),
        ({"claimed_length": 10 * len(GOOD)}, "broke off .*nothing was kept, call again"),
        ({"status": 404}, "broke off .*404"),
        ({"status": 503}, "broke off .*503"),
    ],
)
def test_a_download_that_goes_wrong_leaves_nothing_and_the_next_one_starts_clean(
    server, tmp_path, spoil, message
):
    md5 = server.md5
    for name, value in spoil.items():
        setattr(server, name, value)
    with pytest.raises(fetch.Unavailable, match=message):
        fetch.fetch_zip(server.url, md5, "tiny", tmp_path)
    assert contents(tmp_path) == []

    server.body, server.claimed_length, server.status = GOOD, None, 200
    assert fetch.fetch_zip(server.url, md5, "tiny", tmp_path).is_dir()


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/evil", "tiny/../../evil", "C:/evil", "..\\evil", "tiny\\..\\..\\evil"]
)
def test_a_zip_entry_that_would_escape_its_folder_is_refused_before_anything_is_written(
    server, tmp_path, name
):
    server.body = zip_of({"tiny/corpus.jsonl": "{}", name: "gotcha"})
    with pytest.raises(fetch.Unavailable, match="would be written outside its folder; nothing was unpacked"):
        fetch.fetch_zip(server.url, server.md5, "tiny", tmp_path / "cache")
    assert contents(tmp_path / "cache") == []
    assert contents(tmp_path) == ["cache"]


def test_a_symbolic_link_in_a_zip_is_refused(tmp_path):
    (tmp_path / "x.zip").write_bytes(zip_of({"tiny/a": "b"}, link="tiny/link"))
    with pytest.raises(ValueError, match="'tiny/link'"):
        fetch.unzip(tmp_path / "x.zip", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_zip_without_the_dataset_is_refused(server, tmp_path):
    server.body = zip_of({"other/corpus.jsonl": "{}"})
    with pytest.raises(fetch.Unavailable, match="holds no folder 'tiny'"):
        fetch.fetch_zip(server.url, server.md5, "tiny", tmp_path)
    assert contents(tmp_path) == []


def test_a_damaged_zip_under_the_right_checksum_is_refused(server, tmp_path):
    server.body = GOOD[:-40]
    with pytest.raises(fetch.Unavailable, match="cannot be unpacked"):
        fetch.fetch_zip(server.url, server.md5, "tiny", tmp_path)
    assert contents(tmp_path) == []


def test_of_two_processes_the_slower_one_takes_the_folder_of_the_faster(server, tmp_path, monkeypatch):
    def slow_unzip(path, folder):
        (tmp_path / "tiny").mkdir()
        (tmp_path / "tiny" / "corpus.jsonl").write_text("by the faster one")
        return unzip(path, folder)

    unzip = fetch.unzip
    monkeypatch.setattr(fetch, "unzip", slow_unzip)
    folder = fetch.fetch_zip(server.url, server.md5, "tiny", tmp_path)
    assert (folder / "corpus.jsonl").read_text() == "by the faster one"
    assert contents(tmp_path) == ["tiny"]


def test_a_killed_download_is_no_obstacle_and_is_swept_up_a_day_later(server, tmp_path):
    killed, running = f".other.{32 * '0'}.partial", f".tiny.{32 * '1'}.partial"
    for name, age in ((killed, 2 * 24 * 3600), (running, 60)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").write_text("half a zip")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    fetch.fetch_zip(server.url, server.md5, "tiny", tmp_path)
    assert contents(tmp_path) == [running, "tiny"]


def test_a_cache_that_cannot_be_written_says_where_to_point_instead(server, tmp_path):
    (tmp_path / "cache").write_text("a file where a folder should be")
    with pytest.raises(fetch.Unavailable, match="cache.* cannot take the download .*MEASURE_FIRST_CACHE"):
        fetch.fetch_zip(server.url, server.md5, "tiny", tmp_path / "cache")


def test_a_server_that_never_answers_is_given_up(server, monkeypatch):
    server.seconds_of_silence = 1.0
    with pytest.raises(fetch.Unavailable, match="did not answer within 0.2 seconds"):
        fetch.check_reachable(server.url, seconds=0.2)


def test_the_waits_add_up_to_less_than_ten_seconds():
    # One wait for an answer at all, and one more for a server that answered and then falls silent.
    assert fetch.REACH_SECONDS + fetch.SILENCE_SECONDS < 10
    assert fetch.check_reachable.__defaults__ == (fetch.REACH_SECONDS,)


def test_a_refused_connection_is_given_up_at_once(server):
    server.http.server_close()
    with pytest.raises(fetch.Unavailable, match="127.0.0.1:.* cannot be reached"):
        fetch.check_reachable(server.url)


def test_offline_by_choice_asks_nobody(monkeypatch):
    monkeypatch.setenv("MEASURE_FIRST_OFFLINE", "1")
    with pytest.raises(fetch.Unavailable, match="MEASURE_FIRST_OFFLINE is set"):
        fetch.check_reachable("http://127.0.0.1:1/")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(RuntimeError), placing.replaced(path) as beside:
        beside.write_text("half of the n")
        raise RuntimeError
    assert path.read_text() == "old"
    assert contents(tmp_path) == ["file"]
