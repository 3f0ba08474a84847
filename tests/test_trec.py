"""Run and qrels files: what is written is what trec_eval reads, and a bad line is named."""

import gzip
import warnings

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from helpers.datasets import trec
from helpers.evaluation.rankings import ranking

SCORES = st.floats(width=32, allow_nan=False, allow_infinity=False)
RESULTS = st.dictionaries(st.sampled_from(["d1", "d10", "d9", "é", "D"]), SCORES, min_size=1)


@given(st.dictionaries(st.sampled_from(["q1", "q2"]), RESULTS, min_size=1))
def test_a_written_run_is_the_same_ranking_for_trec_eval(tmp_path_factory, run):
    path = tmp_path_factory.mktemp("trec") / "run.txt"
    trec.write_run(run, path)
    with open(path) as file:
        theirs = pytrec_eval.parse_run(file)
    rankings = {q: ranking(q, results) for q, results in run.items()}
    assert {q: ranking(q, results) for q, results in theirs.items()} == rankings
    ours = trec.read_run(path)
    assert {q: dict(results) for q, results in ours.items()} == theirs
    lines = [line.split() for line in path.read_text().splitlines()]
    assert [(line[0], line[2]) for line in lines] == [(q, doc_id) for q in rankings for doc_id in rankings[q]]


@pytest.mark.parametrize("name", ["qrels.txt", "qrels.txt.gz"])
def test_qrels_survive_the_round_trip(tmp_path, name):
    qrels = {"q1": {"d1": 2, "d2": 0, "d3": -1}, "q2": {"d1": 1}}
    trec.write_qrels(qrels, tmp_path / name)
    assert trec.read_qrels(tmp_path / name) == qrels
    assert (tmp_path / name).read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_numpy_scores_are_written_as_plain_numbers(tmp_path):
    trec.write_run({"q": [("d", np.float32(0.1))]}, tmp_path / "run")
    assert "np." not in (tmp_path / "run").read_text()


def test_the_order_comes_from_the_scores_not_from_the_rank_column(tmp_path):
    (tmp_path / "run").write_text("q Q0 a 1 0.5 t\nq Q0 b 2 0.7 t\n\n")
    assert trec.read_run(tmp_path / "run") == {"q": [("b", 0.7), ("a", 0.5)]}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "q 0 d1",
            "line 2: 3 columns, needed 4 .*; the 1 line before it have them: is the file cut off here",
        ),
        ("q 0 d1 1 x", "line 2: 5 columns, needed 4"),
        ("q 0 d1 yes", "line 2: grade 'yes'"),
        ("q 0 d0 1", "line 2: query 'q' has a second judgment for document 'd0'; keep one"),
        ("q d1 0 1\nq d2 0 1", "line 3: .* for document '0'; are columns 2 and 3 swapped"),
    ],
)
def test_a_bad_qrels_line_is_named(tmp_path, line, message):
    with gzip.open(tmp_path / "qrels.gz", "wt") as file:
        file.write("q 0 d0 1\n" + line + "\n")
    with pytest.raises(ValueError, match=message):
        trec.read_qrels(tmp_path / "qrels.gz")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q Q0 d1 2 high t", "line 2: score 'high'"),
        ("q Q0 d1 2 nan t", "line 2: score 'nan'"),
        ("q Q0 d0 2 0.1 t", "line 2: query 'q' has document 'd0' a second time; keep the best one"),
        ("q Q0 d0 1 0.5 u", "line 2: .* a second time; the tags are of two systems, 't' and 'u'"),
        ("q d1 Q0 2 0.1 t", "line 2: the document is 'Q0' and column 2 holds 'd1'; are columns 2 and 3"),
        ("q Q0 d1 2 0.1", "line 2: 5 columns, needed 6"),
        ("q Q0 d1 2", "line 2: 4 columns, needed 6 .*: is the file cut off here"),
    ],
)
def test_a_bad_run_line_is_named(tmp_path, line, message):
    (tmp_path / "run").write_text("q Q0 d0 1 0.5 t\n" + line + "\n")
    with pytest.raises(ValueError, match=message):
        trec.read_run(tmp_path / "run")


def test_results_that_can_be_read_only_once_are_written_too(tmp_path):
    trec.write_run({"q": zip(["a"], [1.0], strict=True)}, tmp_path / "run")
    assert trec.read_run(tmp_path / "run") == {"q": [("a", 1.0)]}


