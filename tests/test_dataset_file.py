"""Dataset files: what is right is read as it was written, what is not never passes."""

import gzip
import json
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.base import files
from helpers.datasets.labels import Judgment, LabelledQuery, load_labels, to_queries
from helpers.datasets.load import load_beir
from workbench.dataset_files import dataset_file
from workbench.dataset_files.dataset_file import (
    from_labels,
    from_qrels,
    load_dataset,
    to_beir,
    to_qrels,
    write_dataset,
)
from workbench.dataset_files.evaluation_dataset import EvaluationDataset, EvaluationQuery, rows_by_query

EITHER = "queries[0].expected_source_uri: needed either expected_item_id or expected_source_uri"
ROW = {"query_id": "q1", "query_text": "disk full", "expected_item_id": "doc_012", "kind": "gold"}
BY_SOURCE = {
    "query_id": "q2",
    "query_text": "disk full",
    "expected_source_uri": "wiki/disk.md",
    "kind": "synthetic",
}
VALID = {"schema_version": 1, "name": "wiki", "description": "", "queries": [ROW, BY_SOURCE]}

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(str.strip)
IDS = TEXTS.filter(lambda text: text == text.strip())
EXPECTATIONS = st.sampled_from(["expected_item_id", "expected_source_uri"]).flatmap(
    lambda key: st.fixed_dictionaries({key: IDS})
)


def said_by(row):
    """All of a row but its id."""
    return tuple(row.get(key) for key in ("query_text", "kind", "expected_item_id", "expected_source_uri"))


ROWS = st.builds(
    lambda row, expected: row | expected,
    st.fixed_dictionaries(
        {"query_id": IDS, "query_text": TEXTS, "kind": st.sampled_from(["gold", "synthetic"])}
    ),
    EXPECTATIONS,
)
DATASETS = st.fixed_dictionaries(
    {
        "schema_version": st.just(1),
        "name": TEXTS,
        "description": st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
        "queries": st.lists(ROWS, min_size=1, max_size=4, unique_by=(lambda row: row["query_id"], said_by)),
    }
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from([1, 1.0, "1", "gold", "", " "]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*ROW, *VALID, "x"]), inner, max_size=4)
    ),
    max_leaves=6,
)


def read(folder, content):
    path = folder / "dataset.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return load_dataset(path)


def refusal(folder, content) -> str:
    with pytest.raises(ValueError) as refused:
        read(folder, content)
    assert type(refused.value) is ValueError
    return str(refused.value)


def rows(*described: tuple[str, str, str]) -> EvaluationDataset:
    """A gold dataset of rows (query_id, query_text, expected_item_id)."""
    found = (
        EvaluationQuery(query_id=a, query_text=b, expected_item_id=c, kind="gold") for a, b, c in described
    )
    return EvaluationDataset(schema_version=1, name="pets", description="", queries=tuple(found))


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """One folder for all examples of a property."""
    return tmp_path_factory.mktemp("datasets")


@given(DATASETS)
def test_a_dataset_is_read_as_it_was_written(folder, data):
    dataset = read(folder, data)
    assert dataset.model_dump(mode="json", exclude_none=True) == data
    path = write_dataset(folder / "copy.json", dataset)
    assert load_dataset(path) == dataset
    before = path.read_bytes()
    assert write_dataset(path, load_dataset(path)).read_bytes() == before


def test_load_dataset_reads_the_published_example(tmp_path):
    path = tmp_path / "example.json"
    path.write_text(
        '{"schema_version": 1, "name": "example-dataset", "description": "Small.", "queries": [{"query_id": '
        '"q-001", "query_text": "alpha", "expected_item_id": "item-id-123", "expected_source_uri": null, '
        '"kind": "gold"}]}'
    )
    dataset = load_dataset(path)
    assert dataset.queries[0].expected_item_id == "item-id-123"
    assert dataset.kinds() == {"gold": 1, "synthetic": 0}


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path):
    text = json.dumps(VALID, indent=1).replace("\n", "\r\n")
    assert read(tmp_path, b"\xef\xbb\xbf" + text.encode()) == read(tmp_path, VALID)


def test_what_is_written_can_be_read_by_people(tmp_path):
    data = VALID | {"queries": [ROW | {"query_text": "Borås står still"}]}
    content = write_dataset(tmp_path / "new" / "wiki.json", read(tmp_path, data)).read_bytes()
    assert content.decode("utf-8").splitlines()[:2] == ["{", '  "schema_version": 1,']
    assert "Borås står still".encode() in content
    assert b"expected_source_uri" not in content and b"\r" not in content and content.endswith(b"}\n")


# What is refused.


