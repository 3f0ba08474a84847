"""The notes on misses: drawn by lot, written about pages that are relevant, and coded afterwards."""

import json
from functools import partial

import numpy as np
import pytest

from helpers.base import files
from helpers.datasets.labels import load_labels
from helpers.failures.system import System
from helpers.retrieval.retrievers import RankBM25
from helpers.text import tokens
from helpers.text.chunking import chunk_fixed

NOTES = [json.loads(line) for line in files.MISS_NOTES.read_text(encoding="utf-8").splitlines()]
OPEN, CHECK = ([note for note in NOTES if note["round"] == name] for name in ("open", "check"))


def test_thirty_were_noted_and_fifteen_others_read_afterwards(runbooks):
    assert (len(OPEN), len(CHECK), len(NOTES)) == (30, 15, 45)
    pairs = [(note["query_id"], note["doc_id"]) for note in NOTES]
    assert len(set(pairs)) == 45
    labels = {
        label.query_id: set(label.relevant_doc_ids) for label in load_labels(files.QUERIES, runbooks.corpus)
    }
    assert all(doc_id in labels[query_id] for query_id, doc_id in pairs)


def test_a_note_is_one_line_and_has_a_code():
    assert all(note["note"].strip() and "\n" not in note["note"] and len(note["note"]) < 250 for note in OPEN)
    assert all(note["codes"] and len(set(note["codes"])) == len(note["codes"]) for note in OPEN)
    assert {note["expected"] for note in CHECK} <= {"word form", "other words", "inference"}


def test_no_code_is_new_after_the_eighteenth_note():
    first = {code: number for number, note in reversed([*enumerate(OPEN, 1)]) for code in note["codes"]}
    assert len(first) == 9 and max(first.values()) == 18


def test_they_were_drawn_by_lot_from_what_the_baseline_misses(runbooks):
    encoding = tokens.encoding_or_stand_in()
    if encoding.name == tokens.STAND_IN_ENCODING:
        pytest.skip("the draw was from the misses of the baseline with cl100k_base")
    index = System("baseline", RankBM25, partial(chunk_fixed, encoding=encoding)).index(runbooks.corpus)
    run = index.search(runbooks.queries, k=10)
    missed = [
        (q, d)
        for q, grades in runbooks.qrels.items()
        for d, grade in grades.items()
        if grade > 0 and d not in dict(run[q])
    ]
    drawn = [missed[i] for i in np.random.default_rng(2024).permutation(len(missed))[:45]]
    assert drawn == [(note["query_id"], note["doc_id"]) for note in CHECK + OPEN]
