"""Kills a process that saves encoded corpora and loads what is there: one of the two caches, whole, or none
yet.

    .venv/bin/python evals/benchmarks/kill_cache.py

writes `kill_cache.json` and the page `kill_cache.md` beside this file. It needs `os.fork` and SIGKILL (Linux,
macOS). A thousand kills come at random moments: the seed fixes the moments that are asked for, while the line
of the save that a kill meets differs from run to run. Then a small save is killed at every call that it
makes, one after the other.
"""

import json
import os
import platform
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

import numpy as np
import scipy
from scipy.sparse import csr_matrix

from helpers.retrieval import load_encoded_corpus, save_encoded_corpus

HERE = Path(__file__).parent
MANIFEST = "encoded_corpus.json"
KILLS = 1000
FRESH = 0.25
"""How often the kill meets a folder that never held a cache."""
WINDOW = 4
"""The moment of a kill is drawn from as many times what a save takes at best."""
BY_FILES = (
    "new generation begun, no file yet",
    "new generation, at file 1 of 6 (data.npy)",
    "new generation, at file 2 of 6 (indices.npy)",
    "new generation, at file 3 or 4 of 6 (indptr.npy, idf.npy)",
    "new generation, at file 3 or 4 of 6 (indptr.npy, idf.npy)",
    "new generation, at file 5 of 6 (doc_ids.json)",
    f"new generation, at file 6 of 6 ({MANIFEST}), or complete and not yet renamed",
)
"""What a kill met, by the number of files that it left; a save writes them in this order."""
RENAMED = "new generation renamed, old one not all removed yet"
NOTHING = "nothing left over: between two saves, or before the first folder"
STAGES = (*dict.fromkeys(BY_FILES), RENAMED, NOTHING)
Cache = tuple[csr_matrix, np.ndarray, list[str]]


def known_caches() -> dict[str, Cache]:
    """Two corpora that differ in every array, of 11 and 13 megabytes."""
    caches = {}
    for letter, rows in (("A", 60_000), ("B", 72_000)):
        rng = np.random.default_rng(ord(letter))
        columns = np.sort(rng.integers(0, 3000, (rows, 20)) * 20 + np.arange(20), axis=1).ravel()
        values = rng.random(columns.size, dtype=np.float32)
        matrix = csr_matrix(
            (values, columns.astype(np.int32), np.arange(0, columns.size + 1, 20)), shape=(rows, 60_000)
        )
        matrix.sum_duplicates()
        caches[letter] = matrix, rng.random(60_000), [f"{letter}{row}" for row in range(rows)]
    return caches


def attack(kills: int, base: Path, seed: int = 0) -> dict:
    """As many kills in folders under `base`; how often A, B, no cache or something wrong was there, and at
    which stage."""
    rng, caches, folder = random.Random(seed), known_caches(), base / "timing"
    seconds = _seconds_of_a_save(folder, caches)
    loaded, stages, wrong, fresh, finished = Counter(), Counter(), [], 0, 0
    for kill in range(kills):
        if kill == 0 or rng.random() < FRESH:
            shutil.rmtree(folder, ignore_errors=True)
            folder, last, fresh = base / f"from kill {kill}", 0, fresh + 1
        leftovers = _left(folder)
        reported = _killed_writer(folder, caches, last + 1, rng.uniform(0, WINDOW * seconds))
        stages[_stage(folder, leftovers)] += 1
        what, number = _found(folder, caches)
        # A save that reported its end must be there; the next may be, if the kill came before its report.
        if number not in (last + reported, last + reported + 1):
            what = f"save {number} after save {last + reported} was reported: {what}"
        loaded[what] += 1
        if what not in ("A", "B", "none yet"):
            wrong.append(f"kill {kill}: {what}")
        last, finished = max(number, last + reported), finished + reported
    return {
        "kills": kills,
        "loaded A": loaded["A"],
        "loaded B": loaded["B"],
        "none yet": loaded["none yet"],
        "wrong": len(wrong),
        "what was wrong": wrong,
        "fresh folders": fresh,
        "saves that finished": finished,
        "stages": {stage: stages[stage] for stage in STAGES},
    }