def right(data) -> bool:
    """The format, stated once more and without pydantic."""

    def text(value, ends=True):
        ok = (
            isinstance(value, str)
            and value.strip()
            and not any(0xD800 <= ord(char) < 0xE000 for char in value)
        )
        return ok and (not ends or value == value.strip())

    def row(one):
        if not isinstance(one, dict) or one.keys() - {*ROW, "expected_source_uri"}:
            return False
        expected = [
            one[key] for key in ("expected_item_id", "expected_source_uri") if one.get(key) is not None
        ]
        known = one.get("kind") in ("gold", "synthetic") if isinstance(one.get("kind"), str) else False
        return (
            len(expected) == 1
            and text(expected[0])
            and text(one.get("query_id"))
            and text(one.get("query_text"), False)
            and known
        )

    return bool(
        isinstance(data, dict)
        and data.keys() == VALID.keys()
        and type(data["schema_version"]) is int
        and data["schema_version"] == 1
        and text(data["name"], False)
        and isinstance(data["description"], str)
        and (not data["description"].strip() or text(data["description"], False))
        and isinstance(data["queries"], list)
        and data["queries"]
        and all(row(one) for one in data["queries"])
        and len({one["query_id"] for one in data["queries"]}) == len(data["queries"])
        and len({said_by(one) for one in data["queries"]}) == len(data["queries"])
    )


def paths(value, path=()):
    """The paths of all values in a JSON value, itself included."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from paths(one, (*path, key))


def changed(value, path, change):
    if not path:
        return change(value)
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], change)
    return copy


def completed(data):
    """What a file may leave out, as in Biblicus: a description, a row's kind, the type of the version."""
    if not isinstance(data, dict):
        return data
    rows = data.get("queries")
    if isinstance(rows, list):
        rows = [{**row, "kind": row.get("kind", "gold")} if isinstance(row, dict) else row for row in rows]
    version, description = data.get("schema_version"), data.get("description")
    known = {"queries": rows} if "queries" in data else {}
    known |= {"schema_version": 1 if version == "1" else version} if "schema_version" in data else {}
    return data | known | {"description": "" if description is None else description}


def check(folder, data):
    """The file is read if and only if the second statement of the format says so."""
    if right(completed(data)):
        assert len(read(folder, data).queries) == len(data["queries"])
    else:
        assert refusal(folder, data)


@given(DATASETS, st.data(), JSON)
def test_any_value_in_place_of_another_passes_only_if_the_format_allows_it(folder, data, draw, value):
    path = draw.draw(st.sampled_from(list(paths(data))))
    check(folder, changed(data, path, lambda _: value))


@given(DATASETS, st.data(), st.sampled_from([*ROW, *VALID, "expected_source_uri", "Kind", ""]), JSON)
def test_any_key_added_or_taken_away_passes_only_if_the_format_allows_it(folder, data, draw, key, value):
    path = draw.draw(st.sampled_from([(), *(("queries", n) for n in range(len(data["queries"])))]))
    check(folder, changed(data, path, lambda record: record | {key: value}))
    check(
        folder,
        changed(data, path, lambda record: {name: one for name, one in record.items() if name != key}),
    )


@given(JSON)
def test_any_json_passes_only_if_the_format_allows_it(folder, value):
    check(folder, value)


@given(DATASETS, st.data())
def test_a_file_cut_off_anywhere_is_refused(folder, data, draw):
    content = json.dumps(data, ensure_ascii=False).encode()
    assert refusal(folder, content[: draw.draw(st.integers(0, len(content) - 1))])


@given(DATASETS, st.data(), st.sampled_from([b"\xff", b"\xc3(", b"\x00", b"\xed\xa0\x80", b"}", b'"']))
def test_a_stray_byte_is_refused_or_was_a_letter_of_a_text(folder, data, draw, byte):
    content = json.dumps(data, ensure_ascii=False).encode()
    at = draw.draw(st.integers(0, len(content)))
    content = content[:at] + byte + content[at:]
    try:
        dataset = read(folder, content)
    except ValueError:
        return
    assert dataset.model_dump(mode="json", exclude_none=True) == json.loads(content)


@given(st.binary(max_size=40))
def test_bytes_that_are_no_dataset_are_refused_in_words(folder, content):
    assert "dataset.json" in refusal(folder, content)


