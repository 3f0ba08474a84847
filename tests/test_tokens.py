"""Tokens are cl100k_base's, from an unspoilt file, or the stand-in's, and then the reader is told."""

import json
import subprocess
import sys

import pytest

from helpers.base import fetch
from helpers.text import tokens

pytestmark = pytest.mark.offline_too


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A computer without cl100k_base and without a network."""
    monkeypatch.setenv("MEASURE_FIRST_OFFLINE", "1")
    monkeypatch.setenv("MEASURE_FIRST_CACHE", str(tmp_path / "cache"))
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for function in (tokens.encoding_or_stand_in, tokens.load_cl100k):
        function.cache_clear()
    yield tmp_path
    for function in (tokens.encoding_or_stand_in, tokens.load_cl100k):
        function.cache_clear()


def test_the_stand_in_encodes_any_text_and_gives_it_back():
    encoding = tokens.load_stand_in()
    assert encoding.n_vocab == 4096
    for text in ("", "Borås 🪴\r\n\t x", "漢字", "<|endoftext|>", "a" * 5000, "\x00\ufeff"):
        assert encoding.decode(encoding.encode_ordinary(text)) == text


def test_where_cl100k_cannot_be_had_one_line_says_so_once(nowhere, capsys):
    assert tokens.encoding_or_stand_in().name == tokens.STAND_IN_ENCODING
    tokens.encoding_or_stand_in()
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "cl100k_base cannot be had here (MEASURE_FIRST_OFFLINE is set" in said
    assert "bundled encoding 'wrenfield_4k' instead" in said


def test_the_refusal_names_both_ways_to_it(nowhere):
    with pytest.raises(
        fetch.Unavailable, match="put its rank file under the name 9b5a.* and set TIKTOKEN_CACHE_DIR"
    ):
        tokens.load_cl100k()


def test_a_spoilt_rank_file_is_passed_over_and_left_alone(nowhere, monkeypatch):
    folder = nowhere / "mine"
    folder.mkdir()
    spoilt = folder / tokens.CL100K_FILE
    spoilt.write_bytes(b"IQ== 0\n")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    assert tokens.find_cl100k() is None
    assert spoilt.exists()


@pytest.mark.parametrize("name", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"])
def test_a_whole_file_is_found_wherever_tiktoken_looks(nowhere, cl100k_file, monkeypatch, name):
    monkeypatch.setenv(name, str(cl100k_file.parent))
    assert tokens.find_cl100k() == (cl100k_file, name)
    assert tokens.load_cl100k().name == "cl100k_base"


def test_a_download_lands_in_the_projects_cache_and_is_found_there(nowhere, cl100k_file, monkeypatch):
    def fake(url, sha256, path):
        path.parent.mkdir(parents=True)
        path.write_bytes(cl100k_file.read_bytes())
        return path

    monkeypatch.setattr(fetch, "fetch_file", fake)
    assert tokens.obtain_cl100k()[1] == "downloaded, SHA-256 verified"
    assert tokens.find_cl100k()[1] == "the project's cache"
    assert tokens.load_cl100k().decode(tokens.load_cl100k().encode("twelve pages")) == "twelve pages"


def test_the_environment_is_as_before(cl100k_file, monkeypatch):
    code = (
        "import json, os; from helpers.text import tokens; before = dict(os.environ); tokens.load_cl100k(); "
        "print(json.dumps(before == dict(os.environ)))"
    )
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(cl100k_file.parent))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)
