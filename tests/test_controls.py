"""A rewording needs a control: words of a page bring it back, whatever they mean and whether it is of use."""

from collections import Counter

import numpy as np
import pytest

from helpers.base.files import QUERIES
from helpers.datasets.labels import load_labels
from helpers.failures.controls import control_rewordings
from helpers.failures.report import analyze
from helpers.failures.rewordings import load_rewordings, words_by_formula, words_by_lot
from helpers.failures.system import System
from helpers.records import Dataset
from helpers.retrieval.retrievers import CsrBM25

CORPUS = {"d1": "downtime", "d2": "outage in town", "d3": "lunch"}
SWAPS = {("q1", "d1"): {"outage in town": "downtime"}}


def report(corpus=None, qrels=None, query="outage in town", k=1):
    dataset = Dataset(
        "toy", "test", corpus or CORPUS, {"q1": query}, {"q1": qrels or {"d1": 1}}, "written by hand"
    )
    return analyze(dataset, System("BM25", CsrBM25), k=k, changes={})


def test_the_words_of_a_page_find_it_and_those_of_a_useless_page_find_that_one():
    table = control_rewordings(report(), SWAPS)
    assert table.loc["as written"].isna().tolist() == [False, True], "nobody wrote words for a useless page"
    assert table.loc["by lot"].tolist() == table.loc["by formula"].tolist() == [1, 1]
    assert table.loc["none"].tolist() == [0, 0] and table.loc["as written", "missed"] == 1


def test_what_was_written_is_tried_even_where_it_does_not_help():
    table = control_rewordings(report(), {("q1", "d1"): {"outage in town": "never on the page"}}, draws=3)
    assert table["missed"].to_dict() == {"as written": 0, "by formula": 1, "by lot": 1, "none": 0}


@pytest.mark.parametrize("pair", [("q9", "d1"), ("q1", "gone")])
def test_a_report_without_a_reworded_page_that_has_text_cannot_be_controlled(pair):
    with pytest.raises(ValueError, match="none of the 2 missed documents has text and a rewording"):
        control_rewordings(report(qrels={"d1": 1, "gone": 1}), {pair: {"outage": "b"}})


@pytest.mark.parametrize("draws", [0, -1, 2.5, True])
def test_without_a_draw_there_is_no_control(draws):
    with pytest.raises(ValueError, match=f"draws is {draws}; needed a whole number"):
        control_rewordings(report(), SWAPS, draws=draws)


def test_as_many_words_are_drawn_as_were_written_and_each_once():
    rng, swaps = np.random.default_rng(0), {"outage": "the long stop", "town": "shop"}
    drawn = words_by_lot("pods restart and restart the shop", swaps, rng)
    assert len(set(drawn["outage"].split())) == 2 and len(drawn["town"].split()) == 1
    assert set(" ".join(drawn.values()).split()) <= {"pods", "restart", "shop"}
    assert words_by_lot("pods", swaps, rng)["outage"] == "pods", "no more than there are"
    told = words_by_formula("pods restart shop", "outage town", swaps, Counter(pod=2, restart=2, shop=2), 9)
    assert told == {"outage": "pods restart", "town": "shop"}


def test_a_page_that_was_missed_among_equals_does_not_come_back_by_an_order_of_its_own():
    corpus = {f"d{n:02}": "alpha" for n in range(20)}
    found = report(corpus, {"d01": 1}, "outage alpha", k=5)
    assert found.misses["rank"].tolist() == [19]
    assert (control_rewordings(found, {("q1", "d01"): {"outage": "alpha"}})["missed"] == 0).all()


def test_on_the_runbooks_a_formula_that_knows_no_meaning_does_better_than_the_written_words(runbooks):
    found = analyze(runbooks, System("BM25", CsrBM25), load_labels(QUERIES, runbooks.corpus), changes={})
    table = control_rewordings(found, load_rewordings())
    assert table.loc["by formula", "missed"] > table.loc["as written", "missed"]
    assert abs(table.loc["by lot", "missed"] - table.loc["by lot", "useless"]) < 0.1
    assert (table.loc["none"] < 0.2).all()