@given(DATASETS, st.data())
def test_a_row_that_is_there_twice_is_refused(folder, data, draw):
    row = draw.draw(st.sampled_from(data["queries"]))
    data = data | {"queries": [*data["queries"], row]}
    assert f"queries[{len(data['queries']) - 1}].query_id: " in refusal(folder, data)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"query_id": 7}, "queries[0].query_id: needed text, found 7"),
        ({"query_id": "q1 "}, "queries[0].query_id: blanks at an end, found 'q1 '; take them away"),
        ({"query_id": "\u00a0q1"}, "queries[0].query_id: blanks at an end, found '\\xa0q1'; take them away"),
        ({"expected_item_id": 5}, "queries[0].expected_item_id: needed text, found 5"),
        ({"query_id": ""}, "queries[0].query_id: needed some text, found ''"),
        ({"query_text": " \n"}, "queries[0].query_text: needed some text, found ' \\n'"),
        (
            {"query_text": "\ud800"},
            "queries[0].query_text: half of a surrogate pair, which is no text, found '\\ud800'",
        ),
        ({"kind": "silver"}, "queries[0].kind: needed 'gold' or 'synthetic', found 'silver'"),
        ({"kind": None}, "queries[0].kind: needed 'gold' or 'synthetic', found None"),
        ({"expected_item": "d"}, "queries[0].expected_item: there is no such key"),
        ({"a key": {"deep": 1}}, "queries[0]['a key']: there is no such key"),
        (
            {"expected_item_id": None},
            f"{EITHER}, found neither",
        ),
        (
            {"expected_source_uri": "a.md"},
            f"{EITHER}, found both",
        ),
        ({"query_id": "q2"}, "queries[1].query_id: 'q2' is the id of queries[0] too; ids are unique"),
        ({"kind": float("nan")}, "queries[0].kind: needed 'gold' or 'synthetic', found nan"),
        ({"query_text": float("inf")}, "queries[0].query_text: needed text, found inf"),
    ],
)
def test_a_bad_row_is_named_by_its_path(tmp_path, change, problem):
    message = refusal(tmp_path, VALID | {"queries": [ROW | change, BY_SOURCE]})
    assert message == f"1 problem in {tmp_path / 'dataset.json'}:\n{problem}"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"schema_version": 0}, "schema_version: needed 1, found 0"),
        ({"schema_version": -(10**4000)}, "schema_version: needed 1, found -1000000000"),
        ({"schema_version": True}, "schema_version: needed 1, found True"),
        ({"schema_version": 1.0}, "schema_version: needed 1, found 1.0"),
        ({"schema_version": "2"}, "schema_version: needed 1, found '2'"),
        ({"name": "  "}, "name: needed some text, found '  '"),
        ({"description": 5}, "description: needed text, found 5"),
        (
            {"description": "\udfff"},
            "description: half of a surrogate pair, which is no text, found '\\udfff'",
        ),
        ({"queries": []}, "queries: needed at least one query, found none"),
        (
            {"queries": {"q1": ROW}},
            "queries: needed a list, […], found {'q1': {'expected_item_id': 'doc_012'",
        ),
        (
            {"queries": [[]]},
            "queries[0]: needed a JSON object, {…}, found []",
        ),
        ({"version": 1}, "version: there is no such key"),
    ],
)
def test_a_bad_head_is_named_by_its_path(tmp_path, change, problem):
    assert refusal(tmp_path, VALID | change).splitlines()[1].startswith(problem)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1, column 1: not valid JSON"),
        (b'{"schema_version": 1,\n "name": }', "line 2, column 10: not valid JSON"),
        (b'{"a": 1}\n{"a": 2}', "line 2, column 1: not valid JSON (Extra data)"),
        (b'{"a":\n "\xe9t\xe9"}', "line 2, column 3: not valid UTF-8; save the file as UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "line 1, column 1: not valid UTF-8"),
        (b"[1, 2]", "needed one JSON object with schema_version, name and queries, found [1, 2]"),
        (b"NaN", "needed one JSON object with schema_version, name and queries, found nan"),
        (b"[" * 200_000, "too deep"),
        (b'{"a":' * 200_000, "too deep"),
        (b'{"schema_version": ' + b"1" * 5000 + b"}", "a whole number with thousands of digits"),
    ],
)
def test_a_file_that_is_no_json_object_is_named_by_line_and_column(tmp_path, content, message):
    assert message in refusal(tmp_path, content)


def test_a_key_that_stands_twice_is_named_by_its_path_wherever_it_is(tmp_path):
    text = json.dumps(VALID)
    assert "\nqueries[1].kind: the key stands there twice" in refusal(
        tmp_path, text.replace('"kind": "synthetic"', '"kind": "gold", "kind": "synthetic"').encode()
    )
    assert "\nname: the key stands there twice" in refusal(
        tmp_path, text.replace('"name"', '"name": "a", "name"').encode()
    )
    message = refusal(tmp_path, text.replace('"gold"', '"gold", "x": [{"y": 1, "y": 1}]').encode())
    assert (
        "\nqueries[0].x[0].y: the key stands there twice" in message
        and "\nqueries[0].x: there is no such key" in message
    )


def test_a_key_that_another_of_its_name_hides_is_no_problem_of_its_own(tmp_path):
    text = json.dumps(VALID).replace('"name": ', '"name": {"a": 1, "a": 2}, "name": ')
    assert refusal(tmp_path, text.encode()).splitlines()[1:] == ["name: the key stands there twice"]


@pytest.mark.parametrize("version", [2, 10**4000])
def test_a_file_of_a_later_version_is_not_searched_for_problems(tmp_path, version):
    message = refusal(tmp_path, VALID | {"schema_version": version, "new": 1})
    assert message.startswith(f"{tmp_path / 'dataset.json'}: schema_version is {str(version)[:9]}")
    assert message.endswith("of a later version; this one reads 1: update measure-first")
    assert len(message) < 300


