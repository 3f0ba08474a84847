"""Each cause on a collection so small that it is evident, and what its test then shows."""

from collections import Counter
from functools import partial
from math import inf

import pandas as pd
import pytest

from helpers.datasets.labels import LabelledQuery
from helpers.failures.causes import (
    Case,
    cause_of,
    is_cut_off,
    is_said_otherwise,
    unjudged_with_quote,
    why_outweighed,
)
from helpers.failures.counterfactuals import telling_words, without_term
from helpers.failures.report import analyze
from helpers.failures.search_setup import has_lost, tokens_needed, tokens_of_first
from helpers.failures.system import System
from helpers.records import Chunk, Dataset
from helpers.retrieval.retrievers import CsrBM25, RankBM25
from helpers.text import tokens
from helpers.text.analyzers import lucene_english, plain
from helpers.text.chunking import chunk_paragraphs
from helpers.text.words import shared_words

ENCODING = tokens.load_stand_in()
WHOLE, CUT = System("BM25", CsrBM25), System("BM25 over paragraphs", CsrBM25, chunk_paragraphs)


def dataset(corpus, grades, query):
    return Dataset("toy", "test", corpus, {"q1": query}, {"q1": grades}, "written by hand")


def label(query, quotes, grade=2):
    judgments = [{"doc_id": doc_id, "grade": grade, "quote": quote} for doc_id, quote in quotes.items()]
    return LabelledQuery(
        query_id="q1", query=query, relevant_doc_ids=list(quotes), kind="question", judgments=judgments
    )


def only_miss(report):
    assert len(report.misses) == 1
    return report.misses.iloc[0]


def missed(corpus, grades, query, quotes=None, system=WHOLE, **settings):
    labels = [label(query, quotes)] if quotes else None
    return only_miss(analyze(dataset(corpus, grades, query), system, labels, **settings))


def test_a_document_that_is_not_there_comes_back_when_its_quote_is_indexed():
    miss = missed(
        {"d2": "A page on disks."},
        {"d1": 2},
        "restart the relay",
        {"d1": "To restart, stop the relay first."},
    )
    assert (miss["cause"], miss["rank"], miss["evidence"]) == (
        "not in the corpus",
        inf,
        "d1 is not in the corpus",
    )
    assert (miss["counterfactual"], miss["rank after"], miss["back"]) == (
        "d1 indexed, made of the quote",
        1,
        True,
    )


def test_a_document_without_text_is_as_good_as_not_there():
    miss = missed({"d1": " \n", "d2": "A page on disks."}, {"d1": 1}, "restart the relay")
    assert (miss["cause"], miss["evidence"]) == ("not in the corpus", "d1 has no text")
    assert (miss["counterfactual"], miss["back"]) == ("d1 indexed, made of the words of the query", True)


def test_a_missing_document_whose_quote_lacks_the_querys_words_does_not_come_back():
    miss = missed({"d2": "The relay."}, {"d1": 2}, "restart the relay", {"d1": "Turn it off and on."})
    assert (miss["cause"], miss["rank after"], miss["back"]) == ("not in the corpus", inf, False)


def test_below_relevant_documents_only_k_is_too_small():
    corpus = {"d1": "relay relay", "d2": "relay of the outbox and more", "d3": "disk"}
    miss = missed(corpus, {"d1": 2, "d2": 1}, "relay", k=1)
    assert (miss["doc_id"], miss["cause"], miss["rank"]) == ("d2", "cut by the budget", 2)
    assert (miss["counterfactual"], miss["rank after"], miss["back"]) == ("k raised from 1 to 2", 2, True)


def test_a_document_within_k_can_be_beyond_the_tokens():
    corpus = {"d1": "relay relay relay", "d2": " relay of the outbox", "d3": "disk"}
    first, second = (len(tokens.encode(corpus[doc_id], ENCODING)) for doc_id in ("d1", "d2"))
    miss = missed(corpus, {"d1": 1, "d2": 1}, "relay", budget=first, encoding=ENCODING)
    assert (miss["doc_id"], miss["rank"], miss["cause"]) == ("d2", 2, "cut by the budget")
    assert (
        miss["evidence"]
        == f"at rank 2, but it takes {first + second} tokens of context, and {first} are allowed"
    )
    assert (miss["counterfactual"], miss["back"]) == (
        f"the budget raised from {first} to {first + second} tokens",
        True,
    )


