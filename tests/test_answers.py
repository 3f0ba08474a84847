"""What a context holds, on cases counted by hand, and the scores that others give the same things."""

import json

import pytest

from helpers import datasets
from helpers.answers import (
    STAGES,
    ExtractiveAnswerer,
    assignment,
    context_scores,
    fill_context,
    nugget_scores,
    nugget_shares,
    passage_grade,
    ranked_precision,
    redundancy,
    sentence_spans,
    shown,
    stages,
    supporting,
)
from helpers.base import files
from helpers.datasets import Answer, LabelledQuery, Nugget
from helpers.text import load_stand_in

REFERENCES = json.loads((files.ROOT / "tests" / "data" / "answers" / "references.json").read_text())
CORPUS = {
    "d1": "Restart the relay. Then wait ten minutes. Lunch is at noon.",
    "d2": "The relay is restarted by hand. Nobody waits.",
}


def nugget(*quotes, importance="vital"):
    support = [{"doc_id": doc_id, "quote": quote} for doc_id, quote in quotes]
    return Nugget(text="a fact", importance=importance, support=support)


RESTART = nugget(("d1", "Restart the relay."), ("d2", "The relay is restarted by hand."))
WAIT = nugget(("d1", "wait ten minutes"))
LUNCH = nugget(("d1", "Lunch is at noon."), importance="okay")
ANSWER = Answer(query_id="q1", answer="Restart it and wait.", nuggets=[RESTART, WAIT, LUNCH])


def test_a_nugget_is_there_where_one_of_its_quotes_lies_whole_in_the_context():
    assert nugget_shares([RESTART, WAIT, LUNCH], [("d2", 0, 31)], CORPUS) == [1, 0, 0]
    assert nugget_shares([RESTART], [("d1", 0, 17)], CORPUS)[0] < 1  # the full stop is missing


def test_a_quote_that_two_pieces_show_together_is_whole():
    halves = [("d1", 0, 30), ("d1", 28, 41)]
    assert nugget_shares([WAIT], halves, CORPUS) == [1]
    assert supporting([WAIT], halves, CORPUS) == [False, False]


def test_the_same_words_on_another_page_are_not_the_quote():
    assert nugget_shares([WAIT], [("d2", 0, 45)], CORPUS) == [0]


def test_blanks_are_not_counted():
    (share,) = nugget_shares([WAIT], [("d1", 0, 28)], CORPUS)  # "wait" of "wait ten minutes"
    assert share == pytest.approx(4 / 14)


def test_nuggets_of_another_corpus_are_refused():
    with pytest.raises(ValueError, match="is not in document 'd1'; another corpus"):
        nugget_shares([WAIT], [("d1", 0, 5)], {"d1": "another text"})


@pytest.mark.parametrize(
    ("share", "called"),
    [(1.0, "support"), (0.99, "partial_support"), (0.5, "partial_support"), (0.49, "not_support")],
)
def test_half_a_quote_is_partial_support(share, called):
    assert assignment(share) == called


@pytest.mark.parametrize("case", REFERENCES["nuggetizer"], ids=range(12))
def test_scores_are_those_of_the_tracks_own_code(case):
    found = nugget_scores(
        [one["importance"] for one in case["nuggets"]], [one["assignment"] for one in case["nuggets"]]
    )
    for name in ("vital strict", "vital", "all strict", "all"):
        assert found[name] == pytest.approx(case[name], abs=1e-9)


def test_an_okay_nugget_weighs_half_a_vital_one():
    found = nugget_scores(["vital", "okay", "okay"], ["support", "partial_support", "not_support"])
    assert found["weighted"] == pytest.approx((1 + 0.5 * 0.5) / (1 + 0.5 + 0.5))
    assert found["weighted strict"] == pytest.approx(1 / 2)


def test_words_that_no_score_knows_are_refused():
    with pytest.raises(ValueError, match="importance is 'minor'; it can be 'vital' or 'okay'"):
        nugget_scores(["minor"], ["support"])
    with pytest.raises(ValueError, match="2 importances and 1 assignments"):
        nugget_scores(["vital", "okay"], ["support"])


@pytest.mark.parametrize("case", REFERENCES["ragas"], ids=range(12))
def test_ranked_precision_is_what_ragas_calls_context_precision(case):
    # RAGAS adds 1e-10 to what it divides by, so its 1 is 0.9999999999.
    found = ranked_precision([bool(verdict) for verdict in case["verdicts"]])
    assert found == pytest.approx(case["context precision"], abs=1e-9)