def test_all_problems_of_a_file_are_reported_at_once(tmp_path):
    bad = {
        "query_id": "q1",
        "query_text": 5,
        "kind": "silver",
        "expected_item_id": "d",
        "expected_source_uri": "u",
    }
    message = refusal(tmp_path, {"schema_version": "3", "name": "", "queries": [ROW, bad, "row"], "extra": 1})
    assert message.splitlines() == [
        f"8 problems in {tmp_path / 'dataset.json'}:",
        "schema_version: needed 1, found '3'",
        "name: needed some text, found ''",
        "queries[1].query_text: needed text, found 5",
        "queries[1].expected_source_uri: needed either expected_item_id or expected_source_uri, found both",
        "queries[1].kind: needed 'gold' or 'synthetic', found 'silver'",
        "queries[2]: needed a JSON object, {…}, found 'row'",
        "extra: there is no such key",
        "queries[1].query_id: 'q1' is the id of queries[0] too; ids are unique",
    ]


def test_a_long_value_makes_no_long_line(tmp_path):
    message = refusal(
        tmp_path, VALID | {"name": [["x" * 1000] * 50] * 50, "y" * 1000: 1, "schema_version": -(10**4000)}
    )
    assert len(message.splitlines()) == 4
    assert max(map(len, message.splitlines()[1:])) < 250


