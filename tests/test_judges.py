"""Judges: what the computed ones say, what one at an address is asked and costs, and what was recorded."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import nbformat
import numpy as np
import pandas as pd
import pytest

from helpers import datasets
from helpers.base import files
from helpers.encoders import bundled_model
from helpers.judgments import (
    JUDGES,
    ChatJudge,
    CosineJudge,
    OverlapJudge,
    load_verdicts,
    verdict_table,
    write_verdicts,
)
from helpers.judgments.judges import PROMPT


class Server(HTTPServer):
    """A stand-in for a chat server: answers from a list, and keeps what it was asked."""

    replies: list
    asked: list


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers.get("Authorization"), body))
        status, said = self.server.replies.pop(0) if self.server.replies else (200, "0")
        answer = said
        if isinstance(said, str):
            usage = {"prompt_tokens": 100, "completion_tokens": 2}
            message = {"role": "assistant", "content": said}
            answer = {"choices": [{"index": 0, "message": message}], "usage": usage}
        payload = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server():
    server = Server(("127.0.0.1", 0), Handler)
    server.replies, server.asked = [], []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def judge(server, monkeypatch):
    monkeypatch.setattr(ChatJudge, "pause", 0.0)
    return ChatJudge(f"http://127.0.0.1:{server.server_port}/v1/", "toy", prices=(3.0, 15.0), timeout=5)


def test_a_chat_judge_asks_by_the_protocol_and_counts_what_it_costs(server, judge):
    server.replies = [(200, "2"), (200, "Verdict: 1.")]
    assert judge([("restart?", "Restart {passage} it."), ("why?", "x")]) == [2, 1]
    path, _, body = server.asked[0]
    assert path == "/v1/chat/completions" and body["model"] == "toy" and body["temperature"] == 0
    asked = body["messages"][0]["content"]
    assert asked == PROMPT.replace("{query}", "restart?").replace("{passage}", "Restart {passage} it.", 1)
    assert (judge.requests, judge.prompt_tokens, judge.answer_tokens) == (2, 200, 4)
    assert judge.cost == pytest.approx((200 * 3 + 4 * 15) / 1e6) and judge.seconds > 0


def test_a_pair_is_asked_once(server, judge):
    server.replies = [(200, "2")]
    assert judge([("a", "b"), ("a", "b")]) == judge([("a", "b")]) * 2 == [2, 2]
    assert judge.requests == 1


def test_a_server_that_is_busy_is_asked_three_times(server, judge):
    server.replies = [(429, "x"), (503, "x"), (200, "1")]
    assert judge([("a", "b")]) == [1] and judge.requests == 3
    server.replies = [(500, "x")] * 3
    with pytest.raises(OSError, match=r"pair 0: .* gave no answer \(status 500\)"):
        judge([("a", "c")])


def test_a_refusal_that_will_not_pass_is_not_tried_again(server, judge):
    server.replies = [(401, "x")]
    with pytest.raises(OSError, match="status 401"):
        judge([("a", "b")])
    assert judge.requests == 1


def test_what_was_answered_before_a_failure_is_kept(server, judge):
    server.replies = [(200, "2"), (400, "x")]
    with pytest.raises(OSError, match="pair 1"):
        judge([("a", "b"), ("a", "c")])
    server.replies = [(200, "1")]
    assert judge([("a", "b"), ("a", "c")]) == [2, 1] and judge.requests == 3


@pytest.mark.parametrize("said", ["relevant", "7", "0.5", "v2", ""])
def test_an_answer_without_a_verdict_is_an_error_and_no_zero(server, judge, said):
    server.replies = [(200, said)]
    with pytest.raises(ValueError, match="needed a digit from 0 to 2"):
        judge([("a", "b")])


def test_what_is_no_chat_completion_is_refused(server, judge):
    server.replies = [(200, {"error": "no such model"})]
    with pytest.raises(ValueError, match="sent no chat completion: .*no such model"):
        judge([("a", "b")])


def test_a_server_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(ChatJudge, "pause", 0.0)
    with pytest.raises(OSError, match=r"pair 0: http://127.0.0.1:9/v1/chat/completions gave no answer"):
        ChatJudge("http://127.0.0.1:9/v1", "toy", timeout=1)([("a", "b")])


def test_a_key_comes_from_the_environment(server, judge, monkeypatch):
    judge.key = "TOY_KEY"
    monkeypatch.delenv("TOY_KEY", raising=False)
    with pytest.raises(ValueError, match="the environment has no TOY_KEY"):
        judge([("a", "b")])
    monkeypatch.setenv("TOY_KEY", "abc")
    judge([("a", "b")])
    assert server.asked[-1][1] == "Bearer abc"


def test_a_prompt_without_a_place_for_both_texts_is_refused():
    with pytest.raises(ValueError, match="lacks {query} or {passage}"):
        ChatJudge("http://x", "toy", prompt="{query}?")


def test_overlap_counts_rare_words_for_more_and_every_word_once():
    judge = OverlapJudge({"d1": "relay relay disk", "d2": "relay", "d3": "noon"})
    (common, rare, whole, none) = judge(
        [
            ("relay disk", "relay"),
            ("relay disk", "disk disk"),
            ("relay disk", "disks, relays"),
            ("the", "the"),
        ]
    )
    assert common < 0.5 < rare < whole == 1 and none == 0


def test_a_judge_is_counted_by_grade_and_as_yes_or_no():
    counts, found = verdict_table([2, 2, 1, 0, 0, 0], [2, 1, 0, 0, 1, 0])
    assert counts.to_numpy().tolist() == [[2, 1, 0], [1, 0, 0], [0, 1, 1]]
    assert (found["found"], found["wrong"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert (found["says"], found["truth"]) == (0.5, 0.5)
    with pytest.raises(ValueError, match="needed two lists of the same length"):
        verdict_table([1], [1, 0])


@pytest.fixture(scope="module")
def collection():
    every, unanswered = (datasets.load_runbooks(queries=name) for name in ("all", "unanswered"))
    return every.corpus, every.queries | unanswered.queries


@pytest.fixture(scope="module")
def recorded(collection):
    return load_verdicts(*collection)


def test_the_record_names_model_prompt_and_date_and_holds_what_it_says(recorded):
    about, found = recorded
    assert (about["model"], about["date"], about["prompt"]) == ("Claude (Anthropic)", "2026-11-22", PROMPT)
    assert len(found) == about["pairs"] == 1109
    assert found["query_id"].nunique() == 90
    assert found["language model"].value_counts().to_dict() == {0: 758, 1: 166, 2: 185}
    assert not found.duplicated(["query_id", "doc_id", "start"]).any()


def test_the_first_five_of_four_systems_are_judged_whole(recorded):
    _, found = recorded
    systems = [name for name in found if name.startswith("rank: ")]
    assert len(systems) == 4
    for name in systems:
        ranks = found.dropna(subset=[name]).groupby("query_id")[name].apply(lambda one: sorted(one))
        assert len(ranks) == 90 and all(one == [1, 2, 3, 4, 5] for one in ranks)


def test_the_computed_verdicts_come_out_again(recorded, collection):
    _, found = recorded
    corpus, queries = collection
    some = found.iloc[::25]
    pairs = [
        (queries[q], corpus[d][start:end])
        for q, d, start, end in zip(some["query_id"], some["doc_id"], some["start"], some["end"], strict=True)
    ]
    for judge, name in (
        (CosineJudge(bundled_model("runbooks")), "cosine"),
        (OverlapJudge(corpus), JUDGES[2]),
    ):
        assert judge(pairs) == pytest.approx(some[name].tolist(), abs=1e-4)


def test_verdicts_on_other_texts_are_refused(collection, tmp_path):
    corpus, queries = collection
    path = tmp_path / "verdicts.jsonl"
    row = {"query_id": "q03", "doc_id": "doc_001", "start": 0, "end": 20, "ranks": {"BM25": 1}}
    row |= dict.fromkeys(JUDGES, 1)
    write_verdicts({"model": "toy"}, [row], corpus, queries, path)
    about, found = load_verdicts(corpus, queries, path)
    assert about["pairs"] == 1 and found["rank: BM25"].tolist() == [1]
    with pytest.raises(ValueError, match="are not those that were judged"):
        load_verdicts(corpus | {"doc_001": "x" * 50}, queries, path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[1].replace('"cosine"', '"cos"')]))
    with pytest.raises(ValueError, match="line 2: needed query_id, doc_id"):
        load_verdicts(corpus, queries, path)
    path.write_text("{}")
    with pytest.raises(ValueError, match="needed the record's own line"):
        load_verdicts(corpus, queries, path)


def test_nothing_but_tests_and_readers_asks_a_model():
    # The recorded verdicts are read; a model is asked only where somebody gives an address.
    for path in sorted((files.ROOT / "notebooks").glob("09*.ipynb")):
        code = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
        assert code and not any("ChatJudge" in source for source in code)


def test_labels_and_verdicts_with_an_index_are_paired_by_it():
    gold, verdicts = pd.Series([0, 1, 2], index=list("abc")), pd.Series([2, 1, 0], index=list("cba"))
    counts, found = verdict_table(gold, verdicts)
    assert found["kappa"] == 1 and counts.to_numpy().diagonal().tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="gold and verdicts are Series that cannot be paired by index"):
        verdict_table(gold, verdicts.rename({"a": "d"}))
    with pytest.raises(ValueError, match="the grades of gold are a set; give a list"):
        verdict_table({0, 1}, [0, 1])


NO_PAIRS = [
    (("a", "aa"), "pair 0 is 'a'"),
    ([("a", "aa"), ("outage", None)], r"pair 1 is \('outage', None\)"),
    ([["a", "aa", 2]], r"pair 0 is \('a', 'aa', 2\)"),
    ([{"query": "a", "passage": "aa"}], "pair 0 is {'query': 'a'"),
    (pd.DataFrame({"query": ["a"], "passage": ["aa"]}), "a table with the columns query, passage"),
    ({"a": "aa"}, "pairs are a dict"),
]


@pytest.mark.parametrize(("pairs", "message"), NO_PAIRS)
def test_every_judge_names_the_pair_that_is_none(pairs, message):
    judges = (CosineJudge(Letters()), OverlapJudge({"d1": "aa"}), ChatJudge("http://localhost:9/v1", "m"))
    for judge in judges:
        named = f"{type(judge).__name__}: .*{message}.*; needed a list of .query, passage., both of them text"
        with pytest.raises(ValueError, match=named):
            judge(pairs)


def test_pairs_may_be_lists_or_come_one_by_one():
    rows = [["a", "aa"], ["a", "b"]]
    for pairs in (rows, np.array(rows), zip("aa", ["aa", "b"], strict=True)):
        assert CosineJudge(Letters())(pairs) == [1, 0]


class Letters:
    def encode(self, texts):
        return [[text.count("a"), text.count("b")] for text in texts]


@pytest.mark.parametrize(
    "judge", [OverlapJudge({"d": "a"}), CosineJudge(None), ChatJudge("http://x/v1", "m")]
)
def test_queries_and_passages_in_two_lists_are_to_be_one_list_of_pairs(judge):
    words = rf"{type(judge).__name__} was given 2 arguments; .* list\(zip\(queries, passages\)\)"
    with pytest.raises(ValueError, match=words):
        judge(["a cat", "b"], ["aa", "bb"])


@pytest.mark.parametrize("secret", ["sk-abc123", "AKIAIOSFODNN7EXAMPLE", "sk_live_51H", "0a1b2c3d"])
def test_a_key_in_place_of_the_name_of_its_variable_is_never_shown(secret):
    with pytest.raises(ValueError, match="key= takes the name of a variable") as said:
        ChatJudge("http://localhost:9/v1", "m", key=secret)([("q", "p")])
    assert secret not in str(said.value)
    with pytest.raises(ValueError, match="the environment has no MY_JUDGE_KEY; set it to the key of"):
        ChatJudge("http://localhost:9/v1", "m", key="MY_JUDGE_KEY")([("q", "p")])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": None}, "model is None; needed the name by which the server knows it"),
        ({"prices": 0.5}, "prices are 0.5; needed two numbers"),
        ({"prices": ("0.1", "0.4")}, "prices are .*; needed two numbers"),
        ({"prices": (0.1, -1)}, "prices are .*; needed two numbers"),
        ({"timeout": "60"}, "timeout is '60'; needed a number of seconds, above 0"),
        ({"timeout": 0}, "timeout is 0; needed a number of seconds, above 0"),
    ],
)
def test_a_model_is_asked_with_settings_that_can_be_used(options, words):
    with pytest.raises(ValueError, match=words):
        ChatJudge(**{"url": "http://localhost:9/v1", "model": "m", **options})


def test_words_are_weighed_by_a_corpus_that_has_some():
    with pytest.raises(ValueError, match="corpus holds no document"):
        OverlapJudge({})


@pytest.mark.parametrize(
    "url", ["http://x/v1 ", "http://x:port/v1", "http://", "http://x/v1\n", "http://x/ü"]
)
def test_an_address_that_is_none_is_refused_before_anything_is_asked(url):
    with pytest.raises(ValueError, match="url is '.*; needed one that begins so: http://localhost:8000/v1"):
        ChatJudge(url, "m")


@pytest.mark.parametrize("secret", ["sk-secret\r", "sk–secret", "sk secret"])
def test_a_key_that_cannot_be_sent_is_refused_without_being_shown(secret, monkeypatch):
    monkeypatch.setenv("MY_JUDGE_KEY", secret)
    with pytest.raises(
        ValueError, match="the key in MY_JUDGE_KEY holds what no key has: .*; copy it anew"
    ) as said:
        ChatJudge("http://localhost:9/v1", "m", key="MY_JUDGE_KEY")([("q", "p")])
    assert "secret" not in str(said.value)


@pytest.mark.parametrize(
    "sent", [b"", b"no http at all\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"]
)
def test_an_answer_that_is_broken_off_is_asked_for_again_and_has_its_pair_number(sent, monkeypatch):
    monkeypatch.setattr(ChatJudge, "pause", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer():
            for _ in range(ChatJudge.tries):
                connection, _ = listening.accept()
                connection.recv(65536)
                connection.sendall(sent)
                connection.close()

        threading.Thread(target=answer, daemon=True).start()
        judge = ChatJudge(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", "m", timeout=5)
        with pytest.raises(OSError, match=r"pair 0: .* gave no answer \(.+\)"):
            judge([("q", "p")])
    assert judge.requests == ChatJudge.tries


@pytest.mark.parametrize("usage", [{}, {"usage": None}, {"usage": {"prompt_tokens": None}}])
def test_an_answer_that_counts_no_tokens_is_one_whose_cost_is_unknown(server, judge, usage, recwarn):
    message = {"choices": [{"message": {"content": "2"}}], **usage}
    server.replies = [(200, message)] * 3
    with pytest.warns(UserWarning, match="does not say how many tokens .*, so that the cost is unknown"):
        assert judge([("q", "p")]) == [2.0] and np.isnan(judge.cost)
    recwarn.clear()
    assert judge([("q", "other")]) == [2.0] and not recwarn.list  # said once
    judge = ChatJudge(judge.url.removesuffix("/chat/completions"), "toy")
    assert judge([("q", "p")]) == [2.0] and judge.cost == 0 and not recwarn.list  # nobody asked for a price


def answered(content: str, ended: str = "stop") -> tuple[int, dict]:
    return 200, {"choices": [{"message": {"content": content}, "finish_reason": ended}], "usage": {}}


@pytest.mark.parametrize(
    ("said", "ended", "verdict"),
    [
        ("2", "length", 2),  # of one token that was asked for
        ("2: the passage states wh", "length", 2),
        ("1. The query asks for a relay.\n2. The passage has one.\nGrade: 0", "stop", 0),
        ("**Verdict**: 2 (on a scale of 0 to 3)", "stop", 2),
        ('{"grade": 1, "lines": 14}', "stop", 1),
        ("<think>Grade: 1? No: it names 2 limits.</think>\n\n2", "stop", 2),
        ("It may be grade 1 or 0.</think>2", "stop", 2),  # the prompt of some models has the first mark
        ("grade-2", "stop", 2),
    ],
)
def test_the_verdict_is_what_a_model_names_or_says_first_and_nothing_that_it_thinks(
    server, judge, said, ended, verdict
):
    judge.prices = (0, 0)
    server.replies = [answered(said, ended)]
    assert judge([("a", "b")]) == [verdict]


@pytest.mark.parametrize(
    ("said", "ended", "words"),
    [
        ("3 (on a scale of 0 to 3)", "stop", "its number is 3: does the prompt ask for more"),
        ("Grade: 3, on a scale of 0 to 3", "stop", "its number is 3"),
        ("-1", "stop", "needed a digit from 0 to 2"),
        ("Grade: -1", "stop", "needed a digit from 0 to 2"),
        ("1.5 of 2", "stop", "needed a digit from 0 to 2"),
        ("<think>Grade 1 or 2, let me", "length", "it ended by 'length': let it answer longer"),
        ("<think>Grade 1 or 2, let me", "stop", "after what it thinks: let it answer longer"),
        ("The passage may be 1 or 2, let me", "length", "it ended by 'length': let it answer longer"),
    ],
)
def test_a_number_that_is_no_verdict_is_not_taken_for_one(server, judge, said, ended, words):
    judge.prices = (0, 0)
    server.replies = [answered(said, ended)]
    with pytest.raises(ValueError, match=words):
        judge([("a", "b")])