def test_a_document_found_by_another_chunk_than_the_one_that_answers_is_not_cut_by_the_budget():
    corpus = {"d1": "The relay.\n\nTurn it off and on.", "d2": "disk relay"}
    miss = missed(corpus, {"d1": 2}, "the relay", {"d1": "Turn it off"}, CUT, budget=50, encoding=ENCODING)
    assert (miss["rank"], miss["cause"]) == (1, "lost in chunking")
    assert miss["evidence"] == "at rank 1 by another chunk; the one that answers is not found"
    assert (miss["counterfactual"], miss["back"]) == ("whole documents indexed", True)


def test_an_unjudged_document_above_that_holds_the_quote_points_at_the_labels():
    corpus = {
        "d1": "stop the relay, and much more text about other things",
        "d2": "Stop the  RELAY!",
        "d3": "disk",
    }
    miss = missed(corpus, {"d1": 2}, "stop relay", {"d1": "stop the relay"}, k=1)
    assert (miss["cause"], miss["by"]) == ("possible label error", "d2")
    assert (miss["counterfactual"], miss["rank after"], miss["back"]) == ("d2 counted as relevant", 1, True)


def test_a_judged_document_that_holds_the_quote_is_no_label_error():
    corpus = {
        "d1": "stop the relay, and much more text about other things",
        "d2": "Stop the  RELAY!",
        "d3": "disk",
    }
    miss = missed(corpus, {"d1": 2, "d2": 0}, "stop relay", {"d1": "stop the relay"}, k=1)
    assert (miss["cause"], miss["by"]) == ("outweighed", "d2")


def with_outdated(corpus, **settings):
    """The miss of d1, where d2 answered once and is judged so."""
    one = label("stop relay", {"d1": "stop the relay"})
    old = {"doc_id": "d2", "grade": 0, "quote": "Stop the relay", "superseded": True}
    one = LabelledQuery.model_validate(
        {**one.model_dump(), "judgments": [*one.model_dump()["judgments"], old]}
    )
    return only_miss(analyze(dataset(corpus, {"d1": 2, "d2": 0}, "stop relay"), WHOLE, [one], **settings))


def test_an_outdated_page_above_is_the_cause_where_without_it_the_current_one_is_found():
    corpus = {"d1": "To stop the relay, ask first", "d2": "Stop the relay", "d3": "disk"}
    miss = with_outdated(corpus, k=1)
    assert (miss["cause"], miss["by"]) == ("outdated page above", "d2")
    assert miss["evidence"] == "d2, at rank 1, out of date; without what is out of date d1 would be at rank 1"
    assert (miss["counterfactual"], miss["rank after"], miss["back"]) == ("without d2", 1, True)


def test_an_outdated_page_is_not_to_blame_for_what_would_be_missed_without_it():
    corpus = {"d1": "To stop the relay, ask first", "d2": "Stop the relay", "d3": "stop relay", "d4": "disk"}
    assert with_outdated(corpus, k=1)["cause"] == "outweighed"


def test_words_that_the_cut_parts_find_the_whole_document():
    corpus = {
        "d1": "The relay of the outbox.\n\nTo restart it, stop both pods.",
        "d2": "restart pods",
        "d3": "disk",
    }
    miss = missed(corpus, {"d1": 2}, "restart relay pods", {"d1": "stop both pods"}, CUT, k=1)
    assert miss["cause"] == "lost in chunking"
    assert (
        miss["evidence"]
        == "its best chunk lacks 'restart', 'pods', found in its other chunks; whole, d1 is at rank 1"
    )
    assert (miss["rank after"], miss["back"]) == (1, True)


def test_text_that_is_in_no_chunk_is_lost_in_chunking():
    def only_first_line(text):
        return [Chunk("", 0, line, 0, len(line)) for line in text.splitlines()[:1]]

    corpus = {"d1": "A title\nRestart the relay.", "d2": "relay", "d3": "disk"}
    system = System("BM25 over titles", CsrBM25, only_first_line)
    miss = missed(corpus, {"d1": 2}, "restart the relay", {"d1": "Restart the relay."}, system)
    assert (miss["cause"], miss["evidence"]) == ("lost in chunking", "the quote is not in the chunks of d1")
    assert (miss["counterfactual"], miss["rank after"], miss["back"]) == ("whole documents indexed", 1, True)


def test_what_whole_documents_do_not_bring_back_was_not_lost_in_chunking():
    corpus = {"d1": "A title.\n\nDowntime of the relay.", "d2": "outage", "d3": "disk"}
    assert missed(corpus, {"d1": 2}, "outage", {"d1": "Downtime"}, CUT, k=1)["cause"] == "vocabulary gap"