def test_a_file_that_is_not_there_says_what_is_needed(tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(
            FileNotFoundError, match="is (no file|a folder); needed a dataset: one JSON object with schema_v"
        ):
            load_dataset(path)


def test_a_dataset_made_in_python_obeys_the_same_rules():
    with pytest.raises(ValueError, match="found both"):
        EvaluationQuery(
            query_id="q", query_text="x", expected_item_id="d", expected_source_uri="u", kind="gold"
        )
    with pytest.raises(ValueError, match=r"queries\[1\].query_id: 'q' is the id of queries\[0\] too"):
        rows(("q", "x", "d1"), ("q", "y", "d2"))
    with pytest.raises(ValueError, match="at least one query"):
        rows()
    with pytest.raises(ValueError, match="needed text"):
        rows((b"q", "x", "d1"))


# The fingerprint.


def test_the_fingerprint_is_of_the_rows_and_of_nothing_else():
    one, two = ("q1", "cats", "d1"), ("q2", "dogs", "d2")
    dataset = rows(one, two)
    assert dataset.fingerprint == rows(two, one).fingerprint
    assert (
        dataset.fingerprint
        == dataset.model_copy(update={"name": "other", "description": "other"}).fingerprint
    )
    assert dataset.fingerprint.startswith("sha256:") and len(dataset.fingerprint) == len("sha256:") + 64


@pytest.mark.parametrize(
    "change", [{"query_text": "Cats"}, {"query_id": "q3"}, {"expected_item_id": "d2"}, {"kind": "synthetic"}]
)
def test_the_fingerprint_changes_with_every_field_of_a_row(change):
    dataset = rows(("q1", "cats", "d1"))
    other = dataset.model_copy(update={"queries": (dataset.queries[0].model_copy(update=change),)})
    assert other.fingerprint != dataset.fingerprint


def test_an_expected_item_and_a_source_of_the_same_name_are_not_the_same():
    row = {"query_id": "q1", "query_text": "cats", "kind": "gold"}
    found = [
        EvaluationDataset(
            schema_version=1, name="n", description="", queries=(EvaluationQuery(**row, **{key: "d"}),)
        ).fingerprint
        for key in ("expected_item_id", "expected_source_uri")
    ]
    assert found[0] != found[1]


# To judgments and back.


def relevant(qrels) -> dict[str, set[str]]:
    found = {
        query_id: {doc_id for doc_id, grade in grades.items() if grade > 0}
        for query_id, grades in qrels.items()
    }
    return {query_id: documents for query_id, documents in found.items() if documents}


QRELS = st.dictionaries(
    st.sampled_from(["q", "r", "q-1", "q-2", "q-1-1", "7"]),
    st.dictionaries(st.sampled_from(["d1", "d2", "d3", "d4"]), st.integers(0, 2), min_size=1),
    min_size=1,
)


@given(QRELS)
def test_judgments_come_back_with_their_grades_and_zeros_or_are_refused(qrels):
    queries = {query_id: f"the text of {query_id}" for query_id in qrels}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            dataset = from_qrels(queries, qrels, "any", "")
        except ValueError as error:
            assert "ids are unique" in str(error) or not relevant(qrels)
            return
    found_queries, found = to_qrels(dataset)
    assert relevant(found) == relevant(qrels)
    assert found_queries == {query_id: queries[query_id] for query_id in found}
    assert found == {query_id: qrels[query_id] for query_id in found}
    _, plain = to_qrels(from_qrels(queries, {q: qrels[q] for q in found}, "any", "", graded=False))
    assert relevant(plain) == relevant(qrels)
    assert {grade for grades in plain.values() for grade in grades.values()} == {1}


def test_the_labels_of_the_course_survive_a_dataset_file_and_a_beir_folder(runbooks, tmp_path):
    labelled = load_labels(files.QUERIES, runbooks.corpus)
    dataset = load_dataset(
        write_dataset(tmp_path / "runbooks.json", from_labels(labelled, "runbooks", "The course's labels."))
    )
    queries, qrels = to_qrels(dataset)
    assert relevant(qrels) == relevant(runbooks.qrels)
    assert queries == to_queries(labelled) and list(queries) == list(runbooks.queries)
    assert dataset.kinds() == {"gold": sum(len(label.relevant_doc_ids) for label in labelled), "synthetic": 0}

    folder = to_beir(dataset, tmp_path / "beir", runbooks.corpus)
    read_back = load_beir("runbooks", path=folder)
    assert (read_back.queries, read_back.qrels) == (queries, qrels)
    assert read_back.corpus == {doc_id: text.strip() for doc_id, text in runbooks.corpus.items()}
    assert from_qrels(read_back.queries, read_back.qrels, "again", "").fingerprint == dataset.fingerprint


def test_rows_are_numbered_in_the_order_of_the_judgments_and_zeros_are_left_out():
    judged = [("d3", 1, "x"), ("d2", 0, ""), ("d1", 2, "y")]
    label = LabelledQuery(
        query_id="q01",
        query="cats",
        relevant_doc_ids=["d1", "d3"],
        kind="question",
        judgments=[Judgment(doc_id=doc_id, grade=grade, quote=quote) for doc_id, grade, quote in judged],
    )
    dataset = from_labels([label], "pets", "Cats.")
    assert [(row.query_id, row.expected_item_id, row.kind) for row in dataset.queries] == [
        ("q01-1", "d3", "gold"),
        ("q01-2", "d1", "gold"),
    ]
    with pytest.raises(ValueError, match=r"in the labels:\nqueries\[1\].query_id: 'q01'"):
        from_labels([label, label], "pets", "")


def test_rows_of_a_query_are_numbered_otherwise_where_another_query_has_such_an_id():
    qrels = {"q": {"d1": 1, "d2": 1}, "q-1": {"d3": 1}}
    dataset = from_qrels({"q": "cats", "q-1": "dogs"}, qrels, "pets", "")
    assert sorted(row.query_id for row in dataset.queries) == ["q#1", "q#2", "q-1"]
    assert to_qrels(dataset)[1] == qrels


def test_queries_that_a_dataset_cannot_hold_are_counted_in_a_warning():
    with pytest.warns(UserWarning) as said:
        dataset = from_qrels(
            {"q1": "cats", "q2": "dogs"}, {"q1": {"d1": 1}, "q2": {"d1": 0}, "q3": {"d1": 1}}, "pets", ""
        )
    assert [str(one.message) for one in said] == [
        "judged queries without a text are left out (1): 'q3'",
        "judged queries without a relevant document are left out (1): 'q2'",
    ]
    assert [row.query_id for row in dataset.queries] == ["q1"]
    with (
        pytest.warns(UserWarning, match="left out"),
        pytest.raises(ValueError, match="needed at least one query"),
    ):
        from_qrels({"q1": "cats"}, {"q1": {"d1": 0}}, "pets", "")


def test_queries_with_the_same_text_become_one_and_a_warning_says_so():
    with pytest.warns(
        UserWarning, match=r"queries with the text of another become one query with it \(1\): 'q2'"
    ):
        dataset = from_qrels({"q1": "cats", "q2": "cats"}, {"q1": {"d1": 1}, "q2": {"d2": 1}}, "pets", "")
    assert to_qrels(dataset) == ({"q1": "cats"}, {"q1": {"d1": 1, "d2": 1}})


def test_queries_with_the_same_text_agree_on_what_both_judged():
    queries, qrels = {"q1": "cats", "q2": "dogs", "q3": "cats"}, {"q1": {"d1": 2}, "q2": {"d1": 0}}
    with pytest.warns(UserWarning, match="become one query"):
        dataset = from_qrels(queries, qrels | {"q3": {"d1": 2, "d2": 0}}, "pets", "")
    assert dataset.judgments == {"q1": {"d1": 2, "d2": 0}}
    # A query that judged nothing relevant is left out, and what it says counts as much.
    message = "'q1' and 'q3' have one text, 'cats', and grade 'd1' 2 and 0; keep one"
    with pytest.raises(ValueError, match=message), pytest.warns(UserWarning, match="left out"):
        from_qrels(queries, qrels | {"q3": {"d1": 0}}, "pets", "")


@pytest.mark.parametrize(
    ("queries", "qrels", "message"),
    [
        ({"q1": "cats"}, {"q1": {7: 1}}, "doc_id 7 is of type int"),
        ({1: "cats"}, {1: {"d1": 1, "d2": 1}}, "query_id 1 is of type int"),
        ({"q1": "cats"}, {"q1": {"d1": "1"}}, "grade '1' is not a whole number"),
        ({"q1": ["cats"]}, {"q1": {"d1": 1}}, r"queries\[0\].query_text: needed text"),
        ({"q1": "cats"}, {"q1": {"d1 ": 1}}, r"queries\[0\].expected_item_id: blanks at an end"),
    ],
)
def test_judgments_that_are_none_are_refused(queries, qrels, message):
    with pytest.raises(ValueError, match=message):
        from_qrels(queries, qrels, "pets", "")


def names(*described: tuple[str, str]) -> dict[str, str]:
    """The query of each row id."""
    found = rows_by_query(rows(*((query_id, text, f"d{n}") for n, (query_id, text) in enumerate(described))))
    return {row.query_id: query_id for query_id, members in found.items() for row in members}


def test_rows_with_one_text_are_one_query_named_by_what_their_ids_have_in_common():
    assert names(("q-1", "a"), ("q-2", "a"), ("p", "b")) == {"q-1": "q", "q-2": "q", "p": "p"}
    assert names(("q-2", "a"), ("q-1", "a")) == {"q-2": "q", "q-1": "q"}
    assert names(("x", "a"), ("y", "a")) == {"x": "x", "y": "x"}
    assert names(("q-1", "a"), ("q-3", "a")) == {"q-1": "q-1", "q-3": "q-1"}
    assert names(("-1", "a"), ("-2", "a")) == {"-1": "-1", "-2": "-1"}


def test_a_single_row_keeps_its_id_and_letters_count():
    assert names(("q-1", "cats")) == {"q-1": "q-1"}
    assert names(("q-1", "cats"), ("q-2", "Cats")) == {"q-1": "q-1", "q-2": "q-2"}


def test_no_two_queries_get_the_same_name():
    assert names(("q-1", "a"), ("q-2", "a"), ("q", "b")) == {"q-1": "q-1", "q-2": "q-1", "q": "q"}
    taken = names(("q-1", "a"), ("q-2", "a"), ("q", "b"), ("q-1-1", "c"), ("q-1-2", "c"))
    assert taken == {"q-1": "q-1", "q-2": "q-1", "q": "q", "q-1-1": "q-1-1", "q-1-2": "q-1-1"}


def test_gold_and_synthetic_rows_are_never_one_query(tmp_path):
    found = read(
        tmp_path,
        VALID | {"queries": [ROW, ROW | {"query_id": "q2", "kind": "synthetic", "expected_item_id": "d2"}]},
    )
    assert to_qrels(found)[1] == {"q1": {"doc_012": 1}, "q2": {"d2": 1}}


def test_an_expected_source_is_all_its_documents(tmp_path):
    dataset = read(tmp_path, VALID)
    sources = {"disk#1": "wiki/disk.md", "net": "wiki/net.md", "disk#2": "wiki/disk.md"}
    assert to_qrels(dataset, sources)[1] == {"q1": {"doc_012": 1}, "q2": {"disk#1": 1, "disk#2": 1}}
    with pytest.raises(
        ValueError,
        match="1 expected sources are not known: 'wiki/disk.md'; sources has .* of the corpus that",
    ):
        to_qrels(dataset, {"net": "wiki/net.md"})
    with pytest.raises(ValueError, match="'wiki/disk.md'; give sources="):
        to_qrels(dataset)


# BEIR folders.


def test_gold_and_synthetic_queries_are_different_splits(tmp_path):
    corpus, sources = {"doc_012": "Disk.", "d2": "Net."}, {"doc_012": "wiki/disk.md", "d2": "wiki/net.md"}
    folder = to_beir(read(tmp_path, VALID), tmp_path / "deep" / "beir", corpus, sources)
    assert load_beir("wiki", path=folder).qrels == {"q1": {"doc_012": 1}}
    assert load_beir("wiki", "synthetic", path=folder).qrels == {"q2": {"doc_012": 1}}
    assert sorted(path.name for path in folder.parent.iterdir()) == ["beir"]


def test_an_expected_document_that_the_corpus_lacks_is_not_exported(tmp_path):
    dataset = rows(("q1", "cats", "d1"), ("q2", "dogs", "d9"), ("q3", "owls", "d\t3"))
    with pytest.raises(
        ValueError, match="2 problems in pets, .*\nquery 'q2': not in the corpus: 'd9'\nquery 'q3': a tab"
    ):
        to_beir(dataset, tmp_path / "beir", {"d1": "A cat.", "d\t3": "An owl."})
    assert not list(tmp_path.iterdir())


def test_a_folder_that_holds_something_is_left_as_it_is(tmp_path):
    dataset, corpus = rows(("q1", "cats", "d1")), {"d1": "A cat."}
    (tmp_path / "empty").mkdir()
    folder = to_beir(dataset, tmp_path / "empty", corpus)
    before = (folder / "corpus.jsonl").read_bytes()
    with pytest.raises(ValueError, match="empty holds other files already"):
        to_beir(dataset, folder, {"d1": "Another cat."})
    assert (folder / "corpus.jsonl").read_bytes() == before


def test_a_failure_in_the_middle_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(dataset_file, "_write_splits", fail)
    with pytest.raises(OSError, match="disk full"):
        to_beir(rows(("q1", "cats", "d1")), tmp_path / "beir", {"d1": "A cat."})
    assert not list(tmp_path.iterdir())


def test_the_order_of_rows_names_no_query():
    described = [(name, "cats", f"page {name}") for name in ("b", "a", "c")]
    assert [*rows_by_query(rows(*described))] == [*rows_by_query(rows(*described[::-1]))] == ["a"]


# Against Biblicus, which the format is from

VARIANTS = {
    "as it is": (lambda data: data, "both"),
    "no description": (lambda data: _without(data, "description"), "both"),
    "a description of null": (lambda data: data | {"description": None}, "both"),
    "no kind": (lambda data: data | {"queries": [_without(ROW, "kind")]}, "both"),
    "the version as text": (lambda data: data | {"schema_version": "1"}, "both"),
    "an unknown key": (lambda data: data | {"extra": 1}, "neither"),
    "no expectation": (lambda data: data | {"queries": [_without(ROW, "expected_item_id")]}, "neither"),
    "no version": (lambda data: _without(data, "schema_version"), "neither"),
    # What it reads and we refuse, because a number would change in silence:
    "no rows": (lambda data: data | {"queries": []}, "Biblicus"),  # a mean over nothing
    "no queries key": (lambda data: _without(data, "queries"), "Biblicus"),
    "another kind": (lambda data: data | {"queries": [ROW | {"kind": "silver"}]}, "Biblicus"),  # in no mean
    "both expectations": (
        lambda data: data | {"queries": [ROW | {"expected_source_uri": "a.md"}]},
        "Biblicus",
    ),  # which of the two would count?
    "an id twice": (lambda data: data | {"queries": [ROW, ROW]}, "Biblicus"),  # one row counted twice
    "an empty text": (lambda data: data | {"queries": [ROW | {"query_text": ""}]}, "Biblicus"),
}


def _without(record, key):
    return {name: value for name, value in record.items() if name != key}


@pytest.mark.parametrize("name", VARIANTS)
def test_what_biblicus_reads_is_read_wherever_no_number_changes_by_it(tmp_path, name):
    change, who = VARIANTS[name]
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps(change(json.loads(json.dumps(VALID)))))
    assert _reads(load_dataset, path) == (who == "both")
    biblicus = pytest.importorskip("biblicus.evaluation.retrieval", reason="biblicus is not installed")
    assert _reads(biblicus.load_dataset, path) == (who in ("both", "Biblicus"))