@pytest.mark.parametrize("ends", [("\r", "\r", "\r"), ("\r", "\n", ""), ("\r\n", "\r", "\r\n")])
def test_a_line_that_ends_as_on_an_old_mac_is_a_line_of_its_own(tmp_path, ends):
    path = tmp_path / "mixed"
    lines = ["q1 0 d1 2", "q1 0 d2 1", "q2 0 d1 0"]
    path.write_bytes("".join(line + end for line, end in zip(lines, ends, strict=True)).encode())
    assert trec.read_qrels(path) == {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 0}}
    path.write_bytes(b"q1 Q0 d1 1 2.5 me" + ends[0].encode() + b"q1 Q0 d2 2 1.5 me" + ends[1].encode())
    assert trec.read_run(path) == {"q1": [("d1", 2.5), ("d2", 1.5)]}
    path.write_bytes(b"q1 Q0 d1 1 2.5 me\rq1 Q0 d2 2 high me")
    with pytest.raises(ValueError, match="mixed, line 2: score 'high'"):
        trec.read_run(path)


def test_a_byte_order_mark_is_no_part_of_the_first_id(tmp_path):
    (tmp_path / "qrels").write_bytes(b"\xef\xbb\xbfq 0 d 1\n")
    assert trec.read_qrels(tmp_path / "qrels") == {"q": {"d": 1}}


def test_a_byte_order_mark_between_joined_files_is_named(tmp_path):
    (tmp_path / "qrels").write_bytes(b"\xef\xbb\xbfq 0 d 1\n" * 2)
    with pytest.raises(ValueError, match="qrels, line 2: a byte-order mark"):
        trec.read_qrels(tmp_path / "qrels")


def test_a_damaged_file_is_named(tmp_path):
    trec.write_qrels({f"q{i}": {"d": 1} for i in range(99)}, tmp_path / "qrels.gz")
    (tmp_path / "qrels.gz").write_bytes((tmp_path / "qrels.gz").read_bytes()[:-12])
    with pytest.raises(ValueError, match="qrels.gz, after line .*cut off"):
        trec.read_qrels(tmp_path / "qrels.gz")


@pytest.mark.parametrize("grade", [1.5, None, "1"])
def test_a_grade_that_could_not_be_read_back_is_not_written(tmp_path, grade):
    with pytest.raises(ValueError, match="'q', document 'd': grade"):
        trec.write_qrels({"q": {"d": grade}}, tmp_path / "qrels")


def test_a_write_that_fails_leaves_the_old_file_alone(tmp_path):
    path = tmp_path / "run"
    trec.write_run({"q": [("d", 1.0)]}, path)
    before = path.read_text()
    with pytest.raises(ValueError, match="'a b' cannot stand in a TREC file"):
        trec.write_run({"q": [("d", 1.0), ("a b", 0.5)]}, path)
    assert path.read_text() == before
    assert [file.name for file in tmp_path.iterdir()] == ["run"]


def test_columns_end_at_ascii_white_space_only(tmp_path):
    (tmp_path / "run").write_text("q Q0 a\u00a0b 1 0.5 t\n", encoding="utf-8")
    assert trec.read_run(tmp_path / "run") == {"q": [("a\u00a0b", 0.5)]}


@pytest.mark.parametrize("score", ["1_0", "\uff11", "0x1"])
def test_a_score_that_c_would_read_otherwise_is_refused(tmp_path, score):
    (tmp_path / "run").write_text(f"q Q0 a 1 {score} t\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 1: score .* is not a number"):
        trec.read_run(tmp_path / "run")


def test_a_file_is_read_as_what_it_is_whatever_its_name(tmp_path):
    trec.write_run({"q": {"a": 1.0}}, tmp_path / "run.gz")
    (tmp_path / "run.gz").rename(tmp_path / "run.txt")
    assert trec.read_run(tmp_path / "run.txt") == {"q": [("a", 1.0)]}
    (tmp_path / "empty.gz").touch()
    with pytest.raises(ValueError, match="empty.gz: the name says gzip and the content is not"):
        trec.read_run(tmp_path / "empty.gz")


def test_the_same_run_gives_the_same_bytes(tmp_path):
    for name in ("one.gz", "other.gz"):
        trec.write_run({"q": {"a": 1.0}}, tmp_path / name)
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "other.gz").read_bytes()


def test_arrays_are_written_too(tmp_path):
    trec.write_run({"q": (np.array(["a", "b"]), np.array([2.0, 1.0]))}, tmp_path / "run")
    assert trec.read_run(tmp_path / "run") == {"q": [("a", 2.0), ("b", 1.0)]}


@pytest.mark.parametrize("doc_id", ["", "a b", "a\u2028b", "\ufeffa", "a\0", "\ud800"])
def test_an_id_that_could_not_be_read_back_is_not_written(tmp_path, doc_id):
    with pytest.raises(ValueError, match="cannot stand in a TREC file"):
        trec.write_run({"q": {doc_id: 1.0}}, tmp_path / "run")