def test_a_context_is_scored_by_what_it_holds_where():
    found = context_scores(ANSWER, [("d1", 42, 59), ("d1", 0, 41)], CORPUS)  # lunch first
    assert found["sufficient"] == 1 and found["vital strict"] == 1 and found["all"] == 1
    assert (found["precision"], found["first"]) == (1, 1)
    found = context_scores(ANSWER, [("d2", 32, 45), ("d1", 0, 18)], CORPUS)
    assert found["sufficient"] == 0 and found["vital strict"] == 0.5
    assert (found["precision"], found["ranked precision"], found["first"]) == (0.5, 0.5, 2)
    empty = context_scores(ANSWER, [], CORPUS)
    assert empty["vital"] == empty["precision"] == empty["ranked precision"] == 0 and empty["first"] > 1e9


def test_what_overlaps_is_shown_once_and_paid_for_twice():
    context = [("d1", 0, 10), ("d1", 5, 15), ("d2", 0, 10)]
    assert shown(context) == {"d1": [(0, 15)], "d2": [(0, 10)]}
    assert redundancy(context) == pytest.approx(5 / 30)
    assert redundancy([]) == 0


def test_a_vital_nugget_goes_one_of_five_ways():
    context = [("d1", 0, 30)]  # "Restart the relay. Then wait t"
    found = stages([RESTART, WAIT, LUNCH], context, [("d1", 0, 18)], CORPUS)
    assert found == dict(zip(STAGES, (0, 1, 1, 0, 1), strict=True))
    assert stages([RESTART], context, [], CORPUS)["not picked"] == 1
    assert stages([WAIT], [("d2", 0, 10)], [], CORPUS)["no page"] == 1


def test_a_context_and_an_answer_in_exchanged_places_are_told(recwarn):
    nuggets, context, answer = [RESTART, WAIT], [("d1", 0, 41), ("d2", 0, 10)], [("d1", 0, 18)]
    for pieces in ([], answer, context, [*context, ("d2", 0, 31)]):  # whole sentences of cut pieces, too
        stages(nuggets, context, pieces, CORPUS)
    stages(nuggets, [], context, CORPUS)  # by heart
    stages(nuggets, [("d2", 0, 10)], answer, CORPUS)  # of another page than was read
    assert not recwarn.list
    with pytest.warns(UserWarning, match="shows all of the context and 1 nugget that it lacks; have the two"):
        assert stages(nuggets, answer, context, CORPUS)["answered"] == 2


def test_a_passage_has_the_grade_of_the_best_quote_that_it_holds_whole():
    judged = [
        {"doc_id": "d1", "grade": 1, "quote": "Lunch is at noon."},
        {"doc_id": "d2", "grade": 2, "quote": "Nobody waits."},
    ]
    about = {"query_id": "q1", "query": "?", "kind": "question", "relevant_doc_ids": ["d1", "d2"]}
    label = LabelledQuery.model_validate({**about, "judgments": judged})
    assert passage_grade(label, ANSWER, [("d1", 0, 18)], CORPUS) == 2  # a vital nugget
    assert passage_grade(label, ANSWER, [("d1", 42, 59)], CORPUS) == 1
    assert passage_grade(label, None, [("d2", 32, 45)], CORPUS) == 2
    assert passage_grade(label, None, [("d2", 32, 44)], CORPUS) == 0  # cut in two


def test_sentences_end_at_stops_before_capitals_and_at_line_ends():
    text = "Use v2.5 now. It e.g. waits.\n- one item\n\n| a | b |\n"
    assert [text[a:b] for a, b in sentence_spans(text)] == [
        "Use v2.5 now.",
        "It e.g. waits.",
        "- one item",
        "| a | b |",
    ]
    assert sentence_spans(" \n ") == []


def test_the_answerer_takes_what_fits_the_query_and_says_nothing_twice():
    corpus = CORPUS | {"d3": "Restart the relay. Now restart the relay. The relay hums at night."}
    orders = {}
    for closeness in (1, 0.3):
        said = ExtractiveAnswerer(corpus, load_stand_in(), closeness=closeness).answer(
            "restart the relay", [("d3", 0, len(corpus["d3"]))], budget=100
        )
        orders[closeness] = [corpus[doc_id][start:end] for doc_id, start, end in said]
    assert orders[1] == ["Restart the relay.", "Now restart the relay.", "The relay hums at night."]
    assert orders[0.3] == ["Restart the relay.", "The relay hums at night.", "Now restart the relay."]