def _reads(load, path):
    try:
        load(path)
    except ValueError:
        return False
    return True


def test_a_row_that_was_copied_under_a_new_id_is_refused(tmp_path):
    with pytest.raises(ValueError, match="row 'q9' has the text of 'q1' and expects .* delete one"):
        read(tmp_path, VALID | {"queries": [ROW, ROW | {"query_id": "q9"}]})
    read(tmp_path, VALID | {"queries": [ROW, ROW | {"query_id": "q9", "kind": "synthetic"}]})


def test_what_two_queries_with_one_text_both_expect_is_one_row():
    with pytest.warns(UserWarning, match="become one query"):
        dataset = from_qrels({"a": "cats", "b": "cats"}, {"a": {"d1": 1}, "b": {"d1": 1, "d2": 1}}, "x", "")
    assert [(row.query_id, row.expected_item_id) for row in dataset.queries] == [("a", "d1"), ("b", "d2")]


def test_rows_of_one_query_with_several_texts_are_shown_with_them(tmp_path):
    dataset = from_qrels({"q1": "reset password"}, {"q1": {"d1": 2, "d2": 1}}, "x", "")
    path = write_dataset(tmp_path / "gold.json", dataset)
    path.write_text(path.read_text().replace("reset password", "reset pasword", 1))
    with pytest.raises(ValueError) as raised:
        load_dataset(path)
    said = "those of 'q1' have 'q1-2' 'reset password', 'q1-1' 'reset pasword'; give a row for each"
    assert said in str(raised.value) and "`workbench measure`" in str(raised.value)