def test_a_file_in_another_encoding_is_named(tmp_path):
    (tmp_path / "qrels").write_bytes("q 0 d 1\nq 0 é 1\n".encode("latin-1"))
    with pytest.raises(ValueError, match="qrels, line 2: not valid UTF-8"):
        trec.read_qrels(tmp_path / "qrels")


@pytest.mark.parametrize("text", ["q1 d1 0 2\n", "q1 7 0 2\nq2 8 0 1\n", "q1 d1 Q0 2\n"])
def test_qrels_with_columns_2_and_3_swapped_throughout_are_named(tmp_path, text):
    (tmp_path / "qrels").write_text(text)
    with pytest.raises(
        ValueError, match=r"line 1: .* are columns 2 and 3 swapped\? needed query_id 0 doc_id"
    ):
        trec.read_qrels(tmp_path / "qrels")
    (tmp_path / "qrels").write_text("q1 0 0 2\n")
    assert trec.read_qrels(tmp_path / "qrels") == {"q1": {"0": 2}}


def test_grades_in_the_second_column_of_qrels_are_asked_about(tmp_path, recwarn):
    path = tmp_path / "a.qrels"
    for text in ("q1 0 d1 0\n", "q1 Q0 d1 0\n", "q1 2 d1 0\nq1 1 d2 1\n", "q1 anna d1 0\n"):
        path.write_text(text)
        trec.read_qrels(path)
    assert not recwarn.list
    path.write_text("q1 0 d2 0\nq1 2 d1 0\n")
    with pytest.warns(
        UserWarning, match=r"line 2: all grades \(column 4\) are 0, and column 2 holds '2' here"
    ):
        trec.read_qrels(path)


def test_qrels_without_a_line_are_refused_as_a_run_is(tmp_path):
    (tmp_path / "qrels").write_text("\n")
    with pytest.raises(ValueError, match="qrels: the file holds no judgment"):
        trec.read_qrels(tmp_path / "qrels")


def test_notes_are_of_a_file_and_of_the_run_that_was_read_from_it(tmp_path):
    path, run = tmp_path / "b.run", {"q1": [("d1", 2.0), ("d2", 1.0)]}
    trec.write_run(run, path, "me")
    assert trec.order_notes(path, run) == trec.order_notes(path, {"q1": dict(run["q1"])}) == []
    with pytest.raises(ValueError, match="the path is {'q1': .*; needed a TREC run file"):
        trec.order_notes(run, path)
    with pytest.raises(ValueError, match="run is a NoneType; needed a Mapping; .* as read_run gives it"):
        trec.order_notes(path, None)
    for other in ({"q2": [("d1", 2.0)]}, {"q1": [("d1", 2.0)]}, {"q1": [("d1", 2.0), ("d3", 1.0)]}):
        with pytest.raises(
            ValueError, match=r"of the run has other documents than .*b\.run; give read_run of"
        ):
            trec.order_notes(path, other)


@pytest.mark.parametrize("read", [trec.read_run, trec.read_qrels])
def test_a_comment_above_a_file_is_called_one(tmp_path, read):
    (tmp_path / "a.txt").write_text("# judged by Ana today\nq 0 d1 1\n")
    with pytest.raises(ValueError, match="line 1: .*; a comment. TREC files have none: delete the line"):
        read(tmp_path / "a.txt")


def test_a_run_whose_scores_rise_with_its_ranks_is_told_to_hold_distances(tmp_path):
    def read(rows):
        (tmp_path / "a.run").write_text("".join(f"q Q0 d{rank} {rank} {score} t\n" for rank, score in rows))
        return trec.read_run(tmp_path / "a.run")

    with pytest.warns(UserWarning, match="the scores rise with the rank, and the highest score is the best"):
        found = read([(1, 0.1), (2, 0.3), (3, 0.4)])
    assert found == {"q": [("d3", 0.4), ("d2", 0.3), ("d1", 0.1)]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read([(1, 0.4), (2, 0.3), (3, 0.1)])
        read([(3, 0.1), (2, 0.3), (1, 0.4)])  # written from the last to the first
        read([(1, 0.1), (2, 0.3), (3, 0.3)])  # as it is, two of them are equal


def test_whole_scores_beside_ranks_of_pandas_are_not_called_exchanged(tmp_path):
    (tmp_path / "a.run").write_text("q Q0 d1 1.0 1 t\nq Q0 d2 2.0 2 t\nq Q0 d3 3.0 3 t\n")
    with pytest.warns(UserWarning) as told:
        trec.read_run(tmp_path / "a.run")
    assert ["rise with the rank" in str(one.message) for one in told] == [True]
