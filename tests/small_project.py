"""A corpus of twelve lines, a project over it, and searches of its own that misbehave."""

import shlex

from programs import main

from helpers.records import Dataset
from helpers.retrieval import (
    CsrBM25,
)

CORPUS = {f"d{n}": f"word{n} of a cat and a dog" for n in range(12)}


QUERIES = {f"q{n}": f"word{n}" for n in range(12)}


QRELS = {f"q{n}": {f"d{n}": 1} for n in range(12)}


DATA = Dataset("toy", "test", CORPUS, QUERIES, QRELS, "by hand")


def right(queries):
    return {query_id: [(f"d{query_id[1:]}", 1.0)] for query_id in queries}


def right_run():
    return CsrBM25(CORPUS).search(QUERIES, 10)


NO_TEXT = b"yB\xbd\xf2!\n" + bytes(range(255, 0, -1))
"""Its first line alone could be an old code for accents."""


DISTANT = "\n".join(f"q0{n} Q0 d{n} 1 {n}.5 tag" for n in (1, 2))


SEARCHES = """
import asyncio
import os
from itertools import repeat


def nothing(query, k): return []
def endless(query, k): return repeat("d1")
def unordered(query, k): return {"d1", "d2"}
def undecided(query, k): return {"d1": 1.0, "d2": 1.0}
def alone(query): return []
async def later(query, k): return []
def breaks(query, k):
    yield "d1"
    raise KeyError("index")
class Unbound:
    def search(self, query, k): return []
class Number:
    def __float__(self): raise OSError("no number")
def unnumbered(query, k): return [("d1", Number())]
class Frame(list):
    columns = ["id"]
def frame(query, k): return Frame(["d1"])
def judge_alone(query): return 1
def judge_breaks(query, text): return {}["key"]
def judge_makes_up(query, text): return 2, "words of nobody"
def search(query, k): return ["d2", "d1"]
def stops(query, k): return next(iter(()))
def cancels(query, k): raise asyncio.CancelledError
def leaves(query, k): raise GeneratorExit
def closes(query, k):
    import os, sys
    print("looking")
    sys.stdout.close()
    os.chdir("/")
    return ["d2", "d1"]
def mixed(query, k): return ["d1", ("d2", 1.0)]
def judge_nothing(query, text): return 0
def ends(query, k): os._exit(0)
def judge_ends(query, text): os._exit(0)
def judge_stops(query, text): return next(iter(()))
def distances(query, k): return {f"d{n}": n for n in range(4)}
"""


def said_of(capsys, line):
    """The exit code of a command, what it printed and what it said on stderr."""
    capsys.readouterr()
    try:
        code = main(shlex.split(line))
    except SystemExit as stopped:
        code = stopped.code
    said = capsys.readouterr()
    assert "Traceback" not in said.err and "Input should" not in said.err
    return code, said.out, said.err


EVALUATE = "evaluate --corpus corpus --dataset datasets/gold.json --out reports/x.json --system"