def kill_at_every_call(base: Path, step: int = 1) -> dict:
    """One small save, killed before and after each call of a built-in function (with `step`, at every
    so-many-th).

    `in order` says whether the old cache was there up to one call and the new one from then on.
    """
    one = csr_matrix(np.eye(3, 4, dtype=np.float32))
    caches = {"A": (one, np.ones(4), ["a1", "a2", "a3"]), "B": (one * 2, np.full(4, 2.0), ["b1", "b2", "b3"])}
    save_encoded_corpus(base / "old", *caches["A"], {"save": 0})
    loaded = []
    for moment in range(1, 10**6, step):
        folder = base / f"moment {moment}"
        shutil.copytree(base / "old", folder)
        killed = _killed_at(moment, folder, caches["B"])
        loaded.append(_found(folder, caches)[0])
        shutil.rmtree(folder)
        if not killed:  # the save makes no more than that many calls
            break
    counts = {"old": loaded.count("A"), "new": loaded.count("B") - 1}
    wrong = [f"moment {1 + step * i}: {what}" for i, what in enumerate(loaded) if what not in ("A", "B")]
    counts |= {"wrong": len(wrong), "what was wrong": wrong}
    return {"kills": len(loaded) - 1, **counts, "in order": loaded == sorted(loaded)}


def page(found: dict) -> str:
    """The page `kill_cache.md`, made of nothing but `kill_cache.json`."""
    names = ("kills", "loaded A", "loaded B", "none yet", "wrong")
    every = found["every call"]
    lines = [
        "# The cache of encoded corpora: killed while it saves",
        "",
        "A process saves two known corpora, A and B, in turn to one folder. SIGKILL ends it at a random "
        f"moment within {WINDOW:g} times what a save takes at best; then the folder is loaded and every "
        f"array is compared. {found['fresh folders']} times the folder is a new one; else the process goes "
        "on where the one before was killed. It counts as wrong if what is loaded is neither A nor B, bit "
        "by bit; if there is no cache though one was saved before; and if it is older than the last save "
        "that was reported as finished.",
        "",
        "| kills | loaded A | loaded B | no cache yet | wrong |",
        "|--:|--:|--:|--:|--:|",
        f"| {' | '.join(f'{found[name]:,}' for name in names)} |",
        "",
        f"{found['saves that finished']:,} saves finished before their process was killed. Where the kills "
        "fell, as told from the files that they left:",
        "",
        "| what the kill left | kills |",
        "|---|--:|",
        *(f"| {stage} | {number:,} |" for stage, number in found["stages"].items()),
        "",
        f"Then a save of three documents was killed {every['kills']:,} times, before and after each call of "
        f"a built-in function: {every['old']:,} times the old cache was there, {every['new']:,} times the "
        f"new one, {every['wrong']:,} times something else. "
        + "Up to one call it was always the old one, from then on always the new one."
        * every["in order"],
        "",
        "A kill ends a process, not the computer. That files are flushed to the disk before the generation "
        "is renamed, which matters when the power fails, is in the code and is not shown by this.",
        "",
        f"Run once on {found['system']} with Python {found['python']}, numpy {found['numpy']}, scipy "
        f"{found['scipy']}, seed {found['seed']}. Written by `kill_cache.py`.",
    ]
    return "\n".join(lines) + "\n"