def test_the_answerer_keeps_its_budget_and_passes_over_what_does_not_fit():
    answerer = ExtractiveAnswerer(CORPUS, load_stand_in())
    context = [("d1", 0, 59), ("d2", 0, 45)]
    encoding = load_stand_in()
    for budget in (1, 4, 8, 16, 100):
        said = answerer.answer("relay restart wait", context, budget)
        assert sum(len(encoding.encode(CORPUS[d][a:b])) for d, a, b in said) <= budget
    assert answerer.answer("relay", context, 1) == []
    assert answerer.answer("zebra", context, 100) == []


def test_every_sentence_of_an_answer_lies_in_the_context():
    answerer = ExtractiveAnswerer(CORPUS, load_stand_in())
    for doc_id, start, end in answerer.answer("relay", [("d1", 8, 30)], 100):
        assert doc_id == "d1" and start >= 8 and end <= 30


def test_a_budget_is_a_number_of_tokens():
    with pytest.raises(ValueError, match="budget is 0; needed a whole number of tokens"):
        fill_context([], load_stand_in(), 0)
    with pytest.raises(ValueError, match="closeness is 2"):
        ExtractiveAnswerer(CORPUS, load_stand_in(), closeness=2)


@pytest.fixture(scope="module")
def pages():
    return datasets.load_runbooks(queries="all").corpus


def test_the_record_of_written_queries_names_model_prompt_and_date(pages):
    about, written, passages = datasets.load_model_queries(pages)
    assert about["model"] == "Claude (Anthropic)" and about["date"] == "2026-11-22"
    assert "{passage}" in about["prompt"] and about["queries"] == len(written.queries) == 120
    assert len({doc_id for doc_id, _, _ in passages.values()}) == 120
    assert all(written.qrels[q] == {doc_id: 1} for q, (doc_id, _, _) in passages.items())


def test_no_written_query_is_a_judged_one(pages):
    judged = datasets.to_queries(datasets.runbook_labels("all", pages)).values()
    asked = {" ".join(query.lower().split()) for query in judged}
    written = datasets.load_model_queries(pages)[1].queries.values()
    assert not asked & {" ".join(query.lower().split()) for query in written}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{}"], "needed the record's own line"),
        (['{"about": {}}', '{"query_id": "m1", "query": "?", "doc_id": "d9"}'], "line 2: characters None"),
        (['{"about": {}}', "{"], "line 2: not valid JSON"),
    ],
)
def test_a_damaged_record_of_queries_is_refused_with_its_line(lines, message, tmp_path):
    path = tmp_path / "queries.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(ValueError, match=message):
        datasets.load_model_queries({"d1": "text"}, path)


@pytest.mark.parametrize("useful", [["0", "1"], [0.9, 0.1], [2, 0], [None], {True}])
def test_a_piece_is_useful_or_not(useful):
    with pytest.raises(ValueError, match="needed True or False, 1 or 0|give a list"):
        ranked_precision(useful)
    assert ranked_precision([0, 1.0]) == ranked_precision([False, True]) == 0.5


def test_a_piece_of_a_document_that_the_corpus_lacks_is_refused_and_no_zero():
    quote = {"doc_id": "d1", "quote": "by noon"}
    nuggets = [Nugget(text="It is due by noon.", importance="vital", support=[quote])]
    answer = Answer(query_id="q1", answer="By noon.", nuggets=nuggets)
    corpus = {"d1": "due by noon"}
    for ask in (
        lambda context: nugget_shares(nuggets, context, corpus),
        lambda context: context_scores(answer, context, corpus),
        lambda context: stages(nuggets, context, [], corpus),
        lambda context: supporting(nuggets, context, corpus),
    ):
        with pytest.raises(ValueError, match="'d1#0' is a piece of 'd1': give the document's id"):
            ask([("d1#0", 0, 11)])
        with pytest.raises(ValueError, match="has 'd9', which the corpus lacks; give the corpus that was"):
            ask([("d9", 0, 11)])
        ask([("d1", 0, 11)])
