"""Two assessors' files are read whole or refused with the line; their agreement is the textbook's."""

import pytest

from helpers.judgments.agreement import (
    Disagreement,
    agreement,
    first_pass,
    load_disagreements,
    load_second_labels,
)


def test_second_labels_are_read_line_by_line(tmp_path):
    path = tmp_path / "second.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"query_id": "q1", "grades": {"d1": 2}}\r\n\n')
    assert load_second_labels(path) == {"q1": {"d1": 2}}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            '{"query_id": "q1", "grades": {"d1": 3}}',
            "line 2: grades.d1: needed 2 or less",
        ),
        ('{"query_id": "q1"}', "line 2: grades: is missing"),
        ("{", "line 2: the line: Invalid JSON"),
        ('{"query_id": "q0", "grades": {}}', "line 2: query 'q0' has an earlier line already"),
    ],
)
def test_a_broken_line_is_named(tmp_path, line, complaint):
    path = tmp_path / "second.jsonl"
    path.write_text('{"query_id": "q0", "grades": {}}\n' + line)
    with pytest.raises(ValueError, match=complaint):
        load_second_labels(path)


TABLE = """# Words

| query | document | first | second | final | why |
| --- | --- | --- | --- | --- | --- |
| my01 | doc-1 | 0 | 1 | 1 | because |
"""


def test_disagreements_are_the_rows_of_the_table(tmp_path):
    path = tmp_path / "d.md"
    path.write_text(TABLE)
    assert load_disagreements(path) == [Disagreement("my01", "doc-1", 0, 1, 1)]
    path.write_text(TABLE + "| q2 | d2 | – | 1 | 1 | named by the second |\n")
    assert load_disagreements(path)[1] == Disagreement("q2", "d2", None, 1, 1)
    path.write_text(TABLE + "| q2 | d2 | 0 | 3 | 1 | no such grade |\n")
    with pytest.raises(ValueError, match="line 6: needed .* found '. q2 . d2"):
        load_disagreements(path)


def test_a_disagreement_must_fit_the_labels():
    final = {"q1": {"d1": 1}}
    assert first_pass(final, [Disagreement("q1", "d1", 0, 1, 1)]) == {"q1": {"d1": 0}}
    assert first_pass(final, [Disagreement("q1", "d1", None, 1, 1)]) == {"q1": {}}
    assert final == {"q1": {"d1": 1}}
    with pytest.raises(ValueError, match="the labels carry 1 for 'q1', 'd1'; the disagreement says 2"):
        first_pass(final, [Disagreement("q1", "d1", 0, 1, 2)])
    with pytest.raises(ValueError, match="carry None for 'q1', 'd9'"):
        first_pass(final, [Disagreement("q1", "d9", 0, 1, 1)])


def test_nothing_judged_is_nothing_to_agree_on():
    with pytest.raises(ValueError, match="no pair of query and document was judged by both"):
        agreement({}, {})


def test_agreement_counts_pairs_and_the_overlap_is_not_helped_by_easy_zeros():
    first = {"q1": {"d1": 2, "d2": 0, "d3": 0, "d4": 1}}
    second = {"q1": {"d1": 2, "d2": 0, "d3": 0, "d4": 0}}
    found = agreement(first, second)
    assert (
        found["pairs judged by both"],
        found["relevant to either"],
        found["relevant to both"],
        found["equal grades"],
    ) == (4, 2, 1, 0.75)
    assert found["kappa, grades"] == pytest.approx(
        (0.75 - 7 / 16) / (9 / 16)
    )  # chance: (1*1 + 2*3 + 1*0) / 16
    more_zeros = {f"d{n}": 0 for n in range(5, 100)}
    easier = agreement({"q1": first["q1"] | more_zeros}, {"q1": second["q1"] | more_zeros})
    assert easier["overlap"] == found["overlap"] == 1 / 2
    assert easier["kappa, grades"] > found["kappa, grades"]


def test_pairs_that_only_one_assessor_judged_are_left_out_and_counted():
    found = agreement({"q1": {"d1": 2, "d2": 0, "d4": 0}}, {"q1": {"d1": 2, "d2": 0, "d5": 1}})
    assert (found["pairs judged by both"], found["pairs judged by one"], found["overlap"]) == (2, 2, 1)


def test_a_grade_that_is_no_whole_number_is_named_with_its_query_and_document():
    first = {f"q{i}": {"d1": 1, "d2": 0} for i in range(100)}
    second = first | {"q77": {"d1": "1", "d2": 0}}
    with pytest.raises(
        ValueError, match="second, query 'q77', document 'd1': grade '1' is not a whole number"
    ):
        agreement(first, second)