def _killed_writer(folder: Path, caches: dict[str, Cache], first: int, delay: float) -> int:
    """Forks a process that saves A and B in turn, kills it after `delay`, and returns how many saves it
    reported."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            _write_for_ever(folder, caches, first, writing)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(writing)
    os.read(reading, 1)  # it is about to begin
    time.sleep(delay)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    with open(reading, "rb") as pipe:
        reported = len(pipe.read())
    if not os.WIFSIGNALED(status):
        raise RuntimeError(f"the writer ended by itself in {folder}; its error stands above")
    return reported


def _killed_at(moment: int, folder: Path, cache: Cache) -> bool:
    """Forks a process that saves once and kills itself at its `moment`-th entry into, or return from, a
    built-in function."""
    pid = os.fork()
    if pid == 0:
        moments = iter(range(1, moment + 1))

        def count(frame: object, event: str, argument: object) -> None:
            if event in ("c_call", "c_return") and next(moments) == moment:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.setprofile(count)
            save_encoded_corpus(folder, *cache, {"save": 1})
            sys.setprofile(None)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise RuntimeError(f"the writer failed at moment {moment}")
    return os.WIFSIGNALED(status)


def _write_for_ever(folder: Path, caches: dict[str, Cache], number: int, report: int) -> None:
    os.write(report, b"b")
    while True:
        save_encoded_corpus(folder, *caches["AB"[number % 2]], {"save": number})
        os.write(report, b".")
        number += 1


def _found(folder: Path, caches: dict[str, Cache]) -> tuple[str, int]:
    """What is there, "A", "B", "none yet" or what is wrong with it, and the number of the save that wrote
    it."""
    try:
        matrix, idf, doc_ids = load_encoded_corpus(folder)
    except FileNotFoundError:
        return "none yet", 0
    except Exception as error:
        return f"{type(error).__name__}: {error}", -1
    number = json.loads((_newest(folder) / MANIFEST).read_text(encoding="utf-8"))["made_by"]["save"]
    letter = "AB"[number % 2]
    whole, whole_idf, whole_ids = caches[letter]
    same = matrix.shape == whole.shape and doc_ids == whole_ids and _same(idf, whole_idf)
    same = same and all(
        _same(getattr(matrix, name), getattr(whole, name)) for name in ("data", "indices", "indptr")
    )
    return (letter if same else f"a mixture where {letter} should be"), number


def _same(found: np.ndarray, expected: np.ndarray) -> bool:
    return found.dtype == expected.dtype and np.array_equal(found, expected)


def _newest(folder: Path) -> Path | None:
    """The generation that counts, None where there is none yet."""
    return max(folder.glob("generation-*"), default=None)


def _left(folder: Path) -> set[Path]:
    """What lies in the folder and does not count: older generations, and new ones that were not renamed."""
    return set(folder.iterdir()) - {_newest(folder)} if folder.is_dir() else set()


def _stage(folder: Path, leftovers: set[Path]) -> str:
    """One of `STAGES`, from what the killed save left; `leftovers` lay there before it began."""
    left = _left(folder) - leftovers
    begun = [path for path in left if path.name.startswith(".") and not _renamed(path)]
    if begun:  # there is one only
        return BY_FILES[sum(path.is_file() for path in begun[0].rglob("*"))]
    return RENAMED if left else NOTHING


def _renamed(partial: Path) -> bool:
    """Whether the generation that was written in this folder, `.generation-00000007.….partial`, lies beside
    it."""
    return partial.with_name(partial.name.split(".")[1]).exists()


def _seconds_of_a_save(folder: Path, caches: dict[str, Cache]) -> float:
    seconds = []
    for letter in "ABABAB":
        start = time.perf_counter()
        save_encoded_corpus(folder, *caches[letter])
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main() -> None:
    with tempfile.TemporaryDirectory() as base:
        found = {"seed": 0, **attack(KILLS, Path(base), seed=0), "every call": kill_at_every_call(Path(base))}
    found |= {"system": platform.system(), "python": platform.python_version()}
    found |= {"numpy": np.__version__, "scipy": scipy.__version__}
    (HERE / "kill_cache.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (HERE / "kill_cache.md").write_text(page(found), encoding="utf-8")
    print(page(found))
    sys.exit(1 if found["wrong"] or found["every call"]["wrong"] else 0)


if __name__ == "__main__":
    main()