def test_a_file_of_judgments_that_is_of_no_dataset_is_never_replaced_nor_deleted(tmp_path):
    graded = from_qrels({"q1": "cats"}, {"q1": {"d1": 2}}, "pets", "")
    plain = from_qrels({"q1": "cats"}, {"q1": {"d1": 2}}, "pets", "", graded=False)
    own = tmp_path / "pets.qrels"
    own.write_text("their own")
    for dataset in (graded, plain):
        with pytest.raises(ValueError, match="pets.qrels is there, belongs to no dataset file of ours"):
            write_dataset(tmp_path / "pets.json", dataset)
    assert own.read_text() == "their own" and not (tmp_path / "pets.json").exists()
    own.unlink()
    write_dataset(tmp_path / "pets.json", graded)
    write_dataset(tmp_path / "pets.json", plain)  # its own goes with the grades
    assert not own.exists()


def test_grades_that_a_table_gives_are_whole_numbers_and_others_are_refused():
    whole = from_qrels({"q1": "cats"}, {"q1": {"d1": 2, "d2": 0}}, "pets", "")
    of_a_table = {"q1": {"d1": np.int64(2), "d2": np.int32(0)}}
    assert EvaluationDataset(**dict(whole) | {"judgments": of_a_table}).fingerprint == whole.fingerprint
    for wrong in (np.float64(2.0), np.True_, "2"):
        with pytest.raises(ValueError, match="judgments.q1.d1: needed a whole number"):
            EvaluationDataset(**dict(whole) | {"judgments": {"q1": {"d1": wrong, "d2": 0}}})