def test_another_word_for_the_same_is_a_vocabulary_gap_and_that_word_brings_it_back():
    corpus = {"d1": "Downtime of the shop", "d2": "outage insurance", "d3": "downtime", "d4": "disk"}
    miss = missed(corpus, {"d1": 2}, "outage", {"d1": "Downtime of the shop"})
    assert (miss["cause"], miss["rank"]) == ("vocabulary gap", inf)
    assert miss["evidence"] == "the paragraph that answers has none of the query's content words 'outage'"
    assert (miss["counterfactual"], miss["back"]) == ("'downtime' put into the query", True)


def test_stopwords_are_no_overlap():
    corpus = {"d1": "what was with the downtime", "d2": "what was the outage", "d3": "disk"}
    assert (
        missed(corpus, {"d1": 1}, "what was the outage", k=1, system=System("plain", RankBM25))["cause"]
        == "vocabulary gap"
    )


def test_less_than_half_of_what_was_asked_is_no_common_language():
    assert is_said_otherwise("people waiting for boxes", "People stand.")  # 1 of 3
    assert not is_said_otherwise("people waiting for boxes and tape", "People with tape.")  # 2 of 4
    assert is_said_otherwise("why and how?", "Why and how.")  # no content word at all


def test_words_are_the_same_if_the_system_reads_them_so():
    query, passage = "renew certificates", "Renewing a certificate"
    assert shared_words(query, passage) == ["renew", "certificates"]
    assert is_said_otherwise(query, passage, plain) and not is_said_otherwise(query, passage, lucene_english)


def test_an_analyzer_of_any_kind_may_say_which_words_are_the_same():
    def trigrams(text):
        return [word[i : i + 3] for word in plain(text) for i in range(len(word) - 2)]

    corpus = {"d1": "foobarbaz", "d2": "bar bar bar bar", "d3": "bar bar", "d4": "disk"}
    miss = missed(
        corpus, {"d1": 1}, "bar", k=1, system=System("trigrams", partial(CsrBM25, analyzer=trigrams))
    )
    assert (miss["cause"], miss["rank"]) == ("outweighed", 3)


def test_another_ending_is_a_gap_for_a_system_without_stems_and_none_for_one_with():
    corpus = {
        "d1": "Renewing a certificate and more",
        "d2": "renew certificate",
        "d3": "renewed certificate",
        "d4": "disk",
    }
    quoted = {"d1": "Renewing a certificate"}
    without = missed(
        corpus | {"d5": "pods"},
        {"d1": 1},
        "replace, renew a certificate",
        quoted,
        System("plain", RankBM25),
        k=1,
    )
    assert without["cause"] == "vocabulary gap"
    assert without["evidence"] == (
        "the paragraph that answers has only 'certificate' of the query's 3 content words; "
        "it has 'renew' as 'renewing', to the system another word"
    )
    assert missed(corpus, {"d1": 1}, "replace, renew a certificate", quoted, k=1)["cause"] == "outweighed"


def test_a_document_that_the_system_cannot_read_is_a_vocabulary_gap_of_endings():
    corpus = {
        "d1": "Connections of the pool",
        "d2": "one connection",
        "d3": "disk",
        "d4": "disk",
        "d5": "disk connections",
    }
    miss = missed(corpus, {"d1": 1}, "connection", system=System("plain", RankBM25))
    assert (miss["cause"], miss["rank"]) == ("vocabulary gap", inf)
    assert miss["evidence"].endswith("it has 'connection' as 'connections', to the system another word")
    assert (miss["counterfactual"], miss["back"]) == ("'connections' put into the query", True)


def test_a_shared_word_without_weight_is_named():
    corpus = {
        "d1": "certificate",
        "d2": "pods certificate",
        "d3": "disk",
        "d4": "pods",
    }  # rank-bm25: idf 0 where half have it
    miss = missed(corpus, {"d1": 1}, "certificate", system=System("plain", RankBM25))
    assert miss["evidence"] == "the document shares 'certificate', but the system gives that no weight"
    assert (miss["cause"], miss["back"]) == ("vocabulary gap", False)


def test_a_gap_that_three_words_do_not_close_is_reported_as_it_is():
    corpus = {
        "d1": "Downtime",
        "d2": "downtime downtime",
        "d3": "outage outage",
        "d4": "outage downtime",
        "d5": "disk",
        "d6": "disk",
    }
    miss = missed(corpus, {"d1": 1}, "outage", k=1)
    assert (miss["cause"], miss["counterfactual"], miss["back"]) == (
        "vocabulary gap",
        "'downtime' put into the query",
        False,
    )


def test_a_quote_without_words_gives_nothing_to_put_in():
    miss = missed({"d1": "137", "d2": "outage", "d3": "disk"}, {"d1": 1}, "outage", k=1)
    assert (miss["cause"], miss["back"]) == ("vocabulary gap", False)
    assert miss["counterfactual"].startswith("no word to put in")