def test_a_part_of_a_dataset_with_the_judgments_of_the_whole_is_refused_with_the_cure():
    whole = from_qrels({"q1": "cats", "q2": "dogs"}, {"q1": {"d1": 2}, "q2": {"d2": 1}}, "pets", "")
    part = whole.model_copy(update={"queries": whole.queries[:1]})
    with pytest.raises(ValueError, match="differ for 'q2': no row asks them; .* give the judgments of these"):
        to_qrels(part)
    with pytest.raises(ValueError, match="no row asks them"):
        EvaluationDataset(**dict(whole) | {"queries": whole.queries[:1]})
    judged = {q: whole.judgments[q] for q in rows_by_query(part) if q in whole.judgments}
    assert to_qrels(part.model_copy(update={"judgments": judged})) == ({"q1": "cats"}, {"q1": {"d1": 2}})


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (BY_SOURCE | {"kind": "gold"}, "a row of 'q2' expects a source, and judgments are of documents"),
        (
            ROW | {"query_id": "q2", "kind": "synthetic"},
            "the rows of 'q2' are synthetic, and judgments are of",
        ),
        (ROW | {"query_id": "q2"}, "the rows expect .*; if wiki.qrels is not of this dataset, rename"),
    ],
)
def test_judgments_that_lie_beside_a_dataset_by_chance_are_told(tmp_path, row, said):
    path = tmp_path / "wiki.json"
    path.write_text(json.dumps(VALID | {"queries": [row]}))
    (tmp_path / "wiki.qrels").write_text("q2 0 doc_012 1\nq2 0 doc_013 1\n")
    with pytest.raises(ValueError, match=said):
        load_dataset(path)


def test_a_dataset_that_was_compressed_keeps_its_judgments(tmp_path):
    dataset = from_qrels({"q1": "cats"}, {"q1": {"d1": 2}}, "pets", "")
    path = write_dataset(tmp_path / "pets.json", dataset)
    (tmp_path / "pets.json.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    assert load_dataset(tmp_path / "pets.json.gz") == dataset


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"name": "x",}', "a comma stands before the closing bracket: delete it"),
        ('{"queries": [1, 2, ]}', "a comma stands before the closing bracket: delete it"),
        ('{"name": "x" // mine\n}', "JSON has no comments: delete it"),
        ("{'name': 'x'}", "JSON has double quotes"),
        ("", "the file is empty"),
        ('{"name": "x', "is the file cut off"),
    ],
)
def test_what_is_nearly_json_is_told_what_it_lacks(tmp_path, text, said):
    with pytest.raises(ValueError, match=said):
        read(tmp_path, text.encode())


@pytest.mark.parametrize("other", ["Tu\u0308r auf", "T\u00fcr\u200b auf"])
def test_rows_that_look_alike_and_are_encoded_otherwise_are_named_as_two_queries(tmp_path, other):
    rows = [ROW | {"query_text": "T\u00fcr auf"}, ROW | {"query_id": "q2", "query_text": other}]
    with pytest.warns(UserWarning, match="rows 'q1' and 'q2' ask .* look alike and differ in how"):
        read(tmp_path, json.dumps(VALID | {"queries": rows}).encode())


@pytest.mark.parametrize("make", [from_qrels, lambda *given, **more: from_labels([], "x", "", **more)])
def test_a_flag_is_true_or_false_and_no_text(make):
    with pytest.raises(ValueError, match="graded is 'no'; needed True or False"):
        make({"q1": "cats"}, {"q1": {"d1": 1}}, "pets", "", graded="no")


@pytest.mark.parametrize("gap", [float("nan"), "", " "])
def test_an_empty_cell_of_a_table_is_told_to_be_left_out(gap):
    with pytest.raises(
        ValueError, match="expected_source_uri: needed text, found .*; leave the key out where"
    ):
        EvaluationDataset(**VALID | {"queries": [ROW | {"expected_source_uri": gap}]})


def test_a_grade_that_is_none_is_named_with_its_query():
    with pytest.raises(ValueError, match="qrels, query 'q1', document 'd1': grade '1' is not a whole number"):
        from_qrels({"q1": "cats"}, {"q1": {"d1": "1"}}, "pets", "")


def test_relevant_documents_in_a_set_are_one_dataset_in_every_process():
    code = (
        "from workbench.dataset_files import from_qrels\n"
        "print(from_qrels({'q1': 'cats'}, {'q1': {'d1', 'd2', 'd3'}}, 'x', '').fingerprint)"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
        ).stdout
        for seed in "1234"
    }
    assert len(found) == 1 and found != {""}