def test_a_word_that_the_answer_lacks_outweighs_it_and_without_that_word_it_is_back():
    corpus = {"d1": "relay relay relay of the outbox", "d2": "quarterly relay", "d3": "disk", "d4": "disk"}
    miss = missed(corpus, {"d1": 2, "d2": 0}, "quarterly relay", k=1)
    assert (miss["cause"], miss["by"]) == ("outweighed", "d2")
    assert miss["evidence"] == (
        "the document shares 'relay', but d2, at rank 1 and judged not relevant, leads by 'quarterly', "
        "which d1 lacks"
    )
    assert miss["counterfactual"] == "'quarterly' taken out of the query, which leaves 'relay'"
    assert (miss["rank after"], miss["back"]) == (1, True)


def test_an_answer_that_is_outweighed_by_more_than_words_does_not_come_back():
    corpus = {
        "d1": "relay outbox" + " and more things" * 30,
        "d2": "quarterly relay",
        "d3": "disk",
        "d4": "disk",
    }
    miss = missed(corpus, {"d1": 2, "d2": 0}, "quarterly relay", k=1)
    assert (miss["cause"], miss["counterfactual"]) == (
        "outweighed",
        "'quarterly' taken out of the query, which leaves 'relay'",
    )
    assert (miss["rank after"], miss["back"]) == (2, False)


@pytest.mark.parametrize(
    ("answer", "other", "reason"),
    [
        (
            "relay in short",
            "relay relay relay relay" + " pod" * 5,
            "is longer: it has 'relay' 4 times in 9 terms, d1 1 in 2",
        ),
        (
            "relay in short form",
            "relay relay relay",
            "is more repetitive: it has 'relay' 3 times in 3 terms, d1 1 in 3",
        ),
        (
            "relay in other chunks",
            "relays relays",
            "is more repetitive: it has 'relay' 2 times in 2 terms, d1 1 in 3",
        ),
    ],
)
def test_a_document_outweighs_by_length_or_by_repetition(answer, other, reason):
    miss = missed({"d1": answer, "d2": other, "d3": "disk", "d4": "disk"}, {"d1": 2}, "relay", k=1)
    assert miss["evidence"] == f"the document shares 'relay', but d2, at rank 1 and not judged, {reason}"


def test_of_equal_scores_the_higher_doc_id_outweighs():
    miss = missed({"d1": "relay", "d2": "relay", "d3": "disk"}, {"d1": 2}, "relay", k=1)
    assert miss["evidence"].endswith("has the same score, and of equal ones the higher doc_id goes first")


def test_a_word_with_another_ending_is_not_called_off_topic():
    corpus = {
        "d1": "Renewing a certificate for the relay",
        "d2": "renew a certificate",
        "d3": "disk",
        "d4": "disk",
        "d5": "disk",
    }
    miss = missed(corpus, {"d1": 2}, "renew certificate", k=1, system=System("plain", RankBM25))
    assert miss["evidence"].endswith("has 'renew' itself, which d1 has in another form ('renewing')")


def test_a_word_of_another_chunk_is_not_called_off_topic():
    corpus = {
        "d1": "Renew it. " + "And so on. " * 9 + "\n\nA certificate for the relay",
        "d2": "renew a certificate",
        "d3": "disk",
    }
    miss = missed(corpus, {"d1": 2}, "renew certificate", {"d1": "A certificate for the relay"}, CUT, k=1)
    assert miss["evidence"].endswith("has 'renew', which d1 has only in other chunks")


def test_without_a_content_word_nothing_is_left_to_ask():
    miss = missed(
        {"d1": "relay " + "and more things " * 9, "d2": "relay", "d3": "disk"}, {"d1": 1}, "the relay", k=1
    )
    assert (miss["cause"], miss["by"], miss["back"]) == ("outweighed", "d2", False)
    assert miss["evidence"].endswith("is shorter: in 1 terms 'relay' counts for more than in 19")
    assert miss["counterfactual"] == "no term to remove: no content word would be left"


class Opaque:
    """A retriever whose scores say nothing of terms, as a dense one's."""

    def __init__(self, corpus):
        self.inner = CsrBM25(corpus)

    def search(self, queries, k):
        return self.inner.search(queries, k)


def test_a_retriever_that_does_not_explain_its_scores_still_has_a_culprit():
    corpus = {"d1": "relay and more", "d2": "relay relay", "d3": "disk"}
    miss = missed(corpus, {"d1": 1}, "relay", k=1, system=System("opaque", Opaque))
    assert (miss["cause"], miss["by"], miss["back"]) == ("outweighed", "d2", False)
    assert (
        miss["evidence"] == "the document shares 'relay', but d2, at rank 1 and not judged, stands above it"
    )
    assert miss["counterfactual"] == "no term to remove: this retriever does not explain its scores"


@pytest.mark.parametrize(
    ("tf_a", "tf_b", "difference", "lengths", "kind"),
    [
        (1, 0, 0.5, (9, 9), "off-topic"),
        (3, 1, 0.5, (9, 5), "longer"),
        (3, 1, 0.5, (9, 9), "more repetitive"),
        (1, 1, 0.5, (5, 9), "shorter"),
        (1, 1, 0.0, (9, 9), "tied"),
    ],
)
def test_the_term_that_decides_says_in_which_way_a_document_wins(tf_a, tf_b, difference, lengths, kind):
    frame = pd.DataFrame({"tf a": [tf_a], "tf b": [tf_b], "difference": [difference]}, index=["relay"])
    frame.attrs["dl"] = lengths
    assert why_outweighed(frame) == (kind, "relay")


FACTS = {"grade": 1, "grades": {"d1": 1}, "rank": 2, "above": ["d2"], "k": 1, "text": "the relay stops"}
FACTS |= {"query_id": "q1", "kind": "", "query": "relay", "doc_id": "d1", "passage": "relay"}


def test_the_first_cause_that_holds_is_the_cause():
    """The same miss with one fact more each time: what was asked earlier wins."""
    corpus = {"d1": "the relay stops", "d2": "the relay stops"}

    def cause(**more):
        case = Case(**{**FACTS, "quote": "the relay stops", **more})
        return cause_of(case, corpus, lambda query, by, doc_id: None).name

    judged = {"d1": 1, "d2": 0}
    assert cause(grades=judged) == "outweighed"
    assert cause(grades=judged, passage="pods") == "vocabulary gap"
    assert cause(grades=judged, passage="pods", whole_rank=1) == "lost in chunking"
    assert cause(passage="pods", whole_rank=1) == "possible label error"
    assert cause(grades={"d1": 1, "d2": 1}, passage="pods", whole_rank=1) == "cut by the budget"
    assert cause(grades={"d1": 1, "d2": 1}, passage="pods", whole_rank=1, text="") == "not in the corpus"


def test_nothing_above_is_nothing_but_relevant_above():
    assert is_cut_off(Case(**{**FACTS, "above": []}))
    assert is_cut_off(Case(**{**FACTS, "grades": {"d1": 1, "d2": 1}}))
    assert not is_cut_off(Case(**{**FACTS, "grades": {"d1": 1, "d2": 0}})) and not is_cut_off(Case(**FACTS))


def test_half_a_word_is_not_the_quote_and_an_empty_quote_is_nowhere():
    corpus = {"d2": "unstop the relays"}
    assert unjudged_with_quote("stop the relay", ["d2"], {}, corpus) is None
    assert unjudged_with_quote("", ["d2"], {}, corpus) is None


def test_tokens_are_counted_until_the_last_of_the_quote_is_in_the_context():
    ranked = [
        Chunk("d2", 0, " one two", 0, 8),
        Chunk("d1", 0, " one two", 0, 8),
        Chunk("d1", 1, " two three", 4, 14),
    ]
    assert tokens_needed(ranked, "d1", (1, 4), ENCODING) == 2 + 1
    assert tokens_needed(ranked, "d1", (1, 14), ENCODING) == 2 + 2 + 2
    assert tokens_needed(ranked, "d1", None, ENCODING) == 2 + 2
    assert tokens_needed(ranked, "d2", (1, 14), ENCODING) == inf
    assert [tokens_of_first(ranked, k, ENCODING) for k in (1, 2)] == [2, 6]


def test_blanks_between_chunks_are_no_loss():
    text = "One.  Two."
    chunks = [Chunk("d1", 0, "One.", 0, 4), Chunk("d1", 1, "Two.", 6, 10)]
    assert not has_lost(chunks, text, (0, 10))
    assert has_lost(chunks[:1], text, (0, 10))
    assert has_lost([], text, None) and not has_lost(chunks[:1], text, None)


def test_the_words_put_in_are_those_that_tell_the_document_and_not_its_own_alone():
    df = Counter(relai=3, outbox=2, zanzibar=1)
    assert telling_words("Zanzibar relay outbox 137", "relay relay relay outbox", "pods", df, 9) == [
        "relay",
        "outbox",
        "zanzibar",
    ]


def test_a_term_is_taken_out_in_all_its_forms():
    assert without_term("Pods and pod-killers: the pod!", "pod", lucene_english) == "and -killers: the"
